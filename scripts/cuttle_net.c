/* The heavy loops of scripts/make_cuttle_net, which builds this as a library of its own for each round: the network of the
 * round before is compiled in. In the first round, with NET_BEGIN, leaves are valued by rules of thumb. */
#define _POSIX_C_SOURCE 199309L
#define ENGINE net_engine
#define ENGINE_ISA "net"
#include "cuttle_leaf.h"

#ifdef NET_BEGIN
/* What p has, in 1/64 of the logarithm of odds: weights fitted (logistic regression) to games of the policy's light playouts. */
static int standing(const cuttle *s, int p)
{
    static const int8_t held[12] = { 54, 72, 21, 29, 40, 47, 36, 45, 48, 67, 24, 0 };
    const uint64_t hand = s->hand[p], perms = s->perms[p];
    const int need = cuttle_goal(s, p) - cuttle_sum(s->points[p]);
    int sum = -6 * need + 18 * (need <= 10) + 30 * popcount(s->points[p]) + 40 * popcount(perms & CUTTLE_RANK(RANK_K))
            + 33 * cuttle_has_queen(s, p) + 45 * popcount(perms & CUTTLE_RANK(RANK_8))
            + 37 * popcount(hand & CUTTLE_RANK(RANK_K))
            + 58 * !cuttle_has_queen(s, !p) * popcount(hand & CUTTLE_RANK(RANK_J));
    for (int rank = 0; rank < 12; rank++) sum += held[rank] * popcount(hand & CUTTLE_RANK(rank));
    return sum;
}

/* Three light moves, what is under way played to the end, and then an estimate. */
static void plain_leaf(cuttle *s, rng *r, int cap, uint32_t shares[2])
{
    for (int ply = 0; ply < 3 && ply < cap && cuttle_stage(s) != CUTTLE_OVER && !cuttle_wins_now(s); ply++)
        cuttle_play(s, cuttle_light_move(s, r));
    cuttle_policy_settle(s, r, cap);
    const int p = cuttle_turn(s);
    if (cuttle_stage(s) == CUTTLE_OVER) {
        cuttle_shares(s, shares);
        return;
    }
    shares[p] = cuttle_wins_now(s) ? PS_ONE : cuttle_net_share(standing(s, p) - standing(s, !p) + 25);
    shares[!p] = PS_ONE - shares[p];
}
#define cuttle_leaf plain_leaf       /* for the search */
#endif
#include "engine.inc"

#define LONGEST 512
#define EIGHTH 8                     /* an own vector of floats: sums come out alike whatever the instruction set */

typedef struct {
    cuttle state;
    float share;                     /* of the win, of the player whose turn it is */
    uint32_t number;                 /* of the game */
} position;

/* What a player does: draws by the weights of the policy, makes the heaviest move, or searches with so many iterations. */
enum { PLAYER_POLICY = 0, PLAYER_RULES = -1 };

static unsigned move_of(const cuttle *s, int player, rng *r)
{
    static _Thread_local ps_ranked ranked[PS_MAX_MOVES];
    uint16_t moves[PS_MAX_MOVES];
    uint32_t weights[PS_MAX_MOVES];
    const int n = cuttle_moves(s, moves);
    int best = 0;
    if (n == 1) return moves[0];
    if (player <= 0) {
        cuttle_policy(s, moves, n, weights);
        if (player == PLAYER_POLICY) return moves[rng_weighed(r, weights, n)];
        for (int i = 1; i < n; i++) best = weights[i] > weights[best] ? i : best;
        return moves[best];
    }
    cuttle view;
    ps_found found;
    ps_control control = { .iterations = (uint64_t)player };
    int error;
    cuttle_view(s, cuttle_to_move(s), &view);
    void *const search = cuttle_search_open(&view, PS_ISMCTS, rng_word(r), 16 << 20, &error);
    if (!search) return moves[0];
    cuttle_search_run(search, 0, 1, &control);
    cuttle_search_read(search, ranked, &found);
    cuttle_search_close(search);
    for (int i = 1; i < found.moves; i++) {                /* the most visits, then the highest mean */
        const ps_ranked *const m = &ranked[i], *const top = &ranked[best];
        if (m->visits > top->visits || (m->visits == top->visits && m->total > top->total)) best = i;
    }
    return ranked[best].move;
}

/* Games number first ... first + n - 1 of a seed, begun with some moves by the weights of the policy, of which in a third of the
 * games each tenth and in a third four of ten are uniformly random; in half of them what the player to move cannot see is then
 * dealt anew. Writes the ordinary turns after that, but sure wins, into `out` (n * LONGEST places); returns how many. */
int64_t net_games(uint64_t seed, uint64_t first, uint64_t n, int player, int other, position *out)
{
    int64_t count = 0;
    for (uint64_t g = first; g < first + n; g++) {
        rng r = rng_stream(seed, RNG_DEAL, g);
        const int64_t begun = count;
        uint32_t shares[2];
        cuttle s;
        cuttle_deal(&s, &r, (int)(g & 1), NULL);
        const int opening = (int)rng_below(&r, 40) - 8, swap = (int)rng_below(&r, 2), anew = (int)rng_below(&r, 2);
        const uint32_t odd = (const uint32_t[3]){ 0, 1, 4 }[rng_below(&r, 3)];
        for (int ply = 0; ply < opening; ply++) {
            uint16_t moves[PS_MAX_MOVES];
            cuttle next = s;
            if (rng_below(&r, 10) < odd) cuttle_play(&next, moves[rng_below(&r, (uint32_t)cuttle_moves(&s, moves))]);
            else cuttle_play(&next, move_of(&s, PLAYER_POLICY, &r));
            if (cuttle_stage(&next) == CUTTLE_OVER) break;
            s = next;
        }
        if (anew) {
            cuttle view;
            cuttle_worlds worlds;
            cuttle_view(&s, cuttle_to_move(&s), &view);
            if (!cuttle_worlds_open(&worlds, &view)) cuttle_worlds_draw(&worlds, &r, &s);
        }
        for (int ply = 0; cuttle_stage(&s) != CUTTLE_OVER && ply < LONGEST; ply++) {
            const unsigned move = move_of(&s, cuttle_to_move(&s) == swap ? other : player, &r);
            if (cuttle_stage(&s) == CUTTLE_MAIN && !cuttle_wins_now(&s)) out[count++] = (position){ .state = s, .number = (uint32_t)g };
            cuttle_play(&s, move);
        }
        cuttle_shares(&s, shares);
        for (int64_t i = begun; i < count; i++) out[i].share = (float)shares[cuttle_turn(&out[i].state)] / PS_ONE;
    }
    return count;
}

uint64_t net_position_size(void) { return sizeof(position); }

/* ---- training ---- */

typedef struct {
    float rows[NET_ROWS][NET_HIDDEN], first[NET_HIDDEN], output[NET_HIDDEN], last, fill[15];
} weights;

static const int64_t weight_count = sizeof(weights) / sizeof(float);

int64_t net_weight_count(void) { return weight_count; }

/* The logarithm of odds, and the units before they are cut. */
static float forward(const weights *w, const uint16_t *rows, int n, float *units)
{
    float sums[EIGHTH] = { 0 }, sum = w->last;
    memcpy(units, w->first, sizeof w->first);
    for (int i = 0; i < n; i++) {
        const float *const row = w->rows[rows[i]];
        for (int k = 0; k < NET_HIDDEN; k++) units[k] += row[k];
    }
    for (int k = 0; k < NET_HIDDEN; k++) {
        const float unit = units[k] < 0 ? 0 : units[k] > 1 ? 1 : units[k];
        sums[k % EIGHTH] += unit * w->output[k];
    }
    for (int k = 0; k < EIGHTH; k++) sum += sums[k];
    return sum;
}

/* Adds the gradient of one position; returns its loss, the negative logarithm of what was thought likely. */
static double learn(const weights *w, weights *slope, const position *p)
{
    uint16_t rows[NET_MOST];
    float units[NET_HIDDEN], down[NET_HIDDEN];
    const int n = cuttle_net_rows(&p->state, rows);
    const float share = 1 / (1 + expf(-forward(w, rows, n, units))), error = share - p->share;
    slope->last += error;
    for (int k = 0; k < NET_HIDDEN; k++) {
        const float unit = units[k], cut = unit < 0 ? 0 : unit > 1 ? 1 : unit;
        slope->output[k] += error * cut;
        down[k] = error * w->output[k] * (unit > 0 && unit < 1 ? 1 : 0.01f);   /* a little, lest a unit be lost */
        slope->first[k] += down[k];
    }
    for (int i = 0; i < n; i++) {
        float *const row = slope->rows[rows[i]];
        for (int k = 0; k < NET_HIDDEN; k++) row[k] += down[k];
    }
    return -(p->share * log(share + 1e-6) + (1 - p->share) * log(1 - share + 1e-6));
}

void net_start(uint64_t seed, float *start)
{
    weights *const w = (weights *)start;
    rng r = rng_stream(seed, RNG_PLAYOUT, 0);
    memset(w, 0, sizeof *w);
    for (int64_t i = 0; i < weight_count - 16; i++) {
        float sum = -6;                                    /* near enough to a normal one */
        for (int k = 0; k < 12; k++) sum += (float)rng_below(&r, 1 << 24) / (1 << 24);
        start[i] = sum * (i < (int64_t)NET_ROWS * NET_HIDDEN ? 0.08f : 0.5f);
    }
    for (int k = 0; k < NET_HIDDEN; k++) w->first[k] = 0.3f;
}

/* Is a game kept for the test? */
static int is_kept(const position *p) { return p->number % 20 == 0; }

/* The mean loss over the positions of games that are kept. */
double net_test(const float *trained, const position *positions, int64_t n)
{
    double loss = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        uint16_t rows[NET_MOST];
        float units[NET_HIDDEN];
        if (!is_kept(&positions[i])) continue;
        const int k = cuttle_net_rows(&positions[i].state, rows);
        const double share = 1 / (1 + exp(-forward((const weights *)trained, rows, k, units)));
        loss -= positions[i].share * log(share + 1e-6) + (1 - positions[i].share) * log(1 - share + 1e-6);
        count++;
    }
    return count ? loss / (double)count : 0;
}

/* One round through all positions by Adam (Kingma and Ba, 2015), in the order `order`, `batch` at a time; `state` is twice the size
 * of the weights, 0 at first, `steps` the steps made before, `rate` goes down from rates[0] to rates[1]. Returns the mean loss. */
double net_epoch(float *w, float *state, int64_t steps, const position *positions, const int64_t *order, int64_t n, int batch,
                 const double rates[2], double decay)
{
    static _Thread_local weights slope;
    float *const mean = state, *const square = state + weight_count, *const g = (float *)&slope;
    double loss = 0;
    int64_t seen = 0;
    for (int64_t at = 0; at + batch <= n; at += batch, steps++) {
        memset(&slope, 0, sizeof slope);
        for (int i = 0; i < batch; i++) {
            const position *const p = &positions[order[at + i]];
            if (is_kept(p)) continue;
            loss += learn((const weights *)w, &slope, p);
            seen++;
        }
        const float rate = (float)(rates[0] + (rates[1] - rates[0]) * (double)at / (double)n), over = 1.0f / (float)batch;
        const float one = (float)(1 - pow(0.9, (double)steps + 1)), two = (float)(1 - pow(0.999, (double)steps + 1));
        for (int64_t i = 0; i < weight_count; i++) {
            const float slope_i = g[i] * over + (float)decay * w[i];
            mean[i] = 0.9f * mean[i] + 0.1f * slope_i;
            square[i] = 0.999f * square[i] + 0.001f * slope_i * slope_i;
            w[i] -= rate * (mean[i] / one) / (sqrtf(square[i] / two) + 1e-8f);
            if (i < weight_count - 16 - NET_HIDDEN) w[i] = w[i] > 1.9f ? 1.9f : w[i] < -1.9f ? -1.9f : w[i];
        }
    }
    return seen ? loss / (double)seen : 0;
}

int64_t net_shape(int64_t *hidden)
{
    *hidden = NET_HIDDEN;
    return NET_ROWS;
}
