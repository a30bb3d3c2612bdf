"""Template: counts move sequences, the twin of csrc/perft.h."""

import numpy as np
from numba import types

from pysearch.kernels.bits import W0, W1, Int, Record, Word, Words
from pysearch.kernels.control import control_report, control_stopped
from pysearch.kernels.jit import recursion
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_MAX_MOVES
from pysearch.kernels.template import Game


def perft(game: Game) -> None:
    WORDS = game.WORDS
    play, copy, list_moves = game.play, game.copy, game.moves
    local_words, local_moves = stack(np.uint64), stack(np.uint16)
    again = recursion(types.uint64, 3)

    @game.kernel
    def perft_below(s: Words, depth: Int, control: Record) -> Word:
        moves, after = local_moves(PS_MAX_MOVES), local_words(WORDS)
        n = list_moves(s, moves)
        if depth == 1:
            control_report(control, control.done + np.uint64(n))
            return np.uint64(n)
        total = W0
        for i in range(n):
            if control_stopped(control):
                break
            copy(after, s)
            play(after, np.int64(moves[i]))
            total += again(after, depth - 1, control)
        return total

    @game.kernel
    def count(s: Words, depth: Int, control: Record) -> Word:
        return perft_below(s, depth, control) if depth else W1

    game.perft = count
