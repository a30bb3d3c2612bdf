"""What stands on the command line: positions as words of text, a file or standard input; numbers."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

import pysearch
from pysearch import Position, View
from pysearch.calls import is_same_file
from pysearch.errors import ArgumentError, quote
from pysearch.position import whole_number

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def whole(field: str) -> Callable[[str], int]:
    """The type of an option: a whole number, whose range is checked by the library."""
    return _number(field, int, "whole number")


def real(field: str) -> Callable[[str], float]:
    return _number(field, float, "number")


def _number(field: str, kind: Callable[[str], T], what: str) -> Callable[[str], T]:
    def read(text: str) -> T:
        try:
            return kind(text)
        except ValueError:
            raise click.UsageError(f"{field}: found {quote(text)}, expected a {what}") from None

    return read


def position_argument(function: F) -> F:
    """The argument POS of a verb. That it is there is checked in source_text, with a better message than click's."""
    return click.argument("words", metavar="POS", nargs=-1)(function)


@dataclass(frozen=True)
class Entry:
    """A position with the comment that stands above it."""

    title: str
    position: Position | View


def read_entries(words: tuple[str, ...]) -> list[Entry]:
    """Every position of the argument POS, at least one. Several words are one text, as a shell splits it."""
    text, where = source_text(words)
    entries: list[Entry] = []
    comments: list[str] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        content, hash_sign, comment = line.partition("#")
        if content.strip():
            try:
                position = pysearch.parse(content)
            except pysearch.NotationError as error:
                if len(lines) == 1:
                    raise
                raise click.UsageError(f"{where}line {number}: {error}") from error
            entries.append(Entry(" ".join(comments), position))
            comments = []
        elif hash_sign:
            comments.append(comment.strip())
        else:
            comments = []
    if not entries:
        raise click.UsageError(f"position: {where}no position found")
    return entries


def read_position(words: tuple[str, ...]) -> Position | View:
    """The position of an argument POS that has to be a single one."""
    entries = read_entries(words)
    if len(entries) > 1:
        raise click.UsageError(f"position: one expected, {len(entries)} found")
    return entries[0].position


def seen_by(position: Position | View, seat: int) -> View:
    """The view that the option --view asks for."""
    seat = whole_number("view", seat, 0, position.seats - 1)
    if isinstance(position, Position):
        return position.view(seat)
    if position.seat != seat:
        raise click.UsageError(f"view: found {seat}, expected {position.seat}: the position is already a view")
    return position


def source_text(words: tuple[str, ...]) -> tuple[str, str]:
    """The text, and the place to name in messages."""
    if not words:
        raise click.UsageError("position: left out, expected text, the name of a file, or - for standard input")
    if words == ("-",):
        return read_stdin(), "standard input: "
    if len(words) > 1:
        if os.path.isfile(words[0]) or not any("=" in word for word in words):
            raise click.UsageError(f"position: found {len(words)} arguments, expected one file, or one text")
        return " ".join(words), ""
    name = words[0]
    # The name of a file may look like text; text is hardly ever the name of a file.
    if not os.path.exists(name) and (not name or any(sign in name for sign in " =\n")):
        return name, ""
    try:
        return decode(Path(name).read_bytes(), quote(name)), f"{quote(name)}: "
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.UsageError(f"position: cannot read file {quote(name)}: {reason}") from error


def read_stdin() -> str:
    if sys.stdin is None:
        raise click.UsageError("position: cannot read standard input: it is closed")
    try:
        return decode(sys.stdin.buffer.read(), "standard input")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.UsageError(f"position: cannot read standard input: {reason}") from error


def decode(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"position: {where}: not text in UTF-8") from error


def check_target(argument: str, path: str, source: str, what: str) -> None:
    """ArgumentError where no file can be written to `path`, or it would take the place of `source`, which is `what`."""
    folder = os.path.dirname(os.path.realpath(path))
    if not path:
        raise ArgumentError(argument, "found nothing, expected the name of a file")
    if "\0" in path or os.path.isdir(path):
        raise ArgumentError(argument, f"found {quote(path)}, expected the name of a file")
    if is_same_file(path, "/dev/stdin" if source == "-" else source):
        raise ArgumentError(argument, f"{quote(path)} is {what}")
    if not os.path.isdir(folder):
        raise ArgumentError(argument, f"cannot write file {quote(path)}: no such file or directory")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise ArgumentError(argument, f"cannot write file {quote(path)}: permission denied")
