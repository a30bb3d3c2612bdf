"""Template: plain single-observer information set Monte-Carlo tree search, the twin of csrc/so_ismcts.h."""

import numpy as np

from pysearch.kernels.bits import Int, Record, Word, Words
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_FLAT, PS_MAX_MOVES, PS_PLY_CAP
from pysearch.kernels.rng import RNG_SEARCH, local_rng, rng_below, rng_stream
from pysearch.kernels.template import Game
from pysearch.kernels.tree import confidence_slot, tree_add, tree_nodes, tree_visit

SO_ISMCTS_C = np.float32(0.8)
_F0 = np.float32(0)


def so_ismcts(game: Game) -> None:
    WORDS, SEATS = game.WORDS, game.SEATS
    worlds_draw, playout, shares_of = game.worlds_draw, game.playout, game.shares
    play, list_moves, to_move = game.play, game.moves, game.to_move
    local_words, local_moves, local_indices = stack(np.uint64), stack(np.uint16), stack(np.uint32)

    @game.kernel
    def select(t: Record, parent: Int, moves: Words, n: Int, conf: Words, r: Words) -> Int:
        """The legal child with the highest confidence bound; a new one, negative, where legal moves have no child yet;
        0 when there is no child to go to."""
        legal, fresh, place = local_indices(PS_MAX_MOVES), local_moves(PS_MAX_MOVES), local_moves(PS_MAX_MOVES)
        nodes = tree_nodes(t)
        first = np.int64(nodes[parent].children)
        child, end = first, first + np.int64(nodes[parent].count)
        spread, best_score = _F0, _F0
        unseen, seen, best = 0, 0, 0
        for i in range(n):
            while child < end and nodes[child].move < moves[i]:
                child += 1
            if child == end or nodes[child].move != moves[i]:
                fresh[unseen] = moves[i]
                place[unseen] = np.uint16(child - first)
                unseen += 1
                continue
            nodes[child].available = np.uint32(np.int64(nodes[child].available) + 1)
            spread += nodes[child].spread
            legal[seen] = np.uint32(child)
            seen += 1
        if unseen:
            k = rng_below(r, unseen)
            made = tree_add(t, parent, np.int64(place[k]), np.int64(fresh[k]))
            if made:
                tree_nodes(t)[made].available = np.uint32(1)
                return -made
        width = SO_ISMCTS_C * spread / np.float32(seen) if seen else _F0
        for i in range(seen):
            at = np.int64(legal[i])
            root = conf[confidence_slot(np.int64(nodes[at].available))]
            score = nodes[at].mean + width * root / np.sqrt(np.float32(nodes[at].visits))
            if best and score <= best_score:
                continue
            best = at
            best_score = score
        return best

    @game.kernel
    def so_iteration(t: Record, conf: Words, s: Words, r: Words, deepest: Int) -> Word:
        """One iteration in the world `s`, in a tree that is `deepest` moves deep at most; the nodes visited."""
        moves, path, chooser = local_moves(PS_MAX_MOVES), local_indices(PS_PLY_CAP), local_moves(PS_PLY_CAP)
        shares = local_indices(SEATS)
        depth, at, added = 0, 0, False
        while not added and depth < deepest:
            mover = to_move(s)
            if mover < 0:
                break
            n = list_moves(s, moves)
            child = select(t, at, moves, n, conf, r)
            if not child:
                break
            added = child < 0
            at = abs(child)
            play(s, np.int64(tree_nodes(t)[at].move))
            chooser[depth] = np.uint16(mover)
            path[depth] = np.uint32(at)
            depth += 1
        playout(s, r, PS_PLY_CAP - depth)
        shares_of(s, shares)
        for d in range(depth):
            tree_visit(t, np.int64(path[d]), np.int64(shares[chooser[d]]))
        return np.uint64(depth + 1)

    @game.kernel
    def iteration(search: Record, i: Word) -> Word:
        """Iteration number i: world and playout of stream (seed, RNG_SEARCH, i)."""
        s, r = local_words(WORDS), local_rng(2)
        rng_stream(r, search.seed, RNG_SEARCH, i)
        worlds_draw(search.worlds, r, s)
        return so_iteration(search.trees[0], search.conf, s, r, 1 if search.method == PS_FLAT else PS_PLY_CAP)

    game.so_iteration = so_iteration
    game.so_ismcts = iteration
