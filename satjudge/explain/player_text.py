"""Says what became of orders as players say it: `bounced with A WAR, 1 against 1`, `no order: holds`.

The numbers, culprits and rules are those of the explanations. The words of the DATC and of the equations are in the documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satjudge.base.lazy import cached_property
from satjudge.base.words import in_short
from satjudge.explain.verdict_text import (
    NOT_ORDERED,
    ToldOrder,
    contested,
    fate_of,
    no_retreat,
    notes,
    ruling_in_words,
    told_orders,
    whose,
)
from satjudge.judging.backup import CIRCULAR
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import CanalDecision, Decision, MoveDecision, SupportDecision
from satjudge.judging.equations.statement import unprotected
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.outcome import Dislodgement, Outcome
from satjudge.world.board import Unit
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Build, Decline, Disband, Hold, Named, Permission, Remove, Retreat
from satjudge.world.verdicts import Fate, JudgedOrder, OrderResult

if TYPE_CHECKING:
    from satjudge.explain.explanation import Culprit, Explanation, Reason

_RULE = r"(?:DATC )?(?:2\.4, )?\d{1,2}\.[A-J](?:\.\w+)*"
_RULES = re.compile(rf" \({_RULE}(?:(?:, | to ){_RULE})*\)|, {_RULE}(?=\))")
_DONE = {
    OrderResult.SUCCEEDS: "moved",
    OrderResult.STOPS: "came part of the way",
    OrderResult.GIVEN: "support given",
    OrderResult.AVAILABLE: "convoy not disrupted",
    OrderResult.STANDS: "held",
}
_BEGUN = {OrderResult.CUT: "support cut", OrderResult.DISRUPTED: "convoy disrupted"}
_IMPOSSIBLE, _NO_ORDER = "not possible", "no order"
_REPEATED = {_IMPOSSIBLE, _NO_ORDER, *_BEGUN.values(), *_DONE.values(), *Fate}
"""First words that say no more than the verdict does."""
_BY_RULE = " by the rule for paradoxes"


def without_numbers(text: str) -> str:
    """Leave the numbers of rules in brackets out of a text."""
    return _RULES.sub("", text)


class Said(ToldOrder):
    """An order, or a unit that was given none, with what players say of it: the first words, and the rest behind them."""

    head: str
    """The first words, as `bounced`, which the verdict gives their colour."""
    rest: str = ""
    """The words behind these, as ` with A WAR, 1 against 1`."""

    @property
    def words(self) -> str:
        """All words about the order."""
        return f"{self.head}{self.rest}"

    @property
    def beside_verdict(self) -> str:
        """The words that stand beside the verdict on the order, without those that only repeat the verdict."""
        if self.head in _REPEATED:
            return self.rest.lstrip(":; ")
        return self.words if self.rest else ""


def _said(told: ToldOrder, head: str, rest: str) -> Said:
    return Said(told.power, told.order, told.verdict, told.remark, head, rest)


def spoken_words(outcome: AnyOutcome) -> list[Said]:
    """Say what became of each order, and of units without one, power by power, as players say it."""
    if isinstance(outcome, Outcome):
        return list(_Moves(outcome).said())
    judged = [entry for given in outcome.judged.values() for entry in given]
    told = zip(told_orders(outcome), judged, strict=True)
    return [_said(one, *_later(entry, judged)) for one, entry in told]


def remarks(outcome: AnyOutcome) -> Iterator[str]:
    """Write the other remarks on a phase, and how paradoxes were settled, in plain sentences."""
    waits = isinstance(outcome, Outcome) and any(lost.retreats for lost in outcome.dislodgements.values())
    passed_over = [] if waits or not isinstance(outcome, Outcome) else [*contested(outcome)]
    yield from (without_numbers(note) for note in notes(outcome) if note not in passed_over)
    if isinstance(outcome, Outcome):
        yield from (without_numbers(ruling_in_words(ruling)) for ruling in outcome.adjudication.rulings)


_LATER = {Retreat: "retreated", Disband: "disbanded", Build: "built", Remove: "removed", Decline: "build waived"}


def _later(entry: JudgedOrder, judged: Sequence[JudgedOrder]) -> tuple[str, str]:
    """Say what became of a retreat, a build or a removal; two units that retreat to one place are both disbanded."""
    if entry.reason is not None:
        return _impossible(entry)
    if entry.verdict.order is not OrderResult.FAILS or not isinstance(entry.order, Retreat):
        return _LATER[type(entry.order)], ""
    there = province_of(entry.order.destination)
    others = [
        str(other.order.unit)
        for other in judged
        if isinstance(other.order, Retreat) and other.reason is None and province_of(other.order.destination) == there
        if other.province != entry.province
    ]
    return "disbanded", f": {in_short(others)} {'retreats' if len(others) == 1 else 'retreat'} to {there}, too"


def _impossible(entry: JudgedOrder) -> tuple[str, str]:
    return _IMPOSSIBLE, f": {without_numbers(entry.reason or '')}"


class _Moves:
    """The words for what became of a movement phase."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.board = outcome.board

    def said(self) -> Iterator[Said]:
        """List every order with its words, and the units without one."""
        given = {power: enumerate(entries) for power, entries in self.outcome.judged.items()}
        for told in told_orders(self.outcome):
            if told.verdict == NOT_ORDERED:
                yield _said(told, _NO_ORDER, f": {self._unordered(told.power, told.order)}")
            else:
                number, entry = next(given[told.power])
                yield _said(told, *self._ordered(entry, number))

    @cached_property
    def _explained(self) -> dict[Power, list[Explanation]]:
        """The explanations of the orders of each power."""
        from satjudge.explain.phases import explanations

        found: dict[Power, list[Explanation]] = {}
        for why in explanations(self.outcome):
            found.setdefault(why.power, []).append(why)
        return found

    def _unordered(self, power: Power, text: str) -> str:
        for unit in self.board.units:
            if (unit.power, str(unit)) == (power, text) and (lost := self.outcome.dislodgements.get(unit.province)):
                return self._driven_out(lost)
        return "holds"

    def _ordered(self, entry: JudgedOrder, number: int) -> tuple[str, str]:
        head, rest = self._came_of(entry, number)
        lost = self.outcome.dislodgements.get(entry.province or "") if entry.verdict.unit else None
        if lost is None:
            return head, rest
        driven_out = self._driven_out(lost)
        return (head, f"{rest}; {driven_out}") if head else (str(lost.fate), driven_out.removeprefix(str(lost.fate)))

    def _came_of(self, entry: JudgedOrder, number: int) -> tuple[str, str]:
        """Say what became of the order itself, one of its power's; nothing of a hold whose unit was driven out."""
        result = entry.verdict.order
        if result is OrderResult.ILLEGAL:
            return _impossible(entry)
        if result is OrderResult.INVALID:
            return "came to nothing", f", as {self._explained[entry.power][number].reasons[0].text}"
        if isinstance(entry.order, Hold) and entry.order.becomes:
            return self._changed(entry.order.becomes, entry.province or "")
        if result is OrderResult.FAILS:
            return self._failed(entry, self._explained[entry.power][number].reasons[0])
        if result in (OrderResult.CUT, OrderResult.DISRUPTED):
            return _BEGUN[result], self._broken(entry, number)
        if result is OrderResult.GIVEN:
            return _DONE[result], self._not_cut(self._decisions.get(entry.province or ""))
        if isinstance(entry.order, Permission):
            return "passage permitted", ""
        if result is OrderResult.STOPS:
            return _DONE[result], f": it ends in {self.outcome.rides[entry.province or '']}"
        by_convoy = result is OrderResult.SUCCEEDS and self._convoyed(entry.province)
        return _DONE[result] if result else "", " by convoy" if by_convoy else ""

    def _changed(self, becomes: Named, province: ProvinceCode) -> tuple[str, str]:
        """Say whether a unit became the other kind, or who attacked it."""
        attackers = self.outcome.hindered[province]
        if not attackers:
            return "became", f" {becomes}"
        return "stayed", f" as it was, attacked by {' and '.join(whose(unit, self.board.map) for unit in attackers)}"

    def _convoyed(self, province: ProvinceCode | None) -> bool:
        move = self.outcome.moved.get(province or "")
        return move is not None and Reading(self.outcome.adjudication.values).convoyed(move)

    # ---- what failed ----

    def _failed(self, entry: JudgedOrder, reason: Reason) -> tuple[str, str]:
        """Say with whom a move bounced and by which numbers, or why it did not come so far."""
        move = self._decisions.get(entry.province or "")
        if self._settled(entry):
            return "did not move", _BY_RULE
        if len(reason.strengths) < 2:
            return "did not move", f": {without_numbers(reason.text)}"
        own, other = reason.strengths[:2]
        if not own.value and isinstance(move, MoveDecision) and move.destination.unit:
            return "did not move", f": {move.destination.unit} of its own power is in the way"
        unit = self._units.get(reason.culprits[0]) if reason.culprits else None
        if unit is None:
            return "did not move", ""
        if not isinstance(move, MoveDecision):  # a train, which overcame others before
            return "bounced", f" with {unit}"
        how = "off" if other.term == "hold" else "with"
        met = ", head to head" if other.term == "defend" else ""
        from satjudge.explain.explanation import HALF_STRENGTH

        at_half = ", at half strength" if HALF_STRENGTH in reason.rules else ""
        uncounted = (f"; {below.text}" for below in reason.because if "6.D.12" in below.rules)
        return "bounced", f" {how} {unit}{met}, {own.value} against {other.value}{at_half}{''.join(uncounted)}"

    def _broken(self, entry: JudgedOrder, number: int) -> str:
        """Say by whom a support is cut, or that a rule decided; who dislodges the unit is told behind it."""
        if self._settled(entry):
            return _BY_RULE
        reason = self._explained[entry.power][number].reasons[0]
        unit = self._units.get(reason.culprits[0]) if reason.word is OrderResult.CUT and reason.culprits else None
        return f" by {whose(unit, self.board.map)}" if unit else ""

    def _not_cut(self, support: Decision | None) -> str:
        """Say why attacks on a unit do not cut its support: of its own power, from where it is directed, or by convoy."""
        if not isinstance(support, SupportDecision):
            return ""
        attacks = ((self.board.unit_at[move.province], self._harmless(move, support)) for move in support.place.moves_in)
        return "".join(f"; not cut by {unit}{why}" for unit, why in attacks if why)

    def _harmless(self, move: MoveDecision, support: SupportDecision) -> str:
        """Say why a move does not cut a support, where one would think that it does; nothing of one that does not arrive."""
        reading = Reading(self.outcome.adjudication.values)
        if not unprotected(reading, move, support):
            return f", which comes by convoy: the support is directed at {support.directed_at.unit}, which convoys"
        if not reading.path(move):
            return ""
        if move.power == support.power:
            return ", of its own power"
        return ", at which it is directed" if move.origin is support.directed_at else ""

    def _settled(self, entry: JudgedOrder) -> bool:
        """Tell whether a rule for paradoxes settled the order, and not an equation."""
        adjudication, decision = self.outcome.adjudication, self._decisions.get(entry.province or "")
        settled = {index for ruling in adjudication.rulings if ruling.rule != CIRCULAR for index in ruling.settled}
        return decision is not None and decision.index in settled | adjudication.overridden

    @cached_property
    def _decisions(self) -> dict[ProvinceCode, Decision]:
        decisions = self.outcome.adjudication.situation.decisions
        return {decision.province: decision for decision in decisions if not isinstance(decision, CanalDecision)}

    @cached_property
    def _units(self) -> dict[Culprit, Unit]:
        """The units by the orders that explanations blame."""
        from satjudge.explain.explanation import Culprit

        found = {Culprit(unit.power, f"{unit} H"): unit for unit in self.board.units}
        for province, decision in self._decisions.items():
            found[Culprit(decision.power, str(decision.order))] = self.board.unit_at[province]
        return found

    # ---- what was dislodged ----

    def _driven_out(self, lost: Dislodgement) -> str:
        """Say by whom a unit was dislodged, by which numbers, and where it may go."""
        from satjudge.explain.explanation import listed

        strengths = self._dislodging[lost.unit.province].strengths[:2]
        numbers = f", {strengths[0].value} against {strengths[1].value}" if len(strengths) == 2 else ""
        where = f"may retreat to {listed(lost.retreats, 'or')}" if lost.retreats else no_retreat(lost)
        return f"{fate_of(lost)} by {whose(lost.attacker, self.board.map)}{numbers}; {where}"

    @cached_property
    def _dislodging(self) -> dict[ProvinceCode, Reason]:
        """The reasons why units were dislodged, by where the units stood."""
        from satjudge.explain.context import Context
        from satjudge.explain.reasons import dislodged

        context = Context(self.outcome)
        return {province: dislodged(context, context.places[province]) for province in self.outcome.dislodgements}
