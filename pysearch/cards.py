"""Cards: their names, their places in the two decks, and lists of them as text.

A card is its index in the deck, a set of cards a mask with bit `index` set. Names are rank and suit, `TH`. Lists are
read forgivingly (`10H`, `th`, `H10`, `♥10`, `5D,8S`) and printed in index order.
"""

import re
from collections.abc import Iterable, Iterator

from pysearch.errors import NotationError, quote

_SYMBOLS = {"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S", "\ufe0e": "", "\ufe0f": ""}
_UPPER = str.maketrans({**{letter: letter.upper() for letter in "acdhjkqstx"}, **_SYMBOLS})
# No character is both a rank and a suit, so the first one tells which of the two orders is meant.
_CARD = re.compile(r"(10|[A2-9TJQK])([CDHS])|([CDHS])(10|[A2-9TJQK])")
_HIDDEN = re.compile(r"X([1-9][0-9]?)\Z")


def _name(match: re.Match[str]) -> str:
    rank, suit = (match[1], match[2]) if match[1] else (match[4], match[3])
    return ("T" if rank == "10" else rank) + suit


def plain(text: str) -> str:
    """The text with suit symbols as letters; nothing else is changed."""
    return "".join(_SYMBOLS.get(letter, letter) for letter in text)


def cards_of(mask: int) -> Iterator[int]:
    """The cards of a set, in index order."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def mask_of(cards: Iterable[int]) -> int:
    """The set of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


class Deck:
    """The cards of one game, in index order. `names[index]` is a card's name, `full` the set of them all."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self.index = {name: card for card, name in enumerate(self.names)}
        self.full = (1 << len(self.names)) - 1

    def __len__(self) -> int:
        return len(self.names)

    def read(self, text: str, field: str) -> list[int]:
        """The cards of a list in the order given; `-` is none. NotationError for what is not a card of this deck."""
        cards, hidden = self.read_hidden(text, field)
        if hidden:
            raise NotationError(field, f"found X{hidden}, expected cards by name: nothing here is ever unknown")
        return cards

    def read_hidden(self, text: str, field: str) -> tuple[list[int], int]:
        """The same for a list that may end in `X4`: the named cards, and how many more are unknown."""
        if text == "-":
            return [], 0
        if not text:
            raise NotationError(field, "empty; expected cards, or - for none")
        cards: list[int] = []
        *pieces, last = text.translate(_UPPER).split(",")
        hidden = _HIDDEN.search(last)
        if hidden and hidden.start() > 0:
            pieces.append(last[: hidden.start()])
        elif not hidden:
            pieces.append(last)
        for piece in pieces:
            at = 0
            while at < len(piece) or not piece:
                match = _CARD.match(piece, at)
                if not match:
                    expected = "expected cards such as 5D or TH, and X4 at the end for unknown ones"
                    raise NotationError(field, f"cannot read {quote(piece[at:])} in {quote(text)}, {expected}")
                name = _name(match)
                if name not in self.index:
                    raise NotationError(field, f"there is no {name} in this deck of {len(self)} cards")
                cards.append(self.index[name])
                at = match.end()
        return cards, int(hidden[1]) if hidden else 0

    def read_one(self, text: str, field: str) -> int | None:
        """One card, or None for `-`."""
        cards = self.read(text, field)
        if len(cards) > 1:
            raise NotationError(field, f"found {len(cards)} cards, {quote(text)}, expected one, or - for none")
        return cards[0] if cards else None

    def find(self, text: str) -> int | None:
        """The card that a piece of a move names, None when it names none, or more than one."""
        match = _CARD.fullmatch(text.translate(_UPPER))
        return self.index.get(_name(match)) if match else None

    def write(self, cards: Iterable[int], hidden: int = 0) -> str:
        """Cards in the order given, then the number of unknown ones; `-` when there are none."""
        return ("".join(self.names[card] for card in cards) + (f"X{hidden}" if hidden else "")) or "-"

    def write_set(self, mask: int, hidden: int = 0) -> str:
        """A set of cards in index order, then the number of unknown ones."""
        return self.write(cards_of(mask), hidden)


CUTTLE_DECK = Deck(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")
BUCK_DECK = Deck(rank + suit for suit in "CDHS" for rank in "9TJQKA")


class Census:
    """Every card of a deck exactly once: notes where each is, and names the one that is twice or nowhere."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.places: dict[int, str] = {}

    def put(self, field: str, cards: Iterable[int]) -> int:
        """Notes that these cards are in `field`, and returns their set. NotationError when one of them is somewhere."""
        mask = 0
        for card in cards:
            if card in self.places:
                again = "named twice" if self.places[card] == field else f"also in {self.places[card]}"
                raise NotationError(field, f"duplicate {self.deck.names[card]}, {again}; expected every card once")
            self.places[card] = field
            mask |= 1 << card
        return mask

    def unnamed(self) -> int:
        """The set of cards that have not been put anywhere."""
        return self.deck.full & ~mask_of(self.places)

    def settle(self, hidden: int, field: str) -> None:
        """NotationError for `field` unless the cards put nowhere are exactly as many as the unknown ones."""
        missing = self.unnamed()
        count = missing.bit_count()
        if count == hidden:
            return
        names = [self.deck.names[card] for card in cards_of(missing)]
        some = " ".join(names[:4]) + (f" and {count - 4} more" if count > 4 else "")
        if hidden == 0:
            raise NotationError(field, f"missing {some}; expected every card of the deck once")
        found = f"found {hidden} unknown cards (X) in all places"
        raise NotationError(field, f"{found}, expected {count}: as many as are not named")
