/* Buck Euchre: a light policy, made by hand and tuned by matches against itself. It looks at what the seat to move knows and
 * at nothing else, so a view and each of its worlds get the same answer, and never at the scores: the table of match equity
 * is made of its deals.
 *
 * Bids and answers go by the worth of a hand in points. A sweep wins the match (B13): it is what a maker hopes for and the
 * others fear, so seats stay rather than drop, and the last one to speak never leaves the maker alone (B9). In play everybody
 * takes what tricks he can, at the least cost: sure cards first, then the highest of a suit, for it may hold, else the
 * weakest card.
 *
 * Weights: of two answers, one with two points more is twice as likely. In play the chosen card is made but for one time in
 * four (BUCK_STRAY of 16), when it is any legal one. */
#ifndef PYSEARCH_BUCK_POLICY_H
#define PYSEARCH_BUCK_POLICY_H

#include "buck.h"
#include "buck_playout.h"
#include "rng.h"

enum {
    BUCK_NAME_POINTS = 24,       /* more than that names trumps */
    BUCK_ORDER_POINTS = 28,      /* and orders, for the dealer gains the up-card */
    BUCK_DEALER_POINTS = 22,     /* the dealer, after the best burial */
    BUCK_STRAY = 4,              /* sixteenths of its cards that are any legal one */
};

/* More points than that stay, by the number of seats that have stayed before. */
static const int8_t buck_stay_points[3] = { 6, 6, 8 };

/* ---- the worth of a hand ---- */

/* Points of a hand in the order by trump: trumps from the nine to the right bower 4 4 5 6 7 9 12, another ace 3, another king
 * 2, and 2 for each other suit that it lacks if it has a trump. */
static inline int buck_points(uint32_t hand)
{
    const uint32_t t = hand >> 24;
    const int lacks = !(hand & 255) + !(hand & 255 << 8) + !(hand & 255 << 16);
    return 4 * popcount(t) + popcount(t & 124) + popcount(t & 120) + popcount(t & 112) + 2 * popcount(t & 96)
        + 3 * popcount(t & 64) + 3 * popcount(hand & 0x102020) + 2 * popcount(hand & 0x081010) + (t ? 2 * lacks : 0);
}

/* The best of it after one card has been laid away. */
static inline int buck_points_buried(uint32_t hand)
{
    int best = 0;
    for (uint32_t rest = hand; rest; rest &= rest - 1) {
        const int points = buck_points(hand ^ (rest & -rest));
        if (points > best) best = points;
    }
    return best;
}

/* ---- choosing a card; all sets in the order by trump ---- */

/* In each byte the highest card of a set and all below. */
static inline uint32_t buck_up_to(uint32_t cards)
{
    cards |= cards >> 1 & 0x7f7f7f7f;
    cards |= cards >> 2 & 0x3f3f3f3f;
    return cards | (cards >> 4 & 0x0f0f0f0f);
}

static inline uint32_t buck_lowest(uint32_t cards) { return cards & -cards; }
static inline uint32_t buck_highest(uint32_t cards) { return 1u << highest(cards); }

/* All cards as low as the lowest of a set, or as high as the highest, whatever their suit. */
static inline uint32_t buck_rank_row(uint32_t cards, int high)
{
    const uint32_t ranks = (cards | cards >> 8 | cards >> 16 | cards >> 24) & 255;
    return (high ? buck_highest(ranks) : buck_lowest(ranks)) * 0x01010101u;
}

/* The card to part with: no trump, nothing sure, the lowest. */
static inline uint32_t buck_weakest(uint32_t cards, uint32_t sure, uint32_t trumps)
{
    if (!(cards & ~trumps)) return buck_lowest(cards);
    cards &= ~trumps;
    if (cards & ~sure) cards &= ~sure;
    return buck_lowest(cards & buck_rank_row(cards, 0));
}

/* The card to lead. `unseen` are the cards that others may hold, `maker` says whether this is the maker's hand. */
static inline uint32_t buck_policy_lead(uint32_t hand, uint32_t unseen, uint32_t trumps, int maker)
{
    const uint32_t sure = hand & ~buck_up_to(unseen), own = hand & trumps, side = hand & ~trumps;
    if (own && (unseen & trumps)) {                        /* trumps are drawn first */
        if (sure & trumps) return buck_highest(sure);
        if (sure) return buck_lowest(sure);
        if (popcount(own) + (maker != 0) >= 3) return buck_highest(own);
    } else {
        if (sure & side) return buck_highest(sure & side);
        if (own) return buck_highest(own);
    }
    return side ? buck_lowest(side & buck_rank_row(side, 1)) : buck_highest(hand);
}

/* The card to play to a trick: `legal` of the hand, `best` takes the trick so far, cards of `winning` suits may take it, and
 * `later` seats play after this one. */
static inline uint32_t buck_policy_follow(uint32_t hand, uint32_t legal, uint32_t best, uint32_t winning, uint32_t unseen,
                                          uint32_t trumps, int later)
{
    const uint32_t sure = hand & ~buck_up_to(unseen | best), taking = legal & winning & -best;
    if (!taking) return buck_weakest(legal, sure, trumps);
    if (!later) return buck_lowest(taking);
    if (taking & sure) return buck_lowest(taking & sure);
    return taking & trumps ? buck_lowest(taking) : buck_highest(taking);
}

/* The play stage in the order by trump. */
typedef struct buck_policy_round {
    uint32_t hand[4];
    uint32_t buried;             /* what the dealer alone knows */
    uint32_t deck, gone;         /* all cards; those that everybody has seen */
    uint32_t trumps, led, best;  /* bytes of trumps and of the suit led, the card that takes the trick so far; 0 for none */
    int dealer, maker, active;   /* seats, how many of them play */
} buck_policy_round;

static inline void buck_policy_open(buck_policy_round *t, const buck *s)
{
    const int trump = buck_trump(s), buried = buck_buried(s);
    uint64_t gone = s->played | (buck_ordered(s) ? 0 : BIT(buck_up(s)));
    *t = (buck_policy_round){
        .buried = buried == BUCK_NO_CARD ? 0 : buck_pack(BIT(buried), trump),
        .deck = buck_pack(BUCK_DECK, trump),
        .trumps = trump < BUCK_NO_TRUMP ? 255u << 24 : 0,
        .dealer = buck_dealer(s), .maker = buck_maker(s), .active = 4 - popcount(buck_out(s)),
    };
    for (int i = 0; i < buck_length(s); i++) {
        const uint32_t card = 1u << buck_place[trump][buck_card(s, i)];
        gone |= BIT(buck_card(s, i));
        if (!i) t->led = 255u << (lowest(card) & 24);
        if ((card & (t->led | t->trumps)) > t->best) t->best = card;
    }
    t->gone = buck_pack(gone, trump);
    for (int seat = 0; seat < 4; seat++) t->hand[seat] = buck_pack(s->hand[seat], trump);
}

/* The card of the policy for a seat, the n-th (from 0) of the trick. */
static inline uint32_t buck_policy_card(const buck_policy_round *t, int seat, int n)
{
    const uint32_t hand = t->hand[seat];
    const uint32_t unseen = t->deck & ~(t->gone | hand | (seat == t->dealer ? t->buried : 0));
    if (!n) return buck_policy_lead(hand, unseen, t->trumps, seat == t->maker);
    return buck_policy_follow(hand, buck_follow(hand, t->led), t->best, t->led | t->trumps, unseen, t->trumps, t->active - n - 1);
}

/* ---- weights ---- */

/* Grows by half and by a third in turn, so twofold with two points; 512 for none. */
static inline uint32_t buck_odds(int points)
{
    const int n = points < -16 ? 0 : points > 16 ? 32 : points + 16;
    return (uint32_t)(2 + (n & 1)) << (n >> 1);
}

static inline void buck_policy_order(const buck *s, uint32_t *weights)
{
    const int suit = buck_up(s) / 6;
    const uint64_t hand = s->hand[buck_turn(s)];
    weights[0] = buck_odds(0);
    weights[1] = buck_turn(s) == buck_dealer(s)
        ? buck_odds(buck_points_buried(buck_pack(hand | BIT(buck_up(s)), suit)) - BUCK_DEALER_POINTS)
        : buck_odds(buck_points(buck_pack(hand, suit)) - BUCK_ORDER_POINTS);
}

static inline void buck_policy_name(const buck *s, const uint16_t *moves, int n, uint32_t *weights)
{
    weights[0] = buck_odds(0);
    for (int i = 1; i < n; i++)
        weights[i] = buck_odds(buck_points(buck_pack(s->hand[buck_turn(s)], buck_move_card(moves[i]))) - BUCK_NAME_POINTS);
}

/* By what is left; of equals the lowest card. */
static inline void buck_policy_bury(const buck *s, const uint16_t *moves, int n, uint32_t *weights)
{
    const int trump = buck_trump(s);
    const uint32_t hand = buck_pack(s->hand[buck_turn(s)], trump);
    const int best = buck_points_buried(hand);
    for (int i = 0; i < n; i++) {
        const int place = buck_place[trump][buck_move_card(moves[i])];
        weights[i] = 8 * buck_odds(buck_points(hand ^ 1u << place) - best) - (uint32_t)(place & 7);
    }
}

static inline void buck_policy_stay(const buck *s, uint32_t *weights)
{
    const int seat = buck_turn(s), maker = buck_maker(s), before = (seat - maker - 1) & 3;
    const int stayed = before - popcount(buck_out(s));
    const int margin = buck_points(buck_pack(s->hand[seat], buck_trump(s))) - buck_stay_points[stayed];
    weights[0] = before == 2 && !stayed ? 1u << 18 : buck_odds(margin);                     /* B9 */
    weights[1] = before == 2 && !stayed ? 1 : buck_odds(0);
}

static inline void buck_policy_play(const buck *s, const uint16_t *moves, int n, uint32_t *weights)
{
    buck_policy_round t;
    buck_policy_open(&t, s);
    const int chosen = buck_unpack_card(lowest(buck_policy_card(&t, buck_turn(s), buck_length(s))), buck_trump(s));
    for (int i = 0; i < n; i++)
        weights[i] = BUCK_STRAY + (buck_move_card(moves[i]) == chosen ? (uint32_t)n * (16 - BUCK_STRAY) : 0);
}

/* A weight for each of the n legal moves as buck_moves lists them: at least 1, less than 2^20 in all. A sensible but not
 * perfect player makes a move with probability weight / sum. `s` is a state, or a view of the seat to move. */
static inline void buck_policy(const buck *s, const uint16_t *moves, int n, uint32_t *weights)
{
    switch (buck_stage(s)) {
    case BUCK_ORDER: buck_policy_order(s, weights); break;
    case BUCK_NAME: buck_policy_name(s, moves, n, weights); break;
    case BUCK_BURY: buck_policy_bury(s, moves, n, weights); break;
    case BUCK_STAY: buck_policy_stay(s, weights); break;
    default: buck_policy_play(s, moves, n, weights); break;
    }
}

/* ---- playouts ---- */

/* Plays the play stage out: a word for each trick but the last, its quarters taken as in rng.h; the lowest four bits of a
 * quarter say whether the card is any legal one, the whole quarter which. */
static inline int buck_policy_play_out(buck *s, rng *r)
{
    const unsigned out = buck_out(s);
    const int trump = buck_trump(s);
    const uint8_t *suit = buck_lane_suit[trump];
    int seat = buck_turn(s), last = seat, length = buck_length(s), winner = length ? buck_trick_winner(s) : seat, plies = 0;
    buck_policy_round t;
    buck_policy_open(&t, s);
    for (int i = 0; i < length; i++) s->played |= BIT(buck_card(s, i));
    for (int i = 0; i < 4; i++) {
        if (out >> i & 1) continue;
        s->played |= s->hand[i];
        s->hand[i] = 0;
    }
    for (int left = popcount(t.hand[seat]); left > 0; left--) {
        uint64_t word = left > 1 ? rng_word(r) >> 16 * length : 0;
        for (; length < t.active; length++, plies++, word >>= 16) {
            uint32_t *hand = &t.hand[seat], card = *hand;
            if (left > 1) {
                const uint32_t legal = length ? buck_follow(*hand, t.led) : *hand;
                card = (word & 15) < BUCK_STRAY ? buck_pick(legal, word) : buck_policy_card(&t, seat, length);
            }
            *hand ^= card;
            t.gone |= card;
            if (!length) t.led = 255u << (lowest(card) & 24), t.best = 0;
            else if (!(card & t.led)) buck_add_void(s, seat, suit[lowest(t.led) >> 3]);     /* B15 */
            if ((card & (t.led | t.trumps)) > t.best) t.best = card, winner = seat;         /* B10 */
            last = seat;
            seat = buck_next(out, seat);
        }
        buck_add_tricks(s, winner, 1);
        seat = winner;
        length = 0;
    }
    s->table &= ~(BIT(23) - 1);
    buck_set_turn(s, last);
    buck_finish(s);
    return plies;
}

/* Plays moves drawn by the policy's weights, in place, until the deal is over; returns the number of plies. A deal ends within
 * 31 plies, so `cap` is not looked at. */
static inline int buck_policy_playout(buck *s, rng *r, int cap)
{
    int plies = 0;
    (void)cap;
    for (; buck_stage(s) < BUCK_PLAY; plies++) {
        uint16_t moves[6];
        uint32_t weights[6];
        const int n = buck_moves(s, moves);
        buck_policy(s, moves, n, weights);
        buck_play(s, moves[rng_weighed(r, weights, n)]);
    }
    return buck_stage(s) == BUCK_PLAY ? plies + buck_policy_play_out(s, r) : plies;
}

#endif
