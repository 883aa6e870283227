"""Holds the document of `satjudge count`.

Numbers are texts: many are larger than what readers of JSON take.
"""

from __future__ import annotations

from math import prod

from satjudge.bulk.counts import Count, UnitCounted
from satjudge.notation.documents import CaseDocument, Document, case_origin
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Power
from satjudge.world.rules import Rulebook


class PowerCounted(Document):
    """The number of a power's order sets, and in `positions` the number of positions that its units alone lead to."""

    units: list[UnitCounted]
    plain_order_sets: str
    order_sets: str
    positions: str | None


class Counted(CaseDocument, kw_only=True):
    """The document that `satjudge count --json` writes."""

    map: str
    powers: dict[Power, PowerCounted]
    plain_order_sets: str
    """The number of order sets of holds and of moves by land or sea."""
    order_sets: str
    """The number of order sets of all legal orders."""
    positions: str | None
    """The number of positions that holds and moves by land or sea lead to; None on maps with rules of their own about moves."""
    positions_told_apart: str | None
    """The number of positions where each unit is told apart from others of its power and kind."""
    more_by_help: str | None
    """A reason why supports or convoys might lead to more positions; None if they cannot."""
    counted_twice: bool
    """Whether the positions were counted in two ways, which agree."""


def count_document(sheet: Sheet, rulebook: Rulebook, *, second_opinion: bool = False) -> Counted:
    """Count the order sets and positions of a sheet's board.

    Raises `ArithmeticError` if two ways to count disagree.
    """
    count = Count(sheet.board, rulebook)
    can_count = not sheet.board.open_map.has_rules
    positions = [count.positions(told_apart=told_apart) if can_count else None for told_apart in (False, True)]
    if second_opinion and can_count:
        again = [count.positions_by_power(told_apart=told_apart) for told_apart in (False, True)]
        if positions != again:
            raise ArithmeticError(f"{positions} and {again} positions were counted in two ways")
    return Counted(
        **case_origin(sheet, rulebook),
        map=sheet.board.map.name,
        powers={power: _of_power(count, power, can_count) for power in dict.fromkeys(unit.power for unit in sheet.board.units)},
        plain_order_sets=str(count.plain_order_sets),
        order_sets=str(count.order_sets),
        positions=_text(positions[0]),
        positions_told_apart=_text(positions[1]),
        more_by_help=count.more_by_help,
        counted_twice=second_opinion and can_count,
    )


def _of_power(count: Count, power: Power, can_count: bool) -> PowerCounted:
    own = [found for unit, found in count.units.items() if unit.power == power]
    return PowerCounted(
        own,
        str(prod(one.plain for one in own)),
        str(prod(one.all for one in own)),
        _text(count.of(power).positions() if can_count else None),
    )


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)
