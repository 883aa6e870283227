"""Translates the equations of a board with orders into a CP-SAT model, and asks the solver about it.

A truth value is a `bool` or a `Literal`, a strength an `int` or a `Linear`. Constants are simplified away, so
the model has only open decisions. Every auxiliary variable is defined in both directions, and so is a function of the
decisions: otherwise solutions would repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ortools.sat.python import cp_model

from satjudge.judging.equations import statement
from satjudge.judging.equations.convoy_graph import ConvoyGraph, ResidualGraph, find_residual, split_fleets
from satjudge.judging.equations.logic import Adjudication
from satjudge.judging.equations.printing import KINDS
from satjudge.judging.equations.situation import Decision, MoveDecision, Place, Situation
from satjudge.judging.legality.waters import bit_set, iter_members
from satjudge.judging.solve.bounds import Values
from satjudge.judging.solve.result import Limits


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
"""The maximum number of routes of open fleets to list; if there are more, they are encoded level by level."""

Truth: TypeAlias = bool | Literal
Strength: TypeAlias = int | Linear


class _CpModel(cp_model.CpModel):
    """A CP-SAT model without the deprecated names of its methods: adding these takes as long as solving a small model."""

    def _add_pre_pep8_methods(self) -> None:
        pass


class Model(Adjudication[Truth, Strength]):
    """The equations of a situation as a CP-SAT model.

    Decisions with a value in `values` are constants. Of the others, those whose index is in `open_indices` (by default all) are
    variables, and the rest must not matter. `beside` is a model to which this one adds its equations, with its variables.
    """

    def __init__(
        self, situation: Situation, values: Values, *, open_indices: Collection[int] | None = None, beside: Model | None = None
    ) -> None:
        self.situation = situation
        self.values = values
        self.model: cp_model.CpModel = beside.model if beside else _CpModel()
        self.named = False
        self.paths: dict[int, Truth] = {}
        self.strengths: dict[tuple[str, int | str], Strength] = {}
        self.variables: dict[int, cp_model.IntVar] = {}
        for index, value in enumerate(values):
            if value is None and (open_indices is None or index in open_indices):
                shared = beside.variables.get(index) if beside else None
                self.variables[index] = self.model.new_bool_var("") if shared is None else shared
        self.literals = {index: Literal(variable, frozenset((index,))) for index, variable in self.variables.items()}

    def read_equation(self, index: int) -> Truth:
        """Return a literal, or constant, that equals a decision's equation, without requiring that the decision equals it."""
        return statement.decision(self, self.situation.decisions[index])

    def settle(self, index: int, value: bool) -> None:
        """Fix the value of a decision's variable, and treat the decision as a constant in equations added later."""
        self.values[index] = value
        del self.literals[index]
        self.model.add(self.variables.pop(index) == int(value))  # earlier equations use the variable

    def require_equation(self, index: int, equation: Literal) -> None:
        """Add the constraint that the decision with this index equals the literal of its equation."""
        variable = self.variables[index]
        self.model.add_implication(variable, equation.variable)
        self.model.add_implication(equation.variable, variable)

    def post_equations(self) -> dict[int, frozenset[int]]:
        """Add the constraint that each variable equals its equation, and return the decisions that each equation reads.

        Both are identified by their indices.
        """
        reads: dict[int, frozenset[int]] = {}
        for index, variable in self.variables.items():
            equation = self.read_equation(index)
            if isinstance(equation, Literal):
                self.require_equation(index, equation)
                reads[index] = equation.reads
            else:
                self.model.add(variable == int(equation))
                reads[index] = frozenset()
        return reads

    def with_equations(self) -> Model:
        """Add the equations of all variables to this model as constraints, and return this model."""
        self.post_equations()
        return self

    def with_names(self) -> Model:
        """Name all variables, and add one for each PATH and strength, so that solutions show them; return this model."""
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
        """Return whether all decisions on which a term depends are still variables."""
        return isinstance(term, int) or self.literals.keys() >= term.reads

    # The logic.

    def constant(self, value: bool) -> Truth:
        """Return the truth value itself."""
        return value

    def zero(self) -> Strength:
        """Return the strength 0."""
        return 0

    def all_of(self, parts: Iterable[Truth]) -> Truth:
        """Return a literal, or constant, that is true if and only if all parts are."""
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
        """Return a literal, or constant, that is true if and only if some part is."""
        return _negate(self.all_of(_negate(part) for part in parts))

    def none_of(self, parts: Iterable[Truth]) -> Truth:
        """Return a literal, or constant, that is true if and only if no part is."""
        return self.all_of(_negate(part) for part in parts)

    def total(self, base: int, parts: Iterable[Truth]) -> Strength:
        """Return `base` plus the number of true parts, as a `Linear` (an expression with its bounds) or a number."""
        literals: list[Literal] = []
        for part in parts:
            if isinstance(part, Literal):
                literals.append(part)
            else:
                base += part
        if not literals:
            return base
        expression = cp_model.LinearExpr.sum([literal.variable for literal in literals]) + base
        return Linear(expression, base, base + len(literals), _join_reads(literals))

    def exceeds(self, one: Strength, other: Strength) -> Truth:
        """Return a literal, or constant, that is true if and only if the first strength exceeds the other."""
        one, other = _as_linear(one), _as_linear(other)
        if one.low > other.high:
            return True
        if one.high <= other.low:
            return False
        result = self._literal("exceeds", (one, other))
        self.model.add(one.expression >= other.expression + 1).only_enforce_if(result.variable)
        self.model.add(one.expression <= other.expression).only_enforce_if(~result.variable)
        return result

    def choose(self, condition: Truth, larger: Strength, smaller: Strength) -> Strength:
        """Return a `Linear` (a variable and bounds) or number that equals `larger` if the condition holds, else `smaller`."""
        if isinstance(condition, bool):
            return larger if condition else smaller
        one, other = _as_linear(larger), _as_linear(smaller)
        if one.low == one.high == other.low == other.high:
            return one.low
        low, high = min(one.low, other.low), max(one.high, other.high)
        variable = self.model.new_int_var(low, high, "choose")
        self.model.add(variable == one.expression).only_enforce_if(condition.variable)
        self.model.add(variable == other.expression).only_enforce_if(~condition.variable)
        return Linear(variable, low, high, one.reads | other.reads | condition.reads)

    def _literal(self, name: str, parts: Sequence[Literal | Linear]) -> Literal:
        return Literal(self.model.new_bool_var(name), _join_reads(parts))

    # The decisions.

    def value_of(self, decision: Decision) -> Truth:
        """Return the literal of a decision's variable, or the decision's value if it has one."""
        literal = self.literals.get(decision.index)
        return bool(self.values[decision.index]) if literal is None else literal

    # Each derived term is encoded only once.

    def path(self, move: MoveDecision) -> Truth:
        """Return PATH of a move in the model, encoded once and shared by all constraints that use it."""
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
                linear = _as_linear(strength)
                variable = self.model.new_int_var(linear.low, linear.high, f"{name}[{label}]")
                self.model.add(variable == linear.expression)
                strength = Linear(variable, linear.low, linear.high, linear.reads)
            self.strengths[name, key] = strength
        return strength

    def hold(self, place: Place) -> Strength:
        """Return HOLD of a place in the model, encoded once and shared by all constraints that use it."""
        return self._strength("HOLD", place.province, place, lambda: statement.hold(self, place))

    def attack(self, move: MoveDecision) -> Strength:
        """Return ATTACK of a move in the model, encoded once and shared by all constraints that use it."""
        return self._strength("ATTACK", move.index, move, lambda: statement.attack(self, move))

    def prevent(self, move: MoveDecision) -> Strength:
        """Return PREVENT of a move in the model, encoded once and shared by all constraints that use it."""
        return self._strength("PREVENT", move.index, move, lambda: statement.prevent(self, move))

    def defend(self, move: MoveDecision) -> Strength:
        """Return DEFEND of a move in the model, encoded once and shared by all constraints that use it."""
        return self._strength("DEFEND", move.index, move, lambda: statement.defend(self, move))

    def connects_coasts(self, move: MoveDecision, graph: ConvoyGraph, truths: dict[int, Truth], not_last: int = 0) -> Truth:
        """Return a literal, or constant, that is true if and only if fleets with these truth values connect the coasts.

        If the open fleets have too many routes to list, the literal is encoded by levels. The first level contains the fleets
        at one coast; each further level adds their neighbours. So fleets cannot justify each other in a circle.
        """
        sure, still_open = split_fleets(truths)
        left = find_residual(graph, sure, bit_set(still_open), not_last)
        if isinstance(left, bool):
            return left
        relevant = {number: truth for number, truth in still_open.items() if left.is_relevant(number)}
        routes = left.list_routes(MOST_LISTED)
        if routes is not None:
            return self.any_of(self.all_of(relevant[number] for number in route) for route in routes)
        reached: dict[int, Truth] = {n: truth for n, truth in relevant.items() if left.start >> n & 1}
        for _ in range(len(relevant) - 1):
            reached = {n: self.all_of((truth, self._is_reached(left, reached, n))) for n, truth in relevant.items()}
        return self.any_of(truth for n, truth in reached.items() if left.goal >> n & 1)

    def _is_reached(self, left: ResidualGraph, reached: dict[int, Truth], number: int) -> Truth:
        if left.start >> number & 1:
            return True
        return self.any_of(reached[other] for other in iter_members(left.near[number] | 1 << number) if other in reached)

    # The solver.

    def write(self, path: Path) -> None:
        """Write the model as a CP-SAT protocol buffer: as text if the path ends in `txt`, else binary; raises `OSError`."""
        if not self.model.export_to_file(str(path)):
            raise OSError(f"the solver could not write {path}")


def _negate(truth: Truth) -> Truth:
    return not truth if isinstance(truth, bool) else ~truth


def _as_linear(strength: Strength) -> Linear:
    return strength if isinstance(strength, Linear) else Linear(strength, strength, strength, frozenset())


def _join_reads(parts: Iterable[Literal | Linear]) -> frozenset[int]:
    return frozenset[int]().union(*(part.reads for part in parts))


# ---- questions about a board with orders: all resolutions, decisions that can matter, contradictions ----


def new_solver(timeout: float | None = None) -> cp_model.CpSolver:
    """Return a solver with one worker, which enumerates correctly: several would return duplicates and miss solutions.

    Boards are small problems: presolving them or looking for symmetries takes longer than solving them, and would lose hints.
    `timeout` is in seconds. Python handles Ctrl-C, because CP-SAT would replace its handler permanently.
    """
    solver = cp_model.CpSolver()
    solver.parameters.catch_sigint_signal = False
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    solver.parameters.symmetry_level = 0
    if timeout is not None:
        solver.parameters.max_time_in_seconds = timeout
    return solver


@dataclass(slots=True)
class Enumeration:
    """The assignments of the open decisions that satisfy their equations, as tuples in the order of `indices`."""

    indices: tuple[int, ...]
    assignments: list[tuple[bool, ...]] = field(default_factory=list)
    complete: bool = True
    raw_count: int = 0
    """The number of solutions that the solver returned. If it differs from the number of assignments, an auxiliary variable
    is not fully defined."""


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: Sequence[cp_model.IntVar], limit: int) -> None:
        super().__init__()
        self.variables = variables
        self.limit = limit
        self.found: list[tuple[bool, ...]] = []
        self.stopped = False

    def on_solution_callback(self) -> None:
        if len(self.found) >= self.limit:
            self.stopped = True  # since the solver may still report a complete search
            self.stop_search()
        else:
            self.found.append(tuple(bool(self.value(variable)) for variable in self.variables))


def enumerate_all(model: Model, *, limit: int = Limits().count, timeout: float | None = None) -> Enumeration:
    """List up to `limit` assignments of the model's variables that are solutions, sorted with successes first."""
    indices = tuple(sorted(model.variables))
    if not indices:
        return Enumeration(indices, [()], raw_count=1)
    solver = new_solver(timeout)
    solver.parameters.enumerate_all_solutions = True
    collector = _Collector([model.variables[index] for index in indices], limit)
    status = solver.solve(model.model, collector)
    complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) and not collector.stopped
    return Enumeration(indices, sorted(set(collector.found), reverse=True), complete, len(collector.found))


def find_solution(model: Model, literals: Mapping[int, Literal] | None = None) -> dict[int, bool] | None:
    """Return, by index, the values of these literals (by default, of open decisions) in one solution; None if there is none."""
    solver = new_solver()
    status = solver.solve(model.model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise RuntimeError(f"the solver ended with {solver.status_name(status)}")
    wanted = model.literals if literals is None else literals
    return {index: solver.boolean_value(literal.variable) for index, literal in wanted.items()}


def find_unchanging(model: Model, literals: Mapping[int, Literal]) -> dict[int, bool]:
    """Return, by index, the values of literals that are the same in every solution; adds constraints to the model."""
    return find_backbone(model, literals, find_solution(model, literals) or {})


def find_constant(situation: Situation, values: Values, subject: Decision) -> bool | None:
    """Return the value of the subject's equation if it is the same for all values of the open decisions, else None."""
    model = Model(situation, values)
    equation = model.read_equation(subject.index)
    return equation if isinstance(equation, bool) else find_unchanging(model, {subject.index: equation}).get(subject.index)


def looks_at(situation: Situation, values: Values, subject: Decision, other: int) -> bool:
    """Return whether changing only the decision with the index `other` can change the value of the subject's equation."""
    copies: list[Truth] = []
    first: Model | None = None
    for value in (True, False):
        changed = list(values)
        changed[other] = value
        model = Model(situation, changed, beside=first)
        copies.append(statement.decision(model, subject))
        first = first or model
    assert first is not None
    one, two = copies
    if isinstance(one, bool) and isinstance(two, bool):
        return one is not two
    first.model.add_bool_xor([copy if isinstance(copy, bool) else copy.variable for copy in copies])
    return find_solution(first) is not None


def find_backbone(model: Model, literals: Mapping[int, Literal], values: Mapping[int, bool]) -> dict[int, bool]:
    """Return those of the `values` that the literals have in every solution, by index; adds constraints to the model."""
    same = dict(values)
    while same:
        others = [~literals[index].variable if value else literals[index].variable for index, value in same.items()]
        model.model.add_bool_or(others)
        _set_hints(model, others)  # one must differ; the more differ, the sooner this ends
        other = find_solution(model, literals)
        if other is None:
            break
        same = {index: value for index, value in same.items() if other[index] is value}
    return same


def _set_hints(model: Model, wanted: Sequence[cp_model.BoolVarT]) -> None:
    """Hint to the solver that it should first try values for which these literals are true."""
    positive = {literal.index: (literal, True) for literal in wanted if literal.index >= 0}
    negative = {(~literal).index: (~literal, False) for literal in wanted if literal.index < 0}
    model.model.clear_hints()  # type: ignore[no-untyped-call]
    for variable, value in (negative | positive).values():  # a variable may have only one hint
        model.model.add_hint(variable, int(value))  # type: ignore[call-overload]  # ortools 9.10 takes no truth value


class GuardedEquations:
    """The equations of a board on which some decisions have `wanted` values; each query chooses which equations must hold."""

    def __init__(self, situation: Situation, wanted: Mapping[int, bool], values: Values) -> None:
        self.model = Model(situation, values)
        for index, value in wanted.items():
            self.model.model.add(self.model.variables[index] == int(value))
        self.guards: dict[int, cp_model.IntVar] = {}
        for index, variable in self.model.variables.items():
            truth = statement.decision(self.model, situation.decisions[index])
            self.guards[index] = self.model.model.new_bool_var(f"equation[{situation.decisions[index]}]")
            expression = int(truth) if isinstance(truth, bool) else truth.variable
            self.model.model.add(variable == expression).only_enforce_if(self.guards[index])

    def find_contradiction(self, indices: Collection[int]) -> list[int] | None:
        """Return the indices of some of these equations that cannot all hold; None if all equations of `indices` can."""
        self.model.model.clear_assumptions()
        self.model.model.add_assumptions([self.guards[index] for index in indices])
        solver = new_solver()
        if solver.solve(self.model.model) != cp_model.INFEASIBLE:
            return None
        blamed = set(solver.sufficient_assumptions_for_infeasibility())
        return [index for index in indices if self.guards[index].index in blamed]
