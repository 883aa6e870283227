"""Translates boards and rulebooks between the page and satjudge: plain data, read as strictly as a stranger's file."""

from __future__ import annotations

import msgspec

from satjudge.base.errors import InputError, RequestError
from satjudge.base.replacing import replace
from satjudge.explain.documents import OfPower, retreats_of
from satjudge.files.batch_lines import Request, RequestReader
from satjudge.files.saved_games import centers_by_power, phase_of
from satjudge.world.board import Board, Phase, Season, Turn, by_power
from satjudge.world.geography import Map, load_map, shipped_maps
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset


class WirePosition(msgspec.Struct, forbid_unknown_fields=True):
    """A board of a game as the page has it: everything that the next phase depends on."""

    units: OfPower
    map: str = "standard"
    phase: str = "S1901M"
    centers: OfPower = {}
    dislodged: dict[str, OfPower] = {}
    """The dislodged units of each power with the places that they may retreat to."""
    attackers: dict[str, str] = {}
    """The provinces that the attackers of dislodged units came from, by the province of the unit."""

    def board(self) -> Board:
        """Make the board of a position.

        Raises `InputError`.
        """
        phase, turn = phase_of(self.phase)
        if turn is None or turn.name_of(phase) != self.phase:
            raise RequestError(f"{self.phase!r:.20} is no phase", suggestion="phases are called S1901M, F1901R, W1901A")
        request = Request(self.units, phase=phase.value, dislodged=self.dislodged, centers=self.centers)
        board = RequestReader(request, page_map(self.map), of_a_game=True).board()
        origins = self.attackers.get
        dislodged = tuple(replace(lost, attacker_origin=origins(lost.unit.province)) for lost in board.dislodged)
        return replace(board, dislodged=dislodged, turn=turn).ensure_possible()


def position_of(board: Board) -> WirePosition:
    """Write a board as the page has it; one that has no time is taken to be in the first Spring."""
    turn = board.turn or Turn(board.map.first_year, Season.FALL if board.phase is Phase.ADJUSTMENT else Season.SPRING)
    return WirePosition(
        by_power(board.units),
        board.map.name,
        turn.name_of(board.phase),
        centers_by_power(board.centers),
        retreats_of(board.dislodged),
        {lost.unit.province: lost.attacker_origin for lost in board.dislodged if lost.attacker_origin},
    )


_opened: dict[str, Map] = {}
"""Maps that come not with satjudge, by their names: all that is kept between two questions."""
MOST_OPENED = 32


def open_map(game_map: Map) -> None:
    """Let the page play on a map that is opened, until satjudge ends.

    Raises `RequestError` where another map has its name.
    """
    name = game_map.name
    known = page_map(name) if name in page_maps() else None
    if known is not None and known.fingerprint != game_map.fingerprint:
        way_out = 'write another name = "…" into its file' if name in shipped_maps() else "give it another name, or begin anew"
        raise RequestError(f"there is another map called {name}", suggestion=way_out)
    if known is None:
        if len(_opened) >= MOST_OPENED:
            raise RequestError(f"as many maps are open as may be, {MOST_OPENED}", suggestion="begin anew")
        _opened[name] = game_map


def page_maps() -> tuple[str, ...]:
    """List the names of the maps that the page plays on: those that come with satjudge, and those that were opened."""
    return (*shipped_maps(), *_opened)


def page_map(name: str) -> Map:
    """Return a map that the page plays on; no file is read by its name.

    Raises `RequestError`.
    """
    if name in _opened:
        return _opened[name]
    if name not in shipped_maps():
        there = f"there are {', '.join(page_maps())}; a map of one's own is opened by its file first"
        raise RequestError(f"there is no map {name!r:.40}", suggestion=there)
    return load_map(name)


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook: the name of a preset, and the issues that are settled otherwise (`4.A.2=szykman`)."""

    name: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()

    def rulebook(self) -> Rulebook:
        """Load the rulebook.

        Raises `RulebookError`.
        """
        return load_preset(self.name).with_settings(self.settings)


class Fault(msgspec.Struct):
    """A message to the page about what cannot be read or cannot be: where it stands, and the way out."""

    message: str
    line: int | None = None
    column: int | None = None
    suggestion: str | None = None


def fault_of(error: InputError) -> Fault:
    """Turn an error into a message to the page."""
    return Fault(error.message, error.line, error.column, error.suggestion)
