"""Counting move sequences and playing at random: checks arguments, calls the core, waits for it, shapes the results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pysearch.backends import Backend, Control, Refused, Totals, select
from pysearch.calls import Progress, check_progress, run, spread
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.games.game import Game
from pysearch.position import Position, View, check_seed, fail, fields_of, game_of, whole_number

# Calls that are sure to end within some 50 ms run in the calling thread: starting another one costs more than it gives.
_SHORT_PERFT = 2
_SHORT_ROLLOUT = 5_000
_CHUNK = 16_384  # playouts a thread takes at a time


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
        return {"schema": 1, **fields_of(self), "returns": list(self.returns)}


def rollout(pos: Position | View, n: int, seed: int = 0, threads: int = 1, progress: Progress = None) -> Rollout:
    """Plays n games at random, every legal move equally likely; of a view, each in a world of its own.

    A game longer than 512 moves counts as a draw. The result does not depend on the number of threads. ArgumentError
    (position, n, seed, threads, progress); Interrupted, with the games played so far, on Ctrl-C.
    """
    game = game_of(pos)
    n = whole_number("n", n, 1, (1 << 63) - 1)
    seed, threads = check_seed(seed), whole_number("threads", threads, 1, 1024)
    check_progress(progress)
    core = select()

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
    result = _sum(core, game, pos, seed, parts)
    if interrupted:
        raise Interrupted(result)
    return result


def rollout_many(
    positions: Iterable[Position | View], n: int, seed: int = 0, threads: int = 1, progress: Progress = None
) -> list[Rollout]:
    """`rollout(pos, n, seed)` of each position or view, all of one game, in few calls of the core.

    The results do not depend on the number of threads. ArgumentError (positions, n, seed, threads, progress);
    Interrupted, with the results that are complete so far, on Ctrl-C.
    """
    if not isinstance(positions, Iterable) or isinstance(positions, (str, bytes)):
        raise ArgumentError("positions", f"found {quote(positions)}, expected several positions or views")
    wanted = list(positions)
    _check_one_game(wanted)
    n = whole_number("n", n, 1, (1 << 63) - 1)
    seed, threads = check_seed(seed), whole_number("threads", threads, 1, 1024)
    check_progress(progress)
    if not wanted:
        return []
    core, game = select(), game_of(wanted[0])
    size = max(1, _CHUNK // n)

    def play(piece: tuple[int, int], control: Control) -> list[Totals]:
        start, first = piece
        chunk = wanted[start : start + size]
        states = b"".join(pos.words for pos in chunk)
        try:
            return core.rollout_many(game.id, states, len(chunk), seed, first, min(_CHUNK, n - first), control)
        except Refused as refused:
            fail(refused)

    pieces = [(start, first) for start in range(0, len(wanted), size) for first in range(0, n, _CHUNK)]
    if n * len(wanted) <= _SHORT_ROLLOUT:
        parts, interrupted = [play(piece, core.control()) for piece in pieces], False
    else:
        parts, interrupted = spread(pieces, min(threads, len(pieces)), play, core.control, progress)
    of: list[list[Totals]] = [[] for _ in wanted]
    for (start, _), part in zip(pieces, parts, strict=False):
        for number, totals in enumerate(part, start):
            of[number].append(totals)
    whole = [pair for pair in zip(wanted, of, strict=True) if sum(part.games for part in pair[1]) == n]
    results = [_sum(core, game, pos, seed, each) for pos, each in whole]
    if interrupted:
        raise Interrupted(results)
    return results


def _check_one_game(wanted: Sequence[object]) -> None:
    for number, pos in enumerate(wanted):
        if not isinstance(pos, (Position, View)):
            raise ArgumentError("positions", f"number {number}: found {quote(pos)}, expected a Position or View")
        if pos.game != wanted[0].game:  # type: ignore[attr-defined]
            raise ArgumentError("positions", f"number {number}: found one of {pos.game}, expected one game for all")


def _sum(core: Backend, game: Game, pos: Position | View, seed: int, parts: Sequence[Totals]) -> Rollout:
    games = sum(part.games for part in parts)
    shares = [sum(part.shares[seat] for part in parts) for seat in range(game.seats)]
    returns = tuple(share / (games * core.ONE) for share in shares)
    return Rollout(pos.game, str(pos), games, sum(part.plies for part in parts), returns, seed, game.equity)
