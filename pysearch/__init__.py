"""pysearch: game-tree search for the card games Cuttle and Buck Euchre."""

from pysearch.backends import backend
from pysearch.equity import equity
from pysearch.errors import ArgumentError, BackendError, Error, IllegalMove, Interrupted, NotationError
from pysearch.explain import Explanation, HiddenCard, OpenMove, explain
from pysearch.handle import Handle, start
from pysearch.limit import Limit
from pysearch.many import analyze_many
from pysearch.match import Match, match
from pysearch.playout import Rollout, perft, rollout
from pysearch.position import Outcome, Position, View, deal, from_dict, parse
from pysearch.records import Played, Record, read_records
from pysearch.search import Analysis, MoveInfo, analyze
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
    "Explanation",
    "Handle",
    "HiddenCard",
    "IllegalMove",
    "Interrupted",
    "Limit",
    "Match",
    "MoveInfo",
    "NotationError",
    "OpenMove",
    "Outcome",
    "Played",
    "Position",
    "Record",
    "Rollout",
    "Solutions",
    "View",
    "__version__",
    "analyze",
    "analyze_many",
    "backend",
    "deal",
    "equity",
    "explain",
    "from_dict",
    "match",
    "parse",
    "perft",
    "read_records",
    "rollout",
    "solve",
    "solve_many",
    "start",
]
