"""What the end of a deal is worth to each seat, by the tricks of all: the twin of csrc/buck_solve_equity.h."""

import numpy as np

from pysearch.kernels.bits import Int, Record, Words, popcount, with_field, word
from pysearch.kernels.buck import BUCK_DECK, HAND, STATUS, buck_finish, buck_shares, buck_tricks, buck_turn
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import stack
from pysearch.kernels.public import BUCK_WORTH, PS_BUCK_WORDS

BUCK_TAKEN = 216
BUCK_FINE = 12

BUCK_OUTCOMES = np.dtype(
    [
        ("worth", BUCK_WORTH, (BUCK_TAKEN,)),
        ("known", "u1", (BUCK_TAKEN,)),
        ("start", "u8", (PS_BUCK_WORDS,)),
        ("total", "i8"),
    ],
    align=True,
)

buck_taken_step = np.array([1, 6, 36, 0])

_local_state = stack(np.uint64)
_local_shares = stack(np.uint32)


@kernel
def buck_worth_copy(to: Record, from_: Record) -> None:
    for seat in range(4):
        to.value[seat] = from_.value[seat]
        to.tricks[seat] = from_.tricks[seat]
        to.low[seat] = from_.low[seat]
        to.high[seat] = from_.high[seat]


@kernel
def buck_worth_of_end(end: Words, w: Record) -> None:
    share = _local_shares(4)
    buck_shares(end, share)
    for seat in range(4):
        own = np.int64(share[seat])
        w.value[seat] = own << BUCK_FINE
        w.tricks[seat] = buck_tricks(end, seat) << BUCK_FINE
        w.low[seat] = own
        w.high[seat] = own


@kernel
def buck_outcome_fill(o: Record, taken: Int) -> None:
    first, second, third = taken % 6, taken // 6 % 6, taken // 36
    rest = o.total - first - second - third
    end = _local_state(PS_BUCK_WORDS)
    for i in range(PS_BUCK_WORDS):
        end[i] = o.start[i]
    end[STATUS] = with_field(end[STATUS], 33, 12, word(first | second << 3 | third << 6 | rest << 9))
    buck_finish(end)
    buck_worth_of_end(end, o.worth[taken])
    o.known[taken] = np.uint8(1)


@kernel
def buck_outcome(o: Record, taken: Int, w: Record) -> None:
    if not o.known[taken]:
        buck_outcome_fill(o, taken)
    buck_worth_copy(w, o.worth[taken])


@kernel
def buck_outcomes_open(o: Record, s: Words) -> None:
    for taken in range(BUCK_TAKEN):
        o.known[taken] = np.uint8(0)
    for i in range(PS_BUCK_WORDS):
        o.start[i] = s[i]
    o.total = popcount(s[HAND + buck_turn(s)] & BUCK_DECK)
    for seat in range(4):
        o.total += buck_tricks(s, seat)


@kernel
def buck_taken(s: Words) -> Int:
    taken = 0
    for seat in range(4):
        taken += buck_tricks(s, seat) * buck_taken_step[seat]
    return taken
