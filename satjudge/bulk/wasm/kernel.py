"""Calls the kernel in a sandbox with the arrays of `satjudge.bulk.judge`, as compiled code of numba is called.

Arrays are copied into the memory of the sandbox and back; what is known of a map only where it has grown since.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import ARRAYS, CORES, LOST, WANTS
from satjudge.bulk.known import Known
from satjudge.bulk.wasm.sandbox import Sandbox

JUDGING = (
    "spots", "entries", "aliases", "links", "crossings", "legs", "ways", "rulings", "units", "powers", "orders", "status",
    "told", "contested", "resolutions", "dislodged", "retreats", "cores", "wanted", "counters", "at", "inputs", "tables",
    "bits",
)  # fmt: skip
LISTING = (
    "spots", "entries", "aliases", "ways", "first_order", "units", "powers", "orders", "status", "listed", "wanted", "counters",
    "at",
)  # fmt: skip
"""The arrays that the functions of the kernel take, in order."""
_FACTS = ("spots", "entries", "aliases", "links", "crossings", "legs", "ways", "rulings", "first_order")
"""Arrays that change only when something is learnt."""
_WRITTEN = ("status", "told", "contested", "resolutions", "listed", "counters")
_BY_ROWS = {"dislodged": LOST, "retreats": LOST, "cores": CORES, "wanted": WANTS}
"""Arrays that are written row by row, with the counter that says how many rows there are."""
_ALIGNED = 64

Address = tuple[int, ...]


class WasmKernel:
    """The kernel for one judge: the two functions of `compiling.Kernel`, by their names in the module."""

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
        end = self._laid_out({name: array for name, array in given.items() if name in _FACTS}, self._free, self._facts)
        self._free = end
        places: dict[str, Address] = {}
        self._laid_out({name: array for name, array in given.items() if name not in _FACTS}, end, places)
        places |= self._facts
        for name, rows in _rows(given).items():  # written when the function was called before for these boards
            self._view(places[name], given[name], rows)[...] = given[name][:rows]
        self._sandbox.call(function, (number for name in given for number in places[name]))
        self._take_back(given, places)

    def _laid_out(self, given: dict[str, NDArray[Any]], start: int, places: dict[str, Address]) -> int:
        """Copy arrays that have no place yet into the memory from an address on, and return the address after them."""
        new = {name: array for name, array in given.items() if name not in places}
        for name, array in new.items():
            places[name] = start, *array.shape
            start += -(-array.nbytes // _ALIGNED) * _ALIGNED
        self._sandbox.need(start)
        for name, array in new.items():
            if name not in _BY_ROWS:
                self._view(places[name], array)[...] = array
        return start

    def _view(self, place: Address, like: NDArray[Any], rows: int | None = None) -> NDArray[Any]:
        """Return an array in the memory of the sandbox, or its first rows."""
        address, *shape = place
        if rows is not None:
            shape[0] = rows
        return numpy.ndarray(shape, like.dtype, self._sandbox.memory, address)

    def _take_back(self, given: dict[str, NDArray[Any]], places: dict[str, Address]) -> None:
        """Copy what was written out of the memory."""
        for name in _WRITTEN:
            if name in given:
                given[name][...] = self._view(places[name], given[name])
        for name, rows in _rows(given).items():
            given[name][:rows] = self._view(places[name], given[name], rows)


def _rows(given: dict[str, NDArray[Any]]) -> dict[str, int]:
    """Count the rows that are written of each array that is written row by row."""
    return {name: int(given["counters"][counter]) for name, counter in _BY_ROWS.items() if name in given}
