"""pysearch: game-tree search for the card games Cuttle and Buck Euchre."""

from pysearch.backends import backend
from pysearch.errors import ArgumentError, BackendError, Error, IllegalMove, Interrupted, NotationError
from pysearch.position import Outcome, Position, View, deal, from_dict, parse
from pysearch.search import Analysis, Limit, MoveInfo, Rollout, analyze, perft, rollout
from pysearch.version import __version__

__all__ = [
    "Analysis",
    "ArgumentError",
    "BackendError",
    "Error",
    "IllegalMove",
    "Interrupted",
    "Limit",
    "MoveInfo",
    "NotationError",
    "Outcome",
    "Position",
    "Rollout",
    "View",
    "__version__",
    "analyze",
    "backend",
    "deal",
    "from_dict",
    "parse",
    "perft",
    "rollout",
]
