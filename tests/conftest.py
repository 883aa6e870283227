"""Hypothesis profiles, and what tests in a real browser share.

The profile `ci` is the default, `HYPOTHESIS_PROFILE=deep` looks for longer and elsewhere every time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from browsing import Browser
    from exploring import Page

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=120)
settings.register_profile(
    "deep", deadline=None, max_examples=3000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    from browsing import chromium  # selenium is imported where there is something to browse

    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="session")
def served() -> Iterator[str]:
    """The address of `satjudge explore` on this machine."""
    from exploring import serving

    with serving() as address:
        yield address


@pytest.fixture
def page(browser: Browser, served: str) -> Iterator[Page]:
    """The page to play with after its first judgement, on a desktop; afterwards the browser must not have complained."""
    from exploring import opened

    with opened(browser, served) as page:
        yield page
