"""Search and random playouts beside OpenSpiel's euchre: its ISMCTSBot and its RandomRolloutEvaluator, both C++.

The play of Buck Euchre with all four in is the play of euchre: same cards, bowers, tricks; only the score differs. Each
node is the same deal, bury and plays in both, and legal cards and players are compared all the way before anything is
timed. The seat to move searches. A simulation is what an iteration of so-ismcts is: a world drawn afresh, at most one
new node, one random playout. The default search does other work, see csrc/ismcts.h. OpenSpiel's worlds are not uniform:
the dealer's buried card is the true one, and hands can contradict an earlier failure to follow.

Random play from Python begins at the same nodes, one move at a time in both; Batch plays whole deals, bids included.

Figures are per second of CPU time of one thread, all nodes of a kind together, medians over passes in which the engines
take turns, each in a process of its own: neither meets the heap, threads or vector registers of the other. OpenSpiel is
measured at several numbers of simulations a step, and the fastest one is the measure of all. Its playouts are taken out
of a bot of two simulations, each of PLAYOUTS playouts in one world, the second a card later.

usage: python bench/peers/openspiel.py [nodes of each kind [passes]]; table.py has the ratios beside those to DDS
"""

import argparse
import random
import signal
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib.metadata import version
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

import pysearch
from pysearch.backends import select
from pysearch.cli.version import version_text

ITERATIONS = 200_000
STEPS = 200, 1_000, 5_000  # simulations a step: OpenSpiel slows down as its tree grows
SIMULATIONS = 10_000  # of each node and pass
PLAYOUTS = 2_000
OUR_PLAYOUTS = 1_000_000
GAMES = 3_000  # one move at a time from Python
BATCH, BATCH_STEPS = 4_096, 100
SUITS = "CDHS"
CARDS = [rank + suit for rank in "9TJQKA" for suit in SUITS]  # by OpenSpiel's number
ORDER, WITH_PARTNER = 25, 30  # OpenSpiel's actions: clubs as trumps, the other suits behind it; all four play
DEALER = 3  # his left orders, and leads


class Node(NamedTuple):
    ours: pysearch.Position
    theirs: Any = None  # Cuttle has no peer


def buck_node(rng: random.Random, plays: int) -> Node:
    """The same deal in both, everybody in, after so many random plays: a node with a choice."""
    while True:
        pos = pysearch.deal("buck_euchre", seed=rng.randrange(1 << 32), dealer=DEALER)
        fields = pos.to_dict()
        if fields["up"][1] == "C":
            continue  # trumps at once
        state = pyspiel.load_game("euchre").new_initial_state()
        hands = [fields["hands"][(DEALER + i) % 4] for i in range(4)]
        dealt = [hands[i % 4][i // 4] for i in range(20)]
        for action in (DEALER, *(CARDS.index(card) for card in dealt), CARDS.index(fields["up"])):
            state.apply_action(action)
        state.apply_action(ORDER + SUITS.index(fields["up"][1]))
        buried = rng.choice(state.legal_actions())
        for action in (buried, WITH_PARTNER):
            state.apply_action(action)
        for move in ("order", f"d{CARDS[buried]}", "stay", "stay", "stay"):
            pos = pos.play(move)
        for _ in range(plays):
            compare(pos, state)
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            pos = pos.play(CARDS[action])
        compare(pos, state)
        if plays == 20 or len(pos.legal_moves()) > 1:
            return Node(pos, state)


def compare(pos: pysearch.Position, state: Any) -> None:
    assert pos.is_over == state.is_terminal(), pos
    if not pos.is_over:
        assert pos.to_move == state.current_player(), pos
        assert sorted(pos.legal_moves()) == sorted(CARDS[action] for action in state.legal_actions()), pos


def cuttle_node(rng: random.Random, plays: int) -> Node:
    while True:
        pos = pysearch.deal("cuttle", seed=rng.randrange(1 << 32))
        for _ in range(plays):
            if not pos.is_over:
                pos = pos.play(rng.choice(pos.legal_moves()))
        if len(pos.legal_moves()) > 1:
            return Node(pos)


def search(method: str, node: Node) -> int:
    pos = node.ours
    assert pos.to_move is not None
    limit = pysearch.Limit(iterations=ITERATIONS)
    analysis = pysearch.analyze(pos.view(pos.to_move), limit, method=method)
    assert analysis.iterations == ITERATIONS, pos
    return ITERATIONS


def playouts(node: Node) -> int:
    return pysearch.rollout(node.ours, OUR_PLAYOUTS).games


def generic_playouts(node: Node) -> int:
    """On the baseline of the processor, as OpenSpiel's wheel is built for it."""
    core = select()
    best = core.isa()
    assert core.use_isa("generic")
    try:
        return playouts(node)
    finally:
        core.use_isa(best)


def plays(node: Node) -> int:
    draw, made = random.Random(1).random, 0
    for _ in range(GAMES):
        pos = node.ours
        while moves := pos.legal_moves():
            pos = pos.play(moves[int(draw() * len(moves))])
            made += 1
    return made


def batch_plays(_: Node) -> int:
    """Drawn evenly among the legal actions; the random numbers are counted in."""
    rng = np.random.default_rng(1)
    batch = pysearch.Batch("buck_euchre", BATCH, seed=1)
    for _ in range(BATCH_STEPS):
        actions, starts = batch.legal_actions()
        first, last = starts[:-1], starts[1:]
        batch.step(actions[first + (rng.random(BATCH) * (last - first)).astype(np.uint64)])
    return BATCH * BATCH_STEPS


@cache
def bot(simulations: int, playouts: int) -> Any:
    """A fresh world for each simulation. A node of its tree knows the hand, so the legal actions in it are always the
    same: not to check that is faster."""
    evaluator = pyspiel.RandomRolloutEvaluator(playouts, 1)
    policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(1, evaluator, 2.0, simulations, -1, policy, False, False)


def bot_search(simulations: int, node: Node) -> int:
    for _ in range(SIMULATIONS // simulations):
        bot(simulations, 1).step(node.theirs)
    return SIMULATIONS


def bot_playouts(node: Node) -> int:
    bot(2, PLAYOUTS).step(node.theirs)
    return 2 * PLAYOUTS


def bot_plays(node: Node) -> int:
    draw, made = random.Random(1).random, 0
    for _ in range(GAMES):
        state = node.theirs.clone()
        while actions := state.legal_actions():
            state.apply_action(actions[int(draw() * len(actions))])
            made += 1
    return made


# What is done on a node, returning how much it was. Ours of a group are compared with the fastest of theirs.
OUR_SEARCHES = {method: partial(search, method) for method in ("so-ismcts", "ismcts")}
OUR_PLAYOUT = {"rollout": playouts}
if select().NAME == "native":  # which can change its instruction set at any time
    OUR_PLAYOUT["rollout, generic"] = generic_playouts
OUR_PLAYS = {"legal_moves and play": plays, "Batch": batch_plays}
THEIR_SEARCHES = {f"OpenSpiel ISMCTSBot, {n:,} a step": partial(bot_search, n) for n in STEPS}
THEIR_PLAYOUT = {"OpenSpiel RandomRolloutEvaluator": bot_playouts}
THEIR_PLAYS = {"OpenSpiel legal_actions and apply_action": bot_plays}
SEARCH, PLAYOUT, PLAY = "search", "random playouts", "random moves from Python"
GROUPS = {
    SEARCH: (OUR_SEARCHES, THEIR_SEARCHES),
    PLAYOUT: (OUR_PLAYOUT, THEIR_PLAYOUT),
    PLAY: (OUR_PLAYS, THEIR_PLAYS),
}
WORK: dict[str, Callable[[Node], int]] = {
    name: work for group in GROUPS.values() for side in group for name, work in side.items()
}
LEAD, LATER, CUTTLE = "Buck Euchre, opening lead", "Buck Euchre, second trick, third to play", "Cuttle, after 12 plies"
KINDS = {LEAD: partial(buck_node, plays=0), LATER: partial(buck_node, plays=6), CUTTLE: partial(cuttle_node, plays=12)}
MEASURED = [(kind, group) for kind in KINDS for group in GROUPS if group != PLAY or kind == LEAD]


@cache
def nodes(kind: str, n: int) -> list[Node]:
    rng = random.Random(1)
    return [KINDS[kind](rng) for _ in range(n)]


def rate(engine: str, kind: str, n: int) -> float:
    found = nodes(kind, n)
    start = time.process_time()
    done = sum(WORK[engine](node) for node in found)
    return done / (time.process_time() - start)


class Row(NamedTuple):
    """Work per second of each engine, in each pass."""

    kind: str
    group: str
    ours: dict[str, list[float]]
    theirs: dict[str, list[float]]

    def fastest(self) -> str | None:
        return max(self.theirs, key=lambda engine: statistics.median(self.theirs[engine]), default=None)


def measure(n: int, passes: int) -> list[Row]:
    rows = []
    for kind, group in MEASURED:
        ours, theirs = GROUPS[group]
        peers = {engine: [] for engine in theirs} if nodes(kind, 1)[0].theirs else {}
        rows.append(Row(kind, group, {engine: [] for engine in ours}, peers))
    quietly = signal.signal, (signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends them without a word
    own, peer = (ProcessPoolExecutor(1, get_context("spawn"), *quietly) for _ in range(2))
    with own, peer:
        for number in range(passes + 1):
            for row in rows:
                for process, engines in ((own, row.ours), (peer, row.theirs)):
                    for engine, rates in engines.items():
                        found = process.submit(rate, engine, row.kind, n).result()
                        if number:  # after a pass that warms up
                            rates.append(found)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Search and random playouts beside OpenSpiel's euchre.")
    parser.add_argument("nodes", type=int, nargs="?", default=3)
    parser.add_argument("passes", type=int, nargs="?", default=5)
    options = parser.parse_args()
    rows = measure(options.nodes, options.passes)
    print(f"{version_text()}\nOpenSpiel {version('open_spiel')}")
    print(f"{options.nodes} nodes of each kind, medians of {options.passes} passes\n")
    print("| node | work | engine | per second | times OpenSpiel |\n| --- | --- | --- | --- | --- |")
    for row in rows:
        peer = row.fastest()
        best = statistics.median(row.theirs[peer]) if peer else None
        for engine, rates in {**row.ours, **row.theirs}.items():
            median = statistics.median(rates)
            ratio = f"{median / best:.1f}" if best else "–"
            print(f"| {row.kind} | {row.group} | {engine} | {median:,.0f} | {ratio} |")


if __name__ == "__main__":
    main()
