"""Reads packages of jDip: `variants.xml`, a file with the borders, and SVG pictures with places for the units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from satjudge.base.errors import MapError, NotFoundError, locate_errors
from satjudge.files.maps.drawings import list_fill_colours, read_outlines
from satjudge.files.maps.packages import Element, Package, parse_xml
from satjudge.world.geography import fold, normal, province_of
from satjudge.world.map_tables import Tables

MAIN = "variants.xml"
_NOBODY = ("", "none", "any")
_UNITS = {"army": "A", "fleet": "F"}
_COASTS = ("nc", "sc", "ec", "wc")
_BUILDS = {
    "VALUE_BUILDS_HOME_ONLY": {},
    "VALUE_BUILDS_ANY_OWNED": {"builds_anywhere": True},
    "VALUE_BUILDS_ANY_IF_HOME_OWNED": {"builds_anywhere": True, "builds_need_home": True},
}
"""A map's keys for jDip's rules on builds."""
_YEAR = re.compile(r"(?P<season>\w+)[,\s]+(?P<year>\d{1,5})\b(?!\s*BC)", re.IGNORECASE)
_COUNT = re.compile(r"[0-9]{1,4}")
_NUMBER = r"-?[0-9]{1,7}(?:\.[0-9]+)?"
_MOVED = re.compile(rf"\s*translate\(\s*({_NUMBER})[\s,]+({_NUMBER})\s*\)")


def read(package: Package, variant: str = "") -> Tables:
    """Read the variant of this name, or for "" the only or default one, from a package into the tables of a map.

    Raises `MapError` with the file and the line.
    """
    with locate_errors(package.format_file_name(MAIN)):
        main = parse_xml(package.read_member(MAIN), package.format_file_name(MAIN))
        chosen = _choose_variant(list(main.iter_elements("VARIANT")), variant)
        return _Variant(package, main, chosen).tables()


def list_variants(package: Package) -> list[str]:
    """List the names of the variants in a package, in their order, or raise `MapError`."""
    return [
        variant.require_attribute("name")
        for variant in parse_xml(package.read_member(MAIN), package.format_file_name(MAIN)).iter_elements("VARIANT")
    ]


def _choose_variant(variants: list[Element], name: str) -> Element:
    """Return the variant of this name or alias or, for "", the only or default one; raise `NotFoundError` or `MapError`."""
    matching = [variant for variant in variants if fold(name) in (fold(spelling) for spelling in _spellings(variant))]
    found = (matching if name else variants) if len(variants) != 1 or name else variants
    if len(found) > 1:
        found = [variant for variant in found if variant.get("default") == "true"]
    if len(found) == 1:
        return found[0]
    known = ", ".join(variant.get("name") for variant in variants)
    if not variants:
        raise MapError("the file contains no variant")
    problem = f"there is no variant {name!r:.60}" if name else f"the package contains {len(variants)} variants"
    raise NotFoundError(problem, suggestion=f"name one after a #: {known}")


def _spellings(variant: Element) -> list[str]:
    return [variant.get("name"), *(alias.strip() for alias in variant.get("aliases").split(","))]


class _Variant:
    """A reader of one variant."""

    def __init__(self, package: Package, main: Element, variant: Element) -> None:
        self.package, self.main, self.variant = package, main, variant
        map_element = variant.find_first("MAP")
        if map_element is None:
            raise MapError("the variant does not name a MAP", line=variant.line)
        self.file = map_element.require_attribute("adjacencyURI")
        self.borders = parse_xml(package.read_member(self.file, map_element.line), package.format_file_name(self.file))
        with locate_errors(package.format_file_name(self.file)):
            self.places = {
                place.require_attribute("shortname").upper(): place for place in self.borders.iter_elements("PROVINCE")
            }
            spellings = {
                code: (place.require_attribute("fullname"), *_unique_names(place)) for code, place in self.places.items()
            }
            self.walled = {code for code, place in self.places.items() if _is_walled_off(code, place)}
            self.seas = {code for code, place in self.places.items() if _is_sea(place)}
        self.mended: list[str] = []
        """The provinces with borders by which armies would go to sea."""
        self.spelt = Counter(normal(name) for _, *others in spellings.values() for name in others)
        """The number of provinces with each name, apart from their full names."""
        self.codes = {normal(name): code for code, names in spellings.items() for name in names}
        self.codes |= {normal(code): code for code in self.places}
        self.powers = {power.require_attribute("name").upper(): power for power in variant.iter_elements("POWER")}
        self.aliases = {
            fold(spelling): name
            for name, power in self.powers.items()
            for spelling in (name, power.get("adjective"), *_split_list(power.get("altnames") or power.get("altname")))
        }

    # ------------------------------------------------------------ names

    def _parse_location(self, text: str, element: Element) -> str:
        """Parse `stp-sc` or `stp/sc` as `STP/SC`; raise `MapError` with the element's line for an unknown province."""
        place, _, coast = text.replace("/", "-").rpartition("-") if text[-3:-2] in ("-", "/") else (text, "", "")
        code = self.codes.get(normal(place))
        if code is None:
            raise MapError(f"there is no province {text!r:.40}", line=element.line)
        return f"{code}/{coast.upper()}" if coast and fold(coast) in _COASTS else code

    def _power(self, text: str, element: Element) -> str | None:
        if fold(text) in _NOBODY:
            return None
        power = self.aliases.get(fold(text))
        if power is None:
            raise MapError(f"there is no power {text!r:.40}", line=element.line)
        return power

    # ------------------------------------------------------------ the map

    def tables(self) -> Tables:
        """Return the map as the tables of a TOML map file: provinces, borders, powers and rules."""
        unseen = self.walled - {code for code, _ in self._centers()}
        with locate_errors(self.package.format_file_name(self.file)):
            provinces = {code: self._province(code, place) for code, place in self.places.items() if code not in unseen}
            closed = self._read_special_borders(provinces)
        lacks = _drop_inland_fleet_borders(provinces)
        if self.mended:
            lacks.append(
                f"army borders into seas, from {', '.join(self.mended)}: they count as borders for fleets, or are left out"
            )
        for code, center in self._centers():
            self._check_province(code, provinces, center)
            provinces[code] |= self._center(center)
        for start in self.variant.iter_elements("INITIALSTATE"):
            location = self._parse_location(start.require_attribute("province"), start)
            self._check_province(province_of(location), provinces, start)
            provinces[province_of(location)] |= self._start(start, provinces[province_of(location)].get("home"))
        optional = {
            "victory": self._victory(),
            **self._builds(),
            "closed": closed,
            "geometry": self._read_geometry(frozenset(provinces)),
        }
        return {
            "name": re.sub(r"\W+", "-", fold(self.variant.require_attribute("name"))).strip("-"),
            "title": self.variant.require_attribute("name"),
            **({"lacks": lacks} if lacks else {}),
            "first_year": self._first_year(),
            "powers": list(self.powers),
            **{key: value for key, value in optional.items() if value and key not in ("closed", "geometry")},
            "power": {name: _power_table(power) | self._find_colour(name) for name, power in self.powers.items()},
            "province": provinces,
            **{key: value for key, value in optional.items() if value and key in ("closed", "geometry")},
        }

    def _check_province(self, code: str, provinces: dict[str, Any], element: Element) -> None:
        if code not in provinces:
            raise MapError(f"{code} cannot be reached from any province", line=element.line)

    def _province(self, code: str, place: Element) -> dict[str, Any]:
        exits: dict[str, list[str]] = {}
        for kind, places in self._drop_army_sea_borders(code, list(self._read_adjacencies(place))):
            others = {other for other in places if province_of(other) != code and province_of(other) not in self.walled}
            exits[kind] = sorted({*exits.get(kind, ()), *others})
        coasts = {kind: places for kind, places in exits.items() if kind in _COASTS}
        kind = "sea" if "mv" not in exits else "coast" if len(exits) > 1 else "inland"
        aliases = [name for name in _unique_names(place) if self.spelt[normal(name)] == 1 and self.codes[normal(name)] == code]
        return {
            "name": place.require_attribute("fullname"),
            **({"aliases": aliases} if aliases else {}),
            "kind": kind,
            **({"convoys": True} if place.get("isConvoyableCoast") == "true" else {}),
            **({"army": sorted(map(province_of, exits["mv"]))} if "mv" in exits else {}),
            **({"coasts": coasts} if coasts else {"fleet": exits["xc"]} if "xc" in exits else {}),
        }

    def _read_adjacencies(self, place: Element) -> Iterator[tuple[str, list[str]]]:
        """Yield each kind of border of a province (mv: armies, xc: fleets, nc …: coasts) with the locations it leads to."""
        for entry in place.list_children("ADJACENCY"):
            kind = entry.get("type") or "mv"
            if kind not in ("mv", "xc", *_COASTS):
                raise MapError(f"borders of the type {kind!r:.20}: jDip has mv, xc, nc, sc, ec and wc", line=entry.line)
            yield kind, [self._parse_location(text, entry) for text in _split_list(entry.get("refs"))]

    def _drop_army_sea_borders(self, code: str, borders: Sequence[tuple[str, list[str]]]) -> Iterator[tuple[str, list[str]]]:
        """Yield a province's borders by kind; those of armies into seas, noted in `mended`, are dropped or become fleets' ones.

        If a place has no other borders, these are kept as borders for fleets (the Punic Sea of AncMed, Ceylon in Imperial).
        """
        by_land_only = all(kind == "mv" for kind, _ in borders)
        for kind, places in borders:
            seas = self.seas.intersection(places) if kind == "mv" else frozenset[str]()
            if seas:
                self.mended.append(code)
            if seas and by_land_only and (len(borders) == 1 or seas.issuperset(places)):
                yield "xc", places
            else:
                yield kind, [other for other in places if other not in seas]

    def _read_special_borders(self, provinces: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
        """Add difficult borders to the provinces' tables, and return the codes of the provinces closed in each season."""
        borders = {border.require_attribute("id"): border for border in self.borders.iter_elements("BORDER")}
        closed: dict[str, list[str]] = {}
        for code, place in self.places.items():
            for name in place.get("borders").split():
                if name not in borders:
                    raise MapError(f"there is no border named {name!r:.40}", line=place.line)
                border = borders[name]
                conditions = {
                    key: border.get(key) for key in border.attributes if key not in ("id", "description") and border.get(key)
                }
                if conditions.keys() == {"from", "baseMoveModifier"} and conditions["baseMoveModifier"] == "-1":
                    others = [province_of(self._parse_location(text, border)) for text in _split_list(conditions["from"])]
                    for other in others:
                        self._check_province(code, provinces, place)
                        self._check_province(other, provinces, border)
                        _add(provinces[code], "difficult", other)
                        _add(provinces[other], "difficult", code)
                elif conditions.keys() == {"season"} and fold(conditions["season"]) in ("spring", "fall"):
                    self._check_province(code, provinces, place)
                    closed.setdefault(fold(conditions["season"]), []).append(code)
                else:
                    conditions_text = ", ".join(f"{key} {value}" for key, value in conditions.items())
                    known = "difficult ones (baseMoveModifier -1 from a province) and provinces closed in Spring or in Fall"
                    raise MapError(f"the border {name} ({conditions_text}): satjudge supports only {known}", line=border.line)
        return closed

    # ------------------------------------------------------------ the game

    def _centers(self) -> Iterator[tuple[str, Element]]:
        for center in self.variant.iter_elements("SUPPLYCENTER"):
            yield province_of(self._parse_location(center.require_attribute("province"), center)), center

    def _center(self, center: Element) -> dict[str, Any]:
        home, owner = self._power(center.get("homepower"), center), self._power(center.get("owner"), center)
        return {"center": True, **({"home": home} if home else {}), **({"owner": owner or ""} if owner != home else {})}

    def _start(self, start: Element, home: str | None) -> dict[str, Any]:
        kind = fold(start.require_attribute("unit"))
        if kind not in _UNITS:
            raise MapError(f"satjudge supports only armies and fleets, not {kind!r:.20}", line=start.line)
        power = self._power(start.require_attribute("power"), start)
        coast = start.get("unitcoast") or self._parse_location(start.require_attribute("province"), start).partition("/")[2]
        return {
            "unit": _UNITS[kind],
            **({"unit_coast": fold(coast)} if fold(coast) in _COASTS else {}),
            **({"unit_power": power} if power != home else {}),
        }

    def _first_year(self) -> int:
        time = self.variant.find_first("STARTINGTIME")
        if time is None:
            return 1901
        found = _YEAR.match(time.require_attribute("turn"))
        if found is None:
            raise MapError(f"{time.get('turn')!r:.60}: satjudge supports only years that count up", line=time.line)
        later = fold(found["season"]) == "winter" or "adjustment" in fold(time.get("turn"))
        return int(found["year"]) + later

    def _victory(self) -> int | None:
        centers = self.variant.find_first("WINNING_SUPPLY_CENTERS")
        if centers is None:
            return None
        found = _COUNT.fullmatch(centers.require_attribute("value"))
        if found is None:
            raise MapError("<WINNING_SUPPLY_CENTERS>: write the number of centres needed to win, up to 9999", line=centers.line)
        return int(found[0])

    def _builds(self) -> dict[str, bool]:
        for option in self.variant.iter_elements("RULEOPTION"):
            if option.get("name") == "OPTION_BUILDS":
                if option.get("value") not in _BUILDS:
                    raise MapError(f"{option.get('value')}: satjudge does not support this rule for builds", line=option.line)
                return _BUILDS[option.get("value")]
        return {}

    # ------------------------------------------------------------ the picture

    def _read_geometry(self, codes: frozenset[str]) -> dict[str, Any] | None:
        """Return the `geometry` of these provinces in the picture: size, places and outlines; None if it is not usable."""
        picture = self._picture
        if picture is None:
            return None
        box = re.findall(_NUMBER, picture.get("viewBox"))
        places: dict[str, dict[str, list[float]]] = {"units": {}, "dislodged": {}, "centers": {}, "labels": {}}
        for place in picture.iter_elements("PROVINCE"):
            location = self._find_drawn_location(place.get("name"), codes)
            for name, part in (("units", "UNIT"), ("dislodged", "DISLODGED_UNIT"), ("centers", "SUPPLY_CENTER")):
                point = _find_point(place.find_first(part))
                if location is not None and point is not None:
                    places[name][province_of(location) if name == "centers" else location] = point
        for text in _iter_labels(picture):
            location, point = self._find_drawn_location(text.text, codes), _find_point(text)
            if location is not None and point is not None:
                places["labels"][province_of(location)] = point
        if len(box) != 4 or not places["units"]:
            return None
        left, top, width, height = map(float, box)
        areas = read_outlines(picture, lambda name: self._find_drawn_location(name, codes))
        found = {**places, "outlines": areas}
        return {"size": [width, height], "origin": [left, top], **{name: each for name, each in found.items() if each}}

    def _find_colour(self, power: str) -> dict[str, str]:
        """Return `{"color": "#…"}`, the colour of a power's units in the picture or else of its provinces; {} if neither."""
        word = re.sub(r"\W", "", fold(power))
        colour = self._fill_colours.get(f"unit{word}") or self._fill_colours.get(word)
        return {"color": colour} if colour else {}

    @cached_property
    def _fill_colours(self) -> dict[str, str]:
        """The fill colours in the picture's style sheets, by the names of their classes."""
        styles = self._picture.iter_elements("style") if self._picture else ()
        return list_fill_colours("\n".join(style.text for style in styles))

    @cached_property
    def _picture(self) -> Element | None:
        """The root element of the variant's default picture, or of the first other one that exists; None if there is none."""
        files = {definition.get("id"): definition.get("URI") for definition in self.main.iter_elements("MAP_DEFINITION")}
        graphics = [*self.variant.iter_elements("MAP_GRAPHIC"), *self.variant.iter_elements("GRAPHIC")]
        for graphic in sorted(graphics, key=lambda graphic: graphic.get("default") != "true"):
            name = files.get(graphic.get("ref"), graphic.get("uri"))
            try:
                return (
                    parse_xml(self.package.read_member(name, graphic.line), self.package.format_file_name(name))
                    if name
                    else None
                )
            except NotFoundError:
                continue
        return None

    def _find_drawn_location(self, name: str, codes: frozenset[str]) -> str | None:
        """Return the location that a name in the picture means; None if it is not in any of the provinces `codes`."""
        try:
            location = self._parse_location(name.strip(), self.variant)
        except MapError:
            return None
        return location if province_of(location) in codes else None


def _is_sea(place: Element) -> bool:
    """Return whether a province has no borders for armies."""
    return all((entry.get("type") or "mv") != "mv" for entry in place.list_children("ADJACENCY"))


def _is_walled_off(code: str, place: Element) -> bool:
    """Return whether a province borders on nothing but itself, so that no unit can enter it."""
    adjacent = place.list_children("ADJACENCY")
    return all(_split_list(entry.get("refs")) in ([code], [fold(code)], []) and entry.get("type") == "mv" for entry in adjacent)


def _drop_inland_fleet_borders(provinces: dict[str, dict[str, Any]]) -> list[str]:
    """Remove fleets' borders to inland provinces, a mistake in some packages; return a message for each of these provinces."""
    inland = {code for code, province in provinces.items() if province["kind"] == "inland"}
    found: dict[str, None] = {}
    for province in provinces.values():
        for exits in (province.get("fleet", []), *province.get("coasts", {}).values()):
            found |= dict.fromkeys(inland.intersection(exits))
            exits[:] = [place for place in exits if place not in inland]
    return [f"borders for fleets from {code}, so those that lead there are left out" for code in sorted(found)]


def _split_list(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,]+", text) if part]


def _unique_names(place: Element) -> list[str]:
    return [name.require_attribute("name") for name in place.list_children("UNIQUENAME")]


def _power_table(power: Element) -> dict[str, Any]:
    others = [other.strip() for other in (power.get("altnames") or power.get("altname")).split(",") if other.strip()]
    return {
        "name": power.require_attribute("name"),
        "adjective": power.require_attribute("adjective"),
        **({"aliases": others} if others else {}),
    }


def _add(province: dict[str, Any], key: str, code: str) -> None:
    province[key] = sorted({*province.get(key, ()), code})


def _find_point(element: Element | None) -> list[float] | None:
    """Return the point [x, y] of an element, shifted by its translation; None if it has no coordinates."""
    if element is None:
        return None
    moved = _MOVED.match(element.get("transform"))
    shift = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
    found = [re.fullmatch(_NUMBER, element.get(axis)) for axis in ("x", "y")]
    return [float(number[0]) + by for number, by in zip(found, shift, strict=True) if number] if all(found) else None


def _iter_labels(picture: Element) -> Iterable[Element]:
    """Yield the text elements in the layer of short labels of a jDip picture."""
    layers = (
        layer for layer in picture.iter_elements("g") if layer.get("id") == "BriefLabelLayer" and not layer.get("transform")
    )
    if (layer := next(layers, None)) is not None:
        yield from layer.iter_elements("text")
