/* Template: playing a view. One world in which the move is possible is played and looked at again by the same seat; what was
 * made up in it stays hidden, so the result does not depend on the world. Only the cards that come into sight by the move
 * are first made to be the ones that did. This way the rules of play are written once, for complete states. */

static int GAME(view_play)(const void *view, uint16_t move, uint64_t seen, void *next, int *sight)
{
    STATE narrowed, world, played, after;
    GAME(worlds) worlds;
    uint64_t fresh = 0;
    rng r = rng_stream(0, RNG_WORLD, 0);

    memcpy(&narrowed, view, sizeof narrowed);
    const int viewer = GAME(viewer)(&narrowed);
    const uint64_t before = GAME(visible)(&narrowed);
    *sight = 0;
    if (viewer < 0) return PS_ERROR_ARGUMENT;
    if (GAME(assume)(&narrowed, move) || GAME(worlds_open)(&worlds, &narrowed)) return PS_ERROR_ILLEGAL;
    const uint64_t named = GAME(visible)(&narrowed);
    GAME(worlds_draw)(&worlds, &r, &world);

    /* The second round puts the cards that were seen where the first found that cards come into sight. */
    for (int round = 0; round < 2; round++) {
        played = world;
        GAME(play)(&played, GAME(realize)(&world, move));
        GAME(view)(&played, viewer, &after);
        fresh = GAME(visible)(&after) & ~(before | named);
        *sight = popcount(fresh);
        if (popcount(seen) != *sight || (seen & named)) return PS_ERROR_SEEN;
        if (fresh == seen) break;
        uint64_t in = seen & ~fresh, out = fresh & ~seen;
        for (; in; in &= in - 1, out &= out - 1) GAME(swap)(&world, lowest(in), lowest(out));
    }
    if (fresh != seen) return PS_ERROR_SEEN;
    memcpy(next, &after, sizeof after);
    return 0;
}
