"""Prints the kernel with the equations of all rulebooks that come with satjudge, as one module of C."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from satjudge.base.resources import data_file
from satjudge.bulk import arrays, kernel_source, translate
from satjudge.bulk.wasm import printer
from satjudge.bulk.wasm.printer import Module, Source, numbers_of
from satjudge.judging import outcome, retreats
from satjudge.judging.equations import compiled
from satjudge.judging.legality import sorting
from satjudge.world import rules, verdicts
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, preset_names

ENTRIES = (
    "judge_boards", "list_legal_orders", "draw_orders", "answer_line", "load", "list_games", "draw_listed", "draw_moves",
    "go_on", "begin_games",
)  # fmt: skip
"""The functions that are called from outside."""
_MODULES = (arrays, kernel_source, translate, printer, outcome, sorting, retreats, rules, verdicts)
_SHARED = (arrays.slot_of, arrays.mixed_in, sorting.chosen, retreats.bounces)
"""Functions that others call, too."""


class Printed(NamedTuple):
    """The kernel in C, and the names of its functions."""

    text: str
    entries: dict[str, dict[str, str]]
    """The name in C of each function that is called from outside, by the key of the equations (`key_of`)."""
    presets: dict[str, str]
    """The key of the equations of each rulebook that comes with satjudge, on a map without rules of its own."""

    @property
    def digest(self) -> str:
        """The digest of the text, which is the same wherever it is printed."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@cache
def printed() -> Printed:
    """Print the kernel for all rulebooks that come with satjudge."""
    module = Module()
    entries, presets = {}, {}
    for name in preset_names():
        rulebook = load_preset(name)
        source = _source(kernel_source.kernel_source(rulebook))
        presets[name] = key_of(rulebook)
        entries[presets[name]] = {entry: module.add(source, entry, exported=True) for entry in ENTRIES}
    return Printed(str(module), entries, presets)


@lru_cache(maxsize=100)
def key_of(rulebook: Rulebook) -> str:
    """Compute the digest of the kernel with the equations of this rulebook alone: rulebooks that share it judge alike.

    Raises `TranslationError`.
    """
    module, source = Module(), _source(kernel_source.kernel_source(rulebook))
    for entry in ENTRIES:
        module.add(source, entry, exported=True)
    return hashlib.sha256(str(module).encode()).hexdigest()[:16]


def _source(equations: str) -> Source:
    source = Source(numbers=numbers_of(vars(arrays)))
    shared = (f"@compiled\n{inspect.getsource(function)}" for function in _SHARED)
    for text in (*shared, equations, *(path.read_text(encoding="utf-8") for path in _kernels())):
        source.read(text)
    return source


def _kernels() -> tuple[Path, ...]:
    names = ("kernel", "line_kernel", "later_kernel", "load_kernel", "step_kernel")
    return tuple(Path(kernel_source.__file__).with_name(f"{name}.py") for name in names)


@cache
def written_from() -> int:
    """Compute a number of all files that decide what is printed: while it is the same, so is the text."""
    found = 0
    for path in _files():
        found = crc32(path.read_text(encoding="utf-8").encode(), found)
    return found


def _files() -> Iterator[Path]:
    yield from (Path(module.__file__ or "") for module in _MODULES)
    yield from (*_kernels(), Path(__file__))
    yield from sorted(Path(compiled.__file__).parent.glob("*.py"))
    yield from sorted(data_file("models", "rulebooks", f"{DEFAULT_RULES}.toml").parent.glob("*.toml"))
