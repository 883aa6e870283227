"""Decides formulas with CP-SAT: finds an assignment, or one in which the fewest of some literals hold."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from satjudge.search.formulas.clauses import Formula, Literal

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

_TICK = 5000
"""The number of new variables or clauses between two calls of the formula's `tick`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A solver's answer about a formula.

    `values` contains each variable's value by number (index 0 is unused); it is None if no assignment exists or was found in
    time. `exhausted`: it is proved that there is no assignment, or no better one. `bound`: the proved lower bound.
    """

    values: tuple[bool, ...] | None
    exhausted: bool
    bound: int = 0

    def holds(self, literal: Literal) -> bool:
        """Return whether a literal holds in the assignment; `values` must not be None."""
        assert self.values is not None
        return self.values[literal] if literal > 0 else not self.values[-literal]

    @property
    def is_unsatisfiable(self) -> bool:
        """Return whether it is proved that no assignment exists."""
        return self.values is None and self.exhausted


class Solver:
    """A formula passed to CP-SAT.

    Additions to the formula are passed on when the solver is next asked. If `relaxed`, linear relaxations may provide bounds
    when minimising. Some questions are faster without them.
    """

    def __init__(self, formula: Formula, *, workers: int = 1, seed: int = 0, relaxed: bool = True) -> None:
        from ortools.sat.python import cp_model

        self.formula = formula
        self.relaxed = relaxed
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
        """Find within `timeout` an assignment with at most `at_most[1]` true of `at_most[0]`, and the fewest of `minimise`."""
        from ortools.sat.python import cp_model

        self.add_new_parts()
        model = self.model.clone() if at_most is not None or minimise else self.model
        if at_most is not None:
            model.add(self._make_sum(at_most[0]) <= at_most[1])
        if minimise:
            model.minimize(self._make_sum(minimise))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = self.workers
        solver.parameters.interleave_search = self.workers > 1  # otherwise the answer would depend on which worker is faster
        solver.parameters.random_seed = self.seed
        if self.workers == 1 and not minimise:  # mostly clauses: skip presolve steps that only cost time and ignore the limit
            solver.parameters.linearization_level = 0
            solver.parameters.cp_model_probing_level = 0
            solver.parameters.symmetry_level = 0
        if not self.relaxed:
            solver.parameters.linearization_level = 0
        if timeout is not None:
            solver.parameters.max_time_in_seconds = max(timeout, 0.01)
        solver.parameters.catch_sigint_signal = False  # CP-SAT would report a timeout, and swallow the signal for good
        run = _SolverRun(solver, model)
        try:
            status = run.wait(timeout)
        finally:
            if model is self.model and not run.ended.is_set():
                self.model = model.clone()  # the model is still in use
        if status == cp_model.MODEL_INVALID:
            raise ValueError(model.validate())
        found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
        values = tuple(map(bool, solver.response_proto.solution)) if found else None
        bounded = minimise and run.ended.is_set() and status != cp_model.INFEASIBLE
        bound = round(solver.best_objective_bound) if bounded else 0
        return Answer(values, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE), bound)

    def _get_literal(self, literal: Literal) -> cp_model.BoolVarT:
        return self._variables[literal] if literal > 0 else ~self._variables[-literal]

    def _make_sum(self, literals: Sequence[Literal]) -> cp_model.LinearExprT:
        from ortools.sat.python import cp_model

        return cp_model.LinearExpr.sum([self._get_literal(literal) for literal in literals])

    def add_new_parts(self) -> None:
        """Add to the model what was added to the formula since the last call, which can take seconds."""
        formula, literal = self.formula, self._get_literal
        for number in range(len(self._variables), formula.size + 1):
            if number % _TICK == 0:
                formula.tick()
            self._variables.append(self.model.new_bool_var(formula.names.get(number, "")))
        clauses, counts, exclusive = self._posted
        for number, clause in enumerate(formula.clauses[clauses:]):
            if number % _TICK == 0:
                formula.tick()
            self.model.add_bool_or([literal(part) for part in clause])
        for count in formula.counts[counts:]:
            total = self._make_sum(count.literals)
            self.model.add(total >= count.least).only_enforce_if(literal(count.result))
            self.model.add(total < count.least).only_enforce_if(literal(-count.result))
        for parts in formula.exclusive[exclusive:]:
            self.model.add_at_most_one([literal(part) for part in parts])
        self._posted = [len(formula.clauses), len(formula.counts), len(formula.exclusive)]


class _SolverRun:
    """A run of the solver in its own thread, because Python handles no signals while C++ code runs (docs/guides/search.md).

    CP-SAT rarely checks the clock while it simplifies a large model, and may exceed its time limit by seconds. Instead of
    waiting, we abandon the thread, which ends when CP-SAT notices the request to stop.
    """

    begun: ClassVar[list[_SolverRun]] = []
    """Runs that may still be active, even if no caller waits for them, as after Ctrl-C."""

    def __init__(self, solver: cp_model.CpSolver, model: cp_model.CpModel) -> None:
        self.solver = solver
        self.model = model
        self.ended = Event()
        self.status: cp_model.CpSolverStatus | None = None
        self.error: BaseException | None = None
        self.thread = Thread(target=self._run_solver, daemon=True)
        _SolverRun.begun = [run for run in _SolverRun.begun if run.thread.is_alive()] + [self]
        self.thread.start()

    def _run_solver(self) -> None:
        try:
            self.status = self.solver.solve(self.model)
        except BaseException as error:  # raised again in the waiting thread
            self.error = error
        self.ended.set()

    def wait(self, timeout: float | None) -> cp_model.CpSolverStatus:
        """Wait until the solver ends, or stop it after `timeout` seconds or on Ctrl-C; return its status, or `UNKNOWN`."""
        from ortools.sat.python import cp_model

        try:
            self.ended.wait(timeout)
        finally:
            self._stop_solver(_PATIENCE)
            if not self.ended.is_set():
                self._finish()
        if self.error is not None:
            raise self.error
        return cp_model.UNKNOWN if self.status is None else self.status

    def _stop_solver(self, seconds: float) -> None:
        """Ask the solver to stop until it does, for at most `seconds`; it ignores this until it has started."""
        end = monotonic() + seconds
        while not self.ended.is_set() and monotonic() < end:
            self.solver.stop_search()
            self.ended.wait(0.05)

    def _finish(self) -> None:
        Thread(target=self._stop_solver, args=(inf,), daemon=True).start()


_PATIENCE = 0.25
"""The seconds that the solver has to react when it is stopped."""


def is_any_solver_running() -> bool:
    """Return whether the thread of some solver is still running.

    If so, the process must exit without Python's usual shutdown, which would wait for the thread.
    """
    return any(run.thread.is_alive() for run in _SolverRun.begun)


@atexit.register
def _await_solvers() -> None:
    """Stop all solvers and wait until their threads return from C++, as they must before Python exits."""
    for run in _SolverRun.begun:
        while run.thread.is_alive():
            run.solver.stop_search()
            run.thread.join(0.05)
