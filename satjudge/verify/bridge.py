"""The bridge between two encoders: clauses that can all hold only where the second allows what the first forbids.

A proof that they cannot all hold says: whatever satisfies the equations of the second encoder satisfies what is required by
the first. So where the first formula allows no further answer, the second allows none either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satjudge.errors import InputError
from satjudge.verify.named_clauses import Clause, Group, NamedClauses

DEFINED = "definitions of the first encoder"
REQUIRED = "requirements of the first encoder"
TRUE = 1
"""The variable that is true in both."""
VIOLATED = "some requirement of the first encoder is violated"


def bridge(second: NamedClauses, first: NamedClauses) -> NamedClauses:
    """All that the second encoder says, the definitions of the first, and that one of its requirements is violated.

    Variables of one name are one variable. Raises `InputError` if a name of the first means nothing to the second.
    """
    renamed, size = _renamed(second, first)
    defined = [_clause(clause, renamed) for clause in first.group(DEFINED)]
    violated: list[Clause] = []
    violations: list[int] = []
    for requirement in first.group(REQUIRED):
        size += 1
        violations.append(size)
        violated += [(-size, -literal) for literal in _clause(requirement, renamed)]
    violated.append(tuple(violations) or (-TRUE,))
    names = {**second.names, **{renamed[variable]: name for variable, name in first.names.items()}}
    return NamedClauses(size, names, (*second.groups, Group(DEFINED, defined), Group(VIOLATED, violated)))


def _renamed(second: NamedClauses, first: NamedClauses) -> tuple[Mapping[int, int], int]:
    """What the variables of the first are called among those of the second, and how many there are then."""
    numbers = {name: variable for variable, name in second.names.items()}
    renamed, size = {}, second.size
    for variable in range(1, first.size + 1):
        name = first.names.get(variable)
        if name is None:
            size += 1
            renamed[variable] = size
        elif name in numbers:
            renamed[variable] = numbers[name]
        else:
            raise InputError(f"the first encoder speaks of “{name}”, which means nothing to the second")
    return renamed, size


def _clause(clause: Iterable[int], renamed: Mapping[int, int]) -> Clause:
    return tuple(renamed[abs(literal)] * (1 if literal > 0 else -1) for literal in clause)
