"""What the exact solvers of Buck Euchre share: the twin of csrc/buck_solve.h, function by function.

Hands in the order by trump are Words of which the lower half is used; masks of seats are Ints.
"""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, lowest, popcount, shl
from pysearch.kernels.buck import (
    BUCK_NO_TRUMP,
    HAND,
    buck_card,
    buck_leader,
    buck_length,
    buck_next,
    buck_out,
    buck_pack,
    buck_trump,
    buck_turn,
)
from pysearch.kernels.jit import kernel

BUCK_PLACES = np.uint64(0x7F7F7F7F)

BUCK_OPEN = np.dtype(
    [("hand", "u8", (4,)), ("trumps", "u8"), ("next", "i8", (4,)), ("players", "i8"), ("active", "i8")], align=True
)
BUCK_CURRENT = np.dtype(
    [("seat", "i8"), ("winner", "i8"), ("best", "u8"), ("lane", "u8"), ("behind", "i8"), ("left", "i8")], align=True
)
BUCK_LED_TRICK = np.dtype([("lane", "u8"), ("winning", "u8"), ("left", "i8"), ("taken", "i8")], align=True)

BUCK_CARDS_KEY = 49

_BYTE = np.uint64(255)
_TRUMPS = np.uint64(255 << 24)


@kernel
def buck_lane(card: Word) -> Word:
    return shl(_BYTE, lowest(card) & 24)


@kernel
def buck_following(hand: Word, lane: Word) -> Word:  # B10
    return hand & lane if hand & lane else hand


@kernel
def buck_merged(cards: Word, live: Word) -> Word:
    return cards & ~((cards | (~live & BUCK_PLACES)) + cards)


@kernel
def buck_live_cards(o: Record) -> Word:
    return o.hand[0] | o.hand[1] | o.hand[2] | o.hand[3]


@kernel
def buck_below(cards: Word) -> Word:
    cards |= cards >> W1 & np.uint64(0x7F7F7F7F)
    cards |= cards >> np.uint64(2) & np.uint64(0x3F3F3F3F)
    return cards | (cards >> np.uint64(4) & np.uint64(0x0F0F0F0F))


@kernel
def buck_masters(hand: Word, live: Word) -> Word:
    return hand & ~buck_below(live ^ hand)


@kernel
def buck_last_winner(o: Record, leader: Int) -> Int:
    winning = buck_lane(o.hand[leader]) | o.trumps
    best, winner = o.hand[leader], leader
    for seat in range(4):
        card = o.hand[seat] & winning
        winner = seat if card > best else winner
        best = max(card, best)
    return winner


@kernel
def buck_extract(cards: Word, places: Word) -> Word:
    out, bit = W0, W1
    while places:
        out |= bit if cards & places & -places else W0
        bit <<= W1
        places &= places - W1
    return out


@kernel
def buck_cards_key(o: Record, first: Int, live: Word) -> Word:
    second, third, fourth = o.hand[(first + 1) & 3], o.hand[(first + 2) & 3], o.hand[(first + 3) & 3]
    odd, high = buck_extract(second | fourth, live), buck_extract(third | fourth, live)
    sizes = (
        popcount(live >> np.uint64(24))
        | popcount(live >> np.uint64(16) & _BYTE) << 3
        | popcount(live >> np.uint64(8) & _BYTE) << 6
    )
    return odd | high << np.uint64(20) | np.uint64(sizes) << np.uint64(40)


@kernel
def buck_open_state(o: Record, at: Record, s: Words) -> None:
    trump, played, out, turn = buck_trump(s), buck_length(s), buck_out(s), buck_turn(s)
    o.trumps = _TRUMPS if trump < BUCK_NO_TRUMP else W0
    o.active = ~out & 15
    o.players = 0
    for seat in range(4):
        active = o.active >> seat & 1
        o.hand[seat] = buck_pack(s[HAND + seat], trump) if active else W0
        o.next[seat] = buck_next(out, seat)
        o.players += active
    at.seat = turn
    at.left = popcount(o.hand[turn])
    at.behind = o.players - played - 1
    at.winner, at.best, at.lane = 0, W0, W0
    seat = buck_leader(s)
    for i in range(played):
        card = buck_pack(BIT(buck_card(s, i)), trump)
        if i == 0:
            at.lane = buck_lane(card)
        if card & (at.lane | o.trumps) > at.best:
            at.best = card
            at.winner = seat
        seat = o.next[seat]
