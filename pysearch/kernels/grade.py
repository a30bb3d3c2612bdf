"""Template: what moves are worth, all compared on the same worlds and with the same random numbers: csrc/grade.h."""

import numpy as np

from pysearch.kernels.bits import W1, Int, Record, Word, Words
from pysearch.kernels.control import control_add, control_stopped
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_ERROR_ILLEGAL, PS_ERROR_OVER, PS_MAX_MOVES, PS_PLY_CAP
from pysearch.kernels.rng import RNG_PLAYOUT, RNG_WORLD, local_rng, rng_stream
from pysearch.kernels.template import Game


def grade(game: Game) -> None:
    WORDS, SEATS = game.WORDS, game.SEATS
    worlds_open, worlds_draw, policy, leaf = game.worlds_open, game.worlds_draw, game.policy, game.leaf
    play_move, copy, list_moves, to_move = game.play, game.copy, game.moves, game.to_move
    local_words, local_worlds, local_moves = stack(np.uint64), stack(game.WORLDS), stack(np.uint16)
    local_shares = stack(np.uint32)

    @game.kernel
    def weighed_playout(s: Words, cap: Int) -> None:
        """Plays the heaviest moves of the policy, of equals the first, until the game is over or after `cap` plies."""
        moves, weights = local_moves(PS_MAX_MOVES), local_shares(PS_MAX_MOVES)
        while cap > 0 and to_move(s) >= 0:
            n = list_moves(s, moves)
            policy(s, moves, n, weights)
            best = 0
            for i in range(1, n):
                if weights[i] > weights[best]:
                    best = i
            play_move(s, np.int64(moves[best]))
            cap -= 1

    @game.kernel
    def all_legal(world: Words, moves: Words, k: Int) -> Int:
        legal = local_moves(PS_MAX_MOVES)
        count = list_moves(world, legal)
        for i in range(k):
            found = False
            for m in range(count):
                found |= legal[m] == moves[i]
            if not found:
                return 0
        return 1

    @game.kernel
    def graded(
        v: Words,
        seed: Word,
        first: Word,
        n: Word,
        moves: Words,
        k: Int,
        weighed: Int,
        control: Record,
        totals: Words,
        products: Words,
    ) -> Int:
        worlds, world, s = local_worlds(1)[0], local_words(WORDS), local_words(WORDS)
        own, shares, deal, play = local_shares(PS_MAX_MOVES), local_shares(SEATS), local_rng(2), local_rng(2)
        rows = max(k, 1)
        bad, seat = worlds_open(worlds, v), to_move(v)
        if bad:
            return bad
        if k and seat < 0:
            return PS_ERROR_OVER
        for j in range(n):
            if control_stopped(control):
                break
            rng_stream(deal, seed, RNG_WORLD, first + np.uint64(j))
            worlds_draw(worlds, deal, world)
            if j == 0 and k and not all_legal(world, moves, k):
                return PS_ERROR_ILLEGAL
            for i in range(rows):
                copy(s, world)
                rng_stream(play, seed, RNG_PLAYOUT, first + np.uint64(j))
                if k:
                    play_move(s, np.int64(moves[i]))
                if weighed:
                    weighed_playout(s, PS_PLY_CAP)
                leaf(s, play, PS_PLY_CAP, shares)
                for p in range(SEATS):
                    share = np.uint64(shares[p])
                    totals[2 * SEATS * i + p] += share
                    totals[2 * SEATS * i + SEATS + p] += share * share
                own[i] = shares[max(seat, 0)]
                for m in range(i + 1):
                    products[i * rows + m] += np.uint64(own[i]) * np.uint64(own[m])
            control_add(control, W1)
        return control_stopped(control)

    game.grade = graded
