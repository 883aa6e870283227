"""The positions with orders that any file holds, as cases: values of `Sheet`, which all commands read.

A case of an order sheet says more than others can. The phases of games, batch lines and cases of jDip's bring their whole
position with them, dislodged units as well, and where it is known what is expected: verdicts or the units afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import msgspec

from satjudge.board import Board, Unit
from satjudge.errors import InputError, RequestError, SheetError
from satjudge.formats import jdip, saved_games
from satjudge.formats.batch_lines import LONGEST_LINE, Request, RequestReader, check_keys
from satjudge.formats.detect import POSITIONS, Kind, detect, hint_for
from satjudge.geography import Power, load_map
from satjudge.judge import read_orders
from satjudge.notation import parse_unit
from satjudge.notation.sheets import Sheet, SheetOrder, sheets_from
from satjudge.orders import Order
from satjudge.reading import LONGEST_TEXT, read_all, read_file
from satjudge.rules import DEFAULT_RULES, load_preset


@dataclass(frozen=True, slots=True)
class Entry:
    """A case in a file: what `--case` calls it, the line where it begins, and what reads it (raises `InputError`)."""

    identity: str
    line: int
    read: Callable[[], Sheet]

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.identity or f"line {self.line}"


class _Expected(msgspec.Struct):
    """What a batch line may expect, of what `satjudge export` writes."""

    results: dict[str, list[str]] = {}


class _Line(Request):
    expected: _Expected | None = None
    title: str = ""


def entries_in(data: bytes, source: str, *, lenient: bool = False) -> list[Entry]:
    """The cases that a file holds, whatever its kind. Raises `InputError`, also for a kind that holds none.

    If it is `lenient` orders that cannot be read are no error but `Unreadable`.
    """
    kind = detect(data)
    if kind is Kind.GZIP:
        data = saved_games.read_all(BytesIO(data), source)
        kind = detect(data)
    if len(data) > LONGEST_TEXT:
        raise SheetError(f"too long: more than {LONGEST_TEXT:,} bytes", source=source)
    if kind not in POSITIONS:
        raise SheetError(f"this is {kind}, no order sheet", source=source, suggestion=hint_for(kind))
    if kind is Kind.SHEET:
        sheets = sheets_from(data, source, lenient=lenient)
        return [Entry(sheet.identity, sheet.line, partial(_itself, sheet)) for sheet in sheets]
    readers = {Kind.GAME: _games, Kind.ROWS: _rows, Kind.LINES: _lines, Kind.JDIP: _jdip}
    found = list(readers[kind](data, source, lenient))
    if not found:
        raise RequestError(f"there is no position in {kind}", source=source)
    return found


def read_input(name: str, standard_input: BinaryIO, most: int = LONGEST_TEXT) -> bytes:
    """What a FILE holds, `-` being standard input. Raises `NotFoundError`, or `SheetError` if it is too long to be read."""
    return read_all(standard_input, "standard input", most) if name == "-" else read_file(Path(name), most)


def _itself(sheet: Sheet) -> Sheet:
    return sheet


def _case(
    source: str,
    identity: str,
    board: Board,
    orders: Mapping[Power, Sequence[Order]],
    *,
    line: int = 1,
    title: str = "",
    rules: str = DEFAULT_RULES,
    expected: Mapping[Power, Sequence[str]] | None = None,
    afterwards: Sequence[Unit] | None = None,
) -> Sheet:
    """A case of a position that a file gives whole."""
    listed = []
    for power in {**orders, **(expected or {})}:
        given = orders.get(power, ())
        verdicts: Sequence[str | None] = (expected or {}).get(power) or [None] * len(given)
        if len(verdicts) != len(given):
            raise RequestError(f"{len(verdicts)} verdicts are expected of the orders of {power}, which has {len(given)}")
        listed += [SheetOrder(power, order, verdict, None, line) for order, verdict in zip(given, verdicts, strict=True)]
    sheet = Sheet(source, identity, title, rules, board.phase, owned=list(board.units), centers=dict(board.centers), line=line)
    sheet.orders, sheet.map, sheet.given = listed, board.map, board.checked()
    sheet.afterwards = None if afterwards is None else tuple(afterwards)
    return sheet


def _read(make: Callable[[], Sheet], place: str, line: int | None = None) -> Sheet:
    """What `make` makes; an error says where in the file it was found."""
    try:
        return make()
    except InputError as error:
        raise error.at(source=f"{place}, {error.source}" if error.source else place, line=line) from None


def _units(texts: Mapping[Power, Sequence[str]]) -> list[Unit]:
    """The units that stand; those with an asterisk are dislodged."""
    return [parse_unit(text, power, load_map()) for power, of in texts.items() for text in of if not text.startswith("*")]


def _games(data: bytes, source: str, lenient: bool) -> Iterator[Entry]:
    """The phases of saved games, called `S1901M`, or `ID/S1901M` if there are several games."""
    games = saved_games.read_games(data, source)
    for game in games:
        for number, phase in enumerate(game.phases):
            if phase.name != saved_games.COMPLETED:
                identity = phase.name if len(games) == 1 else f"{game.id}/{phase.name}"
                later = next(iter(game.phases[number + 1 :]), None)
                make = partial(_phase, source, identity, game, phase, later, lenient)
                yield Entry(identity, 1, partial(_read, make, f"{source}, {identity}"))


def _phase(
    source: str,
    identity: str,
    game: saved_games.SavedGame,
    phase: saved_games.SavedPhase,
    later: saved_games.SavedPhase | None,
    lenient: bool,
) -> Sheet:
    board = saved_games.board_of(phase, saved_games.map_of(game))
    orders = read_orders(board.checked(), {power: given or [] for power, given in phase.orders.items()}, lenient=lenient)
    return _case(source, identity, board, orders, afterwards=_units(later.state.units) if later else None)


def _rows(data: bytes, source: str, lenient: bool) -> Iterator[Entry]:
    """Single phases, called like those of saved games. The moves before a retreat are judged by the default rulebook."""
    rows = saved_games.read_rows(data, source)
    several = len({row.game for row in rows}) > 1
    for number, row in enumerate(rows, 1):
        identity = f"{row.game}/{row.phase}" if several else row.phase
        make = partial(_row, source, identity, row, number, lenient)
        yield Entry(identity, number, partial(_read, make, source, number))


def _row(source: str, identity: str, row: saved_games.Row, line: int, lenient: bool) -> Sheet:
    board = saved_games.row_board(row, load_preset(DEFAULT_RULES))
    orders = read_orders(board.checked(), row.orders, lenient=lenient)
    return _case(source, identity, board, orders, line=line, afterwards=_units(row.next_units))


def _lines(data: bytes, source: str, lenient: bool) -> Iterator[Entry]:
    """Batch lines, called by their `id`."""
    for number, line in enumerate(BytesIO(data), 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            raise RequestError(f"the line has more than {LONGEST_LINE:,} bytes", source=source, line=number)
        try:
            request = msgspec.json.decode(line, type=_Line)
            check_keys(line, request)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RequestError(f"not a batch request: {error}", source=source, line=number) from None
        except InputError as error:
            raise error.at(source=source, line=number) from None
        identity = "" if request.id is None else str(request.id)
        make = partial(_asked, source, identity, request, number, lenient)
        yield Entry(identity, number, partial(_read, make, source, number))


def _asked(source: str, identity: str, request: _Line, line: int, lenient: bool) -> Sheet:
    reader = RequestReader(request, load_map())
    board, orders = reader.board(), reader.told_orders()[0] if lenient else reader.orders()
    rules = request.rules or DEFAULT_RULES
    results = request.expected.results if request.expected else {}
    expected = {reader.power(name): verdicts for name, verdicts in results.items()}
    return _case(source, identity, board, orders, line=line, title=request.title, rules=rules, expected=expected)


def _jdip(data: bytes, source: str, lenient: bool) -> Iterator[Entry]:
    """jDip's cases by the first word of their names. The moves before a retreat are judged by the default rulebook."""
    for case in jdip.read_cases(data, source):
        make = partial(_jdip_case, source, case)
        yield Entry(case.title.split()[0] if case.title else "", case.line, partial(_read, make, source))


def _jdip_case(source: str, case: jdip.Case) -> Sheet:
    board = jdip.board_of(case.readable(), load_preset(DEFAULT_RULES))
    identity, _, title = case.title.partition(" ")
    afterwards = case.units if case.same else case.after
    return _case(source, identity, board, case.orders, line=case.line, title=title, afterwards=afterwards)
