"""max^n on match equity: the twin of csrc/buck_solve_maxn.h, function by function.

A search writes the worth into the `room` that the caller gives; C points to where it lies. `follow` and `lead` call one
another: the one has the address of the other from `buck_maxn`.
"""

import numpy as np
from numba import types

from pysearch.kernels.bits import W0, W1, Int, Record, Word, Words, field, shl
from pysearch.kernels.buck import STATUS
from pysearch.kernels.buck_solve import (
    BUCK_CARDS_KEY,
    BUCK_CURRENT,
    BUCK_LED_TRICK,
    BUCK_OPEN,
    buck_cards_key,
    buck_following,
    buck_lane,
    buck_last_winner,
    buck_live_cards,
    buck_merged,
    buck_open_state,
)
from pysearch.kernels.buck_solve_equity import (
    BUCK_FINE,
    BUCK_OUTCOMES,
    buck_outcome,
    buck_outcomes_open,
    buck_taken,
    buck_taken_step,
    buck_worth_copy,
)
from pysearch.kernels.jit import by_address, kernel, recursion
from pysearch.kernels.memory import stack
from pysearch.kernels.public import BUCK_WORTH

BUCK_MAXN_BITS = 12

BUCK_MAXN_ENTRY = np.dtype([("worth", BUCK_WORTH), ("key", "u8"), ("tag", "u8")], align=True)
BUCK_MAXN = np.dtype(
    [
        ("table", BUCK_MAXN_ENTRY, (1 << BUCK_MAXN_BITS,)),
        ("outcomes", BUCK_OUTCOMES),
        ("open", BUCK_OPEN),
        ("tag", "u8"),
        ("solved", "u8"),
        ("nodes", "u8"),
        ("lead", "u8"),  # the address of buck_maxn_lead
    ],
    align=True,
)
BUCK_TIES = np.dtype([("sum", BUCK_WORTH), ("best", "i8"), ("count", "i8")], align=True)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TABLE_SHIFT = np.uint64(64 - BUCK_MAXN_BITS)

_here, _lead = by_address(types.none, BUCK_MAXN, types.int64, types.int64, types.int64, BUCK_WORTH)
_again = recursion(types.none, 8)
_local_trick = stack(BUCK_LED_TRICK)
_local_current = stack(BUCK_CURRENT)
local_worth = stack(BUCK_WORTH)
local_ties = stack(BUCK_TIES)


# ---- ties ----


@kernel
def buck_whole(value: Int) -> Int:
    return value + (1 << (BUCK_FINE - 1)) >> BUCK_FINE


@kernel
def buck_ties_add(t: Record, w: Record, seat: Int) -> Int:
    own = buck_whole(np.int64(w.value[seat]))
    if t.count == 0 or own > t.best:
        buck_worth_copy(t.sum, w)
        t.best = own
        t.count = 1
        return 1
    if own == t.best:
        for k in range(4):
            t.sum.value[k] += w.value[k]
            t.sum.tricks[k] += w.tricks[k]
            t.sum.low[k] = min(t.sum.low[k], w.low[k])
            t.sum.high[k] = max(t.sum.high[k], w.high[k])
        t.count += 1
    return 0


_INVERSE = np.array([0, 0, *((1 << 33) // n + 1 for n in range(2, 7))], np.uint64)


@kernel
def buck_divide(x: Int, n: Int) -> Int:
    """floor(x / n) for 0 <= x < 2^31, n to 6, exactly."""
    return np.int64(np.uint64(x) * _INVERSE[n] >> np.uint64(33))


@kernel
def buck_ties_mean(t: Record, mean: Record) -> None:
    buck_worth_copy(mean, t.sum)
    if t.count == 1:
        return
    for seat in range(4):
        mean.value[seat] = np.int32(buck_divide(t.sum.value[seat], t.count))
        mean.tricks[seat] = np.int32(buck_divide(t.sum.tricks[seat], t.count))


# ---- the play ----


@kernel
def buck_maxn_next(m: Record, trick: Record, winner: Int, room: Record) -> None:
    taken = trick.taken + buck_taken_step[winner]
    if trick.left == 1:
        buck_outcome(m.outcomes, taken, room)
    elif trick.left == 2:
        buck_outcome(m.outcomes, taken + buck_taken_step[buck_last_winner(m.open, winner)], room)
    else:
        _lead(m.lead, m, winner, trick.left - 1, taken, room)


@kernel
def buck_maxn_follow(
    m: Record, trick: Record, seat: Int, behind: Int, best: Word, winner: Int, live: Word, room: Record
) -> None:
    hand = m.open.hand[seat]
    cards = buck_following(hand, trick.lane)
    merged = buck_merged(cards, live)
    m.nodes += W1
    choice = merged & (merged - W1) != W0
    ties = local_ties(1)[0]
    ties.count = 0
    rest = cards if choice else merged
    while rest:
        card = rest & -rest
        rest ^= card
        if card & merged:
            wins = card & trick.winning > best
            top, holder = card if wins else best, seat if wins else winner
            m.open.hand[seat] = hand ^ card
            if behind:
                _again(m, trick, m.open.next[seat], behind - 1, top, holder, live ^ card ^ best ^ top, room)
            else:
                buck_maxn_next(m, trick, holder, room)
        if choice:
            buck_ties_add(ties, room, seat)
    m.open.hand[seat] = hand
    if choice:
        buck_ties_mean(ties, room)


@kernel
def buck_maxn_after(
    m: Record,
    trick: Record,
    seat: Int,
    behind: Int,
    card: Word,
    best: Word,
    winner: Int,
    live: Word,
    room: Record,
) -> None:
    wins = card & trick.winning > best
    top, holder = card if wins else best, seat if wins else winner
    if behind:
        after = live ^ card ^ best ^ top
        buck_maxn_follow(m, trick, m.open.next[seat], behind - 1, top, holder, after, room)
    else:
        buck_maxn_next(m, trick, holder, room)


@kernel
def buck_maxn_lead(m: Record, leader: Int, left: Int, taken: Int, room: Record) -> None:
    """Without a leader it only says where it is."""
    if leader < 0:
        m.lead = _here()
        return
    live, hand = buck_live_cards(m.open), m.open.hand[leader]
    merged, place = buck_merged(hand, live), leader | taken << 2 | left << 10
    key = buck_cards_key(m.open, 0, live) | np.uint64(place) << np.uint64(BUCK_CARDS_KEY)
    entry = m.table[(key ^ m.tag) * _GOLDEN >> _TABLE_SHIFT]
    m.nodes += W1
    if entry.key == key and entry.tag == m.tag:
        buck_worth_copy(room, entry.worth)
        return
    ties, trick = local_ties(1)[0], _local_trick(1)[0]
    ties.count = 0
    trick.left = left
    trick.taken = taken
    rest = hand
    while rest:
        card = rest & -rest
        rest ^= card
        if card & merged:
            trick.lane = buck_lane(card)
            trick.winning = trick.lane | m.open.trumps
            m.open.hand[leader] = hand ^ card
            buck_maxn_after(m, trick, leader, m.open.players - 1, card, W0, leader, live, room)
        buck_ties_add(ties, room, leader)
    m.open.hand[leader] = hand
    buck_ties_mean(ties, room)
    buck_worth_copy(entry.worth, room)
    entry.key = key
    entry.tag = m.tag


@kernel
def buck_maxn_tag(m: Record, s: Words) -> Word:
    """What a position is told apart by beside the key."""
    return shl(m.solved, 10) | np.uint64(field(s[STATUS], 7, 10))


@kernel
def buck_maxn_open(m: Record, s: Words) -> None:
    m.tag = buck_maxn_tag(m, s)
    buck_outcomes_open(m.outcomes, s)
    buck_maxn_lead(m, np.int64(-1), np.int64(0), np.int64(0), m.outcomes.worth[0])


@kernel
def buck_maxn_here(m: Record, s: Words, room: Record) -> None:
    at, trick = _local_current(1)[0], _local_trick(1)[0]
    taken = buck_taken(s)
    buck_open_state(m.open, at, s)
    if at.best:
        trick.lane = at.lane
        trick.winning = at.lane | m.open.trumps
        trick.left = at.left
        trick.taken = taken
        live = buck_live_cards(m.open) | at.best
        buck_maxn_follow(m, trick, at.seat, at.behind, at.best, at.winner, live, room)
    elif at.left > 1:
        buck_maxn_lead(m, at.seat, at.left, taken, room)
    else:
        buck_outcome(m.outcomes, taken + buck_taken_step[buck_last_winner(m.open, at.seat)], room)


@kernel
def buck_maxn_card(m: Record, at: Record, card: Word, taken: Int, room: Record) -> None:
    seat, hand = at.seat, m.open.hand[at.seat]
    trick = _local_trick(1)[0]
    live = buck_live_cards(m.open) | at.best
    trick.lane = at.lane if at.best else buck_lane(card)
    trick.winning = trick.lane | m.open.trumps
    trick.left = at.left
    trick.taken = taken
    m.open.hand[seat] = hand ^ card
    buck_maxn_after(m, trick, seat, at.behind, card, at.best, at.winner, live, room)
    m.open.hand[seat] = hand
