"""pysearch perft: counts move sequences."""

import click

import pysearch
from pysearch.cli.output import write
from pysearch.cli.source import read_position


@click.command(short_help="Count the move sequences of a position.")
@click.argument("words", metavar="POS", nargs=-1, required=True)
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", is_flag=True, help="Also the count behind each move.")
def command(words: tuple[str, ...], depth: int, divide: bool) -> None:
    """Count the sequences of exactly DEPTH moves that the position POS allows, with all cards seen."""
    position = read_position(words)
    if isinstance(position, pysearch.View):
        raise click.UsageError("position: perft needs a complete position, not a view")
    if divide and depth > 0:
        for move in position.legal_moves():
            write(f"{move} {pysearch.perft(position.play(move), depth - 1)}")
    write(str(pysearch.perft(position, depth)))
