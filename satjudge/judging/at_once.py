"""Asks a quicker judge, the compiled kernel, what becomes of movement phases, and what is legal in them.

The kernel is in a room above, so the front door hands it in (`satjudge.bulk.available.board_judge`). It is there with the
extra `fast`. Where its tables come with satjudge it is asked from the first phase on; where they have to be made, which takes
as long as judging many phases, once so many were judged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from satjudge.base.handed_in import handed_in
from satjudge.judging.outcome import Told
from satjudge.world.board import Board
from satjudge.world.geography import Map
from satjudge.world.orders import Order
from satjudge.world.rules import Rulebook

FROM_THE_FIRST = True
"""True if the kernel is asked about the first phase already where its tables come with satjudge."""
PLAIN_FIRST = 2_000
"""The number of phases on a map under a rulebook that are judged before tables are made for these."""
MOST_LOADED = 8
"""The largest number of pairs of map and rulebook for which the kernel is loaded."""


class QuickJudge(Protocol):
    """A judge of movement phases on one map under one rulebook that leaves some boards to those who judge at length."""

    def told(self, board: Board, orders: Mapping[str, Sequence[Any]], /) -> Told | None:
        """Tell what becomes of a board; None for one that it leaves."""
        ...

    def legal_texts(self, board: Board, /) -> list[list[str]] | None:
        """List the legal orders of each unit, in the order of the units; None for a board that it leaves."""
        ...

    def legal_values(self, board: Board, /) -> list[list[Order]] | None:
        """List the legal orders of each unit as values."""
        ...


class AtOnce:
    """Counts the phases that were judged on one map under one rulebook, and asks the kernel about the later ones."""

    loaded = 0

    def __init__(self, game_map: Map, rules: Rulebook) -> None:
        self.map, self.rules, self.judged = game_map, rules, 0
        self.judge: QuickJudge | None = None
        if FROM_THE_FIRST and not _is_a_copy():
            self.judge = _loaded(game_map, rules, at_once=True)

    def told(self, board: Board, orders: Mapping[str, Sequence[Any]]) -> Told | None:
        """Tell what becomes of a board; None where it is judged at length."""
        if self.judge is not None:
            return self.judge.told(board, orders)
        self.judged += 1
        if self.judged == PLAIN_FIRST + 1 and AtOnce.loaded < MOST_LOADED and not _is_a_copy():
            AtOnce.loaded += 1
            self.judge = _loaded(self.map, self.rules)
            return self.told(board, orders)
        return None


def told_at_once(board: Board, orders: Mapping[str, Sequence[Any]], rules: Rulebook) -> Told | None:
    """Tell what becomes of a movement phase that is possible; None where it is judged at length."""
    return _of(board.map, rules).told(board, orders)


def is_asked(game_map: Map, rules: Rulebook) -> bool:
    """Tell whether the kernel is asked on a map under a rulebook, so that phases by the thousand cost no tables."""
    return _of(game_map, rules).judge is not None


def legal_texts(board: Board, rules: Rulebook) -> list[list[str]] | None:
    """List the legal orders of each unit of a movement phase that is possible; None where they are listed at length."""
    judge = _of(board.map, rules).judge
    return judge.legal_texts(board) if judge else None


def legal_values(board: Board, rules: Rulebook) -> list[list[Order]] | None:
    """List the legal orders of each unit as values."""
    judge = _of(board.map, rules).judge
    return judge.legal_values(board) if judge else None


def _of(game_map: Map, rules: Rulebook) -> AtOnce:
    counted: dict[Rulebook, AtOnce] = game_map.cache.setdefault(AtOnce, {})
    found = counted.get(rules)
    if found is None:
        if len(counted) >= MOST_LOADED:
            counted.clear()
        found = counted[rules] = AtOnce(game_map, rules)
    return found


def _loaded(game_map: Map, rules: Rulebook, **how: bool) -> QuickJudge | None:
    """Load the kernel; None where there is none, as in the browser, to which the page brings no room above this one."""
    try:
        load: Callable[..., QuickJudge | None] = handed_in("board_judge")
    except ModuleNotFoundError:
        return None
    return load(game_map, rules, **how)


def _is_a_copy() -> bool:
    """Tell whether this is a copy of the module for a judge with other equations, which the kernel does not have."""
    return getattr(sys.modules.get(__name__), "AtOnce", None) is not AtOnce
