"""The scripts that play on maps of others tell what must hold, and what does not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from helpers.small_maps import ISLAND, written

from satjudge.base.errors import MapError
from satjudge.files.maps import read_map
from satjudge.world.board import Board, Phase, Season, Turn, Unit
from satjudge.world.geography import UnitKind, load_map

STUDIES = Path(__file__).parents[2] / "benchmarks" / "studies"


def study(name: str) -> ModuleType:
    """The module of a script."""
    spec = importlib.util.spec_from_file_location(name, STUDIES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def unit(text: str, power: str = "FRANCE") -> Unit:
    return Unit(power, UnitKind(text[0]), text[2:])


def board(*units: str, phase: Phase = Phase.MOVEMENT, season: Season = Season.SPRING, **centers: str) -> Board:
    return Board(tuple(map(unit, units)), centers=centers, phase=phase, turn=Turn(1905, season), map=load_map())


def test_nothing_is_breached_on_a_small_map_and_on_one_with_rules_of_its_own(tmp_path: Path) -> None:
    played = study("maps_played")
    for game_map, years in ((read_map(written(tmp_path, ISLAND)), 2), (load_map("loeb9"), 1)):
        assert list(played.breaches(game_map, Random(1), years)) == []


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (board("A PAR", "A BUR"), board("A PAR"), None),
        (board("A PAR"), board("A PAR", "A BUR"), "FRANCE has more units after movement"),
        (board("A PAR", PAR="FRANCE"), board("A PAR"), "centres change their owners in Spring"),
        (board("A MUN"), board("A MUN", phase=Phase.RETREAT), None),
        (board("A MUN", "A BUR"), board("A MUN", phase=Phase.RETREAT), "units are lost while orders are moved"),
        (
            board("A MUN", season=Season.FALL),
            board("A MUN", phase=Phase.ADJUSTMENT, season=Season.FALL, MUN="GERMANY"),
            "FRANCE stands in MUN after Fall, and does not own it",
        ),
        (
            board(phase=Phase.ADJUSTMENT, season=Season.FALL, MUN="FRANCE"),
            board("A MUN", MUN="FRANCE"),
            "FRANCE builds in MUN, which is no place of its own",
        ),
        (
            board("A PAR", "A BRE", phase=Phase.ADJUSTMENT, season=Season.FALL, PAR="FRANCE"),
            board("A PAR", "A BRE", PAR="FRANCE"),
            "FRANCE has 2 units for 1 centres after its builds",
        ),
    ],
)
def test_what_a_phase_may_not_do_is_told(before: Board, after: Board, told: str | None) -> None:
    found = list(study("maps_played").of_step(before, after))
    assert found == ([told] if told else [])


def test_what_no_position_may_have_is_told() -> None:
    found = list(study("maps_played").of_position(board("A PAR", "F PAR", "A ADR", GAS="FRANCE")))
    assert [told for told in found if "stand in PAR" in told]
    assert [told for told in found if "an army cannot be at sea" in told]
    assert "GAS is owned, and no centre" in found


def test_what_came_of_a_source_is_a_row_of_a_table(tmp_path: Path) -> None:
    written(tmp_path, ISLAND)
    (tmp_path / "zeus.map").write_text("NORTH (NORTHERN) ~HIL\n", encoding="utf-8")
    found = study("maps_played").played(str(tmp_path), 1, 1, 1)
    assert found.row == f"| {tmp_path} | 2 | 1 | 1 | 1 | 0 |"
    assert found.refused == {"zeus.map": "~HIL: satjudge has no hidden builds"}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("f/Mars: MTE has separate coasts, so no fleet", "MTE has separate coasts, so no fleet"),
        ("v/X/classes/a.php:3: a: units hide; b: units hide; c: a | b", "units hide; a / b"),
    ],
)
def test_the_reason_of_a_refusal_is_told_once_and_without_its_place(told: str, why: str) -> None:
    assert study("maps_played")._reason(MapError(told)) == why


@pytest.mark.parametrize("name", ["standard-cape", "standard-neutral", "standard-transform"])
def test_nothing_is_breached_on_maps_with_rules_of_other_variants(name: str) -> None:
    assert list(study("maps_played").breaches(load_map(name), Random(1), 1)) == []


CASES = """<?php
$territoryRawData=array(
    array('Moscow', 'Land'), array('Perm', 'Land'), array('Omsk', 'Land'), array('Orenburg', 'Land'), array('Suez Canal',
    'Sea'),
    array('Egypt', 'Coast'), array('Mediterranean Sea', 'Sea'), array('Red Sea', 'Sea'),
);
class SmallVariant extends WDVariant { public $countries = array('Russia', 'Turkey'); }
$testCaseData = array(
    array('TSR.1', 'it passes', array(array(1,'Army',1,'Move',3,NULL,'Yes','Success','Yes'))),
    array('TSR.2', 'it bounces, but the case says that it passes', array(
        array(1,'Army',1,'Move',3,NULL,'Yes','Success','Yes'), array(2,'Army',4,'Move',2,NULL,'No','Success','Yes'))),
    array('SUEZ', 'it is permitted', array(
        array(1,'Army',6,'Hold',NULL,NULL,'No','Success','Yes'), array(1,'Fleet',5,'Support hold',7,NULL,'No','Success','Yes'),
        array(2,'Fleet',7,'Move',8,NULL,'No','Success','Yes'))),
);
"""


def test_cases_of_vdiplomacy_are_judged_and_differences_told_with_their_rule(tmp_path: Path) -> None:
    for name in ("install", "variant", "datc"):
        (tmp_path / f"{name}.php").write_text(CASES, encoding="utf-8")
    cases = study("vdiplomacy_cases").Cases(tmp_path, load_map("colonial"))
    ((name, told),) = cases.differences()
    assert (len(cases.stated), name) == (3, "TSR.2")
    assert "A ORE - PRM fails, not Success" in told
    assert "it bounces in PRM" in told
    assert "[DATC 2.4, 7.B.1" in told
