"""What a file is that is no order sheet: told by its content, with the command that takes it."""

from __future__ import annotations

import re

from satjudge.errors import SheetError

_BEGINNING = 100_000
"""Bytes that are looked at."""
_JSON_KINDS = (
    (b'"phases"', "a saved game", "`satjudge replay` judges it again, `satjudge crosscheck` compares engines on it"),
    (b'"next_units"', "a file of phases of games", "`satjudge replay` judges them again"),
    (b'"claims"', "the run of a census", "`satjudge report` makes a page of it"),
    (b'"against"', "the run of a cross-check", "`satjudge report` makes a page of it"),
    (b'"orders"', "a file of batch lines", "`satjudge batch` judges it"),
    (b'"units"', "a file of batch lines", "`satjudge batch` judges it"),
)
"""JSON by a key that is in it: what it is, and what takes it."""
_BINARY = {b"\x1f\x8b": "a file packed by gzip", b"PK\x03\x04": "a zip archive", b"%PDF": "a PDF file"}
_RULEBOOK = re.compile(rb"^(?:\[settings\]|(?:name|title|based_on)[ \t]*=)", re.MULTILINE)
_JDIP = re.compile(rb"^[ \t]*PRESTATE\b", re.MULTILINE)


def other_kind(data: bytes) -> tuple[str, str] | None:
    """What a file is, and what to do with it; None if it may be an order sheet."""
    begun = data[:_BEGINNING].removeprefix(b"\xef\xbb\xbf").lstrip()
    for first, what in _BINARY.items():
        if begun.startswith(first):
            return what, "`satjudge replay` reads packed games" if "gzip" in what else "FILE is an order sheet"
    if _RULEBOOK.search(begun):
        return "a rulebook", "name it with --rules FILE.toml"
    if begun.startswith((b"{", b"[")):
        found = next((kind[1:] for kind in _JSON_KINDS if kind[0] in begun), None)
        return found or ("JSON", "FILE is an order sheet (docs/order-sheets.md)")
    if begun.startswith(b"<"):
        return "a web page or picture", "FILE is an order sheet (docs/order-sheets.md)"
    if _JDIP.search(begun):
        return "a file of cases in jDip's format", "`satjudge replay` judges them"
    return None


def check_sheet(data: bytes, source: str) -> None:
    """Raise `SheetError` for what is no order sheet."""
    if kind := other_kind(data):
        what, hint = kind
        raise SheetError(f"this is {what}, no order sheet", source=source, suggestion=hint)
