"""How a game goes on from phase to phase, on any map: which position players meet next, and what they have to adjust there.

Retreats follow where a dislodged unit may retreat. After Fall, and its retreats, the centres change hands and adjustments
follow, if any power has something to build or to remove. Phases in which nobody has anything to do are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from satjudge.board import Board, DislodgedUnit, Phase, Season, Unit
from satjudge.geography import Power, ProvinceCode


def next_board(board: Board, units: Iterable[Unit], dislodged: Iterable[DislodgedUnit] = ()) -> Board:
    """The position that players meet after a phase of `board` that left these units, some of them to retreat.

    A position by itself, without a turn, is followed by retreats or else by moves: nothing tells whether Fall is over.
    """
    left = replace(board, units=tuple(units), dislodged=tuple(dislodged), phase=Phase.RETREAT)
    if any(lost.retreats for lost in left.dislodged):
        return left
    after = replace(left, dislodged=(), phase=Phase.MOVEMENT)
    if board.turn is None:
        return after
    if board.turn.season is Season.FALL and board.phase is not Phase.ADJUSTMENT:
        after = replace(after, centers=centers_after_fall(after))
        if adjustments_due(after):
            return replace(after, phase=Phase.ADJUSTMENT)
    return replace(after, turn=board.turn.following)


def centers_after_fall(board: Board) -> dict[ProvinceCode, Power]:
    """Who owns which supply centre once a Fall turn is over: the unit in it takes it, an empty one stays as it was."""
    taken = {province: unit.power for province, unit in board.unit_at.items() if province in board.map.centers}
    return {**board.centers, **taken}


def adjustments_due(board: Board) -> dict[Power, int]:
    """How many units each power may build, or must remove if negative; powers with neither are left out.

    More cannot be built than there are sites for it.
    """
    units = Counter(unit.power for unit in board.units)
    powers = dict.fromkeys((*board.map.powers, *board.centers.values(), *units))
    due = {power: surplus(board, power) for power in powers}
    return {
        power: number
        for power, most in due.items()
        if (number := min(most, len(build_sites(board, power))) if most > 0 else most)
    }


def surplus(board: Board, power: Power) -> int:
    """How many centres more than units a power has."""
    return Counter(board.centers.values())[power] - sum(unit.power == power for unit in board.units)


def build_sites(board: Board, power: Power) -> list[ProvinceCode]:
    """The home centres that a power owns and that are empty (DATC 6.I.3 to 6.I.6)."""
    return sorted(
        home
        for home in board.map.homes(power) & board.map.centers
        if board.centers.get(home) == power and home not in board.unit_at
    )
