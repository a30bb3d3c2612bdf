"""The page itself: a template filled with what a review says. Nothing in it is loaded from anywhere."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from pysearch.errors import printable
from pysearch.record_text import shown
from pysearch.report.graph import Mark, score_ladder, win_graph
from pysearch.report.steps import Step, steps_of
from pysearch.report.words import ERRORS, GRADES, SYMBOLS, say_move, short_move
from pysearch.stats import Z95
from pysearch.version import __version__

GAMES = {"cuttle": "Cuttle", "buck_euchre": "Buck Euchre"}
_SUITED = re.compile("(10|[A2-9JQK])?([♣♦♥♠])\ufe0e?")
_LETTER = {symbol: suit for suit, symbol in SYMBOLS.items()}


def render(review: Mapping[str, Any]) -> str:
    """The page of a review."""
    steps = steps_of(review)
    names = [shown(str(name)) or f"seat {seat}" for seat, name in enumerate(review["players"])]
    game = review["game"]
    script = _part("script.js")
    page = _environment().get_template("page.html").render(
        review=review, comment=review.get("comment", ""), game=game, title=GAMES[game], names=names, steps=steps,
        aim="match" if game == "buck_euchre" else "win",
        turning=[step for ply in review["turning_points"] for step in steps if step.ply == ply],
        graphs=graphs(review, names, steps), ladders=ladders(review), ending=ending(review, names),
        luck_scale=scale([row[key] for row in review["summary"] for key in ("luck", "loss")]),
        kinds=list(dict.fromkeys(kind for row in review["summary"] for kind in row["kinds"])),
        grades=GRADES, errors=ERRORS, version=__version__,
        style=Markup(_part("style.css")), script=Markup(script), hash=script_hash(script),
        short=lambda move: short_move(game, move), say=lambda move: say_move(game, move), intervals=intervals,
    )  # fmt: skip
    return page + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pysearch.report", "parts"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {"suited": suited, "percent": percent, "signed": signed, "list_of": list_of}
    environment.filters["note"] = lambda text: printable(text, "\n\t")
    return environment


@cache
def _part(name: str) -> str:
    return files("pysearch.report").joinpath("parts", name).read_text(encoding="utf-8")


def script_hash(script: str) -> str:
    """By this the page's policy allows its own script and no other."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


# ---------------------------------------------------------------- graphs


def graphs(review: Mapping[str, Any], names: Sequence[str], steps: Sequence[Step]) -> list[tuple[str, Markup]]:
    """The graph of shares for wide and for narrow pages; none where the review has no shares."""
    known = [(place, step.shares) for place, step in enumerate(steps) if step.shares is not None]
    if not known:
        return []
    first = known[0][1]
    shares = [step.shares or first for step in steps]
    marks = []
    for place, step in enumerate(steps):
        if step.turning and step.player is not None:
            what = f", {step.grade}, {percent(step.decision['loss'])} lost" if step.decision else ""
            label = f"Turning point {step.turning}: move {place + 1}, {names[step.player]}{what}"
            marks.append(Mark(place, step.ply, step.player, step.turning, label))
    return [(kind, Markup(win_graph(shares, marks, *size))) for kind, size in
            (("wide", (11.5, 3.4)), ("narrow", (4.6, 3.2)))]  # fmt: skip


def ladders(review: Mapping[str, Any]) -> list[tuple[str, Markup]]:
    """The scores of Buck Euchre before and after the deal."""
    if review["game"] != "buck_euchre":
        return []
    found = re.search(r"scores=(\S+)", review["start"])
    before = [int(score) for score in found[1].split("/")] if found else [25] * 4
    after = None if review["result"] == "*" else [int(score) for score in review["result"].split("/")]
    return [(kind, Markup(score_ladder(before, after, *size))) for kind, size in
            (("wide", (11.5, 2.4)), ("narrow", (4.6, 2.4)))]  # fmt: skip


def ending(review: Mapping[str, Any], names: Sequence[str]) -> str:
    """How the game ended, in words."""
    returns, result = review["returns"], review["result"]
    if returns is None or result == "*":
        return "not finished"
    winners = [names[seat] for seat, share in enumerate(returns) if share > 0]
    if len(winners) == len(names) and review["game"] == "buck_euchre":
        return f"the match goes on at {result.replace('/', ' / ')}"
    if len(winners) == len(names):
        return "a draw"
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}, {result.replace('/', ' / ')}"


def scale(values: Sequence[float | None]) -> float:
    """The largest of some sizes, by which bars are measured."""
    return max((abs(value) for value in values if value is not None), default=0.0) or 1.0


def intervals(candidates: Sequence[Mapping[str, Any]]) -> tuple[float, float, list[tuple[float, float, float] | None]]:
    """The range of shares that some moves take with their errors, and within it, from 0 to 100, where the 95 % interval
    of each begins, where its middle is, and where it ends."""
    found: list[tuple[float, float, float] | None] = []
    for move in candidates:
        value, error = move["value"], Z95 * (move["stderr"] or 0)
        found.append(None if value is None else (max(value - error, 0.0), value, min(value + error, 1.0)))
    low = min((ends[0] for ends in found if ends), default=0.0)
    high = max((ends[2] for ends in found if ends), default=1.0)
    width = max(high - low, 1e-9)

    def within(x: float) -> float:
        return round(100 * (x - low) / width, 1)

    return low, high, [ends and (within(ends[0]), within(ends[1]), within(ends[2])) for ends in found]


# ---------------------------------------------------------------- texts


def suited(text: str) -> Markup:
    """A text of our own with its cards in the colours of their suits."""
    coloured = _SUITED.sub(lambda found: f'<b class="s-{_LETTER[found[2]]}">{found[0]}</b>', str(escape(text)))
    return Markup(coloured)


def percent(share: float | None, places: int = 1) -> str:
    """`53.2 %`, which no line breaks."""
    return "–" if share is None else f"{100 * share:.{places}f}\N{NO-BREAK SPACE}%".replace("-", "−")


def signed(share: float | None) -> str:
    """`+3.1 %`."""
    if share is None:
        return "–"
    text = f"{100 * share:+.1f}"
    return f"{'0.0' if text[1:] == '0.0' else text.replace('-', '−')}\N{NO-BREAK SPACE}%"


def list_of(words: Sequence[str]) -> str:
    """`a, b, c`."""
    return ", ".join(words)
