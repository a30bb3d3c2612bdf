"""Template: perfect information Monte-Carlo search, the twin of csrc/pimc.h."""

import numpy as np

from pysearch.kernels.bits import W0, W1, Int, Record, Word, Words
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_PLY_CAP
from pysearch.kernels.rng import RNG_SEARCH, RNG_WORLD, local_rng, rng_stream
from pysearch.kernels.search import ranked_at
from pysearch.kernels.template import Game
from pysearch.kernels.tree import tree_clear, tree_nodes, tree_sums

PIMC_ITERATIONS = np.uint64(256)


def pimc(game: Game) -> None:
    WORDS = game.WORDS
    worlds_draw, is_open_quick, open_values, so_iteration = (
        game.worlds_draw,
        game.is_open_quick,
        game.open_values,
        game.so_iteration,
    )
    local_words = stack(np.uint64)

    @game.kernel
    def pimc_collect(t: Record, moves: Words, count: Int) -> None:
        """Adds the values of a tree to those of the search."""
        nodes, sums = tree_nodes(t), tree_sums(t)
        child = np.int64(nodes[0].children)
        end = child + np.int64(nodes[0].count)
        for k in range(count):
            if child >= end:
                break
            if nodes[child].move != moves[k].move:
                continue
            moves[k].visits += np.uint64(nodes[child].visits)
            moves[k].total += sums[child].total
            moves[k].squares += sums[child].squares
            child += 1

    @game.kernel
    def iteration(search: Record, scratch: Record, i: Word) -> Word:
        s, deal, r = local_words(WORDS), local_rng(2), local_rng(2)
        quick = is_open_quick(search.root)
        rng_stream(deal, search.seed, RNG_WORLD, i if quick else i - i % PIMC_ITERATIONS)
        rng_stream(r, search.seed, RNG_SEARCH, i)
        worlds_draw(search.worlds, deal, s)
        moves = ranked_at(search.moves, search.count)
        if quick:
            open_values(scratch, s, moves, search.count)
            return W1
        if i != W0 and i % PIMC_ITERATIONS == W0 and not search.ending.alone:
            pimc_collect(search.trees[0], moves, search.count)
            tree_clear(search.trees[0])
        return so_iteration(search.trees[0], search.conf, s, r, PS_PLY_CAP)

    game.pimc = iteration
