"""Computes the probability with which a wish can be brought about some seasons ahead, where nothing guarantees it.

    odds = Odds(Wish(powers, goal, rulebook))
    chances = odds.solve(Position(board, seasons=2))
    chances.value                        # 1/2: the wish comes true with this probability, whatever the others do
    chances.rows                         # the orders to give, each with the probability with which to give it
    chances.columns                      # those with which the others see to it that it is no more

Both sides order at once, so each phase is a game of rows and columns. What an entry is worth is the value of the position
that follows (`satjudge.search.matrix_game`); positions are remembered. All others are one side that draws lots together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from satjudge.base.errors import UnresolvedError
from satjudge.search.ahead import Journey, PositionAhead, Wish, plays
from satjudge.search.guarantee import OrderSet, OutOfTimeError, Patience, Table, check_time
from satjudge.search.matrix_game import Mixed, double_oracle
from satjudge.search.play import helps_in_vain, meets
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power
from satjudge.world.orders import MovementOrder, Order, Orders

Chances = Mixed[Orders, Orders]
"""The probability with which a wish comes true, and the orders of both sides, each with a probability."""


@dataclass
class Odds:
    """The positions on the way to a wish, each played out once.

    Raises `OutOfTimeError` if the time is up.
    """

    wish: Wish
    patience: Patience = lambda: None
    on_position: Callable[[], None] = lambda: None
    solved: dict[object, tuple[PositionAhead, Chances]] = field(default_factory=dict)

    def solve(self, position: PositionAhead, kept: OrderSet | None = None) -> Chances:
        """Compute the odds of a position.

        Units that are `kept` have their orders in this phase.
        """
        if position.over:
            return Mixed(Fraction(int(self.wish.met(position.board, position.dislodged))), (), ())
        known = self.solved.get(position.key)
        if known is None:
            known = self.solved[position.key] = position, self._played(position, kept or {})
            self.on_position()
        return known[1]

    def _played(self, position: PositionAhead, kept: OrderSet) -> Chances:
        own, others = self.wish.sides(position.board)
        rows = [play for play in self._plays(position.board, own, kept) if _keeps(play, kept)]
        columns = [play for play in self._plays(position.board, others) if self._assumed(position.board, play)]
        if not columns:  # no orders of the others are such as is assumed
            return Mixed(Fraction(1), ((rows[0], Fraction(1)),), ())
        values: dict[tuple[int, int], Fraction] = {}

        def payoff(row: int, column: int) -> Fraction:
            if (row, column) not in values:
                check_time(self.patience)
                values[row, column] = self._value(position, {**rows[row], **columns[column]})
            return values[row, column]

        mixed = double_oracle(range(len(rows)), range(len(columns)), payoff)
        return Mixed(
            mixed.value,
            tuple((rows[row], share) for row, share in mixed.rows),
            tuple((columns[column], share) for column, share in mixed.columns),
        )

    def _value(self, position: PositionAhead, orders: Orders) -> Fraction:
        """Compute the worth of these orders of both sides; nothing where the rulebook has no answer."""
        try:
            return self.solve(position.after_orders(orders, self.wish)).value
        except UnresolvedError:
            return Fraction(0)

    def _plays(self, board: Board, powers: Sequence[Power], kept: OrderSet | None = None) -> Iterable[dict[Power, list[Order]]]:
        """List every way to order for these powers.

        Of moves those are left out in which a unit helps an own one in vain; but not where orders are assumed of them, which
        may be just these.
        """
        found = plays(board, powers, self.wish.rulebook)
        if board.phase is not Phase.MOVEMENT or (self.wish.assumed is not None and not set(powers) & {*self.wish.powers}):
            return found
        free = {unit.province for unit in board.units if unit not in (kept or {})}
        return (play for play in found if not helps_in_vain(_moves(play), free))

    def _assumed(self, board: Board, play: Mapping[Power, Sequence[Order]]) -> bool:
        if self.wish.assumed is None or board.phase is not Phase.MOVEMENT:
            return True
        given = {board.unit_at[order.unit.province]: order for order in _moves(play)}
        return meets(self.wish.assumed, board, given, self.wish.rulebook)


def odds_of(journey: Journey, table: Table, seasons: int) -> Chances | None:
    """Compute the odds from the board of a table; None if the time is up.

    Its kept orders are for the first season.
    """
    try:
        return Odds(journey.wish, journey.patience, journey.on_position).solve(
            PositionAhead(table.board, seasons), table.always
        )
    except OutOfTimeError:
        return None


def _moves(play: Mapping[Power, Sequence[Order]]) -> list[MovementOrder]:
    return [order for orders in play.values() for order in orders if isinstance(order, MovementOrder)]


def _keeps(play: Mapping[Power, Sequence[Order]], kept: OrderSet) -> bool:
    return all(order in play.get(unit.power, ()) for unit, order in kept.items())
