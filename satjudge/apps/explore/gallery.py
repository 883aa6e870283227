"""Lists and opens the shipped cases for the page."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec

from satjudge.apps.explore.wire import OpenedPhase, open_phases
from satjudge.base.errors import NotFoundError
from satjudge.base.resources import data_directory
from satjudge.notation.bundled_cases import list_case_files
from satjudge.notation.sheet_reader import load_sheets
from satjudge.world.rules import load_preset

COLLECTIONS = {
    "datc-3.2": "DATC 3.2",
    "datc-2.4": "DATC 2.4",
    "catalogue": "Catalogue of paradoxes and cores",
    "lines": "Lines that hold or break",
    "rulebook-1982": "Rulebook of 1982",
    "rulebook-1971": "Rulebook of 1971",
    "guide-1998": "Player's Technical Guide 1998",
    "variants": "Rules of other variants",
    "promoted": "Where rulebooks differ",
    "differences": "The smallest positions on which rulebooks differ",
    "census": "Shapes of the census",
    "cores": "Cores beyond the catalogue",
}
"""The titles of the folders of cases; other folders appear after these, under their own names."""
_HEADING = re.compile(r"^# .*?\b(?:section|chapter) (?P<number>[^:]+): (?P<title>.+)$", re.MULTILINE)
_CASE = re.compile(r"^case\s+(?P<identity>[^\s:]+)\s*:\s*(?P<title>.*?)\s*$|^source:\s*(?P<source>.*?)\s*$", re.MULTILINE)


class CaseEntry(msgspec.Struct):
    """A case in a list, with its title and the source that its file states."""

    identity: str
    title: str
    source: str = ""


class FileEntry(msgspec.Struct):
    """The cases of a file, which is a section or a chapter."""

    file: str
    """The name by which the cases of the file are requested."""
    title: str
    cases: list[CaseEntry]


class Shelf(msgspec.Struct):
    """A collection of cases, file by file."""

    title: str
    files: list[FileEntry]


@cache
def list_shelves() -> list[Shelf]:
    """List the shipped cases by collection and file; only their headings are read."""
    found: dict[str, list[FileEntry]] = {folder: [] for folder in COLLECTIONS}
    for path in list_case_files():
        text = path.read_text(encoding="utf-8")
        found.setdefault(path.parent.name, []).append(
            FileEntry(_make_name(path), _make_title(path.stem, text), _list_cases(text))
        )
    return [Shelf(COLLECTIONS.get(folder, folder), files) for folder, files in found.items() if files]


def _make_title(stem: str, text: str) -> str:
    """Return the title of a file of cases: its name (`stem`), and the subject from the first line of its text."""
    heading = _HEADING.match(text)
    return f"{stem}: {heading['title']}" if heading else stem


def _list_cases(text: str) -> list[CaseEntry]:
    found: list[CaseEntry] = []
    for match in _CASE.finditer(text):
        if match["identity"]:
            found.append(CaseEntry(match["identity"], match["title"]))
        elif found and not found[-1].source:
            found[-1].source = match["source"]
    return found


def _make_name(path: Path) -> str:
    return path.relative_to(data_directory() / "datc_cases").with_suffix("").as_posix()


def open_case(file: str, identity: str) -> list[OpenedPhase]:
    """Return the phases to open for a shipped case: its moves and, if it has any, its retreats, under the case's rulebook.

    Raises `NotFoundError`.
    """
    paths = {_make_name(path): path for path in list_case_files()}
    if file not in paths:
        raise NotFoundError(f"there is no file of cases {file!r:.60}")
    for sheet in load_sheets(paths[file]):
        if sheet.identity == identity:
            return open_phases([(sheet, load_preset(sheet.rules))])
    raise NotFoundError(f"there is no case {identity!r:.60} in {file}")
