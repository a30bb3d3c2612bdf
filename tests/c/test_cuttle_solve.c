/* The Cuttle solver against two slow methods that share nothing with it but the rules: retrograde analysis of the whole graph
 * of positions that can be reached (small endings, threes in circulation among them), and plain full-width search to a depth
 * (midgame). Every legal move's value, distances, lines, and the same answers with a small table. Run by scripts/sanitize.
 * Argument: how many times the ordinary number of positions (scripts/test --full says 10). */
#define ENGINE test_engine
#define ENGINE_ISA "test"
#include "engine.inc"

#include <stdio.h>

static long failures;

static void fail(const char *what, uint64_t number, int move, int expected, int plies, int result, int found)
{
    if (failures++ < 20)
        printf("position %llu move %d: %s: expected %d in %d, found %d in %d\n", (unsigned long long)number, move, what,
               expected, plies, result, found);
}

/* ---- the graph of positions ---- */

enum { STATES = 1 << 17, SLOTS = 1 << 19, EDGES = 1 << 22 };

static cuttle states[STATES];
static int slots[SLOTS], first[STATES + 1], edges[EDGES], from[EDGES], into[STATES + 2], place[STATES + 2], queue[STATES];
static int open_moves[STATES];
static short distance[2][STATES];   /* plies to a forced win of a player, -1 for none */
static int number_of_states;

static uint64_t mixed(const cuttle *s)
{
    const uint64_t *word = (const uint64_t *)s;
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof *s / 8; i++) {
        h = (h ^ word[i]) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    }
    return h;
}

/* The number of a state (who knows what is left out), -1 when there are too many. */
static int number_of(cuttle s)
{
    s.known = 0;
    uint64_t slot = mixed(&s) % SLOTS;
    for (; slots[slot] >= 0; slot = (slot + 1) % SLOTS)
        if (!memcmp(&states[slots[slot]], &s, sizeof s)) return slots[slot];
    if (number_of_states == STATES) return -1;
    states[number_of_states] = s;
    slots[slot] = number_of_states;
    return number_of_states++;
}

/* All that can be reached from `root`. Returns 0 when it is too much. */
static int build_graph(const cuttle *root)
{
    int n = 0;
    memset(slots, -1, sizeof slots);
    number_of_states = 0;
    number_of(*root);
    for (int i = 0; i < number_of_states; i++) {
        uint16_t moves[PS_MAX_MOVES];
        const cuttle here = states[i];
        first[i] = n;
        const int count = cuttle_moves(&here, moves);
        if (n + count > EDGES) return 0;
        for (int k = 0; k < count; k++) {
            cuttle next = here;
            cuttle_play(&next, moves[k]);
            edges[n] = number_of(next);
            if (edges[n++] < 0) return 0;
        }
    }
    first[number_of_states] = n;
    return 1;
}

/* Backward induction: a state is won for a player when he moves to a won one, or when all moves of the other lead there. */
static void analyse_graph(void)
{
    const int n = first[number_of_states];
    memset(into, 0, sizeof into);
    for (int e = 0; e < n; e++) into[edges[e] + 1]++;
    for (int i = 0; i < number_of_states; i++) into[i + 1] += into[i];
    memcpy(place, into, sizeof place);
    for (int i = 0; i < number_of_states; i++)
        for (int e = first[i]; e < first[i + 1]; e++) from[place[edges[e]]++] = i;
    for (int player = 0; player < 2; player++) {
        short *const d = distance[player];
        int head = 0, tail = 0;
        for (int i = 0; i < number_of_states; i++) {
            d[i] = -1;
            open_moves[i] = first[i + 1] - first[i];
            if (cuttle_result(&states[i]) == 1 + player) {
                d[i] = 0;
                queue[tail++] = i;
            }
        }
        while (head < tail) {
            const int x = queue[head++];
            for (int e = into[x]; e < into[x + 1]; e++) {
                const int y = from[e];
                if (d[y] >= 0 || (cuttle_to_move(&states[y]) != player && --open_moves[y])) continue;
                d[y] = (short)(d[x] + 1);
                queue[tail++] = y;
            }
        }
    }
}

/* ---- positions ---- */

/* A state that random play comes to, after at least so many plies; 0 when the game ends first. */
static int random_state(cuttle *s, uint64_t seed, int plies)
{
    rng deal = rng_stream(seed, RNG_DEAL, 0), play = rng_stream(seed, RNG_PLAYOUT, 0);
    cuttle_deal(s, &deal, 1, NULL);
    for (int i = 0; i < plies && cuttle_stage(s) != CUTTLE_OVER; i++) cuttle_play(s, cuttle_random_move(s, &play));
    return cuttle_stage(s) != CUTTLE_OVER;
}

/* Most cards go to the scrap: short stocks, small hands, up to two threes put back into hands; then a few plies. */
static int small_state(cuttle *s, uint64_t seed)
{
    rng r = rng_stream(seed, RNG_SEARCH, 0);
    if (!random_state(s, seed, 10 + (int)(seed % 30)) || cuttle_stage(s) != CUTTLE_MAIN) return 0;
    const int threes = (int)rng_below(&r, 3);
    const int stock = rng_below(&r, 2) ? (int)rng_below(&r, 4) : 0;
    while (cuttle_stock_size(s) > stock) s->scrap |= BIT(cuttle_draw(s));
    for (int p = 0; p < 2; p++) {
        const int size = (int)rng_below(&r, threes ? 3 : 5);
        while (popcount(s->hand[p]) > size) {
            const uint64_t card = BIT(nth_bit(s->hand[p], rng_below(&r, (uint32_t)popcount(s->hand[p]))));
            s->hand[p] ^= card;
            s->scrap |= card;
        }
    }
    for (int i = 0; i < threes && (s->scrap & CUTTLE_RANK(RANK_3)); i++) {
        const uint64_t card = s->scrap & CUTTLE_RANK(RANK_3);
        s->scrap ^= card & (0 - card);
        s->hand[rng_below(&r, 2)] |= card & (0 - card);
    }
    s->known = 0;
    for (int i = (int)rng_below(&r, 3); i && cuttle_stage(s) != CUTTLE_OVER; i--) cuttle_play(s, cuttle_random_move(s, &r));
    s->known = 0;
    return cuttle_stage(s) != CUTTLE_OVER;
}

/* ---- against the graph ---- */

static ps_solved solved[PS_MAX_MOVES];
static ps_solution solution;
static long unknown, values, totals[3];

/* A value that the solver gave, against the truth from the graph: known ones must be right, shortest ones exact. */
static void compare(uint64_t number, int move, int expected, int plies, int result, int found, int shortest)
{
    values++;
    totals[expected + 1]++;
    if (result == 2) unknown++;
    else if (result != expected || (expected && (shortest ? found != plies : found < plies)))
        fail("value", number, move, expected, plies, result, found);
}

static void check_line(const cuttle *root, uint64_t number)
{
    cuttle s = *root;
    if (solution.result == 2) return;
    for (int i = 0; i < solution.length; i++) cuttle_play(&s, solution.line[i]);
    const int over = cuttle_stage(&s) == CUTTLE_OVER, mover = cuttle_to_move(root);
    const int winner = cuttle_result(&s) - 1;
    if (solution.result == 0 ? over && winner < 2 : !over || (winner == mover) != (solution.result == 1))
        fail("line", number, -1, solution.result, solution.plies, 0, solution.length);
    if (solution.result != 0 && solution.length != solution.plies)
        fail("length of the line", number, -1, solution.result, solution.plies, 0, solution.length);
}

static int check_against_graph(uint64_t number)
{
    cuttle root;
    if (!small_state(&root, number) || !build_graph(&root)) return 0;
    analyse_graph();
    ps_control control = { .nodes = 4000000, .memory = number % 2 ? 1 << 20 : 1 << 24 };
    const int n = cuttle_solve(&root, &control, solved, &solution), mover = cuttle_to_move(&root);
    for (int i = -1; i < n; i++) {
        const int id = i < 0 ? 0 : edges[first[0] + i];
        const int mine = distance[mover][id], theirs = distance[!mover][id];
        const int expected = mine >= 0 ? 1 : theirs >= 0 ? -1 : 0;
        const int plies = (expected > 0 ? mine : expected < 0 ? theirs : 0) + (i >= 0 && expected);
        if (i < 0) compare(number, i, expected, plies, solution.result, solution.plies, solution.shortest);
        else compare(number, i, expected, plies, solved[i].result, solved[i].plies, solved[i].shortest);
    }
    check_line(&root, number);
    return 1;
}

/* ---- against plain search ---- */

/* Whether `player` forces a win within so many plies. */
static int forces(const cuttle *s, int player, int plies)
{
    uint16_t moves[PS_MAX_MOVES];
    if (cuttle_stage(s) == CUTTLE_OVER) return cuttle_result(s) == 1 + player;
    if (!plies) return 0;
    const int chooses = cuttle_to_move(s) == player;
    for (int i = 0, n = cuttle_moves(s, moves); i < n; i++) {
        cuttle next = *s;
        cuttle_play(&next, moves[i]);
        if (forces(&next, player, plies - 1) == chooses) return chooses;
    }
    return !chooses;
}

static int check_against_plain_search(uint64_t number, int depth)
{
    cuttle root;
    if (!random_state(&root, 777000 + number, 8 + (int)(number % 40))) return 0;
    ps_control control = { .nodes = 300000, .memory = 1 << 20 };
    const int n = cuttle_solve(&root, &control, solved, &solution), mover = cuttle_to_move(&root);
    if (n > 24) return 0;   /* plain search would take too long */
    for (int i = 0; i < n; i++) {
        cuttle next = root;
        int expected = 2, plies = 0;
        cuttle_play(&next, solved[i].move);
        for (int d = 0; d < depth && expected == 2; d++)
            for (int player = 0; player < 2; player++)
                if (forces(&next, player, d)) {
                    expected = player == mover ? 1 : -1;
                    plies = d + 1;
                }
        if (expected != 2) compare(number, i, expected, plies, solved[i].result, solved[i].plies, solved[i].shortest);
        else if ((solved[i].result == 1 || solved[i].result == -1) && solved[i].plies <= depth)
            fail("too early", number, i, expected, plies, solved[i].result, solved[i].plies);
    }
    check_line(&root, number);
    return 1;
}

int main(int argc, char **argv)
{
    const long times = argc > 1 ? atol(argv[1]) : 1;
    long done = 0;
    uint64_t number = 0, graph = 0;
    for (; done < 1000 * times; number++)
        if (check_against_graph(number)) {
            done++;
            graph += (uint64_t)number_of_states;
        }
    printf("retrograde: %ld positions, %llu states, %ld values (loss %ld, draw %ld, win %ld), unknown %ld\n", done,
           (unsigned long long)graph, values, totals[0], totals[1], totals[2], unknown);
    if (unknown * 50 > values) fail("more than 2 % unknown", 0, 0, 0, 0, 0, 0);
    values = unknown = 0;
    for (done = 0, number = 0; done < 100 * times; number++) done += check_against_plain_search(number, times > 1 ? 6 : 5);
    printf("plain search: %ld positions, %ld values decided, unknown %ld\n", done, values, unknown);
    printf("%d passed, %ld failed\n", failures ? 0 : 2, failures);
    return failures != 0;
}
