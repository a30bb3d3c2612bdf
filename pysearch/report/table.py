"""What lies on the card table of a position line, seat by seat, ready to be drawn."""

import re
from dataclasses import dataclass, field

from pysearch.games.cuttle import GOALS
from pysearch.report.words import CARD, SUITS, SYMBOLS, TEXT_STYLE, Card

_STACK = re.compile(r"[A2-9TJQK][CDHS](?:\+[A2-9TJQK][CDHS])*|X\d+")
_POINTS = {rank: value for value, rank in enumerate("A23456789T", 1)}

Stack = list[Card | None]  # a card with the jacks upon it; None is a card face down


@dataclass
class Row:
    """Cards, or a text, with a label before them."""

    label: str
    stacks: list[Stack] = field(default_factory=list)
    text: str = ""


@dataclass
class Seat:
    """What belongs to one seat. `area` is its place on the table: south, west, north, east."""

    seat: int
    area: str
    to_move: bool
    note: str
    rows: list[Row]
    dropped: bool = False


@dataclass
class Played:
    """A card of the current trick and who played it."""

    seat: int
    card: Card


@dataclass
class CardTable:
    """All of it. `trick` only in Buck Euchre."""

    seats: list[Seat]
    middle: list[Row]
    trick: list[Played] = field(default_factory=list)


def card_table(line: str, to_move: int | None, sight: str | None, move: str) -> CardTable:
    """The table of a position or view. `sight` is the view of the seat to move: cards that it does not name are marked
    as unseen; `move` the token of the move that comes next: its cards are marked as moving."""
    keys = dict(word.split("=", 1) for word in line.split()[1:])
    return _Drawer(keys, to_move, sight, move).table(line.startswith("cuttle"))


class _Drawer:
    def __init__(self, keys: dict[str, str], to_move: int | None, sight: str | None, move: str) -> None:
        self.keys, self.to_move = keys, to_move
        self.seen = None if sight is None else set(CARD.findall(sight))
        self.moving = set(CARD.findall(move))

    def table(self, cuttle: bool) -> CardTable:
        below = int(self.keys.get("view", 0))  # the owner of a view sits below
        return self.cuttle(below) if cuttle else self.buck(below)

    def part(self, key: str, seat: int, default: str = "-") -> str:
        """What a key says of one seat."""
        text = self.keys.get(key)
        return default if text is None else text.split("/")[seat]

    def card(self, name: str) -> Card:
        return Card(name, self.seen is not None and name not in self.seen, name in self.moving)

    def stacks(self, text: str) -> list[Stack]:
        found: list[Stack] = []
        for piece in _STACK.findall(text):
            if piece[0] == "X":
                found += [[None] for _ in range(int(piece[1:]))]
            else:
                found.append([self.card(name) for name in piece.split("+")])
        return found

    def row(self, label: str, text: str) -> Row:
        return Row(label, self.stacks(text))

    # ---------------------------------------------------------------- Cuttle

    def cuttle(self, below: int) -> CardTable:
        """The opponent above, stock and scrap between."""
        keys = self.keys
        stock = keys.get("stock", "-")
        count = sum(int(piece[1:]) if piece[0] == "X" else 1 for piece in _STACK.findall(stock))
        top = CARD.match(stock)
        middle = [Row("Stock", text="1 card" if count == 1 else f"{count} cards")]
        if top:
            middle.append(self.row("Next", top[0]))
        if "oneoff" in keys:
            middle.append(self.row("Played", keys["oneoff"].replace("@", "")))
        for key, label in (("counters", "Counters"), ("sevens", "Sevens"), ("revealed", "Revealed")):
            if key in keys:
                middle.append(self.row(label, keys[key]))
        if "passes" in keys:
            middle.append(Row("Passes", text=keys["passes"]))
        middle.append(self.row("Scrap", keys.get("scrap", "-")))
        return CardTable([self.player(1 - below, "north"), self.player(below, "south")], middle)

    def player(self, seat: int, area: str) -> Seat:
        points, perms = self.part("points", seat), self.part("perms", seat)
        total = sum(_POINTS.get(name[0], 0) for name in CARD.findall(points))
        goal = GOALS[sum(name[0] == "K" for name in CARD.findall(perms))]
        rows = [
            self.row("Hand", self.part("hands", seat)),
            self.row("Points", points),
            self.row("Permanents", perms),
        ]
        return Seat(seat, area, seat == self.to_move, f"{total} of {goal} points", rows)

    # ---------------------------------------------------------------- Buck Euchre

    def buck(self, below: int) -> CardTable:
        """Seats clockwise from below."""
        keys = self.keys
        middle = [self.row("Up-card", keys["up"])]
        trump = keys.get("trump", "-")
        if trump != "-":
            suit = "none" if trump == "N" else f"{SYMBOLS[trump]}{TEXT_STYLE} {SUITS[trump]}"
            middle.append(Row("Trump", text=suit))
        for key, label in (("buried", "Buried"), ("kitty", "Kitty")):
            if key in keys:
                middle.append(self.row(label, keys[key]))
        middle.append(self.row("Gone", keys.get("played", "-")))
        areas = ("south", "west", "north", "east")
        seats = [self.bidder((below + place) % 4, area) for place, area in enumerate(areas)]
        return CardTable(sorted(seats, key=lambda seat: "nwes".index(seat.area[0])), middle, self.trick())

    def bidder(self, seat: int, area: str) -> Seat:
        keys = self.keys
        dropped = str(seat) in keys.get("out", "-")
        roles = [role for role in ("dealer", "maker") if keys.get(role) == str(seat)] + ["dropped"] * dropped
        score, tricks = self.part("scores", seat, "25"), int(self.part("tricks", seat, "0"))
        taken = [f"{tricks} trick{'s' * (tricks != 1)}"] if keys.get("stage") in ("play", "over") else []
        void = self.part("voids", seat)
        rows = [self.row("Hand", self.part("hands", seat))]
        if void != "-":
            rows.append(Row("Void", text=" ".join(SYMBOLS[suit] + TEXT_STYLE for suit in void)))
        note = ", ".join([f"score {score}", *taken, *roles])
        return Seat(seat, area, seat == self.to_move, note, rows, dropped)

    def trick(self) -> list[Played]:
        """The cards of the current trick: the one who is to move comes after those who have played."""
        cards = CARD.findall(self.keys.get("trick", "-"))
        out, seat = self.keys.get("out", "-"), int(self.keys["turn"])
        played: list[Played] = []
        for name in reversed(cards):
            seat = (seat - 1) % 4
            while str(seat) in out:
                seat = (seat - 1) % 4
            played.append(Played(seat, self.card(name)))
        return played[::-1]
