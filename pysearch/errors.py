"""The exceptions of pysearch. Every message is one line: what is wrong, what was found, what was expected."""

from collections.abc import Sequence
from typing import Any


class Error(ValueError):
    """Bad input of any kind. Nothing else comes out of bad input."""


class NotationError(Error):
    """A text or dictionary that cannot be read, or that describes an impossible position.

    `field` is the key at fault, such as "hands"; "game" for the word at the beginning of the line. Of a move in a game
    record that is not legal, `legal` are the legal moves, where they are known.
    """

    def __init__(self, field: str, message: str, legal: Sequence[str] = ()) -> None:
        super().__init__(field, message)
        self.field = field
        self.message = message
        self.legal = list(legal)

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class IllegalMove(Error):
    """A move that is not legal here, or no move at all. `legal` are the legal moves, empty when they are not known."""

    def __init__(self, message: str, legal: list[str]) -> None:
        super().__init__(message, legal)
        self.message = message
        self.legal = legal

    def __str__(self) -> str:
        return self.message


class ArgumentError(Error):
    """An argument out of its range. `argument` is its name: seed, seat, limit, method, game, threads …"""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(argument, message)
        self.argument = argument
        self.message = message

    def __str__(self) -> str:
        return f"{self.argument}: {self.message}"


class BackendError(RuntimeError):
    """The computing core that was asked for is not there."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a long call, after the core has stopped. `result` is what it had found until then."""

    def __init__(self, result: Any) -> None:
        super().__init__(result)
        self.result = result


def printable(text: str, keep: str = "") -> str:
    """The text without what a terminal would obey, but for the characters to keep."""
    return "".join(c if c.isprintable() or c in keep else "\N{REPLACEMENT CHARACTER}" for c in text)


def quote(value: object) -> str:
    """A value as it is shown in a message: on one line and not too long."""
    try:
        text = ascii(value)
    except Exception:  # Python writes no number of more than 4,300 digits, and a foreign repr may do anything
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else text[:57] + "..."
