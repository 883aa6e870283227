"""Judges the retreat phase by plain functions, without equations (DATC 6.H)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from msgspec import Struct

from satjudge.base.values import replace
from satjudge.judging.legality import IllegalOrder, check_coast, check_name, find_fleet_destination
from satjudge.judging.legality.dockets import NONE, find_counting_orders
from satjudge.world.board import Board, ByPower, DislodgedUnit, Phase, Unit
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Disband, Order, Retreat, Unreadable
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import Mistake, SeveralOrders
from satjudge.world.seasons import next_board
from satjudge.world.verdicts import JudgedOrder, OrderResult, PhaseOutcome, Verdict


class RetreatOutcome(PhaseOutcome, Struct, frozen=True, dict=True):
    """The outcome of a retreat phase: orders with verdicts, and the units afterwards."""

    phase: ClassVar[Literal[Phase.RETREAT]] = Phase.RETREAT
    board: Board
    judged: Mapping[Power, list[JudgedOrder]]
    units: tuple[Unit, ...]

    @property
    def next_board(self) -> Board:
        """The next position in the game; after Fall, centres change hands and an adjustment phase may follow."""
        return next_board(self.board, self.units)


class _Entry(Struct, frozen=True):
    order: Order
    province: ProvinceCode | None = None
    destination: Location | None = None
    reason: str | None = None
    yields: bool = False
    """True if the unit retreats over a difficult border (DATC 2.4, 10.K), or over one at half strength."""


def judge_retreats(
    board: Board, orders: Mapping[Power, Sequence[Order]], *, rulebook: Rulebook | None = None
) -> RetreatOutcome:
    """Carry out retreats and return the outcome; units without a legal order, or that retreat to one province, are disbanded.

    A unit that retreats over a difficult border, or over one at half strength, yields to others (6.H.7; DATC 2.4, 10.K;
    vDiplomacy's *1900*).
    """
    rules = rulebook or load_rulebook()
    entries = {
        power: _keep_one_order_each([_judge_order(board, power, order, rules) for order in given], rules.several_orders)
        for power, given in orders.items()
    }
    counted = {entry.province: entry for given in entries.values() for entry in given if entry.reason is None}

    numbers = {province: number for number, province in enumerate(counted)}
    going, yielding = _number_destinations(counted.values()), [entry.yields for entry in counted.values()]

    def is_bounced(entry: _Entry) -> bool:
        return bounces(going, yielding, numbers[entry.province], len(going))

    def find_result(entry: _Entry) -> OrderResult:
        if entry.reason is not None:
            return OrderResult.ILLEGAL
        return OrderResult.FAILS if entry.destination and is_bounced(entry) else OrderResult.SUCCEEDS

    def make_judged_order(power: Power, entry: _Entry) -> JudgedOrder:
        return JudgedOrder(power, entry.order, Verdict.from_result(find_result(entry)), entry.reason, entry.province)

    arrived = [
        replace(lost.unit, location=entry.destination)
        for lost in board.dislodged
        if (entry := counted.get(lost.unit.province)) and entry.destination and find_result(entry) is OrderResult.SUCCEEDS
    ]
    judged_orders = ByPower({power: [make_judged_order(power, entry) for entry in given] for power, given in entries.items()})
    return RetreatOutcome(board, judged_orders, (*board.units, *arrived))


def _judge_order(board: Board, power: Power, order: Order, rules: Rulebook) -> _Entry:
    """Return an order's entry: the province and destination of its unit, or why the order is illegal by itself."""
    if isinstance(order, Unreadable):
        own = any(lost.unit.province == order.unit.province and lost.unit.power == power for lost in board.dislodged)
        return _Entry(order, order.unit.province if own else None, reason=order.problem)
    if not isinstance(order, Retreat | Disband):
        return _Entry(order, reason="only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)")
    lost = next((lost for lost in board.dislodged if lost.unit.province == order.unit.province), None)
    if lost is None or lost.unit.power != power:
        return _Entry(order, reason=f"{board.map.name_of(power)} has no dislodged unit in {order.unit.province}")
    try:
        check_name(board.map, rules, order.unit, lost.unit)
        if isinstance(order, Retreat) and order.via_convoy and rules.impossible_via is Mistake.ILLEGAL:
            raise IllegalOrder("no unit retreats by convoy (4.E.1.via)")
        if isinstance(order, Retreat) and order.railroad:
            raise IllegalOrder("no unit retreats by railroad (DATC 2.4, 7.B.32)")
        destination = _find_destination(board, lost, order.destination, rules) if isinstance(order, Retreat) else None
    except IllegalOrder as illegal:
        return _Entry(order, lost.unit.province, reason=str(illegal))
    yields = destination is not None and board.map.hinders(lost.unit.kind, lost.unit.province, destination)
    return _Entry(order, lost.unit.province, destination, yields=yields)


def _find_destination(board: Board, lost: DislodgedUnit, named: Location, rules: Rulebook) -> Location:
    """Return the location to which the unit retreats, with the coast as for a move (4.B), or raise `IllegalOrder`."""
    check_coast(board.map, rules, lost.unit.kind, named)
    if lost.unit.kind is UnitKind.ARMY:
        destination = province_of(named)
    elif any(province_of(choice) == province_of(named) for choice in lost.retreats):
        destination = find_fleet_destination(board.map, lost.unit.location, named, rules)
    else:
        destination = named
    if lost.disbanded_by:
        raise IllegalOrder(f"{lost.unit} is disbanded: {lost.disbanded_by}")
    if destination not in lost.retreats:
        possible = ", ".join(lost.retreats) or "nowhere"
        raise IllegalOrder(f"{lost.unit} cannot retreat to {named}; it can go to: {possible}")
    return destination


def _keep_one_order_each(entries: list[_Entry], rule: SeveralOrders) -> list[_Entry]:
    """Return the entries, with a reason added to each legal order that does not count because its unit has several (4.D.3)."""
    numbers: dict[object, int] = {}
    forms = [_number_form(entry, numbers) for entry in entries]
    counts = find_counting_orders([entry.province for entry in entries], forms, rule)

    def too_many(number: int) -> bool:
        counting = counts[entries[number].province]
        return entries[number].reason is None and (counting == NONE or forms[counting] != forms[number])

    return [
        replace(entry, reason=f"there are several orders for the unit in {entry.province} (4.D.3)")
        if too_many(number)
        else entry
        for number, entry in enumerate(entries)
    ]


def bounces(going: Sequence[int], yielding: Sequence[int], unit: int, count: int) -> bool:
    """Return whether a retreat fails: another of `count` units is `going` where `unit` goes, and `yielding` only if `unit` is.

    The code keeps to the subset of Python that `satjudge.bulk.kernel` compiles. `going` has the number of the place to
    which each unit goes, or -1; `yielding` has whether it comes over a difficult border (DATC 2.4, 10.K).
    """
    for other in range(count):
        if other != unit and going[other] == going[unit] and (yielding[unit] or not yielding[other]):
            return True
    return False


def _number_form(entry: _Entry, numbers: dict[object, int]) -> int:
    """Return a number that is the same for legal orders with the same destination; -1 for an illegal order."""
    return numbers.setdefault((entry.destination,), len(numbers)) if entry.reason is None else NONE


def _number_destinations(entries: Iterable[_Entry]) -> list[int]:
    """Return for each entry a number that stands for the province to which its unit retreats; -1 if it is disbanded."""
    numbers: dict[ProvinceCode, int] = {}
    return [
        numbers.setdefault(province_of(entry.destination), len(numbers)) if entry.destination else NONE for entry in entries
    ]
