"""What an answer can do without, so that it need not be looked for.

The goals about resolutions (`no-resolution`, `differing-convoys`, `core:…`) ask of a board with orders only which
resolutions its equations have. An order that no other equation reads may be left out, its unit holding instead, and a unit
that nothing reads may be taken away: the resolutions of the rest stay what they are. So if there is an answer, there is a
tidy one with no more units, orders or fleets. In a tidy one

- a support is of an order that is really given; a hold support for a unit that is attacked; the support of a move for one
  into a province with a unit or a rival (else it meets nothing that its strength is compared with);
- a convoy is of a move that is really given, and a move by convoy has a route on which every fleet is ordered to convoy it
  (else it fails, whatever the others do, and its unit might as well hold: no support for it counts either way);
- a unit that moves goes where there is a unit or a rival, or is attacked where it stands;
- a unit that holds is attacked, supported, or at sea, where it may be needed to make other orders legal.

Each order is left out for a hold that is legal wherever the unit is, and each unit only if it is a free one, so what a
search is given stays. Rulebooks whose paradox rule changes SUPPORT (4.A.2) read more of a convoy, and are left alone.
"""

from __future__ import annotations

from satjudge.equations import statement
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Place
from satjudge.research.search import goals
from satjudge.research.search.copies import Copy
from satjudge.research.search.goals import Case
from satjudge.research.search.model import OrderModel
from satjudge.research.search.universe import Universe
from satjudge.rules import ConvoyIntent, ParadoxRule
from satjudge.solve.clauses import FALSE, Literal

_ABOUT_RESOLUTIONS = (goals.Several, goals.NoResolution, goals.DifferingConvoys, goals.CoreShape)
_SUPPORT_RULES = (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000)
_INTENTS = (ConvoyIntent.OPPOSITE, ConvoyIntent.INTENT_1982)


def can_be_tidy(case: Case, universe: Universe) -> bool:
    """Whether a tidy answer is as good as any."""
    rulebook = universe.rulebook
    reads_little = rulebook.paradox not in _SUPPORT_RULES and rulebook.convoy_intent not in _INTENTS
    is_plain = not universe.orders and not universe.beside
    return reads_little and is_plain and all(isinstance(goal, _ABOUT_RESOLUTIONS) for goal in case)


def longest_route(case: Case, universe: Universe, most_units: int | None) -> int:
    """How many fleets a route can have at most in a tidy answer with so few units.

    With no resolution, or convoys that differ, some convoying fleet is dislodged for some values of the convoys: by a
    fleet that moves and the support of another unit, as the convoying fleet holds with at least 1. Neither convoys, nor is
    one of them the army whose route it is; so a route of n fleets takes n + 3 units. Routes of one fleet are asked about all
    the same: without any the question would answer itself, and there would be nothing for a second solver to confirm.
    """
    dislodges = any(isinstance(goal, goals.NoResolution | goals.DifferingConvoys) for goal in case)
    if most_units is None or universe.orders or not dislodges:
        return universe.longest_route
    return min(universe.longest_route, max(1, most_units - 3))


def tidy(orders: OrderModel) -> None:
    """Ask for a tidy answer."""
    copy = Copy(orders)
    given = orders.universe.orders
    free = {spot.province for spot in orders.universe.spots}
    for decision in orders.situation.decisions:
        province = (decision.origin if isinstance(decision, MoveDecision) else decision.place).province
        if province not in given and (not isinstance(decision, MoveDecision) or province in free):
            orders.formula.require(-copy.chosen(decision), _is_read(copy, decision))
        if province not in given and isinstance(decision, MoveDecision) and not decision.by_land:
            routes = (statement.ordered(copy, route) for route in decision.routes)
            orders.formula.require(-copy.chosen(decision), copy.any_of(routes))
    for place in orders.situation.places.values():
        if place.province in free and place.province not in given and place.province not in orders.universe.map.seas:
            holds = copy.all_of((copy.occupied(place), -orders.given.ordered.get(place.province, FALSE)))
            orders.formula.require(-holds, _attacked(copy, place), _supported(copy, place))


def _is_read(copy: Copy, decision: Decision) -> Literal:
    """Something depends on what becomes of the order."""
    if isinstance(decision, ConvoyDecision):
        return copy.any_of(copy.chosen(move) for move in decision.matches)
    if isinstance(decision, MoveDecision):
        return copy.any_of((_met(copy, decision), _attacked(copy, decision.origin)))
    if decision.supports_hold:
        return copy.all_of((statement.matched(copy, decision), _attacked(copy, decision.supported)))
    return copy.any_of(copy.all_of((copy.chosen(move), _met(copy, move))) for move in decision.matches)


def _met(copy: Copy, move: MoveDecision) -> Literal:
    """There is a unit where the move goes, or another one goes there."""
    rivals = (copy.chosen(other) for other in move.destination.moves_in if other.origin is not move.origin)
    return copy.any_of((copy.occupied(move.destination), *rivals))


def _attacked(copy: Copy, place: Place) -> Literal:
    """A unit moves to the place."""
    return copy.any_of(copy.chosen(move) for move in place.moves_in)


def _supported(copy: Copy, place: Place) -> Literal:
    """The unit at the place is supported there."""
    return copy.any_of(copy.chosen(support) for support in place.hold_supports)
