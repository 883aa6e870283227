"""Where authors work: scores by topic, JUnit XML, a badge, and the page about an engine."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from helpers.taken_apart import Page

from satjudge.apps.cli import run
from satjudge.engines.campaign import make_campaign
from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.documents.campaigns import Differing
from satjudge.engines.documents.conformance import (
    Cause,
    Conformance,
    Contradiction,
    Diagnosis,
    Otherwise,
    Shown,
    TopicScore,
    format_share,
)
from satjudge.engines.kit.parts import PARTS, load_stored_questions
from satjudge.engines.kit.run import TOPICS, ask_kit, find_topic, make_badge
from satjudge.engines.positions import ListedPositions
from satjudge.judging.judge import judge_phase
from satjudge.judging.solve import Engine
from satjudge.oracles.oracle import Answer
from satjudge.show.engines import format_finding, format_junit, iter_conformance_text
from satjudge.show.layout import StyledText
from satjudge.show.report import format_run_page, make_run_page
from satjudge.world.board import Board
from satjudge.world.geography import Power
from satjudge.world.orders import Hold, Move, Order
from satjudge.world.rules import load_rulebook, options

DOCS = Path(__file__).resolve().parents[2] / "docs" / "guides" / "conformance.md"
Orders = Mapping[Power, Sequence[Order]]
FAILURE = """\
A VIE - TYR (AUSTRIA): expected fails, got succeeds

6.A.11: part datc, topic moves, movement phase, rulebook datc-3

  AUSTRIA: A VIE
  ITALY: A VEN

           order        expected   got
  AUSTRIA  A VIE - TYR  fails      succeeds
  ITALY    A VEN - TYR  fails
  AUSTRIA  A TYR        not there  there
  AUSTRIA  A VIE        there      not there

because A VIE - TYR fails: attack 1 (itself) does not exceed prevent 1 of A VEN - TYR (itself) [5.B.1]

satjudge conformance --against test_conformance_reports:hasty --part datc --only 6.A.11"""


def hasty(board: Board, orders: Orders) -> Answer:
    """An engine in which one of two moves to Tyrolia gets there, that does no adjustments, and dies of Belgium."""
    if board.phase.value == "adjustment":
        raise NotImplementedError("no builds <yet>")
    given = [order for one in orders.values() for order in one]
    if any(isinstance(order, Move) and order.destination == "BEL" for order in given):
        raise ZeroDivisionError("division\x1b \ufffe\ud800 ]]> by zero")
    to_tyrolia = [order for order in given if isinstance(order, Move) and order.destination == "TYR"]
    first = max(to_tyrolia, key=str, default=None)
    read = {
        power: [
            Hold(order.unit) if isinstance(order, Move) and order.destination == "TYR" and order != first else order
            for order in one
        ]
        for power, one in orders.items()
    }
    said = answer_from_outcome(judge_phase(board, read))
    right = answer_from_outcome(judge_phase(board, orders))
    moved = {first.unit.location: "succeeds"} if first else {}
    words = {
        power: [
            moved.get(order.unit.location, word) if isinstance(order, Move) else word
            for order, word in zip(orders[power], right.verdicts[power], strict=True)
        ]
        for power in right.verdicts
    }
    return replace(said, verdicts=words)


@cache
def lines() -> dict[str, list[bytes]]:
    return {name: [question.question_line for question in PARTS[name].make()] for name in ("datc", "adjustments", "catalogue")}


@cache
def asked(against: str, *names: str) -> Conformance:
    campaign = make_campaign(against, ListedPositions(()), engine=Engine.STAGED)
    return ask_kit(campaign, {name: lines()[name] for name in names})


def found(question: str) -> str:
    (finding,) = (one for one in asked("test_conformance_reports:hasty", "datc").parts[0].findings if one.question == question)
    return format_finding(finding)


# ---- topics and scores ----


@pytest.mark.parametrize(
    ("part", "name", "topic"),
    [
        ("map", "A PAR - BUR", "borders"), ("map", "F MAO - SPA/SC", "coasts"), ("map", "A PAR - MUN", "no border"),
        ("datc", "6.A.4", "no border"), ("datc", "6.A.8", "legality"), ("datc", "6.A.11", "moves"),
        ("datc", "6.B.4", "coasts"), ("datc", "6.C.1", "circular movement"), ("datc", "6.D.1", "supports"),
        ("datc", "6.E.1", "head-to-head battles"), ("datc", "6.F.2", "convoys"), ("datc", "6.F.14", "paradoxes"),
        ("retreats", "6.F.7/retreats", "retreats"), ("adjustments", "6.I.1", "adjustments"),
    ],
)  # fmt: skip
def test_topics(part: str, name: str, topic: str) -> None:
    question = next(one for one in PARTS[part].make() if one.name == name)
    assert find_topic(question.board, question.orders, question.rulebook) == topic


def test_the_documented_topics_are_those_that_there_are() -> None:
    page = (DOCS.parents[1] / "reference" / "asked-engines.md").read_text(encoding="utf-8").partition("## Topics of the kit")[2]
    rows = re.findall(r"^\| `([\w -]+)` \| ([^|\d]+) \|$", page, re.MULTILINE)
    assert rows == [(topic.name, topic.about) for topic in TOPICS]


def test_the_weight_of_a_topic_is_documented() -> None:
    assert f"Each of the {len(TOPICS)} topics has the same weight." in " ".join(DOCS.read_text(encoding="utf-8").split())


def test_the_issues_on_the_page_of_engines_are_explained_there() -> None:
    text = (DOCS.parents[1] / "papers" / "engines.md").read_text(encoding="utf-8")
    asked = dict(re.findall(r"^\| (4\.\S+) \| (.+) \|$", text, re.MULTILINE))
    assert asked == {option.issue: option.question for option in options() if re.search(rf"\b{option.issue}[=:,.`) ]", text)}


def test_maps_with_rules_of_their_own_are_a_topic() -> None:
    questions = [one for one in load_stored_questions("clauses") if not one.board.map.is_standard]
    assert {find_topic(one.board, one.orders, one.rulebook) for one in questions} == {"variants"}


def test_a_position_without_an_answer_is_a_paradox() -> None:
    question = next(one for one in PARTS["datc"].make() if one.name == "6.F.18")
    assert find_topic(question.board, question.orders, load_rulebook("1971")) == "paradoxes"


def test_scores_count_what_is_compared_and_in_the_order_of_the_topics() -> None:
    run = asked("test_conformance_reports:hasty", "datc", "adjustments")
    assert [one.topic for one in run.topics] == [
        one.name for one in reversed(TOPICS) if one.name in {one.topic for one in run.topics}
    ]
    assert sum(one.compared for one in run.topics) == run.parts[0].asked == 156
    assert sum(one.compared - one.right for one in run.topics) == run.differing == len(run.parts[0].findings) > 0
    assert "adjustments" not in {one.topic for one in run.topics}
    assert set(run.parts[1].others.values()) == {"skipped: no builds <yet>"}


def test_the_score_is_the_mean_of_the_topics_and_never_rounded_up() -> None:
    run = asked("satjudge-staged", "catalogue")
    assert (run.score, format_share(1.0)) == (1.0, "100%")
    most = msgspec.structs.replace(run, topics=[TopicScore("borders", 9999, 9998), TopicScore("convoys", 2, 1)])
    assert most.score == pytest.approx(0.74995)
    assert format_share(9998 / 9999) == "99.9%"
    assert msgspec.structs.replace(run, topics=[]).score is None


@pytest.mark.slow
def test_an_engine_that_is_explained_is_right() -> None:
    run = asked("kruijswijk-guess", "datc")
    assert {one.right - one.compared for one in run.topics} == {0}


# ---- a finding as text ----


def test_a_failure_shows_board_expected_got_and_rule() -> None:
    assert found("6.A.11") == FAILURE


def test_the_line_of_a_finding_is_a_question_with_its_answer() -> None:
    finding = asked("test_conformance_reports:hasty", "datc").parts[0].findings[0]
    answers = {line["id"]: line for line in (json.loads(question.answered_line) for question in PARTS["datc"].make())}
    assert json.loads(finding.line) == answers[finding.question]


# ---- JUnit XML ----


def test_junit_has_a_case_for_each_question() -> None:
    run = asked("test_conformance_reports:hasty", "datc", "adjustments")
    builds = len([*PARTS["adjustments"].make()])
    suites = ElementTree.fromstring(format_junit(run, lines()))
    assert [(suite.get("name"), suite.get("tests")) for suite in suites] == [("datc", "156"), ("adjustments", str(builds))]
    assert (suites.get("failures"), suites.get("skipped")) == (str(run.differing), str(builds))
    assert len(suites.findall(".//testcase")) == 156 + builds
    (case,) = suites.findall(".//testcase[@name='6.A.11']")
    failure = case.find("failure")
    assert failure is not None
    assert case.get("classname") == "satjudge.datc"
    assert (failure.text, failure.get("type")) == (FAILURE, "Move: fails / succeeds")
    assert failure.get("message") == "A VIE - TYR (AUSTRIA): expected fails, got succeeds"
    skipped = suites.find("testsuite[@name='adjustments']/testcase/skipped")
    assert skipped is not None
    assert skipped.get("message") == "skipped: no builds <yet>"
    died = next(one for one in suites.findall(".//failure") if "ZeroDivisionError" in (one.text or ""))
    assert "division\\x1b \ufffd\\ud800 ]]> by zero" in (died.text or "")


def test_junit_tells_of_contradictions_of_lost_engines_and_of_what_is_explained() -> None:
    run = asked("satjudge-staged", "catalogue")
    first = json.loads(lines()["catalogue"][0])["id"]
    part = msgspec.structs.replace(run.parts[0], asked=3, others={first: "explained: so it is"})
    run = msgspec.structs.replace(
        run, parts=[part], lost="The engine was lost.", contradicting=[Contradiction("6.A.1", "powers renamed", "a; then b")]
    )
    suites = ElementTree.fromstring(format_junit(run, lines()))
    assert len(suites.findall(".//testcase[@classname='satjudge.catalogue']")) == 3
    told = {case.get("name"): case.findtext("failure") for case in suites.findall(".//testcase[@classname='satjudge.conduct']")}
    assert told == {"powers renamed": "6.A.1, powers renamed: a; then b", "lost": "The engine was lost."}
    assert suites.findtext(f".//testcase[@name='{first}']/system-out") == "explained: so it is"


# ---- the badge ----


@pytest.mark.parametrize(
    ("right", "message", "colour"),
    [(100, "100%", "brightgreen"), (99, "99%", "green"), (90, "90%", "yellow"), (70, "70%", "orange"), (1, "1%", "red")],
)
def test_the_badge_is_a_shields_endpoint(right: int, message: str, colour: str) -> None:
    run = msgspec.structs.replace(asked("satjudge-staged", "catalogue"), topics=[TopicScore("moves", 100, right)], digest="00")
    written = msgspec.to_builtins(make_badge(run))
    assert written == {"schemaVersion": 1, "label": "Diplomacy rules: datc-3", "message": message, "color": colour}


def test_the_badge_of_an_engine_that_is_lost_or_contradicts_itself() -> None:
    run = asked("satjudge-staged", "catalogue")
    assert make_badge(msgspec.structs.replace(run, lost="The engine was lost.")).color == "red"
    assert make_badge(msgspec.structs.replace(run, contradicting=[Contradiction("6.A.1", "asked again", "")])).color == "yellow"
    assert make_badge(msgspec.structs.replace(run, topics=[])).message == "nothing compared"


# ---- the page ----


def test_the_page_leads_with_what_is_wrong_and_draws_the_smallest_findings() -> None:
    run = asked("test_conformance_reports:hasty", "datc", "adjustments")
    some = [one for one in run.parts[0].findings if one.topic in ("moves", "coasts")][:8]
    run = msgspec.structs.replace(run, parts=[msgspec.structs.replace(run.parts[0], findings=some), run.parts[1]])
    text = format_run_page(run)
    told = Page(text)
    headings = [told.words.index(title) for title in ("Diagnosis", "Scores", "Findings", "Parts")]
    assert headings == sorted(headings)
    assert run.summary in told.words
    assert "A VIE - TYR fails: attack 1 (itself) does not exceed prevent 1" in told.words
    by_topic = Counter(one.topic for one in some)
    assert told.count("figure") == sum(min(5, number) for number in by_topic.values()) > 1
    assert make_run_page(msgspec.json.encode(run)) == text


def test_the_page_and_junit_lead_with_the_diagnosis() -> None:
    units, orders = {"AUSTRIA": ["A VIE"]}, {"AUSTRIA": ["A VIE - TYR"]}
    shown = Shown("A VIE - TYR", "movement", units, orders, {"AUSTRIA": ["stands"]})
    causes = [Cause("border", "A VIE - TYR", "borders missing: A VIE - TYR", 3, [shown], ["no army moves"])]
    diagnosis = Diagnosis(
        "datc-3", [], ["2023"], causes, [replace_question(shown, "6.A.1"), replace_question(shown, "6.A.2")], 100, 6, 1, 2
    )
    run = msgspec.structs.replace(asked("satjudge-staged", "catalogue"), diagnosis=diagnosis)
    told = Page(format_run_page(run))
    assert f"The engine {diagnosis.says}." in told.words
    assert "6 answers to the kit differ: this explains 3; 1 more may result from a wrong border" in told.words
    assert "It explains 3 of the 6 answers that differ. The answers do not distinguish this from: no army moves." in told.words
    assert told.words.index("borders missing") < told.words.index("2 unexplained answers") < told.words.index("Scores")
    assert told.count("figure") == 3
    suites = ElementTree.fromstring(format_junit(run, lines()))
    assert suites.findtext("testsuite[@name='diagnosis']/system-out") == f"The engine {diagnosis.says}."


def test_several_explanations_are_a_list_and_what_nothing_explains_has_its_reasons() -> None:
    shown = Shown("6.A.1", "movement", {"AUSTRIA": ["A VIE"]}, {"AUSTRIA": ["A VIE - TYR"]}, {"AUSTRIA": ["stands"]})
    causes = [Cause("fault", "HOLD", "A unit holds", 3, [], ["no army moves", "no fleet moves"])]
    known = asked("satjudge-staged", "catalogue")
    differing = Otherwise("6.A.1", [Differing("verdict", "AUSTRIA", "A VIE - TYR")], reasons=["it is free"])
    differing.line = json.dumps({"phase": "movement", "rules": "datc-3", "units": shown.units, "orders": shown.orders})
    parts = [msgspec.structs.replace(known.parts[0], findings=[differing])]
    diagnosis = Diagnosis("datc-3", [], [], causes, [shown], 100, 6, 1, 2)
    run = msgspec.structs.replace(known, diagnosis=diagnosis, parts=parts)
    told = [part.plain_text for part in iter_conformance_text(run) if isinstance(part, StyledText)]
    assert "Or one of these, which the answers cannot distinguish from it:" in told
    assert {"  - no army moves", "  - no fleet moves"} <= set(told)
    (unexplained,) = [text for text in told if text.startswith("\nunexplained")]
    assert unexplained.endswith("\n  because it is free")
    differing.line = differing.line.replace("TYR", "BOH")  # of another board than the part of it that is shown
    assert "it is free" not in "".join(part.plain_text for part in iter_conformance_text(run) if isinstance(part, StyledText))


def replace_question(shown: Shown, question: str) -> Shown:
    return msgspec.structs.replace(shown, question=question)


def test_the_page_of_a_right_engine() -> None:
    told = Page(format_run_page(asked("satjudge-staged", "catalogue")))
    assert "On 38 questions, there are no differences." in told.words
    assert told.count("figure") == 0


def test_the_summary_counts_what_was_compared_and_tells_what_was_skipped() -> None:
    run = asked("test_conformance_reports:hasty", "datc", "adjustments")
    datc, adjustments = run.parts
    skipped = "; 61 were skipped (no builds <yet>)."
    differ = f"{len(datc.findings)} of 156 questions differently, in the parts datc{skipped}"
    assert f"The engine answered {differ}" in run.summary
    right = msgspec.structs.replace(datc, findings=[])
    for parts, summary in (
        ([right, adjustments], f"On 156 questions, there are no differences{skipped}"),
        ([msgspec.structs.replace(right, explained=3), adjustments], f"On 156 questions, all differences are known{skipped}"),
        ([adjustments], f"No question was compared{skipped}"),
    ):
        assert msgspec.structs.replace(run, parts=parts, contradicting=[]).summary == summary


# ---- the command ----


def test_the_command_writes_them_all(tmp_path: Path) -> None:
    files = {name: tmp_path / f"kit.{name}" for name in ("xml", "json", "html")}
    options = [f"--{'badge' if name == 'json' else 'report'}={path}" for name, path in files.items()]
    against = ["--against", "test_conformance_reports:hasty"]
    assert run(["conformance", *against, "--part", "datc", "--only", "6.A.11", *options]) == 1
    assert ElementTree.parse(files["xml"]).getroot().get("failures") == "1"
    assert json.loads(files["json"].read_text(encoding="utf-8"))["message"] == "0%"
    assert "A VIE - TYR" in Page(files["html"].read_text(encoding="utf-8")).words


def test_a_report_that_cannot_be_written_is_refused_before_anybody_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["conformance", "--against", "satjudge-staged", "--report", str(tmp_path / "none" / "kit.xml")]) == 2
    assert "there is no directory" in capsys.readouterr().err


# ---- Python functions that tell less ----


def positions_only(board: Board, orders: Orders) -> Answer:
    return replace(answer_from_outcome(judge_phase(board, orders)), verdicts={}, dislodged={})


def no_verdicts(board: Board, orders: Orders) -> Answer:
    return replace(answer_from_outcome(judge_phase(board, orders)), verdicts={})


@pytest.mark.parametrize(
    ("engine", "depth"), [("positions_only", "positions"), ("no_verdicts", "dislodgements"), ("hasty", "verdicts")]
)
def test_a_python_function_is_compared_in_what_it_tells(engine: str, depth: str) -> None:
    run = asked(f"test_conformance_reports:{engine}", "catalogue")
    assert run.depth == depth
    assert engine == "hasty" or run.differing == 0
