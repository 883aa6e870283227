"""Reads variants of webDiplomacy and vDiplomacy: the tables in `install.php`, `variant.php` and the classes beside them.

What stands there as a literal is read. Rules stand there as code: what satjudge knows of a class is told by its digest in
models/webdiplomacy.toml, and a variant with any other class that changes rules is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from satjudge.base.errors import MapError, NotFoundError, located
from satjudge.base.resources import data_file, read_toml
from satjudge.files.maps import php
from satjudge.files.maps.colours import colour_of
from satjudge.files.maps.packages import Package
from satjudge.files.maps.place_names import coast_codes, codes_for, without_abbreviation
from satjudge.world.geography import fold
from satjudge.world.map_tables import Tables

MAIN = "install.php"
_VARIANT = "variant.php"
_START = "classes/adjudicatorPreGame.php"
_DRAWN = "classes/drawMap.php"
_TERRITORIES, _BORDERS = "territoryRawData", "bordersRawData"
_TERRITORY_ROW, _BORDER_ROW = "territoryRawRow", "borderRawRow"
_KINDS = {"Coast": "coast", "Sea": "sea", "Land": "inland"}
_UNITS = {"Army": "A", "Fleet": "F"}
_ON_COAST = re.compile(r"(?P<of>.+) \((?P<coast>.+) Coast\)")
"""As webDiplomacy's own installer tells a coast of a territory from a territory."""
_YEAR = re.compile(r"floor \( \$turn / 2 \) \+ (?P<year>\d{1,4}) \)")
_ROOM = 20
"""Points between the outermost places and the edge of the picture."""
_SHOWN_ONLY = frozenset({
    "drawMap", "drawMapXML", "Maps", "OrderInterface", "OrderArchiv", "Chatbox", "panelGame", "panelGameBoard", "panelGameHome",
    "panelMember", "panelMembers", "panelMemberHome", "panelMembersHome", "userMember",
})  # fmt: skip
"""Classes that show a game and change no rule."""
_NO_RULES = ("__construct", "initialize", "turnAsDate", "turnAsDateJS")
"""Functions of `variant.php` whose literals are read, and that hold no rule but those."""


class KnownCode(NamedTuple):
    """What the code of a class is known to do: the rules that a map's own file says instead, or what satjudge lacks."""

    rules: Mapping[str, Any]
    lacks: str

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> KnownCode:
        """Read what is known from its entry in models/webdiplomacy.toml."""
        return cls(stated.get("rules", {}), stated.get("lacks", ""))


class _Row(NamedTuple):
    """A territory as a row of the table states it."""

    name: str
    kind: str
    center: bool
    owner: str | None
    point: list[float]


def read(package: Package) -> Tables:
    """Read the tables of a variant's map.

    Raises `MapError` with the file for what satjudge cannot play.
    """
    return _Variant(package).tables()


class _Variant:
    """One variant, being read."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.variant, self.install = self._source(_VARIANT), self._source(MAIN)
        self.stated = self.variant.assigned()
        parent = next(iter(self.variant.classes().values()), "")
        self.parent = parent.removesuffix("Variant") if fold(parent) != "wdvariant" else ""
        with located(package.called(MAIN)):
            tables = self.install.assigned()
            self.rows = list(self._territories(tables))
            self.borders = list(self._borders(tables))
        self.codes = codes_for([row.name for row in self.rows if not _ON_COAST.fullmatch(row.name)])
        self.places = {row.name: self._place(row.name) for row in self.rows}

    def _source(self, name: str) -> php.Source:
        with located(self.package.called(name)):
            return php.read(self.package.file(name).decode("utf-8", errors="replace"))

    # ------------------------------------------------------------ the rows

    def _table(self, tables: Mapping[str, php.Literal], name: str) -> list[php.Array]:
        found = tables.get(name)
        if not isinstance(found, php.Array):
            of = f": it is based on {self.parent}, which can be read instead" if self.parent else ""
            raise MapError(f"there is no table ${name} of literals in it{of}")
        rows = found.values
        if not rows or not all(isinstance(row, php.Array) for row in rows):
            raise MapError(f"${name} is no table of rows", line=found.line)
        return [row for row in rows if isinstance(row, php.Array)]

    def _territories(self, tables: Mapping[str, php.Literal]) -> Iterator[_Row]:
        powers = self.powers
        columns = self.install.columns().get(_TERRITORY_ROW, [])
        if not {"name", "type", "supply"} <= set(columns) or not {"countryID", "country"} & set(columns):
            raise MapError(f"the columns of ${_TERRITORY_ROW} are not those of a territory")
        for row in self._table(tables, _TERRITORIES):
            stated = dict(zip(columns, row.values, strict=False))
            kind = _KINDS.get(str(stated["type"]))
            if kind is None:
                raise MapError(
                    f"a territory of the type {str(stated['type'])!r:.20}: satjudge knows {', '.join(_KINDS)}", line=row.line
                )
            if stated.get("buildEligibilityFlags"):
                raise MapError(
                    "territories in which some may build (buildEligibilityFlags): satjudge has no such rule", line=row.line
                )
            country = stated.get("countryID", stated.get("country"))
            owner = powers[country - 1] if isinstance(country, int) and 0 < country <= len(powers) else country
            point = [float(number) for at in ("x", "y") if isinstance(number := stated.get(at), int | float)]
            yield _Row(_plain(stated["name"]), kind, stated["supply"] == "Yes", owner if owner in powers else None, point)

    def _borders(self, tables: Mapping[str, php.Literal]) -> Iterator[tuple[str, str, bool, bool]]:
        known = {row.name for row in self.rows}
        columns = self.install.columns().get(_BORDER_ROW, [])
        if set(columns) != {"from", "to", "fleets", "armies"}:
            raise MapError(f"the columns of ${_BORDER_ROW} are not those of a border")
        for row in self._table(tables, _BORDERS):
            stated = dict(zip(columns, map(_plain, row.values), strict=False))
            for end in ("from", "to"):
                if stated.get(end) not in known:
                    raise MapError(f"there is no territory {stated.get(end)!r:.60}", line=row.line)
            yield stated["from"], stated["to"], stated.get("fleets") == "Yes", stated.get("armies") == "Yes"

    @property
    def powers(self) -> list[str]:
        """The countries, as the variant names them."""
        countries = self.stated.get("countries")
        if not isinstance(countries, php.Array):
            raise MapError("it names no countries", source=self.package.called(_VARIANT))
        return [str(country) for country in countries.values]

    # ------------------------------------------------------------ the map

    def _place(self, name: str) -> str:
        """The location of a territory, `STP/NC` for a coast that is written `St. Petersburg (North Coast)`."""
        on_coast = _ON_COAST.fullmatch(name)
        if on_coast is None:
            return self.codes[name]
        if on_coast["of"] not in self.codes:
            raise MapError(f"{name!r:.60} is a coast of no territory", source=self.package.called(MAIN))
        coasts = [
            found["coast"] for row in self.rows if (found := _ON_COAST.fullmatch(row.name)) and found["of"] == on_coast["of"]
        ]
        return f"{self.codes[on_coast['of']]}/{coast_codes(coasts)[on_coast['coast']].upper()}"

    def tables(self) -> Tables:
        """The tables of the map."""
        rules = self._rules()
        powers = {power: re.sub(r"\W+", "-", power).strip("-").upper() for power in self.powers}
        provinces = {
            self.places[row.name]: self._province(row, powers) for row in self.rows if "/" not in self.places[row.name]
        }
        self._add_borders(provinces)
        for place, power, kind in self._start():
            code, _, coast = place.partition("/")
            own = provinces[code].get("home") == powers[power]
            provinces[code] |= {"unit": kind} | ({"unit_coast": coast.lower()} if coast else {})
            provinces[code] |= {} if own else {"unit_power": powers[power]}
        if (convoying := rules.pop("convoys", "")) and isinstance(numbers := self.stated.get(convoying), php.Array):
            for number in numbers.values:  # rows count from 1
                provinces[self.places[self.rows[int(str(number)) - 1].name].partition("/")[0]] |= {"convoys": True}
        name = str(self.stated.get("fullName") or self.stated.get("name"))
        centers = sum(row.center for row in self.rows)
        target = self.stated.get("this->supplyCenterTarget")
        return {
            "name": re.sub(r"\W+", "-", fold(str(self.stated.get("name")))).strip("-"),
            "title": name,
            "first_year": self._first_year(),
            "powers": list(powers.values()),
            "victory": target if isinstance(target, int) else centers // 2 + 1,
            **rules,
            "power": {
                power: {"name": title, "adjective": title, **colour}
                for (title, power), colour in zip(powers.items(), self._colours(), strict=True)
            },
            "province": provinces,
            "geometry": self._geometry(),
        }

    def _province(self, row: _Row, powers: Mapping[str, str]) -> dict[str, Any]:
        title = without_abbreviation(row.name)
        home = powers[row.owner] if row.owner and row.center else None
        return {
            "name": title,
            "kind": row.kind,
            **({"center": True} if row.center else {}),
            **({"home": home} if home else {}),
        }

    def _add_borders(self, provinces: dict[str, dict[str, Any]]) -> None:
        """Write each border on both sides, for armies by province, for fleets by place."""
        for one, other, fleets, armies in self.borders:
            here, there = self.places[one], self.places[other]
            for origin, destination in ((here, there), (there, here)):
                code, _, coast = origin.partition("/")
                province = provinces[code]
                if armies:
                    _add(province, "army", destination.partition("/")[0])
                if fleets and coast:
                    _add(province.setdefault("coasts", {}), coast.lower(), destination)
                elif fleets:
                    _add(province, "fleet", destination)

    def _start(self) -> Iterator[tuple[str, str, str]]:
        """The units at the start: where each stands, whose it is, and its kind."""
        if "adjudicatorPreGame" not in self.variant.set_keys("this->variantClasses"):
            raise MapError(f"there is no {_START} that states the units at the start", source=self.package.source)
        source = self._source(_START)
        with located(self.package.called(_START)):
            units = source.assigned().get("countryUnits")
            if not isinstance(units, php.Array):
                raise MapError("no units stand at the start: satjudge begins no game by builds")
            if extra := [name for name in source.methods() if name != "__construct"]:
                raise MapError(f"the game begins by rules of its own ({', '.join(extra)}), which satjudge does not know")
            for power, placed in units.entries:
                if power not in self.powers or not isinstance(placed, php.Array):
                    raise MapError(f"there is no country {power!r:.40}", line=units.line)
                for name, kind in placed.entries:
                    if _plain(name) not in self.places or kind not in _UNITS:
                        raise MapError(f"{kind} {name!r:.60} is no unit in a territory", line=placed.line)
                    yield self.places[_plain(name)], str(power), _UNITS[str(kind)]

    def _first_year(self) -> int:
        found = _YEAR.search(" ".join(token.text for token in self.variant.tokens))
        if found is None or not int(found["year"]):
            raise MapError(
                "turnAsDate: satjudge has no years but those that count up by one", source=self.package.called(_VARIANT)
            )
        return int(found["year"])

    # ------------------------------------------------------------ the rules

    def _rules(self) -> dict[str, Any]:
        """The rules that the classes of the variant state, as far as they are known. Raises `MapError` for any other."""
        found: dict[str, Any] = {}
        if self.parent:
            raise MapError(f"the variant takes rules of {self.parent}", source=self.package.called(_VARIANT))
        if others := [name for name in self.variant.methods() if name not in _NO_RULES]:
            raise MapError(f"{', '.join(others)}: satjudge does not know what it changes", source=self.package.called(_VARIANT))
        if any(token.text == "sql_put" for token in self.install.tokens):
            raise MapError("sql_put: the tables are changed after they are written", source=self.package.called(MAIN))
        for name in self.variant.set_keys("this->variantClasses"):
            if name in _SHOWN_ONLY or f"classes/{name}.php" == _START:
                continue
            source = self._source(f"classes/{name}.php")
            digest = source.digest(str(self.stated.get("name")))
            known = _known_code().get(digest)
            if known is None or known.lacks:
                what = known.lacks if known else "satjudge does not know what it changes"
                raise MapError(f"{name}: {what}", source=self.package.called(f"classes/{name}.php"))
            found |= known.rules
        return found

    # ------------------------------------------------------------ the picture

    def _colours(self) -> list[dict[str, str]]:
        """The colours of the countries, which their numbers from 1 stand for where the map is drawn."""
        try:
            stated = self._source(_DRAWN).assigned().get("countryColors")
        except (NotFoundError, MapError):  # a picture only
            stated = None
        entries = dict(stated.entries) if isinstance(stated, php.Array) else {}
        found = (entries.get(number) for number in range(1, len(self.powers) + 1))
        colours = (colour_of(parts.values) if isinstance(parts, php.Array) else None for parts in found)
        return [{"color": colour} if colour else {} for colour in colours]

    def _geometry(self) -> dict[str, Any]:
        points = {self.places[row.name]: row.point for row in self.rows if len(row.point) == 2}
        width, height = (max((point[axis] for point in points.values()), default=0) + _ROOM for axis in (0, 1))
        return {"size": [width, height], "units": points}


def _plain(text: php.Literal) -> str:
    """A name as people write it: some rows have it as SQL quotes it."""
    return str(text).replace("\\'", "'")


def _add(table: dict[str, Any], key: str, place: str) -> None:
    table[key] = sorted({*table.get(key, ()), place})


@cache
def _known_code() -> Mapping[str, KnownCode]:
    """What is known of classes, by the digests of their code."""
    tables = read_toml(data_file("models", "webdiplomacy.toml"), MapError).get("code", [])
    return {one["sha256"]: KnownCode.of(one) for one in tables}
