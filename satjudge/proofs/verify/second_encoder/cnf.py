"""Builds a formula in conjunctive normal form, with named variables, gates, and two lists of clauses.

A literal is a number: `7` means that variable 7 is true, `-7` that it is false. Variable 1 is the constant `TRUE`.
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

    `inputs`: the variables that were added by name. `definitions`: clauses that give each other variable (a gate) its value for
    every choice of the inputs, and exclude none. `requirements`: the clauses that the formula states. `names`: the meanings of
    inputs and of named gates. `number_of_variables`: the highest variable in use.
    """

    def __init__(self) -> None:
        self.definitions: list[Clause] = [(TRUE,)]
        self.requirements: list[Clause] = []
        self.inputs: list[Literal] = []
        self.names: dict[Literal, str] = {TRUE: "TRUE"}
        self.number_of_variables = 1
        self._conjunctions: dict[Clause, Literal] = {}
        self._counted: dict[tuple[int, Clause], Literal] = {}

    def add_input(self, name: str) -> Literal:
        """Add a variable with this name, whose value no definition determines, and return its literal."""
        variable = self._add_variable()
        self.inputs.append(variable)
        self.names[variable] = name
        return variable

    def name_gate(self, literal: Literal, name: str) -> None:
        """Give the variable of a gate a name, unless it already has one, since one gate may have several meanings."""
        self.names.setdefault(abs(literal), name if literal > 0 else f"not {name}")

    def _add_variable(self) -> Literal:
        self.number_of_variables += 1
        return self.number_of_variables

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal, perhaps a new variable, that is true if and only if all of these are; `TRUE` if there are none."""
        different = set(literals) - {TRUE}
        if FALSE in different or any(-part in different for part in different):
            return FALSE
        parts = tuple(sorted(different))
        if len(parts) < 2:
            return parts[0] if parts else TRUE
        if parts not in self._conjunctions:
            gate = self._conjunctions[parts] = self._add_variable()
            self.definitions.extend((-gate, part) for part in parts)
            self.definitions.append((gate, *(-part for part in parts)))
        return self._conjunctions[parts]

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """Return a literal that is true if and only if at least one of these is; `FALSE` if there are none."""
        return -self.all_of(-literal for literal in literals)

    def implies(self, condition: Literal, consequence: Literal) -> Literal:
        """Return a literal that is true if and only if the condition is false or the consequence is true."""
        return self.any_of((-condition, consequence))

    def at_least(self, number: int, literals: Sequence[Literal]) -> Literal:
        """Return a literal, perhaps a new variable, that is true if and only if `number` or more of these are."""
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
        """Require that at least one of these literals is true; add nothing if one always is.

        Without any literals, the formula becomes unsatisfiable.
        """
        different = tuple(dict.fromkeys(literal for literal in literals if literal != FALSE))
        if not any(-literal in different for literal in (*different, FALSE)):
            self.requirements.append(different or (FALSE,))

    def require_equal(self, one: Literal, other: Literal) -> None:
        """Require that both literals are true or both are false."""
        self.require(-one, other)
        self.require(one, -other)
