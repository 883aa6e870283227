"""The command `crosscheck` from end to end: tables, JSON, reports, saved cases, files, and bad usage."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest

from satjudge.apps.cli import crosscheck, run
from satjudge.engines import campaign, findings, report
from satjudge.engines.comparison import Depth, answer_from_outcome
from satjudge.engines.connections.registry import Contact
from satjudge.engines.positions import Fuzz
from satjudge.engines.report import format_command
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.notation.sheet_reader import read_sheets
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.geography import Power
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import load_rulebook

BROKEN = "helpers.broken_engine:self_dislodgement"
FUZZ = ["crosscheck", "--against", BROKEN, "--fuzz", "60", "--jobs", "1", "--limit=shrink=1"]

pytestmark = pytest.mark.usefixtures("without_hypotheses")


def test_a_campaign_with_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table, the cases with the command that reruns each, and both reports."""
    saved, reports = tmp_path / "found", [tmp_path / "r.md", tmp_path / "r.html"]
    options = ["--save", str(saved), "--checkpoint", str(tmp_path / "state.jsonl")]
    assert run([*FUZZ, *options, *(f"--report={path}" for path in reports)]) == 1
    shown = capsys.readouterr()
    assert f"satjudge against {BROKEN}" in shown.out
    assert "boards differ in ways that are not known (--known), in 1 shape of 1 family; " in shown.out
    assert "60 boards in" in shown.err
    (file,) = saved.iterdir()
    (sheet,) = read_sheets(file.read_text(encoding="utf-8"))
    assert any(note.startswith(f"{BROKEN} differs: ") for note in sheet.notes["note"])
    assert any(note.startswith("satjudge: ") and "5.B.8" in note for note in sheet.notes["note"])
    assert run(["check", str(file)]) == 0
    capsys.readouterr()
    (again,) = (note.removeprefix("run it again: satjudge ") for note in sheet.notes["note"] if "run it again" in note)
    assert again in shown.out
    assert run(shlex.split(again)) == 1
    assert "1 of 1 board differs in a way that is not known (--known), in 1 shape" in capsys.readouterr().out
    for path in reports:
        text = path.read_text(encoding="utf-8")
        assert all(part in text for part in (BROKEN, file.stem, again, "attack 0 (its own power"))
    page = reports[1].read_text(encoding="utf-8")
    check_html(page)
    assert "seed 1, flavours convoys×6 circles×2 general dense" in page
    assert "verdicts, satjudge with engine " in page
    assert run([*FUZZ, *options]) == 1
    assert "60 of 60 boards are already compared" in capsys.readouterr().err


def test_an_interrupted_campaign_tells_what_it_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("satjudge.engines.findings.collect_findings", interrupted)
    assert run(FUZZ) == 130
    shown = capsys.readouterr()
    assert shown.out == ""
    told, first, *_ = [line for line in shown.err.splitlines() if line.startswith(("compared", "not shrunk"))]
    assert re.fullmatch(r"compared 60 of 60 boards: \d+ agree; \d+ differ, not known", told)
    command = first.partition(": satjudge ")[2]
    assert run([*shlex.split(command), "--no-diagnosis", "--jobs", "1"]) == 130
    assert "compared 1 of 1 board: 1 differ, not known" in capsys.readouterr().err


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
    options = ["--against", "test_crosscheck_cli:believes_in_ghosts", "--jobs", "1", "--limit=shrink=1", "--report", str(page)]
    assert run(["crosscheck", str(file), *options]) == 1
    text = page.read_text(encoding="utf-8")
    assert "A POR H (FRANCE)" in text or "A MAR H (FRANCE)" in text
    again = re.findall(r"satjudge (crosscheck --against \S+ [^\s\"<]+\.jsonl)", text)
    assert len(again) == 2  # in the case, and below it
    assert again[0] == again[1]
    assert run(again[0].split()) == 1
    capsys.readouterr()


def believes_in_ghosts(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """An engine that says of an order to nobody that it stands."""
    answer = answer_from_outcome(judge(board, orders))
    for power, given in orders.items():
        for number, order in enumerate(given):
            if order.unit.province not in board.unit_at:
                answer.verdicts[power][number] = "stands"
    return answer


def test_json_and_explained_differences(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--against", "diplomacy", "--fuzz", "300", "--flavour", "general", "--units", "4..9", "--seed", "3"]
    assert run(["crosscheck", *options, "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rulebook"]["name"] == "datc-3"
    assert (document["seed"], document["boards"], document["units"], document["flavours"]) == (3, 300, [4, 9], ["general"])
    known = {entry["explanation"]: entry for entry in document["explained"]}
    assert "the order counts (4.C.2)" in known["an order that is not taken"]["because"]
    assert 0 < known["an order that is not taken"]["boards"] <= 300 - document["agreed"]
    together = sum(document["explained_together"].values())
    assert 300 - document["agreed"] == sum(entry["boards"] for entry in known.values()) + together
    assert document["findings"] == []


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Order sheets, shipped cases by section, batch lines; oracles are asked about movement only."""
    lines = tmp_path / "positions.jsonl"
    lines.write_bytes(b"\n".join(Fuzz(1, 5).get_position(number).line for number in range(5)))
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
    assert "these files have no phase that can be compared" in capsys.readouterr().err
    common[2] = "satjudge-full"
    for files, boards in ([str(cases)], 2), (["datc:6.I"], 7), (["datc:6.H.7"], 2), (["--only", "7", "--seed", "1"], 1):
        assert run([*common, *files]) == 0
        assert json.loads(capsys.readouterr().out)["boards"] == boards
    lines.write_text("\n", encoding="utf-8")
    assert run([*common, str(lines)]) == 2
    assert f"{lines}: the file is empty" in capsys.readouterr().err
    lines.write_text("{}\nnonsense\n", encoding="utf-8")
    assert run([*common, str(lines)]) == 2
    assert f"{lines}:1" in capsys.readouterr().err


def test_without_saved_cases_the_board_itself_is_compared_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command is complete: it names all that the board depends on."""
    report = tmp_path / "r.md"
    options = ["--units", "4..9", "--flavour", "circles,dense", "--set", "4.A.2=all-hold"]
    assert run([*FUZZ, *options, "--seed", "5", "--report", str(report)]) == 1
    shown = capsys.readouterr().out
    (again,) = set(re.findall(r"satjudge (crosscheck [^`\n]*)", report.read_text(encoding="utf-8")))
    assert again in shown
    board = again.split("--only ")[1].split()[0]
    assert again.endswith(f"--set 4.A.2=all-hold --seed 5 --only {board} --flavour circles,dense --units 4..9")
    assert run([*shlex.split(again), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    (found,) = document["findings"]
    assert (document["boards"], found["from"], found["command"]) == (1, f"seed 5, board {board}", f"satjudge {again}")
    assert f"source: satjudge crosscheck, seed 5, board {board}, --flavour circles,dense --units 4..9" in found["case"]


def test_boards_that_are_too_large_for_the_engine_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("France:\n  A PAR - BUR\n", encoding="utf-8")
    many = tmp_path / "many.jsonl"
    many.write_bytes(Fuzz(1, 1, units=(30, 30)).get_position(0).line)
    options = ["crosscheck", "--against", "satjudge-full", "--engine", "brute", "--jobs", "1", str(many)]
    assert run([*options, str(sheet), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["boards"], document["agreed"], document["too_large"]) == (2, 1, 1)
    assert run(options) == 5
    assert "every board is too large for --engine brute" in capsys.readouterr().err


def test_phases_that_are_not_compared_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    movement = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR H"]}}
    builds = {"orders": {"FRANCE": ["A PAR B"]}, "centers": {"FRANCE": ["PAR"]}}
    adjustment = {"phase": "adjustment", "units": {"FRANCE": ["A PAR"]}} | builds
    options = ["crosscheck", "--against", "kruijswijk-guess", "--jobs", "1", str(rows)]
    rows.write_text(f"{json.dumps(adjustment)}\n{json.dumps(movement)}\n\n{json.dumps(adjustment)}\n", encoding="utf-8")
    assert run(options) == 0
    shown = capsys.readouterr()
    assert "2 phases skipped: kruijswijk-guess judges movement only\n" in shown.err
    assert "On 1 board, there are no differences" in shown.out
    rows.write_text(f'{json.dumps(movement)}\n{{"units": {{"FRANCE": ["F MOS"]}}}}\n', encoding="utf-8")
    assert run(options) == 2
    assert capsys.readouterr().err == f"satjudge: {rows}:2: F MOS of FRANCE: a fleet cannot be inland in Moscow\n"
    rows.write_text(json.dumps(movement | {"orders": {"FRANC": ["A PAR H"]}}), encoding="utf-8")
    assert run(options) == 2
    assert capsys.readouterr().err == f"satjudge: {rows}:1: there is no power 'FRANC' (did you mean France?)\n"


def says_ok(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """An engine with words of its own."""
    answer = answer_from_outcome(judge(board, orders))
    for power, verdicts in answer.verdicts.items():
        answer.verdicts[power] = ["Ok" if verdict in ("succeeds", "stands") else verdict for verdict in verdicts]
    return answer


def test_words_that_are_not_known_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = [tmp_path / "r.md", tmp_path / "r.html"]
    options = ["--jobs", "1", *(f"--report={page}" for page in pages)]
    assert run(["crosscheck", "--against", "test_crosscheck_cli:says_ok", "datc:6.A.1", "datc:6.C.1", *options]) == 1
    hint = "words of the engine that satjudge does not know: ok; see --dialect"
    assert hint in capsys.readouterr().out
    assert all(hint in page.read_text(encoding="utf-8") for page in pages)
    assert run(["crosscheck", "--against", "test_crosscheck_cli:says_ok", "datc:6.C.1", "--dialect", "godip"]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[mine.provinces]\nXYZ = "ABC"', "[mine.provinces]: no map has the province 'XYZ'"),
        ('[mine.words]\nok = ["works"]', "[mine.words]: 'ok' cannot mean 'works'"),
        ('[mine]\ncolour = "red"', "[mine] is not a dialect"),
    ],
)
def test_a_dialect_with_a_mistake(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    engine = ["--against", "test_crosscheck_cli:says_ok", "--dialect", str(file)]
    assert run(["crosscheck", *engine, "datc:6.C.1", "--jobs", "1"]) == 2
    assert f"{file}: {message}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the other engine with --against"),
        (["--against", "guide-1998"], "name files, or ask for random boards"),
        (["--against", "guide-1998", "--fuzz", "3", "datc:6.A"], "name files, or ask for random boards"),
        (["--against", "nobody", "--fuzz", "3"], "no oracle and no program 'nobody'"),
        (["--against", "guide-1998", "--fuzz", "3", "--flavour", "salty"], "there is no flavour 'salty' (choose from"),
        (
            ["--against", "guide-1998", "--fuzz", "3", "--flavour", "dense,Circle"],
            "no flavour 'circle' (did you mean circles",
        ),
        (["--against", "guide-1998", "--fuzz", "3", "--units", "9..4"], "is not a range of units"),
        (["--against", "guide-1998", "--fuzz", "3", "--phase", "lunch"], "there is no phase 'lunch' (choose from movement"),
        (["--against", "guide-1998", "--fuzz", "3", "--phase", "retreat"], "guide-1998 judges only movement phases"),
        (["--against", "guide-1998", "--fuzz", "3", "--rules", "1066"], "no rulebook '1066'"),
        (["--against", "true", "--fuzz", "3", "--dialect", "elvish"], "no dialect 'elvish'"),
        (["--against", "true", "--fuzz", "3"], "does not answer the first question correctly: died"),
        (["--against", "guide-1998", "--fuzz", "3", "--report", "x.pdf"], "ends in .md or .html"),
        (["--against", "guide-1998", "none.txt"], "no file none.txt"),
        (["--against", "guide-1998", "none.jsonl"], "no file none.jsonl"),
        (["--against", "guide-1998", "none.json"], "no file none.json"),
        (["--against", "guide-1998", "--fuzz", "3", "--jobs", "1", "--checkpoint", "/nowhere/x"], "no directory /nowhere"),
        (["--against", "guide-1998", "--fuzz", "3", "--report", "/nowhere/x.md"], "no directory /nowhere"),
        (["--against", "guide-1998", "--fuzz", "3", "--save", "/dev/null/found"], "/dev/null is not a writable directory"),
        (["--against", "guide-1998", "--fuzz", "3", "--dialect", "godip"], "comes with satjudge and needs no dialect"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crosscheck", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_the_documented_command_says_what_it_depends_on() -> None:
    from satjudge.engines.campaign import make_campaign

    engine = "test_crosscheck_cli:believes_in_ghosts"
    campaign = make_campaign(engine, Fuzz(1, 1), rules="1982", settings=("4.A.5=allowed",), dialect="godip", timeout=0.5)
    assert format_command(campaign, ["a b.txt"]) == (
        f"satjudge crosscheck --against {engine} --rules 1982 --set 4.A.5=allowed --dialect godip --timeout 0.5 'a b.txt'"
    )


# ---- nothing is lost: satjudge fails, output fails, an engine says what a terminal or a page would obey ----

NASTY = "\x1b[2J<script>alert(1)</script>|`*[a](b) → ł \udc80\u202e\n# heading"


def says_nasty_things(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    units: dict[Power, list[str]] = {}
    for unit in board.units:
        units.setdefault(unit.power, []).append(f"{unit}{NASTY}")
    verdicts = {power: [NASTY for _ in given] for power, given in orders.items()}
    return Answer(verdicts, {"FRANCE": {NASTY: [NASTY]}}, units)


def is_first_question(board: Board) -> bool:
    return len(board.units) == 7


def raises_nasty_things(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    if is_first_question(board):
        return answer_from_outcome(judge(board, orders))
    raise ValueError(NASTY)


@pytest.mark.parametrize("engine", ["says_nasty_things", "raises_nasty_things"])
def test_what_an_engine_says_is_text_and_nothing_else(engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found, report, page = tmp_path / "found", tmp_path / "report.md", tmp_path / "report.html"
    arguments = ["--against", f"test_crosscheck_cli:{engine}", "datc:6.C.1", "--jobs", "1"]
    assert run(["crosscheck", *arguments, "--save", str(found), "--report", str(report), "--report", str(page)]) == 1
    captured = capsys.readouterr()
    files = [file.read_text(encoding="utf-8") for file in (report, page, *found.iterdir())]
    assert len(files) == 3
    for text in (captured.out, captured.err, *files):
        assert not set(text) & {"\x1b", "\u202e", "\udc80"}
    markdown, html, _ = files
    assert "alert(1)" in markdown
    assert "alert(1)" in html
    assert "<script>alert" not in markdown + html
    assert "\n# heading" not in markdown
    assert not re.search(r"(?<!\\)\[a(?<!\\)\]\(b\)", markdown)
    rows = [line for line in markdown.splitlines() if "alert" in line and line.startswith("|")]
    assert rows
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)  # no column more
    assert run(["crosscheck", *arguments, "--json"]) == 1
    assert "alert(1)" in json.dumps(json.loads(capsys.readouterr().out)["findings"])


WRONG: list[Any] = [None, "Answer", Answer({"FRANCE": [None]}, {}, {}), Answer({"X": []}, {}, {}), Answer({}, {}, {})]  # type: ignore[list-item]

SAID: Any = None


def says_what_it_is_told(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    return answer_from_outcome(judge(board, orders)) if is_first_question(board) else cast("Answer", SAID)


def raises_at_once(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    raise ValueError(NASTY)


def says_nothing(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> None:
    """An engine that forgets `return`."""


@pytest.mark.parametrize("command", [["crosscheck", "datc:6.C.1"], ["conformance", "--part", "catalogue"]])
@pytest.mark.parametrize("engine", ["raises_at_once", "says_nothing"])
def test_a_function_must_answer_the_first_question(command: list[str], engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "--against", f"test_crosscheck_cli:{engine}"]) == 2
    shown = capsys.readouterr().err
    problem = "raised ValueError: " if engine == "raises_at_once" else "wrong shape: it returned None instead of an `Answer`"
    assert f"'test_crosscheck_cli:{engine}' does not answer the first question correctly: {problem}" in shown
    assert "the function takes a board and the orders of each power" in shown
    assert not set(shown) & {"\x1b", "\u202e", "\udc80"}


def test_a_function_without_convoys_is_asked_a_simpler_first_question() -> None:
    def judge_places(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
        if is_first_question(board):
            raise NotImplementedError("convoys")
        return Answer({}, {}, answer_from_outcome(judge(board, orders)).units)

    assert Contact("places", load_rulebook("datc-3"), function=judge_places).probe_depth() is Depth.POSITIONS


@pytest.mark.parametrize("answer", WRONG)
def test_an_answer_of_the_wrong_shape_is_a_finding(
    answer: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.modules["test_crosscheck_cli"], "SAID", answer)
    against = ["--against", "test_crosscheck_cli:says_what_it_is_told"]
    assert run(["crosscheck", *against, "datc:6.D.1", "datc:6.A.5", "--jobs", "1", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["failed"] == 0
    assert {entry["kind"] for one in document["findings"] for entry in one["differences"]} == {"wrong shape"}


@pytest.mark.parametrize("where", ["judging", "shrinking", "explaining"])
def test_whatever_satjudge_raises_on_one_board_the_others_are_told(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`A PİC` was a KeyError: it ended the campaign."""
    calls = 0

    def failing(board: Board, *rest: Any, **more: Any) -> Outcome:  # noqa: ANN401
        nonlocal calls
        calls += 1
        if where != "judging" or calls == 2:
            raise KeyError("pi\u0307c")
        return judge(board, *rest, **more)

    if where == "judging":
        monkeypatch.setattr(campaign, "judge_phase", failing)
    elif where == "shrinking":
        monkeypatch.setattr(findings, "shrink_position", failing)
    else:
        monkeypatch.setattr(report, "judge_phase", failing)
        monkeypatch.setattr(report, "write_case", failing)
    found, state = tmp_path / "found", tmp_path / "state.jsonl"
    options = ["--save", str(found), "--report", str(tmp_path / "report.md"), "--checkpoint", str(state), "--jobs", "1"]
    command = ["crosscheck", "--against", "helpers.broken_engine:ring_broken", "datc:6.C", "datc:6.A", *options]
    code = run(command)
    captured = capsys.readouterr()
    if where == "judging":
        assert code == 3
        assert "satjudge itself failed on 1 board." in captured.out
        assert "internal error: KeyError: 'pi" in captured.err
        assert "## satjudge itself failed" in (tmp_path / "report.md").read_text(encoding="utf-8")
        assert run(command) == 3  # it is kept
    else:
        assert code == 1
        assert "KeyError: 'pi" in captured.out
    assert list(found.iterdir())
    assert "agree" in captured.out


def test_a_campaign_is_told_in_every_way_that_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk is full when the first report is written, and the terminal cannot write what is shown."""
    full, report = tmp_path / "full.md", tmp_path / "report.html"
    write = Path.write_bytes

    def write_bytes(path: Path, content: bytes) -> int:
        if path == full:
            raise OSError(28, "No space left on device")
        return write(path, content)

    def cannot_encode(*parts: object) -> None:
        raise UnicodeEncodeError("cp1252", "→", 0, 1, "no such character")

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    arguments = ["--against", "helpers.broken_engine:ring_broken", "datc:6.C", "--jobs", "1", "--save", str(tmp_path / "found")]
    assert run(["crosscheck", *arguments, "--report", str(full), "--report", str(report)]) == 2
    captured = capsys.readouterr()
    assert "No space left on device" in captured.err
    assert "not known (--known)" in captured.out
    assert "ring" in report.read_text(encoding="utf-8")
    report.unlink()
    monkeypatch.setattr(crosscheck, "show", cannot_encode)
    assert run(["crosscheck", *arguments, "--report", str(report)]) in (2, 3)
    assert report.exists()


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437"])
def test_a_campaign_is_shown_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    """What is found is written where it was to be saved, and shown as far as can be."""
    found = tmp_path / "found"
    arguments = ["--against", "test_crosscheck_cli:says_nasty_things", "datc:6.C.1", "--jobs", "1", "--save", str(found)]
    ran = subprocess.run(
        [sys.executable, "-c", "from satjudge.apps.cli import main; main()", "crosscheck", *arguments],
        capture_output=True, cwd=Path(__file__).parent, check=False, env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert list(found.iterdir())
    assert ran.returncode == 1, ran.stderr
    assert b"not known (--known)" in ran.stdout
