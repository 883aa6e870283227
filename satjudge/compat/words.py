"""Writes what became of orders in the words of the package `diplomacy`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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
from satjudge.judging.judge import AnyOutcome, is_of_adjustments, is_of_moves
from satjudge.judging.legality.waters import bits, meets, waters_of
from satjudge.world.board import Board
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.verdicts import Verdict

Words = dict[str, list[OrderResult]]
"""The words for each unit, `{"A PAR": []}`."""
_MOVES = {"fails": BOUNCE, "cut": CUT, "disrupted": DISRUPTED, "illegal": VOID, "invalid": VOID}


def words_of(outcome: AnyOutcome, given: Mapping[Power, Sequence[str]], void: Iterable[str] = ()) -> Words:
    """Write what became of the orders of a phase, which are given as text.

    Orders of the `void` units were refused before.
    """
    told = {
        text: Verdict.read(str(verdict))
        for power, texts in given.items()
        for text, verdict in zip(texts, outcome.results[power], strict=True)
    }
    if is_of_moves(outcome):
        return _of_moves(outcome.board, told, {str(lost.unit) for lost in outcome.dislodgements.values()})
    found = _of_adjustments(outcome, told) if is_of_adjustments(outcome) else _of_retreats(outcome.board, told)
    return found | {unit: [VOID, *found.get(unit, ())] for unit in void}


def _of_moves(board: Board, told: Mapping[str, Verdict], dislodged: set[str]) -> Words:
    found: Words = {str(unit): [] for unit in board.units}
    ordered, standing = _convoys(told), _convoys(told, "available")
    for text, verdict in told.items():
        unit = unit_in(text)
        if verdict.order in _MOVES:
            no_way = " - " in text[5:13] and _lacks_convoy(board.map, text, ordered, standing)
            found[unit] = [NO_CONVOY if no_way else _MOVES[str(verdict.order)]]
    for unit in dislodged:
        found[unit] = [*(word for word in found[unit] if word != DISRUPTED), DISLODGED]
    return found


def _convoys(told: Mapping[str, Verdict], wanted: str = "") -> dict[str, set[ProvinceCode]]:
    """Find the fleets that were ordered to convoy, or those whose convoys stand, by what: `{"A LON - NWY": {"NTH"}}`."""
    found: dict[str, set[ProvinceCode]] = {}
    for text, verdict in told.items():
        fleet, convoying, ridden = text.partition(" C ")
        if convoying and wanted in (verdict.order, ""):
            found.setdefault(ridden, set()).add(province_of(fleet[2:]))
    return found


def _lacks_convoy(
    game_map: Map, text: str, ordered: Mapping[str, set[ProvinceCode]], standing: Mapping[str, set[ProvinceCode]]
) -> bool:
    """Tell whether a move is one by sea for which no convoy stands.

    `VIA` to a neighbour is one if a whole convoy was ordered; else the army goes by land.
    """
    kind, start, _, end, *via = text.split()
    move = f"{kind} {start} - {end}"
    if kind != UnitKind.ARMY:
        return False
    if end in game_map.exits(UnitKind.ARMY, start) and not (via and _is_way(game_map, start, end, ordered.get(move, set()))):
        return False
    return not _is_way(game_map, start, end, standing.get(move, set()))


def _is_way(game_map: Map, start: ProvinceCode, end: ProvinceCode, fleets: set[ProvinceCode]) -> bool:
    """Tell whether these fleets carry an army from one coast to another."""
    waters = waters_of(game_map)
    free = bits(waters.number[sea] for sea in fleets if sea in waters.number)
    return meets(waters.near, waters.shores.get(start, 0), waters.shores.get(end, 0), free)


def _of_retreats(board: Board, told: Mapping[str, Verdict]) -> Words:
    """A unit that goes nowhere is disbanded, ordered or not."""
    found: Words = {str(lost.unit): [DISBAND] for lost in board.dislodged}
    for text, verdict in told.items():
        if " R " in text and verdict.order == "succeeds":
            found[unit_in(text)] = []
        elif verdict.order == "fails":
            found[unit_in(text)] = [BOUNCE, DISBAND]
    return found


def _of_adjustments(outcome: AdjustmentOutcome, told: Mapping[str, Verdict]) -> Words:
    found: Words = {
        unit_in(text): [OK if verdict.order == "succeeds" else VOID] for text, verdict in told.items() if text != "WAIVE"
    }
    removed = (str(unit) for units in outcome.automatic.values() for unit in units)
    return found | {unit: [OK] for unit in removed}


def unit_in(text: str) -> str:
    """Return the unit that an order is for: `"A PAR"` of `"A PAR - BUR"`."""
    return " ".join(text.split(" ", 2)[:2])
