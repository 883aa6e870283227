"""Checks the arrays that callers pass.

Errors name the board and the column by their indices, from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from satjudge.base.errors import BoardError, NotationError
from satjudge.bulk.kernel.memory import NONE, Flags, Numbers
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.world.geography import ProvinceCode
from satjudge.world.orders import MovementOrder

MOST_POWERS = 1 << 15
_NUMBERS = {
    "unit": "vocabulary.unit('A PAR')",
    "power": "vocabulary.powers.index('FRANCE')",
    "order": "vocabulary.order('A PAR H')",
}
_COLUMNS, _ORDERS = ("board", "column"), ("board", "order")


def check_positions(vocabulary: Vocabulary, units: ArrayLike, powers: ArrayLike, *orders: ArrayLike) -> list[Numbers]:
    """Return units, powers and any orders as int32 arrays, boards × units; raise `BoardError` for other shapes or numbers."""
    arguments = zip(("unit", "power", "order"), (units, powers, *orders), strict=False)
    arrays = [check_numbers(argument_name, one, _COLUMNS) for argument_name, one in arguments]
    if arrays[0].ndim != 2 or len({one.shape for one in arrays}) > 1:
        shapes = ", ".join(str(one.shape) for one in arrays)
        given = "units, powers and orders" if orders else "units and powers"
        problem = f"{given} must be arrays of the same shape, boards × units, not {shapes}"
        raise BoardError([problem + _explain_width(vocabulary, *arrays)])
    _check_range("unit", arrays[0], len(vocabulary.units), _COLUMNS)
    _check_range("power", arrays[1], MOST_POWERS, _COLUMNS, arrays[0] != NONE)
    for order_array in arrays[2:]:
        _check_range("order", order_array, len(vocabulary), _COLUMNS)
    return arrays


def _explain_width(vocabulary: Vocabulary, units: Numbers, powers: Numbers, *orders: Numbers) -> str:
    """Return a hint if orders have the extra columns that orders for `Games` have; "" for other arrays."""
    builds = len(vocabulary.centers)
    shapes = [(len(units), units.shape[1] + builds)] if units.ndim == 2 else []
    if units.shape != powers.shape or [one.shape for one in orders] != shapes:
        return ""
    return (
        f": orders for Games have {builds} more columns, for builds; "
        "in a movement phase the columns of the units come first: write orders[:, : units.shape[1]]"
    )


def check_vocabulary(expected: Vocabulary, actual: Vocabulary) -> None:
    """Raise `BoardError` if the map of outcomes, by `actual`, is not the judge's map, by `expected`."""
    if actual.map is not expected.map and (actual.map.name != expected.map.name or actual.orders != expected.orders):
        raise BoardError(
            [f"these outcomes are on the map {actual.map.name}: use a judge for that map, not one for {expected.map.name}"]
        )


def check_retreats(vocabulary: Vocabulary, orders: ArrayLike) -> Numbers:
    """Return the orders of dislodged units as a one-dimensional int32 array; raise `BoardError` if one is out of range."""
    found = check_numbers("order", orders, ("dislodged unit",))
    _check_range("order", found, len(vocabulary), ("dislodged unit",))
    return found


def check_owners(vocabulary: Vocabulary, units: Numbers, centers: ArrayLike) -> Numbers:
    """Return owners of supply centres as int32 numbers, boards × centres; raise `BoardError` for other shapes or numbers."""
    found, shape = check_numbers("power", centers, ("board", "supply centre")), (len(units), len(vocabulary.centers))
    if not len(units) and not found.size:
        found = found.reshape(shape)
    if found.shape != shape:
        raise BoardError([f"centers must be an array of boards × supply centres, {shape}, not {found.shape}"])
    _check_range("power", found, MOST_POWERS, ("board", "supply centre"))
    return found


def check_adjustments(vocabulary: Vocabulary, units: Numbers, orders: ArrayLike, givers: ArrayLike) -> tuple[Numbers, Numbers]:
    """Return orders of adjustment phases and their givers, boards × orders; raise `BoardError` for wrong shapes or numbers."""
    order_numbers, powers = check_numbers("order", orders, _ORDERS), check_numbers("power", givers, _ORDERS)
    if order_numbers.ndim != 2 or len(order_numbers) != len(units) or order_numbers.shape != powers.shape:
        shapes = f"{order_numbers.shape}, {powers.shape}"
        raise BoardError([f"orders and givers must be arrays of the same shape, {len(units)} boards × orders, not {shapes}"])
    _check_range("order", order_numbers, len(vocabulary), _ORDERS)
    _check_range("power", powers, MOST_POWERS, _ORDERS, order_numbers != NONE)
    return order_numbers, powers


def check_numbers(kind: str, values: ArrayLike, axes: Sequence[str]) -> Numbers:
    """Return values as an int32 array; raise `BoardError`, worded by `kind` and `axes`, for ragged rows or non-integers."""
    try:
        array = numpy.asarray(values)
    except ValueError:
        lengths = [len(row) for row in values]  # type: ignore[union-attr, arg-type]  # only lists in lists can be ragged
        odd = next((board for board, length in enumerate(lengths) if length != lengths[0]), 0)
        problem = f"{kind}s: {axes[0]} {odd} has {lengths[odd]} {axes[-1]}s, but {axes[0]} 0 has {lengths[0]}: pad it with -1"
        raise BoardError([problem]) from None
    if array.dtype != numpy.int32:
        given_array, array = array, numpy.zeros(array.shape, numpy.int32)
        if given_array.dtype.kind in "iuf":
            with numpy.errstate(invalid="ignore"):  # not a number
                array = given_array.astype(numpy.int32)
            wrong, hint = given_array != array, ""
        else:
            wrong, hint = numpy.ones(given_array.shape, numpy.bool_), f": write numbers, {_NUMBERS[kind]}"
        _refuse_entries(kind, given_array, wrong, axes, hint)
    if array.shape == (0,):
        array = array.reshape([0] * len(axes))
    return numpy.require(array, numpy.int32, ("C", "W"))  # other types would need another compilation


def _check_range(kind: str, array: Numbers, limit: int, axes: Sequence[str], is_required: Flags | None = None) -> None:
    """Raise `BoardError` for numbers from `limit` up or below -1; with `is_required`, for negative ones only where it holds."""
    _refuse_entries(kind, array, (array >= limit) | (array < NONE if is_required is None else is_required & (array < 0)), axes)


def _refuse_entries(kind: str, array: NDArray[Any], is_wrong: Flags, axes: Sequence[str], hint: str = "") -> None:
    """Raise `BoardError` with the kind and place of the first entry for which `is_wrong` is true; do nothing without one."""
    if is_wrong.any():
        if not array.ndim:
            raise BoardError([f"{kind}s must be an array with the axes {' and '.join(axes)}, not {array!s}{hint}"])
        at = numpy.argwhere(is_wrong)[0].tolist()
        place = ", ".join(f"{axis} {number}" for axis, number in zip(axes, at, strict=False))
        raise BoardError([f"{place}: there is no {kind} {array[tuple(at)]!s}{hint}"])


def refuse_board(vocabulary: Vocabulary, board: int, units: Numbers, orders: Numbers) -> None:
    """Raise an error for a board's first mistake, if any: two units in one province, or an order that no unit there can get."""
    seen: dict[ProvinceCode, str] = {}
    for column, (unit, order) in enumerate(zip(units[board].tolist(), orders[board].tolist(), strict=True)):
        unit_name = vocabulary.units[unit] if unit != NONE else None
        cell = f"board {board}, column {column}"
        if unit_name is not None and seen.setdefault(unit_name.province, cell) != cell:
            raise BoardError([f"{cell}: {unit_name} is in the province of another unit ({seen[unit_name.province]})"])
        if order != NONE:
            value = vocabulary.orders[order]
            if not isinstance(value, MovementOrder):
                raise NotationError(f"{cell}: {value} is not an order of a movement phase")
            if unit_name is None:
                raise NotationError(f"{cell}: this column has no unit, so write -1 for its order, not {order} ({value})")
            if value.unit.province != unit_name.province:
                raise NotationError(f"{cell}: {value} is not an order for {unit_name}")
