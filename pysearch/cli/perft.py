"""pysearch perft: counts move sequences."""

import re

import click

import pysearch
from pysearch.cli.output import progress_line, tell, write
from pysearch.cli.source import read_position
from pysearch.position import whole_number

DEEPEST = 64


class Command(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A negative number is a wrong depth, not an option."""
        for word in args:
            if re.fullmatch(r"-\d+", word):
                read_depth(word)
        return super().parse_args(ctx, args)


@click.command(cls=Command, short_help="Count the move sequences of a position.")
@click.argument("words", metavar="POS DEPTH", nargs=-1)
@click.option("--divide", is_flag=True, help="Also the count behind each move.")
def command(words: tuple[str, ...], divide: bool) -> None:
    """Count the sequences of exactly DEPTH moves that the position POS allows, with all cards seen."""
    if len(words) == 1 and not words[0].isdigit():
        raise click.UsageError("depth: left out, expected the number of moves behind the position")
    depth = read_depth(words[-1]) if words else None
    position = read_position(words[:-1])
    assert depth is not None
    if not isinstance(position, pysearch.Position):
        raise click.UsageError("position: found a view, expected a position: all cards must be known")
    parts = [(position, depth, "")]
    if divide and depth > 0:
        parts = [(position.play(move), depth - 1, move) for move in position.legal_moves()]
    total = 0
    for after, left, move in parts:
        try:
            with progress_line("sequences") as progress:
                count = pysearch.perft(after, left, progress)
        except pysearch.Interrupted as stop:
            tell(f"interrupted after {total + stop.result:,} sequences")
            raise
        total += count
        if move:
            write(f"{move} {count}")
    write(str(total))


def read_depth(word: str) -> int:
    try:
        depth: int | str = int(word)
    except ValueError:
        depth = word
    return whole_number("depth", depth, 0, DEEPEST)
