"""pysearch match: one player against another."""

from typing import TYPE_CHECKING

import click

import pysearch
from pysearch import Limit
from pysearch.cli.deal import numbers
from pysearch.cli.output import counted, draw, fits, progress_line, write_json
from pysearch.cli.source import real, whole

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pysearch import Match


@click.command(short_help="Play one player against another.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--game", required=True, metavar="GAME", help="cuttle or buck_euchre.")
@click.option("--games", required=True, type=whole("games"), metavar="N",
              help="How many to play, rounded up to whole sets: 2 in Cuttle, 4 in Buck Euchre.")  # fmt: skip
@click.option("--seconds", type=real("seconds"), metavar="S", help="Time to search for each move.")
@click.option("--iterations", type=whole("iterations"), metavar="N",
              help="Iterations for each move; the result is then reproducible.")  # fmt: skip
@click.option("--seed", type=whole("seed"), default=0, show_default=True, metavar="N",
              help="Seed of all deals and searches.")  # fmt: skip
@click.option("--scores", metavar="N/N/N/N", help="Scores before each deal, Buck Euchre only.")
@click.option("--jobs", type=whole("jobs"), default=1, show_default=True, metavar="N", help="Processes that play.")
@click.option("--sprt", nargs=2, type=real("sprt"), metavar="ELO0 ELO1",
              help="End when it is decided whether A is ELO1 stronger than B rather than ELO0.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Record every set in FILE, and go on from what is there.")
@click.option("--record", metavar="FILE", help="Write all games to FILE as game records.")
@click.option("--timing", is_flag=True, help="Put seconds into the JSON document.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    a: str,
    b: str,
    game: str,
    games: int,
    seconds: float | None,
    iterations: int | None,
    seed: int,
    scores: str | None,
    jobs: int,
    sprt: tuple[float, float] | None,
    out: str | None,
    record: str | None,
    timing: bool,
    as_json: bool,
) -> None:
    """Play A against B, the same deals for both; in Buck Euchre one A against three of B.

    Players: random, rules, so-ismcts, ismcts and the other methods of analyze, and cheat, who sees all cards. A limit
    of one's own goes with the name: ismcts:iterations=2000, flat:seconds=0.1.
    """
    limit = None if seconds is None and iterations is None else Limit(seconds=seconds, iterations=iterations)
    before = None if scores is None else numbers(scores)
    interrupted = False
    try:
        with progress_line("games") as progress:
            result = pysearch.match(
                a, b, game, games, limit, seed=seed, scores=before, jobs=jobs, sprt=sprt, out=out, record=record,
                progress=progress,
            )  # fmt: skip
    except pysearch.Interrupted as stop:
        result, interrupted = stop.result, True
    if as_json:
        write_json(result.to_dict(timing))
    else:
        draw(*drawing(result))
    if interrupted:
        raise KeyboardInterrupt


def drawing(match: "Match") -> "list[RenderableType]":
    """Who played whom, the share of A with its error, and what the players searched."""
    from rich.table import Table

    fours = "" if match.game == "cuttle" else "three of "
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    stack: list[RenderableType] = []  # the same for a narrow screen
    for name, justify in (("", "left"), ("moves searched", "right"), ("iterations", "right"), ("ms", "right")):
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for name, moves in zip((match.a, match.b), match.moves, strict=True):
        cells = [] if moves.seconds is None else [f"{moves.iterations:,.0f}", f"{1000 * moves.seconds:.2f}"]
        table.add_row(name, f"{moves.searched:,}", *cells)
        stack += [f"{name}:", f"  {counted(moves.searched, 'move')} searched"]
        if cells:
            stack.append("  {} iterations, {} ms each".format(*cells))
    lines: list[RenderableType] = [f"{match.game}: {match.a} against {fours}{match.b}, seed {match.seed}"]
    lines.append(
        f"{counted(match.games, 'game')}, {counted(match.sets, 'set')}{'' if match.complete else ', interrupted'}"
    )
    if match.share is not None:
        lines.append(f"share of {match.a}: {share_text(match)}")
        if match.elo is not None:
            low, high = match.elo_interval or (None, None)
            lines.append(f"elo: {elo_text(match.elo)} ({elo_text(low)} to {elo_text(high)})")
        if match.sweeps:
            lines.append(f"sweeps: {match.sweeps[0]:,} of A, {match.sweeps[1]:,} of B")
        else:
            lines.append(f"won {match.wins:,}, drawn {match.draws:,}, lost {match.losses:,}")
        if match.sprt:
            test = match.sprt
            verdict = {None: "not decided", "elo0": "elo0 accepted", "elo1": "elo1 accepted"}[test.verdict]
            lines.append(
                f"test of {test.elo0:g} against {test.elo1:g}: {verdict}, "
                f"llr {test.llr:.2f} ({test.lower:.2f} to {test.upper:.2f})"
            )
        lines.append(f"{match.plies:.1f} moves a game")
    return [*lines, "", *([table] if fits(table) else stack)]


def share_text(match: "Match") -> str:
    error = "" if match.stderr is None else f" ±{match.stderr:.2%}"
    interval = "" if match.interval is None else f", 95 % within {match.interval[0]:.2%} to {match.interval[1]:.2%}"
    return f"{match.share:.2%}{error}{interval}; equal players have {match.base:.0%}"


def elo_text(elo: float | None) -> str:
    return "?" if elo is None else f"{elo:+.0f}"
