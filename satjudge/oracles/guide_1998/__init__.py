"""Adjudicates a movement phase by the procedure of the Diplomacy Player's Technical Guide, to check satjudge's answers.

Source: K. Black, T. Black (ed.) et al., "The Diplomacy Player's Technical Guide", October 1998: chapter VIII, whose twenty
steps are the functions `step_1` to `step_18_to_20` of `steps`, with chapters VI, VII, IX and XII for legality, XI for retreats
and XIII for removals. It shares only the map, the board and the given orders with satjudge, but no rules of legality or
equations.

The procedure goes through the orders of a `Turn` once, and changes their `Status` as it cuts, cancels and advances. It never
undoes anything, except for the two questions of Step 10.

The guide only uses the word "cancelled". Here a support or convoy is `invalid` if the unit that it names has another order. A
cooperating fleet that Step 1 leaves out of a convoy is still `available` (`disrupted` if dislodged), and so is a fleet whose
convoy is disrupted by another fleet's dislodgement. In a circle (Steps 12 and 13) the fleet through which its convoy is
subverted is `disrupted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from satjudge.oracles.guide_1998.steps import run_steps
from satjudge.oracles.guide_1998.turn import (
    Entry,
    GuideConvoy,
    GuideMove,
    GuideOrder,
    GuideSupport,
    Status,
    Turn,
    build_turn,
    read_orders,
)
from satjudge.oracles.oracle import Answer, format_verdict
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Power, ProvinceCode, province_of
from satjudge.world.orders import MovementOrder


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by the guide's procedure, and return the answer."""
    given = read_orders(board, orders)
    turn = build_turn(board, given)
    run_steps(turn)
    return build_answer(turn, given)


# ---- retreats (chapter XI), and the answer in the form that is compared ----


def build_answer(turn: Turn, entries: Mapping[Power, Sequence[Entry]]) -> Answer:
    """Return the answer for a turn after all steps; `entries` are the given orders by power."""
    standing = [_move_unit(order) for order in turn.order_at.values() if order.space not in turn.dislodged]
    barred = {unit.province for unit in standing} | turn.standoffs
    lost = {turn.order_at[space].unit: attack for space, attack in turn.dislodged.items()}
    retreats = {unit: _list_retreats(turn.board, unit, attack, barred) for unit, attack in lost.items()}
    followed = [entry for listed in entries.values() for entry in listed if entry.order]
    obeying = {
        one.unit
        for one in followed
        if one.order and one.order.comparison_key() == turn.order_at[one.order.space].comparison_key()
    }
    verdicts = {
        power: [_format_entry_verdict(turn, entry, obeying, retreats) for entry in listed] for power, listed in entries.items()
    }
    return Answer.from_verdicts(verdicts, retreats, standing)


def _move_unit(order: GuideOrder) -> Unit:
    if isinstance(order, GuideMove) and order.status is Status.ADVANCED:
        return Unit(order.power, order.unit.kind, order.destination)
    return order.unit


def _list_retreats(board: Board, unit: Unit, attack: GuideMove, barred: Set[ProvinceCode]) -> list[Location]:
    """List where a unit may retreat (XI), without barred spaces and the space from which a direct attack came."""
    closed = barred if attack.by_convoy else barred | {attack.space}
    return sorted(location for location in board.map.exits(unit.kind, unit.location) if province_of(location) not in closed)


def _format_entry_verdict(turn: Turn, entry: Entry, obeying: Set[Unit | None], retreats: Mapping[Unit, list[Location]]) -> str:
    """Return the verdict on a given order, with its unit's fate; "illegal" if the unit does not follow it."""
    unit, order = entry.unit, entry.order
    if unit is None:
        return "illegal"
    followed = turn.order_at[unit.province]
    if order is None or order.comparison_key() != followed.comparison_key():
        return "illegal" if unit in obeying else format_verdict("illegal", retreats.get(unit))
    return format_verdict(_format_result(turn, followed), retreats.get(unit))


def _format_result(turn: Turn, order: GuideOrder) -> str:
    """Return the DATC's word for the result of an order, without its unit's fate."""
    match order:
        case GuideMove():
            words = {Status.ADVANCED: "succeeds", Status.INCONSISTENT: "invalid"}
            return words.get(order.status, "fails")
        case _ if order.status is Status.INCONSISTENT:
            return "invalid"
        case GuideSupport():
            return "cut" if order.status is Status.CUT else "given"
        case GuideConvoy():
            broken = order.status is Status.CONFOUNDED or order.space in turn.dislodged
            return "disrupted" if broken else "available"
        case _:
            return "stands"
