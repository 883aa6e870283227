"""The diagnosis: engines with mistakes that are known, and what is told of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from helpers.seeded_engines import CONDITIONAL, DIRECT, ORACLE, asked, changed_oracle, diagnosed, right, seeds

from satjudge.apps.cli import run
from satjudge.base.errors import OracleError
from satjudge.engines.campaign import make_campaign
from satjudge.engines.comparison import Depth, answer_from_outcome
from satjudge.engines.conformance.diagnosis import describe_doubt, diagnose_engine, find_best_hypothesis, iter_nearby_positions
from satjudge.engines.conformance.evidence import (
    MORE,
    TRIES,
    EngineAnswer,
    Evidence,
    extend_hypothesis,
    list_rulebook_hypotheses,
    make_recording_campaign,
    minimize_hypothesis,
)
from satjudge.engines.conformance.faults import FAULTS, SENTENCES, VARIATIONS, describe_part
from satjudge.engines.conformance.hypotheses import Hypothesis
from satjudge.engines.conformance.switchable_judge import WORK, make_faulty_judge
from satjudge.engines.conformance.wording import list_reworded_answers
from satjudge.engines.documents.conformance import Cause, Diagnosis
from satjudge.engines.kit.parts import list_evidence_positions, read_name
from satjudge.engines.kit.run import ask_kit
from satjudge.engines.positions import AskedPosition, ListedPositions, PhaseOrder, parse_position
from satjudge.judging.judge import judge_phase
from satjudge.judging.solve import Engine
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Power, UnitKind
from satjudge.world.orders import Hold, Move, Order, SupportMove

questions = cache(list_evidence_positions)
"""They are made once for all tests."""
SEEDS = {seed.name: seed for seed in seeds()}
CERTAIN = ("no retreats to a convoyed attacker's origin", "defend without the attacker's supports")
QUICK = CERTAIN[0]
LOST = "DEFEND without supports by the attacker's power"


def told_of(
    against: str, *parts: str, rules: str | None = None, settings: Sequence[str] = (), in_no_time: bool = False, only: str = ""
) -> Diagnosis:
    campaign = make_recording_campaign(
        make_campaign(against, ListedPositions(()), rules=rules, settings=tuple(settings), engine=Engine.STAGED)
    )
    lines = {part: [line for line in asked(part) if not only or read_name(line) == only] for part in parts}
    found = ask_kit(campaign, lines)
    return diagnose_engine(campaign, campaign.list_answers(lines), found, 0 if in_no_time else TRIES)


# ---- whole diagnoses ----


def test_every_change_of_a_seeded_engine_finds_its_place() -> None:
    for name in {**ORACLE, **CONDITIONAL}:
        changed_oracle(name)


def test_a_right_engine_agrees() -> None:
    told = told_of("satjudge-staged", "catalogue", "adjustments")
    assert (told.rules, told.causes, told.unexplained) == ("datc-3", [], [])
    assert told.says == "agrees with datc-3 as far as it was asked, without the boards of every run"


@pytest.mark.slow
def test_an_engine_that_plays_another_rulebook_is_told_so() -> None:
    """`kruijswijk-guess` plays by the preferences of the DATC, whatever it is said to play."""
    told = told_of("kruijswijk-guess", "clauses", rules="1982")
    assert (told.rules, told.settings, told.unexplained) == ("datc-3", [], [])
    (cause,) = told.causes
    assert (cause.kind, cause.says) == ("setting", "It plays by datc-3, not by 1982")
    assert cause.explains == told.differing > 0
    assert cause.evidence[0].expected != cause.evidence[0].said
    assert told.mistakes == []


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name != QUICK)) for name in CERTAIN])
def test_the_mistake_is_named(name: str) -> None:
    told = diagnosed(SEEDS[name])
    assert right(SEEDS[name], told)
    assert told.unexplained == []
    (cause,) = told.causes
    assert 0 < cause.explains == told.differing  # as the parts of the kit count them
    assert cause.evidence[0].orders


LOSER = "PREVENT by the loser of a head-to-head battle"


def bouncing_losers(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    """An engine in which the loser of a head-to-head battle bounces others, but bars no retreat, as is right."""
    position = AskedPosition(board, orders)
    (said,), (ours,) = (Hypothesis("datc-3", (), faults).list_answers([position]) for faults in ((LOSER,), ()))
    assert said is not None and ours is not None  # noqa: PT018
    taken = {unit.split()[1].partition("/")[0] for units in said.units.values() for unit in units}
    lost = {
        power: {
            unit: [one for one in ours.dislodged.get(power, {}).get(unit, places) if one.partition("/")[0] not in taken]
            for unit, places in units.items()
        }
        for power, units in said.dislodged.items()
    }
    return replace(said, dislodged=lost)


@pytest.mark.slow
def test_a_mistake_that_is_made_in_some_cases_only_is_told_with_its_condition() -> None:
    """Retreats are right in this engine: a unit that goes to the same place, and bounces, is what its mistake shows on."""
    told = told_of("test_diagnosis:bouncing_losers", "datc", "clauses")
    assert [cause.name for cause in told.causes] == [f"{LOSER}, if another unit goes to the destination of the moving unit"]
    assert told.unexplained == []


def test_borders_are_asked_about_where_the_map_was_not() -> None:
    """Else faults would be sought that explain what a border does."""
    told = diagnosed(replace(SEEDS["no border Picardy - Belgium"], parts=("datc",)))
    (cause,) = told.causes
    assert cause.says == "borders missing: A BEL - PIC and back"
    assert (told.rules, told.settings, told.unexplained, told.left) == ("datc-3", [], [], 0)
    assert told.set_aside == told.differing > 0
    assert (cause.explains, cause.besides) == (0, 0)


@pytest.mark.campaign
@pytest.mark.parametrize("name", sorted({*ORACLE, *DIRECT} - {*CERTAIN}))
def test_every_mistake_is_named_or_something_left_open(name: str) -> None:
    told = diagnosed(SEEDS[name])
    assert right(SEEDS[name], told) or told.unexplained


@pytest.mark.slow
def test_a_setting_is_told_rather_than_a_mistake_that_comes_to_the_same() -> None:
    """It calls a fleet's order `available` that does not count by the setting (`invalid`), and that is no mistake."""
    told = diagnosed(replace(SEEDS["by convoy only if it says so"], parts=("clauses",)))
    assert (told.rules, told.settings, told.mistakes, told.unexplained) == ("datc-3", ["4.A.3=explicit"], [], [])
    setting, words = told.causes
    assert (setting.kind, setting.instead) == ("setting", ["convoyed only where it says so"])
    assert setting.evidence[0].said != setting.evidence[0].expected
    assert "is available, not invalid" in words.says


OWN_WORDS = {"dislodged": "stands, dislodged", "invalid": "fails"}


def in_its_own_words(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Answer:
    """An engine that is right, and has other words for two verdicts."""
    said = answer_from_outcome(judge_phase(board, orders))
    return replace(said, verdicts={power: [OWN_WORDS.get(one, one) for one in told] for power, told in said.verdicts.items()})


def calls_supports_by_fleets_given(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Answer:
    """An engine that knows `invalid` of armies, and says that fleets give supports that are."""
    said = answer_from_outcome(judge_phase(board, orders))
    words = {
        power: [
            "given" if word == "invalid" and isinstance(order, SupportMove) and str(order).startswith("F ") else word
            for order, word in zip(given, said.verdicts[power], strict=True)
        ]
        for power, given in orders.items()
    }
    return replace(said, verdicts=words)


def test_other_words_are_told_once_for_each_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = told_of("test_diagnosis:in_its_own_words", "datc", in_no_time=True)
    causes = {cause.name: cause for cause in told.causes}
    assert causes.keys() == {"stands, dislodged for dislodged", "fails for invalid"}
    assert {cause.kind for cause in told.causes} == {"words"}
    assert (told.rules, told.settings, told.mistakes, told.unexplained, told.left) == ("datc-3", [], [], [], 0)
    fails, stands = causes["fails for invalid"], causes["stands, dislodged for dislodged"]
    assert stands.says.startswith(
        f"your `stands, dislodged` is satjudge's `dislodged` in {stands.explains} answers (a dialect can"
    )
    assert fails.explains > 1
    assert len(fails.evidence) == len(stands.evidence) == 1
    entries = [re.search(r'it: (".*\]), see', cause.says) for cause in told.causes]
    dialect = tmp_path / "ours.toml"
    dialect.write_text("[ours]\n[ours.words]\n" + "\n".join(entry.group(1) for entry in entries if entry), encoding="utf-8")
    asked = ["conformance", "--against", "test_diagnosis:in_its_own_words", "--part", "datc", "--no-diagnosis"]
    assert run(asked) == 1
    assert run([*asked, "--dialect", str(dialect)]) == 0  # what the dialect is said to say is all that it takes
    capsys.readouterr()


def test_a_verdict_that_the_engine_knows_is_no_matter_of_words() -> None:
    """Then it says something else where it does not say it, and that stays unexplained."""
    told = told_of("test_diagnosis:calls_supports_by_fleets_given", "datc", in_no_time=True)
    assert "words" not in {cause.kind for cause in told.causes}
    assert told.unexplained
    assert told.says.endswith(f"unexplained; {told.caveat}")


NEVER_GIVEN = "SUPPORT against a unit of one's own power never given"


def in_words_of_a_mistake(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    """An engine that calls supports as one with the mistake would, and makes none: every unit fares as it should."""
    position = AskedPosition(board, orders)
    (said,), (ours,) = (Hypothesis("datc-3", (), faults).list_answers([position]) for faults in ((NEVER_GIVEN,), ()))
    assert said is not None and ours is not None  # noqa: PT018
    supports = {key for key, order in position.orders_by_number.items() if isinstance(order, SupportMove)}
    verdicts = {
        power: [said.verdicts[power][n] if (power, n) in supports else word for n, word in enumerate(told)]
        for power, told in ours.verdicts.items()
    }
    return replace(ours, verdicts=verdicts)


@pytest.mark.parametrize("engine", ["in_words_of_a_mistake", "support_never_given"])
def test_a_mistake_that_shows_in_words_alone_is_told_as_words(engine: str) -> None:
    """Of one answer, in which no unit fares otherwise: what supports are called is told, and a rule only if units show it."""
    told = told_of(f"test_diagnosis:{engine}", "clauses", only="clause 34")
    (cause,) = told.causes
    assert (cause.name, cause.explains, told.unexplained) == (NEVER_GIVEN, 1, [])
    assert cause.evidence[0].differs == []
    if engine == "support_never_given":
        assert told.mistakes == [cause]
        assert cause.says == f"{NEVER_GIVEN}: {SENTENCES[NEVER_GIVEN]}"
    else:
        assert (cause.kind, told.mistakes) == ("words", [])
        listed = "`invalid` where satjudge says `given`, `invalid` where satjudge says `cut`"
        assert cause.says.startswith(f"says {listed}, as if by “SUPPORT against")
        assert SENTENCES[NEVER_GIVEN] not in cause.says


OWN_FLEETS = "a convoy over some fleets is not found, if the convoying fleet is not of the power of the convoyed army"


def test_other_words_for_an_order_that_a_mistake_concerns_are_known_from_a_mistake_in_words() -> None:
    told = {"units": {"ENGLAND": ["A LON", "A KIE"], "FRANCE": ["F NTH"]}}
    orders = {"ENGLAND": ["A LON - BEL", "A KIE - HOL"], "FRANCE": ["F NTH C A LON - BEL"]}
    position = parse_position(json.dumps({**told, "orders": orders}).encode())
    best = Hypothesis("datc-3", (), (OWN_FLEETS,))
    (said,), (right,) = best.list_answers([position]), Hypothesis("datc-3").list_answers([position])
    assert said is not None and right is not None  # noqa: PT018
    moving = replace(said, verdicts={**said.verdicts, "ENGLAND": ["fails", "succeeds"]})
    in_words = replace(right, verdicts={**right.verdicts, "FRANCE": ["invalid"]})
    heard = [EngineAnswer("", position, Depth.VERDICTS, answer) for answer in (said, moving, in_words)]
    assert said.verdicts["ENGLAND"] == ["invalid", "succeeds"]
    assert list_reworded_answers(Evidence(Hypothesis("datc-3"), {}), best, heard) == [heard[1]]


PAIR = ("if the moving unit is an army", "if the moving unit is a fleet")


@pytest.mark.parametrize(
    ("names", "explains", "doubt"),
    [
        (["HOLD nothing"], 1, ""),
        ([f"SUPPORT never cut, {PAIR[0]}", f"MOVE never, {PAIR[1]}"], 9, ""),
        ([f"SUPPORT never cut, {one}" for one in PAIR], 9, "one mistake is reported with two conditions"),
        (
            [f"{one}, {PAIR[0]}" for one in ("MOVE never", "HOLD nothing", LOST)],
            9,
            "3 mistakes are reported, each with a condition",
        ),
        ([f"MOVE never, {PAIR[0]}"], 2, "a condition rests on fewer than 3 answers"),
    ],
)
def test_what_is_pieced_together_or_rests_on_little_is_told_with_doubt(names: Sequence[str], explains: int, doubt: str) -> None:
    assert describe_doubt([Cause("fault", name, name, explains) for name in names]) == doubt


def support_never_given(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    """An engine that makes the mistake."""
    (said,) = Hypothesis("datc-3", (), (NEVER_GIVEN,)).list_answers([AskedPosition(board, orders)])
    assert said is not None
    return said


def test_a_setting_that_was_asked_for_is_no_finding() -> None:
    told = told_of("satjudge-staged", "options", settings=["4.A.1=any-route"], in_no_time=True)
    assert (told.settings, told.causes, told.unexplained) == (["4.A.1=any-route"], [], [])
    assert told.says.startswith("agrees with datc-3 with 4.A.1=any-route")


# ---- what it is made of ----


def a_board(*units: str, powers: Sequence[str]) -> Board:
    return Board(tuple(Unit(power, UnitKind(unit[0]), unit[2:]) for power, unit in zip(powers, units, strict=True)))


def moving_against_a_supported_unit() -> AskedPosition:
    board = a_board("A SIL", "A BER", powers=["GERMANY", "RUSSIA"])
    sil, ber = board.units
    return AskedPosition(board, {"GERMANY": [Move(sil.named, "BER")], "RUSSIA": [Hold(ber.named)]}, "two")


def test_several_faults_are_judged_together() -> None:
    position = moving_against_a_supported_unit()
    (plain,) = Hypothesis("datc-3").list_answers([position])
    (weak,) = Hypothesis("datc-3").with_part("HOLD one too little").list_answers([position])
    both = Hypothesis("datc-3").with_part("HOLD one too little").with_part(LOST)
    assert both.faults == (LOST, "HOLD one too little")
    assert plain != weak
    assert both.list_answers([position]) == [weak]
    assert Hypothesis("datc-3").list_answers([position]) == [plain]  # nothing is left of it


def test_faults_that_change_the_same_text_exclude_each_other() -> None:
    hypothesis = Hypothesis("datc-3", (), ("SUPPORT in place never cut", "SUPPORT of a move never cut"))
    with pytest.raises(ValueError, match=r"is not in statement\.support"):
        make_faulty_judge(hypothesis.faults)
    evidence = Evidence(Hypothesis("datc-3"), {})
    evidence.add_answers([EngineAnswer("", moving_against_a_supported_unit(), Depth.VERDICTS, None)])
    assert evidence.cost(hypothesis) == float("inf")


def test_a_setting_replaces_another_value_and_a_usual_one_is_none() -> None:
    hypothesis = Hypothesis.from_settings("datc-3", ["4.A.2=all-hold", "4.A.5=allowed"])
    assert hypothesis.settings == ("4.A.2=all-hold",)
    assert hypothesis.with_part("4.A.2=guide").settings == ("4.A.2=guide",)
    assert hypothesis.with_part("4.A.2=szykman").settings == ()


def test_what_explains_nothing_is_left_out() -> None:
    position = moving_against_a_supported_unit()
    (weak,) = Hypothesis("datc-3").with_part("HOLD one too little").list_answers([position])
    evidence = Evidence(Hypothesis("datc-3"), {})
    evidence.add_answers([EngineAnswer("", position, Depth.VERDICTS, weak)])
    guess = Hypothesis("datc-3", ("4.A.5=barred",), ("HOLD one too little", LOST))
    assert minimize_hypothesis(evidence, guess) == Hypothesis("datc-3", (), ("HOLD one too little",))


@pytest.mark.slow
def test_three_mistakes_are_looked_for_under_the_rulebook_that_an_engine_is_said_to_play_by() -> None:
    """Though other rulebooks leave fewer of its answers unexplained before any mistake is supposed."""
    told = Hypothesis("datc-3")
    true = told.with_parts(
        (
            "DEFEND without supports",
            "Szykman's rule: the convoy succeeds, 6.F.17",
            "head-to-head although the other is convoyed",
        )
    )
    asked = [position for position in questions() if position.board.phase is Phase.MOVEMENT]
    evidence = Evidence(told, {})
    answers = zip(asked, true.list_answers(asked), strict=True)
    evidence.add_answers(
        EngineAnswer("clauses", position, Depth.VERDICTS, said) for position, said in answers if said is not None
    )
    assert evidence.cost(told) > min(map(evidence.cost, list_rulebook_hypotheses()))
    found = find_best_hypothesis(evidence, [], lambda one: EngineAnswer(MORE, one, Depth.VERDICTS, true.list_answers([one])[0]))
    assert found == true


@pytest.mark.slow
def test_many_plain_mistakes_are_told_one_by_one_with_little_work() -> None:
    """The one that explains most comes first, and all of them take half a minute of the processor: 70,000 judgements."""
    told, parts = Hypothesis("datc-3"), ("SUPPORT never cut", "DEFEND without supports", "4.D.3=last", "4.B.2=illegal")
    true = told.with_parts(parts)
    asked = [position for position in questions() if position.board.phase is Phase.MOVEMENT]
    found: list[Hypothesis] = []
    evidence = Evidence(told, {}, watch=lambda _, __, best: found.append(best) if best else None)
    answers = zip(asked, true.list_answers(asked), strict=True)
    evidence.add_answers(EngineAnswer("", position, Depth.VERDICTS, said) for position, said in answers if said is not None)
    before = WORK.done
    assert set(extend_hypothesis(evidence, told).parts) >= set(parts[:3])
    assert WORK.done - before < 70_000
    assert len(found) >= 3
    left = [len(evidence.list_misfits(one)) for one in (told, *found)]
    assert left == sorted(left, reverse=True)


def test_an_answer_that_no_hypothesis_gives_is_unexplained() -> None:
    position = moving_against_a_supported_unit()
    (plain,) = Hypothesis("datc-3").list_answers([position])
    assert plain is not None
    evidence = Evidence(Hypothesis("datc-3"), {})
    evidence.add_answers([EngineAnswer("", position, Depth.VERDICTS, replace(plain, units={"GERMANY": ["A MOS"]}))])
    assert all(evidence.list_misfits(Hypothesis("datc-3").with_part(part)) for part in ("HOLD one too little", "4.A.2=guide"))


def disliking_an_e(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    """An engine in which the orders of units in provinces with an E do not count."""
    kept = {power: [one for one in given if "E" in str(one).split()[1]] for power, given in orders.items()}
    return replace(answer_from_outcome(judge_phase(board, kept)), verdicts={})


def test_a_board_is_told_from_its_shrunk_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.engines.conformance.diagnosis._ask_further_boards", lambda campaign, number: [])
    shown = told_of("test_diagnosis:disliking_an_e", "boards", in_no_time=True, only="board movement 697").unexplained
    assert [one.question for one in shown] == ["board movement 697, shrunk", "board movement 697"]


def refusing(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    if len(board.units) == 7:  # as in the first question
        return answer_from_outcome(judge_phase(board, orders))
    raise OracleError("refused", "it answered with an error: IndexError('list index out of range')")


def test_a_failure_is_told_in_the_words_of_the_engine() -> None:
    (cause,) = told_of("test_diagnosis:refusing", "datc", in_no_time=True, only="6.A.1").causes
    assert cause.says == "gives no answer to 1 question (it answered with an error: IndexError('list index out of range'))"


def test_positions_nearby_differ_in_one_unit() -> None:
    near = list(iter_nearby_positions(moving_against_a_supported_unit()))
    assert len(near) == len({position.key for position in near})
    assert {len(position.board.units) for position in near} == {1, 2}
    assert any(not {unit.power for unit in position.board.units} - {"GERMANY"} for position in near)


def test_no_question_orders_a_unit_that_is_not_there() -> None:
    """Engines differ in what such an order is (docs/guides/crosscheck.md). Nearby a foreign one for the unit is left out."""

    def provinces(position: AskedPosition) -> set[str]:
        return {order.unit.province for order in position.movement_orders.values()} - {u.province for u in position.board.units}

    asked = [position for position in questions() if position.board.phase is Phase.MOVEMENT]
    assert len(asked) > 200
    assert not any(map(provinces, asked))
    position = moving_against_a_supported_unit()
    ordered = replace(position, orders={**position.orders, "FRANCE": [Hold(position.board.units[0].named)]})
    assert not any(map(provinces, iter_nearby_positions(ordered)))


def test_what_faults_are_called_in_sentences_is_about_faults() -> None:
    assert set(SENTENCES) <= set(FAULTS)
    assert len(set(SENTENCES.values())) == len(SENTENCES)
    assert set(VARIATIONS) <= SENTENCES.keys()
    assert describe_part("4.A.5=barred").startswith(
        "4.A.5=barred: May a unit retreat to the province that its convoyed attacker left? no: the text taken literally"
    )


@pytest.mark.slow
def test_when_no_more_may_be_tried_what_differs_is_still_told(capsys: pytest.CaptureFixture[str]) -> None:
    """`guide-1998` does one thing that its rulebook does not say; without hypotheses nobody finds out which."""
    asked = ["conformance", "--against", "guide-1998", "--part", "datc"]
    assert run([*asked, "--limit=tries=1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Warning: the search for causes reached its limit of 1 hypothesis, so the rulebook and")
    assert "(--limit tries=3 tries more)" in told
    assert re.search(r"F BLA S A RUM - ARM +[|] satjudge: \w+; the engine: given", told)
    assert run([*asked, "--limit=tries=2000"]) == 0
    told = capsys.readouterr().out
    assert "Warning" not in told
    assert "says `given` where satjudge says `illegal`" in told
    assert "6.D.31”; all units" in told
