"""The twin of csrc/buck_equity.h, function by function.

Where the table lies differs from process to process, so compiled code, which is kept on disk, must not hold its
address. The code reads it from a word outside, as C would from a global; the linker knows the word by its name.
"""

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from pysearch.kernels.bits import BIT, W0, Int, Words
from pysearch.kernels.jit import entry, kernel
from pysearch.kernels.memory import at, stack
from pysearch.kernels.public import PS_EQUITY_STATES, PS_ONE

BUCK_EQUITY_TOP = 32
_ONE = np.uint64(PS_ONE)

_TABLE = "pysearch_buck_equity_table"
_table_address = np.zeros(1, np.uint64)  # 0: the formula; changed by buck_use_equity alone
_table: Any = None  # what lies there
binding.add_symbol(_TABLE, _table_address.ctypes.data)


@intrinsic  # type: ignore[untyped-decorator,unused-ignore]
def buck_equity_table(typing: Any) -> Any:
    """The address of the table, or 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, module = ir.IntType(64), builder.module
        place = module.globals.get(_TABLE) or ir.GlobalVariable(module, word, _TABLE)
        return builder.load(place)

    return types.uint64(), codegen


def buck_use_equity(table: Any) -> None:
    """Installs a table for all later calls, or None for the formula; not while another call runs."""
    global _table
    _table_address[0] = 0 if table is None else table.ctypes.data
    _table = table


_shares_at = at(np.uint16)
_local_words = stack(np.uint64)


@kernel
def buck_plain_equity(scores: Words, shares: Words) -> None:
    weight, total, left = _local_words(4), W0, PS_ONE
    for seat in range(4):
        weight[seat] = BIT(40) // np.uint64(10 + np.int64(scores[seat]))
        total += weight[seat]
    for seat in range(4):
        share = weight[seat] * _ONE // total
        shares[seat] = np.uint32(share)
        left -= np.int64(share)
    for seat in range(3):
        shares[seat] += np.uint32(seat < left)


@kernel
def buck_equity(scores: Words, dealer: Int, shares: Words) -> None:
    address = buck_equity_table()
    if address == W0:
        buck_plain_equity(scores, shares)
        return
    index = 0
    for k in range(4):
        score = np.int64(scores[(dealer + k) & 3])
        index |= ((score if score < BUCK_EQUITY_TOP else BUCK_EQUITY_TOP) - 1) << (5 * k)
    table = _shares_at(address, 4 * PS_EQUITY_STATES)
    for k in range(4):
        shares[(dealer + k) & 3] = np.uint32(table[4 * index + k])


@kernel
def buck_unpack_equity(packed: Words, table: Words) -> None:
    plane = 3 * PS_EQUITY_STATES
    for i in range(plane):
        x = np.int64(packed[i]) << 8 | np.int64(packed[plane + i])
        table[4 * (i % PS_EQUITY_STATES) + i // PS_EQUITY_STATES] = np.uint16(x >> 1 ^ -(x & 1))
    step = 1
    while step < PS_EQUITY_STATES:
        for i in range(step, PS_EQUITY_STATES):
            if i // step % BUCK_EQUITY_TOP == 0:
                continue
            for k in range(3):
                table[4 * i + k] = np.uint16(np.int64(table[4 * i + k]) + np.int64(table[4 * (i - step) + k]))
        step *= BUCK_EQUITY_TOP
    for i in range(PS_EQUITY_STATES):
        known = np.int64(table[4 * i]) + np.int64(table[4 * i + 1]) + np.int64(table[4 * i + 2])
        table[4 * i + 3] = np.uint16(PS_ONE - known)


@entry
def buck_api_equity(scores: Words, dealer: Int, shares: Words) -> None:
    buck_equity(scores, dealer, shares)


@entry
def buck_api_unpack_equity(packed: Words, table: Words) -> None:
    buck_unpack_equity(packed, table)
