/* Buck Euchre with all cards seen: what a seat's share of the match is when some seats play for it and all others against it.
 * The seat alone against all: what it can enforce (paranoid). All for it: what it can get at most (cooperative).
 *
 * Alpha-beta, failing soft, between bounds from the tricks that are taken: once the tricks to come can change a share little
 * or not at all, there is little to search. The moves are ordered as in buck_solve_coalition.h. */
#ifndef PYSEARCH_BUCK_SOLVE_SIDES_H
#define PYSEARCH_BUCK_SOLVE_SIDES_H

#include "buck_solve_equity.h"

#define BUCK_SIDES_BITS 12

typedef struct buck_sides_entry {
    uint64_t key, tag;               /* tag 0: empty */
    int32_t least, most;
} buck_sides_entry;

typedef struct buck_sides {
    buck_sides_entry table[1 << BUCK_SIDES_BITS];        /* zero at first */
    buck_outcomes outcomes;
    int32_t least[6][BUCK_TAKEN], most[6][BUCK_TAKEN];   /* of the seat's share, by tricks to come and tricks taken */
    buck_open open;
    uint32_t side;                   /* seats that play for it, as bits */
    uint64_t tag;                    /* number of the search: with the key it is exact */
    uint64_t nodes;
} buck_sides;

static int32_t buck_sides_lead(buck_sides *b, uint32_t leader, int left, unsigned taken, int32_t alpha, int32_t beta);
static int32_t buck_sides_follow(buck_sides *b, const buck_led_trick *trick, uint32_t seat, int behind, uint32_t best,
                                 uint32_t winner, uint32_t live, int32_t alpha, int32_t beta);

/* The window of a seat, narrowed by its moves one after the other. */
typedef struct buck_window {
    int32_t alpha, beta, value;
    int raises;                      /* it plays for the share */
} buck_window;

static inline buck_window buck_window_open(int raises, int32_t alpha, int32_t beta)
{
    return (buck_window){ alpha, beta, raises ? -1 : PS_ONE + 1, raises };
}

/* One more move; returns whether the rest can be left out. */
static inline int buck_window_add(buck_window *w, int32_t value)
{
    if (w->raises ? value > w->value : value < w->value) w->value = value;
    if (w->raises && value > w->alpha) w->alpha = value;
    if (!w->raises && value < w->beta) w->beta = value;
    return w->alpha >= w->beta;
}

/* After `card` of `seat`, which is out of its hand; `winner` held the trick with `best`. */
static inline int32_t buck_sides_after(buck_sides *b, const buck_led_trick *trick, uint32_t seat, int behind, uint32_t card,
                                       uint32_t best, uint32_t winner, uint32_t live, int32_t alpha, int32_t beta)
{
    const int wins = (card & trick->winning) > best;
    const uint32_t top = wins ? card : best, holder = wins ? seat : winner;
    if (behind)
        return buck_sides_follow(b, trick, b->open.next[seat], behind - 1, top, holder, live ^ card ^ best ^ top, alpha, beta);
    return buck_sides_lead(b, holder, trick->left - 1, trick->taken + buck_taken_step[holder], alpha, beta);
}

static int32_t buck_sides_follow(buck_sides *b, const buck_led_trick *trick, uint32_t seat, int behind, uint32_t best,
                                 uint32_t winner, uint32_t live, int32_t alpha, int32_t beta)
{
    const uint32_t hand = b->open.hand[seat], cards = buck_merged(buck_following(hand, trick->lane), live);
    const uint32_t over = cards & trick->winning & -(best << 1), side = b->side >> seat & 1;
    const uint32_t held = (b->side >> winner & 1) == side, first = held ? cards ^ over : over;
    buck_window w = buck_window_open((int)side, alpha, beta);
    int done = 0;
    b->nodes++;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t rest = pass ? cards ^ first : first; rest && !done; rest &= rest - 1) {
            const uint32_t card = rest & -rest;
            b->open.hand[seat] = hand ^ card;
            done = buck_window_add(&w, buck_sides_after(b, trick, seat, behind, card, best, winner, live, w.alpha, w.beta));
        }
    b->open.hand[seat] = hand;
    return w.value;
}

/* `leader` leads to the next trick; `left` are to come. */
static int32_t buck_sides_lead(buck_sides *b, uint32_t leader, int left, unsigned taken, int32_t alpha, int32_t beta)
{
    int32_t least = b->least[left][taken], most = b->most[left][taken];
    if (least >= beta || least == most) return least;
    if (most <= alpha) return most;
    if (left == 1) return b->least[0][taken + buck_taken_step[buck_last_winner(&b->open, leader)]];
    b->nodes++;

    const uint32_t live = buck_live_cards(&b->open), hand = b->open.hand[leader], cards = buck_merged(hand, live);
    const uint64_t key = buck_cards_key(&b->open, 0, live) | (uint64_t)leader << BUCK_CARDS_KEY
                       | (uint64_t)taken << (BUCK_CARDS_KEY + 2) | (uint64_t)left << (BUCK_CARDS_KEY + 10);
    buck_sides_entry *const entry = &b->table[(key ^ b->tag) * 0x9e3779b97f4a7c15u >> (64 - BUCK_SIDES_BITS)];
    if (entry->key == key && entry->tag == b->tag) {
        least = entry->least;
        most = entry->most;
        if (least >= beta || least == most) return least;
        if (most <= alpha) return most;
    }
    const uint32_t masters = buck_masters(hand, live);
    buck_window w = buck_window_open((int)(b->side >> leader & 1), alpha > least ? alpha : least, beta < most ? beta : most);
    const int32_t low = w.alpha, high = w.beta;
    int done = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t rest = cards & (pass ? ~masters : masters); rest && !done; rest &= rest - 1) {
            const uint32_t card = rest & -rest, lane = buck_lane(card);
            const buck_led_trick trick = { lane, lane | b->open.trumps, left, taken };
            b->open.hand[leader] = hand ^ card;
            done = buck_window_add(&w, buck_sides_after(b, &trick, leader, b->open.players - 1, card, 0, leader, live,
                                                        w.alpha, w.beta));
        }
    b->open.hand[leader] = hand;
    if (w.value > low && w.value > least) least = w.value;
    if (w.value < high && w.value < most) most = w.value;
    *entry = (buck_sides_entry){ key, b->tag, least, most };
    return w.value;
}

/* The bounds of `seat`'s share by what is taken: the share itself at the end, else the extremes over who takes the next
 * trick. */
static inline void buck_sides_bounds(buck_sides *b, int seat)
{
    for (int left = 0; left <= (int)b->outcomes.total; left++)
        for (unsigned taken = 0; taken < BUCK_TAKEN; taken++) {
            if (taken % 6 + taken / 6 % 6 + taken / 36 + (unsigned)left > b->outcomes.total) continue;
            int32_t *const least = &b->least[left][taken], *const most = &b->most[left][taken];
            if (!left) {
                *least = *most = buck_outcome(&b->outcomes, taken)->low[seat];
                continue;
            }
            *least = PS_ONE, *most = 0;
            for (int winner = 0; winner < 4; winner++) {
                const unsigned next = taken + buck_taken_step[winner];
                if (!(b->open.active >> winner & 1)) continue;
                if (b->least[left - 1][next] < *least) *least = b->least[left - 1][next];
                if (b->most[left - 1][next] > *most) *most = b->most[left - 1][next];
            }
        }
}

/* Begins a search for `seat`'s share, with the seats of `side` for it. */
static inline void buck_sides_open(buck_sides *b, buck_current *at, const buck *s, int seat, uint32_t side)
{
    buck_outcomes_open(&b->outcomes, s);
    buck_open_state(&b->open, at, s);
    buck_sides_bounds(b, seat);
    b->side = side;
    b->tag++;
}

/* The share after `card`, one of those that the seat to move may play; `taken` so far. */
static inline int32_t buck_sides_card(buck_sides *b, const buck_current *at, uint32_t card, unsigned taken)
{
    const uint32_t hand = b->open.hand[at->seat], lane = at->best ? at->lane : buck_lane(card);
    const buck_led_trick trick = { lane, lane | b->open.trumps, at->left, taken };
    const uint32_t live = buck_live_cards(&b->open) | at->best;
    b->open.hand[at->seat] = hand ^ card;
    const int32_t value = buck_sides_after(b, &trick, at->seat, at->behind, card, at->best, at->winner, live, -1, PS_ONE + 1);
    b->open.hand[at->seat] = hand;
    return value;
}

#endif
