"""Calls the kernel in a sandbox with the arrays of `satjudge.bulk.judge`.

Arrays are copied into the memory of the sandbox and back; the map's arrays are copied only if they have grown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from threading import Lock
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

from satjudge.bulk.kernel.memory import (
    ARRAYS,
    CORES,
    LENGTHS,
    LISTED,
    LOST,
    MOST_LISTED,
    OF_COUNTERS,
    OF_SLOT,
    PENDING,
    PITCH,
    SLOT_FIRST,
    SLOTS,
    WANTS,
    LongNumbers,
    Numbers,
)  # fmt: skip
from satjudge.bulk.tables.order_facts import OrderFacts
from satjudge.bulk.vocabulary import find_uncompiled_rule
from satjudge.bulk.wasm.loading import load_kernel
from satjudge.bulk.wasm.sandbox import Sandbox, SandboxError

_FACTS = {
    "spots", "entries", "aliases", "links", "questions", "first_help", "helping", "later_orders", "of_powers",
    "away", "alphabet", "choices", "duties", "comings", "aims",
}  # fmt: skip
"""Arrays that change only when facts are learnt."""
_WRITTEN = ("status", "told", "contested", "resolutions", "counters")
_BY_ROWS = {"dislodged": LOST, "retreats": LOST, "cores": CORES, "wanted": WANTS, "listing": LISTED, "slot_list": SLOTS}
"""Arrays that the kernel writes row by row, with the counter of their rows."""
_ALIGNED = 64
_WITHOUT_EQUATIONS = ("list_games", "draw_listed", "go_on", "begin_games", "draw_moves")
"""The functions that use no equations; rulebooks that treat superfluous convoys alike share them."""
_NUMBERS = {name: number for number, name in enumerate(ARRAYS)}

Address = tuple[int, ...]
"""The place of an array in memory: its address, and the length of each dimension."""
Arrays: TypeAlias = Mapping[str, NDArray[Any]]
"""Arrays by their names in the kernel."""


class ArrayKernel:
    """The kernel for one judge; `names` contains the names of its functions in the module."""

    def __init__(self, code: bytes, names: dict[str, str], facts: OrderFacts) -> None:
        self.names, self._code, self._order_facts = names, code, facts
        self._lock = Lock()
        self._begin_instance()

    def _begin_instance(self) -> None:
        """Make a new instance of the kernel, whose memory has no facts yet."""
        self._sandbox = Sandbox(self._code)
        self._version = -1
        self._facts: dict[str, Address] = {}
        self._free = self._sandbox.call("first_free")

    @property
    def knows_moves(self) -> bool:
        """True if the kernel can list legal movement orders."""
        return "draw_moves" in self.names

    def call(self, function: str, arrays: Arrays, outputs: Sequence[str] = _WRITTEN) -> None:
        """Call a kernel function, and copy `outputs` and all arrays filled row by row back; start anew after a failure."""
        with self._lock:
            try:
                self._run(self.names[function], arrays, outputs)
            except BaseException:  # after any failure, its state is useless
                self._begin_instance()
                raise

    def _run(self, function: str, arrays: Arrays, outputs: Sequence[str]) -> None:
        for name, array in arrays.items():
            if array.dtype != ARRAYS[name].elements or array.ndim != ARRAYS[name].dimensions:
                raise TypeError(f"{name} is an array of {array.dtype} with {array.ndim} dimensions, not {ARRAYS[name]}")
        if self._version != self._order_facts.version:
            self._facts, self._free = {}, self._sandbox.call("first_free")
            self._version = self._order_facts.version
        new = {name: array for name, array in arrays.items() if name in _FACTS and name not in self._facts}
        found, self._free = place_arrays(self._sandbox, new, self._free)
        self._facts |= found
        rest = {name: array for name, array in arrays.items() if name not in _FACTS}
        places = self._facts | place_arrays(self._sandbox, rest, self._free, copied_names=rest.keys() - _BY_ROWS.keys())[0]
        for name, rows in _count_rows(arrays).items():  # rows from an earlier call for these boards
            view_array(self._sandbox, places[name], arrays[name], rows)[...] = arrays[name][:rows]
        write_descriptors(self._sandbox, places)
        self._sandbox.call(function)
        self._read_arrays(arrays, places, outputs)

    def _read_arrays(self, arrays: Arrays, places: dict[str, Address], outputs: Sequence[str]) -> None:
        """Copy the arrays that the kernel wrote from its memory back into `arrays`."""
        for name in outputs:
            if name in arrays:
                arrays[name][...] = view_array(self._sandbox, places[name], arrays[name])
        for name, rows in _count_rows(arrays).items():
            arrays[name][:rows] = view_array(self._sandbox, places[name], arrays[name], rows)


def load_array_kernel(facts: OrderFacts) -> ArrayKernel:
    """Load the kernel for a map and rulebook, lacking `judge_boards` without compiled equations; raise `SandboxError`."""
    kernel, rulebook = load_kernel(), facts.rulebook
    if kernel is None:
        raise SandboxError("arrays need the compiled kernel, which is damaged or older than its sources (make kernel)")
    functions = kernel.find_functions(rulebook)
    if functions is None:
        entries = kernel.manifest.entries.values()
        alike = next(one for one in entries if rulebook.superfluous_convoy in one.choices["superfluous_convoy"])
        functions = {name: alike.functions[name] for name in _WITHOUT_EQUATIONS}
        if find_uncompiled_rule(rulebook):  # the kernel does not know when its orders are legal
            del functions["draw_moves"]
    return ArrayKernel(kernel.code, functions, facts)


def place_arrays(
    sandbox: Sandbox, arrays: Arrays, start_address: int, copied_names: Set[str] | None = None
) -> tuple[dict[str, Address], int]:
    """Give arrays addresses from `start_address` on, and copy all, or `copied_names`, there; return all and the next address.

    Returns the addresses with shapes by name, and the address after all of them.
    """
    places: dict[str, Address] = {}
    for name, array in arrays.items():
        places[name] = start_address, *array.shape
        start_address += -(-array.nbytes // _ALIGNED) * _ALIGNED
    sandbox.grow_memory(start_address)
    for name in arrays.keys() if copied_names is None else copied_names:
        view_array(sandbox, places[name], arrays[name])[...] = arrays[name]
    return places, start_address


def write_descriptors(sandbox: Sandbox, addresses: Mapping[str, Address]) -> None:
    """Write the addresses and shapes of arrays into the table in which the kernel looks them up."""
    table = sandbox.memory[sandbox.call("arrays") :].cast("I")
    for name, numbers in addresses.items():
        first = _NUMBERS[name] * (1 + LENGTHS)
        for number, value in enumerate(numbers, first):
            table[number] = value


def view_array(sandbox: Sandbox, place: Address, template: NDArray[Any], rows: int | None = None) -> NDArray[Any]:
    """Return an array in a sandbox's memory, or its first rows, with the element type of `template`."""
    address, *shape = place
    if rows is not None:
        shape[0] = rows
    return numpy.ndarray(shape, template.dtype, sandbox.memory, address)


def _count_rows(arrays: Arrays) -> dict[str, int]:
    """Return how many rows the kernel has written so far to each array that grows row by row, by name."""
    return {name: int(arrays["counters"][counter]) for name, counter in _BY_ROWS.items() if name in arrays}


# ---- the orders of many positions ----

Play: TypeAlias = Callable[[str, dict[str, NDArray[Any]], tuple[str, ...]], None]
"""A function that calls a kernel function, by name, with arrays, and copies those with the last names back."""
_ROOM = 600
"""The initial space for the orders of each position; it grows if it is too small."""


def list_orders(
    call: Play, facts: OrderFacts, status: NDArray[numpy.int8], columns: int
) -> tuple[list[Numbers], list[Numbers]]:
    """Return the legal orders of pending positions as lists of arrays of slots and of order numbers, and update `status`."""
    found = [numpy.zeros((0, OF_SLOT), numpy.int32)], [numpy.zeros(0, numpy.int32)]
    while (status == PENDING).any():
        room = int((status == PENDING).sum()) * _ROOM + MOST_LISTED
        rows = numpy.zeros((2 * columns * (len(status) + 1), OF_SLOT), numpy.int32)
        listing = numpy.zeros(room, numpy.int32)
        counters, wanted = numpy.zeros(OF_COUNTERS, numpy.int64), numpy.zeros((4096, 2), numpy.int64)
        arrays: dict[str, NDArray[Any]] = {"slot_list": rows, "listing": listing, "counters": counters, "wanted": wanted}
        call("list_games", {"status": status, **arrays}, ("status", "counters"))
        if counters[WANTS]:
            facts.learn(wanted[: counters[WANTS]])
        rows = rows[: counters[SLOTS]]
        rows[:, SLOT_FIRST] += sum(map(len, found[1]))
        found[0].append(rows)
        found[1].append(listing[: counters[LISTED]])
    return found


def draw_orders(call: Play, facts: OrderFacts, status: NDArray[numpy.int8], seeds: LongNumbers, order_numbers: Numbers) -> None:
    """Draw an order for each unit of pending movement phases into `order_numbers`; update `status` and `seeds`."""
    wanted, counters = numpy.zeros((4096, 2), numpy.int64), numpy.zeros(OF_COUNTERS, numpy.int64)
    while (status == PENDING).any():
        counters[WANTS] = 0
        given: dict[str, NDArray[Any]] = {
            "status": status,
            "seeds": seeds,
            "asked": order_numbers,
            "wanted": wanted,
            "counters": counters,
        }
        call("draw_moves", given, ("status", "seeds", "asked", "counters"))
        if counters[WANTS]:
            facts.learn(wanted[: counters[WANTS]])


def make_scratch_arrays(provinces: int) -> Mapping[str, NDArray[Any]]:
    """Make arrays, by name, in which the kernel works and which nobody reads afterwards."""
    return {
        "wanted": numpy.zeros((1, 2), numpy.int64), "bits": numpy.zeros((6, 64), numpy.int64),
        "at": numpy.zeros(PITCH * provinces, numpy.int32), "reaches": numpy.zeros(provinces, numpy.int64),
    }  # fmt: skip
