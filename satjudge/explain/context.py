"""Provides the facts about an outcome that explanations need.

A `Context` contains the orders, the rules in force, and the sequence in which decisions were settled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from satjudge.base.errors import NotFoundError
from satjudge.explain.explanation import (
    Culprit,
    Rule,
    format_choice,
    format_list,
    make_culprit,
)
from satjudge.judging.equations.proof import Fact, Proof
from satjudge.judging.equations.situation import (
    CanalDecision,
    Decision,
    Place,
)
from satjudge.judging.legality import Entry
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import parse_order_or_unit
from satjudge.judging.solve.bounds import Values, settle
from satjudge.judging.solve.result import Adjudication, Core
from satjudge.world.board import Unit
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import Hold, Named, Order
from satjudge.world.verdicts import Verdict


class Context:
    """One outcome of a movement phase, with the facts that explanations need."""

    def __init__(self, outcome: Outcome) -> None:
        adjudication = outcome.adjudication
        self.outcome = outcome
        self.rules = adjudication.situation.rulebook
        self.values = adjudication.values
        self.proof = Proof(adjudication.values)
        self.overridden = adjudication.overridden
        self.places: dict[ProvinceCode, Place] = adjudication.situation.places
        decisions = adjudication.situation.decisions
        self.decisions: dict[ProvinceCode, Decision] = {d.province: d for d in decisions if not isinstance(d, CanalDecision)}
        """The decision about the order of the unit in each province; for a train, whether it passes its last stage."""
        self.cores: dict[int, Core] = {
            index: core for core in adjudication.cores for index in (*core.settled_values, *(d.index for d in core.decisions))
        }
        """The core that settled each decision, by index, including decisions settled in addition (the end of a train's last
        stage, DATC 2.4, 7.B)."""
        self._settled_at = number_settled(adjudication)
        self._entries: dict[ProvinceCode | None, list[Entry]] = {}
        self._verdicts: dict[int, Verdict] = {}
        for power, given in outcome.docket.entries.items():
            for entry, judged in zip(given, outcome.judged[power], strict=True):
                self._entries.setdefault(entry.province, []).append(entry)
                self._verdicts.setdefault(id(entry), judged.verdict)

    def format_option(self, issue: str) -> Rule:
        """Format an issue with the choice of the rulebook in force: `4.A.2=szykman`."""
        return format_choice(self.rules, issue)

    def get_power_name(self, power: Power) -> str:
        """Return the display name of a power."""
        return self.outcome.board.map.name_of(power)

    def list_entries(self, province: ProvinceCode | None) -> list[Entry]:
        """List the entries of all orders, legal or not, that were given to the unit in a province."""
        return self._entries.get(province, [])

    def is_ignored(self, province: ProvinceCode | None) -> bool:
        """Return whether all orders given to the unit in a province are illegal; True if there are none."""
        return all(entry.reason is not None for entry in self.list_entries(province))

    def find_verdict(self, entry: Entry) -> Verdict | None:
        """Return the verdict on an order; None if the order was not given."""
        return self._verdicts.get(id(entry))

    def format_action(self, place: Place) -> str:
        """Return a clause about the order of the unit in a place: `its order is …`, `it holds`, `it has no order`."""
        decision = self.decisions.get(place.province)
        if decision is not None:
            return f"its order is {decision.order}"
        entries = self.list_entries(place.province)
        if not entries or not self.is_ignored(place.province):
            return "it holds" if entries else "it has no order"
        return f"its order {entries[0].order} is illegal"

    def blame_unit(self, place: Place, unit: Unit) -> Culprit:
        """Return the order of the unit in a place as a culprit, or a hold if the unit has no order."""
        decision = self.decisions.get(place.province)
        return make_culprit(decision) if decision else Culprit(unit.power, f"{unit} H")

    def is_grounded(self, fact: Fact, decision: Decision) -> bool:
        """Return whether a fact that explains a decision depends only on decisions that were not settled later."""
        return self.find_latest_step(fact.decisions(self.find_latest_step)) <= self._settled_at[decision.index]

    def find_latest_step(self, decisions: frozenset[Decision]) -> int:
        """Return the number of the step in which the last of these decisions was settled, counted from 0; -1 for none."""
        return max((self._settled_at[other.index] for other in decisions), default=-1)


def number_settled(adjudication: Adjudication) -> list[int]:
    """Return, for each decision by index, the number of the step in which it was settled; a core is settled in one step.

    An explanation that depends only on earlier decisions is never circular.
    """
    situation = adjudication.situation
    values: Values = [None] * len(situation.decisions)
    steps = [[decision.index] for decision in settle(situation, values).settled]
    for core in adjudication.cores:
        for index, value in core.settled_values.items():
            values[index] = value
        steps += [list(core.settled_values), *([decision.index] for decision in settle(situation, values).settled)]
    settled_at = {index: step for step, indices in enumerate(steps) for index in indices}
    return [settled_at.get(decision.index, len(steps)) for decision in situation.decisions]


# ---- finding an order by text ----


def _match_without_details(entries: Sequence[Entry], wanted_order: Order) -> list[Entry]:
    """List entries that match an order without coasts and VIA if theirs are ignored; [] if they are different orders."""
    text = strip_details(str(wanted_order))
    found = [entry for entry in entries if text == str(wanted_order) == strip_details(str(entry.order))]
    return found if len({str(entry.order) for entry in found}) == 1 else []


def strip_details(order: str) -> str:
    """Return an order's text without coasts and VIA."""
    return re.sub(r"/[NSEW]C\b| VIA$", "", order)


def find_order(outcome: Outcome, order: Order | str, power: Power | None = None) -> Entry:
    """Return the entry of an order or a unit's order (a new hold if it has none), legal if possible; else `NotFoundError`."""
    entries = [entry for given in outcome.docket.entries.values() for entry in given if power in (None, entry.power)]
    wanted, alone = parse_order_or_unit(outcome.board, order)
    found = [entry for entry in entries if wanted in (entry.order, entry.legal)]
    if not found and isinstance(wanted, Hold) and (unit := outcome.board.unit_at.get(wanted.unit.province)):
        is_meant = wanted.unit.kind in (None, unit.kind) and power in (None, unit.power)
        given = [entry for entry in entries if entry.province == unit.province]
        found = given if alone else []
        if is_meant and not any(entry.province == unit.province for entry in entries):
            found = [make_no_order(unit)]
    found = found or _match_without_details(entries, wanted)
    if found:
        return next((entry for entry in found if entry.reason is None), found[0])
    texts = [str(entry.order) for entry in entries]
    unit_name: Named | None = getattr(wanted, "unit", None)
    same_unit = [str(entry.order) for entry in entries if entry.province == (unit_name.province if unit_name else None)]
    near = list(dict.fromkeys([*same_unit, *get_close_matches(str(wanted), texts, 3, 0.6)]))[:3]
    listing = f"there {'is' if len(texts) == 1 else 'are'} {'; '.join(texts) or 'no orders'}"
    hint = f"did you mean {format_list(near, 'or')}?" if near else listing
    raise NotFoundError(f"there is no order {order if alone else wanted}", suggestion=hint)


def make_no_order(unit: Unit) -> Entry:
    """Make the entry of a hold for a unit that was given no order."""
    hold = Hold(unit.named)
    return Entry(unit.power, hold, None, unit.province, hold)
