"""Strengths in words: the number, what it is made of, what stands against a move, and which supports do not count."""

from __future__ import annotations

from satjudge.equations import statement
from satjudge.equations.proof import Amount, Comparison, Term
from satjudge.equations.situation import MoveDecision, Place, SupportDecision
from satjudge.explain.context import Context
from satjudge.explain.parts import Draft, Reason, Strength, culprit, retold, unit_of

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
    draft.culprits.insert(0, context.stander(place, place.unit))
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


def uncounted(context: Context, amount: Amount, short: int) -> list[Reason]:
    """Why supports do not count in a strength: one that is given always, for it counts elsewhere (6.E.12); those that are
    not given if they all could have made up what it falls short of.
    """
    about = amount.about
    ordered = about.hold_supports if isinstance(about, Place) else one_of(amount).supports
    missing = [s for s in ordered if s not in amount.supports and statement.matched(context.proof, s).value]
    if not amount.value:
        return []
    return [_uncounted(context, s, amount) for s in missing if context.values[s.index] or len(missing) >= short]


def _uncounted(context: Context, support: SupportDecision, amount: Amount) -> Reason:
    """Why a support does not count in a strength: it is not given, or its power would help to dislodge its own unit."""
    if not context.values[support.index]:
        reason = context.cause(support)
        subject = unit_of(support) if not reason.text.startswith("cut") else f"the support of {unit_of(support)}"
        return retold(reason, f"{subject} is {reason.text}")
    unit = one_of(amount).destination.unit
    whose = context.power(support.power)
    text = f"the support of {unit_of(support)} does not count: {whose} does not help to dislodge its own {unit}"
    return Reason(text, ("5.B.8", "6.D.12"), (culprit(support),))
