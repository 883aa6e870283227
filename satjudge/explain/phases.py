"""Why, in the retreat and the adjustment phase, where there are no equations."""

from __future__ import annotations

from collections import Counter

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import Board
from satjudge.explain.parts import Culprit, Explanation, Reason, Rule, in_force, listed, without_rules
from satjudge.explain.standing import barred_exits
from satjudge.geography import Power, province_of
from satjudge.orders import Build, Decline, Order, Remove, Retreat
from satjudge.outcome import Outcome
from satjudge.retreats import RetreatOutcome
from satjudge.rules import Rulebook, load_rulebook, options
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
    if lost is None or movement is None or not isinstance(order, Retreat):
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
        text = f"{_account(outcome.board, power)}, and too few removals are ordered"
        reason = Reason(text, (in_force(rules, "4.D.8"),))
        explained += [Explanation(power, f"{unit} D (civil disorder)", "removed", (reason,)) for unit in units]
    return explained


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
