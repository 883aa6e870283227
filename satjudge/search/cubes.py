"""Divides one large question into many small ones, to be solved by several processes (`satjudge search --jobs`).

A *cube* is the question with one more clause; together the cubes cover every answer. The result is the answer of the first
cube that has one, in the order of the cubes, so it does not depend on the workers. Every cube is solved from scratch: if a
worker is lost, another takes over its cube.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep, time

from satjudge.base.processes import Pool, in_order
from satjudge.search.formulas.cadical import LARGE, LOOK, Cadical, SolverProcess, choose_solver, flatten_clauses
from satjudge.search.formulas.clauses import Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.formulas.file_formats import Clause

CUBES = 16
"""The number of cubes, fixed so that the same seed gives the same answer with any number of workers."""


@dataclass(frozen=True)
class Cube:
    """A part of a question: compressed clauses for CaDiCaL and one more clause, with the conditions under which to give up."""

    clauses: bytes
    more: Clause
    seed: int
    until: float | None
    """The time after which the answer no longer matters, in seconds since the epoch."""
    needless: str
    """The path of a file that is created when the answer no longer matters."""


class NeedlessError(Exception):
    """The error raised to stop a cube whose answer is no longer needed."""


def solve_cube(cube: Cube) -> tuple[bool, bytes | None]:
    """Solve a cube; return whether the solver finished, and the values of all variables (None without a solution)."""

    def look() -> None:
        if Path(cube.needless).exists() or (cube.until is not None and time() > cube.until):
            raise NeedlessError

    clauses = array("i")
    clauses.frombytes(zlib.decompress(cube.clauses))
    clauses.extend((*cube.more, 0))
    process = SolverProcess(cube.seed)
    try:
        return True, process.solve(clauses, check_wanted=look)
    except NeedlessError:
        return False, None
    finally:
        process.end()


class Cubes(Cadical):
    """A formula that CaDiCaL solves cube by cube, by the workers of a pool."""

    def __init__(self, formula: Formula, pool: Pool, *, seed: int = 0) -> None:
        super().__init__(formula, seed=seed)
        self.pool = pool

    def _find_assignment(self, assumptions: list[Literal], timeout: float | None) -> Answer:
        until = None if timeout is None else time() + timeout
        clauses = [*self._written.clauses, *((literal,) for literal in assumptions)]
        packed = zlib.compress(flatten_clauses(clauses).tobytes(), 1)
        executor = self.pool.executor
        assert executor is not None
        with TemporaryDirectory() as directory:
            needless = Path(directory, "needless")
            cubes = (Cube(packed, more, self.seed, until, str(needless)) for more in split_into_cubes(clauses, CUBES))
            try:
                for in_time, values in in_order(lambda cube: executor.submit(solve_cube, cube), cubes, self.pool.max_pending):
                    if values is not None or not in_time:
                        return self._make_answer(values) if in_time else Answer(None, exhausted=False)
                return Answer(None, exhausted=True)
            finally:
                needless.touch()
                sleep(2 * LOOK)  # until all workers have seen the file


def split_into_cubes(clauses: Sequence[Clause], parts: int) -> Iterator[Clause]:
    """Yield up to `parts` parts of the widest clause that known literals shorten, one per cube; (1,) if there is none."""
    units = {clause[0] for clause in clauses if len(clause) == 1}
    known = 0
    widest: Clause = ()
    while known < len(units):
        known, false, widest = len(units), {-unit for unit in units}, ()
        for clause in clauses:
            if not false.isdisjoint(clause) and units.isdisjoint(clause):
                left = tuple(literal for literal in clause if literal not in false)
                if len(left) == 1:
                    units.add(left[0])
                widest = max(widest, left, key=len)
    size = -(-len(widest) // parts) or 1
    yield from (widest[start : start + size] for start in range(0, len(widest), size)) if widest else ((1,),)


def make_solver_factory(pool: Pool) -> Callable[..., Solver | Cadical]:
    """Return a function like `choose_solver`, whose solvers divide large formulas among the workers of the pool."""

    def solver(formula: Formula, *, workers: int = 1, seed: int = 0) -> Solver | Cadical:
        if formula.size < LARGE or pool.executor is None:
            return choose_solver(formula, workers=workers, seed=seed)
        return Cubes(formula, pool, seed=seed)

    return solver
