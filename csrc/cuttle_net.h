/* Cuttle: what a complete state promises, by a small network in the manner of Nasu's NNUE ("Efficiently updatable neural
 * network", 2018). It has one hidden layer, whole numbers only, and looks at the cards of both hands, both tables and the scrap
 * from the side of the player whose turn it is.
 *
 * What a state shows is a set of rows, each a fact that holds: of every rank of which a place has cards, how many it has
 * there; points that are needed, sizes, threats. The hidden units are the sums of those rows of a table, cut to 0 ... 1; the
 * odds are a weighted sum of them. scripts/make_cuttle_net finds the numbers from the results of games that the search played. */
#ifndef PYSEARCH_CUTTLE_NET_H
#define PYSEARCH_CUTTLE_NET_H

#include <string.h>

#include "cuttle.h"
#include "cuttle_policy.h"

/* The first rows of each fact. The player whose turn it is comes first, then the other one. A rank at a place has four rows, by
 * the number of its cards; point cards are A to T, permanents begin with the eight. */
enum {
    NET_HANDS, NET_POINTS = NET_HANDS + 2 * 52, NET_PERMS = NET_POINTS + 2 * 40, NET_SCRAP = NET_PERMS + 2 * 24,
    NET_NEEDS = NET_SCRAP + 52,         /* points to the goal, 1...21 */
    NET_SIZES = NET_NEEDS + 2 * 22,     /* of the hands, 0...15 and more */
    NET_STOCK = NET_SIZES + 2 * 16,     /* size of the stock, 0...41 */
    NET_PASSES = NET_STOCK + 42,        /* in a row, 0...2 */
    NET_THREATS = NET_PASSES + 3,       /* cards with which the other would win in his next turn, 0...3 and more */
    NET_SCUTTLES = NET_THREATS + 4,     /* whether the biggest point card of the opponent can be scuttled */
    NET_ROWS = NET_SCUTTLES + 2 * 2,
    NET_MOST = 2 * (13 + 10 + 6) + 13 + 10,   /* rows that can hold at once */
    NET_HIDDEN = 64
};
enum { NET_ONE = 128 };                 /* of a hidden unit; weights of the output are in 1/64 of the logarithm of odds */

#ifndef CUTTLE_NET_WEIGHTS
#define CUTTLE_NET_WEIGHTS "cuttle_net_weights.h"
#endif
#include CUTTLE_NET_WEIGHTS

/* Row number `base` + 4 * rank + n - 1 for each rank of which the set has n > 0 cards. */
static inline int cuttle_net_ranks(uint64_t cards, int base, uint16_t *rows)
{
    int n = 0;
    cards -= cards >> 1 & 0x5555555555555555;
    cards = (cards & 0x3333333333333333) + (cards >> 2 & 0x3333333333333333);
    while (cards) {
        const int at = lowest(cards) & ~3;
        const uint64_t count = cards >> at & 7;
        rows[n++] = (uint16_t)(base + at + (int)count - 1);
        cards ^= count << at;
    }
    return n;
}

/* The rows that hold, into `rows` (NET_MOST places); returns how many. */
static inline int cuttle_net_rows(const cuttle *s, uint16_t *rows)
{
    const int turn = cuttle_turn(s), stock = cuttle_stock_size(s);
    int n = cuttle_net_ranks(s->scrap, NET_SCRAP, rows);
    for (int side = 0; side < 2; side++) {
        const int p = turn ^ side, size = popcount(s->hand[p]), need = cuttle_goal(s, p) - cuttle_sum(s->points[p]);
        const uint64_t theirs = s->points[!p];
        n += cuttle_net_ranks(s->hand[p], NET_HANDS + 52 * side, rows + n);
        n += cuttle_net_ranks(s->points[p], NET_POINTS + 40 * side, rows + n);
        n += cuttle_net_ranks(s->perms[p] >> 4 * RANK_8, NET_PERMS + 24 * side, rows + n);
        rows[n++] = (uint16_t)(NET_NEEDS + 22 * side + (need > 0 ? need : 0));
        rows[n++] = (uint16_t)(NET_SIZES + 16 * side + (size < 15 ? size : 15));
        rows[n++] = (uint16_t)(NET_SCUTTLES + 2 * side + (theirs && (s->hand[p] & CUTTLE_NUMBERS) > theirs));
    }
    const int threats = popcount(s->hand[!turn] & cuttle_winners(s, !turn));
    rows[n++] = (uint16_t)(NET_STOCK + (stock < 41 ? stock : 41));
    rows[n++] = (uint16_t)(NET_PASSES + cuttle_passes(s) % 3);
    rows[n++] = (uint16_t)(NET_THREATS + (threats < 3 ? threats : 3));
    return n;
}

/* The odds that the player whose turn it is wins, as a logarithm in 1/64. No sum leaves its type: a weight is at most
 * 2 * NET_ONE, and of the output at most 2048. */
static inline int cuttle_net_odds(const cuttle *s)
{
    uint16_t rows[NET_MOST];
    union { wide16 vector[2 * NET_HIDDEN / WIDE]; int16_t unit[NET_HIDDEN]; } units;
    const int n = cuttle_net_rows(s, rows);
    int32_t odds = cuttle_net_last;
    memcpy(&units, cuttle_net_first, sizeof units);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 * NET_HIDDEN / WIDE; k++) units.vector[k] += ((const wide16 *)cuttle_net_rows_of[rows[i]])[k];
    for (int k = 0; k < NET_HIDDEN; k++) {
        const int unit = units.unit[k];
        odds += (unit < 0 ? 0 : unit > NET_ONE ? NET_ONE : unit) * cuttle_net_output[k];
    }
    return odds >> 7;
}

/* The share that belongs to such odds. */
static inline uint32_t cuttle_net_share(int odds)
{
    static const uint16_t logistic[49] = {   /* PS_ONE / (1 + exp(-i / 8)) */
        32760, 34805, 36834, 38832, 40784, 42677, 44500, 46243, 47899, 49462,
        50929, 52297, 53567, 54741, 55820, 56808, 57710, 58530, 59273, 59944,
        60550, 61094, 61583, 62021, 62413, 62762, 63074, 63352, 63599, 63819,
        64015, 64188, 64342, 64478, 64599, 64705, 64800, 64884, 64958, 65024,
        65081, 65133, 65178, 65218, 65253, 65285, 65312, 65336, 65358 };
    const int size = odds < 0 ? -odds : odds, i = size < 383 ? size >> 3 : 47, rest = size < 383 ? size & 7 : 7;
    const uint32_t share = (logistic[i] * (uint32_t)(8 - rest) + logistic[i + 1] * (uint32_t)rest) / 8;
    return odds < 0 ? PS_ONE - share : share;
}

/* The shares of the win that a complete state promises: those of the result when it is over, a whole one for a sure win,
 * else what the network says of an ordinary turn that begins. */
static inline void cuttle_estimate(const cuttle *s, uint32_t shares[2])
{
    const int p = cuttle_turn(s);
    if (cuttle_stage(s) == CUTTLE_OVER) {
        cuttle_shares(s, shares);
        return;
    }
    shares[p] = cuttle_wins_now(s) ? PS_ONE : cuttle_net_share(cuttle_net_odds(s));
    shares[!p] = PS_ONE - shares[p];
}

#endif
