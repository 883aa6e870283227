"""Defines the parts that all documents share; a document is the result of a command, as plain data.

A document can be encoded as JSON; tables, Markdown and pages are made from it.

The modules are imported separately, because a run needs only one. `docs/schemas` contains the JSON Schema of each document.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Generic, TypeVar

import msgspec

from satjudge.base.values import brief
from satjudge.base.version import __version__
from satjudge.notation.sheets import Sheet
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names

T = TypeVar("T")


def encode_document(document: object) -> bytes:
    """Return a document as JSON; values that JSON lacks, such as verdicts, become text."""
    return msgspec.json.encode(document, enc_hook=str)


def dedent_descriptions(part: Any) -> Any:  # noqa: ANN401  # of a JSON Schema
    """Return a JSON Schema, or a part of one, with its descriptions dedented, as Python 3.13 makes them."""
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
        """Return the preset with the document's name (else the default) and the document's settings; raise `RulebookError`."""
        base = load_rulebook(self.name if self.name in preset_names() else DEFAULT_RULES)
        usual = base.settings()
        return base.with_settings(f"{issue}={value}" for issue, value in self.settings.items() if usual.get(issue) != value)


def describe_rules(rulebook: Rulebook) -> Rules:
    """Return a rulebook as a document: its name, its title, and the choice on every issue."""
    return Rules(rulebook.name, rulebook.title, rulebook.settings())


class JudgedDocument(Document, kw_only=True):
    """The base of documents that state which version of satjudge and which rulebook produced them."""

    satjudge: str
    rulebook: Rules


def document_origin(rulebook: Rulebook) -> dict[str, Any]:
    """Return the fields of `JudgedDocument` by name: the version of satjudge, and the rulebook."""
    return {"satjudge": __version__, "rulebook": describe_rules(rulebook)}


class CaseDocument(JudgedDocument, kw_only=True):
    """The base of documents on one case, which a sheet may give an ID and a title."""

    id: str | None
    title: str


def case_origin(sheet: Sheet, rulebook: Rulebook) -> dict[str, Any]:
    """Return the fields of `CaseDocument` by name: those of `document_origin`, and the case's ID (or None) and title."""
    return {**document_origin(rulebook), "id": sheet.identity or None, "title": sheet.title}


class Cases(Document, Generic[T]):
    """A list of documents, one for each case of a file."""

    cases: list[T]


class OrderOf(Document):
    """An order with its power."""

    power: str
    order: str


class Problem(Document):
    """A reason why something could not be read or judged, at least in part."""

    kind: str
    message: str
