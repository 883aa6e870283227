"""Why, in the retreat and the adjustment phase, where there are no equations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import inf

from satjudge.adjustments import AdjustmentOutcome, order_of_removal
from satjudge.board import Board, Unit
from satjudge.explain.parts import Culprit, Explanation, Reason, Rule, in_force, listed, without_rules
from satjudge.explain.standing import barred_exits
from satjudge.geography import Power, province_of
from satjudge.orders import Build, Decline, Order, Remove, Retreat
from satjudge.outcome import Outcome
from satjudge.retreats import RetreatOutcome
from satjudge.rules import CivilDisorder, Rulebook, load_rulebook, options
from satjudge.words import number_of

_ISSUES = frozenset(option.issue for option in options()) - {"4.E.1"}


def retreat_explanations(
    outcome: RetreatOutcome, *, rulebook: Rulebook | None = None, movement: Outcome | None = None
) -> list[Explanation]:
    """Why each retreat order has its verdict; with the movement phase before it also why a place is barred."""
    rules = rulebook or load_rulebook()
    explained = []
    for power, given in outcome.orders.items():
        for order, verdict, reason in zip(given, outcome.results[power], outcome.reasons[power], strict=True):
            if reason is not None:
                found = _illegal(reason, rules, _barred(order, movement))
            elif not isinstance(order, Retreat):
                found = Reason("its power takes it off the board", ("6.H",))
            else:
                found = _retreated(order, power, outcome)
            explained.append(Explanation(power, str(order), verdict, (found,)))
    return explained


def _illegal(reason: str, rules: Rulebook, more: Reason | None = None) -> Reason:
    text, numbers = without_rules(reason)
    named: tuple[Rule, ...] = tuple(in_force(rules, number) if number in _ISSUES else number for number in numbers)
    default: tuple[Rule, ...] = () if named else ("4.E.1",)
    return Reason(text, (*named, *(more.rules if more else default)), nested=(more,) if more else ())


def _barred(order: Order, movement: Outcome | None) -> Reason | None:
    """Why a unit may not retreat where it was ordered to, if the movement phase tells."""
    lost = movement.dislodgements.get(order.unit.province) if movement and isinstance(order, Retreat) else None
    if lost is None or movement is None or not isinstance(order, Retreat) or lost.disbanded_by:
        return None
    province = province_of(order.destination)
    exits = {province_of(location) for location in movement.board.map.exits(lost.unit.kind, lost.unit.location)}
    if province not in exits:
        return Reason(f"it could not move from {lost.unit.location} to {province}", ("4.E.1",))
    told, rules = barred_exits(movement, [province], lost.attacker)
    return Reason(told, rules or ("4.E.1",)) if told else None


def _retreated(order: Retreat, power: Power, outcome: RetreatOutcome) -> Reason:
    province = province_of(order.destination)
    rivals = tuple(
        Culprit(other_power, str(other))
        for other_power, given in outcome.orders.items()
        for other, verdict in zip(given, outcome.results[other_power], strict=True)
        if isinstance(other, Retreat) and province_of(other.destination) == province and verdict == "fails"
        if (other_power, other) != (power, order)
    )
    if rivals:
        text = f"{listed(map(str, rivals))} {'goes' if len(rivals) == 1 else 'go'} to {province} too, and all are disbanded"
        return Reason(text, ("6.H.7",), rivals)
    return Reason(f"{province} is open to it, and no other unit retreats there", ("6.H.7",))


def adjustment_explanations(
    outcome: AdjustmentOutcome, *, rulebook: Rulebook | None = None
) -> list[Explanation]:
    """Why each build, removal and declined build has its verdict; then the removals by civil disorder."""
    rules = rulebook or load_rulebook()
    explained = [
        Explanation(power, str(order), verdict, (_adjusted(order, power, outcome.board, rules, reason),))
        for power, given in outcome.orders.items()
        for order, verdict, reason in zip(given, outcome.results[power], outcome.reasons[power], strict=True)
    ]
    for power, units in outcome.automatic.items():
        short = _short_of_removals(outcome, power, rules)
        for unit, first in zip(units, _why_these(outcome, power, rules), strict=True):
            reason = replace(short, nested=(first,))
            explained.append(Explanation(power, f"{unit} D (civil disorder)", "removed", (reason,)))
    return explained


def _short_of_removals(outcome: AdjustmentOutcome, power: Power, rules: Rulebook) -> Reason:
    """Why a power loses units that it did not remove itself."""
    account, disorder = _account(outcome.board, power), in_force(rules, "4.D.8")
    given = zip(outcome.orders.get(power, ()), outcome.reasons.get(power, ()), strict=True)
    removals = [reason for order, reason in given if isinstance(order, Remove)]
    if any(reason and "4.D.6" in reason for reason in removals):
        text = f"{account}; more removals than are due are ordered, and none counts"
        return Reason(text, (disorder, in_force(rules, "4.D.6")))
    legal = removals.count(None)
    number = f"only {number_of(legal, 'removal')}" if legal else "no removal"
    verb, how = "is" if legal < 2 else "are", "legally ordered" if removals else "ordered"
    return Reason(f"{account}, and {number} {verb} {how}", (disorder,))


def _why_these(outcome: AdjustmentOutcome, power: Power, rules: Rulebook) -> Iterator[Reason]:
    """For each unit that civil disorder takes why it goes before those that stay: distance, kind or alphabet (4.D.8)."""
    taken = outcome.automatic[power]
    removed = [unit for unit in outcome.board.units if unit not in (*outcome.units, *taken)]
    ranked = order_of_removal(outcome.board, power, rules, without=removed)
    of_power = f"of {outcome.board.map.name_of(power)}"
    home = {
        CivilDisorder.OWNED_CENTERS: f"the nearest centre {of_power}",
        CivilDisorder.HOME_COUNTRY: f"the country {of_power}",
    }.get(rules.civil_disorder, f"the nearest home centre {of_power}")
    for unit, far in ranked[: len(taken)]:
        away = f"{unit} is {number_of(int(far), 'step')} from {home}" if far < inf else f"no way leads from {unit} to {home}"
        yield Reason(f"{away}, {_before(outcome, (unit, far), ranked[len(taken) :])}", (in_force(rules, "4.D.8"),))


def _before(outcome: AdjustmentOutcome, taken: tuple[Unit, float], staying: list[tuple[Unit, float]]) -> str:
    """What puts a unit that is taken before the first that stays."""
    if not staying:
        return "and none of the units stays"
    (unit, far), (other, nearer) = taken, staying[0]
    if far > nearer:
        return f"{'farther than' if far < inf else 'but from'} {other} ({number_of(int(nearer), 'step')}), which stays"
    equal = f"{'as far as' if far < inf else 'nor from'} {other}, which stays"
    if unit.kind is not other.kind:
        return f"{equal}: a fleet goes before an army"
    names = [outcome.board.map.provinces[one.province].name for one in (unit, other)]
    return f"{equal}: {names[0]} comes before {names[1]} in the alphabet"


def _adjusted(order: Order, power: Power, board: Board, rules: Rulebook, reason: str | None) -> Reason:
    if reason is not None:
        return _illegal(reason, rules)
    account = _account(board, power)
    match order:
        case Build():
            return Reason(f"{account}, and {order.unit.province} is a home centre that it owns, and empty", ("6.I",))
        case Decline():
            return Reason(f"{account}, and a build may be declined", (in_force(rules, "4.D.7"),))
        case Remove():
            return Reason(f"{account}, and {order.unit} is one of its units", ("6.J",))
    raise AssertionError(f"{order} is no adjustment")


def _account(board: Board, power: Power) -> str:
    """How many centres and units a power has."""
    centers = Counter(board.centers.values())[power]
    units = Counter(unit.power for unit in board.units)[power]
    name = board.map.power_names.get(power, power)
    return f"{name} has {number_of(centers, 'centre')} and {number_of(units, 'unit')}"
