/* Cuttle solver: can one side force a win within so many plies? Depth-first, with two answers only (a null window).
 *
 * The question does not depend on the way to the position, cycles or not, so every answer may be kept: the table holds, for
 * each side, the fewest plies in which a win is proven and the most in which there is provably none. */
#ifndef PYSEARCH_CUTTLE_SOLVE_ALPHABETA_H
#define PYSEARCH_CUTTLE_SOLVE_ALPHABETA_H

#include "cuttle_solve_table.h"

enum { CS_MOVES = 1 << 16, CS_NEVER = 255, CS_DEPTH = 250 /* deepest question */ };

/* Data of an entry: 0-15 best move, then for side 0 and for side 1: a win within (8 bits, CS_NEVER for none known), no win
 * within (8 bits). */
static inline int cs_win_within(uint64_t data, int side) { return (int)(data >> (16 + 16 * side) & 255); }
static inline int cs_no_win_within(uint64_t data, int side) { return (int)(data >> (24 + 16 * side) & 255); }

static inline uint64_t cs_with_bound(uint64_t data, int side, int depth, int win)
{
    const unsigned at = 16u + 16u * (unsigned)side + (win ? 0 : 8);
    return (data & ~(255ull << at)) | (uint64_t)depth << at;
}

#define CS_NOTHING ((uint64_t)CS_NEVER << 16 | (uint64_t)CS_NEVER << 32)

static inline int cs_history_slot(int player, unsigned move) { return player << 10 | (int)(move >> 6); }

/* What a move is worth trying, before anything is known. Only the order depends on it. */
static inline int cs_first_guess(const cs_state *s, unsigned move)
{
    const int p = s->turn, kind = cuttle_kind(move), card = cuttle_card(move), other = cuttle_other(move), value = cs_value(card);
    switch (kind) {
    case CUTTLE_DRAW: return 300;
    case CUTTLE_PASS: return 100;
    case CUTTLE_POINTS: return 500 + 20 * value;
    case CUTTLE_JACK: return 600 + 30 * cs_value(other);
    case CUTTLE_SCUTTLE: return 400 + 20 * cs_value(other) - 10 * value;
    case CUTTLE_PERM: return card == CS_KINGS ? 680 : card == CS_QUEENS ? 420 : 250;
    case CUTTLE_EFFECT:
        switch (cuttle_rank(card)) {
        case RANK_A: return 400 + 12 * (s->score[!p] - s->score[p]);
        case RANK_6: return 200 + 40 * (popcount(s->table[!p] >> 40) - popcount(s->table[p] >> 40));
        default: return 420 + 10 * cuttle_rank(card);
        }
    case CUTTLE_AIMED:
        if (other < CS_NAMELESS ? s->table[p] >> other & 1 : other < CS_GLASSES ? (other & 1) == p : 0) return 0;
        return other < CS_NAMELESS ? 680 : other >= CS_GLASSES ? 280 : other >= CS_KINGS ? 580 : 430;
    case CUTTLE_DECLINE: return 500;
    case CUTTLE_ANSWER: return 600;
    case CUTTLE_TAKES: return 300 + 20 * value;
    default: return 600 - 10 * value - 10 * cs_value(other);
    }
}

static inline void cs_order(cs_search *c, const cs_state *s, int mover, uint16_t hint, const uint16_t *moves, int n, int32_t *scores)
{
    for (int i = 0; i < n; i++)
        scores[i] = moves[i] == hint ? 1 << 28 : cs_first_guess(s, moves[i]) + c->history[cs_history_slot(mover, moves[i])];
}

/* Brings the best of the moves i ... n-1 to place i. */
static inline void cs_pick(uint16_t *moves, int32_t *scores, int i, int n)
{
    int best = i;
    for (int j = i + 1; j < n; j++)
        if (scores[j] > scores[best]) best = j;
    const uint16_t m = moves[best];
    const int32_t v = scores[best];
    moves[best] = moves[i];
    scores[best] = scores[i];
    moves[i] = m;
    scores[i] = v;
}

static inline void cs_reward(cs_search *c, int mover, unsigned move, int depth)
{
    int32_t *h = &c->history[cs_history_slot(mover, move)];
    if ((*h += 2 * depth) > 400)
        for (int i = 0; i < CS_HISTORY; i++) c->history[i] /= 2;
}

/* What can be said of an ordinary turn without a look at its moves: 1 win within `depth`, 0 none, -1 not known. */
static inline int cs_look(const cs_search *c, const cs_state *s, int depth)
{
    const int side = c->side, turns = s->turn == side ? (depth + 1) / 2 : depth / 2;
    if (cs_wins_now(s)) return s->turn == side;
    const int need = cs_need(s, side);
    if (turns < 4 && (need > 10 * turns + (s->jacked ? cs_lent(s, side) : 0) || cs_turns(&c->deck, s, side) > turns)) return 0;
    return -1;
}

/* The threat filter that is exact here: moves that are left out must lose within what is left of the depth. */
static inline int cs_filter(const cs_search *c, const cs_state *s, int depth)
{
    if (s->stage != CUTTLE_MAIN || !cs_threatened(s)) return CS_ALL;
    if (s->turn == c->side || depth >= 4) return CS_ANSWERS;
    return depth >= 2 ? CS_QUIET : CS_ALL;
}

/* Whether c->side can force a win from `s` within `depth` plies; 0 as well when the search was stopped. */
static int cs_forces(cs_search *c, const cs_state *s, uint64_t key, int depth)
{
    const int side = c->side;
    if (cs_count(c)) return 0;
    if (s->stage == CUTTLE_OVER) return s->winner == side;
    if (depth <= 0) return 0;
    if (s->stage == CUTTLE_MAIN) {
        const int known = cs_look(c, s, depth);
        if (known >= 0) return known;
    }
    uint64_t data = 0;
    if (depth >= 2) {
        data = cs_find(c, key);
        if (data) {
            if (cs_win_within(data, side) <= depth) return 1;
            if (cs_no_win_within(data, side) >= depth) return 0;
        } else data = CS_NOTHING;
    }

    const int mover = cs_to_move(s), wanted = mover == side;
    const uint64_t before = c->nodes;
    uint16_t *moves = c->moves + c->top;
    int32_t *scores = c->scores + c->top;
    if (c->top > CS_MOVES - PS_MAX_MOVES) { c->stop = CS_LIMIT; return 0; }
    const int n = cs_moves(&c->deck, s, depth, cs_filter(c, s, depth), moves);
    if (n > 1) cs_order(c, s, mover, (uint16_t)data, moves, n, scores);
    c->top += n;
    int result = !wanted;
    for (int i = 0; i < n; i++) {
        if (n > 1) cs_pick(moves, scores, i, n);
        cs_state next = *s;
        cs_play(&next, moves[i], c->deck.stock);
        const uint64_t next_key = depth > 2 ? cs_key(&next) : 0;   /* the table is not asked about the last ply */
        if (depth > 2) cs_prefetch(c, next_key);
        result = cs_forces(c, &next, next_key, depth - 1);
        if (c->stop) break;
        if (result == wanted) {
            if (i) cs_reward(c, mover, moves[i], depth);
            data = (data & ~0xffffull) | moves[i];
            break;
        }
    }
    c->top -= n;
    if (c->stop) return 0;
    if (depth >= 2) {
        /* the table may have learned more of this position meanwhile, but never anything that contradicts this */
        data = cs_with_bound(data & (BIT(58) - 1), side, depth, result);
        cs_store(c, key, data | cs_work(c->nodes - before));
    }
    return result;
}

#endif
