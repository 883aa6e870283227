"""CaDiCaL, asked as CP-SAT is: the same answers, in time, and CP-SAT where it is not installed."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest
from helpers.hard_formulas import pigeons, random_formula

from satjudge.base.errors import SatjudgeError
from satjudge.search.formulas import cadical
from satjudge.search.formulas.cadical import Cadical, choose_solver
from satjudge.search.formulas.clauses import Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver

pytest.importorskip("pysat.solvers")


def listed(solver: Cadical | Solver, formula: Formula, variables: list[Literal]) -> Iterator[tuple[bool, ...]]:
    """Every way in which the variables can hold; each is forbidden by one more count, and with a variable more."""
    while (answer := solver.decide()).values is not None:
        yield (values := tuple(map(answer.holds, variables)))
        same = [variable if value else -variable for variable, value in zip(variables, values, strict=True)]
        formula.require(-formula.at_least(len(same), (*same, formula.add_variable())), -formula.at_least(len(same), same))
    assert answer.is_unsatisfiable


def test_it_gives_the_answers_of_cp_sat() -> None:
    found = []
    for seed in range(4):
        told = []
        for make in (Cadical, Solver):
            formula, variables = random_formula(Random(seed))
            told.append(sorted(listed(make(formula), formula, variables)))
        assert told[0] == told[1]
        found.append(len(told[0]))
    assert max(found) > 3, found


def test_what_is_limited_and_minimised() -> None:
    found = set()
    for seed in range(6):
        formula, variables = random_formula(Random(seed))
        few, limited = variables[:8], (variables[8:], 2)
        one, other = (solver.decide(minimise=few, at_most=limited) for solver in (Cadical(formula), Solver(formula)))
        assert (one.is_unsatisfiable, one.bound) == (other.is_unsatisfiable, other.bound)
        if one.values is not None:
            assert sum(map(one.holds, few)) == one.bound
            assert sum(map(one.holds, limited[0])) <= 2
        found.add(one.is_unsatisfiable or one.bound)
    assert len(found) > 2, found


def test_nobody_waits_when_time_is_up_and_nothing_is_left_behind() -> None:
    formula, freed = pigeons(12)
    solver = Cadical(formula)
    began = monotonic()
    assert solver.decide(at_most=([freed], 0), timeout=0.5) == Answer(None, exhausted=False)
    assert monotonic() - began < 30
    assert solver.decide(timeout=60).holds(freed)
    assert solver._process
    process = solver._process._process
    del solver
    gc.collect()
    assert process.poll() is not None


HARD = """
from helpers.hard_formulas import pigeons
from satjudge.search.formulas.cadical import Cadical
formula, freed = pigeons(12)
solver = Cadical(formula)
for _ in range(2):
    try:
        print("asked", flush=True)
        while True:
            solver.decide(at_most=([freed], 0), timeout=60)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.slow
def test_it_is_interrupted() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HARD], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    ) as process:
        assert process.stdout
        for _ in range(2):
            assert process.stdout.readline() == "asked\n"
            sleep(0.3)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 0


def test_it_is_asked_where_that_is_worth_a_process_and_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    formula, _ = pigeons(3)
    assert isinstance(choose_solver(formula), Solver)
    while formula.size < cadical.LARGE:
        formula.add_variable()
    assert isinstance(choose_solver(formula), Cadical)
    monkeypatch.setattr(cadical, "is_installed", lambda: False)
    assert isinstance(choose_solver(formula), Solver)


def test_what_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cadical, "_PROGRAM", "no_such_program.py")
    with pytest.raises(SatjudgeError, match=r"CaDiCaL failed: .*no_such_program"):
        Cadical(pigeons(2)[0]).decide()
