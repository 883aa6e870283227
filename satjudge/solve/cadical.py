"""CaDiCaL decides formulas (`satjudge.solve.clauses`), as CP-SAT does, and large ones several times as fast.

It comes with the extra `proofs`, and works in a process of its own, which is ended if it is not to be waited for.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import weakref
from array import array
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic

from satjudge.errors import SatjudgeError
from satjudge.solve.clauses import Formula, Literal
from satjudge.solve.cpsat import Answer, Solver
from satjudge.solve.dimacs import Clause, Counters

_PROGRAM = Path(__file__).with_name("cadical_process.py")
"""It is not imported here: the solver is an extra."""
_LARGE = 20_000
"""Of so many variables. With fewer, CP-SAT has answered before a process has begun."""


@cache
def installed() -> bool:
    """Whether there is CaDiCaL."""
    return find_spec("pysat") is not None


def solver_for(formula: Formula, *, workers: int = 1, seed: int = 0) -> Solver | Cadical:
    """Who is best asked about a formula: CaDiCaL if there is one and the formula is large, else CP-SAT."""
    if installed() and formula.size >= _LARGE:
        return Cadical(formula, seed=seed)
    return Solver(formula, workers=workers, seed=seed)


class Cadical:
    """A formula before CaDiCaL, to be asked as `satjudge.solve.cpsat.Solver` is."""

    def __init__(self, formula: Formula, *, seed: int = 0) -> None:
        self.formula = formula
        self.seed = abs(seed)
        self._numbers = [0]
        """The solver's number for each variable: others may come up between them, for counts."""
        self._written = Counters(0)
        self._posted = [0, 0, 0]
        self._process: _Process | None = None

    def post(self) -> None:
        """Write what is new in the formula as clauses."""
        formula, written, mapped = self.formula, self._written, self._mapped
        new = formula.size + 1 - len(self._numbers)
        self._numbers += range(written.size + 1, written.size + 1 + new)
        written.size += new
        clauses, counts, exclusive = self._posted
        written.clauses += map(mapped, formula.clauses[clauses:])
        for count in formula.counts[counts:]:
            written.define(mapped((count.result,))[0], count.least, mapped(count.literals))
        for literals in formula.exclusive[exclusive:]:
            written.one_at_most(mapped(literals))
        self._posted = [len(formula.clauses), len(formula.counts), len(formula.exclusive)]

    def _mapped(self, literals: Sequence[Literal]) -> Clause:
        numbers = self._numbers
        return tuple([numbers[literal] if literal > 0 else -numbers[-literal] for literal in literals])

    def decide(
        self,
        *,
        at_most: tuple[Sequence[Literal], int] | None = None,
        minimise: Sequence[Literal] = (),
        timeout: float | None = None,
    ) -> Answer:
        """As `Solver.decide`. Of what is minimised so many are tried one after the other, from none on."""
        self.post()
        end, bound = None if timeout is None else monotonic() + timeout, 0
        limits = [] if at_most is None else [self._at_most(*at_most)]
        while True:
            few = [self._at_most(minimise, bound)] if bound < len(minimise) else []
            answer = self._asked([*limits, *few], None if end is None else max(end - monotonic(), 0.01))
            if not (answer.none and few):
                return Answer(answer.values, answer.exhausted, 0 if answer.none else bound)
            bound += 1

    def _at_most(self, literals: Sequence[Literal], most: int) -> Literal:
        return -self._written.counter(self._mapped(literals), most + 1)

    def _asked(self, assumptions: list[Literal], timeout: float | None) -> Answer:
        """An assignment, None if time was up or there is none."""
        if self._process is None:
            self._process = _Process(self.seed)
        finished = False
        try:
            values = self._process.ask(self._written.clauses, assumptions, timeout)
            finished = True
        except Empty:
            return Answer(None, exhausted=False)
        finally:
            if not finished:  # time is up, or Ctrl-C: what it has learnt is lost
                self._process.end()
                self._process = None
        return Answer(None if values is None else (False, *(values[n - 1] for n in self._numbers[1:])), exhausted=True)


class _Process:
    """A solver at work elsewhere."""

    def __init__(self, seed: int) -> None:
        command = [sys.executable, "-P", str(_PROGRAM), str(seed)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        self._sent = 0
        self._asking: list[Thread] = []
        self.end = weakref.finalize(self, _end, self._process, self._asking)

    def ask(self, clauses: Sequence[Clause], assumptions: list[Literal], timeout: float | None) -> list[bool] | None:
        """Tell it the clauses that it does not know. The values of all variables; raises `Empty` if it takes too long."""
        flat = array("i")
        for clause in clauses[self._sent :]:
            flat.extend(clause)
            flat.append(0)
        self._sent = len(clauses)
        told: Queue[list[bool] | Exception | None] = Queue()
        self._asking[:] = [Thread(target=_exchange, args=(self._process, (flat, assumptions), told), daemon=True)]
        self._asking[0].start()
        answer = told.get(timeout=timeout)
        if isinstance(answer, Exception):
            raise answer
        return answer


def _exchange(process: subprocess.Popen[bytes], question: object, told: Queue[list[bool] | Exception | None]) -> None:
    """Put a question to the process, in a thread of its own, so that Ctrl-C is heard meanwhile."""
    assert process.stdin
    assert process.stdout
    assert process.stderr
    try:
        pickle.dump(question, process.stdin)
        process.stdin.flush()
        values = pickle.load(process.stdout)
        told.put(None if values is None else list(map(bool, values)))
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        process.wait()
        reason = process.stderr.read().decode(errors="replace").strip()
        told.put(SatjudgeError(f"CaDiCaL failed: {reason or f'exit {process.returncode}'}"))


def _end(process: subprocess.Popen[bytes], asking: Sequence[Thread]) -> None:
    process.kill()
    for thread in asking:
        thread.join()  # it reads what is closed next
    process.communicate()
