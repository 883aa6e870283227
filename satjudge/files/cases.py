"""Reads positions with orders from files of any kind, as cases (`Sheet`), which all commands accept.

A case on an order sheet can contain more than cases in other files. Phases of games, batch lines and jDip's cases contain a
whole position, including dislodged units, and perhaps the expected results: verdicts, or the units afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from satjudge.base.errors import NotFoundError, RequestError, SheetError
from satjudge.base.resources import LONGEST_TEXT, read_all, read_file
from satjudge.files.detect import POSITIONS, Kind, detect, format_hint
from satjudge.notation.bundled_cases import is_case_name, read_bundled_cases
from satjudge.notation.sheet_reader import decode_sheets
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.judging.position import Position


@dataclass(frozen=True, slots=True)
class Entry:
    """A case in a file: its ID for `--case`, the number of its first line, and a function that reads it (or `InputError`)."""

    identity: str
    line: int
    read: Callable[[], Sheet]
    game: str | None = None
    """The game to which the phase belongs."""
    ordered: bool = False
    """True if the case is a phase of a game, and has orders."""

    @property
    def name(self) -> str:
        """The name of the case in messages: its ID, or `line 12` if it has none."""
        return self.identity or f"line {self.line}"


def list_entries(data: bytes, source: str, *, default_map: Map | None = None, lenient: bool = False) -> list[Entry]:
    """List the cases in a file's content, each with a function that reads it later; raise `InputError` if there are none.

    If the content could be of several kinds, the suffix `.jsonl` means batch lines. Cases that name no map use `default_map`,
    by default the standard one. With `lenient`, unreadable orders become `Unreadable` instead of errors.
    """
    kind = detect(data)
    if kind is Kind.GZIP:
        from satjudge.files.diplomacy_package import read_all as read_packed  # most runs do without it

        data = read_packed(BytesIO(data), source)
        kind = detect(data)
    if kind in (Kind.SHEET, Kind.JSON) and source.endswith(".jsonl"):
        kind = Kind.LINES
    if len(data) > LONGEST_TEXT:
        raise SheetError(f"too long: more than {LONGEST_TEXT:,} bytes", source=source)
    if kind not in POSITIONS:
        raise SheetError(f"this is {kind}, not an order sheet", source=source, suggestion=format_hint(kind))
    if kind is Kind.SHEET:
        sheets = decode_sheets(data, source, game_map=default_map, lenient=lenient)
        return [Entry(sheet.identity, sheet.line, partial(_itself, sheet)) for sheet in sheets]
    from satjudge.files.whole_positions import positions  # most runs do without it

    if not (found := list(positions(kind, data, source, default_map, lenient))):
        raise RequestError(f"there is no position in {kind}" if data.strip() else "the file is empty", source=source)
    return found


class SeveralCasesError(RequestError):
    """The error for a file with several cases where one is needed; `known` names the first eight."""

    def __init__(self, file: str, entries: Sequence[Entry]) -> None:
        self.known = _format_entry_names(entries)
        super().__init__(f"{file} contains {len(entries)} cases", suggestion=f"choose one of {self.known}")


def find_entries(name: str, *, default_map: Map | None = None, data: bytes | None = None, lenient: bool = False) -> list[Entry]:
    """List the cases of a file (`data`, if read already), or shipped ones, such as `datc:6.F.14`; raise `InputError` if none.

    `data` is the content of the file, if you have read it already. With `lenient`, unreadable orders become `Unreadable`.
    """
    if is_case_name(name):
        return [Entry(sheet.identity, sheet.line, partial(_itself, sheet)) for sheet in read_bundled_cases(name, default_map)]
    try:
        data = read_file(Path(name)) if data is None else data
    except NotFoundError as error:
        hint = "end a text with a line break" if ": " in name else "shipped cases are named like datc:6.F.14"
        error.suggestion = error.suggestion or hint
        raise
    return list_entries(data, name, default_map=default_map, lenient=lenient)


def choose_entry(file: str, entries: Sequence[Entry], identity: str | None) -> Entry:
    """Return the case with this ID or phase name or, for None, the only case; raise `NotFoundError` or `SeveralCasesError`.

    A phase of a game can also be named as people do (`Fall 1901`).
    """
    found = [entry for entry in entries if identity in (None, entry.identity)]
    if identity is not None and not found:
        found = _find_phases(identity, entries)
    if len(found) == 1:
        return found[0]
    if not found:
        alone = len(entries) == 1 and not entries[0].identity
        hint = "its only case has no ID: leave out --case" if alone else f"there are {_format_entry_names(entries)}"
        raise NotFoundError(f"there is no case {identity} in {file}", suggestion=hint)
    if identity is not None:
        if found[0].identity != identity:
            raise NotFoundError(f"{len(found)} phases in {file} are called {identity}: {_format_entry_names(found)}")
        raise NotFoundError(f"{len(found)} cases in {file} are called {identity}", suggestion="give each an ID of its own")
    raise SeveralCasesError(file, found)


def find_latest_entry(entries: Sequence[Entry]) -> Entry | None:
    """Return the last entry with orders, or else the last one; None unless all entries are phases of the same game."""
    games = {entry.game for entry in entries}
    if len(games) != 1 or None in games:
        return None
    return next((entry for entry in reversed(entries) if entry.ordered), entries[-1])


def _find_phases(phase_name: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that a phase's name matches: `Fall 1901`, or `g/Fall 1901` for a phase of the game g."""
    from satjudge.notation.phase_names import match_phases  # most runs do without it

    game, slash, phase = phase_name.rpartition("/")
    phases = {entry.identity: entry for entry in entries if entry.game is not None and entry.identity.startswith(game + slash)}
    names = {identity[len(game + slash) :]: entry for identity, entry in phases.items()}
    return [names[name] for name in match_phases(phase, names)]


def _format_entry_names(entries: Sequence[Entry]) -> str:
    return ", ".join(entry.name for entry in entries[:8]) + ", …" * (len(entries) > 8)


def read_position(content: str | bytes | Path, case: str | None, default_map: Map | None, *, lenient: bool = False) -> Position:
    """Read a case (None: the only one) of a text, or of a named file or shipped case; `default_map` is for one without."""
    from satjudge.judging.position import read_sheet_position

    source, entries = _read_entries(content, default_map, lenient)
    try:
        return read_sheet_position(choose_entry(source, entries, case).read())
    except SeveralCasesError as error:
        error.suggestion = f'{error.suggestion}, as in Position.read(…, case="{entries[0].identity}")'
        raise


def read_positions(content: str | bytes | Path, default_map: Map | None, *, lenient: bool = False) -> list[Position]:
    """Read all cases of a text, or of a named file or shipped cases; `default_map` is for cases that name no map."""
    from satjudge.judging.position import read_sheet_position

    return [read_sheet_position(entry.read()) for entry in _read_entries(content, default_map, lenient)[1]]


def _read_entries(content: str | bytes | Path, default_map: Map | None, lenient: bool) -> tuple[str, list[Entry]]:
    """Return the name of a source for messages, and its cases; a string without line breaks names a file or shipped cases."""
    if isinstance(content, str) and "\n" in content:
        content = content.encode()
    if isinstance(content, bytes):
        return "the text", list_entries(content, "the text", default_map=default_map, lenient=lenient)
    return str(content), find_entries(str(content), default_map=default_map, lenient=lenient)


def read_input(name: str, standard_input: BinaryIO, max_bytes: int = LONGEST_TEXT) -> bytes:
    """Return the content of the file at a path, or of `standard_input` if the name is `-`.

    Raises `NotFoundError`, or `SheetError` for more than `max_bytes` bytes.
    """
    return read_all(standard_input, "standard input", max_bytes) if name == "-" else read_file(Path(name), max_bytes)


def _itself(sheet: Sheet) -> Sheet:
    return sheet
