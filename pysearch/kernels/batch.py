"""Template: many games of one kind that go on side by side, for learners; the twin of csrc/batch.h.

What C keeps in a struct are arrays here: states and returns have a row for each game."""

import numpy as np

from pysearch.kernels.bits import Int, Word, Words
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_MAX_MOVES, PS_ONE
from pysearch.kernels.rng import RNG_DEAL, local_rng, rng_stream
from pysearch.kernels.template import Game


def batch(game: Game) -> None:
    SEATS = game.SEATS
    deal, play, to_move_of, moves_of = game.deal, game.play, game.to_move, game.moves
    shares_of, view_of, allows = game.shares, game.view, game.allows
    local_moves, local_shares = stack(np.uint16), stack(np.uint32)

    @game.kernel
    def deal_one(state: Words, seed: Word, number: Word, dealer: Int, scores: Words) -> Int:
        r = local_rng(2)
        rng_stream(r, seed, RNG_DEAL, number)
        deal(state, r, dealer, scores)
        return to_move_of(state)

    @game.kernel
    def batch_start(
        states: Words,
        deals: Words,
        to_move: Words,
        ended: Words,
        returns: Words,
        seed: Word,
        dealer: Int,
        scores: Words,
    ) -> None:
        for i in range(len(states)):
            deals[i] = np.uint64(i)
            ended[i] = False
            for p in range(SEATS):
                returns[i, p] = 0.0
            to_move[i] = np.int8(deal_one(states[i], seed, deals[i], dealer, scores))

    @game.kernel
    def batch_step(
        states: Words,
        deals: Words,
        to_move: Words,
        ended: Words,
        returns: Words,
        seed: Word,
        dealer: Int,
        scores: Words,
        chosen: Words,
    ) -> Int:
        shares, n = local_shares(SEATS), len(states)
        for i in range(n):
            if not allows(states[i], np.int64(chosen[i])):
                return i
        for i in range(n):
            play(states[i], np.int64(chosen[i]))
            seat = to_move_of(states[i])
            over = seat < 0
            if over or ended[i]:
                for p in range(SEATS):
                    shares[p] = np.uint32(0)
                if over:
                    shares_of(states[i], shares)
                for p in range(SEATS):
                    returns[i, p] = np.float64(shares[p]) / np.float64(PS_ONE)
            ended[i] = over
            to_move[i] = np.int8(seat)
            if over:
                deals[i] += np.uint64(n)
                to_move[i] = np.int8(deal_one(states[i], seed, deals[i], dealer, scores))
        return n

    @game.kernel
    def batch_moves(states: Words, moves: Words, starts: Words) -> Int:
        total, n = 0, len(states)
        starts[0] = np.uint64(0)
        for i in range(n):
            if total + PS_MAX_MOVES > len(moves):
                return 0
            total += moves_of(states[i], moves[total:])
            starts[i + 1] = np.uint64(total)
        return total

    @game.kernel
    def batch_mask(states: Words, actions: Words, mask: Words) -> None:
        moves = local_moves(PS_MAX_MOVES)
        for i in range(len(states)):
            for k in range(mask.shape[1]):
                mask[i, k] = False
            for k in range(moves_of(states[i], moves)):
                mask[i, actions[moves[k]]] = True

    @game.kernel
    def batch_views(states: Words, seats: Words, views: Words) -> None:
        for i in range(len(states)):
            view_of(states[i], np.int64(seats[i]), views[i])

    game.batch_start, game.batch_step, game.batch_moves = batch_start, batch_step, batch_moves
    game.batch_mask, game.batch_views = batch_mask, batch_views
