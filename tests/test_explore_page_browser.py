"""The page to play with as a whole, in a real browser."""

from __future__ import annotations

import pytest
from exploring import Page

pytestmark = pytest.mark.browser


def test_the_page_judges_what_is_typed(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\nA MAR - BUR\n")
    assert page.verdicts() == {"A PAR - BUR": "fails", "A MAR - BUR": "fails"}
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    assert page.verdicts() == {"A PAR - BUR": "succeeds"}
