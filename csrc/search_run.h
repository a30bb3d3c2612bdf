/* Template: opening, running and reading a search.
 *
 * Work is divided among a constant number of sets of trees, whatever the threads: iteration i belongs to set i mod SETS, and
 * all its random numbers come from stream (seed, RNG_SEARCH, i). Threads share the sets out and agree on the last block of
 * iterations (control.h), so what is found depends on the number of iterations alone. */

#define SEARCH_BLOCK 16          /* iterations of each set between two looks at the clock, where none takes long */
#define SEARCH_FORCED 512        /* iterations for a move without a choice: enough for a value */
#define SEARCH_LINE 8            /* a line goes on while its moves have been visited that often */

static void GAME(search_close)(void *search)
{
    GAME(search) *const s = search;
    for (int i = 0; i < s->sets * OBSERVERS; i++) tree_close(&s->trees[i]);
    GAME(ending_close)(&s->ending);
    free(s->moves);
    free(s->doubt);
    free(s);
}

/* What the policy holds against each move: its weight in halvings of the greatest. */
static void GAME(doubt_open)(GAME(search) *s, const uint16_t *moves)
{
    uint32_t weights[PS_MAX_MOVES], top = 1;
    GAME(policy)(&s->root, moves, s->count, weights);
    for (int i = 0; i < s->count; i++) top = weights[i] > top ? weights[i] : top;
    for (int i = 0; i < s->count; i++) s->doubt[i] = ISMCTS_DOUBT * tree_octaves(top, weights[i]);
}

/* A search, or NULL and why. */
static void *GAME(search_open)(const void *view, int method, uint64_t seed, uint64_t memory, int *error)
{
    uint16_t moves[PS_MAX_MOVES];
    GAME(search) *const s = calloc(1, sizeof *s);
    *error = PS_ERROR_MEMORY;
    if (!s) return NULL;
    memcpy(&s->root, view, sizeof s->root);
    s->method = method;
    s->seed = seed;
    s->seat = GAME(to_move)(&s->root);
    const int viewer = GAME(viewer)(&s->root);
    const int bad = s->seat < 0 ? PS_ERROR_OVER : viewer >= 0 && viewer != s->seat ? PS_ERROR_ARGUMENT
                  : GAME(worlds_open)(&s->worlds, &s->root);
    if (bad) {
        *error = bad;
        free(s);
        return NULL;
    }
    confidence_open(&s->conf);
    GAME(quick_open)(&s->quick, &s->worlds, s->method);
    int failed = GAME(ending_open)(&s->ending, &s->worlds, seed);
    const int sets = s->method == PS_ISMCTS && !s->ending.alone ? PS_SETS : 1;
    s->count = GAME(moves)(&s->root, moves);
    s->moves = calloc((size_t)s->count, sizeof *s->moves);
    s->doubt = calloc((size_t)s->count, sizeof *s->doubt);
    failed |= !s->moves || !s->doubt;
    if (!failed) GAME(doubt_open)(s, moves);
    for (int i = 0; !failed && i < s->count; i++) {
        s->moves[i].move = s->moves[i].line[0] = moves[i];
        s->moves[i].length = 1;
    }
    for (; s->sets < sets && !failed; s->sets++)
        for (int o = 0; o < OBSERVERS; o++)
            failed |= tree_open(&s->trees[s->sets * OBSERVERS + o], memory / (uint64_t)(sets * OBSERVERS));
    if (failed) {
        GAME(search_close)(s);
        return NULL;
    }
    s->found = (ps_found){ .moves = s->count };
    return s;
}

static int GAME(search_workers)(const void *search) { return ((const GAME(search) *)search)->sets; }

/* Iteration i. Returns 1 when there is nothing more to find, 2 when it was stopped and does not count, or an error. */
static int GAME(search_iteration)(GAME(search) *s, GAME(scratch) *scratch, uint64_t i, ps_control *control, double end)
{
    uint64_t *const nodes = &s->nodes[i % (uint64_t)s->sets];
    switch (s->method) {
    case PS_ISMCTS:
        if (GAME(ending_due)(&s->ending, i)) {
            *nodes += 1;
            return GAME(ending_step)(&s->ending, scratch, i, control, end, s->moves, &s->found);
        }
        *nodes += GAME(ismcts)(s, i);
        return 0;
    case PS_PIMC: *nodes += GAME(pimc)(s, scratch, i); return 0;
    default: *nodes += GAME(so_ismcts)(s, i); return 0;
    }
}

/* How many iterations of each set make a block of work: a solver may take long in one. */
static uint64_t GAME(search_rounds)(const GAME(search) *s)
{
    return s->sets > 1 || s->method == PS_SO_ISMCTS || s->method == PS_FLAT ? SEARCH_BLOCK : 1;
}

/* The part of worker `first` of `step` in a block that begins with iteration `from` of each set. Each set has its share of the
 * nodes that are allowed. */
static int GAME(search_block)(GAME(search) *s, GAME(scratch) *scratch, int first, int step, uint64_t from, ps_control *control,
                              double end)
{
    const uint64_t sets = (uint64_t)s->sets, most = s->count > 1 || s->method == PS_SO_ISMCTS ? UINT64_MAX : SEARCH_FORCED;
    const uint64_t limit = control->iterations && control->iterations < most ? control->iterations : most;
    const uint64_t nodes = control->nodes ? (control->nodes + sets - 1) / sets : UINT64_MAX;
    const uint64_t rounds = GAME(search_rounds)(s);
    uint64_t made = 0;
    int done = 0;
    for (uint64_t round = from; round < from + rounds && !done; round++)
        for (uint64_t set = (uint64_t)first; set < sets && !done; set += (uint64_t)step) {
            const uint64_t i = round * sets + set;
            if (i >= limit || s->nodes[set] >= nodes || s->iterations[set] == UINT32_MAX) continue;
            s->iterations[set]++;
            made++;
            done = GAME(search_iteration)(s, scratch, i, control, end);
            if (done == 2) s->iterations[set]--, made--;
        }
    __atomic_fetch_add(&control->done, made, __ATOMIC_RELAXED);
    return done ? done : made == 0;
}

static int GAME(search_run)(void *search, int worker, int workers, ps_control *control)
{
    GAME(search) *const s = search;
    GAME(scratch) scratch;
    const double end = control->seconds > 0 ? control_clock() + control->seconds : 0;
    const uint64_t rounds = GAME(search_rounds)(s);
    int done = s->found.exact || s->found.enumerated || worker >= s->sets;
    if (GAME(scratch_open)(&scratch)) return PS_ERROR_MEMORY;
    uint64_t from = done ? 0 : s->iterations[worker];
    for (uint64_t block = 0; !done && control_open_block(control, block, end); block++, from += rounds) {
        done = GAME(search_block)(s, &scratch, worker, workers, from, control, end);
    }
    GAME(scratch_close)(&scratch);
    return done == 2 ? 0 : done;
}

/* The line from a child of the root on: the favourites of the tree. */
static void GAME(search_line)(const tree *t, const node *child, ps_ranked *m)
{
    m->length = 1;
    for (const node *c = tree_favourite(t, child, SEARCH_LINE); c && m->length < PS_MAX_LINE;
         c = tree_favourite(t, c, SEARCH_LINE))
        if (c->move < ISMCTS_CHANCE) m->line[m->length++] = c->move;
}

static void GAME(search_read)(const void *search, ps_ranked *moves, ps_found *found)
{
    const GAME(search) *const s = search;
    uint64_t most[PS_MAX_MOVES] = { 0 };
    *found = s->found;
    for (int set = 0; set < s->sets; set++) found->iterations += s->iterations[set];
    memcpy(moves, s->moves, (size_t)s->count * sizeof *moves);
    if (s->method == PS_ISMCTS && GAME(ending_read)(&s->ending, moves, s->count, found)) return;
    const int own = s->method == PS_ISMCTS ? s->seat % OBSERVERS : 0;
    for (int set = 0; set < s->sets; set++) {
        const tree *const t = &s->trees[set * OBSERVERS + own];
        const node *child = t->nodes + t->nodes[0].children, *const end = child + t->nodes[0].count;
        const sums *booked = t->sums + t->nodes[0].children;
        for (int k = 0; k < s->count && child < end; k++) {
            ps_ranked *const m = &moves[k];
            if (child->move != m->move) continue;
            m->visits += child->visits;
            m->total += booked->total;
            m->squares += booked->squares;
            m->set_visits[set] = child->visits;
            m->set_total[set] = booked->total;
            if (child->visits > most[k]) {
                most[k] = child->visits;
                GAME(search_line)(t, child, m);
            }
            child++;
            booked++;
        }
    }
}

#undef SEARCH_BLOCK
#undef SEARCH_FORCED
#undef SEARCH_LINE
