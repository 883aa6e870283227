"""Writes orders into the page's sheet, and leaves all else in it as the player wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satjudge.notation.game_reader import ToldOrders
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Order, Permission, places_named


def sheet_of(orders: Mapping[Power, Iterable[object]]) -> str:
    """Write orders as the page's sheet has them."""
    return "\n".join("".join(f"{line}\n" for line in (f"{power}:", *of)) for power, of in orders.items())


def replace_order(sheet: str, told: ToldOrders, power: Power, province: ProvinceCode, order: str) -> str:
    """Replace the unit's order in a sheet, or remove it if the new one is empty.

    Other orders on the same line stay, on lines of their own. A power that the sheet does not name is added at its end.
    """
    lines = sheet.splitlines()
    there = next((entry for entry in told.orders if entry.power == power and _find_subject(entry.order) == province), None)
    if there is not None:
        beside = [str(entry.order) for entry in told.orders if entry.line == there.line and entry is not there]
        at = there.line - 1
        heading = [f"{power}:"] if told.headings.get(power) == there.line else []
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines[at : at + 1] = [*heading, *(f"{indent}{text}" for text in (order, *beside) if text)]
    elif power in told.headings:
        own = [entry.line for entry in told.orders if entry.power == power]
        if order:
            lines.insert(max((told.headings[power], *own)), order)
    elif order:
        lines += [*([""] if lines and lines[-1].strip() else []), f"{power}:", order]
    goes_on = not sheet.endswith("\n") and sheet.splitlines()[-1:] == lines[-1:]  # somebody types there
    return "\n".join(lines) + ("\n" if lines and not goes_on else "")


def _find_subject(order: Order) -> str | None:
    """Find the subject of an order: the province of its unit or centre, or the canal to be passed."""
    if isinstance(order, Permission):
        return order.canal
    places = places_named(order)
    return province_of(places[0]) if places else None
