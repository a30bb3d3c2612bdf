"""How much of Cuttle is solved within a time, by stage of the game. The limit is wall time, as users set it: run it on
a quiet machine.

Positions after so many uniformly random plies from a shuffled deal (the next ordinary turn after them), initial open
deals, and positions with an empty stock that random play reaches. Seeds are fixed; nothing is left out.

usage: python bench/solve_cuttle.py [--seconds S] [--deal-seconds S] [--each N]
"""

import argparse
import random
import statistics
import time

import pysearch
from pysearch import CuttleSolution, Limit, Position


def after_plies(seed: int, plies: int) -> Position:
    """A position of stage main after at least so many random plies; games that end sooner are dealt again."""
    rng = random.Random(f"cuttle {plies} {seed}")
    while True:
        pos = pysearch.deal("cuttle", seed=rng.randrange(2**63))
        made = 0
        while not pos.is_over and (made < plies or "stage=" in str(pos)):
            pos = pos.play(rng.choice(pos.legal_moves()))
            made += 1
        if not pos.is_over:
            return pos


def with_empty_stock(seed: int) -> Position:
    """The first position of an ordinary turn without a stock that uniformly random play comes to."""
    rng = random.Random(f"empty {seed}")
    while True:
        pos = pysearch.deal("cuttle", seed=rng.randrange(2**63))
        while not pos.is_over:
            if "stock=" not in str(pos) and "stage=" not in str(pos):
                return pos
            pos = pos.play(rng.choice(pos.legal_moves()))


def report(name: str, positions: list[Position], seconds: float) -> int:
    times, depths, nodes, spent = [], [], 0, 0.0
    results = {"win": 0, "draw": 0, "loss": 0, "unknown": 0}
    reached = []
    for pos in positions:
        start = time.perf_counter()
        found = pysearch.solve(pos, Limit(seconds=seconds))
        assert isinstance(found, CuttleSolution)
        results[found.result] += 1
        nodes += found.nodes
        spent += time.perf_counter() - start
        if found.result == "unknown":
            reached.append(found.depth)
        else:
            times.append(time.perf_counter() - start)
            depths.append(found.plies or 0)
    solved = len(positions) - results["unknown"]
    times.sort()
    depths.sort()
    p90 = len(times) * 9 // 10
    row = [
        name,
        str(len(positions)),
        f"{solved / len(positions):.0%}",
        "/".join(str(results[key]) for key in ("win", "draw", "loss")),
        f"{statistics.median(times):.3f} / {times[p90]:.3f}" if times else "-",
        f"{statistics.median(depths):.0f} / {depths[p90]}" if depths else "-",
        f"{statistics.mean(reached):.1f}" if reached else "-",
        f"{nodes / spent / 1e6:.1f}",
    ]
    print("| " + " | ".join(row) + " |", flush=True)
    return solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--deal-seconds", type=float, default=10.0)
    parser.add_argument("--each", type=int, default=25)
    options = parser.parse_args()
    head = "positions|n|solved|win/draw/loss|seconds, median / p90|plies, median / p90|depth of the rest|M nodes/s"
    print(f"| {head.replace('|', ' | ')} |\n|" + " --- |" * 8)
    solved = 0
    for plies in (10, 15, 20, 25):
        some = [after_plies(seed, plies) for seed in range(options.each)]
        solved += report(f"after {plies} plies", some, options.seconds)
    print(f"solved of the {4 * options.each}: {solved}")
    empty = [with_empty_stock(seed) for seed in range(4 * options.each)]
    report("empty stock", empty, options.seconds)
    report("initial deals", [pysearch.deal("cuttle", seed=seed) for seed in range(options.each)], options.deal_seconds)


if __name__ == "__main__":
    main()
