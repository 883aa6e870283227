"""Adjudicates a movement phase by the partial information algorithm of the DATC, to check satjudge's answers.

Source: Lucas B. Kruijswijk, DATC 3.2: chapter 5, with the preferences of chapter 4. Lists of 5.B that are missing in our copy
come from DATC 2.4. It shares only the map, the board and the given orders with satjudge, but no rules of legality or equations.

The procedure (DATC 5.E, the partial information algorithm):

1. Orders are read (DATC 4.B to 4.E). A unit follows its first legal order and holds if it has none.
2. Moves, supports and convoys succeed or fail. `_adjudicate(order, optimistic)` contains the equations of DATC 5.B. If it is
   optimistic, it assumes that everything uncertain favours the order, otherwise the opposite.
3. `_resolve(order, optimistic)` tries both. If they agree, the order is resolved finally, perhaps on partial
   information. If not, the recursion has come back to an order that it is visiting. `cycle` contains the orders on the way,
   and `recursion_hits` counts the visited orders that were hit. The order that removes the last of these hits is the
   ancestor of the whole cycle. There the backup rule decides: all moves of a circular movement succeed, and all convoys
   of a paradox fail (the Szykman rule). Then that order is resolved again.

Each call of `_resolve` either resolves its order or leaves it in the cycle, where it is not adjudicated again until some order
is resolved. The amount of work is therefore at most proportional to the square of the number of orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from satjudge.oracles.datc_turn import ConvoyOrder, MoveOrder, Order, SupportOrder, Turn, build_answer
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import MovementOrder


class UnknownCycleError(Exception):
    """An error for a cycle that is neither a circular movement nor a paradox; the standard rules have none (DATC 5.B.9)."""


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by the partial information algorithm, and return the answer."""
    turn = Turn(board, orders)
    adjudication = _Adjudication(turn)
    adjudication.resolve_all()
    return build_answer(turn, adjudication.find_contested_provinces())


# ---------------------------------------------------------------- adjudication


class _Adjudication:
    """The orders that units follow, their equations, and the algorithm that resolves them."""

    def __init__(self, turn: Turn) -> None:
        self.decisions = turn.decisions
        self.order_at = turn.order_at
        self.moves_to = turn.moves_to
        self.hold_supports = turn.hold_supports
        self.head_to_head = turn.find_head_to_head
        self.cycle: list[Order] = []
        self.recursion_hits = 0

    # -------- the algorithm of DATC 5.E

    def resolve_all(self) -> None:
        """Resolve every order that can succeed or fail, and set its resolution."""
        for order in self.decisions:
            self._resolve(order, optimistic=True)

    def _resolve(self, order: Order, optimistic: bool) -> bool:
        """Return whether an order succeeds, or `optimistic` if that is uncertain; certain results are stored in the order."""
        if order.resolved:
            return order.resolution
        if order in self.cycle:  # already known to be in a cycle that cannot be resolved yet
            return optimistic
        if order.visited:  # a cyclic dependency
            self.cycle.append(order)
            self.recursion_hits += 1
            return optimistic

        order.visited = True
        old_cycle_length, old_recursion_hits = len(self.cycle), self.recursion_hits
        at_best = self._adjudicate(order, optimistic=True)
        at_worst = at_best and self._adjudicate(order, optimistic=False)
        order.visited = False

        if at_best == at_worst:
            # One resolution, regardless of the cycles below.
            del self.cycle[old_cycle_length:]
            self.recursion_hits = old_recursion_hits
            settle_order(order, at_best)
            return at_best
        if order in self.cycle:
            self.recursion_hits -= 1
            if self.recursion_hits == old_recursion_hits:
                # This order is the ancestor of the whole cycle.
                cycle = self.cycle[old_cycle_length:]
                del self.cycle[old_cycle_length:]
                apply_backup_rule(cycle)
                return self._resolve(order, optimistic)
        else:
            self.cycle.append(order)
        return optimistic

    # -------- the equations of DATC 5.B

    def _adjudicate(self, order: Order, optimistic: bool) -> bool:
        match order:
            case MoveOrder():
                return self._is_move_successful(order, optimistic)
            case SupportOrder():
                return self._is_support_given(order, optimistic)
            case ConvoyOrder():
                return self._is_convoy_available(order, optimistic)
            case _:
                raise TypeError(f"{order} neither succeeds nor fails")

    def _is_move_successful(self, move: MoveOrder, optimistic: bool) -> bool:
        """Return whether a move can succeed (if `optimistic`), or must succeed: it exceeds all resistance (DATC 5.B.1)."""
        attack = self._attack_strength(move, optimistic)
        opposing = self.head_to_head(move)
        if opposing:
            resistance = self._defend_strength(opposing, not optimistic)
        else:
            resistance = self._hold_strength(move.province, not optimistic)
        return attack > resistance and all(
            attack > self._prevent_strength(rival, not optimistic)
            for rival in self.moves_to[move.province]
            if rival is not move
        )

    def _is_support_given(self, support: SupportOrder, optimistic: bool) -> bool:
        """Return whether a support can remain uncut (if `optimistic`), or must remain uncut (DATC 5.B.2)."""
        attacks = self.moves_to.get(support.unit.province, ())
        return not any(self._cuts(attack, support, not optimistic) for attack in attacks)

    def _cuts(self, move: MoveOrder, support: SupportOrder, optimistic: bool) -> bool:
        """Return whether a move to the supporting unit's province can cut the support (if `optimistic`), or must cut it."""
        if move.unit.province == support.province:
            # An attack from where the support is directed must dislodge (DATC 6.D.17), convoyed or not (4.A.4, 6.G.13).
            return self._resolve(move, optimistic)
        return move.unit.power != support.unit.power and self._has_path(move, optimistic)

    def _is_convoy_available(self, convoy: ConvoyOrder, optimistic: bool) -> bool:
        """Return whether a convoying fleet can stay undislodged (if `optimistic`), or must stay so (DATC 5.B.3)."""
        return not any(self._resolve(move, not optimistic) for move in self.moves_to.get(convoy.unit.province, ()))

    def _has_path(self, move: MoveOrder, optimistic: bool) -> bool:
        """Return whether a move needs no convoy, or can have one (if `optimistic`) or must have one (DATC 5.B.4)."""
        return not move.convoyed or any(all(self._resolve(convoy, optimistic) for convoy in chain) for chain in move.chains)

    def _hold_strength(self, province: ProvinceCode, optimistic: bool) -> int:
        """Return the greatest (if `optimistic`) or least possible hold strength of a province (DATC 5.B.5)."""
        order = self.order_at.get(province)
        if order is None:
            return 0
        if isinstance(order, MoveOrder):
            return 0 if self._resolve(order, not optimistic) else 1
        return 1 + len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))

    def _prevent_strength(self, move: MoveOrder, optimistic: bool) -> int:
        """Return the greatest (if `optimistic`) or least possible prevent strength of a move (DATC 5.B.6, 4.A.7 b)."""
        if not self._has_path(move, optimistic):
            return 0
        opposing = self.head_to_head(move)
        if opposing and self._resolve(opposing, not optimistic):
            return 0
        return 1 + len(self._list_given_supports(move.supports, optimistic))

    def _defend_strength(self, move: MoveOrder, optimistic: bool) -> int:
        """Return the greatest (if `optimistic`) or least possible defend strength of a move (DATC 5.B.7)."""
        return 1 + len(self._list_given_supports(move.supports, optimistic))

    def _attack_strength(self, move: MoveOrder, optimistic: bool) -> int:
        """Return the greatest (if `optimistic`) or least possible attack strength of a move (DATC 5.B.8)."""
        if not self._has_path(move, optimistic):
            return 0
        attacked = self.order_at.get(move.province)
        supports = self._list_given_supports(move.supports, optimistic)
        if attacked is None or self._is_moving_away(attacked, move, optimistic):
            return 1 + len(supports)
        if attacked.unit.power == move.unit.power:
            return 0
        return 1 + sum(support.unit.power != attacked.unit.power for support in supports)

    def _is_moving_away(self, attacked: Order, move: MoveOrder, optimistic: bool) -> bool:
        return isinstance(attacked, MoveOrder) and not self.head_to_head(move) and self._resolve(attacked, optimistic)

    def _list_given_supports(self, supports: Sequence[SupportOrder], optimistic: bool) -> list[SupportOrder]:
        return [support for support in supports if self._resolve(support, optimistic)]

    # -------- results of a resolved turn

    def find_contested_provinces(self) -> Set[ProvinceCode]:
        """Return the provinces with a standoff, where a move with a prevent strength above 0 failed (6.F.7, 6.H.9)."""
        return {
            province
            for province, moves in self.moves_to.items()
            if any(not move.resolution and self._prevent_strength(move, optimistic=True) > 0 for move in moves)
        }


def settle_order(order: Order, resolution: bool) -> None:
    """Set the final resolution of an order: whether it succeeds."""
    order.resolved, order.resolution = True, resolution


def apply_backup_rule(cycle: Sequence[Order]) -> None:
    """Resolve the orders of a cycle: convoys in a paradox fail (4.A.2), moves in a circle succeed; else raise an error."""
    convoys = [order for order in cycle if isinstance(order, ConvoyOrder)]
    moves = [order for order in cycle if isinstance(order, MoveOrder)]
    if convoys:
        for convoy in convoys:
            settle_order(convoy, False)
    elif len(moves) == len(cycle) and {move.province for move in moves} == {move.unit.province for move in moves}:
        for move in moves:
            settle_order(move, True)
    else:
        raise UnknownCycleError(", ".join(f"{type(order).__name__} of {order.unit}" for order in cycle))
