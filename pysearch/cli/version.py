"""What `pysearch --version` says: everything that a report of a fault should name."""

from pysearch import __version__
from pysearch.backends import select, why_not_native
from pysearch.games import GAMES


def version_text() -> str:
    core = select()
    missing = "" if core.NAME == "native" else why_not_native()
    reason = f"; no compiled core: {missing}" if missing else ""
    return "\n".join(
        (
            f"pysearch {__version__}",
            f"backend: {core.NAME} ({core.isa()}, {core.compiler()}{reason})",
            f"rules: {', '.join(game.tag for game in GAMES.values())}",
            f"equity: {GAMES['buck_euchre'].equity}",
        )
    )
