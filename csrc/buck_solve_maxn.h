/* Buck Euchre with all cards seen: max^n on match equity (Luckhardt and Irani, 1986). Each seat makes the move that is best
 * for its own share of the match; seats that have dropped make none.
 *
 * Ties. What a seat does among moves that are equal to it decides the fate of the others, so no single move is right:
 *   - a value is a vector of shares, counted in 2^-12 of 1/PS_ONE;
 *   - the seat to move compares its own component in whole 1/PS_ONE, rounded to the nearest, half up;
 *   - of the moves that are equal and best so, the value is the mean over all of them, each legal move counting once, rounded
 *     down; the mean number of tricks likewise;
 *   - [low, high] of a seat is what it can get when every tie, here and later, is decided in any way.
 * Sums are of integers, so the result does not depend on the order of moves, and cards that touch may be searched once and
 * counted as often as there are. Rounding before comparing keeps the order of things: the mean of moves that round to the
 * same number rounds to it too, so by induction what the seat to move can enforce alone against all is never more than its
 * value as it compares it. (Its `low` may be less: a tie of the means is no tie of what may come.)
 *
 * Nothing is pruned: every legal play is looked at, but for touching cards and a table of positions between tricks. */
#ifndef PYSEARCH_BUCK_SOLVE_MAXN_H
#define PYSEARCH_BUCK_SOLVE_MAXN_H

#include "buck_solve_equity.h"

#define BUCK_MAXN_BITS 12

typedef struct buck_maxn_entry {
    buck_worth worth;
    uint64_t key, tag;               /* tag 0: empty */
} buck_maxn_entry;

typedef struct buck_maxn {
    buck_maxn_entry table[1 << BUCK_MAXN_BITS];          /* zero at first */
    buck_outcomes outcomes;
    buck_open open;
    uint64_t tag;                    /* position solved, maker, dropped seats, trumps: with the key it is exact */
    uint64_t solved;                 /* positions so far */
    uint64_t nodes;
} buck_maxn;

/* ---- ties ---- */

/* The best moves of a seat so far: sums over them. */
typedef struct buck_ties {
    buck_worth sum;
    int32_t best, count;             /* in whole 1/PS_ONE, as it compares them */
} buck_ties;

static inline int32_t buck_whole(int32_t value) { return (value + (1 << (BUCK_FINE - 1))) >> BUCK_FINE; }

static inline buck_seats buck_lesser(buck_seats a, buck_seats b) { return a ^ ((a ^ b) & (b < a)); }
static inline buck_seats buck_greater(buck_seats a, buck_seats b) { return a ^ ((a ^ b) & (a < b)); }

/* One more move, worth `w`, of this seat. Returns whether it is better than all before. */
static inline int buck_ties_add(buck_ties *t, const buck_worth *w, uint32_t seat)
{
    const int32_t own = buck_whole(w->value[seat]);
    if (!t->count || own > t->best) {
        t->sum = *w;
        t->best = own;
        t->count = 1;
        return 1;
    }
    if (own == t->best) {
        t->sum.value += w->value;
        t->sum.tricks += w->tricks;
        t->sum.low = buck_lesser(t->sum.low, w->low);
        t->sum.high = buck_greater(t->sum.high, w->high);
        t->count++;
    }
    return 0;
}

/* floor(x / n) for 0 <= x < 2^31, n to 6, exactly. */
static inline buck_seats buck_divide(buck_seats x, int n)
{
    static const uint64_t inverse[7] = { 0, 0, (1ull << 33) / 2 + 1, (1ull << 33) / 3 + 1, (1ull << 33) / 4 + 1,
                                         (1ull << 33) / 5 + 1, (1ull << 33) / 6 + 1 };
    for (int seat = 0; seat < 4; seat++) x[seat] = (int32_t)((uint64_t)x[seat] * inverse[n] >> 33);
    return x;
}

static inline void buck_ties_mean(const buck_ties *t, buck_worth *mean)
{
    *mean = t->sum;
    if (t->count == 1) return;
    mean->value = buck_divide(t->sum.value, t->count);
    mean->tricks = buck_divide(t->sum.tricks, t->count);
}

/* ---- the play ----
 *
 * A search returns where the worth is: in the table of outcomes, in the table of positions, or in the `room` that the caller
 * gives. The caller has done with it before it searches again. */

static const buck_worth *buck_maxn_lead(buck_maxn *m, uint32_t leader, int left, unsigned taken);

/* After the trick, which `winner` takes. */
static inline const buck_worth *buck_maxn_next(buck_maxn *m, const buck_led_trick *trick, uint32_t winner)
{
    const unsigned taken = trick->taken + buck_taken_step[winner];
    if (trick->left == 1) return buck_outcome(&m->outcomes, taken);
    if (trick->left == 2)
        return buck_outcome(&m->outcomes, taken + buck_taken_step[buck_last_winner(&m->open, winner)]);
    return buck_maxn_lead(m, winner, trick->left - 1, taken);
}

static const buck_worth *buck_maxn_follow(buck_maxn *m, const buck_led_trick *trick, uint32_t seat, int behind, uint32_t best,
                                          uint32_t winner, uint32_t live, buck_worth *room);

/* After `card` of `seat`, to which `winner` held the trick with `best`; the card is out of the hand. */
static inline const buck_worth *buck_maxn_after(buck_maxn *m, const buck_led_trick *trick, uint32_t seat, int behind,
                                                uint32_t card, uint32_t best, uint32_t winner, uint32_t live, buck_worth *room)
{
    const int wins = (card & trick->winning) > best;
    const uint32_t top = wins ? card : best, holder = wins ? seat : winner;
    return behind ? buck_maxn_follow(m, trick, m->open.next[seat], behind - 1, top, holder, live ^ card ^ best ^ top, room)
                  : buck_maxn_next(m, trick, holder);
}

/* `seat` plays next. */
static const buck_worth *buck_maxn_follow(buck_maxn *m, const buck_led_trick *trick, uint32_t seat, int behind, uint32_t best,
                                          uint32_t winner, uint32_t live, buck_worth *room)
{
    const uint32_t hand = m->open.hand[seat], cards = buck_following(hand, trick->lane), merged = buck_merged(cards, live);
    const buck_worth *w = NULL;
    buck_worth below;
    buck_ties ties = { .count = 0 };
    m->nodes++;
    if (!(merged & (merged - 1))) {                      /* no choice */
        m->open.hand[seat] = hand ^ merged;
        w = buck_maxn_after(m, trick, seat, behind, merged, best, winner, live, room);
        m->open.hand[seat] = hand;
        return w;
    }
    for (uint32_t rest = cards; rest; rest &= rest - 1) {
        const uint32_t card = rest & -rest;
        if (card & merged) {
            m->open.hand[seat] = hand ^ card;
            w = buck_maxn_after(m, trick, seat, behind, card, best, winner, live, &below);
        }
        buck_ties_add(&ties, w, seat);
    }
    m->open.hand[seat] = hand;
    buck_ties_mean(&ties, room);
    return room;
}

/* `leader` leads to the first of `left` tricks, two or more. */
static const buck_worth *buck_maxn_lead(buck_maxn *m, uint32_t leader, int left, unsigned taken)
{
    const uint32_t live = buck_live_cards(&m->open), hand = m->open.hand[leader], merged = buck_merged(hand, live);
    const uint64_t key = buck_cards_key(&m->open, 0, live) | (uint64_t)leader << BUCK_CARDS_KEY
                       | (uint64_t)taken << (BUCK_CARDS_KEY + 2) | (uint64_t)left << (BUCK_CARDS_KEY + 10);
    buck_maxn_entry *const entry = &m->table[(key ^ m->tag) * 0x9e3779b97f4a7c15u >> (64 - BUCK_MAXN_BITS)];
    const buck_worth *w = NULL;
    buck_worth room;
    buck_ties ties = { .count = 0 };
    m->nodes++;
    if (entry->key == key && entry->tag == m->tag) return &entry->worth;
    for (uint32_t rest = hand; rest; rest &= rest - 1) {
        const uint32_t card = rest & -rest, lane = buck_lane(card);
        const buck_led_trick trick = { lane, lane | m->open.trumps, left, taken };
        if (card & merged) {
            m->open.hand[leader] = hand ^ card;
            w = buck_maxn_after(m, &trick, leader, m->open.players - 1, card, 0, leader, live, &room);
        }
        buck_ties_add(&ties, w, leader);
    }
    m->open.hand[leader] = hand;
    buck_ties_mean(&ties, &entry->worth);
    entry->key = key;
    entry->tag = m->tag;
    return &entry->worth;
}

/* Begins a play: from now on positions have its maker, dropped seats, trumps and scores. Those of one play, or of plays that
 * only differ in the cards, share what the table knows. */
static inline void buck_maxn_open(buck_maxn *m, const buck *s)
{
    m->tag = m->solved << 10 | field(s->status, 7, 10);
    buck_outcomes_open(&m->outcomes, s);
}

/* A position of that play. */
static inline buck_worth buck_maxn_here(buck_maxn *m, const buck *s)
{
    buck_worth room;
    buck_current at;
    const unsigned taken = buck_taken(s);
    buck_open_state(&m->open, &at, s);
    if (at.best) {
        const buck_led_trick trick = { at.lane, at.lane | m->open.trumps, at.left, taken };
        const uint32_t live = buck_live_cards(&m->open) | at.best;
        return *buck_maxn_follow(m, &trick, at.seat, at.behind, at.best, at.winner, live, &room);
    }
    if (at.left > 1) return *buck_maxn_lead(m, at.seat, at.left, taken);
    return *buck_outcome(&m->outcomes, taken + buck_taken_step[buck_last_winner(&m->open, at.seat)]);
}

/* The position that is open, after `card` of the seat to move. */
static inline buck_worth buck_maxn_card(buck_maxn *m, const buck_current *at, uint32_t card, unsigned taken)
{
    buck_worth room;
    const uint32_t hand = m->open.hand[at->seat], lane = at->best ? at->lane : buck_lane(card);
    const uint32_t live = buck_live_cards(&m->open) | at->best;
    const buck_led_trick trick = { lane, lane | m->open.trumps, at->left, taken };
    m->open.hand[at->seat] = hand ^ card;
    const buck_worth w = *buck_maxn_after(m, &trick, at->seat, at->behind, card, at->best, at->winner, live, &room);
    m->open.hand[at->seat] = hand;
    return w;
}

#endif
