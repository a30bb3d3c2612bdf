"""Why a move is good: what it is worth where all cards are seen, and where the hidden cards may be."""

from dataclasses import dataclass
from typing import Any

from pysearch.calls import Progress, check_progress
from pysearch.chances import chances
from pysearch.equity import equity
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.position import Position, View, check_seed, fields_of, whole_number
from pysearch.search import Analysis, analyze_open, own_view
from pysearch.stats import mean_and_error
from pysearch.workers import sub_seed

EACH = Limit(iterations=500)  # for one world
WORLDS = {"cuttle": 100, "buck_euchre": 200}  # half a second at most


@dataclass(frozen=True)
class OpenMove:
    """A move in worlds where all cards are seen. `ahead` is the share of worlds in which it is worth more than `level`
    of the explanation, `best` that in which no move is worth more; `value` is the mean of its worth, `stderr` the
    standard error of that, None with fewer than two worlds, or all alike."""

    move: str
    ahead: float
    best: float
    value: float
    stderr: float | None


@dataclass(frozen=True)
class HiddenCard:
    """A card that lies in a place the seat does not see whole, and how likely it is in each of `places`."""

    card: str
    chances: tuple[float, ...]


@dataclass(frozen=True)
class Explanation:
    """What the moves of a view are worth in `worlds` of its worlds when all see all cards; `exact` when every one of
    them was solved.

    `level` is what the seat has when nobody is ahead: half of the win in Cuttle, in Buck Euchre what the match was
    worth to it before the deal. `price`, that of clairvoyance, is what would be gained if this decision could be made
    with all cards in sight: the mean over worlds of what the best move is worth, less what the move is worth that is
    best in the mean; `stderr` is its standard error. Where worlds are searched, not solved, chance in the search adds
    to it. `moves` come by value, then legal order. `cards` says where each card may be, every world being as likely as
    any other, with a column for each of `places`.
    """

    game: str
    position: str
    player: int
    seed: int
    worlds: int
    exact: bool
    level: float
    price: float
    stderr: float | None
    equity: str | None
    moves: tuple[OpenMove, ...]
    places: tuple[str, ...]
    cards: tuple[HiddenCard, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON."""
        moves = [fields_of(move) for move in self.moves]
        cards = [{"card": card.card, "chances": list(card.chances)} for card in self.cards]
        return {"schema": 1, **fields_of(self), "moves": moves, "places": list(self.places), "cards": cards}


def explain(
    pos: Position | View,
    limit: Limit | None = None,
    seed: int = 0,
    worlds: int | None = None,
    progress: Progress = None,
) -> Explanation:
    """Looks at worlds of the view of the seat to move, each with all cards seen by all.

    `limit` is that of one world, 500 iterations unless given; the play of Buck Euchre is solved. `worlds` is their
    number, 100 in Cuttle and 200 in Buck Euchre unless given; where the view has only one, one is enough. With a limit
    of iterations the result depends on view, seed, limit and worlds alone. `progress` is given the number of worlds
    done. ArgumentError (position, limit, seat, seed, worlds, progress); on Ctrl-C Interrupted, with what the worlds so
    far say, or KeyboardInterrupt before the end of the first one.
    """
    view = own_view(pos)
    if limit is not None and not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit, or None")
    each = limit or EACH
    each.needs_stop("seconds", "iterations", "nodes")
    if each.iterations == 0:
        raise ArgumentError("limit", "found 0 iterations, expected at least 1")
    seed = check_seed(seed)
    n = WORLDS[view.game] if worlds is None else whole_number("worlds", worlds, 1, 1 << 20)
    check_progress(progress)
    if view.count_worlds() == 1:
        n = 1
    found: list[Analysis] = []
    try:
        for number in range(n):
            world = view.sample(sub_seed("world", seed, number))
            found.append(analyze_open(world, each, sub_seed("open", seed, number)))
            if progress:
                progress(number + 1)
    except KeyboardInterrupt:
        if not found:  # what a single search had found is no explanation
            raise KeyboardInterrupt from None
        raise Interrupted(_explanation(view, seed, found)) from None
    return _explanation(view, seed, found)


def _level(view: View) -> float:
    """What the seat of a view has when nobody is ahead."""
    if view.game == "cuttle":
        return 0.5
    values = view.to_dict()
    return equity(values["scores"], values["dealer"])[view.seat]


def _explanation(view: View, seed: int, found: list[Analysis]) -> Explanation:
    level = _level(view)
    legal = view.legal_moves()
    rows = [_worths(analysis, legal, level) for analysis in found]
    moves = []
    for place, move in enumerate(legal):
        worths = [row[place] for row, _ in rows]
        ahead = sum(worth > level for worth in worths) / len(rows)
        best = sum(move in favourites for _, favourites in rows) / len(rows)
        moves.append(OpenMove(move, ahead, best, *mean_and_error(worths)))
    first = max(range(len(legal)), key=lambda place: moves[place].value)
    price, stderr = mean_and_error([max(row) - row[first] for row, _ in rows])
    game = GAMES[view.game]
    hidden = game.hidden(view.words)
    columns = [i for i, place in enumerate(hidden.places) if place.known or place.hidden]
    return Explanation(
        game=view.game,
        position=str(view),
        player=view.seat,
        seed=seed,
        worlds=len(found),
        exact=all(analysis.exact for analysis in found),
        level=level,
        price=price,
        stderr=stderr,
        equity=game.equity,
        moves=tuple(sorted(moves, key=lambda move: -move.value)),
        places=tuple(hidden.places[i].name for i in columns),
        cards=tuple(
            HiddenCard(game.deck.names[card], tuple(shares[i] for i in columns))
            for card, shares in chances(hidden).items()
        ),
    )


def _worths(found: Analysis, legal: list[str], level: float) -> tuple[list[float], set[str]]:
    """What each move is worth in a world, and which ones are best.

    Solved moves are worth what they are, and all that reach the highest value are best. Of a search the move with the
    most visits is the best one; a higher mean of few visits is chance, and counts no more than the mean of that one. A
    move of which nothing is known counts as level.
    """
    values = {move.move: move.value for move in found.moves}
    top = level if found.value is None else found.value
    worths = [min(level if value is None else value, top) for value in (values[move] for move in legal)]
    if not found.exact:
        return worths, {found.best}
    return worths, {move for move, value in values.items() if value == top}
