"""An engine with seeded bugs, for the campaigns that must find them: as Python functions, and as a program.

    python tests/helpers/broken_engine.py ring_broken     # speaks the batch format on its standard streams

Each bug of movement changes one rule of the oracle `kruijswijk-partial`; those of later phases what satjudge says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from unittest.mock import patch

from satjudge.base.values import replace
from satjudge.engines.comparison import PhaseOrders, answer_from_outcome
from satjudge.engines.positions import parse_position
from satjudge.judging.adjustments import AdjustmentOutcome, rank_removals
from satjudge.judging.judge import judge_phase
from satjudge.oracles import kruijswijk_partial as healthy
from satjudge.oracles.datc_turn import ConvoyOrder, MoveOrder, Order, SupportOrder, Turn, build_answer
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, DislodgedUnit
from satjudge.world.geography import Power, province_of
from satjudge.world.orders import Convoy, MovementOrder, Retreat
from satjudge.world.rules import load_rulebook

Orders = Mapping[Power, Sequence[MovementOrder]]


class _CutByOwnUnit(healthy._Adjudication):
    """An attack cuts a support of its own power (against DATC 6.D.20)."""

    def _cuts(self, move: MoveOrder, support: SupportOrder, optimistic: bool) -> bool:
        if move.unit.province == support.province:
            return super()._cuts(move, support, optimistic)
        return self._has_path(move, optimistic)


class _SelfDislodgement(healthy._Adjudication):
    """A unit may dislodge one of its own power, and others may help (against DATC 6.D.10, 6.D.12)."""

    def _attack_strength(self, move: MoveOrder, optimistic: bool) -> int:
        return 1 + len(self._list_given_supports(move.supports, optimistic)) if self._has_path(move, optimistic) else 0


class _GarrisonDislodged(healthy._Adjudication):
    """Of two attacks of the same strength on a unit that stays, the first one wins (against DATC 6.E.7)."""

    def _is_move_successful(self, move: MoveOrder, optimistic: bool) -> bool:
        rivals = self.moves_to[move.province]
        attacked = self.order_at.get(move.province)
        if attacked is None or isinstance(attacked, MoveOrder) or move is not rivals[0]:
            return super()._is_move_successful(move, optimistic)
        attack = self._attack_strength(move, optimistic)
        return attack > self._hold_strength(move.province, not optimistic) and all(
            attack >= self._prevent_strength(rival, not optimistic) for rival in rivals[1:]
        )


def _judge(board: Board, orders: Orders, adjudication: type[healthy._Adjudication] = healthy._Adjudication) -> Answer:
    turn = Turn(board, orders)
    resolving = adjudication(turn)
    resolving.resolve_all()
    return build_answer(turn, resolving.find_contested_provinces())


def _judge_with(rule: Callable[[Sequence[Order]], None], board: Board, orders: Orders) -> Answer:
    """Judge with another backup rule."""
    with patch.object(healthy, "apply_backup_rule", rule):
        return _judge(board, orders)


def support_cut_by_own_unit(board: Board, orders: Orders) -> Answer:
    return _judge(board, orders, _CutByOwnUnit)


def convoy_protects_its_fleet(board: Board, orders: Orders) -> Answer:
    """The convoyed attack cuts the support that threatens its fleet (against DATC 6.F.14)."""

    def rule(cycle: Sequence[Order]) -> None:
        convoys = [order for order in cycle if isinstance(order, ConvoyOrder)]
        for convoy in convoys:
            healthy.settle_order(convoy, True)
        if not convoys:
            _HEALTHY_RULE(cycle)

    return _judge_with(rule, board, orders)


def ring_broken(board: Board, orders: Orders) -> Answer:
    """The units of a circular movement bounce (against DATC 6.C.1)."""

    def rule(cycle: Sequence[Order]) -> None:
        if any(isinstance(order, ConvoyOrder) for order in cycle):
            _HEALTHY_RULE(cycle)
        else:
            for order in cycle:
                healthy.settle_order(order, False)

    return _judge_with(rule, board, orders)


def self_dislodgement(board: Board, orders: Orders) -> Answer:
    return _judge(board, orders, _SelfDislodgement)


def garrison_dislodged(board: Board, orders: Orders) -> Answer:
    return _judge(board, orders, _GarrisonDislodged)


# ---- later phases: what satjudge says, with one rule changed ----


def retreats_where_it_was_shut(board: Board, orders: PhaseOrders) -> Answer:
    """A unit may retreat wherever nobody stands: to where its attacker came from, and where units stood each other off."""

    def free(lost: DislodgedUnit) -> DislodgedUnit:
        exits = sorted(board.map.exits(lost.unit.kind, lost.unit.location))
        return replace(lost, retreats=tuple(place for place in exits if province_of(place) not in board.unit_at))

    return answer_from_outcome(judge_phase(replace(board, dislodged=tuple(map(free, board.dislodged))), orders))


def first_retreat_arrives(board: Board, orders: PhaseOrders) -> Answer:
    """Of two units that retreat to one province the first one arrives (against DATC 6.H.7)."""
    said, taken = answer_from_outcome(judge_phase(board, orders)), set()
    for power, given in orders.items():
        for number, order in enumerate(given):
            if isinstance(order, Retreat) and said.verdicts[power][number] == "fails" and order.destination not in taken:
                taken.add(order.destination)
                said.verdicts[power][number] = "succeeds"
                unit = next(lost.unit for lost in board.dislodged if lost.unit.province == order.unit.province)
                said.units.setdefault(power, []).append(str(replace(unit, location=order.destination)))
    return said


def removes_the_nearest(board: Board, orders: PhaseOrders) -> Answer:
    """Civil disorder takes the units that are nearest to home (against DATC 4.D.8)."""
    outcome = judge_phase(board, orders)
    said = answer_from_outcome(outcome)
    for power, gone in outcome.automatic.items() if isinstance(outcome, AdjustmentOutcome) else ():
        left = {*said.units.get(power, ()), *map(str, gone)}
        ranked = [str(unit) for unit, _ in rank_removals(board, power, load_rulebook()) if str(unit) in left]
        said.units[power] = sorted(ranked[: len(ranked) - len(gone)])
    return said


def builds_in_any_centre(board: Board, orders: PhaseOrders) -> Answer:
    """A power may build in every centre that it owns (against DATC 6.I.6)."""
    return answer_from_outcome(judge_phase(replace(board, map=replace(board.map, builds_anywhere=True)), orders))


# ---- engines as they are ----


def takes_legal_orders_only(board: Board, orders: PhaseOrders) -> Answer:
    """A healthy engine that dies of an illegal order, and says of convoys that it does not know them."""
    if any(isinstance(order, Convoy) for given in orders.values() for order in given):
        raise NotImplementedError("convoys")
    said = answer_from_outcome(judge_phase(board, orders))
    assert not any(word.startswith("illegal") for words in said.verdicts.values() for word in words)
    return said


# ---- engines that contradict themselves ----


def _with_successes(board: Board, orders: PhaseOrders, succeeding: Callable[[Power, int], bool]) -> Answer:
    """What satjudge says, but of moves that fail some are said to succeed."""
    said = answer_from_outcome(judge_phase(board, orders))
    for power, words in said.verdicts.items():
        said.verdicts[power] = [
            "succeeds" if word == "fails" and succeeding(power, n) else word for n, word in enumerate(words)
        ]
    return said


def first_listed_succeeds(board: Board, orders: PhaseOrders) -> Answer:
    """The answer depends on which order of a power comes first."""
    return _with_successes(board, orders, lambda _, number: number == 0)


def first_power_succeeds(board: Board, orders: PhaseOrders) -> Answer:
    """The answer depends on which power comes first."""
    return _with_successes(board, orders, lambda power, _: power == next(iter(orders)))


def england_succeeds(board: Board, orders: PhaseOrders) -> Answer:
    """The answer depends on what powers are called."""
    return _with_successes(board, orders, lambda power, _: power == "ENGLAND")


def every_other_time(board: Board, orders: PhaseOrders) -> Answer:
    """The answer depends on how often it was asked."""
    asked.append(len(asked))
    return _with_successes(board, orders, lambda *_: len(asked) % 2 == 0)


asked: list[int] = []
_HEALTHY_RULE = healthy.apply_backup_rule
BUGS = (support_cut_by_own_unit, convoy_protects_its_fleet, ring_broken, self_dislodgement, garrison_dislodged)
LATER_BUGS = (retreats_where_it_was_shut, first_retreat_arrives, removes_the_nearest, builds_in_any_centre)
VARYING = (first_listed_succeeds, first_power_succeeds, england_succeeds, every_other_time)


def main() -> None:
    """Answer batch lines until there are no more."""
    bugs: dict[str, Callable[..., Answer]] = {bug.__name__: bug for bug in (*BUGS, *LATER_BUGS)}
    for line in sys.stdin:
        request = json.loads(line)
        position = parse_position(line.encode())
        found = bugs[sys.argv[1]](position.board, position.orders)
        reply = {"id": request["id"], "results": found.verdicts, "dislodged": found.dislodged, "units": found.units}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
