"""Describes the results of orders in the words of the package `diplomacy`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from satjudge.compat.diplomacy.utils.order_results import (
    BOUNCE,
    CUT,
    DISBAND,
    DISLODGED,
    DISRUPTED,
    NO_CONVOY,
    OK,
    VOID,
    OrderResult,
)
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.legality.waters import bit_set, find_reachable, iter_members, number_waters
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.verdicts import Verdict

Words = dict[str, list[OrderResult]]
"""The result words of each unit: `{"A PAR": []}`."""
_MOVES = {"fails": BOUNCE, "cut": CUT, "disrupted": DISRUPTED, "illegal": VOID, "invalid": VOID}


def format_results(outcome: AnyOutcome, orders: Mapping[Power, Sequence[str]], refused_units: Iterable[str] = ()) -> Words:
    """Return the package's result words for each unit; outside movement phases, units in `refused_units` also get `void`.

    The game did not accept the orders of `refused_units`.
    """
    told = {
        text: Verdict.read(str(verdict))
        for power, texts in orders.items()
        for text, verdict in zip(texts, outcome.results[power], strict=True)
    }
    if outcome.phase is Phase.MOVEMENT:
        found = _format_moves(outcome.board, told)
        found |= dict(_iter_useless_orders(outcome.board, orders, found))
        for lost in outcome.dislodgements.values():
            found[str(lost.unit)] = [*(word for word in found[str(lost.unit)] if word != DISRUPTED), DISLODGED]
        return found
    found = _format_adjustments(outcome, told) if outcome.phase is Phase.ADJUSTMENT else _format_retreats(outcome.board, told)
    for unit in refused_units:
        found[unit] = [VOID, *found.get(unit, ())]
    return found


def _format_moves(board: Board, verdicts: Mapping[str, Verdict]) -> Words:
    found: Words = {str(unit): [] for unit in board.units}
    ordered, standing = _find_convoys(verdicts), _find_convoys(verdicts, "available")
    for text, verdict in verdicts.items():
        unit = get_ordered_unit(text)
        if verdict.order in _MOVES:
            at_sea = " - " in text[5:13] and _goes_by_sea(board, text, ordered)
            carried = at_sea and find_route_fleets(board.map, text, standing.get(text.removesuffix(" VIA"), set()))
            found[unit] = [NO_CONVOY if at_sea and not carried else _MOVES[str(verdict.order)]]
    return found


def _iter_useless_orders(
    board: Board, orders: Mapping[Power, Sequence[str]], results: Words
) -> Iterator[tuple[str, list[OrderResult]]]:
    """Yield each unit whose support or convoy has no effect, with the package's result words for that.

    Such orders are supports for an attack on a unit of the supporter's power, supports for a move without a complete convoy,
    and convoys that the army does not use or that do not reach its destination.
    """
    texts = {get_ordered_unit(text): (power, text) for power, power_texts in orders.items() for text in power_texts}
    helped = Counter(_drop_coasts(text.partition(" S ")[2]) for unit, (_, text) in texts.items() if not results[unit])
    convoys = _find_convoys({text: None for _, text in texts.values()})
    for unit, (power, text) in texts.items():
        mover, attacking, goal = text.partition(" S ")[2].partition(" - ")
        if attacking and results[unit] in ([], [CUT]):
            if results[mover] == [NO_CONVOY]:
                ride = f"{mover} - {province_of(goal)}"
                yield unit, [NO_CONVOY if find_route_fleets(board.map, ride, convoys.get(ride, set())) else VOID]
            elif not results[unit] and _would_dislodge(board, power, texts, results, helped, f"{mover} - {goal}"):
                yield unit, [VOID]
        ride = text.partition(" C ")[2]
        _, moved = texts.get(get_ordered_unit(ride), ("", ""))
        if not (ride and moved.startswith(ride)) or results[unit] not in ([], [DISRUPTED]):
            continue
        route = find_route_fleets(board.map, ride, convoys[ride])
        if unit[2:] not in route or not _goes_by_sea(board, moved, convoys):
            yield unit, [NO_CONVOY, VOID]
        elif not results[unit]:
            standing = {sea for sea in convoys[ride] if not results[f"F {sea}"]}
            if not find_route_fleets(board.map, ride, standing):
                yield unit, [NO_CONVOY]


def _would_dislodge(
    board: Board, power: Power, orders: Mapping[str, tuple[Power, str]], results: Words, helped: Mapping[str, int], move: str
) -> bool:
    """Return whether a move, with all its supports, would dislodge a unit of `power`; `helped` counts supports by order."""
    goal = province_of(move.split()[-1])
    holder = board.unit_at.get(goal)
    if holder is None or holder.power != power:
        return False
    moves = {_drop_coasts(text.removesuffix(" VIA")) for _, text in orders.values() if " - " in text[5:13]}
    moving = any(one.startswith(_drop_coasts(f"{holder} - ")) for one in moves)
    if moving and not results[str(holder)]:
        return False
    against = [helped[one] for one in moves if one.endswith(f" - {goal}") and one != _drop_coasts(move)]
    return helped[_drop_coasts(move)] > max([0 if moving else helped[_drop_coasts(str(holder))], *against])


def _drop_coasts(order: str) -> str:
    return re.sub(r"/[A-Z]+", "", order)


def list_combats(commands: Mapping[str, str], results: Words) -> dict[str, dict[int, list[list[Any]]]]:
    """Return the units that stayed in or tried to enter each province, `{province: {strength: [[unit, []], …]}}`."""
    supports = (order[2:] for unit, order in commands.items() if order[0] == "S" and results[unit] in ([], [VOID]))
    helped = Counter(map(_drop_coasts, supports))
    combats: dict[str, dict[int, list[list[Any]]]] = {}
    for unit, order in commands.items():
        moving, stays = order[0] == "-", order[0] != "-" or bool(results[unit])
        strength = 1 + helped[_drop_coasts(f"{unit} {order.removesuffix(' VIA')}" if moving else unit)]
        if moving and NO_CONVOY not in results[unit]:
            combats.setdefault(province_of(order.split()[1]), {}).setdefault(strength, []).append([unit, []])
        if stays:
            combats.setdefault(province_of(unit[2:]), {}).setdefault(1 if moving else strength, []).append([unit, []])
    return combats


def _find_convoys(verdicts: Mapping[str, Verdict | None], required: str = "") -> dict[str, set[ProvinceCode]]:
    """Map each convoyed move to its fleets, only those with the verdict `required` if given: `{"A LON - NWY": {"NTH"}}`."""
    found: dict[str, set[ProvinceCode]] = {}
    for text, verdict in verdicts.items():
        fleet, convoying, ridden = text.partition(" C ")
        if convoying and (not required or (verdict and required == verdict.order)):
            found.setdefault(ridden, set()).add(province_of(fleet[2:]))
    return found


def _goes_by_sea(board: Board, move: str, convoys: Mapping[str, set[ProvinceCode]]) -> bool:
    """Return whether a move needs a convoy or, to a neighbour, has a complete and intended one; `convoys` are fleets by move.

    A convoy to a neighbour is intended if the move has `VIA` or a fleet of its own power convoys it.
    """
    kind, start, _, end, *via = move.split()
    if kind != UnitKind.ARMY or end not in board.map.exits(UnitKind.ARMY, start):
        return kind == UnitKind.ARMY
    fleets = convoys.get(move.removesuffix(" VIA"), set())
    powers = {place: unit.power for place, unit in board.unit_at.items()}
    is_meant = bool(via) or any(powers.get(sea) == powers.get(start) for sea in fleets)
    return is_meant and bool(find_route_fleets(board.map, move, fleets))


def find_route_fleets(game_map: Map, move: str, fleets: set[ProvinceCode]) -> set[ProvinceCode]:
    """Return the sea provinces in `fleets` that are on a convoy route of an army's move; empty if there is no route."""
    _, start, _, end = move.split()[:4]
    waters = number_waters(game_map)
    free = bit_set(waters.number[sea] for sea in fleets if sea in waters.number)
    both = find_reachable(waters.near, waters.shores.get(start, 0), free) & find_reachable(
        waters.near, waters.shores.get(end, 0), free
    )
    return {waters.codes[number] for number in iter_members(both)}


def _format_retreats(board: Board, verdicts: Mapping[str, Verdict]) -> Words:
    """Return the result words for each dislodged unit; one that does not retreat is disbanded, with or without an order."""
    found: Words = {str(lost.unit): [DISBAND] for lost in board.dislodged}
    for text, verdict in verdicts.items():
        if " R " in text and verdict.order == "succeeds":
            found[get_ordered_unit(text)] = []
        elif verdict.order == "fails":
            found[get_ordered_unit(text)] = [BOUNCE, DISBAND]
    return found


def _format_adjustments(outcome: AdjustmentOutcome, verdicts: Mapping[str, Verdict]) -> Words:
    found: Words = {
        get_ordered_unit(text): [OK if verdict.order == "succeeds" else VOID]
        for text, verdict in verdicts.items()
        if text != "WAIVE"
    }
    removed = (str(unit) for units in outcome.automatic.values() for unit in units)
    return found | {unit: [OK] for unit in removed}


def get_ordered_unit(text: str) -> str:
    """Return the unit to which an order was given: `"A PAR"` for `"A PAR - BUR"`."""
    return " ".join(text.split(" ", 2)[:2])
