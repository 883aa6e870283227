"""Features of positions that known differences are about: functions that take them out (`satjudge.crosscheck.explained`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from satjudge.board import Board
from satjudge.crosscheck.comparison import NOT_ACCEPTED, Compared, Difference
from satjudge.geography import Location, ProvinceCode, UnitKind, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove

Feature = Callable[[Compared, MovementOrder, Difference | None], MovementOrder]
"""An order of a position without the feature; the same order if it does not have it. The difference is that in its verdict."""
Excuse = Callable[[Compared, Difference], bool]
"""Whether a difference is nothing but the feature, which cannot be taken out of the orders."""


def fleet_via(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """A fleet's order that says `via convoy`."""
    unit = compared.position.board.unit_at.get(order.unit.province)
    if isinstance(order, Move) and order.via_convoy and unit is not None and unit.kind is UnitKind.FLEET:
        return replace(order, via_convoy=False)
    return order


def own_convoyer(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """A fleet's support for an army's move that is possible by its own convoy only (DATC 6.D.31)."""
    at_sea = order.unit.province in compared.position.board.fleets_at_sea
    if difference is None or not isinstance(order, SupportMove) or not at_sea:
        return order
    illegal = difference.ours.startswith("illegal") and not difference.theirs.startswith("illegal")
    return _hold(compared, order) if illegal else order


def not_accepted(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """An order that the oracle does not take, though it is legal."""
    dropped = difference is not None and difference.theirs.startswith(NOT_ACCEPTED)
    return _hold(compared, order) if dropped else order


def land_route(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """A convoy for an army that could go by land, and its own `via convoy`."""
    board = compared.position.board
    if isinstance(order, Move) and order.via_convoy and _by_land(board, order.unit, order.destination):
        return replace(order, via_convoy=False)
    if isinstance(order, Convoy) and _by_land(board, order.convoyed, order.destination):
        return _hold(compared, order)
    return order


def needless_via(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """`via convoy` for an army that cannot go by land, where it says nothing."""
    if isinstance(order, Move) and order.via_convoy and not _by_land(compared.position.board, order.unit, order.destination):
        return replace(order, via_convoy=False)
    return order


def support_at_convoy(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """A support for or against a convoying fleet by a unit that a convoyed army attacks."""
    if not isinstance(order, SupportHold | SupportMove):
        return order
    convoys = _convoys(compared)
    target = order.supported.province if isinstance(order, SupportHold) else province_of(order.destination)
    attacked = any(province_of(one.destination) == order.unit.province for one in convoys)
    return _hold(compared, order) if attacked and any(one.unit.province == target for one in convoys) else order


def support_against_own_convoy(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """A support against a convoying fleet of the supporter's own power."""
    if not isinstance(order, SupportMove) or not _against_own_unit(compared, order):
        return order
    fleet = province_of(order.destination)
    return _hold(compared, order) if any(one.unit.province == fleet for one in _convoys(compared)) else order


def support_in_own_battle(compared: Compared, order: MovementOrder, difference: Difference | None) -> MovementOrder:
    """A support for a move against a unit of the supporter's own power that moves the other way."""
    if not isinstance(order, SupportMove) or not _against_own_unit(compared, order):
        return order
    there, back = province_of(order.destination), order.supported.province
    moves = (one for given in compared.position.orders.values() for one in given if isinstance(one, Move))
    opposing = any((one.unit.province, province_of(one.destination)) == (there, back) for one in moves)
    return _hold(compared, order) if opposing else order


def _against_own_unit(compared: Compared, order: SupportMove) -> bool:
    units = compared.position.board.unit_at
    supporter, attacked = units.get(order.unit.province), units.get(province_of(order.destination))
    return supporter is not None and attacked is not None and supporter.power == attacked.power


def convoyed_attacker(compared: Compared, difference: Difference) -> bool:
    """More retreats for a unit that a convoyed army dislodges."""
    if difference.kind != "retreats of a unit" and not difference.kind.endswith("destroyed / dislodged"):
        return False
    place = _province_of_subject(compared, difference)
    return any(province_of(convoy.destination) == place for convoy in _convoys(compared))


def _convoys(compared: Compared) -> list[Convoy]:
    return [order for given in compared.position.orders.values() for order in given if isinstance(order, Convoy)]


def _hold(compared: Compared, order: MovementOrder) -> MovementOrder:
    """A hold instead, for the unit that is there."""
    unit = compared.position.board.unit_at.get(order.unit.province)
    return Hold(Named(unit.kind, unit.location) if unit else order.unit)


def _province_of_subject(compared: Compared, difference: Difference) -> ProvinceCode:
    """Where the unit that differs stands; its order may be what differs."""
    if difference.number is None:
        return province_of(difference.subject.rpartition(" ")[2])
    return compared.position.orders[difference.power][difference.number].unit.province


def _by_land(board: Board, army: Named, destination: Location) -> bool:
    unit = board.unit_at.get(army.province)
    fits = unit is not None and unit.kind is UnitKind.ARMY
    return fits and province_of(destination) in board.map.army.get(army.province, ())


FEATURES: Mapping[str, Feature] = {
    feature.__name__: feature
    for feature in (
        fleet_via,
        own_convoyer,
        not_accepted,
        land_route,
        needless_via,
        support_at_convoy,
        support_against_own_convoy,
        support_in_own_battle,
    )
}
EXCUSES: Mapping[str, Excuse] = {excuse.__name__: excuse for excuse in (convoyed_attacker,)}
