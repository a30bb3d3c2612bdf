/* Buck Euchre: many playouts of one position, added up. */
#ifndef PYSEARCH_BUCK_ROLLOUT_H
#define PYSEARCH_BUCK_ROLLOUT_H

#include "buck_playout.h"
#include "buck_worlds.h"

/* Adds playouts number first ... first + n - 1 of `seed` to the totals, each in the world of its number. */
static inline void buck_playouts(const buck_worlds *w, uint64_t seed, uint64_t first, int n, ps_totals *totals)
{
    for (uint64_t i = first; i < first + (uint64_t)n; i++) {
        buck s;
        uint32_t shares[4];
        rng deal = rng_stream(seed, RNG_WORLD, i), play = rng_stream(seed, RNG_PLAYOUT, i);
        buck_worlds_draw(w, &deal, &s);
        totals->plies += (uint64_t)buck_playout(&s, &play, PS_PLY_CAP);
        buck_shares(&s, shares);
        for (int seat = 0; seat < 4; seat++) totals->shares[seat] += shares[seat];
    }
    totals->games += (uint64_t)n;
}

#endif
