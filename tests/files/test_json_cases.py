"""Test cases by `tests.schema.json`: read, checked, and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from satjudge import Position
from satjudge.apps.cli import run
from satjudge.engines.kit.parts import PARTS
from satjudge.files.detect import Kind, detect
from satjudge.files.jdip import jdip_case
from satjudge.files.jdip import read_cases as read_jdip
from satjudge.files.json_cases import cases_text, json_case, read_case, read_cases
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.outcome import Outcome
from satjudge.world.board import by_power
from satjudge.world.rules import load_preset

CASES: list[dict[str, Any]] = [
    {
        "name": "cut",
        "phase": "Main",
        "orders": {
            "GER: A mun -> bur": "Fails",
            "GER: A ruh Supports A mun -> bur": "Fails",
            "FRA: A bur hold": "Succeeds",
            "ENG: F nth convoys lon -> hol": "Succeeds",
            "ENG: A lon -> hol via Convoy": "Succeeds",
            "ENG: A bel -> ruh": "Fails",
            "RUS: F nwy -> stp(nc)": None,
        },
    },
    {"name": "foreign", "phase": "Main", "starting_state": ["ENG: F lon"], "orders": {"GER: F lon -> nth": "Fails"}},
    {
        "name": "retreat",
        "phase": "Retreat",
        "preceding_main_phase": {
            "orders": {"AUS: A bud supports A tri -> vie": None, "AUS: A tri -> vie": None, "ITA: A vie hold": None}
        },
        "orders": {"ITA: A vie -> boh": "Succeeds"},
    },
    {
        "name": "build",
        "phase": "Build",
        "occupiers": {"stp": "GER"},
        "starting_state": ["RUS: A ukr"],
        "orders": {"RUS: F stp(nc) build": "Fails", "RUS: A mos build": "Succeeds"},
    },
    {
        "name": "removals",
        "phase": "Build",
        "occupiers": {"war": "GER", "mos": "GER", "sev": "GER"},
        "starting_state": ["RUS: A ukr", "RUS: A sil"],
        "orders": {},
        "civil_disorder": ["RUS: A sil"],
    },
    {"name": "left out", "phase": "Main", "ignore": "nobody can read it", "orders": {"GER: nonsense": None}},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tests.json"
    path.write_text(json.dumps({"$schema": "./tests.schema.json", "cases": CASES}), encoding="utf-8")
    return path


def test_cases_are_checked_in_outline(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each order succeeds or fails, whatever its verdict is; a removal that no case states is not compared."""
    assert detect(file.read_bytes()) is Kind.CASES
    assert run(["check", str(file)]) == 0
    assert "Cases: 5/5 passed, 11 verdicts compared" in capsys.readouterr().out


@pytest.mark.parametrize(("case", "order"), [(0, "GER: A ruh Supports A mun -> bur"), (2, "ITA: A vie -> boh")])
def test_what_comes_out_otherwise_is_told(case: int, order: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An expectation that is turned round is not met."""
    document = json.loads(file.read_text(encoding="utf-8"))
    orders = document["cases"][case]["orders"]
    orders[order] = "Succeeds" if orders[order] == "Fails" else "Fails"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert run(["check", str(file)]) == 1
    assert document["cases"][case]["name"] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"$schema": "tests.schema.json", "cases": [{"name": "x", "phase": "Fall", "orders": {}}]}', "Invalid enum value"),
        ('{"cases": [{"name": "x", "phase": "Retreat", "preceding_main_phase": null, "orders": {}}]}', "needs the moves of"),
        (
            '{"$schema": "tests.schema.json", "cases": [{"name": "x", "phase": "Main", "orders": {"A par": null}}]}',
            "`ENG: F nth - edi`",
        ),
    ],
)
def test_what_is_no_case(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tests.json"
    path.write_text(text, encoding="utf-8")
    assert run(["check", str(path)]) == 2
    assert message in capsys.readouterr().err


def test_what_is_written_is_read_as_it_was() -> None:
    """The kit's questions in both formats: position, orders, and what becomes of them by the same rulebook."""
    rulebook, written = load_preset("2023"), 0
    for part in ("clauses", "adjustments"):
        for question in list(PARTS[part].make())[:60]:
            position, outcome = Position(question.board, question.orders), question.make_answer(rulebook)
            if "error" in outcome or not (case := json_case(question.name, position, outcome["results"], "2023")):
                continue
            (again,) = read_cases(cases_text([case]))
            board, orders = read_case(again).board, read_case(again).orders
            assert {str(unit) for unit in board.units} == {str(unit) for unit in question.board.units}
            judged = judge_parsed_orders(board, orders, rulebook)
            for power, expected in read_case(again).expected.items():
                told = question.make_answer(rulebook)["results"][power]
                assert [one in ("succeeds", "stands", "given", "available") for one in told] == [
                    one == "Succeeds" for one in expected
                ]
                assert judged.results[power] == told
            lost = outcome.get("dislodged", {})
            if not (text := jdip_case(question.name, position, outcome["units"], lost)):
                assert not question.board.centers
                continue
            (jdip,) = read_jdip(text.encode())
            assert jdip.require_readable().board.units == question.board.units
            assert by_power(jdip.after) == {power: units for power, units in outcome["units"].items() if units}
            assert {power: [str(unit) for unit in units] for power, units in by_power(jdip.lost).items()} == {
                power: list(units) for power, units in lost.items() if units
            }
            assert isinstance(judge_parsed_orders(jdip.board, jdip.orders, rulebook), Outcome) is (part == "clauses")
            written += 1
    assert written > 60


def test_what_the_formats_cannot_say_is_left_out() -> None:
    retreat = next(question for question in PARTS["retreats"].make())
    position = Position(retreat.board, retreat.orders)
    assert json_case("x", position, {}, "2023") is None
    assert not jdip_case("x", position, {}, {})
    twice = Position.of({"France": ["A PAR - BUR", "A PAR - BUR"]})
    assert json_case("x", twice, {"FRANCE": ["illegal", "illegal"]}, "2023") is None
