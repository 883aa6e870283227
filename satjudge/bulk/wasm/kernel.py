"""Calls the kernel in a sandbox with the arrays of `satjudge.bulk.judge`.

Arrays are copied into the memory of the sandbox and back; what is known of a map only where it has grown since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from threading import Lock
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import ARRAYS, CORES, LISTED, LOST, SLOTS, WANTS
from satjudge.bulk.known import Known
from satjudge.bulk.wasm.printer import LENGTHS
from satjudge.bulk.wasm.sandbox import Sandbox

_FACTS = {
    "spots", "entries", "aliases", "links", "questions", "first_help", "helping", "later_orders", "of_powers",
    "away", "alphabet", "choices", "duties", "comings", "aims",
}  # fmt: skip
"""Arrays that change only when something is learnt."""
_WRITTEN = ("status", "told", "contested", "resolutions", "counters")
_BY_ROWS = {"dislodged": LOST, "retreats": LOST, "cores": CORES, "wanted": WANTS, "listing": LISTED, "slot_list": SLOTS}
"""Arrays that are written row by row, with the counter that says how many rows there are."""
_ALIGNED = 64
_NUMBERS = {name: number for number, name in enumerate(ARRAYS)}

Address = tuple[int, ...]
"""The place of an array in the memory: its address, and the length of each dimension."""
Given: TypeAlias = Mapping[str, NDArray[Any]]
"""Arrays by the names that the kernel has for them."""


class WasmKernel:
    """The kernel for one judge: functions of the module, by their names in it."""

    def __init__(self, code: bytes, names: dict[str, str], known: Known) -> None:
        self.names, self._code, self._known = names, code, known
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        """Make a new instance that knows nothing."""
        self._sandbox = Sandbox(self._code)
        self._version = -1
        self._facts: dict[str, Address] = {}
        self._free = self._sandbox.call("first_free")

    @property
    def knows_moves(self) -> bool:
        """Tell whether it knows which orders of movement phases are legal, as it does where the equations can be printed."""
        return "draw_moves" in self.names

    def call(self, function: str, given: Given, written: Sequence[str] = _WRITTEN) -> None:
        """Call a function, which writes some of the arrays."""
        with self._lock:
            try:
                self._run(self.names[function], given, written)
            except BaseException:  # whatever has stopped it, what it was at is in no state to go on from
                self._begin()
                raise

    def _run(self, function: str, given: Given, written: Sequence[str]) -> None:
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
        describe(self._sandbox, places)
        self._sandbox.call(function)
        self._take_back(given, places, written)

    def _take_back(self, given: Given, places: dict[str, Address], written: Sequence[str]) -> None:
        """Copy what was written out of the memory."""
        for name in written:
            if name in given:
                given[name][...] = view(self._sandbox, places[name], given[name])
        for name, rows in _rows(given).items():
            given[name][:rows] = view(self._sandbox, places[name], given[name], rows)


def lay_out(sandbox: Sandbox, given: Given, start: int, copied: Set[str] | None = None) -> tuple[dict[str, Address], int]:
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


def describe(sandbox: Sandbox, places: Mapping[str, Address]) -> None:
    """Tell the kernel where arrays stand, and how long they are."""
    table = sandbox.memory[sandbox.call("arrays") :].cast("I")
    for name, numbers in places.items():
        first = _NUMBERS[name] * (1 + LENGTHS)
        for number, value in enumerate(numbers, first):
            table[number] = value


def view(sandbox: Sandbox, place: Address, like: NDArray[Any], rows: int | None = None) -> NDArray[Any]:
    """Return an array in the memory of a sandbox, or its first rows, of the type of another array."""
    address, *shape = place
    if rows is not None:
        shape[0] = rows
    return numpy.ndarray(shape, like.dtype, sandbox.memory, address)


def _rows(given: Given) -> dict[str, int]:
    """Count the rows that are written of each array that is written row by row."""
    return {name: int(given["counters"][counter]) for name, counter in _BY_ROWS.items() if name in given}
