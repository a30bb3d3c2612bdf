"""The trees of a search: shared out among threads, small or full, with hardly any iterations or no choice."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stages import GAMES, own_view, positions, stage

import pysearch
from pysearch import Limit

STAGES = {
    "cuttle": {"main", "counter", "take", "discard", "seven"},
    "buck_euchre": {"order", "name", "bury", "stay", "play"},
}


def text(pos: pysearch.Position | pysearch.View, limit: Limit, seed: int = 0, threads: int = 1) -> str:
    return json.dumps(pysearch.analyze(pos, limit, seed, threads).to_dict())


@pytest.mark.parametrize("game", GAMES)
def test_threads_do_not_matter(game: str, count: Callable[[int, int], int]) -> None:
    seen = set()
    for seed, pos in enumerate(positions(game, count(45, 450))):
        seen.add(stage(pos))
        for iterations in (37, 700, 2_000):  # the first is less than a block, the second no whole number of them
            one, *more = (text(pos, Limit(iterations=iterations), seed, threads) for threads in (1, 2, 4))
            assert more == [one, one], str(pos)
    assert seen == STAGES[game]


@pytest.mark.parametrize("game", GAMES)
def test_full_trees_do_not_depend_on_threads(game: str) -> None:
    for seed, pos in enumerate(positions(game, 6)):
        one, *more = (text(pos, Limit(iterations=20_000, memory_mb=1), seed, threads) for threads in (1, 2, 4))
        assert more == [one, one], str(pos)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_what_the_clock_gave_is_reproduced(game: str, threads: int) -> None:
    for seed, pos in enumerate(positions(game, 4)):
        timed = pysearch.analyze(pos, Limit(seconds=0.03), seed, threads)
        assert text(pos, Limit(iterations=timed.iterations), seed) == json.dumps(timed.to_dict()), str(pos)


def test_processes_and_hash_seeds_do_not_matter() -> None:
    """Nor what was searched before: one process goes through the positions backwards."""
    code = (
        "import sys, json, pysearch\n"
        "from stages import GAMES, positions\n"
        "found = {}\n"
        "for game in GAMES:\n"
        "    for seed, pos in list(enumerate(positions(game, 12)))[:: int(sys.argv[1])]:\n"
        "        a = pysearch.analyze(pos, pysearch.Limit(iterations=400), seed, 2)\n"
        "        found[f'{game} {seed}'] = a.to_dict()\n"
        "        e = pysearch.explain(pos, pysearch.Limit(iterations=20), seed, 2)\n"
        "        found[f'{game} {seed} explained'] = e.to_dict()\n"
        "print(json.dumps(found, sort_keys=True))"
    )
    outputs = []
    for hash_seed, step in (("1", "1"), ("2", "-1")):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parent)}
        command = [sys.executable, "-c", code, step]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    here = {}
    for game in GAMES:
        for seed, pos in enumerate(positions(game, 12)):
            here[f"{game} {seed}"] = pysearch.analyze(pos, Limit(iterations=400), seed).to_dict()
    known = json.loads(outputs[0])
    assert {name: known[name] for name in here} == here


@pytest.mark.parametrize("iterations", [0, 1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_hardly_any_iterations_give_a_legal_move(game: str, iterations: int) -> None:
    for pos in positions(game, 60):
        for threads in (1, 4):
            found = pysearch.analyze(pos, Limit(iterations=iterations), seed=1, threads=threads)
            assert found.best in pos.legal_moves()
            assert found.iterations <= iterations
            assert found.low_confidence is not (found.exact or found.sampling == "enumerated"), str(pos)
            if not iterations:
                assert found.value is None
                assert found.low_confidence
                assert all(m.value is None and m.visits == 0 for m in found.moves)


@pytest.mark.parametrize("game", GAMES)
def test_many_iterations_are_trusted(game: str) -> None:
    for pos in positions(game, 20):
        assert not pysearch.analyze(pos, Limit(iterations=2_000)).low_confidence, str(pos)


@pytest.mark.parametrize("game", GAMES)
def test_a_move_without_a_choice_comes_at_once(game: str) -> None:
    """Nobody waits for 10^12 iterations."""
    forced = [pos for pos in positions(game, 120) if len(pos.legal_moves()) == 1]
    assert len(forced) >= 10
    for pos in forced[:20]:
        found = pysearch.analyze(pos, Limit(iterations=10**12), seed=1)
        assert found.best == pos.legal_moves()[0]
        assert found.value is not None
        assert not found.low_confidence
        # The value is that of a search, not made up: that of so many iterations, and of this seed.
        assert found == pysearch.analyze(pos, Limit(iterations=found.iterations), seed=1)


@pytest.mark.parametrize("game", GAMES)
def test_a_full_tree_goes_on(game: str) -> None:
    """With 1 MB, which fills up early, values are those of a tree that has room, but for some depth."""
    for seed, pos in enumerate(positions(game, 4)):
        small, large = (pysearch.analyze(pos, Limit(iterations=50_000, memory_mb=mb), seed) for mb in (1, 256))
        assert small.iterations == large.iterations
        if small.exact:
            continue
        assert small.value is not None
        assert large.value is not None
        assert abs(small.value - large.value) < 0.1, str(pos)
        assert sum(m.visits for m in small.moves) == sum(m.visits for m in large.moves)


@pytest.mark.parametrize("method", ["ismcts", "so-ismcts", "flat"])
@pytest.mark.parametrize("game", GAMES)
def test_visits_add_up(game: str, method: str, count: Callable[[int, int], int]) -> None:
    """An iteration visits one move; where worlds are gone through, or a position is solved, it visits each."""
    sampled = 0
    for seed, pos in enumerate(positions(game, count(60, 600))):
        found = pysearch.analyze(pos, Limit(iterations=333), seed, method=method)
        legal = pos.legal_moves()
        keys = [(-m.visits, -(m.value or 0), legal.index(m.move)) for m in found.moves]
        assert keys == sorted(keys)
        assert sorted(m.move for m in found.moves) == sorted(legal)
        visits = sum(m.visits for m in found.moves)
        if visits == found.iterations and found.sampling == "sampled":
            sampled += 1
            assert found.iterations == 333
            continue
        assert method == "ismcts", str(pos)
        if game == "buck_euchre":
            assert {m.visits for m in found.moves} == {found.iterations}, str(pos)
            assert is_late(pos), str(pos)
        else:
            assert own_view(pos).count_worlds() == 1, str(pos)
            assert found.exact or visits == found.iterations - 1, str(pos)
    assert sampled >= 20


def is_late(pos: pysearch.Position) -> bool:
    """Three tricks or more have been played, or nothing is hidden: all hands are gone through."""
    return sum(pos.to_dict()["tricks"]) >= 3 or own_view(pos).count_worlds() == 1
