"""The kit: what is in it, how an engine is asked, and what is told of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from satjudge.batch import answer_line
from satjudge.board import Board
from satjudge.cli import run
from satjudge.conformance.asking import conformance
from satjudge.conformance.kit import PARTS, map_audit
from satjudge.crosscheck.campaign import campaign_against
from satjudge.crosscheck.comparison import answer_of
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Listed
from satjudge.documents.conformance import Conformance
from satjudge.geography import Power
from satjudge.judge import judge
from satjudge.orders import Hold, Move, MovementOrder
from satjudge.solve import Engine

DOCS = Path(__file__).resolve().parents[1] / "docs" / "conformance.md"
GivenOrders = Mapping[Power, Sequence[MovementOrder]]


def right(board: Board, orders: GivenOrders) -> Answer:
    return answer_of(judge(board, orders))


def without_a_border(board: Board, orders: GivenOrders) -> Answer:
    """An engine on whose map no unit passes from Picardy to Belgium; the order is a hold to it."""

    def read(order: MovementOrder) -> MovementOrder:
        passes = isinstance(order, Move) and (order.unit.location, order.destination) == ("PIC", "BEL")
        return Hold(order.unit) if passes else order

    return right(board, {power: [read(order) for order in given] for power, given in orders.items()})


def says_otherwise(board: Board, orders: GivenOrders) -> Answer:
    """An engine that calls every order `given`, and is right about all else."""
    answer = right(board, orders)
    return replace(answer, verdicts={power: ["given"] * len(words) for power, words in answer.verdicts.items()})


def raises(board: Board, orders: GivenOrders) -> Answer:
    raise ZeroDivisionError


def asked(against: str, *names: str, only: str = "") -> Conformance:
    """What is told of an engine on these parts, or on the questions whose names begin so."""
    campaign = campaign_against(against, Listed(()), engine=Engine.STAGED)
    parts = {name: [one.asked for one in PARTS[name].make() if one.name.startswith(only)] for name in names}
    return conformance(campaign, parts)


# ---- what is in the kit ----


def test_the_map_audit_has_every_move_of_one_unit_once() -> None:
    questions = list(map_audit())
    moves = {(str(question.board.units[0]), question.name) for question in questions}
    assert len(moves) == len(questions) == 7106
    assert {"A PAR - BUR", "A PAR - MUN", "F STP/NC - NWY", "F MAO - SPA/SC"} <= {name for _, name in moves}
    assert not {"F SPA/NC - SPA/SC", "A PAR - ENG", "F MAO - SPA"} & {name for _, name in moves}


@pytest.mark.parametrize("name", [name for name in PARTS if name != "map"])
def test_the_expected_answers_are_those_of_batch(name: str) -> None:
    """So that a program that writes batch answers is compared with the like."""
    for line in PARTS[name].lines():
        answer, wanted = json.loads(answer_line(line)), json.loads(line)["expected"]
        assert {key: answer.get(key) for key in wanted} == wanted, json.loads(line)["id"]


@pytest.mark.parametrize("name", PARTS)
def test_names_are_distinct(name: str) -> None:
    names = [question.name for question in PARTS[name].make()]
    assert len(set(names)) == len(names)


def test_the_documented_parts_are_those_that_there_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.+) \|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(part.name, f"{sum(1 for _ in part.make()):,}", part.about) for part in PARTS.values()]


def test_the_documented_line_is_one_of_the_kit() -> None:
    (shown,) = re.findall(r"^```\n(\{.+\})\n```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert [one.answered for one in map_audit() if one.name == json.loads(shown)["id"]] == [shown.encode()]


# ---- asking ----


def test_a_right_engine_agrees() -> None:
    found = asked("test_conformance:right", "datc", "catalogue", "retreats")
    assert [(part.part, part.asked, part.agreed) for part in found.parts[:2]] == [("datc", 156, 156), ("catalogue", 38, 38)]
    assert found.parts[2].not_asked + found.parts[2].agreed == 22
    assert found.differing == 0
    assert found.summary.startswith("On 1")


def test_a_missing_border_is_named() -> None:
    found = asked("test_conformance:without_a_border", "map", only="A PIC")
    (otherwise,) = found.parts[0].findings
    assert otherwise.question == "A PIC - BEL"
    assert {difference.subject for difference in otherwise.differences} == {"A BEL", "A PIC"}


def test_borders_are_compared_by_positions_and_other_parts_by_verdicts() -> None:
    found = asked("test_conformance:says_otherwise", "map", "catalogue", only="A P")
    assert (found.parts[0].agreed, found.parts[0].findings) == (found.parts[0].asked, [])
    found = asked("test_conformance:says_otherwise", "catalogue")
    assert len(found.parts[0].findings) == 38


def test_what_an_engine_raises_is_a_finding() -> None:
    (otherwise, *_) = asked("test_conformance:raises", "catalogue").parts[0].findings
    assert [difference.kind for difference in otherwise.differences] == ["raised ZeroDivisionError"]


def test_an_engine_that_is_lost_ends_it_and_is_told() -> None:
    code = "import sys; print(sys.stdin.readline() and 0, flush=True); sys.exit(3)"
    campaign = campaign_against("satjudge-staged", Listed(()))
    contact = replace(campaign.contact, against=f"python3 -c '{code}'", restarts=3)
    lines = {name: [question.asked for question in PARTS[name].make()] for name in ("catalogue", "datc")}
    found = conformance(replace(campaign, contact=contact), lines)
    assert [(part.part, part.asked) for part in found.parts] == [("catalogue", 2)]
    assert found.lost.startswith("The engine was lost in the part catalogue: it failed 3 times in a row")


# ---- the command ----


def test_the_command_tells_how_an_engine_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "--against", "test_conformance:says_otherwise", "--part", "datc", "--only", "6.A.1"]) == 1
    told = capsys.readouterr().out
    assert "F NTH - PIC (ENGLAND)" in told
    assert "1 of 1 question answered otherwise, in the parts datc." in told
    assert run(["conformance", "--against", "kruijswijk-partial", "--part", "catalogue"]) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name an engine with --against, or write the kit with --make DIR"),
        (["--against", "satjudge-full", "--part", "borders"], "there is no part 'borders' (there are map, datc,"),
        (["--against", "satjudge-full", "--part", "datc", "--only", "9.Z.9"], "there is no question '9.Z.9'"),
    ],
)
def test_mistakes(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", *arguments]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_the_kit_is_written_as_batch_lines_with_an_index(tmp_path: Path) -> None:
    assert run(["conformance", "--make", str(tmp_path), "--part", "catalogue", "--part", "adjustments"]) == 0
    index = msgspec.json.decode((tmp_path / "kit.json").read_bytes())
    assert {name: part["questions"] for name, part in index["parts"].items()} == {"catalogue": 38, "adjustments": 31}
    lines = (tmp_path / "adjustments.jsonl").read_bytes().splitlines()
    assert lines == PARTS["adjustments"].lines()
    assert all({"id", "phase", "rules", "units", "orders", "centers", "expected"} <= json.loads(line).keys() for line in lines)
