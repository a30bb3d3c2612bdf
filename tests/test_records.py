"""Game records: printed and read again, as everybody saw them, spoilt in every way; written by play and match."""

import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pysearch
from pysearch import ArgumentError, IllegalMove, NotationError, Position, Record, View, read_records
from pysearch.players import read_player
from pysearch.records import RecordFile, as_seen

GAMES = ["cuttle", "buck_euchre"]
EXAMPLES = Path(__file__).parent.parent / "examples"
COMMAND = [sys.executable, "-m", "pysearch"]

STOCK = "AD2D3D4D5D6D7D8D9DTDJDQDKDAH2H3H4H5H6H7H8H9HTHJHQHKHAS2S3S4S5S6S7S8S9STSJSQSKS"
HEAD = f'[Game "cuttle"]\n[Position "cuttle/1 hands=AC3C5C7C9C/2C4C6C8CTCKC stock={STOCK}JCQC turn=0"]\n'
OWN = '[Game "cuttle"]\n[Position "cuttle/1 hands=AC3C5C7C9C/X6 stock=X41 turn=0 view=0"]\n'
DEAL = (
    '[Game "buck_euchre"]\n[Position "buck/1 hands=9CKCTD9SAS/QC9DJDJHAH/TCQDKHTSKS/ACKDADQHJS up=9H kitty=JCTHQS'
    ' dealer=0 turn=1"]\n'
)
HEADS = {"cuttle": HEAD, "own": OWN, "buck": DEAL}


def one(text: str) -> Record:
    (record,) = read_records(text)
    return record


def whole(position: Position | View) -> Position:
    assert isinstance(position, Position)
    return position


def random_record(game: str, seed: int) -> Record:
    """A random game, now and then broken off."""
    rng = random.Random(f"record {game} {seed}")
    record = Record(pysearch.deal(game, seed=seed), {"Player0": "A", "Player1": 'B "\\" C'} if seed % 2 else None)
    most = rng.choice([rng.randrange(40), 400])
    while not record.end.is_over and len(record.moves) < most:
        record = record.play(rng.choice(record.end.legal_moves()))
    return record


# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("game", GAMES)
def test_what_is_printed_is_read_again(game: str, count: Callable[[int, int], int]) -> None:
    """In both forms, several games in one file."""
    for first in range(0, count(300, 3000), 30):
        records = [random_record(game, seed) for seed in range(first, first + 30)]
        records += [record.view(seed % record.start.seats) for seed, record in enumerate(records)]
        texts = [str(record) for record in records]
        again = read_records("\n\n".join(texts))
        assert again == records
        assert [str(record) for record in again] == texts
        assert [record.end for record in again] == [record.end for record in records]


@pytest.mark.parametrize("game", GAMES)
def test_an_own_record_is_what_its_seat_saw(game: str, count: Callable[[int, int], int]) -> None:
    """Its views are those of the full record, at every move and for every seat; the cards are seen nowhere else."""
    tokens = 0
    for seed in range(count(60, 1000)):
        record = random_record(game, seed)
        for seat in range(record.start.seats):
            own = record.view(seat)
            assert own.seat == seat
            assert own.positions() == [whole(position).view(seat) for position in record.positions()]
            assert own.end == whole(record.end).view(seat)
            assert (own.result, own.numbers()) == (record.result, record.numbers())
            assert own.view(seat) == own
            tokens += sum(bool(played.seen) for played in own.moves)
            for played, full in zip(own.moves, record.moves, strict=True):
                assert played.move == full.move or (played.move == "dX" and full.move[0] == "d")
    assert (tokens > 0) == (game == "cuttle")


def test_an_ok_may_be_left_out(count: Callable[[int, int], int]) -> None:
    left_out = 0
    for seed in range(count(40, 1000)):
        record = random_record("cuttle", seed)
        if record.result == "*":
            continue
        for form in (record, record.view(0), record.view(1)):
            short, n = re.subn(r"\bok\b", "", str(form))
            left_out += n
            assert one(short) == form
    assert left_out > 100


def test_cards_in_sight_are_checked_in_a_full_record(count: Callable[[int, int], int]) -> None:
    checked = 0
    for seed in range(count(20, 500)):
        record = random_record("cuttle", seed)
        again = wrong = Record(record.start)
        positions = [whole(position) for position in (*record.positions(), record.end)]
        for before, after, played in zip(positions, positions[1:], record.moves, strict=False):
            for seat in (0, 1):
                seen = as_seen(before, after, played.move, seat)[1]
                again.play(played.move, seen)
                if seen != "-":
                    checked += 1
                    with pytest.raises(ArgumentError, match=seen):
                        wrong.play(played.move, "AC" if seen != "AC" else "2C")
            again = wrong = again.play(played.move)
    assert checked > 100


@pytest.mark.parametrize("game", GAMES)
def test_spoilt_text_is_an_error_or_a_record(game: str, count: Callable[[int, int], int]) -> None:
    """Nothing but pysearch.Error comes out, on one line; what is read is sound."""
    rng = random.Random(f"spoilt {game}")
    texts = [str(form) for seed in range(10) for form in (random_record(game, seed), random_record(game, seed).view(1))]
    letters = 'ACDHS23456789TJQKXdtcokx@=[]{}"%\\#/.*-+ \n\r\t\ufeff\0é'
    errors: list[str] = []
    for _ in range(count(400, 20_000)):
        text = rng.choice(texts)
        for _ in range(rng.choice([1, 1, 3])):
            at = rng.randrange(rng.choice([0, max(0, text.rfind("]"))]), len(text))
            text = text[:at] + rng.choice(["", rng.choice(letters)]) + text[at + rng.randrange(2) :]
        try:
            for record in read_records("\n" + text):
                assert read_records(str(record)) == [record]
        except NotationError as error:
            errors.append(str(error))
    assert len(errors) > 50
    assert not [message for message in errors if "\n" in message or len(message) > 400]


# ---------------------------------------------------------------- forgiving input

PLAIN = HEAD + "1. 3C 2. 4Cx3C 3. AC@ c2C ok 4. draw 5. 5C@ ok 6. TC *"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "3C 4Cx3C AC@ c2C ok draw 5C@ ok TC",
        HEAD + "3C 4Cx3C AC@ c2C draw 5C@ TC *",
        HEAD + "1.3C 2.4Cx3C 3...AC@ c2C ok 7. draw 1. 5C@ ok 2. TC *",
        HEAD + "c3 ♣4xc3 ac@ C2c OK Draw c5@ ok 10c *",
        HEAD.lower().replace("ac3c", "AC3C") + "3C 4Cx3C AC@ c2C ok draw 5C@ ok TC *",
        "\ufeff# my games\n" + PLAIN.replace("\n", "\r\n").replace("4Cx3C", "# scuttles\r\n4Cx3C#so\r\n"),
        HEAD.replace("\n", " ") + '[Result "*"] 3C 4Cx3C AC@ c2C\n\n\nok draw =AD 5C@ =2D,D3 TC =- *',
        HEAD.replace('[Game "cuttle"]', '[game "Cuttle"]') + "3C 4Cx3C AC@ c2C draw=AD 5C@ ok=2D3D TC",
        PLAIN.replace('[Game "cuttle"]', ""),
        PLAIN.removesuffix("*"),
    ],
)
def test_input_is_forgiving(text: str) -> None:
    record = one(text)
    assert str(record) == str(one(PLAIN))
    assert str(record).endswith(PLAIN[len(HEAD) :])


def test_the_cards_of_an_own_record() -> None:
    text = OWN + "1. draw =AD 2. 8C@ 3. 5C@ ok =2D3D 4. draw 5. 7C@ ok =JD 6. 4S 7. AD *"  # the jack fits nowhere
    record = one(text)
    assert [str(played) for played in record.moves if played.seen] == ["draw =AD", "ok =2D3D", "ok =JD"]
    assert one(text.replace("ok =2D3D", "=d3d2")) == record
    assert record.seat == 0
    assert record.numbers() == [1, 2, 3, None, 4, 5, None, 6, 7]


def test_a_burial_that_was_not_seen() -> None:
    record = one(DEAL + "order d9C drop stay stay 1. JH *")
    assert [played.move for played in record.view(0).moves][:2] == ["order", "d9C"]
    assert [played.move for played in record.view(2).moves][:2] == ["order", "dX"]
    assert one(str(record.view(2)).replace("dX", "dx")) == record.view(2)
    with pytest.raises(NotationError, match="bidding"):
        one(str(record.view(2)).replace("dX", "d9C"))


def test_tricks_are_numbered_and_bids_are_not() -> None:
    records = [random_record("buck_euchre", seed) for seed in range(20)]
    played = [record for record in records if record.result != "*" and len(record.moves) > 12]
    assert played
    for record in played:
        assert [number for number in record.numbers() if number] == [1, 2, 3, 4, 5]
        first = record.numbers().index(1)
        assert all(state.to_dict()["stage"] != "play" for state in record.positions()[:first])


# ---------------------------------------------------------------- comments


def test_comments_and_fields() -> None:
    text = HEAD + "{Round\n 1} 3C {[%val 0.53] a {start\t[%best x]}".replace("[%best x]", "[%best c5]")
    text += " 4Cx3C {one} {[%grade mistake] two # no comment [%mine some words]} 1. AC@ {[x] [%]} *"
    record = one(text)
    assert record.comment == "Round 1"
    first, second, third = record.moves
    assert (first.value, first.best, first.grade, first.comment) == (0.53, "5C", None, "a {start")
    assert (second.value, second.best, second.grade) == (None, None, "mistake")
    assert second.comment == "one two # no comment"
    assert dict(second.fields)["mine"] == "some words"
    assert (third.comment, third.fields) == ("[x] [%]", ())
    assert one(str(record)) == record
    assert "{[%val 0.53] [%best 5C] a {start}" in str(record).replace("\n", " ")
    assert [played.move for played in record.view(1).moves] == ["3C", "4Cx3C", "AC@"]
    assert "{" not in str(record.view(1))


def test_annotate() -> None:
    record = random_record("cuttle", 3)
    best = whole(record.positions()[2]).legal_moves()[-1]
    noted = record.annotate(2, "why\n not?", val=0.25, best=best, grade="blunder").annotate(0, "first")
    assert noted.moves[2].value == 0.25
    assert (noted.moves[2].best, noted.moves[2].grade, noted.moves[2].comment) == (best, "blunder", "why not?")
    assert one(str(noted)) == noted != record
    assert noted.annotate(2, grade="good", val=None).moves[2].fields == (("best", best), ("grade", "good"))
    assert noted.annotate(2, "", val=None, best=None, grade=None).annotate(0, "") == record
    bad: list[tuple[str, Callable[[], object]]] = [
        ("index", lambda: record.annotate(len(record.moves), "x")),
        ("index", lambda: record.annotate(-1, "x")),
        ("comment", lambda: record.annotate(0, "a } b")),
        ("comment", lambda: record.annotate(0, "[%val 0.5]")),
        ("fields", lambda: record.annotate(0, val=2)),
        ("fields", lambda: record.annotate(0, val="much")),
        ("fields", lambda: record.annotate(0, best="up")),
        ("fields", lambda: record.annotate(0, grade="a]b")),
        ("fields", lambda: record.annotate(0, grade="a}b")),
        ("fields", lambda: record.annotate(0, grade="")),
        ("fields", lambda: record.annotate(0, None, **{"a b": 1})),
        ("seat", lambda: record.view(2)),
        ("seat", lambda: record.view(0).view(1)),
        ("headers", lambda: Record(record.start, {"a b": "x"})),
        ("headers", lambda: Record(record.start, ["x"])),  # type: ignore[arg-type]
        ("comment", lambda: Record(record.start, comment="}")),
        ("position", lambda: Record("cuttle")),  # type: ignore[arg-type]
        ("records", lambda: read_records(7)),  # type: ignore[arg-type]
        ("seen", lambda: Record(record.start).play("draw", "5")),
        ("seen", lambda: Record(record.start).play("draw", 5)),  # type: ignore[arg-type]
    ]
    for argument, call in bad:
        with pytest.raises(ArgumentError) as caught:
            call()
        assert caught.value.argument == argument


def test_records_are_values() -> None:
    record = random_record("cuttle", 1)
    assert pickle.loads(pickle.dumps(record)) == record
    assert len({record, one(str(record)), record.view(0)}) == 2
    assert json.loads(json.dumps(record.to_dict()))["headers"] == record.headers
    assert list(record.headers)[:2] == ["Game", "Position"]
    assert record.headers["Player1"] == 'B "\\" C'
    with pytest.raises(AttributeError):
        record.comment = ""  # type: ignore[misc]
    for index, before in enumerate(record.positions()):
        assert record.moves[index].seat == before.to_move
    with pytest.raises(IllegalMove):
        Record(record.start).play("ok")


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("head", "moves", "field", "pieces"),
    [
        ("cuttle", "3C 2. 4Cx3C 5CxTC", "move", ["game 1, turn 3, seat 0", "5CxTC is not legal", "expected draw AC"]),
        ("cuttle", "3C 5C", "move", ["game 1, turn 2, seat 1", "5C is not legal"]),
        ("cuttle", "3C fly", "move", ["game 1, turn 2", "'fly' is not a move of cuttle", "expected draw 2C"]),
        ("cuttle", "AC@ c4C", "move", ["turn 1, seat 1", "'c4C' is not a move"]),
        ("cuttle", "3C ok", "move", ["turn 2", "ok is not legal"]),
        ("cuttle", "draw =2D", "seen", ["turn 1", "found '2D', expected AD", "draw"]),
        ("cuttle", "3C =AD", "seen", ["expected no card", "3C"]),
        ("cuttle", "draw =AD5", "seen", ["turn 1", "'5'"]),
        ("cuttle", "=AD draw", "record", ["game 1", "before the first move"]),
        ("cuttle", "draw =AD =AD", "record", ["game 1", "=AD"]),
        ("cuttle", "3C 1-0", "Result", ["turn 2", "'1-0'", "expected *", "goes on"]),
        ("cuttle", "3C * 4C", "record", ["game 1", "'4C' behind the result"]),
        ("cuttle", "3C 25/25/25/25", "Result", ["expected *"]),
        ("cuttle", "3C {open", "record", ["game 1", "expected }"]),
        ("cuttle", "3C } 4C", "record", ["cannot read"]),
        ("cuttle", '[Date "today] 3C', "record", ["expected a header"]),
        ("cuttle", "3C {[%val 53%]}", "comment", ["turn 1", "'53%' for val"]),
        ("cuttle", "3C {[%best up]}", "comment", ["turn 1", "'up' for best"]),
        ("cuttle", "{[%val 0.5]} 3C", "comment", ["expected it behind a move"]),
        ("cuttle", '[Date "a"] [Date "b"] 3C', "Date", ["given twice"]),
        ("cuttle", "3C [Player0 \"A\"] 4C", "Position", ["game 2", "left out"]),
        ("own", "draw", "seen", ["turn 1", "the 1 card", "draw"]),
        ("own", "draw =AD TC TH", "move", ["turn 3, seat 0", "TH is not legal", "expected draw AC"]),
        ("own", "3C 4Cx3C 5C@ draw", "seen", ["turn 3", "the 2 cards", "ok"]),
        ("own", "3C 5D =5C", "seen", ["no card"]),
        ("own", "3C 5C", "move", ["turn 2, seat 1", "expected a move of seat 1"]),
        ("buck", "order d9C stay stay drop JH 9D", "move", ["game 1, trick 1, seat 2", "9D is not legal", "expected"]),
        ("buck", "pass pass up", "move", ["game 1, bidding, seat 3", "'up' is not a move", "expected pass order"]),
        ("buck", "pass pass 1-0", "Result", ["expected *"]),
        ("buck", "pass dX", "move", ["dX is not legal"]),
    ],
)  # fmt: skip
def test_errors_name_game_turn_and_legal_moves(head: str, moves: str, field: str, pieces: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        read_records(HEADS[head] + "\n" + moves)
    assert caught.value.field == field
    assert all(piece in str(caught.value) for piece in pieces), str(caught.value)
    shown = re.search(r"is not (?:legal here|a move of \w+), expected (?!a move)(.*)", str(caught.value))
    if shown:
        assert caught.value.legal[:2] == shown[1].split()[:2]
    # The second game of a file is the second.
    if "game 1" in str(caught.value):
        with pytest.raises(NotationError, match="game 2"):
            read_records(f"{HEADS[head]}\n*\n\n{HEADS[head]}\n{moves}")


@pytest.mark.parametrize(
    ("text", "field", "piece"),
    [
        ('[Game "cuttle"]\n3C', "Position", "left out"),
        ('[Position "cuttle/1 hands=5H"]\n3C', "Position", "turn"),
        (HEAD.replace('"cuttle"', '"buck_euchre"'), "Game", "expected cuttle"),
        ("1. draw\n2. draw", "Position", "left out"),
        (HEAD + HEAD.split("\n")[1], "Position", "given twice"),
        (HEAD + '[Result "1-0"] 3C *', "Result", "'1-0'"),
    ],
)
def test_errors_of_headers(text: str, field: str, piece: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_records(text)
    assert caught.value.field == field
    assert piece in str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_results_are_checked_against_play(game: str) -> None:
    record = next(r for r in (random_record(game, seed) for seed in range(50)) if r.result != "*")
    text = str(record)
    assert one(text.removesuffix(record.result)) == record
    assert one(re.sub(r'\[Result ".*?"\]', "", text)) == record
    for wrong in ("*", "1/2-1/2", "24/24/24/24"):
        with pytest.raises(NotationError, match=re.escape(f"expected {record.result}")) as caught:
            one(text.removesuffix(record.result) + wrong)
        assert caught.value.field == "Result"


def test_a_draw_and_scores_below_zero() -> None:
    end = Record(pysearch.parse(f"cuttle/1 hands=KC/- scrap={STOCK}AC2C3C4C5C6C7C8C9CTCJCQC turn=0"))
    drawn = end.play("pass").play("pass").play("pass")
    assert (drawn.result, one(str(drawn))) == ("1/2-1/2", drawn)
    low = Record(pysearch.deal("buck_euchre", seed=1, scores=(1, 1, 1, 1)))
    rng = random.Random(1)
    while not low.end.is_over:
        low = low.play(rng.choice(low.end.legal_moves()))
    assert "-" in low.result
    assert one(str(low)) == low


def test_a_file_or_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [random_record(game, seed) for game in GAMES for seed in range(3)]
    path = tmp_path / "games.txt"
    with RecordFile(path, keep=True) as file:
        file.add(*records[:4])
    with RecordFile(str(path), keep=True) as file:
        file.add(*records[4:])
    assert read_records(path) == read_records(str(path)) == read_records(path.read_text()) == records
    with RecordFile(path, keep=False) as file:
        file.add(records[0])
    assert read_records(path) == records[:1]
    monkeypatch.chdir(tmp_path)
    Path("[a] b").write_text(str(records[1]))
    assert read_records("[a] b") == [records[1]]
    assert read_records("") == read_records("\n# nothing\n") == []
    Path("bytes").write_bytes(b"\xff\xfe")
    for missing in ("none", ".", "bytes", "a\0b", "x" * 5000, Path("none")):
        with pytest.raises(ArgumentError) as caught:
            read_records(missing)
        assert caught.value.argument == "records"
    for place in (".", "none/none", 7, "a\0b"):
        with pytest.raises(ArgumentError) as caught:
            RecordFile(place, keep=True)  # type: ignore[arg-type]
        assert caught.value.argument == "record"


# ---------------------------------------------------------------- examples, matches


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_are_canonical_and_of_both_forms(game: str) -> None:
    path = EXAMPLES / f"{game}_games.txt"
    records = read_records(path)
    text = path.read_text()
    assert len(records) >= 3
    assert all(str(record) in text for record in records)
    assert {record.game for record in records} == {game}
    assert {record.seat is None for record in records} == {True, False}
    assert all(record.end.is_over for record in records)


def run(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, timeout=60, check=False)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("game", GAMES)
def test_a_match_writes_its_games(game: str, tmp_path: Path) -> None:
    out, path = tmp_path / "sets", tmp_path / "games"
    arguments = ("match", "so-ismcts:iterations=20", "random", "--game", game, "--games", "4", "--seed", "3")
    done = run(*arguments, "--out", str(out), "--record", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    sets = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    games = [(row["deal"], played) for row in sets for played in row["games"]]
    records = read_records(path)
    assert len(records) == len(games) >= 4
    for record, (deal, played) in zip(records, games, strict=True):
        assert str(record.start) == deal
        assert [entry.move for entry in record.moves] == played["moves"]
        names = [record.headers[f"Player{seat}"] for seat in range(record.start.seats)]
        assert [name.startswith("so-ismcts") for name in names] == [seat == played["a"] for seat in range(len(names))]
        assert record.end.outcome is not None
        assert list(record.end.outcome.returns) == played["returns"]
    before = path.read_text()
    assert run(*arguments, "--out", str(out), "--record", str(path)).returncode == 0  # from what is there
    assert path.read_text() == before
    done = run(*arguments, "--record", str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("pysearch: record: cannot write file")


# ---------------------------------------------------------------- pysearch play

ENGINE = ("--opponent", "rules", "--iterations", "50", "--seed", "7")


@pytest.mark.parametrize(("game", "seat"), [("cuttle", 0), ("cuttle", 1), ("buck_euchre", 2)])
def test_a_scripted_game(game: str, seat: int, tmp_path: Path) -> None:
    """Until the game is over."""
    path = tmp_path / "game"
    expected, script = Record(pysearch.deal(game, seed=7)), []
    while isinstance(expected.end, Position) and (mover := expected.end.to_move) is not None:
        legal = expected.end.legal_moves()
        move = legal[-1] if mover == seat else read_player("rules", None).choose(expected.end, 0).move
        if mover == seat:
            script.append(move)
        expected = expected.play(move)
    done = run("play", game, "--seat", str(seat), *ENGINE, "--record", str(path), stdin="\n".join([*script, ""]))
    assert (done.returncode, done.stderr) == (0, "")
    (record,) = read_records(path)
    assert (record.start, record.moves) == (expected.start, expected.moves)
    assert f"result {record.result}" in done.stdout
    assert record.headers[f"Player{seat}"] == "you"
    own = [f"{'you' if played.seat == seat else f'seat {played.seat}'}: {played}" for played in record.view(seat).moves]
    assert [line for line in done.stdout.splitlines() if line in own] == own


def test_the_human_sees_his_view_only() -> None:
    for game in GAMES:
        start = pysearch.deal(game, seed=7)
        done = run("play", game, *ENGINE, "--seat", "0", stdin="quit\n")
        assert done.returncode == 0
        hidden = set(re.findall("[A2-9TJQK][CDHS]", " ".join(str(start.to_dict()["hands"][1:]))))
        shown = set(re.findall("[A2-9TJQK][CDHS]", done.stdout))
        assert shown >= set(start.to_dict()["hands"][0])
        assert not shown & hidden


def test_the_words_of_play(tmp_path: Path) -> None:
    path = tmp_path / "games"
    script = "moves\nhint\nhelp\n\n  fly  \nundo\ndraw\nundo\ndraw\nquit\ndraw\n"
    done = run("play", "cuttle", *ENGINE, "--record", str(path), stdin=script)
    assert (done.returncode, done.stderr) == (0, "")
    start = pysearch.deal("cuttle", seed=7)
    assert f"moves: {' '.join(start.legal_moves())}" in done.stdout
    assert "hint: " in done.stdout
    assert "'fly' is not a move" in done.stdout
    assert "undo: this is your first move" in done.stdout
    assert done.stdout.count("you: draw =7D") == 2
    (record,) = read_records(path)
    assert record.start == start
    assert [played.seat for played in record.moves].count(0) == 1
    # Another game goes behind it; bytes that are no text are no move.
    done = run("play", "buck_euchre", *ENGINE, "--scores", "9/8/7/6", "--record", str(path), stdin=b"\xff\xfe\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert [record.game for record in read_records(path)] == ["cuttle", "buck_euchre"]


def test_ctrl_c_ends_play_with_the_record_written(tmp_path: Path) -> None:
    path = tmp_path / "game"
    code = (
        "import signal, sys; from pysearch.__main__ import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.argv = ['pysearch', 'play', 'cuttle', *{ENGINE!r}, '--record', {str(path)!r}]; main()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin
    assert child.stdout
    child.stdin.write(b"draw\nmoves\n")
    child.stdin.flush()
    while not child.stdout.readline().startswith(b"moves: "):
        pass
    os.kill(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=30)
    assert (child.returncode, errors) == (130, b"")
    (record,) = read_records(path)
    assert record.moves[0].move == "draw"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["play"], "game: left out"),
        (["play", "chess"], "game: found 'chess'"),
        (["play", "cuttle", "--seat", "2"], "seat: found 2"),
        (["play", "cuttle", "--seat", "me"], "seat: found 'me'"),
        (["play", "cuttle", "--opponent", "nobody"], "opponent: found 'nobody'"),
        (["play", "cuttle", "--opponent", "ismcts:depth=3"], "opponent: found"),
        (["play", "cuttle", "--seed", "-1"], "seed"),
        (["play", "cuttle", "--seconds", "0"], "seconds"),
        (["play", "cuttle", "--scores", "1/2/3/4"], "scores"),
        (["play", "cuttle", "--record", "."], "record: cannot write"),
    ],
)
def test_bad_input_of_play(arguments: list[str], named: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"pysearch: {named}")


def test_play_without_standard_input() -> None:
    line = ["sh", "-c", '"$@" <&-', "sh", *COMMAND, "play", "cuttle", *ENGINE]
    done: Any = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == "pysearch: game: cannot read standard input: it is closed\n"
