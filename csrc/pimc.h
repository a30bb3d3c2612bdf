/* Template: perfect information Monte-Carlo search (Ginsberg, "GIB: Imperfect information in a computationally challenging
 * game", 2001, section 3): worlds are searched one by one as if all could see them, and a move is worth the mean of what it is
 * worth in each. A world that the game can solve quickly takes one iteration; otherwise it has a tree of its own, and as many
 * iterations as it takes to grow one. With one world there is one tree. */

#define PIMC_ITERATIONS 256

/* Adds the values of a tree to those of the search. */
static void GAME(pimc_collect)(const tree *t, ps_ranked *moves, int count)
{
    uint32_t child = t->nodes[0].children;
    const uint32_t end = child + t->nodes[0].count;
    for (int k = 0; k < count && child < end; k++) {
        if (t->nodes[child].move != moves[k].move) continue;
        moves[k].visits += t->nodes[child].visits;
        moves[k].total += t->sums[child].total;
        moves[k].squares += t->sums[child].squares;
        child++;
    }
}

static uint64_t GAME(pimc)(GAME(search) *search, GAME(scratch) *scratch, uint64_t i)
{
    STATE s;
    tree *const t = search->trees;
    const int quick = GAME(is_open_quick)(&search->root);
    rng deal = rng_stream(search->seed, RNG_WORLD, quick ? i : i - i % PIMC_ITERATIONS);
    rng r = rng_stream(search->seed, RNG_SEARCH, i);
    GAME(worlds_draw)(&search->worlds, &deal, &s);
    if (quick) {
        GAME(open_values)(scratch, &s, search->moves, search->count);
        return 1;
    }
    if (i && i % PIMC_ITERATIONS == 0 && !search->ending.alone) {
        GAME(pimc_collect)(t, search->moves, search->count);
        tree_clear(t);
    }
    return GAME(so_iteration)(t, &search->conf, &s, &r, PS_PLY_CAP);
}

#undef PIMC_ITERATIONS
