"""The last word on a proposal: the judge's. What the solver proposes is shown only if the goal holds here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from satjudge.equations.situation import ConvoyDecision, Situation
from satjudge.errors import UnresolvedError
from satjudge.geography import Power
from satjudge.judge import judge
from satjudge.legality import sort_out
from satjudge.orders import Convoy, Move, MovementOrder, Named, SupportMove
from satjudge.outcome import Outcome
from satjudge.research.cores import ClassifiedCore, classify, classify_core
from satjudge.research.search import goals
from satjudge.research.search.goals import Goal
from satjudge.research.search.proposals import Proposal
from satjudge.research.search.shapes import is_of_shape
from satjudge.rules import Rulebook
from satjudge.solve.result import Resolutions


class Judged:
    """A proposal as the staged engine judges it under a rulebook. `outcome` is None where that has no answer."""

    def __init__(self, proposal: Proposal, rulebook: Rulebook) -> None:
        self.proposal = proposal
        self.rulebook = rulebook
        self.outcome: Outcome | None = None
        self.resolutions: Resolutions
        self.error: UnresolvedError | None = None
        try:
            self.outcome = judge(proposal.board, proposal.orders, rulebook=rulebook)
            self.resolutions = self.outcome.adjudication.resolutions
        except UnresolvedError as error:
            self.error, self.resolutions = error, error.resolutions

    @property
    def situation(self) -> Situation:
        """The situation that was judged."""
        return self.resolutions.situation

    @property
    def results(self) -> Mapping[Power, list[str]] | None:
        """The verdicts of every power's orders; None where the rulebook has no answer."""
        return self.outcome.results if self.outcome else None

    @cached_property
    def cores(self) -> list[ClassifiedCore]:
        """The cores that were settled, each with its shape; none where the rulebook has no answer to one."""
        return classify(self.outcome.adjudication) if self.outcome else []

    @property
    def unsettled(self) -> list[ClassifiedCore]:
        """The core that the rulebook has no answer to."""
        if self.error is None or self.error.core is None:
            return []
        return [classify_core(self.situation, self.error.core, self.error.values)]

    @property
    def longest_route(self) -> int:
        """How many fleets the longest route has on which every fleet is ordered to convoy."""
        return max((len(route) for move in self.situation.moves for route in move.routes), default=0)

    @property
    def convoys_differ(self) -> bool:
        """Whether two of the board's resolutions differ about a convoy that is matched by a move."""
        found = self.resolutions
        return found.count > 1 and any(
            len({assignment[position] for assignment in part.assignments}) > 1
            for part in found.components
            for position, index in enumerate(part.indices)
            if isinstance(decision := found.situation.decisions[index], ConvoyDecision) and decision.matches
        )

    def has_core(self, shape: str) -> bool:
        """Whether a core has this shape, and every one of its resolutions is part of one of the board's."""
        return any(is_of_shape(core, shape) and self._leaves_open(core) for core in self.cores)

    def _leaves_open(self, core: ClassifiedCore) -> bool:
        """Whether the board has no resolution if the core has none, and else all that the core has.

        A core that comes up only because a ruling on another one overrode its equations may be no part of any resolution.
        """
        if not core.core.resolutions:
            return self.resolutions.count == 0
        indices = [decision.index for decision in core.core.decisions]
        part = next(part for part in self.resolutions.components if indices[0] in part.indices)
        positions = [part.indices.index(index) for index in indices]
        found = {tuple(assignment[position] for position in positions) for assignment in part.assignments}
        return self.resolutions.count > 0 and found.issuperset(core.core.resolutions)

    def verdict(self, order: MovementOrder) -> str | None:
        """What became of an order; None if it was not given."""
        if self.outcome is None:
            return None
        for power, given in self.proposal.orders.items():
            for number, other in enumerate(given):
                if same_order(order, other):
                    return self.outcome.results[power][number]
        return None


def holds(goal: Goal, judged: Judged) -> bool:
    """Whether the goal holds. A goal about the outcome does not where there is none; nor does its opposite."""
    match goal:
        case goals.Both(one, other):
            return holds(one, judged) and holds(other, judged)
        case goals.Either(one, other):
            return holds(one, judged) or holds(other, judged)
        case goals.Not(inner):
            return has_answer(inner, judged) and not holds(inner, judged)
        case goals.Several():
            return judged.resolutions.count > 1
        case goals.NoResolution():
            return judged.resolutions.count == 0
        case goals.DifferingConvoys():
            return judged.convoys_differ
        case goals.Paradox():
            return judged.resolutions.count == 0 or judged.convoys_differ
        case goals.CoreShape(shape):
            return judged.has_core(shape)
        case goals.Differs(one, other):
            found = [Judged(judged.proposal, rulebook) for rulebook in (one, other)]
            return has_answer(goal, judged) and _position(found[0]) != _position(found[1])
    return _in_outcome(goal, judged)


def has_answer(goal: Goal, judged: Judged) -> bool:
    """Whether the goal can be told to hold or not: an outcome is needed where it speaks of one."""
    match goal:
        case goals.Both(one, other) | goals.Either(one, other):
            return has_answer(one, judged) and has_answer(other, judged)
        case goals.Not(inner):
            return has_answer(inner, judged)
        case goals.Differs(one, other, legal):
            answered = all(Judged(judged.proposal, rulebook).outcome for rulebook in (one, other))
            return answered and not (legal and (illegal_under(judged.proposal, one) or illegal_under(judged.proposal, other)))
        case goals.Dislodged() | goals.Occupied() | goals.Verdict():
            return judged.outcome is not None
    return True


def _in_outcome(goal: goals.OfOutcome, judged: Judged) -> bool:
    outcome = judged.outcome
    if outcome is None:
        return False
    match goal:
        case goals.Dislodged(place):
            return any(goals.fits(place, lost.unit.location) for lost in outcome.dislodgements.values())
        case goals.Occupied(place, power):
            return any(goals.fits(place, unit.location) and power in (None, unit.power) for unit in outcome.units)
        case goals.Verdict(order, wanted):
            found = judged.verdict(order)
            return found is not None and wanted in (found, *found.split(", "))


def illegal_under(proposal: Proposal, rulebook: Rulebook) -> dict[MovementOrder, str]:
    """The orders that are illegal under a rulebook, each with the reason."""
    docket = sort_out(proposal.board, proposal.orders, rulebook)
    illegal = ((entry.order, entry.reason) for given in docket.entries.values() for entry in given if entry.reason is not None)
    return {order: reason for order, reason in illegal if isinstance(order, MovementOrder)}


def never_legal(proposal: Proposal, rulebooks: Iterable[Rulebook]) -> dict[MovementOrder, str]:
    """The orders that are illegal under all of these rulebooks, each with the reason that the first one has."""
    first, *others = (illegal_under(proposal, rulebook) for rulebook in rulebooks)
    return {order: reason for order, reason in first.items() if all(order in other for other in others)}


def _position(judged: Judged) -> tuple[object, ...]:
    """Which units are where, and which are dislodged."""
    assert judged.outcome is not None
    return frozenset(judged.outcome.units), frozenset(judged.outcome.dislodgements)


def same_order(asked: MovementOrder, given: MovementOrder) -> bool:
    """Whether an order is the one asked about; `via convoy` and a coast must fit only where they are asked for."""
    if type(asked) is not type(given) or not _same_unit(asked.unit, given.unit):
        return False
    if isinstance(asked, Move) and isinstance(given, Move):
        return goals.fits(asked.destination, given.destination) and asked.via_convoy <= given.via_convoy
    if isinstance(asked, SupportMove) and isinstance(given, SupportMove):
        return asked.supported.province == given.supported.province and goals.fits(asked.destination, given.destination)
    if isinstance(asked, Convoy) and isinstance(given, Convoy):
        return asked.convoyed.province == given.convoyed.province and asked.destination == given.destination
    supported = [getattr(order, "supported", asked.unit).province for order in (asked, given)]
    return supported[0] == supported[1]


def _same_unit(asked: Named, given: Named) -> bool:
    return asked.kind in (None, given.kind) and goals.fits(asked.location, given.location)
