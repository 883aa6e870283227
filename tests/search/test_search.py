"""Searches: goals, what is found and what is proved, held to brute force and to known paradoxes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from helpers import brute_search as brute
from helpers.search_trials import random_trial

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, SatjudgeError
from satjudge.notation.parse import parse_unit
from satjudge.notation.sheet_reader import load_sheets
from satjudge.search.formulas.clauses import FALSE
from satjudge.search.goals.goal import list_cases, list_search_cases
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.proposal import is_isomorphic
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status, measure_proposal
from satjudge.search.second_opinion import iter_second_opinions, write_proofs
from satjudge.world.geography import load_map
from satjudge.world.orders import Hold, Named
from satjudge.world.rules import load_rulebook

MAP = load_map()
RULEBOOK = load_rulebook("datc-3")
CHANNEL = "BRE ENG LON PIC WAL"


def search(goal: str, region: str, **options: object) -> Search:
    """The units that a goal takes in a region where everything is free."""
    provinces = frozenset(region.split())
    rulebook = load_rulebook(str(options.pop("rules", "datc-3")))
    universe = Universe(rulebook, spots=spots_of(MAP, provinces), region=provinces)
    wanted = {"most_units": 6, "workers": 1, "objective": Objective.UNITS} | options
    return Search(universe, parse_goal(goal, MAP), **wanted).run()  # type: ignore[arg-type]


# Goals.


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("paradox", "paradox"),
        ("Several-Resolutions AND not no-resolution", "(several-resolutions and not no-resolution)"),
        ("paradox or dislodged:par and occupied:Brest=France", "(paradox or (dislodged:PAR and occupied:BRE=FRANCE))"),
        ("not (dislodged:PAR or dislodged:BUR)", "not (dislodged:PAR or dislodged:BUR)"),
        ('verdict:"F Wales - English Channel"=fails, dislodged', None),
        ('verdict:"F WAL - ENG"=succeeds', 'verdict:"F WAL - ENG"=succeeds'),
        ('verdict:"A PAR H"="dislodged"', 'verdict:"A PAR H"=dislodged'),
        ('verdict:"F WAL - ENG"="fails, dislodged"', 'verdict:"F WAL - ENG"="fails, dislodged"'),
        ("occupied:STP/NC", "occupied:STP/NC"),
        ("differs:1982,datc-3", "differs:1982,datc-3"),
        ("core:1C1M1S-2r-21451013", "core:1C1M1S-2r-21451013"),
    ],
)
def test_goals_are_read_and_printed(text: str, printed: str | None) -> None:
    if printed is None:
        with pytest.raises(InputError):
            parse_goal(text, MAP)
    else:
        assert str(parse_goal(text, MAP)) == printed
        assert parse_goal(printed, MAP) == parse_goal(text, MAP)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a goal, found the end"),
        ("paradoks", "column 1: there is no goal 'paradoks' (did you mean paradox?)"),
        ("dislodge:PAR", "did you mean dislodged:PAR?"),
        ("occupied", "did you mean occupied:PROVINCE=POWER?"),
        ("everything", "known goals: several-resolutions, no-resolution, paradox, core:SHAPE"),
        ("or paradox", "column 1: expected a goal, found or"),
        ("occupied:PAR=NOBODY", "NOBODY"),
        ("paradox paradox", "column 9: expected an `and` or an `or`, found paradox"),
        ("(paradox", "column 9: expected a closing parenthesis"),
        ("not", "column 4: expected a goal"),
        ("dislodged:", "there is no goal 'dislodged:'"),
        ("dislodged:PARR", "did you mean"),
        ("dislodged:BLA/NC", "there is no BLA/NC (write BLA)"),
        ("occupied:SPA/EC", "there is no SPA/EC (write SPA or SPA/NC or SPA/SC)"),
        ("occupied:PAR=Frence", "did you mean France"),
        ("core:big", "not the shape of a core"),
        ("differs:1982", "expected two rulebooks"),
        ("differs:1982,datc-9", "datc-9"),
        ('verdict:"F WAL - ENG"', "expected an order and its verdict"),
        ('verdict:"F WAL - ENG"=wins', "verdicts: succeeds, fails, invalid, dislodged, destroyed"),
        ('verdict:"F WAL - ENG"=given', "is not a verdict"),
        ('verdict:"F WAL H"="stands, dislodged"', "is not a verdict"),
        ('verdict:"F WAL', "quotation mark"),
    ],
)
def test_unreadable_goals_are_refused_with_a_way_out(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_goal(text, MAP)
    assert complaint in str(caught.value)


def test_words_that_say_nothing_are_left_out() -> None:
    """`via convoy` says something only of an army that could go by land."""
    assert str(parse_goal('verdict:"A LON - BEL VIA"=succeeds', MAP)) == 'verdict:"A LON - BEL"=succeeds'
    assert str(parse_goal('verdict:"A PIC - BEL VIA"=succeeds', MAP)) == 'verdict:"A PIC - BEL VIA"=succeeds'


def test_a_goal_that_contradicts_itself_is_no_question() -> None:
    asked = [str(question) for question in list_search_cases(parse_goal("paradox and several-resolutions", MAP), RULEBOOK)]
    assert asked == ["differing-convoys"]
    assert list_search_cases(parse_goal("dislodged:PAR and not dislodged:PAR", MAP), RULEBOOK) == []


def test_a_goal_is_a_choice_of_cases() -> None:
    goal = parse_goal("not (paradox and dislodged:PAR) and (several-resolutions or dislodged:BUR)", MAP)
    assert [" and ".join(map(str, case)) for case in list_cases(goal)] == [
        "not differing-convoys and not no-resolution and several-resolutions",
        "not differing-convoys and not no-resolution and dislodged:BUR",
        "not dislodged:PAR and several-resolutions",
        "not dislodged:PAR and dislodged:BUR",
    ]


# What is found, and what is proved.


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 23))])
def test_search_and_brute_force_agree(seed: int) -> None:
    """Whether there is an answer, and how little it takes. Larger samples: benchmarks/studies/search_benchmark.py."""
    trial = random_trial(Random(seed))
    result = Search(trial.universe, trial.goal, trial.objective, trial.most_units, workers=1).run()
    assert result.value == brute.least(trial.universe, trial.goal, trial.objective, trial.most_units)
    assert result.status is (Status.NONE if result.value is None else Status.MINIMAL)
    for judged in result.answers:
        assert trial.goal.holds(Judged(judged.proposal, trial.universe.rulebook))
        assert measure_proposal(judged.proposal, trial.objective) == result.bound


@pytest.mark.parametrize(
    ("goal", "least"),
    [
        ('verdict:"A BEL H"=dislodged', 3),
        ('not verdict:"A BEL H"=stands', 3),
        ('not verdict:"A BEL H"=destroyed and dislodged:BEL', 3),
        ('not verdict:"A BEL H"=dislodged', 1),
        ('verdict:"A BEL H"=stands and dislodged:BEL', None),
    ],
)
def test_what_becomes_of_a_given_order(goal: str, least: int | None) -> None:
    """A hold that is dislodged does not stand; which of `dislodged` and `destroyed` it is, only the judge knows."""
    region = frozenset({"BEL", "PIC", "BUR"})
    belgium = parse_unit("A BEL", "FRANCE", MAP)
    orders = {"BEL": Hold(Named(belgium.kind, belgium.location))}
    universe = Universe(RULEBOOK, (belgium,), spots_of(MAP, region - {"BEL"}), orders=orders, region=region)
    parsed = parse_goal(goal, MAP)
    assert Search(universe, parsed, Objective.UNITS, most_units=3, workers=1).run().value == least
    assert brute.least(universe, parsed, Objective.UNITS, 3) == least


def test_the_smallest_paradox_of_the_channel_takes_four_units() -> None:
    result = search("paradox and several-resolutions", CHANNEL)
    assert (result.status, result.value, result.bound) == (Status.MINIMAL, 4, 4)
    judged = result.answers[0]
    assert judged.resolutions.count == 2
    assert [core.name for core in judged.cores] == ["simple paradox"]


def test_what_is_refuted_leaves_the_solver_something_to_refute() -> None:
    """No question is contradictory as it is written, or the second solver would have nothing to confirm."""
    result = search("paradox", CHANNEL, most_units=3)
    assert result.status is Status.NONE
    assert {question for question, _ in result.refuted_questions} == {"no-resolution", "differing-convoys"}
    assert all((FALSE,) not in formula.clauses for _, formula in result.refuted_questions)


@pytest.mark.slow
def test_the_smallest_board_without_a_resolution_takes_five_units() -> None:
    """Four are refuted, with two more provinces around; the answer is a paradox that the literature knows."""
    result = search("no-resolution", "BRE ENG LON WAL NTH BEL PIC")
    assert (result.status, result.value) == (Status.MINIMAL, 5)
    assert result.answers[0].resolutions.count == 0
    assert result.answers[0].cores[0].name in ("betrayal paradox", "Pandin's paradox")


def test_no_convoys_no_paradox_but_rings() -> None:
    """Inland there is no paradox, and armies that change places in a ring are the only boards with two resolutions."""
    inland = "BOH GAL VIE TYR"
    assert search("paradox", inland, most_units=4).status is Status.NONE
    several = search("several-resolutions", inland, most_units=4)
    assert several.value == 3
    assert several.answers[0].cores[0].name == "circular movement of 3"


def test_rings_turn_in_every_outcome() -> None:
    """The judge need not refuse one ring after the other: a unit that only waits for the next one of its ring does not fail."""
    result = search("several-resolutions and not occupied:BOH and not occupied:GAL", "BOH GAL VIE", most_units=3)
    assert (result.status, sum(part.refused for part in result.rounds)) == (Status.NONE, 0)
    goal = 'several-resolutions and verdict:"A BOH - GAL"=fails'
    assert search(goal, "BOH GAL VIE", most_units=3).status is Status.NONE


def test_answers_are_unlike_each_other() -> None:
    result = search("dislodged:BEL", "BEL PIC BUR", count=4, most_units=3)
    assert result.value == 3
    proposals = [judged.proposal for judged in result.answers]
    assert len(proposals) == 4
    assert not any(is_isomorphic(one, other) for i, one in enumerate(proposals) for other in proposals[:i])


def test_rulebooks_differ_about_a_convoy_that_nobody_ordered() -> None:
    result = search("differs-legal:1982,datc-3", "BEL PIC ENG", most_units=3)
    assert result.value == 2
    given = sorted(str(order) for orders in result.answers[0].proposal.orders.values() for order in orders)
    assert re.fullmatch(r"A (BEL|PIC) - (PIC|BEL) VIA; F ENG H", "; ".join(given))


def test_a_search_stops_when_the_time_is_up() -> None:
    told: list[str] = []
    result = search("paradox", CHANNEL, tell=told.append, time_left=lambda: 60.0 if "3 units" not in "".join(told) else 0.0)
    assert (result.status, result.answers) == (Status.STOPPED, [])
    assert result.bound == 2  # fewer than two units were refuted before


def test_progress_is_told() -> None:
    told: list[str] = []
    search("dislodged:BEL", "BEL PIC BUR", tell=told.append)
    assert told[0].startswith("dislodged:BEL, at most 1 unit: ")


# A second opinion.


def test_another_solver_agrees_and_its_proof_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat.solvers")
    result = search("paradox and several-resolutions", "BRE ENG LON", most_units=3)
    assert result.status is Status.NONE
    opinions = list(iter_second_opinions(result, with_proof=True))
    assert opinions
    assert all(opinion.agrees for opinion, _ in opinions)
    certificates = write_proofs(result, (proof for _, proof in opinions), tmp_path / "proof")
    for certificate in certificates:
        clauses = _numbers(Path(certificate.formula).read_text().splitlines()[1:])
        assert _follows(clauses, Path(certificate.proof).read_text().splitlines())
    with_answers = search("several-resolutions", "BOH GAL VIE", most_units=3)
    assert all(opinion.agrees for opinion, _ in iter_second_opinions(with_answers))
    monkeypatch.setattr("satjudge.search.formulas.cadical._PROGRAM", "no_such_program.py")
    with pytest.raises(SatjudgeError, match=r"the second solver failed on “.*”: CaDiCaL failed: .*no_such_program"):
        list(iter_second_opinions(result))


def _numbers(lines: Sequence[str]) -> list[list[int]]:
    return [[int(number) for number in line.split()[:-1]] for line in lines]


def _follows(clauses: list[list[int]], proof: Sequence[str]) -> bool:
    """Whether each clause of the proof follows by unit propagation from those before, and the last one is empty (RUP)."""
    for line in proof:
        if not line.startswith("d"):
            learnt = [int(number) for number in line.split()[:-1]]
            if not _conflict(clauses, {-literal for literal in learnt}):
                return False
            if not learnt:
                return True
            clauses.append(learnt)
    return False


def _conflict(clauses: list[list[int]], true: set[int]) -> bool:
    progress = True
    while progress:
        progress = False
        for clause in clauses:
            if not true.isdisjoint(clause):
                continue
            left = [literal for literal in clause if -literal not in true]
            if not left:
                return True
            if len(left) == 1:
                true.add(left[0])
                progress = True
    return False


# The command.


def test_the_command_finds_saves_and_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "dislodged:BEL", "--region", "BEL PIC BUR", "--save", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "3 units: proved minimal." in output
    assert "Searched: units and moves in BEL BUR PIC only; free units of any powers; convoys over at most 3 fleets" in output
    assert "exceeds hold 1" in output
    (file,) = tmp_path.iterdir()
    assert run(["check", str(file)]) == 0
    assert "dislodged" in str(load_sheets(file)[0].orders)


def test_units_may_join_a_board_of_eight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "eight.txt"
    board.write_text(
        "case eight:\nFrance: A PAR - BUR; A MAR S A PAR - BUR; F BRE - ENG\nEngland: F LON - ENG; F NTH S F LON - ENG\n"
        "Germany: A MUN - BUR; A RUH S A MUN - BUR; A BEL S A MUN - BUR\n",
        encoding="utf-8",
    )
    asked = ["search", 'verdict:"A PAR - BUR"=succeeds', "--board", str(board), "--free-units", "--region", "BUR ENG GAS PIC"]
    assert run(asked) == 0
    output = capsys.readouterr().out
    assert "10 units: proved minimal." in output
    assert "the 8 units of the board and at most 2 free units beside them" in output
    assert run([*asked, "--max-units", "8"]) == 0
    output = capsys.readouterr().out
    assert "There is none: proved." in output
    assert "the 8 units of the board and no room for free units beside them" in output
    assert run([*asked, "--max-units", "9"]) == 0
    assert "the 8 units of the board and at most 1 free unit beside them" in capsys.readouterr().out


def test_the_command_says_none_with_a_second_opinion(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pysat.solvers")
    assert run(["search", "paradox", "--region", "BOH,GAL,VIE", "--max-units", "3", "--second-opinion"]) == 0
    output = capsys.readouterr().out
    assert "There is none: proved." in output
    assert "Second opinion: cadical195 agrees" in output


def test_what_is_missing_is_told_of_what_was_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satjudge.search.second_opinion.find_spec", lambda name: None)
    path = str(tmp_path / "proof")
    for command, asked in (
        (["search", "paradox", "--region", "BRE ENG LON", "--drat", path], "--drat"),
        (["search", "paradox", "--region", "BRE ENG LON", "--second-opinion"], "--second-opinion"),
        (["lines", "protect:TUN", "--drat", path], "--drat"),
        (["resolutions", "datc:6.F.14", "--certificate", path], "a certificate"),
    ):
        assert run(command) == 2
        said = capsys.readouterr().err
        assert said == f"satjudge: {asked} needs the solver CaDiCaL (pip install python-sat)\n"


def test_proofs_are_written_and_told_to_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("pysat.solvers")
    command = ["search", "paradox", "--region", "BRE ENG LON", "--drat", str(tmp_path / "proof"), "--json"]
    assert run(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert [opinion["agrees"] for opinion in found["second_opinions"]] == [True, True]
    assert [Path(entry["proof"]).name for entry in found["proofs"]] == ["proof-1.drat", "proof-2.drat"]
    for entry in found["proofs"]:
        proof = Path(entry["proof"]).read_bytes()
        assert (len(proof), hashlib.sha256(proof).hexdigest()) == (entry["bytes"], entry["sha256"])


def test_a_board_with_some_orders_open(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The paradox of DATC 6.F.14 without the order of London: which order makes it a paradox?"""
    sheet = tmp_path / "sheet.txt"
    sheet.write_text(
        "England owns F London\n\nEngland:\n  F Wales - English Channel\nFrance:\n  A Brest - London\n"
        "  F English Channel Convoys A Brest - London\n"
    )
    assert run(["search", "paradox", "--board", str(sheet), "--region", "ENG,BRE,LON,WAL", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "found"
    assert found["answers"][0]["orders"]["ENGLAND"] == ["F LON S F WAL - ENG", "F WAL - ENG"]
    assert found["answers"][0]["resolutions"] == 2
    assert (found["rulebook"]["name"], found["seed"]) == ("datc-3", 0)
    assert found["restrictions"][1] == "the 4 units of the board and no others"


def test_the_command_stops_in_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "paradox", "--region", CHANNEL, "--timeout", "0.01"]) == 1
    assert "Time is up: none found so far, bound 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dislodged:XXX"], "XXX"),
        (["paradox", "--region", "ENG Atlantis"], "Atlantis"),
        (["paradox", "--set", "4.A.6=required"], "written convoy paths"),
        (["paradox", "--board", "nowhere.txt"], "there is no file nowhere.txt"),
        (["core:1C1M1S"], "not the shape of a core"),
        (["paradox", "--region", " , "], "--region needs a province"),
        (["paradox", "--board", "datc:6.F.14", "--max-units", "3"], "4 units stand on the board already"),
        (["paradox", "--board", "datc:6.F.14", "--drat", "nowhere/proof"], "there is no directory nowhere"),
        (["paradox", "--set", "4.A.4.1=last-fleet"], "from its last fleet"),
    ],
)
def test_wrong_usage_is_told(arguments: Sequence[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("seed", "count"), [(18, 0), (22, 0), (5, 2), (4, 2)])
def test_boards_with_no_and_several_resolutions_are_among_the_trials(seed: int, count: int) -> None:
    """What is compared with brute force above is no easy sample."""
    trial = random_trial(Random(seed))
    result = Search(trial.universe, trial.goal, trial.objective, trial.most_units, workers=1).run()
    assert min(result.answers[0].resolutions.count, 2) == count


def test_no_question_is_told_where_none_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """A core is drawn along its ring."""
    assert run(["search", "core:1C1M1S-2r-21451013"]) == 0
    told = capsys.readouterr().out
    assert "Solved without a solver, " in told
    assert "question" not in told
