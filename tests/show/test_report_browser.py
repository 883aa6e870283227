"""Pages and pictures in a real browser: Debian's Chromium, without a window and without a network.

`apt-get install chromium chromium-driver` brings it. `make test` leaves these tests out; `make browser-test` runs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from helpers.browsing import DESKTOP, PHONE, Browser, edges, logged, requested, sized
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from satjudge import Game, load_rulebook
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.sheet_reader import load_sheets
from satjudge.show.pictures import Look, picture
from satjudge.show.pictures.palette import DARK, LIGHT
from satjudge.show.pictures.scene import make_case_panels, make_resolution_panels
from satjudge.show.report import GamePage, make_position_page, make_run_page

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a paradox with two resolutions."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    rulebooks = [load_rulebook(name) for name in ("datc-3", "1971", "1982")]
    path.write_text(make_position_page(find_bundled_case("6.F.14"), rulebooks[0], rulebooks), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(browser: Browser, report: str) -> Iterator[Browser]:
    """The page on a desktop; afterwards the browser must not have complained or asked for anything."""
    sized(browser, DESKTOP)
    logged(browser, "browser")
    logged(browser, "performance")
    browser.get(report)
    yield browser
    assert logged(browser, "browser") == []
    assert set(requested(browser)) <= {report, "data:,"}


def shown_views(browser: Browser) -> list[str | None]:
    figures = browser.find_elements(By.CSS_SELECTOR, "figure[data-view]")
    return [figure.get_attribute("data-view") for figure in figures if figure.is_displayed()]


def order_of(browser: Browser, province: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, f"details[data-province={province}]")


def test_a_click_shows_another_resolution_in_picture_and_orders(opened: Browser) -> None:
    assert shown_views(opened) == ["0"]
    assert "given" in order_of(opened, "LON").text
    opened.find_elements(By.CSS_SELECTOR, ".switch label")[2].click()
    assert shown_views(opened) == ["2"]
    assert "cut" in order_of(opened, "LON").text
    assert "given" not in order_of(opened, "LON").text
    opened.find_elements(By.CSS_SELECTOR, ".switch label")[0].click()
    assert shown_views(opened) == ["0"]


def test_the_arrow_keys_show_another_resolution(opened: Browser) -> None:
    body = opened.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    focused = opened.switch_to.active_element
    assert focused.get_attribute("name") == "view"
    focused.send_keys(Keys.ARROW_RIGHT)
    assert shown_views(opened) == ["1"]
    opened.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert shown_views(opened) == ["2"]
    opened.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert shown_views(opened) == ["1"]


def test_an_explanation_opens_by_click_and_by_key(opened: Browser) -> None:
    order = order_of(opened, "WAL")
    why = order.find_element(By.CSS_SELECTOR, ".why")
    assert not why.is_displayed()
    order.find_element(By.TAG_NAME, "summary").click()
    assert why.is_displayed()
    assert "attack 2 (itself, F LON) exceeds hold 1 of F ENG (itself)" in why.text
    order.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert not why.is_displayed()


def test_a_click_in_the_picture_opens_the_explanation(opened: Browser) -> None:
    opened.find_element(By.CSS_SELECTOR, "figure:not([hidden]) .unit.ENG").click()
    assert order_of(opened, "ENG").get_attribute("open") is not None
    active = opened.switch_to.active_element
    assert active.tag_name == "summary"
    assert "F ENG C A BRE - LON" in active.text


@pytest.mark.parametrize("size", [PHONE, (768, 1024), (1400, 900)], ids=str)
@pytest.mark.parametrize("name", ["LVN", "GRE", "NWY"])
def test_the_map_stays_in_sight_when_a_unit_is_pressed(
    browser: Browser, tmp_path: Path, size: tuple[int, int], name: str
) -> None:
    """With 34 units the orders are longer than any screen: the unit and its explanation are seen together."""
    browser.get(midgame(tmp_path))
    sized(browser, size)
    unit = browser.find_element(By.CSS_SELECTOR, f"figure:not([hidden]) .unit.{name}")
    browser.execute_script("arguments[0].focus()", unit)
    unit.send_keys(Keys.ENTER)
    _, top, _, bottom = edges(unit)
    assert 0 <= top < bottom <= size[1]
    summary = order_of(browser, name).find_element(By.TAG_NAME, "summary")
    left, top, _, bottom = edges(summary)
    assert 0 <= top < bottom <= size[1]
    _, _, right, below = edges(browser.find_element(By.CSS_SELECTOR, "figure:not([hidden])"))
    assert left >= right or top >= below - 1  # nothing of it is under the picture
    assert order_of(browser, name).find_element(By.CSS_SELECTOR, ".why").is_displayed()


def midgame(folder: Path) -> str:
    """The address of a page about thirty-four units."""
    (sheet,) = load_sheets(ROOT / "docs" / "pictures" / "midgame.txt")
    path = folder / "midgame.html"
    path.write_text(make_position_page(sheet, load_rulebook()), encoding="utf-8")
    return path.as_uri()


def test_orders_stand_beside_the_picture_where_there_is_room(opened: Browser) -> None:
    for width in (1200, 1920):
        sized(opened, (width, 900))
        picture_edges = edges(opened.find_element(By.CSS_SELECTOR, "figure:not([hidden])"))
        orders = edges(opened.find_element(By.ID, "orders"))
        assert orders[0] >= picture_edges[2]
        assert orders[1] < picture_edges[3]
        assert orders[2] > 0.85 * width - 100  # the right half is used
    sized(opened, PHONE)
    orders, picture_edges = edges(opened.find_element(By.ID, "orders")), edges(opened.find_element(By.TAG_NAME, "figure"))
    assert orders[1] >= picture_edges[3]


@pytest.mark.parametrize("key", [Keys.ENTER, Keys.SPACE])
def test_units_in_the_picture_are_pressed_with_a_key(opened: Browser, key: str) -> None:
    unit = opened.find_element(By.CSS_SELECTOR, "figure:not([hidden]) .unit.ENG")
    assert unit.aria_role == "button"
    assert unit.accessible_name == "France: F English Channel, dislodged: why F ENG C A BRE - LON?"
    opened.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    while opened.switch_to.active_element != unit:
        opened.switch_to.active_element.send_keys(Keys.TAB)
    assert opened.execute_script("return getComputedStyle(arguments[0]).outlineStyle", unit) == "solid"  # the focus is seen
    unit.send_keys(key)
    assert order_of(opened, "ENG").get_attribute("open") is not None
    assert opened.switch_to.active_element.tag_name == "summary"


def test_a_census_is_folded_and_its_contents_lead_to_what_is_in_it(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "census.html"
    path.write_text(make_run_page((ROOT / "docs" / "papers" / "census" / "census.json").read_bytes()), encoding="utf-8")
    sized(browser, DESKTOP)
    browser.get(path.as_uri())
    assert browser.execute_script("return document.documentElement.scrollHeight") < 6000
    assert not browser.find_elements(By.CSS_SELECTOR, "details[open]")
    link = browser.find_element(By.CSS_SELECTOR, "nav.contents ul ul a")
    link.click()
    (opened_one,) = browser.find_elements(By.CSS_SELECTOR, "details.fold[open]")
    assert link.text in opened_one.text
    assert 0 <= edges(opened_one)[1] < DESKTOP[1]
    assert opened_one.find_element(By.TAG_NAME, "svg").is_displayed()


def test_the_reasons_are_those_of_the_chosen_resolution(opened: Browser) -> None:
    order_of(opened, "LON").find_element(By.TAG_NAME, "summary").click()
    why = order_of(opened, "LON").find_element(By.CSS_SELECTOR, ".why")
    assert "the Szykman rule, which settles F ENG C A BRE - LON" in why.text
    opened.find_elements(By.CSS_SELECTOR, ".switch label")[2].click()
    assert why.text.splitlines() == [
        "Resolution 2 of 2:", "cut by A BRE - LON of France, which comes by the convoy of F ENG [5.B.2]"
    ]  # fmt: skip
    opened.find_elements(By.CSS_SELECTOR, ".switch label")[3].click()
    assert shown_views(opened) == ["3"]
    assert why.text.startswith("The ruling:")


def test_a_picture_is_made_larger_by_key_and_small_again_by_escape(opened: Browser) -> None:
    sized(opened, PHONE)
    box = opened.find_element(By.CSS_SELECTOR, "figure:not([hidden]) .picture")
    before = box.size["width"]
    button = opened.find_element(By.CSS_SELECTOR, "figure:not([hidden]) .larger")
    assert (button.accessible_name, button.aria_role) == ("Larger picture", "button")
    button.send_keys(Keys.ENTER)
    assert button.accessible_name == "Smaller picture"
    assert drawn_width(box) >= 2 * before - 4  # the border
    assert opened.execute_script("return document.documentElement.scrollWidth") <= PHONE[0]
    assert (box.aria_role, box.accessible_name) == ("region", "The larger picture")
    opened.execute_script("arguments[0].focus(); arguments[0].scrollLeft = 0", box)
    assert opened.switch_to.active_element == box
    box.send_keys(Keys.ARROW_RIGHT)
    WebDriverWait(opened, 5).until(lambda _: box.get_property("scrollLeft") != 0)
    box.send_keys(Keys.ESCAPE)
    assert drawn_width(box) == before
    assert opened.switch_to.active_element == button
    assert box.get_attribute("tabindex") is None


def test_a_tap_on_a_picture_too_small_to_read_makes_it_larger_first(browser: Browser, tmp_path: Path) -> None:
    (sheet,) = load_sheets(ROOT / "docs" / "pictures" / "midgame.txt")
    path = tmp_path / "page.html"
    path.write_text(make_position_page(sheet, load_rulebook()), encoding="utf-8")
    sized(browser, PHONE)
    browser.get(path.as_uri())
    box = browser.find_element(By.CSS_SELECTOR, "figure:not([hidden]) .picture")
    unit = box.find_element(By.CSS_SELECTOR, ".unit")
    unit.click()
    assert drawn_width(box) > 1000
    assert not browser.find_elements(By.CSS_SELECTOR, "details[open]")
    (left, top, right, bottom), (x, y, _, _) = edges(box), edges(unit)
    assert left <= x <= right
    assert top <= y <= bottom
    unit.click()
    assert browser.find_elements(By.CSS_SELECTOR, "details[open]")


def test_a_small_position_does_not_fill_a_large_page(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(make_position_page(find_bundled_case("6.A.1"), load_rulebook()), encoding="utf-8")
    sized(browser, DESKTOP)
    browser.get(path.as_uri())
    assert drawn_width(browser.find_element(By.CSS_SELECTOR, ".picture")) < 750


def test_the_tables_of_a_census_fit_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(make_run_page((ROOT / "docs" / "papers" / "census" / "census.json").read_bytes()), encoding="utf-8")
    sized(browser, (390, 844))
    browser.get(path.as_uri())
    for name in ("Cores", "Claims"):
        box = browser.find_element(By.CSS_SELECTOR, f".scroll[aria-label={name}]")
        assert box.get_property("scrollWidth") == box.get_property("clientWidth"), name


def drawn_width(box: WebElement) -> float:
    """How wide the picture in a box is drawn."""
    return float(box.find_element(By.CSS_SELECTOR, "svg").size["width"])


@pytest.mark.parametrize("width", [320, 360, 768])
def test_nothing_is_wider_than_a_phone(opened: Browser, width: int) -> None:
    """Tables scroll by themselves; the page does not."""
    sized(opened, (width, 740))
    opened.execute_script("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    pressed = [box for _, box in boxes(opened, ".switch label, summary")]
    assert min(bottom - top for _, top, _, bottom in pressed) >= 38  # room for a finger


def test_everything_can_be_reached_with_the_tabulator(opened: Browser) -> None:
    reached = []
    for _ in range(16):
        opened.switch_to.active_element.send_keys(Keys.TAB)
        active = opened.switch_to.active_element
        reached.append(active.get_attribute("name") or active.get_attribute("aria-label") or active.tag_name)
    wide = ["All resolutions side by side", "The graph of core 1", "What the rulebooks say"]
    units = ["England: F London", "England: F Wales", "France: A Brest", "France: F English Channel, dislodged"]
    assert [name.partition(": why")[0] for name in reached[1:5]] == units
    assert [reached[0], *reached[5 : 5 + 1 + 4 + 3]] == ["view", "button", *["summary"] * 4, *wide]


@pytest.mark.parametrize("width", [320, 360, 1200])
def test_the_graph_of_a_core_can_be_read_on_a_phone(opened: Browser, width: int) -> None:
    """All of it is seen, with letters that can be read; at night it is light on dark; its colours are explained."""
    sized(opened, (width, 740), scheme="dark")
    labels = boxes(opened, ".graph text")
    assert labels
    assert min(bottom - top for _, (_, top, _, bottom) in labels) >= 9
    box = opened.find_element(By.CSS_SELECTOR, ".graph")
    assert box.get_property("scrollWidth") == box.get_property("clientWidth")
    left, _, right, _ = edges(box)
    assert all(left <= one[0] and one[2] <= right for _, one in boxes(opened, ".graph text, .graph circle, .graph path.edge"))
    assert [word.text for word in box.find_elements(By.CSS_SELECTOR, ".word")] == [
        "convoy", "move", "move support", "needs", "is stopped by"
    ]  # fmt: skip
    assert opened.execute_script("return getComputedStyle(document.querySelector('.graph svg')).filter") != "none"


def test_pictures_and_parts_have_names(opened: Browser) -> None:
    figure = opened.find_element(By.CSS_SELECTOR, "figure:not([hidden]) svg")
    assert figure.aria_role == "group"  # in an image nothing could be pressed
    assert figure.accessible_name.startswith("Diplomacy position")
    radio = opened.find_elements(By.CSS_SELECTOR, "input[name=view]")[1]
    assert (radio.aria_role, radio.accessible_name) == ("radio", "Resolution 1 of 2")


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_pages_and_pictures_are_light_or_dark_as_the_reader_prefers(opened: Browser, scheme: str, theme: Any) -> None:  # noqa: ANN401
    sized(opened, DESKTOP, scheme=scheme)
    assert colour(opened, "body", "background-color") == theme.paper
    assert colour(opened, "#the-map .province.sea", "fill") == theme.sea


def colour(browser: Browser, selector: str, name: str) -> str:
    script = "return getComputedStyle(document.querySelector(arguments[0])).getPropertyValue(arguments[1])"
    numbers = browser.execute_script(script, selector, name).removeprefix("rgb(").removesuffix(")").split(",")
    return "#" + "".join(f"{int(number):02x}" for number in numbers)


def test_on_paper_there_is_nothing_to_press_and_everything_is_open(opened: Browser) -> None:
    sized(opened, DESKTOP, media="print")
    opened.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert not opened.find_element(By.CSS_SELECTOR, ".switch").is_displayed()
    assert order_of(opened, "LON").find_element(By.CSS_SELECTOR, ".why").is_displayed()


def test_a_hostile_page_runs_nothing(browser: Browser, tmp_path: Path) -> None:
    sheet = find_bundled_case("6.C.1")
    sheet.title = "<script>document.title = 'caught'</script><img src=x onerror=\"document.title = 'caught'\">"
    sheet.notes = {"note": [sheet.title]}
    path = tmp_path / "page.html"
    path.write_text(make_position_page(sheet, load_rulebook()), encoding="utf-8")
    browser.get(path.as_uri())
    assert browser.title == f"6.C.1: {sheet.title}"


# ---- legibility, measured ----

BOXES = """
const box = one => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
return [...document.querySelectorAll(arguments[0])].map(one => [one.getAttribute('class') + ' ' + one.textContent, box(one)]);
"""


def boxes(browser: Browser, selector: str) -> list[tuple[str, list[float]]]:
    found: list[tuple[str, list[float]]] = browser.execute_script(BOXES, selector)
    return found


def overlapping(one: list[float], other: list[float], slack: float = 0.5) -> bool:
    return one[0] + slack < other[2] and other[0] + slack < one[2] and one[1] + slack < other[3] and other[1] + slack < one[3]


@pytest.fixture(params=[600, 1200])
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def draw(browser: Browser, tmp_path: Path, svg: str, width: int) -> None:
    path = tmp_path / "picture.svg"
    path.write_text(svg, encoding="utf-8")
    sized(browser, (width, 3000))
    browser.get(path.as_uri())


@pytest.mark.parametrize("name", ["6.F.14", "6.F.28", "6.C.1"])
def test_titles_captions_and_legends_do_not_overlap(browser: Browser, tmp_path: Path, width: int, name: str) -> None:
    panels = make_resolution_panels(find_bundled_case(name), load_rulebook())
    draw(browser, tmp_path, picture(panels.scenes, title=name, notes=panels.notes, look=Look(width=width)), width)
    found = boxes(browser, ".title, .note, .caption, .frame, .key")
    assert len(found) > 8
    for (one, first), (other, second) in combinations(found, 2):
        assert not overlapping(first, second), f"{one} and {other}"
    (_, sheet), *_ = boxes(browser, ".paper")
    assert all(sheet[0] <= box[0] and box[2] <= sheet[2] and box[3] <= sheet[3] for _, box in found)


@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_no_label_lies_under_a_unit_and_no_unit_on_another(browser: Browser, tmp_path: Path, width: int, name: str) -> None:
    (sheet,) = load_sheets(ROOT / "docs" / "pictures" / f"{name}.txt")
    draw(browser, tmp_path, picture(make_case_panels(sheet, load_rulebook()).scenes, look=Look(width=width)), width)
    units, labels = boxes(browser, ".units .body"), boxes(browser, ".label")
    assert (len(units), len(labels)) == (len(sheet.board.units), 75)
    assert not [(one, other) for (one, a), (other, b) in combinations(units, 2) if overlapping(a, b)]
    assert not [(one, other) for (one, a), (other, b) in combinations(labels, 2) if overlapping(a, b)]
    assert not [label for label, a in labels for _, b in units if overlapping(a, b, slack=1.5)]


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_the_report_of_a_game_fits_on_a_phone_and_its_results_stand_beside_the_orders(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    game = Game.new(name="g")
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - LON"])
    game.set_orders("GERMANY", ["A MUN - BUR", "A BER - KIE", "F KIE - DEN"])
    game.next()
    path = tmp_path / "page.html"
    path.write_text(GamePage(game, deadline="Sunday 20:00").format_page(), encoding="utf-8")
    sized(browser, (width, 740))
    browser.get(path.as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    wide, room = browser.execute_script(
        "const one = document.querySelector('.chart .scroll'); return [one.scrollWidth, one.clientWidth]"
    )
    assert width < 360 or wide <= room
    for (_, order), (_, outcome) in zip(boxes(browser, "div.order .text"), boxes(browser, "div.order .outcome"), strict=True):
        assert outcome[0] >= order[2] or width < 360
