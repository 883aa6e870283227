"""Reports of wrong verdicts, `satjudge judge --report`: what they hold is enough to judge again what was judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from satjudge import __version__
from satjudge.apps.cli import run
from satjudge.files.documents import Report

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "judge-report.json"
ISLAND = """
name = "island"
title = "Two towns"
powers = ["NORTH", "SOUTH"]
power.NORTH = {name = "North", adjective = "Northern"}
power.SOUTH = {name = "South", adjective = "Southern"}
province.TOP = {name = "Topham", kind = "coast", center = true, home = "NORTH", army = ["LOW"], fleet = ["LOW", "SEA"]}
province.LOW = {name = "Lowestoft", kind = "coast", center = true, home = "SOUTH", army = ["TOP"], fleet = ["TOP", "SEA"]}
province.SEA = {name = "Sea", kind = "sea", fleet = ["LOW", "TOP"]}
"""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def reported(*arguments: str, code: int = 0) -> dict[str, Any]:
    """What a report holds; it is the document, and nothing is in it that the document does not have."""
    assert run(["judge", *arguments, "--report", "wrong.json"]) == code
    text = Path("wrong.json").read_bytes()
    told: dict[str, Any] = json.loads(text)
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(told)
    assert json.loads(msgspec.json.encode(msgspec.json.decode(text, type=Report))) == told
    return told


def judged(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """The cases that `satjudge judge` tells of."""
    capsys.readouterr()
    assert run(["judge", *arguments, "--json"]) == 0
    cases: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["cases"]
    return cases


@pytest.mark.parametrize(
    "arguments",
    [
        ("datc:6.F.14",),
        ("datc:6.F.14", "--set", "4.A.2=all-hold"),
        ("datc:6.F.14", "--rules", "own.toml"),
        ("datc:2.4/7.B.3",),  # a map with a railroad
        ("datc:6.J.2",),  # adjustments
        ("several.txt",),
    ],
    ids=" ".join,
)
def test_a_report_is_judged_as_what_it_reports(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.toml").write_text('name = "own"\ntitle = "My own"\nbased_on = "1982"\n[settings]\n"4.A.2" = "all-hold"\n')
    Path("several.txt").write_text("case a:\nFrance:\n  A Paris - Burgundy\n\ncase b:\nFrance:\n  A Paris - Gascony\n")
    report = reported(*arguments)
    assert (report["satjudge"], report["engine"]) == (__version__, "staged")
    again, before = judged(capsys, "wrong.json"), judged(capsys, *arguments)
    for one, other in zip(again, before, strict=True):
        assert one["rulebook"]["settings"] == other["rulebook"]["settings"]
        assert [one[key] for key in ("id", "title", "results", "units")] == [
            other[key] for key in ("id", "title", "results", "units")
        ]
        assert one["results"]
    assert [one["answer"]["results"] for one in report["reported"]] == [one["results"] for one in before]


def test_retreats_are_a_phase_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    moves, retreats = reported("datc:6.H.1")["reported"]
    assert (moves["request"]["phase"], retreats["request"]["phase"]) == ("movement", "retreat")
    assert retreats["request"]["dislodged"] == moves["answer"]["dislodged"]
    assert judged(capsys, "wrong.json")[1]["results"] == {"AUSTRIA": ["fails", "illegal"], "TURKEY": ["fails"]}


def test_a_map_of_ones_own_is_in_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    Path("island.toml").write_text(ISLAND)
    Path("sheet.txt").write_text("North:\n  A Topham - Lowestoft\nSouth:\n  F Lowestoft - Sea\n")
    assert reported("sheet.txt", "--map", "island.toml")["map"]["name"] == "island"
    Path("island.toml").unlink()
    assert judged(capsys, "wrong.json")[0]["results"] == {"NORTH": ["succeeds"], "SOUTH": ["succeeds"]}


def test_orders_that_cannot_be_read_are_reported_as_they_were_written() -> None:
    Path("sheet.txt").write_text("France:\n  A Paris - Burgundy\n  A Paris to the moon\n")
    (phase,) = reported("sheet.txt", "--lenient")["reported"]
    assert phase["request"]["orders"] == {"FRANCE": ["A PAR - BUR", "A Paris to the moon"]}
    assert phase["answer"]["results"] == {"FRANCE": ["succeeds", "illegal"]}


def test_a_case_without_an_answer_is_reported_with_the_reason() -> None:
    (phase,) = reported("datc:6.F.14", "--set", "4.A.2=none", code=1)["reported"]
    assert phase["request"]["rules"] == "datc-3 with 4.A.2=none"
    assert "has no answer" in phase["answer"]["unresolved"]


def test_check_tells_a_verdict_that_is_no_longer_the_reported_one(capsys: pytest.CaptureFixture[str]) -> None:
    report = reported("datc:6.C.1")
    assert run(["check", "wrong.json"]) == 0
    report["reported"][0]["answer"]["results"]["TURKEY"][0] = "fails"
    Path("wrong.json").write_text(json.dumps(report))
    assert run(["check", "wrong.json"]) == 1
    assert "succeeds" in capsys.readouterr().out


def test_cases_on_several_maps_are_reported_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sheet.txt").write_text("case a:\nFrance:\n  A Paris H\n\ncase b:\nmap: colonial\nBritain:\n  A Delhi H\n")
    assert run(["judge", "sheet.txt", "--report", "wrong.json"]) == 2
    assert "--report covers one map" in capsys.readouterr().err
    assert not Path("wrong.json").exists()
    assert "map" in reported("sheet.txt", "--case", "b")["reported"][0]["request"]


@pytest.mark.parametrize(
    "text", ['{"reported": 3}', '{"reported": [{}]}', '{"reported": [], "reported": []}', '{"reported": []}']
)
def test_what_is_no_report_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.json").write_text(text)
    assert run(["judge", "wrong.json"]) == 2
    assert "report" in capsys.readouterr().err
