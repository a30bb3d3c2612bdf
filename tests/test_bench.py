"""What `pysearch bench` measures, draws and compares with; no test looks at how long anything takes."""

import json
import runpy
import warnings
from pathlib import Path
from typing import Any

import pytest

import pysearch
from pysearch import bench, cli
from pysearch.bench import RATES, SPEEDUPS, Bench, Effort, Figure, GameBench, Machine
from pysearch.cli.bench import drawing
from pysearch.cli.output import draw
from pysearch.games import GAMES

TINY = Effort(100, 30, 20, 3, solves=10, deals=5, games=8, steps=6, plays=2, passes=2)
PEERS = Path(__file__).parent.parent / "bench" / "peers"


@pytest.mark.parametrize("game", GAMES)
def test_each_work_does_what_its_name_says_and_tells_how_much(game: str) -> None:
    positions = bench.read_positions(game)
    done = {name: work() for name, work in bench.works(positions, TINY)}
    assert list(done) == [name for name in RATES if (game, name) != ("cuttle", "coalitions")]
    n = len(positions)
    assert done["playouts"] == done["dealt"] == n * TINY.playouts
    assert done["whole"] == done["whole_dealt"] == 4 * TINY.playouts * (10 if game == "buck_euchre" else 1)
    assert done["worlds"] == n * TINY.worlds
    assert done["leaves"] == sum(bench.deepest_perft(position, TINY.leaves)[1] for position in positions)
    assert done["iterations"] == n * TINY.iterations
    assert 0 < done["searches"] <= n * TINY.iterations  # fewer where every world was looked at
    assert done["nodes"] == sum(solved.nodes for solved in pysearch.solve_many(positions, bench.QUICK_PROOF))
    quick = bench.solved_quickly(positions)
    assert done["solved"] == len(quick) * TINY.solves > 0
    assert done["steps"] == done["batch"] == TINY.games * TINY.steps
    assert done["plays"] == bench.play_from_python(game, TINY.plays) > 10
    assert done.get("coalitions", TINY.deals) == TINY.deals


def test_whole_games_of_buck_euchre_are_twenty_cards() -> None:
    for start in bench.beginnings("buck_euchre", 4):
        assert pysearch.rollout(bench.mover_view(start), 10).plies == 10 * 20


def test_what_counts_as_solved_quickly_is_solved() -> None:
    found = pysearch.solve_many(bench.solved_quickly(bench.read_positions("cuttle")), bench.QUICK_PROOF)
    assert all(isinstance(solved, pysearch.CuttleSolution) and solved.result != "unknown" for solved in found)


@pytest.mark.parametrize("game", GAMES)
def test_calls_with_threads_give_the_same_with_two(game: str) -> None:
    calls = dict(bench.threaded(bench.read_positions(game), TINY))
    assert calls.keys() == SPEEDUPS.keys()
    assert all(call(1) == call(2) for call in calls.values())


def test_a_figure_is_the_median_between_the_ends() -> None:
    assert Figure.of([3.0, 1.0, 2.5]) == Figure(2.5, 1.0, 3.0)
    done = iter([9, 4, 4, 4])
    ticks: list[int] = []
    figure = bench.rate(lambda: next(done) if sum(range(100_000)) else 0, 3, lambda: ticks.append(1))
    assert 0 < figure.low <= figure.median <= figure.high
    assert len(ticks) == 4  # the first pass warms up
    assert next(done, None) is None


def test_a_start_is_that_of_the_program() -> None:
    cpu, wall = bench.start(("-c", "import sys; assert sys.argv == ['-c']"), 2, lambda: None)
    assert 0 < cpu.low <= cpu.high
    assert 0 < wall.low <= wall.high


def test_every_figure_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    figure = Figure(2_000_000.0, 1_000_000.0, 2_500_000.0)
    games = [GameBench(game, 12, "0" * 16, dict.fromkeys(RATES, figure)) for game in GAMES]
    games[0].rates.pop("coalitions")
    games[1].speedups["searches"] = Figure(1.9, 1.9, 1.9)
    draw(drawing(Bench(Machine.here(), games)))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    for name, label in RATES.items():
        (row,) = (line for line in lines if line.startswith(label + "   "))
        cells = ["-"] if name == "coalitions" else ["2,000,000", "-50", "+25", "%"]
        assert row.removeprefix(label).split() == [*cells, "2,000,000", "-50", "+25", "%"]
    assert ["ismcts", "-", "1.90", "+0", "+0", "%"] in [line.split() for line in lines]
    assert ["signature", "0" * 16, "0" * 16] in [line.split() for line in lines]


# ---------------------------------------------------------------- peers


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    assert cli.run(["bench", "--peers", "--quick"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


def test_peers_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    told = "pysearch: peers: OpenSpiel and endplay not found, expected: pip install pysearch[peers]\n"
    assert complaint(capsys) == told
    monkeypatch.setattr(bench, "PEERS", Path("no", "such", "file"))
    assert complaint(capsys).startswith("pysearch: peers: found no bench/peers beside the package")


def test_the_table_of_peers_comes_behind_the_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    document: dict[str, Any] = {"versions": {"OpenSpiel": "2"}, "rows": [{"ratio": 3.5}], "markdown": "| work |"}
    program = tmp_path / "table.py"
    program.write_text(f"import sys; assert sys.argv[1:] == ['--json', '--quick']\nprint({json.dumps(document)!r})\n")
    monkeypatch.setattr(bench, "PEERS", program)
    monkeypatch.setattr(bench, "find_spec", lambda name: object())
    monkeypatch.setattr(bench, "bench", lambda quick, progress: Bench(Machine.here()))
    assert cli.run(["bench", "--peers", "--quick"]) == 0
    assert capsys.readouterr().out.endswith("\n\n| work |\n")
    assert cli.run(["bench", "--peers", "--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["peers"] == {"versions": document["versions"], "rows": document["rows"]}
    assert found["complete"] is True


def test_ratios_are_those_of_medians(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the peers' imports
        for module in ("pyspiel", "endplay"):
            pytest.importorskip(module, reason="the peers are an optional test dependency: .[peers]")
        monkeypatch.syspath_prepend(str(PEERS))
        table = runpy.run_path(str(PEERS / "table.py"))
    row = table["row"]("work", "ours", [40.0, 60.0, 50.0], "theirs", [10.0, 20.0, 10.0])
    assert (row["rate"], row["peer_rate"], row["ratio"], row["spread"]) == (50, 10, 5, [3, 5])
    text = table["markdown"](
        {**vars(Machine.here()), "versions": {"OpenSpiel": "a", "DDS": "b", "endplay": "c"}, "rows": [row]}
    )
    assert text.splitlines()[-1] == "| work | ours | 50 | theirs | 10 | 5.0 | 3.0, 5.0 |"
    alone = table["row"]("work", "ours", [40.0, 60.0, 50.0])
    assert (alone["rate"], alone["peer"], alone["peer_rate"], alone["ratio"], alone["spread"]) == (50, *[None] * 4)
