"""Finding an order by what people call it."""

from __future__ import annotations

from difflib import get_close_matches

from satjudge.board import Unit
from satjudge.errors import NotationError, NotFoundError
from satjudge.explain.parts import listed
from satjudge.geography import Power, ProvinceCode
from satjudge.legality import Entry
from satjudge.notation import parse_order
from satjudge.orders import Hold, Named, Order
from satjudge.outcome import Outcome


def find_order(outcome: Outcome, order: Order | str, power: Power | None = None) -> Entry:
    """The order as it was handed in, by its value, its text or its unit's name. Raises `NotFoundError`."""
    entries = [entry for given in outcome.docket.entries.values() for entry in given if power in (None, entry.power)]
    sought, alone = _read(outcome, order)
    found = [entry for entry in entries if sought in (entry.order, entry.legal)]
    if not found and isinstance(sought, Hold) and (unit := outcome.board.unit_at.get(sought.unit.province)):
        named = sought.unit.kind in (None, unit.kind) and power in (None, unit.power)
        given = [entry for entry in entries if entry.province == unit.province]
        found = given if alone else []
        if named and not any(entry.province == unit.province for entry in entries):
            found = [no_order(unit)]
    if found:
        return next((entry for entry in found if entry.reason is None), found[0])
    texts = [str(entry.order) for entry in entries]
    same_unit = [str(entry.order) for entry in entries if entry.province == _province(sought)]
    near = list(dict.fromkeys([*same_unit, *get_close_matches(str(sought), texts, 3, 0.6)]))[:3]
    hint = f"did you mean {listed(near, 'or')}?" if near else f"there are {'; '.join(texts)}"
    raise NotFoundError(f"there is no order {sought}", suggestion=hint)


def _read(outcome: Outcome, order: Order | str) -> tuple[Order, bool]:
    """The order that is meant, and whether just its unit was named."""
    if not isinstance(order, str):
        return order, False
    try:
        return parse_order(order, outcome.board.map), False
    except NotationError as error:
        try:
            return parse_order(f"{order} H", outcome.board.map), True
        except NotationError:
            raise error from None


def _province(order: Order) -> ProvinceCode | None:
    named: Named | None = getattr(order, "unit", None)
    return named.province if named else None


def no_order(unit: Unit) -> Entry:
    """What stands for the order of a unit that was given none."""
    hold = Hold(Named(unit.kind, unit.location))
    return Entry(unit.power, hold, None, unit.province, hold)
