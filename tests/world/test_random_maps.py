"""Whatever `maps check` finds no problem with can be played on: every order, legal or not, on islands, ponds and dry coasts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from helpers.random_maps import every_help, every_move, full_boards, random_map, some_orders

from satjudge.apps.cli import run
from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.files.maps import read_map
from satjudge.files.maps.checks import list_faults
from satjudge.game.game import Game
from satjudge.judging.judge import judge
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.legality import judge_orders_alone
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Map, Power, load_map, shipped_maps
from satjudge.world.orders import MovementOrder, Order
from satjudge.world.rules import load_rulebook

ARCHIPELAGO = """\
name = "archipelago"
title = "Islands"
powers = ["NORTH", "SOUTH"]
power.NORTH = {name = "North", adjective = "Northern"}
power.SOUTH = {name = "South", adjective = "Southern"}

[province]
ISL = {name = "Isle", kind = "coast", center = true, home = "NORTH", unit = "A", fleet = ["BAY"]}
CAP = {name = "Cape", kind = "coast", center = true, home = "SOUTH", unit = "F", unit_coast = "nc", coasts.nc = ["BAY"]}
DRY = {name = "Dry Coast", kind = "coast", army = ["HIL"]}
HIL = {name = "Hill", kind = "inland", army = ["DRY"]}
BAY = {name = "Bay", kind = "sea", fleet = ["ISL", "CAP/NC"]}
"""
"""Coasts without `army`, one without `fleet`, and one with a single coast of its own."""


def archipelago(folder: Path) -> Map:
    path = folder / "archipelago.toml"
    path.write_text(ARCHIPELAGO, encoding="utf-8")
    return read_map(str(path))


def made(seed: int) -> Map:
    return random_map(Random(seed), provinces=5 + seed % 5)


def give(board: Board, unit: Unit, orders: Sequence[MovementOrder], listed: Collection[Order]) -> None:
    """Sort out orders to a unit, each by itself; what is legal is listed as such."""
    entries = judge_orders_alone(board, unit.power, orders, load_rulebook())
    assert len(entries) == len(orders)
    legal = {entry.legal for entry in entries if entry.legal and not getattr(entry.legal, "route", ())}
    assert legal <= set(listed)


def every_order_on(game_map: Map, random: Random) -> None:
    """Give every order to every unit that there can be, and play on."""
    for board in full_boards(game_map, random):
        listed = legal_orders(board)
        for unit in board.units:
            give(board, unit, [*every_move(board, unit), *every_help(board, unit)], listed[unit.power][str(unit)])
    play(game_map, random)


def play(game_map: Map, random: Random) -> None:
    """Play a year from a full board, and judge a board that is drafted as those of campaigns are."""
    game = Game.new(board=next(full_boards(game_map, random)), victory=1_000)
    for _ in range(4):
        for power, given in _orders(game.board, random).items():
            game.set_orders(power, given)
        game.next()
        assert game.board.problems() == []
    judge(*random_board(random, Flavour.GENERAL, (1, 9), game_map=game_map))


def _orders(board: Board, random: Random) -> Mapping[Power, Sequence[Order]]:
    """Any orders in a movement phase, legal ones in another."""
    if board.phase is Phase.MOVEMENT:
        return some_orders(board, random)
    return {power: [random.choice(given) for given in listed.values()] for power, listed in legal_orders(board).items()}


def test_the_tables_of_borders_are_total(tmp_path: Path) -> None:
    game_map = archipelago(tmp_path)
    assert list_faults(game_map) == []
    assert game_map.army == {"ISL": frozenset(), "CAP": frozenset(), "DRY": {"HIL"}, "HIL": {"DRY"}}
    assert game_map.fleet == {"ISL": {"BAY"}, "CAP/NC": {"BAY"}, "DRY": frozenset(), "BAY": {"ISL", "CAP/NC"}}


def test_armies_on_islands_are_ordered_to_move_by_every_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archipelago(tmp_path)
    path = str(tmp_path / "archipelago.toml")
    (sheet := tmp_path / "orders.txt").write_text("North:\n  A Isle - Cape\n  A Isle S F Cape\n", encoding="utf-8")
    assert run(["maps", "check", path]) == 0
    assert run(["judge", str(sheet), "--map", path]) == 0
    assert run(["census", "--map", path, "--boards", "5", "--jobs", "1"]) == 0
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(3))
def test_every_order_on_islands(seed: int, tmp_path: Path) -> None:
    every_order_on(archipelago(tmp_path), Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_every_order_on_random_maps(seed: int) -> None:
    every_order_on(made(seed), Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 100))
def test_every_order_on_more_random_maps(seed: int) -> None:
    every_order_on(made(seed), Random(seed))


@pytest.mark.parametrize("name", shipped_maps())
def test_a_full_board_is_played_on_every_map(name: str) -> None:
    play(load_map(name), Random(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_maps())
def test_every_order_on_the_maps_that_come_with_satjudge(name: str) -> None:
    """Of supports and convoys those of one unit on each board, as each unit has 100,000."""
    random = Random(name)
    for board in full_boards(load_map(name), random):
        half = replace(board, units=tuple(random.sample(board.units, len(board.units) // 2)))
        listed = legal_orders(half)
        for number, unit in enumerate(half.units):
            if unit.power not in listed:  # nobody orders neutral units, as tests/world/test_map_rules.py holds
                continue
            orders = [*every_move(half, unit), *(every_help(half, unit) if number == 0 else ())]
            give(half, unit, orders, listed[unit.power][str(unit)])
