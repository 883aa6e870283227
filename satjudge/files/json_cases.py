"""Reads and writes test cases that follow `tests.schema.json`, the schema for the tests of the Rust crate `diplomacy`.

For each order, a case expects success, failure or nothing. A phase of retreats begins with the moves before it. A phase of
builds begins with the units: a supply centre belongs to the power of the unit in it, or else to its occupier, or else to its
home power. docs/reference/saved-files.md describes the parts that are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from satjudge.base.errors import InputError, SheetError
from satjudge.base.resources import decode_json
from satjudge.judging.judge import judge
from satjudge.judging.position import Position
from satjudge.notation.parse import parse_location, parse_order, parse_power, parse_unit
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Location, Map, Power, coast_of, load_map, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Hold,
    Move,
    Named,
    Order,
    Remove,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import DEFAULT_RULES, load_preset
from satjudge.world.verdicts import Outline, Verdict

SCHEMA = "./tests.schema.json"
EDITIONS: Mapping[str, str] = {"1971": "1971", "1982": "1982", "2023": "2023", "dptg": "guide-1998"}
"""satjudge's rulebooks by the editions of the schema."""
PHASES: Mapping[str, Phase] = {"Main": Phase.MOVEMENT, "Retreat": Phase.RETREAT, "Build": Phase.ADJUSTMENT}
_UNIT = re.compile(r"(?P<power>[A-Za-z]+)\s*:\s*(?P<rest>\S.*)")
_BARE_CONVOY = re.compile(r"(?<=\bconvoys )(?![AF] )", re.IGNORECASE)
"""The word before a convoyed unit whose kind is not named."""

Expected = dict[str, Literal["Succeeds", "Fails"] | None]
"""The expected results of orders, each with its power before it: `{"ENG: F nth -> pic": "Fails"}`."""


class _Moves(msgspec.Struct, omit_defaults=True):
    """The moves before a phase of retreats."""

    orders: Expected
    starting_state: list[str] | None = None


class JsonCase(msgspec.Struct, omit_defaults=True):
    """A test case."""

    name: str
    phase: Literal["Main", "Retreat", "Build"]
    orders: Expected
    url: str = ""
    description: str = ""
    ignore: str = ""
    edition: Literal["", "1971", "1982", "2023", "dptg"] = ""
    starting_state: list[str] | None = None
    """The units; if they are missing, they are the units that have orders."""
    preceding_main_phase: _Moves | None = None
    occupiers: dict[str, str] = {}
    civil_disorder: list[str] = []
    """Some of the units that civil disorder removes."""

    @property
    def rules(self) -> str:
        """The name of satjudge's rulebook for the case's edition, or of the default rulebook if the case names none."""
        return EDITIONS.get(self.edition, DEFAULT_RULES)


class JsonCases(msgspec.Struct):
    """The content of a file."""

    cases: list[JsonCase]
    schema: str = msgspec.field(default=SCHEMA, name="$schema")


def read_cases(data: bytes, source: str = "") -> list[JsonCase]:
    """Return the cases that a JSON file contains.

    Raises `SheetError` if the file does not follow the schema.
    """
    try:
        document: JsonCases = decode_json(data, JsonCases)
    except msgspec.DecodeError as error:
        raise SheetError(f"not test cases: {error}", source=source) from None
    return document.cases


class ReadCase(msgspec.Struct):
    """A case as a position, with its orders and their expected results."""

    board: Board
    orders: dict[Power, list[Order]]
    expected: dict[Power, list[str | None]]
    """The expected outline (`satjudge.world.verdicts.Outline`) of each order."""
    removed: list[Unit]


def read_case(case: JsonCase) -> ReadCase:
    """Parse a case into a position, its orders and the expected results.

    Raises `InputError`, and `UnresolvedError` if its rulebook cannot resolve the moves that precede a retreat phase.
    """
    game_map, phase = load_map(), PHASES[case.phase]
    orders, expected = _parse_orders(case.orders, game_map, phase)
    if phase is Phase.MOVEMENT:
        board = Board(tuple(_iter_units(case.starting_state, orders, game_map)), map=game_map)
    elif phase is Phase.RETREAT:
        if case.preceding_main_phase is None:
            raise SheetError("a retreat phase needs the moves of the preceding phase", suggestion="add preceding_main_phase")
        before, _ = _parse_orders(case.preceding_main_phase.orders, game_map, Phase.MOVEMENT)
        units = _iter_units(case.preceding_main_phase.starting_state, before, game_map)
        board = judge(Board(tuple(units), map=game_map), before, rulebook=load_preset(case.rules)).retreat_board
    else:
        board = _make_winter_board(case, game_map)
    return ReadCase(board, orders, expected, [_unit(text, game_map) for text in case.civil_disorder])


def _make_winter_board(case: JsonCase, game_map: Map) -> Board:
    """Return the position of a phase of builds; a centre belongs to the unit in it, or else its occupier, or its home power."""
    units = [_unit(text, game_map) for text in case.starting_state or ()]
    centers = dict(game_map.owners)
    powers_by_province = {
        province_of(parse_location(place, game_map)): _parse_power(name, game_map) for place, name in case.occupiers.items()
    }
    powers_by_province |= {unit.province: unit.power for unit in units}
    centers |= {code: power for code, power in powers_by_province.items() if code in game_map.centers}
    return Board(tuple(units), centers=centers, phase=Phase.ADJUSTMENT, map=game_map)


def _parse_orders(
    texts: Expected, game_map: Map, phase: Phase
) -> tuple[dict[Power, list[Order]], dict[Power, list[str | None]]]:
    """Parse orders into two dicts by power: the orders, and their expected results in the same sequence (None if nothing)."""
    orders: dict[Power, list[Order]] = {}
    expected: dict[Power, list[str | None]] = {}
    for text, outcome in texts.items():
        power, rest = _split_power(text, game_map)
        orders.setdefault(power, []).append(parse_order(_BARE_CONVOY.sub("A ", rest), game_map, phase))
        expected.setdefault(power, []).append(outcome)
    return orders, expected


def _split_power(text: str, game_map: Map) -> tuple[Power, str]:
    match = _UNIT.fullmatch(text)
    if match is None:
        raise SheetError(f"cannot read {text!r}", suggestion="write a unit or an order, such as `ENG: F nth - edi`")
    return _parse_power(match["power"], game_map), match["rest"]


def _parse_power(text: str, game_map: Map) -> Power:
    """Return the only power whose name begins with this text, or that has it as another name; or raise `NotationError`."""
    begun = [power for power in game_map.powers if text and power.startswith(text.upper())]
    return begun[0] if len(begun) == 1 else parse_power(text, game_map)


def _unit(text: str, game_map: Map) -> Unit:
    power, rest = _split_power(text, game_map)
    return parse_unit(rest, power, game_map)


def _iter_units(unit_texts: list[str] | None, orders: Mapping[Power, list[Order]], game_map: Map) -> Iterator[Unit]:
    """Yield the units that a case lists, or, if `unit_texts` is None, the units that have orders."""
    if unit_texts is not None:
        yield from (_unit(text, game_map) for text in unit_texts)
        return
    keys = {(power, str(order.unit)): None for power, group in orders.items() for order in group if hasattr(order, "unit")}
    yield from (parse_unit(text, power, game_map) for power, text in keys)


# ---- writing ----


def json_case(name: str, position: Position, verdicts: Mapping[Power, Sequence[str]], rules: str) -> JsonCase | None:
    """Make a test case from a position, the verdicts on its orders and the name of the rulebook; None if that is impossible.

    The format cannot express retreats without the moves before them, two equal orders, declined builds, convoy routes, orders
    that name foreign powers or unknown kinds of units, and maps other than the standard one.
    """
    board = position.board
    edition = next((edition for edition, preset in EDITIONS.items() if preset == rules), "")
    if board.phase is Phase.RETREAT or not board.map.is_standard or not edition:
        return None
    phase, units = ("Build" if board.phase is Phase.ADJUSTMENT else "Main"), [_unit_text(unit) for unit in board.units]
    outlines = [
        (f"{_shorten_power(power)}: {_order_text(order)}", Outline.from_verdict(Verdict.read(verdict)).value)
        for power, given in position.orders.items()
        for order, verdict in zip(given, verdicts.get(power, ()), strict=True)
    ]
    occupiers = _list_owners(position) if phase == "Build" else {}
    fields = {"name": name, "phase": phase, "edition": edition, "starting_state": units, "occupiers": occupiers}
    try:
        case = msgspec.convert({**fields, "orders": dict(outlines)}, JsonCase)
        return case if _restores_position(case, position) else None
    except InputError:  # an order that the notation does not have
        return None


def _restores_position(case: JsonCase, position: Position) -> bool:
    """Return whether reading a case gives this position, from which the case was made."""
    saved, board = read_case(case), position.board
    orders = {power: [*map(str, given)] for power, given in position.orders.items() if given}
    involved = _find_involved_powers(position)
    owned = {code: power for code, power in saved.board.centers.items() if power in involved}
    is_equal = (
        set(saved.board.units) == set(board.units) and {power: [*map(str, of)] for power, of in saved.orders.items()} == orders
    )
    return is_equal and (board.phase is Phase.MOVEMENT or owned == dict(board.centers))


def _find_involved_powers(position: Position) -> set[Power]:
    """Return the powers that have orders, centres or units in a position."""
    return {*position.orders, *position.board.centers.values(), *(unit.power for unit in position.board.units)}


def _list_owners(position: Position) -> dict[str, str]:
    """Return owners of empty centres, `{"par": "FRA"}`; an uninvolved power, if any, gets the unowned homes of the others."""
    board, involved = position.board, _find_involved_powers(position)
    idle = next((power for power in board.map.powers if power not in involved), "")
    lost = {code: idle for code, power in board.map.owners.items() if power in involved and idle}
    owners = {**lost, **board.centers}
    return {code.lower(): _shorten_power(power) for code, power in owners.items() if code not in board.unit_at}


def cases_text(cases: Iterable[JsonCase]) -> bytes:
    """Return the bytes of a JSON file with these cases."""
    return msgspec.json.format(msgspec.json.encode(JsonCases(list(cases))), indent=1) + b"\n"


def _shorten_power(power: Power) -> str:
    return power[:3]


def _place(location: Location) -> str:
    coast = coast_of(location)
    return province_of(location).lower() + (f"({coast.lower()})" if coast else "")


def _unit_text(unit: Unit) -> str:
    return f"{_shorten_power(unit.power)}: {_format_unit(Named(unit.kind, unit.location))}"


def _format_unit(unit: Named) -> str:
    return f"{unit.kind or 'A'} {_place(unit.location)}"


def _order_text(order: Order) -> str:
    """Write an order in the notation of the Rust crate, or, if that has no such order, in satjudge's notation."""
    match order:
        case Hold(unit):
            return f"{_format_unit(unit)} holds"
        case Move(unit, destination, route=()):
            return f"{_format_unit(unit)} -> {_place(destination)}{' via Convoy' if order.via_convoy else ''}"
        case SupportHold(unit, supported):
            return f"{_format_unit(unit)} supports {_format_unit(supported)}"
        case SupportMove(unit, supported, destination):
            return f"{_format_unit(unit)} supports {_format_unit(supported)} -> {_place(destination)}"
        case Convoy(unit, convoyed, destination, route=()):
            return f"{_format_unit(unit)} convoys {_format_unit(convoyed)} -> {_place(destination)}"
        case Build(unit):
            return f"{_format_unit(unit)} build"
        case Remove(unit):
            return f"{_format_unit(unit)} disband"
    return str(order)
