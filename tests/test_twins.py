"""The native core and its numba twins: the same words, moves, counts, totals, visits, values and lines."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

native: Any = pytest.importorskip("pysearch.backends.native", reason="there is no compiled core to compare with")
fallback: Any = pytest.importorskip("pysearch.backends.fallback", reason="numba is missing")

from pysearch.backends import Refused  # noqa: E402
from pysearch.games import GAMES  # noqa: E402

METHODS = ["ismcts", "so-ismcts", "flat", "pimc"]


class Table(NamedTuple):
    """A game under test."""

    id: int
    words: int
    seats: int


TABLES = [pytest.param(Table(g.id, g.words, g.seats), id=name) for name, g in GAMES.items()]
CUTTLE, BUCK = (Table(g.id, g.words, g.seats) for g in GAMES.values())


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or how it is refused."""
    try:
        return call()
    except Refused as refused:
        return "refused", refused.code, refused.sight


def same(name: str, *arguments: Any) -> Any:
    """What both backends say, which must be one thing."""
    first = outcome(lambda: getattr(native, name)(*arguments))
    assert outcome(lambda: getattr(fallback, name)(*arguments)) == first, (name, arguments)
    return first


def deal(table: Table, seed: int) -> bytes:
    rng = random.Random(seed)
    dealt = same(
        "deal", table.id, table.words, seed, rng.randrange(table.seats), [rng.randint(1, 30) for _ in range(4)]
    )
    assert isinstance(dealt, bytes)
    return dealt


def play_on(table: Table, state: bytes, rng: random.Random, most: int = 600) -> Iterator[bytes]:
    """The states of a random game, the first one included; the last is over, unless there are more than `most`."""
    for _ in range(most):
        yield state
        moves = native.moves(table.id, state)
        if not moves:
            return
        state = native.play(table.id, state, rng.choice(moves))


def somewhere(table: Table, seed: int) -> bytes:
    """A state in which a seat is to move, of any stage."""
    rng = random.Random(seed)
    *states, _ = play_on(table, deal(table, seed), rng)
    return rng.choice(states)


def own_view(table: Table, state: bytes) -> bytes:
    seat = native.to_move(table.id, state)
    view: bytes = native.view(table.id, state, seat)
    return view


@pytest.mark.parametrize("table", TABLES)
def test_games_are_the_same(table: Table, count: Callable[[int, int], int]) -> None:
    for seed in range(count(60, 1000)):
        rng, before = random.Random(seed), b""
        for state in play_on(table, deal(table, seed), rng):
            seat = same("to_move", table.id, state)
            moves = same("moves", table.id, state)
            if seat is None:
                same("shares", table.id, state, table.seats)
            for move in rng.sample(moves, min(3, len(moves))):
                same("play", table.id, state, move)
            same("play", table.id, state, rng.randrange(1 << 16))
            for viewer in range(table.seats):
                same("view", table.id, state, viewer)
            if before:
                assert state == before
            before = b""
            if seat is not None:
                view = same("view", table.id, state, seat)
                same("policy", table.id, view)
                same("count_worlds", table.id, view)
                same("sample", table.id, view, seed, rng.randrange(1 << 40))


@pytest.mark.parametrize("table", TABLES)
def test_views_are_played_the_same(table: Table, count: Callable[[int, int], int]) -> None:
    for seed in range(count(60, 1000)):
        rng = random.Random(seed)
        state = somewhere(table, seed)
        for viewer in range(table.seats):
            view = native.view(table.id, state, viewer)
            for move in [*native.moves(table.id, state)[:6], rng.randrange(1 << 16)]:
                for seen in (0, 1 << rng.randrange(24), 3 << rng.randrange(24)):
                    same("view_play", table.id, view, move, seen)


@pytest.mark.parametrize("table", TABLES)
def test_playouts_and_perft_are_the_same(table: Table, count: Callable[[int, int], int]) -> None:
    for seed in range(count(100, 1000)):
        state = somewhere(table, seed)
        for at in (state, own_view(table, state)):
            numbers = table.id, at, seed << 33, seed << 20, 20
            assert fallback.rollout(*numbers, fallback.control()) == native.rollout(*numbers, native.control())
        for depth in range(3):
            counts = [core.perft(table.id, state, depth, core.control()) for core in (native, fallback)]
            assert counts[0] == counts[1]


@pytest.mark.parametrize("table", TABLES)
def test_rollouts_of_many_are_the_same(table: Table) -> None:
    states = b"".join(own_view(table, somewhere(table, seed)) for seed in range(30))
    numbers = table.id, states, 30, 5, 1 << 35, 70
    assert fallback.rollout_many(*numbers, fallback.control()) == native.rollout_many(*numbers, native.control())


@pytest.mark.parametrize("table", TABLES)
def test_batches_are_the_same(table: Table, count: Callable[[int, int], int]) -> None:
    n, rng = 40, np.random.default_rng(1)
    codes = same("actions", table.id)
    number = np.zeros(1 << 16, np.uint16)
    number[codes] = np.arange(len(codes))
    cores = []
    for core in (native, fallback):
        arrays = (
            np.zeros((n, table.words), np.uint64),
            np.zeros(n, np.uint64),
            np.zeros(n, np.int8),
            np.zeros(n, np.bool_),
            np.zeros((n, table.seats)),
        )
        cores.append((core.batch(table.id, 7, 0, [20] * 4, arrays), arrays, np.zeros(n * 1400, np.uint16)))
    for _ in range(count(150, 2000)):
        lists: list[list[Any]] = []
        for games, arrays, moves in cores:
            starts, mask = np.zeros(n + 1, np.uint64), np.ones((n, len(codes)), np.bool_)
            views = np.zeros((n, table.words), np.uint64)
            listed = moves[: games.moves(moves, starts)].copy()
            games.mask(number, mask)
            games.views(arrays[2], views)
            lists.append([*arrays, listed, starts, mask, views])
        for one, other in zip(*lists, strict=True):
            assert np.array_equal(one, other)
        ends = lists[0][6].astype(int)
        chosen = lists[0][5][rng.integers(ends[:-1], ends[1:])]
        bad = chosen.copy()
        bad[rng.integers(n)] = 0xFFFF
        steps = [(games.step(bad), games.step(chosen)) for games, _, _ in cores]
        assert steps[0] == steps[1]
        assert steps[0][1] == n


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("weighed", [False, True])
def test_grades_are_the_same(table: Table, weighed: bool, count: Callable[[int, int], int]) -> None:
    for seed in range(count(60, 1000)):
        view = own_view(table, somewhere(table, seed))
        listed: list[int] = native.moves(table.id, view)[:5]
        for moves in (listed, []):
            numbers = table.id, view, table.seats, seed, 7, 5, moves, weighed
            assert fallback.grade(*numbers, fallback.control()) == native.grade(*numbers, native.control())


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", METHODS)
def test_searches_are_the_same(table: Table, method: str, count: Callable[[int, int], int]) -> None:
    for seed in range(count(60, 1000)):
        state = somewhere(table, seed)
        at = state if seed % 10 == 9 else own_view(table, state)
        found = []
        for core in (native, fallback):
            search = core.search(table.id, at, method, seed, 1 << 20)
            for limit in (150, 200 + seed):
                search.run(0, 1, core.control(iterations=limit))
            found.append(search.read())
        assert found[0] == found[1]


@pytest.mark.parametrize("table", TABLES)
def test_long_searches_in_little_memory_are_the_same(table: Table, count: Callable[[int, int], int]) -> None:
    for seed in range(count(2, 20)):
        found = []
        for core in (native, fallback):
            search = core.search(table.id, own_view(table, somewhere(table, seed)), "ismcts", seed, 1 << 19)
            search.run(0, 1, core.control(nodes=100_000))
            found.append(search.read())
        assert found[0] == found[1]


def test_solutions_of_cuttle_are_the_same(count: Callable[[int, int], int]) -> None:
    for seed in range(count(60, 1000)):
        state = somewhere(CUTTLE, seed)
        for moves, nodes in ((True, 3_000), (False, 10_000)):
            solved = [
                core.cuttle_solve(state, moves, core.control(nodes=nodes, memory=1 << 21))
                for core in (native, fallback)
            ]
            assert solved[0] == solved[1]
        proofs = [
            core.cuttle_certify(state, 5_000, core.control(nodes=3_000, memory=1 << 21)) for core in (native, fallback)
        ]
        assert proofs[0] == proofs[1]


@pytest.mark.parametrize("objective", range(4))
def test_solutions_of_buck_euchre_are_the_same(objective: int, count: Callable[[int, int], int]) -> None:
    for seed in range(count(60, 1000)):
        rng, states = random.Random(seed), list(play_on(BUCK, deal(BUCK, seed), random.Random(seed)))[:-1]
        state = rng.choice(states[-12:])
        for detail in range(3):
            seats = rng.randrange(16)
            first, second = (solved(core, state, objective, seats, detail) for core in (native, fallback))
            assert first == second


def solved(core: Any, state: bytes, objective: int, seats: int, detail: int) -> Any:
    batch = outcome(lambda: core.buck_solve(state, 1, objective, seats, detail, core.control(nodes=20_000)))
    return batch if isinstance(batch, tuple) else [batch[i] for i in range(len(batch))]


def test_weights_of_the_network_are_the_same() -> None:
    from pysearch.kernels import cuttle_net_weights as twin

    text = (Path(__file__).parent.parent / "csrc" / "cuttle_net_weights.h").read_text(encoding="utf-8")
    found = {
        name: [int(number) for number in re.findall(r"-?\d+", values)]
        for name, values in re.findall(r"(cuttle_net_\w+)[^=;]* = ([^;]*);", text)
    }
    assert sorted(found) == sorted(name for name in vars(twin) if name.startswith("cuttle_net_"))
    for name, numbers in found.items():
        assert np.ravel(getattr(twin, name)).tolist() == numbers


def test_equity_is_the_same() -> None:
    rng = random.Random(1)
    for _ in range(1000):
        same("equity", [rng.randint(1, 40) for _ in range(4)], rng.randrange(4))


def run_python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_signatures_are_the_same() -> None:
    code = (
        "import json; from pysearch import bench\n"
        "sign = lambda game: bench.signature(bench.read_positions(game), lambda: None)\n"
        "print(json.dumps([sign(game) for game in ('cuttle', 'buck_euchre')]))"
    )
    signatures = [json.loads(run_python(code, PYSEARCH_BACKEND=name)) for name in ("native", "numba")]
    assert signatures[0] == signatures[1]


TYPES = """
import sys, random
from numba.core.dispatcher import Dispatcher
from pysearch.backends import fallback as core
from pysearch.games import GAMES

REAL = {"control", "tree", "so_ismcts", "ismcts", "search_run"}  # modules that reckon with real numbers
game = GAMES[sys.argv[1]]
state = core.deal(game.id, game.words, 1, 0, [25] * 4)
view = core.view(game.id, state, core.to_move(game.id, state))
core.perft(game.id, state, 2, core.control())
core.rollout(game.id, view, 1, 0, 1, core.control())
core.actions(game.id)
core.grade(game.id, view, game.seats, 1, 0, 1, core.moves(game.id, view)[:1], True, core.control())
core.view_play(game.id, view, core.moves(game.id, view)[-1], 0)

seen, left = set(), [f for f in vars(core._game(game.id)).values() if isinstance(f, Dispatcher)]
checked = 0
while left:
    function = left.pop()
    if function in seen:
        continue
    seen.add(function)
    code = function.py_func
    cells = [cell.cell_contents for cell in code.__closure__ or ()]
    named = [code.__globals__.get(name) for name in code.__code__.co_names]
    left += [f for f in cells + named if isinstance(f, Dispatcher)]
    if code.__module__.rpartition(".")[2] in REAL:
        continue
    for compiled in function.overloads.values():
        checked += 1
        for name, type_ in compiled.type_annotation.typemap.items():
            plain = str(type_)
            assert not plain.startswith(("float", "complex")), (code.__qualname__, name, plain)
print(checked)
"""


@pytest.mark.parametrize("game", GAMES)
def test_no_integer_becomes_a_float(game: str, tmp_path: Any) -> None:
    """Of an unsigned and a signed integer numba makes a float, and loses low bits of a mask. Types are known only in
    a process that has compiled."""
    done = subprocess.run(
        [sys.executable, "-c", TYPES, game],
        env={**os.environ, "PYSEARCH_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
