/* The Buck Euchre solvers against plain recursions over buck_moves, buck_play and buck_shares: no merging, no memo, no bounds.
 * Every objective, every legal move, lines replayed, paranoid <= max^n <= cooperative. Run by scripts/sanitize.
 * Argument: how many times the ordinary number of positions (scripts/test --full says 10). */
#define ENGINE test_engine
#define ENGINE_ISA "test"
#include "engine.inc"

#include <stdio.h>

static long checks, bad;
static void check(int ok, const char *what, const buck *s)
{
    checks++;
    if (ok) return;
    if (bad++ < 20) printf("BAD %s: stage %d hand sizes %d trump %d out %x length %d\n", what, buck_stage(s), popcount(s->hand[buck_turn(s)] & BUCK_DECK), buck_trump(s), buck_out(s), buck_length(s));
}

static int taken(const buck *s, unsigned seats)
{
    int n = 0;
    for (int p = 0; p < 4; p++) n += (seats >> p & 1) * buck_tricks(s, p);
    return n;
}

/* Minimax of the tricks of some seats, or of the share of `seat` (>= 0), `side` for it. */
static int minimax(const buck *s, unsigned side, int seat)
{
    if (buck_stage(s) == BUCK_OVER) {
        uint32_t share[4];
        buck_shares(s, share);
        return seat < 0 ? taken(s, side) : (int)share[seat];
    }
    uint16_t m[8];
    int best = -1;
    const int n = buck_moves(s, m), up = side >> buck_turn(s) & 1;
    for (int i = 0; i < n; i++) {
        buck x = *s;
        buck_play(&x, m[i]);
        const int v = minimax(&x, side, seat);
        if (best < 0 || (up ? v > best : v < best)) best = v;
    }
    return best;
}

typedef struct ref { int64_t v[4], t[4], l[4], h[4]; } ref;
static ref maxn(const buck *s)
{
    ref r, c[8];
    memset(&r, 0, sizeof r);
    if (buck_stage(s) == BUCK_OVER) {
        uint32_t share[4];
        buck_shares(s, share);
        for (int p = 0; p < 4; p++) {
            r.v[p] = (int64_t)share[p] * 4096;
            r.t[p] = buck_tricks(s, p) * 4096;
            r.l[p] = r.h[p] = share[p];
        }
        return r;
    }
    uint16_t m[8];
    const int n = buck_moves(s, m), me = buck_turn(s);
    int64_t best = -1;
    int k = 0;
    for (int i = 0; i < n; i++) {
        buck x = *s;
        buck_play(&x, m[i]);
        c[i] = maxn(&x);
        if ((c[i].v[me] + 2048) / 4096 > best) best = (c[i].v[me] + 2048) / 4096;
    }
    for (int i = 0; i < n; i++) {
        if ((c[i].v[me] + 2048) / 4096 != best) continue;
        for (int p = 0; p < 4; p++) {
            r.v[p] += c[i].v[p];
            r.t[p] += c[i].t[p];
            if (!k || c[i].l[p] < r.l[p]) r.l[p] = c[i].l[p];
            if (!k || c[i].h[p] > r.h[p]) r.h[p] = c[i].h[p];
        }
        k++;
    }
    for (int p = 0; p < 4; p++) r.v[p] /= k, r.t[p] /= k;
    return r;
}

static void cut_hand(buck *s, rng *r, int p, int n)
{
    while (popcount(s->hand[p]) > n) {
        const uint64_t c = BIT(nth_bit(s->hand[p], rng_below(r, (uint32_t)popcount(s->hand[p]))));
        s->hand[p] ^= c;
        s->played |= c;
    }
}

static void scores(rng *r, int16_t sc[4])
{
    const int kind = (int)rng_below(r, 3);
    for (int p = 0; p < 4; p++) sc[p] = kind == 0 ? 25 : (int16_t)(1 + rng_below(r, kind == 1 ? 30 : 5));
}

static void position(buck *s, rng *r, unsigned out, int trump, int n, int plies)
{
    int16_t sc[4];
    scores(r, sc);
    buck_deal(s, r, (int)rng_below(r, 4), sc);
    int maker = BUCK_NONE, p;
    if (trump < 4 && (out || rng_below(r, 4)))
        do maker = (int)rng_below(r, 4);
        while (out >> maker & 1);
    s->status &= ~(15ull << 13);
    s->status |= (uint64_t)out << 13;
    buck_set_maker(s, maker);
    buck_set_trump(s, trump);
    for (p = 0; p < 4; p++)
        if (!(out >> p & 1)) cut_hand(s, r, p, n);
    for (int i = n; i < 5; i++) {
        do p = (int)rng_below(r, 4);
        while (out >> p & 1);
        buck_add_tricks(s, p, 1);
    }
    buck_start_play(s);
    if (n < 5) {
        do p = (int)rng_below(r, 4);
        while (out >> p & 1);
        buck_set_turn(s, p);
        buck_set_leader(s, p);
    }
    for (int i = 0; i < plies; i++) {
        uint16_t m[8];
        const int k = buck_moves(s, m);
        buck_play(s, m[rng_below(r, (uint32_t)k)]);
    }
}

static void solve(const buck *s, int objective, int seats, int detail, ps_buck_solution *out)
{
    ps_control c = { .stop = 0 };
    const int r = buck_solve(s, 1, objective, seats, detail, &c, out);
    check(r == 0 && out->known == 1, "returns", s);
}

static int is_worth(const ps_buck_worth *w, const ref *r, const buck *s)
{
    int ok = 1;
    for (int p = 0; p < 4; p++)
        ok &= w->value[p] == r->v[p] && w->tricks[p] == r->t[p] - 4096 * buck_tricks(s, p) && w->low[p] == r->l[p] && w->high[p] == r->h[p];
    return ok;
}

static buck replay(const buck *s, const ps_buck_solution *x, int *legal)
{
    buck e = *s;
    *legal = 1;
    for (int i = 0; i < x->length; i++) {
        uint16_t m[8];
        int found = 0;
        for (int k = 0, n = buck_moves(&e, m); k < n; k++) found |= m[k] == x->line[i];
        *legal &= found;
        if (!found) return e;
        buck_play(&e, x->line[i]);
    }
    *legal &= buck_stage(&e) == BUCK_OVER;
    return e;
}

static void test_maxn(const buck *s, int play)
{
    ps_buck_solution x, y;
    const ref r = maxn(s);
    uint32_t share[4];
    int legal;
    solve(s, PS_MAXN, 0, 2, &x);
    check(is_worth(&x.worth, &r, s), "maxn worth", s);
    uint16_t m[8];
    const int n = buck_moves(s, m), me = buck_turn(s);
    int first = -1;
    check(x.moves == n, "maxn moves", s);
    for (int i = 0; i < n; i++) {
        buck z = *s;
        buck_play(&z, m[i]);
        const ref c = maxn(&z);
        check(x.move[i] == m[i] && is_worth(&x.move_worth[i], &c, s), "maxn move", s);
        if (first < 0 && (c.v[me] + 2048) / 4096 == x.score) first = i;
    }
    const buck e = replay(s, &x, &legal);
    check(legal, "maxn line", s);
    check(first >= 0 && x.line[0] == m[first], "maxn line begins with the first best", s);
    buck_shares(&e, share);
    int64_t sum = 0;
    for (int p = 0; p < 4; p++) {
        check((int64_t)share[p] >= r.l[p] && (int64_t)share[p] <= r.h[p], "maxn line within", s);
        check(x.worth.low[p] * 4096ll <= x.worth.value[p] && x.worth.value[p] <= x.worth.high[p] * 4096ll, "interval", s);
        sum += x.worth.value[p];
    }
    check(sum <= 4096ll * PS_ONE && sum > 4096ll * PS_ONE - 128, "values add up", s);
    solve(s, PS_MAXN, 0, 0, &y);
    check(!memcmp(&x.worth, &y.worth, sizeof x.worth) && y.moves == 0 && y.length == 0, "maxn detail 0", s);
    if (!play) return;
    for (int objective = PS_PARANOID; objective <= PS_COOPERATIVE; objective++) {
        const unsigned side = objective == PS_COOPERATIVE ? 15 : 1u << me;
        solve(s, objective, 0, 2, &y);
        check(y.score == minimax(s, side, me), "sides", s);
        for (int i = 0; i < n; i++) {
            buck z = *s;
            buck_play(&z, m[i]);
            check(y.move[i] == m[i] && y.move_score[i] == minimax(&z, side, me), "sides move", s);
        }
        const buck f = replay(s, &y, &legal);
        buck_shares(&f, share);
        check(legal && (int)share[me] == y.score, "sides line", s);
        if (objective == PS_PARANOID) check(y.score <= x.score, "paranoid <= maxn", s);
        else check(x.score <= y.score && x.worth.high[me] <= y.score, "maxn <= cooperative", s);
    }
}

static void test_coalition(const buck *s, int seats)
{
    ps_buck_solution x, y;
    int legal;
    const int base = taken(s, (unsigned)seats), up = seats >> buck_turn(s) & 1, want = minimax(s, (unsigned)seats, -1) - base;
    uint16_t m[8];
    const int n = buck_moves(s, m);
    solve(s, PS_COALITION, seats, 2, &x);
    solve(s, PS_COALITION, seats, 0, &y);
    check(x.score == want && y.score == want, "coalition", s);
    check(x.moves == n, "coalition moves", s);
    int first = -1;
    for (int i = 0; i < n; i++) {
        buck z = *s;
        buck_play(&z, m[i]);
        const int v = minimax(&z, (unsigned)seats, -1) - base;
        check(x.move[i] == m[i] && x.move_score[i] == v, "coalition move", s);
        if (first < 0 && v == want) first = i;
        check(up ? v <= want : v >= want, "reference", s);
    }
    const buck e = replay(s, &x, &legal);
    check(legal && taken(&e, (unsigned)seats) - base == want && x.line[0] == m[first], "coalition line", s);
}

/* Play positions of n cards: any coalition, two to four active seats, trumps or none, within a trick or between two. */
static void test_play(int n, long positions, uint64_t seed)
{
    for (long i = 0; i < positions; i++) {
        rng r = rng_stream(seed, (uint32_t)n, (uint64_t)i);
        unsigned out = 0;
        const int trump = (int)rng_below(&r, 5);
        if (trump < 4 && rng_below(&r, 2))
            do out = rng_below(&r, 16);
            while (popcount(15 & ~out) < 2);
        buck s;
        position(&s, &r, out, trump, n, (int)rng_below(&r, (uint32_t)(4 - popcount(out))));
        test_coalition(&s, (int)(1 + rng_below(&r, 15)));
        if (i % 5 == 0 || n == 5) test_maxn(&s, 1);
    }
}

/* Bidding positions with hands of one to three cards: a plain recursion over more would take too long. */
static void test_bids(long positions, uint64_t seed)
{
    for (long i = 0; i < positions; i++) {
        rng r = rng_stream(seed, 77, (uint64_t)i);
        int16_t sc[4];
        buck s;
        scores(&r, sc);
        do buck_deal(&s, &r, (int)rng_below(&r, 4), sc);
        while (buck_stage(&s) == BUCK_PLAY);
        for (int p = 0; p < 4; p++) cut_hand(&s, &r, p, 1 + (int)(i % 3));
        for (int k = (int)rng_below(&r, 11); k; k--) {
            uint16_t m[8];
            buck z = s;
            const int c = buck_moves(&s, m), j = (int)rng_below(&r, (uint32_t)c);
            buck_play(&z, m[rng_below(&r, 2) ? 0 : j]);
            if (buck_stage(&z) >= BUCK_PLAY) break;
            s = z;
        }
        if (i % 3 == 2 && buck_stage(&s) < BUCK_BURY) continue;
        test_maxn(&s, 0);
    }
}

int main(int argc, char **argv)
{
    const long times = argc > 1 ? atol(argv[1]) : 1;
    const uint64_t seed = 20261130;
    test_play(1, 100 * times, seed);
    test_play(2, 1000 * times, seed);
    test_play(3, 1000 * times, seed);
    test_play(4, 50 * times, seed);
    test_bids(60 * times, seed);
    printf("Buck Euchre solvers: %ld checks\n", checks);
    printf("%d passed, %ld failed\n", !bad, bad);
    return bad != 0;
}
