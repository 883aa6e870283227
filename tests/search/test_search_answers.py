"""What a search tells: coasts, fates and shapes in goals, what stands beside an answer, and where it is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from helpers import brute_search as brute
from helpers.search_trials import free

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.explain.cores import classify_cores
from satjudge.judging.judge import judge
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.parse import parse_unit
from satjudge.search.documents.search import SearchDocument
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.cores import find_core_by_shape, has_shape
from satjudge.search.goals.goal import count_least_units, list_hints
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status, thin_answer
from satjudge.world.geography import load_map
from satjudge.world.orders import Hold, Named
from satjudge.world.rules import load_rulebook

MAP = load_map()
RULEBOOK = load_rulebook("datc-3")


def with_a_unit(unit: str, region: str) -> Universe:
    """A unit of France that holds, and anything beside it."""
    stands = parse_unit(unit, "FRANCE", MAP)
    provinces = frozenset(region.split())
    orders = {stands.province: Hold(Named(stands.kind, stands.location))}
    return Universe(RULEBOOK, (stands,), spots_of(MAP, provinces - {stands.province}), orders=orders, region=provinces)


def search(goal: str, universe: Universe, objective: Objective = Objective.UNITS, most: int = 3, count: int = 1) -> Search:
    return Search(universe, parse_goal(goal, MAP), objective, most, count, workers=1).run()


# Goals.


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("occupied:STP/NC", "occupied:STP/NC"),
        ("occupied:stp/nc = Russia", "occupied:STP/NC=RUSSIA"),
        ("not dislodged:Spain/sc", "not dislodged:SPA/SC"),
        ("verdict:'F WAL - ENG' = 'fails, dislodged'", 'verdict:"F WAL - ENG"="fails, dislodged"'),
        ("(occupied:PAR  =  France)", "occupied:PAR=FRANCE"),
        ("order:stp/nc = fails", "order:STP/NC=fails"),
        ("changes:STP/NC >= 1", "changes:STP/NC >= 1"),
    ],
)
def test_coasts_blanks_and_single_quotes_are_read(text: str, printed: str) -> None:
    assert str(parse_goal(text, MAP)) == printed


@pytest.mark.parametrize(
    ("goal", "universe", "least"),
    [
        ("occupied:STP/NC", free("STP BAR"), 1),
        ("occupied:STP/NC and not occupied:STP", free("STP BAR"), None),
        ("occupied:STP and not occupied:STP/NC and not occupied:STP/SC", free("STP FIN"), 1),
        ("dislodged:BUL/EC", free("BUL BLA RUM"), 3),
        ("dislodged:BUL/SC and occupied:BUL/EC", free("BUL BLA RUM"), 3),
        ("dislodged:STP/SC", with_a_unit("F STP/NC", "STP BAR NWY"), None),
        ("not dislodged:STP/SC and dislodged:STP", with_a_unit("F STP/NC", "STP BAR NWY"), 3),
        ("order:STP/NC=fails", free("STP BAR"), 2),
        ("order:STP/NC=fails", free("STP BOT"), None),
        ("order:STP=fails and not order:STP/NC=fails", free("STP BOT"), 2),
        ("order:STP/NC=stands", with_a_unit("F STP/SC", "STP"), None),
        ("changes:STP/SC >= 1", with_a_unit("F STP/SC", "STP BOT"), 2),
        ("changes:STP/NC >= 0", with_a_unit("F STP/SC", "STP BOT"), None),
    ],
)
def test_a_coast_is_where_a_fleet_stands(goal: str, universe: Universe, least: int | None) -> None:
    result = search(goal, universe)
    assert result.value == least == brute.least(universe, parse_goal(goal, MAP), Objective.UNITS, 3)
    assert result.status is (Status.NONE if least is None else Status.MINIMAL)


@pytest.mark.parametrize("goal", ["hold:STP/NC >= 2", "beleaguered:STP/NC"])
def test_a_coast_is_refused_where_it_means_nothing(goal: str) -> None:
    with pytest.raises(InputError, match=r"needs a province without a coast .*unit:STP/NC asks for a fleet on that coast"):
        parse_goal(goal, MAP)


@pytest.mark.parametrize(
    ("goal", "least"),
    [
        ('verdict:"A POR H"=destroyed', 3),
        ('verdict:"A POR H"=dislodged', None),
        ('dislodged:POR and not verdict:"A POR H"=destroyed', None),
        ('verdict:"A POR H"=destroyed and not occupied:SPA', 3),
    ],
)
def test_retreats_are_part_of_the_question(goal: str, least: int | None) -> None:
    """From Portugal an army can only go to Spain: but the attacker came from there, or a unit supported it from there."""
    universe = with_a_unit("A POR", "POR SPA MAO")
    result = search(goal, universe)
    assert result.value == least == brute.least(universe, parse_goal(goal, MAP), Objective.UNITS, 3)
    assert sum(part.refused for part in result.rounds) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "goal",
    [
        'verdict:"F WAL H"=destroyed',
        'verdict:"F WAL H"=destroyed and verdict:"A LVP - WAL"=succeeds and not occupied:ENG',  # for it is contested
        'verdict:"F WAL H"=destroyed and verdict:"F ENG - WAL"=succeeds and not occupied:ENG',  # the attacker left it
    ],
)
def test_a_fleet_with_nowhere_to_go_takes_five_units(goal: str) -> None:
    result = search(goal, free("WAL LON YOR LVP ENG IRI"), most=8)
    assert (result.status, result.value, sum(part.refused for part in result.rounds)) == (Status.MINIMAL, 5, 0)


def test_every_of_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    hint = "to ask for a unit, add: and some(unit:PROVINCE)"
    note = f"Note: every(dislodged:UNIT) is vacuously true of a board without units ({hint})."
    for goal, noted in (
        ("every(dislodged:UNIT)", True),
        ("every(dislodged:UNIT) or dislodged:PIC", True),
        ("every(order:UNIT=fails) and some(unit:PROVINCE)", False),
    ):
        assert run(["search", goal, "--region", "BEL PIC", "--json"]) == 0
        assert (note in json.loads(capsys.readouterr().out)["remarks"]) is noted


# Shapes of cores.


def test_what_a_shape_says_of_the_orders_saves_proposals() -> None:
    result = search("core:1C2M1S-2r-5b6c089a", free("ARM BLA BUL CON RUM"), most=8)
    assert (result.status, result.value) == (Status.MINIMAL, 5)
    assert sum(part.refused for part in result.rounds) < 20  # there were hundreds


def test_shapes_are_those_of_the_catalogue() -> None:
    sheets = [find_bundled_case(shape, "catalogue") for shape in ("1C1M1S-2r-21451013", "1C1M1S-0r-81281ad4")]
    paradox, betrayal = (classify_cores(judge(sheet.board, sheet.orders_by_power()).adjudication)[0] for sheet in sheets)
    assert has_shape(paradox, paradox.shape)
    assert not has_shape(paradox, betrayal.shape)
    assert find_core_by_shape(paradox.shape)
    assert find_core_by_shape("1C1M1S-2r-00000000") is None


@pytest.mark.parametrize(
    ("goal", "least"),
    [
        ("core:2C2M2S-0r-35c014aa", 9),
        ("core:2C2M2S-0r-35c014aa or core:1C1M1S-2r-21451013", 4),
        ("core:2C2M2S-0r-35c014aa and dislodged:PAR", 9),
        ("core:2C2M2S-0r-35c014aa or dislodged:PAR", 0),
        ("not core:2C2M2S-0r-35c014aa", 0),
        ("core:1C1M1S-2r-00000000", 0),
    ],
)
def test_a_shape_tells_how_many_units_it_takes(goal: str, least: int) -> None:
    assert count_least_units(parse_goal(goal, MAP), RULEBOOK, MAP) == least
    assert count_least_units(parse_goal(goal, MAP), load_rulebook("1982"), MAP) == 0  # it is counted for the default rulebook
    assert (
        count_least_units(parse_goal(goal, MAP), RULEBOOK, load_map("colonial")) == 0
    )  # and for maps without rules of their own


def test_units_of_the_board_are_tried_alone_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "core:1C1M1S-2r-21451013", "--board", "datc:6.F.14", "--free-units", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["value"], len(found["rounds"])) == ("proved minimal", 4, 1)
    assert found["rounds"][0]["variables"] < 100


# Answers.


def test_nothing_can_be_left_out_of_an_answer() -> None:
    universe = free("BOH GAL TYR VIE")
    goal = parse_goal("dislodged:BOH", MAP)
    for proposal in brute.proposals(with_a_unit("A BOH", "BOH GAL TYR VIE"), 4):
        judged = Judged(proposal, RULEBOOK)
        if goal.holds(judged) and len(proposal.board.units) == 4:
            smaller = thin_answer(goal, judged, universe)
            assert goal.holds(smaller)
            assert sorted(type(order).__name__ for order in smaller.proposal.by_province.values()) == [
                "Hold", "Move", "SupportMove"
            ]  # fmt: skip
            break
    else:
        pytest.fail("no board with an idle unit was tried")


@pytest.mark.parametrize("objective", list(Objective))
def test_whatever_is_counted_there_are_no_idle_units(objective: Objective) -> None:
    result = search("dislodged:BOH", free("BOH GAL TYR VIE"), objective, most=4)
    assert (result.status, len(result.answers[0].proposal.board.units)) == (Status.MINIMAL, 3)


def test_a_list_of_answers_ends_when_there_are_no_more() -> None:
    every = search("dislodged:BEL", free("BEL PIC BUR"), count=100)
    assert every.complete
    assert 4 < len(every.answers) < 100
    assert not search("dislodged:BEL", free("BEL PIC BUR"), count=2).complete


# Hints.


@pytest.mark.parametrize(
    ("goal", "hint"),
    [
        ("dislodged:MOS", "MOS is outside the region"),
        ("occupied:MOS=FRANCE", "MOS is outside the region"),
        ('verdict:"A PIC - MOS"=fails', "A PIC - MOS is never legal in the boards searched"),
        ('verdict:"F BUR H"=stands', "there is no F BUR"),
        ("differs:1982,1982", "1982 and 1982 are the same rulebook"),
        ("core:1C1M1S-2r-21451014", "the catalogue has no shape 1C1M1S-2r-21451014 (the nearest is 1C1M1S-2r-21451013)"),
        ("core:2C2M2S-0r-35c014aa", "2C2M2S-0r-35c014aa takes at least 9 units, and there is room for 3"),
    ],
)
def test_what_cannot_be_is_told(goal: str, hint: str) -> None:
    universe = free("BEL PIC BUR")
    assert list_hints(parse_goal(goal, MAP), universe) == [hint]
    assert search(goal, universe, most=1).status is Status.NONE


def test_a_board_without_room_has_hints_of_its_own() -> None:
    france = parse_unit("A PAR", "FRANCE", MAP)
    given = {"PAR": Hold(Named(france.kind, france.location))}
    universe = Universe(RULEBOOK, (france,), orders=given)
    assert list_hints(parse_goal("occupied:BUR=GERMANY or dislodged:BUR", MAP), universe) == [
        "no unit of Germany is on the board",
        "no unit stands in BUR",
    ]
    assert list_hints(parse_goal('verdict:"A PAR - BUR"=fails', MAP), universe) == ["another order is given: A PAR H"]
    assert list_hints(parse_goal('verdict:"A PAR H"=stands and occupied:PAR', MAP), universe) == []


# The command.


def test_results_are_saved_beside_others_and_can_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rules in ("datc-3", "2000"):
        goal = "differs-legal:datc-3,1982 and occupied:ENG"  # which speaks of a third rulebook
        command = ["search", goal, "--region", "BEL PIC ENG", "--rules", rules, "--save", str(tmp_path)]
        assert run(command) == 0
        output = capsys.readouterr().out
        assert "4.A.3.fallback (When does such an army go by land after all?)" in output
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"differs-legal-datc-3-1982-and-occupied-ENG-{number}.txt" for number in (1, 2)]
    for file in files:
        assert run(["check", str(file)]) == 0
    text = files[0].read_text()
    assert "under 1982:\n" in text
    assert "VIA | succeeds" in text.partition("under 1982:\n")[2]
    files[0].write_text(text.replace("VIA | succeeds", "VIA | fails"))
    assert run(["check", str(files[0])]) == 1  # the difference is what is checked


def test_settings_and_a_rulebook_of_ones_own_are_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('title = "Mine"\nbased_on = "1982"\n')
    command = ["search", f"differs:{mine},datc-3 and occupied:BEL", "--region", "BEL PIC ENG", "--set", "4.A.2=all-hold"]
    assert run([*command, "--save", str(tmp_path / "found"), "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert answer["results_under"].keys() == {str(mine), "datc-3"}
    (file,) = (tmp_path / "found").iterdir()
    assert run(["check", str(file)]) == 0
    text = file.read_text()
    assert "under datc-3 with 4.A.2=all-hold:" in text
    assert "under 1982:" in text  # what a file of one's own comes to: a sheet opens none
    assert str(mine) not in text


def test_an_answer_without_an_outcome_is_shown_with_its_powers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "no-resolution", "--rules", "2000", "--region", "BRE ENG LON BEL PIC", "--max-units", "5"]) == 0
    output = capsys.readouterr().out
    assert "Consistent resolutions: 0." in output
    assert "Core 1: " in output
    assert "Unresolved: 2000 has no answer to this core" in output
    assert output.count("A") > 3
    assert "Austria" in output


@pytest.mark.parametrize(
    ("count", "told"), [("2", "2 of 2 with 3 units; there may be more."), ("90", "of 90: there are no more with 3 units.")]
)
def test_the_command_says_whether_there_are_more(count: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "dislodged:BEL", "--region", "BEL PIC BUR", "--count", count]) == 0
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("as_json", [False, True])
def test_what_is_known_when_it_is_interrupted_is_told(
    as_json: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    decide, asked = Solver.decide, 0

    def interrupted(self: Solver, *, timeout: float | None = None) -> object:
        nonlocal asked
        asked += 1
        if asked > 4:
            raise KeyboardInterrupt
        return decide(self, timeout=timeout)

    monkeypatch.setattr(Solver, "decide", interrupted)
    assert run(["search", "paradox", "--region", "BRE ENG LON PIC WAL", *["--json"] * as_json]) == 130
    written = capsys.readouterr().out
    told = msgspec.json.decode(written, type=SearchDocument).headline if as_json else written
    assert "Interrupted: none found so far, bound 4 (fewer are proved not to be enough)." in told


def test_nothing_is_counted_twice_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("France:\n  A PAR H\n")
    command = ["search", "occupied:PAR", "--board", str(sheet), "--longest-route", "1", "--max-units", "1"]
    assert run(command) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "the 1 unit of the board and no others; 1 order given; powers as given; convoys over at most 1 fleet" in output
    assert "at most 1 unit;" in output
    assert "1 question of up to" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["paradox", "--region", "PAR ZZZ"], "--region 'PAR ZZZ', column 5: "),
        (["paradox", "--region", "STP/NC BAR"], "column 1: STP/NC is a coast, but a region consists of provinces (write STP)"),
        (["core:2C2M2S-0r-35c014aa", "--max-units", "8"], "its core takes at least 9 units"),
        (["paradox", "--case", "one"], "no file is given: add --board FILE"),
        (["paradox", "--board", "SHEET"], "contains 2 cases: choose one with --case ID (the IDs are one, two)"),
        (["paradox", "--board", "SHEET", "--case", "three"], "there is no case three"),
        (["paradox", "--board", "SHEET", "--case", "two"], ":7: case two: the order A GRE - SEV is not legal here"),
    ],
)
def test_wrong_usage_is_told_with_its_place(
    arguments: Sequence[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("case one: first\nFrance:\n  A PAR H\n\ncase two: second\nTurkey:\n  A GRE - SEV\n")
    assert run(["search", *(str(sheet) if word == "SHEET" else word for word in arguments)]) == 2
    assert message in capsys.readouterr().err


def test_a_case_of_several_is_searched(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text("case one: first\nFrance:\n  A PAR H\n\ncase two: second\nTurkey:\n  A GRE H\n")
    assert run(["search", "occupied:GRE=TURKEY", "--board", str(sheet), "--case", "two"]) == 0
    assert "Found." in capsys.readouterr().out


def test_an_unclosed_quotation_mark_is_told() -> None:
    with pytest.raises(InputError, match="quotation mark"):
        parse_goal("verdict:'F WAL - ENG=fails", MAP)
