"""Searches in the background: what they find is what `analyze` finds, and they end when they are told to."""

import gc
import os
import signal
import weakref
from collections.abc import Callable

import pytest
from stages import GAMES, own_view, positions

import pysearch
from pysearch import ArgumentError, Limit

HANG = 30.0  # seconds after which something hangs
ENDLESS = Limit(iterations=1 << 60, memory_mb=16)

# No card is hidden (C27), and the proof takes more nodes than a search makes between two snapshots.
ENDING = (
    "cuttle/1 hands=5H7CKCTCQD4H2HQS/7DASQHAH9D8C2S8S scrap=JC7S4D5DKD4C3STS3CKH9C9H8D4S2D6C8H9S6HJHQCJSJDACTDTHKS6D2C"
    "5C3D3H7H6SAD5S turn=0"
)


@pytest.mark.parametrize("game", GAMES)
def test_the_result_is_that_of_analyze(game: str, count: Callable[[int, int], int]) -> None:
    for seed, pos in enumerate(positions(game, count(12, 120))):
        for limit in (Limit(iterations=0), Limit(iterations=1), Limit(iterations=300), Limit(iterations=3_000)):
            expected = pysearch.analyze(pos, limit, seed=seed)
            assert pysearch.start(own_view(pos), limit, seed=seed).result(HANG) == expected


def test_slices_do_not_matter() -> None:
    """Long searches are cut into many, also where one step takes longer than a slice."""
    for pos in (pysearch.deal("cuttle", seed=3), pysearch.deal("buck_euchre", seed=3), pysearch.parse(ENDING)):
        limit = Limit(iterations=40_000)
        snapshots = list(pysearch.start(pos, limit, seed=1))
        assert snapshots[-1] == pysearch.analyze(pos, limit, seed=1)


@pytest.mark.parametrize("method", ["ismcts", "so-ismcts", "flat", "pimc"])
def test_every_method_runs_in_the_background(method: str) -> None:
    pos, limit = pysearch.deal("buck_euchre", seed=2), Limit(iterations=2_000)
    handle = pysearch.start(pos, limit, seed=7, top=1, method=method)
    assert handle.result(HANG) == pysearch.analyze(pos, limit, seed=7, top=1, method=method)


@pytest.mark.parametrize("game", GAMES)
def test_threads_do_not_matter(game: str) -> None:
    for pos in positions(game, 6):
        limit = Limit(iterations=5_000)
        one, two = (pysearch.start(pos, limit, threads=threads).result(HANG) for threads in (1, 2))
        assert one == two


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", GAMES)
def test_a_search_that_is_stopped_can_be_reproduced(game: str, threads: int) -> None:
    pos = pysearch.deal(game, seed=6)
    handle = pysearch.start(pos, ENDLESS, seed=2, threads=threads)
    snapshots = iter(handle)
    next(snapshots)
    result = handle.stop()
    assert handle.done
    assert result.best in pos.legal_moves()
    assert result.iterations > 0
    assert handle.poll() == handle.result() == handle.stop() == result
    assert list(snapshots)[-1] == result
    again = pysearch.analyze(pos, Limit(iterations=result.iterations, memory_mb=16), seed=2)
    assert again == result


def test_a_search_that_is_stopped_at_once_gives_a_legal_move() -> None:
    for game in GAMES:
        for pos in positions(game, 10):
            result = pysearch.start(pos, ENDLESS).stop()
            assert result.best in pos.legal_moves()
            assert sorted(m.move for m in result.moves) == sorted(pos.legal_moves())


def test_a_solver_that_is_stopped_leaves_what_was_found_before() -> None:
    pos = pysearch.parse(ENDING)
    handle = pysearch.start(pos, ENDLESS)
    for snapshot in handle:
        if snapshot.iterations:
            break
    result = handle.stop()
    assert result.best in pos.legal_moves()
    assert result == pysearch.analyze(pos, Limit(iterations=result.iterations, memory_mb=16))


def test_snapshots_grow() -> None:
    with pysearch.start(pysearch.deal("cuttle", seed=1), ENDLESS) as handle:
        seen = []
        for snapshot in handle:
            seen.append(snapshot.iterations)
            if len(seen) == 4:
                break
        polled = handle.poll()
        assert polled is not None
        assert polled.iterations >= seen[-1]
    assert seen == sorted(seen)
    assert len(set(seen)) == 4
    assert handle.done


def test_iterating_after_the_end_gives_the_result() -> None:
    handle = pysearch.start(pysearch.deal("cuttle", seed=1), Limit(iterations=100))
    result = handle.result(HANG)
    assert list(handle) == [result]


def test_a_block_ends_the_search_whatever_happens_in_it() -> None:
    with pytest.raises(RuntimeError, match="mine"), pysearch.start(pysearch.deal("cuttle", seed=1), ENDLESS) as handle:
        raise RuntimeError("mine")
    assert handle.done


def test_waiting_ends_before_the_search() -> None:
    with pysearch.start(pysearch.deal("cuttle", seed=1), ENDLESS) as handle:
        for timeout in (0, 0.01):
            with pytest.raises(TimeoutError):
                handle.result(timeout)
        assert not handle.done
        assert handle.poll() is None or not handle.done


def test_seconds_end_the_search() -> None:
    pos = pysearch.deal("buck_euchre", seed=5)
    result = pysearch.start(pos, Limit(seconds=0.1), seed=3).result(HANG)
    assert result.iterations > 0
    assert result == pysearch.analyze(pos, Limit(iterations=result.iterations), seed=3)


@pytest.mark.parametrize("timeout", [-1, -0.5, float("nan"), float("inf"), True, "1", [1], 1e300])
def test_a_bad_timeout_is_named(timeout: object) -> None:
    handle = pysearch.start(pysearch.deal("cuttle", seed=1), Limit(iterations=1))
    with pytest.raises(ArgumentError) as caught:
        handle.result(timeout)  # type: ignore[arg-type]
    assert caught.value.argument == "timeout"


def test_bad_arguments_raise_at_once() -> None:
    pos, limit = pysearch.deal("cuttle", seed=1), Limit(iterations=10)
    calls: list[tuple[str, Callable[[], object]]] = [
        ("limit", lambda: pysearch.start(pos)),
        ("limit", lambda: pysearch.start(pos, Limit())),
        ("limit", lambda: pysearch.start(pos, 3)),  # type: ignore[arg-type]
        ("seed", lambda: pysearch.start(pos, limit, seed=-1)),
        ("threads", lambda: pysearch.start(pos, limit, threads=0)),
        ("top", lambda: pysearch.start(pos, limit, top=0)),
        ("method", lambda: pysearch.start(pos, limit, method="guess")),
        ("seat", lambda: pysearch.start(pos.view(1), limit)),
        ("position", lambda: pysearch.start("cuttle/1", limit)),  # type: ignore[arg-type]
    ]
    for argument, call in calls:
        with pytest.raises(ArgumentError) as caught:
            call()
        assert caught.value.argument == argument


def test_a_forked_child_does_not_wait_for_a_search_it_has_not() -> None:
    with pysearch.start(pysearch.deal("cuttle", seed=1), ENDLESS) as handle:
        refused = 0
        child = os.fork()
        if not child:
            signal.alarm(int(HANG))
            try:
                for call in (handle.stop, handle.result, lambda: next(iter(handle))):
                    try:
                        call()
                    except RuntimeError:
                        refused += 1
            finally:
                os._exit(refused)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
        assert not handle.done
        assert handle.stop().best


def test_many_at_once_do_not_meet() -> None:
    limit = Limit(iterations=1_000, memory_mb=16)
    cases = [(pos, seed) for seed in range(2) for game in GAMES for pos in positions(game, 8)]
    handles = [pysearch.start(pos, limit, seed) for pos, seed in cases]
    for handle, (pos, seed) in zip(handles, cases, strict=True):
        assert handle.result(HANG) == pysearch.analyze(pos, limit, seed)


def test_a_handle_that_has_ended_is_let_go() -> None:
    handle = pysearch.start(pysearch.deal("cuttle", seed=1), Limit(iterations=10))
    handle.result(HANG)
    kept = weakref.ref(handle)
    handle._thread.join(HANG)
    del handle
    gc.collect()
    assert kept() is None
