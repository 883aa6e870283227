"""In which order the decisions of a resolution are settled, so that an explanation rests on what comes before."""

from __future__ import annotations

from collections.abc import Iterable

from satjudge.solve.bounds import Values, settle
from satjudge.solve.result import Adjudication


def settling_order(adjudication: Adjudication) -> list[int]:
    """For each decision when it is settled by partial information, or else with its core; equal for those of a core."""
    situation = adjudication.situation
    values: Values = [None] * len(situation.decisions)

    def one_by_one() -> Iterable[list[int]]:
        return [[decision.index] for decision in settle(situation, values).settled]

    steps = [*one_by_one()]
    for core in adjudication.cores:
        for index, value in core.settled.items():
            values[index] = value
        steps += [list(core.settled), *one_by_one()]
    settled_at = {index: step for step, indices in enumerate(steps) for index in indices}
    return [settled_at.get(decision.index, len(steps)) for decision in situation.decisions]
