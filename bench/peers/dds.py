"""The coalition solver beside DDS (Bo Haglund, the library inside endplay): seats 0 and 2 against 1 and 3, full deals.

A deal of Buck Euchre is a deal of bridge with five cards each: each effective suit, bowers among the trumps, becomes
a suit of bridge, its cards ranked 2, 3, ... by power. Every score is compared before anything is timed. Figures are
CPU time of one thread per deal, medians over rounds; DDS is called on deals prepared beforehand, in its default
configuration and in its fastest, SetResources(40, 1); endplay's solve_board is what its Python users call; ours is
solve_many.

usage: python bench/peers/dds.py [deals [rounds]]
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from ctypes import byref
from typing import Any

import endplay._dds as dds
from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player

import pysearch

NO_TRUMP = 4
RANKS = "23456789TJQKA"
CARDS = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]

BuckDeal = tuple[list[list[int]], int, int]  # hands of card numbers, trump 0 to 3 or 4 for none, seat that leads


def random_deal(rng: random.Random) -> BuckDeal:
    cards = rng.sample(range(24), 20)
    return [sorted(cards[5 * i : 5 * i + 5]) for i in range(4)], rng.randrange(5), rng.randrange(4)


def position(deal: BuckDeal) -> pysearch.Position:
    """The beginning of the play: a club was turned, everybody passed, or the leader's right named trumps."""
    hands, trump, leader = deal
    rest = sorted(set(range(24)) - {card for hand in hands for card in hand})
    dealer = (leader - 1) % 4
    # Trumps named in the second round cannot be the suit of the up-card, clubs turned up are trumps at once.
    fits = [card for card in rest if (card // 6 != trump and card // 6 != 0) or (card // 6 == 0 and trump == 0)]
    up = fits[-1] if fits else rest[-1]
    maker = "" if trump == NO_TRUMP or up // 6 == 0 else f" maker={dealer}"
    kitty = "".join(CARDS[card] for card in rest if card != up)
    text = "/".join("".join(CARDS[card] for card in hand) for hand in hands)
    pos = pysearch.parse(
        f"buck/1 hands={text} up={CARDS[up]} kitty={kitty} dealer={dealer} turn={leader} stage=play"
        f" trump={'CDHSN'[trump]}{maker}"
    )
    assert isinstance(pos, pysearch.Position)
    return pos


def random_deals(n: int, seed: int) -> list[BuckDeal]:
    """Deals that can come up: the four cards left over must hold an up-card that fits the trumps."""
    rng = random.Random(seed)
    deals: list[BuckDeal] = []
    while len(deals) < n:
        deal = random_deal(rng)
        try:
            position(deal)
        except pysearch.NotationError:
            continue
        deals.append(deal)
    return deals


def bridge_cards(trump: int) -> dict[int, tuple[int, int]]:
    """Bridge (suit, rank 2 to 14) of each card: suits keep their numbers (B2)."""
    suits = [[6 * suit + rank for rank in range(6)] for suit in range(4)]
    if trump != NO_TRUMP:
        right, left = 6 * trump + 2, 6 * (3 - trump) + 2
        suits[3 - trump].remove(left)
        suits[trump].remove(right)
        suits[trump] += [left, right]
    return {card: (suit, 2 + i) for suit, cards in enumerate(suits) for i, card in enumerate(cards)}


def dds_deal(deal: BuckDeal) -> Any:
    hands, trump, leader = deal
    to_bridge = bridge_cards(trump)
    d = dds.deal()
    d.trump, d.first = trump, leader
    for seat, hand in enumerate(hands):
        for card in hand:
            suit, rank = to_bridge[card]
            d.remainCards[seat][suit] |= 1 << rank
    return d


def dds_solve(d: Any, solutions: int, future: Any) -> None:
    """Tricks of the leader's side into `future`: solutions 1 is the best score, 3 is every card."""
    status = dds._dll.SolveBoard(d, -1 if solutions == 1 else 0, solutions, 1, byref(future), 0)
    assert status == 1, status


def dds_scores(future: Any, trump: int) -> dict[int, int]:
    """Tricks by card, of a future that holds every card."""
    from_bridge = {place: card for card, place in bridge_cards(trump).items()}
    scores = {}
    for i in range(future.cards):
        ranks = future.equals[i] | 1 << future.rank[i]
        for rank in range(2, 15):
            if ranks >> rank & 1:
                scores[from_bridge[future.suit[i], rank]] = future.score[i]
    return scores


def endplay_deal(deal: BuckDeal) -> Any:
    """DDS numbers the suits S H D C, and so does a deal in PBN."""
    hands, trump, leader = deal
    to_bridge = bridge_cards(trump)
    text = []
    for hand in hands:
        suits = [""] * 4
        for suit, rank in sorted((to_bridge[card] for card in hand), reverse=True):
            suits[suit] += RANKS[rank - 2]
        text.append(".".join(suits))
    return Deal("N:" + " ".join(text), first=Player(leader), trump=Denom(trump))


def ours(positions: Sequence[pysearch.Position], seats: tuple[int, ...], moves: bool) -> pysearch.Solutions:
    return pysearch.solve_many(positions, objective="coalition", seats=seats, moves=moves)


def compare(deals: Sequence[BuckDeal]) -> int:
    """Best score and every card of seats 0 and 2, ours against DDS; returns how many cards were compared."""
    positions = [position(deal) for deal in deals]
    best, every = ours(positions, (0, 2), False).scores(), ours(positions, (0, 2), True)
    future, cards = dds.futureTricks(), 0
    for deal, score, solution in zip(deals, best, every, strict=True):
        _, trump, leader = deal
        assert isinstance(solution, pysearch.BuckSolution)
        found = {CARDS.index(m.move): m.tricks for m in solution.moves}
        dds_solve(dds_deal(deal), 3, future)
        expected = dds_scores(future, trump)
        if leader % 2:
            expected = {card: 5 - tricks for card, tricks in expected.items()}
        assert found == expected, (deal, found, expected)
        dds_solve(dds_deal(deal), 1, future)
        theirs = 5 - future.score[0] if leader % 2 else future.score[0]
        assert score == solution.tricks == theirs, deal
        cards += len(found)
    return cards


def microseconds(call: Callable[[], object], n: int, rounds: int, times: int = 1) -> list[float]:
    """A deal, round by round; in a round the work is done so many times."""
    found = []
    for number in range(rounds + 1):
        start = time.process_time()
        for _ in range(times):
            call()
        if number:  # after a round that warms up
            found.append((time.process_time() - start) / (n * times) * 1e6)
    return found


Figures = dict[str, tuple[list[float], list[float]]]  # of each engine: best score, every card


def measure(deals: Sequence[BuckDeal], rounds: int) -> Figures:
    """Microseconds per deal, round by round."""
    n, future = len(deals), dds.futureTricks()
    structs, boards = [dds_deal(d) for d in deals], [endplay_deal(d) for d in deals]
    positions = [position(d) for d in deals]

    def direct(solutions: int) -> list[float]:
        return microseconds(lambda: [dds_solve(d, solutions, future) for d in structs], n, rounds)

    def through_endplay(mode: Any) -> list[float]:
        return microseconds(lambda: [solve_board(b, mode) for b in boards], n, rounds)

    def own(seats: tuple[int, ...], moves: bool) -> list[float]:
        return microseconds(lambda: ours(positions, seats, moves).scores(), n, rounds, times=4)

    figures: Figures = {
        "endplay solve_board": (through_endplay(SolveMode.OptimalOne), through_endplay(SolveMode.Default)),
        "DDS, endplay's default": (direct(1), direct(3)),
    }
    dds._dll.SetResources(40, 1)
    figures["DDS, SetResources(40, 1)"] = direct(1), direct(3)
    figures["solve_many, 2 v 2"] = own((0, 2), False), own((0, 2), True)
    figures["solve_many, 1 v 3"] = own((0,), False), own((0,), True)
    return figures


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    deals = random_deals(n, 1)
    print(f"equal to DDS on {n:,} deals, {compare(deals):,} cards")
    figures = {
        name: (statistics.median(best), statistics.median(every))
        for name, (best, every) in measure(deals[:1000], rounds).items()
    }
    own_best, own_every = figures["solve_many, 2 v 2"]
    print("| engine | best, µs | ratio | every card, µs | ratio |\n| --- | --- | --- | --- | --- |")
    for name, (best, every) in figures.items():
        print(f"| {name} | {best:.2f} | {best / own_best:.1f} | {every:.2f} | {every / own_every:.1f} |")


if __name__ == "__main__":
    main()
