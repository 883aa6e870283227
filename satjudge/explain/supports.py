"""Supports: why one is given, what cuts it, and what it does not match."""

from __future__ import annotations

from satjudge.equations import statement
from satjudge.equations.situation import MoveDecision, SupportDecision
from satjudge.explain.context import Context
from satjudge.explain.moves import no_path, way
from satjudge.explain.parts import Draft, Reason, culprit, listed, retold, unblamed, unit_of
from satjudge.explain.rulings import ruled
from satjudge.explain.standing import dislodged
from satjudge.orders import SupportMove
from satjudge.rules import ParadoxRule


def support_given(context: Context, support: SupportDecision) -> Reason:
    """Why nothing cuts a support."""
    if not support.place.moves_in:
        return Reason(f"nobody moves to {support.place}", ("5.B.2",))
    draft = Draft(nested=[unblamed(_harmless(context, move, support)) for move in support.place.moves_in])
    return draft.reason(f"no move to {support.place} cuts it", "5.B.2")


def _harmless(context: Context, move: MoveDecision, support: SupportDecision) -> Reason:
    """Why a move to the supporting unit does not cut its support."""
    path = context.proof.path(move)
    protected = not statement.unprotected(context.proof, move, support).value
    otherwise = protected or move.power == support.power or move.origin is support.directed_at
    if not path.value and (context.grounded(path, support) or not otherwise):
        reason = no_path(context, move)
        return retold(reason, f"{move} does not arrive: {reason.text}")
    if protected:
        return _protected(context, move, support)
    if move.power == support.power:
        text, rules = f"{move} is of the same power", ["5.B.2"]
    elif move.origin is support.directed_at:
        text, rules = f"{move} comes from where the support is directed", ["5.B.2", "6.D.15"]
        if move.might_be_convoyed:
            rules.append(context.option("4.A.4.5"))
    else:
        text, rules = f"{move} attacks from its last fleet, where the support is directed", [context.option("4.A.4.2")]
    reason = context.cause(move)
    return retold(reason, f"{text}, and it fails: {reason.text}", *rules)


def _protected(context: Context, move: MoveDecision, support: SupportDecision) -> Reason:
    """Which paradox rule keeps a convoyed army from cutting a support, and by which fleet; even if it dislodges it (6.F.17)."""
    rules, sea = [context.option("4.A.2")], support.directed_at
    if move.rules.paradox is ParadoxRule.RULE_1982:
        rules.append(context.option("4.A.2.1982"))
        fleets = listed(unit_of(c) for c in sea.convoys if statement.convoying(context.proof, c).value)
        why = f"it is for an action in {sea}, where {fleets} is a convoying fleet"
    elif move.rules.paradox is ParadoxRule.RULE_2000:
        why = f"it is for an attack on {sea.unit}, which is necessary for the convoy"
    else:
        why = f"it is for an attack on {sea.unit}, which is ordered to convoy the army"
    if context.values[move.index]:
        rules.append("6.F.17")
        why += f"; this holds though the army dislodges {support.place.unit}"
    return Reason(f"{move} goes by convoy and cannot cut this support: {why}", tuple(rules))


def support_failure(context: Context, support: SupportDecision) -> Reason:
    """What a support does not match, or who cuts it."""
    if not statement.matched(context.proof, support).value:
        return _unmatched(context, support)
    if support.index in context.overridden:
        return ruled(context, support, briefly=True)
    cutting = _cutting(context, support)
    dislodging = (statement.dislodges(context.proof, move, support) for move in support.place.moves_in)
    driven = next((fact for fact in dislodging if fact.value), None)
    if cutting is None or (driven is not None and context.grounded(driven, support)):
        return dislodged(context, support.place, "5.B.2")
    return _cut(context, cutting, support)


def _cutting(context: Context, support: SupportDecision) -> MoveDecision | None:
    """A move that cuts a support whether or not it succeeds; one that arrives by what was settled before, if there is any."""
    attacks = [move for move in support.place.moves_in if move.power != support.power]
    cuts = {move: fact for move in attacks if (fact := statement.cuts(context.proof, move, support)).value}
    return min(cuts, key=lambda move: not context.grounded(cuts[move], support), default=None)


def _cut(context: Context, move: MoveDecision, support: SupportDecision) -> Reason:
    rules = ["5.B.2"]
    if move.origin is support.directed_at:
        rules.append(context.option("4.A.4.5"))
    draft = Draft(rules, [culprit(move)])
    how = way(context, move, draft)
    arrives = f", which arrives {how}" if how else ""
    return draft.reason(f"cut by {move} of {context.power(move.power)}{arrives}")


def _unmatched(context: Context, support: SupportDecision) -> Reason:
    """What the supported unit does instead of what the support says."""
    place = support.supported
    unit, does = place.unit, context.does(place)
    blamed = (context.stander(place, unit),) if unit else ()
    if not isinstance(support.order, SupportMove):
        if place.moves_out:
            return Reason(f"{unit} cannot be supported in place: {does}", ("4.E.2", "6.D.7"), blamed)
        issue = "4.E.1" if any(entry.counts_as_move for entry in context.entries(place.province)) else "4.D.9"
        return Reason(f"{unit} cannot be supported in place: {does}", ("4.E.2", context.option(issue)), blamed)
    rules = ["4.E.2"]
    destination = support.order.destination
    if any(move.destination is support.directed_at for move in place.moves_out):
        rules.append(context.option("4.B.4"))
    return Reason(f"{unit} was not ordered to move to {destination}: {does}", tuple(rules), blamed)
