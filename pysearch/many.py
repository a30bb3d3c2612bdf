"""Many positions analysed, one after the other or by the workers of an executor."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING

from pysearch.errors import ArgumentError, Error, quote
from pysearch.limit import Limit
from pysearch.position import Position, View, check_seed, parse, whole_number
from pysearch.search import METHODS, Analysis, analyze
from pysearch.workers import Payload, check_executor, check_window, in_order, sub_seed

if TYPE_CHECKING:
    from concurrent.futures import Executor

Item = Position | View | str


def analyze_many(
    items: Iterable[Item],
    limit: Limit,
    executor: "Executor | None" = None,
    seed: int = 0,
    *,
    threads: int = 1,
    top: int | None = None,
    method: str = "ismcts",
    window: int | None = None,
    start: int = 0,
) -> Iterator[Analysis | Error]:
    """The analysis of each item, a position, a view or the text of one, in their order; in place of one that cannot be
    analysed, the Error that says why.

    The calls are made here, or by `executor`: threads, processes, or those of a cluster. Only `window` items are taken
    ahead of the results handed out. The seed of an item is made of `seed` and its number, so that with a limit of
    iterations its result does not depend on who analyses it, or when. `start` leaves out the first items, those whose
    results an earlier call gave; the others keep their numbers. ArgumentError (items, limit, executor, seed, threads,
    top, method, window, start).
    """
    if not isinstance(items, Iterable) or isinstance(items, str):
        raise ArgumentError("items", f"found {quote(items)}, expected several positions, views or texts")
    if not isinstance(limit, Limit):
        raise ArgumentError("limit", f"found {quote(limit)}, expected a Limit")
    limit.needs_stop("seconds", "iterations", "nodes")
    seed = check_seed(seed)
    if not isinstance(method, str) or method not in METHODS:
        raise ArgumentError("method", f"found {quote(method)}, expected {', '.join(METHODS)}")
    options = {
        "threads": whole_number("threads", threads, 1, 1024),
        "top": None if top is None else whole_number("top", top, 1, 1 << 31),
        "method": method,
    }
    check_executor(executor)
    window = check_window(window)
    start = whole_number("start", start, 0, (1 << 63) - 1)

    common = {"limit": asdict(limit), "options": options}
    payloads = (
        {**common, **_plain(item), "seed": sub_seed("analyze_many", seed, number)}
        for number, item in islice(enumerate(items), start, None)
    )
    return in_order(analyze_one, payloads, executor, window, (Analysis, Error))


def _plain(item: object) -> Payload:
    if isinstance(item, (Position, View, str)):
        return {"item": str(item), "fault": None}
    return {"item": "", "fault": f"found {quote(item)}, expected a position, a view or the text of one"}


def analyze_one(task: Payload) -> Analysis | Error:
    """The analysis of one item, or what is wrong with it: run by the workers."""
    try:
        if task["fault"]:
            raise ArgumentError("items", task["fault"])
        return analyze(parse(task["item"]), Limit(**task["limit"]), task["seed"], **task["options"])
    except Error as error:
        return error.with_traceback(None)
