"""The twin of csrc/cuttle_solve_alphabeta.h, function by function."""

import numpy as np
from numba import types

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, field, number, popcount, shl, shr, word
from pysearch.kernels.cuttle import (
    CUTTLE_AIMED,
    CUTTLE_ANSWER,
    CUTTLE_DECLINE,
    CUTTLE_DRAW,
    CUTTLE_EFFECT,
    CUTTLE_JACK,
    CUTTLE_MAIN,
    CUTTLE_OVER,
    CUTTLE_PASS,
    CUTTLE_PERM,
    CUTTLE_POINTS,
    CUTTLE_SCUTTLE,
    CUTTLE_TAKES,
    RANK_6,
    RANK_A,
    cuttle_card,
    cuttle_kind,
    cuttle_other,
    cuttle_rank,
)
from pysearch.kernels.cuttle_solve_moves import (
    CS_ALL,
    CS_ANSWERS,
    CS_QUIET,
    cs_lent,
    cs_moves,
    cs_threatened,
    cs_turns,
    cs_wins_now,
)
from pysearch.kernels.cuttle_solve_state import (
    CS_GLASSES,
    CS_KINGS,
    CS_NAMELESS,
    CS_QUEENS,
    cs_copy,
    cs_key,
    cs_need,
    cs_play,
    cs_to_move,
    cs_value,
    local_states,
)
from pysearch.kernels.cuttle_solve_table import (
    CS_HISTORY,
    CS_LIMIT,
    cs_count,
    cs_find,
    cs_prefetch,
    cs_store,
    cs_work,
)
from pysearch.kernels.jit import kernel, recursion
from pysearch.kernels.memory import at
from pysearch.kernels.public import PS_MAX_MOVES

CS_MOVES, CS_NEVER, CS_DEPTH = 1 << 16, 255, 250
CS_NOTHING = np.uint64(CS_NEVER << 16 | CS_NEVER << 32)

_255, _MOVE = np.uint64(255), np.uint64(0xFFFF)
_moves_at, _scores_at = at(np.uint16), at(np.int32)


@kernel
def cs_win_within(data: Word, side: Int) -> Int:
    return field(data, 16 + 16 * side, 8)


@kernel
def cs_no_win_within(data: Word, side: Int) -> Int:
    return field(data, 24 + 16 * side, 8)


@kernel
def cs_with_bound(data: Word, side: Int, depth: Int, win: Int) -> Word:
    place = 16 + 16 * side + (0 if win else 8)
    return (data & ~shl(_255, place)) | shl(np.uint64(depth), place)


@kernel
def cs_history_slot(player: Int, move: Int) -> Int:
    return player << 10 | move >> 6


@kernel
def cs_first_guess(s: Record, move: Int) -> Int:
    p, kind, card, other = np.int64(s.turn), cuttle_kind(move), cuttle_card(move), cuttle_other(move)
    value = cs_value(card)
    if kind == CUTTLE_DRAW:
        return 300
    if kind == CUTTLE_PASS:
        return 100
    if kind == CUTTLE_POINTS:
        return 500 + 20 * value
    if kind == CUTTLE_JACK:
        return 600 + 30 * cs_value(other)
    if kind == CUTTLE_SCUTTLE:
        return 400 + 20 * cs_value(other) - 10 * value
    if kind == CUTTLE_PERM:
        return 680 if card == CS_KINGS else 420 if card == CS_QUEENS else 250
    if kind == CUTTLE_EFFECT:
        rank = cuttle_rank(card)
        if rank == RANK_A:
            return 400 + 12 * (np.int64(s.score[p ^ 1]) - np.int64(s.score[p]))
        if rank == RANK_6:
            return 200 + 40 * (popcount(shr(s.table[p ^ 1], 40)) - popcount(shr(s.table[p], 40)))
        return 420 + 10 * rank
    if kind == CUTTLE_AIMED:
        if other < CS_NAMELESS:
            return 0 if field(s.table[p], other, 1) else 680
        if other >= CS_GLASSES:
            return 280
        if other & 1 == p:
            return 0
        return 580 if other >= CS_KINGS else 430
    if kind == CUTTLE_DECLINE:
        return 500
    if kind == CUTTLE_ANSWER:
        return 600
    if kind == CUTTLE_TAKES:
        return 300 + 20 * value
    return 600 - 10 * value - 10 * cs_value(other)


@kernel
def cs_order(c: Record, s: Record, mover: Int, hint: Int, moves: Words, n: Int, scores: Words) -> None:
    for i in range(n):
        move = np.int64(moves[i])
        if move == hint:
            scores[i] = np.int32(1 << 28)
        else:
            scores[i] = np.int32(cs_first_guess(s, move) + np.int64(c.history[cs_history_slot(mover, move)]))


@kernel
def cs_pick(moves: Words, scores: Words, i: Int, n: Int) -> None:
    best = i
    for j in range(i + 1, n):
        if scores[j] > scores[best]:
            best = j
    m, v = moves[best], scores[best]
    moves[best] = moves[i]
    scores[best] = scores[i]
    moves[i] = m
    scores[i] = v


@kernel
def cs_reward(c: Record, mover: Int, move: Int, depth: Int) -> None:
    slot = cs_history_slot(mover, move)
    c.history[slot] = np.int32(np.int64(c.history[slot]) + 2 * depth)
    if c.history[slot] > 400:
        for i in range(CS_HISTORY):
            c.history[i] = np.int32(np.int64(c.history[i]) >> 1)  # none is negative


@kernel
def cs_look(c: Record, s: Record, depth: Int) -> Int:
    side, turn = np.int64(c.side), np.int64(s.turn)
    turns = (depth + 1) >> 1 if turn == side else depth >> 1
    if cs_wins_now(s):
        return np.int64(turn == side)
    if turns >= 4:
        return -1
    lent = cs_lent(s, side) if s.jacked else 0
    return 0 if cs_need(s, side) > 10 * turns + lent or cs_turns(c.deck, s, side) > turns else -1


@kernel
def cs_filter(c: Record, s: Record, depth: Int) -> Int:
    if s.stage != CUTTLE_MAIN or not cs_threatened(s):
        return CS_ALL
    if np.int64(s.turn) == np.int64(c.side) or depth >= 4:
        return CS_ANSWERS
    return CS_QUIET if depth >= 2 else CS_ALL


_cs_forces = recursion(types.int64, 4)


@kernel
def cs_forces(c: Record, s: Record, key: Word, depth: Int) -> Int:
    side = np.int64(c.side)
    if cs_count(c):
        return 0
    if s.stage == CUTTLE_OVER:
        return np.int64(np.int64(s.winner) == side)
    if depth <= 0:
        return 0
    if s.stage == CUTTLE_MAIN:
        known = cs_look(c, s, depth)
        if known >= 0:
            return known
    data = W0
    if depth >= 2:
        data = cs_find(c, key)
        if data:
            if cs_win_within(data, side) <= depth:
                return 1
            if cs_no_win_within(data, side) >= depth:
                return 0
        else:
            data = CS_NOTHING

    mover, before, top = cs_to_move(s), c.nodes, np.int64(c.top)
    wanted = np.int64(mover == side)
    if top > CS_MOVES - PS_MAX_MOVES:
        c.stop = np.int32(CS_LIMIT)
        return 0
    moves = _moves_at(c.moves + word(2 * top), PS_MAX_MOVES)
    scores = _scores_at(c.scores + word(4 * top), PS_MAX_MOVES)
    n = cs_moves(c.deck, s, depth, cs_filter(c, s, depth), moves)
    if n > 1:
        cs_order(c, s, mover, number(data & _MOVE), moves, n, scores)
    c.top = np.int32(top + n)
    result = 1 - wanted
    after = local_states(1)[0]
    for i in range(n):
        if n > 1:
            cs_pick(moves, scores, i, n)
        move = np.int64(moves[i])
        cs_copy(after, s)
        cs_play(after, move, c.deck)
        after_key = W0
        if depth > 2:
            after_key = cs_key(after)
            cs_prefetch(c, after_key)
        result = _cs_forces(c, after, after_key, depth - 1)
        if c.stop:
            break
        if result == wanted:
            if i:
                cs_reward(c, mover, move, depth)
            data = (data & ~_MOVE) | word(move)
            break
    c.top = np.int32(top)
    if c.stop:
        return 0
    if depth >= 2:
        data = cs_with_bound(data & (BIT(58) - W1), side, depth, result)
        cs_store(c, key, data | cs_work(c.nodes - before))
    return result
