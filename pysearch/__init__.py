"""pysearch: game-tree search for the card games Cuttle and Buck Euchre."""

from pysearch.backends import backend
from pysearch.errors import ArgumentError, BackendError, Error, IllegalMove, Interrupted, NotationError
from pysearch.limit import Limit
from pysearch.position import Outcome, Position, View, deal, from_dict, parse
from pysearch.search import Analysis, MoveInfo, Rollout, analyze, perft, rollout
from pysearch.solve import BuckMove, BuckSolution, CuttleMove, CuttleSolution, Solutions, solve, solve_many
from pysearch.version import __version__

__all__ = [
    "Analysis",
    "ArgumentError",
    "BackendError",
    "BuckMove",
    "BuckSolution",
    "CuttleMove",
    "CuttleSolution",
    "Error",
    "IllegalMove",
    "Interrupted",
    "Limit",
    "MoveInfo",
    "NotationError",
    "Outcome",
    "Position",
    "Rollout",
    "Solutions",
    "View",
    "__version__",
    "analyze",
    "backend",
    "deal",
    "from_dict",
    "parse",
    "perft",
    "rollout",
    "solve",
    "solve_many",
]
