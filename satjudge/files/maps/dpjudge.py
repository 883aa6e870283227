"""Reads `.map` files of DPjudge and of the Python package `diplomacy`, which have almost the same grammar.

A line begins with a keyword, names a place (`Adriatic Sea = adr adriatic`), or names a power with its home centres. In lists of
borders, `par` is a border that only armies can pass, and `Par` one that only fleets can pass; `~` marks a difficult border, and
`*` one at half strength. A place in lower case is a province for armies only; each of its coasts has a line of its own.

A rule that satjudge does not support is refused, with its line. The files that `USE` lines name are looked up next to the file;
for a missing `standard.map` or a part of it, satjudge's own standard map is used. If a part of another map is missing, the rest
is read, and the map lists the part as missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from satjudge.base.errors import MapError, locate_errors
from satjudge.base.resources import read_file
from satjudge.files.maps.standard_parts import format_standard_part
from satjudge.world.geography import UnitKind, load_map, normal, province_of
from satjudge.world.map_tables import Tables

_TERRAINS = {"LAND": "inland", "WATER": "sea", "COAST": "coast", "PORT": "coast"}
"""The kinds of places. Fleets can also convoy in a PORT. A place that is SHUT is not on the map."""
_SHUT = "SHUT"
_SEASONS = {"SPRING": "fall", "FALL": "spring", "AUTUMN": "spring"}
"""The other season, for each season."""
_ABOUT_PRESENTATION = frozenset(("FLAGS", "FLAG", "NOTIFY", "TEXTONLY", "ROTATE"))
_DUMMY = "DUMMY"
_ABOUT_PLAYERS = frozenset((_DUMMY, "DUMMIES", "CONTROL", "LEAGUE", "TEAM", "TEAMS"))
"""Keywords about who gives the orders of which power, which an adjudicator need not know."""
_RULES_OF_PLAY = frozenset((
    *("CD_DUMMIES", "CD_BUILDS", "VASSAL_DUMMIES", "PAY_DUMMIES", "DUMMY_FIRE"),
    *("FTF_PRESS", "NO_DRAW", "NO_DONATIONS"),
    "HIBERNATE",  # units get no orders in a place that is shut, as in satjudge (DATC 2.4, 8)
))  # fmt: skip
"""Rules that do not affect how given orders are judged."""
_USUAL_FLOW = frozenset(("SPRING:MOVEMENT,RETREATS", "FALL:MOVEMENT,RETREATS", "WINTER:ADJUSTMENTS", "NEWYEAR"))
_ERA = re.compile(r"(?P<era>B\.?C\.?|A\.?D\.?)\s+0*(?P<year>[1-9]\d{0,3})\s+MOVEMENT")
"""The beginning of a game with one turn per year."""
_BEGIN = re.compile(r"(?P<season>SPRING|FALL|AUTUMN|WINTER)\s+(?P<year>\d{1,5})\s+\w+")
_LONGEST = 500_000
"""The maximum size of a file, in bytes; the longest known file has 40,000."""
_MOST_LINES = 5000
"""The maximum number of lines of a map with all files that it uses; the longest known map has 800."""
_CODE = re.compile(r"[A-Za-z0-9]+(?:/[A-Za-z]{2})?")
_PARTS = {"politics": "homes and centres that nobody owns", "military": "the units at the start", "locations": "names"}
"""The parts of a map without which the rest can be read, and what they contain."""
_PARTISANS = "*"
_ALTERNATIVE = "@"
_SPECIAL_HOMES = {
    "&": "home that a power chooses by its first build elsewhere",
    "~": "hidden builds",
    "(": "homes in place of single ones",
}


@dataclass
class _Border:
    """An entry in a list of borders, spelled as in the file."""

    place: str
    difficult: bool
    at_half: bool
    line: int

    @property
    def for_armies(self) -> bool:
        return not (self.place[0].isupper() and province_of(self.place)[1:].islower())

    @property
    def for_fleets(self) -> bool:
        return self.place[0].isupper() or self.place[0].isdigit()


@dataclass
class _Place:
    """A place, which may be a coast of a province."""

    terrain: str
    borders: list[_Border] = field(default_factory=list)


@dataclass
class _Power:
    """A power; `owns` is None if it owns its homes."""

    name: str
    adjective: str
    homes: list[str] = field(default_factory=list)
    owns: list[str] | None = None
    units: list[str] = field(default_factory=list)
    partisans: str | None = None
    alternatives: list[str] = field(default_factory=list)
    """The centres in which the power builds instead of its homes."""


def read(path: Path) -> Tables:
    """Read a `.map` file into the tables of a map, or raise `MapError` with the line."""
    reader = _Reader(path)
    reader.load(path, _text(path))
    with locate_errors(str(path)):
        return reader.tables()


def _text(path: Path) -> str:
    data = read_file(path, _LONGEST)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # DPjudge's encoding


class _Reader:
    """Reads a map line by line; `tables` returns the result."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: set[str] = {path.name}
        self.places: dict[str, _Place] = {}
        """The places by their codes, in upper or lower case as written."""
        self.names: dict[str, tuple[str, list[str]]] = {}
        """The full name and the other names of each province, by code."""
        self.powers: dict[str, _Power] = {}
        self.unowned: list[str] = []
        self.terrains: dict[str, str] = {}
        """The terrain of each province, after all lines were read."""
        self.seasons: list[tuple[str, str, str]] = []
        """Changes with the seasons: the season, the kind of place that the place is in it, and the place."""
        self.first_year = 1901
        self.victory: int | None = None
        self.builds_anywhere = self.builds_in_any_home = self.builds_need_home = False
        self.mobilizes = self.immobile = False
        """True if each power begins with one build in any of its homes; and if the units of powers that nobody plays hold."""
        self.dummies: list[str] = []
        self.era = 0
        """The first year if there is one turn per year, negative before Christ; 0 if years have Spring and Fall."""
        self.flow: list[str] = []
        """The sequence of phases in such years."""
        self.first_builds: list[str] = []
        """Lines about homes that apply only to the builds before the first Spring."""
        self._in_first_builds = False
        self.missing: dict[str, str] = {}
        """The missing files of the map, and what they would contain."""
        self.line = self.lines = 0
        self._power: _Power | None = None
        self._directives = ""
        self._keywords: dict[str, Callable[[list[str]], None]] = {
            **dict.fromkeys(("USE", "USES", "MAP"), self._use),
            **dict.fromkeys(("RULE", "RULES"), self._rules),
            **dict.fromkeys(("VICTORY",), self._victory),
            **dict.fromkeys(("BEGIN",), self._begin),
            **dict.fromkeys(("FLOW",), self._flow),
            **dict.fromkeys(("IN",), self._in_season),
            **dict.fromkeys(_ABOUT_PRESENTATION, lambda words: None),
        }
        """The methods for lines that may contain a `=`, by keyword; `_others` has those for other lines."""
        self._others: dict[str, Callable[[list[str]], None]] = {
            **dict.fromkeys((*_TERRAINS, _SHUT, "AMEND"), self._read_place),
            **dict.fromkeys(("OWNS", "CENTERS"), self._owns),
            **dict.fromkeys(("HOME", "HOMES", "INHABITS"), self._inhabits),
            **dict.fromkeys(("A", "F"), self._unit),
            **dict.fromkeys(("UNITS",), self._no_units),
            **dict.fromkeys(("DROP",), self._drop),
            **dict.fromkeys(("UNPLAYED",), self._remove_powers),
            **dict.fromkeys(_ABOUT_PLAYERS, lambda words: None),
            _DUMMY: self._read_dummy,
        }

    # ------------------------------------------------------------ lines

    def load(self, path: Path, text: str) -> None:
        """Read the lines of a file into this reader; raise `MapError` with the file's name and the line."""
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            self.line = number
            self.lines += 1
            if self.lines > _MOST_LINES:
                raise MapError(f"the file has more than {_MOST_LINES:,} lines", source=str(path), line=number)
            with locate_errors(str(path), number):
                self._read(line, words)

    def _read(self, line: str, words: list[str]) -> None:
        keyword = words[0].upper()
        if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES"):
            self._directives = "" if keyword == "END" else keyword
        elif self._directives not in ("", "DIRECTIVES"):
            return  # for another game on this map
        elif keyword == "IN" and words[1:] == [f"W{self.first_year - 1}A"]:
            self._in_first_builds = True
        elif self._in_first_builds and (keyword in ("HOME", "HOMES") or _format_power(words[0]) in self.powers):
            self.first_builds.append(line.strip())
        elif keyword in self._keywords:
            self._keywords[keyword](words)
        elif keyword in ("FROM", "NEWHOMES", "RESERVES", "MILITIA"):
            raise self._make_gap_error(keyword, "maps that change during a game, and no units beyond those of centres")
        elif "=" in line:
            self._read_name(line)
        elif keyword in self._others and (len(words) > 1 or keyword in ("UNITS", "UNPLAYED", *_ABOUT_PLAYERS)):
            self._others[keyword](words)
        else:
            self._read_power(words)

    @staticmethod
    def _make_gap_error(subject: str, lacking: str) -> MapError:
        return MapError(f"{subject}: satjudge has no {lacking}", suggestion="remove it from the map")

    def _use(self, words: list[str]) -> None:
        for word in words[1:]:
            name = word if "." in word else f"{word}.map"
            if not re.fullmatch(r"\w[\w.-]{0,99}", name):
                raise MapError(f"{words[0]} {word}: name a file in the same folder as this one")
            if name in self.files:
                raise MapError(f"{words[0]} {word}: this file has already been included")
            self.files.add(name)
            path = self.path.with_name(name)
            line = self.line
            if path.is_file():
                self.load(path, _text(path))
            elif (own := format_standard_part(name, load_map())) is not None:
                self.load(Path(name), own)
            elif (part := _PARTS.get(name.rpartition(".")[2])) is not None:
                self.missing[name] = part
            else:
                also = f", nor {', '.join(self.missing)}" if self.missing else ""
                raise MapError(f"{words[0]} {word}: there is no file {name} next to it{also}")
            self.line = line

    def _rules(self, words: list[str]) -> None:
        for rule in words[1:]:
            if rule.upper().removeprefix("!") == "BUILD_ANY":
                self.builds_anywhere = not rule.startswith("!")
            elif rule.upper().removeprefix("!") == "HOME_BUILDS":
                self.builds_in_any_home = not rule.startswith("!")
            elif rule.upper().removeprefix("!") == "MOBILIZE":
                self.mobilizes = not rule.startswith("!")
            elif rule.upper().removeprefix("!") == "IMMOBILE_DUMMIES":
                self.immobile = not rule.startswith("!")
            elif rule.upper().removeprefix("!") == "REMOTE_BUILDS":
                self.builds_anywhere = self.builds_need_home = not rule.startswith("!")
            elif rule.upper() not in _RULES_OF_PLAY and not rule.startswith("!"):
                raise self._make_gap_error(f"RULE {rule}", "such rule")

    def _victory(self, words: list[str]) -> None:
        found = re.fullmatch(r"VICTORY (0*[1-9]\d{0,4})(?: \d+)*", " ".join(words).upper(), re.ASCII)
        if found is None:
            raise MapError("VICTORY: write the number of centres needed to win")
        self.victory = int(found[1])

    def _begin(self, words: list[str]) -> None:
        stated = " ".join(words[1:]).upper()
        if era := _ERA.fullmatch(stated):
            self.era = int(era["year"]) * (-1 if era["era"].startswith("B") else 1)
            return
        found = _BEGIN.fullmatch(stated)
        if found is None:
            raise self._make_gap_error(" ".join(words), "years other than those that count up from Spring to Winter")
        self.first_year = int(found["year"]) + (found["season"] == "WINTER")

    def _flow(self, words: list[str]) -> None:
        if self.era:
            self.flow += map(str.upper, words[1:])
            return
        if unusual := [word for word in words[1:] if word.upper() not in _USUAL_FLOW]:
            raise self._make_gap_error(
                f"FLOW {unusual[0]}", "phases other than the moves and retreats of Spring and Fall, and Winter's builds"
            )

    def _in_season(self, words: list[str]) -> None:
        season, colon, closing = " ".join(words[1:]).upper().partition(":")
        kind, _, place = closing.strip().partition(" ")
        if season.strip() not in _SEASONS or not colon or kind not in (*_TERRAINS, _SHUT) or not _CODE.fullmatch(place):
            raise self._make_gap_error(" ".join(words), "maps that change during a game, except for provinces shut in a season")
        self.seasons.append((season.strip(), kind, place))

    # ------------------------------------------------------------ places

    def _read_name(self, line: str) -> None:
        """Record the names on a line `[old ->] Full Name = code other names`; with `old ->`, rename the province."""
        before, _, behind = line.partition("=")
        code, *others = behind.split() or [""]
        old, arrow, name = (part.strip() for part in before.partition("->"))
        name = (name if arrow else old).replace("+", " ")
        if not _CODE.fullmatch(code) or not name:
            raise MapError(f"{line.strip()!r:.60}: write a name, = and a short name")
        if arrow:
            self._rename(old.upper(), code.upper())
        if "/" not in code:
            known = [other.replace("+", " ") for other in others if not other.endswith("?") and "/" not in other]
            self.names[code.upper()] = (name, known)

    def _rename(self, old: str, new: str) -> None:
        codes = {normal(name): code for code, (name, _) in self.names.items()}
        old = old if old in self.names or old in map(province_of, self._codes()) else codes.get(normal(old), old)

        def rename_place(place: str) -> str:
            code, slash, coast = place.partition("/")
            if code.upper() != old:
                return place
            return (new if code.isupper() else new.lower() if code.islower() else new.title()) + slash + coast

        self.names.pop(old, None)
        self.places = {rename_place(key): place for key, place in self.places.items()}
        for place in self.places.values():
            for border in place.borders:
                border.place = rename_place(border.place)
        for power in self.powers.values():
            power.homes = [rename_place(code) for code in power.homes]
            power.alternatives = [rename_place(code) for code in power.alternatives]
            power.owns = power.owns and [rename_place(code) for code in power.owns]
            power.units = [f"{unit[:2]}{rename_place(unit[2:])}" for unit in power.units]
        self.unowned = [rename_place(code) for code in self.unowned]

    def _codes(self) -> list[str]:
        return [key.upper() for key in self.places]

    def _read_place(self, words: list[str]) -> None:
        """Record a place and its borders from a line such as `COAST code [ABUTS borders]`, or change it for AMEND."""
        keyword, key = words[0].upper(), words[1]
        if not _CODE.fullmatch(key):
            raise MapError(f"{key!r:.40} is not the short name of a place")
        if not key.isupper() and not key.islower():
            raise MapError(f"{key}: write it in upper case, or in lower case if its coasts have separate lines")
        before = self.places.pop(key.swapcase(), None)
        if before is not None and key.isupper() and keyword != "AMEND":
            self._remove_places(f"{key}/")
        place = self.places.get(key, before)
        if keyword == "AMEND" and place is None:
            raise MapError(f"AMEND {key}: there is no such place yet")
        place = place or _Place(keyword)
        self.places[key] = place
        if keyword != "AMEND":
            place.terrain = keyword
            place.borders = [] if len(words) > 2 else place.borders
        if len(words) > 2 and words[2].upper() != "ABUTS":
            raise MapError(f"{words[2]!r:.40}: write ABUTS before the borders of a place")
        for word in words[3:]:
            self._border(place, word)

    def _border(self, place: _Place, word: str) -> None:
        if word.startswith("-"):
            place.borders = [border for border in place.borders if not border.place.upper().startswith(word[1:].upper())]
            return
        plain = word.strip("~*")
        if not _CODE.fullmatch(plain):
            raise self._make_gap_error(
                f"the border {word}", "borders that only some powers or units can pass, or at another strength"
            )
        place.borders.append(_Border(plain, "~" in word, "*" in word, self.line))

    def _drop(self, words: list[str]) -> None:
        for word in words[1:]:
            self._remove_places(word.upper())
            self.names.pop(word.upper(), None)

    def _remove_places(self, code_prefix: str) -> None:
        """Remove all places whose code begins with `code_prefix`, and every mention of them."""

        def filter_codes(codes: Iterable[str]) -> list[str]:
            return [code for code in codes if not code.upper().startswith(code_prefix)]

        self.places = {key: self.places[key] for key in filter_codes(self.places)}
        for place in self.places.values():
            place.borders = [border for border in place.borders if filter_codes([border.place])]
        for power in self.powers.values():
            power.homes, power.owns = filter_codes(power.homes), power.owns and filter_codes(power.owns)
            power.alternatives = filter_codes(power.alternatives)
            power.units = [unit for unit in power.units if filter_codes([unit[2:]])]
        self.unowned = filter_codes(self.unowned)

    # ------------------------------------------------------------ powers

    def _read_power(self, words: list[str]) -> None:
        """Record a power or rename it, from a line `[old ->] NAME [(adjective)] homes`; UNOWNED lists unowned centres."""
        if len(words) > 2 and words[1] == "->":
            self._rename_power(_format_power(words[0]), _format_power(words[2]))
            words = words[2:]
        name, homes = _format_power(words[0]), words[1:]
        if words[0].upper() in ("UNOWNED", "NEUTRAL"):
            self._power = None
            self._change_centers(self.unowned, homes)
            return
        self._power = power = self.powers.setdefault(name, _Power(_capitalize_words(words[0]), ""))
        if homes and homes[0].startswith("("):
            power.adjective = _capitalize_words(homes.pop(0).strip("()").partition(":")[0])
        if partisans := [home for home in homes if home.startswith(_PARTISANS)]:
            power.partisans = partisans[-1].lstrip(_PARTISANS).upper()
        alternatives = [home for home in homes if home.startswith(_ALTERNATIVE)]
        self._change_centers(power.alternatives, (home.lstrip(_ALTERNATIVE) for home in alternatives))
        self._change_centers(power.homes, (home for home in homes if home not in (*partisans, *alternatives)))

    def _rename_power(self, old: str, new: str) -> None:
        if old not in self.powers:
            raise MapError(f"{old} -> {new}: there is no power {old} yet")
        self.powers = {new if name == old else name: power for name, power in self.powers.items()}
        self.powers[new].name = _capitalize_words(new)

    def _change_centers(self, codes: list[str], words: Iterable[str]) -> None:
        """Add the supply centre that each word names to `codes`, or remove it from `codes` if the word begins with a minus."""
        for word in words:
            if lacking := next((feature for sign, feature in _SPECIAL_HOMES.items() if sign in word), None):
                raise self._make_gap_error(word, lacking)
            code = word.lstrip("-").upper()
            if not _CODE.fullmatch(code):
                raise MapError(f"{word!r:.40} is neither a keyword nor a place: begin the line with a keyword or a power")
            if code in codes:
                codes.remove(code)
            if not word.startswith("-"):
                codes.append(code)

    def _of_power(self, keyword: str) -> _Power:
        if self._power is None:
            raise MapError(f"{keyword}: write the line below a power")
        return self._power

    def _owns(self, words: list[str]) -> None:
        power = self._of_power(words[0])
        power.owns = [] if power.owns is None or words[0].upper() == "CENTERS" else power.owns
        self._change_centers(power.owns, words[1:])

    def _inhabits(self, words: list[str]) -> None:
        power = self._of_power(words[0])
        power.homes = []
        self._change_centers(power.homes, words[1:])

    def _unit(self, words: list[str]) -> None:
        power = self._of_power(" ".join(words))
        if len(words) != 2 or not _CODE.fullmatch(words[1]):
            raise MapError(f"{' '.join(words)!r:.40}: write a unit as A PAR or F STP/SC")
        place = words[1].upper()
        for other in self.powers.values():
            other.units = [unit for unit in other.units if province_of(unit[2:]) != province_of(place)]
        power.units.append(f"{words[0].upper()} {place}")

    def _read_dummy(self, words: list[str]) -> None:
        """Record that nobody plays the powers that a DUMMY line names, or the current power if it names none."""
        own = [name for name, power in self.powers.items() if power is self._power] if len(words) == 1 else []
        self.dummies += own or [_format_power(word.strip(",")) for word in words[1:]]

    def _no_units(self, words: list[str]) -> None:
        self._of_power(words[0]).units = []

    def _remove_powers(self, words: list[str]) -> None:
        """Remove the powers that an UNPLAYED line means, by default the current one; their homes become unowned centres."""
        powers = [_format_power(word.strip(",")) for word in words[1:]]
        if not powers:
            removed_powers = [name for name, power in self.powers.items() if power is self._of_power("UNPLAYED")]
        elif powers[0] == "ALL":
            removed_powers = [name for name in self.powers if name not in powers[2:]]
        else:
            removed_powers = powers
        for name in removed_powers:
            if name not in self.powers:
                raise MapError(f"UNPLAYED {name}: there is no such power")
            self.unowned += self.powers.pop(name).homes
        self._power = None

    # ---- the result ----

    def tables(self) -> Tables:
        """Return the map as the tables of a TOML map file; raise `MapError` if it is incomplete."""
        closed = self._find_closed_provinces()
        shut = {province_of(key).upper() for key, place in self.places.items() if place.terrain == _SHUT}
        codes = list(dict.fromkeys(province_of(code) for code in self._codes() if province_of(code) not in shut))
        if not codes or len(self.powers) < 2:
            missing_text = f" without {', '.join(self.missing)}, which is not next to it" if self.missing else ""
            raise MapError(f"the map is not complete{missing_text}: it has fewer than two powers, or no places")
        self.terrains = {province_of(key).upper(): place.terrain for key, place in self.places.items()}
        spellings = _collect_names({code: self.names.get(code, (code, [])) for code in codes})
        owner, home, instead = self._owners(), self._homes(), self._alternatives()
        centers = {*home, *owner, *self.unowned}
        for code in (*centers, *(province_of(unit[2:]) for power in self.powers.values() for unit in power.units)):
            if code not in codes:
                raise MapError(f"there is no place {code}, although it is a centre or a unit starts there")
        provinces = {}
        for code in codes:
            provinces[code] = {
                **spellings[code],
                **self._describe_province(code, frozenset(codes), shut),
                **({"center": True} if code in centers else {}),
                **({"home": home[code]} if code in home else {}),
                **({"builds_instead": instead[code]} if code in instead else {}),
                **({"owner": owner.get(code, "")} if owner.get(code) != home.get(code) else {}),
            }
        for name, power in self.powers.items():
            for unit in () if self.mobilizes else power.units:
                provinces[province_of(unit[2:])] |= _find_starting_unit(unit, name, home)
        optional = {
            "victory": self.victory,
            "builds_anywhere": self.builds_anywhere,
            "builds_in_any_home": self.builds_in_any_home,
            "builds_need_home": self.builds_need_home,
            "first_builds": 1 if self.mobilizes else None,
            "years": self._read_year_numbering(),
            "neutral": self._find_neutral_power(),
            "lacks": [
                *(f"there is no file {name} next to it, with {contents}" for name, contents in self.missing.items()),
                *([f"the homes for only the first builds: {'; '.join(self.first_builds)}"] if self.first_builds else []),
            ],
            "closed": closed,
        }
        return {
            "name": self.path.stem,
            "title": self.path.stem.replace("_", " ").replace("-", " ").capitalize(),
            "first_year": 1 if self.era else self.first_year,
            "powers": list(self.powers),
            **{key: value for key, value in optional.items() if value},
            "power": {
                name: {
                    "name": power.name,
                    "adjective": power.adjective or power.name,
                    **({"partisans": power.partisans} if power.partisans else {}),
                }
                for name, power in self.powers.items()
            },
            "province": provinces,
        }

    def _find_neutral_power(self) -> dict[str, str]:
        """Return `{"power": name}` for the power that nobody plays and whose units hold; {} if none; `MapError` if several."""
        if not self.immobile or not self.dummies:
            return {}
        if len(self.dummies) > 1:
            raise self._make_gap_error(
                f"RULE IMMOBILE_DUMMIES for {', '.join(self.dummies)}", "several powers that nobody plays"
            )
        return {"power": self.dummies[0]}

    def _read_year_numbering(self) -> dict[str, int]:
        """Return `first`, `step` and `fall` for a map with one turn per year, {} for usual years; may raise `MapError`."""
        if not self.era:
            return {}
        era, flow = "B.C." if self.era < 0 else "A.D.", " ".join(self.flow)
        found = re.fullmatch(
            rf"NEWYEAR:(-?[1-9]\d{{0,2}}) {era}:MOVEMENT,RETREATS IFYEARDIV:(\d{{1,3}}) {era}:ADJUSTMENTS", flow
        )
        turn = abs(int(found[1])) if found else 0
        if found is None or int(found[2]) != 2 * turn or (abs(self.era) + int(found[1])) % (2 * turn):
            raise self._make_gap_error(
                f"BEGIN {era} {abs(self.era)} with FLOW {flow}", "years other than those with builds after every second turn"
            )
        return {"first": self.era, "step": 2 * turn, "fall": turn}

    def _find_closed_provinces(self) -> dict[str, list[str]]:
        """Return the provinces closed in each season; a place shut in one gets its other terrain; may raise `MapError`."""
        closed: dict[str, list[str]] = {}
        for season, kind, code in self.seasons:
            place = self.places.get(code)
            if place is None or (kind == _SHUT) == (place.terrain == _SHUT):
                raise self._make_gap_error(
                    f"IN {season}: {kind} {code}", "provinces that change with the season, except for shut ones"
                )
            if place.terrain == _SHUT:
                place.terrain = kind
                closed.setdefault(_SEASONS[season], []).append(code)
            else:
                closed.setdefault("spring" if season == "SPRING" else "fall", []).append(code)
        return closed

    def _homes(self) -> dict[str, str]:
        homes: dict[str, str] = {}
        for name, power in self.powers.items():
            for code in power.homes:
                if homes.setdefault(code, name) != name:
                    raise self._make_gap_error(f"{code} is a home of {homes[code]} and of {name}", "homes of two powers")
        return homes

    def _alternatives(self) -> dict[str, list[str]]:
        codes = dict.fromkeys(code for power in self.powers.values() for code in power.alternatives)
        return {code: [name for name, power in self.powers.items() if code in power.alternatives] for code in codes}

    def _owners(self) -> dict[str, str]:
        owned = (
            (name, [*power.homes, *power.alternatives] if power.owns is None else power.owns)
            for name, power in self.powers.items()
        )
        return {code: name for name, codes in owned for code in codes}

    def _describe_province(self, code: str, known_codes: frozenset[str], closed_codes: set[str]) -> dict[str, Any]:
        """Return a province's terrain and borders with known provinces, as keys of a map file; may raise `MapError`."""
        coasts = [key for key in self.places if key.upper().startswith(f"{code}/")]
        key = code if code in self.places else code.lower()
        if key not in self.places:
            raise MapError(f"{code} has coasts, but no separate line for armies ({code.lower()})")
        place = self.places[key]

        def borders(key: str) -> Iterator[_Border]:
            for border in self.places[key].borders:
                other = province_of(border.place).upper()
                if other in known_codes:
                    if other != code:
                        yield border
                elif other not in closed_codes:
                    raise MapError(f"the border {key} - {border.place}: there is no such place", line=border.line)

        geography: dict[str, Any] = {"kind": _TERRAINS[place.terrain]}
        if place.terrain == "PORT":
            geography["convoys"] = True
        if place.terrain != "WATER":
            by_land = [border for border in borders(key) if border.for_armies and self._terrain(border.place) != "WATER"]
            geography["army"] = sorted({province_of(border.place).upper() for border in by_land})
            if difficult := sorted({province_of(border.place).upper() for border in by_land if border.difficult}):
                geography["difficult"] = difficult
        if at_half := sorted({province_of(border.place).upper() for border in borders(key) if border.at_half}):
            geography["half_strength"] = at_half
        if place.terrain != "LAND":
            by_sea = {
                key.upper(): sorted({border.place.upper() for border in borders(key) if self._can_fleets_pass(border)})
                for key in coasts or [key]
            }
            if coasts:
                geography["coasts"] = {key.partition("/")[2].lower(): exits for key, exits in by_sea.items()}
            else:
                geography["fleet"] = by_sea[code]
        return geography

    def _terrain(self, place: str) -> str:
        return self.terrains[province_of(place).upper()]

    def _can_fleets_pass(self, border: _Border) -> bool:
        """Return whether fleets can pass a border: it is one for fleets, and leads to a place that is not inland."""
        return border.for_fleets and border.place.upper() in self.places and self._terrain(border.place) != "LAND"


def _format_power(word: str) -> str:
    """Write a power's name in capitals, with blanks for `+`, and without the `_` that marks a power that nobody plays."""
    return word.replace("+", " ").strip("_ ").upper()


def _capitalize_words(word: str) -> str:
    return " ".join(part.capitalize() for part in word.replace("+", " ").strip("_ ").split())


def _find_starting_unit(unit: str, power: str, home_powers: dict[str, str]) -> dict[str, Any]:
    """Return a province's keys for a power's starting unit: `unit` and, if needed, `unit_coast` and `unit_power`."""
    code, _, coast = unit[2:].partition("/")
    return {
        "unit": str(UnitKind(unit[0])),
        **({"unit_coast": coast.lower()} if coast else {}),
        **({"unit_power": power} if home_powers.get(code) != power else {}),
    }


def _collect_names(names: dict[str, tuple[str, list[str]]]) -> dict[str, dict[str, Any]]:
    """Return, for each code, a table with the full name, and with the aliases that are not ambiguous, if there are any."""
    codes = {normal(spelling): code for code, (name, _) in names.items() for spelling in (code, name)}
    spellings: dict[str, dict[str, Any]] = {}
    for code, (name, others) in names.items():
        aliases = [other for other in others if codes.setdefault(normal(other), code) == code and normal(other) != normal(code)]
        spellings[code] = {"name": name, **({"aliases": aliases} if aliases else {})}
    return spellings
