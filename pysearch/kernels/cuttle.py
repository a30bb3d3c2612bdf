"""The twin of csrc/cuttle.h, function by function. A state is an array of its seventeen words."""

import numpy as np

from pysearch.kernels.bits import (
    BIT,
    W0,
    W1,
    Int,
    Word,
    Words,
    field,
    lowest,
    popcount,
    shl,
    shr,
    with_field,
    word,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_CUTTLE_WORDS, PS_ERROR_ILLEGAL, PS_ERROR_OVER, PS_MAX_MOVES, PS_ONE

# The words of a state.
HAND, POINTS, PERMS, SCRAP, KNOWN, STOCK, DUEL, STATUS = 0, 2, 4, 6, 7, 8, 15, 16

CUTTLE_MAIN, CUTTLE_COUNTER, CUTTLE_TAKE, CUTTLE_DISCARD, CUTTLE_SEVEN, CUTTLE_OVER = range(6)
CUTTLE_NO_CARD = 63

(
    CUTTLE_DRAW,
    CUTTLE_PASS,
    CUTTLE_POINTS,
    CUTTLE_PERM,
    CUTTLE_SCUTTLE,
    CUTTLE_EFFECT,
    CUTTLE_AIMED,
    CUTTLE_JACK,
    CUTTLE_DECLINE,
    CUTTLE_ANSWER,
    CUTTLE_TAKES,
    CUTTLE_DISCARDS,
) = range(12)

local_words = stack(np.uint64)
local_moves = stack(np.uint16)

# ---- cards ----

RANK_A, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8, RANK_9, RANK_T, RANK_J, RANK_Q, RANK_K = range(13)

CUTTLE_RANK = tuple(np.uint64(15 << 4 * rank) for rank in range(13))
CUTTLE_DECK = np.uint64((1 << 52) - 1)
CUTTLE_NUMBERS = np.uint64((1 << 40) - 1)
CUTTLE_PERMANENT = CUTTLE_RANK[RANK_8] | CUTTLE_RANK[RANK_Q] | CUTTLE_RANK[RANK_K]
CUTTLE_UNAIMED = (
    CUTTLE_RANK[RANK_A] | CUTTLE_RANK[RANK_4] | CUTTLE_RANK[RANK_5] | CUTTLE_RANK[RANK_6] | CUTTLE_RANK[RANK_7]
)
CUTTLE_AIMING = CUTTLE_RANK[RANK_2] | CUTTLE_RANK[RANK_9]


@kernel
def cuttle_rank(card: Int) -> Int:
    return card >> 2


_ONES, _TWOS = np.uint64(0xF0F0F0F0F0), np.uint64(0xFF00FF00)
_FOURS, _EIGHTS = np.uint64(0xFFFF0000), np.uint64(0xFF00000000)


@kernel
def cuttle_sum(cards: Word) -> Int:
    return (
        popcount(cards)
        + popcount(cards & _ONES)
        + 2 * popcount(cards & _TWOS)
        + 4 * popcount(cards & _FOURS)
        + 8 * popcount(cards & _EIGHTS)
    )


# ---- fields ----


@kernel
def cuttle_copy(to: Words, from_: Words) -> None:
    for i in range(PS_CUTTLE_WORDS):
        to[i] = from_[i]


@kernel
def cuttle_turn(s: Words) -> Int:
    return np.int64(s[STATUS] & W1)


@kernel
def cuttle_passes(s: Words) -> Int:
    return field(s[STATUS], 1, 2)


@kernel
def cuttle_stage(s: Words) -> Int:
    return field(s[STATUS], 3, 3)


@kernel
def cuttle_result(s: Words) -> Int:
    return field(s[STATUS], 6, 2)


@kernel
def cuttle_stock_size(s: Words) -> Int:
    return field(s[STATUS], 8, 6)


@kernel
def cuttle_viewer(s: Words) -> Int:
    return field(s[STATUS], 14, 2) - 1


@kernel
def cuttle_hidden(s: Words, p: Int) -> Int:
    return field(s[HAND + p], 52, 6)


@kernel
def cuttle_oneoff(s: Words) -> Int:
    return field(s[DUEL], 0, 6)


@kernel
def cuttle_target(s: Words) -> Int:
    return field(s[DUEL], 6, 6)


@kernel
def cuttle_revealed(s: Words) -> Int:
    return field(s[DUEL], 12, 6)


@kernel
def cuttle_counters(s: Words) -> Int:
    return field(s[DUEL], 18, 3)


@kernel
def cuttle_sevens(s: Words) -> Word:
    return shl(word(field(s[DUEL], 29, 4)), 4 * RANK_7)


@kernel
def cuttle_jack_link(s: Words, suit: Int) -> Int:
    return field(s[DUEL], 33 + 6 * suit, 6)


@kernel
def cuttle_set_turn(s: Words, p: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 0, 1, word(p))


@kernel
def cuttle_set_passes(s: Words, n: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 1, 2, word(n))


@kernel
def cuttle_set_stage(s: Words, stage: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 3, 3, word(stage))


@kernel
def cuttle_set_oneoff(s: Words, card: Int, target: Int) -> None:
    s[DUEL] = with_field(s[DUEL], 0, 12, word(card | target << 6))


@kernel
def cuttle_set_revealed(s: Words, card: Int) -> None:
    s[DUEL] = with_field(s[DUEL], 12, 6, word(card))


@kernel
def cuttle_set_jack_link(s: Words, suit: Int, card: Int) -> None:
    s[DUEL] = with_field(s[DUEL], 33 + 6 * suit, 6, word(card))


_FLIGHT = np.uint64((1 << 33) - 1)  # the fields of a duel
_NO_FLIGHT = np.uint64(0x3FFFF)
_COUNTERS = np.uint64((1 << 29) - (1 << 18))
_LINKS = np.uint64(0xFFFFFF << 33)


@kernel
def cuttle_clear_duel(s: Words) -> None:
    s[DUEL] = (s[DUEL] & ~_FLIGHT) | _NO_FLIGHT


@kernel
def cuttle_counter_cards(s: Words) -> Word:
    cards = W0
    for i in range(cuttle_counters(s)):
        cards |= BIT(4 * RANK_2 + field(s[DUEL], 21 + 2 * i, 2))
    return cards


@kernel
def cuttle_jacks_on(s: Words, card: Int) -> Word:
    jacks = W0
    for suit in range(4):
        if cuttle_jack_link(s, suit) == card:
            jacks |= BIT(4 * RANK_J + suit)
    return jacks


@kernel
def cuttle_unlink(s: Words, jacks: Word) -> None:
    while jacks:
        cuttle_set_jack_link(s, lowest(jacks) & 3, CUTTLE_NO_CARD)
        jacks &= jacks - W1


_GOAL: Words = np.array([21, 14, 10, 7, 5])


@kernel
def cuttle_goal(s: Words, p: Int) -> Int:  # C24
    return _GOAL[popcount(s[PERMS + p] & CUTTLE_RANK[RANK_K])]


@kernel
def cuttle_has_goal(s: Words, p: Int) -> Int:
    return cuttle_sum(s[POINTS + p]) >= cuttle_goal(s, p)


@kernel
def cuttle_has_queen(s: Words, p: Int) -> Int:
    return (s[PERMS + p] & CUTTLE_RANK[RANK_Q]) != W0


@kernel
def cuttle_targets(s: Words, p: Int) -> Word:  # C20
    theirs = s[PERMS + 1 - p]
    queens = theirs & CUTTLE_RANK[RANK_Q]
    return s[PERMS + p] | (queens if queens else theirs)


@kernel
def cuttle_jackable(s: Words, p: Int) -> Word:  # C19, C20
    return W0 if cuttle_has_queen(s, 1 - p) else s[POINTS + 1 - p]


# ---- moves ----


@kernel
def cuttle_code(kind: Int, card: Int, other: Int) -> Int:
    return kind << 12 | card << 6 | other


@kernel
def cuttle_kind(move: Int) -> Int:
    return move >> 12


@kernel
def cuttle_card(move: Int) -> Int:
    return move >> 6 & 63


@kernel
def cuttle_other(move: Int) -> Int:
    return move & 63


@kernel
def cuttle_to_move(s: Words) -> Int:
    turn, stage = cuttle_turn(s), cuttle_stage(s)
    if stage == CUTTLE_COUNTER:  # C16
        return turn ^ 1 ^ (cuttle_counters(s) & 1)
    if stage == CUTTLE_DISCARD:  # C11
        return 1 - turn
    if stage == CUTTLE_OVER:
        return -1
    return turn


@kernel
def cuttle_list(moves: Words, n: Int, kind: Int, cards: Word) -> Int:
    """Adds a move of each card to a list of n moves; returns the new n. C writes such loops out."""
    while cards:
        moves[n] = cuttle_code(kind, lowest(cards), 0)
        n += 1
        cards &= cards - W1
    return n


@kernel
def cuttle_list_pairs(moves: Words, n: Int, kind: Int, cards: Word, others: Word) -> Int:
    """Adds the moves of each card with each of the others."""
    while cards:
        card, c = lowest(cards), others
        while c:
            moves[n] = cuttle_code(kind, card, lowest(c))
            n += 1
            c &= c - W1
        cards &= cards - W1
    return n


@kernel
def cuttle_plays(s: Words, cards: Word, under: Word, moves: Words, n: Int) -> Int:
    """Adds to a list of n moves; returns the new n."""
    p = cuttle_turn(s)
    numbers, theirs = cards & CUTTLE_NUMBERS, s[POINTS + 1 - p]
    effects = cards & (CUTTLE_UNAIMED | (CUTTLE_RANK[RANK_3] if s[SCRAP] else W0))
    n = cuttle_list(moves, n, CUTTLE_POINTS, numbers)
    n = cuttle_list(moves, n, CUTTLE_PERM, cards & CUTTLE_PERMANENT)
    while numbers:  # C6
        n = cuttle_list_pairs(moves, n, CUTTLE_SCUTTLE, numbers & ~(numbers - W1), theirs & (BIT(lowest(numbers)) - W1))
        numbers &= numbers - W1
    n = cuttle_list(moves, n, CUTTLE_EFFECT, effects)
    n = cuttle_list_pairs(moves, n, CUTTLE_AIMED, cards & CUTTLE_AIMING, cuttle_targets(s, p))
    return cuttle_list_pairs(moves, n, CUTTLE_JACK, cards & CUTTLE_RANK[RANK_J], under)


@kernel
def cuttle_revealed_plays(s: Words, card: Int, moves: Words) -> Int:  # C23
    p = cuttle_turn(s)
    theirs = cuttle_jackable(s, p)
    return cuttle_plays(s, BIT(card), theirs if theirs else s[POINTS + p], moves, 0)


@kernel
def cuttle_moves(s: Words, moves: Words) -> Int:
    p, stage = cuttle_turn(s), cuttle_stage(s)
    if stage == CUTTLE_MAIN:
        moves[0] = cuttle_code(CUTTLE_DRAW if cuttle_stock_size(s) else CUTTLE_PASS, 0, 0)  # C3, C22
        return cuttle_plays(s, s[HAND + p] & CUTTLE_DECK, cuttle_jackable(s, p), moves, 1)
    if stage == CUTTLE_COUNTER:
        moves[0] = cuttle_code(CUTTLE_DECLINE, 0, 0)
        return cuttle_list(moves, 1, CUTTLE_ANSWER, s[HAND + cuttle_to_move(s)] & CUTTLE_RANK[RANK_2])
    if stage == CUTTLE_TAKE:
        return cuttle_list(moves, 0, CUTTLE_TAKES, s[SCRAP])
    if stage == CUTTLE_DISCARD:
        n, c = 0, s[HAND + 1 - p] & CUTTLE_DECK
        while c:
            n = cuttle_list_pairs(moves, n, CUTTLE_DISCARDS, c & ~(c - W1), c & (c - W1))
            c &= c - W1
        return n
    if stage == CUTTLE_SEVEN:
        return cuttle_revealed_plays(s, cuttle_revealed(s), moves)
    return 0


# ---- play ----

_BYTE = np.uint64(255)
_ONE_OF_STOCK = np.uint64(1 << 8)


@kernel
def cuttle_stock_card(s: Words, i: Int) -> Int:
    return field(s[STOCK + (i >> 3)], 8 * (i & 7), 6)


@kernel
def cuttle_draw(s: Words) -> Int:
    i = cuttle_stock_size(s) - 1
    card = cuttle_stock_card(s, i)
    s[STOCK + (i >> 3)] &= ~shl(_BYTE, 8 * (i & 7))
    s[STATUS] -= _ONE_OF_STOCK
    return card


@kernel
def cuttle_move_stack(s: Words, from_: Int, card: Int, jacks: Word) -> None:  # C19
    s[POINTS + from_] ^= BIT(card)
    s[POINTS + 1 - from_] ^= BIT(card)
    s[PERMS + from_] &= ~jacks
    s[PERMS + 1 - from_] |= jacks


@kernel
def cuttle_end_action(s: Words, other: Int) -> None:  # C25
    p, oneoff = cuttle_turn(s), cuttle_oneoff(s)
    if (s[DUEL] & _FLIGHT) != _NO_FLIGHT:
        s[SCRAP] |= cuttle_sevens(s)
        if oneoff != CUTTLE_NO_CARD:
            s[SCRAP] |= BIT(oneoff)
        cuttle_clear_duel(s)
    winner = -1
    if cuttle_has_goal(s, p):
        winner = p
    elif other and cuttle_has_goal(s, 1 - p):
        winner = 1 - p
    if winner >= 0:
        s[STATUS] = with_field(s[STATUS], 3, 5, word(CUTTLE_OVER | (1 + winner) << 3))
    else:
        cuttle_set_stage(s, CUTTLE_MAIN)
        cuttle_set_turn(s, 1 - p)


@kernel
def cuttle_remove_permanent(s: Words, card: Int) -> Int:  # C19
    side = np.int64(shr(s[PERMS + 1], card) & W1)
    s[PERMS + side] ^= BIT(card)
    if cuttle_rank(card) == RANK_J:
        under = cuttle_jack_link(s, card & 3)
        cuttle_set_jack_link(s, card & 3, CUTTLE_NO_CARD)
        cuttle_move_stack(s, side, under, cuttle_jacks_on(s, under))
    return side


@kernel
def cuttle_resolve_ace(s: Words) -> None:  # C8
    jacks = (s[PERMS] | s[PERMS + 1]) & CUTTLE_RANK[RANK_J]
    s[SCRAP] |= s[POINTS] | s[POINTS + 1] | jacks
    s[POINTS] = s[POINTS + 1] = W0
    s[PERMS] &= ~jacks
    s[PERMS + 1] &= ~jacks
    cuttle_unlink(s, jacks)


@kernel
def cuttle_resolve_six(s: Words) -> None:  # C13
    odd = W0
    for suit in range(4):
        under = cuttle_jack_link(s, suit)
        if under != CUTTLE_NO_CARD:
            odd ^= BIT(under)
    swap = (s[POINTS] ^ s[POINTS + 1]) & odd
    s[POINTS] ^= swap
    s[POINTS + 1] ^= swap
    s[SCRAP] |= s[PERMS] | s[PERMS + 1]
    s[PERMS] = s[PERMS + 1] = W0
    s[DUEL] |= _LINKS


@kernel
def cuttle_resolve_seven(s: Words) -> Int:  # C14
    moves = local_moves(PS_MAX_MOVES)
    if not cuttle_stock_size(s):
        return False
    seven, card = cuttle_oneoff(s), cuttle_draw(s)
    s[DUEL] |= BIT(29 + (seven & 3))
    cuttle_set_oneoff(s, CUTTLE_NO_CARD, CUTTLE_NO_CARD)
    if not cuttle_revealed_plays(s, card, moves):
        s[SCRAP] |= BIT(card)
        return False
    cuttle_set_revealed(s, card)
    cuttle_set_stage(s, CUTTLE_SEVEN)
    return True


@kernel
def cuttle_resolve(s: Words) -> None:  # C16
    p, oneoff, target, cancelled = cuttle_turn(s), cuttle_oneoff(s), cuttle_target(s), cuttle_counters(s) & 1
    s[SCRAP] |= cuttle_counter_cards(s)
    s[DUEL] &= ~_COUNTERS
    rank = -1 if cancelled else cuttle_rank(oneoff)
    if rank == RANK_A:
        cuttle_resolve_ace(s)
    elif rank in (RANK_2, RANK_9):
        side = cuttle_remove_permanent(s, target)
        if rank == RANK_2:  # C9
            s[SCRAP] |= BIT(target)
        else:  # C15
            s[HAND + side] |= BIT(target)
            s[KNOWN] |= BIT(target)
    elif rank == RANK_3:  # C10
        cuttle_set_stage(s, CUTTLE_TAKE)
        return
    elif rank == RANK_4:  # C11
        if popcount(s[HAND + 1 - p]) > 2:
            cuttle_set_stage(s, CUTTLE_DISCARD)
            return
        s[SCRAP] |= s[HAND + 1 - p]
        s[HAND + 1 - p] = W0
    elif rank == RANK_5:  # C12
        for _ in range(min(2, cuttle_stock_size(s))):
            s[HAND + p] |= BIT(cuttle_draw(s))
    elif rank == RANK_6:
        cuttle_resolve_six(s)
    elif rank == RANK_7 and cuttle_resolve_seven(s):
        return
    cuttle_end_action(s, True)


@kernel
def cuttle_ask(s: Words, p: Int) -> None:  # C17, C21
    last = RANK_2 if cuttle_counters(s) else cuttle_rank(cuttle_oneoff(s))
    if not s[HAND + 1 - p] or (last == RANK_2 and cuttle_has_queen(s, p)):
        cuttle_resolve(s)
    else:
        cuttle_set_stage(s, CUTTLE_COUNTER)


@kernel
def cuttle_look(s: Words) -> None:  # C19, C27
    for p in range(2):
        if s[PERMS + p] & CUTTLE_RANK[RANK_8]:
            s[KNOWN] |= s[HAND + 1 - p]
    s[KNOWN] &= s[HAND] | s[HAND + 1]


@kernel
def cuttle_play(s: Words, move: Int) -> None:
    p, kind, card, other = cuttle_turn(s), cuttle_kind(move), cuttle_card(move), cuttle_other(move)

    if kind == CUTTLE_PASS:  # C22
        passes = cuttle_passes(s) + 1
        cuttle_set_passes(s, passes)
        if passes == 3:
            s[STATUS] = with_field(s[STATUS], 3, 5, word(CUTTLE_OVER | 3 << 3))
        else:
            cuttle_set_turn(s, 1 - p)
        return
    cuttle_set_passes(s, 0)
    ending, both, asked = False, False, -1  # C calls what follows in each case; one place each compiles faster
    if kind >= CUTTLE_POINTS and kind <= CUTTLE_JACK:
        if cuttle_stage(s) == CUTTLE_SEVEN:
            cuttle_set_revealed(s, CUTTLE_NO_CARD)
        else:
            s[HAND + p] ^= BIT(card)
    if kind == CUTTLE_DRAW:
        s[HAND + p] |= BIT(cuttle_draw(s))
        cuttle_set_turn(s, 1 - p)
    elif kind == CUTTLE_POINTS:
        s[POINTS + p] |= BIT(card)
        ending = True
    elif kind == CUTTLE_PERM:
        s[PERMS + p] |= BIT(card)
        ending = True
    elif kind == CUTTLE_SCUTTLE:  # C6
        jacks = cuttle_jacks_on(s, other)
        s[POINTS + 1 - p] ^= BIT(other)
        s[PERMS + 1 - p] &= ~jacks
        s[SCRAP] |= BIT(card) | BIT(other) | jacks
        cuttle_unlink(s, jacks)
        ending = True
    elif kind == CUTTLE_EFFECT:
        cuttle_set_oneoff(s, card, CUTTLE_NO_CARD)
        asked = p
    elif kind == CUTTLE_AIMED:
        cuttle_set_oneoff(s, card, other)
        asked = p
    elif kind == CUTTLE_JACK:  # C19, C23
        side = np.int64(shr(s[POINTS + 1], other) & W1)
        cuttle_move_stack(s, side, other, cuttle_jacks_on(s, other))
        s[PERMS + 1 - side] |= BIT(card)
        cuttle_set_jack_link(s, card & 3, other)
        ending = both = True
    elif kind == CUTTLE_DECLINE:
        cuttle_resolve(s)
    elif kind == CUTTLE_ANSWER:  # C16
        q, n = cuttle_to_move(s), cuttle_counters(s)
        s[HAND + q] ^= BIT(card)
        s[DUEL] = with_field(s[DUEL], 18, 3, word(n + 1)) | word((card & 3) << (21 + 2 * n))
        asked = q
    elif kind == CUTTLE_TAKES:  # C10
        s[SCRAP] ^= BIT(card)
        s[HAND + p] |= BIT(card)
        s[KNOWN] |= BIT(card)
        ending = True
    elif kind == CUTTLE_DISCARDS:  # C11
        s[HAND + 1 - p] ^= BIT(card) | BIT(other)
        s[SCRAP] |= BIT(card) | BIT(other)
        ending = True
    if ending:
        cuttle_end_action(s, both)
    if asked >= 0:
        cuttle_ask(s, asked)
    cuttle_look(s)


@kernel
def cuttle_shares(s: Words, shares: Words) -> None:  # C26
    result = cuttle_result(s)
    share = PS_ONE // 2
    if result == 1:
        share = PS_ONE
    elif result == 2:
        share = 0
    shares[0] = share
    shares[1] = PS_ONE - share


# ---- knowledge ----


@kernel
def cuttle_visible(s: Words) -> Word:
    oneoff, revealed = cuttle_oneoff(s), cuttle_revealed(s)
    cards = (s[HAND] | s[HAND + 1]) & CUTTLE_DECK
    cards |= s[POINTS] | s[POINTS + 1] | s[PERMS] | s[PERMS + 1] | s[SCRAP]
    cards |= cuttle_sevens(s) | cuttle_counter_cards(s)
    if oneoff != CUTTLE_NO_CARD:
        cards |= BIT(oneoff)
    if revealed != CUTTLE_NO_CARD:
        cards |= BIT(revealed)
    return cards


@kernel
def cuttle_view(s: Words, seat: Int, v: Words) -> None:  # C27
    theirs = s[HAND + 1 - seat] & CUTTLE_DECK
    seen = theirs & s[KNOWN]
    hidden = cuttle_hidden(s, 1 - seat) + popcount(theirs ^ seen)
    cuttle_copy(v, s)
    v[HAND + 1 - seat] = seen | shl(word(hidden), 52)
    for i in range(7):
        v[STOCK + i] = W0
    v[STATUS] = with_field(v[STATUS], 14, 2, word(1 + seat))


@kernel
def cuttle_assume(v: Words, move: Int) -> Int:
    p, kind = cuttle_to_move(v), cuttle_kind(move)
    moves = local_moves(PS_MAX_MOVES)
    if p < 0:
        return PS_ERROR_OVER
    if p != cuttle_viewer(v):
        named = W0
        if cuttle_stage(v) != CUTTLE_SEVEN:
            if (kind >= CUTTLE_POINTS and kind <= CUTTLE_JACK) or kind == CUTTLE_ANSWER:
                named = BIT(cuttle_card(move))
            if kind == CUTTLE_DISCARDS:
                named = BIT(cuttle_card(move)) | BIT(cuttle_other(move))
        named &= ~v[HAND + p]
        n = popcount(named)
        if (named & (cuttle_visible(v) | ~CUTTLE_DECK)) or n > cuttle_hidden(v, p):
            return PS_ERROR_ILLEGAL
        v[HAND + p] = (v[HAND + p] | named) - shl(word(n), 52)
    for i in range(cuttle_moves(v, moves)):
        if np.int64(moves[i]) == move:
            return 0
    return PS_ERROR_ILLEGAL


@kernel
def cuttle_realize(world: Words, move: Int) -> Int:
    return move


@kernel
def cuttle_swap(s: Words, a: Int, b: Int) -> None:
    for p in range(2):
        if (shr(s[HAND + p], a) ^ shr(s[HAND + p], b)) & W1:
            s[HAND + p] ^= BIT(a) | BIT(b)
    for i in range(cuttle_stock_size(s)):
        card = cuttle_stock_card(s, i)
        other = card
        if card == a:
            other = b
        elif card == b:
            other = a
        s[STOCK + (i >> 3)] ^= shl(word(card ^ other), 8 * (i & 7))


# ---- key ----

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2, _MIX_3 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0xD6E8FEB86659FD93)
_PUBLIC = np.uint64(63)
_NOTHING = ~W0


@kernel
def cuttle_zobrist(card: Int, place: Int) -> Word:
    x = word(card << 8 | place) * _GOLDEN
    x = (x ^ shr(x, 30)) * _MIX_1
    x = (x ^ shr(x, 27)) * _MIX_2
    return x ^ shr(x, 31)


@kernel
def cuttle_public_key(s: Words) -> Word:
    x = s[DUEL] * _GOLDEN + ((s[STATUS] & _PUBLIC) + W1) * _MIX_3
    x = (x ^ shr(x, 32)) * _MIX_3
    return x ^ shr(x, 32)


@kernel
def cuttle_rekey(key: Word, before: Words, after: Words) -> Word:
    deep, left = cuttle_stock_size(before), cuttle_stock_size(after)
    for place in range(7):  # the first seven words, in their order
        c = before[place] ^ after[place]
        while c:
            key ^= cuttle_zobrist(lowest(c), place)
            c &= c - W1
    for i in range(left, deep):
        key ^= cuttle_zobrist(cuttle_stock_card(before, i), 8 + i)
    for i in range(deep, left):
        key ^= cuttle_zobrist(cuttle_stock_card(after, i), 8 + i)
    return key ^ cuttle_public_key(before) ^ cuttle_public_key(after)


@kernel
def cuttle_key(s: Words) -> Word:
    nothing = local_words(PS_CUTTLE_WORDS)
    for i in range(PS_CUTTLE_WORDS):
        nothing[i] = W0
    nothing[DUEL] = _NOTHING
    return cuttle_rekey(cuttle_public_key(nothing), nothing, s)
