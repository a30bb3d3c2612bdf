/* Buck Euchre: many playouts of one position, added up. Each is played as buck_playout plays it, but for the tricks after the
 * first empty one, which are played side by side. */
#ifndef PYSEARCH_BUCK_ROLLOUT_H
#define PYSEARCH_BUCK_ROLLOUT_H

#include "buck_lanes.h"
#include "buck_playout.h"
#include "buck_worlds.h"

/* The seats that play, as bits: each has a place among them. */
static inline unsigned buck_in(const buck *s) { return 15u & ~buck_out(s); }

static inline uint32_t buck_place_of(int seat, unsigned in) { return (uint32_t)popcount(in & ((1u << seat) - 1)); }

/* Tricks by place, as of a batch, for a status word. */
static inline uint64_t buck_seat_tricks(uint32_t taken, unsigned in)
{
    uint64_t tricks = 0;
    for (; in; in &= in - 1, taken >>= 3) tricks |= (uint64_t)(taken & 7) << 3 * lowest(in);
    return tricks << 33;
}

/* Makes a state with an empty trick number i of the batch. */
static inline void buck_batch_set(buck_batch *b, int i, const buck *s, const rng *r)
{
    const int trump = buck_trump(s);
    uint64_t hand[4] = { 0 };
    int places = 0;
    for (unsigned in = buck_in(s); in; in &= in - 1) hand[places++] = s->hand[lowest(in)];
    const uint64_t first_two = buck_pack_two(hand[0] | hand[1] << 32, trump);
    const uint64_t last_two = buck_pack_two(hand[2] | hand[3] << 32, trump);
    b->hand[0][i] = (uint32_t)first_two, b->hand[1][i] = (uint32_t)(first_two >> 32);
    b->hand[2][i] = (uint32_t)last_two, b->hand[3][i] = (uint32_t)(last_two >> 32);
    b->leader[i] = buck_place_of(buck_turn(s), buck_in(s));
    b->trumps[i] = trump < BUCK_NO_TRUMP ? 255u << 24 : 0;
    b->x[i] = r->x, b->g[i] = r->g;
}

/* ---- from the play stage on: playouts differ in nothing but who takes the tricks ---- */

/* Playouts by the tricks of the first three places, three bits each; what is left is those of the fourth. */
typedef struct buck_counts { uint32_t of[512]; } buck_counts;

static inline void buck_add_counts(const buck *base, const buck_counts *counts, uint32_t tricks, ps_totals *totals)
{
    const unsigned in = buck_in(base);
    for (uint32_t taken = 0; taken < 512; taken++) {
        if (!counts->of[taken]) continue;
        const uint32_t rest = tricks - (taken & 7) - (taken >> 3 & 7) - (taken >> 6);
        uint32_t shares[4];
        buck s = *base;
        s.status += buck_seat_tricks(taken | rest << 9, in);
        buck_finish(&s);
        buck_shares(&s, shares);
        for (int seat = 0; seat < 4; seat++) totals->shares[seat] += (uint64_t)shares[seat] * counts->of[taken];
    }
}

/* Playouts of one batch of worlds, numbers first ... first + n - 1. Returns the plies of each, which are as many in all. */
static inline int buck_play_worlds(const buck_worlds *w, buck_batch *b, uint64_t seed, uint64_t first, int n, buck_counts *counts)
{
    const rng_seed deals = rng_open(seed, RNG_WORLD, first), plays = rng_open(seed, RNG_PLAYOUT, first);
    const unsigned in = buck_in(&w->base);
    uint32_t begun[BUCK_BATCH] = { 0 };                     /* who takes the trick that has begun */
    int plies = 0;
    buck s = w->base;
    for (int i = 0; i < n; i++) {
        rng deal = rng_game(deals, first + (uint64_t)i), play = rng_game(plays, first + (uint64_t)i);
        buck_worlds_draw(w, &deal, &s);
        if (buck_length(&s)) {
            plies = buck_play_on(&s, &play);
            const uint64_t trick = (s.status >> 33 & 4095) - (w->base.status >> 33 & 4095);
            begun[i] = 1u << 3 * buck_place_of(lowest(trick) / 3, in);
        }
        buck_batch_set(b, i, &s, &play);
    }
    const int cards = buck_stage(&s) == BUCK_PLAY ? popcount(s.hand[buck_turn(&s)]) : 0;
    if (cards) buck_play_batch(b, n, popcount(in), cards);
    for (int i = 0; i < n; i++) counts->of[((cards ? b->taken[i] : 0) + begun[i]) & 511]++;
    return plies + cards * popcount(in);
}

/* The same where the trick is empty, of deals that are set already. */
static inline void buck_play_set(buck_batch *b, uint64_t seed, uint64_t first, int n, int places, int cards, buck_counts *counts)
{
    buck_stream_batch(b, rng_open(seed, RNG_PLAYOUT, first), first);
    buck_play_batch(b, n, places, cards);
    for (int i = 0; i < n; i++) counts->of[b->taken[i] & 511]++;
}

/* Sets the hands of worlds number first ... first + n - 1, which are those of buck_worlds_draw. */
static inline void buck_dealing_set(const buck_dealing *d, const buck_worlds *w, buck_batch *b, uint64_t seed, uint64_t first,
                                    int n)
{
    const rng_seed deals = rng_open(seed, RNG_WORLD, first);
    const int either = w->entries > 1;
    const int sure = d->draws[!w->buried_from], draws = either && d->draws[0] > sure ? d->draws[0] : sure;
    buck_shuffles shuffles;
    buck_shuffle_batch(&shuffles, deals, first, (uint32_t)either, d->size, (uint32_t)draws);
    for (int i = 0; i < n; i++) {
        uint32_t drawn[25], so_far = 0;                      /* drawn[t]: the first t cards */
        uint8_t cards[24], *last = cards + d->size;
        int buried = !w->buried_from;
        if (either) buried = rng_scale64((uint64_t)shuffles.high[i] << 32 | shuffles.low[i], w->total) >= w->sum[0];
        memcpy(cards, d->card, sizeof cards);
        drawn[0] = 0, drawn[24] = d->all;
#pragma GCC unroll 4
        for (int t = 0; t < draws; t++) {
            const uint32_t k = shuffles.at[t][i];
            drawn[t + 1] = so_far |= 1u << cards[k];
            cards[k] = *--last;
        }
        for (int place = 0; place < 4; place++) b->hand[place][i] = buck_dealing_hand(d, buried, place, drawn);
    }
}

static inline void buck_add_plays(const buck_worlds *w, uint64_t seed, uint64_t first, int n, ps_totals *totals)
{
    const int hidden = w->unseen || w->up, begun = buck_length(&w->base) > 0, shuffled = hidden && !begun && !w->bounds;
    const int places = popcount(buck_in(&w->base));
    const rng none = { 0, 0 };
    buck_dealing dealing = { .size = 0 };
    buck_counts counts = { { 0 } };
    buck_batch b;
    int tricks = 5, plies;                                   /* that are still to be taken */
    for (int seat = 0; seat < 4; seat++) tricks -= buck_tricks(&w->base, seat);
    plies = places * tricks;
    buck_dealing_open(&dealing, w, 1);
    buck_batch_set(&b, 0, &w->base, &none);
    for (int i = 1; i < BUCK_BATCH; i++) {
        for (int place = 0; place < 4; place++) b.hand[place][i] = b.hand[place][0];
        b.leader[i] = b.leader[0], b.trumps[i] = b.trumps[0];
    }
    for (int done = 0, size; done < n; done += size) {
        const uint64_t from = first + (uint64_t)done;
        size = n - done < BUCK_BATCH ? n - done : BUCK_BATCH;
        if (shuffled) buck_dealing_set(&dealing, w, &b, seed, from, size);
        if (!begun && (shuffled || !hidden)) buck_play_set(&b, seed, from, size, places, tricks, &counts);
        else plies = buck_play_worlds(w, &b, seed, from, size, &counts);
    }
    totals->plies += (uint64_t)plies * (uint64_t)n;
    buck_add_counts(&w->base, &counts, (uint32_t)tricks, totals);
}

/* ---- from an earlier stage on: deals are set aside by the number of seats that play ---- */

typedef struct buck_waiting {
    int n;
    buck states[BUCK_BATCH];
    buck_batch batch;
} buck_waiting;

static inline void buck_add_shares(const buck *s, ps_totals *totals)
{
    uint32_t shares[4];
    buck_shares(s, shares);
    for (int seat = 0; seat < 4; seat++) totals->shares[seat] += shares[seat];
}

static inline void buck_play_waiting(buck_waiting *waiting, int places, ps_totals *totals)
{
    buck_play_batch(&waiting->batch, waiting->n, places, 5);
    for (int i = 0; i < waiting->n; i++) {
        buck *const s = &waiting->states[i];
        s->status += buck_seat_tricks(waiting->batch.taken[i], buck_in(s));
        buck_finish(s);
        buck_add_shares(s, totals);
    }
    totals->plies += (uint64_t)(waiting->n * places * 5);
    waiting->n = 0;
}

static inline void buck_add_deals(const buck_worlds *w, uint64_t seed, uint64_t first, int n, ps_totals *totals)
{
    const rng_seed deals = rng_open(seed, RNG_WORLD, first), plays = rng_open(seed, RNG_PLAYOUT, first);
    buck_waiting waiting[3];                                 /* with two, three and four places */
    for (int i = 0; i < 3; i++) waiting[i].n = 0;
    for (uint64_t i = first; i < first + (uint64_t)n; i++) {
        rng deal = rng_game(deals, i), play = rng_game(plays, i);
        buck s;
        buck_worlds_draw(w, &deal, &s);
        totals->plies += (uint64_t)buck_bid(&s, &play);
        if (buck_stage(&s) == BUCK_OVER) {
            buck_add_shares(&s, totals);
            continue;
        }
        const int places = popcount(buck_in(&s));
        buck_waiting *const with = &waiting[places - 2];
        with->states[with->n] = s;
        buck_batch_set(&with->batch, with->n, &s, &play);
        if (++with->n == BUCK_BATCH) buck_play_waiting(with, places, totals);
    }
    for (int i = 0; i < 3; i++) buck_play_waiting(&waiting[i], i + 2, totals);
}

/* Adds playouts number first ... first + n - 1 of `seed` to the totals, each in the world of its number. */
static inline void buck_playouts(const buck_worlds *w, uint64_t seed, uint64_t first, int n, ps_totals *totals)
{
    const uint64_t same_top = (1ull << 32) - (uint32_t)first;    /* numbers with the same upper half (rng.h) */
    const int now = same_top < (uint64_t)n ? (int)same_top : n;
    if (buck_stage(&w->base) == BUCK_PLAY) buck_add_plays(w, seed, first, now, totals);
    else buck_add_deals(w, seed, first, now, totals);
    totals->games += (uint64_t)now;
    if (now < n) buck_playouts(w, seed, first + (uint64_t)now, n - now, totals);
}

#endif
