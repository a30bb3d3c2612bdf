"""What a match of Buck Euchre that goes on is worth to each seat."""

import operator
from collections.abc import Sequence

from pysearch.backends import select
from pysearch.errors import ArgumentError, quote

MOST = 32  # higher scores count as this much


def equity(scores: Sequence[int], dealer: int) -> tuple[float, float, float, float]:
    """The share of the match of each seat at these scores, `dealer` dealing next; they add up to 1.

    `scores` are four whole numbers from 1 up. ArgumentError (scores, dealer).
    """
    try:
        numbers = [0 if isinstance(score, bool) else operator.index(score) for score in scores]
    except TypeError:
        numbers = []
    if len(numbers) != 4 or min(numbers) < 1:
        raise ArgumentError("scores", f"found {quote(scores)}, expected four whole numbers from 1 up")
    try:
        seat = -1 if isinstance(dealer, bool) else operator.index(dealer)
    except TypeError:
        seat = -1
    if seat not in range(4):
        raise ArgumentError("dealer", f"found {quote(dealer)}, expected the seat that deals next, 0 to 3")
    core = select()
    a, b, c, d = (share / core.ONE for share in core.equity([min(score, MOST) for score in numbers], seat))
    return a, b, c, d
