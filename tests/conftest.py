"""Hypothesis profiles, and what tests in a real browser share.

The profile `ci` is the default, and `make slow-test` uses `long`. `HYPOTHESIS_PROFILE=deep` looks elsewhere every time.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from helpers.slow_tests import read_slow_tests
from hypothesis import HealthCheck, settings

from satjudge.base.platforms import ending_signals
from satjudge.judging import fast_path

if TYPE_CHECKING:
    from helpers.browsing import Browser
    from helpers.exploring import FileServer, Page

fast_path.USE_SHIPPED_TABLES, fast_path.PHASES_BEFORE_TABLES = False, sys.maxsize
"""Tests try the judge that is written in Python; those of the compiled one ask for it (`tests/bulk/test_fast_path.py`)."""

gc.set_threshold(50_000, 20, 50)
"""As `satjudge` itself does (`satjudge/base/startup.py`): the garbage collector took a seventh of the time of the tests."""

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("long", derandomize=True, deadline=None, max_examples=200)
settings.register_profile(
    "deep", deadline=None, max_examples=3000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


SLOW_TESTS = read_slow_tests()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", default="1/1", metavar="K/N", help="every N-th test only, from the K-th on")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark the tests of slow_tests.txt as slow; of those that `-m` and `-k` leave, keep the share of `--share`."""
    examples = Counter[str]()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in SLOW_TESTS:
            if not SLOW_TESTS[name] or examples[name] % SLOW_TESTS[name]:
                item.add_marker("slow")
            examples[name] += 1
    yield
    first, step = map(int, config.getoption("share").split("/"))
    left_out = [item for number, item in enumerate(items) if number % step != first - 1]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = items[first - 1 :: step]


def pytest_collection_finish() -> None:
    """Tell the garbage collector that what was imported and collected stays: it looked through it again and again."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Look for garbage once, and not the five times that pytest does."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    from helpers.browsing import chromium  # selenium is imported where there is something to browse

    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[FileServer]:
    """A plain file server that has `satjudge explore --site` in a folder `a/site/`, which was opened before."""
    from helpers.exploring import file_server, start_and_keep, written_site

    folder = tmp_path_factory.mktemp("files")
    written_site(folder / "a" / "site")
    with file_server(folder) as server:
        start_and_keep(browser, f"{server.address}/a/site/")
        yield server


@pytest.fixture(scope="session", params=["server", "site"])
def served(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of `satjudge explore`, in both ways of serving it: by a server that judges, and as a site."""
    from helpers.exploring import serving

    if request.param == "site":
        yield f"{request.getfixturevalue('site').address}/a/site/"
    else:
        with serving() as address:
            yield address


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    """The page to play with after its first judgement, on a desktop; afterwards the browser must not have complained."""
    from helpers.exploring import opened

    with opened(browser, served) as page:
        yield page


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A scheduler with two workers; a worker that dies is started anew."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", host="127.0.0.1", silence_logs=50
    ) as running:
        yield running


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Give what a test starts the usual signals, also where the tests ignore some: under `nohup`, cron or `make test &`."""
    usual = {signal.SIGINT: signal.default_int_handler, **dict.fromkeys(ending_signals(), lambda *_: None)}  # children get none
    ignored = [number for number in usual if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, usual[number])
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture
def without_hypotheses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What findings are tried with takes its time (tests/engines/test_families.py)."""
    monkeypatch.setattr("satjudge.engines.families.TRIES", 0)
