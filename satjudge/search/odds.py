"""With what probability a wish can be brought about some seasons ahead, where nothing guarantees it: small endings.

    odds = Odds(Wish(powers, goal, rulebook))
    chances = odds.solve(Position(board, seasons=2))
    chances.value                        # 1/2: the wish comes true with this probability, whatever the others do
    chances.rows                         # the orders to give, each with the probability with which to give it
    chances.columns                      # those with which the others see to it that it is no more

Both sides order at once, so each phase is a game of rows and columns. What an entry is worth is the value of the position
that follows (`satjudge.search.matrix_game`); positions are remembered. All others are one side that draws lots together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from satjudge.base.errors import UnresolvedError
from satjudge.search.ahead import Journey, Orders, Position, Wish, plays
from satjudge.search.goals.judged import Later
from satjudge.search.guarantee import OrderSet, OutOfTimeError, Patience, Table
from satjudge.search.matrix_game import Mixed, double_oracle
from satjudge.search.unknown.proposal import Proposal, holding
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Order, SupportHold, SupportMove

Chances = Mixed[Orders, Orders]
"""The probability with which a wish comes true, and what both sides order, each with a probability."""


@dataclass
class Odds:
    """Positions on the way to a wish, each played out once. Raises `OutOfTimeError` if the time is up."""

    wish: Wish
    patience: Patience = lambda: None
    on_position: Callable[[], None] = lambda: None
    solved: dict[object, tuple[Position, Chances]] = field(default_factory=dict)

    def solve(self, position: Position, kept: OrderSet | None = None) -> Chances:
        """The odds of a position. Units that are `kept` have their orders in this phase."""
        if position.over:
            return Mixed(Fraction(int(self.wish.met(position.board, position.dislodged))), (), ())
        known = self.solved.get(position.key)
        if known is None:
            known = self.solved[position.key] = position, self._played(position, kept or {})
            self.on_position()
        return known[1]

    def _played(self, position: Position, kept: OrderSet) -> Chances:
        own, others = self.wish.sides(position.board)
        rows = [play for play in self._plays(position.board, own, kept) if _keeps(play, kept)]
        columns = [play for play in self._plays(position.board, others) if self._assumed(position.board, play)]
        if not columns:  # no orders of the others are such as is assumed
            return Mixed(Fraction(1), ((rows[0], Fraction(1)),), ())
        values: dict[tuple[int, int], Fraction] = {}

        def payoff(row: int, column: int) -> Fraction:
            if (row, column) not in values:
                if (self.patience() or 1) <= _NO_TIME:
                    raise OutOfTimeError
                values[row, column] = self._value(position, {**rows[row], **columns[column]})
            return values[row, column]

        mixed = double_oracle(range(len(rows)), range(len(columns)), payoff)
        return Mixed(
            mixed.value,
            tuple((rows[row], share) for row, share in mixed.rows),
            tuple((columns[column], share) for column, share in mixed.columns),
        )

    def _value(self, position: Position, orders: Orders) -> Fraction:
        """What these orders of both sides are worth; nothing where the rulebook has no answer."""
        try:
            return self.solve(position.after_orders(orders, self.wish)).value
        except UnresolvedError:
            return Fraction(0)

    def _plays(self, board: Board, powers: Sequence[Power], kept: OrderSet | None = None) -> Iterable[dict[Power, list[Order]]]:
        """Every way to order for these powers. Of moves those are left out in which a unit helps an own one in vain."""
        found = plays(board, powers, self.wish.rulebook)
        if board.phase is not Phase.MOVEMENT:
            return found
        free = {unit.province for unit in board.units if unit not in (kept or {})}
        return (play for play in found if not _helps_in_vain(play, free))

    def _assumed(self, board: Board, play: Mapping[Power, Sequence[Order]]) -> bool:
        if self.wish.assumed is None or board.phase is not Phase.MOVEMENT:
            return True
        given = {order.unit.province: order for orders in play.values() for order in orders if isinstance(order, MovementOrder)}
        judged = Later(board, board, (), self.wish.rulebook)
        judged.proposal = Proposal(board, {unit.province: holding(unit) for unit in board.units} | given, {})
        return self.wish.assumed.holds(judged)


def odds_of(journey: Journey, table: Table, seasons: int) -> Chances | None:
    """The odds from the board of a table; None if the time is up. Its kept orders are for the first season."""
    try:
        return Odds(journey.wish, journey.patience, journey.on_position).solve(Position(table.board, seasons), table.always)
    except OutOfTimeError:
        return None


_NO_TIME = 0.01
"""What is left when the time is up: see the commands' patience."""


def _keeps(play: Mapping[Power, Sequence[Order]], kept: OrderSet) -> bool:
    return all(order in play.get(unit.power, ()) for unit, order in kept.items())


def _helps_in_vain(play: Mapping[Power, Sequence[Order]], free: Collection[ProvinceCode]) -> bool:
    """Whether some free unit supports or convoys a unit of the play that does something else: it might as well hold.

    Such an order is matched by none, whatever the others order, so it has no effect, and its unit stays and may be supported as
    if it held.
    """
    orders = [order for given in play.values() for order in given if isinstance(order, MovementOrder)]
    by_province = {order.unit.province: order for order in orders}

    def in_vain(order: MovementOrder) -> bool:
        match order:
            case SupportHold():
                return isinstance(by_province.get(order.supported.province), Move)
            case SupportMove():
                helped = by_province.get(order.supported.province)
                return helped is not None and not _goes(helped, order.destination)
            case Convoy():
                helped = by_province.get(order.convoyed.province)
                return helped is not None and not _goes(helped, order.destination)
        return False

    return any(in_vain(order) for order in orders if order.unit.province in free)


def _goes(order: MovementOrder, place: str) -> bool:
    return isinstance(order, Move) and province_of(order.destination) == province_of(place)
