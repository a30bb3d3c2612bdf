"""Template: uniform random playouts added up, the twin of csrc/rollout.h."""

import numpy as np

from pysearch.kernels.bits import W1, Int, Record, Word, Words
from pysearch.kernels.control import control_report, control_stopped
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_PLY_CAP
from pysearch.kernels.rng import RNG_PLAYOUT, RNG_WORLD, local_rng, rng_stream
from pysearch.kernels.template import Game


def rollout(game: Game) -> None:
    WORDS, SEATS = game.WORDS, game.SEATS
    worlds_open, worlds_draw, playout, shares_of = game.worlds_open, game.worlds_draw, game.playout, game.shares
    local_words, local_worlds, local_shares = stack(np.uint64), stack(game.WORLDS), stack(np.uint32)

    @game.kernel
    def roll(state: Words, seed: Word, first: Word, n: Word, control: Record, totals: Record) -> Int:
        s, worlds, shares = local_words(WORDS), local_worlds(1)[0], local_shares(SEATS)
        deal, play = local_rng(2), local_rng(2)
        bad = worlds_open(worlds, state)
        if bad:
            return bad
        for i in range(n):
            if control_stopped(control):
                break
            rng_stream(deal, seed, RNG_WORLD, first + np.uint64(i))
            rng_stream(play, seed, RNG_PLAYOUT, first + np.uint64(i))
            worlds_draw(worlds, deal, s)
            totals.plies += np.uint64(playout(s, play, PS_PLY_CAP))
            shares_of(s, shares)
            for seat in range(SEATS):
                totals.shares[seat] += np.uint64(shares[seat])
            totals.games += W1
            control_report(control, control.done + W1)
        return control_stopped(control)

    game.rollout = roll
