"""Throughput and signature over fixed positions of both games.

The signature is a hash of what the engine computes there: move counts, playout totals, numbers of worlds, sampled
worlds and searches with fixed seeds. It is the same on every machine, backend and instruction set, and changes only
with a change that is meant to alter results.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from pysearch.backends import select
from pysearch.calls import Progress
from pysearch.errors import Interrupted
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.playout import perft, rollout
from pysearch.position import Position, View, parse
from pysearch.search import analyze

POSITIONS = Path(__file__).parent / "data" / "bench_positions.txt"
PLAIN, DEFAULT = "so-ismcts", "ismcts"

SIGNED_LEAVES = 100_000  # of perft, per position
SIGNED_PLAYOUTS = 20_000
SIGNED_ITERATIONS = 5_000
SIGNED_WORLDS = 20


@dataclass(frozen=True)
class Effort:
    """How long to measure: work per position and pass, and the number of passes whose median counts."""

    leaves: int
    playouts: int
    iterations: int
    worlds: int
    passes: int


FULL = Effort(leaves=1_000_000, playouts=50_000, iterations=20_000, worlds=2_000, passes=5)
QUICK = Effort(leaves=100_000, playouts=20_000, iterations=5_000, worlds=500, passes=3)


@dataclass(frozen=True)
class Rates:
    """Units of work a second, on one thread; None for what was not measured to the end. `iterations` are those of
    so-ismcts, `searches` those of the default method."""

    playouts: float | None = None
    leaves: float | None = None
    iterations: float | None = None
    searches: float | None = None
    worlds: float | None = None


@dataclass(frozen=True)
class GameBench:
    """What was measured of a game. `signature` is None when it was interrupted before."""

    game: str
    positions: int
    signature: str | None
    rates: Rates

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def bench(quick: bool = False, progress: Progress = None) -> list[GameBench]:
    """Measures and signs each game. `progress` is given the number of pieces of work done; Interrupted has the games
    measured so far, the last one in part."""
    effort = QUICK if quick else FULL
    done = count(1)
    results: list[GameBench] = []

    def tick() -> None:
        if progress:
            progress(next(done))

    for game in GAMES:
        positions = read_positions(game)
        signed: str | None = None
        rates: dict[str, float] = {}
        try:
            signed = signature(positions, tick)
            for name, work in works(positions, effort):
                rates[name] = rate(work, len(positions), effort.passes, tick)
        except KeyboardInterrupt as stop:
            results.append(GameBench(game, len(positions), signed, Rates(**rates)))
            raise Interrupted(results) from stop
        results.append(GameBench(game, len(positions), signed, Rates(**rates)))
    return results


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


def works(positions: list[Position], effort: Effort) -> Iterator[tuple[str, Callable[[int], int]]]:
    """The name of each rate, and what does its work on the position of a number and returns how much it was."""
    views = [mover_view(position) for position in positions]
    depths = [deepest_perft(position, effort.leaves)[0] for position in positions]
    limit = Limit(iterations=effort.iterations)

    def play(number: int) -> int:
        return rollout(positions[number], effort.playouts, seed=2).games

    def leaves(number: int) -> int:
        return perft(positions[number], depths[number])

    def search(number: int) -> int:
        return analyze(views[number], limit, seed=2, method=PLAIN).iterations

    def default(number: int) -> int:
        return analyze(views[number], limit, seed=2, method=DEFAULT).iterations

    def sample(number: int) -> int:
        for seed in range(effort.worlds):
            views[number].sample(seed=seed)
        return effort.worlds

    yield from (("playouts", play), ("leaves", leaves), ("worlds", sample))
    yield from (("iterations", search), ("searches", default))


def rate(work: Callable[[int], int], positions: int, passes: int, tick: Callable[[], None]) -> float:
    """Median over the passes of the work done a second, all positions together."""
    rates = []
    for _ in range(passes):
        done, spent = 0, 0.0
        for number in range(positions):
            start = time.perf_counter()
            done += work(number)
            spent += time.perf_counter() - start
            tick()  # not counted in the time
        rates.append(done / spent)
    return median(rates)
