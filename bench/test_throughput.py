"""pytest-benchmark over fixed positions, for development: `pytest bench/ --benchmark-enable`. Each asserts its answer.

Whole programs are measured by `pysearch bench`; comparisons with others stand in bench/peers.
"""

from typing import Any

import pytest

import pysearch
from pysearch import Limit

GAMES = ["cuttle", "buck_euchre"]


@pytest.mark.parametrize("game", GAMES)
def test_playouts(game: str, benchmark: Any) -> None:
    pos = pysearch.deal(game, seed=1)
    found = benchmark(lambda: pysearch.rollout(pos, 2000, seed=1))
    assert found == pysearch.rollout(pos, 2000, seed=1)
    assert found.games == 2000


@pytest.mark.parametrize("game", GAMES)
def test_playouts_of_many(game: str, benchmark: Any) -> None:
    views = [pysearch.deal(game, seed=seed).view(0) for seed in range(64)]
    found = benchmark(lambda: pysearch.rollout_many(views, 64, seed=1))
    assert found == [pysearch.rollout(view, 64, seed=1) for view in views]


@pytest.mark.parametrize(("game", "depth", "leaves"), [("cuttle", 5, 17169), ("buck_euchre", 9, 3072)])
def test_perft(game: str, depth: int, leaves: int, benchmark: Any) -> None:
    texts = {
        "cuttle": "cuttle/1 hands=AC3C7STCJC/5S6S9STSKDKS turn=0"
        " stock=7DQSADQH3D8HKCAH7HQD9D6C2SQC4S2H3S5D7CJD2D3HKH5C2C8C6DJS8S5H4HTH4D9CJHAS8D6H9H4CTD",
        "buck_euchre": "buck/1 hands=KCTDJD9HKS/9CACQDTHQS/9DKD9SJSAS/TCQCADKHAH up=JC kitty=JHQHTS dealer=3 turn=0"
        " stage=play trump=C",
    }
    pos = pysearch.parse(texts[game])
    assert isinstance(pos, pysearch.Position)
    assert benchmark(lambda: pysearch.perft(pos, depth)) == leaves


@pytest.mark.parametrize("game", GAMES)
def test_search(game: str, benchmark: Any) -> None:
    view = pysearch.deal(game, seed=2).view(0)
    found = benchmark(lambda: pysearch.analyze(view, Limit(iterations=500), seed=1))
    assert sum(m.visits for m in found.moves) == 500


@pytest.mark.parametrize("game", GAMES)
def test_play_from_python(game: str, benchmark: Any) -> None:
    def game_of_first_moves() -> pysearch.Position:
        pos = pysearch.deal(game, seed=3)
        for _ in range(12):
            pos = pos.play(pos.legal_moves()[0])
        return pos

    assert benchmark(game_of_first_moves) == game_of_first_moves()


@pytest.mark.parametrize("moves", [False, True])
def test_coalitions(moves: bool, benchmark: Any) -> None:
    deals = [pysearch.deal("buck_euchre", seed=seed) for seed in range(2000)]
    plays = [pos for pos in deals if len(pos.legal_moves()) == 5][:256]
    found = benchmark(lambda: pysearch.solve_many(plays, objective="coalition", seats=(0, 2), moves=moves))
    assert found.scores() == [s.tricks for s in found]
