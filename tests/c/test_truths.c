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
#define NAME "cuttle"
#define DRAWN cuttle_drawn
#define HIDE(move) (move)
#include "truths.inc"
#undef STATE
#undef GAME
#undef SEATS
#undef NAME
#undef DRAWN
#undef HIDE

#define STATE buck
#define GAME(name) buck_##name
#define SEATS 4
#define NAME "buck_euchre"
#define DRAWN buck_drawn
#define HIDE(move) ((move) >> 12 == BUCK_BURIES ? (BUCK_BURIES << 12 | 63u << 6) : (move))
#include "truths.inc"

int main(int argc, char **argv)
{
    const uint64_t games = 2000 * (argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    cuttle_truths(games);
    buck_truths(games);
    printf("%d passed, %d failed\n", failures ? 0 : 2, failures);
    return failures != 0;
}
