"""Translates boards and rulebooks between the page and satjudge: plain data, read as strictly as a stranger's file."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from satjudge.base.errors import InputError, RequestError
from satjudge.explain.documents.positions import OfPower, retreats_of
from satjudge.files.batch_lines import placed
from satjudge.files.saved_games import centers_by_power
from satjudge.notation.parse import parse_location, parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, by_power
from satjudge.world.geography import Map, Power, ProvinceCode, load_map, province_of, shipped_maps
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset

_PHASE = re.compile(r"([SFW])(\d{1,5})([MRA])")
_SEASONS = {"S": Season.SPRING, "F": Season.FALL, "W": Season.FALL}
_PHASES = {"M": Phase.MOVEMENT, "R": Phase.RETREAT, "A": Phase.ADJUSTMENT}


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
        turn, phase = turn_and_phase(self.phase)
        game_map = shipped_map(self.map)
        units = tuple(
            placed(parse_unit, text, f"units of {power}", power, game_map) for power, of in self.units.items() for text in of
        )
        dislodged = tuple(
            DislodgedUnit(
                unit := placed(parse_unit, text, f"dislodged units of {power}", power, game_map),
                tuple(placed(parse_location, place, f"retreats of {text}", game_map) for place in places),
                self.attackers.get(unit.province),
            )
            for power, of in self.dislodged.items()
            for text, places in of.items()
        )
        return Board(units, dislodged, self._owners(game_map), phase, game_map, turn).checked()

    def _owners(self, game_map: Map) -> dict[ProvinceCode, Power]:
        owners: dict[ProvinceCode, Power] = {}
        for power, listed in self.centers.items():
            for text in listed:
                province = province_of(placed(parse_location, text, f"centers of {power}", game_map))
                if owners.setdefault(province, power) != power:
                    raise RequestError(f"{province} is a centre of both {owners[province]} and {power}")
        return owners


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


def turn_and_phase(name: str) -> tuple[Turn, Phase]:
    """Read the turn and the phase of a name that saved games have, `F1901R`.

    Raises `RequestError`.
    """
    found = _PHASE.fullmatch(name)
    if found is None or (found[1] == "W") is not (found[3] == "A"):
        raise RequestError(f"{name!r:.20} is no phase", suggestion="phases are called S1901M, F1901R, W1901A")
    return Turn(int(found[2]), _SEASONS[found[1]]), _PHASES[found[3]]


@lru_cache(maxsize=16)
def shipped_map(name: str) -> Map:
    """Load a map that comes with satjudge: the page opens no other file.

    Raises `RequestError`.
    """
    if name not in shipped_maps():
        raise RequestError(f"there is no map {name!r:.40}", suggestion=f"there are {', '.join(shipped_maps())}")
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
