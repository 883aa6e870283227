"""Why: the shortest honest chain of reasons for what became of one order of a movement phase.

All facts and numbers are read off the equations of the resolution (`satjudge.equations.proof`); what is added here is the
choice of what matters, the words, and the rule. The modules build on each other: what may be asked of an outcome (`context`);
`rulings` and `strengths`; units that stand or not (`standing`); `moves`, `supports` and `convoys`; where all meet (`story`).
"""

from __future__ import annotations

from satjudge.explain.context import Context
from satjudge.explain.lookup import find_order, no_order
from satjudge.explain.parts import Explanation, Reason, without_rules
from satjudge.explain.rulings import account, decided
from satjudge.explain.standing import dislodged, holds
from satjudge.explain.story import Storyteller
from satjudge.geography import Power
from satjudge.legality import Entry
from satjudge.orders import Order
from satjudge.outcome import Outcome
from satjudge.rules import options

_ISSUES = frozenset(option.issue for option in options())


def why(outcome: Outcome, order: Order | str, power: Power | None = None) -> Explanation:
    """Why the verdict on this order is what it is. A unit alone (`"F LON"`) stands for its order.

    Raises `NotFoundError` if no such order was given.
    """
    return _explain(Storyteller(outcome), find_order(outcome, order, power))


def explanations(outcome: Outcome) -> list[Explanation]:
    """Why the verdicts on all orders are what they are, in the order given; then of units dislodged without an order."""
    teller = Storyteller(outcome)
    entries = [entry for given in outcome.docket.entries.values() for entry in given]
    ordered = {entry.province for entry in entries}
    silent = (lost.unit for province, lost in outcome.dislodgements.items() if province not in ordered)
    return [_explain(teller, entry) for entry in (*entries, *(no_order(unit) for unit in silent))]


def _explain(context: Context, entry: Entry) -> Explanation:
    """The reasons for one order, as it was handed in."""
    outcome = context.outcome
    position = context.position(entry)
    lost = outcome.dislodgements.get(entry.province or "")
    verdict = outcome.results[entry.power][position] if position is not None else lost.fate if lost else "stands"
    decision = context.decisions.get(entry.province or "") if entry.reason is None else None
    if entry.reason is not None:
        reasons = _illegal(context, entry, entry.reason)
    elif decision is None:
        reasons = [holds(context, context.places[entry.province or ""])]
    else:
        reasons = decided(context, decision)
    tells = (entry.reason is None or entry.province not in outcome.docket.orders) and entry.province is not None
    if lost and tells and not any(reason.text.startswith(f"{lost.fate} by") for reason in reasons):
        reasons = [*reasons, dislodged(context, context.places[entry.province or ""])]
    text = str(entry.order) if position is not None or entry.province in outcome.docket.orders else f"{entry.order} (no order)"
    return Explanation(entry.power, text, verdict, tuple(reasons), account(context, decision) if decision else None)


def _illegal(context: Context, entry: Entry, reason: str) -> list[Reason]:
    """Why an order does not count; and what its unit does all the same, if anything."""
    text, numbers = without_rules(reason)
    named = [context.option(number) if number in _ISSUES and number != "4.E.1" else number for number in numbers]
    if entry.counts_as_move:
        named.append(context.option("4.E.1"))
    reasons = [Reason(text, tuple(named) or ("4.E.1",))]
    decision = context.decisions.get(entry.province or "")
    if decision is not None and context.is_ignored(entry.province):
        reasons.append(Reason(f"the orders of its own power imply {decision}", (context.option("4.E.3"),)))
    return reasons
