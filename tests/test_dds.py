"""Coalitions of two against two are double-dummy bridge in small: equal to DDS, best score and every card."""

import runpy
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

PEER = Path(__file__).parent.parent / "bench" / "peers" / "dds.py"


def test_double_dummy_scores_are_those_of_dds(count: Callable[[int, int], int]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of endplay's imports
        pytest.importorskip("endplay", reason="endplay, which carries DDS, is an optional test dependency: .[peers]")
        dds = runpy.run_path(str(PEER))
    deals = dds["random_deals"](count(200, 2000), 7)
    assert dds["compare"](deals) == 5 * len(deals)
