"""pysearch show: draws a position."""

import click

from pysearch import Position, View
from pysearch.cli.output import draw, short_number, write
from pysearch.cli.source import position_argument, read_entries, seen_by, whole


@click.command(short_help="Draw a position.")
@position_argument
@click.option("--view", "seat", type=whole("view"), metavar="SEAT", help="What this seat sees of it.")
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


def facts(position: Position | View) -> str:
    """What follows from the position: its end, or its moves and how many worlds it may be."""
    lines = []
    if position.is_over:
        outcome = position.outcome
        assert outcome is not None
        lines.append(f"over: {outcome.reason}")
    elif not isinstance(position, View) or position.to_move == position.seat:
        lines.append("moves: " + " ".join(position.legal_moves()))
    if isinstance(position, View):
        lines.append(f"worlds: {short_number(position.count_worlds())}")
    return "\n".join(lines)
