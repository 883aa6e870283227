"""Says in plain words what a setting or a fault means, for authors of engines."""

from __future__ import annotations

from collections.abc import Mapping

from satjudge.rules import options

SENTENCES: Mapping[str, str] = {
}  # fmt: skip
"""By the name of a fault."""


def said_of(part: str) -> str:
    """A setting or a fault in plain words."""
    issue, _, value = part.partition("=")
    for option in options():
        if option.issue == issue and value in option.values:
            return f"{part}: {option.values[value]}"
    return SENTENCES.get(part, part)
