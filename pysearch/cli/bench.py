"""pysearch bench: how fast the engine is here, and whether it computes what it should."""

from typing import TYPE_CHECKING

import click

import pysearch
from pysearch.cli.output import draw, progress_line, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from pysearch.bench import GameBench

SHORT = {"cuttle": "cuttle", "buck_euchre": "buck"}  # names in the signature


@click.command(short_help="Measure throughput and print the signature.")
@click.option("--quick", is_flag=True, help="Measure for seconds only; the signature is the same.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(quick: bool, as_json: bool) -> None:
    """Measure playouts, move generation, search and sampling over fixed positions of both games.

    The signature is a hash of the results, the same on every machine.
    """
    from pysearch.bench import bench

    interrupted = False
    try:
        with progress_line("pieces of work") as progress:
            results = bench(quick, progress)
    except pysearch.Interrupted as stop:
        results, interrupted = stop.result, True
    if as_json:
        write_json(
            {
                "schema": 1,
                "game": "all",
                "version": pysearch.__version__,
                "backend": pysearch.backend(),
                "complete": not interrupted,
                "signature": {SHORT[result.game]: result.signature for result in results},
                "positions": {SHORT[result.game]: result.positions for result in results},
                "rates": {SHORT[result.game]: result.to_dict()["rates"] for result in results},
            }
        )
    else:
        draw(drawing(results), *(["incomplete: interrupted"] if interrupted else []))
    if interrupted:
        raise KeyboardInterrupt


def drawing(results: "list[GameBench]") -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("", no_wrap=True)
    for result in results:
        table.add_column(result.game, justify="right", no_wrap=True)
    for label, field in (("playouts/s", "playouts"), ("move sequences/s (perft)", "leaves"),
                         ("iterations/s of so-ismcts", "iterations"), ("iterations/s of ismcts", "searches"),
                         ("sampled worlds/s", "worlds")):  # fmt: skip
        rates = (getattr(result.rates, field) for result in results)
        table.add_row(label, *("-" if rate is None else f"{rate:,.0f}" for rate in rates))
    table.add_row("positions", *(str(result.positions) for result in results))
    table.add_row("signature", *(result.signature or "-" for result in results))
    return table
