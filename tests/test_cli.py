"""The command line as a shell sees it: exit codes, one-line errors, documents, pipes."""

import importlib
import json
import os
import platform
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import pysearch
from pysearch import cli
from pysearch.backends import select
from pysearch.bench import RATES

CUTTLE = "cuttle/1 hands=8DX4/5HJCKS points=TH+JD/4C9S perms=-/QH scrap=AC2S3D stock=X36 known=8D/KS turn=1 view=1"
BUCK = (
    "buck/1 hands=X4/KD9HJHAHTS/X5/X5 up=QH kitty=X3 buried=X1 dealer=3"
    " turn=1 stage=play trump=H maker=1 trick=QS view=1"
)
BURIED_BY_ONESELF = (
    "buck/1 hands=X5/X5/X5/9HAH9STSKS up=AH kitty=X3 buried=KD dealer=3 turn=3 stage=stay trump=H maker=2 view=3"
)
OPEN = (
    "cuttle/1 hands=5H7CKCTCQD4H2HQS/7DASQHAH9D8C2S8S scrap=JC7S4D5DKD4C3STS3CKH9C9H8D4S2D6C8H9S6HJHQCJSJDACTDTHKS6D2C"
    "5C3D3H7H6SAD5S turn=0"
)
VIEWS = {"cuttle": CUTTLE, "buck_euchre": BUCK}
EXAMPLES = Path(__file__).parent.parent / "examples"
COMMAND = [sys.executable, "-m", "pysearch"]
ENDING = (
    "cuttle/1 hands=5H7CKCTCQD4H2HQS/7DASQHAH9D8C2S8S scrap=JC7S4D5DKD4C3STS3CKH9C9H8D4S2D6C8H9S6HJHQCJSJDACTDTHKS6D2C"
    "5C3D3H7H6SAD5S turn=0"
)


def run(*arguments: str, stdin: str | bytes = "", **env: str) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([*COMMAND, *arguments], input=data, capture_output=True, env=os.environ | env, timeout=180)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def output(*arguments: str, stdin: str | bytes = "", **env: str) -> str:
    done = run(*arguments, stdin=stdin, **env)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def complaint(*arguments: str, stdin: str | bytes = "") -> str:
    """The one line on standard error that bad input gets."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("pysearch: ")
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 320
    return done.stderr


def test_version_says_what_is_running() -> None:
    text = output("--version")
    assert text.startswith(f"pysearch {pysearch.__version__}\n")
    for word in (pysearch.backend(), "cuttle/1", "buck/1"):
        assert word in text


def test_start_up_imports_nothing_heavy() -> None:
    code = "import sys; from pysearch.cli import run; run(['--version']); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    core = {"numpy", "numba", "importlib.metadata"} if pysearch.backend() == "native" else set()
    assert not loaded & ({"rich", "rich.console"} | core)


def test_help_names_every_verb() -> None:
    for arguments in ([], ["--help"], ["-h"]):
        text = output(*arguments)
        for verb in ("analyze", "bench", "deal", "match", "perft", "play", "show", "solve"):
            assert verb in text


@pytest.mark.parametrize("verb", ["analyze", "bench", "deal", "match", "perft", "play", "show", "solve"])
def test_each_verb_has_help(verb: str) -> None:
    assert output(verb, "--help").startswith(f"Usage: pysearch {verb}")


@pytest.mark.parametrize("game", VIEWS)
def test_analyze_json_is_one_document_with_the_keys_promised(game: str) -> None:
    text = output("analyze", VIEWS[game], "--iterations", "300", "--seed", "5", "--json")
    document: dict[str, Any] = json.loads(text)
    assert document["schema"] == 1
    assert document["game"] == game
    assert document["position"] == VIEWS[game]
    assert document["player"] == 1
    assert document["iterations"] == 300
    assert document["seed"] == 5
    assert isinstance(document["method"], str)
    assert document["best"] == document["moves"][0]["move"]
    assert document["value"] == document["moves"][0]["value"]
    assert {row["move"] for row in document["moves"]} == set(pysearch.parse(VIEWS[game]).legal_moves())
    for row in document["moves"]:
        assert row.keys() >= {"move", "value", "stderr", "visits", "line"}


@pytest.mark.parametrize("game", VIEWS)
def test_a_position_is_analysed_as_its_view(game: str) -> None:
    position = pysearch.deal(game, seed=3)
    assert position.to_move is not None
    options = ("--iterations", "200", "--json")
    whole = output("analyze", str(position), *options)
    assert whole == output("analyze", str(position.view(position.to_move)), *options)


@pytest.mark.parametrize("game", list(VIEWS))
def test_analyze_explains(game: str) -> None:
    options = ("--iterations", "300", "--seed", "5", "--explain", "--worlds", "12")
    plain = json.loads(output("analyze", VIEWS[game], *options[:4], "--json"))
    text = output("analyze", VIEWS[game], *options, "--json")
    assert text == output("analyze", VIEWS[game], *options, "--json")
    document = json.loads(text)
    why = document.pop("explain")
    assert document == plain
    assert why["worlds"] == 12
    assert {move["move"] for move in why["moves"]} == {move["move"] for move in plain["moves"]}
    assert all(len(card["chances"]) == len(why["places"]) for card in why["cards"])
    drawn = output("analyze", VIEWS[game], *options, COLUMNS="80")
    assert max(map(len, drawn.splitlines())) <= 80
    assert "with open cards, in 12 worlds" in drawn
    below = drawn.split("cards out of sight:")[1]
    assert all((card["card"] in below) == (max(card["chances"]) < 1) for card in why["cards"])
    assert "worlds" in complaint("analyze", VIEWS[game], "--iterations", "10", "--worlds", "3")
    assert "worlds" in complaint("analyze", VIEWS[game], "--iterations", "10", "--explain", "--worlds", "0")


@pytest.mark.parametrize("game", VIEWS)
def test_analyze_draws_table_and_moves(game: str) -> None:
    text = output("analyze", VIEWS[game], "--iterations", "300")
    assert "\x1b" not in text
    assert "best: " in text
    assert text.isascii() or set(re.findall(r"[^\x00-\x7f]", text)) == {"±"}
    for move in pysearch.parse(VIEWS[game]).legal_moves():
        assert re.search(rf"^{re.escape(move)} ", text, re.MULTILINE)
    assert all(line == line.rstrip() for line in text.splitlines())


def test_top_limits_the_moves() -> None:
    assert len(json.loads(output("analyze", CUTTLE, "--iterations", "300", "--top", "2", "--json"))["moves"]) == 2


def test_a_position_may_be_text_words_file_or_stdin(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    file.write_bytes(b"\xef\xbb\xbf# a comment\r\n\r\n" + BUCK.encode() + b"  # more\r\n")
    wanted = output("show", BUCK)
    assert output("show", *BUCK.split()) == wanted
    assert output("show", "-", stdin=BUCK) == wanted
    assert output("show", "-", stdin=file.read_bytes()).splitlines()[1:] == wanted.splitlines()[1:]
    assert output("show", str(file)).splitlines()[1:] == wanted.splitlines()[1:]


def test_each_position_of_a_file_in_turn(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(f"# first\n{CUTTLE}\n# second\n{BUCK}\n")
    text = output("analyze", str(file), "--iterations", "100")
    assert text.count("best: ") == 2
    assert text.index("first") < text.index("best: ") < text.index("second")
    assert "2 positions" in complaint("analyze", str(file), "--iterations", "100", "--json")
    assert "position" in complaint("perft", str(file), "1")


@pytest.mark.parametrize("game", VIEWS)
def test_show_gives_the_canonical_text_and_the_moves(game: str) -> None:
    position = pysearch.deal(game, seed=1)
    lines = output("show", str(position)).splitlines()
    assert str(position) in lines
    assert "moves: " + " ".join(position.legal_moves()) in lines
    view = position.view(0)
    lines = output("show", str(position), "--view", "0").splitlines()
    assert str(view) in lines
    worlds = {"cuttle": f"{view.count_worlds():.2e}".replace("e+", "e"), "buck_euchre": f"{view.count_worlds():,}"}
    assert f"worlds: {worlds[game]}" in lines


def test_deal_is_the_deal_of_the_library() -> None:
    assert output("deal", "cuttle", "--seed", "7") == f"{pysearch.deal('cuttle', seed=7)}\n"
    assert output("deal", "cuttle", "--seed", "7", "--dealer", "0") == f"{pysearch.deal('cuttle', seed=7, dealer=0)}\n"
    dealt = pysearch.deal("buck_euchre", seed=2, dealer=1, scores=(3, 25, 1, 30))
    arguments = ("deal", "buck_euchre", "--seed", "2", "--dealer", "1", "--scores", "3/25/1/30")
    assert output(*arguments) == f"{dealt}\n"
    assert output(*arguments, "--view", "2") == f"{dealt.view(2)}\n"


def test_perft_counts_and_divides() -> None:
    position = pysearch.deal("cuttle", seed=1)
    total = pysearch.perft(position, 3)
    assert output("perft", str(position), "3") == f"{total}\n"
    *rows, last = output("perft", *str(position).split(), "3", "--divide").splitlines()
    assert last == str(total)
    assert [row.split()[0] for row in rows] == position.legal_moves()
    assert sum(int(row.split()[1]) for row in rows) == total


def test_bench_json_counts_positions_and_signs_both_games() -> None:
    document = json.loads(output("bench", "--quick", "--json"))
    assert document["schema"] == 1
    assert document["complete"] is True
    assert document["positions"] == {"cuttle": 12, "buck": 12}
    assert all(re.fullmatch("[0-9a-f]{16}", document["signature"][game]) for game in ("cuttle", "buck"))
    names = {"cuttle": set(RATES) - {"coalitions"}, "buck": set(RATES)}
    assert {game: set(rates) for game, rates in document["rates"].items()} == names
    for medians, spreads in (("rates", "spread"), ("speedups", "speedups_spread")):
        for game in names:
            assert document[medians][game].keys() == document[spreads][game].keys()
            for name, (low, high) in document[spreads][game].items():
                assert 0 < low <= document[medians][game][name] <= high
    starts = document["starts"]
    assert starts.keys() == {"version", "import", "python"}
    assert all(start["cpu_spread"][0] <= start["cpu"] <= start["cpu_spread"][1] for start in starts.values())
    core = select()
    assert (document["backend"], document["isa"], document["compiler"]) == (core.NAME, core.isa(), core.compiler())
    assert document["python"].endswith(platform.python_version())
    assert document["processor"]


@pytest.mark.parametrize("game", VIEWS)
def test_match_is_the_match_of_the_library(game: str, tmp_path: Path) -> None:
    arguments = ("match", "so-ismcts", "random", "--game", game, "--games", "8", "--iterations", "20", "--seed", "4")
    wanted = pysearch.match("so-ismcts", "random", game, 8, pysearch.Limit(iterations=20), seed=4, sprt=(0, 10))
    document = output(*arguments, "--sprt", "0", "10", "--out", str(tmp_path / "record"), "--jobs", "2", "--json")
    assert json.loads(document) == wanted.to_dict()
    assert {"schema", "game", "share", "interval", "sprt"} <= wanted.to_dict().keys()
    text = output(*arguments)
    assert f"{wanted.share:.2%}" in text
    assert "8 games" in text
    assert ("won " in text) == (game == "cuttle")
    timed = json.loads(output(*arguments, "--timing", "--json"))
    assert timed["moves"][0]["seconds"] > 0


def test_one_of_something_is_no_plural() -> None:
    assert "2 games, 1 set\n" in output("match", "random", "random", "--game", "cuttle", "--games", "2")
    assert "\n1 iteration of " in output("analyze", CUTTLE, "--iterations", "1")
    assert "\n2 iterations of " in output("analyze", CUTTLE, "--iterations", "2")


@pytest.mark.parametrize("columns", [30, 40, 60, 80, 200])
def test_a_match_fits_the_screen(columns: int) -> None:
    arguments = ("match", "so-ismcts:iterations=20", "random", "--game", "cuttle", "--games", "2")
    text = output(*arguments, COLUMNS=str(columns))
    assert max(map(len, text.splitlines())) <= columns
    assert ("so-ismcts:iterations=20:" in text.splitlines()) == (columns < 60)
    result = pysearch.match("so-ismcts:iterations=20", "random", "cuttle", 2)
    assert re.search(rf"\b{result.moves[0].searched}\b", text)
    assert "…" not in text


@pytest.mark.parametrize("columns", [40, 80])
def test_the_price_is_never_cut(columns: int) -> None:
    text = output("analyze", CUTTLE, "--iterations", "20", "--explain", "--worlds", "5", COLUMNS=str(columns))
    price = text.partition("to see all cards")[2].partition("cards out of sight")[0]
    assert re.search(r"ahead: above 50.0%$", " ".join(price.split()))
    assert max(map(len, price.splitlines())) <= columns


def test_certain_cards_are_not_out_of_sight() -> None:
    """The card that the dealer buried himself, one that was seen in the other hand; JSON has them."""
    dealer = BURIED_BY_ONESELF
    for text, card in ((CUTTLE, "8D"), (dealer, "KD")):
        arguments = ("analyze", text, "--iterations", "20", "--explain", "--worlds", "2")
        cards = json.loads(output(*arguments, "--json"))["explain"]["cards"]
        assert [row["card"] for row in cards if 1 in row["chances"]] == [card]
        below = output(*arguments).split("cards out of sight:\n")[1]
        assert card not in below
        assert "buried" not in below
        assert all(row["card"] in below for row in cards if row["card"] != card)
    alone = output("analyze", OPEN, "--iterations", "20", "--explain")
    assert "with open cards, in 1 world:" in alone
    assert "out of sight" not in alone


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["analyse"], "analyse"),
        (["--colour"], "--colour"),
        (["analyze"], "position: left out"),
        (["analyze", "no/such/file"], "no/such/file"),
        (["analyze", "."], "position"),
        (["analyze", ""], "position"),
        (["analyze", "cuttle/1 hands=5H5H/X5 stock=X41 turn=0"], "hands"),
        (["analyze", "cuttle/1 hands=5H/X5 wall=X41 turn=0"], "wall"),
        (["analyze", "cuttle/1"], "cuttle/1"),
        (["analyze", "chess/1 turn=0"], "game"),
        (["analyze", CUTTLE, "--seconds", "soon"], "seconds: found 'soon'"),
        (["analyze", CUTTLE, "--seconds", "-1"], "seconds"),
        (["analyze", CUTTLE, "--seconds", "nan"], "seconds"),
        (["analyze", CUTTLE, "--iterations", "-1"], "iterations"),
        (["analyze", CUTTLE, "--iterations", "10", "--seed", "x"], "seed: found 'x'"),
        (["analyze", CUTTLE, "--iterations", "10", "--seed", "-1"], "seed"),
        (["analyze", CUTTLE, "--iterations", "10", "--threads", "0"], "threads"),
        (["analyze", CUTTLE, "--iterations", "10", "--top", "0"], "top"),
        (["analyze", CUTTLE, "--iterations", "10", "--method", "guess"], "method"),
        (["analyze", CUTTLE.replace("turn=1", "turn=0"), "--iterations", "10"], "view"),
        (["deal", "chess"], "game"),
        (["deal", "cuttle", "--view", "2"], "view: found 2"),
        (["deal", "cuttle", "--seed", "9" * 5000], "seed: found '999"),
        (["deal"], "game: left out"),
        (["deal", "cuttle", "--dealer", "2"], "dealer"),
        (["deal", "buck_euchre", "--scores", "1/2"], "scores"),
        (["deal", "buck_euchre", "--scores", "a"], "scores: found 'a'"),
        (["show", CUTTLE, "--view", "0"], "view: found 0"),
        (["show", "two.txt", "two.txt"], "expected one file"),
        (["show", "-", "-"], "expected one file"),
        (["match", "random", "random", "--games", "2"], "game: left out"),
        (["match", "random", "random", "--game", "cuttle"], "games: left out"),
        (["match", "random", "--game", "cuttle", "--games", "2"], "b: left out"),
        (["match", "nobody", "random", "--game", "cuttle", "--games", "2"], "a: found 'nobody'"),
        (["match", "random", "random:iterations=5", "--game", "cuttle", "--games", "2"], "b: found"),
        (["match", "random", "ismcts", "--game", "cuttle", "--games", "2"], "limit: found none for ismcts"),
        (["match", "random", "random", "--game", "chess", "--games", "2"], "game: found 'chess'"),
        (["match", "random", "random", "--game", "cuttle", "--games", "few"], "games: found 'few'"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--jobs", "0"], "jobs"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--sprt", "9", "0"], "sprt"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--sprt", "0", "1e308"],
         "sprt: found (0.0, 1e+308), expected two numbers from -2000 to 2000"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--sprt", "0"],
         "sprt: requires 2 arguments"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--out", "/dev/full"], "out: cannot write"),
        (["analyze", CUTTLE, "--seed"], "seed: requires an argument"),
        (["analyze", CUTTLE, "--json=5"], "json: does not take a value"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--scores", "1/2/3/4"], "scores"),
        (["match", "random", "random", "--game", "cuttle", "--games", "2", "--out", "."], "out: cannot write"),
        (["perft", CUTTLE, "1"], "position"),
        (["perft", CUTTLE], "depth: left out"),
        (["perft", "3"], "position: left out"),
        (["perft"], "position: left out"),
        (["perft", BUCK, "x"], "depth: found 'x', expected a whole number from 0 to 64"),
        (["perft", BUCK, "-1"], "depth: found -1, expected a whole number from 0 to 64"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_that_names_the_field(arguments: list[str], named: str) -> None:
    assert named in complaint(*arguments)


def test_bad_bytes_are_bad_input(tmp_path: Path) -> None:
    assert "UTF-8" in complaint("show", "-", stdin=b"\xff\xfe\x00")
    file = tmp_path / "three.txt"
    file.write_text(f"{CUTTLE}\n{BUCK}\ncuttle/1 hands=5H turn=0\n")
    assert "line 3: hands" in complaint("show", str(file))
    assert "position" in complaint("show", "-")


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    file = tmp_path / "hands=5H turn.txt"
    file.write_text(CUTTLE)
    assert output("show", str(file)) == output("show", CUTTLE)
    assert "expected one file" in complaint("show", str(file), str(file))


def test_columns_of_a_table_are_never_cut() -> None:
    position = pysearch.deal("cuttle", seed=1)
    moves = position.legal_moves()
    for columns in ("30", "40", "60", "80", "200"):
        text = output("analyze", str(position), "--iterations", "20000", COLUMNS=columns)
        rows = [line.split() for line in text.splitlines() if line.split()[:1] in [[move] for move in moves]]
        assert len(rows) == len(moves)
        assert all(row[1].endswith("%") and row[2].startswith("±") for row in rows)
        visits = [int(word.replace(",", "")) for row in rows for word in row if re.fullmatch("[0-9,]+", word)]
        assert sum(visits) == 20_000
        if int(columns) >= 40:
            assert max(map(len, text[text.index("move ") :].splitlines())) <= int(columns)
    assert "…" not in output("analyze", str(position), "--iterations", "20000")


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A line of shell; "$@" in it is the command with these arguments."""
    command = ["sh", "-c", line, "sh", *COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("arguments", [("deal", "cuttle"), ("show", CUTTLE), ("--version",), ("bench", "--help")])
@pytest.mark.parametrize("place", [">&-", ">/dev/full"])
def test_an_output_that_cannot_be_written_is_one_line(arguments: tuple[str, ...], place: str) -> None:
    if place == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = shell(f'"$@" {place}', *arguments)
    assert done.returncode == 1
    assert re.fullmatch("pysearch: cannot write standard output: .*\n", done.stderr)


def test_complaints_never_go_to_standard_output() -> None:
    done = shell('"$@" 2>&-', "deal", "chess")
    assert (done.returncode, done.stdout) == (2, "")
    done = shell('"$@" <&-', "show", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pysearch: position: cannot read standard input: it is closed\n"


@pytest.mark.parametrize("where", ["pysearch.cli", "pysearch.cli.deal"])
def test_ctrl_c_while_loading_is_quiet(where: str) -> None:
    code = (
        "import sys, pysearch.__main__\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {where!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['pysearch', 'deal', 'cuttle']\n"
        "pysearch.__main__.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# Run in a process of its own, with Ctrl-C at a place that does not depend on the clock.
INTERRUPT = """
import itertools, sys
import pysearch, pysearch.bench, pysearch.search
from pysearch.cli import run
calls = itertools.count(1)
module, name, last = {module}, {name!r}, {last}
real = getattr(module, name)
def call(*arguments, **named):
    if next(calls) >= last:
        raise pysearch.Interrupted(5) if name == "perft" else KeyboardInterrupt
    return real(*arguments, **named)
setattr(module, name, call)
sys.exit(run({arguments!r}))
"""


def interrupted(module: str, name: str, last: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = INTERRUPT.format(module=module, name=name, last=last, arguments=list(arguments))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130
    return done


def test_interrupted_perft_says_how_far_it_came() -> None:
    position = pysearch.deal("cuttle", seed=1)
    done = interrupted("pysearch", "perft", 1, "perft", str(position), "3")
    assert (done.stdout, done.stderr) == ("", "pysearch: interrupted after 5 sequences\n")
    whole = output("perft", str(position), "3", "--divide").splitlines()
    done = interrupted("pysearch", "perft", 3, "perft", str(position), "3", "--divide")
    assert done.stdout.splitlines() == whole[:2]
    counted = sum(int(row.split()[1]) for row in whole[:2]) + 5
    assert done.stderr == f"pysearch: interrupted after {counted} sequences\n"


def test_interrupted_bench_prints_what_it_has() -> None:
    done = interrupted("pysearch.bench", "rate", 3, "bench", "--quick", "--json")
    document = json.loads(done.stdout)
    assert document["complete"] is False
    assert document["positions"] == {"cuttle": 12}
    assert re.fullmatch("[0-9a-f]{16}", document["signature"]["cuttle"])
    rates = document["rates"]["cuttle"]
    assert [name for name in rates if rates[name] is not None] == ["playouts", "leaves"]
    assert "incomplete" in interrupted("pysearch.bench", "rate", 1, "bench", "--quick").stdout


def test_interrupted_analysis_prints_what_it_has() -> None:
    process = subprocess.Popen(
        [*COMMAND, "analyze", CUTTLE, "--seconds", "60", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    time.sleep(2.0 if pysearch.backend() == "native" else 8.0)  # to start up
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert json.loads(out)["iterations"] > 0
    assert err == b""


def test_an_explanation_interrupted_at_once_leaves_the_analysis(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["analyze", CUTTLE, "--iterations", "50", "--json"]
    assert cli.run(arguments) == 0
    plain = json.loads(capsys.readouterr().out)

    def interrupted(*_: Any) -> None:
        raise pysearch.Interrupted("the search of one world")

    monkeypatch.setattr(importlib.import_module("pysearch.explain"), "analyze_open", interrupted)
    assert cli.run([*arguments, "--explain"]) == 130
    assert json.loads(capsys.readouterr().out) == plain


def test_a_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run([*COMMAND, "show", CUTTLE], stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert process.stderr == b""
    assert process.returncode == 0


def on_terminal(*arguments: str, **env: str) -> str:
    """Standard output as a terminal gets it."""
    leader, follower = pty.openpty()
    terminal = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"} | env
    process = subprocess.Popen([*COMMAND, *arguments], stdout=follower, stderr=subprocess.DEVNULL, env=terminal)
    os.close(follower)
    chunks = []
    while True:
        try:
            chunk = os.read(leader, 65536)
        except OSError:  # how Linux reports the end of a terminal
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(leader)
    assert process.wait(timeout=60) == 0
    return b"".join(chunks).decode()


@pytest.mark.parametrize("game", VIEWS)
def test_a_terminal_gets_colours_within_its_width(game: str) -> None:
    arguments = ("analyze", VIEWS[game], "--iterations", "200")
    coloured = on_terminal(*arguments)
    assert "\x1b[" in coloured
    assert "╭" in coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert max(map(len, plain.splitlines())) <= 80
    assert "\x1b" not in on_terminal(*arguments, NO_COLOR="1")


def test_titles_fit_a_narrow_terminal() -> None:
    lines = re.sub(r"\x1b\[[0-9;]*m", "", on_terminal("show", CUTTLE, COLUMNS="30")).splitlines()
    titles = [line for line in lines if line.startswith("╭")]
    assert [title[3:9] for title in titles] == ["seat 0", "table ", "seat 1"]
    assert "seat 1, to move" in titles[2]
    assert all(len(line) == 30 for line in titles)


def test_review_grades_a_record_and_writes_it_once(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    record = pysearch.read_records(EXAMPLES / "cuttle_games.txt")[0]
    game.write_text(f"{record}\n", encoding="utf-8")
    document = json.loads(output("review", str(game), "--iterations", "500", "--json", "--write"))
    limit = pysearch.Limit(iterations=500)
    assert document == pysearch.review(record, limit).to_dict()
    assert game.read_text() == f"{pysearch.annotate(record, pysearch.review(record, limit), limit)}\n"
    written = game.read_bytes()
    assert json.loads(output("review", str(game), "--iterations", "500", "--json", "--write")) == document
    assert game.read_bytes() == written
    table = output("review", "-", "--iterations", "500", stdin=written)
    assert "rules" in table
    assert "8Dx4S" in table


def test_review_writes_through_links_and_keeps_the_mode(tmp_path: Path) -> None:
    game, link = tmp_path / "game.txt", tmp_path / "link.txt"
    game.write_text(f"{pysearch.Record(pysearch.deal('cuttle', 5)).play('draw')}\n", encoding="utf-8")
    game.chmod(0o640)
    link.symlink_to(game)
    output("review", str(link), "--iterations", "50", "--write")
    assert link.is_symlink()
    assert "%review" in game.read_text(encoding="utf-8")
    assert game.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [game, link]


def test_review_keeps_the_ends_of_lines_and_what_a_deeper_review_wrote(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_bytes(f"{pysearch.Record(pysearch.deal('cuttle', 5)).play('draw')}\n".replace("\n", "\r\n").encode())
    output("review", str(game), "--iterations", "3000", "--write")
    written = game.read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n") > 5
    for limit in (("--iterations", "50"), ("--iterations", "3000"), ("--seconds", "1e-9", "--iterations", "3000")):
        output("review", str(game), *limit, "--write")
        assert game.read_bytes() == written
    (record,) = pysearch.read_records(game)
    assert pysearch.review(record, pysearch.Limit(iterations=3000)).decisions[0].worlds > 50


@pytest.mark.skipif(os.access("/", os.W_OK), reason="may write everything")
def test_review_tells_at_once_that_it_may_not_write(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text(f"{pysearch.Record(pysearch.deal('cuttle', 5)).play('draw')}\n", encoding="utf-8")
    game.chmod(0o444)
    assert "permission denied" in complaint("review", str(game), "--iterations", "1000000000", "--write")
    game.chmod(0o644)
    tmp_path.chmod(0o555)
    assert "permission denied" in complaint("review", str(game), "--iterations", "1000000000", "--write")
    tmp_path.chmod(0o755)


def test_review_checks_the_page_before_it_computes(tmp_path: Path) -> None:
    game, link = tmp_path / "game.txt", tmp_path / "link.txt"
    game.write_text(f"{pysearch.Record(pysearch.deal('cuttle', 5)).play('draw')}\n", encoding="utf-8")
    link.symlink_to(game)
    before = game.read_bytes()
    for page, word in (
        (str(game), "is the record itself"), (str(link), "is the record itself"), ("", "expected the name of a file"),
        (str(tmp_path), "expected the name of a file"), (str(tmp_path / "none" / "x.html"), "cannot write file"),
    ):  # fmt: skip
        found = complaint("review", str(game), "--iterations", "1000000000", "--html", page)
        assert found.startswith("pysearch: html: ")
        assert word in found
    assert game.read_bytes() == before


def test_no_result_takes_the_place_of_what_it_comes_from(tmp_path: Path) -> None:
    ending, both, link = tmp_path / "ending.txt", tmp_path / "both.jsonl", tmp_path / "link.jsonl"
    ending.write_text(f"# kept\n{ENDING}\n", encoding="utf-8")
    found = complaint("solve", str(ending), "--certificate", str(ending))
    assert found.startswith("pysearch: certificate: ")
    assert "is the position itself" in found
    assert ending.read_text(encoding="utf-8").startswith("# kept")
    assert "no such file" in complaint("solve", str(ending), "--certificate", str(tmp_path / "none" / "x"))
    with ending.open(encoding="utf-8") as given:
        piped = subprocess.run([*COMMAND, "solve", "-", "--certificate", str(ending)], stdin=given,
                               capture_output=True, text=True, check=False)  # fmt: skip
    assert "is the position itself" in piped.stderr
    link.symlink_to(both)
    for record in (both, link):
        found = complaint(
            "match", "rules", "random", "--game", "cuttle", "--games", "2", "--out", str(both), "--record", str(record)
        )
        assert "is the file of the results" in found
    game = pysearch.Record(pysearch.deal("cuttle", 5)).play("draw")
    assert "is not a file to write into" in complaint("review", "/dev/stdin", "--write", stdin=f"{game}\n")


def test_complaints_hold_nothing_that_a_terminal_obeys() -> None:
    found = complaint("deal", "cuttle", "\x1b[31mX")
    assert found == "pysearch: Got unexpected extra argument (\N{REPLACEMENT CHARACTER}[31mX)\n"


def test_seats_with_and_without_commas() -> None:
    lead = pysearch.deal("buck_euchre", 2)
    while lead.to_dict()["stage"] != "play":
        lead = lead.play(lead.legal_moves()[-1] if "order" in lead.legal_moves() else lead.legal_moves()[0])
    assert output("solve", str(lead), "--seats", "02") == output("solve", str(lead), "--seats", "0,2")
    assert "expected numbers such as 0,2" in complaint("solve", str(lead), "--seats", "0;2")


def test_review_shows_no_control_characters(tmp_path: Path) -> None:
    record = pysearch.Record(pysearch.deal("cuttle", 5), {"Player0": "a\x1b[2Jb", "Player1": "c"}).play("draw")
    table = output("review", "-", "--iterations", "50", stdin=f"{record}\n")
    assert "\x1b" not in table
    assert "a\N{REPLACEMENT CHARACTER}[2Jb" in table


def test_review_shows_the_beginning_of_long_names() -> None:
    record = pysearch.Record(pysearch.deal("cuttle", 5), {"Player0": "a" * 200_000, "Player1": ""}).play("draw")
    table = output("review", "-", "--iterations", "50", stdin=f"{record}\n")
    assert f"\n0      {'a' * 99}… " in table
    assert "\n1      seat 1 " in table
    assert len(table) < 2_000


def test_review_of_several_games(tmp_path: Path) -> None:
    games = str(EXAMPLES / "buck_euchre_games.txt")
    document = json.loads(output("review", games, "--iterations", "50", "--json"))
    assert (document["schema"], document["game"], len(document["reviews"])) == (1, "buck_euchre", 3)
    assert json.loads(output("review", games, "--iterations", "50", "--json", "--only", "3")) == document["reviews"][2]
    for arguments, word in (
        (("--only", "4"), "only"), (("--html", "x.html"), "html"), (("--iterations", "x"), "iterations"),
        (("--threads", "0"), "threads"), (("--iterations", "0"), "iterations"), (("--seconds", "0"), "seconds"),
        (("--only", "0"), "only"), (("--seed", "-1"), "seed"), (("--seconds", "nan"), "seconds"),
    ):  # fmt: skip
        assert word in complaint("review", games, *arguments)
    assert "file" in complaint("review")
    assert "records" in complaint("review", str(tmp_path / "none"))
    both = tmp_path / "both.txt"
    deals = [pysearch.Record(pysearch.deal(game, 1)) for game in ("cuttle", "buck_euchre")]
    both.write_text("\n".join(f"{record}\n" for record in deals), "utf-8")
    document = json.loads(output("review", str(both), "--iterations", "2", "--json"))
    assert document["game"] is None
    assert [review["game"] for review in document["reviews"]] == ["cuttle", "buck_euchre"]
