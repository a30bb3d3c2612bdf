"""The conformance cases and perft counts, confirmed by a model of their own: engine and referee must both agree."""

import json
from pathlib import Path
from typing import Any

import pytest
from referee import parse as referee_parse

import pysearch

CASES = Path(__file__).parent / "cases"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


RULES = read("cuttle.jsonl") + read("buck_euchre.jsonl")
PERFT = read("perft.jsonl")


@pytest.mark.parametrize("case", RULES, ids=lambda case: f"{case['game']}-{case['name']}")
def test_the_engine_plays_the_case(case: dict[str, Any]) -> None:
    pos = pysearch.parse(case["position"])
    assert isinstance(pos, pysearch.Position)
    assert pos.game == case["game"]
    assert str(pos) == case["position"]
    for move in case["moves"]:
        pos = pos.play(move)
    expect = dict(case["expect"])
    if "position" in expect:
        assert str(pos) == expect.pop("position")
    if "to_move" in expect:
        assert pos.to_move == expect.pop("to_move")
    legal = pos.legal_moves()
    if "legal" in expect:
        assert sorted(legal) == sorted(expect.pop("legal"))
    assert set(expect.pop("legal_has", [])) <= set(legal)
    assert not set(expect.pop("legal_lacks", [])) & set(legal)
    if "illegal" in expect:
        with pytest.raises(pysearch.IllegalMove) as error:
            pos.play(expect.pop("illegal"))
        assert list(error.value.legal) == legal
    if expect:
        assert pos.outcome is not None
        for key, value in expect.items():
            assert list(getattr(pos.outcome, key)) == value, key


@pytest.mark.parametrize("case", RULES, ids=lambda case: f"{case['game']}-{case['name']}")
def test_the_referee_plays_the_case(case: dict[str, Any]) -> None:
    state = referee_parse(case["position"])
    for move in case["moves"]:
        state = state.play(move)
    expect = case["expect"]
    if "position" in expect:
        assert str(state) == expect["position"]
    if "legal" in expect:
        assert sorted(state.legal()) == sorted(expect["legal"])
    if "to_move" in expect:
        assert state.to_move == expect["to_move"]


@pytest.mark.parametrize("case", PERFT, ids=lambda case: case["position"][:60])
def test_perft_counts_match(case: dict[str, Any]) -> None:
    pos = pysearch.parse(case["position"])
    assert isinstance(pos, pysearch.Position)
    for depth, expected in enumerate(case["depths"], start=1):
        found = pysearch.perft(pos, depth)
        assert found == expected, divide(pos, depth)


def divide(pos: pysearch.Position, depth: int) -> str:
    """The count below each first move: where two engines differ, these lines say under which move."""
    below = {move: pysearch.perft(pos.play(move), depth - 1) for move in pos.legal_moves()}
    return f"depth {depth}: " + ", ".join(f"{move} {n}" for move, n in below.items())


def test_perft_of_depth_zero_is_one() -> None:
    assert pysearch.perft(pysearch.deal("cuttle", seed=1), 0) == 1
