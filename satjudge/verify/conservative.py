"""Definitions that cannot rule anything out: clauses about new variables that have a value whatever the others are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain

from satjudge.errors import InputError
from satjudge.verify.named_clauses import Clause


def check_definitions(clauses: Iterable[Clause], known: Iterable[int] = ()) -> None:
    """Check that clauses define the variables that they begin with, each of itself and of those defined before.

    A variable has a value whatever the others are if each clause that begins with it has, with each that begins with its
    negative, some other variable in both senses: then no two of them can ask for contrary values. None of them may be `known`
    before. Raises `InputError`, which names the variable.
    """
    defining: dict[int, tuple[list[Clause], list[Clause]]] = {}
    for clause in clauses:
        if not clause:
            raise InputError("a definition without a literal")
        defining.setdefault(abs(clause[0]), ([], []))[clause[0] < 0].append(clause)
    if redefined := defining.keys() & set(known):
        raise InputError(f"variable {min(redefined)} is defined, though it has a meaning already")
    for variable, (positive, negative) in defining.items():
        _check_one(variable, positive, negative)
    _check_order({variable: _read_by(chain(*clauses)) for variable, clauses in defining.items()})


def _check_one(variable: int, positive: Sequence[Clause], negative: Sequence[Clause]) -> None:
    rests = [frozenset(clause[1:]) for clause in negative]
    for clause in positive:
        opposites = {-literal for literal in clause[1:]}
        if any(rest.isdisjoint(opposites) for rest in rests):
            raise InputError(f"variable {variable} is not defined: its clauses can ask for contrary values")


def _read_by(clauses: Iterable[Clause]) -> set[int]:
    """The variables behind the first in these clauses."""
    return {abs(literal) for clause in clauses for literal in clause[1:]}


def _check_order(reads: Mapping[int, set[int]]) -> None:
    try:
        TopologicalSorter(reads).prepare()
    except CycleError as error:
        raise InputError(f"variables are defined by each other: {', '.join(map(str, error.args[1]))[:100]}") from None
