"""pysearch solve: the exact result of a position, all cards seen."""

import re
from typing import TYPE_CHECKING

import click

import pysearch
from pysearch import BuckSolution, CuttleSolution, Limit, Position
from pysearch.cli.output import counted, draw, progress_line, write, write_json
from pysearch.cli.source import Entry, check_target, position_argument, read_entries, real, whole
from pysearch.errors import quote
from pysearch.solve import OBJECTIVES

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pysearch.solve import Solution

SECONDS = 10.0


@click.command(short_help="Solve a position exactly, all cards seen.")
@position_argument
@click.option("--seconds", type=real("seconds"), metavar="S",
              help=f"Time to search; {SECONDS:g} in Cuttle, unless --nodes.")  # fmt: skip
@click.option("--nodes", type=whole("nodes"), metavar="N", help="Nodes to search; what is proven is then reproducible.")
@click.option("--objective", metavar="O", help=f"Of Buck Euchre: {', '.join(OBJECTIVES)} (--seats implies the last).")
@click.option("--seats", metavar="0,2", help="Seats that play together, of Buck Euchre.")
@click.option("--threads", type=whole("threads"), default=1, show_default=True, metavar="N",
              help="Positions to solve at a time.")  # fmt: skip
@click.option("--memory", "memory_mb", type=whole("memory"), default=256, show_default=True, metavar="MB",
              help="Cap of the table.")  # fmt: skip
@click.option("--certificate", type=click.Path(dir_okay=False), metavar="OUT",
              help="Write the proof of a win or loss in Cuttle to OUT, as JSON lines.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    words: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    objective: str | None,
    seats: str | None,
    threads: int,
    memory_mb: int,
    certificate: str | None,
    as_json: bool,
) -> None:
    """Solve the position POS: the exact result of every legal move when all cards are seen.

    A result is proven, or it is given as unknown with the depth to which it was searched. A file may hold several
    positions of one game.
    """
    entries = read_entries(words)
    if as_json and len(entries) > 1:
        raise click.UsageError(f"position: --json prints one document, {len(entries)} positions found")
    if certificate and len(entries) > 1:
        raise click.UsageError(f"position: --certificate takes one position, {len(entries)} found")
    positions = [require_position(entry) for entry in entries]
    if certificate:
        check_target("certificate", certificate, words[0], "the position itself")
    if certificate and positions[0].game != "cuttle":
        raise click.UsageError(f"position: found one of {positions[0].game}, expected cuttle for a certificate")
    if seconds is None and nodes is None and positions[0].game == "cuttle":
        seconds = SECONDS
    limit: Limit | None = Limit(seconds=seconds, nodes=nodes, memory_mb=memory_mb)  # checks them, needed or not
    if seconds is None and nodes is None:
        limit = None
    chosen = read_seats(seats)
    objective = objective or ("maxn" if chosen is None else "coalition")

    interrupted = False
    try:
        with progress_line("nodes" if positions[0].game == "cuttle" else "positions") as progress:
            solutions = pysearch.solve_many(
                positions, limit, objective=objective, seats=chosen, threads=threads, lines=True, progress=progress
            )
    except pysearch.Interrupted as stop:
        solutions, interrupted = stop.result, True
    for number, (entry, solution) in enumerate(zip(entries, solutions, strict=False)):
        if as_json:
            write_json(solution.to_dict())
            continue
        if number:
            write("")
        draw(*drawing(entry, solution))
    if interrupted:
        raise KeyboardInterrupt
    if certificate:
        from pysearch.certificate import write_certificate

        size = write_certificate(positions[0], certificate, limit or Limit(seconds=SECONDS))
        if not as_json:
            write(f"proof of {counted(size - 1, 'move')} written to {certificate}")


def require_position(entry: Entry) -> Position:
    if not isinstance(entry.position, Position):
        raise click.UsageError("position: found a view, expected a position: all cards must be known")
    return entry.position


def read_seats(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9](,?[0-9])*", text):
        raise click.UsageError(f"seats: found {quote(text)}, expected numbers such as 0,2")
    return tuple(int(seat) for seat in text.replace(",", ""))


def drawing(entry: Entry, solution: "Solution") -> list["RenderableType"]:
    """The position, the moves with their results, the verdict in a plain word and the line."""
    from rich.table import Table

    from pysearch.cli.table import draw_position

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    head, rows = cuttle_rows(solution) if isinstance(solution, CuttleSolution) else buck_rows(solution)
    for name in head:
        table.add_column(name, no_wrap=True, justify="left" if name == "move" else "right")
    for row in rows:
        table.add_row(*row)
    foot: list[RenderableType] = [verdict(solution)]
    if solution.line:
        foot.append(f"line: {' '.join(solution.line)}")
    foot.append(f"{solution.nodes:,} nodes")
    return [*draw_position(entry.position, entry.title), "", table, "", *foot]


Rows = tuple[list[str], list[list[str]]]


def cuttle_rows(solution: CuttleSolution) -> Rows:
    rows = [
        [m.move, m.result, "" if m.plies is None else f"{'' if m.shortest else '<= '}{m.plies}"] for m in solution.moves
    ]
    return ["move", "result", "plies"], rows


def buck_rows(solution: BuckSolution) -> Rows:
    if solution.objective == "coalition":
        return ["move", "tricks"], [[m.move, str(m.tricks)] for m in solution.moves]
    seats = [f"seat {seat}" for seat in range(4)]
    rows = []
    for m in solution.moves:
        shares = ["" if value is None else f"{value:.2%}" for value in m.values or ()]
        tricks = [f"{round(taken, 2):g}" for taken in m.tricks] if isinstance(m.tricks, tuple) else []
        rows.append([m.move, *shares, " ".join(tricks)])
    return ["move", *seats, "tricks"], rows


def verdict(solution: "Solution") -> str:
    who = f"seat {solution.player}"
    if isinstance(solution, BuckSolution):
        if solution.tricks is None and solution.values is None:
            return "searched, not decided: the limit came first"
        if solution.objective == "coalition":
            names = " and ".join(map(str, solution.seats or ()))
            take = f"seats {names} take" if len(solution.seats or ()) > 1 else f"seat {names} takes"
            tricks = solution.tricks if isinstance(solution.tricks, int) else 0
            return f"proven: {take} {counted(tricks, 'trick')} from here"
        value = (solution.values or (0.0,) * 4)[solution.player]
        return f"proven: {who} has {value:.3%} of the match, {solution.objective} by equity {solution.equity}"
    if solution.result == "unknown":
        return f"searched to depth {solution.depth}, not decided"
    if solution.result == "draw":
        return "proven: a draw"
    how = "in" if solution.shortest else "by a line of"
    plies = "1 ply" if solution.plies == 1 else f"{solution.plies} plies"
    return f"proven: {who} {'wins' if solution.result == 'win' else 'loses'} {how} {plies}"
