"""Positions for tests of search."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, islice

from referee.nasty import nasty_buck, nasty_cuttle

import pysearch

GAMES = ["cuttle", "buck_euchre"]


def positions(game: str, n: int) -> list[pysearch.Position]:
    """Unfinished positions of all stages, a third of them right after the deal; the same ones each time."""
    found, source = _row(game)
    found.extend(islice(source, max(n - len(found), 0)))
    return found[:n]


@cache
def _row(game: str) -> tuple[list[pysearch.Position], Iterator[pysearch.Position]]:
    """Those that have been made, and the ones to come: to make them takes most of the time of some tests."""
    return [], _make(game)


def _make(game: str) -> Iterator[pysearch.Position]:
    rng = random.Random(f"search {game}")
    make = nasty_cuttle if game == "cuttle" else nasty_buck
    for i in count():
        pos = pysearch.deal(game, seed=i) if i % 3 == 0 else pysearch.parse(str(make(rng)))
        assert isinstance(pos, pysearch.Position)
        yield pos


def own_view(pos: pysearch.Position) -> pysearch.View:
    """What the seat to move knows."""
    assert pos.to_move is not None
    return pos.view(pos.to_move)


def stage(pos: pysearch.Position | pysearch.View) -> str:
    """The stage of a position."""
    return str(pos.to_dict()["stage"])
