"""Shows a map of satjudge under the package's names: places, borders, names, phases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from satjudge.base.lazy import cached_property
from satjudge.compat.missing import Drop
from satjudge.files.maps import read_map
from satjudge.world import geography
from satjudge.world.geography import Terrain, UnitKind, coast_of, province_of

SWITZERLAND, AROUND_SWITZERLAND = "SWI", ("BUR", "MAR", "MUN", "PIE", "TYR")
"""The country that no unit enters, which the package has among its places and satjudge's standard map has not."""
_TYPES = {Terrain.SEA: "WATER", Terrain.COAST: "COAST", Terrain.INLAND: "LAND"}
_SEASONS = {"S": "SPRING", "F": "FALL", "W": "WINTER"}
_KINDS = {"M": "MOVEMENT", "R": "RETREATS", "A": "ADJUSTMENTS"}
_SHORT = re.compile(r"([SFW])(\d+)([MRA])")
_YEAR = ("SPRING MOVEMENT", "SPRING RETREATS", "FALL MOVEMENT", "FALL RETREATS", "WINTER ADJUSTMENTS")
_KNOWN: dict[str, Map] = {}


class Map(Drop):
    """A map by its name or file: one object for each name, which a copy shares."""

    def __new__(cls, name: str = "standard", use_cache: bool = True) -> Map:
        """Return the map of that name. Raises `InputError` for one that is not there."""
        if name not in _KNOWN or not use_cache:
            made = super().__new__(cls)
            made._take(read_map(name), name)
            _KNOWN.setdefault(name, made)
            return made
        return _KNOWN[name]

    def _take(self, world: geography.Map, name: str) -> None:
        self.world = world
        """The map as satjudge has it."""
        self.name = self.root_map = name
        self.powers = list(world.powers)
        self.first_year = world.first_year
        self.victory = [world.victory] if world.victory else None
        self.phase = f"SPRING {world.first_year} MOVEMENT"
        self.homes = {power: sorted(world.homes(power)) for power in world.powers}
        self.centers = {power: sorted(code for code, owner in world.owners.items() if owner == power) for power in self.powers}
        self.units = {
            power: [f"{kind} {place}" for whose, kind, place in world.start if whose == power] for power in self.powers
        }
        owned = [code for codes in self.centers.values() for code in codes]
        self.scs = [*owned, *sorted(world.centers.difference(owned))]
        self.pow_name = {power: power for power in self.powers}
        self.own_word = {power: world.adjectives[power].upper() for power in self.powers} | {"UNOWNED": "UNOWNED"}
        self.unit_names = {"A": "ARMY", "F": "FLEET"}
        self.seq = ["NEWYEAR", *_YEAR]
        self.flow = ["SPRING:MOVEMENT,RETREATS", "FALL:MOVEMENT,RETREATS", "WINTER:ADJUSTMENTS"]
        self.flow_sign = 1
        self.phase_abbrev = dict(_KINDS)
        self.error: list[str] = []
        self.svg_path = None
        self.abuts_cache = _Borders(self)

    def __repr__(self) -> str:
        return f"Map({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __copy__(self) -> Map:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Map:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Map, (self.name,)

    # ---- places ----

    @cached_property
    def loc_coasts(self) -> dict[str, list[str]]:
        """The places of each province, by each of these places: `{"BUL": ["BUL/EC", "BUL/SC", "BUL"]}`."""
        found = {}
        for code, province in sorted(self.world.provinces.items()):
            coasts = [f"{code}/{coast}" for coast in province.coasts]
            for place in (*coasts, code):
                found[place] = [*coasts, code]
        return found | {place: [place] for place in self._shut}

    @cached_property
    def _shut(self) -> list[str]:
        return [SWITZERLAND] if self.world.is_standard else []

    @cached_property
    def locs(self) -> list[str]:
        """All places; a province with coasts in small letters, since no fleet stands there: `BUL/EC`, `BUL/SC`, `bul`."""
        return [place.lower() if place in self._divided else place for place in self.loc_coasts]

    @cached_property
    def _divided(self) -> frozenset[str]:
        return frozenset(code for code, province in self.world.provinces.items() if province.coasts)

    @cached_property
    def loc_type(self) -> dict[str, str]:
        """The kind of each place, `WATER`, `COAST`, `LAND` or `SHUT`, by its name in `locs` and in capitals."""
        types = {place: self.area_type(place) or "" for place in self.loc_coasts}
        return types | {place: types[place.upper()] for place in self.locs}

    @cached_property
    def loc_name(self) -> dict[str, str]:
        """The code of each place by its full name in capitals: `{"BULGARIA (EAST COAST)": "BUL/EC"}`."""
        found = {}
        for place in self.loc_coasts:
            found[self._full_name(place)] = place
        return found

    def _full_name(self, place: str) -> str:
        if place in self._shut:
            return "SWITZERLAND"
        name = self.world.provinces[province_of(place)].name.upper().replace(".", "")
        coast = {"N": "NORTH", "S": "SOUTH", "E": "EAST", "W": "WEST"}.get(coast_of(place)[:1])
        return f"{name} ({coast} COAST)" if coast else name

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The codes of places and powers by what else they are called, in capitals."""
        powers = {name.upper(): power for name, power in self.world.power_aliases.items()}
        places = {name.upper(): code for name, code in self.world.names.items() if name.upper() != code}
        return powers | places | self.loc_name

    @cached_property
    def loc_abut(self) -> dict[str, list[str]]:
        """The places next to each place of `locs`: in small letters where only an army goes."""
        return {place: self._around(place) for place in self.locs}

    def _around(self, place: str) -> list[str]:
        """List the places next to one: with their coasts, but for a province in small letters."""
        upper = place.upper()
        if upper in self._shut:
            return list(AROUND_SWITZERLAND)
        province, all_coasts = province_of(upper), self.loc_coasts[upper]
        army = self.world.army.get(province, frozenset()) if upper == province else frozenset()
        starts = all_coasts if place.islower() else [upper]
        sailed = {to for start in starts for to in self.world.fleet.get(start, ())}
        if place.islower():
            sailed = {province_of(to) for to in sailed}
        fleets = {province_of(to) for to in sailed}
        whole = {code for code in army if code not in fleets}
        if upper == province and place.isupper() and self.world.provinces[province].coasts:
            return sorted({*army, *fleets})
        by_army = [code if code in self._divided or not self._on_coast(upper, code) else code.lower() for code in whole]
        shut = self._shut if upper in AROUND_SWITZERLAND else []
        return sorted([*sailed, *by_army, *shut], key=str.upper)

    def _on_coast(self, first: str, second: str) -> bool:
        """Tell whether both provinces lie at a sea, so that a fleet might stand in either and not go to the other."""
        coasts = (self.world.provinces[province_of(place)].terrain is Terrain.COAST for place in (first, second))
        return all(coasts)

    def abut_list(self, site: str, incl_no_coast: bool = False) -> list[str]:
        """List the places next to one, in small letters where only an army goes; nothing for an unknown place.

        With `incl_no_coast` the province stands there as well where a coast of it does.
        """
        listed = self.loc_abut.get(site) or self.loc_abut.get(site.lower(), [])
        more = dict.fromkeys(place[:-3] for place in listed if place[-3:-2] == "/") if incl_no_coast else ()
        return [*listed, *(place for place in more if place not in listed)]

    def abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> int:
        """Tell, by 1 or 0, whether a unit in one place can move to another (`-`), or support or convoy there (`S`, `C`)."""
        return self.abuts_cache[unit_type, unit_loc, order_type, other_loc]

    def area_type(self, loc: str) -> str | None:
        """Return the kind of a place, `WATER`, `COAST`, `LAND` or `SHUT`; None for an unknown one."""
        if loc.upper() in self._shut:
            return "SHUT"
        province = self.world.provinces.get(province_of(loc.upper()))
        return None if province is None or loc.upper() not in self.loc_coasts else _TYPES[province.terrain]

    def find_coasts(self, loc: str) -> list[str]:
        """List the places of a province, of which one is given; nothing for an unknown one."""
        return list(self.loc_coasts.get(loc.upper(), ()))

    def is_valid_unit(self, unit: str, no_coast_ok: int = 0, shut_ok: int = 0) -> bool:
        """Tell whether a unit may stand where it is written, `"F SPA/SC"`; `"F SPA"` only with `no_coast_ok`."""
        kind, _, place = unit.partition(" ")
        if kind not in ("A", "F") or place not in self.loc_coasts:
            return False
        if place in self._shut:
            return bool(shut_ok)
        places = self.loc_coasts[place] if no_coast_ok and kind == "F" else [place]
        return any(self.world.problem_with(UnitKind(kind), one) is None for one in places)

    # ---- words ----

    def norm(self, phrase: str) -> str:
        """Write a phrase in capitals with single spaces and the codes of places, without `-` and full stops."""
        text = re.sub(r"\(\s*(/?[NSEW]C)\s*\)", r" \1 ", phrase.upper())
        text = re.sub(r"[.:,+]|->|-|=>|\bTHE\b", " ", text)
        words = re.sub(r" ?/ ?", "/", " ".join(text.split()))
        for name in self._longest_first:
            if name in words:
                words = re.sub(rf"(?<![\w/]){re.escape(name)}(?![\w/])", self._codes[name], words)
        return words

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        kinds = {
            "ARMY": "A",
            "FLEET": "F",
            "SUPPORTS": "S",
            "SUPPORT": "S",
            "CONVOYS": "C",
            "CONVOY": "C",
            "HOLDS": "H",
            "HOLD": "H",
        }
        places = {re.sub(r"[-.()]", " ", name).strip(): code for name, code in self.aliases.items()}
        return {name: code for name, code in (places | kinds).items() if name and name != code}

    @cached_property
    def _longest_first(self) -> list[str]:
        return sorted(self._codes, key=len, reverse=True)

    def norm_power(self, power: str) -> str:
        """Write the name of a power in capitals without spaces."""
        return power.upper().replace(" ", "")

    # ---- phases ----

    @staticmethod
    def phase_abbr(phase: str, default: str = "?????") -> str:
        """Write a phase short: `"S1901M"` for `"SPRING 1901 MOVEMENT"`; `COMPLETED` and `FORMING` stay."""
        if phase in ("COMPLETED", "FORMING"):
            return phase
        words = phase.split()
        return f"{words[0][0]}{words[1]}{words[2][0]}" if len(words) == 3 else default

    def phase_long(self, phase_abbr: str, default: str = "?????") -> str:
        """Write a phase at length: `"SPRING 1901 MOVEMENT"` for `"S1901M"`."""
        match = _SHORT.fullmatch(phase_abbr)
        return f"{_SEASONS[match[1]]} {match[2]} {_KINDS[match[3]]}" if match else default

    def find_next_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Find the phase after one, the next of a kind, or the one after so many of these."""
        return self._phase_beside(phase, 1, phase_type, skip)

    def find_previous_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Find the phase before one, the last of a kind, or the one before so many of these."""
        return self._phase_beside(phase, -1, phase_type, skip)

    def _phase_beside(self, phase: str, step: int, wanted: str | None, skip: int) -> str:
        season, year, kind = phase.split()
        number = int(year) * len(_YEAR) + _YEAR.index(f"{season} {kind}")
        for _ in range(len(_YEAR) * (skip + 2)):
            number += step
            season, kind = _YEAR[number % len(_YEAR)].split()
            if wanted in (None, kind[0]):
                if not skip:
                    return f"{season} {number // len(_YEAR)} {kind}"
                skip -= 1
        return ""

    def compare_phases(self, phase1: str, phase2: str) -> int:
        """Tell, by 1, -1 or 0, whether the first of two short names is that of the later phase."""
        first, second = self._place_in_time(phase1), self._place_in_time(phase2)
        return (first > second) - (first < second)

    def _place_in_time(self, phase: str) -> tuple[int, int]:
        match = _SHORT.fullmatch(phase)
        if match is None:
            return (10**9 if phase == "COMPLETED" else -1, 0)
        return int(match[2]), _YEAR.index(f"{_SEASONS[match[1]]} {_KINDS[match[3]]}")


class _Borders(dict[tuple[str, str, str, str], int]):
    """The answers of `Map.abuts`, each worked out once."""

    def __init__(self, of: Map) -> None:
        super().__init__()
        self.of = of

    def __missing__(self, key: tuple[str, str, str, str]) -> int:
        kind, place, order, other = key
        start, end = place.upper(), other.upper()
        coasts = self.of.loc_coasts
        if kind not in ("A", "F") or start not in coasts or end not in coasts:
            return 0
        world = self.of.world
        if world.problem_with(UnitKind(kind), start) is not None:
            return 0
        exits = world.exits(UnitKind(kind), start)
        if order == "S":  # into a province, whatever its coast
            found = int(bool(exits.intersection(coasts[end])))
        else:
            found = int(end in exits or (order == "C" and kind == "A" and end in self._waters(start)))
        self[key] = found
        return found

    def _waters(self, province: str) -> set[str]:
        """List the seas next to a province, from which an army there may be convoyed."""
        world = self.of.world
        sailed = {place for coast in self.of.loc_coasts[province] for place in world.fleet.get(coast, ())}
        return sailed & world.seas
