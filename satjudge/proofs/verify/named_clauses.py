"""Holds clauses with their meanings: a DIMACS file whose comments name every variable, and every group of clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from satjudge.base.errors import InputError

Clause: TypeAlias = tuple[int, ...]
"""Literals of which one holds: a variable's number, or its negative."""

DEFINITIONS = "definitions"
"""The first word of the meaning of a group whose clauses define auxiliary variables."""

_VARIABLE = re.compile(r"c variable (\d+) (.*)")
_GROUP = re.compile(r"c clauses (\d+) to (\d+): (.*)")
_HEADER = re.compile(r"p cnf (\d+) (\d+)")


@dataclass(frozen=True, slots=True)
class Group:
    """Some clauses, with what they state together."""

    meaning: str
    clauses: Sequence[Clause]


@dataclass(frozen=True, slots=True)
class NamedClauses:
    """Groups of clauses over variables from 1 to `size`.

    A variable without a name is defined by the clauses that it leads.
    """

    size: int
    names: Mapping[int, str]
    groups: Sequence[Group]

    @property
    def clauses(self) -> list[Clause]:
        """The clauses of all groups in order: proofs speak of them by their numbers, from 1."""
        return [clause for group in self.groups for clause in group.clauses]

    def group(self, meaning: str) -> Sequence[Clause]:
        """Return the clauses of a group.

        Raises `InputError` if there is none with this meaning.
        """
        for group in self.groups:
            if group.meaning == meaning:
                return group.clauses
        raise InputError(f"there are no clauses for “{meaning}”")

    def lines(self) -> Iterator[str]:
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
        return "".join(f"{line}\n" for line in self.lines())


def read_clauses(lines: Iterable[str]) -> NamedClauses:
    """Read the lines that `NamedClauses.lines` writes.

    Raises `InputError`, which names the line, for anything else.
    """
    names: dict[int, str] = {}
    ranges: list[tuple[int, int, str]] = []
    found: list[Clause] = []
    size = declared = -1
    for number, line in enumerate(lines, 1):
        if size >= 0:
            found.append(_clause(number, line, size))
        elif variable := _VARIABLE.fullmatch(line):
            names[int(variable[1])] = variable[2]
        elif group := _GROUP.fullmatch(line):
            ranges.append((int(group[1]), int(group[2]), group[3]))
        elif header := _HEADER.fullmatch(line):
            size, declared = int(header[1]), int(header[2])
        else:
            raise InputError(f"line {number}: neither a variable, a group of clauses nor “p cnf”: {line[:60]}")
    if len(found) != declared:
        raise InputError(f"{len(found)} clauses, but the header says {declared}")
    return NamedClauses(size, names, _groups(found, ranges))


def _clause(number: int, line: str, size: int) -> Clause:
    try:
        *literals, end = map(int, line.split())
    except ValueError:
        raise InputError(f"line {number}: not a clause: {line[:60]}") from None
    if end != 0 or 0 in literals:
        raise InputError(f"line {number}: a clause ends with 0, and has no other: {line[:60]}")
    if any(abs(literal) > size for literal in literals):
        raise InputError(f"line {number}: a variable beyond {size}: {line[:60]}")
    return tuple(literals)


def _groups(clauses: Sequence[Clause], ranges: Iterable[tuple[int, int, str]]) -> list[Group]:
    """Divide clauses into groups, each of which begins where the one before ends."""
    groups, after = [], 1
    for first, last, meaning in ranges:
        if first != after or last < first - 1:
            raise InputError(f"“{meaning}” begins with clause {first}, but the group before ends with {after - 1}")
        groups.append(Group(meaning, clauses[first - 1 : last]))
        after = last + 1
    if after != len(clauses) + 1:
        raise InputError(f"the groups have {after - 1} clauses, but there are {len(clauses)}")
    return groups
