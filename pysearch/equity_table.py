"""The file of the match equity table: how it is read (docs/equity.md). Its numbers are unpacked by the backend.

A line that names the table, a line of the outcomes of deals that it was made of, then the packed shares.
"""

import json
import zlib
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).parent / "data" / "match_equity.bin"


@cache
def name() -> str:
    """Its name; the rest of the file is left alone."""
    with PATH.open("rb") as file:
        return str(json.loads(file.readline())["name"])


def header() -> dict[str, Any]:
    """What its first line says, and `outcomes`: those of its second."""
    with PATH.open("rb") as file:
        return {**json.loads(file.readline()), "outcomes": json.loads(file.readline())}


def packed() -> bytes:
    """The packed shares (csrc/buck_equity.h)."""
    with PATH.open("rb") as file:
        file.readline()
        file.readline()
        return zlib.decompress(file.read())
