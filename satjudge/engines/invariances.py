"""Asks about one position in other forms: an engine's answer must not depend on how the position is written.

An order sheet has no first order and no first power, and but for their home centres powers differ by name only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from satjudge.base.replacing import replace
from satjudge.engines.positions import AskedPosition, PhaseOrder
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Phase
from satjudge.world.geography import Power
from satjudge.world.orders import Decline


@dataclass(frozen=True, slots=True)
class RewrittenPosition:
    """A position in another form that must not change its outcome."""

    how: str
    """The difference in form, as `orders listed otherwise`."""
    position: AskedPosition
    read: Callable[[Answer], Answer]
    """Translates the answer to the other form into one to the position itself."""


def rewritten_positions(position: AskedPosition) -> Iterator[RewrittenPosition]:
    """Write a position in all other forms that must not change its outcome."""
    yield RewrittenPosition("asked again", position, _as_it_is)
    if _unordered(position):
        yield RewrittenPosition("orders listed otherwise", _reversed_orders(position), _reversed_verdicts)
    yield RewrittenPosition("powers listed otherwise", _reversed_powers(position), _as_it_is)
    if position.board.phase is not Phase.ADJUSTMENT and not position.board.map.own_rules:
        powers = position.board.map.powers
        others = dict(zip(powers, (*powers[len(powers) // 2 :], *powers[: len(powers) // 2]), strict=True))
        back = {new: old for old, new in others.items()}
        yield RewrittenPosition("powers renamed", _renamed(position, others), lambda answer: _named_back(answer, back))


def _as_it_is(answer: Answer) -> Answer:
    return answer


def _unordered(position: AskedPosition) -> bool:
    """Tell whether the order of orders is free: with several for one unit, or too many builds, it counts (4.D)."""
    ordered = [order.unit.province for order in position.numbered.values() if not isinstance(order, Decline)]
    return position.board.phase is not Phase.ADJUSTMENT and len(set(ordered)) == len(ordered)


def _reversed_orders(position: AskedPosition) -> AskedPosition:
    return AskedPosition(position.board, {power: list(given)[::-1] for power, given in position.orders.items()}, position.name)


def _reversed_verdicts(answer: Answer) -> Answer:
    return replace(answer, verdicts={power: words[::-1] for power, words in answer.verdicts.items()})


def _reversed_powers(position: AskedPosition) -> AskedPosition:
    board = replace(position.board, units=position.board.units[::-1], dislodged=position.board.dislodged[::-1])
    return AskedPosition(board, dict(list(position.orders.items())[::-1]), position.name)


def _renamed(position: AskedPosition, others: dict[Power, Power]) -> AskedPosition:
    """Give each power in a position the name of another one, also where an order names a unit's power."""

    def of_other(order: PhaseOrder) -> PhaseOrder:
        parts = ((part, getattr(order, part, None)) for part in ("unit", "supported", "convoyed"))
        named = {part: one for part, one in parts if one is not None and one.power}
        return replace(order, **{part: replace(one, power=others.get(one.power, one.power)) for part, one in named.items()})

    board = position.board
    units = tuple(replace(unit, power=others.get(unit.power, unit.power)) for unit in board.units)
    dislodged = tuple(
        replace(lost, unit=replace(lost.unit, power=others.get(lost.unit.power, lost.unit.power))) for lost in board.dislodged
    )
    orders = {others.get(power, power): [of_other(order) for order in given] for power, given in position.orders.items()}
    return AskedPosition(replace(board, units=units, dislodged=dislodged), orders, position.name)


def _named_back(answer: Answer, back: dict[Power, Power]) -> Answer:
    return Answer(
        {back.get(power, power): told for power, told in answer.verdicts.items()},
        {back.get(power, power): told for power, told in answer.dislodged.items()},
        {back.get(power, power): told for power, told in answer.units.items()},
    )


def first_difference(position: AskedPosition, usual: Answer, otherwise: Answer) -> str:
    """Describe the first order or unit on which two answers of an engine differ; "" if none does."""
    for (power, number), order in position.numbered.items() if usual.verdicts and otherwise.verdicts else ():
        one, other = usual.verdicts[power][number], otherwise.verdicts[power][number]
        if one != other:
            return f"{order} ({power}): {one}, otherwise {other}"
    for power in sorted({*usual.units, *otherwise.units}):
        units = set(usual.units.get(power, ())), set(otherwise.units.get(power, ()))
        if units[0] != units[1]:
            return f"units of {power}: {', '.join(sorted(units[0]))}, otherwise {', '.join(sorted(units[1]))}"
    return "" if _lost(usual) == _lost(otherwise) else "retreats of dislodged units"


def _lost(answer: Answer) -> dict[tuple[Power, str], list[str]]:
    return {(power, unit): sorted(places) for power, units in answer.dislodged.items() for unit, places in units.items()}
