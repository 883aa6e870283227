"""Holds the parts that all documents share; a document is what a command found, as plain data.

JSON is a document encoded; tables, Markdown and pages read it.

The modules are imported by their own names, for a run needs only one. `docs/schemas` has the JSON Schema of each document.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Generic, TypeVar

import msgspec

from satjudge.base.version import __version__
from satjudge.base.words import brief
from satjudge.notation.sheets import Sheet
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names

T = TypeVar("T")


def encoded(document: object) -> bytes:
    """Write a document as JSON; what JSON has no kind for, such as a verdict, is its text."""
    return msgspec.json.encode(document, enc_hook=str)


def dedent_descriptions(part: Any) -> Any:  # noqa: ANN401  # of a JSON Schema
    """Return a JSON Schema, or part of one, whose descriptions are the same on every Python: 3.13 dedents docstrings."""
    if isinstance(part, dict):
        return {
            key: cleandoc(value) if key == "description" and isinstance(value, str) else dedent_descriptions(value)
            for key, value in part.items()
        }
    return [dedent_descriptions(one) for one in part] if isinstance(part, list | tuple) else part


class Document(msgspec.Struct):
    """A document, whose `repr` shows the beginning of each field."""

    __repr__ = brief


class Rules(Document):
    """A rulebook by which something was judged, with every option."""

    name: str
    title: str
    settings: dict[str, str]

    def rulebook(self) -> Rulebook:
        """Return the preset of that name with its options changed as `settings` says, or raise `RulebookError`."""
        base = load_rulebook(self.name if self.name in preset_names() else DEFAULT_RULES)
        usual = base.settings()
        return base.with_settings(f"{issue}={value}" for issue, value in self.settings.items() if usual.get(issue) != value)


def rules_told(rulebook: Rulebook) -> Rules:
    """Write a rulebook with every option."""
    return Rules(rulebook.name, rulebook.title, rulebook.settings())


class Made(Document, kw_only=True):
    """The origin of a document: the version of satjudge and the rulebook that made it."""

    satjudge: str
    rulebook: Rules


def made_by(rulebook: Rulebook) -> dict[str, Any]:
    """Make the fields of `Made`."""
    return {"satjudge": __version__, "rulebook": rules_told(rulebook)}


class CaseMade(Made, kw_only=True):
    """The findings on one case, which a sheet may give an identity and a title."""

    id: str | None
    title: str


def case_made(sheet: Sheet, rulebook: Rulebook) -> dict[str, Any]:
    """Make the fields of `CaseMade`."""
    return {**made_by(rulebook), "id": sheet.identity or None, "title": sheet.title}


class Cases(Document, Generic[T]):
    """A list of documents, one for each case of a file."""

    cases: list[T]


class OrderOf(Document):
    """An order with its power."""

    power: str
    order: str


class Problem(Document):
    """A reason why something could not be read or judged, or not all of it."""

    kind: str
    message: str
