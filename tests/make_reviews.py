"""Makes the review documents of tests/data, which test_report.py draws: real games, with values of short searches.

    python tests/make_reviews.py

Short searches are no review: grades here are those that the bands give, so that every part of a page has something to
show. Players err on purpose, some of them often.
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pysearch
from pysearch import Limit, Position
from pysearch.review import kind_of

BANDS = ((0.005, "best"), (0.02, "excellent"), (0.05, "good"), (0.10, "inaccuracy"), (0.20, "mistake"), (9, "blunder"))
DATA = Path(__file__).parent / "data"


def shares_of(pos: Position, iterations: int) -> list[float]:
    """The share of each seat: what a short search from the view of the seat to move says, or playouts."""
    seat = pos.to_move
    if pos.outcome:
        return list(pos.outcome.returns)
    if pos.game == "cuttle":
        value = pysearch.analyze(pos, Limit(iterations=iterations)).value or 0.5
        return [value, 1 - value] if seat == 0 else [1 - value, value]
    return list(pysearch.rollout(pos, 2000).returns)


def decide(pos: Position, ply: int, careless: float, rng: random.Random, iterations: int) -> dict[str, Any]:
    """A decision, the move that was made with it, and what it is worth."""
    seat = pos.to_move
    assert seat is not None
    found = pysearch.analyze(pos, Limit(iterations=iterations), seed=ply)
    worths = {move.move: move for move in found.moves if move.value is not None}
    ranked = sorted(worths.values(), key=lambda move: -(move.value or 0))
    best = ranked[0]
    played = rng.choice(ranked) if rng.random() < careless else best
    loss = (best.value or 0) - (played.value or 0)
    stderr = (played.stderr or 0) if played is not best else 0.0
    forced = len(ranked) == 1
    grade = next(name for band, name in BANDS if loss <= band)
    if grade in ("inaccuracy", "mistake", "blunder") and loss < 2.33 * stderr:
        grade = "unclear"
    candidates = [
        {"move": move.move, "value": move.value, "stderr": move.stderr, "loss": (best.value or 0) - (move.value or 0),
         "loss_stderr": move.stderr, "worlds": move.visits}
        for move in ranked if move in ranked[:8] or move is played
    ]  # fmt: skip
    return {
        "ply": ply, "player": seat, "kind": kind_of(pos.view(seat), played.move), "view": str(pos.view(seat)),
        "move": played.move, "forced": forced, "best": best.move, "value": played.value, "best_value": best.value,
        "loss": loss, "stderr": stderr, "grade": "forced" if forced else grade, "proven": found.exact,
        "candidates": candidates, "line": list(best.line[1:7]),
        "hindsight": {"loss": loss / 2, "best": best.move} if ply % 3 == 0 else None,
        **({"tricks": loss / 0.003, "stakes": loss / 0.4} if pos.game == "buck_euchre" else {}),
    }  # fmt: skip


def summarise(names: Sequence[str], made: list[dict[str, Any]], events: list[dict[str, Any]], returns: list[float],
              buck: bool) -> list[dict[str, Any]]:  # fmt: skip
    rows = []
    for seat, name in enumerate(names):
        own = [decision for decision in made if decision["player"] == seat and not decision["forced"]]
        grades: dict[str, int] = {}
        kinds: dict[str, dict[str, float]] = {}
        for decision in own:
            grades[decision["grade"]] = grades.get(decision["grade"], 0) + 1
            kind = kinds.setdefault(decision["kind"], {"decisions": 0, "loss": 0.0})
            kind["decisions"] += 1
            kind["loss"] += decision["loss"]
        loss = sum(decision["loss"] for decision in own)
        luck = sum(event["luck"] for event in events if event["player"] == seat)
        errors = 1000 * sum(grades.get(grade, 0) for grade in ("inaccuracy", "mistake", "blunder")) / max(len(own), 1)
        rows.append({
            "player": seat, "name": name, "decisions": len(own), "accuracy": 100 / (1 + 12 * loss / max(len(own), 1)),
            "errors_per_1000": errors, "interval": [max(0.0, errors - 80), errors + 80], "grades": grades,
            "kinds": kinds, "loss": loss, "luck": luck, "adjusted": returns[seat] - luck if returns else None,
            **({"set": seat % 2} if buck else {}),
        })  # fmt: skip
    return rows


def make(pos: Position, names: Sequence[str], careless: Sequence[float], iterations: int, seat: int | None = None,
         most: int = 200) -> dict[str, Any]:  # fmt: skip
    """The review of a game; of the record of one seat where `seat` is given; unfinished after `most` plies."""
    rng = random.Random(f"reviews {names}")
    start = pos
    plies: list[dict[str, Any]] = []
    made: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    turn = 0
    buck = pos.game == "buck_euchre"
    shares = shares_of(pos, iterations)
    for dealt, share in enumerate(shares):
        events.append({"ply": 0, "kind": "deal", "player": dealt, "luck": share - 1 / pos.seats, "stderr": 0.01})
    while (player := pos.to_move) is not None and len(plies) < most:
        ply = len(plies)
        keys = pos.to_dict()
        turn += (keys["stage"] == "play" and not keys["trick"]) if buck else keys["stage"] == "main"
        decision = decide(pos, ply, careless[player], rng, iterations)
        move = decision["move"]
        hides = seat is not None and keys["stage"] == "bury" and player != seat
        plies.append({
            "ply": ply, "turn": turn, "player": player, "move": "dX" if hides else move,
            "position": str(pos if seat is None else pos.view(seat)), "shares": shares if seat is None else None,
        })  # fmt: skip
        if seat in (None, player):
            made.append(decision)
            if seat is not None:
                value = decision["best_value"]
                plies[-1]["shares"] = [value if own == seat else (1 - value) / (pos.seats - 1)
                                       for own in range(pos.seats)]  # fmt: skip
        pos = pos.play(move)
        before, shares = shares, shares_of(pos, iterations)
        if move == "draw":
            events.append({"ply": ply, "kind": "draw", "player": player, "luck": shares[player] - before[player],
                           "stderr": 0.012})  # fmt: skip
    outcome = pos.outcome
    returns = list(outcome.returns) if outcome else []
    result = "*"
    if outcome:
        one = "1/2-1/2" if not outcome.winners else ("1-0", "0-1")[outcome.winners[0] % 2]
        result = "/".join(map(str, outcome.scores)) if outcome.scores else one
    errors = [decision for decision in made if decision["grade"] in ("inaccuracy", "mistake", "blunder")]
    return {
        "schema": 1, "game": pos.game, "players": list(names),
        "start": str(start if seat is None else start.view(seat)), "view": seat,
        "result": result, "returns": returns or None, **({"equity": "maxn-1"} if buck else {}),
        "seed": 0, "iterations": iterations, "plies": plies, "decisions": made, "events": events,
        "summary": summarise(names, made, events, returns, buck),
        "turning_points": [d["ply"] for d in sorted(errors, key=lambda d: -d["loss"])],
    }  # fmt: skip


def rounded(value: Any) -> Any:
    """The same with numbers of four places."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


def main() -> None:
    cuttle = pysearch.deal("cuttle", seed=19)
    buck = pysearch.deal("buck_euchre", seed=20, scores=(12, 9, 17, 5))
    four = ("Ann", "Bob", "Cy", "Dee")
    reviews = {
        "cuttle": make(cuttle, ("Ann", "Bob"), (0.2, 0.4), 400),
        "cuttle_own": make(cuttle, ("Ann", "Bob"), (0.2, 0.4), 400, seat=1, most=20),
        "buck_euchre": make(buck, four, (0.25, 0.5, 0.3, 0.25), 400),
        "buck_euchre_own": make(buck, four, (0.5, 0.5, 0.5, 0.5), 200, seat=2),
    }
    DATA.mkdir(exist_ok=True)
    for name, review in reviews.items():
        lines = json.dumps(rounded(review), indent=None, separators=(",", ":"))
        (DATA / f"review_{name}.json").write_text(lines + "\n", encoding="utf-8")
        print(name, len(review["plies"]), "plies", review["result"], len(lines), review["turning_points"])


if __name__ == "__main__":
    main()
