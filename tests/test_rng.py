"""The random numbers are a contract: written again from the words of csrc/rng.h, they give the same playouts."""

from collections.abc import Iterator

import pytest
from referee import State, buck, cuttle
from referee import parse as referee_parse

import pysearch

DEAL, WORLD, PLAYOUT = 0, 1, 2
MASK = 0xFFFFFFFF


def mix32(x: int) -> int:
    x ^= x >> 16
    x = x * 0x21F0AAAD & MASK
    x ^= x >> 15
    x = x * 0x735A2D97 & MASK
    return x ^ x >> 15


def words(seed: int, use: int, index: int) -> Iterator[int]:
    low, high, top = seed & MASK, seed >> 32, index >> 32
    s0 = mix32(mix32(mix32(low + 0x85EBCA6B & MASK) ^ high) + use * 0xC2B2AE35 + top * 0x27D4EB2F & MASK)
    s1 = mix32(mix32(mix32(low ^ 0x165667B1) + high & MASK) ^ (use * 0x9E3779B1 + top * 0x85EBCA77 & MASK))
    x, g = mix32(s0 + (index & MASK) & MASK), mix32(s1 ^ index & MASK) | 1
    while True:
        x = x + g & MASK
        yield mix32(x) << 32 | mix32(x ^ 0x9E3779B9)


def below(stream: Iterator[int], n: int) -> int:
    return (next(stream) >> 32) * n >> 32


def test_vectors() -> None:
    stream = words(1, 0, 0)
    assert [next(stream) for _ in range(3)] == [0x912DFD6B1E0B061F, 0xC8ABC0C6EFD3D19D, 0xA292B8A2713CA176]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 + 5, 2**64 - 1])
def test_a_deal_is_the_shuffle_of_its_seed(seed: int) -> None:
    stream = words(seed, DEAL, 0)
    ranks = "A23456789TJQK"
    deck = [r + s for r in ranks for s in "CDHS"]
    drawn = []
    for i in range(51, -1, -1):
        j = below(stream, i + 1)
        drawn.append(deck[j])
        deck[j] = deck[i]
    state = referee_parse(str(pysearch.deal("cuttle", seed=seed, dealer=1)))
    assert state.hands == [set(drawn[:5]), set(drawn[5:11])]
    assert isinstance(state, cuttle.State)
    assert state.stock == drawn[11:]


def by_trump(card: str, trump: str) -> tuple[int, int]:
    """Place of a card in the order by trump (csrc/buck.h): suits from the lowest byte, weakest card first."""
    suit = buck.suit_of(card, trump)
    if trump == "N":
        return "CDHS".index(suit), "9TJQKA".index(card[0])
    mate = "SHDC"["CDHS".index(trump)]
    others = [s for s in "CDHS" if s not in (trump, mate)]
    place = 3 if suit == trump else 2 if suit == mate else others.index(suit)
    if card[0] == "J" and suit == trump:
        return place, 9 if card[1] == trump else 8
    return place, "9TJQKA".index(card[0])


def playout(state: State, seed: int, index: int) -> tuple[int, State]:
    """One uniform playout as rng.h says it goes, by the referee's rules; the engine lists the moves."""
    stream = words(seed, PLAYOUT, index)
    plies, word = 0, 0
    while not state.over and plies < 512:
        legal = [str(move) for move in pysearch_moves(state)]
        if isinstance(state, buck.State) and state.stage == "play":
            place = len(state.trick)
            assert state.trump is not None
            trump = state.trump
            legal.sort(key=lambda card: by_trump(card, trump))
            if len(state.hands[state.turn]) == 1:
                k = 0
            else:
                word = next(stream) if place == 0 or plies == 0 else word
                k = (word >> 16 * place & 0xFFFF) * len(legal) >> 16
        else:
            k = below(stream, len(legal))
        state = state.play(legal[k])
        plies += 1
    return plies, state


def pysearch_moves(state: State) -> list[str]:
    pos = pysearch.parse(str(state))
    assert isinstance(pos, pysearch.Position)
    return pos.legal_moves()


@pytest.mark.parametrize("game", ["cuttle", "buck_euchre"])
def test_a_playout_draws_the_move_that_its_word_names(game: str) -> None:
    n = 12
    for seed in range(8):
        pos = pysearch.deal(game, seed=seed)
        for move in ["order", "d", "drop", "stay", "stay"][: seed % 6] if game == "buck_euchre" else []:
            legal = pos.legal_moves()
            pos = pos.play(next((token for token in legal if token.startswith(move)), legal[0]))
        total, plies = [0.0] * pos.seats, 0
        for index in range(n):
            made, end = playout(referee_parse(str(pos)), seed, index)
            plies += made
            over = pysearch.parse(str(end))
            assert over.outcome is not None
            total = [a + b for a, b in zip(total, over.outcome.returns, strict=True)]
        rolled = pysearch.rollout(pos, n, seed=seed)
        assert rolled.games == n
        assert rolled.plies == plies
        assert list(rolled.returns) == pytest.approx([t / n for t in total], abs=1e-4)
