"""Explains the value of a decision by its equation: what a move overcomes, what cuts a support, what disrupts a convoy.

A move fails because its support is cut, a support is cut because its unit is dislodged, and a unit is dislodged by a move, so a
reason may depend on any other reason. All facts and numbers come from the equations of the resolution
(`satjudge.judging.equations.proof`). This module chooses the relevant facts, the words and the rule.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice

from satjudge.explain.context import Context
from satjudge.explain.explanation import (
    HALF_STRENGTH,
    Draft,
    Reason,
    Rule,
    format_list,
    format_unit,
    make_culprit,
    prefix_reason,
    remove_culprits,
)
from satjudge.explain.passages import (
    explain_canal_move,
    explain_journey,
    explain_no_passage,
    explain_trains,
    find_train,
    iter_train_rulings,
)
from satjudge.explain.words.reason_text import (
    RANK,
    choose_exceeding_word,
    explain_no_retreat,
    find_move,
    format_opposition,
    format_strength,
    get_sides,
    is_halved_alone,
    is_hindered,
    make_ruling_reason,
    make_strength,
)
from satjudge.judging.backup import CIRCULAR
from satjudge.judging.equations import statement
from satjudge.judging.equations.proof import Amount, Comparison, Term, find_comparisons
from satjudge.judging.equations.situation import (
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    Place,
    Stage,
    SupportDecision,
)
from satjudge.world.geography import province_of
from satjudge.world.orders import SupportMove
from satjudge.world.rules.rulebook import ConvoyPaths, MultiRoute, ParadoxRule
from satjudge.world.verdicts import OrderResult

MOST_COUNTED = 100
"""The largest number of a convoy's routes that are counted."""


def list_decision_reasons(context: Context, decision: Decision) -> list[Reason]:
    """Return the reasons for a decision's value: its equation, a backup rule, or both."""
    train = find_train(decision)
    if train:
        return [explain_by_equation(context, decision), *iter_train_rulings(context, train)]
    core = context.cores.get(decision.index)
    ruling = core.ruling if core is not None else None
    if ruling is None:
        return [explain_by_equation(context, decision)]
    if decision.index not in ruling.settled:
        return [explain_by_equation(context, decision), make_ruling_reason(context, decision)]
    agrees = statement.decision(context.proof, decision).value is context.values[decision.index]
    numbers = [explain_by_equation(context, decision)] if agrees and ruling.rule == CIRCULAR else []
    return [make_ruling_reason(context, decision), *numbers]


def explain_by_equation(context: Context, decision: Decision) -> Reason:
    """Return the reason for a decision's value according to its equation."""
    value = context.values[decision.index]
    if isinstance(decision, MoveDecision):
        return _explain_successful_move(context, decision) if value else _explain_failed_move(context, decision)
    if isinstance(decision, SupportDecision):
        return _explain_given_support(context, decision) if value else _explain_failed_support(context, decision)
    if isinstance(decision, PassDecision):
        return _explain_journey(context, decision)
    assert isinstance(decision, ConvoyDecision)
    return _explain_convoy(context, decision)


def _explain_journey(context: Context, passing: PassDecision) -> Reason:
    """Return how far an army came by railroad, and why supports that could have brought it farther do not count."""
    text, draft, short = explain_journey(context, passing.stage.train)
    if short is not None:
        draft.nested += _list_uncounted_supports(context, short, 1)
    return draft.make_reason(text, *([] if draft.rules else ["7.B"]))


# ---- moves ----


def _explain_successful_move(context: Context, move: MoveDecision) -> Reason:
    """Return which strengths a successful move exceeds."""
    draft = Draft()
    overcome: dict[tuple[object, int, str], list[str]] = {}
    for stated in find_comparisons(statement.move(context.proof, move)):
        found = _orient_comparison(stated, move)
        one, _ = get_sides(found)
        number = make_strength(one)
        if number not in draft.strengths:
            draft.strengths.append(number)
        entries = overcome.setdefault((one.term, one.value, choose_exceeding_word(*get_sides(found))), [format_strength(one)])
        opposed = format_opposition(context, found, draft)
        entries.append(f"{opposed}, which arrives at half strength" if found is not stated else opposed)
        draft.rules += [HALF_STRENGTH] if found is not stated else []
        draft.rules += ["10"] if is_hindered(one) else []
    text = "; ".join(f"{own} {verb} {format_list(others)}" for (*_, verb), (own, *others) in overcome.items())
    draft.culprits.clear()
    if len({term for term, *_ in overcome}) > 1:
        draft.rules.append(context.format_option("5.B.8"))
    how = _format_way(context, move, draft)
    return draft.make_reason(f"it goes {how}, and {text}" if how else text, "5.B.1")


def _orient_comparison(comparison: Comparison, move: MoveDecision) -> Comparison:
    """Return a comparison with its sides swapped if necessary, so that the strength of this move comes first."""
    one, other = get_sides(comparison)
    return comparison if one.about is move else replace(comparison, one=other, other=one)


def _explain_failed_move(context: Context, move: MoveDecision) -> Reason:
    """Return why a move fails: it does not arrive, or its strength does not exceed another."""
    if move.index in context.overridden:
        return make_ruling_reason(context, move, briefly=True)
    if not context.proof.path(move).value:
        return _explain_no_path(context, move)
    decisive = _find_decisive_comparison(context, move)
    one, other = get_sides(decisive)
    draft = Draft(strengths=[make_strength(one)])
    own = format_strength(one)
    draft.rules += ["10"] if is_hindered(one) else []
    if not one.value:
        own += f" (its own power's {move.destination.unit} does not leave)"
        draft.rules += ["5.B.8", "6.D.10"]
    text = f"{own} does not exceed {format_opposition(context, decisive, draft)}"
    if isinstance(rival := other.about, MoveDecision) and one.value == other.value and is_halved_alone(context, move, rival):
        text += ", and it arrives at half strength"
        draft.rules.append(HALF_STRENGTH)
    given = {support for support in move.supports if context.values[support.index]}
    if one.term is Term.DEFEND or (other.term is Term.PREVENT and set(one.supports) != given):
        draft.rules.append(context.format_option("5.B.8"))
    draft.nested += _list_uncounted_supports(context, one, other.value - one.value + 1)
    how = _format_way(context, move, draft)
    return draft.make_reason(f"it goes {how}, but {text}" if how else text, "5.B.1")


def _find_decisive_comparison(context: Context, move: MoveDecision) -> Comparison:
    """Return the comparison that best explains why a move fails, preferably one that was settled before the move.

    The comparison explains why the move has no attack strength, or otherwise names the strongest opposition to it.
    """

    def weight(comparison: Comparison) -> tuple[bool, bool, int, int]:
        one, other = get_sides(comparison)
        powerless = one.value == 0 and other.term is not Term.PREVENT
        return not context.is_grounded(comparison, move), not powerless, one.value - other.value, RANK[other.term]

    found = chain.from_iterable(map(find_comparisons, statement.move(context.proof, move).parts))
    return min((part for part in found if get_sides(part)[0].about is move), key=weight)


def _format_way(context: Context, move: MoveDecision, draft: Draft) -> str:
    """Return by what way a move goes (`by the convoy of …`, `by land`), or "" if that is obvious; add rules to the draft."""
    if move.by_canal and move.canals:
        text, rule = explain_canal_move(context, move)
        draft.rules.append(rule)
        return text
    if not move.might_be_convoyed:
        return ""
    if move.difficult:
        draft.rules.append("10.M")
    if move.by_land:
        draft.rules += _cite_land_or_sea(context)
    if not context.proof.is_convoyed(move).value:
        return "by land"
    route = next(move.iter_routes(context.values), ())
    if move.count_routes(1) > 1:
        draft.rules.append(context.format_option("4.A.1"))
    return f"by the convoy of {format_list(format_unit(c) for c in route)}" if route else ""


def _cite_land_or_sea(context: Context) -> list[Rule]:
    return [context.format_option("4.A.3"), context.format_option("4.A.3.fallback")]


def _explain_no_path(context: Context, move: MoveDecision) -> Reason:
    """Return why a move does not arrive: its canal is shut, or its convoy is missing or disrupted."""
    if move.by_canal:
        return explain_no_passage(context, move)
    rules = _cite_land_or_sea(context) if move.by_land else []
    if move.order.route or move.rules.convoy_paths is ConvoyPaths.REQUIRED:
        rules.append(context.format_option("4.A.6"))
    if not move.has_route:
        ordered = format_list(format_unit(convoy) for convoy in move.convoys)
        only = f" (only {ordered} {'is' if len(move.convoys) == 1 else 'are'})" if ordered else ""
        text = f"it goes by convoy, but no complete chain of fleets is ordered to convoy it{only}"
        return Reason.from_text(text, ("4.E.2", *rules))
    routes = _count_routes(move)
    if routes > 1:
        rules.insert(0, context.format_option("4.A.1"))
    broken = sorted(context.proof.path(move).decisions(context.find_latest_step), key=lambda decision: decision.index)
    draft = Draft(rules, [make_culprit(decision) for decision in broken])
    convoys = (decision for decision in broken if isinstance(decision, ConvoyDecision))
    draft.nested = [prefix_reason(_explain_convoy(context, convoy), f"{format_unit(convoy)} is") for convoy in convoys]
    fleets = format_list(format_unit(decision) for decision in broken)
    quantifier = "each" if move.rules.multi_route is MultiRoute.ALL else "at least one"
    number = routes if routes <= MOST_COUNTED else f"more than {MOST_COUNTED}"
    several = f"its convoy could go by {number} routes, and {quantifier} of them is"
    return draft.make_reason(f"{'its convoy is' if routes == 1 else several} disrupted at {fleets}", "5.B.4")


def _count_routes(move: MoveDecision) -> int:
    """Return the number of a convoy's routes, up to 101, without those that use all fleets of another, if several remain."""
    routes = {frozenset(route) for route in islice(move.iter_routes(), MOST_COUNTED + 1)}
    if len(routes) > MOST_COUNTED:
        return len(routes)
    direct = sum(not any(other < route for other in routes) for route in routes)
    return direct if direct > 1 else len(routes)


def _list_uncounted_supports(context: Context, amount: Amount, short: int) -> list[Reason]:
    """Return why supports do not count in a strength above 0: given ones, and others if they could make up what it is `short`.

    Supports that succeed are always explained (6.E.12); others, only if together they could have made up the shortage.
    """
    about = amount.about
    ordered = (
        about.hold_supports
        if isinstance(about, Place)
        else about.supports
        if isinstance(about, Stage)
        else find_move(amount).supports
    )
    missing = [s for s in ordered if s not in amount.supports and statement.is_matched(context.proof, s).value]
    if not amount.value:
        return []
    return [_explain_uncounted_support(context, s, amount) for s in missing if context.values[s.index] or len(missing) >= short]


def _explain_uncounted_support(context: Context, support: SupportDecision, amount: Amount) -> Reason:
    """Return why a support does not count: it is cut, or would help to dislodge a unit of its own power."""
    if not context.values[support.index]:
        reason = explain_by_equation(context, support)
        subject = f"the support of {format_unit(support)}" if reason.word is OrderResult.CUT else format_unit(support)
        return prefix_reason(reason, f"{subject} is")
    unit = find_move(amount).destination.unit
    power_name = context.get_power_name(support.power)
    text = f"the support of {format_unit(support)} does not count: {power_name} does not help to dislodge its own {unit}"
    return Reason.from_text(text, ("5.B.8", "6.D.12"), (make_culprit(support),))


# ---- supports ----


def _explain_given_support(context: Context, support: SupportDecision) -> Reason:
    """Return why nothing cuts a support."""
    trains, rules = explain_trains(context, support.place, supporting=True)
    if not support.place.moves_in:
        return Reason.from_text(trains or f"nobody moves to {support.place}", ("5.B.2", *rules))
    draft = Draft(
        [*rules], nested=[remove_culprits(_explain_harmless_move(context, move, support)) for move in support.place.moves_in]
    )
    return draft.make_reason("; ".join(filter(None, [f"no move to {support.place} cuts it", trains])), "5.B.2")


def _explain_harmless_move(context: Context, move: MoveDecision, support: SupportDecision) -> Reason:
    """Return why a move to the supporting unit's province does not cut the support."""
    path = context.proof.path(move)
    protected = not statement.is_unprotected(context.proof, move, support).value
    otherwise = protected or move.power == support.power or move.origin is support.directed_at
    if not path.value and (context.is_grounded(path, support) or not otherwise):
        return prefix_reason(_explain_no_path(context, move), f"{move} does not arrive:")
    if protected:
        return _explain_protection(context, move, support)
    if move.power == support.power:
        text, rules = f"{move} belongs to the same power", ["5.B.2"]
    elif move.origin is support.directed_at:
        text, rules = f"{move} comes from the province that the support is directed at", ["5.B.2", "6.D.15"]
        if move.might_be_convoyed:
            rules.append(context.format_option("4.A.4.5"))
    elif move.halved and not statement.has_full_strength(context.proof, move).value:
        text, rules = f"{move} crosses a border at half strength", ["5.B.2", HALF_STRENGTH]
    elif move.difficult and not statement.avoids_difficult_border(context.proof, move).value:
        text, rules = f"{move} crosses a difficult border, and no support for it counts", ["5.B.2", "10.A"]
        if any(context.values[other.index] for other in move.supports):
            rules.append("10.O")
    else:
        text, rules = f"{move} attacks from its last fleet, where the support is directed", [context.format_option("4.A.4.2")]
    return prefix_reason(explain_by_equation(context, move), f"{text}, and it fails:", *rules)


def _explain_protection(context: Context, move: MoveDecision, support: SupportDecision) -> Reason:
    """Return why a paradox rule prevents a convoyed army from cutting a support (6.F.17)."""
    rules, sea = [context.format_option("4.A.2")], support.directed_at
    if move.rules.paradox is ParadoxRule.RULE_1982:
        rules.append(context.format_option("4.A.2.1982"))
        fleets = format_list(format_unit(c) for c in sea.convoys if statement.is_convoying_fleet(context.proof, c).value)
        why = f"it is for an action in {sea}, where {fleets} is a convoying fleet"
    elif move.rules.paradox is ParadoxRule.RULE_2000:
        why = f"it is for an attack on {sea.unit}, which is necessary for the convoy"
    else:
        why = f"it is for an attack on {sea.unit}, which is ordered to convoy the army"
    if context.values[move.index]:
        rules.append("6.F.17")
        why += f"; this is true although the army dislodges {support.place.unit}"
    return Reason.from_text(f"{move} goes by convoy and cannot cut this support: {why}", tuple(rules))


def _explain_failed_support(context: Context, support: SupportDecision) -> Reason:
    """Return why a support fails: it does not match the supported order, or it is cut."""
    if not statement.is_matched(context.proof, support).value:
        return _explain_unmatched_support(context, support)
    if support.index in context.overridden:
        return make_ruling_reason(context, support, briefly=True)
    attacks = [move for move in support.place.moves_in if move.power != support.power]
    cuts = {move: fact for move in attacks if (fact := statement.cuts(context.proof, move, support)).value}
    # The attack that cuts it whether or not it succeeds, preferably one that was settled earlier.
    cutting = min(cuts, key=lambda move: not context.is_grounded(cuts[move], support), default=None)
    dislodging = (statement.dislodges(context.proof, move, support) for move in support.place.moves_in)
    driven = next((fact for fact in dislodging if fact.value), None)
    if cutting is None or (driven is not None and context.is_grounded(driven, support)):
        return explain_dislodgement(context, support.place, "5.B.2")
    rules = ["5.B.2", *([context.format_option("4.A.4.5")] if cutting.origin is support.directed_at else [])]
    draft = Draft(rules, [make_culprit(cutting)])
    how = _format_way(context, cutting, draft)
    if cutting.difficult and not statement.avoids_difficult_border(context.proof, cutting).value:
        given = format_list(format_unit(s) for s in cutting.supports if context.values[s.index])
        how = f"over a difficult border with the support of {given}"
        draft.rules.append("10.B")
    comes = f", which comes {how}" if how else ""
    return draft.make_reason(f"{OrderResult.CUT} by {cutting} of {context.get_power_name(cutting.power)}{comes}")


def _explain_unmatched_support(context: Context, support: SupportDecision) -> Reason:
    """Return how the supported unit's order differs from the one that the support names."""
    place = support.supported
    unit, does = place.unit, context.format_action(place)
    blamed = (context.blame_unit(place, unit),) if unit else ()
    if not isinstance(support.order, SupportMove):
        if place.moves_out or place.trains_out:
            return Reason.from_text(f"{unit} cannot be supported in place: {does}", ("4.E.2", "6.D.7"), blamed)
        issue = "4.E.1" if any(entry.counts_as_move for entry in context.list_entries(place.province)) else "4.D.9"
        return Reason.from_text(f"{unit} cannot be supported in place: {does}", ("4.E.2", context.format_option(issue)), blamed)
    rules = ["4.E.2"]
    destination = support.order.destination
    if any(move.destination is support.directed_at for move in place.moves_out):
        rules.append(context.format_option("4.B.4"))
    if any(stage.place is support.directed_at for train in place.trains_out for stage in train.stages):
        rules.append("7.B.15")
    return Reason.from_text(f"{unit} was not ordered to move to {destination}: {does}", tuple(rules), blamed)


# ---- convoys ----


def _explain_convoy(context: Context, convoy: ConvoyDecision) -> Reason:
    """Return how the army's order differs, why the fleet is not dislodged or by whom it is, or which rule stops the convoy."""
    if not convoy.matches:
        return _explain_unmatched_convoy(context, convoy)
    if context.values[convoy.index]:
        return _explain_survival(context, convoy.place, "5.B.3")
    if convoy.index in context.overridden:
        return make_ruling_reason(context, convoy, briefly=True)
    if convoy.place.province in context.outcome.dislodgements:
        return explain_dislodgement(context, convoy.place, "5.B.3", *_cite_coast_rules(context, convoy))
    raise AssertionError(f"{convoy} is neither dislodged nor ruled upon")


def _cite_coast_rules(context: Context, convoy: ConvoyDecision) -> tuple[Rule, ...]:
    """Return the rule by which an attack on a fleet in a coast disrupts its convoy (9.C or 9.D); () for a fleet at sea."""
    if convoy.place.province in context.outcome.board.map.seas:
        return ()
    attacker = context.outcome.successful_moves[context.outcome.dislodgements[convoy.place.province].attacker.province]
    return ("9.D" if context.proof.is_convoyed(attacker).value else "9.C",)


def _explain_unmatched_convoy(context: Context, convoy: ConvoyDecision) -> Reason:
    """Return how the army's order differs from the one that the convoy order names."""
    army = context.places[convoy.order.convoyed.province]
    rules = ["4.E.2"]
    text = f"{army.unit} was not ordered to move to {convoy.order.destination}: {context.format_action(army)}"
    destination = province_of(convoy.order.destination)
    if any(move.destination.province == destination for move in army.moves_out):
        text = f"{army.moves_out[0]} does not say that it goes by convoy"
        rules.append(context.format_option("4.A.3"))
    return Reason.from_text(text, tuple(rules), (context.blame_unit(army, army.unit),) if army.unit else ())


# ---- units that stay, or are dislodged ----


def explain_hold(context: Context, place: Place) -> Reason:
    """Return why a unit that holds is dislodged or not."""
    return (
        explain_dislodgement(context, place)
        if place.province in context.outcome.dislodgements
        else _explain_survival(context, place, "5.B.1")
    )


def _explain_survival(context: Context, place: Place, rule: Rule) -> Reason:
    """Return why no move dislodges the unit in a place."""
    trains, rules = explain_trains(context, place)
    if not place.moves_in:
        return Reason.from_text(trains or f"nobody moves to {place}", (rule, *rules))
    draft = Draft(
        [*rules],
        nested=[
            remove_culprits(prefix_reason(explain_by_equation(context, move), f"{move} fails:")) for move in place.moves_in
        ],
    )
    return draft.make_reason("; ".join(filter(None, [f"no move to {place} succeeds", trains])), rule)


def explain_dislodgement(context: Context, place: Place, *rules: Rule) -> Reason:
    """Return which move dislodges the unit in a place, with which strength; the given rules come first."""
    lost = context.outcome.dislodgements[place.province]
    attacker = context.outcome.successful_moves[lost.attacker.province]
    draft = Draft(culprits=[make_culprit(attacker)])
    text = f"{lost.fate} by {attacker} of {context.get_power_name(attacker.power)}"
    overcome = _find_unit_comparison(context, attacker, place)
    if overcome is not None:
        one, other = get_sides(overcome)
        text += f", whose {format_strength(one)} exceeds {format_opposition(context, overcome, draft)}"
        draft.strengths.insert(0, make_strength(one))
        draft.culprits = [make_culprit(attacker), *map(make_culprit, one.supports)]  # without those opposing it
        draft.nested += _list_uncounted_supports(context, other, one.value - other.value)
    if not lost.retreats:
        draft.nested.append(explain_no_retreat(context.outcome, place))
    return draft.make_reason(text, *rules, "5.B.1")


def _find_unit_comparison(context: Context, attacker: MoveDecision, place: Place) -> Comparison | None:
    """Return the comparison of an attack with the strength of the unit in a place; None if there is none."""

    def is_of_unit(amount: Amount) -> bool:
        """Return whether a strength belongs to the unit in the place: its HOLD, or the DEFEND of its move."""
        return amount.about is place or (
            amount.term is Term.DEFEND and isinstance(amount.about, MoveDecision | Stage) and amount.about.origin is place
        )

    found = [c for c in find_comparisons(statement.move(context.proof, attacker)) if is_of_unit(get_sides(c)[1])]
    return min(found, key=lambda comparison: RANK[get_sides(comparison)[1].term], default=None)
