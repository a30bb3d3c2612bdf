/* Every move that a game can have, in ascending order of the codes: a learner's fixed space of actions; and whether one of
 * them is legal now. */
#ifndef PYSEARCH_ACTIONS_H
#define PYSEARCH_ACTIONS_H

#include "buck.h"
#include "cuttle.h"

/* Into `codes` (PS_MAX_ACTIONS places); returns how many. */
static inline int cuttle_actions(uint16_t *codes)
{
    const uint64_t perms = CUTTLE_PERMANENT | CUTTLE_RANK(RANK_J);
    /* by kind: the cards that make such a move, and what they may be aimed at */
    const uint64_t cards[CUTTLE_DISCARDS] = {
        [CUTTLE_POINTS] = CUTTLE_NUMBERS, [CUTTLE_PERM] = CUTTLE_PERMANENT, [CUTTLE_SCUTTLE] = CUTTLE_NUMBERS,
        [CUTTLE_EFFECT] = CUTTLE_UNAIMED | CUTTLE_RANK(RANK_3), [CUTTLE_AIMED] = CUTTLE_AIMING,
        [CUTTLE_JACK] = CUTTLE_RANK(RANK_J), [CUTTLE_ANSWER] = CUTTLE_RANK(RANK_2), [CUTTLE_TAKES] = CUTTLE_DECK,
    };
    uint16_t *code = codes;
    for (int kind = CUTTLE_DRAW; kind < CUTTLE_DISCARDS; kind++) {
        if (!cards[kind]) *code++ = (uint16_t)cuttle_code(kind, 0, 0);          /* draw, pass, decline */
        for (uint64_t c = cards[kind]; c; c &= c - 1) {
            const int card = lowest(c), aims = kind == CUTTLE_SCUTTLE || kind == CUTTLE_AIMED || kind == CUTTLE_JACK;
            uint64_t at = kind == CUTTLE_SCUTTLE ? BIT(card) - 1 : kind == CUTTLE_AIMED ? perms : CUTTLE_NUMBERS;
            if (!aims) *code++ = (uint16_t)cuttle_code(kind, card, 0);
            else for (; at; at &= at - 1) *code++ = (uint16_t)cuttle_code(kind, card, lowest(at));
        }
    }
    for (int first = 0; first < 52; first++)
        for (int second = first + 1; second < 52; second++) *code++ = (uint16_t)cuttle_code(CUTTLE_DISCARDS, first, second);
    return (int)(code - codes);
}

static inline int cuttle_allows(const cuttle *s, unsigned move)
{
    uint16_t moves[PS_MAX_MOVES];
    for (int i = 0, n = cuttle_moves(s, moves); i < n; i++)
        if (moves[i] == move) return 1;
    return 0;
}

static inline int buck_actions(uint16_t *codes)
{
    static const int choices[] = {
        [BUCK_PASS] = 1, [BUCK_ORDERS] = 1, [BUCK_NAMES] = 4, [BUCK_BURIES] = 24, [BUCK_STAYS] = 1, [BUCK_DROPS] = 1,
        [BUCK_PLAYS] = 24
    };
    int n = 0;
    for (int kind = BUCK_PASS; kind <= BUCK_PLAYS; kind++)
        for (int i = 0; i < choices[kind]; i++) codes[n++] = (uint16_t)buck_code(kind, i);
    return n;
}

static inline int buck_allows(const buck *s, unsigned move)
{
    const int card = buck_move_card(move);
    uint16_t moves[PS_MAX_MOVES];
    if (buck_stage(s) == BUCK_PLAY) return move == buck_code(BUCK_PLAYS, card) && (buck_legal_cards(s) >> card & 1);
    for (int i = 0, n = buck_moves(s, moves); i < n; i++)
        if (moves[i] == move) return 1;
    return 0;
}

#endif
