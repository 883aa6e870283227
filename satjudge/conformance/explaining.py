"""Hypotheses for the findings of `satjudge crosscheck`: every clause of the equations, broken."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from satjudge.conformance.mutations import MUTATIONS, SURVIVORS, broken, mutated_source
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Position
from satjudge.crosscheck.standing import Told
from satjudge.crosscheck.supposed import Hypothesis, answer_by, other_rules
from satjudge.equations import statement
from satjudge.equations.evaluate import violated
from satjudge.equations.situation import ConvoyDecision
from satjudge.rules import ParadoxRule, Rulebook


@dataclass(frozen=True)
class BrokenClause:
    """The engine plays a rulebook, but with one clause of the equations broken."""

    name: str
    rulebook: Rulebook

    def could_give(self, told: Sequence[Told | None]) -> list[bool]:
        """Whether each answer satisfies the broken equations, but for what a backup rule may have settled."""
        with _interpreted(self.name):
            return [one is None or self._satisfies(one) for one in told]

    def _satisfies(self, told: Told) -> bool:
        if self.rulebook.paradox is not ParadoxRule.SZYKMAN:  # which others can rule otherwise than the equations?
            return True
        broken = (one for one in violated(told.situation, told.values) if one.index in told.known)
        return all(isinstance(one, ConvoyDecision) for one in broken)

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What the broken statement says."""
        with broken(self.name):
            return [answer_by(position, self.rulebook) for position in positions]


@contextmanager
def _interpreted(name: str) -> Iterator[None]:
    """Read the equations with that clause broken where they are interpreted; nothing is compiled from them."""
    functions = _broken_functions(name)
    kept = {function: getattr(statement, function) for function in functions}
    vars(statement).update(functions)
    try:
        yield
    finally:
        vars(statement).update(kept)


@cache
def _broken_functions(name: str) -> Mapping[str, types.FunctionType]:
    mutant = types.ModuleType("mutant")
    exec(compile(mutated_source(name), "mutant", "exec"), mutant.__dict__)
    return {name: value for name, value in vars(mutant).items() if getattr(value, "__module__", "") == "mutant"}


def hypotheses(rulebook: Rulebook) -> dict[str, Hypothesis]:
    """All that is supposed of an engine that is compared under a rulebook, by name: other choices, then broken clauses."""
    clauses = {name: BrokenClause(name, rulebook) for name in MUTATIONS if name not in SURVIVORS}
    return {**dict(other_rules(rulebook)), **clauses}
