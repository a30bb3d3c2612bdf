"""Work spread over workers: its seeds, its order, and processes that do it.

A piece of work is one plain payload (dict, text, numbers), so that any executor can carry it: threads, processes, or a
cluster. Seeds come from what a piece is, never from who does it or when.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from pysearch.errors import ArgumentError, quote
from pysearch.position import whole_number

if TYPE_CHECKING:  # loaded when it is used, which is seldom
    from concurrent.futures import Executor, Future
    from multiprocessing.connection import Connection

T = TypeVar("T")
Payload = dict[str, Any]


def sub_seed(*parts: str | int) -> int:
    """A seed for one piece of work: the same for the same words and numbers, on every machine and for ever."""
    return int.from_bytes(hashlib.blake2b(" ".join(map(str, parts)).encode(), digest_size=8).digest(), "big")


def check_executor(executor: object) -> None:
    """ArgumentError (executor) unless work can be submitted to it, or it is None."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise ArgumentError("executor", f"found {quote(executor)}, expected one of concurrent.futures, or None")


def check_window(window: object) -> int:
    """How much work may be in flight; twice the processors and two more unless given. ArgumentError (window)."""
    if window is None:
        import os

        return 2 * (os.cpu_count() or 1) + 2
    return whole_number("window", window, 1, 1 << 20)


def in_order(
    call: Callable[[Payload], T],
    payloads: Iterable[Payload],
    executor: "Executor | None",
    window: int,
    makes: type | tuple[type, ...] = object,
) -> Iterator[T]:
    """What `call` makes of each payload, in their order. Never more than `window` of them are taken ahead of the
    results handed out. Without an executor the calls are made here, one by one. ArgumentError (executor) when it gives
    back anything but what the call `makes`.

    An exception comes out in its place; then, and when nobody wants more, what has not begun is cancelled.
    """
    if executor is None:
        yield from map(call, payloads)
        return
    source = iter(payloads)
    waiting: deque[Future[T]] = deque()
    try:
        while True:
            for payload in islice(source, window - len(waiting)):
                waiting.append(executor.submit(call, payload))
            if not waiting:
                return
            result = waiting[0].result()
            waiting.popleft()
            if not isinstance(result, makes):
                raise ArgumentError("executor", f"gave back {quote(result)}, expected what the call makes")
            yield result
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def processes(jobs: int) -> Iterator["Executor | None"]:
    """An executor of so many processes, None for one: this one. They end with the block, at once, whatever they do."""
    if jobs == 1:
        yield None
        return
    import multiprocessing
    import signal
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _begin, (theirs,))
    try:
        # Ctrl-C reaches every process of a terminal; new ones inherit that it waits, here it does so until they exist.
        unmasked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            for _ in range(jobs):
                pool.submit(int)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, unmasked)
        yield pool
    finally:
        ours.close()
        pool.shutdown(cancel_futures=True)
        theirs.close()


def _begin(pipe: "Connection") -> None:
    """In a new process: Ctrl-C is the first process's business; this one leaves when the other end of the pipe is
    closed, by intent or because the first process has died."""
    import os
    import signal
    import threading

    def leave() -> None:
        pipe.poll(None)
        os._exit(0)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave, daemon=True).start()
