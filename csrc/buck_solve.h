/* Buck Euchre with all cards seen: what the exact solvers of the play stage share.
 *
 * Hands are in the order by trump (buck.h), so a trick is won by the highest bit among trumps and the led suit, and all suits
 * of trumps are one. Two cards of a hand *touch* when no live card lies between them; they play alike, and the solvers try
 * one of them, the lowest. A live card is one that is still in a hand, or that is winning the current trick. */
#ifndef PYSEARCH_BUCK_SOLVE_H
#define PYSEARCH_BUCK_SOLVE_H

#include "buck.h"

#define BUCK_PLACES 0x7f7f7f7fu      /* bit 7 of a byte is never a card: it stops what runs up a suit */

/* The play stage from one position on. The searches change `hand` while they run and leave it as it was. */
typedef struct buck_open {
    uint32_t hand[4];                /* nothing for a seat that dropped */
    uint32_t trumps;                 /* byte 3, or nothing without trumps */
    uint8_t next[4];                 /* the next active seat (B10) */
    uint8_t players, active;         /* how many, and which as bits */
} buck_open;

/* The current trick as the seat to move finds it. With nothing played, `seat` leads and the rest means nothing. */
typedef struct buck_current {
    uint32_t seat, winner;           /* to move; holder of the best card so far */
    uint32_t best, lane;             /* that card, the byte of the led suit */
    int behind, left;                /* active seats to play after this one; tricks to come, this one counted */
} buck_current;

/* A trick that has been led, as max^n and the two-sided searches pass it on. */
typedef struct buck_led_trick {
    uint32_t lane, winning;          /* led suit; led suit and trumps */
    int left;                        /* tricks to come with this one */
    unsigned taken;                  /* by each seat so far, packed (buck_solve_equity.h) */
} buck_led_trick;

static inline uint32_t buck_lane(uint32_t card) { return 255u << (lowest(card) & 24); }

/* The cards that may be played to a led suit (B10). */
static inline uint32_t buck_following(uint32_t hand, uint32_t lane) { return hand & lane ? hand & lane : hand; }

/* The lowest of each group of touching cards. What is not live is filled up, and the lowest card of a group, added to it,
 * carries through the group: the bits above it stay, its own goes. */
static inline uint32_t buck_merged(uint32_t cards, uint32_t live)
{
    return cards & ~((cards | (~live & BUCK_PLACES)) + cards);
}

static inline uint32_t buck_live_cards(const buck_open *o) { return o->hand[0] | o->hand[1] | o->hand[2] | o->hand[3]; }

/* All places at or below the highest card of each suit. */
static inline uint32_t buck_below(uint32_t cards)
{
    cards |= cards >> 1 & 0x7f7f7f7fu;
    cards |= cards >> 2 & 0x3f3f3f3fu;
    return cards | (cards >> 4 & 0x0f0f0f0fu);
}

/* The cards of a hand that are higher than all others of their suit. */
static inline uint32_t buck_masters(uint32_t hand, uint32_t live) { return hand & ~buck_below(live ^ hand); }

/* The winner of the last trick: nobody has a choice. */
static inline uint32_t buck_last_winner(const buck_open *o, uint32_t leader)
{
    const uint32_t winning = buck_lane(o->hand[leader]) | o->trumps;
    uint32_t best = o->hand[leader], winner = leader;
    for (uint32_t seat = 0; seat < 4; seat++) {
        const uint32_t card = o->hand[seat] & winning;
        winner = card > best ? seat : winner;
        best = card > best ? card : best;
    }
    return winner;
}

/* The bits of `cards` at the places of `from`, moved together at the low end. */
static inline uint32_t buck_extract(uint32_t cards, uint32_t from)
{
#ifdef __BMI2__
    return _pext_u32(cards, from);
#else
    uint32_t out = 0;
    for (int i = 0; from; i++, from &= from - 1) out |= (uint32_t)((cards & from & -from) != 0) << i;
    return out;
#endif
}

/* Who holds what, seats counted from `first`, up to the ranks that are gone: two bits a card, and the lengths of three
 * suits; together with the number of cards it is exact. BUCK_CARDS_KEY bits. */
#define BUCK_CARDS_KEY 49

static inline uint64_t buck_cards_key(const buck_open *o, uint32_t first, uint32_t live)
{
    const uint32_t second = o->hand[(first + 1) & 3], third = o->hand[(first + 2) & 3], fourth = o->hand[(first + 3) & 3];
    const uint64_t odd = buck_extract(second | fourth, live), high = buck_extract(third | fourth, live);
    return odd | high << 20 | (uint64_t)popcount(live >> 24) << 40 | (uint64_t)popcount(live >> 16 & 255) << 43
         | (uint64_t)popcount(live >> 8 & 255) << 46;
}

/* A complete state of the play stage, opened; its current trick. */
static inline void buck_open_state(buck_open *o, buck_current *at, const buck *s)
{
    const int trump = buck_trump(s), played = buck_length(s);
    *o = (buck_open){ .trumps = trump < BUCK_NO_TRUMP ? 255u << 24 : 0, .active = ~buck_out(s) & 15 };
    for (int seat = 0; seat < 4; seat++) {
        const int active = o->active >> seat & 1;
        o->hand[seat] = active ? buck_pack(s->hand[seat], trump) : 0;
        o->next[seat] = (uint8_t)buck_next(buck_out(s), seat);
        o->players = (uint8_t)(o->players + active);
    }
    *at = (buck_current){ .seat = (uint32_t)buck_turn(s), .left = popcount(o->hand[buck_turn(s)]),
                          .behind = o->players - played - 1 };
    uint32_t seat = (uint32_t)buck_leader(s);
    for (int i = 0; i < played; i++, seat = o->next[seat]) {
        const uint32_t card = buck_pack(BIT(buck_card(s, i)), trump);
        if (!i) at->lane = buck_lane(card);
        if ((card & (at->lane | o->trumps)) > at->best) at->best = card, at->winner = seat;
    }
}

#endif
