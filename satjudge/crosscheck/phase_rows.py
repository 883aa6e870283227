"""Single phases with what another adjudicator made of them: JSON Lines with the position before and after each.

docs/saved-games.md describes what is read. Every row is judged by itself, so that all phases that differ are told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from io import BytesIO

import msgspec

from satjudge.board import Board, Phase, Turn, by_power
from satjudge.crosscheck.replaying import (
    DifferentPhase,
    Replayed,
    compared,
    different_phase,
    told_dislodged,
    with_verdicts,
)
from satjudge.crosscheck.saved_games import document_of, phase_of
from satjudge.errors import RequestError
from satjudge.geography import Power, ProvinceCode, load_map
from satjudge.judge import AnyOutcome, judge, judge_phase
from satjudge.notation import parse_unit
from satjudge.outcome import Outcome
from satjudge.reading import decode_json
from satjudge.rules import Rulebook
from satjudge.seasons import centers_after_fall
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


def holds_rows(data: bytes) -> bool:
    """Whether a file holds such rows, by its first line."""
    return b'"next_units"' in data.lstrip().partition(b"\n")[0] and b'"phases"' not in data[:100_000]


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


def check_row(row: Row, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Replayed:
    """Judge a row and compare the position afterwards with what is said there. Raises `InputError` with the phase."""
    return compared(row.game, (row.game, row.phase), partial(_compare, row, rulebook, engine))


def _compare(row: Row, rulebook: Rulebook, engine: Engine) -> DifferentPhase | None:
    board = _board(row, rulebook, engine)
    outcome = judge_phase(board, row.orders, rulebook=rulebook, engine=engine)
    ours: dict[str, Mapping[Power, Collection[str]]] = {"units": by_power(outcome.units)}
    theirs: dict[str, Mapping[Power, Collection[str]]] = {"units": row.next_units}
    if isinstance(outcome, Outcome):
        ours["dislodged"], theirs["dislodged"] = _dislodged(outcome, row), row.next_dislodged
    if row.next_centers is not None and _ends_fall(row):
        ours["centers"], theirs["centers"] = _centers(outcome), row.next_centers
    saved = {unit: ", ".join(words) for unit, words in row.results.items()}
    return different_phase(row.phase, ours, theirs, list(with_verdicts(outcome, saved)))


def _dislodged(outcome: Outcome, row: Row) -> dict[Power, list[str]]:
    return by_power(told_dislodged(outcome, lambda unit: str(unit) in row.next_dislodged.get(unit.power, ())))


def _ends_fall(row: Row) -> bool:
    return row.phase.startswith("F") and not any(row.next_dislodged.values())


def _centers(outcome: AnyOutcome) -> dict[Power, list[ProvinceCode]]:
    owned: dict[Power, list[ProvinceCode]] = {}
    for province, power in centers_after_fall(outcome.next_board).items():
        owned.setdefault(power, []).append(province)
    return owned


def _board(row: Row, rulebook: Rulebook, engine: Engine) -> Board:
    """The position before a row; that before retreats follows from the moves."""
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
