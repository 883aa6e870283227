"""A search keeps its time, also on the whole map, and gives the same answer whenever it is asked the same."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from threading import Event
from time import thread_time

import pytest
from ortools.sat.python import cp_model

from satjudge.search.formulas import cpsat as solving
from satjudge.search.formulas.clauses import Formula
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

MAP = load_map()


def whole_map(goal: str, time_left: object) -> Search:
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(MAP, MAP.provinces))
    return Search(universe, parse_goal(goal, MAP), Objective.UNITS, 4, time_left=time_left)  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_clock_is_looked_at_while_a_large_question_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two looks less work is done than a second's: that is how far a search may go beyond its time."""
    looks: list[float] = []

    def time_left() -> float:
        looks.append(thread_time())
        return 0.0 if asked else 60.0

    asked: list[Solver] = []

    def decide(self: Solver, *, timeout: float) -> Answer:
        asked.append(self)
        return Answer(None, exhausted=False)

    monkeypatch.setattr(Solver, "decide", decide)
    monkeypatch.setattr("satjudge.search.formulas.cadical.is_installed", lambda: False)
    gc.freeze()  # what other tests left in this process is none of the work
    looks.append(thread_time())
    assert whole_map("differs:1982,datc-3", time_left).run().status is Status.STOPPED
    gc.unfreeze()
    assert asked[0].formula.size > 50_000
    assert max(after - before for before, after in pairwise(looks)) < 1


def test_a_question_that_takes_too_long_to_write_is_given_up() -> None:
    looks: Iterator[float] = iter([60.0] * 20)
    search = whole_map("paradox", lambda: next(looks, 0.0))
    assert search.run().status is Status.STOPPED
    assert search.rounds == []


def test_nobody_waits_for_a_solver_that_does_not_heed_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """CP-SAT may simplify a large model for seconds after its time is up; the next question is not disturbed."""
    formula = Formula()
    formula.require(formula.add_variable())
    solver, solve, awaited = Solver(formula), cp_model.CpSolver.solve, Event()

    def slowly(self: cp_model.CpSolver, model: cp_model.CpModel) -> object:
        awaited.wait(60)
        return solve(self, model)

    with monkeypatch.context() as patch:
        patch.setattr(cp_model.CpSolver, "solve", slowly)
        answer = solver.decide(timeout=0.1)
    assert (answer.values, answer.exhausted) == (None, False)
    assert solving.is_any_solver_running()
    assert solver.decide().values is not None
    assert solving.is_any_solver_running()
    awaited.set()
    for run in solving._SolverRun.begun:
        run.thread.join(20)
    assert not solving.is_any_solver_running()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_listing() -> None:
    """In processes of their own: the order of a set of words differs from one to the other."""
    command = ["search", "several-resolutions", "--region", "BOH GAL VIE TYR", "--count", "20", "--json"]
    told = []
    for seed in ("1", "2"):
        program = "from satjudge.apps.cli import main; main()"
        environment = os.environ | {"PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", program, *command], capture_output=True, text=True, check=True, env=environment
        )
        found = json.loads(ran.stdout)
        told.append({name: found[name] for name in ("answers", "status", "value", "rounds", "remarks")})
    assert len(told[0]["answers"]) > 1
    assert told[0] == told[1]
