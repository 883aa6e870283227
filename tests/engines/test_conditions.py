"""Faults with conditions: where they apply, and how the circumstances of an engine's mistake are found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.seeded_engines import CONDITIONAL, diagnosed, right, seeds

from satjudge.engines.conformance.fault_search import Suspect
from satjudge.engines.conformance.faults import FAULTS, name_conditional_fault, split_fault
from satjudge.engines.conformance.hypotheses import Hypothesis, answer_position, parse_hypothesis
from satjudge.engines.conformance.switchable_judge import (
    ALWAYS,
    NEVER,
    get_switchable_judge,
    list_circumstances,
    make_faulty_judge,
    make_mask,
)
from satjudge.engines.kit.parts import PARTS, iter_fixed_boards, list_evidence_positions
from satjudge.engines.positions import parse_position
from satjudge.world.board import Phase
from satjudge.world.rules import load_rulebook

SEEDS = {seed.name: seed for seed in seeds()}
NEVER_CUT = "SUPPORT never cut"


def test_a_fault_with_a_condition_is_told_by_its_name() -> None:
    name = name_conditional_fault(NEVER_CUT, ["the moving unit is convoyed", "the moving unit is an army"])
    assert name == "SUPPORT never cut, if the moving unit is an army and the moving unit is convoyed"
    assert split_fault(name) == (NEVER_CUT, ("the moving unit is an army", "the moving unit is convoyed"))
    assert split_fault(NEVER_CUT) == (NEVER_CUT, ())
    assert name_conditional_fault(NEVER_CUT, ()) == NEVER_CUT


def test_a_fault_under_complementary_conditions_is_the_fault() -> None:
    """Where both conditions are added the fault applies everywhere; where neither is true it never does."""
    positions = list_evidence_positions()[::3]
    usual, always = (Hypothesis("datc-3", (), faults).list_answers(positions) for faults in ((), (NEVER_CUT,)))
    army, fleet = (f"{NEVER_CUT}, if the moving unit is {kind}" for kind in ("an army", "a fleet"))
    by_army, by_fleet, both = (
        Hypothesis("datc-3", (), one).list_answers(positions) for one in ((army,), (fleet,), (army, fleet))
    )
    assert both == always
    assert usual not in (by_army, always)
    for plain, one, other, whole in zip(usual, by_army, by_fleet, always, strict=True):
        assert plain == whole or plain != one or plain != other  # what the fault changes one of the two changes


def test_a_fault_may_change_an_answer_in_some_cases_only_where_it_changes_none_as_a_whole() -> None:
    """Two convoys are broken, one of which only the other's attack hangs on: a single one of them changes the answer."""
    fault, some = "CONVOY broken by an attack", "another unit goes to the destination of the moving unit"
    (question,) = (one for one in PARTS["catalogue"].make() if one.name == "catalogue-2C2M2S-2r-7cdeddd0")
    position = [parse_position(question.question_line)]
    usual = Hypothesis("datc-3").list_answers(position)
    assert Hypothesis("datc-3", (), (fault,)).list_answers(position) == usual
    assert Hypothesis("datc-3", (), (name_conditional_fault(fault, [some]),)).list_answers(position) != usual


def test_a_condition_that_is_never_true_changes_nothing() -> None:
    positions = list_evidence_positions()[::40]
    usual = Hypothesis("datc-3").list_answers(positions)
    for fault in FAULTS[::12]:
        try:
            judge = make_faulty_judge([f"{fault}, if pigs fly"])
        except ValueError as error:  # a function that yields parts of an equation
            assert "yields parts" in str(error)  # noqa: PT017
            continue
        judge.close()
        assert Hypothesis("datc-3", (), (f"{fault}, if pigs fly",)).list_answers(positions) == usual, fault


def test_a_fault_of_what_functions_do_without_returning_is_made_instead() -> None:
    """A convoy order that matches no army is matched nowhere; it was matched all the same after the faulty piece."""
    fault = "a convoy order matches no army"
    positions = [position for position in list_evidence_positions() if "C A " in str(position.line)][:10]
    always = Hypothesis("datc-3", (), (fault,)).list_answers(positions)
    with make_faulty_judge(
        [f"{fault}, if the order helps an own unit", f"{fault}, if the order helps a foreign unit"]
    ) as judge:
        judge.circumstances.set_conditions({0: []})
        assert [answer_position(position, load_rulebook(), judge.judge) for position in positions] == always


def test_what_units_are_ordered_to_do_is_a_circumstance() -> None:
    """Of a unit attacked, or supported in place, which has no decision of its own that would tell."""
    (position,) = (one for one in list_evidence_positions() if one.name == "6.D.5")  # a supporting unit is supported in place
    judge = get_switchable_judge()
    with judge.lock:
        judge.switch_on(("HOLD without supports, if nowhere",))
        judge.answer_position(position, load_rulebook())
        true = {one for use in judge.get_uses("HOLD without supports") for one in list_circumstances(use)}
        judge.switch_on(())
    assert {"the unit there supports a move", "the unit there supports", "the unit there does not move"} <= true
    assert "the unit there supports a unit in place" not in true


def test_a_fault_with_a_condition_can_be_known() -> None:
    """`--known` takes the name that the diagnosis tells."""
    told = parse_hypothesis("SUPPORT never cut, if the moving unit is convoyed", load_rulebook())
    assert told.faults == ("SUPPORT never cut, if the moving unit is convoyed",)


def test_circumstances_of_retreats_and_builds_are_met_on_the_boards() -> None:
    """Each of two opposite circumstances tells boards that the fault alone tells, and both together tell all of them."""
    boards = [parse_position(one.question_line) for one in iter_fixed_boards() if one.board.phase is not Phase.MOVEMENT]
    usual = Hypothesis("datc-3").list_answers(boards)

    def changed(fault: str) -> set[int]:
        said = Hypothesis("datc-3", (), (fault,)).list_answers(boards)
        return {number for number, one, other in zip(range(len(boards)), said, usual, strict=True) if one != other}

    for fault, one, other in (
        ("two units retreat to one province, 6.H.7", "an own", "a foreign"),
        ("a unit that may be built is not", "the unit is an army", "the unit is a fleet"),
    ):
        ends = " unit retreats to the same province" if fault.startswith("two") else ""
        first, second = (changed(f"{fault}, if {circumstance}{ends}") for circumstance in (one, other))
        assert first - second
        assert second - first
        assert first | second == changed(fault)


def test_a_suspect_answers_by_the_uses_to_which_a_condition_applies() -> None:
    """So thousands of conditions are weighed by looking them up: the answer hangs on nothing else."""
    suspect = Suspect(Hypothesis("datc-3"), NEVER_CUT)
    boards = [parse_position(one.question_line) for one in iter_fixed_boards() if one.board.phase is Phase.MOVEMENT][::2]
    fleets = make_mask(["the moving unit is a fleet"])
    whole = Hypothesis("datc-3", (), (f"{NEVER_CUT}, if the moving unit is a fleet",)).list_answers(boards)
    assert [suspect.answer_position(one, fleets) for one in boards] == whole
    assert [suspect.answer_position(one, NEVER) for one in boards] == Hypothesis("datc-3").list_answers(boards)
    assert [suspect.answer_position(one, ALWAYS) for one in boards] == Hypothesis("datc-3", (), (NEVER_CUT,)).list_answers(
        boards
    )
    assert any(0 < len(suspect.find_applied_uses(one, fleets)) < len(suspect.list_uses(one)) for one in boards)


def test_a_fault_can_ask_of_each_support_by_itself() -> None:
    """Of the supports of one attack those by fleets do not count, and those by armies do."""
    boards = [parse_position(one.question_line) for one in iter_fixed_boards() if one.board.phase is Phase.MOVEMENT]
    fault = "ATTACK without a support"
    usual, always = (Hypothesis("datc-3", (), faults).list_answers(boards) for faults in ((), (fault,)))
    fleets, armies = (
        Hypothesis("datc-3", (), (f"{fault}, if the supporting unit is {kind}",)).list_answers(boards)
        for kind in ("a fleet", "an army")
    )
    assert usual not in (fleets, armies)
    assert always not in (fleets, armies)


NOT_TOLD_YET = {
    "fleets do not cut supports of armies",
    "supports in place not cut by convoyed armies",
    "supports not cut by the convoyed",
}
"""Of these the diagnosis leaves answers open, or tells another cause (docs/papers/diagnosis.md)."""


@pytest.mark.campaign
@pytest.mark.parametrize("name", sorted(CONDITIONAL.keys() - NOT_TOLD_YET))
def test_a_mistake_in_some_cases_is_told_with_its_condition(name: str) -> None:
    told = diagnosed(SEEDS[name])
    assert right(SEEDS[name], told), told.says
    assert not told.unexplained


TELLS = """
import sys
import msgspec
from helpers.seeded_engines import diagnosed, seeds

(seed,) = (one for one in seeds() if one.name == sys.argv[1])
print(msgspec.json.encode(diagnosed(seed)).decode())
"""
BUSY = "while True: pass"


@pytest.mark.slow
def test_a_diagnosis_is_the_same_in_every_process_and_on_a_loaded_machine() -> None:
    """Limits are numbers of hypotheses and questions, and nothing goes by the order of a set."""
    name = min(CONDITIONAL.keys() - NOT_TOLD_YET)

    def told(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])}
        command = [sys.executable, "-c", TELLS, name]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    alone = told("1")
    beside = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2)]
    try:
        loaded = told("2")
    finally:
        for process in beside:
            process.kill()
            process.wait()
    assert alone == loaded
    assert json.loads(alone)["causes"]
