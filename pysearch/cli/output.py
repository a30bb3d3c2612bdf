"""Standard output: the result and nothing else, drawn for people or as one JSON document.

Progress goes to standard error.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

BAR = 20  # characters


def make_console() -> "Console":
    """Colours and box lines on a terminal only; NO_COLOR and COLUMNS are honoured."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False)


def draw(*renderables: "RenderableType") -> None:
    console = make_console()
    with console.capture() as capture:
        for renderable in renderables:
            console.print(renderable)
    write("\n".join(line.rstrip() for line in capture.get().splitlines()))


def write(text: str) -> None:
    """Prints, with a question mark for what standard output cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))


def write_json(document: Mapping[str, Any]) -> None:
    print(json.dumps(document))


def bar(share: float) -> str:
    """A bar for a share between 0 and 1."""
    full = "█" if sys.stdout.isatty() else "#"
    return full * round(share * BAR)


@contextmanager
def progress_line(unit: str) -> Iterator[Callable[[int], None] | None]:
    """A callable that shows how far a long call has come, on a terminal only; the line is wiped at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    start = time.monotonic()

    def show(done: int) -> None:
        print(f"\r{time.monotonic() - start:5.1f} s {done:14,} {unit}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
