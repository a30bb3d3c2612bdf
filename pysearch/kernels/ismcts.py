"""Template: the default search with hidden information, the twin of csrc/ismcts.h, which explains it."""

import numpy as np

from pysearch.kernels.bits import W1, Int, Record, Word, Words, lowest
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_MAX_MOVES, PS_ONE, PS_PLY_CAP
from pysearch.kernels.rng import RNG_SEARCH, RNG_WORLD, local_rng, rng_stream
from pysearch.kernels.search import floats_at, ranked_at
from pysearch.kernels.template import Game
from pysearch.kernels.tree import confidence_slot, tree_add, tree_nodes, tree_priors, tree_reach, tree_sums, tree_visit

ISMCTS_ROOT_C = np.float32(0.8)
ISMCTS_C = np.float32(1.4)
ISMCTS_RIPE = 8
ISMCTS_PRIOR = np.float32(256)
ISMCTS_DOUBT = np.float32(0.02)
ISMCTS_CHANCE = 15 << 12
_NOWHERE = -1
_F0, _F1, _HALF = np.float32(0), np.float32(1), np.float32(0.5)


def ismcts(game: Game) -> None:
    WORDS, SEATS, OBSERVERS = game.WORDS, game.SEATS, game.OBSERVERS
    worlds_draw, policy, leaf, sighted = game.worlds_draw, game.policy, game.leaf, game.sighted
    play, list_moves, to_move, copy = game.play, game.moves, game.to_move, game.copy
    local_words, local_moves, local_indices = stack(np.uint64), stack(np.uint16), stack(np.uint32)
    local_places = stack(np.int64)

    @game.kernel
    def root_open(search: Record, t: Record) -> None:
        moves = ranked_at(search.moves, search.count)
        for i in range(search.count):
            tree_add(t, 0, i, np.int64(moves[i].move))

    @game.kernel
    def root_select(search: Record, t: Record) -> Int:
        """The move of the root to visit next."""
        nodes, sums, doubt, conf = tree_nodes(t), tree_sums(t), floats_at(search.doubt, search.count), search.conf
        first, count = np.int64(nodes[0].children), np.int64(nodes[0].count)
        spread, best_score = _F0, _F0
        total, visits, best = np.uint64(0), np.uint64(0), 0
        for i in range(first, first + count):
            spread += nodes[i].spread if nodes[i].visits else _HALF
            total += sums[i].total
            visits += np.uint64(nodes[i].visits)
        spread /= np.float32(count)
        mean = _HALF
        if visits:
            mean = np.float32(np.float64(total) / (np.float64(visits) * np.float64(PS_ONE)))
        width = ISMCTS_ROOT_C * spread * conf[confidence_slot(np.int64(visits + W1))]
        for i in range(count):
            n, prior = np.float32(nodes[first + i].visits), mean - spread * doubt[i]
            value = (n * nodes[first + i].mean + ISMCTS_PRIOR * prior) / (n + ISMCTS_PRIOR)
            score = value + width / np.sqrt(n + _HALF)
            if i and score <= best_score:
                continue
            best = i
            best_score = score
        return first + best

    @game.kernel
    def pass_edge(t: Record, at: Int, edge: Int) -> Int:
        """Goes down an edge that was not chosen here."""
        if at == _NOWHERE:
            return _NOWHERE
        child = tree_reach(t, at, edge)
        if not child:
            return _NOWHERE
        node = tree_nodes(t)[child]
        node.visits = np.uint32(np.int64(node.visits) + 1)
        return child

    @game.kernel
    def grow(t: Record, parent: Int, s: Words, moves: Words, n: Int) -> None:
        """Children for the legal moves that have none yet, with their priors. Without room some stay without."""
        weights, total = local_indices(PS_MAX_MOVES), 0
        policy(s, moves, n, weights)
        for i in range(n):
            total += np.int64(weights[i])
        for i in range(n):
            child = tree_reach(t, parent, np.int64(moves[i]))
            if not child:
                return
            tree_priors(t)[child] = np.float32(weights[i]) / np.float32(total)

    @game.kernel
    def descend(t: Record, parent: Int, s: Words, moves: Words, n: Int) -> Int:
        """The child of the seat to move, of those whose moves are legal; 0 when there is none."""
        legal = local_indices(PS_MAX_MOVES)
        total, visits, spread, best_score = _F0, _F0, _F0, _F0
        seen, best = 0, 0
        for grown in range(2):
            if seen >= n:
                break
            if grown:
                grow(t, parent, s, moves, n)
            nodes = tree_nodes(t)
            child = np.int64(nodes[parent].children)
            end = child + np.int64(nodes[parent].count)
            seen = 0
            for i in range(n):
                while child < end and nodes[child].move < moves[i]:
                    child += 1
                if child < end and nodes[child].move == moves[i]:
                    legal[seen] = np.uint32(child)
                    seen += 1
        nodes = tree_nodes(t)
        for i in range(seen):
            c = nodes[legal[i]]
            c.available = np.uint32(np.int64(c.available) + 1)
            if not c.visits:
                continue
            total += c.mean * np.float32(c.visits)
            spread += c.spread * np.float32(c.visits)
            visits += np.float32(c.visits)
        priors, mean, width = tree_priors(t), _HALF, ISMCTS_C * _HALF
        if visits > _F0:
            mean = total / visits
            width = ISMCTS_C * (spread / visits)
        for i in range(seen):
            c = nodes[legal[i]]
            bonus = width * priors[legal[i]] * np.sqrt(np.float32(c.available)) / (_F1 + np.float32(c.visits))
            score = (c.mean if c.visits else mean) + bonus
            if best and score <= best_score:
                continue
            best = np.int64(legal[i])
            best_score = score
        return best

    @game.kernel
    def observe(trees: Words, base: Int, at: Words, chose: Int, move: Int, before: Words, after: Words) -> None:
        """The move of `chose` is made: every other observer follows it in his tree, and all follow the cards that they
        see come out of the stock. `base` is the first tree of the set."""
        for o in range(OBSERVERS):
            if o != chose:
                at[o] = pass_edge(trees[base + o], at[o], move)
            cards = sighted(before, after, o)
            while cards:
                at[o] = pass_edge(trees[base + o], at[o], ISMCTS_CHANCE | lowest(cards))
                cards &= cards - W1

    @game.kernel
    def iteration(search: Record, i: Word) -> Word:
        """Iteration number i, in its set of trees. Returns the number of nodes visited."""
        s, before, moves = local_words(WORDS), local_words(WORDS), local_moves(PS_MAX_MOVES)
        path, chooser = local_indices(PS_PLY_CAP), local_moves(PS_PLY_CAP)
        at, shares, deal, r = local_places(OBSERVERS), local_indices(SEATS), local_rng(2), local_rng(2)
        depth, mover = 0, np.int64(search.seat)
        for o in range(OBSERVERS):
            at[o] = 0
        sets = np.uint64(search.sets)
        number = i % sets
        trees, base = search.trees, OBSERVERS * np.int64(number)
        root = trees[base + mover % OBSERVERS]
        if not tree_nodes(root)[0].count:
            root_open(search, root)

        child = root_select(search, root)
        stream = np.uint64(tree_nodes(root)[child].visits) * sets + number
        rng_stream(deal, search.seed, RNG_WORLD, stream)
        rng_stream(r, search.seed, RNG_SEARCH, stream)
        worlds_draw(search.worlds, deal, s)
        while child and depth < PS_PLY_CAP:
            own = mover % OBSERVERS
            copy(before, s)
            move = np.int64(tree_nodes(trees[base + own])[child].move)
            play(s, move)
            chooser[depth] = np.uint16(mover)
            path[depth] = np.uint32(child)
            depth += 1
            at[own] = child
            observe(trees, base, at, own, move, before, s)

            mover = to_move(s)
            if mover < 0:
                break
            t = trees[base + mover % OBSERVERS]
            here = at[mover % OBSERVERS]
            if here == _NOWHERE or np.int64(tree_nodes(t)[here].visits) < ISMCTS_RIPE:
                break
            n = list_moves(s, moves)
            child = descend(t, here, s, moves, n)
        leaf(s, r, PS_PLY_CAP - depth, shares)
        for d in range(depth):
            t = trees[base + np.int64(chooser[d]) % OBSERVERS]
            tree_visit(t, np.int64(path[d]), np.int64(shares[chooser[d]]))
        return np.uint64(depth + 1)

    game.ismcts = iteration
