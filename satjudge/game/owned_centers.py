"""Counts the supply centres of each power, and says where the owner of a centre is found."""

from __future__ import annotations

from satjudge.base.errors import NotFoundError
from satjudge.world.board import Board, ByPower
from satjudge.world.geography import Power, normal
from satjudge.world.seasons import counted_centers


class ProvinceGivenError(NotFoundError, KeyError):
    """An error for a province where the name of a power belongs."""


class CenterCounts(ByPower[int]):
    """The number of centres that count for each power, the map's powers first, also those that have none.

    Whoever asks for a province takes it for the owners of the centres, `Board.centers`. Neither `[]` nor `get` lets that pass:
    None would look like a centre that nobody owns.
    """

    def __init__(self, board: Board) -> None:
        powers = dict.fromkeys((*board.map.powers, *board.centers.values()))
        super().__init__({power: counted_centers(board, power) for power in powers})
        self._provinces = board.map.names

    def __missing__(self, name: Power) -> int:
        code = self._provinces.get(normal(name)) if isinstance(name, str) else None
        if code is None or self._found(name) is not None:
            return super().__missing__(name)
        hint = f"game.board.centers.get({code!r}) is the owner of a centre"
        raise ProvinceGivenError(f"{name!r} is a province: game.centers counts the centres of each power", suggestion=hint)
