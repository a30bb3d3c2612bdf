"""Searches that run in the background: started, looked at, stopped."""

import os
import threading
import time
from collections.abc import Iterator
from numbers import Real
from types import TracebackType
from typing import Self

from pysearch.backends import Control
from pysearch.errors import ArgumentError, quote
from pysearch.limit import Limit
from pysearch.position import Position, View
from pysearch.search import Analysis, Query, own_view

_SLICE = 0.04  # seconds between two snapshots
_LONGEST = 1e9  # seconds to wait; threads cannot wait for ever so long


class Handle:
    """A search under way, made by `start`. It ends with its limit, with `stop`, or at the end of a `with` block.

    Iterating gives snapshots as they come, the last of which is the result: a reader that is slow misses some. After a
    fork it is the parent's alone: RuntimeError in the child.
    """

    def __init__(self, query: Query, limit: Limit) -> None:
        self._query = query
        self._limit = limit
        self._changed = threading.Condition()
        self._snapshot: Analysis | None = None
        self._count = 0
        self._done = False
        self._failure: BaseException | None = None
        self._stopping = False
        self._control: Control | None = None
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def poll(self) -> Analysis | None:
        """What has been found by now; None before there is anything. Does not wait."""
        return self._snapshot

    @property
    def done(self) -> bool:
        """Has the search ended?"""
        return self._done

    def stop(self) -> Analysis:
        """Ends the search, and returns what it has found."""
        self._check_process()
        with self._changed:
            self._stopping = True
            if self._control:
                self._control.stop()
        return self.result()

    def result(self, timeout: float | None = None) -> Analysis:
        """Waits until the search has ended. TimeoutError after `timeout` seconds: the search goes on."""
        if timeout is not None and (
            isinstance(timeout, bool) or not isinstance(timeout, Real) or not 0 <= timeout <= _LONGEST
        ):
            expected = f"expected seconds, 0 to {_LONGEST:g}, or None to wait"
            raise ArgumentError("timeout", f"found {quote(timeout)}, {expected}")
        self._check_process()
        with self._changed:
            if not self._changed.wait_for(lambda: self._done, None if timeout is None else float(timeout)):
                raise TimeoutError(f"the search has not ended within {timeout} s")
        if self._failure:
            raise self._failure
        assert self._snapshot is not None
        return self._snapshot

    def __iter__(self) -> Iterator[Analysis]:
        seen = 0
        while True:
            self._check_process()
            with self._changed:
                while not (self._done or self._count > seen):
                    self._changed.wait()
                seen, snapshot, done = self._count, self._snapshot, self._done
            if self._failure:
                raise self._failure
            assert snapshot is not None
            yield snapshot
            if done:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _check_process(self) -> None:
        """After a fork the child has the handle, but not the thread that searches: it would wait for ever."""
        if os.getpid() != self._process:
            raise RuntimeError(f"the search is that of process {self._process}, which this one was forked from")

    def _work(self) -> None:
        """Searches slice by slice; what is found does not depend on where it is cut. A step that does not fit into a
        slice is begun again in the next one, which is longer then."""
        end = None if self._limit.seconds is None else time.monotonic() + self._limit.seconds
        try:
            ended, length, iterations = False, _SLICE, 0
            while not ended:
                left = length if end is None else end - time.monotonic()
                with self._changed:
                    self._control = self._query.control(max(min(left, length), 1e-6))
                    if self._stopping:
                        self._control.stop()
                ended, _ = self._query.run(self._control)
                ended = ended or self._stopping or (end is not None and left <= length)
                snapshot = self._query.read()
                length = _SLICE if snapshot.iterations > iterations else 2 * length
                iterations = snapshot.iterations
                self._publish(snapshot, ended)
        except BaseException as error:
            with self._changed:
                self._failure = error
                self._done = True
                self._changed.notify_all()

    def _publish(self, snapshot: Analysis, done: bool) -> None:
        with self._changed:
            self._snapshot = snapshot
            self._count += 1
            self._done = done
            self._changed.notify_all()


def start(
    pos: Position | View,
    limit: Limit | None = None,
    seed: int = 0,
    threads: int = 1,
    top: int | None = None,
    method: str = "ismcts",
) -> Handle:
    """Starts `analyze` with these arguments in the background and returns at once.

    With a limit of iterations the result is that of `analyze`. ArgumentError as there.
    """
    return Handle(Query(own_view(pos), limit, seed, threads, top, method), limit or Limit())
