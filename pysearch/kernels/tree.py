"""The tree of an information-set search: the twin of csrc/tree.h. Nodes and trees are the same bytes."""

import numpy as np

from pysearch.kernels.bits import W0, W1, Int, Real, Record, Word, Words, highest
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import at, free, memmove, realloc
from pysearch.kernels.public import PS_ERROR_MEMORY, PS_ONE

NODE = np.dtype(
    [
        ("visits", "u4"),
        ("available", "u4"),
        ("children", "u4"),
        ("count", "u2"),
        ("move", "u2"),
        ("mean", "f4"),
        ("spread", "f4"),
    ],
    align=True,
)
SUMS = np.dtype([("total", "u8"), ("squares", "u8")], align=True)
TREE = np.dtype(
    [
        ("nodes", "u8"),
        ("sums", "u8"),
        ("priors", "u8"),
        ("used", "u4"),
        ("room", "u4"),
        ("limit", "u4"),
        ("free_blocks", "u4", (17,)),
        ("alive", "u4"),
    ],
    align=True,
)
CONFIDENCE_ROOTS = 16 * 33

_NODE, _SUMS, _PRIOR = np.uint64(NODE.itemsize), np.uint64(SUMS.itemsize), np.uint64(4)
_nodes_at, _sums_at, _priors_at = at(NODE), at(SUMS), at(np.float32)


@kernel
def tree_nodes(t: Record) -> Words:
    """The nodes of a tree, until the next one is added."""
    room: Int = np.int64(t.room)
    return _nodes_at(t.nodes, room)


@kernel
def tree_sums(t: Record) -> Words:
    """Their sums, as long."""
    room: Int = np.int64(t.room)
    return _sums_at(t.sums, room)


@kernel
def tree_priors(t: Record) -> Words:
    """Their priors, as long: all that these twins note of a node."""
    room: Int = np.int64(t.room)
    return _priors_at(t.priors, room)


@kernel
def tree_resize(t: Record, room: Word) -> Int:
    """Room for so many nodes, of which the first `used` are kept. Returns 0 where there is no memory."""
    nodes = realloc(t.nodes, room * _NODE)
    if nodes != W0:
        t.nodes = nodes
    sums = realloc(t.sums, room * _SUMS)
    if sums != W0:
        t.sums = sums
    likely = realloc(t.priors, room * _PRIOR)
    if likely != W0:
        t.priors = likely
    if nodes == W0 or sums == W0 or likely == W0:
        return 0
    t.room = np.uint32(room)
    return 1


@kernel
def tree_clear_node(t: Record, i: Int, move: Int) -> None:
    """Nothing is known of node i but its move."""
    n, sums = tree_nodes(t)[i], tree_sums(t)[i]
    n.visits = np.uint32(0)
    n.available = np.uint32(0)
    n.children = np.uint32(0)
    n.count = np.uint16(0)
    n.move = np.uint16(move)
    n.mean = np.float32(0)
    n.spread = np.float32(0)
    sums.total = W0
    sums.squares = W0
    tree_priors(t)[i] = np.float32(0)


@kernel
def tree_clear(t: Record) -> None:
    tree_clear_node(t, 0, 0)
    for k in range(17):
        t.free_blocks[k] = np.uint32(0)
    t.used = np.uint32(1)
    t.alive = np.uint32(1)


@kernel
def tree_open(t: Record, memory: Word) -> Int:
    most = memory // (_NODE + _SUMS + _PRIOR)
    most = min(max(most, np.uint64(64)), np.uint64(0xFFFFFFFF))
    t.nodes = W0
    t.sums = W0
    t.priors = W0
    t.room = np.uint32(0)
    t.limit = np.uint32(most)
    if not tree_resize(t, min(most, np.uint64(1024))):
        return PS_ERROR_MEMORY
    tree_clear(t)
    return 0


@kernel
def tree_close(t: Record) -> None:
    free(t.nodes)
    free(t.sums)
    free(t.priors)
    t.nodes = W0
    t.sums = W0
    t.priors = W0


@kernel
def tree_block(t: Record, k: Int) -> Int:
    """A block of 2^k nodes, or 0 when the memory that is allowed, or all there is, has been used."""
    block = np.int64(t.free_blocks[k])
    if block:
        t.free_blocks[k] = tree_nodes(t)[block].children
        return block
    need = np.int64(t.used) + (1 << k)
    if need > np.int64(t.room):
        room = min(max(2 * np.int64(t.room), need), np.int64(t.limit))
        if need > room:
            return 0
        if not tree_resize(t, np.uint64(room)):
            return 0
    block = np.int64(t.used)
    t.used = np.uint32(need)
    return block


@kernel
def _move(address: Word, size: Word, to: Int, start: Int, n: Int) -> None:
    memmove(address + np.uint64(to) * size, address + np.uint64(start) * size, np.uint64(n) * size)


@kernel
def tree_move(t: Record, to: Int, start: Int, n: Int) -> None:
    """Moves n nodes from `start` to another place; the places may overlap."""
    _move(t.nodes, _NODE, to, start, n)
    _move(t.sums, _SUMS, to, start, n)
    _move(t.priors, _PRIOR, to, start, n)


@kernel
def tree_add(t: Record, parent: Int, place: Int, move: Int) -> Int:
    """A new child of `parent` at `place` among its children; returns its index, or 0 when the tree is full."""
    count = np.int64(tree_nodes(t)[parent].count)
    if count & (count - 1) == 0:
        k = highest(np.uint64(count)) + 1 if count else 0
        block = tree_block(t, k)
        if not block:
            return 0
        nodes = tree_nodes(t)
        if count:
            old = np.int64(nodes[parent].children)
            tree_move(t, block, old, count)
            nodes[old].children = t.free_blocks[k - 1]
            t.free_blocks[k - 1] = np.uint32(old)
        nodes[parent].children = np.uint32(block)
    nodes = tree_nodes(t)
    child = np.int64(nodes[parent].children) + place
    if place < count:
        tree_move(t, child + 1, child, count - place)
    tree_clear_node(t, child, move)
    nodes[parent].count = np.uint16(count + 1)
    t.alive = np.uint32(np.int64(t.alive) + 1)
    return child


@kernel
def tree_reach(t: Record, parent: Int, move: Int) -> Int:
    """The child of `parent` by `move`, made if need be; 0 when the tree is full."""
    nodes = tree_nodes(t)
    first, count = np.int64(nodes[parent].children), np.int64(nodes[parent].count)
    low, high = 0, count
    while low < high:
        middle = (low + high) >> 1
        if np.int64(nodes[first + middle].move) < move:
            low = middle + 1
        else:
            high = middle
    if low == count or np.int64(nodes[first + low].move) != move:
        return tree_add(t, parent, low, move)
    return first + low


@kernel
def tree_visit(t: Record, i: Int, share: Int) -> None:
    """One more visit of an edge, worth `share` to the seat that chose it."""
    n, sums, one = tree_nodes(t)[i], tree_sums(t)[i], np.float64(PS_ONE)
    n.visits = np.uint32(np.int64(n.visits) + 1)
    sums.total += np.uint64(share)
    sums.squares += np.uint64(share) * np.uint64(share)
    visits, total, squares = np.float64(n.visits), np.float64(sums.total) / one, np.float64(sums.squares) / (one * one)
    mean = (total + 1.0) / (visits + 2.0)
    variance = (squares + 1.0) / (visits + 2.0) - mean * mean
    n.mean = np.float32(total / visits)
    n.spread = np.float32(np.sqrt(variance))


@kernel
def tree_favourite(t: Record, parent: Int, least: Int) -> Int:
    """The most visited child, the first of equals; 0 where none has been visited `least` times."""
    nodes = tree_nodes(t)
    best, first = 0, np.int64(nodes[parent].children)
    for c in range(first, first + np.int64(nodes[parent].count)):
        visits = np.int64(nodes[c].visits)
        if visits >= least and (not best or visits > np.int64(nodes[best].visits)):
            best = c
    return best


@kernel
def tree_octaves(a: Int, b: Int) -> Real:
    low, high = highest(np.uint64(b)), highest(np.uint64(a))
    above, below = np.float32(a) / np.float32(1 << high), np.float32(b) / np.float32(1 << low)
    return np.float32(high - low) + above - below


@kernel
def confidence_slot(n: Int) -> Int:
    octave = highest(np.uint64(n) | W1)
    return n if octave < 4 else 16 * (octave - 3) + ((n >> (octave - 4)) & 15)


@kernel
def confidence_open(root: Words) -> None:
    for n in range(16):
        root[n] = np.float32(np.sqrt(np.sqrt(np.float64(n))))
    for octave in range(4, 32):
        for i in range(16):
            n_mid = np.float64(1 << octave) * (1.0 + (np.float64(i) + 0.5) / 16.0)
            root[16 * (octave - 3) + i] = np.float32(np.sqrt(np.sqrt(n_mid)))
