"""The twin of csrc/buck_worlds.h, function by function."""

import numpy as np
from numba import types

from pysearch.kernels.bits import (
    BIT,
    W0,
    W1,
    Int,
    Record,
    Word,
    Words,
    field,
    lowest,
    nth_bit,
    number,
    popcount,
    shl,
    with_field,
    word,
)
from pysearch.kernels.buck import (
    BUCK_DECK,
    BUCK_NO_CARD,
    BUCK_NONE,
    HAND,
    KITTY,
    SCORES,
    STATUS,
    TABLE,
    buck_buried_hidden,
    buck_copy,
    buck_dealer,
    buck_hidden,
    buck_set_buried,
    buck_set_trump,
    buck_start_play,
    buck_suit_cards,
    buck_trump,
    buck_up,
    buck_visible,
    buck_voids,
    local_words,
)
from pysearch.kernels.jit import kernel, recursion
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_BUCK_WORDS, PS_ERROR_NO_WORLD
from pysearch.kernels.rng import rng_below, rng_below64

_local_cards = stack(np.int64)


@kernel
def buck_deal(s: Words, r: Words, dealer: Int, scores: Words) -> None:
    """B3."""
    deck = _local_cards(24)
    for i in range(PS_BUCK_WORDS):
        s[i] = W0
    for i in range(24):
        deck[i] = i
    for i in range(23, 0, -1):
        j = rng_below(r, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    for i in range(20):
        s[HAND + ((dealer + 1 + i // 5) & 3)] |= BIT(deck[i])
    for i in range(21, 24):
        s[KITTY] |= BIT(deck[i])
    for seat in range(4):
        s[SCORES] |= shl(word(np.int64(scores[seat]) & 65535), 16 * seat)
    s[TABLE] = word(BUCK_NO_CARD << 30 | deck[20] << 25)
    s[STATUS] = word((dealer + 1) & 3 | dealer << 5 | BUCK_NONE << 7 | BUCK_NONE << 10)
    if deck[20] < 6:  # B4
        buck_set_trump(s, 0)
        buck_start_play(s)


BUCK_KITTY, BUCK_BURIED, BUCK_BINS = 4, 5, 6  # bins 0-3 are the hands
BUCK_MAX_SPLITS = 2 * 21 * 21

BUCK_WORLDS = np.dtype(
    [
        ("base", "u8", (PS_BUCK_WORDS,)),
        ("unseen", "u8"),
        ("up", "u8"),
        ("lanes", "u8", (4,)),
        ("allowed", "u8", (4,)),
        ("suit", "u8", (4,)),
        ("bins", "i8", (2, BUCK_BINS)),
        ("bound", "i8", (3,)),
        ("bounds", "i8"),
        ("last_free", "i8"),
        ("entries", "i8"),
        ("buried_from", "i8"),
        ("total", "u8"),
        ("sum", "u8", (BUCK_MAX_SPLITS,)),
        ("split", "u8", (BUCK_MAX_SPLITS,)),
    ],
    align=True,
)

_FACTORIAL = np.array([1, 1, 2, 6, 24, 120, 720], np.uint64)
_LANE, _LANES, _M = np.uint64(255), np.uint64(0x01010101), np.uint64(0xFFFFFFFF)


@kernel
def buck_choose(n: Int, k: Int) -> Word:
    product = W1
    if k > n:
        return W0
    for i in range(k):
        product *= word(n - i)
    return product // _FACTORIAL[k]


@kernel
def buck_is_bound(w: Record, bin: Int) -> Int:
    bound = False
    for i in range(w.bounds):
        bound |= w.bound[i] == bin
    return bound


@kernel
def buck_sum_lanes(left: Word, lanes: Word) -> Int:
    return number(((left & lanes) * _LANES & _M) >> np.uint64(24))


_again = recursion(types.none, 8)


@kernel
def buck_add_splits(w: Record, which: Int, weight: Word, taken: Word, left: Word, i: Int, suit: Int, need: Int) -> None:
    """The fields of a buck_split one by one; `which` of the two rows of bins."""
    lanes = w.lanes[w.bound[i]] if w.bounds else W0
    if i + 1 >= w.bounds:
        weight *= buck_choose(buck_sum_lanes(left, lanes), need)
        if weight:
            w.total += weight
            w.split[w.entries] = taken
            w.sum[w.entries] = w.total
            w.entries += 1
        return
    if suit == 4:
        _again(w, which, weight, taken, left, i + 1, 0, w.bins[which, w.bound[i + 1]])
        return
    here = buck_sum_lanes(left, lanes & shl(_LANE, 8 * suit))
    later = buck_sum_lanes(left, lanes & shl(~_LANE, 8 * suit))
    n = need - later if need > later else 0
    while n <= here and n <= need:
        _again(
            w,
            which,
            weight * buck_choose(here, n),
            taken | shl(word(n), 16 * i + 4 * suit),
            left - shl(word(n), 8 * suit),
            i,
            suit + 1,
            need - n,
        )
        n += 1


@kernel
def buck_add_entries(w: Record, which: Int, ways: Int) -> None:
    left = W0
    for suit in range(4):
        left |= shl(word(popcount(w.suit[suit])), 8 * suit)
    buck_add_splits(w, which, word(ways), W0, left, 0, 0, w.bins[which, w.bound[0]] if w.bounds else 0)


@kernel
def buck_place_up(w: Record) -> None:
    """B5."""
    dealer = buck_dealer(w.base)
    hand, bound, free_cards = w.bins[0, dealer], buck_is_bound(w, dealer), 0
    for bin in range(BUCK_BINS):
        if not buck_is_bound(w, bin):
            free_cards += w.bins[0, bin]
    if hand and not buck_voids(w.base, dealer) >> buck_trump(w.base) & 1:
        w.bins[0, dealer] -= 1
        buck_add_entries(w, 0, free_cards if bound else hand)
    w.buried_from = w.entries
    w.bins[1, BUCK_BURIED] -= 1
    buck_add_entries(w, 1, 1)


@kernel
def buck_worlds_open(w: Record, view: Words) -> Int:
    unseen = BUCK_DECK & ~buck_visible(view)
    up, places, base = unseen & BIT(buck_up(view)), 0, w.base
    buck_copy(base, view)
    for bin in range(BUCK_BINS):
        n = buck_buried_hidden(view) if bin == BUCK_BURIED else buck_hidden(view[HAND + bin])  # bin 4 is the kitty
        w.bins[0, bin] = n
        w.bins[1, bin] = n
        places += n
    for seat in range(4):
        base[HAND + seat] &= BUCK_DECK
    base[KITTY] &= BUCK_DECK
    base[TABLE] &= ~BIT(35)
    base[STATUS] = with_field(view[STATUS], 45, 3, W0)
    if places != popcount(unseen) or (up and not buck_buried_hidden(view)):
        return PS_ERROR_NO_WORLD

    w.up = up
    w.unseen = unseen & ~up
    w.bounds = 0
    w.last_free = BUCK_KITTY
    for suit in range(4):
        w.suit[suit] = w.unseen & buck_suit_cards(suit, buck_trump(view))
    for seat in range(4):
        voids = buck_voids(view, seat)
        w.allowed[seat] = W0
        w.lanes[seat] = W0
        for suit in range(4):
            if not voids >> suit & 1:
                w.allowed[seat] |= w.suit[suit]
                w.lanes[seat] |= shl(_LANE, 8 * suit)
        if w.bins[0, seat] and voids:
            w.bound[w.bounds] = seat
            w.bounds += 1
        elif w.bins[0, seat]:
            w.last_free = seat
    if w.last_free == BUCK_KITTY and w.bins[0, BUCK_BURIED]:
        w.last_free = BUCK_BURIED

    w.entries = 0
    w.total = W0
    if up:
        buck_place_up(w)
    else:
        buck_add_entries(w, 0, 1)
        w.buried_from = w.entries
    return 0 if w.entries else PS_ERROR_NO_WORLD


@kernel
def buck_worlds_count(w: Record, factors: Words) -> Int:
    which, n, left = 1 if w.up else 0, 1, 0
    factors[0] = w.total
    for bin in range(BUCK_BINS):
        if not buck_is_bound(w, bin):
            left += w.bins[which, bin]
    for bin in range(BUCK_BINS):
        if not buck_is_bound(w, bin):
            factors[n] = buck_choose(left, w.bins[which, bin])
            n += 1
            left -= w.bins[which, bin]
    return n


@kernel
def buck_draw_cards(from_: Words, kind: Word, n: Int, r: Words) -> Word:
    drawn, rest = W0, from_[0] & kind
    size = popcount(rest)
    while n > 0:
        card = BIT(nth_bit(rest, rng_below(r, size)))
        rest ^= card
        drawn |= card
        n -= 1
        size -= 1
    from_[0] ^= drawn
    return drawn


@kernel
def buck_draw_bound(w: Record, e: Int, which: Int, rest: Words, drawn: Words, r: Words) -> None:
    for i in range(w.bounds - 1):
        for suit in range(4):
            n = field(w.split[e], 16 * i + 4 * suit, 4)
            drawn[w.bound[i]] |= buck_draw_cards(rest, w.suit[suit], n, r)
    last = w.bound[w.bounds - 1]
    drawn[last] |= buck_draw_cards(rest, w.allowed[last], w.bins[which, last], r)


_ORDER = np.array([BUCK_KITTY, BUCK_BURIED, 0, 1, 2, 3])


@kernel
def buck_draw_free(w: Record, which: Int, rest: Word, drawn: Words, r: Words) -> None:
    cards, size, c = _local_cards(24), 0, rest
    while c:
        cards[size] = lowest(c)
        size += 1
        c &= c - W1
    for b in range(BUCK_BINS):
        bin = _ORDER[b]
        if bin == w.last_free or buck_is_bound(w, bin):
            continue
        for _ in range(w.bins[which, bin]):
            j = rng_below(r, size)
            card = BIT(cards[j])
            size -= 1
            cards[j] = cards[size]
            drawn[bin] |= card
            rest ^= card
    drawn[w.last_free] |= rest


@kernel
def buck_worlds_draw(w: Record, r: Words, state: Words) -> None:
    drawn, rest, e = local_words(BUCK_BINS), local_words(1), 0
    for bin in range(BUCK_BINS):
        drawn[bin] = W0
    rest[0] = w.unseen
    buck_copy(state, w.base)
    if w.entries > 1:
        x, step = rng_below64(r, w.total), 512
        while step:
            if e + step <= w.entries - 1 and w.sum[e + step - 1] <= x:
                e += step
            step >>= 1
    buried = e >= w.buried_from
    which = 1 if buried else 0
    drawn[BUCK_BURIED if buried else buck_dealer(w.base)] = w.up
    if w.bounds:
        buck_draw_bound(w, e, which, rest, drawn, r)
    buck_draw_free(w, which, rest[0], drawn, r)

    for seat in range(4):
        state[HAND + seat] |= drawn[seat]
    state[KITTY] |= drawn[BUCK_KITTY]
    if drawn[BUCK_BURIED]:
        buck_set_buried(state, lowest(drawn[BUCK_BURIED]))
