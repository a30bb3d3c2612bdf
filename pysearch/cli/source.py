"""Where positions on the command line come from: words of text, a file, or standard input."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click

import pysearch
from pysearch import Position, View


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


def source_text(words: tuple[str, ...]) -> tuple[str, str]:
    """The text, and the place to name in messages."""
    if words == ("-",):
        return decode(sys.stdin.buffer.read(), "standard input"), "standard input: "
    if len(words) > 1 or not words[0] or any(sign in words[0] for sign in " =\n"):
        return " ".join(words), ""
    name = words[0]
    try:
        return decode(Path(name).read_bytes(), name), f"{name}: "
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.UsageError(f"position: cannot read file {name!r}: {reason}") from error


def decode(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"position: {where}: not text in UTF-8") from error
