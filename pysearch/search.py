"""Counting, playing out and analysing positions: checks arguments, calls the core, waits for it, shapes the results.

A long call runs in a worker thread while the calling thread waits; Ctrl-C stops it within a tenth of a second.
`progress` is a callable that is given the number of games, iterations or sequences done so far, an int, about twenty
times a second.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pysearch.backends import Control, Ranked, Refused, Totals, select
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.games.game import Game
from pysearch.position import Position, View, check_seed, fail, whole_number

T = TypeVar("T")
Progress = Callable[[int], object] | None

METHODS = ("ismcts", "so-ismcts")  # the best there is, today another name of the plain search

_SLICE = 0.05  # seconds between two looks at what a long call does
# Calls that are sure to end within some 50 ms run in the calling thread: starting another one costs more than it gives.
_SHORT_PERFT = 2
_SHORT_ROLLOUT = 2_000
_SHORT_SEARCH = 500
_CHUNK = 4_096  # playouts a thread takes at a time


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of `seconds`, `iterations` and `nodes` that is reached.

    `memory_mb` is a cap, not a stop: full trees stop growing and go on. ArgumentError names the value out of range.
    """

    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    memory_mb: int = 256

    def __post_init__(self) -> None:
        seconds = self.seconds
        if seconds is not None and (
            isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= 1e9
        ):
            raise ArgumentError("seconds", f"found {quote(seconds)}, expected a number above 0, or None for no limit")
        for name in ("iterations", "nodes"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole_number(name, value, 1, (1 << 63) - 1))
        object.__setattr__(self, "memory_mb", whole_number("memory_mb", self.memory_mb, 1, 1 << 24))

    def needs_stop(self) -> None:
        """ArgumentError (limit) unless there is a stop."""
        if self.seconds is None and self.iterations is None and self.nodes is None:
            raise ArgumentError("limit", "found no stop, expected seconds, iterations or nodes")

    def control(self) -> Control:
        """A fresh control with these limits."""
        return select().control(self.seconds or 0, self.iterations or 0, self.nodes or 0, self.memory_mb << 20)


# ---------------------------------------------------------------- long calls


def run(
    calls: Sequence[Callable[[], T]], controls: Sequence[Control], progress: Progress = None
) -> tuple[list[T], bool]:
    """Runs each call in a thread of its own; returns their results, and whether Ctrl-C stopped them.

    `controls` are those that the calls obey. An exception of a call or of `progress` stops them all and comes out here.
    """
    finished, lock = threading.Event(), threading.Lock()
    results: dict[int, T] = {}
    failures: list[BaseException] = []
    left = len(calls)

    def work(place: int, call: Callable[[], T]) -> None:
        nonlocal left
        try:
            results[place] = call()
        except BaseException as error:
            failures.append(error)
            stop_all()
        finally:
            with lock:
                left -= 1
                if not left:
                    finished.set()

    def stop_all() -> None:
        for control in controls:
            control.stop()

    interrupted = False
    try:
        for place, call in enumerate(calls):
            threading.Thread(target=work, args=(place, call), daemon=True).start()
    except BaseException:
        stop_all()
        raise
    # An Event, not Thread.join: in Python 3.11 and 3.12 a join that was interrupted returns at once the second time.
    while not finished.is_set():
        try:
            if not finished.wait(_SLICE) and progress and not interrupted:
                progress(sum(control.done() for control in controls))
        except KeyboardInterrupt:
            interrupted = True
            stop_all()
        except BaseException as error:
            failures.append(error)
            progress = None
            stop_all()
    if failures:
        raise failures[0]
    return [results[place] for place in range(len(calls))], interrupted


# ---------------------------------------------------------------- perft


def perft(pos: Position, depth: int, progress: Progress = None) -> int:
    """The number of move sequences of exactly `depth` moves; games that end sooner count nothing. 1 at depth 0.

    ArgumentError (position: a view has hidden cards; depth).
    """
    if not isinstance(pos, Position):
        raise ArgumentError("position", f"found {type(pos).__name__}, expected a position: all cards must be known")
    depth = whole_number("depth", depth, 0, 64)
    core = select()
    control = core.control()

    def count() -> int | None:
        return core.perft(GAMES[pos.game].id, pos.words, depth, control)

    found = count() if depth <= _SHORT_PERFT else run([count], [control], progress)[0][0]
    if found is None:
        raise KeyboardInterrupt
    return found


# ---------------------------------------------------------------- rollout


@dataclass(frozen=True)
class Rollout:
    """Random playouts: their number, their moves all together, and the mean share of the win per seat."""

    game: str
    position: str
    games: int
    plies: int
    returns: tuple[float, ...]
    seed: int
    equity: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON."""
        return {"schema": 1, **_fields(self), "returns": list(self.returns)}


def rollout(pos: Position | View, n: int, seed: int = 0, threads: int = 1, progress: Progress = None) -> Rollout:
    """Plays n games at random, every legal move equally likely; of a view, each in a world of its own.

    A game longer than 512 moves counts as a draw. The result does not depend on the number of threads. ArgumentError
    (position, n, seed, threads); Interrupted, with the games played so far, on Ctrl-C.
    """
    game = _game_of(pos)
    n = whole_number("n", n, 1, (1 << 63) - 1)
    seed, threads = check_seed(seed), whole_number("threads", threads, 1, 1024)
    core = select()

    def finish(parts: list[Totals]) -> Rollout:
        games = sum(part.games for part in parts)
        shares = [sum(part.shares[seat] for part in parts) for seat in range(game.seats)]
        returns = tuple(share / (games * core.ONE) for share in shares)
        return Rollout(pos.game, str(pos), games, sum(part.plies for part in parts), returns, seed, game.equity)

    try:
        if n <= _SHORT_ROLLOUT:
            return finish([core.rollout(game.id, pos.words, seed, 0, n, core.control())])
        starts = iter(range(0, n, _CHUNK))
        lock = threading.Lock()
        meters = [_Meter() for _ in range(min(threads, -(-n // _CHUNK)))]

        def play(meter: "_Meter") -> list[Totals]:
            parts = []
            while not meter.stopped:
                with lock:
                    first = next(starts, None)
                if first is None:
                    break
                part = core.rollout(game.id, pos.words, seed, first, min(_CHUNK, n - first), meter.fresh())
                parts.append(part)
            return parts

        lists, interrupted = run([lambda m=meter: play(m) for meter in meters], meters, progress)  # type: ignore[misc]
    except Refused as refused:
        fail(refused)
    parts = [part for some in lists for part in some]
    if interrupted and not any(part.games for part in parts):
        raise KeyboardInterrupt
    result = finish(parts)
    if interrupted:
        raise Interrupted(result)
    return result


class _Meter:
    """One control over a row of calls, each with a control of its own, so that progress adds up."""

    def __init__(self) -> None:
        self.stopped = False
        self._before = 0
        self._control: Control | None = None

    def fresh(self) -> Control:
        """A control for the next call."""
        self._before = self.done()
        self._control = select().control()
        if self.stopped:  # between two calls
            self._control.stop()
        return self._control

    def stop(self) -> None:
        self.stopped = True
        if self._control:
            self._control.stop()

    def done(self) -> int:
        return self._before + (self._control.done() if self._control else 0)


# ---------------------------------------------------------------- analyze


@dataclass(frozen=True)
class MoveInfo:
    """A move of an analysis.

    `value` is the expected share of the win of the seat to move, `stderr` its standard error over seeds: that of the
    mean of the visits, None with fewer than two. A move without visits has no value. `line` is the expected play from
    it on.
    """

    move: str
    value: float | None
    stderr: float | None
    visits: int
    line: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {**_fields(self), "line": list(self.line)}


@dataclass(frozen=True)
class Analysis:
    """What a search found. `position` is the text of the view analysed, `player` its seat; `moves` come by visits, then
    value, then legal order. `sampling` and `exact` say where the numbers come from; `equity` names the table by which a
    match that goes on is valued, None in Cuttle."""

    game: str
    position: str
    player: int
    method: str
    best: str
    value: float | None
    iterations: int
    seed: int
    sampling: str
    exact: bool
    equity: str | None
    moves: tuple[MoveInfo, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON."""
        return {"schema": 1, **_fields(self), "moves": [move.to_dict() for move in self.moves]}


def analyze(
    pos: Position | View,
    limit: Limit,
    seed: int = 0,
    threads: int = 1,
    top: int | None = None,
    method: str = "ismcts",
    progress: Progress = None,
) -> Analysis:
    """Ranks the moves of the seat to move, from what that seat knows: of a position its view is taken first.

    `top` keeps only the best moves. With a limit of iterations the result depends on view, seed, limit and method
    alone, not on threads; today's methods use one. ArgumentError (position, limit, seat: the view of a seat that is not
    to move, seed, threads, top, method); Interrupted, with the analysis so far, on Ctrl-C.
    """
    game = _game_of(pos)
    if not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit")
    limit.needs_stop()
    seed = check_seed(seed)
    whole_number("threads", threads, 1, 1024)
    top = None if top is None else whole_number("top", top, 1, 1 << 31)
    if method not in METHODS:
        raise ArgumentError("method", f"found {quote(method)}, expected {' or '.join(METHODS)}")
    seat = pos.to_move
    if seat is None:
        raise ArgumentError("position", "the game is over, expected one that goes on")
    view = pos if isinstance(pos, View) else pos.view(seat)
    if view.seat != seat:
        raise ArgumentError("seat", f"found a view of seat {view.seat}, expected one of seat {seat}, who is to move")

    core = select()
    control = limit.control()

    def search() -> list[Ranked]:
        return core.so_ismcts(game.id, view.words, seed, control)

    interrupted = False
    try:
        if limit.iterations is not None and limit.iterations <= _SHORT_SEARCH:
            ranked = search()
        else:
            (ranked,), interrupted = run([search], [control], progress)
    except Refused as refused:
        fail(refused)
    moves = sorted((_move_info(game, entry, core.ONE) for entry in ranked), key=lambda m: (-m.visits, -(m.value or 0)))
    result = Analysis(
        game=view.game,
        position=str(view),
        player=seat,
        method=method,
        best=moves[0].move,
        value=moves[0].value,
        iterations=control.done(),
        seed=seed,
        sampling="sampled",
        exact=False,
        equity=game.equity,
        moves=tuple(moves[:top]),
    )
    if interrupted:
        raise Interrupted(result)
    return result


def _move_info(game: Game, ranked: Ranked, one: int) -> MoveInfo:
    """Mean and standard error out of the integer sums."""
    visits = ranked.visits
    value = ranked.total / (visits * one) if visits else None
    stderr = None
    if visits > 1:
        # n * sum of squares - square of the sum, in integers, so that nothing cancels.
        spread = max(visits * ranked.squares * one - ranked.total**2, 0)
        stderr = math.sqrt(spread / (visits * visits * (visits - 1))) / one
    line = tuple(game.write_move(code) for code in ranked.line)
    return MoveInfo(game.write_move(ranked.move), value, stderr, visits, line)


def _game_of(pos: object) -> Game:
    if not isinstance(pos, (Position, View)):
        raise ArgumentError("position", f"found {quote(pos)}, expected a Position or View")
    return GAMES[pos.game]


def _fields(result: Any) -> dict[str, Any]:
    """The fields of a result, as they stand; `equity` only where there is one."""
    values = {name: getattr(result, name) for name in result.__dataclass_fields__}
    return {name: value for name, value in values.items() if name != "equity" or value is not None}
