"""Names the rows of the one matrix of numbers that holds a whole batch of boards, and compiles functions over it.

A row of the matrix `at` says one thing about all boards, units, orders, places, decisions or routes of a batch; these are
numbered through the batch, -1 stands for none, and flags are 0 or 1. It is one matrix because compiled code passes one
quickly and many slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy
from numpy.typing import NDArray

from satjudge.bulk import folder

P = ParamSpec("P")
R = TypeVar("R")

Numbers: TypeAlias = NDArray[numpy.int32]
Flags: TypeAlias = NDArray[numpy.bool_]

NONE = -1
MOVE, SUPPORT, CONVOY = range(3)
"""Kinds of decisions."""

# Of boards (those that begin with FIRST_ also have a number behind the last, here and below).
ODD, FIRST_UNIT, FIRST_ORDER, FIRST_DECISION, SETTLED, FIRST_DISLODGED = range(6)
# Of units: the unit (kind and location) before and after the moves.
UNIT_STATE, UNIT_POWER, STATE_AFTER, DISLODGED = range(6, 10)
# Of orders: as handed in, and what became of them.
ORDER_TEXT, ORDER_POWER, ORDER_PLACE, ORDER_DECISION, VERDICT = range(10, 15)
# Of places: what the equations read, the unit there, the form of its order and the decision about it, and what came of it.
OWNER, MOVE_OUT, FIRST_MOVE_IN, FIRST_HOLD_SUPPORT, STATE, UNIT, FORM, DECIDED, CONTESTED, OCCUPIED, FATE = range(15, 26)
# Of decisions: what the equations read (`satjudge.equations.situation`), and what they say besides.
KIND, PLACE, DESTINATION, LOCATION, SUPPORTED, DIRECTED_AT, BY_LAND, VIA_CONVOY, SUPPORTS_HOLD = range(26, 35)
MATCH, OPPOSED, NEXT_MOVE_IN, FIRST_SUPPORT, NEXT_SUPPORT, FIRST_CONVOY, NEXT_CONVOY, FIRST_ROUTE = range(35, 43)
MIGHT_BE_CONVOYED, CONVOYED, MATCHED = range(43, 46)
# Of routes, and of their legs: the decisions about the convoys.
FIRST_LEG, LEG = range(46, 48)
ROWS = 48


_OPTIONS: dict[str, Any] = {"nogil": True, "forceinline": True, "_nrt": False}
"""`_nrt` off: nothing is allocated here, and the reference counts of the matrix would take six times as long as the work."""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The function compiled by numba; the machine code is kept for the next process where there is room to keep it."""
    from numba import njit

    place = folder()
    with _kept_in(place):
        return njit(cache=place is not None, **_OPTIONS)(function)  # type: ignore[no-any-return]


@contextmanager
def _kept_in(place: Path | None) -> Iterator[None]:
    """Let numba keep machine code there, for functions that are declared meanwhile."""
    from numba import config

    usual = vars(config)["CACHE_DIR"]
    vars(config)["CACHE_DIR"] = str(place or usual)
    try:
        yield
    finally:
        vars(config)["CACHE_DIR"] = usual
