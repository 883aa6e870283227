"""Without ortools, as in a browser, the same resolutions and the same explanations are found by hand."""

from __future__ import annotations

import sys
from random import Random

import pytest

from satjudge import judge
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.contradictions import why_no_resolution, why_not
from satjudge.judging.judge import resolutions
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine, case_splitting
from satjudge.notation.bundled_cases import find_bundled_case

CASES = ["6.F.14", "6.F.18", "6.F.22", "6.F.28", "6.C.1", "6.D.3", "6.E.1"]


def _explained(outcome: Outcome) -> list[object]:
    """Of each order whether it could have had its way, and of each core without a resolution why it has none."""
    return [
        *(why_not(outcome, each.order, power) for power, of in outcome.judged.items() for each in of),
        *why_no_resolution(outcome),
    ]


def _without_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on ortools is not installed, as far as satjudge can tell."""
    monkeypatch.setattr(case_splitting, "is_solver_installed", lambda: False)
    monkeypatch.setitem(sys.modules, "satjudge.judging.solve.cpsat_model", None)


@pytest.mark.parametrize("identity", CASES)
def test_cases_are_explained_as_with_the_solver(monkeypatch: pytest.MonkeyPatch, identity: str) -> None:
    sheet = find_bundled_case(identity)
    with monkeypatch.context() as solver:
        solver.setattr(case_splitting, "MOST_SUPPOSITIONS", 0)
        by_solver = judge(sheet.board, sheet.orders_by_power())
        told = _explained(by_solver)
    _without_solver(monkeypatch)
    by_hand = judge(sheet.board, sheet.orders_by_power())
    assert list(by_hand.adjudication.resolutions) == list(by_solver.adjudication.resolutions)
    assert list(map(str, _explained(by_hand))) == list(map(str, told))


@pytest.mark.parametrize("flavour", Flavour)
def test_random_boards_have_the_same_resolutions(monkeypatch: pytest.MonkeyPatch, flavour: Flavour) -> None:
    situations = [random_board(Random(f"no solver {seed}"), flavour, (20, 34)) for seed in range(12)]
    by_solver = [set(resolutions(*each, engine=Engine.FULL)) for each in situations]
    _without_solver(monkeypatch)
    assert [set(resolutions(*each)) for each in situations] == by_solver
