/* The public functions: check the arguments, pick the instruction set, call it. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"

_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "IEEE floating point");
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "states are exchanged with Python as little-endian words"
#endif

/* The instruction sets of this build, best last. */
static const engine *const engines[] = {
    &ps_engine_generic,
#ifdef PYSEARCH_HAVE_X86_64_V3
    &ps_engine_x86_64_v3,
#endif
#ifdef PYSEARCH_HAVE_X86_64_V4
    &ps_engine_x86_64_v4,
#endif
};

#define ENGINES ((int)(sizeof engines / sizeof *engines))

static const engine *chosen;   /* NULL: the best; changed by ps_use_isa alone */

static int runs_here(const engine *e)
{
#ifdef PYSEARCH_HAVE_X86_64_V4
    if (e == &ps_engine_x86_64_v4)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd")
            && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
            && __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
#endif
#ifdef PYSEARCH_HAVE_X86_64_V3
    if (e == &ps_engine_x86_64_v3)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
            && __builtin_cpu_supports("fma");
#endif
    return e == &ps_engine_generic;
}

static const engine *current(void)
{
    if (chosen) return chosen;
    int i = ENGINES - 1;
    while (!runs_here(engines[i])) i--;
    return engines[i];
}

/* The table of a game, NULL when there is no such game. */
static const engine_game *table(int game)
{
    return game == PS_CUTTLE || game == PS_BUCK ? current()->games[game] : NULL;
}

const char *ps_isa(void) { return current()->isa; }

int ps_use_isa(const char *name)
{
    if (!name) {
        chosen = NULL;
        return 0;
    }
    for (int i = 0; i < ENGINES; i++)
        if (!strcmp(engines[i]->isa, name) && runs_here(engines[i])) {
            chosen = engines[i];
            return 0;
        }
    return PS_ERROR_ARGUMENT;
}

int ps_use_equity(const uint16_t *table)
{
    for (int i = 0; i < ENGINES; i++) engines[i]->use_equity(table);
    return 0;
}

int ps_unpack_equity(const uint8_t *packed, uint16_t *table)
{
    current()->unpack_equity(packed, table);
    return 0;
}

int ps_equity(const int16_t *scores, int dealer, uint32_t *shares)
{
    int from[4];
    if (dealer < 0 || dealer > 3) return PS_ERROR_ARGUMENT;
    for (int seat = 0; seat < 4; seat++) {
        if (scores[seat] < 1) return PS_ERROR_ARGUMENT;
        from[seat] = scores[seat];
    }
    current()->equity(from, dealer, shares);
    return 0;
}

const char *ps_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

int ps_deal(int game, uint64_t seed, int dealer, const int16_t *scores, void *state)
{
    const engine_game *g = table(game);
    if (!g || dealer < 0 || dealer >= g->seats) return PS_ERROR_ARGUMENT;
    g->deal(seed, dealer, scores, state);
    return 0;
}

int ps_moves(int game, const void *state, uint16_t *moves)
{
    const engine_game *g = table(game);
    return g ? g->moves(state, moves) : PS_ERROR_ARGUMENT;
}

int ps_policy(int game, const void *view, uint32_t *weights)
{
    const engine_game *g = table(game);
    return g ? g->policy(view, weights) : PS_ERROR_ARGUMENT;
}

int ps_play(int game, const void *state, uint16_t move, void *next)
{
    const engine_game *g = table(game);
    return g ? g->play(state, move, next) : PS_ERROR_ARGUMENT;
}

int ps_to_move(int game, const void *state)
{
    const engine_game *g = table(game);
    return g ? g->to_move(state) : PS_ERROR_ARGUMENT;
}

int ps_shares(int game, const void *state, uint32_t *shares)
{
    const engine_game *g = table(game);
    return g ? g->shares(state, shares) : PS_ERROR_ARGUMENT;
}

int ps_view(int game, const void *state, int seat, void *view)
{
    const engine_game *g = table(game);
    if (!g || seat < 0 || seat >= g->seats) return PS_ERROR_ARGUMENT;
    g->view(state, seat, view);
    return 0;
}

int ps_view_play(int game, const void *view, uint16_t move, uint64_t seen, void *next, int *sight)
{
    const engine_game *g = table(game);
    return g ? g->view_play(view, move, seen, next, sight) : PS_ERROR_ARGUMENT;
}

int ps_count_worlds(int game, const void *view, uint64_t *factors)
{
    const engine_game *g = table(game);
    return g ? g->count_worlds(view, factors) : PS_ERROR_ARGUMENT;
}

int ps_sample(int game, const void *view, uint64_t seed, uint64_t index, void *state)
{
    const engine_game *g = table(game);
    return g ? g->sample(view, seed, index, state) : PS_ERROR_ARGUMENT;
}

uint64_t ps_key(int game, const void *state)
{
    const engine_game *g = table(game);
    return g ? g->key(state) : 0;
}

uint64_t ps_rekey(int game, uint64_t key, const void *before, const void *after)
{
    const engine_game *g = table(game);
    return g ? g->rekey(key, before, after) : 0;
}

int ps_perft(int game, const void *state, int depth, ps_control *control, uint64_t *count)
{
    const engine_game *g = table(game);
    return g && depth >= 0 ? g->perft(state, depth, control, count) : PS_ERROR_ARGUMENT;
}

int ps_rollout(int game, const void *state, uint64_t seed, uint64_t first, uint64_t n, ps_control *control, ps_totals *totals)
{
    const engine_game *g = table(game);
    return g ? g->rollout(state, 1, seed, first, n, control, totals) : PS_ERROR_ARGUMENT;
}

int ps_rollout_many(int game, const void *states, uint64_t count, uint64_t seed, uint64_t first, uint64_t n,
                    ps_control *control, ps_totals *totals)
{
    const engine_game *g = table(game);
    return g ? g->rollout(states, count, seed, first, n, control, totals) : PS_ERROR_ARGUMENT;
}

int ps_grade(int game, const void *view, uint64_t seed, uint64_t first, uint64_t n, const uint16_t *moves, int k, int weighed,
             ps_control *control, uint64_t *totals, uint64_t *products)
{
    const engine_game *g = table(game);
    if (!g || k < 0 || k > PS_MAX_MOVES) return PS_ERROR_ARGUMENT;
    return g->grade(view, seed, first, n, moves, k, weighed, control, totals, products);
}

int ps_actions(int game, uint16_t *codes)
{
    const engine_game *g = table(game);
    return g ? g->actions(codes) : PS_ERROR_ARGUMENT;
}

int ps_batch_start(int game, const ps_batch *batch)
{
    const engine_game *g = table(game);
    if (!g || batch->dealer < 0 || batch->dealer >= g->seats) return PS_ERROR_ARGUMENT;
    g->batch_start(batch);
    return 0;
}

uint64_t ps_batch_step(int game, const ps_batch *batch, const uint16_t *moves)
{
    const engine_game *g = table(game);
    return g ? g->batch_step(batch, moves) : 0;
}

uint64_t ps_batch_moves(int game, const ps_batch *batch, uint16_t *moves, uint64_t room, uint64_t *starts)
{
    const engine_game *g = table(game);
    return g ? g->batch_moves(batch, moves, room, starts) : 0;
}

int ps_batch_mask(int game, const ps_batch *batch, const uint16_t *actions, uint64_t width, uint8_t *mask)
{
    const engine_game *g = table(game);
    if (!g) return PS_ERROR_ARGUMENT;
    g->batch_mask(batch, actions, width, mask);
    return 0;
}

int ps_batch_views(int game, const ps_batch *batch, const int8_t *seats, void *views)
{
    const engine_game *g = table(game);
    if (!g) return PS_ERROR_ARGUMENT;
    for (uint64_t i = 0; i < batch->n; i++)
        if (seats[i] < 0 || seats[i] >= g->seats) return PS_ERROR_ARGUMENT;
    g->batch_views(batch, seats, views);
    return 0;
}

struct ps_search {
    const engine_game *game;
    void *body;
};

ps_search *ps_search_open(int game, const void *view, int method, uint64_t seed, uint64_t memory, int *error)
{
    const engine_game *g = table(game);
    ps_search *search = NULL;
    *error = PS_ERROR_ARGUMENT;
    if (!g || method < PS_ISMCTS) return NULL;
    search = malloc(sizeof *search);
    *error = PS_ERROR_MEMORY;
    if (!search) return NULL;
    search->game = g;
    search->body = g->search_open(view, method, seed, memory, error);
    if (search->body) return search;
    free(search);
    return NULL;
}

int ps_search_workers(const ps_search *search) { return search->game->search_workers(search->body); }

int ps_search_run(ps_search *search, int worker, int workers, ps_control *control)
{
    if (worker < 0 || worker >= workers) return PS_ERROR_ARGUMENT;
    return search->game->search_run(search->body, worker, workers, control);
}

void ps_search_read(const ps_search *search, ps_ranked *moves, ps_found *found)
{
    search->game->search_read(search->body, moves, found);
}

void ps_search_close(ps_search *search)
{
    search->game->search_close(search->body);
    free(search);
}

int ps_cuttle_solve(const void *state, ps_control *control, ps_solved *moves, ps_solution *solution)
{
    return current()->cuttle_solve(state, control, moves, solution);
}

int ps_cuttle_certify(const void *state, ps_control *control, ps_proof *proof, int room)
{
    return current()->cuttle_certify(state, control, proof, room);
}

int ps_buck_solve(const void *states, uint64_t n, int objective, int seats, int detail, ps_control *control,
                  ps_buck_solution *solutions)
{
    if (objective < PS_MAXN || objective > PS_COALITION || seats < 0 || seats > 15) return PS_ERROR_ARGUMENT;
    return current()->buck_solve(states, n, objective, seats, detail, control, solutions);
}
