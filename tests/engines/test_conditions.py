"""Faults with conditions: where they apply, and how the circumstances of an engine's mistake are found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.seeded_engines import CONDITIONAL, diagnosed, right, seeds

from satjudge.engines.conformance.conditions import ALWAYS, NEVER, circumstances_in, fault_if, mask_of, split_fault
from satjudge.engines.conformance.faults import FAULTS, faulty_judge
from satjudge.engines.conformance.hypotheses import Hypothesis, answer_by, named_hypothesis
from satjudge.engines.conformance.kit import PARTS, fixed_boards
from satjudge.engines.conformance.separating import Suspect
from satjudge.engines.conformance.signatures import evidence_questions
from satjudge.engines.conformance.switched import switched_judge
from satjudge.engines.positions import position_from
from satjudge.world.board import Phase
from satjudge.world.rules import load_rulebook

SEEDS = {seed.name: seed for seed in seeds()}
NEVER_CUT = "SUPPORT never cut"


def test_a_fault_with_a_condition_is_told_by_its_name() -> None:
    name = fault_if(NEVER_CUT, ["the moving unit is convoyed", "the moving unit is an army"])
    assert name == "SUPPORT never cut, if the moving unit is an army and the moving unit is convoyed"
    assert split_fault(name) == (NEVER_CUT, ("the moving unit is an army", "the moving unit is convoyed"))
    assert split_fault(NEVER_CUT) == (NEVER_CUT, ())
    assert fault_if(NEVER_CUT, ()) == NEVER_CUT


def test_a_fault_under_complementary_conditions_is_the_fault() -> None:
    """Where both conditions are added the fault applies everywhere; where neither is true it never does."""
    positions = evidence_questions()[::3]
    usual, always = (Hypothesis("datc-3", (), faults).answers(positions) for faults in ((), (NEVER_CUT,)))
    army, fleet = (f"{NEVER_CUT}, if the moving unit is {kind}" for kind in ("an army", "a fleet"))
    by_army, by_fleet, both = (Hypothesis("datc-3", (), one).answers(positions) for one in ((army,), (fleet,), (army, fleet)))
    assert both == always
    assert usual not in (by_army, always)
    for plain, one, other, whole in zip(usual, by_army, by_fleet, always, strict=True):
        assert plain == whole or plain != one or plain != other  # what the fault changes one of the two changes


def test_a_fault_may_change_an_answer_in_some_cases_only_where_it_changes_none_as_a_whole() -> None:
    """Two convoys are broken, one of which only the other's attack hangs on: a single one of them changes the answer."""
    fault, some = "CONVOY broken by an attack", "another unit goes to the destination of the moving unit"
    (question,) = (one for one in PARTS["catalogue"].make() if one.name == "catalogue-2C2M2S-2r-7cdeddd0")
    position = [position_from(question.asked)]
    usual = Hypothesis("datc-3").answers(position)
    assert Hypothesis("datc-3", (), (fault,)).answers(position) == usual
    assert Hypothesis("datc-3", (), (fault_if(fault, [some]),)).answers(position) != usual


def test_a_condition_that_is_never_true_changes_nothing() -> None:
    positions = evidence_questions()[::40]
    usual = Hypothesis("datc-3").answers(positions)
    for fault in FAULTS[::12]:
        try:
            judge = faulty_judge([f"{fault}, if pigs fly"])
        except ValueError as error:  # a function that yields parts of an equation
            assert "yields parts" in str(error)  # noqa: PT017
            continue
        judge.close()
        assert Hypothesis("datc-3", (), (f"{fault}, if pigs fly",)).answers(positions) == usual, fault


def test_a_fault_of_what_functions_do_without_returning_is_made_instead() -> None:
    """A convoy order that matches no army is matched nowhere; it was matched all the same after the faulty piece."""
    fault = "a convoy order matches no army"
    positions = [position for position in evidence_questions() if "C A " in str(position.line)][:10]
    always = Hypothesis("datc-3", (), (fault,)).answers(positions)
    with faulty_judge([f"{fault}, if the order helps an own unit", f"{fault}, if the order helps a foreign unit"]) as judge:
        judge.circumstances.switch({0: []})
        assert [answer_by(position, load_rulebook(), judge.judge) for position in positions] == always


def test_what_units_are_ordered_to_do_is_a_circumstance() -> None:
    """Of a unit attacked, or supported in place, which has no decision of its own that would tell."""
    (position,) = (one for one in evidence_questions() if one.name == "6.D.5")  # a supporting unit is supported in place
    judge = switched_judge()
    with judge.lock:
        judge.switch_on(("HOLD without supports, if nowhere",))
        judge.answer(position, load_rulebook())
        true = {one for use in judge.uses("HOLD without supports") for one in circumstances_in(use)}
        judge.switch_on(())
    assert {"the unit there supports a move", "the unit there supports", "the unit there does not move"} <= true
    assert "the unit there supports a unit in place" not in true


def test_a_fault_with_a_condition_can_be_known() -> None:
    """`--known` takes the name that the diagnosis tells."""
    told = named_hypothesis("SUPPORT never cut, if the moving unit is convoyed", load_rulebook())
    assert told.faults == ("SUPPORT never cut, if the moving unit is convoyed",)


def test_circumstances_of_retreats_and_builds_are_met_on_the_boards() -> None:
    """Each of two opposite circumstances tells boards that the fault alone tells, and both together tell all of them."""
    boards = [position_from(one.asked) for one in fixed_boards() if one.board.phase is not Phase.MOVEMENT]
    usual = Hypothesis("datc-3").answers(boards)

    def changed(fault: str) -> set[int]:
        said = Hypothesis("datc-3", (), (fault,)).answers(boards)
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
    boards = [position_from(one.asked) for one in fixed_boards() if one.board.phase is Phase.MOVEMENT][::2]
    fleets = mask_of(["the moving unit is a fleet"])
    whole = Hypothesis("datc-3", (), (f"{NEVER_CUT}, if the moving unit is a fleet",)).answers(boards)
    assert [suspect.answer(one, fleets) for one in boards] == whole
    assert [suspect.answer(one, NEVER) for one in boards] == Hypothesis("datc-3").answers(boards)
    assert [suspect.answer(one, ALWAYS) for one in boards] == Hypothesis("datc-3", (), (NEVER_CUT,)).answers(boards)
    assert any(0 < len(suspect.applied(one, fleets)) < len(suspect.uses(one)) for one in boards)


def test_a_fault_can_ask_of_each_support_by_itself() -> None:
    """Of the supports of one attack those by fleets do not count, and those by armies do."""
    boards = [position_from(one.asked) for one in fixed_boards() if one.board.phase is Phase.MOVEMENT]
    fault = "ATTACK without a support"
    usual, always = (Hypothesis("datc-3", (), faults).answers(boards) for faults in ((), (fault,)))
    fleets, armies = (
        Hypothesis("datc-3", (), (f"{fault}, if the supporting unit is {kind}",)).answers(boards)
        for kind in ("a fleet", "an army")
    )
    assert usual not in (fleets, armies)
    assert always not in (fleets, armies)


BRE, STP = ({"FRANCE": ["BRE", "PAR"]}, "B F BRE"), ({"RUSSIA": ["STP", "MOS"]}, "B F STP/NC")
ASKED: dict[str, dict[str, object]] = {
    "an army where a fleet is built": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A BRE"]},
        "centers": BRE[0],
        "orders": {"FRANCE": [BRE[1]]},
    },
    "a fleet where a fleet is built": {
        "phase": "adjustment",
        "units": {"FRANCE": ["F BRE"]},
        "centers": BRE[0],
        "orders": {"FRANCE": [BRE[1]]},
    },
    "a fleet on the other coast": {
        "phase": "adjustment",
        "units": {"RUSSIA": ["F STP/SC"]},
        "centers": STP[0],
        "orders": {"RUSSIA": [STP[1]]},
    },
    "two kinds in one centre": {
        "phase": "adjustment",
        "units": {},
        "centers": BRE[0],
        "orders": {"FRANCE": ["B A BRE", "B F BRE"]},
    },
    "one kind in one centre": {
        "phase": "adjustment",
        "units": {},
        "centers": BRE[0],
        "orders": {"FRANCE": ["B A BRE", "B A BRE"]},
    },
    "a fleet nearer than an army": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A RUH", "F BRE"]},
        "centers": {"FRANCE": ["BRE"]},
        "orders": {},
    },
    "nobody's army nearer than a fleet": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A PIC", "F NTH"]},
        "centers": {"GERMANY": ["KIE"]},
        "orders": {},
    },
    "three builds for two centres": {
        "phase": "adjustment",
        "units": {},
        "centers": BRE[0],
        "orders": {"FRANCE": ["WAIVE", "B A PAR", "B F BRE"]},
    },
    "three builds for two units, none declined": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A PIC"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR"]},
        "orders": {"FRANCE": ["B A PAR", "B F BRE", "B A MAR"]},
    },
    "a unit removed without its coast": {
        "phase": "adjustment",
        "units": {"FRANCE": ["F SPA/NC", "A PAR"]},
        "centers": {"FRANCE": ["PAR"]},
        "orders": {"FRANCE": ["F SPA D"]},
    },
    "a unit removed with its coast": {
        "phase": "adjustment",
        "units": {"FRANCE": ["F SPA/NC", "A PAR"]},
        "centers": {"FRANCE": ["PAR"]},
        "orders": {"FRANCE": ["F SPA/NC D"]},
    },
    "a retreat to the first of two coasts": {
        "phase": "retreat",
        "units": {},
        "dislodged": {"FRANCE": {"F POR": ["SPA/NC", "SPA/SC"]}},
        "orders": {"FRANCE": ["F POR R SPA"]},
    },
    "a retreat where one stands": {
        "phase": "retreat",
        "units": {"GERMANY": ["A BUR"]},
        "dislodged": {"FRANCE": {"A PAR": ["PIC"]}},
        "orders": {"FRANCE": ["A PAR R BUR"]},
    },
    "a retreat to afar": {
        "phase": "retreat",
        "units": {},
        "dislodged": {"FRANCE": {"A PAR": ["PIC"]}},
        "orders": {"FRANCE": ["A PAR R MOS"]},
    },
    "a fleet attacked with support": {
        "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F IRI", "F WAL"], "GERMANY": ["F LON", "F BEL"]},
        "orders": {
            "FRANCE": ["A BRE - WAL VIA", "F ENG C A BRE - WAL"],
            "ENGLAND": ["F IRI - ENG", "F WAL S F IRI - ENG"],
            "GERMANY": ["F LON S F ENG", "F BEL S F ENG"],
        },
    },
    "a fleet attacked without support": {
        "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F IRI"]},
        "orders": {"FRANCE": ["A BRE - WAL VIA", "F ENG C A BRE - WAL"], "ENGLAND": ["F IRI - ENG"]},
    },
    "a convoy by three fleets": {
        "units": {"ENGLAND": ["A LON", "F ENG", "F MAO", "F WES"]},
        "orders": {"ENGLAND": ["A LON - TUN", "F ENG C A LON - TUN", "F MAO C A LON - TUN", "F WES C A LON - TUN"]},
    },
    "a convoy by two fleets": {
        "units": {"ENGLAND": ["A LON", "F ENG", "F MAO"]},
        "orders": {"ENGLAND": ["A LON - POR", "F ENG C A LON - POR", "F MAO C A LON - POR"]},
    },
    "a convoy by fleets of two powers": {
        "units": {"ENGLAND": ["A LON", "F ENG"], "FRANCE": ["F MAO"]},
        "orders": {"ENGLAND": ["A LON - POR", "F ENG C A LON - POR"], "FRANCE": ["F MAO C A LON - POR"]},
    },
    "a cut support in a head-to-head battle": {
        "units": {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR"], "ITALY": ["A SPA"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR - PAR"], "ITALY": ["A SPA - GAS"]},
    },
    "a cut support against a unit that holds": {
        "units": {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR"], "ITALY": ["A SPA"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR H"], "ITALY": ["A SPA - GAS"]},
    },
    "a supported move that fails": {
        "units": {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A MUN"], "ENGLAND": ["A PIC", "A BRE"]},
        "orders": {
            "FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"],
            "GERMANY": ["A BUR H", "A MUN S A BUR"],
            "ENGLAND": ["A PIC - PAR", "A BRE S A PIC - PAR"],
        },
    },
    "an attack after one that does not cut": {
        "units": {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR"], "ITALY": ["A SPA"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR - GAS"], "ITALY": ["A SPA - GAS"]},
    },
    "an attack by the supported power": {
        "units": {"FRANCE": ["A GAS"], "ENGLAND": ["A PAR", "A SPA"], "GERMANY": ["A BUR"]},
        "orders": {"FRANCE": ["A GAS S A PAR - BUR"], "ENGLAND": ["A PAR - BUR", "A SPA - GAS"], "GERMANY": ["A BUR H"]},
    },
    "an army, then a fleet in one centre": {
        "phase": "adjustment",
        "units": {},
        "centers": {"FRANCE": ["PAR", "BRE"]},
        "orders": {"FRANCE": ["B A BRE", "B F BRE"]},
    },
    "a fleet, then an army in one centre": {
        "phase": "adjustment",
        "units": {},
        "centers": {"FRANCE": ["PAR", "BRE"]},
        "orders": {"FRANCE": ["B F BRE", "B A BRE"]},
    },
    "civil disorder with a centre at home": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A TYR", "A RUH", "A BUR"]},
        "centers": {"FRANCE": ["PAR", "VEN"]},
        "orders": {"FRANCE": []},
    },
    "civil disorder without a centre at home": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A TYR", "A RUH"]},
        "centers": {"FRANCE": ["VEN"]},
        "orders": {"FRANCE": []},
    },
    "civil disorder of a power with nothing": {
        "phase": "adjustment",
        "units": {"FRANCE": ["A RUH"]},
        "centers": {"GERMANY": ["BER"]},
        "orders": {"FRANCE": []},
    },
    "a fleet's support for an army against an army": {
        "units": {"FRANCE": ["A PIC", "F ENG"], "GERMANY": ["A BEL"]},
        "orders": {"FRANCE": ["A PIC - BEL", "F ENG S A PIC - BEL"], "GERMANY": ["A BEL H"]},
    },
    "a fleet's support for a fleet against an army": {
        "units": {"FRANCE": ["F PIC", "F ENG"], "GERMANY": ["A BEL"]},
        "orders": {"FRANCE": ["F PIC - BEL", "F ENG S F PIC - BEL"], "GERMANY": ["A BEL H"]},
    },
    "a move support for a unit that holds": {
        "units": {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A MUN"], "ENGLAND": ["A PIC", "A BRE"]},
        "orders": {"FRANCE": ["A PAR H", "A GAS S A PAR - BUR"], "ENGLAND": ["A PIC - PAR", "A BRE S A PIC - PAR"]},
    },
    "a fleet built on no coast": {
        "phase": "adjustment",
        "units": {},
        "centers": {"RUSSIA": ["STP"]},
        "orders": {"RUSSIA": ["F STP B"]},
    },
    "a fleet built on the south coast": {
        "phase": "adjustment",
        "units": {},
        "centers": {"RUSSIA": ["STP"]},
        "orders": {"RUSSIA": ["F STP/SC B"]},
    },
    "fleets to two coasts of one province": {
        "units": {"FRANCE": ["F MAR"], "ENGLAND": ["F GAS"]},
        "orders": {"FRANCE": ["F MAR - SPA/SC"], "ENGLAND": ["F GAS - SPA/NC"]},
    },
    "fleets to one coast": {
        "units": {"FRANCE": ["F MAR"], "ENGLAND": ["F WES"]},
        "orders": {"FRANCE": ["F MAR - SPA/SC"], "ENGLAND": ["F WES - SPA/SC"]},
    },
    "an army retreats to Spain": {
        "phase": "retreat",
        "units": {},
        "dislodged": {"FRANCE": {"A MAR": ["SPA"]}},
        "orders": {"FRANCE": ["A MAR R SPA"]},
    },
    "a support for a unit that may not move": {
        "units": {"FRANCE": ["A PAR", "A BUR"]},
        "orders": {"FRANCE": ["A PAR - RUM", "A BUR S A PAR - PIC"]},
    },
    "a support for a unit that moves elsewhere": {
        "units": {"FRANCE": ["A PAR", "A BUR"]},
        "orders": {"FRANCE": ["A PAR - GAS", "A BUR S A PAR - PIC"]},
    },
}


@pytest.mark.parametrize(
    ("fault", "told", "not_told"),
    [
        (
            "units are built where one stands, 6.I.3, if a unit of the other kind stands where is built",
            "an army where a fleet is built",
            "a fleet where a fleet is built",
        ),
        (
            "units are built where one stands, 6.I.3, if a fleet stands on another coast than the one where is built",
            "a fleet on the other coast",
            "a fleet where a fleet is built",
        ),
        (
            "two units are built in one centre, 6.I.7, if a unit of the other kind is built there, too",
            "two kinds in one centre",
            "one kind in one centre",
        ),
        (
            "civil disorder takes fleets before armies at any distance, 4.D.8",
            "a fleet nearer than an army",
            "a fleet where a fleet is built",
        ),
        (
            "civil disorder heeds no distances, 4.D.8, if the power of the unit has a supply centre",
            "a fleet nearer than an army",
            "nobody's army nearer than a fleet",
        ),
        ("a unit that is built uses up no build", "three builds for two centres", "one kind in one centre"),
        (
            "a build that is declined can be made after all, if the power has units to build",
            "three builds for two centres",
            "three builds for two units, none declined",
        ),
        (  # which is not true yet when the first order is carried out
            "more units are built than there are centres for, if the power has declined a build before",
            "three builds for two centres",
            "three builds for two units, none declined",
        ),
        (
            "no coast named for the unit that is removed makes an order illegal, 4.B.5",
            "a unit removed without its coast",
            "a unit removed with its coast",
        ),
        (
            "a fleet's retreat without a coast goes to the first of two, 4.B.1",
            "a retreat to the first of two coasts",
            "a retreat to afar",
        ),
        (
            "a unit retreats to where it may not go, 6.H.5, if the unit goes to a province that it borders on",
            "a retreat where one stands",
            "a retreat to afar",
        ),
        ("CONVOY broken by an attack with support", "a fleet attacked with support", "a fleet attacked without support"),
        (
            "PATH never by convoy, if the moving unit needs more than two fleets",
            "a convoy by three fleets",
            "a convoy by two fleets",
        ),
        (
            "CONVOY never, if the convoyed army is convoyed by a foreign fleet",
            "a convoy by fleets of two powers",
            "a convoy by two fleets",
        ),
        (
            "a move support for any order, if the supported unit has no move that counts",
            "a support for a unit that may not move",
            "a support for a unit that moves elsewhere",
        ),
        (
            "SUPPORT of a move never cut, if the supported unit meets a unit that comes the other way",
            "a cut support in a head-to-head battle",
            "a cut support against a unit that holds",
        ),
        (
            "a support of a move counts in no strength, if the moving unit is not of the kind of the supporting unit",
            "a fleet's support for an army against an army",
            "a fleet's support for a fleet against an army",
        ),
        (
            "a move support helps a unit in place that does not move",
            "a move support for a unit that holds",
            "a cut support against a unit that holds",
        ),
        (
            "a fleet is built on the first coast where none is named, 4.B.7",
            "a fleet built on no coast",
            "a fleet built on the south coast",
        ),
        (
            "MOVE whatever a rival does, if both units go to different coasts of one province",
            "fleets to two coasts of one province",
            "fleets to one coast",
        ),
        (
            "a legal retreat is illegal, if the unit goes to a province with several coasts",
            "an army retreats to Spain",
            "a retreat to afar",
        ),
        ("HOLD helped by supports to leave", "a supported move that fails", "a cut support in a head-to-head battle"),
        (
            "SUPPORT cut by the first attack alone",
            "an attack after one that does not cut",
            "a cut support in a head-to-head battle",
        ),
        (
            "SUPPORT cut by the power of the supported unit, not of the supporting one",
            "an attack by the supported power",
            "a cut support against a unit that holds",
        ),
        (
            "two units are built in one centre, 6.I.7, if an army was built there before",
            "an army, then a fleet in one centre",
            "a fleet, then an army in one centre",
        ),
        (
            "civil disorder counts from home centres that are owned, 4.D.8, if the power has a home centre",
            "civil disorder with a centre at home",
            "civil disorder without a centre at home",
        ),
        (
            "civil disorder takes one unit too few, 4.D.8, if the power has no supply centre",
            "civil disorder of a power with nothing",
            "civil disorder with a centre at home",
        ),
    ],
)
def test_a_circumstance_is_true_of_one_question_and_not_of_another(fault: str, told: str, not_told: str) -> None:
    positions = [position_from(json.dumps({"id": name, **ASKED[name]}).encode()) for name in (told, not_told)]
    usual, said = (Hypothesis("datc-3", (), faults).answers(positions) for faults in ((), (fault,)))
    assert [one != other for one, other in zip(usual, said, strict=True)] == [True, False]


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
