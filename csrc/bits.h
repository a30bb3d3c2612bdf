/* Bit operations on 64-bit card masks. Portable C11 with the builtins of gcc and clang; BMI2 where the compiler may use it. */
#ifndef PYSEARCH_BITS_H
#define PYSEARCH_BITS_H

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define BIT(i) (1ull << (i))

static inline int popcount(uint64_t x)
{
#if defined(__POPCNT__) || !defined(__x86_64__)
    return __builtin_popcountll(x);
#else   /* a call with gcc */
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return (int)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#endif
}

/* Index of the lowest set bit; x != 0. */
static inline int lowest(uint64_t x) { return __builtin_ctzll(x); }

/* Index of the highest set bit; x != 0. */
static inline int highest(uint64_t x) { return 63 - __builtin_clzll(x); }

/* Index of the k-th lowest set bit, k counted from 0; k < popcount(x). */
static inline int nth_bit(uint64_t x, unsigned k)
{
#ifdef __BMI2__
    return lowest(_pdep_u64(BIT(k), x));
#else
    while (k--) x &= x - 1;
    return lowest(x);
#endif
}

/* Bits `width` wide at `shift`: read, and replace. */
static inline unsigned field(uint64_t word, unsigned shift, unsigned width)
{
    return (unsigned)(word >> shift) & ((1u << width) - 1);
}

static inline uint64_t with_field(uint64_t word, unsigned shift, unsigned width, uint64_t value)
{
    const uint64_t mask = BIT(width) - 1;
    return (word & ~(mask << shift)) | value << shift;
}

/* Vectors as wide as the processor has them, in the notation that gcc and clang share: whatever the width, the numbers that
 * come out are the same. */
#if defined(__AVX512BW__)
#define WIDE 64
#elif defined(__AVX2__)
#define WIDE 32
#else
#define WIDE 16
#endif
typedef int16_t wide16 __attribute__((vector_size(WIDE), aligned(2), may_alias));
typedef uint32_t wide32 __attribute__((vector_size(WIDE), aligned(4), may_alias));
typedef uint16_t narrow16 __attribute__((vector_size(WIDE / 2), aligned(2), may_alias));   /* as many as a wide32 */

#endif
