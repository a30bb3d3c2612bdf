"""Solving, through the package: against the referee's rules, lines that replay, arguments, batches, limits."""

import json
import pickle
import random
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from referee import State, buck, cuttle
from referee import parse as referee_parse
from referee.nasty import nasty_buck, nasty_cuttle

import pysearch
from pysearch import BuckSolution, CuttleSolution, Limit, Position
from pysearch.certificate import write_certificate


def position(text: str) -> Position:
    pos = pysearch.parse(text)
    assert isinstance(pos, Position)
    return pos


def cuttle_solution(pos: Position, nodes: int) -> CuttleSolution:
    found = pysearch.solve(pos, Limit(nodes=nodes))
    assert isinstance(found, CuttleSolution)
    return found


def buck_solution(pos: Position, objective: str = "maxn", seats: tuple[int, ...] | None = None) -> BuckSolution:
    found = pysearch.solve(pos, objective=objective, seats=seats)
    assert isinstance(found, BuckSolution)
    return found


# ---------------------------------------------------------------- Cuttle


def forced(state: State, depth: int) -> tuple[int, int]:
    """Plain minimax to a depth, by the referee: (1, plies) when the seat to move forces a win within `depth` plies,
    (-1, plies) when it is lost, (0, 0) otherwise; the quickest win, the longest loss."""

    @cache
    def value(here: State, left: int, seat: int) -> int:
        if here.over:
            outcome = here.outcome()
            assert outcome is not None
            return 0 if len(outcome["winners"]) != 1 else 100 if outcome["winners"] == [seat] else -100
        if not left:
            return 0
        values = [later(value(here.play(move), left - 1, seat)) for move in here.legal()]
        return max(values) if here.to_move == seat else min(values)

    assert state.to_move is not None
    found = value(state, depth, state.to_move)
    return (found > 0) - (found < 0), 100 - abs(found) if found else 0


def later(value: int) -> int:
    """One ply further away."""
    return value - (value > 0) + (value < 0)


def small_cuttle(rng: random.Random) -> State:
    """A rare position with few cards in hand, so that plain search can look a few plies ahead."""
    while True:
        state = nasty_cuttle(rng)
        assert isinstance(state, cuttle.State)
        if max(map(len, state.hands)) <= 3 and len(state.legal()) <= 14:
            return state


def test_wins_and_losses_are_those_of_plain_search(count: Callable[[int, int], int]) -> None:
    rng = random.Random("plain")
    decided = 0
    for _ in range(count(25, 250)):
        state = small_cuttle(rng)
        expected, plies = forced(state, 3)
        found = cuttle_solution(position(str(state)), 200_000)
        if expected:
            decided += 1
            assert found.result == ("win" if expected > 0 else "loss"), str(state)
            assert found.plies == plies
            assert found.shortest
        else:
            assert found.plies is None or found.plies > 3 or found.result == "draw", str(state)
    assert decided >= 2


def test_the_line_of_a_proven_win_replays_to_the_win(count: Callable[[int, int], int]) -> None:
    rng = random.Random("line")
    proven = 0
    for _ in range(count(40, 400)):
        pos = position(str(nasty_cuttle(rng)))
        found = cuttle_solution(pos, 200_000)
        assert sorted(m.move for m in found.moves) == sorted(pos.legal_moves())
        if found.result not in ("win", "loss"):
            continue
        proven += 1
        assert found.plies == len(found.line)
        seat = pos.to_move
        assert seat is not None
        for move in found.line:
            pos = pos.play(move)
        winner = seat if found.result == "win" else 1 - seat
        assert pos.outcome is not None
        assert pos.outcome.winners == (winner,)
        assert found.moves[0].result == found.result
    assert proven >= 10


def test_a_proven_result_does_not_depend_on_the_table_or_the_limit(count: Callable[[int, int], int]) -> None:
    rng = random.Random("table")
    for _ in range(count(30, 300)):
        pos = position(str(nasty_cuttle(rng)))
        results = [
            pysearch.solve(pos, Limit(nodes=nodes, memory_mb=memory))
            for nodes, memory in ((3_000, 1), (300_000, 1), (300_000, 256))
        ]
        known = {r.result for r in results if isinstance(r, CuttleSolution) and r.result != "unknown"}
        assert len(known) <= 1, str(pos)
        by_move: dict[str, set[str]] = {}
        for r in results:
            assert isinstance(r, CuttleSolution)
            for m in r.moves:
                by_move.setdefault(m.move, set()).add(m.result)
        assert all(len(found - {"unknown"}) <= 1 for found in by_move.values())


def test_cuttle_needs_a_limit() -> None:
    with pytest.raises(pysearch.ArgumentError, match="limit"):
        pysearch.solve(pysearch.deal("cuttle", seed=1))


# ---------------------------------------------------------------- Buck Euchre


def coalition_tricks(state: State, seats: tuple[int, ...]) -> int:
    """Plain minimax by the referee: tricks of these seats when the deal is over."""
    assert isinstance(state, buck.State)
    if state.over:
        return sum(state.tricks[seat] for seat in seats)
    values = [coalition_tricks(state.play(move), seats) for move in state.legal()]
    return max(values) if state.to_move in seats else min(values)


def test_coalitions_take_what_plain_search_says(count: Callable[[int, int], int]) -> None:
    rng = random.Random("coalition")
    done = 0
    while done < count(25, 250):
        state = nasty_buck(rng)
        assert isinstance(state, buck.State)
        if state.stage != "play" or max(len(state.hands[s]) for s in range(4) if s not in state.out) > 3:
            continue
        done += 1
        seats = tuple(sorted(rng.sample(range(4), rng.randint(1, 3))))
        before = sum(state.tricks[seat] for seat in seats)
        pos = position(str(state))
        found = buck_solution(pos, "coalition", seats)
        assert found.tricks == coalition_tricks(state, seats) - before, str(state)
        for m in found.moves:
            assert m.tricks == coalition_tricks(state.play(m.move), seats) - before
        for move in found.line:
            state = state.play(move)
        assert state.over
        assert coalition_tricks(state, seats) - before == found.tricks
        assert found.line[0] in [m.move for m in found.moves if m.tricks == found.tricks]


def test_paranoid_maxn_cooperative_stand_in_order(count: Callable[[int, int], int]) -> None:
    for seed in range(count(30, 500)):
        rng = random.Random(f"order {seed}")
        state = nasty_buck(rng)
        assert isinstance(state, buck.State)
        if state.stage != "play":
            continue
        pos = position(str(state))
        seat = pos.to_move
        assert seat is not None
        low, middle, high = (buck_solution(pos, o).values for o in ("paranoid", "maxn", "cooperative"))
        assert low
        assert middle
        assert high
        a, b, c = low[seat], middle[seat], high[seat]
        assert a is not None
        assert b is not None
        assert c is not None
        assert a <= b + 1 / 65536
        assert b <= c + 1 / 65536


def test_an_exact_tie_is_shared_evenly() -> None:
    """B14: both moves give seat 1 a third of the match, one with seats 2 and 3, one with seats 0 and 3."""
    found = buck_solution(
        position(
            "buck/1 hands=ADQH/TCTD/KH9S/QCJH up=KC kitty=QDTHAH dealer=0 scores=1/1/2/2 turn=1 stage=play trump=C "
            "played=9CJCAC9DJDKD9HTSJSQSKSAS voids=C/S/D/- tricks=0/1/1/1"
        )
    )
    assert found.values == pytest.approx((1 / 6, 1 / 3, 1 / 6, 1 / 3))
    assert found.interval is not None
    assert found.interval[0] == found.interval[2] == pytest.approx((0, 1 / 3))


def test_known_distances_do_not_contradict_one_another(count: Callable[[int, int], int]) -> None:
    """A shortest win is not longer, a longest loss not shorter, than what any other limit has proven for the move."""
    rng = random.Random("distances")
    for _ in range(count(30, 400)):
        pos = position(str(nasty_cuttle(rng)))
        runs = [cuttle_solution(pos, nodes) for nodes in (3_000, 30_000, 300_000)]
        for move in pos.legal_moves():
            found = [m for run in runs for m in run.moves if m.move == move and m.plies is not None]
            exact = {m.plies for m in found if m.shortest}
            assert len(exact) <= 1, str(pos)
            assert all(m.plies is not None and m.plies >= plies for plies in exact for m in found if plies is not None)


def test_the_line_of_maxn_ends_within_the_interval() -> None:
    for seed in range(12):
        pos = pysearch.deal("buck_euchre", seed=seed)
        found = buck_solution(pos)
        for move in found.line:
            pos = pos.play(move)
        assert pos.outcome is not None
        assert found.interval is not None
        for share, (low, high) in zip(pos.outcome.returns, found.interval, strict=True):
            assert low - 2e-5 <= share <= high + 2e-5


def test_many_are_solved_like_one(count: Callable[[int, int], int]) -> None:
    deals = [pysearch.deal("buck_euchre", seed=seed) for seed in range(1200)]
    plays = [pos for pos in deals if len(pos.legal_moves()) > 2]
    assert len(plays) > 256  # more than one call
    for threads in (1, 2):
        many = pysearch.solve_many(plays, objective="coalition", seats=(0, 3), threads=threads)
        assert len(many) == len(plays)
        assert many.scores() == [s.tricks for s in many if isinstance(s, BuckSolution)]
        for i in (0, 7, len(plays) - 1):
            one = buck_solution(plays[i], "coalition", (0, 3))
            batched = many[i]
            assert isinstance(batched, BuckSolution)
            assert (one.tricks, one.moves) == (batched.tricks, batched.moves)
    best = pysearch.solve_many(plays[:9], objective="coalition", seats=[0, 3], moves=False)
    assert best.scores() == many.scores()[:9]
    assert best[0].moves == ()


def test_a_limit_leaves_positions_unsolved_in_their_place() -> None:
    deals = [pysearch.deal("buck_euchre", seed=seed) for seed in range(6)]
    found = pysearch.solve_many(deals, Limit(nodes=1))
    assert len(found) == 6
    assert [found[i].position for i in range(6)] == [str(pos) for pos in deals]
    bids = [i for i in range(6) if deals[i].legal_moves() == ["pass", "order"]]
    assert bids
    for i in bids:  # a whole deal takes more than one node
        solution = found[i]
        assert isinstance(solution, BuckSolution)
        assert solution.values is None
        assert solution.moves == ()
        assert found.scores()[i] == -1


def test_dictionaries_are_plain() -> None:
    pos = pysearch.deal("buck_euchre", seed=5)
    values = json.loads(json.dumps(pysearch.solve(pos).to_dict()))
    buck_keys = "schema game position player objective seats tricks values interval nodes moves line equity"
    assert set(values) == set(buck_keys.split())
    values = json.loads(json.dumps(pysearch.solve(pysearch.deal("cuttle", seed=5), Limit(nodes=1000)).to_dict()))
    cuttle_keys = "schema game position player result plies shortest depth nodes moves line"
    assert set(values) == set(cuttle_keys.split())


BAD: list[tuple[str, Callable[[], object]]] = [
    ("position", lambda: pysearch.solve(pysearch.deal("cuttle", seed=1).view(0), Limit(nodes=9))),  # type: ignore[arg-type]
    ("position", lambda: pysearch.solve("cuttle/1")),  # type: ignore[arg-type]
    ("position", lambda: pysearch.solve_many([pysearch.deal("cuttle"), pysearch.deal("buck_euchre")], Limit(nodes=9))),
    ("objective", lambda: pysearch.solve(pysearch.deal("buck_euchre"), objective="best")),
    ("objective", lambda: pysearch.solve(pysearch.deal("cuttle"), Limit(nodes=9), objective="paranoid")),
    ("seats", lambda: pysearch.solve(pysearch.deal("buck_euchre"), objective="coalition")),
    ("seats", lambda: pysearch.solve(pysearch.deal("buck_euchre"), objective="coalition", seats=(0, 0))),
    ("seats", lambda: pysearch.solve(pysearch.deal("buck_euchre"), objective="coalition", seats=(4,))),
    ("seats", lambda: pysearch.solve(pysearch.deal("buck_euchre"), seats=(0,))),
    ("limit", lambda: pysearch.solve(pysearch.deal("buck_euchre"), 3)),  # type: ignore[arg-type]
    ("threads", lambda: pysearch.solve_many([pysearch.deal("buck_euchre")], threads=0)),
]


@pytest.mark.parametrize(("argument", "call"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_bad_arguments_are_named(argument: str, call: Callable[[], object]) -> None:
    with pytest.raises(pysearch.ArgumentError) as error:
        call()
    assert error.value.argument == argument
    assert "\n" not in str(error.value)


def test_a_bid_has_no_coalition_value() -> None:
    deals = [pysearch.deal("buck_euchre", seed=seed) for seed in range(40)]
    bid = next(pos for pos in deals if pos.legal_moves() == ["pass", "order"])
    with pytest.raises(pysearch.ArgumentError, match="stage=play"):
        pysearch.solve(bid, objective="coalition", seats=(0,))


# ---------------------------------------------------------------- certificates


def check_certificate(text: str) -> None:
    """A small checker, by the referee's rules alone: every play along the tree ends, and is won by the winner."""
    head, *entries = map(json.loads, text.splitlines())
    assert head["entries"] == len(entries)
    reached: list[cuttle.State] = []  # by entry
    places = iter(range(len(entries)))

    def shown(state: cuttle.State, within: int) -> None:
        place = next(places)
        entry = entries[place]
        reached.append(state)
        if state.over:
            outcome = state.outcome()
            assert outcome is not None
            assert outcome["winners"] == [head["winner"]]
            return
        assert entry["plies"] < within
        if "same" in entry:
            assert entry["same"] < place
            assert entry["plies"] >= entries[entry["same"]]["plies"]
            assert unknowing(reached[entry["same"]]) == unknowing(state)
            return
        legal = position(str(state)).legal_moves()
        assert sorted(legal) == sorted(state.legal())
        if state.to_move == head["winner"]:
            assert entries[place + 1]["move"] in legal
            shown(state.play(entries[place + 1]["move"]), entry["plies"])
            return
        for move in legal:
            assert entries[len(reached)]["move"] == move
            shown(state.play(move), entry["plies"])

    root = referee_parse(head["position"])
    assert isinstance(root, cuttle.State)
    shown(root, 10_000)
    assert len(reached) == len(entries)


def unknowing(state: cuttle.State) -> list[str]:
    """A position without what the players know of one another's hands."""
    return [word for word in str(state).split() if not word.startswith("known=")]


def test_certificates_prove_the_win(tmp_path: Path, count: Callable[[int, int], int]) -> None:
    rng = random.Random("certificate")
    wanted, found = count(12, 100), 0
    path = tmp_path / "proof.jsonl"
    while found < wanted:
        pos = position(str(nasty_cuttle(rng)))
        solution = cuttle_solution(pos, 100_000)
        if solution.result not in ("win", "loss") or not solution.plies or not 3 <= solution.plies <= 9:
            continue
        found += 1
        size = write_certificate(pos, str(path), Limit(nodes=1_000_000))
        text = path.read_text()
        assert len(text.splitlines()) == size + 1
        check_certificate(text)


def test_what_is_not_won_has_no_certificate(tmp_path: Path) -> None:
    out = str(tmp_path / "proof.jsonl")
    with pytest.raises(pysearch.ArgumentError, match="position"):
        write_certificate(pysearch.deal("buck_euchre"), out, Limit(nodes=10))
    with pytest.raises(pysearch.ArgumentError, match="neither"):
        write_certificate(pysearch.deal("cuttle", seed=1), out, Limit(nodes=10))


def test_ctrl_c_leaves_what_the_call_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    pos = pysearch.deal("cuttle")
    for found in ([], [cuttle_solution(pos, 1)]):

        def stopped(*arguments: object, found: list[CuttleSolution] = found, **options: object) -> None:
            raise pysearch.Interrupted(found)

        monkeypatch.setattr(sys.modules["pysearch.solve"], "solve_many", stopped)
        with pytest.raises(KeyboardInterrupt) as raised:
            pysearch.solve(pos, Limit(nodes=1))
        assert getattr(raised.value, "result", None) == (found[0] if found else None)


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_solutions_can_be_pickled(game: str) -> None:
    found = pysearch.solve_many([pysearch.deal(game, seed) for seed in (1, 2)], Limit(nodes=20))
    again = pickle.loads(pickle.dumps(found))
    assert list(again) == list(found)
    assert again.scores() == found.scores()


def test_fewer_threads_do_when_no_more_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = [pysearch.deal("cuttle", seed) for seed in range(6)]
    start, left = threading.Thread.start, 2

    def scarce(thread: threading.Thread) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise RuntimeError("can't start new thread")
        start(thread)

    expected = list(pysearch.solve_many(positions, Limit(nodes=20)))
    monkeypatch.setattr(threading.Thread, "start", scarce)
    assert list(pysearch.solve_many(positions, Limit(nodes=20), threads=6)) == expected
    with pytest.raises(RuntimeError, match="can't start"):  # not one
        pysearch.solve_many(positions, Limit(nodes=20), threads=6)
