"""Asks the solver about a board with orders: for all resolutions, for decisions that can matter, for contradictions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ortools.sat.python import cp_model

from satjudge.judging.equations import statement
from satjudge.judging.equations.situation import Decision, Situation
from satjudge.judging.solve.bounds import Values
from satjudge.judging.solve.cpsat.model import Literal, Model, Truth
from satjudge.judging.solve.result import Limits


def new_solver(timeout: float | None = None) -> cp_model.CpSolver:
    """Make a solver that enumerates faithfully: more than one worker returns duplicates and misses solutions.

    A board is a small problem: to simplify it first or to look for symmetries takes longer than to solve it, and hints would
    get lost. Ctrl-C is left to Python: CP-SAT would take it away from it for good.
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
    """The number of solutions that the solver returned; equal to the number of assignments, or an auxiliary variable is
    undefined."""


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: Sequence[cp_model.IntVar], limit: int) -> None:
        super().__init__()
        self.variables = variables
        self.limit = limit
        self.found: list[tuple[bool, ...]] = []
        self.stopped = False

    def on_solution_callback(self) -> None:
        if len(self.found) >= self.limit:
            self.stopped = True  # the solver may call the search exhausted all the same
            self.stop_search()
        else:
            self.found.append(tuple(bool(self.value(variable)) for variable in self.variables))


def enumerate_all(model: Model, *, limit: int = Limits().count, timeout: float | None = None) -> Enumeration:
    """List all assignments of the model's decisions, in a stable order of their own: successes first."""
    indices = tuple(sorted(model.variables))
    if not indices:
        return Enumeration(indices, [()], raw_count=1)
    solver = new_solver(timeout)
    solver.parameters.enumerate_all_solutions = True
    collector = _Collector([model.variables[index] for index in indices], limit)
    status = solver.solve(model.model, collector)
    complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) and not collector.stopped
    return Enumeration(indices, sorted(set(collector.found), reverse=True), complete, len(collector.found))


def solution(model: Model, literals: Mapping[int, Literal] | None = None) -> dict[int, bool] | None:
    """Find the values of these literals (by default the model's decisions) in some solution, or None if there is none."""
    solver = new_solver()
    status = solver.solve(model.model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise RuntimeError(f"the solver ended with {solver.status_name(status)}")
    wanted = model.literals if literals is None else literals
    return {index: solver.boolean_value(literal.variable) for index, literal in wanted.items()}


def unchanging(model: Model, literals: Mapping[int, Literal]) -> dict[int, bool]:
    """Find the literals that have the same value in every solution of the model."""
    return backbone(model, literals, solution(model, literals) or {})


def constant(situation: Situation, values: Values, subject: Decision) -> bool | None:
    """Find the value of the subject's equation whatever the open decisions are, or None if they matter."""
    model = Model(situation, values)
    equation = model.equation(subject.index)
    return equation if isinstance(equation, bool) else unchanging(model, {subject.index: equation}).get(subject.index)


def looks_at(situation: Situation, values: Values, subject: Decision, other: int) -> bool:
    """Tell whether the subject's equation can change if just `other` does, by two copies that must differ."""
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
    return solution(first) is not None


def backbone(model: Model, literals: Mapping[int, Literal], values: Mapping[int, bool]) -> dict[int, bool]:
    """Keep those of these values of literals that are the same in every solution; the model is left without a solution."""
    same = dict(values)
    while same:
        others = [~literals[index].variable if value else literals[index].variable for index, value in same.items()]
        model.model.add_bool_or(others)
        _hint(model, others)  # one must differ; the more of them do, the sooner this ends
        other = solution(model, literals)
        if other is None:
            break
        same = {index: value for index, value in same.items() if other[index] is value}
    return same


def _hint(model: Model, wanted: Sequence[cp_model.BoolVarT]) -> None:
    """Have the solver begin where these literals hold, as far as they can."""
    positive = {literal.index: (literal, True) for literal in wanted if literal.index >= 0}
    negative = {(~literal).index: (~literal, False) for literal in wanted if literal.index < 0}
    model.model.clear_hints()  # type: ignore[no-untyped-call]
    for variable, value in (negative | positive).values():  # a variable may be hinted at but once
        model.model.add_hint(variable, value)


class GuardedEquations:
    """The equations of a board where some decisions have the values wanted; each equation may be dropped."""

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

    def contradiction(self, indices: Collection[int]) -> list[int] | None:
        """Find some equations of these decisions that contradict each other, or None."""
        self.model.model.clear_assumptions()
        self.model.model.add_assumptions([self.guards[index] for index in indices])
        solver = new_solver()
        if solver.solve(self.model.model) != cp_model.INFEASIBLE:
            return None
        blamed = set(solver.sufficient_assumptions_for_infeasibility())
        return [index for index in indices if self.guards[index].index in blamed]
