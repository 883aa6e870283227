"""What docs/papers/theory.md shows of the formal theory stands there; that it is so needs Rocq, and is in test_theory.py."""

from __future__ import annotations

import re

from helpers import theory

PAGE = (theory.THEORY.parents[1] / "docs" / "papers" / "theory.md").read_text(encoding="utf-8")


def test_the_page_shows_what_is_stated() -> None:
    sources = "".join(
        (theory.THEORY / name).read_text(encoding="utf-8") for name in ("Specification.v", "Components.v", "Theorems.v")
    )
    shown = re.findall(r"```coq\n(.*?)```", PAGE, re.DOTALL)
    assert shown
    assert not [block for block in shown if block not in sources]


def test_the_page_shows_every_theorem() -> None:
    stated = re.findall(r"^Theorem (\w+)", (theory.THEORY / "Theorems.v").read_text(encoding="utf-8"), re.MULTILINE)
    assert stated
    assert not [name for name in stated if not re.search(rf"^Theorem {name}\s", PAGE, re.MULTILINE)]
