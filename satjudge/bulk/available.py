"""Finds the compiled kernel for a map and a rulebook, and tells once where that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from satjudge.base.errors import error_line, was_interrupted
from satjudge.bulk.wasm import sandbox
from satjudge.world.geography import Map, load_map

if TYPE_CHECKING:
    from satjudge.bulk.wasm.boards import BoardJudge
    from satjudge.bulk.wasm.lines import LineAnswerer
    from satjudge.bulk.wasm.supply import Supply
    from satjudge.judging.fast_path import QuickJudge
    from satjudge.judging.outcome import Told
    from satjudge.world.board import Board
    from satjudge.world.orders import Order
    from satjudge.world.rules import Rulebook

T = TypeVar("T")


class LineQuestion(StrEnum):
    """The questions that a line may ask, by the functions of the kernel that answer them (docs/guides/kernel.md)."""

    OUTCOME = "answer_line"
    LEGAL_ORDERS = "legal_line"
    NEXT_PHASE = "next_line"
    ORDERS_IN_FULL = "orders_line"


def line_answerer(game_map: Map | None, rulebook: Rulebook, *, make_tables: bool = True) -> LineAnswerer | None:
    """Make what answers batch lines one by one on a map, else the standard map, by the kernel that comes compiled.

    None where there is none (`_supply`). Raises what loading and running raise.
    """
    supply = _supply(game_map or load_map(), rulebook, make_tables)
    if supply is None:
        return None
    from satjudge.bulk.wasm.lines import LineAnswerer

    found = LineAnswerer(supply)
    found.try_out()
    return found


def board_judge(game_map: Map, rulebook: Rulebook, *, make_tables: bool = True) -> QuickJudge | None:
    """Make what judges boards one by one on a map under a rulebook, by the kernel that comes compiled.

    None where there is none (`_supply`). A failure is told once on standard error; from then on it tells nothing.
    """
    try:
        supply = None if game_map.has_rules else _supply(game_map, rulebook, make_tables)
        if supply is None:
            return None
        from satjudge.bulk.wasm.boards import BoardJudge

        found = BoardJudge(supply)
        return _Guarded(found) if found.is_right() else None
    except Exception as error:
        tell_failure(error)
        return None


def _supply(game_map: Map, rulebook: Rulebook, make_tables: bool) -> Supply | None:
    """Supply the kernel with the tables that come with satjudge, or else make some.

    None where packages are missing, where the kernel has not the equations, on maps where provinces are shut in a season, and
    on those that are too large.
    """
    if not sandbox.is_installed() or game_map.closed or game_map.beyond_tables:
        return None
    from satjudge.bulk.wasm.supply import supply_at_once, supply_for

    found = supply_at_once(game_map, rulebook)
    return found or (supply_for(game_map, rulebook) if make_tables and find_spec("numpy") else None)


class _Guarded:
    """A judge that tells nothing any more once it has failed."""

    def __init__(self, judge: BoardJudge) -> None:
        self._judge: BoardJudge | None = judge

    def told(self, board: Board, orders: Mapping[str, Sequence[Any]]) -> Told | None:
        return self._asked(lambda judge: judge.told(board, orders))

    def legal_texts(self, board: Board) -> list[list[str]] | None:
        return self._asked(lambda judge: judge.legal_texts(board))

    def legal_values(self, board: Board) -> list[list[Order]] | None:
        return self._asked(lambda judge: judge.legal_values(board))

    def _asked(self, ask: Callable[[BoardJudge], T | None]) -> T | None:
        try:
            return ask(self._judge) if self._judge else None
        except Exception as error:
            self._judge = None
            tell_failure(error)
            return None


def tell_failure(error: Exception) -> None:
    """Write once that boards are judged one by one from here on.

    Raises `KeyboardInterrupt` for an error that came of Ctrl-C.
    """
    if was_interrupted(error):
        raise KeyboardInterrupt from error
    from satjudge.base.processes import tell_once  # which imports more than all else here

    tell_once(f"answers take longer, as the compiled path for many boards fails: {error_line(error)}")
