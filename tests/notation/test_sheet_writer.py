"""Sheets that are written can be read, and say the same."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from satjudge.base.errors import SheetError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.notation.bundled_cases import list_case_files, read_collection
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Expectations, Sheet, SheetOrder
from satjudge.notation.write import make_order_lines, sheet_text, write_sheet
from satjudge.world.board import Board, Phase, Season, Turn, starting_board
from satjudge.world.geography import load_map


def said(thing: Any) -> Any:  # noqa: ANN401
    """All that a case says, without the file and the lines that it was read from."""
    if isinstance(thing, Sheet | Expectations | SheetOrder):
        names = [entry.name for entry in fields(thing) if not entry.name.endswith(("line", "lines", "file"))]
        return {name: said(getattr(thing, name)) for name in names}
    return list(map(said, thing)) if isinstance(thing, list) else thing


def test_every_shipped_case_reads_the_same_when_written_anew() -> None:
    sheets = [sheet for path in list_case_files() for sheet in load_sheets(path)]
    assert len(sheets) > 176
    assert any(sheet.under for sheet in sheets)
    assert any(line.printed for sheet in sheets for line in sheet.orders)
    again = read_sheets("\n".join(map(write_sheet, sheets)))
    assert said(again) == said(sheets)


def test_a_position_on_another_map_comes_back_with_its_map_and_season() -> None:
    sheets = [sheet for sheet in read_collection("datc-2.4") if sheet.map is not load_map()]
    for sheet in sheets:
        (again,) = read_sheets(sheet_text(sheet.board, sheet.orders_by_power()))
        assert again.map is sheet.map
        assert again.season == (sheet.season if sheet.map.closed else None), "where no season shuts anything it is not told"
        assert set(again.board.units) == set(sheet.board.units)
    assert {sheet.season for sheet in sheets if sheet.season in sheet.map.closed}


@pytest.mark.parametrize("seed", range(60))
def test_a_position_comes_back_with_its_orders_legal_or_not(seed: int) -> None:
    random = Random(f"sheets {seed}")
    flavour = random.choice(list(Flavour))
    board, orders = random_board(random, flavour, (4, 34), illegal=0.0 if seed % 2 else 0.1)
    (sheet,) = read_sheets(sheet_text(board, orders, identity="x.1", title="a position"))
    assert set(sheet.board.units) == set(board.units)
    assert sheet.orders_by_power() == orders
    assert (sheet.identity, sheet.title) == ("x.1", "a position")


def test_a_whole_case() -> None:
    board = Board((parse_unit("A PAR", "FRANCE", load_map()), parse_unit("F LON", "ENGLAND", load_map())))
    orders = {"FRANCE": [parse_order("A PAR - BUR", load_map())]}
    other = Expectations(("1971",), ("4.A.2=none",), orders=make_order_lines(orders, {"FRANCE": ["fails"]}))
    text = sheet_text(
        board,
        orders,
        identity="x.1",
        title="made up",
        rules="1982",
        notes={"source": ["nowhere"], "note": ["one", "two"]},
        expected={"FRANCE": ["succeeds"]},
        under=[other, Expectations(("2000",), ())],
    )
    assert text == (
        "case x.1: made up\nrules: 1982\nsource: nowhere\nnote: one\nnote: two\n\n"
        "England owns F LON\nFrance:\n  A PAR - BUR | succeeds\n\n"
        "under 1971 with 4.A.2=none:\n  France:\n    A PAR - BUR | fails\n\nunder 2000:\n  same\n"
    )


def test_an_adjustment_phase() -> None:
    board = replace(starting_board(), phase=Phase.ADJUSTMENT)
    orders = {"FRANCE": [parse_order("A PAR D", board.map, Phase.ADJUSTMENT)]}
    (sheet,) = read_sheets(sheet_text(board, orders))
    assert (sheet.board.units, sheet.board.centers, sheet.board.phase) == (board.units, board.centers, board.phase)
    assert sheet.orders_by_power() == orders


def test_what_a_sheet_cannot_say() -> None:
    with pytest.raises(SheetError, match="cannot begin with a retreat phase"):
        sheet_text(Board((), phase=Phase.RETREAT), {})
    with pytest.raises(SheetError, match="A PAR of FRANCE has orders but is not on the board"):
        sheet_text(Board(()), {"FRANCE": [parse_order("A PAR H", load_map())]})
    (sheet,) = read_sheets("France:\n  A PAR H\n")
    assert write_sheet(sheet) == "\nFrance:\n  A PAR H\n"


def test_a_sheet_says_when_it_is_where_that_is_not_the_beginning() -> None:
    board = replace(starting_board(), turn=Turn(1904, Season.FALL))
    text = sheet_text(board, {"FRANCE": [parse_order("A PAR - BUR", load_map())]})
    assert "season: fall 1904\n" in text
    (sheet,) = read_sheets(text)
    assert sheet.board.turn == board.turn
    assert "season" not in sheet_text(starting_board(), {})


def test_a_season_with_no_year_behind_it_is_told() -> None:
    with pytest.raises(SheetError, match="'soon' is not a year"):
        read_sheets("season: fall soon\nFrance:\nA PAR H\n")
