"""`python -m pysearch.backends.ahead`: compiles all numba kernels ahead of their use, by calling each once."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from pysearch.backends import Refused, fallback
from pysearch.kernels.public import PS_BUCK, PS_BUCK_WORDS, PS_CUTTLE, PS_CUTTLE_WORDS

_GAMES = (("cuttle", PS_CUTTLE, PS_CUTTLE_WORDS, 2), ("buck_euchre", PS_BUCK, PS_BUCK_WORDS, 4))


def compile_all() -> Iterator[tuple[str, float]]:
    """Yields the name of each piece of work when it is compiled, and the seconds of processor time that this took."""
    for name, game, words, seats in _GAMES:
        for verb, call in _calls(game, words, seats):
            start = time.process_time()
            with suppress(Refused):
                call()
            yield f"{name}: {verb}", time.process_time() - start


def _calls(game: int, words: int, seats: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    core, one = fallback, fallback.control(iterations=1, nodes=1)
    state = core.deal(game, words, 0, 0, [25] * seats)
    mover = core.to_move(game, state)
    assert mover is not None
    view, move = core.view(game, state, mover), core.moves(game, state)[0]
    yield "moves", lambda: core.moves(game, view)
    yield "play", lambda: core.play(game, state, move)
    yield "shares", lambda: core.shares(game, state, seats)
    yield "policy", lambda: core.policy(game, view)
    yield "view_play", lambda: core.view_play(game, view, move, 0)
    yield "count_worlds", lambda: core.count_worlds(game, view)
    yield "sample", lambda: core.sample(game, view, 0, 0)
    yield "perft", lambda: core.perft(game, state, 1, one)
    yield "rollout", lambda: core.rollout(game, view, 0, 0, 1, one)
    yield "grade", lambda: core.grade(game, view, seats, 0, 0, 1, [move], False, one)
    yield "search", lambda: core.search(game, view, "ismcts", 0, 1 << 16).read()
    if game == PS_CUTTLE:
        yield "solve", lambda: core.cuttle_solve(state, False, one)
        yield "certify", lambda: core.cuttle_certify(state, 1, one)
    else:
        yield "equity", lambda: core.equity([25] * 4, 0)
        yield "solve", lambda: core.buck_solve(state, 1, 0, 0, 0, one)


def main() -> None:
    for name, seconds in compile_all():
        print(f"{name:<28}{seconds:8.1f} s", flush=True)


if __name__ == "__main__":
    main()
