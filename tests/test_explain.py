"""What an explanation says of hidden cards is what the rules leave open; what it says of moves, what worlds say."""

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from stages import GAMES, own_view, positions

import pysearch
from pysearch import ArgumentError, Explanation, Limit
from pysearch.chances import chances, counter
from pysearch.games import GAMES as RULES
from pysearch.search import analyze_open

FEW = Limit(iterations=30)


def explained(game: str, n: int) -> list[tuple[pysearch.View, Explanation]]:
    views = [own_view(pos) for pos in positions(game, n)]
    return [(view, pysearch.explain(view, FEW, seed=i, worlds=6)) for i, view in enumerate(views)]


def contents(state: pysearch.Position | pysearch.View) -> dict[str, tuple[list[str], int]]:
    """Of a text: the named cards in each place that a viewer may not see whole, and the number of all cards there."""
    values = dict(word.split("=") for word in str(state).split()[1:])
    parts = {f"seat {seat}": hand for seat, hand in enumerate(values["hands"].split("/"))}
    parts |= {key: values[key] for key in ("stock", "kitty", "buried") if key in values}
    found = {}
    for place, text in parts.items():
        hidden = re.search(r"X(\d+)", text)
        cards = re.findall(r"[2-9TJQKA][CDHS]", text)
        found[place] = cards, len(cards) + (int(hidden[1]) if hidden else 0)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_chances_fill_the_places(game: str, count: Callable[[int, int], int]) -> None:
    for view, found in explained(game, count(40, 400)):
        places = contents(view)
        for row in found.cards:
            assert len(row.chances) == len(found.places)
            assert all(0 <= chance <= 1 for chance in row.chances)
            assert math.isclose(sum(row.chances), 1), (str(view), row)
        assert f"seat {view.seat}" not in found.places
        for column, place in enumerate(found.places):
            known, size = places[place]
            assert math.isclose(sum(row.chances[column] for row in found.cards), size), (str(view), place)
            for row in found.cards:
                if row.card in known:
                    assert row.chances[column] == 1
        assert set(places) - set(found.places) - {f"seat {view.seat}"} <= {p for p in places if places[p][1] == 0}


@pytest.mark.parametrize("game", GAMES)
def test_layouts_are_the_worlds(game: str, count: Callable[[int, int], int]) -> None:
    """Those of Cuttle have an order of the stock besides."""
    for i, pos in enumerate(positions(game, count(60, 600))):
        for view in (pos.view(i % pos.seats), own_view(pos)):
            hidden = RULES[game].hidden(view.words)
            rooms = tuple(place.hidden for place in hidden.places)
            kinds = tuple((cards.bit_count(), where) for cards, where in hidden.kinds)
            orders = math.factorial(rooms[1]) if game == "cuttle" else 1
            assert counter()(kinds, rooms) * orders == view.count_worlds(), str(view)


def test_a_card_is_where_worlds_have_it(count: Callable[[int, int], int]) -> None:
    """Buck Euchre, whose voids and up-card make seats differ."""
    draws = count(400, 4000)
    views = [own_view(pos) for pos in positions("buck_euchre", 90)]
    views = [view for view in views if any(view.to_dict()["voids"])][:12]
    assert len(views) == 12
    for view in views:
        found = pysearch.explain(view, worlds=1)
        seen: Counter[tuple[str, str]] = Counter()
        for seed in range(draws):
            for place, (cards, _) in contents(view.sample(seed=seed)).items():
                seen.update((card, place) for card in cards)
        for row in found.cards:
            for place, chance in zip(found.places, row.chances, strict=True):
                error = math.sqrt(chance * (1 - chance) / draws)
                assert abs(seen[row.card, place] / draws - chance) <= 5.5 * error, (str(view), row.card, place)


def test_voids_leave_no_chance() -> None:
    """The dealer, void in trumps, has buried the up-card."""
    view = pysearch.parse(
        "buck/1 hands=X4/KD9HJHTS/X4/X4 up=QH kitty=X3 buried=X1 dealer=3 turn=2 stage=play trump=H maker=1 "
        "played=9STHKHAH voids=-/-/-/H tricks=0/0/1/0 view=1"
    )
    assert isinstance(view, pysearch.View)
    hidden = RULES["buck_euchre"].hidden(view.words)
    found = chances(hidden)
    names, places = RULES["buck_euchre"].deck.index, [place.name for place in hidden.places]
    assert places == ["seat 0", "seat 2", "seat 3", "kitty", "buried"]
    assert found[names["QH"]] == (0, 0, 0, 0, 1)
    for trump in ("AH", "TH", "9H", "JD"):  # the left bower is one
        row = found.get(names[trump])
        assert row is None or (row[2] == 0 and row[4] == 0)
    assert names["JD"] in found
    assert found[names["9C"]][2] > 0


def test_glasses_leave_no_doubt() -> None:
    """Cuttle: an eight shows the hand of the other side (C15); what it holds is certain."""
    pos = pysearch.parse("cuttle/1 hands=2C3C/9D9H perms=8S/- " + rest("2C3C9D9H8S") + " turn=0")
    assert isinstance(pos, pysearch.Position)
    found = pysearch.explain(pos, FEW, worlds=2)
    certain = {row.card for row in found.cards if row.chances[0] == 1}
    assert certain == {"9D", "9H"}
    assert all(row.chances == (0, 1) for row in found.cards if row.card not in certain)


def rest(used: str) -> str:
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    return "stock=" + "".join(card for card in deck if card not in {used[i : i + 2] for i in range(0, len(used), 2)})


@pytest.mark.parametrize("game", GAMES)
def test_shares_and_price_are_possible(game: str, count: Callable[[int, int], int]) -> None:
    for view, found in explained(game, count(40, 400)):
        assert found.worlds == (1 if view.count_worlds() == 1 else 6)
        assert sorted(move.move for move in found.moves) == sorted(view.legal_moves())
        assert [move.value for move in found.moves] == sorted((move.value for move in found.moves), reverse=True)
        for move in found.moves:
            assert all(0 <= share <= 1 for share in (move.ahead, move.best, move.value))
            assert move.ahead == 0 or move.value > found.level * move.ahead
        assert sum(move.best for move in found.moves) >= 1 - 1e-9  # ties count for each
        assert 0 <= found.price <= 1 - found.moves[0].value + 1e-9
        if found.worlds == 1:
            assert found.price == 0
            assert found.stderr is None


def test_one_world_has_no_price() -> None:
    """C27: an empty stock leaves no doubt."""
    pos = pysearch.parse("cuttle/1 hands=9C9DTH/2C5S " + rest("9C9DTH2C5S").replace("stock", "scrap") + " turn=0")
    assert isinstance(pos, pysearch.Position)
    found = pysearch.explain(pos)
    assert (found.worlds, found.exact, found.price) == (1, True, 0)
    for move in found.moves:
        assert move.ahead == (move.value > 0.5)
        assert move.best == (move.value == found.moves[0].value)


def test_values_are_means_over_solved_worlds(count: Callable[[int, int], int]) -> None:
    """Late in the play of Buck Euchre, where all worlds can be solved: every share within what chance explains."""
    n, checked = 300, 0
    for i, pos in enumerate(positions("buck_euchre", count(150, 1500))):
        view = own_view(pos)
        if view.to_dict()["stage"] != "play" or not 1 < view.count_worlds() <= 60:
            continue
        checked += 1
        worlds = {view.sample(seed=seed) for seed in range(1000)}
        if len(worlds) < view.count_worlds():
            continue  # a rare one was not drawn
        solved = [{m.move: share(m.values, view.seat) for m in s.moves} for s in map(buck, worlds)]
        found = pysearch.explain(view, seed=i, worlds=n)
        assert found.exact
        for move in found.moves:
            values = [values[move.move] for values in solved]
            for got, each in (
                (move.value, values),
                (move.ahead, [value > found.level for value in values]),
                (move.best, [value >= max(w.values()) - 1e-12 for value, w in zip(values, solved, strict=True)]),
            ):
                mean = sum(each) / len(each)
                spread = math.sqrt(sum((x - mean) ** 2 for x in each) / len(each) / n)
                assert abs(got - mean) <= 5 * spread + 1e-4, (str(view), move)
    assert checked >= 5


def buck(pos: pysearch.Position) -> pysearch.BuckSolution:
    found = pysearch.solve(pos)
    assert isinstance(found, pysearch.BuckSolution)
    return found


def share(values: tuple[float | None, ...] | None, seat: int) -> float:
    assert values is not None
    value = values[seat]
    assert value is not None
    return value


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_do_not_matter(game: str, count: Callable[[int, int], int]) -> None:
    for seed, pos in enumerate(positions(game, count(20, 200))):
        view = own_view(pos)
        expected = json.dumps(pysearch.explain(view, FEW, seed, 4).to_dict())
        for world in (pos, view.sample(seed=seed), view):
            assert json.dumps(pysearch.explain(world, FEW, seed, 4).to_dict()) == expected


def test_seeds_choose_the_worlds() -> None:
    view = own_view(pysearch.deal("cuttle", seed=4))
    one, other = (pysearch.explain(view, FEW, seed, 10) for seed in (1, 2))
    assert one.cards == other.cards
    assert {m.move: m.value for m in one.moves} != {m.move: m.value for m in other.moves}


def test_the_level_is_what_the_match_was_worth() -> None:
    """Before the deal, whatever it brings."""
    for scores in ((25, 25, 25, 25), (5, 30, 20, 12)):
        expected = pysearch.equity(scores, 3)
        for seed in range(8):
            pos = pysearch.deal("buck_euchre", seed=seed, scores=scores)
            for _ in range(6):
                found = pysearch.explain(pos, FEW, worlds=2)
                assert found.level == expected[found.player]
                pos = pos.play(pos.legal_moves()[0])


def test_bad_arguments_are_named() -> None:
    pos = pysearch.deal("cuttle", seed=1)
    over = pysearch.deal("buck_euchre", seed=1)
    while not over.is_over:
        over = over.play(over.legal_moves()[0])
    calls: list[tuple[str, Callable[[], object]]] = [
        ("limit", lambda: pysearch.explain(pos, 5)),  # type: ignore[arg-type]
        ("limit", lambda: pysearch.explain(pos, Limit())),
        ("seed", lambda: pysearch.explain(pos, FEW, -1)),
        ("worlds", lambda: pysearch.explain(pos, FEW, 0, 0)),
        ("worlds", lambda: pysearch.explain(pos, FEW, 0, 2.5)),  # type: ignore[arg-type]
        ("progress", lambda: pysearch.explain(pos, FEW, progress=3)),  # type: ignore[arg-type]
        ("seat", lambda: pysearch.explain(pos.view(1), FEW)),
        ("position", lambda: pysearch.explain(over, FEW)),
        ("position", lambda: pysearch.explain("cuttle/1", FEW)),  # type: ignore[arg-type]
    ]
    for argument, call in calls:
        with pytest.raises(ArgumentError) as caught:
            call()
        assert caught.value.argument == argument


def test_ctrl_c_leaves_the_worlds_so_far() -> None:
    view = own_view(pysearch.deal("buck_euchre", seed=1))
    done: list[int] = []

    def progress(worlds: int) -> None:
        done.append(worlds)
        if worlds == 3:
            raise KeyboardInterrupt

    with pytest.raises(pysearch.Interrupted) as caught:
        pysearch.explain(view, FEW, seed=5, worlds=10, progress=progress)
    assert done == [1, 2, 3]
    assert caught.value.result == pysearch.explain(view, FEW, seed=5, worlds=3)


@pytest.mark.parametrize("whole", [0, 2])
def test_ctrl_c_within_a_world_leaves_the_whole_ones(whole: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of the world itself is a made-up one with all cards seen, and of nobody's interest."""
    view = own_view(pysearch.deal("cuttle", seed=1))
    expected = pysearch.explain(view, FEW, worlds=whole) if whole else None
    module = sys.modules["pysearch.explain"]  # the module: `pysearch.explain` is the function
    real, begun = analyze_open, []

    def analyze(*arguments: Any) -> pysearch.Analysis:
        begun.append(arguments)
        found = real(*arguments)
        if len(begun) > whole:
            raise pysearch.Interrupted(found)
        return found

    monkeypatch.setattr(module, "analyze_open", analyze)
    with pytest.raises(KeyboardInterrupt) as caught:
        pysearch.explain(view, FEW, worlds=5)
    assert len(begun) == whole + 1
    assert isinstance(caught.value, pysearch.Interrupted) == (whole > 0)
    assert getattr(caught.value, "result", None) == expected


def test_a_low_limit_still_explains() -> None:
    """Moves of which nothing is known count as level."""
    view = own_view(pysearch.deal("cuttle", seed=1))
    found = pysearch.explain(view, Limit(iterations=1), worlds=1)
    assert sum(move.value == 0.5 and move.ahead == 0 for move in found.moves) >= len(found.moves) - 1
    with pytest.raises(ArgumentError, match="found 0 iterations"):
        pysearch.explain(view, Limit(iterations=0))
