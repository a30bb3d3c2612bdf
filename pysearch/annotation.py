"""Reviews written into game records as comments, and read again, so that nothing is computed twice.

Behind a move stand `[%val 0.53] [%best 9HxTD] [%grade mistake]`, for everybody: the share of the win of the player with
the best move, that move, and what his own is called. The rest is for this program: `loss` and its error; `worlds`
looked at, and "proven", "settled" or "open"; `moves`, the candidates; `line`, `hindsight`, `shares` of all seats, and
`luck`. What the whole review was made with, and the luck of the deal, stand in the headers Review and Luck.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pysearch.grade import Candidate, Verdict
from pysearch.luck import Event, Row
from pysearch.records import Played, Record

VERSION = "1"  # of what the numbers mean
FIELDS = ("val", "best", "grade", "loss", "worlds", "moves", "line", "hindsight", "shares", "luck")


@dataclass(frozen=True)
class Note:
    """What is known of a ply: shares of all seats before it; the luck of the move; what it is worth, what follows the
    best move; loss and best move in hindsight. Forced moves have no verdict."""

    shares: Row
    events: tuple[Event, ...]
    forced: bool
    verdict: Verdict | None
    line: tuple[str, ...]
    hindsight: tuple[float, str] | None


@dataclass(frozen=True)
class Notes:
    """What an earlier review left in a record."""

    iterations: int
    playouts: int
    seed: int
    deal: tuple[Event, ...]
    plies: dict[int, Note]


def read_review(record: Record) -> Notes | None:
    """What an earlier review left. What cannot be read is as if it were not there."""
    headers = record.headers
    with suppress(ValueError, LookupError, TypeError):
        version, iterations, playouts, seed = headers["Review"].split()
        if version != VERSION:
            return None
        deal: list[Event] = []
        for text in filter(None, headers.get("Luck", "").split(";")):
            deal += _read_events(text, 0, None)
        plies = {}
        for ply, played in enumerate(record.moves):
            with suppress(ValueError, LookupError, TypeError):
                plies[ply] = _read_note(played, ply)
        return Notes(int(iterations), int(playouts), int(seed), tuple(deal), plies)
    return None


def _read_note(played: Played, ply: int) -> Note:
    fields = dict(played.fields)
    verdict = None
    if "loss" in fields:
        loss, error = map(float, fields["loss"].split())
        worlds, state = fields["worlds"].split()
        best_value = float(fields["val"])
        verdict = Verdict(
            best=fields["best"],
            value=round(best_value - loss, 5),
            best_value=best_value,
            loss=loss,
            stderr=error,
            proven=state == "proven",
            settled=state != "open",
            worlds=int(worlds),
            candidates=tuple(_read_candidate(*text.split()) for text in fields["moves"].split(",")),
        )
    hindsight = None
    if "hindsight" in fields:
        change, best = fields["hindsight"].split()
        hindsight = float(change), best
    luck = _read_events(fields["luck"], ply, played.seat) if "luck" in fields else []
    shares = tuple(map(float, fields["shares"].split()))
    line = tuple(fields.get("line", "").split())
    return Note(shares, tuple(luck), fields.get("grade") == "forced", verdict, line, hindsight)


def _read_candidate(move: str, value: str, stderr: str, loss: str, loss_stderr: str, worlds: str) -> Candidate:
    return Candidate(move, float(value), float(stderr), float(loss), float(loss_stderr), int(worlds))


def _read_events(text: str, ply: int, by: int | None) -> list[Event]:
    """`draw 0.01 -0.01 +- 0.004 0.004`."""
    kind, *numbers = text.split()
    middle = numbers.index("+-")
    pairs = zip(numbers[:middle], numbers[middle + 1 :], strict=True)
    return [Event(ply, kind, seat, float(a), float(b), by) for seat, (a, b) in enumerate(pairs)]


def write_review(record: Record, review: Any, playouts: int) -> Record:
    """The record with a review in its comments; of an interrupted one, with what is known of the first moves."""
    plies = len(review.plies) if review.complete else len(review.plies) - 1
    decisions = {decision.ply: decision for decision in review.decisions}
    headers = {key: value for key, value in record.headers.items() if key not in ("Review", "Luck")}
    headers["Review"] = f"{VERSION} {review.iterations or 0} {playouts} {review.seed}"
    kinds = list(dict.fromkeys(event.kind for event in review.events if event.by is None))
    if kinds:
        deal = [_write_events([event for event in review.events if event.kind == kind]) for kind in kinds]
        headers["Luck"] = ";".join(deal)
    made = Record(record.start, headers, record.comment)
    for ply, played in enumerate(record.moves):
        made = made.play(played.move, played.seen or None)
        fields: dict[str, object] = dict(played.fields)
        if ply < plies:
            fields = dict.fromkeys(FIELDS) | {k: v for k, v in fields.items() if k not in FIELDS}
            fields |= _fields(review, decisions.get(ply), ply)
        made = made.annotate(ply, played.comment, **fields)
    return made


def _fields(review: Any, decision: Any, ply: int) -> dict[str, object]:
    fields: dict[str, object] = {}
    if decision is not None and not decision.forced:
        state = "proven" if decision.proven else "settled" if decision.settled else "open"
        rows = (f"{c.move} {c.value} {c.stderr} {c.loss} {c.loss_stderr} {c.worlds}" for c in decision.candidates)
        fields |= {
            "val": decision.best_value,
            "best": decision.best,
            "grade": decision.grade,
            "loss": f"{decision.loss} {decision.stderr}",
            "worlds": f"{decision.worlds} {state}",
            "moves": ", ".join(rows),
            "line": " ".join(decision.line) or None,
        }
        if decision.hindsight:
            fields["hindsight"] = f"{decision.hindsight.loss} {decision.hindsight.best}"
    elif decision is not None:
        fields["grade"] = "forced"
    fields["shares"] = " ".join(map(str, review.plies[ply].shares))
    events = [event for event in review.events if event.ply == ply and event.by is not None]
    fields["luck"] = _write_events(events) if events else None
    return fields


def _write_events(events: list[Event]) -> str:
    lucks, errors = (" ".join(str(getattr(event, name)) for event in events) for name in ("luck", "stderr"))
    return f"{events[0].kind} {lucks} +- {errors}"
