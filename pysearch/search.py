"""Counting, playing out and analysing positions: checks arguments, calls the core, waits for it, shapes the results.

`progress` is a callable that is given the number of games, iterations or sequences done so far. Ctrl-C stops a call
within a tenth of a second.
"""

import math
from dataclasses import dataclass
from typing import Any

from pysearch.backends import Control, Ranked, Refused, Totals, select
from pysearch.calls import Progress, check_progress, run, spread
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.games.game import Game
from pysearch.limit import Limit
from pysearch.position import Position, View, check_seed, fail, whole_number

METHODS = ("ismcts", "so-ismcts")  # the best there is, today another name of the plain search

# Calls that are sure to end within some 50 ms run in the calling thread: starting another one costs more than it gives.
_SHORT_PERFT = 2
_SHORT_ROLLOUT = 2_000
_SHORT_SEARCH = 500
_CHUNK = 4_096  # playouts a thread takes at a time


# ---------------------------------------------------------------- perft


def perft(pos: Position, depth: int, progress: Progress = None) -> int:
    """The number of move sequences of exactly `depth` moves; games that end sooner count nothing. 1 at depth 0.

    ArgumentError (position: a view has hidden cards; depth, progress); Interrupted, with the number of sequences
    counted so far, on Ctrl-C.
    """
    if not isinstance(pos, Position):
        raise ArgumentError("position", f"found {type(pos).__name__}, expected a position: all cards must be known")
    depth = whole_number("depth", depth, 0, 64)
    check_progress(progress)
    core = select()
    control = core.control()

    def count() -> int | None:
        return core.perft(GAMES[pos.game].id, pos.words, depth, control)

    if depth <= _SHORT_PERFT:
        found, interrupted = count(), False
    else:
        (found,), interrupted = run([count], [control], progress)
    if interrupted or found is None:
        raise Interrupted(control.done())
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
    (position, n, seed, threads, progress); Interrupted, with the games played so far, on Ctrl-C.
    """
    game = _game_of(pos)
    n = whole_number("n", n, 1, (1 << 63) - 1)
    seed, threads = check_seed(seed), whole_number("threads", threads, 1, 1024)
    check_progress(progress)
    core = select()

    def finish(parts: list[Totals]) -> Rollout:
        games = sum(part.games for part in parts)
        shares = [sum(part.shares[seat] for part in parts) for seat in range(game.seats)]
        returns = tuple(share / (games * core.ONE) for share in shares)
        return Rollout(pos.game, str(pos), games, sum(part.plies for part in parts), returns, seed, game.equity)

    def play(first: int, control: Control) -> Totals:
        return core.rollout(game.id, pos.words, seed, first, min(_CHUNK, n - first), control)

    interrupted = False
    try:
        if n <= _SHORT_ROLLOUT:
            parts = [play(0, core.control())]
        else:
            starts = range(0, n, _CHUNK)
            parts, interrupted = spread(starts, min(threads, len(starts)), play, core.control, progress)
    except Refused as refused:
        fail(refused)
    if interrupted and not any(part.games for part in parts):
        raise KeyboardInterrupt
    result = finish(parts)
    if interrupted:
        raise Interrupted(result)
    return result


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
    limit: Limit | None = None,
    seed: int = 0,
    threads: int = 1,
    top: int | None = None,
    method: str = "ismcts",
    progress: Progress = None,
) -> Analysis:
    """Ranks the moves of the seat to move, from what that seat knows: of a position its view is taken first.

    A limit must be given. `top` keeps only the best moves. With a limit of iterations the result depends on view, seed,
    limit and method alone, not on threads; today's methods use one. ArgumentError (position, limit, seat: the view of a
    seat that is not to move, seed, threads, top, method, progress); Interrupted, with the analysis so far, on Ctrl-C.
    """
    game = _game_of(pos)
    if not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit")
    limit.needs_stop("seconds", "iterations", "nodes")
    seed = check_seed(seed)
    whole_number("threads", threads, 1, 1024)
    top = None if top is None else whole_number("top", top, 1, 1 << 31)
    check_progress(progress)
    if not isinstance(method, str) or method not in METHODS:
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
