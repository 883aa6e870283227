"""Campaigns: seeded bugs are found and shrunk, known differences explained, and the result is the same however it is run."""

from __future__ import annotations

import doctest
import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random

import msgspec
import pytest
from helpers import broken_engine
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, NotFoundError, RequestError
from satjudge.base.processes import processes
from satjudge.bulk.chunked_runs import run_count
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.engines.campaign import EVERY_SO_MANY_OTHERWISE, Campaign, DifferingBoard, Tally, make_campaign, tally_boards
from satjudge.engines.comparison import ComparedPosition, Depth, Difference, answer_from_outcome, can_agree, compare_answers
from satjudge.engines.connections.registry import ORACLES
from satjudge.engines.findings import (
    Finding,
    Findings,
    collect_findings,
    format_shape,
    list_tasks,
    merge_equal_shapes,
    shrink_board,
)
from satjudge.engines.known_differences import load_known_differences, read_shipped_differences
from satjudge.engines.positions import (
    EVERY_SO_MANY_ILLEGAL,
    AskedPosition,
    Fuzz,
    ListedPositions,
    Source,
    list_positions,
    make_position,
    parse_position,
)
from satjudge.engines.report import format_command, iter_case_files, make_crosscheck_document
from satjudge.engines.shrinking import STEPS, shrink_position
from satjudge.files.dialects import Dialect, load_dialect, load_dialects
from satjudge.judging.check import check
from satjudge.judging.judge import judge
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_location, parse_order, parse_unit
from satjudge.notation.sheet_reader import read_sheets
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase
from satjudge.world.geography import load_map
from satjudge.world.orders import Hold, Move, MovementOrder, Named
from satjudge.world.rules import load_rulebook

BOARDS = 250
MOST_UNITS = 6


def against(oracle: str, source: Source | None = None, settings: tuple[str, ...] = ()) -> Campaign:
    return make_campaign(oracle, source or Fuzz(1, BOARDS), engine=Engine.STAGED, settings=settings)


def broken(bug: Callable[..., Answer], source: Source | None = None) -> Campaign:
    return against(f"helpers.broken_engine:{bug.__name__}", source)


@cache
def tally_of(bug: Callable[..., Answer]) -> Tally:
    """What comes of the first boards with an engine that has the bug."""
    return tally_boards(broken(bug), range(BOARDS))


def the_position(text: str) -> AskedPosition:
    (sheet,) = read_sheets(text)
    position = make_position(sheet.board, sheet.orders_by_power(), "sheet")
    assert position is not None
    return position


# ---- seeded bugs ----

EXPECTED = {
    "support_cut_by_own_unit": {"SupportHold: given / cut", "SupportMove: given / cut"},
    "convoy_protects_its_fleet": {"SupportMove: given / cut", "Move: succeeds / fails", "Convoy: disrupted / available"},
    "ring_broken": {"Move: succeeds / fails"},
    "self_dislodgement": {"Move: fails / succeeds"},
    "garrison_dislodged": {"Move: fails / succeeds"},
}


@pytest.mark.parametrize("bug", broken_engine.BUGS, ids=lambda bug: bug.__name__)
def test_a_seeded_bug_is_found_and_shrunk(bug: Callable[..., Answer], tmp_path: Path) -> None:
    """Within far fewer than 2,000 boards, down to at most 6 units, and with a case that `check` runs."""
    campaign, tally = broken(bug), tally_of(bug)
    assert tally.boards == BOARDS
    found = collect_findings(campaign, tally, limit=6)
    smallest = found.unexplained[0]
    assert smallest.units <= MOST_UNITS
    kinds = {difference.kind for difference in smallest.differences if difference.number is not None}
    assert kinds & EXPECTED[bug.__name__]
    for file in iter_case_files(campaign, found, Path("found")):
        (sheet,) = read_sheets(file.text)
        assert check(sheet, load_rulebook()).passed
        assert sheet.identity == file.name.removesuffix(".txt")
        again = f"satjudge crosscheck --against {campaign.contact.against} found/{file.name}"
        assert f"run it again: {again}" in sheet.notes["note"]
        assert file.command == again


LATER_KINDS = {
    "retreats_where_it_was_shut": ("retreat", {"Retreat: illegal / succeeds"}),
    "first_retreat_arrives": ("retreat", {"Retreat: fails / succeeds"}),
    "removes_the_nearest": ("adjustment", {"unit there / not there", "unit not there / there"}),
    "builds_in_any_centre": ("adjustment", {"Build: illegal / succeeds"}),
}


@pytest.mark.usefixtures("without_hypotheses")
@pytest.mark.parametrize("bug", broken_engine.LATER_BUGS, ids=lambda bug: bug.__name__)
def test_a_seeded_bug_of_a_later_phase_is_found_and_shrunk(bug: Callable[..., Answer], tmp_path: Path) -> None:
    """Down to at most 2 units, with the reason, and a case that the command compares again."""
    phase, kinds = LATER_KINDS[bug.__name__]
    campaign = broken(bug, Fuzz(1, 40, phases=(Phase.RETREAT, Phase.ADJUSTMENT)))
    tally = tally_boards(campaign, range(40))
    assert {one.kinds for one in tally.differing}
    assert {str(campaign.source.get_position(one.board).board.phase) for one in tally.differing} == {phase}
    found = collect_findings(campaign, tally, limit=2)
    smallest = found.unexplained[0]
    assert smallest.units <= 2
    assert {difference.kind for difference in smallest.differences} & kinds
    (case,) = (file for file in iter_case_files(campaign, found, tmp_path) if file.name.startswith(smallest.shape))
    (tmp_path / case.name).write_text(case.text, encoding="utf-8")
    assert json.loads(case.text)["phase"] == phase
    assert any(note.startswith("satjudge: ") for note in json.loads(case.text)["note"])
    (told, *_) = make_crosscheck_document(campaign, tally, found).findings
    assert [set(json.loads(line)) & {"phase", "orders", "note"} for line in told.sheet] == [{"phase", "orders"}]
    assert run(shlex.split(case.command)[1:]) == 1


HOW_VARYING = ("orders listed otherwise", "powers listed otherwise", "powers renamed", "asked again")


@pytest.mark.parametrize(("bug", "how"), [*zip(broken_engine.VARYING, HOW_VARYING, strict=True)])
def test_an_engine_that_contradicts_itself_has_one_finding(bug: Callable[..., Answer], how: str) -> None:
    """However many boards differ by it; it says what makes the difference."""
    campaign = broken(bug, Fuzz(1, 40, units=(4, 9)))
    tally = tally_boards(campaign, range(40))
    assert len(tally.differing) > 5
    unexplained = collect_findings(campaign, tally, limit=6).unexplained
    assert len(unexplained) <= 2  # a board with an order for each power does not show that it matters which is the first
    (found,) = (one for one in unexplained if one.shape.startswith("otherwise"))
    assert found.shape == f"otherwise-when-{how.replace(' ', '-')}"
    assert found.boards > 2
    assert found.units <= 3
    (told,) = (one for one in found.differences if one.number is None)
    assert told.kind == f"otherwise when {how}"
    assert "fails" in told.theirs
    assert "succeeds" in told.theirs


def test_an_engine_that_contradicts_itself_where_it_is_right() -> None:
    """Boards on which the two agree are asked otherwise now and then."""
    position = the_position("Russia:\n  A PAR H\n  A MAR - BUR\nGermany:\n  A KIE H\n  A MUN - BUR\n")
    for bug in broken_engine.first_listed_succeeds, broken_engine.england_succeeds:
        campaign = broken(bug, list_positions([position] * EVERY_SO_MANY_OTHERWISE))
        tally = tally_boards(campaign, range(EVERY_SO_MANY_OTHERWISE))
        assert (tally.agreed, len(tally.differing)) == (EVERY_SO_MANY_OTHERWISE - 1, 1)
        (found,) = collect_findings(campaign, tally).unexplained
        assert found.shape.startswith("otherwise-when-")
        assert (found.boards, found.units) == (1, 2)


def test_engines_that_are_right_agree_in_all_phases() -> None:
    campaign = against("satjudge-full", Fuzz(1, 24, phases=tuple(Phase)))
    tally = tally_boards(campaign, range(24))
    assert (tally.agreed, tally.differing, tally.failed) == (24, [], [])
    assert {campaign.source.get_position(number).board.phase for number in range(24)} == set(Phase)
    assert tally_boards(against("kruijswijk-partial"), range(9)).agreed == 9
    with pytest.raises(RequestError, match="kruijswijk-partial judges only movement phases, not adjustment, retreat"):
        against("kruijswijk-partial", Fuzz(1, 24, phases=tuple(Phase)))


@pytest.mark.parametrize(("ours", "theirs", "same"), [
    ("fails", "bounce, disband", True), ("succeeds", "ok", True), ("succeeds", "bounce", False), ("illegal", "void", True),
])  # fmt: skip
def test_words_for_retreats_in_a_dialect(ours: str, theirs: str, same: bool) -> None:
    """What becomes of the unit is told by the units."""
    words = load_dialect("diplomacy").words
    assert can_agree(ours, theirs, words, reports_fate=False) is same
    assert not can_agree("fails", "bounce, disband", words)


@pytest.mark.parametrize(("ours", "theirs", "same"), [
    ("fails, dislodged", "routed", True), ("dislodged", "routed", True), ("fails, destroyed", "routed", False),
    ("fails", "routed", False), ("cut, dislodged", "routed", False), ("fails", "stuck", True),
    ("fails, dislodged", "stuck", True),
    ("fails, destroyed", "stuck", False), ("succeeds", "stuck", False), ("cut, dislodged", "stuck, routed", False),
])  # fmt: skip
def test_words_that_mean_order_and_unit_both(ours: str, theirs: str, same: bool) -> None:
    words = {"routed": frozenset({"fails, dislodged", "dislodged"}), "stuck": frozenset({"fails", "fails, dislodged"})}
    assert can_agree(ours, theirs, words) is same


def test_the_dialect_godip_has_all_words_of_its_source() -> None:
    """Each of the errors that `godip.go` names, and OK."""
    words = load_dialect("godip").words
    assert len([word for word in words if word.startswith("err")]) == 36
    for word, ours in (
        ("ErrConvoyParadox", "disrupted"),
        ("ErrIllegalConvoyer", "illegal"),
        ("ErrDoubleBuild:[par]", "illegal"),
    ):
        assert can_agree(ours, word, words)
        assert not can_agree("succeeds", word, words)


def test_an_engine_that_takes_legal_orders_only() -> None:
    """In all phases; and a Python function that skips boards."""
    boards = Fuzz(2, 80, phases=tuple(Phase), flavours=(Flavour.GENERAL,))
    engine = "helpers.broken_engine:takes_legal_orders_only"
    asked_all = tally_boards(make_campaign(engine, boards, engine=Engine.STAGED), range(80))
    assert {kind for one in asked_all.differing for kind in one.kinds} == {"raised AssertionError"}
    campaign = make_campaign(engine, boards, engine=Engine.STAGED, legal_only=True)
    tally = tally_boards(campaign, range(80))
    assert (tally.differing, tally.failed) == ([], [])
    assert tally.agreed + tally.skipped == 80
    assert min(tally.agreed, tally.skipped) > 3
    assert " --legal-only " in format_command(campaign, ["x.txt"])


def test_the_healthy_engine_has_none_of_them() -> None:
    for oracle in ("kruijswijk-partial", "satjudge-full"):
        tally = tally_boards(against(oracle), range(60))
        assert (tally.agreed, tally.differing) == (60, [])


def test_the_table_of_dialects_in_the_documentation() -> None:
    """It tells what each writes: here of an army that is convoyed to Spain, and of a fleet in each sea with other codes."""
    text = (Path(__file__).parents[2] / "docs" / "reference" / "asked-engines.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| `")]
    told = {row[0].strip("`"): row[1:] for row in rows if len(row) == 4}
    assert list(told) == list(load_dialects())
    for name, dialect in load_dialects().items():
        written, codes, words = told[name]
        order = dialect.format_notation("NAP - SPA/SC VIA", load_map()).split(" ", 3)
        assert written == f"`{dialect.format_power('FRANCE', load_map())}`, `{order[2]}`, `{order[3]}`"
        lowered = {ours: code.lower() if dialect.lower else code for ours, code in dialect.provinces.items()}
        assert codes == ", ".join(f"`{ours}` {code}" for ours, code in lowered.items())
        if dialect.words:
            assert words.replace("`", "").removeprefix("nothing or ").split(", ") == [word for word in dialect.words if word]
            assert words.startswith("nothing or ") == ("" in dialect.words)


def test_what_the_documentation_says_of_functions_and_of_what_is_asked() -> None:
    docs = Path(__file__).parents[2] / "docs" / "reference" / "asked-engines.md"
    assert doctest.testfile(str(docs), module_relative=False) == (0, 14)
    without_a_kind = 0
    for number in range(96):
        position = Fuzz(3).get_position(number)
        ordered = [order.unit for order in position.movement_orders.values()]
        provinces = [unit.province for unit in ordered]
        assert len({*provinces}) == len(provinces)  # no second order for a unit
        assert {*provinces} <= position.board.unit_at.keys()  # none for one that is not there
        assert all(position.orders.values())  # a power without any order is not listed
        wrong = [unit for unit in ordered if unit.kind != position.board.unit_at[unit.province].kind]
        assert not wrong or number % EVERY_SO_MANY_ILLEGAL == 0
        without_a_kind += len(wrong)
    assert without_a_kind


# ---- shrinking ----


def one_step_smaller(position: AskedPosition) -> Iterator[AskedPosition]:
    """Every position that is a single step away."""
    return chain.from_iterable(step(position) for step in STEPS)


def test_a_shrunk_position_is_minimal() -> None:
    """No single step keeps an unexplained difference of the same kind."""
    campaign = broken(broken_engine.garrison_dislodged)
    first = tally_of(broken_engine.garrison_dislodged).differing[0]
    finding = shrink_board(campaign, (first.board, None))
    kinds = set(first.kinds)
    assert finding.differences
    steps = [step for step in one_step_smaller(finding.position) if not step.board.problems()]
    assert len(steps) > 10
    assert [step.line for step in steps if campaign.compare(step).kinds & kinds] == []


def size(position: AskedPosition) -> tuple[int, int]:
    orders = [order for given in position.orders.values() for order in given]
    return len(position.board.units), len(orders)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
@example(334)  # a power without units gives orders
def test_what_is_shrunk_without_end_is_a_lonely_unit(seed: int) -> None:
    """Every step makes the position smaller or plainer, so that shrinking comes to an end."""
    position = Fuzz(seed, 1).get_position(0)
    for step in one_step_smaller(position):
        assert size(step) <= size(position)
        assert step.line != position.line
    smallest = shrink_position(position, lambda candidate: True)
    assert size(smallest) == (1, 0)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_plainer_places_make_no_order_illegal(seed: int) -> None:
    position = Fuzz(seed, 1, units=(4, 9)).get_position(0)
    for step in (STEPS[-2], STEPS[-1]):
        assert all(rejected(one) <= rejected(position) for one in step(position))


def rejected(position: AskedPosition) -> int:
    outcome = judge(position.board, position.orders)
    return sum(verdict.startswith("illegal") for given in outcome.results.values() for verdict in given)


def test_shrinking_stops_when_it_has_tried_enough() -> None:
    position = Fuzz(1, 1).get_position(0)
    tried = []

    def keeps(candidate: AskedPosition) -> bool:
        tried.append(candidate)
        return False

    assert shrink_position(position, keeps, max_tries=5) is position
    assert len(tried) == 5


def test_illegal_and_foreign_orders_shrink_too() -> None:
    position = the_position("France owns A PAR\nGermany:\n  A MUN S French A BUR - RUH\n  A MUN - BUR VIA\n")

    def keeps(candidate: AskedPosition) -> bool:
        return any(isinstance(order, Move) for given in candidate.orders.values() for order in given)

    smallest = shrink_position(position, keeps)
    (order,) = [order for given in smallest.orders.values() for order in given]
    assert isinstance(order, Move)
    assert not order.via_convoy
    assert len(smallest.board.units) == 1


# ---- shapes ----


def compared(text: str) -> ComparedPosition:
    position = the_position(text)
    power, given = next(iter(position.orders.items()))
    return ComparedPosition(position, (Difference("Move: fails / succeeds", power, str(given[0]), "fails", "succeeds", 0),))


def test_names_do_not_matter_to_a_shape_but_everything_else_does() -> None:
    here = format_shape(compared("France:\n  A PAR - BUR\n  A MAR S A PAR - BUR\nGermany owns A BUR"))
    there = format_shape(compared("Russia:\n  A MOS - WAR\n  F LVN S A MOS - WAR\nTurkey owns A WAR"))
    assert here == there
    assert here.startswith("3u-1M1S-")
    others = [
        "France:\n  A PAR - BUR\n  A MAR S A PAR - BUR\nFrance owns A BUR",  # of one power
        "France:\n  A PAR - BUR\nGermany:\n  A MUN S A PAR - BUR\nGermany owns A BUR",  # the supporter of another
        "France:\n  A PAR - BUR\n  A MAR S A PAR\nGermany owns A BUR",
        "France:\n  A PAR - BUR VIA\n  A MAR S A PAR - BUR\nGermany owns A BUR",
    ]
    assert len({here, *(format_shape(compared(text)) for text in others)}) == 1 + len(others)


def test_findings_of_one_shape_are_counted_once() -> None:
    small = Finding(2, 9, b"{}", (), "one")
    assert merge_equal_shapes([Finding(3, 1, b"{}", (), "one"), small, Finding(4, 2, b"{}", (), "other")]) == (
        Finding(2, 9, b"{}", (), "one", boards=2, others=(1,)),
        Finding(4, 2, b"{}", (), "other"),
    )


def test_rare_kinds_are_shrunk_before_many_of_one_kind() -> None:
    common = [DifferingBoard(5, board, ("cut",)) for board in range(10)]
    tally = Tally(differing=[*common, DifferingBoard(20, 99, ("ring",))])
    assert list_tasks(tally, 3) == [(0, None), (99, None), (1, None)]


# ---- known differences ----


@pytest.mark.parametrize(
    ("oracle", "name"),
    [(oracle, name) for oracle in ORACLES for name, one in read_shipped_differences(oracle).items() if "example" in one],
)
def test_the_example_of_a_known_difference_shows_it_and_nothing_else(oracle: str, name: str) -> None:
    """Nor does it explain the answer once another word in it differs as well."""
    campaign = against(oracle)
    found = campaign.compare(the_position(read_shipped_differences(oracle)[name]["example"]))
    assert found.differences
    assert campaign.find_explanation(found) == (name,)
    assert replace(campaign, known=tuple(one for one in campaign.known if one.name != name)).find_explanation(found) is None
    said = deepcopy(found.theirs)
    assert said is not None
    power, (verdict, *others) = next(iter(said.verdicts.items()))
    said.verdicts[power][:] = [f"not {verdict}", *others]
    differing = (*found.differences, Difference("", power, "", verdict, said.verdicts[power][0], 0))
    assert campaign.find_explanation(ComparedPosition(found.position, differing, found.ours, said)) is None


@pytest.mark.parametrize("bug", broken_engine.BUGS, ids=lambda bug: bug.__name__)
def test_what_is_known_of_the_package_does_not_excuse_a_bug(bug: Callable[..., Answer]) -> None:
    """An engine with a seeded bug is found out even if everything is forgiven that is known of `diplomacy`.

    What is forgiven on some boards are answers that the package might give as well.
    """
    campaign = replace(broken(bug), known=load_known_differences("diplomacy", (), load_rulebook()))
    differing = [found.board for found in tally_of(bug).differing]
    tally = tally_boards(campaign, differing)
    assert len(tally.differing) > 0.8 * len(differing)
    (finding,) = collect_findings(campaign, tally, limit=1).unexplained
    assert finding.units <= MOST_UNITS
    assert {difference.kind for difference in finding.differences} & EXPECTED[bug.__name__]


@pytest.mark.parametrize(
    ("text", "theirs"),
    [
        # the army that cuts the support is not convoyed
        (
            "England:\n  A LVP - WAL\nFrance:\n  F ENG C A BRE - LON\n  A BRE - LON\n  F WAL S F ENG\n",
            ("F WAL S F ENG", "given"),
        ),
        # nobody attacks the fleet whose convoy is called disrupted
        ("England:\n  A LON - BEL\n  F NTH C A LON - BEL\nFrance:\n  A BEL H\n", ("F NTH C A LON - BEL", "disrupted")),
        # its own power does
        ("England:\n  A LON - BEL\n  F NTH C A LON - BEL\n  F EDI - NTH\n", ("F NTH C A LON - BEL", "disrupted")),
        # an own army does not cut a support
        ("England:\n  A LON - BEL\n  F NTH C A LON - BEL\n  F BEL S F ENG\n  F ENG H\n", ("F BEL S F ENG", "cut")),
    ],
)
def test_a_word_that_only_looks_like_a_known_difference(text: str, theirs: tuple[str, str]) -> None:
    campaign = against("diplomacy")
    position = the_position(text)
    said = answer_from_outcome(judge(position.board, position.orders))
    ((power, number),) = (place for place, order in position.orders_by_number.items() if str(order) == theirs[0])
    wrong = deepcopy(said)
    wrong.verdicts[power][number] = theirs[1]
    differences = compare_answers(said, wrong, position.orders, Depth.VERDICTS, {})
    assert [found.theirs for found in differences] == [theirs[1]]
    assert campaign.find_explanation(ComparedPosition(position, tuple(differences), said, wrong)) is None


def test_several_known_differences_explain_together() -> None:
    campaign = against("diplomacy")
    text = "England owns F BLA, A SMY\nEngland:\n  A ANK - ARM VIA\n  F SMY - SYR\n"
    names = ("an order that is not taken", "an army that could go by land")
    assert campaign.find_explanation(campaign.compare(the_position(text))) == names
    italy, russia = "Italy:\n  A GAS - SPA VIA\n  A MAO - POR\n", "Russia:\n  F SPA/NC S F NAF - MAO\n  F NAF - MAO\n"
    held_against = f"Italy owns F MAO\n{italy}{russia}"
    assert campaign.find_explanation(campaign.compare(the_position(held_against))) == names  # neither helps without the other


def test_a_known_difference_that_the_rulebook_has_already_is_no_difference() -> None:
    names = [one.name for one in against("diplomacy", settings=("4.C.2=illegal",)).known]
    assert names == [one.name for one in against("diplomacy").known if one.name != "an order that is not taken"]


@pytest.mark.parametrize(("text", "message"), [
    ('["x"]\nhypothesis = "nothing"\n', "no hypothesis 'nothing'"), ('["x"]\nreason = "no"\n', "not a known difference"),
    ("x = 3", "not a known difference"), ("x = [", "not a TOML file"), ("", "cannot read"),
])  # fmt: skip
def test_a_file_of_known_differences_that_is_none(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    if text:
        file.write_text(text, encoding="utf-8")
    with pytest.raises((RequestError, NotFoundError), match=message):
        load_known_differences("./engine", [str(file)], load_rulebook())


# ---- comparison ----


@pytest.mark.parametrize(
    ("ours", "theirs", "dialect", "same"),
    [
        ("fails", "fails", "satjudge", True),
        ("fails", "fails, dislodged", "satjudge", False),
        ("fails", "", "satjudge", True),  # nothing is said
        ("dislodged", "stands, dislodged", "satjudge", False),
        ("illegal", "not accepted", "satjudge", True),
        ("illegal, dislodged", "not accepted", "satjudge", False),
        ("stands", "not accepted", "satjudge", False),
        ("fails", "bounce", "diplomacy", True),
        ("succeeds", "bounce", "diplomacy", False),
        ("fails, destroyed", "bounce, dislodged", "diplomacy", True),
        ("fails", "bounce, dislodged", "diplomacy", False),
        ("fails, dislodged", "bounce", "diplomacy", False),
        ("illegal", "void", "diplomacy", True),
        ("invalid", "void", "diplomacy", True),
        ("given", "", "diplomacy", True),
        ("cut", "", "diplomacy", False),
        ("dislodged", "dislodged", "diplomacy", True),
        ("fails", "ErrBounce:par", "godip", True),
        ("cut", "ErrBounce:par", "godip", False),
        ("invalid", "ErrSupportBroken:pru", "godip", True),
        ("cut", "gibberish", "godip", False),
    ],
)
def test_words_of_another_engine(ours: str, theirs: str, dialect: str, same: bool) -> None:
    assert can_agree(ours, theirs, load_dialect(dialect).words) is same


def test_each_depth_sees_what_it_includes() -> None:
    order = Hold(Named(None, "PAR"))
    ours = Answer({"FRANCE": ["stands"]}, {}, {"FRANCE": ["A PAR"]})
    found = {
        "positions": Answer({"FRANCE": ["stands"]}, {}, {"FRANCE": ["A BUR"]}),
        "dislodgements": Answer({"FRANCE": ["stands"]}, {"FRANCE": {"A PAR": ["BUR"]}}, {"FRANCE": ["A PAR"]}),
        "verdicts": Answer({"FRANCE": ["illegal"]}, {}, {"FRANCE": ["A PAR"]}),
    }
    seen = {
        (name, str(depth))
        for name, theirs in found.items()
        for depth in Depth
        if compare_answers(ours, theirs, {"FRANCE": [order]}, depth, {})
    }
    assert seen == {
        ("positions", "positions"), ("positions", "dislodgements"), ("positions", "verdicts"),
        ("dislodgements", "dislodgements"), ("dislodgements", "verdicts"), ("verdicts", "verdicts"),
        ("positions", "results"), ("verdicts", "results"),
    }  # fmt: skip


def test_other_retreats_are_a_difference() -> None:
    one, other = ({"FRANCE": {"A PAR": places}} for places in (["BUR"], ["BUR", "GAS"]))
    (found,) = compare_answers(Answer({}, one, {}), Answer({}, other, {}), {}, Depth.DISLODGEMENTS, {})
    assert found.kind == "retreats of a unit"
    assert (found.ours, found.theirs) == ("dislodged, may retreat to BUR", "dislodged, may retreat to BUR, GAS")


# ---- dialects ----


@pytest.mark.parametrize(
    ("dialect", "order", "written"),
    [
        ("satjudge", "F SPA/SC S A MAR - LYO", "F SPA/SC S A MAR - LYO"),
        ("godip", "F MAO - SPA/SC", "F mid - spa/sc"),
        ("godip", "A LON - NWY VIA", "A lon - nwy via"),
        ("jdip", "F STP/NC - NWG", "F stp-nc - nwg"),
        ("jdip", "A LON - NWY VIA", "A lon - nwy by convoy"),
        ("njudge", "F NWG C A EDI - NWY", "F NRG C A EDI - NWY"),
    ],
)
def test_how_an_order_is_written_in_a_dialect(dialect: str, order: str, written: str) -> None:
    assert load_dialect(dialect).format_notation(order, load_map()) == written


@pytest.mark.parametrize("dialect", load_dialects())
def test_every_location_is_read_back_from_every_dialect(dialect: str) -> None:
    chosen, game_map = load_dialect(dialect), load_map()
    places = {place for province in game_map.provinces.values() for place in (province.code, *province.locations)}
    for place in places:
        assert parse_location(chosen.parse_notation(chosen.format_notation(place, game_map), game_map), game_map) == place
    for power in game_map.powers:
        assert chosen.parse_power(chosen.format_power(power, game_map), game_map) == power


@pytest.mark.parametrize("sign", ["_", ".", "-", "/", " "])
def test_a_coast_is_read_back_whatever_stands_before_it(sign: str) -> None:
    dialect = Dialect("x", "", coast=sign, lower=True)
    written = dialect.format_notation("F BUL/SC - BLA", load_map())
    assert written == f"F bul{sign}sc - bla"
    assert parse_unit(dialect.parse_notation(f"F bul{sign}sc", load_map()), "TURKEY", load_map()).location == "BUL/SC"


def test_a_dialect_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('[house]\nprovinces = { LVP = "LIV" }\nvia = ""\n[house.words]\n"ja" = ["succeeds"]\n', encoding="utf-8")
    dialect = load_dialect(str(file))
    assert dialect.format_notation("A LVP - NWY VIA", load_map()) == "A LIV - NWY"
    assert dialect.parse_notation("A LIV", load_map()) == "A LVP"
    assert can_agree("succeeds", "ja", dialect.words)
    file.write_text("[house]\ncolour = 3\n", encoding="utf-8")
    with pytest.raises(RequestError, match=r"\[house\] is not a dialect"):
        load_dialect(str(file))
    with pytest.raises(NotFoundError, match=r"there is no dialect 'klingon'.*godip"):
        load_dialect("klingon")


# ---- positions ----


def test_a_board_depends_on_the_seed_and_its_number_only() -> None:
    assert Fuzz(1, 10).get_position(7).line == Fuzz(1, 99).get_position(7).line != Fuzz(2, 10).get_position(7).line
    rings = Fuzz(1, 10, (Flavour.CIRCLES,), (5, 6))
    assert {len(rings.get_position(number).board.units) for number in range(10)} <= {5, 6}


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000))
def test_a_position_survives_its_line(number: int) -> None:
    position = Fuzz(5, 1).get_position(number)
    again = parse_position(position.line)
    assert again.line == position.line
    assert set(again.board.units) == set(position.board.units)
    assert again.orders == position.orders


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "not a batch request"),
        (b"\xff", "not a batch request"),
        (b'{"units": {}, "phase": "retreat", "orders": {"FRANCE": ["A PAR S A BUR"]}}', "orders of another phase"),
        (b'{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR B"]}}', "orders of another phase"),
        (b'{"units": {"FRANCE": ["A PRA"]}}', "units of FRANCE.*expected a province"),
        (b'{"units": {"FRANCE": ["A PAR"]}, "order": {"FRANCE": ["A PAR H"]}}', "did you mean `orders`"),
    ],
)
def test_a_line_that_is_no_position(line: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_position(line)


def test_the_shipped_cases_against_an_oracle() -> None:
    """The cases of the DATC, those that are movement phases with readable orders."""
    positions = [
        position
        for sheet in read_collection()
        if (position := make_position(sheet.board, sheet.orders_by_power(), sheet.identity)) is not None
        and sheet.phase is Phase.MOVEMENT
    ]
    assert len(positions) > 130
    source = list_positions(positions)
    tally = tally_boards(against("kruijswijk-partial", source), range(source.positions))
    assert tally.agreed == len(positions)


def test_what_a_campaign_against_the_guide_found() -> None:
    """A move to where the unit stands is an illegal move, so that the unit may not be supported to hold (guide, VII)."""
    position = the_position("rules: guide-1998\nEngland:\n  A BER S A PRU\n  A PRU - PRU\n")
    assert against("guide-1998", list_positions([position])).compare(position).differences == ()


# ---- however it is run ----


def encoded(campaign: Campaign, tally: Tally, found: Findings) -> bytes:
    texts = [file.text for file in iter_case_files(campaign, found, Path("found"))]
    return msgspec.json.encode([tally, [finding.line for finding in found.unexplained], texts], order="deterministic")


def test_processes_and_checkpoints_make_no_difference(tmp_path: Path) -> None:
    campaign = broken(broken_engine.ring_broken, source=Fuzz(1, 120))
    tally = tally_boards(campaign, range(120))
    here = encoded(campaign, tally, collect_findings(campaign, tally, limit=4))
    state = tmp_path / "state.jsonl"
    run_count(campaign.count, 50, state_path=state, chunk=20)
    progress: list[int] = []
    with processes(2) as executor:
        counted = run_count(campaign.count, 120, executor, pending=4, state_path=state, chunk=17, on_progress=progress.append)
        found = collect_findings(campaign, counted, executor, limit=4, tasks_ahead=4)
    assert encoded(campaign, counted, found) == here
    assert sum(progress) == 70  # the rest was in the state file
    other = broken(broken_engine.ring_broken, source=Fuzz(2, 120))
    with pytest.raises(RequestError, match="state of another crosscheck: seed differ"):
        run_count(other.count, 120, state_path=state)


def test_an_oracle_that_raises_is_a_finding() -> None:
    campaign = against("test_crosscheck:raises_for_rings", Fuzz(1, 80))
    tally = tally_boards(campaign, range(80))
    (smallest, *_) = collect_findings(campaign, tally, limit=3).unexplained
    assert smallest.differences[0].theirs == "raised ValueError: a ring"
    assert smallest.units == 3


def raises_for_rings(board: Board, orders: Mapping[str, list[MovementOrder]]) -> Answer:
    """An engine that gives up on three moves in a ring."""
    moves = {order.unit.province: order.destination for given in orders.values() for order in given if isinstance(order, Move)}
    if any(moves.get(moves.get(moves.get(place, ""), "")) == place for place in moves):
        raise ValueError("a ring")
    return broken_engine._judge(board, orders)


def test_a_rulebook_without_an_answer_is_no_difference() -> None:
    sheet = next(sheet for sheet in read_collection() if sheet.identity == "6.F.14")
    position = make_position(sheet.board, sheet.orders_by_power(), "6.F.14")
    assert position is not None
    campaign = against("kruijswijk-partial", list_positions([position]), settings=("4.A.2=none",))
    assert tally_boards(campaign, [0]) == Tally(1, unresolved=1)


def test_what_cannot_be_reached() -> None:
    source = ListedPositions(())
    for name, message in (
        ("no-such-engine", "there is no oracle and no program 'no-such-engine'.*kruijswijk-partial"),
        ("'", "cannot read the command"),
        ("helpers.broken_engine:nothing", "no function nothing in helpers.broken_engine"),
        ("no_such_module:judge", "no module no_such_module"),
    ):
        with pytest.raises(InputError, match=message):
            against(name, source)


def test_an_oracle_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "diplomacy", None)
    with pytest.raises(NotFoundError, match=r"the oracle diplomacy needs the package diplomacy \(pip install diplomacy\)"):
        ORACLES["diplomacy"].load()


def test_random_is_not_shared_with_others() -> None:
    before = Random(3).random()
    Fuzz(3, 1).get_position(0)
    assert Random(3).random() == before


def test_an_order_to_a_unit_that_is_not_there_is_saved_as_a_line() -> None:
    order = parse_order("A PAR - BUR", load_map())
    assert isinstance(order, Move)
    position = AskedPosition(Board((), map=load_map()), {"FRANCE": [order]}, "nowhere")
    campaign = against("satjudge-staged", list_positions([position]))
    finding = Finding(0, 0, position.line, (Difference("kind", "FRANCE", "A PAR - BUR", "illegal", "fails", 0),), "0u-1M-0")
    (file,) = iter_case_files(campaign, Findings((finding,), (), 0), Path("found"))
    assert file.name == "0u-1M-0.jsonl"
    assert parse_position(file.text.encode()).orders == position.orders


def test_a_rulebook_is_an_engine() -> None:
    """Against its own rulebook satjudge agrees with itself; where rulebooks part is told board by board."""
    boards = Fuzz(1, 60)
    assert tally_boards(make_campaign("datc-3", boards, engine=Engine.STAGED), range(60)).agreed == 60
    tally = tally_boards(make_campaign("1982", boards, engine=Engine.STAGED), range(60))
    assert tally.agreed + len(tally.differing) == 60
    assert "Move: fails / succeeds" in {kind for one in tally.differing for kind in one.kinds}
