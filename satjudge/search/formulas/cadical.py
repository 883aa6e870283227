"""Decides formulas (`satjudge.search.formulas.clauses`) with CaDiCaL, which is several times faster than CP-SAT on large ones.

The solver comes with the extra `proofs`. It runs in a separate process, which can be killed if its answer is no longer needed.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import typing
import weakref
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from math import inf
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic

from satjudge.base.errors import SatjudgeError
from satjudge.base.process_tree import Child
from satjudge.search.formulas.clauses import FALSE, Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.formulas.file_formats import Clause, Counters

_PROGRAM = Path(__file__).with_name("cadical_process.py")
"""The program of the solver's process, which is not imported here because the solver is an extra."""
LARGE = 20_000
"""The number of variables at which a formula counts as large; on smaller ones, CP-SAT answers before a process has started."""

LOOK = 0.2
"""The seconds between two checks whether to go on."""


@cache
def is_installed() -> bool:
    """Return whether CaDiCaL is installed."""
    return find_spec("pysat") is not None


def choose_solver(formula: Formula, *, workers: int = 1, seed: int = 0) -> Solver | Cadical:
    """Return a solver for a formula: CaDiCaL if it is installed and the formula is large, else CP-SAT with these `workers`."""
    if is_installed() and formula.size >= LARGE:
        return Cadical(formula, seed=seed)
    return Solver(formula, workers=workers, seed=seed)


class Cadical:
    """A formula passed to CaDiCaL, with the methods of `satjudge.search.formulas.cpsat.Solver`."""

    def __init__(self, formula: Formula, *, seed: int = 0) -> None:
        self.formula = formula
        self.seed = abs(seed)
        self._numbers = [0]
        """The solver's number for each variable, which differs from the formula's because counts add variables in between."""
        self._written = Counters(0)
        self._posted = [0, 0, 0]
        self._limits: dict[tuple[Clause, int], Literal] = {}
        self._process: SolverProcess | None = None
        self._sent = 0

    def add_new_parts(self) -> None:
        """Convert what was added to the formula since the last call to clauses for the solver."""
        formula, written, mapped = self.formula, self._written, self._map_literals
        new = formula.size + 1 - len(self._numbers)
        self._numbers += range(written.size + 1, written.size + 1 + new)
        written.size += new
        clauses, counts, exclusive = self._posted
        written.clauses += map(mapped, formula.clauses[clauses:])
        for count in formula.counts[counts:]:
            written.define(mapped((count.result,))[0], count.least, mapped(count.literals))
        for literals in formula.exclusive[exclusive:]:
            written.require_at_most_one(mapped(literals))
        self._posted = [len(formula.clauses), len(formula.counts), len(formula.exclusive)]

    def _map_literals(self, literals: Sequence[Literal]) -> Clause:
        numbers = self._numbers
        return tuple([numbers[literal] if literal > 0 else -numbers[-literal] for literal in literals])

    def decide(
        self,
        *,
        at_most: tuple[Sequence[Literal], int] | None = None,
        minimise: Sequence[Literal] = (),
        timeout: float | None = None,
    ) -> Answer:
        """Find an assignment of the formula; the parameters and the answer are those of `Solver.decide`.

        When minimising, the answer's bound is 0 until a bound is proved.
        """
        self.add_new_parts()
        end = None if timeout is None else monotonic() + timeout
        limits = [] if at_most is None else [self._add_limit(*at_most)]
        best = self._find_assignment(limits, timeout)
        while minimise and best.values is not None and best.exhausted:
            least = sum(map(best.holds, minimise))
            fewer = [self._add_limit(minimise, least - 1)] if least else [FALSE]
            less = self._find_assignment([*limits, *fewer], None if end is None else max(end - monotonic(), 0.01))
            if less.values is None:
                return Answer(best.values, less.exhausted, least if less.exhausted else 0)
            best = less
        return best

    def _add_limit(self, literals: Sequence[Literal], max_true: int) -> Literal:
        key = self._map_literals(literals), max_true
        if key not in self._limits:
            self._limits[key] = -self._written.make_counter(key[0], max_true + 1)
        return self._limits[key]

    def _find_assignment(self, assumptions: list[Literal], timeout: float | None) -> Answer:
        """Find an assignment in which all assumptions hold; the answer has no values if there is none, or if time runs out."""
        if self._process is None:
            self._process, self._sent = SolverProcess(self.seed), 0
        clauses = self._written.clauses
        new = flatten_clauses(clauses[self._sent :])
        self._sent = len(clauses)
        finished = False
        try:
            values = self._process.solve(new, assumptions, timeout)
            finished = True
        except Empty:
            return Answer(None, exhausted=False)
        finally:
            if not finished:  # time is up, or Ctrl-C was pressed: what the solver has learned is lost
                self._process.end()
                self._process = None
        return self._make_answer(values)

    def _make_answer(self, values: bytes | None) -> Answer:
        """Return the answer with the solver's values, by the formula's variables; None means that no assignment exists."""
        if values is None:
            return Answer(None, exhausted=True)
        return Answer((False, *(bool(values[number - 1]) for number in self._numbers[1:])), exhausted=True)


def flatten_clauses(clauses: Iterable[Clause]) -> array[int]:
    """Return the literals of all clauses in one array, with a 0 after each clause."""
    return array("i", chain.from_iterable((*clause, 0) for clause in clauses))


class SolverProcess:
    """A process that runs a solver, and ends when this object is deleted or `end` is called."""

    def __init__(self, seed: int = 0) -> None:
        command = [sys.executable, "-P", str(_PROGRAM), str(seed)]
        self._process = Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._asking: list[Thread] = []
        self.end = weakref.finalize(self, _end, self._process, self._asking)

    def solve(
        self,
        clauses: array[int],
        assumptions: Sequence[Literal] = (),
        timeout: float | None = None,
        check_wanted: Callable[[], object] | None = None,
        proof: tuple[typing.Literal["drat", "lrat"], Path] | None = None,
    ) -> bytes | None:
        """Add clauses; return a solution's values as bytes, or None; with `proof` (format and file), try to refute these alone.

        Later calls add to the clauses. `check_wanted` is called regularly, and may raise an error to stop the solver. Raises
        `Empty` if the timeout is exceeded. With `proof`, a format and a file, the clauses are a separate question; if there is
        no solution, a proof is written to the file, and the result is None.
        """
        results: Queue[bytes | Exception | None] = Queue()
        question = clauses, list(assumptions), (proof[0], str(proof[1])) if proof else None
        self._asking[:] = [Thread(target=_exchange_messages, args=(self._process, question, results), daemon=True)]
        self._asking[0].start()
        end = inf if timeout is None else monotonic() + timeout
        while True:
            left = end - monotonic()
            try:
                answer = results.get(timeout=min(LOOK, max(left, 0)) if check_wanted else None if left == inf else max(left, 0))
                break
            except Empty:
                if left <= LOOK or check_wanted is None:
                    raise
                check_wanted()
        if isinstance(answer, Exception):
            raise answer
        return answer


def _exchange_messages(process: subprocess.Popen[bytes], question: object, replies: Queue[bytes | Exception | None]) -> None:
    """Send a question to the process and put its answer, or an error, into `replies`; runs in a thread, to allow Ctrl-C."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    try:
        pickle.dump(question, process.stdin)
        process.stdin.flush()
        replies.put(pickle.load(process.stdout))
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        process.wait()
        reason = process.stderr.read().decode(errors="replace").strip()
        replies.put(SatjudgeError(f"CaDiCaL failed: {reason or f'exit {process.returncode}'}"))


def _end(process: Child, asking: Sequence[Thread]) -> None:
    process.end()
    for thread in asking:
        thread.join()  # the thread still reads from the pipes that are closed next
    process.communicate()
