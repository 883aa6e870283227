"""CP-SAT decides formulas (`satjudge.solve.clauses`): is there an assignment, and which has the fewest of some literals?"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from ortools.sat.python import cp_model

from satjudge.solve.clauses import Formula, Literal


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solver found.

    `values` is the value of every variable by number (the first stands for nothing), or None if there is no assignment or
    none was found in time. `exhausted`: nothing better is left. `bound`: the objective cannot be less.
    """

    values: tuple[bool, ...] | None
    exhausted: bool
    bound: int = 0

    def holds(self, literal: Literal) -> bool:
        """Whether a literal holds in the assignment. There must be one."""
        assert self.values is not None
        return self.values[literal] if literal > 0 else not self.values[-literal]

    @property
    def none(self) -> bool:
        """Whether it is proved that there is no assignment."""
        return self.values is None and self.exhausted


class Solver:
    """A formula before the solver. What is added to the formula later is added to the model when it is next asked."""

    def __init__(self, formula: Formula, *, workers: int = 2, seed: int = 0) -> None:
        self.formula = formula
        self.workers = workers
        self.seed = seed
        self.model = cp_model.CpModel()
        self._variables: list[cp_model.IntVar] = [self.model.new_constant(0)]
        self._posted = [0, 0, 0]

    def decide(
        self,
        *,
        at_most: tuple[Sequence[Literal], int] | None = None,
        minimise: Sequence[Literal] = (),
        timeout: float | None = None,
    ) -> Answer:
        """An assignment in which at most so many of some literals hold, with as few as can be of those to minimise.

        `timeout` is in seconds.
        """
        self.post()
        model = self.model.clone()
        if at_most is not None:
            model.add(self._sum(at_most[0]) <= at_most[1])
        if minimise:
            model.minimize(self._sum(minimise))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = self.workers
        solver.parameters.random_seed = self.seed
        if timeout is not None:
            solver.parameters.max_time_in_seconds = max(timeout, 0.01)
        status = _solved(solver, model)
        if status == cp_model.MODEL_INVALID:
            raise ValueError(model.validate())
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        values = tuple(map(bool, solver.response_proto.solution)) if found else None
        bound = round(solver.best_objective_bound) if minimise and status != cp_model.INFEASIBLE else 0
        return Answer(values, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE), bound)

    def _literal(self, literal: Literal) -> cp_model.BoolVarT:
        return self._variables[literal] if literal > 0 else ~self._variables[-literal]

    def _sum(self, literals: Sequence[Literal]) -> cp_model.LinearExprT:
        return cp_model.LinearExpr.sum([self._literal(literal) for literal in literals])

    def post(self) -> None:
        """Add what is new in the formula to the model; a large formula takes seconds."""
        formula, literal = self.formula, self._literal
        for number in range(len(self._variables), formula.size + 1):
            self._variables.append(self.model.new_bool_var(formula.names.get(number, "")))
        clauses, counts, exclusive = self._posted
        for clause in formula.clauses[clauses:]:
            self.model.add_bool_or([literal(part) for part in clause])
        for count in formula.counts[counts:]:
            total = self._sum(count.literals)
            self.model.add(total >= count.least).only_enforce_if(literal(count.result))
            self.model.add(total < count.least).only_enforce_if(literal(-count.result))
        for parts in formula.exclusive[exclusive:]:
            self.model.add_at_most_one([literal(part) for part in parts])
        self._posted = [len(formula.clauses), len(formula.counts), len(formula.exclusive)]


def _solved(solver: cp_model.CpSolver, model: cp_model.CpModel) -> cp_model.CpSolverStatus:
    """Solve so that Ctrl-C ends it with `KeyboardInterrupt`: in a thread, for Python sees no signal until C++ returns."""
    solver.parameters.catch_sigint_signal = False  # CP-SAT would say that the time is up, and take the signal for good
    with ThreadPoolExecutor(1) as thread:
        solving = thread.submit(solver.solve, model)
        try:
            return solving.result()
        finally:
            while not solving.done():  # it cannot be stopped before it has begun
                solver.stop_search()
                wait((solving,), timeout=0.05)
