"""Prints the kernel with the equations of all rulebooks that come with satjudge, as one module of C."""

from __future__ import annotations

import hashlib
import inspect
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from satjudge.bulk import arrays, kernel_source
from satjudge.bulk.wasm.digests import KERNELS
from satjudge.bulk.wasm.digests import written_from as written_from
from satjudge.bulk.wasm.printer import Module, Source, numbers_of
from satjudge.bulk.wasm.ready import rulebooks
from satjudge.judging import retreats
from satjudge.judging.legality import dockets
from satjudge.world.rules import Rulebook, load_preset

ENTRIES = (
    "judge_boards", "answer_line", "judge_board", "number_of", "load", "list_games",
    "draw_listed", "draw_moves", "go_on", "begin_games", "legal_line", "next_line", "orders_line", "list_board",
)  # fmt: skip
"""The functions that are called from outside."""
_SHARED = (arrays.slot_of, arrays.mixed_in, dockets.choose_order, retreats.bounces)
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
    for name in rulebooks():
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
    here = Path(kernel_source.__file__)
    return tuple(here.with_name(f"{name}.py") for name in KERNELS)
