/* Buck Euchre with all cards seen: how many tricks a coalition of seats takes together from here on, when the others play
 * together against it. Any set of seats, two to four active ones, trumps or none, in the middle of a trick or not.
 *
 * Null windows: the question is always "does the coalition take `goal` more tricks?". Bounds answer it often: trumps that must
 * take a trick, and top cards that the leader and then a mate can cash. A small table keeps bounds for positions between
 * tricks; small, because one that stays in the first caches beats a larger one. Its keys are exact: they hold the whole
 * position and the coalition, so it serves any number of positions and never changes a result. */
#ifndef PYSEARCH_BUCK_SOLVE_COALITION_H
#define PYSEARCH_BUCK_SOLVE_COALITION_H

#include "buck_solve.h"

#define BUCK_COALITION_BITS 12       /* 64 KB */

typedef struct buck_coalition_entry {
    uint64_t key;                    /* 0: empty */
    int32_t least, most;             /* tricks of the coalition */
} buck_coalition_entry;

typedef struct buck_coalition {
    buck_coalition_entry table[1 << BUCK_COALITION_BITS];      /* zero at first */
    buck_open open;
    uint32_t coalition;              /* seats as bits, active ones */
    uint64_t nodes;
} buck_coalition;

/* What stays the same during one trick. */
typedef struct buck_coalition_trick {
    uint32_t lane, winning;          /* led suit; led suit and trumps */
    int left, goal;                  /* tricks to come with this one; how many of them the coalition wants */
} buck_coalition_trick;

static int buck_coalition_lead(buck_coalition *t, uint32_t leader, int left, int goal);

/* Whether the coalition reaches the goal in the tricks after this one, which `winner` takes. */
static inline int buck_coalition_next(buck_coalition *t, const buck_coalition_trick *trick, uint32_t winner)
{
    const int left = trick->left - 1, goal = trick->goal - (int)(t->coalition >> winner & 1);
    if (goal <= 0 || goal > left) return goal <= 0;
    if (left == 1) return (int)(t->coalition >> buck_last_winner(&t->open, winner) & 1);
    return buck_coalition_lead(t, winner, left, goal);
}

/* Whether the coalition reaches the goal when `seat` plays next. `winner` holds the trick with `best`. Who can win the trick
 * for his side tries that first, cheaply; whose side has it throws away first. */
static int buck_coalition_follow(buck_coalition *t, const buck_coalition_trick *trick, uint32_t seat, int behind,
                                 uint32_t best, uint32_t winner, uint32_t live)
{
    const uint32_t hand = t->open.hand[seat], cards = buck_merged(buck_following(hand, trick->lane), live);
    const uint32_t over = cards & trick->winning & -(best << 1);         /* its cards that take the trick over */
    const int side = t->coalition >> seat & 1, held = (int)(t->coalition >> winner & 1) == side;
    const uint32_t first = held ? cards ^ over : over;
    t->nodes++;
    for (uint32_t rest = cards; rest;) {
        const uint32_t now = rest & first ? rest & first : rest, card = now & -now;
        const int wins = (card & over) != 0;
        const uint32_t top = wins ? card : best, holder = wins ? seat : winner;
        rest ^= card;
        t->open.hand[seat] = hand ^ card;
        const int reached = behind ? buck_coalition_follow(t, trick, t->open.next[seat], behind - 1, top, holder,
                                                           live ^ card ^ best ^ top)
                                   : buck_coalition_next(t, trick, holder);
        if (reached == side) {
            t->open.hand[seat] = hand;
            return side;
        }
    }
    t->open.hand[seat] = hand;
    return !side;
}

/* Trump tricks that a seat takes whatever happens: a higher trump of the others can beat one of its own, no more. So it is
 * the most by which, from the top down to some rank, own trumps outnumber the others'. Digit number i, for the trumps from the
 * lowest to the highest as bits of i, own ones set, and above them a 1. */
static const char buck_sure_digits[256 + 1] =
    "0001001200011123000000121112223400000001000111231111112322233345"
    "0000000000000012000000121112223411111112111222342222223433344456"
    "0000000000000001000000010001112300000001000111231111112322233345"
    "1111111111111123111111232223334522222223222333453333334544455567";

static inline int buck_sure_trumps(uint32_t own, uint32_t trumps)
{
    return buck_sure_digits[1u << popcount(trumps) | buck_extract(own, trumps)] - '0';
}

/* Tricks that a seat can cash with these top cards of suits that are not trumps, from the lead: of each suit as many as every
 * seat that may trump has cards to follow. None unless one of those suits is among `entry`. */
static inline int buck_run(const buck_open *o, uint32_t masters, uint32_t trumpers, uint32_t entry)
{
    uint32_t entered = 0;
    int sum = 0;
    while (masters) {
        const uint32_t lane = buck_lane(masters);
        int run = popcount(masters & lane);
        for (uint32_t rest = trumpers; rest; rest &= rest - 1) {
            const int follows = popcount(o->hand[lowest(rest)] & lane);
            if (follows < run) run = follows;
        }
        if (run) entered |= entry & lane;
        sum += run;
        masters &= ~lane;
    }
    return entered ? sum : 0;
}

/* Tricks that the leader's side can be sure of, given those of its trumps. He cashes his top cards, then goes over to a mate
 * in a suit that the mate can cash. Who may trump follows suit meanwhile, so nobody's trumps change. Where the leader draws
 * all trumps of the others with his top ones first, nobody may. */
static inline int buck_sure_lead(const buck_open *o, uint32_t leader, uint32_t mates, uint32_t masters, uint32_t live,
                                 int sure)
{
    const uint32_t hand = o->hand[leader];
    uint32_t trumpers = 0;
    int drawn = popcount(masters & o->trumps), help = 0;
    for (uint32_t seat = 0; seat < 4; seat++) {
        const uint32_t trumps = o->hand[seat] & o->trumps;
        trumpers |= (uint32_t)(trumps != 0) << seat;
        if (seat != leader && popcount(trumps) > drawn) drawn = 0;
    }
    if (drawn) trumpers = 0, sure = popcount(hand & o->trumps);
    for (uint32_t seat = o->next[leader]; seat != leader; seat = o->next[seat]) {
        if (!(mates >> seat & 1)) continue;
        const int run = buck_run(o, buck_masters(o->hand[seat], live) & ~o->trumps, trumpers, hand);
        if (run > help) help = run;
    }
    return sure + help + buck_run(o, masters & ~o->trumps, trumpers, hand);
}

/* Bounds of what the coalition takes; the dearer ones only where the cheap ones do not decide about the goal. */
static inline void buck_coalition_bounds(const buck_coalition *t, uint32_t leader, int left, int goal, uint32_t live,
                                         uint32_t masters, int *least, int *most)
{
    int sure[2] = { 0, 0 };          /* others, coalition */
    for (uint32_t seat = 0; seat < 4; seat++) {
        const int n = buck_sure_trumps(t->open.hand[seat], live & t->open.trumps);
        const uint32_t side = t->coalition >> seat & 1;
        if (n > sure[side]) sure[side] = n;
    }
    *least = sure[1];
    *most = left - sure[0];
    if (*least >= goal || *most < goal) return;
    const uint32_t side = t->coalition >> leader & 1;
    const int n = buck_sure_lead(&t->open, leader, side ? t->coalition : ~t->coalition, masters, live, sure[side]);
    if (side) *least = n;
    else *most = left - n;
}

/* The whole position, seats counted from the leader: all that the value depends on. Never 0. */
static inline uint64_t buck_coalition_key(const buck_coalition *t, uint32_t leader, int left, uint32_t live)
{
    const uint64_t coalition = (t->coalition * 17 >> leader) & 15, active = (t->open.active * 17u >> leader) & 15;
    return buck_cards_key(&t->open, leader, live) | (uint64_t)left << BUCK_CARDS_KEY | coalition << (BUCK_CARDS_KEY + 3)
         | active << (BUCK_CARDS_KEY + 7) | (uint64_t)(t->open.trumps >> 31) << (BUCK_CARDS_KEY + 11);
}

/* Whether the coalition takes `goal` of the `left` tricks to come, two or more, when `leader` leads. His top cards are led
 * first, the highest before others; then the lowest. */
static int buck_coalition_lead(buck_coalition *t, uint32_t leader, int left, int goal)
{
    const uint32_t live = buck_live_cards(&t->open), hand = t->open.hand[leader], masters = buck_masters(hand, live);
    const int side = t->coalition >> leader & 1;
    int least, most, reached = !side;
    t->nodes++;
    buck_coalition_bounds(t, leader, left, goal, live, masters, &least, &most);
    if (least >= goal || most < goal) return least >= goal;

    const uint64_t key = buck_coalition_key(t, leader, left, live);
    buck_coalition_entry *const entry = &t->table[key * 0x9e3779b97f4a7c15u >> (64 - BUCK_COALITION_BITS)];
    if (entry->key == key && (entry->least >= goal || entry->most < goal)) return entry->least >= goal;
    for (uint32_t rest = buck_merged(hand, live); rest && reached != side;) {
        const uint32_t top = rest & masters, card = top ? 1u << highest(top) : rest & -rest, lane = buck_lane(card);
        const buck_coalition_trick trick = { lane, lane | t->open.trumps, left, goal };
        rest ^= card;
        t->open.hand[leader] = hand ^ card;
        reached = buck_coalition_follow(t, &trick, t->open.next[leader], t->open.players - 2, card, leader, live);
    }
    t->open.hand[leader] = hand;
    if (entry->key != key) *entry = (buck_coalition_entry){ key, least, most };
    if (reached) entry->least = goal;
    else entry->most = goal - 1;
    return reached;
}

/* ---- values ---- */

/* Whether the coalition reaches the goal when the seat to move plays `card`, one of the cards it may play. */
static int buck_coalition_after(buck_coalition *t, const buck_current *at, uint32_t card, int goal)
{
    const uint32_t seat = at->seat, hand = t->open.hand[seat], lane = at->best ? at->lane : buck_lane(card);
    const buck_coalition_trick trick = { lane, lane | t->open.trumps, at->left, goal };
    const int wins = (card & trick.winning) > at->best;
    const uint32_t best = wins ? card : at->best, winner = wins ? seat : at->winner;
    t->open.hand[seat] = hand ^ card;
    const int reached = at->behind ? buck_coalition_follow(t, &trick, t->open.next[seat], at->behind - 1, best, winner,
                                                           buck_live_cards(&t->open) | best)
                                   : buck_coalition_next(t, &trick, winner);
    t->open.hand[seat] = hand;
    return reached;
}

/* Whether it reaches the goal with best play of the seat to move. */
static int buck_coalition_here(buck_coalition *t, const buck_current *at, int goal)
{
    if (!at->best && at->left == 1) return (int)(t->coalition >> buck_last_winner(&t->open, at->seat) & 1);
    if (!at->best) return buck_coalition_lead(t, at->seat, at->left, goal);
    const buck_coalition_trick trick = { at->lane, at->lane | t->open.trumps, at->left, goal };
    return buck_coalition_follow(t, &trick, at->seat, at->behind, at->best, at->winner, buck_live_cards(&t->open) | at->best);
}

/* Tricks of the coalition after `card`, or with best play if that is 0, found from a guess by steps of the null window. */
static int buck_coalition_value(buck_coalition *t, const buck_current *at, uint32_t card, int guess)
{
    int least = 0, most = at->left, goal = guess < 1 ? 1 : guess > most ? most : guess;
    while (least < most) {
        const int reached = card ? buck_coalition_after(t, at, card, goal) : buck_coalition_here(t, at, goal);
        if (reached) least = goal;
        else most = goal - 1;
        goal = reached ? least + 1 : most;
    }
    return least;
}

#endif
