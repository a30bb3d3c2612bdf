/* Buck Euchre: iterations of so-ismcts (so_ismcts.h) in the play stage. They do what the template does, with sets of cards for
 * lists of moves: the children of a node are the bits of a mask, ascending like the moves. */
#ifndef PYSEARCH_BUCK_QUICK_H
#define PYSEARCH_BUCK_QUICK_H

#include "buck_cards.h"
#include "buck_worlds.h"
#include "tree.h"

typedef struct buck_quick {
    int here;                    /* is the root in the play stage? */
    uint8_t seat[4];             /* of each place of the dealing */
    const buck_worlds *worlds;
    buck_dealing dealing;
    buck_cards root;             /* but for the cards that are drawn */
    uint32_t shares[512][4];     /* by the tricks of the first three seats, from the root on */
} buck_quick;

static inline void buck_quick_open(buck_quick *q, const buck_worlds *w, int method)
{
    const unsigned out = buck_out(&w->base);
    int tricks = 5, places = 0;
    q->here = buck_stage(&w->base) == BUCK_PLAY && (method == PS_SO_ISMCTS || method == PS_FLAT);
    if (!q->here) return;
    q->worlds = w;
    buck_dealing_open(&q->dealing, w, 0);
    buck_cards_open(&q->root, &w->base);
    for (int seat = 0; seat < 4; seat++) {
        tricks -= buck_tricks(&w->base, seat);
        if (!(out >> seat & 1)) q->seat[places++] = (uint8_t)seat;
    }
    for (uint32_t taken = 0; taken < 512; taken++) {
        const int rest = tricks - (int)(taken & 7) - (int)(taken >> 3 & 7) - (int)(taken >> 6);
        buck s = w->base;
        if (rest < 0) continue;
        s.status += (uint64_t)(taken | (uint32_t)rest << 9) << 33;
        buck_finish(&s);
        buck_shares(&s, q->shares[taken]);
    }
}

/* Puts a world's hands into `c`, which is a copy of the root. */
static inline void buck_quick_draw(const buck_quick *q, buck_cards *c, rng *r)
{
    const buck_worlds *const w = q->worlds;
    const buck_dealing *const d = &q->dealing;
    uint32_t at[64], drawn[25], so_far = 0;
    uint8_t cards[24];
    int buried = !w->buried_from;
    if (w->bounds) {
        buck s;
        buck_worlds_draw(w, r, &s);
        for (int place = 0; place < c->players; place++) c->hand[q->seat[place]] = (uint32_t)s.hand[q->seat[place]];
        return;
    }
    if (w->entries > 1) buried = rng_below64(r, w->total) >= w->sum[0];
    const int draws = d->draws[buried];
    rng_below_each(r, (int)d->size, draws, at);
    memcpy(cards, d->card, sizeof cards);
    drawn[0] = 0;
    drawn[24] = d->all;
    const uint8_t *last = cards + d->size;
    for (int i = 0; i < draws; i++) {
        drawn[i + 1] = so_far |= 1u << cards[at[i]];
        cards[at[i]] = *--last;
    }
    for (int place = 0; place < c->players; place++) c->hand[q->seat[place]] = buck_dealing_hand(d, buried, place, drawn);
}

/* A new child for one of the legal cards that have none, drawn uniformly; 0 where the tree is full. */
static inline uint32_t buck_quick_add(tree *t, uint32_t parent, uint32_t unseen, rng *r, int *card)
{
    const int fresh = nth_bit(unseen, rng_below(r, (uint32_t)popcount(unseen)));
    const unsigned place = (unsigned)popcount(t->notes[parent].cards & ((1u << fresh) - 1));
    const uint32_t made = tree_add(t, parent, place, (uint16_t)buck_code(BUCK_PLAYS, fresh));
    if (!made) return 0;
    t->nodes[made].available = 1;
    t->notes[parent].cards |= 1u << fresh;
    *card = fresh;
    return made;
}

/* The child of a legal card with the highest confidence bound, or a new one, as in the template. */
static inline uint32_t buck_quick_select(tree *t, uint32_t parent, uint32_t legal, const confidence *conf, rng *r, int *card,
                                      int *added)
{
    const uint32_t children = t->notes[parent].cards;
    node *const first = t->nodes + t->nodes[parent].children;
    node *child[5];
    float spread = 0, best_score = 0;
    int n = 0, best = 0;
    for (uint32_t seen = legal & children; seen; seen &= seen - 1, n++) {
        child[n] = first + popcount(children & ((seen & -seen) - 1));
        child[n]->available++;
        spread += child[n]->spread;
    }
    if (legal & ~children) {
        const uint32_t made = buck_quick_add(t, parent, legal & ~children, r, card);
        if (made) {
            *added = 1;
            return made;
        }
    }
    if (!n) return 0;
    const float width = SO_ISMCTS_C * spread / (float)n;
    for (int i = 0; i < n; i++) {
        const float bound = width * conf->root[confidence_slot(child[i]->available)] / sqrtf((float)child[i]->visits);
        const float score = child[i]->mean + bound;
        const int better = !i || score > best_score;
        best_score = better ? score : best_score;
        best = better ? i : best;
    }
    *card = buck_move_card(child[best]->move);
    return (uint32_t)(child[best] - t->nodes);
}

/* One iteration. Returns the number of nodes visited. */
static inline uint64_t buck_quick_iteration(const buck_quick *q, tree *t, const confidence *conf, rng *r, int deepest)
{
    uint32_t path[20], at = 0, legal;
    uint8_t chooser[20];
    int depth = 0, added = 0;
    buck_cards c = q->root;
    buck_quick_draw(q, &c, r);
    while (!added && depth < deepest && (legal = buck_cards_legal(&c))) {
        int card;
        const uint32_t child = buck_quick_select(t, at, legal, conf, r, &card, &added);
        if (!child) break;
        chooser[depth] = c.turn;
        path[depth++] = at = child;
        __builtin_prefetch(&t->notes[child]);
        __builtin_prefetch(&t->sums[child], 1);
        buck_cards_play(&c, card);
    }
    const uint32_t *const shares = q->shares[buck_cards_playout(&c, r) & 511];
    for (int d = 0; d < depth; d++) tree_visit(t, path[d], shares[chooser[d]]);
    return (uint64_t)depth + 1;
}

#endif
