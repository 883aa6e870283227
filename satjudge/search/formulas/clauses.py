"""Writes equations as clauses, for questions in which the orders are unknown.

A truth value is a literal, which is a variable's number or its negative; literal 1 is true and -1 is false. A strength is a
row of thresholds: literals for *at least 1*, *at least 2*, and so on. The formula does not depend on the solver: CP-SAT decides
it (`satjudge.search.formulas.cpsat`), and so can any solver that reads DIMACS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, takewhile, zip_longest
from typing import TypeAlias

from satjudge.judging.equations.logic import Logic
from satjudge.judging.equations.situation import MoveDecision

Literal: TypeAlias = int
Thresholds: TypeAlias = tuple[Literal, ...]
"""A strength: its n-th literal holds if it is at least n. Each literal implies the one before."""

TRUE: Literal = 1
FALSE: Literal = -1


def is_tautology(clause: Iterable[Literal]) -> bool:
    """Return whether a clause contains some literal and its opposite, so that it is always true.

    Some checkers reject such clauses.
    """
    literals = set(clause)
    return any(-literal in literals for literal in literals)


@dataclass(frozen=True, slots=True)
class Count:
    """A definition of a literal: `result` holds if and only if at least `least` of `literals` hold."""

    result: Literal
    least: int
    literals: tuple[Literal, ...]


_TICK = 1000
"""The number of calls of `all_of` between two calls of `tick`, which take some hundredths of a second."""


class Formula:
    """A formula of clauses over numbered variables, and counts of literals.

    Every auxiliary variable is a function of the others. `tick` is called regularly while the formula grows, since building a
    large one takes seconds. It may raise an error to stop this.
    """

    def __init__(self, tick: Callable[[], object] = lambda: None) -> None:
        self.tick = tick
        self._steps = 0
        self.size = 1
        self.clauses: list[tuple[Literal, ...]] = [(TRUE,)]
        self.required: list[int] = []
        """The indices of required clauses; every other clause begins with a variable that it helps to define."""
        self.counts: list[Count] = []
        self.exclusive: list[tuple[Literal, ...]] = []
        """Lists of literals of which at most one may hold."""
        self.names: dict[Literal, str] = {TRUE: "true"}
        """The meanings of the variables that are not auxiliary."""
        self._gates: dict[object, Literal] = {}

    def add_variable(self, name: str = "") -> Literal:
        """Add a variable, with a name unless it is auxiliary, and return its literal."""
        self.size += 1
        if name:
            self.names[self.size] = name
        return self.size

    def require(self, *literals: Literal) -> None:
        """Require that at least one of these literals holds; add nothing if that is always so."""
        if TRUE not in literals and not is_tautology(literals):
            self.required.append(len(self.clauses))
            self.clauses.append(tuple(literal for literal in literals if literal != FALSE) or (FALSE,))

    def require_at_most_one(self, literals: Iterable[Literal]) -> None:
        """Require that no two of these literals hold."""
        self.exclusive.append(tuple(literals))

    def equate(self, one: Literal, other: Literal) -> None:
        """Require that both literals hold or neither does."""
        self.require(-one, other)
        self.require(one, -other)

    def all_of(self, parts: Iterable[Literal]) -> Literal:
        """Return a literal that holds if and only if all parts hold; for the same parts, it is the same literal."""
        self._steps += 1
        if self._steps % _TICK == 0:
            self.tick()
        found: set[Literal] = set()
        for part in parts:
            if part == FALSE or -part in found:
                return FALSE
            found.add(part)
        found.discard(TRUE)
        if len(found) <= 1:
            return found.pop() if found else TRUE
        key = frozenset(found)
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self.add_variable()
            self.clauses.extend((-gate, part) for part in found)
            self.clauses.append((gate, *(-part for part in found)))
        return gate

    def any_of(self, parts: Iterable[Literal]) -> Literal:
        """Return a literal that holds if and only if at least one part holds."""
        return -self.all_of(-part for part in parts)

    def xor(self, one: Literal, other: Literal) -> Literal:
        """Return a literal that holds if and only if exactly one of the two literals holds."""
        return self.any_of((self.all_of((one, -other)), self.all_of((-one, other))))

    def at_least(self, least: int, parts: Iterable[Literal]) -> Literal:
        """Return a literal that holds if and only if at least `least` of the parts hold."""
        literals = []
        for part in parts:
            if part == TRUE:
                least -= 1
            elif part != FALSE:
                literals.append(part)
        if least <= 1:
            return TRUE if least <= 0 else self.any_of(literals)
        if least >= len(literals):
            return self.all_of(literals) if least == len(literals) else FALSE
        key = (least, tuple(sorted(literals)))
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self.add_variable()
            self.counts.append(Count(gate, *key))
        return gate


class ClauseLogic(Logic[Literal, Thresholds]):
    """A logic that writes equations into a formula.

    No strength exceeds `strongest` (None: unknown).
    """

    def __init__(self, formula: Formula, strongest: int | None = None) -> None:
        self.formula = formula
        self.strongest = strongest
        self._totals: dict[tuple[int, tuple[Literal, ...]], Thresholds] = {}

    def all_of(self, parts: Iterable[Literal]) -> Literal:
        """Return a literal that holds if and only if all parts hold."""
        return self.formula.all_of(parts)

    def any_of(self, parts: Iterable[Literal]) -> Literal:
        """Return a literal that holds if and only if at least one part holds."""
        return self.formula.any_of(parts)

    def none_of(self, parts: Iterable[Literal]) -> Literal:
        """Return a literal that holds if and only if no part holds."""
        return self.formula.all_of(-part for part in parts)

    def constant(self, value: bool) -> Literal:
        """Return `TRUE` if `value` is true, else `FALSE`."""
        return TRUE if value else FALSE

    def total(self, base: int, parts: Iterable[Literal]) -> Thresholds:
        """Return the sum of `base` and the number of parts that hold, as thresholds up to `strongest`."""
        key = (base, tuple(sorted(part for part in parts if part != FALSE)))
        thresholds = self._totals.get(key)
        if thresholds is None:
            highest = base + len(key[1]) if self.strongest is None else min(self.strongest, base + len(key[1]))
            counted = (self.formula.at_least(value - base, key[1]) for value in range(base + 1, highest + 1))
            thresholds = self._totals[key] = ((TRUE,) * base + tuple(counted))[: self.strongest]
        return thresholds

    def exceeds(self, one: Thresholds, other: Thresholds) -> Literal:
        """Return a literal that holds if `one` is above 0 and above every value that `other` reaches."""
        return self.formula.all_of(
            chain(
                (one[0] if one else FALSE,),
                (
                    self.formula.any_of((-reached, one[value] if value < len(one) else FALSE))
                    for value, reached in enumerate(other, 1)
                ),
            )
        )

    def choose(self, condition: Literal, larger: Thresholds, smaller: Thresholds) -> Thresholds:
        """Return the strength `larger` if the condition holds, else `smaller`; `larger` must be at least `smaller`."""
        if condition in (TRUE, FALSE):
            return larger if condition == TRUE else smaller
        return _trim_thresholds(
            self.formula.any_of((low, self.formula.all_of((condition, high))))
            for high, low in zip_longest(larger, smaller, fillvalue=FALSE)
        )

    def exceeds_rivals(self, move: MoveDecision, strength: Thresholds) -> Iterator[Literal]:
        """Yield literals that together hold if a strength exceeds the PREVENT of every other move to the same province.

        With half strengths, there is a literal for each rival. Otherwise a single literal compares the strength with all
        rivals: another move reaches a value if two moves do, or if one does and it is not this one.
        """
        if move.rules.half_strength:
            yield from super().exceeds_rivals(move, strength)
            return
        prevents = [self.prevent(rival) for rival in move.destination.moves_in]
        own = self.prevent(move)
        strongest = []
        for value in range(max(map(len, prevents))):
            reaching = [prevent[value] for prevent in prevents if value < len(prevent)]
            alone = own[value] if value < len(own) else FALSE
            at_least_one, two = self.formula.any_of(reaching), self.formula.at_least(2, reaching)
            strongest.append(self.formula.any_of((two, self.formula.all_of((at_least_one, -alone)))))
        yield self.exceeds(strength, _trim_thresholds(strongest))


def _trim_thresholds(thresholds: Iterable[Literal]) -> Thresholds:
    """Return the thresholds before the first one that is `FALSE`, which can never be reached."""
    return tuple(takewhile(lambda threshold: threshold != FALSE, thresholds))
