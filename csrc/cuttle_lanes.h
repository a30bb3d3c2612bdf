/* Template: LANES games of Cuttle played at random side by side, one in each lane. Include once for each number of lanes,
 * after defining LANES and LANE(name).
 *
 * Here a game is spread over arrays, and what a decision needs is kept, not counted: how many cards of each sort a hand
 * holds, how many scuttles it has, scores. So the decision of all lanes is a few additions of 16-bit numbers without a
 * branch, and the moves can then be made kind by kind. A lane holds a game at an ordinary turn only; whatever a move brings
 * with it - counters, cards taken, discarded and revealed - is played to the end before the next. Player 0 of a lane is the
 * seat `flip` of the game, so that in all lanes the same player is to move. */

/* Sorts of cards in hand: cards of a sort have the same kinds of move. */
#ifndef CUTTLE_SORTS
#define CUTTLE_SORTS
enum { SORT_PLAIN /* A 4 5 6 7 */, SORT_THREE, SORT_AIMING /* 2 9 */, SORT_EIGHT, SORT_TEN, SORT_CROWN /* Q K */, SORT_JACK, SORTS };
enum { LAID_POINTS, LAID_PERMS, LAID_QUEENS, LAID };   /* what is counted on the table */

static const uint8_t cuttle_sort[52] = {
    SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_AIMING, SORT_AIMING, SORT_AIMING, SORT_AIMING,
    SORT_THREE, SORT_THREE, SORT_THREE, SORT_THREE, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN,
    SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN,
    SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_PLAIN, SORT_EIGHT, SORT_EIGHT, SORT_EIGHT, SORT_EIGHT,
    SORT_AIMING, SORT_AIMING, SORT_AIMING, SORT_AIMING, SORT_TEN, SORT_TEN, SORT_TEN, SORT_TEN,
    SORT_JACK, SORT_JACK, SORT_JACK, SORT_JACK, SORT_CROWN, SORT_CROWN, SORT_CROWN, SORT_CROWN,
    SORT_CROWN, SORT_CROWN, SORT_CROWN, SORT_CROWN,
};

#define CUTTLE_NO_LINKS 0x3f3f3f3fu
#define CUTTLE_LONGEST_TURN 64   /* more plies than a turn can have: one, and for each of five one-offs its answers and a pick */

/* The goal by the kings on the table, which are the highest bits of the permanents (C24). */
static const uint8_t cuttle_goal_of[16] = { 21, 14, 14, 10, 14, 10, 10, 7, 14, 10, 10, 7, 10, 7, 7, 5 };

/* The set of jacks whose link, one byte of four, is a point card. */
static inline uint64_t cuttle_linked(uint32_t links, int card)
{
    const uint32_t differs = links ^ (uint32_t)card * 0x01010101u, same = ~(differs + 0x7f7f7f7fu) & 0x80808080u;
    return (uint64_t)((same >> 7) * 0x01020408u >> 24) << 4 * RANK_J;
}

/* The cards that a card in hand can scuttle: a number card those below it (C6). */
#define FOUR(c) BIT(c) - 1, BIT(c + 1) - 1, BIT(c + 2) - 1, BIT(c + 3) - 1
static const uint64_t cuttle_under[52] = {
    FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20), FOUR(24), FOUR(28), FOUR(32), FOUR(36)
};
#undef FOUR

/* The cards that can scuttle a point card, which is none of them. */
static inline uint64_t cuttle_above(int card) { return CUTTLE_NUMBERS & ~0ull << card; }

/* One game, but for what is counted; two cache lines. */
typedef struct {
    uint64_t hand[2], points[2], perms[2], scrap;
    uint32_t links;                                     /* the point card under each jack, a byte each, 63 none */
    uint8_t score[2], deep, flip;
    uint8_t stock[56], result;                          /* 0, 1 + the winner among the players of the lane, 3 draw */
    uint8_t padding[7];
} cuttle_lane_at;
#endif

typedef struct {
    cuttle_lane_at at[LANES];                           /* what the moves ask for */
    uint32_t x[LANES], g[LANES];                        /* what the decisions ask for: the random stream of each game, */
    uint32_t plies[LANES];
    uint16_t held[2][SORTS][LANES], laid[2][LAID][LANES];   /* cards counted in hand and on the table, */
    uint16_t scuttles[2][LANES];                        /* pairs of an attacker in hand and a target of the other player, */
    uint16_t scrapped[LANES];                           /* all ones when there is a scrap: a three can be played */
    uint16_t passes[LANES];
    int ended;                                          /* how many games ended, and which */
    uint16_t ends[LANES];
} LANE(games);

/* Whether the cards of each sort and on the table are counted as they move: one lane does better to count them when asked,
 * where the processor counts bits. */
#if LANES > 1 || !defined(__POPCNT__)
#define KEPT 1
#else
#define KEPT 0
#endif

#define HOT static inline __attribute__((always_inline))

/* ---- parts of moves ---- */

/* A ply is made: its word is spent, used or not. */
HOT void LANE(tick)(LANE(games) *l, int i)
{
    l->x[i] += l->g[i];
    l->plies[i]++;
}

/* One of n by the word of the ply. */
HOT unsigned LANE(pick)(const LANE(games) *l, int i, unsigned n) { return (unsigned)((uint64_t)mix32(l->x[i]) * n >> 32); }

HOT void LANE(count)(LANE(games) *l, int i, int p, int what, int more)
{
    if (KEPT) l->laid[p][what][i] = (uint16_t)(l->laid[p][what][i] + more);
}

HOT void LANE(gain)(LANE(games) *l, int i, int p, int card)
{
    l->at[i].hand[p] |= BIT(card);
    if (KEPT) l->held[p][cuttle_sort[card]][i]++;
    l->scuttles[p][i] = (uint16_t)(l->scuttles[p][i] + popcount(l->at[i].points[!p] & cuttle_under[card]));
}

HOT void LANE(lose)(LANE(games) *l, int i, int p, int card)
{
    l->at[i].hand[p] ^= BIT(card);
    if (KEPT) l->held[p][cuttle_sort[card]][i]--;
    l->scuttles[p][i] = (uint16_t)(l->scuttles[p][i] - popcount(l->at[i].points[!p] & cuttle_under[card]));
}

HOT void LANE(lay_points)(LANE(games) *l, int i, int p, int card)
{
    l->at[i].points[p] |= BIT(card);
    LANE(count)(l, i, p, LAID_POINTS, 1);
    l->at[i].score[p] = (uint8_t)(l->at[i].score[p] + cuttle_rank(card) + 1);
    l->scuttles[!p][i] = (uint16_t)(l->scuttles[!p][i] + popcount(l->at[i].hand[!p] & cuttle_above(card)));
}

HOT void LANE(lift_points)(LANE(games) *l, int i, int p, int card)
{
    l->at[i].points[p] ^= BIT(card);
    LANE(count)(l, i, p, LAID_POINTS, -1);
    l->at[i].score[p] = (uint8_t)(l->at[i].score[p] - cuttle_rank(card) - 1);
    l->scuttles[!p][i] = (uint16_t)(l->scuttles[!p][i] - popcount(l->at[i].hand[!p] & cuttle_above(card)));
}

HOT void LANE(lay_perm)(LANE(games) *l, int i, int p, int card)
{
    l->at[i].perms[p] |= BIT(card);
    LANE(count)(l, i, p, LAID_PERMS, 1);
    LANE(count)(l, i, p, LAID_QUEENS, (cuttle_rank(card) == RANK_Q));
}

HOT void LANE(lay_scrap)(LANE(games) *l, int i, uint64_t cards)
{
    l->at[i].scrap |= cards;
    l->scrapped[i] = 0xffff;
}

HOT int LANE(top_card)(LANE(games) *l, int i) { return l->at[i].stock[--l->at[i].deep]; }

HOT void LANE(end)(LANE(games) *l, int i, int result)
{
    l->at[i].result = (uint8_t)result;
    l->ends[l->ended++] = (uint16_t)i;
}

/* Ends the game when p has reached the goal. */
HOT int LANE(look)(LANE(games) *l, int i, int p)
{
    if (__builtin_expect(l->at[i].score[p] < cuttle_goal_of[l->at[i].perms[p] >> 4 * RANK_K], 1)) return 0;
    LANE(end)(l, i, 1 + p);
    return 1;
}

/* Point card and jacks change sides (C19). */
HOT void LANE(move_stack)(LANE(games) *l, int i, int from, int card, uint64_t jacks)
{
    const int n = popcount(jacks);
    LANE(lift_points)(l, i, from, card);
    LANE(lay_points)(l, i, !from, card);
    l->at[i].perms[from] ^= jacks;
    l->at[i].perms[!from] ^= jacks;
    LANE(count)(l, i, from, LAID_PERMS, -n);
    LANE(count)(l, i, !from, LAID_PERMS, n);
}

HOT void LANE(set_link)(LANE(games) *l, int i, int suit, int card)
{
    l->at[i].links = (l->at[i].links & ~(255u << 8 * suit)) | (uint32_t)card << 8 * suit;
}

/* ---- moves; the turn is p's, and the card of the move has left the hand ---- */

/* Draws, or passes (C3, C22). */
HOT void LANE(draw)(LANE(games) *l, int i, int p)
{
    if (__builtin_expect(l->at[i].deep, 1)) LANE(gain)(l, i, p, LANE(top_card)(l, i));
    else if (++l->passes[i] == 3) LANE(end)(l, i, 3);
}

HOT void LANE(play_points)(LANE(games) *l, int i, int p, int card)
{
    LANE(lay_points)(l, i, p, card);
    LANE(look)(l, i, p);
}

HOT void LANE(play_perm)(LANE(games) *l, int i, int p, int card)
{
    LANE(lay_perm)(l, i, p, card);
    LANE(look)(l, i, p);
}

HOT void LANE(scuttle)(LANE(games) *l, int i, int p, int card, int target)
{
    const uint64_t jacks = cuttle_linked(l->at[i].links, target), bits = jacks >> 4 * RANK_J;
    LANE(lift_points)(l, i, !p, target);
    l->at[i].perms[!p] ^= jacks;
    LANE(count)(l, i, !p, LAID_PERMS, -popcount(jacks));
    l->at[i].links |= (uint32_t)(((bits * 0x204081) & 0x1010101) * 63);
    LANE(lay_scrap)(l, i, jacks | BIT(card) | BIT(target));
}

/* A jack on a point card of either side: that of the other player, unless a seven revealed it (C23). */
HOT void LANE(jack)(LANE(games) *l, int i, int card, int target)
{
    const int side = (l->at[i].points[1] >> target & 1) != 0;
    LANE(move_stack)(l, i, side, target, cuttle_linked(l->at[i].links, target));
    LANE(lay_perm)(l, i, !side, card);
    LANE(set_link)(l, i, card & 3, target);
}

HOT uint64_t LANE(targets)(const LANE(games) *l, int i, int p)                                          /* C20 */
{
    const uint64_t theirs = l->at[i].perms[!p], queens = theirs & CUTTLE_RANK(RANK_Q);
    return l->at[i].perms[p] | (queens ? queens : theirs);
}

/* A permanent leaves the table, a jack with the control of its stack. Returns the side it lay on. */
HOT int LANE(lift_perm)(LANE(games) *l, int i, int card)
{
    const int side = (l->at[i].perms[1] >> card & 1) != 0;
    l->at[i].perms[side] ^= BIT(card);
    LANE(count)(l, i, side, LAID_PERMS, -1);
    LANE(count)(l, i, side, LAID_QUEENS, -(cuttle_rank(card) == RANK_Q));
    if (__builtin_expect(cuttle_rank(card) == RANK_J, 0)) {
        const int under = (int)(l->at[i].links >> 8 * (card & 3) & 63);
        LANE(set_link)(l, i, card & 3, CUTTLE_NO_CARD);
        LANE(move_stack)(l, i, side, under, cuttle_linked(l->at[i].links, under));
    }
    return side;
}

/* A window that opens for q, who holds a two; returns whether the one-off is cancelled in the end (C16). */
static __attribute__((noinline)) int LANE(duel)(LANE(games) *l, int i, int q)
{
    for (int cancelled = 0;;) {
        const uint64_t twos = l->at[i].hand[q] & CUTTLE_RANK(RANK_2);
        const unsigned k = LANE(pick)(l, i, 1 + (unsigned)popcount(twos));
        if (!k) return cancelled;
        const int two = nth_bit(twos, k - 1);
        LANE(lose)(l, i, q, two);
        LANE(lay_scrap)(l, i, BIT(two));
        cancelled ^= 1;
        if (!l->at[i].hand[!q] || (l->at[i].perms[q] & CUTTLE_RANK(RANK_Q))) return cancelled;
        q = !q;
        LANE(tick)(l, i);
    }
}

/* Asks the other player about a one-off, where he may answer (C17, C21). */
HOT int LANE(cancelled)(LANE(games) *l, int i, int p, int is_two)
{
    const uint64_t hand = l->at[i].hand[!p];
    if (!hand || (is_two && (l->at[i].perms[p] & CUTTLE_RANK(RANK_Q)))) return 0;
    LANE(tick)(l, i);
    return __builtin_expect((hand & CUTTLE_RANK(RANK_2)) != 0, 0) && LANE(duel)(l, i, !p);
}

HOT void LANE(ace)(LANE(games) *l, int i)                                                               /* C8 */
{
    const uint64_t jacks = (l->at[i].perms[0] | l->at[i].perms[1]) & CUTTLE_RANK(RANK_J);
    LANE(lay_scrap)(l, i, l->at[i].points[0] | l->at[i].points[1] | jacks);
    for (int p = 0; p < 2; p++) {
        LANE(count)(l, i, p, LAID_PERMS, -popcount(l->at[i].perms[p] & jacks));
        l->at[i].perms[p] &= ~jacks;
        l->at[i].points[p] = 0;
        l->laid[p][LAID_POINTS][i] = l->at[i].score[p] = l->scuttles[p][i] = 0;
    }
    l->at[i].links = CUTTLE_NO_LINKS;
}

HOT void LANE(three)(LANE(games) *l, int i, int p)                                                      /* C10 */
{
    LANE(tick)(l, i);
    const int card = nth_bit(l->at[i].scrap, LANE(pick)(l, i, (unsigned)popcount(l->at[i].scrap)));
    l->at[i].scrap ^= BIT(card);
    LANE(gain)(l, i, p, card);
}

HOT void LANE(four)(LANE(games) *l, int i, int p)                                                       /* C11 */
{
    uint64_t hand = l->at[i].hand[!p], gone = hand;
    const unsigned n = (unsigned)popcount(hand);
    if (n > 2) {
        LANE(tick)(l, i);
        unsigned k = LANE(pick)(l, i, n * (n - 1) / 2), first = 0;
        while (k >= n - 1 - first) k -= n - 1 - first++;
        gone = BIT(nth_bit(hand, first)) | BIT(nth_bit(hand, first + 1 + k));
    }
    LANE(lay_scrap)(l, i, gone);
    for (; gone; gone &= gone - 1) LANE(lose)(l, i, !p, lowest(gone));
}

HOT void LANE(five)(LANE(games) *l, int i, int p)                                                       /* C12 */
{
    for (int n = 0; n < 2 && l->at[i].deep; n++) LANE(gain)(l, i, p, LANE(top_card)(l, i));
}

HOT void LANE(six)(LANE(games) *l, int i)                                                               /* C13 */
{
    LANE(lay_scrap)(l, i, l->at[i].perms[0] | l->at[i].perms[1]);
    for (int p = 0; p < 2; p++) l->at[i].perms[p] = l->laid[p][LAID_PERMS][i] = l->laid[p][LAID_QUEENS][i] = 0;
    if (__builtin_expect(l->at[i].links == CUTTLE_NO_LINKS, 1)) return;
    uint64_t odd = 0;
    for (int suit = 0; suit < 4; suit++) odd ^= BIT(l->at[i].links >> 8 * suit & 63);
    l->at[i].links = CUTTLE_NO_LINKS;
    for (odd &= CUTTLE_NUMBERS; odd; odd &= odd - 1)
        LANE(move_stack)(l, i, (l->at[i].points[1] >> lowest(odd) & 1) != 0, lowest(odd), 0);
}

/* A seven turns up a card, which is played at random (C14, C23). Returns 1 when it is played as a one-off: *card, *target. */
static __attribute__((noinline)) int LANE(seven)(LANE(games) *l, int i, int p, int *card, int *target)
{
    if (!l->at[i].deep) return 0;
    const int top = LANE(top_card)(l, i), rank = cuttle_rank(top);
    const uint64_t theirs = l->at[i].perms[!p] & CUTTLE_RANK(RANK_Q) ? 0 : l->at[i].points[!p];
    const uint64_t under = theirs ? theirs : l->at[i].points[p], lower = l->at[i].points[!p] & cuttle_under[top];
    const uint64_t targets = LANE(targets)(l, i, p), scrap = l->at[i].scrap;
    const unsigned points = rank <= RANK_T, perm = (CUTTLE_PERMANENT >> top & 1) != 0;
    const unsigned scuttles = (unsigned)popcount(lower);
    const unsigned effect = ((CUTTLE_UNAIMED | (scrap ? CUTTLE_RANK(RANK_3) : 0)) >> top & 1) != 0;
    const unsigned aimed = CUTTLE_AIMING >> top & 1 ? (unsigned)popcount(targets) : 0;
    const unsigned jacked = rank == RANK_J ? (unsigned)popcount(under) : 0;
    const unsigned n = points + perm + scuttles + effect + aimed + jacked;
    if (!n) {
        LANE(lay_scrap)(l, i, BIT(top));
        return 0;
    }
    LANE(tick)(l, i);
    unsigned k = LANE(pick)(l, i, n);
    *card = top;
    *target = CUTTLE_NO_CARD;
    if (k < points) { LANE(lay_points)(l, i, p, top); return 0; }
    k -= points;
    if (k < perm) { LANE(lay_perm)(l, i, p, top); return 0; }
    k -= perm;
    if (k < scuttles) { LANE(scuttle)(l, i, p, top, nth_bit(lower, k)); return 0; }
    k -= scuttles;
    if (k < effect) return 1;
    k -= effect;
    if (k < aimed) { *target = nth_bit(targets, k); return 1; }
    LANE(jack)(l, i, top, nth_bit(under, k - aimed));
    return 0;
}

/* A two or a nine takes effect (C9, C15). */
HOT void LANE(aim)(LANE(games) *l, int i, int card, int target)
{
    const int side = LANE(lift_perm)(l, i, target);
    if (cuttle_rank(card) == RANK_2) LANE(lay_scrap)(l, i, BIT(target));
    else LANE(gain)(l, i, side, target);
}

/* A seven takes effect, and whatever follows; then the turn is over and all goals are looked at. */
static __attribute__((noinline)) void LANE(sevens)(LANE(games) *l, int i, int p, int seven)
{
    int card = seven, target;
    uint64_t flight = BIT(seven);
    while (cuttle_rank(card) == RANK_7 && LANE(seven)(l, i, p, &card, &target)) {
        flight |= BIT(card);
        if (LANE(cancelled)(l, i, p, cuttle_rank(card) == RANK_2)) break;
        switch (cuttle_rank(card)) {
        case RANK_A: LANE(ace)(l, i); break;
        case RANK_3: LANE(three)(l, i, p); break;
        case RANK_4: LANE(four)(l, i, p); break;
        case RANK_5: LANE(five)(l, i, p); break;
        case RANK_6: LANE(six)(l, i); break;
        case RANK_2: case RANK_9: LANE(aim)(l, i, card, target); break;
        }
    }
    LANE(lay_scrap)(l, i, flight);
    if (!LANE(look)(l, i, p)) LANE(look)(l, i, !p);
}

/* An aimed card that has left the hand: answers, effect. */
HOT void LANE(play_aimed)(LANE(games) *l, int i, int p, int card, int target)
{
    if (!LANE(cancelled)(l, i, p, cuttle_rank(card) == RANK_2)) LANE(aim)(l, i, card, target);
    LANE(lay_scrap)(l, i, BIT(card));
    if (__builtin_expect(cuttle_rank(target) == RANK_J, 0) && !LANE(look)(l, i, p)) LANE(look)(l, i, !p);
}

HOT void LANE(play_six)(LANE(games) *l, int i, int p)
{
    const int flips = l->at[i].links != CUTTLE_NO_LINKS;
    LANE(six)(l, i);
    if (__builtin_expect(flips, 0) && !LANE(look)(l, i, p)) LANE(look)(l, i, !p);
}

HOT uint64_t LANE(effects)(const LANE(games) *l, int i, int p)
{
    return l->at[i].hand[p] & (CUTTLE_UNAIMED | (l->at[i].scrap ? CUTTLE_RANK(RANK_3) : 0));
}

/* The k-th scuttle in listed order. */
HOT void LANE(nth_scuttle)(const LANE(games) *l, int i, int p, unsigned k, int *card, int *target)
{
    uint64_t cards = l->at[i].hand[p] & CUTTLE_NUMBERS;
    for (;; cards &= cards - 1) {
        const uint64_t below = l->at[i].points[!p] & (BIT(lowest(cards)) - 1);
        const unsigned n = (unsigned)popcount(below);
        if (k < n) {
            *card = lowest(cards);
            *target = nth_bit(below, k);
            return;
        }
        k -= n;
    }
}

/* ---- into a lane and out of it ---- */

/* Puts a complete state at an ordinary turn into lane i, whose player `mover` is to move next. */
static inline void LANE(load)(LANE(games) *l, int i, const cuttle *s, rng r, int mover, int plies)
{
    const int flip = cuttle_turn(s) ^ mover;
    l->at[i].flip = (uint8_t)flip;
    for (int p = 0; p < 2; p++) {
        const uint64_t hand = s->hand[p ^ flip], perms = s->perms[p ^ flip], points = s->points[p ^ flip];
        unsigned scuttles = 0;
        l->at[i].hand[p] = hand;
        l->at[i].points[p] = points;
        l->at[i].perms[p] = perms;
        if (KEPT) {
            l->held[p][SORT_PLAIN][i] = (uint16_t)popcount(hand & CUTTLE_UNAIMED);
            l->held[p][SORT_THREE][i] = (uint16_t)popcount(hand & CUTTLE_RANK(RANK_3));
            l->held[p][SORT_AIMING][i] = (uint16_t)popcount(hand & CUTTLE_AIMING);
            l->held[p][SORT_EIGHT][i] = (uint16_t)popcount(hand & CUTTLE_RANK(RANK_8));
            l->held[p][SORT_TEN][i] = (uint16_t)popcount(hand & CUTTLE_RANK(RANK_T));
            l->held[p][SORT_CROWN][i] = (uint16_t)popcount(hand & (CUTTLE_RANK(RANK_Q) | CUTTLE_RANK(RANK_K)));
            l->held[p][SORT_JACK][i] = (uint16_t)popcount(hand & CUTTLE_RANK(RANK_J));
            l->laid[p][LAID_POINTS][i] = (uint16_t)popcount(points);
            l->laid[p][LAID_PERMS][i] = (uint16_t)popcount(perms);
            l->laid[p][LAID_QUEENS][i] = (uint16_t)popcount(perms & CUTTLE_RANK(RANK_Q));
        }
        l->at[i].score[p] = (uint8_t)cuttle_sum(points);
        for (uint64_t t = s->points[!p ^ flip]; t; t &= t - 1)
            scuttles += (unsigned)popcount(hand & cuttle_above(lowest(t)));
        l->scuttles[p][i] = (uint16_t)scuttles;
    }
    l->at[i].scrap = s->scrap;
    l->scrapped[i] = s->scrap ? 0xffff : 0;
    l->at[i].links = 0;
    for (int suit = 0; suit < 4; suit++) l->at[i].links |= (uint32_t)cuttle_jack_link(s, suit) << 8 * suit;
    l->at[i].deep = (uint8_t)cuttle_stock_size(s);
    l->passes[i] = l->at[i].deep ? 0 : (uint16_t)cuttle_passes(s);
    l->plies[i] = (uint32_t)plies;
    l->at[i].result = 0;
    l->x[i] = r.x;
    l->g[i] = r.g;
    memcpy(l->at[i].stock, s->stock, sizeof s->stock);   /* little-endian: bytes in order */
}

/* Brings the state of lane i, whose player `mover` is to move or has just ended the game, up to date; what the players know
 * of one another's hands is not followed. `s` is the state that was put into the lane, or any other with the same seats. */
static inline void LANE(store)(const LANE(games) *l, int i, cuttle *s, rng *r, int mover)
{
    const int flip = l->at[i].flip, deep = l->at[i].deep, result = l->at[i].result;
    for (int p = 0; p < 2; p++) {
        s->hand[p ^ flip] = l->at[i].hand[p];
        s->points[p ^ flip] = l->at[i].points[p];
        s->perms[p ^ flip] = l->at[i].perms[p];
    }
    s->scrap = l->at[i].scrap;
    s->known &= s->hand[0] | s->hand[1];
    for (int suit = 0; suit < 4; suit++) cuttle_set_jack_link(s, suit, (int)(l->at[i].links >> 8 * suit & 63));
    memcpy(s->stock, l->at[i].stock, sizeof s->stock);
    for (int w = 0; w < 7; w++) {
        const int left = deep - 8 * w;
        s->stock[w] &= left >= 8 ? ~0ull : left > 0 ? BIT(8 * left) - 1 : 0;
    }
    s->status = (uint64_t)(mover ^ flip) | (uint64_t)l->passes[i] << 1 | (uint64_t)deep << 8
              | (result ? (uint64_t)CUTTLE_OVER << 3 | (uint64_t)(result == 3 ? 3 : 1 + ((result - 1) ^ flip)) << 6 : 0);
    r->x = l->x[i];
    r->g = l->g[i];
}

#undef HOT
#undef KEPT
