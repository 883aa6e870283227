"""Draws orders that are nearly right: another coast or letter, a support or a convoy to next door, a second order.

Random boards have legal orders, and illegal ones that make no sense. People and programs make mistakes that are small, and
engines differ in what they make of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from satjudge.base.replacing import replace as changed
from satjudge.engines.positions import AskedPosition, PhaseOrder
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Location, Map, Power, UnitKind, province_of
from satjudge.world.orders import Build, Convoy, Decline, Disband, Hold, Move, Named, Remove, Retreat, SupportHold, SupportMove

_MOST = 3
"""Most slips on a board."""
_SECOND = 0.15
"""The share of slips by which a unit has a second order, or another power's."""


def with_slips(position: AskedPosition, seed: int = 0) -> AskedPosition:
    """Return a position of any phase with a few slips in its orders.

    The same position and seed give the same slips.
    """
    random = Random(f"{seed}:{position.key}")
    orders: dict[Power, list[PhaseOrder]] = {power: list(given) for power, given in position.orders.items()}
    for _ in range(random.randint(1, _MOST)):
        given = [(power, number) for power, several in orders.items() for number in range(len(several))]
        if not given:
            break
        power, number = random.choice(given)
        order = orders[power][number]
        slip = random.choice([*_slips(random, position.board, order), *_joining(position, order), order])
        if random.random() < _SECOND:
            whose = random.choice([power, power, *orders])
            orders[whose].insert(random.randint(0, len(orders[whose])), slip)
        else:
            orders[power][number] = slip
    return replace(position, orders=orders, name=f"{position.name}, with slips")


def _slips(random: Random, board: Board, order: Any) -> Iterator[PhaseOrder]:  # noqa: ANN401  # of any phase
    """Yield orders that somebody might give in place of one."""
    if isinstance(order, Decline):
        return
    game_map = board.map
    yield changed(order, unit=_misnamed(random, game_map, order.unit))
    if isinstance(order, Build):
        yield from _other_builds(random, board, order)
    elif isinstance(order, Remove):
        yield Remove(random.choice(board.units).named)
    elif isinstance(order, Retreat | Disband):
        yield from _other_retreats(random, board, order)
    else:
        yield from _other_movements(random, board, order)


def _misnamed(random: Random, game_map: Map, unit: Named) -> Named:
    """Name a unit with another letter, without one, or with another coast."""
    province = province_of(unit.location)
    coasts = [place for place in (province, *game_map.provinces[province].locations) if place != unit.location]
    if coasts and random.random() < 0.5:
        return changed(unit, location=random.choice(coasts))
    return changed(unit, kind=random.choice([None, *(kind for kind in UnitKind if kind is not unit.kind)]))


def _other_builds(random: Random, board: Board, order: Build) -> Iterator[PhaseOrder]:
    kind, place = order.unit.kind, order.unit.location
    yield Decline()
    yield changed(order, unit=Named(UnitKind.ARMY if kind is UnitKind.FLEET else UnitKind.FLEET, place))
    yield changed(order, unit=Named(kind, random.choice(sorted(board.map.centers))))
    if board.units:
        yield changed(order, unit=Named(kind, random.choice(board.units).location))
    yield changed(order, unit=Named(None, province_of(place)))


def _other_retreats(random: Random, board: Board, order: Retreat | Disband) -> Iterator[PhaseOrder]:
    lost = next((one for one in board.dislodged if one.unit.province == province_of(order.unit.location)), None)
    yield Disband(order.unit)
    if lost is None:
        return
    exits = sorted(board.map.exits(lost.unit.kind, lost.unit.location))
    for place in (*lost.retreats[:1], *random.sample(exits, min(2, len(exits)))):
        yield Retreat(order.unit, place)
        yield Retreat(order.unit, province_of(place))
        yield Retreat(order.unit, random.choice(_places(board.map, place)))


def _other_movements(random: Random, board: Board, order: Any) -> Iterator[PhaseOrder]:  # noqa: ANN401  # of a movement phase
    game_map = board.map
    yield Hold(order.unit)
    destination: Location | None = getattr(order, "destination", None)
    if destination is not None:
        near = sorted(game_map.neighbours[province_of(destination)] - {province_of(order.unit.location)})
        yield changed(order, destination=random.choice(near))
        yield changed(order, destination=random.choice(_places(game_map, destination)))
    if isinstance(order, Move):
        yield changed(order, via_convoy=not order.via_convoy)
    named = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    if named is not None:
        what = "supported" if isinstance(order, SupportHold | SupportMove) else "convoyed"
        yield changed(order, **{what: _misnamed(random, game_map, named)})
        yield changed(order, **{what: random.choice(board.units).named})
    if isinstance(order, SupportMove):
        yield SupportHold(order.unit, order.supported)
    if isinstance(order, SupportHold):
        near = sorted(game_map.neighbours[province_of(order.supported.location)] - {province_of(order.unit.location)})
        yield SupportMove(order.unit, order.supported, random.choice(near))
    if isinstance(order, Convoy):
        yield SupportMove(order.unit, order.convoyed, order.destination)


def _joining(position: AskedPosition, order: Any) -> Iterator[PhaseOrder]:  # noqa: ANN401  # of any phase
    """Yield orders by which a fleet joins in a convoy beside it, whether it is on a way or not."""
    board = position.board
    unit = None if isinstance(order, Decline | Build) else board.unit_at.get(province_of(order.unit.location))
    if board.phase is not Phase.MOVEMENT or unit is None or unit.province not in board.map.seas:
        return
    for other in position.movement_orders.values():
        if isinstance(other, Convoy) and province_of(other.unit.location) in board.map.neighbours[unit.province]:
            yield Convoy(order.unit, other.convoyed, other.destination)


def _places(game_map: Map, place: Location) -> Sequence[Location]:
    """List all ways to name a province: by itself, and with each of its coasts."""
    province = province_of(place)
    return [province, *game_map.provinces[province].locations]
