"""What an explanation asks of one outcome: which order is meant, which rule is in force, what was settled before what."""

from __future__ import annotations

from difflib import get_close_matches

from satjudge.board import Unit
from satjudge.equations.proof import Fact, Proof
from satjudge.equations.situation import Decision, Place
from satjudge.errors import NotationError, NotFoundError
from satjudge.explain.explanation import Culprit, Rule, culprit, in_force, listed
from satjudge.geography import Power, ProvinceCode
from satjudge.legality import Entry
from satjudge.notation import parse_order
from satjudge.orders import Hold, Named, Order
from satjudge.outcome import Outcome
from satjudge.solve.bounds import Values, settle
from satjudge.solve.result import Adjudication, Core
from satjudge.verdicts import Verdict


class Context:
    """One outcome of a movement phase, with what is read off it."""

    def __init__(self, outcome: Outcome) -> None:
        adjudication = outcome.adjudication
        self.outcome = outcome
        self.rules = adjudication.situation.rulebook
        self.values = adjudication.values
        self.proof = Proof(adjudication.values)
        self.overridden = adjudication.overridden
        self.places: dict[ProvinceCode, Place] = adjudication.situation.places
        self.decisions: dict[ProvinceCode, Decision] = {d.province: d for d in adjudication.situation.decisions}
        self.cores: dict[int, Core] = {d.index: core for core in adjudication.cores for d in core.decisions}
        self._settled_at = order_of_settling(adjudication)
        self._entries: dict[ProvinceCode | None, list[Entry]] = {}
        self._verdicts: dict[int, Verdict] = {}
        for power, given in outcome.docket.entries.items():
            for entry, judged in zip(given, outcome.judged[power], strict=True):
                self._entries.setdefault(entry.province, []).append(entry)
                self._verdicts.setdefault(id(entry), judged.verdict)

    def option(self, issue: str) -> Rule:
        """An issue with the choice in force."""
        return in_force(self.rules, issue)

    def power(self, power: Power) -> str:
        """A power by its name."""
        return self.outcome.board.map.name_of(power)

    def entries(self, province: ProvinceCode | None) -> list[Entry]:
        """The orders that were handed in for the unit there."""
        return self._entries.get(province, [])

    def is_ignored(self, province: ProvinceCode | None) -> bool:
        """Whether every order that was handed in for the unit there is illegal."""
        return all(entry.reason is not None for entry in self.entries(province))

    def verdict(self, entry: Entry) -> Verdict | None:
        """The verdict on an order; None for one that was not handed in."""
        return self._verdicts.get(id(entry))

    def does(self, place: Place) -> str:
        """What the unit there was ordered to do."""
        decision = self.decisions.get(place.province)
        if decision is not None:
            return f"its order is {decision}"
        entries = self.entries(place.province)
        if not entries or not self.is_ignored(place.province):
            return "it holds" if entries else "it has no order"
        return f"its order {entries[0].order} is illegal"

    def standing(self, place: Place, unit: Unit) -> Culprit:
        """The unit that stands in the way, with its order."""
        decision = self.decisions.get(place.province)
        return culprit(decision) if decision else Culprit(unit.power, f"{unit} H")

    def grounded(self, fact: Fact, decision: Decision) -> bool:
        """Whether a fact rests on nothing that was settled after the decision that it is to explain."""
        return self.latest(fact.decisions(self.latest)) <= self._settled_at[decision.index]

    def latest(self, decisions: frozenset[Decision]) -> int:
        """When the last of these decisions was settled."""
        return max((self._settled_at[other.index] for other in decisions), default=-1)


def order_of_settling(adjudication: Adjudication) -> list[int]:
    """For each decision when it is settled by partial information, or else with its core; equal for those of a core.

    An explanation that rests on what was settled before runs in no circle.
    """
    situation = adjudication.situation
    values: Values = [None] * len(situation.decisions)
    steps = [[decision.index] for decision in settle(situation, values).settled]
    for core in adjudication.cores:
        for index, value in core.settled.items():
            values[index] = value
        steps += [list(core.settled), *([decision.index] for decision in settle(situation, values).settled)]
    settled_at = {index: step for step, indices in enumerate(steps) for index in indices}
    return [settled_at.get(decision.index, len(steps)) for decision in situation.decisions]


# ---- finding an order by what people call it ----


def find_order(outcome: Outcome, order: Order | str, power: Power | None = None) -> Entry:
    """The order as it was handed in, by its value, its text or its unit's name. Raises `NotFoundError`."""
    entries = [entry for given in outcome.docket.entries.values() for entry in given if power in (None, entry.power)]
    sought, alone = _read(outcome, order)
    found = [entry for entry in entries if sought in (entry.order, entry.legal)]
    if not found and isinstance(sought, Hold) and (unit := outcome.board.unit_at.get(sought.unit.province)):
        named = sought.unit.kind in (None, unit.kind) and power in (None, unit.power)
        given = [entry for entry in entries if entry.province == unit.province]
        found = given if alone else []
        if named and not any(entry.province == unit.province for entry in entries):
            found = [no_order(unit)]
    if found:
        return next((entry for entry in found if entry.reason is None), found[0])
    texts = [str(entry.order) for entry in entries]
    same_unit = [str(entry.order) for entry in entries if entry.province == _province(sought)]
    near = list(dict.fromkeys([*same_unit, *get_close_matches(str(sought), texts, 3, 0.6)]))[:3]
    hint = f"did you mean {listed(near, 'or')}?" if near else f"there are {'; '.join(texts)}"
    raise NotFoundError(f"there is no order {sought}", suggestion=hint)


def _read(outcome: Outcome, order: Order | str) -> tuple[Order, bool]:
    """The order that is meant, and whether just its unit was named."""
    if not isinstance(order, str):
        return order, False
    try:
        return parse_order(order, outcome.board.map), False
    except NotationError as error:
        try:
            return parse_order(f"{order} H", outcome.board.map), True
        except NotationError:
            raise error from None


def _province(order: Order) -> ProvinceCode | None:
    named: Named | None = getattr(order, "unit", None)
    return named.province if named else None


def no_order(unit: Unit) -> Entry:
    """What stands for the order of a unit that was given none."""
    hold = Hold(Named(unit.kind, unit.location))
    return Entry(unit.power, hold, None, unit.province, hold)
