"""One game's functions behind the interface that Python calls, all templates included: the twin of csrc/game.inc."""

from collections.abc import Iterable
from types import ModuleType

import numpy as np

from pysearch.kernels.batch import batch
from pysearch.kernels.bits import Int, Record, Word, Words
from pysearch.kernels.grade import grade
from pysearch.kernels.ismcts import ismcts
from pysearch.kernels.memory import stack
from pysearch.kernels.perft import perft
from pysearch.kernels.pimc import pimc
from pysearch.kernels.public import (
    PS_ERROR_ARGUMENT,
    PS_ERROR_ILLEGAL,
    PS_ERROR_OVER,
    PS_MAX_MOVES,
)
from pysearch.kernels.rng import RNG_DEAL, RNG_WORLD, local_rng, rng_stream
from pysearch.kernels.rollout import rollout
from pysearch.kernels.search import search
from pysearch.kernels.search_run import search_run
from pysearch.kernels.so_ismcts import so_ismcts
from pysearch.kernels.template import Game
from pysearch.kernels.views import views

TEMPLATES = (views, perft, rollout, grade, batch, search, so_ismcts, pimc, ismcts, search_run)


def build(name: str, words: int, seats: int, observers: int, modules: Iterable[ModuleType]) -> Game:
    """A game with all templates and entries; `words`, `seats`, `observers` as in csrc/engine.inc."""
    game = Game(name, words, seats, observers, modules)
    for template in TEMPLATES:
        template(game)
    _entries(game)
    return game


def _entries(game: Game) -> None:
    deal_of, to_move_of, moves_of, policy_of, play_of = game.deal, game.to_move, game.moves, game.policy, game.play
    shares_of, view_of, viewer_of, view_play_of = game.shares, game.view, game.viewer, game.view_play
    worlds_open, worlds_count, worlds_draw = game.worlds_open, game.worlds_count, game.worlds_draw
    key_of, rekey_of, perft_of, rollout_of, grade_of = game.key, game.rekey, game.perft, game.rollout, game.grade
    opened, closed, ran, was_read, copy = (
        game.search_open,
        game.search_close,
        game.search_run,
        game.search_read,
        game.copy,
    )
    actions_of, batch_start_of, batch_step_of = game.actions, game.batch_start, game.batch_step
    batch_moves_of, batch_mask_of, batch_views_of = game.batch_moves, game.batch_mask, game.batch_views
    local_moves, local_worlds = stack(np.uint16), stack(game.WORLDS)

    @game.kernel
    def legal(s: Words, moves: Words) -> Int:
        viewer, seat = viewer_of(s), to_move_of(s)
        if viewer >= 0 and seat >= 0 and viewer != seat:
            return PS_ERROR_ARGUMENT
        return moves_of(s, moves)

    @game.entry
    def deal(seed: Word, dealer: Int, scores: Words, state: Words) -> None:
        r = local_rng(2)
        rng_stream(r, seed, RNG_DEAL, np.uint64(0))
        deal_of(state, r, dealer, scores)

    @game.entry
    def to_move(state: Words) -> Int:
        seat = to_move_of(state)
        return PS_ERROR_OVER if seat < 0 else seat

    @game.entry
    def moves(state: Words, moves: Words) -> Int:
        return legal(state, moves)

    @game.entry
    def policy(view: Words, weights: Words) -> Int:
        moves = local_moves(PS_MAX_MOVES)
        n = legal(view, moves)
        if n > 0:
            policy_of(view, moves, n, weights)
        return n

    @game.entry
    def play(state: Words, move: Int, after: Words) -> Int:
        moves = local_moves(PS_MAX_MOVES)
        if viewer_of(state) >= 0:
            return PS_ERROR_ARGUMENT
        if to_move_of(state) < 0:
            return PS_ERROR_OVER
        for i in range(moves_of(state, moves)):
            if np.int64(moves[i]) == move:
                copy(after, state)
                play_of(after, move)
                return 0
        return PS_ERROR_ILLEGAL

    @game.entry
    def shares(state: Words, shares: Words) -> Int:
        if to_move_of(state) >= 0:
            return PS_ERROR_ARGUMENT
        shares_of(state, shares)
        return 0

    @game.entry
    def view(state: Words, seat: Int, view: Words) -> None:
        view_of(state, seat, view)

    @game.entry
    def view_play(view: Words, move: Int, seen: Word, after: Words, sight: Words) -> Int:
        return view_play_of(view, move, seen, after, sight)

    @game.entry
    def count_worlds(view: Words, factors: Words) -> Int:
        worlds = local_worlds(1)[0]
        bad = worlds_open(worlds, view)
        return bad if bad else worlds_count(worlds, factors)

    @game.entry
    def sample(view: Words, seed: Word, index: Word, state: Words) -> Int:
        worlds, r = local_worlds(1)[0], local_rng(2)
        rng_stream(r, seed, RNG_WORLD, index)
        bad = worlds_open(worlds, view)
        if bad:
            return bad
        worlds_draw(worlds, r, state)
        return 0

    @game.entry
    def key(state: Words) -> Word:
        return key_of(state)

    @game.entry
    def rekey(key: Word, before: Words, after: Words) -> Word:
        return rekey_of(key, before, after)

    @game.entry
    def perft(state: Words, depth: Int, control: Record) -> Word:
        return perft_of(state, depth, control[0])

    @game.entry
    def rollout(state: Words, seed: Word, first: Word, n: Word, control: Record, totals: Record) -> Int:
        return rollout_of(state, seed, first, n, control[0], totals[0])

    @game.entry
    def grade(
        view: Words,
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
        return grade_of(view, seed, first, n, moves, k, weighed, control[0], totals, products)

    @game.entry
    def actions(codes: Words) -> Int:
        return actions_of(codes)

    @game.entry
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
        batch_start_of(states, deals, to_move, ended, returns, seed, dealer, scores)

    @game.entry
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
        return batch_step_of(states, deals, to_move, ended, returns, seed, dealer, scores, chosen)

    @game.entry
    def batch_moves(states: Words, moves: Words, starts: Words) -> Int:
        return batch_moves_of(states, moves, starts)

    @game.entry
    def batch_mask(states: Words, actions: Words, mask: Words) -> None:
        batch_mask_of(states, actions, mask)

    @game.entry
    def batch_views(states: Words, seats: Words, views: Words) -> None:
        batch_views_of(states, seats, views)

    @game.entry
    def search_open(search: Record, view: Words, method: Int, seed: Word, memory: Word) -> Int:
        return opened(search[0], view, method, seed, memory)

    @game.entry
    def search_close(search: Record) -> None:
        closed(search[0])

    @game.entry
    def search_run(search: Record, worker: Int, workers: Int, control: Record) -> Int:
        return ran(search[0], worker, workers, control[0])

    @game.entry
    def search_read(search: Record, moves: Words, found: Record) -> None:
        was_read(search[0], moves, found[0])
