"""Why: the shortest honest chain of reasons for what became of one order of a movement phase.

All facts and numbers are read off the equations of the resolution (`satjudge.equations.proof`); what is added here is the
choice of what matters, the words, and the rule (`satjudge.explain.story`).
"""

from __future__ import annotations

from satjudge.explain.lookup import find_order, no_order
from satjudge.explain.parts import Explanation
from satjudge.explain.story import Storyteller
from satjudge.geography import Power
from satjudge.legality import Entry
from satjudge.orders import Order
from satjudge.outcome import Outcome


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


def _explain(teller: Storyteller, entry: Entry) -> Explanation:
    """The reasons for one order, as it was handed in."""
    outcome = teller.outcome
    given = outcome.docket.entries.get(entry.power, ())
    position = next((i for i, other in enumerate(given) if other is entry), None)
    lost = outcome.dislodgements.get(entry.province or "")
    verdict = outcome.results[entry.power][position] if position is not None else lost.fate if lost else "stands"
    decision = teller.decisions.get(entry.province or "") if entry.reason is None else None
    if entry.reason is not None:
        reasons = teller.illegal(entry)
    elif decision is None:
        reasons = teller.hold(teller.places[entry.province or ""])
    else:
        reasons = teller.decided(decision)
    tells = (entry.reason is None or entry.province not in outcome.docket.orders) and entry.province is not None
    if lost and tells and not any(reason.text.startswith(f"{lost.fate} by") for reason in reasons):
        reasons = [*reasons, teller.dislodged(teller.places[entry.province or ""])]
    text = str(entry.order) if position is not None or entry.province in outcome.docket.orders else f"{entry.order} (no order)"
    return Explanation(entry.power, text, verdict, tuple(reasons), teller.account(decision) if decision else None)
