"""pysearch: game-tree search for the card games Cuttle and Buck Euchre."""

from pysearch.backends import backend
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
from pysearch.version import __version__

__all__ = [
    "Analysis",
    "ArgumentError",
    "BackendError",
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
