"""The page of a review: what it shows, that it needs nothing else, and how it behaves in a browser."""

import base64
import json
import re
import shutil
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import pysearch
from pysearch import ArgumentError, View
from pysearch.chances import chances
from pysearch.games import GAMES
from pysearch.report import html, write_html
from pysearch.report.graph import Mark, win_graph
from pysearch.report.page import intervals
from pysearch.report.steps import heat_maps, steps_of
from pysearch.report.table import card_table
from pysearch.report.words import CARD, say_move, short_move

DATA = Path(__file__).parent / "data"
NAMES = ["cuttle", "cuttle_own", "buck_euchre", "buck_euchre_own"]
VOID = {"meta", "link", "input", "br", "hr", "img"}
EVIL = '<script>alert(1)</script><img src="http://a.test/x.png" onerror=alert(2)>"\'&amp;$x_1${{ 7*7 }}'


def review_of(name: str) -> dict[str, Any]:
    """One of the documents that make_reviews.py wrote."""
    review = json.loads((DATA / f"review_{name}.json").read_text(encoding="utf-8"))
    assert isinstance(review, dict)
    return review


class Page(HTMLParser):
    """The elements of a page, with the text inside each; AssertionError when they are not nested well."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, int]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), tag
        self.elements.append((tag, dict(attrs)))
        self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, place in self.open:
            self.texts[place] += data

    def of_class(self, name: str) -> list[str]:
        """The texts of all elements of a class."""
        pairs = zip(self.elements, self.texts, strict=True)
        return [text for (_, attrs), text in pairs if name in (attrs.get("class") or "").split()]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {name: html(review_of(name)) for name in NAMES}


# ---------------------------------------------------------------- words and tables


@pytest.mark.parametrize(
    ("game", "move", "said", "brief"),
    [
        ("cuttle", "9HxTD", "scuttles 10♦ with 9♥", "9♥×10♦"),
        ("cuttle", "6C@", "plays 6♣ for its effect", "6♣ effect"),
        ("cuttle", "8S@", "lays 8♠ as glasses", "8♠ glasses"),
        ("cuttle", "KS@", "lays K♠", "K♠"),
        ("cuttle", "2S@KC", "scraps K♣ with 2♠", "2♠→K♣"),
        ("cuttle", "JD@TH", "takes 10♥ with J♦", "J♦→10♥"),
        ("cuttle", "5H", "plays 5♥ for points", "5♥"),
        ("cuttle", "c2C", "counters with 2♣", "counter 2♣"),
        ("cuttle", "t7H", "takes 7♥ from the scrap", "take 7♥"),
        ("cuttle", "d5H9C", "discards 5♥ and 9♣", "discard 5♥9♣"),
        ("cuttle", "ok", "lets it happen", "ok"),
        ("cuttle", "draw", "draws a card", "draw"),
        ("buck_euchre", "d9H", "buries 9♥", "bury 9♥"),
        ("buck_euchre", "dX", "buries a card", "bury"),
        ("buck_euchre", "H", "names ♥", "♥"),
        ("buck_euchre", "drop", "drops", "drop"),
        ("buck_euchre", "JH", "plays J♥", "J♥"),
    ],
)
def test_moves_in_words(game: str, move: str, said: str, brief: str) -> None:
    assert say_move(game, move).replace("\ufe0e", "") == said
    assert short_move(game, move).replace("\ufe0e", "") == brief


@pytest.mark.parametrize("name", NAMES)
def test_every_card_of_a_position_is_drawn_once(name: str) -> None:
    """What is named in the text stands on the table; only the stock of Cuttle shows no more than its top."""
    for values in review_of(name)["plies"]:
        line = values["position"]
        keys = dict(word.split("=", 1) for word in line.split()[1:])
        table = card_table(line, values["player"], None, values["move"])
        rows = [*table.middle, *(row for seat in table.seats for row in seat.rows)]
        drawn = [card for row in rows for stack in row.stacks for card in stack]
        named = sorted([card.name for card in drawn if card] + [played.card.name for played in table.trick])
        shown = "".join(text for key, text in keys.items() if key not in ("known", "stock"))
        expected = CARD.findall(shown) + CARD.findall(keys.get("stock", "-"))[:1]
        assert named == sorted(expected)
        hidden = sum(int(n) for key, text in keys.items() if key != "stock" for n in re.findall(r"X(\d)", text))
        assert sum(card is None for card in drawn) == hidden
        assert [seat.seat for seat in table.seats if seat.to_move] == [values["player"]]


def test_tricks_belong_to_those_who_played_them() -> None:
    line = "buck/1 hands=X4/KD9HJHAHTS/X5/X5 up=QH dealer=3 turn=1 stage=play trump=H maker=1 trick=QS"
    assert [(played.seat, played.card.name) for played in card_table(line, 1, None, "").trick] == [(0, "QS")]
    line = line.replace("X4/KD9HJHAHTS/X5/X5", "X5/KD9HJHAHTS/X4/X4").replace("trick=QS", "out=0 trick=QSAS")
    assert [(played.seat, played.card.name) for played in card_table(line, 1, None, "").trick] == [(2, "QS"), (3, "AS")]


def test_points_and_jacks() -> None:
    line = "cuttle/1 hands=8DX4/5HJCKS points=TH+JD/4C9S perms=KC/QH scrap=AC2S3D stock=X35 known=8D/KS turn=1 view=1"
    north, south = card_table(line, 1, None, "").seats
    assert (north.seat, north.note, south.note) == (0, "10 of 14 points", "13 of 21 points")
    assert [[card.name for card in stack if card] for stack in north.rows[1].stacks] == [["TH", "JD"]]


def test_cards_that_the_player_does_not_see_are_marked() -> None:
    review = review_of("cuttle")
    for step, values in zip(steps_of(review), review["plies"], strict=False):
        pos = pysearch.parse(values["position"])
        assert isinstance(pos, pysearch.Position)
        view = pos.view(values["player"]).to_dict()
        other = 1 - values["player"]
        hand = next(seat for seat in step.table.seats if seat.seat == other).rows[0].stacks
        assert {card.name for [card] in hand if card and not card.unseen} == set(view["hands"][other]) - {"X"} - {
            word for word in view["hands"][other] if word.startswith("X")
        }


@pytest.mark.parametrize("name", NAMES)
def test_heat_maps_are_the_exact_chances(name: str) -> None:
    review = review_of(name)
    for step, values in zip(steps_of(review), review["plies"], strict=False):
        state = pysearch.parse(values["position"])
        view = state if isinstance(state, View) else state.view(values["player"])
        found = chances(GAMES[view.game].hidden(view.words))
        sums = [sum(chance or 0 for place in step.heat for chance in place.rows[row][2]) for row in range(4)]
        assert sum(sums) == pytest.approx(len(found))
        for place in step.heat:
            assert all(chance is None or 0 <= chance <= 1 for _, _, line in place.rows for chance in line)


def test_intervals_lie_between_their_ends() -> None:
    moves: list[dict[str, Any]] = [
        {"value": 0.9, "stderr": 0.1},
        {"value": 0.2, "stderr": None},
        {"value": None, "stderr": None},
    ]
    low, high, bars = intervals(moves)
    assert (low, high) == (0.2, 1.0)
    assert bars[1:] == [(0, 0, 0), None]
    assert bars[0] is not None
    assert bars[0][0] < bars[0][1] == 87.5 < bars[0][2] == 100
    assert intervals([]) == (0.0, 1.0, [])


# ---------------------------------------------------------------- the page as text


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_all_its_parts(name: str, pages: dict[str, str]) -> None:
    review, page = review_of(name), Page(pages[name])
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for ply in review["plies"]:
        assert f"ply-{ply['ply']}" in ids
    links = [attrs["href"] for tag, attrs in page.elements if tag == "a"]
    assert {link[1:] for link in links if link} <= set(ids)
    for ply in review["turning_points"]:
        assert links.count(f"#ply-{ply}") == 4  # two graphs, the list of turning points, the list of moves
    tables = [text for (tag, _), text in zip(page.elements, page.texts, strict=True) if tag == "table"]
    unforced = [decision for decision in review["decisions"] if not decision["forced"]]
    assert len(page.of_class("candidates")) == len(unforced)
    for text, decision in zip(page.of_class("candidates"), unforced, strict=True):
        assert text.count("played") == 1
        for move in decision["candidates"]:
            assert f"{100 * move['value']:.1f}\N{NO-BREAK SPACE}%" in text
    assert sum("errors per 1,000" in text for text in tables) == 1
    assert len(page.of_class("plot")) == (4 if review["game"] == "buck_euchre" else 2)
    heads = [text for (tag, _), text in zip(page.elements, page.texts, strict=True) if tag == "h3"]
    assert len(heads) == len(page.of_class("board")) == len(steps_of(review))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_loads_nothing(name: str, pages: dict[str, str]) -> None:
    text = pages[name]
    for tag, attrs in Page(text).elements:
        for attribute, value in attrs.items():
            assert not attribute.startswith("on"), (tag, attribute)
            if attribute in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
                assert value is not None
                assert value.startswith("#") or value == "data:,", (tag, value)
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    assert not re.search("https?:", text)
    assert "default-src 'none'" in text


@pytest.mark.parametrize("name", ["cuttle", "buck_euchre"])
def test_names_are_text(name: str, pages: dict[str, str]) -> None:
    review = review_of(name)
    review["players"] = [f"{EVIL}{seat}" for seat in range(len(review["players"]))]
    for row in review["summary"]:
        row["name"] = EVIL
    page = Page(html(review))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in Page(pages[name]).elements]
    assert any(f"{EVIL}0" in text for text in page.of_class("player"))
    labels = [attrs["aria-label"] for tag, attrs in page.elements if tag == "a" and "aria-label" in attrs]
    assert len(labels) == 2 * len(review["turning_points"])
    assert all(label and EVIL in label for label in labels)


def test_notes_of_the_record_stand_on_the_page() -> None:
    review = review_of("cuttle")
    tags = [tag for tag, _ in Page(html(review)).elements]
    review["comment"] = "a club evening"
    review["plies"][3]["comment"] = f"too bold\x1b {EVIL}"
    page = Page(html(review))
    assert page.of_class("comment") == ["a club evening", f"too bold\N{REPLACEMENT CHARACTER} {EVIL}"]
    assert len(page.elements) == len(tags) + 4  # a paragraph and its isolation, twice


def test_known_cards_are_left_out_of_every_other_place() -> None:
    """Of a card whose place is known the others have nothing to say."""
    view = pysearch.parse("cuttle/1 hands=8DX4/5HJCKS points=TH+JD/4C9S perms=-/QH scrap=AC2S3D stock=X36 known=8D/KS "
                          "turn=1 view=1")  # fmt: skip
    assert isinstance(view, View)
    maps = {place.place: {suit: line for suit, _, line in place.rows} for place in heat_maps(view)}
    eight = maps["seat 0"]["D"].index(1)
    assert {name: rows["D"][eight] for name, rows in maps.items()} == {"seat 0": 1, "stock": None}


def test_numbers_in_the_graph_keep_off_marks_and_the_middle() -> None:
    def numbers(shares: list[list[float]], *marks: Mark) -> list[tuple[float, float]]:
        svg = win_graph(shares, marks, 11.5, 3.4)
        texts = re.findall(r'<g class="seat">\s*<text [^>]*x="([\d.]+)" y="([\d.]+)"', svg)
        return [(float(x), float(y)) for x, y in texts]

    # Seat 0 is widest where its number would lie upon the dashed line, seat 1 where a mark is.
    shares = [[0.89, 0.11]] * 10 + [[0.995, 0.005]] * 5 + [[0.89, 0.11]] * 10 + [[0.88, 0.12]] + [[0.89, 0.11]] * 14
    (_, y0), (x1, _) = numbers(shares)
    mark = Mark(25, 25, 1, 1, "one")
    (_, marked), (x2, _) = numbers(shares, mark)
    middle, inch = 72 * (0.16 + (3.4 - 0.16 - 0.5) / 2), 72
    assert min(abs(y0 - middle), abs(marked - middle)) > 0.1 * inch
    step = 72 * (11.5 - 0.62 - 0.16) / 39
    assert x1 == pytest.approx(72 * 0.62 + 25 * step, abs=1)
    assert abs(x2 - x1) > 0.9 * step


def test_a_page_is_always_the_same(pages: dict[str, str]) -> None:
    assert html(review_of("buck_euchre")) == pages["buck_euchre"]


def test_little_is_known() -> None:
    """No shares, no errors, no decisions, no luck: the page leaves them out."""
    review = review_of("cuttle")
    for ply in review["plies"]:
        ply["shares"] = None
    nothing: dict[str, Any] = {"decisions": [], "events": [], "summary": [], "turning_points": []}
    bare = {**review, **nothing, "returns": None, "result": "*"}
    page = Page(html(bare))
    assert not page.of_class("plot")
    assert "not finished" in page.of_class("result")
    for decision in review["decisions"]:
        decision["stderr"] = None
        for move in decision["candidates"]:
            move.update(stderr=None, loss_stderr=None, worlds=None)
    for row in review["summary"]:
        row.update(accuracy=None, errors_per_1000=None, interval=None, luck=None, adjusted=None)
    Page(html(review))
    Page(html({**bare, "plies": []}))


def test_an_error_by_the_stakes_of_a_deal_is_marked() -> None:
    review = review_of("buck_euchre")
    decision = next(d for d in review["decisions"] if d["grade"] == "best" and not d["forced"])
    before = Page(html(review)).of_class("g-blunder")
    decision["deal_grade"] = "blunder"
    page = Page(html(review))
    assert len(page.of_class("g-blunder")) >= len(before) + 2  # heading, list of moves
    assert "Grades by the deal's stakes" in " ".join(page.of_class("summary"))


def test_an_interrupted_review_says_so() -> None:
    review = review_of("cuttle")
    review |= {"complete": False, "iterations": None, "plies": review["plies"][:12], "turning_points": [9]}
    review["decisions"] = [decision for decision in review["decisions"] if decision["ply"] < 12]
    review["events"] = [event for event in review["events"] if event["ply"] < 12]
    page = Page(html(review))
    assert "interrupted" in page.of_class("result")[0]
    assert len(page.of_class("step")) == 13
    assert steps_of(review)[-1].shares == review["plies"][-1]["shares"]  # not the result: that came later


@pytest.mark.parametrize(
    "spoil", [{"schema": 2}, {"plies": 3}, {"plies": [{}]}, {"game": "chess"}, {"decisions": None}]
)
def test_what_is_no_review_is_refused(spoil: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=r"^review: ") as caught:
        html({**review_of("cuttle"), **spoil})
    assert "\n" not in str(caught.value)


def test_a_position_that_cannot_be_read_is_named() -> None:
    review = review_of("cuttle")
    review["plies"][0]["position"] = "cuttle/1 hands=AC/AC turn=0"
    with pytest.raises(pysearch.NotationError, match="AC"):
        html(review)


def test_writing(tmp_path: Path) -> None:
    write_html(review_of("cuttle_own"), tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == html(review_of("cuttle_own"))
    with pytest.raises(ArgumentError, match=r"^path: cannot write .*: no such file"):
        write_html(review_of("cuttle_own"), tmp_path / "nowhere" / "a.html")


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_extra_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pysearch.report.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ArgumentError, match=rf'^report: {package} .*pip install -e "\.\[report\]"'):
        html(review_of("cuttle"))


# ---------------------------------------------------------------- the page in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("this machine has no chromium with chromedriver (Debian: chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()


@pytest.fixture(scope="module")
def files(pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of the pages as files."""
    folder = tmp_path_factory.mktemp("pages")
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in pages}


def visit(browser: webdriver.Chrome, address: str, width: int = 1200, height: int = 900) -> None:
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get("about:blank")  # so that an address with another # is loaded afresh
    log(browser)
    log(browser, "performance")
    browser.get(address)


def shown(browser: webdriver.Chrome) -> list[str]:
    """The ids of the steps that are to be seen."""
    found = run(browser, "[...document.querySelectorAll('.step')].filter(s => s.offsetParent).map(s => s.id)")
    assert isinstance(found, list)
    return found


def run(browser: webdriver.Chrome, expression: str) -> Any:
    """The value of an expression of the page."""
    return browser.execute_script(f"return {expression}")


def log(browser: webdriver.Chrome, kind: str = "browser") -> Any:
    """What was logged since this was last asked: errors, or requests."""
    return browser.get_log(kind)  # type: ignore[no-untyped-call]


def press(browser: webdriver.Chrome, *keys: str) -> None:
    webdriver.ActionChains(browser, duration=0).send_keys(*keys).perform()


def cards_shown(browser: webdriver.Chrome) -> list[str]:
    cards = "[...document.querySelectorAll('.step.current .board .card')].map(card => card.ariaLabel.split(',')[0])"
    found = run(browser, cards)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [360, 1200])
def test_a_click_on_a_turning_point_shows_its_position(
    name: str, width: int, browser: webdriver.Chrome, files: dict[str, str]
) -> None:
    review = review_of(name)
    visit(browser, files[name], width)
    assert shown(browser) == ["ply-0"]
    steps = {step.ply: step for step in steps_of(review)}
    assert review["turning_points"]
    for place, ply in enumerate(review["turning_points"]):
        graph = "narrow" if width == 360 else "wide"
        where = [f"figure.{graph} a[href='#ply-{ply}']", f".turns a[href='#ply-{ply}']"][place % 2]
        browser.find_element(By.CSS_SELECTOR, where).click()
        assert shown(browser) == [f"ply-{ply}"]
        assert browser.current_url.endswith(f"#ply-{ply}")
        table = steps[ply].table
        rows = [row for seat in table.seats for row in seat.rows] + table.middle
        drawn = [card for row in rows for stack in row.stacks for card in stack]
        expected = ["unknown card" if card is None else card.spoken for card in drawn]
        expected += [played.card.spoken for played in table.trick]
        assert sorted(cards_shown(browser)) == sorted(expected)
        controls = browser.find_element(By.CSS_SELECTOR, ".controls").rect
        top = run(browser, "scrollY")
        assert top <= controls["y"] < top + 900
    assert log(browser) == []


@pytest.mark.parametrize("name", ["cuttle", "buck_euchre"])
def test_keys_go_through_the_game(name: str, browser: webdriver.Chrome, files: dict[str, str]) -> None:
    review = review_of(name)
    last = len(review["plies"])
    visit(browser, files[name])
    press(browser, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert shown(browser) == ["ply-2"]
    press(browser, Keys.ARROW_LEFT)
    assert shown(browser) == ["ply-1"]
    press(browser, Keys.END, Keys.ARROW_RIGHT)
    assert shown(browser) == [f"ply-{last}"]
    press(browser, Keys.HOME, Keys.ARROW_LEFT)
    assert shown(browser) == ["ply-0"]
    for ply in sorted(review["turning_points"]):
        press(browser, "n")
        assert shown(browser) == [f"ply-{ply}"]
    press(browser, "p")
    assert shown(browser) == [f"ply-{sorted(review['turning_points'])[-2]}"]
    slider = browser.find_element(By.CSS_SELECTOR, "input[type=range]")
    before = slider.get_attribute("value")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert shown(browser) == [f"ply-{int(str(before)) + 1}"]
    assert str(slider.get_attribute("aria-valuetext")).startswith(f"{int(str(before)) + 2}.")
    assert log(browser) == []


def test_all_can_be_reached_by_tab(browser: webdriver.Chrome, files: dict[str, str]) -> None:
    """In the order of the page, with a focus that is seen; Enter follows a link."""
    visit(browser, files["cuttle"])
    turning = review_of("cuttle")["turning_points"]
    focused = """(node => {
        const drawn = getComputedStyle(node.querySelector("use") || node);
        return [node.getAttribute("href") || node.dataset.go || node.tagName, drawn.outlineStyle, drawn.strokeWidth];
    })(document.activeElement)"""
    reached = []
    for _ in range(2 * len(turning) + 7):
        press(browser, Keys.TAB)
        reached.append(run(browser, focused))
    marks = [f"#ply-{ply}" for ply in turning]
    names = [name for name, _, _ in reached]
    assert names == ["#game", *reversed(marks), *marks, "first", "back", "INPUT", "on", "last", "turn"]
    assert all(outline == "solid" or width == "3px" for _, outline, width in reached)
    first = browser.find_element(By.CSS_SELECTOR, ".turns a")
    first.send_keys(Keys.ENTER)
    assert shown(browser) == [f"ply-{turning[0]}"]


def test_a_click_into_the_graph_goes_to_that_move(browser: webdriver.Chrome, files: dict[str, str]) -> None:
    visit(browser, files["buck_euchre"])
    plot = browser.find_element(By.CSS_SELECTOR, "figure.wide svg.plot")
    webdriver.ActionChains(browser).move_to_element_with_offset(plot, plot.size["width"] // 2 - 2, 0).click().perform()
    assert shown(browser) == [f"ply-{len(review_of('buck_euchre')['plies'])}"]
    visit(browser, files["buck_euchre"] + "#ply-5")
    assert shown(browser) == ["ply-5"]
    browser.find_element(By.CSS_SELECTOR, ".moves a[href='#ply-9']").click()
    assert shown(browser) == ["ply-9"]


@pytest.mark.parametrize("name", [*NAMES, "cuttle long", "buck_euchre long"])
def test_a_telephone_scrolls_down_only(
    name: str, browser: webdriver.Chrome, files: dict[str, str], tmp_path: Path
) -> None:
    name, _, names = name.partition(" ")
    review, address = review_of(name), files[name]
    if names == "long":
        review["players"] = ["W" * 60 for _ in review["players"]]
        write_html(review, tmp_path / "page.html")
        address = (tmp_path / "page.html").as_uri()
    visit(browser, address, 360, 740)
    sweep = """[...document.querySelectorAll(".step")].map(() => {
        const width = document.documentElement.scrollWidth;
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        return width;
    })"""
    assert set(run(browser, sweep)) == {360} == {run(browser, "innerWidth")}
    assert shown(browser) == [f"ply-{len(steps_of(review)) - 1}"]
    assert log(browser) == []


def test_nothing_is_asked_from_anywhere(browser: webdriver.Chrome, files: dict[str, str]) -> None:
    visit(browser, files["cuttle"])
    press(browser, Keys.END)
    events = [json.loads(entry["message"])["message"] for entry in log(browser, "performance")]
    asked = {e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"}
    assert {url for url in asked if not url.startswith(("data:", "about:"))} == {files["cuttle"]}


def test_names_run_no_script(browser: webdriver.Chrome, tmp_path: Path) -> None:
    review = review_of("cuttle_own")
    review["players"] = [EVIL, EVIL]
    write_html(review, tmp_path / "page.html")
    visit(browser, (tmp_path / "page.html").as_uri())
    assert browser.find_element(By.TAG_NAME, "h1").text.count(EVIL) == 2
    assert browser.find_elements(By.TAG_NAME, "img") == []
    assert log(browser) == []


def test_print_shows_the_turning_points(browser: webdriver.Chrome, files: dict[str, str]) -> None:
    visit(browser, files["cuttle"], 718)  # A4 within its margins
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        turning = review_of("cuttle")["turning_points"]
        assert shown(browser) == [f"ply-{ply}" for ply in sorted(turning)]
        assert not browser.find_element(By.CSS_SELECTOR, ".controls").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert base64.b64decode(browser.print_page()).startswith(b"%PDF")
