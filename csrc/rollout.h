/* Template: uniform random playouts, each a function of (seed, its number) alone, added up in integers: the sum does not
 * depend on how the numbers are shared out among calls and threads. */

static int GAME(rollout)(const void *state, uint64_t seed, uint64_t first, uint64_t n, ps_control *control, ps_totals *totals)
{
    STATE s;
    GAME(worlds) worlds;
    memcpy(&s, state, sizeof s);
    memset(totals, 0, sizeof *totals);
    const int bad = GAME(worlds_open)(&worlds, &s);
    if (bad) return bad;
    for (uint64_t i = first; i < first + n && !control_stopped(control); i++) {
        uint32_t shares[SEATS];
        rng deal = rng_stream(seed, RNG_WORLD, i), play = rng_stream(seed, RNG_PLAYOUT, i);
        GAME(worlds_draw)(&worlds, &deal, &s);
        totals->plies += (uint64_t)GAME(playout)(&s, &play, PS_PLY_CAP);
        GAME(shares)(&s, shares);
        for (int seat = 0; seat < SEATS; seat++) totals->shares[seat] += shares[seat];
        control_report(control, ++totals->games);
    }
    return control_stopped(control);
}
