"""A formula in conjunctive normal form that grows: variables with names, gates, and two lists of clauses.

A literal is a number: `7` says that variable 7 is true, `-7` that it is false. Variable 1 is the constant `TRUE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Literal: TypeAlias = int
Clause: TypeAlias = tuple[Literal, ...]

TRUE: Literal = 1
FALSE: Literal = -1


class Cnf:
    """Clauses over numbered variables.

    `definitions` give every variable that a gate made its one value for each choice of the others: they rule nothing out.
    `requirements` are what the formula says. `names` tells each variable's meaning. `number_of_variables` is the largest
    variable in use.
    """

    def __init__(self) -> None:
        self.definitions: list[Clause] = [(TRUE,)]
        self.requirements: list[Clause] = []
        self.names: dict[Literal, str] = {TRUE: "TRUE"}
        self.number_of_variables = 1
        self._conjunctions: dict[Clause, Literal] = {}
        self._counted: dict[tuple[int, Clause], Literal] = {}

    def variable(self, name: str = "") -> Literal:
        """A new variable; what is named is for readers of the formula."""
        self.number_of_variables += 1
        if name:
            self.names[self.number_of_variables] = name
        return self.number_of_variables

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true if and only if all these are; `TRUE` if there are none."""
        parts = tuple(sorted(set(literals) - {TRUE}))
        if FALSE in parts or any(-part in parts for part in parts):
            return FALSE
        if len(parts) < 2:
            return parts[0] if parts else TRUE
        if parts not in self._conjunctions:
            gate = self._conjunctions[parts] = self.variable()
            self.definitions.extend((-gate, part) for part in parts)
            self.definitions.append((gate, *(-part for part in parts)))
        return self._conjunctions[parts]

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that is true if and only if one of these is; `FALSE` if there are none."""
        return -self.all_of(-literal for literal in literals)

    def implies(self, condition: Literal, consequence: Literal) -> Literal:
        """A literal that is true if and only if the condition is false or the consequence is true."""
        return self.any_of((-condition, consequence))

    def at_least(self, number: int, literals: Sequence[Literal]) -> Literal:
        """A literal that is true if and only if `number` or more of these are: with the first one less of the rest."""
        if number <= 0:
            return TRUE
        if number > len(literals):
            return FALSE
        key = (number, tuple(literals))
        if key not in self._counted:
            first, rest = literals[0], literals[1:]
            with_first = self.all_of((first, self.at_least(number - 1, rest)))
            self._counted[key] = self.any_of((self.at_least(number, rest), with_first))
        return self._counted[key]

    def require(self, *literals: Literal) -> None:
        """Require that one of these is true."""
        if TRUE not in literals:
            self.requirements.append(tuple(literal for literal in literals if literal != FALSE))

    def require_equal(self, one: Literal, other: Literal) -> None:
        """Require that both are true or both are false."""
        self.require(-one, other)
        self.require(one, -other)
