"""The twin of csrc/cuttle_solve_table.h, function by function.

Pointers are addresses: the table and the stacks of moves, scores and children.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from pysearch.kernels.bits import W0, W1, Int, Record, Word, highest, shl
from pysearch.kernels.control import control_clock, control_report, control_stopped
from pysearch.kernels.cuttle_solve_moves import CS_DECK
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import at, realloc, stack
from pysearch.kernels.public import CONTROL

CS_ENTRY = np.dtype([("key", "u8"), ("data", "u8")], align=True)

CS_WAYS, CS_FIRST_LINES, CS_HISTORY = 4, 1 << 14, 2 << 10
CS_RUNNING, CS_SLICE, CS_LIMIT = 0, 1, 2

_LINE = np.uint64(CS_WAYS * CS_ENTRY.itemsize)
_58 = np.uint64(58)
_OFTEN = np.uint64(2048)

CS_SEARCH = np.dtype(
    [
        ("deck", CS_DECK),
        ("lines", "u8"),
        ("mask", "u8"),
        ("limit", "u8"),
        ("filled", "u8"),
        ("control", "u8"),
        ("end", "f8"),
        ("last", "u8"),
        ("nodes", "u8"),
        ("check", "u8"),
        ("slice", "u8"),
        ("stop", "i4"),
        ("side", "i4"),
        ("deep", "i4"),
        ("top", "i4"),
        ("child_top", "i4"),
        ("history", "i4", (CS_HISTORY,)),
        ("moves", "u8"),
        ("scores", "u8"),
        ("children", "u8"),
    ],
    align=True,
)
local_searches = stack(CS_SEARCH)
control_at, _entries_at = at(CONTROL), at(CS_ENTRY)


@kernel
def cs_count(c: Record) -> Int:
    c.nodes += W1
    if c.nodes < c.check:
        return np.int64(c.stop)
    k = control_at(c.control, 1)[0]
    control_report(k, c.nodes)
    if c.nodes >= c.slice and c.stop < CS_SLICE:
        c.stop = np.int32(CS_SLICE)
    if control_stopped(k) or (c.last and c.nodes >= c.last) or (c.end > 0.0 and control_clock() >= c.end):
        c.stop = np.int32(CS_LIMIT)
    c.check = c.nodes + _OFTEN
    if c.slice > c.nodes and c.slice < c.check:
        c.check = c.slice
    if c.last > c.nodes and c.last < c.check:
        c.check = c.last
    return np.int64(c.stop)


@kernel
def cs_unlimit(c: Record) -> None:
    c.end = 0.0
    c.last = W0
    c.check = W0
    c.stop = np.int32(CS_RUNNING)


@kernel
def cs_allow(c: Record, n: Word) -> None:
    if c.stop == CS_SLICE:
        c.stop = np.int32(CS_RUNNING)
    c.slice = c.nodes + n
    if c.slice < c.check:
        c.check = c.slice


@kernel
def cs_line(c: Record, key: Word) -> Word:
    """The address of the line of a key."""
    return c.lines + (key & c.mask) * _LINE


def _fetch(typing: Any, address: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], function)
        to_read_and_keep = [ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)]
        builder.call(prefetch, [builder.inttoptr(args[0], pointer), *to_read_and_keep])
        return context.get_dummy_value()

    return types.none(types.uint64), codegen


_prefetch = intrinsic(_fetch)


@kernel
def cs_prefetch(c: Record, key: Word) -> None:
    _prefetch(cs_line(c, key))


@kernel
def cs_find(c: Record, key: Word) -> Word:
    e = _entries_at(cs_line(c, key), CS_WAYS)
    for i in range(CS_WAYS):
        if e[i].key == key:
            return e[i].data
    return W0


@kernel
def cs_grow(c: Record) -> None:
    n = c.mask + W1
    lines = realloc(c.lines, (n + n) * _LINE) if n + n <= c.limit else W0
    if not lines:
        c.limit = n
        return
    half = np.int64(n) * CS_WAYS
    e = _entries_at(lines, 2 * half)
    for i in range(half):
        high = e[i].key & n != W0
        e[half + i].key = e[i].key if high else W0
        e[half + i].data = e[i].data if high else W0
        if high:
            e[i].key = W0
            e[i].data = W0
    c.lines = lines
    c.mask = n + n - W1


@kernel
def cs_store(c: Record, key: Word, data: Word) -> None:
    e, worst = _entries_at(cs_line(c, key), CS_WAYS), 0
    for i in range(CS_WAYS):
        if e[i].key == key or not e[i].key:
            if not e[i].key:
                c.filled += W1
            e[i].key = key
            e[i].data = data
            return
        if e[i].data >> _58 < e[worst].data >> _58:
            worst = i
    e[worst].key = key
    e[worst].data = data
    if c.filled > np.uint64(3) * c.mask and np.uint64(2) * c.mask < c.limit:
        cs_grow(c)


@kernel
def cs_work(nodes: Word) -> Word:
    return shl(np.uint64(highest(nodes | W1)), 58)
