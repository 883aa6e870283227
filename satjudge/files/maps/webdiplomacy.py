"""Reads variants of webDiplomacy and vDiplomacy: the tables in `install.php`, `variant.php` and the classes next to them.

Only literals are read. Rules are written as code: models/webdiplomacy.toml lists the known classes by their digests, and a
variant with any other class that may change rules is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any, NamedTuple

from satjudge.base.errors import MapError, NotFoundError, locate_errors
from satjudge.files.maps import php
from satjudge.files.maps.drawings import format_colour
from satjudge.files.maps.packages import Package
from satjudge.files.maps.place_names import assign_coast_codes, assign_codes, strip_abbreviation
from satjudge.files.maps.webdiplomacy_code import MAIN as MAIN
from satjudge.files.maps.webdiplomacy_code import START, VARIANT, Lineage, find_dropped_borders, find_rules
from satjudge.world.geography import fold
from satjudge.world.map_tables import Tables

_DRAWN = "drawMap"
_TERRITORIES, _BORDERS = "territoryRawData", "bordersRawData"
_TERRITORY_ROW, _BORDER_ROW = "territoryRawRow", "borderRawRow"
_KINDS = {"Coast": "coast", "Sea": "sea", "Land": "inland"}
_UNITS = {"Army": "A", "Fleet": "F"}
_ON_COAST = re.compile(r"(?P<of>.+) \((?P<coast>.+) Coast\)")
"""The form in which webDiplomacy's own installer names a coast of a territory."""
_YEAR = re.compile(r"floor \( \$turn / 2 \) \+ (?P<year>\d{1,4}) \)")
_BEFORE_CHRIST = (
    re.compile(r"\( - 1 \* \( floor \( \$turn / 2 \) - (?P<year>\d{1,4}) \) \)"),
    re.compile(r"\( (?P<year>\d{1,4}) - floor \( \$turn / 2 \) \)"),
)
_FROM_0 = re.compile(r"\( floor \( \$turn / 2 \) \)")
_STEPS = re.compile(r"floor \( \$turn / 2 \) \* (?P<step>\d{1,2}) \+ (?P<year>\d{1,4}) \)")
_EACH_TURN = re.compile(r"round \( \( \$turn \* (?P<step>\d{1,2}) \) \+ (?P<year>\d{1,4}) \)")
_ROOM = 20
"""The distance between the outermost places and the edge of the picture."""


class _Row(NamedTuple):
    """A territory, as described by its row in the table of `install.php`."""

    name: str
    kind: str
    center: bool
    owner: str | None
    point: list[float]


def read(package: Package) -> Tables:
    """Read the package of a variant into the tables of a map.

    Raises `MapError`, naming the file, if the variant has rules that satjudge cannot play.
    """
    return _Variant(package).tables()


class _Variant:
    """A reader of one variant."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.lineage = Lineage(package)
        self.stated = self.lineage.stated
        self.installer = self.lineage.install_file
        self.stated_rules, self.neutral, self.told = find_rules(self.lineage)
        with locate_errors(self.installer.display_name):
            tables = self.installer.source.find_literals()
            self.rows = list(self._territories(tables))
            self.borders = list(self._borders(tables))
        self.split = {on_coast["of"] for row in self.rows if (on_coast := _ON_COAST.fullmatch(row.name))}
        """The territories with named coasts."""
        land = {row.name for row in self.rows if row.kind == "inland"}
        self.afloat = {end for one, other, fleets, _ in self.borders if fleets for end in (one, other)} & land - self.split
        """The territories on land that fleets can enter, such as the rivers of MateAgainstMate."""
        self.seas = {row.name for row in self.rows if row.kind == "sea"}
        self.codes = assign_codes([row.name for row in self.rows if not _ON_COAST.fullmatch(row.name)])
        self.places = {row.name: self._find_location(row.name) for row in self.rows}

    # ------------------------------------------------------------ the rows

    def _table(self, tables: Mapping[str, php.Literal], name: str) -> list[php.Array]:
        found = tables.get(name)
        if not isinstance(found, php.Array):
            raise MapError(f"the file contains no table ${name} of literals")
        rows = found.values
        if not rows or not all(isinstance(row, php.Array) for row in rows):
            raise MapError(f"${name} is not a table of rows", line=found.line)
        return [row for row in rows if isinstance(row, php.Array)]

    def _territories(self, tables: Mapping[str, php.Literal]) -> Iterator[_Row]:
        powers = self.countries
        columns = self.installer.source.list_row_names().get(_TERRITORY_ROW, [])
        if not {"name", "type", "supply"} <= set(columns) or not {"countryID", "country"} & set(columns):
            raise MapError(f"the columns of ${_TERRITORY_ROW} are not those of a territory")
        for row in self._table(tables, _TERRITORIES):
            stated = dict(zip(columns, row.values, strict=False))
            kind = _KINDS.get(str(stated["type"]))
            if kind is None:
                raise MapError(
                    f"a territory of the type {str(stated['type'])!r:.20}: satjudge supports only {', '.join(_KINDS)}",
                    line=row.line,
                )
            if stated.get("buildEligibilityFlags"):
                raise MapError(
                    "territories with rules for builds (buildEligibilityFlags): satjudge has no such rule", line=row.line
                )
            country = stated.get("countryID", stated.get("country"))
            owner = powers[country - 1] if isinstance(country, int) and 0 < country <= len(powers) else country
            point = [float(number) for at in ("x", "y") if isinstance(number := stated.get(at), int | float)]
            yield _Row(
                _unescape_name(stated["name"]), kind, stated["supply"] == "Yes", owner if owner in powers else None, point
            )

    def _borders(self, tables: Mapping[str, php.Literal]) -> Iterator[tuple[str, str, bool, bool]]:
        known = {row.name for row in self.rows}
        columns = self.installer.source.list_row_names().get(_BORDER_ROW, [])
        if set(columns) != {"from", "to", "fleets", "armies"}:
            raise MapError(f"the columns of ${_BORDER_ROW} are not those of a border")
        for row in self._table(tables, _BORDERS):
            stated = dict(zip(columns, map(_unescape_name, row.values), strict=False))
            for end in ("from", "to"):
                if stated.get(end) not in known:
                    raise MapError(f"there is no territory {stated.get(end)!r:.60}", line=row.line)
            yield stated["from"], stated["to"], stated.get("fleets") == "Yes", stated.get("armies") == "Yes"

    @property
    def powers(self) -> list[str]:
        """The countries of the players, in the variant's spelling and order; raises `MapError` if it lists none."""
        countries = self.stated.get("countries")
        if not isinstance(countries, php.Array):
            raise MapError("the file names no countries", source=self.package.format_file_name(VARIANT))
        return [str(country) for country in countries.values]

    @property
    def countries(self) -> list[str]:
        """The countries in the order of their numbers (from 1): those of the players, then any country that nobody plays."""
        return [*self.powers, *([self.neutral] if self.neutral else [])]

    # ------------------------------------------------------------ the map

    def _find_location(self, name: str) -> str:
        """Return the location of a territory: `STP/NC` for `St. Petersburg (North Coast)`; raise `MapError` if unknown."""
        on_coast = _ON_COAST.fullmatch(name)
        if on_coast is None:
            return self.codes[name]
        if on_coast["of"] not in self.codes:
            raise MapError(f"{name!r:.60} is a coast without a territory", source=self.package.format_file_name(MAIN))
        coasts = [
            found["coast"] for row in self.rows if (found := _ON_COAST.fullmatch(row.name)) and found["of"] == on_coast["of"]
        ]
        return f"{self.codes[on_coast['of']]}/{assign_coast_codes(coasts)[on_coast['coast']].upper()}"

    def tables(self) -> Tables:
        """Return the map as the tables of a TOML map file: provinces, borders, powers and rules."""
        powers = {power: re.sub(r"\W+", "-", power).strip("-").upper() for power in self.countries}
        provinces = {
            self.places[row.name]: self._province(row, powers) for row in self.rows if "/" not in self.places[row.name]
        }
        self._add_borders(provinces)
        for place, power, kind in self._iter_starting_units():
            code, _, coast = place.partition("/")
            own = provinces[code].get("home") == powers[power]
            provinces[code] |= {"unit": kind} | ({"unit_coast": coast.lower()} if coast else {})
            provinces[code] |= {} if own else {"unit_power": powers[power]}
        name = str(self.stated.get("fullName") or self.stated.get("name"))
        centers = sum(row.center for row in self.rows)
        target = self.stated.get("this->supplyCenterTarget")
        tables = {
            "name": re.sub(r"\W+", "-", fold(str(self.stated.get("name")))).strip("-"),
            "title": name,
            **self._read_year_numbering(),
            **({"lacks": lacks} if (lacks := [*self.told, *self._iter_border_remarks()]) else {}),
            "powers": list(powers.values()),
            "victory": target if isinstance(target, int) else centers // 2 + 1,
            "power": {
                power: {"name": title, "adjective": title, **colour}
                for (title, power), colour in zip(powers.items(), self._list_colours(), strict=True)
            },
            "province": provinces,
            "geometry": self._geometry(),
        }
        return _RuleWriter(self, tables, powers).tables()

    def _iter_border_remarks(self) -> Iterator[str]:
        """Yield a remark on each border by which armies would go to sea, and one on any inland territories open to fleets."""
        for one, other, _, armies in self.borders:
            if armies and {one, other} & self.seas:
                ends = " - ".join(map(strip_abbreviation, (one, other)))
                yield f"a border by which armies go to sea, which is impossible here: {ends}"
        if self.afloat:
            names = ", ".join(sorted(map(strip_abbreviation, self.afloat)))
            yield f"land open to fleets, but not to builds of fleets or to convoys: {names} are coasts here"

    def _province(self, row: _Row, powers: Mapping[str, str]) -> dict[str, Any]:
        title = strip_abbreviation(row.name)
        owns = "owner" if row.owner == self.neutral else "home"
        return {
            "name": title,
            "kind": "coast" if row.name in self.split | self.afloat else row.kind,  # Iowa of Empire1on1 is Land with coasts
            **({"center": True} if row.center else {}),
            **({owns: powers[row.owner]} if row.owner and row.center else {}),
        }

    def _add_borders(self, provinces: dict[str, dict[str, Any]]) -> None:
        """Add the borders in both directions to the provinces' tables, except those that the installer removes."""
        dropped = find_dropped_borders(self.installer.source) or set()
        numbers = {row.name: number for number, row in enumerate(self.rows, start=1)}
        for one, other, fleets, armies in self.borders:
            for start, end in ((one, other), (other, one)):
                if {(numbers[start], numbers[end]), (None, numbers[end])} & dropped:
                    continue
                origin, destination = self.places[start], self.places[end]
                code, _, coast = origin.partition("/")
                province = provinces[code]
                if armies and not {one, other} & self.seas:
                    _add(province, "army", destination.partition("/")[0])
                if fleets and coast:
                    _add(province.setdefault("coasts", {}), coast.lower(), destination)
                elif fleets:
                    _add(province, "fleet", destination)

    def _iter_starting_units(self) -> Iterator[tuple[str, str, str]]:
        """Yield each starting unit's location, power and kind; none if the game begins with builds; may raise `MapError`."""
        if self.stated_rules.get("begins_with_builds"):
            return
        if START not in self.lineage.classes:
            raise MapError(f"there is no classes/{START}.php with the units at the start", source=self.package.source)
        for code in self.lineage.iter_class_files(START):
            with locate_errors(code.display_name):
                units = code.source.find_literals().get("countryUnits")
                if isinstance(units, php.Array):
                    yield from self._units(units)
                    return
        raise MapError("there are no units at the start, and no class begins the game with builds", source=self.package.source)

    def _units(self, stated: php.Array) -> Iterator[tuple[str, str, str]]:
        for power, placed in stated.entries:
            if power not in self.countries or not isinstance(placed, php.Array):
                raise MapError(f"there is no country {power!r:.40}", line=stated.line)
            for name, kind in placed.entries:
                if _unescape_name(name) not in self.places or kind not in _UNITS:
                    raise MapError(f"{kind} {name!r:.60} is not a unit in a territory", line=placed.line)
                yield self.places[_unescape_name(name)], str(power), _UNITS[str(kind)]

    def _read_year_numbering(self) -> dict[str, Any]:
        """Return a map's key `first_year` and, if years do not count up by one, `years`; may raise `MapError`."""
        words = " ".join(self.lineage.find_method("turnAsDate"))
        if (found := _YEAR.search(words)) and int(found["year"]):
            return {"first_year": int(found["year"])}
        for before in _BEFORE_CHRIST:
            if found := before.search(words):
                return {"first_year": 1, "years": {"first": -int(found["year"])}}
        if _FROM_0.search(words):
            return {"first_year": 1, "years": {"first": 0}}
        if found := _STEPS.search(words):
            return {"first_year": 1, "years": {"first": int(found["year"]), "step": int(found["step"])}}
        if found := _EACH_TURN.search(words):
            step = int(found["step"])
            return {"first_year": 1, "years": {"first": int(found["year"]), "step": 2 * step, "fall": step}}
        raise MapError("turnAsDate: satjudge does not support these years", source=self.package.format_file_name(VARIANT))

    # ------------------------------------------------------------ the picture

    def _list_colours(self) -> list[dict[str, str]]:
        """Return `{"color": "#…"}` for each country, in the order of their numbers; {} for a country without a colour."""
        try:
            stated = next(self.lineage.iter_class_files(_DRAWN)).source.find_literals().get("countryColors")
        except (NotFoundError, MapError):  # colours are optional
            stated = None
        entries = dict(stated.entries) if isinstance(stated, php.Array) else {}
        found = (entries.get(number) for number in range(1, len(self.countries) + 1))
        colours = (format_colour(parts.values) if isinstance(parts, php.Array) else None for parts in found)
        return [{"color": colour} if colour else {} for colour in colours]

    def _geometry(self) -> dict[str, Any]:
        points = {self.places[row.name]: row.point for row in self.rows if len(row.point) == 2}
        width, height = (max((point[axis] for point in points.values()), default=0) + _ROOM for axis in (0, 1))
        return {"size": [width, height], "units": points}


def _unescape_name(text: php.Literal) -> str:
    """Return the text of a name, with SQL and HTML escapes replaced."""
    return unescape(str(text).replace("\\'", "'"))


def _add(table: dict[str, Any], key: str, place: str) -> None:
    table[key] = sorted({*table.get(key, ()), place})


class _RuleWriter:
    """Writes the rules of a variant, which number territories and countries from 1, into the tables of its map."""

    def __init__(self, variant: _Variant, tables: dict[str, Any], powers: Mapping[str, str]) -> None:
        self.variant, self.written = variant, tables
        self.powers = list(powers.values())
        self.rules = dict(variant.stated_rules)
        self.neutral = powers.get(variant.neutral)

    def tables(self) -> Tables:
        """Add the rules of the variant to the map's tables, and return these."""
        self.rules.pop("begins_with_builds", None)
        for territory in self._read_numbers(self.rules.pop("convoys", "")):
            self._province(territory)["convoys"] = True
        for stand_in, sea in self.rules.pop("sea_centers", ()):
            self._move_center(stand_in, sea)
        for territory, country in self.rules.pop("owns", ()):
            self._province(territory)["owner"] = self.powers[country - 1] if country else ""
        for territory, country in self.rules.pop("builds_instead", ()):
            self._province(territory)["builds_instead"] = [self.powers[country - 1]]
        for territory, kind in self.rules.pop("neutral_starts", ()):
            self._province(territory).update({"unit": kind, "unit_power": self.neutral})
        for country, least in self.rules.pop("victories", ()):
            self.written["power"][self.powers[country - 1]]["victory"] = least
        for country, all_of, one_of in self.rules.pop("power_needs", ()):
            needs = {"victory_needs": [*map(self._find_code, all_of)], "victory_needs_one": [*map(self._find_code, one_of)]}
            self.written["power"][self.powers[country - 1]] |= needs
        if needed := self.rules.pop("victory_needs", ()):
            self.written["victory_needs"] = [self._find_code(territory) for territory in needed]
        self._add_builders(self.rules.pop("builders", ""))
        self._add_neutral()
        return {**self.written, **self.rules}

    def _read_numbers(self, list_property: object) -> Iterable[int]:
        """Return the numbers in the variant's property of this name, an array or a text with commas; empty if missing."""
        found = self.variant.stated.get(str(list_property)) if list_property else None
        texts = found.values if isinstance(found, php.Array) else str(found or "").split(",")
        return [int(plain) for text in texts if (plain := str(text).strip(" \"'"))]

    def _find_code(self, territory: int) -> str:
        """Return the province code of the territory with this number; raise `MapError` if there is none."""
        if not 0 < territory <= len(self.variant.rows):
            raise MapError(f"no territory has the number {territory}", source=self.variant.package.format_file_name(VARIANT))
        return self.variant.places[self.variant.rows[territory - 1].name].partition("/")[0]

    def _province(self, territory: int) -> dict[str, Any]:
        return self.written["province"][self._find_code(territory)]  # type: ignore[no-any-return]

    def _move_center(self, stand_in: int, sea: int) -> None:
        """Move a supply centre from the unreachable territory `stand_in` to `sea`, and remove that territory from the map."""
        geometry, code = self.written["geometry"], self._find_code(stand_in)
        self._province(sea)["center"] = True
        del self.written["province"][code]
        if place := geometry["units"].pop(code, None):
            geometry.setdefault("centers", {})[self._find_code(sea)] = place

    def _add_builders(self, property_name: str) -> None:
        """Add the `builders` of centres from the variant's property: each country's centres, or centres for all players."""
        found = self.variant.stated.get(property_name) if property_name else None
        if isinstance(found, php.Array) and any(isinstance(value, php.Array) for value in found.values):
            codes = {_unescape_name(row.name): code for row in self.variant.rows if (code := self.variant.places[row.name])}
            for country, array in found.entries:
                for name in array.values if isinstance(array, php.Array) else ():
                    power = self.powers[self.variant.powers.index(str(country))]
                    _add(self.written["province"][codes[_unescape_name(name)]], "builders", power)
        else:
            for territory in self._read_numbers(property_name):
                self._province(territory)["builders"] = [power for power in self.powers if power != self.neutral]

    def _add_neutral(self) -> None:
        rules: dict[str, Any] = {"rebuilds": True} if self.rules.pop("neutral_rebuilds", False) else {}
        held = self.variant.stated.get(str(self.rules.pop("neutral_supports", "")))
        if isinstance(held, php.Array):
            rules["supports"] = {self._find_code(int(one)): self._find_code(int(str(other))) for one, other in held.entries}
        if self.neutral:
            self.written["neutral"] = {"power": self.neutral, **rules}
