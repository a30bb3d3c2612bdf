"""The twin of csrc/cuttle_solve_moves.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, field, highest, lowest, popcount, shl
from pysearch.kernels.cuttle import (
    CUTTLE_AIMED,
    CUTTLE_AIMING,
    CUTTLE_ANSWER,
    CUTTLE_COUNTER,
    CUTTLE_DECLINE,
    CUTTLE_DISCARD,
    CUTTLE_DISCARDS,
    CUTTLE_DRAW,
    CUTTLE_EFFECT,
    CUTTLE_JACK,
    CUTTLE_MAIN,
    CUTTLE_NUMBERS,
    CUTTLE_PASS,
    CUTTLE_PERM,
    CUTTLE_POINTS,
    CUTTLE_RANK,
    CUTTLE_SCUTTLE,
    CUTTLE_SEVEN,
    CUTTLE_TAKE,
    CUTTLE_TAKES,
    CUTTLE_UNAIMED,
    RANK_2,
    RANK_3,
    RANK_5,
    RANK_7,
    RANK_8,
    RANK_9,
    RANK_J,
    cuttle_code,
    cuttle_rank,
    cuttle_stock_card,
    cuttle_stock_size,
    cuttle_sum,
)
from pysearch.kernels.cuttle_solve_state import (
    CS_GLASSES,
    CS_KINGS,
    CS_NAMELESS,
    CS_QUEENS,
    EIGHTS,
    JACKS,
    KINGS,
    THREES,
    cs_goal,
    cs_has_queen,
    cs_need,
    cs_points,
    cs_put,
    cs_revealed_under,
    cs_take,
    cs_to_move,
    cs_value,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack

CS_DECK = np.dtype([("stock", "u1", (64,)), ("below", "u8", (53,))], align=True)

_local_items, _local_bytes = stack(np.int64), stack(np.uint8)

_TWOS, _FIVES, _SEVENS, _NINES = (CUTTLE_RANK[rank] for rank in (RANK_2, RANK_5, RANK_7, RANK_9))
_FACES = np.uint64(1 << 40 | 1 << CS_QUEENS | 1 << CS_KINGS)  # the first card of each rank without suits
_JACK = np.uint64(1 << 40)
_15 = np.uint64(15)


@kernel
def cs_deck_open(d: Record, g: Words) -> None:
    for i in range(64):
        d.stock[i] = np.uint8(0)
    for i in range(53):
        d.below[i] = W0
    for i in range(cuttle_stock_size(g)):
        card = cuttle_stock_card(g, i)
        if card >= CS_NAMELESS:
            card &= 60
        d.stock[i] = np.uint8(card)
        d.below[i + 1] = cs_put(d.below[i], card)


@kernel
def cs_next_cards(d: Record, s: Record, n: Int) -> Word:
    stock = np.int64(s.stock)
    return d.below[stock] ^ d.below[max(stock - n, 0)]


# ---- bounds ----


@kernel
def cs_top_value(numbers: Word) -> Int:
    return cs_value(highest(numbers)) if numbers else 0


_DROP = np.array([7, 4, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])


@kernel
def cs_king_drop(s: Record, p: Int) -> Int:  # C24
    return _DROP[field(s.table[p], CS_KINGS, 4)]


@kernel
def cs_lays_goal(s: Record, p: Int, score: Int) -> Int:  # C18
    need = cs_goal(s, p) - score
    if cs_top_value(s.hand[p] & CUTTLE_NUMBERS) >= need:
        return 1
    return np.int64(field(s.hand[p], CS_KINGS, 1) != 0 and cs_king_drop(s, p) >= need)


@kernel
def cs_wins_now(s: Record) -> Int:
    p = np.int64(s.turn)
    if cs_lays_goal(s, p, np.int64(s.score[p])):
        return 1
    if not s.hand[p] & JACKS or cs_has_queen(s, p ^ 1):
        return 0
    return np.int64(cs_top_value(cs_points(s, p ^ 1)) >= cs_need(s, p))


@kernel
def cs_best_value(s: Record, p: Int, cards: Word, jackable: Int) -> Int:
    v = cs_top_value(cards & CUTTLE_NUMBERS)
    if cards & KINGS:
        v = max(v, cs_king_drop(s, p))
    if cards & JACKS:
        v = max(v, jackable)
    return v


@kernel
def cs_lent(s: Record, p: Int) -> Int:
    lent, points = s.jacked & s.table[p ^ 1], 0
    while lent:
        points += cs_value(lowest(lent))
        lent &= lent - W1
    return points


@kernel
def cs_turns(d: Record, s: Record, p: Int) -> Int:
    hand, queen = s.hand[p], cs_has_queen(s, p ^ 1)
    need, loot = cs_need(s, p), cs_top_value(cs_points(s, p ^ 1))
    if s.jacked:
        need -= cs_lent(s, p)
    sevens = s.stock != 0 and hand & _SEVENS != W0
    items, n = _local_items(13), 0

    numbers = hand & CUTTLE_NUMBERS
    while n < 3 and numbers:
        top = highest(numbers)
        items[n] = cs_value(top)
        numbers ^= BIT(top)
        n += 1
    k, drop = field(hand, CS_KINGS, 3), cs_king_drop(s, p)
    while k:
        items[n] = drop
        n += 1
        k >>= 1
        drop -= 3 if drop == 7 else 1
    if not queen and loot:
        j = field(hand, 4 * RANK_J, 3)
        while j:
            items[n] = loot
            n += 1
            j >>= 1
    if sevens:
        after = cs_next_cards(d, s, 2)
        if after & _SEVENS:
            after = cs_next_cards(d, s, 6)
        if cs_best_value(s, p, after, loot) >= need:
            return 1
        turned = cs_best_value(s, p, cs_next_cards(d, s, 12), loot)
        for _ in range(popcount(hand & _SEVENS)):
            items[n] = turned
            n += 1
    best, second, third = 0, 0, 0
    for i in range(n):
        v = items[i]
        if v > best:
            best, second, third = v, best, second
        elif v > second:
            second, third = v, second
        elif v > third:
            third = v
    if cs_best_value(s, p, hand, 0 if queen else loot) >= need:
        return 1
    if best + second >= need:
        return 2
    if need > 20:
        return 3 if best + second + third >= need else 4

    span = 5 if hand & _FIVES else 4
    reach = cs_next_cards(d, s, 8 if sevens else span)
    shown = hand | reach if sevens else hand
    if shown & THREES:
        reach |= s.scrap
    if queen:
        reach |= hand & JACKS
    if hand & _NINES:
        reach |= EIGHTS | JACKS
    if cs_best_value(s, p, reach, 10 if loot else 0) >= need:
        return 2

    shown = hand | reach if sevens else hand
    fives = shown & _FIVES != W0
    reach |= cs_next_cards(d, s, 12)
    far = 10 if (hand | reach) & THREES else cs_best_value(s, p, reach, 10)
    pair = far + (far if fives and far > best else best)
    return 3 if best + second + third >= need or pair >= need else 4


_KINGS_GOAL = np.array([21, 14, 10, 7, 5])


@kernel
def cs_hopeless(d: Record, s: Record, p: Int) -> Int:
    if s.stock > 8:
        return 0
    below = d.below[s.stock]
    cards = s.hand[p] | below
    if cards & (THREES | _NINES):
        return 0
    jacks = popcount(s.hand[p] & JACKS) + popcount(below & JACKS)
    kings = popcount(s.hand[p] & KINGS) + popcount(below & KINGS)
    own = popcount(s.table[p] & KINGS)
    points = np.int64(s.score[p]) + cuttle_sum(cards & CUTTLE_NUMBERS) + cs_lent(s, p)
    loot = cs_points(s, p ^ 1)
    while jacks and loot:
        points += cs_top_value(loot)
        loot ^= BIT(highest(loot))
        jacks -= 1
    return np.int64(points < _KINGS_GOAL[own + kings])


# ---- moves ----


@kernel
def cs_scrap_is_dead(d: Record, s: Record) -> Int:
    held = (s.hand[0] | s.hand[1] | d.below[s.stock]) & THREES
    return np.int64(held == W0 and cuttle_rank(np.int64(s.card)) != RANK_3)


@kernel
def cs_jacks_are_gone(d: Record, s: Record) -> Int:
    held = (s.hand[0] | s.hand[1] | d.below[s.stock]) & JACKS
    return np.int64(held | s.jacked == W0)


_CLUBS = np.uint64(0x1111111111)


@kernel
def cs_distinct(cards: Word, gone: Word) -> Word:
    after = cards << W1 & ~_CLUBS
    same = after
    for _ in range(2):
        after = (after & gone) << W1 & ~_CLUBS
        same |= after
    return cards & ~(same & CUTTLE_NUMBERS)


@kernel
def cs_spent_alike(d: Record, s: Record, plies: Int) -> Int:
    return np.int64(plies <= 4 or cs_scrap_is_dead(d, s) != 0)


@kernel
def cs_laid_alike(d: Record, s: Record, plies: Int) -> Int:
    return np.int64(plies <= 2 or (cs_scrap_is_dead(d, s) and cs_jacks_are_gone(d, s)) != 0)


@kernel
def cs_list(cards: Word, targets: Words, n: Int) -> Int:
    """Appends cards to a list of targets."""
    while cards:
        targets[n] = np.uint8(lowest(cards))
        n += 1
        cards &= cards - W1
    return n


@kernel
def cs_targets(s: Record, targets: Words) -> Int:  # C20
    turn, n = np.int64(s.turn), 0
    for side in (turn ^ 1, turn):
        table, queen = s.table[side], cs_has_queen(s, side)
        if queen:
            targets[n] = np.uint8(CS_QUEENS + side)
            n += 1
            if side != turn:
                continue
        if field(table, CS_KINGS, 4):
            targets[n] = np.uint8(CS_KINGS + side)
            n += 1
        n = cs_list(table & shl(_15, CS_GLASSES), targets, n)
        n = cs_list(table & s.jacked, targets, n)
    return n


CS_ALL, CS_QUIET, CS_ANSWERS = 0, 1, 2


@kernel
def cs_threatened(s: Record) -> Int:
    other = np.int64(s.turn) ^ 1
    return cs_lays_goal(s, other, np.int64(s.score[other]))


@kernel
def cs_add(moves: Words, n: Int, kind: Int, cards: Word, other: Int) -> Int:
    """Appends the moves of a kind with each of some cards; returns how many moves there are now."""
    while cards:
        moves[n] = np.uint16(cuttle_code(kind, lowest(cards), other))
        n += 1
        cards &= cards - W1
    return n


@kernel
def cs_turn_moves(d: Record, s: Record, plies: Int, filter_: Int, moves: Words) -> Int:
    p, free, n = np.int64(s.turn), filter_ == CS_ALL, 0
    opponent = p ^ 1
    hand, theirs = s.hand[p], cs_points(s, opponent)
    dead = s.scrap if cs_scrap_is_dead(d, s) else W0
    spent = cs_distinct(hand, dead) if cs_spent_alike(d, s, plies) else hand
    faces = hand & _FACES

    if free or (not s.stock and s.passes == 2):
        moves[0] = np.uint16(cuttle_code(CUTTLE_DRAW if s.stock else CUTTLE_PASS, 0, 0))
        n = 1
    if free:
        laid = cs_distinct(hand, dead) if cs_laid_alike(d, s, plies) else hand
        n = cs_add(moves, n, CUTTLE_POINTS, laid & CUTTLE_NUMBERS, 0)
        n = cs_add(moves, n, CUTTLE_PERM, (laid & EIGHTS) | (faces & ~_JACK), 0)
    jack = _JACK & faces if not cs_has_queen(s, opponent) else W0
    while theirs:
        target = lowest(theirs)
        theirs &= theirs - W1
        if not free and cs_lays_goal(s, opponent, np.int64(s.score[opponent]) - cs_value(target)):
            continue
        n = cs_add(moves, n, CUTTLE_SCUTTLE, spent & CUTTLE_NUMBERS & ~(BIT(target) - W1), target)
        n = cs_add(moves, n, CUTTLE_JACK, jack, target)
    effects = spent & (CUTTLE_UNAIMED | (THREES if s.scrap else W0))
    if filter_ == CS_ANSWERS:
        effects &= ~(THREES | _FIVES)
    n = cs_add(moves, n, CUTTLE_EFFECT, effects, 0)
    if spent & CUTTLE_AIMING:
        targets = _local_bytes(32)
        for i in range(cs_targets(s, targets)):
            t = np.int64(targets[i])
            kept = t == CS_KINGS + opponent or (t < CS_NAMELESS and cs_points(s, opponent) & BIT(t) != W0)
            if filter_ == CS_ANSWERS and not kept:
                continue
            n = cs_add(moves, n, CUTTLE_AIMED, spent & CUTTLE_AIMING, t)
    return n


@kernel
def cs_revealed_moves(s: Record, moves: Words) -> Int:
    card, n = np.int64(s.card), 0
    rank, this = cuttle_rank(card), BIT(card)
    if rank == RANK_J:
        under = cs_revealed_under(s)
        while under:
            moves[n] = np.uint16(cuttle_code(CUTTLE_JACK, card, lowest(under)))
            n += 1
            under &= under - W1
        return n
    if rank == RANK_8 or rank > RANK_J:
        n = cs_add(moves, n, CUTTLE_PERM, this, 0)
    if rank > RANK_J:
        return 1
    n = cs_add(moves, n, CUTTLE_POINTS, this, 0)
    theirs = cs_points(s, np.int64(s.turn) ^ 1) & (this - W1)
    while theirs:
        n = cs_add(moves, n, CUTTLE_SCUTTLE, this, lowest(theirs))
        theirs &= theirs - W1
    n = cs_add(moves, n, CUTTLE_EFFECT, this & (CUTTLE_UNAIMED | (THREES if s.scrap else W0)), 0)
    if this & CUTTLE_AIMING:
        targets = _local_bytes(32)
        for i in range(cs_targets(s, targets)):
            n = cs_add(moves, n, CUTTLE_AIMED, this, np.int64(targets[i]))
    return n


@kernel
def cs_discards(hand: Word, alike: Int, dead: Word, moves: Words) -> Int:
    cards, n = cs_distinct(hand, dead) if alike else hand, 0
    while cards:
        card = lowest(cards)
        cards &= cards - W1
        if card > CS_NAMELESS and card & 3:
            continue
        left = cs_take(hand, card)
        others = (cs_distinct(left, dead) if alike else left) & ~(BIT(card) - W1)
        while others:
            other = lowest(others)
            others &= others - W1
            if other > CS_NAMELESS and other & 3:
                continue
            moves[n] = np.uint16(cuttle_code(CUTTLE_DISCARDS, card, other))
            n += 1
    return n


@kernel
def cs_moves(d: Record, s: Record, plies: Int, filter_: Int, moves: Words) -> Int:
    stage = np.int64(s.stage)
    if stage == CUTTLE_MAIN:
        return cs_turn_moves(d, s, plies, filter_, moves)
    if stage == CUTTLE_SEVEN:
        return cs_revealed_moves(s, moves)
    dead = cs_scrap_is_dead(d, s)
    gone = s.scrap if dead else W0
    if stage == CUTTLE_COUNTER:
        twos = s.hand[cs_to_move(s)] & _TWOS
        moves[0] = np.uint16(cuttle_code(CUTTLE_DECLINE, 0, 0))
        return cs_add(moves, 1, CUTTLE_ANSWER, cs_distinct(twos, gone) if dead or plies <= 4 else twos, 0)
    if stage == CUTTLE_TAKE:
        last = (s.hand[0] | s.hand[1] | d.below[s.stock] | s.scrap) & THREES == W0
        numbers = s.scrap & CUTTLE_NUMBERS
        if last or plies <= 4:
            numbers = cs_distinct(numbers, W0)
        return cs_add(moves, 0, CUTTLE_TAKES, numbers | (s.scrap & _FACES), 0)
    if stage == CUTTLE_DISCARD:
        return cs_discards(s.hand[np.int64(s.turn) ^ 1], cs_spent_alike(d, s, plies), gone, moves)
    return 0
