"""pysearch bench: how fast the engine is here, and whether it computes what it should."""

import click

import pysearch
from pysearch.cli.output import draw, write_json

SHORT = {"cuttle": "cuttle", "buck_euchre": "buck"}  # names in the signature


@click.command(short_help="Measure throughput and print the signature.")
@click.option("--quick", is_flag=True, help="Measure for seconds only; the signature is the same.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(quick: bool, as_json: bool) -> None:
    """Measure playouts, move generation, search and sampling over fixed positions of both games.

    The signature is a hash of the results, the same on every machine.
    """
    from pysearch.bench import bench

    results = bench(quick)
    if as_json:
        write_json(
            {
                "schema": 1,
                "game": "all",
                "version": pysearch.__version__,
                "backend": pysearch.backend(),
                "signature": {SHORT[result.game]: result.signature for result in results},
                "positions": {SHORT[result.game]: result.positions for result in results},
                "rates": {SHORT[result.game]: result.to_dict()["rates"] for result in results},
            }
        )
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    for result in results:
        table.add_column(result.game, justify="right")
    for label, field in (("playouts/s", "playouts"), ("move sequences/s (perft)", "leaves"),
                         ("search iterations/s", "iterations"), ("sampled worlds/s", "worlds")):  # fmt: skip
        table.add_row(label, *(f"{getattr(result.rates, field):,.0f}" for result in results))
    table.add_row("positions", *(str(result.positions) for result in results))
    table.add_row("signature", *(result.signature for result in results))
    draw(table)
