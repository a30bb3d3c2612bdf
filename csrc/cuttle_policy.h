/* Cuttle: a light, hand-written policy. It looks at what the seat to move knows and at nothing else (C27): its hand, what it
 * has seen of the other, both tables, the scrap, the sizes of hand and stock; so a state and its view get the same weights.
 *
 * A move is scored, in tenths of a point, by the table that it leaves plus the cards that it brings or costs:
 *   - points, and what kings take off the goal (C24); kings, queens and glasses as such (C19, C20);
 *   - whether either side could win with the next card it lays: for sure by the own hand, by chance for the other one;
 *   - a one-off is worth less by the chance that a two answers it, where the answer would pay (C16).
 * The weight of a move falls by half for every CUTTLE_HALF tenths that it scores below the best.
 *
 * The playout is not a draw from these weights, which would take a list of moves: it takes wins, answers what would win
 * next, and else picks a kind of move by a few fixed odds and the best card for it. It plays a complete state and is free to
 * look at both hands. */
#ifndef PYSEARCH_CUTTLE_POLICY_H
#define PYSEARCH_CUTTLE_POLICY_H

#include "cuttle.h"
#include "rng.h"

/* ---- wins ---- */

/* The cards with which p, laying one of them at an ordinary turn, has his goal: point cards, a king, a jack on the biggest
 * point card of the opponent. Nothing stops those (C18). Asks only for what lies on the table. */
static inline uint64_t cuttle_winners(const cuttle *s, int p)
{
    static const int8_t drop[5] = { 7, 4, 3, 2, 0 };                                                    /* C24 */
    const int need = cuttle_goal(s, p) - cuttle_sum(s->points[p]);
    const uint64_t loot = cuttle_jackable(s, p);
    if (need > 10 || need < 1) return 0;
    return (CUTTLE_NUMBERS & ~(BIT(4 * (need - 1)) - 1))
         | (drop[popcount(s->perms[p] & CUTTLE_RANK(RANK_K))] >= need ? CUTTLE_RANK(RANK_K) : 0)
         | (loot >> 4 * (need - 1) ? CUTTLE_RANK(RANK_J) : 0);
}

/* Whether the seat to move wins at once, for sure, by laying a card of its hand at an ordinary turn. */
static inline int cuttle_wins_now(const cuttle *s)
{
    const int p = cuttle_turn(s);
    return cuttle_stage(s) == CUTTLE_MAIN && (s->hand[p] & cuttle_winners(s, p)) != 0;
}

/* The move that lays one of those cards. */
static inline unsigned cuttle_lay(const cuttle *s, int card)
{
    if (cuttle_rank(card) == RANK_J) return cuttle_code(CUTTLE_JACK, card, highest(s->points[!cuttle_turn(s)]));
    return cuttle_code(cuttle_rank(card) == RANK_K ? CUTTLE_PERM : CUTTLE_POINTS, card, 0);
}

/* ---- scores ---- */

/* Tenths of a point, found by self-play of the heaviest move. */
static const int16_t cuttle_card_worth[13] = { 51, 75, 30, 17, 11, 70, 31, 45, 50, 85, 83, 23, 39 };
enum {
    CUTTLE_WORTH_DRAW = 42,      /* a card out of the stock */
    CUTTLE_WORTH_KING = 21,      /* beyond what it takes off the goal */
    CUTTLE_WORTH_QUEEN = 66,
    CUTTLE_WORTH_GLASSES = 20,
    CUTTLE_WORTH_NEXT = 916,     /* a sure win in the turn that comes */
    CUTTLE_WORTH_LATER = 46,     /* a card that wins in the turn after it, unless that is answered */
    CUTTLE_WORTH_SEVEN = 43,     /* what a seven turns up */
    CUTTLE_WORTH_LOST = 34,      /* each card that a four takes */
    CUTTLE_WORTH_BACK = 144,      /* a permanent that a nine returns to the opponent's hand */
    CUTTLE_ANSWERED = 55        /* how often a two that is there answers, in 256 */
};
enum { CUTTLE_WIN = 20000, CUTTLE_HALF = 12 };

/* What a seat knows of the other's hand. */
typedef struct cuttle_guess {
    uint64_t seen, unseen;   /* cards that he holds; cards that may be anywhere */
    int hidden, size;        /* how many of his are not seen; size of his hand */
} cuttle_guess;

static inline void cuttle_guess_open(cuttle_guess *g, const cuttle *s, int seat)
{
    const uint64_t theirs = s->hand[!seat] & CUTTLE_DECK;
    g->seen = theirs & s->known;
    g->unseen = CUTTLE_DECK & ~(cuttle_visible(s) & ~(theirs & ~s->known));
    g->hidden = popcount(theirs & ~s->known) + cuttle_hidden(s, !seat);
    g->size = popcount(g->seen) + g->hidden;
}

/* The chance, in 256, that he holds one of these cards. */
static inline int cuttle_chance(const cuttle_guess *g, uint64_t cards)
{
    const int others = popcount(g->unseen & ~cards), unseen = popcount(g->unseen);
    int none = 256;
    if (g->seen & cards) return 256;
    if (others == unseen) return 0;
    for (int i = 0; i < g->hidden && i < unseen; i++) none = none * (others > i ? others - i : 0) / (unseen - i);
    return 256 - none;
}

/* The table and the next wins, as `seat` sees them while `next` is about to have the turn. */
static inline int cuttle_outlook(const cuttle *s, const cuttle_guess *g, int seat, int next)
{
    int score = 0;
    for (int p = 0; p < 2; p++) {
        const uint64_t perms = s->perms[p];
        const int need = cuttle_goal(s, p) - cuttle_sum(s->points[p]);
        int good = 10 * (21 - need) + CUTTLE_WORTH_KING * popcount(perms & CUTTLE_RANK(RANK_K))
                 + CUTTLE_WORTH_QUEEN * popcount(perms & CUTTLE_RANK(RANK_Q))
                 + CUTTLE_WORTH_GLASSES * ((perms & CUTTLE_RANK(RANK_8)) != 0);
        if (need <= 0) good += CUTTLE_WIN;
        if (need > 0 && need <= 10) {
            const uint64_t winners = cuttle_winners(s, p);
            const int chance = p != seat ? cuttle_chance(g, winners) : s->hand[p] & winners ? 256 : 0;
            good += (p == next ? CUTTLE_WORTH_NEXT : CUTTLE_WORTH_LATER) * chance / 256;
        }
        score += p == seat ? good : -good;
    }
    return score;
}

static inline int cuttle_worth(uint64_t cards)
{
    int sum = 0;
    for (; cards; cards &= cards - 1) sum += cuttle_card_worth[cuttle_rank(lowest(cards))];
    return sum;
}

/* The outlook of `seat` once a one-off of the turn player p has taken effect. */
static inline int cuttle_effect_score(const cuttle *s, const cuttle_guess *g, int seat, int card, int target)
{
    const int p = cuttle_turn(s), theirs = seat == p ? g->size : popcount(s->hand[seat] & CUTTLE_DECK);
    const int stock = cuttle_stock_size(s);
    cuttle after = *s;
    int gain = 0;   /* of the turn player, beside the table */
    switch (cuttle_rank(card)) {
    case RANK_A: cuttle_resolve_ace(&after); break;
    case RANK_2: cuttle_remove_permanent(&after, target); break;
    case RANK_3:
        for (uint64_t c = s->scrap; c; c &= c - 1) {
            const int worth = cuttle_card_worth[cuttle_rank(lowest(c))];
            if (worth > gain) gain = worth;
        }
        break;
    case RANK_4: gain = CUTTLE_WORTH_LOST * (theirs < 2 ? theirs : 2); break;
    case RANK_5: gain = CUTTLE_WORTH_DRAW * (stock < 2 ? stock : 2); break;
    case RANK_6: cuttle_resolve_six(&after); break;
    case RANK_7: gain = stock ? CUTTLE_WORTH_SEVEN : 0; break;
    default: {
        const int side = cuttle_remove_permanent(&after, target);
        if (side == seat) after.hand[side] |= BIT(target);
        gain = side == p ? CUTTLE_WORTH_BACK : -CUTTLE_WORTH_BACK;
        break; }
    }
    return cuttle_outlook(&after, g, seat, !p) + (seat == p ? gain : -gain);
}

/* One play of the turn player: from his hand, or of the card that a seven has revealed. `now` is the present outlook. */
static inline int cuttle_play_score(const cuttle *s, const cuttle_guess *g, int now, unsigned move)
{
    const int p = cuttle_turn(s), kind = cuttle_kind(move), card = cuttle_card(move), other = cuttle_other(move);
    cuttle after = *s;
    int cost = 0;
    if (cuttle_stage(s) == CUTTLE_MAIN) {
        after.hand[p] &= ~BIT(card);
        cost = cuttle_card_worth[cuttle_rank(card)];
    }
    switch (kind) {
    case CUTTLE_POINTS: after.points[p] |= BIT(card); break;
    case CUTTLE_PERM: after.perms[p] |= BIT(card); break;
    case CUTTLE_SCUTTLE: after.points[!p] ^= BIT(other); break;
    case CUTTLE_JACK: cuttle_move_stack(&after, s->points[1] >> other & 1, other, 0); break;
    default: {
        const int answer = cuttle_rank(card) == RANK_2 && cuttle_has_queen(s, p) ? 0   /* C21 */
                         : cuttle_chance(g, CUTTLE_RANK(RANK_2)) * CUTTLE_ANSWERED / 256;
        const int score = cuttle_effect_score(&after, g, p, card, other);
        return score - cost - (score > now ? (score - now) * answer / 256 : 0); }
    }
    if (cuttle_has_goal(&after, p)) return 2 * CUTTLE_WIN;   /* all alike, and before any one-off that might be answered */
    return cuttle_outlook(&after, g, p, !p) - cost;
}

static inline int cuttle_move_score(const cuttle *s, const cuttle_guess *g, int now, unsigned move)
{
    const int seat = cuttle_to_move(s), p = cuttle_turn(s), card = cuttle_card(move), other = cuttle_other(move);
    cuttle after = *s;
    switch (cuttle_kind(move)) {
    case CUTTLE_DRAW: return now + CUTTLE_WORTH_DRAW;
    case CUTTLE_PASS: return now;
    case CUTTLE_DECLINE: return 0;
    case CUTTLE_ANSWER: {
        /* What the answer changes: the one-off takes effect, or it does not. */
        const int swing = cuttle_effect_score(s, g, seat, cuttle_oneoff(s), cuttle_target(s)) - now;
        const int again = cuttle_has_queen(s, seat) ? 0 : cuttle_chance(g, CUTTLE_RANK(RANK_2)) * CUTTLE_ANSWERED / 256;
        return (seat == p ? swing : -swing) * (256 - again) / 256 - cuttle_card_worth[RANK_2]; }
    case CUTTLE_TAKES:
        after.hand[p] |= BIT(card);
        return cuttle_outlook(&after, g, p, !p) + cuttle_card_worth[cuttle_rank(card)];
    case CUTTLE_DISCARDS:
        after.hand[seat] ^= BIT(card) | BIT(other);
        return cuttle_outlook(&after, g, seat, seat) - cuttle_worth(BIT(card) | BIT(other));
    default: return cuttle_play_score(s, g, now, move);
    }
}

/* Weights of the n legal moves as cuttle_moves lists them, 1...8192: weight / sum is the chance that a sensible player makes
 * the move, and the heaviest, the first of equals, is the best by these rules. */
static inline void cuttle_policy(const cuttle *s, const uint16_t *moves, int n, uint32_t *weights)
{
    static const uint16_t root[8] = { 8192, 7512, 6889, 6317, 5793, 5312, 4871, 4467 };   /* 8192 * 2^(-i/8) */
    const int seat = cuttle_to_move(s);
    int best = INT32_MIN;
    cuttle_guess guess;
    if (n == 1) weights[0] = 1;
    if (n <= 1) return;
    cuttle_guess_open(&guess, s, seat);
    const int now = cuttle_outlook(s, &guess, seat, !cuttle_turn(s));
    for (int i = 0; i < n; i++) {
        const int score = cuttle_move_score(s, &guess, now, moves[i]);
        weights[i] = (uint32_t)score;
        if (score > best) best = score;
    }
    for (int i = 0; i < n; i++) {
        const int eighths = (best - (int32_t)weights[i]) * 8 / CUTTLE_HALF;
        weights[i] = eighths >= 8 * 13 ? 1 : (uint32_t)root[eighths & 7] >> (eighths >> 3);
    }
}

/* ---- playout ---- */

/* Odds of the kinds of an ordinary turn, in the order below; the second row when the opponent is about to win. */
enum { LIGHT_DRAW, LIGHT_POINTS, LIGHT_KING, LIGHT_QUEEN, LIGHT_GLASSES, LIGHT_SCUTTLE, LIGHT_ACE, LIGHT_THREE, LIGHT_FOUR,
       LIGHT_FIVE, LIGHT_SIX, LIGHT_SEVEN, LIGHT_AIMED, LIGHT_JACK, LIGHT_KINDS };
static const uint8_t cuttle_light_odds[2][LIGHT_KINDS] = {
    { 11, 15, 58, 58, 1, 1, 8, 2, 1, 58, 1, 1, 1, 19 },
    { 1, 1, 1, 1, 1, 60, 60, 1, 3, 1, 60, 1, 4, 60 },
};

/* One of 0...n-1, the higher ones more often: the greater of two. */
static inline unsigned cuttle_light_high(rng *r, int n)
{
    const uint64_t word = rng_word(r), a = word >> 32, b = (uint32_t)word;
    return (unsigned)((a > b ? a : b) * (unsigned)n >> 32);
}

static inline unsigned cuttle_light_turn(const cuttle *s, rng *r)
{
    const int p = cuttle_turn(s), stock = cuttle_stock_size(s);
    const uint64_t hand = s->hand[p], theirs = s->points[!p], numbers = hand & CUTTLE_NUMBERS;
    const uint64_t wins = hand & cuttle_winners(s, p);
    if (wins) return cuttle_lay(s, lowest(wins));

    const uint8_t *odds = cuttle_light_odds[(s->hand[!p] & cuttle_winners(s, !p)) != 0];
    const uint64_t aims = s->perms[!p] & cuttle_targets(s, p), loot = cuttle_jackable(s, p);
    const uint64_t under = numbers ? theirs & (BIT(highest(numbers)) - 1) : 0;
    const int behind = cuttle_sum(theirs) > cuttle_sum(s->points[p]);
    const unsigned has[LIGHT_KINDS] = {
        1, numbers != 0, (hand & CUTTLE_RANK(RANK_K)) != 0, (hand & CUTTLE_RANK(RANK_Q)) != 0,
        (hand & CUTTLE_RANK(RANK_8)) != 0, under != 0, (hand & CUTTLE_RANK(RANK_A)) && behind,
        (hand & CUTTLE_RANK(RANK_3)) && s->scrap, (hand & CUTTLE_RANK(RANK_4)) && s->hand[!p],
        (hand & CUTTLE_RANK(RANK_5)) && stock,
        (hand & CUTTLE_RANK(RANK_6)) && popcount(s->perms[!p]) > popcount(s->perms[p]),
        (hand & CUTTLE_RANK(RANK_7)) && stock, (hand & CUTTLE_AIMING) && aims, (hand & CUTTLE_RANK(RANK_J)) && loot };
    unsigned up_to[LIGHT_KINDS], sum = 0, kind = 0;
    for (int i = 0; i < LIGHT_KINDS; i++) up_to[i] = sum += has[i] * odds[i];
    const unsigned k = rng_below(r, sum);
    while (up_to[kind] <= k) kind++;

    switch (kind) {
    case LIGHT_DRAW: return cuttle_code(stock ? CUTTLE_DRAW : CUTTLE_PASS, 0, 0);
    case LIGHT_POINTS: return cuttle_code(CUTTLE_POINTS, nth_bit(numbers, cuttle_light_high(r, popcount(numbers))), 0);
    case LIGHT_KING: return cuttle_code(CUTTLE_PERM, lowest(hand & CUTTLE_RANK(RANK_K)), 0);
    case LIGHT_QUEEN: return cuttle_code(CUTTLE_PERM, lowest(hand & CUTTLE_RANK(RANK_Q)), 0);
    case LIGHT_GLASSES: return cuttle_code(CUTTLE_PERM, lowest(hand & CUTTLE_RANK(RANK_8)), 0);
    case LIGHT_SCUTTLE: {   /* the biggest that can be had, with the smallest card */
        const int target = highest(under);
        return cuttle_code(CUTTLE_SCUTTLE, lowest(numbers & ~(BIT(target) - 1)), target); }
    case LIGHT_AIMED: return cuttle_code(CUTTLE_AIMED, lowest(hand & CUTTLE_AIMING), highest(aims));
    case LIGHT_JACK: return cuttle_code(CUTTLE_JACK, lowest(hand & CUTTLE_RANK(RANK_J)), highest(loot));
    default: {
        static const uint8_t rank[LIGHT_KINDS] = { [LIGHT_ACE] = RANK_A, [LIGHT_THREE] = RANK_3, [LIGHT_FOUR] = RANK_4,
                                                   [LIGHT_FIVE] = RANK_5, [LIGHT_SIX] = RANK_6, [LIGHT_SEVEN] = RANK_7 };
        return cuttle_code(CUTTLE_EFFECT, lowest(hand & CUTTLE_RANK(rank[kind])), 0); }
    }
}

/* How often, in 8, an answer is given where there is a two: to what hurts (C16). */
static inline unsigned cuttle_light_answers(const cuttle *s)
{
    const int q = !cuttle_turn(s);
    if (cuttle_counters(s)) return 4;
    switch (cuttle_rank(cuttle_oneoff(s))) {
    case RANK_A: return s->points[q] > s->points[!q] ? 7 : 0;
    case RANK_6: return popcount(s->perms[q]) >= popcount(s->perms[!q]) ? 6 : 1;
    case RANK_2: case RANK_9: return s->perms[q] >> cuttle_target(s) & 1 ? 6 : 0;
    case RANK_4: return 4;
    default: return 2;
    }
}

/* A card to part with. */
static inline int cuttle_light_drop(uint64_t hand, rng *r)
{
    const uint64_t poor = hand & (CUTTLE_RANK(RANK_3) | CUTTLE_RANK(RANK_4) | CUTTLE_RANK(RANK_5) | CUTTLE_RANK(RANK_Q));
    const uint64_t from = poor ? poor : hand;
    return nth_bit(from, rng_below(r, (uint32_t)popcount(from)));
}

static inline unsigned cuttle_light_move(const cuttle *s, rng *r)
{
    switch (cuttle_stage(s)) {
    case CUTTLE_MAIN: return cuttle_light_turn(s, r);
    case CUTTLE_COUNTER: {
        const uint64_t twos = s->hand[cuttle_to_move(s)] & CUTTLE_RANK(RANK_2);
        return twos && rng_below(r, 8) < cuttle_light_answers(s) ? cuttle_code(CUTTLE_ANSWER, lowest(twos), 0)
                                                                 : cuttle_code(CUTTLE_DECLINE, 0, 0); }
    case CUTTLE_TAKE:
        return cuttle_code(CUTTLE_TAKES, nth_bit(s->scrap, cuttle_light_high(r, popcount(s->scrap))), 0);
    case CUTTLE_DISCARD: {
        const uint64_t hand = s->hand[!cuttle_turn(s)];
        const int a = cuttle_light_drop(hand, r), b = cuttle_light_drop(hand ^ BIT(a), r);
        return cuttle_code(CUTTLE_DISCARDS, a < b ? a : b, a < b ? b : a); }
    default: {
        uint16_t moves[PS_MAX_MOVES];
        const int n = cuttle_moves(s, moves);
        if (BIT(cuttle_revealed(s)) & cuttle_winners(s, cuttle_turn(s))) return cuttle_lay(s, cuttle_revealed(s));
        return moves[rng_below(r, (uint32_t)n)]; }
    }
}

/* Plays light moves, in place, until the game is over or `cap` plies were made; returns the number of plies. */
static inline int cuttle_policy_playout(cuttle *s, rng *r, int cap)
{
    int plies = 0;
    for (; plies < cap && cuttle_stage(s) != CUTTLE_OVER; plies++) cuttle_play(s, cuttle_light_move(s, r));
    return plies;
}

/* Plays light moves, in place, to the next ordinary turn, or the end, or at most `cap`. Returns the number of plies. */
static inline int cuttle_policy_settle(cuttle *s, rng *r, int cap)
{
    int plies = 0;
    for (; plies < cap && cuttle_stage(s) != CUTTLE_OVER && cuttle_stage(s) != CUTTLE_MAIN; plies++)
        cuttle_play(s, cuttle_light_move(s, r));
    return plies;
}

#endif
