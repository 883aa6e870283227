"""Describes the results of orders for players: `bounced with A WAR, 1 against 1`, `no order: holds`.

The numbers, culprits and rules come from the explanations. The documents also contain the words of the DATC and of the
equations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satjudge.base.imports import cached_property
from satjudge.base.words import join_first_names
from satjudge.explain.words.verdict_text import (
    NOT_ORDERED,
    OrderSummary,
    describe_ruling,
    format_fate,
    format_no_retreat,
    format_owned_unit,
    iter_contested_notes,
    iter_notes,
    iter_order_summaries,
)
from satjudge.judging.backup import CIRCULAR
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import CanalDecision, Decision, MoveDecision, SupportDecision
from satjudge.judging.equations.statement import is_unprotected
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.outcome import Dislodgement, Outcome
from satjudge.world.board import Unit, group_pairs
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
"""First words that only repeat the verdict."""
_BY_RULE = " by the rule for paradoxes"


def strip_rule_numbers(text: str) -> str:
    """Return a text without its rule numbers in brackets."""
    return _RULES.sub("", text)


class Said(OrderSummary):
    """An order, or a unit without an order, with a description for players: its first words and the rest."""

    head: str
    """The first words, such as `bounced`, which are shown in the colour of the verdict."""
    rest: str = ""
    """The words after the first ones, such as ` with A WAR, 1 against 1`."""

    @property
    def words(self) -> str:
        """The whole description: the first words and the rest."""
        return f"{self.head}{self.rest}"

    @property
    def beside_verdict(self) -> str:
        """The words to show next to the verdict, without first words that only repeat it; "" if there is no rest."""
        if self.head in _REPEATED:
            return self.rest.lstrip(":; ")
        return self.words if self.rest else ""


def _add_words(entry: OrderSummary, head: str, rest: str) -> Said:
    return Said(entry.power, entry.order, entry.verdict, entry.remark, head, rest)


def spoken_words(outcome: AnyOutcome) -> list[Said]:
    """Return a description for players of each order and, if units move and any order was given, of each unit without one."""
    if isinstance(outcome, Outcome):
        return list(_MovementWords(outcome).iter_spoken_orders())
    judged = [entry for given in outcome.judged.values() for entry in given]
    pairs = zip(iter_order_summaries(outcome), judged, strict=True)
    return [_add_words(one, *_format_later_order(entry, judged)) for one, entry in pairs]


def iter_remarks(outcome: AnyOutcome) -> Iterator[str]:
    """Yield sentences for players on the whole phase, including how each paradox or circle was settled."""
    waits = isinstance(outcome, Outcome) and any(lost.retreats for lost in outcome.dislodgements.values())
    passed_over = [] if waits or not isinstance(outcome, Outcome) else [*iter_contested_notes(outcome)]
    yield from (strip_rule_numbers(note) for note in iter_notes(outcome) if note not in passed_over)
    if isinstance(outcome, Outcome):
        yield from (strip_rule_numbers(describe_ruling(ruling)) for ruling in outcome.adjudication.rulings)


_LATER = {Retreat: "retreated", Disband: "disbanded", Build: "built", Remove: "removed", Decline: "build waived"}


def _format_later_order(entry: JudgedOrder, judged: Sequence[JudgedOrder]) -> tuple[str, str]:
    """Return the result of a retreat, build or removal in two parts: the first words and the rest."""
    if entry.reason is not None:
        return _format_impossible_order(entry)
    if entry.verdict.order is not OrderResult.FAILS or not isinstance(entry.order, Retreat):
        return _LATER[type(entry.order)], ""
    target = province_of(entry.order.destination)
    others = [
        str(other.order.unit)
        for other in judged
        if isinstance(other.order, Retreat) and other.reason is None and province_of(other.order.destination) == target
        if other.province != entry.province
    ]
    return "disbanded", f": {join_first_names(others)} {'retreats' if len(others) == 1 else 'retreat'} to {target}, too"


def _format_impossible_order(entry: JudgedOrder) -> tuple[str, str]:
    return _IMPOSSIBLE, f": {strip_rule_numbers(entry.reason or '')}"


class _MovementWords:
    """Describes the results of a movement phase for players."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.board = outcome.board

    def iter_spoken_orders(self) -> Iterator[Said]:
        """Yield a description of each order and, if any order was given, of each unit without one, power by power."""
        given = {power: enumerate(entries) for power, entries in self.outcome.judged.items()}
        for summary in iter_order_summaries(self.outcome):
            if summary.verdict == NOT_ORDERED:
                yield _add_words(summary, _NO_ORDER, f": {self._format_unordered_unit(summary.power, summary.order)}")
            else:
                number, entry = next(given[summary.power])
                yield _add_words(summary, *self._format_order(entry, number))

    @cached_property
    def _explanations(self) -> dict[Power, list[Explanation]]:
        """The explanations of each power's orders, in the same sequence as the orders."""
        from satjudge.explain.phases import explanations

        return group_pairs((why.power, why) for why in explanations(self.outcome))

    def _format_unordered_unit(self, power: Power, text: str) -> str:
        for unit in self.board.units:
            if (unit.power, str(unit)) == (power, text) and (lost := self.outcome.dislodgements.get(unit.province)):
                return self._format_dislodgement(lost)
        return "holds"

    def _format_order(self, entry: JudgedOrder, number: int) -> tuple[str, str]:
        head, rest = self._format_result(entry, number)
        lost = self.outcome.dislodgements.get(entry.province or "") if entry.verdict.unit else None
        if lost is None:
            return head, rest
        driven_out = self._format_dislodgement(lost)
        return (head, f"{rest}; {driven_out}") if head else (str(lost.fate), driven_out.removeprefix(str(lost.fate)))

    def _format_result(self, entry: JudgedOrder, number: int) -> tuple[str, str]:
        """Return the result of the order with this index in two parts, first words and rest; both "" for a dislodged hold."""
        result = entry.verdict.order
        if result is OrderResult.ILLEGAL:
            return _format_impossible_order(entry)
        if result is OrderResult.INVALID:
            return "came to nothing", f", because {self._explanations[entry.power][number].reasons[0].text}"
        if isinstance(entry.order, Hold) and entry.order.becomes:
            return self._format_transformation(entry.order.becomes, entry.province or "")
        if result is OrderResult.FAILS:
            return self._format_failure(entry, self._explanations[entry.power][number].reasons[0])
        if result in (OrderResult.CUT, OrderResult.DISRUPTED):
            return _BEGUN[result], self._format_cut(entry, number)
        if result is OrderResult.GIVEN:
            return _DONE[result], self._format_uncut_support(self._decisions.get(entry.province or ""))
        if isinstance(entry.order, Permission):
            return "passage permitted", ""
        if result is OrderResult.STOPS:
            return _DONE[result], f": it ends in {self.outcome.rides[entry.province or '']}"
        by_convoy = result is OrderResult.SUCCEEDS and self._is_convoyed(entry.province)
        return _DONE[result] if result else "", " by convoy" if by_convoy else ""

    def _format_transformation(self, becomes: Named, province: ProvinceCode) -> tuple[str, str]:
        """Return in two parts whether a unit became another kind (`becomes`), or else by whom it was attacked."""
        attackers = self.outcome.transformation_attackers[province]
        if not attackers:
            return "became", f" {becomes}"
        return (
            "stayed",
            f" as it was, attacked by {' and '.join(format_owned_unit(unit, self.board.map) for unit in attackers)}",
        )

    def _is_convoyed(self, province: ProvinceCode | None) -> bool:
        move = self.outcome.successful_moves.get(province or "")
        return move is not None and Reading(self.outcome.adjudication.values).is_convoyed(move)

    # ---- failures ----

    def _format_failure(self, entry: JudgedOrder, reason: Reason) -> tuple[str, str]:
        """Return in two parts with whom a move bounced and with which strengths, or why it did not move."""
        move = self._decisions.get(entry.province or "")
        if self._is_settled_by_rule(entry):
            return "did not move", _BY_RULE
        if len(reason.strengths) < 2:
            return "did not move", f": {strip_rule_numbers(reason.text)}"
        own, other = reason.strengths[:2]
        if not own.value and isinstance(move, MoveDecision) and move.destination.unit:
            return "did not move", f": {move.destination.unit} of its own power is in the way"
        unit = self._units.get(reason.culprits[0]) if reason.culprits else None
        if unit is None:
            return "did not move", ""
        if not isinstance(move, MoveDecision):  # a train, whose first strengths are about other units
            return "bounced", f" with {unit}"
        how = "off" if other.term == "hold" else "with"
        met = ", head to head" if other.term == "defend" else ""
        from satjudge.explain.explanation import HALF_STRENGTH

        at_half = ", at half strength" if HALF_STRENGTH in reason.rules else ""
        uncounted = (f"; {below.text}" for below in reason.because if "6.D.12" in below.rules)
        return "bounced", f" {how} {unit}{met}, {own.value} against {other.value}{at_half}{''.join(uncounted)}"

    def _format_cut(self, entry: JudgedOrder, number: int) -> str:
        """Return ` by …` with the unit that cut a support or disrupted a convoy, or the rule; "" if a dislodgement did it."""
        if self._is_settled_by_rule(entry):
            return _BY_RULE
        reason = self._explanations[entry.power][number].reasons[0]
        unit = self._units.get(reason.culprits[0]) if reason.word is OrderResult.CUT and reason.culprits else None
        return f" by {format_owned_unit(unit, self.board.map)}" if unit else ""

    def _format_uncut_support(self, support: Decision | None) -> str:
        """Return clauses on why attacks on a unit do not cut its support; "" if there is nothing to explain."""
        if not isinstance(support, SupportDecision):
            return ""
        attacks = (
            (self.board.unit_at[move.province], self._format_harmless_move(move, support)) for move in support.place.moves_in
        )
        return "".join(f"; not cut by {unit}{why}" for unit, why in attacks if why)

    def _format_harmless_move(self, move: MoveDecision, support: SupportDecision) -> str:
        """Return a clause on why a move that arrives does not cut a support; "" if it does not arrive, or for other reasons."""
        reading = Reading(self.outcome.adjudication.values)
        if not is_unprotected(reading, move, support):
            return f", which comes by convoy: the support is directed at {support.directed_at.unit}, which convoys"
        if not reading.path(move):
            return ""
        if move.power == support.power:
            return ", of its own power"
        return ", at which it is directed" if move.origin is support.directed_at else ""

    def _is_settled_by_rule(self, entry: JudgedOrder) -> bool:
        """Return whether a paradox rule settled the order, not its equation or the rule for circular movement."""
        adjudication, decision = self.outcome.adjudication, self._decisions.get(entry.province or "")
        settled = {index for ruling in adjudication.rulings if ruling.rule != CIRCULAR for index in ruling.settled}
        return decision is not None and decision.index in settled | adjudication.overridden

    @cached_property
    def _decisions(self) -> dict[ProvinceCode, Decision]:
        decisions = self.outcome.adjudication.situation.decisions
        return {decision.province: decision for decision in decisions if not isinstance(decision, CanalDecision)}

    @cached_property
    def _units(self) -> dict[Culprit, Unit]:
        """The unit of each possible culprit in an explanation."""
        from satjudge.explain.explanation import Culprit

        found = {Culprit(unit.power, f"{unit} H"): unit for unit in self.board.units}
        for province, decision in self._decisions.items():
            found[Culprit(decision.power, str(decision.order))] = self.board.unit_at[province]
        return found

    # ---- dislodgements ----

    def _format_dislodgement(self, dislodgement: Dislodgement) -> str:
        """Return a clause on who dislodged a unit, with which strengths, and where the unit may retreat."""
        from satjudge.explain.explanation import format_list

        strengths = self._dislodgement_reasons[dislodgement.unit.province].strengths[:2]
        numbers = f", {strengths[0].value} against {strengths[1].value}" if len(strengths) == 2 else ""
        where = (
            f"may retreat to {format_list(dislodgement.retreats, 'or')}"
            if dislodgement.retreats
            else format_no_retreat(dislodgement)
        )
        return f"{format_fate(dislodgement)} by {format_owned_unit(dislodgement.attacker, self.board.map)}{numbers}; {where}"

    @cached_property
    def _dislodgement_reasons(self) -> dict[ProvinceCode, Reason]:
        """The reason why each dislodged unit was dislodged, by its province."""
        from satjudge.explain.context import Context
        from satjudge.explain.reasons import explain_dislodgement

        context = Context(self.outcome)
        return {province: explain_dislodgement(context, context.places[province]) for province in self.outcome.dislodgements}
