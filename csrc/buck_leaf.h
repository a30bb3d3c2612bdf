/* Buck Euchre: what a leaf of the search is worth in its world, and positions that are settled without a tree. */
#ifndef PYSEARCH_BUCK_LEAF_H
#define PYSEARCH_BUCK_LEAF_H

#include "buck_playout.h"
#include "buck_policy.h"
#include "buck_solver.h"
#include "buck_worlds.h"
#include "control.h"

/* The solver of a thread. All its positions have the same scores. */
typedef struct buck_scratch { buck_maxn *maxn; } buck_scratch;

static inline int buck_scratch_open(buck_scratch *scratch)
{
    scratch->maxn = calloc(1, sizeof *scratch->maxn);
    if (!scratch->maxn) return PS_ERROR_MEMORY;
    scratch->maxn->solved = 1;
    return 0;
}

static inline void buck_scratch_close(buck_scratch *scratch) { free(scratch->maxn); }

/* The solver, ready for a position of the play stage: its table is kept among plays, the outcomes where maker, dropped seats
 * and trumps are the same. */
static inline buck_maxn *buck_scratch_solver(buck_scratch *scratch, const buck *s)
{
    buck_maxn *const m = scratch->maxn;
    if (m->tag != (m->solved << 10 | field(s->status, 7, 10))) buck_maxn_open(m, s);
    return m;
}

static inline uint32_t buck_rounded_share(const buck_worth *w, int seat)
{
    return (uint32_t)((w->value[seat] + (1 << (BUCK_FINE - 1))) >> BUCK_FINE);
}

/* After the deal nothing comes in sight but what is played. */
static inline uint64_t buck_sighted(const buck *before, const buck *after, int seat)
{
    (void)before, (void)after, (void)seat;
    return 0;
}

/* The shares of one outcome of the state, which is used up. */
static inline void buck_leaf(buck *s, rng *r, int cap, uint32_t shares[4])
{
    if (buck_stage(s) != BUCK_OVER) buck_policy_playout(s, r, cap);
    buck_shares(s, shares);
}

/* The share of the seat to move after each of its moves, all cards seen (max^n), in the play stage. */
static inline int buck_move_shares(buck_scratch *scratch, const buck *s, uint32_t share[5])
{
    buck_choices c;
    buck_worth worth[5];
    buck_ties ties;
    buck_maxn_choices(buck_scratch_solver(scratch, s), s, &c, worth, &ties);
    for (int i = 0; i < c.n; i++) share[i] = buck_rounded_share(&worth[i], buck_turn(s));
    return c.n;
}

/* Worlds of the play stage are solved quickly. */
static inline int buck_is_open_quick(const buck *view) { return buck_stage(view) == BUCK_PLAY; }

/* Adds the values of such a world to the moves. */
static inline void buck_open_values(buck_scratch *scratch, const buck *world, ps_ranked *moves, int count)
{
    uint32_t share[5];
    buck_move_shares(scratch, world, share);
    for (int i = 0; i < count; i++) {
        moves[i].visits++;
        moves[i].total += share[i];
        moves[i].squares += (uint64_t)share[i] * share[i];
    }
}

/* ---- the last two tricks ----
 *
 * From the fourth trick on all hands of the active seats that the view allows are looked at, each once, in random order, and
 * solved with all cards seen; they count by the number of worlds they stand for, which differ in the cards out of play. So
 * there is no sampling error, though a seat still plays as if it saw the others' cards. */

typedef struct buck_hands {
    uint32_t hand[4];                /* cards that the view does not name */
    uint32_t worlds;
} buck_hands;

typedef struct buck_ending {
    int alone;                       /* the view is such a one */
    int count;
    buck_hands *hands;               /* NULL otherwise */
    uint64_t worlds;                 /* looked at so far */
    uint64_t total[5], squares[5];   /* sums over them */
    int done;
    buck base;
} buck_ending;

/* While the hands are made: who still needs cards, which are left. */
typedef struct buck_filling {
    const buck_worlds *w;
    const uint8_t *bins;
    buck_hands *out;                 /* NULL to count */
    unsigned active;
    int n;
} buck_filling;

/* Gives seats from `seat` on, of the active ones, every set of cards they may hold. */
static inline void buck_fill_hands(buck_filling *f, buck_hands h, int seat, uint32_t rest)
{
    while (seat < 4 && (!(f->active >> seat & 1) || !f->bins[seat])) seat++;
    if (seat == 4) {
        if (f->out) f->out[f->n] = h;
        f->n++;
        return;
    }
    /* All sets of so many of the allowed cards: Gosper's way through numbers with as many ones (HAKMEM, item 175). */
    uint8_t cards[24];
    int n = 0;
    for (uint32_t c = rest & f->w->allowed[seat]; c; c &= c - 1) cards[n++] = (uint8_t)lowest(c);
    if (n < f->bins[seat]) return;
    for (uint32_t x = (1u << f->bins[seat]) - 1; x < 1u << n;) {
        buck_hands next = h;
        uint32_t held = 0;
        for (uint32_t c = x; c; c &= c - 1) held |= 1u << cards[lowest(c)];
        next.hand[seat] |= held;
        buck_fill_hands(f, next, seat + 1, rest ^ held);
        const uint32_t low = x & -x, up = x + low;
        x = up | ((x ^ up) >> (lowest(low) + 2));
    }
}

/* The ways of filling the places out of play with the cards that the active hands leave. */
static inline uint32_t buck_ways_out_of_play(const uint8_t bins[BUCK_BINS], unsigned active)
{
    uint64_t ways = 1;
    int left = 0;
    for (int bin = 0; bin < BUCK_BINS; bin++) {
        if (bin < 4 && active >> bin & 1) continue;
        left += bins[bin];
        ways *= buck_choose(left, bins[bin]);
    }
    return (uint32_t)ways;
}

/* Counts the hands, or writes them down. The up-card, where it is out of sight, is with the dealer or buried (B5). */
static inline int buck_list_hands(const buck_worlds *w, buck_hands *out)
{
    const int dealer = buck_dealer(&w->base);
    const unsigned active = ~buck_out(&w->base) & 15;
    buck_filling f = { .w = w, .out = out, .active = active };
    const uint32_t with_dealer = w->buried_from ? buck_ways_out_of_play(w->bins[0], active) : 0;
    const uint32_t buried = w->up ? buck_ways_out_of_play(w->bins[1], active) : 0;
    const int apart = w->up && (active >> dealer & 1);      /* it makes a difference to the hands in play */
    buck_hands h = { .worlds = with_dealer + (apart ? 0 : buried) };
    if (apart) h.hand[dealer] = w->up;
    f.bins = w->bins[0];
    if (h.worlds) buck_fill_hands(&f, h, 0, w->unseen);
    h = (buck_hands){ .worlds = buried };
    f.bins = w->bins[1];
    if (apart && buried) buck_fill_hands(&f, h, 0, w->unseen);
    return f.n;
}

static inline int buck_ending_open(buck_ending *e, const buck_worlds *w, uint64_t seed)
{
    *e = (buck_ending){ .base = w->base };
    int tricks = 0;
    for (int seat = 0; seat < 4; seat++) tricks += buck_tricks(&w->base, seat);
    if (buck_stage(&w->base) != BUCK_PLAY || (tricks < 3 && w->unseen)) return 0;
    e->count = buck_list_hands(w, NULL);
    e->hands = malloc((size_t)e->count * sizeof *e->hands);
    if (!e->hands) return PS_ERROR_MEMORY;
    buck_list_hands(w, e->hands);
    e->alone = 1;
    rng r = rng_stream(seed, RNG_WORLD, 0);
    for (int i = e->count - 1; i > 0; i--) {
        const int j = (int)rng_below(&r, (uint32_t)i + 1);
        const buck_hands h = e->hands[i];
        e->hands[i] = e->hands[j];
        e->hands[j] = h;
    }
    return 0;
}

static inline void buck_ending_close(buck_ending *e) { free(e->hands); }

static inline int buck_ending_due(const buck_ending *e, uint64_t iteration)
{
    (void)iteration;
    return e->alone;
}

/* Looks at the hands of number `iteration`. Returns 1 after the last, else 0. */
static inline int buck_ending_step(buck_ending *e, buck_scratch *scratch, uint64_t iteration, ps_control *control, double end,
                                   ps_ranked *moves, ps_found *found)
{
    uint32_t share[5];
    buck s = e->base;
    (void)control, (void)end, (void)moves;
    const buck_hands *const h = &e->hands[iteration];
    for (int seat = 0; seat < 4; seat++) s.hand[seat] |= h->hand[seat];
    const int n = buck_move_shares(scratch, &s, share);
    e->worlds += h->worlds;
    for (int i = 0; i < n; i++) {
        e->total[i] += (uint64_t)h->worlds * share[i];
        e->squares[i] += (uint64_t)h->worlds * share[i] * share[i];
    }
    e->done = (int)iteration + 1;
    found->enumerated = e->done == e->count;
    found->exact = e->count == 1;
    return found->enumerated;
}

/* Fills in the moves: each has been looked at in all hands so far, in the mean of the worlds. */
static inline int buck_ending_read(const buck_ending *e, ps_ranked *moves, int count, ps_found *found)
{
    (void)found;
    for (int i = 0; i < count && e->alone && e->done; i++) {
        moves[i].visits = (uint64_t)e->done;
        moves[i].total = (e->total[i] * (uint64_t)e->done + e->worlds / 2) / e->worlds;
        moves[i].squares = e->squares[i] / e->worlds * (uint64_t)e->done;
    }
    return e->alone;
}

#endif
