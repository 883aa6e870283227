"""Debian's Chromium for tests, without a window and without a network; `conftest.py` has it as the fixture `browser`.

`apt-get install chromium chromium-driver` brings it. `make test` leaves these tests out; `make browser-test` runs them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
)  # fmt: skip
PHONE, DESKTOP = (360, 740), (1200, 900)
Browser = webdriver.Chrome


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser with a fresh profile in this folder."""
    programs = [shutil.which("chromium"), shutil.which("chromedriver")]
    if None in programs:
        pytest.fail("no chromium and chromedriver here: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = str(programs[0])
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(programs[1])))
    driver.get("data:,")  # away from the browser's own first page, which goes on loading pieces of itself
    try:
        yield driver
    finally:
        driver.quit()


def sized(browser: Browser, size: tuple[int, int], *, scheme: str = "light", media: str = "screen") -> None:
    """What the page is shown on."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})


def logged(browser: Browser, kind: str) -> list[dict[str, Any]]:
    """What a log of the browser has to say since last time."""
    found: list[dict[str, Any]] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return found


def requested(browser: Browser) -> Iterator[str]:
    """Every address that was asked for since last time, but by the browser's own first page (`chrome://new-tab-page`)."""
    for entry in logged(browser, "performance"):
        message = json.loads(entry["message"])["message"]
        sent = message["method"] == "Network.requestWillBeSent"
        if sent and not message["params"]["documentURL"].startswith(("chrome:", "chrome-untrusted:")):
            yield message["params"]["request"]["url"]


def edges(part: WebElement) -> list[float]:
    """Left, top, right and bottom, as they are on the screen."""
    found: list[float] = part.parent.execute_script(
        "const b = arguments[0].getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]", part
    )
    return found
