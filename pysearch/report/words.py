"""Cards and moves as people write and say them: 10♦, "scuttles 10♦ with J♣"."""

import re
from dataclasses import dataclass

SYMBOLS = dict(zip("CDHS", "♣♦♥♠", strict=True))
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
CARD = re.compile("[A2-9TJQK][CDHS]")
TEXT_STYLE = "\ufe0e"  # asks for a plain symbol where a telephone would draw a picture

# What a card of Cuttle does by its rank, without and with a target.
_EFFECTS = {"8": "lays {} as glasses", "Q": "lays {}", "K": "lays {}"}
_AIMS = {"2": "scraps {1} with {0}", "9": "returns {1} to hand with {0}", "J": "takes {1} with {0}"}
_BUCK = {"pass": "passes", "order": "orders it up", "stay": "stays", "drop": "drops", "dX": "buries a card"}
_CUTTLE = {"draw": "draws a card", "pass": "passes", "ok": "lets it happen"}

# The grades, best first, and the mark of each, which tells them apart where colour does not.
GRADES = {
    "best": "✓",
    "excellent": "✓",
    "good": "○",
    "inaccuracy": "?!",
    "mistake": "?",
    "blunder": "??",
    "unclear": "≈",
    "forced": "–",
}
ERRORS = ("blunder", "mistake", "inaccuracy")


@dataclass(frozen=True)
class Card:
    """A card as it is drawn; `unseen` by the player to move, `moving` by his move."""

    name: str
    unseen: bool = False
    moving: bool = False

    @property
    def rank(self) -> str:
        return "10" if self.name[0] == "T" else self.name[0]

    @property
    def suit(self) -> str:
        return self.name[1]

    @property
    def symbol(self) -> str:
        return SYMBOLS[self.suit] + TEXT_STYLE

    @property
    def spoken(self) -> str:
        return f"{RANKS[self.name[0]]} of {SUITS[self.suit]}"


def short(card: str) -> str:
    """`TD` -> `10♦`."""
    return Card(card).rank + Card(card).symbol


def short_move(game: str, move: str) -> str:
    """A move in few characters: `10♦×9♥`, `J♦→10♥`, `6♣ effect`, `bury 9♥`."""
    if move in SYMBOLS:
        return SYMBOLS[move] + TEXT_STYLE
    if move == "dX":
        return "bury"
    text = CARD.sub(lambda match: short(match[0]), move)
    verb = {"c": "counter", "t": "take", "d": "bury" if game == "buck_euchre" else "discard"}.get(move[0], "")
    if verb and CARD.search(move):
        return f"{verb} {text[1:]}"
    if not CARD.match(move):
        return text
    if move.endswith("@"):
        return text[:-1] + {"8": " glasses", "Q": "", "K": ""}.get(move[0], " effect")
    return text.replace("x", "×").replace("@", "→")


def say_move(game: str, move: str) -> str:
    """What a player does: "scuttles 10♦ with J♣"."""
    cards = [short(card) for card in CARD.findall(move)]
    if game == "buck_euchre":
        if not cards:
            return _BUCK.get(move) or f"names {SYMBOLS.get(move, move)}{TEXT_STYLE}"
        return f"{'buries' if move[0] == 'd' else 'plays'} {cards[0]}"
    if not cards:
        return _CUTTLE.get(move, move)
    if move[0] in "ctd":
        verb = {"c": "counters with {}", "t": "takes {} from the scrap", "d": "discards {} and {}"}[move[0]]
        return verb.format(*cards)
    if "x" in move:
        return f"scuttles {cards[1]} with {cards[0]}"
    if "@" not in move:
        return f"plays {cards[0]} for points"
    if len(cards) == 2:
        return _AIMS[move[0]].format(*cards)
    return _EFFECTS.get(move[0], "plays {} for its effect").format(cards[0])
