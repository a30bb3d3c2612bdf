/* Buck Euchre: random states. The shuffled deal, and the worlds of a view: drawn uniformly, without rejection, and counted,
 * out of one table.
 *
 * Unseen cards lie in six bins: the four hands, the kitty and the buried card. A bin is bound when its seat has shown voids
 * (B15), else free; buried card and kitty are always free, for voids show in play only. The table has an entry for each way
 * in which suits may fall into the bound bins but the last, whose cards are then any of the allowed ones; what is left goes
 * into the free bins. The weight of an entry is the number of worlds with it, divided by what all have in common: the ways of
 * filling the free bins. Should the up-card be out of sight after an order, it is in the dealer's hand or buried (B5); each
 * of the two has its own entries.
 *
 * Random numbers of a world: one word for the entry (none if there is but one); one for each card of the bound bins, in the
 * order of seats and suits, the k-th lowest of its kind; one for each card of the free bins, kitty, buried, then seats, but
 * for the last free bin, which takes what is left.
 */
#ifndef PYSEARCH_BUCK_WORLDS_H
#define PYSEARCH_BUCK_WORLDS_H

#include "buck.h"
#include "rng.h"

/* A shuffled deal (B3): packets of five from the dealer's left, the up-card, the kitty. */
static inline void buck_deal(buck *s, rng *r, int dealer, const int16_t scores[4])
{
    uint8_t deck[24];
    uint32_t drawn[64];
    *s = (buck){ .table = (uint64_t)BUCK_NO_CARD << 30 };
    for (int i = 0; i < 24; i++) deck[i] = (uint8_t)i;
    rng_below_each(r, 24, 23, drawn);
    for (int i = 23; i > 0; i--) {
        const uint8_t card = deck[drawn[23 - i]];
        deck[drawn[23 - i]] = deck[i];
        deck[i] = card;
    }
    for (int i = 0; i < 20; i++) s->hand[(dealer + 1 + i / 5) & 3] |= BIT(deck[i]);
    for (int i = 21; i < 24; i++) s->kitty |= BIT(deck[i]);
    for (int seat = 0; seat < 4; seat++) s->scores |= (uint64_t)(uint16_t)scores[seat] << 16 * seat;
    s->table |= (uint64_t)deck[20] << 25;
    s->status = (uint64_t)((dealer + 1) & 3) | (uint64_t)dealer << 5 | BUCK_NONE << 7 | BUCK_NONE << 10;
    if (deck[20] < 6) {                                                                     /* B4 */
        buck_set_trump(s, 0);
        buck_start_play(s);
    }
}

enum { BUCK_KITTY = 4, BUCK_BURIED = 5, BUCK_BINS = 6 };     /* bins 0-3 are the hands */

/* At most two of three bound bins are split by suit. Each has five cards at most and a void, so at most 21 splits into three
 * suits; the up-card doubles them. */
#define BUCK_MAX_SPLITS (2 * 21 * 21)

typedef struct buck_worlds {
    buck base;                          /* what the view names, as a complete state */
    uint32_t unseen, up;                /* cards to be drawn; the up-card apart from them, where it is out of sight */
    uint32_t lanes[4];                  /* suits that each seat may hold, a byte of ones for each */
    uint32_t allowed[4];                /* unseen cards of them */
    uint32_t suit[4];                   /* unseen cards of each effective suit */
    uint8_t bins[2][BUCK_BINS];         /* how many unseen cards each bin holds: up-card with the dealer (or seen), buried */
    uint8_t bound[3], bounds;           /* seats of the bound bins */
    uint8_t last_free;                  /* the free bin that takes what is left */
    int entries, buried_from;           /* entries from this one on have the up-card buried */
    uint64_t total;                     /* of the weights */
    uint64_t sum[BUCK_MAX_SPLITS];      /* weights up to and with each entry */
    uint32_t split[BUCK_MAX_SPLITS];    /* cards of each suit in the bound bins: 16 bits a bin, four bits a suit */
} buck_worlds;

/* n over k. */
static inline uint64_t buck_choose(int n, int k)
{
    static const uint32_t factorial[7] = { 1, 1, 2, 6, 24, 120, 720 };
    uint64_t product = 1;
    if (k > n) return 0;
    for (int i = 0; i < k; i++) product *= (uint64_t)(n - i);
    return product / factorial[k];
}

static inline int buck_is_bound(const buck_worlds *w, int bin)
{
    for (int i = 0; i < w->bounds; i++)
        if (w->bound[i] == bin) return 1;
    return 0;
}

/* One distribution of suits over the bound bins while the table is made: what the suits before have taken. */
typedef struct buck_split {
    const uint8_t *bins;
    uint64_t weight;
    uint32_t taken;        /* as in buck_worlds */
    uint32_t left;         /* unseen cards of each suit that no bound bin has taken, a byte a suit */
} buck_split;

/* Cards of the suits in `lanes` (bytes of ones), all told. */
static inline int buck_sum_lanes(uint32_t left, uint32_t lanes) { return (int)((left & lanes) * 0x01010101u >> 24); }

/* Adds the entries that go on from `s`, of whose i-th bound bin the suits from `suit` on are open, `need` cards in all. */
static inline void buck_add_splits(buck_worlds *w, buck_split s, int i, int suit, int need)
{
    const uint32_t lanes = w->bounds ? w->lanes[w->bound[i]] : 0;
    if (i + 1 >= w->bounds) {                              /* the last one: its suits need not be told apart */
        const uint64_t weight = s.weight * buck_choose(buck_sum_lanes(s.left, lanes), need);
        if (!weight) return;
        w->split[w->entries] = s.taken;
        w->sum[w->entries++] = w->total += weight;
        return;
    }
    if (suit == 4) {
        buck_add_splits(w, s, i + 1, 0, s.bins[w->bound[i + 1]]);
        return;
    }
    const int here = buck_sum_lanes(s.left, lanes & 255u << 8 * suit), later = buck_sum_lanes(s.left, lanes & ~255u << 8 * suit);
    for (int n = need > later ? need - later : 0; n <= here && n <= need; n++) {
        buck_split next = s;
        next.weight *= buck_choose(here, n);
        next.taken |= (uint32_t)n << (16 * i + 4 * suit);
        next.left -= (uint32_t)n << 8 * suit;
        buck_add_splits(w, next, i, suit + 1, need - n);
    }
}

/* The entries with one place of the up-card; `ways` worlds each for one of the other place, as to the free bins. */
static inline void buck_add_entries(buck_worlds *w, const uint8_t bins[BUCK_BINS], int ways)
{
    buck_split s = { .bins = bins, .weight = (uint64_t)ways };
    for (int suit = 0; suit < 4; suit++) s.left |= (uint32_t)popcount(w->suit[suit]) << 8 * suit;
    buck_add_splits(w, s, 0, 0, w->bounds ? bins[w->bound[0]] : 0);
}

/* Puts the unseen up-card (B5) with the dealer, then under the dealer's discard, and adds the entries of both. Buried, it
 * leaves one way for each way of filling the free bins. With the dealer it leaves one more card to be drawn for the burial,
 * one card less for the dealer's hand: as many ways as there are free cards, or cards in the dealer's free bin. */
static inline void buck_place_up(buck_worlds *w)
{
    const int dealer = buck_dealer(&w->base), hand = w->bins[0][dealer], bound = buck_is_bound(w, dealer);
    int free_cards = 0;
    for (int bin = 0; bin < BUCK_BINS; bin++) free_cards += buck_is_bound(w, bin) ? 0 : w->bins[0][bin];
    if (hand && !(buck_voids(&w->base, dealer) >> buck_trump(&w->base) & 1)) {
        w->bins[0][dealer]--;
        buck_add_entries(w, w->bins[0], bound ? free_cards : hand);
    }
    w->buried_from = w->entries;
    w->bins[1][BUCK_BURIED]--;
    buck_add_entries(w, w->bins[1], 1);
}

/* The table of a view. Returns 0, or PS_ERROR_NO_WORLD. A complete state is its own only world. */
static inline int buck_worlds_open(buck_worlds *w, const buck *view)
{
    const uint64_t unseen = BUCK_DECK & ~buck_visible(view), up = unseen & BIT(buck_up(view));
    int places = 0;
    w->base = *view;
    for (int bin = 0; bin < BUCK_BINS; bin++) {
        const int n = bin < 4 ? buck_hidden(view->hand[bin])
                    : bin == BUCK_KITTY ? buck_hidden(view->kitty) : buck_buried_hidden(view);
        w->bins[0][bin] = w->bins[1][bin] = (uint8_t)n;
        places += n;
    }
    for (int seat = 0; seat < 4; seat++) w->base.hand[seat] &= BUCK_DECK;
    w->base.kitty &= BUCK_DECK;
    w->base.table &= ~BIT(35);
    w->base.status = with_field(view->status, 45, 3, 0);
    if (places != popcount(unseen) || (up && !buck_buried_hidden(view))) return PS_ERROR_NO_WORLD;

    w->up = (uint32_t)up;
    w->unseen = (uint32_t)(unseen & ~up);
    w->bounds = 0;
    w->last_free = BUCK_KITTY;
    for (int suit = 0; suit < 4; suit++) w->suit[suit] = w->unseen & (uint32_t)buck_suit_cards(suit, buck_trump(view));
    for (int seat = 0; seat < 4; seat++) {
        const unsigned voids = buck_voids(view, seat);
        w->allowed[seat] = w->lanes[seat] = 0;
        for (int suit = 0; suit < 4; suit++) {
            if (voids >> suit & 1) continue;
            w->allowed[seat] |= w->suit[suit];
            w->lanes[seat] |= 255u << 8 * suit;
        }
        if (w->bins[0][seat] && voids) w->bound[w->bounds++] = (uint8_t)seat;
        else if (w->bins[0][seat]) w->last_free = (uint8_t)seat;
    }
    if (w->last_free == BUCK_KITTY && w->bins[0][BUCK_BURIED]) w->last_free = BUCK_BURIED;

    w->entries = 0;
    w->total = 0;
    if (up) {
        buck_place_up(w);
    } else {
        buck_add_entries(w, w->bins[0], 1);
        w->buried_from = w->entries;
    }
    return w->entries ? 0 : PS_ERROR_NO_WORLD;
}

/* The number of worlds as a product: the weights, then the ways of filling the free bins one by one. */
static inline int buck_worlds_count(const buck_worlds *w, uint64_t *factors)
{
    const uint8_t *bins = w->bins[w->up != 0];
    int n = 1, left = 0;
    factors[0] = w->total;
    for (int bin = 0; bin < BUCK_BINS; bin++) left += buck_is_bound(w, bin) ? 0 : bins[bin];
    for (int bin = 0; bin < BUCK_BINS; bin++) {
        if (buck_is_bound(w, bin)) continue;
        factors[n++] = buck_choose(left, bins[bin]);
        left -= bins[bin];
    }
    return n;
}

/* Draws n cards of a set, in turn, and takes them out of it. */
static inline uint32_t buck_draw_cards(uint32_t *from, uint32_t kind, int n, rng *r)
{
    uint32_t drawn = 0, rest = *from & kind;
    for (uint32_t size = (uint32_t)popcount(rest); n > 0; n--, size--) {
        const uint32_t card = 1u << nth_bit(rest, rng_below(r, size));
        rest ^= card;
        drawn |= card;
    }
    *from ^= drawn;
    return drawn;
}

/* Fills the bound bins as entry e says, and takes their cards out of `rest`. */
static inline void buck_draw_bound(const buck_worlds *w, int e, const uint8_t *bins, uint32_t *rest, uint32_t *drawn, rng *r)
{
    for (int i = 0; i + 1 < w->bounds; i++)
        for (int suit = 0; suit < 4; suit++)
            drawn[w->bound[i]] |= buck_draw_cards(rest, w->suit[suit], w->split[e] >> (16 * i + 4 * suit) & 15, r);
    const int last = w->bound[w->bounds - 1];
    drawn[last] |= buck_draw_cards(rest, w->allowed[last], bins[last], r);
}

/* Fills the free bins: a shuffle of the remaining cards that stops where one bin is left. */
static inline void buck_draw_free(const buck_worlds *w, const uint8_t *bins, uint32_t rest, uint32_t *drawn, rng *r)
{
    static const uint8_t order[BUCK_BINS] = { BUCK_KITTY, BUCK_BURIED, 0, 1, 2, 3 };
    uint8_t cards[24];
    uint32_t size = 0;
    for (uint32_t c = rest; c; c &= c - 1) cards[size++] = (uint8_t)lowest(c);
    for (int b = 0; b < BUCK_BINS; b++) {
        const int bin = order[b];
        if (bin == w->last_free || buck_is_bound(w, bin)) continue;
        for (int n = bins[bin]; n > 0; n--) {
            const uint32_t j = rng_below(r, size), card = 1u << cards[j];
            cards[j] = cards[--size];
            drawn[bin] |= card;
            rest ^= card;
        }
    }
    drawn[w->last_free] |= rest;
}

/* One world, uniform over all. */
static inline void buck_worlds_draw(const buck_worlds *w, rng *r, buck *state)
{
    uint32_t drawn[BUCK_BINS] = { 0 }, rest = w->unseen;
    int e = 0;
    *state = w->base;
    if (w->entries > 1) {
        const uint64_t x = rng_below64(r, w->total);
        for (int step = 512; step; step >>= 1)             /* the first entry whose sum is above x */
            if (e + step <= w->entries - 1 && w->sum[e + step - 1] <= x) e += step;
    }
    const int buried = e >= w->buried_from;
    const uint8_t *bins = w->bins[buried];
    drawn[buried ? BUCK_BURIED : buck_dealer(&w->base)] = w->up;
    if (w->bounds) buck_draw_bound(w, e, bins, &rest, drawn, r);
    buck_draw_free(w, bins, rest, drawn, r);

    for (int seat = 0; seat < 4; seat++) state->hand[seat] |= drawn[seat];
    state->kitty |= drawn[BUCK_KITTY];
    if (drawn[BUCK_BURIED]) buck_set_buried(state, lowest(drawn[BUCK_BURIED]));
}

/* ---- hands alone ----
 *
 * Worlds of a view in which no seat has shown a void, for each place of the up-card. A seat that plays has a place among those,
 * and its hand are the cards that it is known to hold and, of the cards that are drawn in turn, those from one number to
 * another. */
typedef struct buck_dealing {
    uint8_t card[24];                        /* unseen, by number, as bits of a hand */
    uint8_t from[2][4], to[2][4];
    uint8_t draws[2];                        /* at most 23; number 24 stands for all cards */
    uint32_t known[2][4];
    uint32_t size, all;
} buck_dealing;

/* With hands in the order by trump, or by the numbers of the cards. */
static inline void buck_dealing_open(buck_dealing *d, const buck_worlds *w, int by_trump)
{
    static const uint8_t order[BUCK_BINS] = { BUCK_KITTY, BUCK_BURIED, 0, 1, 2, 3 };
    const int trump = buck_trump(&w->base);
    d->size = 0;
    d->all = by_trump ? buck_pack(w->unseen, trump) : w->unseen;
    for (uint32_t c = w->unseen; c; c &= c - 1) d->card[d->size++] = by_trump ? buck_place[trump][lowest(c)] : (uint8_t)lowest(c);
    for (int buried = 0; buried < 2; buried++) {
        const uint8_t *bins = w->bins[buried];
        uint8_t drawn = 0, place = 0, before = 0;
        for (int i = 0; i < BUCK_BINS; i++) {
            const int bin = order[i];
            before = drawn;
            if (bin != w->last_free) drawn = (uint8_t)(drawn + bins[bin]);
            if (bin >= 4 || buck_out(&w->base) >> bin & 1) continue;
            const uint64_t up = bin == buck_dealer(&w->base) && !buried ? w->up : 0, known = w->base.hand[bin] | up;
            d->known[buried][place] = by_trump ? buck_pack(known, trump) : (uint32_t)known;
            d->from[buried][place] = before;
            d->to[buried][place++] = bin == w->last_free ? 24 : drawn;
        }
        for (int k = 0; k < place; k++)
            if (d->to[buried][k] == 24) d->from[buried][k] = drawn;      /* what is left when all others have theirs */
        d->draws[buried] = drawn;
    }
}

/* The hand of a place: drawn[t] are the first t cards, drawn[24] are all. */
static inline uint32_t buck_dealing_hand(const buck_dealing *d, int buried, int place, const uint32_t drawn[25])
{
    return d->known[buried][place] | (drawn[d->to[buried][place]] ^ drawn[d->from[buried][place]]);
}

#endif
