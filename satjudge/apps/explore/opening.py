"""Turns cases of order sheets, and games phase by phase, into the phases that the page begins with."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from satjudge.apps.explore.sheets import sheet_of
from satjudge.apps.explore.wire import Rules, WirePosition, open_map, page_map, page_maps, position_of
from satjudge.base.errors import NotFoundError
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import position_in
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, starting_board
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook, nearest_preset


class Opened(msgspec.Struct):
    """A phase to open: behind the one before it in the list, or as the first of a game."""

    position: WirePosition
    sheet: str
    rules: Rules
    title: str
    follows: bool
    about: str = ""
    """The sources, notes and errata of a case, a line for each."""


def open_phases(cases: Iterable[tuple[Sheet, Rulebook]]) -> list[Opened]:
    """Turn the phases of a game, or a case with its retreats, into phases to open.

    Raises `InputError` for what the page cannot show.
    """
    found: list[Opened] = []
    for sheet, rulebook in cases:
        position = position_in(sheet)
        rules = Rules(*nearest_preset(rulebook))
        found.append(
            Opened(
                _position(position.board), sheet_of(position.orders), rules, sheet.heading, bool(found), _format_notes(sheet)
            )
        )
        if not sheet.has_retreats:
            continue
        outcome = position.judge(rulebook)
        if isinstance(outcome, Outcome):
            retreats = sheet_of(sheet.retreats_by_power())
            found.append(Opened(_position(outcome.retreat_board), retreats, rules, sheet.heading, True))
    return found


def phases_on_any_map(cases: Iterable[tuple[Sheet, Rulebook]]) -> list[Opened]:
    """Turn cases into phases to open as `phases_opened` does, and let the page play on their maps.

    Raises `InputError`.
    """
    listed = list(cases)
    for sheet, _ in listed:
        open_map(sheet.board.map)
    return open_phases(listed)


def opening(game_map: Map, rulebook: Rulebook) -> Opened:
    """Make the opening position of a map a phase to open.

    Raises `InputError` for a map that the page cannot show.
    """
    return Opened(_position(starting_board(game_map)), "", Rules(*nearest_preset(rulebook)), "", False)


def _position(board: Board) -> WirePosition:
    name = board.map.name
    if name not in page_maps() or board.map.fingerprint != page_map(name).fingerprint:
        known = ", ".join(page_maps())
        raise NotFoundError(f"a site begins on a map that comes with satjudge: {name} is none", suggestion=f"there are {known}")
    return position_of(board)


def _format_notes(sheet: Sheet) -> str:
    """Write a line for each source, note and erratum of a case."""
    return "\n".join(f"{key}: {text}" for key, texts in sheet.notes.items() for text in texts)
