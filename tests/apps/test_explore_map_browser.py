"""The map of `satjudge explore` in a real browser: pressed, dragged, by keys alone, by touch, in every kind of phase."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Any

import pytest
from helpers.exploring import ON_SERVER, PHONE, Page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser

PARADOX = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
PARADOX_ORDERS = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"


def begin(page: Page, units: dict[str, list[str]], phase: str = "S1901M", sheet: str = "", **more: Any) -> None:  # noqa: ANN401
    """Go to a position, and wait for what may be ordered in it."""
    position = {"units": units, "map": "standard", "phase": phase, "centers": {}, "dislodged": {}, "attackers": {}, **more}
    page.run(
        "await new Promise(done => { const wanted = new Set(['choices', 'picture', 'judged']);"
        "subscribe(changed => { for (const one of changed) wanted.delete(one); if (!wanted.size) done(); });"
        "addNode(position, {sheet}); });",
        position=position,
        sheet=sheet,
    )


def screen(page: Page, province: str) -> list[float]:
    """Where a province's unit stands, or would, on the screen."""
    found: list[float] = page.run(
        "const drawn = document.querySelector(`#map .unit[data-province=${province}]`)?.getBoundingClientRect();"
        "if (drawn) return [drawn.x + drawn.width / 2, drawn.y + drawn.height / 2];"
        "const [x, y] = derived.start.provinces[province].at;"
        "const at = new DOMPoint(x, y).matrixTransform(document.querySelector('#map .over').getScreenCTM());"
        "return [at.x, at.y];",
        province=province,
    )
    return found


def pointed(page: Page, *provinces: str, hold: bool = False) -> ActionChains:
    """A mouse that goes to the first of these, and half-way and then wholly to each other one, with its button held or not."""
    mouse, points = ActionChains(page.browser, duration=40), [screen(page, province) for province in provinces]
    middles = [[(one + other) / 2 for one, other in zip(*pair, strict=True)] for pair in pairwise(points)]
    for step, (x, y) in enumerate([points[0], *chain.from_iterable(zip(middles, points[1:], strict=True))]):
        mouse.w3c_actions.pointer_action.move_to_location(round(x), round(y))  # type: ignore[no-untyped-call]
        if hold and not step:
            mouse.w3c_actions.pointer_action.pointer_down()  # type: ignore[no-untyped-call]
    return mouse


def click(page: Page, *provinces: str) -> None:
    """Press provinces with the mouse, one after the other."""
    for province in provinces:
        pointed(page, province).click().perform()


def drag(page: Page, start: str, end: str) -> None:
    """Drag from one province to another with the mouse."""
    pointed(page, start, end, hold=True).release().perform()


def touch(page: Page, *points: list[tuple[float, float]]) -> None:
    """Put fingers down at the first of their points each, move them over the others and lift them."""

    def send(kind: str, places: list[tuple[float, float]]) -> None:
        fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    send("touchStart", [finger[0] for finger in points])
    for step in range(1, len(points[0])):
        send("touchMove", [finger[step] for finger in points])
    send("touchEnd", [])


def lit(page: Page) -> set[str]:
    """The provinces that are lit."""
    found: list[str] = page.run("return [...document.querySelectorAll('#map .spot.lit')].map(one => one.dataset.press);")
    return set(found)


def entries(page: Page) -> list[str]:
    """What the small window lists."""
    found: list[str] = page.run(
        "return [...document.querySelectorAll('#map .popup:not([hidden]) li button')].map(one => one.firstChild.data);"
    )
    return found


def choose(page: Page, selector: str, value: str) -> None:
    """Choose from a list, or write into a field, as leaving it does."""
    page.run(
        "const field = document.querySelector(selector); field.value = value; field.dispatchEvent(new Event('change'));",
        selector=selector,
        value=value,
    )


def ordered(page: Page, *orders: str) -> None:
    """Wait until the sheet has these orders and no others."""
    page.wait_for(
        "JSON.stringify(node().sheet.split('\\n').filter(line => line && !line.endsWith(':')))"
        f" === JSON.stringify({list(orders)!r})"
    )


def test_a_unit_is_pressed_and_then_where_it_goes(page: Page) -> None:
    click(page, "PAR")
    assert lit(page) == {"BRE", "BUR", "GAS", "MAR", "MUN", "PIC"}
    click(page, "BUR")
    ordered(page, "A PAR - BUR")
    page.wait_for("derived.judged.orders.length === 1")
    assert page.verdicts() == {"A PAR - BUR": "succeeds"}
    assert page.find("#sheet textarea").get_attribute("value") == "FRANCE:\nA PAR - BUR\n"
    click(page, "PAR", "GAS")  # in its place
    ordered(page, "A PAR - GAS")


@ON_SERVER
def test_orders_of_a_unit_are_asked_for_where_there_are_very_many(page: Page) -> None:
    begin(page, PARADOX)
    page.run("tell({choices: derived.choices.map(one => ({...one, choices: one.choices.slice(0, 1), more: true}))});")
    click(page, "BRE")
    page.wait_for("derived.choices.some(one => one.province === 'BRE' && !one.more)")
    click(page, "GAS")
    ordered(page, "A BRE - GAS")
    assert page.run("return derived.choices.filter(one => !one.more).map(one => one.province);") == ["BRE"]


def test_a_unit_pressed_again_holds_and_once_more_has_no_order(page: Page) -> None:
    click(page, "PAR", "PAR")
    ordered(page, "A PAR H")
    page.wait_for("derived.judged.orders.length === 1")
    click(page, "PAR", "PAR")
    assert entries(page) == ["A PAR H", "No order"]
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    ordered(page)


def test_a_press_elsewhere_lets_go(page: Page) -> None:
    click(page, "PAR", "NAF")
    assert lit(page) == set()
    click(page, "PAR", "MOS")
    assert lit(page) == {"LVN", "SEV", "STP", "UKR", "WAR"}


def test_moves_stand_first_where_a_unit_is(page: Page) -> None:
    click(page, "PAR", "BRE")
    assert entries(page) == ["A PAR - BRE", "A PAR S F BRE", "A PAR S F BRE - GAS", "A PAR S F BRE - PIC"]
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    ordered(page, "A PAR S F BRE")
    begin(page, {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]})
    click(page, "PAR", "BUR")
    assert entries(page)[0] == "A PAR - BUR"
    click(page, "PIC")  # the map goes on taking presses
    ordered(page, "A PAR S A BUR - PIC")


def test_a_fleet_then_an_army_then_a_place_is_a_convoy(page: Page) -> None:
    begin(page, {"ENGLAND": ["A LON", "F NTH"]})
    click(page, "NTH", "LON")
    assert "NWY" in lit(page)
    click(page, "NWY")
    ordered(page, "F NTH C A LON - NWY")


def test_a_way_by_convoy_can_be_chosen(page: Page) -> None:
    begin(page, {"ENGLAND": ["A BEL", "F NTH"]})
    click(page, "BEL", "HOL")
    assert entries(page) == ["A BEL - HOL", "A BEL - HOL VIA"]


def test_a_coast_is_chosen(page: Page) -> None:
    begin(page, {"FRANCE": ["F MAO"]})
    click(page, "MAO", "SPA")
    assert entries(page) == ["F MAO - SPA/NC", "F MAO - SPA/SC"]
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    ordered(page, "F MAO - SPA/SC")


def test_a_unit_is_dragged_to_where_it_goes(page: Page) -> None:
    drag(page, "PAR", "BUR")
    ordered(page, "A PAR - BUR")
    drag(page, "PAR", "BRE")  # whoever stands there
    ordered(page, "A PAR - BRE")
    drag(page, "KIE", "NAF")
    assert lit(page) == set()
    page.wait_for("derived.notice.startsWith('F KIE - NAF: ')")  # as satjudge says why not
    ordered(page, "A PAR - BRE")


def test_by_keys_alone(page: Page) -> None:
    page.find("#views .modes button").send_keys("")
    while page.active().get_attribute("data-press") is None:
        page.press(Keys.TAB)
    page.press("p", "a", "r")  # goes to what begins so
    assert page.active().accessible_name == "France: A PAR, Paris; no order"
    page.press(Keys.ENTER)
    assert page.active().get_attribute("aria-pressed") == "true"
    page.press(Keys.ARROW_RIGHT)
    assert page.active().accessible_name == "Burgundy: A PAR - BUR"
    page.press(Keys.SPACE)
    ordered(page, "A PAR - BUR")
    page.wait_for("derived.judged.orders.length === 1")
    assert page.active().accessible_name == "France: A PAR, Paris; A PAR - BUR, succeeds"
    page.press(Keys.ENTER, Keys.ARROW_LEFT, Keys.ESCAPE)
    assert (lit(page), page.active().get_attribute("data-press")) == (set(), "PAR")
    page.press("l", "i", "v", "e", "r")
    assert page.active().get_attribute("data-press") == "LVP"
    page.press(Keys.SHIFT, *"paris")
    page.press(Keys.DELETE)
    ordered(page)


def test_the_first_stop_of_the_map_is_a_place(page: Page) -> None:
    page.named("Whole map").send_keys("")
    page.press(Keys.TAB)
    page.press("e", "d", "i", Keys.ENTER)
    assert page.active().get_attribute("data-press") == "EDI"
    assert "NTH" in lit(page)


def test_escape_lets_go_after_presses_by_mouse(page: Page) -> None:
    begin(page, {"ENGLAND": ["F NTH", "A YOR", "A LON"]})
    click(page, "NTH", "YOR")
    assert lit(page)
    page.run("document.activeElement.blur();")
    page.press(Keys.ESCAPE)
    assert (lit(page), page.find_all("#map .chosen")) == (set(), [])
    click(page, "NTH")
    page.show_text()
    page.find("#sheet textarea").send_keys(Keys.ESCAPE)  # there it is the field's
    assert lit(page)


def hint(page: Page) -> str:
    """What the page says is to be pressed next."""
    return page.find("#map-hint").text


def test_what_is_pressed_next_is_said_in_every_phase(page: Page) -> None:
    begin(page, {"ENGLAND": ["A YOR", "F NTH"]})
    assert page.find_all("#map .due") == []
    click(page, "YOR")
    assert hint(page).endswith("Press Escape to deselect.")
    click(page, "NWY")
    begin(page, {"ENGLAND": ["A BEL", "F NTH"]})
    click(page, "BEL", "HOL")
    assert hint(page) == "A BEL to Holland: choose from the list."
    assert [note.text for note in page.find_all("#map .popup li small")] == ["move", "move by convoy"]
    page.press(Keys.ESCAPE)
    begin(page, {}, "W1901A", centers={"RUSSIA": ["STP", "MOS"]})
    assert hint(page) == "Choose a centre to build in."
    assert {one.get_attribute("data-press") for one in page.find_all("#map .due")} == {"STP", "MOS"}
    begin(page, {"FRANCE": ["A PAR", "A BUR"]}, "W1901A", centers={"FRANCE": ["PAR"]})
    assert hint(page) == "Choose a unit to remove it."
    assert len(page.find_all("#map .due")) == 2
    begin(page, {"GERMANY": ["A BUR"]}, "F1901R", dislodged={"FRANCE": {"A BUR": ["PAR", "PIC"]}}, attackers={"BUR": "MUN"})
    assert hint(page) == "Choose a dislodged unit and then its retreat."
    assert len(page.find_all("#map .due")) == 1


def test_a_touch_screen_is_told_of_no_escape(page: Page) -> None:
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "pointer", "value": "coarse"}]})
    page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        click(page, "PAR")
        assert hint(page).endswith("Tap elsewhere to deselect.")
    finally:
        page.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_every_unit_is_reached_by_arrows_or_letters(page: Page) -> None:
    spots = page.find_all("#map .spot")
    assert len(spots) == 22
    assert {spot.aria_role for spot in spots} == {"button"}
    for spot in spots:
        page.run("document.querySelector('#map .spot[tabindex=\"0\"]').focus();")
        page.press(Keys.SHIFT, *(spot.get_attribute("data-press") or "").lower())
        assert page.active() == spot


def test_presses_keep_the_choices_that_they_fit(page: Page) -> None:
    """The state machine by itself, on what satjudge says may be ordered."""
    script = "const {begin, press, lit, meant, listed} = await import(new URL('pressing.js', document.baseURI));"
    begun = "const begun = begin(derived.choices, 'PAR');"
    assert page.run(script + "return begin(derived.choices, 'NAF');") is None
    assert page.run(script + begun + "return meant(begun).map(({order}) => order);") == ["A PAR H"]
    assert page.run(script + begun + "return press(begun, 'MOS');") is None
    assert page.run(script + begun + "return meant(press(begun, 'MAR'));") == []
    supported = "const supported = press(begun, 'MAR'); const done = press(supported, 'BUR');"
    assert page.run(script + begun + supported + "return [...lit(supported).keys()];") == ["BUR", "GAS"]
    assert page.run(script + begun + supported + "return listed(supported, true);") == []
    assert page.run(script + begun + supported + "return listed(done, false)[0].order;") == "A PAR S A MAR - BUR"


def test_an_order_is_shown_before_its_picture_is_there(page: Page) -> None:
    shown = page.run(
        "const press = code => document.querySelector(`#map .spot[data-press=${code}]`)"
        ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));"
        "press('PAR'); press('BUR'); return document.querySelectorAll('#map .pending:not(.under)').length;"
    )
    assert shown == 1
    page.wait_for("document.querySelector('#map .order') && !document.querySelector('#map .pending')")


def test_by_touch_on_a_phone(page: Page) -> None:
    page.resized(PHONE)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth;")
    x, y = screen(page, "PAR")
    touch(page, [(x + 3, y - 3)])  # a finger is not so exact
    assert "BUR" in lit(page)
    x, y = screen(page, "PIC")
    touch(page, [(x - 9, y - 9)])  # the Channel, which is not lit: it counts for what is near
    ordered(page, "A PAR - PIC")
    (x, y), (across, down) = screen(page, "MOS"), screen(page, "LVN")
    touch(page, [(x + (across - x) * part, y + (down - y) * part) for part in (0, 0.5, 0.8, 1)])
    ordered(page, "A PAR - PIC", "A MOS - LVN")


def test_two_fingers_zoom_the_map_and_one_moves_it(page: Page) -> None:
    page.resized(PHONE)
    before, (x, y) = screen(page, "BUL"), screen(page, "MUN")
    touch(page, [(x - 10, y), (x - 40, y)], [(x + 10, y), (x + 40, y)])
    zoomed = screen(page, "BUL")
    assert zoomed[0] - x > 3 * (before[0] - x)
    touch(page, [(x, y + 30), (x - 20, y + 30), (x - 50, y + 30)])
    assert screen(page, "BUL")[0] == pytest.approx(zoomed[0] - 50, abs=2)
    assert lit(page) == set()
    seen = page.find("#map .over").get_attribute("viewBox")
    page.type_sheet("FRANCE:\nA PAR - BUR\n")  # another picture
    page.wait_for("document.querySelector('#map .order')")
    assert page.find("#map .over").get_attribute("viewBox") == seen
    page.named("Whole map").click()
    assert screen(page, "BUL") == pytest.approx(before, abs=1)


def test_focus_and_what_is_pressed_outlast_another_picture(page: Page) -> None:
    click(page, "PAR")
    page.run("document.querySelector('#map .spot[data-press=BUR]').focus();")
    page.type_sheet("GERMANY:\nA MUN - BUR\n")
    page.wait_for("document.querySelector('#map .order')")
    assert page.active().get_attribute("data-press") == "BUR"
    assert "GAS" in lit(page)


def test_dislodged_units_retreat_or_disband(page: Page) -> None:
    lost = {"FRANCE": {"A BUR": ["PAR", "PIC"]}}
    begin(page, {"GERMANY": ["A BUR"]}, "F1901R", dislodged=lost, attackers={"BUR": "MUN"})
    spot = page.find("#map .spot")
    assert spot.accessible_name == "France: A BUR, Burgundy; no order"
    spot.click()
    assert lit(page) == {"PAR", "PIC"}
    click(page, "PAR")
    ordered(page, "A BUR R PAR")
    begin(page, {"GERMANY": ["A BUR"]}, "F1901R", dislodged=lost, attackers={"BUR": "MUN"})
    page.find("#map .spot").click()
    page.find("#map .spot.chosen").click()
    ordered(page, "A BUR D")


def test_units_are_built_on_a_coast_and_removed(page: Page) -> None:
    begin(page, {}, "W1901A", centers={"RUSSIA": ["STP", "MOS"]})
    click(page, "STP")
    assert [entry for entry in entries(page) if entry != "WAIVE"] == ["A STP B", "F STP/NC B", "F STP/SC B"]
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    ordered(page, "F STP/NC B")
    page.wait_for("derived.judged.orders.length === 1")
    begin(page, {"FRANCE": ["A PAR", "A BUR"]}, "W1901A", centers={"FRANCE": ["PAR"]})
    click(page, "BUR")
    ordered(page, "A BUR D")


def test_a_position_is_set(page: Page) -> None:
    page.named("Set up").click()
    page.named("Empty board").click()
    page.wait_for("!Object.keys(node().position.units).length")
    click(page, "SPA")
    page.named("Fleet (nc)").click()
    page.wait_for("node().position.units.AUSTRIA?.[0] === 'F SPA/NC'")
    choose(page, ".popup [aria-label=Power]", "FRANCE")
    page.wait_for("node().position.units.FRANCE?.[0] === 'F SPA/NC'")
    choose(page, ".popup [aria-label='Centre of']", "ITALY")
    page.wait_for("node().position.centers.ITALY?.[0] === 'SPA'")
    page.press(Keys.ESCAPE)
    click(page, "BOH")
    page.named("Fleet").click()
    page.wait_for("document.querySelector('.popup .refused').textContent.includes('BOH')")
    page.named("Army").click()
    page.wait_for("node().position.units.FRANCE.length === 2")
    assert page.run("return document.activeElement.textContent;") == "Army"
    page.press(Keys.ESCAPE)
    page.wait_for("document.querySelector('#map .unit[data-province=BOH]')")
    drag(page, "BOH", "ADR")
    page.wait_for("derived.fault?.message.includes('ADR')")
    drag(page, "BOH", "TYR")
    page.wait_for("node().position.units.FRANCE.includes('A TYR')")
    page.wait_for("document.querySelector('#map .unit[data-province=TYR]')")
    page.press(Keys.DELETE)
    page.named("Opening").click()
    page.wait_for("node().position.units.FRANCE.includes('F BRE')")
    page.named("Set up").click()
    page.wait_for("document.querySelectorAll('#map .spot').length === 22")


def test_map_and_phase_are_chosen(page: Page) -> None:
    page.named("Set up").click()
    choose(page, "[aria-label=Phase]", "FM")
    page.wait_for("node().position.phase === 'F1901M'")
    choose(page, "[aria-label=Year]", "")
    page.wait_for("derived.fault?.message.includes('there is no phase')")
    assert page.find("[aria-label=Year]").get_attribute("value") == "1901"
    choose(page, "#map select[aria-label=Map]", "colonial")
    page.wait_for("node().position.map === 'colonial' && document.querySelector('#map .panel').dataset.map === 'colonial'")
    page.named("Set up").click()
    page.wait_for("document.querySelector('#map .spot[data-press=ADE]')")
    page.run("change({at: 1});")  # back on the map before
    page.wait_for("document.querySelector('#map .spot[data-press=PAR]') && derived.start.position.map === 'standard'")


def test_a_dislodged_unit_is_set(page: Page) -> None:
    begin(page, {"GERMANY": ["A BUR"]}, "F1901R")
    page.named("Set up").click()
    page.wait_for("document.querySelector('#map .spot.place')")
    click(page, "BUR")
    choose(page, ".popup [aria-label='Power of the dislodged unit']", "FRANCE")
    page.named("Army", "[aria-label=Dislodged] button").click()
    page.wait_for("node().position.dislodged.FRANCE?.['A BUR']?.length === 0")
    choose(page, ".popup [data-set='May retreat to']", "par, pic")
    page.wait_for("node().position.dislodged.FRANCE['A BUR'].join() === 'PAR,PIC'")
    choose(page, ".popup [data-set='Attacked from']", "mun")
    page.wait_for("node().position.attackers.BUR === 'MUN'")
    page.named("Set up").click()
    page.wait_for("document.querySelector('#map .spot.unit')")
    page.find("#map .spot").click()
    assert lit(page) == {"PAR", "PIC"}


def test_cores_and_what_others_point_at_are_shown(page: Page) -> None:
    begin(page, PARADOX, "S1905M", PARADOX_ORDERS)
    assert len(page.find_all("#map .over .core")) == 1
    page.run("tell({core: 0, shown: {provinces: [{province: 'BRE', number: 1}, {province: 'WAL', number: 2}]}});")
    assert len(page.find_all("#map .over .core.pointed")) == 1
    assert [badge.text for badge in page.find_all("#map .shown .badge text")] == ["1", "2"]
    page.run("tell({decision: 'F WAL - ENG'});")
    assert len(page.find_all("#map .shown.decided")) == 1
    page.run("tell({lit: {power: 'FRANCE', order: 'F ENG C A BRE - LON'}});")
    assert {one.get_attribute("data-province") for one in page.find_all("#map .is-lit")} == {"ENG"}
    pointed(page, "LON").perform()
    assert page.run("return derived.lit;") == {"power": "ENGLAND", "order": "F LON S F WAL - ENG"}


def test_afterwards_the_map_is_only_looked_at(page: Page) -> None:
    page.named("Set up").click()
    page.run("change({view: 'after'});")
    page.wait_for("state.mode === 'orders' && document.querySelector('#map .panel').dataset.phase === 'F1901M'")
    assert page.find_all("#map .spot") == []
    click(page, "PAR")
    assert lit(page) == set()
    page.run("change({view: 'ruled'});")
    page.wait_for("document.querySelectorAll('#map .spot').length === 22")


def test_the_choice_hides_not_what_it_is_about_on_a_phone(page: Page) -> None:
    page.resized(PHONE)
    x, y = screen(page, "PAR")
    touch(page, [(x, y)])
    x, y = screen(page, "BRE")
    touch(page, [(x, y)])
    assert entries(page)[:2] == ["A PAR - BRE", "A PAR S F BRE"]
    popup = page.find("#map .popup").rect
    for province in ("PAR", "BRE"):
        _, y = screen(page, province)
        assert y + 12 <= popup["y"] or popup["y"] + popup["height"] <= y - 12
    assert popup["x"] >= 0
    assert popup["x"] + popup["width"] <= PHONE[0]


def test_orders_without_an_answer_are_drawn(page: Page) -> None:
    begin(page, PARADOX, "S1905M", PARADOX_ORDERS)
    page.run("change({rules: {name: 'datc-3', settings: ['4.A.2=none', '4.A.2.fallback=unresolved']}});")
    page.wait_for("derived.judged.unresolved")
    page.wait_for("document.querySelectorAll('#map .order').length >= 4")
