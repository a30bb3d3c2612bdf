/* The core's invariants, from inside, under the sanitizers: scripts/sanitize builds and runs this.
 * Argument: how many times the ordinary number of games (scripts/test --full says 10). */
#define ENGINE test_engine
#define ENGINE_ISA "test"
#include "engine.inc"

#include <stdio.h>

static int failures;

#define CHECK(what) do { if (!(what)) { failures++; fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, #what); \
                                        if (failures > 20) exit(1); } } while (0)

/* Which legal move a uniform playout draws: the k-th as listed in Cuttle, one word a ply (rng.h). */
static int cuttle_drawn(const cuttle *s, const uint16_t *moves, int n, rng *r)
{
    (void)s;
    (void)moves;
    return (int)rng_below(r, (uint32_t)n);
}

/* In Buck Euchre the cards of a trick share a word and are counted in the order by trump. */
static int buck_drawn(const buck *s, const uint16_t *moves, int n, rng *r)
{
    static uint64_t word;
    if (buck_stage(s) != BUCK_PLAY) return (int)rng_below(r, (uint32_t)n);
    const int place = (int)field(s->table, 20, 3);
    if (popcount(s->hand[buck_to_move(s)]) == 1) return 0;   /* the last trick takes no word */
    if (place == 0) word = rng_word(r);
    uint64_t legal = 0;
    for (int i = 0; i < n; i++) legal |= BIT(moves[i] >> 6 & 63);
    const uint32_t packed = buck_pack((uint32_t)legal, buck_trump(s));
    const unsigned quarter = (unsigned)(word >> 16 * place & 0xffff);
    const int card = buck_unpack_card(nth_bit(packed, quarter * (unsigned)n >> 16), buck_trump(s));
    for (int i = 0; i < n; i++)
        if ((moves[i] >> 6 & 63) == card) return i;
    return -1;
}

#define STATE cuttle
#define GAME(name) cuttle_##name
#define SEATS 2
#define OBSERVERS 2
#define NAME "cuttle"
#define DRAWN cuttle_drawn
#define HIDE(move) (move)
#define FORGET(s) ((s)->known = 0)   /* playouts do not follow what the players know */
#include "truths.inc"
#undef STATE
#undef GAME
#undef SEATS
#undef OBSERVERS
#undef NAME
#undef DRAWN
#undef HIDE
#undef FORGET

static int cuttle_wins_now_of_view(const cuttle *s)
{
    cuttle view;
    cuttle_view(s, cuttle_to_move(s), &view);
    return cuttle_wins_now(&view);
}

/* A sure win is a legal move that ends the game so, and the policy makes it; without one, no card laid ends it. */
static void cuttle_sure_wins_win(const cuttle *s)
{
    uint16_t moves[PS_MAX_MOVES];
    uint32_t weights[PS_MAX_MOVES];
    const int n = cuttle_moves(s, moves), p = cuttle_turn(s);
    int won = 0, best = 0, best_wins = 0;
    if (cuttle_stage(s) != CUTTLE_MAIN) return;
    cuttle_policy(s, moves, n, weights);
    for (int i = 0; i < n; i++) {
        cuttle next = *s;
        const int kind = cuttle_kind(moves[i]), laid = kind == CUTTLE_POINTS || kind == CUTTLE_PERM || kind == CUTTLE_JACK;
        if (weights[i] > weights[best]) best = i;
        cuttle_play(&next, moves[i]);
        const int wins = laid && cuttle_result(&next) == 1 + p;
        if (best == i) best_wins = wins;
        won |= wins;
    }
    CHECK(won == cuttle_wins_now(s));
    CHECK(best_wins == won);
}

/* The network's rows are those of the state counted card by card, in order, each once; and its sums, done one by one without
 * vectors, are within their type. Suits and seats as such mean nothing to it. */
static void cuttle_net_keeps_the_truths(const cuttle *s)
{
    uint16_t rows[NET_MOST], other[NET_MOST];
    uint8_t holds[NET_ROWS] = { 0 };
    const int n = cuttle_net_rows(s, rows), turn = cuttle_turn(s);
    int expected = 9, odds = cuttle_net_last;
    CHECK(n <= NET_MOST);
    for (int i = 0; i < n; i++) {
        CHECK(rows[i] < NET_ROWS && !holds[rows[i]]);
        holds[rows[i]] = 1;
    }
    for (int side = 0; side < 2; side++)
        for (int rank = 0; rank < 13; rank++) {
            const int p = turn ^ side, hand = popcount(s->hand[p] & CUTTLE_RANK(rank));
            const int points = popcount(s->points[p] & CUTTLE_RANK(rank)), perms = popcount(s->perms[p] & CUTTLE_RANK(rank));
            const int scrap = side ? 0 : popcount(s->scrap & CUTTLE_RANK(rank));
            CHECK(!hand || holds[NET_HANDS + 52 * side + 4 * rank + hand - 1]);
            CHECK(!points || holds[NET_POINTS + 40 * side + 4 * rank + points - 1]);
            CHECK(!perms || holds[NET_PERMS + 24 * side + 4 * (rank - RANK_8) + perms - 1]);
            CHECK(!scrap || holds[NET_SCRAP + 4 * rank + scrap - 1]);
            expected += (hand > 0) + (points > 0) + (perms > 0) + (scrap > 0);
        }
    CHECK(n == expected);
    for (int k = 0; k < NET_HIDDEN; k++) {
        int unit = cuttle_net_first[k];
        for (int i = 0; i < n; i++) unit += cuttle_net_rows_of[rows[i]][k];
        CHECK(unit >= INT16_MIN && unit <= INT16_MAX);
        odds += (unit < 0 ? 0 : unit > NET_ONE ? NET_ONE : unit) * cuttle_net_output[k];
    }
    CHECK(odds >> 7 == cuttle_net_odds(s));
    CHECK(cuttle_net_share(odds >> 7) <= PS_ONE && cuttle_net_share(-(odds >> 7)) == PS_ONE - cuttle_net_share(odds >> 7));

    cuttle turned = *s;   /* the same state with the seats exchanged */
    for (int p = 0; p < 2; p++) {
        turned.hand[p] = s->hand[!p];
        turned.points[p] = s->points[!p];
        turned.perms[p] = s->perms[!p];
    }
    cuttle_set_turn(&turned, !turn);
    CHECK(cuttle_net_rows(&turned, other) == n && !memcmp(rows, other, (size_t)n * sizeof *rows));
}

/* Every move of a policy playout is legal, wins are taken, and the playout is that same game. */
static void cuttle_policy_game_keeps_the_truths(uint64_t seed)
{
    cuttle s, played;
    rng deal = rng_stream(seed, RNG_DEAL, 0), r = rng_stream(seed, RNG_PLAYOUT, 0), same = r;
    uint32_t shares[2], exact[2];
    int plies = 0;
    cuttle_deal(&s, &deal, (int)(seed % 2), NULL);
    played = s;
    for (; cuttle_to_move(&s) >= 0 && plies < PS_PLY_CAP; plies++) {
        uint16_t moves[PS_MAX_MOVES];
        const int n = cuttle_moves(&s, moves), winner = cuttle_wins_now(&s) ? 1 + cuttle_turn(&s) : 0;
        int legal = 0;
        cuttle_policy_of_state_is_policy_of_view(&s);
        CHECK(cuttle_wins_now_of_view(&s) == cuttle_wins_now(&s));
        cuttle_sure_wins_win(&s);
        cuttle_estimate(&s, shares);
        CHECK(shares[0] <= PS_ONE && shares[0] + shares[1] == PS_ONE);
        CHECK(!winner || shares[winner - 1] == PS_ONE);
        cuttle leaf = s;
        rng r_leaf = r;
        CHECK((cuttle_policy_settle(&leaf, &r_leaf, PS_PLY_CAP) == 0) == (cuttle_stage(&s) == CUTTLE_MAIN));
        CHECK(cuttle_stage(&leaf) == CUTTLE_MAIN || cuttle_stage(&leaf) == CUTTLE_OVER);
        cuttle_net_keeps_the_truths(&s);
        const unsigned move = cuttle_light_move(&s, &r);
        for (int i = 0; i < n; i++) legal += moves[i] == move;
        CHECK(legal == 1);
        cuttle_play(&s, move);
        CHECK(!winner || cuttle_result(&s) == winner);
    }
    CHECK(cuttle_policy_playout(&played, &same, PS_PLY_CAP) == plies);
    cuttle_estimate(&s, shares);
    cuttle_shares(&s, exact);
    CHECK(cuttle_result(&s) == 0 || (shares[0] == exact[0] && shares[1] == exact[1]));
    CHECK(!memcmp(&played, &s, sizeof s));
}

/* The network tells who wins. In games by the weights of the policy its squared error is well below the 0.25 of knowing
 * nothing, and it expects as much as there is; and it knows what is good: a card more in hand, or on the table, or a king. */
static void cuttle_net_tells_who_wins(uint64_t games)
{
    double error = 0, surplus = 0;
    int count = 0, better = 0, compared = 0;
    for (uint64_t seed = 0; seed < games; seed++) {
        cuttle states[PS_PLY_CAP];
        int n = 0;
        uint32_t result[2], shares[2], more[2];
        rng r = rng_stream(seed, RNG_PLAYOUT, 1);
        cuttle s;
        cuttle_deal(&s, &r, (int)(seed % 2), NULL);
        for (int plies = 0; cuttle_to_move(&s) >= 0 && plies < PS_PLY_CAP; plies++) {
            uint16_t moves[PS_MAX_MOVES];
            uint32_t weights[PS_MAX_MOVES];
            const int k = cuttle_moves(&s, moves);
            if (cuttle_stage(&s) == CUTTLE_MAIN && !cuttle_wins_now(&s)) states[n++] = s;
            cuttle_policy(&s, moves, k, weights);
            cuttle_play(&s, moves[k > 1 ? rng_weighed(&r, weights, k) : 0]);
        }
        cuttle_shares(&s, result);
        for (int i = 0; i < n; i++) {
            const int p = cuttle_turn(&states[i]);
            cuttle_estimate(&states[i], shares);
            const double off = ((double)shares[p] - result[p]) / PS_ONE;
            error += off * off;
            surplus += off;
            count++;
            if (cuttle_stock_size(&states[i]) == 0) continue;
            for (int side = 0; side < 2; side++) {   /* the next card of the stock, if it is a gift */
                cuttle gift = states[i];
                const uint64_t card = BIT(cuttle_draw(&gift));
                if (card & CUTTLE_RANK(RANK_K)) gift.perms[p ^ side] |= card;
                else if (card & (CUTTLE_RANK(RANK_9) | CUTTLE_RANK(RANK_T))) gift.points[p ^ side] |= card;
                else gift.hand[p ^ side] |= card;
                if (cuttle_has_goal(&gift, p ^ side)) continue;
                cuttle_estimate(&gift, more);
                better += more[p ^ side] >= shares[p ^ side];
                compared++;
            }
        }
    }
    printf("error %.4f, surplus %.4f, gifts welcome %.4f\n", error / count, surplus / count, (double)better / compared);
    CHECK(error < 0.17 * count);
    CHECK(fabs(surplus) < 0.05 * count);
    CHECK(better > 0.95 * compared);
}

/* The same along uniform games, which reach stranger positions. */
static void cuttle_uniform_game_keeps_the_policy(uint64_t seed)
{
    cuttle s;
    rng deal = rng_stream(seed, RNG_DEAL, 0), r = rng_stream(seed, RNG_PLAYOUT, 0);
    cuttle_deal(&s, &deal, (int)(seed % 2), NULL);
    while (cuttle_to_move(&s) >= 0) {
        cuttle_policy_of_state_is_policy_of_view(&s);
        CHECK(cuttle_wins_now_of_view(&s) == cuttle_wins_now(&s));
        cuttle_sure_wins_win(&s);
        cuttle_play(&s, cuttle_random_move(&s, &r));
    }
}

/* Playouts side by side are those one by one, move by move, wherever they start and however soon they are cut off: so that all
 * lanes are in use, are left and are filled again. */
static void cuttle_playouts_side_by_side_are_those_one_by_one(uint64_t seed)
{
    enum { GAMES = 300 };
    const int cap = seed % 3 ? PS_PLY_CAP : 1 + (int)(seed * 29 % 230);
    const uint64_t first = (1ull << 32) - GAMES / 2;
    cuttle s, v;
    cuttle_worlds worlds;
    ps_totals together = { 0 }, apart = { 0 };
    rng r = rng_stream(seed, RNG_DEAL, 0);
    cuttle_deal(&s, &r, (int)(seed % 2), NULL);
    for (uint64_t i = 0; i < seed % 50 && cuttle_to_move(&s) >= 0; i++) cuttle_play(&s, cuttle_random_move(&s, &r));
    v = s;
    if (seed % 5) cuttle_view(&s, (int)(seed % 2), &v);
    CHECK(cuttle_worlds_open(&worlds, &v) == 0);
    cuttle_playouts_to(&worlds, seed, first, GAMES, cap, &together);
    for (uint64_t i = first; i < first + GAMES; i++) {
        cuttle game, played;
        uint32_t shares[2];
        rng deal = rng_stream(seed, RNG_WORLD, i), play = rng_stream(seed, RNG_PLAYOUT, i), same = play;
        int plies = 0;
        cuttle_worlds_draw(&worlds, &deal, &game);
        played = game;
        for (; plies < cap && cuttle_to_move(&game) >= 0; plies++) cuttle_play(&game, cuttle_random_move(&game, &play));
        CHECK(cuttle_playout(&played, &same, cap) == plies);
        played.known = game.known = 0;
        CHECK(!memcmp(&played, &game, sizeof game));
        cuttle_shares(&game, shares);
        apart.games++;
        apart.plies += (uint64_t)plies;
        for (int seat = 0; seat < 2; seat++) apart.shares[seat] += shares[seat];
    }
    CHECK(!memcmp(&together, &apart, sizeof apart));
}

/* What the batch accepts is what is listed, out of all that a game can have. */
static void every_action_is_allowed_or_not(uint64_t seed)
{
    static uint16_t codes[PS_MAX_ACTIONS];
    uint16_t moves[PS_MAX_MOVES];
    const int16_t scores[4] = { 25, 25, 25, 25 };
    cuttle c;
    buck b;
    rng r = rng_stream(seed, RNG_DEAL, 0);
    cuttle_deal(&c, &r, 1, NULL);
    buck_deal(&b, &r, 3, scores);
    for (int turn = 0; turn < 60; turn++) {
        int listed = cuttle_moves(&c, moves), allowed = 0, all = cuttle_actions(codes);
        CHECK(all <= PS_MAX_ACTIONS);
        for (int i = 0; i < all; i++) allowed += cuttle_allows(&c, codes[i]);
        CHECK(allowed == listed);
        if (listed) cuttle_play(&c, moves[rng_below(&r, (uint32_t)listed)]);
        listed = buck_moves(&b, moves), allowed = 0, all = buck_actions(codes);
        for (int i = 0; i < all; i++) allowed += buck_allows(&b, codes[i]);
        CHECK(allowed == listed);
        if (listed) buck_play(&b, moves[rng_below(&r, (uint32_t)listed)]);
    }
}

/* A tree made by hand: three moves, of which each visit finds some legal. A move counts as available from the visit on in which
 * it was added, in each that finds it legal, chosen or not; and the bound of a move rests on that count alone. */
static void availability_is_counted(void)
{
    static const uint16_t legal[6][3] = { { 10, 20, 0 }, { 10, 20, 0 }, { 10, 0, 0 }, { 20, 30, 0 }, { 20, 30, 0 }, { 10, 20, 30 } };
    static const int many[6] = { 2, 2, 1, 2, 2, 3 };
    tree t;
    confidence conf;
    rng r = rng_stream(1, RNG_SEARCH, 0);
    int added, first = 0;
    CHECK(!tree_open(&t, 1 << 20));
    confidence_open(&conf);
    for (int i = 0; i < 6; i++) {
        const uint32_t child = cuttle_select(&t, 0, legal[i], many[i], &conf, &r, &added);
        CHECK(child && added == (i < 2 || i == 3));
        if (!i) first = t.nodes[child].move;
        tree_visit(&t, child, PS_ONE / 2);
    }
    const node *n = t.nodes + t.nodes[0].children;
    CHECK(t.nodes[0].count == 3 && n[0].move == 10 && n[1].move == 20 && n[2].move == 30);
    CHECK(n[0].available == (first == 10 ? 4 : 3) && n[1].available == (first == 10 ? 4 : 5) && n[2].available == 3);

    /* Equal visits and spreads: 10 has the better mean, 20 was seldom available and is not chosen for being rare. */
    node *m = t.nodes + t.nodes[0].children;
    for (int i = 0; i < 3; i++) m[i].visits = 100, m[i].spread = 0.5f, m[i].mean = i ? 0.50f : 0.52f;
    m[0].available = m[1].available = 400, m[2].available = 400;
    CHECK(t.nodes[cuttle_select(&t, 0, legal[5], 3, &conf, &r, &added)].move == 10);
    m[1].available = 4000;                                 /* legal ten times as often for the same visits: neglected */
    CHECK(t.nodes[cuttle_select(&t, 0, legal[5], 3, &conf, &r, &added)].move == 20);
    m[2].visits = 4;
    CHECK(t.nodes[cuttle_select(&t, 0, legal[2], 1, &conf, &r, &added)].move == 10);
    tree_close(&t);
}

#define STATE buck
#define GAME(name) buck_##name
#define SEATS 4
#define OBSERVERS 1
#define NAME "buck_euchre"
#define DRAWN buck_drawn
#define FORGET(s) ((s)->status &= ~(65535ull << 17))   /* nor which voids they have shown */
#define HIDE(move) ((move) >> 12 == BUCK_BURIES ? (BUCK_BURIES << 12 | 63u << 6) : (move))
#include "truths.inc"

/* The move that the policy's playout makes, by its weights alone; `word` is kept by the caller between the cards of a trick. */
static unsigned buck_policy_drawn(const buck *s, int first, uint64_t *word, rng *r)
{
    uint16_t moves[6];
    uint32_t weights[6];
    const int n = buck_moves(s, moves), left = popcount(s->hand[buck_turn(s)]);
    int k = 0;
    buck_policy(s, moves, n, weights);
    if (buck_stage(s) < BUCK_PLAY) return moves[rng_weighed(r, weights, n)];
    if (left == 1) return moves[0];
    if (first || !buck_length(s)) *word = rng_word(r);
    const uint64_t quarter = *word >> 16 * buck_length(s) & 65535;
    if ((quarter & 15) < BUCK_STRAY) {
        const uint32_t legal = buck_pack(buck_legal_cards(s), buck_trump(s));
        return buck_code(BUCK_PLAYS, buck_unpack_card(lowest(buck_pick(legal, quarter)), buck_trump(s)));
    }
    for (int i = 1; i < n; i++)
        if (weights[i] > weights[k]) k = i;
    return moves[k];
}

/* From any point on, the policy's playout makes the moves that its weights and words name. */
static void buck_policy_playout_is_the_policy(uint64_t seed)
{
    const int16_t scores[4] = { 25, 3, 40, 1 };
    buck s, played;
    rng r = rng_stream(seed, RNG_DEAL, 0), same;
    uint64_t word = 0;
    int plies = 0, from = -1;
    buck_deal(&s, &r, (int)(seed % 4), scores);
    for (int made = 0; buck_to_move(&s) >= 0; made++) {
        if (made == (int)(seed / 4 % 27)) played = s, same = r, from = made;
        buck_play(&s, buck_policy_drawn(&s, made == from, &word, &r));
        plies = made + 1;
    }
    if (from < 0) return;
    CHECK(buck_policy_playout(&played, &same, PS_PLY_CAP) == plies - from);
    CHECK(!memcmp(&played, &s, sizeof s));
}

int main(int argc, char **argv)
{
    const uint64_t games = 2000 * (argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    availability_is_counted();
    cuttle_truths(games);
    for (uint64_t seed = 0; seed < games; seed++) {
        cuttle_policy_game_keeps_the_truths(seed);
        if (seed % 4 == 0) cuttle_uniform_game_keeps_the_policy(seed);
    }
    cuttle_net_tells_who_wins(games / 4);
    for (uint64_t seed = 0; seed < games / 25; seed++) cuttle_playouts_side_by_side_are_those_one_by_one(seed);
    for (uint64_t seed = 0; seed < games / 100; seed++) every_action_is_allowed_or_not(seed);
    buck_truths(games);
    for (uint64_t seed = 0; seed < 2 * games; seed++) buck_policy_playout_is_the_policy(seed);
    printf("%d passed, %d failed\n", failures ? 0 : 2, failures);
    return failures != 0;
}
