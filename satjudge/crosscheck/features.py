"""Features of positions that known differences are about (`satjudge.crosscheck.explained`), in three kinds.

A *reading* is the exact one: satjudge judges the orders as the other engine takes them, and everything must then be as the
other engine said, except the words for the orders that were read otherwise. An *excuse* is nothing but the difference itself,
without any consequence. Where a rule of the other engine cannot be put into orders, a *rewriting* takes the feature out of the
position, and both engines judge what is left; it is as narrow as the difference allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from satjudge.crosscheck.comparison import Compared, Difference, OrderNumber
from satjudge.crosscheck.oracle import NOT_ACCEPTED, Answer
from satjudge.crosscheck.patterns import (
    against_own_unit,
    aim,
    attacked,
    by_land,
    carries,
    convoys,
    hold,
    lands_on,
    numbered,
)
from satjudge.crosscheck.positions import Position
from satjudge.geography import Location, Power, UnitKind, province_of
from satjudge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove

# ---- readings ----


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Orders as the other engine takes them."""

    orders: Mapping[OrderNumber, MovementOrder]
    unread: frozenset[OrderNumber]
    """The orders whose words are not compared then; what became of their units still is."""

    def __or__(self, other: Otherwise) -> Otherwise:
        """Both."""
        return Otherwise({**self.orders, **other.orders}, self.unread | other.unread)


AS_GIVEN = Otherwise({}, frozenset())
Reading = Callable[[Compared], Iterator[Otherwise]]
"""All the places where a position can be read otherwise; each is taken if less differs then."""


def own_convoyer(compared: Compared) -> Iterator[Otherwise]:
    """A fleet's support for an army's move that is possible by its own convoy only (DATC 6.D.31): it comes to nothing."""
    for number, order in numbered(compared.position.orders):
        difference = compared.differing(*number)
        at_sea = order.unit.province in compared.position.board.convoyers
        if difference is None or not at_sea or not isinstance(order, SupportMove):
            continue
        if difference.ours.startswith("illegal") and not difference.theirs.startswith("illegal"):
            yield Otherwise({number: hold(compared.position, order)}, frozenset((number,)))


def support_coast(compared: Compared) -> Iterator[Otherwise]:
    """A support that names another coast than the fleet's move, or one that it cannot reach: the coast is not looked at."""
    orders = dict(numbered(compared.position.orders))
    for number, order in orders.items():
        difference = compared.differing(*number)
        if isinstance(order, SupportMove) and difference and difference.ours.startswith(("invalid", "illegal")):
            moves = (move for move in orders.values() if isinstance(move, Move) and aim(move) == aim(order))
            move = next((move for move in moves if move.unit.province == order.supported.province), None)
            destination = move.destination if move else province_of(order.destination)
            yield Otherwise({number: replace(order, destination=destination)}, frozenset())


def land_route(compared: Compared) -> Iterator[Otherwise]:
    """An army that goes by land: no convoy is ordered for it, or a fleet that convoys it is attacked."""
    position = compared.position
    for number, move in numbered(position.orders):
        if not isinstance(move, Move) or not by_land(position.board, move.unit, move.destination):
            continue
        fleets = {other: order for other, order in numbered(position.orders) if carries(order, move)}
        difference = compared.differing(*number)
        unordered = difference is not None and difference.ours.startswith("invalid")
        in_danger = any(attacked(position, order.unit.province, power) for (power, _), order in fleets.items())
        revived = any(
            found is not None and found.words("disrupted", "available")
            for found in (compared.differing(*fleet) for fleet in fleets)
        )
        if unordered or (in_danger and not revived):
            held = {fleet: hold(position, order) for fleet, order in fleets.items()}
            yield Otherwise({number: replace(move, via_convoy=False), **held}, frozenset(fleets))


def support_against_own_convoy(compared: Compared) -> Iterator[Otherwise]:
    """A convoy that fails, though its fleet stands, by a support against the fleet of its own power."""
    return _convoys_that_fail(compared, _attacked_with_own_support)


def convoy_into_its_attacker(compared: Compared) -> Iterator[Otherwise]:
    """A convoy that fails, though its fleet stands, where it would land on a unit that supports, or attacks the fleet."""
    return _convoys_that_fail(compared, _lands_on_a_helper)


def _convoys_that_fail(compared: Compared, cause: Callable[[Position, Convoy], bool]) -> Iterator[Otherwise]:
    orders = dict(numbered(compared.position.orders))
    for number, convoy in orders.items():
        if isinstance(convoy, Convoy) and _only_marked(compared, number, convoy) and cause(compared.position, convoy):
            armies = (other for other, order in orders.items() if isinstance(order, Move) and carries(convoy, order))
            yield Otherwise({number: hold(compared.position, convoy)}, frozenset((number, *armies)))


def _only_marked(compared: Compared, number: OrderNumber, convoy: Convoy) -> bool:
    """Whether a convoy is called disrupted though its fleet stands, which another power attacks."""
    found = compared.differing(*number)
    marked = found is not None and (found.ours, found.theirs) == ("available", "disrupted")
    return marked and attacked(compared.position, convoy.unit.province, number[0])


def _attacked_with_own_support(position: Position, convoy: Convoy) -> bool:
    supports = (order for _, order in numbered(position.orders) if isinstance(order, SupportMove))
    return any(aim(order) == convoy.unit.province and against_own_unit(position, order) for order in supports)


def _lands_on_a_helper(position: Position, convoy: Convoy) -> bool:
    place = province_of(convoy.destination)
    there = (order for _, order in numbered(position.orders) if order.unit.province == place)
    return any(isinstance(order, SupportHold | SupportMove) or aim(order) == convoy.unit.province for order in there)


# ---- excuses ----

Excuse = Callable[[Compared, Difference], bool]
"""Whether a difference is nothing but the feature."""


def uncut_support(compared: Compared, difference: Difference) -> bool:
    """A support for or against a convoying fleet that is not cut by an army that the fleet convoys."""
    order = compared.order_of(difference)
    if not isinstance(order, SupportHold | SupportMove) or not difference.words("cut", "given"):
        return False
    return any(convoy.unit.province == aim(order) for convoy in lands_on(compared.position, order))


def marked_convoy(compared: Compared, difference: Difference) -> bool:
    """A convoy that is called disrupted though its fleet stands, which another power attacks."""
    order = compared.order_of(difference)
    if not isinstance(order, Convoy) or difference.number is None:
        return False
    return _only_marked(compared, (difference.power, difference.number), order)


def convoyed_attacker(compared: Compared, difference: Difference) -> bool:
    """Where a unit may retreat that a convoyed army dislodges: everywhere, or not to where the army came from."""
    if difference.kind != "retreats of a unit" and not difference.kind.endswith(_RETREATS):
        return False
    order = compared.order_of(difference)
    place = order.unit.province if order else province_of(difference.subject.rpartition(" ")[2])
    unit = compared.position.board.unit_at[place]
    origins = {one.convoyed.province for one in convoys(compared.position) if province_of(one.destination) == place}
    ours, theirs = (_retreats(answer, unit.power, str(unit)) for answer in (compared.ours, compared.theirs))
    everywhere = set(compared.position.board.map.exits(unit.kind, unit.location))
    elsewhere = {place for place in ours if province_of(place) not in origins}
    return bool(origins) and theirs in (everywhere, elsewhere)


_RETREATS = ("destroyed / dislodged", "dislodged / destroyed")


def _retreats(answer: Answer | None, power: Power, unit: str) -> set[Location]:
    return set(answer.dislodged.get(power, {}).get(unit, ())) if answer else set()


# ---- rewritings ----

Rewriting = Callable[[Compared, OrderNumber, MovementOrder], MovementOrder]
"""An order of a position without the feature; the same order if it does not have it."""


def not_accepted(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """An order that the oracle does not take, though it is legal: the unit holds."""
    difference = compared.differing(*number)
    refused = difference is not None and difference.theirs.startswith(NOT_ACCEPTED)
    return hold(compared.position, order) if refused else order


def fleet_via(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """A fleet's order that says `via convoy`, which some engines take and some do not (option 4.E.1.via)."""
    unit = compared.position.board.unit_at.get(order.unit.province)
    if isinstance(order, Move) and order.via_convoy and unit is not None and unit.kind is UnitKind.FLEET:
        return replace(order, via_convoy=False)
    return order


def via_against_own_unit(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """`via convoy` where a unit supports an attack on one of its own power."""
    if not isinstance(order, Move) or not order.via_convoy:
        return order
    supports = (other for _, other in numbered(compared.position.orders) if isinstance(other, SupportMove))
    helped = any(aim(one) == aim(order) and against_own_unit(compared.position, one) for one in supports)
    return replace(order, via_convoy=False) if helped else order


def support_at_convoy(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """A support for or against a fleet whose convoy is called disrupted, by a unit that a convoyed army attacks."""
    position = compared.position
    if not isinstance(order, SupportHold | SupportMove) or not lands_on(position, order):
        return order
    fleets = ((place, other) for place, other in numbered(position.orders) if other.unit.province == aim(order))
    marked = any(isinstance(fleet, Convoy) and _only_marked(compared, place, fleet) for place, fleet in fleets)
    return hold(position, order) if marked else order


def cut_too_soon(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """A support that a foreign army cuts though its convoy, at which the support is not aimed, is disrupted."""
    position, difference = compared.position, compared.differing(*number)
    if difference is None or not isinstance(order, SupportHold | SupportMove) or not difference.words("given", "cut"):
        return order
    for (power, _), move in numbered(position.orders):
        if isinstance(move, Move) and power != number[0] and aim(move) == order.unit.province:
            fleets = {place: other for place, other in numbered(position.orders) if carries(other, move)}
            disrupted = (compared.ruled(place).startswith("disrupted") for place in fleets)
            if any(disrupted) and aim(order) not in {fleet.unit.province for fleet in fleets.values()}:
                return hold(position, order)
    return order


def arrival_all_the_same(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """An army that arrives by a convoy that the oracle itself calls disrupted."""
    difference = compared.differing(*number)
    if (
        difference is None
        or compared.theirs is None
        or not isinstance(order, Move)
        or not difference.words("fails", "succeeds")
    ):
        return order
    said = compared.theirs.verdicts
    convoys_of_it = (place for place, other in numbered(compared.position.orders) if carries(other, order))
    disrupted = any(said[power][place].startswith("disrupted") for power, place in convoys_of_it)
    return hold(compared.position, order) if disrupted else order


def support_in_own_battle(compared: Compared, number: OrderNumber, order: MovementOrder) -> MovementOrder:
    """A support for a move against a unit of the supporter's own power that moves the other way."""
    if not isinstance(order, SupportMove) or not against_own_unit(compared.position, order):
        return order
    there, back = province_of(order.destination), order.supported.province
    moves = (one for _, one in numbered(compared.position.orders) if isinstance(one, Move))
    opposing = any((one.unit.province, aim(one)) == (there, back) for one in moves)
    return hold(compared.position, order) if opposing else order


READINGS: Mapping[str, Reading] = {
    reading.__name__: reading
    for reading in (own_convoyer, support_coast, land_route, support_against_own_convoy, convoy_into_its_attacker)
}
EXCUSES: Mapping[str, Excuse] = {excuse.__name__: excuse for excuse in (uncut_support, marked_convoy, convoyed_attacker)}
REWRITINGS: Mapping[str, Rewriting] = {
    rewriting.__name__: rewriting
    for rewriting in (
        not_accepted,
        fleet_via,
        via_against_own_unit,
        support_at_convoy,
        cut_too_soon,
        arrival_all_the_same,
        support_in_own_battle,
    )
}
FEATURES = (*READINGS, *EXCUSES, *REWRITINGS)
"""The names of all features."""
