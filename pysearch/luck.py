"""What chance did in a game: the value after each chance event less the mean of what it might have been before.

Values are means over playouts by the policy of the game, from all that has come out of the deck so far: the hands are
those of the record, the cards still in the stock lie in any order. A mean of all that may happen less what happened is
0 in the mean whatever the playouts are worth, so sums of luck are unbiased. In a player's own record the hidden hands
are drawn too, every world as likely as any other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pysearch.backends import ILLEGAL, Control, Refused, select
from pysearch.games import GAMES
from pysearch.games.game import Game
from pysearch.position import Position, View, deal, fail, fields_of, from_dict
from pysearch.workers import sub_seed

Row = tuple[float, ...]  # a number for each seat
_PRIOR = 4_000  # fresh deals
_SPREAD = 16_000  # for their spread


@dataclass(frozen=True)
class Event:
    """What chance did to one player when a move was made (`ply`), or in the deal: the value to him after it less its
    mean before. Each event gives a row to every player; `by` is the seat whose card it was, None for the deal."""

    ply: int
    kind: str
    player: int
    luck: float
    stderr: float
    by: int | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return fields_of(self)


@dataclass(frozen=True)
class Worth:
    """The shares of the win of all seats, and the standard errors of these means."""

    shares: Row
    errors: Row


def worth(state: Position | View, move: str | None, n: int, seed: int, control: Control) -> Worth | None:
    """What a position, or a view, is worth to all seats, or the move that is made in it, in n playouts. None when
    stopped, and where the move is not one of all worlds.

    Of a position of Cuttle the stock may lie in any order, and the players know what they did: were all hands open, a
    drawn card would be seen by the other player after the draw but not in the mean before it."""
    outcome = state.outcome
    if outcome is not None:
        return Worth(outcome.returns, (0.0,) * state.seats)
    game = GAMES[state.game]
    code = None if move is None else game.read_move(move)
    codes = [] if code is None else [code]
    try:
        words = state.words if isinstance(state, View) else game.any_stock(state.words)
        found = select().grade(game.id, words, game.seats, seed, 0, n, codes, weighed(game), control)
    except Refused as refused:
        if refused.code == ILLEGAL:
            return None
        fail(refused)
    return _worth(n, found.totals[0], found.squares[0]) if found.worlds == n else None


def weighed(game: Game) -> bool:
    """Whether playouts weigh every move and make the best: in Cuttle that tells better what a position is worth."""
    return game.name == "cuttle"


def _worth(n: int, totals: Row, squares: Row) -> Worth:
    one = select().ONE
    means = tuple(total / (n * one) for total in totals)
    spreads = (max(square / (n * one * one) - mean * mean, 0.0) for square, mean in zip(squares, means, strict=True))
    return Worth(means, tuple(math.sqrt(spread / n) for spread in spreads))


def is_fresh(start: Position | View) -> bool:
    """Is this a new deal, with nothing done yet?"""
    keys = start.to_dict()
    if start.game == "cuttle":
        size = size_of(keys["hands"][keys["turn"]])
        return bool(keys["stage"] == "main" and size == 5 and size_of(keys["stock"]) == 41)
    if keys["played"] or keys["trick"] or any(keys["tricks"]) or keys["maker"] is not None:
        return False
    first = (keys["dealer"] + 1) % 4 == keys["turn"]
    return bool(first) and (keys["stage"] == "order" or (keys["stage"] == "play" and keys["trump"] == "C"))


def size_of(cards: list[str]) -> int:
    """How many cards a list of a dictionary has; X4 stands for four."""
    return sum(int(card[1:]) if card[0] == "X" else 1 for card in cards)


@lru_cache(maxsize=64)
def prior(game: str, dealer: int, scores: Row | None, seed: int, deals: int = _PRIOR) -> tuple[Worth, Row]:
    """What a deal is worth before its cards are seen, and how far it spreads: standard deviations per seat of the
    share that a deal leaves."""
    rules, core = GAMES[game], select()
    control = core.control()
    sums, squares = [0] * rules.seats, [0] * rules.seats
    before = None if scores is None else [int(score) for score in scores]
    for number in range(deals):
        fresh = deal(game, sub_seed("prior", seed, number), dealer, before)
        found = core.grade(rules.id, fresh.words, rules.seats, seed, number, 1, [], weighed(rules), control)
        for seat in range(rules.seats):
            sums[seat] += found.totals[0][seat]
            squares[seat] += found.squares[0][seat]
    mean = _worth(deals, tuple(sums), tuple(squares))
    return mean, tuple(error * math.sqrt(deals) for error in mean.errors)


def prior_of(start: Position | View, seed: int, moves: Sequence[str] = ()) -> tuple[Worth, Row]:
    """The prior of a record, from deals of its own: over many records its errors cancel, as those of playouts do. The
    deals follow from what every player saw: the moves in Cuttle, the card turned up in Buck Euchre."""
    seen = " ".join(moves) if start.game == "cuttle" else start.to_dict()["up"]
    return prior(start.game, *dealer_and_scores(start), sub_seed("prior of", seed, seen))


def spread_of(start: Position | View) -> Row:
    """How far the share of each seat spreads by a new deal at these scores: a measure, the same in every review."""
    return prior(start.game, *dealer_and_scores(start), 0, _SPREAD)[1]


def dealer_and_scores(state: Position | View) -> tuple[int, Row | None]:
    """Who dealt, and the scores before the deal, None in Cuttle."""
    keys = state.to_dict()
    if state.game == "cuttle":
        return 1 - keys["turn"], None
    return keys["dealer"], tuple(keys["scores"])


def deal_kinds(start: Position | View) -> tuple[str, ...]:
    """What chance does before the first move: nothing where the start is not a new deal."""
    if not is_fresh(start):
        return ()
    return ("deal",) if start.game == "cuttle" or isinstance(start, View) else ("deal", "up-card")


def deal_events(
    start: Position | View, now: Worth, n: int, seed: int, control: Control, moves: Sequence[str] = ()
) -> list[Event]:
    """The luck of the deal, for each player, and of the card turned up in Buck Euchre, where the start is a new
    deal. `now` is what the start is worth."""
    if not is_fresh(start):
        return []
    before, _ = prior_of(start, seed, moves)
    if start.game == "cuttle" or isinstance(start, View):
        return rows(0, "deal", None, before, now)
    found = [worth(other, None, max(n // 4, 1), seed, control) for other in other_up_cards(start)]
    turned = [value for value in found if value is not None]
    if len(turned) < len(found):
        return []
    k = len(turned)
    mean = Worth(
        tuple(math.fsum(value.shares[seat] for value in turned) / k for seat in range(4)),
        tuple(math.sqrt(math.fsum(value.errors[seat] ** 2 for value in turned)) / k for seat in range(4)),
    )
    return [*rows(0, "deal", None, before, mean), *rows(0, "up-card", None, mean, now)]


def other_up_cards(start: Position) -> list[Position]:
    """The deal with each of the four cards that are left turned up, its own among them. Clubs are trumps (B4)."""
    keys = start.to_dict()
    rest = [keys["up"], *keys["kitty"]]
    found = []
    for up in rest:
        kitty = [card for card in rest if card != up]
        stage = {"stage": "play", "trump": "C"} if up[1] == "C" else {"stage": "order", "trump": None}
        found.append(from_dict({**keys, "up": up, "kitty": kitty, **stage}))
    assert all(isinstance(pos, Position) for pos in found)
    return found  # type: ignore[return-value]


def rows(ply: int, kind: str, by: int | None, before: Worth, after: Worth) -> list[Event]:
    """The luck of one event, a row for each player."""
    return [
        Event(ply, kind, seat, round(b - a, 5), round(math.hypot(x, y), 5), by)
        for seat, (a, b, x, y) in enumerate(zip(before.shares, after.shares, before.errors, after.errors, strict=True))
    ]


def event_kind(before: Position | View, after: Position | View, seen: str) -> str | None:
    """What chance does in a move of Cuttle: None, "draw", or "reveal" by a seven (C14). In a player's own record only
    what he saw counts."""
    if before.game != "cuttle":
        return None
    old, new = before.to_dict(), after.to_dict()
    if size_of(old["stock"]) == size_of(new["stock"]) or (isinstance(before, View) and not seen):
        return None
    return "reveal" if new["revealed"] is not None or len(new["scrap"]) > len(old["scrap"]) + 1 else "draw"
