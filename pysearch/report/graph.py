"""The graphs of a page, drawn by matplotlib as pieces of SVG that stand in the page.

Players are numbers here; the page beside them says who they are.
"""

import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

# Okabe and Ito's palette, which people see apart who do not see all colours. By seat.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.62, 0.16, 0.16, 0.5  # inches around the axes
_NUMBER, _MARK = 0.1, 0.11  # inches, half of a seat's number and of a turning point
_INK, _PAPER = "#010203", "#fdfeff"  # stand for the colours of the page, light or dark
_STYLE: dict[Any, Any] = {
    "font.size": 10, "text.color": _INK, "axes.edgecolor": _INK, "axes.labelcolor": _INK, "xtick.color": _INK,
    "ytick.color": _INK, "svg.fonttype": "none", "font.family": "sans-serif", "hatch.linewidth": 0.6,
    "axes.spines.top": False, "axes.spines.right": False, "path.simplify": False,
}  # fmt: skip


@dataclass(frozen=True)
class Mark:
    """A turning point: the `rank`-th by loss, at a step of the game counted from 0, where `player` decided."""

    step: int
    ply: int
    player: int
    rank: int
    label: str


def win_graph(shares: Sequence[Sequence[float]], marks: Sequence[Mark], width: float, height: float) -> str:
    """Each seat's share of the win before every step, one area above the other. Marks are links to `#ply-N`."""
    steps = range(1, len(shares) + 1)
    seats = len(shares[0])
    with matplotlib.rc_context(_STYLE | {"svg.hashsalt": f"win {width}"}):
        axes = _axes(width, height, _LEFT)
        areas = axes.stackplot(steps, *zip(*shares, strict=True), colors=COLOURS[:seats])
        for area in areas:
            area.set_edgecolor(_PAPER)
            area.set_linewidth(1.2)
        if seats == 2:
            axes.axhline(0.5, color=_PAPER, linewidth=0.8, linestyle=(0, (4, 3)))
        edges = [[sum(row[:seat]) for seat in range(seats + 1)] for row in shares]
        # On the border of two players, among four in the middle of one's own area.
        heights = {
            mark: row[1] if seats == 2 else (row[mark.player] + row[mark.player + 1]) / 2
            for mark in marks for row in [edges[mark.step]]
        }  # fmt: skip
        inches = (width - _LEFT - _RIGHT) / max(len(shares) - 1, 1), height - _TOP - _BOTTOM

        def is_free(step: int, middle: float) -> bool:
            """Has a number room here, off the marks and the line in the middle?"""
            return (seats > 2 or abs(middle - 0.5) * inches[1] > _NUMBER) and all(
                math.hypot((step - mark.step) * inches[0], (middle - high) * inches[1]) > _NUMBER + _MARK
                for mark, high in heights.items()
            )

        for seat in range(seats):
            _number(axes, seat, shares, is_free)
        for mark in sorted(marks, key=lambda mark: -mark.rank):
            height_of = heights[mark]
            dot = axes.scatter([mark.step + 1], [height_of], s=150, color=_PAPER, edgecolor=_INK, linewidth=1.4,
                               zorder=3, clip_on=False)  # fmt: skip
            dot.set_urls([f"#ply-{mark.ply}"])
            axes.text(mark.step + 1, height_of, str(mark.rank), ha="center", va="center_baseline", fontsize=9, zorder=4,
                      fontweight="bold", color=_INK, clip_on=False, gid="rank")  # fmt: skip
        axes.set_xlim(1, max(len(shares), 2))
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("move")
        svg = _svg(axes)
    cursor = (
        f'<line class="cursor" y1="{72 * _TOP:.1f}" y2="{72 * (height - _BOTTOM):.1f}" data-left="{72 * _LEFT:.1f}"'
        f' data-right="{72 * (width - _RIGHT):.1f}" aria-hidden="true"/></svg>'
    )
    labels = {f"#ply-{mark.ply}": escape(mark.label) for mark in marks}
    link = re.compile(r'xlink:href="(#ply-\d+)" target="_blank"')
    svg = link.sub(lambda found: f'href="{found[1]}" aria-label="{labels[found[1]]}"', svg)
    return svg.replace("</svg>", cursor)


def _number(axes: Axes, seat: int, shares: Sequence[Sequence[float]], is_free: Callable[[int, float], bool]) -> None:
    """The number of a seat where its area is widest and there is room, for those who do not see its colour."""
    inner = range(1, len(shares) - 1) if len(shares) > 4 else range(len(shares))
    middles = {step: sum(shares[step][:seat]) + shares[step][seat] / 2 for step in inner}
    wide = [step for step in inner if shares[step][seat] > 0.08]
    if wide:
        step = max(wide, key=lambda step: (is_free(step, middles[step]), shares[step][seat], -step))
        axes.text(step + 1, middles[step], str(seat), ha="center", va="center", fontsize=12, fontweight="bold",
                  color="white" if seat in (0, 2) else "black", gid="seat")  # fmt: skip


def score_ladder(before: Sequence[int], after: Sequence[int] | None, width: float, height: float) -> str:
    """Scores of Buck Euchre before and after the deal, counting down to the goal."""
    after = before if after is None else after
    with matplotlib.rc_context(_STYLE | {"svg.hashsalt": f"ladder {width}"}):
        axes = _axes(width, height, 0.3)
        rows = range(len(before))
        for row, was, now in zip(rows, before, after, strict=True):
            axes.plot([was, now], [row, row], color=COLOURS[row], linewidth=5, solid_capstyle="butt", zorder=2)
            axes.scatter([was], [row], s=70, color=_PAPER, edgecolor=COLOURS[row], linewidth=2, zorder=3, clip_on=False)
            axes.scatter([now], [row], s=330, color=COLOURS[row], edgecolor=_PAPER, zorder=4, clip_on=False)
            axes.text(now, row, str(now), ha="center", va="center_baseline", fontsize=9, fontweight="bold",
                      color="white" if row in (0, 2) else "black", zorder=5, clip_on=False)  # fmt: skip
        axes.axvline(0, color=_INK, linewidth=1.5)
        low, high = min(0, *after), max(25, *before, *after)
        axes.set_xlim(high + 1, low - 1)  # the goal is on the right
        axes.set_ylim(len(before) - 0.5, -0.5)
        axes.set_yticks(rows, [str(row) for row in rows])
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("score")
        axes.grid(axis="x", color=_INK, alpha=0.15)
        return _svg(axes)


def _axes(width: float, height: float, left: float) -> Axes:
    """Axes on a figure of their own."""
    figure = Figure((width, height))
    room = (width - left - _RIGHT) / width, (height - _TOP - _BOTTOM) / height
    return figure.add_axes((left / width, _BOTTOM / height, *room))


def _svg(axes: Axes) -> str:
    """The figure of some axes as an element of a page: no prolog, no fixed size, colours of the page."""
    out = io.StringIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    axes.figure.savefig(out, format="svg", transparent=True, metadata=nothing)  # type: ignore[union-attr]
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    head, body = svg.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head)
    assert box is not None
    body = re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r'<g id="([a-zA-Z]*)[^"]*"', r'<g class="\1"', body)  # an id may stand but once in a page
    body = re.sub(r"font-family: [^;]*", "font-family: inherit", body)
    for sentinel, colour in ((_INK, "currentColor"), (_PAPER, "var(--paper)")):
        body = body.replace(sentinel, colour)
    return f'<svg {box[0]} class="plot" role="group">{body}'.strip()
