"""Makes the judged position of an outcome."""

from __future__ import annotations

from satjudge.judging.outcome import Outcome
from satjudge.search.goals.judged_position import Judged
from satjudge.search.open_orders.proposal import Proposal, make_hold


def judged_from_outcome(outcome: Outcome) -> Judged:
    judged = Judged.__new__(Judged)
    given = {unit.province: make_hold(unit) for unit in outcome.board.units} | dict(outcome.docket.orders)
    judged.proposal, judged.rulebook = Proposal(outcome.board, given, {}), outcome.adjudication.situation.rulebook
    judged.outcome, judged.error, judged.resolutions = outcome, None, outcome.adjudication.resolutions
    return judged
