"""Orders of a power with a reply that defeats them, without what does not matter."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from satjudge.geography import province_of
from satjudge.orders import Hold, MovementOrder, SupportHold
from satjudge.outcome import Outcome
from satjudge.research.guarantee.table import OrderSet, Table
from satjudge.research.search.goals import Dislodged, Occupied, atoms
from satjudge.research.search.proposals import holding


@dataclass(frozen=True, slots=True)
class Defeat:
    """Orders of the power, a reply that defeats them, and what the judge says of both."""

    own: OrderSet
    reply: OrderSet
    outcome: Outcome | None


def plainer_attempt(table: Table, defeat: Defeat) -> Defeat:
    """The same defeat with holds for own units whose orders do nothing about the wish, and nothing to any other order."""
    named = {atom.province for atom in atoms(table.goal) if isinstance(atom, Dislodged | Occupied)}
    for unit, order in defeat.own.items():
        if not isinstance(order, Hold) and _target(order) not in named:
            own = {**defeat.own, unit: holding(unit)}
            plainer = Defeat(own, defeat.reply, table.outcome(own, defeat.reply))
            if not table.met(plainer.outcome) and _differing(defeat, plainer) <= 1:
                defeat = plainer
    return defeat


def _target(order: MovementOrder) -> str:
    """The province that an order is about."""
    match order:
        case Hold():
            return order.unit.province
        case SupportHold():
            return order.supported.province
    return province_of(order.destination)


def _differing(one: Defeat, other: Defeat) -> int:
    """Of how many orders the verdicts differ; more than all there are if there are none."""
    if one.outcome is None or other.outcome is None:
        return len(one.own) + len(one.reply)
    verdicts = (chain.from_iterable(outcome.results.values()) for outcome in (one.outcome, other.outcome))
    return sum(before != after for before, after in zip(*verdicts, strict=True))
