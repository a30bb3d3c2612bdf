"""The twin of csrc/buck_policy.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, highest, lowest, popcount, shl, shr, word
from pysearch.kernels.buck import (
    BUCK_BURY,
    BUCK_DECK,
    BUCK_NAME,
    BUCK_NO_CARD,
    BUCK_NO_TRUMP,
    BUCK_ORDER,
    BUCK_PLAY,
    BUCK_STAY,
    HAND,
    PLAYED,
    TABLE,
    buck_add_tricks,
    buck_add_void,
    buck_buried,
    buck_card,
    buck_dealer,
    buck_finish,
    buck_lane_suit,
    buck_length,
    buck_maker,
    buck_move_card,
    buck_moves,
    buck_next,
    buck_ordered,
    buck_out,
    buck_pack,
    buck_place,
    buck_play,
    buck_set_turn,
    buck_stage,
    buck_trick_winner,
    buck_trump,
    buck_turn,
    buck_unpack_card,
    buck_up,
    local_moves,
)
from pysearch.kernels.buck_playout import BUCK_TRUMPS, buck_follow, buck_pick
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.rng import rng_weighed, rng_word

BUCK_NAME_POINTS, BUCK_ORDER_POINTS, BUCK_DEALER_POINTS = 24, 28, 22
BUCK_STRAY = 4
buck_stay_points = np.array([6, 6, 8])

# ---- the worth of a hand ----

_LANE0, _LANE1, _LANE2 = np.uint64(255), np.uint64(255 << 8), np.uint64(255 << 16)
_LEFT, _RIGHT = np.uint64(96), np.uint64(64)
_JACKS, _QUEENS, _KINGS = np.uint64(124), np.uint64(120), np.uint64(112)
_SIDE_ACES, _SIDE_KINGS = np.uint64(0x102020), np.uint64(0x081010)


@kernel
def buck_points(hand: Word) -> Int:
    t = shr(hand, 24)
    points = 4 * popcount(t) + popcount(t & _JACKS) + popcount(t & _QUEENS) + popcount(t & _KINGS)
    points += 2 * popcount(t & _LEFT) + 3 * popcount(t & _RIGHT)
    points += 3 * popcount(hand & _SIDE_ACES) + 2 * popcount(hand & _SIDE_KINGS)
    if t == W0:
        return points
    for lane in (_LANE0, _LANE1, _LANE2):
        points += 0 if hand & lane else 2
    return points


@kernel
def buck_points_buried(hand: Word) -> Int:
    best, rest = 0, hand
    while rest:
        points = buck_points(hand ^ buck_lowest(rest))
        best = points if points > best else best
        rest &= rest - W1
    return best


# ---- choosing a card; all sets in the order by trump ----

_SHIFT1, _SHIFT2, _SHIFT4 = np.uint64(0x7F7F7F7F), np.uint64(0x3F3F3F3F), np.uint64(0x0F0F0F0F)
_LANES = np.uint64(0x01010101)


@kernel
def buck_up_to(cards: Word) -> Word:
    cards |= shr(cards, 1) & _SHIFT1
    cards |= shr(cards, 2) & _SHIFT2
    return cards | (shr(cards, 4) & _SHIFT4)


@kernel
def buck_lowest(cards: Word) -> Word:
    return cards & (W0 - cards)


@kernel
def buck_highest(cards: Word) -> Word:
    return BIT(highest(cards))


@kernel
def buck_rank_row(cards: Word, high: Int) -> Word:
    ranks = (cards | shr(cards, 8) | shr(cards, 16) | shr(cards, 24)) & _LANE0
    return (buck_highest(ranks) if high else buck_lowest(ranks)) * _LANES


@kernel
def buck_weakest(cards: Word, sure: Word, trumps: Word) -> Word:
    if cards & ~trumps == W0:
        return buck_lowest(cards)
    cards &= ~trumps
    if cards & ~sure:
        cards &= ~sure
    return buck_lowest(cards & buck_rank_row(cards, False))


@kernel
def buck_policy_lead(hand: Word, unseen: Word, trumps: Word, maker: Int) -> Word:
    sure, own, side = hand & ~buck_up_to(unseen), hand & trumps, hand & ~trumps
    if own and unseen & trumps:  # trumps are drawn first
        if sure & trumps:
            return buck_highest(sure)
        if sure:
            return buck_lowest(sure)
        if popcount(own) + (1 if maker else 0) >= 3:
            return buck_highest(own)
    else:
        if sure & side:
            return buck_highest(sure & side)
        if own:
            return buck_highest(own)
    return buck_lowest(side & buck_rank_row(side, True)) if side else buck_highest(hand)


@kernel
def buck_policy_follow(
    hand: Word, legal: Word, best: Word, winning: Word, unseen: Word, trumps: Word, later: Int
) -> Word:
    sure, taking = hand & ~buck_up_to(unseen | best), legal & winning & (W0 - best)
    if taking == W0:
        return buck_weakest(legal, sure, trumps)
    if later == 0:
        return buck_lowest(taking)
    if taking & sure:
        return buck_lowest(taking & sure)
    return buck_lowest(taking) if taking & trumps else buck_highest(taking)


BUCK_POLICY_ROUND = np.dtype(
    [
        ("hand", "u8", (4,)),
        ("buried", "u8"),
        ("deck", "u8"),
        ("gone", "u8"),
        ("trumps", "u8"),
        ("led", "u8"),
        ("best", "u8"),
        ("dealer", "i8"),
        ("maker", "i8"),
        ("active", "i8"),
    ],
    align=True,
)
_local_round, _local_weights = stack(BUCK_POLICY_ROUND), stack(np.uint32)


@kernel
def _lane(card: Word) -> Word:
    """The byte of the order by trump in which a card lies."""
    return shl(_LANE0, lowest(card) & 24)


@kernel
def buck_policy_open(t: Record, s: Words) -> None:
    trump, buried = buck_trump(s), buck_buried(s)
    gone = s[PLAYED] | (W0 if buck_ordered(s) else BIT(buck_up(s)))
    t.buried = W0 if buried == BUCK_NO_CARD else buck_pack(BIT(buried), trump)
    t.deck = buck_pack(BUCK_DECK, trump)
    t.trumps = BUCK_TRUMPS if trump < BUCK_NO_TRUMP else W0
    t.led = W0
    t.best = W0
    t.dealer = buck_dealer(s)
    t.maker = buck_maker(s)
    t.active = 4 - popcount(word(buck_out(s)))
    for i in range(buck_length(s)):
        card = BIT(np.int64(buck_place[trump, buck_card(s, i)]))
        gone |= BIT(buck_card(s, i))
        if i == 0:
            t.led = _lane(card)
        if card & (t.led | t.trumps) > t.best:
            t.best = card
    t.gone = buck_pack(gone, trump)
    for seat in range(4):
        t.hand[seat] = buck_pack(s[HAND + seat], trump)


@kernel
def buck_policy_card(t: Record, seat: Int, n: Int) -> Word:
    hand = t.hand[seat]
    unseen = t.deck & ~(t.gone | hand | (t.buried if seat == t.dealer else W0))
    if n == 0:
        return buck_policy_lead(hand, unseen, t.trumps, seat == t.maker)
    legal, winning = buck_follow(hand, t.led), t.led | t.trumps
    return buck_policy_follow(hand, legal, t.best, winning, unseen, t.trumps, t.active - n - 1)


# ---- weights ----


@kernel
def buck_odds(points: Int) -> Int:
    n = 0 if points < -16 else 32 if points > 16 else points + 16
    return (2 + (n & 1)) << (n >> 1)


@kernel
def buck_policy_order(s: Words, weights: Words) -> None:
    suit, hand = buck_up(s) // 6, s[HAND + buck_turn(s)]
    if buck_turn(s) == buck_dealer(s):
        margin = buck_points_buried(buck_pack(hand | BIT(buck_up(s)), suit)) - BUCK_DEALER_POINTS
    else:
        margin = buck_points(buck_pack(hand, suit)) - BUCK_ORDER_POINTS
    weights[0] = np.uint32(buck_odds(0))
    weights[1] = np.uint32(buck_odds(margin))


@kernel
def buck_policy_name(s: Words, moves: Words, n: Int, weights: Words) -> None:
    weights[0] = np.uint32(buck_odds(0))
    for i in range(1, n):
        points = buck_points(buck_pack(s[HAND + buck_turn(s)], buck_move_card(np.int64(moves[i]))))
        weights[i] = np.uint32(buck_odds(points - BUCK_NAME_POINTS))


@kernel
def buck_policy_bury(s: Words, moves: Words, n: Int, weights: Words) -> None:
    trump = buck_trump(s)
    hand = buck_pack(s[HAND + buck_turn(s)], trump)
    best = buck_points_buried(hand)
    for i in range(n):
        place = np.int64(buck_place[trump, buck_move_card(np.int64(moves[i]))])
        weights[i] = np.uint32(8 * buck_odds(buck_points(hand ^ BIT(place)) - best) - (place & 7))


@kernel
def buck_policy_stay(s: Words, weights: Words) -> None:
    seat = buck_turn(s)
    before = (seat - buck_maker(s) - 1) & 3
    stayed = before - popcount(word(buck_out(s)))
    margin = buck_points(buck_pack(s[HAND + seat], buck_trump(s))) - buck_stay_points[stayed]
    alone = before == 2 and stayed == 0  # B9
    weights[0] = np.uint32(1 << 18 if alone else buck_odds(margin))
    weights[1] = np.uint32(1 if alone else buck_odds(0))


@kernel
def buck_policy_play(s: Words, moves: Words, n: Int, weights: Words) -> None:
    t = _local_round(1)[0]
    buck_policy_open(t, s)
    chosen = buck_unpack_card(lowest(buck_policy_card(t, buck_turn(s), buck_length(s))), buck_trump(s))
    for i in range(n):
        extra = n * (16 - BUCK_STRAY) if buck_move_card(np.int64(moves[i])) == chosen else 0
        weights[i] = np.uint32(BUCK_STRAY + extra)


@kernel
def buck_policy(s: Words, moves: Words, n: Int, weights: Words) -> None:
    stage = buck_stage(s)
    if stage == BUCK_ORDER:
        buck_policy_order(s, weights)
    elif stage == BUCK_NAME:
        buck_policy_name(s, moves, n, weights)
    elif stage == BUCK_BURY:
        buck_policy_bury(s, moves, n, weights)
    elif stage == BUCK_STAY:
        buck_policy_stay(s, weights)
    else:
        buck_policy_play(s, moves, n, weights)


# ---- playouts ----


@kernel
def buck_policy_play_out(s: Words, r: Words) -> Int:
    out, trump, seat, length = buck_out(s), buck_trump(s), buck_turn(s), buck_length(s)
    last, winner, plies = seat, buck_trick_winner(s) if length else seat, 0
    t = _local_round(1)[0]
    hand, stray = t.hand, np.uint64(BUCK_STRAY)
    buck_policy_open(t, s)
    for i in range(length):
        s[PLAYED] |= BIT(buck_card(s, i))
    for i in range(4):
        if not out >> i & 1:
            s[PLAYED] |= s[HAND + i]
            s[HAND + i] = W0
    for left in range(popcount(hand[seat]), 0, -1):
        word_ = shr(rng_word(r), 16 * length) if left > 1 else W0
        while length < t.active:
            card = hand[seat]
            if left > 1:
                if word_ & np.uint64(15) < stray:
                    card = buck_pick(buck_follow(card, t.led) if length else card, word_)
                else:
                    card = buck_policy_card(t, seat, length)
            hand[seat] ^= card
            t.gone |= card
            if length == 0:
                t.led = _lane(card)
                t.best = W0
            elif card & t.led == W0:
                buck_add_void(s, seat, np.int64(buck_lane_suit[trump, lowest(t.led) >> 3]))  # B15
            if card & (t.led | t.trumps) > t.best:  # B10
                t.best = card
                winner = seat
            last = seat
            seat = buck_next(out, seat)
            length += 1
            plies += 1
            word_ = shr(word_, 16)
        buck_add_tricks(s, winner, 1)
        seat = winner
        length = 0
    s[TABLE] &= ~(BIT(23) - W1)
    buck_set_turn(s, last)
    buck_finish(s)
    return plies


@kernel
def buck_policy_playout(s: Words, r: Words, cap: Int) -> Int:
    plies, moves, weights = 0, local_moves(6), _local_weights(6)
    while buck_stage(s) < BUCK_PLAY:
        n = buck_moves(s, moves)
        buck_policy(s, moves, n, weights)
        buck_play(s, np.int64(moves[rng_weighed(r, weights, n)]))
        plies += 1
    return plies + buck_policy_play_out(s, r) if buck_stage(s) == BUCK_PLAY else plies
