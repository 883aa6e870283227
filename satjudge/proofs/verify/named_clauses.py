"""Holds clauses with their meanings: a DIMACS file whose comments name every variable, and every group of clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Clause: TypeAlias = tuple[int, ...]
"""Literals at least one of which holds: a variable's number, or its negative."""


@dataclass(frozen=True, slots=True)
class ClauseGroup:
    """Some clauses, with their joint meaning."""

    meaning: str
    clauses: Sequence[Clause]


@dataclass(frozen=True, slots=True)
class NamedClauses:
    """Groups of clauses over variables from 1 to `size`.

    The clauses that begin with an unnamed variable define it.
    """

    size: int
    names: Mapping[int, str]
    groups: Sequence[ClauseGroup]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses of all groups in order, as proofs number them, from 1."""
        return [clause for group in self.groups for clause in group.clauses]

    def iter_lines(self) -> Iterator[str]:
        """Write the lines of a DIMACS file."""
        for variable, name in sorted(self.names.items()):
            yield f"c variable {variable} {name}"
        first = 1
        for group in self.groups:
            yield f"c clauses {first} to {first + len(group.clauses) - 1}: {group.meaning}"
            first += len(group.clauses)
        yield f"p cnf {self.size} {first - 1}"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0)))

    @property
    def text(self) -> str:
        """The DIMACS file."""
        return "".join(f"{line}\n" for line in self.iter_lines())
