"""Tests whether another engine's answer is a consistent resolution of the equations, and which equations it breaks.

Causes do not mention units or powers, so that findings can be grouped by cause (`satjudge.engines.families`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

from satjudge.base.values import replace
from satjudge.engines.comparison import RETREATS, ComparedPosition, Depth, answer_from_outcome, can_mean, compare_answers
from satjudge.engines.positions import AskedPosition, OrderNumber, format_lone_move
from satjudge.files.dialects import Meanings
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading, find_violated
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, SupportDecision
from satjudge.judging.judge import judge_phase
from satjudge.judging.outcome import Dislodgement, Outcome
from satjudge.judging.solve.result import CoreKind
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Phase
from satjudge.world.geography import Location, UnitKind, province_of
from satjudge.world.orders import Move
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import OrderResult

MOST_RESOLUTIONS = 100
"""The largest number of resolutions of a position that are compared with an answer."""
_ROUNDS = 10
"""The number of rounds in which equations are applied to find values that the other engine does not state."""


@dataclass(frozen=True, slots=True)
class EquationCheck:
    """The result of testing another engine's answer by the equations."""

    causes: tuple[str, ...] = ()
    """Possible causes, the most specific first: a rule of legality, a backup rule, each broken equation.

    Empty if only the kinds of the differences are known.
    """
    resolution: str = ""
    """A phrase on whether the answer is a consistent resolution: `a consistent resolution, 2 of 2`."""


def check_by_equations(compared: ComparedPosition, rulebook: Rulebook, depth: Depth, words: Meanings) -> EquationCheck:
    """Return the rules that another engine's answer breaks, and, in movement phases, whether it is a consistent resolution.

    The result is empty if the other engine gave no answer.
    """
    position, theirs = compared.position, compared.theirs
    if theirs is None:
        return EquationCheck()
    if border := format_lone_move(position):
        return (
            EquationCheck((BORDER_MISSING if _is_lone_move_legal(compared) else _BORDER_TOO_MUCH,))
            if border
            else EquationCheck()
        )
    if position.board.phase is not Phase.MOVEMENT:
        return EquationCheck(tuple(_iter_legality_differences(compared, {}, words)))
    outcome = judge_phase(position.board, position.orders, rulebook=rulebook)
    assert isinstance(outcome, Outcome)
    found = _match_resolution(position, theirs, outcome, depth, words)
    reasons = {
        (power, number): entry.reason
        for power, entries in outcome.docket.entries.items()
        for number, entry in enumerate(entries)
        if entry.reason is not None
    }
    causes = chain(
        _iter_legality_differences(compared, reasons, words),
        _iter_broken_equations(outcome, _read_values(compared, outcome, words)),
        _iter_retreat_differences(compared, outcome),
    )
    return EquationCheck(tuple(dict.fromkeys(causes)), found)


# ---- resolutions ----


def _match_resolution(position: AskedPosition, theirs: Answer, outcome: Outcome, depth: Depth, words: Meanings) -> str:
    """Return a phrase on which consistent resolution, if any, agrees with everything in the other engine's answer."""
    adjudication = outcome.adjudication
    every = adjudication.resolutions
    many = f"{every.count:,}" if every.complete else f"at least {every.count:,}"
    for number, values in enumerate(islice(every, MOST_RESOLUTIONS), 1):
        our_answer = answer_from_outcome(Outcome(outcome.board, outcome.docket, replace(adjudication, values=values)))
        if not compare_answers(our_answer, theirs, position.orders, depth, words):
            return f"a consistent resolution, {number} of {many}"
    if every.count > MOST_RESOLUTIONS or not every.complete:
        return f"none of the first {MOST_RESOLUTIONS} of {many} consistent resolutions"
    if not every.count:
        return "not a consistent resolution: there is none"
    return "not the one consistent resolution" if every.count == 1 else f"none of the {many} consistent resolutions"


# ---- equations ----

_TRUE: dict[type, OrderResult] = {
    MoveDecision: OrderResult.SUCCEEDS,
    SupportDecision: OrderResult.GIVEN,
    ConvoyDecision: OrderResult.AVAILABLE,
}
_FALSE: dict[type, tuple[OrderResult, OrderResult]] = {
    MoveDecision: (OrderResult.FAILS, OrderResult.INVALID),
    SupportDecision: (OrderResult.CUT, OrderResult.INVALID),
    ConvoyDecision: (OrderResult.DISRUPTED, OrderResult.INVALID),
}
_BROKEN: Mapping[tuple[type, bool], str] = {
    (SupportDecision, False): "a support is cut although nothing cuts it (SUPPORT, DATC 5.B.2)",
    (SupportDecision, True): "a support is given although it is cut, dislodged or for another order (SUPPORT, DATC 5.B.2)",
    (ConvoyDecision, False): "a convoy is disrupted although its fleet stays (CONVOY, DATC 5.B.3)",
    (ConvoyDecision, True): "a convoy succeeds although its fleet is dislodged (CONVOY, DATC 5.B.3)",
    (MoveDecision, False): "a move fails although nothing stops it (MOVE, DATC 5.B.1)",
    (MoveDecision, True): "a move succeeds although something stops it (MOVE, DATC 5.B.1)",
}


def _iter_broken_equations(outcome: Outcome, stated_values: Mapping[int, bool]) -> Iterator[str]:
    """Yield causes: backup rules if only these were applied differently, otherwise broken equations, supports first."""
    adjudication, values = outcome.adjudication, _complete_values(outcome, stated_values)
    situation, ours = adjudication.situation, adjudication.values
    ruled = {decision.index: core.kind for core in adjudication.cores if core.ruling for decision in core.decisions}
    other = {index for index in stated_values if values[index] is not ours[index]}
    stated_indices = {index for index in stated_values if index not in ruled or index in other}
    broken = [one for one in find_violated(situation, values) if one.index in stated_indices]
    if other & ruled.keys() and all(one.index in ruled for one in broken):
        yield from (_RULED[kind] for kind in CoreKind if kind in {ruled[index] for index in other & ruled.keys()})
        return
    for (kind, value), cause in _BROKEN.items():
        if any(isinstance(one, kind) and values[one.index] is value for one in broken):
            yield cause


_RULED: Mapping[CoreKind, str] = {
    CoreKind.CIRCULAR_MOVEMENT: "a circular movement is settled differently (DATC 5.B.9, 6.C)",
    CoreKind.NO_RESOLUTION: "a paradox without a resolution is settled differently (DATC 4.A.2)",
    CoreKind.SEVERAL_RESOLUTIONS: "a paradox with several resolutions is settled differently (DATC 4.A.2)",
    CoreKind.ONE_RESOLUTION: "a cyclic dependency with one resolution is settled differently (DATC 5.B.9)",
}
"""The causes for each kind of core: the engine settles it differently."""


def _read_values(compared: ComparedPosition, outcome: Outcome, words: Meanings) -> dict[int, bool]:
    """Return the values of decisions, by index, that the other engine's verdicts or units reveal."""
    theirs, docket = compared.theirs, outcome.docket
    assert theirs is not None
    decisions = {decision.province: decision for decision in outcome.adjudication.situation.decisions}
    found: dict[int, bool] = {}
    for power, entries in docket.entries.items():
        for number, entry in enumerate(entries):
            decision = decisions.get(entry.province or "") if entry.reason is None else None
            if decision is None or type(decision) not in _TRUE:
                continue
            if theirs.verdicts:
                value = _read_word(theirs.verdicts[power][number], type(decision), words)
            else:
                value = _read_move_from_units(theirs, outcome, decision)
            if value is not None:
                found[decision.index] = value
    return found


def _read_word(theirs: str, kind: type, words: Meanings) -> bool | None:
    """Return whether a decision of this kind is true by the engine's verdict; None if that can mean either or neither."""
    holds, fails = can_mean(theirs, (_TRUE[kind],), words), can_mean(theirs, _FALSE[kind], words)
    return holds if holds is not fails else None


def _read_move_from_units(theirs: Answer, outcome: Outcome, decision: Decision) -> bool | None:
    """Return whether a move succeeded, judging from the other engine's units; None if they do not show it."""
    if not isinstance(decision, MoveDecision):
        return None
    unit = outcome.board.unit_at[decision.province]
    moved_text, unit_text = str(replace(unit, location=decision.order.destination)), str(unit)
    units = theirs.units.get(unit.power, ())
    arrived, stayed = moved_text in units, unit_text in units or unit_text in theirs.dislodged.get(unit.power, {})
    return arrived if arrived is not stayed else None


def _complete_values(outcome: Outcome, stated_values: Mapping[int, bool]) -> list[bool]:
    """Return the values of all decisions: the stated ones, and others found by repeatedly applying the equations."""
    decisions, ours = outcome.adjudication.situation.decisions, outcome.adjudication.values
    values = [stated_values.get(index, value) for index, value in enumerate(ours)]
    for _ in range(_ROUNDS):
        after = [stated_values.get(one.index, bool(statement.decision(Reading(values), one))) for one in decisions]
        if after == values:
            break
        values = after
    return values


# ---- legality ----

_IN_PARENTHESES = re.compile(r"\(([^()]*)\)")
_RULE = re.compile(r"\d\.[A-J]\.")
_NAMES = re.compile(r"\b(?:[AF] )?[A-Z]{3}(?:/[NSEW]C)?\b")


def _iter_legality_differences(
    compared: ComparedPosition, reasons: Mapping[OrderNumber, str], words: Meanings
) -> Iterator[str]:
    """Yield a cause for each order that only one of the two engines treats as illegal."""
    for found in compared.differences:
        order = compared.position.orders_by_number.get((found.power, found.number)) if found.number is not None else None
        if order is None:
            continue
        kind = type(order).__name__
        not_followed = found.order_result in (OrderResult.ILLEGAL, OrderResult.INVALID)
        theirs_illegal = can_mean(found.theirs, (OrderResult.ILLEGAL,), words)
        if found.order_result is OrderResult.ILLEGAL and not theirs_illegal:
            reason = reasons.get((found.power, found.number or 0), "")
            rule = next((text for text in _IN_PARENTHESES.findall(reason) if _RULE.search(text)), None)
            why = rule if rule else _NAMES.sub("…", reason).rpartition("(")[0] or kind
            yield f"an illegal order is followed ({why.strip()})"
        elif theirs_illegal and not not_followed:
            via = " by convoy" if isinstance(order, Move) and order.via_convoy else ""
            yield f"a legal order is called illegal: {kind}{via}"


# ---- borders ----

BORDER_MISSING, _BORDER_TOO_MUCH = "borders are missing", "there are borders that the map does not have"


def _is_lone_move_legal(compared: ComparedPosition) -> bool:
    """Return whether the board's only unit moves in satjudge's answer."""
    ours = compared.ours
    unit = compared.position.board.units[0]
    return ours is not None and str(unit) not in ours.units.get(unit.power, ())


# ---- retreats ----


def _iter_retreat_differences(compared: ComparedPosition, outcome: Outcome) -> Iterator[str]:
    """Yield a cause for each place to which only one of the engines lets a unit retreat, with the reason for or against it."""
    for found in compared.differences:
        lost = next((one for one in outcome.dislodgements.values() if str(one.unit) == found.subject), None)
        if lost is None or found.kind != RETREATS or compared.theirs is None:
            continue
        theirs = set(compared.theirs.dislodged[found.power][found.subject])
        for place in sorted(theirs ^ set(lost.retreats)):
            yield f"a unit may {'retreat' if place in theirs else 'not retreat'} {_describe_place(place, lost, outcome)}"


def _describe_place(place: Location, dislodgement: Dislodgement, outcome: Outcome) -> str:
    province = province_of(place)
    if province == dislodgement.attacker.province:
        return "to where its attacker came from (DATC 4.A.5, 6.H.5)"
    if province in outcome.contested:
        return "to where units bounced (DATC 6.H.6)"
    if province in {unit.province for unit in outcome.units}:
        return "to an occupied province"
    if place in outcome.board.map.exits(dislodgement.unit.kind, dislodgement.unit.location):
        return "to a free province"
    return "to another coast" if dislodgement.unit.kind is UnitKind.FLEET else "to a place that it does not border"
