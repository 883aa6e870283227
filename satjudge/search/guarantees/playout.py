"""Plays out a movement phase if both sides have few orders: judges all own orders against every reply.

    order_table = make_order_table(table)                       # None if there are too many orders
    find_by_playout(table, order_table, is_won, time_left)      # orders that win against every reply, or defeats of all orders

For few units, judging all orders is faster than a solver. Two things save time: the orders that won last are tried first
(killer replies), and outcomes are cached for all seasons with the same units.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import product
from math import prod

from satjudge.base.errors import UnresolvedError
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.outcome import Outcome
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged_position import JudgedSeasons
from satjudge.search.guarantees.one_season import (
    Defeat,
    GuaranteeFinding,
    OrderSet,
    TimeLeft,
    WishTable,
    check_time,
    group_by_power,
)
from satjudge.search.open_orders.proposal import Proposal, make_hold
from satjudge.world.board import Board, Unit
from satjudge.world.geography import ProvinceCode, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

MOST_PAIRS = 1_000_000
"""The largest number of pairs of own orders and a reply to play out; with more, the solver is faster."""

Choices = Mapping[Unit, Collection[MovementOrder]]
"""The legal orders of each unit."""


class OrderTable:
    """The order sets of both sides, those with the most holds first, and the outcome of each pair, judged once for all seasons.

    On the boards that searches accept (`check_board`), outcomes depend only on the units, not on the turn or on centres. Sets
    are left out if a unit helps another of its side with something that the other is not ordered to do; so are replies that
    break the assumption.
    """

    def __init__(self, table: WishTable, choices: Choices) -> None:
        self.board, self.rulebook = table.board, table.rulebook
        self.own = _list_order_sets(
            table.side_units, choices, {unit.province for unit in table.side_units if unit not in table.kept_orders}
        )
        if table.assumed is None:
            self.replies = _list_order_sets(table.other_units, choices, {unit.province for unit in table.other_units})
        else:  # the assumption may be about useless help
            found = _list_order_sets(table.other_units, choices, ())
            self.replies = [reply for reply in found if is_assumption_met(table.assumed, table.board, reply, table.rulebook)]
        self.own_first, self.replies_first = list(range(len(self.own))), list(range(len(self.replies)))
        """The indices of the sets in the sequence in which they are tried: those that won last come first."""
        self.outcomes: list[Outcome | None] = [None]
        """One outcome of each kind that occurred; the first, None, is for boards that the rulebook leaves open."""
        self._sorts: dict[object, int] = {}
        self._judged: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        """Return the number of order sets and of judged pairs in this table."""
        return len(self.own) + len(self.replies) + len(self._judged)

    def find_outcome(self, own_index: int, reply_index: int) -> int:
        """Return the index in `outcomes` (0: unresolved) of the outcome of own orders and a reply, given by their indices."""
        found = self._judged.get((own_index, reply_index))
        if found is None:
            found = self._judged[own_index, reply_index] = self._judge_pair(self.own[own_index], self.replies[reply_index])
        return found

    def _judge_pair(self, own_orders: OrderSet, reply: OrderSet) -> int:
        try:
            outcome = judge_parsed_orders(self.board, group_by_power(own_orders, reply), self.rulebook)
        except UnresolvedError:
            return 0
        assert isinstance(outcome, Outcome)
        found = self._sorts.setdefault(outcome_key(outcome), len(self.outcomes))
        if found == len(self.outcomes):
            self.outcomes.append(outcome)
        return found

    def iter_outcomes(self, own_orders: OrderSet) -> Iterable[Outcome]:
        """Yield one outcome of each kind that these own orders can have against the replies, if the rulebook settles it."""
        number = self.own.index(own_orders)
        found = dict.fromkeys(self.find_outcome(number, reply) for reply in range(len(self.replies)))
        return (outcome for outcome in map(self.outcomes.__getitem__, found) if outcome is not None)


def make_order_table(table: WishTable, max_pairs: int = MOST_PAIRS) -> OrderTable | None:
    """Return the table of both sides' order sets; None if they form more than `max_pairs` pairs."""
    choices = _make_choices(table)
    return OrderTable(table, choices) if prod(map(len, choices.values())) <= max_pairs else None


def _make_choices(table: WishTable) -> Choices:
    orders_by_power = legal_orders(table.board, table.rulebook)
    choices = {unit: [order] for unit, order in table.kept_orders.items()}
    free = (unit for unit in table.board.units if unit not in choices)
    return choices | {
        unit: [order for order in orders_by_power[unit.power][str(unit)] if isinstance(order, MovementOrder)] for unit in free
    }


def _list_order_sets(units: Iterable[Unit], choices: Choices, free_provinces: Collection[ProvinceCode]) -> list[OrderSet]:
    """List all useful sets of one order for each unit, those with the most holds first; see `has_vain_help` for the others."""
    units = tuple(units)
    found = (dict(zip(units, chosen, strict=True)) for chosen in product(*(choices[unit] for unit in units)))
    useful = (orders for orders in found if not has_vain_help(orders.values(), free_provinces))
    return sorted(useful, key=lambda orders: sum(not isinstance(order, Hold) for order in orders.values()))


def find_by_playout(
    table: WishTable, order_table: OrderTable, is_won: Callable[[Outcome], bool], time_left: TimeLeft
) -> GuaranteeFinding:
    """Find own orders for which `is_won` holds of the outcome against every reply; else, a defeat of every set of own orders.

    Raises `OutOfTimeError` if the time is up.
    """
    known = {0: False}  # an unknown outcome does not fulfil the wish

    def withstands(own: int, reply: int) -> bool:
        check_time(time_left)
        number = order_table.find_outcome(own, reply)
        if number not in known:
            outcome = order_table.outcomes[number]
            known[number] = outcome is not None and is_won(outcome)
        return known[number]

    defeats: dict[int, int] = {}
    for own in tuple(order_table.own_first):
        reply = next((reply for reply in tuple(order_table.replies_first) if not withstands(own, reply)), None)
        if reply is None:
            _move_to_front(order_table.own_first, own)
            return GuaranteeFinding(table, order_table.own[own], _make_defeats(table, order_table, defeats))
        _move_to_front(order_table.replies_first, reply)
        defeats.setdefault(reply, own)
    return GuaranteeFinding(table, None, _make_defeats(table, order_table, defeats))


def _move_to_front(places: list[int], place: int) -> None:
    places.remove(place)
    places.insert(0, place)


def _make_defeats(table: WishTable, order_table: OrderTable, defeats: Mapping[int, int]) -> tuple[Defeat, ...]:
    pairs = ((order_table.own[own], order_table.replies[reply]) for reply, own in defeats.items())
    return tuple(Defeat(own, reply, table.judge_orders(own, reply).outcome) for own, reply in pairs)


def outcome_key(outcome: Outcome) -> object:
    """Return a key that is equal for outcomes with the same units standing and dislodged, and with the same retreats."""
    lost = frozenset((entry.unit, entry.retreats) for entry in outcome.dislodgements.values())
    return frozenset(outcome.units), lost


def is_assumption_met(assumption: Goal, board: Board, orders: OrderSet, rulebook: Rulebook) -> bool:
    """Return whether these orders meet an assumption, if all other units hold."""
    judged = JudgedSeasons(board, board, (), rulebook)
    given = {unit.province: orders.get(unit) or make_hold(unit) for unit in board.units}
    judged.proposal = Proposal(board, given, {})
    return assumption.holds(judged)


def has_vain_help(orders: Iterable[MovementOrder], free_provinces: Collection[ProvinceCode]) -> bool:
    """Return whether a unit in `free_provinces` supports or convoys a unit that these orders let do something else.

    Such an order has no effect: the helper stays and can be supported, as if it held.
    """
    by_province = {order.unit.province: order for order in orders}

    def in_vain(order: MovementOrder) -> bool:
        match order:
            case SupportHold():
                return isinstance(by_province.get(order.supported.province), Move)
            case SupportMove():
                helped = by_province.get(order.supported.province)
                return helped is not None and not _is_move_to(helped, order.destination)
            case Convoy():
                helped = by_province.get(order.convoyed.province)
                return helped is not None and not _is_move_to(helped, order.destination)
        return False

    return any(in_vain(order) for province, order in by_province.items() if province in free_provinces)


def _is_move_to(order: MovementOrder, place: str) -> bool:
    return isinstance(order, Move) and province_of(order.destination) == province_of(place)
