/* Template: what moves are worth, all compared on the same worlds and with the same random numbers.
 *
 * In world number j of a view each of the moves is made, and the rest is played out by the game's policy with the numbers of
 * stream j, so that a difference between two moves is mostly theirs. Added up are the shares of the win, their squares and, for the
 * errors of differences, the products of the shares of the seat that moves: integers, whatever the way in which the worlds
 * are shared out among calls. Without moves the state itself is valued.
 *
 * The light playout tells moves apart as well as one that weighs every move, at a sixth of the time. But what a position of
 * Cuttle is worth is better told by the latter, and best where both sides make the move that the policy holds for the best:
 * moves drawn by their weights err where players do not, and luck was then what they made of it (docs/review.md). */

/* Plays the heaviest moves of the policy, of equals the first, until the game is over or `cap` plies were made. */
static void GAME(weighed_playout)(STATE *s, int cap)
{
    uint16_t moves[PS_MAX_MOVES];
    uint32_t weights[PS_MAX_MOVES];
    for (; cap > 0 && GAME(to_move)(s) >= 0; cap--) {
        const int n = GAME(moves)(s, moves);
        int best = 0;
        GAME(policy)(s, moves, n, weights);
        for (int i = 1; i < n; i++)
            if (weights[i] > weights[best]) best = i;
        GAME(play)(s, moves[best]);
    }
}

static int GAME(grade)(const void *view, uint64_t seed, uint64_t first, uint64_t n, const uint16_t *moves, int k, int weighed,
                       ps_control *control, uint64_t *totals, uint64_t *products)
{
    STATE v, world;
    GAME(worlds) worlds;
    uint16_t legal[PS_MAX_MOVES];
    uint32_t own[PS_MAX_MOVES];
    const int rows = k ? k : 1;
    memcpy(&v, view, sizeof v);
    const int bad = GAME(worlds_open)(&worlds, &v), seat = GAME(to_move)(&v);
    if (bad) return bad;
    if (k && seat < 0) return PS_ERROR_OVER;
    for (uint64_t j = first; j < first + n && !control_stopped(control); j++) {
        rng deal = rng_stream(seed, RNG_WORLD, j);
        GAME(worlds_draw)(&worlds, &deal, &world);
        if (j == first && k) {
            const int count = GAME(moves)(&world, legal);
            for (int i = 0; i < k; i++) {
                int found = 0;
                for (int m = 0; m < count; m++) found |= legal[m] == moves[i];
                if (!found) return PS_ERROR_ILLEGAL;
            }
        }
        for (int i = 0; i < rows; i++) {
            STATE s = world;
            uint32_t shares[SEATS];
            rng play = rng_stream(seed, RNG_PLAYOUT, j);
            if (k) GAME(play)(&s, moves[i]);
            if (weighed) GAME(weighed_playout)(&s, PS_PLY_CAP);
            GAME(leaf)(&s, &play, PS_PLY_CAP, shares);
            for (int p = 0; p < SEATS; p++) {
                totals[2 * SEATS * i + p] += shares[p];
                totals[2 * SEATS * i + SEATS + p] += (uint64_t)shares[p] * shares[p];
            }
            own[i] = shares[seat < 0 ? 0 : seat];
            for (int m = 0; m <= i; m++) products[i * rows + m] += (uint64_t)own[i] * own[m];
        }
        control_report(control, control->done + 1);
    }
    return control_stopped(control);
}
