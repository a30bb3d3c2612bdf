/* Template: single-observer information set Monte-Carlo tree search, as in Cowling, Powley and Whitehouse, "Information Set
 * Monte Carlo Tree Search" (2012), section VI. One tree of moves; each iteration draws a world of the view, goes down the
 * moves that are legal in it, adds one new child, plays to the end at random and books the result for the seats that chose.
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

#define SO_ISMCTS_C 0.8f
#define SO_ISMCTS_LINE 8      /* a line goes on while its moves have been visited that often */

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

static int GAME(so_ismcts)(const void *view, uint64_t seed, ps_control *control, ps_ranked *ranked)
{
    STATE root, s;
    GAME(worlds) worlds;
    tree t;
    confidence conf;
    uint16_t moves[PS_MAX_MOVES];
    uint32_t path[PS_PLY_CAP], shares[SEATS];
    uint8_t chooser[PS_PLY_CAP];
    const double start = control_clock();

    memcpy(&root, view, sizeof root);
    const int seat = GAME(to_move)(&root);
    if (seat < 0) return PS_ERROR_OVER;
    if (GAME(viewer)(&root) != seat) return PS_ERROR_ARGUMENT;
    if (GAME(worlds_open)(&worlds, &root)) return PS_ERROR_NO_WORLD;
    if (tree_open(&t, control->memory)) return PS_ERROR_MEMORY;
    confidence_open(&conf);
    const int count = GAME(moves)(&root, moves);
    memset(ranked, 0, (size_t)count * sizeof *ranked);
    for (int i = 0; i < count; i++) ranked[i].move = moves[i];

    uint64_t i = 0;
    for (;; i++) {
        if (control_stopped(control) || i == UINT32_MAX) break;
        if (control->iterations && i >= control->iterations) break;
        if (control->nodes && t.alive > control->nodes) break;
        if (control->seconds > 0 && (i & 15) == 0 && control_clock() - start >= control->seconds) break;

        rng r = rng_stream(seed, RNG_SEARCH, i);
        uint32_t at = 0;
        int depth = 0, added = 0;
        GAME(worlds_draw)(&worlds, &r, &s);
        while (!added && depth < PS_PLY_CAP) {
            const int mover = GAME(to_move)(&s);
            if (mover < 0) break;
            const int n = GAME(moves)(&s, moves);
            const uint32_t child = GAME(select)(&t, at, moves, n, &conf, &r, &added);
            if (!child) break;
            GAME(play)(&s, t.nodes[child].move);
            chooser[depth] = (uint8_t)mover;
            path[depth++] = at = child;
        }
        GAME(playout)(&s, &r, PS_PLY_CAP - depth);
        GAME(shares)(&s, shares);

        for (int d = 0; d < depth; d++) tree_visit(&t.nodes[path[d]], shares[chooser[d]]);
        control_report(control, i + 1);
    }

    const node *child = t.nodes + t.nodes[0].children;
    for (int k = 0; k < count; k++) {
        ps_ranked *m = &ranked[k];
        m->line[m->length++] = m->move;
        if (!t.nodes[0].count || child == t.nodes + t.nodes[0].children + t.nodes[0].count || child->move != m->move) continue;
        m->visits = child->visits;
        m->total = child->total;
        m->squares = child->squares;
        for (const node *c = tree_favourite(&t, child, SO_ISMCTS_LINE); c && m->length < PS_MAX_LINE;
             c = tree_favourite(&t, c, SO_ISMCTS_LINE))
            m->line[m->length++] = c->move;
        child++;
    }
    tree_close(&t);
    control_report(control, i);
    return count;
}

#undef SO_ISMCTS_C
#undef SO_ISMCTS_LINE
