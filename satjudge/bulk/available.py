"""Finds the compiled path for a map and a rulebook, and tells once where that path fails (extra `bulk`)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from satjudge.base.errors import error_line, was_interrupted
from satjudge.base.processes import tell_once
from satjudge.bulk.wasm import sandbox
from satjudge.world.rules import preset_names

if TYPE_CHECKING:
    from satjudge.bulk.answers import Answerer
    from satjudge.bulk.compiling import Kernel
    from satjudge.bulk.known import Known
    from satjudge.bulk.wasm.kernel import WasmKernel
    from satjudge.bulk.wasm.lines import LineAnswerer
    from satjudge.judging.at_once import Teller
    from satjudge.judging.outcome import Told
    from satjudge.world.board import Board
    from satjudge.world.geography import Map
    from satjudge.world.rules import Rulebook

MOST_ANSWERERS = len(preset_names())
"""The number of pairs of rulebook and map that are judged by compiled code at a time: each takes up to 150 MB."""
NOT_FAST = (
    "there is no compiled path: pip install 'satjudge[bulk]', or 'satjudge[fast]' for the rulebooks that come with satjudge"
)
_LOG = logging.getLogger("satjudge")


def numba_is_installed() -> bool:
    """Tell whether numba is installed, even if it does not work."""
    try:
        return find_spec("numba") is not None
    except ValueError:
        return True


def is_compiled(game_map: Map | None, rulebook: Rulebook) -> bool:
    """Tell whether a rulebook on a map need not be compiled, as its code is kept or comes with satjudge."""
    if not numba_is_installed():
        return sandbox.is_installed()
    from satjudge.bulk import compiling
    from satjudge.judging.equations.meanings import TranslationError
    from satjudge.world.geography import load_map

    try:
        return compiling.is_kept(compiling.kernel_source(rulebook.on(game_map or load_map())))
    except TranslationError:
        return False


@lru_cache(maxsize=MOST_ANSWERERS)
def answerer(game_map: Map | None = None, rulebook: Rulebook | None = None) -> Answerer | None:
    """Make an answerer of many requests on a map, else the standard map, under a rulebook, else `datc-3`.

    None where neither numba nor wasmtime is installed, where they fail, which is told once on standard error, where
    `Judge.obstacle` is, and on maps where provinces are shut in a season.
    """
    if not (numba_is_installed() or sandbox.is_installed()) or (game_map and (game_map.closed or game_map.beyond_tables)):
        return None
    try:
        from satjudge.bulk.answers import Answerer
        from satjudge.bulk.judge import Judge

        judge = Judge(game_map, rulebook)
    except Exception as error:
        tell_failure(error)
        return None
    return Answerer(judge) if judge.kernel else None


def line_answerer(game_map: Map | None, rulebook: Rulebook) -> LineAnswerer | None:
    """Make what answers batch lines one by one on a map, else the standard map, by the kernel that comes compiled.

    None where wasmtime is not installed, where the kernel has not the equations, and on maps where provinces are shut in a
    season. Raises what loading and running raise.
    """
    if not sandbox.is_installed() or (game_map and (game_map.closed or game_map.beyond_tables)):
        return None
    from satjudge.bulk.known import Known
    from satjudge.bulk.vocabulary import Vocabulary
    from satjudge.bulk.wasm.shipped import lines_for

    return lines_for(Known(Vocabulary(game_map), rulebook))


def board_judge(game_map: Map, rulebook: Rulebook) -> Teller | None:
    """Make what judges boards one by one on a map under a rulebook, by the kernel that comes compiled; None where none can.

    A failure is told once on standard error; from then on it tells nothing.
    """
    if not sandbox.is_installed() or game_map.closed or game_map.has_rules or game_map.beyond_tables:
        return None
    from satjudge.bulk.known import Known
    from satjudge.bulk.vocabulary import Vocabulary
    from satjudge.bulk.wasm.shipped import boards_for

    try:
        found = boards_for(Known(Vocabulary(game_map), rulebook))
        return _guarded(found.told) if found and found.is_right() else None
    except Exception as error:
        tell_failure(error)
        return None


def _guarded(tell: Teller) -> Teller:
    """Make a function that tells nothing any more once it has failed."""
    works = [tell]

    def told(board: Board, orders: Mapping[str, Sequence[Any]]) -> Told | None:
        try:
            return works[0](board, orders) if works else None
        except Exception as error:
            works.clear()
            tell_failure(error)
            return None

    return told


def compiled_path(equations: str, tried: Callable[[Kernel], None]) -> Kernel | None:
    """Compile and try the kernel with these equations; None where that fails, which is told once on standard error.

    At the very first time this compiles for half a minute, which `logging` is told by the process that does it.
    """
    from satjudge.bulk import compiling

    for last in (False, True):
        try:
            with compiling.kept_whole(equations):
                if not compiling.is_kept(equations):  # not even by a process that was waited for
                    _LOG.info("satjudge: compiling a rulebook for arrays, once: this takes half a minute or more")
                found = compiling.kernel(equations)
                tried(found)
        except Exception as error:
            compiling.kernel.cache_clear()
            if last or not compiling.forget(equations):  # else that was at fault, perhaps
                tell_failure(error)
                return None
        else:
            if compiling.folder(equations) is None:
                tell_once("nowhere can compiled code be kept, so every process compiles: let NUMBA_CACHE_DIR name a folder")
            return found
    return None


def sandboxed_path(known: Known, tried: Callable[[WasmKernel], None]) -> WasmKernel | None:
    """Make and try the kernel that comes compiled; None where it has not the equations, or fails, which is told once."""
    from satjudge.bulk.wasm.shipped import kernel_for

    try:
        found = kernel_for(known)
        if found:
            tried(found)
    except Exception as error:
        tell_failure(error)
        return None
    return found


def tell_failure(error: Exception) -> None:
    """Write once that boards are judged one by one from here on.

    Raises `KeyboardInterrupt` for an error that came of Ctrl-C.
    """
    if was_interrupted(error):
        raise KeyboardInterrupt from error
    tell_once(f"answers take longer, as the compiled path for many boards fails: {error_line(error)}")
