"""Finds the orders that are missing in a phase, and what becomes of them by the rulebook (DATC 4.D.7 to 4.D.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.base.words import EACH_BY_ITSELF, number_of
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
    board: Board,
    rulebook: Rulebook,
    orders: Mapping[Power, Sequence[object]],
    missing: Mapping[Power, Sequence[str]],
    *,
    each_by_itself: int = EACH_BY_ITSELF,
) -> list[str]:
    """Write a sentence for each power on what becomes by the rulebook of what is missing beside these orders.

    Where more powers than `each_by_itself`, as a rule the number of the standard map, order nothing, one sentence names them
    all.
    """
    silent = [power for power, listed in missing.items() if not orders.get(power) and _is_alike(board, listed)]
    together = silent if len(silent) > each_by_itself else []
    told = [
        _told(board, rulebook, power, listed, bool(orders.get(power)))
        for power, listed in missing.items()
        if power not in together
    ]
    if together:
        builds = board.phase is Phase.ADJUSTMENT
        told.append(
            (_all_unordered if builds else _all_in_disorder)(board, rulebook, {power: missing[power] for power in together})
        )
    return told


def _is_alike(board: Board, missing: Sequence[str]) -> bool:
    """Whether what is missing becomes of the same for all powers that order nothing: units hold, builds are waived."""
    return board.phase is Phase.MOVEMENT or (board.phase is Phase.ADJUSTMENT and missing[0].endswith(("build", "builds")))


def _all_unordered(board: Board, rulebook: Rulebook, missing: Mapping[Power, Sequence[str]]) -> str:
    """Write that several powers order no builds, with how many, and what becomes of these."""
    names = ", ".join(f"{board.map.name_of(power)} ({what.partition(' ')[0]})" for power, (what,) in missing.items())
    return f"Builds are left unordered by {names}: {_of_builds(rulebook)} (4.D.7)."


def _of_builds(rulebook: Rulebook) -> str:
    return "waived" if rulebook.declining is Declining.ALLOWED else "the rulebook has no answer to that"


def _all_in_disorder(board: Board, rulebook: Rulebook, missing: Mapping[Power, Sequence[str]]) -> str:
    """Write that several powers give no orders, and what becomes of all their units."""
    names = [*map(board.map.name_of, missing)]
    fate = ", ".join(("all their units hold", *_in_disorder(rulebook)))
    return f"{', '.join(names[:-1])} and {names[-1]} give no orders (civil disorder, 4.D.9): {fate}."


def _in_disorder(rulebook: Rulebook) -> list[str]:
    """List what else becomes of the units of a power in civil disorder."""
    more = [] if rulebook.disorder_support is not DisorderSupport.REFUSED else ["cannot be supported"]
    return more + ([] if rulebook.disorder_retreats is DisorderRetreats.ALLOWED else ["are disbanded if dislodged"])


def _told(board: Board, rulebook: Rulebook, power: Power, missing: Sequence[str], gave_orders: bool) -> str:
    name = board.map.name_of(power)
    if board.phase is Phase.ADJUSTMENT:
        (what,) = missing
        if what.endswith(("removal", "removals")):
            return f"{name} owes {what}: civil disorder takes the units (4.D.8)."
        return f"{name} leaves {what} unordered: {_of_builds(rulebook)} (4.D.7)."
    units = ", ".join(missing)
    if board.phase is Phase.RETREAT:
        return f"{name} gives no order to {units}: disbanded (6.H)."
    holds = "holds" if len(missing) == 1 else "hold"
    if gave_orders:
        return f"{name} gives no order to {units}: {holds}."
    return f"{name} gives no orders (civil disorder, 4.D.9): {', '.join((f'{units} {holds}', *_in_disorder(rulebook)))}."
