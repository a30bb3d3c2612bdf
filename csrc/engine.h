/* One instruction set's build of everything that runs long: a table of functions per game. searcher.c chooses among them. */
#ifndef PYSEARCH_ENGINE_H
#define PYSEARCH_ENGINE_H

#include "pysearch.h"

typedef struct engine_game {
    int words, seats;
    void (*deal)(uint64_t seed, int dealer, const int16_t *scores, void *state);
    int (*moves)(const void *state, uint16_t *moves);
    int (*policy)(const void *view, uint32_t *weights);
    int (*play)(const void *state, uint16_t move, void *next);
    int (*to_move)(const void *state);
    int (*shares)(const void *state, uint32_t *shares);
    void (*view)(const void *state, int seat, void *view);
    int (*view_play)(const void *view, uint16_t move, uint64_t seen, void *next, int *sight);
    int (*count_worlds)(const void *view, uint64_t *factors);
    int (*sample)(const void *view, uint64_t seed, uint64_t index, void *state);
    uint64_t (*key)(const void *state);
    uint64_t (*rekey)(uint64_t key, const void *before, const void *after);
    int (*perft)(const void *state, int depth, ps_control *control, uint64_t *count);
    int (*rollout)(const void *states, uint64_t count, uint64_t seed, uint64_t first, uint64_t n, ps_control *control,
                   ps_totals *totals);
    int (*grade)(const void *view, uint64_t seed, uint64_t first, uint64_t n, const uint16_t *moves, int k, int weighed,
                 ps_control *control, uint64_t *totals, uint64_t *products);
    int (*actions)(uint16_t *codes);
    void (*batch_start)(const ps_batch *batch);
    uint64_t (*batch_step)(const ps_batch *batch, const uint16_t *moves);
    uint64_t (*batch_moves)(const ps_batch *batch, uint16_t *moves, uint64_t room, uint64_t *starts);
    void (*batch_mask)(const ps_batch *batch, const uint16_t *actions, uint64_t width, uint8_t *mask);
    void (*batch_views)(const ps_batch *batch, const int8_t *seats, void *views);
    void *(*search_open)(const void *view, int method, uint64_t seed, uint64_t memory, int *error);
    int (*search_workers)(const void *search);
    int (*search_run)(void *search, int worker, int workers, ps_control *control);
    void (*search_read)(const void *search, ps_ranked *moves, ps_found *found);
    void (*search_close)(void *search);
} engine_game;

typedef struct engine {
    const char *isa;
    const engine_game *games[2];   /* PS_CUTTLE, PS_BUCK */
    int (*cuttle_solve)(const void *state, ps_control *control, ps_solved *moves, ps_solution *solution);
    int (*cuttle_certify)(const void *state, ps_control *control, ps_proof *proof, int room);
    void (*use_equity)(const uint16_t *table);
    void (*unpack_equity)(const uint8_t *packed, uint16_t *table);
    void (*equity)(const int scores[4], int dealer, uint32_t shares[4]);
    int (*buck_solve)(const void *states, uint64_t n, int objective, int seats, int detail, ps_control *control,
                      ps_buck_solution *solutions);
} engine;

extern const engine ps_engine_generic;
#ifdef PYSEARCH_HAVE_X86_64_V3
extern const engine ps_engine_x86_64_v3;
#endif
#ifdef PYSEARCH_HAVE_X86_64_V4
extern const engine ps_engine_x86_64_v4;
#endif

#endif
