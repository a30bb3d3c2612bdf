"""pysearch bench: how fast the engine is here, and whether it computes what it should."""

import sys
from typing import TYPE_CHECKING, Any

import click

import pysearch
from pysearch.cli.output import draw, progress_line, tell, write, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from pysearch.bench import Bench, Figure


@click.command(short_help="Measure throughput and print the signature.")
@click.option("--quick", is_flag=True, help="Measure for seconds only; the signature is the same.")
@click.option("--peers", "with_peers", is_flag=True, help="Compare with OpenSpiel and DDS too, as a Markdown table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(quick: bool, with_peers: bool, as_json: bool) -> None:
    """Measure playouts, move generation, search, solvers and play over fixed positions of both games.

    Rates are per second of CPU time on one thread: the median of several passes, and behind it how much less and
    more the others came to. The signature is a hash of the results, the same on every machine.
    """
    from pysearch.bench import bench, check_peers, peers

    if with_peers:
        check_peers()
    interrupted = False
    compared: dict[str, Any] | None = None
    try:
        with progress_line("pieces of work") as progress:
            result = bench(quick, progress)
    except pysearch.Interrupted as stop:
        result, interrupted = stop.result, True
    if not as_json:
        draw(head(result), drawing(result))
        if result.starts:
            draw("", starts(result))
    if with_peers and not interrupted:
        if sys.stderr is not None and sys.stderr.isatty():
            tell("now beside OpenSpiel and DDS, which takes as long again")
        try:
            compared = peers(quick)
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        extra = {"peers": {key: compared[key] for key in ("versions", "rows")}} if compared else {}
        write_json({**result.to_dict(), **extra, "complete": not interrupted})
    elif compared:
        write("\n" + compared["markdown"])
    if interrupted:
        if not as_json:
            draw("incomplete: interrupted")
        raise KeyboardInterrupt


def head(result: "Bench") -> str:
    machine = result.machine
    core = f"{machine.backend}, {machine.isa}, {machine.compiler}"
    return f"pysearch {machine.version} ({core})\n{machine.processor}, {machine.system}, {machine.python}\n"


def drawing(result: "Bench") -> "Table":
    from rich.table import Table

    from pysearch.bench import RATES, SPEEDUPS

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("a second", no_wrap=True)
    for game in result.games:
        table.add_column(game.game, justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)

    def row(label: str, figures: "list[Figure | None]", form: str) -> None:
        cells = [cell for figure in figures for cell in (("-", "") if figure is None else shown(figure, form))]
        table.add_row(label, *cells)

    for name, label in RATES.items():
        row(label, [game.rates.get(name) for game in result.games], ",.0f")
    if any(game.speedups for game in result.games):
        table.add_row("")
        table.add_row("two threads, times one")
        for name, label in SPEEDUPS.items():
            row(label, [game.speedups.get(name) for game in result.games], ".2f")
    table.add_row("")
    table.add_row("positions", *(cell for game in result.games for cell in (str(game.positions), "")))
    table.add_row("signature", *(cell for game in result.games for cell in (game.signature or "-", "")))
    return table


def starts(result: "Bench") -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("seconds to start and end", no_wrap=True)
    for title in ("CPU", "", "wall", ""):
        table.add_column(title, justify="right" if title else "left", no_wrap=True)
    labels = {"version": "pysearch --version", "import": "import pysearch", "python": "Python alone"}
    for name, (cpu, wall) in result.starts.items():
        table.add_row(labels[name], *shown(cpu, ".3f"), *shown(wall, ".3f"))
    return table


def shown(figure: "Figure", form: str) -> tuple[str, str]:
    """The median, and how far the others lie below and above it."""
    below, above = (round(100 * (end / figure.median - 1)) for end in (figure.low, figure.high))
    return format(figure.median, form), f"{below:+d} {above:+d} %"
