"""Makes pictures of the page to play with in twenty states, on a desktop and a phone, light and dark, to be looked at.

`python tests/apps/explore_pictures.py DIRECTORY [STATE ...]` needs Chromium, as browser tests do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from helpers.browsing import chromium
from helpers.exploring import Page, opened, serving

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
SHEET = """\
ENGLAND:
F LON - ENG
F EDI - NTH
A LVP - YOR

FRANCE:
A PAR - BUR
A MAR S A PAR - BUR
F BRE - ENG

GERMANY:
A MUN - BUR
F KIE - DEN
A BER H

ITALY:
A VEN - TYR

AUSTRIA:
A VIE - GAL
F TRI S A VEN - TYR

RUSSIA:
A WAR - GAL
A MOS - UKR
"""
PARADOX = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "map": "standard", "phase": "S1905M"}
PARADOX_SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\n\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"
RETREAT = {
    "units": {"FRANCE": ["A BUR"]},
    "dislodged": {"GERMANY": {"A MUN": ["KIE", "RUH"]}},
    "map": "standard",
    "phase": "F1905R",
}
WINTER = {"units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "BRE", "MAR"]}, "map": "standard", "phase": "W1905A"}
PRESS = (
    "document.querySelector(`#map .spot[data-press={}]`)"
    "?.dispatchEvent(new KeyboardEvent('keydown', {{key: 'Enter', bubbles: true}}));"
)
EDIT = "document.querySelector('#verdicts button.order').dispatchEvent(new MouseEvent('dblclick', {bubbles: true}));"


def _settled(page: Page) -> None:
    page.wait_for("!derived.judging && new Promise(done => setTimeout(() => done(true), 900))")


def _typed(page: Page) -> None:
    page.type_sheet(SHEET)


def _does(script: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.run(script)

    return show


def _pressed(*provinces: str) -> Callable[[Page], None]:
    return _does("".join(PRESS.format(province) for province in provinces))


def _at(position: object, sheet: str = "", then: str = "") -> Callable[[Page], None]:
    def show(page: Page) -> None:
        page.run("addNode(position, {sheet, parent: null});", position=position, sheet=sheet)
        _settled(page)
        page.run(then)

    return show


def _after(then: str) -> Callable[[Page], None]:
    def show(page: Page) -> None:
        _typed(page)
        page.run(then)

    return show


def _menu(name: str) -> Callable[[Page], None]:
    return _does(f"document.querySelector('#tools [aria-label={name}]').click();")


BRANCHES = (
    "addNode({...node().position, phase: 'F1901M'}); addNode({...node().position, phase: 'S1902M'});"
    "change({at: 1}); addNode({...node().position, phase: 'W1901A'});"
)
DRAWER = "document.querySelector('#handle [data-side={}]').click();"
STATES: dict[str, Callable[[Page], None]] = {
    "opening": lambda page: None,
    "orders": _typed,
    "why": _after("tell({asked: {power: 'GERMANY', order: 'A MUN - BUR'}});"),
    "text": _after("document.querySelector('#orders-head [data-side=text]').click();"),
    "edited": _after(EDIT),
    "drawer-orders": _after(DRAWER.format("left")),
    "drawer-details": _after(DRAWER.format("right")),
    "afterwards": _after("change({view: 'after'});"),
    "pressed": _pressed("MOS"),
    "choice": _pressed("PAR", "BRE"),
    "paradox": _at(PARADOX, PARADOX_SHEET),
    "resolution": _at(PARADOX, PARADOX_SHEET, "change({view: 1}); tell({asked: {power: 'FRANCE', order: 'A BRE - LON'}});"),
    "retreat": _at(RETREAT),
    "winter": _at(WINTER),
    "set-up": _does("change({mode: 'position'});"),
    "branches": _does(BRANCHES),
    "rulebook": _does("document.querySelector('#rulebook details').open = true;"),
    "look": _does("document.querySelector('.look').open = true;"),
    "gallery": _menu("Gallery"),
    "help": _menu("Help"),
}  # fmt: skip


def main(directory: str, *wanted: str) -> None:
    """Write a picture of each state, by its name, the screen and the theme."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as profile, serving() as address, chromium(Path(profile)) as browser:
        for name in wanted or STATES:
            for screen, size in SIZES.items():
                for scheme in ("light", "dark"):
                    with opened(browser, address, size=size, scheme=scheme) as page:
                        STATES[name](page)
                        _settled(page)
                        path = folder / f"{name}-{screen}-{scheme}.png"
                        browser.save_screenshot(str(path))
                        print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
