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
from satjudge.solve.clauses import FALSE, TRUE, Literal


def told(orders: OrderModel, copy: Copy, goal: OfOutcome, *, surely: bool = False) -> Literal:
    """A literal that holds wherever the goal does; or, `surely`, only where it does.

    Both are one but for verdicts with `dislodged` or `destroyed`, which differ in the retreats: no formula knows these.
    """
    match goal:
        case goals.Dislodged(province):
            return copy.dislodged(province)
        case goals.Occupied():
            return _stands_afterwards(orders, copy, goal)
        case goals.Verdict():
            return _has_verdict(orders, copy, goal, surely)


def _stands_afterwards(orders: OrderModel, copy: Copy, goal: goals.Occupied) -> Literal:
    """A unit of that power stays in the province undisturbed, or enters it."""
    place = orders.situation.places.get(goal.province)
    entering = place.moves_in if place else []
    stays = copy.all_of((_of(orders, goal.province, goal), -copy.left(goal.province), -copy.entered(goal.province)))
    arriving = (copy.all_of((copy.move(m), _of(orders, m.origin.province, goal))) for m in entering)
    return copy.any_of((stays, *arriving))


def _of(orders: OrderModel, province: ProvinceCode, goal: goals.Occupied) -> Literal:
    if goal.power is None:
        return orders.occupied.get(province, FALSE)
    return orders.parties.of(province, goal.power)


def _has_verdict(orders: OrderModel, copy: Copy, goal: goals.Verdict, surely: bool) -> Literal:
    """The order, or one that it may stand for, is given, and it and its unit come to what the verdict tells."""
    words = goal.verdict.split(", ")
    place = goal.order.unit.province
    named = (orders.stands[spot] for spot in orders.universe.spots_in.get(place, ()) if _fits(goal, spot))
    stands, fate = copy.any_of(named), _fate(copy, place, words, surely)
    if isinstance(goal.order, Hold):
        return copy.all_of((stands, -orders.ordered.get(place, FALSE), fate))
    asked = replace(goal.order, unit=Named(None, place))  # a candidate names any of the units that can be given it
    given = (
        copy.all_of((orders.guards[d.index], _as_told(copy, d, words[0])))
        for d, candidate in zip(orders.situation.decisions, orders.universe.candidates, strict=True)
        if same_order(asked, candidate.order)
    )
    return copy.all_of((stands, copy.any_of(given), fate))


def _fate(copy: Copy, place: ProvinceCode, words: list[str], surely: bool) -> Literal:
    """What the verdict says of the unit: `stands` that it is not dislodged, a verdict of its order alone nothing."""
    if words[-1] in goals.FATES:
        return FALSE if surely else copy.dislodged(place)
    return -copy.dislodged(place) if words[-1] == "stands" else TRUE


def _as_told(copy: Copy, subject: Decision, word: str) -> Literal:
    """What a verdict says of a decision: that its order is matched by the one it needs or not, and what came of it."""
    if word in goals.FATES:
        return TRUE
    if isinstance(subject, SupportDecision):
        matched = statement.matched(copy, subject)
    elif isinstance(subject, ConvoyDecision):
        matched = copy.any_of(copy.chosen(move) for move in subject.matches)
    else:
        by_land = -copy.convoyed(subject)
        matched = copy.any_of((by_land, *(statement.ordered(copy, route) for route in subject.routes)))
    if word == "invalid":
        return -matched
    value = copy.value(subject)
    return copy.all_of((matched, value if word in ("succeeds", "given", "available") else -value))


def _fits(goal: goals.Verdict, spot: Spot) -> bool:
    """Whether the order of the goal may be for this unit."""
    named = goal.order.unit
    return named.kind in (None, spot.kind) and named.location in (spot.location, spot.province)
