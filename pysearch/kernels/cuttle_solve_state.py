"""The twin of csrc/cuttle_solve_state.h, function by function.

A position is a struct of the same 64 bytes. Fields that lie over others stand for casts: `words` is the whole, `link`
the bytes of `jacks`, `rest` the last eight bytes.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, field, lowest, popcount, shl, shr
from pysearch.kernels.cuttle import (
    CUTTLE_AIMED,
    CUTTLE_ANSWER,
    CUTTLE_COUNTER,
    CUTTLE_DECK,
    CUTTLE_DECLINE,
    CUTTLE_DISCARD,
    CUTTLE_DISCARDS,
    CUTTLE_DRAW,
    CUTTLE_EFFECT,
    CUTTLE_JACK,
    CUTTLE_MAIN,
    CUTTLE_NO_CARD,
    CUTTLE_NUMBERS,
    CUTTLE_OVER,
    CUTTLE_PASS,
    CUTTLE_PERM,
    CUTTLE_POINTS,
    CUTTLE_RANK,
    CUTTLE_SCUTTLE,
    CUTTLE_SEVEN,
    CUTTLE_TAKE,
    CUTTLE_TAKES,
    DUEL,
    HAND,
    PERMS,
    POINTS,
    RANK_2,
    RANK_3,
    RANK_4,
    RANK_5,
    RANK_6,
    RANK_7,
    RANK_8,
    RANK_9,
    RANK_A,
    RANK_J,
    RANK_K,
    RANK_Q,
    SCRAP,
    cuttle_card,
    cuttle_counters,
    cuttle_jack_link,
    cuttle_kind,
    cuttle_oneoff,
    cuttle_other,
    cuttle_passes,
    cuttle_rank,
    cuttle_result,
    cuttle_revealed,
    cuttle_stage,
    cuttle_stock_size,
    cuttle_sum,
    cuttle_target,
    cuttle_turn,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack

_BYTES = ["turn", "passes", "stage", "stock", "card", "target", "twos", "sevens"]
_CASTS = ["words", "link", "rest"]
CS_STATE = np.dtype(
    {
        "names": ["hand", "table", "scrap", "jacked", "jacks", "score", "swaps", "winner", *_BYTES, *_CASTS],
        "formats": ["2u8", "2u8", "u8", "u8", "4u1", "2i1", "u1", "u1", *8 * ["u1"], "8u8", "u4", "u8"],
        "offsets": [0, 16, 32, 40, 48, 52, 54, 55, *range(56, 64), 0, 48, 56],
        "itemsize": 64,
    },
    align=True,
)
local_states = stack(CS_STATE)

CS_QUEENS, CS_KINGS, CS_GLASSES, CS_NAMELESS = 44, 48, 52, 40

THREES, EIGHTS = CUTTLE_RANK[RANK_3], CUTTLE_RANK[RANK_8]
JACKS, QUEENS, KINGS = CUTTLE_RANK[RANK_J:]

_15 = np.uint64(15)


@kernel
def cs_copy(to: Record, from_: Record) -> None:
    for i in range(8):
        to.words[i] = from_.words[i]


@kernel
def cs_put(cards: Word, card: Int) -> Word:
    if card < CS_NAMELESS:
        return cards | BIT(card)
    at = card & 60
    return cards | shl((shr(cards, at) & _15) + W1, at)


@kernel
def cs_take(cards: Word, card: Int) -> Word:
    if card < CS_NAMELESS:
        return cards & ~BIT(card)
    at = card & 60
    run = shr(cards, at) & _15
    return cards ^ shl(run ^ run >> W1, at)


@kernel
def cs_value(card: Int) -> Int:
    return (card >> 2) + 1


_GOAL = np.array([21, 14, 0, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5])


@kernel
def cs_goal(s: Record, p: Int) -> Int:  # C24
    return _GOAL[field(s.table[p], CS_KINGS, 4)]


@kernel
def cs_need(s: Record, p: Int) -> Int:
    return cs_goal(s, p) - np.int64(s.score[p])


@kernel
def cs_has_queen(s: Record, p: Int) -> Int:
    return np.int64(s.table[p] & QUEENS != W0)


@kernel
def cs_points(s: Record, p: Int) -> Word:
    return s.table[p] & CUTTLE_NUMBERS


@kernel
def cs_to_move(s: Record) -> Int:
    turn, stage = np.int64(s.turn), np.int64(s.stage)
    if stage == CUTTLE_COUNTER:
        return turn ^ 1 ^ (popcount(np.uint64(s.twos)) & 1)
    return turn ^ 1 if stage == CUTTLE_DISCARD else turn


@kernel
def cs_nameless(cards: Word) -> Word:
    nameless = cards & CUTTLE_NUMBERS
    for r in range(RANK_J, RANK_K + 1):
        nameless |= shl(BIT(popcount(shr(cards, 4 * r) & _15)) - W1, 4 * r)
    return nameless


@kernel
def cs_sort_jacks(s: Record) -> None:
    for i in range(1, 4):
        j = i
        while j and s.jacks[j] < s.jacks[j - 1]:
            t = s.jacks[j]
            s.jacks[j] = s.jacks[j - 1]
            s.jacks[j - 1] = t
            j -= 1


@kernel
def cs_target(g: Words, card: Int) -> Int:
    if card == CUTTLE_NO_CARD:
        return card
    rank = cuttle_rank(card)
    if rank == RANK_8:
        return CS_GLASSES + (card & 3)
    if rank == RANK_J:
        return cuttle_jack_link(g, card & 3)
    return 4 * rank + field(g[PERMS + 1], card, 1)


@kernel
def cs_from_state(g: Words, s: Record) -> None:
    for i in range(8):
        s.words[i] = W0
    for p in range(2):
        s.hand[p] = cs_nameless(g[HAND + p] & CUTTLE_DECK)
        glasses = shl(g[PERMS + p] & EIGHTS, CS_GLASSES - 4 * RANK_8)
        s.table[p] = g[POINTS + p] | cs_nameless(g[PERMS + p] & (QUEENS | KINGS)) | glasses
        s.score[p] = np.int8(cuttle_sum(g[POINTS + p]))
    s.scrap = cs_nameless(g[SCRAP])
    for i in range(4):
        under = cuttle_jack_link(g, i)
        s.jacks[i] = np.uint8(under)
        if under != CUTTLE_NO_CARD:
            s.jacked |= BIT(under)
    cs_sort_jacks(s)
    s.turn = np.uint8(cuttle_turn(g))
    s.passes = np.uint8(cuttle_passes(g))
    stage = cuttle_stage(g)
    s.stage = np.uint8(stage)
    s.stock = np.uint8(cuttle_stock_size(g))
    card = cuttle_revealed(g) if stage == CUTTLE_SEVEN else cuttle_oneoff(g)
    if card >= CS_NAMELESS and card != CUTTLE_NO_CARD:
        card &= 60
    s.card = np.uint8(card)
    s.target = np.uint8(cs_target(g, cuttle_target(g)))
    for i in range(cuttle_counters(g)):
        s.twos |= np.uint8(1 << field(g[DUEL], 21 + 2 * i, 2))
    s.sevens = np.uint8(field(g[DUEL], 29, 4))
    result = cuttle_result(g)
    s.winner = np.uint8(result - 1 if result else 0)


_FACTORIAL = np.array([1, 1, 2, 6, 24])


@kernel
def cs_swap_limit(s: Record) -> Int:
    a, b, c = popcount(s.hand[0] & THREES), popcount(s.hand[1] & THREES), popcount(s.scrap & THREES)
    return 1 + 2 * _FACTORIAL[a + b + c] // (_FACTORIAL[a] * _FACTORIAL[b] * _FACTORIAL[c])


@kernel
def cs_endless(s: Record) -> Int:
    return np.int64(s.swaps != 0 and s.stage == CUTTLE_MAIN and np.int64(s.swaps) > cs_swap_limit(s))


# ---- key ----


def _fold(typing: Any, a: Any, b: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.xor(product, builder.lshr(product, ir.Constant(wide, 64))), args[0].type)

    return types.uint64(types.uint64, types.uint64), codegen


cs_fold = intrinsic(_fold)

_S0, _S1 = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)
_S2, _S3 = np.uint64(0x8EBC6AF09C88C6E3), np.uint64(0x589965CC75374CC3)
_S4, _S5 = np.uint64(0x1D8E4E27C47D124F), np.uint64(0xEB44ACCAB455D165)


@kernel
def cs_key(s: Record) -> Word:
    return (
        cs_fold(s.hand[0] ^ _S0, s.hand[1] ^ _S1)
        ^ cs_fold(s.table[0] ^ _S2, s.table[1] ^ _S3)
        ^ cs_fold(s.rest ^ _S4, np.uint64(s.link) ^ _S5)
    )


# ---- play ----


@kernel
def cs_jack_count(s: Record, card: Int) -> Int:
    n = 0
    for i in range(4):
        n += np.int64(np.int64(s.jacks[i]) == card)
    return n


@kernel
def cs_scrap_jacks(s: Record, n: Int) -> None:
    for _ in range(n):
        s.scrap = cs_put(s.scrap, 4 * RANK_J)


@kernel
def cs_add_jack(s: Record, card: Int) -> None:
    s.jacks[3] = np.uint8(card)
    s.jacked |= BIT(card)
    cs_sort_jacks(s)


@kernel
def cs_drop_jacks(s: Record, card: Int, every: Int) -> Int:
    n = 0
    for i in range(4):
        if np.int64(s.jacks[i]) == card and (every or not n):
            s.jacks[i] = np.uint8(CUTTLE_NO_CARD)
            n += 1
    cs_sort_jacks(s)
    if not cs_jack_count(s, card):
        s.jacked &= ~BIT(card)
    return n


@kernel
def cs_flip(s: Record, from_: Int, card: Int) -> None:  # C19
    value = cs_value(card)
    s.table[from_] ^= BIT(card)
    s.table[from_ ^ 1] ^= BIT(card)
    s.score[from_] = np.int8(np.int64(s.score[from_]) - value)
    s.score[from_ ^ 1] = np.int8(np.int64(s.score[from_ ^ 1]) + value)


@kernel
def cs_draw(s: Record, d: Record) -> Int:
    s.stock -= np.uint8(1)
    return np.int64(d.stock[s.stock])


@kernel
def cs_over(s: Record, winner: Int) -> None:
    s.stage = np.uint8(CUTTLE_OVER)
    s.winner = np.uint8(winner)


@kernel
def cs_end_action(s: Record) -> None:  # C25
    p, card = np.int64(s.turn), np.int64(s.card)
    s.scrap |= shl(np.uint64(s.sevens), 4 * RANK_7)
    if card != CUTTLE_NO_CARD:
        s.scrap |= BIT(card)
    s.sevens = np.uint8(0)
    s.card = np.uint8(CUTTLE_NO_CARD)
    s.target = np.uint8(CUTTLE_NO_CARD)
    if cs_need(s, p) <= 0:
        cs_over(s, p)
    elif cs_need(s, p ^ 1) <= 0:
        cs_over(s, p ^ 1)
    else:
        s.stage = np.uint8(CUTTLE_MAIN)
        s.turn = np.uint8(p ^ 1)


@kernel
def cs_clear_jacks(s: Record) -> None:
    for i in range(4):
        s.jacks[i] = np.uint8(CUTTLE_NO_CARD)
    s.jacked = W0


@kernel
def cs_resolve_ace(s: Record) -> None:  # C8
    s.scrap |= cs_points(s, 0) | cs_points(s, 1)
    for i in range(4):
        cs_scrap_jacks(s, np.int64(s.jacks[i] != CUTTLE_NO_CARD))
    cs_clear_jacks(s)
    for p in range(2):
        s.table[p] &= ~CUTTLE_NUMBERS
        s.score[p] = np.int8(0)


@kernel
def cs_resolve_six(s: Record) -> None:  # C13
    odd = W0
    for i in range(4):
        if s.jacks[i] != CUTTLE_NO_CARD:
            odd ^= BIT(np.int64(s.jacks[i]))
            cs_scrap_jacks(s, 1)
    while odd:
        card = lowest(odd)
        cs_flip(s, field(s.table[1], card, 1), card)
        odd &= odd - W1
    cs_clear_jacks(s)
    for p in range(2):
        for rank in range(RANK_Q, RANK_K + 1):
            for _ in range(popcount(shr(s.table[p], 4 * rank) & _15)):
                s.scrap = cs_put(s.scrap, 4 * rank)
        s.scrap |= shl(shr(s.table[p], CS_GLASSES) & _15, 4 * RANK_8)
        s.table[p] &= CUTTLE_NUMBERS


@kernel
def cs_resolve_aimed(s: Record, scrapped: Int) -> None:  # C9, C15
    target = np.int64(s.target)
    if target < CS_NAMELESS:
        side, card = field(s.table[1], target, 1), 4 * RANK_J
        cs_drop_jacks(s, target, 0)
        cs_flip(s, side, target)
    elif target >= CS_GLASSES:
        side, card = field(s.table[1], target, 1), target - CS_GLASSES + 4 * RANK_8
        s.table[side] ^= BIT(target)
    else:
        side, card = target & 1, target & 60
        s.table[side] = cs_take(s.table[side], card)
    if scrapped:
        s.scrap = cs_put(s.scrap, card)
    else:
        s.hand[side] = cs_put(s.hand[side], card)


@kernel
def cs_revealed_under(s: Record) -> Word:  # C23
    p = np.int64(s.turn)
    theirs = W0 if cs_has_queen(s, p ^ 1) else cs_points(s, p ^ 1)
    return theirs if theirs else cs_points(s, p)


@kernel
def cs_resolve_seven(s: Record, d: Record) -> Int:  # C14
    if not s.stock:
        return 0
    s.sevens |= np.uint8(1 << (np.int64(s.card) & 3))
    card = cs_draw(s, d)
    s.card = np.uint8(CUTTLE_NO_CARD)
    if card == 4 * RANK_J and not cs_revealed_under(s):
        s.scrap = cs_put(s.scrap, card)
        return 0
    s.card = np.uint8(card)
    s.stage = np.uint8(CUTTLE_SEVEN)
    return 1


@kernel
def cs_resolve_oneoff(s: Record, d: Record) -> Int:
    """The one-off takes effect; returns whether the action goes on."""
    p, rank = np.int64(s.turn), cuttle_rank(np.int64(s.card))
    if rank == RANK_A:
        cs_resolve_ace(s)
    elif rank in (RANK_2, RANK_9):
        cs_resolve_aimed(s, np.int64(rank == RANK_2))
    elif rank == RANK_3:
        s.stage = np.uint8(CUTTLE_TAKE)
        return 1
    elif rank == RANK_4:  # C11
        h = s.hand[p ^ 1]
        if popcount(h) > 2:
            s.stage = np.uint8(CUTTLE_DISCARD)
            return 1
        while h:
            s.scrap = cs_put(s.scrap, lowest(h))
            h &= h - W1
        s.hand[p ^ 1] = W0
    elif rank == RANK_5:  # C12
        for _ in range(2):
            if s.stock:
                s.hand[p] = cs_put(s.hand[p], cs_draw(s, d))
    elif rank == RANK_6:
        cs_resolve_six(s)
    elif rank == RANK_7:
        return cs_resolve_seven(s, d)
    return 0


@kernel
def cs_resolve(s: Record, d: Record) -> None:  # C16
    cancelled = popcount(np.uint64(s.twos)) & 1
    s.scrap |= shl(np.uint64(s.twos), 4 * RANK_2)
    s.twos = np.uint8(0)
    if cancelled or not cs_resolve_oneoff(s, d):
        cs_end_action(s)


@kernel
def cs_ask(s: Record, p: Int, d: Record) -> None:  # C17, C21
    last = RANK_2 if s.twos else cuttle_rank(np.int64(s.card))
    if not s.hand[p ^ 1] or (last == RANK_2 and cs_has_queen(s, p)):
        cs_resolve(s, d)
    else:
        s.stage = np.uint8(CUTTLE_COUNTER)


@kernel
def cs_play(s: Record, move: Int, d: Record) -> None:
    """`d`: the deck of the search, whose `stock` the C function is given."""
    p, kind, card, other = np.int64(s.turn), cuttle_kind(move), cuttle_card(move), cuttle_other(move)

    if kind == CUTTLE_PASS:  # C22
        s.passes += np.uint8(1)
        if s.passes == 3:
            cs_over(s, 2)
        else:
            s.turn = np.uint8(p ^ 1)
        return
    s.passes = np.uint8(0)
    if kind == CUTTLE_DRAW:
        s.swaps = np.uint8(0)
    elif kind < CUTTLE_DECLINE:
        if s.stage == CUTTLE_SEVEN:
            s.card = np.uint8(CUTTLE_NO_CARD)
        else:
            s.hand[p] = cs_take(s.hand[p], card)
        if kind != CUTTLE_EFFECT or cuttle_rank(card) != RANK_3:
            s.swaps = np.uint8(0)
    if kind in (CUTTLE_EFFECT, CUTTLE_AIMED, CUTTLE_ANSWER):
        if kind == CUTTLE_ANSWER:  # C16
            p = cs_to_move(s)
            s.hand[p] ^= BIT(card)
            s.twos |= np.uint8(1 << (card & 3))
            s.swaps = np.uint8(0)
        else:
            s.card = np.uint8(card)
            s.target = np.uint8(other if kind == CUTTLE_AIMED else CUTTLE_NO_CARD)
        cs_ask(s, p, d)
        return
    if kind == CUTTLE_DECLINE:
        cs_resolve(s, d)
        return
    if kind == CUTTLE_DRAW:
        s.hand[p] = cs_put(s.hand[p], cs_draw(s, d))
    elif kind == CUTTLE_POINTS:
        s.table[p] |= BIT(card)
        s.score[p] = np.int8(np.int64(s.score[p]) + cs_value(card))
    elif kind == CUTTLE_PERM:
        if cuttle_rank(card) == RANK_8:
            s.table[p] |= BIT(card - 4 * RANK_8 + CS_GLASSES)
        else:
            s.table[p] = cs_put(s.table[p], card)
    elif kind == CUTTLE_SCUTTLE:  # C6
        s.table[p ^ 1] ^= BIT(other)
        s.score[p ^ 1] = np.int8(np.int64(s.score[p ^ 1]) - cs_value(other))
        s.scrap |= BIT(card) | BIT(other)
        if s.jacked & BIT(other):
            cs_scrap_jacks(s, cs_drop_jacks(s, other, 1))
    elif kind == CUTTLE_JACK:  # C19, C23
        cs_flip(s, field(s.table[1], other, 1), other)
        cs_add_jack(s, other)
    elif kind == CUTTLE_TAKES:  # C10
        s.scrap = cs_take(s.scrap, card)
        s.hand[p] = cs_put(s.hand[p], card)
        s.swaps = np.uint8(np.int64(s.swaps) + 1 if cuttle_rank(card) == RANK_3 and not s.sevens else 0)
    elif kind == CUTTLE_DISCARDS:  # C11
        hand = cs_take(cs_take(s.hand[p ^ 1], card), other)
        s.hand[p ^ 1] = hand
        s.scrap = cs_put(cs_put(s.scrap, card), other)
    cs_end_action(s)
