"""Cuttle: position lines and moves as text, and back. The bits of a packed state are drawn in csrc/cuttle.h.

The checks are of what a line describes, not rules of play: every card once, fields that fit the stage, an action under
way that can have come about (queens, targets, counters), and a game that is over exactly when somebody has won or three
passes are made.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pysearch.cards import CUTTLE_DECK, Census, cards_of, mask_of, plain
from pysearch.errors import NotationError, quote
from pysearch.games.game import Game, Hidden, Key, Place, Result, Shape, kept
from pysearch.games.values import choice, each, maybe_number, number

STAGES = ("main", "counter", "take", "discard", "seven", "over")
MAIN, COUNTER, TAKE, DISCARD, SEVEN, OVER = range(6)
GOALS = (21, 14, 10, 7, 5)  # by number of own kings
NONE = 63
WORDS = struct.Struct("<17Q")

KEYS = (
    Key("hands", Shape.SEAT_CARDS, None),
    Key("points", Shape.SEAT_CARDS, "-/-"),
    Key("perms", Shape.SEAT_CARDS, "-/-"),
    Key("scrap", Shape.CARDS, "-"),
    Key("stock", Shape.CARDS, "-"),
    Key("known", Shape.SEAT_CARDS, "-/-"),
    Key("turn", Shape.NUMBER, None),
    Key("passes", Shape.NUMBER, "0"),
    Key("stage", Shape.WORD, "main"),
    Key("sevens", Shape.CARDS, "-"),
    Key("oneoff", Shape.WORD, "-"),
    Key("counters", Shape.CARDS, "-"),
    Key("revealed", Shape.WORD, "-"),
    Key("view", Shape.NUMBER, "-"),
)
DEFAULTS = {key.name: key.default for key in KEYS if key.default is not None}

DECK = CUTTLE_DECK
NAMES = DECK.names


def _rank(*letters: str) -> int:
    """The set of the cards of some ranks."""
    return mask_of(card for card, name in enumerate(NAMES) if name[0] in letters)


POINT_CARDS = _rank(*"A23456789T")
PERMANENTS = _rank(*"8QK")
JACKS, QUEENS, KINGS, GLASSES = _rank("J"), _rank("Q"), _rank("K"), _rank("8")
TWOS, SEVENS = _rank("2"), _rank("7")
AIMED = _rank(*"29")
ONEOFFS = _rank(*"A2345679")
FIRST_JACK, FIRST_TWO, FIRST_SEVEN = (DECK.index[name] for name in ("JC", "2C", "7C"))


@dataclass
class Line:
    """The values of a line as sets (masks) and card numbers. `hidden` counts the unknown cards of each hand."""

    hands: list[int]
    hidden: list[int]
    points: list[int]
    perms: list[int]  # without jacks
    under: dict[int, int]  # jack -> the point card it lies on
    scrap: int
    stock: list[int]  # top first
    stock_hidden: int
    known: list[int]
    turn: int
    passes: int
    stage: int
    sevens: int
    oneoff: int | None
    target: int | None
    counters: list[int]  # in order
    revealed: int | None
    view: int | None
    result: int = field(default=0)

    def hand_size(self, player: int) -> int:
        return self.hands[player].bit_count() + self.hidden[player]

    def stock_size(self) -> int:
        return len(self.stock) + self.stock_hidden

    def jacks(self, player: int) -> int:
        """The jacks on the point cards that the player controls."""
        return mask_of(jack for jack, card in self.under.items() if self.points[player] >> card & 1)

    def score(self, player: int) -> int:
        return sum((card >> 2) + 1 for card in cards_of(self.points[player]))

    def goal(self, player: int) -> int:
        return GOALS[(self.perms[player] & KINGS).bit_count()]


# ---------------------------------------------------------------- text -> line


def read_line(values: Mapping[str, str]) -> Line:
    """The values of a line, every card of it placed once."""
    text = {**DEFAULTS, **values}
    census = Census(DECK)
    hands = each("hands", text["hands"], 2, DECK.read_hidden)
    stacks = each("points", text["points"], 2, read_stacks)
    perms = each("perms", text["perms"], 2, DECK.read)
    scrap = DECK.read(text["scrap"], "scrap")
    stock, stock_hidden = DECK.read_hidden(text["stock"], "stock")
    if stock and stock_hidden:
        raise NotationError("stock", f"found {quote(text['stock'])}, expected cards in full or X alone")
    for hidden in (hidden for _, hidden in hands if hidden and stock):
        raise NotationError("hands", f"found X{hidden} while stock is named card by card, expected cards by name,"
                            f" or a view with stock=X{len(stock)}")  # fmt: skip
    sevens = DECK.read(text["sevens"], "sevens")
    oneoff, target = read_oneoff(text["oneoff"])
    counters = DECK.read(text["counters"], "counters")
    revealed = DECK.read_one(text["revealed"], "revealed")

    under: dict[int, int] = {}
    for jack, card in (pair for side in stacks for pair in side[1]):
        census.put("points", [jack])
        under[jack] = card
    line = Line(
        hands=[census.put("hands", cards) for cards, _ in hands],
        hidden=[hidden for _, hidden in hands],
        points=[census.put("points", cards) for cards, _ in stacks],
        perms=[census.put("perms", cards) for cards in perms],
        under=under,
        scrap=census.put("scrap", scrap),
        stock=stock,
        stock_hidden=stock_hidden,
        known=[0, 0],
        turn=number("turn", text["turn"], 0, 1),
        passes=number("passes", text["passes"], 0, 3),
        stage=choice("stage", text["stage"], STAGES),
        sevens=census.put("sevens", sevens),
        oneoff=oneoff,
        target=target,
        counters=counters,
        revealed=revealed,
        view=maybe_number("view", text["view"], 0, 1),
    )
    census.put("stock", stock)
    census.put("oneoff", [] if oneoff is None else [oneoff])
    census.put("counters", counters)
    census.put("revealed", [] if revealed is None else [revealed])
    census.settle(sum(line.hidden) + stock_hidden, "stock")
    read_view(line)
    read_known(line, values.get("known"))
    return line


def read_stacks(text: str, key: str) -> tuple[list[int], list[tuple[int, int]]]:
    """`4DTH+JC+JS` -> the point cards, and the pairs (jack, point card under it)."""
    first, *rest = text.split("+")
    cards = DECK.read(first, key)
    pairs = []
    for piece in rest:
        jacks = DECK.read(piece, key)
        if not jacks or not cards:
            raise NotationError(key, f"cannot read {quote(text)}, expected point cards with their jacks, TH+JC")
        if not JACKS >> jacks[0] & 1:
            raise NotationError(key, f"found {NAMES[jacks[0]]} after +, expected a jack")
        pairs.append((jacks[0], cards[-1]))
        cards += jacks[1:]
    for card in cards:
        if not POINT_CARDS >> card & 1:
            raise NotationError(key, f"{NAMES[card]} is not a point card, expected A to T; jacks after +, as in TH+JC")
    return cards, pairs


def read_oneoff(text: str) -> tuple[int | None, int | None]:
    """`6C` or `2S@KC` -> card and target."""
    name, at, aim = text.partition("@")
    oneoff = DECK.read_one(name, "oneoff")
    target = DECK.read_one(aim, "oneoff") if at else None
    if oneoff is None:
        if at:
            raise NotationError("oneoff", f"found {quote(text)}, expected a card such as 6C or 2S@KC, or - for none")
        return None, None
    if not ONEOFFS >> oneoff & 1:
        raise NotationError("oneoff", f"{NAMES[oneoff]} has no one-off effect, expected A 2 3 4 5 6 7 or 9")
    if (target is not None) != bool(AIMED >> oneoff & 1):
        expected = "a target, as in 2S@KC" if target is None else "no target: only a 2 or a 9 has one"
        raise NotationError("oneoff", f"found {quote(text)}, expected {expected}")
    return oneoff, target


def read_view(line: Line) -> None:
    """Whose view it is, if it is one, and that it shows what that seat sees and no more."""
    if line.view is None:
        if not any(line.hidden) and not line.stock_hidden:
            return
        seats = [seat for seat in (0, 1) if not line.hidden[seat]]
        if len(seats) != 1:
            raise NotationError("view", "left out, but the X fit " + ("either seat" if seats else "no seat")
                                + "; expected view=0 or view=1, and only the other hand with X")  # fmt: skip
        line.view = seats[0]
    if line.hidden[line.view]:
        hidden = line.hidden[line.view]
        raise NotationError("hands", f"found X{hidden} in the hand of seat {line.view}, whose view this is")
    if line.stock:
        raise NotationError("stock", f"found cards by name in a view, expected X{len(line.stock)}")


def read_known(line: Line, text: str | None) -> None:
    """The known cards; filled in when left out."""
    seen = [bool(line.perms[1 - player] & GLASSES) for player in (0, 1)]
    for player in (0, 1):
        hand = line.hands[player]
        if seen[player] and line.hidden[player]:
            raise NotationError("hands", f"found X{line.hidden[player]} in the hand of seat {player},"
                                " expected all its cards: they are seen through glasses")  # fmt: skip
        # A view names of the other hand what is known of it.
        line.known[player] = hand if seen[player] or line.view == 1 - player else 0
    if text is None:
        return
    for player, cards in enumerate(each("known", text, 2, DECK.read)):
        for card in cards:
            if not line.hands[player] >> card & 1:
                raise NotationError("known", f"{NAMES[card]} is not in the hand of seat {player}")
        if len(set(cards)) < len(cards):
            raise NotationError("known", f"found {quote(text)}, expected every card once")
        unknown = line.known[player] & ~mask_of(cards)
        if unknown:
            why = "it is seen through glasses" if seen[player] else "the view names it"
            raise NotationError("known", f"lacks {NAMES[next(cards_of(unknown))]} of seat {player}: {why}")
        line.known[player] = mask_of(cards)


# ---------------------------------------------------------------- checks


def check(line: Line) -> None:
    """That the line describes something that can be on the table. Sets the result of a game that is over."""
    check_cards(line)
    check_stage(line)
    if line.oneoff is not None:
        check_oneoff(line, line.oneoff)
    if line.stage == COUNTER:
        check_counters(line)
    check_end(line)


def check_cards(line: Line) -> None:
    for key, cards, allowed, expected in (
        ("perms", line.perms[0] | line.perms[1], PERMANENTS, "8 Q or K; jacks go with their card, points=TH+JC"),
        ("sevens", line.sevens, SEVENS, "sevens"),
        ("counters", mask_of(line.counters), TWOS, "twos"),
    ):
        for card in cards_of(cards & ~allowed):
            raise NotationError(key, f"found {NAMES[card]}, expected {expected}")


def check_stage(line: Line) -> None:
    """That the keys given are those of the stage."""
    stage = STAGES[line.stage]

    def fit(key: str, given: object, needed: tuple[int, ...], allowed: tuple[int, ...] = ()) -> None:
        if given and line.stage not in needed + allowed:
            stages = " or ".join(STAGES[place] for place in needed + allowed)
            raise NotationError(key, f"given at stage={stage}, expected only at {stages}")
        if not given and line.stage in needed:
            raise NotationError(key, f"left out, expected at stage={stage}")

    fit("oneoff", line.oneoff is not None, (COUNTER, TAKE, DISCARD))
    fit("counters", line.counters, (), (COUNTER,))
    fit("sevens", line.sevens, (SEVEN,), (COUNTER, TAKE, DISCARD))
    fit("revealed", line.revealed is not None, (SEVEN,))
    fit("passes", line.passes, (), (MAIN, OVER))
    if line.passes and line.stock_size():
        raise NotationError("passes", f"found {line.passes} with {line.stock_size()} cards in the stock, expected 0")
    if line.stage == MAIN and line.passes == 3:
        raise NotationError("passes", "found 3 at stage=main, expected 0 to 2: the third pass ends the game")
    if line.stage == TAKE and not line.scrap:
        raise NotationError("scrap", "empty at stage=take, expected a card to take")
    if line.stage == DISCARD and line.hand_size(1 - line.turn) <= 2:
        raise NotationError("hands", f"found {line.hand_size(1 - line.turn)} cards at seat {1 - line.turn}, expected"
                            " more than 2 at stage=discard: with fewer there is no choice")  # fmt: skip
    if line.revealed is not None and JACKS >> line.revealed & 1:
        giving = line.points[line.turn]
        taking = 0 if line.perms[1 - line.turn] & QUEENS else line.points[1 - line.turn]
        if not giving | taking:
            raise NotationError("revealed", f"{NAMES[line.revealed]} fits on no point card, expected a playable card")


def check_oneoff(line: Line, oneoff: int) -> None:
    """That the one-off can have been played, and is at this stage."""
    name = NAMES[oneoff]
    expected = {TAKE: "3", DISCARD: "4"}.get(line.stage, name[0])
    if name[0] != expected:
        raise NotationError("oneoff", f"found {name} at stage={STAGES[line.stage]}, expected a {expected}")
    if name[0] == "3" and not line.scrap:
        raise NotationError("oneoff", f"{name} needs a card in the scrap, found none")
    if line.target is None:
        return
    other = 1 - line.turn
    own = line.perms[line.turn] | line.jacks(line.turn)
    theirs = line.perms[other] | line.jacks(other)
    target = NAMES[line.target]
    if not (own | theirs) >> line.target & 1:
        raise NotationError("oneoff", f"the target {target} of {name} is not on the table, expected 8 J Q or K there")
    protected = theirs & ~QUEENS if line.perms[other] & QUEENS else 0
    if protected >> line.target & 1:
        raise NotationError("oneoff", f"the target {target} of {name} is protected by a queen of seat {other}")


def check_counters(line: Line) -> None:
    """That every card of the window could be answered, and somebody is there to answer the last one."""
    asker = line.turn
    for card in [line.oneoff, *line.counters]:
        assert card is not None
        if TWOS >> card & 1 and line.perms[asker] & QUEENS:
            key = "counters" if line.counters else "stage"
            raise NotationError(key, f"{NAMES[card]} of seat {asker} cannot be countered: seat {asker} has a queen")
        asker = 1 - asker
    if not line.hand_size(asker):
        raise NotationError("stage", f"found counter, but seat {asker} has no card to answer with")


def check_end(line: Line) -> None:
    """That the game is over exactly when it should be."""
    there = [player for player in (0, 1) if line.score(player) >= line.goal(player)]
    reached = [f"seat {player} has {line.score(player)} points, its goal is {line.goal(player)}" for player in there]
    if len(there) == 2:
        raise NotationError("points", f"both have won: {reached[0]}, {reached[1]}; expected at most one winner")
    if line.stage != OVER:
        if there:
            raise NotationError("stage", f"found {STAGES[line.stage]}, expected over: {reached[0]}")
        return
    if there and line.passes:
        raise NotationError("passes", f"found {line.passes} though {reached[0]}, expected 0: a pass wins nothing")
    if not there and line.passes != 3:
        raise NotationError("stage", "found over, but nobody has reached a goal and there are not three passes")
    line.result = 1 + there[0] if there else 3


# ---------------------------------------------------------------- line <-> words


def pack(values: Mapping[str, str]) -> bytes:
    """The packed state of a line, validated whole. NotationError."""
    line = read_line(values)
    check(line)
    stock = [0] * 7
    for place, card in enumerate(reversed(line.stock)):
        stock[place >> 3] |= card << (8 * (place & 7))
    duel = NONE if line.oneoff is None else line.oneoff
    duel |= (NONE if line.target is None else line.target) << 6
    duel |= (NONE if line.revealed is None else line.revealed) << 12
    duel |= len(line.counters) << 18
    for place, two in enumerate(line.counters):
        duel |= (two - FIRST_TWO) << (21 + 2 * place)
    duel |= (line.sevens >> FIRST_SEVEN) << 29
    for suit in range(4):
        duel |= line.under.get(FIRST_JACK + suit, NONE) << (33 + 6 * suit)
    status = line.turn | line.passes << 1 | line.stage << 3 | line.result << 6 | line.stock_size() << 8
    status |= (0 if line.view is None else 1 + line.view) << 14
    hands = [line.hands[player] | line.hidden[player] << 52 for player in (0, 1)]
    perms = [line.perms[player] | line.jacks(player) for player in (0, 1)]
    known = line.known[0] | line.known[1]
    return WORDS.pack(*hands, *line.points, *perms, line.scrap, known, *stock, duel, status)


def unpack(words: bytes) -> dict[str, str]:
    """The values of all keys of a packed state."""
    values = WORDS.unpack(words)
    hands, points, perms, (scrap, known), stock, (duel, status) = (
        values[0:2], values[2:4], values[4:6], values[6:8], values[8:15], values[15:17],
    )  # fmt: skip
    cards = [hand & DECK.full for hand in hands]
    stacks: dict[int, str] = {}
    for suit in range(4):
        card = duel >> (33 + 6 * suit) & 63
        if card != NONE:
            stacks[card] = stacks.get(card, "") + "+" + NAMES[FIRST_JACK + suit]
    size = status >> 8 & 63
    view = (status >> 14 & 3) - 1
    order = [stock[place >> 3] >> (8 * (place & 7)) & 255 for place in reversed(range(size))]
    oneoff, target, revealed = duel & 63, duel >> 6 & 63, duel >> 12 & 63
    counters = [FIRST_TWO + (duel >> (21 + 2 * place) & 3) for place in range(duel >> 18 & 7)]
    piles = ("".join(NAMES[card] + stacks.get(card, "") for card in cards_of(side)) or "-" for side in points)
    return {
        "hands": "/".join(DECK.write_set(cards[p], hands[p] >> 52 & 63) for p in (0, 1)),
        "points": "/".join(piles),
        "perms": "/".join(DECK.write_set(side & ~JACKS) for side in perms),
        "scrap": DECK.write_set(scrap),
        "stock": DECK.write(order) if view < 0 else DECK.write((), size),
        "known": "/".join(DECK.write_set(hand & known) for hand in cards),
        "turn": str(status & 1),
        "passes": str(status >> 1 & 3),
        "stage": STAGES[status >> 3 & 7],
        "sevens": DECK.write_set((duel >> 29 & 15) << FIRST_SEVEN),
        "oneoff": "-" if oneoff == NONE else NAMES[oneoff] + ("" if target == NONE else "@" + NAMES[target]),
        "counters": DECK.write(counters),
        "revealed": "-" if revealed == NONE else NAMES[revealed],
        "view": "-" if view < 0 else str(view),
    }


def view(words: bytes) -> int | None:
    """The seat whose view a packed state is, None of a position."""
    seat: int = (WORDS.unpack(words)[16] >> 14 & 3) - 1
    return None if seat < 0 else seat


def any_stock(words: bytes) -> bytes:
    """A position whose stock lies in any order: as a view that names both hands, of which the players know no more than
    they did."""
    values = list(WORDS.unpack(words))
    values[8:15] = [0] * 7
    values[16] |= 1 << 14
    return WORDS.pack(*values)


def stage(words: bytes) -> str:
    """The stage of a packed state."""
    return STAGES[WORDS.unpack(words)[16] >> 3 & 7]


def begins(words: bytes) -> bool:
    """Whether an ordinary turn begins (C3)."""
    return stage(words) == STAGES[MAIN]


def unseen(words: bytes) -> int:
    """The cards that a state does not name; of a position those of the stock, which has them in its order."""
    values: tuple[int, ...] = WORDS.unpack(words)
    duel = values[15]
    named = (duel >> 29 & 15) << FIRST_SEVEN | mask_of(card for at in (0, 12) if (card := duel >> at & 63) != NONE)
    named |= mask_of(FIRST_TWO + (duel >> (21 + 2 * place) & 3) for place in range(duel >> 18 & 7))
    for cards in values[0:7]:  # hands, points, permanents with the jacks, scrap
        named |= cards
    return DECK.full & ~named


def hidden(words: bytes) -> Hidden:
    """What a view leaves open: any card it does not name may be in the other hand or in the stock (C27)."""
    line = read_line(unpack(words))
    assert line.view is not None
    other = 1 - line.view
    hand = Place(f"seat {other}", line.hands[other], line.hidden[other])
    return Hidden((hand, Place("stock", 0, line.stock_hidden)), ((unseen(words), 0b11),))


def result(words: bytes) -> Result:
    """How a game that is over ended."""
    code: int = WORDS.unpack(words)[16] >> 6 & 3
    return Result((), True, "three passes") if code == 3 else Result((code - 1,), False, "goal reached")


# ---------------------------------------------------------------- moves

DRAW, PASS, POINTS, PERM, SCUTTLE, EFFECT, AIM, JACK, DECLINE, ANSWER, TAKES, DISCARDS = range(12)
_WORDS = {"draw": DRAW, "pass": PASS, "ok": DECLINE}
_EFFECTS = {**dict.fromkeys("8QK", PERM), **dict.fromkeys("A34567", EFFECT)}
_AIMS = {"2": AIM, "9": AIM, "J": JACK}


@lru_cache(maxsize=4096)
def read_move(text: str) -> int | None:
    """The code of a move token, None when it is none. It says nothing about whether the move is legal."""
    token = plain(text.strip())
    word = token.lower()
    if word in _WORDS:
        return _WORDS[word] << 12
    card = DECK.find(token)
    if card is not None:
        return POINTS << 12 | card << 6
    for mark in "@xX":
        name, found, aim = token.partition(mark)
        if found:
            return _read_use(name, mark, aim)
    # `th` is a card, so these are tried last: `th7` and `t7h` take the seven of hearts.
    first, rest = word[:1], token[1:]
    card = DECK.find(rest)
    if first == "c" and card is not None and TWOS >> card & 1:
        return ANSWER << 12 | card << 6
    if first == "t" and card is not None:
        return TAKES << 12 | card << 6
    if first == "d":
        try:
            cards = sorted(DECK.read(rest, "move"))
        except NotationError:
            return None
        if len(cards) == 2 and cards[0] < cards[1]:
            return DISCARDS << 12 | cards[0] << 6 | cards[1]
    return None


def _read_use(name: str, mark: str, aim: str) -> int | None:
    """`9HxTD`, `6C@`, `2S@KC`, `JD@TH`."""
    card, target = DECK.find(name), DECK.find(aim)
    if card is None or (aim and target is None):
        return None
    rank = NAMES[card][0]
    if mark != "@":
        return None if target is None else SCUTTLE << 12 | card << 6 | target
    if target is None:
        return _EFFECTS[rank] << 12 | card << 6 if rank in _EFFECTS else None
    return _AIMS[rank] << 12 | card << 6 | target if rank in _AIMS else None


@kept
def write_move(code: int) -> str:
    """The token of a move."""
    kind, first, second = code >> 12, code >> 6 & 63, code & 63
    if kind in (DRAW, PASS, DECLINE):
        return {DRAW: "draw", PASS: "pass", DECLINE: "ok"}[kind]
    card = NAMES[first]
    if kind in (AIM, JACK):
        return f"{card}@{NAMES[second]}"
    if kind == SCUTTLE:
        return f"{card}x{NAMES[second]}"
    if kind == DISCARDS:
        return f"d{card}{NAMES[second]}"
    if kind in (PERM, EFFECT):
        return card + "@"
    return {POINTS: "", ANSWER: "c", TAKES: "t"}[kind] + card


CUTTLE = Game(
    name="cuttle", tag="cuttle/1", id=0, seats=2, words=17, dealer=1, equity=None, deck=DECK, keys=KEYS,
    pack=pack, unpack=unpack, read_move=read_move, write_move=write_move, view=view, stage=stage,
    any_stock=any_stock, begins=begins, unseen=unseen, result=result, hidden=hidden,
)  # fmt: skip
