"""The twin of csrc/cuttle_solve_case.h, function by function."""

import numpy as np

from pysearch.kernels.bits import Int, Record, Word, Words
from pysearch.kernels.cuttle import CUTTLE_MAIN, CUTTLE_OVER
from pysearch.kernels.cuttle_solve_alphabeta import CS_DEPTH, CS_NEVER, cs_forces, cs_no_win_within, cs_win_within
from pysearch.kernels.cuttle_solve_dfpn import CS_INF, cs_proof_key, cs_prove, cs_unpack_proof
from pysearch.kernels.cuttle_solve_moves import cs_wins_now
from pysearch.kernels.cuttle_solve_state import (
    CS_STATE,
    cs_copy,
    cs_from_state,
    cs_key,
    cs_swap_limit,
    cs_to_move,
    local_states,
)
from pysearch.kernels.cuttle_solve_table import CS_LIMIT, CS_RUNNING, CS_SLICE, cs_allow, cs_find
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack

CS_UNKNOWN, CS_FIRST_SLICE = 30000, 1 << 14

CS_CASE = np.dtype(
    [
        ("state", CS_STATE),
        ("key", "u8"),
        ("win", "i4", (2,)),
        ("none", "i4", (2,)),
        ("never", "i4", (2,)),
        ("threshold", "u4", (2,)),
    ],
    align=True,
)
local_cases = stack(CS_CASE)

_2 = np.uint64(2)


@kernel
def cs_winner(k: Record) -> Int:
    return 0 if k.win[0] < CS_UNKNOWN else 1 if k.win[1] < CS_UNKNOWN else -1


@kernel
def cs_is_draw(k: Record) -> Int:
    return np.int64(k.never[0] != 0 and k.never[1] != 0)


@kernel
def cs_settled(k: Record) -> Int:
    return np.int64(cs_winner(k) >= 0 or cs_is_draw(k) != 0)


@kernel
def cs_exact(k: Record) -> Int:
    p = cs_winner(k)
    return np.int64(np.int64(k.none[p]) >= np.int64(k.win[p]) - 1) if p >= 0 else cs_is_draw(k)


@kernel
def cs_note_win(k: Record, side: Int, plies: Int) -> None:
    if plies < np.int64(k.win[side]):
        k.win[side] = np.int32(plies)
    k.never[side ^ 1] = np.int32(1)


@kernel
def cs_recall(c: Record, k: Record) -> None:
    data, most = cs_find(c, k.key), cs_swap_limit(k.state)
    s = local_states(1)[0]
    for side in range(2):
        if data:
            win, none = cs_win_within(data, side), cs_no_win_within(data, side)
            if win != CS_NEVER:
                cs_note_win(k, side, win)
            if none > np.int64(k.none[side]):
                k.none[side] = np.int32(none)
        cs_copy(s, k.state)
        while np.int64(s.swaps) <= most:
            proof = cs_find(c, cs_proof_key(k.key, s, side))
            if proof:
                pn, dn, distance = cs_unpack_proof(proof)
                if not pn:
                    cs_note_win(k, side, distance)
                if not dn and not c.deep and s.swaps == k.state.swaps:
                    k.never[side] = np.int32(1)
            s.swaps += np.uint8(1)


@kernel
def cs_case_open(c: Record, k: Record, g: Words) -> None:
    s = k.state
    cs_from_state(g, s)
    k.key = cs_key(s)
    for side in range(2):
        k.win[side] = np.int32(CS_UNKNOWN)
        k.none[side] = np.int32(0)
        k.never[side] = np.int32(0)
        k.threshold[side] = np.uint32(32)
    if s.stage == CUTTLE_OVER:
        if s.winner < 2:
            cs_note_win(k, np.int64(s.winner), 0)
        else:
            k.never[0] = np.int32(1)
            k.never[1] = np.int32(1)
    elif s.stage == CUTTLE_MAIN and cs_wins_now(s):
        cs_note_win(k, np.int64(s.turn), 1)
    else:
        cs_recall(c, k)


@kernel
def cs_deepen(c: Record, k: Record) -> None:
    while True:
        side = np.int64(k.never[0] != 0 or (k.none[1] < k.none[0] and k.never[1] == 0))
        depth = np.int64(k.none[side]) + 1
        if cs_settled(k) or k.never[side] or depth > CS_DEPTH:
            return
        c.side = np.int32(side)
        win = cs_forces(c, k.state, k.key, depth)
        if c.stop:
            return
        if win:
            cs_note_win(k, side, depth)
        else:
            k.none[side] = np.int32(depth)


@kernel
def cs_shorten(c: Record, k: Record) -> None:
    side = cs_winner(k)
    if side < 0:
        return
    c.side = np.int32(side)
    while np.int64(k.none[side]) < np.int64(k.win[side]) - 1 and k.none[side] < CS_DEPTH:
        depth = np.int64(k.none[side]) + 1
        win = cs_forces(c, k.state, k.key, depth)
        if c.stop:
            return
        if win:
            k.win[side] = np.int32(depth)
        else:
            k.none[side] = np.int32(depth)


@kernel
def cs_try(c: Record, k: Record, side: Int) -> None:
    c.side = np.int32(side)
    while not c.stop and not cs_settled(k) and not k.never[side]:
        t = np.int64(k.threshold[side])
        pn, dn, distance = cs_prove(c, k.state, k.key, t, t)
        if not pn:
            cs_note_win(k, side, distance)
        elif not dn:
            if c.deep:
                return
            k.never[side] = np.int32(1)
        elif not c.stop:
            if t >= CS_INF - 1:
                return
            more = t + (t >> 1)
            k.threshold[side] = np.uint32(more if more < CS_INF else CS_INF - 1)


@kernel
def cs_settle(c: Record, k: Record, budget: Word) -> None:
    end, mover = c.nodes + budget, cs_to_move(k.state)
    part, turn = np.uint64(CS_FIRST_SLICE), 0
    while not cs_settled(k) and c.nodes < end and c.stop < CS_LIMIT:
        third, before = turn % 3, c.nodes
        n = part >> _2 if turn and third == 0 else part
        cs_allow(c, min(n, end - c.nodes))
        if third == 0:
            cs_deepen(c, k)
        else:
            cs_try(c, k, mover if third == 1 else mover ^ 1)
        if third == 2:
            part += part >> _2
            if c.nodes == before and c.deep:
                break
        turn += 1
    if c.stop == CS_SLICE:
        c.stop = np.int32(CS_RUNNING)


@kernel
def cs_measure(c: Record, k: Record, budget: Word) -> None:
    if c.stop >= CS_LIMIT:
        return
    cs_allow(c, budget)
    cs_shorten(c, k)
    if c.stop == CS_SLICE:
        c.stop = np.int32(CS_RUNNING)
