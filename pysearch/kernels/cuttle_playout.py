"""The twin of csrc/cuttle_playout.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Word, Words, lowest, nth_bit, popcount
from pysearch.kernels.cuttle import (
    CUTTLE_AIMED,
    CUTTLE_AIMING,
    CUTTLE_ANSWER,
    CUTTLE_COUNTER,
    CUTTLE_DECLINE,
    CUTTLE_DRAW,
    CUTTLE_EFFECT,
    CUTTLE_JACK,
    CUTTLE_MAIN,
    CUTTLE_NUMBERS,
    CUTTLE_OVER,
    CUTTLE_PASS,
    CUTTLE_PERM,
    CUTTLE_PERMANENT,
    CUTTLE_POINTS,
    CUTTLE_RANK,
    CUTTLE_SCUTTLE,
    CUTTLE_TAKE,
    CUTTLE_TAKES,
    CUTTLE_UNAIMED,
    HAND,
    POINTS,
    RANK_2,
    RANK_3,
    RANK_J,
    SCRAP,
    cuttle_code,
    cuttle_jackable,
    cuttle_moves,
    cuttle_play,
    cuttle_stage,
    cuttle_stock_size,
    cuttle_targets,
    cuttle_to_move,
    cuttle_turn,
    local_moves,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.public import PS_MAX_MOVES
from pysearch.kernels.rng import rng_below


@kernel
def cuttle_scuttles(attackers: Word, targets: Word) -> Int:  # C6
    n = 0
    while targets:
        n += popcount(attackers & ~(BIT(lowest(targets)) - W1))
        targets &= targets - W1
    return n


@kernel
def cuttle_nth_scuttle(attackers: Word, targets: Word, k: Int) -> Int:
    while True:
        below = targets & (BIT(lowest(attackers)) - W1)
        n = popcount(below)
        if k < n:
            return cuttle_code(CUTTLE_SCUTTLE, lowest(attackers), nth_bit(below, k))
        k -= n
        attackers &= attackers - W1


@kernel
def cuttle_nth_pair(kind: Int, cards: Word, targets: Word, k: Int) -> Int:
    n = popcount(targets)
    return cuttle_code(kind, nth_bit(cards, k // n), nth_bit(targets, k % n))


@kernel
def cuttle_random_turn(s: Words, r: Words) -> Int:
    p = cuttle_turn(s)
    hand, theirs, targets, under = s[HAND + p], s[POINTS + 1 - p], cuttle_targets(s, p), cuttle_jackable(s, p)
    numbers, perms = hand & CUTTLE_NUMBERS, hand & CUTTLE_PERMANENT
    effects = hand & (CUTTLE_UNAIMED | (CUTTLE_RANK[RANK_3] if s[SCRAP] else W0))
    aiming, jacks = hand & CUTTLE_AIMING, hand & CUTTLE_RANK[RANK_J]
    points, laid, scuttles, plain = (
        popcount(numbers),
        popcount(perms),
        cuttle_scuttles(numbers, theirs),
        popcount(effects),
    )
    aimed = popcount(aiming) * popcount(targets)
    jacked = popcount(jacks) * popcount(under)
    k = rng_below(r, 1 + points + laid + scuttles + plain + aimed + jacked)

    if k == 0:
        return cuttle_code(CUTTLE_DRAW if cuttle_stock_size(s) else CUTTLE_PASS, 0, 0)
    k -= 1
    if k < points:
        return cuttle_code(CUTTLE_POINTS, nth_bit(numbers, k), 0)
    k -= points
    if k < laid:
        return cuttle_code(CUTTLE_PERM, nth_bit(perms, k), 0)
    k -= laid
    if k < scuttles:
        return cuttle_nth_scuttle(numbers, theirs, k)
    k -= scuttles
    if k < plain:
        return cuttle_code(CUTTLE_EFFECT, nth_bit(effects, k), 0)
    k -= plain
    if k < aimed:
        return cuttle_nth_pair(CUTTLE_AIMED, aiming, targets, k)
    return cuttle_nth_pair(CUTTLE_JACK, jacks, under, k - aimed)


@kernel
def cuttle_random_move(s: Words, r: Words) -> Int:
    stage = cuttle_stage(s)
    if stage == CUTTLE_MAIN:
        return cuttle_random_turn(s, r)
    if stage == CUTTLE_COUNTER:
        twos = s[HAND + cuttle_to_move(s)] & CUTTLE_RANK[RANK_2]
        k = rng_below(r, 1 + popcount(twos))
        return cuttle_code(CUTTLE_ANSWER, nth_bit(twos, k - 1), 0) if k else cuttle_code(CUTTLE_DECLINE, 0, 0)
    if stage == CUTTLE_TAKE:
        return cuttle_code(CUTTLE_TAKES, nth_bit(s[SCRAP], rng_below(r, popcount(s[SCRAP]))), 0)
    moves = local_moves(PS_MAX_MOVES)
    return np.int64(moves[rng_below(r, cuttle_moves(s, moves))])


@kernel
def cuttle_playout(s: Words, r: Words, cap: Int) -> Int:
    plies = 0
    while plies < cap and cuttle_stage(s) != CUTTLE_OVER:
        cuttle_play(s, cuttle_random_move(s, r))
        plies += 1
    return plies
