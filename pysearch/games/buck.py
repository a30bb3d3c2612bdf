"""Buck Euchre: position lines and moves as text, and back. The bits of a packed state are drawn in csrc/buck.h.

The checks are of what a line describes, not rules of play: every card once, a contract that the up-card allows, hands,
tricks and turn that fit the stage, cards of a trick that can have been played, scores of a match that was not over.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pysearch import equity_table
from pysearch.cards import BUCK_DECK, Census, cards_of, mask_of, plain
from pysearch.errors import NotationError, quote
from pysearch.games.game import Game, Hidden, Key, Place, Result, Shape, kept
from pysearch.games.values import choice, each, maybe_number, number

STAGES = ("order", "name", "bury", "stay", "play", "over")
ORDER, NAME, BURY, STAY, PLAY, OVER = range(6)
SUITS = "CDHS"
TRUMPS = "CDHSN"
CLUBS, NO_TRUMP = 0, 4
NO_CARD, NOBODY, NO_TRUMP_YET, HIDDEN_BURIAL = 31, 7, 7, 63
WORDS = struct.Struct("<8Q4h")
# Before a deal nobody is at 0 or below, and whatever the deal brings must fit into 16 bits.
SCORES = (1, 32762)

KEYS = (
    Key("hands", Shape.SEAT_CARDS, None),
    Key("up", Shape.WORD, None),
    Key("kitty", Shape.CARDS, "-"),
    Key("buried", Shape.WORD, "-"),
    Key("dealer", Shape.NUMBER, None),
    Key("scores", Shape.SEAT_NUMBERS, "25/25/25/25"),
    Key("turn", Shape.NUMBER, None),
    Key("stage", Shape.WORD, "order"),
    Key("trump", Shape.WORD, "-"),
    Key("maker", Shape.NUMBER, "-"),
    Key("out", Shape.SEATS, "-"),
    Key("played", Shape.CARDS, "-"),
    Key("voids", Shape.SEAT_SUITS, "-/-/-/-"),
    Key("tricks", Shape.SEAT_NUMBERS, "0/0/0/0"),
    Key("trick", Shape.CARDS, "-"),
    Key("view", Shape.NUMBER, "-"),
)
DEFAULTS = {key.name: key.default for key in KEYS if key.default is not None}

DECK = BUCK_DECK
NAMES = DECK.names


@dataclass
class Line:
    """The values of a line as sets (masks) and numbers. `hidden` counts the unknown cards of each hand."""

    hands: list[int]
    hidden: list[int]
    up: int
    kitty: int
    kitty_hidden: int
    buried: int | None
    buried_hidden: int
    dealer: int
    scores: list[int]
    turn: int
    stage: int
    trump: int | None
    maker: int | None
    out: list[int]  # seats
    played: int
    voids: list[int]  # a set of suits (4 bits) for each seat
    tricks: list[int]
    trick: list[int]  # cards in order
    view: int | None

    def suit(self, card: int) -> int:
        """The effective suit: the left bower belongs to trumps."""
        suit = card // 6
        left = card % 6 == 2 and self.trump is not None and suit == 3 - self.trump
        return self.trump if left and self.trump is not None else suit

    def ordered(self) -> bool:
        """Whether the dealer took the up-card: its suit cannot be named, and a club has no maker."""
        return self.maker is not None and self.trump == self.up // 6

    def active(self) -> list[int]:
        return [seat for seat in range(4) if seat not in self.out]

    def next_active(self, seat: int, step: int = 1) -> int:
        seat = (seat + step) % 4
        while seat in self.out:
            seat = (seat + step) % 4
        return seat

    def leader(self) -> int:
        """The seat that leads the current trick, at stage play."""
        seat = self.turn
        for _ in self.trick:
            seat = self.next_active(seat, -1)
        return seat

    def in_trick(self) -> dict[int, int]:
        """The cards of the current trick by the seat that played them."""
        seat, cards = self.leader(), {}
        for card in self.trick:
            cards[seat] = card
            seat = self.next_active(seat)
        return cards

    def all_dropped(self) -> bool:
        """Whether all but the maker are out: then the deal is over without play."""
        return len(self.out) == 3

    def done(self) -> int:
        """Completed tricks that were played out."""
        return 0 if self.all_dropped() else sum(self.tricks)


# ---------------------------------------------------------------- text -> line


def read_line(values: Mapping[str, str]) -> Line:
    """The values of a line, every card of it placed once, its contract possible."""
    text = {**DEFAULTS, **values}
    hands = each("hands", text["hands"], 4, DECK.read_hidden)
    up = DECK.read_one(text["up"], "up")
    if up is None:
        raise NotationError("up", "found -, expected the up-card")
    kitty, kitty_hidden = DECK.read_hidden(text["kitty"], "kitty")
    buried, buried_hidden = DECK.read_hidden(text["buried"], "buried")
    if len(buried) + buried_hidden > 1:
        raise NotationError("buried", f"found {quote(text['buried'])}, expected one card, X1, or - for none")
    trump = None if text["trump"] == "-" else choice("trump", text["trump"], TRUMPS)
    played, trick = DECK.read(text["played"], "played"), DECK.read(text["trick"], "trick")
    low, high = SCORES[0] - 5, SCORES[1] + 5
    line = Line(
        hands=[mask_of(cards) for cards, _ in hands],
        hidden=[hidden for _, hidden in hands],
        up=up,
        kitty=mask_of(kitty),
        kitty_hidden=kitty_hidden,
        buried=buried[0] if buried else None,
        buried_hidden=buried_hidden,
        dealer=number("dealer", text["dealer"], 0, 3),
        scores=each("scores", text["scores"], 4, lambda part, key: number(key, part, low, high)),
        turn=number("turn", text["turn"], 0, 3),
        stage=choice("stage", text["stage"], STAGES),
        trump=trump,
        maker=maybe_number("maker", text["maker"], 0, 3),
        out=read_seats(text["out"]),
        played=mask_of(played),
        voids=each("voids", text["voids"], 4, read_suits),
        tricks=each("tricks", text["tricks"], 4, lambda part, key: number(key, part, 0, 5)),
        trick=trick,
        view=maybe_number("view", text["view"], 0, 3),
    )
    check_contract(line)
    census = Census(DECK)
    if not line.ordered():
        census.put("up", [up])
    for cards, _ in hands:
        census.put("hands", cards)
    for key, cards in (("kitty", kitty), ("buried", buried), ("played", played), ("trick", trick)):
        census.put(key, cards)
    short = "kitty" if len(kitty) + kitty_hidden < 3 else "buried" if buries(line) and not buried else "hands"
    census.settle(sum(line.hidden) + kitty_hidden + buried_hidden, short)
    read_view(line)
    check_up(line)
    return line


def read_seats(text: str) -> list[int]:
    """`02` -> seats 0 and 2."""
    if text == "-":
        return []
    if not text or any(seat not in "0123" for seat in text) or len(set(text)) < len(text):
        raise NotationError("out", f"found {quote(text)}, expected seats such as 02, or - for none")
    return sorted(int(seat) for seat in text)


def read_suits(text: str, key: str) -> int:
    """`CS` -> a set of suits."""
    if text == "-":
        return 0
    suits = plain(text).upper()
    if not suits or any(suit not in SUITS for suit in suits) or len(set(suits)) < len(suits):
        raise NotationError(key, f"found {quote(text)}, expected suits such as CS, or - for none")
    return mask_of(SUITS.index(suit) for suit in suits)


def buries(line: Line) -> bool:
    """Whether there is a buried card."""
    return line.ordered() and line.stage > BURY


def read_view(line: Line) -> None:
    """Whose view it is, if it is one, and that it shows what that seat sees and no more."""
    hidden = any(line.hidden) or line.kitty_hidden or line.buried_hidden
    if line.view is None:
        if not hidden:
            return
        seats = [seat for seat in range(4) if not line.hidden[seat]]
        if line.buried_hidden:
            seats = [seat for seat in seats if seat != line.dealer]
        if line.buried is not None:
            seats = [seat for seat in seats if seat == line.dealer]
        if len(seats) != 1:
            fit = "several seats" if seats else "no seat"
            raise NotationError("view", f"left out, but the X fit {fit}; expected view= and one hand without X")
        line.view = seats[0]
    seat = line.view
    if line.hidden[seat]:
        raise NotationError("hands", f"found X{line.hidden[seat]} in the hand of seat {seat}, whose view this is")
    for other in range(4):
        named = "".join(NAMES[card] for card in cards_of(line.hands[other]))
        takes = other == line.dealer and line.stage == BURY  # everybody saw him take the up-card
        if other != seat and line.hands[other] != (1 << line.up if takes else 0):
            expected = f"{NAMES[line.up]}X5" if takes else "X and a number"
            raise NotationError("hands", f"found {named or 'no card'} at seat {other} in a view of seat {seat},"
                                f" expected {expected}")  # fmt: skip
    if line.kitty:
        raise NotationError("kitty", "found cards by name in a view, expected X3")
    if buries(line):
        if seat == line.dealer and line.buried is None:
            raise NotationError("buried", "found X1 in the dealer's own view, expected the card")
        if seat != line.dealer and line.buried is not None:
            raise NotationError("buried", f"found {NAMES[line.buried]} in a view of seat {seat}, expected X1")


def check_up(line: Line) -> None:
    """That the up-card, once taken by the dealer, is where it can be."""
    if not line.ordered():
        return
    up, name = 1 << line.up, NAMES[line.up]
    if line.stage == BURY and not line.hands[line.dealer] & up:
        raise NotationError("hands", f"{name} is not with seat {line.dealer}, expected there while the dealer buries")
    for seat in range(4):
        if seat != line.dealer and line.hands[seat] & up:
            raise NotationError("hands", f"found {name} at seat {seat}, expected with the dealer: it was ordered up")
    if line.dealer in line.out and line.played & up:
        raise NotationError("played", f"found {name}, expected with the dealer, who dropped, or buried")
    if line.kitty & up:
        raise NotationError("kitty", f"found {name}, expected with the dealer: it was ordered up")
    if (
        line.view == line.dealer
        and not line.played & up
        and line.up not in line.trick
        and (not line.hands[line.dealer] & up and line.buried != line.up)
    ):
        raise NotationError("hands", f"{name} is nowhere, expected in the view of the dealer, who took it")


# ---------------------------------------------------------------- checks


def check_contract(line: Line) -> None:
    """That stage, trumps, maker and dropped seats go together, and with the up-card."""
    stage, suit = STAGES[line.stage], SUITS[line.up // 6]
    if suit == "C" and line.stage < PLAY:
        raise NotationError("stage", f"found {stage} with {NAMES[line.up]} turned up, expected play: clubs are trumps")
    if line.stage <= NAME:
        if line.trump is not None:
            raise NotationError("trump", f"found {TRUMPS[line.trump]} at stage={stage}, expected none while bidding")
        if line.maker is not None:
            raise NotationError("maker", f"found {line.maker} at stage={stage}, expected none while bidding")
    elif line.trump is None:
        raise NotationError("trump", f"left out, expected at stage={stage}")
    elif suit == "C" and line.trump != CLUBS:
        raise NotationError("trump", f"found {TRUMPS[line.trump]} with {NAMES[line.up]} turned up, expected C")
    elif line.trump == NO_TRUMP and line.stage < PLAY:
        raise NotationError("trump", f"found N at stage={stage}, expected a suit: no-trump is played at once")
    elif line.stage == BURY and TRUMPS[line.trump] != suit:
        raise NotationError("trump", f"found {TRUMPS[line.trump]} at stage=bury, expected {suit}, the suit ordered")
    elif suit == "C" or line.trump == NO_TRUMP:
        if line.maker is not None:
            why = "clubs were turned up" if suit == "C" else "it is no-trump"
            raise NotationError("maker", f"found {line.maker}, expected none: {why}")
    elif line.maker is None:
        raise NotationError("maker", f"left out, expected with trump={TRUMPS[line.trump]}")
    check_out(line)
    if (line.buried is not None or line.buried_hidden) and not buries(line):
        raise NotationError("buried", f"given at stage={stage}, expected only after an order and the burial")


def check_out(line: Line) -> None:
    """That the seats that dropped could do so."""
    if not line.out:
        return
    if line.maker is None or line.stage < STAY:
        why = "there is no maker" if line.maker is None else f"stage={STAGES[line.stage]} comes before"
        raise NotationError("out", f"found seat {line.out[0]}, expected none: {why}")
    if line.maker in line.out:
        raise NotationError("out", f"found seat {line.maker}, the maker, who cannot drop")
    if line.stage == STAY:
        for seat in line.out:
            if (seat - line.maker) % 4 >= (line.turn - line.maker) % 4:
                raise NotationError("out", f"found seat {seat}, which speaks only after seat {line.turn}")
    if line.stage == PLAY and line.all_dropped():
        raise NotationError("out", "found all but the maker at stage=play, expected over: he takes all five tricks")


def check(line: Line) -> None:
    """That the line describes something that can be on the table."""
    check_tricks(line)
    check_turn(line)
    check_sizes(line)
    if line.stage == PLAY:
        check_trick(line)
    check_voids(line)
    check_scores(line)
    if line.view is not None:
        check_worlds(line)


def check_tricks(line: Line) -> None:
    stage, total = STAGES[line.stage], sum(line.tricks)
    if line.stage < PLAY and total:
        raise NotationError("tricks", f"found {total} tricks at stage={stage}, expected none")
    if line.stage == PLAY and total > 4:
        raise NotationError("tricks", f"found {total} tricks at stage=play, expected 4 at most: the fifth ends it")
    if line.stage == OVER and total != 5:
        raise NotationError("tricks", f"found {total} tricks at stage=over, expected 5")
    for seat in line.out:
        if line.tricks[seat]:
            raise NotationError("tricks", f"found {line.tricks[seat]} at seat {seat}, which dropped, expected 0")
    if line.trick and line.stage != PLAY:
        raise NotationError("trick", f"given at stage={stage}, expected only at play")
    if line.stage == PLAY and len(line.trick) >= len(line.active()):
        seats = len(line.active())
        raise NotationError("trick", f"found {len(line.trick)} cards, expected fewer than the {seats} seats in play")


def check_turn(line: Line) -> None:
    """That the turn fits the stage; `turn` of a deal that is over is the seat that moved last."""
    turn, first = line.turn, line.next_active(line.dealer)
    if line.stage == BURY and turn != line.dealer:
        raise NotationError("turn", f"found {turn} at stage=bury, expected {line.dealer}, the dealer")
    if line.stage == STAY and turn == line.maker:
        raise NotationError("turn", f"found {turn} at stage=stay, expected another seat than the maker")
    if line.stage < PLAY:
        return
    if line.stage == OVER and line.all_dropped():
        assert line.maker is not None
        last = (line.maker + 3) % 4
        if turn != last:
            raise NotationError("turn", f"found {turn}, expected {last}: the last to drop")
        return
    if turn in line.out:
        raise NotationError("turn", f"found {turn}, which dropped, expected one of {line.active()}")
    # Later on whoever took the last trick leads; but tricks are not told apart, so any seat may have.
    if not line.done() and line.leader() != first:
        fitting = first
        for _ in line.trick:
            fitting = line.next_active(fitting)
        raise NotationError("turn", f"found {turn}, expected {fitting}: seat {first} leads the first trick")


def check_sizes(line: Line) -> None:
    """That every place holds as many cards as the stage and the tricks leave there."""
    kitty = line.kitty.bit_count() + line.kitty_hidden
    if kitty != 3:
        raise NotationError("kitty", f"found {kitty} cards, expected 3")
    if buries(line) and line.buried is None and not line.buried_hidden:
        raise NotationError("buried", f"left out, expected at stage={STAGES[line.stage]} after an order")
    gone = line.in_trick() if line.stage == PLAY else {}
    played = len(line.active()) * line.done()
    if line.played.bit_count() != played:
        raise NotationError("played", f"found {line.played.bit_count()} cards, expected {played}:"
                            f" {line.done()} tricks of {len(line.active())} cards")  # fmt: skip
    for seat in range(4):
        size = line.hands[seat].bit_count() + line.hidden[seat]
        expected = 5 if seat in line.out else 5 - line.done() - (seat in gone)
        expected += line.stage == BURY and seat == line.dealer
        if size != expected:
            raise NotationError("hands", f"found {size} cards at seat {seat}, expected {expected} at"
                                f" stage={STAGES[line.stage]}")  # fmt: skip


def check_trick(line: Line) -> None:
    """That the cards of the current trick can have been played."""
    gone = line.in_trick()
    if line.ordered() and line.up in line.trick and gone.get(line.dealer) != line.up:
        raise NotationError("trick", f"found {NAMES[line.up]}, expected from the dealer only: it was ordered up")
    for seat, card in gone.items():
        led = line.suit(line.trick[0])
        if line.voids[seat] >> line.suit(card) & 1:
            suit = SUITS[line.suit(card)]
            raise NotationError("trick", f"found {NAMES[card]} of seat {seat}, which is void in {suit}")
        if line.suit(card) != led and not line.voids[seat] >> led & 1:
            raise NotationError("voids", f"lacks {SUITS[led]} of seat {seat}: it did not follow with {NAMES[card]}")


def check_voids(line: Line) -> None:
    """That nobody holds a card of a suit he is void in, and that every void can have been shown."""
    first = line.next_active(line.dealer)
    gone = line.in_trick() if line.stage == PLAY else {}
    for seat in range(4):
        voids = line.voids[seat]
        if not voids:
            continue
        if line.stage < PLAY or seat in line.out:
            why = "it dropped" if seat in line.out else f"stage={STAGES[line.stage]} comes before the play"
            raise NotationError("voids", f"found {suits_of(voids)} at seat {seat}, expected none: {why}")
        for card in cards_of(line.hands[seat]):
            if voids >> line.suit(card) & 1:
                raise NotationError("voids", f"seat {seat} holds {NAMES[card]}, expected no {SUITS[line.suit(card)]}")
        shown = {line.suit(card) for card in cards_of(line.played)}
        if seat in gone and line.suit(gone[seat]) != line.suit(line.trick[0]):
            shown.add(line.suit(line.trick[0]))
        for suit in cards_of(voids):
            if suit not in shown:
                raise NotationError("voids", f"found {SUITS[suit]} at seat {seat}, but {SUITS[suit]} was never led")
        followed = line.done() - (first == seat and line.done() > 0) + (seat in gone and line.leader() != seat)
        if voids.bit_count() > followed:
            raise NotationError("voids", f"found {suits_of(voids)} at seat {seat}, which has followed {followed} times")


def check_scores(line: Line) -> None:
    """That nobody had won the match before this deal."""
    deltas = deltas_of(line) if line.stage == OVER else (0, 0, 0, 0)
    low, high = SCORES
    for seat, (score, delta) in enumerate(zip(line.scores, deltas, strict=True)):
        if not low <= score - delta <= high:
            found = f"found {score}" + (f" after {delta:+d}" if delta else "")
            raise NotationError("scores", f"{found} at seat {seat}, expected {low} to {high} before the deal")


def check_worlds(line: Line) -> None:
    """That some deal fits the view: the unknown cards can be spread over the places with room for them.

    By Hall's theorem it is enough to look at every set of kinds.
    """
    hidden = hidden_of(line)
    for chosen in range(1, 32):
        kinds = [hidden.kinds[kind] for kind in cards_of(chosen)]
        cards = sum(cards.bit_count() for cards, _ in kinds)
        room = sum(place.hidden for i, place in enumerate(hidden.places) if any(where >> i & 1 for _, where in kinds))
        if cards > room:
            suits = suits_of(chosen & 15) or NAMES[line.up]
            raise NotationError("voids", f"no deal fits: {cards} unseen cards of {suits} have room in {room} places")


def hidden_of(line: Line) -> Hidden:
    """What a view leaves open: the unseen cards of each effective suit, which may be in all hands but those void in it,
    and the up-card, where it is out of sight: with the dealer or buried (B5)."""
    assert line.view is not None
    buried = 0 if line.buried is None else 1 << line.buried
    places = [Place(f"seat {seat}", line.hands[seat], line.hidden[seat]) for seat in range(4) if seat != line.view]
    places += [Place("kitty", 0, line.kitty_hidden), Place("buried", buried, line.buried_hidden)]
    cards, where = [0] * 5, [0b11000] * 4 + [0b10000]
    for card in cards_of(unseen_of(line)):
        cards[4 if card == line.up else line.suit(card)] |= 1 << card
    for i, seat in enumerate(seat for seat in range(4) if seat != line.view):
        for suit in range(4):
            where[suit] |= (~line.voids[seat] >> suit & 1) << i
        if seat == line.dealer:
            where[4] |= (~line.voids[seat] >> line.up // 6 & 1) << i
    return Hidden(tuple(places), tuple(zip(cards, where, strict=True)))


def unseen_of(line: Line) -> int:
    """The cards that a line does not name; the up-card after an order counts as named where it is (B5)."""
    named = mask_of([*line.trick, *([] if line.buried is None else [line.buried])]) | line.played | line.kitty
    for hand in line.hands:
        named |= hand
    return DECK.full & ~(named if line.ordered() else named | 1 << line.up)


def suits_of(voids: int) -> str:
    return "".join(SUITS[suit] for suit in cards_of(voids))


# ---------------------------------------------------------------- line <-> words


def pack(values: Mapping[str, str]) -> bytes:
    """The packed state of a line, validated whole. NotationError."""
    line = read_line(values)
    check(line)
    table = sum(card << (5 * place) for place, card in enumerate(line.trick)) | len(line.trick) << 20
    table |= (line.leader() if line.stage == PLAY else 0) << 23
    table |= line.up << 25 | (NO_CARD if line.buried is None else line.buried) << 30 | line.buried_hidden << 35
    status = line.turn | line.stage << 2 | line.dealer << 5
    status |= (NO_TRUMP_YET if line.trump is None else line.trump) << 7
    status |= (NOBODY if line.maker is None else line.maker) << 10 | mask_of(line.out) << 13
    for seat in range(4):
        status |= line.voids[seat] << (17 + 4 * seat) | line.tricks[seat] << (33 + 3 * seat)
    status |= (0 if line.view is None else 1 + line.view) << 45
    hands = [line.hands[seat] | line.hidden[seat] << 32 for seat in range(4)]
    return WORDS.pack(*hands, line.kitty | line.kitty_hidden << 32, line.played, table, status, *line.scores)


def unpack_line(words: bytes) -> Line:
    """The line of a packed state."""
    hands, (kitty, played, table, status), scores = (
        (values := WORDS.unpack(words))[0:4], values[4:8], values[8:12],
    )  # fmt: skip
    buried, trump, maker, view = table >> 30 & 31, status >> 7 & 7, status >> 10 & 7, status >> 45 & 7
    return Line(
        hands=[hand & DECK.full for hand in hands],
        hidden=[hand >> 32 & 7 for hand in hands],
        up=table >> 25 & 31,
        kitty=kitty & DECK.full,
        kitty_hidden=kitty >> 32 & 3,
        buried=None if buried == NO_CARD else buried,
        buried_hidden=table >> 35 & 1,
        dealer=status >> 5 & 3,
        scores=list(scores),
        turn=status & 3,
        stage=status >> 2 & 7,
        trump=None if trump == NO_TRUMP_YET else trump,
        maker=None if maker == NOBODY else maker,
        out=list(cards_of(status >> 13 & 15)),
        played=played,
        voids=[status >> (17 + 4 * seat) & 15 for seat in range(4)],
        tricks=[status >> (33 + 3 * seat) & 7 for seat in range(4)],
        trick=[table >> (5 * place) & 31 for place in range(table >> 20 & 7)],
        view=view - 1 if view else None,
    )


def unpack(words: bytes) -> dict[str, str]:
    """The values of all keys of a packed state."""
    line = unpack_line(words)
    return {
        "hands": "/".join(map(DECK.write_set, line.hands, line.hidden)),
        "up": NAMES[line.up],
        "kitty": DECK.write_set(line.kitty, line.kitty_hidden),
        "buried": DECK.write([] if line.buried is None else [line.buried], line.buried_hidden),
        "dealer": str(line.dealer),
        "scores": "/".join(map(str, line.scores)),
        "turn": str(line.turn),
        "stage": STAGES[line.stage],
        "trump": "-" if line.trump is None else TRUMPS[line.trump],
        "maker": "-" if line.maker is None else str(line.maker),
        "out": "".join(map(str, line.out)) or "-",
        "played": DECK.write_set(line.played),
        "voids": "/".join(suits_of(voids) or "-" for voids in line.voids),
        "tricks": "/".join(map(str, line.tricks)),
        "trick": DECK.write(line.trick),
        "view": "-" if line.view is None else str(line.view),
    }


def view(words: bytes) -> int | None:
    """The seat whose view a packed state is, None of a position."""
    seat: int = (WORDS.unpack(words)[7] >> 45 & 7) - 1
    return None if seat < 0 else seat


def stage(words: bytes) -> str:
    """The stage of a packed state."""
    return STAGES[WORDS.unpack(words)[7] >> 2 & 7]


def begins(words: bytes) -> bool:
    """Whether a trick begins."""
    return stage(words) == STAGES[PLAY] and not WORDS.unpack(words)[6] >> 20 & 7


def unseen(words: bytes) -> int:
    """The cards that a state does not name."""
    return unseen_of(unpack_line(words))


def hidden(words: bytes) -> Hidden:
    """What a view leaves open."""
    return hidden_of(unpack_line(words))


# ---------------------------------------------------------------- the end


def deltas_of(line: Line) -> tuple[int, ...]:
    """What each seat's score changes by at the end of the deal (B11, B12)."""

    def delta(seat: int) -> int:
        if seat in line.out:
            return 0
        set_back = line.tricks[seat] == 0 or (seat == line.maker and line.tricks[seat] < 3)
        return 5 if set_back else -line.tricks[seat]

    return tuple(delta(seat) for seat in range(4))


def result(words: bytes) -> Result:
    """How a deal that is over ended (B13, B14)."""
    line = unpack_line(words)
    lowest = min(line.scores)
    if 5 in line.tricks:
        winners: tuple[int, ...] = (line.tricks.index(5),)
        reason = "all others dropped" if line.all_dropped() else "five tricks"
    elif lowest <= 0:
        winners = tuple(seat for seat in range(4) if line.scores[seat] == lowest)
        reason = "zero reached"
    else:
        winners, reason = (), "match goes on"
    return Result(winners, False, reason, tuple(line.tricks), deltas_of(line), tuple(line.scores))


# ---------------------------------------------------------------- moves

PASS, ORDERS, NAMES_SUIT, BURIES, STAYS, DROPS, PLAYS = range(7)
_WORDS = {"pass": PASS, "order": ORDERS, "stay": STAYS, "drop": DROPS}


@lru_cache(maxsize=4096)
def read_move(text: str) -> int | None:
    """The code of a move token, None when it is none. It says nothing about whether the move is legal."""
    token = plain(text.strip())
    word = token.lower()
    if word in _WORDS:
        return _WORDS[word] << 12
    if len(token) == 1 and token.upper() in SUITS:
        return NAMES_SUIT << 12 | SUITS.index(token.upper()) << 6
    if word == "dx":
        return BURIES << 12 | HIDDEN_BURIAL << 6
    card = DECK.find(token)
    if card is not None:
        return PLAYS << 12 | card << 6
    card = DECK.find(token[1:])
    return BURIES << 12 | card << 6 if word[:1] == "d" and card is not None else None


@kept
def write_move(code: int) -> str:
    """The token of a move."""
    kind, which = code >> 12, code >> 6 & 63
    if kind == NAMES_SUIT:
        return SUITS[which]
    if kind == BURIES:
        return "dX" if which == HIDDEN_BURIAL else "d" + NAMES[which]
    if kind == PLAYS:
        return NAMES[which]
    return {PASS: "pass", ORDERS: "order", STAYS: "stay", DROPS: "drop"}[kind]


BUCK = Game(
    name="buck_euchre", tag="buck/1", id=1, seats=4, words=9, dealer=3, equity=equity_table.name(), deck=DECK,
    keys=KEYS, pack=pack, unpack=unpack, read_move=read_move, write_move=write_move, view=view, stage=stage,
    any_stock=lambda words: words, begins=begins, unseen=unseen, result=result, hidden=hidden,
)  # fmt: skip
