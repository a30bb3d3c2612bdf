"""The compiled core: csrc/pysearch.h over bytes. The only module that knows of the extension. Calls release the GIL."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

from pysearch import equity_table
from pysearch._core import ffi, lib
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

NAME = "native"
ONE: int = lib.PS_ONE
_METHODS = {"ismcts": lib.PS_ISMCTS, "so-ismcts": lib.PS_SO_ISMCTS, "flat": lib.PS_FLAT, "pimc": lib.PS_PIMC}


def _checked(code: int, sight: int = 0) -> int:
    if code < 0:
        raise Refused(code, sight)
    return code


# Looked up once, for moves and play are called a million times where people play games move by move.
_room = ffi.new_allocator(should_clear_after_alloc=False)  # for what the core fills
_WORDS = ffi.typeof("uint64_t[]")
_moves, _play = lib.ps_moves, lib.ps_play
# Room for codes and for a state that no call is using, each with a window on it through which Python reads.
_spare_codes: list[tuple[Any, Any]] = []
_spare_states: list[tuple[Any, Any]] = []


def _new_codes() -> tuple[Any, Any]:
    codes = ffi.new("uint16_t[]", lib.PS_MAX_MOVES)
    return codes, memoryview(ffi.buffer(codes)).cast("H")


def _new_state() -> tuple[Any, Any]:
    state = ffi.new(_WORDS, lib.PS_MAX_WORDS)
    return state, ffi.buffer(state)


def _words(size: int) -> Any:
    return ffi.new(_WORDS, size)


def _bytes(words: Any) -> bytes:
    return ffi.buffer(words)[:]  # type: ignore[no-any-return]


def _like(state: bytes) -> Any:
    return _room(_WORDS, len(state) // 8)


_equity_lock = Lock()
_equity: Any = None  # the table in use: the core reads it where it is


def _need_equity() -> None:
    """Installs the table of match equity, once."""
    global _equity
    if _equity is None:
        with _equity_lock:
            if _equity is None:
                table = ffi.new("uint16_t[]", 4 * lib.PS_EQUITY_STATES)
                packed = equity_table.packed()
                assert len(packed) == lib.PS_EQUITY_PACKED
                lib.ps_unpack_equity(ffi.from_buffer(packed), table)
                lib.ps_use_equity(table)
                _equity = table


def _valued(game: int, state: bytes) -> Any:
    """A state for a call that asks what its ends are worth."""
    if game == lib.PS_BUCK:
        _need_equity()
    return ffi.from_buffer(state)


def isa() -> str:
    """The instruction set in use."""
    name: str = ffi.string(lib.ps_isa()).decode()
    return name


def compiler() -> str:
    """The compiler that built the core."""
    name: str = ffi.string(lib.ps_compiler()).decode()
    return name


def use_isa(name: str) -> bool:
    """Chooses an instruction set for all later calls; False when it is not there."""
    code: int = lib.ps_use_isa(name.encode("utf-8", "replace"))
    return code >= 0


def deal(game: int, words: int, seed: int, dealer: int, scores: Sequence[int]) -> bytes:
    state = _words(words)
    _checked(lib.ps_deal(game, seed, dealer, ffi.new("int16_t[4]", list(scores)), state))
    return _bytes(state)


def moves(game: int, state: bytes) -> list[int]:
    try:
        pair = _spare_codes.pop()  # no other thread has it now
    except IndexError:
        pair = _new_codes()
    codes, window = pair
    count = _moves(game, state, codes)
    if count < 0:
        raise Refused(count)
    found: list[int] = window[:count].tolist()
    _spare_codes.append(pair)
    return found


def play(game: int, state: bytes, move: int) -> bytes:
    try:
        pair = _spare_states.pop()
    except IndexError:
        pair = _new_state()
    after, window = pair
    code = _play(game, state, move, after)
    if code:
        raise Refused(code)
    made: bytes = window[: len(state)]
    _spare_states.append(pair)
    return made


def to_move(game: int, state: bytes) -> int | None:
    seat: int = lib.ps_to_move(game, state)
    return None if seat == lib.PS_ERROR_OVER else _checked(seat)


def shares(game: int, state: bytes, seats: int) -> list[int]:
    found = ffi.new("uint32_t[4]")
    _checked(lib.ps_shares(game, _valued(game, state), found))
    return list(found)[:seats]


def equity(scores: Sequence[int], dealer: int) -> list[int]:
    found = ffi.new("uint32_t[4]")
    _need_equity()
    _checked(lib.ps_equity(ffi.new("int16_t[4]", list(scores)), dealer, found))
    return list(found)


def view(game: int, state: bytes, seat: int) -> bytes:
    seen = _like(state)
    _checked(lib.ps_view(game, ffi.from_buffer(state), seat, seen))
    return _bytes(seen)


def view_play(game: int, view: bytes, move: int, seen: int) -> bytes:
    after, sight = _like(view), ffi.new("int *")
    code = lib.ps_view_play(game, ffi.from_buffer(view), move, seen, after, sight)
    _checked(code, sight[0])
    return _bytes(after)


def count_worlds(game: int, view: bytes) -> list[int]:
    factors = _words(lib.PS_MAX_FACTORS)
    count = _checked(lib.ps_count_worlds(game, ffi.from_buffer(view), factors))
    return list(factors)[:count]


def sample(game: int, view: bytes, seed: int, index: int) -> bytes:
    state = _like(view)
    _checked(lib.ps_sample(game, ffi.from_buffer(view), seed, index, state))
    return _bytes(state)


class NativeControl:
    """A ps_control, owned by the caller of a long call."""

    def __init__(self, seconds: float, iterations: int, nodes: int, memory: int) -> None:
        limits = {"seconds": seconds, "iterations": iterations, "nodes": nodes, "memory": memory}
        self.struct = ffi.new("ps_control *", limits)

    def stop(self) -> None:
        self.struct.stop = 1

    def done(self) -> int:
        done: int = self.struct.done
        return done


def control(seconds: float = 0, iterations: int = 0, nodes: int = 0, memory: int = 0) -> NativeControl:
    """A control; 0 is no limit. Memory is in bytes."""
    return NativeControl(seconds, iterations, nodes, memory)


def _struct(control: Control) -> Any:
    assert isinstance(control, NativeControl)
    return control.struct


def perft(game: int, state: bytes, depth: int, control: Control) -> int | None:
    """The count, or None when stopped."""
    count = ffi.new("uint64_t *")
    stopped = _checked(lib.ps_perft(game, ffi.from_buffer(state), depth, _struct(control), count))
    return None if stopped else int(count[0])


def rollout(game: int, state: bytes, seed: int, first: int, n: int, control: Control) -> Totals:
    totals = ffi.new("ps_totals *")
    _checked(lib.ps_rollout(game, _valued(game, state), seed, first, n, _struct(control), totals))
    return Totals(totals.games, totals.plies, tuple(totals.shares))


def rollout_many(game: int, states: bytes, count: int, seed: int, first: int, n: int, control: Control) -> list[Totals]:
    totals = ffi.new("ps_totals[]", count)
    _checked(lib.ps_rollout_many(game, _valued(game, states), count, seed, first, n, _struct(control), totals))
    return [Totals(each.games, each.plies, tuple(each.shares)) for each in totals]


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
    codes, totals, products = ffi.new("uint16_t[]", list(moves)), _words(2 * k * seats), _words(k * k)
    before = struct.done
    state = _valued(game, view)
    _checked(lib.ps_grade(game, state, seed, first, n, codes, len(moves), weighed, struct, totals, products))
    sums = ffi.unpack(totals, 2 * k * seats)
    rows = [tuple(sums[at : at + seats]) for at in range(0, 2 * k * seats, seats)]
    return Graded(struct.done - before, rows[::2], rows[1::2], ffi.unpack(products, k * k))


class NativeSearch:
    """A ps_search; freed with this object."""

    def __init__(self, search: Any, moves: int) -> None:
        self._search = ffi.gc(search, lib.ps_search_close)
        self._moves = moves
        self.workers: int = lib.ps_search_workers(search)

    def run(self, worker: int, workers: int, control: Control) -> bool:
        return _checked(lib.ps_search_run(self._search, worker, workers, _struct(control))) == 1

    def read(self) -> Found:
        ranked, found = ffi.new("ps_ranked[]", self._moves), ffi.new("ps_found *")
        lib.ps_search_read(self._search, ranked, found)
        moves = []
        for m in ranked[0 : found.moves]:
            sets = tuple(zip(m.set_visits, m.set_total, strict=True))
            moves.append(Ranked(m.move, m.visits, m.total, m.squares, sets, tuple(m.line[0 : m.length])))
        return Found(found.iterations, bool(found.enumerated), bool(found.exact), moves)


def search(game: int, view: bytes, method: str, seed: int, memory: int) -> NativeSearch:
    error = ffi.new("int *")
    opened = lib.ps_search_open(game, _valued(game, view), _METHODS[method], seed, memory, error)
    if not opened:
        _checked(error[0])
    return NativeSearch(opened, len(moves(game, view)))


def policy(game: int, view: bytes) -> list[int]:
    """The weights that the rules of thumb give the legal moves."""
    weights = ffi.new("uint32_t[]", lib.PS_MAX_MOVES)
    count = _checked(lib.ps_policy(game, ffi.from_buffer(view), weights))
    return ffi.unpack(weights, count) if count else []


def actions(game: int) -> list[int]:
    """The codes of all moves that a game can have."""
    codes = ffi.new("uint16_t[]", lib.PS_MAX_ACTIONS)
    return ffi.unpack(codes, _checked(lib.ps_actions(game, codes)))  # type: ignore[no-any-return]


class NativeGames:
    """A ps_batch over arrays: states, deals, to_move, ended, returns, in a row for each game."""

    def __init__(self, game: int, seed: int, dealer: int, scores: Sequence[int], arrays: Sequence[Any]) -> None:
        if game == lib.PS_BUCK:
            _need_equity()
        kinds = ("states", "uint64_t[]"), ("deals", "uint64_t[]"), ("to_move", "int8_t[]"), ("ended", "uint8_t[]")
        fields = {
            name: ffi.from_buffer(kind, array, require_writable=True)
            for (name, kind), array in zip((*kinds, ("returns", "double[]")), arrays, strict=True)
        }
        self._kept = fields  # the struct keeps no array alive
        self._game = game
        self._batch = ffi.new("ps_batch *", {"n": len(fields["to_move"]), "seed": seed, "dealer": dealer, **fields})
        self._batch.scores = list(scores)
        _checked(lib.ps_batch_start(game, self._batch))

    def step(self, moves: Any) -> int:
        return int(lib.ps_batch_step(self._game, self._batch, ffi.from_buffer("uint16_t[]", moves)))

    def moves(self, moves: Any, starts: Any) -> int:
        room = ffi.from_buffer("uint16_t[]", moves)
        return int(lib.ps_batch_moves(self._game, self._batch, room, len(room), ffi.from_buffer("uint64_t[]", starts)))

    def mask(self, actions: Any, mask: Any) -> None:
        cells = ffi.from_buffer("uint8_t[]", mask)
        width = len(cells) // self._batch.n
        _checked(lib.ps_batch_mask(self._game, self._batch, ffi.from_buffer("uint16_t[]", actions), width, cells))

    def views(self, seats: Any, views: Any) -> None:
        chosen = ffi.from_buffer("int8_t[]", seats)
        _checked(lib.ps_batch_views(self._game, self._batch, chosen, ffi.from_buffer(views)))


def batch(game: int, seed: int, dealer: int, scores: Sequence[int], arrays: Sequence[Any]) -> NativeGames:
    return NativeGames(game, seed, dealer, scores, arrays)


def cuttle_solve(state: bytes, moves: bool, control: Control) -> CuttleSolved:
    solved, whole = ffi.new("ps_solved[]", lib.PS_MAX_MOVES) if moves else ffi.NULL, ffi.new("ps_solution *")
    count = _checked(lib.ps_cuttle_solve(ffi.from_buffer(state), _struct(control), solved, whole))
    found = [CuttleMove(m.move, m.result, m.plies, bool(m.shortest)) for m in (solved[0:count] if moves else ())]
    line = tuple(whole.line[0 : whole.length])
    return CuttleSolved(whole.result, whole.plies, bool(whole.shortest), whole.depth, whole.nodes, line, found)


def cuttle_certify(state: bytes, room: int, control: Control) -> list[tuple[int, int, int]]:
    """The entries of a proof: move, plies, the earlier entry that shows the same position or -1; none when unproven."""
    proof = ffi.new("ps_proof[]", room)
    count = _checked(lib.ps_cuttle_certify(ffi.from_buffer(state), _struct(control), proof, room))
    return [(entry.move, entry.plies, entry.same) for entry in proof[0:count]]


class NativeBuckBatch:
    """An array of ps_buck_solution."""

    def __init__(self, solutions: Any, n: int) -> None:
        self._solutions = solutions
        self._n = n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, place: int) -> BuckSolved:
        s = self._solutions[place]
        moves = [(s.move[i], s.move_score[i]) for i in range(s.moves)]
        worths = [_worth(s.move_worth[i]) for i in range(s.moves)]
        return BuckSolved(s.score, s.nodes, tuple(s.line[0 : s.length]), moves, _worth(s.worth), worths)

    def scores(self) -> list[int]:
        # The second 32-bit number of each struct, without making an object of every struct.
        numbers = memoryview(ffi.buffer(self._solutions)).cast("i")
        return numbers[1 :: ffi.sizeof("ps_buck_solution") // 4].tolist()[: self._n]


def _worth(worth: Any) -> BuckWorth:
    unit = lib.PS_ONE * lib.PS_FINE
    return BuckWorth(
        tuple(value / unit for value in worth.value),
        tuple(tricks / lib.PS_FINE for tricks in worth.tricks),
        tuple(share / lib.PS_ONE for share in worth.low),
        tuple(share / lib.PS_ONE for share in worth.high),
    )


def buck_solve(states: bytes, n: int, objective: int, seats: int, detail: int, control: Control) -> NativeBuckBatch:
    solutions, struct = ffi.new("ps_buck_solution[]", n), _struct(control)
    _checked(lib.ps_buck_solve(_valued(lib.PS_BUCK, states), n, objective, seats, detail, struct, solutions))
    return NativeBuckBatch(solutions, struct.done)
