"""Shows how other orders would change an outcome, and finds the orders on which an outcome depends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import UNSET, Struct, UnsetType

from satjudge.base.errors import NotFoundError, UnresolvedError
from satjudge.base.values import brief
from satjudge.explain.context import find_order
from satjudge.explain.explanation import Explanation
from satjudge.explain.phases import why
from satjudge.judging.judge import GivenOrders, judge
from satjudge.judging.order_review import has_wrong_kind
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position, make_position
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_order
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Power
from satjudge.world.orders import Order, same_unit
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import InWords

T = TypeVar("T")
AnyOrder = Order | str
_NumberedOrders = dict[Power, list[tuple[int | None, Order]]]
"""Each power's orders, each with its index in the original list, or None for a new order."""


class VerdictChange(Struct, frozen=True):
    """An order whose verdict changes.

    `before` is None for a new order, and `after` for an omitted order.
    """

    power: Power
    order: str
    before: InWords | None
    after: InWords | None


class OwnedUnit(Struct, frozen=True):
    """A unit with its power."""

    power: Power
    unit: str

    @classmethod
    def from_unit(cls, unit: Unit) -> OwnedUnit:
        """Make the value from a unit on the board: its power and its text."""
        return cls(unit.power, str(unit))


class LostUnit(OwnedUnit, frozen=True):
    """A dislodged unit, and the places to which it may retreat."""

    retreats: tuple[Location, ...]


class BeforeAndAfter(Struct, Generic[T], frozen=True):
    """Elements that only one of two positions or outcomes contains."""

    before: list[T]
    after: list[T]

    @classmethod
    def from_lists(cls, before: Sequence[T], after: Sequence[T]) -> BeforeAndAfter[T]:
        """Make the value from two lists: the elements of each that the other lacks."""
        return cls([one for one in before if one not in after], [one for one in after if one not in before])


class Change(Struct, frozen=True):
    """The changes in the outcome of a position under other orders."""

    outcome_differs: bool
    """True if positions or dislodgements differ, and not only verdicts."""
    verdicts: tuple[VerdictChange, ...]
    positions: BeforeAndAfter[OwnedUnit]
    """The units after the moves."""
    dislodgements: BeforeAndAfter[LostUnit]
    """The dislodgements that happen in only one of the outcomes, or with other retreats."""
    order: Explanation | UnsetType = UNSET
    """The explanation of the asked order under the other orders, if an order was asked about."""
    notes: tuple[str, ...] = ()
    """Remarks on new orders that are illegal, with the reason, or that are read as another order."""

    __repr__ = brief


def _list_lost_units(outcome: Outcome) -> list[LostUnit]:
    return [LostUnit(lost.unit.power, str(lost.unit), lost.retreats) for lost in outcome.dislodgements.values()]


def what_if(
    board: Position | Board,
    orders: GivenOrders | None = None,
    *,
    without: Iterable[AnyOrder] = (),
    with_: Iterable[tuple[Power, AnyOrder]] = (),
    asked: tuple[Power | None, AnyOrder] | None = None,
    rulebook: Rulebook | None = None,
    engine: Engine = Engine.STAGED,
) -> Change:
    """Return how an outcome changes without some orders and with new ones, which replace their units'; `asked` is explained.

    Takes a position, or a board and its orders. A new order replaces the orders to its unit. If `asked` is an order with its
    power (or None), the result explains its new verdict, or the verdict on the order that replaces it.

    Raises `NotFoundError` if an order to be omitted or explained was not given, and the errors of `judge`.
    """
    position = make_position(board, orders)
    given = position.orders
    before = judge(*position, rulebook=rulebook, engine=engine)
    numbered: _NumberedOrders = {power: list(enumerate(texts)) for power, texts in given.items()}
    for text in without:
        owner, place = _locate_order(before, text)
        numbered[owner] = [(old, order) for old, order in numbered[owner] if old != place]
    for power, text in with_:
        order = parse_order(text, position.board.map) if isinstance(text, str) else text
        others = [(old, other) for old, other in numbered.get(power, ()) if not same_unit(order, other)]
        numbered[power] = [*others, (None, order)]
    return _find_change(before, numbered, rulebook, engine, asked)


def _find_change(
    before: Outcome,
    new_orders: _NumberedOrders,
    rulebook: Rulebook | None,
    engine: Engine,
    asked: tuple[Power | None, AnyOrder] | None = None,
) -> Change:
    """Judge a position again with new orders, and return how its outcome changes; `asked` names an order to explain."""
    orders = {power: [order for _, order in given] for power, given in new_orders.items()}
    after = judge(before.board, orders, rulebook=rulebook, engine=engine)
    positions = BeforeAndAfter.from_lists([*map(OwnedUnit.from_unit, before.units)], [*map(OwnedUnit.from_unit, after.units)])
    lost = BeforeAndAfter.from_lists(_list_lost_units(before), _list_lost_units(after))
    differs = any((positions.before, positions.after, lost.before, lost.after))
    reason = _explain_after(before, after, *asked) if asked else UNSET
    return Change(
        differs,
        tuple(_iter_verdict_changes(before, after, new_orders)),
        positions,
        lost,
        reason,
        tuple(_iter_notes(after, new_orders)),
    )


def _explain_after(before: Outcome, after: Outcome, power: Power | None, order: AnyOrder) -> Explanation:
    """Explain the new verdict on an order or, if the order is no longer given, on the order that its unit has instead."""
    try:
        return why(after, order, power)
    except NotFoundError:
        entry = find_order(before, order, power)
        if entry.province is None:
            raise
        return why(after, str(before.board.unit_at[entry.province]), entry.power)


def _iter_notes(after: Outcome, new_orders: _NumberedOrders) -> Iterable[str]:
    """Yield a remark on each new order that is illegal, with the reason, or that is read as another order."""
    for power, given in new_orders.items():
        for place, (former, order) in enumerate(given):
            if former is not None:
                continue
            entry = after.docket.entries[power][place]
            if entry.reason is not None:
                yield f"{order} is illegal: {entry.reason}"
            elif entry.legal is not None and has_wrong_kind(order, entry.legal):
                yield f"{order} is read as {entry.legal}, by the kind of the unit that stands there (4.C.2)"


def _locate_order(outcome: Outcome, order: AnyOrder) -> tuple[Power, int]:
    entry = find_order(outcome, order)
    for power, entries in outcome.docket.entries.items():
        for position, other in enumerate(entries):
            if other is entry:
                return power, position
    raise NotFoundError(f"{entry.order} was not ordered: its unit has no order to leave out")


def _iter_verdict_changes(before: Outcome, after: Outcome, kept_numbers: _NumberedOrders) -> Iterable[VerdictChange]:
    for power in dict.fromkeys((*before.judged, *kept_numbers)):
        old, new = before.judged.get(power, []), after.judged.get(power, [])
        places = [position for position, _ in kept_numbers.get(power, ())]
        for position, entry in enumerate(old):
            found = new[places.index(position)].verdict if position in places else None
            if found != entry.verdict:
                yield VerdictChange(power, str(entry.order), entry.verdict, found)
        for place, (former, order) in enumerate(kept_numbers.get(power, ())):
            if former is None:
                yield VerdictChange(power, str(order), None, new[place].verdict)


class Pivot(Struct, frozen=True):
    """An order whose removal changes positions or dislodgements, or the verdict on the asked order.

    `change` is None if the rulebook then has no answer.
    """

    power: Power
    order: str
    change: Change | None


def pivotal_orders(
    board: Position | Board,
    orders: GivenOrders | None = None,
    *,
    asked: tuple[Power | None, AnyOrder] | None = None,
    rulebook: Rulebook | None = None,
    engine: Engine = Engine.STAGED,
) -> list[Pivot]:
    """List the orders whose removal changes places or dislodgements (or, instead, the verdict on `asked`) or leaves no answer.

    If `asked` names an order (and its power, or None), only orders to other units are listed.

    Takes a position, or a board and its orders. Raises `NotFoundError` if the asked order was not given.
    """
    position = make_position(board, orders)
    given = position.orders
    before = judge(*position, rulebook=rulebook, engine=engine)
    entry = find_order(before, asked[1], asked[0]) if asked else None
    subject = (entry.power, entry.order) if entry else None
    verdict = why(before, entry.order, entry.power).verdict if entry else None
    found = []
    for power, texts in given.items():
        for number, order in enumerate(texts):
            if before.docket.entries[power][number] is entry:
                continue
            numbered: _NumberedOrders = {name: list(enumerate(others)) for name, others in given.items()}
            del numbered[power][number]
            try:
                change = _find_change(before, numbered, rulebook, engine, subject)
            except UnresolvedError:
                found.append(Pivot(power, str(order), None))
                continue
            if change.order.verdict != verdict if change.order else change.outcome_differs:
                found.append(Pivot(power, str(order), change))
    return found
