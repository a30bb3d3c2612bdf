/* Cuttle: what a leaf of the search is worth in its world, and positions that are settled without a tree. */
#ifndef PYSEARCH_CUTTLE_LEAF_H
#define PYSEARCH_CUTTLE_LEAF_H

#include "control.h"
#include "cuttle_net.h"
#include "cuttle_playout.h"
#include "cuttle_policy.h"
#include "cuttle_solve.h"
#include "cuttle_worlds.h"
#include "tree.h"

/* No world is solved quickly. */
typedef struct cuttle_scratch { int none; } cuttle_scratch;

static inline int cuttle_scratch_open(cuttle_scratch *scratch) { return scratch->none = 0; }
static inline void cuttle_scratch_close(cuttle_scratch *scratch) { (void)scratch; }

static inline int cuttle_is_open_quick(const cuttle *view) { (void)view; return 0; }

static inline void cuttle_open_values(cuttle_scratch *scratch, const cuttle *world, ps_ranked *moves, int count)
{
    (void)scratch, (void)world, (void)moves, (void)count;
}

/* No iterations of its own. */
typedef struct cuttle_quick { int here; } cuttle_quick;

static inline void cuttle_quick_open(cuttle_quick *q, const cuttle_worlds *w, int method)
{
    (void)w, (void)method;
    q->here = 0;
}

static inline uint64_t cuttle_quick_iteration(const cuttle_quick *q, tree *t, const confidence *conf, rng *r, int deepest)
{
    (void)q, (void)t, (void)conf, (void)r, (void)deepest;
    return 0;
}

/* The cards that come out of the stock by a move and that `seat` sees (C27). */
static inline uint64_t cuttle_sighted(const cuttle *before, const cuttle *after, int seat)
{
    uint64_t cards = 0;
    for (int i = cuttle_stock_size(after), n = cuttle_stock_size(before); i < n; i++) cards |= BIT(cuttle_stock_card(before, i));
    return cards & ~(after->hand[!seat] & ~after->known);
}

/* The shares of one outcome of the state, which is used up: what is under way is played to the end by the policy, and the
 * ordinary turn after it is estimated. */
static inline void cuttle_leaf(cuttle *s, rng *r, int cap, uint32_t shares[2])
{
    cuttle_policy_settle(s, r, cap);
    cuttle_estimate(s, shares);
}

/* ---- one world ----
 *
 * Where all cards are known the exact solver comes first: with few nodes before the first iteration, with more of them the
 * longer the search goes on, at fixed numbers of iterations, so that a result depends on nothing but their number. */

typedef struct cuttle_ending {
    int alone;                   /* the view has one world */
    int stage;                   /* how often the solver has been called */
    cuttle world;
} cuttle_ending;

static inline int cuttle_ending_open(cuttle_ending *e, const cuttle_worlds *w, uint64_t seed)
{
    rng r = rng_stream(seed, RNG_WORLD, 0);
    e->stage = 0;
    e->alone = w->unseen <= 1 || w->unseen == w->hidden;
    if (e->alone) cuttle_worlds_draw(w, &r, &e->world);
    return 0;
}

static inline void cuttle_ending_close(cuttle_ending *e) { (void)e; }

/* Is the next iteration the solver's? */
static inline int cuttle_ending_due(const cuttle_ending *e, uint64_t iteration)
{
    return e->alone && e->stage < 5 && iteration >= (e->stage ? 64ull << 4 * e->stage : 0);
}

/* What the solver found, in the place of an iteration: a visit for every move of which the value is known, one more for the
 * best with its line. */
static inline void cuttle_ending_book(const ps_solved *solved, const ps_solution *solution, int n, ps_ranked *moves)
{
    for (int i = 0; i < n; i++) {
        ps_ranked *m = &moves[i];
        const int best = solved[i].move == solution->line[0];
        m->visits = (uint64_t)((solved[i].result != 2) + best);
        m->total = m->visits * (uint64_t)(solved[i].result + 1) * (PS_ONE / 2);
        m->squares = m->total * (uint64_t)(solved[i].result + 1) * (PS_ONE / 2);
        if (!best) continue;
        m->length = (uint16_t)(solution->length < PS_MAX_LINE ? solution->length : PS_MAX_LINE);
        memcpy(m->line, solution->line, m->length * sizeof *m->line);
    }
}

/* Returns 1 when everything is known, 0 to go on, 2 when it was stopped and the iteration does not count, or an error. */
static inline int cuttle_ending_step(cuttle_ending *e, cuttle_scratch *scratch, uint64_t iteration, ps_control *control,
                                     double end, ps_ranked *moves, ps_found *found)
{
    ps_solved solved[PS_MAX_MOVES];
    ps_solution solution;
    const ps_control outer = *control;
    (void)scratch, (void)iteration;
    control->nodes = 16384ull << 4 * e->stage;              /* the stop flag is the caller's */
    const double seconds = end > 0 ? end - control_clock() : 0;
    control->seconds = seconds;
    const int late = end > 0 && seconds <= 0, n = late ? 0 : cuttle_solve(&e->world, control, solved, &solution);
    control->nodes = outer.nodes;
    control->seconds = outer.seconds;
    control_report(control, outer.done);
    if (n < 0) return n;
    /* What the clock cut short is not what so many iterations find: moves may lack values. The solver keeps a sixteenth of
     * its time for those. */
    if (late || control_stopped(control) || (end > 0 && control_clock() >= end - seconds / 16)) return 2;
    if (solution.result == 2) {
        e->stage++;
        return 0;
    }
    cuttle_ending_book(solved, &solution, n, moves);
    found->exact = 1;
    return 1;
}

/* Fills in the moves where this alone has the values; 0 when the trees have them. */
static inline int cuttle_ending_read(const cuttle_ending *e, ps_ranked *moves, int count, ps_found *found)
{
    (void)e, (void)moves, (void)count;
    return found->exact;
}

#endif
