/* Buck Euchre, Ohio profile: state, moves, play, what each player knows. Rules B1-B15 in docs/rules; knows nothing of search.
 *
 * Card = suit * 6 + rank: suits C D H S = 0...3, ranks 9 T J Q K A = 0...5 (B1). A set of cards is a 24-bit mask.
 *
 * The *order by trump* packs a set of cards into 32 bits, a byte for each effective suit (B2), the weakest card lowest:
 *
 *                bit 7 . 6 . 5 . 4 . 3 . 2 . 1 . 0
 *   byte 3           - right left A   K   Q   T   9     trumps
 *   byte 2           -   -   -   A   K   Q   T   9     the other suit of their colour, 3 - trump
 *   bytes 0, 1       -   -   A   K   Q   J   T   9     the two suits of the other colour, in index order
 *
 * without trumps bytes 0...3 are C D H S, all like bytes 0 and 1. So the highest bit among trumps and the led suit takes a
 * trick (B10), and a hand follows suit within one byte.
 *
 * State, nine words:
 *   hand[s]  0-23 cards of seat s    32-34 how many more cards the viewer cannot name (views)
 *   kitty    0-23 the unused cards   32-33 how many of them the viewer cannot name (views)
 *   played   0-23 cards of the completed tricks
 *   table    0-4, 5-9, 10-14, 15-19 cards of the current trick in order    20-22 how many
 *            23-24 seat that leads it    25-29 up-card    30-34 buried card (31 none)    35 buried, but hidden (views)
 *   status   0-1 turn   2-4 stage   5-6 dealer   7-9 trump (0-3, 4 no-trump, 7 none yet)   10-12 maker (7 none)
 *            13-16 seats that dropped   17-32 voids, four bits a seat: effective suits it has shown it lacks
 *            33-44 tricks taken, three bits a seat    45-47 view (0 none, 1 + seat)
 *   scores   0-15 seat 0 ... 48-63 seat 3, signed
 * Unused places of the trick hold 0, so equal states have equal words. The leader repeats `turn` between tricks and is 0
 * before the play stage and after the end.
 */
#ifndef PYSEARCH_BUCK_H
#define PYSEARCH_BUCK_H

#include "bits.h"
#include "buck_equity.h"
#include "pysearch.h"

enum { BUCK_ORDER, BUCK_NAME, BUCK_BURY, BUCK_STAY, BUCK_PLAY, BUCK_OVER };               /* stage */
enum { BUCK_NO_TRUMP = 4, BUCK_NONE = 7, BUCK_NO_CARD = 31 };

/* Kinds of move, in listed order; code = kind << 12 | suit or card << 6. */
enum { BUCK_PASS, BUCK_ORDERS, BUCK_NAMES, BUCK_BURIES, BUCK_STAYS, BUCK_DROPS, BUCK_PLAYS };

typedef struct buck {
    uint64_t hand[4];
    uint64_t kitty, played, table, status, scores;
} buck;

#define BUCK_DECK (BIT(24) - 1)

/* ---- fields ---- */

static inline int buck_turn(const buck *s) { return (int)field(s->status, 0, 2); }
static inline int buck_stage(const buck *s) { return (int)field(s->status, 2, 3); }
static inline int buck_dealer(const buck *s) { return (int)field(s->status, 5, 2); }
static inline int buck_trump(const buck *s) { return (int)field(s->status, 7, 3); }
static inline int buck_maker(const buck *s) { return (int)field(s->status, 10, 3); }
static inline unsigned buck_out(const buck *s) { return field(s->status, 13, 4); }
static inline unsigned buck_voids(const buck *s, int seat) { return field(s->status, 17 + 4 * (unsigned)seat, 4); }
static inline int buck_tricks(const buck *s, int seat) { return (int)field(s->status, 33 + 3 * (unsigned)seat, 3); }
static inline int buck_viewer(const buck *s) { return (int)field(s->status, 45, 3) - 1; }
static inline int buck_score(const buck *s, int seat) { return (int16_t)(s->scores >> 16 * seat); }
static inline int buck_hidden(uint64_t place) { return (int)field(place, 32, 3); }      /* of a hand or the kitty */
static inline int buck_card(const buck *s, int i) { return (int)field(s->table, 5 * (unsigned)i, 5); }
static inline int buck_length(const buck *s) { return (int)field(s->table, 20, 3); }    /* of the current trick */
static inline int buck_leader(const buck *s) { return (int)field(s->table, 23, 2); }
static inline int buck_up(const buck *s) { return (int)field(s->table, 25, 5); }
static inline int buck_buried(const buck *s) { return (int)field(s->table, 30, 5); }
static inline int buck_buried_hidden(const buck *s) { return (int)field(s->table, 35, 1); }

static inline void buck_set_turn(buck *s, int seat) { s->status = with_field(s->status, 0, 2, (uint64_t)seat); }
static inline void buck_set_stage(buck *s, int stage) { s->status = with_field(s->status, 2, 3, (uint64_t)stage); }
static inline void buck_set_trump(buck *s, int trump) { s->status = with_field(s->status, 7, 3, (uint64_t)trump); }
static inline void buck_set_maker(buck *s, int seat) { s->status = with_field(s->status, 10, 3, (uint64_t)seat); }
static inline void buck_set_leader(buck *s, int seat) { s->table = with_field(s->table, 23, 2, (uint64_t)seat); }
static inline void buck_set_buried(buck *s, int card) { s->table = with_field(s->table, 30, 5, (uint64_t)card); }
static inline void buck_add_void(buck *s, int seat, int suit) { s->status |= BIT(17 + 4 * seat + suit); }
static inline void buck_add_tricks(buck *s, int seat, int n) { s->status += (uint64_t)n << (33 + 3 * seat); }

static inline unsigned buck_code(int kind, int suit_or_card) { return (unsigned)kind << 12 | (unsigned)suit_or_card << 6; }
static inline int buck_move_kind(unsigned move) { return (int)(move >> 12); }
static inline int buck_move_card(unsigned move) { return (int)(move >> 6 & 63); }      /* or suit */

/* A burial that only the dealer sees. */
#define BUCK_HIDDEN_BURY ((unsigned)BUCK_BURIES << 12 | 63u << 6)

/* ---- cards ---- */

static inline int buck_left_bower(int trump) { return 6 * (3 - trump) + 2; }

/* The suit that a card follows: the left bower is a trump (B2). */
static inline int buck_suit(int card, int trump)
{
    return trump < BUCK_NO_TRUMP && card == buck_left_bower(trump) ? trump : card / 6;
}

/* All cards that follow a suit. */
static inline uint64_t buck_suit_cards(int suit, int trump)
{
    const uint64_t cards = 63ull << 6 * suit;
    if (trump >= BUCK_NO_TRUMP) return cards;
    const uint64_t left = BIT(buck_left_bower(trump));
    return suit == trump ? cards | left : cards & ~left;
}

/* The suit of each byte of the order by trump, C D H S N. */
static const uint8_t buck_lane_suit[5][4] = { {1, 2, 3, 0}, {0, 3, 2, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {0, 1, 2, 3} };

/* Two sets of cards, one in either half of `cards`, into the order by trump. */
static inline uint64_t buck_pack_two(uint64_t cards, int trump)
{
    const uint64_t one = 0x100000001, rank = 63 * one;      /* both halves at once: nothing is shifted across */
    const uint8_t *suit = buck_lane_suit[trump];
    const uint64_t a = cards >> 6 * suit[0] & rank, b = cards >> 6 * suit[1] & rank;
    uint64_t c = cards >> 6 * suit[2] & rank, d = cards >> 6 * suit[3] & rank;
    if (trump < BUCK_NO_TRUMP) {                            /* the bowers leave their places, Q K A move up to the T */
        const uint64_t left = c >> 2 & one, right = d >> 2 & one;
        c = (c & 3 * one) | (c >> 1 & 28 * one);
        d = (d & 3 * one) | (d >> 1 & 28 * one) | left << 5 | right << 6;
    }
    return a | b << 8 | c << 16 | d << 24;
}

static inline uint32_t buck_pack(uint64_t cards, int trump) { return (uint32_t)buck_pack_two(cards & BUCK_DECK, trump); }

/* The bit of each card in the order by trump. */
static const uint8_t buck_place[5][24] = {
    { 24, 25, 30, 26, 27, 28,   0,  1,  2,  3,  4,  5,   8,  9, 10, 11, 12, 13,  16, 17, 29, 18, 19, 20 },
    {  0,  1,  2,  3,  4,  5,  24, 25, 30, 26, 27, 28,  16, 17, 29, 18, 19, 20,   8,  9, 10, 11, 12, 13 },
    {  0,  1,  2,  3,  4,  5,  16, 17, 29, 18, 19, 20,  24, 25, 30, 26, 27, 28,   8,  9, 10, 11, 12, 13 },
    { 16, 17, 29, 18, 19, 20,   0,  1,  2,  3,  4,  5,   8,  9, 10, 11, 12, 13,  24, 25, 30, 26, 27, 28 },
    {  0,  1,  2,  3,  4,  5,   8,  9, 10, 11, 12, 13,  16, 17, 18, 19, 20, 21,  24, 25, 26, 27, 28, 29 },
};

/* The card of one bit of the order by trump. */
static inline int buck_unpack_card(int bit, int trump)
{
    static const uint8_t rank[8] = { 0, 1, 3, 4, 5, 2, 2 };             /* where the bowers have left their places */
    const int lane = bit >> 3, place = bit & 7, moved = trump < BUCK_NO_TRUMP && lane >= 2;
    if (moved && place == 5) return buck_left_bower(trump);
    return 6 * buck_lane_suit[trump][lane] + (moved ? rank[place] : place);
}

/* ---- moves ---- */

/* The seat that decides now, or -1 when the deal is over. */
static inline int buck_to_move(const buck *s) { return buck_stage(s) == BUCK_OVER ? -1 : buck_turn(s); }

/* The dealer has taken the up-card (B5): second-round names are other suits (B6), a club has no maker (B4). */
static inline int buck_ordered(const buck *s)
{
    return buck_maker(s) != BUCK_NONE && buck_trump(s) == buck_up(s) / 6;
}

/* The suit led to the current trick, which is not empty. */
static inline int buck_led(const buck *s) { return buck_suit(buck_card(s, 0), buck_trump(s)); }

/* Cards that the seat to move may play (B10). */
static inline uint64_t buck_legal_cards(const buck *s)
{
    const uint64_t hand = s->hand[buck_turn(s)] & BUCK_DECK;
    const uint64_t following = buck_length(s) ? hand & buck_suit_cards(buck_led(s), buck_trump(s)) : 0;
    return following ? following : hand;
}

static inline int buck_list_cards(int kind, uint64_t cards, uint16_t *moves)
{
    int n = 0;
    for (; cards; cards &= cards - 1) moves[n++] = (uint16_t)buck_code(kind, lowest(cards));
    return n;
}

/* Legal moves in ascending order of code; 0 when over. Looks at what is public and at the mover's own hand. */
static inline int buck_moves(const buck *s, uint16_t *moves)
{
    int n = 0;
    switch (buck_stage(s)) {
    case BUCK_ORDER:                                                                        /* B5 */
        moves[n++] = (uint16_t)buck_code(BUCK_PASS, 0);
        moves[n++] = (uint16_t)buck_code(BUCK_ORDERS, 0);
        return n;
    case BUCK_NAME:                                                                         /* B6 */
        moves[n++] = (uint16_t)buck_code(BUCK_PASS, 0);
        for (int suit = 0; suit < 4; suit++)
            if (suit != buck_up(s) / 6) moves[n++] = (uint16_t)buck_code(BUCK_NAMES, suit);
        return n;
    case BUCK_BURY:                                                                         /* B5 */
        return buck_list_cards(BUCK_BURIES, s->hand[buck_turn(s)] & BUCK_DECK, moves);
    case BUCK_STAY:                                                                         /* B8 */
        moves[n++] = (uint16_t)buck_code(BUCK_STAYS, 0);
        moves[n++] = (uint16_t)buck_code(BUCK_DROPS, 0);
        return n;
    case BUCK_PLAY:
        return buck_list_cards(BUCK_PLAYS, buck_legal_cards(s), moves);
    default:
        return 0;
    }
}

/* ---- play ---- */

/* The next seat clockwise that has not dropped (B10). */
static inline int buck_next(unsigned out, int seat)
{
    do seat = (seat + 1) & 3; while (out >> seat & 1);
    return seat;
}

/* Ends the deal and books the scores (B11, B12); a match won by five tricks is booked like any other deal (B13).
 * All seats at once, 16 bits each, the scores raised by 32768 meanwhile so that no borrow crosses from seat to seat. */
static inline void buck_finish(buck *s)
{
    const uint64_t ones = 0x0001000100010001, raise = ones << 15;
    const uint64_t out = buck_out(s), maker = buck_maker(s) == BUCK_NONE ? 0 : BIT(16 * buck_maker(s));
    const uint64_t active = ~(out | out << 15 | out << 30 | out << 45) & ones;
    const uint64_t tricks = (s->status >> 33 & 4095) * (1 | BIT(13) | BIT(26) | BIT(39)) & 7 * ones;
    const uint64_t enough = (tricks + 7 * ones - 2 * maker) >> 3 & ones;        /* one trick, three for the maker */
    const uint64_t fined = active & ~enough;
    s->scores = (s->scores ^ raise) + 5 * fined - (tricks & ~(7 * fined));
    s->scores ^= raise;
    buck_set_stage(s, BUCK_OVER);
    buck_set_leader(s, 0);
}

static inline void buck_start_play(buck *s)
{
    const int first = buck_next(buck_out(s), buck_dealer(s));                               /* B10 */
    buck_set_stage(s, BUCK_PLAY);
    buck_set_turn(s, first);
    buck_set_leader(s, first);
}

static inline void buck_play_order(buck *s, int orders)                                     /* B5 */
{
    const int seat = buck_turn(s), dealer = buck_dealer(s);
    if (orders) {
        buck_set_maker(s, seat);
        buck_set_trump(s, buck_up(s) / 6);
        s->hand[dealer] |= BIT(buck_up(s));
        buck_set_stage(s, BUCK_BURY);
        buck_set_turn(s, dealer);
        return;
    }
    if (seat == dealer) buck_set_stage(s, BUCK_NAME);                                       /* B6 */
    buck_set_turn(s, (seat + 1) & 3);
}

static inline void buck_play_name(buck *s, int names, int suit)                             /* B6 */
{
    const int seat = buck_turn(s);
    if (names) {
        buck_set_maker(s, seat);
        buck_set_trump(s, suit);
        buck_set_stage(s, BUCK_STAY);
    } else if (seat == buck_dealer(s)) {                                                    /* B7 */
        buck_set_trump(s, BUCK_NO_TRUMP);
        buck_start_play(s);
        return;
    }
    buck_set_turn(s, (seat + 1) & 3);
}

static inline void buck_play_bury(buck *s, int card)                                        /* B5 */
{
    s->hand[buck_dealer(s)] &= ~BIT(card);
    buck_set_buried(s, card);
    buck_set_stage(s, BUCK_STAY);
    buck_set_turn(s, (buck_maker(s) + 1) & 3);                                              /* B8 */
}

static inline void buck_play_stay(buck *s, int drops)                                       /* B8 */
{
    const int seat = buck_turn(s), next = (seat + 1) & 3, maker = buck_maker(s);
    if (drops) s->status |= BIT(13 + seat);
    if (next != maker) {
        buck_set_turn(s, next);
    } else if (buck_out(s) == (15u & ~(1u << maker))) {                                     /* B9 */
        buck_add_tricks(s, maker, 5);
        buck_finish(s);
    } else {
        buck_start_play(s);
    }
}

/* The winner of the current trick, which is full: of two cards the higher one of the same suit takes it, or the trump. */
static inline int buck_trick_winner(const buck *s)
{
    const int trump = buck_trump(s), lowest_trump = trump < BUCK_NO_TRUMP ? 24 : 32, n = buck_length(s);
    int seat = buck_leader(s), winner = seat, best = buck_place[trump][buck_card(s, 0)];
    for (int i = 1; i < n; i++) {
        const int place = buck_place[trump][buck_card(s, i)];
        const int takes = place >> 3 == best >> 3 ? place > best : place >= lowest_trump;
        seat = buck_next(buck_out(s), seat);
        winner = takes ? seat : winner;
        best = takes ? place : best;
    }
    return winner;
}

static inline void buck_end_trick(buck *s)                                                  /* B10 */
{
    const int winner = buck_trick_winner(s), n = buck_length(s);
    for (int i = 0; i < n; i++) s->played |= BIT(buck_card(s, i));
    buck_add_tricks(s, winner, 1);
    s->table &= ~(BIT(23) - 1);
    if (!s->hand[winner]) {
        buck_finish(s);
        return;
    }
    buck_set_turn(s, winner);
    buck_set_leader(s, winner);
}

static inline void buck_play_card(buck *s, int card)                                        /* B10 */
{
    const int seat = buck_turn(s), n = buck_length(s);
    s->hand[seat] &= ~BIT(card);
    s->table += (uint64_t)card << 5 * n | BIT(20);
    const int suit = buck_suit(card, buck_trump(s)), led = buck_led(s);
    if (suit != led) buck_add_void(s, seat, led);                                           /* B15 */
    if (n + 1 == 4 - popcount(buck_out(s))) buck_end_trick(s);
    else buck_set_turn(s, buck_next(buck_out(s), seat));
}

/* Plays a legal move in place; the state is complete. */
static inline void buck_play(buck *s, unsigned move)
{
    const int kind = buck_move_kind(move), card = buck_move_card(move);
    switch (buck_stage(s)) {
    case BUCK_ORDER: buck_play_order(s, kind == BUCK_ORDERS); break;
    case BUCK_NAME: buck_play_name(s, kind == BUCK_NAMES, card); break;
    case BUCK_BURY: buck_play_bury(s, card); break;
    case BUCK_STAY: buck_play_stay(s, kind == BUCK_DROPS); break;
    default: buck_play_card(s, card); break;
    }
}

/* ---- the end ---- */

/* The seats that won the match with this deal (B13, B14) as bits; 0 when it goes on. */
static inline int buck_winners(const buck *s)
{
    int winners = 0, lowest_score = 0;
    for (int seat = 0; seat < 4; seat++) {
        const int score = buck_score(s, seat);
        if (buck_tricks(s, seat) == 5) return 1 << seat;
        if (score < lowest_score) winners = 0, lowest_score = score;
        if (score == lowest_score) winners |= 1 << seat;
    }
    return winners;
}

/* Shares of the match after a finished deal, PS_ONE in all; units that cannot be split go to the lowest winners. The deal
 * passes to the left (B3). */
static inline void buck_shares(const buck *s, uint32_t shares[4])
{
    const unsigned winners = (unsigned)buck_winners(s);
    if (!winners) {
        const int scores[4] = { buck_score(s, 0), buck_score(s, 1), buck_score(s, 2), buck_score(s, 3) };
        buck_equity(scores, (buck_dealer(s) + 1) & 3, shares);
        return;
    }
    const uint32_t n = (uint32_t)popcount(winners);
    uint32_t left = PS_ONE % n;
    for (int seat = 0; seat < 4; seat++) {
        const uint32_t won = winners >> seat & 1, extra = won && left;
        shares[seat] = won * (PS_ONE / n) + extra;
        left -= extra;
    }
}

/* ---- knowledge ---- */

/* The cards that a state names. The up-card counts while it lies open or turned down; after an order it is where it is. */
static inline uint64_t buck_visible(const buck *v)
{
    uint64_t cards = v->hand[0] | v->hand[1] | v->hand[2] | v->hand[3] | v->kitty | v->played;
    if (!buck_ordered(v)) cards |= BIT(buck_up(v));
    if (buck_buried(v) != BUCK_NO_CARD) cards |= BIT(buck_buried(v));
    for (int i = 0; i < buck_length(v); i++) cards |= BIT(buck_card(v, i));
    return cards & BUCK_DECK;
}

/* A hand or kitty of which only the cards `named` are known. */
static inline uint64_t buck_hide(uint64_t place, uint64_t named)
{
    return named | (uint64_t)(popcount(place & BUCK_DECK & ~named) + buck_hidden(place)) << 32;
}

/* What `seat` knows (B15): its own hand, what is public, and what it buried. Idempotent. */
static inline void buck_view(const buck *s, int seat, buck *v)
{
    const int dealer = buck_dealer(s);
    *v = *s;
    for (int other = 0; other < 4; other++)
        if (other != seat) {
            const int took_up = other == dealer && buck_stage(s) == BUCK_BURY;     /* all saw him take it */
            v->hand[other] = buck_hide(s->hand[other], took_up ? BIT(buck_up(s)) : 0);
        }
    v->kitty = buck_hide(s->kitty, 0);
    if (seat != dealer && buck_buried(s) != BUCK_NO_CARD) {
        buck_set_buried(v, BUCK_NO_CARD);
        v->table |= BIT(35);
    }
    v->status = with_field(s->status, 45, 3, (uint64_t)seat + 1);
}

/* Narrows a view by the knowledge that another seat can play this card: it names the card in the seat's hand, and notes the
 * void that the card shows. */
static inline int buck_assume_card(buck *v, int card)
{
    const int seat = buck_turn(v), suit = buck_suit(card, buck_trump(v));
    if (card >= 24 || buck_voids(v, seat) >> suit & 1) return PS_ERROR_ILLEGAL;
    if (!(v->hand[seat] & BIT(card))) {
        if (!buck_hidden(v->hand[seat]) || buck_visible(v) & BIT(card)) return PS_ERROR_ILLEGAL;
        if (card == buck_up(v) && seat != buck_dealer(v)) return PS_ERROR_ILLEGAL;          /* it is with the dealer (B5) */
        v->hand[seat] += BIT(card) - BIT(32);
    }
    if (!buck_length(v) || suit == buck_led(v)) return 0;
    if (v->hand[seat] & BUCK_DECK & buck_suit_cards(buck_led(v), buck_trump(v))) return PS_ERROR_ILLEGAL;
    buck_add_void(v, seat, buck_led(v));
    return 0;
}

/* Narrows a view by the knowledge that the seat to move can make this move, so that it is legal in every world that is left.
 * Returns 0, or PS_ERROR_ILLEGAL. */
static inline int buck_assume(buck *v, unsigned move)
{
    const int seat = buck_to_move(v), viewer = buck_viewer(v), kind = buck_move_kind(move);
    if (seat >= 0 && viewer >= 0 && viewer != seat) {
        if (buck_stage(v) == BUCK_BURY) return move == BUCK_HIDDEN_BURY ? 0 : PS_ERROR_ILLEGAL;
        if (buck_stage(v) == BUCK_PLAY) {
            const int card = buck_move_card(move);
            return move == buck_code(BUCK_PLAYS, card) && kind == BUCK_PLAYS ? buck_assume_card(v, card) : PS_ERROR_ILLEGAL;
        }
    }
    uint16_t moves[6];                        /* at most: a burial out of six cards */
    for (int i = 0, n = buck_moves(v, moves); i < n; i++)
        if (moves[i] == move) return 0;
    return PS_ERROR_ILLEGAL;
}

/* The move as it is made in a world: for a hidden burial any that is legal there. */
static inline unsigned buck_realize(const buck *world, unsigned move)
{
    return move == BUCK_HIDDEN_BURY ? buck_code(BUCK_BURIES, lowest(world->hand[buck_turn(world)])) : move;
}

/* Exchanges two cards in hidden places of a complete state: hands, kitty, buried. */
static inline void buck_swap(buck *s, int a, int b)
{
    const uint64_t both = BIT(a) | BIT(b);
    const int buried = buck_buried(s);
    for (int seat = 0; seat < 4; seat++)
        if (popcount(s->hand[seat] & both) == 1) s->hand[seat] ^= both;
    if (popcount(s->kitty & both) == 1) s->kitty ^= both;
    if (buried == a || buried == b) buck_set_buried(s, a + b - buried);
}

/* ---- key ----
 *
 * key = sum over active seats and their cards of card number * seat number, plus a mix of the public fields; all mod 2^64,
 * so a move adds and subtracts what changes. Left out is what play does not depend on any more: voids and view, cards out of
 * play (played, kitty, buried, dropped hands, the up-card once it has been taken or turned down: then its suit may count). */

static const uint64_t buck_card_key[24] = {
    0x239eed24c2c063ff, 0xf768064f958507ad, 0x55113dc30e9a8df5, 0x5966eb44e0c67745,
    0x4ca82984fcb042d9, 0xb9c48cb01720800f, 0xd6c93f01a9f18631, 0xa83c546dbc4d13dd,
    0xa3966023df2d5c05, 0xace970fccddba417, 0x4fe2c4e12b5eadad, 0x00633256e25fe71d,
    0x34c6049fa9998119, 0xe66c0e9819428e8b, 0xa62d2465be71c2d9, 0x3c19c840d9f9bacd,
    0xf5a6b47b57a73cab, 0xe7f137f5a11b5c7d, 0x60a8a1e2fdbc4be3, 0x12f034c143d2ba11,
    0xd6567964cfbaa4dd, 0x83de0b93946a0999, 0x9f777337923fe54f, 0x068c193bf65cc903,
};
static const uint64_t buck_seat_key[4] = {
    0x3379782e12806dcd, 0xc85ad6ff6546e4bf, 0x33ba20d253c80a75, 0x10cc80422fb71ead,
};

static inline uint64_t buck_mix(uint64_t x)
{
    x ^= x >> 32; x *= 0xe9846af9b1a615d;
    x ^= x >> 32; x *= 0xe9846af9b1a615d;
    return x ^ x >> 28;
}

static inline uint64_t buck_public_key(const buck *s)
{
    const int stage = buck_stage(s), up = buck_up(s);
    const int open = stage == BUCK_ORDER ? up : stage == BUCK_NAME ? up / 6 : 0;
    const uint64_t trick = s->table & (BIT(25) - 1), status = s->status & ~(65535ull << 17 | 7ull << 45);
    return buck_mix(s->scores * 0xa24baed4963ee407 + status * 0x9fb21c651e98df25 + (trick | (uint64_t)open << 25));
}

/* The cards that a seat may still play. */
static inline uint64_t buck_live(const buck *s, int seat)
{
    return buck_stage(s) == BUCK_OVER || buck_out(s) >> seat & 1 ? 0 : s->hand[seat] & BUCK_DECK;
}

static inline uint64_t buck_hand_key(uint64_t cards)
{
    uint64_t sum = 0;
    for (; cards; cards &= cards - 1) sum += buck_card_key[lowest(cards)];
    return sum;
}

/* The key after a move, from the key before it. */
static inline uint64_t buck_rekey(uint64_t key, const buck *before, const buck *after)
{
    key += buck_public_key(after) - buck_public_key(before);
    for (int seat = 0; seat < 4; seat++) {
        const uint64_t from = buck_live(before, seat), to = buck_live(after, seat);
        key += buck_seat_key[seat] * (buck_hand_key(to & ~from) - buck_hand_key(from & ~to));
    }
    return key;
}

/* Key of a complete state, equal for states that play alike. */
static inline uint64_t buck_key(const buck *s)
{
    uint64_t key = buck_public_key(s);
    for (int seat = 0; seat < 4; seat++) key += buck_seat_key[seat] * buck_hand_key(buck_live(s, seat));
    return key;
}

#endif
