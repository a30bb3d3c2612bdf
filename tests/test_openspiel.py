"""The play of Buck Euchre with all four in is that of euchre: legal cards, players and tricks as in OpenSpiel."""

import random
import runpy
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

PEER = Path(__file__).parent.parent / "bench" / "peers" / "openspiel.py"


def test_play_is_that_of_openspiel(count: Callable[[int, int], int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of OpenSpiel's imports
        pytest.importorskip("pyspiel", reason="OpenSpiel is an optional test dependency: .[peers]")
        peer = runpy.run_path(str(PEER))
    rng = random.Random(7)
    for _ in range(count(100, 2000)):
        ours, theirs = peer["buck_node"](rng, 20)  # compares at every play
        assert ours.outcome is not None
        winners = [trick.winner() for trick in theirs.tricks()]
        assert list(ours.outcome.tricks) == [winners.count(seat) for seat in range(4)]
