"""Exact play with all cards seen: win, draw or loss in Cuttle, tricks or shares of the match in Buck Euchre.

What is proven is told apart from what is not: a result is exact, or it is "unknown" (Cuttle) or None (Buck Euchre) with
what was searched. Nothing depends on the size of a table or on the time given but whether it is known.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, overload

from pysearch.backends import (
    ARGUMENT,
    OVER,
    BuckBatch,
    BuckSolved,
    BuckWorth,
    Control,
    CuttleSolved,
    Refused,
    select,
)
from pysearch.calls import Progress, spread
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.position import Position, View, fail, whole_number

OBJECTIVES = ("maxn", "paranoid", "cooperative", "coalition")  # in the order of their numbers in pysearch.h
_RESULTS = {1: "win", 0: "draw", -1: "loss", 2: "unknown"}
_BEST_FIRST = {"win": 0, "draw": 1, "unknown": 2, "loss": 3}
_CHUNK = 256  # positions that one call of the core solves


@dataclass(frozen=True)
class CuttleMove:
    """A move, and what it leads to for the seat that makes it: "win", "draw", "loss" or "unknown". `plies` are the
    moves within which the game is over, this one counted, None for what is neither won nor lost; `shortest` says that
    this is exact: no shorter win, or longer loss, exists."""

    move: str
    result: str
    plies: int | None
    shortest: bool


@dataclass(frozen=True)
class CuttleSolution:
    """A position of Cuttle, solved for the seat to move (`player`), as far as `result` says.

    `plies` are the moves of `line` to the end of the game: the true distance with `shortest`, else that of the quickest
    known win against the longest known defence; None for what is neither won nor lost. The line of a draw
    ends at the third pass, or where play comes back to a position it was in. `depth`: within so many moves nobody can
    force a win that is not known. `moves` come best first.
    """

    game: str
    position: str
    player: int
    result: str
    plies: int | None
    shortest: bool
    depth: int
    nodes: int
    line: tuple[str, ...]
    moves: tuple[CuttleMove, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON."""
        return _plain(self)


@dataclass(frozen=True)
class BuckMove:
    """A move, and what it leads to: as in BuckSolution, after the move."""

    move: str
    tricks: int | tuple[float, ...] | None
    values: tuple[float | None, ...] | None
    interval: tuple[tuple[float, float], ...] | None


@dataclass(frozen=True)
class BuckSolution:
    """A position of Buck Euchre solved for an objective; tricks, values and interval are None where a limit ended it.

    "coalition": `tricks` of `seats` together from here on, both sides at their best. "maxn": each seat for its own
    share of the match: `values`, `tricks` from here on, means over ties, and per seat the (low, high) of the share over
    all that ties can do. "paranoid" and "cooperative": the share of the seat to move in `values`, against all others or
    with the help of all; None for the other seats. `moves` come best first for the seat to move. `equity` names the
    table that values a match that goes on.
    """

    game: str
    position: str
    player: int
    objective: str
    seats: tuple[int, ...] | None
    tricks: int | tuple[float, ...] | None
    values: tuple[float | None, ...] | None
    interval: tuple[tuple[float, float], ...] | None
    nodes: int
    line: tuple[str, ...]
    moves: tuple[BuckMove, ...]
    equity: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON; `equity` only where shares of a match stand."""
        values = _plain(self)
        if self.equity is None:
            del values["equity"]
        return values


Solution = CuttleSolution | BuckSolution


def solve(
    pos: Position,
    limit: Limit | None = None,
    *,
    objective: str = "maxn",
    seats: Sequence[int] | None = None,
    progress: Progress = None,
) -> Solution:
    """The exact value of a position and of every legal move, all cards seen.

    Cuttle needs a limit; what is proven when it is reached is returned. Buck Euchre: `objective` "maxn" (any stage),
    "paranoid", "cooperative" or "coalition" of `seats` (play stage). `progress` is given the number of nodes, or of
    positions. ArgumentError (position, limit, objective, seats); Interrupted, with what is known, on Ctrl-C, or
    KeyboardInterrupt where nothing is.
    """
    try:
        (found,) = solve_many([pos], limit, objective=objective, seats=seats, lines=True, progress=progress)
    except Interrupted as stop:
        if not len(stop.result):
            raise KeyboardInterrupt from None
        raise Interrupted(stop.result[0]) from None
    return found


class Solutions(Sequence[Solution]):
    """The solutions of many positions, in their order; each is made when it is asked for."""

    def __init__(self, n: int, make: Callable[[int], Solution], scores: Callable[[], list[int]]) -> None:
        self._n = n
        self._make = make
        self._scores = scores

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, place: int) -> Solution: ...
    @overload
    def __getitem__(self, place: slice) -> list[Solution]: ...
    def __getitem__(self, place: int | slice) -> Solution | list[Solution]:
        places = range(self._n)[place]  # IndexError where there is none
        return self._make(places) if isinstance(places, int) else [self._make(i) for i in places]

    def scores(self) -> list[int]:
        """One number for each position, without making the solutions: of a coalition its tricks, else the share of the
        seat to move in 1/65520; -1 where a limit came first; in Cuttle 1, 0, -1 for win, draw, loss, 2 for unknown."""
        return self._scores()

    def __reduce__(self) -> tuple[type, tuple[int, Callable[[int], Solution], Callable[[], list[int]]]]:
        made = list(self)  # what makes them holds on to the core, and stays here
        return Solutions, (len(made), made.__getitem__, self.scores().copy)


def solve_many(
    positions: Iterable[Position],
    limit: Limit | None = None,
    *,
    objective: str = "maxn",
    seats: Sequence[int] | None = None,
    threads: int = 1,
    moves: bool = True,
    lines: bool = False,
    progress: Progress = None,
) -> Solutions:
    """Solves positions of one game, in chunks of one call each; results do not depend on chunks and threads.

    `limit` holds for each position. moves=False gives the value only, which is faster. Lines come with the moves in
    Cuttle, and with lines=True in Buck Euchre. Errors and Ctrl-C as in `solve`; a message names the position
    by its number, and Interrupted has the positions solved so far.
    """
    if not isinstance(positions, Iterable):
        raise ArgumentError("positions", f"found {quote(positions)}, expected positions")
    wanted = list(positions)
    whole_number("threads", threads, 1, 1024)
    for argument, value in (("moves", moves), ("lines", lines)):
        if not isinstance(value, bool):
            raise ArgumentError(argument, f"found {quote(value)}, expected True or False")
    if lines and not moves:
        raise ArgumentError("lines", "given without moves, expected moves=True")
    if limit is not None and not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit or None")
    if not wanted:
        return Solutions(0, [].__getitem__, list)
    if wanted[0].__class__ is Position and wanted[0].game == "cuttle":
        _check_positions(wanted, "cuttle")
        _check_objective("cuttle", objective, seats)
        if limit is None:
            raise ArgumentError("limit", "found none, expected a Limit of seconds or nodes")
        limit.needs_stop("seconds", "nodes")
        return _solve_cuttle(wanted, limit, threads, moves, progress)
    _check_positions(wanted, "buck_euchre")
    code, bits = _check_objective("buck_euchre", objective, seats)
    return _solve_buck(wanted, limit, code, bits, threads, 2 if lines else int(moves), progress)


# ---------------------------------------------------------------- arguments


def _check_positions(wanted: Sequence[object], game: str) -> None:
    """Positions of one game, all of them; the core looks at their stages."""
    if {type(pos) for pos in wanted} == {Position} and {pos.game for pos in wanted} == {game}:  # type: ignore[attr-defined]
        return
    for number, pos in enumerate(wanted):
        if isinstance(pos, View):
            raise _position_error(number, len(wanted), "found a view, expected a position: all cards must be known")
        if not isinstance(pos, Position):
            raise _position_error(number, len(wanted), f"found {quote(pos)}, expected a Position")
        if pos.game != game:
            raise _position_error(number, len(wanted), f"found one of {pos.game}, expected {game} like the others")


def _position_error(number: int, of: int, message: str) -> ArgumentError:
    return ArgumentError("position", f"number {number}: {message}" if of > 1 else message)


def _refused(refused: Refused, number: int, of: int) -> NoReturn:
    if refused.code == OVER:
        raise _position_error(number, of, "the game is over, expected one that goes on") from refused
    if refused.code == ARGUMENT:
        raise _position_error(number, of, "found another stage, expected stage=play for this objective") from refused
    fail(refused)


def _check_objective(game: str, objective: str, seats: Sequence[int] | None) -> tuple[int, int]:
    """The number of the objective, and the coalition as bits."""
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        raise ArgumentError("objective", f"found {quote(objective)}, expected {', '.join(OBJECTIVES)}")
    if game == "cuttle" and (objective != "maxn" or seats is not None):
        argument = "objective" if seats is None else "seats"
        raise ArgumentError(argument, "given for cuttle, expected for buck_euchre only")
    if objective != "coalition":
        if seats is not None:
            raise ArgumentError("seats", f"given for {objective}, expected for coalition only")
        return OBJECTIVES.index(objective), 0
    if not isinstance(seats, (list, tuple, set, frozenset)) or not seats:
        raise ArgumentError("seats", f"found {quote(seats)}, expected some of the seats 0 to 3, such as (0, 2)")
    chosen = [whole_number("seats", seat, 0, 3) for seat in seats]
    if len(set(chosen)) < len(chosen):
        raise ArgumentError("seats", f"found {quote(seats)}, expected every seat once")
    return OBJECTIVES.index(objective), sum(1 << seat for seat in chosen)


# ---------------------------------------------------------------- Cuttle


def _solve_cuttle(wanted: Sequence[Position], limit: Limit, threads: int, moves: bool, progress: Progress) -> Solutions:
    core = select()

    def one(number: int, control: Control) -> CuttleSolved:
        try:
            return core.cuttle_solve(wanted[number].words, moves, control)
        except Refused as refused:
            _refused(refused, number, len(wanted))

    solved, interrupted = spread(range(len(wanted)), min(threads, len(wanted)), one, limit.control, progress)
    result = Solutions(
        len(solved),
        lambda place: _cuttle_solution(wanted[place], solved[place]),
        lambda: [found.result for found in solved],
    )
    if interrupted:
        raise Interrupted(result)
    return result


def _cuttle_solution(pos: Position, solved: CuttleSolved) -> CuttleSolution:
    write = GAMES["cuttle"].write_move
    found = [
        CuttleMove(write(m.move), _RESULTS[m.result], m.plies if m.result in (1, -1) else None, m.shortest)
        for m in solved.moves
    ]
    # The quickest win first, the slowest loss.
    found.sort(key=lambda m: (_BEST_FIRST[m.result], (m.plies or 0) * (-1 if m.result == "loss" else 1)))
    player = pos.to_move
    assert player is not None
    return CuttleSolution(
        game=pos.game,
        position=str(pos),
        player=player,
        result=_RESULTS[solved.result],
        plies=solved.plies if solved.result in (1, -1) else None,
        shortest=solved.shortest,
        depth=solved.depth,
        nodes=solved.nodes,
        line=tuple(map(write, solved.line)),
        moves=tuple(found),
    )


# ---------------------------------------------------------------- Buck Euchre


def _solve_buck(
    wanted: Sequence[Position],
    limit: Limit | None,
    objective: int,
    seats: int,
    threads: int,
    detail: int,
    progress: Progress,
) -> Solutions:
    core = select()
    # With a limit for each position, each has a call of its own.
    size = _CHUNK if limit is None else 1
    chunks = [wanted[start : start + size] for start in range(0, len(wanted), size)]

    def one(number: int, control: Control) -> BuckBatch:
        words = b"".join([pos.words for pos in chunks[number]])
        try:
            return core.buck_solve(words, len(chunks[number]), objective, seats, detail, control)
        except Refused as refused:
            _refused(refused, number * size + control.done(), len(wanted))

    control = (limit or Limit()).control
    batches, interrupted = spread(range(len(chunks)), min(threads, len(chunks)), one, control, progress)

    def make(place: int) -> BuckSolution:
        batch, i = batches[place // size], place % size
        return _buck_solution(wanted[place], batch[i] if i < len(batch) else None, objective, seats)

    # A limit leaves a position unsolved, but in its place; Ctrl-C ends the row.
    n = len(batches) if limit else sum(map(len, batches))
    unsolved = [-1] if limit else []
    result = Solutions(n, make, lambda: [score for batch in batches for score in batch.scores() or unsolved])
    if interrupted:
        raise Interrupted(result)
    return result


def _buck_solution(pos: Position, solved: BuckSolved | None, objective: int, seats: int) -> BuckSolution:
    game = GAMES["buck_euchre"]
    name, player = OBJECTIVES[objective], pos.to_move
    assert player is not None
    members = tuple(seat for seat in range(4) if seats >> seat & 1) if seats else None
    found = _buck_moves(name, player, solved) if solved else []
    if name == "coalition":
        helps = 1 if seats >> player & 1 else -1
        found.sort(key=lambda m: -helps * m.tricks if isinstance(m.tricks, int) else 0)
    else:
        found.sort(key=lambda m: -(m.values[player] or 0) if m.values else 0)
    whole = _buck_values(name, player, solved.score, solved.worth) if solved else (None, None, None)
    return BuckSolution(
        game=pos.game,
        position=str(pos),
        player=player,
        objective=name,
        seats=members,
        tricks=whole[0],
        values=whole[1],
        interval=whole[2],
        nodes=solved.nodes if solved else 0,
        line=tuple(map(game.write_move, solved.line)) if solved else (),
        moves=tuple(found),
        equity=None if name == "coalition" else game.equity,
    )


Values = tuple[int | tuple[float, ...] | None, tuple[float | None, ...] | None, tuple[tuple[float, float], ...] | None]


def _buck_values(objective: str, player: int, score: int, worth: BuckWorth) -> Values:
    """Tricks, values and interval, as far as the objective has them."""
    if objective == "coalition":
        return score, None, None
    if objective == "maxn":
        return worth.tricks, worth.values, tuple(zip(worth.low, worth.high, strict=True))
    return None, tuple(score / select().ONE if seat == player else None for seat in range(4)), None


def _buck_moves(objective: str, player: int, solved: BuckSolved) -> list[BuckMove]:
    write = GAMES["buck_euchre"].write_move
    return [
        BuckMove(write(code), *_buck_values(objective, player, score, worth))
        for (code, score), worth in zip(solved.moves, solved.worths, strict=True)
    ]


# ---------------------------------------------------------------- shared


def _plain(value: Any) -> dict[str, Any]:
    """A solution as plain values."""

    def plain(item: Any) -> Any:
        if hasattr(item, "__dataclass_fields__"):
            return {name: plain(getattr(item, name)) for name in item.__dataclass_fields__}
        return [plain(part) for part in item] if isinstance(item, tuple) else item

    return {"schema": 1, **plain(value)}
