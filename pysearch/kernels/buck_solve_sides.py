"""A seat's share when some seats play for it, all others against it: the twin of csrc/buck_solve_sides.h.

The window of a seat is three numbers. `follow` and `lead` call one another: the one has the address of the other from
`buck_sides`.
"""

import numpy as np
from numba import types

from pysearch.kernels.bits import W0, W1, Int, Record, Word, Words
from pysearch.kernels.buck_solve import (
    BUCK_CARDS_KEY,
    BUCK_LED_TRICK,
    BUCK_OPEN,
    buck_cards_key,
    buck_following,
    buck_lane,
    buck_last_winner,
    buck_live_cards,
    buck_masters,
    buck_merged,
    buck_open_state,
)
from pysearch.kernels.buck_solve_equity import (
    BUCK_OUTCOMES,
    BUCK_TAKEN,
    buck_outcome_fill,
    buck_outcomes_open,
    buck_taken_step,
)
from pysearch.kernels.jit import by_address, kernel, recursion
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_ONE

BUCK_SIDES_BITS = 12

BUCK_SIDES_ENTRY = np.dtype([("key", "u8"), ("tag", "u8"), ("least", "i4"), ("most", "i4")], align=True)
BUCK_SIDES = np.dtype(
    [
        ("table", BUCK_SIDES_ENTRY, (1 << BUCK_SIDES_BITS,)),
        ("outcomes", BUCK_OUTCOMES),
        ("least", "i8", (6 * BUCK_TAKEN,)),  # BUCK_TAKEN numbers for each number of tricks to come
        ("most", "i8", (6 * BUCK_TAKEN,)),
        ("open", BUCK_OPEN),
        ("side", "i8"),
        ("tag", "u8"),
        ("nodes", "u8"),
        ("lead", "u8"),  # the address of buck_sides_lead
    ],
    align=True,
)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TABLE_SHIFT = np.uint64(64 - BUCK_SIDES_BITS)
_BELOW, _ABOVE = np.int64(-1), np.int64(PS_ONE + 1)  # any share

_here, _lead = by_address(types.int64, BUCK_SIDES, *[types.int64] * 5)
_again = recursion(types.int64, 9)
_local_trick = stack(BUCK_LED_TRICK)


@kernel
def buck_window_add(raises: Int, alpha: Int, beta: Int, best: Int, value: Int) -> tuple[Int, Int, Int]:
    """The window and the best value after one more move."""
    if raises:
        return max(alpha, value), beta, max(best, value)
    return alpha, min(beta, value), min(best, value)


@kernel
def buck_sides_next(b: Record, trick: Record, winner: Int, alpha: Int, beta: Int) -> Int:
    """After the trick, which `winner` takes."""
    return _lead(b.lead, b, winner, trick.left - 1, trick.taken + buck_taken_step[winner], alpha, beta)


@kernel
def buck_sides_follow(
    b: Record, trick: Record, seat: Int, behind: Int, best: Word, winner: Int, live: Word, alpha: Int, beta: Int
) -> Int:
    hand = b.open.hand[seat]
    cards = buck_merged(buck_following(hand, trick.lane), live)
    over, side = cards & trick.winning & -(best << W1), b.side >> seat & 1
    first = cards ^ over if b.side >> winner & 1 == side else over
    value = _BELOW if side else _ABOVE
    b.nodes += W1
    rest, later = first, cards ^ first
    while (rest or later) and alpha < beta:
        if rest == W0:
            rest, later = later, W0
        card = rest & -rest
        rest ^= card
        wins = card & over != W0
        top, holder = card if wins else best, seat if wins else winner
        b.open.hand[seat] = hand ^ card
        if behind:
            next_ = live ^ card ^ best ^ top
            after = _again(b, trick, b.open.next[seat], behind - 1, top, holder, next_, alpha, beta)
        else:
            after = buck_sides_next(b, trick, holder, alpha, beta)
        alpha, beta, value = buck_window_add(side, alpha, beta, value, after)
    b.open.hand[seat] = hand
    return value


@kernel
def buck_sides_after(
    b: Record,
    trick: Record,
    seat: Int,
    behind: Int,
    card: Word,
    best: Word,
    winner: Int,
    live: Word,
    alpha: Int,
    beta: Int,
) -> Int:
    wins = card & trick.winning > best
    top, holder = card if wins else best, seat if wins else winner
    if behind:
        after = live ^ card ^ best ^ top
        return buck_sides_follow(b, trick, b.open.next[seat], behind - 1, top, holder, after, alpha, beta)
    return buck_sides_next(b, trick, holder, alpha, beta)


@kernel
def buck_sides_lead(b: Record, leader: Int, left: Int, taken: Int, alpha: Int, beta: Int) -> Int:
    """Without a leader it only says where it is."""
    if leader < 0:
        b.lead = _here()
        return np.int64(0)
    least, most = b.least[left * BUCK_TAKEN + taken], b.most[left * BUCK_TAKEN + taken]
    if least >= beta or least == most:
        return least
    if most <= alpha:
        return most
    if left == 1:
        return b.least[taken + buck_taken_step[buck_last_winner(b.open, leader)]]
    b.nodes += W1

    live, hand = buck_live_cards(b.open), b.open.hand[leader]
    place = leader | taken << 2 | left << 10
    key = buck_cards_key(b.open, 0, live) | np.uint64(place) << np.uint64(BUCK_CARDS_KEY)
    entry = b.table[(key ^ b.tag) * _GOLDEN >> _TABLE_SHIFT]
    if entry.key == key and entry.tag == b.tag:
        least, most = np.int64(entry.least), np.int64(entry.most)
        if least >= beta or least == most:
            return least
        if most <= alpha:
            return most
    cards, masters, side = buck_merged(hand, live), buck_masters(hand, live), b.side >> leader & 1
    low, high = max(alpha, least), min(beta, most)
    alpha, beta, value = low, high, _BELOW if side else _ABOVE
    trick = _local_trick(1)[0]
    trick.left = left
    trick.taken = taken
    rest, later = cards & masters, cards & ~masters
    while (rest or later) and alpha < beta:
        if rest == W0:
            rest, later = later, W0
        card = rest & -rest
        rest ^= card
        trick.lane = buck_lane(card)
        trick.winning = trick.lane | b.open.trumps
        b.open.hand[leader] = hand ^ card
        after = buck_sides_after(b, trick, leader, b.open.players - 1, card, W0, leader, live, alpha, beta)
        alpha, beta, value = buck_window_add(side, alpha, beta, value, after)
    b.open.hand[leader] = hand
    if value > low:
        least = max(value, least)
    if value < high:
        most = min(value, most)
    entry.key = key
    entry.tag = b.tag
    entry.least = np.int32(least)
    entry.most = np.int32(most)
    return value


@kernel
def buck_sides_bounds(b: Record, seat: Int) -> None:
    for left in range(b.outcomes.total + 1):
        for taken in range(BUCK_TAKEN):
            if taken % 6 + taken // 6 % 6 + taken // 36 + left > b.outcomes.total:
                continue
            at = left * BUCK_TAKEN + taken
            if left == 0:
                if not b.outcomes.known[taken]:
                    buck_outcome_fill(b.outcomes, taken)
                b.least[at] = np.int64(b.outcomes.worth[taken].low[seat])
                b.most[at] = b.least[at]
                continue
            b.least[at] = PS_ONE
            b.most[at] = 0
            for winner in range(4):
                if b.open.active >> winner & 1:
                    next_ = at - BUCK_TAKEN + buck_taken_step[winner]
                    b.least[at] = min(b.least[at], b.least[next_])
                    b.most[at] = max(b.most[at], b.most[next_])


@kernel
def buck_sides_open(b: Record, at: Record, s: Words, seat: Int, side: Int) -> None:
    buck_outcomes_open(b.outcomes, s)
    buck_open_state(b.open, at, s)
    buck_sides_bounds(b, seat)
    b.side = side
    b.tag += W1
    zero = np.int64(0)
    buck_sides_lead(b, np.int64(-1), zero, zero, zero, zero)


@kernel
def buck_sides_card(b: Record, at: Record, card: Word, taken: Int) -> Int:
    seat, hand = at.seat, b.open.hand[at.seat]
    trick = _local_trick(1)[0]
    trick.lane = at.lane if at.best else buck_lane(card)
    trick.winning = trick.lane | b.open.trumps
    trick.left = at.left
    trick.taken = taken
    live = buck_live_cards(b.open) | at.best
    b.open.hand[seat] = hand ^ card
    value = buck_sides_after(b, trick, seat, at.behind, card, at.best, at.winner, live, _BELOW, _ABOVE)
    b.open.hand[seat] = hand
    return value
