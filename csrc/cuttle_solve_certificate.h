/* Cuttle solver: the proof of a win or loss as a tree that anybody can check who knows the rules.
 *
 * Entries in preorder, one for each move: the entry after a position in which the winner moves is his move, after one in which
 * the loser moves there follow all his legal moves in listed order, each with what belongs to it. `plies` counts the moves
 * within which the game ends, and falls with every move. A position that has been shown before is not shown again: `same` is
 * its entry. Moves that the search merges or leaves out are all here. */
#ifndef PYSEARCH_CUTTLE_SOLVE_CERTIFICATE_H
#define PYSEARCH_CUTTLE_SOLVE_CERTIFICATE_H

#include "cuttle_solve.h"

typedef struct cs_writer {
    cs_search *search;
    ps_proof *out;
    int room, n;
    uint64_t *key;       /* positions shown, by hash */
    int32_t *entry;
    uint64_t mask;
} cs_writer;

/* The place of a position among those shown: where it is, or where it belongs. */
static uint64_t cs_place(const cs_writer *w, uint64_t key)
{
    uint64_t i = key & w->mask;
    while (w->entry[i] >= 0 && w->key[i] != key) i = (i + 1) & w->mask;
    return i;
}

/* Plies of the win from a position: the fewest when it is known to come within `plies` (CS_UNKNOWN: not known), else as is
 * known, or by a proof of its own. CS_UNKNOWN when stopped. */
static int cs_grasp(cs_search *c, const cuttle *g, int plies)
{
    const int side = c->side;
    cs_case k;
    cs_case_open(c, &k, g);
    if (plies < CS_UNKNOWN) {
        cs_note_win(&k, side, plies);
        cs_shorten(c, &k);
    }
    if (k.win[side] == CS_UNKNOWN) {
        cs_settle(c, &k, CS_GRACE);
        c->side = side;
    }
    if (k.win[side] == CS_UNKNOWN) {
        cs_allow(c, UINT64_MAX / 2);
        cs_try(c, &k, side);
    }
    return k.win[side];
}

/* Shows what follows `g`; writes its plies to the entry. Returns them, or an error. */
static int cs_write(cs_writer *w, const cuttle *g, uint16_t move, int plies, int exact)
{
    cs_search *c = w->search;
    if (w->n == w->room) return PS_ERROR_MEMORY;
    const int self = w->n++, over = cuttle_stage(g) == CUTTLE_OVER;
    ps_proof *const entry = w->out + self;
    *entry = (ps_proof) { move, 0, -1 };
    if (over) return cuttle_result(g) == 1 + c->side ? 0 : PS_ERROR_UNPROVEN;
    const uint64_t place = cs_place(w, cuttle_key(g));
    if (w->entry[place] >= 0) {
        entry->same = w->entry[place];
        entry->plies = w->out[entry->same].plies;
        return entry->plies ? entry->plies : PS_ERROR_UNPROVEN;   /* it is being shown: the proof would go in a circle */
    }
    w->key[place] = cuttle_key(g);
    w->entry[place] = self;

    uint16_t moves[PS_MAX_MOVES];
    int n = 1, most = 0;
    if (cuttle_to_move(g) == c->side) {
        cs_allow(c, UINT64_MAX / 2);
        cs_step step = cs_best_step(c, g, plies, exact);
        if (step.move < 0) step = cs_find_step(c, g);
        if (step.move < 0) return PS_ERROR_UNPROVEN;
        moves[0] = (uint16_t)step.move;
    } else n = cuttle_moves(g, moves);
    for (int i = 0; i < n; i++) {
        cuttle next = *g;
        cuttle_play(&next, moves[i]);
        cs_allow(c, UINT64_MAX / 2);
        const int within = cs_grasp(c, &next, exact ? plies - 1 : CS_UNKNOWN);
        if (within == CS_UNKNOWN || c->stop) return PS_ERROR_UNPROVEN;
        const int shown = cs_write(w, &next, moves[i], within, exact);
        if (shown < 0) return shown;
        if (shown > most) most = shown;
    }
    entry->plies = (uint16_t)(1 + most);
    return 1 + most;
}

/* The proof of a win or loss of a complete state, into `out` (`room` places). Returns the number of entries; 0 when neither
 * is proven within the limits; PS_ERROR_MEMORY when the proof is longer than `room`. */
static int cuttle_certify(const void *state, ps_control *control, ps_proof *out, int room)
{
    cuttle g;
    cs_search c;
    cs_writer w = { &c, out, room, 0, NULL, NULL, 1 };
    memcpy(&g, state, sizeof g);
    if (cuttle_viewer(&g) >= 0 || room < 1) return PS_ERROR_ARGUMENT;
    if (cuttle_stage(&g) == CUTTLE_OVER) return PS_ERROR_OVER;
    while (w.mask < 2 * (uint64_t)room) w.mask = 2 * w.mask + 1;
    int status = cs_open(&c, &g, control);
    w.key = malloc((w.mask + 1) * sizeof *w.key);
    w.entry = malloc((w.mask + 1) * sizeof *w.entry);
    if (!status && (!w.key || !w.entry)) status = PS_ERROR_MEMORY;
    if (!status) {
        cs_case k;
        memset(w.entry, -1, (w.mask + 1) * sizeof *w.entry);
        cs_case_open(&c, &k, &g);
        cs_settle(&c, &k, UINT64_MAX / 2);
        cs_measure(&c, &k, CS_OTHERS + c.nodes);
        c.side = cs_winner(&k);
        cs_unlimit(&c);
        if (c.side >= 0) status = cs_write(&w, &g, 0, k.win[c.side], cs_exact(&k));
        if (status > 0) status = w.n;
        if (status == PS_ERROR_UNPROVEN) status = 0;
    }
    free(w.key);
    free(w.entry);
    cs_close(&c);
    return status;
}

#endif
