"""Each conjunct and exemption of each equation, broken once: some case must notice.

The mutations are those of `satjudge/engines/conformance/mutations.py`. What no case notices is listed in its `SURVIVORS` with
the reason; a mutation that is killed may not be listed there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from satjudge.base.errors import SatjudgeError
from satjudge.engines.conformance.mutations import MUTATIONS, ROOM_OF, SURVIVORS
from satjudge.engines.conformance.switchable_judge import FaultyJudge, make_faulty_judge
from satjudge.judging.check import CheckedCase
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Expectations, Sheet
from satjudge.world.rules import load_rulebook

KILLERS: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""A case that notices each mutation. If it does not any more all others are tried; it only spares time."""
COLLECTIONS = ("datc-3.2", "promoted", "datc-2.4", "rulebook-1971", "rulebook-1982", "variants")


@pytest.fixture(scope="module")
def sheets() -> list[Sheet]:
    return [sheet for collection in COLLECTIONS for sheet in read_collection(collection)]


def killed_by(sheets: list[Sheet], *names: str) -> str | None:
    """The case that notices a mutant with these mutations, if any does. That which is known to do so is tried first."""
    with make_faulty_judge(names) as judge:
        return _killed_by(sheets, judge, *(KILLERS[name] for name in names if name in KILLERS))


def _killed_by(sheets: list[Sheet], judge: FaultyJudge, first: str = "") -> str | None:
    trials = _trials(sheets, judge)
    for label in (*([first] if first in trials else []), *trials):
        try:
            if not trials[label]().passed:
                return label
        except (SatjudgeError, AssertionError):
            return label
    return None


def _trials(sheets: list[Sheet], judge: FaultyJudge) -> dict[str, Callable[[], CheckedCase]]:
    """What is expected of every case, by its ID; then of its blocks, by rulebook."""
    found: dict[str, Callable[[], CheckedCase]] = {}
    for sheet in sheets:
        found[sheet.identity] = partial(_checked, judge, sheet, sheet.rules)
    for sheet in sheets:
        for number, block in enumerate(sheet.under, start=1):
            for name in block.rulebooks:
                found[f"{sheet.identity} under {name}, block {number}"] = partial(_checked, judge, sheet, name, block)
    return found


def _checked(judge: FaultyJudge, sheet: Sheet, rules: str, block: Expectations | None = None) -> CheckedCase:
    rulebook, by = load_rulebook(rules), judge.get_module("satjudge.judging.check")
    found: CheckedCase
    if block is None:
        found = by.check(sheet, rulebook, Engine.STAGED)
    else:
        found = by.check_block(sheet, block, rulebook.with_settings(block.settings), Engine.STAGED)
    return found


@pytest.mark.parametrize(
    "name", [pytest.param(name, id=name, marks=[pytest.mark.slow] * (name in SURVIVORS)) for name in MUTATIONS]
)
def test_some_case_notices(name: str, sheets: list[Sheet]) -> None:
    killer = killed_by(sheets, name)
    assert (killer is None) == (name in SURVIVORS), f"{name}: killed by {killer}"


def test_the_case_that_is_tried_first_is_one_that_there_is(sheets: list[Sheet]) -> None:
    assert KILLERS.keys() <= ROOM_OF.keys() - SURVIVORS.keys()
    assert set(KILLERS.values()) <= _trials(sheets, make_faulty_judge([])).keys()


def test_unbroken_equations_pass(sheets: list[Sheet]) -> None:
    assert killed_by(sheets) is None
