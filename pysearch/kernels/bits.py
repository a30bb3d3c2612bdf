"""Bit operations on 64-bit card masks.

Integers are of two kinds, and no expression mixes them, for numba makes a float of the pair: a Word (uint64) is a mask
or packed fields, an Int (int64) counts or is the number of something. `BIT(i)`, `field` and the functions below lead
from one to the other; `word(i)` and `number(w)` where nothing else does. A shift wants both sides of one kind: `shr`,
`shl`.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from pysearch.kernels.jit import kernel

Word = Any  # uint64
Int = Any  # int64
Words = Any  # a C-contiguous array of uint64
Record = Any  # a struct, by reference: an item of an array of a structured dtype
Real = Any  # float32 or float64

W0, W1 = np.uint64(0), np.uint64(1)
_U64 = ir.IntType(64)


def _unary(name: str, build: Any) -> Any:
    def typed(typing: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return types.int64(types.uint64), codegen

    typed.__name__ = name
    return intrinsic(typed)


popcount = _unary("popcount", lambda b, x: b.ctpop(x))
lowest = _unary("lowest", lambda b, x: b.cttz(x, ir.Constant(ir.IntType(1), 1)))
_leading = _unary("_leading", lambda b, x: b.ctlz(x, ir.Constant(ir.IntType(1), 1)))


@kernel
def word(i: Int) -> Word:
    return np.uint64(i)


@kernel
def number(w: Word) -> Int:
    return np.int64(w)


@kernel
def BIT(i: Int) -> Word:
    return W1 << np.uint64(i)


@kernel
def shr(w: Word, i: Int) -> Word:
    return w >> np.uint64(i)


@kernel
def shl(w: Word, i: Int) -> Word:
    return w << np.uint64(i)


@kernel
def highest(x: Word) -> Int:
    return 63 - _leading(x)


@kernel
def nth_bit(x: Word, k: Int) -> Int:
    while k > 0:
        x &= x - W1
        k -= 1
    return lowest(x)


@kernel
def field(w: Word, shift: Int, width: Int) -> Int:
    return np.int64((w >> np.uint64(shift)) & ((W1 << np.uint64(width)) - W1))


@kernel
def with_field(w: Word, shift: Int, width: Int, value: Word) -> Word:
    mask = (W1 << np.uint64(width)) - W1
    return (w & ~(mask << np.uint64(shift))) | value << np.uint64(shift)
