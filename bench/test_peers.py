"""pytest-benchmark beside the peers, for development: the same deals in both, compared first."""

import random
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).with_name("peers")))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the peers' imports
    pytest.importorskip("pyspiel", reason="OpenSpiel is one of the peers: .[peers]")
    pytest.importorskip("endplay", reason="endplay is one of the peers: .[peers]")
    import dds
    import openspiel


@pytest.fixture(scope="module")
def node() -> openspiel.Node:
    return openspiel.buck_node(random.Random(1), plays=0)  # compares at every play


@pytest.mark.parametrize("engine", openspiel.WORK)
def test_openspiel(engine: str, node: openspiel.Node, benchmark: Any) -> None:
    done = openspiel.WORK[engine](node)
    assert done > 0
    assert benchmark.pedantic(openspiel.WORK[engine], (node,), rounds=3) == done


@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("engine", ["solve_many", "DDS"])
def test_dds(engine: str, moves: bool, benchmark: Any) -> None:
    deals = dds.random_deals(200, 1)
    assert dds.compare(deals) == 1000
    if engine == "solve_many":
        positions = [dds.position(deal) for deal in deals]
        benchmark(lambda: dds.ours(positions, (0, 2), moves).scores())
    else:
        structs, future = [dds.dds_deal(deal) for deal in deals], dds.dds.futureTricks()
        benchmark(lambda: [dds.dds_solve(deal, 3 if moves else 1, future) for deal in structs])
