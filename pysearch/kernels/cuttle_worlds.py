"""The twin of csrc/cuttle_worlds.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Words, lowest, shl, with_field, word
from pysearch.kernels.cuttle import (
    CUTTLE_DECK,
    DUEL,
    HAND,
    STATUS,
    STOCK,
    cuttle_copy,
    cuttle_hidden,
    cuttle_stock_size,
    cuttle_viewer,
    cuttle_visible,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_CUTTLE_WORDS, PS_ERROR_NO_WORLD
from pysearch.kernels.rng import rng_below

CUTTLE_WORLDS = np.dtype(
    [("base", "u8", (PS_CUTTLE_WORDS,)), ("seat", "i4"), ("hidden", "i4"), ("unseen", "i4"), ("cards", "u1", (52,))],
    align=True,
)
_local_cards = stack(np.uint8)


@kernel
def cuttle_worlds_open(w: Record, view: Words) -> Int:
    viewer = cuttle_viewer(view)
    cuttle_copy(w.base, view)
    w.seat = w.hidden = w.unseen = np.int32(0)
    if viewer < 0:
        return 0
    seat, hidden, unseen = 1 - viewer, cuttle_hidden(view, 1 - viewer), 0
    c = CUTTLE_DECK & ~cuttle_visible(view)
    while c:
        w.cards[unseen] = lowest(c)
        unseen += 1
        c &= c - W1
    w.base[HAND + seat] &= CUTTLE_DECK
    w.base[STATUS] = with_field(w.base[STATUS], 14, 2, W0)
    w.seat, w.hidden, w.unseen = np.int32(seat), np.int32(hidden), np.int32(unseen)
    return 0 if unseen == hidden + cuttle_stock_size(view) else PS_ERROR_NO_WORLD


@kernel
def cuttle_worlds_draw(w: Record, r: Words, state: Words) -> None:
    cards = _local_cards(52)
    n, hidden, seat = np.int64(w.unseen), np.int64(w.hidden), np.int64(w.seat)
    cuttle_copy(state, w.base)
    for i in range(n):
        cards[i] = w.cards[i]
    for i in range(n):
        j = i + rng_below(r, n - i)
        card = np.int64(cards[j])
        cards[j] = cards[i]
        if i < hidden:
            state[HAND + seat] |= BIT(card)
        else:
            state[STOCK + (i - hidden >> 3)] |= shl(word(card), 8 * (i - hidden & 7))


@kernel
def cuttle_worlds_count(w: Record, factors: Words) -> Int:
    n, stock, hidden = 1, np.int64(w.unseen) - np.int64(w.hidden), np.int64(w.hidden)
    factors[0] = W1
    for i in range(1, hidden + 1):
        factors[0] = factors[0] * word(stock + i) // word(i)
    for i in range(stock, 1, -1):
        factors[n] = i
        n += 1
    return n


_EMPTY_DUEL = np.uint64((1 << 57) - 1 & ~((1 << 33) - (1 << 18)))


@kernel
def cuttle_deal(s: Words, r: Words, dealer: Int, scores: Words) -> None:  # C2
    deck = _local_cards(52)
    for i in range(PS_CUTTLE_WORDS):
        s[i] = W0
    s[DUEL] = _EMPTY_DUEL
    for i in range(52):
        deck[i] = i
    for i in range(51, -1, -1):
        j = rng_below(r, i + 1)
        card = np.int64(deck[j])
        deck[j] = deck[i]
        if i >= 47:
            s[HAND + 1 - dealer] |= BIT(card)
        elif i >= 41:
            s[HAND + dealer] |= BIT(card)
        else:
            s[STOCK + (i >> 3)] |= shl(word(card), 8 * (i & 7))
    s[STATUS] = word(1 - dealer | 41 << 8)
