"""Compares outcomes of a position under other orders, and finds the orders on which the outcome hangs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from satjudge.base.errors import NotFoundError, UnresolvedError
from satjudge.base.words import brief
from satjudge.explain.context import find_order
from satjudge.judging.judge import GivenOrders, judge
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position, as_position
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_order
from satjudge.world.board import Board, DislodgedUnit, Unit
from satjudge.world.geography import Power
from satjudge.world.orders import Order, same_unit
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import InWords

AnyOrder = Order | str
_Kept = dict[Power, list[tuple[int | None, Order]]]
"""Each power's orders with the place that they had before; None for new ones."""


class VerdictChange(Struct, frozen=True):
    """An order with another verdict.

    `before` is None for a new order, `after` for one that is left out.
    """

    power: Power
    order: str
    before: InWords | None
    after: InWords | None


@dataclass(frozen=True)
class Change:
    """Two outcomes of one position, with the differences between them."""

    before: Outcome
    after: Outcome
    verdicts: tuple[VerdictChange, ...]

    __repr__ = brief

    @cached_property
    def positions(self) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
        """The units that stand in only one of the positions after the moves: those before the change, those after it."""
        before, after = self.before.units, self.after.units
        return tuple(unit for unit in before if unit not in after), tuple(unit for unit in after if unit not in before)

    @cached_property
    def dislodgements(self) -> tuple[tuple[DislodgedUnit, ...], tuple[DislodgedUnit, ...]]:
        """The dislodgements that happen, or leave these retreats, in only one of the outcomes."""
        before, after = _dislodged(self.before), _dislodged(self.after)
        return tuple(lost for lost in before if lost not in after), tuple(lost for lost in after if lost not in before)

    @property
    def outcome_differs(self) -> bool:
        """True if positions or dislodgements differ: more than verdicts."""
        return any(self.positions) or any(self.dislodgements)


def _dislodged(outcome: Outcome) -> list[DislodgedUnit]:
    return [DislodgedUnit(lost.unit, lost.retreats) for lost in outcome.dislodgements.values()]


def what_if(
    board: Position | Board,
    orders: GivenOrders | None = None,
    *,
    without: Iterable[AnyOrder] = (),
    with_: Iterable[tuple[Power, AnyOrder]] = (),
    rulebook: Rulebook | None = None,
    engine: Engine = Engine.STAGED,
) -> Change:
    """Compare the outcome with that without some orders and with others; a new order replaces those of its unit.

    Takes a position, or a board and its orders.

    Raises `NotFoundError` for an order to be left out that was not given, and what `judge` raises.
    """
    position = as_position(board, orders)
    given = position.orders
    before = judge(*position, rulebook=rulebook, engine=engine)
    kept: _Kept = {power: list(enumerate(texts)) for power, texts in given.items()}
    for text in without:
        owner, place = _position(before, text)
        kept[owner] = [(old, order) for old, order in kept[owner] if old != place]
    for power, text in with_:
        order = parse_order(text, position.board.map) if isinstance(text, str) else text
        others = [(old, other) for old, other in kept.get(power, ()) if not same_unit(order, other)]
        kept[power] = [*others, (None, order)]
    return _change(before, kept, rulebook, engine)


def _change(before: Outcome, kept: _Kept, rulebook: Rulebook | None, engine: Engine) -> Change:
    """The same position judged again with these orders."""
    orders = {power: [order for _, order in given] for power, given in kept.items()}
    after = judge(before.board, orders, rulebook=rulebook, engine=engine)
    return Change(before, after, tuple(_verdict_changes(before, after, kept)))


def _position(outcome: Outcome, order: AnyOrder) -> tuple[Power, int]:
    entry = find_order(outcome, order)
    for power, entries in outcome.docket.entries.items():
        for position, other in enumerate(entries):
            if other is entry:
                return power, position
    raise NotFoundError(f"{entry.order} was not ordered: its unit has no order to leave out")


def _verdict_changes(before: Outcome, after: Outcome, kept: _Kept) -> Iterable[VerdictChange]:
    for power in dict.fromkeys((*before.judged, *kept)):
        old, new = before.judged.get(power, []), after.judged.get(power, [])
        places = [position for position, _ in kept.get(power, ())]
        for position, entry in enumerate(old):
            found = new[places.index(position)].verdict if position in places else None
            if found != entry.verdict:
                yield VerdictChange(power, str(entry.order), entry.verdict, found)
        for place, (former, order) in enumerate(kept.get(power, ())):
            if former is None:
                yield VerdictChange(power, str(order), None, new[place].verdict)


@dataclass(frozen=True, slots=True)
class Pivot:
    """An order whose removal changes positions or dislodgements; `change` is None if the rulebook then has no answer."""

    power: Power
    order: str
    change: Change | None


def pivotal_orders(
    board: Position | Board,
    orders: GivenOrders | None = None,
    *,
    rulebook: Rulebook | None = None,
    engine: Engine = Engine.STAGED,
) -> list[Pivot]:
    """Find the orders without which the outcome would be another one, in the order given.

    Takes a position, or a board and its orders.
    """
    position = as_position(board, orders)
    given = position.orders
    before = judge(*position, rulebook=rulebook, engine=engine)
    found = []
    for power, texts in given.items():
        for number, order in enumerate(texts):
            kept: _Kept = {name: list(enumerate(others)) for name, others in given.items()}
            del kept[power][number]
            try:
                change = _change(before, kept, rulebook, engine)
            except UnresolvedError:
                found.append(Pivot(power, str(order), None))
                continue
            if change.outcome_differs:
                found.append(Pivot(power, str(order), change))
    return found
