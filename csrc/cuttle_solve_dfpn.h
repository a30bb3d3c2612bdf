/* Cuttle solver: depth-first proof-number search (df-pn; Nagai 2002): can one side force a win, in any number of plies?
 *
 * Proof numbers with the weak rule: the greatest number of a child plus the number of other open children, instead of the
 * sum, which counts what transposes many times over (Ueda, Hashimoto, Hashimoto, Iida 2008); thresholds a sixteenth above the
 * second best child (1 + epsilon, Pawlewicz and Lew 2006); the first numbers of a leaf are the squares of the turns that
 * either side still needs (cs_turns).
 *
 * Repetition. Disproofs of df-pn are unsound where play can come back to a position (the graph-history interaction, Kishimoto
 * and Mueller 2004). Here the position searched carries its count of swaps (cs_swap_limit), which makes the graph free of
 * cycles: whatever is proven or disproven is so by induction on the rest of the game. Wins by both sides disproven: a draw. */
#ifndef PYSEARCH_CUTTLE_SOLVE_DFPN_H
#define PYSEARCH_CUTTLE_SOLVE_DFPN_H

#include "cuttle_solve_alphabeta.h"

enum { CS_INF = (1 << 22) - 1, CS_CHILDREN = 1 << 16, CS_ROOM = 4 /* plies that the threat filter leaves out */ };

/* Proof number: what it takes to prove the win, 0 when it is proven; dn the same of its disproof. A win comes within
 * `distance` plies. */
typedef struct cs_proof {
    uint32_t pn, dn;
    int distance;
} cs_proof;

typedef struct cs_child {
    uint64_t key;
    uint32_t pn, dn;
    uint16_t move, distance;
} cs_child;

static inline uint64_t cs_proof_key(uint64_t key, const cs_state *s, int side)
{
    return key ^ (side ? 0x5bd1e9955bd1e995ull : 0xc2b2ae3d27d4eb4full) ^ s->swaps * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t cs_pack_proof(cs_proof p, uint64_t nodes)
{
    const uint64_t distance = p.distance < 16383 ? (uint64_t)p.distance : 16383;
    return p.pn | (uint64_t)p.dn << 22 | distance << 44 | cs_work(p.pn ? nodes : 4 * nodes);   /* proofs are kept longer */
}

static inline cs_proof cs_unpack_proof(uint64_t data)
{
    const cs_proof p = { (uint32_t)(data & CS_INF), (uint32_t)(data >> 22 & CS_INF), (int)(data >> 44 & 16383) };
    return p;
}

/* What is known of a position at first sight, or from the table. */
static inline cs_proof cs_first_proof(const cs_search *c, const cs_state *s, uint64_t proof_key)
{
    const cs_proof won = { 0, CS_INF, 0 }, one = { 0, CS_INF, 1 }, never = { CS_INF, 0, 0 };
    const int side = c->side;
    if (s->stage == CUTTLE_OVER) return s->winner == side ? won : never;
    if (s->stage == CUTTLE_MAIN) {
        if (cs_wins_now(s)) return s->turn == side ? one : never;
        if (cs_hopeless(&c->deck, s, side) || cs_endless(s)) return never;
    }
    const uint64_t data = cs_find(c, proof_key);
    if (data) return cs_unpack_proof(data);
    const int own = cs_turns(&c->deck, s, side), other = cs_turns(&c->deck, s, !side);
    const cs_proof guess = { (uint32_t)(own * own), (uint32_t)(other * other), 0 };
    return guess;
}

/* The children's numbers put together. `mine` is the number of which the mover needs only one child. */
typedef struct cs_sum {
    uint32_t mine, theirs, second;   /* least of `mine`; weak sum of the other number; second least of `mine` */
    int best, open;                  /* the child with the least; children without a disproof */
} cs_sum;

static inline cs_sum cs_add_up(const cs_child *child, int n, int wanted)
{
    cs_sum sum = { CS_INF, 0, CS_INF, -1, 0 };
    for (int i = 0; i < n; i++) {
        const uint32_t mine = wanted ? child[i].pn : child[i].dn, theirs = wanted ? child[i].dn : child[i].pn;
        sum.open += theirs && theirs < CS_INF;
        if (theirs > sum.theirs) sum.theirs = theirs;
        if (mine < sum.mine) {
            sum.second = sum.mine;
            sum.mine = mine;
            sum.best = i;
        } else if (mine < sum.second) sum.second = mine;
    }
    if (sum.mine == 0) sum.theirs = CS_INF;
    else if (sum.theirs && sum.theirs < CS_INF) {
        sum.theirs += (uint32_t)(sum.open - 1);
        if (sum.theirs >= CS_INF) sum.theirs = CS_INF - 1;
    }
    return sum;
}

/* Plies to the win that the children show. */
static inline int cs_distance(const cs_child *child, int n, int wanted, int filtered)
{
    int least = CS_INF, most = filtered ? CS_ROOM - 1 : 0;
    for (int i = 0; i < n; i++) {
        if (child[i].pn) continue;
        if (child[i].distance < least) least = child[i].distance;
        if (child[i].distance > most) most = child[i].distance;
    }
    return 1 + (wanted ? least : most);
}

static inline uint32_t cs_least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Searches `s` until its proof number reaches `pn` or its disproof number `dn`, or the search is stopped. */
static cs_proof cs_prove(cs_search *c, const cs_state *s, uint64_t key, uint32_t pn, uint32_t dn)
{
    const int side = c->side, wanted = cs_to_move(s) == side, filter = cs_filter(c, s, CS_DEPTH);
    const uint64_t before = c->nodes;
    uint16_t *moves = c->moves + c->top;
    cs_child *child = c->children + c->child_top;
    cs_proof proof = { CS_INF, 0, 0 };
    if (c->child_top > CS_CHILDREN - PS_MAX_MOVES) { c->deep = 1; return proof; }
    const int n = cs_moves(&c->deck, s, CS_DEPTH, filter, moves);
    c->child_top += n;

    for (int i = 0; i < n; i++) {
        cs_state next = *s;
        cs_play(&next, moves[i], c->deck.stock);
        child[i].move = moves[i];
        child[i].key = cs_key(&next);
        cs_prefetch(c, cs_proof_key(child[i].key, &next, side));
    }
    for (int i = 0; i < n; i++) {
        cs_state next = *s;
        cs_play(&next, child[i].move, c->deck.stock);
        const cs_proof first = cs_first_proof(c, &next, cs_proof_key(child[i].key, &next, side));
        child[i].pn = first.pn;
        child[i].dn = first.dn;
        child[i].distance = (uint16_t)first.distance;
        cs_count(c);
    }
    for (;;) {
        const cs_sum sum = cs_add_up(child, n, wanted);
        proof.pn = wanted ? sum.mine : sum.theirs;
        proof.dn = wanted ? sum.theirs : sum.mine;
        if (!proof.pn) proof.distance = cs_distance(child, n, wanted, filter != CS_ALL);
        if (proof.pn >= pn || proof.dn >= dn || !proof.pn || !proof.dn || c->stop) break;

        cs_child *b = child + sum.best;
        const uint32_t theirs = wanted ? b->dn : b->pn, limit = wanted ? dn : pn;
        const uint32_t mine = cs_least(wanted ? pn : dn, sum.second >= CS_INF ? CS_INF : sum.second + 1 + sum.second / 16);
        uint32_t rest = limit >= CS_INF ? CS_INF : limit - cs_least(limit, (uint32_t)(sum.open - 1));
        if (rest <= theirs) rest = theirs + 1;
        cs_state next = *s;
        cs_play(&next, b->move, c->deck.stock);
        const cs_proof p = cs_prove(c, &next, b->key, wanted ? mine : rest, wanted ? rest : mine);
        b->pn = p.pn;
        b->dn = p.dn;
        b->distance = (uint16_t)p.distance;
    }
    c->child_top -= n;
    cs_store(c, cs_proof_key(key, s, side), cs_pack_proof(proof, c->nodes - before));
    return proof;
}

#endif
