"""Moves: what one that succeeds overcomes, what one that fails does not, and by which way it goes or does not arrive."""

from __future__ import annotations

from satjudge.equations import statement
from satjudge.equations.proof import Comparison, Term, comparisons
from satjudge.equations.situation import ConvoyDecision, MoveDecision
from satjudge.explain.context import Context
from satjudge.explain.parts import Draft, Reason, Rule, culprit, listed, retold, unit_of
from satjudge.explain.rulings import ruled
from satjudge.explain.strengths import RANK, opposition, sides, spelt, strength, uncounted
from satjudge.rules import ConvoyPaths, MultiRoute


def move_success(context: Context, move: MoveDecision) -> Reason:
    """What a successful move overcame."""
    draft = Draft()
    overcome: dict[tuple[object, int], list[str]] = {}
    for found in comparisons(statement.move(context.proof, move)):
        one, _ = sides(found)
        number = strength(one)
        if number not in draft.strengths:
            draft.strengths.append(number)
        told = overcome.setdefault((one.term, one.value), [spelt(one)])
        told.append(opposition(context, found, draft))
    text = "; ".join(f"{own} exceeds {listed(others)}" for own, *others in overcome.values())
    draft.culprits.clear()
    if len(overcome) > 1:
        draft.rules.append(context.option("5.B.8"))
    how = way(context, move, draft)
    return draft.reason(f"it goes {how}, and {text}" if how else text, "5.B.1")


def move_failure(context: Context, move: MoveDecision) -> Reason:
    """What a move that fails does not overcome."""
    if move.index in context.overridden:
        return ruled(context, move, briefly=True)
    if not context.proof.path(move).value:
        return no_path(context, move)
    decisive = _decisive(context, move)
    one, other = sides(decisive)
    draft = Draft(strengths=[strength(one)])
    own = spelt(one)
    if not one.value:
        own += f" (its own power's {move.destination.unit} does not leave)"
        draft.rules += ["5.B.8", "6.D.10"]
    text = f"{own} does not exceed {opposition(context, decisive, draft)}"
    given = {support for support in move.supports if context.values[support.index]}
    if one.term is Term.DEFEND or (other.term is Term.PREVENT and set(one.supports) != given):
        draft.rules.append(context.option("5.B.8"))
    draft.nested += uncounted(context, one, other.value - one.value + 1)
    how = way(context, move, draft)
    return draft.reason(f"it goes {how}, but {text}" if how else text, "5.B.1")


def _decisive(context: Context, move: MoveDecision) -> Comparison:
    """The comparison to tell of those in which a move fails: one that was settled before it, and that matters most."""
    found = (part for parts in statement.move(context.proof, move).parts for part in comparisons(parts))
    return min(found, key=lambda comparison: (not context.grounded(comparison, move), *_weight(comparison)))


def _weight(comparison: Comparison) -> tuple[bool, int, int]:
    """What matters most: why a move has no attack, else what opposes it most."""
    one, other = sides(comparison)
    powerless = one.value == 0 and other.term is not Term.PREVENT
    return not powerless, one.value - other.value, RANK[other.term]


def way(context: Context, move: MoveDecision, draft: Draft) -> str:
    """How the move goes, where that is not plain; the rules go into the draft."""
    if not move.might_be_convoyed:
        return ""
    if move.by_land:
        draft.rules += _land_or_sea(context)
    if not context.proof.convoyed(move).value:
        return "by land"
    route = next((route for route in move.routes if all(context.values[c.index] for c in route)), ())
    if len(move.routes) > 1:
        draft.rules.append(context.option("4.A.1"))
    return f"by the convoy of {listed(unit_of(c) for c in route)}" if route else ""


def _land_or_sea(context: Context) -> list[Rule]:
    return [context.option("4.A.3"), context.option("4.A.3.fallback")]


def no_path(context: Context, move: MoveDecision) -> Reason:
    """Why a convoyed move does not arrive: no convoy was ordered, or it is disrupted."""
    rules = _land_or_sea(context) if move.by_land else []
    if move.order.route or move.rules.convoy_paths is ConvoyPaths.REQUIRED:
        rules.append(context.option("4.A.6"))
    if not move.routes:
        ordered = listed(unit_of(convoy) for convoy in move.convoys)
        only = f" (only {ordered} {'is' if len(move.convoys) == 1 else 'are'})" if ordered else ""
        text = f"it goes by convoy, and no complete chain of fleets is ordered to convoy it{only}"
        return Reason(text, ("4.E.2", *rules))
    if len(move.routes) > 1:
        rules.insert(0, context.option("4.A.1"))
    broken = sorted(context.proof.path(move).decisions(context.latest), key=lambda decision: decision.index)
    draft = Draft(rules, [culprit(decision) for decision in broken])
    draft.nested = [_disrupted(context, decision) for decision in broken if isinstance(decision, ConvoyDecision)]
    fleets = listed(unit_of(decision) for decision in broken)
    every = move.rules.multi_route is MultiRoute.ALL
    many = f"each of the {len(move.routes)} routes" if every else f"one of the {len(move.routes)} routes"
    which = "its convoy is" if len(move.routes) == 1 else f"{many} of its convoy is"
    return draft.reason(f"{which} disrupted at {fleets}", "5.B.4")


def _disrupted(context: Context, convoy: ConvoyDecision) -> Reason:
    reason = context.cause(convoy)
    return retold(reason, f"{unit_of(convoy)} is {reason.text}")
