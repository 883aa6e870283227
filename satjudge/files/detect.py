"""Detects the kind of a file by its content: an order sheet, a game, batch lines, jDip's cases, or something else."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from enum import StrEnum

_BEGINNING = 100_000
"""The number of bytes that are examined."""


class Kind(StrEnum):
    """A kind of file; the value is its name in messages."""

    SHEET = "an order sheet"
    GAME = "a saved game"
    ROWS = "a file of phases of games"
    WEBDIPLOMACY = "a game of webDiplomacy's"
    DAIDE = "a log of a DAIDE server"
    NJUDGE = "results of a judge by email"
    GODIP = "a phase of godip or diplicity"
    BACKSTABBR = "a phase of Backstabbr's"
    SAVED_BY_JDIP = "a game that jDip saved"
    WEBDIPLOMACY_PAGE = "a web page of webDiplomacy"
    VDIPLOMACY_PAGE = "a web page of vDiplomacy"
    BACKSTABBR_PAGE = "a web page of Backstabbr"
    LINES = "a file of batch lines"
    JDIP = "a file of cases in jDip's format"
    CASES = "a file of cases by tests.schema.json"
    REPORT = "a report of a verdict"
    CENSUS = "the run of a census"
    CROSSCHECK = "the run of a cross-check"
    RULEBOOK = "a rulebook"
    MAP = "a map"
    JSON = "JSON"
    PAGE = "a web page or picture"
    GZIP = "a file packed by gzip"
    ZIP = "a zip archive"
    PDF = "a PDF file"


POSITIONS = frozenset(
    {
        *(Kind.SHEET, Kind.GAME, Kind.ROWS, Kind.WEBDIPLOMACY, Kind.DAIDE, Kind.NJUDGE, Kind.GODIP),
        *(Kind.LINES, Kind.JDIP, Kind.CASES, Kind.REPORT),
    }
)
"""The kinds of files that contain positions with orders (`satjudge.files.cases`)."""
_KEYS = (
    (b'tests.schema.json"', Kind.CASES),
    (b'"preceding_main_phase"', Kind.CASES),
    (b'"phase": "Main"', Kind.CASES),
    (b'"reported"', Kind.REPORT),
    (b'"variantID"', Kind.WEBDIPLOMACY),
    (b'"result_reason"', Kind.BACKSTABBR),
    (b'"SupplyCenters"', Kind.GODIP),
    (b'"PhaseOrdinal"', Kind.GODIP),
    (b'"phases"', Kind.GAME),
    (b'"next_units"', Kind.ROWS),
    (b'"claims"', Kind.CENSUS),
    (b'"against"', Kind.CROSSCHECK),
    (b'"orders"', Kind.LINES),
    (b'"units"', Kind.LINES),
)
"""The kinds of JSON files, by a key in them."""
_BINARY = {b"\x1f\x8b": Kind.GZIP, b"PK\x03\x04": Kind.ZIP, b"%PDF": Kind.PDF}
_RULEBOOK = re.compile(rb"^(?:\[settings\]|(?:name|title|based_on)[ \t]*=)", re.MULTILINE)
_MAP = re.compile(
    rb"^(?:\[(?:province|power|neutral|years|last_year|victory_lead|closed|railroad|canal|groups|geometry)[.\]]"
    rb"|(?:COAST|WATER|LAND)[ \t]+\S+[ \t]+ABUTS\b"
    rb"|(?:(?:add_)?powers|remove|forget|first_(?:year|builds)|builds_\w{1,20}|victory\w{0,20}|no_retreats|transforms)[ \t]*=)",
    re.MULTILINE,
)
"""Keys that only a map has. If a file changes only the title of a map, it might also be a rulebook."""
_JDIP = re.compile(rb"^[ \t]*PRESTATE\b", re.MULTILINE)  # with `\s` it would take quadratic time on blank lines
_DAIDE = re.compile(rb"\bNOW[ \t]*\([ \t]*(?:SPR|SUM|FAL|AUT|WIN)[ \t]+[0-9]{4}[ \t]*\)")
_NJUDGE = re.compile(
    rb"^(?:Movement|Retreat|Adjustment) results for (?:Spring|Summer|Fall|Autumn|Winter) of [0-9]{1,5}\.[ \t]*\(", re.MULTILINE
)
_PAGES = (
    (re.compile(rb"\bdip\.world\.World\b"), Kind.SAVED_BY_JDIP),
    (re.compile(rb"<title>[^<]{0,200}webdiplomacy", re.IGNORECASE), Kind.WEBDIPLOMACY_PAGE),
    (re.compile(rb"<title>[^<]{0,200}vdiplomacy", re.IGNORECASE), Kind.VDIPLOMACY_PAGE),
    (re.compile(rb"<title>[^<]{0,200}backstabbr", re.IGNORECASE), Kind.BACKSTABBR_PAGE),
)
"""The kinds of files that begin with a tag, by a text in them."""
_SHEET = "copy its orders as text into an order sheet (docs/reference/order-sheets.md)"
_HINTS = {
    Kind.GAME: "`satjudge replay` judges it again, `satjudge crosscheck` compares engines on it",
    Kind.ROWS: "`satjudge replay` judges them again",
    Kind.WEBDIPLOMACY: "`satjudge replay` judges it again",
    Kind.DAIDE: "`satjudge replay` judges it again",
    Kind.NJUDGE: "`satjudge replay` judges it again",
    Kind.GODIP: "`satjudge replay` judges it again",
    Kind.BACKSTABBR: f"it contains neither the season nor the kinds of units; {_SHEET}",
    Kind.SAVED_BY_JDIP: "only jDip can read its objects; satjudge reads jDip's test cases (docs/guides/saved-games.md)",
    Kind.WEBDIPLOMACY_PAGE: "save the answer of webDiplomacy's API to game/status instead (docs/guides/saved-games.md)",
    Kind.VDIPLOMACY_PAGE: f"vDiplomacy has no API for games; {_SHEET}",
    Kind.BACKSTABBR_PAGE: _SHEET,
    Kind.LINES: "`satjudge batch` judges it",
    Kind.JDIP: "`satjudge replay` judges them",
    Kind.CASES: "`satjudge check` checks them",
    Kind.REPORT: "`satjudge judge` judges it again, `satjudge check` compares the verdicts",
    Kind.CENSUS: "`satjudge report` makes an HTML page from it",
    Kind.CROSSCHECK: "`satjudge report` makes an HTML page from it",
    Kind.RULEBOOK: "name it with --rules FILE.toml",
    Kind.MAP: "`satjudge maps show` shows it",
    Kind.GZIP: "unpack it; `satjudge replay` reads packed games",
}
GAMES_UNREAD = frozenset(
    {Kind.BACKSTABBR, Kind.SAVED_BY_JDIP, Kind.WEBDIPLOMACY_PAGE, Kind.VDIPLOMACY_PAGE, Kind.BACKSTABBR_PAGE}
)
"""The kinds of files with games that satjudge cannot read."""
_TAKEN = "FILE is an order sheet (docs/reference/order-sheets.md) or a file of another program (docs/guides/saved-games.md)"


def detect(data: bytes) -> Kind:
    """Return the kind of a file, judging by its first bytes: an order sheet unless they show another kind."""
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
        return next((kind for sign, kind in _PAGES if sign.search(begun)), Kind.PAGE)
    if _DAIDE.search(begun):
        return Kind.DAIDE
    if _NJUDGE.search(begun):
        return Kind.NJUDGE
    return Kind.JDIP if _JDIP.search(begun) else Kind.SHEET


def format_hint(kind: Kind) -> str:
    """Return a hint for a file of this kind in the wrong place: the command or option that accepts such files."""
    return _HINTS.get(kind, _TAKEN)
