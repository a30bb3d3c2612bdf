"""Standard output: the result and nothing else, drawn for people or as one JSON document.

Progress and complaints go to standard error. Either stream may be closed (then it is None in Python) or full.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from pysearch.errors import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

BAR = 20  # characters
PIPED = 10_000  # where nobody looks at a screen nothing is wrapped or cut, unless COLUMNS says so
LONGEST = 300  # characters of a complaint


def make_console() -> "Console":
    """Colours and box lines on a terminal only; NO_COLOR and COLUMNS are honoured."""
    from rich.console import Console

    # With its `no_color` alone rich still sends bold and dim.
    console = Console(
        highlight=False, emoji=False, markup=False, color_system=None if os.environ.get("NO_COLOR") else "auto"
    )
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPED
    return console


def draw(*renderables: "RenderableType") -> None:
    """Prints each of them; columns of a table that do not wrap are never cut, however narrow the screen."""
    from rich.table import Table
    from rich.text import Text

    console = make_console()
    screen = console.width
    with console.capture() as capture:
        for renderable in renderables:
            console.width = screen
            if isinstance(renderable, Table):
                # rich would squeeze all columns alike.
                need = room_for(renderable, console)
                rigid = all(column.no_wrap for column in renderable.columns)
                console.width = max(screen, need.maximum if rigid else need.minimum)
            # What print is given as text loses these two on the way.
            cut = isinstance(renderable, Text) and renderable.no_wrap
            console.print(renderable, no_wrap=cut, overflow="ellipsis" if cut else None)
    write("\n".join(line.rstrip() for line in capture.get().splitlines()))


def room_for(table: "Table", console: "Console") -> "Measurement":
    """The widths that a table can have, however wide the screen is."""
    from rich.measure import Measurement

    return Measurement.get(console, console.options.update(max_width=PIPED), table)


def fits(table: "Table") -> bool:
    """Has the screen room for a table whose columns do not wrap?"""
    console = make_console()
    return room_for(table, console).maximum <= console.width


def one_line(text: str) -> "Text":
    """Text that is cut to the width there is, instead of going on in another line."""
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")


def write(text: str) -> None:
    """Prints, with a question mark for what standard output cannot encode."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def write_json(document: Mapping[str, Any]) -> None:
    print(json.dumps(document), flush=True)


def tell(message: str) -> None:
    """One line on standard error, not too long, and without what a terminal would obey."""
    line = printable(" ".join(message.split()))
    if len(line) > LONGEST:
        line = line[: LONGEST - 3] + "..."
    if sys.stderr is not None:  # otherwise print would take standard output
        try:
            print("pysearch:", line, file=sys.stderr, flush=True)
        except OSError:
            silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Sends to nowhere what is still in a stream: Python would complain at exit, when it flushes what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def short_number(number: int) -> str:
    """A count for people: 617,512,896, or 3.40e46."""
    return f"{number:,}" if number < 10**12 else f"{number:.2e}".replace("e+", "e")


def counted(number: int, unit: str) -> str:
    """So many of something: 1 set, 2,000 sets."""
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"


def bar(share: float) -> str:
    """A bar for a share between 0 and 1."""
    full = "█" if sys.stdout.isatty() else "#"
    return full * round(share * BAR)


@contextmanager
def progress_line(unit: str) -> Iterator[Callable[[int], None] | None]:
    """A callable that shows how far a long call has come, on a terminal only; the line is wiped at the end."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    start = time.monotonic()
    longest = 0

    def show(done: int) -> None:
        nonlocal longest
        line = f"{time.monotonic() - start:5.1f} s {done:14,} {unit}"
        longest = max(longest, len(line))
        print(f"\r{line}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if longest:
            print(f"\r{' ' * longest}\r", end="", file=sys.stderr, flush=True)
