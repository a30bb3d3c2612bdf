"""How good a move is, from what the player knew: every move on the same worlds, and how sure the difference is.

Worlds come in two halves. Each chooses the move that it finds best, and the other measures what moves lose against that
choice: so luck in the choice is not taken for skill. A loss is the mean of both measures. The halves grow together,
twofold each time; after each stage the moves that both have among the worse half fall out (sequential halving: Karnin,
Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013), but for the one that was played. What is
proven about a move takes the place of what was sampled.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
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
STOP = 3.08  # the same for the worst of a dozen looks, each at twice as many worlds

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
    return all(abs(loss - edge) > STOP * stderr for edge in edges) and (loss > STOP * stderr or loss <= edges[0])


def budget(worlds: int) -> int:
    """So many worlds, in two halves."""
    return 2 * max(worlds // 2, 1)


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
    most = budget(worlds) // 2
    n = 0
    while True:
        n = min(max(2 * n, _FIRST), most)
        if not contest.grow(n, control):
            return None
        settled = contest.settled(edges)
        late = seconds is not None and 3 * (time.monotonic() - start) > seconds  # the next stage takes twice as long
        if settled or late or n == most:
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
        free = [code for code in sorted(self._text) if code not in self._known]
        if 1 in self._known.values():
            free = [code for code in free if code == self._own]  # nothing is better than a win
        self.sampled = free
        self._halves = tuple(_Tally(view, sub_seed("grade", half, seed)) for half in range(2))
        self._fallen: dict[int, _Row] = {}

    def grow(self, n: int, control: Control) -> bool:
        return all(half.grow(self.sampled, n, control) for half in self._halves)

    def halve(self) -> None:
        """Lets the sampled moves fall out that both halves have among the worse half, but for the one played. Each
        keeps two at least."""
        kept = {self._own}
        for half in self._halves:
            ranked = sorted(self.sampled, key=lambda code: -half.mean(code))
            kept.update(ranked[: max(2, (len(ranked) + 1) // 2)])
        others = {*self._known, *kept}
        self._fallen |= {code: self._row(code, others) for code in self.sampled if code not in kept}
        self.sampled = [code for code in self.sampled if code in kept]

    def _worth(self, code: int, half: _Tally) -> float:
        return self._known[code] if code in self._known else half.mean(code)

    def _row(self, code: int, others: Iterable[int]) -> "_Row":
        """What there is to say of a move: now, or when it fell out."""
        if code in self._fallen:
            return self._fallen[code]
        free = code not in self._known
        error = math.hypot(*(half.error(code) for half in self._halves)) / 2 if free else 0.0
        gaps = {other: [self._gap(other, code, half) for half in self._halves] for other in others}
        return _Row(sum(half.n for half in self._halves) if free else 0, error, gaps)

    def _gap(self, a: int, b: int, half: _Tally) -> tuple[float, float]:
        """By how much a is better than b, and the standard error of that."""
        free = [code for code in (a, b) if code not in self._known]
        error = half.error(*free) if a != b and free else 0.0
        return self._worth(a, half) - self._worth(b, half), error

    def _choices(self) -> tuple[int, int]:
        """The move that the second half finds best, and the one that the first does; the one played where that does
        not lose against them."""
        first, second = (
            max((*self._known, *self.sampled), key=lambda code: (self._worth(code, half), code == self._own))
            for half in self._halves
        )
        choices = second, first
        return choices if self._row(self._own, choices).loss(choices)[0] > 0 else (self._own, self._own)

    def settled(self, edges: Sequence[Sequence[float]]) -> bool:
        choices, own = self._choices(), self._own
        if not self.sampled:
            return True
        if choices != (own, own):
            loss, error = self._row(own, choices).loss(choices)
            return all(is_settled(loss, error, scale) for scale in edges)
        least = min(scale[0] for scale in edges)
        rivals = [self._row(own, (code,)).loss((code, code)) for code in (*self._known, *self.sampled) if code != own]
        return all(gap + STOP * error <= least for gap, error in rivals)

    def verdict(self, settled: bool, perfect: bool) -> Verdict:
        choices, own = self._choices(), self._own
        best = max(choices, key=lambda code: sum(self._worth(code, half) for half in self._halves))
        top = sum(map(self._worth, choices, self._halves)) / 2
        rows = []
        for code in (*self._known, *self.sampled, *self._fallen):
            row = self._row(code, choices)
            loss, error = (0.0, 0.0) if code == best else row.loss(choices)
            value = min(max(top - loss, 0.0), 1.0)
            value, spread, loss, error = (round(number, 5) for number in (value, row.error, loss, error))
            rows.append(Candidate(self._text[code], value, spread, loss, error, row.worlds))
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
            worlds=sum(half.n for half in self._halves),
            candidates=tuple(kept),
        )


@dataclass(frozen=True)
class _Row:
    """A move: in how many worlds it was tried, the standard error of its value, and on each half by how much each
    other move is better, with the standard error of that."""

    worlds: int
    error: float
    gaps: Mapping[int, Sequence[tuple[float, float]]]

    def loss(self, choices: tuple[int, int]) -> tuple[float, float]:
        """What it loses, and the standard error of that, where these moves are measured on the two halves."""
        gaps, errors = zip(*(self.gaps[code][half] for half, code in enumerate(choices)), strict=True)
        return sum(gaps) / 2, math.hypot(*errors) / 2
