"""How many tricks a coalition of seats takes together: the twin of csrc/buck_solve_coalition.h, function by function.

`follow` and `lead` call one another: the one has the address of the other from `buck_coalition`.
"""

import numpy as np
from numba import types

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, highest, lowest, popcount
from pysearch.kernels.buck_solve import (
    BUCK_CARDS_KEY,
    BUCK_OPEN,
    buck_cards_key,
    buck_extract,
    buck_following,
    buck_lane,
    buck_last_winner,
    buck_live_cards,
    buck_masters,
    buck_merged,
)
from pysearch.kernels.jit import by_address, kernel, recursion
from pysearch.kernels.memory import stack

BUCK_COALITION_BITS = 12

BUCK_COALITION_ENTRY = np.dtype([("key", "u8"), ("least", "i4"), ("most", "i4")], align=True)
BUCK_COALITION = np.dtype(
    [
        ("table", BUCK_COALITION_ENTRY, (1 << BUCK_COALITION_BITS,)),
        ("open", BUCK_OPEN),
        ("coalition", "i8"),
        ("nodes", "u8"),
        ("lead", "u8"),  # the address of buck_coalition_lead
    ],
    align=True,
)
BUCK_COALITION_TRICK = np.dtype([("lane", "u8"), ("winning", "u8"), ("left", "i8"), ("goal", "i8")], align=True)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TABLE_SHIFT = np.uint64(64 - BUCK_COALITION_BITS)

_here, _lead = by_address(types.int64, BUCK_COALITION, types.int64, types.int64, types.int64)
_again = recursion(types.int64, 7)
_local_trick = stack(BUCK_COALITION_TRICK)


@kernel
def buck_coalition_next(t: Record, trick: Record, winner: Int) -> Int:
    left, goal = trick.left - 1, trick.goal - (t.coalition >> winner & 1)
    if goal <= 0:
        return 1
    if goal > left:
        return 0
    if left == 1:
        return t.coalition >> buck_last_winner(t.open, winner) & 1
    return _lead(t.lead, t, winner, left, goal)


@kernel
def buck_coalition_follow(t: Record, trick: Record, seat: Int, behind: Int, best: Word, winner: Int, live: Word) -> Int:
    hand = t.open.hand[seat]
    cards = buck_merged(buck_following(hand, trick.lane), live)
    over = cards & trick.winning & -(best << W1)
    side = t.coalition >> seat & 1
    first = cards ^ over if t.coalition >> winner & 1 == side else over
    t.nodes += W1
    rest = cards
    while rest:
        now = rest & first if rest & first else rest
        card = now & -now
        wins = card & over != W0
        top, holder = card if wins else best, seat if wins else winner
        rest ^= card
        t.open.hand[seat] = hand ^ card
        if behind:
            after = live ^ card ^ best ^ top
            reached = _again(t, trick, t.open.next[seat], behind - 1, top, holder, after)
        else:
            reached = buck_coalition_next(t, trick, holder)
        if reached == side:
            t.open.hand[seat] = hand
            return side
    t.open.hand[seat] = hand
    return 1 - side


_SURE_DIGITS = np.array(
    [
        int(digit)
        for digit in "0001001200011123000000121112223400000001000111231111112322233345"
        "0000000000000012000000121112223411111112111222342222223433344456"
        "0000000000000001000000010001112300000001000111231111112322233345"
        "1111111111111123111111232223334522222223222333453333334544455567"
    ],
    np.uint8,
)


@kernel
def buck_sure_trumps(own: Word, trumps: Word) -> Int:
    return np.int64(_SURE_DIGITS[BIT(popcount(trumps)) | buck_extract(own, trumps)])


@kernel
def buck_run(o: Record, masters: Word, trumpers: Word, entry: Word) -> Int:
    entered, total = W0, 0
    while masters:
        lane = buck_lane(masters)
        run, rest = popcount(masters & lane), trumpers
        while rest:
            run = min(run, popcount(o.hand[lowest(rest)] & lane))
            rest &= rest - W1
        if run:
            entered |= entry & lane
        total += run
        masters &= ~lane
    return total if entered else 0


@kernel
def buck_sure_lead(o: Record, leader: Int, mates: Int, masters: Word, live: Word, sure: Int) -> Int:
    hand = o.hand[leader]
    trumpers, drawn, most = W0, popcount(masters & o.trumps), 0
    for seat in range(4):
        trumps = o.hand[seat] & o.trumps
        trumpers |= BIT(seat) if trumps else W0
        if seat != leader and popcount(trumps) > drawn:
            drawn = 0
    if drawn:
        trumpers, sure = W0, popcount(hand & o.trumps)
    seat = o.next[leader]
    while seat != leader:
        if mates >> seat & 1:
            run = buck_run(o, buck_masters(o.hand[seat], live) & ~o.trumps, trumpers, hand)
            most = max(most, run)
        seat = o.next[seat]
    return sure + most + buck_run(o, masters & ~o.trumps, trumpers, hand)


@kernel
def buck_coalition_bounds(t: Record, leader: Int, left: Int, goal: Int, live: Word, masters: Word) -> tuple[Int, Int]:
    """The least and the most."""
    others, coalition = 0, 0
    for seat in range(4):
        n = buck_sure_trumps(t.open.hand[seat], live & t.open.trumps)
        if t.coalition >> seat & 1:
            coalition = max(n, coalition)
        else:
            others = max(n, others)
    least, most = coalition, left - others
    if least >= goal or most < goal:
        return least, most
    if t.coalition >> leader & 1:
        return buck_sure_lead(t.open, leader, t.coalition, masters, live, coalition), most
    return least, left - buck_sure_lead(t.open, leader, ~t.coalition, masters, live, others)


@kernel
def buck_coalition_key(t: Record, leader: Int, left: Int, live: Word) -> Word:
    coalition, active = t.coalition * 17 >> leader & 15, t.open.active * 17 >> leader & 15
    trumps = 1 if t.open.trumps else 0
    rest = left | coalition << 3 | active << 7 | trumps << 11
    return buck_cards_key(t.open, leader, live) | np.uint64(rest) << np.uint64(BUCK_CARDS_KEY)


@kernel
def buck_coalition_lead(t: Record, leader: Int, left: Int, goal: Int) -> Int:
    """Without a leader it only says where it is."""
    if leader < 0:
        t.lead = _here()
        return 0
    live, hand = buck_live_cards(t.open), t.open.hand[leader]
    masters, side = buck_masters(hand, live), t.coalition >> leader & 1
    t.nodes += W1
    least, most = buck_coalition_bounds(t, leader, left, goal, live, masters)
    if least >= goal:
        return 1
    if most < goal:
        return 0

    key = buck_coalition_key(t, leader, left, live)
    entry = t.table[key * _GOLDEN >> _TABLE_SHIFT]
    if entry.key == key:
        if entry.least >= goal:
            return 1
        if entry.most < goal:
            return 0
    trick = _local_trick(1)[0]
    trick.left = left
    trick.goal = goal
    rest, reached = buck_merged(hand, live), 1 - side
    while rest and reached != side:
        top = rest & masters
        card = BIT(highest(top)) if top else rest & -rest
        trick.lane = buck_lane(card)
        trick.winning = trick.lane | t.open.trumps
        rest ^= card
        t.open.hand[leader] = hand ^ card
        reached = buck_coalition_follow(t, trick, t.open.next[leader], t.open.players - 2, card, leader, live)
    t.open.hand[leader] = hand
    if entry.key != key:
        entry.key = key
        entry.least = np.int32(least)
        entry.most = np.int32(most)
    if reached:
        entry.least = np.int32(goal)
    else:
        entry.most = np.int32(goal - 1)
    return reached


# ---- values ----


@kernel
def buck_coalition_after(t: Record, at: Record, card: Word, goal: Int) -> Int:
    seat, hand = at.seat, t.open.hand[at.seat]
    trick = _local_trick(1)[0]
    trick.lane = at.lane if at.best else buck_lane(card)
    trick.winning = trick.lane | t.open.trumps
    trick.left = at.left
    trick.goal = goal
    wins = card & trick.winning > at.best
    best, winner = card if wins else at.best, seat if wins else at.winner
    t.open.hand[seat] = hand ^ card
    if at.behind:
        live = buck_live_cards(t.open) | best
        reached = buck_coalition_follow(t, trick, t.open.next[seat], at.behind - 1, best, winner, live)
    else:
        reached = buck_coalition_next(t, trick, winner)
    t.open.hand[seat] = hand
    return reached


@kernel
def buck_coalition_here(t: Record, at: Record, goal: Int) -> Int:
    if at.best == W0 and at.left == 1:
        return t.coalition >> buck_last_winner(t.open, at.seat) & 1
    if at.best == W0:
        return buck_coalition_lead(t, at.seat, at.left, goal)
    trick = _local_trick(1)[0]
    trick.lane = at.lane
    trick.winning = at.lane | t.open.trumps
    trick.left = at.left
    trick.goal = goal
    live = buck_live_cards(t.open) | at.best
    return buck_coalition_follow(t, trick, at.seat, at.behind, at.best, at.winner, live)


@kernel
def buck_coalition_value(t: Record, at: Record, card: Word, guess: Int) -> Int:
    least, most = 0, at.left
    goal = 1 if guess < 1 else min(guess, most)
    while least < most:
        reached = buck_coalition_after(t, at, card, goal) if card else buck_coalition_here(t, at, goal)
        if reached:
            least = goal
        else:
            most = goal - 1
        goal = least + 1 if reached else most
    return least
