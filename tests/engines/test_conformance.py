"""The kit: what is in it, how an engine is asked, and what is told of it."""

from __future__ import annotations

import json
import re
import signal
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from threading import Event

import msgspec
import pytest
from mutation_witnesses import statement_answer, statement_answers, trials, witness
from small_positions import positions_of

from satjudge.apps.cli import output, run
from satjudge.base.resources import data_file
from satjudge.bulk.batch import Settings, answer_line
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.engines.campaign import make_campaign
from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.conformance.evidence import Evidence
from satjudge.engines.conformance.hypotheses import Hypothesis, list_changed_positions
from satjudge.engines.conformance.mutations import ROOM_OF, ROOMS
from satjudge.engines.conformance.rule_faults import NAMES
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.engines.documents.conformance import Conformance, TopicScore
from satjudge.engines.kit import package
from satjudge.engines.kit.parts import (
    KEPT,
    PARTS,
    KitQuestion,
    digest_answers,
    iter_map_questions,
    iter_questions,
    list_option_questions,
    load_all_stored_questions,
    load_stored_questions,
    normalize_name,
    read_name,
)
from satjudge.engines.kit.run import ask_kit, make_empty_conformance
from satjudge.engines.positions import AskedPosition, Fuzz, ListedPositions, parse_position
from satjudge.judging import backup
from satjudge.judging.backup import Ruling, rule_on
from satjudge.judging.equations.situation import ConvoyDecision, Decision
from satjudge.judging.judge import judge, judge_parsed_orders
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheet_reader import read_sheets
from satjudge.oracles.oracle import Answer
from satjudge.show.engines import iter_conformance_text
from satjudge.show.layout import StyledText
from satjudge.world.board import Board
from satjudge.world.geography import Power, load_map, shipped_maps
from satjudge.world.orders import Hold, Move, MovementOrder, SupportMove
from satjudge.world.rules import Rulebook, load_rulebook, options

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE, COVERAGE = DOCS / "guides" / "conformance.md", DOCS / "papers" / "kit-coverage.md"
REACHED = json.loads(data_file("datc_cases", "kit", "reached.json").read_text(encoding="utf-8"))
GivenOrders = Mapping[Power, Sequence[MovementOrder]]


def right(board: Board, orders: GivenOrders) -> Answer:
    return answer_from_outcome(judge(board, orders))


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
    if len(board.units) == 7:  # as in the first question
        return right(board, orders)
    raise ZeroDivisionError


def judges_no_core(board: Board, orders: GivenOrders) -> Answer:
    """An engine that does not do what it does not understand."""
    if judge(board, orders).adjudication.rulings:
        raise NotImplementedError
    return right(board, orders)


def heeds_the_alphabet(board: Board, orders: GivenOrders) -> Answer:
    """An engine on which no unit moves where the powers are not listed by the alphabet."""
    holds = {power: [Hold(order.unit) for order in given] for power, given in orders.items()}
    return right(board, orders if list(orders) == sorted(orders) else holds)


def asked(against: str, *names: str, only: str = "") -> Conformance:
    """What is told of an engine on these parts, or on the questions whose names begin so."""
    campaign = make_campaign(against, ListedPositions(()), engine=Engine.STAGED)
    parts = {name: [one.question_line for one in PARTS[name].make() if one.name.startswith(only)] for name in names}
    return ask_kit(campaign, parts)


# ---- what is in the kit ----


def test_the_map_audit_has_every_move_of_one_unit_once() -> None:
    questions = list(iter_map_questions())
    moves = {(str(question.board.units[0]), question.name) for question in questions}
    assert len(moves) == len(questions) == 7106
    assert {"A PAR - BUR", "A PAR - MUN", "F STP/NC - NWY", "F MAO - SPA/SC"} <= {name for _, name in moves}
    assert not {"F SPA/NC - SPA/SC", "A PAR - ENG", "F MAO - SPA"} & {name for _, name in moves}


@pytest.mark.parametrize(
    "name",
    [
        *("datc", "catalogue", "retreats", "adjustments", "legality"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("map", "clauses", "options", "variants")),
    ],
)
def test_the_expected_answers_are_those_of_batch(name: str) -> None:
    """So that a program that writes batch answers is compared with the like."""
    for line in (question.answered_line for question in PARTS[name].make()):
        read = json.loads(line)
        answer, wanted = json.loads(answer_line(line, Settings(settings=read.get("expected_settings", ())))), read["expected"]
        if "error" in wanted:
            assert answer["error"]["kind"] == wanted["error"]["kind"] == "unresolved", read["id"]
        else:
            assert {key: answer.get(key) for key in wanted} == wanted, read["id"]


@pytest.mark.parametrize("part", KEPT)
def test_the_questions_about_broken_rules_are_kept_as_they_would_be_made(part: str) -> None:
    lines = data_file("datc_cases", "kit", f"{part}.jsonl").read_bytes().splitlines()
    assert [question.answered_line for question in load_stored_questions(part)] == lines


def test_every_broken_rule_is_told_but_those_that_none_can_tell() -> None:
    told = {name for question in load_all_stored_questions() for name in question.tells}
    for room, stated in ROOMS.items():
        assert stated.mutations.keys() - told == stated.survivors.keys(), room
        assert REACHED[room]["mutations"] == len(stated.mutations)
        assert REACHED[room]["kit"] == len(stated.mutations) - len(stated.survivors)
        assert REACHED[room]["none"] == [name for name in stated.mutations if name in stated.survivors]


def test_what_no_shipped_map_has() -> None:
    """Two broken clauses would need such a map (`SURVIVORS`)."""
    maps = [load_map(name) for name in shipped_maps()]
    assert any(game_map.railroads for game_map in maps)
    assert any(game_map.canals for game_map in maps)
    assert any(game_map.difficult for game_map in maps)
    assert not any(game_map.railroads and game_map.difficult for game_map in maps)
    for game_map in maps:
        lines = {place for railroad in game_map.railroads for place in railroad.line}
        assert not any(canal.keeper in lines for canal in game_map.canals)


def test_a_core_of_supports_is_settled_by_making_supports_fail() -> None:
    """DATC 2.4, 10.F: with `of a core without convoys only moves fail` nothing is settled, and no answer ever comes."""
    (sheet,) = (one for one in read_collection("datc-2.4") if one.identity == "2.4/10.F")
    rulebook = load_rulebook("datc-2").with_settings(["10.F=unresolved", "5.B.9=all-fail"])
    settled = []

    def watched(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]], rulebook: Rulebook) -> Ruling:
        ruling = rule_on(core, resolutions, rulebook)
        with make_faulty_judge(["of a core without convoys only moves fail"]) as broken:
            otherwise = broken.get_module("satjudge.judging.backup").rule_on(core, resolutions, rulebook)
        settled.append((len(ruling.settled), len(otherwise.settled)))
        return ruling

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("satjudge.judging.solve.result.rule_on", watched)
        judge(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
    assert settled == [(2, 0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("map_name", "settings"),
    [("standard", ("4.A.4.1=last-fleet",)), ("standard", ("4.A.4.1=last-fleet", "4.A.3.fallback=disrupted")), ("colonial", ())],
)
def test_no_core_is_known_that_tells_the_guides_rule_broken(map_name: str, settings: Sequence[str]) -> None:
    """Where docs/papers/cores.md proves nothing: Brannan's rule, railroads and canals. A sample of random boards."""
    rulebook = load_rulebook().with_settings(["4.A.2=guide", *settings])
    flavours = (Flavour.CONVOYS, Flavour.VARIANT) if map_name != "standard" else (Flavour.CONVOYS,)
    source = Fuzz(18, 1000, flavours, (4, 14), map=load_map(map_name), map_given=map_name)
    met: set[tuple[int, int]] = set()

    def watched(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]]) -> dict[int, bool] | None:
        convoys = [number for number, decision in enumerate(core) if isinstance(decision, ConvoyDecision)]
        met.add((len(resolutions), sum(not any(values[number] for number in convoys) for values in resolutions)))
        return without_convoys(core, resolutions)

    without_convoys = backup._find_disrupted_resolution
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(backup, "_find_disrupted_resolution", watched)
        for number in range(source.positions):
            position = source.get_position(number)
            judge_parsed_orders(position.board, position.orders, rulebook)
    assert (2, 1) in met
    assert met <= {(0, 0), (2, 0), (2, 1)}


def test_changes_of_several_rooms_go_together_and_leave_nothing_behind() -> None:
    questions = [question for question in load_all_stored_questions() if question.is_usual]
    whole = [statement_answer(question) for question in questions]
    names = ("HOLD without supports", "a unit supports itself in place, 6.A.8", "two units retreat to one province, 6.H.7")
    said = statement_answers(questions, *names)
    both = [one != answer for one, answer in zip(said, whole, strict=True)]
    for name in names:
        assert any(otherwise for question, otherwise in zip(questions, both, strict=True) if name in question.tells), name
    assert [statement_answer(question) for question in questions] == whole
    with pytest.raises(ValueError, match="the source has changed"):
        make_faulty_judge(["HOLD without supports", "HOLD without supports"])


def differing(name: str, questions: Sequence[KitQuestion]) -> list[KitQuestion]:
    """Those of the questions that the statement answers otherwise with that clause broken."""
    said = zip(questions, statement_answers(questions), statement_answers(questions, name), strict=True)
    return [question for question, whole, broken in said if whole != broken]


@pytest.mark.parametrize("name", [*list(ROOM_OF)[1::30], "ATTACK without PATH"])
def test_what_a_broken_clause_is_told_by(name: str) -> None:
    """A sample; `benchmarks/studies/conformance_kit.py` tries all."""
    usual = [question for question in load_all_stored_questions() if question.is_usual]
    assert differing(name, usual) == [question for question in usual if name in question.tells]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOM_OF)
def test_what_each_broken_rule_is_told_by_under_all_rulebooks(name: str) -> None:
    assert differing(name, load_all_stored_questions()) == [
        question for question in load_all_stored_questions() if name in question.tells
    ]


def test_how_many_broken_rules_are_told_is_documented() -> None:
    rows = re.findall(
        r"^\| (.+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", COVERAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    keys = ("mutations", "datc under datc-3", "kit under datc-3", "datc under any rulebook", "kit")
    found = [(ROOMS[room].about, *(told[key] for key in keys)) for room, told in REACHED.items()]
    together = ("together", *(sum(told[key] for told in REACHED.values()) for key in keys))
    assert [(about, *map(int, numbers)) for about, *numbers in rows] == [*found, together]
    passing = sum(len(told["only the kit under datc-3"]) for told in REACHED.values())
    assert f"{passing} mistakes that the whole DATC misses" in " ".join(COVERAGE.read_text(encoding="utf-8").split())


def test_how_many_questions_are_proved_to_be_the_smallest_is_documented() -> None:
    usual = [question for question in load_stored_questions("clauses") if question.is_usual]
    proved = [question for question in usual if question.proved]
    assert f"For {len(proved)} of the {len(usual)} questions" in " ".join(COVERAGE.read_text(encoding="utf-8").split())
    assert {len(question.board.units) for question in proved} <= {1, 2, 3}


def test_no_smaller_position_tells_what_a_question_is_proved_for() -> None:
    """A sample; those with three units are tried by `benchmarks/studies/conformance_kit.py`."""
    names = {
        name for question in load_stored_questions("clauses") for name in question.proved if len(question.board.units) == 2
    }
    for name in sorted(names)[::3]:
        assert differing(name, positions_of(1)) == [], name


def test_the_mistake_that_passes_the_datc() -> None:
    """That it does is told in docs/papers/kit-coverage.md."""
    cases = [question for question in trials("datc-3.2") if question.is_usual]
    (sheet,) = re.findall(r"^```\n(Germany:\n.+?)```$", COVERAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (shown,) = iter_questions(read_sheets(sheet)[0])
    assert differing("ATTACK on a unit of one's own power", (*cases, shown)) == [shown]
    assert len(cases) == 156
    orders = {"GERMANY": ["A SIL - BER"], "RUSSIA": ["A PRU S A SIL - BER"]}
    assert any(question.position["orders"] == orders for question in load_stored_questions("clauses"))


def test_every_two_values_of_an_option_are_told_by_a_question() -> None:
    entries = tomllib.loads(data_file("datc_cases", "options.toml").read_text(encoding="utf-8"))["witness"]
    told = {name for question in list_option_questions() for name in question.tells}
    assert told == {f"{entry['issue']}: {' or '.join(entry['values'])}" for entry in entries}
    assert len(told) == sum(len(list(combinations(option.values, 2))) for option in options())


@pytest.mark.parametrize("name", [name for name in PARTS if name != "map"])
def test_names_are_distinct(name: str) -> None:
    names = [question.name for question in PARTS[name].make()]
    assert len(set(names)) == len(names)


def test_the_documented_parts_are_those_that_there_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (.+) \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(part.name, f"{sum(1 for _ in part.make()):,}", part.about) for part in PARTS.values()]


def test_the_example_of_the_package_is_one_of_the_kit() -> None:
    """A question and its answer, in the page that goes with the kit."""
    readme = data_file("datc_cases", "kit", "package", "README.md").read_text(encoding="utf-8")
    question, answer = (json.loads(line) for line in readme.splitlines() if line.startswith("{"))
    (one,) = (one for one in PARTS["datc"].make() if question["id"] == answer["id"] == f"datc/{one.name}")
    asked = json.loads(one.answered_line)
    assert question == {"id": question["id"], "map": "standard", **{key: asked[key] for key in ("phase", "units", "orders")}}
    assert answer == {"id": answer["id"], **asked["expected"]}


# ---- how it is made ----


def without_supports(question: KitQuestion) -> Mapping[str, object]:
    """What an engine says that knows no support for a move, as far as units go."""
    orders = {
        power: [Hold(order.unit) if isinstance(order, SupportMove) else order for order in given]
        for power, given in question.orders.items()
    }
    return {key: told for key, told in statement_answer(replace(question, orders=orders)).items() if key != "results"}


def with_supports(question: KitQuestion) -> Mapping[str, object]:
    return {key: told for key, told in statement_answer(question).items() if key != "results"}


def test_a_witness_is_a_case_made_small() -> None:
    told = [one for one in trials("datc-3.2") if one.is_usual and with_supports(one) != without_supports(one)]
    assert len(told) > 20
    found = witness(told, with_supports, without_supports)
    assert found is not None
    assert with_supports(found) != without_supports(found)
    assert sorted(type(order).__name__ for given in found.orders.values() for order in given) == ["Move", "SupportMove"]
    assert (found.rules, found.settings, len(found.board.units)) == ("datc-3", (), 3)


def test_a_question_that_does_not_differ_gives_no_witness() -> None:
    assert witness([], with_supports, without_supports) is None


# ---- asking ----


def test_a_right_engine_agrees() -> None:
    found = asked("satjudge-staged", "datc", "catalogue", "retreats")
    told = [(part.part, part.asked, part.agreed) for part in found.parts]
    assert told == [("datc", 156, 156), ("catalogue", 38, 38), ("retreats", 26, 26)]
    assert found.parts[2].not_asked == 3  # they have orders to move
    assert found.differing == 0
    assert found.summary == "On 220 questions, there are no differences."


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


def test_what_an_engine_skips_is_counted() -> None:
    (part,) = asked("test_conformance:judges_no_core", "datc").parts
    assert part.agreed + part.skipped == 156
    assert 10 < part.skipped < 40


def test_an_engine_that_contradicts_itself_has_one_finding_for_it() -> None:
    found = asked("test_conformance:heeds_the_alphabet", "clauses")
    (otherwise,) = found.contradicting
    assert otherwise.how == "powers listed otherwise"
    assert "It contradicts itself: powers listed otherwise." in found.summary
    assert not asked("test_conformance:right", "clauses").contradicting


def test_an_oracle_is_asked_what_it_knows() -> None:
    parts = {part.part: part for part in asked("guide-1998", "adjustments", "variants").parts}
    assert (parts["adjustments"].asked, parts["adjustments"].not_asked) == (0, 61)
    assert (parts["variants"].asked, parts["variants"].not_asked) == (0, 199)


def test_an_engine_that_is_lost_ends_it_and_is_told() -> None:
    code = "import sys; print(sys.stdin.readline() and 0, flush=True); sys.exit(3)"
    campaign = make_campaign("satjudge-staged", ListedPositions(()))
    contact = replace(campaign.contact, against=f"python3 -c '{code}'", restarts=2)
    lines = {name: [question.question_line for question in PARTS[name].make()] for name in ("catalogue", "adjustments")}
    found = ask_kit(replace(campaign, contact=contact), lines)
    assert [(part.part, part.asked) for part in found.parts] == [("catalogue", 1)]
    assert found.lost.startswith("The engine was lost in the part catalogue: it failed 2 times in a row")


# ---- the command ----


def test_the_command_tells_how_an_engine_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", "--against", "test_conformance:says_otherwise", "--part", "datc", "--only", "6.A.1"]) == 1
    told = capsys.readouterr().out
    assert "F NTH - PIC (ENGLAND)" in told
    assert "The engine answered 1 of 1 question differently, in the parts datc." in told
    assert run(["conformance", "--against", "kruijswijk-partial", "--part", "catalogue"]) == 0


def test_questions_that_are_asked_by_name_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """By whole names, or how they begin: 6.A.1 is not 6.A.10; each with its board, what was expected, and why."""
    asked = ["--part", "datc", "--only", "6.A.1", "--only", "6.e.1", "--only", "6.C.3"]
    assert run(["conformance", "--against", "test_conformance:right", *asked]) == 0
    told = capsys.readouterr().out
    assert [line for line in told.splitlines() if line.endswith(": right")] == [
        f"{name}: right" for name in ("6.A.1", "6.C.3", "6.E.1")
    ]
    assert "F NTH - PIC" in told
    asked = ["--part", "map", "--part", "datc", "--only", "A PIC - BE", "--only", "6.G.1"]
    assert run(["conformance", "--against", "test_conformance:without_a_border", *asked]) == 1
    told = capsys.readouterr().out
    assert "A BEL (AUSTRIA): expected there, got not there" in told
    assert "because A PIC - BEL succeeds" in told
    assert "6.G.1: right" in told
    assert "6.G.10" not in told


def is_ended_meanwhile(board: Board, orders: GivenOrders) -> Answer:
    """An engine during whose answer to 6.A.11 somebody ends satjudge."""
    if {(unit.power, unit.location) for unit in board.units} == {("AUSTRIA", "VIE"), ("ITALY", "VEN")}:
        signal.raise_signal(signal.SIGTERM)
    return right(board, orders)


def test_what_is_known_is_told_when_somebody_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit = tmp_path / "kit.xml"
    before = signal.getsignal(signal.SIGTERM)
    asked = ["--against", "test_conformance:is_ended_meanwhile", "--part", "datc", "--report", str(junit)]
    assert run(["conformance", *asked, "--json"]) == 130
    document = json.loads(capsys.readouterr().out)
    (part,) = document["parts"]
    assert part["asked"] == part["agreed"] == 10
    assert document["lost"] == "It was interrupted in the part datc."
    assert document["topics"]
    assert junit.read_text(encoding="utf-8").count('classname="satjudge.datc"') == part["asked"]
    assert signal.getsignal(signal.SIGTERM) is before


def test_causes_found_before_the_search_is_ended_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is shown as soon as it is found; Ctrl-C then ends the search."""
    told: list[str] = []

    def look_on(self: Evidence, doing: str, best: Hypothesis | None = None) -> None:
        told.append(doing)
        report(self, doing, best)
        if best and best.faults:
            raise KeyboardInterrupt

    report = Evidence.report
    monkeypatch.setattr(Evidence, "report", look_on)
    assert run(["conformance", "--against", "test_conformance:never_cut", "--part", "datc", "--json"]) == 130
    output = capsys.readouterr()
    diagnosis = json.loads(output.out)["diagnosis"]
    assert diagnosis["unfinished"]
    assert [cause["name"] for cause in diagnosis["causes"]] == [NEVER_CUT]
    shown = diagnosis["causes"][0]["evidence"][0]["question"]
    assert f"{NEVER_CUT}" in output.err
    assert f"  {shown}, movement phase" in output.err
    assert len(set(told)) == len(told) > 1
    assert not [doing for doing in told if "in addition to datc-3" in doing]  # a long list of causes, sometimes


NEVER_CUT = "SUPPORT never cut"


def never_cut(board: Board, orders: GivenOrders) -> Answer:
    """An engine in which no attack cuts a support, if that has an answer."""
    (said,) = Hypothesis("datc-3", (), (NEVER_CUT,)).list_answers([AskedPosition(board, orders)])
    return said or right(board, orders)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name the engine with --against"),
        (["--against", "satjudge-full", "--part", "borders"], "there is no part 'borders' (the parts are map, datc,"),
        (["--against", "satjudge-full", "--part", "datc", "--only", "9.Z.9"], "there is no question '9.Z.9'"),
        (["--against", "satjudge-full", "--expect", "new.toml"], "there is no file new.toml (add --update to write it)"),
        (["--against", __file__], f"is not executable (chmod +x {__file__}"),
        (["--against", "satjudge-full", "--known", "1982"], "list expected differences in a file (--expect FILE)"),
    ],
)
def test_mistakes(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["conformance", *arguments]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


# ---- boards and expected differences ----


def test_the_boards_are_always_the_same() -> None:
    """Who draws boards otherwise changes the kit: then they are chosen anew (benchmarks/studies/conformance_boards.py)."""
    questions = list(PARTS["boards"].make())
    assert len(questions) == len({question.name for question in questions}) == 600

    def told(several: Sequence[KitQuestion]) -> str:
        return sha256(b"\n".join(question.question_line for question in several)).hexdigest()[:16]

    assert told(questions[:500]) == "384ff6b810a87675"
    assert told(questions[500:]) == "fd97f99b22556c2a"  # those with slips
    answers = [
        (one.name, answer_from_outcome(judge_parsed_orders(one.board, one.orders, load_rulebook())))
        for one in questions[:500:50]
    ]
    assert digest_answers(answers) == digest_answers(answers[::-1]) == "72a25597d9fa55f4"
    changed = replace(answers[0][1], units={})
    assert digest_answers([(answers[0][0], changed), *answers[1:]]) != digest_answers(answers)


def test_the_boards_are_part_of_every_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Without them nobody is told that an engine agrees as a whole, and no badge is as bright."""
    assert run(["conformance", "--against", "satjudge-staged", "--part", "catalogue", "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out)
    assert {part["part"]: part["agreed"] for part in told["parts"]} == {"catalogue": 38, "boards": 600}
    assert told["digest"] == told["their_digest"] != ""
    assert told["diagnosis"]["boards"] == 600


def test_expected_differences_fail_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, junit = tmp_path / "expected.toml", tmp_path / "kit.xml"
    asked = ["conformance", "--against", "test_conformance:says_otherwise", "--part", "datc", "--only", "6.A.1"]
    assert run([*asked, "--expect", str(file), "--update"]) == 0
    written = {"because": "", "differs": "F NTH - PIC (ENGLAND): answered given, should be illegal"}
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {"6.A.1": written}
    assert run([*asked, "--expect", str(file)]) == 0
    told = capsys.readouterr().out
    assert "1 difference is expected, 1 without a reason." in told
    assert "ENGLAND  F NTH - PIC  illegal   given" in told
    file.write_text('["6.A.1"]\nbecause = "our \\"house\\" rule"\n["6.A.2"]\nbecause = "not asked"\n', encoding="utf-8")
    assert run([*asked, "--expect", str(file), "--report", str(junit)]) == 0
    assert "1 difference is expected." in capsys.readouterr().out
    assert '<skipped message="expected: our &quot;house&quot; rule"' in junit.read_text(encoding="utf-8")
    assert run([*asked, "--expect", str(file), "--update"]) == 0  # reasons stay, and what was not asked
    assert tomllib.loads(file.read_text(encoding="utf-8")).keys() == {"6.A.1", "6.A.2"}
    assert 'our \\"house\\" rule' in file.read_text(encoding="utf-8")
    assert run([*asked, "--only", "6.A.3", "--expect", str(file)]) == 1  # another one differs
    capsys.readouterr()


@pytest.mark.parametrize("part", ["datc", "catalogue", "clauses"])
def test_questions_are_found_by_the_names_that_are_shown_in_the_kit_and_by_pytest(part: str) -> None:
    for name in (read_name(question.answered_line) for question in PARTS[part].make()):
        assert {normalize_name(form) for form in (name, f"{part}/{name}", f"{part}-{name}")} == {name}


def test_long_work_is_reported_in_lines_without_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, has_repeated = list[str](), Event()
    make_files, write_text = package.make_package_files, output.write_text

    def write_line(text: str, *, err: bool) -> None:
        write_text(text, err=err)
        if err and text.startswith("judging every question under every rulebook, which takes a minute or two: "):
            lines.append(text)
        if len(lines) > 1:
            has_repeated.set()

    def make_files_slowly(parts: Collection[str]) -> dict[str, bytes]:
        assert has_repeated.wait(60)
        return make_files(parts)

    monkeypatch.setattr(output, "_AT_FIRST", 0.01)
    monkeypatch.setattr(output, "_AT_TIMES", 0.01)
    monkeypatch.setattr(output, "write_text", write_line)
    monkeypatch.setattr(package, "make_package_files", make_files_slowly)
    (tmp_path / "mine.txt").touch()
    assert run(["kit", str(tmp_path), "--part", "legality"]) == 0
    assert f"{tmp_path} exists: the kit's files in it are replaced, and all others stay" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").exists()


def test_an_engine_that_knows_nothing_of_a_topic_is_told_to_skip_it() -> None:
    document = make_empty_conformance(make_campaign("satjudge-staged", ListedPositions(())))
    scores = {"convoys": (158, 0), "moves": (30, 29), "supports": (20, 0), "retreats": (9, 0)}
    document.topics = [TopicScore(topic, compared, right) for topic, (compared, right) in scores.items()]
    told = [part.plain_text for part in iter_conformance_text(document) if isinstance(part, StyledText)]
    (skips,) = [text for text in told if "is right" in text]
    assert skips.startswith("None of 158 answers about convoys is right.")
    assert '{"skip": "no convoys"}' in skips


def skips_all(board: Board, orders: GivenOrders) -> Answer:
    raise NotImplementedError("later")


def skips_armies_in_sight_of_another(board: Board, orders: GivenOrders) -> Answer:
    if len(board.units) > 3:
        raise NotImplementedError("later")
    return right(board, orders)


def test_who_skips_more_than_before_does_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was right and is skipped now raises the score, since nobody compares it: the file keeps how many were skipped."""
    file = tmp_path / "expected.toml"
    asked = ["conformance", "--part", "legality", "--no-diagnosis", "--expect", str(file), "--against"]
    assert run([*asked, "satjudge-staged", "--update"]) == 0
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {"skipped": {"legality": 0, "boards": 0}}
    skipping = "test_conformance:skips_armies_in_sight_of_another"
    capsys.readouterr()
    assert run([*asked, skipping]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"More questions are skipped than the file allows: legality \(\d+, not 0\), boards \(\d+, not 0\)\.", told)
    assert re.search(r"\d+ skipped questions count as neither right nor wrong\.", told)
    assert run([*asked, skipping, "--update"]) == run([*asked, skipping]) == 0


GIVEN = "F NTH - PIC (ENGLAND): answered given, should be illegal"
FAILED = "the engine: answered an error, should be an answer"
AS_EXPECTED, OTHERWISE = "1 difference is expected.", "Expected, but different from the file: 6.A.1."


@pytest.mark.parametrize(("engine", "name", "differs", "status", "told", "then"), [
    ("says_otherwise", "6.A.1", None, 0, AS_EXPECTED, GIVEN),
    ("says_otherwise", "datc/6.A.1", None, 0, AS_EXPECTED, GIVEN),
    ("says_otherwise", "datc-6.A.1", None, 0, AS_EXPECTED, GIVEN),
    ("says_otherwise", "6.A.1", GIVEN.replace("given", "cut"), 1, OTHERWISE, GIVEN),
    ("raises", "6.A.1", FAILED, 0, AS_EXPECTED, FAILED),
    ("raises", "6.A.1", "python3 x.py: answered raised ZeroDivisionError: , should be an answer", 0, AS_EXPECTED, FAILED),
    ("raises", "6.A.1", FAILED.replace("an error", "died"), 1, OTHERWISE, FAILED),
    ("skips_all", "6.A.1", None, 1, "Expected, but skipped by the engine: 6.A.1.", None),
    ("right", "6.A.1", None, 0, "Expected, but answered right: 6.A.1 (--update).", None),
])  # fmt: skip
def test_an_expected_difference_hides_no_other_on_the_same_question(
    engine: str, name: str, differs: str | None, status: int, told: str, then: str | None,
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A failure is the same however the engine is started; satjudge 1.0 wrote its command."""
    file = tmp_path / "expected.toml"
    file.write_text(f'["{name}"]\nbecause = "ours"\n' + (f'differs = "{differs}"\n' if differs else ""), encoding="utf-8")
    asked = ["conformance", "--against", f"test_conformance:{engine}", "--only", name, "--expect", str(file)]
    assert run(asked) == status
    assert told in " ".join(capsys.readouterr().out.split())
    assert run([*asked, "--update"]) == run(asked) == 0
    left = {"6.A.1": {"because": "ours", "differs": then}} if then else {}
    assert tomllib.loads(file.read_text(encoding="utf-8")) == left
    capsys.readouterr()


@pytest.mark.parametrize(("text", "message"), [
    ('["6.A.1"]\nbecause = "ours"\ndiffers = 3\n', "`differs` must be a string"),
    ('["6.A.1"]\nreason = 1\n', "has no reason"),
    ("[skipped]\nlegality = true\n", "must be a table of parts and numbers"),
])  # fmt: skip
def test_mistakes_in_the_file_of_expected_differences(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "expected.toml"
    file.write_text(text, encoding="utf-8")
    assert run(["conformance", "--against", "satjudge-staged", "--only", "6.A.1", "--expect", str(file)]) == 2
    assert message in capsys.readouterr().err


# ---- products ----


def test_products_tell_every_rule_that_holds_for_some_orders_only() -> None:
    """Each product tells something, as the judge says today, and of naming units and coasts everything is told."""
    products = list(PARTS["products"].make())
    assert set(NAMES) <= {name for question in products for name in question.tells}
    for question in products[::6]:
        position = parse_position(question.question_line)
        assert all(list_changed_positions("datc-3", name, [position]) for name in question.tells), question.name
