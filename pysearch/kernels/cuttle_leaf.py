"""The twin of csrc/cuttle_leaf.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, Int, Real, Record, Word, Words, word
from pysearch.kernels.control import control_clock, control_report, control_stopped
from pysearch.kernels.cuttle import HAND, KNOWN, cuttle_stock_card, cuttle_stock_size
from pysearch.kernels.cuttle_net import cuttle_estimate
from pysearch.kernels.cuttle_policy import cuttle_policy_settle
from pysearch.kernels.cuttle_solve import cuttle_solve
from pysearch.kernels.cuttle_worlds import cuttle_worlds_draw
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_CUTTLE_WORDS, PS_MAX_LINE, PS_MAX_MOVES, PS_ONE, SOLUTION, SOLVED
from pysearch.kernels.rng import RNG_WORLD, local_rng, rng_stream

CUTTLE_SCRATCH = np.dtype([("none", "i4")], align=True)


@kernel
def cuttle_scratch_open(scratch: Record) -> Int:
    scratch.none = np.int32(0)
    return 0


@kernel
def cuttle_scratch_close(scratch: Record) -> None:
    pass


@kernel
def cuttle_is_open_quick(view: Words) -> Int:
    return False


@kernel
def cuttle_open_values(scratch: Record, world: Words, moves: Words, count: Int) -> None:
    pass


@kernel
def cuttle_sighted(before: Words, after: Words, seat: Int) -> Word:  # C27
    cards = W0
    for i in range(cuttle_stock_size(after), cuttle_stock_size(before)):
        cards |= BIT(cuttle_stock_card(before, i))
    return cards & ~(after[HAND + 1 - seat] & ~after[KNOWN])


@kernel
def cuttle_leaf(s: Words, r: Words, cap: Int, shares: Words) -> None:
    cuttle_policy_settle(s, r, cap)
    cuttle_estimate(s, shares)


# ---- one world ----

CUTTLE_ENDING = np.dtype([("alone", "i4"), ("stage", "i4"), ("world", "u8", (PS_CUTTLE_WORDS,))], align=True)
_local_solved = stack(SOLVED)
_local_solution = stack(SOLUTION)
_HALF = np.uint64(PS_ONE // 2)


@kernel
def cuttle_ending_open(e: Record, w: Record, seed: Word) -> Int:
    r = local_rng(2)
    rng_stream(r, seed, RNG_WORLD, W0)
    e.stage = np.int32(0)
    e.alone = np.int32(w.unseen <= 1 or w.unseen == w.hidden)
    if e.alone:
        cuttle_worlds_draw(w, r, e.world)
    return 0


@kernel
def cuttle_ending_close(e: Record) -> None:
    pass


@kernel
def cuttle_ending_due(e: Record, iteration: Word) -> Int:
    stage = np.int64(e.stage)
    return e.alone != 0 and stage < 5 and iteration >= word(64 << 4 * stage if stage else 0)


@kernel
def cuttle_ending_book(solved: Words, solution: Record, n: Int, moves: Words) -> None:
    for i in range(n):
        m, result, best = moves[i], np.int64(solved[i].result), solved[i].move == solution.line[0]
        visits = (1 if result != 2 else 0) + (1 if best else 0)
        worth = word(result + 1) * _HALF
        m.visits = word(visits)
        m.total = m.visits * worth
        m.squares = m.total * worth
        if best:
            length: Int = min(np.int64(solution.length), PS_MAX_LINE)
            m.length = np.uint16(length)
            for k in range(length):
                m.line[k] = solution.line[k]


@kernel
def cuttle_ending_step(
    e: Record, scratch: Record, iteration: Word, control: Record, end: Real, moves: Words, found: Record
) -> Int:
    solved, solution = _local_solved(PS_MAX_MOVES), _local_solution(1)[0]
    nodes, limit, done = control.nodes, control.seconds, control.done
    control.nodes = word(16384 << 4 * np.int64(e.stage))
    seconds = end - control_clock() if end > 0.0 else 0.0
    control.seconds = seconds
    late, n = end > 0.0 and seconds <= 0.0, 0
    if not late:
        n = cuttle_solve(e.world, control, solved, solution)
    control.nodes = nodes
    control.seconds = limit
    control_report(control, done)
    if n < 0:
        return n
    if late or control_stopped(control) or (end > 0.0 and control_clock() >= end - seconds / 16.0):
        return 2
    if solution.result == 2:
        e.stage += np.int32(1)
        return 0
    cuttle_ending_book(solved, solution, n, moves)
    found.exact = np.int32(1)
    return 1


@kernel
def cuttle_ending_read(e: Record, moves: Words, count: Int, found: Record) -> Int:
    return np.int64(found.exact)
