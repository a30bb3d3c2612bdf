"""What the results of a match say: error of a mean, Elo, and the test that decides when enough is played.

All take the results of sets: means of A's shares over games of one deal. Games of a set depend on each other, sets do
not. `base` is the share of equal players: 1/2 in Cuttle, 1/4 for one against three.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Z95 = 1.959964  # of the normal distribution: 95 % within
ALPHA = 0.05  # of the test: how often each of its verdicts may be wrong


def expected_share(elo: float, base: float) -> float:
    """The share of a player so much stronger than his equals: a logistic that is `base` at 0, and multiplies the odds
    p / (1 - p) by ten for every 400."""
    odds = base / (1 - base) * 10 ** (elo / 400)
    return odds / (1 + odds)


def elo_of(share: float, base: float) -> float | None:
    """The strength whose expected share this is, None for all or nothing."""
    if not 0 < share < 1:
        return None
    return 400 * math.log10(share / (1 - share) * (1 - base) / base)


def mean_and_error(results: Sequence[float]) -> tuple[float, float | None]:
    """Mean and its standard error; None with fewer than two results, or all alike: then nothing is known of it."""
    n = len(results)
    mean = math.fsum(results) / n
    spread = math.fsum((x - mean) ** 2 for x in results)
    return mean, math.sqrt(spread / (n * (n - 1))) if spread > 1e-18 else None


@dataclass(frozen=True)
class Sprt:
    """A sequential test whether A is `elo1` stronger rather than `elo0`. `llr` is the log-likelihood ratio; at `upper`
    elo1 is accepted, at `lower` elo0. `verdict` is "elo0", "elo1" or None: not decided."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    verdict: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


class Test:
    """The test, fed with one set at a time.

    Generalised SPRT (X. Li, J. Liu, Z. Ying: Generalized sequential probability ratio test for separate families of
    hypotheses, Sequential Analysis 33, 2014) for the mean of a normal distribution of unknown variance, as M. Van den
    Bergh derived it for pairs of games in fishtest, the test framework of Stockfish (LLRcalc.py, LLR_alt2): n/2 times
    the log of the mean squared distance from one hypothesis over that from the other. That of one more set whose games
    do not depend on each other is added to the spread, so that the first few sets, by chance alike, decide nothing.
    """

    def __init__(self, elo0: float, elo1: float, base: float, games: int) -> None:
        self.elo0, self.elo1 = elo0, elo1
        self._shares = expected_share(elo0, base), expected_share(elo1, base)
        self._prior = base * (1 - base) / games
        self._n = 0
        self._mean = self._spread = 0.0

    def add(self, result: float) -> str | None:
        """Takes the result of a set; returns the verdict after it, None while there is none."""
        self._n += 1
        step = result - self._mean
        self._mean += step / self._n
        self._spread += step * (result - self._mean)
        return self.state().verdict

    def state(self) -> Sprt:
        """How the test stands."""
        variance = (self._spread + self._prior) / (self._n + 1)
        from0, from1 = (variance + (self._mean - share) ** 2 for share in self._shares)
        llr = self._n / 2 * math.log(from0 / from1)
        bound = math.log((1 - ALPHA) / ALPHA)
        verdict = "elo1" if llr >= bound else "elo0" if llr <= -bound else None
        return Sprt(self.elo0, self.elo1, llr, -bound, bound, verdict)
