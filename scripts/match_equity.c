/* The heavy loops of scripts/make_match_equity, which builds this as a library of its own. Seats are counted from the dealer.
 *
 * An outcome of a deal is the change of each seat's score, an index to the base of 8 of BUCK_STEP places, seat 0 lowest. The
 * place tells a sweep, five tricks, from all others. */
#include <math.h>
#include <string.h>

#include "buck.h"
#include "buck_policy.h"
#include "buck_worlds.h"

#define OUTCOMES 4096
#define TOP 32                       /* scores are clamped to 1 ... TOP */
#define STATES (TOP * TOP * TOP * TOP)

static const int step[7] = { 5, 0, -1, -2, -3, -4, -5 };

/* Plays deals number first ... first + n - 1 of a seed with the player `rules` in all seats, and counts their outcomes. */
void equity_deals(uint64_t seed, uint64_t first, uint64_t n, uint64_t counts[OUTCOMES])
{
    const int16_t scores[4] = { 100, 100, 100, 100 };
    for (uint64_t i = first; i < first + n; i++) {
        rng r = rng_stream(seed, RNG_DEAL, i);
        buck s;
        unsigned outcome = 0;
        buck_deal(&s, &r, 0, scores);
        while (buck_to_move(&s) >= 0) {
            uint16_t moves[6];
            uint32_t weights[6];
            const int k = buck_moves(&s, moves);
            int best = 0;
            buck_policy(&s, moves, k, weights);
            for (int m = 1; m < k; m++)
                if (weights[m] > weights[best]) best = m;
            buck_play(&s, moves[best]);
        }
        for (int seat = 0; seat < 4; seat++) {
            const int change = buck_score(&s, seat) - 100;
            outcome |= (unsigned)(change > 0 ? 0 : 1 - change) << 3 * seat;
        }
        counts[outcome]++;
    }
}

/* A number for each seat, in one register. */
typedef double seats __attribute__((vector_size(32)));

/* Where a seat's change of score leads to: its bits of the next state's index, or OVER when it is at 0 or below (B14). The next
 * dealer is seat 1, whose score comes lowest. */
#define OVER STATES

static void over(const int score[4], unsigned outcome, double p, double value[4])
{
    int lowest_score = 0, winners = 0;
    for (int seat = 0; seat < 4; seat++) {
        const int after = score[seat] + step[outcome >> 3 * seat & 7];
        if (after < lowest_score) winners = 0, lowest_score = after;
        if (after == lowest_score) winners |= 1 << seat;
    }
    for (int seat = 0; seat < 4; seat++)
        if (winners >> seat & 1) value[seat] += p / popcount((uint64_t)winners);
}

/* What a state is worth, one deal further on. */
static seats backed_up(const double *table, int index, const unsigned *outcome, const double *p, int n)
{
    const seats *next = (const seats *)table;
    seats sum = { 0, 0, 0, 0 };
    double value[4] = { 0, 0, 0, 0 };
    int score[4], to[4][8];
    for (int seat = 0; seat < 4; seat++) {
        score[seat] = 1 + (index >> 5 * seat & (TOP - 1));
        for (int i = 0; i < 7; i++) {
            const int after = score[seat] + step[i];
            to[seat][i] = after <= 0 ? OVER : ((after > TOP ? TOP : after) - 1) << 5 * ((seat + 3) & 3);
        }
    }
    for (int k = 0; k < n; k++) {
        const unsigned o = outcome[k];
        const int at = to[0][o & 7] | to[1][o >> 3 & 7] | to[2][o >> 6 & 7] | to[3][o >> 9];
        int sweeper = -1;
        for (int seat = 0; seat < 4; seat++)
            if ((o >> 3 * seat & 7) == 6) sweeper = seat;
        if (sweeper >= 0) value[sweeper] += p[k];                                           /* B13 */
        else if (at & OVER) over(score, o, p[k], value);
        else sum += p[k] * next[at];
    }
    return (seats){ value[0] + sum[3], value[1] + sum[0], value[2] + sum[1], value[3] + sum[2] };
}

/* One round of value iteration, in place, states with low scores first; or with `look`, only what it would change at most. */
double equity_iterate(double *table, const unsigned *outcome, const double *p, int n, int look)
{
    double most = 0;
    for (int index = 0; index < STATES; index++) {
        const seats value = backed_up(table, index, outcome, p, n);
        double *own = table + 4 * index;
        for (int seat = 0; seat < 4; seat++) {
            most = fmax(most, fabs(value[seat] - own[seat]));
            if (!look) own[seat] = value[seat];
        }
    }
    return most;
}

/* Rounds to 1/PS_ONE: the four of a state add up to PS_ONE, and none grows with the own score. Floors first; what is left goes,
 * one each, to those that were cut most; where that breaks the order, a unit moves to the seat that is furthest below its
 * true share. Returns how many rounds over all states were needed, 0 when order could not be made. */
int equity_round(const double *table, uint16_t *shares)
{
    for (int index = 0; index < STATES; index++) {
        const double *own = table + 4 * index;
        uint16_t *s = shares + 4 * index;
        int left = PS_ONE;
        for (int seat = 0; seat < 4; seat++) left -= s[seat] = (uint16_t)(own[seat] * PS_ONE);
        for (; left; left += left > 0 ? -1 : 1) {
            int worst = 0;
            double by = -9;
            for (int seat = 0; seat < 4; seat++) {
                const double miss = (own[seat] * PS_ONE - s[seat]) * (left > 0 ? 1 : -1);
                if (miss > by) worst = seat, by = miss;
            }
            s[worst] = (uint16_t)(s[worst] + (left > 0 ? 1 : -1));
        }
    }
    for (int round = 1; round < 1000; round++) {
        int moved = 0;
        for (int index = 0; index < STATES; index++) {
            uint16_t *s = shares + 4 * index;
            for (int seat = 0; seat < 4; seat++) {
                if ((index >> 5 * seat & (TOP - 1)) == 0) continue;
                const uint16_t bound = shares[4 * (index - (1 << 5 * seat)) + seat];
                while (s[seat] > bound) {
                    int to = -1;
                    double by = -9;
                    for (int other = 0; other < 4; other++) {
                        const double miss = table[4 * index + other] * PS_ONE - s[other];
                        if (other != seat && miss > by) to = other, by = miss;
                    }
                    s[seat]--;
                    s[to]++;
                    moved = 1;
                }
            }
        }
        if (!moved) return round;
    }
    return 0;
}
