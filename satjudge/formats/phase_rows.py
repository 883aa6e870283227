"""Single phases with what another adjudicator made of them: JSON Lines with the position before and after each.

docs/saved-games.md describes what is read. Every row is judged by itself, so that all phases that differ are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from io import BytesIO

import msgspec

from satjudge.board import Board, Phase, Turn
from satjudge.errors import RequestError
from satjudge.formats.saved_games import document_of, phase_of
from satjudge.geography import Power, ProvinceCode, load_map
from satjudge.judge import judge
from satjudge.notation import parse_unit
from satjudge.reading import decode_json
from satjudge.rules import Rulebook
from satjudge.solve import Engine

Position = dict[Power, list[str]]
"""Units, orders or centres by power: `{"FRANCE": ["A BRE", "F SPA/SC"]}`."""


class Movement(msgspec.Struct):
    """A movement phase: the position before it and the orders."""

    phase: str
    units: Position
    orders: Position


class Row(Movement):
    """A phase of any kind with the position after it."""

    game: str
    next_units: Position
    next_dislodged: Position = {}
    centers: Position = {}
    next_centers: Position | None = None
    """Compared where a Fall turn ends."""
    results: dict[str, list[str]] = {}
    """The words for each unit; shown, not compared."""
    prev: Movement | None = None
    """Of a retreat phase the movement phase before it."""


def read_rows(data: bytes, source: str = "") -> list[Row]:
    """The rows of a file. Raises `RequestError` with the line."""
    return [read() for read in row_readers(data, source)]


def row_readers(data: bytes, source: str = "") -> Iterator[Callable[[], Row]]:
    """For each row of a file what reads it, so that one that cannot be read hides no other. They raise `RequestError`."""
    before = _Reader(b"", 0, source)
    for number, line in enumerate(BytesIO(data), start=1):
        reader = _Reader(line, number, source)
        if before.number:
            yield partial(before.row, reader)
        before = reader
    if before.number:
        yield partial(before.row, None)


@dataclass
class _Reader:
    """Reads one line, once."""

    line: bytes
    number: int
    source: str

    @cached_property
    def _read(self) -> Row | RequestError:
        try:
            return decode_json(document_of(self.line, self.source), Row)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return RequestError(f"not a phase of a game: {error}", source=self.source, line=self.number)
        except RequestError as error:
            error.line = self.number
            return error

    def row(self, following: _Reader | None) -> Row:
        """The row, with the owners of centres in the one that follows: some files change the owners only there."""
        row, after = self._read, following._read if following else None
        if isinstance(row, RequestError):
            raise row
        if isinstance(after, Row) and row.game == after.game and after.centers:
            return msgspec.structs.replace(row, next_centers=after.centers)
        return msgspec.structs.replace(row, next_centers=None) if row.next_centers == row.centers else row


def board_of(row: Row, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Board:
    """The position before a row; that before retreats follows from the moves. Raises `InputError`."""
    owners = {province: power for power, provinces in row.centers.items() for province in provinces}
    phase, turn = phase_of(row.phase)
    if phase is not Phase.RETREAT:
        return _placed(row.units, owners, phase, turn)
    if row.prev is None:
        raise RequestError("a retreat phase needs the movement phase before it", suggestion="as `prev`")
    before = _placed(row.prev.units, owners, Phase.MOVEMENT, turn)
    return judge(before, row.prev.orders, rulebook=rulebook, engine=engine).retreat_board


def _placed(units: Position, owners: Mapping[ProvinceCode, Power], phase: Phase, turn: Turn | None) -> Board:
    standard = load_map()
    placed = (parse_unit(text, power, standard) for power, texts in units.items() for text in texts)
    return Board(tuple(placed), (), owners, phase, standard, turn)
