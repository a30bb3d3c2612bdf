"""Batches of games: each is the game that a Position plays, and bad actions name the game."""

from collections.abc import Callable

import numpy as np
import pytest

import pysearch
from pysearch import ArgumentError, Batch, IllegalMove, Position
from pysearch.games import GAMES

N = 7


def chosen(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """A random legal action for each game."""
    actions, starts = batch.legal_actions()
    counts = np.diff(starts.astype(np.int64))
    return actions[starts[:-1].astype(np.int64) + (rng.random(len(batch)) * counts).astype(np.int64)]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_a_batch_is_that_of_a_position(game: str, count: Callable[[int, int], int]) -> None:
    batch = Batch(game, N, seed=5)
    positions: list[Position] = [batch.position(i) for i in range(N)]
    assert positions[0] == pysearch.deal(game, seed=5)
    assert len(set(positions)) == N
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(count(150, 3000)):
        actions, starts = batch.legal_actions()
        mask, own, first = batch.legal_mask(), batch.views(), batch.views(0)
        for i, position in enumerate(positions):
            assert position.to_move == batch.to_move[i]
            legal = [batch.actions[a] for a in actions[int(starts[i]) : int(starts[i + 1])]]
            assert legal == position.legal_moves() == [batch.actions[a] for a in np.flatnonzero(mask[i])]
            assert own[i].tobytes() == position.view(int(batch.to_move[i])).words
            assert first[i].tobytes() == position.view(0).words
        moves = chosen(batch, rng)
        deals = batch.deals.copy()
        batch.step(moves)
        for i, position in enumerate(positions):
            after = position.play(batch.actions[moves[i]])
            assert batch.ended[i] == after.is_over
            assert batch.deals[i] == deals[i] + N * after.is_over
            assert tuple(batch.returns[i]) == pytest.approx(
                after.outcome.returns if after.outcome else (0,) * batch.seats
            )
            if after.is_over:
                ends += 1
                assert str(batch.position(i)) not in map(str, positions)
            else:
                assert batch.states[i].tobytes() == after.words
            positions[i] = batch.position(i)
    assert ends > N


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_depends_on_its_arguments_alone(game: str) -> None:
    first, second = Batch(game, N, seed=9), Batch(game, N, seed=9)
    rng = np.random.default_rng(2)
    for _ in range(60):
        moves = chosen(first, rng)
        first.step(moves)
        second.step(moves.astype(np.int64))
        assert (first.states == second.states).all()
    assert (Batch(game, N, seed=8).states != Batch(game, N, seed=9).states).any()
    assert len(set(first.actions)) == len(first.actions)


def test_deals_are_those_asked_for() -> None:
    batch = Batch("buck_euchre", 2, seed=3, dealer=1, scores=(1, 2, 3, 4))
    assert batch.position(0) == pysearch.deal("buck_euchre", seed=3, dealer=1, scores=(1, 2, 3, 4))


def test_a_bad_action_names_its_game_and_changes_nothing() -> None:
    batch = Batch("cuttle", N, seed=1)
    moves = chosen(batch, np.random.default_rng(3))
    before = batch.states.copy()
    moves[4] = batch.actions.index("pass")
    with pytest.raises(IllegalMove, match="game 4: pass is not legal here, expected draw ") as refused:
        batch.step(moves)
    assert refused.value.legal == batch.position(4).legal_moves()
    for bad, found in ((-1, "-1"), (len(batch.actions), str(len(batch.actions)))):
        wrong = moves.astype(np.int64)
        wrong[2] = bad
        with pytest.raises(ArgumentError, match=f"actions: found {found} for game 2") as error:
            batch.step(wrong)
        assert error.value.argument == "actions"
    assert (batch.states == before).all()
    assert not batch.ended.any()


def test_bad_arguments_are_named() -> None:
    batch = Batch("cuttle", 3)
    calls: dict[str, Callable[[], object]] = {
        "game": lambda: Batch("whist", 3),
        "n": lambda: Batch("cuttle", 0),
        "seed": lambda: Batch("cuttle", 3, seed=-1),
        "dealer": lambda: Batch("cuttle", 3, dealer=2),
        "scores": lambda: Batch("cuttle", 3, scores=(1, 2, 3, 4)),
        "actions": lambda: batch.step([0.0, 0.0, 0.0]),
        "seats": lambda: batch.views(2),
        "i": lambda: batch.position(3),
    }
    for argument, call in calls.items():
        with pytest.raises(ArgumentError) as error:
            call()
        assert error.value.argument == argument
    for wrong in ([0, 0], [[0, 0, 0]], 0):
        with pytest.raises(ArgumentError, match="actions"):
            batch.step(wrong)
    for array in (batch.states, batch.to_move, batch.ended, batch.returns, batch.deals):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_every_public_name_is_there() -> None:
    for name in pysearch.__all__:
        assert getattr(pysearch, name).__class__.__name__ != "module"
    assert set(pysearch.__all__) <= set(dir(pysearch))
    with pytest.raises(AttributeError, match="nothing_like_it"):
        getattr(pysearch, "nothing_like_it")  # noqa: B009
