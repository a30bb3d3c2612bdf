"""The twin of csrc/buck_playout.h, function by function."""

import numpy as np

from pysearch.kernels.bits import W0, W1, Int, Record, Word, Words, lowest, popcount, shl, shr, word
from pysearch.kernels.buck import (
    BUCK_NO_TRUMP,
    BUCK_PLAY,
    HAND,
    PLAYED,
    STATUS,
    buck_finish,
    buck_legal_cards,
    buck_length,
    buck_moves,
    buck_out,
    buck_pack,
    buck_pack_two,
    buck_play,
    buck_play_card,
    buck_set_turn,
    buck_stage,
    buck_trump,
    buck_turn,
    buck_unpack_card,
    local_moves,
    local_words,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.rng import rng_below, rng_word

_LANE, _QUARTER = np.uint64(255), np.uint64(65535)
BUCK_TRUMPS = np.uint64(255 << 24)  # byte 3


@kernel
def buck_peel(cards: Word, rest: Words) -> Int:
    n = 1 if cards else 0
    rest[0] = cards
    for k in range(1, 5):
        rest[k] = rest[k - 1] & (rest[k - 1] - W1)
        n += 1 if rest[k] else 0
    return n


@kernel
def buck_nth_card(cards: Word, n: Int, word_: Word) -> Word:
    rest = local_words(5)
    buck_peel(cards, rest)
    card = rest[(word_ & _QUARTER) * word(n) >> np.uint64(16)]
    return card & (W0 - card)


@kernel
def buck_pick(cards: Word, word_: Word) -> Word:
    rest = local_words(5)
    n = buck_peel(cards, rest)
    card = rest[(word_ & _QUARTER) * word(n) >> np.uint64(16)]
    return card & (W0 - card)


BUCK_ROUND = np.dtype(
    [
        ("hand", "u8", (4,)),
        ("step", "i8", (4,)),
        ("leader", "i8"),
        ("trumps", "u8"),
        ("taken", "u8"),
    ],
    align=True,
)
_local_round = stack(BUCK_ROUND)


@kernel
def buck_follow(hand: Word, led: Word) -> Word:
    """B10."""
    return hand & led if hand & led else hand


@kernel
def buck_play_trick(t: Record, n: Int, word_: Word) -> None:
    hand, step, i0 = t.hand, t.step, t.leader & 3
    i1, i2, i3 = (i0 + 1) & 3, (i0 + 2) & 3, (i0 + 3) & 3
    c0, c1, c2, c3 = hand[i0], hand[i1], hand[i2], hand[i3]
    if n > 1:
        c0 = buck_nth_card(c0, n, word_)
        hand[i0] ^= c0
    led = shl(_LANE, lowest(c0) & 24)
    if n > 1:
        word_ = shr(word_, 16)
        c1 = buck_pick(buck_follow(c1, led), word_)
        hand[i1] ^= c1
        word_ = shr(word_, step[i1])
        c2 = buck_pick(buck_follow(c2, led), word_)
        hand[i2] ^= c2
        word_ = shr(word_, step[i2])
        c3 = buck_pick(buck_follow(c3, led), word_)
        hand[i3] ^= c3
    winning = led | t.trumps  # B10
    c1 &= winning
    c2 &= winning
    c3 &= winning
    a, ia = (c1, i1) if c1 > c0 else (c0, i0)
    b, ib = (c3, i3) if c3 > c2 else (c2, i2)
    leader = ib if b > a else ia
    t.leader = leader
    t.taken += shl(W1, 3 * leader)


@kernel
def buck_play_out(s: Words, r: Words) -> Int:
    trump, first, out = buck_trump(s), buck_turn(s), buck_out(s)
    left = popcount(s[HAND + first])
    hand, t = local_words(4), _local_round(1)[0]
    t.leader = first
    t.trumps = BUCK_TRUMPS if trump < BUCK_NO_TRUMP else W0
    t.taken = W0
    for seat in range(4):
        if out >> seat & 1:
            hand[seat] = W0
            t.step[seat] = 0
        else:
            hand[seat] = s[HAND + seat]
            t.step[seat] = 16
            s[HAND + seat] = W0
    s[PLAYED] |= hand[0] | hand[1] | hand[2] | hand[3]
    first_two = buck_pack_two(hand[0] | shl(hand[1], 32), trump)
    last_two = buck_pack_two(hand[2] | shl(hand[3], 32), trump)
    low = np.uint64(0xFFFFFFFF)
    t.hand[0] = first_two & low
    t.hand[1] = shr(first_two, 32)
    t.hand[2] = last_two & low
    t.hand[3] = shr(last_two, 32)

    for n in range(left, 1, -1):
        buck_play_trick(t, n, rng_word(r))
    last = (t.leader + 3) & 3  # the seat that will move last
    while out >> last & 1:
        last = (last + 3) & 3
    buck_play_trick(t, 1, W0)

    s[STATUS] += shl(t.taken, 33)
    buck_set_turn(s, last)
    buck_finish(s)
    return left * (4 - popcount(word(out)))


@kernel
def buck_play_on(s: Words, r: Words) -> Int:
    trump, hand = buck_trump(s), s[HAND + buck_turn(s)]
    last = hand & (hand - W1) == W0
    word_ = W0 if last else shr(rng_word(r), 16 * buck_length(s))
    plies = 0
    while buck_length(s):
        card = buck_pick(buck_pack(buck_legal_cards(s), trump), word_)
        buck_play_card(s, buck_unpack_card(lowest(card), trump))
        plies += 1
        word_ = shr(word_, 16)
    return plies


@kernel
def buck_playout(s: Words, r: Words, cap: Int) -> Int:
    plies, moves = 0, local_moves(6)
    while buck_stage(s) < BUCK_PLAY:
        n = buck_moves(s, moves)
        buck_play(s, np.int64(moves[rng_below(r, n)]))
        plies += 1
    if buck_stage(s) == BUCK_PLAY and buck_length(s):
        plies += buck_play_on(s, r)
    if buck_stage(s) == BUCK_PLAY:
        plies += buck_play_out(s, r)
    return plies
