"""Reads powers, units and orders of a claim: each is to be written as satjudge itself writes it.

A claim is told in its own words. So a name that is read as something else than it looks like would tell another claim than the
one that is proved: `Britain` is ENGLAND, `French A PAR` of RUSSIA is Russian, and a Cyrillic letter makes another power.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from satjudge.board import Board, Unit
from satjudge.errors import InputError
from satjudge.geography import Map, Power, UnitKind, normal, province_of
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove

_OTHER_POWER = re.compile("[A-Z][A-Z0-9_]*")
"""How a power may be called that is not on the map."""


def check_power(power: Power, game_map: Map) -> None:
    """Raise `InputError` unless a power has its name on the map, or one in capitals that no power of the map goes by."""
    if power in game_map.powers:
        return
    if meant := game_map.power_aliases.get(normal(power)):
        raise InputError(f"the power “{power}” is to be written “{meant}”")
    if not _OTHER_POWER.fullmatch(power):
        raise InputError(f"“{power}” is no power of the map, nor a name in capitals of A to Z")


def read_unit(text: str, power: Power, game_map: Map) -> Unit:
    """A unit of a power. Raises `InputError` if it is written otherwise than `A PAR` or `F STP/SC`."""
    unit = parse_unit(text, power, game_map)
    if str(unit) != text:
        raise InputError(f"the unit “{text}” is to be written “{unit}”")
    return unit


def read_units(units: Mapping[Power, Sequence[str]], game_map: Map) -> Iterator[Unit]:
    """The units of all powers. Raises `InputError`."""
    for power, texts in units.items():
        check_power(power, game_map)
        yield from (read_unit(text, power, game_map) for text in texts)


def read_order(text: str, board: Board) -> MovementOrder:
    """An order to a unit of the board. Raises `InputError` if there is no such unit, if the order is written otherwise than in
    full, or if it names another unit that is not there, or otherwise than that is (DATC 3.2, 4.C).
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
    """Whether the map lets the unit do that, whatever other units there are: a fleet goes by water to what touches, an army to
    other land, a support is for where its unit could go, and fleets convoy where fleets may (DATC 3.2, 4.E.1).
    """
    game_map, unit = board.map, board.unit_at[order.unit.province]
    through = (canal.seas for canal in game_map.canals if unit.kind is UnitKind.FLEET and unit.location in canal.seas)
    reach = {*game_map.exits(unit.kind, unit.location), *chain.from_iterable(through)} - {unit.location}
    match order:
        case Move() if unit.kind is UnitKind.FLEET:
            return order.destination in reach
        case Move():
            return order.destination != unit.province and game_map.problem_with(UnitKind.ARMY, order.destination) is None
        case SupportHold():
            return order.supported.province in map(province_of, reach)
        case SupportMove():
            return province_of(order.destination) in map(province_of, reach)
        case Convoy():
            return unit.kind is UnitKind.FLEET and unit.province in game_map.convoying
    return True


def other_unit(order: MovementOrder) -> Named | None:
    """The unit that is supported or convoyed."""
    match order:
        case SupportHold() | SupportMove():
            return order.supported
        case Convoy():
            return order.convoyed
    return None


def _is_there(named: Named, board: Board) -> bool:
    """Whether such a unit stands on the board, of the power that is named if one is."""
    unit = board.unit_at.get(named.province)
    return unit is not None and named in (unit.named, Named(unit.kind, unit.location, unit.power))
