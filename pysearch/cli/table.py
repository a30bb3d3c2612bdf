"""Draws the table of a position: what lies open, what each seat holds, whose turn it is."""

import re

from rich.box import ROUNDED
from rich.console import RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pysearch import Position, View
from pysearch.cli.output import make_console

NAMES = {"cuttle": "Cuttle", "buck_euchre": "Buck Euchre"}
CARD = re.compile(r"X\d+|[A2-9TJQK][CDHS]")
POINTS = {rank: value for value, rank in enumerate("A23456789T", 1)}
GOALS = (21, 14, 10, 7, 5)  # by number of kings (C24)

WIDTH = 78  # of the drawn table, at most

Rows = list[tuple[str, Text]]


def draw_position(position: Position | View, title: str = "") -> list[RenderableType]:
    """The drawn table. It is read from the canonical text, which names everything there is to draw."""
    keys = dict(word.split("=", 1) for word in str(position).split()[1:])
    headline = Text(NAMES[position.game], style="bold")
    if "view" in keys:
        headline.append(f" as seat {keys['view']} sees it", style="not bold")
    if title:
        headline.append(f": {title}", style="not bold")
    console = make_console()
    table = cuttle_table if position.game == "cuttle" else buck_table
    return [headline, *table(keys, position.to_move, console.width if console.is_terminal else 0)]


def cuttle_table(keys: dict[str, str], to_move: int | None, width: int) -> list[RenderableType]:
    """One seat above the other, the stock and the scrap between them. `width` is that of the terminal, 0 for none."""
    width = min(width, WIDTH)
    seats = [cuttle_seat(keys, seat, to_move, width) for seat in (0, 1)]
    stock = sum(int(card[1:]) if card[0] == "X" else 1 for card in CARD.findall(keys.get("stock", "-")))
    rows = [("stock", Text("1 card" if stock == 1 else f"{stock} cards")), ("scrap", cards(keys.get("scrap", "-")))]
    rows += [(key, cards(keys[key])) for key in ("oneoff", "counters", "revealed", "sevens") if key in keys]
    if "passes" in keys:
        rows.append(("passes", Text(keys["passes"])))
    if "stage" in keys:
        rows.append(("stage", Text(f"{keys['stage']}, turn of seat {keys['turn']}")))
    return [seats[0], section(Text("table"), rows, width), seats[1]]


def cuttle_seat(keys: dict[str, str], seat: int, to_move: int | None, width: int) -> RenderableType:
    names = ("hands", "points", "perms", "known")
    hand, points, perms, known = (keys.get(name, "-/-").split("/")[seat] for name in names)
    total = sum(POINTS.get(card[0], 0) for card in CARD.findall(points))
    goal = GOALS[sum(card[0] == "K" for card in CARD.findall(perms))]
    rows = [("hand", cards(hand)), ("points", cards(points)), ("others", cards(perms))]
    if known != "-":
        rows.append(("known", cards(known)))
    return section(seat_title(seat, f"{total} of {goal} points", to_move), rows, width)


def buck_table(keys: dict[str, str], to_move: int | None, width: int) -> list[RenderableType]:
    """Seats clockwise, 0 below, 1 to the left, 2 above, 3 to the right; one below the other where there is no room."""
    third = WIDTH // 3 - 1 if width >= WIDTH else 0
    seats = [buck_seat(keys, seat, to_move, third) for seat in range(4)]
    rows = [("stage", Text(keys.get("stage", "order"))), ("up", cards(keys["up"]))]
    if "trump" in keys:
        trump = keys["trump"]
        rows.append(("trump", Text("none") if trump == "N" else Text(trump, style=suit_style(trump))))
    rows += [(key, cards(keys[key])) for key in ("trick", "played", "buried", "kitty") if key in keys]
    middle = section(Text("table"), rows, third)
    if not third:
        return [*seats, middle]
    square = Table.grid(padding=(0, 1))
    for _ in range(3):
        square.add_column(vertical="middle")
    square.add_row(None, seats[2], None)
    square.add_row(seats[1], middle, seats[3])
    square.add_row(None, seats[0], None)
    return [square]


def buck_seat(keys: dict[str, str], seat: int, to_move: int | None, width: int) -> RenderableType:
    def of_seat(key: str, default: str) -> str:
        return keys.get(key, "/".join([default] * 4)).split("/")[seat]

    rows = [("hand", cards(of_seat("hands", "-")))]
    rows += [("score", Text(of_seat("scores", "25"))), ("tricks", Text(of_seat("tricks", "0")))]
    void = of_seat("voids", "-")
    if void != "-":
        rows.append(("void", Text(" ".join(void))))
    roles = [role for role in ("dealer", "maker") if keys.get(role) == str(seat)]
    if str(seat) in keys.get("out", "-"):
        roles.append("dropped")
    if roles:
        rows.append(("role", Text(", ".join(roles))))
    return section(seat_title(seat, "", to_move), rows, width)


def seat_title(seat: int, note: str, to_move: int | None) -> Text:
    title = Text(f"seat {seat}", no_wrap=True, overflow="ellipsis")
    if seat == to_move:
        title.append(", to move", style="bold green")
    return title.append(f": {note}") if note else title


def section(title: Text, rows: Rows, width: int) -> RenderableType:
    """A box of this width, or for 0 a title with its rows below."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for row in rows:
        grid.add_row(*row)
    if width:
        return Panel(grid, title=title, title_align="left", box=ROUNDED, width=width)
    grid.columns[0].width = 8
    below = Table.grid()
    below.add_row(title)
    below.add_row(Padding(grid, (0, 0, 0, 2)))
    return below


def cards(text: str) -> Text:
    """Cards in colour, backs for the unknown ones: TH+JD 8C ?? ??, and - for none."""
    drawn = Text()
    place = 0
    for match in CARD.finditer(text):
        between = text[place : match.start()]  # + of a jack, @ of a target
        place = match.end()
        drawn.append(between or (" " if drawn else ""))
        card = match[0]
        if card[0] == "X":
            drawn.append(" ".join(["??"] * int(card[1:])), style="dim")
        else:
            drawn.append(card, style=suit_style(card[-1]))
    return drawn if drawn else Text(text)


def suit_style(suit: str) -> str:
    """Red or black; the letter of the suit always stands there as well, so nothing hangs on the colour."""
    return "bold red" if suit in "DH" else "bold"
