/* Template: counts move sequences. The last move is counted, not played; a game that ends sooner counts nothing. */

static uint64_t GAME(perft_below)(const STATE *s, int depth, ps_control *control)
{
    uint16_t moves[PS_MAX_MOVES];
    uint64_t count = 0;
    const int n = GAME(moves)(s, moves);
    if (depth == 1) {
        control->done += (uint64_t)n;
        return (uint64_t)n;
    }
    for (int i = 0; i < n && !control_stopped(control); i++) {
        STATE next = *s;
        GAME(play)(&next, moves[i]);
        count += GAME(perft_below)(&next, depth - 1, control);
    }
    return count;
}

static int GAME(perft)(const void *state, int depth, ps_control *control, uint64_t *count)
{
    STATE s;
    memcpy(&s, state, sizeof s);
    *count = depth ? GAME(perft_below)(&s, depth, control) : 1;
    return control_stopped(control);
}
