"""Writes orders in the prose notation of the DATC, and positions as order sheets, which `read_sheets` can read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from satjudge.base.errors import SheetError
from satjudge.base.platforms import is_device
from satjudge.notation.sheets import Expectations, Sheet, SheetOrder
from satjudge.world.board import Board, Phase, Season, Turn, Unit
from satjudge.world.geography import Location, Map, Power, coast_of, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    Named,
    Order,
    Orders,
    Permission,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unreadable,
)
from satjudge.world.rules import DEFAULT_RULES

Verdicts = Mapping[Power, Sequence[str]]
"""The expected verdict of each order, power by power, in the order in which they are given."""

_INDENT = "  "


def format_location(location: Location, game_map: Map) -> str:
    """Write the full name of a location as the DATC does, `"Spain(sc)"`."""
    province = game_map.provinces.get(province_of(location))
    name = province.name if province else province_of(location)
    coast = coast_of(location)
    return f"{name}({coast.lower()})" if coast else name


def format_unit(unit: Named | Unit, game_map: Map) -> str:
    """Write the full name of a unit, `"F London"`; an order's nationality is kept, `"French A Paris"`."""
    nationality = unit.power if isinstance(unit, Named) else None
    adjective = game_map.adjectives.get(nationality, nationality) if nationality else None
    parts = (adjective, unit.kind, format_location(unit.location, game_map))
    return " ".join(str(part) for part in parts if part)


def format_prose(order: Order, game_map: Map) -> str:
    """Write an order as the DATC does, `"F London Supports F Wales - English Channel"`."""

    def unit(named: Named) -> str:
        return format_unit(named, game_map)

    def path(*locations: Location) -> str:
        return " - ".join(format_location(location, game_map) for location in locations)

    match order:
        case Hold(becomes=Named() as becomes):
            return f"{unit(order.unit)} Becomes {unit(becomes)}"
        case Hold():
            return f"{unit(order.unit)} Holds"
        case Move() | Retreat():
            route = order.route if isinstance(order, Move) else ()
            railroad = f"{order.railroad} - " if order.railroad else ""
            via = " via convoy" if order.via_convoy else ""
            return f"{unit(order.unit)} - {railroad}{path(*route, order.destination)}{via}"
        case Permission():
            return f"{order.canal} {unit(order.unit)} - {path(order.destination)}"
        case SupportHold():
            return f"{unit(order.unit)} Supports {unit(order.supported)}"
        case SupportMove():
            return f"{unit(order.unit)} Supports {unit(order.supported)} - {path(order.destination)}"
        case Convoy():
            return f"{unit(order.unit)} Convoys {unit(order.convoyed)} - {path(*order.route, order.destination)}"
        case Disband() | Remove():
            return f"Disband {unit(order.unit)}"
        case Build():
            return f"Build {unit(order.unit)}"
        case Decline():
            return "Decline"
        case Unreadable():
            return order.text


def sheet_text(
    board: Board,
    orders: Orders,
    *,
    identity: str = "",
    title: str = "",
    rules: str = DEFAULT_RULES,
    notes: Mapping[str, Sequence[str]] | None = None,
    expected: Verdicts | None = None,
    retreats: Orders | None = None,
    under: Iterable[Expectations] = (),
) -> str:
    """Return a position with its orders as an order sheet; `notes` has lines by key, and `expected` has verdicts by power.

    Raises `SheetError` for positions that a sheet cannot express: a retreat phase without the moves before it, or an order to a
    unit that is not on the board (since on a sheet, an order places its unit).
    """
    if board.phase is Phase.RETREAT:
        raise SheetError("an order sheet cannot begin with a retreat phase", suggestion="write the moves before it")
    turn = board.turn
    if turn == Turn(board.map.first_year, Season.SPRING) and not board.map.closed:
        turn = None  # the first turn of a game is not written
    sheet = Sheet(
        "",
        identity,
        title,
        rules,
        board.phase,
        {key: list(lines) for key, lines in (notes or {}).items()},
        list(board.units),
        dict(board.centers),
        make_order_lines(orders, expected),
        make_order_lines(retreats or {}),
        under=list(under),
        map=board.map,
        season=turn.season if turn else None,
        year=turn.year if turn and turn.year != board.map.first_year else None,
    )
    if sheet.phase is Phase.MOVEMENT:
        sheet.owned = [unit for unit in board.units if not _is_implied(unit, sheet.orders)]
        if len(sheet.board.units) > len(board.units):
            extra = next(unit for unit in sheet.board.units if unit.province not in board.unit_at)
            raise SheetError(f"{extra} of {extra.power} has orders but is not on the board, which a sheet cannot express")
    return write_sheet(sheet)


def make_order_lines(orders: Orders, expected: Verdicts | None = None) -> list[SheetOrder]:
    """Return orders as the lines of a sheet, each with its expected verdict (by power, in the order given) or None."""
    return [
        SheetOrder(power, order, expected[power][position] if expected else None, None, 0)
        for power, given in orders.items()
        for position, order in enumerate(given)
    ]


def write_sheet(sheet: Sheet) -> str:
    """Return a case as the text of an order sheet, which ends with a newline."""
    return "\n".join(_iter_lines(sheet)) + "\n"


def find_unit_text(order: str) -> str:
    """Return the unit of an order that is given as text, its first two words: `A PAR` of `A PAR - BUR`."""
    return " ".join(order.split()[:2])


def group_orders(units: Mapping[Power, Sequence[str]], orders: Iterable[str]) -> dict[Power, list[str]]:
    """Return orders by the power that has the ordered unit, in the order of its units; orders and units are texts."""
    order_of = {find_unit_text(order): order for order in orders}
    return {power: [order_of[unit] for unit in own if unit in order_of] for power, own in units.items()}


def make_file_name(text: str) -> str:
    """Return a safe file name, without suffix, for a case of any name; it is never empty, a dot or a Windows device."""
    name = re.sub(r"[^\w.+-]+", "-", text).strip(".-") or "case"
    return f"case-{name}" if is_device(name) else name


def _is_implied(unit: Unit, orders: Sequence[SheetOrder]) -> bool:
    """Return whether orders alone place a unit: every order to it is its own power's, and names its kind and coast."""
    named = [
        (line.power, line.order.unit.kind, line.order.unit.location)
        for line in orders
        if not isinstance(line.order, Decline | Build | Permission) and line.order.unit.province == unit.province
    ]
    return set(named) == {(unit.power, unit.kind, unit.location)}


def _iter_lines(sheet: Sheet) -> Iterator[str]:
    if sheet.identity:
        yield f"case {sheet.identity}: {sheet.title}".rstrip()
    if sheet.rules != DEFAULT_RULES:
        yield f"rules: {sheet.rules}"
    if sheet.map.case_name is not None:
        yield f"map: {sheet.map.case_name}"
    if sheet.phase is not Phase.MOVEMENT:
        yield f"phase: {sheet.phase}"
    yield from _iter_settings(sheet)
    for key, notes in sheet.notes.items():
        yield from (f"{key}: {note}" for note in notes)
    yield ""
    yield from _iter_possessions(sheet)
    yield from _iter_orders(sheet.orders, sheet.map)
    yield from _iter_automatic(sheet.automatic, sheet.map)
    if sheet.retreats or sheet.retreats_line is not None:
        yield from ("", "retreats", *_iter_orders(sheet.retreats, sheet.map))
    for block in sheet.under:
        yield from _iter_block(block, sheet.map)


def _iter_settings(sheet: Sheet) -> Iterator[str]:
    """Yield a sheet's lines on season, victory, counted centres, winner, and expected units after the phase."""
    if sheet.season:
        yield f"season: {sheet.season} {sheet.year or ''}".rstrip()
    if sheet.victory is not None:
        yield f"victory: {sheet.victory}"
    yield from (f"counts: {sheet.map.name_of(power)} {number}" for power, number in sheet.counts.items())
    if sheet.winner is not None:
        yield f"winner: {sheet.map.name_of(sheet.winner) or 'nobody'}"
    yield from _iter_standing(sheet.standing, sheet.map)


def _iter_standing(standing: Mapping[Power, Sequence[Unit]], game_map: Map) -> Iterator[str]:
    for power, units in standing.items():
        yield f"afterwards: {game_map.name_of(power)} {', '.join(map(str, units)) or 'none'}"


def _iter_possessions(sheet: Sheet) -> Iterator[str]:
    for power, units in groupby(sheet.owned, key=lambda unit: unit.power):
        yield f"{sheet.map.name_of(power)} owns {', '.join(map(str, units))}"
    for power, centers in groupby(sheet.centers.items(), key=lambda item: item[1]):
        yield f"{sheet.map.name_of(power)} owns {', '.join(f'SC {province}' for province, _ in centers)}"


def _iter_orders(lines: Sequence[SheetOrder], game_map: Map) -> Iterator[str]:
    width = max((len(str(line.order)) for line in lines), default=0)
    for power, given in groupby(lines, key=lambda line: line.power):
        yield f"{game_map.name_of(power)}:"
        for line in given:
            label = "" if line.expected is None else f" | {line.expected}"
            label += "" if line.printed is None else f" {{printed: {line.printed}}}"
            yield f"{_INDENT}{line.order!s:{width if label else 0}}{label}"


def _iter_automatic(units: Iterable[Unit], game_map: Map) -> Iterator[str]:
    for power, removed_units in groupby(units, key=lambda unit: unit.power):
        yield f"{game_map.name_of(power)}:"
        yield from (f"{_INDENT}Automatic disband {unit}" for unit in removed_units)


def _iter_block(block: Expectations, game_map: Map) -> Iterator[str]:
    settings = f" with {', '.join(block.settings)}" if block.settings else ""
    yield ""
    yield f"under {', '.join(block.rulebooks)}{settings}:"
    inside = [f"note: {note}" for note in block.notes]
    inside += ["unresolved"] if block.unresolved else []
    inside += _iter_standing(block.standing, game_map)
    inside += [*_iter_orders(block.orders, game_map), *_iter_automatic(block.automatic, game_map)]
    if block.retreats:
        inside += ["retreats", *_iter_orders(block.retreats, game_map)]
    yield from (f"{_INDENT}{line}" for line in inside or ["same"])
