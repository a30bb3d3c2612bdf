"""The solvers of Buck Euchre behind one function: the twin of csrc/buck_solver.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, highest, popcount
from pysearch.kernels.buck import (
    BUCK_OVER,
    BUCK_PLAY,
    buck_copy,
    buck_move_card,
    buck_moves,
    buck_pack,
    buck_play,
    buck_stage,
    buck_tricks,
    buck_trump,
    buck_turn,
    buck_viewer,
    local_moves,
    local_words,
)
from pysearch.kernels.buck_solve import (
    BUCK_CURRENT,
    buck_following,
    buck_live_cards,
    buck_merged,
    buck_open_state,
)
from pysearch.kernels.buck_solve_coalition import (
    BUCK_COALITION,
    buck_coalition_after,
    buck_coalition_lead,
    buck_coalition_value,
)
from pysearch.kernels.buck_solve_equity import BUCK_FINE, buck_taken, buck_worth_copy, buck_worth_of_end
from pysearch.kernels.buck_solve_maxn import (
    BUCK_MAXN,
    buck_maxn_card,
    buck_maxn_here,
    buck_maxn_open,
    buck_ties_add,
    buck_ties_mean,
    buck_whole,
    local_ties,
    local_worth,
)
from pysearch.kernels.buck_solve_sides import BUCK_SIDES, buck_sides_card, buck_sides_open
from pysearch.kernels.control import control_clock, control_report, control_stopped
from pysearch.kernels.jit import entry, kernel
from pysearch.kernels.memory import at as array_at
from pysearch.kernels.memory import calloc, free, memset, stack
from pysearch.kernels.public import (
    BUCK_SOLUTION,
    PS_BUCK_LINE,
    PS_BUCK_MOVES,
    PS_BUCK_WORDS,
    PS_COALITION,
    PS_COOPERATIVE,
    PS_ERROR_ARGUMENT,
    PS_ERROR_MEMORY,
    PS_ERROR_OVER,
    PS_MAXN,
)

BUCK_SOLVER = np.dtype(
    [
        ("objective", "i8"),
        ("detail", "i8"),
        ("seats", "i8"),
        ("start", "f8"),
        ("before", "u8"),
        ("stopped", "i8"),
        ("coalition", "u8"),  # the one that the objective needs; the others 0
        ("sides", "u8"),
        ("maxn", "u8"),
    ],
    align=True,
)
BUCK_CHOICES = np.dtype([("n", "i8"), ("move", "u2", (5,)), ("card", "u8", (5,)), ("like", "i8", (5,))], align=True)
BUCK_LINE = np.dtype([("move", "u2", (PS_BUCK_LINE,)), ("n", "i8")], align=True)

_COALITION_SIZE = np.uint64(BUCK_COALITION.itemsize)
_SIDES_SIZE = np.uint64(BUCK_SIDES.itemsize)
_MAXN_SIZE = np.uint64(BUCK_MAXN.itemsize)
_SOLUTION_SIZE = np.uint64(BUCK_SOLUTION.itemsize)

coalition_at = array_at(BUCK_COALITION)
sides_at = array_at(BUCK_SIDES)
maxn_at = array_at(BUCK_MAXN)
local_choices = stack(BUCK_CHOICES)
_local_current = stack(BUCK_CURRENT)
_local_line = stack(BUCK_LINE)
_local_solver = stack(BUCK_SOLVER)


# ---- memory, limits ----


@kernel
def buck_solver_open(v: Record, objective: Int, seats: Int, detail: Int) -> Int:
    v.objective = objective
    v.detail = detail
    v.seats = seats
    v.start = control_clock()
    v.before = W0
    v.stopped = 0
    v.coalition = calloc(W1, _COALITION_SIZE) if objective == PS_COALITION else W0
    v.maxn = calloc(W1, _MAXN_SIZE) if objective == PS_MAXN else W0
    v.sides = calloc(W1, _SIDES_SIZE) if objective != PS_COALITION and objective != PS_MAXN else W0
    return 0 if v.coalition or v.maxn or v.sides else PS_ERROR_MEMORY


@kernel
def buck_solver_close(v: Record) -> None:
    free(v.coalition)
    free(v.maxn)
    free(v.sides)


@kernel
def buck_solver_nodes(v: Record) -> Word:
    if v.coalition:
        return coalition_at(v.coalition, 1)[0].nodes
    if v.maxn:
        return maxn_at(v.maxn, 1)[0].nodes
    return sides_at(v.sides, 1)[0].nodes


@kernel
def buck_solver_stopped(v: Record, control: Record) -> Int:
    if (
        control_stopped(control)
        or (control.nodes and buck_solver_nodes(v) >= control.nodes)
        or (control.seconds > 0.0 and control_clock() - v.start >= control.seconds)
    ):
        v.stopped = 1
    return v.stopped


# ---- the moves of the play stage ----


@kernel
def buck_choices_open(c: Record, s: Words, o: Record, at: Record) -> None:
    hand, live, trump = o.hand[at.seat], buck_live_cards(o) | at.best, buck_trump(s)
    merged = buck_merged(buck_following(hand, at.lane) if at.best else hand, live)
    c.n = buck_moves(s, c.move)
    for i in range(c.n):
        card = buck_pack(BIT(buck_move_card(np.int64(c.move[i]))), trump)
        c.card[i] = BIT(highest(merged & (card + card - W1)))
        like = 0
        while c.card[like] != c.card[i]:
            like += 1
        c.like[i] = like


# ---- coalition ----


@kernel
def buck_taken_by(s: Words, seats: Int) -> Int:
    n = 0
    for seat in range(4):
        if seats >> seat & 1:
            n += buck_tricks(s, seat)
    return n


@kernel
def buck_coalition_open(t: Record, at: Record, s: Words, seats: Int) -> None:
    buck_open_state(t.open, at, s)
    t.coalition = seats & t.open.active
    buck_coalition_lead(t, np.int64(-1), np.int64(0), np.int64(0))


@kernel
def buck_coalition_move(t: Record, s: Words, seats: Int, value: Int) -> Int:
    at, c = _local_current(1)[0], local_choices(1)[0]
    buck_coalition_open(t, at, s, seats)
    buck_choices_open(c, s, t.open, at)
    side, i = t.coalition >> at.seat & 1, 0
    goal = value if side else value + 1
    while i < c.n - 1 and (c.like[i] < i or buck_coalition_after(t, at, c.card[i], goal) != side):
        i += 1
    return np.int64(c.move[i])


@kernel
def buck_solve_coalition(v: Record, s: Words, out: Record) -> None:
    t, at, c = coalition_at(v.coalition, 1)[0], _local_current(1)[0], local_choices(1)[0]
    buck_coalition_open(t, at, s, v.seats)
    mates, players = popcount(np.uint64(t.coalition)), t.open.players
    value = (at.left * mates + players // 2) // players
    if v.detail == 0:
        out.score = np.int32(buck_coalition_value(t, at, W0, value))
        return
    buck_choices_open(c, s, t.open, at)
    better, best = t.coalition >> at.seat & 1, 0
    for i in range(c.n):
        like = c.like[i]
        value = np.int64(out.move_score[like]) if like < i else buck_coalition_value(t, at, c.card[i], value)
        out.move[i] = c.move[i]
        out.move_score[i] = np.int32(value)
        if i == 0 or (value > best if better else value < best):
            best = value
    out.score = np.int32(best)
    out.moves = np.int32(c.n)
    if v.detail < 2:
        return
    here, seats, length, value = local_words(PS_BUCK_WORDS), v.seats & t.open.active, 0, best
    buck_copy(here, s)
    while buck_stage(here) != BUCK_OVER:
        before = buck_taken_by(here, seats)
        move = buck_coalition_move(t, here, v.seats, value)
        out.line[length] = np.uint16(move)
        length += 1
        buck_play(here, move)
        value -= buck_taken_by(here, seats) - before
    out.length = np.int32(length)


# ---- share of the seat to move, with all against it or for it ----


@kernel
def buck_solve_sides(v: Record, s: Words, out: Record) -> None:
    b, at, c = sides_at(v.sides, 1)[0], _local_current(1)[0], local_choices(1)[0]
    seat = buck_turn(s)
    buck_sides_open(b, at, s, seat, 15 if v.objective == PS_COOPERATIVE else 1 << seat)
    buck_choices_open(c, s, b.open, at)
    best = -1
    for i in range(c.n):
        like = c.like[i]
        value = np.int64(out.move_score[like]) if like < i else buck_sides_card(b, at, c.card[i], buck_taken(s))
        out.move[i] = c.move[i]
        out.move_score[i] = np.int32(value)
        best = max(best, value)
    out.score = np.int32(best)
    out.moves = np.int32(c.n if v.detail else 0)
    if v.detail < 2:
        return
    here, length = local_words(PS_BUCK_WORDS), 0
    buck_copy(here, s)
    while buck_stage(here) != BUCK_OVER:
        i = 0
        buck_open_state(b.open, at, here)
        buck_choices_open(c, here, b.open, at)
        while i < c.n - 1 and (c.like[i] < i or buck_sides_card(b, at, c.card[i], buck_taken(here)) != best):
            i += 1
        out.line[length] = c.move[i]
        length += 1
        buck_play(here, np.int64(c.move[i]))
    out.length = np.int32(length)


# ---- max^n ----


@kernel
def buck_maxn_choices(m: Record, s: Words, c: Record, worth: Words, ties: Record) -> Int:
    at, best = _local_current(1)[0], 0
    buck_open_state(m.open, at, s)
    buck_choices_open(c, s, m.open, at)
    ties.count = 0
    for i in range(c.n):
        if c.like[i] < i:
            buck_worth_copy(worth[i], worth[c.like[i]])
        else:
            buck_maxn_card(m, at, c.card[i], buck_taken(s), worth[i])
        if buck_ties_add(ties, worth[i], at.seat):
            best = i
    return best


@kernel
def buck_line_set(line: Record, move: Int, rest: Record) -> None:
    line.n = rest.n + 1
    line.move[0] = np.uint16(move)
    for i in range(rest.n):
        line.move[i + 1] = rest.move[i]


@kernel
def buck_maxn_line(m: Record, s: Words, line: Record) -> None:
    """As in C, but `s` is used up."""
    c, worth, ties = local_choices(1)[0], local_worth(5), local_ties(1)[0]
    buck_maxn_open(m, s)
    while buck_stage(s) != BUCK_OVER:
        move = c.move[buck_maxn_choices(m, s, c, worth, ties)]
        line.move[line.n] = move
        line.n += 1
        buck_play(s, np.int64(move))


@kernel
def buck_maxn_deal(v: Record, control: Record, s: Words, bids: Record, mean: Record) -> Int:
    """The worth into `mean`; returns `stopped`, after which nothing means anything."""
    bids.n = 0
    if buck_stage(s) == BUCK_OVER:
        buck_worth_of_end(s, mean)  # B9
        return 0
    if buck_stage(s) == BUCK_PLAY:
        if buck_solver_stopped(v, control):
            return 1
        m = maxn_at(v.maxn, 1)[0]
        buck_maxn_open(m, s)
        buck_maxn_here(m, s, mean)
        return 0
    moves, next_ = local_moves(PS_BUCK_MOVES), local_words(PS_BUCK_WORDS)
    ties, rest = local_ties(1)[0], _local_line(1)[0]
    ties.count = 0
    for i in range(buck_moves(s, moves)):
        move = np.int64(moves[i])
        buck_copy(next_, s)
        buck_play(next_, move)
        if buck_maxn_deal(v, control, next_, rest, mean):
            return 1
        if buck_ties_add(ties, mean, buck_turn(s)):
            buck_line_set(bids, move, rest)
    buck_ties_mean(ties, mean)
    return 0


@kernel
def buck_worth_from(s: Words, w: Record, out: Record) -> None:
    buck_worth_copy(out, w)
    for seat in range(4):
        out.tricks[seat] -= np.int32(buck_tricks(s, seat) << BUCK_FINE)


@kernel
def buck_solve_maxn_play(v: Record, s: Words, out: Record, line: Record) -> None:
    m, c, worth = maxn_at(v.maxn, 1)[0], local_choices(1)[0], local_worth(5)
    ties, mean = local_ties(1)[0], local_worth(1)[0]
    buck_maxn_open(m, s)
    buck_maxn_choices(m, s, c, worth, ties)
    buck_ties_mean(ties, mean)
    buck_worth_from(s, mean, out.worth)
    out.moves = np.int32(c.n)
    for i in range(c.n):
        out.move[i] = c.move[i]
        buck_worth_from(s, worth[i], out.move_worth[i])
    line.n = 0


@kernel
def buck_solve_maxn_bids(v: Record, control: Record, s: Words, out: Record, line: Record) -> None:
    ties, mean, rest = local_ties(1)[0], local_worth(1)[0], _local_line(1)[0]
    next_, n = local_words(PS_BUCK_WORDS), buck_moves(s, out.move)
    ties.count = 0
    for i in range(n):
        move = np.int64(out.move[i])
        buck_copy(next_, s)
        buck_play(next_, move)
        if buck_maxn_deal(v, control, next_, rest, mean):
            return
        buck_worth_from(s, mean, out.move_worth[i])
        if buck_ties_add(ties, mean, buck_turn(s)):
            buck_line_set(line, move, rest)
    out.moves = np.int32(n)
    buck_ties_mean(ties, mean)
    buck_worth_from(s, mean, out.worth)


@kernel
def buck_solve_maxn(v: Record, control: Record, s: Words, out: Record) -> None:
    m, line = maxn_at(v.maxn, 1)[0], _local_line(1)[0]
    m.solved += W1
    if buck_stage(s) == BUCK_PLAY:
        buck_solve_maxn_play(v, s, out, line)
    else:
        buck_solve_maxn_bids(v, control, s, out, line)
    if v.stopped:
        return
    out.score = np.int32(buck_whole(np.int64(out.worth.value[buck_turn(s)])))
    if v.detail == 0:
        out.moves = np.int32(0)
    if v.detail < 2:
        return
    here = local_words(PS_BUCK_WORDS)
    buck_copy(here, s)
    for i in range(line.n):
        buck_play(here, np.int64(line.move[i]))
    buck_maxn_line(m, here, line)
    out.length = np.int32(line.n)
    for i in range(line.n):
        out.line[i] = line.move[i]


# ---- one position, many positions ----


@kernel
def buck_solvable(s: Words, objective: Int) -> Int:
    if buck_viewer(s) >= 0:
        return PS_ERROR_ARGUMENT
    if buck_stage(s) == BUCK_OVER:
        return PS_ERROR_OVER
    return 0 if objective == PS_MAXN or buck_stage(s) == BUCK_PLAY else PS_ERROR_ARGUMENT


@kernel
def buck_solve_one(v: Record, control: Record, s: Words, out: Record) -> None:
    """`out` is full of zeros."""
    if v.coalition:
        buck_solve_coalition(v, s, out)
    elif v.maxn:
        buck_solve_maxn(v, control, s, out)
    else:
        buck_solve_sides(v, s, out)
    out.nodes = buck_solver_nodes(v) - v.before
    out.known = np.int32(1 - v.stopped)
    v.before += out.nodes


@kernel
def buck_solve(
    states: Words, n: Int, objective: Int, seats: Int, detail: Int, control: Record, solutions: Words
) -> Int:
    """The states one after the other. 0, 1 when stopped, or an error."""
    if objective < PS_MAXN or objective > PS_COALITION or seats < 0 or seats > 15:
        return PS_ERROR_ARGUMENT
    v, s = _local_solver(1)[0], local_words(PS_BUCK_WORDS)
    bad = buck_solver_open(v, objective, seats, detail)
    control_report(control, W0)
    for i in range(n):
        if bad or v.stopped:
            break
        for k in range(PS_BUCK_WORDS):
            s[k] = states[i * PS_BUCK_WORDS + k]
        memset(np.uint64(solutions.ctypes.data) + np.uint64(i) * _SOLUTION_SIZE, np.int32(0), _SOLUTION_SIZE)
        bad = buck_solvable(s, objective)
        if bad or buck_solver_stopped(v, control):
            break
        buck_solve_one(v, control, s, solutions[i])
        if not v.stopped:
            control_report(control, np.uint64(i + 1))
    buck_solver_close(v)
    return bad if bad else v.stopped


@entry
def buck_api_solve(
    states: Words, n: Int, objective: Int, seats: Int, detail: Int, control: Record, solutions: Words
) -> Int:
    return buck_solve(states, n, objective, seats, detail, control[0], solutions)
