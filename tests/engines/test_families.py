"""Findings in families by their cause, what another answer is by the equations, and known differences by hypothesis."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from helpers import broken_engine

from satjudge.apps.cli import run
from satjudge.base.errors import RequestError
from satjudge.base.platforms import PROGRESS
from satjudge.engines.campaign import Campaign, Tally, make_campaign, tally_boards
from satjudge.engines.comparison import ComparedPosition, answer_from_outcome, compare_answers
from satjudge.engines.conformance.diagnosis import describe_borders
from satjudge.engines.conformance.faults import describe_part, is_conditional
from satjudge.engines.conformance.hypotheses import Hypothesis, list_changed_positions, parse_hypothesis
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.engines.documents.campaigns import Family
from satjudge.engines.equation_check import EquationCheck, check_by_equations
from satjudge.engines.families import TRIES, choose_covering_causes, group_findings, remove_parts
from satjudge.engines.findings import Findings, collect_findings, format_shape, shrink_board
from satjudge.engines.kit.parts import list_evidence_positions
from satjudge.engines.positions import AskedPosition, Fuzz, format_lone_move, list_positions, make_position
from satjudge.engines.report import make_crosscheck_document
from satjudge.engines.shrinking import iter_land_moves, iter_plainer_owners, iter_shorter_routes, shrink_position
from satjudge.judging.judge import judge
from satjudge.judging.solve import Engine
from satjudge.notation.sheet_reader import read_sheets
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.orders import Convoy, Move, MovementOrder
from satjudge.world.rules import load_rulebook

CUT = "SUPPORT cut by its own power"
OWN = "ATTACK as if every unit left"
CUTTING = make_faulty_judge([CUT])
IS_CUT = "a support is cut although nothing cuts it (SUPPORT, DATC 5.B.2)"
Orders = Mapping[str, Sequence[MovementOrder]]


class _Both(broken_engine._CutByOwnUnit, broken_engine._SelfDislodgement):
    """Two faults of an engine that shares nothing with the statement."""


def two_faults(board: Board, orders: Orders) -> Answer:
    """An engine with two faults."""
    return broken_engine._judge(board, orders, _Both)


def fewer_borders(board: Board, orders: Orders) -> Answer:
    """An engine whose map lacks three borders; by a fourth there is one too much."""
    said = answer_from_outcome(judge(board, orders))
    for power, given in orders.items():
        for number, order in enumerate(given):
            border = str(order).removeprefix("A ").removeprefix("F ")
            if border in ("SIL - PRU", "BOH - TYR", "PAR - GAS") and said.verdicts[power][number] == "succeeds":
                said.verdicts[power][number] = "illegal"
                said.units[power] = sorted({str(unit) for unit in board.units if unit.power == power})
            if border == "PAR - MAR":
                said.verdicts[power][number] = "succeeds"
                said.units[power] = ["A MAR"]
    return said


def position(text: str) -> AskedPosition:
    (sheet,) = read_sheets(text)
    found = make_position(sheet.board, sheet.orders_by_power(), "sheet")
    assert found is not None
    return found


def against(engine: str, source: Fuzz | None = None, known: Sequence[str] = ()) -> Campaign:
    name = engine if engine.startswith("satjudge") or ":" in engine else f"test_families:{engine}"
    return make_campaign(name, source or Fuzz(1, 60, units=(4, 7)), engine=Engine.STAGED, known=known)


# ---- what an answer is by the equations ----

RING = "France:\n  A PAR - BUR\n  A BUR - MAR\n  A MAR - GAS\n  A GAS - PAR\n"
CUT_BY_OWN = "France:\n  A PAR S A BRE\n  A BRE H\n  A BUR - PAR\nGermany owns A MUN\n"
BREAK_IN = "Italy owns F TYS\nItaly:\n  F NAP - TYS\n  F ROM S F NAP - TYS\n"


def otherwise(text: str, *names: str) -> EquationCheck:
    """What the answer of the engine with these faults is."""
    where = position(text)
    with make_faulty_judge(names) as broken:
        theirs = answer_from_outcome(broken.judge(where.board, where.orders))
    return of_answer(where, theirs)


def of_answer(where: AskedPosition, theirs: Answer) -> EquationCheck:
    campaign = against("satjudge-staged")
    ours = answer_from_outcome(judge(where.board, where.orders))
    differences = compare_answers(ours, theirs, where.orders, campaign.depth, {})
    compared = ComparedPosition(where, tuple(differences), ours, theirs)
    return check_by_equations(compared, campaign.rulebook, campaign.depth, {})


def test_an_equation_that_is_broken_is_told_and_not_its_consequences() -> None:
    text = "England:\n  A BUR - PAR\n  A GAS S A BUR - PAR\n  A MAR - GAS\nFrance owns A PAR\n"
    found = otherwise(text, CUT)
    assert found.causes == (IS_CUT,)  # and not the move, which fails for it
    assert found.resolution == "not the one consistent resolution"
    with_own = otherwise(BREAK_IN, "ATTACK as if every unit left")
    assert with_own.causes == ("a move succeeds although something stops it (MOVE, DATC 5.B.1)",)


def test_a_circular_movement_that_fails_is_a_consistent_resolution() -> None:
    where = position(RING)
    said = answer_from_outcome(judge(where.board, where.orders))
    fails = replace(said, verdicts={"FRANCE": ["fails"] * 4}, units={"FRANCE": ["A BUR", "A GAS", "A MAR", "A PAR"]})
    found = of_answer(where, fails)
    assert found.causes == ("a circular movement is settled differently (DATC 5.B.9, 6.C)",)
    assert found.resolution in ("a consistent resolution, 1 of 2", "a consistent resolution, 2 of 2")
    half = replace(said, verdicts={"FRANCE": ["fails", "succeeds", "succeeds", "succeeds"]})
    assert of_answer(where, half).resolution == "none of the 2 consistent resolutions"


def test_an_order_that_one_of_the_two_calls_illegal() -> None:
    followed = position("France:\n  A PAR - MAR\n")
    said = answer_from_outcome(judge(followed.board, followed.orders))
    went = replace(said, verdicts={"FRANCE": ["succeeds"]}, units={"FRANCE": ["A MAR"]})
    assert of_answer(followed, went).causes == ("there are borders that the map does not have",)
    support = position("France:\n  A PAR S A MAR - SPA\n  A MAR - SPA\n")
    said = answer_from_outcome(judge(support.board, support.orders))
    assert said.verdicts["FRANCE"][0] == "illegal"
    given = replace(said, verdicts={"FRANCE": ["given", "succeeds"]})
    assert of_answer(support, given).causes == ("an illegal order is followed (6.A.10)",)
    called = replace(said, verdicts={"FRANCE": ["illegal", "illegal"]}, units={"FRANCE": ["A MAR", "A PAR"]})
    assert of_answer(support, called).causes[0] == "a legal order is called illegal: Move"


def test_retreats_are_told_by_what_speaks_against_them() -> None:
    where = position("Germany:\n  A MUN - BUR\n  A BEL S A MUN - BUR\nFrance owns A BUR\n")
    said = answer_from_outcome(judge(where.board, where.orders))
    free = said.dislodged["FRANCE"]["A BUR"]
    more = replace(said, dislodged={"FRANCE": {"A BUR": sorted([*free, "MUN"])}})
    assert of_answer(where, more).causes == ("a unit may retreat to where its attacker came from (DATC 4.A.5, 6.H.5)",)
    fewer = replace(said, dislodged={"FRANCE": {"A BUR": free[1:]}})
    assert of_answer(where, fewer).causes == ("a unit may not retreat to a free province",)


# ---- shapes ----


def test_what_stands_behind_a_colon_makes_no_other_shape() -> None:
    where = position("France:\n  A PAR - BUR\nGermany:\n  A MUN - BUR\n")
    shapes = set()
    for word in ("ErrBounce:bur", "ErrBounce:par", "ErrBounce"):
        said = answer_from_outcome(judge(where.board, where.orders))
        said.verdicts["FRANCE"][0] = word
        campaign = against("satjudge-staged")
        found = compare_answers(answer_from_outcome(judge(where.board, where.orders)), said, where.orders, campaign.depth, {})
        shapes.add(format_shape(ComparedPosition(where, tuple(found))))
    assert len(shapes) == 1


def test_each_border_is_a_finding_and_all_are_one_family() -> None:
    moves = ("SIL - PRU", "BOH - TYR", "PAR - GAS", "PAR - MAR", "MUN - BUR")
    boards = [position(f"France:\n  A {move}\n") for move in moves]
    campaign = replace(against("fewer_borders"), source=list_positions(boards))
    tally = tally_boards(campaign, range(len(boards)))
    found = collect_findings(campaign, tally)
    assert {one.shape for one in found.unexplained} == {
        "1u-1M-A-SIL-PRU", "1u-1M-A-BOH-TYR", "1u-1M-A-PAR-GAS", "1u-1M-A-PAR-MAR",
    }  # fmt: skip
    told = {family.cause: len(family.findings) for family in group_findings(campaign, tally, found.unexplained)}
    assert told == {"borders are missing": 3, "there are borders that the map does not have": 1}
    says = {family.cause: family.says for family in group_findings(campaign, tally, found.unexplained)}
    assert says["borders are missing"] == "borders are missing: A BOH - TYR, A PAR - GAS, A SIL - PRU"


def lacking_sil_pru(board: Board, orders: Orders) -> Answer:
    """An engine whose map lacks one border: whatever needs it is illegal, supports, moves that bounce, and retreats too."""
    said = answer_from_outcome(judge(board, orders))
    needing = ("A SIL - PRU", "A SIL S A BER - PRU", "A SIL S A PRU")
    for power, given in orders.items():
        for number, order in enumerate(given):
            if str(order) in needing:
                said.verdicts[power][number] = "illegal"
                said.units[power] = sorted(
                    {*said.units.get(power, ()), *(["A SIL"] if str(order) == needing[0] else [])} - {"A PRU"}
                )
    return replace(said, dislodged={power: {unit: [p for p in places if p != "PRU"] for unit, places in lost.items()}
                                    for power, lost in said.dislodged.items()})  # fmt: skip


def test_what_needs_a_missing_border_is_of_its_family() -> None:
    texts = (
        "France:\n  A SIL - PRU\nGermany:\n  A BER - PRU\n",
        "France:\n  A SIL S A BER - PRU\nGermany:\n  A BER - PRU\n",
        "France:\n  A SIL S A PRU\nGermany:\n  A PRU H\n",
        "France:\n  A SIL H\nGermany:\n  A MUN - SIL\n  A BOH S A MUN - SIL\n",
    )
    boards = [position(text) for text in texts]
    campaign = replace(against("lacking_sil_pru"), source=list_positions(boards))
    tally = tally_boards(campaign, range(len(boards)))
    found = collect_findings(campaign, tally)
    assert len(found.unexplained) == 4
    assert [family.cause for family in group_findings(campaign, tally, found.unexplained)] == ["borders are missing"]
    (family,) = group_findings(campaign, tally, found.unexplained)
    document = make_crosscheck_document(campaign, tally, found, families=[family])
    assert [one.title for one in document.families] == ["borders are missing: A SIL - PRU"]


def test_a_border_that_is_missing_both_ways_is_told_once() -> None:
    assert describe_borders(["A SIL - PRU", "F ENG - LON", "A PRU - SIL"]) == "A PRU - SIL and back, F ENG - LON"
    assert describe_borders([f"A SIL - {place}" for place in "ABCDEFGH"]).endswith("A SIL - F, and 2 more")


# ---- families ----


@pytest.fixture(params=["a part of the kit", pytest.param("the whole kit", marks=pytest.mark.slow)])
def kit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kit that engines are asked: a sixth of its questions does, and takes a fifth of the time."""
    if request.param == "a part of the kit":
        monkeypatch.setattr("satjudge.engines.families.list_evidence_positions", _part_of_the_kit)


@cache
def _part_of_the_kit() -> list[AskedPosition]:
    """A question to which a support that is never cut would change the answer, and each sixth of the others."""
    whole = list_evidence_positions()
    return [position for number, position in enumerate(whole) if number % 6 == 0 or position.key == _right_about()]


def test_as_few_causes_as_cover_all() -> None:
    causes = {"a": ["x", "y"], "b": ["y"], "c": ["z", "y"], "d": ["w"]}
    assert choose_covering_causes(causes) == {"y": ["a", "b", "c"], "w": ["d"]}


@pytest.fixture(scope="module")
def found() -> tuple[Campaign, Tally, Findings]:
    campaign = against("two_faults")
    tally = tally_boards(campaign, range(60))
    return campaign, tally, collect_findings(campaign, tally, limit=8)


def test_findings_of_two_faults_are_two_families_with_their_names(found: tuple[Campaign, Tally, Findings]) -> None:
    """Each with all its boards."""
    campaign, tally, shrunk = found
    grouped = group_findings(campaign, tally, shrunk.unexplained, TRIES)
    assert {family.cause for family in grouped} == {OWN, CUT}
    assert all(family.by_hypothesis for family in grouped)
    assert sorted(board for family in grouped for board in family.boards) == sorted(
        board for one in shrunk.unexplained for board in one.board_numbers
    )
    by_equations = group_findings(campaign, tally, shrunk.unexplained)
    assert not any(family.by_hypothesis for family in by_equations)
    assert IS_CUT in {family.cause for family in by_equations}


@pytest.mark.parametrize("known", [(), (OWN,)])
def test_a_finding_that_needs_two_faults_is_told_with_both(known: tuple[str, ...]) -> None:
    """Also where one of them is known, which does not explain it alone."""
    campaign = replace(against("two_faults", known=known), source=list_positions([position(f"{CUT_BY_OWN}{BREAK_IN}")]))
    tally = tally_boards(campaign, range(1))
    finding = shrink_board(campaign, (0, None), seconds=0.0)
    (told,) = group_findings(campaign, tally, [finding], TRIES)
    assert (told.cause, told.by_hypothesis) == (f"{OWN} + {CUT}", True)


def test_boards_on_which_the_two_agree_are_evidence(
    found: tuple[Campaign, Tally, Findings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the kit is not asked."""
    monkeypatch.setattr("satjudge.engines.families._list_kit_positions", lambda campaign, phases: [])
    campaign, tally, shrunk = found
    cut = [one for one in shrunk.unexplained if one.causes == (IS_CUT,)]
    (told,) = group_findings(campaign, tally, cut, TRIES)
    assert (told.cause, told.by_hypothesis) == (CUT, True)


def calls_own_attacks_cut(board: Board, orders: Orders) -> Answer:
    """An engine that calls a support cut that is attacked by a unit of the same power, and counts it all the same."""
    said = answer_from_outcome(CUTTING.judge(board, orders))
    return replace(answer_from_outcome(judge(board, orders)), verdicts=said.verdicts)


@pytest.mark.usefixtures("kit")
def test_a_cause_that_shows_in_words_alone_is_told_as_words() -> None:
    boards = [position(CUT_BY_OWN), position(CUT_BY_OWN.replace("PAR", "PIC"))]
    campaign = replace(against("calls_own_attacks_cut"), source=list_positions(boards))
    tally = tally_boards(campaign, range(len(boards)))
    found = collect_findings(campaign, tally)
    for tries in (TRIES, 0):
        grouped = group_findings(campaign, tally, found.unexplained, tries)
        (told,) = make_crosscheck_document(campaign, tally, found, families=grouped, describe=describe_part).families
        assert told.title.startswith(f"says `cut` where satjudge says `given`, as if by “{told.cause}”; all units")
        assert told.cause == (CUT if tries else IS_CUT)


def test_a_cause_that_shows_in_units_of_the_board_is_told_as_a_rule() -> None:
    """Though shrinking leaves a difference in words."""
    text = "France:\n  A PAR S A BRE\n  A BRE H\n  A BUR - PAR\nGermany:\n  A GAS - BRE\n  F MAO S A GAS - BRE\n"
    campaign = replace(against("two_faults"), source=list_positions([position(text)]))
    tally = tally_boards(campaign, range(1))
    found = collect_findings(campaign, tally)
    (told,) = make_crosscheck_document(
        campaign, tally, found, families=group_findings(campaign, tally, found.unexplained)
    ).families
    assert told.title == told.cause == IS_CUT


# ---- known by hypothesis ----


def test_what_an_engine_is_known_to_do_is_no_finding() -> None:
    """Both faults alone and together; one of them alone leaves the findings of the other."""
    boards = range(25)
    both = tally_boards(against("two_faults", known=(CUT, OWN)), boards)
    assert both.differing == []
    assert set(both.explained) <= {CUT, OWN, f"{CUT} + {OWN}"}
    assert {CUT, OWN} <= set(both.explained)
    one = tally_boards(against("two_faults", known=(CUT,)), boards)
    assert set(one.explained) == {CUT}
    assert one.differing


def test_known_hypotheses_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text(f'["our cut"]\nhypothesis = "{CUT} + 4.A.2=all-hold"\nbecause = "ticket 12"\n', encoding="utf-8")
    (known,) = against("two_faults", known=(str(file),)).known
    assert (known.name, known.because) == ("our cut", "ticket 12")
    assert known.hypothesis == parse_hypothesis(f"{CUT} + 4.A.2=all-hold", load_rulebook())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("HOLD without support", "no hypothesis 'HOLD without support'.*'HOLD without supports'"),
        ("4.A.2=often", "no hypothesis '4.A.2=often'"),
        ("rulebook 1982 + rulebook 1971", "cannot be combined"),
        ("4.A.2=all-hold + 4.A.2=1982", "cannot be combined"),
        (
            "borders missing: A RUH - BEL",
            "about the engine's map, so it is not a hypothesis.*crosscheck asks about single borders itself",
        ),
        ("borders are missing: A SIL - PRU", "about the engine's map"),
    ],
)
def test_what_is_no_hypothesis(text: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        parse_hypothesis(text, load_rulebook())


def test_a_fault_that_holds_for_some_supports_only_is_known() -> None:
    """DEFEND leaves out supports by the attacker's power: what one such engine says is explained by it, and by no other."""
    name = "DEFEND without supports by the attacker's power"
    french = "France:\n  A PAR - BUR\n  A GAS S A PAR - BUR\n  A PIC S A BUR - PAR\n"
    where = position(f"{french}Germany:\n  A BUR - PAR\n")
    supposed = parse_hypothesis(name, load_rulebook())
    campaign = against("satjudge-staged", known=(name,))
    (said,) = supposed.list_answers([where])
    assert said is not None
    ours = answer_from_outcome(judge(where.board, where.orders))
    differing = ComparedPosition(where, tuple(compare_answers(ours, said, where.orders, campaign.depth, {})), ours, said)
    assert differing.differences
    assert campaign.find_explanation(differing) == (name,)
    assert replace(campaign, known=against("satjudge-staged", known=(CUT,)).known).find_explanation(differing) is None


def test_hypotheses_are_named_whatever_the_capitals() -> None:
    rulebook = load_rulebook()
    assert parse_hypothesis("attack As If every unit left", rulebook) == parse_hypothesis(OWN, rulebook)
    assert parse_hypothesis("1982", rulebook) == parse_hypothesis("rulebook 1982", rulebook)
    assert str(parse_hypothesis(f"{CUT} + 4.A.2=all-hold + 1982", rulebook)) == f"1982, 4.A.2=all-hold, {CUT}"


def test_the_command_tells_families_and_knows_hypotheses(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["crosscheck", "--against", "test_families:two_faults", "--fuzz", "14", "--seed", "2", "--units", "4..6"]
    assert run([*options, "--limit=shrink=1", "--known", OWN, "--jobs", "1", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    (family,) = document["families"]
    assert (family["cause"], family["exact"]) == (CUT, True)
    assert family["shapes"] == [one["shape"] for one in document["findings"]]
    assert family["boards"]
    assert any(one["explanation"] == OWN for one in document["explained"])
    assert document["shrinking"] >= 0


# ---- shrinking ----


def test_an_army_goes_by_land_without_its_fleets() -> None:
    there = position("England:\n  A EDI - YOR VIA\n  F NTH C A EDI - YOR\nFrance owns A YOR\n")
    (by_land,) = iter_land_moves(there)
    assert [str(order) for order in by_land.orders_by_number.values()] == ["A EDI - YOR"]
    assert {str(unit) for unit in by_land.board.units} == {"A EDI", "A YOR"}


def test_a_route_is_shortened() -> None:
    where = position("England:\n  A LON - TUN\n  F ENG C A LON - TUN\n  F MAO C A LON - TUN\n  F WES C A LON - TUN\n")

    def convoyed(smaller: AskedPosition) -> bool:
        said = judge(smaller.board, smaller.orders).results
        orders = [order for given in smaller.orders.values() for order in given]
        parts = {type(order) for order in orders} >= {Move, Convoy}
        return parts and all(verdict in ("succeeds", "available") for given in said.values() for verdict in given)

    assert len(next(iter_shorter_routes(where)).board.units) == 3
    assert len(shrink_position(where, convoyed).board.units) == 2


def test_an_owner_changes() -> None:
    """Of three units the last one is of another power, where that is as good."""
    where = position("Austria:\n  A BUD H\nEngland:\n  A VIE H\n  A TRI H\n")
    owners = {tuple(unit.power for unit in one.board.units) for one in iter_plainer_owners(where)}
    assert ("AUSTRIA", "AUSTRIA", "ENGLAND") in owners
    assert ("AUSTRIA", "AUSTRIA", "AUSTRIA") not in owners


def test_time_for_shrinking_is_bounded_and_told(found: tuple[Campaign, Tally, Findings]) -> None:
    campaign, tally, _ = found
    late = collect_findings(campaign, tally, seconds=0.0)
    assert (late.unexplained, late.left, late.out_of_time) == ((), len(tally.differing), True)
    board = tally.differing[0].board
    whole = campaign.source.get_position(board)
    assert shrink_board(campaign, (board, None), seconds=0.0).units == len(whole.board.units)


def test_the_border_of_a_lone_move_stays() -> None:
    where = position("Turkey:\n  F ANK - CON\n")
    assert format_lone_move(where) == "F ANK - CON"
    assert shrink_position(where, lambda smaller: bool(format_lone_move(smaller))).line == where.line


# ---- a case again ----


def test_a_case_again_without_a_diagnosis(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It tries no hypotheses; else it is told on standard error what takes so long, and families have plain words."""
    monkeypatch.setenv(PROGRESS, "1")
    options = [
        "crosscheck",
        "--against",
        "test_families:two_faults",
        "datc:6.D.20",
        "datc:6.A.1",
        "--jobs",
        "1",
        "--json",
    ]
    assert run(options) == 1
    told = capsys.readouterr()
    (family,) = json.loads(told.out)["families"]
    assert (family["cause"], family["exact"]) == (CUT, True)
    assert family["says"].startswith(f"{CUT}: An attack by a unit of the same power cuts a support")
    assert "looking for causes" in told.err
    assert run([*options, "--no-diagnosis"]) == 1
    told = capsys.readouterr()
    (family,) = json.loads(told.out)["families"]
    assert (family["cause"], family["says"], family["exact"]) == (IS_CUT, "", False)
    assert "causes" not in told.err


def test_other_names_for_a_cause_are_told_in_short() -> None:
    family = Family(cause="a", exact=True, or_else=["b", "c", "d", "e", "f"], shapes=["x"], boards=[1])
    assert family.certainty.endswith("Other names that fit these boards equally well: b, c, d, and 2 more.")
    assert (family.title, Family(cause="a", says="a: b", shapes=[], boards=[]).title) == ("a", "a: b")


# ---- the kit has a say ----

NEVER = "SUPPORT never cut"
CUT_SUPPORT = "Germany:\n  A MUN - BUR\n  A RUH S A MUN - BUR\nFrance:\n  A BUR H\nEngland:\n  A BEL - RUH\n"
_NEVER_CUTTING = make_faulty_judge([NEVER])


def never_cuts(board: Board, orders: Orders) -> Answer:
    """An engine on which no support is cut."""
    return answer_from_outcome(_NEVER_CUTTING.judge(board, orders))


def never_cuts_near_munich(board: Board, orders: Orders) -> Answer:
    """An engine on which no support is cut where one unit of the board is in Munich: a mistake, but no rule."""
    return answer_from_outcome((_NEVER_CUTTING.judge if "MUN" in board.unit_at else judge)(board, orders))


def one_finding(engine: str) -> tuple[Campaign, Tally, Findings]:
    """Compare a position where a support is cut, and no board on which the two agree."""
    campaign = replace(against(engine), source=list_positions([position(CUT_SUPPORT)]))
    tally = tally_boards(campaign, range(1))
    return campaign, tally, collect_findings(campaign, tally)


@pytest.mark.usefixtures("kit")
def test_what_the_kit_refutes_is_never_told() -> None:
    campaign, tally, shrunk = one_finding("never_cuts_near_munich")
    (told,) = group_findings(campaign, tally, shrunk.unexplained, TRIES)
    assert told.cause != NEVER


def test_what_the_kit_does_not_refute_is_told() -> None:
    campaign, tally, shrunk = one_finding("never_cuts")
    (told,) = group_findings(campaign, tally, shrunk.unexplained, TRIES)
    assert (told.cause, told.by_hypothesis, told.says) == (NEVER, True, "")


@cache
def _right_about() -> str:
    """The key of one question of the kit to which the mistake would change the answer."""
    return list_changed_positions("datc-3", NEVER, list_evidence_positions())[0].key


def never_cuts_but_once(board: Board, orders: Orders) -> Answer:
    """An engine on which no support is cut but on one question of the kit."""
    return answer_from_outcome(
        (judge if AskedPosition(board, orders).key == _right_about() else _NEVER_CUTTING.judge)(board, orders)
    )


@pytest.mark.slow
def test_what_the_kit_contradicts_once_is_told_as_no_rule() -> None:
    """Of some cases, or with a condition: another mistake may hide this one there."""
    campaign, tally, shrunk = one_finding("never_cuts_but_once")
    (told,) = group_findings(campaign, tally, shrunk.unexplained, TRIES)
    assert told.by_hypothesis
    assert told.cause.startswith(NEVER)
    assert is_conditional(told.cause) or told.says.startswith("in some cases, ")


def test_a_rulebook_is_a_part_like_others() -> None:
    """What contradicts it is found by leaving it out; settings that do not go with the usual one alone go too."""
    usual, best = Hypothesis("datc-3"), Hypothesis("1982", (), (CUT,))
    assert remove_parts(usual, best, ["rulebook 1982"]) == Hypothesis("datc-3", (), (CUT,))
    assert remove_parts(usual, best, [CUT]) == Hypothesis("1982")
