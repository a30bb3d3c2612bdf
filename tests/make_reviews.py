"""Makes the review documents of tests/data, which test_report.py draws: games in which the players err on purpose.

python tests/make_reviews.py
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pysearch
from pysearch import Limit, Position, Record

DATA = Path(__file__).parent / "data"
SEARCH = Limit(iterations=400)
REVIEW = Limit(iterations=20_000)


def play(start: Position, names: Sequence[str], careless: Sequence[float], most: int = 200) -> Record:
    """A game of players who make any move that often, else what a short search finds."""
    rng = random.Random(f"reviews {names}")
    record = Record(start, {f"Player{seat}": name for seat, name in enumerate(names)})
    while (player := record.end.to_move) is not None and len(record.moves) < most:
        moves = record.end.legal_moves()
        if rng.random() >= careless[player]:
            moves = [pysearch.analyze(record.end, SEARCH, seed=len(record.moves)).best]
        record = record.play(rng.choice(moves))
    return record


def rounded(value: Any) -> Any:
    """The same with numbers of four places."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


def main() -> None:
    cuttle = pysearch.deal("cuttle", seed=21)
    buck = pysearch.deal("buck_euchre", seed=20, scores=(12, 9, 17, 5))
    two, four = ("Ann", "Bob"), ("Ann", "Bob", "Cy", "Dee")
    records = {
        "cuttle": play(cuttle, two, (0.2, 0.4)),
        "cuttle_own": play(cuttle, two, (0.2, 0.4), most=20).view(1),
        "buck_euchre": play(buck, four, (0.25, 0.5, 0.3, 0.25)),
        "buck_euchre_own": play(buck, four, (0.5, 0.5, 0.5, 0.5)).view(2),
    }
    DATA.mkdir(exist_ok=True)
    for name, record in records.items():
        review = pysearch.review(record, REVIEW).to_dict()
        lines = json.dumps(rounded(review), indent=None, separators=(",", ":"))
        (DATA / f"review_{name}.json").write_text(lines + "\n", encoding="utf-8")
        print(name, len(review["plies"]), "plies", review["result"], len(lines), review["turning_points"])


if __name__ == "__main__":
    main()
