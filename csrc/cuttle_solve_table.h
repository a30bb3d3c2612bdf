/* Cuttle solver: the table of proven bounds and proof numbers, its memory, and the state that one call keeps.
 *
 * One table serves both searches (their keys differ by a salt): 16-byte entries, four to a cache line, a line per key. It
 * starts small, so that an easy position costs no memory, and doubles when three quarters are full, up to the limit of the
 * call; then entries with less work behind them give way. What it forgets is searched again: the size changes how long a
 * proof takes, never what is proven. */
#ifndef PYSEARCH_CUTTLE_SOLVE_TABLE_H
#define PYSEARCH_CUTTLE_SOLVE_TABLE_H

#include <stdlib.h>

#include "control.h"
#include "cuttle_solve_moves.h"

typedef struct cs_entry {
    uint64_t key;    /* 0: empty */
    uint64_t data;   /* bits 58-63: log2 of the work behind it; the rest is the searches' */
} cs_entry;

enum { CS_WAYS = 4, CS_FIRST_LINES = 1 << 14 /* 1 MB */, CS_HISTORY = 2 << 10 };

/* Why a search unwinds: its slice of nodes is used up, or the call is over (limit, stop flag). */
enum { CS_RUNNING, CS_SLICE, CS_LIMIT };

typedef struct cs_search {
    cs_deck deck;
    cs_entry *lines;
    uint64_t mask, limit;        /* number of lines - 1; greatest number of lines */
    uint64_t filled;
    ps_control *control;
    double end;                  /* of time, 0 for never */
    uint64_t last;               /* limit of nodes, 0 for none */
    uint64_t nodes, check, slice;   /* made so far; when to look at the clock; when the slice ends */
    int stop;
    int side;                    /* whose win is being proved */
    int deep;                    /* a line was cut for want of room: disproofs no longer count */
    int32_t history[CS_HISTORY]; /* by player, kind and card: how often such a move cut the search */
    uint16_t *moves;             /* stack of move lists */
    int32_t *scores;
    struct cs_child *children;
    int top, child_top;
} cs_search;

/* Counts a node; looks at the clock and the flag now and then. Limits of nodes end a search at the same node every time. */
static inline int cs_count(cs_search *c)
{
    if (++c->nodes < c->check) return c->stop;
    ps_control *k = c->control;
    control_report(k, c->nodes);
    if (c->nodes >= c->slice && c->stop < CS_SLICE) c->stop = CS_SLICE;
    if (control_stopped(k) || (c->last && c->nodes >= c->last) || (c->end > 0 && control_clock() >= c->end)) c->stop = CS_LIMIT;
    c->check = c->nodes + 2048;
    if (c->slice > c->nodes && c->slice < c->check) c->check = c->slice;
    if (c->last > c->nodes && c->last < c->check) c->check = c->last;
    return c->stop;
}

/* Takes the limits off: what is proven is written down to the end. The stop flag still counts. */
static inline void cs_unlimit(cs_search *c)
{
    c->end = 0;
    c->last = 0;
    c->check = 0;
    c->stop = CS_RUNNING;
}

/* Lets a search make `n` nodes more. */
static inline void cs_allow(cs_search *c, uint64_t n)
{
    if (c->stop == CS_SLICE) c->stop = CS_RUNNING;
    c->slice = c->nodes + n;
    if (c->slice < c->check) c->check = c->slice;
}

static inline cs_entry *cs_line(const cs_search *c, uint64_t key) { return c->lines + (key & c->mask) * CS_WAYS; }

static inline void cs_prefetch(const cs_search *c, uint64_t key) { __builtin_prefetch(cs_line(c, key)); }

/* The data of a key, 0 when there is none. */
static inline uint64_t cs_find(const cs_search *c, uint64_t key)
{
    const cs_entry *e = cs_line(c, key);
    for (int i = 0; i < CS_WAYS; i++)
        if (e[i].key == key) return e[i].data;
    return 0;
}

/* Twice the lines: each splits in two by the next bit of its keys. Without memory the table just stays as it is. */
static inline void cs_grow(cs_search *c)
{
    const uint64_t n = c->mask + 1;
    cs_entry *lines = 2 * n <= c->limit ? realloc(c->lines, 2 * n * CS_WAYS * sizeof *lines) : NULL;
    if (!lines) {
        c->limit = n;
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        cs_entry *low = lines + i * CS_WAYS, *high = lines + (i + n) * CS_WAYS;
        for (int k = 0; k < CS_WAYS; k++) {
            const cs_entry e = low[k], none = { 0, 0 };
            high[k] = e.key & n ? e : none;
            if (e.key & n) low[k] = none;
        }
    }
    c->lines = lines;
    c->mask = 2 * n - 1;
}

static inline void cs_store(cs_search *c, uint64_t key, uint64_t data)
{
    cs_entry *e = cs_line(c, key), *worst = e;
    for (int i = 0; i < CS_WAYS; i++) {
        if (e[i].key == key || !e[i].key) {
            c->filled += !e[i].key;
            e[i].key = key;
            e[i].data = data;
            return;
        }
        if (e[i].data >> 58 < worst->data >> 58) worst = e + i;
    }
    worst->key = key;
    worst->data = data;
    if (c->filled > 3 * c->mask && 2 * c->mask < c->limit) cs_grow(c);
}

static inline uint64_t cs_work(uint64_t nodes) { return (uint64_t)(highest(nodes | 1)) << 58; }

#endif
