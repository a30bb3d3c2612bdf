"""The computing cores, and the choice of one. They work on packed states (bytes) and move codes, and know no text.

`PYSEARCH_BACKEND` forces a backend, `PYSEARCH_ISA` an instruction set. The choice is made once, at the first call.
Without a compiled core it falls on numba, and a line on standard error says so.
"""

import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

from pysearch.errors import BackendError, quote

ARGUMENT, ILLEGAL, OVER, NO_WORLD, MEMORY, SEEN = -1, -2, -3, -4, -5, -6


class Refused(Exception):
    """A call that the core refused: one of the codes above; with SEEN, the number of cards that do come into sight."""

    def __init__(self, code: int, sight: int = 0) -> None:
        super().__init__(code, sight)
        self.code = code
        self.sight = sight


class Control(Protocol):
    """The reins of a long call, held by the thread that waits for it."""

    def stop(self) -> None:
        """The call returns soon, with what it has."""

    def done(self) -> int:
        """Progress: games, iterations or sequences so far."""


class Totals(NamedTuple):
    """Playouts added up; `shares` per seat in 1/ONE of a win."""

    games: int
    plies: int
    shares: tuple[int, ...]


class Graded(NamedTuple):
    """Moves compared on the same `worlds`: per move the sums of the shares of each seat, in 1/ONE of a win, and of
    their squares; and for each pair of moves, `products[i * len(totals) + j]` for i >= j, that of the products of the
    mover's shares."""

    worlds: int
    totals: list[tuple[int, ...]]
    squares: list[tuple[int, ...]]
    products: list[int]


class Ranked(NamedTuple):
    """One move of a search. `total` is the sum of the shares of the seat to move over the visits, in 1/ONE of a win;
    `squares` that of their squares; `sets` are visits and total of each set of trees."""

    move: int
    visits: int
    total: int
    squares: int
    sets: tuple[tuple[int, int], ...]
    line: tuple[int, ...]


class Found(NamedTuple):
    """What a search has found. `enumerated`: every world was looked at; `exact`: the values are of perfect play."""

    iterations: int
    enumerated: bool
    exact: bool
    moves: list[Ranked]


class Search(Protocol):
    """A search of one view that is under way; as many as `workers` threads can run it at once."""

    workers: int

    def run(self, worker: int, workers: int, control: Control) -> bool:
        """Searches until a limit of the control, which all workers share; may be called again to go on. Returns whether
        there is nothing more to find, but for what the clock or a stop cut short."""

    def read(self) -> Found:
        """Not while it runs."""


class CuttleMove(NamedTuple):
    """A move of Cuttle solved for the seat to move: 1 win, 0 draw, -1 loss, 2 unknown; moves to the end."""

    move: int
    result: int
    plies: int
    shortest: bool


class CuttleSolved(NamedTuple):
    """A solved position of Cuttle, results as in CuttleMove."""

    result: int
    plies: int
    shortest: bool
    depth: int
    nodes: int
    line: tuple[int, ...]
    moves: list[CuttleMove]


class BuckWorth(NamedTuple):
    """Per seat: mean share of the match and mean tricks over ties, and the shares that ties can make of it."""

    values: tuple[float, ...]
    tricks: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class BuckSolved(NamedTuple):
    """A solved position of Buck Euchre. `score` is tricks of a coalition, else the share of the seat to move in 1/ONE;
    `moves` have their code and score, `worths` are those after each move (max^n)."""

    score: int
    nodes: int
    line: tuple[int, ...]
    moves: list[tuple[int, int]]
    worth: BuckWorth
    worths: list[BuckWorth]


class BuckBatch(Protocol):
    """Solved positions in the memory of the core: those that were solved before a stop, read when asked for."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int) -> BuckSolved: ...
    def scores(self) -> list[int]: ...


class Games(Protocol):
    """Many games in arrays of the caller's (csrc/pysearch.h, ps_batch)."""

    def step(self, moves: Any) -> int: ...
    def moves(self, moves: Any, starts: Any) -> int: ...
    def mask(self, actions: Any, mask: Any) -> None: ...
    def views(self, seats: Any, views: Any) -> None: ...


class Backend(Protocol):
    """What a backend module provides. `game` is Game.id. Refused where csrc/pysearch.h says so."""

    NAME: str
    ONE: int

    def isa(self) -> str: ...
    def compiler(self) -> str: ...
    def use_isa(self, name: str) -> bool: ...
    def deal(self, game: int, words: int, seed: int, dealer: int, scores: Sequence[int]) -> bytes: ...
    def moves(self, game: int, state: bytes) -> list[int]: ...
    def play(self, game: int, state: bytes, move: int) -> bytes: ...
    def to_move(self, game: int, state: bytes) -> int | None: ...
    def shares(self, game: int, state: bytes, seats: int) -> list[int]: ...
    def equity(self, scores: Sequence[int], dealer: int) -> list[int]: ...
    def view(self, game: int, state: bytes, seat: int) -> bytes: ...
    def view_play(self, game: int, view: bytes, move: int, seen: int) -> bytes: ...
    def count_worlds(self, game: int, view: bytes) -> list[int]: ...
    def sample(self, game: int, view: bytes, seed: int, index: int) -> bytes: ...
    def control(self, seconds: float = 0, iterations: int = 0, nodes: int = 0, memory: int = 0) -> Control: ...
    def perft(self, game: int, state: bytes, depth: int, control: Control) -> int | None: ...
    def rollout(self, game: int, state: bytes, seed: int, first: int, n: int, control: Control) -> Totals: ...
    def rollout_many(
        self, game: int, states: bytes, count: int, seed: int, first: int, n: int, control: Control
    ) -> list[Totals]: ...
    def grade(
        self,
        game: int,
        view: bytes,
        seats: int,
        seed: int,
        first: int,
        n: int,
        moves: Sequence[int],
        weighed: bool,
        control: Control,
    ) -> Graded: ...
    def search(self, game: int, view: bytes, method: str, seed: int, memory: int) -> Search: ...
    def policy(self, game: int, view: bytes) -> list[int]: ...
    def actions(self, game: int) -> list[int]: ...
    def batch(self, game: int, seed: int, dealer: int, scores: Sequence[int], arrays: Sequence[Any]) -> Games: ...
    def cuttle_solve(self, state: bytes, moves: bool, control: Control) -> CuttleSolved: ...
    def cuttle_certify(self, state: bytes, room: int, control: Control) -> list[tuple[int, int, int]]: ...
    def buck_solve(
        self, states: bytes, n: int, objective: int, seats: int, detail: int, control: Control
    ) -> BuckBatch: ...


@cache
def select() -> Backend:
    """The backend in use. BackendError when the one that was asked for is not there."""
    wanted = os.environ.get("PYSEARCH_BACKEND") or None
    if wanted not in (None, "native", "numba"):
        raise BackendError(f"PYSEARCH_BACKEND: found {quote(wanted)}, expected native or numba")
    if wanted == "numba":
        return _fallback()
    missing = why_not_native()
    if not missing:
        from pysearch.backends import native

        _choose_isa(native)
        return native
    advice = "install pysearch with a C compiler, and start Python outside the clone"
    complaint = f"the compiled core is missing ({missing}): {advice}"
    if wanted:
        raise BackendError(complaint)
    try:
        core = _fallback()
    except BackendError as error:
        raise BackendError(f"{complaint}; {error}") from error
    if sys.stderr is not None and sys.stderr.isatty():
        print(f"pysearch: {complaint}; numba takes its place, which is slower", file=sys.stderr)
    return core


@cache
def why_not_native() -> str:
    """Why the compiled core cannot be had; empty when it can."""
    try:
        from pysearch.backends import native  # noqa: F401
    except ImportError as error:
        return str(error)
    return ""


def _fallback() -> Backend:
    try:
        from pysearch.backends import fallback
    except ImportError as error:
        raise BackendError(f"numba cannot be loaded ({error})") from error
    _choose_isa(fallback)
    return fallback


def _choose_isa(core: Backend) -> None:
    isa = os.environ.get("PYSEARCH_ISA")
    if isa and not core.use_isa(isa):
        raise BackendError(f"PYSEARCH_ISA: found {quote(isa)}, which this build or processor does not have,"
                           f" expected one of those that it has, such as generic or {core.isa()}")  # fmt: skip


def backend() -> str:
    """The name of the backend in use: "native" or "numba"."""
    return select().NAME
