/* Counter-based random numbers: the t-th word of a game depends on (seed, use, index, t) and on nothing else.
 *
 * Built of 32-bit multiplies, adds, xors and shifts only, so that scalar code, SIMD lanes and numba give the same words.
 * Every game (playout, sampled world, search iteration) has its own Weyl sequence x_t = a + t*g mod 2^32 with odd g:
 *
 *     s0, s1 = two 32-bit words mixed from (seed, use, index >> 32)      once per call
 *     a = mix32(s0 + low32(index))        g = mix32(s1 ^ low32(index)) | 1
 *     word(t) = mix32(x_t) << 32 | mix32(x_t ^ 0x9E3779B9)               t = 1, 2, 3, ...
 *
 * a is a bijection of the low half of the index, so no two of 2^32 games of one seed share it, and the own step g keeps two
 * games from walking through one another's words. mix32 is the two-round xor-multiply hash with the constants found by
 * TheIronborn's search (hash-prospector, bias 0.107), a bijection.
 *
 * Drawing: one of n comes from the upper half, (word >> 32) * n >> 32, bias at most n / 2^32.
 * A uniform playout draws the k-th legal move in the order in which the rules list them:
 *   Cuttle        word t of the game serves its t-th ply (a forced ply leaves its word unused).
 *   Buck Euchre   one word for each bid, burial, stay or drop; one word for each trick, whose j-th card (j = 0...3, counted
 *                 in the trick) takes the 16-bit quarter q = word >> 16j and the card number q * n >> 16 of the n legal ones,
 *                 counted from the weakest of the lowest suit in the order by trump (buck.h).
 *
 * Test vectors (tests/test_rng.py has more): seed 1, use 0, index 0, t = 1, 2, 3 give
 *     912dfd6b1e0b061f c8abc0c6efd3d19d a292b8a2713ca176
 */
#ifndef PYSEARCH_RNG_H
#define PYSEARCH_RNG_H

#include <stdint.h>

#include "bits.h"

/* What a stream is for: separates the numbers of different uses of one seed. */
enum rng_use { RNG_DEAL = 0, RNG_WORLD = 1, RNG_PLAYOUT = 2, RNG_SEARCH = 3 };

typedef struct { uint32_t s0, s1; } rng_seed;  /* one (seed, use, index >> 32) */
typedef struct { uint32_t x, g; } rng;         /* one game */

static inline uint32_t mix32(uint32_t x)
{
    x ^= x >> 16; x *= 0x21f0aaadu;
    x ^= x >> 15; x *= 0x735a2d97u;
    return x ^ x >> 15;
}

static inline rng_seed rng_open(uint64_t seed, uint32_t use, uint64_t index)
{
    const uint32_t lo = (uint32_t)seed, hi = (uint32_t)(seed >> 32), top = (uint32_t)(index >> 32);
    rng_seed s;
    s.s0 = mix32(mix32(mix32(lo + 0x85ebca6bu) ^ hi) + use * 0xc2b2ae35u + top * 0x27d4eb2fu);
    s.s1 = mix32(mix32(mix32(lo ^ 0x165667b1u) + hi) ^ (use * 0x9e3779b1u + top * 0x85ebca77u));
    return s;
}

/* The stream of game `index`; `s` was made by rng_open for the same upper half of the index. */
static inline rng rng_game(rng_seed s, uint64_t index)
{
    rng r;
    r.x = mix32(s.s0 + (uint32_t)index);
    r.g = mix32(s.s1 ^ (uint32_t)index) | 1u;
    return r;
}

/* The stream of (seed, use, index) in one step. */
static inline rng rng_stream(uint64_t seed, uint32_t use, uint64_t index)
{
    return rng_game(rng_open(seed, use, index), index);
}

/* The next word: 64 bits. */
static inline uint64_t rng_word(rng *r)
{
    r->x += r->g;
    return (uint64_t)mix32(r->x) << 32 | mix32(r->x ^ 0x9e3779b9u);
}

/* One of 0...n-1 out of the upper half of the next word; n >= 1. */
static inline uint32_t rng_below(rng *r, uint32_t n)
{
    r->x += r->g;
    return (uint32_t)((uint64_t)mix32(r->x) * n >> 32);
}

/* w * n >> 64, for n up to 2^56. */
static inline uint64_t rng_scale64(uint64_t w, uint64_t n)
{
    const uint64_t wh = w >> 32, wl = (uint32_t)w, nh = n >> 32, nl = (uint32_t)n;
    const uint64_t mid = wh * nl + (wl * nl >> 32);         /* < 2^64: no carry is lost, wh * nl <= (2^32-1)^2 */
    return wh * nh + (mid >> 32) + (((uint32_t)mid + wl * nh) >> 32);
}

/* One of 0...n-1, n up to 2^56, out of a whole word: bias at most n / 2^64. */
static inline uint64_t rng_below64(rng *r, uint64_t n) { return rng_scale64(rng_word(r), n); }

/* One of 0...n-1 by their weights, whose sum is below 2^32. */
static inline int rng_weighed(rng *r, const uint32_t *weights, int n)
{
    uint32_t sum = 0;
    int k = 0;
    for (int i = 0; i < n; i++) sum += weights[i];
    for (uint32_t x = rng_below(r, sum); x >= weights[k]; k++) x -= weights[k];
    return k;
}

/* ---- many at a time: the same numbers ---- */

static inline wide32 mix32_wide(wide32 x)
{
    x ^= x >> 16; x *= 0x21f0aaadu;
    x ^= x >> 15; x *= 0x735a2d97u;
    return x ^ x >> 15;
}

/* One of 0...n-1 in each lane out of words that mix32 has made; n < 2^16. */
static inline wide32 below_wide(wide32 word, wide32 n) { return ((word >> 16) * n + ((word & 0xffff) * n >> 16)) >> 16; }

/* out[i] = rng_below(r, n - i) for i = 0...count-1, count <= n <= 64; 64 places. */
static inline void rng_below_each(rng *r, int n, int count, uint32_t *out)
{
    wide32 place;
    for (int i = 0; i < WIDE / 4; i++) place[i] = (uint32_t)i;
    wide32 x = r->x + (place + 1) * r->g, left = (uint32_t)n - place;
    for (int i = 0; i < count; i += WIDE / 4) {
        *(wide32 *)&out[i] = below_wide(mix32_wide(x), left);
        left -= WIDE / 4;
        x += r->g * (WIDE / 4);
    }
    r->x += (uint32_t)count * r->g;
}

/* The exchanges of a shuffle of n <= 64 things: out[i] = i + rng_below(r, n - i) for i = 0...n-1; 64 places. */
static inline void rng_shuffle(rng *r, int n, uint32_t *out)
{
    wide32 place;
    for (int i = 0; i < WIDE / 4; i++) place[i] = (uint32_t)i;
    wide32 x = r->x + (place + 1) * r->g;
    for (int i = 0; i < n; i += WIDE / 4) {
        *(wide32 *)&out[i] = place + below_wide(mix32_wide(x), (uint32_t)n - place);
        place += WIDE / 4;
        x += r->g * (WIDE / 4);
    }
    r->x += (uint32_t)n * r->g;
}

#endif
