"""Reads variants of diplicity: JSON that follows version 1 of its schema (service/variant.schema.yaml).

The variants in diplicity's own repository are older files without borders. godip's Go files contain the borders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from satjudge.base.errors import MapError, locate_errors
from satjudge.base.resources import read_file
from satjudge.files.maps.place_names import assign_coast_codes
from satjudge.world.map_tables import Tables

NATIONS = b'"nations"'
"""A key that occurs in the JSON of every variant."""
_LONGEST = 5_000_000
"""The maximum size of a file, in bytes."""
_NO_BORDERS = "a variant of diplicity without a schemaVersion contains no borders"
_BUILDS_ANYWHERE, _REBUILDS = "allow-builds-in-non-home-centers", "neutral-nations-auto-build"
_MODIFIERS = (_BUILDS_ANYWHERE, _REBUILDS)
_KINDS = {"land": "inland", "sea": "sea", "coastal": "coast"}
_UNITS = {"Army": "A", "Fleet": "F"}
_MOVES, _RETREATS, _BUILDS = "Movement", "Retreat", "Adjustment"


class _SchemaPart(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A part of the schema, in which unknown keys are refused."""


class _Nation(_SchemaPart):
    id: str
    name: str
    color: str
    non_playable: bool = msgspec.field(name="non_playable", default=False)


class _Adjacency(_SchemaPart):
    to: str
    who: Literal["army", "fleet", "both"] = msgspec.field(name="pass")


class _Province(_SchemaPart):
    id: str
    name: str
    type: Literal["land", "sea", "coastal"]
    supply_center: bool
    adjacencies: list[_Adjacency]
    home_nation: str | None = None


class _Coast(_SchemaPart):
    id: str
    name: str
    parent_province: str
    adjacencies: list[_Adjacency]


class _Condition(_SchemaPart):
    year_mod: int
    year_mod_value: int


class _Phase(_SchemaPart):
    season: str
    type: str
    year_delta: int = 0
    year: int = 0

    @property
    def name(self) -> tuple[str, str]:
        return self.season, self.type


class _Transition(_SchemaPart):
    start: _Phase = msgspec.field(name="from")
    to: _Phase
    condition: _Condition | None = None


class _Progression(_SchemaPart):
    seasons: list[str]
    transitions: list[_Transition]


class _Victory(_SchemaPart):
    type: str
    supply_centers: int = 0
    year: int = 0
    resolution: str = ""
    provinces: list[str] = []


class _Unit(_SchemaPart):
    nation: str
    type: Literal["Army", "Fleet"]
    location: str


class _CenterEntry(_SchemaPart):
    nation: str
    province: str


class _Start(_SchemaPart):
    phase: _Phase
    units: list[_Unit]
    supply_centers: list[_CenterEntry]


class _Dominance(msgspec.Struct):
    province: str


class _Variant(_SchemaPart):
    schema_version: Literal[1]
    id: str
    name: str
    description: str
    author: str
    victory_conditions: list[_Victory]
    phase_progression: _Progression
    nations: list[_Nation]
    provinces: list[_Province]
    named_coasts: list[_Coast]
    initial_state: _Start
    rules: str = ""
    adjudication_modifiers: list[str] = []
    dominance_rules: list[_Dominance] = []


def read(path: Path) -> Tables:
    """Read a variant's JSON file into the tables of a map, or raise `MapError` for rules that satjudge cannot play."""
    with locate_errors(str(path)):
        try:
            stated = msgspec.json.decode(read_file(path, _LONGEST))
            if isinstance(stated, dict) and "schemaVersion" not in stated:
                raise MapError(_NO_BORDERS, suggestion="use the Go file of godip")
            return _Reader(msgspec.convert(stated, _Variant)).tables()
        except msgspec.MsgspecError as error:
            raise MapError(str(error), suggestion="diplicity's variant.schema.yaml shows what is allowed there") from None


class _Reader:
    """A reader of one variant."""

    def __init__(self, stated: _Variant) -> None:
        self.stated = stated
        if unknown := [one for one in stated.adjudication_modifiers if one not in _MODIFIERS]:
            raise MapError(f"adjudicationModifiers: {unknown[0]}: satjudge has no such rule")
        self.powers = {nation.id: _format_code(nation.id, "-") for nation in stated.nations}
        self.codes = {province.id: _format_code(province.id) for province in stated.provinces}
        if len(set(self.codes.values())) < len(stated.provinces):
            raise MapError("two provinces have the same letters in their ids")
        coasts: dict[str, list[_Coast]] = {}
        for coast in stated.named_coasts:
            coasts.setdefault(coast.parent_province, []).append(coast)
        self.coasts = coasts
        self.places = dict(self.codes)
        for parent, several in coasts.items():
            names = assign_coast_codes([coast.id.rpartition("/")[2] for coast in several])
            for coast in several:
                self.places[coast.id] = f"{self._province_code(parent)}/{names[coast.id.rpartition('/')[2]].upper()}"

    def _province_code(self, identity: str) -> str:
        if identity not in self.codes:
            raise MapError(f"there is no province {identity!r:.60}")
        return self.codes[identity]

    def _place(self, identity: str) -> str:
        if identity not in self.places:
            raise MapError(f"there is no province or coast {identity!r:.60}")
        return self.places[identity]

    def _power(self, identity: str) -> str:
        if identity not in self.powers:
            raise MapError(f"there is no nation {identity!r:.60}")
        return self.powers[identity]

    def tables(self) -> Tables:
        """Return the map as the tables of a TOML map file: provinces, borders, powers and rules."""
        stated, rules = self.stated, {**self._read_year_numbering(), **self._winning(), **self._neutral()}
        if _BUILDS_ANYWHERE in stated.adjudication_modifiers:
            rules["builds_anywhere"] = True
        provinces = {self.codes[one.id]: self._province(one) for one in stated.provinces}
        for one in stated.dominance_rules:
            if provinces[self._province_code(one.province)].get("center"):  # for other provinces, it only sets a colour
                raise MapError(f"dominanceRules: {one.province}: satjudge does not support this rule")
        self._write_start(provinces)
        return {
            "name": re.sub(r"\W+", "-", stated.id).strip("-"),
            "title": stated.name,
            "powers": list(self.powers.values()),
            **rules,
            "power": {
                self.powers[one.id]: {"name": one.name, "adjective": one.name, "color": one.color.casefold()}
                for one in stated.nations
            },
            "province": provinces,
        }

    # ------------------------------------------------------------ the rules

    def _read_year_numbering(self) -> dict[str, Any]:
        """Return a map's keys `first_year` and, if needed, `years`; raise `MapError` for phases that satjudge lacks."""
        ways = self.stated.phase_progression.transitions
        begin = self.stated.initial_state.phase
        first, later = begin.year, _count_phase_years(ways, begin)
        if later is None:
            raise MapError("phaseProgression: satjudge supports only moves and retreats twice a year, then builds")
        before, fall, step = later
        first += before
        plain = (fall, step) == (0, 1) and first > 0
        return {"first_year": first} if plain else {"first_year": 1, "years": {"first": first, "step": step, "fall": fall}}

    def _winning(self) -> dict[str, Any]:
        rules: dict[str, Any] = {}
        for one in self.stated.victory_conditions:
            if one.type == "supply-center-majority":
                rules["victory"] = one.supply_centers
            elif one.type == "timed-resolution" and one.resolution in ("most-supply-centers", "shared-draw"):
                rules["last_year"] = {"year": one.year, "draw": one.resolution == "shared-draw"}
            else:
                raise MapError(f"victoryConditions: satjudge does not support the condition {one.type}")
        return rules

    def _neutral(self) -> dict[str, Any]:
        nobody = [nation.id for nation in self.stated.nations if nation.non_playable]
        if len(nobody) > 1:
            raise MapError(f"nations: neither {nobody[0]} nor {nobody[1]} is played, but satjudge supports only one such power")
        rebuilds = {"rebuilds": True} if _REBUILDS in self.stated.adjudication_modifiers else {}
        return {"neutral": {"power": self.powers[nobody[0]], **rebuilds}} if nobody else {}

    # ------------------------------------------------------------ the board

    def _province(self, province: _Province) -> dict[str, Any]:
        coasts = self.coasts.get(province.id, [])
        found: dict[str, Any] = {"name": province.name, "kind": "coast" if coasts else _KINDS[province.type]}
        if province.supply_center:
            found["center"] = True
        if province.home_nation:
            found["home"] = self._power(province.home_nation)
        if found["kind"] != "sea":
            found["army"] = sorted({self._place(to) for to in _exits(province.adjacencies, "army")})
        if coasts:
            exits = {self.places[coast.id].partition("/")[2]: self._list_fleet_exits(coast.adjacencies) for coast in coasts}
            found["coasts"] = {coast.lower(): places for coast, places in exits.items()}
        elif found["kind"] != "inland":
            found["fleet"] = self._list_fleet_exits(province.adjacencies)
        return found

    def _list_fleet_exits(self, adjacencies: Sequence[_Adjacency]) -> list[str]:
        """List the locations to which these adjacencies let fleets move; for a province with coasts, only its coasts."""
        return sorted({self._place(to) for to in _exits(adjacencies, "fleet") if to not in self.coasts})

    def _write_start(self, provinces: dict[str, dict[str, Any]]) -> None:
        """Add the owners of supply centres and the starting units to the provinces' tables."""
        owned = {self._province_code(one.province): self._power(one.nation) for one in self.stated.initial_state.supply_centers}
        for code, province in provinces.items():
            if owned.get(code) != province.get("home"):
                province["owner"] = owned.get(code, "")
        for unit in self.stated.initial_state.units:
            code, _, coast = self._place(unit.location).partition("/")
            power, province = self._power(unit.nation), provinces[code]
            province["unit"] = _UNITS[unit.type]
            province |= {"unit_coast": coast.lower()} if coast else {}
            province |= {"unit_power": power} if province.get("home") != power else {}


def _format_code(identity: str, separator: str = "") -> str:
    """Write an id in capitals, with `separator` in place of other characters: `north-atlantic` as `NORTHATLANTIC` for ""."""
    return re.sub(r"[^a-z0-9]+", separator, identity.casefold()).strip("-").upper()


def _exits(adjacencies: Sequence[_Adjacency], who: str) -> Iterator[str]:
    return (one.to for one in adjacencies if one.who in (who, "both"))


def _count_phase_years(transitions: Sequence[_Transition], first_phase: _Phase) -> tuple[int, int, int] | None:
    """Return the years from the start to the first moves, and from these to the second moves and to the next cycle; or None.

    Returns None unless the cycle is moves, retreats, moves, retreats and builds, in any seasons.
    """
    kinds, years, phase, year = list[str](), list[int](), first_phase.name, first_phase.year
    for _ in range(7 if first_phase.type == _BUILDS else 6):
        kinds.append(phase[1])
        years.append(year - first_phase.year)
        going = [way for way in transitions if way.start.name == phase and _holds(way.condition, year)]
        going = [way for way in going if way.condition] or going
        if len(going) != 1:
            return None
        phase, year = going[0].to.name, year + going[0].to.year_delta
    if first_phase.type == _BUILDS:
        kinds, years = kinds[1:], years[1:]
    if kinds != [_MOVES, _RETREATS, _MOVES, _RETREATS, _BUILDS, _MOVES] or years[5] <= years[0]:
        return None
    return years[0], years[2] - years[0], years[5] - years[0]


def _holds(condition: _Condition | None, year: int) -> bool:
    return condition is None or year % max(1, condition.year_mod) == condition.year_mod_value
