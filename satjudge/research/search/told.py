"""What goals say of the outcome, as literals over the copy that is the final resolution."""

from __future__ import annotations

from dataclasses import replace

from satjudge.equations import statement
from satjudge.equations.situation import ConvoyDecision, Decision, SupportDecision
from satjudge.geography import ProvinceCode
from satjudge.orders import Hold, Named
from satjudge.research.search import goals
from satjudge.research.search.candidates import Spot
from satjudge.research.search.copies import Copy
from satjudge.research.search.goals import OfOutcome
from satjudge.research.search.judging import same_order
from satjudge.research.search.model import OrderModel
from satjudge.research.search.stranding import has_no_retreat
from satjudge.solve.clauses import FALSE, TRUE, Literal


def told(orders: OrderModel, copy: Copy, goal: OfOutcome) -> Literal:
    """A literal that holds just where the goal does, if the copy is the final resolution."""
    match goal:
        case goals.Dislodged():
            return copy.formula.all_of((_unit_at(orders, goal), copy.dislodged(goal.province)))
        case goals.Occupied():
            return _stands_afterwards(orders, copy, goal)
        case goals.Verdict():
            return _has_verdict(orders, copy, goal)


def _unit_at(orders: OrderModel, goal: goals.Dislodged | goals.Occupied) -> Literal:
    """A unit stands in the province, or on the coast, before the moves."""
    spots = orders.universe.spots_in.get(goal.province, ())
    return orders.formula.any_of(orders.stands[spot] for spot in spots if goals.fits(goal.place, spot.location))


def _stands_afterwards(orders: OrderModel, copy: Copy, goal: goals.Occupied) -> Literal:
    """A unit of that power stays in the province undisturbed, or enters it."""
    place = orders.situation.places.get(goal.province)
    entering = [m for m in place.moves_in if goals.fits(goal.place, m.order.destination)] if place else []
    here = (_unit_at(orders, goal), _of(orders, goal.province, goal))
    stays = copy.all_of((*here, -copy.left(goal.province), -copy.entered(goal.province)))
    arriving = (copy.all_of((copy.move(m), _of(orders, m.origin.province, goal))) for m in entering)
    return copy.any_of((stays, *arriving))


def _of(orders: OrderModel, province: ProvinceCode, goal: goals.Occupied) -> Literal:
    if goal.power is None:
        return orders.occupied.get(province, FALSE)
    return orders.parties.of(province, goal.power)


def _has_verdict(orders: OrderModel, copy: Copy, goal: goals.Verdict) -> Literal:
    """The order, or one that it may stand for, is given, and it and its unit come to what the verdict tells."""
    words = goal.verdict.split(", ")
    place = goal.order.unit.province
    named = (orders.stands[spot] for spot in orders.universe.spots_in.get(place, ()) if _fits(goal, spot))
    stands, fate = copy.any_of(named), _fate(orders, copy, place, words[-1])
    if isinstance(goal.order, Hold):
        return copy.all_of((stands, -orders.given.ordered.get(place, FALSE), fate))
    asked = replace(goal.order, unit=Named(None, place))  # a candidate names any of the units that can be given it
    if words[0] in goals.FATES:  # of the unit, also where its order does not count
        given = [orders.given.literals[key] for key, order in orders.given.orders.items() if same_order(asked, order)]
    else:
        candidates = zip(orders.situation.decisions, orders.universe.candidates, strict=True)
        given = [_as_told(copy, d, words[0]) for d, candidate in candidates if same_order(asked, candidate.order)]
    return copy.all_of((stands, copy.any_of(given), fate))


def _fate(orders: OrderModel, copy: Copy, place: ProvinceCode, word: str) -> Literal:
    """What the verdict says of the unit: `stands` that it is not dislodged, a verdict of its order alone nothing."""
    if word in goals.FATES:
        stranded = has_no_retreat(orders, copy, place)
        return copy.all_of((copy.dislodged(place), stranded if word == "destroyed" else -stranded))
    return -copy.dislodged(place) if word == "stands" else TRUE


def _as_told(copy: Copy, subject: Decision, word: str) -> Literal:
    """What a verdict says of a decision: its order counts, is matched by the one it needs or not, and what came of it."""
    if isinstance(subject, SupportDecision):
        matched = statement.matched(copy, subject)
    elif isinstance(subject, ConvoyDecision):
        matched = copy.any_of(copy.chosen(move) for move in subject.matches)
    else:
        by_land = -copy.convoyed(subject)
        matched = copy.any_of((by_land, *(statement.ordered(copy, route) for route in subject.routes)))
    if word == "invalid":
        return copy.all_of((copy.chosen(subject), -matched))
    value = copy.value(subject)
    return copy.all_of((copy.chosen(subject), matched, value if word in ("succeeds", "given", "available") else -value))


def _fits(goal: goals.Verdict, spot: Spot) -> bool:
    """Whether the order of the goal may be for this unit."""
    named = goal.order.unit
    return named.kind in (None, spot.kind) and goals.fits(named.location, spot.location)
