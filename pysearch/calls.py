"""Long calls of the core: each runs in a worker thread while the calling thread waits and hears Ctrl-C.

`progress` is a callable that is given the number of games, iterations, nodes or sequences done so far, an int, about
twenty times a second.
"""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pysearch.backends import Control
from pysearch.errors import ArgumentError, quote

T = TypeVar("T")
Item = TypeVar("Item")
Progress = Callable[[int], object] | None

_SLICE = 0.05  # seconds between two looks at what a long call does


def is_same_file(a: str | os.PathLike[str], b: str | os.PathLike[str]) -> bool:
    """Do both names lead to one file, whether it is there already or not?"""
    try:
        return os.path.samefile(a, b)
    except (OSError, ValueError):  # not both exist
        pass
    try:
        return os.path.realpath(a) == os.path.realpath(b)
    except (OSError, ValueError, TypeError):  # no name of a file: told where it is opened
        return False


def check_progress(progress: object) -> None:
    """ArgumentError (progress) unless it can be called, or is None."""
    if progress is not None and not callable(progress):
        raise ArgumentError("progress", f"found {quote(progress)}, expected a callable that takes a number, or None")


def run(
    calls: Sequence[Callable[[], T]], controls: Sequence[Control], progress: Progress = None, fewer: bool = False
) -> tuple[list[T], bool]:
    """Runs each call in a thread of its own; returns their results, and whether Ctrl-C stopped them.

    `controls` are those that the calls obey. An exception of a call or of `progress` stops them all and comes out here.
    With `fewer`, calls for which the system has no thread left are not made, but for the first.
    """
    check_progress(progress)
    finished, lock = threading.Event(), threading.Lock()
    results: dict[int, T] = {}
    failures: list[BaseException] = []
    left = len(calls)

    def work(place: int, call: Callable[[], T]) -> None:
        nonlocal left
        try:
            results[place] = call()
        except BaseException as error:
            failures.append(error)
            stop_all()
        finally:
            with lock:
                left -= 1
                if not left:
                    finished.set()

    def stop_all() -> None:
        for control in controls:
            control.stop()

    interrupted = False
    started = 0
    try:
        for place, call in enumerate(calls):
            threading.Thread(target=work, args=(place, call), daemon=True).start()
            started += 1
    except BaseException as error:
        if not (fewer and started and isinstance(error, RuntimeError)):
            stop_all()
            raise
        with lock:
            left -= len(calls) - started
            if not left:
                finished.set()
    # An Event, not Thread.join: in Python 3.11 and 3.12 a join that was interrupted returns at once the second time.
    while not finished.is_set():
        try:
            if not finished.wait(_SLICE) and progress and not interrupted:
                progress(sum(control.done() for control in controls))
        except KeyboardInterrupt:
            interrupted = True
            stop_all()
        except BaseException as error:
            failures.append(error)
            progress = None
            stop_all()
    if failures:
        raise failures[0]
    return [results[place] for place in range(started)], interrupted


def spread(
    items: Iterable[Item],
    threads: int,
    one: Callable[[Item, Control], T],
    control: Callable[[], Control],
    progress: Progress = None,
) -> tuple[list[T], bool]:
    """Calls `one` for each item, on so many threads or as many as there can be, each time with a fresh control. Returns
    the results of the first items, as many as were reached without a gap, and whether Ctrl-C stopped it."""
    numbered = enumerate(items)
    found: dict[int, T] = {}
    lock = threading.Lock()

    def work(row: _Row) -> None:
        while not row.stopped:
            with lock:
                place, item = next(numbered, (-1, None))
            if place < 0:
                break
            found[place] = one(item, row.fresh())  # type: ignore[arg-type]

    rows = [_Row(control) for _ in range(threads)]
    _, interrupted = run([lambda row=row: work(row) for row in rows], rows, progress, fewer=True)  # type: ignore[misc]
    whole = next(place for place in range(len(found) + 1) if place not in found)
    return [found[place] for place in range(whole)], interrupted


class _Row:
    """One control over a row of calls, each with a control of its own, so that progress adds up."""

    def __init__(self, control: Callable[[], Control]) -> None:
        self.stopped = False
        self._make = control
        self._before = 0
        self._control: Control | None = None

    def fresh(self) -> Control:
        """A control for the next call."""
        self._before = self.done()
        self._control = self._make()
        if self.stopped:  # between two calls
            self._control.stop()
        return self._control

    def stop(self) -> None:
        self.stopped = True
        if self._control:
            self._control.stop()

    def done(self) -> int:
        return self._before + (self._control.done() if self._control else 0)
