"""Large questions cube by cube: the same answer whoever solves them, and nothing lost with a worker."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from random import Random
from threading import Timer
from time import monotonic
from typing import Any

import pytest
from helpers.hard_formulas import pigeons, random_formula

from satjudge.apps.cli import run
from satjudge.base.processes import HERE, Pool, worker_pool
from satjudge.search import cubes
from satjudge.search.cubes import Cubes, make_solver_factory, split_into_cubes
from satjudge.search.formulas.cadical import LARGE, Cadical
from satjudge.search.formulas.clauses import Formula
from satjudge.search.formulas.cpsat import Answer, Solver

pytest.importorskip("pysat.solvers")


def test_every_answer_is_in_a_cube() -> None:
    wide = [(1,), (-5, 1), (-9,), (9, 2, -3, 4), (-8, 2, 3, 4, 5, 6)]
    assert list(split_into_cubes(wide, 2)) == [(2, -3), (4,)]
    for seed in range(20):
        random = Random(seed)
        clauses = [tuple(random.choice((1, -1)) * number for number in random.sample(range(1, 9), 3)) for _ in range(8)]
        clauses += [(random.choice((1, -1)) * number,) for number in random.sample(range(1, 9), 2)]
        parts = list(split_into_cubes(clauses, 3))
        for values in product((1, -1), repeat=8):
            held = {value * number for number, value in enumerate(values, 1)}
            if all(held.intersection(clause) for clause in clauses):
                assert parts == [(1,)] or any(held.intersection(part) for part in parts)


def answers(formula: Formula, pool: Pool) -> list[Answer]:
    """What is answered, then with one value ruled out, and so on."""
    solver, found = Cubes(formula, pool), list[Answer]()
    while (answer := solver.decide()).values is not None and len(found) < 3:
        found.append(answer)
        formula.require(*(-literal if answer.holds(literal) else literal for literal in range(2, 14)))
    return found


@pytest.mark.slow
def test_the_answer_does_not_hang_on_who_works() -> None:
    for seed in range(2):
        told = []
        for jobs in (1, 3):
            with ThreadPoolExecutor(jobs) as executor:
                told.append(answers(random_formula(Random(seed))[0], Pool(executor, 2 * jobs)))
        assert told[0] == told[1]
    with ThreadPoolExecutor(2) as executor:
        formula, freed = pigeons(5)
        formula.require(-freed)
        assert Cubes(formula, Pool(executor, 4)).decide().is_unsatisfiable
        hard, freed = pigeons(12)
        hard.require(-freed)
        began = monotonic()
        assert Cubes(hard, Pool(executor, 4)).decide(timeout=0.5) == Answer(None, exhausted=False)
    assert monotonic() - began < 10  # and nobody is at work any more


def test_small_questions_are_not_cut_up() -> None:
    formula, _ = pigeons(3)
    with ThreadPoolExecutor(1) as executor:
        assert isinstance(make_solver_factory(Pool(executor, 2))(formula), Solver)
        while formula.size < LARGE:
            formula.add_variable()
        assert isinstance(make_solver_factory(Pool(executor, 2))(formula), Cubes)
    assert type(make_solver_factory(HERE)(formula)) is Cadical


@pytest.mark.slow
def test_a_search_by_processes_finds_what_one_finds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cubes, "LARGE", 100)
    assert run(["search", "paradox", "--region", "BRE ENG LON WAL", "--jobs", "2"]) == 0
    assert "4 units: proved minimal." in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_lost_worker_costs_no_cube(cluster: Any) -> None:  # noqa: ANN401
    def pids() -> set[int]:
        return {worker.process.pid for worker in cluster.workers.values() if worker.process and worker.process.pid}

    formula, freed = pigeons(9)
    formula.require(-freed)
    with worker_pool(1, cluster.scheduler_address) as pool:
        victim = min(pids())
        timer = Timer(1, os.kill, (victim, signal.SIGKILL))
        timer.start()
        assert Cubes(formula, pool).decide().is_unsatisfiable
    assert timer.finished.is_set(), "it was over before a worker was killed"
    assert victim not in pids()
