"""pysearch: game-tree search for the card games Cuttle and Buck Euchre.

A public name is loaded from its module when it is first used, so that a command needs no more than its own.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pysearch.version import __version__

if TYPE_CHECKING:
    from pysearch.backends import backend
    from pysearch.batch import Batch
    from pysearch.equity import equity
    from pysearch.errors import ArgumentError, BackendError, Error, IllegalMove, Interrupted, NotationError
    from pysearch.explain import Explanation, HiddenCard, OpenMove, explain
    from pysearch.grade import Candidate
    from pysearch.handle import Handle, start
    from pysearch.limit import Limit
    from pysearch.luck import Event
    from pysearch.many import analyze_many
    from pysearch.match import Match, match
    from pysearch.playout import Rollout, perft, rollout, rollout_many
    from pysearch.position import Outcome, Position, View, deal, from_dict, parse
    from pysearch.records import Played, Record, read_records
    from pysearch.review import Decision, Hindsight, Ply, Review, Summary, annotate, review
    from pysearch.review_many import review_many
    from pysearch.search import Analysis, MoveInfo, analyze
    from pysearch.solve import BuckMove, BuckSolution, CuttleMove, CuttleSolution, Solutions, solve, solve_many

__all__ = [
    "Analysis",
    "ArgumentError",
    "BackendError",
    "Batch",
    "BuckMove",
    "BuckSolution",
    "Candidate",
    "CuttleMove",
    "CuttleSolution",
    "Decision",
    "Error",
    "Event",
    "Explanation",
    "Handle",
    "HiddenCard",
    "Hindsight",
    "IllegalMove",
    "Interrupted",
    "Limit",
    "Match",
    "MoveInfo",
    "NotationError",
    "OpenMove",
    "Outcome",
    "Played",
    "Ply",
    "Position",
    "Record",
    "Review",
    "Rollout",
    "Solutions",
    "Summary",
    "View",
    "__version__",
    "analyze",
    "analyze_many",
    "annotate",
    "backend",
    "deal",
    "equity",
    "explain",
    "from_dict",
    "match",
    "parse",
    "perft",
    "read_records",
    "review",
    "review_many",
    "rollout",
    "rollout_many",
    "solve",
    "solve_many",
    "start",
]

_HOMES = {
    "backends": "backend",
    "batch": "Batch",
    "equity": "equity",
    "errors": "ArgumentError BackendError Error IllegalMove Interrupted NotationError",
    "explain": "Explanation HiddenCard OpenMove explain",
    "grade": "Candidate",
    "handle": "Handle start",
    "limit": "Limit",
    "luck": "Event",
    "many": "analyze_many",
    "match": "Match match",
    "playout": "Rollout perft rollout rollout_many",
    "position": "Outcome Position View deal from_dict parse",
    "records": "Played Record read_records",
    "review": "Decision Hindsight Ply Review Summary annotate review",
    "review_many": "review_many",
    "search": "Analysis MoveInfo analyze",
    "solve": "BuckMove BuckSolution CuttleMove CuttleSolution Solutions solve solve_many",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


class _Package(ModuleType):
    """The package, where a module that is loaded does not take the place of the function of its name."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        setattr(sys.modules[__name__], name, value)
        return value
