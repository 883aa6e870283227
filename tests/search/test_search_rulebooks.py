"""Searches for what two rulebooks judge differently: each decides for itself which orders are legal."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from helpers import brute_search as brute
from helpers.search_trials import free, random_trial

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.search.goals.differences import RulebookDifference
from satjudge.search.goals.goal import Both, list_cases
from satjudge.search.goals.outcomes import DislodgedGoal
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.universe import Universe
from satjudge.search.search import Objective, Search, Status
from satjudge.world.geography import load_map
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook

MAP = load_map()
SUPERFLUOUS = '[settings]\n"4.E.1.convoy" = "legal"\n'


@pytest.mark.parametrize("rules", [[], ["--rules", "g1.toml"], ["--rules", "g2.toml"], ["--rules", "1971"]])
def test_a_difference_is_found_whatever_the_rules_of_the_search(
    rules: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A superfluous convoy, illegal under datc-3, matters under 4.A.1=any-route (issue 13, 19)."""
    monkeypatch.chdir(tmp_path)
    Path("g1.toml").write_text(f'title = "One"\nbased_on = "datc-3"\n{SUPERFLUOUS}')
    Path("g2.toml").write_text(f'title = "Two"\nbased_on = "datc-3"\n{SUPERFLUOUS}"4.A.1" = "any-route"\n')
    Path("board.txt").write_text("England owns A WAL, F ENG, F IRI\nFrance owns F NAO, F MAO\n")
    command = ["search", "differs:g1.toml,g2.toml", "--board", "board.txt", "--region", "WAL BEL ENG IRI NAO MAO", "--json"]
    assert run([*command, *rules]) == 0
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert found["status"] == "found"
    (answer,) = found["answers"]
    assert answer["results_under"]["g1.toml"] != answer["results_under"]["g2.toml"]
    assert answer["results"] == answer["results_under"]["g1.toml"]
    assert found["restrictions"][-1] == "orders legal under g1 or g2"
    assert ("--rules and --set have no effect" in shown.err) is bool(rules)


def test_two_rulebooks_are_shown_and_no_third(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "differs:1971,1982", "--region", "BEL PIC ENG"]) == 0
    output = capsys.readouterr().out
    assert output.startswith("differs:1971,1982  [1971]\n")
    assert "orders legal under 1971 or 1982" in " ".join(output.split())
    assert "datc-3" not in output
    assert run(["search", "differs:1971,1982 and dislodged:BEL", "--region", "BEL PIC ENG", "--max-units", "1"]) == 0
    assert "[1971]" in capsys.readouterr().out
    goal = "differs-legal:1971,1982 and dislodged:BEL"
    assert run(["search", goal, "--region", "BEL PIC ENG", "--max-units", "1", "--rules", "2000"]) == 0
    assert "orders legal under 2000 or 1971 or 1982" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("goal", "least"), [("differs:1982,datc-3", 1), ("differs-legal:1982,datc-3", 2)])
def test_an_order_that_is_illegal_under_one_rulebook_is_a_difference(goal: str, least: int) -> None:
    """`A PIC - BEL VIA` without any fleet goes by land under 1982, and is illegal under datc-3 (4.A.3)."""
    universe = free("BEL PIC ENG")
    result = Search(universe, parse_goal(goal, MAP), Objective.UNITS, 3).run()
    assert (result.status, result.value) == (Status.MINIMAL, least)
    assert brute.least(universe, parse_goal(goal, MAP), Objective.UNITS, 2) == least
    given = [str(order) for orders in result.answers[0].proposal.orders.values() for order in orders]
    assert any(order.endswith("VIA") for order in given)


@pytest.mark.parametrize("goal", ["differs:1982,datc-3", "differs-legal:1982,datc-3"])
def test_via_convoy_of_a_given_order_counts_where_there_is_no_sea(goal: str) -> None:
    unit, order = parse_unit("A PAR", "FRANCE", MAP), parse_order("A PAR - BUR VIA", MAP)
    assert isinstance(order, MovementOrder)
    universe = Universe(load_rulebook("datc-3"), (unit,), orders={"PAR": order})
    status = Search(universe, parse_goal(goal, MAP)).run().status
    assert status is (Status.FOUND if goal.startswith("differs:") else Status.NONE)


def test_an_illegal_order_may_leave_a_unit_that_cannot_be_supported() -> None:
    """4.E.1: under `hold` the support of the army in Picardy does not count, and it is dislodged; else it stays."""
    holds, ignored = (rulebook("4.E.1=hold"), load_rulebook("datc-3"))
    units = {"PIC": "A PIC", "PAR": "A PAR", "BUR": "A BUR", "BRE": "F BRE"}
    orders = {
        "PIC": "A PIC - BEL VIA",  # illegal: there is no fleet
        "PAR": "A PAR S A PIC",
        "BUR": "A BUR - PIC",
        "BRE": "F BRE S A BUR - PIC",
    }
    owner = {"PIC": "FRANCE", "PAR": "FRANCE", "BUR": "GERMANY", "BRE": "GERMANY"}
    board = tuple(parse_unit(text, owner[place], MAP) for place, text in units.items())
    read: dict[str, MovementOrder] = {}
    for place, text in orders.items():
        order = parse_order(text, MAP)
        assert isinstance(order, MovementOrder)
        read[place] = order
    elsewhere = load_rulebook("1982")  # where the order of the army is legal
    for one, status in ((ignored, Status.NONE), (holds, Status.FOUND)):
        goal = Both(RulebookDifference(one, elsewhere), DislodgedGoal("PIC"))
        assert Search(Universe(one, board, orders=read), goal).run().status is status
    goal = Both(RulebookDifference(ignored, holds), RulebookDifference(holds, elsewhere))
    assert Search(Universe(ignored, board, orders=read), goal).run().status is Status.FOUND


def rulebook(*settings: str) -> Rulebook:
    return load_rulebook("datc-3").with_settings(settings)


def test_units_that_move_without_an_order_are_refused() -> None:
    allowed = rulebook("4.E.3=allowed")
    goal = RulebookDifference(allowed, load_rulebook("1982"))
    with pytest.raises(InputError, match=r"4\.E\.3.*differs-legal"):
        Search(free("BEL PIC"), goal, Objective.UNITS, 2)
    legal = RulebookDifference(allowed, load_rulebook("1982"), legal=True)
    assert Search(free("BEL PIC"), legal, Objective.UNITS, 1).run().status is Status.NONE


def differing(legal: bool, least: int) -> list[int]:
    """The first seeds whose trial is about a difference of one kind."""
    seeds = []
    for seed in range(1000):
        atoms = random_trial(Random(seed)).goal.iter_atoms()
        if any(isinstance(atom, RulebookDifference) and atom.legal is legal for atom in atoms):
            seeds.append(seed)
        if len(seeds) == least:
            break
    return seeds


@pytest.mark.parametrize("legal", [False, True])
@pytest.mark.slow
def test_search_and_brute_force_agree_on_differences(legal: bool) -> None:
    """More of them: python benchmarks/studies/search_benchmark.py trials --about differs --count 3000."""
    for seed in differing(legal, 12):
        trial = random_trial(Random(seed))
        result = Search(trial.universe, trial.goal, trial.objective, trial.most_units).run()
        assert result.value == brute.least(trial.universe, trial.goal, trial.objective, trial.most_units), seed


# Goals joined by `and`.


def test_goals_about_the_outcome_are_not_multiplied_out() -> None:
    places = sorted(MAP.provinces)[:24]
    text = " and ".join(f"(occupied:{place} or not dislodged:{place})" for place in places)
    (case,) = list_cases(parse_goal(text, MAP))
    assert len(case) == 24
    assert Search(free("BEL PIC BUR"), parse_goal(text, MAP), Objective.UNITS, 2).run().status is Status.MINIMAL


def test_cases_that_say_no_more_than_others_are_left_out() -> None:
    text = " and ".join(f"(several-resolutions or dislodged:{place})" for place in sorted(MAP.provinces)[:24])
    assert [len(case) for case in list_cases(parse_goal(text, MAP))] == [1, 24]


def test_a_goal_of_too_many_cases_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = [f"(core:1C1M1S-2r-{n:08x} or core:1C1M1S-2r-1{n:07x})" for n in range(24)]
    assert run(["search", " and ".join(shapes), "--region", "BEL PIC", "--timeout", "5"]) == 2
    assert "splits into more than 256 cases" in capsys.readouterr().err
