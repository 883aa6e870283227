"""Units that stand or are dislodged, and the retreats that are barred to them."""

from __future__ import annotations

from collections.abc import Iterable

from satjudge.board import Unit
from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.equations.proof import Amount, Comparison, Term, comparisons
from satjudge.equations.situation import MoveDecision, Place
from satjudge.explain.context import Context
from satjudge.explain.parts import Draft, Reason, Rule, culprit, in_force, listed, retold, unblamed, without_rules
from satjudge.explain.strengths import RANK, one_of, opposition, sides, spelt, strength, uncounted
from satjudge.geography import ProvinceCode, province_of
from satjudge.outcome import Outcome


def holds(context: Context, place: Place) -> Reason:
    """Why a unit that holds stands, or is dislodged."""
    return dislodged(context, place) if place.province in context.outcome.dislodgements else survives(context, place, "5.B.1")


def survives(context: Context, place: Place, rule: Rule) -> Reason:
    """Why nobody dislodges the unit there."""
    if not place.moves_in:
        return Reason(f"nobody moves to {place}", (rule,))
    draft = Draft(nested=[unblamed(_failing(context, move)) for move in place.moves_in])
    return draft.reason(f"no move to {place} succeeds", rule)


def _failing(context: Context, move: MoveDecision) -> Reason:
    reason = context.cause(move)
    return retold(reason, f"{move} fails: {reason.text}")


def dislodged(context: Context, place: Place, *rules: Rule) -> Reason:
    """By whom the unit there is dislodged, and with what strength; these rules are cited first."""
    lost = context.outcome.dislodgements[place.province]
    attacker = context.outcome.moved[lost.attacker.province]
    draft = Draft(culprits=[culprit(attacker)])
    text = f"{lost.fate} by {attacker} of {context.power(attacker.power)}"
    overcome = _overcome(context, attacker, place)
    if overcome is not None:
        one, other = sides(overcome)
        text += f", whose {spelt(one)} exceeds {opposition(context, overcome, draft)}"
        draft.strengths.insert(0, strength(one))
        draft.culprits = [culprit(attacker), *map(culprit, one.supports)]  # and not those on its own side
        draft.nested += uncounted(context, other, one.value - other.value)
    if not lost.retreats:
        draft.nested.append(_no_retreat(context.outcome, place))
    return draft.reason(text, *rules, "5.B.1")


def _overcome(context: Context, attacker: MoveDecision, place: Place) -> Comparison | None:
    """The comparison with the strength of the unit there, if there is one."""
    found = [c for c in comparisons(statement.move(context.proof, attacker)) if _defends(sides(c)[1], place)]
    return min(found, key=lambda comparison: RANK[sides(comparison)[1].term], default=None)


def _defends(amount: Amount, place: Place) -> bool:
    """Whether a strength is the unit's own in that place: its HOLD, or DEFEND of its move."""
    return amount.about is place or (amount.term is Term.DEFEND and one_of(amount).origin is place)


def _no_retreat(outcome: Outcome, place: Place) -> Reason:
    """Why none of the exits of a destroyed unit is open."""
    lost = outcome.dislodgements[place.province]
    if lost.disbanded_by:
        text, _ = without_rules(lost.disbanded_by)
        return Reason(f"it may not retreat: {text}", (in_force(outcome.adjudication.situation.rulebook, "4.D.9.retreats"),))
    exits = outcome.board.map.exits(lost.unit.kind, lost.unit.location)
    provinces = sorted({province_of(location) for location in exits})
    told, rules = barred_exits(outcome, provinces, lost.attacker)
    return Reason(f"it has no retreat: {told}" if told else "it has no retreat", ("4.E.2", *rules))


def barred_exits(outcome: Outcome, provinces: Iterable[ProvinceCode], attacker: Unit) -> tuple[str, tuple[Rule, ...]]:
    """Why a dislodged unit may not retreat to these provinces, and by which rules (DATC 6.H)."""
    occupied = {unit.province for unit in outcome.units}
    told: dict[str, list[ProvinceCode]] = {"occupied": [], "contested": [], "from": []}
    for province in provinces:
        if province in occupied | outcome.contested:
            told["occupied" if province in occupied else "contested"].append(province)
        elif province == attacker.province:
            told["from"].append(province)
    parts = [
        f"{listed(found)} {'is' if len(found) == 1 else 'are'} {how}" for how, found in told.items() if found and how != "from"
    ]
    parts += [f"its attacker came from {province}" for province in told["from"]]
    by_convoy = Reading(outcome.adjudication.values).convoyed(outcome.moved[attacker.province])
    origin = in_force(outcome.adjudication.situation.rulebook, "4.A.5") if by_convoy else "6.H.5"
    issues = {origin: told["from"], "6.H.6": told["contested"]}
    return ", and ".join(parts), tuple(issue for issue, found in issues.items() if found)
