"""What an explanation may ask about one outcome: who was ordered what, which option is in force, and what was settled first.

A move fails as its support is cut, a support as its unit is dislodged, a unit is dislodged by a move: every story may rest on
any other. The stories are functions of a context, in modules that build on each other without a circle; where one needs the
story of another decision, it asks the context for its `cause`, which only `satjudge.explain.story` defines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from satjudge.board import Unit
from satjudge.equations.proof import Fact, Proof
from satjudge.equations.situation import Decision, MoveDecision, Place
from satjudge.explain.parts import Culprit, Reason, Rule, culprit, in_force
from satjudge.explain.settling import settling_order
from satjudge.geography import Power, ProvinceCode
from satjudge.legality import Entry
from satjudge.outcome import Outcome
from satjudge.solve.result import Core


class Context(ABC):
    """One outcome, with what is read off it."""

    def __init__(self, outcome: Outcome) -> None:
        adjudication = outcome.adjudication
        self.outcome = outcome
        self.rules = adjudication.situation.rulebook
        self.values = adjudication.values
        self.proof = Proof(adjudication.values)
        self.overridden = adjudication.overridden
        self.places: dict[ProvinceCode, Place] = adjudication.situation.places
        self.decisions: dict[ProvinceCode, Decision] = {
            (d.origin if isinstance(d, MoveDecision) else d.place).province: d for d in adjudication.situation.decisions
        }
        self.cores: dict[int, Core] = {d.index: core for core in adjudication.cores for d in core.decisions}
        self._settled_at = settling_order(adjudication)
        self._entries: dict[ProvinceCode | None, list[Entry]] = {}
        self._positions: dict[int, int] = {}
        self._obeyed = {entry.province for given in outcome.docket.entries.values() for entry in given if entry.reason is None}
        for given in outcome.docket.entries.values():
            for position, entry in enumerate(given):
                self._entries.setdefault(entry.province, []).append(entry)
                self._positions.setdefault(id(entry), position)

    @abstractmethod
    def cause(self, decision: Decision) -> Reason:
        """Why a decision is as its equation has it: the one way from a story to any other."""

    def option(self, issue: str) -> Rule:
        """An issue with the choice in force."""
        return in_force(self.rules, issue)

    def power(self, power: Power) -> str:
        """A power by its name."""
        return self.outcome.board.map.power_names.get(power, power)

    def entries(self, province: ProvinceCode | None) -> list[Entry]:
        """The orders that were handed in for the unit there."""
        return self._entries.get(province, [])

    def is_ignored(self, province: ProvinceCode | None) -> bool:
        """Whether every order that was handed in for the unit there is illegal."""
        return province not in self._obeyed

    def position(self, entry: Entry) -> int | None:
        """Which of its power's orders this is; None for one that was not handed in."""
        return self._positions.get(id(entry))

    def does(self, place: Place) -> str:
        """What the unit there was ordered to do."""
        decision = self.decisions.get(place.province)
        if decision is not None:
            return f"its order is {decision}"
        entries = self.entries(place.province)
        if not entries or not self.is_ignored(place.province):
            return "it holds" if entries else "it has no order"
        return f"its order {entries[0].order} is illegal"

    def stander(self, place: Place, unit: Unit) -> Culprit:
        """The unit that stands in the way, with its order."""
        decision = self.decisions.get(place.province)
        return culprit(decision) if decision else Culprit(unit.power, f"{unit} H")

    def grounded(self, fact: Fact, decision: Decision) -> bool:
        """Whether a fact rests on nothing that was settled after the decision that it is to explain."""
        return self.latest(fact.decisions(self.latest)) <= self._settled_at[decision.index]

    def latest(self, decisions: frozenset[Decision]) -> int:
        """When the last of these decisions was settled."""
        return max((self._settled_at[other.index] for other in decisions), default=-1)
