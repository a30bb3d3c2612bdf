/* Fixed work on every kernel, for counting instructions: bench/count_instructions.py builds and runs it, once for each
 * instruction set (COUNTED_ISA), under callgrind, which counts within `measured` only. Prints what work was done.
 *
 * Positions are those of fixed seeds; the moves that lead to them, and those of batches, are drawn by rng.h.
 * Argument: the file of the table of match equity. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buck_playout.h"
#include "cuttle_playout.h"
#include "pysearch.h"

#define MANY 8                 /* positions of a kind */
#define GAMES 256              /* in a batch */
#define SEED 1

typedef struct {
    int game, words, seats, dealer;
    uint64_t deals[MANY][PS_MAX_WORDS];      /* Cuttle: the deal; Buck Euchre: the opening lead of four players */
    uint64_t later[MANY][PS_MAX_WORDS];      /* eight plies on */
    uint64_t views[2][MANY][PS_MAX_WORDS];   /* of these, the seat to move */
} positions;

static positions cuttle_set = { .game = PS_CUTTLE, .words = PS_CUTTLE_WORDS, .seats = 2, .dealer = 1 };
static positions buck_set = { .game = PS_BUCK, .words = PS_BUCK_WORDS, .seats = 4, .dealer = 3 };
static const int16_t scores[4] = { 25, 25, 25, 25 };

static void die(const char *what)
{
    fprintf(stderr, "workloads: %s\n", what);
    exit(1);
}

/* ---- setting up ---- */

static void play_at_random(int game, uint64_t *state, int plies, rng *r)
{
    uint16_t moves[PS_MAX_MOVES];
    while (plies--) {
        const int n = ps_moves(game, state, moves);
        if (n <= 0 || ps_play(game, state, moves[rng_below(r, (uint32_t)n)], state)) die("a game ended too soon");
    }
}

static void set_up(positions *p)
{
    uint64_t seed = 0;
    for (int i = 0; i < MANY; i++) {
        rng r = rng_stream(SEED, RNG_SEARCH, (uint64_t)i);
        do {
            if (ps_deal(p->game, seed++, p->dealer, scores, p->deals[i])) die("no deal");
        } while (p->game == PS_BUCK && buck_stage((const buck *)(const void *)p->deals[i]) != BUCK_PLAY);
        memcpy(p->later[i], p->deals[i], sizeof p->later[i]);
        play_at_random(p->game, p->later[i], 8, &r);
        ps_view(p->game, p->deals[i], ps_to_move(p->game, p->deals[i]), p->views[0][i]);
        ps_view(p->game, p->later[i], ps_to_move(p->game, p->later[i]), p->views[1][i]);
    }
}

static void read_equity(const char *path)
{
    static uint16_t table[4 * PS_EQUITY_STATES];
    uint8_t *packed = malloc(PS_EQUITY_PACKED);
    FILE *file = fopen(path, "rb");
    if (!packed || !file || fread(packed, 1, PS_EQUITY_PACKED, file) != PS_EQUITY_PACKED) die("no table of match equity");
    fclose(file);
    ps_unpack_equity(packed, table);
    ps_use_equity(table);
    free(packed);
}

/* ---- the work: returns how many units were done ---- */

static uint64_t playouts_one_by_one(positions *p)
{
    const rng_seed seed = rng_open(SEED, RNG_PLAYOUT, 0);
    uint64_t plies = 0;
    for (uint64_t i = 0; i < (p->game == PS_CUTTLE ? 6000 : 30000); i++) {
        rng r = rng_game(seed, i);
        if (p->game == PS_CUTTLE) {
            cuttle s;
            memcpy(&s, p->deals[i % MANY], sizeof s);
            plies += (uint64_t)cuttle_playout(&s, &r, PS_PLY_CAP);
        } else {
            buck s;
            memcpy(&s, p->deals[i % MANY], sizeof s);
            plies += (uint64_t)buck_playout(&s, &r, PS_PLY_CAP);
        }
    }
    return plies;
}

static uint64_t roll_out(positions *p, uint64_t (*states)[PS_MAX_WORDS], uint64_t n)
{
    ps_totals totals;
    uint64_t plies = 0;
    for (int i = 0; i < MANY; i++) {
        ps_control control = { 0 };
        if (ps_rollout(p->game, states[i], SEED, 0, n, &control, &totals)) die("playouts");
        plies += totals.plies;
    }
    return plies;
}

static uint64_t playouts_side_by_side(positions *p) { return roll_out(p, p->deals, p->game == PS_CUTTLE ? 1000 : 15000); }

static uint64_t playouts_of_worlds(positions *p) { return roll_out(p, p->views[0], p->game == PS_CUTTLE ? 1000 : 10000); }

static uint64_t worlds(positions *p)
{
    uint64_t state[PS_MAX_WORDS];
    for (uint64_t i = 0; i < 20000; i++)
        if (ps_sample(p->game, p->views[1][i % MANY], SEED, i, state)) die("no world");
    return 20000;
}

static uint64_t sequences(positions *p)
{
    uint64_t all = 0;
    for (int i = 0; i < MANY; i++) {
        ps_control control = { 0 };
        uint64_t count;
        if (ps_perft(p->game, p->later[i], p->game == PS_CUTTLE ? 5 : 10, &control, &count)) die("perft");
        all += count;
    }
    return all;
}

static uint64_t search(positions *p, int method, uint64_t iterations)
{
    static ps_ranked moves[PS_MAX_MOVES];
    uint64_t made = 0;
    for (int i = 0; i < 2; i++) {
        ps_control control = { .iterations = iterations };
        ps_found found;
        int error;
        ps_search *s = ps_search_open(p->game, p->views[p->game == PS_CUTTLE][i], method, SEED, 64 << 20, &error);
        if (!s || ps_search_run(s, 0, 1, &control) != 1) die("search");
        ps_search_read(s, moves, &found);
        ps_search_close(s);
        made += found.iterations;
    }
    return made;
}

static uint64_t plain_search(positions *p) { return search(p, PS_SO_ISMCTS, 4000); }

static uint64_t default_search(positions *p) { return search(p, PS_ISMCTS, 4000); }

static uint64_t grades(positions *p)
{
    uint64_t played = 0;
    for (int i = 0; i < 4; i++) {
        static uint16_t moves[PS_MAX_MOVES];
        uint64_t totals[2 * 2 * 4] = { 0 }, products[4] = { 0 };
        ps_control control = { 0 };
        if (ps_moves(p->game, p->views[1][i], moves) < 2) continue;
        if (ps_grade(p->game, p->views[1][i], SEED, 0, 200, moves, 2, 1, &control, totals, products)) die("grades");
        played += 2 * 200;
    }
    return played;
}

static uint64_t moves_one_by_one(positions *p)
{
    uint16_t moves[PS_MAX_MOVES];
    uint64_t made = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        rng r = rng_stream(SEED, RNG_PLAYOUT, i);
        uint64_t state[PS_MAX_WORDS];
        memcpy(state, p->deals[i % MANY], sizeof state);
        for (int n; (n = ps_moves(p->game, state, moves)) > 0; made++)
            if (ps_play(p->game, state, moves[rng_below(&r, (uint32_t)n)], state)) die("play");
    }
    return made;
}

static uint64_t batch(positions *p)
{
    static uint64_t states[GAMES][PS_MAX_WORDS], deals[GAMES], starts[GAMES + 1];
    static int8_t to_move[GAMES];
    static uint8_t ended[GAMES];
    static double returns[4 * GAMES];
    static uint16_t moves[GAMES * PS_MAX_MOVES], chosen[GAMES];
    const ps_batch b = { .n = GAMES, .seed = SEED, .dealer = p->dealer, .scores = { 25, 25, 25, 25 }, .states = states,
                         .deals = deals, .to_move = to_move, .ended = ended, .returns = returns };
    rng r = rng_stream(SEED, RNG_PLAYOUT, 0);
    if (ps_batch_start(p->game, &b)) die("batch");
    for (int step = 0; step < 300; step++) {
        if (!ps_batch_moves(p->game, &b, moves, GAMES * PS_MAX_MOVES, starts)) die("moves of a batch");
        for (int i = 0; i < GAMES; i++) chosen[i] = moves[starts[i] + rng_below(&r, (uint32_t)(starts[i + 1] - starts[i]))];
        if (ps_batch_step(p->game, &b, chosen) != GAMES) die("step of a batch");
    }
    return 300 * GAMES;
}

static uint64_t cuttle_solving(positions *p)
{
    static ps_solved moves[PS_MAX_MOVES];
    uint64_t nodes = 0;
    for (int i = 0; i < MANY; i++) {
        ps_control control = { .nodes = 20000, .memory = 64 << 20 };
        ps_solution solution;
        if (ps_cuttle_solve(p->later[i], &control, moves, &solution) < 0) die("Cuttle unsolved");
        nodes += solution.nodes;
    }
    return nodes;
}

static uint64_t buck_solving(uint64_t (*states)[PS_MAX_WORDS], int times, int objective, int detail)
{
    static uint64_t packed[MANY][PS_BUCK_WORDS];
    static ps_buck_solution solutions[MANY];
    for (int i = 0; i < MANY; i++) memcpy(packed[i], states[i], sizeof packed[i]);
    for (int i = 0; i < times; i++) {
        ps_control control = { .memory = 64 << 20 };
        if (ps_buck_solve(packed, MANY, objective, 5, detail, &control, solutions)) die("Buck Euchre unsolved");
    }
    return (uint64_t)times * MANY;
}

static uint64_t coalitions(positions *p) { return buck_solving(p->deals, 50, PS_COALITION, 1); }

static uint64_t maxn(positions *p) { return buck_solving(p->later, 50, PS_MAXN, 1); }

static const struct {
    const char *name, *unit;
    uint64_t (*work)(positions *p);
    positions *on;
} workloads[] = {
    { "Cuttle: playouts one by one", "ply", playouts_one_by_one, &cuttle_set },
    { "Cuttle: playouts side by side", "ply", playouts_side_by_side, &cuttle_set },
    { "Cuttle: playouts of worlds", "ply", playouts_of_worlds, &cuttle_set },
    { "Cuttle: worlds", "world", worlds, &cuttle_set },
    { "Cuttle: perft", "sequence", sequences, &cuttle_set },
    { "Cuttle: moves one by one", "ply", moves_one_by_one, &cuttle_set },
    { "Cuttle: batch", "ply", batch, &cuttle_set },
    { "Cuttle: so-ismcts", "iteration", plain_search, &cuttle_set },
    { "Cuttle: ismcts", "iteration", default_search, &cuttle_set },
    { "Cuttle: grades", "playout", grades, &cuttle_set },
    { "Cuttle: solver", "node", cuttle_solving, &cuttle_set },
    { "Buck Euchre: playouts one by one", "ply", playouts_one_by_one, &buck_set },
    { "Buck Euchre: playouts side by side", "ply", playouts_side_by_side, &buck_set },
    { "Buck Euchre: playouts of worlds", "ply", playouts_of_worlds, &buck_set },
    { "Buck Euchre: worlds", "world", worlds, &buck_set },
    { "Buck Euchre: perft", "sequence", sequences, &buck_set },
    { "Buck Euchre: moves one by one", "ply", moves_one_by_one, &buck_set },
    { "Buck Euchre: batch", "ply", batch, &buck_set },
    { "Buck Euchre: so-ismcts", "iteration", plain_search, &buck_set },
    { "Buck Euchre: ismcts", "iteration", default_search, &buck_set },
    { "Buck Euchre: grades", "playout", grades, &buck_set },
    { "Buck Euchre: coalition solver", "position", coalitions, &buck_set },
    { "Buck Euchre: max^n solver", "position", maxn, &buck_set },
};

#define WORKLOADS ((int)(sizeof workloads / sizeof *workloads))

uint64_t measured(int number);

__attribute__((noinline)) uint64_t measured(int number) { return workloads[number].work(workloads[number].on); }

int main(int argc, char **argv)
{
    uint64_t units[WORKLOADS];
    if (argc != 2) die("usage: workloads MATCH_EQUITY");
    if (ps_use_isa(COUNTED_ISA)) die("this processor has no " COUNTED_ISA);
    read_equity(argv[1]);
    set_up(&cuttle_set);
    set_up(&buck_set);
    for (int i = 0; i < WORKLOADS; i++) units[i] = measured(i);
    printf("%s\n", ps_compiler());
    for (int i = 0; i < WORKLOADS; i++)
        printf("%s\t%s\t%llu\n", workloads[i].name, workloads[i].unit, (unsigned long long)units[i]);
    return 0;
}
