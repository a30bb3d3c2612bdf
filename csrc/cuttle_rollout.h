/* Cuttle: many playouts of one position, added up. */
#ifndef PYSEARCH_CUTTLE_ROLLOUT_H
#define PYSEARCH_CUTTLE_ROLLOUT_H

#include "cuttle_playout.h"
#include "cuttle_worlds.h"

/* Adds playouts number first ... first + n - 1 of `seed` to the totals, each in the world of its number. */
static inline void cuttle_playouts(const cuttle_worlds *w, uint64_t seed, uint64_t first, int n, ps_totals *totals)
{
    for (uint64_t i = first; i < first + (uint64_t)n; i++) {
        cuttle s;
        uint32_t shares[2];
        rng deal = rng_stream(seed, RNG_WORLD, i), play = rng_stream(seed, RNG_PLAYOUT, i);
        cuttle_worlds_draw(w, &deal, &s);
        totals->plies += (uint64_t)cuttle_playout(&s, &play, PS_PLY_CAP);
        cuttle_shares(&s, shares);
        for (int seat = 0; seat < 2; seat++) totals->shares[seat] += shares[seat];
    }
    totals->games += (uint64_t)n;
}

#endif
