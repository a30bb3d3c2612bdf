"""Every move that a game can have, and whether one of them is legal now: the twin of csrc/actions.h."""

import numpy as np

from pysearch.kernels.bits import BIT, W0, W1, Int, Words, lowest
from pysearch.kernels.buck import (
    BUCK_PASS,
    BUCK_PLAY,
    BUCK_PLAYS,
    buck_code,
    buck_legal_cards,
    buck_move_card,
    buck_moves,
    buck_stage,
)
from pysearch.kernels.cuttle import (
    CUTTLE_AIMED,
    CUTTLE_AIMING,
    CUTTLE_DECK,
    CUTTLE_DISCARDS,
    CUTTLE_DRAW,
    CUTTLE_JACK,
    CUTTLE_NUMBERS,
    CUTTLE_PERMANENT,
    CUTTLE_RANK,
    CUTTLE_SCUTTLE,
    CUTTLE_UNAIMED,
    RANK_2,
    RANK_3,
    RANK_J,
    cuttle_code,
    cuttle_moves,
)
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import PS_MAX_MOVES

local_moves = stack(np.uint16)

# By kind: the cards that make such a move.
_CUTTLE_CARDS = np.array(
    [
        0,
        0,
        CUTTLE_NUMBERS,
        CUTTLE_PERMANENT,
        CUTTLE_NUMBERS,
        CUTTLE_UNAIMED | CUTTLE_RANK[RANK_3],
        CUTTLE_AIMING,
        CUTTLE_RANK[RANK_J],
        0,
        CUTTLE_RANK[RANK_2],
        CUTTLE_DECK,
    ],
    np.uint64,
)
_PERMS = CUTTLE_PERMANENT | CUTTLE_RANK[RANK_J]
_BUCK_CHOICES = np.array([1, 1, 4, 24, 1, 1, 24])


@kernel
def cuttle_actions(codes: Words) -> Int:
    n = 0
    for kind in range(CUTTLE_DRAW, CUTTLE_DISCARDS):
        cards = _CUTTLE_CARDS[kind]
        if cards == W0:
            codes[n] = np.uint16(cuttle_code(kind, 0, 0))
            n += 1
        while cards:
            card = lowest(cards)
            cards &= cards - W1
            if kind == CUTTLE_SCUTTLE:
                at = BIT(card) - W1
            elif kind == CUTTLE_AIMED:
                at = _PERMS
            elif kind == CUTTLE_JACK:
                at = CUTTLE_NUMBERS
            else:
                codes[n] = np.uint16(cuttle_code(kind, card, 0))
                n += 1
                continue
            while at:
                codes[n] = np.uint16(cuttle_code(kind, card, lowest(at)))
                n += 1
                at &= at - W1
    for first in range(52):
        for second in range(first + 1, 52):
            codes[n] = np.uint16(cuttle_code(CUTTLE_DISCARDS, first, second))
            n += 1
    return n


@kernel
def cuttle_allows(s: Words, move: Int) -> Int:
    moves = local_moves(PS_MAX_MOVES)
    for i in range(cuttle_moves(s, moves)):
        if np.int64(moves[i]) == move:
            return 1
    return 0


@kernel
def buck_actions(codes: Words) -> Int:
    n = 0
    for kind in range(BUCK_PASS, BUCK_PLAYS + 1):
        for i in range(_BUCK_CHOICES[kind]):
            codes[n] = np.uint16(buck_code(kind, i))
            n += 1
    return n


@kernel
def buck_allows(s: Words, move: Int) -> Int:
    moves, card = local_moves(PS_MAX_MOVES), buck_move_card(move)
    if buck_stage(s) == BUCK_PLAY:
        return 1 if move == buck_code(BUCK_PLAYS, card) and buck_legal_cards(s) & BIT(card) else 0
    for i in range(buck_moves(s, moves)):
        if np.int64(moves[i]) == move:
            return 1
    return 0
