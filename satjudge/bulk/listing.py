"""Has the kernel list and draw the orders of many positions at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import (
    LISTED,
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
from satjudge.bulk.known import Known

Play: TypeAlias = Callable[[str, dict[str, NDArray[Any]], tuple[str, ...]], None]
"""Calls a function of the kernel with arrays, some of which it writes."""
_ROOM = 600
"""The room for orders that is kept for each position; where it is not enough there is more."""


def list_orders(play: Play, known: Known, status: NDArray[numpy.int8], columns: int) -> tuple[list[Numbers], list[Numbers]]:
    """List the orders of the positions that are pending, of so many slots at most: rows of slots, and the orders of all."""
    found = [numpy.zeros((0, OF_SLOT), numpy.int32)], [numpy.zeros(0, numpy.int32)]
    while (status == PENDING).any():
        room = int((status == PENDING).sum()) * _ROOM + MOST_LISTED
        rows = numpy.zeros((2 * columns * (len(status) + 1), OF_SLOT), numpy.int32)
        listing = numpy.zeros(room, numpy.int32)
        counters, wanted = numpy.zeros(OF_COUNTERS, numpy.int64), numpy.zeros((4096, 2), numpy.int64)
        arrays: dict[str, NDArray[Any]] = {"slot_list": rows, "listing": listing, "counters": counters, "wanted": wanted}
        play("list_games", {"status": status, **arrays}, ("status", "counters"))
        if counters[WANTS]:
            known.learn(wanted[: counters[WANTS]])
        rows = rows[: counters[SLOTS]]
        rows[:, SLOT_FIRST] += sum(map(len, found[1]))
        found[0].append(rows)
        found[1].append(listing[: counters[LISTED]])
    return found


def draw_orders(play: Play, known: Known, status: NDArray[numpy.int8], seeds: LongNumbers, asked: Numbers) -> None:
    """Draw an order for each unit of the positions that are pending, which are in a movement phase."""
    wanted, counters = numpy.zeros((4096, 2), numpy.int64), numpy.zeros(OF_COUNTERS, numpy.int64)
    while (status == PENDING).any():
        counters[WANTS] = 0
        given: dict[str, NDArray[Any]] = {
            "status": status,
            "seeds": seeds,
            "asked": asked,
            "wanted": wanted,
            "counters": counters,
        }
        play("draw_moves", given, ("status", "seeds", "asked", "counters"))
        if counters[WANTS]:
            known.learn(wanted[: counters[WANTS]])


def room_to_work(provinces: int) -> Mapping[str, NDArray[Any]]:
    """Make the arrays in which the kernel works, and which nobody reads afterwards."""
    return {
        "wanted": numpy.zeros((1, 2), numpy.int64), "bits": numpy.zeros((6, 64), numpy.int64),
        "at": numpy.zeros(PITCH * provinces, numpy.int32), "reaches": numpy.zeros(provinces, numpy.int64),
    }  # fmt: skip
