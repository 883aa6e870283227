"""Decides who judges a phase, the compiled kernel or the plain path, and asks the kernel about boards.

The kernel is in a room above, so the front door hands it in (`satjudge.bulk.wasm.loading.load_board_judge`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from satjudge.base.imports import load_hook
from satjudge.judging.outcome import Told
from satjudge.world.board import Board
from satjudge.world.geography import Map
from satjudge.world.orders import Order
from satjudge.world.rules import Rulebook

T = TypeVar("T")
FROM_THE_FIRST = True
"""True if the kernel is asked about the first phase already where its tables come with satjudge."""
PLAIN_FIRST = 2_000
"""The number of phases on a map under a rulebook that are judged before tables are made for these."""
MOST_LOADED = 8
"""The largest number of pairs of map and rulebook for which the kernel is loaded."""


class Choice(Generic[T]):
    """The choice of who judges on one map under one rulebook.

    The kernel judges from the first phase on where its tables come with satjudge. To make tables takes as long as judging many
    phases: there the plain path judges the first ones, `PLAIN_FIRST` or another number. `load` is told whether to make tables.
    """

    made = 0
    """The number of times that tables were made to judge boards."""

    def __init__(self, load: Callable[[bool], T | None], plain_first: int | None = None) -> None:
        self._load = load
        self._left = PLAIN_FIRST if plain_first is None else plain_first
        self.kernel = load(False) if plain_first is None and FROM_THE_FIRST else None

    def next(self) -> T | None:
        """Count a phase, and return the kernel that is to judge it; None for the plain path."""
        if self.kernel is None:
            if self._left == 0:
                self.kernel = self._load(True)
            self._left -= 1
        return self.kernel


class QuickJudge(Protocol):
    """A judge of movement phases on one map under one rulebook that leaves some boards to those who judge at length."""

    def told(self, board: Board, orders: Mapping[str, Sequence[Any]], /) -> Told | None:
        """Tell what becomes of a board; None for one that it leaves."""
        ...

    def legal_texts(self, board: Board, /) -> list[list[str]] | None:
        """List the legal orders of each unit as texts, in the order of the units; None for a board that is left."""
        ...

    def legal_values(self, board: Board, /) -> list[list[Order]] | None:
        """List the legal orders of each unit as values; None for a board that is left."""
        ...


def told_at_once(board: Board, orders: Mapping[str, Sequence[Any]], rules: Rulebook) -> Told | None:
    """Tell what becomes of a movement phase that is possible; None where it is judged at length."""
    kernel = _choice(board.map, rules).next()
    return kernel.told(board, orders) if kernel else None


def is_asked(game_map: Map, rules: Rulebook) -> bool:
    """Tell whether the kernel is asked on a map under a rulebook, so that phases by the thousand cost no tables."""
    return _choice(game_map, rules).kernel is not None


def legal_texts(board: Board, rules: Rulebook) -> list[list[str]] | None:
    """List the legal orders of each unit of a movement phase as texts; None if the plain path must list them."""
    kernel = _choice(board.map, rules).kernel
    return kernel.legal_texts(board) if kernel else None


def legal_values(board: Board, rules: Rulebook) -> list[list[Order]] | None:
    """List the legal orders of each unit as values; None for a board that is left."""
    kernel = _choice(board.map, rules).kernel
    return kernel.legal_values(board) if kernel else None


def _choice(game_map: Map, rules: Rulebook) -> Choice[QuickJudge]:
    choices: dict[Rulebook, Choice[QuickJudge]] = game_map.cache.setdefault(Choice, {})
    found = choices.get(rules)
    if found is None:
        if len(choices) >= MOST_LOADED:
            choices.clear()
        found = choices[rules] = Choice(partial(_loaded, game_map, rules))
    return found


def _loaded(game_map: Map, rules: Rulebook, make_tables: bool) -> QuickJudge | None:
    """Load the kernel; None where there is none, as in the browser, to which the page brings no room above this one."""
    if make_tables and Choice.made >= MOST_LOADED:
        return None
    Choice.made += make_tables
    try:
        load: Callable[..., QuickJudge | None] = load_hook("board_judge")
    except ModuleNotFoundError:
        return None
    return load(game_map, rules, make_tables=make_tables)
