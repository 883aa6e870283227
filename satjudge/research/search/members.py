"""What must be ordered where a core of a given shape is: so many convoys, moves and supports that can be in such a core.

What is in a core is looked at by something else in it. So its supports are of orders that are given, and its convoys of moves
that are. In a core with a convoy each move goes to a unit that supports or convoys and dislodges it for some values
(docs/search.md): they are not of one power, and a third unit, not of the power of the one attacked, supports the move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from satjudge.equations import statement
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, SupportDecision
from satjudge.geography import ProvinceCode
from satjudge.research.cores import LETTERS
from satjudge.research.search.copies import Copy
from satjudge.research.search.model import OrderModel
from satjudge.research.search.shapes import catalogued
from satjudge.rules import LandFallback
from satjudge.solve.clauses import FALSE, TRUE, Literal


def members_of(shape: str) -> Counter[type[Decision]]:
    """How many decisions of each kind the name of a shape tells: two convoys for `2C` in `2C4M2S`."""
    counts = shape.partition("-")[0]
    found = {kind: re.search(rf"(?<!\d)(\d+){letter}", counts) for kind, letter in LETTERS.items()}
    return Counter({kind: int(number[1]) for kind, number in found.items() if number})


def require_members(orders: OrderModel, shape: str) -> None:
    """Ask for as many orders of every kind as are in a core of that shape."""
    wanted, copy = members_of(shape), Copy(orders)
    decisions = orders.situation.decisions
    busy = _busy(copy) if wanted[ConvoyDecision] else None
    can_be = {d.index: _can_be_in(copy, d, busy) for d in decisions}
    for kind, least in wanted.items():
        fit = (can_be[d.index] for d in decisions if isinstance(d, kind))
        orders.formula.require(orders.formula.at_least(least, fit))
    listed = catalogued(shape)
    if listed and orders.universe.rulebook.land_fallback is not LandFallback.DISRUPTED:  # else labels hang on the outcome
        labels = Counter(label for _, label in listed.graph.nodes(data="label"))
        for label, least in labels.items():
            labelled = (copy.all_of((can_be[d.index], _has_label(copy, d, label))) for d in decisions)
            orders.formula.require(orders.formula.at_least(least, labelled))


def _busy(copy: Copy) -> dict[ProvinceCode, Literal]:
    """For each province: whether the unit there supports or convoys."""
    found: dict[ProvinceCode, list[Literal]] = {}
    for decision in copy.orders.situation.decisions:
        if not isinstance(decision, MoveDecision):
            found.setdefault(decision.place.province, []).append(copy.chosen(decision))
    return {province: copy.any_of(orders) for province, orders in found.items()}


def _has_label(copy: Copy, decision: Decision, label: str) -> Literal:
    """Whether it is what `satjudge.research.cores.label` calls so."""
    if isinstance(decision, MoveDecision):
        by_convoy = copy.convoyed(decision)
        return {"move": -by_convoy, "convoyed move": by_convoy}.get(label, -TRUE)
    if isinstance(decision, SupportDecision):
        return copy.constant(label == ("hold support" if decision.supports_hold else "move support"))
    return copy.constant(label == "convoy")


def _can_be_in(copy: Copy, decision: Decision, busy: Mapping[ProvinceCode, Literal] | None) -> Literal:
    """The order is chosen and may be in a core; in one with a convoy, if it is told who is busy."""
    if isinstance(decision, ConvoyDecision):
        return copy.all_of((copy.chosen(decision), copy.any_of(map(copy.chosen, decision.matches))))
    if isinstance(decision, SupportDecision):
        return statement.matched(copy, decision)
    return copy.chosen(decision) if busy is None else _may_dislodge(copy, decision, busy)


def _may_dislodge(copy: Copy, move: MoveDecision, busy: Mapping[ProvinceCode, Literal]) -> Literal:
    """The move goes to a foreign unit that supports or convoys, with the support of a unit that is foreign to that as well."""
    target = move.destination
    attack = (copy.chosen(move), busy.get(target.province, FALSE), statement.foreign(copy, target, move.origin))
    helped = ((copy.chosen(support), statement.foreign(copy, target, support.place)) for support in move.supports)
    return copy.all_of((*attack, copy.any_of(map(copy.all_of, helped))))
