/* Cuttle: the deal, and the complete states that a view allows (C27), counted and drawn uniformly from one description.
 *
 * All unseen cards are alike to the viewer: any of them may be the unknown cards of the other hand, and the rest may lie in
 * the stock in any order. With n unseen cards and h unknown ones in hand that makes C(n, h) * (n - h)! worlds.
 */
#ifndef PYSEARCH_CUTTLE_WORLDS_H
#define PYSEARCH_CUTTLE_WORLDS_H

#include <string.h>

#include "cuttle.h"
#include "rng.h"

typedef struct cuttle_worlds {
    cuttle base;          /* the view as a complete state, but for the unseen cards */
    int seat, hidden;     /* whose hand has how many unknown cards */
    int unseen;           /* how many cards are drawn; 0 for a complete state */
    uint8_t cards[52];
} cuttle_worlds;

/* Returns 0, or PS_ERROR_NO_WORLD. */
static inline int cuttle_worlds_open(cuttle_worlds *w, const cuttle *view)
{
    const int viewer = cuttle_viewer(view);
    w->base = *view;
    w->seat = viewer < 0 ? 0 : !viewer;
    w->hidden = w->unseen = 0;
    if (viewer < 0) return 0;
    w->hidden = cuttle_hidden(view, w->seat);
    for (uint64_t c = CUTTLE_DECK & ~cuttle_visible(view); c; c &= c - 1) w->cards[w->unseen++] = (uint8_t)lowest(c);
    w->base.hand[w->seat] &= CUTTLE_DECK;
    w->base.status = with_field(w->base.status, 14, 2, 0);
    return w->unseen == w->hidden + cuttle_stock_size(view) ? 0 : PS_ERROR_NO_WORLD;
}

/* One world: a shuffle of the unseen cards, the first ones into the hand, the others onto the stock. What glasses on the
 * table show is known from the start in a view, so nothing new is seen. */
static inline void cuttle_worlds_draw(const cuttle_worlds *w, rng *r, cuttle *state)
{
    uint8_t cards[52];
    uint32_t other[64];
    const int n = w->unseen, h = w->hidden;
    *state = w->base;
    if (!n) return;
    rng_shuffle(r, n, other);
    memcpy(cards, w->cards, sizeof cards);
    for (int i = 0; i < n - 1; i += 2) {                    /* the last card of all is exchanged for itself */
        const uint8_t card = cards[other[i]];
        cards[other[i]] = cards[i];
        cards[i] = card;
        const uint8_t next = cards[other[i + 1]];
        cards[other[i + 1]] = cards[i + 1];
        cards[i + 1] = next;
    }
    for (int i = 0; i < h; i++) state->hand[w->seat] |= BIT(cards[i]);
    memcpy(state->stock, cards + h, (size_t)(n - h));       /* little-endian: the i-th card in byte i */
}

/* The number of worlds as a product: C(n, h), then the orders of the stock. */
static inline int cuttle_worlds_count(const cuttle_worlds *w, uint64_t *factors)
{
    int n = 1;
    factors[0] = 1;
    for (int i = 1; i <= w->hidden; i++) factors[0] = factors[0] * (uint64_t)(w->unseen - w->hidden + i) / (uint64_t)i;
    for (int i = w->unseen - w->hidden; i > 1; i--) factors[n++] = (uint64_t)i;
    return n;
}

/* A shuffled deal (C2): five cards to the player who begins, six to the dealer. */
static inline void cuttle_deal(cuttle *s, rng *r, int dealer, const int16_t *scores)
{
    static const uint8_t sorted[52] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51 };
    uint8_t deck[52];
    uint32_t drawn[64];
    (void)scores;
    *s = (cuttle){ .duel = BIT(57) - 1 };
    s->duel &= ~(BIT(33) - BIT(18));
    memcpy(deck, sorted, sizeof deck);
    rng_below_each(r, 52, 52, drawn);
    for (int i = 51; i >= 0; i--) {                         /* the cards from number i on are dealt, the last one first */
        const uint8_t card = deck[drawn[51 - i]];
        deck[drawn[51 - i]] = deck[i];
        deck[i] = card;
    }
    for (int i = 51; i >= 47; i--) s->hand[!dealer] |= BIT(deck[i]);
    for (int i = 46; i >= 41; i--) s->hand[dealer] |= BIT(deck[i]);
    memcpy(s->stock, deck, 41);                             /* little-endian: the i-th card in byte i */
    s->status = (uint64_t)!dealer | 41 << 8;
}

#endif
