"""A review, step by step: all that the page says of each ply."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pysearch.chances import chances
from pysearch.errors import Error
from pysearch.games import GAMES
from pysearch.position import Position, View, parse
from pysearch.report.table import CardTable, card_table
from pysearch.report.words import ERRORS, SYMBOLS, TEXT_STYLE, say_move, short_move

Shares = list[float]


@dataclass
class HeatMap:
    """How likely each card is in one place: a row for each suit, a column for each rank; None where a card cannot be,
    for the seat to move sees it or knows that it is elsewhere."""

    place: str
    seat: int | None
    ranks: list[str]
    rows: list[tuple[str, str, list[float | None]]]


@dataclass
class Step:
    """What is before a move, or the end. `number` is that of the turn or trick, `shares` those of the seats, carried
    over where the review has none."""

    ply: int
    number: int | None
    player: int | None
    move: str
    short: str
    said: str
    shares: Shares | None
    table: CardTable
    heat: list[HeatMap]
    decision: Mapping[str, Any] | None
    events: list[Mapping[str, Any]]
    turning: int | None  # place among the turning points, the largest loss first
    comment: str = ""

    @property
    def grade(self) -> str | None:
        """What the decision is called: an error by the deal's stakes (Buck Euchre) is one as well."""
        if self.decision is None:
            return None
        grade: str = self.decision["grade"]
        by_deal: str | None = self.decision.get("deal_grade")
        return by_deal if by_deal in ERRORS and grade not in ERRORS else grade


def steps_of(review: Mapping[str, Any]) -> list[Step]:
    """One for each ply, and one for the end where it is known."""
    game = review["game"]
    decisions = {decision["ply"]: decision for decision in review["decisions"]}
    turning = {ply: place for place, ply in enumerate(review["turning_points"], 1)}
    events: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for event in review["events"]:
        events[event["ply"]].append(event)
    steps: list[Step] = []
    shares: Shares | None = None
    state: Position | View | None = None
    for values in review["plies"]:
        ply, move = values["ply"], values["move"]
        state = parse(values["position"])
        shares = values["shares"] or shares
        seat = values["player"]
        view = state.view(seat) if isinstance(state, Position) else state
        sight = str(view) if isinstance(state, Position) else None
        steps.append(Step(
            ply, values["turn"], seat, move, short_move(game, move), say_move(game, move), shares,
            card_table(str(state), seat, sight, move), heat_maps(view), decisions.get(ply), events.pop(ply, []),
            turning.get(ply), values.get("comment", ""),
        ))  # fmt: skip
    last = _after(state, steps[-1].move) if steps else parse(review["start"])
    if last is not None:
        ply = steps[-1].ply + 1 if steps else 0
        table = card_table(str(last), last.to_move, None, "")
        steps.append(Step(ply, None, None, "", "end", "", (last.is_over and review["returns"]) or shares, table, [],
                          None,
                          events.pop(ply, []), None))  # fmt: skip
    for rest in events.values():  # of plies that the review does not list
        steps[0].events.extend(rest)
    return steps


def _after(state: Position | View | None, move: str) -> Position | View | None:
    """What the last move leads to; None where that takes cards that came into sight, which the review does not name."""
    try:
        return state.play(move) if state is not None else None
    except Error:
        return None


def heat_maps(view: View) -> list[HeatMap]:
    """Where the cards may be that the seat of a view does not see: one map for each place, exact."""
    game = GAMES[view.game]
    hidden = game.hidden(view.words)
    found = chances(hidden)
    names = game.deck.names
    ranks = list(dict.fromkeys(name[0] for name in names))
    maps = []
    for column, place in enumerate(hidden.places):
        if not place.hidden and not place.known:
            continue
        rows = []
        for suit in reversed(SYMBOLS):
            line = [found.get(game.deck.index[rank + suit]) for rank in ranks]
            shown = [None if row is None or (row[column] == 0 and 1 in row) else row[column] for row in line]
            rows.append((suit, SYMBOLS[suit] + TEXT_STYLE, shown))
        seat = int(place.name[5:]) if place.name.startswith("seat ") else None
        maps.append(HeatMap(place.name, seat, ["10" if rank == "T" else rank for rank in ranks], rows))
    return maps
