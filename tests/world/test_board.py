"""Boards as values: equal ones have one hash, so that positions can be counted and looked up."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from helpers.small_maps import ISLAND, written

from satjudge.base.errors import BoardError
from satjudge.base.values import replace
from satjudge.files.maps import read_map
from satjudge.game.game import Game
from satjudge.judging.judge import judge
from satjudge.world.board import Board, Phase, Season, Turn, Unit, starting_board
from satjudge.world.geography import UnitKind


def test_equal_boards_are_one_key() -> None:
    board = starting_board()
    centers = dict(reversed(list(board.centers.items())))
    again = replace(board, centers=centers)
    assert board == again == pickle.loads(pickle.dumps(board))
    assert len({board, again, pickle.loads(pickle.dumps(board))}) == 1
    others = {replace(board, phase=Phase.ADJUSTMENT), replace(board, turn=None), replace(board, units=()), Board(())}
    assert len({board, *others}) == 5
    assert {board: "start"}[again] == "start"


def test_boards_on_a_map_that_is_read_twice_are_one_key(tmp_path: Path) -> None:
    one, other = (starting_board(read_map(written(tmp_path, ISLAND, name))) for name in ("a.toml", "b.toml"))
    assert len({one, other}) == 1
    assert starting_board() not in {one}


def test_boards_with_dislodged_units_can_be_counted() -> None:
    units = (Unit("FRANCE", UnitKind.ARMY, "PAR"), Unit("FRANCE", UnitKind.ARMY, "GAS"), Unit("GERMANY", UnitKind.ARMY, "BUR"))
    orders = {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"]}
    boards = [judge(Board(units), orders).next_board for _ in range(2)]
    assert boards[0].dislodged
    assert len(set(boards)) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Board((), centers={"PAR": "France"}), "^France owns PAR: write the power as the map does: FRANCE$"),
        (lambda: Board((Unit("FRENCH", UnitKind.ARMY, "PAR"),)), "^A PAR of FRENCH: write the power as the map does: FRANCE$"),
        (lambda: Board((), centers={"PAR": cast("str", None)}), "^None owns PAR: write the power as the map does: AUSTRIA, "),
        (lambda: Board((), turn=Turn(1901, cast("Season", "fall"))), r"Season.FALL\), not Turn\(1901, 'fall'\)$"),
        (lambda: Board((), phase=cast("Phase", "retreat")), "^the phase must be one of Phase, .*, not 'retreat'$"),
    ],
)
def test_a_board_that_would_be_misread_is_refused(make: Callable[[], Board], message: str, tmp_path: Path) -> None:
    def save() -> None:
        game = Game.new()
        game.board = replace(make(), turn=game.board.turn)
        game.save(tmp_path / "game.json")

    for use in (lambda: judge(make(), {"FRANCE": ["A PAR H"]}).results, save):
        with pytest.raises(BoardError, match=message):
            use()


def test_powers_of_the_board_and_their_orders_are_saved_as_they_are_read(tmp_path: Path) -> None:
    board = Board((Unit("Gaul", UnitKind.ARMY, "PAR"),), turn=starting_board().turn)
    for given, power in (("Gaul", "Gaul"), ("France", "FRANCE")):
        Game.from_phases([(board, {given: ["A PAR - BUR"]})], "datc-3").save(tmp_path / power)
        assert dict(Game.load(tmp_path / power).orders) == {power: ["A PAR - BUR"]}


def test_a_hash_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Game.new().board
    found = hash(board)
    monkeypatch.setattr(Unit, "__hash__", None)
    assert hash(board) == found
