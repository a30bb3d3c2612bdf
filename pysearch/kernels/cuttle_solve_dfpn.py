"""The twin of csrc/cuttle_solve_dfpn.h, function by function.

Proofs are tuples (pn, dn, distance); numbers of 32 bits are Ints.
"""

import numpy as np
from numba import types

from pysearch.kernels.bits import Int, Record, Word, Words, field, word
from pysearch.kernels.cuttle import CUTTLE_MAIN, CUTTLE_OVER
from pysearch.kernels.cuttle_solve_alphabeta import CS_DEPTH, cs_filter
from pysearch.kernels.cuttle_solve_moves import CS_ALL, cs_hopeless, cs_moves, cs_turns, cs_wins_now
from pysearch.kernels.cuttle_solve_state import cs_copy, cs_endless, cs_key, cs_play, cs_to_move, local_states
from pysearch.kernels.cuttle_solve_table import cs_count, cs_find, cs_prefetch, cs_store, cs_work
from pysearch.kernels.jit import kernel, recursion
from pysearch.kernels.memory import at
from pysearch.kernels.public import PS_MAX_MOVES

CS_INF, CS_CHILDREN, CS_ROOM = (1 << 22) - 1, 1 << 16, 4

CS_CHILD = np.dtype([("key", "u8"), ("pn", "u4"), ("dn", "u4"), ("move", "u2"), ("distance", "u2")], align=True)

_CHILD = CS_CHILD.itemsize
_SIDE = np.array([0xC2B2AE3D27D4EB4F, 0x5BD1E9955BD1E995], dtype=np.uint64)
_SWAPS = np.uint64(0x9E3779B97F4A7C15)
_moves_at, _children_at = at(np.uint16), at(CS_CHILD)

Proof = tuple[Int, Int, Int]


@kernel
def cs_proof_key(key: Word, s: Record, side: Int) -> Word:
    return key ^ _SIDE[side] ^ np.uint64(s.swaps) * _SWAPS


@kernel
def cs_pack_proof(p: Proof, nodes: Word) -> Word:
    pn, dn, distance = p
    packed = pn | dn << 22 | min(distance, 16383) << 44
    return word(packed) | cs_work(nodes if pn else np.uint64(4) * nodes)


@kernel
def cs_unpack_proof(data: Word) -> Proof:
    return field(data, 0, 22), field(data, 22, 22), field(data, 44, 14)


@kernel
def cs_first_proof(c: Record, s: Record, proof_key: Word) -> Proof:
    side, turn = np.int64(c.side), np.int64(s.turn)
    if s.stage == CUTTLE_OVER:
        return (0, CS_INF, 0) if np.int64(s.winner) == side else (CS_INF, 0, 0)
    if s.stage == CUTTLE_MAIN:
        if cs_wins_now(s):
            return (0, CS_INF, 1) if turn == side else (CS_INF, 0, 0)
        if cs_hopeless(c.deck, s, side) or cs_endless(s):
            return (CS_INF, 0, 0)
    data = cs_find(c, proof_key)
    if data:
        return cs_unpack_proof(data)
    own, other = cs_turns(c.deck, s, side), cs_turns(c.deck, s, side ^ 1)
    return own * own, other * other, 0


@kernel
def cs_add_up(child: Words, n: Int, wanted: Int) -> tuple[Int, Int, Int, Int, Int]:
    """Least of the mover's number; weak sum of the other; second least; the child with the least; open children."""
    mine, theirs, second, best, opened = CS_INF, 0, CS_INF, -1, 0
    for i in range(n):
        pn, dn = np.int64(child[i].pn), np.int64(child[i].dn)
        m, t = (pn, dn) if wanted else (dn, pn)
        if t and t < CS_INF:
            opened += 1
        if t > theirs:
            theirs = t
        if m < mine:
            second = mine
            mine = m
            best = i
        elif m < second:
            second = m
    if mine == 0:
        theirs = CS_INF
    elif theirs and theirs < CS_INF:
        theirs = min(theirs + opened - 1, CS_INF - 1)
    return mine, theirs, second, best, opened


@kernel
def cs_distance(child: Words, n: Int, wanted: Int, filtered: Int) -> Int:
    least, most = CS_INF, CS_ROOM - 1 if filtered else 0
    for i in range(n):
        if not child[i].pn:
            distance = np.int64(child[i].distance)
            least = min(least, distance)
            most = max(most, distance)
    return 1 + (least if wanted else most)


_cs_prove = recursion(types.UniTuple(types.int64, 3), 5)


@kernel
def cs_prove(c: Record, s: Record, key: Word, pn: Int, dn: Int) -> Proof:
    side, before, top = np.int64(c.side), c.nodes, np.int64(c.child_top)
    wanted, depth = np.int64(cs_to_move(s) == side), np.int64(CS_DEPTH)
    filter_ = cs_filter(c, s, depth)
    if top > CS_CHILDREN - PS_MAX_MOVES:
        c.deep = np.int32(1)
        return CS_INF, 0, 0
    moves = _moves_at(c.moves + word(2 * np.int64(c.top)), PS_MAX_MOVES)
    child = _children_at(c.children + word(_CHILD * top), PS_MAX_MOVES)
    n = cs_moves(c.deck, s, depth, filter_, moves)
    c.child_top = np.int32(top + n)

    after = local_states(1)[0]
    for i in range(n):
        cs_copy(after, s)
        cs_play(after, np.int64(moves[i]), c.deck)
        child[i].move = moves[i]
        child[i].key = cs_key(after)
        cs_prefetch(c, cs_proof_key(child[i].key, after, side))
    for i in range(n):
        cs_copy(after, s)
        cs_play(after, np.int64(child[i].move), c.deck)
        first_pn, first_dn, first_distance = cs_first_proof(c, after, cs_proof_key(child[i].key, after, side))
        child[i].pn = np.uint32(first_pn)
        child[i].dn = np.uint32(first_dn)
        child[i].distance = np.uint16(first_distance)
        cs_count(c)
    distance = 0
    while True:
        mine, theirs, second, best, opened = cs_add_up(child, n, wanted)
        proof_pn, proof_dn = (mine, theirs) if wanted else (theirs, mine)
        if not proof_pn:
            distance = cs_distance(child, n, wanted, np.int64(filter_ != CS_ALL))
        if proof_pn >= pn or proof_dn >= dn or not proof_pn or not proof_dn or c.stop:
            break

        b = child[best]
        limit = dn if wanted else pn
        child_theirs = np.int64(b.dn) if wanted else np.int64(b.pn)
        least = min(pn if wanted else dn, CS_INF if second >= CS_INF else second + 1 + (second >> 4))
        rest = CS_INF if limit >= CS_INF else limit - min(limit, opened - 1)
        if rest <= child_theirs:
            rest = child_theirs + 1
        cs_copy(after, s)
        cs_play(after, np.int64(b.move), c.deck)
        next_pn, next_dn = (least, rest) if wanted else (rest, least)
        found_pn, found_dn, found_distance = _cs_prove(c, after, b.key, next_pn, next_dn)
        b.pn = np.uint32(found_pn)
        b.dn = np.uint32(found_dn)
        b.distance = np.uint16(found_distance)
    c.child_top = np.int32(top)
    cs_store(c, cs_proof_key(key, s, side), cs_pack_proof((proof_pn, proof_dn, distance), c.nodes - before))
    return proof_pn, proof_dn, distance
