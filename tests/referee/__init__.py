"""The referee: a second, independent model of both games, for the differential tests.

It is written from the rules alone (`cuttle.py` cites C1–C27, `buck.py` B1–B15), shares no code with the engine, and is
slow on purpose: cards are two-character strings, hands are sets, worlds are enumerated one by one. Where engine and
referee disagree, one of them misreads the rules. Nothing outside the tests may import it.

`parse(text)` reads a position or a view of either game. A state answers `seats`, `to_move`, `over`, `legal()`,
`play(token)`, `outcome()`, `view(seat)`, `worlds()` and `str()`; states are never changed by these.
"""

from . import buck, cuttle

State = cuttle.State | buck.State


def parse(text: str) -> State:
    """Read a canonical line, complete position or view, of either game."""
    if text.startswith("cuttle/"):
        return cuttle.State.parse(text)
    return buck.State.parse(text)


def consistent(state: State, view: State) -> bool:
    """Does `state`, seen from the view's seat, print the same line as `view`?"""
    assert view.viewer is not None
    return str(state.view(view.viewer)) == str(view)


__all__ = ["State", "consistent", "parse"]
