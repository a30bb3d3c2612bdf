"""What the rest of the package must know about a game. Everything else is generic over these descriptions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from pysearch.cards import Deck

T = TypeVar("T")


class _Kept(dict[Any, T]):
    """The results of a function, by argument."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, argument: Any) -> T:
        self[argument] = result = self._function(argument)
        return result


def kept(function: Callable[[int], T]) -> Callable[[int], T]:
    """functools.cache for one argument, at half the price: a call is a look-up in a dictionary and nothing else."""
    return _Kept(function).__getitem__


class Shape(Enum):
    """What the value of a key is, as text and in a dictionary (notation.to_dict)."""

    WORD = "one word or card, None for -"
    NUMBER = "one number, None for -"
    CARDS = "list of cards"
    SEAT_CARDS = "one list of cards for each seat"
    SEAT_SUITS = "one list of suit letters for each seat"
    SEAT_NUMBERS = "one number for each seat"
    SEATS = "list of seats"


@dataclass(frozen=True)
class Key:
    """One `key=value` of a position line. A key without default is required, and always printed."""

    name: str
    shape: Shape
    default: str | None


@dataclass(frozen=True)
class Result:
    """How a game that is over ended. `winners` is empty for a draw and when the match goes on."""

    winners: tuple[int, ...]
    drawn: bool
    reason: str
    tricks: tuple[int, ...] | None = None
    deltas: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Place:
    """Where a viewer knows how many cards lie, but not all of which: `known` is the set of those he does know, `hidden`
    the number of the others."""

    name: str
    known: int
    hidden: int


@dataclass(frozen=True)
class Hidden:
    """What a view leaves open. `kinds` are the cards it does not name, as sets of such as may lie in the same places,
    each with those places as bits. Every way of laying them out that fills the places is a world."""

    places: tuple[Place, ...]
    kinds: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Game:
    """A game: its names, its sizes, and its notation.

    `tag` begins its lines, `id` is its number in pysearch.h, `words` the length of a packed state in 64-bit words,
    `dealer` who deals unless told otherwise, `equity` the name of the table that says what a match that goes on is
    worth, None where a game is the whole match. `pack` turns the values of the keys (those given) into a packed state,
    validated whole; `unpack` gives the values of all keys. Moves are 16-bit codes; `read_move` returns None for what
    is not a move. `view` is the seat of a packed view, None of a position. `stage` is the word for it, `any_stock`
    forgets the order of the stock of a position, `begins` says whether an ordinary turn or a trick begins, `unseen` is
    the set of cards that a state does not name. `result` is of a state that is over, `hidden` of a view.
    """

    name: str
    tag: str
    id: int
    seats: int
    words: int
    dealer: int
    equity: str | None
    deck: Deck
    keys: tuple[Key, ...]
    pack: Callable[[Mapping[str, str]], bytes]
    unpack: Callable[[bytes], dict[str, str]]
    read_move: Callable[[str], int | None]
    write_move: Callable[[int], str]
    view: Callable[[bytes], int | None]
    stage: Callable[[bytes], str]
    any_stock: Callable[[bytes], bytes]
    begins: Callable[[bytes], bool]
    unseen: Callable[[bytes], int]
    result: Callable[[bytes], Result]
    hidden: Callable[[bytes], Hidden]
