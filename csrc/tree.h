/* The tree of an information-set search: an arena of nodes, the children of a node side by side, ascending by move.
 *
 * What choosing looks at, the 24 bytes of a node, lies apart from what is only booked: a node has its sums and its note at the
 * same place of arrays of their own. Which children a node has depends on the worlds that came by,
 * so a block of children grows: it is moved to one of twice the size, and the old one is kept for the next node that needs
 * that size. Links are indices, so the arrays may move too. */
#ifndef PYSEARCH_TREE_H
#define PYSEARCH_TREE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "pysearch.h"

/* Statistics belong to the edge that leads here, and to the seat that chose it. */
typedef struct node {
    uint32_t visits;
    uint32_t available;   /* how often the edge could have been chosen while its parent was visited */
    uint32_t children;    /* index of the first one */
    uint16_t count;       /* how many; the block has room for the next power of two */
    uint16_t move;
    float mean;           /* total / visits, in wins */
    float spread;         /* standard deviation of the returns */
} node;

typedef struct sums {
    uint64_t total;       /* of that seat's shares, in 1/PS_ONE */
    uint64_t squares;     /* of their squares, in 1/PS_ONE^2; 2^32 visits fit */
} sums;

/* What one way of searching wants to know besides: how likely the policy is to make the move (ismcts.h), or the cards of the
 * children (buck_quick.h). */
typedef union note { float prior; uint32_t cards; } note;

typedef struct tree {
    node *nodes;
    sums *sums;
    note *notes;
    uint32_t used, room, limit;   /* nodes handed out, allocated, allowed */
    uint32_t free_blocks[17];     /* first free block of 2^k nodes, 0 for none; linked through `children` */
    uint32_t alive;               /* nodes in the tree */
} tree;

/* Room for so many nodes, of which the first `used` are kept. Returns 0 where there is no memory: then all is as before, but
 * for arrays that are longer than they need be. */
static inline int tree_resize(tree *t, uint64_t room)
{
    node *const nodes = realloc(t->nodes, room * sizeof *nodes);
    if (nodes) t->nodes = nodes;
    sums *const booked = realloc(t->sums, room * sizeof *booked);
    if (booked) t->sums = booked;
    note *const noted = realloc(t->notes, room * sizeof *noted);
    if (noted) t->notes = noted;
    if (!nodes || !booked || !noted) return 0;
    t->room = (uint32_t)room;
    return 1;
}

/* Nothing is known of node i but its move. */
static inline void tree_clear_node(tree *t, uint32_t i, uint16_t move)
{
    t->nodes[i] = (node){ .move = move };
    t->sums[i] = (sums){ 0, 0 };
    t->notes[i] = (note){ .cards = 0 };
}

/* Back to an empty tree, its root at index 0; the memory stays. */
static inline void tree_clear(tree *t)
{
    tree_clear_node(t, 0, 0);
    memset(t->free_blocks, 0, sizeof t->free_blocks);
    t->used = t->alive = 1;
}

/* An empty tree. Returns 0 or PS_ERROR_MEMORY; tree_close frees it in both cases. */
static inline int tree_open(tree *t, uint64_t memory)
{
    const uint64_t most = memory / (sizeof(node) + sizeof(sums) + sizeof(note));
    memset(t, 0, sizeof *t);
    t->limit = most < 64 ? 64 : most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
    if (!tree_resize(t, t->limit < 1024 ? t->limit : 1024)) return PS_ERROR_MEMORY;
    tree_clear(t);
    return 0;
}

static inline void tree_close(tree *t)
{
    free(t->nodes);
    free(t->sums);
    free(t->notes);
}

/* A block of 2^k nodes, or 0 when the memory that is allowed, or all there is, has been used. */
static inline uint32_t tree_block(tree *t, int k)
{
    uint32_t block = t->free_blocks[k];
    if (block) {
        t->free_blocks[k] = t->nodes[block].children;
        return block;
    }
    const uint64_t need = t->used + BIT(k);
    if (need > t->room) {
        uint64_t room = (uint64_t)t->room * 2 > need ? (uint64_t)t->room * 2 : need;
        if (room > t->limit) room = t->limit;
        if (need > room) return 0;
        if (!tree_resize(t, room)) return 0;
    }
    block = t->used;
    t->used += (uint32_t)BIT(k);
    return block;
}

/* Moves n nodes to another place; the places may overlap if it lies above. They are few: calls of memmove would take longer. */
static inline void tree_move(tree *t, uint32_t to, uint32_t from, uint32_t n)
{
    while (n--) {
        t->nodes[to + n] = t->nodes[from + n];
        t->sums[to + n] = t->sums[from + n];
        t->notes[to + n] = t->notes[from + n];
    }
}

/* A new child of `parent` at place `at` among its children; returns its index, or 0 when the tree is full. */
static inline uint32_t tree_add(tree *t, uint32_t parent, unsigned at, uint16_t move)
{
    const unsigned count = t->nodes[parent].count;
    if ((count & (count - 1)) == 0) {   /* the block is full */
        const int k = count ? highest(count) + 1 : 0;
        const uint32_t block = tree_block(t, k);
        if (!block) return 0;
        if (count) {
            const uint32_t old = t->nodes[parent].children;
            tree_move(t, block, old, count);
            t->nodes[old].children = t->free_blocks[k - 1];
            t->free_blocks[k - 1] = old;
        }
        t->nodes[parent].children = block;
    }
    const uint32_t child = t->nodes[parent].children + at;
    if (at < count) tree_move(t, child + 1, child, count - at);
    tree_clear_node(t, child, move);
    t->nodes[parent].count = (uint16_t)(count + 1);
    t->alive++;
    return child;
}

/* The child of `parent` by `move`, made if need be; 0 when the tree is full. */
static inline uint32_t tree_reach(tree *t, uint32_t parent, uint16_t move)
{
    const node *const first = t->nodes + t->nodes[parent].children;
    unsigned low = 0, high = t->nodes[parent].count;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (first[middle].move < move) low = middle + 1;
        else high = middle;
    }
    if (low == t->nodes[parent].count || first[low].move != move) return tree_add(t, parent, low, move);
    return t->nodes[parent].children + low;
}

/* One more visit of an edge, worth `share` to the seat that chose it. The spread is the standard deviation of the returns
 * with one win and one loss added, so that it is never nothing: a move that was tried while the tree below it was young and
 * lost each time is tried again. */
static inline void tree_visit(tree *t, uint32_t i, uint32_t share)
{
    const double one = PS_ONE;
    node *const n = &t->nodes[i];
    sums *const booked = &t->sums[i];
    n->visits++;
    booked->total += share;
    booked->squares += (uint64_t)share * share;
    const double visits = (double)n->visits, total = (double)booked->total / one, squares = (double)booked->squares / (one * one);
    const double mean = (total + 1) / (visits + 2), variance = (squares + 1) / (visits + 2) - mean * mean;
    n->mean = (float)(total / visits);
    n->spread = (float)sqrt(variance);
}

/* The most visited child, the first of equals; NULL where none has been visited `least` times. */
static inline const node *tree_favourite(const tree *t, const node *parent, uint32_t least)
{
    const node *best = NULL;
    for (const node *c = t->nodes + parent->children, *end = c + parent->count; c < end; c++)
        if (c->visits >= least && (!best || c->visits > best->visits)) best = c;
    return best;
}

/* log2(a / b) for a >= b >= 1, made of exact operations: logarithms of libraries differ in their last digits. Between powers
 * of two it is a straight line. */
static inline float tree_octaves(uint32_t a, uint32_t b)
{
    const int from = highest(b), to = highest(a);
    return (float)(to - from) + (float)a / (float)BIT(to) - (float)b / (float)BIT(from);
}

/* How much the bound of so-ismcts counts (so_ismcts.h). */
#define SO_ISMCTS_C 0.8f

/* The fourth root of n, in which the confidence bound grows: exact for n < 16, then one value for each sixteenth of an octave
 * (steps of 1 %). A table, for its square roots would be taken at every child that is looked at. */
typedef struct confidence { float root[16 * 33]; } confidence;

static inline int confidence_slot(uint32_t n)
{
    const int octave = highest(n);
    return octave < 4 ? (int)n : 16 * (octave - 3) + (int)((n >> (octave - 4)) & 15);
}

static inline void confidence_open(confidence *c)
{
    for (int n = 0; n < 16; n++) c->root[n] = (float)sqrt(sqrt(n));
    for (int octave = 4; octave < 32; octave++)
        for (int i = 0; i < 16; i++)
            c->root[16 * (octave - 3) + i] = (float)sqrt(sqrt((double)BIT(octave) * (1 + (i + 0.5) / 16)));
}

#endif
