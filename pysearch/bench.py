"""Throughput and signature over fixed positions of both games.

The signature is a hash of what the engine computes there: move counts, playout totals, numbers of worlds, sampled
worlds and searches with fixed seeds. It is the same on every machine, backend and instruction set, and changes only
with a change that is meant to alter results.

Every figure is measured in several passes after one to warm up: the median counts, least and greatest tell how far to
trust it. Rates are work per second of CPU time, on one thread; gains by threads are ratios of wall time.
"""

import json
import os
import platform
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from pysearch.backends import select
from pysearch.calls import Progress
from pysearch.errors import ArgumentError, Interrupted
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.playout import perft, rollout, rollout_many
from pysearch.position import Position, View, deal, parse
from pysearch.search import analyze
from pysearch.solve import solve_many
from pysearch.version import __version__

POSITIONS = Path(__file__).parent / "data" / "bench_positions.txt"
ROOT = Path(__file__).parent.parent
PEERS = ROOT / "bench" / "peers" / "table.py"
PLAIN, DEFAULT = "so-ismcts", "ismcts"
SHORT = {"cuttle": "cuttle", "buck_euchre": "buck"}  # names of the games in documents

SIGNED_LEAVES = 100_000  # of perft, per position
SIGNED_PLAYOUTS = 20_000
SIGNED_ITERATIONS = 5_000
SIGNED_WORLDS = 20

QUICK_NODES = 100_000  # what the solver of Cuttle proves within them is solved quickly
QUICK_PROOF = Limit(nodes=QUICK_NODES)

# What is measured of each game, by name: work a second.
RATES = {
    "playouts": "playouts",
    "leaves": "move sequences (perft)",
    "worlds": "sampled worlds",
    "dealt": "worlds played out (rollout_many)",
    "whole": "playouts of whole games",
    "whole_dealt": "deals and playouts of whole games",
    "iterations": "iterations of so-ismcts",
    "searches": "iterations of ismcts",
    "nodes": "nodes of the solver",
    "solved": "solved positions",
    "coalitions": "solved deals of two against two",
    "steps": "moves by Batch.step",
    "batch": "moves by Batch, legal actions told",
    "plays": "moves by legal_moves and play",
}
# Calls that can use threads: how much faster two are than one.
SPEEDUPS = {"searches": "ismcts", "playouts": "rollout", "dealt": "rollout_many", "solved": "solve_many"}
# Python programs whose start is measured.
STARTS = {
    "version": ("-m", "pysearch", "--version"),
    "import": ("-c", "import pysearch"),
    "python": ("-c", "pass"),
}


@dataclass(frozen=True)
class Effort:
    """How long to measure: work per position and pass, and the number of passes whose median counts."""

    leaves: int
    playouts: int
    iterations: int
    worlds: int
    solves: int  # of each position
    deals: int  # of Buck Euchre, solved for a coalition
    games: int  # in a Batch
    steps: int
    plays: int  # games played move by move
    passes: int


FULL = Effort(1_000_000, 150_000, 40_000, 5_000, solves=50, deals=5_000, games=4_096, steps=300, plays=1_000, passes=7)
QUICK = Effort(100_000, 20_000, 5_000, 500, solves=10, deals=500, games=1_024, steps=50, plays=50, passes=3)


@dataclass(frozen=True)
class Figure:
    """Median of the passes, and the least and the greatest of them."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, passes: Sequence[float]) -> "Figure":
        return cls(median(passes), min(passes), max(passes))


@dataclass
class GameBench:
    """What was measured of a game: `rates`, work per CPU second on one thread; `speedups`, by a second thread. There
    is no signature, and not every figure, when it was interrupted before."""

    game: str
    positions: int
    signature: str | None = None
    rates: dict[str, Figure] = field(default_factory=dict)
    speedups: dict[str, Figure] = field(default_factory=dict)


@dataclass(frozen=True)
class Machine:
    """What the figures were measured on and with."""

    processor: str
    system: str
    python: str
    version: str
    backend: str
    isa: str
    compiler: str

    @classmethod
    def here(cls) -> "Machine":
        core = select()
        return cls(
            processor=processor(),
            system=f"{platform.system()} {platform.machine()}",
            python=f"{platform.python_implementation()} {platform.python_version()}",
            version=__version__,
            backend=core.NAME,
            isa=core.isa(),
            compiler=core.compiler(),
        )


@dataclass
class Bench:
    """All that was measured. `starts`: seconds of CPU and of wall time until a fresh process has ended."""

    machine: Machine
    games: list[GameBench] = field(default_factory=list)
    starts: dict[str, tuple[Figure, Figure]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON: medians, and beside them the spread as [least, greatest]."""
        games = {SHORT[game.game]: game for game in self.games}

        def medians(figures: dict[str, Figure]) -> dict[str, float]:
            return {name: figure.median for name, figure in figures.items()}

        def spread(figures: dict[str, Figure]) -> dict[str, list[float]]:
            return {name: [figure.low, figure.high] for name, figure in figures.items()}

        starts = {
            name: {"cpu": cpu.median, "cpu_spread": [cpu.low, cpu.high],
                   "wall": wall.median, "wall_spread": [wall.low, wall.high]}
            for name, (cpu, wall) in self.starts.items()
        }  # fmt: skip
        return {
            "schema": 1,
            "game": "all",
            **vars(self.machine),
            "signature": {name: game.signature for name, game in games.items()},
            "positions": {name: game.positions for name, game in games.items()},
            "rates": {name: medians(game.rates) for name, game in games.items()},
            "spread": {name: spread(game.rates) for name, game in games.items()},
            "speedups": {name: medians(game.speedups) for name, game in games.items()},
            "speedups_spread": {name: spread(game.speedups) for name, game in games.items()},
            "starts": starts,
        }


def bench(quick: bool = False, progress: Progress = None) -> Bench:
    """Measures and signs each game, and measures starts. `progress` is given the number of pieces of work done;
    Interrupted has what was measured so far."""
    effort = QUICK if quick else FULL
    done = count(1)
    result = Bench(Machine.here())

    def tick() -> None:
        if progress:
            progress(next(done))

    try:
        for game in GAMES:
            positions = read_positions(game)
            found = GameBench(game, len(positions))
            result.games.append(found)
            found.signature = signature(positions, tick)
            for name, work in works(positions, effort):
                found.rates[name] = rate(work, effort.passes, tick)
            if processors() > 1:
                for name, call in threaded(positions, effort):
                    found.speedups[name] = speedup(call, effort.passes, tick)
        for name, arguments in STARTS.items():
            result.starts[name] = start(arguments, effort.passes, tick)
    except KeyboardInterrupt as stop:
        raise Interrupted(result) from stop
    return result


def read_positions(game: str) -> list[Position]:
    lines = POSITIONS.read_text(encoding="utf-8").splitlines()
    positions = [parse(line) for line in lines if line and not line.startswith("#")]
    return [position for position in positions if isinstance(position, Position) and position.game == game]


def signature(positions: list[Position], tick: Callable[[], None]) -> str:
    """Sixteen hexadecimal digits over everything the engine computes for these positions."""
    digest = blake2b(digest_size=8)
    for position in positions:
        for line in signed_lines(position):
            digest.update(f"{line}\n".encode())
        tick()
    return digest.hexdigest()


def signed_lines(position: Position) -> Iterator[str]:
    yield str(position)
    yield " ".join(position.legal_moves())
    depth, leaves = deepest_perft(position, SIGNED_LEAVES)
    yield f"perft {depth} {leaves}"
    played = rollout(position, SIGNED_PLAYOUTS, seed=1)
    yield f"rollout {played.games} {played.plies} {whole(played.returns, played.games)}"
    view = mover_view(position)
    yield f"worlds {view.count_worlds()}"
    for seed in range(SIGNED_WORLDS):
        yield str(view.sample(seed=seed))
    for method in (PLAIN, DEFAULT):
        for row in analyze(view, Limit(iterations=SIGNED_ITERATIONS), seed=1, method=method).moves:
            yield f"{row.move} {row.visits} {whole([row.value or 0.0], row.visits)}"


def whole(shares: Sequence[float], count: int) -> list[int]:
    """The integer totals behind mean shares: no digit of the signature hangs on how a quotient is rounded."""
    return [round(share * count * select().ONE) for share in shares]


def mover_view(position: Position) -> View:
    assert position.to_move is not None
    return position.view(position.to_move)


def deepest_perft(position: Position, limit: int) -> tuple[int, int]:
    """The first depth with at least `limit` sequences, or the last with any, and their number."""
    depth, leaves = 0, 1
    while leaves < limit and (deeper := perft(position, depth + 1)):
        depth, leaves = depth + 1, deeper
    return depth, leaves


Work = Callable[[], int]  # does a pass of some work and returns how much it was


def works(positions: list[Position], effort: Effort) -> Iterator[tuple[str, Work]]:
    """The name of each rate, and its work."""
    game = positions[0].game
    views = [mover_view(position) for position in positions]
    yield "playouts", lambda: sum(rollout(position, effort.playouts, seed=2).games for position in positions)
    yield "leaves", perfts(positions, effort)
    yield "worlds", lambda: len([view.sample(seed=seed).game for view in views for seed in range(effort.worlds)])
    yield "dealt", lambda: sum(played.games for played in rollout_many(views, effort.playouts, seed=2))
    starts = beginnings(game, 4)
    seen = [mover_view(position) for position in starts]
    games = effort.playouts * (10 if game == "buck_euchre" else 1)  # which takes a twentieth of the time
    yield "whole", lambda: sum(rollout(position, games, seed=2).games for position in starts)
    yield "whole_dealt", lambda: sum(rollout(view, games, seed=2).games for view in seen)
    for name, method in (("iterations", PLAIN), ("searches", DEFAULT)):
        yield name, searches(views, Limit(iterations=effort.iterations), method)
    tenth = positions * (effort.solves // 10)
    yield "nodes", lambda: sum(solved.nodes for solved in solve_many(tenth, QUICK_PROOF))
    yield "solved", solving(solved_quickly(positions), effort.solves)
    if game == "buck_euchre":
        yield "coalitions", coalitions(beginnings(game, effort.deals))
    yield from batches(game, effort)
    yield "plays", lambda: play_from_python(game, effort.plays)


def perfts(positions: list[Position], effort: Effort) -> Work:
    depths = [deepest_perft(position, effort.leaves)[0] for position in positions]
    return lambda: sum(map(perft, positions, depths))


def searches(views: list[View], limit: Limit, method: str) -> Work:
    return lambda: sum(analyze(view, limit, seed=2, method=method).iterations for view in views)


def solved_quickly(positions: list[Position]) -> list[Position]:
    """Those of Cuttle that are proven with every move in a few milliseconds; of Buck Euchre those in play."""
    if positions[0].game == "cuttle":
        found = zip(positions, solve_many(positions, QUICK_PROOF), strict=True)
        return [pos for pos, solved in found if solved.nodes < QUICK_NODES]
    return [pos for pos in positions if GAMES[pos.game].stage(pos.words) == "play"]


def solving(positions: list[Position], times: int, threads: int = 1) -> Work:
    many = positions * times  # what is solved once leaves nothing behind for the next time
    return lambda: len(solve_many(many, QUICK_PROOF, threads=threads))


def beginnings(game: str, n: int) -> list[Position]:
    """Deals of Cuttle; those of Buck Euchre that begin with the play, since a club was turned up: all four are in."""
    deals = (deal(game, seed=seed) for seed in count())
    if game == "buck_euchre":
        deals = (pos for pos in deals if GAMES[game].stage(pos.words) == "play")
    return [next(deals) for _ in range(n)]


def coalitions(leads: list[Position]) -> Work:
    """Every card of each deal, as double-dummy solvers of bridge tell it."""
    return lambda: len(solve_many(leads, objective="coalition", seats=(0, 2)))


def batches(game: str, effort: Effort) -> Iterator[tuple[str, Work]]:
    """The same random games for both rates: choosing is the learner's work, and done before."""
    import numpy as np

    from pysearch.batch import Batch

    moves = effort.games * effort.steps
    generator = np.random.default_rng(1)
    batch = Batch(game, effort.games, seed=1)
    chosen = []
    for _ in range(effort.steps):
        actions, starts = batch.legal_actions()
        chosen.append(actions[generator.integers(starts[:-1], starts[1:])])
        batch.step(chosen[-1])

    def steps() -> int:
        batch = Batch(game, effort.games, seed=1)
        for actions in chosen:
            batch.step(actions)
        return moves

    def told() -> int:
        batch = Batch(game, effort.games, seed=1)
        for actions in chosen:
            batch.legal_actions()
            batch.step(actions)
        return moves

    yield from (("steps", steps), ("batch", told))


def play_from_python(game: str, games: int) -> int:
    """Random games, one move at a time; returns their moves. Deals and choices are counted in."""
    draw = random.Random(1).random
    made = 0
    for seed in range(games):
        pos = deal(game, seed=seed)
        while moves := pos.legal_moves():
            pos = pos.play(moves[int(draw() * len(moves))])
            made += 1
    return made


def rate(work: Work, passes: int, tick: Callable[[], None]) -> Figure:
    """Work per second of CPU time. What others do on the machine slows it down less than it slows the clock."""
    rates = []
    for number in range(passes + 1):
        start = time.process_time()
        done = work()
        spent = time.process_time() - start
        if number:  # after the pass that warms up
            rates.append(done / spent)
        tick()
    return Figure.of(rates)


def threaded(positions: list[Position], effort: Effort) -> Iterator[tuple[str, Callable[[int], object]]]:
    """The name of each gain, and what does the same work with a number of threads."""
    views = [mover_view(position) for position in positions]
    iterations, playouts = 5 * effort.iterations, 5 * effort.playouts
    first, quick = views[0], solved_quickly(positions)
    yield "searches", lambda threads: analyze(first, Limit(iterations=iterations), seed=2, threads=threads)
    yield "playouts", lambda threads: rollout(first, playouts, seed=2, threads=threads)
    yield "dealt", lambda threads: rollout_many(views, effort.playouts, seed=2, threads=threads)
    yield "solved", lambda threads: solving(quick, effort.solves, threads)()


def speedup(call: Callable[[int], object], passes: int, tick: Callable[[], None]) -> Figure:
    """Wall time with one thread, times that with two; they take turns."""
    ratios = []
    for number in range(passes + 1):
        walls = []
        for threads in (1, 2):
            start = time.perf_counter()
            call(threads)
            walls.append(time.perf_counter() - start)
            tick()
        if number:
            ratios.append(walls[0] / walls[1])
    return Figure.of(ratios)


def start(arguments: Sequence[str], passes: int, tick: Callable[[], None]) -> tuple[Figure, Figure]:
    """Seconds of CPU and of wall time of a fresh Python process from its start to its end."""
    cpu, wall = [], []
    for number in range(passes + 1):
        used, began = children(), time.perf_counter()
        subprocess.run([sys.executable, *arguments], env=with_package(), check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        if number:
            wall.append(time.perf_counter() - began)
            cpu.append(children() - used)
        tick()
    return Figure.of(cpu), Figure.of(wall)


def with_package() -> dict[str, str]:
    """The environment of a Python process that finds this package."""
    path = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def children() -> float:
    """CPU seconds of the child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor() -> str:
    """Its name, as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # not Linux
        pass
    if sys.platform == "darwin":
        command = ("sysctl", "-n", "machdep.cpu.brand_string")
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            return asked.stdout.strip()
    return platform.processor() or platform.machine()


# ---------------------------------------------------------------- peers


def check_peers() -> None:
    """ArgumentError (peers) where the programs that measure them, or the peers themselves, are missing."""
    if not PEERS.exists():
        found = "found no bench/peers beside the package, expected a source checkout, installed with pip install -e"
        raise ArgumentError("peers", found)
    missing = [name for module, name in (("pyspiel", "OpenSpiel"), ("endplay", "endplay")) if not find_spec(module)]
    if missing:
        raise ArgumentError("peers", f"{' and '.join(missing)} not found, expected: pip install pysearch[peers]")


def peers(quick: bool = False) -> dict[str, Any]:
    """The figures of bench/peers/table.py, as rows and as a Markdown table. In a process of its own, for what the peers
    load does not leave a process as it was."""
    check_peers()
    arguments = [sys.executable, str(PEERS), "--json", *(["--quick"] if quick else [])]
    with subprocess.Popen(arguments, env=with_package(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            document, _ = process.communicate()
        except KeyboardInterrupt:  # which the process has got too
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            raise
    if process.returncode == 130:
        raise KeyboardInterrupt
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    found: dict[str, Any] = json.loads(document)
    return found
