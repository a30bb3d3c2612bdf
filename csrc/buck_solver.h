/* Buck Euchre with all cards seen: the solvers behind one function, for one position or many.
 *
 *   coalition     tricks of some seats together against the rest        play stage
 *   paranoid      share of the seat to move, alone against all          play stage
 *   cooperative   the same, with the help of all                        play stage
 *   max^n         each seat for its own share                           any stage: all bids, play by play
 *
 * Whether a seat can be kept from taking all five tricks is a coalition of one: it takes five, or it can be stopped. */
#ifndef PYSEARCH_BUCK_SOLVER_H
#define PYSEARCH_BUCK_SOLVER_H

#include <stdlib.h>
#include <string.h>

#include "buck_solve_coalition.h"
#include "buck_solve_maxn.h"
#include "buck_solve_sides.h"
#include "control.h"

_Static_assert(PS_FINE == 1 << BUCK_FINE, "one unit");
_Static_assert(sizeof(ps_buck_worth) == sizeof(buck_worth), "one layout");

typedef struct buck_solver {
    int objective, detail;
    uint32_t seats;                  /* of the coalition */
    ps_control *control;
    double start;
    uint64_t before;                 /* nodes of the positions solved before this one */
    int stopped;
    buck_coalition *coalition;       /* the one that the objective needs; the others NULL */
    buck_sides *sides;
    buck_maxn *maxn;
} buck_solver;

/* ---- memory, limits ---- */

static inline int buck_solver_open(buck_solver *v, int objective, uint32_t seats, int detail, ps_control *control)
{
    *v = (buck_solver){ .objective = objective, .detail = detail, .seats = seats, .control = control };
    v->start = control_clock();
    if (objective == PS_COALITION) v->coalition = calloc(1, sizeof *v->coalition);
    else if (objective == PS_MAXN) v->maxn = calloc(1, sizeof *v->maxn);
    else v->sides = calloc(1, sizeof *v->sides);
    return v->coalition || v->maxn || v->sides ? 0 : PS_ERROR_MEMORY;
}

static inline void buck_solver_close(buck_solver *v)
{
    free(v->coalition);
    free(v->maxn);
    free(v->sides);
}

static inline uint64_t buck_solver_nodes(const buck_solver *v)
{
    return v->coalition ? v->coalition->nodes : v->maxn ? v->maxn->nodes : v->sides->nodes;
}

/* Asked before each position and before each play of a bidding search; once true, always true. */
static inline int buck_solver_stopped(buck_solver *v)
{
    const ps_control *c = v->control;
    if (control_stopped(c) || (c->nodes && buck_solver_nodes(v) >= c->nodes)
        || (c->seconds > 0 && control_clock() - v->start >= c->seconds)) v->stopped = 1;
    return v->stopped;
}

/* ---- the moves of the play stage ---- */

typedef struct buck_choices {
    int n;
    uint16_t move[5];
    uint32_t card[5];                /* in the order by trump; of touching cards, the lowest stands for all */
    uint8_t like[5];                 /* the first move with the same card */
} buck_choices;

static inline void buck_choices_open(buck_choices *c, const buck *s, const buck_open *o, const buck_current *at)
{
    const uint32_t hand = o->hand[at->seat], live = buck_live_cards(o) | at->best;
    const uint32_t merged = buck_merged(at->best ? buck_following(hand, at->lane) : hand, live);
    c->n = buck_moves(s, c->move);
    for (int i = 0; i < c->n; i++) {
        const uint32_t card = buck_pack(BIT(buck_move_card(c->move[i])), buck_trump(s));
        c->card[i] = 1u << highest(merged & (2 * card - 1));
        c->like[i] = 0;
        while (c->card[c->like[i]] != c->card[i]) c->like[i]++;
    }
}

/* ---- coalition ---- */

static inline int buck_taken_by(const buck *s, uint32_t seats)
{
    int n = 0;
    for (int seat = 0; seat < 4; seat++)
        if (seats >> seat & 1) n += buck_tricks(s, seat);
    return n;
}

static inline void buck_coalition_open(buck_coalition *t, buck_current *at, const buck *s, uint32_t seats)
{
    buck_open_state(&t->open, at, s);
    t->coalition = seats & t->open.active;
}

/* The first move, in listed order, after which the coalition still takes `value`. */
static inline unsigned buck_coalition_move(buck_coalition *t, const buck *s, uint32_t seats, int value)
{
    buck_current at;
    buck_choices c;
    buck_coalition_open(t, &at, s, seats);
    buck_choices_open(&c, s, &t->open, &at);
    const int side = (int)(t->coalition >> at.seat & 1);
    int i = 0;
    while (i < c.n - 1 && (c.like[i] < i || buck_coalition_after(t, &at, c.card[i], side ? value : value + 1) != side)) i++;
    return c.move[i];
}

static inline void buck_solve_coalition(buck_solver *v, const buck *s, ps_buck_solution *out)
{
    buck_coalition *const t = v->coalition;
    buck_current at;
    buck_choices c;
    buck_coalition_open(t, &at, s, v->seats);
    const int mates = popcount(t->coalition), players = t->open.players;
    int value = (at.left * mates + players / 2) / players;                                  /* a first guess: their part */
    if (!v->detail) {
        out->score = buck_coalition_value(t, &at, 0, value);
        return;
    }
    buck_choices_open(&c, s, &t->open, &at);
    for (int i = 0; i < c.n; i++) {
        const int better = t->coalition >> at.seat & 1;
        out->move[i] = c.move[i];
        value = c.like[i] < i ? out->move_score[c.like[i]] : buck_coalition_value(t, &at, c.card[i], value);
        out->move_score[i] = value;
        if (!i || (better ? value > out->score : value < out->score)) out->score = value;
    }
    out->moves = c.n;
    if (v->detail < 2) return;
    buck here = *s;
    for (value = out->score; buck_stage(&here) != BUCK_OVER;) {
        const int before = buck_taken_by(&here, v->seats & t->open.active);
        const unsigned move = out->line[out->length++] = (uint16_t)buck_coalition_move(t, &here, v->seats, value);
        buck_play(&here, move);
        value -= buck_taken_by(&here, v->seats & t->open.active) - before;
    }
}

/* ---- share of the seat to move, with all against it or for it ---- */

static inline void buck_solve_sides(buck_solver *v, const buck *s, ps_buck_solution *out)
{
    buck_sides *const b = v->sides;
    buck_current at;
    buck_choices c;
    buck here = *s;
    const int seat = buck_turn(s);
    buck_sides_open(b, &at, s, seat, v->objective == PS_COOPERATIVE ? 15 : 1u << seat);
    buck_choices_open(&c, s, &b->open, &at);
    out->score = -1;
    for (int i = 0; i < c.n; i++) {
        const int32_t value = c.like[i] < i ? out->move_score[c.like[i]] : buck_sides_card(b, &at, c.card[i], buck_taken(s));
        out->move[i] = c.move[i];
        out->move_score[i] = value;
        if (value > out->score) out->score = value;
    }
    out->moves = v->detail ? c.n : 0;
    while (v->detail == 2 && buck_stage(&here) != BUCK_OVER) {
        int i = 0;
        buck_open_state(&b->open, &at, &here);
        buck_choices_open(&c, &here, &b->open, &at);
        while (i < c.n - 1 && (c.like[i] < i || buck_sides_card(b, &at, c.card[i], buck_taken(&here)) != out->score)) i++;
        out->line[out->length++] = c.move[i];
        buck_play(&here, c.move[i]);
    }
}

/* ---- max^n ---- */

/* A position of the play that is open: its worth after each move, and the sums over the best. Returns the first best move. */
static inline int buck_maxn_choices(buck_maxn *m, const buck *s, buck_choices *c, buck_worth worth[5], buck_ties *ties)
{
    buck_current at;
    int best = 0;
    buck_open_state(&m->open, &at, s);
    buck_choices_open(c, s, &m->open, &at);
    *ties = (buck_ties){ .count = 0 };
    for (int i = 0; i < c->n; i++) {
        worth[i] = c->like[i] < i ? worth[c->like[i]] : buck_maxn_card(m, &at, c->card[i], buck_taken(s));
        if (buck_ties_add(ties, &worth[i], at.seat)) best = i;
    }
    return best;
}

typedef struct buck_line {
    uint16_t move[PS_BUCK_LINE];
    int n;
} buck_line;

/* A move and what follows it. */
static inline void buck_line_set(buck_line *line, uint16_t move, const buck_line *rest)
{
    line->n = rest->n + 1;
    line->move[0] = move;
    memcpy(line->move + 1, rest->move, (size_t)rest->n * sizeof *rest->move);
}

/* Goes on with the first best moves to the end of the play, of which `s` is the beginning or the middle. */
static inline void buck_maxn_line(buck_maxn *m, buck s, buck_line *line)
{
    buck_choices c;
    buck_worth worth[5];
    buck_ties ties;
    buck_maxn_open(m, &s);
    while (buck_stage(&s) != BUCK_OVER) {
        const unsigned move = line->move[line->n++] = c.move[buck_maxn_choices(m, &s, &c, worth, &ties)];
        buck_play(&s, move);
    }
}

/* Any stage: what it is worth, and the first best bids. It means nothing once the solver is stopped. */
static buck_worth buck_maxn_deal(buck_solver *v, const buck *s, buck_line *bids)
{
    uint16_t moves[PS_BUCK_MOVES];
    buck_ties ties = { .count = 0 };
    buck_worth mean = ties.sum;
    bids->n = 0;
    if (buck_stage(s) == BUCK_OVER) return buck_worth_of_end(s);                            /* B9 */
    if (buck_stage(s) == BUCK_PLAY) {
        if (buck_solver_stopped(v)) return mean;
        buck_maxn_open(v->maxn, s);
        return buck_maxn_here(v->maxn, s);
    }
    for (int i = 0, n = buck_moves(s, moves); i < n && !v->stopped; i++) {
        buck next = *s;
        buck_line rest;
        buck_play(&next, moves[i]);
        const buck_worth w = buck_maxn_deal(v, &next, &rest);
        if (buck_ties_add(&ties, &w, (uint32_t)buck_turn(s))) buck_line_set(bids, moves[i], &rest);
    }
    buck_ties_mean(&ties, &mean);
    return mean;
}

/* Tricks from `s` on. */
static inline ps_buck_worth buck_worth_from(const buck *s, buck_worth w)
{
    ps_buck_worth out;
    for (int seat = 0; seat < 4; seat++) w.tricks[seat] -= buck_tricks(s, seat) << BUCK_FINE;
    memcpy(&out, &w, sizeof out);
    return out;
}

static inline void buck_solve_maxn_play(buck_solver *v, const buck *s, ps_buck_solution *out, buck_line *line)
{
    buck_choices c;
    buck_worth worth[5], mean;
    buck_ties ties;
    buck_maxn_open(v->maxn, s);
    buck_maxn_choices(v->maxn, s, &c, worth, &ties);
    buck_ties_mean(&ties, &mean);
    out->worth = buck_worth_from(s, mean);
    out->moves = c.n;
    for (int i = 0; i < c.n; i++) {
        out->move[i] = c.move[i];
        out->move_worth[i] = buck_worth_from(s, worth[i]);
    }
    line->n = 0;
}

static inline void buck_solve_maxn_bids(buck_solver *v, const buck *s, ps_buck_solution *out, buck_line *line)
{
    buck_ties ties = { .count = 0 };
    buck_worth mean;
    out->moves = buck_moves(s, out->move);
    for (int i = 0; i < out->moves && !v->stopped; i++) {
        buck next = *s;
        buck_line rest;
        buck_play(&next, out->move[i]);
        const buck_worth w = buck_maxn_deal(v, &next, &rest);
        out->move_worth[i] = buck_worth_from(s, w);
        if (buck_ties_add(&ties, &w, (uint32_t)buck_turn(s))) buck_line_set(line, out->move[i], &rest);
    }
    buck_ties_mean(&ties, &mean);
    out->worth = buck_worth_from(s, mean);
}

static inline void buck_solve_maxn(buck_solver *v, const buck *s, ps_buck_solution *out)
{
    buck_line line;
    v->maxn->solved++;
    if (buck_stage(s) == BUCK_PLAY) buck_solve_maxn_play(v, s, out, &line);
    else buck_solve_maxn_bids(v, s, out, &line);
    out->score = buck_whole(out->worth.value[buck_turn(s)]);
    if (!v->detail) out->moves = 0;
    if (v->detail < 2 || v->stopped) return;
    buck here = *s;
    for (int i = 0; i < line.n; i++) buck_play(&here, line.move[i]);
    buck_maxn_line(v->maxn, here, &line);
    out->length = line.n;
    memcpy(out->line, line.move, (size_t)line.n * sizeof *line.move);
}

/* ---- one position, many positions ---- */

/* Whether a position can be solved for an objective: 0 or an error. */
static inline int buck_solvable(const buck *s, int objective)
{
    if (buck_viewer(s) >= 0) return PS_ERROR_ARGUMENT;
    if (buck_stage(s) == BUCK_OVER) return PS_ERROR_OVER;
    return objective == PS_MAXN || buck_stage(s) == BUCK_PLAY ? 0 : PS_ERROR_ARGUMENT;
}

static inline void buck_solve_one(buck_solver *v, const buck *s, ps_buck_solution *out)
{
    *out = (ps_buck_solution){ .known = 0 };
    if (v->coalition) buck_solve_coalition(v, s, out);
    else if (v->maxn) buck_solve_maxn(v, s, out);
    else buck_solve_sides(v, s, out);
    out->nodes = buck_solver_nodes(v) - v->before;
    out->known = !v->stopped;
    v->before += out->nodes;
}

static int buck_solve(const void *states, uint64_t n, int objective, int seats, int detail, ps_control *control,
                      ps_buck_solution *out)
{
    buck_solver v;
    int bad = buck_solver_open(&v, objective, (uint32_t)seats, detail, control);
    uint64_t i = 0;
    control_report(control, 0);
    for (; i < n && !bad; i++) {
        buck s;
        memcpy(&s, (const char *)states + i * sizeof s, sizeof s);
        out[i] = (ps_buck_solution){ .known = 0 };
        bad = buck_solvable(&s, objective);
        if (bad || buck_solver_stopped(&v)) break;
        buck_solve_one(&v, &s, &out[i]);
        if (v.stopped) break;
        control_report(control, i + 1);
    }
    buck_solver_close(&v);
    return bad ? bad : v.stopped;
}

#endif
