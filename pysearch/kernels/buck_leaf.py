"""The twin of csrc/buck_leaf.h, function by function."""

import numpy as np
from numba import types

from pysearch.kernels.bits import BIT, W0, W1, Int, Real, Record, Word, Words, lowest, shr, word
from pysearch.kernels.buck import (
    BUCK_OVER,
    BUCK_PLAY,
    HAND,
    buck_copy,
    buck_dealer,
    buck_out,
    buck_shares,
    buck_stage,
    buck_tricks,
    buck_turn,
    local_words,
)
from pysearch.kernels.buck_policy import buck_policy_playout
from pysearch.kernels.buck_solve_equity import BUCK_FINE
from pysearch.kernels.buck_solve_maxn import BUCK_MAXN, buck_maxn_open, buck_maxn_tag, local_ties, local_worth
from pysearch.kernels.buck_solver import buck_maxn_choices, local_choices, maxn_at
from pysearch.kernels.buck_worlds import BUCK_BINS, buck_choose
from pysearch.kernels.jit import kernel, recursion
from pysearch.kernels.memory import at, calloc, free, stack
from pysearch.kernels.public import PS_BUCK_WORDS, PS_ERROR_MEMORY
from pysearch.kernels.rng import RNG_WORLD, local_rng, rng_below, rng_stream

BUCK_SCRATCH = np.dtype([("maxn", "u8")], align=True)  # the address of a BUCK_MAXN

_MAXN_SIZE = np.uint64(BUCK_MAXN.itemsize)
_local_shares = stack(np.uint32)


@kernel
def buck_scratch_open(scratch: Record) -> Int:
    scratch.maxn = calloc(W1, _MAXN_SIZE)
    if scratch.maxn == W0:
        return PS_ERROR_MEMORY
    maxn_at(scratch.maxn, 1)[0].solved = W1
    return 0


@kernel
def buck_scratch_close(scratch: Record) -> None:
    free(scratch.maxn)


@kernel
def buck_scratch_solver(scratch: Record, s: Words) -> Record:
    m = maxn_at(scratch.maxn, 1)[0]
    if m.tag != buck_maxn_tag(m, s):
        buck_maxn_open(m, s)
    return m


@kernel
def buck_rounded_share(w: Record, seat: Int) -> Int:
    return (np.int64(w.value[seat]) + (1 << (BUCK_FINE - 1))) >> BUCK_FINE


@kernel
def buck_sighted(before: Words, after: Words, seat: Int) -> Word:
    return W0


@kernel
def buck_leaf(s: Words, r: Words, cap: Int, shares: Words) -> None:
    if buck_stage(s) != BUCK_OVER:
        buck_policy_playout(s, r, cap)
    buck_shares(s, shares)


@kernel
def buck_move_shares(scratch: Record, s: Words, share: Words) -> Int:
    c, worth, ties = local_choices(1)[0], local_worth(5), local_ties(1)[0]
    buck_maxn_choices(buck_scratch_solver(scratch, s), s, c, worth, ties)
    for i in range(c.n):
        share[i] = np.uint32(buck_rounded_share(worth[i], buck_turn(s)))
    return c.n


@kernel
def buck_is_open_quick(view: Words) -> Int:
    return buck_stage(view) == BUCK_PLAY


@kernel
def buck_open_values(scratch: Record, world: Words, moves: Words, count: Int) -> None:
    shares = _local_shares(5)
    buck_move_shares(scratch, world, shares)
    for i in range(count):
        share, move = np.uint64(shares[i]), moves[i]
        move.visits += W1
        move.total += share
        move.squares += share * share


# ---- the last two tricks ----

BUCK_HANDS = np.dtype([("hand", "u4", (4,)), ("worlds", "u4")], align=True)

BUCK_ENDING = np.dtype(
    [
        ("alone", "i8"),
        ("count", "i8"),
        ("hands", "u8"),  # the address of `count` items of BUCK_HANDS, or 0
        ("worlds", "u8"),
        ("total", "u8", (5,)),
        ("squares", "u8", (5,)),
        ("done", "i8"),
        ("base", "u8", (PS_BUCK_WORDS,)),
    ],
    align=True,
)

BUCK_FILLING = np.dtype(
    [
        ("bins", "i8"),  # which of the two rows
        ("out", "u8"),  # 0 to count
        ("active", "i8"),
        ("n", "i8"),
        ("hand", "u8", (4,)),  # so far
        ("worlds", "u8"),
    ],
    align=True,
)

_HANDS_SIZE = np.uint64(BUCK_HANDS.itemsize)
_hands_at, _local_filling, _local_cards = at(BUCK_HANDS), stack(BUCK_FILLING), stack(np.int64)
_again = recursion(types.none, 4)


@kernel
def buck_fill_hands(f: Record, w: Record, seat: Int, rest: Word) -> None:
    """As in C, but the hands so far stand in `f`: each seat puts its own there."""
    while seat < 4 and (not f.active >> seat & 1 or w.bins[f.bins, seat] == 0):
        seat += 1
    if seat == 4:
        if f.out:
            h = _hands_at(f.out, f.n + 1)[f.n]
            for i in range(4):
                h.hand[i] = np.uint32(f.hand[i])
            h.worlds = np.uint32(f.worlds)
        f.n += 1
        return
    cards, n, c = _local_cards(24), 0, rest & w.allowed[seat]
    while c:
        cards[n] = lowest(c)
        n += 1
        c &= c - W1
    if n < w.bins[f.bins, seat]:
        return
    before, x = f.hand[seat], BIT(w.bins[f.bins, seat]) - W1
    while x < BIT(n):
        held, c = W0, x
        while c:
            held |= BIT(cards[lowest(c)])
            c &= c - W1
        f.hand[seat] = before | held
        _again(f, w, seat + 1, rest ^ held)
        low = x & (W0 - x)
        up = x + low
        x = up | shr(x ^ up, lowest(low) + 2)
    f.hand[seat] = before


@kernel
def buck_ways_out_of_play(w: Record, which: Int, active: Int) -> Word:
    ways, left = W1, 0
    for bin in range(BUCK_BINS):
        if bin < 4 and active >> bin & 1:
            continue
        left += w.bins[which, bin]
        ways *= buck_choose(left, w.bins[which, bin])
    return ways


@kernel
def buck_fill(f: Record, w: Record, which: Int, worlds: Word) -> None:
    f.bins = which
    f.worlds = worlds
    buck_fill_hands(f, w, 0, w.unseen)


@kernel
def buck_list_hands(w: Record, out: Word) -> Int:
    """Counts the hands, or writes them down at the address `out`. B5."""
    dealer, active, f = buck_dealer(w.base), ~buck_out(w.base) & 15, _local_filling(1)[0]
    with_dealer = buck_ways_out_of_play(w, 0, active) if w.buried_from else W0
    buried = buck_ways_out_of_play(w, 1, active) if w.up else W0
    apart = w.up != W0 and active >> dealer & 1
    f.out = out
    f.active = active
    f.n = 0
    for seat in range(4):
        f.hand[seat] = W0
    if apart:
        f.hand[dealer] = w.up
    worlds = with_dealer + (W0 if apart else buried)
    if worlds:
        buck_fill(f, w, 0, worlds)
    f.hand[dealer] = W0
    if apart and buried:
        buck_fill(f, w, 1, buried)
    return f.n


@kernel
def buck_ending_open(e: Record, w: Record, seed: Word) -> Int:
    e.alone = 0
    e.count = 0
    e.hands = W0
    e.worlds = W0
    e.done = 0
    for i in range(5):
        e.total[i] = W0
        e.squares[i] = W0
    buck_copy(e.base, w.base)
    tricks, r = 0, local_rng(2)
    for seat in range(4):
        tricks += buck_tricks(w.base, seat)
    if buck_stage(w.base) != BUCK_PLAY or (tricks < 3 and w.unseen):
        return 0
    e.count = buck_list_hands(w, W0)
    e.hands = calloc(word(e.count), _HANDS_SIZE)
    if e.hands == W0:
        return PS_ERROR_MEMORY
    buck_list_hands(w, e.hands)
    e.alone = 1
    rng_stream(r, seed, RNG_WORLD, W0)
    hands = _hands_at(e.hands, e.count)
    for i in range(e.count - 1, 0, -1):
        a, b = hands[i], hands[rng_below(r, i + 1)]
        for seat in range(4):
            a.hand[seat], b.hand[seat] = b.hand[seat], a.hand[seat]
        a.worlds, b.worlds = b.worlds, a.worlds
    return 0


@kernel
def buck_ending_close(e: Record) -> None:
    free(e.hands)


@kernel
def buck_ending_due(e: Record, iteration: Word) -> Int:
    return e.alone


@kernel
def buck_ending_step(
    e: Record, scratch: Record, iteration: Word, control: Record, end: Real, moves: Words, found: Record
) -> Int:
    share, s, h = _local_shares(5), local_words(PS_BUCK_WORDS), _hands_at(e.hands, e.count)[iteration]
    buck_copy(s, e.base)
    for seat in range(4):
        s[HAND + seat] |= np.uint64(h.hand[seat])
    worlds = np.uint64(h.worlds)
    e.worlds += worlds
    for i in range(buck_move_shares(scratch, s, share)):
        value = np.uint64(share[i])
        e.total[i] += worlds * value
        e.squares[i] += worlds * value * value
    e.done = np.int64(iteration) + 1
    found.enumerated = np.int32(e.done == e.count)
    found.exact = np.int32(e.count == 1)
    return np.int64(found.enumerated)


@kernel
def buck_ending_read(e: Record, moves: Words, count: Int, found: Record) -> Int:
    if e.alone and e.done:
        done = word(e.done)
        for i in range(count):
            move = moves[i]
            move.visits = done
            move.total = (e.total[i] * done + e.worlds // np.uint64(2)) // e.worlds
            move.squares = e.squares[i] // e.worlds * done
    return e.alone
