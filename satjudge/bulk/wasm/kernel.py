"""Calls the kernel in a sandbox with the arrays of `satjudge.bulk.judge`, as compiled code of numba is called.

Arrays are copied into the memory of the sandbox and back; what is known of a map only where it has grown since.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from threading import Lock
from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import ARRAYS, CORES, LOST, WANTS
from satjudge.bulk.known import Known
from satjudge.bulk.wasm.sandbox import Sandbox

JUDGING = (
    "spots", "entries", "aliases", "links", "crossings", "legs", "ways", "units", "powers", "orders", "status",
    "told", "contested", "resolutions", "dislodged", "retreats", "cores", "wanted", "counters", "at", "inputs", "tables",
    "bits",
)  # fmt: skip
LISTING = (
    "spots", "entries", "aliases", "ways", "first_order", "units", "powers", "orders", "status", "listed", "wanted", "counters",
    "at",
)  # fmt: skip
DRAWING = (
    "spots", "entries", "aliases", "ways", "first_order", "units", "powers", "orders", "status", "drawn", "seeds", "wanted",
    "counters", "at",
)  # fmt: skip
"""The arrays that the functions of the kernel take, in order."""
_FACTS = ("spots", "entries", "aliases", "links", "crossings", "legs", "ways", "first_order")
"""Arrays that change only when something is learnt."""
_WRITTEN = ("status", "told", "contested", "resolutions", "listed", "drawn", "counters")
_BY_ROWS = {"dislodged": LOST, "retreats": LOST, "cores": CORES, "wanted": WANTS}
"""Arrays that are written row by row, with the counter that says how many rows there are."""
_ALIGNED = 64

Address = tuple[int, ...]


class WasmKernel:
    """The kernel for one judge: the functions of `compiling.Kernel`, by their names in the module."""

    def __init__(self, code: bytes, names: dict[str, str], known: Known) -> None:
        self._code, self._names, self._known = code, names, known
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        """Make a new instance that knows nothing."""
        self._sandbox = Sandbox(self._code)
        self._version = -1
        self._facts: dict[str, Address] = {}
        self._free = self._sandbox.call("first_free")

    def judge_boards(self, *arrays: NDArray[Any]) -> None:
        """Judge every board that is pending."""
        self._call("judge_boards", dict(zip(JUDGING, arrays, strict=True)))

    def list_legal_orders(self, *arrays: NDArray[Any]) -> None:
        """Mark the legal orders of each unit."""
        self._call("list_legal_orders", dict(zip(LISTING, arrays, strict=True)))

    def draw_orders(self, *arrays: NDArray[Any]) -> None:
        """Draw an order for each unit."""
        self._call("draw_orders", dict(zip(DRAWING, arrays, strict=True)))

    def _call(self, function: str, given: dict[str, NDArray[Any]]) -> None:
        with self._lock:
            try:
                self._run(self._names[function], given)
            except BaseException:  # whatever has stopped it, what it was at is in no state to go on from
                self._begin()
                raise

    def _run(self, function: str, given: dict[str, NDArray[Any]]) -> None:
        for name, array in given.items():
            if array.dtype != ARRAYS[name].elements or array.ndim != ARRAYS[name].dimensions:
                raise TypeError(f"{name} is an array of {array.ndim} dimensions of {array.dtype}: {ARRAYS[name]}")
        if self._version != self._known.version:
            self._facts, self._free = {}, self._sandbox.call("first_free")
            self._version = self._known.version
        new = {name: array for name, array in given.items() if name in _FACTS and name not in self._facts}
        found, self._free = lay_out(self._sandbox, new, self._free)
        self._facts |= found
        rest = {name: array for name, array in given.items() if name not in _FACTS}
        places = self._facts | lay_out(self._sandbox, rest, self._free, copied=rest.keys() - _BY_ROWS.keys())[0]
        for name, rows in _rows(given).items():  # written when the function was called before for these boards
            view(self._sandbox, places[name], given[name], rows)[...] = given[name][:rows]
        self._sandbox.call(function, (number for name in given for number in places[name]))
        self._take_back(given, places)

    def _take_back(self, given: dict[str, NDArray[Any]], places: dict[str, Address]) -> None:
        """Copy what was written out of the memory."""
        for name in _WRITTEN:
            if name in given:
                given[name][...] = view(self._sandbox, places[name], given[name])
        for name, rows in _rows(given).items():
            given[name][:rows] = view(self._sandbox, places[name], given[name], rows)


def lay_out(
    sandbox: Sandbox, given: Mapping[str, NDArray[Any]], start: int, copied: Set[str] | None = None
) -> tuple[dict[str, Address], int]:
    """Give arrays places in the memory of a sandbox from an address on, and copy them there, or just some of them.

    Returns the places, and the address behind them.
    """
    places: dict[str, Address] = {}
    for name, array in given.items():
        places[name] = start, *array.shape
        start += -(-array.nbytes // _ALIGNED) * _ALIGNED
    sandbox.need(start)
    for name in given.keys() if copied is None else copied:
        view(sandbox, places[name], given[name])[...] = given[name]
    return places, start


def view(sandbox: Sandbox, place: Address, like: NDArray[Any], rows: int | None = None) -> NDArray[Any]:
    """Return an array in the memory of a sandbox, or its first rows, of the type of another array."""
    address, *shape = place
    if rows is not None:
        shape[0] = rows
    return numpy.ndarray(shape, like.dtype, sandbox.memory, address)


def _rows(given: dict[str, NDArray[Any]]) -> dict[str, int]:
    """Count the rows that are written of each array that is written row by row."""
    return {name: int(given["counters"][counter]) for name, counter in _BY_ROWS.items() if name in given}
