"""Legal orders unit by unit are those that are listed together, where that can be; and where it cannot, that is said."""

from __future__ import annotations

import gc
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from helpers.crowded_waters import crowded_board

from satjudge.base.errors import EngineLimitError, NotFoundError
from satjudge.game.game import Game
from satjudge.judging.legal_orders import legal_orders, orderable, unit_orders
from satjudge.judging.legality import judge_orders_alone
from satjudge.judging.legality.dockets import find_cache
from satjudge.notation.bundled_cases import read_collection
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Neutral, UnitKind, load_map
from satjudge.world.orders import Convoy
from satjudge.world.rules import load_rulebook


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("rules", ["datc-3", "1971"])
def test_orders_of_one_unit_are_those_that_are_listed(seed: int, rules: str) -> None:
    board, _ = crowded_board(Random(seed), 8)
    listed = legal_orders(board, rules)
    for unit in board.units:
        found = unit_orders(board, unit, rules)
        assert list(found) == listed[unit.power][str(unit)]
        assert found[0] in found
        for piece in (slice(2), slice(1, 3), slice(-2, None), slice(0, -1), slice(None, None, 2), slice(0)):
            assert unit_orders(board, unit, rules)[piece] == listed[unit.power][str(unit)][piece]
        assert found[0] == next(iter(found))


def test_nobody_orders_neutral_units() -> None:
    neutral = replace(load_map(), neutral=Neutral("ITALY"), cache={})
    units = (Unit("ITALY", UnitKind.FLEET, "WES"), Unit("FRANCE", UnitKind.FLEET, "LYO"), Unit("FRANCE", UnitKind.ARMY, "MAR"))
    board = Board(units, map=neutral)
    assert legal_orders(board) == {
        "FRANCE": {str(unit): list(unit_orders(board, unit)) for unit in units[1:]},
    }


@pytest.mark.parametrize("collection", ["datc-2.4", "datc-3.2"])
def test_what_may_be_ordered_is_what_is_listed_in_every_phase(collection: str) -> None:
    """Also where there are canals, and provinces that are shut, dislodged units, and centres to build in."""
    boards = [(sheet.board, sheet.rules) for sheet in read_collection(collection)]
    chosen = [(board, rules) for board, rules in boards if board.phase is not Phase.MOVEMENT or board.map.canals]
    for board, rules in chosen[:40]:
        found = orderable(board, rules)
        listed = {power: {what: list(orders) for what, orders in of.items()} for power, of in found.items()}
        assert listed == legal_orders(board, rules)
    assert len(chosen) > 5


@pytest.mark.parametrize("seed", range(25))
def test_convoys_are_listed_where_each_is_legal(seed: int) -> None:
    board, _ = crowded_board(Random(seed), 9)
    armies = [unit.named for unit in board.units if unit.kind is UnitKind.ARMY]
    for fleet in (unit for unit in board.units if unit.kind is UnitKind.FLEET):
        every = [Convoy(fleet.named, army, place) for army, place in product(armies, board.map.provinces)]
        legal = {order for order in every if not judge_orders_alone(board, fleet.power, [order], load_rulebook())[0].reason}
        found = unit_orders(board, fleet)
        assert {order for order in found if isinstance(order, Convoy)} == legal
        assert all(order.destination in found.convoys[order.convoyed] for order in legal)


def test_a_million_convoys_cost_neither_collections_of_garbage_nor_what_is_kept_of_other_orders() -> None:
    board, _ = crowded_board(Random(4), 8)
    convoys = [order for unit in board.units for order in unit_orders(board, unit) if isinstance(order, Convoy)]
    assert convoys
    assert not any(gc.is_tracked(order) or gc.is_tracked(order.unit) for order in convoys)
    assert not {*convoys} & {*find_cache(board.open_map, load_rulebook()).by_value}


def test_too_many_orders_are_not_listed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    board, _ = crowded_board(Random(1), 8)
    monkeypatch.setattr("satjudge.judging.legal_orders.MOST_PROPOSALS", 50)
    with pytest.raises(EngineLimitError, match=r"there are \d+ orders that may be legal .*`board.unit_orders"):
        legal_orders(board)
    game = Game.new(board.map, board=board)
    assert {what for of in game.orderable.values() for what in of} == {str(unit) for unit in board.units}
    assert game.legal_orders(str(board.units[0])) == [*map(str, unit_orders(board, board.units[0]))]
    assert [*board.unit_orders(str(board.units[0]))] == [*unit_orders(board, board.units[0])]
    with pytest.raises(NotFoundError, match="there is no unit 'A XYZ'"):
        board.unit_orders("A XYZ")
    assert all(len(unit_orders(board, unit)) for unit in board.units)
