/* Cuttle solver: the exact value of a complete state and of every legal move, and the line that shows it.
 *
 * Wins and losses are proven: c->side forces a win within so many plies, or by df-pn in whatever many. A draw is proven when
 * neither side can ever force a win; endless play is one (C26). Everything else is unknown, with the depth to which there is
 * provably neither win nor loss. */
#ifndef PYSEARCH_CUTTLE_SOLVE_H
#define PYSEARCH_CUTTLE_SOLVE_H

#include "cuttle_solve_case.h"

enum {
    CS_GRACE = 1 << 20,       /* nodes beyond the limit for the moves and the line of what is proven: a tenth of a second */
    CS_OTHERS = 1 << 22       /* least number of nodes for the values of the other moves, once the position's is known */
};

static int cs_open(cs_search *c, const cuttle *g, ps_control *control)
{
    const uint64_t memory = control->memory ? control->memory : 256u << 20;
    memset(c, 0, sizeof *c);
    cs_deck_open(&c->deck, g);
    c->control = control;
    c->last = control->nodes;
    c->end = control->seconds > 0 ? control_clock() + control->seconds : 0;
    for (c->limit = 1 << 8; 2 * c->limit * CS_WAYS * sizeof *c->lines <= memory;) c->limit *= 2;
    c->mask = (c->limit < CS_FIRST_LINES ? c->limit : CS_FIRST_LINES) - 1;
    c->lines = calloc((c->mask + 1) * CS_WAYS, sizeof *c->lines);
    c->moves = malloc(CS_MOVES * sizeof *c->moves);
    c->scores = malloc(CS_MOVES * sizeof *c->scores);
    c->children = malloc(CS_CHILDREN * sizeof *c->children);
    return c->lines && c->moves && c->scores && c->children ? 0 : PS_ERROR_MEMORY;
}

static void cs_close(cs_search *c)
{
    free(c->lines);
    free(c->moves);
    free(c->scores);
    free(c->children);
}

/* ---- the moves of the root ---- */

typedef struct cs_root {
    cs_case position;
    cs_case *child;                 /* after each distinct move */
    int children, moves;
    uint16_t move[PS_MAX_MOVES];    /* legal moves */
    uint16_t like[PS_MAX_MOVES];    /* the child that each leads to */
} cs_root;

static int cs_root_open(const cs_search *c, cs_root *r, const cuttle *g)
{
    memset(r, 0, sizeof *r);
    cs_case_open(c, &r->position, g);
    r->moves = cuttle_moves(g, r->move);
    r->child = malloc((size_t)(r->moves ? r->moves : 1) * sizeof *r->child);
    if (!r->child) return PS_ERROR_MEMORY;
    for (int i = 0; i < r->moves; i++) {
        cuttle next = *g;
        cuttle_play(&next, r->move[i]);
        cs_case *k = r->child + r->children;
        cs_case_open(c, k, &next);
        int j = 0;
        while (r->child[j].key != k->key || memcmp(&r->child[j].state, &k->state, sizeof k->state)) j++;
        r->like[i] = (uint16_t)j;
        r->children += j == r->children;
    }
    return 0;
}

/* What the position says of its children: the mover's wins are not shorter through them, and when he is lost, all are. */
static void cs_hand_down(cs_root *r)
{
    const cs_case *k = &r->position;
    const int p = cs_to_move(&k->state);
    for (int i = 0; i < r->children; i++) {
        cs_case *child = r->child + i;
        if (child->none[p] < k->none[p] - 1) child->none[p] = k->none[p] - 1;
        if (k->never[p]) child->never[p] = 1;
        if (k->win[!p] < CS_UNKNOWN) cs_note_win(child, !p, k->win[!p] - 1);
    }
}

/* What the children say of the position. */
static void cs_hand_up(cs_root *r)
{
    cs_case *k = &r->position;
    const int p = cs_to_move(&k->state);
    int best = CS_UNKNOWN, longest = 0, none = CS_UNKNOWN, saved = 0, hopeless = 1;
    for (int i = 0; i < r->children; i++) {
        const cs_case *child = r->child + i;
        if (child->win[p] < best) best = child->win[p];
        if (child->none[p] < none) none = child->none[p];
        if (child->win[!p] > longest) longest = child->win[!p];
        if (child->none[!p] + 1 > k->none[!p]) k->none[!p] = child->none[!p] + 1;
        saved |= child->never[!p];
        hopeless &= child->never[p];
    }
    if (best < CS_UNKNOWN) cs_note_win(k, p, best + 1);
    if (longest < CS_UNKNOWN) cs_note_win(k, !p, longest + 1);
    if (none + 1 > k->none[p]) k->none[p] = none + 1;
    if (saved) k->never[!p] = 1;
    if (hopeless) k->never[p] = 1;
}

/* Value of the position first, then of its moves, in rounds that leave no move behind. */
static void cs_solve_root(cs_search *c, cs_root *r, int every)
{
    cs_case *k = &r->position;
    const double end = c->end;
    const uint64_t limit = c->last;
    if (every) {   /* the rest is for the moves */
        if (c->end > 0) c->end -= c->control->seconds / 16;
        c->last -= limit / 16;
    }
    cs_settle(c, k, UINT64_MAX / 2);
    if (!every) return;
    cs_measure(c, k, c->nodes);
    c->last = limit;
    c->end = end;
    c->check = 0;
    c->stop = CS_RUNNING;

    const uint64_t last = c->nodes + (c->nodes > CS_OTHERS ? c->nodes : CS_OTHERS);
    for (uint64_t share = 1 << 9; c->stop < CS_LIMIT && c->nodes < last; share *= 4) {
        int open = 0;
        cs_hand_down(r);
        for (int i = 0; i < r->children && c->nodes < last; i++) {
            if (cs_exact(r->child + i)) continue;
            open = 1;
            cs_recall(c, r->child + i);
            cs_settle(c, r->child + i, share);
            cs_measure(c, r->child + i, share);
        }
        cs_hand_up(r);
        if (!open) break;
    }
    cs_hand_down(r);
}

/* ---- the line ---- */

/* c->side, who can force a win, takes the quickest way that is known, the other player the longest. With `exact`, the win is
 * known to take just `plies`, and each step keeps that true; else what the table knows of the children decides. */
typedef struct cs_step { int move, plies; } cs_step;

/* Plies within which c->side is known to win from a state. */
static int cs_known(cs_search *c, const cuttle *g, cs_case *k)
{
    cs_case_open(c, k, g);
    return k->win[c->side];
}

static cs_step cs_best_step(cs_search *c, const cuttle *g, int plies, int exact)
{
    uint16_t moves[PS_MAX_MOVES];
    const int side = c->side, n = cuttle_moves(g, moves), wanted = cuttle_to_move(g) == side;
    cs_step best = { -1, wanted ? CS_UNKNOWN : -2 };
    for (int i = 0; i < n; i++) {
        cuttle next = *g;
        cs_case k;
        cuttle_play(&next, moves[i]);
        int known = cs_known(c, &next, &k);
        if (exact) {   /* wanted: won within plies - 1; else: not won within plies - 2 */
            const int depth = plies - (wanted ? 1 : 2);
            int win = known <= depth;
            if (!win && k.none[side] < depth) {
                win = cs_forces(c, &k.state, k.key, depth);
                if (c->stop) { best.move = -1; return best; }
            }
            if (win == wanted) {
                best.move = i;
                best.plies = plies - 1;
                break;
            }
            continue;
        }
        if (!wanted && known == CS_UNKNOWN) known = -1;   /* a move left out as no better than others */
        if (wanted ? known < best.plies : known > best.plies) {
            best.move = i;
            best.plies = known;
        }
    }
    if (best.move >= 0) best.move = moves[best.move];
    return best;
}

/* The next step where no child is known to be won: found again, by depth where a depth is known, else by a new proof. */
static cs_step cs_find_step(cs_search *c, const cuttle *g)
{
    const int side = c->side;
    cs_case k;
    cs_step step = { -1, 0 };
    cs_case_open(c, &k, g);
    const uint64_t data = cs_find(c, k.key);
    if (data && cs_win_within(data, side) != CS_NEVER) step = cs_best_step(c, g, cs_win_within(data, side), 1);
    if (step.move < 0 && !c->stop) {
        k.win[side] = CS_UNKNOWN;
        k.never[!side] = 0;
        cs_try(c, &k, side);
        step = cs_best_step(c, g, 0, 0);
    }
    return step;
}

/* The first step: the root has solved its children, so the quickest win or the longest defence of them is known. */
static cs_step cs_first_step(const cs_search *c, const cs_root *r)
{
    const int side = c->side, wanted = cs_to_move(&r->position.state) == side;
    cs_step best = { -1, 0 };
    for (int i = 0; i < r->moves; i++) {
        const int plies = r->child[r->like[i]].win[side];
        if (plies == CS_UNKNOWN || (best.move >= 0 && (wanted ? plies >= best.plies : plies <= best.plies))) continue;
        best.move = r->move[i];
        best.plies = plies;
    }
    return best;
}

static int cs_winning_line(cs_search *c, const cs_root *r, const cuttle *root, int exact, uint16_t *line, int room)
{
    cuttle g = *root;
    int length = 0, plies = r->position.win[c->side];
    while (length < room && cuttle_stage(&g) != CUTTLE_OVER) {
        cs_step step = length ? cs_best_step(c, &g, plies, exact) : cs_first_step(c, r);
        if (!length && (step.move < 0 || (exact && step.plies != plies - 1))) step = cs_best_step(c, &g, plies, exact);
        if (step.move < 0) {
            exact = 0;
            step = cs_find_step(c, &g);
        }
        if (step.move < 0) break;
        line[length++] = (uint16_t)step.move;
        cuttle_play(&g, (unsigned)step.move);
        plies = step.plies;
    }
    return length;
}

/* Play that gives neither side a win, to the third pass or until it comes back to where it was. */
static int cs_drawing_line(cs_search *c, const cuttle *root, uint16_t *line, int room)
{
    cuttle g = *root, seen[64];
    int length = 0;
    while (length < room && cuttle_stage(&g) != CUTTLE_OVER) {
        uint16_t moves[PS_MAX_MOVES];
        const int n = cuttle_moves(&g, moves), mover = cuttle_to_move(&g);
        int found = -1;
        for (int i = 0; i < length && i < 64; i++)
            if (!memcmp(&seen[i].hand, &g.hand, sizeof g.hand) && seen[i].scrap == g.scrap && seen[i].status == g.status) return length;
        seen[length & 63] = g;
        for (int i = 0; i < n && found < 0 && !c->stop; i++) {
            cuttle next = g;
            cs_case k;
            cuttle_play(&next, moves[i]);
            cs_case_open(c, &k, &next);
            cs_try(c, &k, !mover);
            if (k.never[!mover] && cs_winner(&k) < 0) found = moves[i];
        }
        if (found < 0) break;
        line[length++] = (uint16_t)found;
        cuttle_play(&g, (unsigned)found);
    }
    return length;
}

/* ---- the answer ---- */

static void cs_fill_moves(const cs_root *r, ps_solved *out)
{
    const int p = cs_to_move(&r->position.state);
    for (int i = 0; i < r->moves; i++) {
        const cs_case *k = r->child + r->like[i];
        const int w = cs_winner(k);
        out[i].move = r->move[i];
        out[i].result = (int8_t)(w >= 0 ? (w == p ? 1 : -1) : cs_is_draw(k) ? 0 : 2);
        out[i].plies = (uint16_t)(w >= 0 ? k->win[w] + 1 : 0);
        out[i].shortest = (uint8_t)cs_exact(k);
    }
}

/* The line, its first move and the position agree: plies that are not known to be the fewest are those of the line where that
 * reaches the end, and its first move has the value of the position even if there was no time to find that out. */
static void cs_agree(const cuttle *root, int n, ps_solved *moves, ps_solution *solution)
{
    cuttle g = *root;
    const int bound = solution->plies;
    for (int i = 0; i < solution->length; i++) cuttle_play(&g, solution->line[i]);
    const int ended = cuttle_stage(&g) == CUTTLE_OVER && solution->result;
    if (ended && !solution->shortest) solution->plies = solution->length;
    for (int i = 0; i < n && solution->length; i++) {
        if (moves[i].move != solution->line[0]) continue;
        moves[i].result = solution->result;
        if (!moves[i].plies) moves[i].plies = (uint16_t)bound;
        moves[i].shortest |= solution->shortest;
    }
}

/* Every legal move of a complete state with its value for the seat to move, in their order (PS_MAX_MOVES places at most),
 * and the value and best line of the whole. With `moves` NULL the value alone, as soon as it is proven: no line, and the
 * distance is seldom the shortest. Returns the number of moves. */
static int cuttle_solve(const void *state, ps_control *control, ps_solved *moves, ps_solution *solution)
{
    cuttle g;
    cs_search c;
    cs_root r;
    memcpy(&g, state, sizeof g);
    memset(solution, 0, sizeof *solution);
    if (cuttle_viewer(&g) >= 0) return PS_ERROR_ARGUMENT;
    if (cuttle_stage(&g) == CUTTLE_OVER) return PS_ERROR_OVER;
    r.child = NULL;
    int status = cs_open(&c, &g, control);
    if (!status) status = cs_root_open(&c, &r, &g);
    if (!status) {
        cs_solve_root(&c, &r, moves != NULL);
        const cs_case *k = &r.position;
        const int w = cs_winner(k), p = cs_to_move(&k->state);
        if (moves) cs_fill_moves(&r, moves);
        solution->result = (int8_t)(w >= 0 ? (w == p ? 1 : -1) : cs_is_draw(k) ? 0 : 2);
        solution->shortest = (uint8_t)cs_exact(k);
        solution->plies = (uint16_t)(w >= 0 ? k->win[w] : 0);
        solution->depth = (uint16_t)(w >= 0 ? k->none[w] + cs_exact(k) : k->none[0] < k->none[1] ? k->none[0] : k->none[1]);
        solution->nodes = c.nodes;
        control_report(control, c.nodes);
        if (moves && solution->result != 2) {   /* the line: nodes beyond the limit, but the stop flag still counts */
            cs_unlimit(&c);
            cs_allow(&c, CS_GRACE + c.nodes / 8);
            c.side = w;
            const int room = (int)(sizeof solution->line / sizeof *solution->line);
            solution->length = (uint16_t)(w >= 0 ? cs_winning_line(&c, &r, &g, cs_exact(k), solution->line, room)
                                                 : cs_drawing_line(&c, &g, solution->line, room));
            cs_agree(&g, r.moves, moves, solution);
        }
        status = r.moves;
    }
    free(r.child);
    cs_close(&c);
    return status;
}

#endif
