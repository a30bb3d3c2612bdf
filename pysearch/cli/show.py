"""pysearch show: draws a position."""

import click

import pysearch
from pysearch import Position, View
from pysearch.cli.output import draw, write
from pysearch.cli.source import read_entries


@click.command(short_help="Draw a position.")
@click.argument("words", metavar="POS", nargs=-1, required=True)
@click.option("--view", "seat", type=int, metavar="SEAT", help="What this seat sees of it.")
def command(words: tuple[str, ...], seat: int | None) -> None:
    """Draw the position POS, with its canonical text and its legal moves."""
    from pysearch.cli.table import draw_position

    for number, entry in enumerate(read_entries(words)):
        position = entry.position if seat is None else seen_by(entry.position, seat)
        if number:
            write("")
        draw(*draw_position(position, entry.title))
        write(str(position))
        write(facts(position))


def seen_by(position: Position | View, seat: int) -> View:
    if isinstance(position, View):
        if position.seat != seat:
            raise click.UsageError(f"--view: the position is already a view, of seat {position.seat}")
        return position
    return position.view(seat)


def facts(position: Position | View) -> str:
    """What follows from the position: its end, or its moves and how many worlds it may be."""
    lines = []
    if position.is_over:
        outcome = position.outcome
        assert outcome is not None
        lines.append(f"over: {outcome.reason}")
    elif not isinstance(position, View) or position.to_move == position.seat:
        lines.append("moves: " + " ".join(position.legal_moves()))
    if isinstance(position, pysearch.View):
        lines.append(f"worlds: {position.count_worlds():,}")
    return "\n".join(lines)
