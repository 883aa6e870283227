"""Explanations: every number is re-checked, every minimal set is minimal by brute force, every change is judged anew."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.strategies import Position, boards_with_orders, rulebooks
from hypothesis import given, settings
from hypothesis import strategies as st

from satjudge.apps.cli import run
from satjudge.base.errors import NotFoundError, UnresolvedError
from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.changes import BeforeAndAfter, pivotal_orders, what_if
from satjudge.explain.context import number_settled
from satjudge.explain.contradictions import why_no_resolution, why_not
from satjudge.explain.explanation import HALF_STRENGTH, Culprit, Explanation, Reason, Strength
from satjudge.explain.phases import adjustment_explanations, explanations, retreat_explanations, why
from satjudge.explain.words.verdict_text import format_remark as remark_on
from satjudge.judging.adjustments import AdjustmentOutcome, rank_removals
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading, compute_hold_strengths, compute_strengths, convert_strength, find_violated
from satjudge.judging.equations.printing import format_equations, name_decision
from satjudge.judging.equations.proof import Proof, make_bound_proofs
from satjudge.judging.equations.situation import MoveDecision, Situation
from satjudge.judging.judge import judge, judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import judge_retreats
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import find_bundled_case, list_case_files, read_collection
from satjudge.notation.parse import parse_unit
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.show.findings import iter_explanation_lines
from satjudge.world.board import Phase
from satjudge.world.geography import Power, load_map
from satjudge.world.orders import Order
from satjudge.world.rules import Rulebook, load_rulebook, options, preset_names
from satjudge.world.rules.rulebook import CivilDisorder
from satjudge.world.verdicts import AnyVerdict, Fate, NoVerdict, OrderResult

BY_FILE = {f"{path.parent.name}/{path.stem}": load_sheets(path) for path in list_case_files()}
VARIANTS = {
    sheet.identity: sheet
    for name, sheets in BY_FILE.items()
    if name.startswith("datc-2.4/") and int(name.split("/")[1].partition(".")[0]) >= 7
    for sheet in sheets
}
"""The cases on rules that maps bring: chapters 7 to 12 of the DATC 2.4."""
TRICKY = [*BY_FILE["promoted/options"], *BY_FILE["datc-3.2/6.F"], *BY_FILE["datc-3.2/6.G"]]
VERDICT_WORDS = {*OrderResult, *Fate}
FAILING = {"fails", "cut", "disrupted", "dislodged", "destroyed"}
DATC_NUMBER = re.compile(r"[456]\.[A-J](\.\d+)?|7\.[A-D](\.\d+)?|8(\.[A-E])?|9(\.[A-G])?|10(\.[A-O])?|11(\.A)?|12\.[A-D]")
NUMBER = re.compile(r"\b(attack|prevent|defend|hold) (\d+)")


def outcome_of(identity: str, *changes: str) -> Outcome:
    sheet = VARIANTS.get(identity) or find_bundled_case(identity)
    return judge(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules).with_settings(changes))


def outcome_on(text: str, *changes: str, rules: str | None = None) -> Outcome:
    """The outcome of a sheet."""
    (sheet,) = read_sheets(text)
    return judge(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(rules or sheet.rules).with_settings(changes))


# ---- what every explanation must be ----


def check_rules(explanation: Explanation, rulebook: Rulebook) -> None:
    """It names a rule, and every option that it names is in force."""
    assert explanation.rules, explanation
    in_force = rulebook.settings()
    for rule in explanation.rules:
        issue, equals, choice = rule.partition("=")
        known = in_force[issue] == choice if equals else rule == HALF_STRENGTH or DATC_NUMBER.fullmatch(rule)
        assert known, explanation


def check_strength(found: Strength, outcome: Outcome) -> None:
    """The number is what plain evaluation gives, and it is made of supports that are given."""
    less = False  # a move over a difficult border has one less (DATC 2.4, 10)
    situation, values = outcome.adjudication.situation, outcome.adjudication.values
    if found.term == "hold":
        assert compute_hold_strengths(situation, values)[found.of] == found.value
        given_to = situation.places[found.of].hold_supports
    elif stages := [stage for train in situation.trains for stage in train.stages if str(stage) == found.of]:
        (stage,) = stages
        term = {"defend": statement.train_strength, "prevent": statement.train_prevent}[found.term]
        assert convert_strength(term(Reading(values), stage), situation.rulebook) == found.value
        given_to = stage.supports
    else:
        (move,) = (move for move in situation.moves if str(move) == found.of)
        assert getattr(compute_strengths(move, values), found.term) == found.value
        given_to = move.supports
        less = move.difficult and not Reading(values).is_convoyed(move)
    assert found.value in (0, 1 + len(found.supports) - less)
    counting = [support for support in given_to if str(support) in found.supports]
    assert len(counting) == len(found.supports) == len(set(found.supports))
    assert all(values[support.index] for support in counting)


def check_reason(reason: Reason, outcome: Outcome) -> None:
    for strength in reason.strengths:
        check_strength(strength, outcome)
    told = {(term, int(value)) for term, value in NUMBER.findall(reason.text)}
    assert told == {(strength.term, strength.value) for strength in reason.strengths}, reason
    first = reason.text.partition(" by ")[0]
    assert reason.word == (first if first in VERDICT_WORDS else None), reason


def check_culprits(explanation: Explanation, outcome: Outcome) -> None:
    """Whatever fails has a culprit: the order of a unit, or a unit that stands there."""
    known = {(decision.power, str(decision.order)) for decision in outcome.adjudication.situation.decisions}
    known |= {(unit.power, f"{unit} H") for unit in outcome.board.units}
    known |= {(power, str(entry.order)) for power, given in outcome.docket.entries.items() for entry in given}
    assert known.issuperset((one.power, one.order) for one in explanation.culprits), explanation
    words = set(explanation.verdict.words)
    if FAILING.intersection(words):
        assert explanation.culprits, explanation
    if words & {"dislodged", "destroyed"}:
        unit = explanation.order.removeprefix("A ").removeprefix("F ").split()[0].partition("/")[0]  # the kind may be left out
        attacker = outcome.successful_moves[outcome.dislodgements[unit].attacker.province]
        assert Culprit(attacker.power, str(attacker)) in explanation.culprits
    if words <= {"stands", "succeeds", "given", "available", "illegal"}:
        assert not explanation.culprits, explanation
    alone = explanation.core is not None and len(explanation.core.orders) == 1
    assert alone or Culprit(explanation.power, explanation.order) not in explanation.culprits, explanation


def check_all(outcome: Outcome) -> list[Explanation]:
    found = explanations(outcome)
    given_orders = [entry for entries in outcome.docket.entries.values() for entry in entries]
    assert [str(entry.verdict) for entry in found[: len(given_orders)]] == [v for vs in outcome.results.values() for v in vs]
    for explanation in found:
        check_rules(explanation, outcome.adjudication.situation.rulebook)
        check_culprits(explanation, outcome)
        assert explanation.text.startswith(str(explanation.verdict))
        for reason in explanation:
            check_reason(reason, outcome)
    return found


@pytest.mark.parametrize("name", BY_FILE)
def test_every_order_of_every_case_has_its_reason(name: str) -> None:
    """Under its own rulebook, whatever the phase; retreats included."""
    for sheet in BY_FILE[name]:
        orders, rulebook = sheet.orders_by_power(), load_rulebook(sheet.rules)
        outcome = judge_phase(sheet.board, orders, rulebook=rulebook)
        if isinstance(outcome, AdjustmentOutcome):
            found = adjustment_explanations(outcome, rulebook=rulebook)
            assert len(found) == len(sheet.orders) + sum(map(len, outcome.automatic.values()))
        else:
            assert isinstance(outcome, Outcome)
            check_all(outcome)
            retreats = sheet.retreats_by_power()
            judged = judge_retreats(outcome.retreat_board, retreats, rulebook=rulebook)
            found = retreat_explanations(judged, rulebook=rulebook, movement=outcome)
            assert len(found) == len(sheet.retreats)
        for explanation in found:
            check_rules(explanation, rulebook)
            assert (explanation.verdict.order is OrderResult.FAILS) <= bool(explanation.culprits)


@pytest.mark.parametrize("rulebook", preset_names())
def test_rules_that_maps_bring_are_explained_under_every_rulebook(rulebook: str) -> None:
    """Chapters 7 to 12 of the DATC 2.4, whatever the cases expect: all verdicts, and why not the others."""
    rules, told = load_rulebook(rulebook), 0
    for sheet in VARIANTS.values():
        try:
            outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rules)
        except UnresolvedError:
            continue
        if isinstance(outcome, Outcome):
            told += len(check_all(outcome))
            for entry in chain.from_iterable(outcome.docket.entries.values()):
                assert why_not(outcome, entry.order, entry.power).steps if rulebook == "datc-2" else True
    assert told > 250


@pytest.mark.parametrize("name", ["colonial", "loeb9", "loeb9-10d", "standard-9-both"])
def test_any_order_on_a_map_with_rules_of_its_own_has_its_reason(name: str) -> None:
    rng, told = random.Random(f"explained on {name}"), 0
    books = [load_rulebook(preset) for preset in preset_names()]
    for _ in range(40):
        board, orders = random_board(rng, Flavour.VARIANT, units=(4, 14), illegal=0.1, game_map=load_map(name))
        try:
            outcome = judge(board, orders, rulebook=rng.choice(books))
        except UnresolvedError:
            continue
        told += len(check_all(outcome))
    assert told > 200


VARIANT_ORDERS = [
    # A train's army is not supported in place; on its way neither.
    ("Russia: A MOS - TSR - VLA; A BAK S A MOS; A ORE S A MOS - PRM", "A BAK",
     "invalid: A MOS cannot be supported in place: its order is A MOS - TSR - VLA [4.E.2, 6.D.7]"),
    ("Russia: A MOS - TSR - VLA; A BAK S A MOS; A ORE S A MOS - PRM", "A ORE",
     "invalid: A MOS was not ordered to move to PRM: its order is A MOS - TSR - VLA [4.E.2; DATC 2.4, 7.B.15]"),
    # The support of a train that is cut.
    ("Russia: A MOS - TSR - PRM; A ORE S A MOS - PRM; Turkey: A OMS - PRM; A AKM - ORE", "A MOS",
     "fails: it bounces in PRM: defend 1 (itself) does not exceed prevent 1 of A OMS - PRM (itself); it stays in MOS"
     " [DATC 2.4, 7.B.1]; the support of A ORE is cut by A AKM - ORE of Turkey [5.B.2]"),
    # An army that it could pass is dislodged.
    ("Russia: A MOS - TSR - KRA; A OMS H; Turkey: A AKM - OMS; A ORE S A AKM - OMS", "A MOS",
     "stops: A OMS is dislodged in OMS, and a train passes only an army that stays; it ends in PRM [DATC 2.4, 7.B.9]"),
    # The canal.
    ("Russia: F MED - RED", "F MED", "fails: no unit in EGY permits it to pass the SC [DATC 2.4, 7.C.1]"),
    ("Turkey: A EGY - SUD; F MED - RED", "F MED", "fails: A EGY, which holds the SC, leaves EGY [DATC 2.4, 7.C.8]"),
    ("Turkey: F EGY H; F MED - RED; Britain: A SUD - EGY; A SYR S A SUD - EGY", "F MED",
     "fails: F EGY, which holds the SC, is dislodged by A SUD - EGY [DATC 2.4, 7.C.10]"),
    ("Turkey: F MED - RED; SC F MED - RED", "SC F MED - RED",
     "illegal: Turkey has no unit in EGY that could permit it [DATC 2.4, 7.C]"),
]  # fmt: skip


@pytest.mark.parametrize(("orders", "order", "text"), VARIANT_ORDERS)
def test_trains_and_canals_in_words(orders: str, order: str, text: str) -> None:
    lines = [
        f"{part.strip()}:" if position == 0 else part.strip()
        for given in re.split(r"; (?=[A-Z][a-z]+:)", orders)
        for position, part in enumerate(given.replace(":", ";", 1).split(";"))
    ]
    assert why(outcome_on("\n".join(["map: colonial", *lines])), order).text == text


def test_strengths_on_maps_with_difficult_borders_are_those_of_the_text() -> None:
    """Strength 0 over a difficult border without support, HOLD 1 as everywhere; the equations count one more (DATC 2.4, 10)."""
    outcome = outcome_of("2.4/10.C")
    over, plain = (compute_strengths(move, outcome.adjudication.values) for move in outcome.adjudication.situation.moves)
    assert (over.attack, over.prevent, over.defend) == (0, 0, 0)
    assert (plain.attack, plain.prevent, plain.defend, plain.opposition) == (1, 1, 1, 0)
    written = "\n".join(format_equations(outcome_of("2.4/10.A").adjudication.situation))
    assert "ATTACK(A NAP - SIC) = 0\n" in written
    assert "HOLD(SIC) = 1\n" in written
    assert "HOLD(ION) = 1 if not MOVE(F ION - TYS) else none\n" in written
    assert "ATTACK(F ION - TYS) = 1 + SUPPORT(F SIC S F ION - TYS)\n" in written


@pytest.mark.parametrize(
    ("identity", "order", "text"),
    [
        ("2.4/7.A.1", "A CAN B", "China has 5 centres that count (not Hong Kong) and 5 units [DATC 2.4, 7.A.1]"),
        ("2.4/11.A", "A PRU D (civil disorder)", "A PRU is 6 steps from the nearest centre of Berlin, farther than A APU"
         " (1 step), which stays [4.D.8=1971; DATC 2.4, 11.A]"),
        ("2.4/12.A", "A MUN B", "illegal: Germany does not own Munich [6.I.5; DATC 2.4, 12.A]"),
        ("2.4/12.B", "A MUN B", "MUN is a home centre that it owns, and empty [6.I; DATC 2.4, 12.B]"),
        ("2.4/12.C", "A WAR B", "illegal: Warsaw is not a home supply centre of Germany [6.I.6; DATC 2.4, 12.C]"),
    ],
)  # fmt: skip
def test_adjustments_on_maps_with_rules_of_their_own(identity: str, order: str, text: str) -> None:
    sheet = VARIANTS[identity]
    outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules))
    assert isinstance(outcome, AdjustmentOutcome)
    found = {one.order: one.text for one in adjustment_explanations(outcome, rulebook=load_rulebook(sheet.rules))}
    assert text in found[order]


@pytest.mark.parametrize(
    ("identity", "order", "text"),
    [
        ("2.4/7.B.32", "A MOS R TSR VLA", "illegal: no unit retreats by railroad [DATC 2.4, 7.B.32]"),
        ("2.4/8.D", "F NWG R ARC", "ARC is shut in fall [DATC 2.4, 8.D]"),
        ("2.4/10.K", "F TYS R SIC", "succeeds: A NAP R SIC goes to SIC too, over a difficult border, where units yield to"
         " any other [6.H.7; DATC 2.4, 10.K]"),
        ("2.4/10.K", "A NAP R SIC", "fails: it comes over a difficult border, and F TYS R SIC goes to SIC too"
         " [6.H.7; DATC 2.4, 10.K]"),
    ],
)  # fmt: skip
def test_retreats_on_maps_with_rules_of_their_own(identity: str, order: str, text: str) -> None:
    sheet, movement = VARIANTS[identity], outcome_of(identity)
    judged = judge_retreats(movement.retreat_board, sheet.retreats_by_power(), rulebook=load_rulebook(sheet.rules))
    told = retreat_explanations(judged, rulebook=load_rulebook(sheet.rules), movement=movement)
    assert text in {one.order: one.text for one in told}[order]


def every_choice() -> Iterator[Rulebook]:
    """The presets, and the default rulebook with each issue settled in each other way."""
    yield from map(load_rulebook, preset_names())
    for option in options():
        for value in option.values:
            if load_rulebook().settings()[option.issue] != value:
                needs = ["4.A.3.fallback=unordered"] if option.issue == "4.A.3" else []
                yield load_rulebook().with_settings([f"{option.issue}={value}", *needs])


@pytest.mark.parametrize("rulebook", list(every_choice()), ids=lambda rulebook: rulebook.name)
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_every_option_is_explained(rulebook: Rulebook, step: int) -> None:
    for sheet in TRICKY[::step]:
        try:
            outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
        except UnresolvedError:
            continue
        if isinstance(outcome, Outcome):
            check_all(outcome)


@settings(max_examples=60)
@given(boards_with_orders(illegal=0.1), rulebooks())
def test_any_order_has_its_reason(position: Position, rulebook: Rulebook) -> None:
    try:
        outcome = judge(position.board, position.orders, rulebook=rulebook)
    except UnresolvedError:
        return
    check_all(outcome)


@pytest.mark.parametrize("engine", [Engine.FULL, Engine.BRUTE])
def test_engines_explain_alike(engine: Engine) -> None:
    for identity in ("6.C.1", "6.D.2", "6.F.14", "6.F.16", "6.F.18"):
        sheet = find_bundled_case(identity)
        outcome = judge(sheet.board, sheet.orders_by_power(), engine=engine)
        assert [entry.text for entry in check_all(outcome)] == [entry.text for entry in explanations(outcome_of(identity))]


def test_a_wrong_number_is_noticed() -> None:
    outcome = outcome_of("6.D.3")
    (reason, *_) = why(outcome, "A TRI - VEN").reasons
    check_reason(reason, outcome)
    one, other = reason.strengths
    for wrong in (replace(one, value=2), replace(one, supports=("F ADR S A TRI - VEN",)), replace(other, of="ADR")):
        with pytest.raises((AssertionError, KeyError)):
            check_reason(replace(reason, strengths=(wrong, other)), outcome)
    with pytest.raises(AssertionError):
        check_reason(replace(reason, text=reason.text.replace("hold 1", "hold 2")), outcome)


# ---- what was settled first ----


def settled_by_what_comes_before(outcome: Outcome) -> int:
    """Check that each decision follows from those that were settled before it, and return how many there are."""
    adjudication = outcome.adjudication
    values, settled_at = adjudication.values, number_settled(adjudication)
    with_a_core = {index for core in adjudication.cores for index in core.settled_values}
    for decision in adjudication.situation.decisions:
        if decision.index in with_a_core:
            continue
        known = [value if at < settled_at[decision.index] else None for at, value in zip(settled_at, values, strict=True)]
        optimist, pessimist = make_bound_proofs(known)
        value = values[decision.index]
        assert statement.decision(pessimist if value else optimist, decision).value == value, decision
    return len(values)


def test_what_is_settled_first_is_not_what_stands_first() -> None:
    """A queue without a core: the last army in it must be settled first."""
    adjudication = outcome_on("France:\nA PAR - BUR\nA BUR - MUN\nA MUN - SIL").adjudication
    assert [str(decision) for decision in adjudication.situation.decisions] == ["A PAR - BUR", "A BUR - MUN", "A MUN - SIL"]
    assert number_settled(adjudication) == [2, 1, 0]


@settings(max_examples=40)
@given(boards_with_orders(), rulebooks())
def test_every_decision_follows_from_what_was_settled_before_it(position: Position, rulebook: Rulebook) -> None:
    try:
        settled_by_what_comes_before(judge(position.board, position.orders, rulebook=rulebook))
    except UnresolvedError:
        return


def test_every_decision_of_a_case_follows_from_what_was_settled_before_it() -> None:
    checked = 0
    for sheet in read_collection("datc-3.2"):
        outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules))
        if isinstance(outcome, Outcome):
            checked += settled_by_what_comes_before(outcome)
    assert checked > 400


# ---- proofs ----


@settings(max_examples=40)
@given(boards_with_orders(), rulebooks(), st.randoms(use_true_random=False))
def test_a_proof_rests_on_what_suffices(position: Position, rulebook: Rulebook, rng: random.Random) -> None:
    """A fact is what the equation says; with the decisions that it rests on it stays so, whatever all others are."""
    try:
        outcome = judge(position.board, position.orders, rulebook=rulebook)
    except UnresolvedError:
        return
    situation = outcome.adjudication.situation
    for values in (outcome.adjudication.values, [rng.random() < 0.5 for _ in situation.decisions]):
        for decision in situation.decisions:
            fact = statement.decision(Proof(values), decision)
            assert fact.value == statement.decision(Reading(values), decision)
            needed = {other.index for other in fact.decisions()}
            known = [value if index in needed else None for index, value in enumerate(values)]
            optimist, pessimist = make_bound_proofs(known)
            firm = statement.decision(pessimist if fact.value else optimist, decision)
            assert firm.value == fact.value
            assert {other.index for other in firm.decisions()} <= needed
            trial = [value if index in needed else rng.random() < 0.5 for index, value in enumerate(values)]
            assert statement.decision(Reading(trial), decision) == fact.value


def test_amounts_are_the_strengths() -> None:
    for identity in ("6.D.12", "6.E.1", "6.E.7", "6.F.6"):
        outcome = outcome_of(identity)
        values = outcome.adjudication.values
        proof = Proof(values)
        for move in outcome.adjudication.situation.moves:
            found = compute_strengths(move, values)
            assert (proof.attack(move).value, proof.prevent(move).value) == (found.attack, found.prevent)
            assert (proof.defend(move).value, proof.path(move).value) == (found.defend, found.path)


# ---- golden texts, reviewed by eye ----

CORE_14 = "its core (F LON S F WAL - ENG; F WAL - ENG; F ENG C A BRE - LON) has 2 resolutions"
GOLDEN: list[tuple[str, str, tuple[str, ...], str]] = [
    ("6.A.11", "A VIE", (), "fails: attack 1 (itself) does not exceed prevent 1 of A VEN - TYR (itself) [5.B.1]"),
    ("6.D.2", "A VEN", (), "dislodged by A TRI - VEN of Austria, whose attack 2 (itself, F ADR) exceeds hold 1 of A VEN"
     " (itself) [5.B.1]; the support of A TYR is cut by A VIE - TYR of Austria [5.B.2]"),
    ("6.D.3", "F ADR", (), "cut by F ION - ADR of Italy [5.B.2]"),
    ("6.D.7", "F PRU", (), "invalid: F BAL cannot be supported in place: its order is F BAL - SWE [4.E.2, 6.D.7]"),
    ("6.D.9", "A ALB", (), "invalid: A TRI was not ordered to move to SER: it holds [4.E.2]"),
    ("6.D.10", "F KIE", (), "fails: attack 0 (its own power's A BER does not leave) does not exceed hold 1 of A BER (itself)"
     " [5.B.1, 5.B.8, 6.D.10]"),
    ("6.D.12", "A VEN", (), "fails: attack 1 (itself) does not exceed hold 1 of F TRI (itself) [5.B.1]; the support of A VIE"
     " does not count: Austria does not help to dislodge its own F TRI [5.B.8, 6.D.12]"),
    ("6.D.15", "F CON", (), "given: no move to CON cuts it [5.B.2]; F ANK - CON comes from the province that the support"
     " is directed at, and it fails: attack 1 (itself) does not exceed hold 1 of F CON (itself) [5.B.2, 6.D.15, 5.B.1]"),
    ("6.D.32", "A YOR", (), "illegal: there are no fleets that could convoy an army from YOR to HOL [4.E.1, 6.D.32]"),
    ("6.E.1", "F KIE", (), "succeeds: attack 1 (itself) exceeds hold 0 of BER (A BER leaves) and prevent 0 of A PRU - BER"
     " (A BER - PRU defeats it) [5.B.1, 5.B.6, 4.A.7=unless-head-to-head]"),
    ("6.E.7", "F NWY", ("5.B.8=against-rivals",), "succeeds: attack 2 (itself, F SKA) exceeds hold 1 of F NTH (itself);"
     " defend 3 (itself, F YOR, F SKA) exceeds prevent 2 of F HEL - NTH (itself, F HOL) [5.B.1, 5.B.8=against-rivals]"),
    ("6.C.1", "A CON", (), "succeeds by the rule for circular movement: its core (F ANK - CON; A CON - SMY; A SMY - ANK) has 2"
     " resolutions: in 1 it succeeds, in 1 it fails [5.B.9, 6.C];"
     " attack 1 (itself) exceeds hold 0 of SMY (A SMY leaves) [5.B.1]"),
    ("6.C.3", "F ANK", (), "fails: attack 0 (its own power's A CON does not leave) does not exceed prevent 1 of A BUL - CON"
     " (itself) [5.B.1, 5.B.8, 6.D.10]"),
    ("6.C.5", "A BUL", (), "fails: its convoy is disrupted at F ION [5.B.4]; F ION is dislodged by F NAP - ION of Italy, whose"
     " attack 2 (itself, F TUN) exceeds hold 1 of F ION (itself) [5.B.3, 5.B.1]"),
    ("6.F.9", "A LON", ("4.A.1=any-route",), "fails: its convoy could go by 2 routes, and at least one of them is disrupted"
     " at F ENG [5.B.4, 4.A.1=any-route]; "
     "F ENG is dislodged by F MAO - ENG of France, whose attack 2 (itself, F BRE) exceeds hold 1 of"
     " F ENG (itself) [5.B.3, 5.B.1]"),
    ("6.F.14", "F ENG", (), f"disrupted, dislodged: disrupted by the Szykman rule: {CORE_14}: in 1 it is disrupted, in 1 it is"
     " available [5.B.9, 4.A.2=szykman]; dislodged by F WAL - ENG of England, whose attack 2 (itself, F LON) exceeds hold 1 of"
     " F ENG (itself) [5.B.1]"),
    ("6.F.14", "F WAL", ("4.A.2=all-hold",), f"fails by the rule All Hold: {CORE_14}: in 1 it succeeds, in 1 it fails"
     " [5.B.9, 4.A.2=all-hold]"),
    ("6.F.14", "F LON", ("4.A.2=1971",), "given: no move to LON cuts it [5.B.2]; A BRE - LON goes by convoy and cannot cut this"
     " support: it is for an attack on F ENG, which is ordered to convoy the army [4.A.2=1971]"),
    ("6.F.17", "F LON", ("4.A.2=1971",), "given, destroyed: no move to LON cuts it [5.B.2]; A BRE - LON goes by convoy and"
     " cannot cut this support: it is for an attack on F ENG, which is ordered to convoy the army; this is true although the"
     " army dislodges F LON [4.A.2=1971, 6.F.17]; destroyed by A BRE - LON of France, whose attack 2 (itself, F YOR) exceeds"
     " hold 1 of F LON (itself) [5.B.1]; it has no retreat: ENG, NTH, WAL and YOR are occupied [4.E.2]"),
    ("6.F.14", "F LON", ("4.A.2=2000",), "given: no move to LON cuts it [5.B.2]; A BRE - LON goes by convoy and cannot cut this"
     " support: it is for an attack on F ENG, which is necessary for the convoy [4.A.2=2000]"),
    ("6.F.14", "F LON", ("4.A.2=1982",), "given: no move to LON cuts it [5.B.2]; A BRE - LON goes by convoy and cannot cut this"
     " support: it is for an action in ENG, where F ENG is a convoying fleet [4.A.2=1982, 4.A.2.1982=army]"),
    ("6.E.12", "A VIE", (), "fails: attack 1 (itself) does not exceed prevent 2 of A GAL - BUD (itself, A RUM)"
     " [5.B.1, 5.B.8=ignored]; the support of A SER does not count: Austria does not help to dislodge its own A BUD"
     " [5.B.8, 6.D.12]"),
    ("6.F.30", "A LON", ("4.A.4.1=last-fleet",), "fails: it goes by the convoy of F ENG, but attack 2 (itself, F NTH) does not"
     " exceed defend 2 of F BEL - ENG (itself, F BRE) in a head-to-head battle [5.B.1, 5.B.7, 4.A.4.1=last-fleet]"),
    ("6.F.16", "F WAL", (), "fails: attack 2 (itself, F LON) does not exceed prevent 2 of F BEL - ENG (itself, F NTH) [5.B.1]"),
    ("6.F.18", "F BEL", (), "given: no move to BEL cuts it [5.B.2]; A LON - BEL does not arrive: its convoy is disrupted at"
     " F NTH [5.B.4]; F NTH is disrupted by the Szykman rule [5.B.9, 4.A.2=szykman]; this follows from"
     " the Szykman rule, which settles F NTH C A LON - BEL: its core"
     " (F NTH C A LON - BEL; A LON - BEL; F BEL S F NTH; F SKA - NTH) has no resolution"
     " [5.B.9, 4.A.2=szykman]"),
    ("6.F.19", "F NAP", (), "cut by A TUN - NAP of France, which comes by the convoy of F ION [5.B.2, 4.A.1=all-routes]"),
    ("6.F.30", "F BEL", ("4.A.4.1=last-fleet",), "fails: attack 2 (itself, F BRE) does not exceed defend 2 of A LON - BEL"
     " (itself, F NTH) in a head-to-head battle [5.B.1, 5.B.7, 4.A.4.1=last-fleet]"),
    ("6.H.17", "A POR", (), "destroyed by A SPA - POR of England, whose attack 2 (itself, F MAO) exceeds hold 1 of A POR"
     " (itself) [5.B.1]; it has no retreat: its attacker came from SPA [4.E.2, 6.H.5]"),
    ("2.4/7.B.5", "A MOS", (),
     "stops: it passes its own power's A OMS, which stays; it bounces in KRA: defend 1 (itself) does not exceed "
     "prevent 1 of A MON - KRA (itself); it ends in PRM, the last vacant province before [DATC 2.4, 7.B.3, 7.B.1, "
     "7.B.5]"),
    ("2.4/7.B.7", "A MOS", (), "succeeds: it comes into VLA while A SEO - VLA and F OKH - VLA bounce there [DATC 2.4, 7.B.7]"),
    ("2.4/7.B.8", "A MOS", (),
     "stops: it bounces in VLA: defend 2 (itself, A MAC) does not exceed prevent 2 of F OKH - VLA (itself, F SOJ); it "
     "ends in IRK [DATC 2.4, 7.B.8]"),
    ("2.4/7.B.11", "A MAC", (),
     "succeeds: attack 1 (itself) exceeds hold 0 of IRK (empty) and prevent 0 of A MOS - TSR - VLA at IRK (it does not "
     "get that far) [5.B.1; DATC 2.4, 7.B.11]"),
    ("2.4/7.B.12", "A MOS", (),
     "fails: it passes its own power's A PRM, which fails to leave; it bounces in OMS: defend 1 (itself) does not "
     "exceed prevent 1 of A AKM - OMS (itself); nothing behind it is vacant, and it stays in MOS [DATC 2.4, 7.B.10, "
     "7.B.1, 7.B.12]"),
    ("2.4/7.B.14", "A VLA", (),
     "given: A MOS - TSR - VLA stops before VLA, for a train cuts no support [5.B.2; DATC 2.4, 7.B.14]"),
    ("2.4/7.B.15", "A MOS", (),
     "succeeds: it passes its own power's A IRK, which stays; it comes into VLA as defend 2 (itself, A IRK) exceeds "
     "prevent 1 of F OKH - VLA (itself) [DATC 2.4, 7.B.3, 7.B.15]"),
    ("2.4/7.B.21", "A MOS", (),
     "stops: it comes into OMS after A OMS leaves; it stops in OMS to take the supply centre, which Russia does not "
     "own [DATC 2.4, 7.B.21]"),
    ("2.4/7.B.24", "A MOS", (),
     "fails: A PRM stays in PRM, and a train dislodges nobody; it stays in MOS [DATC 2.4, 7.B.13]; A MOS - TSR - VLA, "
     "to KRA is tried by the rule for railroads: its core (A MOS - TSR - VLA; A PRM - ORE; A ORE - AKM; A AKM - KRA) "
     "has no resolution [5.B.9; DATC 2.4, 7.B.24]"),
    ("2.4/7.B.26", "A PRM", (),
     "fails: attack 0 (its own power's A MOS does not leave) does not exceed defend 1 of A MOS - TSR - OMS at PRM "
     "(itself) in a head-to-head battle [5.B.1, 5.B.8, 6.D.10, 5.B.7; DATC 2.4, 7.B.28]"),
    ("2.4/7.B.28", "A MOS", (),
     "fails: A PRM - MOS comes towards it, and it dislodges nobody; it stays in MOS [DATC 2.4, 7.B.28]"),
    ("2.4/7.B.33", "A MOS", (), "illegal: only one unit can use the TSR in a turn [DATC 2.4, 7.B.33]"),
    ("2.4/7.C.1", "F MED", (), "fails: A EGY of Turkey, which holds the SC, does not permit it to pass [DATC 2.4, 7.C.1]"),
    ("2.4/7.C.4", "F MED", (), "fails: Russia permits only F RED to pass the SC [DATC 2.4, 7.C.4]"),
    ("2.4/7.C.4", "SC F RED - MED", (),
     "granted: F EGY holds the SC, and permits F RED to pass it; so F MED of its own power may not [DATC 2.4, 7.C.2, "
     "7.C.4]"),
    ("2.4/7.C.5", "F MED", (),
     "fails: F RED - MED of its own power is also ordered through the SC, but only one fleet may pass [DATC 2.4, 7.C.5]"),
    ("2.4/7.C.8", "F EGY", (),
     "fails: attack 0 (its own power's F MED does not leave) does not exceed hold 1 of F MED (itself, failing to "
     "leave) [5.B.1, 5.B.8, 6.D.10]; this follows from the rule for canals, which settles SC F MED - RED: its core (F MED - "
     "RED; F EGY - MED; SC F MED - RED) has no resolution [5.B.9; DATC 2.4, 7.C.8]"),
    ("2.4/7.C.3", "F MED", (),
     "succeeds: it goes through the SC, which its own power holds, and attack 1 (itself) exceeds hold 0 of RED (empty) "
     "[5.B.1; DATC 2.4, 7.C.3]"),
    ("2.4/9.D", "F SWE", (),
     "disrupted, dislodged by A STP - SWE of Russia, whose attack 2 (itself, F NWY) exceeds hold 1 of F SWE (itself) "
     "[5.B.3, 5.B.1; DATC 2.4, 9.D]"),
    ("2.4/10.A", "F SIC", (),
     "given: no move to SIC cuts it [5.B.2]; A NAP - SIC crosses a difficult border, and no support for it "
     "counts, and it fails: attack 0 (itself, less one over a difficult border) does not exceed hold 1 of F SIC "
     "(itself) [5.B.2, 5.B.1; DATC 2.4, 10.A, 10]"),
    ("2.4/10.B", "F SIC", (),
     "cut by A NAP - SIC of Italy, which comes over a difficult border with the support of F ION [5.B.2; DATC 2.4, "
     "10.B]"),
    ("2.4/10.D", "A COR", (),
     "fails: attack 0 (itself, less one over a difficult border) does not exceed prevent 0 of A TUN - NAF (itself, "
     "less one over a difficult border) [5.B.1; DATC 2.4, 10, 10.D]"),
    ("2.4/10.E", "A NAP", (), "illegal: no support is given over the difficult border from NAP to SIC [DATC 2.4, 10.E]"),
    ("2.4/10.F", "A TUN", (),
     "cut by the rule for supports over difficult borders: its core (A NAF S A SIC - TUN; A TUN S A COR - NAF) has 2 "
     "resolutions: in 1 it is cut, in 1 it is given [5.B.9; DATC 2.4, 10.F=cut]"),
    ("2.4/10.H", "A NAP", (),
     "succeeds by the rule for circular movement: its core (F SIC - TYS; F TYS - NAP; A NAP - SIC) has 2 resolutions: "
     "in 1 it succeeds, in 1 it fails [5.B.9, 6.C]; attack 0 (itself, less one over a difficult border) suffices "
     "against hold 0 of SIC (F SIC leaves) [5.B.1; DATC 2.4, 10]"),
]  # fmt: skip


@pytest.mark.parametrize(("identity", "order", "changes", "text"), GOLDEN, ids=[" ".join(row[:2]) for row in GOLDEN])
def test_golden(identity: str, order: str, changes: tuple[str, ...], text: str) -> None:
    assert why(outcome_of(identity, *changes), order).text == text


def adjusted(identity: str, *changes: str, rules: str | None = None) -> list[str]:
    """The explanations of the units that civil disorder takes in a case."""
    sheet = find_bundled_case(identity)
    rulebook = load_rulebook(rules or sheet.rules).with_settings(changes)
    outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
    assert isinstance(outcome, AdjustmentOutcome)
    return [str(found) for found in adjustment_explanations(outcome, rulebook=rulebook) if found.verdict is NoVerdict.REMOVED]


@pytest.mark.parametrize(
    ("identity", "changes", "words"),
    [
        ("6.J.3", (), "no removal is ordered [4.D.8=2023]; A PRU is 2 steps from the nearest centre of Russia,"
         " farther than A LVN (1 step), which stays [4.D.8=2023]"),
        ("6.J.4", (), "as far as A UKR, which stays: Livonia comes before Ukraine in the alphabet"),
        ("6.J.8", ("4.D.8=1971",), "A TYR is 3 steps from the nearest home centre of Russia, farther than F BAL (2 steps)"),
        ("6.J.2", (), "only 1 removal is legally ordered"),
        ("6.J.1", ("4.D.6=civil-disorder",), "more removals are ordered than are due, so none counts"
         " [4.D.8=2023, 4.D.6=civil-disorder]"),
    ],
)  # fmt: skip
def test_civil_disorder_says_distance_kind_or_alphabet(identity: str, changes: tuple[str, ...], words: str) -> None:
    (told,) = adjusted(identity, *changes)
    assert words in told


def test_civil_disorder_takes_a_fleet_before_an_army_as_far_away() -> None:
    board = judge_phase(find_bundled_case("6.J.4").board, {}).board
    standing = tuple(parse_unit(text, "RUSSIA", board.map) for text in ("A WAR", "F LVN"))
    outcome = judge_phase(replace(board, units=standing), {})
    assert isinstance(outcome, AdjustmentOutcome)
    (found,) = adjustment_explanations(outcome)
    words = "F LVN is 1 step from the nearest centre of Russia, as far as A WAR, which stays: a fleet goes before an army"
    assert words in str(found)


def _numbers_of_steps(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"(\d+) steps?", text)]


@pytest.mark.parametrize("choice", list(CivilDisorder))
def test_what_is_said_of_removals_is_so(choice: CivilDisorder) -> None:
    """On random boards: the distances are those of the adjudicator, and whoever goes is before whoever stays."""
    rng, rulebook = random.Random(f"removals {choice}"), load_rulebook().with_settings([f"4.D.8={choice}"])
    told = 0
    for _ in range(40):
        board, _ = random_board(rng, Flavour.CONVOYS, units=(8, 16))
        powers = sorted({unit.power for unit in board.units})
        centers = {code: rng.choice(powers) for code in rng.sample(sorted(board.map.centers), 6)}
        board = replace(board, phase=Phase.ADJUSTMENT, centers=centers)
        outcome = judge_phase(board, {}, rulebook=rulebook)
        assert isinstance(outcome, AdjustmentOutcome)
        for found in adjustment_explanations(outcome, rulebook=rulebook):
            ranked = rank_removals(board, found.power, rulebook)
            taken = len(outcome.automatic[found.power])
            distance = {str(unit): far for unit, far in ranked}
            (unit, *stays) = re.findall(r"\b[AF] [A-Z]{3}(?:/[A-Z]{2})?", found.sentences[1])
            stays = [other for other in stays if other != unit]
            steps = _numbers_of_steps(found.sentences[1])
            assert steps == [far for far in (distance[unit], *(distance[o] for o in stays)) if far < inf][: len(steps)]
            assert stays == [str(ranked[taken][0])] if taken < len(ranked) else not stays
            if stays:
                farther = distance[unit] > distance[stays[0]]
                assert any(words in found.text for words in ("farther than", "but from")) == farther
                assert any(words in found.text for words in ("a fleet goes before", "in the alphabet")) != farther
            told += 1
    assert told > 100


def test_every_order_that_does_not_count_has_its_remark() -> None:
    """In the table of `judge`: what is illegal and what does not match."""
    invalid = 0
    for sheet in read_collection("datc-3.2"):
        outcome = judge_phase(sheet.board, sheet.orders_by_power())
        if not isinstance(outcome, Outcome):
            continue
        for entry in chain.from_iterable(outcome.judged.values()):
            if entry.verdict.order in (OrderResult.INVALID, OrderResult.ILLEGAL):
                remark = remark_on(outcome, entry)
                assert remark, (sheet.identity, entry)
                assert not remark.startswith("by "), (sheet.identity, entry)
                invalid += entry.verdict.order is OrderResult.INVALID
    assert invalid >= 12


def test_an_explanation_in_its_parts() -> None:
    found = why(outcome_of("6.F.16"), "F Wales - English Channel")
    assert (found.power, found.order, str(found.verdict), found.rule) == ("ENGLAND", "F WAL - ENG", "fails", "5.B.1")
    assert found.core is None
    assert [str(culprit) for culprit in found.culprits] == ["F BEL - ENG", "F NTH S F BEL - ENG"]
    assert found.strengths == (
        Strength("attack", "F WAL - ENG", 2, ("F LON S F WAL - ENG",)),
        Strength("prevent", "F BEL - ENG", 2, ("F NTH S F BEL - ENG",)),
    )
    core = why(outcome_of("6.F.14"), "F ENG").core
    assert core is not None
    assert (core.rule, core.settled) == ("szykman", ("F ENG C A BRE - LON",))
    assert core.resolutions == ((True, True, False), (False, False, True))


def test_an_explanation_does_not_run_in_a_circle() -> None:
    """6.C.3: the bounce is the reason, not the units of the ring that keep each other in place."""
    outcome = outcome_of("6.C.3")
    assert why(outcome, "F ANK").culprits == (Culprit("TURKEY", "A BUL - CON"),)
    assert why(outcome, "A SMY").culprits == (Culprit("TURKEY", "F ANK - CON"),)
    assert why(outcome, "A CON").culprits == (Culprit("TURKEY", "A SMY - ANK"),)


@pytest.mark.parametrize(
    ("order", "hint"),
    [("A TRI - TYR", "did you mean A TRI - VEN?"), ("F ION - ALB", "F ION - ADR"), ("A PAR", "there is no order A PAR (")],
)
def test_an_unknown_order_is_refused_with_a_suggestion(order: str, hint: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        why(outcome_of("6.D.3"), order)
    assert hint in str(caught.value)


def test_a_unit_without_an_order_can_be_asked_about() -> None:
    sheet = find_bundled_case("6.D.3")
    orders = {power: given for power, given in sheet.orders_by_power().items() if power == "AUSTRIA"}
    found = why(judge(sheet.board, orders), "A VEN")
    assert found.order == "A VEN H (no order)"
    assert str(found.verdict) == "dislodged"
    assert [entry.order for entry in explanations(judge(sheet.board, orders))][-1] == "A VEN H (no order)"


# ---- why not ----


def smallest(sheets: Sequence[Sheet], most: int) -> list[Outcome]:
    found = []
    for sheet in sheets:
        try:
            outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules))
        except UnresolvedError:
            continue
        if isinstance(outcome, Outcome) and 0 < len(outcome.adjudication.situation.decisions) <= most:
            found.append(outcome)
    return found


def table(situation: Situation) -> dict[tuple[bool, ...], frozenset[int]]:
    """For every assignment of the decisions those whose equations it violates."""
    rows = product((True, False), repeat=len(situation.decisions))
    return {values: frozenset(decision.index for decision in find_violated(situation, values)) for values in rows}


def numbered(equations: Iterable[str], situation: Situation) -> set[int]:
    """The decisions whose equations these are, as `MOVE(F WAL - ENG)`."""
    return {decision.index for decision in situation.decisions if name_decision(decision) in equations}


def check_why_not(outcome: Outcome) -> int:
    """By brute force: possible or not, jointly unsatisfiable with the wish, and each equation needed."""
    situation = outcome.adjudication.situation
    rows = table(situation)
    forbidden = 0
    for decision in situation.decisions:
        answer = why_not(outcome, decision.order, decision.power)
        wished = [broken for values, broken in rows.items() if values[decision.index]]
        assert answer.possible == any(not broken for broken in wished)
        if answer.resolution is not None:
            values = tuple(answer.resolution[str(other)] for other in situation.decisions)
            assert values[decision.index]
            assert not rows[values]
            continue
        forbidden += 1
        equations = numbered(answer.forbidding, situation)
        assert all(broken & equations for broken in wished), "the set does not forbid it"
        for index in equations:
            assert any(not broken & (equations - {index}) for broken in wished), f"{index} is not needed"
        check_steps(answer.steps, situation, equations)
    return forbidden


def check_steps(steps: Sequence[str], situation: Situation, equations: set[int]) -> None:
    """The prose ends in a contradiction, in every branch, and every equation has its say."""
    told = "\n".join(steps)
    assert steps[-1].endswith("a contradiction")
    assert told.count("a contradiction") == told.count("suppose instead") + 1
    for index in equations:
        assert str(situation.decisions[index]) in told


def test_why_not_on_small_cases() -> None:
    outcomes = smallest([sheet for sheet in read_collection() if sheet.identity[:3] in ("6.C", "6.D", "6.E", "6.F", "6.G")], 8)
    assert len(outcomes) > 60
    assert sum(check_why_not(outcome) for outcome in outcomes) > 80


def test_why_not_on_random_tangles() -> None:
    rng = random.Random(5)
    several = none = forbidden = 0
    for _ in range(150):
        board, orders = random_board(rng, Flavour.CONVOYS, (5, 9))
        outcome = judge(board, orders)
        if len(outcome.adjudication.situation.decisions) <= 8 and outcome.adjudication.resolutions.count != 1:
            several += outcome.adjudication.resolutions.count > 1
            none += outcome.adjudication.resolutions.count == 0
            forbidden += check_why_not(outcome)
    assert several > 3
    assert none > 0
    assert forbidden > 10


@pytest.mark.parametrize("identity", ["6.F.16", "6.F.17", "6.F.18", "6.F.24"])
def test_a_core_without_a_resolution_is_shown_contradictory(identity: str) -> None:
    outcome = outcome_of(identity)
    situation, final = outcome.adjudication.situation, outcome.adjudication.values
    (found,) = why_no_resolution(outcome)
    own = [decision.index for decision in situation.decisions if str(decision) in found.core]
    equations = numbered(found.equations, situation)
    assert len(equations) == len(found.equations)
    assert equations <= set(own)
    rows = []
    for row in product((True, False), repeat=len(own)):
        values = list(final)
        for index, value in zip(own, row, strict=True):
            values[index] = value
        rows.append({decision.index for decision in find_violated(situation, values)})
    assert all(broken & equations for broken in rows)
    for index in equations:
        assert any(not broken & (equations - {index}) for broken in rows)
    check_steps(found.steps, situation, equations)


def test_a_core_with_resolutions_is_not_contradictory() -> None:
    assert why_no_resolution(outcome_of("6.F.14")) == []


def test_why_not_tells_who_is_in_the_way() -> None:
    answer = why_not(outcome_of("6.F.16"), "F WAL")
    assert answer.wish == "F WAL - ENG succeeds"
    assert answer.forbidding == ("MOVE(F WAL - ENG)", "SUPPORT(F NTH S F BEL - ENG)")
    assert answer.steps == (
        "no: F WAL - ENG succeeds in no consistent resolution",
        "suppose that F WAL - ENG succeeds",
        "F NTH S F BEL - ENG is given, whatever else happens",
        "F WAL - ENG fails, because attack at most 2 of F WAL - ENG (itself, F LON) does not exceed prevent at least 2 of F BEL"
        " - ENG (itself, F NTH): a contradiction",
    )
    possible = why_not(outcome_of("6.F.14"), "F ENG")
    assert str(possible) == (
        "yes: F ENG C A BRE - LON is available in a consistent resolution, the one in which F LON S F WAL - ENG is cut and"
        " F WAL - ENG fails, but not by the backup rule (szykman)"
    )
    assert str(why_not(outcome_of("6.D.3"), "F ION")).startswith("no: F ION - ADR succeeds in no consistent resolution")
    assert "is cut by F ION - ADR, whatever else happens: a contradiction" in str(why_not(outcome_of("6.D.3"), "F ADR"))


def test_why_not_of_what_is_no_decision() -> None:
    answer = why_not(outcome_of("6.D.32"), "A YOR - HOL")
    assert (answer.possible, answer.forbidding) == (False, ())
    assert "illegal" in str(answer)


# ---- what if ----


def words_of(*verdicts: AnyVerdict | None) -> tuple[str | None, ...]:
    return tuple(None if verdict is None else str(verdict) for verdict in verdicts)


def naive(board: Any, orders: Mapping[Power, Sequence[Order]], power: Power, position: int) -> Outcome:  # noqa: ANN401
    kept = {name: [order for i, order in enumerate(given) if (name, i) != (power, position)] for name, given in orders.items()}
    return judge(board, kept)


def seen(outcome: Outcome) -> tuple[object, object]:
    return set(outcome.units), {(lost.unit, lost.retreats) for lost in outcome.dislodgements.values()}


@pytest.mark.parametrize(("boards", "least"), [(1, 10), pytest.param(3, 30, marks=pytest.mark.slow)])
def test_what_if_and_pivotal_orders_are_what_judging_anew_says(boards: int, least: int) -> None:
    rng = random.Random(7)
    changed = 0
    for flavour in (Flavour.GENERAL, Flavour.CONVOYS, Flavour.CIRCLES, Flavour.DENSE):
        for _ in range(boards):
            board, orders = random_board(rng, flavour, (6, 34), illegal=0.1)
            before = judge(board, orders)
            pivotal = {(pivot.power, pivot.order): pivot.change for pivot in pivotal_orders(board, orders)}
            for power, given_orders in orders.items():
                for position, order in enumerate(given_orders):
                    after = naive(board, orders, power, position)
                    differs = seen(before) != seen(after)
                    assert ((power, str(order)) in pivotal) == differs
                    change = what_if(board, orders, without=[order])
                    assert change.outcome_differs == differs
                    old = [v for i, v in enumerate(before.results[power]) if i != position]
                    told = {(entry.power, entry.order): words_of(entry.before, entry.after) for entry in change.verdicts}
                    assert told[power, str(order)] == (before.results[power][position], None)
                    others = sum(old_v != new_v for old_v, new_v in zip(old, after.results[power], strict=True))
                    others += sum(
                        one != other
                        for name in before.results
                        if name != power
                        for one, other in zip(before.results[name], after.results[name], strict=True)
                    )
                    assert len(change.verdicts) == others + 1
                    changed += differs
    assert changed > least


def test_what_if_of_a_new_order_takes_the_place_of_the_old() -> None:
    sheet = find_bundled_case("6.D.3")
    change = what_if(sheet.board, sheet.orders_by_power(), with_=[("ITALY", "A VEN - TYR")], asked=(None, "A VEN H"))
    assert getattr(change.order, "order", None) == "A VEN - TYR"
    assert [(entry.order, *words_of(entry.before, entry.after)) for entry in change.verdicts] == [
        ("A TRI - VEN", "fails", "succeeds"),
        ("A VEN H", "stands", None),
        ("A VEN - TYR", None, "succeeds"),
    ]
    assert [entry.unit for entry in change.positions.before] == ["A TRI", "A VEN"]
    assert change.dislodgements == BeforeAndAfter([], [])
    assert change.outcome_differs


def test_nothing_changes_if_nothing_does() -> None:
    sheet = find_bundled_case("6.D.3")
    change = what_if(sheet.board, sheet.orders_by_power())
    assert (change.verdicts, change.outcome_differs) == ((), False)
    with pytest.raises(NotFoundError, match="no order A TRI - TYR"):
        what_if(sheet.board, sheet.orders_by_power(), without=["A TRI - TYR"])


# ---- the command ----

Invoke = Callable[..., tuple[int, str, str]]


@pytest.fixture
def invoke(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Invoke:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin.encode())))
        return (run(["explain", *arguments]), *capsys.readouterr())

    return call


def test_command_explains_an_order(invoke: Invoke) -> None:
    code, out, _ = invoke("datc:6.D.2", "A Venice Holds")
    assert code == 0
    assert out.splitlines() == [
        "6.D.2: A move cuts support on hold  [datc-3]",
        "Italy:",
        "  A VEN H  dislodged by A TRI - VEN of Austria, whose attack 2 (itself, F ADR) exceeds hold 1 of A VEN (itself)"
        " [5.B.1]",
        "      the support of A TYR is cut by A VIE - TYR of Austria [5.B.2]",
        "",
    ]
    convoyed = "England: A Lon - Bel via convoy, F Nth C A Lon - Bel"
    assert "  A LON - BEL VIA  succeeds: " in invoke("-", "A Lon - Bel", stdin=convoyed)[1]


def test_command_explains_every_order_and_phase(invoke: Invoke) -> None:
    assert invoke("datc:6.H.6")[1].splitlines()[-4:] == [
        "Italy:",
        "  A VIE R BOH  illegal: A VIE cannot retreat to BOH; it can go to: GAL, TYR [6.H.6]",
        "      BOH is contested [6.H.6]",
        "",
    ]
    assert "  A MUN B  illegal: Germany may build only 1 [4.D.4=first]" in invoke("datc:6.I.1")[1]
    assert "[4.D.8=2023]" in invoke("datc:6.J.3")[1]
    assert "R BOH" in invoke("datc:6.H.6", "A VIE R BOH")[1]
    assert invoke("datc:6.I.1", "Build A Munich")[1].count("illegal") == 1


@pytest.mark.parametrize("order", ["A PRU D", "a pru", "A Prussia", "Russia: A PRU D", "Remove A Prussia"])
def test_a_removal_by_civil_disorder_is_found_by_its_order_or_unit(order: str, invoke: Invoke) -> None:
    code, out, _ = invoke("datc:6.J.3", order)
    assert code == 0
    assert "A PRU is 2 steps from the nearest centre of Russia, farther than A LVN (1 step), which stays" in out


def test_command_as_json(invoke: Invoke) -> None:
    code, out, _ = invoke("datc:6.F.14", "--json", "--set", "4.A.2=all-hold")
    (case,) = json.loads(out)["cases"]
    assert (code, case["id"], case["rulebook"]["settings"]["4.A.2"]) == (0, "6.F.14", "all-hold")
    assert [order["verdict"] for order in case["orders"]] == ["given", "fails", "fails", "disrupted"]
    assert case["orders"][1]["rules"] == ["5.B.9", "4.A.2=all-hold"]
    assert case["orders"][1]["core"]["rule"] == "all-hold"
    assert {culprit["power"] for culprit in case["orders"][1]["culprits"]} == {"ENGLAND", "FRANCE"}


def test_command_why_not(invoke: Invoke) -> None:
    out = invoke("datc:6.F.16", "F WAL - ENG", "--why-not")[1]
    assert "  suppose that F WAL - ENG succeeds" in out
    assert "The core F LON S F WAL - ENG; F ENG C A BRE - LON; F BEL - ENG has no resolution" in out
    (case,) = json.loads(invoke("datc:6.F.16", "--why-not", "--json")[1])["cases"]
    assert case["why_not"][0]["forbidding"] == ["MOVE(F WAL - ENG)", "SUPPORT(F NTH S F BEL - ENG)"]
    assert len(case["no_resolution"]) == 1


def test_command_what_if(invoke: Invoke) -> None:
    out = invoke("datc:6.D.3", "A TRI", "--without", "F ION - ADR")[1]
    assert "  Italy  A VEN H: stands -> dislodged" in out
    assert "  now: A VEN of Italy dislodged (may retreat to APU, PIE, ROM, TUS, TYR)" in out
    assert "  A TRI - VEN  succeeds: attack 2 (itself, F ADR) exceeds hold 1 of A VEN (itself) [5.B.1]" in out
    (case,) = json.loads(invoke("datc:6.D.3", "--with", "Italy: A VEN - TYR", "--json")[1])["cases"]
    assert case["change"]["positions"]["after"] == [{"power": "AUSTRIA", "unit": "A VEN"}, {"power": "ITALY", "unit": "A TYR"}]
    assert invoke("datc:6.D.3", "--with", "A VEN - TYR")[1] == invoke("datc:6.D.3", "--with", "Italy: A VEN - TYR")[1]


TRIESTE = "Austria: A TRI - VIE\nItaly: A VIE H"


@pytest.mark.parametrize(
    ("order", "lines"),
    [
        ("A TRI H", ["  Austria  A TRI - VIE: fails -> A TRI H: stands"]),
        (
            "Austria: F TRI H",
            [
                "  Austria  A TRI - VIE: fails -> F TRI H: stands",
                "  F TRI H is read as A TRI H, by the kind of the unit that stands there (4.C.2)",
            ],
        ),
        (
            "A TRI - BER",
            [
                "  Austria  A TRI - VIE: fails -> A TRI - BER: illegal",
                "  A TRI - BER is illegal: there are no fleets that could convoy an army from TRI to BER (4.E.1, 6.D.32)",
            ],
        ),
    ],
)
def test_command_what_if_tells_of_a_unit_once_and_why_an_order_is_not_what_it_seems(
    invoke: Invoke, order: str, lines: list[str]
) -> None:
    assert [line.rstrip() for line in invoke("-", "--with", order, stdin=TRIESTE)[1].splitlines()[1:] if line.strip()] == lines


def test_command_pivotal(invoke: Invoke) -> None:
    out = invoke("datc:6.D.3", "--pivotal")[1]
    assert out.splitlines()[1:3] == ["Without F ION - ADR of Italy", "  no longer there: A TRI of Austria"]
    assert (
        "No single order, if it is left out, changes where units end up."
        in invoke("-", "--pivotal", stdin="France: A PAR H")[1]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("datc:6.D.3", "A TRI - TYR"), "did you mean A TRI - VEN?"),
        (("datc:6.D.3", "--without", "A TRI - TYR"), "did you mean A TRI - VEN?"),
        (("datc:6.D.3", "nonsense"), "expected a province"),
        (("datc:6.D.3", "--with", "A PAR - BUR"), "write POWER: A PAR - BUR"),
        (("datc:6.I.1", "--pivotal"), "needs a movement phase"),
        (("datc:6.I.1", "Build A Paris"), "there is no order"),
        (("datc:6.J.3", "A LVN"), "there is no order A LVN (there is A PRU D (civil disorder))"),
        (("datc:6.D.3", "--pivotal", "--why-not"), "one at a time"),
    ],
)
def test_command_refuses(arguments: tuple[str, ...], message: str, invoke: Invoke) -> None:
    code, _, err = invoke(*arguments)
    assert code == 2
    assert message in err


def test_command_says_how_it_is_used(invoke: Invoke) -> None:
    code, out, _ = invoke("--help")
    assert code == 0
    assert all(
        option in out for option in ("--what-would-change", "--why-not", "--without", "--with", "--pivotal", "Examples:")
    )


def test_lines_hold_every_sentence() -> None:
    found = explanations(outcome_of("6.F.18"))
    text = "\n".join(iter_explanation_lines(found, find_bundled_case("6.F.18").map))
    assert all(sentence in text for entry in found for sentence in entry.sentences[1:])


def test_moves_are_named_like_their_orders() -> None:
    """`check_strength` finds a move by its text."""
    for sheet in read_collection("datc-3.2")[:40]:
        outcome = judge_phase(sheet.board, sheet.orders_by_power())
        if isinstance(outcome, Outcome):
            moves = [str(d) for d in outcome.adjudication.situation.decisions if isinstance(d, MoveDecision)]
            assert len(set(moves)) == len(moves)


def test_a_route_round_about_through_the_fleets_of_others_is_not_counted() -> None:
    told = str(why(outcome_of("6.F.9", "4.A.1=any-route", "4.E.1.convoy=legal"), "A LON"))
    assert "its convoy could go by 2 routes, and at least one of them is disrupted at F ENG" in told
