/* When a long call ends: the clock, the stop flag, the progress counter. One owner writes, any thread may set `stop`. */
#ifndef PYSEARCH_CONTROL_H
#define PYSEARCH_CONTROL_H

#include <time.h>

#include "pysearch.h"

static inline double control_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int control_stopped(const ps_control *c) { return __atomic_load_n(&c->stop, __ATOMIC_RELAXED); }

static inline void control_report(ps_control *c, uint64_t done) { __atomic_store_n(&c->done, done, __ATOMIC_RELAXED); }

/* Work that several threads share is cut into blocks, each of which every thread does its part of. Block number `block` may
 * be begun when another thread has begun it, or else when there is no reason to stop: so all threads end after the same
 * block, and the result is that of so many blocks. `opened` holds twice the number of blocks, and in bit 0 whether it is
 * closed. */
static inline int control_open_block(ps_control *c, uint64_t block, double end)
{
    uint64_t now = __atomic_load_n(&c->opened, __ATOMIC_ACQUIRE);
    while (block >= now >> 1) {
        if (now & 1) return 0;
        const int stop = control_stopped(c) || (block && end > 0 && control_clock() >= end);
        if (__atomic_compare_exchange_n(&c->opened, &now, stop ? now | 1 : now + 2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return !stop;
    }
    return 1;
}

#endif
