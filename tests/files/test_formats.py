"""Any FILE of any command: order sheets, saved games, single phases, batch lines, jDip's cases, shipped names."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from satjudge.apps.cli import run
from satjudge.apps.cli.options import read_case, read_cases
from satjudge.base.errors import NotFoundError
from satjudge.files.detect import Kind, detect
from satjudge.notation.bundled_cases import list_case_files

UNITS = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
ORDERS = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
FAILED = {"FRANCE": ["fails"], "GERMANY": ["fails"]}
BOUNCE = {"name": "S1901M", "state": {"name": "S1901M", "units": UNITS}, "orders": ORDERS}
AFTER = {"name": "F1901M", "state": {"name": "F1901M", "units": UNITS}, "orders": {"FRANCE": ["A PAR H"]}}
OVER = {"name": "COMPLETED", "state": {"name": "COMPLETED", "units": UNITS}}
ROW = {"game": "g", "phase": "S1901M", "units": UNITS, "orders": ORDERS, "next_units": UNITS}
LOST = {"GERMANY": {"A BUR": ["MUN", "RUH"]}}
RETREAT = {
    "name": "S1901R",
    "state": {"name": "S1901R", "units": {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["*A BUR"]}, "retreats": LOST},
    "orders": {"GERMANY": ["A BUR R RUH"]},
}
CASE = """\
VARIANT_ALL Standard
CASE bounce (over Burgundy)
PRESTATE
    France: A par
    Germany: A mun
ORDERS
    France: A par-bur
    Germany: A mun-bur
POSTSTATE_SAME
END
"""
FILES: dict[str, tuple[Kind, str | bytes]] = {
    "sheet": (Kind.SHEET, "case bounce: over Burgundy\nFrance:\n  A PAR - BUR | fails\nGermany:\n  A MUN - BUR | fails\n"),
    "game": (Kind.GAME, json.dumps({"id": "g", "phases": [BOUNCE, AFTER, OVER]})),
    "rows": (Kind.ROWS, json.dumps(ROW) + "\n"),
    "lines": (
        Kind.LINES,
        json.dumps({"id": "bounce", "units": UNITS, "orders": ORDERS, "expected": {"results": FAILED}}),
    ),
    "jdip": (Kind.JDIP, CASE),
    "packed": (Kind.GZIP, gzip.compress(json.dumps({"id": "g", "phases": [BOUNCE, AFTER, OVER]}).encode())),
}
"""The same bounce in each format; of the game it is one of two phases."""


def written(directory: Path, name: str, content: str | bytes) -> str:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A file of each kind, under a name that says nothing."""
    return written(tmp_path, "file", FILES[request.param][1])


def chosen(file: str) -> list[str]:
    """FILE, and `--case` where it holds several."""
    return [file, "--case", "S1901M"] if len(read_cases(file)) > 1 else [file]


@pytest.mark.parametrize(("kind", "content"), FILES.values(), ids=FILES)
def test_a_file_is_told_by_its_content(kind: Kind, content: str | bytes) -> None:
    assert detect(content if isinstance(content, bytes) else content.encode()) is kind


def test_each_kind_holds_the_same_case(file: str) -> None:
    sheet = read_case(file, "S1901M" if len(read_cases(file)) > 1 else None)
    assert sorted(map(str, sheet.board.units)) == ["A MUN", "A PAR"]
    assert {power: [str(order) for order in given] for power, given in sheet.orders_by_power().items()} == ORDERS


@pytest.mark.parametrize("command", ["judge", "resolutions", "explain", "compare"])
def test_commands_with_json_take_every_kind(command: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = ["--rules", "datc-3,1971"] if command == "compare" else []
    assert run([command, *chosen(file), *rules, "--json"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    told: dict[str, Any] = {
        "judge": lambda: case["results"] == FAILED,
        "resolutions": lambda: case["count"] == 1,
        "explain": lambda: len(case["orders"]) == 2,
        "compare": lambda: case["agrees"],
    }
    assert told[command]()


def test_equations_take_every_kind(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["equations", *chosen(file)]) == 0
    assert "A PAR - BUR" in capsys.readouterr().out


@pytest.mark.parametrize(("command", "output"), [("render", "x.svg"), ("report", "x.html")])
def test_pictures_and_pages_are_made_of_every_kind(command: str, output: str, file: str, tmp_path: Path) -> None:
    more = ["--compare", "datc-3"] if command == "report" else []
    assert run([command, *chosen(file), "-o", str(tmp_path / output), *more]) == 0
    assert "PAR" in (tmp_path / output).read_text(encoding="utf-8")


def test_check_compares_what_each_kind_expects(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] == len(read_cases(file))


def test_check_tells_of_units_that_stand_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {**ROW, "next_units": {**UNITS, "FRANCE": ["A BUR"]}}
    assert run(["check", written(tmp_path, "rows.jsonl", json.dumps(row) + "\n"), "--json"]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["differences"] == [
        {"power": "FRANCE", "order": "units afterwards", "expected": "A BUR", "found": "A PAR", "line": 1}
    ]


def test_an_exported_case_can_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "6.F.14", "6.H.9"]) == 0
    lines = written(tmp_path, "lines.jsonl", capsys.readouterr().out)
    assert run(["check", lines, "--json"]) == 0
    assert [case["id"] for case in json.loads(capsys.readouterr().out)["cases"]] == ["6.F.14", "6.H.9", "6.H.9/retreats"]


# ---- retreats, and several cases ----


def retreating(tmp_path: Path) -> str:
    return written(tmp_path, "g.json", json.dumps({"id": "g", "phases": [RETREAT]}))


def test_a_retreat_phase_is_judged_and_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", retreating(tmp_path), "--json"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert (case["phase"], case["results"]) == ("retreat", {"GERMANY": ["succeeds"]})
    assert run(["explain", retreating(tmp_path)]) == 0
    assert "A BUR R RUH" in capsys.readouterr().out
    assert run(["render", retreating(tmp_path), "-o", str(tmp_path / "x.svg")]) == 0
    assert run(["compare", retreating(tmp_path), "--rules", "datc-3"]) == 0


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["resolutions"], "only movement phases have equations and resolutions"),
        (["equations"], "only movement phases have equations and resolutions"),
        (["report", "-o", "x.html"], "S1901R is a retreat phase: there are no pages about these"),
    ],
)
def test_what_a_command_does_not_take_is_told(
    command: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([command[0], retreating(tmp_path), *command[1:]]) == 2
    assert said in capsys.readouterr().err


def test_phases_are_called_by_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = json.loads(str(FILES["game"][1]))
    one = written(tmp_path, "one.json", json.dumps(game))
    two = written(tmp_path, "two.json", json.dumps([game, game | {"id": "h"}]))
    assert [sheet.identity for sheet in read_cases(one)] == ["S1901M", "F1901M"]
    assert [sheet.identity for sheet in read_cases(two)] == ["g/S1901M", "g/F1901M", "h/S1901M", "h/F1901M"]
    assert run(["render", two, "-o", str(tmp_path / "x.svg")]) == 2
    assert "choose one with --case ID (the IDs are g/S1901M, g/F1901M, h/S1901M, h/F1901M)" in capsys.readouterr().err
    assert run(["judge", one, "--case", "S1902M"]) == 2
    assert "there is no case S1902M" in capsys.readouterr().err


def test_pictures_and_pages_take_the_latest_phase_with_orders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = written(tmp_path, "one.json", json.dumps({"phases": [BOUNCE, AFTER, {**AFTER, "name": "S1902M", "orders": {}}]}))
    for command, output in (("render", "x.svg"), ("report", "x.html")):
        assert run([command, game, "-o", str(tmp_path / output)]) == 0
        assert "using F1901M, the latest phase with orders; choose another with --case" in capsys.readouterr().err
    silent = written(tmp_path, "silent.json", json.dumps({"phases": [{**BOUNCE, "orders": {}}, {**AFTER, "orders": {}}]}))
    assert run(["render", silent, "-o", str(tmp_path / "x.svg")]) == 0
    assert "using F1901M, the latest phase; choose another with --case" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--case", "--phase"])
@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Spring 1901", "S1901M"), ("SPRING 1901", "S1901M"), ("s1901", "S1901M"), ("fall 1901", "F1901M"),
        ("Autumn, 1901", "F1901M"), ("f1901m", "F1901M"), ("Spring 1901 retreats", "S1901R"), ("Winter 1901", "W1901A"),
        ("winter", "W1901A"), ("W1901", "W1901A"), ("Spring", "S1901M"),
    ],
)  # fmt: skip
def test_phases_are_found_by_what_people_call_them(option: str, said: str, found: str, tmp_path: Path) -> None:
    names = ("S1901M", "S1901R", "F1901M", "W1901A")
    bare = [{**AFTER, "name": name, "orders": {}} for name in names]
    one = written(tmp_path, "one.json", json.dumps({"id": "g", "phases": bare}))
    two = written(tmp_path, "two.json", json.dumps([{"id": "g", "phases": bare}, {"id": "h", "phases": bare}]))
    assert [sheet.identity for sheet in read_cases(one, said)] == [found]
    assert [sheet.identity for sheet in read_cases(two, f"h/{said}")] == [f"h/{found}"]
    assert run(["judge", one, option, said]) == 0


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Fall 1902", "there is no case Fall 1902"), ("Fall in love", "there is no case Fall in love"),
        ("Spring", r"2 phases in \S+ are called Spring: S1901M, S1902M"), ("Fall", "no case Fall"),
    ],
)  # fmt: skip
def test_phases_that_are_not_there_or_several_are_told(said: str, told: str, tmp_path: Path) -> None:
    bare = [{**AFTER, "name": name, "orders": {}} for name in ("S1901M", "S1902M")]
    with pytest.raises(NotFoundError, match=told):
        read_cases(written(tmp_path, "one.json", json.dumps({"id": "g", "phases": bare})), said)


@pytest.mark.parametrize("question", [["--pivotal"], ["--why-not"], ["--without", "A PAR"], ["A PAR", "--what-would-change"]])
def test_questions_pass_over_phases_without_equations(
    question: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    winter = {**AFTER, "name": "W1901A", "orders": {}}
    game = written(tmp_path, "one.json", json.dumps({"id": "g", "phases": [BOUNCE, winter]}))
    assert run(["explain", game, *question]) == 0
    said = capsys.readouterr()
    assert said.err == "W1901A: skipped, this question needs a movement phase\n"
    assert "S1901M" in said.out
    assert run(["explain", game, *question, "--case", "winter"]) == 2


def test_only_the_case_that_is_asked_for_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = {**AFTER, "name": "S1902M", "state": {"name": "S1902M", "units": {"FRANCE": ["A XYZ"]}}}
    game = written(tmp_path, "game.json", json.dumps({"id": "g", "phases": [BOUNCE, AFTER, bad]}))
    assert run(["judge", game, "--case", "S1901M"]) == 0
    assert run(["judge", game]) == 2
    assert f"{game}, F1901M" in capsys.readouterr().err


def test_an_order_that_a_game_keeps_and_nobody_can_read_is_illegal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`satjudge game order --lenient` keeps such orders, and other platforms' games hold some."""
    bad = {**AFTER, "orders": {"FRANCE": ["A PAR - XYZ", "A MAR H"]}}
    game = written(tmp_path, "game.json", json.dumps({"id": "g", "phases": [BOUNCE, bad]}))
    for command in (["judge"], ["explain"], ["resolutions"], ["render", "-o", str(tmp_path / "x.svg")]):
        assert run([*command, game, "--case", "F1901M"]) == 0, command
    shown = capsys.readouterr().out
    assert "A PAR - XYZ  illegal      " in shown
    assert "A PAR - XYZ  illegal: " in shown


def test_an_error_in_a_batch_line_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = written(tmp_path, "l", f"{json.dumps({'units': UNITS})}\n{json.dumps({'units': UNITS, 'ordres': {}})}\n")
    assert run(["judge", lines]) == 2
    assert f"{lines}:2: no request has a key `ordres`" in capsys.readouterr().err


def test_as_many_verdicts_are_expected_as_there_are_orders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = {"units": UNITS, "orders": ORDERS, "expected": {"results": {"FRANCE": ["fails", "fails"]}}}
    assert run(["check", written(tmp_path, "l", json.dumps(line))]) == 2
    assert "2 verdicts are expected for FRANCE, which has 1 order" in capsys.readouterr().err


def test_a_power_that_the_map_does_not_know(tmp_path: Path) -> None:
    line = written(tmp_path, "l", json.dumps({"units": {"ZORK": ["A PAR"]}, "orders": {"ZORK": ["A PAR - BUR"]}}))
    assert [run([command, line]) for command in ("judge", "explain", "resolutions", "equations", "compare")] == [0] * 5
    assert run(["render", line, "-o", str(tmp_path / "x.svg")]) == 0
    assert run(["report", line, "-o", str(tmp_path / "x.html"), "--compare", "datc-3"]) == 0


def test_engines_are_compared_on_every_kind(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crosscheck", "--against", "satjudge-full", file, "--jobs", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["boards"] == len(read_cases(file))


# ---- shipped cases by their short names ----


def test_sections_and_collections_of_shipped_cases_have_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(read_cases("datc:6.J")) == 12
    assert [sheet.identity for sheet in read_cases("datc:6.F.14")] == ["6.F.14"]
    assert [sheet.identity for sheet in read_cases("datc:6.F", "6.F.14")] == ["6.F.14"]
    lines = "".join(path.read_text(encoding="utf-8") for path in list_case_files() if path.parent.name == "lines")
    assert len(read_cases("LINE:all")) == len(re.findall(r"^case ", lines, re.MULTILINE)) > 30
    assert len(read_cases("catalogue:all")) == 38
    assert [case.identity for case in read_cases("difference:14")] == ["difference-14"]
    assert len(read_cases("difference:all")) > 10
    with pytest.raises(NotFoundError, match=r"there is no case '6\.Z'"):
        read_cases("datc:6.Z")
    assert run(["render", "datc:6.J", "-o", "never.svg"]) == 2
    assert "datc:6.J contains 12 cases: choose one with --case ID" in capsys.readouterr().err


def test_every_collection_can_be_exported_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "line:all", "catalogue:1C1M1S-0r-81281ad4", "6.A.5", "datc:6.A.6"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["id"] for line in found[-3:]] == ["catalogue-1C1M1S-0r-81281ad4", "6.A.5", "6.A.6"]
    assert len(found) == len(read_cases("line:all")) + 3
    assert all(line["expected"]["results"] for line in found)
    against = ["crosscheck", "--against", "satjudge-staged", "--jobs", "1"]
    assert run([*against, "line:walker-1", "catalogue:1C1M1S-0r-81281ad4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["boards"] == 2
    assert run(["datc", "line:all"]) == 2
    assert "run `satjudge check line:all`" in capsys.readouterr().err
