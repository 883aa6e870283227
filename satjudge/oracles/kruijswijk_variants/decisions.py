"""Defines the decisions of a turn and their equations.

Source: DATC 2.4, 5.B (in the simple form of 3.2), 7 (the rules 9.2 of Colonial with errata and additional assumptions) and
10. A decision is true or false. Everything else follows from the decisions, whose values `get_value` returns.

A strength can be `NO_EFFECT`, which is less than 0, the strength of an army that crosses a difficult border unsupported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum, auto
from typing import NamedTuple, TypeAlias

from satjudge.oracles.datc_turn import MoveOrder, Order, SupportOrder
from satjudge.oracles.kruijswijk_variants.turn import Turn
from satjudge.world.geography import Power, ProvinceCode

NO_EFFECT = -1


class Kind(IntEnum):
    """The kinds of decisions."""

    MOVE = auto()
    """Whether the unit leaves its province as ordered, even if it is a train that stops on the way."""
    SUPPORT = auto()
    """Whether the support is given."""
    CONVOY = auto()
    """Whether the fleet can convoy."""
    CANAL = auto()
    """Whether the canal is open to the fleet that moves through it."""
    STAGE = auto()
    """Whether a train passes through, or ends in, the province of this stage."""


class Decision(NamedTuple):
    """A decision about an order; stages count from 0."""

    kind: Kind
    order: Order
    stage: int = 0


GetValue: TypeAlias = Callable[[Decision], bool]


def make_move_decision(order: Order) -> Decision:
    """Return the decision whether an order's unit moves."""
    return Decision(Kind.MOVE, order)


class Equations:
    """The equations of a turn's decisions."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.ruled: set[tuple[MoveOrder, int]] = set()
        """The trains and stages that fail by the paradox rule but still bounce others (7, assumptions)."""

    def list_decisions(self) -> list[Decision]:
        """List all decisions of the turn: on moves, railroad stages, canals, and supports and convoys that match an order."""
        return [
            *map(make_move_decision, self.turn.moves),
            *(Decision(Kind.STAGE, train, stage) for train in self.turn.trains for stage in range(len(train.stages))),
            *(Decision(Kind.CANAL, move) for move in self.turn.moves if move.canal),
            *(Decision(Kind.SUPPORT, order) for order in self.turn.supports if order.matched),
            *(Decision(Kind.CONVOY, order) for order in self.turn.convoys if order.matched),
        ]

    def holds(self, decision: Decision, get_value: GetValue) -> bool:
        """Return the value of a decision by its equation, in which `get_value` returns the values of other decisions."""
        match decision.kind, decision.order:
            case Kind.MOVE, MoveOrder(stages=()) as move:
                return self._is_successful(move, get_value)
            case Kind.MOVE, MoveOrder() as train:
                return any(
                    get_value(Decision(Kind.STAGE, train, stage)) and self._is_vacant(code, get_value)
                    for stage, code in enumerate(train.stages)
                )
            case Kind.STAGE, MoveOrder() as train:
                return self._passes_stage(train, decision.stage, get_value)
            case Kind.CANAL, MoveOrder() as move:
                return self._is_open(move, get_value)
            case Kind.SUPPORT, SupportOrder() as support:
                return not any(self._cuts(attack, support, get_value) for attack in self._list_moves_to(support.unit.province))
            case _, order:
                return not self._is_dislodged(order.unit.province, get_value)

    # -------- moves

    def _is_successful(self, move: MoveOrder, get_value: GetValue) -> bool:
        """Return whether a move's strength exceeds the defence and all other moves to its destination (5.B.1)."""
        attack = self._attack_strength(move, get_value)
        if attack == NO_EFFECT:
            return False
        opposing = self.turn.find_head_to_head(move)
        resistance = self._defend_strength(opposing, get_value) if opposing else self._hold_strength(move.province, get_value)
        return attack > resistance and all(attack > rival for rival in self._list_rivals(move.province, move, get_value))

    def _list_rivals(self, province: ProvinceCode, excluded: MoveOrder, get_value: GetValue) -> list[int]:
        """List the prevent strengths of all moves to a province, including trains, except the excluded move."""
        moves = [self.prevent_strength(rival, get_value) for rival in self._list_moves_to(province) if rival is not excluded]
        trains = [
            self.train_prevent_strength(train, train.stages.index(province), get_value)
            for train in self.turn.trains
            if train is not excluded and province in train.stages
        ]
        return moves + trains

    def _has_path(self, move: MoveOrder, get_value: GetValue) -> bool:
        """Return whether a move has a path (5.B.8): a direct one, an open canal, or a route whose fleets all convoy."""
        if move.canal:
            return get_value(Decision(Kind.CANAL, move))
        chains = ([Decision(Kind.CONVOY, convoy) for convoy in chain] for chain in move.chains)
        return not move.convoyed or any(all(map(get_value, chain)) for chain in chains)

    def _hold_strength(self, province: ProvinceCode, get_value: GetValue) -> int:
        match self.turn.order_at.get(province):
            case None:
                return NO_EFFECT
            case MoveOrder() as leaving:
                return NO_EFFECT if get_value(make_move_decision(leaving)) else 1
            case _:
                return 1 + self._count_given_supports(self.turn.hold_supports.get(province, ()), get_value)

    def _attack_strength(self, move: MoveOrder, get_value: GetValue) -> int:
        """Return a move's attack strength (5.B.4); no power dislodges its own unit or supports others in doing so."""
        if not self._has_path(move, get_value):
            return NO_EFFECT
        defender = self.turn.order_at.get(move.province)
        leaves = (
            isinstance(defender, MoveOrder)
            and not self.turn.find_head_to_head(move)
            and get_value(make_move_decision(defender))
        )
        if defender is None or leaves:
            return self._supported_strength(move, get_value)
        if defender.unit.power == move.unit.power:
            return NO_EFFECT
        return self._supported_strength(move, get_value, excluded_power=defender.unit.power)

    def prevent_strength(self, move: MoveOrder, get_value: GetValue) -> int:
        """Return a move's prevent strength (5.B.6), none without a path or after losing a head-to-head battle (4.A.7 b)."""
        opposing = self.turn.find_head_to_head(move)
        if not self._has_path(move, get_value) or (opposing and get_value(make_move_decision(opposing))):
            return NO_EFFECT
        return self._supported_strength(move, get_value)

    def _defend_strength(self, move: MoveOrder, get_value: GetValue) -> int:
        return self._train_strength(move, 0, get_value) if move.stages else self._supported_strength(move, get_value)

    def _supported_strength(self, move: MoveOrder, get_value: GetValue, excluded_power: Power | None = None) -> int:
        """Return 1 (0 over a difficult border, 10) plus 1 for each given support of a move that is not by `excluded_power`."""
        return (0 if move.difficult else 1) + self._count_given_supports(
            [one for one in move.supports if one.unit.power != excluded_power], get_value
        )

    def _count_given_supports(self, supports: Sequence[SupportOrder], get_value: GetValue) -> int:
        return sum(get_value(Decision(Kind.SUPPORT, support)) for support in supports)

    # -------- supports, convoys, canals

    def _cuts(self, attack: MoveOrder, support: SupportOrder, get_value: GetValue) -> bool:
        """Return whether an attack cuts a support (5.B.2); from the support's target or own power it must dislodge.

        Over a difficult border it cuts only with a support that counts against the supporting unit (10.A, 10.B, 10.O).
        """
        if attack.unit.province == support.province or attack.unit.power == support.unit.power:
            return get_value(make_move_decision(attack))
        if not self._has_path(attack, get_value):
            return False
        return not attack.difficult or self._attack_strength(attack, get_value) > 0

    def _is_open(self, move: MoveOrder, get_value: GetValue) -> bool:
        """Return whether a move's canal is open (7.C): its holder permits the move, stays and is not dislodged."""
        keeper = move.canal.keeper if move.canal else ""
        return move.permitted and not self._is_vacant(keeper, get_value) and not self._is_dislodged(keeper, get_value)

    def _is_vacant(self, province: ProvinceCode, get_value: GetValue) -> bool:
        """Return whether a province was empty or its unit moves out."""
        occupant = self.turn.order_at.get(province)
        return occupant is None or (isinstance(occupant, MoveOrder) and get_value(make_move_decision(occupant)))

    def _is_dislodged(self, province: ProvinceCode, get_value: GetValue) -> bool:
        return any(get_value(make_move_decision(move)) for move in self._list_moves_to(province))

    def _list_moves_to(self, province: ProvinceCode) -> Sequence[MoveOrder]:
        return self.turn.moves_to.get(province, ())

    # -------- trains

    def tries_to_enter(self, train: MoveOrder, stage: int, get_value: GetValue) -> bool:
        """Return whether a train (move by railroad) tries to enter a stage: it passed the previous one without stopping."""
        if stage == 0:
            return True
        before = train.stages[stage - 1]
        if not get_value(Decision(Kind.STAGE, train, stage - 1)):
            return False
        return not self._is_lost_centre(before, train.unit.power) or self._has_staying_own_unit(train, before, get_value)

    def _passes_stage(self, train: MoveOrder, stage: int, get_value: GetValue) -> bool:
        """Return whether a train (move by railroad) passes a stage (9.23): vacant and not barred, or with its staying army."""
        if (train, stage) in self.ruled or not self.tries_to_enter(train, stage, get_value):
            return False
        if stage == 0 and self.turn.find_head_to_head(train):
            return False
        province, last = train.stages[stage], stage == len(train.stages) - 1
        if not self._is_vacant(province, get_value):
            return (
                not last
                and self._has_staying_own_unit(train, province, get_value)
                and not self._is_dislodged(province, get_value)
            )
        rivals = [strength for strength in self._list_rivals(province, train, get_value) if strength != NO_EFFECT]
        strongest = max(rivals, default=NO_EFFECT)
        between_equals = rivals.count(strongest) > 1  # 7.B.6, 7.B.7
        return between_equals or self._train_strength(train, stage, get_value) > strongest

    def train_prevent_strength(self, train: MoveOrder, stage: int, get_value: GetValue) -> int:
        """Return the strength with which a train (move by railroad) keeps others out of a stage's province, or `NO_EFFECT`."""
        strength = self._train_strength(train, stage, get_value)
        if (train, stage) in self.ruled:
            return strength
        if not self.tries_to_enter(train, stage, get_value):
            return NO_EFFECT
        opposing = self.turn.find_head_to_head(train) if stage == 0 else None
        if opposing:
            return NO_EFFECT if get_value(make_move_decision(opposing)) else strength
        passing = stage < len(train.stages) - 1 and self._has_staying_own_unit(train, train.stages[stage], get_value)
        return NO_EFFECT if passing else strength

    def _train_strength(self, train: MoveOrder, stage: int, get_value: GetValue) -> int:
        """Return a train's strength at a stage: 1, plus its given supports at the last stage (7, assumptions)."""
        return 1 + (self._count_given_supports(train.supports, get_value) if stage == len(train.stages) - 1 else 0)

    def _has_staying_own_unit(self, train: MoveOrder, province: ProvinceCode, get_value: GetValue) -> bool:
        """Return whether a unit of the train's power was in the province and did not move out."""
        occupant = self.turn.order_at.get(province)
        return occupant is not None and occupant.unit.power == train.unit.power and not self._is_vacant(province, get_value)

    def _is_lost_centre(self, province: ProvinceCode, power: Power) -> bool:
        """Return whether a province is a centre that a power does not own (9.241), by the board or else by the map."""
        board = self.turn.board
        owner = board.centers.get(province, board.map.owners.get(province))
        return board.map.provinces[province].center and owner != power

    def find_end(self, train: MoveOrder, get_value: GetValue) -> ProvinceCode:
        """Return the province where a train (move by railroad) ends: the last vacant one that it passed, or its origin."""
        passed = [code for stage, code in enumerate(train.stages) if get_value(Decision(Kind.STAGE, train, stage))]
        return next((code for code in reversed(passed) if self._is_vacant(code, get_value)), train.unit.province)

    # -------- retreats

    def find_contested_provinces(self, get_value: GetValue) -> set[ProvinceCode]:
        """Return the provinces where a move or train failed that had a prevent strength, even of 0."""
        moves = [move for move in self.turn.moves if not move.stages and not get_value(make_move_decision(move))]
        stages = [(train, stage) for train in self.turn.trains for stage in range(len(train.stages))]
        return {move.province for move in moves if self.prevent_strength(move, get_value) != NO_EFFECT} | {
            train.stages[stage]
            for train, stage in stages
            if not get_value(Decision(Kind.STAGE, train, stage))
            and self.train_prevent_strength(train, stage, get_value) != NO_EFFECT
        }
