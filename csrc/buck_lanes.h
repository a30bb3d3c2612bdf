/* Buck Euchre: the play of many deals side by side, by uniform random cards, from an empty trick to the end of each.
 *
 * A deal takes one 32-bit lane of each vector: sixteen with AVX-512, eight with AVX2, four elsewhere. What becomes of it
 * does not depend on its lane: it is what buck_play_out makes of it, with the same random numbers.
 *
 * Seats that have dropped are left out: the others have *places* 0, 1, ... clockwise. All deals of a batch have as many places,
 * and as many cards in each hand. Hands are in the order by trump (buck.h). They are turned so that the leader's is the first:
 * then the cards of a trick take the quarters of the random word in turn, and the winner's number in the trick says how far
 * to turn on.
 */
#ifndef PYSEARCH_BUCK_LANES_H
#define PYSEARCH_BUCK_LANES_H

#include <string.h>

#include "buck.h"
#include "rng.h"

#if defined(__AVX512BW__) && defined(__AVX512VPOPCNTDQ__)
#define BUCK_LANES 16
#elif defined(__AVX2__)
#define BUCK_LANES 8
#else
#define BUCK_LANES 4
#endif
#ifdef __SSE2__
#include <immintrin.h>
#endif

#define BUCK_BATCH 128                     /* a multiple of BUCK_LANES */
_Static_assert(BUCK_BATCH % BUCK_LANES == 0, "whole vectors");

typedef struct buck_batch {
    uint32_t hand[4][BUCK_BATCH];          /* of each place, in the order by trump */
    uint32_t leader[BUCK_BATCH];           /* the place that leads */
    uint32_t trumps[BUCK_BATCH];           /* byte 3, or nothing without trumps */
    uint32_t x[BUCK_BATCH], g[BUCK_BATCH]; /* random streams (rng.h) */
    uint32_t taken[BUCK_BATCH];            /* the result: tricks, three bits a place */
} buck_batch;

#define INLINE static inline __attribute__((always_inline))

/* ---- what the instruction sets do in different ways ---- */

typedef uint32_t lanes_u32 __attribute__((vector_size(4 * BUCK_LANES)));
typedef int32_t lanes_i32 __attribute__((vector_size(4 * BUCK_LANES)));

/*   above    mask of the lanes in which a > b; both are below 2^31
 *   choose   a in the lanes of a mask, elsewhere b; where: elsewhere 0
 *   shift    a << n in the lanes of a mask, elsewhere a
 *   drop     a without its lowest bit in the lanes of a mask
 *   within   a & b, or a where that is nothing
 *   most     the greater one
 *   part     a * b >> 16 in the lower half of each lane; b < 2^16
 *   count    number of bits, five at most
 *   spread   the byte of the one bit that is set, full of ones; bit 7 is never set */
#if BUCK_LANES == 16

typedef __mmask16 lanes_mask;

INLINE lanes_mask lanes_above(lanes_u32 a, lanes_u32 b) { return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b); }
INLINE lanes_u32 lanes_choose(lanes_mask k, lanes_u32 a, lanes_u32 b)
{
    return (lanes_u32)_mm512_mask_mov_epi32((__m512i)b, k, (__m512i)a);
}
INLINE lanes_u32 lanes_shift(lanes_u32 a, lanes_mask k, unsigned n)
{
    return (lanes_u32)_mm512_mask_slli_epi32((__m512i)a, k, (__m512i)a, n);
}
INLINE lanes_u32 lanes_drop(lanes_u32 a, lanes_mask k)
{
    return (lanes_u32)_mm512_mask_and_epi32((__m512i)a, k, (__m512i)a, (__m512i)(a - 1));
}
INLINE lanes_u32 lanes_within(lanes_u32 a, lanes_u32 b)
{
    return (lanes_u32)_mm512_mask_and_epi32((__m512i)a, _mm512_test_epi32_mask((__m512i)a, (__m512i)b), (__m512i)a, (__m512i)b);
}
INLINE lanes_u32 lanes_most(lanes_u32 a, lanes_u32 b) { return (lanes_u32)_mm512_max_epu32((__m512i)a, (__m512i)b); }
INLINE lanes_u32 lanes_part(lanes_u32 a, lanes_u32 b) { return (lanes_u32)_mm512_mulhi_epu16((__m512i)a, (__m512i)b); }
INLINE lanes_u32 lanes_count(lanes_u32 a) { return (lanes_u32)_mm512_popcnt_epi32((__m512i)a); }
INLINE lanes_u32 lanes_spread(lanes_u32 a) { return (lanes_u32)_mm512_movm_epi8(_mm512_test_epi8_mask((__m512i)a, (__m512i)a)); }

#else

typedef lanes_u32 lanes_mask;                  /* all ones or nothing in each lane */

INLINE lanes_mask lanes_above(lanes_u32 a, lanes_u32 b) { return (lanes_u32)((lanes_i32)a > (lanes_i32)b); }
INLINE lanes_u32 lanes_drop(lanes_u32 a, lanes_mask k) { return a & (a + k); }
INLINE lanes_u32 lanes_within(lanes_u32 a, lanes_u32 b)
{
    const lanes_u32 both = a & b;
    return both | (a & (lanes_u32)(both == 0));
}

#if BUCK_LANES == 8

INLINE lanes_u32 lanes_choose(lanes_mask k, lanes_u32 a, lanes_u32 b) { return b ^ (k & (a ^ b)); }
INLINE lanes_u32 lanes_shift(lanes_u32 a, lanes_mask k, uint32_t n) { return a << (k & n); }
INLINE lanes_u32 lanes_most(lanes_u32 a, lanes_u32 b) { return (lanes_u32)_mm256_max_epu32((__m256i)a, (__m256i)b); }
INLINE lanes_u32 lanes_part(lanes_u32 a, lanes_u32 b) { return (lanes_u32)_mm256_mulhi_epu16((__m256i)a, (__m256i)b); }
INLINE lanes_u32 lanes_count(lanes_u32 a)          /* half bytes are looked up, bytes added up */
{
    const __m256i bits = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m256i low = (__m256i)(a & 0x0f0f0f0f), high = (__m256i)(a >> 4 & 0x0f0f0f0f);
    const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(bits, low), _mm256_shuffle_epi8(bits, high));
    return (lanes_u32)_mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
}

#else

INLINE lanes_u32 lanes_choose(lanes_mask k, lanes_u32 a, lanes_u32 b) { return (a & k) | (b & ~k); }
INLINE lanes_u32 lanes_shift(lanes_u32 a, lanes_mask k, int n) { return lanes_choose(k, a << n, a); }
INLINE lanes_u32 lanes_most(lanes_u32 a, lanes_u32 b) { return lanes_choose(lanes_above(a, b), a, b); }
#ifdef __SSE2__
INLINE lanes_u32 lanes_part(lanes_u32 a, lanes_u32 b) { return (lanes_u32)_mm_mulhi_epu16((__m128i)a, (__m128i)b); }
#else
INLINE lanes_u32 lanes_part(lanes_u32 a, lanes_u32 b) { return (a & 65535) * b >> 16; }
#endif
INLINE lanes_u32 lanes_count(lanes_u32 a)
{
    a -= a >> 1 & 0x55555555;
    a = (a & 0x33333333) + (a >> 2 & 0x33333333);
    a += a >> 16;                          /* five in all fit in half a byte */
    a += a >> 8;
    return (a + (a >> 4)) & 7;
}

#endif

INLINE lanes_u32 lanes_spread(lanes_u32 a)
{
    typedef int8_t bytes __attribute__((vector_size(4 * BUCK_LANES)));
    return (lanes_u32)((bytes)a > 0);
}

#endif

INLINE lanes_u32 lanes_all(uint32_t x) { return (lanes_u32){ 0 } + x; }
INLINE lanes_u32 lanes_where(lanes_mask k, lanes_u32 a) { return lanes_choose(k, a, lanes_all(0)); }

INLINE lanes_u32 lanes_load(const uint32_t *from)
{
    lanes_u32 a;
    memcpy(&a, from, sizeof a);
    return a;
}

/* ---- play ---- */

INLINE lanes_u32 lanes_mix32(lanes_u32 x)          /* mix32 of rng.h */
{
    x ^= x >> 16; x *= 0x21f0aaadu;
    x ^= x >> 15; x *= 0x735a2d97u;
    return x ^ x >> 15;
}

/* Card number k of a hand of `most` at most, the lowest being number 0. */
INLINE lanes_u32 lanes_nth_card(lanes_u32 cards, lanes_u32 k, int most)
{
    if (most > 1) cards = lanes_drop(cards, lanes_above(k, lanes_all(0)));
    if (most > 2) cards = lanes_drop(cards, lanes_above(k, lanes_all(1)));
    if (most > 3) cards = lanes_drop(cards, lanes_above(k, lanes_all(2)));
    if (most > 4) cards = lanes_drop(cards, lanes_above(k, lanes_all(3)));
    return cards & -cards;
}

/* A deal while it is played. */
typedef struct lanes_deal {
    lanes_u32 hand[4];         /* from the leader on */
    lanes_u32 trumps, x, g;
    lanes_u32 leader, taken;   /* three bits a place: one trick for the leader; tricks so far */
} lanes_deal;

/* Turns the hands on by one where `one` and by two where `two`, by three where both; with three places not both. */
INLINE void lanes_turn(lanes_deal *d, int places, lanes_mask one, lanes_mask two)
{
    lanes_u32 *const h = d->hand, a = h[0], b = h[1], c = h[2], e = h[3];
    if (places == 4) {
        const lanes_u32 p = lanes_choose(two, c, a), q = lanes_choose(two, e, b);
        const lanes_u32 r = lanes_choose(two, a, c), s = lanes_choose(two, b, e);
        h[0] = lanes_choose(one, q, p), h[1] = lanes_choose(one, r, q);
        h[2] = lanes_choose(one, s, r), h[3] = lanes_choose(one, p, s);
    } else if (places == 3) {
        h[0] = lanes_choose(two, c, lanes_choose(one, b, a));
        h[1] = lanes_choose(two, a, lanes_choose(one, c, b));
        h[2] = lanes_choose(two, b, lanes_choose(one, a, c));
    } else {
        h[0] = lanes_choose(one, b, a), h[1] = lanes_choose(one, a, b);
    }
    d->leader = lanes_shift(lanes_shift(d->leader, one, 3), two, 6);
    d->leader = (d->leader | d->leader >> 3 * places) & ((1u << 3 * places) - 1);
}

/* A trick with n cards in each hand; with the last ones there is no choice. */
INLINE void lanes_trick(lanes_deal *d, int places, int n)
{
    lanes_u32 a = d->hand[0], b = d->hand[1], c = d->hand[2], e = d->hand[3], led = lanes_spread(a);
    if (n > 1) {
        d->x += d->g;
        const lanes_u32 low = lanes_mix32(d->x ^ 0x9e3779b9u), high = lanes_mix32(d->x);
        a = lanes_nth_card(a, lanes_part(low, lanes_all((uint32_t)n)), n);
        led = lanes_spread(a);
        b = lanes_within(b, led);
        b = lanes_nth_card(b, lanes_part(low >> 16, lanes_count(b)), n);
        d->hand[0] ^= a, d->hand[1] ^= b;
        if (places > 2) {
            c = lanes_within(c, led);
            c = lanes_nth_card(c, lanes_part(high, lanes_count(c)), n);
            d->hand[2] ^= c;
        }
        if (places > 3) {
            e = lanes_within(e, led);
            e = lanes_nth_card(e, lanes_part(high >> 16, lanes_count(e)), n);
            d->hand[3] ^= e;
        }
    }
    const lanes_u32 winning = led | d->trumps;                                                  /* B10 */
    b &= winning, c &= winning, e &= winning;
    lanes_mask one = lanes_above(b, a), two = one ^ one;
    if (places == 3) {
        two = lanes_above(c, lanes_most(a, b));
        one = (lanes_mask)(one & ~two);
    } else if (places == 4) {
        two = lanes_above(lanes_most(c, e), lanes_most(a, b));
        one = (lanes_mask)((one & ~two) | (lanes_above(e, c) & two));
    }
    lanes_turn(d, places, one, two);
    d->taken += d->leader;
}

INLINE void lanes_play(buck_batch *batch, int n, int places, int cards)
{
    for (int at = 0; at < n; at += BUCK_LANES) {
        lanes_deal d = { .trumps = lanes_load(batch->trumps + at), .leader = lanes_all(1) };
        for (int place = 0; place < places; place++) d.hand[place] = lanes_load(batch->hand[place] + at);
        d.x = lanes_load(batch->x + at), d.g = lanes_load(batch->g + at);
        const lanes_u32 leader = lanes_load(batch->leader + at), odd = leader & 1;
        lanes_turn(&d, places, lanes_above(odd, lanes_all(0)), lanes_above(leader, lanes_all(1)));
        if (cards > 4) lanes_trick(&d, places, 5);
        if (cards > 3) lanes_trick(&d, places, 4);
        if (cards > 2) lanes_trick(&d, places, 3);
        if (cards > 1) lanes_trick(&d, places, 2);
        lanes_trick(&d, places, 1);
        memcpy(batch->taken + at, &d.taken, sizeof d.taken);
    }
}

/* The streams of numbers index ... index + BUCK_LANES - 1: rng_game of rng.h. */
INLINE void lanes_streams(rng_seed seed, uint32_t index, lanes_u32 *x, lanes_u32 *g)
{
    static const uint32_t count[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    const lanes_u32 number = lanes_load(count) + index;
    *x = lanes_mix32(seed.s0 + number);
    *g = lanes_mix32(seed.s1 ^ number) | 1;
}

/* Gives the deals of a batch the streams number first, first + 1, ... */
static __attribute__((noinline)) void buck_stream_batch(buck_batch *batch, rng_seed seed, uint64_t first)
{
    for (int i = 0; i < BUCK_BATCH; i += BUCK_LANES) {
        lanes_u32 x, g;
        lanes_streams(seed, (uint32_t)first + (uint32_t)i, &x, &g);
        memcpy(batch->x + i, &x, sizeof x);
        memcpy(batch->g + i, &g, sizeof g);
    }
}

/* Shuffles: card number t of deal i is drawn from place at[t][i] of the cards that are left. */
typedef struct buck_shuffles {
    uint32_t at[24][BUCK_BATCH];
    uint32_t high[BUCK_BATCH], low[BUCK_BATCH];    /* halves of the first word, where it is not for a card */
} buck_shuffles;

/* So many draws out of `size` cards, deals first, first + 1, ..., each after `skip` words of its stream, none or one. */
static __attribute__((noinline)) void buck_shuffle_batch(buck_shuffles *shuffles, rng_seed seed, uint64_t first, uint32_t skip,
                                                         uint32_t size, uint32_t draws)
{
    for (int i = 0; i < BUCK_BATCH; i += BUCK_LANES) {
        lanes_u32 x, g;
        lanes_streams(seed, (uint32_t)first + (uint32_t)i, &x, &g);
        if (skip) {
            x += g;
            const lanes_u32 high = lanes_mix32(x), low = lanes_mix32(x ^ 0x9e3779b9u);
            memcpy(shuffles->high + i, &high, sizeof high);
            memcpy(shuffles->low + i, &low, sizeof low);
        }
        for (uint32_t t = 0; t < draws; t++) {
            x += g;
            const lanes_u32 word = lanes_mix32(x), below = (word >> 16) * (size - t) + lanes_part(word, lanes_all(size - t));
            const lanes_u32 drawn = below >> 16;                     /* rng_below: word * n >> 32, in halves */
            memcpy(&shuffles->at[t][i], &drawn, sizeof drawn);
        }
    }
}

/* Plays the first n deals of a batch; what the vectors hold beyond them does not matter. */
static __attribute__((noinline)) void buck_play_batch(buck_batch *batch, int n, int places, int cards)
{
    if (places == 4) lanes_play(batch, n, 4, cards);
    else if (places == 3) lanes_play(batch, n, 3, cards);
    else lanes_play(batch, n, 2, cards);
}

#undef INLINE

#endif
