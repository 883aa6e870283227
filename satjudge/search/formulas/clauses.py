"""Writes equations as clauses, for questions in which the orders themselves are unknown.

A truth value is a literal: a variable's number, or its negative; literal 1 is true, -1 false. A strength is a row of
thresholds: literals for *at least 1*, *at least 2*, … The formula is independent of the solver: CP-SAT decides it
(`satjudge.search.formulas.cpsat`), and any solver that reads DIMACS can.
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
"""A strength: its n-th literal says that it is at least n. Each implies the one before."""

TRUE: Literal = 1
FALSE: Literal = -1


def is_tautology(clause: Iterable[Literal]) -> bool:
    """Return whether a clause contains some literal and its opposite.

    Such a clause requires nothing, and some checkers reject it.
    """
    literals = set(clause)
    return any(-literal in literals for literal in literals)


@dataclass(frozen=True, slots=True)
class Count:
    """A definition of a literal: `result` holds if and only if at least `least` of the literals do."""

    result: Literal
    least: int
    literals: tuple[Literal, ...]


_TICK = 1000
"""The number of conjunctions, new or known, between two calls of `tick`: some hundredths of a second."""


class Formula:
    """A formula of clauses over numbered variables, and counts of literals.

    Every auxiliary variable is a function of the others.

    `tick` is called repeatedly while the formula grows, since a large one takes seconds. It may raise an error to stop.
    """

    def __init__(self, tick: Callable[[], object] = lambda: None) -> None:
        self.tick = tick
        self._steps = 0
        self.size = 1
        self.clauses: list[tuple[Literal, ...]] = [(TRUE,)]
        self.required: list[int] = []
        """The places of required clauses; every other clause begins with a variable that it helps to define."""
        self.counts: list[Count] = []
        self.exclusive: list[tuple[Literal, ...]] = []
        """Sets of literals of which at most one holds."""
        self.names: dict[Literal, str] = {TRUE: "true"}
        """The meanings of the variables that are not auxiliary."""
        self._gates: dict[object, Literal] = {}

    def add_variable(self, name: str = "") -> Literal:
        """Add a variable and return its literal."""
        self.size += 1
        if name:
            self.names[self.size] = name
        return self.size

    def require(self, *literals: Literal) -> None:
        """Require that at least one of these literals holds."""
        if TRUE not in literals and not is_tautology(literals):
            self.required.append(len(self.clauses))
            self.clauses.append(tuple(literal for literal in literals if literal != FALSE) or (FALSE,))

    def require_at_most_one(self, literals: Iterable[Literal]) -> None:
        """Require that no two of these literals hold."""
        self.exclusive.append(tuple(literals))

    def equate(self, one: Literal, other: Literal) -> None:
        """Require that both literals hold or neither."""
        self.require(-one, other)
        self.require(one, -other)

    def all_of(self, parts: Iterable[Literal]) -> Literal:
        """Make a literal that holds if and only if all parts hold; the same literal for the same parts."""
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
        """Make a literal that holds if and only if some part holds."""
        return -self.all_of(-part for part in parts)

    def xor(self, one: Literal, other: Literal) -> Literal:
        """Make a literal that holds if and only if exactly one of two literals does."""
        return self.any_of((self.all_of((one, -other)), self.all_of((-one, other))))

    def at_least(self, least: int, parts: Iterable[Literal]) -> Literal:
        """Make a literal that holds if and only if at least `least` of the parts hold."""
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

    `strongest` is a strength that nothing can exceed.
    """

    def __init__(self, formula: Formula, strongest: int | None = None) -> None:
        self.formula = formula
        self.strongest = strongest
        self._totals: dict[tuple[int, tuple[Literal, ...]], Thresholds] = {}

    def all_of(self, parts: Iterable[Literal]) -> Literal:
        """Make a literal that holds if and only if all parts hold."""
        return self.formula.all_of(parts)

    def any_of(self, parts: Iterable[Literal]) -> Literal:
        """Make a literal that holds if and only if some part holds."""
        return self.formula.any_of(parts)

    def none_of(self, parts: Iterable[Literal]) -> Literal:
        """Make a literal that holds if and only if no part holds."""
        return self.formula.all_of(-part for part in parts)

    def constant(self, value: bool) -> Literal:
        """Return the literal that always holds if `value` is true, else the one that never does."""
        return TRUE if value else FALSE

    def total(self, base: int, parts: Iterable[Literal]) -> Thresholds:
        """Return the sum of `base` and the number of parts that hold, as a literal for each value that it may reach."""
        key = (base, tuple(sorted(part for part in parts if part != FALSE)))
        thresholds = self._totals.get(key)
        if thresholds is None:
            highest = base + len(key[1]) if self.strongest is None else min(self.strongest, base + len(key[1]))
            counted = (self.formula.at_least(value - base, key[1]) for value in range(base + 1, highest + 1))
            thresholds = self._totals[key] = ((TRUE,) * base + tuple(counted))[: self.strongest]
        return thresholds

    def exceeds(self, one: Thresholds, other: Thresholds) -> Literal:
        """Make a literal that holds if `one` exceeds `other`: for some value, it reaches that and the other does not."""
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
        """Return the strength that is `larger` if the condition holds, else `smaller`, which is never greater."""
        if condition in (TRUE, FALSE):
            return larger if condition == TRUE else smaller
        return _trim_thresholds(
            self.formula.any_of((low, self.formula.all_of((condition, high))))
            for high, low in zip_longest(larger, smaller, fillvalue=FALSE)
        )

    def exceeds_rivals(self, move: MoveDecision, strength: Thresholds) -> Iterator[Literal]:
        """Yield a literal that holds if a strength exceeds all rivals of a move; one per rival if half strengths occur.

        Some *other* move into the province reaches a value if two do, or if one does and it is not this one.
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
            some, two = self.formula.any_of(reaching), self.formula.at_least(2, reaching)
            strongest.append(self.formula.any_of((two, self.formula.all_of((some, -alone)))))
        yield self.exceeds(strength, _trim_thresholds(strongest))


def _trim_thresholds(thresholds: Iterable[Literal]) -> Thresholds:
    """Return the thresholds up to the first that can never be reached."""
    return tuple(takewhile(lambda threshold: threshold != FALSE, thresholds))
