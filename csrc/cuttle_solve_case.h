/* Cuttle solver: one position whose value is sought, and what both searches have found out about it so far. */
#ifndef PYSEARCH_CUTTLE_SOLVE_CASE_H
#define PYSEARCH_CUTTLE_SOLVE_CASE_H

#include "cuttle_solve_dfpn.h"

enum { CS_UNKNOWN = 30000, CS_FIRST_SLICE = 1 << 14 };

typedef struct cs_case {
    cs_state state;
    uint64_t key;
    int win[2];              /* player p provably wins within so many plies; CS_UNKNOWN: not known */
    int none[2];             /* he provably does not within so many */
    int never[2];            /* nor ever */
    uint32_t threshold[2];   /* at which proof number the search of his win goes on */
} cs_case;

static inline int cs_winner(const cs_case *k) { return k->win[0] < CS_UNKNOWN ? 0 : k->win[1] < CS_UNKNOWN ? 1 : -1; }

static inline int cs_is_draw(const cs_case *k) { return k->never[0] && k->never[1]; }

static inline int cs_settled(const cs_case *k) { return cs_winner(k) >= 0 || cs_is_draw(k); }

/* Whether the distance is the true one. */
static inline int cs_exact(const cs_case *k)
{
    const int p = cs_winner(k);
    return p >= 0 ? k->none[p] >= k->win[p] - 1 : cs_is_draw(k);
}

static inline void cs_note_win(cs_case *k, int side, int plies)
{
    if (plies < k->win[side]) k->win[side] = plies;
    k->never[!side] = 1;
}

/* Takes over what the table knows already. A win that was proven with some swaps behind it, on a line that came through
 * them, holds with fewer behind it all the more; what was disproven does not. */
static inline void cs_recall(const cs_search *c, cs_case *k)
{
    const uint64_t data = cs_find(c, k->key);
    const int most = cs_swap_limit(&k->state);
    for (int side = 0; side < 2; side++) {
        if (data && cs_win_within(data, side) != CS_NEVER) cs_note_win(k, side, cs_win_within(data, side));
        if (data && cs_no_win_within(data, side) > k->none[side]) k->none[side] = cs_no_win_within(data, side);
        cs_state s = k->state;
        for (; s.swaps <= most; s.swaps++) {
            const uint64_t proof = cs_find(c, cs_proof_key(k->key, &s, side));
            const cs_proof p = cs_unpack_proof(proof);
            if (proof && !p.pn) cs_note_win(k, side, p.distance);
            if (proof && !p.dn && !c->deep && s.swaps == k->state.swaps) k->never[side] = 1;
        }
    }
}

static inline void cs_case_open(const cs_search *c, cs_case *k, const cuttle *g)
{
    memset(k, 0, sizeof *k);
    cs_from_state(g, &k->state);
    k->key = cs_key(&k->state);
    k->win[0] = k->win[1] = CS_UNKNOWN;
    k->threshold[0] = k->threshold[1] = 32;
    if (k->state.stage == CUTTLE_OVER) {
        const int w = k->state.winner;
        if (w < 2) cs_note_win(k, w, 0);
        else k->never[0] = k->never[1] = 1;
    } else if (k->state.stage == CUTTLE_MAIN && cs_wins_now(&k->state)) cs_note_win(k, k->state.turn, 1);
    else cs_recall(c, k);
}

/* Depth by depth, both sides' wins, for as long as the search may run. Whatever is found first is the shortest. */
static void cs_deepen(cs_search *c, cs_case *k)
{
    for (;;) {
        const int side = k->never[0] || (k->none[1] < k->none[0] && !k->never[1]), depth = k->none[side] + 1;
        if (cs_settled(k) || k->never[side] || depth > CS_DEPTH) return;
        c->side = side;
        const int win = cs_forces(c, &k->state, k->key, depth);
        if (c->stop) return;
        if (win) cs_note_win(k, side, depth);
        else k->none[side] = depth;
    }
}

/* The same for the side that is known to win, until its distance is the shortest. */
static void cs_shorten(cs_search *c, cs_case *k)
{
    const int side = cs_winner(k);
    if (side < 0) return;
    c->side = side;
    while (k->none[side] < k->win[side] - 1 && k->none[side] < CS_DEPTH) {
        const int depth = k->none[side] + 1, win = cs_forces(c, &k->state, k->key, depth);
        if (c->stop) return;
        if (win) k->win[side] = depth;
        else k->none[side] = depth;
    }
}

/* Proof numbers for one side, with growing thresholds, for as long as the search may run. */
static void cs_try(cs_search *c, cs_case *k, int side)
{
    c->side = side;
    while (!c->stop && !cs_settled(k) && !k->never[side]) {
        const uint32_t t = k->threshold[side];
        const cs_proof p = cs_prove(c, &k->state, k->key, t, t);
        if (!p.pn) cs_note_win(k, side, p.distance);
        else if (!p.dn) {
            if (c->deep) return;   /* cut for want of room: no word on the rest */
            k->never[side] = 1;
        } else if (!c->stop) {
            if (t >= CS_INF - 1) return;
            k->threshold[side] = t + t / 2 < CS_INF ? t + t / 2 : CS_INF - 1;
        }
    }
}

/* Seeks the value of a case with at most `budget` nodes: deepening alone at first, for most positions fall to it at once and
 * then with their true distance; then in turn slices of proof numbers for either side and a short one of deepening, for it
 * rarely gets where the others do not. Slices are counted in nodes, never in time, so that a limit of nodes gives the same
 * result every time. */
static void cs_settle(cs_search *c, cs_case *k, uint64_t budget)
{
    const uint64_t end = c->nodes + budget;
    const int mover = cs_to_move(&k->state);
    uint64_t slice = CS_FIRST_SLICE;
    for (int turn = 0; !cs_settled(k) && c->nodes < end && c->stop < CS_LIMIT; turn++) {
        const uint64_t n = turn && turn % 3 == 0 ? slice / 4 : slice, before = c->nodes;
        cs_allow(c, n < end - c->nodes ? n : end - c->nodes);
        if (turn % 3 == 0) cs_deepen(c, k);
        else cs_try(c, k, turn % 3 == 1 ? mover : !mover);
        if (turn % 3 == 2) slice += slice / 4;
        if (turn % 3 == 2 && c->nodes == before && c->deep) break;   /* both are at their end */
    }
    if (c->stop == CS_SLICE) c->stop = CS_RUNNING;
}

/* As well the true distance of a win, with at most `budget` nodes. */
static void cs_measure(cs_search *c, cs_case *k, uint64_t budget)
{
    if (c->stop >= CS_LIMIT) return;
    cs_allow(c, budget);
    cs_shorten(c, k);
    if (c->stop == CS_SLICE) c->stop = CS_RUNNING;
}

#endif
