"""Formats the parts of reasons: strengths, backup rules and barred retreats."""

from __future__ import annotations

from collections.abc import Iterable

from satjudge.explain.context import Context
from satjudge.explain.explanation import (
    CoreAccount,
    Draft,
    Reason,
    Rule,
    Strength,
    choose_value_word,
    format_choice,
    format_list,
    format_predicate,
    format_unit,
    make_culprit,
    split_rule_numbers,
)
from satjudge.judging.backup import CANAL, CIRCULAR, RAILROAD, SUPPORTS
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.proof import Amount, Comparison, Term
from satjudge.judging.equations.situation import (
    CanalDecision,
    Decision,
    MoveDecision,
    PassDecision,
    Place,
    ReachDecision,
    Stage,
)
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve.result import Core
from satjudge.world.board import Unit
from satjudge.world.geography import ProvinceCode, province_of
from satjudge.world.rules.rulebook import OtherCoreRule, ParadoxRule
from satjudge.world.verdicts import OrderResult

# ---- strengths ----

RANK: dict[Term | None, int] = {Term.DEFEND: 0, Term.HOLD: 1, Term.PREVENT: 2}
"""The sequence in which several strengths against a move are listed."""


def make_strength(amount: Amount) -> Strength:
    """Convert a strength of the equations to the form that explanations show."""
    assert amount.term is not None
    return Strength(
        str(amount.term), str(amount.about), amount.counted_value, tuple(str(support) for support in amount.supports)
    )


def _format_parts(amount: Amount) -> str:
    """Return the parts of a strength in brackets, ` (itself, F LON)`; "" if the strength is 0."""
    if not amount.value:
        return ""
    parts = ["itself", *(format_unit(support) for support in amount.supports)]
    return f" ({', '.join(parts)}{', less one over a difficult border' if is_hindered(amount) else ''})"


def is_hindered(amount: Amount) -> bool:
    """Return whether a strength is one less because its move crosses a difficult border (DATC 2.4, 10)."""
    bounds = amount.about.rules.difficult_borders if isinstance(amount.about, MoveDecision) else False
    return bounds and amount.value == 1 + len(amount.supports)


def is_halved_alone(context: Context, move: MoveDecision, rival: MoveDecision) -> bool:
    """Return whether a move arrives at half strength while its rival does not (variant 1900)."""
    return (
        statement.has_full_strength(context.proof, rival).value and not statement.has_full_strength(context.proof, move).value
    )


def format_strength(amount: Amount) -> str:
    """Format a strength with its parts: `attack 2 (itself, F LON)`."""
    return f"{amount.term} {amount.counted_value}{_format_parts(amount)}"


def format_owned_strength(amount: Amount) -> str:
    """Format a strength with its order or unit and its parts: `prevent 2 of F BEL - ENG (itself, F NTH)`."""
    place = amount.about
    owner_text = (str(place.unit) if place.unit else place.province) if isinstance(place, Place) else str(place)
    return f"{amount.term} {amount.counted_value} of {owner_text}{_format_parts(amount)}"


def find_move(amount: Amount) -> MoveDecision:
    """Return the move that has this ATTACK, PREVENT or DEFEND strength."""
    assert isinstance(amount.about, MoveDecision)
    return amount.about


def get_sides(comparison: Comparison) -> tuple[Amount, Amount]:
    """Return the two strengths of a comparison, first the one that should exceed the other."""
    assert comparison.one is not None
    assert comparison.other is not None
    return comparison.one, comparison.other


def choose_exceeding_word(exceeding: Amount, exceeded: Amount) -> str:
    """Return "exceeds", or "suffices against" if both strengths count as equal, as over difficult borders."""
    return "exceeds" if exceeding.counted_value > exceeded.counted_value else "suffices against"


def format_opposition(context: Context, comparison: Comparison, draft: Draft) -> str:
    """Return a phrase for the strength that a move had to exceed, and add its orders, rules and strength to the draft."""
    one, amount = get_sides(comparison)
    number = make_strength(amount)
    if number not in draft.strengths:
        draft.strengths.append(number)
    draft.culprits += [make_culprit(support) for support in amount.supports]
    if isinstance(amount.about, Place):
        return _format_hold(context, amount, amount.about, draft)
    _cite_borders(one, amount, draft)
    if isinstance(amount.about, Stage):
        draft.culprits.insert(0, make_culprit(amount.about))
        return _format_train_strength(context, amount, amount.about, find_move(one), draft)
    move = find_move(amount)
    draft.culprits.insert(0, make_culprit(move))
    if amount.term is Term.DEFEND:
        return _format_defend(context, amount, find_move(one), draft)
    return _format_prevent(context, amount, move, draft)


def _cite_borders(first: Amount, second: Amount, draft: Draft) -> None:
    """Add the rule on difficult borders to the draft if it reduces one of the strengths (DATC 2.4, 10)."""
    if second.term is Term.PREVENT and second.value and (is_hindered(first) or is_hindered(second)):
        draft.rules.append("10.D" if is_hindered(first) and is_hindered(second) else "10.C")


def _format_train_strength(context: Context, amount: Amount, stage: Stage, move: MoveDecision, draft: Draft) -> str:
    """Return a phrase for a train's strength at a stage of its way against a move, and add the rule to the draft."""
    if amount.term is Term.DEFEND:
        draft.rules += ["5.B.7", "7.B.28"]
        return f"{format_owned_strength(amount)} in a head-to-head battle"
    if amount.value:
        own = move.power == stage.train.power
        draft.rules.append("7.B.16" if stage.last and stage.place.unit else "7.B.4" if own else "7.B.1")
        return format_owned_strength(amount)
    winner = next((other for other in stage.opposed if context.values[other.index]), None)
    draft.rules.append("7.B.27" if winner else "7.B.11")
    return f"{format_owned_strength(amount)} ({f'{winner} defeats it' if winner else 'it does not get that far'})"


def _format_hold(context: Context, amount: Amount, place: Place, draft: Draft) -> str:
    if place.unit is None:
        return f"hold 0 of {place} (empty)"
    if not amount.value:
        return f"hold 0 of {place} ({place.unit} leaves)"
    draft.culprits.insert(0, context.blame_unit(place, place.unit))
    return format_owned_strength(amount).replace(
        "(itself", "(itself, failing to leave" if place.moves_out or place.trains_out else "(itself"
    )


def _format_defend(context: Context, amount: Amount, attack: MoveDecision, draft: Draft) -> str:
    draft.rules.append("5.B.7")
    move = find_move(amount)
    if attack.destination is not move.origin or move.destination is not attack.origin:  # an army and its last fleet
        draft.rules.append(context.format_option("4.A.4.1"))
    return f"{format_owned_strength(amount)} in a head-to-head battle"


def _format_prevent(context: Context, amount: Amount, move: MoveDecision, draft: Draft) -> str:
    if amount.value:
        lost = context.outcome.dislodgements.get(move.origin.province)
        if lost is not None and lost.attacker.province == move.destination.province:
            draft.rules.append(context.format_option("4.A.7"))
        return format_owned_strength(amount)
    if not context.proof.path(move).value:
        draft.rules.append("5.B.4")
        return f"{format_owned_strength(amount)} (it does not arrive)"
    winner = next((other for other in move.opposed if statement.is_beaten(context.proof, move, other).value), None)
    draft.rules += ["5.B.6", context.format_option("4.A.7")]
    return f"{format_owned_strength(amount)} ({winner} defeats it)"


# ---- backup rules ----

RULE_NAMES = {
    CIRCULAR: "the rule for circular movement",
    ParadoxRule.SZYKMAN: "the Szykman rule",
    ParadoxRule.ALL_HOLD: "the rule All Hold",
    ParadoxRule.GUIDE: "the rule of the Technical Guide",
    OtherCoreRule.ALL_FAIL: "the rule for other cores",
    SUPPORTS: "the rule for supports over difficult borders",
    RAILROAD: "the rule for railroads",
    CANAL: "the rule for canals",
}
_FEW, _MANY = 3, 6
"""The largest numbers of orders that are listed one by one."""


def format_rule_names(rule: str) -> str:
    """Return the display names of one backup rule, or of several that are separated by commas in `rule`."""
    return format_list(RULE_NAMES.get(one, one) for one in rule.split(", "))


def make_ruling_reason(context: Context, decision: Decision, *, briefly: bool = False) -> Reason:
    """Make the reason that a backup rule settled a decision; unless `briefly`, state its value in each resolution."""
    core, value = context.cores[decision.index], context.values[decision.index]
    ruling = core.ruling
    assert ruling is not None
    name = format_rule_names(ruling.rule)
    word = None
    if decision.index not in ruling.settled:
        settled = [str(other) for other in core.decisions if other.index in ruling.settled]
        settled_text = format_list(settled) if len(settled) <= _FEW else f"{len(settled)} orders of its core"
        text = f"this follows from {name}, which {'settle' if ', ' in ruling.rule else 'settles'} {settled_text}"
    elif isinstance(decision, PassDecision | ReachDecision | CanalDecision):
        text = f"{decision} {format_predicate(decision, value)} by {name}"
    else:
        word = OrderResult(choose_value_word(decision, value))
        text = f"{word} by {name}"
    others = (other for other in core.decisions if other is not decision and not isinstance(other, CanalDecision))
    blamed = [make_culprit(other) for other in others] or [make_culprit(decision)]
    draft = Draft([_cite_backup_rule(context, rule) for rule in ruling.rule.split(", ")], [] if value else blamed)
    return draft.make_reason(text if briefly else f"{text}: {_format_core_values(decision, core)}", "5.B.9")


def _cite_backup_rule(context: Context, rule: str) -> Rule:
    """Return the rule that defines a backup rule: an issue with its choice, or a section of the DATC."""
    if rule == CIRCULAR:
        return "6.C"
    if rule == SUPPORTS:
        return context.format_option("10.F")
    if rule in (RAILROAD, CANAL):
        return "7.B.24" if rule == RAILROAD else "7.C.8"
    if rule == OtherCoreRule.ALL_FAIL:
        return context.format_option("5.B.9")
    return context.format_option("4.A.2" if context.rules.paradox == rule else "4.A.2.fallback")


def _format_core_values(decision: Decision, core: Core) -> str:
    """Return a clause with a core's orders, and the number of its resolutions in which a decision has each value."""
    stages = (PassDecision, ReachDecision)
    order_texts = list(dict.fromkeys(str(other.order if isinstance(other, stages) else other) for other in core.decisions))
    orders = "; ".join(order_texts) if len(order_texts) <= _MANY else f"{len(order_texts)} orders"
    if not core.resolutions:
        return f"its core ({orders}) has no resolution"
    if decision not in core.decisions:
        return f"its core ({orders}) has {len(core.resolutions)} resolutions"
    index = core.decisions.index(decision)
    predicates = [format_predicate(decision, values[index]) for values in core.resolutions]
    counted = ", ".join(f"in {predicates.count(one)} it {one}" for one in dict.fromkeys(predicates))
    return f"its core ({orders}) has {len(predicates)} resolutions: {counted}"


def make_core_account(context: Context, decision: Decision) -> CoreAccount | None:
    """Return the account of the core that contains a decision; None if no core does."""
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


def explain_no_retreat(outcome: Outcome, place: Place) -> Reason:
    """Return why a dislodged unit has no retreat: a rule forbids retreating, or all exits are barred."""
    lost = outcome.dislodgements[place.province]
    if lost.disbanded_by:
        text, _ = split_rule_numbers(lost.disbanded_by)
        return Reason.from_text(
            f"it may not retreat: {text}", (format_choice(outcome.adjudication.situation.rulebook, "4.D.9.retreats"),)
        )
    exits = outcome.board.map.exits(lost.unit.kind, lost.unit.location)
    provinces = sorted({province_of(location) for location in exits})
    barred_text, rules = explain_barred_exits(outcome, provinces, lost.attacker)
    return Reason.from_text(f"it has no retreat: {barred_text}" if barred_text else "it has no retreat", ("4.E.2", *rules))


def explain_barred_exits(outcome: Outcome, provinces: Iterable[ProvinceCode], attacker: Unit) -> tuple[str, tuple[Rule, ...]]:
    """Return clauses on why a dislodged unit may not retreat to these provinces ("" if it may), and the rules (DATC 6.H)."""
    occupied = {unit.province for unit in outcome.units}
    board = outcome.board
    shut = board.map.closed.get(board.turn.season, ()) if board.turn else ()
    groups: dict[str, list[ProvinceCode]] = {"shut": [], "occupied": [], "contested": [], "from": []}
    for province in provinces:
        if province in shut:
            groups["shut"].append(province)
        elif province in occupied | outcome.contested:
            groups["occupied" if province in occupied else "contested"].append(province)
        elif province == attacker.province:
            groups["from"].append(province)
    season = f" in {board.turn.season}" if board.turn else ""
    parts = [
        f"{format_list(found)} {'is' if len(found) == 1 else 'are'} {how}{season if how == 'shut' else ''}"
        for how, found in groups.items()
        if found and how != "from"
    ]
    parts += [f"its attacker came from {province}" for province in groups["from"]]
    by_convoy = Reading(outcome.adjudication.values).is_convoyed(outcome.successful_moves[attacker.province])
    origin = format_choice(outcome.adjudication.situation.rulebook, "4.A.5") if by_convoy else "6.H.5"
    issues = {origin: groups["from"], "6.H.6": groups["contested"], "8.D": groups["shut"]}
    return ", and ".join(parts), tuple(issue for issue, found in issues.items() if found)
