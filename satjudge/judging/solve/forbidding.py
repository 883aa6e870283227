"""Finds what forbids a wish: a smallest set of equations under which some decisions cannot have the values wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from satjudge.judging.equations.situation import Situation
from satjudge.judging.solve.bounds import Values
from satjudge.judging.solve.cores import Graph, mentions
from satjudge.judging.solve.splitting import satisfiable


def forbidding_equations(situation: Situation, wanted: Mapping[int, bool], values: Values | None = None) -> tuple[int, ...]:
    """Find a minimal set of decisions whose equations cannot all hold where some decisions have the values wanted.

    Equations that lie near the wanted decisions are kept before others. With nothing wanted it is a minimal contradiction
    in the equations themselves. `values` are those of decisions that are settled already, by whatever means. Raises
    `ValueError` if some resolution has all that is wanted, `EngineLimitError` if it takes a solver and there is none.
    """
    equations = _Equations(situation, wanted, [None] * len(situation.decisions) if values is None else values)
    needed = equations.contradiction([decision.index for decision in equations.subjects])
    if needed is None:
        raise ValueError("some resolution has all that is wanted")
    near = _nearest_first(mentions(situation, equations.values, equations.subjects), wanted or needed)
    if wanted:
        needed = [decision.index for decision in equations.subjects]
    for index in reversed(near):
        if index in needed:
            needed = equations.contradiction([other for other in needed if other != index]) or needed
    return tuple(sorted(needed))


class _Equations:
    """The equations of the decisions that are not settled, where some have the values wanted."""

    def __init__(self, situation: Situation, wanted: Mapping[int, bool], values: Values) -> None:
        self.situation = situation
        self.wanted = wanted
        self.values = values
        self.subjects = [decision for decision in situation.decisions if values[decision.index] is None]

    def contradiction(self, indices: Sequence[int]) -> list[int] | None:
        """Some of these equations that contradict each other, or None: found by hand, or else by the solver."""
        found = satisfiable(self.situation, self.values, self.wanted, indices)
        if found is None:
            from satjudge.judging.solve.cpsat_engine import GuardedEquations

            return GuardedEquations(self.situation, self.wanted, self.values).contradiction(indices)
        return None if found else list(indices)


def _nearest_first(reads: Graph, start: Iterable[int]) -> list[int]:
    """The decisions in the order in which equations lead to them from the start; last those to which none leads."""
    order = dict.fromkeys(start)
    queue = list(order)
    for index in queue:
        found = [other for other in sorted(reads[index]) if other not in order]
        order.update(dict.fromkeys(found))
        queue += found
    return list(dict.fromkeys((*order, *reads)))
