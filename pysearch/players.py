"""Players: ways of choosing a move. All but `cheat` are given the view of the seat to move, and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from time import perf_counter

from pysearch import search
from pysearch.backends import select
from pysearch.errors import ArgumentError, quote
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.position import Position, View
from pysearch.search import METHODS, analyze

STOPS = ("seconds", "iterations", "nodes")


@dataclass(frozen=True)
class Choice:
    """A move, and what it took to find it, if it was searched."""

    move: str
    searched: bool = False
    iterations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Player:
    """A way of choosing a move, by its name: "random"; "rules", a fixed policy of the game; a method of `analyze`; or
    "cheat", who sees all cards. `limit` holds for each move, None where nothing is searched."""

    name: str
    limit: Limit | None

    def __str__(self) -> str:
        """The name and its limit, as read_player reads them."""
        if self.limit is None:
            return self.name
        default = Limit()
        values = {f.name: getattr(self.limit, f.name) for f in fields(Limit)}
        words = [f"{name}={value}" for name, value in values.items() if value != getattr(default, name)]
        return f"{self.name}:{','.join(words)}"

    def choose(self, position: Position, seed: int) -> Choice:
        """A move for the seat to move. Where only one is legal nothing is searched."""
        seat = position.to_move
        if seat is None:
            raise ArgumentError("position", "the game is over, expected one that goes on")
        view = position.view(seat)
        legal = view.legal_moves()
        if len(legal) == 1:
            return Choice(legal[0])
        if self.limit is None:
            return Choice(UNSEARCHED[self.name](view, legal, seed))
        start = perf_counter()
        if self.name == "cheat":
            found = search.analyze_open(position, self.limit, seed)
        else:
            found = analyze(view, self.limit, seed, method=self.name)
        return Choice(found.best, True, found.iterations, perf_counter() - start)


def play_random(view: View, legal: list[str], seed: int) -> str:
    """Every legal move equally likely."""
    return legal[seed * len(legal) >> 64]


def play_rules(view: View, legal: list[str], seed: int) -> str:
    """The move to which the policy of the playouts gives most weight, the first of equals."""
    weights = select().policy(GAMES[view.game].id, view.words)
    return legal[weights.index(max(weights))]


UNSEARCHED: dict[str, Callable[[View, list[str], int], str]] = {"random": play_random, "rules": play_rules}


def player_names() -> list[str]:
    """The names of all players."""
    return [*UNSEARCHED, *METHODS, "cheat"]


def read_player(text: object, limit: Limit | None, argument: str = "player") -> Player:
    """The player of a text: a name, or a name with a limit of its own, `ismcts:iterations=2000` or `seconds=0.1`,
    which takes the place of `limit`. ArgumentError (`argument`; limit: none given where one is needed)."""
    name, colon, words = text.partition(":") if isinstance(text, str) else ("", "", "")
    if name not in player_names():
        raise ArgumentError(argument, f"found {quote(text)}, expected {', '.join(player_names())}")
    if name in UNSEARCHED:
        if colon:
            raise ArgumentError(argument, f"found {quote(text)}, expected {name} alone: it takes no limit")
        return Player(name, None)
    own = _read_limit(words, argument, limit) if colon else limit
    if own is None:
        raise ArgumentError("limit", f"found none for {name}, expected seconds or iterations")
    own.needs_stop(*STOPS)
    return Player(name, own)


def _read_limit(text: str, argument: str, limit: Limit | None) -> Limit:
    """`iterations=2000,memory_mb=16`: stops replace all stops of `limit`, the rest stays as it is."""
    values: dict[str, int | float] = {}
    for word in text.split(","):
        key, _, value = word.partition("=")
        try:
            if key not in (*STOPS, "memory_mb") or key in values:
                raise ValueError
            values[key] = float(value) if key == "seconds" else int(value)
        except ValueError:
            expected = "expected a limit such as iterations=2000 or seconds=0.1"
            raise ArgumentError(argument, f"found {quote(word)}, {expected}") from None
    kept = {} if limit is None else {f.name: getattr(limit, f.name) for f in fields(Limit)}
    if values.keys() & set(STOPS):
        kept = {name: value for name, value in kept.items() if name not in STOPS}
    try:
        return Limit(**{**kept, **values})
    except ArgumentError as error:
        raise ArgumentError(argument, str(error)) from error
