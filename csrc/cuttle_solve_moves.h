/* Cuttle solver: moves without those that are as good as others, bounds, threats. */
#ifndef PYSEARCH_CUTTLE_SOLVE_MOVES_H
#define PYSEARCH_CUTTLE_SOLVE_MOVES_H

#include "cuttle_solve_state.h"

/* The stock of the root: card i from the bottom, and the set of the lowest n. */
typedef struct cs_deck {
    uint8_t stock[64];
    uint64_t below[53];
} cs_deck;

static inline void cs_deck_open(cs_deck *d, const cuttle *g)
{
    memset(d, 0, sizeof *d);
    for (int i = 0, n = cuttle_stock_size(g); i < n; i++) {
        const int card = cuttle_stock_card(g, i);
        d->stock[i] = (uint8_t)(card < CS_NAMELESS ? card : card & 60);
        d->below[i + 1] = cs_put(d->below[i], d->stock[i]);
    }
}

/* Cards among the next n of the stock: number cards as they are, a run that is not empty for a rank without suits. */
static inline uint64_t cs_next_cards(const cs_deck *d, const cs_state *s, int n)
{
    return d->below[s->stock] ^ d->below[s->stock > n ? s->stock - n : 0];
}

/* ---- bounds ---- */

static inline int cs_top_value(uint64_t numbers) { return numbers ? cs_value(highest(numbers)) : 0; }

/* By how many points one more king brings the goal of p nearer (C24). */
static inline int cs_king_drop(const cs_state *s, int p)
{
    static const int8_t drop[16] = { 7, 4, 0, 3, 0, 0, 0, 2 };
    return drop[s->table[p] >> CS_KINGS & 15];
}

/* Whether p, in turn, wins at once by points or a king out of his hand: nobody can answer those (C18). `score` is given, so
 * that it can be asked after a loss of points. */
static inline int cs_lays_goal(const cs_state *s, int p, int score)
{
    const int need = cs_goal(s, p) - score;
    return cs_top_value(s->hand[p] & CUTTLE_NUMBERS) >= need
        || ((s->hand[p] >> CS_KINGS & 1) && cs_king_drop(s, p) >= need);
}

/* Whether the turn player wins with this move: the one-ply wins that no one-off is needed for. */
static inline int cs_wins_now(const cs_state *s)
{
    const int p = s->turn;
    return cs_lays_goal(s, p, s->score[p])
        || ((s->hand[p] & CUTTLE_RANK(RANK_J)) && !cs_has_queen(s, !p) && cs_top_value(cs_points(s, !p)) >= cs_need(s, p));
}

/* The most that laying one card of a set can bring p nearer to his goal; `jackable` for a jack. */
static inline int cs_best_value(const cs_state *s, int p, uint64_t set, int jackable)
{
    int v = cs_top_value(set & CUTTLE_NUMBERS);
    if ((set & CUTTLE_RANK(RANK_K)) && cs_king_drop(s, p) > v) v = cs_king_drop(s, p);
    if ((set & CUTTLE_RANK(RANK_J)) && jackable > v) v = jackable;
    return v;
}

/* Sum of the point cards that removing jacks of the opponent, by a six even all at once, can give back to p. */
static inline int cs_lent(const cs_state *s, int p)
{
    uint64_t lent = s->jacked & s->table[!p];
    int sum = 0;
    for (; lent; lent &= lent - 1) sum += cs_value(lowest(lent));
    return sum;
}

/* Race bound: a number of own turns, 1...4, below which p cannot reach his goal. The opponent may draw or pass every time
 * and decline to counter (C3, C22, C16): against that, each turn of p lays one card or acquires cards: one (draw, three,
 * nine) or two (five). No turn brings more than ten, four turns are always enough for 21. Jacks of the opponent may all go
 * by one six: what lies under them is given to p beforehand.
 *   1 turn:  the best card of the hand, or a card that a seven turns up.
 *   2 turns: two cards of the hand; or one that was acquired.
 *   3 turns: three of the hand; or one of it and one acquired; or, by a five, two acquired. */
static inline int cs_turns(const cs_deck *d, const cs_state *s, int p)
{
    const uint64_t hand = s->hand[p];
    const int need = cs_need(s, p) - (s->jacked ? cs_lent(s, p) : 0), loot = cs_top_value(cs_points(s, !p));
    const int queen = cs_has_queen(s, !p), sevens = s->stock && (hand & CUTTLE_RANK(RANK_7));
    int best[3] = { 0, 0, 0 }, items[13], n = 0;

    uint64_t numbers = hand & CUTTLE_NUMBERS;
    for (int i = 0; i < 3 && numbers; i++, numbers ^= BIT(highest(numbers))) items[n++] = cs_value(highest(numbers));
    for (int k = (int)(hand >> CS_KINGS & 7), drop = cs_king_drop(s, p); k; k >>= 1, drop -= drop == 7 ? 3 : 1) items[n++] = drop;
    if (!queen)
        for (int j = (int)(hand >> 4 * RANK_J & 7); j && loot; j >>= 1) items[n++] = loot;
    if (sevens) {
        uint64_t next = cs_next_cards(d, s, 2);
        if (next & CUTTLE_RANK(RANK_7)) next = cs_next_cards(d, s, 6);
        if (cs_best_value(s, p, next, loot) >= need) return 1;
        const int turned = cs_best_value(s, p, cs_next_cards(d, s, 12), loot);
        for (uint64_t x = hand & CUTTLE_RANK(RANK_7); x; x &= x - 1) items[n++] = turned;
    }
    for (int i = 0; i < n; i++) {
        const int v = items[i];
        if (v > best[0]) { best[2] = best[1]; best[1] = best[0]; best[0] = v; }
        else if (v > best[1]) { best[2] = best[1]; best[1] = v; }
        else if (v > best[2]) best[2] = v;
    }
    if (cs_best_value(s, p, hand, queen ? 0 : loot) >= need) return 1;
    if (best[0] + best[1] >= need) return 2;
    if (need > 20) return best[0] + best[1] + best[2] >= need ? 3 : 4;

    /* Acquired in one turn: one of the next four cards of the stock, five with a five in hand, eight when sevens may turn up
     * others; anything of the scrap by a three, a jack that waits until the queen is gone, glasses or a jack brought back by
     * a nine. */
    uint64_t reach = cs_next_cards(d, s, sevens ? 8 : 4 + !!(hand & CUTTLE_RANK(RANK_5)));
    if ((hand | (sevens ? reach : 0)) & CUTTLE_RANK(RANK_3)) reach |= s->scrap;
    if (queen) reach |= hand & CUTTLE_RANK(RANK_J);
    if (hand & CUTTLE_RANK(RANK_9)) reach |= CUTTLE_RANK(RANK_8) | CUTTLE_RANK(RANK_J);
    if (cs_best_value(s, p, reach, loot ? 10 : 0) >= need) return 2;

    /* In two: of the next twelve, or, when a three is among them, anything. */
    const int fives = ((hand | (sevens ? reach : 0)) & CUTTLE_RANK(RANK_5)) != 0;
    reach |= cs_next_cards(d, s, 12);
    const int far = (hand | reach) & CUTTLE_RANK(RANK_3) ? 10 : cs_best_value(s, p, reach, 10);
    const int pair = far + (fives && far > best[0] ? far : best[0]);
    return best[0] + best[1] + best[2] >= need || pair >= need ? 3 : 4;
}

/* Whether p can never win: everything that he may still lay, in hands of his own or the stock, is not enough, and nothing
 * comes back out of the scrap or off the table. Again the opponent just passes. */
static inline int cs_hopeless(const cs_deck *d, const cs_state *s, int p)
{
    if (s->stock > 8) return 0;   /* then there is always enough */
    const uint64_t cards = s->hand[p] | d->below[s->stock];
    if (cards & (CUTTLE_RANK(RANK_3) | CUTTLE_RANK(RANK_9))) return 0;
    const int jacks = popcount((s->hand[p] & CUTTLE_RANK(RANK_J))) + popcount(d->below[s->stock] & CUTTLE_RANK(RANK_J));
    const int kings = popcount((s->hand[p] & CUTTLE_RANK(RANK_K))) + popcount(d->below[s->stock] & CUTTLE_RANK(RANK_K));
    const int own = popcount(s->table[p] & CUTTLE_RANK(RANK_K));
    static const int8_t goal[5] = { 21, 14, 10, 7, 5 };
    int sum = s->score[p] + cuttle_sum(cards & CUTTLE_NUMBERS) + cs_lent(s, p);
    uint64_t loot = cs_points(s, !p);
    for (int i = 0; i < jacks && loot; i++, loot ^= BIT(highest(loot))) sum += cs_top_value(loot);
    return sum < goal[own + kings];
}

/* ---- moves ---- */

/* Whether nothing can come out of the scrap any more: no three is in a hand, in the stock or being played. */
static inline int cs_scrap_is_dead(const cs_deck *d, const cs_state *s)
{
    return !((s->hand[0] | s->hand[1] | d->below[s->stock]) & CUTTLE_RANK(RANK_3)) && cuttle_rank(s->card) != RANK_3;
}

static inline int cs_jacks_are_gone(const cs_deck *d, const cs_state *s)
{
    return !((s->hand[0] | s->hand[1] | d->below[s->stock]) & CUTTLE_RANK(RANK_J)) && !s->jacked;
}

/* One card of each run of cards of a rank that no card of that rank parts, but those that are `gone`. */
static inline uint64_t cs_distinct(uint64_t set, uint64_t gone)
{
    const uint64_t first = 0x1111111111;   /* clubs */
    uint64_t after = set << 1 & ~first, same = after;
    after = (after & gone) << 1 & ~first;
    same |= after;
    after = (after & gone) << 1 & ~first;
    same |= after;
    return set & ~(same & CUTTLE_NUMBERS);
}

/* Which of two neighbouring cards of a rank in one hand is spent makes no difference, as long as the two can never meet as
 * attacker and target of a scuttle: the only rule that compares them (C6).
 *   Spent into the scrap: they can meet when a three brings one back, and that takes time: three, answer, take, points,
 *   scuttle. Fewer plies than that do not tell them apart, neither does a dead scrap.
 *   Laid on the table: they can meet when a jack takes the one that lies there: jack, scuttle.
 * `plies` is how many the search looks ahead from here. */
static inline int cs_spent_alike(const cs_deck *d, const cs_state *s, int plies)
{
    return plies <= 4 || cs_scrap_is_dead(d, s);
}

static inline int cs_laid_alike(const cs_deck *d, const cs_state *s, int plies)
{
    return plies <= 2 || (cs_scrap_is_dead(d, s) && cs_jacks_are_gone(d, s));
}

/* Targets of the turn player's twos and nines, in the codes of the search, as two lists (C20). */
static inline int cs_targets(const cs_state *s, uint8_t *targets)
{
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const int side = i ? s->turn : !s->turn, hidden = !i && cs_has_queen(s, side);
        const uint64_t table = s->table[side];
        if (cs_has_queen(s, side)) targets[n++] = (uint8_t)(CS_QUEENS + side);
        if (hidden) continue;
        if (table >> CS_KINGS & 15) targets[n++] = (uint8_t)(CS_KINGS + side);
        for (uint64_t t = table & (15ull << CS_GLASSES); t; t &= t - 1) targets[n++] = (uint8_t)lowest(t);
        for (uint64_t t = table & s->jacked; t; t &= t - 1) targets[n++] = (uint8_t)lowest(t);
    }
    return n;
}

/* Answers to a threat. The opponent of the turn player would win next by points or a king; then only moves count that can
 * stop that (a third pass, which ends the game, among them): with any other the turn player loses, within two plies, four
 * for one-offs, for the opponent declines to counter. CS_QUIET leaves out the former only. */
enum { CS_ALL, CS_QUIET, CS_ANSWERS };

static inline int cs_threatened(const cs_state *s) { return cs_lays_goal(s, !s->turn, s->score[!s->turn]); }

static inline int cs_turn_moves(const cs_deck *d, const cs_state *s, int plies, int filter, uint16_t *moves)
{
    const int p = s->turn, free = filter == CS_ALL;
    const uint64_t hand = s->hand[p], theirs = cs_points(s, !p), dead = cs_scrap_is_dead(d, s) ? s->scrap : 0;
    const uint64_t spent = cs_spent_alike(d, s, plies) ? cs_distinct(hand, dead) : hand;
    const uint64_t faces = hand & (BIT(40) | BIT(44) | BIT(48));
    uint16_t *m = moves;

    if (s->stock ? free : free || s->passes == 2)
        *m++ = (uint16_t)cuttle_code(s->stock ? CUTTLE_DRAW : CUTTLE_PASS, 0, 0);
    if (free) {
        const uint64_t laid = cs_laid_alike(d, s, plies) ? cs_distinct(hand, dead) : hand;
        for (uint64_t c = laid & CUTTLE_NUMBERS; c; c &= c - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_POINTS, lowest(c), 0);
        for (uint64_t c = (laid & CUTTLE_RANK(RANK_8)) | (faces & (BIT(44) | BIT(48))); c; c &= c - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_PERM, lowest(c), 0);
    }
    for (uint64_t t = theirs; t; t &= t - 1) {
        const int target = lowest(t);
        if (!free && cs_lays_goal(s, !p, s->score[!p] - cs_value(target))) continue;
        for (uint64_t c = spent & CUTTLE_NUMBERS & ~(BIT(target) - 1); c; c &= c - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_SCUTTLE, lowest(c), target);
        if ((faces & BIT(40)) && !cs_has_queen(s, !p)) *m++ = (uint16_t)cuttle_code(CUTTLE_JACK, 40, target);
    }
    uint64_t effects = spent & (CUTTLE_UNAIMED | (s->scrap ? CUTTLE_RANK(RANK_3) : 0));
    if (filter == CS_ANSWERS) effects &= ~(CUTTLE_RANK(RANK_3) | CUTTLE_RANK(RANK_5));
    for (; effects; effects &= effects - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_EFFECT, lowest(effects), 0);
    if (spent & CUTTLE_AIMING) {
        uint8_t targets[32];
        for (int i = 0, n = cs_targets(s, targets); i < n; i++) {
            const int t = targets[i];
            if (filter == CS_ANSWERS && !(t == CS_KINGS + !p || (t < CS_NAMELESS && (theirs >> t & 1)))) continue;
            for (uint64_t c = spent & CUTTLE_AIMING; c; c &= c - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_AIMED, lowest(c), t);
        }
    }
    return (int)(m - moves);
}

static inline int cs_revealed_moves(const cs_state *s, uint16_t *moves)
{
    const int card = s->card, rank = cuttle_rank(card);
    const uint64_t theirs = cs_points(s, !s->turn);
    uint16_t *m = moves;
    if (rank == RANK_J) {
        for (uint64_t t = cs_revealed_under(s); t; t &= t - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_JACK, card, lowest(t));
        return (int)(m - moves);
    }
    if (rank == RANK_8 || rank > RANK_J) *m++ = (uint16_t)cuttle_code(CUTTLE_PERM, card, 0);
    if (rank > RANK_J) return 1;
    *m++ = (uint16_t)cuttle_code(CUTTLE_POINTS, card, 0);
    for (uint64_t t = theirs & (BIT(card) - 1); t; t &= t - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_SCUTTLE, card, lowest(t));
    if (BIT(card) & (CUTTLE_UNAIMED | (s->scrap ? CUTTLE_RANK(RANK_3) : 0))) *m++ = (uint16_t)cuttle_code(CUTTLE_EFFECT, card, 0);
    if (BIT(card) & CUTTLE_AIMING) {
        uint8_t targets[32];
        for (int i = 0, n = cs_targets(s, targets); i < n; i++) *m++ = (uint16_t)cuttle_code(CUTTLE_AIMED, card, targets[i]);
    }
    return (int)(m - moves);
}

/* Two cards of a hand, one pair of each kind. */
static inline int cs_discards(uint64_t hand, int alike, uint64_t dead, uint16_t *moves)
{
    uint16_t *m = moves;
    for (uint64_t c = alike ? cs_distinct(hand, dead) : hand; c; c &= c - 1) {
        const int card = lowest(c);
        if (card > CS_NAMELESS && (card & 3)) continue;
        const uint64_t left = cs_take(hand, card);
        /* what stays of a run of equals, and all above it */
        for (uint64_t e = (alike ? cs_distinct(left, dead) : left) & ~(BIT(card) - 1); e; e &= e - 1) {
            if (lowest(e) > CS_NAMELESS && (lowest(e) & 3)) continue;
            *m++ = (uint16_t)cuttle_code(CUTTLE_DISCARDS, card, lowest(e));
        }
    }
    return (int)(m - moves);
}

/* Moves worth searching; every legal move that is not listed is as good as one that is, or loses to a threat (`filter`). */
static inline int cs_moves(const cs_deck *d, const cs_state *s, int plies, int filter, uint16_t *moves)
{
    const uint64_t faces = BIT(40) | BIT(44) | BIT(48);
    uint16_t *m = moves;
    switch (s->stage) {
    case CUTTLE_MAIN: return cs_turn_moves(d, s, plies, filter, moves);
    case CUTTLE_SEVEN: return cs_revealed_moves(s, moves);
    case CUTTLE_COUNTER: {
        const uint64_t twos = s->hand[cs_to_move(s)] & CUTTLE_RANK(RANK_2);
        const int dead = cs_scrap_is_dead(d, s);
        *m++ = (uint16_t)cuttle_code(CUTTLE_DECLINE, 0, 0);
        for (uint64_t c = dead || plies <= 4 ? cs_distinct(twos, dead ? s->scrap : 0) : twos; c; c &= c - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_ANSWER, lowest(c), 0);
        break; }
    case CUTTLE_TAKE: {
        /* The three being played goes to the scrap afterwards: unless another is about, what is not taken now is gone. */
        const int last = !((s->hand[0] | s->hand[1] | d->below[s->stock] | s->scrap) & CUTTLE_RANK(RANK_3));
        const uint64_t numbers = s->scrap & CUTTLE_NUMBERS;
        for (uint64_t c = (last || plies <= 4 ? cs_distinct(numbers, 0) : numbers) | (s->scrap & faces); c; c &= c - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_TAKES, lowest(c), 0);
        break; }
    case CUTTLE_DISCARD:
        return cs_discards(s->hand[!s->turn], cs_spent_alike(d, s, plies), cs_scrap_is_dead(d, s) ? s->scrap : 0, moves);
    }
    return (int)(m - moves);
}

#endif
