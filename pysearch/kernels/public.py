"""Constants and structs of csrc/pysearch.h: the same bytes, as structured arrays."""

import numpy as np

PS_CUTTLE, PS_BUCK = 0, 1
PS_CUTTLE_WORDS, PS_BUCK_WORDS = 17, 9
PS_MAX_MOVES = 1400
PS_MAX_FACTORS = 64
PS_MAX_LINE = 16
PS_PLY_CAP = 512
PS_MAX_ACTIONS = 4096
PS_ONE = 65520
PS_EQUITY_STATES = 1048576
PS_EQUITY_PACKED = 6291456

PS_ERROR_ARGUMENT, PS_ERROR_ILLEGAL, PS_ERROR_OVER, PS_ERROR_NO_WORLD = -1, -2, -3, -4
PS_ERROR_MEMORY, PS_ERROR_SEEN, PS_ERROR_UNPROVEN = -5, -6, -7

PS_ISMCTS, PS_SO_ISMCTS, PS_FLAT, PS_PIMC = 0, 1, 2, 3
PS_SETS = 2

PS_CUTTLE_LINE = 512
PS_BUCK_MOVES, PS_BUCK_LINE = 6, 32
PS_FINE = 4096
PS_MAXN, PS_PARANOID, PS_COOPERATIVE, PS_COALITION = 0, 1, 2, 3

CONTROL = np.dtype(
    {
        "names": ["stop", "reserved", "done", "seconds", "iterations", "nodes", "memory", "opened"],
        "formats": ["i4", "i4", "u8", "f8", "u8", "u8", "u8", "u8"],
    },
    align=True,
)
TOTALS = np.dtype([("games", "u8"), ("plies", "u8"), ("shares", "u8", (4,))], align=True)
RANKED = np.dtype(
    [
        ("move", "u2"),
        ("length", "u2"),
        ("line", "u2", (PS_MAX_LINE,)),
        ("reserved", "u4"),
        ("visits", "u8"),
        ("total", "u8"),
        ("squares", "u8"),
        ("set_visits", "u8", (PS_SETS,)),
        ("set_total", "u8", (PS_SETS,)),
    ],
    align=True,
)
FOUND = np.dtype(
    [("iterations", "u8"), ("moves", "i4"), ("reserved", "i4"), ("enumerated", "i4"), ("exact", "i4")], align=True
)
SOLVED = np.dtype([("move", "u2"), ("result", "i1"), ("shortest", "u1"), ("plies", "u2")], align=True)
SOLUTION = np.dtype(
    [
        ("result", "i1"),
        ("shortest", "u1"),
        ("plies", "u2"),
        ("depth", "u2"),
        ("length", "u2"),
        ("line", "u2", (PS_CUTTLE_LINE,)),
        ("nodes", "u8"),
    ],
    align=True,
)
PROOF = np.dtype([("move", "u2"), ("plies", "u2"), ("same", "i4")], align=True)
BUCK_WORTH = np.dtype(
    [("value", "i4", (4,)), ("tricks", "i4", (4,)), ("low", "i4", (4,)), ("high", "i4", (4,))], align=True
)
BUCK_SOLUTION = np.dtype(
    [
        ("known", "i4"),
        ("score", "i4"),
        ("moves", "i4"),
        ("length", "i4"),
        ("nodes", "u8"),
        ("move", "u2", (PS_BUCK_MOVES,)),
        ("line", "u2", (PS_BUCK_LINE,)),
        ("move_score", "i4", (PS_BUCK_MOVES,)),
        ("worth", BUCK_WORTH),
        ("move_worth", BUCK_WORTH, (PS_BUCK_MOVES,)),
    ],
    align=True,
)
