"""Explains the verdicts of a phase: on movement orders (by the equations), retreats and adjustments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import inf

from satjudge.base.errors import InputError, NotFoundError
from satjudge.base.values import replace
from satjudge.base.words import number_of
from satjudge.explain.context import Context, find_order, make_no_order, strip_details
from satjudge.explain.explanation import Culprit, Explanation, Reason, Rule, format_choice, format_list, split_rule_numbers
from satjudge.explain.passages import explain_permission
from satjudge.explain.reasons import explain_dislodgement, explain_hold, list_decision_reasons
from satjudge.explain.words.reason_text import explain_barred_exits, make_core_account
from satjudge.judging.adjustments import AdjustmentOutcome, rank_removals
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.legality import Entry
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import RetreatOutcome
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Build, Decline, Order, Permission, Remove, Retreat
from satjudge.world.rules import Rulebook, load_rulebook, options
from satjudge.world.rules.rulebook import CivilDisorder, Language
from satjudge.world.seasons import counted_centers
from satjudge.world.verdicts import JudgedOrder, NoVerdict, OrderResult, Verdict

_SHORT = 120
"""The largest length of a reason that fits into a table or an email."""
_ISSUES = frozenset(option.issue for option in options()) - {"4.E.1"}


def why(outcome: Outcome, order: Order | str, power: Power | None = None) -> Explanation:
    """Explain the verdict on an order; a unit (`"F LON"`) means its order.

    Raises `NotFoundError` if no such order was given.
    """
    return _explain_order(Context(outcome), find_order(outcome, order, power))


def explanations(outcome: Outcome) -> list[Explanation]:
    """Explain the verdicts on all orders, in their sequence, then the fates of units dislodged without an order."""
    context = Context(outcome)
    entries = [entry for given in outcome.docket.entries.values() for entry in given]
    ordered = {entry.province for entry in entries}
    silent = (lost.unit for province, lost in outcome.dislodgements.items() if province not in ordered)
    return [_explain_order(context, entry) for entry in (*entries, *(make_no_order(unit) for unit in silent))]


def map_short_reasons(outcome: Outcome) -> dict[tuple[Power, str], str]:
    """Map each failed or cut order, by power and text, to a short reason; orders with long reasons are left out."""
    reasons_by_order = {
        (one.power, one.order): one.reasons[0].text.replace(" (itself)", "")
        for one in explanations(outcome)
        if one.reasons and one.verdict.order in (OrderResult.FAILS, OrderResult.CUT)
    }
    return {order: reason for order, reason in reasons_by_order.items() if len(reason) <= _SHORT}


def explain_phase(outcome: AnyOutcome, order: Order | str | None, rulebook: Rulebook) -> Explanation | list[Explanation]:
    """Explain the verdict on an order, or on all orders if it is None, in a phase of any kind (`Position.explain`).

    Raises `NotFoundError` for an order that was not given.
    """
    if isinstance(outcome, Outcome):
        return explanations(outcome) if order is None else why(outcome, order)
    if isinstance(outcome, RetreatOutcome):
        phase_explanations = retreat_explanations(outcome, rulebook=rulebook)
    else:
        phase_explanations = adjustment_explanations(outcome, rulebook=rulebook)
    return phase_explanations if order is None else find_explanation(phase_explanations, order, outcome.board)


def find_explanation(explanations: Sequence[Explanation], order: Order | str, board: Board) -> Explanation:
    """Return the explanation of a retreat or adjustment order, given as an order or its unit, or raise `NotFoundError`."""
    texts = {given := str(order).strip().upper()}
    for phase in (Phase.RETREAT, Phase.ADJUSTMENT):
        with suppress(InputError):
            texts.add(str(parse_order(given, board.map, phase)).upper())
    with suppress(InputError):
        texts.add(str(parse_unit(given, "", board.map)).upper())
    for one in explanations:
        if one.order.upper() in texts or one.order.upper().startswith(tuple(f"{text} " for text in texts)):
            return one
    if len(matches := [one for one in explanations if strip_details(one.order.upper()) in texts]) == 1:
        return matches[0]  # the text omits the coast
    orders = "; ".join(one.order for one in explanations) or "no orders"
    raise NotFoundError(f"there is no order {order}", suggestion=f"there {'is' if len(explanations) == 1 else 'are'} {orders}")


def _explain_order(context: Context, entry: Entry) -> Explanation:
    """Explain the verdict on one order, or the fate of a unit without an order (a hold entry)."""
    outcome, province = context.outcome, entry.province or ""
    given, lost = context.find_verdict(entry), outcome.dislodgements.get(province)
    decision = context.decisions.get(province) if entry.reason is None else None
    if entry.reason is not None:
        reasons = _explain_ignored_order(context, entry, entry.reason)
    elif isinstance(entry.order, Permission):
        reasons = [explain_permission(context, entry)]
    elif province in outcome.transformation_attackers and not lost:
        reasons = [_explain_transformation(outcome, province)]
    elif decision is None:
        reasons = [explain_hold(context, context.places[province])]
    else:
        reasons = list_decision_reasons(context, decision)
    tells = (entry.reason is None or province not in outcome.docket.orders) and entry.province is not None
    if lost and tells and not any(reason.word is lost.fate for reason in reasons):
        reasons = [*reasons, explain_dislodgement(context, context.places[province])]
    verdict = given or Verdict.from_result(OrderResult.STANDS, lost.fate if lost else None)
    text = str(entry.order) if given or province in outcome.docket.orders else f"{entry.order} (no order)"
    return Explanation.from_reasons(
        entry.power, text, verdict, tuple(reasons), make_core_account(context, decision) if decision else None
    )


def _explain_transformation(outcome: Outcome, province: ProvinceCode) -> Reason:
    """Return why a unit changes its kind or not: attacks that would cut a support prevent it."""
    if not (attackers := outcome.transformation_attackers[province]):
        return Reason.from_text("nobody else attacks it", ("5.B.2",))
    attacker_text = format_list([f"{unit} of {outcome.board.map.name_of(unit.power)}" for unit in attackers])
    culprits = (Culprit(unit.power, str(outcome.docket.orders[unit.province])) for unit in attackers)
    return Reason.from_text(f"attacked by {attacker_text}", ("5.B.2",), tuple(culprits))


def _explain_ignored_order(context: Context, entry: Entry, reason: str) -> list[Reason]:
    """Return why an order is illegal and, if other orders imply a move of its unit, that it moves anyway."""
    reasons = [
        _explain_illegal_order(reason, context.rules, *([context.format_option("4.E.1")] if entry.counts_as_move else []))
    ]
    decision = context.decisions.get(entry.province or "")
    if decision is not None and context.is_ignored(entry.province):
        reasons.append(Reason.from_text(f"the orders of its own power imply {decision}", (context.format_option("4.E.3"),)))
    return reasons


def _explain_illegal_order(reason: str, rules: Rulebook, *further_rules: Rule, because: Reason | None = None) -> Reason:
    """Make the reason why an order is illegal from its text, with the rules at the end of the text and further rules."""
    text, numbers = split_rule_numbers(reason)
    rule_texts = [format_choice(rules, number) if number in _ISSUES else number for number in numbers]
    return Reason.from_text(text, (*rule_texts, *further_rules) or ("4.E.1",), because=(because,) if because else ())


# ---- retreats ----


def retreat_explanations(
    outcome: RetreatOutcome, *, rulebook: Rulebook | None = None, movement: Outcome | None = None
) -> list[Explanation]:
    """Explain the verdict on each retreat order; the `movement` outcome, if given, shows why places are barred."""
    rules = rulebook or load_rulebook()
    explained = []
    for entry in chain.from_iterable(outcome.judged.values()):
        if entry.reason is not None:
            barred = _explain_barred_retreat(entry.order, movement)
            found = _explain_illegal_order(entry.reason, rules, *(barred.rules if barred else ()), because=barred)
        elif not isinstance(entry.order, Retreat):
            found = Reason.from_text("its power disbands it", ("6.H",))
        else:
            found = _explain_retreat(entry.order, entry.power, entry.verdict.order, outcome)
        explained.append(Explanation.from_reasons(entry.power, str(entry.order), entry.verdict, (found,)))
    return explained


def _explain_barred_retreat(order: Order, movement: Outcome | None) -> Reason | None:
    """Return why the movement phase bars a retreat; None if it is unknown or gives no reason."""
    lost = movement.dislodgements.get(order.unit.province) if movement and isinstance(order, Retreat) else None
    if lost is None or movement is None or not isinstance(order, Retreat) or lost.disbanded_by or order.railroad:
        return None
    province = province_of(order.destination)
    exits = {province_of(location) for location in movement.board.map.exits(lost.unit.kind, lost.unit.location)}
    if province not in exits:
        return Reason.from_text(f"it could not move from {lost.unit.location} to {province}", ("4.E.1",))
    text, rules = explain_barred_exits(movement, [province], lost.attacker)
    return Reason.from_text(text, rules or ("4.E.1",)) if text else None


def _explain_retreat(order: Retreat, power: Power, verdict: OrderResult | None, outcome: RetreatOutcome) -> Reason:
    province = province_of(order.destination)
    others = tuple(
        Culprit(entry.power, str(entry.order))
        for entry in chain.from_iterable(outcome.judged.values())
        if isinstance(entry.order, Retreat) and province_of(entry.order.destination) == province
        if entry.reason is None and (entry.power, entry.order) != (power, order)
    )
    if not others:
        return Reason.from_text(f"{province} is open to it, and no other unit retreats there", ("6.H.7",))
    to = f"{format_list(map(str, others))} {'goes' if len(others) == 1 else 'go'} to {province} too"
    game_map = outcome.board.map
    kind, cited = ("a difficult border", ("6.H.7", "10.K")) if game_map.difficult else ("a border at half strength", ("6.H.7",))
    if verdict is OrderResult.SUCCEEDS:
        return Reason.from_text(f"{to}, over {kind}, where units yield to any other", cited)
    if game_map.hinders(order.unit.kind or UnitKind.ARMY, order.unit.province, province):
        return Reason.from_text(f"it comes over {kind}, and {to}", cited, others)
    return Reason.from_text(f"{to}, and all are disbanded", ("6.H.7",), others)


# ---- adjustments ----


def adjustment_explanations(outcome: AdjustmentOutcome, *, rulebook: Rulebook | None = None) -> list[Explanation]:
    """Explain the verdicts on all builds, removals and declined builds, and then all removals by civil disorder."""
    rules = rulebook or load_rulebook()
    explained = [
        Explanation.from_reasons(
            entry.power, str(entry.order), entry.verdict, (_explain_adjustment(entry, outcome.board, rules),)
        )
        for entry in chain.from_iterable(outcome.judged.values())
    ]
    for power, units in outcome.automatic.items():
        short = _explain_missing_removals(outcome, power, rules)
        for unit, first in zip(units, _explain_removals(outcome, power, rules), strict=True):
            reason = replace(short, because=(first,))
            explained.append(Explanation.from_reasons(power, f"{unit} D (civil disorder)", NoVerdict.REMOVED, (reason,)))
    return explained


def _explain_missing_removals(outcome: AdjustmentOutcome, power: Power, rules: Rulebook) -> Reason:
    """Return why a power loses units in civil disorder: it ordered fewer removals than it owes, or so many that none counts."""
    (account, *_), disorder = _describe_account(outcome.board, power), format_choice(rules, "4.D.8")
    removals = [entry.reason for entry in outcome.judged.get(power, ()) if isinstance(entry.order, Remove)]
    if any(reason and "4.D.6" in reason for reason in removals):
        text = f"{account}; more removals are ordered than are due, so none counts"
        return Reason.from_text(text, (disorder, format_choice(rules, "4.D.6")))
    legal = removals.count(None)
    number = f"only {number_of(legal, 'removal')}" if legal else "no removal"
    verb, how = "is" if legal < 2 else "are", "legally ordered" if removals else "ordered"
    return Reason.from_text(f"{account}, and {number} {verb} {how}", (disorder,))


def _explain_removals(outcome: AdjustmentOutcome, power: Power, rules: Rulebook) -> Iterator[Reason]:
    """Yield, for each unit removed in civil disorder, why it was removed before those that stay (4.D.8)."""
    removals = outcome.automatic[power]
    removed = [unit for unit in outcome.board.units if unit not in (*outcome.units, *removals)]
    ranked = rank_removals(outcome.board, power, rules, already_removed=removed)
    of_power = f"of {outcome.board.map.name_of(power)}"
    where = "centre" if outcome.board.map.builds_anywhere else "home centre"
    chapter = _cite_chapter(outcome.board.map, "11.A", "12.D")
    home = {
        CivilDisorder.OWNED_CENTERS: f"the nearest centre {of_power}",
        CivilDisorder.HOME_COUNTRY: f"the country {of_power}",
    }.get(rules.civil_disorder, f"the nearest {where} {of_power}")
    for unit, far in ranked[: len(removals)]:
        away = f"{unit} is {number_of(int(far), 'step')} from {home}" if far < inf else f"no way leads from {unit} to {home}"
        yield Reason.from_text(
            f"{away}, {_format_precedence(outcome, (unit, far), ranked[len(removals) :], rules)}",
            (format_choice(rules, "4.D.8"), *chapter),
        )


def _format_precedence(
    outcome: AdjustmentOutcome, removed: tuple[Unit, float], staying: list[tuple[Unit, float]], rules: Rulebook
) -> str:
    """Return a clause on why a unit is removed before the first one that stays: distance from home, kind or alphabet."""
    if not staying:
        return "and none of the units stays"
    (unit, far), (other, nearer) = removed, staying[0]
    if far > nearer:
        return f"{'farther than' if far < inf else 'but from'} {other} ({number_of(int(nearer), 'step')}), which stays"
    equal = f"{'as far as' if far < inf else 'nor from'} {other}, which stays"
    if unit.kind is not other.kind:
        return f"{equal}: a fleet goes before an army"
    english, language = rules.alphabet_language is Language.ENGLISH, rules.alphabet_language
    names = {code: place.name for code, place in outcome.board.map.provinces.items()}
    if not english:
        names = dict(outcome.board.map.foreign_names[language])
    where = "" if english else f", by their {language.capitalize()} names (4.D.8.language)"
    return f"{equal}: {names[unit.province]} comes before {names[other.province]} in the alphabet{where}"


def _explain_adjustment(entry: JudgedOrder, board: Board, rules: Rulebook) -> Reason:
    order = entry.order
    account, *counting = _describe_account(board, entry.power)
    if entry.reason is not None:
        because = Reason.from_text(account, tuple(counting)) if counting else None
        barred = ["12.C" if "6.I.6" in entry.reason else "12.A"] if "6.I.6" in entry.reason or "6.I.5" in entry.reason else []
        return _explain_illegal_order(
            entry.reason, rules, *(_cite_chapter(board.map, "", barred[0]) if barred else ()), because=because
        )
    match order:
        case Build():
            home = "a centre" if board.map.builds_anywhere else "a home centre"
            of_map = _cite_chapter(board.map, "11", "12.B")
            return Reason.from_text(
                f"{account}, and {order.unit.province} is {home} that it owns, and empty", ("6.I", *counting, *of_map)
            )
        case Decline():
            return Reason.from_text(f"{account}, and a build may be declined", (format_choice(rules, "4.D.7"), *counting))
        case Remove():
            return Reason.from_text(f"{account}, and {order.unit} is one of its units", ("6.J", *counting))
    raise AssertionError(f"{order} is not an adjustment")


def _cite_chapter(game_map: Map, anywhere_rule: Rule, separate_rule: Rule) -> tuple[Rule, ...]:
    """Return the rule for building anywhere, or for homes that are not first centres, whichever applies to the map; else ()."""
    if game_map.builds_anywhere:
        return (anywhere_rule,) if anywhere_rule else ()
    homes = ((code, province.home) for code, province in game_map.provinces.items() if code in game_map.centers)
    return (separate_rule,) if any(home and game_map.owners.get(code) != home for code, home in homes) else ()


def _describe_account(board: Board, power: Power) -> tuple[str, *tuple[Rule, ...]]:
    """Return a clause with the numbers of a power's centres and units, then the rule if some centre does not count."""
    owned, centers = Counter(board.centers.values())[power], counted_centers(board, power)
    units = Counter(unit.power for unit in board.units)[power]
    own = [board.map.provinces[code] for code, owner in board.centers.items() if owner == power]
    lost = format_list(province.name for province in own if power in province.not_counted)
    uncounted_text = f" that count (not {lost})" if centers < owned else ""
    text = f"{board.map.name_of(power)} has {number_of(centers, 'centre')}{uncounted_text} and {number_of(units, 'unit')}"
    return (text, "7.A.1") if uncounted_text else (text,)
