"""The twin of csrc/cuttle_policy.h, function by function."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Record, Word, Words, highest, lowest, nth_bit, popcount, shr, word
from pysearch.kernels.cuttle import (
    CUTTLE_AIMED,
    CUTTLE_AIMING,
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
    CUTTLE_NUMBERS,
    CUTTLE_OVER,
    CUTTLE_PASS,
    CUTTLE_PERM,
    CUTTLE_POINTS,
    CUTTLE_RANK,
    CUTTLE_SCUTTLE,
    CUTTLE_TAKE,
    CUTTLE_TAKES,
    HAND,
    KNOWN,
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
    cuttle_code,
    cuttle_copy,
    cuttle_counters,
    cuttle_goal,
    cuttle_has_goal,
    cuttle_has_queen,
    cuttle_hidden,
    cuttle_jackable,
    cuttle_kind,
    cuttle_move_stack,
    cuttle_moves,
    cuttle_oneoff,
    cuttle_other,
    cuttle_play,
    cuttle_rank,
    cuttle_remove_permanent,
    cuttle_resolve_ace,
    cuttle_resolve_six,
    cuttle_revealed,
    cuttle_stage,
    cuttle_stock_size,
    cuttle_sum,
    cuttle_target,
    cuttle_targets,
    cuttle_to_move,
    cuttle_turn,
    cuttle_visible,
    local_moves,
    local_words,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_CUTTLE_WORDS, PS_MAX_MOVES
from pysearch.kernels.rng import rng_below, rng_word

# ---- wins ----

_DROP: Words = np.array([7, 4, 3, 2, 0])  # C24


@kernel
def cuttle_winners(s: Words, p: Int) -> Word:
    need = cuttle_goal(s, p) - cuttle_sum(s[POINTS + p])
    loot = cuttle_jackable(s, p)
    if need > 10 or need < 1:
        return W0
    winners = CUTTLE_NUMBERS & ~(BIT(4 * (need - 1)) - W1)
    if _DROP[popcount(s[PERMS + p] & CUTTLE_RANK[RANK_K])] >= need:
        winners |= CUTTLE_RANK[RANK_K]
    if shr(loot, 4 * (need - 1)):
        winners |= CUTTLE_RANK[RANK_J]
    return winners


@kernel
def cuttle_wins_now(s: Words) -> Int:
    p = cuttle_turn(s)
    return cuttle_stage(s) == CUTTLE_MAIN and (s[HAND + p] & cuttle_winners(s, p)) != W0


@kernel
def cuttle_lay(s: Words, card: Int) -> Int:
    if cuttle_rank(card) == RANK_J:
        return cuttle_code(CUTTLE_JACK, card, highest(s[POINTS + 1 - cuttle_turn(s)]))
    return cuttle_code(CUTTLE_PERM if cuttle_rank(card) == RANK_K else CUTTLE_POINTS, card, 0)


# ---- scores ----

cuttle_card_worth: Words = np.array([51, 75, 30, 17, 11, 70, 31, 45, 50, 85, 83, 23, 39])
CUTTLE_WORTH_DRAW = 42
CUTTLE_WORTH_KING = 21
CUTTLE_WORTH_QUEEN = 66
CUTTLE_WORTH_GLASSES = 20
CUTTLE_WORTH_NEXT = 916
CUTTLE_WORTH_LATER = 46
CUTTLE_WORTH_SEVEN = 43
CUTTLE_WORTH_LOST = 34
CUTTLE_WORTH_BACK = 144
CUTTLE_ANSWERED = 55
CUTTLE_WIN, CUTTLE_HALF = 20000, 12

CUTTLE_GUESS = np.dtype([("seen", "u8"), ("unseen", "u8"), ("hidden", "i8"), ("size", "i8")], align=True)
_local_guess = stack(CUTTLE_GUESS)


@kernel
def cuttle_guess_open(g: Record, s: Words, seat: Int) -> None:
    theirs = s[HAND + 1 - seat] & CUTTLE_DECK
    g.seen = theirs & s[KNOWN]
    g.unseen = CUTTLE_DECK & ~(cuttle_visible(s) & ~(theirs & ~s[KNOWN]))
    g.hidden = popcount(theirs & ~s[KNOWN]) + cuttle_hidden(s, 1 - seat)
    g.size = popcount(g.seen) + g.hidden


@kernel
def cuttle_chance(g: Record, cards: Word) -> Int:
    others, unseen, none = popcount(g.unseen & ~cards), popcount(g.unseen), 256
    if g.seen & cards:
        return 256
    if others == unseen:
        return 0
    for i in range(min(g.hidden, unseen)):
        none = none * max(others - i, 0) // (unseen - i)
    return 256 - none


@kernel
def cuttle_outlook(s: Words, g: Record, seat: Int, next_: Int) -> Int:
    score = 0
    for p in range(2):
        perms = s[PERMS + p]
        need = cuttle_goal(s, p) - cuttle_sum(s[POINTS + p])
        good = (
            10 * (21 - need)
            + CUTTLE_WORTH_KING * popcount(perms & CUTTLE_RANK[RANK_K])
            + CUTTLE_WORTH_QUEEN * popcount(perms & CUTTLE_RANK[RANK_Q])
        )
        if perms & CUTTLE_RANK[RANK_8]:
            good += CUTTLE_WORTH_GLASSES
        if need <= 0:
            good += CUTTLE_WIN
        elif need <= 10:
            winners = cuttle_winners(s, p)
            chance = 0
            if p != seat:
                chance = cuttle_chance(g, winners)
            elif s[HAND + p] & winners:
                chance = 256
            good += (CUTTLE_WORTH_NEXT if p == next_ else CUTTLE_WORTH_LATER) * chance // 256
        score += good if p == seat else -good
    return score


@kernel
def cuttle_worth(cards: Word) -> Int:
    total = 0
    while cards:
        total += cuttle_card_worth[cuttle_rank(lowest(cards))]
        cards &= cards - W1
    return total


@kernel
def cuttle_effect_score(s: Words, g: Record, seat: Int, card: Int, target: Int) -> Int:
    p, stock, rank, gain = cuttle_turn(s), cuttle_stock_size(s), cuttle_rank(card), 0
    after = local_words(PS_CUTTLE_WORDS)
    cuttle_copy(after, s)
    if rank == RANK_A:
        cuttle_resolve_ace(after)
    elif rank == RANK_3:
        c = s[SCRAP]
        while c:
            gain = max(gain, cuttle_card_worth[cuttle_rank(lowest(c))])
            c &= c - W1
    elif rank == RANK_4:
        theirs = g.size if seat == p else popcount(s[HAND + seat] & CUTTLE_DECK)
        gain = CUTTLE_WORTH_LOST * min(theirs, 2)
    elif rank == RANK_5:
        gain = CUTTLE_WORTH_DRAW * min(stock, 2)
    elif rank == RANK_6:
        cuttle_resolve_six(after)
    elif rank == RANK_7:
        gain = CUTTLE_WORTH_SEVEN if stock else 0
    else:  # two and nine
        side = cuttle_remove_permanent(after, target)
        if rank != RANK_2:
            if side == seat:
                after[HAND + side] |= BIT(target)
            gain = CUTTLE_WORTH_BACK if side == p else -CUTTLE_WORTH_BACK
    return cuttle_outlook(after, g, seat, 1 - p) + (gain if seat == p else -gain)


@kernel
def cuttle_play_score(s: Words, g: Record, now: Int, move: Int) -> Int:
    p, kind, card, other = cuttle_turn(s), cuttle_kind(move), cuttle_card(move), cuttle_other(move)
    after, cost = local_words(PS_CUTTLE_WORDS), 0
    cuttle_copy(after, s)
    if cuttle_stage(s) == CUTTLE_MAIN:
        after[HAND + p] &= ~BIT(card)
        cost = cuttle_card_worth[cuttle_rank(card)]
    if kind == CUTTLE_POINTS:
        after[POINTS + p] |= BIT(card)
    elif kind == CUTTLE_PERM:
        after[PERMS + p] |= BIT(card)
    elif kind == CUTTLE_SCUTTLE:
        after[POINTS + 1 - p] ^= BIT(other)
    elif kind == CUTTLE_JACK:
        cuttle_move_stack(after, np.int64(shr(s[POINTS + 1], other) & W1), other, W0)
    else:
        answer = 0
        if cuttle_rank(card) != RANK_2 or not cuttle_has_queen(s, p):  # C21
            answer = cuttle_chance(g, CUTTLE_RANK[RANK_2]) * CUTTLE_ANSWERED // 256
        score = cuttle_effect_score(after, g, p, card, other)
        return score - cost - max(score - now, 0) * answer // 256
    if cuttle_has_goal(after, p):
        return 2 * CUTTLE_WIN
    return cuttle_outlook(after, g, p, 1 - p) - cost


@kernel
def cuttle_move_score(s: Words, g: Record, now: Int, move: Int) -> Int:
    seat, p, kind = cuttle_to_move(s), cuttle_turn(s), cuttle_kind(move)
    card, other = cuttle_card(move), cuttle_other(move)
    if kind == CUTTLE_DRAW:
        return now + CUTTLE_WORTH_DRAW
    if kind == CUTTLE_PASS:
        return now
    if kind == CUTTLE_DECLINE:
        return 0
    if kind == CUTTLE_ANSWER:
        swing = cuttle_effect_score(s, g, seat, cuttle_oneoff(s), cuttle_target(s)) - now
        again = 0 if cuttle_has_queen(s, seat) else cuttle_chance(g, CUTTLE_RANK[RANK_2]) * CUTTLE_ANSWERED // 256
        x = (swing if seat == p else -swing) * (256 - again)
        return (x // 256 if x >= 0 else -(-x // 256)) - cuttle_card_worth[RANK_2]  # rounded towards zero, as C does
    after = local_words(PS_CUTTLE_WORDS)
    cuttle_copy(after, s)
    if kind == CUTTLE_TAKES:
        after[HAND + p] |= BIT(card)
        return cuttle_outlook(after, g, p, 1 - p) + cuttle_card_worth[cuttle_rank(card)]
    if kind == CUTTLE_DISCARDS:
        after[HAND + seat] ^= BIT(card) | BIT(other)
        return cuttle_outlook(after, g, seat, seat) - cuttle_worth(BIT(card) | BIT(other))
    return cuttle_play_score(s, g, now, move)


_ROOT: Words = np.array([8192, 7512, 6889, 6317, 5793, 5312, 4871, 4467])


@kernel
def cuttle_policy(s: Words, moves: Words, n: Int, weights: Words) -> None:
    seat, best, g = cuttle_to_move(s), -(1 << 31), _local_guess(1)[0]
    if n == 1:
        weights[0] = 1
    if n <= 1:
        return
    cuttle_guess_open(g, s, seat)
    now = cuttle_outlook(s, g, seat, 1 - cuttle_turn(s))
    for i in range(n):
        score = cuttle_move_score(s, g, now, np.int64(moves[i]))
        weights[i] = np.uint32(score)
        best = max(best, score)
    for i in range(n):
        eighths = (best - np.int64(np.int32(weights[i]))) * 8 // CUTTLE_HALF
        weights[i] = 1 if eighths >= 8 * 13 else _ROOT[eighths & 7] >> (eighths >> 3)


# ---- playout ----

(
    LIGHT_DRAW,
    LIGHT_POINTS,
    LIGHT_KING,
    LIGHT_QUEEN,
    LIGHT_GLASSES,
    LIGHT_SCUTTLE,
    LIGHT_ACE,
    LIGHT_THREE,
    LIGHT_FOUR,
    LIGHT_FIVE,
    LIGHT_SIX,
    LIGHT_SEVEN,
    LIGHT_AIMED,
    LIGHT_JACK,
) = range(14)
LIGHT_KINDS = 14
cuttle_light_odds: Words = np.array(
    [
        [11, 15, 58, 58, 1, 1, 8, 2, 1, 58, 1, 1, 1, 19],
        [1, 1, 1, 1, 1, 60, 60, 1, 3, 1, 60, 1, 4, 60],
    ]
)
_LIGHT_RANK: Words = np.array([0] * LIGHT_ACE + [RANK_A, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7])
_local_flags = stack(np.bool_)
_local_sums = stack(np.int64)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def cuttle_light_high(r: Words, n: Int) -> Int:
    w = rng_word(r)
    return np.int64(shr(max(shr(w, 32), w & _LOW) * word(n), 32))


@kernel
def cuttle_light_turn(s: Words, r: Words) -> Int:
    p, stock = cuttle_turn(s), cuttle_stock_size(s)
    hand, others, theirs, scrap = s[HAND + p], s[HAND + 1 - p], s[POINTS + 1 - p], s[SCRAP]
    numbers, wins = hand & CUTTLE_NUMBERS, hand & cuttle_winners(s, p)
    if wins:
        return cuttle_lay(s, lowest(wins))

    row = 1 if others & cuttle_winners(s, 1 - p) else 0
    aims, loot = s[PERMS + 1 - p] & cuttle_targets(s, p), cuttle_jackable(s, p)
    under = theirs & (BIT(highest(numbers)) - W1) if numbers else W0
    has, sums, total, kind = _local_flags(LIGHT_KINDS), _local_sums(LIGHT_KINDS), 0, 0
    has[LIGHT_DRAW] = True
    has[LIGHT_POINTS] = numbers != W0
    has[LIGHT_KING] = (hand & CUTTLE_RANK[RANK_K]) != W0
    has[LIGHT_QUEEN] = (hand & CUTTLE_RANK[RANK_Q]) != W0
    has[LIGHT_GLASSES] = (hand & CUTTLE_RANK[RANK_8]) != W0
    has[LIGHT_SCUTTLE] = under != W0
    has[LIGHT_ACE] = (hand & CUTTLE_RANK[RANK_A]) != W0 and cuttle_sum(theirs) > cuttle_sum(s[POINTS + p])
    has[LIGHT_THREE] = (hand & CUTTLE_RANK[RANK_3]) != W0 and scrap != W0
    has[LIGHT_FOUR] = (hand & CUTTLE_RANK[RANK_4]) != W0 and others != W0
    has[LIGHT_FIVE] = (hand & CUTTLE_RANK[RANK_5]) != W0 and stock != 0
    has[LIGHT_SIX] = (hand & CUTTLE_RANK[RANK_6]) != W0 and popcount(s[PERMS + 1 - p]) > popcount(s[PERMS + p])
    has[LIGHT_SEVEN] = (hand & CUTTLE_RANK[RANK_7]) != W0 and stock != 0
    has[LIGHT_AIMED] = (hand & CUTTLE_AIMING) != W0 and aims != W0
    has[LIGHT_JACK] = (hand & CUTTLE_RANK[RANK_J]) != W0 and loot != W0
    for i in range(LIGHT_KINDS):
        total += cuttle_light_odds[row, i] if has[i] else 0
        sums[i] = total
    k = rng_below(r, total)
    while sums[kind] <= k:
        kind += 1

    if kind == LIGHT_DRAW:
        return cuttle_code(CUTTLE_DRAW if stock else CUTTLE_PASS, 0, 0)
    if kind == LIGHT_POINTS:
        return cuttle_code(CUTTLE_POINTS, nth_bit(numbers, cuttle_light_high(r, popcount(numbers))), 0)
    if kind == LIGHT_KING:
        return cuttle_code(CUTTLE_PERM, lowest(hand & CUTTLE_RANK[RANK_K]), 0)
    if kind == LIGHT_QUEEN:
        return cuttle_code(CUTTLE_PERM, lowest(hand & CUTTLE_RANK[RANK_Q]), 0)
    if kind == LIGHT_GLASSES:
        return cuttle_code(CUTTLE_PERM, lowest(hand & CUTTLE_RANK[RANK_8]), 0)
    if kind == LIGHT_SCUTTLE:
        target = highest(under)
        return cuttle_code(CUTTLE_SCUTTLE, lowest(numbers & ~(BIT(target) - W1)), target)
    if kind == LIGHT_AIMED:
        return cuttle_code(CUTTLE_AIMED, lowest(hand & CUTTLE_AIMING), highest(aims))
    if kind == LIGHT_JACK:
        return cuttle_code(CUTTLE_JACK, lowest(hand & CUTTLE_RANK[RANK_J]), highest(loot))
    return cuttle_code(CUTTLE_EFFECT, 4 * _LIGHT_RANK[kind] + lowest(shr(hand, 4 * _LIGHT_RANK[kind])), 0)


@kernel
def cuttle_light_answers(s: Words) -> Int:  # C16
    q, rank = 1 - cuttle_turn(s), cuttle_rank(cuttle_oneoff(s))
    if cuttle_counters(s):
        return 4
    if rank == RANK_A:
        return 7 if s[POINTS + q] > s[POINTS + 1 - q] else 0
    if rank == RANK_6:
        return 6 if popcount(s[PERMS + q]) >= popcount(s[PERMS + 1 - q]) else 1
    if rank in (RANK_2, RANK_9):
        return 6 if shr(s[PERMS + q], cuttle_target(s)) & W1 else 0
    return 4 if rank == RANK_4 else 2


_POOR = CUTTLE_RANK[RANK_3] | CUTTLE_RANK[RANK_4] | CUTTLE_RANK[RANK_5] | CUTTLE_RANK[RANK_Q]


@kernel
def cuttle_light_drop(hand: Word, r: Words) -> Int:
    poor = hand & _POOR
    from_ = poor if poor else hand
    return nth_bit(from_, rng_below(r, popcount(from_)))


@kernel
def cuttle_light_move(s: Words, r: Words) -> Int:
    stage = cuttle_stage(s)
    if stage == CUTTLE_MAIN:
        return cuttle_light_turn(s, r)
    if stage == CUTTLE_COUNTER:
        twos = s[HAND + cuttle_to_move(s)] & CUTTLE_RANK[RANK_2]
        if twos and rng_below(r, 8) < cuttle_light_answers(s):
            return cuttle_code(CUTTLE_ANSWER, lowest(twos), 0)
        return cuttle_code(CUTTLE_DECLINE, 0, 0)
    if stage == CUTTLE_TAKE:
        return cuttle_code(CUTTLE_TAKES, nth_bit(s[SCRAP], cuttle_light_high(r, popcount(s[SCRAP]))), 0)
    if stage == CUTTLE_DISCARD:
        hand = s[HAND + 1 - cuttle_turn(s)]
        a = cuttle_light_drop(hand, r)
        b = cuttle_light_drop(hand ^ BIT(a), r)
        return cuttle_code(CUTTLE_DISCARDS, min(a, b), max(a, b))
    moves = local_moves(PS_MAX_MOVES)
    n = cuttle_moves(s, moves)
    if BIT(cuttle_revealed(s)) & cuttle_winners(s, cuttle_turn(s)):
        return cuttle_lay(s, cuttle_revealed(s))
    return np.int64(moves[rng_below(r, n)])


@kernel
def cuttle_policy_playout(s: Words, r: Words, cap: Int) -> Int:
    plies = 0
    while plies < cap and cuttle_stage(s) != CUTTLE_OVER:
        cuttle_play(s, cuttle_light_move(s, r))
        plies += 1
    return plies


@kernel
def cuttle_policy_settle(s: Words, r: Words, cap: Int) -> Int:
    plies = 0
    while plies < cap and cuttle_stage(s) != CUTTLE_OVER and cuttle_stage(s) != CUTTLE_MAIN:
        cuttle_play(s, cuttle_light_move(s, r))
        plies += 1
    return plies
