"""Buck Euchre, Ohio profile, written from the rules (B1–B15) alone: slow, plain, one idea a line."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TypedDict

from .text import read_cards, split_line, write_cards

SUITS = "CDHS"
RANKS = "9TJQKA"
DECK = [rank + suit for suit in SUITS for rank in RANKS]  # in index order, B1
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


class Outcome(TypedDict):
    winners: list[int]
    returns: list[float] | None
    tricks: list[int]
    deltas: list[int]
    scores: list[int]


def in_order(cards: set[str] | list[str]) -> list[str]:
    return sorted(cards, key=DECK.index)


def suit_of(card: str, trump: str) -> str:
    """B2: the effective suit; the left bower is a trump. `trump` may be N: all jacks ordinary."""
    if trump != "N" and card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[1]


def strength(card: str, trump: str, led: str) -> int:
    """B2, B10: what a card is worth in a trick to which the suit `led` was led; -1 cannot win."""
    if suit_of(card, trump) == trump:
        if card == "J" + trump:
            return 102  # right bower
        if card[0] == "J":
            return 101  # left bower
        return 90 + RANKS.index(card[0])
    if suit_of(card, trump) == led:
        return RANKS.index(card[0])
    return -1


@dataclass(eq=False)
class State:
    """A complete position (`viewer` is None) or what one seat knows of it (`viewer` is that seat).

    In a view `hidden` counts the unknown cards of each hand, `kitty_hidden` and `buried_hidden` those places' cards.
    """

    hands: list[set[str]]
    up: str
    kitty: set[str]
    dealer: int
    turn: int
    buried: str | None = None
    scores: list[int] = field(default_factory=lambda: [25, 25, 25, 25])
    stage: str = "order"
    trump: str | None = None
    maker: int | None = None
    out: set[int] = field(default_factory=set)
    played: set[str] = field(default_factory=set)
    voids: list[set[str]] = field(default_factory=lambda: [set(), set(), set(), set()])
    tricks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    trick: list[str] = field(default_factory=list)
    hidden: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    kitty_hidden: int = 0
    buried_hidden: int = 0
    viewer: int | None = None

    # ---------------------------------------------------------------- text

    @classmethod
    def parse(cls, text: str) -> "State":
        game, keys = split_line(text)
        assert game == "buck/1", game

        def four(key: str, default: str = "-/-/-/-") -> list[str]:
            seats = keys.pop(key, default).split("/")
            assert len(seats) == 4, key
            return seats

        hands = [read_cards(seat) for seat in four("hands")]
        kitty, kitty_hidden = read_cards(keys.pop("kitty", "-"))
        buried, buried_hidden = read_cards(keys.pop("buried", "-"))
        trump = keys.pop("trump", "-")
        maker = keys.pop("maker", "-")
        out = keys.pop("out", "-")
        state = cls(
            hands=[set(cards) for cards, _ in hands],
            up=keys.pop("up"),
            kitty=set(kitty),
            buried=buried[0] if buried else None,
            dealer=int(keys.pop("dealer")),
            scores=[int(score) for score in four("scores", "25/25/25/25")],
            turn=int(keys.pop("turn")),
            stage=keys.pop("stage", "order"),
            trump=None if trump == "-" else trump,
            maker=None if maker == "-" else int(maker),
            out=set() if out == "-" else {int(seat) for seat in out},
            played=set(read_cards(keys.pop("played", "-"))[0]),
            voids=[set() if suits == "-" else set(suits) for suits in four("voids")],
            tricks=[int(count) for count in four("tricks", "0/0/0/0")],
            trick=read_cards(keys.pop("trick", "-"))[0],
            hidden=[count for _, count in hands],
            kitty_hidden=kitty_hidden,
            buried_hidden=buried_hidden,
        )
        if "view" in keys:
            state.viewer = int(keys.pop("view"))
        elif any(state.hidden) or kitty_hidden or buried_hidden:
            seats = [seat for seat in range(4) if state.hidden[seat] == 0]
            if buried_hidden:
                seats = [seat for seat in seats if seat != state.dealer]
            if state.buried is not None:
                seats = [state.dealer]
            assert len(seats) == 1, "the view's seat is not clear"
            state.viewer = seats[0]
        assert not keys, f"unknown keys {sorted(keys)}"
        assert len(state.all_named()) == len(set(state.all_named())), "a card twice"
        lying_up = 0 if state.ordered() else 1  # else the up-card is counted where it went
        assert len(state.all_named()) + len(state.hidden_places()) + lying_up == 24, "cards missing"
        return state

    def __str__(self) -> str:
        hands = [write_cards(in_order(self.hands[seat]), self.hidden[seat]) for seat in range(4)]
        voids = ["".join(suit for suit in SUITS if suit in self.voids[seat]) or "-" for seat in range(4)]
        values = [
            ("hands", "/".join(hands), ""),
            ("up", self.up, ""),
            ("kitty", write_cards(in_order(self.kitty), self.kitty_hidden), "-"),
            ("buried", write_cards([self.buried] if self.buried else [], self.buried_hidden), "-"),
            ("dealer", str(self.dealer), ""),
            ("scores", "/".join(str(score) for score in self.scores), "25/25/25/25"),
            ("turn", str(self.turn), ""),
            ("stage", self.stage, "order"),
            ("trump", self.trump or "-", "-"),
            ("maker", "-" if self.maker is None else str(self.maker), "-"),
            ("out", "".join(str(seat) for seat in sorted(self.out)) or "-", "-"),
            ("played", write_cards(in_order(self.played)), "-"),
            ("voids", "/".join(voids), "-/-/-/-"),
            ("tricks", "/".join(str(count) for count in self.tricks), "0/0/0/0"),
            ("trick", write_cards(self.trick), "-"),
            ("view", "-" if self.viewer is None else str(self.viewer), "-"),
        ]
        return "buck/1 " + " ".join(f"{key}={value}" for key, value, default in values if value != default)

    def all_named(self) -> list[str]:
        """Every card the line names in a hand, in the kitty, buried or played (the `up` key apart)."""
        cards: list[str] = []
        for hand in self.hands:
            cards += hand
        cards += self.kitty
        cards += [self.buried] if self.buried else []
        cards += self.played
        cards += self.trick
        return cards

    def hidden_places(self) -> list[str]:
        """One word for every card that the line does not name."""
        places = [f"hand{seat}" for seat in range(4) for _ in range(self.hidden[seat])]
        return places + ["kitty"] * self.kitty_hidden + ["buried"] * self.buried_hidden

    def __eq__(self, other: object) -> bool:
        """Equal positions print the same line."""
        return isinstance(other, State) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    # ---------------------------------------------------------------- who and what

    @property
    def seats(self) -> int:
        return 4

    @property
    def over(self) -> bool:
        return self.stage == "over"

    @property
    def to_move(self) -> int | None:
        return None if self.over else self.turn

    def ordered(self) -> bool:
        """B5: the dealer took the up-card. Its suit cannot be named later (B6), and a club has no maker (B4)."""
        return self.maker is not None and self.trump == self.up[1]

    def active(self) -> list[int]:
        return [seat for seat in range(4) if seat not in self.out]

    def next_active(self, seat: int) -> int:
        """B10: clockwise, dropped players are skipped."""
        seat = (seat + 1) % 4
        while seat in self.out:
            seat = (seat + 1) % 4
        return seat

    # ---------------------------------------------------------------- legal moves

    def legal(self) -> list[str]:
        if self.over:
            return []
        assert self.viewer in (None, self.turn), "the moves of another seat"
        hand = in_order(self.hands[self.turn])
        if self.stage == "order":  # B5
            return ["pass", "order"]
        if self.stage == "name":  # B6
            return ["pass"] + [suit for suit in SUITS if suit != self.up[1]]
        if self.stage == "bury":  # B5: the up-card included
            return ["d" + card for card in hand]
        if self.stage == "stay":  # B8
            return ["stay", "drop"]
        assert self.stage == "play"  # B10
        assert self.trump is not None
        if self.trick:
            led = suit_of(self.trick[0], self.trump)
            following = [card for card in hand if suit_of(card, self.trump) == led]
            if following:
                return following
        return hand

    # ---------------------------------------------------------------- play

    def play(self, token: str) -> "State":
        assert self.viewer is None, "a view cannot be played"
        assert token in self.legal(), f"{token} is illegal in {self}"
        new = copy.deepcopy(self)
        new.do(token)
        return new

    def do(self, token: str) -> None:
        if self.stage == "order":
            self.do_order(token)
        elif self.stage == "name":
            self.do_name(token)
        elif self.stage == "bury":
            self.do_bury(token)
        elif self.stage == "stay":
            self.do_stay(token)
        else:
            self.do_card(token)

    def do_order(self, token: str) -> None:
        if token == "order":  # B5: whoever orders, the dealer takes the card
            self.maker = self.turn
            self.trump = self.up[1]
            self.hands[self.dealer].add(self.up)
            self.stage = "bury"
            self.turn = self.dealer
        else:
            if self.turn == self.dealer:  # B6: all four have passed
                self.stage = "name"
            self.turn = (self.turn + 1) % 4

    def do_name(self, token: str) -> None:
        if token != "pass":  # B6
            self.maker = self.turn
            self.trump = token
            self.stage = "stay"
            self.turn = (self.turn + 1) % 4  # B8: from the maker's left
        elif self.turn == self.dealer:  # B7
            self.trump = "N"
            self.start_play()
        else:
            self.turn = (self.turn + 1) % 4

    def do_bury(self, token: str) -> None:
        assert self.maker is not None
        self.buried = token[1:]
        self.hands[self.dealer].remove(self.buried)
        self.stage = "stay"
        self.turn = (self.maker + 1) % 4  # B8

    def do_stay(self, token: str) -> None:
        if token == "drop":
            self.out.add(self.turn)
        following = (self.turn + 1) % 4
        if following != self.maker:
            self.turn = following
        elif self.active() == [self.maker]:  # B9
            self.tricks[self.maker] = 5
            self.finish()
        else:
            self.start_play()

    def start_play(self) -> None:
        self.stage = "play"
        self.turn = self.next_active(self.dealer)  # B10

    def do_card(self, token: str) -> None:
        seat = self.turn
        assert self.trump is not None
        self.hands[seat].remove(token)
        self.trick.append(token)
        led = suit_of(self.trick[0], self.trump)
        if suit_of(token, self.trump) != led:  # B15
            self.voids[seat].add(led)
        self.turn = self.next_active(seat)
        if len(self.trick) < len(self.active()):
            return
        # B10: the trick is complete; the turn has come round to the seat that led
        seats = [self.turn]
        while len(seats) < len(self.trick):
            seats.append(self.next_active(seats[-1]))
        trump = self.trump
        best = max(self.trick, key=lambda card: strength(card, trump, led))
        winner = seats[self.trick.index(best)]
        self.tricks[winner] += 1
        self.played.update(self.trick)
        self.trick = []
        self.turn = winner
        if sum(self.tricks) == 5:
            self.turn = seat  # notation: the seat that moved last
            self.finish()

    def finish(self) -> None:
        self.stage = "over"
        self.scores = [score + delta for score, delta in zip(self.scores, self.deltas(), strict=True)]

    # ---------------------------------------------------------------- the end

    def deltas(self) -> list[int]:
        deltas = []
        for seat in range(4):
            if seat in self.out:
                deltas.append(0)  # B11
            elif seat == self.maker and self.tricks[seat] < 3:
                deltas.append(5)  # B11: never both penalties
            elif self.tricks[seat] == 0:
                deltas.append(5)  # B11, B12
            else:
                deltas.append(-self.tricks[seat])
        return deltas

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        if 5 in self.tricks:  # B13
            winners = [self.tricks.index(5)]
        else:  # B14
            lowest = min(self.scores)
            winners = [seat for seat in range(4) if self.scores[seat] == lowest] if lowest <= 0 else []
        returns = [1 / len(winners) if seat in winners else 0.0 for seat in range(4)] if winners else None
        return {
            "winners": winners,
            "returns": returns,
            "tricks": list(self.tricks),
            "deltas": self.deltas(),
            "scores": list(self.scores),
        }

    # ---------------------------------------------------------------- knowledge

    def view(self, seat: int) -> "State":
        """B15: the other hands, the kitty and, but for the dealer, the buried card are hidden."""
        assert self.viewer is None
        new = copy.deepcopy(self)
        new.viewer = seat
        for other in range(4):
            if other != seat:
                new.hidden[other] = len(self.hands[other])
                new.hands[other] = set()
        if self.stage == "bury" and seat != self.dealer:  # everybody saw him take it
            new.hands[self.dealer] = {self.up}
            new.hidden[self.dealer] -= 1
        new.kitty_hidden = len(self.kitty)
        new.kitty = set()
        if self.buried is not None and seat != self.dealer:
            new.buried = None
            new.buried_hidden = 1
        return new

    def worlds(self) -> Iterator["State"]:
        """Every assignment of the unseen cards to the hidden places that the line allows."""
        assert self.viewer is not None
        named = self.all_named()
        unseen = [card for card in DECK if card not in named]
        if not self.ordered():
            unseen.remove(self.up)  # lies open, or was turned down: in nobody's hand
        assert len(unseen) == len(self.hidden_places())
        for hands, rest in self.fill_hands(0, unseen):
            for kitty in combinations([card for card in rest if card != self.up], self.kitty_hidden):
                buried = [card for card in rest if card not in kitty]  # what is left: one card or none
                world = copy.deepcopy(self)
                world.viewer = None
                world.hidden = [0, 0, 0, 0]
                world.kitty_hidden = world.buried_hidden = 0
                for seat in range(4):
                    world.hands[seat].update(hands[seat])
                world.kitty.update(kitty)
                if buried:
                    world.buried = buried[0]
                if world.up_card_is_placed():
                    yield world

    def fill_hands(self, seat: int, unseen: list[str]) -> Iterator[tuple[list[list[str]], list[str]]]:
        """All ways to fill the hands of `seat` and the seats after it: their new cards (by seat), and what is left."""
        if seat == 4:
            yield [[], [], [], []], unseen
            return
        # B15: a seat holds no card of a suit in which it is void (the buried card does not count)
        allowed = [card for card in unseen if self.trump is None or suit_of(card, self.trump) not in self.voids[seat]]
        if seat != self.dealer:  # B5, B15: the up-card, if unseen, is with the dealer or buried
            allowed = [card for card in allowed if card != self.up]
        for held in combinations(allowed, self.hidden[seat]):
            for hands, rest in self.fill_hands(seat + 1, [card for card in unseen if card not in held]):
                hands[seat] = list(held)
                yield hands, rest

    def up_card_is_placed(self) -> bool:
        """B5, B15: after an order the up-card is with the dealer, buried, or was played."""
        if not self.ordered():
            return self.up not in self.all_named()
        places = [*self.hands[self.dealer], self.buried, *self.played, *self.trick]
        return self.up in places


def consistent(state: State, view: State) -> bool:
    """Could this complete position be what the view's seat looks at?"""
    assert view.viewer is not None
    return str(state.view(view.viewer)) == str(view)
