/* Cuttle: uniform random playouts, without move lists. */
#ifndef PYSEARCH_CUTTLE_PLAYOUT_H
#define PYSEARCH_CUTTLE_PLAYOUT_H

#include <string.h>

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

/* ---- whole games: one lane ---- */

#define LANES 1
#define LANE(name) cuttle_lane_##name
#include "cuttle_lanes.h"

/* Player p, who is a constant wherever this is called, makes a random move of an ordinary turn. */
static inline __attribute__((always_inline)) void cuttle_lane_turn(cuttle_lane_games *l, int p)
{
    const uint64_t hand = l->at[0].hand[p], queens = l->at[0].perms[!p] & CUTTLE_RANK(RANK_Q), theirs = l->at[0].points[!p];
    const uint64_t targets = cuttle_lane_targets(l, 0, p), under = queens ? 0 : theirs;
    const uint64_t numbers = hand & CUTTLE_NUMBERS, perms = hand & CUTTLE_PERMANENT, effects = cuttle_lane_effects(l, 0, p);
    const uint64_t aiming = hand & CUTTLE_AIMING, jacks = hand & CUTTLE_RANK(RANK_J);
    const unsigned scuttles = l->scuttles[p][0];
#ifdef __POPCNT__
    const unsigned points = (unsigned)popcount(numbers), laid = (unsigned)popcount(perms), plain = (unsigned)popcount(effects);
    const unsigned aimed = (unsigned)(popcount(aiming) * popcount(targets));
    const unsigned jacked = (unsigned)(popcount(jacks) * popcount(under));
#else
    const unsigned threes = l->held[p][SORT_THREE][0], eights = l->held[p][SORT_EIGHT][0], tens = l->held[p][SORT_TEN][0];
    const unsigned aims = l->held[p][SORT_AIMING][0], others = l->held[p][SORT_PLAIN][0];
    const unsigned points = others + threes + aims + eights + tens, laid = eights + l->held[p][SORT_CROWN][0];
    const unsigned plain = others + (l->scrapped[0] ? threes : 0);
    const unsigned aimed = aims * (l->laid[p][LAID_PERMS][0] + l->laid[!p][queens ? LAID_QUEENS : LAID_PERMS][0]);
    const unsigned jacked = queens ? 0u : (unsigned)l->held[p][SORT_JACK][0] * l->laid[!p][LAID_POINTS][0];
#endif
    int card, target;

    cuttle_lane_tick(l, 0);
    unsigned k = cuttle_lane_pick(l, 0, 1 + points + laid + scuttles + plain + aimed + jacked);
    if (k == 0) {
        cuttle_lane_draw(l, 0, p);
        return;
    }
    l->passes[0] = 0;
    k -= 1;
    if (k < points) {
        card = nth_bit(numbers, k);
        cuttle_lane_lose(l, 0, p, card);
        cuttle_lane_play_points(l, 0, p, card);
        return;
    }
    k -= points;
    if (k < laid) {
        card = nth_bit(perms, k);
        cuttle_lane_lose(l, 0, p, card);
        cuttle_lane_play_perm(l, 0, p, card);
        return;
    }
    k -= laid;
    if (k < scuttles) {
        cuttle_lane_nth_scuttle(l, 0, p, k, &card, &target);
        cuttle_lane_lose(l, 0, p, card);
        cuttle_lane_scuttle(l, 0, p, card, target);
        return;
    }
    k -= scuttles;
    if (k < plain) {
        card = nth_bit(effects, k);
        cuttle_lane_lose(l, 0, p, card);
        if (!cuttle_lane_cancelled(l, 0, p, 0)) {
            switch (cuttle_rank(card)) {
            case RANK_A: cuttle_lane_ace(l, 0); break;
            case RANK_3: cuttle_lane_three(l, 0, p); break;
            case RANK_4: cuttle_lane_four(l, 0, p); break;
            case RANK_5: cuttle_lane_five(l, 0, p); break;
            case RANK_6: cuttle_lane_play_six(l, 0, p); break;
            default: cuttle_lane_sevens(l, 0, p, card); return;
            }
        }
        cuttle_lane_lay_scrap(l, 0, BIT(card));
        return;
    }
    k -= plain;
    if (k < aimed) {
        const unsigned n = (unsigned)popcount(targets);
        card = nth_bit(aiming, k / n);
        cuttle_lane_lose(l, 0, p, card);
        cuttle_lane_play_aimed(l, 0, p, card, nth_bit(targets, k % n));
        return;
    }
    const unsigned n = (unsigned)popcount(under);
    k -= aimed;
    card = nth_bit(jacks, k / n);
    cuttle_lane_lose(l, 0, p, card);
    cuttle_lane_jack(l, 0, card, nth_bit(under, k % n));
    cuttle_lane_look(l, 0, p);
}

/* Plays uniform random moves, in place, until the game is over or `cap` plies were made; returns the number of plies. What the
 * players know of one another's hands is not followed: nothing that comes of a playout asks for it. */
static inline int cuttle_playout(cuttle *s, rng *r, int cap)
{
    int plies = 0;
    for (; plies < cap && cuttle_stage(s) != CUTTLE_MAIN && cuttle_stage(s) != CUTTLE_OVER; plies++)
        cuttle_play(s, cuttle_random_move(s, r));
    if (plies + CUTTLE_LONGEST_TURN <= cap && cuttle_stage(s) == CUTTLE_MAIN) {
        const uint32_t limit = (uint32_t)(cap - CUTTLE_LONGEST_TURN);
        cuttle_lane_games l;
        int mover;
        l.ended = 0;
        cuttle_lane_load(&l, 0, s, *r, 0, plies);
        do {
            cuttle_lane_turn(&l, mover = 0);
            if (l.ended || l.plies[0] > limit) break;
            cuttle_lane_turn(&l, mover = 1);
        } while (!l.ended && l.plies[0] <= limit);
        cuttle_lane_store(&l, 0, s, r, l.ended ? mover : !mover);
        plies = (int)l.plies[0];
    }
    for (; plies < cap && cuttle_stage(s) != CUTTLE_OVER; plies++) cuttle_play(s, cuttle_random_move(s, r));
    return plies;
}

#undef LANES
#undef LANE

#endif
