"""Reads and writes phases of godip and diplicity: JSON with units by province, and orders as lists of words.

    {"Season": "Spring", "Year": 1901, "Type": "Movement", "Units": {"lon": {"Type": "Fleet", "Nation": "England"}, …},
     "Orders": {"England": {"lon": ["Move", "eng"]}}, "SupplyCenters": {"lon": "England", …}, …}

diplicity's API sends lists instead of these mappings, under `Properties`, and the orders in a separate document. The
retreats of a dislodged unit follow from `Bounces` (contested provinces) and `Dislodgers` (origins of attackers).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import msgspec

from satjudge.base.errors import RequestError
from satjudge.base.resources import decode_json
from satjudge.files.dialects import load_dialect
from satjudge.files.diplomacy_package import SavedGame, SavedPhase, State, board_of, check_length, normalize_phase, parse_phase
from satjudge.notation.parse import parse_location, parse_order, parse_power
from satjudge.world.board import Board, Season, Unit, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, map_called, province_of

STANDARD = "Classical"
_TYPES = {"Movement": "M", "Retreat": "R", "Adjustment": "A"}
_KINDS = {"Army": UnitKind.ARMY, "Fleet": UnitKind.FLEET}
_RESULTS = {"bounce": "ErrBounce", "cut": "ErrSupportBroken", "disrupted": "ErrConvoyDislodged", "void": "ErrIllegalMove"}
"""godip's results of orders, by the words of saved games; all other results are `OK`."""
_LISTS = {"Units": "Unit", "Dislodgeds": "Dislodged", "Dislodgers": "Dislodger", "Resolutions": "Resolution", "SCs": "Owner"}
"""The lists of diplicity, each with the key of the value that belongs to `Province`."""


class _Unit(msgspec.Struct, rename="pascal"):
    type: str
    nation: str


class _Phase(msgspec.Struct, rename="pascal"):
    season: str
    year: int
    type: str
    units: dict[str, _Unit]
    supply_centers: dict[str, str] = {}
    orders: dict[str, dict[str, list[str]]] = {}
    dislodgeds: dict[str, _Unit] = {}
    dislodgers: dict[str, str] = {}
    bounces: dict[str, dict[str, bool]] = {}
    resolutions: dict[str, str] = {}
    variant: str = STANDARD


# ---- reading ----


def game_readers(data: bytes, source: str = "") -> Iterator[Callable[[], SavedGame]]:
    """Return an iterator with one function, which reads all phases in a document as one game; both may raise `RequestError`."""
    return iter([partial(_read_game, check_length(data, source), source)])


def _read_game(data: bytes, source: str) -> SavedGame:
    try:
        phases = [msgspec.convert(_flatten_lists(stated), _Phase) for stated in _iter_phases(decode_json(data, Any))]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, AttributeError, KeyError, TypeError) as error:
        raise RequestError(f"not a phase of godip or diplicity: {error}", source=source) from None
    if not phases:
        raise RequestError("this document contains no phase", source=source)
    game_map = map_called(None if phases[0].variant == STANDARD else phases[0].variant.casefold())
    return SavedGame([_PhaseReader(phase, game_map).make_saved_phase() for phase in phases], None, game_map.name)


def _iter_phases(document: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  # JSON
    """Yield the phases in a JSON document: the document, the items of a list, or the value of `Properties`, at any depth."""
    if isinstance(document, list):
        for one in document:
            yield from _iter_phases(one)
    elif "Properties" in document:
        yield from _iter_phases(document["Properties"])
    else:
        yield document


def _flatten_lists(stated: dict[str, Any]) -> dict[str, Any]:
    """Return a phase in godip's form: with diplicity's lists turned into mappings by province, and without null values."""
    flat = {key: value for key, value in stated.items() if value is not None}
    for key, value_key in _LISTS.items():
        if isinstance(flat.get(key), list):
            flat[key] = {one["Province"]: one[value_key] for one in flat[key]}
    if isinstance(flat.get("Bounces"), list):
        flat["Bounces"] = {one["Province"]: dict.fromkeys(one["BounceList"].split(","), True) for one in flat["Bounces"]}
    return flat | ({"SupplyCenters": flat["SCs"]} if "SCs" in flat else {})


class _PhaseReader:
    """Converts a phase of godip into one in the format of saved games."""

    def __init__(self, phase: _Phase, game_map: Map) -> None:
        if phase.type not in _TYPES or phase.season.casefold() not in tuple(Season):
            raise RequestError(f"there is no phase {phase.type!r:.30} in {phase.season!r:.30}")
        season = "W" if phase.type == "Adjustment" else phase.season[0]
        self.phase, self.map, self.dialect = phase, game_map, load_dialect("godip")
        self.name = f"{season}{phase.year}{_TYPES[phase.type]}"
        self.units = {unit.province: unit for unit in map(self._unit, phase.units, phase.units.values())}
        self.dislodged = {unit.province: unit for unit in map(self._unit, phase.dislodgeds, phase.dislodgeds.values())}

    def make_saved_phase(self) -> SavedPhase:
        standing = [(unit.power, str(unit)) for unit in self.units.values()]
        retreats: dict[Power, dict[str, list[Location]]] = {}
        for unit in self.dislodged.values():
            standing.append((unit.power, f"*{unit}"))
            exits = self.map.exits(unit.kind, unit.location)
            retreats.setdefault(unit.power, {})[str(unit)] = sorted(filter(partial(self._is_free, unit), exits))
        owned = ((self._power(nation), self._place(place)) for place, nation in self.phase.supply_centers.items())
        given = ((self._power(nation), self._order(*one)) for nation, of in self.phase.orders.items() for one in of.items())
        words = {theirs: word for word, theirs in _RESULTS.items()}
        results: dict[str, list[Any] | None] = {
            self._format_unit_at(place): [] if result == "OK" else [words.get(result.partition(":")[0], "void")]
            for place, result in self.phase.resolutions.items()
        }
        return SavedPhase(
            self.name, State(self.name, group_pairs(standing), retreats, group_pairs(owned)), {**group_pairs(given)}, results
        )

    def _power(self, nation: str) -> Power:
        return parse_power(nation, self.map)

    def _place(self, place: str) -> Location:
        return parse_location(self.dialect.parse_notation(place, self.map), self.map)

    def _unit(self, place: str, unit: _Unit) -> Unit:
        if unit.type not in _KINDS:
            raise RequestError(f"a unit is an Army or a Fleet, not {unit.type!r:.40}")
        return Unit(self._power(unit.nation), _KINDS[unit.type], self._place(place))

    def _is_free(self, unit: Unit, place: Location) -> bool:
        """Return whether a dislodged unit may retreat to a place: it is vacant, uncontested and not its attacker's origin."""
        province = province_of(place)
        came_from = {self._place(origin): self._place(victim) for origin, victim in self.phase.dislodgers.items()}
        contested = {self._place(fought) for fought, bounced in self.phase.bounces.items() if bounced}
        return province not in self.units and province not in contested and came_from.get(province) != unit.province

    def _format_unit_at(self, place: str) -> str:
        """Write the unit in a province as `F STP/SC`, preferably a dislodged one; only the location if no unit is there."""
        where = self._place(place)
        unit = self.dislodged.get(province_of(where)) or self.units.get(province_of(where))
        return str(unit or where)

    def _order(self, place: str, words: list[str]) -> str:
        match words:
            case ["Hold"]:
                return f"{self._format_unit_at(place)} H"
            case ["Move" | "MoveViaConvoy" as how, goal]:
                arrow, via = "R" if self.phase.type == "Retreat" else "-", " VIA" * (how == "MoveViaConvoy")
                return f"{self._format_unit_at(place)} {arrow} {self._place(goal)}{via}"
            case ["Support" | "Convoy" as verb, other, goal]:
                move = "" if verb == "Support" and other == goal else f" - {self._place(goal)}"
                return f"{self._format_unit_at(place)} {verb[0]} {self._format_unit_at(other)}{move}"
            case ["Build", kind] if kind in _KINDS:
                return f"{_KINDS[kind]} {self._place(place)} B"
            case ["Disband"]:
                return f"{self._format_unit_at(place)} D"
        raise RequestError(f"there is no order {' '.join(map(str, words))!r:.60}")


# ---- writing ----


def phase_document(phase: SavedPhase, game_map: Map) -> dict[str, Any]:
    """Return a phase as JSON data in godip's format, without waived builds, which it cannot express; may raise `InputError`."""
    board, (kind, turn) = board_of(phase, game_map), parse_phase(phase.name)
    if turn is None:
        raise RequestError("a game that is over has no current phase", suggestion="name one that was played, such as S1901M")
    dialect, kinds = load_dialect("godip"), {kind: name for name, kind in _KINDS.items()}
    types = {letter: name for name, letter in _TYPES.items()}

    def place(location: Location) -> str:
        return dialect.format_notation(location, game_map)

    def standing(units: Iterable[Unit]) -> dict[str, dict[str, str]]:
        return {place(unit.location): {"Type": kinds[unit.kind], "Nation": game_map.name_of(unit.power)} for unit in units}

    orders: dict[str, dict[str, list[str]]] = {}
    for power, texts in normalize_phase(phase, game_map).orders.items():
        for text in texts or ():
            source, words = _split_order(dialect.format_notation(str(parse_order(text, game_map, kind)), game_map))
            if words:
                orders.setdefault(game_map.name_of(power), {})[source] = words
    barred, bounced = _find_barred_provinces(board)
    return {
        "Variant": STANDARD if game_map.is_standard else game_map.name,
        "Season": str(turn.season).title(),
        "Year": turn.year,
        "Type": types[phase.name[-1]],
        "Units": standing(board.units),
        "Orders": orders,
        "SupplyCenters": {place(code): game_map.name_of(power) for code, power in sorted(board.centers.items())},
        "Dislodgeds": standing(lost.unit for lost in board.dislodged),
        "Dislodgers": {place(origin): place(victim) for origin, victim in barred.items()},
        "Bounces": {place(fought): {place(beside): True} for fought, beside in bounced.items()},
        "Resolutions": {
            place(ordered.split()[-1]): next((_RESULTS[word] for word in words or () if word in _RESULTS), "OK")
            for ordered, words in phase.results.items()
            if " " in ordered  # no WAIVE
        },
    }


def _split_order(text: str) -> tuple[str, list[str]]:
    """Split an order, such as `F lon - eng`, into its unit's place and godip's words (`Move`, `eng`); ("", []) if none."""
    match text.split():
        case [_, source, "H"]:
            return source, ["Hold"]
        case [_, source, "D"]:
            return source, ["Disband"]
        case [kind, source, "B"]:
            return source, ["Build", "Army" if kind == UnitKind.ARMY else "Fleet"]
        case [_, source, "-" | "R", *way]:
            places = [word for word in way if word not in ("-", "via")]
            return source, ["MoveViaConvoy" if len(way) > 1 else "Move", places[-1]]
        case [_, source, "S" | "C" as verb, *of]:
            places = [word for word in of if word.islower()]
            return source, ["Support" if verb == "S" else "Convoy", places[0], places[-1]]
    return "", []


def _find_barred_provinces(board: Board) -> tuple[dict[ProvinceCode, ProvinceCode], dict[ProvinceCode, ProvinceCode]]:
    """Return two dicts: attackers' origins, and contested provinces, each with the place of a dislodged unit barred from it.

    A province to which another dislodged unit may retreat was not contested.
    """
    free = {province_of(place) for lost in board.dislodged for place in lost.retreats}
    origins: dict[ProvinceCode, ProvinceCode] = {}
    fought: dict[ProvinceCode, ProvinceCode] = {}
    for lost in board.dislodged:
        for barred in (
            {*map(province_of, board.map.exits(lost.unit.kind, lost.unit.location))}
            - {*map(province_of, lost.retreats)}
            - {*board.unit_at}
        ):
            (origins if barred in free else fought)[barred] = lost.unit.province
    return dict(sorted(origins.items())), dict(sorted(fought.items()))
