"""Loads the compiled kernel and its tables; a failure is reported once, and then the Python code judges.

The kernel, its manifest and table files for the standard map come with satjudge (`models/kernel`). For each set of compiled
functions, the manifest lists the values of options under which they judge, so that the functions can be found without
generating code. In a checkout, these files are ignored if their sources have changed since `make kernel`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

import msgspec

from satjudge.base.errors import NotFoundError, SatjudgeError, error_line, was_interrupted
from satjudge.base.resources import data_file
from satjudge.bulk.kernel.memory import ALIASES, COMINGS, LINKS
from satjudge.bulk.tables.reading import ENDING, Host, Tables, read_table_file
from satjudge.bulk.wasm import sandbox
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import Rulebook, load_preset, preset_names

if TYPE_CHECKING:
    from satjudge.bulk.tables.learner import TableLearner
    from satjudge.bulk.wasm.boards import BoardJudge
    from satjudge.bulk.wasm.lines import LineAnswerer
    from satjudge.judging.fast_path import KernelJudge
    from satjudge.judging.outcome import KernelOutcome
    from satjudge.world.board import Board
    from satjudge.world.orders import Order

T = TypeVar("T")
CODE, MANIFEST = "kernel.wasm", "kernel.json"
DIPLOMACY_RULEBOOK = "datc-2 with 4.E.1.convoy=illegal"
"""The rulebook nearest to the package `diplomacy` (`satjudge.compat.diplomacy`); it has a table file, as the presets do."""
MOST_LEARNT = 200_000
"""The largest number of learnt texts and facts; beyond it, all of them are dropped."""

# ---- files that come with satjudge ----

_ROOT = Path(__file__).resolve().parents[3]
KERNEL_SOURCES = (
    *("release/kernel/*.py", "satjudge/bulk/kernel/*.py", "models/rulebooks/*.toml", "satjudge/world/rules/*.py"),
    *("satjudge/world/verdicts.py", "satjudge/judging/equations/*.py", "satjudge/judging/backup.py"),
    *("satjudge/judging/outcome.py", "satjudge/judging/legality/dockets.py", "satjudge/judging/retreats.py"),
)
"""The files of a checkout on which the compiled kernel depends."""
TABLE_SOURCES = (
    *("models/rulebooks/*.toml", "models/maps/standard.toml", "satjudge/world/**/*.py", "satjudge/judging/equations/*.py"),
    *("satjudge/judging/legality/*.py", "satjudge/judging/adjustments.py", "satjudge/judging/retreats.py"),
    *("satjudge/notation/parse.py", "satjudge/bulk/kernel/memory.py"),
    *("satjudge/bulk/tables/*.py", "satjudge/bulk/vocabulary.py"),
)
"""The files of a checkout on which table files depend."""


@cache
def sum_sources(patterns: tuple[str, ...]) -> int:
    """Return a checksum of the files of a checkout that match any of these patterns."""
    found = 0
    for path in (path for pattern in patterns for path in sorted(_ROOT.glob(pattern))):
        found = crc32(path.read_bytes().replace(b"\r\n", b"\n"), found)
    return found


def is_current(patterns: tuple[str, ...], checksum: int) -> bool:
    """Return whether files with this checksum were made from the present sources; outside a checkout, always true."""
    return not (_ROOT / "pyproject.toml").is_file() or sum_sources(patterns) == checksum


class Entry(msgspec.Struct, frozen=True):
    """The functions that were compiled for one rulebook."""

    choices: dict[str, list[str | bool]]
    """The values for which the functions are compiled, by field of `Rulebook`; values of other fields do not matter."""
    functions: dict[str, str]
    """The names of the functions in the module."""

    def fits(self, rulebook: Rulebook) -> bool:
        """Return whether these kernel functions judge correctly under a rulebook."""
        return all(getattr(rulebook, field) in values for field, values in self.choices.items())


class Manifest(msgspec.Struct, frozen=True):
    """The description of the compiled kernel: its sources, its compiler and its functions."""

    printed: str
    """The digest of the C code."""
    compiled: str
    """The digest of the WebAssembly module."""
    compiler: str
    """The first line of the compiler's version."""
    kernel_sources: int
    """The checksum of `KERNEL_SOURCES`."""
    table_sources: int
    """The checksum of `TABLE_SOURCES`."""
    entries: dict[str, Entry]
    """The functions by rulebook; several rulebooks may share them."""


class Kernel(msgspec.Struct, frozen=True):
    """The compiled kernel with its manifest."""

    manifest: Manifest
    code: bytes

    def find_functions(self, rulebook: Rulebook) -> dict[str, str] | None:
        """Return the module's function names for a rulebook that includes its map's rules; None if they are not compiled."""
        return next((entry.functions for entry in self.manifest.entries.values() if entry.fits(rulebook)), None)


@cache
def load_kernel() -> Kernel | None:
    """Load the compiled kernel; None if its sources have changed, or if it is damaged, which is reported once."""
    try:
        manifest = msgspec.json.decode(data_file("models", "kernel", MANIFEST).read_bytes(), type=Manifest)
        code = data_file("models", "kernel", CODE).read_bytes()
    except (OSError, NotFoundError, msgspec.DecodeError) as error:
        _report(f"the compiled kernel cannot be read: {error_line(error)}")
        return None
    if hashlib.sha256(code).hexdigest() != manifest.compiled:
        _report(f"the compiled kernel is damaged: {CODE} is not the file that {MANIFEST} describes")
        return None
    return Kernel(manifest, code) if is_current(KERNEL_SOURCES, manifest.kernel_sources) else None


def list_rulebooks() -> list[str]:
    """Return the names of the rulebooks for which table files are shipped, on the standard map."""
    return [*preset_names(), DIPLOMACY_RULEBOOK]


def table_file_name(rulebook: str) -> str:
    """Return the name of the table file of a rulebook: `standard.datc-3.tables`."""
    return f"standard.{rulebook.replace(' ', '-').replace('=', '-')}{ENDING}"


def load_tables(game_map: Map, rulebook: Rulebook) -> Tables | None:
    """Load the shipped tables for a map and a rulebook; None if there are none, or if their sources have changed."""
    has_tables = game_map is load_map() and rulebook.name in list_rulebooks() and rulebook == load_preset(rulebook.name)
    return load_table_file(rulebook.name) if has_tables else None


@lru_cache(maxsize=9)
def load_table_file(rulebook: str) -> Tables | None:
    """Load a rulebook's table file for the standard map; None if it is missing, stale, or (reported once) damaged."""
    kernel = load_kernel()
    if kernel is None or not is_current(TABLE_SOURCES, kernel.manifest.table_sources):
        return None
    try:
        tables = read_table_file(data_file("models", "kernel", table_file_name(rulebook)))
    except NotFoundError:
        return None
    except (OSError, SatjudgeError) as error:
        _report(f"{table_file_name(rulebook)}: {error_line(error)}")
        return None
    return tables if tables.header.kernel == kernel.manifest.printed else None


# ---- tables that grow ----


class Supply:
    """The current tables with which the kernel is set up.

    Tables that come with satjudge are `whole`: they contain all orders that could ever be legal. Learnt facts are added.
    """

    def __init__(self, game_map: Map, rulebook: Rulebook, code: bytes, tables: Tables, *, whole: bool) -> None:
        self.map, self.rulebook, self.code, self.tables, self.whole = game_map, rulebook, code, tables, whole
        self._learner: TableLearner | None = None

    def make_host(self) -> Host:
        """Make an instance of the kernel that is set up with the current tables."""
        return Host(self.code, self.tables)

    def learn(self, facts: Iterable[tuple[int, int]], texts: Iterable[tuple[int, str]]) -> None:
        """Look up missing facts (kinds and keys) and texts (kinds and texts), and rebuild the tables with them."""
        if self._learner is None or self._learner.size > MOST_LEARNT:
            from satjudge.bulk.tables.learner import TableLearner
            from satjudge.bulk.tables.order_facts import OrderFacts
            from satjudge.bulk.vocabulary import Vocabulary

            known = OrderFacts(Vocabulary(self.map), self.rulebook)
            self._learner = TableLearner(known, self.tables.header.kernel, self.tables.header.functions)
            if self.whole:
                self._learner.learn_everything()
            facts = [fact for fact in facts if _is_of_vocabulary(self._learner, *fact)]
        self._learner.learn(facts, texts)
        self.tables = self._learner.make_tables()


def _is_of_vocabulary(learner: TableLearner, kind: int, key: int) -> bool:
    """Return whether a fact is about orders of the vocabulary, which have the same numbers in all tables of a map.

    Other orders are numbered as they occur, so facts about them are requested again by their texts.
    """
    if kind == COMINGS:
        return key // 512 < len(learner.duties.orders)
    number = {ALIASES: key >> 19, LINKS: max(key >> 24, key & 0xFFFFFF)}.get(kind, key)
    return number < len(learner.facts.vocabulary)


def load_supply(game_map: Map, rulebook: Rulebook) -> Supply | None:
    """Return the kernel with its shipped tables for a map and a rulebook; None if there are none."""
    kernel, tables = load_kernel(), load_tables(game_map, rulebook)
    return Supply(game_map, rulebook, kernel.code, tables, whole=True) if kernel and tables else None


def make_supply(game_map: Map, rulebook: Rulebook) -> Supply | None:
    """Return the kernel with shipped or new tables; None if the equations are not compiled, or if the map is too large."""
    if found := load_supply(game_map, rulebook):
        return found
    from satjudge.bulk.tables.learner import TableLearner
    from satjudge.bulk.tables.order_facts import OrderFacts
    from satjudge.bulk.vocabulary import Vocabulary, explain_size

    kernel, vocabulary = load_kernel(), Vocabulary(game_map)
    functions = kernel.find_functions(rulebook.with_map_rules(game_map)) if kernel and not explain_size(vocabulary) else None
    if not kernel or not functions:
        return None
    learner = TableLearner(OrderFacts(vocabulary, rulebook), kernel.manifest.printed, functions)
    return Supply(game_map, rulebook, kernel.code, learner.make_tables(), whole=False)


# ---- the loaders ----


class LineQuestion(StrEnum):
    """The questions that a line may ask, by the functions of the kernel that answer them (docs/guides/kernel.md)."""

    OUTCOME = "answer_line"
    LEGAL_ORDERS = "legal_line"
    NEXT_PHASE = "next_line"
    ORDERS_IN_FULL = "orders_line"


def load_line_answerer(game_map: Map | None, rulebook: Rulebook, *, make_tables: bool = True) -> LineAnswerer | None:
    """Load the compiled kernel to answer batch lines, by default on the standard map; None if it cannot be used.

    The kernel is tried out first. Raises the errors of loading and running it.
    """
    supply = _find_supply(game_map or load_map(), rulebook, make_tables)
    if supply is None:
        return None
    from satjudge.bulk.wasm.lines import LineAnswerer

    found = LineAnswerer(supply)
    found.try_out()
    return found


def load_board_judge(game_map: Map, rulebook: Rulebook, *, make_tables: bool = True) -> KernelJudge | None:
    """Load the compiled kernel to judge single boards on a map under a rulebook; None if it cannot be used.

    After a failure, which is reported once, the methods of the judge return None.
    """
    try:
        supply = None if game_map.has_rules else _find_supply(game_map, rulebook, make_tables)
        if supply is None:
            return None
        from satjudge.bulk.wasm.boards import BoardJudge

        found = BoardJudge(supply)
        return _GuardedJudge(found) if found.is_right() else None
    except Exception as error:
        report_failure(error)
        return None


def _find_supply(game_map: Map, rulebook: Rulebook, make_tables: bool) -> Supply | None:
    """Return the kernel with its shipped tables or, if `make_tables`, with new ones; None if it cannot be used.

    It cannot be used if packages are missing, if the equations are not compiled, or if the map is too large or closes provinces
    in a season.
    """
    if not sandbox.is_installed() or game_map.closed or game_map.beyond_tables:
        return None
    found = load_supply(game_map, rulebook)
    return found or (make_supply(game_map, rulebook) if make_tables and find_spec("numpy") else None)


class _GuardedJudge:
    """A judge that answers nothing after it has failed once."""

    def __init__(self, judge: BoardJudge) -> None:
        self._judge: BoardJudge | None = judge

    def judge_board(self, board: Board, orders: Mapping[str, Sequence[Any]]) -> KernelOutcome | None:
        return self._ask(lambda judge: judge.judge_board(board, orders))

    def legal_texts(self, board: Board) -> list[list[str]] | None:
        return self._ask(lambda judge: judge.legal_texts(board))

    def legal_values(self, board: Board) -> list[list[Order]] | None:
        return self._ask(lambda judge: judge.legal_values(board))

    def _ask(self, ask: Callable[[BoardJudge], T | None]) -> T | None:
        try:
            return ask(self._judge) if self._judge else None
        except Exception as error:
            self._judge = None
            report_failure(error)
            return None


def report_failure(error: Exception) -> None:
    """Warn once that the kernel failed (the caller then lets Python judge); raise `KeyboardInterrupt` after Ctrl-C."""
    if was_interrupted(error):
        raise KeyboardInterrupt from error
    _report(f"the compiled kernel fails: {error_line(error)}")


def _report(trouble: str) -> None:
    from satjudge.base.processes import warn_once  # imports more than everything else here

    warn_once(f"answers take longer because {trouble}")
