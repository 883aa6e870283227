"""Defines the map: provinces, their coasts, and adjacency for armies and for fleets.

A *province* has a code (`"SPA"`). A *location* is where a unit can be: a province or, for a fleet in a province with several
coasts, one of the coasts (`"SPA/SC"`). Both are plain strings; `Map` has all facts about them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from msgspec import Struct, json

from satjudge.base.errors import MapError, NotFoundError
from satjudge.base.resources import data_directory, data_file, read_toml
from satjudge.base.values import Displayable, brief, replace
from satjudge.world.map_tables import Tables, complete

Power: TypeAlias = str
"""The name of a great power in capitals, `"FRANCE"`."""
ProvinceCode: TypeAlias = str
"""The code of a province, `"SPA"`."""
Location: TypeAlias = str
"""The code of a province or of one of its coasts, `"PAR"`, `"SPA/SC"`."""


_CACHED_LOCATIONS = 4096


class Terrain(StrEnum):
    """The terrain of a province: armies can be on the first two kinds, fleets on the last two."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"


class UnitKind(StrEnum):
    """A kind of unit: army or fleet."""

    ARMY = "A"
    FLEET = "F"

    def __repr__(self) -> str:
        return f"UnitKind.{self.name}"


@lru_cache(maxsize=_CACHED_LOCATIONS)
def province_of(location: Location) -> ProvinceCode:
    """Return the code of a location's province: `"SPA"` for `"SPA/SC"`."""
    return location.partition("/")[0]


@lru_cache(maxsize=_CACHED_LOCATIONS)
def coast_of(location: Location) -> str:
    """Return the coast of a location, or "" if it names none: `"SC"` for `"SPA/SC"`."""
    return location.partition("/")[2]


_LIKE_LETTERS = str.maketrans("İıſ", "iis")
"""Turkish keyboards have two letters I, and old print has two letters s."""


def fold(text: str) -> str:
    """Return a text in lower case and of the same length, as each character is converted by itself.

    Use it on texts before you look them up or match them: `str.casefold`, `str.lower` and `re.IGNORECASE` disagree.
    """
    return text.lower() if text.isascii() else text.translate(_LIKE_LETTERS).lower()


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """Return a name in the form for look-up: lower case, with single blanks for full stops, hyphens, underscores and spaces."""
    return fold(re.sub(r"[\s._-]+", " ", name).strip())


class Province(Struct, frozen=True):
    """One province of the map, as the map's file states it."""

    code: ProvinceCode
    name: str
    terrain: Terrain
    coasts: tuple[str, ...] = ()
    center: bool = False
    home: Power | None = None
    country: Power | None = None
    aliases: tuple[str, ...] = ()
    convoys: bool = False
    """True if a fleet in it may convoy: in every sea, and on coasts for which the map says so (DATC 2.4, 9)."""
    not_counted: tuple[Power, ...] = ()
    """The powers for which its supply centre does not count: China for Hong Kong (DATC 2.4, 7.A)."""

    __repr__ = brief

    @property
    def locations(self) -> tuple[Location, ...]:
        """The locations that fleets can have in the province: its coasts if it has any, else the province itself."""
        return tuple(f"{self.code}/{coast}" for coast in self.coasts) or (self.code,)

    @property
    def default_location(self) -> Location:
        """The default coast if the rules have one for orders that name none: south if possible (DATC 2.4, 4.B.1 b)."""
        return f"{self.code}/SC" if "SC" in self.coasts else self.locations[0]


class Railroad(Struct, frozen=True):
    """A line on which one power's armies may move through several provinces in a turn (DATC 2.4, 7.B)."""

    name: str
    """The name of the railroad in orders, `"TSR"`."""
    power: Power
    line: tuple[ProvinceCode, ...]
    """The provinces along the railroad, from one end to the other."""

    def way(self, origin: ProvinceCode, destination: ProvinceCode) -> tuple[ProvinceCode, ...]:
        """Return the provinces along the railroad from `origin`, which is left out, to `destination`, in order.

        Both must be on the line.
        """
        start, end = self.line.index(origin), self.line.index(destination)
        return self.line[start + 1 : end + 1] if start < end else self.line[end:start][::-1]


class Canal(Struct, frozen=True):
    """A passage for fleets between two seas, which the power with a unit in the province `keeper` permits (DATC 2.4, 7.C)."""

    name: str
    """The first word of a permission, such as `"SC"`."""
    keeper: ProvinceCode
    seas: tuple[Location, Location]


def format_year(year: int) -> str:
    """Return a year as text: `1901`, or `480 BC` for -480."""
    return str(year) if year >= 0 else f"{-year} BC"


class Neutral(Struct, frozen=True):
    """A power without a player: its units hold, never retreat, and are neither built nor removed (vDiplomacy's Africa)."""

    power: Power
    supports: Mapping[ProvinceCode, ProvinceCode] = {}
    """For each neutral unit that supports another one's hold, the provinces of both (vDiplomacy's Viking)."""
    rebuilds: bool = False
    """True if the power gets an army in each of its empty centres before Spring (vDiplomacy's KnownWorld 901)."""


class Years(Struct, frozen=True):
    """A map's own calendar."""

    first: int
    """The year of the first Spring; -480 is 480 BC."""
    step: int = 1
    """The number of years from one Spring to the next."""
    fall: int = 0
    """The number of years from Spring to Fall."""


class Lead(Struct, frozen=True):
    """The lead in centres over every other power that wins a game, which gets smaller each year (godip's TwentyTwenty)."""

    first: int
    """The lead that wins in the first year."""
    less_each_year: int = 0

    def compute_lead(self, years: int) -> int:
        """Return the lead in centres that wins `years` years after the first year; at least 1."""
        return max(1, self.first - years * self.less_each_year)


class LastYear(Struct, frozen=True):
    """The last year of a game, which ends after that year's Fall (diplicity's *timed-resolution*)."""

    year: int
    """The year in the map's own calendar; -480 is 480 BC."""
    draw: bool = False
    """True if all survivors share the win; otherwise, those with the most centres win."""


Point: TypeAlias = tuple[float, float]
"""A point of a picture: x to the right, y down."""


class MapGeometry(Struct, frozen=True):
    """The geometry of a map's picture, on a sheet that begins at `origin` and is `size` wide and high."""

    size: Point
    units: Mapping[Location, Point]
    dislodged: Mapping[Location, Point]
    centers: Mapping[ProvinceCode, Point]
    labels: Mapping[ProvinceCode, Point]
    origin: Point = (0, 0)
    outlines: Mapping[ProvinceCode, tuple[tuple[Point, ...], ...]] = {}
    """The closed lines around the area of each province."""

    __repr__ = brief


_NOWHERE: frozenset[Location] = frozenset()


_LATER_RULES = frozenset({
    "alternatives", "builds_in_any_home", "builds_need_home", "builders", "first_builds", "half_strength", "last_year",
    "neutral", "no_retreats", "partisans", "power_needs", "transforms", "victories", "victory_lead", "victory_needs", "years",
})  # fmt: skip
"""Rules that were added later: a map without them keeps its earlier fingerprint."""


@dataclass(frozen=True, eq=False)
class Map(Displayable):
    """A map to play on.

    Two maps are equal only if they are the same object; `load_map` returns one object per name. So copying a map, or pickling
    and unpickling it, gives the map itself; in another process, all unpickled copies of a map are one object.
    """

    name: str
    title: str
    powers: tuple[Power, ...]
    power_names: Mapping[Power, str]
    adjectives: Mapping[Power, str]
    provinces: Mapping[ProvinceCode, Province]
    army: Mapping[ProvinceCode, frozenset[ProvinceCode]]
    """For each province, the provinces to which an army may move by land; none from an island."""
    fleet: Mapping[Location, frozenset[Location]]
    """For each location, the locations to which a fleet may move; perhaps none."""
    start: tuple[tuple[Power, UnitKind, Location], ...]
    power_aliases: Mapping[str, Power] = field(default_factory=dict)
    first_year: int = 1901
    """The year of the Spring in which a game begins."""
    foreign_names: Mapping[str, Mapping[ProvinceCode, str]] = field(default_factory=dict)
    """The names of the provinces on boards in other languages, by language (DATC 4.D.8)."""
    spellings: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """Other names for provinces that people use, by language; those for powers are under `powers`."""
    abbreviations: Mapping[str, Mapping[ProvinceCode, Sequence[str]]] = field(default_factory=dict)
    """Abbreviations of provinces on boards in other languages, by language."""
    owners: Mapping[ProvinceCode, Power] = field(default_factory=dict)
    """The owner of each supply centre when a game begins."""
    victory: int | None = None
    """The number of supply centres that wins a game; None for more than half of them."""
    builds_anywhere: bool = False
    """True if every owned centre counts as a home centre (DATC 2.4, 11)."""
    builds_in_any_home: bool = False
    """True if a power may build in every home centre that it owns, its own or another power's."""
    builds_need_home: bool = False
    """True if a power cannot build while it owns none of its homes (DPjudge's REMOTE_BUILDS)."""
    first_builds: int | None = None
    """The number of units that each power builds before the first Spring in homes of its choice; homes left empty become
    unowned (DPjudge's MOBILIZE). None if there are no such builds."""
    partisans: Mapping[Power, ProvinceCode] = field(default_factory=dict)
    """The province in which a power that owns some but not all of its homes may build an army, one unit more than it has
    centres (Siberia in *1900*)."""
    builders: Mapping[ProvinceCode, tuple[Power, ...]] = field(default_factory=dict)
    """The powers that may build in a centre, if they own it, as in a home (vDiplomacy's Haven and Chesspolitik)."""
    alternatives: Mapping[ProvinceCode, tuple[Power, ...]] = field(default_factory=dict)
    """The powers that may build in a province in place of one of their homes: a centre that they own, or no centre
    (California for the United States in *Zeus*)."""
    neutral: Neutral | None = None
    """The power that nobody plays."""
    no_retreats: bool = False
    """True if all dislodged units are disbanded (vDiplomacy's Chesspolitik)."""
    transforms: bool = False
    """True if a unit in a coastal centre may become the other kind of unit in place of moving (vDiplomacy's Duo)."""
    victories: Mapping[Power, int] = field(default_factory=dict)
    """The numbers of centres with which particular powers win (vDiplomacy's USofA)."""
    victory_needs: tuple[ProvinceCode, ...] = ()
    """The centres that a winner must own (vDiplomacy's WhoControlsAmerica)."""
    power_needs: Mapping[Power, tuple[tuple[ProvinceCode, ...], ...]] = field(default_factory=dict)
    """For each power, groups of centres: it must own one of each group to win (vDiplomacy's TenSixtySix)."""
    victory_lead: Lead | None = None
    """The lead in centres that wins, regardless of their number."""
    last_year: LastYear | None = None
    """The year after which the game is over."""
    years: Years | None = None
    """The map's own calendar; None if it uses the years of the game."""
    difficult: Mapping[ProvinceCode, frozenset[ProvinceCode]] = field(default_factory=dict)
    """The land borders that armies cross with one support less, and that no support crosses (DATC 2.4, 10)."""
    half_strength: Mapping[ProvinceCode, frozenset[ProvinceCode]] = field(default_factory=dict)
    """The borders that units cross at half strength, and that no support crosses (vDiplomacy's *1900*)."""
    closed: Mapping[str, frozenset[ProvinceCode]] = field(default_factory=dict)
    """The provinces that are closed in a season: `{"fall": {"ARC"}}` (DATC 2.4, 8)."""
    railroads: tuple[Railroad, ...] = ()
    canals: tuple[Canal, ...] = ()
    colours: Mapping[Power, str] = field(default_factory=dict)
    """The colours of powers in pictures, `#d55e00`, as far as the map states them."""
    groups: Mapping[str, frozenset[ProvinceCode]] = field(default_factory=dict)
    """Groups of provinces by the `normal` form of their name: `{"mediterranean": {"ADR", …}}`."""
    geometry: MapGeometry | None = None
    """The geometry of the picture, for a map that was read from another program's package."""
    tables: Tables | None = field(default=None, repr=False, compare=False)
    """The tables from which the map was made (`map_from`), for files that must contain the map."""
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What other modules have computed for this map and reuse (parsers, route tables)."""

    def __repr__(self) -> str:
        return f"load_map({self.name!r})"

    @property
    def is_standard(self) -> bool:
        """True if the map is the standard map, the default."""
        return self is load_map()

    @property
    def case_name(self) -> str | None:
        """The name of the map in cases and batch lines; None for the standard map, or for an own map with a shipped map's name.

        It is also None for a map given by `--map` that has the same name as a map that comes with satjudge, because the name
        would select that one.
        """
        return None if self.is_standard or (self.name in shipped_maps() and not _is_shipped(self)) else self.name

    @cached_property
    def exact_name(self) -> str:
        """The map's name, followed by its fingerprint unless the map comes with satjudge, since other maps can share a name."""
        return self.name if _is_shipped(self) else f"{self.name} {self.fingerprint}"

    @cached_property
    def fingerprint(self) -> str:
        """A checksum of the map, except colours, abbreviations and picture: 16 hexadecimal digits, the same everywhere."""
        from hashlib import sha256

        ignored = ("abbreviations", "cache", "geometry", "tables", "colours")
        content = {entry.name: getattr(self, entry.name) for entry in fields(self) if entry.name not in ignored}
        content = {name: value for name, value in content.items() if value or name not in _LATER_RULES}
        return sha256(json.encode(content, order="deterministic")).hexdigest()[:16]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a map by its name if it comes with satjudge, else by its content without caches."""
        if _is_shipped(self):
            return load_map, (self.name,)
        from uuid import uuid4

        identity = self.cache.setdefault(_restore_map, uuid4().hex)
        _sent[identity] = self
        names = [entry.name for entry in fields(self) if entry.name not in ("cache", "tables")]
        return _restore_map, (identity, {name: getattr(self, name) for name in names})

    def name_of(self, power: Power) -> str:
        """Return the name of a power for readers, such as `France`, or `power` itself if the map does not know it."""
        return self.power_names.get(power, power)

    @cached_property
    def has_uncounted_centers(self) -> bool:
        """True if there is a centre that does not count for some power (DATC 2.4, 7.A)."""
        return any(province.not_counted for province in self.provinces.values())

    @cached_property
    def names(self) -> dict[str, ProvinceCode]:
        """The province code for each accepted name or spelling, which is the key in the form that `normal` returns."""
        return {
            normal(spelling): province.code
            for province in self.provinces.values()
            for spelling in (province.code, province.name, *province.aliases)
        }

    @cached_property
    def fleet_reach(self) -> dict[Location, dict[ProvinceCode, tuple[Location, ...]]]:
        """For each location, the provinces to which a fleet can move, each with the locations in it that it can reach."""
        reach: dict[Location, dict[ProvinceCode, tuple[Location, ...]]] = {}
        for origin, destinations in self.fleet.items():
            by_province = reach.setdefault(origin, {})
            for destination in sorted(destinations):
                code = province_of(destination)
                by_province[code] = (*by_province.get(code, ()), destination)
        return reach

    @cached_property
    def locations(self) -> frozenset[Location]:
        """The codes of all provinces, and of every coast of those that have several."""
        return frozenset((*self.provinces, *self.army, *self.fleet))

    @cached_property
    def convoying(self) -> frozenset[ProvinceCode]:
        """The provinces from which a fleet can convoy: the seas, and coasts for which the map says so (DATC 2.4, 9)."""
        coasts = frozenset(code for code, province in self.provinces.items() if province.convoys)
        return self.seas if coasts == self.seas else coasts

    @cached_property
    def seas(self) -> frozenset[ProvinceCode]:
        """The codes of the sea provinces."""
        return frozenset(code for code, province in self.provinces.items() if province.terrain is Terrain.SEA)

    @cached_property
    def shores(self) -> dict[ProvinceCode, frozenset[ProvinceCode]]:
        """For each province on the water, the convoying provinces that touch its coasts (DATC 6.B.18; DATC 2.4, 9)."""
        touching: dict[ProvinceCode, set[ProvinceCode]] = {province_of(origin): set() for origin in self.fleet}
        for origin, destinations in self.fleet.items():
            touching[province_of(origin)].update(destination for destination in destinations if destination in self.convoying)
        return {code: frozenset(seas) for code, seas in touching.items()}

    def gap_in_path(self, origin: Location, path: Sequence[Location], destination: Location) -> str:
        """Return why no fleets could convoy an army along a path between these locations; "" if some could (DATC 4.A.6)."""
        begin, *seas, end = map(province_of, (origin, *path, destination))
        if on_land := next((place for place in seas if place not in self.convoying), ""):
            return f"no army can be convoyed over {on_land}, which is not a sea"
        if at_sea := next((place for place in (begin, end) if self.provinces[place].terrain is not Terrain.COAST), ""):
            return f"no army can be convoyed {'from' if at_sea == begin else 'to'} {at_sea}, which is not a coast"
        steps = [*zip((begin, *seas), seas, strict=False), (end, seas[-1])]
        gap = next((step for step in steps if step[1] not in self.shores.get(step[0], ())), ())
        return f"no army can be convoyed this way: {' and '.join(gap)} do not touch" if gap else ""

    @cached_property
    def centers(self) -> frozenset[ProvinceCode]:
        """The provinces with a supply centre."""
        return frozenset(code for code, province in self.provinces.items() if province.center)

    @cached_property
    def neighbours(self) -> dict[ProvinceCode, frozenset[ProvinceCode]]:
        """The provinces that touch each province, by land or by water."""
        touching: dict[ProvinceCode, set[ProvinceCode]] = {code: set(self.army.get(code, ())) for code in self.provinces}
        for origin, destinations in self.fleet.items():
            touching[province_of(origin)].update(province_of(destination) for destination in destinations)
        return {code: frozenset(codes) for code, codes in touching.items()}

    def in_season(self, season: str) -> Map:
        """Return the map in a season, with no borders into or out of closed provinces; the map itself if none is closed."""
        closed = self.closed.get(season)
        if not closed:
            return self
        found: Map | None = self.cache.get((Map.in_season, season))
        if found is None:
            found = self.cache[Map.in_season, season] = self._close_provinces(closed)
        return found

    def restrict_to_region(self, region: frozenset[ProvinceCode]) -> Map:
        """Return a copy of the map with only the borders between provinces of the region; the copy is cached."""
        found: Map | None = self.cache.get((Map.restrict_to_region, region))
        if found is None:
            found = self.cache[Map.restrict_to_region, region] = self._close_provinces(frozenset(self.provinces) - region)
        return found

    def _close_provinces(self, shut: frozenset[ProvinceCode]) -> Map:
        def trim_exits(exits: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
            return {
                origin: frozenset(
                    there for there in found if province_of(there) not in shut and province_of(origin) not in shut
                )
                for origin, found in exits.items()
            }

        provinces = {
            code: replace(province, convoys=province.convoys and code not in shut) for code, province in self.provinces.items()
        }
        return replace(self, provinces=provinces, army=trim_exits(self.army), fleet=trim_exits(self.fleet), cache={})

    @property
    def players(self) -> tuple[Power, ...]:
        """The powers that somebody plays, which excludes the neutral power."""
        return tuple(power for power in self.powers if power != self.nobody)

    @property
    def nobody(self) -> Power | None:
        """The neutral power, which nobody plays, or None if the map has none."""
        return self.neutral.power if self.neutral else None

    @cached_property
    def has_rules(self) -> bool:
        """True if the map has rules of its own that affect the equations (DATC 2.4, chapters 7 and 10; *1900*)."""
        return bool(self.difficult or self.railroads or self.canals or self.half_strength)

    @cached_property
    def own_rules(self) -> dict[str, str]:
        """The map's rules that tables or the kernel may lack, such as `a railroad`, each with its DATC 2.4 chapter or ""."""
        found = {
            "a railroad": ("7.B", self.railroads),
            "a canal": ("7.C", self.canals),
            "provinces that are closed in a season": ("8", self.closed),
            "coasts that convoy": ("9", self.convoying - self.seas),
            "difficult borders": ("10", self.difficult),
            "borders at half strength": ("", self.half_strength),
            "neutral units": ("", self.neutral),
            "no retreats": ("", self.no_retreats),
            "first builds that are chosen": ("", self.first_builds),
            "partisans": ("", self.partisans),
            "builds that need a home": ("", self.builds_need_home),
            "builds in place of a home": ("", self.alternatives),
            "centres that single powers need to win": ("", self.power_needs),
            "units that change their kind": ("", self.transforms),
        }
        return {rule: chapter for rule, (chapter, value) in found.items() if value}

    @property
    def beyond_tables(self) -> str:
        """The map's rules that tables of units and orders cannot express, as text joined by `and`; "" if there are none."""
        return " and ".join(rule for rule, chapter in self.own_rules.items() if not chapter)

    @property
    def beyond_kernel(self) -> str:
        """The map's rules that the compiled kernel does not support, as text joined by `and`; "" if there are none."""
        return " and ".join(rule for rule, chapter in self.own_rules.items() if chapter != "9")

    def year_called(self, year: int, *, fall: bool = False) -> str:
        """Return a game year as text in the map's calendar, such as `480 BC`, for Fall if `fall`, else for Spring."""
        return format_year(self.calendar_year(year, fall=fall))

    def calendar_year(self, year: int, *, fall: bool = False) -> int:
        """Return a game year as a number in the map's calendar, for Fall if `fall`, else for Spring; -480 is 480 BC."""
        if self.years is None:
            return year
        return self.years.first + (year - self.first_year) * self.years.step + fall * self.years.fall

    def year_meant(self, calendar_year: int, *, fall: bool = False) -> int:
        """Return the game year for a year of the map's calendar, or that year itself if no game year has it."""
        if self.years is None:
            return calendar_year
        past, rest = divmod(calendar_year - self.years.first - fall * self.years.fall, self.years.step)
        return self.first_year + past if past >= 0 and not rest else calendar_year

    def may_transform(self, province: ProvinceCode) -> bool:
        """Return whether a unit in a province may become the other kind: in coastal centres, if the map allows it."""
        return self.transforms and province in self.centers and self.provinces[province].terrain is Terrain.COAST

    def canal_between(self, origin: Location, destination: Location) -> Canal | None:
        """Return the canal that connects two seas, in either direction, or None (DATC 2.4, 7.C)."""
        return next((canal for canal in self.canals if {origin, destination} == set(canal.seas)), None)

    def is_difficult(self, origin: ProvinceCode, destination: ProvinceCode) -> bool:
        """Return whether a border is difficult for armies, which cross it with one support less (DATC 2.4, 10)."""
        return destination in self.difficult.get(origin, ())

    def is_at_half(self, origin: ProvinceCode, destination: ProvinceCode) -> bool:
        """Return whether units cross a border at half strength (vDiplomacy's *1900*)."""
        return destination in self.half_strength.get(origin, ())

    def sea_at_half(self, destination: ProvinceCode) -> ProvinceCode | None:
        """Return the first sea, by code, from which armies land in a province at half strength, or None."""
        return next((code for code in sorted(self.half_strength.get(destination, ())) if code in self.convoying), None)

    def hinders(self, kind: UnitKind, origin: Location, destination: Location) -> bool:
        """Return whether a unit of this kind crosses a border at half strength, or the border is difficult for it.

        No support crosses such a border, and a unit that retreats over it yields to others (DATC 2.4, 10.E and 10.K).
        """
        here, there = province_of(origin), province_of(destination)
        return self.is_at_half(here, there) or (kind is UnitKind.ARMY and self.is_difficult(here, there))

    def homes(self, power: Power) -> frozenset[ProvinceCode]:
        """Return the home supply centres of a power, whoever owns them."""
        return self._homes.get(power, _NOWHERE)

    @cached_property
    def _homes(self) -> dict[Power, frozenset[ProvinceCode]]:
        homes = {code: province.home for code, province in self.provinces.items() if province.home is not None}
        return {power: frozenset(code for code in homes if homes[code] == power) for power in homes.values()}

    def build_centers(self, power: Power) -> frozenset[ProvinceCode]:
        """Return the centres in which a power may build while it owns them: its homes, or others if the map allows them."""
        if self.builds_anywhere:
            return frozenset(self.centers)
        if self.builds_in_any_home:
            return frozenset(code for code in self.centers if self.provinces[code].home is not None)
        return (self.homes(power) & self.centers).union(code for code, powers in self.builders.items() if power in powers)

    def exits(self, kind: UnitKind, location: Location) -> frozenset[Location]:
        """Return the locations to which a unit of this kind may move from a location without a convoy."""
        return (self.army if kind is UnitKind.ARMY else self.fleet).get(location, _NOWHERE)

    @cached_property
    def _standing(self) -> frozenset[tuple[UnitKind, Location]]:
        """All pairs of a kind of unit and a location in which a unit of this kind can be."""
        everywhere = ((kind, place) for kind in UnitKind for place in (*self.provinces, *self.fleet))
        return frozenset((kind, place) for kind, place in everywhere if self._problem_with(kind, place) is None)

    def problem_with(self, kind: UnitKind, location: Location) -> str | None:
        """Return why no unit of this kind can be at a location, or None if one can."""
        return None if (kind, location) in self._standing else self._problem_with(kind, location)

    def problem_with_power(self, power: Power) -> str | None:
        """Return why nothing can belong to a power: its name is not text, or another spelling of a map's power; else None."""
        own = self.power_aliases.get(normal(power)) if isinstance(power, str) else ", ".join(self.powers)
        return None if own in (None, power) else f"write the power as the map does: {own}"

    def _problem_with(self, kind: UnitKind, location: Location) -> str | None:
        province = self.provinces.get(province_of(location))
        if province is None:
            return f"there is no province {location} on this map"
        if kind is UnitKind.ARMY:
            if coast_of(location):
                return f"an army has no coast: write A {province.code}, not A {location}"
            return f"an army cannot be at sea in {province.name}" if province.terrain is Terrain.SEA else None
        if province.terrain is Terrain.INLAND:
            return f"a fleet cannot be inland in {province.name}"
        if location in province.locations:
            return None
        choices = " or ".join(f"F {choice}" for choice in province.locations)
        return (
            f"F {location} must name a coast that {province.name} has: {choices}"
            if province.coasts
            else (f"{province.name} has no separate coasts: write {choices}")
        )


_MAP_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")


def load_map(name: str = "standard") -> Map:
    """Return the map that comes with satjudge under this name; it is always the same object.

    Raises `NotFoundError` for an unknown name.
    """
    if name not in shipped_maps():
        raise _make_unknown_map_error(name, "satjudge.read_map reads a file" if not _MAP_NAME.fullmatch(name) else "")
    return _load_map(name)


@cache
def shipped_maps() -> tuple[str, ...]:
    """Return the names of the maps that come with satjudge, sorted."""
    return tuple(sorted(path.stem for path in (data_directory() / "models" / "maps").glob("*.toml")))


def _make_unknown_map_error(name: str, way_out: str, own_map: Map | None = None) -> NotFoundError:
    """Return the error for an unknown map: known ones, with `own_map`, and a similar one; without `own_map`, the `way_out`."""
    from difflib import get_close_matches

    own = own_map.name if own_map is not None and own_map.name not in shipped_maps() else None
    close = get_close_matches(name[:60], (*shipped_maps(), *([own] if own else ())), 1, 0.7)
    hints = (
        f"there are {', '.join(shipped_maps())}" + (f", and {own}, your own map" if own else ""),
        f"did you mean {close[0]}?" if close else "",
        "" if own else way_out,
    )
    return NotFoundError(f"there is no map named {name!r:.60}", suggestion="; ".join(filter(None, hints)))


def map_called(name: str | None, default: Map | None = None) -> Map:
    """Return the map that a case names, which may be `default`; without a name, return `default` or else the standard map.

    The name may also be that of `default`, unless a map that comes with satjudge has the same name. Raises `NotFoundError` for
    an unknown name.
    """
    if name is None:
        return default or load_map()
    if default is not None and name == default.name and name not in shipped_maps():
        return default
    if name in shipped_maps():
        return load_map(name)
    raise _make_unknown_map_error(name, "commands read your own map with --map FILE", default)


def map_of_others(name: str | None, game_map: Map | None) -> Map:
    """Return the map that another program's file names, or `game_map` if it is unknown; without a name, as `map_called`.

    Raises `NotFoundError` for an unknown name if `game_map` is None.
    """
    try:
        return map_called(name, game_map)
    except NotFoundError:
        if game_map is None:
            raise
        return game_map


@cache
def _load_map(name: str) -> Map:
    return map_from(shipped_tables(name))


def shipped_tables(name: str) -> Tables:
    """Return the tables of a map that comes with satjudge, or raise `NotFoundError`."""
    if name not in shipped_maps():  # the name may come from another's file, so it must not be a path
        raise _make_unknown_map_error(name, "")
    return read_toml(data_file("models", "maps", f"{name}.toml"), MapError)


def _is_shipped(game_map: Map) -> bool:
    """Return whether a map comes with satjudge: whether `load_map` returns this object for its name."""
    return game_map.name in shipped_maps() and load_map(game_map.name) is game_map


_sent: WeakValueDictionary[str, Map] = WeakValueDictionary()
"""The maps that this process has pickled or unpickled, by identity."""


def _restore_map(identity: str, values: Mapping[str, Any]) -> Map:
    """Return the map pickled under this identity: the object that this process has already, or a new one with these fields."""
    known = _sent.get(identity)
    if known is None:
        known = _sent[identity] = Map(**values, cache={_restore_map: identity})
    return known


def _list_required_centers(entry: Tables) -> tuple[tuple[ProvinceCode, ...], ...]:
    """Return the groups of centres that a power's table requires it to have to win: at least one of each group."""
    one_of = tuple(entry.get("victory_needs_one", ()))
    return (*((code,) for code in entry.get("victory_needs", ())), *([one_of] if one_of else []))


def map_from(tables: Tables) -> Map:
    """Return the map described by the tables of its TOML file; raises `InputError` if they do not fit its base map."""
    data = complete(tables, shipped_tables)
    provinces: dict[ProvinceCode, Province] = {}
    army: dict[ProvinceCode, frozenset[ProvinceCode]] = {}
    fleet: dict[Location, frozenset[Location]] = {}
    start: list[tuple[Power, UnitKind, Location]] = []
    for code, entry in data["province"].items():
        coasts = {coast.upper(): exits for coast, exits in entry.get("coasts", {}).items()}
        provinces[code] = Province(
            code=code,
            name=entry["name"],
            terrain=Terrain(entry["kind"]),
            coasts=tuple(coasts),
            center=entry.get("center", False),
            home=entry.get("home"),
            country=entry.get("country"),
            aliases=tuple(entry.get("aliases", ())),
            convoys=entry.get("convoys", False) or entry["kind"] == Terrain.SEA,
            not_counted=tuple(entry.get("not_counted", ())),
        )
        if provinces[code].terrain is not Terrain.SEA or "army" in entry:
            army[code] = frozenset(entry.get("army", ()))
        if "fleet" in entry:
            fleet[code] = frozenset(entry["fleet"])
        elif provinces[code].terrain is not Terrain.INLAND and not coasts:
            fleet[code] = frozenset()
        fleet.update({f"{code}/{coast}": frozenset(exits) for coast, exits in coasts.items()})
        if "unit" in entry:
            coast = entry.get("unit_coast")
            owner = entry.get("unit_power", entry.get("home"))
            start.append((owner, UnitKind(entry["unit"]), f"{code}/{coast.upper()}" if coast else code))
    powers = {power: data["power"][power] for power in data["powers"]}
    return Map(
        name=data["name"],
        title=data["title"],
        powers=tuple(data["powers"]),
        power_names={power: entry["name"] for power, entry in powers.items()},
        adjectives={power: entry["adjective"] for power, entry in powers.items()},
        provinces=provinces,
        army=army,
        fleet=fleet,
        start=tuple(start),
        power_aliases={
            normal(spelling): power
            for power, entry in powers.items()
            for spelling in (power, entry["name"], entry["adjective"], *entry.get("aliases", ()))
        },
        first_year=data.get("first_year", 1901),
        foreign_names=data.get("names", {}),
        spellings=data.get("spellings", {}),
        abbreviations=data.get("abbreviations", {}),
        owners={code: owner for code, entry in data["province"].items() if (owner := entry.get("owner", entry.get("home")))},
        victory=data.get("victory"),
        builds_anywhere=data.get("builds_anywhere", False),
        builds_in_any_home=data.get("builds_in_any_home", False),
        first_builds=data.get("first_builds"),
        builds_need_home=data.get("builds_need_home", False),
        partisans={power: entry["partisans"] for power, entry in powers.items() if "partisans" in entry},
        alternatives={
            code: tuple(entry["builds_instead"]) for code, entry in data["province"].items() if entry.get("builds_instead")
        },
        builders={code: tuple(entry["builders"]) for code, entry in data["province"].items() if entry.get("builders")},
        neutral=Neutral(**data["neutral"]) if "neutral" in data else None,
        no_retreats=data.get("no_retreats", False),
        transforms=data.get("transforms", False),
        victories={power: entry["victory"] for power, entry in powers.items() if "victory" in entry},
        victory_needs=tuple(data.get("victory_needs", ())),
        power_needs={power: needs for power, entry in powers.items() if (needs := _list_required_centers(entry))},
        victory_lead=Lead(**data["victory_lead"]) if "victory_lead" in data else None,
        last_year=LastYear(**data["last_year"]) if "last_year" in data else None,
        years=Years(**data["years"]) if "years" in data else None,
        difficult={code: frozenset(entry["difficult"]) for code, entry in data["province"].items() if entry.get("difficult")},
        half_strength={
            code: frozenset(entry["half_strength"]) for code, entry in data["province"].items() if entry.get("half_strength")
        },
        closed={season: frozenset(codes) for season, codes in data.get("closed", {}).items() if codes},
        railroads=tuple(
            Railroad(name, entry["power"], tuple(entry["line"])) for name, entry in data.get("railroad", {}).items()
        ),
        canals=tuple(
            Canal(name, entry["keeper"], (entry["between"][0], entry["between"][1]))
            for name, entry in data.get("canal", {}).items()
        ),
        groups={normal(name): frozenset(codes) for name, codes in data.get("groups", {}).items()},
        colours={power: entry["color"] for power, entry in powers.items() if "color" in entry},
        geometry=_geometry(data["geometry"]) if "geometry" in data else None,
        tables=data,
    )


def _geometry(data: Mapping[str, Any]) -> MapGeometry:
    def points(key: str) -> dict[str, Point]:
        return {place: (x, y) for place, (x, y) in data.get(key, {}).items()}

    size, origin = data["size"], data.get("origin", (0, 0))
    places = (points("units"), points("dislodged"), points("centers"), points("labels"))
    outlines = {code: tuple(map(_parse_ring, text.split(";"))) for code, text in data.get("outlines", {}).items()}
    return MapGeometry((size[0], size[1]), *places, origin=(origin[0], origin[1]), outlines=outlines)


def _parse_ring(text: str) -> tuple[Point, ...]:
    """Return the points of a closed line such as `"0,0 10,0 10,10"`."""
    return tuple((float(x), float(y)) for x, y in (place.split(",") for place in text.split()))
