/* Cuttle: many playouts of one position, added up. Many are under way at a time: all decide at once, and then the moves are
 * made kind by kind, so that the processor neither waits for one game's numbers nor guesses its next move. */
#ifndef PYSEARCH_CUTTLE_ROLLOUT_H
#define PYSEARCH_CUTTLE_ROLLOUT_H

#ifdef __AVX512BW__
#include <immintrin.h>
#endif
#include "cuttle_playout.h"
#include "cuttle_worlds.h"

#define LANES 128
#define LANE(name) cuttle_lanes_##name
#include "cuttle_lanes.h"

/* Kinds of move in listed order, as the lanes sort them. */
enum { LANE_DRAW, LANE_POINTS, LANE_PERM, LANE_SCUTTLE, LANE_EFFECT, LANE_AIMED, LANE_JACK, LANE_IDLE, LANE_KINDS };

typedef struct {
    cuttle_lanes_games games;
    uint16_t idle[LANES];                          /* LANE_IDLE where there is no game any more */
    uint16_t kind[LANES], rest[LANES];             /* what each lane plays: the kind, and the which of its kind */
    uint32_t lanes[LANE_KINDS][LANES + 16];        /* the lanes that play each kind, and which above */
    int n[LANE_KINDS];
    const cuttle_worlds *worlds;
    uint64_t seed, next, end;                      /* playouts that are still to begin */
    rng_seed deals, plays;
    int cap;
    ps_totals *totals;
} cuttle_lanes;

static inline void cuttle_lanes_finish(cuttle_lanes *c, const cuttle *s, int plies)
{
    uint32_t shares[2];
    cuttle_shares(s, shares);
    c->totals->games++;
    c->totals->plies += (uint64_t)plies;
    for (int seat = 0; seat < 2; seat++) c->totals->shares[seat] += shares[seat];
}

/* Begins the next playout in lane i, where `mover` is the player to move; games that are over before an ordinary turn need no
 * lane. */
static inline void cuttle_lanes_feed(cuttle_lanes *c, int i, int mover)
{
    while (c->next < c->end) {
        cuttle s;
        const uint64_t index = c->next++;
        if (!(uint32_t)index) {
            c->deals = rng_open(c->seed, RNG_WORLD, index);
            c->plays = rng_open(c->seed, RNG_PLAYOUT, index);
        }
        rng deal = rng_game(c->deals, index), play = rng_game(c->plays, index);
        int plies = 0;
        cuttle_worlds_draw(c->worlds, &deal, &s);
        for (; plies < c->cap && cuttle_stage(&s) != CUTTLE_MAIN && cuttle_stage(&s) != CUTTLE_OVER; plies++)
            cuttle_play(&s, cuttle_random_move(&s, &play));
        if (cuttle_stage(&s) == CUTTLE_MAIN && plies + 2 * CUTTLE_LONGEST_TURN <= c->cap) {
            cuttle_lanes_load(&c->games, i, &s, play, mover, plies);
            return;
        }
        plies += cuttle_playout(&s, &play, c->cap - plies);
        cuttle_lanes_finish(c, &s, plies);
    }
    c->idle[i] = LANE_IDLE;
}

#define AT(vector, array) (*(vector *)&(array)[i])

/* All lanes draw a random move of player p, a constant wherever this is called: no branch, no dependence between lanes. Returns
 * whether a game has become so long that its next turn but one may reach the cap. */
static inline __attribute__((always_inline)) int cuttle_lanes_decide(cuttle_lanes *c, int p)
{
    cuttle_lanes_games *l = &c->games;
    const uint32_t long_game = (uint32_t)(c->cap - 2 * CUTTLE_LONGEST_TURN);
    wide32 late = { 0 };
    int any = 0;
    for (int i = 0; i < LANES; i += WIDE / 2) {
        const wide16 others = AT(wide16, l->held[p][SORT_PLAIN]), threes = AT(wide16, l->held[p][SORT_THREE]);
        const wide16 aims = AT(wide16, l->held[p][SORT_AIMING]), eights = AT(wide16, l->held[p][SORT_EIGHT]);
        const wide16 queens = AT(wide16, l->laid[!p][LAID_QUEENS]), open = queens == 0;
        const wide16 targets = AT(wide16, l->laid[p][LAID_PERMS]) + (queens | (AT(wide16, l->laid[!p][LAID_PERMS]) & open));
        /* where the moves of each kind begin, the first move being to draw */
        const wide16 perm = others + threes + aims + eights + AT(wide16, l->held[p][SORT_TEN]) + 1;
        const wide16 scuttle = perm + eights + AT(wide16, l->held[p][SORT_CROWN]);
        const wide16 effect = scuttle + AT(wide16, l->scuttles[p]);
        const wide16 aimed = effect + others + (threes & AT(wide16, l->scrapped));
        const wide16 jack = aimed + aims * targets;
        const wide16 all = jack + AT(wide16, l->held[p][SORT_JACK]) * (AT(wide16, l->laid[!p][LAID_POINTS]) & open);
        const wide16 begin[6] = { { 0 }, perm, scuttle, effect, aimed, jack };
        wide16 k, kind, base;
        AT(wide16, c->rest) = all;
        for (int half = 0; half < 2; half++, i += WIDE / 4) {           /* one of n by the word of the ply, as in rng.h */
            const wide32 x = AT(wide32, l->x) + AT(wide32, l->g);
            const wide32 n = __builtin_convertvector(AT(narrow16, c->rest), wide32);
            AT(wide32, l->x) = x;
            AT(wide32, l->plies) += 1;
            late |= (wide32)(AT(wide32, l->plies) > long_game);
            AT(narrow16, c->rest) = __builtin_convertvector(below_wide(mix32_wide(x), n), narrow16);
        }
        i -= WIDE / 2;
        k = AT(wide16, c->rest);
        kind = -(k > 0);
        base = kind;
        for (int later = 1; later < 6; later++) {
            const wide16 reached = k >= begin[later];
            kind -= reached;
            base = (begin[later] & reached) | (base & ~reached);
        }
        AT(wide16, l->passes) &= kind == 0;
        AT(wide16, c->kind) = kind | AT(wide16, c->idle);
        AT(wide16, c->rest) = k - base;
    }
    for (int i = 0; i < WIDE / 4; i++) any |= late[i] != 0;
    return any;
}

#undef AT

/* Sorts the lanes by what they play. */
static inline __attribute__((always_inline)) void cuttle_lanes_sort(cuttle_lanes *c)
{
    int n[LANE_KINDS] = { 0 };
#ifdef __AVX512BW__
    __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int i = 0; i < LANES; i += 16, lane = _mm512_add_epi32(lane, _mm512_set1_epi32(16))) {
        const __m512i kinds = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)&c->kind[i]));
        const __m512i rest = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)&c->rest[i]));
        const __m512i entry = _mm512_or_si512(lane, _mm512_slli_epi32(rest, 16));
        for (int kind = 0; kind < LANE_IDLE; kind++) {
            const __mmask16 plays = _mm512_cmpeq_epi32_mask(kinds, _mm512_set1_epi32(kind));
            _mm512_storeu_si512(&c->lanes[kind][n[kind]], _mm512_maskz_compress_epi32(plays, entry));
            n[kind] += popcount(plays);
        }
    }
#else
    for (int i = 0; i < LANES; i++) {
        const int kind = c->kind[i];
        c->lanes[kind][n[kind]++] = (uint32_t)i | (uint32_t)c->rest[i] << 16;
    }
#endif
    for (int kind = 0; kind < LANE_KINDS; kind++) c->n[kind] = n[kind];
}

/* Each lane i that plays moves of a kind, and the number k of its move among them. */
#define EACH(kind) \
    for (unsigned at = 0, i = 0, k = 0; \
         at < (unsigned)c->n[kind] && (i = c->lanes[kind][at] & 0xffff, k = c->lanes[kind][at] >> 16, 1); at++)

/* Makes the moves of player p. */
static inline __attribute__((always_inline)) void cuttle_lanes_play(cuttle_lanes *c, int p)
{
    cuttle_lanes_games *l = &c->games;
    uint16_t resolve[8][LANES], card_of[8][LANES];
    int n[8] = { 0 };

    EACH(LANE_DRAW) {
        (void)k;
        cuttle_lanes_draw(l, i, p);
    }
    EACH(LANE_POINTS) {
        const int card = nth_bit(l->at[i].hand[p] & CUTTLE_NUMBERS, k);
        cuttle_lanes_lose(l, i, p, card);
        cuttle_lanes_play_points(l, i, p, card);
    }
    EACH(LANE_PERM) {
        const int card = nth_bit(l->at[i].hand[p] & CUTTLE_PERMANENT, k);
        cuttle_lanes_lose(l, i, p, card);
        cuttle_lanes_play_perm(l, i, p, card);
    }
    EACH(LANE_SCUTTLE) {
        int card, target;
        cuttle_lanes_nth_scuttle(l, i, p, k, &card, &target);
        cuttle_lanes_lose(l, i, p, card);
        cuttle_lanes_scuttle(l, i, p, card, target);
    }
    EACH(LANE_JACK) {
        const uint64_t under = l->at[i].points[!p];
        const unsigned targets = (unsigned)popcount(under);
        const int card = nth_bit(l->at[i].hand[p] & CUTTLE_RANK(RANK_J), k / targets);
        cuttle_lanes_lose(l, i, p, card);
        cuttle_lanes_jack(l, i, card, nth_bit(under, k % targets));
        cuttle_lanes_look(l, i, p);
    }
    EACH(LANE_AIMED) {
        const uint64_t targets = cuttle_lanes_targets(l, i, p);
        const unsigned many = (unsigned)popcount(targets);
        const int card = nth_bit(l->at[i].hand[p] & CUTTLE_AIMING, k / many), target = nth_bit(targets, k % many);
        cuttle_lanes_lose(l, i, p, card);
        cuttle_lanes_play_aimed(l, i, p, card, target);
    }
    EACH(LANE_EFFECT) {                                                     /* answers first; effects by rank */
        const int card = nth_bit(cuttle_lanes_effects(l, i, p), k);
        cuttle_lanes_lose(l, i, p, card);
        if (cuttle_lanes_cancelled(l, i, p, 0)) {
            cuttle_lanes_lay_scrap(l, i, BIT(card));
        } else {
            const int rank = cuttle_rank(card), place = n[rank]++;
            resolve[rank][place] = (uint16_t)i;
            card_of[rank][place] = (uint16_t)card;
        }
    }
#define RESOLVE(rank, effect) \
    for (int at = 0; at < n[rank]; at++) { \
        const int i = resolve[rank][at]; \
        effect; \
        cuttle_lanes_lay_scrap(l, i, BIT(card_of[rank][at])); \
    }
    RESOLVE(RANK_A, cuttle_lanes_ace(l, i))
    RESOLVE(RANK_3, cuttle_lanes_three(l, i, p))
    RESOLVE(RANK_4, cuttle_lanes_four(l, i, p))
    RESOLVE(RANK_5, cuttle_lanes_five(l, i, p))
    RESOLVE(RANK_6, cuttle_lanes_play_six(l, i, p))
#undef RESOLVE
    for (int at = 0; at < n[RANK_7]; at++) cuttle_lanes_sevens(l, resolve[RANK_7][at], p, card_of[RANK_7][at]);
}

#undef EACH

/* Finishes the long games one by one; `mover` is the player to move. */
static __attribute__((noinline)) void cuttle_lanes_retire(cuttle_lanes *c, int mover)
{
    cuttle_lanes_games *l = &c->games;
    for (int i = 0; i < LANES; i++)
        if (!c->idle[i] && (int)l->plies[i] > c->cap - 2 * CUTTLE_LONGEST_TURN) {
            cuttle s = c->worlds->base;
            rng play;
            const int plies = (int)l->plies[i];
            cuttle_clear_duel(&s);
            cuttle_lanes_store(l, i, &s, &play, mover);
            cuttle_lanes_finish(c, &s, plies + cuttle_playout(&s, &play, c->cap - plies));
            cuttle_lanes_feed(c, i, mover);
        }
}

/* One turn of player p in all lanes. */
static inline __attribute__((always_inline)) void cuttle_lanes_turn(cuttle_lanes *c, int p)
{
    cuttle_lanes_games *l = &c->games;
    l->ended = 0;
    const int late = cuttle_lanes_decide(c, p);
    cuttle_lanes_sort(c);
    cuttle_lanes_play(c, p);
    for (int at = 0; at < l->ended; at++) {
        const int i = l->ends[at], result = l->at[i].result;
        const uint32_t won = result == 3 ? PS_ONE / 2 : result - 1 == l->at[i].flip ? PS_ONE : 0;   /* by seat 0 */
        c->totals->games++;
        c->totals->plies += l->plies[i];
        c->totals->shares[0] += won;
        c->totals->shares[1] += PS_ONE - won;
        cuttle_lanes_feed(c, i, !p);
    }
    if (__builtin_expect(late, 0)) cuttle_lanes_retire(c, !p);
}

/* Adds playouts number first ... first + n - 1 of `seed`, of at most `cap` plies, to the totals, each in the world of its
 * number. */
static inline void cuttle_playouts_to(const cuttle_worlds *w, uint64_t seed, uint64_t first, int n, int cap, ps_totals *totals)
{
    _Alignas(64) cuttle_lanes c;
    const uint64_t all = totals->games + (uint64_t)n;
    c.worlds = w;
    c.seed = seed;
    c.next = first;
    c.end = first + (uint64_t)n;
    c.deals = rng_open(seed, RNG_WORLD, first);
    c.plays = rng_open(seed, RNG_PLAYOUT, first);
    c.cap = cap;
    c.totals = totals;
    memset(&c.games, 0, sizeof c.games);
    memset(c.idle, 0, sizeof c.idle);
    for (int i = 0; i < LANES; i++) cuttle_lanes_feed(&c, i, 0);
    for (int p = 0; totals->games < all; p = !p) {
        if (p) cuttle_lanes_turn(&c, 1);
        else cuttle_lanes_turn(&c, 0);
    }
}

static inline void cuttle_playouts(const cuttle_worlds *w, uint64_t seed, uint64_t first, int n, ps_totals *totals)
{
    cuttle_playouts_to(w, seed, first, n, PS_PLY_CAP, totals);
}

#undef LANES
#undef LANE

#endif
