"""The twin of csrc/cuttle_net.h, function by function."""

import numpy as np

from pysearch.kernels.bits import W0, Int, Word, Words, lowest, popcount, shl, shr
from pysearch.kernels.cuttle import (
    CUTTLE_NUMBERS,
    CUTTLE_OVER,
    HAND,
    PERMS,
    POINTS,
    RANK_8,
    SCRAP,
    cuttle_goal,
    cuttle_passes,
    cuttle_shares,
    cuttle_stage,
    cuttle_stock_size,
    cuttle_sum,
    cuttle_turn,
)
from pysearch.kernels.cuttle_net_weights import (
    cuttle_net_first,
    cuttle_net_last,
    cuttle_net_output,
    cuttle_net_rows_of,
)
from pysearch.kernels.cuttle_policy import cuttle_winners, cuttle_wins_now
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_ONE

NET_HANDS = 0
NET_POINTS = NET_HANDS + 2 * 52
NET_PERMS = NET_POINTS + 2 * 40
NET_SCRAP = NET_PERMS + 2 * 24
NET_NEEDS = NET_SCRAP + 52
NET_SIZES = NET_NEEDS + 2 * 22
NET_STOCK = NET_SIZES + 2 * 16
NET_PASSES = NET_STOCK + 42
NET_THREATS = NET_PASSES + 3
NET_SCUTTLES = NET_THREATS + 4
NET_ROWS = NET_SCUTTLES + 2 * 2
NET_MOST = 2 * (13 + 10 + 6) + 13 + 10
NET_HIDDEN, NET_ONE = 64, 128
assert cuttle_net_rows_of.shape == (NET_ROWS, NET_HIDDEN)

_PAIRS, _NIBBLES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_COUNT = np.uint64(7)
_local_rows = stack(np.int64)
_local_sums = stack(np.int16)


@kernel
def cuttle_net_ranks(cards: Word, base: Int, rows: Words, n: Int) -> Int:
    cards -= shr(cards, 1) & _PAIRS
    cards = (cards & _NIBBLES) + (shr(cards, 2) & _NIBBLES)
    while cards:
        at = lowest(cards) & ~3
        count = shr(cards, at) & _COUNT
        rows[n] = base + at + np.int64(count) - 1
        cards ^= shl(count, at)
        n += 1
    return n


@kernel
def cuttle_net_rows(s: Words, rows: Words) -> Int:
    turn = cuttle_turn(s)
    n = cuttle_net_ranks(s[SCRAP], NET_SCRAP, rows, 0)
    for side in range(2):
        p = turn ^ side
        size, need = popcount(s[HAND + p]), cuttle_goal(s, p) - cuttle_sum(s[POINTS + p])
        theirs = s[POINTS + 1 - p]
        n = cuttle_net_ranks(s[HAND + p], NET_HANDS + 52 * side, rows, n)
        n = cuttle_net_ranks(s[POINTS + p], NET_POINTS + 40 * side, rows, n)
        n = cuttle_net_ranks(shr(s[PERMS + p], 4 * RANK_8), NET_PERMS + 24 * side, rows, n)
        rows[n] = NET_NEEDS + 22 * side + max(need, 0)
        rows[n + 1] = NET_SIZES + 16 * side + min(size, 15)
        scuttled = theirs != W0 and (s[HAND + p] & CUTTLE_NUMBERS) > theirs
        rows[n + 2] = NET_SCUTTLES + 2 * side + (1 if scuttled else 0)
        n += 3
    threats = popcount(s[HAND + 1 - turn] & cuttle_winners(s, 1 - turn))
    rows[n] = NET_STOCK + min(cuttle_stock_size(s), 41)
    rows[n + 1] = NET_PASSES + cuttle_passes(s) % 3
    rows[n + 2] = NET_THREATS + min(threats, 3)
    return n + 3


@kernel
def cuttle_net_odds(s: Words) -> Int:
    rows, sums = _local_rows(NET_MOST), _local_sums(NET_HIDDEN)
    n = cuttle_net_rows(s, rows)
    odds: Int = cuttle_net_last
    for k in range(NET_HIDDEN):
        sums[k] = cuttle_net_first[k]
    for i in range(n):
        row = rows[i]
        for k in range(NET_HIDDEN):
            sums[k] += cuttle_net_rows_of[row, k]
    for k in range(NET_HIDDEN):
        unit: Int = np.int64(sums[k])
        odds += min(max(unit, 0), NET_ONE) * np.int64(cuttle_net_output[k])
    return odds >> 7


# fmt: off
_LOGISTIC: Words = np.array([
    32760, 34805, 36834, 38832, 40784, 42677, 44500, 46243, 47899, 49462,
    50929, 52297, 53567, 54741, 55820, 56808, 57710, 58530, 59273, 59944,
    60550, 61094, 61583, 62021, 62413, 62762, 63074, 63352, 63599, 63819,
    64015, 64188, 64342, 64478, 64599, 64705, 64800, 64884, 64958, 65024,
    65081, 65133, 65178, 65218, 65253, 65285, 65312, 65336, 65358,
])
# fmt: on


@kernel
def cuttle_net_share(odds: Int) -> Int:
    size = abs(odds)
    i, rest = (size >> 3, size & 7) if size < 383 else (47, 7)
    share = (_LOGISTIC[i] * (8 - rest) + _LOGISTIC[i + 1] * rest) // 8
    return PS_ONE - share if odds < 0 else share


@kernel
def cuttle_estimate(s: Words, shares: Words) -> None:
    p, share = cuttle_turn(s), PS_ONE
    if cuttle_stage(s) == CUTTLE_OVER:
        cuttle_shares(s, shares)
        return
    if not cuttle_wins_now(s):
        share = cuttle_net_share(cuttle_net_odds(s))
    shares[p] = share
    shares[1 - p] = PS_ONE - share
