"""Cuttle, classic profile, written from the rules (C1–C27) alone: slow, plain, one idea a line."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import TypedDict

from .text import read_cards, split_line, write_cards

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = [rank + suit for rank in RANKS for suit in SUITS]  # in index order, C1
POINT_RANKS = "A23456789T"  # C5
GOALS = [21, 14, 10, 7, 5]  # C24: by number of own kings


class Outcome(TypedDict):
    winners: list[int]
    returns: list[float] | None


def index(card: str) -> int:
    """C1: rank * 4 + suit."""
    return DECK.index(card)


def in_order(cards: set[str] | list[str]) -> list[str]:
    return sorted(cards, key=index)


@dataclass
class Stack:
    """A point card and the jacks on it. It lies with the player who controls it (C19)."""

    card: str
    jacks: list[str] = field(default_factory=list)

    def cards(self) -> list[str]:
        return [self.card, *self.jacks]


@dataclass(eq=False)
class State:
    """A complete position (`viewer` is None) or what one seat knows of it (`viewer` is that seat).

    In a view `hidden` counts the unknown cards of each hand and `stock_hidden` those of the stock.
    """

    hands: list[set[str]]
    points: list[list[Stack]]
    perms: list[set[str]]
    scrap: set[str]
    stock: list[str]  # top first
    known: list[set[str]]  # cards of each hand that the other player has seen (C19, C27)
    turn: int  # whose ordinary turn it is
    passes: int = 0
    stage: str = "main"
    sevens: set[str] = field(default_factory=set)
    oneoff: str | None = None
    target: str | None = None
    counters: list[str] = field(default_factory=list)
    revealed: str | None = None
    hidden: list[int] = field(default_factory=lambda: [0, 0])
    stock_hidden: int = 0
    viewer: int | None = None

    # ---------------------------------------------------------------- text

    @classmethod
    def parse(cls, text: str) -> "State":
        game, keys = split_line(text)
        assert game == "cuttle/1", game

        def both(key: str) -> list[str]:
            sides = keys.pop(key, "-/-").split("/")
            assert len(sides) == 2, key
            return sides

        hands = [read_cards(side) for side in both("hands")]
        points = [read_stacks(side) for side in both("points")]
        perms = [set(read_cards(side)[0]) for side in both("perms")]
        scrap = set(read_cards(keys.pop("scrap", "-"))[0])
        stock, stock_hidden = read_cards(keys.pop("stock", "-"))
        has_known = "known" in keys
        known = [set(read_cards(side)[0]) for side in both("known")]
        oneoff, _, target = keys.pop("oneoff", "-").partition("@")
        revealed = keys.pop("revealed", "-")
        state = cls(
            hands=[set(cards) for cards, _ in hands],
            points=points,
            perms=perms,
            scrap=scrap,
            stock=stock,
            known=known,
            turn=int(keys.pop("turn")),
            passes=int(keys.pop("passes", "0")),
            stage=keys.pop("stage", "main"),
            sevens=set(read_cards(keys.pop("sevens", "-"))[0]),
            oneoff=None if oneoff == "-" else oneoff,
            target=target or None,
            counters=read_cards(keys.pop("counters", "-"))[0],
            revealed=None if revealed == "-" else revealed,
            hidden=[count for _, count in hands],
            stock_hidden=stock_hidden,
        )
        if "view" in keys:
            state.viewer = int(keys.pop("view"))
        elif state.stock_hidden or any(state.hidden):
            seats = [seat for seat in (0, 1) if state.hidden[seat] == 0]
            assert len(seats) == 1, "the view's seat is not clear"
            state.viewer = seats[0]
        if not has_known:
            state.see_through_glasses()
            if state.viewer is not None:
                other = 1 - state.viewer
                state.known[other] = set(state.hands[other])
        assert not keys, f"unknown keys {sorted(keys)}"
        assert len(state.all_named()) == len(set(state.all_named())), "a card twice"
        assert len(state.all_named()) + sum(state.hidden) + state.stock_hidden == 52, "cards missing"
        return state

    def __str__(self) -> str:
        oneoff = "-" if self.oneoff is None else self.oneoff + (f"@{self.target}" if self.target else "")
        values = [
            ("hands", "/".join(write_cards(in_order(self.hands[p]), self.hidden[p]) for p in (0, 1)), ""),
            ("points", "/".join(write_stacks(self.points[p]) for p in (0, 1)), "-/-"),
            ("perms", "/".join(write_cards(in_order(self.perms[p])) for p in (0, 1)), "-/-"),
            ("scrap", write_cards(in_order(self.scrap)), "-"),
            ("stock", write_cards(self.stock, self.stock_hidden), "-"),
            ("known", "/".join(write_cards(in_order(self.known[p])) for p in (0, 1)), "-/-"),
            ("turn", str(self.turn), ""),
            ("passes", str(self.passes), "0"),
            ("stage", self.stage, "main"),
            ("sevens", write_cards(in_order(self.sevens)), "-"),
            ("oneoff", oneoff, "-"),
            ("counters", write_cards(self.counters), "-"),
            ("revealed", self.revealed or "-", "-"),
            ("view", "-" if self.viewer is None else str(self.viewer), "-"),
        ]
        return "cuttle/1 " + " ".join(f"{key}={value}" for key, value, default in values if value != default)

    def all_named(self) -> list[str]:
        """Every card the line names, wherever it is."""
        cards: list[str] = []
        for p in (0, 1):
            cards += self.hands[p]
            cards += self.perms[p]
            for stack in self.points[p]:
                cards += stack.cards()
        cards += self.scrap
        cards += self.stock
        cards += self.sevens
        cards += self.counters
        cards += [card for card in (self.oneoff, self.revealed) if card is not None]
        return cards

    def __eq__(self, other: object) -> bool:
        """Equal positions print the same line."""
        return isinstance(other, State) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    # ---------------------------------------------------------------- who and what

    @property
    def seats(self) -> int:
        return 2

    @property
    def over(self) -> bool:
        return self.stage == "over"

    @property
    def to_move(self) -> int | None:
        if self.stage == "over":
            return None
        if self.stage == "counter":
            return self.responder()
        if self.stage == "discard":
            return 1 - self.turn  # C11: the opponent chooses
        return self.turn

    def responder(self) -> int:
        """C16: the opponent answers first, then alternately."""
        return 1 - self.turn if len(self.counters) % 2 == 0 else self.turn

    def hand_size(self, player: int) -> int:
        return len(self.hands[player]) + self.hidden[player]

    def stock_size(self) -> int:
        return len(self.stock) + self.stock_hidden

    def has_queen(self, player: int) -> bool:
        return any(card[0] == "Q" for card in self.perms[player])

    def has_glasses(self, player: int) -> bool:
        return any(card[0] == "8" for card in self.perms[player])

    def score(self, player: int) -> int:
        """C5: point cards count for whoever controls them."""
        return sum(POINT_RANKS.index(stack.card[0]) + 1 for stack in self.points[player])

    def at_goal(self, player: int) -> bool:
        """C24. Without points nobody is at his goal, since the lowest goal is 5."""
        kings = len([card for card in self.perms[player] if card[0] == "K"])
        return self.score(player) >= GOALS[kings]

    # ---------------------------------------------------------------- legal moves

    def legal(self) -> list[str]:
        if self.over:
            return []
        mover = self.to_move
        assert mover is not None
        assert self.viewer in (None, mover), "the moves of another seat"
        if self.stage == "main":
            moves = ["draw"] if self.stock_size() else ["pass"]  # C3, C22
            for card in in_order(self.hands[mover]):
                moves += self.uses(card)
            return moves
        if self.stage == "seven":  # C14: the revealed card and nothing else
            assert self.revealed is not None
            return self.uses(self.revealed)
        if self.stage == "counter":  # C16
            return ["ok"] + ["c" + card for card in in_order(self.hands[mover]) if card[0] == "2"]
        if self.stage == "take":  # C10
            return ["t" + card for card in in_order(self.scrap)]
        assert self.stage == "discard"  # C11
        return [f"d{first}{second}" for first, second in combinations(in_order(self.hands[mover]), 2)]

    def uses(self, card: str) -> list[str]:
        """Every way in which the player at turn may play this card, from hand or revealed by a seven."""
        me, other = self.turn, 1 - self.turn
        rank = card[0]
        moves = []
        if rank in POINT_RANKS:
            moves.append(card)  # C5
            for stack in self.points[other]:  # C6
                if index(card) > index(stack.card):
                    moves.append(f"{card}x{stack.card}")
        if rank in "A4567":  # C8, C11, C12, C13, C14: always legal
            moves.append(card + "@")
        if rank == "3" and self.scrap:  # C10
            moves.append(card + "@")
        if rank in "29":  # C9, C15
            moves += [f"{card}@{target}" for target in self.targets()]
        if rank in "8QK":  # C19, C20, C24
            moves.append(card + "@")
        if rank == "J":
            if not self.has_queen(other):  # C19, C20
                moves += [f"{card}@{stack.card}" for stack in self.points[other]]
            if self.stage == "seven" and not moves:  # C23: else one's own must be given
                moves += [f"{card}@{stack.card}" for stack in self.points[me]]
        return moves

    def targets(self) -> list[str]:
        """C9, C15, C20: the permanents that the player at turn may hit with a two or a nine."""
        me, other = self.turn, 1 - self.turn
        found = self.permanents(me)  # one's own queen never limits oneself
        for card in self.permanents(other):
            if card[0] == "Q" or not self.has_queen(other):  # queens never protect queens
                found.append(card)
        return in_order(found)

    def permanents(self, player: int) -> list[str]:
        """C20: jacks are permanents of whoever controls the stack."""
        return list(self.perms[player]) + [jack for stack in self.points[player] for jack in stack.jacks]

    # ---------------------------------------------------------------- play

    def play(self, token: str) -> "State":
        assert self.viewer is None, "a view cannot be played"
        assert token in self.legal(), f"{token} is illegal in {self}"
        new = copy.deepcopy(self)
        new.do(token)
        return new

    def do(self, token: str) -> None:
        me = self.turn
        if self.stage == "counter":
            if token == "ok":
                self.close_window()
            else:
                two = token[1:]
                self.leave_hand(self.responder(), two)
                self.counters.append(two)
                self.open_window()
        elif self.stage == "take":
            card = token[1:]
            self.scrap.remove(card)
            self.enter_hand(me, card, public=True)  # C10, C27
            self.scrap_oneoff()
            self.end_action()
        elif self.stage == "discard":
            for card in (token[1:3], token[3:5]):
                self.leave_hand(1 - me, card)
                self.scrap.add(card)
            self.scrap_oneoff()
            self.end_action()
        elif token == "pass":
            self.passes += 1
            self.end_action()
        elif token == "draw":
            self.passes = 0
            self.enter_hand(me, self.stock.pop(0), public=False)
            self.end_action()
        else:
            self.passes = 0  # C22: every other action resets the count, whatever becomes of it
            card = token[:2]
            if self.stage == "seven":
                assert card == self.revealed
                self.revealed = None  # C14: never enters the hand
            else:
                self.leave_hand(me, card)
            self.put_down(card, token[2:])

    def put_down(self, card: str, how: str) -> None:
        """Play a card that has left the hand (or was revealed): `how` is empty, x…, @ or @…"""
        me, other = self.turn, 1 - self.turn
        if how == "":  # C5
            self.points[me].append(Stack(card))
            self.end_action()
        elif how[0] == "x":  # C6: attacker, target and all jacks on it
            stack = self.stack_of(how[1:])
            self.points[other].remove(stack)
            self.scrap.update([card, *stack.cards()])
            self.end_action()
        elif card[0] in "8QK":  # C19, C20, C24; C18: no window
            self.perms[me].add(card)
            self.end_action()
        elif card[0] == "J":  # C19, C23: the whole stack changes sides
            stack = self.stack_of(how[1:])
            stack.jacks.append(card)
            self.flip(stack)
            self.end_action()
        else:  # C7
            self.oneoff = card
            self.target = how[1:] or None
            self.open_window()

    def open_window(self) -> None:
        """C16, C17, C21: ask the next responder, if he can be asked."""
        responder = self.responder()
        asker = 1 - responder
        last = self.counters[-1] if self.counters else self.oneoff
        assert last is not None
        empty_hand = not self.hands[responder]  # C17
        forbidden = last[0] == "2" and self.has_queen(asker)  # C21
        if empty_hand or forbidden:
            self.close_window()
        else:
            self.stage = "counter"

    def close_window(self) -> None:
        cancelled = len(self.counters) % 2 == 1  # C16
        self.scrap.update(self.counters)  # before the effect resolves
        self.counters = []
        if cancelled:
            self.scrap_oneoff()
            self.end_action()
        else:
            self.resolve()

    def resolve(self) -> None:
        card, target = self.oneoff, self.target
        me, other = self.turn, 1 - self.turn
        assert card is not None
        rank = card[0]
        if rank == "3":  # C10: chosen now
            self.stage = "take"
            return
        if rank == "4" and len(self.hands[other]) > 2:  # C11
            self.stage = "discard"
            return
        if rank == "7" and self.stock:  # C14
            self.oneoff = None
            self.sevens.add(card)
            self.revealed = self.stock.pop(0)
            self.stage = "seven"
            if not self.uses(self.revealed):  # C23: only a jack can be unplayable
                self.scrap.add(self.revealed)
                self.revealed = None
                self.end_action()
            return

        if rank == "A":  # C8
            for player in (0, 1):
                for stack in self.points[player]:
                    self.scrap.update(stack.cards())
                self.points[player] = []
        elif rank == "2":  # C9
            assert target is not None
            self.lift(target)
            self.scrap.add(target)
        elif rank == "4":  # C11: two or fewer go without a choice
            for lost in list(self.hands[other]):
                self.leave_hand(other, lost)
                self.scrap.add(lost)
        elif rank == "5":  # C12
            for _ in range(2):
                if self.stock:
                    self.enter_hand(me, self.stock.pop(0), public=False)
        elif rank == "6":  # C13
            sides: list[list[Stack]] = [[], []]
            for player in (0, 1):
                self.scrap.update(self.perms[player])
                self.perms[player] = set()
                for stack in self.points[player]:
                    self.scrap.update(stack.jacks)
                    # C19: the controller is the original side flipped once per jack
                    original = player if len(stack.jacks) % 2 == 0 else 1 - player
                    sides[original].append(Stack(stack.card))
            self.points = sides
        elif rank == "9":  # C15
            assert target is not None
            holder = self.lift(target)
            self.enter_hand(holder, target, public=True)
        else:
            assert rank == "7"  # C14: empty stock, nothing happens
        self.scrap_oneoff()
        self.end_action()

    def lift(self, target: str) -> int:
        """Take a permanent off the table; a jack's stack changes sides (C19). Returns who controlled it."""
        for player in (0, 1):
            if target in self.perms[player]:
                self.perms[player].remove(target)
                return player
            for stack in self.points[player]:
                if target in stack.jacks:
                    stack.jacks.remove(target)
                    self.flip(stack)
                    return player
        raise AssertionError(f"no permanent {target}")

    def stack_of(self, card: str) -> Stack:
        return next(stack for player in (0, 1) for stack in self.points[player] if stack.card == card)

    def flip(self, stack: Stack) -> None:
        owner = 0 if any(stack is mine for mine in self.points[0]) else 1
        self.points[owner].remove(stack)
        self.points[1 - owner].append(stack)

    def leave_hand(self, player: int, card: str) -> None:
        self.hands[player].remove(card)
        self.known[player].discard(card)  # C19, C27

    def enter_hand(self, player: int, card: str, public: bool) -> None:
        self.hands[player].add(card)
        if public or self.has_glasses(1 - player):  # C19, C27
            self.known[player].add(card)

    def see_through_glasses(self) -> None:
        """C19: while a player has glasses, the opponent's whole hand is seen."""
        for player in (0, 1):
            if self.has_glasses(player):
                self.known[1 - player] = set(self.hands[1 - player])

    def scrap_oneoff(self) -> None:
        assert self.oneoff is not None
        self.scrap.add(self.oneoff)
        self.oneoff = None
        self.target = None

    def end_action(self) -> None:
        """The action with all its responses is complete."""
        self.scrap.update(self.sevens)  # C14
        self.sevens = set()
        self.see_through_glasses()
        if self.at_goal(0) or self.at_goal(1) or self.passes == 3:  # C25, C22
            self.stage = "over"  # `turn` stays with the player whose ordinary turn it was
        else:
            self.stage = "main"
            self.turn = 1 - self.turn

    # ---------------------------------------------------------------- the end

    def outcome(self) -> Outcome | None:
        if not self.over:
            return None
        for player in (self.turn, 1 - self.turn):  # C25: in this order
            if self.at_goal(player):
                return {"winners": [player], "returns": [1.0, 0.0] if player == 0 else [0.0, 1.0]}
        assert self.passes == 3  # C22
        return {"winners": [], "returns": [0.5, 0.5]}

    # ---------------------------------------------------------------- knowledge

    def view(self, seat: int) -> "State":
        """C27: the other hand but for what was seen, and the order of the stock, are hidden."""
        assert self.viewer is None
        new = copy.deepcopy(self)
        other = 1 - seat
        new.viewer = seat
        new.hands[other] = set(self.known[other])
        new.hidden[other] = len(self.hands[other]) - len(self.known[other])
        new.stock = []
        new.stock_hidden = len(self.stock)
        return new

    def worlds(self) -> Iterator["State"]:
        """Every assignment of the opponent's unknown cards and every order of the stock."""
        assert self.viewer is not None
        other = 1 - self.viewer
        unseen = [card for card in DECK if card not in self.all_named()]
        assert len(unseen) == self.hidden[other] + self.stock_hidden
        for held in combinations(unseen, self.hidden[other]):
            rest = [card for card in unseen if card not in held]
            for order in permutations(rest):
                world = copy.deepcopy(self)
                world.viewer = None
                world.hands[other].update(held)
                world.hidden[other] = 0
                world.stock = list(order)
                world.stock_hidden = 0
                yield world


def consistent(state: State, view: State) -> bool:
    """Could this complete position be what the view's seat looks at?"""
    assert view.viewer is not None
    return str(state.view(view.viewer)) == str(view)


def read_stacks(text: str) -> list[Stack]:
    """`4DTH+JC+JS` -> 4D alone, TH under two jacks."""
    stacks: list[Stack] = []
    rest = "" if text == "-" else text
    while rest:
        if rest[0] == "+":
            stacks[-1].jacks.append(rest[1:3])
            rest = rest[3:]
        else:
            stacks.append(Stack(rest[:2]))
            rest = rest[2:]
    return stacks


def write_stacks(stacks: list[Stack]) -> str:
    text = ""
    for stack in sorted(stacks, key=lambda stack: index(stack.card)):
        text += "+".join([stack.card, *in_order(stack.jacks)])
    return text or "-"
