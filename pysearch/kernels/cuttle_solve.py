"""The twin of csrc/cuttle_solve.h, function by function."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from pysearch.kernels.bits import W0, W1, Int, Record, Words, word
from pysearch.kernels.control import control_clock, control_report
from pysearch.kernels.cuttle import (
    CUTTLE_OVER,
    HAND,
    SCRAP,
    STATUS,
    cuttle_copy,
    cuttle_moves,
    cuttle_play,
    cuttle_stage,
    cuttle_to_move,
    cuttle_viewer,
    local_moves,
    local_words,
)
from pysearch.kernels.cuttle_solve_alphabeta import CS_MOVES, CS_NEVER, cs_forces, cs_win_within
from pysearch.kernels.cuttle_solve_case import (
    CS_CASE,
    CS_UNKNOWN,
    cs_case_open,
    cs_exact,
    cs_is_draw,
    cs_measure,
    cs_note_win,
    cs_recall,
    cs_settle,
    cs_try,
    cs_winner,
    local_cases,
)
from pysearch.kernels.cuttle_solve_dfpn import CS_CHILD, CS_CHILDREN
from pysearch.kernels.cuttle_solve_moves import cs_deck_open
from pysearch.kernels.cuttle_solve_state import cs_to_move
from pysearch.kernels.cuttle_solve_table import (
    CS_ENTRY,
    CS_FIRST_LINES,
    CS_HISTORY,
    CS_LIMIT,
    CS_RUNNING,
    CS_WAYS,
    cs_allow,
    cs_find,
    cs_unlimit,
    local_searches,
)
from pysearch.kernels.jit import entry, kernel
from pysearch.kernels.memory import at, calloc, free, stack
from pysearch.kernels.public import (
    PS_CUTTLE_LINE,
    PS_CUTTLE_WORDS,
    PS_ERROR_ARGUMENT,
    PS_ERROR_MEMORY,
    PS_ERROR_OVER,
    PS_MAX_MOVES,
)

CS_GRACE, CS_OTHERS = np.uint64(1 << 20), np.uint64(1 << 22)
CS_AMPLE = np.uint64((1 << 63) - 1)

_WORDS, _SEEN, _SEEN_WORDS = PS_CUTTLE_WORDS, 64, 64 * PS_CUTTLE_WORDS
_LINE, _CHILD = np.uint64(CS_WAYS * CS_ENTRY.itemsize), np.uint64(CS_CHILD.itemsize)
_CASE, _MEMORY = np.uint64(CS_CASE.itemsize), np.uint64(256 << 20)
_2, _4 = np.uint64(2), np.uint64(4)
_cases_at = at(CS_CASE)

Step = tuple[Int, Int]  # move and plies


def _place(typing: Any, record: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], context.get_value_type(types.uint64))

    return types.uint64(record), codegen


_address = intrinsic(_place)


@kernel
def cs_open(c: Record, g: Words, control: Record) -> Int:
    memory = control.memory if control.memory else _MEMORY
    cs_deck_open(c.deck, g)
    c.control = _address(control)
    c.last = control.nodes
    c.end = control_clock() + control.seconds if control.seconds > 0.0 else 0.0
    c.filled = W0
    c.nodes = W0
    c.check = W0
    c.slice = W0
    c.stop = np.int32(CS_RUNNING)
    c.side = np.int32(0)
    c.deep = np.int32(0)
    c.top = np.int32(0)
    c.child_top = np.int32(0)
    for i in range(CS_HISTORY):
        c.history[i] = np.int32(0)
    limit = np.uint64(1 << 8)
    while _2 * limit * _LINE <= memory:
        limit *= _2
    c.limit = limit
    lines = min(limit, np.uint64(CS_FIRST_LINES))
    c.mask = lines - W1
    c.lines = calloc(lines, _LINE)
    c.moves = calloc(np.uint64(CS_MOVES), np.uint64(2))
    c.scores = calloc(np.uint64(CS_MOVES), np.uint64(4))
    c.children = calloc(np.uint64(CS_CHILDREN), _CHILD)
    return 0 if c.lines and c.moves and c.scores and c.children else PS_ERROR_MEMORY


@kernel
def cs_close(c: Record) -> None:
    free(c.lines)
    free(c.moves)
    free(c.scores)
    free(c.children)


# ---- the moves of the root ----

CS_ROOT = np.dtype(
    [
        ("position", CS_CASE),
        ("child", "u8"),
        ("children", "i4"),
        ("moves", "i4"),
        ("move", "u2", (PS_MAX_MOVES,)),
        ("like", "u2", (PS_MAX_MOVES,)),
    ],
    align=True,
)
_local_roots = stack(CS_ROOT)


@kernel
def _same(a: Record, b: Record) -> Int:
    """Whether two cases have the same state."""
    for i in range(8):
        if a.state.words[i] != b.state.words[i]:
            return 0
    return np.int64(a.key == b.key)


@kernel
def cs_root_open(c: Record, r: Record, g: Words) -> Int:
    cs_case_open(c, r.position, g)
    moves, after = local_moves(PS_MAX_MOVES), local_words(_WORDS)
    n, children = cuttle_moves(g, moves), 0
    r.moves = np.int32(n)
    r.children = np.int32(0)
    r.child = calloc(word(max(n, 1)), _CASE)
    if not r.child:
        return PS_ERROR_MEMORY
    child = _cases_at(r.child, n)
    for i in range(n):
        r.move[i] = moves[i]
        cuttle_copy(after, g)
        cuttle_play(after, np.int64(moves[i]))
        k = child[children]
        cs_case_open(c, k, after)
        j = 0
        while not _same(child[j], k):
            j += 1
        r.like[i] = np.uint16(j)
        if j == children:
            children += 1
    r.children = np.int32(children)
    return 0


@kernel
def cs_hand_down(r: Record) -> None:
    k = r.position
    p = cs_to_move(k.state)
    child, q, lost = _cases_at(r.child, np.int64(r.children)), p ^ 1, np.int64(k.win[p ^ 1])
    for i in range(np.int64(r.children)):
        if np.int64(child[i].none[p]) < np.int64(k.none[p]) - 1:
            child[i].none[p] = np.int32(np.int64(k.none[p]) - 1)
        if k.never[p]:
            child[i].never[p] = np.int32(1)
        if lost < CS_UNKNOWN:
            cs_note_win(child[i], q, lost - 1)


@kernel
def cs_hand_up(r: Record) -> None:
    k = r.position
    p = cs_to_move(k.state)
    child, q = _cases_at(r.child, np.int64(r.children)), p ^ 1
    best, longest, none, saved, hopeless = CS_UNKNOWN, 0, CS_UNKNOWN, False, True
    for i in range(np.int64(r.children)):
        best = min(best, np.int64(child[i].win[p]))
        none = min(none, np.int64(child[i].none[p]))
        longest = max(longest, np.int64(child[i].win[q]))
        if np.int64(child[i].none[q]) + 1 > np.int64(k.none[q]):
            k.none[q] = np.int32(np.int64(child[i].none[q]) + 1)
        saved |= child[i].never[q] != 0
        hopeless &= child[i].never[p] != 0
    if best < CS_UNKNOWN:
        cs_note_win(k, p, best + 1)
    if longest < CS_UNKNOWN:
        cs_note_win(k, q, longest + 1)
    if none + 1 > np.int64(k.none[p]):
        k.none[p] = np.int32(none + 1)
    if saved:
        k.never[q] = np.int32(1)
    if hopeless:
        k.never[p] = np.int32(1)


@kernel
def cs_solve_root(c: Record, r: Record, control: Record, every: Int) -> None:
    k, end, limit = r.position, c.end, c.last
    if every:
        if c.end > 0.0:
            c.end -= control.seconds / 16.0
        c.last -= limit >> _4
    cs_settle(c, k, CS_AMPLE)
    if not every:
        return
    cs_measure(c, k, c.nodes)
    c.last = limit
    c.end = end
    c.check = W0
    c.stop = np.int32(CS_RUNNING)

    child, children = _cases_at(r.child, np.int64(r.children)), np.int64(r.children)
    last, share = c.nodes + max(c.nodes, CS_OTHERS), np.uint64(1 << 9)
    while c.stop < CS_LIMIT and c.nodes < last:
        opened = False
        cs_hand_down(r)
        for i in range(children):
            if c.nodes >= last:
                break
            if cs_exact(child[i]):
                continue
            opened = True
            cs_recall(c, child[i])
            cs_settle(c, child[i], share)
            cs_measure(c, child[i], share)
        cs_hand_up(r)
        if not opened:
            break
        share *= _4
    cs_hand_down(r)


# ---- the line ----


@kernel
def cs_known(c: Record, g: Words, k: Record) -> Int:
    cs_case_open(c, k, g)
    return np.int64(k.win[c.side])


@kernel
def cs_best_step(c: Record, g: Words, plies: Int, exact: Int) -> Step:
    moves, after, k = local_moves(PS_MAX_MOVES), local_words(_WORDS), local_cases(1)[0]
    side, n = np.int64(c.side), cuttle_moves(g, moves)
    wanted = np.int64(cuttle_to_move(g) == side)
    best, best_plies = -1, CS_UNKNOWN if wanted else -2
    for i in range(n):
        move = np.int64(moves[i])
        cuttle_copy(after, g)
        cuttle_play(after, move)
        known = cs_known(c, after, k)
        if exact:
            depth = plies - (1 if wanted else 2)
            win = np.int64(known <= depth)
            if not win and np.int64(k.none[side]) < depth:
                win = cs_forces(c, k.state, k.key, depth)
                if c.stop:
                    return -1, best_plies
            if win == wanted:
                return move, plies - 1
            continue
        if not wanted and known == CS_UNKNOWN:
            known = -1
        if known < best_plies if wanted else known > best_plies:
            best, best_plies = move, known
    return best, best_plies


@kernel
def cs_find_step(c: Record, g: Words) -> Step:
    side, k = np.int64(c.side), local_cases(1)[0]
    move, plies = -1, 0
    cs_case_open(c, k, g)
    data = cs_find(c, k.key)
    if data and cs_win_within(data, side) != CS_NEVER:
        move, plies = cs_best_step(c, g, cs_win_within(data, side), 1)
    if move < 0 and not c.stop:
        k.win[side] = np.int32(CS_UNKNOWN)
        k.never[side ^ 1] = np.int32(0)
        cs_try(c, k, side)
        move, plies = cs_best_step(c, g, 0, 0)
    return move, plies


@kernel
def cs_first_step(c: Record, r: Record) -> Step:
    side = np.int64(c.side)
    wanted, child = cs_to_move(r.position.state) == side, _cases_at(r.child, np.int64(r.children))
    best, best_plies = -1, 0
    for i in range(np.int64(r.moves)):
        plies = np.int64(child[r.like[i]].win[side])
        worse = plies >= best_plies if wanted else plies <= best_plies
        if plies == CS_UNKNOWN or (best >= 0 and worse):
            continue
        best, best_plies = np.int64(r.move[i]), plies
    return best, best_plies


@kernel
def cs_winning_line(c: Record, r: Record, root: Words, exact: Int, line: Words, room: Int) -> Int:
    g, length, plies = local_words(_WORDS), 0, np.int64(r.position.win[c.side])
    cuttle_copy(g, root)
    while length < room and cuttle_stage(g) != CUTTLE_OVER:
        move, left = cs_first_step(c, r)
        if length or move < 0 or (exact and left != plies - 1):
            move, left = cs_best_step(c, g, plies, exact)
        if move < 0:
            exact = 0
            move, left = cs_find_step(c, g)
        if move < 0:
            break
        line[length] = np.uint16(move)
        length += 1
        cuttle_play(g, move)
        plies = left
    return length


@kernel
def cs_drawing_line(c: Record, root: Words, line: Words, room: Int) -> Int:
    g, after, seen = local_words(_WORDS), local_words(_WORDS), local_words(_SEEN_WORDS)
    moves, k, length = local_moves(PS_MAX_MOVES), local_cases(1)[0], 0
    cuttle_copy(g, root)
    while length < room and cuttle_stage(g) != CUTTLE_OVER:
        for i in range(min(length, _SEEN)):
            base = i * _WORDS
            same = seen[base + HAND] == g[HAND] and seen[base + HAND + 1] == g[HAND + 1]
            if same and seen[base + SCRAP] == g[SCRAP] and seen[base + STATUS] == g[STATUS]:
                return length
        for i in range(_WORDS):
            seen[(length & (_SEEN - 1)) * _WORDS + i] = g[i]
        n, mover, found = cuttle_moves(g, moves), cuttle_to_move(g), -1
        for i in range(n):
            if found >= 0 or c.stop:
                break
            move = np.int64(moves[i])
            cuttle_copy(after, g)
            cuttle_play(after, move)
            cs_case_open(c, k, after)
            cs_try(c, k, mover ^ 1)
            if k.never[mover ^ 1] and cs_winner(k) < 0:
                found = move
        if found < 0:
            break
        line[length] = np.uint16(found)
        length += 1
        cuttle_play(g, found)
    return length


# ---- the answer ----


@kernel
def cs_result(k: Record, p: Int) -> Int:
    """1 for a win of p, -1 for a loss, 0 for a draw, 2 when none of them is known."""
    w = cs_winner(k)
    if w >= 0:
        return 1 if w == p else -1
    return 0 if cs_is_draw(k) else 2


@kernel
def cs_fill_moves(r: Record, out: Words) -> None:
    p, child = cs_to_move(r.position.state), _cases_at(r.child, np.int64(r.children))
    for i in range(np.int64(r.moves)):
        k = child[r.like[i]]
        w = cs_winner(k)
        out[i].move = r.move[i]
        out[i].result = np.int8(cs_result(k, p))
        out[i].plies = np.uint16(np.int64(k.win[w]) + 1 if w >= 0 else 0)
        out[i].shortest = np.uint8(cs_exact(k))


@kernel
def cs_agree(root: Words, n: Int, moves: Words, solution: Record) -> None:
    g, bound, length = local_words(_WORDS), solution.plies, np.int64(solution.length)
    cuttle_copy(g, root)
    for i in range(length):
        cuttle_play(g, np.int64(solution.line[i]))
    if cuttle_stage(g) == CUTTLE_OVER and solution.result and not solution.shortest:
        solution.plies = solution.length
    for i in range(n if length else 0):
        if moves[i].move == solution.line[0]:
            moves[i].result = solution.result
            if not moves[i].plies:
                moves[i].plies = bound
            moves[i].shortest |= solution.shortest


@kernel
def cuttle_solve(state: Words, control: Record, moves: Words, solution: Record) -> Int:
    """`moves`: PS_MAX_MOVES places, or none for the value alone."""
    c, r, every = local_searches(1)[0], _local_roots(1)[0], np.int64(moves.size != 0)
    solution.result = np.int8(0)
    solution.shortest = np.uint8(0)
    solution.plies = np.uint16(0)
    solution.depth = np.uint16(0)
    solution.length = np.uint16(0)
    solution.nodes = W0
    for i in range(PS_CUTTLE_LINE):
        solution.line[i] = np.uint16(0)
    if cuttle_viewer(state) >= 0:
        return PS_ERROR_ARGUMENT
    if cuttle_stage(state) == CUTTLE_OVER:
        return PS_ERROR_OVER
    r.child = W0
    status = cs_open(c, state, control)
    if not status:
        status = cs_root_open(c, r, state)
    if not status:
        cs_solve_root(c, r, control, every)
        k, status = r.position, np.int64(r.moves)
        w, exact = cs_winner(k), cs_exact(k)
        if every:
            cs_fill_moves(r, moves)
        solution.result = np.int8(cs_result(k, cs_to_move(k.state)))
        solution.shortest = np.uint8(exact)
        if w >= 0:
            solution.plies = np.uint16(k.win[w])
            solution.depth = np.uint16(np.int64(k.none[w]) + exact)
        else:
            solution.depth = np.uint16(min(np.int64(k.none[0]), np.int64(k.none[1])))
        solution.nodes = c.nodes
        control_report(control, c.nodes)
        if every and solution.result != 2:
            cs_unlimit(c)
            cs_allow(c, CS_GRACE + (c.nodes >> np.uint64(3)))
            c.side = np.int32(w)
            if w >= 0:
                length = cs_winning_line(c, r, state, exact, solution.line, PS_CUTTLE_LINE)
            else:
                length = cs_drawing_line(c, state, solution.line, PS_CUTTLE_LINE)
            solution.length = np.uint16(length)
            cs_agree(state, status, moves, solution)
    free(r.child)
    cs_close(c)
    return status


@entry
def cuttle_api_solve(state: Words, control: Words, moves: Words, solution: Words) -> Int:
    return cuttle_solve(state, control[0], moves, solution[0])
