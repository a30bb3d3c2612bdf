"""The review of a game as a page: one HTML file that needs nothing else, to be read in any browser.

    write_html(review.to_dict(), "game.html")

The packages that draw it, jinja2 and matplotlib, come with the extra `report`, in a clone: pip install -e ".[report]".
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pysearch.errors import ArgumentError, quote

SCHEMA = 1


def write_html(review: Mapping[str, Any], path: str | Path) -> None:
    """Writes the page of a review, `Review.to_dict()`, to a file. ArgumentError (review, report, path)."""
    text = html(review)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, TypeError, ValueError) as error:
        what = error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
        raise ArgumentError("path", f"cannot write {quote(str(path))}: {what}") from error


def html(review: Mapping[str, Any]) -> str:
    """The page of a review as text. ArgumentError: review, when it is none; report, when the extra is missing."""
    if not isinstance(review, Mapping) or review.get("schema") != SCHEMA:
        raise ArgumentError("review", f"found {quote(review)}, expected a dictionary such as Review.to_dict() gives")
    try:
        from pysearch.report.page import render
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pysearch"):
            raise
        missing = f'{error.name} is not installed, expected the extra of the page: pip install -e ".[report]"'
        raise ArgumentError("report", missing) from error
    try:
        return render(review)
    except (LookupError, TypeError, AttributeError) as error:
        raise ArgumentError("review", f"cannot be drawn, {type(error).__name__}: {quote(str(error))}") from error
