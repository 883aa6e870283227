"""Finds the orders to other units that would change an order's verdict, by trying them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType

from satjudge.base.errors import RequestError, UnresolvedError
from satjudge.base.imports import cached_property
from satjudge.base.values import brief, one_line, replace
from satjudge.explain.context import find_order
from satjudge.explain.explanation import Explanation, format_list
from satjudge.explain.phases import why
from satjudge.judging.fast_path import has_kernel
from satjudge.judging.judge import AnyOutcome, GivenOrders, find_rulebook, judge_parsed_orders, judge_without_kernel
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.legality import Entry
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position, make_position
from satjudge.judging.solve import Engine
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, province_of
from satjudge.world.orders import Convoy, Hold, Move, Order, Orders, SupportHold, SupportMove, places_named, same_unit
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import InWords, OrderResult, Outline, Verdict

MOST_PAIRS = 5_000
"""The default limit on pairs of orders to try."""


class OtherOrders(Struct, frozen=True):
    """Orders of one unit that differ from its actual order."""

    power: Power
    unit: str
    orders: tuple[str, ...]

    __repr__ = brief


class OrdersThatChange(OtherOrders, frozen=True):
    """All other orders of one unit that change the result of the asked order."""

    all_but: tuple[str, ...]
    """The unit's legal orders that do not change the result, beginning with its actual order."""


class PairOfUnits(Struct, frozen=True):
    """Other orders of two units that together change the result: any order of `one` with any order of `other`."""

    one: OtherOrders
    other: OtherOrders

    __repr__ = brief


class WhatWouldChange(Struct, frozen=True, dict=True):
    """The orders to other units that would change an order's result.

    `str` returns it as sentences.
    """

    power: Power
    order: str
    verdict: InWords
    wish: str
    """The opposite result as a clause: `A PAR - BUR succeeds`."""
    changes: tuple[OrdersThatChange, ...]
    """The units of which a single other order is enough, those of the same power first."""
    tried: int
    """The number of orders that were tried one at a time: every other legal order of every other unit."""
    pairs: tuple[PairOfUnits, ...] | UnsetType = UNSET
    """The pairs of units with orders that are enough together, if no single order is."""
    tried_pairs: int | UnsetType = UNSET
    """The number of pairs of orders that were tried."""
    tried_units: tuple[str, ...] | UnsetType = UNSET
    """The units whose orders were tried in pairs, the most relevant first."""
    game_map: ClassVar[Map | None] = None
    """The map with the powers' display names; it is not part of the document."""

    def __repr__(self) -> str:
        return one_line("WhatWouldChange", self.power, self.wish, *(found.unit for found in self.changes))

    def __str__(self) -> str:
        return "\n".join(format_lines(self, self.game_map.name_of if self.game_map else str))


_SHORT, _LONG = 3, 6
"""The largest number of orders listed after `anything but`, and after a unit."""


def format_lines(changes: WhatWouldChange, name_of: Callable[[Power], str]) -> Iterator[str]:
    """Yield lines of text that list which orders would change the result; `name_of` returns a power's display name."""
    if changes.changes:
        yield f"{changes.wish} if one of these units has another order:"
        yield from (f"  {name_of(one.power)}  {one.unit}: {_format_orders_briefly(one)}" for one in changes.changes)
        yield f"All {changes.tried:,} other legal orders of other units were tried, one at a time."
        return
    if changes.verdict.order is OrderResult.ILLEGAL:
        yield f"{changes.order} is illegal; its explanation says why."
    if not changes.tried:
        yield "There is no order of another unit to try."
        return
    yield f"There is no single other order with which {changes.wish}: all {changes.tried:,} were tried."
    if changes.pairs is UNSET or changes.tried_pairs is UNSET or changes.tried_units is UNSET or not changes.tried_pairs:
        return
    if changes.pairs:
        yield f"{changes.wish} if two units have other orders:"
        yield from (
            f"  {_format_unit_orders(pair.one, name_of)}, and {_format_unit_orders(pair.other, name_of)}"
            for pair in changes.pairs
        )
    where = f"{changes.tried_pairs:,} pairs of orders of {format_list(changes.tried_units)} were tried"
    requirement = "those that hold or name a province of the reasons."
    yield f"{where}: {requirement}" if changes.pairs else f"Nor is there a pair: {where}, {requirement}"


def _format_unit_orders(other_orders: OtherOrders, name_of: Callable[[Power], str]) -> str:
    return f"{name_of(other_orders.power)}  {other_orders.unit}: {_format_first_orders(other_orders)}"


def _format_orders_briefly(changing_orders: OrdersThatChange) -> str:
    """Format the orders of a unit that change the result, or `anything but` the other orders if that is shorter."""
    but = len(changing_orders.all_but) <= _SHORT and len(changing_orders.all_but) < len(changing_orders.orders)
    return (
        f"anything but {format_list(_strip_unit(changing_orders.unit, changing_orders.all_but), 'or')}"
        if but
        else _format_first_orders(changing_orders)
    )


def _format_first_orders(other_orders: OtherOrders) -> str:
    """Format a unit's orders without its name; if there are many, only the first and the number of the others."""
    order_texts = _strip_unit(other_orders.unit, other_orders.orders)
    more = len(order_texts) - _LONG
    return format_list((*order_texts[:_LONG], f"{more} more") if more > 1 else order_texts, "or")


def _strip_unit(unit: str, orders: Sequence[str]) -> list[str]:
    return [order.removeprefix(f"{unit} ") for order in orders]


def what_would_change(
    board: Position | Board,
    order: Order | str,
    power: Power | None = None,
    *,
    orders: GivenOrders | None = None,
    rulebook: Rulebook | str | None = None,
    engine: Engine = Engine.STAGED,
    most_pairs: int = MOST_PAIRS,
) -> WhatWouldChange:
    """Find the orders to other units, alone or else in pairs, that would change the result of an order.

    For example, a move would succeed instead of failing, or a unit that holds would not be dislodged. Every legal order of
    every other unit is tried, one at a time. If none changes the result, at most `most_pairs` pairs of orders of the most
    relevant units are tried.

    Takes a position, or a board and its `orders`. Raises `NotFoundError` for an order that was not given, `RequestError` for a
    phase without moves, and the errors of `judge`.
    """
    position = make_position(board, orders)
    rules = find_rulebook(rulebook or position.rules)
    outcome = judge_parsed_orders(position.board, position.orders, rules, engine)
    if not isinstance(outcome, Outcome):
        raise RequestError("results depend on the orders of other units only in movement phases")
    trials = _Trials(position.board, position.orders, rules, engine, outcome, find_order(outcome, order, power))
    found = trials.find_changes(most_pairs)
    found.__dict__["game_map"] = position.board.map
    return found


def _count_pairs(counts: Iterable[int]) -> int:
    """Return the number of pairs of orders of two different units, from the number of orders of each unit."""
    return sum(one * other for one, other in combinations(counts, 2))


@dataclass(frozen=True)
class _Trials:
    """A position that is judged repeatedly with other orders, and the asked order."""

    board: Board
    orders: Orders
    rules: Rulebook
    engine: Engine
    outcome: Outcome
    asked: Entry

    @cached_property
    def _asked_index(self) -> int | None:
        """The index of the asked order among its power's orders; None if its unit was given no order."""
        entries = self.outcome.docket.entries.get(self.asked.power, [])
        return next((place for place, entry in enumerate(entries) if entry is self.asked), None)

    @cached_property
    def verdict(self) -> Verdict:
        return self._get_verdict(self.outcome, self._asked_index)

    def _get_verdict(self, outcome: Outcome, number: int | None) -> Verdict:
        if number is not None:
            return Verdict.read(outcome.results[self.asked.power][number])
        lost = outcome.dislodgements.get(self.asked.province or "")
        return Verdict.from_result(OrderResult.STANDS, lost.fate if lost else None)

    @cached_property
    def wish(self) -> str:
        """A clause with the opposite result of the asked order: `A PAR - BUR succeeds`."""
        order, succeeds = self.asked.order, Outline.from_verdict(self.verdict) is Outline.SUCCEEDS
        if self.verdict.order is OrderResult.ILLEGAL:
            return f"{order} is legal"
        match self.asked.legal:
            case Move():
                return f"{order} {'fails' if succeeds else 'succeeds'}"
            case SupportHold() | SupportMove():
                return f"{order} is {'not given' if succeeds else 'given'}"
            case Convoy():
                return f"{order} is {'not available' if succeeds else 'available'}"
        unit = self.board.unit_at.get(self.asked.province or "")
        return f"{unit or order} is {'dislodged' if succeeds else 'not dislodged'}"

    def find_changes(self, most_pairs: int) -> WhatWouldChange:
        """Try every other order by itself and, if none changes the result, pairs of orders; return all that was found."""
        changes, trial_count = tuple(self._iter_single_changes()), sum(map(len, self.others.values()))
        found = WhatWouldChange(self.asked.power, str(self.asked.order), self.verdict, self.wish, changes, trial_count)
        if changes:
            return found
        chosen = self._choose_units_for_pairs(most_pairs)
        number = _count_pairs(map(len, chosen.values()))
        units = tuple(map(str, chosen))
        return replace(found, pairs=tuple(self._iter_pairs(chosen)), tried_pairs=number, tried_units=units)

    # ---- the orders to try ----

    @cached_property
    def _effective_orders(self) -> dict[ProvinceCode, Order]:
        """The order that counts for each unit, by province; a unit without an order has a hold."""
        holds: dict[ProvinceCode, Order] = {unit.province: Hold(unit.named) for unit in self.board.units}
        return holds | dict(self.outcome.docket.orders)

    @cached_property
    def others(self) -> dict[Unit, list[Order]]:
        """Every other unit's legal orders, without the one that counts; units of the asked order's power come first."""
        units = {(unit.power, str(unit)): unit for unit in self.board.units if unit.province != self.asked.province}
        pairs = [
            (units[power, subject], orders)
            for power, orders_by_subject in legal_orders(self.board, self.rules).items()
            for subject, orders in orders_by_subject.items()
            if (power, subject) in units
        ]
        pairs.sort(key=lambda pair: pair[0].power != self.asked.power)
        return {unit: [order for order in orders if order != self._effective_orders[unit.province]] for unit, orders in pairs}

    @cached_property
    def _judge(self) -> Callable[[Board, Orders, Rulebook, Engine], AnyOutcome]:
        """The function that judges a trial; it uses the kernel only if its tables exist, since making them takes too long."""
        return judge_parsed_orders if has_kernel(self.board.map, self.rules) else judge_without_kernel

    def _is_changed_by(self, *chosen: tuple[Unit, Order]) -> bool:
        """Return whether the asked order would have the opposite result if these units had these orders."""
        orders, at = dict(self.orders), self._asked_index
        for unit, order in chosen:
            mine = orders.get(unit.power, ())
            if at is not None and unit.power == self.asked.power:
                at -= sum(same_unit(order, earlier) for earlier in mine[:at])
            orders[unit.power] = [*(one for one in mine if not same_unit(order, one)), order]
        try:
            outcome = self._judge(self.board, orders, self.rules, self.engine)
        except UnresolvedError:  # without an answer there is no opposite result
            return False
        assert isinstance(outcome, Outcome)
        return Outline.from_verdict(self._get_verdict(outcome, at)) is not Outline.from_verdict(self.verdict)

    def _iter_single_changes(self) -> Iterator[OrdersThatChange]:
        """Yield each unit with orders that change the result by themselves, together with its orders that do not."""
        for unit, orders in self.others.items():
            found = [order for order in orders if self._is_changed_by((unit, order))]
            if found:
                rest = [self._effective_orders[unit.province], *(order for order in orders if order not in found)]
                yield OrdersThatChange(unit.power, str(unit), _format_all(found), _format_all(rest))

    # ---- pairs ----

    @cached_property
    def _reason_provinces(self) -> list[ProvinceCode]:
        """The provinces named in the explanation of the verdict: in the order itself, culprits, strengths and supports."""
        explanation: Explanation = why(self.outcome, self.asked.order, self.asked.power)
        texts = [explanation.order, *(one.order for one in explanation.culprits)]
        texts += [text for strength in explanation.strengths for text in (strength.of, *strength.supports)]
        words = [word for text in texts for word in re.split(r"[^\w]+", text)]
        return list(dict.fromkeys(word for word in words if word in self.board.map.provinces))

    @cached_property
    def _named_provinces(self) -> frozenset[ProvinceCode]:
        """The provinces that the asked order names."""
        return frozenset(map(province_of, places_named(self.asked.order)))

    def _choose_units_for_pairs(self, most_pairs: int) -> dict[Unit, list[Order]]:
        """Return the most relevant units with their relevant orders, which make at most `most_pairs` pairs of orders.

        Units in the provinces of the reasons come first, then units whose orders name the most provinces of the asked order.
        """
        read = {
            unit.province: place
            for place, unit in enumerate(self.board.unit_at.get(code) for code in self._reason_provinces)
            if unit
        }
        relevant = {unit: self._list_relevant_orders(unit, is_holding=unit.province in read) for unit in self.others}
        ranked = sorted(
            (unit for unit, orders in relevant.items() if orders),
            key=lambda unit: (
                read.get(unit.province, len(read) + len(self._reason_provinces)),
                -self._count_named_provinces(relevant[unit]),
            ),
        )
        chosen: dict[Unit, list[Order]] = {}
        for unit in ranked:
            if _count_pairs(map(len, (*chosen.values(), relevant[unit]))) <= most_pairs:
                chosen[unit] = relevant[unit]
        return chosen

    def _list_relevant_orders(self, unit: Unit, *, is_holding: bool) -> list[Order]:
        """List a unit's other orders that name a province of the reasons except its own, and a hold if `is_holding`."""
        read = set(self._reason_provinces) - {unit.province}
        return [
            order
            for order in self.others[unit]
            if (is_holding if isinstance(order, Hold) else not read.isdisjoint(map(province_of, places_named(order))))
        ]

    def _count_named_provinces(self, orders: Sequence[Order]) -> int:
        """Return the largest number of the asked order's provinces named by one of these orders."""
        return max(len(self._named_provinces.intersection(map(province_of, places_named(order)))) for order in orders)

    def _iter_pairs(self, chosen: dict[Unit, list[Order]]) -> Iterator[PairOfUnits]:
        """Yield pairs of units with orders that together change the result; orders with the same partners are in one pair."""
        for one, other in combinations(chosen, 2):
            partners: dict[Order, list[Order]] = {}
            for first, second in product(chosen[one], chosen[other]):
                if self._is_changed_by((one, first), (other, second)):
                    partners.setdefault(first, []).append(second)
            alike: dict[tuple[str, ...], list[Order]] = {}
            for first, seconds in partners.items():
                alike.setdefault(_format_all(seconds), []).append(first)
            for texts, firsts in alike.items():
                yield PairOfUnits(
                    OtherOrders(one.power, str(one), _format_all(firsts)), OtherOrders(other.power, str(other), texts)
                )


def _format_all(orders: Iterable[Order]) -> tuple[str, ...]:
    return tuple(map(str, orders))
