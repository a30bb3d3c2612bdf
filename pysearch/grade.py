"""How good a move is, from what the player knew: every move on the same worlds, and how sure the difference is.

Worlds come in two halves. On one it is decided which move is best, on the other what the others lose against it: so
that luck in the choice is not taken for skill. Both halves grow together, twofold each time; after each stage the worse
half of the moves falls out (sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed
bandits", 2013), but for the one that was played. What is proven about a move takes the place of what was sampled.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pysearch.backends import Control, Refused, select
from pysearch.errors import Error
from pysearch.games import GAMES
from pysearch.limit import Limit
from pysearch.position import View, fail, fields_of
from pysearch.search import analyze
from pysearch.solve import CuttleSolution, solve
from pysearch.workers import sub_seed

# The most that a move of each grade loses, in shares of the win; anything worse is a blunder.
BANDS = (("best", 0.005), ("excellent", 0.02), ("good", 0.05), ("inaccuracy", 0.10), ("mistake", 0.20))
EDGES = tuple(edge for _, edge in BANDS)
GRADES = (*(name for name, _ in BANDS), "blunder", "unclear", "forced")
ERRORS = ("inaccuracy", "mistake", "blunder")
SURE = 2.33  # standard errors: one in a hundred on one side

_FIRST = 256  # worlds of the first stage, in each half
_SOLVE = Limit(nodes=1_000_000)
_ENUMERATE = Limit(iterations=1 << 20)
_SHOWN = 8  # candidates
_ENDING = 3  # tricks of Buck Euchre, after which all hands are looked at
_VALUES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class Candidate:
    """A move: its value, what it loses against the best, standard errors of both, and in how many worlds it was
    tried."""

    move: str
    value: float
    stderr: float
    loss: float
    loss_stderr: float
    worlds: int


@dataclass(frozen=True)
class Verdict:
    """What a move is worth against the best one. `settled`: more worlds would not change what it is called, as far as
    one can be sure; `proven`: nothing was sampled. `candidates` come best first."""

    best: str
    value: float
    best_value: float
    loss: float
    stderr: float
    proven: bool
    settled: bool
    worlds: int
    candidates: tuple[Candidate, ...]

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {**fields_of(self), "candidates": [fields_of(candidate) for candidate in self.candidates]}


def band(loss: float, edges: Sequence[float] = EDGES) -> str:
    """What a loss is called."""
    return GRADES[sum(loss > edge for edge in edges)]


def grade_of(loss: float, stderr: float, edges: Sequence[float] = EDGES) -> str:
    """The same where the loss is known up to an error: where it may be nothing, the move is "best" if even the most
    that it may lose is excellent, else "unclear"."""
    if loss > SURE * stderr:
        return band(loss, edges)
    return GRADES[0] if loss == 0 or loss + SURE * stderr <= edges[1] else "unclear"


def is_settled(loss: float, stderr: float, edges: Sequence[float] = EDGES) -> bool:
    """Is the loss, as far as its error tells, on one side of every edge?"""
    return all(abs(loss - edge) > SURE * stderr for edge in edges) and (loss > SURE * stderr or loss <= edges[0])


def judge(
    view: View,
    move: str,
    worlds: int,
    seed: int,
    control: Control,
    edges: Sequence[Sequence[float]] = (EDGES,),
    seconds: float | None = None,
) -> Verdict | None:
    """Compares a move of the view's seat with its others, in so many worlds at most; None when stopped.

    It ends sooner when what the move is called is settled, by each of the scales `edges`, and when the next stage would
    take longer than so many seconds in all."""
    start = time.monotonic()
    known, proven = known_values(view)
    contest = _Contest(view, move, known, seed)
    most = max(worlds // 2, 1)
    n = 0
    while True:
        n = min(max(2 * n, _FIRST), most)
        if not contest.grow(n, control):
            return None
        settled = contest.settled(edges)
        late = seconds is not None and 3 * (time.monotonic() - start) > seconds  # the next stage takes twice as long
        if settled or late or n == most or not contest.sampled:
            return contest.verdict(settled, proven)
        contest.halve()


def known_values(view: View) -> tuple[dict[str, float], bool]:
    """The moves whose value needs no sampling, and whether these values are those of perfect play: where one world is
    left it is solved; from the fourth trick of Buck Euchre on all hands are looked at; a move that wins now wins."""
    if view.game != "cuttle":
        keys = view.to_dict()
        if keys["stage"] == "play" and (sum(keys["tricks"]) >= _ENDING or view.count_worlds() == 1):
            found = analyze(view, _ENUMERATE)
            if found.sampling == "enumerated":
                return {row.move: row.value for row in found.moves if row.value is not None}, found.exact
        return {}, False
    if view.count_worlds() == 1:
        solution = solve(view.sample(0), _SOLVE)
        assert isinstance(solution, CuttleSolution)
        return {row.move: _VALUES[row.result] for row in solution.moves if row.result in _VALUES}, True
    return {move: 1.0 for move in view.legal_moves() if _wins(view, move)}, True


def _wins(view: View, move: str) -> bool:
    """Whether a move of Cuttle ends the game, and so wins it: what it does must be known without a card coming in
    sight."""
    if move in ("draw", "ok") or ("@" in move and move[0] not in "KJ"):
        return False
    try:
        outcome = view.play(move).outcome
    except Error:
        return False
    return outcome is not None and outcome.winners == (view.seat,)


class _Tally:
    """Sums over the worlds of one half, for moves that were tried in all of them so far."""

    def __init__(self, view: View, seed: int) -> None:
        self._game, self._view, self._seed = GAMES[view.game], view, seed
        self.n = 0
        self.total: dict[int, int] = {}
        self.product: dict[tuple[int, int], int] = {}

    def grow(self, codes: list[int], n: int, control: Control) -> bool:
        """Tries these moves, ascending, in more worlds, until there are n. False when stopped."""
        fresh = n - self.n
        if not codes or fresh <= 0:
            return True
        game, view = self._game, self._view
        try:
            found = select().grade(game.id, view.words, game.seats, self._seed, self.n, fresh, codes, False, control)
        except Refused as refused:
            fail(refused)
        if found.worlds < fresh:
            return False
        k = len(codes)
        self.total = {code: self.total.get(code, 0) + found.totals[i][view.seat] for i, code in enumerate(codes)}
        self.product = {
            (a, b): self.product.get((a, b), 0) + found.products[i * k + j]
            for i, a in enumerate(codes)
            for j, b in enumerate(codes[: i + 1])
        }
        self.n = n
        return True

    def mean(self, code: int) -> float:
        return self.total[code] / (self.n * select().ONE)

    def error(self, a: int, b: int | None = None) -> float:
        """The standard error of the mean of a move, or of the difference of two. Were all worlds alike so far, the next
        may still differ: one more does so, by the whole win."""
        n, one = self.n, select().ONE
        squares, total = self.product[a, a], self.total[a]
        if b is not None:
            squares += self.product[b, b] - 2 * self.product[max(a, b), min(a, b)]
            total -= self.total[b]
        variance = (n * squares - total * total) / (n * one) ** 2
        return math.sqrt(max(variance, 0.0) / n + 1 / n**2)


class _Contest:
    """The moves of a view against each other."""

    def __init__(self, view: View, move: str, known: dict[str, float], seed: int) -> None:
        game = GAMES[view.game]
        codes = {text: game.read_move(text) for text in view.legal_moves()}
        self._text = {code: text for text, code in codes.items() if code is not None}
        self._own = next(code for code, text in self._text.items() if text == move)
        self._known = {code: known[text] for code, text in self._text.items() if text in known}
        self._top = max(self._known, key=lambda code: self._known[code], default=None)
        free = [code for code in sorted(self._text) if code not in self._known]
        if self._top is not None and self._known[self._top] == 1:
            free = [code for code in free if code == self._own]  # nothing is better than a win
        self.sampled = free
        self._choice, self._test = (_Tally(view, sub_seed("grade", half, seed)) for half in ("choice", "test"))
        self._fallen: dict[int, tuple[int, dict[int, tuple[float, float]]]] = {}
        self._errors: dict[int, float] = {}

    def grow(self, n: int, control: Control) -> bool:
        return self._choice.grow(self.sampled, n, control) and self._test.grow(self.sampled, n, control)

    def halve(self) -> None:
        """Lets the worse half of the sampled moves fall out, but for the one played and two others."""
        ranked = sorted(self.sampled, key=lambda code: -self._choice.mean(code))
        kept = {*ranked[: max(2, (len(ranked) + 1) // 2)], self._own} & set(ranked)
        others = [*self._known, *kept]
        for code in self.sampled:
            if code not in kept:
                self._fallen[code] = self._test.n, {other: self._gap(other, code) for other in others}
                self._errors[code] = self._test.error(code)
        self.sampled = [code for code in self.sampled if code in kept]

    def _worth(self, code: int, tally: _Tally) -> float:
        return self._known[code] if code in self._known else tally.mean(code)

    def _gap(self, a: int, b: int) -> tuple[float, float]:
        """By how much a is better than b, and the standard error of that."""
        gap = self._worth(a, self._test) - self._worth(b, self._test)
        free = [code for code in (a, b) if code not in self._known]
        return gap, self._test.error(*free) if a != b and free else 0.0

    def _best(self) -> int:
        """The best by the half that chooses, unless the move that was played shows itself no worse on the other."""
        running = [*self._known, *self.sampled]
        best = max(running, key=lambda code: self._worth(code, self._choice))
        return self._own if self._gap(best, self._own)[0] <= 0 else best

    def settled(self, edges: Sequence[Sequence[float]]) -> bool:
        best = self._best()
        if best != self._own:
            return all(is_settled(*self._gap(best, self._own), scale) for scale in edges)
        least = min(scale[0] for scale in edges)
        rivals = [self._gap(code, self._own) for code in (*self._known, *self.sampled) if code != best]
        return all(gap + SURE * error <= least for gap, error in rivals)

    def verdict(self, settled: bool, perfect: bool) -> Verdict:
        best, own = self._best(), self._own
        top = self._worth(best, self._test)
        rows = []
        for code, text in self._text.items():
            if code in self._fallen:
                worlds, gaps = self._fallen[code]
                gap, error = gaps[best]
                spread = self._errors[code]
            elif code in self._known or code in self.sampled:
                worlds, (gap, error) = 0 if code in self._known else self._test.n, self._gap(best, code)
                spread = 0.0 if code in self._known else self._test.error(code)
            else:
                continue
            value = min(max(top - gap, 0.0), 1.0)
            rows.append(Candidate(text, round(value, 5), round(spread, 5), round(gap, 5), round(error, 5), worlds))
        rows.sort(key=lambda row: (row.move != self._text[best], row.loss))
        kept = rows[:_SHOWN]
        mine = next(row for row in rows if row.move == self._text[own])
        if mine not in kept:
            kept[-1] = mine
        surely_best = not self.sampled or self._known.get(best) == 1
        return Verdict(
            best=self._text[best],
            value=round(rows[0].value - mine.loss, 5),
            best_value=rows[0].value,
            loss=mine.loss,
            stderr=mine.loss_stderr,
            proven=perfect and surely_best and best in self._known and own in self._known,
            settled=settled,
            worlds=2 * self._test.n,
            candidates=tuple(kept),
        )
