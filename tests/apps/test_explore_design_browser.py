"""What holds of the page in every state: sizes of units and of what is pressed, the map's box, contrasts, focus, hands.

Not pictures to compare with but measures; `explore_pictures.py` makes pictures to look at.
"""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from helpers.exploring import ON_SERVER, Page, opened
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = [pytest.mark.browser, ON_SERVER]

SCREENS = {"1280x800": (1280, 800), "1920x1080": (1920, 1080), "phone": (390, 844)}
PARADOX = {
    "units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]},
    "map": "standard",
    "phase": "S1905M",
    "centers": {},
    "dislodged": {},
    "attackers": {},
}
SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"
ORDERS = "FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO\nGERMANY:\nA MUN - BUR\nF KIE - DEN\nA BER H\n"
BOXES = """
return [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect()).filter(box => box.width && box.height)
  .map(({left, top, right, bottom}) => [left, top, right, bottom]);
"""


def boxes(page: Page, selector: str) -> list[list[float]]:
    """Left, top, right and bottom of everything of a selector that is shown."""
    found: list[list[float]] = page.run(BOXES, selector=selector)
    return found


def settled(page: Page) -> None:
    """Wait until the picture is drawn for what is seen of it."""
    page.wait_for("!derived.judging && new Promise(done => setTimeout(() => done(true), 600))")
    page.wait_for("derived.picture")


def overlap(one: list[float], other: list[float], less: float = 0.5) -> bool:
    """Whether two boxes have more than so many pixels in common."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > less and high > less


@pytest.mark.parametrize("screen", SCREENS)
def test_the_map_fills_what_is_left_and_nothing_scrolls(page: Page, screen: str) -> None:
    page.resized(SCREENS[screen])
    page.type_sheet(ORDERS)
    width, height = SCREENS[screen]
    (bar,), (view,), (timeline,) = (boxes(page, one) for one in ("#bar", "#map .view", "#timeline"))
    assert bar == [0, 0, width, 48]
    assert view[1] <= 96, "two rows above the map at most"
    assert view[3] == timeline[1]
    assert timeline[3] == (height if screen != "phone" else boxes(page, "#drawer")[0][1])
    assert (view[2] - view[0]) * (view[3] - view[1]) >= {"1280x800": 0.44, "1920x1080": 0.55, "phone": 0.7}[
        screen
    ] * width * height
    assert page.run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight];") == [width, height]


@pytest.mark.parametrize("screen", SCREENS)
def test_units_can_be_seen_and_pressed_at_any_zoom(page: Page, screen: str) -> None:
    page.resized(SCREENS[screen])
    page.type_sheet(ORDERS)
    for key in ("0", "+", "+", "+", "+", "-", "-", "-", "-", "-", "-"):
        page.run(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));"
            "await new Promise(done => setTimeout(done, 250));",
            key=key,
        )
        # The picture is drawn anew for this zoom: eventually units are as large as they are meant to be.
        page.wait_for(
            "[...document.querySelectorAll('#map .unit.fleet .body')].map(one => one.getBoundingClientRect().width)"
            ".every(wide => wide >= 24 && wide <= 60)"
        )
        settled(page)
        assert min(right - left for left, _, right, _ in boxes(page, "#map .spot .target")) >= 24
        label = page.run(
            "return parseFloat(getComputedStyle(document.querySelector('#map .label')).fontSize)"
            " * document.querySelector('#map .label').getScreenCTM().a;"
        )
        assert 9 <= label <= 24, key


@pytest.mark.parametrize("screen", ["1280x800", "1920x1080"])
def test_no_unit_lies_on_another_nor_on_a_centre(page: Page, screen: str) -> None:
    page.resized(SCREENS[screen])
    settled(page)
    units, centres = boxes(page, "#map .unit .body"), boxes(page, "#map .center")
    assert len(units) == 22
    for number, unit in enumerate(units):
        assert not [other for other in units[number + 1 :] if overlap(unit, other)]
        assert not [centre for centre in centres if overlap(unit, centre, 3)]


def test_rings_go_round_what_they_point_at(page: Page) -> None:
    page.type_sheet(ORDERS)
    settled(page)
    page.run("tell({shown: {provinces: [{province: 'PAR', number: 1}, {province: 'BRE', number: 2}]}});")
    for ring, unit in zip(boxes(page, "#map .shown > circle"), ("PAR", "BRE"), strict=True):
        (body,) = boxes(page, f"#map .unit[data-province={unit}] .body")
        assert ring[0] < body[0] < body[2] < ring[2]
        assert ring[1] < body[1] < body[3] < ring[3]


def test_a_case_opens_on_its_units_and_a_paradox_on_its_core(page: Page) -> None:
    page.run("addNode(position, {sheet, parent: null});", position=PARADOX, sheet=SHEET)
    page.wait_for("derived.judged?.cores.length === 1")
    settled(page)
    (view,) = boxes(page, "#map .view")
    units = boxes(page, "#map .unit .body")
    for left, top, right, bottom in units:
        assert view[0] < left < right < view[2]
        assert view[1] < top < bottom < view[3]
    across = max(one[2] for one in units) - min(one[0] for one in units)
    assert across > 0.15 * (view[2] - view[0]), "the core is not a corner of a whole Europe"
    page.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '0', bubbles: true}));")
    sight = page.run("return document.querySelector('#map .over').getAttribute('viewBox').split(' ').map(Number);")
    assert sight[2] >= 1200 or sight[3] >= 1055


@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_pressed_is_large_enough_and_nothing_lies_on_it(page: Page, screen: str) -> None:
    page.resized(SCREENS[screen])
    page.type_sheet(ORDERS)
    least = 44 if screen == "phone" else 24
    controls = boxes(
        page,
        "#bar :is(button, summary):not(.pop *), #views button:not(.pop *), #timeline button, .zooms button, #handle button",
    )
    assert len(controls) >= 12
    for left, top, right, bottom in controls:
        assert bottom - top >= least - 0.5
        assert right - left >= (least if screen != "phone" else 41) - 0.5
    for number, one in enumerate(controls):
        assert not [other for other in controls[number + 1 :] if overlap(one, other)]


def test_every_line_of_the_list_ends_with_its_verdict(page: Page) -> None:
    page.type_sheet(ORDERS)
    rows = page.find_all("#verdicts button.order:not(.idle)")
    given = ["F BRE - MAO", "A MAR S A PAR - BUR", "A PAR - BUR", "A BER H", "F KIE - DEN", "A MUN - BUR"]
    assert [row.get_attribute("data-order") for row in rows] == given, "in the order of the units, whatever the sheet's"
    (panel,) = boxes(page, "#left")
    for left, _, right, _ in boxes(page, "#verdicts .verdict"):
        assert panel[2] - right < 24
        assert left > panel[0] + 100
    assert not page.find("#sheet").is_displayed(), "one list, not two"


def test_a_line_is_edited_in_place(page: Page) -> None:
    page.type_sheet(ORDERS)
    page.find('#verdicts [data-order="A PAR - BUR"]').send_keys("e")
    field = page.active()
    assert field.get_attribute("value") == "A PAR - BUR"
    assert "A PAR S A MAR - GAS" in page.run(
        "return [...document.querySelector('#legal-orders').options].map(one => one.value);"
    )
    field.send_keys(Keys.BACKSPACE * 3, "GAS", Keys.ENTER)
    page.wait_for("node().sheet.includes('A PAR - GAS') && !derived.judging")
    assert page.verdicts()["A MAR S A PAR - BUR"] in ("invalid", "cut", "given", "fails", "illegal")
    page.find('#verdicts [data-province="BUD"]').click()  # a unit without an order
    page.active().send_keys("H", Keys.ENTER)
    page.wait_for("node().sheet.includes('A BUD H')")
    page.find('#verdicts [data-order="A BUD H"]').send_keys(Keys.DELETE)
    page.wait_for("!node().sheet.includes('A BUD')")
    page.press(Keys.CONTROL, "z")


def test_the_menu_of_a_unit_lists_its_legal_orders(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    left, top, right, bottom = boxes(page, "#map .spot[data-press=PAR] .target")[0]
    mouse = ActionChains(page.browser)
    mouse.w3c_actions.pointer_action.move_to_location(round((left + right) / 2), round((top + bottom) / 2))  # type: ignore[no-untyped-call]
    mouse.context_click().perform()
    listed = page.run("return [...document.querySelectorAll('#map .popup li button')].map(one => one.firstChild.data);")
    legal = page.run("return derived.choices.find(one => one.province === 'PAR').choices.map(({order}) => order);")
    assert {*legal} <= {*listed}
    assert listed[-3:] == ["No order", "All support A PAR - BUR", "France: all others hold"]
    page.run("[...document.querySelectorAll('#map .popup li button')].at(-1).click();")
    page.wait_for("node().sheet.includes('A MAR H') && node().sheet.includes('F BRE H')")


def test_letters_anywhere_go_to_a_place_and_digits_to_a_resolution(page: Page) -> None:
    page.run("document.activeElement.blur();")
    page.press("m", "o", "s")
    assert page.active().get_attribute("data-press") == "MOS"
    page.run("addNode(position, {sheet, parent: null}); document.activeElement.blur();", position=PARADOX, sheet=SHEET)
    page.wait_for("document.querySelectorAll('#tabs .resolution').length === 2")
    page.press("2")
    page.wait_for("state.view === 2")
    page.press("?")
    page.wait_for("document.querySelector('dialog.help[open]')")


def test_every_control_is_reached_by_keyboard_and_its_focus_is_seen(page: Page) -> None:
    page.type_sheet(ORDERS)
    page.run("document.activeElement.blur();")
    reached: set[str] = set()
    for _ in range(80):
        page.press(Keys.TAB)
        told: list[Any] = page.run(
            "const one = document.activeElement, style = getComputedStyle(one);"
            "const ring = one.querySelector?.(':scope > .ring');"
            "return [one.getAttribute('aria-label') || one.textContent.trim().slice(0, 40), one.tagName,"
            "parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== 'none'"
            "|| Boolean(ring && getComputedStyle(ring).stroke !== 'none')];"
        )
        if told[0] in reached and told[1] == "BODY":
            break
        assert told[2] or told[1] == "BODY", told
        reached.add(told[0])
    for name in (
        "Gallery",
        "Open",
        "Save",
        "Share",
        "Help",
        "Set up",
        "Zoom in",
        "Whole map",
        "Undo",
        "Next phase",
        "List",
        "Text",
    ):
        assert any(one.startswith(name) for one in reached), name


def test_it_prints_on_one_page(page: Page) -> None:
    page.type_sheet(ORDERS)
    settled(page)
    printed = page.browser.execute_cdp_cmd(
        "Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
    )
    assert b64decode(printed["data"]).count(b"/Type /Page\n") == 1


COVERED = """
const box = document.querySelector('#map .popup:not([hidden])').getBoundingClientRect();
const lit = [...document.querySelectorAll('#map .spot.lit .dot')].map(one => one.getBoundingClientRect());
const meets = one => one.right > box.left && one.left < box.right && one.bottom > box.top && one.top < box.bottom;
return [lit.length, lit.filter(meets).length];
"""
ENTER = """
const spot = document.querySelector(`#map .spot[data-press=${place}]`);
spot.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
"""


@pytest.mark.parametrize("pair", [("PAR", "BRE"), ("MUN", "BER"), ("VIE", "TRI")])
def test_a_choice_covers_no_place_that_may_be_pressed_next(page: Page, pair: tuple[str, str]) -> None:
    page.wait_for("derived.choices.length > 20")
    for place in pair:
        page.wait_for(f"document.querySelector('#map .spot[data-press={place}]')")
        page.run(ENTER, place=place)
    page.wait_for("document.querySelector('#map .popup:not([hidden]) li')")
    lit, covered = page.run(COVERED)
    assert lit > 0
    assert covered == 0


def test_a_frame_has_the_map_and_its_phases_alone(page: Page) -> None:
    with opened(page.browser, f"{page.address}?embed=1", size=(640, 480)) as other:
        shown = [
            one for one in ("#left", "#right", "#drawer", ".modes", "#map .view", ".copy-link", "#tabs") if boxes(other, one)
        ]
        assert shown == ["#map .view", ".copy-link", "#tabs"]
        (view,) = boxes(other, "#map .view")
        assert (view[0], view[2]) == (0, 640)


# ---- a whole year ----

SPRING = {
    "ENGLAND": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"], "FRANCE": ["F BRE - MAO", "A PAR - PIC", "A MAR - SPA"],
    "GERMANY": ["F KIE - DEN", "A BER - KIE", "A MUN - RUH"], "ITALY": ["F NAP - ION", "A ROM - APU", "A VEN H"],
    "AUSTRIA": ["F TRI - ALB", "A BUD - SER", "A VIE - GAL"], "RUSSIA": ["F SEV - RUM", "A MOS - UKR", "A WAR H"],
    "TURKEY": ["F ANK - CON", "A CON - BUL", "A SMY - ARM"],
}  # fmt: skip
FALL = {
    "ENGLAND": ["A YOR H"], "FRANCE": ["A PIC - BEL"], "GERMANY": ["A RUH - HOL"], "ITALY": ["F ION - TUN"],
    "AUSTRIA": ["F ALB - GRE"], "RUSSIA": ["A UKR H"], "TURKEY": ["A BUL H"],
}  # fmt: skip
WINTER = {"FRANCE": ["A PAR B"], "GERMANY": ["A BER B"], "ITALY": ["A ROM B"], "AUSTRIA": ["A BUD B"], "TURKEY": ["A SMY B"]}


def places(order: str) -> list[str]:
    """The provinces to press for an order."""
    if " - " in order:
        start, end = order.split(" - ")
        return [start.split()[1], end]
    return [order.split()[1]] * 2


class Mouse:
    """Presses by a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, province: str) -> None:
        """Press a place of the map."""
        x, y = self.page.run(AT, province=province)
        mouse = ActionChains(self.page.browser, duration=0)
        mouse.w3c_actions.pointer_action.move_to_location(x, y)  # type: ignore[no-untyped-call]
        mouse.click().perform()

    def choose(self, order: str) -> None:
        """Press an entry of the list that is open."""
        self.page.run("await new Promise(done => setTimeout(done, 30));")
        for button in self.page.find_all("#map .popup:not([hidden]) li button"):
            if (button.text or "").startswith(order):
                self.button(button)
                return

    def button(self, button: Any) -> None:  # noqa: ANN401
        """Press a button."""
        button.click()

    def go_on(self) -> None:
        """Go on to the next phase."""
        self.button(self.page.find("#timeline .next"))


class Touch(Mouse):
    """Presses by a finger."""

    def press(self, province: str) -> None:
        """Press a place of the map, which is moved into sight before."""
        x, y = self.page.run(AT, province=province)
        self.tap(x, y)

    def tap(self, x: float, y: float) -> None:
        """Put a finger down and lift it."""
        send = self.page.browser.execute_cdp_cmd
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def button(self, button: Any) -> None:  # noqa: ANN401
        """Press a button."""
        box = button.rect
        self.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


class Keyboard(Mouse):
    """Presses by keys alone."""

    def press(self, province: str) -> None:
        """Go to a place by the letters of its code, and press Enter."""
        self.page.press(Keys.SHIFT, *province.lower(), Keys.ENTER)

    def button(self, button: Any) -> None:  # noqa: ANN401
        """Press a button that has the focus."""
        button.send_keys(Keys.ENTER)

    def go_on(self) -> None:
        """Go on to the next phase, from wherever the focus is."""
        ActionChains(self.page.browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()


AT = """
const spot = document.querySelector(`#map .spot[data-press=${province}]`);
const {x, y, width, height} = spot.querySelector('.target').getBoundingClientRect();
return [Math.round(x + width / 2), Math.round(y + height / 2)];
"""


@pytest.mark.parametrize("hands", [Mouse, Keyboard, Touch])
def test_a_year_is_played_by_one_kind_of_hand(page: Page, hands: type[Mouse]) -> None:
    player = hands(page)
    if hands is Touch:
        page.resized((390, 844))
        page.run("document.querySelector('.zooms [aria-label=\"Whole map\"]').click();")
    settled(page)
    for phase, orders in (("S1901M", SPRING), ("F1901M", FALL), ("W1901A", WINTER)):
        page.wait_for(f"node().position.phase === '{phase}' && derived.choices.length && !derived.judging")
        page.wait_for(f"document.querySelector('#map .panel').dataset.phase === '{phase}'")
        settled(page)
        for order in (one for of in orders.values() for one in of):
            for place in places(order) if phase != "W1901A" else places(order)[:1]:
                player.press(place)
            player.choose(order)
            page.wait_for(f"node().sheet.split('\\n').includes('{order}')")
        page.wait_for("!derived.judging && derived.judged.sheet === node().sheet")
        player.go_on()
    page.wait_for("node().position.phase === 'S1902M'")
    counts = page.run(
        "return Object.fromEntries(Object.entries(node().position.centers).map(([power, of]) => [power, of.length]));"
    )
    assert counts == {"AUSTRIA": 5, "ENGLAND": 3, "FRANCE": 5, "GERMANY": 5, "ITALY": 4, "RUSSIA": 5, "TURKEY": 4}
    units = page.run("return Object.values(node().position.units).flat().length;")
    assert units == 27


# ---- a finger on a phone ----

PHONE = SCREENS["phone"]
BOUNCE = "FRANCE:\nA PAR - BUR\nGERMANY:\nA MUN - BUR\n"


def finger(page: Page, kind: str, *at: float) -> None:
    """Put a finger down at a place, or lift it."""
    points = [{"x": at[0], "y": at[1]}] if at else []
    page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def tap(page: Page, selector: str) -> None:
    """Put a finger on the middle of the first element of a selector, and lift it."""
    left, top, right, bottom = boxes(page, selector)[0]
    finger(page, "touchStart", (left + right) / 2, (top + bottom) / 2)
    finger(page, "touchEnd")


def test_a_finger_that_stays_lists_the_legal_orders_and_so_does_a_button(page: Page) -> None:
    page.resized(PHONE)
    settled(page)
    finger(page, "touchStart", *page.run(AT, province="PAR"))
    page.wait_for("document.querySelectorAll('#map .popup:not([hidden]) li button').length > 5")
    finger(page, "touchEnd")
    page.find("#map .popup [aria-label=Close]").click()
    assert not boxes(page, ".all-orders")
    Touch(page).press("MOS")
    page.wait_for("document.querySelectorAll('#map .spot.lit').length")
    tap(page, ".all-orders")
    listed = "[...document.querySelectorAll('#map .popup:not([hidden]) li button')].map(one => one.firstChild.data)"
    assert "A MOS - UKR" in page.wait_for(f"{listed}.length && {listed}")


def test_hints_cover_no_control_and_are_gone_once_an_order_is_given(page: Page) -> None:
    page.resized(SCREENS["1280x800"])
    page.named("Set up").click()
    (hint,) = boxes(page, "#map-hint")
    assert [one for one in boxes(page, ".map-bar :is(select, input, button)") if overlap(one, hint)] == []
    page.named("Set up").click()
    assert boxes(page, "#map-hint")
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    page.wait_for("!document.querySelector('#map-hint').textContent")


def test_a_sheet_over_the_map_makes_no_unit_smaller(page: Page) -> None:
    page.resized(PHONE)
    settled(page)
    before = boxes(page, "#map svg.panel .unit")[0]
    page.named("Orders").click()
    settled(page)
    after = boxes(page, "#map svg.panel .unit")[0]
    assert after[2] - after[0] == pytest.approx(before[2] - before[0], abs=0.5)
    assert boxes(page, "#map .view")[0][3] < PHONE[1] * 0.7, "the sheet is over the map"


def test_a_press_on_a_sign_selects_its_order_whose_verdict_is_told_below(page: Page) -> None:
    page.resized(PHONE)
    page.type_sheet(BOUNCE)
    settled(page)
    tap(page, "#map .bad[data-province=MUN]")
    page.wait_for("derived.asked?.order === 'A MUN - BUR'")
    page.wait_for("document.querySelector('.strip').textContent.startsWith('A MUN - BUR: ')")
    page.run("tell({asked: null});")
    assert not boxes(page, ".strip")


def test_the_order_given_last_is_selected(page: Page) -> None:
    page.type_sheet("GERMANY:\nA MUN - BUR\n")
    settled(page)
    mouse = Mouse(page)
    mouse.press("PAR")
    mouse.press("BUR")
    page.wait_for("derived.asked?.order === 'A PAR - BUR' && document.querySelector('.card .reasons')")


def test_a_drawer_leaves_in_sight_what_it_explains(page: Page) -> None:
    page.resized(PHONE)
    page.type_sheet(BOUNCE)
    tap(page, "#handle [data-side=left]")
    page.wait_for("document.querySelector('#drawer').offsetHeight > 300")
    page.run("tell({asked: {power: 'GERMANY', order: 'A MUN - BUR'}});")
    settled(page)
    (view,), (unit,) = boxes(page, "#map .view"), boxes(page, "#map .unit[data-province=MUN] .body")
    (timeline,), (drawer,) = boxes(page, "#timeline"), boxes(page, "#drawer")
    assert view[1] < unit[1] < unit[3] < view[3] <= timeline[1] < timeline[3] <= drawer[1] + 0.5
    assert "Enlarge" in (page.find("#handle .pull").get_attribute("aria-label") or "")
    tap(page, "#handle .pull")
    page.wait_for("document.querySelector('#handle .pull').getAttribute('aria-label') === 'Close the drawer'")


def test_where_a_unit_can_go_comes_into_sight_when_it_is_pressed(page: Page) -> None:
    with opened(page.browser, page.address, size=PHONE) as other:
        settled(other)
        (view,) = boxes(other, "#map .view")
        Touch(other).press("BRE")
        other.wait_for("document.querySelector('#map .spot.lit[data-press=MAO]')")
        settled(other)
        for left, top, right, bottom in boxes(other, "#map .spot.lit .target"):
            assert view[0] <= (left + right) / 2 <= view[2]
            assert view[1] <= (top + bottom) / 2 <= view[3]


def test_a_line_without_an_order_lists_legal_orders_to_a_finger(page: Page) -> None:
    page.resized(PHONE)
    tap(page, "#handle [data-side=left]")
    page.wait_for("document.querySelector('#drawer').offsetHeight > 300")
    settled(page)
    tap(page, '#verdicts [data-province="BUD"]')
    page.wait_for("document.querySelectorAll('#map .popup:not([hidden]) li button').length > 5")
    assert not page.find_all("#verdicts .editing")


def test_a_phone_says_below_its_tabs_what_a_resolution_is(page: Page) -> None:
    page.resized(PHONE)
    page.run("addNode(position, {sheet, parent: null});", position=PARADOX, sheet=SHEET)
    page.wait_for("document.querySelectorAll('#tabs .resolution').length === 2")
    page.run("change({view: 1});")
    page.wait_for("document.querySelector('#told').textContent.includes('London')")
    (told,), (tabs,) = boxes(page, "#told"), boxes(page, "#tabs")
    assert tabs[3] <= told[1]
    assert all(right <= PHONE[0] for _, _, right, _ in boxes(page, "#tabs [role=tab]")), "no tab is cut"


def test_what_is_removed_by_default_is_told(page: Page) -> None:
    winter = PARADOX | {"units": {"FRANCE": ["A BUR", "A GAS"]}, "phase": "W1905A", "centers": {"FRANCE": ["PAR"]}}
    page.run("addNode(position, {parent: null});", position=winter)
    page.wait_for("document.querySelector('#verdicts .leaving')?.textContent.includes('is removed unless')")
    gone = page.run("return node().position.units.FRANCE.filter(unit => !derived.judged.units.FRANCE.includes(unit));")
    assert page.find("#verdicts .leaving").text.startswith(gone[0])
