"""A file of JSON lines that a long piece of work leaves behind, and goes on from when it is run again.

The first line says what the work is. A last line without its end was cut off in writing, and is dropped.
"""

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pysearch.errors import ArgumentError, quote

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

Line = dict[str, Any]  # the first one, the head, has under `record` what the work is

LONGEST = 1 << 22  # bytes of a line; the games of a set have some thousand


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
    """The file at this path, made when there is none, and nobody else's until the end. ArgumentError (`argument`) when
    it cannot be used, is in use, or is about something else than `head`."""
    if path is None:
        yield Lines([], None)
        return
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(name, str):
        raise ArgumentError(argument, f"found {quote(path)}, expected the name of a file")
    try:
        # Looked at before it is opened: a device may do anything, or have no end.
        if os.path.exists(name) and not os.path.isfile(name):
            raise OSError(errno.EINVAL, "not a regular file")
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ArgumentError(argument, f"cannot write file {quote(path)}: {reason}") from error
    try:
        with _locked(file, head["record"], argument, path):
            found, end = _read(file, head, argument, path)
            os.truncate(file, end)
            lines = Lines(found, file)
            if not end:
                lines.add(head)
            yield lines
    finally:
        os.close(file)


@contextmanager
def _locked(file: int, work: object, argument: str, path: object) -> Iterator[None]:
    """Keeps others out, where the system knows how to. A process that dies leaves no lock behind."""
    locked = False
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            locked = True
    except BlockingIOError:
        raise ArgumentError(argument, f"file {quote(path)} is in use by another {work}") from None
    except OSError:  # a file system without locks
        pass
    try:
        yield
    finally:
        if locked:
            fcntl.flock(file, fcntl.LOCK_UN)  # closing is not enough: a worker that was forked has it open too


def _read(file: int, head: Line, argument: str, path: object) -> tuple[list[Line], int]:
    """The lines behind the head, and where the last whole one ends: 0 where not even the head is whole."""
    rows: list[Line] = []
    end = number = 0
    with open(file, "rb", closefd=False) as reader:
        # One by one, so that what is none of ours is seen before it is all in memory.
        while (text := reader.readline(LONGEST)).endswith(b"\n"):
            number += 1
            row = _row(text, number, argument)
            if number == 1:
                _compare(row, head, argument)
            else:
                rows.append(row)
            end += len(text)
    if len(text) == LONGEST:
        raise ArgumentError(argument, f"line {number + 1} of the file is longer than any of this work's")
    if not number and not json.dumps(head).encode().startswith(text):
        raise ArgumentError(argument, f"found another file at {quote(path)}, expected none, or one begun by this")
    return rows, end


def _row(text: bytes, number: int, argument: str) -> Line:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        found = quote(text.rstrip(b"\n"))
        raise ArgumentError(argument, f"line {number} of the file is not one of this work's, found {found}")
    return row


def _compare(begun: Line, head: Line, argument: str) -> None:
    for key in {**head, **begun}:
        if begun.get(key) != head.get(key):
            about = f"the file was begun with {key} {quote(begun.get(key))}, found {quote(head.get(key))} now"
            raise ArgumentError(argument, about)
