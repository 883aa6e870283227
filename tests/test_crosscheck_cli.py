"""The command `crosscheck` from end to end: tables, JSON, reports, saved cases, files, and bad usage."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from satjudge.board import Board
from satjudge.cli import run
from satjudge.crosscheck.case_files import command
from satjudge.crosscheck.comparison import answer_of
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Fuzz
from satjudge.geography import Power
from satjudge.judge import judge
from satjudge.notation.sheets import read_sheets
from satjudge.orders import MovementOrder

BROKEN = "broken_engine:self_dislodgement"
FUZZ = ["crosscheck", "--against", BROKEN, "--fuzz", "60", "--engine", "staged", "--jobs", "1", "--shrink", "1"]


def test_a_campaign_with_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table, the cases with the command that reruns each, and both reports."""
    saved, reports = tmp_path / "found", [tmp_path / "r.md", tmp_path / "r.html"]
    options = ["--save", str(saved), "--checkpoint", str(tmp_path / "state.jsonl")]
    assert run([*FUZZ, *options, *(f"--report={path}" for path in reports)]) == 1
    shown = capsys.readouterr()
    assert f"satjudge against {BROKEN}" in shown.out
    assert "boards differ without an explanation, in 1 shape; " in shown.out
    assert "60 boards in" in shown.err
    (file,) = saved.iterdir()
    (sheet,) = read_sheets(file.read_text(encoding="utf-8"))
    assert any(note.startswith(f"{BROKEN} differs: ") for note in sheet.notes["note"])
    assert any(note.startswith("satjudge: ") and "5.B.8" in note for note in sheet.notes["note"])
    assert run(["check", str(file)]) == 0
    capsys.readouterr()
    (again,) = (note.removeprefix("run it again: satjudge ") for note in sheet.notes["note"] if "run it again" in note)
    assert again in shown.out
    assert run([*shlex.split(again)[:-1], str(file)]) == 1
    assert "1 of 1 boards differ without an explanation" in capsys.readouterr().out
    for path in reports:
        text = path.read_text(encoding="utf-8")
        assert all(part in text for part in (BROKEN, file.stem, again, "attack 0 (its own power"))
    check_html(reports[1].read_text(encoding="utf-8"))
    assert run([*FUZZ, *options]) == 1
    assert "60 of 60 boards are compared already" in capsys.readouterr().err


class _Page(HTMLParser):
    """Whether elements nest, and what the page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str | None] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.fetched += [
            value for name, value in attrs if name in ("src", "href") and not (value or "").startswith(("#", "data:"))
        ]
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_html(text: str) -> None:
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.fetched == []
    assert {"h1", "table", "svg", "code"} <= page.seen


def test_a_report_of_an_order_to_a_unit_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such a position cannot be written as an order sheet."""
    line = {"id": "x", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR", "A MAR H"]}}
    file, page = tmp_path / "one.jsonl", tmp_path / "r.html"
    file.write_text(json.dumps(line), encoding="utf-8")
    options = ["--against", "test_crosscheck_cli:believes_in_ghosts", "--jobs", "1", "--shrink", "1", "--report", str(page)]
    assert run(["crosscheck", str(file), *options]) == 1
    text = page.read_text(encoding="utf-8")
    assert "A POR H (FRANCE)" in text or "A MAR H (FRANCE)" in text
    again = re.findall(r"satjudge crosscheck --against \S+ \S+\.jsonl", text)
    assert len(again) == 2  # in the case, and below it
    assert again[0] == again[1]
    capsys.readouterr()


def believes_in_ghosts(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """An engine that says of an order to nobody that it stands."""
    answer = answer_of(judge(board, orders))
    for power, given in orders.items():
        for number, order in enumerate(given):
            if order.unit.province not in board.unit_at:
                answer.verdicts[power][number] = "stands"
    return answer


def test_json_and_explained_differences(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--against", "guide-1998", "--fuzz", "300", "--flavour", "general", "--units", "4..9", "--seed", "3"]
    assert run(["crosscheck", *options, "--engine", "staged", "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rulebook"]["name"] == "guide-1998"
    assert (document["seed"], document["boards"], document["units"], document["flavours"]) == (3, 300, [4, 9], ["general"])
    (known,) = document["explained"]
    assert known["explanation"] == "a fleet ordered via convoy"
    assert "Chapter VII" in known["because"]
    assert document["agreed"] == 300 - known["boards"]
    assert document["findings"] == []


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Order sheets, shipped cases by section, batch lines; phases of other kinds are passed over."""
    lines = tmp_path / "positions.jsonl"
    lines.write_bytes(b"\n".join(Fuzz(1, 5).draw(number).line for number in range(5)))
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("France:\n  A PAR - BUR\n", encoding="utf-8")
    game = tmp_path / "game.json"
    phases = [("S1901M", {"FRANCE": ["A PAR - BUR"], "ITALY": None}), ("W1901A", {"FRANCE": ["A PAR B"]})]
    written = [
        {"name": name, "state": {"name": name, "units": {"FRANCE": ["A PAR"]}}, "orders": orders} for name, orders in phases
    ]
    game.write_text(json.dumps({"id": "g", "map": "standard", "phases": written}), encoding="utf-8")
    cases = tmp_path / "cases.txt"
    case = "CASE {}\nPRESTATE_SETPHASE F1901{}\nPRESTATE\nFrance: A par\nORDERS\nFrance: {}\nPOSTSTATE_SAME\nEND\n"
    cases.write_text(case.format("a", "M", "A par-bur") + case.format("b", "A", "Remove A par"), encoding="utf-8")
    common = ["crosscheck", "--against", "kruijswijk-partial", "--jobs", "1", "--json"]
    for files, boards in (
        ([str(game)], 1), ([str(cases)], 1), ([str(lines)], 5), ([str(sheet)], 1), (["datc:6.C"], 9),
        (["datc:6.F.14", str(sheet)], 2),
    ):  # fmt: skip
        assert run([*common, *files]) == 0
        assert json.loads(capsys.readouterr().out)["boards"] == boards
    assert run([*common, "datc:6.I"]) == 5
    assert "no movement phase" in capsys.readouterr().err
    lines.write_text("{}\nnonsense\n", encoding="utf-8")
    assert run([*common, str(lines)]) == 2
    assert f"{lines}, line 1" in capsys.readouterr().err


def test_one_board_again(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["crosscheck", "--against", "satjudge-full", "--only", "7", "--seed", "1", "--jobs", "1", "--json"]
    assert run(options) == 0
    assert json.loads(capsys.readouterr().out)["boards"] == 1


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crosscheck", "--list"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("kruijswijk-partial", "asp", "diplomacy", "godip", "jdip"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the other engine with --against"),
        (["--against", "asp"], "name files, or ask for random boards"),
        (["--against", "asp", "--fuzz", "3", "datc:6.A"], "name files, or ask for random boards"),
        (["--against", "nobody", "--fuzz", "3"], "no oracle and no program 'nobody'"),
        (["--against", "guide-1998", "--fuzz", "3", "--flavour", "salty"], "'salty' is not a valid Flavour; there are general"),
        (["--against", "guide-1998", "--fuzz", "3", "--units", "9..4"], "no range of units"),
        (["--against", "guide-1998", "--fuzz", "3", "--rules", "1066"], "no rulebook '1066'"),
        (["--against", "true", "--fuzz", "3", "--dialect", "elvish"], "no dialect 'elvish'"),
        (["--against", "true", "--fuzz", "3"], "does not answer the first question as it should: died"),
        (["--against", "guide-1998", "--fuzz", "3", "--report", "x.pdf"], "ends in .md or .html"),
        (["--against", "guide-1998", "none.txt"], "no file none.txt"),
        (["--against", "guide-1998", "none.jsonl"], "cannot read none.jsonl"),
        (["--against", "guide-1998", "none.json"], "cannot read none.json"),
        (["--against", "guide-1998", "--fuzz", "3", "--jobs", "1", "--checkpoint", "/nowhere/x"], "cannot keep the state"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crosscheck", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_the_documented_command_says_what_it_depends_on() -> None:
    from satjudge.crosscheck.campaign import campaign_against

    campaign = campaign_against("guide-1998", Fuzz(1, 1), rules="1982", settings=("4.A.5=allowed",), dialect="godip")
    assert command(campaign, "a b.txt") == (
        "satjudge crosscheck --against guide-1998 --rules 1982 --set 4.A.5=allowed --dialect godip 'a b.txt'"
    )
