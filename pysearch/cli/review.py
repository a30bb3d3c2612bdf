"""pysearch review: what was good and bad in a game."""

import importlib
import os
import stat
import sys
import tempfile
from typing import TYPE_CHECKING, Any

import click

import pysearch
from pysearch import Limit
from pysearch.cli.output import draw, one_line, progress_line, write, write_json
from pysearch.cli.source import check_target, real, whole
from pysearch.errors import ArgumentError, quote
from pysearch.grade import GRADES
from pysearch.record_text import shown
from pysearch.review import annotate

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pysearch import Record, Review

ITERATIONS = 1_000_000  # a game of Cuttle in some five seconds of one processor
ROWS = 20


@click.command(short_help="Grade every decision of a game record.")
@click.argument("file", metavar="FILE", required=False)
@click.option("--iterations", type=whole("iterations"), metavar="N",
              help=f"Worlds for each decision; {ITERATIONS} unless seconds are given.")  # fmt: skip
@click.option("--seconds", type=real("seconds"), metavar="S", help="Time for each decision.")
@click.option("--seed", type=whole("seed"), default=0, show_default=True, metavar="N",
              help="Seed of all random choices.")  # fmt: skip
@click.option("--threads", type=whole("threads"), metavar="N", help="Threads to work with; all processors by default.")
@click.option("--only", type=whole("only"), metavar="K", help="Review the K-th game of the file only.")
@click.option("--html", metavar="OUT", help="Write a page with the whole review to OUT.")
@click.option(
    "--write", "into_file", is_flag=True, help="Write the review into FILE, as comments; what # begins is lost."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    file: str | None,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    threads: int | None,
    only: int | None,
    html: str | None,
    into_file: bool,
    as_json: bool,
) -> None:
    """Grade every decision of the games in FILE, a game record, from what its player knew.

    What an earlier review has written into the file is not computed again.
    """
    if not file:
        raise click.UsageError("file: left out, expected a game record, or - for standard input")
    if iterations is None and seconds is None:
        iterations = ITERATIONS
    if threads is None:
        threads = os.cpu_count() or 1
    limit = Limit(iterations=iterations, seconds=seconds)
    records = pysearch.read_records(sys.stdin.read() if file == "-" else file)
    if not records:
        raise click.UsageError(f"file: found no game in {'standard input' if file == '-' else quote(file)}")
    if only is not None and not 1 <= only <= len(records):
        raise click.UsageError(f"only: found {only}, expected 1 to {len(records)}")
    chosen = range(len(records)) if only is None else range(only - 1, only)
    if html is not None:
        if len(chosen) > 1:
            raise click.UsageError(f"html: a page shows one game, {len(chosen)} found; choose with --only")
        check_target("html", html, file, "the record itself")
    if into_file:
        _check_file(file)
    reviews: list[Review] = []
    interrupted = False
    for number in chosen:
        try:
            with progress_line("playouts") as progress:
                result = pysearch.review(records[number], limit, seed, threads, progress)
        except KeyboardInterrupt as stop:
            interrupted = True
            if not isinstance(stop, pysearch.Interrupted):
                break
            result = stop.result
        reviews.append(result)
        if into_file:
            records[number] = annotate(records[number], result, limit)
            _save(file, records)
        if not as_json:
            if number > chosen[0]:
                write("")
            draw(*drawing(result))
        if interrupted:
            break
    if html and reviews:
        write_page(reviews[0].to_dict(), html)
    if as_json and reviews:
        documents = [review.to_dict() for review in reviews]
        games = {document["game"] for document in documents}
        several = {"schema": 1, "game": games.pop() if len(games) == 1 else None, "reviews": documents}
        write_json(documents[0] if len(chosen) == 1 else several)
    if interrupted:
        raise KeyboardInterrupt


def _check_file(file: str) -> None:
    """ArgumentError (write) where the record cannot be written."""
    if not os.path.isfile(file) or os.path.abspath(file).startswith(("/dev/", "/proc/")):
        raise ArgumentError("write", f"{quote(file)} is not a file to write into")
    if not (os.access(file, os.W_OK) and os.access(os.path.dirname(os.path.realpath(file)), os.W_OK)):
        raise ArgumentError("write", f"cannot write file {quote(file)}: permission denied")


def write_page(document: dict[str, Any], path: str) -> None:
    """Writes a review as a page."""
    try:
        report = importlib.import_module("pysearch.report")
    except ModuleNotFoundError as error:
        raise ArgumentError("html", f"this installation cannot write pages: {error}") from error
    try:
        report.write_html(document, path)
    except ArgumentError as error:
        raise ArgumentError("html", error.message) from error


def _save(file: str, records: "list[Record]") -> None:
    """Writes the file anew, whole or not at all, its lines ending as they did. Comments by #, which no record holds,
    are lost."""
    target = os.path.realpath(file)
    try:
        with open(target, "rb") as stream:
            ending = "\r\n" if stream.readline().endswith(b"\r\n") else "\n"
        handle, beside = tempfile.mkstemp(prefix=f"{os.path.basename(target)}.", dir=os.path.dirname(target))
        try:
            with open(handle, "w", encoding="utf-8", newline=ending) as text:
                text.write("\n".join(f"{record}\n" for record in records))
                text.flush()
                os.chmod(beside, stat.S_IMODE(os.stat(target).st_mode))
                os.fsync(text.fileno())
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise ArgumentError("write", f"cannot write file {quote(file)}: {(error.strerror or '').lower()}") from error


def drawing(review: "Review") -> "list[RenderableType]":
    """The players, then the decisions that were errors."""
    from rich.table import Table

    buck = review.game == "buck_euchre"
    players = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    players.add_column("seat")
    players.add_column("player", style="bold")
    for name in ("decisions", "accuracy", "errors per 1,000", "loss", "luck", "result", "less luck"):
        players.add_column(name, justify="right", no_wrap=True)
    for row in review.summary:
        interval = f" ({row.interval[0]:.0f} to {row.interval[1]:.0f})" if row.interval else ""
        players.add_row(
            str(row.player),
            shown(row.name),
            str(row.decisions),
            "-" if row.accuracy is None else f"{row.accuracy:.1f}",
            "-" if row.errors_per_1000 is None else f"{row.errors_per_1000:.0f}{interval}",
            f"{row.loss:.1%}" if row.decisions else "-",
            f"{row.luck:+.1%}",
            f"{review.returns[row.player]:.1%}" if review.returns else "-",
            "-" if row.adjusted is None else f"{row.adjusted:.1%}",
        )
    turns = {ply.ply: ply.turn for ply in review.plies}
    digits = 2 if buck else 1
    marked = {d.ply: d for d in review.decisions if d.ply in review.turning_points}
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for name, justify in (("turn", "right"), ("seat", "left"), ("player", "left"), ("move", "left"), ("grade", "left"),
                          ("loss", "right"),
                          ("error", "right"), ("better", "left")):  # fmt: skip
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    if buck:
        table.add_column("tricks", justify="right", no_wrap=True)
        table.add_column("of stakes", justify="right", no_wrap=True)
    for ply in review.turning_points[:ROWS]:
        d = marked[ply]
        cells = [
            str(turns[ply]), str(d.player), shown(review.players[d.player]), d.move,
            d.deal_grade or d.grade if buck else d.grade,
            f"{d.loss:.{digits}%}", f"±{d.stderr:.{digits}%}", " ".join((d.best, *d.line)),
        ]  # fmt: skip
        table.add_row(*cells, *([f"{d.tricks:.1f}", f"{d.stakes:.1%}"] if buck else []))
    counts: dict[str, int] = {}
    for d in review.decisions:
        name = d.deal_grade or d.grade
        counts[name] = counts.get(name, 0) + 1
    graded = ", ".join(f"{counts[name]} {name}" for name in GRADES if name in counts)
    ending = "" if review.complete else ", interrupted"
    measure = "by the deal's stakes: " if buck and graded else ""
    foot = one_line(f"{measure}{graded or 'no decision'}; seed {review.seed}{ending}")
    head = f"{review.game}, {review.result}, {len(review.plies)} moves"
    errors: list[RenderableType] = [table, ""] if review.turning_points else []
    return [head, "", players, "", *errors, foot]
