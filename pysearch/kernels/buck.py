"""The twin of csrc/buck.h, function by function."""

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
from pysearch.kernels.buck_equity import buck_equity
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_BUCK_WORDS, PS_ERROR_ILLEGAL, PS_ONE

BUCK_ORDER, BUCK_NAME, BUCK_BURY, BUCK_STAY, BUCK_PLAY, BUCK_OVER = range(6)  # stage
BUCK_NO_TRUMP, BUCK_NONE, BUCK_NO_CARD = 4, 7, 31

# Kinds of move, in listed order; code = kind << 12 | suit or card << 6.
BUCK_PASS, BUCK_ORDERS, BUCK_NAMES, BUCK_BURIES, BUCK_STAYS, BUCK_DROPS, BUCK_PLAYS = range(7)

HAND, KITTY, PLAYED, TABLE, STATUS, SCORES = 0, 4, 5, 6, 7, 8  # the words of a state

BUCK_DECK = np.uint64(0xFFFFFF)

local_words = stack(np.uint64)
local_moves = stack(np.uint16)


@kernel
def buck_copy(to: Words, from_: Words) -> None:
    for i in range(PS_BUCK_WORDS):
        to[i] = from_[i]


# ---- fields ----


@kernel
def buck_turn(s: Words) -> Int:
    return field(s[STATUS], 0, 2)


@kernel
def buck_stage(s: Words) -> Int:
    return field(s[STATUS], 2, 3)


@kernel
def buck_dealer(s: Words) -> Int:
    return field(s[STATUS], 5, 2)


@kernel
def buck_trump(s: Words) -> Int:
    return field(s[STATUS], 7, 3)


@kernel
def buck_maker(s: Words) -> Int:
    return field(s[STATUS], 10, 3)


@kernel
def buck_out(s: Words) -> Int:
    return field(s[STATUS], 13, 4)


@kernel
def buck_voids(s: Words, seat: Int) -> Int:
    return field(s[STATUS], 17 + 4 * seat, 4)


@kernel
def buck_tricks(s: Words, seat: Int) -> Int:
    return field(s[STATUS], 33 + 3 * seat, 3)


@kernel
def buck_viewer(s: Words) -> Int:
    return field(s[STATUS], 45, 3) - 1


@kernel
def buck_score(s: Words, seat: Int) -> Int:
    return np.int64(np.int16(shr(s[SCORES], 16 * seat)))


@kernel
def buck_hidden(place: Word) -> Int:
    return field(place, 32, 3)


@kernel
def buck_card(s: Words, i: Int) -> Int:
    return field(s[TABLE], 5 * i, 5)


@kernel
def buck_length(s: Words) -> Int:
    return field(s[TABLE], 20, 3)


@kernel
def buck_leader(s: Words) -> Int:
    return field(s[TABLE], 23, 2)


@kernel
def buck_up(s: Words) -> Int:
    return field(s[TABLE], 25, 5)


@kernel
def buck_buried(s: Words) -> Int:
    return field(s[TABLE], 30, 5)


@kernel
def buck_buried_hidden(s: Words) -> Int:
    return field(s[TABLE], 35, 1)


@kernel
def buck_set_turn(s: Words, seat: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 0, 2, word(seat))


@kernel
def buck_set_stage(s: Words, stage: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 2, 3, word(stage))


@kernel
def buck_set_trump(s: Words, trump: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 7, 3, word(trump))


@kernel
def buck_set_maker(s: Words, seat: Int) -> None:
    s[STATUS] = with_field(s[STATUS], 10, 3, word(seat))


@kernel
def buck_set_leader(s: Words, seat: Int) -> None:
    s[TABLE] = with_field(s[TABLE], 23, 2, word(seat))


@kernel
def buck_set_buried(s: Words, card: Int) -> None:
    s[TABLE] = with_field(s[TABLE], 30, 5, word(card))


@kernel
def buck_add_void(s: Words, seat: Int, suit: Int) -> None:
    s[STATUS] |= BIT(17 + 4 * seat + suit)


@kernel
def buck_add_tricks(s: Words, seat: Int, n: Int) -> None:
    s[STATUS] += shl(word(n), 33 + 3 * seat)


@kernel
def buck_code(kind: Int, suit_or_card: Int) -> Int:
    return kind << 12 | suit_or_card << 6


@kernel
def buck_move_kind(move: Int) -> Int:
    return move >> 12


@kernel
def buck_move_card(move: Int) -> Int:
    return move >> 6 & 63


BUCK_HIDDEN_BURY = BUCK_BURIES << 12 | 63 << 6


# ---- cards ----


@kernel
def buck_left_bower(trump: Int) -> Int:
    return 6 * (3 - trump) + 2


@kernel
def buck_suit(card: Int, trump: Int) -> Int:
    """The left bower is a trump (B2)."""
    return trump if trump < BUCK_NO_TRUMP and card == buck_left_bower(trump) else card // 6


@kernel
def buck_suit_cards(suit: Int, trump: Int) -> Word:
    cards = shl(np.uint64(63), 6 * suit)
    if trump >= BUCK_NO_TRUMP:
        return cards
    left = BIT(buck_left_bower(trump))
    return cards | left if suit == trump else cards & ~left


buck_lane_suit = np.array([[1, 2, 3, 0], [0, 3, 2, 1], [0, 3, 1, 2], [1, 2, 0, 3], [0, 1, 2, 3]], np.uint8)

_BOTH = np.uint64(0x100000001)
_RANKS, _TOP_RANKS, _LOW_RANKS = np.uint64(63) * _BOTH, np.uint64(28) * _BOTH, np.uint64(3) * _BOTH


@kernel
def buck_pack_two(cards: Word, trump: Int) -> Word:
    suit = buck_lane_suit[trump]
    a = shr(cards, 6 * np.int64(suit[0])) & _RANKS
    b = shr(cards, 6 * np.int64(suit[1])) & _RANKS
    c = shr(cards, 6 * np.int64(suit[2])) & _RANKS
    d = shr(cards, 6 * np.int64(suit[3])) & _RANKS
    if trump < BUCK_NO_TRUMP:
        left, right = shr(c, 2) & _BOTH, shr(d, 2) & _BOTH
        c = (c & _LOW_RANKS) | (shr(c, 1) & _TOP_RANKS)
        d = (d & _LOW_RANKS) | (shr(d, 1) & _TOP_RANKS) | shl(left, 5) | shl(right, 6)
    return a | shl(b, 8) | shl(c, 16) | shl(d, 24)


@kernel
def buck_pack(cards: Word, trump: Int) -> Word:
    return buck_pack_two(cards & BUCK_DECK, trump)


buck_place = np.array(
    [
        [24, 25, 30, 26, 27, 28, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 29, 18, 19, 20],
        [0, 1, 2, 3, 4, 5, 24, 25, 30, 26, 27, 28, 16, 17, 29, 18, 19, 20, 8, 9, 10, 11, 12, 13],
        [0, 1, 2, 3, 4, 5, 16, 17, 29, 18, 19, 20, 24, 25, 30, 26, 27, 28, 8, 9, 10, 11, 12, 13],
        [16, 17, 29, 18, 19, 20, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 24, 25, 30, 26, 27, 28],
        [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29],
    ],
    np.uint8,
)

_RANK = np.array([0, 1, 3, 4, 5, 2, 2, 0], np.uint8)


@kernel
def buck_unpack_card(bit: Int, trump: Int) -> Int:
    lane, place = bit >> 3, bit & 7
    moved = trump < BUCK_NO_TRUMP and lane >= 2
    if moved and place == 5:
        return buck_left_bower(trump)
    return 6 * np.int64(buck_lane_suit[trump, lane]) + (np.int64(_RANK[place]) if moved else place)


# ---- moves ----


@kernel
def buck_to_move(s: Words) -> Int:
    return -1 if buck_stage(s) == BUCK_OVER else buck_turn(s)


@kernel
def buck_ordered(s: Words) -> Int:
    """The dealer has taken the up-card (B5)."""
    return buck_maker(s) != BUCK_NONE and buck_trump(s) == buck_up(s) // 6


@kernel
def buck_led(s: Words) -> Int:
    return buck_suit(buck_card(s, 0), buck_trump(s))


@kernel
def buck_legal_cards(s: Words) -> Word:
    """B10."""
    hand = s[HAND + buck_turn(s)] & BUCK_DECK
    following = hand & buck_suit_cards(buck_led(s), buck_trump(s)) if buck_length(s) else W0
    return following if following else hand


@kernel
def buck_list_cards(kind: Int, cards: Word, moves: Words) -> Int:
    n = 0
    while cards:
        moves[n] = np.uint16(buck_code(kind, lowest(cards)))
        n += 1
        cards &= cards - W1
    return n


@kernel
def buck_moves(s: Words, moves: Words) -> Int:
    stage = buck_stage(s)
    if stage == BUCK_ORDER:  # B5
        moves[0] = np.uint16(buck_code(BUCK_PASS, 0))
        moves[1] = np.uint16(buck_code(BUCK_ORDERS, 0))
        return 2
    if stage == BUCK_NAME:  # B6
        n = 1
        moves[0] = np.uint16(buck_code(BUCK_PASS, 0))
        for suit in range(4):
            if suit != buck_up(s) // 6:
                moves[n] = np.uint16(buck_code(BUCK_NAMES, suit))
                n += 1
        return n
    if stage == BUCK_BURY:  # B5
        return buck_list_cards(BUCK_BURIES, s[HAND + buck_turn(s)] & BUCK_DECK, moves)
    if stage == BUCK_STAY:  # B8
        moves[0] = np.uint16(buck_code(BUCK_STAYS, 0))
        moves[1] = np.uint16(buck_code(BUCK_DROPS, 0))
        return 2
    if stage == BUCK_PLAY:
        return buck_list_cards(BUCK_PLAYS, buck_legal_cards(s), moves)
    return 0


# ---- play ----


@kernel
def buck_next(out: Int, seat: Int) -> Int:
    """B10."""
    seat = (seat + 1) & 3
    while out >> seat & 1:
        seat = (seat + 1) & 3
    return seat


_ONES = np.uint64(0x0001000100010001)
_RAISE, _SEVENS = np.uint64(0x8000800080008000), np.uint64(0x0007000700070007)
_SPREAD = np.uint64(1 | 1 << 13 | 1 << 26 | 1 << 39)


@kernel
def buck_finish(s: Words) -> None:
    """B11, B12, B13."""
    out = word(buck_out(s))
    maker = W0 if buck_maker(s) == BUCK_NONE else BIT(16 * buck_maker(s))
    active = ~(out | shl(out, 15) | shl(out, 30) | shl(out, 45)) & _ONES
    tricks = (shr(s[STATUS], 33) & np.uint64(4095)) * _SPREAD & _SEVENS
    enough = shr(tricks + _SEVENS - np.uint64(2) * maker, 3) & _ONES  # one trick, three for the maker
    fined = active & ~enough
    s[SCORES] = (s[SCORES] ^ _RAISE) + np.uint64(5) * fined - (tricks & ~(np.uint64(7) * fined))
    s[SCORES] ^= _RAISE
    buck_set_stage(s, BUCK_OVER)
    buck_set_leader(s, 0)


@kernel
def buck_start_play(s: Words) -> None:
    first = buck_next(buck_out(s), buck_dealer(s))  # B10
    buck_set_stage(s, BUCK_PLAY)
    buck_set_turn(s, first)
    buck_set_leader(s, first)


@kernel
def buck_play_order(s: Words, orders: Int) -> None:
    """B5."""
    seat, dealer = buck_turn(s), buck_dealer(s)
    if orders:
        buck_set_maker(s, seat)
        buck_set_trump(s, buck_up(s) // 6)
        s[HAND + dealer] |= BIT(buck_up(s))
        buck_set_stage(s, BUCK_BURY)
        buck_set_turn(s, dealer)
        return
    if seat == dealer:
        buck_set_stage(s, BUCK_NAME)  # B6
    buck_set_turn(s, (seat + 1) & 3)


@kernel
def buck_play_name(s: Words, names: Int, suit: Int) -> None:
    """B6."""
    seat = buck_turn(s)
    if names:
        buck_set_maker(s, seat)
        buck_set_trump(s, suit)
        buck_set_stage(s, BUCK_STAY)
    elif seat == buck_dealer(s):  # B7
        buck_set_trump(s, BUCK_NO_TRUMP)
        buck_start_play(s)
        return
    buck_set_turn(s, (seat + 1) & 3)


@kernel
def buck_play_bury(s: Words, card: Int) -> None:
    """B5."""
    s[HAND + buck_dealer(s)] &= ~BIT(card)
    buck_set_buried(s, card)
    buck_set_stage(s, BUCK_STAY)
    buck_set_turn(s, (buck_maker(s) + 1) & 3)  # B8


@kernel
def buck_play_stay(s: Words, drops: Int) -> None:
    """B8."""
    seat, maker = buck_turn(s), buck_maker(s)
    following = (seat + 1) & 3
    if drops:
        s[STATUS] |= BIT(13 + seat)
    if following != maker:
        buck_set_turn(s, following)
    elif buck_out(s) == 15 & ~(1 << maker):  # B9
        buck_add_tricks(s, maker, 5)
        buck_finish(s)
    else:
        buck_start_play(s)


@kernel
def buck_trick_winner(s: Words) -> Int:
    trump, n, seat = buck_trump(s), buck_length(s), buck_leader(s)
    lowest_trump = 24 if trump < BUCK_NO_TRUMP else 32
    winner, best = seat, np.int64(buck_place[trump, buck_card(s, 0)])
    for i in range(1, n):
        place = np.int64(buck_place[trump, buck_card(s, i)])
        takes = place > best if place >> 3 == best >> 3 else place >= lowest_trump
        seat = buck_next(buck_out(s), seat)
        winner = seat if takes else winner
        best = place if takes else best
    return winner


@kernel
def buck_end_trick(s: Words) -> None:
    """B10."""
    winner = buck_trick_winner(s)
    for i in range(buck_length(s)):
        s[PLAYED] |= BIT(buck_card(s, i))
    buck_add_tricks(s, winner, 1)
    s[TABLE] &= ~(BIT(23) - W1)
    if s[HAND + winner] == W0:
        buck_finish(s)
        return
    buck_set_turn(s, winner)
    buck_set_leader(s, winner)


@kernel
def buck_play_card(s: Words, card: Int) -> None:
    """B10."""
    seat, n = buck_turn(s), buck_length(s)
    s[HAND + seat] &= ~BIT(card)
    s[TABLE] += shl(word(card), 5 * n) | BIT(20)
    suit, led = buck_suit(card, buck_trump(s)), buck_led(s)
    if suit != led:
        buck_add_void(s, seat, led)  # B15
    if n + 1 == 4 - popcount(word(buck_out(s))):
        buck_end_trick(s)
    else:
        buck_set_turn(s, buck_next(buck_out(s), seat))


@kernel
def buck_play(s: Words, move: Int) -> None:
    stage, kind, card = buck_stage(s), buck_move_kind(move), buck_move_card(move)
    if stage == BUCK_ORDER:
        buck_play_order(s, kind == BUCK_ORDERS)
    elif stage == BUCK_NAME:
        buck_play_name(s, kind == BUCK_NAMES, card)
    elif stage == BUCK_BURY:
        buck_play_bury(s, card)
    elif stage == BUCK_STAY:
        buck_play_stay(s, kind == BUCK_DROPS)
    else:
        buck_play_card(s, card)


# ---- the end ----


@kernel
def buck_winners(s: Words) -> Int:
    """B13, B14."""
    winners, lowest_score = 0, 0
    for seat in range(4):
        score = buck_score(s, seat)
        if buck_tricks(s, seat) == 5:
            return 1 << seat
        if score < lowest_score:
            winners, lowest_score = 0, score
        if score == lowest_score:
            winners |= 1 << seat
    return winners


_local_scores = stack(np.int64)


@kernel
def buck_shares(s: Words, shares: Words) -> None:
    """B3: the deal passes to the left."""
    winners = buck_winners(s)
    if winners == 0:
        scores = _local_scores(4)
        for seat in range(4):
            scores[seat] = buck_score(s, seat)
        buck_equity(scores, (buck_dealer(s) + 1) & 3, shares)
        return
    n = popcount(word(winners))
    left = PS_ONE % n
    for seat in range(4):
        won = winners >> seat & 1
        extra = 1 if won and left else 0
        shares[seat] = np.uint32(won * (PS_ONE // n) + extra)
        left -= extra


# ---- knowledge ----


@kernel
def buck_visible(v: Words) -> Word:
    cards = v[HAND] | v[HAND + 1] | v[HAND + 2] | v[HAND + 3] | v[KITTY] | v[PLAYED]
    if not buck_ordered(v):
        cards |= BIT(buck_up(v))
    if buck_buried(v) != BUCK_NO_CARD:
        cards |= BIT(buck_buried(v))
    for i in range(buck_length(v)):
        cards |= BIT(buck_card(v, i))
    return cards & BUCK_DECK


@kernel
def buck_hide(place: Word, named: Word) -> Word:
    return named | shl(word(popcount(place & BUCK_DECK & ~named) + buck_hidden(place)), 32)


@kernel
def buck_view(s: Words, seat: Int, v: Words) -> None:
    """B15."""
    dealer = buck_dealer(s)
    buck_copy(v, s)
    for other in range(4):
        if other != seat:
            took_up = other == dealer and buck_stage(s) == BUCK_BURY
            v[HAND + other] = buck_hide(s[HAND + other], BIT(buck_up(s)) if took_up else W0)
    v[KITTY] = buck_hide(s[KITTY], W0)
    if seat != dealer and buck_buried(s) != BUCK_NO_CARD:
        buck_set_buried(v, BUCK_NO_CARD)
        v[TABLE] |= BIT(35)
    v[STATUS] = with_field(s[STATUS], 45, 3, word(seat + 1))


@kernel
def buck_assume_card(v: Words, card: Int) -> Int:
    seat = buck_turn(v)
    suit = buck_suit(card, buck_trump(v))
    if card >= 24 or buck_voids(v, seat) >> suit & 1:
        return PS_ERROR_ILLEGAL
    if v[HAND + seat] & BIT(card) == W0:
        if buck_hidden(v[HAND + seat]) == 0 or buck_visible(v) & BIT(card):
            return PS_ERROR_ILLEGAL
        if card == buck_up(v) and seat != buck_dealer(v):
            return PS_ERROR_ILLEGAL  # it is with the dealer (B5)
        v[HAND + seat] += BIT(card) - BIT(32)
    if buck_length(v) == 0 or suit == buck_led(v):
        return 0
    if v[HAND + seat] & BUCK_DECK & buck_suit_cards(buck_led(v), buck_trump(v)):
        return PS_ERROR_ILLEGAL
    buck_add_void(v, seat, buck_led(v))
    return 0


@kernel
def buck_assume(v: Words, move: Int) -> Int:
    seat, viewer = buck_to_move(v), buck_viewer(v)
    if seat >= 0 and viewer >= 0 and viewer != seat:
        if buck_stage(v) == BUCK_BURY:
            return 0 if move == BUCK_HIDDEN_BURY else PS_ERROR_ILLEGAL
        if buck_stage(v) == BUCK_PLAY:
            card = buck_move_card(move)
            return buck_assume_card(v, card) if move == buck_code(BUCK_PLAYS, card) else PS_ERROR_ILLEGAL
    moves = local_moves(6)
    for i in range(buck_moves(v, moves)):
        if np.int64(moves[i]) == move:
            return 0
    return PS_ERROR_ILLEGAL


@kernel
def buck_realize(world: Words, move: Int) -> Int:
    return buck_code(BUCK_BURIES, lowest(world[HAND + buck_turn(world)])) if move == BUCK_HIDDEN_BURY else move


@kernel
def buck_swap(s: Words, a: Int, b: Int) -> None:
    both, buried = BIT(a) | BIT(b), buck_buried(s)
    for seat in range(4):
        if popcount(s[HAND + seat] & both) == 1:
            s[HAND + seat] ^= both
    if popcount(s[KITTY] & both) == 1:
        s[KITTY] ^= both
    if buried in (a, b):
        buck_set_buried(s, a + b - buried)


# ---- key ----

buck_card_key = np.array(
    [
        0x239EED24C2C063FF,
        0xF768064F958507AD,
        0x55113DC30E9A8DF5,
        0x5966EB44E0C67745,
        0x4CA82984FCB042D9,
        0xB9C48CB01720800F,
        0xD6C93F01A9F18631,
        0xA83C546DBC4D13DD,
        0xA3966023DF2D5C05,
        0xACE970FCCDDBA417,
        0x4FE2C4E12B5EADAD,
        0x00633256E25FE71D,
        0x34C6049FA9998119,
        0xE66C0E9819428E8B,
        0xA62D2465BE71C2D9,
        0x3C19C840D9F9BACD,
        0xF5A6B47B57A73CAB,
        0xE7F137F5A11B5C7D,
        0x60A8A1E2FDBC4BE3,
        0x12F034C143D2BA11,
        0xD6567964CFBAA4DD,
        0x83DE0B93946A0999,
        0x9F777337923FE54F,
        0x068C193BF65CC903,
    ],
    np.uint64,
)
buck_seat_key = np.array([0x3379782E12806DCD, 0xC85AD6FF6546E4BF, 0x33BA20D253C80A75, 0x10CC80422FB71EAD], np.uint64)
_MIX = np.uint64(0xE9846AF9B1A615D)
_SCORES_KEY, _STATUS_KEY = np.uint64(0xA24BAED4963EE407), np.uint64(0x9FB21C651E98DF25)
_NOT_KEYED = np.uint64(65535 << 17 | 7 << 45)  # voids and view


@kernel
def buck_mix(x: Word) -> Word:
    x ^= shr(x, 32)
    x *= _MIX
    x ^= shr(x, 32)
    x *= _MIX
    return x ^ shr(x, 28)


@kernel
def buck_public_key(s: Words) -> Word:
    stage, up = buck_stage(s), buck_up(s)
    shown = up if stage == BUCK_ORDER else up // 6 if stage == BUCK_NAME else 0
    trick, status = s[TABLE] & (BIT(25) - W1), s[STATUS] & ~_NOT_KEYED
    return buck_mix(s[SCORES] * _SCORES_KEY + status * _STATUS_KEY + (trick | shl(word(shown), 25)))


@kernel
def buck_live(s: Words, seat: Int) -> Word:
    return W0 if buck_stage(s) == BUCK_OVER or buck_out(s) >> seat & 1 else s[HAND + seat] & BUCK_DECK


@kernel
def buck_hand_key(cards: Word) -> Word:
    total = W0
    while cards:
        total += buck_card_key[lowest(cards)]
        cards &= cards - W1
    return total


@kernel
def buck_rekey(key: Word, before: Words, after: Words) -> Word:
    key += buck_public_key(after) - buck_public_key(before)
    for seat in range(4):
        then, now = buck_live(before, seat), buck_live(after, seat)
        key += buck_seat_key[seat] * (buck_hand_key(now & ~then) - buck_hand_key(then & ~now))
    return key


@kernel
def buck_key(s: Words) -> Word:
    key = buck_public_key(s)
    for seat in range(4):
        key += buck_seat_key[seat] * buck_hand_key(buck_live(s, seat))
    return key
