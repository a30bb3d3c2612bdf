"""What a view leaves open: counted exactly, drawn uniformly, and never more than the rules allow."""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from referee import State, buck
from referee import parse as referee_parse
from referee.nasty import nasty_buck, nasty_cuttle

import pysearch

MOST = 3000  # worlds that are enumerated one by one
PLACES = 9  # hidden cards of Buck Euchre that the referee lays out in every arrangement


def small_views(game: str, n: int) -> Iterator[tuple[State, int]]:
    """Views with few enough worlds to enumerate, of many shapes, from rare positions; with the number of worlds."""
    rng = random.Random(f"worlds {game}")
    make = nasty_cuttle if game == "cuttle" else nasty_buck
    found = 0
    while found < n:
        state = make(rng)
        for seat in rng.sample(range(state.seats), state.seats):
            view = pysearch.parse(str(state.view(seat)))
            assert isinstance(view, pysearch.View)
            total = view.count_worlds()
            seen = state.view(seat)
            if isinstance(seen, buck.State) and len(seen.hidden_places()) > PLACES:
                continue
            if 1 < total <= MOST:
                found += 1
                yield seen, total
                break


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_worlds_are_counted_and_drawn_like_the_enumerated_ones(game: str, count: Callable[[int, int], int]) -> None:
    for number, (state, total) in enumerate(small_views(game, count(30, 200))):
        view = pysearch.parse(str(state))
        assert isinstance(view, pysearch.View)
        worlds = sorted({str(world) for world in state.worlds()})
        assert len(worlds) == total, str(state)
        if total > 200:
            draws = {str(view.sample(seed=seed)) for seed in range(300)}
            assert draws <= set(worlds), str(state)
            continue
        n = 40 * total
        seen = Counter(str(view.sample(seed=1000 * number + seed)) for seed in range(n))
        assert set(seen) == set(worlds), str(state)
        chi = sum((seen[world] - n / total) ** 2 for world in worlds) / (n / total)
        # 6 standard deviations of chi squared with total - 1 degrees of freedom
        assert chi < total - 1 + 6 * (2 * (total - 1)) ** 0.5 + 10, str(state)


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_sampled_world_looks_the_same_to_its_viewer(game: str, count: Callable[[int, int], int]) -> None:
    rng = random.Random(f"looks {game}")
    make = nasty_cuttle if game == "cuttle" else nasty_buck
    for number in range(count(60, 1000)):
        state = make(rng)
        for seat in range(state.seats):
            view = pysearch.parse(str(state.view(seat)))
            assert isinstance(view, pysearch.View)
            world = view.sample(seed=number)
            assert world.view(seat) == view
            assert pysearch.parse(str(world)) == world  # a valid position, whole
            assert str(referee_parse(str(world)).view(seat)) == str(view)


def test_an_empty_stock_leaves_one_world() -> None:
    """C27: the other hand follows by elimination."""
    pos = pysearch.parse(
        "cuttle/1 hands=2DTC/9C scrap=ACADAHAS2C2H2S3C3D3H3S4C4D4H4S5C5D5H5S6C6D6H6S7C7D7H7S8C8D8H8S9D9H9STDTHTS"
        "JCJDJHJSQCQDQHQSKCKDKHKS turn=0"
    )
    assert isinstance(pos, pysearch.Position)
    view = pos.view(0)
    assert "hands=2DTC/X1" in str(view)
    assert view.count_worlds() == 1
    assert view.sample(seed=5) == pos


def test_worlds_before_the_first_trick() -> None:
    """18 unseen cards: three hands of five and the kitty."""
    view = pysearch.deal("buck_euchre", seed=3).view(0)
    assert view.count_worlds() == 617_512_896


def test_worlds_of_an_opening_hand() -> None:
    """47 or 46 unseen cards, six or five of them in the other hand, the others in any order."""
    pos = pysearch.deal("cuttle", seed=3)
    assert pos.view(0).count_worlds() == math.comb(47, 6) * math.factorial(41)
    assert pos.view(1).count_worlds() == math.comb(46, 5) * math.factorial(41)


def drawn_hands(view: pysearch.Position | pysearch.View, draws: int) -> list[list[str]]:
    assert isinstance(view, pysearch.View)
    return [str(view.sample(seed=seed)).split("hands=")[1].split(" ")[0].split("/") for seed in range(draws)]


def test_the_up_card_is_with_the_dealer_or_buried() -> None:
    """B15: after an order, until it shows."""
    view = pysearch.parse(
        "buck/1 hands=X4/KD9HJHAHTS/X5/X5 up=QH kitty=X3 buried=X1 dealer=3 turn=1 stage=play trump=H maker=1 "
        "trick=QS view=1"
    )
    hands = drawn_hands(view, 60)
    assert {"QH" in hand[3] for hand in hands} == {True, False}
    assert not any("QH" in hand[seat] for hand in hands for seat in (0, 1, 2))


def test_a_dealer_void_in_trumps_has_buried_the_up_card() -> None:
    view = pysearch.parse(
        "buck/1 hands=X4/KD9HJHTS/X4/X4 up=QH kitty=X3 buried=X1 dealer=3 turn=2 stage=play trump=H maker=1 "
        "played=9STHKHAH voids=-/-/-/H tricks=0/0/1/0 view=1"
    )
    assert isinstance(view, pysearch.View)
    assert not any("H" in hand[3] or "JD" in hand[3] for hand in drawn_hands(view, 60))
    assert all("buried=QH" in str(view.sample(seed=seed)) for seed in range(20))
