"""What the features of known differences look for in a position (`satjudge.crosscheck.features`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satjudge.board import Board
from satjudge.crosscheck.comparison import OrderNumber
from satjudge.crosscheck.positions import Position
from satjudge.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove


def numbered(orders: Mapping[Power, Sequence[MovementOrder]]) -> Iterator[tuple[OrderNumber, MovementOrder]]:
    """All orders with their numbers."""
    for power, given in orders.items():
        yield from (((power, number), order) for number, order in enumerate(given))


def convoys(position: Position) -> list[Convoy]:
    """All convoy orders."""
    return [order for _, order in numbered(position.orders) if isinstance(order, Convoy)]


def carries(convoy: MovementOrder, move: Move) -> bool:
    """Whether an order is a convoy order for the move."""
    return isinstance(convoy, Convoy) and _origin_and_destination(convoy) == (move.unit.province, province_of(move.destination))


def _origin_and_destination(convoy: Convoy) -> tuple[ProvinceCode, ProvinceCode]:
    return convoy.convoyed.province, province_of(convoy.destination)


def lands_on(position: Position, order: MovementOrder) -> list[Convoy]:
    """The convoy orders for armies that attack the unit of an order."""
    return [convoy for convoy in convoys(position) if province_of(convoy.destination) == order.unit.province]


def aim(order: MovementOrder) -> ProvinceCode | None:
    """The province that an order acts upon, by a move or a support."""
    match order:
        case SupportHold():
            return order.supported.province
        case Move() | SupportMove():
            return province_of(order.destination)
        case _:
            return None


def attacked(position: Position, province: ProvinceCode, owner: Power) -> bool:
    """Whether a unit of another power is ordered to move there."""
    moves = ((power, order) for (power, _), order in numbered(position.orders) if isinstance(order, Move))
    return any(power != owner and province_of(move.destination) == province for power, move in moves)


def against_own_unit(position: Position, order: SupportMove) -> bool:
    """Whether a support is for a move against a unit of the supporter's own power."""
    units = position.board.unit_at
    supporter, there = units.get(order.unit.province), units.get(province_of(order.destination))
    return supporter is not None and there is not None and supporter.power == there.power


def by_land(board: Board, army: Named, destination: Location) -> bool:
    """Whether it is an army that could go there by land."""
    unit = board.unit_at.get(army.province)
    fits = unit is not None and unit.kind is UnitKind.ARMY
    return fits and province_of(destination) in board.map.army.get(army.province, ())


def hold(position: Position, order: MovementOrder) -> MovementOrder:
    """A hold instead, for the unit that is there."""
    unit = position.board.unit_at.get(order.unit.province)
    return Hold(Named(unit.kind, unit.location) if unit else order.unit)
