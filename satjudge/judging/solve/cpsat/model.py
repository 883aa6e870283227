"""Reads the equations into a CP-SAT model of a board with orders.

A truth value is a `bool` or a `Literal`, a strength an `int` or a `Linear`. Whatever is constant is folded away, so the
model holds just what is open. Every auxiliary variable is defined in both directions and so is a function of the
decisions: otherwise solutions would repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ortools.sat.python import cp_model

from satjudge.judging.equations import statement
from satjudge.judging.equations.crossings import Crossing, Residue, residue, sorted_out
from satjudge.judging.equations.logic import Adjudication
from satjudge.judging.equations.printing import KINDS
from satjudge.judging.equations.situation import Decision, MoveDecision, Place, Situation
from satjudge.judging.legality.waters import bits, members
from satjudge.judging.solve.bounds import Values


@dataclass(frozen=True, slots=True)
class Literal:
    """A solver literal, with the decisions of which the literal is a function."""

    variable: cp_model.BoolVarT
    reads: frozenset[int]

    def __invert__(self) -> Literal:
        return Literal(~self.variable, self.reads)


@dataclass(frozen=True, slots=True)
class Linear:
    """A strength: a solver expression with its bounds, and the decisions of which the strength is a function."""

    expression: cp_model.LinearExprT
    low: int
    high: int
    reads: frozenset[int]


MOST_LISTED = 32
"""So many routes of open fleets are listed; more are followed level by level."""

Truth: TypeAlias = bool | Literal
Strength: TypeAlias = int | Linear


class _CpModel(cp_model.CpModel):
    """Without the names that methods had in older releases: to make them takes as long as to solve a small model."""

    def _add_pre_pep8_methods(self) -> None:
        pass


class Model(Adjudication[Truth, Strength]):
    """The equations of a situation as a CP-SAT model.

    Decisions with a value in `values` are constants; of the others those in `only` (by default all) are variables, and the
    rest must not matter. With `named` every PATH and strength is a variable of its own. Equations are posted by `post`.
    """

    def __init__(
        self, situation: Situation, values: Values, *, only: Collection[int] | None = None, beside: Model | None = None
    ) -> None:
        self.situation = situation
        self.values = values
        self.model: cp_model.CpModel = beside.model if beside else _CpModel()
        self.named = False
        self.paths: dict[int, Truth] = {}
        self.strengths: dict[tuple[str, int | str], Strength] = {}
        self.variables: dict[int, cp_model.IntVar] = {}
        for index, value in enumerate(values):
            if value is None and (only is None or index in only):
                shared = beside.variables.get(index) if beside else None
                self.variables[index] = self.model.new_bool_var("") if shared is None else shared
        self.literals = {index: Literal(variable, frozenset((index,))) for index, variable in self.variables.items()}

    def equation(self, index: int) -> Truth:
        """Read the equation of a decision, without demanding that the decision's variable agree."""
        return statement.decision(self, self.situation.decisions[index])

    def settle(self, index: int, value: bool) -> None:
        """Make a decision a constant for what is read from now on, and keep its value in `values`."""
        self.values[index] = value
        del self.literals[index]
        self.model.add(self.variables.pop(index) == int(value))  # what was read before is made of the variable

    def demand(self, index: int, equation: Literal) -> None:
        """Post that a decision agrees with its equation."""
        variable = self.variables[index]
        self.model.add_implication(variable, equation.variable)
        self.model.add_implication(equation.variable, variable)

    def post(self) -> dict[int, frozenset[int]]:
        """Post the equation of every variable.

        Returns for each the variables that its equation is made of.
        """
        reads: dict[int, frozenset[int]] = {}
        for index, variable in self.variables.items():
            equation = self.equation(index)
            if isinstance(equation, Literal):
                self.demand(index, equation)
                reads[index] = equation.reads
            else:
                self.model.add(variable == int(equation))
                reads[index] = frozenset()
        return reads

    def posted(self) -> Model:
        """Return this model with all its equations posted."""
        self.post()
        return self

    def with_names(self) -> Model:
        """Return this model with a variable for every PATH and strength, so that they can be read in a solution."""
        self.named = True
        for index, variable in self.variables.items():
            subject = self.situation.decisions[index]
            variable.with_name(f"{KINDS[type(subject)]}[{subject}]")
        for move in self.situation.moves:
            self.path(move), self.attack(move), self.prevent(move), self.defend(move)
        for place in self.situation.places.values():
            self.hold(place)
        return self

    def _is_current(self, term: Truth | Strength) -> bool:
        """Whether none of the decisions that a term was made of has become a constant since."""
        return isinstance(term, int) or self.literals.keys() >= term.reads

    # The language.

    def constant(self, value: bool) -> Truth:
        """Return a constant truth value."""
        return value

    def zero(self) -> Strength:
        """Return the strength 0."""
        return 0

    def all_of(self, parts: Iterable[Truth]) -> Truth:
        """Make a literal that is equivalent to the conjunction."""
        open_parts: dict[int, Literal] = {}
        for part in parts:
            if isinstance(part, Literal):
                open_parts[part.variable.index] = part
            elif not part:
                return False
        literals = list(open_parts.values())
        if len(literals) <= 1:
            return literals[0] if literals else True
        result = self._literal("and", literals)
        variables = [literal.variable for literal in literals]
        self.model.add_bool_and(variables).only_enforce_if(result.variable)
        self.model.add_bool_or([~variable for variable in variables] + [result.variable])
        return result

    def any_of(self, parts: Iterable[Truth]) -> Truth:
        """Make a literal that is equivalent to the disjunction."""
        return _negation(self.all_of(_negation(part) for part in parts))

    def none_of(self, parts: Iterable[Truth]) -> Truth:
        """Make a literal that is equivalent to no part holding."""
        return self.all_of(_negation(part) for part in parts)

    def total(self, base: int, parts: Iterable[Truth]) -> Strength:
        """Make a linear expression of the sum."""
        literals: list[Literal] = []
        for part in parts:
            if isinstance(part, Literal):
                literals.append(part)
            else:
                base += part
        if not literals:
            return base
        expression = cp_model.LinearExpr.sum([literal.variable for literal in literals]) + base
        return Linear(expression, base, base + len(literals), _reads(literals))

    def exceeds(self, one: Strength, other: Strength) -> Truth:
        """Make a literal that is equivalent to the comparison."""
        one, other = _linear(one), _linear(other)
        if one.low > other.high:
            return True
        if one.high <= other.low:
            return False
        result = self._literal("exceeds", (one, other))
        self.model.add(one.expression >= other.expression + 1).only_enforce_if(result.variable)
        self.model.add(one.expression <= other.expression).only_enforce_if(~result.variable)
        return result

    def choose(self, condition: Truth, larger: Strength, smaller: Strength) -> Strength:
        """Make an integer variable that equals the one strength or the other."""
        if isinstance(condition, bool):
            return larger if condition else smaller
        one, other = _linear(larger), _linear(smaller)
        if one.low == one.high == other.low == other.high:
            return one.low
        low, high = min(one.low, other.low), max(one.high, other.high)
        variable = self.model.new_int_var(low, high, "choose")
        self.model.add(variable == one.expression).only_enforce_if(condition.variable)
        self.model.add(variable == other.expression).only_enforce_if(~condition.variable)
        return Linear(variable, low, high, one.reads | other.reads | condition.reads)

    def _literal(self, name: str, parts: Sequence[Literal | Linear]) -> Literal:
        return Literal(self.model.new_bool_var(name), _reads(parts))

    # The decisions.

    def decided(self, decision: Decision) -> Truth:
        """Return the variable of a decision, or the value that it has."""
        literal = self.literals.get(decision.index)
        return bool(self.values[decision.index]) if literal is None else literal

    # The derived terms are worked out once each.

    def path(self, move: MoveDecision) -> Truth:
        """Read PATH once for all that read it."""
        truth = self.paths.get(move.index)
        if truth is None or not self._is_current(truth):
            truth = super().path(move)
            if self.named:
                variable = self.model.new_bool_var(f"PATH[{move}]")
                self.model.add(variable == (int(truth) if isinstance(truth, bool) else truth.variable))
            self.paths[move.index] = truth
        return truth

    def _strength(self, name: str, key: int | str, label: object, work_out: Callable[[], Strength]) -> Strength:
        strength = self.strengths.get((name, key))
        if strength is None or not self._is_current(strength):
            strength = work_out()
            if self.named:
                linear = _linear(strength)
                variable = self.model.new_int_var(linear.low, linear.high, f"{name}[{label}]")
                self.model.add(variable == linear.expression)
                strength = Linear(variable, linear.low, linear.high, linear.reads)
            self.strengths[name, key] = strength
        return strength

    def hold(self, place: Place) -> Strength:
        """Read HOLD once for all that read it."""
        return self._strength("HOLD", place.province, place, lambda: statement.hold(self, place))

    def attack(self, move: MoveDecision) -> Strength:
        """Read ATTACK once for all that read it."""
        return self._strength("ATTACK", move.index, move, lambda: statement.attack(self, move))

    def prevent(self, move: MoveDecision) -> Strength:
        """Read PREVENT once for all that read it."""
        return self._strength("PREVENT", move.index, move, lambda: statement.prevent(self, move))

    def defend(self, move: MoveDecision) -> Strength:
        """Read DEFEND once for all that read it."""
        return self._strength("DEFEND", move.index, move, lambda: statement.defend(self, move))

    def connected(self, move: MoveDecision, crossing: Crossing, standing: dict[int, Truth], not_last: int = 0) -> Truth:
        """By bounds first; then by the routes of fleets that are open, or, where these are many, by levels.

        A fleet is reached in the first level at the one coast, in the next also from those reached before. So every level is
        a function of the one before, and fleets do not justify each other.
        """
        sure, still_open = sorted_out(standing)
        left = residue(crossing, sure, bits(still_open), not_last)
        if isinstance(left, bool):
            return left
        relevant = {number: truth for number, truth in still_open.items() if left.matters(number)}
        routes = left.routes(MOST_LISTED)
        if routes is not None:
            return self.any_of(self.all_of(relevant[number] for number in route) for route in routes)
        reached: dict[int, Truth] = {n: truth for n, truth in relevant.items() if left.start >> n & 1}
        for _ in range(len(relevant) - 1):
            reached = {n: self.all_of((truth, self._comes_to(left, reached, n))) for n, truth in relevant.items()}
        return self.any_of(truth for n, truth in reached.items() if left.goal >> n & 1)

    def _comes_to(self, left: Residue, reached: dict[int, Truth], number: int) -> Truth:
        if left.start >> number & 1:
            return True
        return self.any_of(reached[other] for other in members(left.near[number] | 1 << number) if other in reached)

    # Asking the solver.

    def write(self, path: Path) -> None:
        """Write the model as a CP-SAT text protocol buffer."""
        if not self.model.export_to_file(str(path)):
            raise OSError(f"the solver could not write {path}")


def _negation(truth: Truth) -> Truth:
    return not truth if isinstance(truth, bool) else ~truth


def _linear(strength: Strength) -> Linear:
    return strength if isinstance(strength, Linear) else Linear(strength, strength, strength, frozenset())


def _reads(parts: Iterable[Literal | Linear]) -> frozenset[int]:
    return frozenset[int]().union(*(part.reads for part in parts))
