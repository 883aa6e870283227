"""Reads orders as programs write them for the package `diplomacy`, and says which of them are legal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satjudge.base.errors import NotationError
from satjudge.judging.legal_orders import PhaseOrders
from satjudge.judging.legality import legal_alone
from satjudge.notation.lines import leaves_open, names_nothing
from satjudge.notation.moments import belongs_to
from satjudge.notation.parse import known_order, parse_orders
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, coast_of, province_of
from satjudge.world.orders import Convoy, Decline, Move, Order, SupportMove


def read_order(now: PhaseOrders, power: Power, text: str) -> tuple[str, str]:
    """Read an order of a power: return it in full, as it counts, and what is wrong with it, or nothing.

    An order that cannot be read is returned as the empty text.
    """
    unit = _unit_of(now, power, text)
    if unit is not None and text in now.of(unit):
        return text, ""
    board = now.board
    try:
        order = _read(board, power, text)
    except NotationError as error:
        remark = _REMARK.search(text.rstrip())
        if remark and not leaves_open(remark[0]) and names_nothing(remark[0], board.map):  # the package passes over such words
            return read_order(now, power, text[: remark.start()].rstrip())
        return "", f"UNREADABLE ORDER ({error})"
    if not belongs_to(order, board.phase):
        return str(order), "ORDER NOT ALLOWED in this phase"
    return _judged(now, power, order)


_REMARK = re.compile(r"\([^()]{0,80}\)$")
"""A remark in brackets behind an order: `A PAR - BUR (Occupied!)`."""


def _read(board: Board, power: Power, text: str) -> Order:
    known = known_order(text, board.map, board.phase)
    return known or _only(parse_orders(text, board.map, board.phase, standing=_own(board, power)))


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
        legal = entry.legal or entry.order
        reason = entry.reason or ("an army goes to no coast" if _loses_coast(order, legal) else "")
        return str(legal), reason
    text = str(order)
    for what in now.orderable.get(power, ()):
        if text in now.of(what):
            return text, ""
        if not isinstance(order, Decline) and province_of(what.split()[-1]) == order.unit.province and " " in what:
            written = text.replace(f"{text.split()[0]} {text.split()[1]}", what, 1)  # `F SPA D` for `F SPA/SC D`
            if written in now.of(what):
                return written, ""
    return text, "ORDER NOT ALLOWED"


def _loses_coast(order: Order, legal: Order) -> bool:
    """Tell whether an order names a coast for an army, which the package refuses and the DATC ignores (4.B.6)."""
    goals = [one.destination for one in (order, legal) if isinstance(one, Move | SupportMove | Convoy)]
    return len(goals) == 2 and bool(coast_of(goals[0])) and not coast_of(goals[1])
