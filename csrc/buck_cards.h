/* Buck Euchre: the play of the cards inside a search, on sets of cards instead of lists of moves.
 *
 * A state keeps what rules and views ask for: who has shown which void, which cards lie in which place. What a search tries
 * and forgets needs less: the hands, what the current trick asks for, and who takes it so far. */
#ifndef PYSEARCH_BUCK_CARDS_H
#define PYSEARCH_BUCK_CARDS_H

#include "buck.h"
#include "buck_playout.h"
#include "rng.h"

typedef struct buck_cards {
    uint32_t hand[4];        /* cards by number; none for a seat that has dropped */
    uint32_t suit[4];        /* the cards of each byte of the order by trump */
    uint32_t trumps;         /* suit[3], or none without trumps */
    uint32_t follow;         /* cards of the led suit, all cards when none is led */
    uint32_t winning;        /* those and the trumps */
    uint32_t taken;          /* tricks since it was opened, three bits a seat */
    const uint8_t *place;    /* of each card in the order by trump */
    uint8_t next[4];         /* the next seat that plays */
    uint8_t turn, length;    /* who plays, how many cards lie in the trick */
    uint8_t players, trump;
    uint8_t led;             /* where the byte of the led suit begins in the order by trump */
    uint8_t best, winner;    /* place of the card that takes the trick so far, and whose it is */
} buck_cards;

/* What the seat to move may play (B10); nothing when the deal is over. */
static inline uint32_t buck_cards_legal(const buck_cards *c)
{
    const uint32_t hand = c->hand[c->turn], following = hand & c->follow;
    return following | (hand & -(uint32_t)!following);       /* no branch: who has to follow is as good as random */
}

/* The seat to move plays a card (B10). */
static inline void buck_cards_play(buck_cards *c, int card)
{
    const uint8_t seat = c->turn, place = c->place[card];
    c->hand[seat] ^= 1u << card;
    if (!c->length) {
        c->led = place & 24;
        c->follow = c->suit[place >> 3];
        c->winning = c->follow | c->trumps;
        c->best = 0;
        c->winner = seat;
    }
    const uint32_t takes = -(c->winning >> card & (uint32_t)(place > c->best) & 1);
    c->best ^= (uint8_t)((c->best ^ place) & takes);
    c->winner ^= (uint8_t)((c->winner ^ seat) & takes);
    c->turn = c->next[seat];
    if (++c->length < c->players) return;
    c->taken += 1u << 3 * c->winner;
    c->turn = c->winner;
    c->length = 0;
    c->follow = (uint32_t)BUCK_DECK;
}

/* A state of the play stage. */
static inline void buck_cards_open(buck_cards *c, const buck *s)
{
    const int trump = buck_trump(s), length = buck_length(s);
    const unsigned out = buck_out(s);
    c->players = (uint8_t)(4 - popcount(out));
    c->trump = (uint8_t)trump;
    c->place = buck_place[trump];
    c->taken = 0;
    for (int seat = 0; seat < 4; seat++) {
        c->hand[seat] = out >> seat & 1 ? 0 : (uint32_t)s->hand[seat];
        c->next[seat] = (uint8_t)buck_next(out, seat);
        c->suit[seat] = (uint32_t)buck_suit_cards(buck_lane_suit[trump][seat], trump);
    }
    c->trumps = trump < BUCK_NO_TRUMP ? c->suit[3] : 0;
    c->follow = (uint32_t)BUCK_DECK;
    c->length = 0;
    c->turn = (uint8_t)(length ? buck_leader(s) : buck_turn(s));
    for (int i = 0; i < length; i++) {
        c->hand[c->turn] |= 1u << buck_card(s, i);
        buck_cards_play(c, buck_card(s, i));
    }
}

/* Plays the rest at random, with the words that buck_playout takes. Returns the tricks of each seat since the state was opened. */
static inline uint32_t buck_cards_playout(const buck_cards *c, rng *r)
{
    const uint64_t first_two = buck_pack_two(c->hand[0] | (uint64_t)c->hand[1] << 32, c->trump);
    const uint64_t last_two = buck_pack_two(c->hand[2] | (uint64_t)c->hand[3] << 32, c->trump);
    buck_round t = {
        .hand = { (uint32_t)first_two, (uint32_t)(first_two >> 32), (uint32_t)last_two, (uint32_t)(last_two >> 32) },
        .leader = c->turn, .trumps = c->trumps ? 255u << 24 : 0, .taken = c->taken,
    };
    for (int seat = 0; seat < 4; seat++) t.step[seat] = t.hand[seat] ? 16 : 0;
    if (c->length) {
        const uint32_t led = 255u << c->led, winning = led | t.trumps, left = t.hand[c->turn];
        uint64_t word = left & (left - 1) ? rng_word(r) >> 16 * c->length : 0;
        uint32_t best = 1u << c->best, seat = c->turn;
        t.leader = c->winner;
        for (int i = c->length; i < c->players; i++, seat = c->next[seat], word >>= 16) {
            const uint32_t card = buck_pick(buck_follow(t.hand[seat], led), word), takes = (card & winning) > best;
            t.hand[seat] ^= card;
            best = takes ? card : best;
            t.leader = takes ? seat : t.leader;
        }
        t.taken += 1u << 3 * t.leader;
    }
    uint32_t n = (uint32_t)popcount(t.hand[t.leader]);
    if (!n) return t.taken;
    for (; n > 1; n--) buck_play_trick(&t, n, rng_word(r));
    buck_play_trick(&t, 1, 0);
    return t.taken;
}

#endif
