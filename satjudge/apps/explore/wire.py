"""Translates positions, sheets and rulebooks between the page and satjudge, as strictly checked plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from satjudge.base.errors import InputError, NotFoundError, RequestError
from satjudge.base.values import replace
from satjudge.base.words import number_of
from satjudge.explain.documents import OfPower, list_retreats
from satjudge.files.batch_lines import Request, RequestReader
from satjudge.files.diplomacy_package import centers_by_power, parse_phase
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import read_sheet_position
from satjudge.notation.messages.reader import PartialOrders
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, Phase, Season, Turn, by_power, starting_board
from satjudge.world.geography import Map, Power, ProvinceCode, load_map, province_of, shipped_maps
from satjudge.world.orders import Order, Permission, places_named
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, nearest_preset


class WirePosition(msgspec.Struct, forbid_unknown_fields=True):
    """A position in the page's form, with everything on which the next phase depends."""

    units: OfPower
    map: str = "standard"
    phase: str = "S1901M"
    centers: OfPower = {}
    dislodged: dict[str, OfPower] = {}
    """The dislodged units of each power, with the places to which they may retreat."""
    attackers: dict[str, str] = {}
    """The provinces from which the attackers of dislodged units came, by the province of the unit."""

    def make_board(self) -> Board:
        """Return the board of this position, or raise `InputError`."""
        phase, turn = parse_phase(self.phase)
        if turn is None or turn.name_of(phase) != self.phase:
            raise RequestError(f"{self.phase!r:.20} is not a phase", suggestion="write one such as S1901M, F1901R or W1901A")
        request = Request(self.units, phase=phase.value, dislodged=self.dislodged, centers=self.centers)
        board = RequestReader(request, get_page_map(self.map), of_a_game=True).board()
        origins = self.attackers.get
        dislodged = tuple(replace(lost, attacker_origin=origins(lost.unit.province)) for lost in board.dislodged)
        return replace(board, dislodged=dislodged, turn=turn).ensure_possible()


def make_wire_position(board: Board) -> WirePosition:
    """Return a board in the page's form; a board without a turn gets the first turn that has its phase."""
    turn = board.turn or Turn(board.map.first_year, Season.FALL if board.phase is Phase.ADJUSTMENT else Season.SPRING)
    return WirePosition(
        by_power(board.units),
        board.map.name,
        turn.name_of(board.phase),
        centers_by_power(board.centers),
        list_retreats(board.dislodged),
        {lost.unit.province: lost.attacker_origin for lost in board.dislodged if lost.attacker_origin},
    )


_opened: dict[str, Map] = {}
"""Opened maps that are not shipped, by name: the only data kept between questions."""
MOST_OPENED = 32


def allow_map(game_map: Map) -> None:
    """Let the page play on a map until satjudge ends; raise `RequestError` if another has its name or too many are open."""
    name = game_map.name
    known = get_page_map(name) if name in list_page_maps() else None
    if known is not None and known.fingerprint != game_map.fingerprint:
        hint = 'write another name = "…" into its file' if name in shipped_maps() else "rename it, or restart satjudge"
        raise RequestError(f"there is another map named {name}", suggestion=hint)
    if known is None:
        if len(_opened) >= MOST_OPENED:
            raise RequestError(f"no more than {number_of(MOST_OPENED, 'map')} can be open", suggestion="restart satjudge")
        _opened[name] = game_map


def list_page_maps() -> tuple[str, ...]:
    """Return the names of the maps on which the page can play: the shipped maps, then the opened ones."""
    return (*shipped_maps(), *_opened)


def get_page_map(name: str) -> Map:
    """Return a shipped or opened map by name, without reading a user's file; raise `RequestError` for another name."""
    if name in _opened:
        return _opened[name]
    if name not in shipped_maps():
        hint = f"there are {', '.join(list_page_maps())}; to use your own map, open its file first"
        raise RequestError(f"there is no map {name!r:.40}", suggestion=hint)
    return load_map(name)


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook: the name of a preset, and settings that differ from it (`4.A.2=szykman`)."""

    name: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()

    def load_rulebook(self) -> Rulebook:
        """Load the rulebook, or raise `RulebookError`."""
        return load_preset(self.name).with_settings(self.settings)


class Fault(msgspec.Struct):
    """A message to the page about an error: what is wrong, where it is, and what to do."""

    message: str
    line: int | None = None
    column: int | None = None
    suggestion: str | None = None


def make_fault(error: InputError) -> Fault:
    """Convert an error to a message for the page."""
    return Fault(error.message, error.line, error.column, error.suggestion)


# ---- the page's order sheet ----


def format_sheet(orders: Mapping[Power, Iterable[object]]) -> str:
    """Return orders as the text of the page's sheet: each power's name and a colon, then one order per line."""
    return "\n".join("".join(f"{line}\n" for line in (f"{power}:", *texts)) for power, texts in orders.items())


def replace_order(sheet: str, sheet_orders: PartialOrders, power: Power, province: ProvinceCode, order: str) -> str:
    """Return a sheet with a power's order for the unit or centre in `province` replaced, added or, if `order` is "", removed.

    Other orders on the same line are kept, each on its own line. A power that the sheet does not name is added at the end.
    """
    lines = sheet.splitlines()
    entries = sheet_orders.orders
    former = next((entry for entry in entries if entry.power == power and _find_subject(entry.order) == province), None)
    if former is not None:
        others = [str(entry.order) for entry in entries if entry.line == former.line and entry is not former]
        index = former.line - 1
        heading = [f"{power}:"] if sheet_orders.headings.get(power) == former.line else []
        indent = lines[index][: len(lines[index]) - len(lines[index].lstrip())]
        lines[index : index + 1] = [*heading, *(f"{indent}{text}" for text in (order, *others) if text)]
    elif power in sheet_orders.headings:
        own = [entry.line for entry in entries if entry.power == power]
        if order:
            lines.insert(max((sheet_orders.headings[power], *own)), order)
    elif order:
        lines += [*([""] if lines and lines[-1].strip() else []), f"{power}:", order]
    is_typing = not sheet.endswith("\n") and sheet.splitlines()[-1:] == lines[-1:]  # the user may be typing the last line
    return "\n".join(lines) + ("\n" if lines and not is_typing else "")


def _find_subject(order: Order) -> str | None:
    """Return the subject of an order: the province of its unit or centre, or a canal's name; None if the order has none."""
    if isinstance(order, Permission):
        return order.canal
    places = places_named(order)
    return province_of(places[0]) if places else None


# ---- the content security policy: the page runs only its own scripts and calls only its own server ----

DIRECTIVES = (
    "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:", "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'"
)  # fmt: skip
IN_PAGE = "; ".join(DIRECTIVES)
"""The policy for an element of the page, for sites whose server sends no such header."""
IN_HEADER = f"{IN_PAGE}; frame-ancestors 'none'"
"""The policy for a header; only a header can restrict who may show the page in a frame."""


# ---- the phases that the page shows first ----


class OpenedPhase(msgspec.Struct):
    """A phase to open; if `follows` is true, it follows the one before it in the list."""

    position: WirePosition
    sheet: str
    rules: Rules
    title: str
    follows: bool
    about: str = ""
    """The sources, notes and errata of a case, a line for each."""


def open_phases(cases: Iterable[tuple[Sheet, Rulebook]]) -> list[OpenedPhase]:
    """Return the phases to open for a game's phases, or for a case with its retreats; raise `InputError` if impossible."""
    found: list[OpenedPhase] = []
    for sheet, rulebook in cases:
        position = read_sheet_position(sheet)
        rules = Rules(*nearest_preset(rulebook))
        found.append(
            OpenedPhase(
                _make_position(position.board),
                format_sheet(position.orders),
                rules,
                sheet.heading,
                bool(found),
                _format_notes(sheet),
            )
        )
        if not sheet.has_retreats:
            continue
        outcome = position.judge(rulebook)
        if isinstance(outcome, Outcome):
            retreats = format_sheet(sheet.retreats_by_power())
            found.append(OpenedPhase(_make_position(outcome.retreat_board), retreats, rules, sheet.heading, True))
    return found


def open_phases_on_any_map(cases: Iterable[tuple[Sheet, Rulebook]]) -> list[OpenedPhase]:
    """Let the page play on the maps of cases, and return their phases as `open_phases` does; raise `InputError`."""
    case_list = list(cases)
    for sheet, _ in case_list:
        allow_map(sheet.board.map)
    return open_phases(case_list)


def open_map(game_map: Map, rulebook: Rulebook) -> OpenedPhase:
    """Return the opening position of a map as a phase to open; raise `InputError` if the page cannot show the map."""
    return OpenedPhase(_make_position(starting_board(game_map)), "", Rules(*nearest_preset(rulebook)), "", False)


def _make_position(board: Board) -> WirePosition:
    name = board.map.name
    if name not in list_page_maps() or board.map.fingerprint != get_page_map(name).fingerprint:
        known = ", ".join(list_page_maps())
        raise NotFoundError(f"a site must begin on an included map, not on {name}", suggestion=f"choose from {known}")
    return make_wire_position(board)


def _format_notes(sheet: Sheet) -> str:
    """Return the sources, notes and errata of a case as text, one per line."""
    return "\n".join(f"{key}: {text}" for key, texts in sheet.notes.items() for text in texts)
