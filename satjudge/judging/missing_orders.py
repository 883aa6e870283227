"""Finds the orders that are missing in a phase, and what becomes of them by the rulebook (DATC 4.D.7 to 4.D.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.base.words import number_of
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power
from satjudge.world.orders import Build, Decline, Order, Permission, Remove, Unreadable
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import Declining, DisorderRetreats, DisorderSupport
from satjudge.world.seasons import adjustments_due


def missing_orders(board: Board, orders: Mapping[Power, Sequence[Order]]) -> dict[Power, list[str]]:
    """List what each power has not ordered: units, dislodged units that could retreat, or a number such as `"2 builds"`.

    The number is that of the builds or removals that are due and neither ordered nor declined. An illegal order is an
    order.
    """
    given = {power: [order for order in of if not isinstance(order, Permission)] for power, of in orders.items()}
    named = {power: {order.unit.province for order in of if not isinstance(order, Decline)} for power, of in given.items()}
    found: dict[Power, list[str]] = {}
    if board.phase is Phase.ADJUSTMENT:
        for power, due in adjustments_due(board).items():
            kinds = Build | Decline if due > 0 else Remove
            missing = abs(due) - sum(isinstance(order, kinds | Unreadable) for order in given.get(power, ()))
            if missing > 0:
                found[power] = [number_of(missing, "build" if due > 0 else "removal")]
        return found
    retreating = board.phase is Phase.RETREAT
    for unit in [lost.unit for lost in board.dislodged if lost.retreats] if retreating else board.units:
        if unit.power != board.map.nobody and unit.province not in named.get(unit.power, ()):
            found.setdefault(unit.power, []).append(str(unit))
    return found


def told_missing(
    board: Board, rulebook: Rulebook, orders: Mapping[Power, Sequence[object]], missing: Mapping[Power, Sequence[str]]
) -> list[str]:
    """Write a sentence for each power on what becomes by the rulebook of what is missing beside these orders."""
    return [_told(board, rulebook, power, listed, bool(orders.get(power))) for power, listed in missing.items()]


def _told(board: Board, rulebook: Rulebook, power: Power, missing: Sequence[str], gave_orders: bool) -> str:
    name = board.map.name_of(power)
    if board.phase is Phase.ADJUSTMENT:
        (what,) = missing
        if what.endswith(("removal", "removals")):
            return f"{name} owes {what}: civil disorder takes the units (4.D.8)."
        may = rulebook.declining is Declining.ALLOWED
        return f"{name} leaves {what} unordered: {'waived' if may else 'the rulebook has no answer to that'} (4.D.7)."
    units = ", ".join(missing)
    if board.phase is Phase.RETREAT:
        return f"{name} gives no order to {units}: disbanded (6.H)."
    holds = "holds" if len(missing) == 1 else "hold"
    if gave_orders:
        return f"{name} gives no order to {units}: {holds}."
    more = [] if rulebook.disorder_support is not DisorderSupport.REFUSED else ["cannot be supported"]
    more += [] if rulebook.disorder_retreats is DisorderRetreats.ALLOWED else ["are disbanded if dislodged"]
    return f"{name} gives no orders (civil disorder, 4.D.9): {units} {holds}{''.join(f', {what}' for what in more)}."
