"""pysearch analyze: ranks the moves of a position."""

from typing import TYPE_CHECKING

import click

import pysearch
from pysearch import Limit
from pysearch.cli.output import bar, draw, progress_line, write, write_json
from pysearch.cli.source import Entry, read_entries

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pysearch import Analysis

SECONDS = 1.0
ROWS = 20  # of the drawn table, unless --top asks for more; JSON has every move


@click.command(short_help="Rank the moves of a position.")
@click.argument("words", metavar="POS", nargs=-1, required=True)
@click.option("--seconds", type=float, metavar="S", help=f"Time to search; {SECONDS:g} unless iterations are given.")
@click.option("--iterations", type=int, metavar="N", help="Iterations to search; the result is then reproducible.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of all random choices.")
@click.option("--threads", type=int, default=1, show_default=True, metavar="N", help="Threads to search with.")
@click.option("--top", type=int, metavar="K", help="Show the best K moves only.")
@click.option("--method", default="ismcts", show_default=True, metavar="M", help="Way of searching.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    words: tuple[str, ...],
    seconds: float | None,
    iterations: int | None,
    seed: int,
    threads: int,
    top: int | None,
    method: str,
    as_json: bool,
) -> None:
    """Rank the moves of the seat to move in the position POS, from what that seat knows.

    A file may hold several positions: each is analysed in turn.
    """
    if seconds is None and iterations is None:
        seconds = SECONDS
    limit = Limit(seconds=seconds, iterations=iterations)
    entries = read_entries(words)
    if as_json and len(entries) > 1:
        raise click.UsageError(f"position: --json prints one document, {len(entries)} positions found")
    for number, entry in enumerate(entries):
        if number:
            write("")
        interrupted = False
        try:
            with progress_line("iterations") as progress:
                result = pysearch.analyze(entry.position, limit, seed, threads, top, method, progress)
        except pysearch.Interrupted as stop:
            result, interrupted = stop.result, True
        if as_json:
            write_json(result.to_dict())
        else:
            draw(*drawing(entry, result, top))
        if interrupted:
            raise KeyboardInterrupt


def drawing(entry: Entry, result: "Analysis", top: int | None) -> list["RenderableType"]:
    """What the seat sees, the ranked moves and the best line."""
    from rich.table import Table

    from pysearch.cli.table import draw_position

    moves = result.moves[: top or ROWS]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("move", style="bold", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("error", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, style="green")
    table.add_column("visits", justify="right", no_wrap=True)
    table.add_column("line", no_wrap=True, overflow="ellipsis", style="dim")
    for row in moves:
        known = row.value is not None
        table.add_row(
            row.move,
            f"{row.value:.1%}" if row.value is not None else "-",
            f"±{row.stderr:.1%}" if row.stderr is not None else "",
            bar(row.value) if row.value is not None else "",
            f"{row.visits:,}",
            " ".join(row.line[1:]) if known else "",
        )
    rest = len(result.moves) - len(moves)
    foot = [f"and {rest} more moves"] if rest else []
    foot.append(f"best: {' '.join(result.moves[0].line)}")
    foot.append(f"{result.iterations:,} iterations of {result.method}, seed {result.seed}")
    return [*draw_position(pysearch.parse(result.position), entry.title), "", table, "", *foot]
