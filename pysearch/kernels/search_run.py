"""Template: opening, running and reading a search, the twin of csrc/search_run.h."""

import numpy as np

from pysearch.kernels.bits import W0, W1, Int, Real, Record, Word, Words
from pysearch.kernels.control import control_add, control_clock, control_open_block
from pysearch.kernels.ismcts import ISMCTS_CHANCE, ISMCTS_DOUBT
from pysearch.kernels.memory import calloc, free, stack
from pysearch.kernels.public import (
    PS_ERROR_ARGUMENT,
    PS_ERROR_MEMORY,
    PS_ERROR_OVER,
    PS_ISMCTS,
    PS_MAX_LINE,
    PS_MAX_MOVES,
    PS_PIMC,
    PS_SETS,
    PS_SO_ISMCTS,
    RANKED,
)
from pysearch.kernels.search import floats_at, ranked_at
from pysearch.kernels.template import Game
from pysearch.kernels.tree import (
    confidence_open,
    tree_close,
    tree_favourite,
    tree_nodes,
    tree_octaves,
    tree_open,
    tree_sums,
)

SEARCH_BLOCK = 16
SEARCH_FORCED = np.uint64(512)
SEARCH_LINE = 8
_NEVER = np.uint64(2**64 - 1)
_MOST = np.uint64(2**32 - 1)
_RANKED_SIZE, _FLOAT_SIZE = np.uint64(RANKED.itemsize), np.uint64(4)


def search_run(game: Game) -> None:
    OBSERVERS = game.OBSERVERS
    policy, copy, list_moves, to_move, viewer_of = game.policy, game.copy, game.moves, game.to_move, game.viewer
    worlds_open, ending_open, ending_close = game.worlds_open, game.ending_open, game.ending_close
    ending_due, ending_step, ending_read = game.ending_due, game.ending_step, game.ending_read
    scratch_open, scratch_close = game.scratch_open, game.scratch_close
    ismcts, pimc, so_ismcts = game.ismcts, game.pimc, game.so_ismcts
    local_moves, local_weights, local_words = stack(np.uint16), stack(np.uint32), stack(np.uint64)
    local_scratch = stack(game.SCRATCH)

    @game.kernel
    def search_close(s: Record) -> None:
        for i in range(s.sets * OBSERVERS):
            tree_close(s.trees[i])
        ending_close(s.ending)
        free(s.moves)
        free(s.doubt)
        s.moves = W0
        s.doubt = W0
        s.sets = 0

    @game.kernel
    def doubt_open(s: Record, moves: Words) -> None:
        """What the policy holds against each move: its weight in halvings of the greatest."""
        weights, top = local_weights(PS_MAX_MOVES), 1
        doubt = floats_at(s.doubt, s.count)
        policy(s.root, moves, s.count, weights)
        for i in range(s.count):
            top = max(top, np.int64(weights[i]))
        for i in range(s.count):
            doubt[i] = ISMCTS_DOUBT * tree_octaves(top, np.int64(weights[i]))

    @game.kernel
    def search_open(s: Record, view: Words, method: Int, seed: Word, memory: Word) -> Int:
        """Opens a search in a struct full of zeros. Returns 0 or why not; then there is nothing to close."""
        moves = local_moves(PS_MAX_MOVES)
        copy(s.root, view)
        s.method = method
        s.seed = seed
        seat, viewer = to_move(view), viewer_of(view)
        s.seat = seat
        if seat < 0:
            return PS_ERROR_OVER
        if viewer >= 0 and viewer != seat:
            return PS_ERROR_ARGUMENT
        bad = worlds_open(s.worlds, view)
        if bad:
            return bad
        confidence_open(s.conf)
        failed = ending_open(s.ending, s.worlds, seed) != 0
        sets = PS_SETS if method == PS_ISMCTS and not s.ending.alone else 1
        count = list_moves(view, moves)
        s.count = count
        s.moves = calloc(np.uint64(count), _RANKED_SIZE)
        s.doubt = calloc(np.uint64(count), _FLOAT_SIZE)
        failed = failed or s.moves == W0 or s.doubt == W0
        if not failed:
            doubt_open(s, moves)
            ranked = ranked_at(s.moves, count)
            for i in range(count):
                ranked[i].move = moves[i]
                ranked[i].line[0] = moves[i]
                ranked[i].length = np.uint16(1)
        while s.sets < sets and not failed:
            for o in range(OBSERVERS):
                bad = tree_open(s.trees[s.sets * OBSERVERS + o], memory // np.uint64(sets * OBSERVERS))
                failed = failed or bad != 0
            s.sets += 1
        if failed:
            search_close(s)
            return PS_ERROR_MEMORY
        s.found.moves = np.int32(count)
        return 0

    @game.kernel
    def search_iteration(s: Record, scratch: Record, i: Word, control: Record, end: Real) -> Int:
        """Iteration i: 1 when there is nothing more to find, 2 when it was stopped and does not count, or an error."""
        at = np.int64(i % np.uint64(s.sets))
        if s.method == PS_ISMCTS:
            if ending_due(s.ending, i):
                s.nodes[at] += W1
                return ending_step(s.ending, scratch, i, control, end, ranked_at(s.moves, s.count), s.found)
            s.nodes[at] += ismcts(s, i)
        elif s.method == PS_PIMC:
            s.nodes[at] += pimc(s, scratch, i)
        else:
            s.nodes[at] += so_ismcts(s, i)
        return 0

    @game.kernel
    def search_block(s: Record, scratch: Record, first: Int, step: Int, start: Word, control: Record, end: Real) -> Int:
        """The part of worker `first` of `step` in a block that begins with iteration `start` of each set."""
        sets = np.int64(s.sets)
        most = _NEVER if s.count > 1 or s.method == PS_SO_ISMCTS else SEARCH_FORCED
        limit = min(control.iterations, most) if control.iterations else most
        nodes = (control.nodes + np.uint64(sets - 1)) // np.uint64(sets) if control.nodes else _NEVER
        rounds = SEARCH_BLOCK if sets > 1 else 1
        made, done = W0, 0
        for number in range(rounds):
            for at in range(first, sets, step):
                if done:
                    break
                i = (start + np.uint64(number)) * np.uint64(sets) + np.uint64(at)
                if i >= limit or s.nodes[at] >= nodes or s.iterations[at] == _MOST:
                    continue
                s.iterations[at] += W1
                made += W1
                done = search_iteration(s, scratch, i, control, end)
                if done == 2:
                    s.iterations[at] -= W1
                    made -= W1
        control_add(control, made)
        if done:
            return done
        return 1 if made == W0 else 0

    @game.kernel
    def run(s: Record, worker: Int, workers: Int, control: Record) -> Int:
        scratch = local_scratch(1)[0]
        end = control_clock() + control.seconds if control.seconds > 0.0 else 0.0
        rounds = np.uint64(SEARCH_BLOCK if s.sets > 1 else 1)
        done = 1 if s.found.exact or s.found.enumerated or worker >= s.sets else 0
        if scratch_open(scratch):
            return PS_ERROR_MEMORY
        start = W0 if done else s.iterations[worker]
        block = W0
        while not done and control_open_block(control, block, end):
            done = search_block(s, scratch, worker, workers, start, control, end)
            block += W1
            start += rounds
        scratch_close(scratch)
        return 0 if done == 2 else done

    @game.kernel
    def search_line(t: Record, child: Int, m: Record) -> None:
        """The line from a child of the root on: the favourites of the tree."""
        length = 1
        c = tree_favourite(t, child, SEARCH_LINE)
        while c and length < PS_MAX_LINE:
            move = tree_nodes(t)[c].move
            if np.int64(move) < ISMCTS_CHANCE:
                m.line[length] = move
                length += 1
            c = tree_favourite(t, c, SEARCH_LINE)
        m.length = np.uint16(length)

    @game.kernel
    def search_read(s: Record, moves: Words, found: Record) -> None:
        most, ranked, count = local_words(PS_MAX_MOVES), ranked_at(s.moves, s.count), np.int64(s.count)
        found.iterations = s.found.iterations
        found.moves = s.found.moves
        found.enumerated = s.found.enumerated
        found.exact = s.found.exact
        for k in range(count):
            most[k] = W0
            moves[k] = ranked[k]
        for at in range(s.sets):
            found.iterations += s.iterations[at]
        if s.method == PS_ISMCTS and ending_read(s.ending, moves, count, found):
            return
        own = np.int64(s.seat) % OBSERVERS if s.method == PS_ISMCTS else 0
        for at in range(s.sets):
            t = s.trees[at * OBSERVERS + own]
            nodes, sums = tree_nodes(t), tree_sums(t)
            child = np.int64(nodes[0].children)
            end = child + np.int64(nodes[0].count)
            for k in range(count):
                if child >= end:
                    break
                m = moves[k]
                if nodes[child].move != m.move:
                    continue
                visits = np.uint64(nodes[child].visits)
                m.visits += visits
                m.total += sums[child].total
                m.squares += sums[child].squares
                m.set_visits[at] = visits
                m.set_total[at] = sums[child].total
                if visits > most[k]:
                    most[k] = visits
                    search_line(t, child, m)
                child += 1

    game.search_open, game.search_close, game.search_run, game.search_read = search_open, search_close, run, search_read
