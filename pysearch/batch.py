"""Many games at once for learners: arrays over packed states, one call of the core for a step of all.

Beside the numba backend, the only module that loads numpy.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysearch.backends import select
from pysearch.errors import ArgumentError, IllegalMove, quote
from pysearch.games import find_game
from pysearch.position import Position, check_deal, check_seed, whole_number

_MANY = 64  # places for legal moves a game, at first


class Batch:
    """n games of one kind that go on side by side. Every step makes a move in each; a game that ends is dealt anew.

    An action is the number of a move in `actions`, the moves that the game can have, in the order in which legal moves
    are listed. The arrays below are read-only, are the same objects for ever and change with each step:

    `states`   (n, words) uint64: the packed states themselves
    `to_move`  (n,) int8: the seat that decides
    `ended`    (n,) bool: whether the last step ended a game, in whose place there is a new one now
    `returns`  (n, seats) float64: shares of the win of a game that the last step ended, 0 of all others
    `deals`    (n,) uint64: the number of each deal. Game i is deal i of the seed at first, deal k + n after deal k;
               deal 0 is pysearch.deal(game, seed)

    Everything depends on game, n, seed, dealer, scores and the actions alone.
    """

    def __init__(
        self, game: str, n: int, seed: int = 0, dealer: int | None = None, scores: Iterable[int] | None = None
    ) -> None:
        """ArgumentError (game, n, seed, dealer, scores)."""
        rules = find_game(game)
        self.game = rules.name
        self.n = n = whole_number("n", n, 1, 1 << 24)
        self.seats = rules.seats
        self._rules = rules
        core = select()
        codes = np.array(core.actions(rules.id), np.uint16)
        self.actions = tuple(rules.write_move(int(code)) for code in codes)
        self._codes = codes
        self._number = np.zeros(1 << 16, np.uint16)  # of the action of each code
        self._number[codes] = np.arange(len(codes), dtype=np.uint16)
        self._states = np.zeros((n, rules.words), np.uint64)
        self._to_move = np.zeros(n, np.int8)
        self._ended = np.zeros(n, np.bool_)
        self._returns = np.zeros((n, rules.seats))
        self._deals = np.zeros(n, np.uint64)
        self.states, self.to_move = _fixed(self._states), _fixed(self._to_move)
        self.ended, self.returns, self.deals = _fixed(self._ended), _fixed(self._returns), _fixed(self._deals)
        self._legal = np.zeros(n * _MANY, np.uint16)
        self._games = core.batch(
            rules.id,
            check_seed(seed),
            *check_deal(rules, dealer, scores),
            (self._states, self._deals, self._to_move, self._ended, self._returns),
        )

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<pysearch.Batch of {self.n} games of {self.game}>"

    def step(self, actions: ArrayLike) -> None:
        """Makes an action in each game: n whole numbers. IllegalMove, which names the first game whose action is not
        legal, and ArgumentError (actions): then no move was made in any game."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            found = f"found shape {chosen.shape} of {chosen.dtype}"
            raise ArgumentError("actions", f"{found}, expected {self.n} whole numbers")
        try:
            codes = self._codes.take(chosen)
        except IndexError:
            codes = self._codes[:0]
        if len(codes) < self.n or (chosen.dtype.kind == "i" and chosen.min() < 0):
            i = int(np.argmax((chosen < 0) | (chosen >= len(self.actions))))
            expected = f"expected a number from 0 to {len(self.actions) - 1}"
            raise ArgumentError("actions", f"found {quote(int(chosen[i]))} for game {i}, {expected}")
        i = self._games.step(codes)
        if i < self.n:
            legal = self.position(i).legal_moves()
            expected = " ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
            found = self.actions[int(chosen[i])]
            raise IllegalMove(f"game {i}: {found} is not legal here, expected {expected}", legal)

    def legal_actions(self) -> tuple[NDArray[np.uint16], NDArray[np.uint64]]:
        """The legal actions of all games in one array, ascending within a game, and where they begin: those of game i
        are actions[starts[i]:starts[i + 1]]."""
        starts = np.empty(self.n + 1, np.uint64)
        while not (count := self._games.moves(self._legal, starts)):
            self._legal = np.zeros(2 * len(self._legal), np.uint16)
        return self._number[self._legal[:count]], starts

    def legal_mask(self) -> NDArray[np.bool_]:
        """(n, len(actions)): whether each action is legal."""
        mask = np.empty((self.n, len(self.actions)), np.bool_)
        self._games.mask(self._number, mask)
        return mask

    def views(self, seats: ArrayLike | None = None) -> NDArray[np.uint64]:
        """(n, words): what a seat of each game knows, as the packed words of a View; of the seat to move unless seats
        are given, one for all or one for each game. ArgumentError (seats)."""
        given = np.asarray(self._to_move if seats is None else seats)
        if given.dtype.kind not in "iu" or given.shape not in ((), (self.n,)):
            found = f"found shape {given.shape} of {given.dtype}"
            raise ArgumentError("seats", f"{found}, expected one seat or {self.n}")
        if given.min() < 0 or given.max() >= self.seats:
            raise ArgumentError("seats", f"found {quote(seats)}, expected seats from 0 to {self.seats - 1}")
        views = np.empty_like(self._states)
        self._games.views(np.ascontiguousarray(np.broadcast_to(given, self.n), np.int8), views)
        return views

    def position(self, i: int) -> Position:
        """The position of game i. ArgumentError (i)."""
        return Position._of(self.game, self._states[whole_number("i", i, 0, self.n - 1)].tobytes())


def _fixed(array: NDArray) -> NDArray:  # type: ignore[type-arg]
    """The same array, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
