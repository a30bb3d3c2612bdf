"""Many games reviewed, one after the other or by the workers of an executor."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING

from pysearch.errors import ArgumentError, Error, quote
from pysearch.limit import Limit
from pysearch.position import check_seed, whole_number
from pysearch.records import Record, read_text
from pysearch.review import Review, check_limit, review
from pysearch.workers import Payload, check_executor, check_window, in_order

if TYPE_CHECKING:
    from concurrent.futures import Executor


def review_many(
    records: Iterable[Record | str],
    limit: Limit,
    executor: "Executor | None" = None,
    seed: int = 0,
    *,
    threads: int = 1,
    window: int | None = None,
    start: int = 0,
) -> Iterator[Review | Error]:
    """The review of each record, or of the text of one, in their order; in place of one that cannot be read, the Error
    that says why.

    As in analyze_many: the calls are made here or by `executor`, `window` at a time; `start` leaves out those that an
    earlier call has done. Each review is that of `review` with this seed. ArgumentError (records, limit, executor,
    seed, threads, window, start).
    """
    if not isinstance(records, Iterable) or isinstance(records, str):
        raise ArgumentError("records", f"found {quote(records)}, expected several records")
    check_limit(limit)
    common = {"limit": asdict(limit), "seed": check_seed(seed), "threads": whole_number("threads", threads, 1, 1024)}
    check_executor(executor)
    window = check_window(window)
    start = whole_number("start", start, 0, (1 << 63) - 1)
    payloads = ({**common, **_plain(record)} for record in islice(records, start, None))
    return in_order(review_one, payloads, executor, window)


def _plain(record: object) -> Payload:
    if isinstance(record, (Record, str)):
        return {"record": str(record), "fault": None}
    return {"record": "", "fault": f"found {quote(record)}, expected a Record or the text of one"}


def review_one(task: Payload) -> Review | Error:
    """The review of one record, or what is wrong with it: run by the workers."""
    try:
        if task["fault"]:
            raise ArgumentError("records", task["fault"])
        found = read_text(task["record"])
        if len(found) != 1:
            raise ArgumentError("records", f"found {len(found)} games in one item, expected one")
        return review(found[0], Limit(**task["limit"]), task["seed"], task["threads"])
    except Error as error:
        return error.with_traceback(None)
