"""A file of JSON lines that a long piece of work leaves behind, and goes on from when it is run again.

The first line says what the work is. A last line without its end was cut off in writing, and is dropped.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pysearch.errors import ArgumentError, quote

Line = dict[str, Any]


class Lines:
    """The lines that are there, and a place to add more."""

    def __init__(self, found: list[Line], file: int | None) -> None:
        self.found = found
        self._file = file

    def add(self, line: Line) -> None:
        """Writes one more line; nowhere, without a file."""
        if self._file is not None:
            data = (json.dumps(line) + "\n").encode()
            while data:
                data = data[os.write(self._file, data) :]


@contextmanager
def lines_of(path: str | os.PathLike[str] | None, head: Line, argument: str) -> Iterator[Lines]:
    """The file at this path, made when there is none. ArgumentError (`argument`) when it cannot be used or is about
    something else than `head`."""
    if path is None:
        yield Lines([], None)
        return
    try:
        name = os.fspath(path)
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except (OSError, TypeError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ArgumentError(argument, f"cannot write file {quote(path)}: {reason}") from error
    try:
        whole, end, rest = Path(name).read_bytes().rpartition(b"\n")
        first = json.dumps(head).encode()
        if not end and not first.startswith(rest):
            raise ArgumentError(argument, f"found another file at {quote(path)}, expected none, or one begun by this")
        os.truncate(file, len(whole) + len(end))
        found = _read(whole, head, argument) if end else []
        lines = Lines(found, file)
        if not end:
            lines.add(head)
        yield lines
    finally:
        os.close(file)


def _read(content: bytes, head: Line, argument: str) -> list[Line]:
    rows: list[Line] = []
    for number, text in enumerate(content.split(b"\n"), 1):
        try:
            row = json.loads(text)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise ArgumentError(argument, f"line {number} of the file is not one of this work's, found {quote(text)}")
        rows.append(row)
    begun, *found = rows
    for key in {**head, **begun}:
        if begun.get(key) != head.get(key):
            about = f"the file was begun with {key} {quote(begun.get(key))}, found {quote(head.get(key))} now"
            raise ArgumentError(argument, about)
    return found
