/* Cuttle solver: the position that it searches, one cache line, made from a complete state of cuttle.h.
 *
 * All cards are seen, so knowledge is left out. The stock is an array of the search and an index here. What plays alike is
 * written alike: jacks, queens and kings have no suits (no rule compares them), and the jacks of a stack no order, so equal
 * words mean equivalent positions and the table merges them without further work.
 *
 *   hand, scrap   0-39 number cards (card index of cuttle.h)    40-43 jacks    44-47 queens    48-51 kings:
 *                 a rank without suits is a run of ones, n cards are (1 << n) - 1
 *   table         0-39 point cards that a player controls    44-47 queens    48-51 kings    52-55 glasses, by suit
 *
 * Moves are coded as in cuttle.h with one change: the other card of CUTTLE_AIMED is 0-39 a jack of the stack on that point
 * card, 44 + p a queen of player p, 48 + p a king of his, 52 + suit glasses; jacks, queens and kings are named 40, 44, 48. */
#ifndef PYSEARCH_CUTTLE_SOLVE_STATE_H
#define PYSEARCH_CUTTLE_SOLVE_STATE_H

#include <string.h>

#include "cuttle.h"

typedef struct cs_state {
    uint64_t hand[2], table[2], scrap;
    uint64_t jacked;       /* point cards that lie under jacks */
    uint8_t jacks[4];      /* the point card under each jack, ascending; CUTTLE_NO_CARD where there is none */
    int8_t score[2];       /* sum of the point cards of `table` */
    uint8_t swaps;         /* turns since the last that cannot be taken back in which a three took a three (cs_swap_limit) */
    uint8_t winner;        /* stage CUTTLE_OVER: the winner, 2 a draw */
    uint8_t turn, passes, stage;
    uint8_t stock;         /* cards left in it */
    uint8_t card, target;  /* one-off being resolved and its target, or the card that a seven revealed (stage CUTTLE_SEVEN) */
    uint8_t twos, sevens;  /* suits of the counters, and of the sevens in flight */
} cs_state;

enum { CS_QUEENS = 44, CS_KINGS = 48, CS_GLASSES = 52, CS_NAMELESS = 40 /* jacks, queens, kings from here on */ };

/* A card comes to a set, or leaves it. */
static inline uint64_t cs_put(uint64_t set, int card)
{
    if (card < CS_NAMELESS) return set | BIT(card);
    const int at = card & ~3;
    return set | ((set >> at & 15) + 1) << at;
}

static inline uint64_t cs_take(uint64_t set, int card)
{
    if (card < CS_NAMELESS) return set & ~BIT(card);
    const int at = card & ~3;
    const uint64_t run = set >> at & 15;
    return set ^ (run ^ run >> 1) << at;
}

static inline int cs_value(int card) { return (card >> 2) + 1; }

static inline int cs_goal(const cs_state *s, int p)                                                     /* C24 */
{
    static const int8_t goal[16] = { 21, 14, 0, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5 };   /* by the run of kings */
    return goal[s->table[p] >> CS_KINGS & 15];
}

/* Points that p still lacks. */
static inline int cs_need(const cs_state *s, int p) { return cs_goal(s, p) - s->score[p]; }

static inline int cs_has_queen(const cs_state *s, int p) { return (s->table[p] >> CS_QUEENS & 15) != 0; }

static inline uint64_t cs_points(const cs_state *s, int p) { return s->table[p] & CUTTLE_NUMBERS; }

static inline int cs_to_move(const cs_state *s)
{
    if (s->stage == CUTTLE_COUNTER) return s->turn ^ !(popcount(s->twos) & 1);
    return s->stage == CUTTLE_DISCARD ? !s->turn : s->turn;
}

static inline uint64_t cs_nameless(uint64_t cards)   /* suits are dropped from rank J up */
{
    uint64_t set = cards & CUTTLE_NUMBERS;
    for (int r = RANK_J; r <= RANK_K; r++) set |= (BIT(popcount(cards & CUTTLE_RANK(r))) - 1) << 4 * r;
    return set;
}

static inline void cs_sort_jacks(cs_state *s)
{
    for (int i = 1; i < 4; i++)
        for (int j = i; j && s->jacks[j] < s->jacks[j - 1]; j--) {
            const uint8_t t = s->jacks[j];
            s->jacks[j] = s->jacks[j - 1];
            s->jacks[j - 1] = t;
        }
}

/* The target of a one-off in the codes of the search. */
static inline int cs_target(const cuttle *g, int card)
{
    if (card == CUTTLE_NO_CARD) return card;
    const int side = (g->perms[1] >> card & 1) != 0;
    switch (cuttle_rank(card)) {
    case RANK_8: return CS_GLASSES + (card & 3);
    case RANK_J: return cuttle_jack_link(g, card & 3);
    default: return 4 * cuttle_rank(card) + side;
    }
}

/* The position of a complete state. `swaps` starts at none: the search may begin inside a cycle, and has all of it ahead. */
static inline void cs_from_state(const cuttle *g, cs_state *s)
{
    memset(s, 0, sizeof *s);
    for (int p = 0; p < 2; p++) {
        s->hand[p] = cs_nameless(g->hand[p] & CUTTLE_DECK);
        s->table[p] = g->points[p] | cs_nameless(g->perms[p] & (CUTTLE_RANK(RANK_Q) | CUTTLE_RANK(RANK_K)))
                    | (g->perms[p] & CUTTLE_RANK(RANK_8)) << (CS_GLASSES - 4 * RANK_8);
        s->score[p] = (int8_t)cuttle_sum(g->points[p]);
    }
    s->scrap = cs_nameless(g->scrap);
    for (int i = 0; i < 4; i++) {
        s->jacks[i] = (uint8_t)cuttle_jack_link(g, i);
        if (s->jacks[i] != CUTTLE_NO_CARD) s->jacked |= BIT(s->jacks[i]);
    }
    cs_sort_jacks(s);
    s->turn = (uint8_t)cuttle_turn(g);
    s->passes = (uint8_t)cuttle_passes(g);
    s->stage = (uint8_t)cuttle_stage(g);
    s->stock = (uint8_t)cuttle_stock_size(g);
    s->card = (uint8_t)(s->stage == CUTTLE_SEVEN ? cuttle_revealed(g) : cuttle_oneoff(g));
    if (s->card >= CS_NAMELESS && s->card != CUTTLE_NO_CARD) s->card &= 60;
    s->target = (uint8_t)cs_target(g, cuttle_target(g));
    for (int i = 0; i < cuttle_counters(g); i++) s->twos |= (uint8_t)(1 << field(g->duel, 21 + 2 * (unsigned)i, 2));
    s->sevens = (uint8_t)field(g->duel, 29, 4);
    const int result = cuttle_result(g);
    s->winner = (uint8_t)(result ? result - 1 : 0);
}

/* Turns in a row in which a three takes a three (nobody countering) after which nothing new can come.
 *
 * Every other turn uses something up: count 4 for a card in the stock, 3 for a three and 2 for another card in a hand, 1 for
 * one on the table, 0 in the scrap; whatever is played, drawn, taken or returned, the sum goes down, except when a three takes
 * a three (it stays) and when a player passes (it stays; at most two passes in a row). So play can return to a position
 * through such swaps and passes only, and along them nothing changes but which threes lie where: each hand keeps its number
 * of them. Positions that follow a swap are thus at most 2 t! / (a! b! c!), for the seat to move and a, b, c threes in the
 * hands and in the scrap, t in all: 24 at most. Who can force a win can force it without ever coming back to a position,
 * hence with no more swaps than that in a row. A line with more of them is a win for nobody: cutting it off there is exact,
 * not a guess, and makes the graph of positions with their count of swaps free of cycles. (One more is allowed, for the count
 * goes back to none when a counter is played, before the swap that it is part of.) */
static inline int cs_swap_limit(const cs_state *s)
{
    static const uint8_t factorial[5] = { 1, 1, 2, 6, 24 };
    const int a = popcount(s->hand[0] & CUTTLE_RANK(RANK_3)), b = popcount(s->hand[1] & CUTTLE_RANK(RANK_3));
    const int c = popcount(s->scrap & CUTTLE_RANK(RANK_3));
    return 1 + 2 * factorial[a + b + c] / (factorial[a] * factorial[b] * factorial[c]);
}

/* Whether the line goes round in circles. */
static inline int cs_endless(const cs_state *s) { return s->swaps && s->stage == CUTTLE_MAIN && s->swaps > cs_swap_limit(s); }

/* ---- key ---- */

/* Both halves of the product of two words (the mixing step of wyhash, Wang Yi 2019). */
static inline uint64_t cs_fold(uint64_t a, uint64_t b)
{
    __extension__ const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The key of a position without its count of swaps. The scrap is what is left of the deck. Six words are folded anew each
 * time: that costs as much as looking up Zobrist numbers for the three or four cards that a move displaces. */
static inline uint64_t cs_key(const cs_state *s)
{
    uint64_t rest;
    uint32_t jacks;
    memcpy(&rest, &s->turn, 8);      /* turn, passes, stage, stock, card, target, twos, sevens */
    memcpy(&jacks, s->jacks, 4);
    return cs_fold(s->hand[0] ^ 0xa0761d6478bd642full, s->hand[1] ^ 0xe7037ed1a0b428dbull)
         ^ cs_fold(s->table[0] ^ 0x8ebc6af09c88c6e3ull, s->table[1] ^ 0x589965cc75374cc3ull)
         ^ cs_fold(rest ^ 0x1d8e4e27c47d124full, jacks ^ 0xeb44accab455d165ull);
}

/* ---- play ---- */

static inline uint64_t cs_jack_count(const cs_state *s, int card)
{
    return (uint64_t)((s->jacks[0] == card) + (s->jacks[1] == card) + (s->jacks[2] == card) + (s->jacks[3] == card));
}

static inline void cs_scrap_jacks(cs_state *s, int n)
{
    while (n-- > 0) s->scrap = cs_put(s->scrap, 4 * RANK_J);
}

static inline void cs_add_jack(cs_state *s, int card)
{
    s->jacks[3] = (uint8_t)card;
    s->jacked |= BIT(card);
    cs_sort_jacks(s);
}

/* Takes one jack, or all, off a point card; returns how many. */
static inline int cs_drop_jacks(cs_state *s, int card, int all)
{
    int n = 0;
    for (int i = 0; i < 4 && (all || !n); i++)
        if (s->jacks[i] == card) {
            s->jacks[i] = CUTTLE_NO_CARD;
            n++;
        }
    cs_sort_jacks(s);
    if (!cs_jack_count(s, card)) s->jacked &= ~BIT(card);
    return n;
}

/* A stack changes sides (C19). */
static inline void cs_flip(cs_state *s, int from, int card)
{
    s->table[from] ^= BIT(card);
    s->table[!from] ^= BIT(card);
    s->score[from] = (int8_t)(s->score[from] - cs_value(card));
    s->score[!from] = (int8_t)(s->score[!from] + cs_value(card));
}

static inline int cs_draw(cs_state *s, const uint8_t *stock) { return stock[--s->stock]; }

static inline void cs_over(cs_state *s, int winner)
{
    s->stage = CUTTLE_OVER;
    s->winner = (uint8_t)winner;
}

static inline void cs_end_action(cs_state *s)                                                           /* C25 */
{
    const int p = s->turn;
    s->scrap |= (uint64_t)s->sevens << 4 * RANK_7 | (s->card == CUTTLE_NO_CARD ? 0 : BIT(s->card));
    s->sevens = 0;
    s->card = s->target = CUTTLE_NO_CARD;
    if (cs_need(s, p) <= 0) cs_over(s, p);
    else if (cs_need(s, !p) <= 0) cs_over(s, !p);
    else {
        s->stage = CUTTLE_MAIN;
        s->turn = (uint8_t)!p;
    }
}

static inline void cs_resolve_ace(cs_state *s)                                                          /* C8 */
{
    s->scrap |= cs_points(s, 0) | cs_points(s, 1);
    for (int i = 0; i < 4; i++) cs_scrap_jacks(s, s->jacks[i] != CUTTLE_NO_CARD);
    memset(s->jacks, CUTTLE_NO_CARD, 4);
    s->jacked = 0;
    s->table[0] &= ~CUTTLE_NUMBERS;
    s->table[1] &= ~CUTTLE_NUMBERS;
    s->score[0] = s->score[1] = 0;
}

static inline void cs_resolve_six(cs_state *s)                                                          /* C13 */
{
    uint64_t odd = 0;
    for (int i = 0; i < 4 && s->jacks[i] != CUTTLE_NO_CARD; i++) {
        odd ^= BIT(s->jacks[i]);
        cs_scrap_jacks(s, 1);
    }
    for (; odd; odd &= odd - 1) cs_flip(s, (s->table[1] & odd & -odd) != 0, lowest(odd));
    memset(s->jacks, CUTTLE_NO_CARD, 4);
    s->jacked = 0;
    for (int p = 0; p < 2; p++) {
        for (int rank = RANK_Q; rank <= RANK_K; rank++)
            for (uint64_t n = s->table[p] >> 4 * rank & 15; n; n >>= 1) s->scrap = cs_put(s->scrap, 4 * rank);
        s->scrap |= (s->table[p] >> CS_GLASSES & 15) << 4 * RANK_8;
        s->table[p] &= CUTTLE_NUMBERS;
    }
}

/* A two scraps its target, a nine returns it to the hand of the player who controls it now (C9, C15). */
static inline void cs_resolve_aimed(cs_state *s, int scrapped)
{
    const int target = s->target;
    int side, card;
    if (target < CS_NAMELESS) {
        side = (s->table[1] >> target & 1) != 0;
        card = 4 * RANK_J;
        cs_drop_jacks(s, target, 0);
        cs_flip(s, side, target);
    } else if (target >= CS_GLASSES) {
        side = (s->table[1] >> target & 1) != 0;
        card = target - CS_GLASSES + 4 * RANK_8;
        s->table[side] ^= BIT(target);
    } else {
        side = target & 1;
        card = target & 60;
        s->table[side] = cs_take(s->table[side], card);
    }
    if (scrapped) s->scrap = cs_put(s->scrap, card);
    else s->hand[side] = cs_put(s->hand[side], card);
}

/* Point cards that the turn player may put a revealed jack on (C23). */
static inline uint64_t cs_revealed_under(const cs_state *s)
{
    const int p = s->turn;
    const uint64_t theirs = cs_has_queen(s, !p) ? 0 : cs_points(s, !p);
    return theirs ? theirs : cs_points(s, p);
}

/* A seven turns up a card (C14); every card but a jack without a point card to lie on can be played. */
static inline int cs_resolve_seven(cs_state *s, const uint8_t *stock)
{
    if (!s->stock) return 0;
    s->sevens |= (uint8_t)(1 << (s->card & 3));
    const int card = cs_draw(s, stock);
    s->card = CUTTLE_NO_CARD;
    if (card == 4 * RANK_J && !cs_revealed_under(s)) {
        s->scrap = cs_put(s->scrap, card);
        return 0;
    }
    s->card = (uint8_t)card;
    s->stage = CUTTLE_SEVEN;
    return 1;
}

static inline void cs_resolve(cs_state *s, const uint8_t *stock)                                        /* C16 */
{
    const int p = s->turn, cancelled = popcount(s->twos) & 1;
    s->scrap |= (uint64_t)s->twos << 4 * RANK_2;
    s->twos = 0;
    if (!cancelled) {
        switch (cuttle_rank(s->card)) {
        case RANK_A: cs_resolve_ace(s); break;
        case RANK_2: cs_resolve_aimed(s, 1); break;
        case RANK_3: s->stage = CUTTLE_TAKE; return;
        case RANK_4:                                                                                    /* C11 */
            if (popcount(s->hand[!p]) > 2) { s->stage = CUTTLE_DISCARD; return; }
            for (uint64_t h = s->hand[!p]; h; h &= h - 1)
                s->scrap = cs_put(s->scrap, lowest(h));
            s->hand[!p] = 0;
            break;
        case RANK_5:                                                                                    /* C12 */
            for (int i = 0; i < 2 && s->stock; i++) s->hand[p] = cs_put(s->hand[p], cs_draw(s, stock));
            break;
        case RANK_6: cs_resolve_six(s); break;
        case RANK_7: if (cs_resolve_seven(s, stock)) return; break;
        case RANK_9: cs_resolve_aimed(s, 0); break;
        }
    }
    cs_end_action(s);
}

static inline void cs_ask(cs_state *s, int p, const uint8_t *stock)                                     /* C17, C21 */
{
    const int last = s->twos ? RANK_2 : cuttle_rank(s->card);
    if (!s->hand[!p] || (last == RANK_2 && cs_has_queen(s, p))) cs_resolve(s, stock);
    else s->stage = CUTTLE_COUNTER;
}

/* Plays a move of this position, in place. `stock` holds the cards bottom first, jacks, queens and kings as 40, 44, 48. */
static inline void cs_play(cs_state *s, unsigned move, const uint8_t *stock)
{
    const int p = s->turn, kind = cuttle_kind(move), card = cuttle_card(move), other = cuttle_other(move);

    if (kind == CUTTLE_PASS) {                                                                          /* C22 */
        if (++s->passes == 3) cs_over(s, 2);
        else s->turn = (uint8_t)!p;
        return;
    }
    s->passes = 0;
    if (kind == CUTTLE_DRAW) s->swaps = 0;
    else if (kind < CUTTLE_DECLINE) {
        if (s->stage == CUTTLE_SEVEN) s->card = CUTTLE_NO_CARD;
        else s->hand[p] = cs_take(s->hand[p], card);
        if (kind != CUTTLE_EFFECT || cuttle_rank(card) != RANK_3) s->swaps = 0;
    }
    switch (kind) {
    case CUTTLE_DRAW: s->hand[p] = cs_put(s->hand[p], cs_draw(s, stock)); cs_end_action(s); break;
    case CUTTLE_POINTS:
        s->table[p] |= BIT(card);
        s->score[p] = (int8_t)(s->score[p] + cs_value(card));
        cs_end_action(s);
        break;
    case CUTTLE_PERM:
        s->table[p] = cuttle_rank(card) == RANK_8 ? s->table[p] | BIT(card - 4 * RANK_8 + CS_GLASSES) : cs_put(s->table[p], card);
        cs_end_action(s);
        break;
    case CUTTLE_SCUTTLE:                                                                                /* C6 */
        s->table[!p] ^= BIT(other);
        s->score[!p] = (int8_t)(s->score[!p] - cs_value(other));
        s->scrap |= BIT(card) | BIT(other);
        if (s->jacked >> other & 1) cs_scrap_jacks(s, cs_drop_jacks(s, other, 1));
        cs_end_action(s);
        break;
    case CUTTLE_EFFECT:
    case CUTTLE_AIMED:
        s->card = (uint8_t)card;
        s->target = (uint8_t)(kind == CUTTLE_AIMED ? other : CUTTLE_NO_CARD);
        cs_ask(s, p, stock);
        break;
    case CUTTLE_JACK:                                                                                   /* C19, C23 */
        cs_flip(s, (s->table[1] >> other & 1) != 0, other);
        cs_add_jack(s, other);
        cs_end_action(s);
        break;
    case CUTTLE_DECLINE: cs_resolve(s, stock); break;
    case CUTTLE_ANSWER: {                                                                               /* C16 */
        const int q = cs_to_move(s);
        s->hand[q] ^= BIT(card);
        s->twos |= (uint8_t)(1 << (card & 3));
        s->swaps = 0;
        cs_ask(s, q, stock);
        break; }
    case CUTTLE_TAKES:                                                                                  /* C10 */
        s->scrap = cs_take(s->scrap, card);
        s->hand[p] = cs_put(s->hand[p], card);
        s->swaps = (uint8_t)(cuttle_rank(card) == RANK_3 && !s->sevens ? s->swaps + 1 : 0);
        cs_end_action(s);
        break;
    case CUTTLE_DISCARDS:                                                                               /* C11 */
        for (int i = 0; i < 2; i++) {
            const int c = i ? other : card;
            s->hand[!p] = cs_take(s->hand[!p], c);
            s->scrap = cs_put(s->scrap, c);
        }
        cs_end_action(s);
        break;
    }
}

#endif
