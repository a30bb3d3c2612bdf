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

#endif
