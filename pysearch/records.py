"""Game records: a start, the moves played from there, and what was said about them (docs: notation).

A record that starts from a position knows all cards; one that starts from a view is what a single seat saw.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn, Self

from pysearch.cards import mask_of
from pysearch.errors import ArgumentError, Error, IllegalMove, NotationError, quote
from pysearch.games import GAMES
from pysearch.position import Position, View, game_of, parse, whole_number
from pysearch.record_text import MAIN, Draft, Word, read_drafts, read_notes, write_headers, write_moves, write_note

_CARD = re.compile("[A2-9TJQK][CDHS]")
_KEY = re.compile(r"[A-Za-z]\w*", re.ASCII)
# What is numbered, and how what comes before number 1 is called in messages.
ROUNDS = {"cuttle": ("turn", "before turn 1"), "buck_euchre": ("trick", "bidding")}


@dataclass(frozen=True)
class Played:
    """One move of a record. `seen` are the cards that came into sight by it, in a record of a view; `comment` is text,
    `fields` what a comment holds as `[%name value]`."""

    seat: int
    move: str
    seen: str = ""
    comment: str = ""
    fields: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return self.move + (f" ={self.seen}" if self.seen else "")

    @property
    def value(self) -> float | None:
        """The share of the win before the move, `[%val 0.53]`."""
        text = dict(self.fields).get("val")
        return None if text is None else float(text)

    @property
    def best(self) -> str | None:
        """The better move, `[%best 9HxTD]`."""
        return dict(self.fields).get("best")

    @property
    def grade(self) -> str | None:
        """What the move is called, `[%grade mistake]`."""
        return dict(self.fields).get("grade")


@dataclass(frozen=True, init=False, repr=False)
class Record:
    """A game, or as much of it as was played. Immutable; str() gives the text that read_records reads.

    `headers` are those beside Game, Position and Result, which follow from the rest. ArgumentError (headers, comment).
    """

    start: Position | View
    moves: tuple[Played, ...]
    comment: str
    _headers: tuple[tuple[str, str], ...]
    _states: tuple[Position | View, ...] = field(compare=False)

    def __init__(self, start: Position | View, headers: Mapping[str, str] | None = None, comment: str = "") -> None:
        game_of(start)
        given = {} if headers is None else headers
        if not isinstance(given, Mapping):
            raise ArgumentError("headers", f"found {quote(given)}, expected a dictionary of names and texts")
        rest = []
        for key, value in given.items():
            if not isinstance(key, str) or not _KEY.fullmatch(key) or not isinstance(value, str):
                raise ArgumentError("headers", f"found {quote(key)}: {quote(value)}, expected a name and a text")
            if key.lower() not in map(str.lower, MAIN):
                rest.append((key, " ".join(value.split())))
        self.__dict__.update(start=start, moves=(), comment=_comment(comment), _headers=tuple(rest), _states=(start,))

    def _but(self, **changes: Any) -> Self:
        """This record with some fields changed."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__ | changes)
        return other

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.start.game

    @property
    def seat(self) -> int | None:
        """Whose own record it is, None where all cards are known."""
        return self.start.seat if isinstance(self.start, View) else None

    @property
    def headers(self) -> dict[str, str]:
        """All headers: Game, Position, those that were given, Result."""
        return {"Game": self.game, "Position": str(self.start), **dict(self._headers), "Result": self.result}

    @property
    def end(self) -> Position | View:
        """What the last move led to."""
        return self._states[-1]

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2`; the scores after a deal of Buck Euchre; `*` while the game goes on."""
        outcome = self.end.outcome
        if outcome is None:
            return "*"
        if outcome.scores is not None:
            return "/".join(map(str, outcome.scores))
        return ["1/2-1/2", "1-0", "0-1"][sum(1 + winner for winner in outcome.winners)]

    def positions(self) -> list[Position | View]:
        """The position, or view, before each move; that after the last one is `end`."""
        return list(self._states[:-1])

    def numbers(self) -> list[int | None]:
        """The number that stands before each move: those that begin an ordinary turn of Cuttle, or a trick of Buck
        Euchre, are counted from the start of the record."""
        count = 0
        numbers: list[int | None] = []
        for state in self._states[:-1]:
            begins = _begins(state)
            count += begins
            numbers.append(count if begins else None)
        return numbers

    def play(self, move: str, seen: str | None = None) -> Self:
        """The record with one more move. `seen` are the cards that come into sight by it: needed where this is a
        player's own record, otherwise only checked against what some seat sees. IllegalMove; ArgumentError (seen)."""
        before = self.end
        game = game_of(before)
        after = before.play(move, seen) if isinstance(before, View) else before.play(move)
        seat, code = before.to_move, game.read_move(move)
        assert seat is not None
        assert code is not None
        token, cards = game.write_move(code), ""
        if isinstance(after, View):
            mask = mask_of(game.deck.read(seen or "-", "seen"))
            cards = game.deck.write_set(mask) if mask else ""
        elif seen is not None:
            assert isinstance(before, Position)
            _check_seen(before, after, token, seen)
        return self._but(moves=(*self.moves, Played(seat, token, cards)), _states=(*self._states, after))

    def annotate(self, index: int, comment: str | None = None, **fields: object) -> Self:
        """The record with a comment on move `index`, counted from 0, or with fields such as val=0.53, best="9HxTD",
        grade="mistake"; a field that is None is taken away. ArgumentError (index, comment, fields)."""
        index = whole_number("index", index, 0, len(self.moves) - 1)
        played = self.moves[index]
        values = dict(played.fields)
        for name, value in fields.items():
            values.pop(name, None)
            if value is not None:
                values[name] = str(value)
                note = write_note("", [(name, values[name])])[1:-1]
                if "}" in note or read_notes([note]) != ("", {name: values[name]}):
                    raise ArgumentError("fields", f"found {quote(value)} for {name}, expected one plain text")
        try:
            kept = _check_fields(self.game, values)
        except NotationError as error:
            raise ArgumentError("fields", error.message) from error
        said = played.comment if comment is None else _comment(comment)
        played = replace(played, comment=said, fields=tuple(kept.items()))
        return self._but(moves=(*self.moves[:index], played, *self.moves[index + 1 :]))

    def view(self, seat: int) -> "Record":
        """The record as this seat saw the game. Comments are left out: they may tell of cards that it did not see.
        ArgumentError (seat)."""
        if isinstance(self.start, View):
            if whole_number("seat", seat, 0, self.start.seats - 1) != self.start.seat:
                raise ArgumentError("seat", f"found {seat}, expected {self.start.seat}, whose own record this is")
            record = Record(self.start, dict(self._headers))
            for played in self.moves:
                record = record.play(played.move, played.seen)
            return record
        record = Record(self.start.view(seat), dict(self._headers))
        for before, after, played in zip(self._states, self._states[1:], self.moves, strict=False):
            assert isinstance(before, Position)
            assert isinstance(after, Position)
            record = record.play(*as_seen(before, after, played.move, record.start.seat))  # type: ignore[union-attr]
        return record

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values, ready for JSON."""
        moves = [
            {"seat": played.seat, "move": played.move, "seen": played.seen or None, "comment": played.comment or None}
            | ({"fields": dict(played.fields)} if played.fields else {})
            for played in self.moves
        ]
        return {"game": self.game, "headers": self.headers, "comment": self.comment or None, "moves": moves}

    def __str__(self) -> str:
        pieces = [write_note(self.comment, ())]
        for number, played in zip(self.numbers(), self.moves, strict=True):
            token = str(played) if number is None else f"{number}. {played}"
            pieces += [token.replace(" ", "\xa0"), write_note(played.comment, played.fields)]
        text = write_moves(piece for piece in [*pieces, self.result] if piece)
        return f"{write_headers(self.headers)}\n\n{text}"

    def __repr__(self) -> str:
        return f"<Record of {self.game}, {len(self.moves)} moves, {self.result}>"


# ---------------------------------------------------------------- what a seat sees


def as_seen(before: Position, after: Position, move: str, seat: int) -> tuple[str, str]:
    """A move as a seat sees it, and the cards that come into its sight by it: the arguments of View.play."""
    game = game_of(before)
    if before.to_move != seat and _stage(before) == "bury":
        move = "dX"
    named = mask_of(game.deck.index[name] for name in _CARD.findall(move))
    fresh = game.unseen(before.view(seat).words) & ~game.unseen(after.view(seat).words) & ~named
    return move, game.deck.write_set(fresh)


def _check_seen(before: Position, after: Position, move: str, seen: str) -> None:
    """ArgumentError (seen) unless these cards came into the sight of some seat. `-` says nothing."""
    deck = game_of(before).deck
    try:
        if not isinstance(seen, str):
            raise NotationError("seen", f"found {quote(seen)}, expected cards such as 5H, or None")
        mask = mask_of(deck.read(seen, "seen"))
    except NotationError as error:
        raise ArgumentError("seen", error.message) from error
    sights = {as_seen(before, after, move, seat)[1] for seat in range(before.seats)} - {"-"}
    if mask and deck.write_set(mask) not in sights:
        expected = " or ".join(sorted(sights)) or "no card"
        raise ArgumentError("seen", f"found {quote(seen)}, expected {expected}, which came into sight by {move}")


def _stage(state: Position | View) -> str:
    return GAMES[state.game].stage(state.words)


def _begins(state: Position | View) -> bool:
    """Whether an ordinary turn of Cuttle or a trick of Buck Euchre begins here."""
    return GAMES[state.game].begins(state.words)


# ---------------------------------------------------------------- comments


def _comment(text: object) -> str:
    if not isinstance(text, str) or "}" in text or read_notes([text])[1]:
        raise ArgumentError("comment", f"found {quote(text)}, expected text without }} and without fields")
    return " ".join(text.split())


def _check_fields(game: str, fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a comment in their canonical form. NotationError (comment)."""
    checked = dict(fields)
    if "val" in checked:
        try:
            sound = 0 <= float(checked["val"]) <= 1
        except ValueError:
            sound = False
        if not sound:
            raise NotationError("comment", f"found {quote(checked['val'])} for val, expected a number from 0 to 1")
    if "best" in checked:
        code = GAMES[game].read_move(checked["best"])
        if code is None:
            raise NotationError("comment", f"found {quote(checked['best'])} for best, expected a move of {game}")
        checked["best"] = GAMES[game].write_move(code)
    return checked


# ---------------------------------------------------------------- reading


def read_records(path_or_text: str | os.PathLike[str]) -> list[Record]:
    """The games of a file, or of a text.

    A text is what has a bracket or several lines, and is not the name of a file. NotationError names the game, the turn
    and, where a move is not legal, the legal ones (`.legal` has them all); ArgumentError (records).
    """
    return read_text(_text(path_or_text))


def read_text(text: str) -> list[Record]:
    """The games of a text. NotationError."""
    return [_read(draft, number) for number, draft in enumerate(read_drafts(text), 1)]


def _text(source: object) -> str:
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentError("records", f"found {quote(source)}, expected the name of a file, or text")
    if isinstance(source, str) and (not source.strip() or "[" in source or "\n" in source):
        try:
            found = os.path.exists(source)
        except ValueError:
            found = False
        if not found:
            return source
    try:
        return Path(source).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArgumentError("records", f"file {quote(os.fspath(source))} is not text in UTF-8") from error
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ArgumentError("records", f"cannot read file {quote(os.fspath(source))}: {reason}") from error


def _read(draft: Draft, number: int) -> Record:
    """The record of a game as it stands in a text. NotationError."""
    record = _begin(draft, number)
    for word in draft.words:
        try:
            record = _imply(record, word.move)
            record = _add(record, word)
        except Error as error:
            _refuse(error, record, number)
    for claim in (draft.result, draft.headers.get("Result")):
        if claim is None:
            continue
        claim = claim.strip()
        if claim != "*":
            try:
                record = _imply(record, None)
            except Error as error:
                _refuse(error, record, number)
        if claim != record.result:
            outcome = record.end.outcome
            why = "the game goes on" if outcome is None else outcome.reason
            found = f"found {quote(claim)}, expected {record.result}: {why}"
            raise NotationError("Result", f"game {number}, {_where(record)}: {found}")
    return record


def _begin(draft: Draft, number: int) -> Record:
    """What stands before the first move."""
    text = draft.headers.get("Position")
    if text is None:
        raise NotationError("Position", f'game {number}: left out, expected [Position "cuttle/1 hands=..."]')
    try:
        start = parse(text)
    except NotationError as error:
        raise NotationError("Position", f"game {number}: {error}") from error
    name = draft.headers.get("Game", start.game)
    if name.strip().lower() != start.game:
        raise NotationError("Game", f"game {number}: found {quote(name)}, expected {start.game}, as in Position")
    comment, fields = read_notes(draft.notes)
    if fields:
        raise NotationError("comment", f"game {number}: found [%{next(iter(fields))} ...], expected it behind a move")
    return Record(start, draft.headers, comment)


def _imply(record: Record, move: str | None) -> Record:
    """The record with the `ok` that was left out before a move, or before the end: there the next move is no answer."""
    game = game_of(record.start)
    code = None if move is None else game.read_move(move)
    answers = move is not None and (code is None or game.write_move(code)[0] in "oc")  # ok, c2C; or nothing at all
    return record if answers or _stage(record.end) != "counter" else record.play("ok")


def _add(record: Record, word: Word) -> Record:
    """The record with one more move and what stands behind it."""
    index = len(record.moves)
    seen = None if word.seen == "-" else word.seen
    if seen is not None and _opens(record.end, word.move):
        record = record.play(word.move).play("ok", seen)  # the cards come by an `ok` that was left out
    else:
        record = record.play(word.move, seen)
    comment, fields = read_notes(word.notes)
    kept = tuple(_check_fields(record.game, fields).items())
    played = replace(record.moves[index], comment=comment, fields=kept)
    return record._but(moves=(*record.moves[:index], played, *record.moves[index + 1 :]))


def _opens(state: Position | View, move: str) -> bool:
    """Whether the move can be answered, so that it has brought no card into sight yet."""
    try:
        return _stage(state.play(move)) == "counter"
    except Error:
        return False


def _where(record: Record) -> str:
    """Where a record has come to, for messages: `turn 5, seat 0`."""
    count = sum(map(_begins, record._states))
    name, before = ROUNDS[record.game]
    place = f"{name} {count}" if count else before
    return place if record.end.to_move is None else f"{place}, seat {record.end.to_move} to move"


def _refuse(error: Error, record: Record, number: int) -> NoReturn:
    """Raises what happened to the next move of a record as an error of the text."""
    field: str = getattr(error, "field", getattr(error, "argument", "move"))
    message = getattr(error, "message", str(error))
    legal = error.legal if isinstance(error, IllegalMove) else []
    raise NotationError(field, f"game {number}, {_where(record)}: {message}", legal) from error


# ---------------------------------------------------------------- writing


class RecordFile:
    """A file that records are added to, one after the other. ArgumentError (record) when it cannot be written."""

    def __init__(self, path: str | os.PathLike[str], keep: bool) -> None:
        """Opens it: behind what it has, if that is to be kept, or empty."""
        self._path = path
        if not isinstance(path, (str, os.PathLike)):
            raise ArgumentError("record", f"found {quote(path)}, expected the name of a file")
        try:
            self._file = open(os.fspath(path), "a" if keep else "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        except (OSError, TypeError, ValueError) as error:
            self._fail(error)

    def add(self, *records: Record) -> None:
        try:
            for record in records:
                gap = "\n" if self._file.tell() else ""
                self._file.write(f"{gap}{record}\n")
            self._file.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: Exception) -> NoReturn:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ArgumentError("record", f"cannot write file {quote(self._path)}: {reason}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(OSError):  # of a flush that has failed before
            self._file.close()
