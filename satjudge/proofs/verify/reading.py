"""Reads powers, units and orders of a claim: each is to be written as satjudge itself writes it.

A claim is told in its own words. So a name that is read as something else than it looks like would tell another claim than the
one that is proved: `Britain` is ENGLAND, `French A PAR` of RUSSIA is Russian, and a Cyrillic letter makes another power.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from satjudge.base.errors import InputError
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, coast_of, normal, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import ConvoyPaths, SupportCoast

_OTHER_POWER = re.compile("[A-Z][A-Z0-9_]*")
"""The allowed names of powers that are not on the map."""


def check_power(power: Power, game_map: Map) -> None:
    """Raise `InputError` unless a power has its name on the map, or one in capitals that no power of the map goes by."""
    if power in game_map.powers:
        return
    if meant := game_map.power_aliases.get(normal(power)):
        raise InputError(f"the power “{power}” is to be written “{meant}”")
    if not _OTHER_POWER.fullmatch(power):
        raise InputError(f"“{power}” is no power of the map, nor a name in capitals of A to Z")


def read_unit(text: str, power: Power, game_map: Map) -> Unit:
    """Read a unit of a power.

    Raises `InputError` if it is written otherwise than `A PAR` or `F STP/SC`.
    """
    unit = parse_unit(text, power, game_map)
    if str(unit) != text:
        raise InputError(f"the unit “{text}” is to be written “{unit}”")
    return unit


def read_units(units: Mapping[Power, Sequence[str]], game_map: Map) -> Iterator[Unit]:
    """Read the units of all powers.

    Raises `InputError`.
    """
    for power, texts in units.items():
        check_power(power, game_map)
        yield from (read_unit(text, power, game_map) for text in texts)


def read_order(text: str, board: Board) -> MovementOrder:
    """Read an order to a unit of the board.

    Raises `InputError` if there is no such unit, if the order is written otherwise than in full, or if it names another unit
    that is not there, or otherwise than that is (DATC 3.2, 4.C).
    """
    order = parse_order(text, board.map)
    if not isinstance(order, MovementOrder) or not _is_there(order.unit, board) or order.unit.power:
        raise InputError(f"“{text}” is no order to a unit that is there")
    if str(order) != text:
        raise InputError(f"“{text}” is to be written “{order}”")
    other = other_unit(order)
    if other and not _is_there(other, board):
        raise InputError(f"“{text}”: there is no {other}")
    return order


def is_possible(order: MovementOrder, board: Board) -> bool:
    """Tell whether the map lets the unit follow an order, whatever other units there are.

    A fleet goes by water to what touches, or by a canal; an army to land that touches, from coast to coast, or on its power's
    railroad; a support is for where its unit could go, and over no difficult border; and fleets convoy armies where fleets may
    (DATC 3.2, 4.E.1; DATC 2.4, 7 to 10).
    """
    game_map, unit = board.open_map, board.unit_at[order.unit.province]
    reach = game_map.exits(unit.kind, unit.location)
    match order:
        case Move() if order.railroad:
            return _goes_by_railroad(order, unit, game_map)
        case Move() if unit.kind is UnitKind.FLEET:
            return order.destination in reach or game_map.canal_between(unit.location, order.destination) is not None
        case Move():
            return order.destination in reach or _are_coasts(unit.province, order.destination, game_map)
        case SupportHold():
            return _can_support_into(order.supported.province, unit, game_map)
        case SupportMove():
            kind, there = order.supported.kind, order.destination
            is_there = there in game_map.provinces or (kind is UnitKind.FLEET and there in game_map.fleet)
            return is_there and _can_support_into(province_of(there), unit, game_map)
        case Convoy():
            may_convoy = unit.kind is UnitKind.FLEET and unit.province in game_map.convoying
            of_army = order.convoyed.kind is UnitKind.ARMY
            return may_convoy and of_army and _are_coasts(order.convoyed.province, order.destination, game_map)
    return True


def _goes_by_railroad(move: Move, unit: Unit, game_map: Map) -> bool:
    """Tell whether a unit is an army of a railroad's power, and goes from one province on it to another (DATC 2.4, 7.B)."""
    (railroad,) = (railroad for railroad in game_map.railroads if railroad.name == move.railroad)
    on_it = {unit.province, move.destination}.issubset(railroad.line) and unit.province != move.destination
    return on_it and unit.kind is UnitKind.ARMY and unit.power == railroad.power


def _are_coasts(origin: ProvinceCode, destination: Location, game_map: Map) -> bool:
    """Tell whether fleets could convoy an army from one province to another, if they were where they may convoy."""
    on_land = game_map.problem_with(UnitKind.ARMY, destination) is None and origin != destination
    return on_land and all(game_map.shores.get(province) for province in (origin, destination))


def _can_support_into(province: ProvinceCode, unit: Unit, game_map: Map) -> bool:
    """Tell whether a unit could go to a province directly, and over no difficult border by land (DATC 2.4, 10.E)."""
    difficult = unit.kind is UnitKind.ARMY and game_map.is_difficult(unit.province, province)
    return not difficult and province in map(province_of, game_map.exits(unit.kind, unit.location))


def left_out(order: MovementOrder, game_map: Map, rulebook: Rulebook) -> str:
    """Write the words that a rulebook takes an order to mean though it lacks them; empty if none.

    They are that an army goes by the convoy path that is written (4.A.6), and the coast that a fleet is supported to (4.B.4).
    """
    match order:
        case Move(via_convoy=False) if order.route and rulebook.convoy_paths is not ConvoyPaths.IGNORED:
            return "VIA, as the rulebook has 4.A.6"
        case SupportMove() if order.supported.kind is UnitKind.FLEET and rulebook.support_coast is SupportCoast.DEFAULT:
            several = not coast_of(order.destination) and game_map.provinces[order.destination].coasts
            return "a coast, as the rulebook has 4.B.4" if several else ""
    return ""


def other_unit(order: MovementOrder) -> Named | None:
    """Return the unit that is supported or convoyed."""
    match order:
        case SupportHold() | SupportMove():
            return order.supported
        case Convoy():
            return order.convoyed
    return None


def _is_there(named: Named, board: Board) -> bool:
    """Tell whether such a unit stands on the board, of the power that is named if one is."""
    unit = board.unit_at.get(named.province)
    return unit is not None and named in (unit.named, Named(unit.kind, unit.location, unit.power))
