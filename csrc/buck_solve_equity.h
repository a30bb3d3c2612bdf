/* Buck Euchre with all cards seen: what the end of a deal is worth to each seat, by the tricks of all.
 *
 * From one position of the play stage on, the outcome depends on nothing but who takes how many tricks: maker, dropped seats
 * and scores are settled. So a search counts tricks in one number, a digit to the base of 6 for each of seats 0 to 2 (seat 3
 * has the rest), and finds the outcome in a table that fills itself as it is asked. */
#ifndef PYSEARCH_BUCK_SOLVE_EQUITY_H
#define PYSEARCH_BUCK_SOLVE_EQUITY_H

#include <string.h>

#include "buck_solve.h"

#define BUCK_TAKEN 216
#define BUCK_FINE 12                 /* values and tricks are counted in 2^-12 of a share and of a trick */

static const uint8_t buck_taken_step[4] = { 1, 6, 36, 0 };

/* Four numbers, one for each seat; a vector of gcc and clang on every machine. */
typedef int32_t buck_seats __attribute__((vector_size(16)));

/* What a position is worth: mean share of the match, mean tricks of the whole deal, the least and the greatest share. */
typedef struct buck_worth {
    buck_seats value, tricks;        /* times 2^BUCK_FINE */
    buck_seats low, high;
} buck_worth;

typedef struct buck_outcomes {
    buck_worth worth[BUCK_TAKEN];
    uint8_t known[BUCK_TAKEN];
    buck start;                      /* the position that they belong to */
    unsigned total;                  /* tricks of the whole deal: five, fewer only in tests */
} buck_outcomes;

static inline buck_worth buck_worth_of_end(const buck *end)
{
    uint32_t share[4];
    buck_worth w;
    buck_shares(end, share);
    for (int seat = 0; seat < 4; seat++) {
        w.low[seat] = (int32_t)share[seat];
        w.tricks[seat] = buck_tricks(end, seat) << BUCK_FINE;
    }
    w.high = w.low;
    w.value = w.low << BUCK_FINE;
    return w;
}

/* The end of the deal with these tricks. */
static inline void buck_outcome_fill(buck_outcomes *o, unsigned taken)
{
    const unsigned tricks[3] = { taken % 6, taken / 6 % 6, taken / 36 };
    const unsigned rest = o->total - tricks[0] - tricks[1] - tricks[2];
    buck end = o->start;
    end.status = with_field(end.status, 33, 12, tricks[0] | tricks[1] << 3 | tricks[2] << 6 | rest << 9);
    buck_finish(&end);
    o->worth[taken] = buck_worth_of_end(&end);
    o->known[taken] = 1;
}

static inline const buck_worth *buck_outcome(buck_outcomes *o, unsigned taken)
{
    if (!o->known[taken]) buck_outcome_fill(o, taken);
    return &o->worth[taken];
}

static inline void buck_outcomes_open(buck_outcomes *o, const buck *s)
{
    memset(o->known, 0, sizeof o->known);
    o->start = *s;
    o->total = (unsigned)popcount(s->hand[buck_turn(s)] & BUCK_DECK);
    for (int seat = 0; seat < 4; seat++) o->total += (unsigned)buck_tricks(s, seat);
}

/* Tricks taken so far as a number. */
static inline unsigned buck_taken(const buck *s)
{
    unsigned taken = 0;
    for (int seat = 0; seat < 4; seat++) taken += (unsigned)buck_tricks(s, seat) * buck_taken_step[seat];
    return taken;
}

#endif
