"""Template: what a search of one view keeps, whatever the method; the twin of csrc/search.h."""

import numpy as np

from pysearch.kernels.memory import at
from pysearch.kernels.public import FOUND, PS_SETS, RANKED
from pysearch.kernels.template import Game
from pysearch.kernels.tree import CONFIDENCE_ROOTS, TREE


def search(game: Game) -> None:
    game.SEARCH = np.dtype(
        [
            ("root", "u8", (game.WORDS,)),
            ("worlds", game.WORLDS),
            ("ending", game.ENDING),
            ("method", "i8"),
            ("seat", "i8"),
            ("sets", "i8"),
            ("count", "i8"),
            ("seed", "u8"),
            ("found", FOUND),
            ("moves", "u8"),  # address of `count` items of RANKED
            ("conf", "f4", (CONFIDENCE_ROOTS,)),
            ("doubt", "u8"),  # address of `count` numbers of 32 bits
            ("iterations", "u8", (PS_SETS,)),
            ("nodes", "u8", (PS_SETS,)),
            ("trees", TREE, (PS_SETS * game.OBSERVERS,)),
        ],
        align=True,
    )


ranked_at = at(RANKED)
floats_at = at(np.float32)
