"""Matches: two players, the same deals for both, and what the results say.

A set is one deal played once for each seat that A can have: two games of Cuttle, four of Buck Euchre, where A plays
against three of B. So luck of the deal meets both alike, and statistics are those of sets, not of games.
"""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pysearch import stats
from pysearch.calls import Progress, check_progress, is_same_file
from pysearch.errors import ArgumentError, Error, Interrupted, quote
from pysearch.games import find_game
from pysearch.games.game import Game
from pysearch.limit import Limit
from pysearch.lines import lines_of
from pysearch.players import Player, read_player
from pysearch.position import Position, check_seed, deal, parse, whole_number
from pysearch.records import Record, RecordFile
from pysearch.stats import Sprt
from pysearch.version import __version__
from pysearch.workers import Payload, check_executor, check_window, in_order, processes, sub_seed

if TYPE_CHECKING:
    from concurrent.futures import Executor

LONGEST = 512  # moves, as in playouts; a longer game is a draw
SWEEP = 5  # tricks (B13)
MOST_ELO = 2000  # of a test
MOST = 1 << 62  # of what a set may have taken


@dataclass(frozen=True)
class Moves:
    """The moves that a player searched, those with a choice, and what one of them took on average."""

    searched: int
    iterations: float | None
    seconds: float | None


@dataclass(frozen=True)
class Match:
    """How a match stood at its end. `complete` is false when it was interrupted.

    `share` is the mean of A's share of the win, over sets; equal players have `base` of it. `stderr` is its standard
    error and `interval` covers 95 %, None where sets are too few or all alike. `elo` and `elo_interval` are the same on
    a logistic scale (pysearch.stats). Cuttle: A's `wins`, `draws` and `losses`. Buck Euchre: `sweeps`, the deals in
    which A, and one of B, took all five tricks. `plies` is the mean length of a game. `sprt` is the test, if there was.
    """

    game: str
    a: str
    b: str
    seed: int
    scores: tuple[int, ...] | None
    games: int
    sets: int
    complete: bool
    share: float | None
    base: float
    stderr: float | None
    interval: tuple[float, float] | None
    elo: float | None
    elo_interval: tuple[float | None, float | None] | None
    wins: int | None
    draws: int | None
    losses: int | None
    sweeps: tuple[int, int] | None
    plies: float | None
    moves: tuple[Moves, Moves]
    sprt: Sprt | None
    equity: str | None

    def to_dict(self, timing: bool = False) -> dict[str, Any]:
        """The fields as plain values, ready for JSON; what belongs to the other game left out. Seconds, which differ
        from run to run, only with `timing`."""
        absent = ("scores", "sweeps") if self.game == "cuttle" else ("wins", "draws", "losses")
        values = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in absent}
        if self.equity is None:
            del values["equity"]
        for name, value in values.items():
            if isinstance(value, tuple):
                values[name] = list(value)
        values["moves"] = [{"searched": m.searched, "iterations": m.iterations} for m in self.moves]
        if timing:
            for row, m in zip(values["moves"], self.moves, strict=True):
                row["seconds"] = m.seconds
        values["sprt"] = self.sprt.to_dict() if self.sprt else None
        return {"schema": 1, **values}


def match(
    a: str,
    b: str,
    game: str,
    games: int,
    limit: Limit | None = None,
    *,
    seed: int = 0,
    scores: Iterable[int] | None = None,
    jobs: int = 1,
    executor: "Executor | None" = None,
    window: int | None = None,
    sprt: Sequence[float] | None = None,
    out: str | os.PathLike[str] | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Match:
    """Plays `games` games, rounded up to whole sets, of player `a` against `b`, or until the test `sprt`, (elo0, elo1),
    has a verdict.

    A player is a name or, with a limit of its own, `ismcts:iterations=2000`. Sets are played by so many processes
    (`jobs`), or by an executor, `window` at a time. With limits of iterations the result does not depend on who plays
    them: they count in order. `out` is a file of JSON lines, one for each set; where it has some already, the match
    goes on behind them. `record` is a file that is written anew, with the games of all sets as game records. `progress`
    is given the number of games played. ArgumentError (a, b, game, games, limit, seed, scores, jobs, executor, window,
    sprt, out, record, progress); Interrupted, with the match so far, on Ctrl-C.
    """
    rules = find_game(game)
    if limit is not None and not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit, or None")
    if out is not None and record is not None and is_same_file(out, record):
        raise ArgumentError("record", f"{quote(str(record))} is the file of the results (out)")
    names = [str(read_player(text, limit, argument)) for text, argument in ((a, "a"), (b, "b"))]
    sets = -(-whole_number("games", games, 1, 1 << 40) // rules.seats)
    seed = check_seed(seed)
    before = None if scores is None else list(deal(game, scores=scores).to_dict()["scores"])
    jobs = whole_number("jobs", jobs, 1, 1024)
    check_executor(executor)
    room = 2 * jobs + 2 if executor is None and window is None else check_window(window)
    test = _read_test(sprt, rules)
    check_progress(progress)

    head: Payload = {"schema": 1, "record": "match", "version": __version__, "game": rules.name, "a": names[0],
                     "b": names[1], "seed": seed, "scores": before}  # fmt: skip
    table = Table(rules, test)

    def count(line: Payload) -> bool:
        """Counts a set; whether the match goes on."""
        table.add(line)
        if file:
            try:
                records = records_of(line, names)
            except Error as error:  # only of a file that somebody wrote in
                about = f"line {line['set'] + 2} of the file does not replay: {error}"
                raise ArgumentError("out", about) from error
            file.add(*records)
        if progress:
            progress(table.games)
        return table.verdict is None and table.sets < sets

    complete, file = False, None
    try:
        with ExitStack() as stack:
            lines = stack.enter_context(lines_of(out, head, "out"))
            file = None if record is None else stack.enter_context(RecordFile(record, keep=False))
            known = [_checked(line, number, head) for number, line in enumerate(lines.found)]
            going = all(count(line) for line in known[:sets])
            if going:
                payloads = ({**head, "set": number} for number in range(len(known), sets))
                workers = executor or stack.enter_context(processes(min(jobs, sets - len(known))))
                for number, line in enumerate(in_order(play_set, payloads, workers, room, dict), len(known)):
                    if executor:
                        _played(line, number, head)
                    lines.add(line)
                    if not count(line):
                        break
        complete = True
    except KeyboardInterrupt as stop:
        raise Interrupted(table.result(names, seed, before, complete)) from stop
    return table.result(names, seed, before, complete)


def _read_test(sprt: Sequence[float] | None, rules: Game) -> stats.Test | None:
    if sprt is None:
        return None
    try:
        elo0, elo1 = (float(elo) for elo in sprt)
        sound = -MOST_ELO <= elo0 < elo1 <= MOST_ELO
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        expected = f"expected two numbers from {-MOST_ELO} to {MOST_ELO}, the lower first, such as (0, 10)"
        raise ArgumentError("sprt", f"found {quote(sprt)}, {expected}")
    return stats.Test(elo0, elo1, 1 / rules.seats, rules.seats)


def _checked(line: Payload, number: int, head: Payload) -> Payload:
    """A line of an earlier run: that of this set, with all games. ArgumentError (out) for any other."""
    for key, value, sound in _parts(line, number, head):
        if not sound:
            about = f"line {number + 2} of the file is not set {number} of this match, found {quote(value)} for {key}"
            raise ArgumentError("out", about)
    return line


def _played(line: Payload, number: int, head: Payload) -> None:
    """ArgumentError (executor) unless what it gave back is that set."""
    for key, value, sound in _parts(line, number, head):
        if not sound:
            raise ArgumentError("executor", f"gave back {quote(value)} for {key}, expected that of set {number}")


def _parts(line: Payload, number: int, head: Payload) -> Iterator[tuple[str, object, bool]]:
    """What is counted of a line: key, value, and whether it can be what a set leaves. Moves are not played again."""

    def part(owner: Payload, key: str, sound: Callable[[Any], bool]) -> tuple[str, object, bool]:
        value = owner.get(key)
        return key, value, sound(value)

    seats = find_game(head["game"]).seats
    yield part(line, "set", lambda value: _is_whole(value) and value == number)
    yield part(line, "deal", lambda value: value == str(_deal(head, number)))
    yield part(line, "games", lambda value: _are(value, seats, lambda game: isinstance(game, dict)))
    for seat, game in enumerate(line["games"]):
        yield part(game, "a", lambda value, seat=seat: _is_whole(value) and value == seat)  # type: ignore[misc]
        yield part(game, "moves", lambda value: _are(value, None, lambda move: isinstance(move, str)))
        yield part(game, "returns", lambda value: _are(value, seats, _is_share) and abs(math.fsum(value) - 1) < 1e-9)
        if "tricks" in game:
            yield part(game, "tricks", lambda value: _are(value, seats, _is_whole))
    yield part(line, "players", lambda value: _are(value, 2, lambda total: isinstance(total, dict)))
    for total in line["players"]:
        yield part(total, "searched", _is_whole)
        yield part(total, "iterations", _is_whole)
        yield part(total, "seconds", lambda value: _is_number(value) and 0 <= value <= MOST)


def _are(value: object, length: int | None, sound: Callable[[Any], bool]) -> bool:
    """Is it a list of so many sound values?"""
    return isinstance(value, list) and len(value) == (length or len(value)) and all(map(sound, value))


def _is_whole(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


# ---------------------------------------------------------------- playing


def play_set(task: Payload) -> Payload:
    """The games of one set, as a line of the record: run by the workers."""
    seed, number = task["seed"], task["set"]
    rules = find_game(task["game"])
    first = _deal(task, number)
    pair = [read_player(task[side], None) for side in "ab"]
    totals: list[Payload] = [{"searched": 0, "iterations": 0, "seconds": 0.0} for _ in pair]
    games = []
    for seat in range(rules.seats):  # A's
        sides = [0 if other == seat else 1 for other in range(rules.seats)]
        games.append({"a": seat, **_play_game(first, pair, sides, totals, ("match move", seed, number, seat))})
    return {"set": number, "deal": str(first), "games": games, "players": totals}


def _deal(head: Payload, number: int) -> Position:
    """The deal of a set."""
    rules = find_game(head["game"])
    seed = sub_seed("match deal", head["seed"], number)
    return deal(rules.name, seed, (rules.dealer + number) % rules.seats, head["scores"])


def _play_game(
    position: Position, pair: list[Player], sides: list[int], totals: list[Payload], name: tuple[str | int, ...]
) -> Payload:
    """One game: each seat is played by its side of the pair. `name` is what the seeds of its moves are made of."""
    moves: list[str] = []
    while (seat := position.to_move) is not None and len(moves) < LONGEST:
        side = sides[seat]
        choice = pair[side].choose(position, sub_seed(*name, len(moves)))
        if choice.searched:
            totals[side]["searched"] += 1
            totals[side]["iterations"] += choice.iterations
            totals[side]["seconds"] += choice.seconds
        moves.append(choice.move)
        position = position.play(choice.move)
    outcome = position.outcome
    if outcome is None:
        return {"moves": moves, "returns": [1 / len(sides)] * len(sides), "reason": "too long"}
    ended = outcome.to_dict()
    return {"moves": moves, **{key: ended[key] for key in ("returns", "reason", "tricks", "scores") if key in ended}}


def records_of(line: Payload, names: Sequence[str]) -> list[Record]:
    """The games of a set as records, each seat with the name of its player."""
    start = parse(line["deal"])
    records = []
    for game in line["games"]:
        players = {f"Player{seat}": names[seat != game["a"]] for seat in range(start.seats)}
        record = Record(start, players)
        for move in game["moves"]:
            record = record.play(move)
        records.append(record)
    return records


# ---------------------------------------------------------------- counting


class Table:
    """The results of the sets counted so far."""

    def __init__(self, rules: Game, test: stats.Test | None) -> None:
        self.verdict: str | None = None
        self._rules = rules
        self._test = test
        self._results: list[float] = []
        self._ends = [0, 0, 0]  # wins, draws and losses of A
        self._sweeps = [0, 0]
        self._plies = 0
        self._totals = [{"searched": 0, "iterations": 0, "seconds": 0.0} for _ in "ab"]

    @property
    def sets(self) -> int:
        return len(self._results)

    @property
    def games(self) -> int:
        return self.sets * self._rules.seats

    def add(self, line: Payload) -> None:
        """Counts one set."""
        shares = []
        for game in line["games"]:
            share = game["returns"][game["a"]]
            shares.append(share)
            self._ends[0 if share == 1 else 2 if share == 0 else 1] += 1
            self._plies += len(game["moves"])
            if SWEEP in game.get("tricks", ()):
                self._sweeps[game["tricks"].index(SWEEP) != game["a"]] += 1
        for total, part in zip(self._totals, line["players"], strict=True):
            for key in total:
                total[key] += part[key]
        self._results.append(math.fsum(shares) / len(shares))
        if self._test:
            self.verdict = self._test.add(self._results[-1])

    def result(self, names: list[str], seed: int, scores: list[int] | None, complete: bool) -> Match:
        """The match as it stands."""
        cuttle = self._rules.name == "cuttle"
        base = 1 / self._rules.seats
        share, error = stats.mean_and_error(self._results) if self._results else (None, None)
        interval = elo_interval = None
        if share is not None and error is not None:
            interval = max(share - stats.Z95 * error, 0.0), min(share + stats.Z95 * error, 1.0)
            elo_interval = stats.elo_of(interval[0], base), stats.elo_of(interval[1], base)
        a, b = (
            Moves(n, total["iterations"] / n if n else None, total["seconds"] / n if n else None)
            for total in self._totals
            for n in (int(total["searched"]),)
        )
        wins, draws, losses = self._ends if cuttle else (None, None, None)
        return Match(
            game=self._rules.name,
            a=names[0],
            b=names[1],
            seed=seed,
            scores=None if scores is None else tuple(scores),
            games=self.games,
            sets=self.sets,
            complete=complete,
            share=share,
            base=base,
            stderr=error,
            interval=interval,
            elo=None if share is None else stats.elo_of(share, base),
            elo_interval=elo_interval,
            wins=wins,
            draws=draws,
            losses=losses,
            sweeps=None if cuttle else (self._sweeps[0], self._sweeps[1]),
            plies=self._plies / self.games if self.games else None,
            moves=(a, b),
            sprt=self._test.state() if self._test else None,
            equity=self._rules.equity,
        )
