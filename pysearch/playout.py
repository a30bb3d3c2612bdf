"""Counting move sequences and playing at random: checks arguments, calls the core, waits for it, shapes the results."""

from dataclasses import dataclass
from typing import Any

from pysearch.backends import Control, Refused, Totals, select
from pysearch.calls import Progress, check_progress, run, spread
from pysearch.errors import ArgumentError, Interrupted
from pysearch.games import GAMES
from pysearch.position import Position, View, check_seed, fail, fields_of, game_of, whole_number

# Calls that are sure to end within some 50 ms run in the calling thread: starting another one costs more than it gives.
_SHORT_PERFT = 2
_SHORT_ROLLOUT = 2_000
_CHUNK = 4_096  # playouts a thread takes at a time


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
