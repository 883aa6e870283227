"""Lines that almost say an order (`almost.toml`): no reader executes what they do not say."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import InputError
from satjudge.bulk.batch import answer_line
from satjudge.compat.diplomacy.engine.map import Map as DropInMap
from satjudge.compat.orders import read_order
from satjudge.game.game import Game
from satjudge.judging.legal_orders import PhaseOrders
from satjudge.judging.legality import judge_orders_alone
from satjudge.notation.messages.reader import read_partial_orders
from satjudge.notation.parse import parse_orders, parse_unit
from satjudge.notation.sheet_reader import read_sheets
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn
from satjudge.world.geography import load_map
from satjudge.world.orders import Move, Named, Order, Unreadable
from satjudge.world.rules import load_rulebook

MAP, RULES = load_map(), load_rulebook()
TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("almost.toml").read_text(encoding="utf-8"))
UNITS = ["A MUN", "A BER", "F KIE", "A LON", "F NTH"]
BOARD = Board(tuple(parse_unit(unit, "GERMANY") for unit in UNITS), map=MAP, turn=Turn(1901, Season.SPRING))


def by_sheet(text: str) -> list[Order]:
    (sheet,) = read_sheets(f"Germany:\n{text}")
    return [] if "either" in sheet.notes else [line.order for line in sheet.orders]  # `satjudge judge` refuses these


def by_batch(text: str) -> list[str]:
    line = {"id": "1", "units": {"GERMANY": UNITS}, "orders": {"GERMANY": [text]}}
    verdicts = json.loads(answer_line(json.dumps(line).encode()))["results"]["GERMANY"]
    return [text for verdict in verdicts if not verdict.startswith("illegal")]


def by_drop_in(text: str) -> list[str]:
    order, problem = read_order(DropInMap("standard"), PhaseOrders(BOARD, RULES), "GERMANY", text)
    return [] if problem else [order]


READERS: dict[str, Callable[[str], Any]] = {
    "an order": lambda text: parse_orders(text, MAP),
    "a sheet": by_sheet,
    "game.order": lambda text: Game.new(board=BOARD).order("GERMANY", text),
    "a message": lambda text: Game.new(board=BOARD).read_message("GERMANY", text).orders,
    "a game's sheet": lambda text: Game.new(board=BOARD).read_sheet(f"Germany:\n{text}", unreadable="refuse").orders["GERMANY"],
    "the page": lambda text: [line.order for line in read_partial_orders(f"Germany:\n{text}", BOARD).orders],
    "a batch line": by_batch,
    "the drop-in": by_drop_in,
}


def taken(reader: str, text: str) -> set[str]:
    try:
        orders = READERS[reader](text)
    except InputError:
        return set()
    return {str(order) for order in orders if not isinstance(order, Unreadable)}


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_executes_what_a_line_does_not_say(reader: str) -> None:
    talked = [*TABLE["talked"], *TABLE["quoted"]] if reader != "the drop-in" else []  # the package passes over words
    talked += TABLE["in_a_game"] if reader in ("game.order", "a message", "a game's sheet") else []
    executed = {text for text in (*TABLE["nothing"], *talked) if taken(reader, text)}
    assert executed == set(TABLE["left_to_the_package"] if reader == "the drop-in" else ())


@pytest.mark.parametrize("text", [text for text in TABLE["nothing"] if "\n" not in text and "|" not in text])
def test_a_lenient_sheet_executes_no_part_of_a_line(text: str) -> None:
    """What is behind an order makes the whole line illegal; where it names several units for one, nobody asks about each."""
    with suppress(InputError):  # of a heading that is none
        (sheet,) = read_sheets(f"Germany:\n{text}", lenient=True)
        assert "either" not in sheet.notes
        assert all(isinstance(line.order, Unreadable) for line in sheet.orders)


def test_a_message_is_refused_where_it_is_uncertain() -> None:
    for text in (*TABLE["nothing"], *TABLE["talked"], *TABLE["in_a_game"], *TABLE["in_a_message"]):
        message = Game.new(board=BOARD).read_message("GERMANY", f"F Kie - Den\n{text}")
        assert message.refused, text
        assert set(message.orders) <= {"F KIE - DEN"}


@pytest.mark.parametrize(("text", "order"), TABLE["said"].items())
def test_what_a_line_says_is_taken_from_a_message(text: str, order: str) -> None:
    assert taken("a message", text) == {order.replace(" - NTH - NWY", " - NWY VIA")}
    assert all(taken(reader, text) <= {order, text, "A LON - NWY", "A LON - NWY VIA"} for reader in READERS)


@pytest.mark.parametrize(("phase", "text"), [(phase, text) for phase in ("winter", "retreats") for text in TABLE[phase]])
def test_other_phases(phase: str, text: str) -> None:
    lost = DislodgedUnit(parse_unit("A BUR", "GERMANY"), ("BEL", "MUN", "RUH"), "PAR")
    units = tuple(parse_unit(unit, "GERMANY") for unit in ("A MUN", "A BER", "F KIE"))
    fall = Turn(1901, Season.FALL)
    board = {
        "winter": replace(BOARD, turn=fall, units=units, centers={"MUN": "GERMANY", "KIE": "GERMANY"}, phase=Phase.ADJUSTMENT),
        "retreats": replace(BOARD, units=(parse_unit("A BUR", "FRANCE"),), dislodged=(lost,), phase=Phase.RETREAT),
    }
    reading = Game.new(board=board[phase]).read_message("GERMANY", text)
    assert (reading.orders, bool(reading.refused)) == (TABLE[phase][text], not TABLE[phase][text])


def test_a_value_with_places_that_are_no_path_is_illegal() -> None:
    (entry,) = judge_orders_alone(BOARD, "GERMANY", [Move(Named(None, "MUN"), "KIE", route=("RUH",))], RULES)
    assert entry.reason == "no army can be convoyed over RUH, which is not a sea (4.A.6)"
