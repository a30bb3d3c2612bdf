/* Template: single-observer information set Monte-Carlo tree search, as in Cowling, Powley and Whitehouse, "Information Set
 * Monte Carlo Tree Search" (2012), section VI. One tree of moves; each iteration draws a world of the view, goes down the
 * moves that are legal in it, adds one new child, plays to the end at random and books the result for the seats that chose.
 * It is the yardstick for other ways of searching, and stays as it is.
 *
 * Selection maximises  mean + C * spread * available^(1/4) / sqrt(visits)  for the seat to move. `available` counts the
 * visits of the parent in which the child was legal, chosen or not (their availability count). Two things differ from UCB1:
 * - the spread stands in for the range of rewards: where a trick is worth 0.3 % of the match, a range of one would drown it.
 *   It is the mean over the legal children of the standard deviation of their returns. Each child's own (UCB1-Tuned: Auer,
 *   Cesa-Bianchi and Fischer 2002, section 4) would visit a chancy move more often than a sure win; that of all returns
 *   shrinks to the spread of the favourite;
 * - the bound grows as a power, not as the root of a logarithm: means below a young tree are biased, which a logarithm never
 *   makes up for (Shah, Xie and Xu, "Non-asymptotic analysis of Monte Carlo tree search", 2020). With the logarithm, a first
 *   bid that lost its first seventy visits was not looked at again in a hundred thousand.
 * Rewards are booked per seat, for a side may decide twice in a row (a duel, a seven, a four). */

/* The legal child with the highest confidence bound. Where legal moves have no child yet, one of them gets one, drawn
 * uniformly; where the tree is full they are left out. Returns 0 when there is no child to go to. */
static uint32_t GAME(select)(tree *t, uint32_t parent, const uint16_t *moves, int n, const confidence *conf, rng *r,
                             int *added)
{
    node *child = t->nodes + t->nodes[parent].children;
    node *const first = child, *const end = child + t->nodes[parent].count;
    node *legal[PS_MAX_MOVES], *best = NULL;
    uint16_t fresh[PS_MAX_MOVES], place[PS_MAX_MOVES];
    float spread = 0, best_score = 0;
    unsigned unseen = 0, seen = 0;

    for (int i = 0; i < n; i++) {
        while (child < end && child->move < moves[i]) child++;
        if (child == end || child->move != moves[i]) {
            fresh[unseen] = moves[i];
            place[unseen++] = (uint16_t)(child - first);
            continue;
        }
        child->available++;
        spread += child->spread;
        legal[seen++] = child;
    }
    *added = 0;
    if (unseen) {
        const unsigned k = rng_below(r, unseen);
        const uint32_t made = tree_add(t, parent, place[k], fresh[k]);
        if (made) {
            t->nodes[made].available = 1;
            *added = 1;
            return made;
        }
    }
    const float width = seen ? SO_ISMCTS_C * spread / (float)seen : 0;
    for (unsigned i = 0; i < seen; i++) {
        const float bound = width * conf->root[confidence_slot(legal[i]->available)] / sqrtf((float)legal[i]->visits);
        if (best && legal[i]->mean + bound <= best_score) continue;
        best = legal[i];
        best_score = best->mean + bound;
    }
    return best ? (uint32_t)(best - t->nodes) : 0;
}

/* One iteration in the world `s`, in a tree that is `deepest` moves deep at most. Returns the number of nodes visited. */
static uint64_t GAME(so_iteration)(tree *t, const confidence *conf, STATE *s, rng *r, int deepest)
{
    uint16_t moves[PS_MAX_MOVES];
    uint32_t path[PS_PLY_CAP], shares[SEATS], at = 0;
    uint8_t chooser[PS_PLY_CAP];
    int depth = 0, added = 0;
    while (!added && depth < deepest) {
        const int mover = GAME(to_move)(s);
        if (mover < 0) break;
        const int n = GAME(moves)(s, moves);
        const uint32_t child = GAME(select)(t, at, moves, n, conf, r, &added);
        if (!child) break;
        GAME(play)(s, t->nodes[child].move);
        chooser[depth] = (uint8_t)mover;
        path[depth++] = at = child;
    }
    GAME(playout)(s, r, PS_PLY_CAP - depth);
    GAME(shares)(s, shares);
    for (int d = 0; d < depth; d++) tree_visit(t, path[d], shares[chooser[d]]);
    return (uint64_t)depth + 1;
}

/* Iteration number i: world and playout of stream (seed, RNG_SEARCH, i). Flat search is the same with a tree of one move. */
static uint64_t GAME(so_ismcts)(GAME(search) *search, uint64_t i)
{
    STATE s;
    rng r = rng_stream(search->seed, RNG_SEARCH, i);
    const int deepest = search->method == PS_FLAT ? 1 : PS_PLY_CAP;
    if (search->quick.here) return GAME(quick_iteration)(&search->quick, search->trees, &search->conf, &r, deepest);
    GAME(worlds_draw)(&search->worlds, &r, &s);
    return GAME(so_iteration)(search->trees, &search->conf, &s, &r, deepest);
}
