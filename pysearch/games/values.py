"""Reading the single values of a position line. Each reader takes the key, for the message, and the text."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from pysearch.errors import NotationError, quote

T = TypeVar("T")

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")


def number(field: str, text: str, low: int, high: int) -> int:
    """A number from low to high."""
    if not _NUMBER.fullmatch(text) or not low <= int(text) <= high:
        expected = f"{low} or {high}" if high == low + 1 else f"a number from {low} to {high}"
        raise NotationError(field, f"found {quote(text)}, expected {expected}")
    return int(text)


def maybe_number(field: str, text: str, low: int, high: int) -> int | None:
    """A number from low to high, or None for `-`."""
    return None if text == "-" else number(field, text, low, high)


def choice(field: str, text: str, words: Iterable[str]) -> int:
    """The place of the text among some words, in upper or lower case."""
    known = list(words)
    folded = [word.lower() for word in known]
    if text.lower() not in folded:
        raise NotationError(field, f"found {quote(text)}, expected one of {', '.join(known)}")
    return folded.index(text.lower())


def each(field: str, text: str, seats: int, read: Callable[[str, str], T]) -> list[T]:
    """One value for each seat, seat 0 first."""
    parts = text.split("/")
    if len(parts) != seats:
        found = f"{len(parts)} part{'' if len(parts) == 1 else 's'} in {quote(text)}"
        raise NotationError(field, f"found {found}, expected {seats} with / between them")
    return [read(part, field) for part in parts]
