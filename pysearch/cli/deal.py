"""pysearch deal: makes a new position."""

import click

import pysearch
from pysearch.cli.output import write
from pysearch.cli.source import seen_by, whole
from pysearch.errors import quote


@click.command(short_help="Deal the cards for a new game.")
@click.argument("game", metavar="GAME")
@click.option("--seed", type=whole("seed"), default=0, show_default=True, metavar="N",
              help="Another deal for each seed, the same for ever.")  # fmt: skip
@click.option("--dealer", type=whole("dealer"), metavar="SEAT",
              help="Who deals; 1 in Cuttle and 3 in Buck Euchre unless given.")  # fmt: skip
@click.option("--scores", metavar="N/N/N/N", help="Scores before the deal, Buck Euchre only.")
@click.option("--view", "seat", type=whole("view"), metavar="SEAT", help="What this seat sees of the deal.")
def command(game: str, seed: int, dealer: int | None, scores: str | None, seat: int | None) -> None:
    """Deal the cards for a game of GAME (cuttle or buck_euchre) and print the position."""
    position = pysearch.deal(game, seed=seed, dealer=dealer, scores=None if scores is None else numbers(scores))
    write(str(position if seat is None else seen_by(position, seat)))


def numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.replace(",", "/").split("/"))
    except ValueError:
        raise click.UsageError(f"scores: found {quote(text)}, expected numbers such as 25/25/25/25") from None
