"""What a template is written over: one game's kernels by their names without the game's prefix.

A template is a function of a Game, as a file of csrc/ that is included once per game: it takes from the game what it
needs and adds its own functions. Its kernels bear the game's name, for numba, its cache and the linker tell functions
apart by their names.
"""

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from pysearch.kernels.jit import F, entry, kernel


class Game:
    """`WORDS` of a state, `SEATS`, `OBSERVERS` (trees of a search, a set), and whatever the modules define by the name
    of the game: `cuttle_play` is `play`, `CUTTLE_WORLDS` is `WORLDS`."""

    def __init__(self, name: str, words: int, seats: int, observers: int, modules: Iterable[ModuleType]) -> None:
        self.name = name
        for module in modules:
            for key, value in vars(module).items():
                for prefix in (f"{name}_", f"{name.upper()}_"):
                    if key.startswith(prefix):
                        setattr(self, key.removeprefix(prefix), value)
        self.WORDS, self.SEATS, self.OBSERVERS = words, seats, observers

    def __getattr__(self, key: str) -> Any:
        raise AttributeError(f"{self.name} has no {key}")

    def __setattr__(self, key: str, value: Any) -> None:
        object.__setattr__(self, key, value)

    def kernel(self, function: F) -> F:
        function.__qualname__ = f"{self.name}_{function.__name__}"
        return kernel(function)

    def entry(self, function: F) -> F:
        """A function that Python calls, `api_` before its name; it becomes the game's."""
        function.__name__ = f"api_{function.__name__}"
        function.__qualname__ = f"{self.name}_{function.__name__}"
        made = entry(function)
        setattr(self, function.__name__, made)
        return made
