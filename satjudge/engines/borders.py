"""Asks another engine about single borders: an order that it calls illegal may need one that its map does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satjudge.base.words import in_short
from satjudge.engines.campaign import Campaign
from satjudge.engines.comparison import RETREATS
from satjudge.engines.findings import Finding
from satjudge.engines.positions import AskedPosition, lone_move
from satjudge.engines.standing import BORDER_MISSING
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, province_of
from satjudge.world.orders import Move, Retreat, SupportHold, SupportMove

MOST_TOLD = 6
"""Most borders that are named in a sentence."""


class Borders:
    """Borders of an engine's map, each asked about by a move of one unit that is alone on the board."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._missing: dict[bytes, bool] = {}

    def missing_in(self, finding: Finding) -> list[str]:
        """List the borders that the engine lacks and that the orders and retreats of a finding need.

        Each is told by the move over it, as `A SIL - PRU`.
        """
        if BORDER_MISSING in finding.causes:
            return [lone_move(finding.position)]
        missing = [moves for moves in _needed(finding) if moves and all(map(self._is_missing, moves))]
        return list(dict.fromkeys(lone_move(move) for moves in missing for move in moves))

    def _is_missing(self, move: AskedPosition) -> bool:
        """Tell whether the engine has a lone unit stay where it could move."""
        if move.line not in self._missing:
            try:
                compared = self.campaign.compare(move)
                missing = compared.theirs is not None and any(found.number is None for found in compared.differences)
            except Exception:  # nothing can be told of it
                missing = False
            self._missing[move.line] = missing
        return self._missing[move.line]


def borders_in_words(moves: Sequence[str]) -> str:
    """Name borders in words by the moves over them, each once: `A PIC - BEL and back`."""
    known = dict.fromkeys(moves)
    backwards = {move: f"{move[:2]}{' - '.join(reversed(move[2:].split(' - ')))}" for move in known}
    both = {move for move in known if backwards[move] in known}
    listed = sorted(
        f"{move} and back" if move in both else move for move in known if move not in both or move < backwards[move]
    )
    return in_short(listed, MOST_TOLD)


def _needed(finding: Finding) -> Iterator[list[AskedPosition]]:
    """List, for each order or retreat that differs, the moves of one unit of which it needs one to be possible."""
    position = finding.position
    board = position.board
    units = {unit.named: unit for unit in (*board.units, *(lost.unit for lost in board.dislodged))}
    for found in finding.differences:
        order = position.numbered.get((found.power, found.number)) if found.number is not None else None
        if isinstance(order, Move | Retreat | SupportHold | SupportMove) and order.unit in units:
            there = order.supported.province if isinstance(order, SupportHold) else order.destination
            yield [_alone(board, units[order.unit], way) for way in _ways(board, units[order.unit], there)]
        elif found.kind == RETREATS and finding.theirs is not None:
            theirs = finding.theirs.dislodged.get(found.power, {}).get(found.subject, [])
            lost = next(unit for unit in units.values() if (unit.power, str(unit)) == (found.power, found.subject))
            exits = board.map.exits(lost.kind, lost.location)
            yield from ([_alone(board, lost, place)] for place in sorted(exits) if place not in theirs)


def _ways(board: Board, unit: Unit, there: Location) -> list[Location]:
    """List the direct moves of a unit to a place: to any coast, if none is said or another power's unit is supported."""
    exits = sorted(board.map.exits(unit.kind, unit.location))
    return [there] if there in exits else [way for way in exits if province_of(way) == province_of(there)]


def _alone(board: Board, unit: Unit, destination: Location) -> AskedPosition:
    """Make a position of one unit that moves, without any other unit."""
    return AskedPosition(Board((unit,), map=board.map), {unit.power: [Move(unit.named, destination)]})
