"""Dominance: what an answer can do without, so that it need not be looked for.

Some goals ask of a board with orders only which resolutions its equations have (`Goal.about_resolutions`). An order that no
other equation reads may be left out, its unit holding instead, and a unit
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
from satjudge.rules import ConvoyIntent, ParadoxRule
from satjudge.solve.clauses import Literal
from satjudge.unknown.encoding import Encoding
from satjudge.unknown.universe import Universe
from satjudge.unknown.universe_orders import UniverseOrders

_SUPPORT_RULES = (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000)
_INTENTS = (ConvoyIntent.OPPOSITE, ConvoyIntent.INTENT_1982)


def can_be_tidy(universe: Universe) -> bool:
    """Whether a tidy answer is as good as any to a goal about resolutions."""
    rulebook = universe.rulebook
    reads_little = rulebook.paradox not in _SUPPORT_RULES and rulebook.convoy_intent not in _INTENTS
    return reads_little and not universe.orders and not universe.beside


def longest_route(universe: Universe, most_units: int | None) -> int:
    """How many fleets a route can have at most in a tidy answer with so few units, if the goal `dislodges_a_convoy`.

    With no resolution, or convoys that differ, some convoying fleet is dislodged for some values of the convoys: by a
    fleet that moves and the support of another unit, as the convoying fleet holds with at least 1. Neither convoys, nor is
    one of them the army whose route it is; so a route of n fleets takes n + 3 units. Routes of one fleet are asked about all
    the same: without any the question would answer itself, and there would be nothing for a second solver to confirm.
    """
    return universe.longest_route if most_units is None else min(universe.longest_route, max(1, most_units - 3))


def tidy(orders: UniverseOrders) -> None:
    """Ask for a tidy answer."""
    encoding = Encoding(orders)
    given = orders.universe.orders
    free = {spot.province for spot in orders.universe.spots}
    for decision in orders.situation.decisions:
        province = decision.province
        if province not in given and (not isinstance(decision, MoveDecision) or province in free):
            orders.formula.require(-encoding.chosen(decision), _is_read(encoding, decision))
        if province not in given and isinstance(decision, MoveDecision) and not decision.by_land:
            routes = (statement.ordered(encoding, route) for route in decision.routes)
            orders.formula.require(-encoding.chosen(decision), encoding.any_of(routes))
    for place in orders.situation.places.values():
        if place.province in free and place.province not in given and place.province not in orders.universe.map.seas:
            holds = encoding.all_of((encoding.occupied(place), -orders.ordered(place.province)))
            orders.formula.require(-holds, _attacked(encoding, place), _supported(encoding, place))


def _is_read(encoding: Encoding, decision: Decision) -> Literal:
    """Something depends on what becomes of the order."""
    if isinstance(decision, ConvoyDecision):
        return encoding.any_of(encoding.chosen(move) for move in decision.matches)
    if isinstance(decision, MoveDecision):
        return encoding.any_of((_met(encoding, decision), _attacked(encoding, decision.origin)))
    if decision.supports_hold:
        return encoding.all_of((statement.matched(encoding, decision), _attacked(encoding, decision.supported)))
    return encoding.any_of(encoding.all_of((encoding.chosen(move), _met(encoding, move))) for move in decision.matches)


def _met(encoding: Encoding, move: MoveDecision) -> Literal:
    """There is a unit where the move goes, or another one goes there."""
    rivals = (encoding.chosen(other) for other in move.destination.moves_in if other.origin is not move.origin)
    return encoding.any_of((encoding.occupied(move.destination), *rivals))


def _attacked(encoding: Encoding, place: Place) -> Literal:
    """A unit moves to the place."""
    return encoding.any_of(encoding.chosen(move) for move in place.moves_in)


def _supported(encoding: Encoding, place: Place) -> Literal:
    """The unit at the place is supported there."""
    return encoding.any_of(encoding.chosen(support) for support in place.hold_supports)
