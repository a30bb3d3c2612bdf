"""Microseconds of each objective of Buck Euchre, by cards in hand: CPU time of one thread, medians over rounds.

Positions: deals in which a club was turned up (four active seats), played on by the first listed card to the number
of cards.

usage: python bench/solve_buck.py [positions [rounds]]
"""

import statistics
import sys
import time

import pysearch

OBJECTIVES: list[tuple[str, str, tuple[int, ...] | None]] = [
    ("coalition 2 v 2", "coalition", (0, 2)),
    ("coalition 1 v 3", "coalition", (0,)),
    ("paranoid", "paranoid", None),
    ("cooperative", "cooperative", None),
    ("max^n", "maxn", None),
]


def positions(n: int, cards: int) -> list[pysearch.Position]:
    found: list[pysearch.Position] = []
    seed = 0
    while len(found) < n:
        pos = pysearch.deal("buck_euchre", seed=seed)
        seed += 1
        if "stage=play" not in str(pos):
            continue
        for _ in range(4 * (5 - cards)):
            pos = pos.play(pos.legal_moves()[0])
        found.append(pos)
    return found


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    print(f"{n} positions, {rounds} rounds, µs per position: value only / every move")
    print("| objective | 5 cards | 4 cards | 3 cards | 2 cards |\n| --- | --- | --- | --- | --- |")
    by_cards = {cards: positions(n, cards) for cards in (5, 4, 3, 2)}
    for name, objective, seats in OBJECTIVES:
        cells = []
        for some in by_cards.values():
            figures = []
            for moves in (False, True):
                times = []
                for _ in range(rounds):
                    start = time.process_time()
                    pysearch.solve_many(some, objective=objective, seats=seats, moves=moves)
                    times.append((time.process_time() - start) / n * 1e6)
                figures.append(f"{statistics.median(times):.2f}")
            cells.append(" / ".join(figures))
        print(f"| {name} | {' | '.join(cells)} |")
    bids = [pysearch.deal("buck_euchre", seed=seed) for seed in range(40)]
    bids = [pos for pos in bids if pos.legal_moves() == ["pass", "order"]][:20]
    times = []
    for pos in bids:
        start = time.process_time()
        pysearch.solve(pos)
        times.append(time.process_time() - start)
    print(f"whole deals from the first bid, max^n: median {statistics.median(times) * 1e3:.1f} ms, worst "
          f"{max(times) * 1e3:.1f} ms of {len(bids)}")  # fmt: skip


if __name__ == "__main__":
    main()
