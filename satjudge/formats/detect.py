"""Tells by its content what a file is: an order sheet, a saved game, batch lines, jDip's cases, or something else."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from enum import StrEnum

_BEGINNING = 100_000
"""Bytes that are looked at."""


class Kind(StrEnum):
    """What a file is, as messages call it."""

    SHEET = "an order sheet"
    GAME = "a saved game"
    ROWS = "a file of phases of games"
    LINES = "a file of batch lines"
    JDIP = "a file of cases in jDip's format"
    CENSUS = "the run of a census"
    CROSSCHECK = "the run of a cross-check"
    RULEBOOK = "a rulebook"
    MAP = "a map"
    JSON = "JSON"
    PAGE = "a web page or picture"
    GZIP = "a file packed by gzip"
    ZIP = "a zip archive"
    PDF = "a PDF file"


POSITIONS = frozenset({Kind.SHEET, Kind.GAME, Kind.ROWS, Kind.LINES, Kind.JDIP})
"""The kinds that hold positions with orders (`satjudge.formats.cases`)."""
_KEYS = (
    (b'"phases"', Kind.GAME),
    (b'"next_units"', Kind.ROWS),
    (b'"claims"', Kind.CENSUS),
    (b'"against"', Kind.CROSSCHECK),
    (b'"orders"', Kind.LINES),
    (b'"units"', Kind.LINES),
)
"""JSON by a key that is in it."""
_BINARY = {b"\x1f\x8b": Kind.GZIP, b"PK\x03\x04": Kind.ZIP, b"%PDF": Kind.PDF}
_RULEBOOK = re.compile(rb"^(?:\[settings\]|(?:name|title|based_on)[ \t]*=)", re.MULTILINE)
_MAP = re.compile(
    rb"^(?:\[(?:province|power)[.\]]|(?:COAST|WATER|LAND)[ \t]+\S+[ \t]+ABUTS\b|(?:add_)?powers[ \t]*=)", re.MULTILINE
)
_JDIP = re.compile(rb"^[ \t]*PRESTATE\b", re.MULTILINE)  # with `\s` it would take quadratic time on blank lines
_HINTS = {
    Kind.GAME: "`satjudge replay` judges it again, `satjudge crosscheck` compares engines on it",
    Kind.ROWS: "`satjudge replay` judges them again",
    Kind.LINES: "`satjudge batch` judges it",
    Kind.JDIP: "`satjudge replay` judges them",
    Kind.CENSUS: "`satjudge report` makes a page of it",
    Kind.CROSSCHECK: "`satjudge report` makes a page of it",
    Kind.RULEBOOK: "name it with --rules FILE.toml",
    Kind.MAP: "`satjudge maps show` shows it",
    Kind.GZIP: "unpack it; `satjudge replay` reads packed games",
}
_TAKEN = "FILE is an order sheet (docs/order-sheets.md) or a file of another program (docs/saved-games.md)"


def detect(data: bytes) -> Kind:
    """What a file is; an order sheet, if nothing says that it is something else."""
    begun = data[:_BEGINNING].removeprefix(BOM_UTF8).lstrip()
    if kind := next((kind for first, kind in _BINARY.items() if begun.startswith(first)), None):
        return kind
    if _MAP.search(begun):
        return Kind.MAP
    if _RULEBOOK.search(begun):
        return Kind.RULEBOOK
    if begun.startswith((b"{", b"[")):
        return next((kind for key, kind in _KEYS if key in begun), Kind.JSON)
    if begun.startswith(b"<"):
        return Kind.PAGE
    return Kind.JDIP if _JDIP.search(begun) else Kind.SHEET


def hint_for(kind: Kind) -> str:
    """What takes a file of this kind."""
    return _HINTS.get(kind, _TAKEN)
