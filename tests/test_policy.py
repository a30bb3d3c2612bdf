"""The hand-written policies: what they look at, and that they play better than chance."""

import random
from collections.abc import Callable

import pytest
from referee.nasty import nasty_buck, nasty_cuttle

import pysearch
from pysearch.backends import select
from pysearch.games import GAMES


def weights(pos: pysearch.Position | pysearch.View) -> list[int]:
    return select().policy(GAMES[pos.game].id, pos.words)


def rules(pos: pysearch.Position) -> str:
    """The move of the player `rules`: the heaviest, the first of equals."""
    found = weights(pos)
    return pos.legal_moves()[found.index(max(found))]


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_policy_sees_what_its_seat_sees(game: str, count: Callable[[int, int], int]) -> None:
    rng = random.Random(f"policy {game}")
    for _ in range(count(300, 3000)):
        pos = pysearch.parse(str((nasty_cuttle if game == "cuttle" else nasty_buck)(rng)))
        assert isinstance(pos, pysearch.Position)
        if pos.to_move is None:
            assert weights(pos) == []
            continue
        view = pos.view(pos.to_move)
        found = weights(pos)
        assert len(found) == len(pos.legal_moves())
        assert min(found) >= 1
        assert sum(found) < 2**20
        assert weights(view) == found
        assert weights(view.sample(seed=1)) == found


def test_rules_beats_three_random_players(count: Callable[[int, int], int]) -> None:
    rng, total, deals = random.Random("rules"), 0.0, count(150, 1500)
    for seed in range(deals):
        for seat in range(4):
            pos = pysearch.deal("buck_euchre", seed=seed, dealer=seed % 4)
            while pos.to_move is not None:
                pos = pos.play(rules(pos) if pos.to_move == seat else rng.choice(pos.legal_moves()))
            assert pos.outcome is not None
            total += pos.outcome.returns[seat]
    # 0.30 in the long run; the mean of 150 deals spreads by 0.007
    assert total / (4 * deals) > 0.27


def test_the_last_to_speak_does_not_leave_the_maker_alone() -> None:
    answers = set()
    for seed in range(40):
        pos = pysearch.deal("buck_euchre", seed=seed)
        if "order" not in pos.legal_moves():
            continue
        pos = pos.play("order")
        pos = pos.play(pos.legal_moves()[0])
        answers.add(rules(pos))
        assert rules(pos.play("drop").play("drop")) == "stay"
    assert answers == {"stay", "drop"}
