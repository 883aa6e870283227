"""Strengths, backup rules and barred retreats in words, with the rules, numbers and culprits that go with them."""

from __future__ import annotations

from collections.abc import Iterable

from satjudge.backup import CIRCULAR
from satjudge.board import Unit
from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.equations.proof import Amount, Comparison, Term
from satjudge.equations.situation import Decision, MoveDecision, Place
from satjudge.explain.context import Context
from satjudge.explain.explanation import (
    CoreAccount,
    Draft,
    Reason,
    Rule,
    Strength,
    culprit,
    in_force,
    listed,
    result,
    says,
    unit_of,
    without_rules,
)
from satjudge.geography import ProvinceCode, province_of
from satjudge.outcome import Outcome
from satjudge.rules import OtherCoreRule, ParadoxRule
from satjudge.solve.result import Core

# ---- strengths ----

RANK: dict[Term | None, int] = {Term.DEFEND: 0, Term.HOLD: 1, Term.PREVENT: 2}
"""What to tell first of several strengths against a move."""


def strength(amount: Amount) -> Strength:
    """An amount as a number in an explanation."""
    assert amount.term is not None
    return Strength(str(amount.term), str(amount.about), amount.value, tuple(str(support) for support in amount.supports))


def _composition(amount: Amount) -> str:
    """What an amount is made of: ` (itself, F LON)`."""
    if not amount.value:
        return ""
    return f" ({', '.join(['itself', *(unit_of(support) for support in amount.supports)])})"


def spelt(amount: Amount) -> str:
    """An amount with what it is made of: `attack 2 (itself, F LON)`."""
    return f"{amount.term} {amount.value}{_composition(amount)}"


def spelt_of(amount: Amount) -> str:
    """The same with whose it is: `prevent 2 of F BEL - ENG (itself, F NTH)`."""
    place = amount.about
    whose = (str(place.unit) if place.unit else place.province) if isinstance(place, Place) else str(place)
    return f"{amount.term} {amount.value} of {whose}{_composition(amount)}"


def one_of(amount: Amount) -> MoveDecision:
    """The move that an ATTACK, PREVENT or DEFEND belongs to."""
    assert isinstance(amount.about, MoveDecision)
    return amount.about


def sides(comparison: Comparison) -> tuple[Amount, Amount]:
    """The strength that exceeds the other or does not, and the other."""
    assert comparison.one is not None
    assert comparison.other is not None
    return comparison.one, comparison.other


def opposition(context: Context, comparison: Comparison, draft: Draft) -> str:
    """What stands against a move, in words; its culprits, rules and number go into the draft."""
    one, amount = sides(comparison)
    number = strength(amount)
    if number not in draft.strengths:
        draft.strengths.append(number)
    draft.culprits += [culprit(support) for support in amount.supports]
    if isinstance(amount.about, Place):
        return _holding(context, amount, amount.about, draft)
    move = one_of(amount)
    draft.culprits.insert(0, culprit(move))
    if amount.term is Term.DEFEND:
        return _defending(context, amount, one_of(one), draft)
    return _preventing(context, amount, move, draft)


def _holding(context: Context, amount: Amount, place: Place, draft: Draft) -> str:
    if place.unit is None:
        return f"hold {amount.value} of {place} (empty)"
    if not amount.value:
        return f"hold {amount.value} of {place} ({place.unit} leaves)"
    draft.culprits.insert(0, context.standing(place, place.unit))
    return spelt_of(amount).replace("(itself", "(itself, failing to leave" if place.moves_out else "(itself")


def _defending(context: Context, amount: Amount, attack: MoveDecision, draft: Draft) -> str:
    draft.rules.append("5.B.7")
    move = one_of(amount)
    if attack.destination is not move.origin or move.destination is not attack.origin:  # an army and its last fleet
        draft.rules.append(context.option("4.A.4.1"))
    return f"{spelt_of(amount)} in a head-to-head battle"


def _preventing(context: Context, amount: Amount, move: MoveDecision, draft: Draft) -> str:
    if amount.value:
        lost = context.outcome.dislodgements.get(move.origin.province)
        if lost is not None and lost.attacker.province == move.destination.province:
            draft.rules.append(context.option("4.A.7"))
        return spelt_of(amount)
    if not context.proof.path(move).value:
        draft.rules.append("5.B.4")
        return f"{spelt_of(amount)} (it does not arrive)"
    winner = next((other for other in move.opposed if statement.beaten(context.proof, move, other).value), None)
    draft.rules += ["5.B.6", context.option("4.A.7")]
    return f"{spelt_of(amount)} ({winner} defeats it)"


# ---- backup rules ----

RULE_NAMES = {
    CIRCULAR: "the rule for circular movement",
    ParadoxRule.SZYKMAN: "the Szykman rule",
    ParadoxRule.ALL_HOLD: "the rule All Hold",
    ParadoxRule.GUIDE: "the rule of the Technical Guide",
    OtherCoreRule.ALL_FAIL: "the rule for other cores",
}
_FEW, _MANY = 3, 6
"""So many orders at most are listed one by one."""


def ruled(context: Context, decision: Decision, *, briefly: bool = False) -> Reason:
    """Which backup rule decided, and, unless briefly, what each resolution of the core said of the order."""
    core, value = context.cores[decision.index], context.values[decision.index]
    ruling = core.ruling
    assert ruling is not None
    name = RULE_NAMES[ruling.rule]
    word = None
    if decision.index in ruling.settled:
        word = result(decision, value)
        text = f"{word} by {name}"
    else:
        settled = [str(other) for other in core.decisions if other.index in ruling.settled]
        what = listed(settled) if len(settled) <= _FEW else f"{len(settled)} orders of its core"
        text = f"{name} settles {what}, and this follows"
    blamed = [culprit(other) for other in core.decisions if other is not decision] or [culprit(decision)]
    draft = Draft([_issue(context, ruling.rule)], [] if value else blamed)
    return draft.reason(text if briefly else f"{text}: {_said(decision, core)}", "5.B.9", word=word)


def _issue(context: Context, rule: str) -> Rule:
    """Where the DATC has that backup rule."""
    if rule == CIRCULAR:
        return "6.C"
    if rule == OtherCoreRule.ALL_FAIL:
        return context.option("5.B.9")
    return context.option("4.A.2" if context.rules.paradox == rule else "4.A.2.fallback")


def _said(decision: Decision, core: Core) -> str:
    """What the resolutions of a core say of one of its orders."""
    few = len(core.decisions) <= _MANY
    orders = "; ".join(str(other) for other in core.decisions) if few else f"{len(core.decisions)} orders"
    if not core.resolutions:
        return f"its core ({orders}) has no resolution"
    index = core.decisions.index(decision)
    said = [says(decision, values[index]) for values in core.resolutions]
    told = ", ".join(f"in {said.count(one)} it {one}" for one in dict.fromkeys(said))
    return f"its core ({orders}) has {len(said)} resolutions: {told}"


def core_account(context: Context, decision: Decision) -> CoreAccount | None:
    """The core that a decision is in, if it is in one."""
    core = context.cores.get(decision.index)
    if core is None:
        return None
    settled = core.ruling.settled if core.ruling else {}
    return CoreAccount(
        tuple(str(other) for other in core.decisions),
        core.resolutions,
        core.ruling.rule if core.ruling else None,
        tuple(str(other) for other in core.decisions if other.index in settled),
    )


# ---- retreats ----


def no_retreat(outcome: Outcome, place: Place) -> Reason:
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
