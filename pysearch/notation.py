"""Position lines: `game/version key=value …`, the frame that both games share.

Reading is forgiving: keys in any order and case, blank space, also around `=` `/` `,`, a comma too many at the end,
CRLF, a byte-order mark, `#` comments, cards in several spellings.
Printing is canonical: equal positions give the same line. Packed states are `bytes`, laid out as csrc/*.h say; nothing
here needs the compiled core.

A dictionary (`to_dict`) has the game's name under "game" and every key of the line, with lists where the line runs
things together; joining the pieces of a list gives the text again:

    cards            ["3H", "X4"]                  scrap, stock, sevens, counters, kitty, played, trick
    cards by seat    [["3H", "5D"], ["AC", "X4"]]  hands, perms, known; points with the jacks on their card: "TH+JC+JS"
    suits by seat    [[], ["H"], [], ["C", "S"]]   voids
    numbers by seat  [25, 25, 25, 25]              scores, tricks
    seats            [0, 2]                        out
    a number         1, or None                    turn, passes, dealer, maker, view (None: not a view)
    a word           "2S@KC", or None              stage, oneoff, revealed, up, buried, trump
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from pysearch.errors import NotationError, quote
from pysearch.games import GAMES
from pysearch.games.game import Game, Key, Shape

_TAGS = {game.tag: game for game in GAMES.values()}
_COMMENT = re.compile(r"#.*")
# A sign and the blanks around it; those behind it stay where the next key begins: `hands=5H/ turn=0` lacks a hand.
_SIGN = re.compile(r"\s*([=/,])(?:\s++(?!\w+\s*=))?")
_PIECE = re.compile(r"X[0-9]+|[^+X]{2}(?:\+[^+]{2})*")


def lines_of(text: str) -> list[str]:
    """The position lines of a file's text, without comments, blank lines and byte-order marks."""
    stripped = (_COMMENT.sub("", line).replace("\ufeff", "").strip() for line in text.splitlines())
    return [line for line in stripped if line]


def read(text: str) -> tuple[Game, bytes]:
    """The game and packed state of the one position or view in a text. NotationError."""
    if not isinstance(text, str):
        raise NotationError("game", f"found {quote(text)}, expected text such as cuttle/1 hands=… turn=0")
    lines = lines_of(text)
    if len(lines) != 1:
        found = f"{len(lines)} lines" if lines else "no text"
        raise NotationError("game", f"found {found}, expected one position such as cuttle/1 hands=... turn=0")
    tag, *words = _SIGN.sub(r"\1", lines[0]).split()
    game = _TAGS.get(tag.lower())
    if game is None:
        raise NotationError("game", f"found {quote(tag)}, expected {' or '.join(_TAGS)}")
    values: dict[str, str] = {}
    for word in words:
        key, mark, value = word.partition("=")
        key = key.lower()
        if not mark:
            raise NotationError(_field(key), f"found {quote(word)}, expected key=value")
        if key in values:
            raise NotationError(_field(key), "given twice, expected once")
        values[key] = value.replace(",/", "/").removesuffix(",")
    return game, _pack(game, values)


def write(game: Game, words: bytes) -> str:
    """The canonical line of a packed state."""
    values = game.unpack(words)
    shown = (f"{key.name}={values[key.name]}" for key in game.keys if values[key.name] != key.default)
    return " ".join((game.tag, *shown))


def to_dict(game: Game, words: bytes) -> dict[str, Any]:
    """A packed state as a dictionary of plain values, shaped as at the top of this file; all keys, in their order."""
    values = game.unpack(words)
    return {"game": game.name, **{key.name: _from_text(key.shape, values[key.name]) for key in game.keys}}


def from_dict(values: Mapping[str, Any]) -> tuple[Game, bytes]:
    """The game and packed state of a dictionary such as to_dict gives; keys with their default may be left out.

    NotationError, as for the line that says the same.
    """
    if not isinstance(values, Mapping):
        raise NotationError("game", f"found {quote(values)}, expected a dictionary with game, hands, turn …")
    name = values.get("game")
    game = (GAMES.get(name) or _TAGS.get(name)) if isinstance(name, str) else None
    if game is None:
        raise NotationError("game", f"found {quote(name)}, expected {' or '.join(GAMES)}")
    shapes = {key.name: key for key in game.keys}
    texts = {}
    for key, value in values.items():
        if key == "game":
            continue
        texts[key] = _to_text(shapes[key], value, game.seats) if key in shapes else ""
    return game, _pack(game, texts)


def _pack(game: Game, values: Mapping[str, str]) -> bytes:
    names = [key.name for key in game.keys]
    for key in values:
        if key not in names:
            near = get_close_matches(key[:20], names, 1) if isinstance(key, str) else []
            expected = f"perhaps {near[0]}" if near else f"one of {', '.join(names)}"
            raise NotationError(_field(key), f"no such key of {game.tag}, expected {expected}")
    for entry in game.keys:
        if entry.default is None and entry.name not in values:
            raise NotationError(entry.name, f"left out, expected {entry.name}=...")
    return game.pack(values)


def _field(key: object) -> str:
    """A key as it is named in an error: as it stands when it is a plain word."""
    return key if isinstance(key, str) and re.fullmatch(r"\w{1,20}", key, re.ASCII) else quote(key)


def _from_text(shape: Shape, text: str) -> Any:
    if shape is Shape.WORD:
        return None if text == "-" else text
    if shape is Shape.NUMBER:
        return None if text == "-" else int(text)
    if shape is Shape.SEAT_NUMBERS:
        return [int(part) for part in text.split("/")]
    if shape is Shape.SEATS:
        return [] if text == "-" else [int(seat) for seat in text]
    if shape is Shape.SEAT_SUITS:
        return [[] if part == "-" else list(part) for part in text.split("/")]
    if shape is Shape.SEAT_CARDS:
        return [_PIECE.findall(part) for part in text.split("/")]
    return _PIECE.findall(text)


def _to_text(key: Key, value: Any, seats: int) -> str:
    """The text that a value of a dictionary stands for. NotationError when it has another shape."""

    def wrong() -> NotationError:
        return NotationError(key.name, f"found {quote(value)}, expected {key.shape.value}")

    def one(item: object, kind: type) -> str:
        # No number of a position is that large, and Python would not write one of more than 4,300 digits.
        if type(item) is not kind or item == "" or (isinstance(item, int) and abs(item) >= 10**9):
            raise wrong()
        return str(item)

    def many(items: object, kind: type) -> Iterable[str]:
        if not isinstance(items, (list, tuple)):
            raise wrong()
        return [one(item, kind) for item in items]

    if key.shape is Shape.WORD:
        if value is not None and not isinstance(value, str):
            raise wrong()
        return "-" if value is None else value
    if key.shape is Shape.NUMBER:
        return "-" if value is None else one(value, int)
    if key.shape is Shape.SEATS:
        return "".join(many(value, int)) or "-"
    if key.shape is Shape.CARDS:
        return "".join(many(value, str)) or "-"
    if not isinstance(value, (list, tuple)) or len(value) != seats:
        raise wrong()
    if key.shape is Shape.SEAT_NUMBERS:
        return "/".join(many(value, int))
    return "/".join("".join(many(cards, str)) or "-" for cards in value)
