/* Cuttle: uniform random playouts, without move lists. */
#ifndef PYSEARCH_CUTTLE_PLAYOUT_H
#define PYSEARCH_CUTTLE_PLAYOUT_H

#include "cuttle.h"
#include "rng.h"

/* Number of scuttles: pairs of an attacker and a lower target (C6). */
static inline int cuttle_scuttles(uint64_t attackers, uint64_t targets)
{
    int n = 0;
    for (uint64_t t = targets; t; t &= t - 1) n += popcount(attackers & ~(BIT(lowest(t)) - 1));
    return n;
}

/* The k-th scuttle in listed order. */
static inline unsigned cuttle_nth_scuttle(uint64_t attackers, uint64_t targets, unsigned k)
{
    for (;; attackers &= attackers - 1) {
        const uint64_t below = targets & (BIT(lowest(attackers)) - 1);
        const unsigned n = (unsigned)popcount(below);
        if (k < n) return cuttle_code(CUTTLE_SCUTTLE, lowest(attackers), nth_bit(below, k));
        k -= n;
    }
}

/* The k-th of all pairs of two sets, by the first card, in listed order. */
static inline unsigned cuttle_nth_pair(int kind, uint64_t cards, uint64_t targets, unsigned k)
{
    const unsigned n = (unsigned)popcount(targets);
    return cuttle_code(kind, nth_bit(cards, k / n), nth_bit(targets, k % n));
}

/* A uniform move of an ordinary turn: counted kind by kind, then picked (the order is that of cuttle_moves). */
static inline unsigned cuttle_random_turn(const cuttle *s, rng *r)
{
    const int p = cuttle_turn(s);
    const uint64_t hand = s->hand[p], theirs = s->points[!p], targets = cuttle_targets(s, p), under = cuttle_jackable(s, p);
    const uint64_t numbers = hand & CUTTLE_NUMBERS, perms = hand & CUTTLE_PERMANENT;
    const uint64_t effects = hand & (CUTTLE_UNAIMED | (s->scrap ? CUTTLE_RANK(RANK_3) : 0));
    const uint64_t aiming = hand & CUTTLE_AIMING, jacks = hand & CUTTLE_RANK(RANK_J);
    const unsigned points = (unsigned)popcount(numbers), laid = (unsigned)popcount(perms);
    const unsigned scuttles = (unsigned)cuttle_scuttles(numbers, theirs), plain = (unsigned)popcount(effects);
    const unsigned aimed = (unsigned)(popcount(aiming) * popcount(targets));
    const unsigned jacked = (unsigned)(popcount(jacks) * popcount(under));
    unsigned k = rng_below(r, 1 + points + laid + scuttles + plain + aimed + jacked);

    if (k == 0) return cuttle_code(cuttle_stock_size(s) ? CUTTLE_DRAW : CUTTLE_PASS, 0, 0);
    k -= 1;
    if (k < points) return cuttle_code(CUTTLE_POINTS, nth_bit(numbers, k), 0);
    k -= points;
    if (k < laid) return cuttle_code(CUTTLE_PERM, nth_bit(perms, k), 0);
    k -= laid;
    if (k < scuttles) return cuttle_nth_scuttle(numbers, theirs, k);
    k -= scuttles;
    if (k < plain) return cuttle_code(CUTTLE_EFFECT, nth_bit(effects, k), 0);
    k -= plain;
    if (k < aimed) return cuttle_nth_pair(CUTTLE_AIMED, aiming, targets, k);
    return cuttle_nth_pair(CUTTLE_JACK, jacks, under, k - aimed);
}

/* A uniform legal move; takes one word of the stream, used or not. */
static inline unsigned cuttle_random_move(const cuttle *s, rng *r)
{
    switch (cuttle_stage(s)) {
    case CUTTLE_MAIN: return cuttle_random_turn(s, r);
    case CUTTLE_COUNTER: {
        const uint64_t twos = s->hand[cuttle_to_move(s)] & CUTTLE_RANK(RANK_2);
        const unsigned k = rng_below(r, 1 + (unsigned)popcount(twos));
        return k ? cuttle_code(CUTTLE_ANSWER, nth_bit(twos, k - 1), 0) : cuttle_code(CUTTLE_DECLINE, 0, 0); }
    case CUTTLE_TAKE:
        return cuttle_code(CUTTLE_TAKES, nth_bit(s->scrap, rng_below(r, (uint32_t)popcount(s->scrap))), 0);
    default: {
        uint16_t moves[PS_MAX_MOVES];
        return moves[rng_below(r, (uint32_t)cuttle_moves(s, moves))]; }
    }
}

/* Plays uniform random moves, in place, until the game is over or `cap` plies were made; returns the number of plies. */
static inline int cuttle_playout(cuttle *s, rng *r, int cap)
{
    int plies = 0;
    for (; plies < cap && cuttle_stage(s) != CUTTLE_OVER; plies++) cuttle_play(s, cuttle_random_move(s, r));
    return plies;
}

#endif
