"""Lists of legal orders that are kept from board to board: they are what legality says of each board, and they are kept."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from helpers.crowded_waters import crowded_board

from satjudge.judging import order_lists
from satjudge.judging.legal_orders import legal_orders, unit_orders
from satjudge.judging.order_lists import BoardOrders, lists_of
from satjudge.world.board import Board, Season, Turn, Unit, starting_board
from satjudge.world.geography import Map, Neutral, UnitKind, load_map, province_of, shipped_maps
from satjudge.world.rules import Rulebook, load_preset, load_rulebook, preset_names

RULES = (*preset_names(), "4.C.5=illegal", "4.A.3.fallback=never")


def rulebook(name: str) -> Rulebook:
    return load_rulebook().with_settings([name]) if "=" in name else load_preset(name)


def drawn(random: Random, game_map: Map, most: int) -> Board:
    """A board with many fleets, on which all powers meet, in a season."""
    places = [(kind, place) for kind, place in sorted(game_map._standing) if kind is UnitKind.FLEET or random.random() < 0.7]
    random.shuffle(places)
    apart = {province_of(place): (kind, place) for kind, place in places}
    units = tuple(Unit(random.choice(game_map.powers), kind, place) for kind, place in list(apart.values())[:most])
    return Board(units, map=game_map, turn=Turn(1901, random.choice(list(Season))))


def assert_as_asked(board: Board, rules: Rulebook) -> None:
    """The lists are what legality says of each order that is proposed on this board alone."""
    listed = BoardOrders(board, rules)
    for at, (unit, what, orders) in enumerate(listed.by_unit()):
        asked = list(unit_orders(board, unit, rules))
        assert orders == asked, f"{what} on {board!r} under {rules.name}"
        assert listed.texts(at) == [*map(str, asked)]


@pytest.mark.parametrize("rules", RULES)
def test_lists_are_what_legality_says_of_each_board(rules: str) -> None:
    """On every map, with railroads, canals, coasts that convoy and seasons, so that most boards meet lists of others."""
    random, book = Random(rules), rulebook(rules)
    for name in shipped_maps():
        assert_as_asked(drawn(random, load_map(name), 12), book)
    for size in (6, 20, 34):
        assert_as_asked(drawn(random, load_map(), size), book)
    for _ in range(3):
        board, _ = crowded_board(random, 8)
        for _ in range(3):  # with fleets elsewhere
            assert_as_asked(drawn(random, board.map, 8), book)


def test_nothing_is_asked_of_legality_that_an_earlier_board_has_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [drawn(Random(seed), load_map(), 30) for seed in range(4)]
    expected = [legal_orders(board) for board in boards]
    kept = lists_of(load_map(), load_rulebook()).count

    def ask(*_: object) -> object:
        raise AssertionError("asked once more")

    monkeypatch.setattr(order_lists, "judged", ask)
    monkeypatch.setattr(order_lists, "legal_alone", ask)
    for board, orders in zip(boards, expected, strict=True):
        assert legal_orders(Board(board.units, map=board.map, turn=board.turn)) == orders
        foreign = tuple(Unit(f"{unit.power}S", unit.kind, unit.location) for unit in board.units)
        renamed = legal_orders(Board(foreign, map=board.map, turn=board.turn))
        assert list(renamed.values()) == list(orders.values())
    assert lists_of(load_map(), load_rulebook()).count == kept + len({unit for board in boards for unit in board.units})
    monkeypatch.undo()
    assert legal_orders(starting_board())


def test_what_nobody_orders_is_not_what_is_kept_for_powers() -> None:
    board = drawn(Random(5), load_map(), 20)
    neutral = replace(load_map(), neutral=Neutral(board.units[0].power), cache={})
    for units in (board.units, tuple(Unit("FRANCE", unit.kind, unit.location) for unit in board.units)):
        on_neutral = Board(units, map=neutral, turn=board.turn)
        found = legal_orders(on_neutral)
        assert board.units[0].power not in found
        for unit in units:
            if unit.power != neutral.nobody:
                assert found[unit.power][str(unit)] == list(unit_orders(on_neutral, unit))


def test_lists_are_forgotten_when_there_are_too_many_and_are_the_same_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    board = drawn(Random(1), load_map(), 20)
    expected = legal_orders(board)
    monkeypatch.setattr(order_lists, "MOST_LISTS", 50)
    for seed in range(3):
        legal_orders(drawn(Random(seed), load_map(), 20))
    assert legal_orders(board) == expected
    assert legal_orders(board, "1971") == legal_orders(board, "1971")
    lists = lists_of(load_map(), load_rulebook())
    assert lists.count == 0
    assert not lists.spots
