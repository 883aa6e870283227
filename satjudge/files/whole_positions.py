"""Reads positions from files other than order sheets: saved games, single phases, batch lines, reports and test cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from itertools import zip_longest
from typing import Any

import msgspec

from satjudge.base.errors import InputError, RequestError, locate_errors
from satjudge.base.resources import decode_json
from satjudge.base.words import number_of
from satjudge.files import diplomacy_package, game_readers, jdip, json_cases
from satjudge.files.batch_lines import LONGEST_LINE, Request, RequestReader, read_request
from satjudge.files.cases import Entry
from satjudge.files.detect import Kind
from satjudge.files.maps import make_map
from satjudge.judging.judge import read_orders
from satjudge.notation.parse import parse_unit
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power
from satjudge.world.orders import Order
from satjudge.world.rules import DEFAULT_RULES, load_preset


class _ExpectedResults(msgspec.Struct):
    """The expected results in a batch line, as `satjudge export` writes them."""

    results: dict[str, list[str]] = {}


class _Line(Request):
    expected: _ExpectedResults | None = None
    title: str = ""


class _ReportedCase(msgspec.Struct):
    request: _Line
    answer: _ExpectedResults


class _Report(msgspec.Struct):
    """The parts of a report of `satjudge judge --report` that are judged again."""

    reported: list[_ReportedCase]
    map: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class _WholePosition:
    """A complete position from a file, with its orders and expected verdicts."""

    board: Board
    orders: Mapping[Power, Sequence[Order]]
    title: str = ""
    rules: str = DEFAULT_RULES
    expected: Mapping[Power, Sequence[str | None]] = field(default_factory=dict)
    """Verdicts, perhaps in outline."""
    afterwards: Sequence[Unit] | None = None
    removed: Sequence[Unit] = ()
    """Units that civil disorder is expected to remove."""


def _make_entry(
    read: Callable[[], _WholePosition],
    source: str,
    identity: str,
    line: int,
    *,
    error_place: str = "",
    error_line: int | None = None,
    game: str | None = None,
    ordered: bool = False,
) -> Entry:
    """Make an entry; on opening, `read` returns its position, and errors name `error_place` (or `source`) and `error_line`."""
    return Entry(identity, line, partial(_case, read, source, identity, line, error_place or source, error_line), game, ordered)


def _case(
    read: Callable[[], _WholePosition], source: str, identity: str, line: int, error_place: str, error_line: int | None
) -> Sheet:
    try:
        whole = read()
        entries = []
        for power in {**whole.orders, **whole.expected}:
            given = whole.orders.get(power, ())
            verdicts: Sequence[str | None] = whole.expected.get(power) or [None] * len(given)
            if len(verdicts) != len(given):
                expected = number_of(len(verdicts), "verdict is", "verdicts are")
                raise RequestError(f"{expected} expected for {power}, which has {number_of(len(given), 'order')}")
            entries += [SheetOrder(power, order, verdict, None, line) for order, verdict in zip(given, verdicts, strict=True)]
        board = whole.board.ensure_possible()
    except InputError as error:
        raise error.add_place(
            source=f"{error_place}, {error.source}" if error.source else error_place, line=error_line
        ) from None
    owned, centers = list(board.units), dict(board.centers)
    sheet = Sheet(source, identity, whole.title, whole.rules, board.phase, owned=owned, centers=centers, line=line)
    sheet.orders, sheet.map, sheet.given = entries, board.map, board
    sheet.automatic = list(whole.removed)
    sheet.afterwards = None if whole.afterwards is None else tuple(whole.afterwards)
    return sheet


def _parse_units(texts: Mapping[Power, Sequence[str]], game_map: Map) -> list[Unit]:
    """Parse each power's units into one list, without the dislodged ones (marked by an asterisk)."""
    named = diplomacy_package.rename_powers(texts, game_map)
    return [parse_unit(text, power, game_map) for power, items in named.items() for text in items if not text.startswith("*")]


def _iter_games(games: Sequence[diplomacy_package.SavedGame], source: str, default_map: Map | None) -> Iterator[Entry]:
    """Yield an entry for each phase of saved games, with the ID `S1901M`, or `GAME/S1901M` if there are several games.

    An unreadable order in a game was illegal there, and is treated as illegal here.
    """
    for game in games:
        called = game.id or (None if len(games) > 1 else "game")
        for phase, later in zip_longest(game.phases, game.phases[1:]):
            if phase.name != diplomacy_package.COMPLETED:
                identity = phase.name if len(games) == 1 else f"{game.id}/{phase.name}"
                read = partial(_phase, game, phase, later, default_map)
                place, ordered = f"{source}, {identity}", any(phase.orders.values())
                yield _make_entry(read, source, identity, 1, error_place=place, game=called, ordered=ordered)


def _phase(
    game: diplomacy_package.SavedGame,
    phase: diplomacy_package.SavedPhase,
    later: diplomacy_package.SavedPhase | None,
    default_map: Map | None,
) -> _WholePosition:
    board = diplomacy_package.board_of(phase, diplomacy_package.map_of(game, default_map)).ensure_possible()
    orders = read_orders(board, {power: given or [] for power, given in phase.orders.items()}, lenient=True)
    rules = (game.satjudge and game.satjudge.rules) or DEFAULT_RULES
    return _WholePosition(board, orders, rules=rules, afterwards=_parse_units(later.state.units, board.map) if later else None)


def _iter_rows(rows: Sequence[diplomacy_package.Row], source: str, default_map: Map | None) -> Iterator[Entry]:
    """Yield an entry for each single phase, by ID as in saved games; the default rulebook judges moves before a retreat."""
    several = len({row.game for row in rows}) > 1
    for number, row in enumerate(rows, 1):
        identity = f"{row.game}/{row.phase}" if several else row.phase
        read = partial(_row, row, default_map)
        yield _make_entry(read, source, identity, number, error_line=number, game=row.game, ordered=any(row.orders.values()))


def _row(row: diplomacy_package.Row, default_map: Map | None) -> _WholePosition:
    board = diplomacy_package.make_row_board(row, load_preset(DEFAULT_RULES), default_map=default_map).ensure_possible()
    afterwards = None if row.next_units is None else _parse_units(row.next_units, board.map)
    return _WholePosition(board, read_orders(board, row.orders, lenient=True), afterwards=afterwards)


def _iter_lines(data: bytes, source: str, default_map: Map | None, lenient: bool) -> Iterator[Entry]:
    """Yield an entry for each batch line; raise `RequestError` for a malformed one. Entries check orders, unless `lenient`."""
    for number, line in enumerate(BytesIO(data), 1):
        if not line.strip():
            continue
        with locate_errors(source, number):
            if len(line) > LONGEST_LINE:
                raise RequestError(f"the line has more than {LONGEST_LINE:,} bytes")
            request = read_request(line, _Line)
        identity = "" if request.id is None else str(request.id)
        yield _make_entry(partial(_read_request, request, default_map, lenient), source, identity, number, error_line=number)


def _iter_reports(data: bytes, source: str, default_map: Map | None, lenient: bool) -> Iterator[Entry]:
    """Yield an entry for each phase of a report, with its verdicts as expected; with `lenient`, orders may be unreadable."""
    try:
        report = decode_json(data, _Report)
        given = make_map(report.map, "the map of the report") if report.map and default_map is None else default_map
    except msgspec.DecodeError as error:
        raise RequestError(f"not a report: {error}", source=source) from None
    for one in report.reported:
        one.request.expected = one.answer
        identity = "" if one.request.id is None else str(one.request.id)
        yield _make_entry(partial(_read_request, one.request, given, lenient), source, identity, 1)


def _read_request(request: _Line, default_map: Map | None, lenient: bool) -> _WholePosition:
    reader = RequestReader(request, default_map)
    board, orders = reader.board(), reader.read_orders()[0] if lenient else reader.orders()
    results = request.expected.results if request.expected else {}
    expected = {reader.find_power(name): verdicts for name, verdicts in results.items()}
    return _WholePosition(
        board, read_orders(board.ensure_possible(), orders), request.title, request.rules or DEFAULT_RULES, expected
    )


def _iter_jdip_cases(data: bytes, source: str, default_map: Map | None, _lenient: bool) -> Iterator[Entry]:
    """Yield an entry for each case in jDip's format, with the first word of its title as the ID.

    The moves before a retreat phase are judged by the default rulebook.
    """
    for case in jdip.read_cases(data, source, default_map):
        yield _make_entry(partial(_jdip_case, case), source, case.title.partition(" ")[0], case.line)


def _jdip_case(case: jdip.JdipCase) -> _WholePosition:
    board = jdip.board_of(case.require_readable(), load_preset(DEFAULT_RULES))
    title, afterwards = case.title.partition(" ")[2], case.units if case.same else case.after
    return _WholePosition(board, case.orders, title, afterwards=afterwards)


def _iter_json_cases(data: bytes, source: str, _default_map: Map | None, _lenient: bool) -> Iterator[Entry]:
    """Yield an entry for each case in a `tests.schema.json` file, with its name as the ID, except cases marked as ignored."""
    for case in json_cases.read_cases(data, source):
        if not case.ignore:
            yield _make_entry(partial(_json_case, case), source, case.name, 1, error_place=f"{source}, {case.name}")


def _json_case(case: json_cases.JsonCase) -> _WholePosition:
    read = json_cases.read_case(case)
    return _WholePosition(read.board, read.orders, case.description, case.rules, read.expected, removed=read.removed)


def positions(kind: Kind, data: bytes, source: str, default_map: Map | None, lenient: bool) -> Iterator[Entry]:
    """Yield an entry for each case in a file other than a sheet; with `lenient`, orders of batch lines may be unreadable."""
    if kind in game_readers.GAMES:
        yield from _iter_games([read() for read in game_readers.GAMES[kind](data, source)], source, default_map)
    elif kind in game_readers.ROWS:
        yield from _iter_rows([read() for read in game_readers.ROWS[kind](data, source)], source, default_map)
    else:
        yield from _OTHERS[kind](data, source, default_map, lenient)


_OTHERS = {Kind.LINES: _iter_lines, Kind.JDIP: _iter_jdip_cases, Kind.CASES: _iter_json_cases, Kind.REPORT: _iter_reports}
"""The readers of files that contain no games."""
