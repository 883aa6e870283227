"""Cores and rulings: what a backup rule settled, and what each resolution of the core said of an order."""

from __future__ import annotations

from satjudge.backup import CIRCULAR
from satjudge.equations import statement
from satjudge.equations.situation import Decision
from satjudge.explain.context import Context
from satjudge.explain.parts import CoreAccount, Draft, Reason, Rule, culprit, is_word, listed, word
from satjudge.rules import OtherCoreRule, ParadoxRule
from satjudge.solve.result import Core

RULE_NAMES = {
    CIRCULAR: "the rule for circular movement",
    ParadoxRule.SZYKMAN: "the Szykman rule",
    ParadoxRule.ALL_HOLD: "the rule All Hold",
    ParadoxRule.GUIDE: "the rule of the Technical Guide",
    OtherCoreRule.ALL_FAIL: "the rule for other cores",
}
_FEW, _MANY = 3, 6
"""So many orders at most are listed one by one."""


def decided(context: Context, decision: Decision) -> list[Reason]:
    """Why a decision is as it is, by its equation, by a ruling, or by both."""
    core = context.cores.get(decision.index)
    ruling = core.ruling if core is not None else None
    if ruling is None:
        return [context.cause(decision)]
    if decision.index not in ruling.settled:
        return [context.cause(decision), ruled(context, decision)]
    agrees = statement.decision(context.proof, decision).value is context.values[decision.index]
    numbers = [context.cause(decision)] if agrees and ruling.rule == CIRCULAR else []
    return [ruled(context, decision), *numbers]


def ruled(context: Context, decision: Decision, *, briefly: bool = False) -> Reason:
    """Which backup rule decided, and, unless briefly, what each resolution of the core said of the order."""
    core, value = context.cores[decision.index], context.values[decision.index]
    ruling = core.ruling
    assert ruling is not None
    name = RULE_NAMES[ruling.rule]
    if decision.index in ruling.settled:
        text = f"{word(decision, value)} by {name}"
    else:
        settled = [str(other) for other in core.decisions if other.index in ruling.settled]
        what = listed(settled) if len(settled) <= _FEW else f"{len(settled)} orders of its core"
        text = f"{name} settles {what}, and this follows"
    blamed = [culprit(other) for other in core.decisions if other is not decision] or [culprit(decision)]
    draft = Draft([_issue(context, ruling.rule)], [] if value else blamed)
    return draft.reason(text if briefly else f"{text}: {_said(decision, core)}", "5.B.9")


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
    said = [is_word(decision, values[index]) for values in core.resolutions]
    told = ", ".join(f"in {said.count(one)} it {one}" for one in dict.fromkeys(said))
    return f"its core ({orders}) has {len(said)} resolutions: {told}"


def account(context: Context, decision: Decision) -> CoreAccount | None:
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
