"""What belongs to powers is found by any spelling of their names."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from satjudge import Game, Position, judge, starting_board
from satjudge.base.errors import NotFoundError
from satjudge.world.board import ByPower

FOUND = ByPower({"FRANCE": 1, "GREAT_BRITAIN": 2})


@pytest.mark.parametrize("name", ["FRANCE", "France", "france"])
def test_a_power_is_found_however_it_is_written(name: str) -> None:
    assert FOUND[name] == 1
    assert FOUND.get(name) == FOUND.get(name, 0) == 1
    assert name in FOUND
    assert FOUND["Great Britain"] == 2


@pytest.mark.parametrize("name", ["Frence", ""])
def test_another_power_is_told_which_there_are(name: str) -> None:
    with pytest.raises(KeyError) as caught:
        FOUND[name]
    assert isinstance(caught.value, NotFoundError)
    assert str(caught.value) == f"there is no entry for {name!r} here (there are entries for FRANCE, GREAT_BRITAIN)"
    assert (FOUND.get(name), FOUND.get(name, 0), name in FOUND) == (None, 0, False)
    assert None not in FOUND
    with pytest.raises(KeyError, match=r"no entry for 'FRANCE' here \(there are no entries\)"):
        ByPower[int]()["FRANCE"]


def test_else_it_is_a_dictionary() -> None:
    assert FOUND == {"FRANCE": 1, "GREAT_BRITAIN": 2}
    assert repr(FOUND) == "{'FRANCE': 1, 'GREAT_BRITAIN': 2}"
    assert json.loads(json.dumps(FOUND)) == FOUND
    assert copy.deepcopy(FOUND)["France"] == pickle.loads(pickle.dumps(FOUND))["France"] == 1


def test_outcomes_and_positions_take_any_spelling() -> None:
    position = Position.of({"France": ["A PAR - BUR"]})
    outcome = position.judge()
    assert outcome.results["France"] == ["succeeds"]
    assert outcome.reasons["France"] == [None]
    assert [str(entry.order) for entry in outcome.judged["France"]] == position.texts["France"] == ["A PAR - BUR"]
    assert len(outcome.orders["France"]) == 1
    with pytest.raises(KeyError, match="entries for FRANCE"):
        outcome.results["Germany"]


def test_games_take_any_spelling() -> None:
    game = Game.new()
    game.order("France", "A PAR - LON", "F BRE - MAO")
    assert game.orders["France"] == ["A PAR - LON", "F BRE - MAO"]
    assert game.missing_orders["France"] == ["A MAR"]
    assert [*game.illegal_orders["France"]] == ["A PAR - LON"]
    assert game.orderable["France"] == game.units["France"] == ["F BRE", "A MAR", "A PAR"]
    assert game.centers["France"] == 3
    game.next()
    game.order("France", "F MAO - POR")
    game.next()
    assert (game.due["France"], game.orderable["France"]) == (1, ["BRE"])
    game.order("France", "F BRE B")
    assert game.next().results["France"] == ["succeeds"]


def test_what_is_long_is_cut_short_unless_it_is_text() -> None:
    board = starting_board()
    texts = ByPower({power: [f"{unit} H" for unit in units] for power, units in Game.new().units.items()})
    assert str(texts) == str(dict(texts))
    judged = judge(board, texts).judged
    assert len(repr(judged)) <= 280
    assert repr(judged).startswith("{'AUSTRIA': [<JudgedOrder")
    assert repr(judged).endswith("…}")
