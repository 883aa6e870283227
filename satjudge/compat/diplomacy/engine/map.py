"""Provides satjudge's maps in the package's form: places, borders, names and phases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count, islice, pairwise
from typing import Any

from satjudge.base.imports import cached_property
from satjudge.compat.refusals import StrictAttributes
from satjudge.files.maps import read_map
from satjudge.world import geography
from satjudge.world.geography import Terrain, UnitKind, coast_of, province_of

SWITZERLAND, AROUND_SWITZERLAND = "SWI", ("BUR", "MAR", "MUN", "PIE", "TYR")
"""A country that no unit can enter: the package has it as a place, but satjudge's standard map does not."""
_TYPES = {Terrain.SEA: "WATER", Terrain.COAST: "COAST", Terrain.INLAND: "LAND"}
_SEASONS = {"S": "SPRING", "F": "FALL", "W": "WINTER"}
_KINDS = {"M": "MOVEMENT", "R": "RETREATS", "A": "ADJUSTMENTS"}
_SHORT = re.compile(r"([SFW])(\d+)([MRA])")
_YEAR = ("SPRING MOVEMENT", "SPRING RETREATS", "FALL MOVEMENT", "FALL RETREATS", "WINTER ADJUSTMENTS")
_UNIT_KINDS = {"A": [UnitKind.ARMY], "F": [UnitKind.FLEET], "?": list(UnitKind)}
"""The kinds of units that a letter stands for; `?` stands for both kinds."""
_TIMELESS = ("FORMING", "COMPLETED")
_KNOWN: dict[str, Map] = {}
_STEMS = {
    "": "MOVE ATTACK", "R": "RETREAT", "S": "SUPPORT", "C": "CONVOY", "H": "HOLD", "B": "BUILD", "D": "DISBAND DESTROY REMOVE",
    "V": "WAIVE",
}  # fmt: skip
_LETTERS = {
    verb.removesuffix("E" * (end == "ING")) + end: letter
    for letter, verbs in _STEMS.items() for verb in verbs.split() for end in ("", "S", "ING")
} | {
    "ARMY": "A", "FLEET": "F", "WAIVED": "V", "NC": "/NC", "SC": "/SC", "EC": "/EC", "WC": "/WC", "OF": "\\", "FROM": "\\",
    "THROUGH": "~", "OVER": "~", "BY": "~", "WITH": "?", "VOID": "?", "DISLODGED": "~", "DESTROYED": "*", "OR": "|",
    "BOUNCE": "|", "CUT": "|", **dict.fromkeys((">", "THE", "IS", "WILL", "IN", "AT", "ON", "TO"), ""),
}  # fmt: skip
"""The signs by which the package replaces common words in orders and results."""
_PHRASES = {"VIA C": "VIA", "NO C": "?", "~ C": "^", "~ SEA": "_", "~ LAND": "_", "A F": "F", "AN A": "A"}
_PHRASES |= {"BUL /NC": "BUL/EC", "SPA /WC": "SPA/SC"}  # coasts that the package takes for others
_ORDERS = ("H", "S", "C", "R", "D", "B", "V", "W", "K", "P", "VIA")
_SIGNS = dict.fromkeys("-=_", 6) | dict.fromkeys("|?~*^\\", 7)


class Map(StrictAttributes):
    """A map, given by its name or file; there is only one object for each name, even after copying."""

    def __new__(cls, name: str = "standard", use_cache: bool = True) -> Map:
        """Return the map of this name, the same object each time. Raises `InputError` for an unknown name."""
        if name not in _KNOWN or not use_cache:
            instance = super().__new__(cls)
            instance._show_map(read_map(name), name)
            _KNOWN.setdefault(name, instance)
            return instance
        return _KNOWN[name]

    def _show_map(self, world: geography.Map, name: str) -> None:
        self.world = world
        """The map as a satjudge object."""
        self.name = self.root_map = name
        self.powers = list(world.powers)
        self.first_year = world.first_year
        self.last_year = world.first_year + 99
        """The year at the end of which the game is drawn among the surviving powers."""
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
        self.abuts_cache = _BorderCache(self)

    def __repr__(self) -> str:
        return f"Map({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return Map, (self.name,)

    # ---- places ----

    @cached_property
    def loc_coasts(self) -> dict[str, list[str]]:
        """For each place, all places of its province, including coasts: `{"BUL/EC": ["BUL/EC", "BUL/SC", "BUL"], …}`."""
        found = {}
        for code, province in sorted(self.world.provinces.items()):
            coasts = [f"{code}/{coast}" for coast in province.coasts]
            for place in (*coasts, code):
                found[place] = [*coasts, code]
        return found | {place: [place] for place in self._shut_places}

    @cached_property
    def _shut_places(self) -> list[str]:
        return [SWITZERLAND] if self.world.is_standard else []

    @cached_property
    def locs(self) -> list[str]:
        """All places; a province with several coasts is in lower case, as no fleet can be there: `BUL/EC`, `BUL/SC`, `bul`."""
        return [place.lower() if place in self._places_with_coasts else place for place in self.loc_coasts]

    @cached_property
    def _places_with_coasts(self) -> frozenset[str]:
        return frozenset(code for code, province in self.world.provinces.items() if province.coasts)

    @cached_property
    def loc_type(self) -> dict[str, str]:
        """The kind of each place (`WATER`, `COAST`, `LAND` or `SHUT`), by its name as in `locs` and in capitals."""
        types = {place: self.area_type(place) or "" for place in self.loc_coasts}
        return types | {place: types[place.upper()] for place in self.locs}

    @cached_property
    def loc_name(self) -> dict[str, str]:
        """The code of each place by its full name in capitals: `{"BULGARIA (EAST COAST)": "BUL/EC"}`."""
        return {self._format_name(place): place for place in self.loc_coasts}

    def _format_name(self, place: str) -> str:
        if place in self._shut_places:
            return "SWITZERLAND"
        name = self.world.provinces[province_of(place)].name.upper().replace(".", "")
        coast = {"N": "NORTH", "S": "SOUTH", "E": "EAST", "W": "WEST"}.get(coast_of(place)[:1])
        return f"{name} ({coast} COAST)" if coast else name

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The codes of places and the powers, by their full and alternative names in capitals."""
        powers = {name.upper(): power for name, power in self.world.power_aliases.items()}
        places = {name.upper(): code for name, code in self.world.names.items() if name.upper() != code}
        return powers | places | self.loc_name

    @cached_property
    def loc_abut(self) -> dict[str, list[str]]:
        """The neighbours of each place in `locs`; those that only an army can reach are in lower case."""
        return {place: self._list_neighbours(place) for place in self.locs}

    def _list_neighbours(self, place: str) -> list[str]:
        """List the neighbours of a place, sorted, naming their coasts; a place in lower case gets neighbours without coasts."""
        upper = place.upper()
        if upper in self._shut_places:
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
        at_sea = {code for code in whole - self._places_with_coasts if self.area_type(upper) == self.area_type(code) == "COAST"}
        by_army = [code.lower() if code in at_sea else code for code in whole]  # a fleet might stand in both and not go there
        shut = self._shut_places if upper in AROUND_SWITZERLAND else []
        return sorted([*sailed, *by_army, *shut], key=str.upper)

    @cached_property
    def dest_with_coasts(self) -> dict[str, list[str]]:
        """The neighbours of each place, including all coasts of each neighbour, sorted."""
        around = {place: self.abut_list(place, incl_no_coast=True) for place in self.loc_coasts}
        return {place: sorted({coast for other in near for coast in self.find_coasts(other)}) for place, near in around.items()}

    def abut_list(self, site: str, incl_no_coast: bool = False) -> list[str]:
        """List the neighbours of a place ([] for an unknown place); those that only an army can reach are in lower case.

        With `incl_no_coast` the province of each listed coast is listed as well.
        """
        neighbours = self.loc_abut.get(site) or self.loc_abut.get(site.lower(), [])
        more = dict.fromkeys(place[:-3] for place in neighbours if place[-3:-2] == "/") if incl_no_coast else ()
        return [*neighbours, *(place for place in more if place not in neighbours)]

    def abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> int:
        """Return 1 if a unit can move (`-`), support (`S`), convoy or be convoyed (`C`) from its place to another, else 0."""
        return self.abuts_cache[unit_type, unit_loc, order_type, other_loc]

    def area_type(self, loc: str) -> str | None:
        """Return the kind of a place (`WATER`, `COAST`, `LAND` or `SHUT`); None for an unknown place."""
        if loc.upper() in self._shut_places:
            return "SHUT"
        province = self.world.provinces.get(province_of(loc.upper()))
        return None if province is None or loc.upper() not in self.loc_coasts else _TYPES[province.terrain]

    def find_coasts(self, loc: str) -> list[str]:
        """List all places of a place's province, including coasts; [] for an unknown place."""
        return list(self.loc_coasts.get(loc.upper(), ()))

    def is_valid_unit(self, unit: str, no_coast_ok: int = 0, shut_ok: int = 0) -> bool:
        """Return whether a unit (`"F SPA/SC"`) can be in its place; `no_coast_ok` allows `"F SPA"`, `shut_ok` Switzerland."""
        kind, _, place = unit.partition(" ")
        if kind not in _UNIT_KINDS or place not in self.loc_coasts:
            return False
        if place in self._shut_places:
            return bool(shut_ok)
        places = self.loc_coasts[place] if no_coast_ok and kind == "F" else [place]
        return any(self.world.problem_with(one, at) is None for one in _UNIT_KINDS[kind] for at in places)

    def default_coast(self, word: list[str]) -> list[str]:
        """Return a fleet move's words, adding the coast if only one is reachable (`F GRE - BUL/SC`); other words unchanged."""
        if len(word) != 4 or word[0] != "F" or word[2] != "-" or "/" in word[3]:
            return word
        reached = [place for place in self.loc_coasts.get(word[3], ()) if self.abuts("F", word[1], "-", place)]
        return [*word[:3], *reached] if len(reached) == 1 else word

    # ---- words ----

    def norm(self, phrase: str) -> str:
        """Return a phrase in capitals, with spaces around signs and common words replaced by letters: `A PARIS BURGUNDY`."""
        text = re.sub(r"[-+,.:]", " ", phrase.upper().replace("/ ", "").replace("/", " /"))
        words = re.sub(r"([\[\]()*!?=_^|~])", r" \1 ", text).split()
        return " ".join(_LETTERS.get(word, word) for word in words)

    def compact(self, phrase: str) -> list[str]:
        """Return the words of a phrase, replacing names of places and powers by codes; a power before a colon is dropped."""
        power, colon, rest = phrase.partition(":")
        text = self.norm(rest if colon and self._codes.get(self.norm(power)) in self.powers else phrase)
        text = re.sub(r"\( ([NSEW])(?:ORTH|OUTH|AST|EST) COAST \)", r"/\1C", text)
        text = re.sub(r"[\[(](?: \*)? ([^\[\]()]*?)(?: \*)? [\])]", r"\1", text)
        words, found = text.split(), list[str]()
        while words:
            length = next((n for n in range(self._most_words, 0, -1) if " ".join(words[:n]) in self._codes), 0)
            one = self._codes[" ".join(words[:length])] if length else words[0]
            if one.startswith("/") and found:
                found[-1] += one * ("/" not in found[-1])
            else:
                found.append(one)
            del words[: max(length, 1)]
        return found

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        """The codes of places and powers, by their names as `norm` spells them."""
        return {self.norm(name): code for name, code in self.aliases.items()} | _PHRASES

    @cached_property
    def _most_words(self) -> int:
        return max(name.count(" ") + 1 for name in self._codes)

    def vet(self, word: Sequence[str], strict: int = 0) -> list[tuple[str, int]]:
        """Return each word with a number for its kind; if `strict`, the number of an unknown word is negative.

        The kinds are: 1 power, 2 unit, 3 place without coast, 4 place with coast, 5 letter of an order, 6 sign for a move,
        7 other sign.
        """
        return [(one, self._classify_word(one, strict)) for one in word]

    def _classify_word(self, word: str, strict: int) -> int:
        if " " in word or word in self.powers:
            return int(word in self.powers)
        if word in self.unit_names:
            return 2
        if word in self.loc_coasts:
            return 4 if "/" in word else 3
        if word in _ORDERS or word in _SIGNS:
            return 5 if word in _ORDERS else _SIGNS[word]
        province, coast, _ = word.partition("/")
        shape = 5 if word.isalnum() else 7
        kind = shape if len(word) == 1 else 1 if len(province) != 3 else 4 if coast else 3
        return -kind if strict else kind

    def rearrange(self, word: Sequence[str]) -> list[str]:
        """Return an order's words in standard sequence: the unit, its action, and `-` between any two places."""
        kinds = dict(self.vet(word))
        words = " ".join(word).split()
        while words and kinds[words[-1]] == 7:
            words.pop()
        while words and kinds[words[0]] == 7:
            del words[0]
        words = [one for one in words if one != "~"]
        for at in range(len(words) - 2, 0, -1):
            if words[at] == "\\":  # `BUR FROM PAR`, `A OF PAR`
                around = [words[at + 1], words[at - 1]]
                words[at - 1 : at + 2] = around if {kinds[one] for one in around} <= {3, 4} else around[::-1]
            elif words[at] == "?" and kinds[words[at + 1]] == 5:
                del words[at]
        begin = next((at for at, one in enumerate(words) if kinds[one] != 1), 0)
        verb = next((at for at in (begin, begin + 1) if words[at:] and kinds[words[at]] == 5), None)
        place = next((at for at in range(begin, len(words)) if kinds[words[at]] in (3, 4)), 0)
        if verb is not None and begin < place == verb + 1 + (verb == begin and kinds[words[begin + 1]] == 2):
            words.insert(place, words.pop(verb))  # `B A PAR`, `A B PAR`
        places = [kinds[one] in (3, 4) for one in words]
        found = words[:1]
        for one, both in zip(words[1:], map(all, pairwise(places)), strict=True):
            found += ["-", one] if both else [one]
        return found

    def norm_power(self, power: str) -> str:
        """Return the name of a power as `norm` spells it, without spaces."""
        return self.norm(power).replace(" ", "")

    # ---- phases ----

    @staticmethod
    def phase_abbr(phase: str, default: str = "?????") -> str:
        """Return a phase's short name (`S1901M` for `SPRING 1901 MOVEMENT`; `COMPLETED` and `FORMING` as is), or `default`."""
        words = phase.upper().split()
        return f"{words[0][0]}{words[1]}{words[2][0]}" if len(words) == 3 else phase if phase in _TIMELESS else default

    def phase_long(self, phase_abbr: str, default: str = "?????") -> str:
        """Return a phase's long name (`SPRING 1901 MOVEMENT` for `S1901M`), or `default` for others, also for `COMPLETED`."""
        match = _SHORT.fullmatch(phase_abbr.upper())
        return f"{_SEASONS[match[1]]} {match[2]} {_KINDS[match[3]]}" if match else default

    def find_next_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Return the next phase's long name (of type `M`, `R` or `A` if given), skipping `skip`; `COMPLETED` unchanged."""
        return self._find_phase(phase, 1, phase_type, skip)

    def find_previous_phase(self, phase: str, phase_type: str | None = None, skip: int = 0) -> str:
        """Return the previous phase's long name (of type `M`, `R` or `A` if given), skipping `skip`; `COMPLETED` unchanged."""
        return self._find_phase(phase, -1, phase_type, skip)

    def _find_phase(self, phase: str, step: int, wanted: str | None, skip: int) -> str:
        if phase in _TIMELESS or wanted not in (None, *_KINDS):
            return phase if phase in _TIMELESS else ""
        beside = count(self._number_phase(self.phase_abbr(phase)) + step, step)
        numbers = (number for number in beside if wanted in (None, _YEAR[number % len(_YEAR)].split()[1][0]))
        year, part = divmod(next(islice(numbers, skip, None)), len(_YEAR))
        return f" {year} ".join(_YEAR[part].split())

    def compare_phases(self, phase1: str, phase2: str) -> int:
        """Compare two phases by short name: return 1 if the first is later, 0 if they are equal, -1 if it is earlier."""
        first, second = self._number_phase(phase1), self._number_phase(phase2)
        return (first > second) - (first < second)

    def _number_phase(self, phase: str) -> int:
        """Return a number by which short phase names can be sorted by time; `FORMING` comes first, `COMPLETED` last."""
        last = "A" if phase.startswith("W") else "R"  # which `?` stands for
        match = _SHORT.fullmatch(phase.replace("?", last))
        if match is None:
            return 10**9 if phase == "COMPLETED" else -1
        return int(match[2]) * len(_YEAR) + _YEAR.index(f"{_SEASONS[match[1]]} {_KINDS[match[3]]}")


class _BorderCache(dict[tuple[str, str, str, str], int]):
    """A cache of the results of `Map.abuts`."""

    def __init__(self, game_map: Map) -> None:
        super().__init__()
        self.map = game_map

    def __missing__(self, key: tuple[str, str, str, str]) -> int:
        kind, place, order, other = key
        start, end, world = place.upper(), other.upper(), self.map.world
        goals = self.map.loc_coasts.get(end, [])
        if kind not in _UNIT_KINDS or start not in self.map.loc_coasts or not goals:
            return 0
        found = 0
        for one in _UNIT_KINDS[kind]:
            if world.problem_with(one, start) is None:
                over_sea = order == "C" and one is UnitKind.ARMY and end in world.shores.get(start, ())
                reached = goals if order == "S" else [end]  # a support reaches a province, whatever its coast
                found |= over_sea or not world.exits(one, start).isdisjoint(reached)
        self[key] = int(found)
        return self[key]
