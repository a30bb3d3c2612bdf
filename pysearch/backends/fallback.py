"""The core compiled by numba, for machines without a C compiler: pysearch.kernels over bytes.

Its results are those of the native core, bit by bit. The only module that imports numba and numpy. Kernels release
the GIL.
"""

import weakref
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from pysearch import equity_table
from pysearch.backends import (
    BuckSolved,
    BuckWorth,
    Control,
    CuttleMove,
    CuttleSolved,
    Found,
    Graded,
    Ranked,
    Refused,
    Totals,
)
from pysearch.kernels import jit
from pysearch.kernels.engine import game as _game
from pysearch.kernels.public import (
    BUCK_SOLUTION,
    CONTROL,
    FOUND,
    PROOF,
    PS_BUCK,
    PS_EQUITY_PACKED,
    PS_EQUITY_STATES,
    PS_ERROR_ARGUMENT,
    PS_ERROR_OVER,
    PS_FINE,
    PS_FLAT,
    PS_ISMCTS,
    PS_MAX_ACTIONS,
    PS_MAX_FACTORS,
    PS_MAX_MOVES,
    PS_ONE,
    PS_PIMC,
    PS_SO_ISMCTS,
    RANKED,
    SOLUTION,
    SOLVED,
    TOTALS,
)

NAME = "numba"
ONE = PS_ONE
_METHODS = {"ismcts": PS_ISMCTS, "so-ismcts": PS_SO_ISMCTS, "flat": PS_FLAT, "pimc": PS_PIMC}


def _checked(code: int, sight: int = 0) -> int:
    if code < 0:
        raise Refused(code, sight)
    return int(code)


def _words(state: bytes) -> Any:
    return np.frombuffer(state, np.uint64).copy()  # kernels are compiled for arrays that may be written


def _bytes(words: Any) -> bytes:
    return bytes(words.data)


def _rows(structs: Any) -> Any:
    """Structs as tuples of plain numbers and lists."""
    return structs.tolist()


def _like(state: bytes) -> Any:
    return np.zeros(len(state) // 8, np.uint64)


_equity_lock = Lock()
_equity: Any = None  # the table in use: kernels read it where it is


def _need_equity() -> None:
    """Installs the table of match equity, once."""
    global _equity
    if _equity is None:
        with _equity_lock:
            if _equity is None:
                table = np.empty(4 * PS_EQUITY_STATES, np.uint16)
                packed = np.frombuffer(equity_table.packed(), np.uint8).copy()
                assert len(packed) == PS_EQUITY_PACKED
                _game(PS_BUCK).api_unpack_equity(packed, table)
                _game(PS_BUCK).use_equity(table)
                _equity = table


def _valued(game: int, state: bytes) -> Any:
    """A state for a call that asks what its ends are worth."""
    if game == PS_BUCK:
        _need_equity()
    return _words(state)


def isa() -> str:
    """The processor that kernels are compiled for."""
    return jit.processor()


def compiler() -> str:
    """The compiler of the kernels."""
    return jit.compiler()


def use_isa(name: str) -> bool:
    """Chooses an instruction set: only "generic", and before the first kernel is compiled."""
    return jit.use_processor(name)


def deal(game: int, words: int, seed: int, dealer: int, scores: Sequence[int]) -> bytes:
    state = np.zeros(words, np.uint64)
    if not 0 <= dealer < _game(game).SEATS:
        raise Refused(PS_ERROR_ARGUMENT)
    _game(game).api_deal(np.uint64(seed), dealer, np.array(scores, np.int16), state)
    return _bytes(state)


def moves(game: int, state: bytes) -> list[int]:
    codes = np.empty(PS_MAX_MOVES, np.uint16)
    count = _checked(_game(game).api_moves(_words(state), codes))
    found: list[int] = codes[:count].tolist()
    return found


def play(game: int, state: bytes, move: int) -> bytes:
    after = _like(state)
    _checked(_game(game).api_play(_words(state), move, after))
    return _bytes(after)


def to_move(game: int, state: bytes) -> int | None:
    seat = int(_game(game).api_to_move(_words(state)))
    return None if seat == PS_ERROR_OVER else _checked(seat)


def shares(game: int, state: bytes, seats: int) -> list[int]:
    found = np.zeros(4, np.uint32)
    _checked(_game(game).api_shares(_valued(game, state), found))
    return [int(share) for share in found[:seats]]


def equity(scores: Sequence[int], dealer: int) -> list[int]:
    found = np.zeros(4, np.uint32)
    _need_equity()
    if not 0 <= dealer < 4 or min(scores) < 1:
        raise Refused(PS_ERROR_ARGUMENT)
    _game(PS_BUCK).api_equity(np.array(scores, np.int64), dealer, found)
    return [int(share) for share in found]


def view(game: int, state: bytes, seat: int) -> bytes:
    seen = _like(state)
    if not 0 <= seat < _game(game).SEATS:
        raise Refused(PS_ERROR_ARGUMENT)
    _game(game).api_view(_words(state), seat, seen)
    return _bytes(seen)


def view_play(game: int, view: bytes, move: int, seen: int) -> bytes:
    after, sight = _like(view), np.zeros(1, np.uint64)
    code = _game(game).api_view_play(_words(view), move, np.uint64(seen), after, sight)
    _checked(code, int(sight[0]))
    return _bytes(after)


def count_worlds(game: int, view: bytes) -> list[int]:
    factors = np.zeros(PS_MAX_FACTORS, np.uint64)
    count = _checked(_game(game).api_count_worlds(_words(view), factors))
    found: list[int] = factors[:count].tolist()
    return found


def sample(game: int, view: bytes, seed: int, index: int) -> bytes:
    state = _like(view)
    _checked(_game(game).api_sample(_words(view), np.uint64(seed), np.uint64(index), state))
    return _bytes(state)


class FallbackControl:
    """A ps_control, owned by the caller of a long call."""

    def __init__(self, seconds: float, iterations: int, nodes: int, memory: int) -> None:
        self.struct = np.zeros(1, CONTROL)
        self.struct["seconds"], self.struct["iterations"] = seconds, iterations
        self.struct["nodes"], self.struct["memory"] = nodes, memory

    def stop(self) -> None:
        self.struct["stop"] = 1

    def done(self) -> int:
        return int(self.struct["done"][0])


def control(seconds: float = 0, iterations: int = 0, nodes: int = 0, memory: int = 0) -> FallbackControl:
    """A control; 0 is no limit. Memory is in bytes."""
    return FallbackControl(seconds, iterations, nodes, memory)


def _struct(control: Control) -> Any:
    assert isinstance(control, FallbackControl)
    return control.struct


def perft(game: int, state: bytes, depth: int, control: Control) -> int | None:
    """The count, or None when stopped."""
    if depth < 0:
        raise Refused(PS_ERROR_ARGUMENT)
    struct = _struct(control)
    count = int(_game(game).api_perft(_words(state), depth, struct))
    return None if struct["stop"][0] else count


def rollout(game: int, state: bytes, seed: int, first: int, n: int, control: Control) -> Totals:
    totals, numbers = np.zeros(1, TOTALS), (np.uint64(seed), np.uint64(first), np.uint64(n))
    _checked(_game(game).api_rollout(_valued(game, state), *numbers, _struct(control), totals))
    return Totals(int(totals["games"][0]), int(totals["plies"][0]), tuple(totals["shares"][0].tolist()))


def rollout_many(game: int, states: bytes, count: int, seed: int, first: int, n: int, control: Control) -> list[Totals]:
    """The totals of each state, as `rollout` has them; once stopped, those of the rest are empty."""
    size = len(states) // max(count, 1)
    return [rollout(game, states[i * size : (i + 1) * size], seed, first, n, control) for i in range(count)]


def grade(
    game: int,
    view: bytes,
    seats: int,
    seed: int,
    first: int,
    n: int,
    moves: Sequence[int],
    weighed: bool,
    control: Control,
) -> Graded:
    """Compares moves in n worlds of a view, fewer when stopped; without moves it values the state itself."""
    k, struct = max(len(moves), 1), _struct(control)
    codes = np.array([*moves, 0], np.uint16)
    totals, products = np.zeros(2 * k * seats, np.uint64), np.zeros(k * k, np.uint64)
    before, state = int(struct["done"][0]), _valued(game, view)
    numbers = np.uint64(seed), np.uint64(first), np.uint64(n)
    _checked(_game(game).api_grade(state, *numbers, codes, len(moves), int(weighed), struct, totals, products))
    sums = totals.tolist()
    rows = [tuple(sums[at : at + seats]) for at in range(0, 2 * k * seats, seats)]
    return Graded(int(struct["done"][0]) - before, rows[::2], rows[1::2], products.tolist())


class FallbackSearch:
    """A ps_search; its trees are freed with this object."""

    def __init__(self, game: int, view: Any, method: str, seed: int, memory: int) -> None:
        self._game = _game(game)
        self._search = np.zeros(1, self._game.SEARCH)
        opened = self._game.api_search_open(self._search, view, _METHODS[method], np.uint64(seed), np.uint64(memory))
        _checked(opened)
        weakref.finalize(self, self._game.api_search_close, self._search)
        self.workers = int(self._search["sets"][0])
        self._moves = int(self._search["count"][0])
        # Compiled now, or the clock of the first run would be a while late: a worker too many has nothing to do.
        self.run(self.workers, self.workers + 1, control())

    def run(self, worker: int, workers: int, control: Control) -> bool:
        return _checked(self._game.api_search_run(self._search, worker, workers, _struct(control))) == 1

    def read(self) -> Found:
        ranked, found = np.zeros(max(self._moves, 1), RANKED), np.zeros(1, FOUND)
        self._game.api_search_read(self._search, ranked, found)
        moves = []
        for move, length, line, _, visits, total, squares, set_visits, set_total in _rows(ranked[: self._moves]):
            sets = tuple(zip(set_visits, set_total, strict=True))
            moves.append(Ranked(move, visits, total, squares, sets, tuple(line[:length])))
        iterations, _, _, enumerated, exact = _rows(found)[0]
        return Found(iterations, bool(enumerated), bool(exact), moves)


def search(game: int, view: bytes, method: str, seed: int, memory: int) -> FallbackSearch:
    return FallbackSearch(game, _valued(game, view), method, seed, memory)


def actions(game: int) -> list[int]:
    """The codes of all moves that a game can have."""
    codes = np.zeros(PS_MAX_ACTIONS, np.uint16)
    found: list[int] = codes[: _game(game).api_actions(codes)].tolist()
    return found


class FallbackGames:
    """Many games in arrays: states, deals, to_move, ended, returns, in a row for each game."""

    def __init__(self, game: int, seed: int, dealer: int, scores: Sequence[int], arrays: Sequence[Any]) -> None:
        if game == PS_BUCK:
            _need_equity()
        self._game = _game(game)
        self._states = arrays[0]
        self._all = (*arrays, np.uint64(seed), dealer, np.array(scores, np.int16))
        self._game.api_batch_start(*self._all)

    def step(self, moves: Any) -> int:
        return int(self._game.api_batch_step(*self._all, moves))

    def moves(self, moves: Any, starts: Any) -> int:
        return int(self._game.api_batch_moves(self._states, moves, starts))

    def mask(self, actions: Any, mask: Any) -> None:
        self._game.api_batch_mask(self._states, actions, mask)

    def views(self, seats: Any, views: Any) -> None:
        self._game.api_batch_views(self._states, seats, views)


def batch(game: int, seed: int, dealer: int, scores: Sequence[int], arrays: Sequence[Any]) -> FallbackGames:
    return FallbackGames(game, seed, dealer, scores, arrays)


def policy(game: int, view: bytes) -> list[int]:
    """The weights that the rules of thumb give the legal moves."""
    weights = np.zeros(PS_MAX_MOVES, np.uint32)
    count = _checked(_game(game).api_policy(_words(view), weights))
    found: list[int] = weights[:count].tolist()
    return found


def cuttle_solve(state: bytes, moves: bool, control: Control) -> CuttleSolved:
    solved, whole = np.zeros(PS_MAX_MOVES if moves else 0, SOLVED), np.zeros(1, SOLUTION)
    count = _checked(_game(0).api_solve(_words(state), _struct(control), solved, whole))
    found = [CuttleMove(m, result, plies, bool(shortest)) for m, result, shortest, plies in _rows(solved[:count])]
    result, shortest, plies, depth, length, line, nodes = _rows(whole)[0]
    return CuttleSolved(result, plies, bool(shortest), depth, nodes, tuple(line[:length]), found)


def cuttle_certify(state: bytes, room: int, control: Control) -> list[tuple[int, int, int]]:
    """The entries of a proof: move, plies, the earlier entry that shows the same position or -1; none when unproven."""
    proof = np.zeros(room, PROOF)
    count = _checked(_game(0).api_certify(_words(state), _struct(control), proof, room))
    found: list[tuple[int, int, int]] = proof[:count].tolist()
    return found


class FallbackBuckBatch:
    """An array of ps_buck_solution."""

    def __init__(self, solutions: Any, n: int) -> None:
        self._solutions = solutions
        self._n = n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, place: int) -> BuckSolved:
        _, score, n, length, nodes, move, line, move_score, worth, move_worth = self._solutions[place].item()
        moves = list(zip(move[:n], move_score[:n], strict=True))
        return BuckSolved(score, nodes, tuple(line[:length]), moves, _worth(worth), [_worth(w) for w in move_worth[:n]])

    def scores(self) -> list[int]:
        scores: list[int] = self._solutions["score"][: self._n].tolist()
        return scores


def _worth(worth: Any) -> BuckWorth:
    value, tricks, low, high = worth
    unit = PS_ONE * PS_FINE
    return BuckWorth(
        tuple(v / unit for v in value),
        tuple(t / PS_FINE for t in tricks),
        tuple(share / PS_ONE for share in low),
        tuple(share / PS_ONE for share in high),
    )


def buck_solve(states: bytes, n: int, objective: int, seats: int, detail: int, control: Control) -> FallbackBuckBatch:
    solutions, struct = np.zeros(n, BUCK_SOLUTION), _struct(control)
    _checked(_game(PS_BUCK).api_solve(_valued(PS_BUCK, states), n, objective, seats, detail, struct, solutions))
    return FallbackBuckBatch(solutions, int(struct["done"][0]))
