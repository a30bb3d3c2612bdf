/* Buck Euchre: uniform random playouts. The words that a playout takes are a contract, see rng.h. */
#ifndef PYSEARCH_BUCK_PLAYOUT_H
#define PYSEARCH_BUCK_PLAYOUT_H

#include "buck.h"
#include "rng.h"

#ifndef __BMI2__
/* Takes the cards of a hand away one by one, the lowest first: rest[k] is without k of them. Returns how many there were. */
static inline uint32_t buck_peel(uint32_t cards, uint32_t rest[5])
{
    uint32_t n = cards != 0;
    rest[0] = cards;
    for (int k = 1; k < 5; k++) n += (rest[k] = rest[k - 1] & (rest[k - 1] - 1)) != 0;
    return n;
}
#endif

/* Card number q * n >> 16 of the n in a hand, five at most, as a bit; q is the lowest quarter of the word. */
static inline uint32_t buck_nth_card(uint32_t cards, uint32_t n, uint64_t word)
{
    const uint32_t k = (uint32_t)(word & 65535) * n >> 16;
#ifdef __BMI2__
    return _pdep_u32(1u << k, cards);
#else
    uint32_t rest[5];
    buck_peel(cards, rest);
    return rest[k] & -rest[k];
#endif
}

/* The same where n has to be counted; 0 for an empty hand. */
static inline uint32_t buck_pick(uint32_t cards, uint64_t word)
{
#ifdef __BMI2__
    return buck_nth_card(cards, (uint32_t)popcount(cards), word);
#else
    uint32_t rest[5];
    const uint32_t n = buck_peel(cards, rest), card = rest[(uint32_t)(word & 65535) * n >> 16];
    return card & -card;
#endif
}

/* The play stage while it is played out: hands in the order by trump. */
typedef struct buck_round {
    uint32_t hand[4];
    uint8_t step[4];             /* bits of the random word that each seat takes: 16, or 0 when it has dropped */
    uint32_t leader, trumps;     /* trumps: byte 3, or nothing without trumps */
    uint32_t taken;              /* tricks, three bits a seat */
} buck_round;

/* The cards that may be played to a suit (B10). */
static inline uint32_t buck_follow(uint32_t hand, uint32_t led) { return hand & led ? hand & led : hand; }

/* One trick of a deal with n cards in each hand, without a branch: a dropped seat has no cards, plays none, and leaves its
 * quarter of the word to the next. With n = 1 every card is forced. */
static inline __attribute__((always_inline)) void buck_play_trick(buck_round *t, uint32_t n, uint64_t word)
{
    const uint32_t i0 = t->leader, i1 = (i0 + 1) & 3, i2 = (i0 + 2) & 3, i3 = (i0 + 3) & 3;
    uint32_t c0 = t->hand[i0], c1 = t->hand[i1], c2 = t->hand[i2], c3 = t->hand[i3];
    if (n > 1) t->hand[i0] ^= c0 = buck_nth_card(c0, n, word);
    const uint32_t led = 255u << (lowest(c0) & 24);
    if (n > 1) {
        t->hand[i1] ^= c1 = buck_pick(buck_follow(c1, led), word >>= 16);
        t->hand[i2] ^= c2 = buck_pick(buck_follow(c2, led), word >>= t->step[i1]);
        t->hand[i3] ^= c3 = buck_pick(buck_follow(c3, led), word >>= t->step[i2]);
    }
    const uint32_t winning = led | t->trumps;                                               /* B10 */
    c1 &= winning, c2 &= winning, c3 &= winning;
    const uint32_t a = c1 > c0 ? c1 : c0, ia = c1 > c0 ? i1 : i0;
    const uint32_t b = c3 > c2 ? c3 : c2, ib = c3 > c2 ? i3 : i2;
    t->leader = b > a ? ib : ia;
    t->taken += 1u << 3 * t->leader;
}

/* Plays the remaining tricks, the current one being empty. */
static inline int buck_play_out(buck *s, rng *r)
{
    const int trump = buck_trump(s), first = buck_turn(s), left = popcount(s->hand[first]);
    const unsigned out = buck_out(s);
    uint64_t hand[4] = { s->hand[0], s->hand[1], s->hand[2], s->hand[3] };
    buck_round t = {
        .step = { 16, 16, 16, 16 }, .leader = (uint32_t)first,
        .trumps = trump < BUCK_NO_TRUMP ? 255u << 24 : 0,
    };
    s->hand[0] = s->hand[1] = s->hand[2] = s->hand[3] = 0;
    for (unsigned seats = out; seats; seats &= seats - 1) {
        const int seat = lowest(seats);
        s->hand[seat] = hand[seat];
        hand[seat] = 0;
        t.step[seat] = 0;
    }
    s->played |= hand[0] | hand[1] | hand[2] | hand[3];
    const uint64_t first_two = buck_pack_two(hand[0] | hand[1] << 32, trump);
    const uint64_t last_two = buck_pack_two(hand[2] | hand[3] << 32, trump);
    t.hand[0] = (uint32_t)first_two, t.hand[1] = (uint32_t)(first_two >> 32);
    t.hand[2] = (uint32_t)last_two, t.hand[3] = (uint32_t)(last_two >> 32);

    for (uint32_t n = left; n > 1; n--) buck_play_trick(&t, n, rng_word(r));
    int last = (int)t.leader;                              /* the seat that will move last */
    do last = (last + 3) & 3; while (out >> last & 1);
    buck_play_trick(&t, 1, 0);

    s->status += (uint64_t)t.taken << 33;
    buck_set_turn(s, last);
    buck_finish(s);
    return left * (4 - popcount(out));
}

/* Plays what is left of the current trick, which is not empty: one word, from the quarter of the next card on. */
static inline int buck_play_on(buck *s, rng *r)
{
    const int trump = buck_trump(s);
    const uint64_t hand = s->hand[buck_turn(s)], last = !(hand & (hand - 1));
    uint64_t word = last ? 0 : rng_word(r) >> 16 * buck_length(s);
    int plies = 0;
    for (; buck_length(s); plies++, word >>= 16) {
        const uint32_t card = buck_pick(buck_pack(buck_legal_cards(s), trump), word);
        buck_play_card(s, buck_unpack_card(lowest(card), trump));
    }
    return plies;
}

/* Plays uniform random moves, in place, up to the play of the cards; returns the number of plies. */
static inline int buck_bid(buck *s, rng *r)
{
    int plies = 0;
    for (; buck_stage(s) < BUCK_PLAY; plies++) {
        uint16_t moves[6];
        const int n = buck_moves(s, moves);
        buck_play(s, moves[rng_below(r, (uint32_t)n)]);
    }
    return plies;
}

/* Plays uniform random moves, in place, until the deal is over; returns the number of plies. A deal ends within 31 plies
 * (eight bids, three answers, twenty cards), so `cap` is not looked at. Which voids are shown from the first empty trick on
 * is not noted: nothing that comes of a playout asks for it. */
static inline int buck_playout(buck *s, rng *r, int cap)
{
    (void)cap;
    int plies = buck_bid(s, r);
    if (buck_stage(s) == BUCK_PLAY && buck_length(s)) plies += buck_play_on(s, r);
    if (buck_stage(s) == BUCK_PLAY) plies += buck_play_out(s, r);
    return plies;
}

#endif
