"""Text, dictionaries and packed states say the same thing, however the text is spelt."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from referee import State
from referee.nasty import nasty_buck, nasty_cuttle, steer

from pysearch import NotationError, notation
from pysearch.cards import BUCK_DECK, CUTTLE_DECK
from pysearch.games import GAMES

CASES = Path(__file__).with_name("cases")
NASTY: dict[str, Callable[[random.Random], State]] = {"cuttle": nasty_cuttle, "buck_euchre": nasty_buck}

CUTTLE_VIEW = "cuttle/1 hands=8DX4/5HJCKS points=TH+JD/4C9S perms=-/QH scrap=AC2S3D stock=X36 known=8D/KS turn=1 view=1"
BUCK_VIEW = (
    "buck/1 hands=X4/KD9HJHAHTS/X5/X5 up=QH kitty=X3 buried=X1 dealer=3 turn=1 stage=play trump=H maker=1 trick=QS"
    " view=1"
)


def published_positions() -> list[str]:
    """Every position line of the cases, before and after the moves."""
    lines = []
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            lines += [case["position"], case.get("expect", {}).get("position")]
    return [line for line in lines if line]


def same(text: str, spelling: str) -> None:
    """Another spelling is the same packed state, and prints as the canonical line."""
    assert notation.read(spelling) == notation.read(text)
    assert notation.write(*notation.read(spelling)) == text


def both_ways(text: str) -> None:
    game, words = notation.read(text)
    assert notation.write(game, words) == text
    values = notation.to_dict(game, words)
    assert notation.from_dict(json.loads(json.dumps(values))) == (game, words)


# ---------------------------------------------------------------- positions


def test_parse_then_print_is_identity() -> None:
    lines = published_positions()
    assert len(lines) > 350
    for line in [*lines, CUTTLE_VIEW, BUCK_VIEW]:
        both_ways(line)


@pytest.mark.parametrize("game", NASTY)
def test_whatever_occurs_in_play_is_accepted(game: str, count: Callable[[int, int], int]) -> None:
    stages = set()
    for seed in range(count(40, 1000)):
        rng = random.Random(f"notation {game} {seed}")
        state = NASTY[game](rng)
        for _ in range(60):
            both_ways(str(state))
            for seat in range(state.seats):
                both_ways(str(state.view(seat)))
            stages.add(state.stage)
            if state.over:
                break
            state = state.play(steer(state, rng) if rng.random() < 0.5 else rng.choice(state.legal()))
    assert stages >= ({"main", "counter", "over"} if game == "cuttle" else {"stay", "play", "over"})


def test_keys_come_in_any_order() -> None:
    rng = random.Random(1)
    for text in (*published_positions()[::7], CUTTLE_VIEW, BUCK_VIEW):
        tag, *words = text.split()
        rng.shuffle(words)
        same(text, "   ".join([tag, *words]))


def test_cards_of_a_set_come_in_any_order() -> None:
    same(CUTTLE_VIEW, CUTTLE_VIEW.replace("AC2S3D", "3DAC2S").replace("5HJCKS", "KS5HJC").replace("4C9S", "9S4C"))
    same(BUCK_VIEW, BUCK_VIEW.replace("KD9HJHAHTS", "TSAHKDJH9H"))


def test_values_that_are_the_default_may_be_given() -> None:
    same(CUTTLE_VIEW, CUTTLE_VIEW + " passes=0 stage=main sevens=- oneoff=- counters=- revealed=-")
    same(BUCK_VIEW, BUCK_VIEW + " scores=25/25/25/25 out=- played=- voids=-/-/-/- tricks=0/0/0/0")


@pytest.mark.parametrize(
    "spelling",
    [
        CUTTLE_VIEW.lower(),
        CUTTLE_VIEW.replace("TH+JD", "10H+JD"),
        CUTTLE_VIEW.replace("TH+JD", "h10+dj"),
        CUTTLE_VIEW.replace("5HJCKS", "5♥J♣K♠").replace("8DX4", "8♦️X4"),
        CUTTLE_VIEW.replace("5HJCKS", "H5CJSK").replace("8D", "♢8"),
        CUTTLE_VIEW.replace("5HJCKS", "5H,JC,KS").replace("8DX4", "8D,X4"),
        CUTTLE_VIEW.replace("AC2S3D", "AC, 2S ,3D"),
        "\ufeff" + CUTTLE_VIEW + "\r\n",
        "# a view\r\n\r\n" + CUTTLE_VIEW + "   # of seat 1\r\n# the end",
        "\t" + CUTTLE_VIEW.replace(" ", "  \t"),
        CUTTLE_VIEW.replace("=", " = ").replace("/", " / "),
        CUTTLE_VIEW.upper(),
        CUTTLE_VIEW + " STAGE=MAIN",
        CUTTLE_VIEW.replace(" ", ", ").replace("cuttle/1,", "cuttle/1").replace("/", ",/").replace("cuttle,", "cuttle"),
    ],
)
def test_spelling_is_free(spelling: str) -> None:
    same(CUTTLE_VIEW, spelling)


@pytest.mark.parametrize("game", GAMES)
def test_every_card_has_all_its_spellings(game: str) -> None:
    deck = GAMES[game].deck
    for card, name in enumerate(deck.names):
        rank, suit = name[0], name[1]
        long = "10" if rank == "T" else rank
        sign = dict(zip("CDHS", "♣♦♥♠", strict=True))[suit]
        for spelling in (name, suit + rank, long + suit, suit + long, name.lower(), long + sign, sign + rank):
            assert deck.read(spelling, "scrap") == [card]
            assert deck.find(spelling) == card


def test_a_file_holds_any_number_of_lines() -> None:
    text = f"\ufeff# two\r\n{CUTTLE_VIEW} # one\r\n\r\n{BUCK_VIEW}\n#{BUCK_VIEW}"
    assert notation.lines_of(text) == [CUTTLE_VIEW, BUCK_VIEW]


# ---------------------------------------------------------------- views


def test_the_view_may_be_left_out_where_the_unknown_cards_tell_it() -> None:
    same(CUTTLE_VIEW, CUTTLE_VIEW.replace(" view=1", ""))
    same(BUCK_VIEW, BUCK_VIEW.replace(" view=1", ""))


def test_a_view_without_unknown_cards_says_so() -> None:
    scrap = "".join(name for name in CUTTLE_DECK.names if name not in ("5H", "JC"))
    text = f"cuttle/1 hands=5H/JC scrap={scrap} known=-/JC turn=0"
    both_ways(text)
    both_ways(f"{text} view=0")
    assert notation.read(text) != notation.read(f"{text} view=0")


def test_known_left_out_is_what_the_view_names() -> None:
    read = notation.to_dict(*notation.read(CUTTLE_VIEW.replace(" known=8D/KS", "")))
    assert read["known"] == [["8D"], []]


def test_known_left_out_is_what_glasses_see() -> None:
    text = CUTTLE_VIEW.replace("perms=-", "perms=8S").replace("X36", "X35").replace(" known=8D/KS", "")
    assert notation.to_dict(*notation.read(text))["known"] == [["8D"], ["5H", "JC", "KS"]]


def test_a_view_that_no_deal_fits_is_refused() -> None:
    """Five spades are unseen, and there is room for four: in the kitty and under the dealer."""
    with pytest.raises(NotationError, match="5 unseen cards of S have room in 4 places") as caught:
        notation.read(
            "buck/1 hands=QHKHAH/X3/X3/X3 up=9H kitty=X3 buried=X1 dealer=1 turn=3 stage=play trump=H maker=1"
            " played=TCAC9DTDQDKDTH9S voids=-/CS/S/CS tricks=1/0/0/1 view=0"
        )
    assert caught.value.field == "voids"


# ---------------------------------------------------------------- packed states


def test_equal_positions_have_equal_words_and_others_not() -> None:
    lines = sorted(set(published_positions()))
    assert len({notation.read(line) for line in lines}) == len(lines)


def test_words_are_laid_out_as_the_core_reads_them() -> None:
    game, words = notation.read(CUTTLE_VIEW)
    fields = [int.from_bytes(words[i : i + 8], "little") for i in range(0, len(words), 8)]
    index = CUTTLE_DECK.index
    assert len(fields) == game.words == 17
    assert fields[0] == 1 << index["8D"] | 4 << 52
    assert fields[2] == 1 << index["TH"]
    assert fields[4] == 1 << index["JD"]
    assert fields[8:15] == [0] * 7
    assert fields[15] == 63 | 63 << 6 | 63 << 12 | 63 << 33 | index["TH"] << 39 | 63 << 45 | 63 << 51
    assert fields[16] == 1 | 36 << 8 | 2 << 14
    game, words = notation.read(BUCK_VIEW)
    fields = [int.from_bytes(words[i : i + 8], "little") for i in range(0, len(words), 8)]
    index = BUCK_DECK.index
    assert len(fields) == game.words == 9
    assert fields[0] == 4 << 32
    assert fields[4] == 3 << 32
    assert fields[6] == index["QS"] | 1 << 20 | 0 << 23 | index["QH"] << 25 | 31 << 30 | 1 << 35
    assert fields[7] == 1 | 4 << 2 | 3 << 5 | 2 << 7 | 1 << 10 | 2 << 45
    assert fields[8] == 25 | 25 << 16 | 25 << 32 | 25 << 48


# ---------------------------------------------------------------- dictionaries


def test_a_dictionary_has_the_keys_with_lists() -> None:
    assert notation.to_dict(*notation.read(CUTTLE_VIEW)) == {
        "game": "cuttle", "hands": [["8D", "X4"], ["5H", "JC", "KS"]], "points": [["TH+JD"], ["4C", "9S"]],
        "perms": [[], ["QH"]], "scrap": ["AC", "2S", "3D"], "stock": ["X36"], "known": [["8D"], ["KS"]], "turn": 1,
        "passes": 0, "stage": "main", "sevens": [], "oneoff": None, "counters": [], "revealed": None, "view": 1,
    }  # fmt: skip
    assert notation.to_dict(*notation.read(BUCK_VIEW)) == {
        "game": "buck_euchre", "hands": [["X4"], ["KD", "9H", "JH", "AH", "TS"], ["X5"], ["X5"]], "up": "QH",
        "kitty": ["X3"], "buried": "X1", "dealer": 3, "scores": [25, 25, 25, 25], "turn": 1, "stage": "play",
        "trump": "H", "maker": 1, "out": [], "played": [], "voids": [[], [], [], []], "tricks": [0, 0, 0, 0],
        "trick": ["QS"], "view": 1,
    }  # fmt: skip


def test_a_dictionary_may_leave_out_defaults() -> None:
    for text in (CUTTLE_VIEW, BUCK_VIEW):
        game, words = notation.read(text)
        full = notation.to_dict(game, words)
        short = {key: value for key, value in full.items() if value not in (None, [], 0, [[], []], [[], [], [], []])}
        assert notation.from_dict({**short, "turn": full["turn"]}) == (game, words)
        assert notation.from_dict({**full, "game": game.tag}) == (game, words)


# ---------------------------------------------------------------- moves


@pytest.mark.parametrize("name", GAMES)
def test_move_tokens_and_codes_are_the_same_moves(name: str) -> None:
    game = GAMES[name]
    tokens: set[str] = set()
    for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        tokens.update(case["moves"], case["expect"].get("legal", []), case["expect"].get("legal_has", []))
    assert len(tokens) > 100 if name == "cuttle" else len(tokens) > 30
    codes = {token: game.read_move(token) for token in tokens}
    assert len(set(codes.values())) == len(tokens)
    for token, code in codes.items():
        assert code is not None
        assert game.write_move(code) == token


@pytest.mark.parametrize(
    ("token", "spellings"),
    [
        ("draw", ["DRAW", " draw "]),
        ("5H", ["5h", "H5", "h5", "5♥", "♥5"]),
        ("TH", ["10H", "th", "h10", "10♥"]),
        ("9HxTD", ["9hxtd", "9HX10D", "♥9x♦10", "H9xDT"]),
        ("6C@", ["6c@", "♣6@"]),
        ("2S@KC", ["2s@kc", "S2@CK"]),
        ("JD@TH", ["jd@10h"]),
        ("c2C", ["c2c", "C2C", "cc2", "c♣2"]),
        ("2C", ["c2", "C2"]),
        ("t7H", ["t7h", "th7", "T7H"]),
        ("tTH", ["tth", "t10H", "tht"]),
        ("d5H9C", ["d9C5H", "d5h9c", "D5H9C", "d9C,5H", "dH5C9"]),
    ],
)
def test_moves_of_cuttle_are_read_in_many_spellings(token: str, spellings: list[str]) -> None:
    code = GAMES["cuttle"].read_move(token)
    assert code is not None
    assert GAMES["cuttle"].write_move(code) == token
    for spelling in spellings:
        assert GAMES["cuttle"].read_move(spelling) == code, spelling


@pytest.mark.parametrize(
    ("token", "spellings"),
    [
        ("order", ["Order"]),
        ("D", ["d", "♦"]),
        ("d9H", ["d9h", "dh9", "D9♥"]),
        ("9D", ["d9", "9♦"]),
        ("dTH", ["dth", "d10h", "dht"]),
        ("dX", ["dx"]),
        ("JH", ["jh", "hj", "♥J"]),
    ],
)
def test_moves_of_buck_euchre_are_read_in_many_spellings(token: str, spellings: list[str]) -> None:
    code = GAMES["buck_euchre"].read_move(token)
    assert code is not None
    assert GAMES["buck_euchre"].write_move(code) == token
    for spelling in spellings:
        assert GAMES["buck_euchre"].read_move(spelling) == code, spelling
