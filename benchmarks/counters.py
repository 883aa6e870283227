"""What does not depend on the machine: how much there is to be done for a phase, counted."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from phases import Case

from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.judge import read_situation


def counted(case: Case) -> dict[str, float]:
    """Counts for one phase."""
    outcome = case.judged()
    situation = outcome.adjudication.situation
    logic = Counting(outcome.adjudication.values)
    for decision in situation.decisions:
        statement.decision(logic, decision)
    return {
        "decisions": len(situation.decisions),
        "terms of all equations, evaluated once": logic.terms,
        "function calls of one judgement": calls(case.judged),
        **{f"full: {what}": value for what, value in solver_work(case).items()},
    }


class Counting(Reading):
    """Counts the terms that a plain evaluation looks at."""

    terms = 0


def _counting(name: str) -> Callable[..., Any]:
    plain = getattr(Reading, name)

    def counting(self: Counting, *parts: Any) -> Any:  # noqa: ANN401
        self.terms += 1
        own = isinstance(Reading.__dict__.get(name), staticmethod)
        return plain(*parts) if own else plain(self, *parts)

    return counting


for term in ("all_of", "any_of", "none_of", "total", "exceeds", "choose", "move", "support", "convoy", "path", "is_convoyed",
             "head_to_head", "hold", "attack", "prevent", "defend"):  # fmt: skip
    setattr(Counting, term, _counting(term))


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, in Python or in C, but for those that the collector of garbage calls when it likes."""
    counts: Counter[str] = Counter()
    collects = gc.isenabled()
    gc.disable()
    sys.setprofile(lambda frame, event, argument: counts.update((event,)))
    try:
        work()
    finally:
        sys.setprofile(None)
        if collects:
            gc.enable()
    return counts["call"] + counts["c_call"]


def solver_work(case: Case) -> Mapping[str, float]:
    """The whole-board model of the engine `full`, and what enumerating it takes."""
    from satjudge.judging.solve.cpsat_model import new_solver
    from satjudge.judging.solve.full_engine import build_board_model

    situation = read_situation(case.board, case.orders)
    model = build_board_model(situation, [None] * len(situation.decisions)).model
    solver = new_solver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model)
    found = {"variables": len(model.proto.variables), "constraints": len(model.proto.constraints)}
    return {**found, "branches": solver.num_branches, "conflicts": solver.num_conflicts}
