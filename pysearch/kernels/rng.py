"""Counter-based random numbers, as csrc/rng.h defines them: the t-th word of a game depends on (seed, use, index, t).

An rng is an array of two Words, x and g; arithmetic of 32 bits is done in 64 and cut off.
"""

import numpy as np

from pysearch.kernels.bits import W1, Int, Word, Words
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack

RNG_DEAL, RNG_WORLD, RNG_PLAYOUT, RNG_SEARCH = 0, 1, 2, 3

_M = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_GOLDEN = np.uint64(0x9E3779B9)

local_rng = stack(np.uint64)  # local_rng(2)


@kernel
def mix32(x: Word) -> Word:
    x ^= x >> np.uint64(16)
    x = x * np.uint64(0x21F0AAAD) & _M
    x ^= x >> np.uint64(15)
    x = x * np.uint64(0x735A2D97) & _M
    return x ^ x >> np.uint64(15)


@kernel
def rng_open(seed: Word, use: Int, index: Word) -> tuple[Word, Word]:
    """Two words mixed from (seed, use, upper half of the index)."""
    lo, hi, top, u = seed & _M, seed >> _32, index >> _32, np.uint64(use)
    s0 = mix32(mix32((lo + np.uint64(0x85EBCA6B)) & _M) ^ hi)
    s1 = mix32((mix32(lo ^ np.uint64(0x165667B1)) + hi) & _M)
    s0 = mix32((s0 + u * np.uint64(0xC2B2AE35) + top * np.uint64(0x27D4EB2F)) & _M)
    s1 = mix32(s1 ^ ((u * np.uint64(0x9E3779B1) + top * np.uint64(0x85EBCA77)) & _M))
    return s0, s1


@kernel
def rng_stream(r: Words, seed: Word, use: Int, index: Word) -> None:
    """The stream of (seed, use, index) into r."""
    s0, s1 = rng_open(seed, use, index)
    low = index & _M
    r[0] = mix32((s0 + low) & _M)
    r[1] = mix32(s1 ^ low) | W1


@kernel
def rng_word(r: Words) -> Word:
    """The next word: 64 bits."""
    r[0] = (r[0] + r[1]) & _M
    return mix32(r[0]) << _32 | mix32(r[0] ^ _GOLDEN)


@kernel
def rng_below(r: Words, n: Int) -> Int:
    """One of 0...n-1 out of the upper half of the next word; n >= 1."""
    r[0] = (r[0] + r[1]) & _M
    return np.int64(mix32(r[0]) * np.uint64(n) >> _32)


@kernel
def rng_below64(r: Words, n: Word) -> Word:
    """One of 0...n-1, n up to 2^56, out of a whole word."""
    w = rng_word(r)
    wh, wl, nh, nl = w >> _32, w & _M, n >> _32, n & _M
    mid = wh * nl + (wl * nl >> _32)
    return wh * nh + (mid >> _32) + (((mid & _M) + wl * nh) >> _32)


@kernel
def rng_weighed(r: Words, weights: Words, n: Int) -> Int:
    """One of 0...n-1 by their weights, whose sum is below 2^32."""
    total = np.int64(0)
    for i in range(n):
        total += np.int64(weights[i])
    x, k = rng_below(r, total), 0
    while x >= np.int64(weights[k]):
        x -= np.int64(weights[k])
        k += 1
    return k
