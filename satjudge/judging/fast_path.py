"""Decides whether the compiled kernel or Python judges a phase, and passes boards to the kernel.

The kernel is in a higher room, so it is reached through a hook (`satjudge.bulk.wasm.loading.load_board_judge`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from satjudge.base.imports import load_hook
from satjudge.judging.outcome import KernelOutcome
from satjudge.world.board import Board
from satjudge.world.geography import Map
from satjudge.world.orders import Order
from satjudge.world.rules import Rulebook

T = TypeVar("T")
USE_SHIPPED_TABLES = True
"""True if the kernel judges from the first phase on where satjudge comes with the kernel's tables."""
PHASES_BEFORE_TABLES = 2_000
"""The number of phases that Python judges on a map under a rulebook before tables are made for them."""
MOST_LOADED = 8
"""The maximum number of pairs of map and rulebook for which the kernel is loaded."""


class KernelChoice(Generic[T]):
    """The choice between the compiled kernel and the Python code, for one map and rulebook.

    If satjudge ships the tables, the kernel judges from the first phase on. Otherwise Python judges the first `python_phases`
    phases (by default `PHASES_BEFORE_TABLES`), because making tables takes as long as judging many phases. The argument of
    `load` is True if it may make tables.
    """

    tables_made = 0
    """How often tables have been made to judge boards."""

    def __init__(self, load: Callable[[bool], T | None], python_phases: int | None = None) -> None:
        self._load = load
        self._left = PHASES_BEFORE_TABLES if python_phases is None else python_phases
        self.kernel = load(False) if python_phases is None and USE_SHIPPED_TABLES else None

    def choose_kernel(self) -> T | None:
        """Count one more phase, load the kernel when it is due, and return it if it is to judge the phase, else None."""
        if self.kernel is None:
            if self._left == 0:
                self.kernel = self._load(True)
            self._left -= 1
        return self.kernel


class KernelJudge(Protocol):
    """A judge of movement phases by the compiled kernel, which leaves some boards to the Python code."""

    def judge_board(self, board: Board, orders: Mapping[str, Sequence[Any]], /) -> KernelOutcome | None:
        """Judge a movement phase of a board; return None if Python must judge it."""
        ...

    def legal_texts(self, board: Board, /) -> list[list[str]] | None:
        """List the legal orders of each unit as texts, in the order of the units; None if Python must list them."""
        ...

    def legal_values(self, board: Board, /) -> list[list[Order]] | None:
        """List the legal orders of each unit as values, in the order of the units; None if Python must list them."""
        ...


def judge_by_kernel(board: Board, orders: Mapping[str, Sequence[Any]], rules: Rulebook) -> KernelOutcome | None:
    """Judge a movement phase with the compiled kernel, and return its outcome; None if Python must judge it."""
    kernel = _find_choice(board.map, rules).choose_kernel()
    return kernel.judge_board(board, orders) if kernel else None


def has_kernel(game_map: Map, rules: Rulebook) -> bool:
    """Return whether the compiled kernel is already loaded for this map and rulebook."""
    return _find_choice(game_map, rules).kernel is not None


def legal_texts(board: Board, rules: Rulebook) -> list[list[str]] | None:
    """List the legal orders of each unit in a movement phase as texts, in the order of the units; None if Python must."""
    kernel = _find_choice(board.map, rules).kernel
    return kernel.legal_texts(board) if kernel else None


def legal_values(board: Board, rules: Rulebook) -> list[list[Order]] | None:
    """List the legal orders of each unit in a movement phase as values, in the order of the units; None if Python must."""
    kernel = _find_choice(board.map, rules).kernel
    return kernel.legal_values(board) if kernel else None


def _find_choice(game_map: Map, rules: Rulebook) -> KernelChoice[KernelJudge]:
    choices: dict[Rulebook, KernelChoice[KernelJudge]] = game_map.cache.setdefault(KernelChoice, {})
    found = choices.get(rules)
    if found is None:
        if len(choices) >= MOST_LOADED:
            choices.clear()
        found = choices[rules] = KernelChoice(partial(_load_kernel, game_map, rules))
    return found


def _load_kernel(game_map: Map, rules: Rulebook, make_tables: bool) -> KernelJudge | None:
    """Return the compiled kernel, or None if there is none (as in a browser) or it would need more tables than allowed."""
    if make_tables and KernelChoice.tables_made >= MOST_LOADED:
        return None
    KernelChoice.tables_made += make_tables
    try:
        load: Callable[..., KernelJudge | None] = load_hook("board_judge")
    except ModuleNotFoundError:
        return None
    return load(game_map, rules, make_tables=make_tables)
