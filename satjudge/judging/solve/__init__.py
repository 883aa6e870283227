"""Solves situations with one of three engines: `staged` (bounds, then cores), `full` (the solver), `brute` (the reference)."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import cast

from satjudge.base.errors import UnresolvedError
from satjudge.judging.equations.situation import Situation
from satjudge.judging.solve.result import Adjudication, Limits


class Engine(StrEnum):
    """A way to solve a situation; all of them give the same answer on every board."""

    STAGED = "staged"
    FULL = "full"
    BRUTE = "brute"


def choose_usable_engine(engine: Engine) -> Engine:
    """Return this engine, or the staged one if the full engine is wanted and the solver is not installed."""
    from satjudge.judging.solve.case_splitting import is_solver_installed

    return engine if engine is not Engine.FULL or is_solver_installed() else Engine.STAGED


def adjudicate(
    situation: Situation,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Adjudication:
    """Settle every decision of a situation with this engine, and return the adjudication; raises `UnresolvedError`."""
    module = _load_engine(engine)  # imported only now, since the solver loads slowly
    found = module.resolutions(situation, limits)
    try:
        return cast(Adjudication, module.adjudicate(situation, found))
    except UnresolvedError as error:
        error.resolutions = found
        raise


@cache
def _load_engine(engine: Engine) -> ModuleType:
    return import_module(f"satjudge.judging.solve.{engine}_engine")
