"""Reviews written into game records as comments, and read again, so that nothing is computed twice.

Behind a move stand `[%val 0.53] [%best 9HxTD] [%grade mistake]`, for everybody: the share of the win of the player with
the best move, that move, and what his own is called. The rest is for this program: `loss` and its error; `worlds`
looked at, and "proven", "settled" or "open"; `moves`, the candidates; `line`, `hindsight`, `shares` of all seats, and
`luck`. `[%review 1a2b3c4d 2000 0.5]` tells what the notes of a move were made for, as a digest of it; how many playouts
the shares come from; and, where only time ended the search for worlds, how many seconds it was given, else 0. The luck
of the deal stands in the header Luck, its digest in the header Review.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from pysearch.games import GAMES
from pysearch.grade import Candidate, Verdict, budget
from pysearch.limit import Limit
from pysearch.luck import Event, Row, deal_kinds, event_kind
from pysearch.position import Position, View
from pysearch.records import Played, Record

VERSION = "3"  # of what the numbers mean
FIELDS = ("review", "val", "best", "grade", "loss", "worlds", "moves", "line", "hindsight", "shares", "luck")
PLAYOUTS = 2_000  # for the value of a position, at most
_STATES = ("proven", "settled", "open")


@dataclass(frozen=True)
class Note:
    """What is known of a ply: from so many `playouts`, shares of all seats before it and the luck of the move; what it
    is worth, found in so many `seconds` where these were short; what follows the best move; loss and best move in
    hindsight. Forced moves have no verdict."""

    playouts: int
    shares: Row
    events: tuple[Event, ...]
    seconds: float
    verdict: Verdict | None
    line: tuple[str, ...]
    hindsight: tuple[float, str] | None

    def suffices(self, limit: Limit) -> bool:
        """Would a search within this limit say nothing new about the move?"""
        found, worlds, seconds = self.verdict, limit.iterations, limit.seconds
        if found is None or found.settled:
            return found is not None
        return (worlds is not None and found.worlds >= budget(worlds)) or (seconds or math.inf) <= self.seconds


@dataclass(frozen=True)
class Notes:
    """What earlier reviews with this seed left in a record. `deal` is the luck of the deal and how many playouts it
    comes from, None where that is not known."""

    deal: tuple[int, tuple[Event, ...]] | None
    plies: dict[int, Note]


def playouts_of(iterations: int | None) -> int:
    """How many playouts tell what a position is worth, in a review with so many iterations."""
    return min(iterations, PLAYOUTS) if iterations else PLAYOUTS


def read_review(record: Record, seed: int) -> Notes:
    """What earlier reviews left. What does not fit, or cannot be read, is as if it were not there."""
    deal = None
    with suppress(ValueError, LookupError):
        deal = _read_deal(record, seed)
    plies = {}
    states = [*record.positions(), record.end]
    for ply, played in enumerate(record.moves):
        with suppress(ValueError, LookupError):
            fields = dict(played.fields)
            made = _read_made(fields["review"], _about(states[ply], ply, played, seed))
            own = record.seat in (None, played.seat)
            plies[ply] = _read_note(fields, *made, ply, played, states[ply], states[ply + 1], own)
    return Notes(deal, plies)


def _about(state: Position | View, ply: int, played: Played, seed: int) -> str:
    """What the notes of a ply follow from, but for the limit."""
    return f"{ply} {state} {played} {seed}"


def _about_deal(record: Record, seed: int) -> str:
    return f"deal {record.start} {' '.join(map(str, record.moves))} {seed}"


def _made(about: str, playouts: int, seconds: float) -> str:
    """`1a2b3c4d 2000 0.5`: what notes were made for, and how."""
    how = f"{playouts} {seconds:g}"
    return f"{blake2b(f'{VERSION} {about} {how}'.encode(), digest_size=4).hexdigest()} {how}"


def _read_made(text: str, about: str) -> tuple[int, float]:
    _, playouts, seconds = text.split()
    made = _whole(playouts), _real(seconds, 0, math.inf)
    _need(text == _made(about, *made))
    return made


def _need(sound: bool) -> None:
    if not sound:
        raise ValueError


def _real(text: str, low: float = 0, high: float = 1) -> float:
    value = float(text)
    _need(math.isfinite(value) and low <= value <= high)
    return value


def _whole(text: str) -> int:
    _need(text.isascii() and text.isdigit() and len(text) < 20)
    return int(text)


def _read_deal(record: Record, seed: int) -> tuple[int, tuple[Event, ...]]:
    version, made = record.headers["Review"].split(maxsplit=1)
    _need(version == VERSION)
    playouts, _ = _read_made(made, _about_deal(record, seed))
    texts = list(filter(None, record.headers.get("Luck", "").split(";")))
    kinds = deal_kinds(record.start)
    events: list[Event] = []
    for kind, text in zip(kinds, texts, strict=True):
        events += _read_events(text, 0, None, kind, record.start.seats)
    return playouts, tuple(events)


def _read_note(
    fields: dict[str, str],
    playouts: int,
    seconds: float,
    ply: int,
    played: Played,
    before: Position | View,
    after: Position | View,
    own: bool,
) -> Note:
    verdict = hindsight = None
    line: tuple[str, ...] = ()
    if own and "loss" in fields:
        legal = before.legal_moves()
        verdict = _read_verdict(fields, legal)
        line = tuple(fields.get("line", "").split())
        _need(all(GAMES[before.game].read_move(move) is not None for move in line))
        if "hindsight" in fields:
            change, best = fields["hindsight"].split()
            _need(best in legal)
            hindsight = _real(change, -1), best
    shares = tuple(map(_real, fields["shares"].split()))
    _need(len(shares) == before.seats)
    kind = event_kind(before, after, played.seen)
    luck: list[Event] = []
    if "luck" in fields:
        _need(kind is not None)
        luck = _read_events(fields["luck"], ply, played.seat, kind or "", before.seats)
    else:
        _need(kind is None or isinstance(before, View))
    return Note(playouts, shares, tuple(luck), seconds, verdict, line, hindsight)


def _read_verdict(fields: dict[str, str], legal: Sequence[str]) -> Verdict:
    loss, error = fields["loss"].split()
    worlds, state = fields["worlds"].split()
    best, best_value = fields["best"], _real(fields["val"])
    rows = tuple(_read_candidate(text.split()) for text in fields["moves"].split(","))
    _need(state in _STATES and best in legal and all(row.move in legal for row in rows))
    return Verdict(
        best=best,
        value=round(best_value - _real(loss, -1), 5),
        best_value=best_value,
        loss=_real(loss, -1),
        stderr=_real(error),
        proven=state == "proven",
        settled=state != "open",
        worlds=_whole(worlds),
        candidates=rows,
    )


def _read_candidate(row: Sequence[str]) -> Candidate:
    move, value, stderr, loss, loss_stderr, worlds = row
    return Candidate(move, _real(value), _real(stderr), _real(loss, -1), _real(loss_stderr), _whole(worlds))


def _read_events(text: str, ply: int, by: int | None, kind: str, seats: int) -> list[Event]:
    """`draw 0.01 -0.01 +- 0.004 0.004`."""
    found, *numbers = text.split()
    middle = numbers.index("+-")
    _need(found == kind and middle == seats)
    pairs = zip(numbers[:middle], numbers[middle + 1 :], strict=True)
    return [Event(ply, kind, seat, _real(a, -1), _real(b), by) for seat, (a, b) in enumerate(pairs)]


def write_review(record: Record, review: Any, limit: Limit) -> Record:
    """The record with a review, made within this limit, in its comments; of an interrupted one, with what is known of
    the first moves. Of two notes on a thing, the one that comes from more playouts, or worlds, stays."""
    plies = len(review.plies) if review.complete else len(review.plies) - 1
    decisions = {decision.ply: decision for decision in review.decisions}
    old = read_review(record, review.seed)
    playouts = playouts_of(limit.iterations)
    headers = record.headers
    if (review.complete or plies > 0) and not (old.deal and old.deal[0] > playouts):
        headers = _headers(record, review, playouts)
    made = Record(record.start, headers, record.comment)
    for ply, (state, played) in enumerate(zip(record.positions(), record.moves, strict=True)):
        made = made.play(played.move, played.seen or None)
        fields: dict[str, object] = dict(played.fields)
        if ply < plies:
            note, decision = old.plies.get(ply), decisions.get(ply)
            kept = fields if note else {}
            if not (note and note.playouts > playouts):
                kept = kept | _shares(review, ply)
            if not (note and note.verdict and decision and note.verdict.worlds > decision.worlds):
                kept = kept | _verdict(decision)
            how = (
                max(playouts, note.playouts if note else 0),
                max(_seconds(decision, limit), note.seconds if note else 0),
            )
            kept["review"] = _made(_about(state, ply, played, review.seed), *how)
            own = {name: kept.get(name) for name in FIELDS}
            fields = own | {name: value for name, value in fields.items() if name not in FIELDS}
        made = made.annotate(ply, played.comment, **fields)
    return made


def _seconds(decision: Any, limit: Limit) -> float:
    """How long a decision was given, where more time would have brought more worlds."""
    if decision is None or decision.settled or limit.seconds is None:
        return 0
    return limit.seconds if limit.iterations is None or decision.worlds < budget(limit.iterations) else 0


def _headers(record: Record, review: Any, playouts: int) -> dict[str, str]:
    """The headers with the luck of the deal."""
    headers = {key: value for key, value in record.headers.items() if key not in ("Review", "Luck")}
    headers["Review"] = f"{VERSION} {_made(_about_deal(record, review.seed), playouts, 0)}"
    kinds = list(dict.fromkeys(event.kind for event in review.events if event.by is None))
    if kinds:
        deal = [_write_events([event for event in review.events if event.kind == kind]) for kind in kinds]
        headers["Luck"] = ";".join(deal)
    return headers


def _verdict(decision: Any) -> dict[str, object]:
    """What is said of a decision."""
    if decision is None or decision.forced:
        return {"grade": "forced"} if decision else {}
    state = "proven" if decision.proven else "settled" if decision.settled else "open"
    rows = (f"{c.move} {c.value} {c.stderr} {c.loss} {c.loss_stderr} {c.worlds}" for c in decision.candidates)
    hindsight = decision.hindsight
    return {
        "val": decision.best_value,
        "best": decision.best,
        "grade": decision.grade,
        "loss": f"{decision.loss} {decision.stderr}",
        "worlds": f"{decision.worlds} {state}",
        "moves": ", ".join(rows),
        "line": " ".join(decision.line) or None,
        "hindsight": f"{hindsight.loss} {hindsight.best}" if hindsight else None,
    }


def _shares(review: Any, ply: int) -> dict[str, object]:
    """What a position is worth to all seats, and the luck of the move."""
    events = [event for event in review.events if event.ply == ply and event.by is not None]
    shares = " ".join(map(str, review.plies[ply].shares))
    return {"shares": shares, "luck": _write_events(events) if events else None}


def _write_events(events: list[Event]) -> str:
    lucks, errors = (" ".join(str(getattr(event, name)) for event in events) for name in ("luck", "stderr"))
    return f"{events[0].kind} {lucks} +- {errors}"
