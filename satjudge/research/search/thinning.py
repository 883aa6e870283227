"""An answer without what the goal holds without: units that are not needed, and orders of units that might as well hold."""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.research.search.goals import Goal
from satjudge.research.search.judging import Judged, holds, never_legal
from satjudge.research.search.proposals import Proposal
from satjudge.research.search.universe import Universe


def thinned(goal: Goal, judged: Judged, universe: Universe) -> Judged:
    """The answer with units and orders taken away, one by one, as long as it is an answer; what was given stays."""
    smaller = (Judged(proposal, judged.rulebook) for proposal in _without_something(judged.proposal, universe))
    rulebooks = universe.rulebooks
    found = next((other for other in smaller if not never_legal(other.proposal, rulebooks) and holds(goal, other)), None)
    return thinned(goal, found, universe) if found else judged


def _without_something(proposal: Proposal, universe: Universe) -> Iterator[Proposal]:
    """A free unit less, or an order less."""
    free = {spot.province for spot in universe.spots}
    yield from (proposal.without_unit(province) for province in proposal.by_province if province in free)
    yield from (proposal.without_order(province) for province in proposal.chosen if province not in universe.orders)
