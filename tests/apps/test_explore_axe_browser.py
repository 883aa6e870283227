"""The page to play with as axe sees it: nothing serious stands in anybody's way, in its main states, on all screens.

axe (npm `axe-core`, MPL 2.0) is fetched when these tests first run, pinned by its hash, and kept in the user's cache.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from functools import cache
from io import BytesIO

import pytest
from helpers.exploring import DESKTOP, PHONE, Page
from selenium.webdriver.common.keys import Keys

from satjudge.apps.explore.site import Download, fetch_file
from satjudge.base.platforms import user_cache

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("served", ["server"], indirect=True)]  # a site is the same page
AXE = Download(
    "https://registry.npmjs.org/axe-core/-/axe-core-4.14.1.tgz",
    708_405,
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
)
RUN = """
const {violations} = await axe.run(document, {resultTypes: ['violations']});
return violations.filter(({impact}) => ['serious', 'critical'].includes(impact)).flatMap(({id, nodes}) =>
  nodes.map(({target, failureSummary}) => `${id}: ${target.join(' ')}: ${failureSummary.split('\\n').slice(1).join(';')}`));
"""
PARADOX = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "map": "standard", "phase": "S1905M"}
SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\n\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\nA PAR - XXX\n"
RETREAT = {"units": {"FRANCE": ["A BUR"]}, "dislodged": {"GERMANY": {"A MUN": ["KIE", "RUH"]}}, "phase": "F1905R"}
BUILD = {"units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "BRE", "MAR"]}, "phase": "W1905A"}


@cache
def axe() -> str:
    """The script."""
    with tarfile.open(fileobj=BytesIO(fetch_file(AXE, user_cache()))) as package:
        script = package.extractfile("package/axe.min.js")
        assert script
        return script.read().decode()


def at(page: Page, position: object, sheet: str = "") -> None:
    """Show a position."""
    page.run("tell({judged: null, picture: null}); addNode(position, {sheet, parent: null});", position=position, sheet=sheet)
    page.wait_for("derived.judged && derived.picture")


def as_it_opens(page: Page) -> None:
    """The opening position, nothing ordered."""


def with_orders(page: Page) -> None:
    """All that can be typed: verdicts of several colours."""
    page.type_sheet("FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MUN\nGERMANY:\nA MUN - BUR\nF KIE - XXX\nFoo bar\n")


def in_a_paradox(page: Page) -> None:
    """A core with two resolutions, an error, and an explanation unfolded."""
    at(page, PARADOX, SHEET)
    page.run(
        "document.querySelectorAll('details').forEach(one => { one.open = true; });"
        "document.querySelector('#verdicts .order')?.click();"
    )


def under_another_rulebook(page: Page) -> None:
    """Verdicts that changed."""
    at(page, PARADOX, SHEET)
    page.run("tell({judged: null}); change({rules: {name: '1982', settings: []}});")
    page.wait_for("derived.judged")


def in_a_retreat(page: Page) -> None:
    """A dislodged unit."""
    at(page, RETREAT)


def in_winter(page: Page) -> None:
    """Centres to build in."""
    at(page, BUILD)


def setting_up(page: Page) -> None:
    """Position mode."""
    page.run("change({mode: 'position'});")
    page.wait_for("derived.picture")


def after_two_phases(page: Page) -> None:
    """A line of phases."""
    page.run("addNode({...node().position, phase: 'F1901M'}); addNode({...node().position, phase: 'S1902M'});")
    page.wait_for("derived.judged && derived.picture")


def with_tasks(page: Page) -> None:
    """Forms of tasks, one that failed and one that found something."""
    at(page, PARADOX, SHEET)
    page.find("#tasks summary").send_keys(Keys.ENTER)
    page.wait_for("document.querySelector('#task-wishes')")
    page.named("Goal", "#tasks input").send_keys("paradise" + Keys.ENTER)
    page.wait_for("document.querySelector('#tasks .fault')")
    page.find("#tasks input[value=guarantee]").click()
    page.named("Wish", "#tasks input").send_keys("take ENG" + Keys.ENTER)
    page.wait_for("document.querySelector('#tasks .card')")


def with_branches(page: Page) -> None:
    """Lines of play with names, the centre chart, the game over, a link that cannot be opened."""
    after_two_phases(page)
    page.run(
        "change({at: 1, victory: 4}); addNode({...node().position, phase: 'W1901A'}); location.hash = '#1.bad';"
        "document.querySelector('.chart').open = true;"
    )
    page.wait_for("derived.notice && document.querySelector('.chart td')")


def in_the_gallery(page: Page) -> None:
    """All cases, and those that were searched for."""
    page.named("Gallery").send_keys(Keys.ENTER)
    page.wait_for("document.querySelector('.gallery .case')")
    page.press("1982")


def opening_a_file(page: Page) -> None:
    """Cases to choose from, after a text that could not be opened."""
    page.named("Open").send_keys(Keys.ENTER)
    page.named("Or paste text", "dialog textarea").send_keys("case a: b\nFrance:\nA PAR H\n\ncase c: d\nFrance:\nA PAR H\n")
    page.named("Open the text").send_keys(Keys.ENTER)
    page.wait_for("document.querySelector('dialog[open] .cases button')")
    page.run("document.querySelector('dialog[open] .fault').textContent = 'it cannot be opened';")


def saving(page: Page) -> None:
    """What can be saved."""
    page.named("Save").send_keys(Keys.ENTER)


STATES = [
    as_it_opens, with_orders, in_a_paradox, under_another_rulebook, in_a_retreat, in_winter, setting_up, after_two_phases,
    with_tasks, with_branches, in_the_gallery, opening_a_file, saving,
]  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing_serious(page: Page, state: Callable[[Page], None]) -> None:
    state(page)
    page.browser.execute_script(axe())
    found: list[str] = []
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            page.resized(size, scheme)
            page.wait_for("new Promise(shown => setTimeout(() => shown(true), 400))")  # colours may fade
            found += [f"{scheme}, {size[0]} px: {problem}" for problem in page.run(RUN)]
    assert not found, "\n".join(found)


def test_axe_would_find_something(page: Page) -> None:
    page.run("document.body.append(document.createElement('button'));")
    page.browser.execute_script(axe())
    assert any(problem.startswith("button-name: ") for problem in page.run(RUN))
