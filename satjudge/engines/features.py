"""Finds and accounts for the features of positions that known differences name (`satjudge.engines.explained`).

There are three kinds. A *reading* is the exact one: satjudge judges the orders as the other engine takes them, and everything
must then be as the other engine said, except the words for the orders that were read otherwise. An *excuse* is nothing but
the difference itself, without any consequence. Where a rule of the other engine cannot be put into orders, a *rewriting* takes
the feature out of the position, and both engines judge what is left; it is as narrow as the difference allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from satjudge.base.replacing import replace
from satjudge.engines.comparison import RETREATS, ComparedPosition, Difference
from satjudge.engines.positions import AskedPosition, OrderNumber
from satjudge.oracles.oracle import NOT_ACCEPTED, Answer
from satjudge.world.board import Board
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.verdicts import OrderResult

_UNFOLLOWED = (OrderResult.ILLEGAL, OrderResult.INVALID)
F = TypeVar("F", bound=Callable[..., object])

# ---- what features look for in a position ----


def carries(convoy: MovementOrder, move: Move) -> bool:
    """Tell whether an order convoys a move."""
    if not isinstance(convoy, Convoy):
        return False
    return (convoy.convoyed.province, province_of(convoy.destination)) == (move.unit.province, province_of(move.destination))


def fleets_for(position: AskedPosition, move: Move) -> dict[OrderNumber, MovementOrder]:
    """Find the convoy orders for a move, by number."""
    return {number: order for number, order in position.movement_orders.items() if carries(order, move)}


def convoys_to(position: AskedPosition, province: ProvinceCode) -> list[Convoy]:
    """List the convoy orders for armies that attack a province."""
    convoys = (order for order in position.movement_orders.values() if isinstance(order, Convoy))
    return [convoy for convoy in convoys if province_of(convoy.destination) == province]


def aim(order: MovementOrder) -> ProvinceCode | None:
    """Return the province that an order acts upon by a move or a support."""
    match order:
        case SupportHold():
            return order.supported.province
        case Move() | SupportMove():
            return province_of(order.destination)
        case _:
            return None


def moves(position: AskedPosition) -> Iterator[tuple[Power, Move]]:
    """List all moves, with the powers that ordered them."""
    return ((power, order) for (power, _), order in position.movement_orders.items() if isinstance(order, Move))


def is_attacked(position: AskedPosition, province: ProvinceCode, owner: Power) -> bool:
    """Tell whether a unit of another power is ordered to move to a province."""
    return any(power != owner and aim(move) == province for power, move in moves(position))


def against_own_unit(position: AskedPosition, order: MovementOrder) -> bool:
    """Tell whether an order supports a move against a unit of the supporter's own power."""
    if not isinstance(order, SupportMove):
        return False
    units = position.board.unit_at
    supporter, there = units.get(order.unit.province), units.get(province_of(order.destination))
    return supporter is not None and there is not None and supporter.power == there.power


def can_go_by_land(board: Board, army: Named, destination: Location) -> bool:
    """Tell whether a unit is an army that could go to a destination by land."""
    unit = board.unit_at.get(army.province)
    fits = unit is not None and unit.kind is UnitKind.ARMY
    return fits and province_of(destination) in board.map.army.get(army.province, ())


def hold(position: AskedPosition, order: MovementOrder) -> MovementOrder:
    """Make a hold for the unit that another order is for."""
    unit = position.board.unit_at.get(order.unit.province)
    return Hold(Named(unit.kind, unit.location) if unit else order.unit)


def is_any_disrupted(answer: Answer | None, convoys: Iterable[OrderNumber]) -> bool:
    """Tell whether an answer says that one of several convoys is disrupted."""
    return answer is not None and any(answer.verdicts[power][number].startswith("disrupted") for power, number in convoys)


def is_only_marked(compared: ComparedPosition, number: OrderNumber) -> bool:
    """Tell whether the other engine calls a convoy disrupted though its fleet stands and is attacked."""
    order, found = compared.position.movement_orders[number], compared.differing(number)
    if not isinstance(order, Convoy) or found is None or (found.ours, found.theirs) != ("available", "disrupted"):
        return False
    return is_attacked(compared.position, order.unit.province, number[0])


# ---- readings ----


@dataclass(frozen=True, slots=True)
class TakenOrders:
    """Some orders of a position as the other engine takes them."""

    orders: Mapping[OrderNumber, MovementOrder]
    unread: frozenset[OrderNumber]
    """The orders whose verdicts are not compared then; what became of their units is compared all the same."""

    def __or__(self, other: TakenOrders) -> TakenOrders:
        return TakenOrders({**self.orders, **other.orders}, self.unread | other.unread)


AS_GIVEN = TakenOrders({}, frozenset())
Reading = Callable[[ComparedPosition], Iterator[TakenOrders]]
"""Finds other ways to read a position's orders; a way is taken if less differs then."""


def own_convoyer(compared: ComparedPosition) -> Iterator[TakenOrders]:
    """Read a fleet's support as a hold, if its army could move only by the same fleet's convoy (DATC 6.D.31)."""
    for number, order in compared.position.movement_orders.items():
        difference = compared.differing(number)
        at_sea = order.unit.province in compared.position.board.convoyers
        if difference is None or not at_sea or not isinstance(order, SupportMove):
            continue
        if difference.order_result is OrderResult.ILLEGAL and not difference.theirs.startswith("illegal"):
            yield TakenOrders({number: hold(compared.position, order)}, frozenset((number,)))


def support_coast(compared: ComparedPosition) -> Iterator[TakenOrders]:
    """Read a support without its coast, if that is not the coast of the fleet's move, or cannot be reached."""
    for number, order in compared.position.movement_orders.items():
        difference = compared.differing(number)
        if isinstance(order, SupportMove) and difference and difference.order_result in _UNFOLLOWED:
            supported = (move for _, move in moves(compared.position) if move.unit.province == order.supported.province)
            move = next((move for move in supported if aim(move) == aim(order)), None)
            destination = move.destination if move else province_of(order.destination)
            yield TakenOrders({number: replace(order, destination=destination)}, frozenset())


def land_route(compared: ComparedPosition) -> Iterator[TakenOrders]:
    """Read an army's convoyed move as one by land: no convoy is ordered for it, or its fleet is attacked."""
    position = compared.position
    for number, move in position.movement_orders.items():
        if not isinstance(move, Move) or not can_go_by_land(position.board, move.unit, move.destination):
            continue
        fleets, difference = fleets_for(position, move), compared.differing(number)
        unordered = difference is not None and difference.order_result is OrderResult.INVALID
        in_danger = any(is_attacked(position, order.unit.province, power) for (power, _), order in fleets.items())
        differing = filter(None, map(compared.differing, fleets))
        revived = any(found.words(OrderResult.DISRUPTED, "available") for found in differing)
        if unordered or (in_danger and not revived):
            held = {fleet: hold(position, order) for fleet, order in fleets.items()}
            yield TakenOrders({number: replace(move, via_convoy=False), **held}, frozenset(fleets))


def support_against_own_convoy(compared: ComparedPosition) -> Iterator[TakenOrders]:
    """Read a convoy as a hold, if it fails though its fleet stands and its own power supports an attack on the fleet."""

    def attacked_with_own_support(convoy: Convoy) -> bool:
        orders = compared.position.movement_orders.values()
        return any(aim(order) == convoy.unit.province and against_own_unit(compared.position, order) for order in orders)

    return _convoys_that_fail(compared, attacked_with_own_support)


def convoy_into_its_attacker(compared: ComparedPosition) -> Iterator[TakenOrders]:
    """Read a convoy as a hold, if it fails though its fleet stands and would land on a supporter or the fleet's attacker."""

    def lands_on_a_helper(convoy: Convoy) -> bool:
        place = province_of(convoy.destination)
        there = (order for order in compared.position.movement_orders.values() if order.unit.province == place)
        return any(isinstance(order, SupportHold | SupportMove) or aim(order) == convoy.unit.province for order in there)

    return _convoys_that_fail(compared, lands_on_a_helper)


def _convoys_that_fail(compared: ComparedPosition, cause: Callable[[Convoy], bool]) -> Iterator[TakenOrders]:
    orders = compared.position.movement_orders
    for number, convoy in orders.items():
        if isinstance(convoy, Convoy) and is_only_marked(compared, number) and cause(convoy):
            armies = (other for other, order in orders.items() if isinstance(order, Move) and carries(convoy, order))
            yield TakenOrders({number: hold(compared.position, convoy)}, frozenset((number, *armies)))


# ---- excuses ----

Excuse = Callable[[ComparedPosition, Difference], bool]
"""Tells whether a difference is nothing but the feature."""


def uncut_support(compared: ComparedPosition, difference: Difference) -> bool:
    """Excuse a support for or against a convoying fleet that the convoyed army does not cut."""
    order = compared.order_of(difference)
    if not isinstance(order, SupportHold | SupportMove) or not difference.words(OrderResult.CUT, "given"):
        return False
    return any(convoy.unit.province == aim(order) for convoy in convoys_to(compared.position, order.unit.province))


def marked_convoy(compared: ComparedPosition, difference: Difference) -> bool:
    """Excuse a convoy that is called disrupted though its fleet stands and another power attacks it."""
    return difference.number is not None and is_only_marked(compared, (difference.power, difference.number))


def convoyed_attacker(compared: ComparedPosition, difference: Difference) -> bool:
    """Excuse retreats of a unit that a convoyed army dislodges: everywhere, or not to the army's origin."""
    if difference.kind != RETREATS and not difference.kind.endswith(_RETREATS):
        return False
    board, order = compared.position.board, compared.order_of(difference)
    unit = board.unit_at[order.unit.province if order else province_of(difference.subject.rpartition(" ")[2])]
    origins = {convoy.convoyed.province for convoy in convoys_to(compared.position, unit.province)}
    ours, theirs = (_retreats(answer, unit.power, str(unit)) for answer in (compared.ours, compared.theirs))
    elsewhere = {place for place in ours if province_of(place) not in origins}
    return bool(origins) and theirs in (set(board.map.exits(unit.kind, unit.location)), elsewhere)


_RETREATS = ("destroyed / dislodged", "dislodged / destroyed")


def _retreats(answer: Answer | None, power: Power, unit: str) -> set[Location]:
    return set(answer.dislodged.get(power, {}).get(unit, ())) if answer else set()


# ---- rewritings ----

Rewriting = Callable[[ComparedPosition, OrderNumber, MovementOrder], MovementOrder]
"""Rewrites an order without the feature, and returns an order that does not have the feature as it is."""


def not_accepted(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite an order as a hold, if the oracle does not accept it though it is legal."""
    difference = compared.differing(number)
    refused = difference is not None and difference.theirs.startswith(NOT_ACCEPTED)
    return hold(compared.position, order) if refused else order


def fleet_via(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite a fleet's move without `via convoy`, which only some engines accept (option 4.E.1.via)."""
    unit = compared.position.board.unit_at.get(order.unit.province)
    if isinstance(order, Move) and order.via_convoy and unit is not None and unit.kind is UnitKind.FLEET:
        return replace(order, via_convoy=False)
    return order


def via_against_own_unit(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite a move without `via convoy`, if a unit supports it against one of the supporter's own power."""
    if not isinstance(order, Move) or not order.via_convoy:
        return order
    others = compared.position.movement_orders.values()
    helped = any(aim(one) == aim(order) and against_own_unit(compared.position, one) for one in others)
    return replace(order, via_convoy=False) if helped else order


def support_at_convoy(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite a support as a hold, if a convoyed army attacks it and its fleet's convoy is called disrupted."""
    position = compared.position
    if not isinstance(order, SupportHold | SupportMove) or not convoys_to(position, order.unit.province):
        return order
    fleets = (place for place, other in position.movement_orders.items() if other.unit.province == aim(order))
    return hold(position, order) if any(is_only_marked(compared, fleet) for fleet in fleets) else order


def cut_too_soon(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite a support as a hold, if a foreign army cuts it by a disrupted convoy that it is not aimed at."""
    position, difference = compared.position, compared.differing(number)
    if difference is None or not isinstance(order, SupportHold | SupportMove) or not difference.words(OrderResult.GIVEN, "cut"):
        return order
    for power, move in moves(position):
        if power != number[0] and aim(move) == order.unit.province:
            fleets = fleets_for(position, move)
            if is_any_disrupted(compared.ours, fleets) and aim(order) not in {fleet.unit.province for fleet in fleets.values()}:
                return hold(position, order)
    return order


def arrival_all_the_same(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite an army's move as a hold, if it arrives by a convoy that the oracle itself calls disrupted."""
    difference = compared.differing(number)
    if difference is None or not isinstance(order, Move) or not difference.words(OrderResult.FAILS, "succeeds"):
        return order
    fleets = fleets_for(compared.position, order)
    return hold(compared.position, order) if is_any_disrupted(compared.theirs, fleets) else order


def support_in_own_battle(compared: ComparedPosition, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """Rewrite a support as a hold, if the supported move meets a unit of the supporter's power that comes the other way."""
    if not isinstance(order, SupportMove) or not against_own_unit(compared.position, order):
        return order
    opposite = province_of(order.destination), order.supported.province
    opposing = any((move.unit.province, aim(move)) == opposite for _, move in moves(compared.position))
    return hold(compared.position, order) if opposing else order


def _by_name(*features: F) -> Mapping[str, F]:
    return {feature.__name__: feature for feature in features}


READINGS = _by_name(own_convoyer, support_coast, land_route, support_against_own_convoy, convoy_into_its_attacker)
EXCUSES = _by_name(uncut_support, marked_convoy, convoyed_attacker)
REWRITINGS = _by_name(
    *(not_accepted, fleet_via, via_against_own_unit, support_at_convoy, cut_too_soon, arrival_all_the_same),
    support_in_own_battle,
)
FEATURES = (*READINGS, *EXCUSES, *REWRITINGS)
"""The names of all features."""
