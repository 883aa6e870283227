"""Adjudicates a movement phase by the guess algorithm of the DATC, to check satjudge's answers.

Source: Lucas B. Kruijswijk, DATC 3.2: chapter 5.F, with the equations of 5.B (their lists from DATC 2.4) and the preferences of
chapter 4. It shares the reading of orders and the backup rule with other oracles, but not with satjudge.

The procedure:

1. `_adjudicate(order)` contains the equations of DATC 5.B, which are simple here because every order always has some value.
2. `_resolve(order)` first guesses that an order fails, and returns this guess if the recursion comes back to the order. If
   it never does, the result is final. If it does, the opposite is guessed as well. If both guesses give the same result,
   it is final; otherwise the backup rule decides the cycle.
3. As in DATC 5.E, connected cycles are decided at their common ancestor: `recursion_hits` counts the guesses that were used
   and not yet withdrawn, and `guess_based` shows whether the current result depends on any guess.

The DATC never withdraws the hits counted for the second guess, so an outer cycle would not be recognised as complete. (Under
the standard rules no cycle is nested in another.) Here the count is restored, as in DATC 5.E.
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
    """Adjudicate a movement phase by the guess algorithm, and return the answer."""
    turn = Turn(board, orders)
    adjudication = _Adjudication(turn)
    adjudication.resolve_all()
    return build_answer(turn, adjudication.find_contested_provinces())


_Before: TypeAlias = tuple[int, int, bool]
"""The length of the cycle, `recursion_hits` and `guess_based` before an order was visited."""


class _Adjudication:
    """The equations of a turn, and the algorithm that resolves them."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.cycle: list[Order] = []
        self.recursion_hits = 0
        self.guess_based = False

    # -------- the algorithm of DATC 5.F

    def resolve_all(self) -> None:
        """Resolve every order that can succeed or fail, and set its resolution."""
        for order in self.turn.decisions:
            self._resolve(order)

    def _resolve(self, order: Order) -> bool:
        """Return whether an order succeeds, finally or under the current guesses, and record cycles."""
        if order.resolved:
            return order.resolution
        if order in self.cycle:  # the cached result under the current guesses
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
        """Return the result of the order where a cycle began, by the opposite guess or, if that differs, by the backup rule."""
        del self.cycle[state_before[0] :]
        second = self._adjudicate_with_guess(order, True)
        cycle = self._restore_state(state_before)
        if first_result == second:
            settle_order(order, first_result)
            return first_result
        apply_backup_rule(cycle)
        return self._resolve(order)  # the backup rule may not have resolved it

    def _adjudicate_with_guess(self, order: Order, guess: bool) -> bool:
        """Return the result of an order's equation under the assumption that the order has the guessed result."""
        order.resolution, order.visited = guess, True
        result = self._adjudicate(order)
        order.visited = False
        return result

    def _restore_state(self, state_before: _Before) -> list[Order]:
        """Reset the cycle and the counters to an earlier state, and return the orders added to the cycle since then."""
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
        """Return whether a move's strength exceeds the defence and all other moves to its destination (DATC 5.B.1)."""
        attack = self._attack_strength(move)
        opposing = self.turn.find_head_to_head(move)
        resistance = self._supported_strength(opposing.supports) if opposing else self._hold_strength(move.province)
        rivals = [self._prevent_strength(rival) for rival in self._list_moves_to(move.province) if rival is not move]
        return attack > max(resistance, *rivals, 0)

    def _cuts(self, attack: MoveOrder, support: SupportOrder) -> bool:
        """Return whether an attack cuts a support (DATC 5.B.2); from the support's target or own power it must dislodge."""
        if attack.unit.province == support.province or attack.unit.power == support.unit.power:
            return self._resolve(attack)
        return self._has_path(attack)

    def _has_path(self, move: MoveOrder) -> bool:
        """Return whether a move has a path (DATC 5.B.4): it needs no convoy, or all convoys on some route succeed."""
        return not move.convoyed or any(all(map(self._resolve, chain)) for chain in move.chains)

    def _hold_strength(self, province: ProvinceCode) -> int:
        """Return the hold strength of a province (DATC 5.B.5), which is 0 if it is empty or its unit leaves."""
        match self.turn.order_at.get(province):
            case None:
                return 0
            case MoveOrder() as leaving:
                return 0 if self._resolve(leaving) else 1
            case _:
                return self._supported_strength(self.turn.hold_supports.get(province, ()))

    def _prevent_strength(self, move: MoveOrder) -> int:
        """Return a move's prevent strength (DATC 5.B.6), 0 without a path or after losing a head-to-head battle (4.A.7 b)."""
        opposing = self.turn.find_head_to_head(move)
        if not self._has_path(move) or (opposing and self._resolve(opposing)):
            return 0
        return self._supported_strength(move.supports)

    def _attack_strength(self, move: MoveOrder) -> int:
        """Return a move's attack strength (DATC 5.B.8); no power dislodges its own unit or supports others in doing so."""
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
        """Return one plus the number of given supports among these, which is a move's defend strength (DATC 5.B.7)."""
        return 1 + sum(map(self._resolve, supports))

    def _list_moves_to(self, province: ProvinceCode) -> Sequence[MoveOrder]:
        return self.turn.moves_to.get(province, ())

    # -------- results of a resolved turn

    def find_contested_provinces(self) -> Set[ProvinceCode]:
        """Return the provinces with a standoff, where a move with a prevent strength above 0 failed (6.F.7, 6.H.9)."""
        failed = [move for move in self.turn.moves if not move.resolution]
        return {move.province for move in failed if self._prevent_strength(move) > 0}
