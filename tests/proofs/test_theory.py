"""The formal theory (`models/theory`): it is proved without axioms, and it says of boards what satjudge says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from helpers import theory, theory_mutations
from helpers.oracle_cases import DATC, Orders, expected_verdicts, orders_of, position

from satjudge.bulk.random_boards.boards import MIX, SIZES, random_board
from satjudge.judging.judge import resolutions
from satjudge.judging.solve.result import Resolutions
from satjudge.world.board import Board, by_power

pytestmark = pytest.mark.skipif(bool(theory.MISSING), reason=f"needs {', '.join(theory.MISSING)}: {theory.HOW}")
ADAPTER = Path(__file__).resolve().parents[2] / "adapters" / "theory" / "theory_lines.py"
ENUMERABLE = 14
"""Boards with more decisions are not enumerated but given to the procedure that is proved."""


POSITIONS = {
    "a fleet convoys somebody else": ("England: F NTH C A YOR - BEL", "England: A LON - BEL", "England: A YOR H"),
    "a fleet convoys to elsewhere": ("England: F NTH C A LON - NWY", "England: A LON - BEL"),
    "the first of three fleets is dislodged": (
        "England: A LON - STP", "England: F NTH C A LON - STP", "England: F NWG C A LON - STP", "England: F BAR C A LON - STP",
        "Germany: F SKA - NTH", "Germany: F DEN S F SKA - NTH",
    ),
    "foreign support against an own unit": ("France: A PAR - BUR", "France: A BUR H", "Germany: A MUN S A PAR - BUR"),
}  # fmt: skip


def successes(found: Resolutions) -> set[theory.Resolution]:
    """The resolutions that satjudge finds, each as the provinces whose orders succeed."""
    decisions = found.situation.order_decisions
    return {frozenset(one.province for one in decisions if values[one.index]) for values in found}


def assert_agrees(boards: Iterable[tuple[Board, Orders]]) -> None:
    """The formal theory finds the resolutions that satjudge finds."""
    found = [resolutions(board, orders, rulebook="datc-3") for board, orders in boards]
    commands = ["enumerate" if len(one.situation.decisions) <= ENUMERABLE else "solve" for one in found]
    answers = theory.ask([theory.problem(one.situation) for one in found], commands)
    for ours, answer in zip(found, answers, strict=True):
        assert answer == successes(ours), [str(one) for one in ours.situation.decisions]


@pytest.mark.slow
def test_nothing_is_taken_for_granted() -> None:
    proofs = {path.name: path.read_text(encoding="utf-8") for path in theory.THEORY.glob("*.v")}
    words = r"^\s*(Axiom|Axioms|Parameter|Parameters|Conjecture|Admitted|Abort)\b|\badmit\b|\bUnset Guard Checking\b"
    assert not [name for name, text in proofs.items() if re.search(words, text, re.MULTILINE)]
    asked = re.findall(r"^Print Assumptions \w+\.", proofs["Assumptions.v"], re.MULTILINE)
    said = (theory.built() / "Assumptions.out").read_text(encoding="utf-8").splitlines()
    assert said == ["Closed under the global context"] * len(asked)
    proved = {name for text in proofs.values() for name in re.findall(r"^Theorem (\w+)", text, re.MULTILINE)}
    assert proved <= {line.split()[-1].rstrip(".") for line in asked}


@pytest.mark.slow
def test_the_cases_of_the_datc() -> None:
    assert len(DATC) >= 156
    assert_agrees((sheet.board, orders_of(sheet)) for sheet in DATC)


@pytest.mark.slow
@pytest.mark.parametrize("lines", POSITIONS.values(), ids=POSITIONS)
def test_what_no_case_of_the_datc_shows(lines: tuple[str, ...]) -> None:
    assert_agrees([position(*lines)])


@pytest.mark.slow
def test_random_boards() -> None:
    random = Random(42)
    assert_agrees(random_board(random, random.choice(MIX), random.choice(SIZES)) for _ in range(10_000))


@pytest.mark.slow
def test_the_adapter_tells_the_verdicts_of_the_cases() -> None:
    requests = [
        {
            "id": sheet.identity,
            "units": by_power(sheet.board.units),
            "orders": {p: list(map(str, o)) for p, o in orders_of(sheet).items()},
        }
        for sheet in DATC
    ]
    command = [sys.executable, str(ADAPTER), str(theory.built() / "theory")]
    lines = "".join(f"{json.dumps(request)}\n" for request in requests)
    told = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=600).stdout.splitlines()
    answers = {answer["id"]: answer.get("results", answer) for answer in map(json.loads, told)}
    assert answers == {sheet.identity: expected_verdicts(sheet) for sheet in DATC}


@pytest.fixture(scope="module")
def questions() -> list[tuple[str, list[str], set[theory.Resolution]]]:
    """Each case with few enough decisions, as a problem, and its resolutions."""
    boards: list[tuple[str, tuple[Board, Orders]]] = [(sheet.identity, (sheet.board, orders_of(sheet))) for sheet in DATC]
    boards += [(name, position(*lines)) for name, lines in POSITIONS.items()]
    found = [(name, resolutions(*board, rulebook="datc-3")) for name, board in boards]
    few = [(name, one) for name, one in found if len(one.situation.decisions) <= ENUMERABLE]
    return [(name, list(theory.problem(one.situation)), successes(one)) for name, one in few]


def noticed_by(questions: list[tuple[str, list[str], set[theory.Resolution]]], program: Path) -> list[str]:
    """The cases that come out differently by a program."""
    answers = theory.ask([lines for _, lines, _ in questions], program=program)
    return [name for (name, _, ours), answer in zip(questions, answers, strict=True) if answer != ours]


@pytest.mark.campaign
@pytest.mark.parametrize("name", theory_mutations.MUTATIONS)
def test_a_case_notices_each_broken_clause(
    name: str, tmp_path: Path, questions: list[tuple[str, list[str], set[theory.Resolution]]]
) -> None:
    program = theory_mutations.specification_alone(theory_mutations.mutated(name, tmp_path / "theory"))
    assert noticed_by(questions, program)


@pytest.mark.campaign
@pytest.mark.parametrize("name", theory_mutations.EQUIVALENT)
def test_what_is_said_twice_may_be_said_once(
    name: str, tmp_path: Path, questions: list[tuple[str, list[str], set[theory.Resolution]]]
) -> None:
    program = theory_mutations.specification_alone(theory_mutations.mutated(name, tmp_path / "theory"))
    assert not noticed_by(questions, program)
