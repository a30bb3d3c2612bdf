"""The twin of csrc/cuttle_solve_certificate.h, function by function."""

import numpy as np
from numba import types

from pysearch.kernels.bits import W1, Int, Record, Word, Words, word
from pysearch.kernels.cuttle import (
    CUTTLE_OVER,
    cuttle_copy,
    cuttle_key,
    cuttle_moves,
    cuttle_play,
    cuttle_result,
    cuttle_stage,
    cuttle_to_move,
    cuttle_viewer,
    local_moves,
    local_words,
)
from pysearch.kernels.cuttle_solve import (
    CS_AMPLE,
    CS_GRACE,
    CS_OTHERS,
    cs_best_step,
    cs_close,
    cs_find_step,
    cs_open,
)
from pysearch.kernels.cuttle_solve_case import (
    CS_UNKNOWN,
    cs_case_open,
    cs_exact,
    cs_measure,
    cs_note_win,
    cs_settle,
    cs_shorten,
    cs_try,
    cs_winner,
    local_cases,
)
from pysearch.kernels.cuttle_solve_table import cs_allow, cs_unlimit, local_searches
from pysearch.kernels.jit import entry, kernel, recursion
from pysearch.kernels.memory import at, calloc, free, stack
from pysearch.kernels.public import (
    PS_CUTTLE_WORDS,
    PS_ERROR_ARGUMENT,
    PS_ERROR_MEMORY,
    PS_ERROR_OVER,
    PS_ERROR_UNPROVEN,
    PS_MAX_MOVES,
)

CS_WRITER = np.dtype([("key", "u8"), ("entry", "u8"), ("mask", "u8"), ("room", "i4"), ("n", "i4")], align=True)
_local_writers = stack(CS_WRITER)
_keys_at, _entries_at = at(np.uint64), at(np.int32)


@kernel
def cs_place(w: Record, key: Word) -> Int:
    keys, entries = _keys_at(w.key, np.int64(w.mask) + 1), _entries_at(w.entry, np.int64(w.mask) + 1)
    i = key & w.mask
    while entries[i] >= 0 and keys[i] != key:
        i = (i + W1) & w.mask
    return np.int64(i)


@kernel
def cs_grasp(c: Record, g: Words, plies: Int) -> Int:
    side, k = np.int64(c.side), local_cases(1)[0]
    cs_case_open(c, k, g)
    if plies < CS_UNKNOWN:
        cs_note_win(k, side, plies)
        cs_shorten(c, k)
    if k.win[side] == CS_UNKNOWN:
        cs_settle(c, k, CS_GRACE)
        c.side = np.int32(side)
    if k.win[side] == CS_UNKNOWN:
        cs_allow(c, CS_AMPLE)
        cs_try(c, k, side)
    return np.int64(k.win[side])


_cs_write = recursion(types.int64, 7)


@kernel
def cs_write(w: Record, c: Record, out: Words, g: Words, move: Int, plies: Int, exact: Int) -> Int:
    """`c` and `out`: the search and the entries of the writer."""
    if w.n == w.room:
        return PS_ERROR_MEMORY
    n = np.int64(w.n)
    w.n = np.int32(n + 1)
    shown = out[n]
    shown.move = np.uint16(move)
    shown.plies = np.uint16(0)
    shown.same = np.int32(-1)
    if cuttle_stage(g) == CUTTLE_OVER:
        return 0 if cuttle_result(g) == 1 + np.int64(c.side) else PS_ERROR_UNPROVEN
    key = cuttle_key(g)
    place = cs_place(w, key)
    entries = _entries_at(w.entry, np.int64(w.mask) + 1)
    if entries[place] >= 0:
        shown.same = entries[place]
        shown.plies = out[entries[place]].plies
        return np.int64(shown.plies) if shown.plies else PS_ERROR_UNPROVEN
    _keys_at(w.key, np.int64(w.mask) + 1)[place] = key
    entries[place] = np.int32(n)

    moves, after, count, most = local_moves(PS_MAX_MOVES), local_words(PS_CUTTLE_WORDS), 1, 0
    if cuttle_to_move(g) == np.int64(c.side):
        cs_allow(c, CS_AMPLE)
        step, _ = cs_best_step(c, g, plies, exact)
        if step < 0:
            step, _ = cs_find_step(c, g)
        if step < 0:
            return PS_ERROR_UNPROVEN
        moves[0] = np.uint16(step)
    else:
        count = cuttle_moves(g, moves)
    for i in range(count):
        cuttle_copy(after, g)
        cuttle_play(after, np.int64(moves[i]))
        cs_allow(c, CS_AMPLE)
        within = cs_grasp(c, after, plies - 1 if exact else CS_UNKNOWN)
        if within == CS_UNKNOWN or c.stop:
            return PS_ERROR_UNPROVEN
        below = _cs_write(w, c, out, after, np.int64(moves[i]), within, exact)
        if below < 0:
            return below
        most = max(most, below)
    shown.plies = np.uint16(1 + most)
    return 1 + most


@kernel
def cuttle_certify(state: Words, control: Record, out: Words, room: Int) -> Int:
    c, w = local_searches(1)[0], _local_writers(1)[0]
    if cuttle_viewer(state) >= 0 or room < 1:
        return PS_ERROR_ARGUMENT
    if cuttle_stage(state) == CUTTLE_OVER:
        return PS_ERROR_OVER
    w.room = np.int32(room)
    w.n = np.int32(0)
    w.mask = W1
    while w.mask < word(2 * room):
        w.mask = w.mask + w.mask + W1
    places = w.mask + W1
    status = cs_open(c, state, control)
    w.key = calloc(places, np.uint64(8))
    w.entry = calloc(places, np.uint64(4))
    if not status and (not w.key or not w.entry):
        status = PS_ERROR_MEMORY
    if not status:
        k, entries = local_cases(1)[0], _entries_at(w.entry, np.int64(places))
        for i in range(np.int64(places)):
            entries[i] = np.int32(-1)
        cs_case_open(c, k, state)
        cs_settle(c, k, CS_AMPLE)
        cs_measure(c, k, CS_OTHERS + c.nodes)
        side = cs_winner(k)
        c.side = np.int32(side)
        cs_unlimit(c)
        if side >= 0:
            status = cs_write(w, c, out, state, 0, np.int64(k.win[side]), cs_exact(k))
        if status > 0:
            status = np.int64(w.n)
        if status == PS_ERROR_UNPROVEN:
            status = 0
    free(w.key)
    free(w.entry)
    cs_close(c)
    return status


@entry
def cuttle_api_certify(state: Words, control: Words, out: Words, room: Int) -> Int:
    return cuttle_certify(state, control[0], out, room)
