"""Reading the positions that are to be compared: order sheets, shipped cases, batch lines, saved games, jDip's cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from satjudge.cli.common import read_cases
from satjudge.crosscheck.positions import Position, line_position, movement_position
from satjudge.errors import InputError, NotFoundError, RequestError
from satjudge.formats import jdip
from satjudge.formats.detect import Kind, detect
from satjudge.formats.saved_games import board_of, load_games, map_of, read_file
from satjudge.judge import read_orders
from satjudge.notation.sheets import Sheet, shipped_sheets


def positions_in(name: str) -> Iterator[Position | None]:
    """The phases in a file, or among the shipped cases; None for one that is not of movement. Raises `InputError`."""
    kind = _kind(name)
    if kind is Kind.LINES:
        yield from _lines(Path(name))
    elif kind is Kind.GAME:
        yield from _games(Path(name))
    elif kind is Kind.JDIP:
        yield from _jdip_cases(read_file(Path(name)), name)
    else:
        for sheet in _cases(name):
            yield movement_position(sheet.board, sheet.orders_by_power(), sheet.identity or sheet.source_file)


def _kind(name: str) -> Kind:
    """What a file is; where its content does not tell, by the end of its name."""
    by_name = {".jsonl": Kind.LINES, ".json": Kind.GAME}.get(Path(name).suffix, Kind.SHEET)
    if not Path(name).is_file():
        return by_name
    data = read_file(Path(name))
    found = detect(data)
    return by_name if found in (Kind.SHEET, Kind.JSON) else found


def _cases(name: str) -> list[Sheet]:
    """The cases of a file, one shipped case, a section of them (datc:6.F) or all (datc:all)."""
    if not name.lower().startswith("datc:"):
        return read_cases(name)
    wanted = name[5:].lower().rstrip(".")
    section = [sheet for sheet in shipped_sheets() if wanted == "all" or sheet.identity.lower().startswith(f"{wanted}.")]
    return section or read_cases(name)


def _jdip_cases(data: bytes, name: str) -> Iterator[Position | None]:
    """The phases of cases in jDip's format."""
    for case in jdip.read_cases(data, name):
        try:
            yield movement_position(case.readable().board, case.orders, case.title)
        except InputError as error:
            raise error.at(source=f"{name}, {error.source}" if error.source else name) from None


def _lines(path: Path) -> Iterator[Position | None]:
    """The positions in a file of batch lines. An empty line is passed by."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotFoundError(f"cannot read {path}: {error.strerror}") from None
    if not any(line.strip() for line in lines):
        raise RequestError("the file is empty; it should hold batch lines", source=str(path))
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _possible(line_position(line))
            except InputError as error:
                raise error.at(source=f"{path}:{number}" + (f", {error.source}" if error.source else "")) from None


def _possible(position: Position | None) -> Position | None:
    """A position that can be, with orders of powers that are there. Raises `InputError`."""
    if position is not None:
        read_orders(position.board.checked(), position.orders)
    return position


def _games(path: Path) -> Iterator[Position | None]:
    """The phases of saved games."""
    for game in load_games(path):
        for phase in game.phases:
            name = f"{game.id or path.name} {phase.name}"
            try:
                board = board_of(phase, map_of(game)).checked()
                orders = read_orders(board, {power: given or [] for power, given in phase.orders.items()})
            except InputError as error:
                raise error.at(source=", ".join(filter(None, (str(path), name, error.source)))) from None
            yield movement_position(board, orders, name)
