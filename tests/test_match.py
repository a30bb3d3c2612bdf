"""Players and matches: what a player sees, the same deals for both, the same result whoever plays the sets."""

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from referee.nasty import nasty_buck, nasty_cuttle

import pysearch
from pysearch import ArgumentError, Limit, Match, players, stats, workers
from pysearch.players import Player, player_names, read_player
from pysearch.search import METHODS

GAMES = ["cuttle", "buck_euchre"]
FEW = Limit(iterations=30)
matches = sys.modules["pysearch.match"]  # the module: `pysearch.match` is the function


def positions(game: str, n: int) -> list[pysearch.Position]:
    rng = random.Random(f"players {game}")
    make = nasty_cuttle if game == "cuttle" else nasty_buck
    found = [pysearch.parse(str(make(rng))) for _ in range(n)]
    assert all(isinstance(pos, pysearch.Position) for pos in found)
    return found  # type: ignore[return-value]


class Junk(Executor):
    """Gives back what nobody asked for."""

    def __init__(self, junk: object = "junk") -> None:
        self.junk = junk

    def submit(self, call: Any, /, *args: Any, **options: Any) -> Any:
        done: Future[object] = Future()
        done.set_result(self.junk)
        return done


def test_an_executor_that_gives_back_junk_is_told_so(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    with pytest.raises(ArgumentError, match="gave back 'junk'") as raised:
        pysearch.match("rules", "random", "cuttle", 4, executor=Junk(), out=out)
    assert raised.value.argument == "executor"
    assert len(out.read_text().splitlines()) == 1  # the head
    with pytest.raises(ArgumentError, match="gave back 7 for set, expected that of set 0"):
        pysearch.match("rules", "random", "cuttle", 4, executor=Junk({"set": 7}), out=out)
    assert len(out.read_text().splitlines()) == 1
    with pytest.raises(ArgumentError, match="gave back 'junk'"):
        list(pysearch.analyze_many([pysearch.deal("cuttle")], FEW, Junk()))


# ---------------------------------------------------------------- players


def test_the_names_of_players() -> None:
    assert set(player_names()) >= {"random", "rules", "ismcts", "so-ismcts", "cheat", *METHODS}
    for name in player_names():
        limit = None if name in ("random", "rules") else FEW
        assert read_player(name, FEW) == Player(name, limit)
        assert str(read_player(str(read_player(name, FEW)), None)) == str(read_player(name, FEW))


@pytest.mark.parametrize("game", GAMES)
def test_only_cheat_sees_hidden_cards(game: str, count: Callable[[int, int], int], monkeypatch: Any) -> None:
    """Other hidden cards, the same move; and what is searched is a view."""
    real = pysearch.analyze
    given: list[object] = []

    def spy(pos: pysearch.View, *arguments: Any, **named: Any) -> pysearch.Analysis:
        given.append(pos)
        return real(pos, *arguments, **named)

    monkeypatch.setattr(players, "analyze", spy)
    for seed, pos in enumerate(positions(game, count(15, 150))):
        assert pos.to_move is not None
        worlds = [pos.view(pos.to_move).sample(seed=s) for s in range(3)]
        for name in set(player_names()) - {"cheat"}:
            player = read_player(name, FEW)
            move = player.choose(pos, seed).move
            assert {player.choose(world, seed).move for world in worlds} == {move}
            assert move in pos.legal_moves()
    assert given
    assert all(isinstance(pos, pysearch.View) for pos in given)


def test_cheat_sees_all_cards(monkeypatch: Any) -> None:
    given: list[object] = []

    def analyze_open(pos: pysearch.Position, limit: Limit, seed: int) -> pysearch.Analysis:
        given.append((pos, limit, seed))
        return pysearch.analyze(pos, limit, seed)

    monkeypatch.setattr("pysearch.search.analyze_open", analyze_open)
    pos = pysearch.deal("cuttle", seed=1)
    read_player("cheat", FEW).choose(pos, 5)
    assert given == [(pos, FEW, 5)]


@pytest.mark.parametrize("game", GAMES)
def test_a_forced_move_is_not_searched(game: str) -> None:
    seen = 0
    for pos in positions(game, 60):
        choice = read_player("so-ismcts", FEW).choose(pos, 1)
        assert choice.searched == (len(pos.legal_moves()) > 1)
        assert choice.iterations == 30 * choice.searched
        seen += not choice.searched
    assert seen


def test_random_moves_depend_on_the_seed_and_reach_all() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    player = read_player("random", None)
    seeds = [workers.sub_seed("test", i) for i in range(300)]
    assert {player.choose(pos, seed).move for seed in seeds} == set(pos.legal_moves())
    assert player.choose(pos, seeds[0]) == player.choose(pos, seeds[0])


def test_a_limit_of_ones_own() -> None:
    common = Limit(seconds=9, memory_mb=32)
    assert read_player("ismcts:iterations=7", common).limit == Limit(iterations=7, memory_mb=32)
    assert read_player("ismcts:memory_mb=8", common).limit == Limit(seconds=9, memory_mb=8)
    assert read_player("ismcts:seconds=0.1,iterations=7", None).limit == Limit(seconds=0.1, iterations=7)


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("nobody", "player"),
        (7, "player"),
        ("", "player"),
        ("random:iterations=7", "player"),
        ("ismcts:", "player"),
        ("ismcts:depth=7", "player"),
        ("ismcts:iterations", "player"),
        ("ismcts:iterations=-1", "player"),
        ("ismcts:iterations=1.5", "player"),
        ("ismcts:iterations=5,iterations=6", "player"),
        ("ismcts:seconds=nan", "player"),
        ("ismcts", "limit"),
        ("cheat", "limit"),
        ("ismcts:memory_mb=5", "limit"),
    ],
)
def test_bad_players(text: object, argument: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        read_player(text, None)
    assert caught.value.argument == argument


# ---------------------------------------------------------------- matches


def play(game: str, games: int, **options: Any) -> Match:
    return pysearch.match("so-ismcts", "random", game, games, FEW, **{"seed": 3, **options})


def lines(path: Path) -> list[dict[str, Any]]:
    """The record without its seconds, which nobody can repeat."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    for line in found[1:]:
        for total in line["players"]:
            del total["seconds"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_record_replays_and_adds_up_to_the_match(game: str, tmp_path: Path) -> None:
    out = tmp_path / "record"
    result = play(game, 15, out=out)
    seats = pysearch.deal(game).seats
    assert (result.games, result.sets) == (16, 16 // seats)
    head, *sets = lines(out)
    assert (head["a"], head["b"], head["game"]) == ("so-ismcts:iterations=30", "random", game)
    deals = [pysearch.parse(line["deal"]) for line in sets]
    assert len(set(deals)) == len(deals) == result.sets
    first = pysearch.deal(game).to_move
    assert [deal.to_move for deal in deals] == [((first or 0) + number) % seats for number in range(len(deals))]
    shares, searched, plies = [], 0, 0
    for number, (line, deal) in enumerate(zip(sets, deals, strict=True)):
        assert line["set"] == number
        assert [played["a"] for played in line["games"]] == list(range(seats))
        for played in line["games"]:
            pos = deal
            assert isinstance(pos, pysearch.Position)
            for move in played["moves"]:
                searched += pos.to_move == played["a"] and len(pos.legal_moves()) > 1
                pos = pos.play(move)
            assert pos.outcome is not None
            assert list(pos.outcome.returns) == played["returns"]
            plies += len(played["moves"])
        shares.append(statistics.fmean(played["returns"][played["a"]] for played in line["games"]))
    assert result.share == pytest.approx(statistics.fmean(shares))
    assert result.stderr == pytest.approx(statistics.stdev(shares) / len(shares) ** 0.5)
    assert result.moves[0].searched == searched
    assert result.moves[0].iterations == 30
    assert result.moves[1] == pysearch.match("random", "random", game, 1).moves[1]
    assert result.plies == plies / 16
    if game == "cuttle":
        ends = [played["returns"][played["a"]] for line in sets for played in line["games"]]
        assert [result.wins, result.draws, result.losses] == [ends.count(1), ends.count(0.5), ends.count(0)]
        assert result.sweeps is None
    else:
        takers = [(played["tricks"].index(5), played["a"]) for line in sets for played in line["games"]
                  if 5 in played["tricks"]]  # fmt: skip
        own = sum(seat == a for seat, a in takers)
        assert result.sweeps == (own, len(takers) - own)
        assert takers


@pytest.mark.parametrize("game", GAMES)
def test_equal_players_share_evenly(game: str, count: Callable[[int, int], int]) -> None:
    result = pysearch.match("random", "random", game, count(400, 20_000))
    assert result.share is not None
    assert result.stderr is not None
    assert abs(result.share - result.base) < 4 * result.stderr
    assert result.elo is not None
    assert abs(result.elo) < 150


def test_buck_euchre_starts_at_the_scores_given(tmp_path: Path) -> None:
    out = tmp_path / "record"
    result = pysearch.match("random", "random", "buck_euchre", 8, scores=(1, 25, 3, 30), out=out)
    assert result.scores == (1, 25, 3, 30)
    assert all("scores=1/25/3/30" in line["deal"] for line in lines(out)[1:])


class Backwards(Executor):
    """Does the work it was given latest first, and only when somebody waits for it."""

    def __init__(self) -> None:
        self.most = 0
        self._left: list[Any] = []

    def submit(self, fn: Any, /, *arguments: Any, **named: Any) -> Any:
        owner = self

        class Later:
            done = False
            value: Any = None

            def result(self) -> Any:
                while not self.done:
                    later, call, payload = owner._left.pop()
                    later.value, later.done = call(json.loads(json.dumps(payload))), True
                return self.value

            def cancel(self) -> bool:
                return not self.done

        (payload,) = arguments
        assert not named
        later = Later()
        self._left.append((later, fn, payload))
        self.most = max(self.most, len(self._left))
        return later


@pytest.mark.parametrize("game", GAMES)
def test_the_result_does_not_depend_on_who_plays(game: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"sprt": (0, 400)}
    whole = play(game, 400, out=tmp_path / "whole", **options)
    assert whole.sprt is not None
    assert whole.sprt.verdict == ("elo1" if game == "cuttle" else whole.sprt.verdict)
    assert whole.games < 400
    assert play(game, 400, jobs=2, out=tmp_path / "jobs", **options).to_dict() == whole.to_dict()
    backwards = Backwards()
    assert play(game, 400, executor=backwards, window=5, out=tmp_path / "back", **options).to_dict() == whole.to_dict()
    assert backwards.most == 5
    with ThreadPoolExecutor(3) as threads:
        assert play(game, 400, executor=threads, out=tmp_path / "threads", **options).to_dict() == whole.to_dict()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert play(game, 400, executor=pool, out=tmp_path / "pool", **options).to_dict() == whole.to_dict()
    for name in ("jobs", "back", "threads", "pool"):
        assert lines(tmp_path / name) == lines(tmp_path / "whole")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_goes_on_where_it_was_broken_off(game: str, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "part"
    wanted = play(game, 24, out=whole)
    text = whole.read_bytes()
    rows = text.splitlines(keepends=True)
    for part in (b"", rows[0][:20], rows[0], b"".join(rows[:3]), b"".join(rows[:3]) + rows[3][:40], text[:-1], text):
        out.write_bytes(part)
        assert play(game, 24, out=out, jobs=1).to_dict() == wanted.to_dict()
        assert lines(out) == lines(whole)
    fewer = play(game, 12, out=out)  # more sets than wanted are there: the first ones count
    assert fewer.to_dict() == play(game, 12).to_dict()
    assert lines(out) == lines(whole)


def test_a_record_of_something_else_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "record"
    play("cuttle", 4, out=out)
    before = out.read_bytes()
    with pytest.raises(ArgumentError, match="begun with seed 3, found 4"):
        play("cuttle", 4, out=out, seed=4)
    with pytest.raises(ArgumentError, match="begun with game 'cuttle'"):
        play("buck_euchre", 4, out=out)
    with pytest.raises(ArgumentError, match="begun with b 'random'"):
        pysearch.match("so-ismcts", "so-ismcts", "cuttle", 4, FEW, seed=3, out=out)
    with pytest.raises(ArgumentError, match="begun with a 'so-ismcts:iterations=30'"):
        pysearch.match("so-ismcts", "random", "cuttle", 4, Limit(iterations=31), seed=3, out=out)
    assert out.read_bytes() == before
    head, first, second = before.splitlines(keepends=True)
    for content, problem in (
        (b"my diary", "another file"),
        (b"my diary\n", "line 1"),
        (head + second, "line 2 of the file is not set 0"),
        (head + first + b"{}\n", "line 3 of the file is not set 1"),
        (head + b"[1]\n", "line 2"),
    ):
        out.write_bytes(content)
        with pytest.raises(ArgumentError, match=f"out: .*{problem}"):
            play("cuttle", 4, out=out)
        assert out.read_bytes() == content
    with pytest.raises(ArgumentError, match="out: cannot write"):
        play("cuttle", 4, out=tmp_path)


def spoilt(game: str, rows: list[bytes]) -> list[tuple[str, bytes]]:
    """Lines that are not what a set leaves, made of the first one, and the key that is wrong."""

    def changed(path: list[Any], value: Any) -> bytes:
        line = json.loads(rows[1])
        owner = line
        for key in path[:-1]:
            owner = owner[key]
        if value is None:
            del owner[path[-1]]
        else:
            owner[path[-1]] = value
        return json.dumps(line).encode() + b"\n"

    nan, seats = float("nan"), 2 if game == "cuttle" else 4
    rest = [0.0] * (seats - 2)
    found: list[tuple[str, bytes]] = [
        ("deal", changed(["deal"], None)),
        ("deal", changed(["deal"], str(pysearch.deal(game, seed=1)))),
        ("games", changed(["games"], [1] * seats)),
        ("games", changed(["games"], {})),
        ("players", changed(["players"], "ab")),
        ("set", changed(["set"], False)),
    ]
    parts: tuple[tuple[str, tuple[object, ...]], ...] = (
        ("a", (1, True, "0")),
        ("moves", ([1], "draw", 5)),
        ("returns", ([None, "x"], [nan, 1.0, *rest], [5.0, -4.0, *rest], [True, False, *rest], [1], [1.0, 1.0, *rest])),
        ("tricks", (5, [5], ["x"] * seats)),
    )
    for key, values in parts:
        found += [(key, changed(["games", 0, key], value)) for value in values]
        if key != "tricks":
            found.append((key, changed(["games", 0, key], None)))
    parts = (("searched", (-1, 0.5)), ("iterations", ("x", True)), ("seconds", (nan, -1, 10**400, "x")))
    for key, values in parts:
        found += [(key, changed(["players", 1, key], value)) for value in (*values, None)]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_record_that_somebody_wrote_in_is_refused(game: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    play(game, 4, out=out)
    rows = out.read_bytes().splitlines(keepends=True)
    for key, line in spoilt(game, rows):
        content = rows[0] + line
        out.write_bytes(content)
        for more in ({}, {"record": tmp_path / "record"}):
            with pytest.raises(ArgumentError, match=f"^out: line 2 .* for {key}$"):
                play(game, 4, out=out, **more)
        assert out.read_bytes() == content
    out.write_bytes(rows[0] + b"[" * 100_000 + b"\n")
    with pytest.raises(ArgumentError, match=r"^out: line 2 "):
        play(game, 4, out=out)
    line = json.loads(rows[1])
    line["games"][0]["moves"][0] = "nonsense"
    out.write_bytes(rows[0] + json.dumps(line).encode() + b"\n")
    with pytest.raises(ArgumentError, match=r"^out: line 2 .* does not replay"):
        play(game, 4, out=out, record=tmp_path / "record")


def test_two_matches_do_not_share_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    refused: list[str] = []

    def second(_: int) -> None:
        with pytest.raises(ArgumentError, match=r"^out: file .* is in use by another match") as caught:
            play("cuttle", 4, out=out)
        refused.append(str(caught.value))

    play("cuttle", 4, out=out, progress=second)
    assert len(refused) == 2
    assert play("cuttle", 8, out=out).to_dict() == play("cuttle", 8).to_dict()  # free again
    assert len(lines(out)) == 5


def test_only_files_take_a_match(tmp_path: Path) -> None:
    """Anything else may have no end; a file of somebody else's is not read to its end either."""
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/full", "/dev/zero", "/dev/null", tmp_path / "pipe", tmp_path):
        with pytest.raises(ArgumentError, match=r"^out: cannot write file .*: not a regular file"):
            play("cuttle", 4, out=path)
    long = tmp_path / "long"
    with long.open("wb") as file:
        file.truncate(1 << 40)  # takes no room, but would not fit into memory
    with pytest.raises(ArgumentError, match=r"^out: line 1 of the file is longer"):
        play("cuttle", 4, out=long)
    assert long.stat().st_size == 1 << 40


def test_ctrl_c_keeps_what_is_done(tmp_path: Path, monkeypatch: Any) -> None:
    out, real = tmp_path / "record", matches.play_set

    def play_set(task: dict[str, Any]) -> dict[str, Any]:
        if task["set"] == 3:
            raise KeyboardInterrupt
        line: dict[str, Any] = real(task)
        return line

    with monkeypatch.context() as patch:
        patch.setattr(matches, "play_set", play_set)
        with pytest.raises(pysearch.Interrupted) as caught:
            play("cuttle", 20, out=out)
    part = caught.value.result
    assert (part.complete, part.sets) == (False, 3)
    assert part.to_dict() == {**play("cuttle", 6).to_dict(), "complete": False}
    assert play("cuttle", 20, out=out).to_dict() == play("cuttle", 20).to_dict()


def begin(out: Path, *more: str) -> "subprocess.Popen[bytes]":
    """A long match of two processes, once it has played two sets."""
    arguments = ("random", "--game", "cuttle", "--games", "1000000", "--jobs", "2", "--out", str(out))
    process = subprocess.Popen(
        [sys.executable, "-m", "pysearch", "match", "so-ismcts:seconds=0.01", *arguments, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not out.exists() or out.read_bytes().count(b"\n") < 3:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def test_an_interrupted_command_prints_its_match(tmp_path: Path) -> None:
    out = tmp_path / "record"
    process = begin(out, "--json")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all its processes
    text, errors = process.communicate(timeout=30)  # its processes would hold the pipes open
    assert (process.returncode, errors) == (130, b"")
    document = json.loads(text)
    assert document["complete"] is False
    assert document["sets"] == out.read_bytes().count(b"\n") - 1


def test_workers_do_not_outlive_a_killed_match(tmp_path: Path) -> None:
    process = begin(tmp_path / "record")
    process.kill()
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL


def test_progress_counts_games_and_may_stop_a_match() -> None:
    seen: list[int] = []
    play("buck_euchre", 12, progress=seen.append)
    assert seen == [4, 8, 12]

    def enough(done: int) -> None:
        raise RuntimeError(done)

    with pytest.raises(RuntimeError, match="2"):
        play("cuttle", 20, jobs=2, progress=enough)


@pytest.mark.parametrize(
    ("argument", "options"),
    [
        ("a", {"a": "nobody"}),
        ("b", {"b": "nobody"}),
        ("game", {"game": "chess"}),
        ("games", {"games": 0}),
        ("limit", {"limit": None}),
        ("limit", {"limit": 7}),
        ("limit", {"limit": Limit()}),
        ("seed", {"seed": -1}),
        ("scores", {"scores": (1, 2, 3, 4)}),
        ("scores", {"game": "buck_euchre", "scores": (1, 2)}),
        ("jobs", {"jobs": 0}),
        ("executor", {"executor": 3}),
        ("window", {"window": 0, "executor": Backwards()}),
        ("sprt", {"sprt": (5, 0)}),
        ("sprt", {"sprt": (0, float("nan"))}),
        ("sprt", {"sprt": "x"}),
        ("sprt", {"sprt": (0, 10**400)}),
        ("sprt", {"sprt": (0, 1e308)}),
        ("progress", {"progress": 7}),
        ("out", {"out": 7.5}),
        ("out", {"out": "\0"}),
        ("out", {"out": b"/tmp/x"}),
        ("record", {"record": 7.5}),
        ("record", {"record": b"/tmp/x"}),
    ],
)
def test_bad_arguments(argument: str, options: dict[str, Any]) -> None:
    arguments = {"a": "ismcts", "b": "random", "game": "cuttle", "games": 2, "limit": FEW, **options}
    with pytest.raises(ArgumentError) as caught:
        pysearch.match(**arguments)
    assert caught.value.argument == argument


# ---------------------------------------------------------------- statistics


def test_elo_is_logistic() -> None:
    assert stats.expected_share(0, 0.5) == 0.5
    assert stats.expected_share(400, 0.5) == pytest.approx(10 / 11)
    assert stats.expected_share(0, 0.25) == pytest.approx(0.25)
    assert stats.expected_share(400, 0.25) == pytest.approx(10 / 13)
    for base in (0.25, 0.5):
        assert stats.elo_of(stats.expected_share(-123, base), base) == pytest.approx(-123)
        assert stats.elo_of(0, base) is stats.elo_of(1, base) is None


def test_no_error_is_claimed_where_none_is_known() -> None:
    assert stats.mean_and_error([0.5]) == (0.5, None)
    assert stats.mean_and_error([0.1] * 7)[1] is None
    assert stats.mean_and_error([0.0, 1.0]) == (0.5, 0.5)


def test_the_interval_covers_the_truth(count: Callable[[int, int], int]) -> None:
    rng = random.Random("interval")
    n = count(300, 5000)
    inside = 0
    for _ in range(n):
        mean, error = stats.mean_and_error([(rng.random() < 0.3) / 2 + (rng.random() < 0.5) / 2 for _ in range(100)])
        assert error is not None
        inside += abs(mean - 0.4) < stats.Z95 * error
    assert 0.92 < inside / n < 0.98


def cuttle_set(rng: random.Random, share: float) -> float:
    """Two games of a deal that favours one seat, now and then drawn."""
    luck = rng.uniform(-0.3, 0.3)
    wins = [float(rng.random() < share + luck), float(rng.random() < share - luck)]
    return statistics.fmean(0.5 if rng.random() < 0.03 else win for win in wins)


def buck_set(rng: random.Random, share: float) -> float:
    """Four deals, some of them sweeps."""
    return statistics.fmean(
        float(rng.random() < share) if rng.random() < 0.25 else share + rng.gauss(0, 0.02) for _ in range(4)
    )


@pytest.mark.parametrize(("draw", "base", "games"), [(cuttle_set, 0.5, 2), (buck_set, 0.25, 4)])
@pytest.mark.parametrize("bounds", [(0, 50), (-30, 30), (0, 200)])
def test_the_test_errs_as_seldom_as_it_says(
    draw: Callable[[random.Random, float], float],
    base: float,
    games: int,
    bounds: tuple[float, float],
    count: Callable[[int, int], int],
) -> None:
    runs = count(100, 1000)
    for truth, verdict in zip(bounds, ("elo0", "elo1"), strict=True):
        right = 0
        for run in range(runs):
            rng = random.Random(f"sprt {run}")
            test = stats.Test(*bounds, base, games)
            found = None
            while found is None:
                found = test.add(draw(rng, stats.expected_share(truth, base)))
            right += found == verdict
        assert right >= 0.9 * runs


def test_sets_that_are_all_alike_decide_slowly() -> None:
    """The first sets of a match of equals are often all 1-1; that alone must not speak against a small difference."""
    test = stats.Test(0, 20, 0.5, 2)
    assert [test.add(0.5) for _ in range(10)] == [None] * 10
    assert -0.5 < test.state().llr < 0


# ---------------------------------------------------------------- the command


def test_nothing_of_it_slows_down_the_start() -> None:
    code = "import sys, pysearch; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert not set(done.stdout.split()) & {"concurrent.futures", "multiprocessing", "distributed"}
