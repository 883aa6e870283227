"""Adjudicates a movement phase by the guess algorithm of the DATC, to check the answers of satjudge.

Source: Lucas B. Kruijswijk, DATC 3.2: chapter 5.F, with the equations of 5.B (their lists from DATC 2.4) and the preferences of
chapter 4. It shares the reading of orders and the backup rule with the other oracles, and neither with satjudge.

The procedure:

1. `_adjudicate(order)` holds the equations of DATC 5.B; here they are plain, as every order always has some value.
2. `_resolve(order)` guesses that an order fails when first asked, and returns the guess if the recursion comes back to the
   order. If it never does, the result is final. If it does, the opposite is guessed as well: if both guesses give one
   result it is final, else the backup rule decides the cycle.
3. As in DATC 5.E, connected cycles are decided at their common ancestor: `recursion_hits` counts the guesses that were used
   and not yet taken back, and `guess_based` says whether the present result depends on any.

The text never takes back the hits that the second guess counted. A cycle further up would then not be recognised as complete;
with the standard rules no cycle is nested in another. Here the count is restored, as in DATC 5.E.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

from satjudge.oracles.datc_turn import ConvoyOrder, MoveOrder, Order, SupportOrder, Turn, build_answer
from satjudge.oracles.kruijswijk_partial import apply_backup_rule, settle_order
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import MovementOrder


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by the guess algorithm, and return verdicts, retreats and units."""
    turn = Turn(board, orders)
    adjudication = _Adjudication(turn)
    adjudication.resolve_all()
    return build_answer(turn, adjudication.find_contested_provinces())


_Before: TypeAlias = tuple[int, int, bool]
"""The length of the cycle, `recursion_hits` and `guess_based` before an order was visited."""


class _Adjudication:
    """The equations of a turn and the algorithm that resolves them."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.cycle: list[Order] = []
        self.recursion_hits = 0
        self.guess_based = False

    # -------- the algorithm of DATC 5.F

    def resolve_all(self) -> None:
        """Resolve every order that can succeed or fail, and record the result in the order."""
        for order in self.turn.decisions:
            self._resolve(order)

    def _resolve(self, order: Order) -> bool:
        """Return whether an order succeeds, for good or on the guesses being tried, and note cycles on the way."""
        if order.resolved:
            return order.resolution
        if order in self.cycle:  # cached result for the present guesses
            self.guess_based = True
            return order.resolution
        if order.visited:  # a cyclic dependency
            self.cycle.append(order)
            self.recursion_hits += 1
            self.guess_based = True
            return order.resolution

        before = len(self.cycle), self.recursion_hits, self.guess_based
        self.guess_based = False
        first = self._adjudicate_with_guess(order, False)
        if not self.guess_based:
            self._restore_state(before)
            settle_order(order, first)
            return first
        if order in self.cycle:
            self.recursion_hits -= 1
            if self.recursion_hits == before[1]:  # this order is the ancestor of the whole cycle
                return self._decide_cycle(order, first, before)
        else:
            self.cycle.append(order)
        order.resolution = first
        return first

    def _decide_cycle(self, order: Order, first_result: bool, state_before: _Before) -> bool:
        """Resolve the order at which a cycle began: try the other guess, else use the backup rule; return its result."""
        del self.cycle[state_before[0] :]
        second = self._adjudicate_with_guess(order, True)
        cycle = self._restore_state(state_before)
        if first_result == second:
            settle_order(order, first_result)
            return first_result
        apply_backup_rule(cycle)
        return self._resolve(order)  # the backup rule might not have resolved it

    def _adjudicate_with_guess(self, order: Order, guess: bool) -> bool:
        """Return the result of an order's equation while the order itself is assumed to have the guessed result."""
        order.resolution, order.visited = guess, True
        result = self._adjudicate(order)
        order.visited = False
        return result

    def _restore_state(self, state_before: _Before) -> list[Order]:
        """Reset cycle and counters to the state `before`, and return the orders that were added to the cycle since."""
        length, self.recursion_hits, self.guess_based = state_before
        added = self.cycle[length:]
        del self.cycle[length:]
        return added

    # -------- the equations of DATC 5.B

    def _adjudicate(self, order: Order) -> bool:
        match order:
            case MoveOrder():
                return self._is_move_successful(order)
            case SupportOrder():
                return not any(self._cuts(attack, order) for attack in self._list_moves_to(order.unit.province))
            case ConvoyOrder():
                return not any(self._resolve(attack) for attack in self._list_moves_to(order.unit.province))
            case _:
                raise TypeError(f"{order} neither succeeds nor fails")

    def _is_move_successful(self, move: MoveOrder) -> bool:
        """Return whether a move exceeds the defence and every other move to its destination (DATC 5.B.1)."""
        attack = self._attack_strength(move)
        opposing = self.turn.find_head_to_head(move)
        resistance = self._supported_strength(opposing.supports) if opposing else self._hold_strength(move.province)
        rivals = [self._prevent_strength(rival) for rival in self._list_moves_to(move.province) if rival is not move]
        return attack > max(resistance, *rivals, 0)

    def _cuts(self, attack: MoveOrder, support: SupportOrder) -> bool:
        """Return whether an attack cuts a support (DATC 5.B.2); one from its target or own power must dislodge to cut."""
        if attack.unit.province == support.province or attack.unit.power == support.unit.power:
            return self._resolve(attack)
        return self._has_path(attack)

    def _has_path(self, move: MoveOrder) -> bool:
        """Return whether a move has a path (DATC 5.B.4): it needs no convoy, or all convoys of some route succeed."""
        return not move.convoyed or any(all(map(self._resolve, chain)) for chain in move.chains)

    def _hold_strength(self, province: ProvinceCode) -> int:
        """Return the hold strength of a province (DATC 5.B.5): 0 if it is empty or its unit leaves."""
        match self.turn.order_at.get(province):
            case None:
                return 0
            case MoveOrder() as leaving:
                return 0 if self._resolve(leaving) else 1
            case _:
                return self._supported_strength(self.turn.hold_supports.get(province, ()))

    def _prevent_strength(self, move: MoveOrder) -> int:
        """Return a move's prevent strength (DATC 5.B.6): 0 without a path, or after losing a head-to-head battle (4.A.7 b)."""
        opposing = self.turn.find_head_to_head(move)
        if not self._has_path(move) or (opposing and self._resolve(opposing)):
            return 0
        return self._supported_strength(move.supports)

    def _attack_strength(self, move: MoveOrder) -> int:
        """Return a move's attack strength (DATC 5.B.8): no power dislodges its own unit, nor helps others to."""
        if not self._has_path(move):
            return 0
        defender = self.turn.order_at.get(move.province)
        leaves = isinstance(defender, MoveOrder) and not self.turn.find_head_to_head(move) and self._resolve(defender)
        if defender is None or leaves:
            return self._supported_strength(move.supports)
        power = defender.unit.power
        if power == move.unit.power:
            return 0
        return self._supported_strength([support for support in move.supports if support.unit.power != power])

    def _supported_strength(self, supports: Sequence[SupportOrder]) -> int:
        """Return one plus the number of these supports that are given; the defend strength of a move (DATC 5.B.7)."""
        return 1 + sum(map(self._resolve, supports))

    def _list_moves_to(self, province: ProvinceCode) -> Sequence[MoveOrder]:
        return self.turn.moves_to.get(province, ())

    # -------- results of a resolved turn

    def find_contested_provinces(self) -> Set[ProvinceCode]:
        """Return the provinces with a standoff: a move there failed, and its prevent strength was above 0 (6.F.7, 6.H.9)."""
        failed = [move for move in self.turn.moves if not move.resolution]
        return {move.province for move in failed if self._prevent_strength(move) > 0}
