"""Positions and views: thin, immutable values over packed states. The rules are the backend's."""

import math
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn, Self

from pysearch import notation
from pysearch.backends import ILLEGAL, MEMORY, NO_WORLD, OVER, SEEN, Refused, select
from pysearch.cards import mask_of
from pysearch.errors import ArgumentError, Error, IllegalMove, NotationError, quote
from pysearch.games import GAMES, find_game
from pysearch.games.game import Game


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    `winners`: seats; () for a draw, or when the match goes on. `returns`: share of the win per seat, adding up to 1; a
    draw is 1/2 each, of a match that goes on it is the equity at the new scores. `reason`: a word or two. Of a deal of
    Buck Euchre also tricks, changes of score and scores after the deal, per seat; None in Cuttle.
    """

    winners: tuple[int, ...]
    returns: tuple[float, ...]
    reason: str
    tricks: tuple[int, ...] | None = None
    deltas: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values; those of Buck Euchre only where there are any."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items() if v is not None}


@dataclass(frozen=True, repr=False)
class State:
    """What positions and views have in common. `words` is the packed state; equal values have equal words.

    Made by parse, deal and from_dict, and by the methods of other positions. ArgumentError (game, words) when made of
    words that do not come from there.
    """

    # By hand: those that dataclass makes break the refusal to set an attribute in the classes below.
    __slots__ = ("game", "words")

    game: str
    words: bytes

    def __post_init__(self) -> None:
        # The core trusts the words of a state, so those that come from outside are read and written again.
        game = find_game(self.game)
        size = 8 * game.words
        if not isinstance(self.words, bytes) or len(self.words) != size:
            found = f"{len(self.words)} bytes" if isinstance(self.words, bytes) else quote(self.words)
            raise ArgumentError("words", f"found {found}, expected {size} bytes")
        if (game.view(self.words) is not None) is not isinstance(self, View):
            raise ArgumentError("words", f"not those of a {type(self).__name__.lower()}")
        try:
            sound = game.pack(game.unpack(self.words)) == self.words
        except (LookupError, ValueError):
            sound = False
        if not sound:
            raise ArgumentError("words", "describe nothing that can be on the table, expected those of another state")

    @classmethod
    def _of(cls, game: str, words: bytes) -> Self:
        """A state of words that the core or the notation has made: they need no check, which would slow down play."""
        state = _new(cls)
        _set_game(state, game)
        _set_words(state, words)
        return state

    def __reduce__(self) -> tuple[type, tuple[str, bytes]]:
        return type(self), (self.game, self.words)

    @property
    def _game(self) -> Game:
        return GAMES[self.game]

    @property
    def seats(self) -> int:
        """The number of seats: 2 or 4."""
        return self._game.seats

    @property
    def to_move(self) -> int | None:
        """The seat that decides now, None when the game is over."""
        return select().to_move(self._game.id, self.words)

    @property
    def is_over(self) -> bool:
        """Whether the game, or in Buck Euchre the deal, is over."""
        return self.to_move is None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, None while it goes on."""
        if not self.is_over:
            return None
        game = self._game
        end = game.result(self.words)
        if end.winners:
            returns = tuple(1 / len(end.winners) if seat in end.winners else 0.0 for seat in range(game.seats))
        elif end.drawn:
            returns = (1 / game.seats,) * game.seats
        else:
            core = select()
            returns = tuple(share / core.ONE for share in core.shares(game.id, self.words, game.seats))
        return Outcome(end.winners, returns, end.reason, end.tricks, end.deltas, end.scores)

    def legal_moves(self) -> list[str]:
        """The legal moves of the seat to move, in an order that is always the same; [] when the game is over.

        Of a view: the moves of its own seat; ArgumentError (seat) while another seat decides.
        """
        game = GAMES[self.game]
        try:
            return list(map(game.write_move, select().moves(game.id, self.words)))
        except Refused as refused:
            found = f"found a view of seat {game.view(self.words)}, expected one of seat {self.to_move}, who is to move"
            raise ArgumentError("seat", found) from refused

    def to_dict(self) -> dict[str, Any]:
        """The keys of the text with lists, as in pysearch.notation; from_dict gives the same position again."""
        return notation.to_dict(self._game, self.words)

    def __str__(self) -> str:
        return notation.write(self._game, self.words)

    def __repr__(self) -> str:
        return f"pysearch.parse({str(self)!r})"

    def _code(self, token: str) -> int:
        """The code of a move token. IllegalMove when it is none."""
        code = GAMES[self.game].read_move(token) if isinstance(token, str) else None
        if code is None:
            self._refuse(f"{quote(token)} is not a move of {self.game}")
        return code

    def _refuse(self, what: str, cause: Refused | None = None) -> NoReturn:
        """Raises IllegalMove with the legal moves, where they are known."""
        other = isinstance(self, View) and self.to_move not in (None, self.seat)
        legal = [] if other else self.legal_moves()
        if self.is_over:
            expected = "the game is over"
        elif other:
            expected = f"expected a move of seat {self.to_move}"
        else:
            expected = "expected " + " ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        raise IllegalMove(f"{what}, {expected}", legal) from cause


# Past the refusal to set an attribute, and quicker than object.__setattr__.
_new = object.__new__
_set_game, _set_words = (State.__dict__[name].__set__ for name in ("game", "words"))


@dataclass(frozen=True, repr=False)
class Position(State):
    """A complete position: every card is known."""

    __slots__ = ()

    def play(self, move: str) -> "Position":
        """The position after a move. IllegalMove, with the legal moves."""
        game = GAMES[self.game]
        code = game.read_move(move) if type(move) is str else None
        if code is None:
            code = self._code(move)
        try:
            words = select().play(game.id, self.words, code)
        except Refused as refused:
            self._refuse(f"{game.write_move(code)} is not legal here", refused)
        after = _new(Position)  # as _of does, without another call
        _set_game(after, self.game)
        _set_words(after, words)
        return after

    def view(self, seat: int) -> "View":
        """What a seat knows. ArgumentError (seat)."""
        seat = whole_number("seat", seat, 0, self.seats - 1)
        return View._of(self.game, select().view(self._game.id, self.words, seat))


@dataclass(frozen=True, repr=False)
class View(State):
    """What one seat knows of a position."""

    __slots__ = ()

    @property
    def seat(self) -> int:
        """The seat whose view this is."""
        seat = self._game.view(self.words)
        assert seat is not None
        return seat

    def play(self, move: str, seen: str | None = None) -> Self:
        """What this seat sees when the seat to move, its own or another, makes a move.

        `seen` are the cards that come into its sight by it and that the move does not name: `draw` seen="5H". A burial
        by another seat is dX. IllegalMove when no position of this view allows the move, ArgumentError (seen) when
        other cards come into sight than were named.
        """
        code = self._code(move)
        if seen is not None and not isinstance(seen, str):
            raise ArgumentError("seen", f"found {quote(seen)}, expected cards such as 5H, or None")
        try:
            cards = self._game.deck.read(seen or "-", "seen")
        except NotationError as error:
            raise ArgumentError("seen", error.message) from error
        mask = mask_of(cards)
        if mask.bit_count() < len(cards):
            raise ArgumentError("seen", f"found {quote(seen)}, expected every card once")
        try:
            return self._of(self.game, select().view_play(self._game.id, self.words, code, mask))
        except Refused as refused:
            if refused.code == SEEN:
                count = refused.sight
                lacking = "no card" if count == 0 else f"the {count} card{'s' * (count > 1)}"
                token = self._game.write_move(code)
                expected = f"expected {lacking} that came into sight of seat {self.seat} by {token}"
                raise ArgumentError("seen", f"found {quote(seen or '-')}, {expected}") from refused
            if refused.code in (ILLEGAL, OVER):
                self._refuse(f"{self._game.write_move(code)} is not legal here", refused)
            fail(refused)

    def sample(self, seed: int) -> Position:
        """One complete position, uniform over all worlds of the view. ArgumentError (seed)."""
        try:
            return Position._of(self.game, select().sample(self._game.id, self.words, check_seed(seed), 0))
        except Refused as refused:
            fail(refused)

    def count_worlds(self) -> int:
        """The exact number of worlds: complete positions, the order of the stock included, that this seat cannot tell
        apart."""
        try:
            return math.prod(select().count_worlds(self._game.id, self.words))
        except Refused as refused:
            fail(refused)


def fail(refused: Refused) -> NoReturn:
    """Raises what a refusal without a better explanation means."""
    if refused.code == MEMORY:
        raise MemoryError("the core is out of memory") from refused
    if refused.code == NO_WORLD:
        raise Error("view: no position is consistent with it") from refused
    raise RuntimeError(f"the core refused a call with code {refused.code}") from refused


def parse(text: str) -> Position | View:
    """The position or view that a text describes (docs: notation). NotationError."""
    return _state(*notation.read(text))


def from_dict(values: Mapping[str, Any]) -> Position | View:
    """The position or view of a dictionary such as to_dict gives. NotationError."""
    return _state(*notation.from_dict(values))


def _state(game: Game, words: bytes) -> Position | View:
    return Position._of(game.name, words) if game.view(words) is None else View._of(game.name, words)


def deal(game: str, seed: int = 0, dealer: int | None = None, scores: Iterable[int] | None = None) -> Position:
    """A shuffled deal, the same for a seed for ever.

    `dealer` is seat 1 in Cuttle and 3 in Buck Euchre unless given; `scores`, four numbers above 0, are those before the
    deal of Buck Euchre, 25 each unless given. ArgumentError (game, seed, dealer, scores).
    """
    rules = find_game(game)
    seed = check_seed(seed)
    dealer, before = check_deal(rules, dealer, scores)
    return Position._of(rules.name, select().deal(rules.id, rules.words, seed, dealer, before))


def check_deal(rules: Game, dealer: int | None, scores: Iterable[int] | None) -> tuple[int, list[int]]:
    """Who deals, and the scores before the deal. ArgumentError (dealer, scores)."""
    dealer = rules.dealer if dealer is None else whole_number("dealer", dealer, 0, rules.seats - 1)
    if scores is not None and rules.name != "buck_euchre":
        raise ArgumentError("scores", f"given for {rules.name}, expected for buck_euchre only")
    before: list[int] = [25] * 4
    if scores is not None:
        given = list(islice(scores, rules.seats + 1)) if isinstance(scores, Iterable) else []
        if len(given) != rules.seats:
            raise ArgumentError("scores", f"found {quote(scores)}, expected {rules.seats} numbers")
        before = [whole_number("scores", score, 1, 32762) for score in given]
    return dealer, before


def whole_number(argument: str, value: object, low: int, high: int) -> int:
    """An argument that must be a whole number from low to high. ArgumentError."""
    try:
        number = operator.index(value) if not isinstance(value, bool) else low - 1  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = low - 1
    if not low <= number <= high:
        bounds = f"{low} to {high}" if high < 1 << 32 else f"{low} to 2**{(high + 1).bit_length() - 1} - 1"
        raise ArgumentError(argument, f"found {quote(value)}, expected a whole number from {bounds}")
    return number


def check_seed(seed: object) -> int:
    """A seed: a whole number below 2**64. ArgumentError (seed)."""
    return whole_number("seed", seed, 0, (1 << 64) - 1)


def game_of(pos: object) -> Game:
    """The game of a position or view. ArgumentError (position) for anything else."""
    if not isinstance(pos, (Position, View)):
        raise ArgumentError("position", f"found {quote(pos)}, expected a Position or View")
    return GAMES[pos.game]


def fields_of(result: Any) -> dict[str, Any]:
    """The fields of a result, as they stand; `equity` only where there is one."""
    values = {name: getattr(result, name) for name in result.__dataclass_fields__}
    return {name: value for name, value in values.items() if name != "equity" or value is not None}
