"""The games, by name: `GAMES["cuttle"]`, `GAMES["buck_euchre"]`."""

from pysearch.errors import ArgumentError, quote
from pysearch.games.buck import BUCK
from pysearch.games.cuttle import CUTTLE
from pysearch.games.game import Game

GAMES: dict[str, Game] = {game.name: game for game in (CUTTLE, BUCK)}


def find_game(name: object) -> Game:
    """The game of this name. ArgumentError (game) when there is none."""
    game = GAMES.get(name) if isinstance(name, str) else None
    if game is None:
        raise ArgumentError("game", f"found {quote(name)}, expected {' or '.join(GAMES)}")
    return game
