/* The whole C interface of pysearch. Plain declarations: the binding reads this file as it stands, without its # lines.
 *
 * A state is an array of 64-bit words, PS_CUTTLE_WORDS or PS_BUCK_WORDS long; cuttle.h and buck.h draw its bits. A state with
 * its `view` field set is a view: what one seat knows. States come from ps_deal, ps_play, ps_view, ps_sample or from the
 * notation layer, which validates them whole; functions here trust the words of a state and check everything else.
 *
 * A move is a 16-bit code, kind << 12 | card << 6 | card (cuttle.h, buck.h). Legal moves are listed in ascending order.
 *
 * Every function returns a value >= 0, or one of the PS_ERROR codes below. All memory is the caller's unless said otherwise.
 * Only ps_use_isa, ps_use_equity and a ps_search keep anything between calls; all functions but the first two may be called
 * from any number of threads at once.
 */
#ifndef PYSEARCH_H
#define PYSEARCH_H

#include <stdint.h>

#define PS_CUTTLE 0
#define PS_BUCK 1

#define PS_CUTTLE_WORDS 17
#define PS_BUCK_WORDS 9
#define PS_MAX_WORDS 17
#define PS_MAX_MOVES 1400      /* a discard out of 52 cards has 1,326 */
#define PS_MAX_FACTORS 64
#define PS_MAX_LINE 16
#define PS_PLY_CAP 512         /* a playout longer than this is a draw (C26) */
#define PS_ONE 65520           /* one whole win, in the fixed point of shares; 2, 3 and 4 divide it, so ties share evenly */

#define PS_EQUITY_STATES 1048576 /* of a match of Buck Euchre: four scores up to 32 */
#define PS_EQUITY_PACKED 6291456

#define PS_ERROR_ARGUMENT (-1) /* no such game, seat or method */
#define PS_ERROR_ILLEGAL (-2)  /* the move is not legal here */
#define PS_ERROR_OVER (-3)     /* the game is over */
#define PS_ERROR_NO_WORLD (-4) /* nothing is consistent with the view */
#define PS_ERROR_MEMORY (-5)   /* out of memory */
#define PS_ERROR_SEEN (-6)     /* other cards came into sight than were named */
#define PS_ERROR_UNPROVEN (-7) /* inside the solver: a proof could not be written down */

/* Name of the instruction set in use: "generic", "x86-64-v3", "x86-64-v4". A constant string. */
const char *ps_isa(void);

/* Chooses the instruction set by name for all later calls; NULL is the best there is. Not while another call runs.
 * PS_ERROR_ARGUMENT when this build or this processor does not have it. */
int ps_use_isa(const char *name);

/* The table of match equity of Buck Euchre for all later calls: 4 * PS_EQUITY_STATES shares (buck_equity.h), read where they
 * are and not written, so they must last. NULL is a plain formula, which is what there is at first. Not while another call runs. */
int ps_use_equity(const uint16_t *table);

/* Writes such a table from the packed form of its file: PS_EQUITY_PACKED bytes. */
int ps_unpack_equity(const uint8_t *packed, uint16_t *table);

/* Shares of a match of Buck Euchre that goes on at these scores, all at least 1, `dealer` dealing next, in 1/PS_ONE. */
int ps_equity(const int16_t *scores, int dealer, uint32_t *shares);

/* The compiler that built this library. A constant string. */
const char *ps_compiler(void);

/* A shuffled deal into `state`: dealer 0...1 or 0...3; `scores` four numbers for Buck Euchre, ignored by Cuttle. */
int ps_deal(int game, uint64_t seed, int dealer, const int16_t *scores, void *state);

/* Legal moves of the seat to move into `moves` (PS_MAX_MOVES places); returns how many, 0 when over. On a view: the moves
 * of its own seat, PS_ERROR_ARGUMENT while another seat decides. */
int ps_moves(int game, const void *state, uint16_t *moves);

/* How likely a sensible player is to make each legal move, by the game's rules of thumb: weights >= 1 in the order of the moves
 * into `weights` (PS_MAX_MOVES places); returns how many. They depend on what the seat to move knows only. */
int ps_policy(int game, const void *view, uint32_t *weights);

/* The state after a move, into `next`. A complete state only; `next` is untouched on failure. */
int ps_play(int game, const void *state, uint16_t move, void *next);

/* The seat that decides now, or PS_ERROR_OVER. */
int ps_to_move(int game, const void *state);

/* Shares of the win per seat in 1/PS_ONE, adding up to PS_ONE, into `shares` (2 or 4 places). PS_ERROR_ARGUMENT unless over.
 * Where a Buck Euchre match goes on, its equity at the new scores. */
int ps_shares(int game, const void *state, uint32_t *shares);

/* The view of `seat` into `view`. */
int ps_view(int game, const void *state, int seat, void *view);

/* What the viewer sees when the seat to move (his own or another) makes `move`, into `next`. `seen` is the mask of the cards
 * that come into his sight by it and that the move does not name. PS_ERROR_ILLEGAL when no world of the view allows the move;
 * PS_ERROR_SEEN when `seen` does not fit, with the number of cards that do come into sight in *sight. A burial by another
 * seat is code kind << 12 | 63 << 6. */
int ps_view_play(int game, const void *view, uint16_t move, uint64_t seen, void *next, int *sight);

/* Number of complete states consistent with a view, as the product of the returned number of `factors` (PS_MAX_FACTORS
 * places); PS_ERROR_NO_WORLD when there is none. A complete state has one. */
int ps_count_worlds(int game, const void *view, uint64_t *factors);

/* World number `index` of `seed`: one complete state, uniform over all that are consistent with the view, into `state`. */
int ps_sample(int game, const void *view, uint64_t seed, uint64_t index, void *state);

/* Key of a complete state: equal for states that play alike (what the players know is left out). */
uint64_t ps_key(int game, const void *state);

/* The key after a move, from the key before it and both states; equals ps_key(game, after). */
uint64_t ps_rekey(int game, uint64_t key, const void *before, const void *after);

/* How a long call is stopped, and what it reports while it runs. The caller owns it and may set `stop` from any thread. */
typedef struct ps_control {
    int32_t stop;         /* set to 1: the call returns soon, with what it has */
    int32_t reserved;
    uint64_t done;        /* progress: games, iterations or sequences so far */
    double seconds;       /* time limit, 0 for none */
    uint64_t iterations;  /* limit of iterations, 0 for none */
    uint64_t nodes;       /* limit of nodes visited, 0 for none */
    uint64_t memory;      /* bytes that trees and tables may take */
    uint64_t opened;      /* blocks of work that threads share; 0 at first */
} ps_control;

/* Number of move sequences of exactly `depth` moves. Returns 0, or 1 when stopped: then *count means nothing. */
int ps_perft(int game, const void *state, int depth, ps_control *control, uint64_t *count);

typedef struct ps_totals {
    uint64_t games, plies;
    uint64_t shares[4];   /* sum over games, in 1/PS_ONE */
} ps_totals;

/* Uniform random playouts number first ... first + n - 1 of `seed`, added up; of a view, each in a world of its own.
 * Returns 0, or 1 when stopped: then totals.games says how many were played. */
int ps_rollout(int game, const void *state, uint64_t seed, uint64_t first, uint64_t n, ps_control *control, ps_totals *totals);

/* The same of each of `count` states or views of one game, one after the other in memory, into `count` totals: those of
 * ps_rollout with the same numbers. PS_ERROR_NO_WORLD for the first state whose totals have no games. */
int ps_rollout_many(int game, const void *states, uint64_t count, uint64_t seed, uint64_t first, uint64_t n,
                    ps_control *control, ps_totals *totals);

/* What k moves of a view, or of a complete state, are worth to the seat that makes them: in worlds number first ...
 * first + n - 1 of `seed` each is made and the rest played out, with the same random numbers for all: by the moves to which
 * ps_policy gives most weight where `weighed`, else by the light playouts of the search. Adds to `totals`, in a row for each
 * move, the shares of all seats and then their squares; and to products[i * k + j], for i >= j, the products of the mover's shares
 * after moves i and j (k * k places). With k = 0 the state itself is valued, in one row. Returns 0, or 1 when stopped: then
 * control->done says how many worlds were looked at; PS_ERROR_ILLEGAL when a move is not legal in the first of the worlds,
 * PS_ERROR_OVER when there can be none. */
int ps_grade(int game, const void *view, uint64_t seed, uint64_t first, uint64_t n, const uint16_t *moves, int k, int weighed,
             ps_control *control, uint64_t *totals, uint64_t *products);

/* ---- many games at once, for learners ---- */

#define PS_MAX_ACTIONS 4096

/* The codes of all moves that a game can have, ascending, into `codes` (PS_MAX_ACTIONS places); returns how many. */
int ps_actions(int game, uint16_t *codes);

/* n games of one kind that go on side by side; all arrays are the caller's. Game i is deal number i of the seed at first, and
 * deal number deals[i] + n after each end; deal number 0 is that of ps_deal. */
typedef struct ps_batch {
    uint64_t n, seed;
    int32_t dealer;
    int16_t scores[4];    /* before each deal of Buck Euchre */
    void *states;         /* n states, as aligned as 64-bit words, like all states of batches */
    uint64_t *deals;      /* the number of the deal, n places */
    int8_t *to_move;      /* n places */
    uint8_t *ended;       /* 1 where the last step ended a game and a new one was dealt, n places */
    double *returns;      /* shares of the win of that game, 0 elsewhere; a row of seats for each game */
} ps_batch;

/* Deals all games. */
int ps_batch_start(int game, const ps_batch *batch);

/* Makes a move in each game. Returns n, or the number of the first game whose move is not legal: then none was made. */
uint64_t ps_batch_step(int game, const ps_batch *batch, const uint16_t *moves);

/* The legal moves of all games, one game after the other, into `moves`; those of game i begin at starts[i] and end at
 * starts[i + 1] (n + 1 places). Returns how many, 0 when `room` is too small: n * PS_MAX_MOVES places are enough. */
uint64_t ps_batch_moves(int game, const ps_batch *batch, uint16_t *moves, uint64_t room, uint64_t *starts);

/* The same as a row of `width` bytes for each game: 1 at actions[code] of each legal move, 0 elsewhere. */
int ps_batch_mask(int game, const ps_batch *batch, const uint16_t *actions, uint64_t width, uint8_t *mask);

/* What one seat of each game knows, into n `views`. */
int ps_batch_views(int game, const ps_batch *batch, const int8_t *seats, void *views);

/* ---- search with hidden information ---- */

#define PS_ISMCTS 0      /* the best there is */
#define PS_SO_ISMCTS 1   /* single-observer ISMCTS: one tree, uniform worlds, uniform playouts */
#define PS_FLAT 2        /* the same with a tree of one move */
#define PS_PIMC 3        /* worlds searched one by one with all cards seen: solved where that is quick, else by a tree each */

/* Sets of trees that share the work: at 2,000 iterations a move four lose 1.5 % of the games against one, two lose none. */
#define PS_SETS 2

/* A move of a search. Totals are sums of the shares of the seat to move over the visits. */
typedef struct ps_ranked {
    uint16_t move;
    uint16_t length;             /* moves in `line`, which begins with `move` */
    uint16_t line[PS_MAX_LINE];
    uint32_t reserved;
    uint64_t visits, total;
    uint64_t squares;            /* sum of their squares, in 1/PS_ONE^2 */
    uint64_t set_visits[PS_SETS], set_total[PS_SETS];   /* in each set of trees */
} ps_ranked;

typedef struct ps_found {
    uint64_t iterations;
    int32_t moves, reserved;
    int32_t enumerated;          /* every world was looked at, none more than once */
    int32_t exact;               /* the values are those of perfect play from this information set */
} ps_found;

/* A search of one view; made by ps_search_open, owned by the caller, freed by ps_search_close. */
typedef struct ps_search ps_search;

/* Opens a search for the seat whose view it is and who is to move, or of a complete state, all of whose cards are then seen.
 * `memory` in bytes is a cap on the trees. NULL on failure, with the code in *error. */
ps_search *ps_search_open(int game, const void *view, int method, uint64_t seed, uint64_t memory, int *error);

/* How many threads can work on it at once, at least 1. */
int ps_search_workers(const ps_search *search);

/* Searches until a limit of control or its stop flag ends it; goes on where an earlier run ended. Each of n workers calls it
 * at the same time with its number 0...n-1, n and the same fresh control; what is found depends on neither. control->iterations
 * counts from the opening of the search, earlier runs included; control->done from the start of the run. Returns 1
 * when there is nothing more to find within the limits of iterations and nodes, 0 when the clock or the stop flag ended it, or
 * PS_ERROR_MEMORY. */
int ps_search_run(ps_search *search, int worker, int workers, ps_control *control);

/* What it has found: an entry for each legal move, in their order (PS_MAX_MOVES places at most; found->moves says how many).
 * Not while it runs. */
void ps_search_read(const ps_search *search, ps_ranked *moves, ps_found *found);

void ps_search_close(ps_search *search);

/* ---- exact solvers: all cards seen ---- */

#define PS_CUTTLE_LINE 512
#define PS_BUCK_MOVES 6        /* no stage has more */
#define PS_BUCK_LINE 32        /* the longest deal has 31 moves */
#define PS_FINE 4096           /* parts of the unit in which means over ties are counted */

#define PS_MAXN 0              /* objectives of Buck Euchre: each seat for its own share of the match, any stage */
#define PS_PARANOID 1          /* the share of the seat to move against all others, play stage */
#define PS_COOPERATIVE 2       /* the same with the help of all, play stage */
#define PS_COALITION 3         /* tricks of some seats together against the rest, play stage */

/* A move of Cuttle with its value for the seat to move. */
typedef struct ps_solved {
    uint16_t move;
    int8_t result;             /* 1 win, 0 draw, -1 loss: proven; 2 unknown */
    uint8_t shortest;          /* plies is exact: there is no shorter win, no longer loss */
    uint16_t plies;            /* within which the game is over, this move counted; 0 for draws and where unknown */
} ps_solved;

typedef struct ps_solution {
    int8_t result;             /* as above, of the position */
    uint8_t shortest;          /* there is no shorter win, no longer loss */
    uint16_t plies;            /* to the end along `line`; without moves and line, a bound */
    uint16_t depth;            /* where unknown: there is provably neither win nor loss within so many plies */
    uint16_t length;
    uint16_t line[PS_CUTTLE_LINE];
    uint64_t nodes;
} ps_solution;

/* The value of a complete Cuttle state and of every legal move, in their order (PS_MAX_MOVES places at most), and a line that
 * shows it. Returns the number of moves. At a limit of control (seconds, nodes) or when stopped it returns what is proven by
 * then. control->memory caps the table; it decides how long a proof takes, never what is proven. Frees what it allocated.
 * With moves NULL it returns as soon as the value is proven, without moves and line. */
int ps_cuttle_solve(const void *state, ps_control *control, ps_solved *moves, ps_solution *solution);

/* One move of a proof. */
typedef struct ps_proof {
    uint16_t move;
    uint16_t plies;            /* within which the game ends after it; falls from entry to entry below it */
    int32_t same;              /* the earlier entry that leads to the same position and shows what follows, else -1 */
} ps_proof;

/* The proof that a complete Cuttle state is won or lost, into `proof` (`room` places), in preorder: entry 0 is the state
 * itself; after a position in which the winner moves comes his one move, after one in which the other moves come all his
 * legal moves in listed order, each followed by what belongs to it. Returns the number of entries, 0 when nothing is proven
 * within the limits (writing it down is not limited, but may be stopped), PS_ERROR_MEMORY when `room` is too small. */
int ps_cuttle_certify(const void *state, ps_control *control, ps_proof *proof, int room);

/* What a Buck Euchre position is worth to the seats under max^n (buck_solve_maxn.h has the definition). */
typedef struct ps_buck_worth {
    int32_t value[4];          /* mean share of the match over ties, in 1/(PS_ONE * PS_FINE) */
    int32_t tricks[4];         /* mean tricks from here on, in 1/PS_FINE */
    int32_t low[4], high[4];   /* what ties can make of the share, in 1/PS_ONE */
} ps_buck_worth;

typedef struct ps_buck_solution {
    int32_t known;             /* 0: stopped, nothing below means anything */
    int32_t score;             /* coalition: its tricks from here on; else the share of the seat to move, in 1/PS_ONE */
    int32_t moves, length;     /* how many; of `line` */
    uint64_t nodes;
    uint16_t move[PS_BUCK_MOVES];
    uint16_t line[PS_BUCK_LINE];             /* to the end of the deal, the first best move in listed order each time */
    int32_t move_score[PS_BUCK_MOVES];       /* after the move: coalition, paranoid, cooperative */
    ps_buck_worth worth;                     /* max^n */
    ps_buck_worth move_worth[PS_BUCK_MOVES];
} ps_buck_solution;

/* Solves n complete Buck Euchre states, one after the other in memory, for an objective; `seats` are the bits of the coalition.
 * detail 0 gives the score (and worth) only, 1 every legal move too, 2 the line too. Returns 0, or 1 when a limit of control
 * or its stop flag ended it: then control->done says how many are known; or PS_ERROR_ARGUMENT, PS_ERROR_OVER for the state
 * number control->done. Results do not depend on what was solved before. */
int ps_buck_solve(const void *states, uint64_t n, int objective, int seats, int detail, ps_control *control,
                  ps_buck_solution *solutions);

#endif
