"""Holds what commands found, as plain data: JSON is one of these documents encoded; tables, Markdown and pages read them.

The modules are imported by their own names, for a run needs only one. `docs/schemas` has the JSON Schema of each document.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from satjudge.base.version import __version__
from satjudge.base.words import brief
from satjudge.notation.sheets import Sheet
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names

T = TypeVar("T")


class Document(msgspec.Struct):
    """What all documents have in common: they are long, and show the beginning of each field."""

    __repr__ = brief


class Rules(Document):
    """The rulebook that something was judged by, with every option."""

    name: str
    title: str
    settings: dict[str, str]

    def rulebook(self) -> Rulebook:
        """The preset of that name, with what was settled otherwise. Raises `RulebookError`."""
        base = load_rulebook(self.name if self.name in preset_names() else DEFAULT_RULES)
        usual = base.settings()
        return base.with_settings(f"{issue}={value}" for issue, value in self.settings.items() if usual.get(issue) != value)


class Made(Document, kw_only=True):
    """How a document was made: by which version of satjudge, and by which rulebook."""

    satjudge: str
    rulebook: Rules


def made_by(rulebook: Rulebook) -> dict[str, Any]:
    """The fields of `Made`."""
    return {"satjudge": __version__, "rulebook": Rules(rulebook.name, rulebook.title, rulebook.settings())}


class CaseMade(Made, kw_only=True):
    """What was found of one case, which a sheet may give an identity and a title."""

    id: str | None
    title: str


def case_made(sheet: Sheet, rulebook: Rulebook) -> dict[str, Any]:
    """The fields of `CaseMade`."""
    return {**made_by(rulebook), "id": sheet.identity or None, "title": sheet.title}


class Cases(Document, Generic[T]):
    """One document for each case of a file."""

    cases: list[T]


class Problem(Document):
    """Why something could not be read or judged, or not all of it."""

    kind: str
    message: str
