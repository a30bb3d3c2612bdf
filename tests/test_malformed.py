"""Bad input, malformed.txt: one error, on one line, that names the field."""

import re
from pathlib import Path

import pytest

import pysearch
from pysearch import Limit
from pysearch.cards import BUCK_DECK, CUTTLE_DECK

LINES = Path(__file__).with_name("malformed.txt").read_text(encoding="utf-8").splitlines()
BASES = {match[1]: match[2] for match in (re.match(r"@(\w+) = (.*)", line) for line in LINES) if match}
CASES = [line for line in LINES[1:] if line.count(" | ") == 2]


def fill(text: str) -> str:
    """`*` stands for the cards that the text does not name; the up-card of Buck Euchre may lie elsewhere too."""
    deck = BUCK_DECK if text.startswith("buck") else CUTTLE_DECK
    named = set(re.findall(r"[A2-9TJQK][CDHS]", re.sub(r" up=\w+", "", text) if "trump=H" in text else text))
    return text.replace("*", "".join(name for name in deck.names if name not in named))


def change(name: str, words: list[str]) -> str:
    """The position of this name with some keys changed, or left out."""
    tag, *pairs = BASES[name].split()
    keys = dict(pair.split("=", 1) for pair in pairs)
    keys.update(dict(word.split("=", 1) for word in words))
    return fill(" ".join([tag, *(f"{key}={value}" for key, value in keys.items() if value)]))


def provoke(given: str) -> object:
    if given.startswith("> "):
        pos = pysearch.parse(change("cuttle", []))
        assert isinstance(pos, pysearch.Position)
        names = {"pysearch": pysearch, "Limit": Limit, "pos": pos, "view": pos.view(0)}
        return eval(given[2:], {**names, "over": pysearch.parse(change("over", []))})
    if given.startswith("!"):
        name, _, token = given[1:].partition(" ")
        pos = pysearch.parse(change(name, []))
        assert isinstance(pos, pysearch.Position)
        return pos.play(token)
    if given.startswith("@"):
        name, *words = given[1:].split()
        return pysearch.parse(change(name, [word.replace(r"\x00", "\0") for word in words]))
    return pysearch.parse(fill(given))


@pytest.mark.parametrize("name", BASES)
def test_the_positions_that_are_spoilt_are_good(name: str) -> None:
    text = change(name, [])
    assert pysearch.parse(str(pysearch.parse(text))) == pysearch.parse(text)


def test_there_are_many() -> None:
    assert len(CASES) == len(set(CASES)) > 150


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_one_error_that_names_the_field(case: str) -> None:
    given, field, piece = case.split(" | ")
    with pytest.raises(pysearch.Error) as caught:
        provoke(given)
    error = caught.value
    message = str(error)
    assert "\n" not in message
    assert len(message) < 300
    assert piece in message
    if given.startswith("!"):
        assert isinstance(error, pysearch.IllegalMove)
    else:
        found = error.argument if isinstance(error, pysearch.ArgumentError) else getattr(error, "field", None)
        assert found == field.replace(r"\x00", "\\x00")
        assert message.startswith(f"{found}: ")
