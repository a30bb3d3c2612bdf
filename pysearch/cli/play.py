"""pysearch play: a game against the engine, in the terminal or from a pipe."""

import io
import secrets
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date

import click

import pysearch
from pysearch import Limit, Position, Record
from pysearch.cli.deal import numbers
from pysearch.cli.output import draw, write
from pysearch.cli.source import real, whole
from pysearch.players import Player, read_player
from pysearch.position import check_seed, whole_number
from pysearch.records import RecordFile, as_seen
from pysearch.workers import sub_seed

SECONDS = 1.0
HELP = "type a move, or: moves (the legal ones), hint, undo, quit"


@click.command(short_help="Play against the engine.")
@click.argument("game", metavar="GAME")
@click.option("--seat", type=whole("seat"), default=0, show_default=True, metavar="SEAT", help="Where you sit.")
@click.option("--opponent", default="ismcts", show_default=True, metavar="PLAYER",
              help="Who plays the other seats, as in match: ismcts:iterations=2000.")  # fmt: skip
@click.option("--seconds", type=real("seconds"), metavar="S",
              help=f"Time for each move and hint; {SECONDS:g} unless iterations are given.")  # fmt: skip
@click.option("--iterations", type=whole("iterations"), metavar="N",
              help="Iterations for each; the engine's moves are then reproducible.")  # fmt: skip
@click.option("--seed", type=whole("seed"), metavar="N",
              help="Seed of the deal and of the engine's moves; another one each time unless given.")  # fmt: skip
@click.option("--scores", metavar="N/N/N/N", help="Scores before the deal, Buck Euchre only.")
@click.option("--record", metavar="FILE", help="Add the game, as far as it was played, to FILE.")
def command(
    game: str,
    seat: int,
    opponent: str,
    seconds: float | None,
    iterations: int | None,
    seed: int | None,
    scores: str | None,
    record: str | None,
) -> None:
    """Play one game of GAME (cuttle or buck_euchre, there a deal) against the engine. You see what your seat sees.

    At each of your turns type a move, or one of the words moves, hint, undo, quit. The end of the input ends the game.
    """
    if seconds is None and iterations is None:
        seconds = SECONDS
    limit = Limit(seconds=seconds, iterations=iterations)
    seed = secrets.randbits(32) if seed is None else check_seed(seed)
    start = pysearch.deal(game, seed=seed, scores=None if scores is None else numbers(scores))
    seat = whole_number("seat", seat, 0, start.seats - 1)
    player = read_player(opponent, limit, "opponent")
    names = {f"Player{other}": "you" if other == seat else str(player) for other in range(start.seats)}
    table = Table(Record(start, {**names, "Date": f"{date.today():%Y.%m.%d}"}), seat, player, limit, seed)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what cannot be read is no move
    with ExitStack() as stack:
        if record is not None:
            file = stack.enter_context(RecordFile(record, keep=True))
            stack.callback(lambda: file.add(table.record))  # whatever ends the game
        write(f"{start.game}, seed {seed}: you are seat {seat} against {player}; {HELP}")
        table.play()


@dataclass
class Table:
    """A game that is going on; `earlier` is where it stood at each decision of the human."""

    record: Record
    seat: int
    player: Player
    limit: Limit
    seed: int
    earlier: list[Record] = field(default_factory=list)

    @property
    def position(self) -> Position:
        assert isinstance(self.record.end, Position)
        return self.record.end

    def play(self) -> None:
        """Until the game is over, or the human has had enough."""
        while not self.position.is_over:
            if self.position.to_move != self.seat:
                seed = sub_seed("play move", self.seed, len(self.record.moves))
                self.make(self.player.choose(self.position, seed).move)
            elif not self.decide():
                write(f"left after {len(self.record.moves)} moves")
                return
        self.show()
        outcome = self.position.outcome
        assert outcome is not None
        won = f"your share of the win is {outcome.returns[self.seat]:.1%}"
        write(f"over: {outcome.reason}, result {self.record.result}; {won}")

    def make(self, move: str) -> None:
        """Plays a move, and says what the human sees of it."""
        before = self.position
        self.record = self.record.play(move)
        token, seen = as_seen(before, self.position, self.record.moves[-1].move, self.seat)
        who = "you" if before.to_move == self.seat else f"seat {before.to_move}"
        write(f"{who}: {token}" + ("" if seen == "-" else f" ={seen}"))

    def decide(self) -> bool:
        """Asks the human until he makes a move; false when he leaves."""
        self.show()
        while (word := ask()) not in (None, "quit"):
            assert word is not None
            if word == "moves":
                write("moves: " + " ".join(self.position.legal_moves()))
            elif word == "hint":
                self.hint()
            elif word == "undo":
                if not self.earlier:
                    write("undo: this is your first move")
                    continue
                self.record = self.earlier.pop()
                return True
            elif word in ("help", "?"):
                write(HELP)
            elif word:
                before = self.record
                try:
                    self.make(word)
                except pysearch.IllegalMove as error:
                    write(str(error))
                    continue
                self.earlier.append(before)
                return True
        return False

    def hint(self) -> None:
        """What the engine would play in this seat."""
        found = pysearch.analyze(
            self.position.view(self.seat), self.limit, sub_seed("play hint", self.seed, len(self.record.moves))
        )
        value = "" if found.value is None else f", {found.value:.1%} for you"
        write(f"hint: {found.best}{value}")

    def show(self) -> None:
        """Draws what the human sees."""
        from pysearch.cli.table import draw_position

        draw("", *draw_position(self.position.view(self.seat)))


def ask() -> str | None:
    """One line of standard input without the blanks around it; None at its end. Prompts on a terminal only."""
    if sys.stdin is None:
        raise click.UsageError("game: cannot read standard input: it is closed")
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            import readline  # noqa: F401  (for editing of the line)

            return input("your move: ").strip()
        line = sys.stdin.readline()
    except EOFError:
        write("")
        return None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise click.UsageError(f"game: cannot read standard input: {reason}") from error
    return line.strip() if line else None
