/* Template: the default search with hidden information.
 *
 * Information set Monte-Carlo tree search (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012).
 * In Cuttle with multiple observers (their section VII): each seat has a tree of its own, whose edges are what that seat sees.
 * A move that all see is one edge in each tree; a card that comes out of the stock is one more edge for those who see it, so
 * a draw is a single edge for the other seat. A seat decides in its own tree. Buck Euchre has one tree: after the deal every
 * move is public. Rewards are booked for the seat that chose, each for itself (max^n); nothing changes sign by depth.
 *
 * What differs from the plain search (so_ismcts.h) was kept because it won matches (docs/search.md has the figures):
 * - leaves are played out by the game's policy instead of uniformly; in Cuttle a network says what the next turn is worth;
 * - a node gets children once it has been visited ISMCTS_RIPE times: before that the policy decides there;
 * - below the root a seat chooses by  mean + C * spread * prior * sqrt(available) / (1 + visits),  where the prior is the
 *   probability that the policy gives the move, from what its seat knows (Rosin, "Multi-armed bandits with episode context",
 *   2011; in the form of Silver and others, 2017); a move without visits has the mean of its siblings;
 * - the j-th visit of every move at the root is made in the same world with the same random numbers, those of stream j, so
 *   moves are compared like with like;
 * - at the root a move's mean is shrunk towards a prior as if it had been visited ISMCTS_PRIOR times more: the mean of all
 *   moves, less ISMCTS_DOUBT spreads for each halving of the weight that the policy gives the move. */

#define ISMCTS_ROOT_C 0.8f
#define ISMCTS_C 1.4f
#define ISMCTS_RIPE 8
#define ISMCTS_PRIOR 256.0f
#define ISMCTS_DOUBT 0.02f
#define ISMCTS_CHANCE (15 << 12)     /* kind of the edges that are cards come in sight */
#define NOWHERE UINT32_MAX           /* where an observer is whose tree is full */

/* Puts the moves of the root into a tree. Without room for all of them the search goes on with those there are. */
static void GAME(root_open)(const GAME(search) *search, tree *t)
{
    for (int i = 0; i < search->count; i++) tree_add(t, 0, (unsigned)i, search->moves[i].move);
}

/* The move of the root to visit next. */
static uint32_t GAME(root_select)(const GAME(search) *search, const tree *t)
{
    const node *const first = t->nodes + t->nodes[0].children;
    const sums *const booked = t->sums + t->nodes[0].children;
    const int count = t->nodes[0].count;
    float spread = 0, best_score = 0;
    uint64_t total = 0, visits = 0;
    int best = 0;
    for (int i = 0; i < count; i++) {
        spread += first[i].visits ? first[i].spread : 0.5f;
        total += booked[i].total;
        visits += first[i].visits;
    }
    spread /= (float)count;
    const float mean = visits ? (float)((double)total / ((double)visits * PS_ONE)) : 0.5f;
    const float width = ISMCTS_ROOT_C * spread * search->conf.root[confidence_slot((uint32_t)visits + 1)];
    for (int i = 0; i < count; i++) {
        const float n = (float)first[i].visits, prior = mean - spread * search->doubt[i];
        const float value = (n * first[i].mean + ISMCTS_PRIOR * prior) / (n + ISMCTS_PRIOR);
        const float score = value + width / sqrtf(n + 0.5f);
        if (i && score <= best_score) continue;
        best = i;
        best_score = score;
    }
    return t->nodes[0].children + (uint32_t)best;
}

/* Goes down an edge that was not chosen here. */
static void GAME(pass_edge)(tree *t, uint32_t *at, uint16_t edge)
{
    if (*at == NOWHERE) return;
    const uint32_t child = tree_reach(t, *at, edge);
    if (child) t->nodes[child].visits++;
    *at = child ? child : NOWHERE;
}

/* Children for the legal moves that have none yet, with their priors. Without room some stay without. */
static void GAME(grow)(tree *t, uint32_t parent, const STATE *s, const uint16_t *moves, int n)
{
    uint32_t weights[PS_MAX_MOVES], sum = 0;
    GAME(policy)(s, moves, n, weights);
    for (int i = 0; i < n; i++) sum += weights[i];
    for (int i = 0; i < n; i++) {
        const uint32_t child = tree_reach(t, parent, moves[i]);
        if (!child) return;
        t->notes[child].prior = (float)weights[i] / (float)sum;
    }
}

/* The child of the seat to move, of those whose moves are legal; 0 when there is none. */
static uint32_t GAME(descend)(tree *t, uint32_t parent, const STATE *s, const uint16_t *moves, int n)
{
    node *legal[PS_MAX_MOVES], *best = NULL;
    float total = 0, visits = 0, spread = 0, best_score = 0;
    int seen = 0;
    for (int grown = 0; grown < 2 && seen < n; grown++) {
        if (grown) GAME(grow)(t, parent, s, moves, n);
        node *child = t->nodes + t->nodes[parent].children, *const end = child + t->nodes[parent].count;
        seen = 0;
        for (int i = 0; i < n; i++) {
            while (child < end && child->move < moves[i]) child++;
            if (child < end && child->move == moves[i]) legal[seen++] = child;
        }
    }
    for (int i = 0; i < seen; i++) {
        legal[i]->available++;
        if (!legal[i]->visits) continue;
        total += legal[i]->mean * (float)legal[i]->visits;
        spread += legal[i]->spread * (float)legal[i]->visits;
        visits += (float)legal[i]->visits;
    }
    const float mean = visits > 0 ? total / visits : 0.5f, width = ISMCTS_C * (visits > 0 ? spread / visits : 0.5f);
    for (int i = 0; i < seen; i++) {
        const node *const c = legal[i];
        const float bonus = width * t->notes[c - t->nodes].prior * sqrtf((float)c->available) / (1 + (float)c->visits);
        const float score = (c->visits ? c->mean : mean) + bonus;
        if (best && score <= best_score) continue;
        best = legal[i];
        best_score = score;
    }
    return best ? (uint32_t)(best - t->nodes) : 0;
}

/* The move of `chose` is made: every other observer follows it in his tree, and all follow the
 * cards that they see come out of the stock. */
static void GAME(observe)(tree *trees, uint32_t at[OBSERVERS], int chose, uint16_t move, const STATE *before, const STATE *after)
{
    for (int o = 0; o < OBSERVERS; o++) {
        if (o != chose) GAME(pass_edge)(&trees[o], &at[o], move);
        for (uint64_t c = GAME(sighted)(before, after, o); c; c &= c - 1)
            GAME(pass_edge)(&trees[o], &at[o], (uint16_t)(ISMCTS_CHANCE | lowest(c)));
    }
}

/* Iteration number i, in its set of trees. Returns the number of nodes visited. */
static uint64_t GAME(ismcts)(GAME(search) *search, uint64_t i)
{
    STATE s;
    uint16_t moves[PS_MAX_MOVES];
    uint32_t path[PS_PLY_CAP], at[OBSERVERS] = { 0 }, shares[SEATS];
    uint8_t chooser[PS_PLY_CAP];
    int depth = 0, mover = search->seat;
    const uint64_t sets = (uint64_t)search->sets, set = i % sets;
    tree *const trees = search->trees + OBSERVERS * set;
    tree *const root = &trees[mover % OBSERVERS];
    if (!root->nodes[0].count) GAME(root_open)(search, root);

    uint32_t child = GAME(root_select)(search, root);
    const uint64_t stream = root->nodes[child].visits * sets + set;
    rng deal = rng_stream(search->seed, RNG_WORLD, stream), r = rng_stream(search->seed, RNG_SEARCH, stream);
    GAME(worlds_draw)(&search->worlds, &deal, &s);
    while (child && depth < PS_PLY_CAP) {
        const int own = mover % OBSERVERS;
        const STATE before = s;
        const uint16_t move = trees[own].nodes[child].move;
        GAME(play)(&s, move);
        chooser[depth] = (uint8_t)mover;
        path[depth++] = at[own] = child;
        GAME(observe)(trees, at, own, move, &before, &s);

        mover = GAME(to_move)(&s);
        if (mover < 0) break;
        tree *const t = &trees[mover % OBSERVERS];
        const uint32_t here = at[mover % OBSERVERS];
        if (here == NOWHERE || t->nodes[here].visits < ISMCTS_RIPE) break;
        const int n = GAME(moves)(&s, moves);
        child = GAME(descend)(t, here, &s, moves, n);
    }
    GAME(leaf)(&s, &r, PS_PLY_CAP - depth, shares);
    for (int d = 0; d < depth; d++)
        tree_visit(&trees[chooser[d] % OBSERVERS], path[d], shares[chooser[d]]);
    return (uint64_t)depth + 1;
}

#undef ISMCTS_ROOT_C
#undef ISMCTS_C
#undef ISMCTS_RIPE
#undef ISMCTS_PRIOR
#undef NOWHERE
