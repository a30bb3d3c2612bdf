/* Cuttle, classic profile: state, moves, play, what each player knows. Rules C1-C27 in docs/rules-cuttle.md; knows nothing of search.
 *
 * Card = rank * 4 + suit: ranks A 2 ... 9 T J Q K = 0...12, suits C D H S = 0...3 (C1). A set of cards is a 52-bit mask.
 *
 * State, seventeen words:
 *   hand[p]    0-51 cards of player p    52-57 how many more cards the viewer cannot name (views)
 *   points[p]  0-51 point cards that p controls
 *   perms[p]   0-51 glasses, queens and kings of p, and the jacks on the point cards that p controls
 *   scrap      0-51
 *   known      0-51 cards of either hand that the opponent of its holder has seen
 *   stock[7]   eight cards a word, eight bits a card, bottom first; 0 above the top (and everywhere in a view)
 *   duel       0-5 one-off being resolved (63 none)    6-11 its target (63 none)    12-17 card revealed by a seven (63 none)
 *              18-20 number of counters    21-28 their suits in order, two bits each    29-32 suits of the sevens that have
 *              revealed a card and are not in the scrap yet    33-56 the point card under each jack, six bits each (63 none)
 *   status     0 turn (whose ordinary turn it is)    1-2 passes in a row    3-5 stage    6-7 result (0 none, 1 + winner, 3 draw)
 *              8-13 cards in the stock    14-15 view (0 none, 1 + seat)
 * The order of jacks in a stack does not matter: each one flips control, so the first owner follows from the controller and
 * the number of jacks (C19). Unused fields hold 0 where no other value is named, so equal states have equal words.
 */
#ifndef PYSEARCH_CUTTLE_H
#define PYSEARCH_CUTTLE_H

#include "bits.h"
#include "pysearch.h"

enum { CUTTLE_MAIN, CUTTLE_COUNTER, CUTTLE_TAKE, CUTTLE_DISCARD, CUTTLE_SEVEN, CUTTLE_OVER };   /* stage */
enum { CUTTLE_NO_CARD = 63 };

/* Kinds of move, in listed order; code = kind << 12 | card << 6 | target or second card (0 where there is none). */
enum {
    CUTTLE_DRAW, CUTTLE_PASS, CUTTLE_POINTS, CUTTLE_PERM /* 8 as glasses, Q, K */, CUTTLE_SCUTTLE,
    CUTTLE_EFFECT /* A 3 4 5 6 7 */, CUTTLE_AIMED /* 2 9 */, CUTTLE_JACK,
    CUTTLE_DECLINE, CUTTLE_ANSWER /* counter with a two */, CUTTLE_TAKES, CUTTLE_DISCARDS
};

typedef struct cuttle {
    uint64_t hand[2], points[2], perms[2], scrap, known, stock[7], duel, status;
} cuttle;

/* ---- cards ---- */

enum { RANK_A, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8, RANK_9, RANK_T, RANK_J, RANK_Q, RANK_K };

#define CUTTLE_RANK(r) (15ull << (4 * (r)))      /* the four cards of a rank */
#define CUTTLE_DECK (BIT(52) - 1)
#define CUTTLE_NUMBERS (BIT(40) - 1)             /* A to T: points and scuttles (C5, C6) */
#define CUTTLE_PERMANENT (CUTTLE_RANK(RANK_8) | CUTTLE_RANK(RANK_Q) | CUTTLE_RANK(RANK_K))
/* One-offs without a target; the three is left out, for it needs a scrap (C10). */
#define CUTTLE_UNAIMED (CUTTLE_RANK(RANK_A) | CUTTLE_RANK(RANK_4) | CUTTLE_RANK(RANK_5) | CUTTLE_RANK(RANK_6) | \
                        CUTTLE_RANK(RANK_7))
#define CUTTLE_AIMING (CUTTLE_RANK(RANK_2) | CUTTLE_RANK(RANK_9))

static inline int cuttle_rank(int card) { return card >> 2; }

/* Sum of the point cards of a set: one each, plus the rank, whose binary digits are bits 2-5 of the index. */
static inline int cuttle_sum(uint64_t cards)
{
    return popcount(cards) + popcount(cards & 0xf0f0f0f0f0) + 2 * popcount(cards & 0xff00ff00)
         + 4 * popcount(cards & 0xffff0000) + 8 * popcount(cards & 0xff00000000);
}

/* ---- fields ---- */

static inline int cuttle_turn(const cuttle *s) { return (int)(s->status & 1); }
static inline int cuttle_passes(const cuttle *s) { return (int)field(s->status, 1, 2); }
static inline int cuttle_stage(const cuttle *s) { return (int)field(s->status, 3, 3); }
static inline int cuttle_result(const cuttle *s) { return (int)field(s->status, 6, 2); }
static inline int cuttle_stock_size(const cuttle *s) { return (int)field(s->status, 8, 6); }
static inline int cuttle_viewer(const cuttle *s) { return (int)field(s->status, 14, 2) - 1; }
static inline int cuttle_hidden(const cuttle *s, int p) { return (int)field(s->hand[p], 52, 6); }
static inline int cuttle_oneoff(const cuttle *s) { return (int)field(s->duel, 0, 6); }
static inline int cuttle_target(const cuttle *s) { return (int)field(s->duel, 6, 6); }
static inline int cuttle_revealed(const cuttle *s) { return (int)field(s->duel, 12, 6); }
static inline int cuttle_counters(const cuttle *s) { return (int)field(s->duel, 18, 3); }
static inline uint64_t cuttle_sevens(const cuttle *s)
{
    return (uint64_t)field(s->duel, 29, 4) << 4 * RANK_7;
}
static inline int cuttle_jack_link(const cuttle *s, int suit) { return (int)field(s->duel, 33 + 6 * (unsigned)suit, 6); }

static inline void cuttle_set_turn(cuttle *s, int p) { s->status = with_field(s->status, 0, 1, (uint64_t)p); }
static inline void cuttle_set_passes(cuttle *s, int n) { s->status = with_field(s->status, 1, 2, (uint64_t)n); }
static inline void cuttle_set_stage(cuttle *s, int stage) { s->status = with_field(s->status, 3, 3, (uint64_t)stage); }
static inline void cuttle_set_oneoff(cuttle *s, int card, int target)
{
    s->duel = with_field(s->duel, 0, 12, (uint64_t)card | (uint64_t)target << 6);
}
static inline void cuttle_set_revealed(cuttle *s, int card) { s->duel = with_field(s->duel, 12, 6, (uint64_t)card); }
static inline void cuttle_set_jack_link(cuttle *s, int suit, int card)
{
    s->duel = with_field(s->duel, 33 + 6 * (unsigned)suit, 6, (uint64_t)card);
}

/* No one-off, no revealed card, no counters, no sevens; the jacks stay. */
static inline void cuttle_clear_duel(cuttle *s)
{
    s->duel = (s->duel & ~(BIT(33) - 1)) | 0x3ffff;
}

/* The twos spent in the duel so far. */
static inline uint64_t cuttle_counter_cards(const cuttle *s)
{
    uint64_t cards = 0;
    for (int i = 0; i < cuttle_counters(s); i++) cards |= BIT(4 * RANK_2 + (int)field(s->duel, 21 + 2 * (unsigned)i, 2));
    return cards;
}

/* The jacks on a point card. */
static inline uint64_t cuttle_jacks_on(const cuttle *s, int card)
{
    uint64_t jacks = 0;
    for (int suit = 0; suit < 4; suit++) jacks |= (uint64_t)(cuttle_jack_link(s, suit) == card) << (4 * RANK_J + suit);
    return jacks;
}

/* Forgets where the given jacks lay. */
static inline void cuttle_unlink(cuttle *s, uint64_t jacks)
{
    for (jacks >>= 4 * RANK_J; jacks; jacks &= jacks - 1) cuttle_set_jack_link(s, lowest(jacks), CUTTLE_NO_CARD);
}

static inline int cuttle_goal(const cuttle *s, int p)                                                   /* C24 */
{
    static const int goal[5] = { 21, 14, 10, 7, 5 };
    return goal[popcount(s->perms[p] & CUTTLE_RANK(RANK_K))];
}

static inline int cuttle_has_goal(const cuttle *s, int p) { return cuttle_sum(s->points[p]) >= cuttle_goal(s, p); }

static inline int cuttle_has_queen(const cuttle *s, int p) { return (s->perms[p] & CUTTLE_RANK(RANK_Q)) != 0; }

/* What player p may aim a two or a nine at: own permanents, and the opponent's unless a queen leaves only queens (C20). */
static inline uint64_t cuttle_targets(const cuttle *s, int p)
{
    const uint64_t theirs = s->perms[!p], queens = theirs & CUTTLE_RANK(RANK_Q);
    return s->perms[p] | (queens ? queens : theirs);
}

/* The point cards of the opponent that player p may put a jack on (C19, C20). */
static inline uint64_t cuttle_jackable(const cuttle *s, int p) { return cuttle_has_queen(s, !p) ? 0 : s->points[!p]; }

/* ---- moves ---- */

static inline unsigned cuttle_code(int kind, int card, int other)
{
    return (unsigned)(kind << 12 | card << 6 | other);
}
static inline int cuttle_kind(unsigned move) { return (int)(move >> 12); }
static inline int cuttle_card(unsigned move) { return (int)(move >> 6 & 63); }
static inline int cuttle_other(unsigned move) { return (int)(move & 63); }

/* The seat that decides now, -1 when the game is over. */
static inline int cuttle_to_move(const cuttle *s)
{
    const int turn = cuttle_turn(s);
    switch (cuttle_stage(s)) {
    case CUTTLE_COUNTER: return turn ^ !(cuttle_counters(s) & 1);   /* the opponent answers first, then alternately (C16) */
    case CUTTLE_DISCARD: return !turn;                              /* C11 */
    case CUTTLE_OVER: return -1;
    default: return turn;
    }
}

/* The plays of the turn player's `cards`, aiming jacks at `under`, in listed order. One hand of an ordinary turn, or one
 * revealed card (C14): what may be done with a card does not depend on where it comes from. */
static inline int cuttle_plays(const cuttle *s, uint64_t cards, uint64_t under, uint16_t *moves)
{
    const int p = cuttle_turn(s);
    const uint64_t numbers = cards & CUTTLE_NUMBERS, theirs = s->points[!p];
    const uint64_t effects = cards & (CUTTLE_UNAIMED | (s->scrap ? CUTTLE_RANK(RANK_3) : 0));
    uint16_t *m = moves;

    for (uint64_t c = numbers; c; c &= c - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_POINTS, lowest(c), 0);
    for (uint64_t c = cards & CUTTLE_PERMANENT; c; c &= c - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_PERM, lowest(c), 0);
    for (uint64_t c = numbers; c; c &= c - 1)                                                               /* C6 */
        for (uint64_t t = theirs & (BIT(lowest(c)) - 1); t; t &= t - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_SCUTTLE, lowest(c), lowest(t));
    for (uint64_t c = effects; c; c &= c - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_EFFECT, lowest(c), 0);
    for (uint64_t c = cards & CUTTLE_AIMING; c; c &= c - 1)
        for (uint64_t t = cuttle_targets(s, p); t; t &= t - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_AIMED, lowest(c), lowest(t));
    for (uint64_t c = cards & CUTTLE_RANK(RANK_J); c; c &= c - 1)
        for (uint64_t t = under; t; t &= t - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_JACK, lowest(c), lowest(t));
    return (int)(m - moves);
}

/* The plays of a card that a seven has revealed: none when it is unplayable. A jack that finds no point card of the opponent
 * must go on an own one, whose stack it gives away (C23). */
static inline int cuttle_revealed_plays(const cuttle *s, int card, uint16_t *moves)
{
    const int p = cuttle_turn(s);
    const uint64_t theirs = cuttle_jackable(s, p);
    return cuttle_plays(s, BIT(card), theirs ? theirs : s->points[p], moves);
}

/* Legal moves of the seat to move, ascending; returns how many, 0 when over. Needs nothing but what that seat knows. */
static inline int cuttle_moves(const cuttle *s, uint16_t *moves)
{
    const int p = cuttle_turn(s);
    uint16_t *m = moves;
    switch (cuttle_stage(s)) {
    case CUTTLE_MAIN:
        *m++ = (uint16_t)cuttle_code(cuttle_stock_size(s) ? CUTTLE_DRAW : CUTTLE_PASS, 0, 0);            /* C3, C22 */
        return 1 + cuttle_plays(s, s->hand[p] & CUTTLE_DECK, cuttle_jackable(s, p), m);
    case CUTTLE_COUNTER:
        *m++ = (uint16_t)cuttle_code(CUTTLE_DECLINE, 0, 0);
        for (uint64_t c = s->hand[cuttle_to_move(s)] & CUTTLE_RANK(RANK_2); c; c &= c - 1)
            *m++ = (uint16_t)cuttle_code(CUTTLE_ANSWER, lowest(c), 0);
        break;
    case CUTTLE_TAKE:
        for (uint64_t c = s->scrap; c; c &= c - 1) *m++ = (uint16_t)cuttle_code(CUTTLE_TAKES, lowest(c), 0);
        break;
    case CUTTLE_DISCARD:
        for (uint64_t c = s->hand[!p] & CUTTLE_DECK; c; c &= c - 1)
            for (uint64_t d = c & (c - 1); d; d &= d - 1)
                *m++ = (uint16_t)cuttle_code(CUTTLE_DISCARDS, lowest(c), lowest(d));
        break;
    case CUTTLE_SEVEN:
        return cuttle_revealed_plays(s, cuttle_revealed(s), m);
    }
    return (int)(m - moves);
}

/* ---- play ---- */

static inline int cuttle_stock_card(const cuttle *s, int i) { return (int)(s->stock[i >> 3] >> 8 * (i & 7) & 63); }

static inline int cuttle_draw(cuttle *s)
{
    const int i = cuttle_stock_size(s) - 1, card = cuttle_stock_card(s, i);
    s->stock[i >> 3] &= ~(255ull << 8 * (i & 7));
    s->status -= BIT(8);
    return card;
}

/* Point card and jacks change sides (C19). */
static inline void cuttle_move_stack(cuttle *s, int from, int card, uint64_t jacks)
{
    s->points[from] ^= BIT(card);
    s->points[!from] ^= BIT(card);
    s->perms[from] &= ~jacks;
    s->perms[!from] |= jacks;
}

/* The end of an action with all its responses: what was in flight goes to the scrap, goals are looked at once (C25), and the
 * turn goes over. Only what moves a jack can lift the `other` side too. */
static inline void cuttle_end_action(cuttle *s, int other)
{
    const int p = cuttle_turn(s), oneoff = cuttle_oneoff(s);
    if ((s->duel & (BIT(33) - 1)) != 0x3ffff) {
        s->scrap |= cuttle_sevens(s) | (oneoff == CUTTLE_NO_CARD ? 0 : BIT(oneoff));
        cuttle_clear_duel(s);
    }
    const int winner = cuttle_has_goal(s, p) ? p : other && cuttle_has_goal(s, !p) ? !p : -1;
    if (winner >= 0) {
        s->status = with_field(s->status, 3, 5, (uint64_t)(CUTTLE_OVER | (1 + winner) << 3));
    } else {
        cuttle_set_stage(s, CUTTLE_MAIN);
        cuttle_set_turn(s, !p);
    }
}

/* A permanent leaves the table; a jack takes the control of its stack with it (C19). Returns the side it lay on. */
static inline int cuttle_remove_permanent(cuttle *s, int card)
{
    const int side = (s->perms[1] >> card & 1) != 0;
    s->perms[side] ^= BIT(card);
    if (cuttle_rank(card) == RANK_J) {
        const int under = cuttle_jack_link(s, card & 3);
        cuttle_set_jack_link(s, card & 3, CUTTLE_NO_CARD);
        cuttle_move_stack(s, side, under, cuttle_jacks_on(s, under));
    }
    return side;
}

static inline void cuttle_resolve_ace(cuttle *s)                                                        /* C8 */
{
    const uint64_t jacks = (s->perms[0] | s->perms[1]) & CUTTLE_RANK(RANK_J);
    s->scrap |= s->points[0] | s->points[1] | jacks;
    s->points[0] = s->points[1] = 0;
    s->perms[0] &= ~jacks;
    s->perms[1] &= ~jacks;
    cuttle_unlink(s, jacks);
}

static inline void cuttle_resolve_six(cuttle *s)                                                        /* C13 */
{
    uint64_t odd = 0;   /* point cards under an odd number of jacks: they go back to the other side */
    for (int suit = 0; suit < 4; suit++) {
        const int under = cuttle_jack_link(s, suit);
        if (under != CUTTLE_NO_CARD) odd ^= BIT(under);
    }
    const uint64_t swap = (s->points[0] ^ s->points[1]) & odd;
    s->points[0] ^= swap;
    s->points[1] ^= swap;
    s->scrap |= s->perms[0] | s->perms[1];
    s->perms[0] = s->perms[1] = 0;
    s->duel |= 0xffffffull << 33;
}

/* A seven turns up the top card (C14): it waits to be played, or is scrapped when it cannot be. Returns 1 when it waits. */
static inline int cuttle_resolve_seven(cuttle *s)
{
    uint16_t moves[PS_MAX_MOVES];
    if (!cuttle_stock_size(s)) return 0;
    const int seven = cuttle_oneoff(s), card = cuttle_draw(s);
    s->duel |= BIT(29 + (seven & 3));
    cuttle_set_oneoff(s, CUTTLE_NO_CARD, CUTTLE_NO_CARD);
    if (!cuttle_revealed_plays(s, card, moves)) {
        s->scrap |= BIT(card);
        return 0;
    }
    cuttle_set_revealed(s, card);
    cuttle_set_stage(s, CUTTLE_SEVEN);
    return 1;
}

/* The window closes: counters are scrapped, and the one-off is cancelled or takes effect (C16). */
static inline void cuttle_resolve(cuttle *s)
{
    const int p = cuttle_turn(s), oneoff = cuttle_oneoff(s), target = cuttle_target(s), cancelled = cuttle_counters(s) & 1;
    s->scrap |= cuttle_counter_cards(s);
    s->duel &= ~(BIT(29) - BIT(18));
    if (!cancelled) {
        switch (cuttle_rank(oneoff)) {
        case RANK_A: cuttle_resolve_ace(s); break;
        case RANK_2: cuttle_remove_permanent(s, target); s->scrap |= BIT(target); break;                /* C9 */
        case RANK_3: cuttle_set_stage(s, CUTTLE_TAKE); return;                                          /* C10 */
        case RANK_4:                                                                                    /* C11 */
            if (popcount(s->hand[!p]) > 2) { cuttle_set_stage(s, CUTTLE_DISCARD); return; }
            s->scrap |= s->hand[!p];
            s->hand[!p] = 0;
            break;
        case RANK_5:                                                                                    /* C12 */
            for (int i = 0; i < 2 && cuttle_stock_size(s); i++) s->hand[p] |= BIT(cuttle_draw(s));
            break;
        case RANK_6: cuttle_resolve_six(s); break;
        case RANK_7: if (cuttle_resolve_seven(s)) return; break;
        case RANK_9: {                                                                                  /* C15 */
            const int side = cuttle_remove_permanent(s, target);
            s->hand[side] |= BIT(target);
            s->known |= BIT(target);
            break; }
        }
    }
    cuttle_end_action(s, 1);
}

/* After a one-off or counter played by `p`: the other player is asked exactly when he holds a card and no queen forbids it,
 * whether or not he has a two (C17, C21). */
static inline void cuttle_ask(cuttle *s, int p)
{
    const int last = cuttle_counters(s) ? RANK_2 : cuttle_rank(cuttle_oneoff(s));
    if (!s->hand[!p] || (last == RANK_2 && cuttle_has_queen(s, p))) cuttle_resolve(s);
    else cuttle_set_stage(s, CUTTLE_COUNTER);
}

/* Glasses show a hand and all that enters it; what was seen stays known until it leaves the hand (C19, C27). */
static inline void cuttle_look(cuttle *s)
{
    for (int p = 0; p < 2; p++)
        if (s->perms[p] & CUTTLE_RANK(RANK_8)) s->known |= s->hand[!p];
    s->known &= s->hand[0] | s->hand[1];
}

/* Plays a legal move of a complete state, in place. */
static inline void cuttle_play(cuttle *s, unsigned move)
{
    const int p = cuttle_turn(s), kind = cuttle_kind(move), card = cuttle_card(move), other = cuttle_other(move);

    if (kind == CUTTLE_PASS) {                                                                          /* C22 */
        const int passes = cuttle_passes(s) + 1;
        cuttle_set_passes(s, passes);
        if (passes == 3) s->status = with_field(s->status, 3, 5, CUTTLE_OVER | 3 << 3);
        else cuttle_set_turn(s, !p);
        return;
    }
    cuttle_set_passes(s, 0);
    if (kind >= CUTTLE_POINTS && kind <= CUTTLE_JACK) {
        if (cuttle_stage(s) == CUTTLE_SEVEN) cuttle_set_revealed(s, CUTTLE_NO_CARD);
        else s->hand[p] ^= BIT(card);
    }
    switch (kind) {
    case CUTTLE_DRAW: s->hand[p] |= BIT(cuttle_draw(s)); cuttle_set_turn(s, !p); break;   /* changes no goal */
    case CUTTLE_POINTS: s->points[p] |= BIT(card); cuttle_end_action(s, 0); break;
    case CUTTLE_PERM: s->perms[p] |= BIT(card); cuttle_end_action(s, 0); break;
    case CUTTLE_SCUTTLE: {                                                                              /* C6 */
        const uint64_t jacks = cuttle_jacks_on(s, other);
        s->points[!p] ^= BIT(other);
        s->perms[!p] &= ~jacks;
        s->scrap |= BIT(card) | BIT(other) | jacks;
        cuttle_unlink(s, jacks);
        cuttle_end_action(s, 0);
        break; }
    case CUTTLE_EFFECT: cuttle_set_oneoff(s, card, CUTTLE_NO_CARD); cuttle_ask(s, p); break;
    case CUTTLE_AIMED: cuttle_set_oneoff(s, card, other); cuttle_ask(s, p); break;
    case CUTTLE_JACK: {                                                                                 /* C19, C23 */
        const int side = (s->points[1] >> other & 1) != 0;
        cuttle_move_stack(s, side, other, cuttle_jacks_on(s, other));
        s->perms[!side] |= BIT(card);
        cuttle_set_jack_link(s, card & 3, other);
        cuttle_end_action(s, 1);
        break; }
    case CUTTLE_DECLINE: cuttle_resolve(s); break;
    case CUTTLE_ANSWER: {                                                                               /* C16 */
        const int q = cuttle_to_move(s), n = cuttle_counters(s);
        s->hand[q] ^= BIT(card);
        s->duel = with_field(s->duel, 18, 3, (uint64_t)n + 1) | (uint64_t)(card & 3) << (21 + 2 * n);
        cuttle_ask(s, q);
        break; }
    case CUTTLE_TAKES:                                                                                  /* C10 */
        s->scrap ^= BIT(card);
        s->hand[p] |= BIT(card);
        s->known |= BIT(card);
        cuttle_end_action(s, 0);
        break;
    case CUTTLE_DISCARDS:                                                                               /* C11 */
        s->hand[!p] ^= BIT(card) | BIT(other);
        s->scrap |= BIT(card) | BIT(other);
        cuttle_end_action(s, 0);
        break;
    }
    cuttle_look(s);
}

/* Shares of the win: one, or a half each for a draw and for play that goes on for ever (C26). */
static inline void cuttle_shares(const cuttle *s, uint32_t shares[2])
{
    const int result = cuttle_result(s);
    shares[0] = result == 1 ? PS_ONE : result == 2 ? 0 : PS_ONE / 2;
    shares[1] = PS_ONE - shares[0];
}

/* ---- knowledge ---- */

/* All cards that a state or view names outside the stock. */
static inline uint64_t cuttle_visible(const cuttle *s)
{
    const int oneoff = cuttle_oneoff(s), revealed = cuttle_revealed(s);
    return ((s->hand[0] | s->hand[1]) & CUTTLE_DECK) | s->points[0] | s->points[1] | s->perms[0] | s->perms[1] | s->scrap
         | cuttle_sevens(s) | cuttle_counter_cards(s) | (oneoff == CUTTLE_NO_CARD ? 0 : BIT(oneoff))
         | (revealed == CUTTLE_NO_CARD ? 0 : BIT(revealed));
}

/* What `seat` knows (C27): the other hand shrinks to what was seen of it and a count, the stock to its size. */
static inline void cuttle_view(const cuttle *s, int seat, cuttle *v)
{
    *v = *s;
    const uint64_t theirs = s->hand[!seat] & CUTTLE_DECK, seen = theirs & s->known;
    const uint64_t hidden = (uint64_t)cuttle_hidden(s, !seat) + (uint64_t)popcount(theirs ^ seen);
    v->hand[!seat] = seen | hidden << 52;
    for (int i = 0; i < 7; i++) v->stock[i] = 0;
    v->status = with_field(s->status, 14, 2, 1 + (uint64_t)seat);
}

/* Narrows a view by the knowledge that the seat to move can make `move`: the cards that it plays are in its hand. */
static inline int cuttle_assume(cuttle *v, unsigned move)
{
    const int p = cuttle_to_move(v), kind = cuttle_kind(move);
    uint16_t moves[PS_MAX_MOVES];
    if (p < 0) return PS_ERROR_OVER;
    if (p != cuttle_viewer(v)) {
        uint64_t named = 0;
        if (cuttle_stage(v) != CUTTLE_SEVEN) {
            if ((kind >= CUTTLE_POINTS && kind <= CUTTLE_JACK) || kind == CUTTLE_ANSWER) named = BIT(cuttle_card(move));
            if (kind == CUTTLE_DISCARDS) named = BIT(cuttle_card(move)) | BIT(cuttle_other(move));
        }
        named &= ~v->hand[p];
        const int n = popcount(named);
        if ((named & (cuttle_visible(v) | ~CUTTLE_DECK)) || n > cuttle_hidden(v, p)) return PS_ERROR_ILLEGAL;
        v->hand[p] = (v->hand[p] | named) - ((uint64_t)n << 52);
    }
    for (int i = 0, n = cuttle_moves(v, moves); i < n; i++)
        if (moves[i] == move) return 0;
    return PS_ERROR_ILLEGAL;
}

/* A move of a view as it is made in one of its worlds: the same (the games share this step; Buck Euchre hides burials). */
static inline unsigned cuttle_realize(const cuttle *world, unsigned move)
{
    (void)world;
    return move;
}

/* Exchanges two cards of a complete state that lie in hands or stock. */
static inline void cuttle_swap(cuttle *s, int a, int b)
{
    for (int p = 0; p < 2; p++)
        if ((s->hand[p] >> a & 1) != (s->hand[p] >> b & 1)) s->hand[p] ^= BIT(a) | BIT(b);
    for (int i = 0, n = cuttle_stock_size(s); i < n; i++) {
        const int card = cuttle_stock_card(s, i), other = card == a ? b : card == b ? a : card;
        s->stock[i >> 3] ^= (uint64_t)(card ^ other) << 8 * (i & 7);
    }
}

/* ---- key ---- */

/* One number for each card at each place, xored together (Zobrist 1970), made by the finaliser of splitmix64 instead of a
 * table: places are the eight masks of the state, then 8 + i for the i-th card of the stock from the bottom. */
static inline uint64_t cuttle_zobrist(int card, int place)
{
    uint64_t x = ((uint64_t)card << 8 | (uint64_t)place) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Turn, passes, stage, duel and jack links; who sees what, the result and the size of the stock are left out. */
static inline uint64_t cuttle_public_key(const cuttle *s)
{
    uint64_t x = s->duel * 0x9e3779b97f4a7c15ull + ((s->status & 63) + 1) * 0xd6e8feb86659fd93ull;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
}

/* The key of `after` from that of `before`: the cards that changed places are taken out and put in. */
static inline uint64_t cuttle_rekey(uint64_t key, const cuttle *before, const cuttle *after)
{
    const uint64_t from[7] = { before->hand[0], before->hand[1], before->points[0], before->points[1],
                               before->perms[0], before->perms[1], before->scrap };
    const uint64_t to[7] = { after->hand[0], after->hand[1], after->points[0], after->points[1],
                             after->perms[0], after->perms[1], after->scrap };
    const int deep = cuttle_stock_size(before), left = cuttle_stock_size(after);
    for (int place = 0; place < 7; place++)
        for (uint64_t c = from[place] ^ to[place]; c; c &= c - 1) key ^= cuttle_zobrist(lowest(c), place);
    for (int i = left; i < deep; i++) key ^= cuttle_zobrist(cuttle_stock_card(before, i), 8 + i);
    for (int i = deep; i < left; i++) key ^= cuttle_zobrist(cuttle_stock_card(after, i), 8 + i);
    return key ^ cuttle_public_key(before) ^ cuttle_public_key(after);
}

/* The key of a complete state: equal for states that play alike, whatever the players know. */
static inline uint64_t cuttle_key(const cuttle *s)
{
    const cuttle nothing = { .duel = ~0ull };
    return cuttle_rekey(cuttle_public_key(&nothing), &nothing, s);
}

#endif
