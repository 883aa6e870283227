"""The formal theory (`models/theory`): it is proved without axioms, and it says of boards what satjudge says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

import pytest
from helpers import theory
from helpers.oracle_cases import DATC, Orders, orders_of

from satjudge.bulk.boards import MIX, SIZES, random_board
from satjudge.judging.judge import resolutions
from satjudge.judging.solve.result import Resolutions
from satjudge.world.board import Board

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(theory.MISSING), reason=f"needs {', '.join(theory.MISSING)}: {theory.HOW}"),
]
ENUMERABLE = 14
"""Boards with more decisions are not enumerated but given to the procedure that is proved."""


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


def test_nothing_is_taken_for_granted() -> None:
    proofs = {path.name: path.read_text(encoding="utf-8") for path in theory.THEORY.glob("*.v")}
    words = r"^\s*(Axiom|Axioms|Parameter|Parameters|Conjecture|Admitted|Abort)\b|\badmit\b|\bUnset Guard Checking\b"
    assert not [name for name, text in proofs.items() if re.search(words, text, re.MULTILINE)]
    asked = re.findall(r"^Print Assumptions \w+\.", proofs["Assumptions.v"], re.MULTILINE)
    said = (theory.built() / "Assumptions.out").read_text(encoding="utf-8").splitlines()
    assert said == ["Closed under the global context"] * len(asked)
    proved = {name for text in proofs.values() for name in re.findall(r"^Theorem (\w+)", text, re.MULTILINE)}
    assert proved <= {line.split()[-1].rstrip(".") for line in asked}


def test_the_cases_of_the_datc() -> None:
    assert len(DATC) >= 156
    assert_agrees((sheet.board, orders_of(sheet)) for sheet in DATC)


def test_random_boards() -> None:
    random = Random(42)
    assert_agrees(random_board(random, random.choice(MIX), random.choice(SIZES)) for _ in range(10_000))
