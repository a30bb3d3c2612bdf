"""The text of game records, in the manner of PGN: headers, moves, `=` cards, comments. It knows no game and no rules.

A comment holds text and fields, `{[%val 0.53] [%best 9HxTD] a close one}`; blanks and line ends in it count as one.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from textwrap import fill
from typing import NoReturn

from pysearch.errors import NotationError, printable, quote

WIDTH = 100  # characters of a line of moves
LONGEST = 100  # characters of a name where it is shown
MAIN = ("Game", "Position", "Result")  # the headers that mean something, in any case

_PIECE = re.compile(
    r"""
      (?P<blank> \s+ | \#[^\n]* | [0-9]+\.+ )                                   # move numbers are for people
    | (?P<header> \[\s*(?P<key>[A-Za-z]\w*)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
    | (?P<note> \{(?P<text>[^}]*)\} )
    | (?P<result> (?: \* | 1-0 | 0-1 | 1/2-1/2 | -?[0-9]+(?:/-?[0-9]+){3} ) (?=[\s{\#\[]|$) )
    | (?P<seen> =(?P<cards>[^\s{}\[\]\#="]+) )
    | (?P<word> [^\s{}\[\]\#="]+ )
    """,
    re.VERBOSE | re.ASCII,
)
_FIELD = re.compile(r"\[%(\w+)\s+([^\[\]\s][^\[\]]*)\]", re.ASCII)


@dataclass
class Word:
    """A move as it stands, with the cards and comments behind it."""

    move: str
    seen: str | None = None
    notes: list[str] = field(default_factory=list)


@dataclass
class Draft:
    """A game as it stands; `notes` are the comments before its first move."""

    headers: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    result: str | None = None

    def begun(self) -> bool:
        return bool(self.notes or self.words or self.result)


def read_drafts(text: str) -> list[Draft]:
    """The games of a text. NotationError (record)."""
    text = "\n".join(text.replace("\ufeff", "").splitlines())
    drafts: list[Draft] = []
    at = 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            _refuse(drafts, text[at:])
        at = match.end()
        if match["header"]:
            key = next((name for name in MAIN if name.lower() == match["key"].lower()), match["key"])
            if not drafts or drafts[-1].begun() or (key == "Game" and key in drafts[-1].headers):
                drafts.append(Draft())
            if key in drafts[-1].headers:
                raise NotationError(key, f"game {len(drafts)}: given twice, expected once")
            drafts[-1].headers[key] = re.sub(r'\\(["\\])', r"\1", match["value"])
        elif not match["blank"]:
            if not drafts:
                drafts.append(Draft())
            _add(drafts, match)
    return drafts


def _add(drafts: list[Draft], match: re.Match[str]) -> None:
    """Puts one piece of text into the last of the games."""
    draft = drafts[-1]
    if match["note"]:
        (draft.words[-1].notes if draft.words else draft.notes).append(match["text"])
    elif draft.result:
        found = f"found {quote(match[0])} behind the result, expected the headers of another game"
        raise NotationError("record", f"game {len(drafts)}: {found}")
    elif match["result"]:
        draft.result = match["result"]
    elif match["word"]:
        draft.words.append(Word(match["word"]))
    elif not draft.words or draft.words[-1].seen is not None:
        where = "behind other cards" if draft.words else "before the first move"
        raise NotationError("record", f"game {len(drafts)}: found {quote(match[0])} {where}, expected it behind a move")
    else:
        draft.words[-1].seen = match["cards"]


def _refuse(drafts: list[Draft], rest: str) -> NoReturn:
    expected = {
        "{": "expected } at the end of a comment",
        "[": 'expected a header such as [Game "cuttle"]',
        "=": "expected cards, =5H",
    }.get(rest[0], "expected a header, a move, a comment or a result")
    raise NotationError("record", f"game {max(len(drafts), 1)}: cannot read {quote(rest)}, {expected}")


def read_notes(notes: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The text of some comments, and their fields."""
    text, fields = " ".join(" ".join(notes).split()), {}
    while match := _FIELD.search(text):
        fields[match[1]] = match[2].strip()
        text = " ".join((text[: match.start()] + " " + text[match.end() :]).split())
    return text, fields


def write_note(text: str, fields: Iterable[tuple[str, str]]) -> str:
    """The comment that read_notes reads; empty when it says nothing."""
    inner = " ".join([*(f"[%{name} {value}]" for name, value in fields), *([text] if text else [])])
    return f"{{{inner}}}" if inner else ""


def shown(name: str) -> str:
    """A name as screens and pages show it: not too long, and without what a terminal would obey."""
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return printable(short)


def write_headers(headers: Mapping[str, str]) -> str:
    """Game and Position on lines of their own, the others together."""
    shown = {key: '[{} "{}"]'.format(key, re.sub(r'(["\\])', r"\\\1", value)) for key, value in headers.items()}
    rest = " ".join(text for key, text in shown.items() if key not in MAIN[:2])
    return "\n".join([*(shown[key] for key in MAIN[:2]), rest])


def write_moves(pieces: Iterable[str]) -> str:
    """Lines of moves and comments; what stands in one piece with a no-break space stays on one line."""
    return fill(" ".join(pieces), WIDTH, break_long_words=False, break_on_hyphens=False).replace("\xa0", " ")
