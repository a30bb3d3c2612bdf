/* Template: uniform random playouts, each a function of (seed, its number) alone, added up in integers: the sum does not
 * depend on how the numbers are shared out among calls and threads, nor on how many a game plays at a time. */

/* Playouts between two looks at the stop flag: a hundredth of a second or so. Towards the end of a block more and more lanes
 * are idle beside the longest games, so blocks are long. */
#define ROLLOUT_BLOCK 16384

static int GAME(rollout)(const void *states, uint64_t count, uint64_t seed, uint64_t first, uint64_t n, ps_control *control,
                         ps_totals *totals)
{
    GAME(worlds) worlds;
    uint64_t games = 0;
    for (uint64_t i = 0; i < count; i++) totals[i] = (ps_totals){ 0 };
    for (uint64_t i = 0; i < count; i++) {
        STATE s;
        memcpy(&s, (const char *)states + i * sizeof s, sizeof s);
        const int bad = GAME(worlds_open)(&worlds, &s);
        if (bad) return bad;
        while (totals[i].games < n) {
            const uint64_t done = totals[i].games, left = n - done;
            if (control_stopped(control)) return 1;
            GAME(playouts)(&worlds, seed, first + done, left < ROLLOUT_BLOCK ? (int)left : ROLLOUT_BLOCK, &totals[i]);
            control_report(control, games += totals[i].games - done);
        }
    }
    return 0;
}

#undef ROLLOUT_BLOCK
