"""Positions and views as values, and the calls that take them."""

import dataclasses
import json
import pickle
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pysearch
from pysearch import Limit, Position, View, backends
from pysearch.backends import Control
from pysearch.calls import run

GAMES = ["cuttle", "buck_euchre"]


def random_game(game: str, seed: int) -> list[Position]:
    """The positions of a random game, the last one over, or after 200 moves."""
    rng = random.Random(f"{game} {seed}")
    line = [pysearch.deal(game, seed=seed)]
    while not line[-1].is_over and len(line) < 200:
        line.append(line[-1].play(rng.choice(line[-1].legal_moves())))
    return line


# ---------------------------------------------------------------- values


@pytest.mark.parametrize("game", GAMES)
def test_played_positions_equal_their_text(game: str, count: Callable[[int, int], int]) -> None:
    """The core and the notation agree in every bit, so equal positions are equal values."""
    for seed in range(count(20, 500)):
        for pos in random_game(game, seed):
            views = [pos.view(seat) for seat in range(pos.seats)]
            for state in (pos, *views):
                twin = pysearch.parse(str(state))
                assert twin == state
                assert hash(twin) == hash(state)
                assert twin.words == state.words
                assert pysearch.from_dict(state.to_dict()) == state
            assert len({pos, *views}) == 1 + pos.seats


@pytest.mark.parametrize("game", GAMES)
def test_states_are_picklable_and_cannot_be_changed(game: str) -> None:
    pos = pysearch.deal(game, seed=3)
    for state in (pos, pos.view(1)):
        copy = pickle.loads(pickle.dumps(state))
        assert copy == state
        assert type(copy) is type(state)
        with pytest.raises(AttributeError):
            state.words = b""  # type: ignore[misc]
    before = str(pos)
    pos.play(pos.legal_moves()[0])
    assert str(pos) == before


def test_repr_reads_back() -> None:
    view = pysearch.deal("cuttle", seed=3).view(0)
    assert eval(repr(view)) == view


def test_words_of_the_wrong_length_or_kind_are_refused() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    kinds: list[tuple[type[Position | View], str, bytes]] = [
        (Position, "cuttle", pos.words[:-1]),
        (Position, "buck_euchre", pos.words),
        (View, "cuttle", pos.words),
        (Position, "cuttle", pos.view(0).words),
    ]
    for kind, game, words in kinds:
        with pytest.raises(pysearch.ArgumentError):
            kind(game, words)


def test_words_that_the_package_did_not_make_are_refused() -> None:
    """The core trusts words, so whatever gets through describes a state that all calls can take."""
    rng = random.Random("forged")
    for game in GAMES:
        pos = pysearch.deal(game, seed=1)
        for state in (pos, pos.view(0)):
            assert type(state)(game, state.words) == state
            for _ in range(500):
                words = bytearray(state.words)
                for _ in range(rng.choice((1, 3, 100))):
                    words[rng.randrange(len(words))] ^= 1 << rng.randrange(8)
                try:
                    forged = type(state)(game, bytes(words))
                except pysearch.ArgumentError:
                    continue
                assert pysearch.parse(str(forged)) == forged
                if isinstance(forged, Position):
                    forged.legal_moves()


def test_no_attribute_can_be_set() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    for state in (pos, pos.view(0)):
        for name in ("words", "game", "foo"):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(state, name, b"")


def test_numbers_may_be_those_of_numpy() -> None:
    half: Any = np.float32(0.5)
    seven: Any = np.int64(7)
    assert Limit(seconds=half, iterations=seven) == Limit(seconds=0.5, iterations=7)
    dealt = pysearch.deal("buck_euchre", scores=(3, 25, 1, 30))
    assert dealt == pysearch.deal("buck_euchre", seed=seven - 7, scores=np.array([3, 25, 1, 30]))
    assert dealt == pysearch.deal("buck_euchre", scores=iter((3, 25, 1, 30)))


def test_errors_survive_pickling() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    calls: list[Callable[[], object]] = [
        lambda: pos.play("ok"), lambda: pos.view(9), lambda: pysearch.parse("cuttle/1 turn=0"),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(pysearch.Error) as caught:
            call()
        copy = pickle.loads(pickle.dumps(caught.value))
        assert (type(copy), str(copy), vars(copy)) == (type(caught.value), str(caught.value), vars(caught.value))


# ---------------------------------------------------------------- deals and play


@pytest.mark.parametrize(("game", "dealer", "first"), [("cuttle", 1, 0), ("buck_euchre", 3, 0)])
def test_a_deal_has_its_dealer(game: str, dealer: int, first: int) -> None:
    for seed in range(20):
        pos = pysearch.deal(game, seed=seed)
        assert pos == pysearch.deal(game, seed=seed, dealer=dealer)
        assert pos.to_move == first
        assert pos != pysearch.deal(game, seed=seed + 1)
    assert pysearch.deal(game, seed=2**64 - 1) != pysearch.deal(game, seed=0)


def test_a_deal_has_its_scores() -> None:
    pos = pysearch.deal("buck_euchre", seed=1, dealer=2, scores=[1, 30, 25, 4])
    assert pos.to_dict()["scores"] == [1, 30, 25, 4]
    assert pos.to_dict()["dealer"] == 2


def test_an_illegal_move_carries_the_legal_ones() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    for token in ("pass", "nonsense", ""):
        with pytest.raises(pysearch.IllegalMove) as caught:
            pos.play(token)
        assert caught.value.legal == pos.legal_moves()
    with pytest.raises(pysearch.IllegalMove):
        pos.play(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_played_after_the_end(game: str) -> None:
    pos = random_game(game, 2)[-1]
    assert pos.is_over
    assert pos.to_move is None
    assert pos.legal_moves() == []
    assert pos.view(0).legal_moves() == []
    for state in (pos, pos.view(1)):
        with pytest.raises(pysearch.IllegalMove, match="over") as caught:
            state.play("pass")
        assert caught.value.legal == []


@pytest.mark.parametrize("game", GAMES)
def test_outcomes_add_up(game: str) -> None:
    for seed in range(30):
        *before, last = random_game(game, seed)
        assert all(pos.outcome is None for pos in before)
        outcome = last.outcome
        if outcome is None:
            continue
        assert sum(outcome.returns) == pytest.approx(1)
        assert outcome.reason
        assert all(last.view(seat).outcome == outcome for seat in range(last.seats))
        json.dumps(outcome.to_dict())
        if game == "buck_euchre":
            assert outcome.tricks is not None
            assert outcome.deltas is not None
            assert outcome.scores is not None
            assert sum(outcome.tricks) == 5
            assert [25 + delta for delta in outcome.deltas] == list(outcome.scores)
        else:
            assert outcome.tricks is outcome.deltas is outcome.scores is None


# ---------------------------------------------------------------- views


def test_a_view_needs_the_cards_that_came_into_sight() -> None:
    pos = pysearch.deal("cuttle", seed=5)
    drawn = pos.to_dict()["stock"][0]
    own, other = pos.view(0), pos.view(1)
    assert own.play("draw", seen=drawn) == own.play("draw", drawn.lower()) == pos.play("draw").view(0)
    assert other.play("draw") == other.play("draw", seen="-") == pos.play("draw").view(1)
    with pytest.raises(pysearch.ArgumentError, match="the 1 card") as caught:
        own.play("draw")
    assert caught.value.argument == "seen"
    with pytest.raises(pysearch.ArgumentError, match="no card"):
        other.play("draw", seen=drawn)


def test_the_moves_of_another_seat_are_not_listed_but_may_be_seen() -> None:
    pos = pysearch.deal("cuttle", seed=5)
    view = pos.view(1)
    with pytest.raises(pysearch.ArgumentError) as caught:
        view.legal_moves()
    assert caught.value.argument == "seat"
    with pytest.raises(pysearch.IllegalMove) as illegal:
        view.play("ok")
    assert illegal.value.legal == []


def test_worlds_of_a_deal_are_counted_exactly() -> None:
    # Cuttle: 52 - 5 cards are unseen, in an order; the opponent's six among them in none.
    cuttle = pysearch.deal("cuttle", seed=1).view(0).count_worlds()
    unseen = 1
    for k in range(7, 48):
        unseen *= k
    assert cuttle == unseen
    # Buck Euchre: 18 cards are unseen, three hands of five and three of the kitty.
    pos = next(p for p in (pysearch.deal("buck_euchre", seed=s) for s in range(50)) if p.to_dict()["stage"] == "order")
    assert pos.view(0).count_worlds() == 617_512_896


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_belongs_to_its_view(game: str) -> None:
    for pos in random_game(game, 7)[::3]:
        for seat in range(pos.seats):
            view = pos.view(seat)
            world = view.sample(seed=11)
            assert world.view(seat) == view
            assert world == view.sample(seed=11)
            assert pysearch.parse(str(world)) == world


# ---------------------------------------------------------------- counting, playing out, analysing


@pytest.mark.parametrize("game", GAMES)
def test_rollouts_do_not_depend_on_threads(game: str) -> None:
    pos = pysearch.deal(game, seed=4)
    for state in (pos, pos.view(0)):
        one = pysearch.rollout(state, 20_000, seed=9)
        assert one.games == 20_000
        assert sum(one.returns) == pytest.approx(1)
        for threads in (2, 5):
            assert pysearch.rollout(state, 20_000, seed=9, threads=threads) == one
        json.dumps(one.to_dict())


@pytest.mark.parametrize("game", GAMES)
def test_rollouts_of_many_are_those_of_each(game: str) -> None:
    states: list[pysearch.Position | pysearch.View] = []
    for pos in random_game(game, 8):
        states += [pos, pos.view(pos.seats - 1)]
    for n, threads in ((1, 1), (77, 1), (1500, 3)):
        expected = [pysearch.rollout(state, n, seed=n) for state in states]
        assert pysearch.rollout_many(iter(states), n, seed=n, threads=threads) == expected
    few = states[:2]
    assert pysearch.rollout_many(few, 9000, threads=2) == [pysearch.rollout(state, 9000) for state in few]
    assert pysearch.rollout_many([], 5) == []


def test_rollouts_do_not_depend_on_the_instruction_set() -> None:
    states = [str(state) for game in GAMES for pos in random_game(game, 5)[::3] for state in (pos, pos.view(1))]
    code = (
        f"import pysearch\nfor text in {states!r}:\n"
        " made = pysearch.rollout(pysearch.parse(text), 333, seed=4)\n print(made.plies, made.returns)"
    )
    plain = outcome_of(code, PYSEARCH_ISA="generic")
    assert plain.count("\n") == len(states)
    for isa in ("x86-64-v3", "x86-64-v4"):
        found = outcome_of(code, PYSEARCH_ISA=isa)
        assert found == plain or f"PYSEARCH_ISA: found {isa!r}" in found


def test_perft_is_the_sum_over_the_moves() -> None:
    pos = pysearch.deal("cuttle", seed=4)
    assert pysearch.perft(pos, 0) == 1
    assert pysearch.perft(pos, 1) == len(pos.legal_moves())
    assert pysearch.perft(pos, 3) == sum(pysearch.perft(pos.play(move), 2) for move in pos.legal_moves())


def test_a_long_search_is_the_same_as_a_short_one_of_its_length() -> None:
    pos = pysearch.deal("buck_euchre", seed=4)
    timed = pysearch.analyze(pos, Limit(seconds=0.05), seed=3)
    again = pysearch.analyze(pos, Limit(iterations=timed.iterations), seed=3, method="ismcts", threads=2)
    assert again == timed
    assert len(pysearch.analyze(pos, Limit(iterations=50), top=1).moves) == 1


def test_progress_is_a_number_that_grows() -> None:
    seen: list[int] = []
    pos = pysearch.deal("cuttle", seed=4)
    pysearch.analyze(pos, Limit(seconds=0.4), progress=seen.append)
    assert seen
    assert seen == sorted(seen)
    assert all(type(done) is int for done in seen)


def test_an_error_in_progress_stops_the_call() -> None:
    class Stop(Exception):
        pass

    def refuse(done: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        pysearch.analyze(pysearch.deal("cuttle", seed=4), Limit(seconds=60), progress=refuse)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C is heard, even where a shell started the tests in its background and has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_brings_the_result_so_far() -> None:
    pos = pysearch.deal("cuttle", seed=4)
    threads = threading.active_count()  # other tests may have left some
    calls: list[Callable[[Callable[[int], object]], object]] = [
        lambda progress: pysearch.analyze(pos, Limit(seconds=60), progress=progress),
        lambda progress: pysearch.rollout(pos, 10**12, threads=2, progress=progress),
    ]

    def interrupt(done: int) -> None:
        if done > 10_000:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(pysearch.Interrupted) as caught:
        pysearch.rollout_many([pos, pos.view(0)] * 10**5, 100, progress=interrupt)
    assert caught.value.result
    assert set(caught.value.result) <= {pysearch.rollout(state, 100) for state in (pos, pos.view(0))}
    for call in calls:
        with pytest.raises(pysearch.Interrupted) as caught:
            call(lambda done: signal.raise_signal(signal.SIGINT))
        assert isinstance(caught.value, KeyboardInterrupt)
        result = caught.value.result
        assert isinstance(result, (pysearch.Analysis, pysearch.Rollout))
        assert (result.iterations if isinstance(result, pysearch.Analysis) else result.games) > 0
    with pytest.raises(pysearch.Interrupted) as caught:
        pysearch.perft(pos, 30, progress=lambda done: signal.raise_signal(signal.SIGINT))
    assert caught.value.result > 0
    assert threading.active_count() <= threads


def test_a_failing_call_stops_the_others() -> None:
    stopped = threading.Event()

    class Reins:
        def stop(self) -> None:
            stopped.set()

        def done(self) -> int:
            return 0

    def fail() -> None:
        raise OSError("no")

    reins: Control = Reins()
    with pytest.raises(OSError, match="no"):
        run([fail, lambda: stopped.wait(10) and None], [reins])
    assert stopped.is_set()


# ---------------------------------------------------------------- backends


def outcome_of(code: str, **env: str) -> str:
    """What a program prints in an environment of these variables alone."""
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_backend_is_chosen_by_the_environment() -> None:
    code = "import pysearch\ntry: print(pysearch.backend())\nexcept pysearch.BackendError as e: print('error', e)"
    if not backends.why_not_native():
        assert outcome_of(code) == outcome_of(code, PYSEARCH_BACKEND="native") == "native\n"
        assert outcome_of(code, PYSEARCH_ISA="generic") == "native\n"
    assert outcome_of(code, PYSEARCH_BACKEND="numba") == "numba\n"
    assert outcome_of(code, PYSEARCH_BACKEND="numba", PYSEARCH_ISA="generic") == "numba\n"
    for variables in ({"PYSEARCH_BACKEND": "gpu"}, {"PYSEARCH_ISA": "z80"}):
        (name, value) = next(iter(variables.items()))
        assert outcome_of(code, **variables).startswith(f"error {name}: found {value!r}")


def test_numba_takes_the_place_of_a_missing_core_and_says_so_once_on_a_terminal() -> None:
    code = (
        "import sys; sys.modules['pysearch._core'] = None; import pysearch; from pysearch.backends import select\n"
        "print(pysearch.backend()); select(); pysearch.deal('cuttle')"
    )
    piped = subprocess.run([sys.executable, "-c", code], env={}, capture_output=True, text=True, check=False)
    assert (piped.stdout, piped.stderr) == ("numba\n", "")
    code = f"import sys; sys.stderr.isatty = lambda: True; {code}"
    done = subprocess.run([sys.executable, "-c", code], env={}, capture_output=True, text=True, check=False)
    assert done.stdout == "numba\n"
    assert len(done.stderr.splitlines()) == 1
    assert "compiled core is missing" in done.stderr
    assert "numba" in done.stderr
    forced = {"PYSEARCH_BACKEND": "native"}
    refused = subprocess.run([sys.executable, "-c", code], env=forced, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "BackendError: the compiled core is missing" in refused.stderr


def test_without_any_core_there_is_a_reason() -> None:
    code = (
        "import sys; sys.modules['pysearch._core'] = sys.modules['numba'] = None; import pysearch\n"
        "try: pysearch.deal('cuttle')\n"
        "except pysearch.BackendError as error: print(error)"
    )
    text = outcome_of(code)
    assert len(text.splitlines()) == 1
    assert "compiled core is missing" in text
    assert "numba cannot be loaded" in text


def test_notation_needs_no_core_and_importing_loads_none() -> None:
    code = (
        "import sys, pysearch\n"
        "pysearch.parse('cuttle/1 hands=5H/X6 stock=X45 turn=0').to_dict()\n"
        "print([name for name in ('pysearch.backends.native', 'numpy', 'click', 'rich') if name in sys.modules])"
    )
    assert outcome_of(code, PYSEARCH_BACKEND="none") == "[]\n"
