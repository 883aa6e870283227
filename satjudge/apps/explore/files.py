"""Opens files of any kind for the page, and writes the page's game to files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby

import msgspec

from satjudge.apps.explore.wire import OpenedPhase, Rules, WirePosition, allow_map, open_map, open_phases_on_any_map
from satjudge.base.errors import InputError, MapError, NotFoundError
from satjudge.base.words import number_of
from satjudge.files.cases import Entry, list_entries
from satjudge.files.detect import Kind, detect
from satjudge.files.maps import parse_map
from satjudge.game.documents import YearCounted, make_chart, make_game_report
from satjudge.game.game import Game
from satjudge.notation.documents import Rules as RulesTold
from satjudge.notation.messages.reader import read_partial_orders
from satjudge.show import game_reports
from satjudge.world.rules import DEFAULT_RULES, load_preset, nearest_preset

MOST_LISTED = 1000


class FileChoice(msgspec.Struct):
    """A case, or a whole game, to choose from a file."""

    title: str
    number: int
    """The number by which the page requests the case, from 0."""


class FileContent(msgspec.Struct):
    """The content of a file: the phases to open, or several cases to choose from."""

    opened: list[OpenedPhase] = []
    cases: list[FileChoice] = []


def find_cases(data: bytes, name: str, number: int | None) -> FileContent:
    """Return a file's phases to open (only those of case `number`, from 0), or cases to choose from; let the page use its maps.

    Raises `InputError`.
    """
    if detect(data) is Kind.MAP:
        return FileContent([_open_map_file(data, name)])
    statement = _read_statement(data)
    if statement.answers:
        lines = b"\n".join(map(msgspec.json.encode, statement.answers))
        entries = list_entries(lines, f"{name}.jsonl", lenient=True)
    else:
        entries = list_entries(data, name, lenient=True)
    chosen = _group_cases(entries)
    if number is None and len(chosen) > 1:
        return FileContent(cases=[FileChoice(_make_title(case), index) for index, case in enumerate(chosen[:MOST_LISTED])])
    if (number or 0) >= len(chosen):
        raise NotFoundError(f"there is no case {number} in {name}", suggestion=f"it has {len(chosen)}, counted from 0")
    case = chosen[number or 0]
    found = open_phases_on_any_map((sheet, load_preset(sheet.rules)) for sheet in (entry.read() for entry in case))
    found[0].title = _find_game(case) or found[0].title  # not the name of its first phase
    for phase in found:
        phase.rules = statement.rules or phase.rules
    return FileContent(found)


def _open_map_file(data: bytes, name: str) -> OpenedPhase:
    """Let the page play on the map in a TOML file, and return the map's opening phase."""
    try:
        game_map = parse_map(data, name)
    except MapError as error:
        error.suggestion = error.suggestion or "`satjudge maps convert` converts maps of other programs to TOML"
        raise
    allow_map(game_map)
    return open_map(game_map, load_preset(DEFAULT_RULES))


def _group_cases(entries: list[Entry]) -> list[list[Entry]]:
    """Group entries into cases: all phases of a game form one case, and every other entry is a case by itself."""
    games = groupby(enumerate(entries), key=lambda entry: entry[0] if entry[1].game is None else (entry[1].game,))
    return [[entry for _, entry in group] for _, group in games]


def _make_title(case: list[Entry]) -> str:
    """Return a case's title: its game's name and number of phases, its heading or, if it is unreadable, its entry's name."""
    with suppress(InputError):
        game = _find_game(case)
        return f"{game}, {number_of(len(case), 'phase')}" if game else case[0].read().heading
    return case[0].name


def _find_game(case: list[Entry]) -> str | None:
    """Return the name of the game if a case has several phases, else None."""
    return case[0].game if len(case) > 1 else None


# ---- rulebooks in JSON, and the answers of `satjudge search --json` ----


class _Answer(msgspec.Struct):
    units: dict[str, list[str]]
    orders: dict[str, list[str]]


class _StoredRules(msgspec.Struct):
    """The rulebook that satjudge stores in the games it saves."""

    rules: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()


class _FileStatement(msgspec.Struct):
    answers: list[_Answer] = []
    rulebook: RulesTold | None = None
    satjudge: _StoredRules | str | None = None

    @property
    def rules(self) -> Rules | None:
        """The rulebook that a search's answers or a saved game states, as the nearest preset with settings; else None.

        Raises `RulebookError`.
        """
        if self.rulebook is not None and self.answers:
            return Rules(*nearest_preset(self.rulebook.rulebook()))
        if isinstance(self.satjudge, _StoredRules):
            return Rules(*nearest_preset(Rules(self.satjudge.rules, self.satjudge.settings).load_rulebook()))
        return None


def _read_statement(data: bytes) -> _FileStatement:
    """Return what a JSON file states: its rulebook and answers; an empty statement for any other file."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(data, type=_FileStatement)
    return _FileStatement()


# ---- the game on the page, its chart and its files ----


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A phase with the orders on the page's sheet."""

    position: WirePosition
    sheet: str = ""


class CenterChart(msgspec.Struct):
    """The centre chart of a sequence of phases, and how the game ended."""

    chart: list[YearCounted]
    ended: str | None


def make_centre_chart(positions: Sequence[WirePosition], victory: int | None) -> CenterChart:
    """Return the centre chart of a sequence of positions, and how the game ended; raise `InputError`."""
    boards = [position.make_board() for position in positions]
    last = boards[-1]
    powers = [*dict.fromkeys((*last.map.powers, *(power for board in boards for power in board.centers.values())))]
    ending = Game.from_phases([(board, {}) for board in boards], Rules().load_rulebook(), victory=victory).ending
    return CenterChart(make_chart(boards, last, powers), str(ending) if ending else None)


def make_game(steps: Sequence[Step], rules: Rules, *, name: str, victory: int | None) -> Game:
    """Make a game from steps (a position with its sheet each), using the orders on each sheet that can be read.

    Raises `InputError`.
    """
    phases = []
    for step in steps:
        board = step.position.make_board()
        orders = read_partial_orders(step.sheet, board).by_power
        phases.append((board, {power: [*map(str, given)] for power, given in orders.items()}))
    return Game.from_phases(phases, rules.load_rulebook(), name=name, victory=victory)


def format_file(game: Game, file_format: str) -> str:
    """Return the text of a file in the format `file_format`: the current phase (`sheet`), the game (`game`), or a report.

    The format `game` is that of the `diplomacy` package; `report.md` and `report.txt` are reports on the current phase if it
    has orders, else on the preceding phase. Raises `InputError` for a game that the format cannot express, and
    `UnresolvedError`.
    """
    if file_format == "sheet":
        return game.sheet()
    if file_format == "game":
        return json.dumps(game.document(), ensure_ascii=False) + "\n"
    lay_out = game_reports.format_markdown if file_format == "report.md" else game_reports.format_text
    if game.orders and not game.is_over:
        game = game.fork()
        game.next()
    return lay_out(make_game_report(game), for_players=True)
