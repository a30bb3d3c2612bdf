"""What was good and bad in a game: every decision graded from what its player knew, and luck told apart from skill."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pysearch import luck
from pysearch.annotation import Note, playouts_of, read_review, write_review
from pysearch.backends import Control, select
from pysearch.calls import Progress, check_progress
from pysearch.calls import spread as spread_out
from pysearch.equity import equity
from pysearch.errors import ArgumentError, Interrupted, quote
from pysearch.games import GAMES
from pysearch.grade import EDGES, ERRORS, Candidate, Verdict, grade_of, judge
from pysearch.limit import Limit
from pysearch.luck import Event, Worth
from pysearch.position import Position, View, check_seed, fields_of, whole_number
from pysearch.records import Played, Record
from pysearch.search import analyze
from pysearch.solve import BuckSolution, CuttleSolution, solve
from pysearch.workers import sub_seed

# The bands of Buck Euchre by the deal's stakes, the standard deviation of what it leaves (docs/review.md).
DEAL_EDGES = (0.01, 0.018, 0.043, 0.11, 0.31)
ACCURACY = "lichess-2022"  # of the curve: lichess.org/page/accuracy

_LINE = Limit(iterations=2_000)
_HINDSIGHT = Limit(nodes=200_000)
_LONGEST_LINE = 8
_POINTS = 10  # turning points
_BOOTSTRAP = 1_000
_MOST = 1 << 24  # worlds, where only time is limited


@dataclass(frozen=True)
class Ply:
    """A move of the game: `turn` is its number in the record, `position` the text of the position before it, or of the
    view in a player's own record; `shares` the share of the win of each seat then, all hands seen; `comment` what the
    record says of the move."""

    ply: int
    turn: int
    player: int
    move: str
    position: str
    shares: tuple[float, ...]
    comment: str = ""


@dataclass(frozen=True)
class Hindsight:
    """What a move lost where all cards were seen by all, and the best move then."""

    loss: float
    best: str


@dataclass(frozen=True)
class Decision:
    """A move judged from what its player knew (`view`).

    `value` and `best_value` are shares of the win of the player after his move and after the best one; `loss` is the
    mean of the differences, `stderr` its standard error; `line` is what is expected after the best move. Where a move
    is `forced` there is no other. In Buck Euchre `tricks` is the loss in tricks at the present scores, `stakes` in
    shares of the deal's stakes, and `deal_grade` what the latter is called.
    """

    ply: int
    player: int
    kind: str
    view: str
    move: str
    forced: bool
    best: str
    value: float | None
    best_value: float | None
    loss: float
    stderr: float
    grade: str
    proven: bool
    settled: bool
    worlds: int
    candidates: tuple[Candidate, ...]
    line: tuple[str, ...]
    hindsight: Hindsight | None
    tricks: float | None = None
    stakes: float | None = None
    deal_grade: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values; those of Buck Euchre only where they are known."""
        values = fields_of(self)
        for name in ("tricks", "stakes", "deal_grade"):
            if values[name] is None:
                del values[name]
        candidates = [fields_of(candidate) for candidate in self.candidates]
        hindsight = fields_of(self.hindsight) if self.hindsight else None
        return values | {"candidates": candidates, "line": list(self.line), "hindsight": hindsight}


@dataclass(frozen=True)
class Summary:
    """How one player did. `decisions` counts those with a choice, and so do all figures; `accuracy` is the mean of a
    curve over win shares, 0 to 100; `errors_per_1000` counts inaccuracies, mistakes and blunders, in Buck Euchre by the
    deal's stakes; `interval` is where a bootstrap has 95 % of it. `adjusted` is the result less `luck`. `set`: in Buck
    Euchre, how often he was set (B11)."""

    player: int
    name: str
    decisions: int
    accuracy: float | None
    errors_per_1000: float | None
    interval: tuple[float, float] | None
    grades: dict[str, int]
    kinds: dict[str, dict[str, float]]
    loss: float
    luck: float
    adjusted: float | None
    deal_grades: dict[str, int] | None = None
    set: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values; those of Buck Euchre only there."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        values["interval"] = list(self.interval) if self.interval else None
        return {name: v for name, v in values.items() if v is not None or name not in ("deal_grades", "set")}


@dataclass(frozen=True)
class Review:
    """A game judged. `view` is the seat whose own record it is, None where all cards are known; `iterations` the most
    worlds that a decision was given, None without such a limit; `turning_points` are plies, the greatest loss first.
    `complete` is false when it was interrupted: then only the first plies are there. `comment` is that of the record
    before the first move."""

    game: str
    players: tuple[str, ...]
    start: str
    view: int | None
    result: str
    returns: tuple[float, ...] | None
    equity: str | None
    seed: int
    iterations: int | None
    accuracy: str
    complete: bool
    plies: tuple[Ply, ...]
    decisions: tuple[Decision, ...]
    events: tuple[Event, ...]
    summary: tuple[Summary, ...]
    turning_points: tuple[int, ...]
    comment: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, ready for JSON."""
        return {
            "schema": 1,
            **fields_of(self),
            "players": list(self.players),
            "returns": list(self.returns) if self.returns else None,
            "plies": [{**fields_of(ply), "shares": list(ply.shares)} for ply in self.plies],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "events": [event.to_dict() for event in self.events],
            "summary": [row.to_dict() for row in self.summary],
            "turning_points": list(self.turning_points),
        }


def review(
    record: Record,
    limit: Limit | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress = None,
) -> Review:
    """Judges every move of a record: of all players where all cards are known, else of the one whose record it is.

    `limit`: how many worlds each decision is given (iterations), or how long (seconds). With the first the result does
    not depend on threads. What an earlier review wrote into the record (`annotate`) is not computed again, but for
    decisions that were not settled and that the limit gives more worlds, or more seconds, than they had. `progress` is
    given the number of playouts.
    ArgumentError (record, limit, seed, threads, progress); Interrupted, with the review of the first moves, on Ctrl-C.
    """
    if not isinstance(record, Record):
        raise ArgumentError("record", f"found {quote(record)}, expected a Record, one of read_records")
    limit = check_limit(limit)
    check_progress(progress)
    seed, threads = check_seed(seed), whole_number("threads", threads, 1, 1024)
    work = _Work(record, limit, seed)
    items = range(len(record.moves) + 1)
    found, interrupted = spread_out(items, min(threads, len(items)), work.step, select().control, progress)
    steps: list[_Step] = []
    for step in found:
        if step is None:
            break
        steps.append(step)
    if not steps:
        raise KeyboardInterrupt
    result = work.review(steps)
    if interrupted:
        raise Interrupted(result)
    return result


def check_limit(limit: object) -> Limit:
    """The limit. ArgumentError (limit) unless it is one for decisions."""
    if not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit")
    limit.needs_stop("iterations", "seconds")
    if limit.iterations == 0:
        raise ArgumentError("limit", "found 0 iterations, expected at least 1")
    return limit


def annotate(record: Record, review: Review, limit: Limit) -> Record:
    """The record with its review, made within this limit, in the comments: for people and for the next review.
    ArgumentError (record, review, limit); the review has to be of this record."""
    if not isinstance(record, Record):
        raise ArgumentError("record", f"found {quote(record)}, expected a Record")
    if not isinstance(review, Review):
        raise ArgumentError("review", f"found {quote(review)}, expected a Review")
    if not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit")
    states = [str(state) for state in record.positions()]
    reviewed = [ply.position for ply in review.plies]
    if reviewed != states[: len(reviewed)] or any(d.move != record.moves[d.ply].move for d in review.decisions):
        raise ArgumentError("review", "found one of another record")
    return write_review(record, review, limit)


@dataclass(frozen=True)
class _Step:
    """What was found about the position at a ply, and about the move made there."""

    now: Worth
    events: tuple[Event, ...] = ()
    chance: str | None = None  # an event that is known when the next position is
    before: Worth | None = None
    decision: Decision | None = None


class _Work:
    """A record on its way to a review."""

    def __init__(self, record: Record, limit: Limit, seed: int) -> None:
        self._record, self._limit, self._seed = record, limit, seed
        self._moves = tuple(played.move for played in record.moves)
        self._states = [*record.positions(), record.end]
        self._worlds = _MOST if limit.iterations is None else limit.iterations
        self._playouts = playouts_of(limit.iterations)
        self._notes = read_review(record, seed)
        deepest = max([self._worlds, *(note.verdict.worlds for note in self._notes.plies.values() if note.verdict)])
        self._iterations = None if limit.iterations is None else deepest
        self._game = GAMES[record.game]
        self._stakes = None if record.game == "cuttle" else _stakes(record)

    def step(self, ply: int, control: Control) -> _Step | None:
        """Everything about one ply; None when stopped."""
        state, seed, n = self._states[ply], sub_seed("review", self._seed, ply), self._playouts
        note = self._known(ply)
        now: Worth | None
        last = ply == len(self._record.moves)
        # The luck of the move before is the difference to what it led to, so that is computed again with it.
        if last and self._known(ply - 1):
            return _Step(Worth((), ()))
        if note and (ply == 0 or self._known(ply - 1)):
            now = Worth(note.shares, ())
        else:
            now = luck.worth(state, None, n, sub_seed("luck", seed), control)
            if now is None:
                return None
        events = note.events if note else ()
        if ply == 0:
            deal = self._notes.deal[1] if note and self._notes.deal else None
            if deal is None:
                deal = tuple(luck.deal_events(state, now, n, self._seed, control, self._moves))
            events = (*deal, *events)
        if last:
            return _Step(now, events)
        played = self._record.moves[ply]
        chance = before = None
        if note is None:
            chance = luck.event_kind(state, self._states[ply + 1], played.seen)
            before = luck.worth(state, played.move, n, sub_seed("mean", seed), control) if chance else None
        decision = None
        if self._record.seat in (None, played.seat):
            decision = self._judge(ply, played, seed, control)
            if decision is None:
                return None
        return _Step(now, events, chance, before, decision)

    def _known(self, ply: int) -> Note | None:
        """What an earlier review says of the shares and the luck of a ply, unless more playouts say it better."""
        note, deal = self._notes.plies.get(ply), self._notes.deal
        if note is None or note.playouts < self._playouts:
            return None
        return note if ply or (deal and deal[0] >= self._playouts) else None

    def _judge(self, ply: int, played: Played, seed: int, control: Control) -> Decision | None:
        state = self._states[ply]
        view = state if isinstance(state, View) else state.view(played.seat)
        kind = kind_of(view, played.move)
        if len(view.legal_moves()) == 1:
            return Decision(
                ply, played.seat, kind, str(view), played.move, True, played.move, None, None, 0.0, 0.0, "forced",
                proven=True, settled=True, worlds=0, candidates=(), line=(), hindsight=None,
            )  # fmt: skip
        scales: list[Sequence[float]] = [EDGES]
        if self._stakes:
            spread, trick = (row[played.seat] for row in self._stakes)
            scales.append(tuple(edge * spread for edge in DEAL_EDGES))
        note = self._notes.plies.get(ply)
        found = note.verdict if note else None
        if note is None or not note.suffices(self._limit):
            fresh = judge(view, played.move, self._worlds, seed, control, scales, self._limit.seconds)
            if fresh is None:
                return None
            if found is None or fresh.worlds > found.worlds:  # in as many seconds it may be less than before
                found, note = fresh, None
        assert found is not None
        grade = grade_of(found.loss, found.stderr)
        if note:
            line, hindsight = note.line, Hindsight(*note.hindsight) if note.hindsight else None
        else:
            line = () if found.best == played.move else _line_of(view, found, seed)
            hindsight = _hindsight(state, played.move)
        more: dict[str, Any] = {}
        if self._stakes:
            more = {
                "tricks": round(found.loss / trick, 5),
                "stakes": round(found.loss / spread, 5),
                "deal_grade": grade_of(found.loss, found.stderr, scales[1]),
            }
        return Decision(
            ply, played.seat, kind, str(view), played.move, False, found.best, found.value, found.best_value,
            found.loss, found.stderr, grade, found.proven, found.settled, found.worlds, found.candidates, line,
            hindsight, **more,
        )  # fmt: skip

    def review(self, steps: list[_Step]) -> Review:
        """The review of what there is."""
        record, outcome = self._record, self._record.end.outcome
        whole = len(steps) == len(self._states)
        events = [*steps[0].events]
        for ply, (step, after) in enumerate(pairwise(steps)):
            if step.chance and step.before:
                events += luck.rows(ply, step.chance, record.moves[ply].seat, step.before, after.now)
            if ply:
                events += step.events
        decisions = tuple(step.decision for step in steps if step.decision)
        numbers, turn, plies = record.numbers(), 0, []
        for ply, (step, played) in enumerate(zip(steps, record.moves, strict=False)):
            turn = numbers[ply] or turn
            shares = tuple(round(share, 5) for share in step.now.shares)
            plies.append(Ply(ply, turn, played.seat, played.move, str(self._states[ply]), shares, played.comment))
        returns = outcome.returns if outcome else None
        names = tuple(record.headers.get(f"Player{seat}") or f"seat {seat}" for seat in range(self._game.seats))
        return Review(
            game=record.game,
            players=names,
            start=str(record.start),
            view=record.seat,
            result=record.result,
            returns=returns,
            equity=self._game.equity,
            seed=self._seed,
            iterations=self._iterations,
            accuracy=ACCURACY,
            complete=whole,
            plies=tuple(plies),
            decisions=decisions,
            events=tuple(events),
            summary=tuple(
                _summary(seat, name, decisions, events, returns if whole else None, record, self._seed)
                for seat, name in enumerate(names)
            ),
            turning_points=_turning_points(decisions),
            comment=record.comment,
        )


def kind_of(view: View, move: str) -> str:
    """What kind of decision a move is."""
    keys = view.to_dict()
    if view.game == "buck_euchre":
        stage: str = keys["stage"]
        return stage if stage != "play" else "follow" if keys["trick"] else "lead"
    if move in ("draw", "pass"):
        return "draw"
    if move == "ok" or move[0] == "c":
        return "counter"
    if move[0] in "td":
        return {"t": "take", "d": "discard"}[move[0]]
    if "x" in move:
        return "scuttle"
    if "@" in move:
        return "jack" if move[0] == "J" else "permanent" if move[0] in "8QK" else "one-off"
    return "points"


def _stakes(record: Record) -> tuple[luck.Row, luck.Row]:
    """Of a deal of Buck Euchre, for each seat: the standard deviation of the share of the match that it leaves, and
    what one trick is worth at these scores."""
    dealer, scores = luck.dealer_and_scores(record.start)
    assert scores is not None
    before, following = [int(score) for score in scores], (dealer + 1) % 4
    level = equity(before, following)
    tricks = []
    for seat in range(4):
        after = [score - (other == seat) for other, score in enumerate(before)]
        tricks.append((equity(after, following)[seat] if after[seat] > 0 else 1.0) - level[seat])
    return luck.spread_of(record.start), tuple(max(trick, 1e-5) for trick in tricks)


def _line_of(view: View, found: Verdict, seed: int) -> tuple[str, ...]:
    """What a short search expects after the best move."""
    rows = analyze(view, _LINE, seed).moves
    return next((row.line[1:_LONGEST_LINE] for row in rows if row.move == found.best), ())


def _hindsight(state: Position | View, move: str) -> Hindsight | None:
    """What a move lost if all had seen all cards, where that can be solved soon."""
    if isinstance(state, View):
        return None
    solution = solve(state, _HINDSIGHT if state.game == "cuttle" else None)
    seat = state.to_move
    assert seat is not None
    if isinstance(solution, CuttleSolution):
        values: dict[str, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}
        worths = {row.move: values[row.result] for row in solution.moves if row.result in values}
        if move not in worths or (len(worths) < len(solution.moves) and max(worths.values()) < 1):
            return None
    else:
        assert isinstance(solution, BuckSolution)
        worths = {row.move: row.values[seat] for row in solution.moves if row.values}  # type: ignore[misc]
    best = max(worths, key=lambda name: (worths[name], name == move))
    return Hindsight(round(worths[best] - worths[move], 5), best)


def accuracy(loss: float) -> float:
    """The accuracy of a move, 0 to 100, by the curve that lichess publishes for a loss of win chances in percent."""
    return min(max(103.1668 * math.exp(-0.04354 * 100 * loss) - 3.1669, 0.0), 100.0)


def _summary(
    seat: int,
    name: str,
    decisions: Sequence[Decision],
    events: Sequence[Event],
    returns: Sequence[float] | None,
    record: Record,
    seed: int,
) -> Summary:
    own = [decision for decision in decisions if decision.player == seat and not decision.forced]
    grades: dict[str, int] = {}
    deal_grades: dict[str, int] = {}
    kinds: dict[str, dict[str, float]] = {}
    for decision in own:
        grades[decision.grade] = grades.get(decision.grade, 0) + 1
        if decision.deal_grade:
            deal_grades[decision.deal_grade] = deal_grades.get(decision.deal_grade, 0) + 1
        kind = kinds.setdefault(decision.kind, {"decisions": 0, "loss": 0.0})
        kind["decisions"] += 1
        kind["loss"] = round(kind["loss"] + decision.loss, 5)
    wrong = [(decision.deal_grade or decision.grade) in ERRORS for decision in own]
    chance = math.fsum(event.luck for event in events if event.player == seat)
    buck = record.game == "buck_euchre"
    return Summary(
        player=seat,
        name=name,
        decisions=len(own),
        accuracy=round(math.fsum(accuracy(d.loss) for d in own) / len(own), 2) if own else None,
        errors_per_1000=round(1000 * sum(wrong) / len(own), 1) if own else None,
        interval=_bootstrap(wrong, sub_seed("bootstrap", seed, seat)) if own else None,
        grades=grades,
        kinds=kinds,
        loss=round(math.fsum(decision.loss for decision in own), 5),
        luck=round(chance, 5),
        adjusted=None if returns is None else round(returns[seat] - chance, 5),
        deal_grades=deal_grades if buck else None,
        set=_times_set(record, seat) if buck else None,
    )


def _bootstrap(wrong: Sequence[bool], seed: int) -> tuple[float, float]:
    """Where 95 % of the rates lie when as many decisions are drawn from these, with replacement."""
    draw, n = random.Random(seed), len(wrong)
    rates = sorted(sum(draw.choices(wrong, k=n)) for _ in range(_BOOTSTRAP))
    low, high = rates[_BOOTSTRAP // 40], rates[-1 - _BOOTSTRAP // 40]
    return round(1000 * low / n, 1), round(1000 * high / n, 1)


def _times_set(record: Record, seat: int) -> int:
    """Whether the seat made trumps and took fewer than three tricks (B11)."""
    outcome = record.end.outcome
    if outcome is None or outcome.tricks is None:
        return 0
    return int(record.end.to_dict()["maker"] == seat and outcome.tricks[seat] < 3)


def _turning_points(decisions: Sequence[Decision]) -> tuple[int, ...]:
    wrong = [d for d in decisions if d.grade in ERRORS or d.deal_grade in ERRORS]
    return tuple(d.ply for d in sorted(wrong, key=lambda d: -d.loss)[:_POINTS])
