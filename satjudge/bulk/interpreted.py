"""Runs functions of the kernel that need no equations as Python has them, where there is no compiled kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk import arrays
from satjudge.judging import retreats
from satjudge.judging.legality import sorting

_SOURCES = ("kernel", "line_kernel", "later_kernel", "step_kernel", "play_kernel")
"""The modules of the subset, each of which may call functions of the ones before."""


class InterpretedKernel:
    """The functions for games, called as those of `satjudge.bulk.wasm.kernel.WasmKernel`."""

    def __init__(self) -> None:
        self.names = functions()

    def play(self, function: str, given: Mapping[str, NDArray[Any]], written: Sequence[str] = ()) -> None:
        """Call a function with the arrays that it knows by name."""
        self.names |= given
        with numpy.errstate(over="ignore"):  # numbers that mix bits
            self.names[function]()


def functions() -> dict[str, Any]:
    """Read all functions of the kernel; those that call an equation have none to call."""

    def as_it_is(function: Any) -> Any:  # noqa: ANN401  # whatever is declared
        return function

    names: dict[str, Any] = vars(arrays) | {"numpy": numpy, "compiled": as_it_is, "called": as_it_is}
    names |= {"chosen": sorting.chosen, "bounces": retreats.bounces}
    for code in _read():
        exec(code, names)
    return names


@cache
def _read() -> list[CodeType]:
    paths = [Path(__file__).with_name(f"{name}.py") for name in _SOURCES]
    return [compile(path.read_text(encoding="utf-8"), path, "exec") for path in paths]


@cache
def arrays_of(function: str) -> frozenset[str]:
    """Collect the names of the arrays that a function, or one that it calls, knows."""
    return frozenset(_known_to(functions(), function))


def _known_to(names: Mapping[str, Any], function: str) -> Iterator[str]:
    for name in names[function].__code__.co_names:
        if name in arrays.ARRAYS:
            yield name
        elif isinstance(names.get(name), FunctionType) and names[name].__globals__ is names:
            yield from _known_to(names, name)
