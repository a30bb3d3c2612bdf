"""Reviews: errors of known size are found and called by their name, luck is fair, nothing is computed twice."""

import json
import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from stages import GAMES, own_view, stage

import pysearch
from pysearch import ArgumentError, Limit, Position, Record, View, grade, luck, stats
from pysearch.annotation import read_review
from pysearch.backends import Control, Graded, select
from pysearch.cards import CUTTLE_DECK
from pysearch.grade import EDGES, ERRORS, GRADES, Verdict, band, grade_of, judge
from pysearch.players import read_player
from pysearch.review import accuracy
from pysearch.workers import sub_seed

EXAMPLES = {game: Path(__file__).parent.parent / "examples" / f"{game}_games.txt" for game in GAMES}
BAD = ("mistake", "blunder")
VALUES = {"win": 1.0, "draw": 0.5, "loss": 0.0}
FEW = Limit(iterations=600)


def cuttle_endings() -> Iterator[Position]:
    """Endings of Cuttle with an empty stock, in which nothing is hidden: some cards each, the others in the scrap."""
    rng = random.Random("endings")
    deck = list(CUTTLE_DECK.names)
    while True:
        rng.shuffle(deck)
        hands = ["".join(deck[at : at + rng.randint(2, 5)]) for at in (0, 5)]
        points = ["".join(card for card in deck[at : at + 3] if card[0] in "A23456789T") or "-" for at in (10, 13)]
        gone = [card for card in deck if card not in "".join([*hands, *points])]
        text = f"hands={'/'.join(hands)} points={'/'.join(points)} scrap={''.join(gone)} turn=0"
        try:
            pos = pysearch.parse(f"cuttle/1 {text}")
        except pysearch.NotationError:  # one has won already
            continue
        assert isinstance(pos, Position)
        yield pos


def last_tricks() -> Iterator[Position]:
    """Deals of Buck Euchre before the fourth trick, or in it, played at random."""
    rng = random.Random("last tricks")
    for number in count_up():
        pos = pysearch.deal("buck_euchre", number)
        while pos.to_move is not None:
            if sum(pos.to_dict()["tricks"]) == 3 and len(pos.legal_moves()) > 1:
                yield pos
                break
            pos = pos.play(rng.choice(pos.legal_moves()))


def played_out(game: str, name: str, seed: int, dealer: int) -> Record:
    """A game of players of one kind against each other."""
    player = read_player(name, None)
    record = Record(pysearch.deal(game, seed, dealer))
    while record.end.to_move is not None and len(record.moves) < 400:
        assert isinstance(record.end, Position)
        record = record.play(player.choose(record.end, sub_seed(seed, len(record.moves))).move)
    return record


# ---------------------------------------------------------------- errors of known size


def test_errors_planted_in_solved_endings_of_cuttle_are_found(count: Callable[[int, int], int]) -> None:
    fair = wrong = planted = found = same = 0
    for pos in islice(cuttle_endings(), count(40, 600)):
        solution = pysearch.solve(pos, Limit(nodes=300_000))
        assert isinstance(solution, pysearch.CuttleSolution)
        truth = {row.move: VALUES[row.result] for row in solution.moves if row.result in VALUES}
        if not truth or (len(truth) < len(solution.moves) and max(truth.values()) < 1) or len(solution.moves) == 1:
            continue
        for move in {min(truth, key=truth.__getitem__), max(truth, key=truth.__getitem__)}:
            loss = max(truth.values()) - truth[move]
            labels = []
            for seed in (1, 2):
                verdict = judge(own_view(pos), move, 2_000, seed, select().control())
                assert verdict is not None
                assert (verdict.loss, verdict.proven) == (loss, True)
                labels.append(grade_of(verdict.loss, verdict.stderr))
            fair += loss == 0
            wrong += loss == 0 and labels[0] in BAD
            planted += loss > 0
            found += loss > 0 and labels[0] in BAD
            same += labels[0] == labels[1]
    assert planted > 10
    assert fair > 20
    assert wrong <= 0.01 * fair
    assert found >= 0.95 * planted
    assert same >= 0.98 * (fair + planted)


def test_the_last_tricks_of_buck_euchre_are_worth_what_their_worlds_are(count: Callable[[int, int], int]) -> None:
    for pos in islice(last_tricks(), count(8, 60)):
        view = own_view(pos)
        worlds = [view.sample(seed) for seed in range(count(100, 400))]
        rows = [
            {row.move: row.values[view.seat] or 0.0 for row in solution.moves if row.values}
            for solution in pysearch.solve_many(worlds)
            if isinstance(solution, pysearch.BuckSolution)
        ]
        for move in view.legal_moves():
            mean, error = stats.mean_and_error([row[move] for row in rows])
            verdict = judge(view, move, 1, 1, select().control())
            assert verdict is not None
            assert abs(verdict.value - mean) <= 4.5 * (error or 0) + 2e-5
            assert verdict.stderr == 0


def test_a_win_at_hand_that_was_missed_is_a_sure_loss_of_value() -> None:
    pos = pysearch.parse("cuttle/1 hands=2STSJH/X5 points=THAS/7C scrap=4C4D stock=X39 turn=0 view=0")
    assert isinstance(pos, pysearch.View)
    verdict = judge(pos, "draw", 4_000, 1, select().control())
    assert verdict is not None
    assert (verdict.best, verdict.best_value) == ("TS", 1.0)
    assert verdict.loss > 0.02
    won = judge(pos, "TS", 4_000, 1, select().control())
    assert won is not None
    assert (won.loss, won.proven, grade_of(won.loss, won.stderr)) == (0, True, "best")


class Urn:
    """A backend whose worlds are drawn by lot: each move wins so often, independent of the others."""

    ONE = select().ONE

    def __init__(self, chances: dict[int, float]) -> None:
        self.chances = chances

    def grade(self, game: int, view: bytes, seats: int, seed: int, first: int, n: int, moves: Sequence[int],
              weighed: bool, control: Control) -> Graded:  # fmt: skip
        rng = random.Random(f"{seed} {first} {n}")
        wins = [round(rng.gauss(n * p, math.sqrt(n * p * (1 - p)))) for p in map(self.chances.__getitem__, moves)]
        pairs = [a if i == j else a * b // n for i, a in enumerate(wins) for j, b in enumerate(wins)]
        rows: list[tuple[int, ...]] = [(w * self.ONE, (n - w) * self.ONE) for w in wins]
        squares = [tuple(share * self.ONE for share in row) for row in rows]
        return Graded(n, rows, squares, [pair * self.ONE**2 for pair in pairs])


def test_sampled_errors_of_known_size_are_called_by_their_name(
    monkeypatch: pytest.MonkeyPatch, count: Callable[[int, int], int]
) -> None:
    # Seven moves of which two are equal and best; the move played loses nothing, or more than twice a band.
    view = pysearch.deal("cuttle", 3).view(0)
    legal = view.legal_moves()
    rng = random.Random(1)
    monkeypatch.setattr(grade, "known_values", lambda _view: ({}, True))
    right: dict[float, list[bool]] = {}
    alike = []
    for number in range(count(60, 600)):
        loss = rng.choice([0.0, *(2.2 * edge for edge in EDGES[1:])])
        own, best, *others = rng.sample(legal, 7)
        chances = {name: rng.uniform(0.1, 0.5) for name in legal} | dict.fromkeys(others, 0.3)
        chances |= {own: 0.6 - loss, best: 0.6}
        urn = Urn({code: chances[name] for name in legal if (code := read(name)) is not None})
        monkeypatch.setattr(grade, "select", lambda urn=urn: urn)
        labels = []
        for seed in (2 * number, 2 * number + 1):
            verdict = judge(view, own, 100_000, seed, select().control())
            assert verdict is not None
            labels.append(grade_of(verdict.loss, verdict.stderr))
        bad = GRADES.index(labels[0]) >= GRADES.index(band(loss / 1.1)) and labels[0] != "unclear"
        right.setdefault(loss, []).append(labels[0] not in ERRORS if loss == 0 else bad)
        alike.append(labels[0] == labels[1])
    assert len(right) == 5
    for loss, found in right.items():
        assert sum(found) >= (0.99 if loss == 0 else 0.95) * len(found), loss
    assert sum(alike) >= 0.98 * len(alike)


def read(move: str) -> int | None:
    return pysearch.games.GAMES["cuttle"].read_move(move)


def test_the_search_makes_no_mistakes(count: Callable[[int, int], int]) -> None:
    # What a deep search finds best is not called a mistake by playouts.
    unforced = bad = 0
    for number in range(count(1, 12)):
        record = played_out("cuttle", "ismcts:iterations=5000", number, number % 2)
        decisions = [d for d in pysearch.review(record, Limit(iterations=20_000)).decisions if not d.forced]
        unforced += len(decisions)
        bad += sum(d.grade in BAD for d in decisions)
    assert unforced > 5
    assert bad <= 0.01 * unforced + 1


def test_a_grade_is_given_where_it_is_sure() -> None:
    assert [band(loss) for loss in (0, 0.005, 0.006, 0.05, 0.051, 0.1, 0.2, 0.21)] == [
        "best", "best", "excellent", "good", "inaccuracy", "inaccuracy", "mistake", "blunder",
    ]  # fmt: skip
    assert grade_of(0.15, 0.03) == "mistake"
    assert grade_of(0.15, 0.08) == "unclear"
    assert grade_of(0.006, 0.005) == "best"
    assert grade_of(0.006, 0.007) == "unclear"


# ---------------------------------------------------------------- luck


@pytest.mark.parametrize("game", GAMES)
def test_luck_is_fair_and_explains_results(game: str, count: Callable[[int, int], int], full: bool) -> None:
    results: list[float] = []
    lucks: list[float] = []
    firsts = []
    for number in range(count(6, 200)):
        record = played_out(game, "rules", sub_seed("luck", number), number % pysearch.deal(game).seats)
        if record.end.outcome is None:
            continue
        review = pysearch.review(record, Limit(iterations=300))
        row, seats = review.summary[0], 1 if game == "cuttle" else 4  # the second seat of Cuttle says the same
        assert review.returns is not None
        assert row.adjusted is not None
        assert sum(other.luck for other in review.summary) == pytest.approx(0, abs=1e-3)
        results += review.returns[:seats]
        lucks += [other.luck for other in review.summary[:seats]]
        firsts.append(row.luck)
    mean, error = stats.mean_and_error(firsts)
    assert error is not None
    assert abs(mean) <= (2 if full else 3) * error
    adjusted = [result - luck for result, luck in zip(results, lucks, strict=True)]
    if full:
        assert variance(adjusted) <= 0.5 * variance(results)


def variance(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


# ---------------------------------------------------------------- reviews


@pytest.mark.parametrize("game", GAMES)
def test_what_was_written_into_a_record_is_read_again(game: str) -> None:
    for record in pysearch.read_records(EXAMPLES[game]):
        first = pysearch.review(record, FEW, threads=2)
        assert json.loads(json.dumps(first.to_dict())) == first.to_dict()
        written = pysearch.annotate(record, first, FEW)
        (again,) = pysearch.read_records(str(written))
        done: list[int] = []
        assert pysearch.review(again, FEW, progress=done.append) == first
        assert not any(done)  # no playouts
        assert pysearch.annotate(again, first, FEW) == written
        deeper = pysearch.review(again, Limit(iterations=2_000))
        for old, new in zip(first.decisions, deeper.decisions, strict=True):
            assert new == old if old.settled else new.worlds > old.worlds


@pytest.mark.parametrize("game", GAMES)
def test_a_player_is_judged_by_what_he_knew(game: str) -> None:
    # His own record, without what he did not see, gives the same grades.
    record = pysearch.read_records(EXAMPLES[game])[1]
    whole = pysearch.review(record, FEW)
    for seat in range(record.start.seats):
        own = pysearch.review(record.view(seat), FEW)
        assert own.view == seat
        seen = [(d.ply, d.view, d.candidates, d.grade) for d in whole.decisions if d.player == seat]
        assert [(d.ply, d.view, d.candidates, d.grade) for d in own.decisions] == seen
        assert all(d.hindsight is None for d in own.decisions)


def test_reviews_of_many_records_by_any_executor() -> None:
    items = [str(record) for game in GAMES for record in pysearch.read_records(EXAMPLES[game])[::2]]
    items[1:1] = ["no record", str(EXAMPLES["cuttle"])]  # texts, and no names of files
    limit = Limit(iterations=200)
    alone = list(pysearch.review_many(items, limit))
    assert [isinstance(row, pysearch.Error) for row in alone] == [False, True, True, False, False, False]
    with ThreadPoolExecutor(2) as executor:
        shared = list(pysearch.review_many(items, limit, executor))
    assert [str(row) for row in shared] == [str(row) for row in alone]
    assert [str(row) for row in pysearch.review_many(items, limit, start=3)] == [str(row) for row in alone[3:]]


def test_unfinished_records_have_no_result() -> None:
    record = Record(pysearch.deal("cuttle", 5))
    empty = pysearch.review(record, FEW)
    assert (empty.plies, empty.decisions, empty.returns, empty.result) == ((), (), None, "*")
    begun = pysearch.review(record.play("draw"), FEW)
    assert [event.kind for event in begun.events] == ["deal", "deal", "draw", "draw"]
    assert begun.summary[0].adjusted is None


def test_ctrl_c_keeps_what_is_done() -> None:
    record = pysearch.read_records(EXAMPLES["cuttle"])[1]

    def stop(done: int) -> None:
        if done > 300_000:
            raise KeyboardInterrupt

    limit = Limit(iterations=100_000)
    with pytest.raises(pysearch.Interrupted) as caught:
        pysearch.review(record, limit, progress=stop)
    part = caught.value.result
    assert not part.complete
    assert 0 < len(part.plies) < len(record.moves)
    (kept,) = pysearch.read_records(str(pysearch.annotate(record, part, limit)))
    assert sum("shares" in dict(played.fields) for played in kept.moves) == len(part.plies) - 1


def test_accuracy_is_the_published_curve() -> None:
    assert accuracy(0) == pytest.approx(100, abs=1e-3)
    assert accuracy(0.1) == pytest.approx(63.58, abs=0.01)
    assert accuracy(1) == 0


@pytest.mark.parametrize("bad", [{"record": "x"}, {"limit": None}, {"limit": Limit(nodes=5)}, {"threads": 0},
                                 {"limit": Limit(iterations=0)}, {"seed": -1}, {"progress": 3}])  # fmt: skip
def test_bad_arguments_are_named(bad: dict[str, object]) -> None:
    good = {"record": Record(pysearch.deal("cuttle", 1)), "limit": FEW}
    with pytest.raises(ArgumentError) as caught:
        pysearch.review(**good | bad)  # type: ignore[arg-type]
    assert caught.value.argument == next(iter(bad))


def test_kinds_of_decisions_fit_their_stage() -> None:
    for game in GAMES:
        for record in pysearch.read_records(EXAMPLES[game]):
            review = pysearch.review(record, Limit(iterations=2))
            for d in review.decisions:
                where = stage(pysearch.parse(d.view))
                if game == "buck_euchre":
                    assert d.kind in (("lead", "follow") if where == "play" else (where,))
                else:
                    assert (d.kind == "counter") == (where == "counter")


# ---------------------------------------------------------------- notes


def small() -> Record:
    """The first moves of a game with cards drawn."""
    record = Record(pysearch.deal("cuttle", 5))
    return record.play("draw").play("draw").play("draw")


def test_notes_are_believed_for_what_they_were_made_for() -> None:
    record = small()
    noted = pysearch.annotate(record, pysearch.review(record, FEW), FEW)
    assert list(read_review(noted, 0).plies) == [0, 1, 2]
    assert (read_review(noted, 1).plies, read_review(noted, 1).deal) == ({}, None)
    assert pysearch.review(noted, FEW, 1) == pysearch.review(record, FEW, 1)
    text = str(noted)
    first, second = noted.moves[0].move, noted.start.legal_moves()[1]
    for edited in (text.replace(first, second, 1), text.replace("[Review", "[Other")):
        (changed,) = pysearch.read_records(edited)
        bare = Record(changed.start)
        for played in changed.moves:
            bare = bare.play(played.move)
        assert pysearch.review(changed, FEW) == pysearch.review(bare, FEW)
        assert read_review(changed, 0).deal is None


def test_an_interrupted_review_leaves_older_notes_what_they_are() -> None:
    record, deep = small(), Limit(iterations=1_500)
    noted = pysearch.annotate(record, pysearch.review(record, FEW), FEW)
    whole = pysearch.review(noted, deep)
    part = replace(whole, complete=False, plies=whole.plies[:2], decisions=whole.decisions[:2])
    mixed = pysearch.annotate(noted, part, deep)
    made = [dict(played.fields)["review"].split()[1:] for played in mixed.moves]
    assert made == [["1500", "0"], ["600", "0"], ["600", "0"]]
    assert pysearch.review(mixed, deep) == whole
    again = pysearch.annotate(mixed, pysearch.review(mixed, FEW), FEW)
    assert again == mixed


def judged(record: Record, limit: Limit, monkeypatch: pytest.MonkeyPatch) -> tuple[pysearch.Review, list[str]]:
    """The review, and the moves of the decisions that were computed for it."""
    moves: list[str] = []

    def count_one(view: View, move: str, *rest: Any) -> Verdict | None:
        moves.append(move)
        return judge(view, move, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["pysearch.review"], "judge", count_one)
        return pysearch.review(record, limit), moves


@pytest.mark.parametrize(
    "limit", [FEW, Limit(iterations=601), Limit(seconds=1e-9), Limit(seconds=0.01, iterations=601)]
)
def test_a_second_review_computes_nothing(limit: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    record = small()
    first, moves = judged(record, limit, monkeypatch)
    assert len(moves) == 3
    assert not all(decision.settled for decision in first.decisions)
    noted = pysearch.annotate(record, first, limit)
    monkeypatch.setattr(luck, "worth", None)
    assert judged(noted, limit, monkeypatch) == (first, [])
    assert pysearch.annotate(noted, first, limit) == noted


def test_only_a_deeper_review_computes_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    record, short = small(), Limit(seconds=1e-9)
    first = pysearch.review(record, short)
    noted = pysearch.annotate(record, first, short)
    open_moves = [decision.move for decision in first.decisions if not decision.settled]
    assert open_moves
    for deeper in (Limit(seconds=2e-9), Limit(iterations=3_000), Limit(iterations=3_000, seconds=5)):
        assert judged(noted, deeper, monkeypatch)[1] == open_moves
    for shallower in (Limit(seconds=1e-9), Limit(iterations=400), Limit(seconds=1, iterations=512)):
        assert judged(noted, shallower, monkeypatch) == (replace(first, iterations=shallower.iterations and 512), [])


@pytest.mark.parametrize("shallow", [Limit(iterations=100), Limit(seconds=1e-9), Limit(seconds=1e-9, iterations=9_000)])
def test_a_shallower_review_takes_nothing_away(shallow: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    record, deep = small(), Limit(iterations=2_000)
    first = pysearch.review(record, deep)
    noted = pysearch.annotate(record, first, deep)
    bare = pysearch.review(record, shallow)
    assert bare.decisions != first.decisions
    again = pysearch.review(noted, shallow)
    assert again.decisions == first.decisions
    for kept in (pysearch.annotate(noted, again, shallow), pysearch.annotate(noted, bare, shallow)):
        assert judged(kept, deep, monkeypatch) == (first, [])
        assert judged(kept, shallow, monkeypatch)[1] == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("loss", "nan 0.1"), ("loss", "0.1 inf"), ("val", "nan"), ("val", "7"), ("shares", "0.5"), ("shares", "1e999 0"),
     ("best", "KCxKD"), ("moves", "<b> 0 0 0 0 1"), ("line", "draw <script>"), ("worlds", "-3 open"),
     ("worlds", "9 maybe"), ("hindsight", "nan draw"), ("luck", "draw nan 0 +- 0 0"), ("luck", "deal 0 0 +- 0 0"),
     ("luck", None), ("shares", None), ("review", "00000000 600"), ("review", "x")],
)  # fmt: skip
def test_damaged_notes_are_as_if_not_there(name: str, value: str | None) -> None:
    record = small()
    first = pysearch.review(record, FEW)
    noted = pysearch.annotate(record, first, FEW)
    old = dict(noted.moves[0].fields)
    pieces = {**old, name: value}
    try:
        damaged = noted.annotate(0, **pieces)
    except ArgumentError:  # no record can hold it
        assert name in ("val", "best")
        return
    again = pysearch.review(damaged, FEW)
    assert again == first
    assert list(read_review(damaged, 0).plies) == [1, 2]
    json.dumps(again.to_dict(), allow_nan=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_has_one_prior_in_all_its_records(game: str) -> None:
    record = pysearch.read_records(EXAMPLES[game])[0]
    found = {
        luck.prior_of(own.start, 3, [played.move for played in own.moves])
        for own in (record, *map(record.view, range(record.start.seats)))
    }
    assert len(found) == 1


def test_annotate_takes_a_record_and_its_own_review() -> None:
    record, other = pysearch.read_records(EXAMPLES["cuttle"])[:2]
    reviewed = pysearch.review(record, FEW)
    wrong: list[tuple[str, Any, Any, Any]] = [
        ("record", None, reviewed, FEW), ("review", record, None, FEW), ("limit", record, reviewed, None),
        ("limit", record, reviewed, 5), ("review", other, reviewed, FEW),
    ]  # fmt: skip
    for argument, *arguments in wrong:
        with pytest.raises(ArgumentError) as raised:
            pysearch.annotate(*arguments)
        assert raised.value.argument == argument
    assert pysearch.annotate(record, reviewed, FEW) != record


def test_a_stop_of_the_wrong_kind_is_named() -> None:
    record = pysearch.read_records(EXAMPLES["cuttle"])[0]
    with pytest.raises(ArgumentError, match="found no stop but nodes, expected iterations or seconds"):
        pysearch.review(record, Limit(nodes=10))
