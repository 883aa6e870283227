"""What satjudge prints of a phase is read again, and what other judges print behind an order changes nothing of it."""

from __future__ import annotations

from random import Random

import pytest
from helpers.playing_out import random_orders
from helpers.strategies import boards_with_orders
from hypothesis import given

from satjudge import Game, judge
from satjudge.apps.cli import run
from satjudge.apps.cli.options import read_cases
from satjudge.base.errors import NotationError
from satjudge.game.documents import make_game_document, make_game_report, make_phase_document
from satjudge.judging.position import Position
from satjudge.notation.messages.reader import read_phase_orders
from satjudge.notation.sheet_reader import read_sheets
from satjudge.show.game_reports import format_markdown
from satjudge.show.game_reports import format_text as plain_report
from satjudge.show.games import make_game_table, make_phase_table
from satjudge.show.text import format_plain, make_detailed_table, make_outcome_table, make_spoken_table
from satjudge.world.board import group_pairs
from satjudge.world.geography import load_map

MAP = load_map()


def read_orders(text: str) -> dict[str, list[str]]:
    """Read the orders of a text as a sheet has them."""
    (sheet,) = read_sheets(text)
    return group_pairs((line.power, str(line.order)) for line in sheet.orders)


@given(boards_with_orders(illegal=0.2))
def test_a_printed_table_is_read_as_the_orders_that_were_judged(position: Position) -> None:
    orders = {power: [*map(str, given)] for power, given in position.orders.items() if given}
    outcome = judge(position.board, position.orders)
    for table in (
        make_spoken_table(outcome),
        make_spoken_table(outcome, verdicts=False),
        make_detailed_table(outcome),
        make_outcome_table(outcome),
    ):
        printed = format_plain(table)
        if orders:
            assert read_orders(printed) == orders
            assert read_orders(f"6.X.1: A case  [datc-3]\n{printed}\n\n") == orders
        if not any(outcome.judged.values()):
            continue
        (sheet,) = read_sheets(printed)
        assert (
            set(position.board.units) >= set(sheet.owned) >= {unit for unit in position.board.units if unit.power not in orders}
        )


def test_reports_and_tables_of_every_phase_of_a_game_are_read() -> None:
    game, random = Game.new("standard"), Random(11)
    seen = set[str]()
    while len(seen) < 3 or len(game.phases) < 9:
        for power, orders in random_orders(game, random).items():
            game.order(power, *orders)
        given, board, phase = game.orders, game.board, game.phase_name
        tables = [format_plain(make_game_table(make_game_document(game)))]
        game.next()
        document = make_game_report(game, phase)
        table = make_spoken_table(game.at(phase).outcome, verdicts=False)
        tables += [format_plain(make_phase_table(make_phase_document(game, game.at(phase)), table))]
        tables += [plain_report(document), *(one(document, for_players=True) for one in (plain_report, format_markdown))]
        for printed in tables:
            found = read_phase_orders(printed, board)
            assert {power: [*map(str, orders)] for power, orders in found.orders.items() if orders} == given, printed
            assert not found.refused
        seen.add(str(board.phase))


def test_tables_of_several_cases_with_retreats_are_cases(capsys: pytest.CaptureFixture[str]) -> None:
    """The positions of cases can be others, for tables have only the units that are ordered, or that hold without an order."""
    assert run(["judge", "datc:6.H", "--rules", "datc-2"]) == 0
    printed = capsys.readouterr().out
    given, found = read_cases("datc:6.H"), read_sheets(printed)
    assert [sheet.identity for sheet in found] == [sheet.identity for sheet in given]
    for before, after in zip(given, found, strict=True):
        assert after.rules == "datc-2"
        assert sorted(str(line.order) for line in (*after.orders, *after.retreats)) == sorted(
            str(line.order) for line in (*before.orders, *before.retreats)
        )


@pytest.mark.parametrize(
    "text",
    ["F LON   no order: holds", "F Lon, No Order Processed.", "F LON: unordered", "F Lon (no order received)", "F Lon NMR"],
)
def test_a_unit_without_order_stands(text: str) -> None:
    (sheet,) = read_sheets(f"England:\n{text}\nA LVP - YOR")
    assert ([*map(str, sheet.owned)], [str(line.order) for line in sheet.orders]) == (["F LON"], ["A LVP - YOR"])
    found = read_phase_orders(f"England:\n{text}\nA LVP - YOR", Game.new().board)
    assert [*map(str, found.orders["ENGLAND"])] == ["A LVP - YOR"]


def test_an_order_with_a_colon_is_no_heading() -> None:
    with pytest.raises(NotationError, match="found 'goes home: perhaps'"):
        read_sheets("Austria:\nA BUD goes home: perhaps")
