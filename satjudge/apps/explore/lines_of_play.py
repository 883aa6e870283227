"""Makes a game of the phases on the page, from the first to the one at hand, and writes its chart and its files."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from satjudge.apps.explore.wire import Rules, WirePosition
from satjudge.game.documents.reports import YearCounted, chart_of, game_report
from satjudge.game.game import Game
from satjudge.notation.game_reader import told_orders_in
from satjudge.show import game_reports


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A phase with the orders on the page's sheet."""

    position: WirePosition
    sheet: str = ""


class Charted(msgspec.Struct):
    """The centre chart of a line of phases, and how the game ended."""

    chart: list[YearCounted]
    ended: str | None


def centre_chart(positions: Sequence[WirePosition], victory: int | None) -> Charted:
    """Make the centre chart of a line of phases.

    Raises `InputError`.
    """
    boards = [position.board() for position in positions]
    last = boards[-1]
    powers = [*dict.fromkeys((*last.map.powers, *(power for board in boards for power in board.centers.values())))]
    ending = Game.from_phases([(board, {}) for board in boards], Rules().rulebook(), victory=victory).ending
    return Charted(chart_of(boards, last, powers), str(ending) if ending else None)


def game_of(steps: Sequence[Step], rules: Rules, *, name: str, victory: int | None) -> Game:
    """Make a game of phases; of each sheet it has the orders that can be read.

    Raises `InputError`.
    """
    phases = []
    for step in steps:
        board = step.position.board()
        orders = told_orders_in(step.sheet, board).by_power
        phases.append((board, {power: [*map(str, given)] for power, given in orders.items()}))
    return Game.from_phases(phases, rules.rulebook(), name=name, victory=victory)


def file_text(game: Game, form: str) -> str:
    """Write the text of a file, of the phase at hand or of the game, in the format `form`.

    A `sheet` is of the phase at hand; `game` is the game as the `diplomacy` package saves it; `report.md` or `report.txt` is
    the report of the phase at hand, if there are orders for it, else of the one before.

    Raises `InputError` for what it cannot say, `UnresolvedError`.
    """
    if form == "sheet":
        return game.sheet()
    if form == "game":
        return json.dumps(game.document(), ensure_ascii=False) + "\n"
    lay_out = game_reports.markdown if form == "report.md" else game_reports.text
    if game.orders and not game.is_over:
        game = game.fork()
        game.next()
    return lay_out(game_report(game), spoken=True)
