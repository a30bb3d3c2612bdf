"""The games, each put together when it is first asked for: the twin of csrc/engine.inc."""

from functools import cache
from importlib import import_module

from pysearch.kernels import actions
from pysearch.kernels.game import build
from pysearch.kernels.public import PS_BUCK, PS_BUCK_WORDS, PS_CUTTLE, PS_CUTTLE_WORDS
from pysearch.kernels.template import Game

_PARTS = {
    PS_CUTTLE: (
        "cuttle",
        PS_CUTTLE_WORDS,
        2,
        2,
        ("", "_worlds", "_playout", "_policy", "_solve", "_solve_certificate", "_leaf"),
    ),
    PS_BUCK: ("buck", PS_BUCK_WORDS, 4, 1, ("_equity", "", "_worlds", "_playout", "_policy", "_solver", "_leaf")),
}


@cache
def game(number: int) -> Game:
    name, words, seats, observers, parts = _PARTS[number]
    return build(
        name, words, seats, observers, [*(import_module(f"pysearch.kernels.{name}{part}") for part in parts), actions]
    )
