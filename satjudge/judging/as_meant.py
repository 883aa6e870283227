"""Chooses the meaning of poorly written orders where the position leaves them one (DATC 2.4, 4.E.2 d).

"A poorly written order that has only one meaning must be followed", say the rulebooks. A line that cannot be read has as many
readings as there are names near to what stands there. Those count that are legal orders, to units that no other line orders;
of several those that match the other orders of the same power. Another power's orders say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from satjudge.judging.adjustments import why_not_adjusted
from satjudge.judging.legality import legal_alone
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Convoy, Decline, Move, Named, Order, Permission, SupportHold, SupportMove, Unreadable
from satjudge.world.rules import Rulebook

Line: TypeAlias = Sequence[Order]
"""The orders of one line."""


def settled_lines(
    board: Board, power: Power, known: Iterable[Order], doubtful: Sequence[Sequence[Line]], rules: Rulebook
) -> list[list[Line]]:
    """Drop the readings of each doubtful line of a power that its other orders rule out; the `known` orders are certain.

    Lines that become certain count as known for the others.
    """
    left = [[line for line in lines if all(_is_legal(board, power, order, rules) for order in line)] for lines in doubtful]
    known = list(known)
    open_lines = {index for index, lines in enumerate(left) if lines}
    while open_lines:
        for index in open_lines:
            left[index] = _matching(_to_other_units(left[index], known), known)
        certain = {index for index in open_lines if len(left[index]) == 1}
        known += [order for index in certain for order in left[index][0]]
        open_lines -= certain | {index for index in open_lines if not left[index]}
        if not certain:
            break
    return left


def _is_legal(board: Board, power: Power, order: Order, rules: Rulebook) -> bool:
    if board.phase is Phase.RETREAT:
        return judge_retreats(board, {power: [order]}, rulebook=rules).judged[power][0].reason is None
    if board.phase is Phase.ADJUSTMENT:
        return why_not_adjusted(board, power, order, rules) is None
    return legal_alone(board, power, [order], rules)[0].reason is None


def _units(orders: Iterable[Order]) -> set[ProvinceCode]:
    return {order.unit.province for order in orders if not isinstance(order, Decline | Permission | Unreadable)}


def _to_other_units(lines: Sequence[Line], known: Sequence[Order]) -> list[Line]:
    """Those that order no unit a second time (4.E.2 c)."""
    ordered = _units(known)
    return [line for line in lines if ordered.isdisjoint(_units(line))]


def _matching(lines: list[Line], known: Sequence[Order]) -> list[Line]:
    """Those that match the known orders best, where there are several (4.E.2 d)."""
    if len(lines) < 2:
        return lines
    matches = [sum(_matches(one, other) or _matches(other, one) for one in line for other in known) for line in lines]
    return [line for line, number in zip(lines, matches, strict=True) if number == max(matches)]


def contradicted_orders(orders: Sequence[Order]) -> Iterator[tuple[Order, Order]]:
    """Find the supports and convoys of a power that contradict its order to the unit helped, each with that order."""
    for helping in orders:
        unit = _helped(helping)
        others = [order for order in orders if unit and _units([order]) == {unit.province}]
        if others and not any(_matches(helping, other) for other in others):
            yield helping, others[-1]


def _helped(order: Order) -> Named | None:
    """The unit that a support or a convoy is for."""
    if isinstance(order, SupportHold | SupportMove):
        return order.supported
    return order.convoyed if isinstance(order, Convoy) else None


def wrongly_named(order: Order, meant: Order) -> bool:
    """Tell whether an order names another kind of unit than the one that is there (4.C.2, 4.C.1 of the DATC 2.4)."""
    return any(
        named and is_ and named.kind and is_.kind and named.kind is not is_.kind
        for named, is_ in zip(_named_in(order), _named_in(meant), strict=True)
    )


def _named_in(order: Order) -> tuple[Named | None, Named | None]:
    """The unit that is ordered, and the one that it helps."""
    return (None if isinstance(order, Decline) else order.unit), _helped(order)


def _matches(helping: Order, helped: Order) -> bool:
    """Whether the first order is a support or a convoy of what the second one orders."""
    if isinstance(helping, SupportMove | Convoy) and isinstance(helped, Move):
        unit = helping.supported if isinstance(helping, SupportMove) else helping.convoyed
        return unit.province == helped.unit.province and province_of(helping.destination) == province_of(helped.destination)
    if isinstance(helping, SupportHold) and not isinstance(helped, Decline | Permission | Unreadable | Move):
        return helping.supported.province == helped.unit.province
    return False
