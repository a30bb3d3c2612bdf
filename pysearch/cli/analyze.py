"""pysearch analyze: ranks the moves of a position."""

from typing import TYPE_CHECKING

import click

import pysearch
from pysearch import Limit
from pysearch.cli.output import bar, counted, draw, make_console, one_line, progress_line, write, write_json
from pysearch.cli.source import Entry, position_argument, read_entries, real, whole

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pysearch import Analysis, Explanation

SECONDS = 1.0
WITH_BAR, WITH_LINE = 80, 50  # characters that a screen must have for these columns
ROWS = 20  # of the drawn table, unless --top asks for more; JSON has every move


@click.command(short_help="Rank the moves of a position.")
@position_argument
@click.option("--seconds", type=real("seconds"), metavar="S",
              help=f"Time to search; {SECONDS:g} unless iterations are given.")  # fmt: skip
@click.option("--iterations", type=whole("iterations"), metavar="N",
              help="Iterations to search; the result is then reproducible.")  # fmt: skip
@click.option("--seed", type=whole("seed"), default=0, show_default=True, metavar="N",
              help="Seed of all random choices.")  # fmt: skip
@click.option("--threads", type=whole("threads"), default=1, show_default=True, metavar="N",
              help="Threads to search with.")  # fmt: skip
@click.option("--top", type=whole("top"), metavar="K", help="Show the best K moves only.")
@click.option("--method", default="ismcts", show_default=True, metavar="M", help="Way of searching.")
@click.option("--explain", is_flag=True, help="Say what the moves are worth with open cards, and where cards may be.")
@click.option("--worlds", type=whole("worlds"), metavar="N", help="Worlds that --explain looks at.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    words: tuple[str, ...],
    seconds: float | None,
    iterations: int | None,
    seed: int,
    threads: int,
    top: int | None,
    method: str,
    explain: bool,
    worlds: int | None,
    as_json: bool,
) -> None:
    """Rank the moves of the seat to move in the position POS, from what that seat knows.

    A file may hold several positions: each is analysed in turn.
    """
    if seconds is None and iterations is None:
        seconds = SECONDS
    if worlds is not None and not explain:
        raise click.UsageError("worlds: given without --explain")
    limit = Limit(seconds=seconds, iterations=iterations)
    entries = read_entries(words)
    if as_json and len(entries) > 1:
        raise click.UsageError(f"position: --json prints one document, {len(entries)} positions found")
    for number, entry in enumerate(entries):
        if number:
            write("")
        interrupted, why = False, None
        try:
            with progress_line("iterations") as progress:
                result = pysearch.analyze(entry.position, limit, seed, threads, top, method, progress)
        except pysearch.Interrupted as stop:
            result, interrupted = stop.result, True
        if explain and not interrupted:
            try:
                with progress_line("worlds") as progress:
                    why = pysearch.explain(entry.position, None, seed, worlds, progress)
            except KeyboardInterrupt as stop:
                why, interrupted = getattr(stop, "result", None), True
        if as_json:
            write_json(result.to_dict() | ({"explain": why.to_dict()} if why else {}))
        else:
            draw(*drawing(entry, result, top), *(reasons(why, top) if why else ()))
        if interrupted:
            raise KeyboardInterrupt


def drawing(entry: Entry, result: "Analysis", top: int | None) -> list["RenderableType"]:
    """What the seat sees, the ranked moves and the best line."""
    from rich.table import Table

    from pysearch.cli.table import draw_position

    width = make_console().width
    moves = result.moves[: top or ROWS]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("move", style="bold", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("error", justify="right", no_wrap=True)
    if width >= WITH_BAR:
        table.add_column("", no_wrap=True, style="green")
    table.add_column("visits", justify="right", no_wrap=True)
    if width >= WITH_LINE:
        table.add_column("line", style="dim")
    for row in moves:
        known = row.value is not None
        cells: list[RenderableType] = [
            row.move,
            f"{row.value:.1%}" if row.value is not None else "-",
            f"±{row.stderr:.1%}" if row.stderr is not None else "",
        ]
        if width >= WITH_BAR:
            cells.append(bar(row.value) if row.value is not None else "")
        cells.append(f"{row.visits:,}")
        if width >= WITH_LINE:
            # The one column that rich may make narrower, and its text is cut then.
            cells.append(one_line(" ".join(row.line[1:]) if known else ""))
        table.add_row(*cells)
    rest = len(result.moves) - len(moves)
    foot: list[RenderableType] = [f"and {counted(rest, 'more move')}"] if rest else []
    foot.append(one_line(f"best: {' '.join(result.moves[0].line)}"))
    foot.append(f"{counted(result.iterations, 'iteration')} of {result.method}, seed {result.seed}")
    return [*draw_position(pysearch.parse(result.position), entry.title), "", table, "", *foot]


def reasons(why: "Explanation", top: int | None) -> list["RenderableType"]:
    """The moves with open cards, and the cards that are not in sight."""
    from rich.table import Table

    from pysearch.cli.table import cards

    moves = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    moves.add_column("move", style="bold", no_wrap=True)
    for name in ("value", "error", "ahead", "best"):
        moves.add_column(name, justify="right", no_wrap=True)
    shown = why.moves[: top or ROWS]
    for row in shown:
        error = "" if row.stderr is None else f"±{row.stderr:.1%}"
        moves.add_row(row.move, f"{row.value:.1%}", error, f"{row.ahead:.0%}", f"{row.best:.0%}")
    rest = len(why.moves) - len(shown)
    error = "" if why.stderr is None else f" ±{why.stderr:.1%}"
    foot: list[RenderableType] = [f"and {counted(rest, 'more move')}"] if rest else []
    foot.append(f"to see all cards would be worth {why.price:.1%}{error}; ahead: above {why.level:.1%}")
    drawn: list[RenderableType] = ["", f"with open cards, in {counted(why.worlds, 'world')}:", moves, *foot]

    # Cards that may lie in the same places share a row; those whose place is certain are no question.
    rows: dict[tuple[float, ...], list[str]] = {}
    for card in why.cards:
        if max(card.chances) < 1:
            rows.setdefault(card.chances, []).append(card.card)
    if rows:
        columns = [i for i in range(len(why.places)) if any(chances[i] for chances in rows)]
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("cards")
        for i in columns:
            table.add_column(why.places[i], justify="right", no_wrap=True)
        for chances, names in rows.items():
            shares = (chances[i] for i in columns)
            table.add_row(cards("".join(names)), *(f"{chance:.0%}" if chance else "-" for chance in shares))
        drawn += ["", "cards out of sight:", table]
    return drawn
