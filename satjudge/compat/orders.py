"""Reads orders as programs write them for the package `diplomacy`, and says which of them are legal."""

from __future__ import annotations

from collections.abc import Sequence

from satjudge.base.errors import NotationError
from satjudge.judging.legal_orders import PhaseOrders
from satjudge.judging.legality import legal_alone
from satjudge.notation.moments import belongs_to
from satjudge.notation.parse import known_order, parse_orders
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, province_of
from satjudge.world.orders import Decline, Order


def read_order(now: PhaseOrders, power: Power, text: str) -> tuple[str, str]:
    """Read an order of a power: return it in full, as it counts, and what is wrong with it, or nothing.

    An order that cannot be read is returned as the empty text.
    """
    unit = _unit_of(now, power, text)
    if unit is not None and text in now.of(unit):
        return text, ""
    board = now.board
    try:
        order = known_order(text, board.map, board.phase) or _only(
            parse_orders(text, board.map, board.phase, standing=_own(board, power))
        )
    except NotationError as error:
        return "", f"UNREADABLE ORDER ({error})"
    if not belongs_to(order, board.phase):
        return str(order), "ORDER NOT ALLOWED in this phase"
    return _judged(now, power, order)


def _unit_of(now: PhaseOrders, power: Power, text: str) -> str | None:
    """Find what a power orders by a text in full, if the power may order it: a unit, or a centre to build in."""
    words = text.split(" ", 2)
    names = now.orderable.get(power, ())
    if len(words) < 3:
        return names[0] if names and now.board.phase is Phase.ADJUSTMENT else None
    unit, site = f"{words[0]} {words[1]}", province_of(words[1])
    return unit if unit in names else site if site in names else None


def _only(orders: Sequence[Order]) -> Order:
    if len(orders) != 1:
        raise NotationError("several orders in one text", suggestion="give each by itself")
    return orders[0]


def _own(board: Board, power: Power) -> set[str]:
    units = (*board.units, *(lost.unit for lost in board.dislodged))
    return {unit.province for unit in units if unit.power == power}


def _judged(now: PhaseOrders, power: Power, order: Order) -> tuple[str, str]:
    """Judge an order by itself."""
    if now.board.phase is Phase.MOVEMENT:
        (entry,) = legal_alone(now.board, power, [order], now.rules)
        return str(entry.legal or entry.order), entry.reason or ""
    text = str(order)
    for what in now.orderable.get(power, ()):
        if text in now.of(what):
            return text, ""
        if not isinstance(order, Decline) and province_of(what.split()[-1]) == order.unit.province and " " in what:
            written = text.replace(f"{text.split()[0]} {text.split()[1]}", what, 1)  # `F SPA D` for `F SPA/SC D`
            if written in now.of(what):
                return written, ""
    return text, "ORDER NOT ALLOWED"
