"""The table of match equity: a share of the match for each seat, and the fixed point of the deals it was made of."""

import random
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import pysearch
from pysearch import equity_table

ONE = 65520
TOP = 32
STEP = (5, 0, -1, -2, -3, -4, -5)


@pytest.fixture(scope="module")
def table() -> Any:
    """Shares in 1/ONE by scores less one: of the third, second and first seat after the dealer, and of the dealer. The
    last axis counts seats from the dealer. Unpacked here in another way than in the core."""
    packed = np.frombuffer(equity_table.packed(), np.uint8).reshape(2, 3, TOP, TOP, TOP, TOP).astype(np.int32)
    wrapped = packed[0] << 8 | packed[1]
    cube = wrapped >> 1 ^ -(wrapped & 1)
    for axis in range(1, 5):
        cube = np.cumsum(cube, axis=axis)
    shares = np.moveaxis(cube & 0xFFFF, 0, -1)
    return np.concatenate([shares, ONE - shares.sum(axis=-1, keepdims=True)], axis=-1)


def entry(table: Any, scores: list[int]) -> list[int]:
    """Of a state whose seats are counted from the next dealer."""
    a, b, c, d = (min(score, TOP) - 1 for score in scores)
    return [int(share) for share in table[d, c, b, a]]


def test_shares_are_positive_and_never_grow_with_the_own_score(table: Any) -> None:
    assert table.min() > 0
    assert table.max() < ONE
    for seat in range(4):
        assert np.diff(table[..., seat], axis=3 - seat).max() <= 0


def test_the_call_reads_the_table(table: Any) -> None:
    rng = random.Random("equity")
    for _ in range(2000):
        scores, dealer = [rng.randint(1, 40) for _ in range(4)], rng.randrange(4)
        shares = entry(table, scores[dealer:] + scores[:dealer])
        found = pysearch.equity(scores, dealer)
        assert found == tuple(shares[(seat - dealer) % 4] / ONE for seat in range(4))
        assert sum(found) == pytest.approx(1)


def after_one_deal(table: Any, scores: list[int], outcomes: list[list[int]]) -> list[float]:
    """T W of a state, seats counted from its dealer: the mean over the outcomes of a deal (B11-B14)."""
    total, deals = [0.0] * 4, sum(n for _, n in outcomes)
    for outcome, n in outcomes:
        steps = [STEP[outcome >> 3 * seat & 7] for seat in range(4)]
        after = [score + step for score, step in zip(scores, steps, strict=True)]
        if -5 in steps:
            shares = [ONE * (step == -5) for step in steps]
        elif min(after) <= 0:
            shares = [ONE // after.count(min(after)) * (score == min(after)) for score in after]
        else:
            shares = entry(table, after[1:] + after[:1])
            shares = shares[3:] + shares[:3]
        total = [t + n * share for t, share in zip(total, shares, strict=True)]
    return [t / deals for t in total]


def test_one_more_deal_changes_nothing(table: Any) -> None:
    head = equity_table.header()
    assert sum(n for _, n in head["outcomes"]) == head["deals"]
    assert head["residual"] < 1e-6  # before rounding
    rng = random.Random("residual")
    states = [[25] * 4, [1] * 4, [TOP] * 4, [1, 1, TOP, TOP]]
    states += [[rng.randint(1, rng.choice((4, TOP))) for _ in range(4)] for _ in range(300)]
    for scores in states:
        ahead = after_one_deal(table, scores, head["outcomes"])
        # Shares are rounded to units of 1/ONE, with at most one unit more or less to make the sum right.
        assert ahead == pytest.approx(entry(table, scores), abs=2), scores


def test_a_match_that_goes_on_is_worth_its_equity() -> None:
    rng = random.Random("returns")
    seen = 0
    for seed in range(40):
        pos = pysearch.deal("buck_euchre", seed=seed, dealer=seed % 4, scores=(25, 20, 15, 10))
        while not pos.is_over:
            pos = pos.play(rng.choice(pos.legal_moves()))
        outcome = pos.outcome
        assert outcome is not None
        assert outcome.scores is not None
        if not outcome.winners:
            seen += 1
            assert outcome.returns == pysearch.equity(outcome.scores, (seed + 1) % 4)
    assert seen > 10


@pytest.mark.parametrize(
    "scores", [(1, 2, 3), (1, 2, 3, 0), (-1, 2, 3, 4), (1, 2, 3, 4, 5), (1, 2, 3, 4.0), "2525", 5, (True,) * 4]
)
def test_bad_scores_are_named(scores: Any) -> None:
    with pytest.raises(pysearch.ArgumentError) as caught:
        pysearch.equity(scores, 0)
    assert caught.value.argument == "scores"


@pytest.mark.parametrize("dealer", [-1, 4, 0.0, None, "0", True])
def test_a_bad_dealer_is_named(dealer: Any) -> None:
    with pytest.raises(pysearch.ArgumentError) as caught:
        pysearch.equity((25, 25, 25, 25), dealer)
    assert caught.value.argument == "dealer"


def test_higher_scores_count_as_32() -> None:
    assert pysearch.equity((10**30, 33, 5, 40), 2) == pysearch.equity((32, 32, 5, 32), 2)


def test_cuttle_does_without_the_table() -> None:
    text = (
        "import pysearch; from pysearch.backends import select; core = select();"
        "pos = pysearch.deal('cuttle'); pysearch.rollout(pos, 9); pysearch.analyze(pos, pysearch.Limit(iterations=9));"
        "assert core._equity is None;"
        "pysearch.rollout(pysearch.deal('buck_euchre'), 1); assert core._equity is not None"
    )
    subprocess.run([sys.executable, "-c", text], check=True)


def maker() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "make_match_equity"
    module = ModuleType("make_match_equity")
    module.__file__ = str(path)
    SourceFileLoader(module.__name__, str(path)).exec_module(module)
    return module


def test_the_file_is_what_its_maker_writes(table: Any) -> None:
    assert maker().pack(table.reshape(-1, 4).astype(np.uint16)) == equity_table.packed()
    assert equity_table.PATH.stat().st_size < 2 * 10**6
