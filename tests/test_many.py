"""analyze_many: order, seeds, errors in their place, work in flight, executors of all kinds."""

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any

import pytest
from distributed import Client, LocalCluster
from referee.nasty import nasty_buck, nasty_cuttle
from test_match import Backwards

import pysearch
from pysearch import Analysis, ArgumentError, Limit, NotationError, analyze_many

FEW = Limit(iterations=40)


@cache
def items() -> list[Any]:
    """Positions, views and texts of both games, and what cannot be analysed."""
    rng = random.Random("many")
    good: list[Any] = [pysearch.parse(str(make(rng))) for make in (nasty_cuttle, nasty_buck) for _ in range(6)]
    good[3], good[7] = good[3].view(good[3].to_move), str(good[7])
    over = pysearch.deal("buck_euchre", seed=1)
    while not over.is_over:
        over = over.play(over.legal_moves()[0])
    other = pysearch.deal("cuttle", seed=1).view(1)
    return [*good[:2], "cuttle/1 hands=5H5H/X5 stock=X41 turn=0", *good[2:8], None, over, *good[8:], other, object]


def plain(result: Analysis | pysearch.Error) -> object:
    return result.to_dict() if isinstance(result, Analysis) else (type(result), result.args)


def results(executor: Any = None, **options: Any) -> list[object]:
    return [plain(result) for result in analyze_many(items(), FEW, executor, 9, **options)]


def test_results_stand_in_the_place_of_their_items() -> None:
    found = list(analyze_many(items(), FEW, seed=9))
    for item, result in zip(items(), found, strict=True):
        if isinstance(result, Analysis):
            seen = pysearch.parse(item) if isinstance(item, str) else item
            view = seen if isinstance(seen, pysearch.View) else seen.view(seen.to_move or 0)
            assert plain(result) == plain(pysearch.analyze(view, FEW, seed=result.seed))
    bad = {place: result for place, result in enumerate(found) if not isinstance(result, Analysis)}
    assert {place: (type(error), str(error).split(":")[0]) for place, error in bad.items()} == {
        2: (NotationError, "hands"),
        9: (ArgumentError, "items"),
        10: (ArgumentError, "position"),
        15: (ArgumentError, "seat"),
        16: (ArgumentError, "items"),
    }
    seeds = [result.seed for result in found if isinstance(result, Analysis)]
    assert len(set(seeds)) == len(seeds)


def test_seeds_are_the_same_for_ever() -> None:
    view = pysearch.deal("cuttle", seed=7)
    found = [r.seed for r in analyze_many([view, view], FEW, seed=9) if isinstance(r, Analysis)]
    assert found == [6743327672896133202, 5244266610888071857]


def test_all_executors_give_the_same() -> None:
    wanted = results()
    assert results(Backwards(), window=4) == wanted
    with ThreadPoolExecutor(3) as threads:
        assert results(threads) == wanted
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert results(pool, window=3) == wanted


def test_dask_carries_the_work() -> None:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]
        Client(cluster) as client,  # type: ignore[no-untyped-call]
        client.get_executor(pure=False) as executor,
    ):
        assert results(executor) == results()
        played = pysearch.match("so-ismcts", "random", "cuttle", 12, FEW, executor=executor)
        assert played.to_dict() == pysearch.match("so-ismcts", "random", "cuttle", 12, FEW).to_dict()


def test_options_reach_the_analysis() -> None:
    pos = pysearch.deal("cuttle", seed=3)
    (found,) = analyze_many([pos], FEW, top=2, method="so-ismcts")
    assert isinstance(found, Analysis)
    assert (found.method, len(found.moves), found.iterations) == ("so-ismcts", 2, 40)


@pytest.mark.parametrize("window", [1, 4])
def test_work_in_flight_is_bounded(window: int) -> None:
    taken = 0

    def endless() -> Iterator[pysearch.Position]:
        nonlocal taken
        while True:
            taken += 1
            yield pysearch.deal("buck_euchre", seed=taken)

    backwards = Backwards()
    found = analyze_many(endless(), FEW, backwards, window=window)
    assert taken == 0
    for got in range(20):
        next(found)
        assert taken <= got + window
    assert backwards.most == window


def test_start_goes_on_where_results_are_missing() -> None:
    wanted = results()
    for start in (0, 1, 9, len(wanted), len(wanted) + 5):
        assert results(start=start) == wanted[start:]


def test_an_iterable_that_fails_fails_in_its_place() -> None:
    def broken() -> Iterator[pysearch.Position]:
        yield pysearch.deal("cuttle", seed=1)
        raise OSError("no more")

    found = analyze_many(broken(), FEW)
    assert isinstance(next(found), Analysis)
    with pytest.raises(OSError, match="no more"):
        next(found)


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("items", {"items": 5}),
        ("items", {"items": "cuttle/1"}),
        ("limit", {"limit": None}),
        ("limit", {"limit": Limit()}),
        ("executor", {"executor": "dask"}),
        ("seed", {"seed": 1.5}),
        ("threads", {"threads": 0}),
        ("top", {"top": 0}),
        ("method", {"method": "guess"}),
        ("method", {"method": []}),
        ("window", {"window": 0}),
        ("start", {"start": -1}),
    ],
)
def test_bad_arguments_are_told_at_once(argument: str, options: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError) as caught:
        analyze_many(**{"items": [], "limit": FEW, **options})
    assert caught.value.argument == argument
