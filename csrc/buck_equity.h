/* Buck Euchre: what a match that goes on is worth to each seat, by the scores and by who deals next. A table says so
 * (docs/equity.md); until one has been installed, a plain formula does.
 *
 * The table has an entry of four shares in 1/PS_ONE, PS_ONE in all, for each state of the match: seats are counted from the
 * next dealer, seat k has its score less one in bits 5k ... 5k + 4 of the index, its share in place k. Higher scores count as
 * 32. */
#ifndef PYSEARCH_BUCK_EQUITY_H
#define PYSEARCH_BUCK_EQUITY_H

#include <string.h>

#include "bits.h"
#include "pysearch.h"

#define BUCK_EQUITY_TOP 32
_Static_assert(PS_EQUITY_STATES == 1 << 20, "four scores of five bits");

static const uint16_t *buck_equity_table;    /* NULL: the formula; changed by buck_use_equity alone */

static inline void buck_use_equity(const uint16_t *table) { buck_equity_table = table; }

/* The formula: in proportion to 1 / (10 + score). In integers: w = floor(2^40 / (10 + score)), share =
 * floor(w * PS_ONE / sum of w); the units that are left over, at most three, go to the lowest seats, one each. */
static inline void buck_plain_equity(const int scores[4], uint32_t shares[4])
{
    uint64_t weight[4], sum = 0;
    uint32_t left = PS_ONE;
    for (int seat = 0; seat < 4; seat++) sum += weight[seat] = BIT(40) / (unsigned)(10 + scores[seat]);
    for (int seat = 0; seat < 4; seat++) left -= shares[seat] = (uint32_t)(weight[seat] * PS_ONE / sum);
    for (uint32_t seat = 0; seat < 3; seat++) shares[seat] += seat < left;
}

/* Shares of a match that goes on at these scores, all positive, `dealer` dealing next; PS_ONE in all. */
static inline void buck_equity(const int scores[4], int dealer, uint32_t shares[4])
{
    if (!buck_equity_table) {
        buck_plain_equity(scores, shares);
        return;
    }
    uint32_t index = 0;
    uint64_t entry;
    for (int k = 0; k < 4; k++) {
        const int score = scores[(dealer + k) & 3];
        index |= (uint32_t)((score < BUCK_EQUITY_TOP ? score : BUCK_EQUITY_TOP) - 1) << 5 * k;
    }
    memcpy(&entry, buck_equity_table + 4 * index, sizeof entry);
    for (int k = 0; k < 4; k++) shares[(dealer + k) & 3] = entry >> 16 * k & 65535;
}

/* The table out of its file (docs/equity.md): differences along each of the four scores in turn of the shares in places 0 ... 2,
 * the sign in bit 0; all upper bytes, then all lower ones. */
static inline void buck_unpack_equity(const uint8_t *packed, uint16_t *table)
{
    const uint32_t plane = 3 * PS_EQUITY_STATES;
    for (uint32_t i = 0; i < plane; i++) {
        const uint32_t x = (uint32_t)packed[i] << 8 | packed[plane + i];
        table[4 * (i % PS_EQUITY_STATES) + i / PS_EQUITY_STATES] = (uint16_t)(x >> 1 ^ -(x & 1));
    }
    for (uint32_t step = 1; step < PS_EQUITY_STATES; step *= BUCK_EQUITY_TOP)
        for (uint32_t i = step; i < PS_EQUITY_STATES; i++) {
            if (i / step % BUCK_EQUITY_TOP == 0) continue;
            for (uint32_t k = 0; k < 3; k++) table[4 * i + k] = (uint16_t)(table[4 * i + k] + table[4 * (i - step) + k]);
        }
    for (uint16_t *entry = table; entry < table + 4 * PS_EQUITY_STATES; entry += 4)
        entry[3] = (uint16_t)(PS_ONE - entry[0] - entry[1] - entry[2]);
}

#endif
