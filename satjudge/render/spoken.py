"""Says what became of orders as players say it: `bounced with A WAR, 1 against 1`, `no order: holds`.

The numbers, culprits and rules are those of the explanations. The words of the DATC and of the equations are in the documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from satjudge.backup import CIRCULAR
from satjudge.board import Unit
from satjudge.documents.game_reports import GameReport, reported_phase
from satjudge.documents.told import NOT_ORDERED, contested, notes, ruling_in_words, told_orders, whose
from satjudge.equations.logic import Reading
from satjudge.equations.proof import Term
from satjudge.equations.situation import CanalDecision, Decision, MoveDecision
from satjudge.explain import Explanation, Reason, adjustment_explanations, explanations, retreat_explanations
from satjudge.explain.context import Context
from satjudge.explain.explanation import Culprit, listed
from satjudge.explain.reasons import dislodged
from satjudge.game import Game
from satjudge.geography import Power, ProvinceCode
from satjudge.judge import AnyOutcome
from satjudge.lazy import cached_property
from satjudge.orders import Build, Decline, Disband, Permission, Remove, Retreat
from satjudge.outcome import Dislodgement, Outcome
from satjudge.retreats import RetreatOutcome
from satjudge.verdicts import Fate, JudgedOrder, OrderResult, Verdict

_RULE = r"(?:DATC )?(?:2\.4, )?\d{1,2}\.[A-J](?:\.\w+)*"
_RULES = re.compile(rf" \({_RULE}(?:(?:, | to ){_RULE})*\)|, {_RULE}(?=\))")
_DONE = {
    OrderResult.SUCCEEDS: "moved",
    OrderResult.STOPS: "came part of the way",
    OrderResult.GIVEN: "support given",
    OrderResult.AVAILABLE: "convoy held",
    OrderResult.STANDS: "held",
}
_BEGUN = {OrderResult.CUT: "support cut", OrderResult.DISRUPTED: "convoy disrupted"}
_IMPOSSIBLE, _NO_ORDER = "not possible", "no order"
_REPEATED = {_IMPOSSIBLE, _NO_ORDER, *_BEGUN.values(), *_DONE.values(), *Fate}
"""First words that say no more than the verdict does."""
_BY_RULE = " by the rule for paradoxes"


def without_numbers(text: str) -> str:
    """The same text without the numbers of rules in brackets."""
    return _RULES.sub("", text)


class Said(NamedTuple):
    """An order, or a unit that was given none, with what is said of it: the first words, and the rest behind them."""

    power: Power
    order: str
    verdict: Verdict | str
    """What chooses the colour."""
    head: str
    rest: str = ""

    @property
    def words(self) -> str:
        """All that is said."""
        return f"{self.head}{self.rest}"

    @property
    def beside_verdict(self) -> str:
        """What is said where the verdict stands beside it, which need not be said again."""
        if self.head in _REPEATED:
            return self.rest.lstrip(":; ")
        return self.words if self.rest else ""


def said_of(outcome: AnyOutcome) -> list[Said]:
    """What became of each order, and of units without one, power by power."""
    if isinstance(outcome, Outcome):
        return list(_Moves(outcome).said())
    retreating = isinstance(outcome, RetreatOutcome)
    found = retreat_explanations(outcome) if isinstance(outcome, RetreatOutcome) else adjustment_explanations(outcome)
    judged = [entry for given in outcome.judged.values() for entry in given]
    return [
        Said(entry.power, str(entry.order), entry.verdict, *(_retreat if retreating else _adjustment)(entry, why.reasons[0]))
        for entry, why in zip(judged, found, strict=False)  # behind them is what civil disorder removes
    ]


def spoken_of(game: Game, report: GameReport) -> list[Said]:
    """What became of the orders of the phase that is reported."""
    played, _ = reported_phase(game, report.phase)
    return said_of(played.outcome) if played else []


def remarks(outcome: AnyOutcome) -> Iterator[str]:
    """What else is to be said of a phase, and what became of paradoxes, in plain sentences."""
    waits = isinstance(outcome, Outcome) and any(lost.retreats for lost in outcome.dislodgements.values())
    passed_over = [] if waits or not isinstance(outcome, Outcome) else [*contested(outcome)]
    yield from (without_numbers(note) for note in notes(outcome) if note not in passed_over)
    if isinstance(outcome, Outcome):
        yield from (without_numbers(ruling_in_words(ruling)) for ruling in outcome.adjudication.rulings)


def _retreat(entry: JudgedOrder, why: Reason) -> tuple[str, str]:
    if entry.verdict.order is OrderResult.ILLEGAL:
        return _impossible(entry)
    if entry.verdict.order is OrderResult.FAILS:
        return "disbanded", f": {without_numbers(why.text)}"
    return "retreated" if isinstance(entry.order, Retreat) else "disbanded", ""


def _adjustment(entry: JudgedOrder, why: Reason) -> tuple[str, str]:
    done = {Build: "built", Remove: "removed", Disband: "removed", Decline: "build waived"}
    if entry.verdict.order is OrderResult.SUCCEEDS:
        return done[type(entry.order)], ""
    return _impossible(entry) if entry.reason else (str(entry.verdict), f": {without_numbers(why.text)}")


def _impossible(entry: JudgedOrder) -> tuple[str, str]:
    return _IMPOSSIBLE, f": {without_numbers(entry.reason or '')}"


class _Moves:
    """The words for what became of a movement phase."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.board = outcome.board

    def said(self) -> Iterator[Said]:
        """Every order with its words, and the units without one."""
        explained: dict[Power, list[Explanation]] = {}
        for why in explanations(self.outcome):
            explained.setdefault(why.power, []).append(why)
        entries = {power: iter(given) for power, given in self.outcome.judged.items()}
        for told in told_orders(self.outcome):
            if told.verdict == NOT_ORDERED:
                yield Said(told.power, told.text, NOT_ORDERED, _NO_ORDER, f": {self._unordered(told.power, told.text)}")
            else:
                entry = next(entries[told.power])
                yield Said(told.power, told.text, entry.verdict, *self._ordered(entry, explained[told.power].pop(0)))

    def _unordered(self, power: Power, text: str) -> str:
        for unit in self.board.units:
            if (unit.power, str(unit)) == (power, text) and (lost := self.outcome.dislodgements.get(unit.province)):
                return self._driven_out(lost)
        return "holds"

    def _ordered(self, entry: JudgedOrder, why: Explanation) -> tuple[str, str]:
        head, rest = self._came_of(entry, why)
        lost = self.outcome.dislodgements.get(entry.province or "") if entry.verdict.unit else None
        if lost is None:
            return head, rest
        driven_out = self._driven_out(lost)
        return (head, f"{rest}; {driven_out}") if head else (str(lost.fate), driven_out.removeprefix(str(lost.fate)))

    def _came_of(self, entry: JudgedOrder, why: Explanation) -> tuple[str, str]:
        """What became of the order itself; nothing of a hold whose unit was driven out."""
        result, reason = entry.verdict.order, why.reasons[0]
        if result is OrderResult.ILLEGAL:
            return _impossible(entry)
        if result is OrderResult.INVALID:
            return "came to nothing", f", as {reason.text}"
        if result is OrderResult.FAILS:
            return self._failed(entry, why)
        if result in (OrderResult.CUT, OrderResult.DISRUPTED):
            return _BEGUN[result], self._broken(entry, why)
        if isinstance(entry.order, Permission):
            return "passage permitted", ""
        if result is OrderResult.STOPS:
            return _DONE[result], f": it ends in {self.outcome.rides[entry.province or '']}"
        by_convoy = result is OrderResult.SUCCEEDS and self._convoyed(entry.province)
        return _DONE[result] if result else "", " by convoy" if by_convoy else ""

    def _convoyed(self, province: ProvinceCode | None) -> bool:
        move = self.outcome.moved.get(province or "")
        return move is not None and Reading(self.outcome.adjudication.values).convoyed(move)

    # ---- what failed ----

    def _failed(self, entry: JudgedOrder, why: Explanation) -> tuple[str, str]:
        """Whom a move bounced with, by which numbers; or why it did not come so far."""
        reason, move = why.reasons[0], self._decisions.get(entry.province or "")
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
        how = "off" if other.term == Term.HOLD else "with"
        met = ", head to head" if other.term == Term.DEFEND else ""
        uncounted = (f"; {below.text}" for below in reason.nested if "6.D.12" in below.rules)
        return "bounced", f" {how} {unit}{met}, {own.value} against {other.value}{''.join(uncounted)}"

    def _broken(self, entry: JudgedOrder, why: Explanation) -> str:
        """By whom a support is cut, or that a rule decided; who dislodges the unit is told behind it."""
        if self._settled(entry):
            return _BY_RULE
        reason = why.reasons[0]
        unit = self._units.get(reason.culprits[0]) if reason.word is OrderResult.CUT and reason.culprits else None
        return f" by {whose(unit, self.board.map)}" if unit else ""

    def _settled(self, entry: JudgedOrder) -> bool:
        """Whether a rule for paradoxes settled the order, and not an equation."""
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
        found = {Culprit(unit.power, f"{unit} H"): unit for unit in self.board.units}
        for province, decision in self._decisions.items():
            found[Culprit(decision.power, str(decision.order))] = self.board.unit_at[province]
        return found

    # ---- what was dislodged ----

    def _driven_out(self, lost: Dislodgement) -> str:
        """By whom a unit was dislodged, by which numbers, and where it may go."""
        strengths = self._dislodging[lost.unit.province].strengths[:2]
        numbers = f", {strengths[0].value} against {strengths[1].value}" if len(strengths) == 2 else ""
        where = f"may retreat to {listed(lost.retreats, 'or')}" if lost.retreats else "no retreat"
        return f"{lost.fate} by {whose(lost.attacker, self.board.map)}{numbers}; {where}"

    @cached_property
    def _dislodging(self) -> dict[ProvinceCode, Reason]:
        """Why units were dislodged, by where they stood."""
        context = Context(self.outcome)
        return {province: dislodged(context, context.places[province]) for province in self.outcome.dislodgements}
