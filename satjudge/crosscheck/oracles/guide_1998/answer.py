"""Retreats (chapter XI), and the answer in the form that is compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

from satjudge.board import Unit, by_power
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.oracles.guide_1998.legal_orders import Entry
from satjudge.crosscheck.oracles.guide_1998.turn import GuideConvoy, GuideMove, GuideOrder, GuideSupport, Status, Turn
from satjudge.geography import Location, Power, province_of


def retreats(turn: Turn, order: GuideOrder) -> list[Location]:
    """XI: not into an occupied space, nor one left vacant by a standoff, nor back along a direct attack."""
    attack = turn.dislodged[order.space]
    barred = {province_of(location) for location in _locations(turn).values()} | turn.standoffs
    if not attack.by_convoy:
        barred.add(attack.space)
    exits = turn.board.map.exits(order.unit.kind, order.unit.location)
    return sorted(location for location in exits if province_of(location) not in barred)


def _locations(turn: Turn) -> dict[Unit, Location]:
    """Where the units stand after the moves; dislodged ones stand nowhere."""
    return {
        order.unit: order.destination
        if isinstance(order, GuideMove) and order.status is Status.ADVANCED
        else order.unit.location
        for order in turn.order_at.values()
        if order.space not in turn.dislodged
    }


def answer_of(turn: Turn, given: Mapping[Power, Sequence[Entry]]) -> Answer:
    """The answer in the form that is compared."""
    dislodged: dict[Power, dict[str, list[Location]]] = {}
    for space in turn.dislodged:
        order = turn.order_at[space]
        dislodged.setdefault(order.power, {})[str(order.unit)] = retreats(turn, order)
    stand = by_power(Unit(unit.power, unit.kind, location) for unit, location in _locations(turn).items())
    obeying = {entry.unit for entries in given.values() for entry in entries if entry.order}
    return Answer(
        verdicts={power: [_verdict(turn, entry, obeying, dislodged) for entry in entries] for power, entries in given.items()},
        dislodged=dislodged,
        units={power: sorted(units) for power, units in stand.items()},
    )


_Fates: TypeAlias = Mapping[Power, Mapping[str, list[Location]]]


def _verdict(turn: Turn, entry: Entry, obeying: Set[Unit | None], fates: _Fates) -> str:
    """The words for one order. An order that is not followed is illegal, and tagged only if its unit follows none."""
    unit, order = entry.unit, entry.order
    if unit is None:
        return "illegal"
    followed = turn.order_at[unit.province]
    if order is None or order.says() != followed.says():
        return "illegal" if unit in obeying else _tagged("illegal", unit, fates)
    return _tagged(_resolution(turn, followed), unit, fates).removeprefix("stands, ")


def _tagged(word: str, unit: Unit, fates: _Fates) -> str:
    open_to_it = fates.get(unit.power, {}).get(str(unit))
    if open_to_it is None:
        return word
    return f"{word}, {'dislodged' if open_to_it else 'destroyed'}"


def _resolution(turn: Turn, order: GuideOrder) -> str:
    """The word for what became of an order, without what happens to its unit."""
    match order:
        case GuideMove():
            words = {Status.ADVANCED: "succeeds", Status.INCONSISTENT: "invalid"}
            return words.get(order.status, "fails")
        case _ if order.status is Status.INCONSISTENT:
            return "invalid"
        case GuideSupport():
            return "cut" if order.status is Status.CUT else "given"
        case GuideConvoy():
            broken = order.status is Status.CONFOUNDED or order.space in turn.dislodged
            return "disrupted" if broken else "available"
        case _:
            return "stands"
