"""`satjudge explore` as browser tests see it; `conftest.py` has the fixtures `browser`, `served` (the address) and `page`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from helpers.browsing import Browser, logged, sized

DESKTOP, PHONE = (1400, 950), (390, 844)
PATIENCE = 60
"""Seconds; a machine with other things to do is slow at times."""
PATIENCE_AT_FIRST = 180
"""Till Python has started in the browser for the first time, and what it compiled is kept."""
ON_SERVER = pytest.mark.parametrize("served", ["server"], indirect=True)
"""A test of what is there only where satjudge runs as a program."""
ON_SITE = pytest.mark.parametrize("served", ["site"], indirect=True)
"""A test of what is there only where the browser judges."""

PLAYERS = "cookies,indexeddb,local_storage"
"""Where a page could keep what a player made; what a site has compiled is kept elsewhere, and stays."""
NAMES = "state, derived, subscribe, change, tell, node, addNode, addOpened"
STORE = f"const {{{NAMES}}} = await import(new URL('store.js', document.baseURI));"
TYPE = """
const sheet = document.querySelector('#sheet textarea');
await new Promise(judged => {
  if (node().sheet === text) return judged();
  subscribe(changed => {
    if (node()?.sheet === text && changed.has('judged') && !derived.judging) judged();
  });
  sheet.value = text;
  sheet.dispatchEvent(new Event('input', {bubbles: true}));
});
"""
"""Types all at once, as pasting does, and waits for the judgement of what was typed, however late it is asked for."""

DROP = """
const held = new DataTransfer();
held.items.add(new File([text], 'dropped.txt'));
document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: held, bubbles: true, cancelable: true}));
"""
"""Drops a file with this text onto the page."""


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """The address of `satjudge explore` in a process of its own, on a free port."""
    command = [sys.executable, "-m", "satjudge", "explore", "--no-browser", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


class _Files(SimpleHTTPRequestHandler):
    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Remember what was asked for, and say nothing."""
        self.server.asked.append(self.path)  # type: ignore[attr-defined]


class FileServer(ThreadingHTTPServer):
    """A plain file server of a folder; `asked` are the paths that were asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
        self.folder = folder
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def file_server(folder: Path) -> Iterator[FileServer]:
    """A file server in a thread of its own."""
    with FileServer(folder) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def written_site(folder: Path) -> Path:
    """A site with all that belongs to it; what has to be fetched is kept in the user's cache."""
    command = [sys.executable, "-m", "satjudge", "explore", "--site", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def start_and_keep(browser: Browser, address: str) -> None:
    """Open a site for the first time, and wait until the browser has kept what was compiled: from then on it starts sooner."""
    page = Page(browser, address)
    browser.get(address)
    kept = "(await (await caches.open('satjudge explore')).keys()).length === 2"
    WebDriverWait(browser, PATIENCE_AT_FIRST, 0.5).until(lambda _: page.run(f"return {kept};"), "the browser keeps nothing")


@contextmanager
def opened(browser: Browser, address: str, *, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Iterator[Page]:
    """The page after its first judgement, with nothing kept from another one; the browser must not complain of it."""
    page = Page(browser, address)
    browser.get("about:blank")  # another fragment alone would not load the page again
    origin = "/".join(address.split("/")[:3])
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": PLAYERS})
    sized(browser, size, scheme=scheme)
    logged(browser, "browser")
    logged(browser, "performance")
    browser.get(address)
    page.wait_for("derived.judged && derived.picture && !document.querySelector('#status').textContent.includes('starting')")
    yield page
    assert [entry["message"] for entry in logged(browser, "browser")] == []


AT_REST = """
(async () => {{
  const one = document.querySelector({selector});
  one.scrollIntoView({{block: 'center', behavior: 'instant'}});
  const before = one.getBoundingClientRect();
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const after = one.getBoundingClientRect();
  return after.top === before.top && after.left === before.left;
}})()"""


@dataclass
class Page:
    """The page in a browser."""

    browser: Browser
    address: str

    def run(self, script: str, **values: object) -> Any:  # noqa: ANN401
        """What a function of this body returns; it may `await`, knows the store's names, and these values by name."""
        given = "".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())
        self.browser.set_script_timeout(PATIENCE)
        told = self.browser.execute_async_script(
            f"const done = arguments[0]; (async () => {{ {STORE} {given} {script} }})()"
            ".then(value => done({value}), error => done({error: String(error.stack ?? error)}));"
        )
        if "error" in told:
            raise JavascriptException(told["error"])
        return told.get("value")

    def wait_for(self, condition: str) -> Any:  # noqa: ANN401
        """Wait until an expression is true, which may use the store's names, and return its value."""
        message = f"never true: {condition}"
        return WebDriverWait(self.browser, PATIENCE, 0.05).until(lambda _: self.run(f"return await ({condition});"), message)

    def type_sheet(self, text: str) -> None:
        """Write the whole sheet, and wait until it is judged."""
        self.run(TYPE, text=text)

    def show_text(self) -> None:
        """Show the orders as a text, and not as a list."""
        self.run("document.querySelector('#orders-head [data-side=text]').click();")

    def verdicts(self) -> dict[str, str]:
        """The verdict of each order."""
        return {one["order"]: one["verdict"] for one in self.run("return derived.judged.orders;")}

    def find(self, selector: str) -> WebElement:
        """The first element of a CSS selector."""
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str) -> list[WebElement]:
        """All elements of a CSS selector."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def in_sight(self, selector: str) -> bool:
        """Whether the whole of an element is inside the window."""
        box = "const {top, bottom} = document.querySelector(selector).getBoundingClientRect();"
        return bool(self.run(f"{box} return top >= 0 && bottom <= innerHeight;", selector=selector))

    def at_rest(self, selector: str) -> WebElement:
        """The first element of a selector, once it stands still: answers that arrive above it move it."""
        self.wait_for(AT_REST.format(selector=json.dumps(selector)))
        return self.find(selector)

    def named(self, name: str, selector: str = "button") -> WebElement:
        """The only element of a selector that is shown and has this name for screen readers."""
        while True:
            with suppress(StaleElementReferenceException):  # others are made anew as answers come
                (found,) = [one for one in self.find_all(selector) if one.is_displayed() and one.accessible_name == name]
                return found

    def active(self) -> WebElement:
        """The element that has the focus."""
        return self.browser.switch_to.active_element

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus then is."""
        for key in keys:
            self.active().send_keys(key)

    def resized(self, size: tuple[int, int], scheme: str = "light") -> None:
        """Show the page on something else."""
        sized(self.browser, size, scheme=scheme)
