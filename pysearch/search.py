"""Analysing positions with hidden cards: checks arguments, calls the core, waits for it, shapes the results."""

import math
from dataclasses import dataclass, replace
from typing import Any

from pysearch.backends import Control, Found, Ranked, Refused, select
from pysearch.calls import Progress, check_progress, run
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.games.game import Game
from pysearch.limit import Limit
from pysearch.position import Position, View, check_seed, fail, fields_of, game_of, whole_number

METHODS = ("ismcts", "so-ismcts", "flat", "pimc")  # the best there is, and what it is measured by

# Searches that are sure to end within some 50 ms run in the calling thread: starting another costs more than it gives.
_SHORT = 500
_FEW = 8  # visits of the best move, below which little is known of it
_SHARED, _WIDER = 16, 1.1  # of standard errors


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
        return {**fields_of(self), "line": list(self.line)}


@dataclass(frozen=True)
class Analysis:
    """What a search found. `position` is the text of the view analysed, `player` its seat; `moves` come by visits, then
    value, then legal order.

    `sampling` and `exact` say where the numbers come from: "enumerated" when every world was looked at, `exact` when
    the values are those of perfect play. `low_confidence` when the best move hardly was visited, or others not at all.
    `equity` names the table by which a match that goes on is valued, None in Cuttle."""

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
    low_confidence: bool
    equity: str | None
    moves: tuple[MoveInfo, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON."""
        return {"schema": 1, **fields_of(self), "moves": [move.to_dict() for move in self.moves]}


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
    limit and method alone, not on threads. `method` is "ismcts", the best there is; "so-ismcts", the plain textbook
    search; "flat", which looks one move ahead; "pimc", which looks at worlds with all cards seen; all but the first
    use one thread. ArgumentError (position, limit, seat: the view of a seat that is not to move, seed, threads, top,
    method, progress); Interrupted, with the analysis so far, on Ctrl-C.
    """
    query = Query(own_view(pos), limit, seed, threads, top, method)
    check_progress(progress)
    _, interrupted = query.run(query.control(), progress)
    result = query.read()
    if interrupted:
        raise Interrupted(result)
    return result


def analyze_open(pos: Position, limit: Limit, seed: int = 0) -> Analysis:
    """The same with all cards seen by all: it tells what hidden cards cost."""
    query = Query(pos, limit, seed)
    _, interrupted = query.run(query.control())
    if interrupted:
        raise Interrupted(query.read())
    return query.read()


def own_view(pos: object) -> View:
    """What the seat to move knows. ArgumentError (position, seat)."""
    game_of(pos)
    assert isinstance(pos, (Position, View))
    seat = pos.to_move
    if seat is None:
        raise ArgumentError("position", "the game is over, expected one that goes on")
    view = pos if isinstance(pos, View) else pos.view(seat)
    if view.seat != seat:
        raise ArgumentError("seat", f"found a view of seat {view.seat}, expected one of seat {seat}, who is to move")
    return view


class Query:
    """A search of one view, or of a position with all cards seen, that can be run bit by bit and read in between."""

    def __init__(
        self,
        pos: Position | View,
        limit: object,
        seed: int = 0,
        threads: int = 1,
        top: int | None = None,
        method: str = "ismcts",
    ) -> None:
        if not isinstance(limit, Limit):
            raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit")
        limit.needs_stop("seconds", "iterations", "nodes")
        if not isinstance(method, str) or method not in METHODS:
            raise ArgumentError("method", f"found {quote(method)}, expected {', '.join(METHODS)}")
        self._pos, self._limit, self._method = pos, limit, method
        self._game = GAMES[pos.game]
        self._seed = check_seed(seed)
        self._top = None if top is None else whole_number("top", top, 1, 1 << 31)
        threads = whole_number("threads", threads, 1, 1024)
        try:
            self._search = select().search(self._game.id, pos.words, method, self._seed, limit.memory_mb << 20)
        except Refused as refused:
            fail(refused)
        self._workers = min(threads, self._search.workers)

    def control(self, seconds: float | None = None) -> Control:
        """A fresh control with the limit of the query, or with so many seconds in place of those of the limit."""
        limit = self._limit if seconds is None else replace(self._limit, seconds=seconds)
        return limit.control()

    def run(self, control: Control, progress: Progress = None) -> tuple[bool, bool]:
        """Searches until the control ends it. Returns whether there is nothing more to find within the limit, but for
        that of time, and whether Ctrl-C ended it."""
        iterations, workers = self._limit.iterations, self._workers
        if iterations == 0:
            return True, False
        if workers == 1 and iterations is not None and iterations <= _SHORT:
            return self._search.run(0, 1, control), False
        calls = [lambda worker=worker: self._search.run(worker, workers, control) for worker in range(workers)]
        ended, interrupted = run(calls, [control], progress)
        return any(ended), interrupted

    def read(self) -> Analysis:
        """What has been found so far. Not while it runs."""
        found, pos, game = self._search.read(), self._pos, self._game
        moves = sorted(_move_infos(game, found), key=_rank)
        assert pos.to_move is not None
        return Analysis(
            game=pos.game,
            position=str(pos),
            player=pos.to_move,
            method=self._method,
            best=moves[0].move,
            value=moves[0].value,
            iterations=found.iterations,
            seed=self._seed,
            sampling="enumerated" if found.enumerated or found.exact else "sampled",
            exact=found.exact,
            low_confidence=_is_guess(found, moves),
            equity=game.equity,
            moves=tuple(moves[: self._top]),
        )


def _rank(move: MoveInfo) -> tuple[int, float]:
    """Most visits first, then the highest value; the legal order is kept among equals."""
    return -move.visits, -(move.value or 0)


def _is_guess(found: Found, moves: list[MoveInfo]) -> bool:
    if found.exact or found.enumerated:
        return False
    return moves[0].visits < _FEW or not all(move.visits for move in moves)


def _move_infos(game: Game, found: Found) -> list[MoveInfo]:
    """Means and standard errors out of the integer sums, in legal order.

    The error of a mean of n visits is sqrt(variance / n), but for two things. A hand that is seldom lost, or won, may
    show no variance in a few visits: so a move is given _SHARED visits more that vary as those of all moves together.
    And visits below a tree depend on each other through what it learned: so the error is never less than what the two
    sets of trees, which know nothing of each other, differ by; two sets say little, so a tenth is added
    (tests/test_errors.py says how well that works). Where nothing was drawn by lot there is no error.
    """
    one = select().ONE
    # n * sum of squares - square of the sum, in integers, so that nothing cancels.
    spreads = [max(m.visits * m.squares - m.total**2, 0) for m in found.moves]
    visits = sum(m.visits for m in found.moves)
    shared = sum(spread / m.visits for m, spread in zip(found.moves, spreads, strict=True) if m.visits)
    infos = []
    for m, spread in zip(found.moves, spreads, strict=True):
        n = m.visits
        value = m.total / (n * one) if n else None
        stderr = None
        if n and (found.exact or found.enumerated):
            stderr = 0.0
        elif n > 1:
            variance = (spread / n + _SHARED * shared / visits) / (n - 1 + _SHARED)
            stderr = _WIDER * max(math.sqrt(variance / n), _between(m)) / one
        line = tuple(game.write_move(code) for code in m.line)
        infos.append(MoveInfo(game.write_move(m.move), value, stderr, n, line))
    return infos


def _between(move: Ranked) -> float:
    """The standard error of the mean as the sets of trees show it, in 1/ONE; 0 where only one has visited the move."""
    (n, first), (m, second) = move.sets
    return abs(first / n - second / m) * math.sqrt(n * m) / (n + m) if n and m else 0.0
