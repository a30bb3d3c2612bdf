/* Bit operations on 64-bit card masks. Portable C11 with the builtins of gcc and clang; BMI2 where the compiler may use it. */
#ifndef PYSEARCH_BITS_H
#define PYSEARCH_BITS_H

#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define BIT(i) (1ull << (i))

static inline int popcount(uint64_t x) { return __builtin_popcountll(x); }

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

#endif
