"""Template: playing a view, the twin of csrc/views.h."""

import numpy as np

from pysearch.kernels.bits import W0, W1, Int, Word, Words, lowest, popcount
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_ERROR_ARGUMENT, PS_ERROR_ILLEGAL, PS_ERROR_SEEN
from pysearch.kernels.rng import RNG_WORLD, local_rng, rng_stream
from pysearch.kernels.template import Game


def views(game: Game) -> None:
    WORDS = game.WORDS
    visible, viewer_of, assume, realize, swap = game.visible, game.viewer, game.assume, game.realize, game.swap
    play, view_of, copy, worlds_open, worlds_draw = game.play, game.view, game.copy, game.worlds_open, game.worlds_draw
    local_words, local_worlds = stack(np.uint64), stack(game.WORLDS)

    @game.kernel
    def view_play(view: Words, move: Int, seen: Word, after: Words, sight: Words) -> Int:
        """The view after a move into `after`, the number of cards that come into sight into sight[0]."""
        narrowed, world, played = local_words(WORDS), local_words(WORDS), local_words(WORDS)
        worlds, r = local_worlds(1)[0], local_rng(2)
        rng_stream(r, W0, RNG_WORLD, W0)
        copy(narrowed, view)
        viewer = viewer_of(narrowed)
        before = visible(narrowed)
        sight[0] = W0
        if viewer < 0:
            return PS_ERROR_ARGUMENT
        if assume(narrowed, move) or worlds_open(worlds, narrowed):
            return PS_ERROR_ILLEGAL
        named = visible(narrowed)
        worlds_draw(worlds, r, world)
        fresh = W0
        for _ in range(2):
            copy(played, world)
            play(played, realize(world, move))
            view_of(played, viewer, after)
            fresh = visible(after) & ~(before | named)
            sight[0] = np.uint64(popcount(fresh))
            if popcount(seen) != popcount(fresh) or seen & named:
                return PS_ERROR_SEEN
            if fresh == seen:
                break
            wanted, unwanted = seen & ~fresh, fresh & ~seen
            while wanted:
                swap(world, lowest(wanted), lowest(unwanted))
                wanted &= wanted - W1
                unwanted &= unwanted - W1
        return 0 if fresh == seen else PS_ERROR_SEEN

    game.view_play = view_play
