"""When a long call ends: the clock, the stop flag, the progress counter, as in csrc/control.h."""

import time

import numpy as np
from numba import types

from pysearch.kernels.bits import W0, W1, Int, Real, Record, Word
from pysearch.kernels.jit import kernel
from pysearch.kernels.memory import member, stack
from pysearch.kernels.public import CONTROL

_load_stop, _, _, _ = member(CONTROL, "stop")
_, _store_done, _add_done, _ = member(CONTROL, "done")
_load_opened, _, _, _swap_opened = member(CONTROL, "opened")

_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.uintp))
_MONOTONIC = np.int32(time.CLOCK_MONOTONIC)
_local_times = stack(np.int64)


@kernel
def control_clock() -> Real:
    t = _local_times(2)
    _clock_gettime(_MONOTONIC, t.ctypes.data)
    return np.float64(t[0]) + 1e-9 * np.float64(t[1])


@kernel
def control_stopped(c: Record) -> Int:
    return _load_stop(c) != 0


@kernel
def control_report(c: Record, done: Word) -> None:
    _store_done(c, done)


@kernel
def control_add(c: Record, made: Word) -> None:
    _add_done(c, made)


@kernel
def control_open_block(c: Record, block: Word, end: Real) -> Int:
    """May block number `block` be begun: because another thread has begun it, or else because there is no reason to
    stop. `opened` holds twice the number of blocks, and in bit 0 whether it is closed."""
    now = _load_opened(c)
    while block >= now >> W1:
        if now & W1:
            return False
        stop = control_stopped(c) or (block != W0 and end > 0.0 and control_clock() >= end)
        seen = _swap_opened(c, now, now | W1 if stop else now + np.uint64(2))
        if seen == now:
            return not stop
        now = seen
    return True
