"""Rules that a map brings: where a power builds."""

from __future__ import annotations

from pathlib import Path

import pytest

from satjudge.base.replacing import replace
from satjudge.files.maps import read_map, toml
from satjudge.judging.judge import judge_phase
from satjudge.judging.legal_orders import legal_orders
from satjudge.world.board import Board, Phase, Season, Turn
from satjudge.world.geography import Map, load_map, shipped_tables
from satjudge.world.map_tables import complete

WINTER = Turn(1901, Season.FALL)


def winter(game_map: Map) -> Board:
    """France owns Munich, a home of Germany, and Belgium, which is nobody's home; it has no unit."""
    return Board(
        (), centers={"MUN": "FRANCE", "BEL": "FRANCE", "PAR": "FRANCE"}, map=game_map, phase=Phase.ADJUSTMENT, turn=WINTER
    )


@pytest.mark.parametrize(
    ("rule", "built"),
    [({}, {"PAR"}), ({"builds_in_any_home": True}, {"PAR", "MUN"}), ({"builds_anywhere": True}, {"PAR", "MUN", "BEL"})],
)
def test_a_map_says_where_a_power_builds(rule: dict[str, bool], built: set[str], tmp_path: Path) -> None:
    tables = complete(shipped_tables("standard"), shipped_tables) | {"name": "own"} | rule
    path = tmp_path / "own.toml"
    path.write_text(toml.map_text(tables), encoding="utf-8")
    board = winter(read_map(path))
    assert set(legal_orders(board)["FRANCE"]) == built
    orders = {"FRANCE": [f"Build A {code}" for code in ("MUN", "BEL", "PAR")]}
    outcome = judge_phase(board, orders)
    assert {unit.location for unit in outcome.units} == built


def test_what_is_no_home_is_told(tmp_path: Path) -> None:
    board = winter(replace(load_map(), name="own", builds_in_any_home=True))
    (judged,) = judge_phase(board, {"FRANCE": ["Build A BEL"]}).judged["FRANCE"]
    assert judged.reason == "Belgium is no home supply centre (6.I.6)"


def test_a_rule_that_a_map_does_not_have_leaves_its_fingerprint() -> None:
    game_map = load_map()
    assert replace(game_map, builds_in_any_home=True).fingerprint != game_map.fingerprint == FINGERPRINT


FINGERPRINT = "5fa12433418da077"
"""That of the standard map in 0.1: saved games and certificates on maps of one's own name them so."""
