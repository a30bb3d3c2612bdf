"""The engine against the referee, move by move: legal moves, positions, views, what comes into sight, outcomes."""

import random
from collections.abc import Callable

import pytest
from referee import State
from referee import parse as referee_parse
from referee.nasty import nasty_buck, nasty_cuttle, steer

import pysearch

NASTY: dict[str, Callable[[random.Random], State]] = {"cuttle": nasty_cuttle, "buck_euchre": nasty_buck}


def first_state(game: str, seed: int, rng: random.Random) -> State:
    """Every other game starts from a shuffled deal, the others from a rare position."""
    if seed % 2:
        return NASTY[game](rng)
    if game == "cuttle":
        return referee_parse(str(pysearch.deal(game, seed=seed, dealer=seed // 2 % 2)))
    scores = [rng.choice([25, rng.randint(1, 30)]) for _ in range(4)]
    return referee_parse(str(pysearch.deal(game, seed=seed, dealer=seed // 2 % 4, scores=scores)))


def same_outcome(pos: pysearch.Position | pysearch.View, state: State) -> None:
    expected = state.outcome()
    assert expected is not None
    outcome = pos.outcome
    assert outcome is not None
    for key, value in expected.items():
        if value is not None:
            assert list(getattr(outcome, key)) == value, key
    assert sum(outcome.returns) == pytest.approx(1)


def seen_by(seat: int, before: State, after: State, move: str) -> str:
    """The cards that came into a seat's sight by a move and that the move does not name, in one string."""
    known = {*before.view(seat).all_named(), getattr(before, "up", "")}  # the up-card lies open before anybody takes it
    named = {move[i : i + 2] for i in range(len(move) - 1)}
    return "".join(card for card in after.view(seat).all_named() if card not in known | named)


def hidden_move(state: State, move: str, seat: int) -> str:
    """A burial as the other seats see it."""
    return "dX" if state.stage == "bury" and state.to_move != seat else move


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_engine_and_referee_agree_in_whole_games(game: str, count: Callable[[int, int], int]) -> None:
    for seed in range(count(300, 3000)):
        rng = random.Random(f"{game} {seed}")
        state = first_state(game, seed, rng)
        pos = pysearch.parse(str(state))
        assert isinstance(pos, pysearch.Position)
        views = [pos.view(seat) for seat in range(pos.seats)]
        for _ in range(120):
            assert str(pos) == str(state), seed
            assert pos.to_move == state.to_move
            assert pos.is_over == state.over
            assert sorted(pos.legal_moves()) == sorted(state.legal()), str(state)
            if state.over:
                break
            move = steer(state, rng) if seed % 2 else rng.choice(state.legal())
            after = state.play(move)
            for seat, view in enumerate(views):
                assert str(view) == str(state.view(seat)), (seed, seat)
                assert pos.view(seat) == view
                if seat == state.to_move:
                    assert view.legal_moves() == pos.legal_moves()
                views[seat] = view.play(hidden_move(state, move, seat), seen=seen_by(seat, state, after, move))
            pos, state = pos.play(move), after
        if state.over:
            same_outcome(pos, state)
            for seat, view in enumerate(views):
                assert str(view) == str(state.view(seat)), (seed, seat)
                assert view.is_over
                same_outcome(view, state)


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_only_legal_tokens_are_played(game: str, count: Callable[[int, int], int]) -> None:
    """Tokens that are legal somewhere are refused wherever the referee does not list them."""
    rng = random.Random(game)
    states = [NASTY[game](rng) for _ in range(count(40, 400))]
    tokens = sorted({move for state in states for move in state.legal()})
    for state in states:
        pos = pysearch.parse(str(state))
        assert isinstance(pos, pysearch.Position)
        legal = set(state.legal())
        for token in rng.sample(tokens, min(len(tokens), 60)):
            if token in legal:
                pos.play(token)
            else:
                with pytest.raises(pysearch.IllegalMove):
                    pos.play(token)
