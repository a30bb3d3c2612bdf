"""Certificates: the proof of a win or loss in Cuttle, as JSON lines that anybody can check with the rules alone.

The first line is {"schema": 1, "game": "cuttle", "position": ..., "winner": seat, "entries": n}. The n other lines are
the moves of the proof in preorder, {"move": ..., "plies": ...}; the first is the position itself, with "move": null.
After a position in which the winner decides comes his one move, after one in which the other decides come all his legal
moves, in the order of legal_moves(), each followed by what belongs to it. `plies` is the number of moves within which
the game ends from there; it falls with every move, so every play ends. A position that an earlier entry has led to
(whatever the players know) is not shown again: then "same" is the number of that entry, counted from 0.
"""

import json
from pathlib import Path

from pysearch.backends import MEMORY, OVER, Refused, select
from pysearch.calls import Progress, run
from pysearch.errors import ArgumentError, quote
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.position import Position, fail

MOST = 1 << 20  # entries of a proof


def write_certificate(pos: Position, path: str, limit: Limit, progress: Progress = None) -> int:
    """Writes the proof that one side wins `pos` to a file; returns the number of its entries.

    ArgumentError (position: not of Cuttle, over, or no win is proven within the limit; certificate: the proof is too
    long, or the file cannot be written). KeyboardInterrupt on Ctrl-C; then nothing is written.
    """
    if not isinstance(pos, Position) or pos.game != "cuttle":
        raise ArgumentError("position", f"found {pos!r}, expected a position of cuttle: a certificate proves a win")
    write, core, control = GAMES["cuttle"].write_move, select(), limit.control()
    try:
        (entries,), interrupted = run([lambda: core.cuttle_certify(pos.words, MOST, control)], [control], progress)
    except Refused as refused:
        if refused.code == OVER:
            raise ArgumentError("position", "the game is over, expected one that goes on") from refused
        if refused.code == MEMORY:
            raise ArgumentError("certificate", f"the proof has more than {MOST:,} moves") from refused
        fail(refused)
    if interrupted:
        raise KeyboardInterrupt
    if not entries:
        raise ArgumentError("position", "neither a win nor a loss is proven within the limit, a certificate needs one")
    root, *rest = entries
    lines: list[dict[str, object]] = [{"move": None, "plies": root[1]}]
    for move, plies, same in rest:
        lines.append({"move": write(move), "plies": plies, **({"same": same} if same >= 0 else {})})
    head = {"schema": 1, "game": "cuttle", "position": str(pos), "winner": winner_of(pos, lines), "entries": len(lines)}
    try:
        Path(path).write_text("".join(json.dumps(line) + "\n" for line in [head, *lines]), encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError("certificate", f"cannot write file {quote(str(path))}: {reason}") from error
    return len(lines)


def winner_of(pos: Position, lines: list[dict[str, object]]) -> int:
    """The winner of the first play that the proof shows to its end."""
    for line in lines[1:]:
        pos = pos.play(str(line["move"]))
        if pos.outcome is not None:
            return pos.outcome.winners[0]
    raise AssertionError("a proof without an end")
