"""When a search ends."""

from dataclasses import dataclass
from numbers import Real

from pysearch.backends import Control, select
from pysearch.errors import ArgumentError, quote
from pysearch.position import whole_number


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of `seconds`, `iterations` and `nodes` that is reached.

    `memory_mb` is a cap, not a stop: full trees stop growing and go on. No iterations at all give a legal move and no
    value. ArgumentError names the value out of range.
    """

    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    memory_mb: int = 256

    def __post_init__(self) -> None:
        seconds = self.seconds
        if seconds is not None:
            if isinstance(seconds, bool) or not isinstance(seconds, Real) or not 0 < seconds <= 1e9:
                expected = "expected a number above 0, at most 1e9"
                raise ArgumentError("seconds", f"found {quote(seconds)}, {expected}")
            object.__setattr__(self, "seconds", float(seconds))  # the core takes no number of numpy
        for name, low in (("iterations", 0), ("nodes", 1)):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, whole_number(name, value, low, (1 << 63) - 1))
        object.__setattr__(self, "memory_mb", whole_number("memory_mb", self.memory_mb, 1, 1 << 24))

    def needs_stop(self, *stops: str) -> None:
        """ArgumentError (limit) unless one of these stops is given; two names at least."""
        if all(getattr(self, stop) is None for stop in stops):
            given = [name for name in ("seconds", "iterations", "nodes") if getattr(self, name) is not None]
            found = f"no stop but {', '.join(given)}" if given else "no stop"
            raise ArgumentError("limit", f"found {found}, expected {', '.join(stops[:-1])} or {stops[-1]}")

    def control(self) -> Control:
        """A fresh control with these limits."""
        return select().control(self.seconds or 0, self.iterations or 0, self.nodes or 0, self.memory_mb << 20)
