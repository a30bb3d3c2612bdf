"""pytest-benchmark over fixed positions, for development: `pytest bench/ --benchmark-enable`. Each asserts its answer
first. What stands in `pysearch bench` has its test here.
"""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import pysearch
from pysearch import Limit

GAMES = ["cuttle", "buck_euchre"]
PERFT = {
    "cuttle": (
        "cuttle/1 hands=AC3C7STCJC/5S6S9STSKDKS turn=0"
        " stock=7DQSADQH3D8HKCAH7HQD9D6C2SQC4S2H3S5D7CJD2D3HKH5C2C8C6DJS8S5H4HTH4D9CJHAS8D6H9H4CTD",
        5,
        17169,
    ),
    "buck_euchre": (
        "buck/1 hands=KCTDJD9HKS/9CACQDTHQS/9DKD9SJSAS/TCQCADKHAH up=JC kitty=JHQHTS dealer=3 turn=0"
        " stage=play trump=C",
        9,
        3072,
    ),
}
ENDING = (
    "cuttle/1 hands=THAC/2C perms=KDKS/KH turn=0"
    " stock=ADAHAS2D2H2S3C3D3H3S4C4D4H4S5C5D5H5S6C6D6H6S7C7D7H7S8C8D8H8S9C9D9H9STCTDTSJCJDJHJSQCQDQHQSKC"
)
N, STEPS = 1024, 40  # of a batch


def position(text: str) -> pysearch.Position:
    pos = pysearch.parse(text)
    assert isinstance(pos, pysearch.Position)
    return pos


def opening_leads(n: int) -> list[pysearch.Position]:
    deals = [pysearch.deal("buck_euchre", seed=seed) for seed in range(8 * n)]
    return [pos for pos in deals if len(pos.legal_moves()) == 5][:n]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_playouts(game: str, threads: int, benchmark: Any) -> None:
    pos = pysearch.deal(game, seed=1)
    found = pysearch.rollout(pos, 50_000, seed=1)
    assert found.games == 50_000
    assert sum(found.returns) == pytest.approx(1)
    assert benchmark(lambda: pysearch.rollout(pos, 50_000, seed=1, threads=threads)) == found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_playouts_of_worlds(game: str, threads: int, benchmark: Any) -> None:
    views = [pysearch.deal(game, seed=seed).view(0) for seed in range(64)]
    found = [pysearch.rollout(view, 500, seed=1) for view in views]
    assert benchmark(lambda: pysearch.rollout_many(views, 500, seed=1, threads=threads)) == found


@pytest.mark.parametrize("game", GAMES)
def test_perft(game: str, benchmark: Any) -> None:
    text, depth, leaves = PERFT[game]
    pos = position(text)
    assert pysearch.perft(pos, depth) == leaves
    assert benchmark(lambda: pysearch.perft(pos, depth)) == leaves


@pytest.mark.parametrize("game", GAMES)
def test_worlds(game: str, benchmark: Any) -> None:
    view = pysearch.deal(game, seed=2).view(0)
    worlds = [view.sample(seed=seed) for seed in range(200)]
    assert all(world.view(0) == view for world in worlds)
    assert benchmark(lambda: [view.sample(seed=seed) for seed in range(200)]) == worlds


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("method", "threads"), [("so-ismcts", 1), ("ismcts", 1), ("ismcts", 2)])
def test_search(game: str, method: str, threads: int, benchmark: Any) -> None:
    view, limit = pysearch.deal(game, seed=2).view(0), Limit(iterations=20_000)
    found = pysearch.analyze(view, limit, seed=1, method=method)
    assert sum(m.visits for m in found.moves) == 20_000
    assert benchmark(lambda: pysearch.analyze(view, limit, seed=1, threads=threads, method=method)) == found


@pytest.mark.parametrize("moves", [False, True])
def test_coalitions(moves: bool, benchmark: Any) -> None:
    leads = opening_leads(256)
    scores = [solved.tricks for solved in pysearch.solve_many(leads, objective="coalition", seats=(0, 2))]
    assert len(scores) == 256
    found = benchmark(lambda: pysearch.solve_many(leads, objective="coalition", seats=(0, 2), moves=moves))
    assert found.scores() == scores


def test_maxn(benchmark: Any) -> None:
    pos = position(PERFT["buck_euchre"][0])
    found = pysearch.solve(pos)
    assert isinstance(found, pysearch.BuckSolution)
    assert isinstance(found.tricks, tuple)
    assert sum(found.tricks) == pytest.approx(5)
    assert benchmark(lambda: pysearch.solve(pos)) == found


def test_cuttle_solver(benchmark: Any) -> None:
    pos = position(ENDING)
    found = pysearch.solve(pos, Limit(nodes=100_000))
    assert (found.result, found.plies, found.line) == ("win", 1, ("TH",))  # type: ignore[union-attr]
    assert benchmark(lambda: pysearch.solve(pos, Limit(nodes=100_000))) == found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("told", [False, True], ids=["step", "legal_actions and step"])
def test_batch(game: str, told: bool, benchmark: Any) -> None:
    rng, chosen = np.random.default_rng(1), []
    batch, pos = pysearch.Batch(game, N, seed=1), pysearch.deal(game, seed=1)
    for _ in range(STEPS):
        if pos.is_over:  # and game 0 goes on with another deal
            break
        actions, starts = batch.legal_actions()
        chosen.append(actions[rng.integers(starts[:-1], starts[1:])])
        pos = pos.play(batch.actions[chosen[-1][0]])
        batch.step(chosen[-1])
        assert pos.is_over or batch.position(0) == pos

    def games() -> pysearch.Batch:
        batch = pysearch.Batch(game, N, seed=1)
        for actions in chosen:
            if told:
                batch.legal_actions()
            batch.step(actions)
        return batch

    assert benchmark(games).n == N


@pytest.mark.parametrize("game", GAMES)
def test_play_from_python(game: str, benchmark: Any) -> None:
    def game_of_first_moves() -> pysearch.Position:
        pos = pysearch.deal(game, seed=3)
        for _ in range(12):
            pos = pos.play(pos.legal_moves()[0])
        return pos

    end = game_of_first_moves()
    assert end != pysearch.deal(game, seed=3)
    assert benchmark(game_of_first_moves) == end


@pytest.mark.parametrize(
    "arguments", [("-m", "pysearch", "--version"), ("-c", "import pysearch")], ids=["version", "import"]
)
def test_start(arguments: tuple[str, ...], benchmark: Any) -> None:
    def start() -> str:
        return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout

    told = start()
    assert told.startswith(f"pysearch {pysearch.__version__}") or arguments[0] == "-c"
    assert benchmark(start) == told
