"""Standard errors tell how far a value lies from its mean over all seeds."""

from collections.abc import Callable
from statistics import fmean

import pytest
from stages import GAMES, own_view, positions

import pysearch
from pysearch import Limit

ITERATIONS = (300, 2_000)
MANY = 0.05  # of the visits: moves that have less are not looked at


@pytest.mark.parametrize("iterations", ITERATIONS)
@pytest.mark.parametrize("game", GAMES)
def test_intervals_cover_the_mean_over_seeds(game: str, iterations: int, count: Callable[[int, int], int]) -> None:
    """The interval of 1.96 standard errors covers it in 90 to 99 of 100 cases, moves of all stages together."""
    covered = cases = 0
    for pos in positions(game, count(9, 24)):
        view = own_view(pos)
        if len(view.legal_moves()) == 1 or pysearch.analyze(view, Limit(iterations=1)).sampling != "sampled":
            continue
        seeds = range(count(60, 1_000))
        found = [pysearch.analyze(view, Limit(iterations=iterations), seed) for seed in seeds]
        if any(analysis.exact for analysis in found):
            continue
        rows = [row for analysis in found for row in analysis.moves]
        for move in view.legal_moves():
            values = [row.value for row in rows if row.move == move and row.value is not None]
            mean = fmean(values) if values else 0.0
            for row in rows:
                if row.move == move and row.visits >= MANY * iterations and row.value is not None:
                    assert row.stderr is not None
                    covered += abs(row.value - mean) <= 1.96 * row.stderr + 1e-12
                    cases += 1
    assert cases > 500
    assert 0.90 <= covered / cases <= 0.99, f"{covered} of {cases}"


@pytest.mark.parametrize("game", GAMES)
def test_what_is_not_drawn_by_lot_has_no_error(game: str) -> None:
    seen = 0
    for pos in positions(game, 90):
        found = pysearch.analyze(pos, Limit(iterations=20_000))
        if found.exact or found.sampling == "enumerated":
            assert all(row.stderr == 0 for row in found.moves if row.visits)
            seen += 1
    assert seen > 5
