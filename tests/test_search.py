"""The search: it sees what its seat sees, counts what it does, and finds what cannot be missed."""

import json
import random
from collections.abc import Callable

import pytest
from referee.nasty import nasty_cuttle
from stages import GAMES, own_view, positions

import pysearch
from pysearch import Limit


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_do_not_matter(game: str, count: Callable[[int, int], int]) -> None:
    for seed, pos in enumerate(positions(game, count(60, 500))):
        view = own_view(pos)
        expected = json.dumps(pysearch.analyze(view, Limit(iterations=60), seed=seed).to_dict())
        for world in (pos, view.sample(seed=seed), view.sample(seed=seed + 1)):
            found = pysearch.analyze(world, Limit(iterations=60), seed=seed)
            assert json.dumps(found.to_dict()) == expected


@pytest.mark.parametrize("game", GAMES)
def test_every_iteration_visits_one_move(game: str) -> None:
    for pos in positions(game, 40):
        found = pysearch.analyze(pos, Limit(iterations=200), seed=3, method="so-ismcts")
        assert found.iterations == 200
        assert sorted(m.move for m in found.moves) == sorted(pos.legal_moves())
        assert sum(m.visits for m in found.moves) == 200
        assert found.best == found.moves[0].move
        assert found.value == found.moves[0].value
        keys = [(-m.visits, -(m.value or 0), pos.legal_moves().index(m.move)) for m in found.moves]
        assert keys == sorted(keys)
        for m in found.moves:
            assert m.line[0] == m.move
            assert (m.value is None) == (m.visits == 0)
            assert m.value is None or 0 <= m.value <= 1
            assert m.stderr is None or 0 <= m.stderr <= 0.5


def test_a_win_in_one_is_ranked_first(count: Callable[[int, int], int]) -> None:
    """Cuttle; in Buck Euchre the move that ends a deal is forced, or a drop that hands it over."""
    rng = random.Random("win")
    wanted, found = count(12, 100), 0
    while found < wanted:
        pos = pysearch.parse(str(nasty_cuttle(rng)))
        assert isinstance(pos, pysearch.Position)
        seat = pos.to_move
        assert seat is not None
        wins = {move for move in pos.legal_moves() if winners(pos.play(move)) == (seat,)}
        if not wins or len(pos.legal_moves()) == len(wins) or not sure(pos, seat, wins):
            continue  # a six or two may win here by luck of the hidden cards
        found += 1
        analysis = pysearch.analyze(pos.view(seat), Limit(iterations=1000), seed=found)
        assert analysis.value == 1
        assert winners(pos.play(analysis.best)) in ((seat,), None)


def winners(pos: pysearch.Position) -> tuple[int, ...] | None:
    return None if pos.outcome is None else pos.outcome.winners


def sure(pos: pysearch.Position, seat: int, wins: set[str]) -> bool:
    """Does one of these moves win in other worlds too?"""
    worlds = [pos.view(seat).sample(seed=s) for s in range(10)]
    return any(all(winners(world.play(move)) == (seat,) for world in worlds) for move in wins)


def test_nobody_drops_when_that_hands_over_the_match() -> None:
    """B9: after two drops the last one to speak must stay."""
    for seed in range(20):
        pos = pysearch.deal("buck_euchre", seed=seed, dealer=3)
        if pos.legal_moves() != ["pass", "order"]:
            continue  # a club was turned
        pos = pos.play("order")
        for choice in (0, "drop", "drop"):
            legal = pos.legal_moves()
            pos = pos.play(legal[choice] if isinstance(choice, int) else choice)
        assert pos.legal_moves() == ["stay", "drop"]
        found = pysearch.analyze(pos, Limit(iterations=1000), seed=seed)
        assert found.best == "stay"
        dropped = next(m for m in found.moves if m.move == "drop")
        assert dropped.value == 0


def test_no_move_is_given_up_for_good() -> None:
    """A first bid may lose its first visits, below a tree that is young; it must be looked at again."""
    hand = "buck/1 hands=9C9D9STDTS/X5/X5/X5 up=AH kitty=X3 dealer=3 turn=0 view=0"
    view = pysearch.parse(hand)
    for seed in range(3):
        few = pysearch.analyze(view, Limit(iterations=2_000), seed=seed)
        many = pysearch.analyze(view, Limit(iterations=100_000), seed=seed)
        visits = {m.move: m.visits for m in few.moves}
        assert all(m.visits > 5 * visits[m.move] for m in many.moves)


def test_the_five_highest_trumps_are_worth_the_match() -> None:
    view = pysearch.parse(
        "buck/1 hands=X5/QHKHAHJDJH/X5/X5 up=9H kitty=X3 buried=X1 dealer=0 turn=1 stage=play trump=H maker=1 view=1"
    )
    found = pysearch.analyze(view, Limit(iterations=300), seed=1)
    assert [m.value for m in found.moves] == [1.0] * 5


def test_a_view_of_another_seat_cannot_be_analysed() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    assert pos.to_move == 0
    with pytest.raises(pysearch.ArgumentError, match="seat 0"):
        pysearch.analyze(pos.view(1), Limit(iterations=10))


def test_a_finished_game_cannot_be_analysed() -> None:
    pos = pysearch.deal("buck_euchre", seed=1)
    while not pos.is_over:
        pos = pos.play(pos.legal_moves()[0])
    with pytest.raises(pysearch.ArgumentError, match="over"):
        pysearch.analyze(pos, Limit(iterations=10))


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_playouts_do_not_depend_on_threads(game: str, threads: int) -> None:
    pos = pysearch.deal(game, seed=5)
    assert pysearch.rollout(pos.view(0), 5000, seed=9, threads=threads) == pysearch.rollout(pos.view(0), 5000, seed=9)


def test_time_limited_results_are_reproduced_by_their_iterations() -> None:
    view = own_view(pysearch.deal("cuttle", seed=2))
    timed = pysearch.analyze(view, Limit(seconds=0.05), seed=4)
    assert pysearch.analyze(view, Limit(iterations=timed.iterations), seed=4).moves == timed.moves


@pytest.mark.parametrize(("name", "value", "low"), [("nodes", 0, 1), ("nodes", True, 1), ("iterations", -1, 0)])
def test_bounds_of_a_limit_are_numbers(name: str, value: int, low: int) -> None:
    with pytest.raises(pysearch.ArgumentError) as caught:
        pysearch.Limit(**{name: value})
    assert str(caught.value) == f"{name}: found {value}, expected a whole number from {low} to 2**63 - 1"
