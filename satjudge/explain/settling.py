"""In which order the decisions of a resolution are settled, so that an explanation rests on what comes before."""

from __future__ import annotations

from typing import Any

from satjudge.solve.bounds import settle
from satjudge.solve.result import Adjudication


class _Chronicle(list[bool | None]):
    """Values of decisions that remember in which order they were settled."""

    def __init__(self, size: int) -> None:
        super().__init__([None] * size)
        self.at = [size] * size
        self.now = 0

    def __setitem__(self, index: Any, value: Any) -> None:  # noqa: ANN401
        self.at[index] = self.now
        self.now += 1
        super().__setitem__(index, value)


def settling_order(adjudication: Adjudication) -> list[int]:
    """For each decision when it is settled by partial information, or else with its core; equal for those of a core."""
    situation = adjudication.situation
    values = _Chronicle(len(situation.decisions))
    settle(situation, values)
    for core in adjudication.cores:
        together = values.now
        for index, value in core.settled.items():
            values[index] = value
            values.at[index] = together
        settle(situation, values)
    return values.at
