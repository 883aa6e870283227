"""`make quick` chooses the tests that are nearest to what changed, be it code, a helper of tests or data."""

from __future__ import annotations

import pytest
from quick import choose_tests


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("satjudge/game/game.py", "game/test_game.py"),
        ("satjudge/show/text.py", "apps/test_cli.py"),
        ("satjudge/show/picture.css", "show/test_layout.py"),
        ("satjudge/apps/explore/page/handling.js", "apps/test_explore_site.py"),
        ("models/crosscheck/dialects.toml", "files/test_maps_everywhere.py"),
        ("tests/helpers/strategies.py", "judging/test_laws.py"),
        ("tests/game/letters.toml", "game/test_game_letters.py"),
        ("docs/guides/mcp.md", "house/test_readme.py"),
    ],
)
def test_the_tests_nearest_to_a_change_are_chosen(changed: str, test: str) -> None:
    assert f"tests/{test}" in choose_tests([changed])
