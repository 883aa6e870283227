"""Reads variants of godip, whose maps diplicity uses: the tables that a Go file contains as literals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from satjudge.base.errors import MapError, locate_errors
from satjudge.base.resources import data_file, read_file, read_toml
from satjudge.files.maps.drawings import find_path_start, parse_colour, parse_translation, read_outlines
from satjudge.files.maps.packages import Element, open_package, parse_xml
from satjudge.files.maps.place_names import assign_coast_codes
from satjudge.world.geography import Location, Point, fold, load_map, normal, province_of, shipped_tables
from satjudge.world.map_tables import Tables, complete

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STATED = re.compile(r"=\s{0,9}common\.Variant\{")
_NATION = re.compile(r'\b(?P<name>\w+)\s+godip\.Nation\s*=\s*"(?P<title>[^"\n]{1,60})"')
_NATIONS = re.compile(r"\bNations(?:\s*=|:)\s*(?:\[\]godip\.Nation\{(?P<listed>[^}]*)\}|(?P<own>Nations\b)|(?P<other>[\w.]+))")
_PLACE = re.compile(r'\bProv\("(?P<place>[\w/]+)"\)(?P<rest>.*?)(?=\bProv\("|\bDone\(\))', re.DOTALL)
_BORDER = re.compile(r'\bConn\("(?P<to>[\w/]+)",\s*(?P<kinds>[^)]*)\)')
_TERRAIN = re.compile(r"\bFlag\((?P<kinds>[^)]*)\)")
_CENTER = re.compile(r"\bSC\((?P<home>[\w.]+)\)")
_UNIT = re.compile(
    r'"(?P<place>[\w/]+)":\s*(?:godip\.Unit)?\{(?:Type:\s*)?godip\.(?P<kind>\w+),\s*(?:Nation:\s*)?(?P<nation>[\w.]+),?\s*\}'
)
_OWNED = re.compile(r'"(?P<place>[\w/]+)":\s*(?P<nation>[\w.]+),')
_NAMED = re.compile(r'"(?P<place>[\w/]+)":\s*"(?P<name>[^"\n]{1,80})"')
_FIRST = re.compile(r"\b(?:New)?Phase\((?P<year>\d{1,4}), (?:godip\.)?(?P<season>\w+), godip\.(?P<kind>\w+)\)")
_BEGINNINGS = {("Spring", "Movement"): 0, ("Fall", "Adjustment"): 1}
"""The phases in which games begin, with the number of years until the first Spring."""
_TURNS = re.compile(
    r"phase\.Yr%(?P<every>\d{1,3}) == 0\b.{0,900}?\.Year\(\)%(?P=every) == (?P<turn>\d{1,3}) \{"
    r"\s{0,9}return Phase\(self\.Year\(\)\+(?P=turn), .{0,300}?return Phase\(self\.Year\(\)\+(?P=turn), ",
    re.DOTALL,
)
"""The phases of a variant with one turn per year, as in godip's Hundred: builds follow every second turn."""
_WINS = re.compile(r"common\.SCCountWinner\((\d{1,4})\)")
_LEADS = re.compile(
    r"highestSCCount >= (?P<centers>\d{1,4}) \{.{0,300}?"
    r"highestSCCount-secondHighestSCCount > (?P<year>\d{1,4})-s\.Phase\(\)\.Year\(\)",
    re.DOTALL,
)
"""The victory rule of godip's TwentyTwenty: a number of centres, or a lead that shrinks by one each year until that year."""
_NEUTRAL_CENTERS = re.compile(
    r"for _, sc := range \w{1,60}\(\)\.SCs\(godip\.Neutral\) \{\s{1,9}if err = result\.SetUnit\(godip\.Province\(sc\), "
    r"godip\.Unit\{\s{1,9}Type:\s{1,9}godip\.Army,\s{1,9}Nation: godip\.Neutral,\s{1,9}\}\)"
)
"""A neutral army in each centre that nobody owns."""
_NEUTRAL_ORDERS = re.compile(r"= orders\.Hold\(prov\).{0,500}?= orders\.BuildAnywhere\(prov, godip\.Army,", re.DOTALL)
"""The effect of the function NeutralOrders: neutral units hold, and centres that are still neutral get their armies back."""
_FIRST_BUILDS = re.compile(
    r"PreProcess\(s godip\.State\) \(err error\) \{\s{0,9}if self\.Type\(\) == godip\.Adjustment && self\.Year\(\) == \d"
    r".{0,500}?ords\[prov\] = orders\.BuildAnywhere\(prov, godip\.Army,", re.DOTALL
)  # fmt: skip
"""The only known special action at the beginning: armies are built where the first builds were not ordered (Chaos)."""
_OWN_RULES = (".SetUnit(", "Exec(", "AddOrder", "ForceDisband", "PreProcess(", "PostProcess(")
"""Text in files that change the board by special rules."""
_ADJUSTED = re.compile(r"\bphase\.Generator\((?P<parser>[\w.]+), (?P<adjusted>[\w.]+)\)")
_BLANK = re.compile(r"\bstate\.New\([^,]*, *phase, *(?P<backup>[\w.]+), *(?P<flags>nil|map\[[^}]*\}), *(?P<neutral>[\w.]+)\)")
_ARMIES_ONLY = "[]godip.UnitType{godip.Army}"
_CLASSICAL_NATIONS = ("Austria", "England", "France", "Germany", "Italy", "Turkey", "Russia")
"""The powers that `classical.Nations` lists."""
_ORDERS = re.compile(r"\b(?P<name>\w+) = orders\.NewParser\(\[\]godip\.Order\{(?P<listed>[^}]*)\}\)")
_NEEDED = {"BuildOrder", "DisbandOrder", "HoldOrder", "MoveOrder", "SupportOrder"}
"""The orders of the game, except those that only fleets and their convoys need."""
_FIELDS = {
    "PhaseTypes": ("classical.PhaseTypes",),
    "Seasons": ("classical.Seasons", "[]godip.Season{YearSeason}"),
    "UnitTypes": ("classical.UnitTypes", _ARMIES_ONLY),
    "Phase": ("classical.NewPhase", "Phase", "NewPhase", "newPhase"),
}
"""The values of a variant's fields that stand for rules that satjudge has."""
_BUILDS: Mapping[str, Mapping[str, bool]] = {
    "classical.Parser": {},
    "hundred.BuildAnywhereParser": {"builds_anywhere": True},
    "BuildAnywhereParser": {"builds_anywhere": True},
    "BuildAnyHomeCenterParser": {"builds_in_any_home": True},
}
"""The rule for builds, as keys of a map, by the parser of a variant's orders."""
_LAND, _SEA, _CONVOYS = "Land", "Sea", "Convoyable"
_SHORT = {"Coast": {_LAND, _SEA}, "Archipelago": {_LAND, _SEA, _CONVOYS}}
_UNITS = {"Army": "A", "Fleet": "F"}
_NEUTRAL = "Neutral"
_NEUTRAL_ELSEWHERE = "westernworld901.NeutralOrders"
"""The function of godip's WesternWorld901, which other variants use too."""


def is_variant(text: str) -> bool:
    """Return whether a text is a Go file that uses godip."""
    return "github.com/zond/godip" in text[:5000]


def defines_variant(text: str) -> bool:
    """Return whether the beginning of a Go file uses godip and defines a variant; the package's other files do not."""
    return is_variant(text) and _STATED.search(text) is not None


def read(path: Path) -> Tables:
    """Read a variant's Go file into the tables of a map, or raise `MapError` for rules that satjudge cannot play."""
    with locate_errors(str(path)):
        turns = (
            "".join(map(_strip_comments, sorted(path.parent.glob("*phase.go"))))
            if "YearSeason" in (text := _strip_comments(path))
            else ""
        )
        if (known := find_known_tables(text)) is not None:
            return known
        variant = _Variant(text, turns)
        tables = variant.tables()
        return {**tables, **_read_picture(variant, path.parent, tables)}


def _read_picture(variant: _Variant, folder: Path, tables: Tables) -> dict[str, Any]:
    """Return keys to add to a map's tables: `geometry` from its picture, `lacks` if that is unreadable, or {} without one."""

    def find_location(name: str) -> str | None:
        code, _, coast = fold(name).partition("/")
        known = coast in variant.coasts.get(code, ()) if coast else code.upper() in tables["province"]
        return variant.format_place(fold(name)) if known else None

    try:
        geometry = read_geometry(variant.text, folder, find_location)
    except MapError as error:
        return {"lacks": [*tables.get("lacks", ()), f"a picture that can be read: {error}"]}
    return {"geometry": geometry} if geometry else {}


def _strip_comments(path: Path) -> str:
    """Return the text of a Go file without its comments."""
    return _COMMENT.sub("", read_file(path).decode("utf-8", errors="replace"))


class _Variant:
    """A reader of one variant."""

    def __init__(self, text: str, turns: str = "") -> None:
        self.text, self.turns = text, turns
        self.neutral_centers = _NEUTRAL_CENTERS.search(text) is not None
        self.rebuilds = False
        """True if neutral armies are rebuilt."""
        self.titles = {found["name"]: found["title"] for found in _NATION.finditer(text)}
        nations = self._list_nations()
        coasts = dict.fromkeys(found["place"] for found in _PLACE.finditer(text) if "/" in found["place"])
        self.coasts = {
            one: [other.partition("/")[2] for other in coasts if other.startswith(f"{one}/")]
            for one in (place.partition("/")[0] for place in coasts)
        }
        neutral = self.neutral_centers or f"godip.{_NEUTRAL}" in self._find_map_literal("SetUnits")
        nations += [f"godip.{_NEUTRAL}"] if neutral else []
        self.powers = {name: re.sub(r"\W+", "-", self._title(name)).strip("-").upper() for name in nations}

    def _list_nations(self) -> list[str]:
        """List the nations that are played, spelled as in the Go file; raise `MapError` if it lists none."""
        nations = list(_NATIONS.finditer(self.text))
        for found in nations:
            if found["listed"]:
                return [name.strip() for name in found["listed"].split(",") if name.strip()]
        if any(found["other"] == "classical.Nations" for found in nations):
            return [f"godip.{name}" for name in _CLASSICAL_NATIONS]
        raise MapError("the file does not list the nations")

    def _title(self, name: str) -> str:
        return self.titles.get(name, name.removeprefix("godip."))

    def format_place(self, name: str) -> str:
        """Write a place of godip (`meo/river`) as a location of satjudge (`MEO/NC`)."""
        code, _, coast = name.partition("/")
        return f"{code}/{assign_coast_codes(self.coasts[code])[coast]}".upper() if coast else code.upper()

    def tables(self) -> Tables:
        """Return the map as the tables of a TOML map file: provinces, borders, powers and rules."""
        building = self._read_build_rule()
        years = self._read_year_numbering()
        rules = {**years, **self._read_victory(int(_FIRST.search(self.text)["year"])), **building}  # type: ignore[index]
        if (neutral := f"godip.{_NEUTRAL}") in self.powers:
            rules["neutral"] = {"power": self.powers[neutral], **({"rebuilds": True} if self.rebuilds else {})}
        if _FIRST_BUILDS.search(self.text):
            rules["lacks"] = ["godip's armies where nobody orders the first builds: here, none are built"]
        return self.board_tables() | rules

    def board_tables(self) -> dict[str, Any]:
        """Return the tables of the map without the rules of the game: names, powers and provinces."""
        provinces = self._provinces()
        self._write_start(provinces)
        title = self._read_field("Name").strip('"')
        return {
            "name": re.sub(r"\W+", "-", fold(title)).strip("-"),
            "title": title,
            "powers": list(self.powers.values()),
            "power": {
                power: {"name": self._title(name), "adjective": self._title(name)} | self._find_colour(name)
                for name, power in self.powers.items()
            },
            "province": provinces,
        }

    def _find_colour(self, name: str) -> dict[str, str]:
        """Return `{"color": "#…"}` for a nation; {} if the file contains no colour for it that can be read."""
        found = re.search(rf'\b{re.escape(name)}:\s*"(?P<colour>#[^"\n]{{3,8}})"', self._find_map_literal("NationColors"))
        colour = parse_colour(found["colour"]) if found else None
        return {"color": colour} if colour else {}

    # ------------------------------------------------------------ the rules

    def _read_field(self, name: str) -> str:
        """Return the text of the value of a field in the variant's Go struct; raise `MapError` if it is missing."""
        found = re.search(rf"^\s*{name}:\s*(?P<value>[^\n]*?),?\s*$", self.text, re.MULTILINE)
        if found is None:
            raise MapError(f"the variant has no {name}")
        return found["value"]

    def _read_build_rule(self) -> Mapping[str, bool]:
        """Return a map's keys for where powers may build, and set `rebuilds`; raise `MapError` for any unsupported rule."""
        for name, known in _FIELDS.items():
            if (rule := self._read_field(name)) not in known and not (name == "Phase" and _ADJUSTED.match(rule)):
                raise MapError(f"{name}: {rule}: satjudge has no such rule")
        parser = self._read_field("Parser")
        by_land = self._read_field("UnitTypes") == _ARMIES_ONLY
        if by_land and any(_SEA in _read_kinds(found["kinds"]) for found in _TERRAIN.finditer(self.text)):
            raise MapError(f"UnitTypes: {_ARMIES_ONLY}: satjudge does not support seas without fleets")
        orders = {found["name"]: set(re.findall(r"\b\w+Order\b", found["listed"])) for found in _ORDERS.finditer(self.text)}
        builds = {} if by_land and orders.get(parser) == _NEEDED else _BUILDS.get(parser)
        if builds is None:
            raise MapError(f"Parser: satjudge does not support the orders of {parser}")
        phase = _ADJUSTED.search(self.text)
        if self._read_field("Phase") != "classical.NewPhase" and not (
            _TURNS.search(self.turns) or (phase and phase["adjusted"] == "classical.AdjustSCs")
        ):
            raise MapError(f"Phase: {self._read_field('Phase')}: satjudge does not support its rules")
        blank = _BLANK.search(self.text)
        if blank is None or blank["backup"] != "classical.BackupRule":
            raise MapError("the variant does not create its board with `state.New` and the usual backup rule")
        self.rebuilds = blank["neutral"] == _NEUTRAL_ELSEWHERE or (
            blank["neutral"] == "NeutralOrders" and _NEUTRAL_ORDERS.search(self.text) is not None
        )
        if blank["neutral"] != "nil" and not self.rebuilds:
            raise MapError(f"{blank['neutral']}: satjudge does not support neutral units")
        rest = _FIRST_BUILDS.sub("", _NEUTRAL_CENTERS.sub("", self.text))
        if any(name in rest for name in _OWN_RULES):
            raise MapError("the game begins under special rules, which satjudge does not support")
        return builds

    def _read_year_numbering(self) -> dict[str, Any]:
        """Return a map's key `first_year` and, if years do not count up by one, `years`; may raise `MapError`."""
        found, turns = _FIRST.search(self.text), _TURNS.search(self.turns)
        if found is not None and turns is not None and found["kind"] == "Movement":
            year, every, turn = int(found["year"]), int(turns["every"]), int(turns["turn"])
            if every == 2 * turn and (year + turn) % every == 0:
                return {"first_year": 1, "years": {"first": year, "step": every, "fall": turn}}
        by_turns = "YearSeason" in self._read_field("Seasons")
        later = None if found is None or by_turns else _BEGINNINGS.get((found["season"], found["kind"]))
        if found is None or later is None:
            raise MapError("satjudge supports only games that begin with the moves of a Spring or with builds before it")
        year = int(found["year"]) + later
        return {"first_year": year} if year else {"first_year": 1, "years": {"first": 0}}

    def _read_victory(self, year: int) -> dict[str, Any]:
        """Return a map's keys `victory` and perhaps `victory_lead`, by the first `year`; `MapError` for other rules."""
        stated = self._read_field("SoloWinner")
        if wins := _WINS.fullmatch(stated):
            return {"victory": int(wins[1])}
        leads = _LEADS.search(self.text)
        if leads is None or f"func {stated}(" not in self.text:
            raise MapError(f"SoloWinner: {stated}: satjudge does not support this way to win")
        lead = {"first": int(leads["year"]) - year + 1, "less_each_year": 1}
        return {"victory": int(leads["centers"]), "victory_lead": lead}

    # ------------------------------------------------------------ the board

    def _provinces(self) -> dict[str, dict[str, Any]]:
        places = {self.format_place(found["place"]): found["rest"] for found in _PLACE.finditer(self.text)}
        if not places:
            raise MapError("the file contains no provinces: the map is based on another one")
        stated = {
            found["place"].upper(): found["name"] for found in _NAMED.finditer(self._find_map_literal("provinceLongNames"))
        }
        used_names = set(map(normal, stated.values()))
        names = {code: name for code, name in _map_standard_names().items() if normal(name) not in used_names} | stated
        provinces: dict[str, dict[str, Any]] = {}
        for place, rest in places.items():
            if "/" not in place:
                coasts = [other for other in places if other.startswith(f"{place}/")]
                provinces[place] = {"name": names.get(place, place), **self._terrain(place, rest, bool(coasts))}
                if center := _CENTER.search(rest):
                    home = center["home"].removeprefix("godip.")
                    provinces[place] |= {"center": True}
                    provinces[place] |= {} if home == _NEUTRAL else {"home": self._power(center["home"])}
        for origin, destination, kinds in self._borders(places):
            code, _, coast = origin.partition("/")
            if _LAND in kinds:
                _add(provinces[code], "army", destination.partition("/")[0])
            if _SEA in kinds and coast:
                _add(provinces[code].setdefault("coasts", {}), coast.lower(), destination)
            elif _SEA in kinds and not provinces[code].get("coasts"):
                ends = (provinces[code]["kind"], provinces[province_of(destination)]["kind"])
                if "inland" not in ends:  # a fleet needs the sea at both ends, whatever the border's flags are
                    _add(provinces[code], "fleet", destination)
        for province in provinces.values():
            if "coasts" in province:
                province.pop("fleet", None)
        return provinces

    def _borders(self, places: dict[str, str]) -> Iterator[tuple[str, str, frozenset[str]]]:
        for place, rest in places.items():
            for found in _BORDER.finditer(rest):
                to, kinds = self.format_place(found["to"]), _read_kinds(found["kinds"])
                if to not in places:
                    raise MapError(f"{place} borders on {to}, which is not a province")
                split = any(other.startswith(f"{one}/") for one in (place, to) for other in places)
                yield place, to, kinds - {_SEA} if split else kinds

    def _terrain(self, place: str, flags: str, split: bool) -> dict[str, Any]:
        found = _TERRAIN.search(flags)
        kinds = _read_kinds(found["kinds"]) if found else frozenset[str]()
        if split or {_LAND, _SEA} <= kinds <= {_LAND, _SEA, _CONVOYS}:
            return {"kind": "coast", **({"convoys": True} if _CONVOYS in kinds else {})}
        if kinds not in ({_LAND}, {_SEA}):
            raise MapError(f"{place}: {found['kinds'] if found else 'no Flag'}: satjudge supports only land, sea and coasts")
        return {"kind": "inland" if kinds == {_LAND} else "sea"}

    def _write_start(self, provinces: dict[str, dict[str, Any]]) -> None:
        """Add the owners of supply centres and the starting units to the provinces' tables."""
        centers = {
            found["place"].upper(): found["nation"] for found in _OWNED.finditer(self._find_map_literal("SetSupplyCenters"))
        }
        owned = {code: self._power(nation) for code, nation in centers.items() if nation != f"godip.{_NEUTRAL}"}
        for code, power in owned.items():
            self._check_province(code, provinces)
            if provinces[code].get("home") != power:
                provinces[code] |= {"owner": power}
        for code, province in provinces.items() if centers else ():  # if none are listed the homes are owned (Chaos)
            if "home" in province and code not in owned:
                province["owner"] = ""
        for found in _UNIT.finditer(self._find_map_literal("SetUnits")):
            code, _, coast = self.format_place(found["place"]).partition("/")
            self._check_province(code, provinces)
            if found["kind"] not in _UNITS:
                raise MapError(f"satjudge supports only armies and fleets, not {found['kind']}")
            power = self._power(found["nation"])
            own = provinces[code].get("home") == power
            provinces[code] |= {"unit": _UNITS[found["kind"]]} | ({"unit_coast": coast.lower()} if coast else {})
            provinces[code] |= {} if own else {"unit_power": power}
        self._place_neutral(provinces)

    def _place_neutral(self, provinces: dict[str, dict[str, Any]]) -> None:
        """Add the neutral power's armies and its ownership, each if the variant has that rule, to unowned supply centres."""
        power = self.powers.get(f"godip.{_NEUTRAL}", "")
        for province in provinces.values():
            if province.get("center") and not province.get("home") and not province.get("owner"):
                province |= {"unit": "A", "unit_power": power} if self.neutral_centers else {}
                province |= {"owner": power} if self.rebuilds else {}

    def _find_map_literal(self, name: str) -> str:
        """Return the text between the braces of the Go map literal after a name, or in a function called there; "" if none."""
        if called := re.search(rf"\b{name}\((?P<function>\w+)\(\)\)", self.text):
            return self._find_map_literal(rf"func {called['function']}\(\)[^{{]{{0,200}}\{{\s*return")
        found = re.search(rf"\b{name}\b[^\n{{]{{0,200}}map\[[\w.]{{1,60}}\][\w.]{{1,60}}\{{", self.text)
        if found is None:
            return ""
        depth, end = 1, found.end()
        while depth and end < len(self.text):
            depth += {"{": 1, "}": -1}.get(self.text[end], 0)
            end += 1
        return self.text[found.end() : end]

    def _check_province(self, code: str, provinces: dict[str, dict[str, Any]]) -> None:
        if code not in provinces:
            raise MapError(f"there is no province {code}")

    def _power(self, name: str) -> str:
        if name == f"godip.{_NEUTRAL}" and name not in self.powers:
            raise MapError("there are neutral units on the board, which satjudge does not support")
        if name not in self.powers:
            raise MapError(f"{name:.40} is not one of the nations that are played")
        return self.powers[name]


def _read_kinds(text: str) -> frozenset[str]:
    """Parse a Go list of flags into a set of names: `Land` and `Sea` for kinds of units, and others such as `Convoyable`."""
    names = [part.strip().removeprefix("godip.").removesuffix("...") for part in text.split(",") if part.strip()]
    return frozenset().union(*(_SHORT.get(name, {name}) for name in names))


@cache
def _map_standard_names() -> dict[str, str]:
    """Return the names of the standard map's provinces, by code and three-letter alias, as godip files may omit them."""
    provinces = load_map("standard").provinces.items()
    return {spelling.upper(): one.name for code, one in provinces for spelling in (code, *one.aliases) if len(spelling) == 3}


def _add(table: dict[str, Any], key: str, place: str) -> None:
    table[key] = sorted({*table.get(key, ()), place})


# ---- The SVG next to the Go file: the places of units and the areas of provinces ----
#
# As from jDip's pictures, only numbers are copied: no script, style, image or reference gets into satjudge's pictures.

_PICTURE = re.compile(
    r"\bSVGMap:\s{1,9}func\(\) \(\[\]byte, error\) \{\s{1,9}return (?:(?P<variant>\w{1,60})\.)?"
    r'Asset\("(?P<file>svg/[\w-]{1,60}\.svg)"\)'
)
"""A variant's reference to its picture: its own, or that of a variant in a neighbouring folder."""
_AREAS = "provinces"
"""The layer with the areas of provinces."""
_MARK_OF_CENTER = "Center"
"""The end of the ids of those paths that begin where a unit stands."""
_NUMBER = re.compile(r"-?[0-9]{1,7}(?:\.[0-9]{1,20})?")


def read_geometry(text: str, folder: Path, find_location: Callable[[str], Location | None]) -> dict[str, Any] | None:
    """Return the `geometry` of the picture that a variant's file names; None if there is no picture that fits the map.

    `find_location` returns the location to which a name in the picture refers. Raises `MapError` for a file that is not a
    picture.
    """
    match = _PICTURE.search(text)
    home = folder.parent / match["variant"] if match and match["variant"] else folder
    found = open_package(home, match["file"]) if match and home.is_dir() else None
    if match is None or found is None:
        return None
    picture = parse_xml(found.read_member(match["file"]), found.format_file_name(match["file"]))
    box = _NUMBER.findall(picture.get("viewBox"))
    units = {
        place: [round(x, 1), round(y, 1)]
        for name, (x, y) in _find_unit_places(picture, (0.0, 0.0))
        if (place := find_location(name))
    }
    if len(box) != 4 or not units:
        return None
    left, top, width, height = map(float, box)
    centers = {code: at for code, at in units.items() if code == province_of(code)}
    areas = read_outlines(picture, find_location, _AREAS)
    return {"size": [width, height], "origin": [left, top], "units": units, "centers": centers} | (
        {"outlines": areas} if areas else {}
    )


def _find_unit_places(part: Element, shift: Point) -> Iterator[tuple[str, Point]]:
    """Yield the name of each place in a picture with the point where its units stand; skip rotated or scaled parts."""
    for child in part.parts:
        by = parse_translation(child.get("transform"))
        if by is None:
            continue
        at = (shift[0] + by[0], shift[1] + by[1])
        name = child.get("id")
        if name.endswith(_MARK_OF_CENTER) and (place := find_path_start(child, at)):
            yield name.removesuffix(_MARK_OF_CENTER), place
        yield from _find_unit_places(child, at)


# ---- Variants whose program changes the classical board: models/godip.toml has their maps by a digest of the Go file ----
#
# The classical board itself is satjudge's standard map: its borders, centres and units are the same (tests/files).


def find_known_tables(text: str) -> Tables | None:
    """Return the tables of the variant with this Go text, if models/godip.toml contains it (by its hash), or None."""
    known = _load_known_variants().get(sha256("".join(text.split()).encode()).hexdigest())
    return complete(known, shipped_tables) if known is not None else None


@cache
def _load_known_variants() -> dict[str, Tables]:
    return {one["sha256"]: one["map"] for one in read_toml(data_file("models", "godip.toml"), MapError)["variant"]}
