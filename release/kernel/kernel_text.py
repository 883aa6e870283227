"""Prints the kernel with the equations of all rulebooks that come with satjudge, as one module of C."""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from msgspec.structs import replace

from release.kernel.c_printer import Module, Source, list_numbers
from release.kernel.rulebook_source import write_rulebook_source
from satjudge.base.errors import RulebookError
from satjudge.bulk.kernel import memory
from satjudge.bulk.wasm.loading import list_rulebooks
from satjudge.judging import retreats
from satjudge.judging.equations.generator import TranslationError
from satjudge.judging.legality import dockets
from satjudge.world.rules import Rulebook, load_preset
from satjudge.world.rules.rulebook import Choice

ENTRIES = (
    "judge_boards", "answer_line", "judge_board", "number_of", "load", "list_games",
    "draw_listed", "draw_moves", "go_on", "begin_games", "legal_line", "next_line", "orders_line", "list_board",
)  # fmt: skip
"""The functions that are called from outside."""
SUBSET = ("judging", "lines", "later_phases", "setup", "games", "game_lines")
"""The modules of `satjudge.bulk.kernel` that are printed."""
_SHARED = (memory.slot_of, memory.mixed_in, dockets.choose_order, retreats.bounces)
"""Functions that others call, too."""


class PrintedKernel(NamedTuple):
    """The kernel in C, and the names of its functions."""

    text: str
    functions: dict[str, dict[str, str]]
    """The name in C of each function that is called from outside, by rulebook."""

    @property
    def digest(self) -> str:
        """The digest of the text, which is the same wherever it is printed."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@cache
def print_kernel() -> PrintedKernel:
    """Print the kernel for all rulebooks that come with satjudge."""
    module, functions = Module(), dict[str, dict[str, str]]()
    for name in list_rulebooks():
        source = _read_source(write_rulebook_source(load_preset(name)))
        functions[name] = {entry: module.add(source, entry, exported=True) for entry in ENTRIES}
    return PrintedKernel(str(module), functions)


def find_choices(rulebook: Rulebook) -> dict[str, list[str | bool]]:
    """Find the values of each option for which a rulebook's equations are printed alike; leave out those that may have any."""
    reader, found = _Reader(rulebook), dict[str, list[str | bool]]()
    source = write_rulebook_source(cast("Rulebook", reader))
    for name in sorted(reader.names):
        value = getattr(rulebook, name)
        values: list[str | bool] = [*type(value)] if isinstance(value, Choice) else [False, True]
        alike = [other for other in values if _source_with(rulebook, name, other) == source]
        if alike != values:
            found[name] = alike
    return found


class _Reader:
    """Stands for a rulebook, and notes the names of the options that are read."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook, self.names = rulebook, set[str]()

    def __getattr__(self, name: str) -> object:
        self.names.add(name)
        return getattr(self.rulebook, name)


def _source_with(rulebook: Rulebook, name: str, value: str | bool) -> str | None:
    """Write the source of a rulebook with another value of an option; None where there is none."""
    try:
        return write_rulebook_source(replace(rulebook, **{name: value}))
    except (RulebookError, TranslationError):
        return None


def _read_source(equations: str) -> Source:
    source, folder = Source(numbers=list_numbers(vars(memory))), Path(memory.__file__).parent
    shared = (f"@compiled\n{inspect.getsource(function)}" for function in _SHARED)
    for text in (*shared, equations, *((folder / f"{name}.py").read_text(encoding="utf-8") for name in SUBSET)):
        source.read(text)
    return source
