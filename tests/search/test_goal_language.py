"""Goals with *some*, *every*, counts and comparisons: how they are read, and that a search finds what brute force finds."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from helpers import brute_search

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.search.enumeration import Enumeration, Total
from satjudge.search.goals import Judged, parse_goal
from satjudge.search.open_orders.proposal import Proposal, is_isomorphic
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

MAP = load_map()
LAND = "BEL PIC BUR"

GOALS = {
    "some(dislodged:UNIT)": 3,
    "every(dislodged:UNIT) and some(unit:UNIT)": None,
    "every(order:UNIT=fails) and count(unit:UNIT) >= 2": 2,
    "count(occupied:PROVINCE=FRANCE) >= 2": 2,
    "some(occupied:BEL=POWER and occupied:BUR=POWER)": 2,
    "some(unit:UNIT=FRANCE and dislodged:UNIT)": 3,
    "count(dislodged:BEL, dislodged:PIC, order:BUR=given) >= 2": 3,
    "count(order:UNIT=cut) = 1": 3,
    "count(order:UNIT=given) > count(order:UNIT=succeeds) and some(order:UNIT=succeeds)": None,
    "hold:BEL >= 3": 3,
    "hold:BEL = 2 and order:PIC=cut": None,
    'attack:"A PIC - BEL" >= 2': 2,
    'attack:"A PIC - BEL" < hold:BEL': 2,
    'defend:"A PIC - BEL" > attack:"A PIC - BEL" and unit:BEL=ITALY': 2,
    'prevent:"A PIC - BEL" != prevent:"A BUR - BEL"': None,
    "some(hold:PROVINCE >= 2 and not unit:PROVINCE=ITALY)": 2,
    "without:PIC (order:BUR=succeeds) and order:BUR=fails": 2,
    "not without:BEL (dislodged:PIC) and dislodged:PIC": 3,
    "changes:BEL >= 2": 3,
    "count(changes:UNIT >= 1) >= 3": 3,
    "some POWER (count PROVINCE (occupied:PROVINCE=POWER) >= 3)": 3,
}
"""Each with the fewest units with which it holds in the region by land; None: not with three."""


@cache
def judgements(region: str, most_units: int) -> list[Judged]:
    """Every board of up to so many units with every set of orders, two powers named."""
    universe = _universe(region)
    named = frozenset({"FRANCE", "ITALY"})
    return [Judged(one, universe.rulebook) for one in brute_search.proposals(universe, most_units, named)]


def _universe(region: str) -> Universe:
    provinces = frozenset(region.split())
    spots = frozenset(spot for spot in spots_of(MAP, provinces) if spot.kind == "A")
    return Universe(load_rulebook(), spots=spots, region=provinces)


def _agree(text: str, most_units: int) -> int | None:
    """The fewest units with which a goal holds, as search and brute force have it; the judge refuses nothing."""
    goal = parse_goal(text, MAP)
    found = (len(judged.proposal.board.units) for judged in judgements(LAND, most_units) if goal.holds(judged))
    result = Search(_universe(LAND), goal, Objective.UNITS, most_units).run()
    assert result.value == min(found, default=None)
    assert sum(part.refused for part in result.rounds) == 0
    return result.value


@pytest.mark.parametrize("text", [text for text in GOALS if GOALS[text] == 2][::3])
def test_goals_of_counts_are_as_brute_force_has_them_with_two_units(text: str) -> None:
    assert _agree(text, 2) == 2


@pytest.mark.slow
@pytest.mark.parametrize("text", GOALS)
def test_goals_of_counts_are_as_brute_force_has_them(text: str) -> None:
    assert _agree(text, 3) == GOALS[text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count(dislodged:PAR, ) > 1", "column 1: a goal is missing in a list"),
        ("some(dislodged:PAR", "expected a closing parenthesis, found the end"),
        ("some(dislodged:UNIT and occupied:PROVINCE)", "UNIT and PROVINCE in one list (nest one list in another"),
        ("count(paradox) > 1", "paradox is not about the outcome, so it cannot be counted"),
        ("hold:BUR and paradox", "column 10: expected one of >= > <= < = !=, found and"),
        ("hold:BUR > dislodged:PAR", "column 12: expected a quantity, found dislodged:PAR"),
        ("resolutions > hold:BUR", "resolutions can only be compared with a number"),
        ("2 > 1", "a number cannot be compared with a number"),
        ("hold > 1", "'hold' is not a quantity (write hold:PROVINCE)"),
        ('attack:"A PAR H" > 1', "A PAR H is not a move"),
        ("order:PAR=lost", "lost is not a verdict"),
    ],
)
def test_goals_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_goal(text, MAP)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("count(dislodged:PAR,dislodged:BUR)>=2", "count(dislodged:PAR,dislodged:BUR) >= 2"),
        ("3 <= count( order:UNIT = cut )", "count(order:UNIT = cut) >= 3"),
        ("differs:1982,datc-3 and resolutions=2", "(differs:1982,datc-3 and resolutions = 2)"),
        ("not some POWER (occupied:PAR=POWER)", "not some POWER (occupied:PAR=POWER)"),
        ("every(count(occupied:PROVINCE=FRANCE) < 2, dislodged:UNIT)",
         "every(count(occupied:PROVINCE=FRANCE) < 2, dislodged:UNIT)"),
    ],
)  # fmt: skip
def test_goals_read_as_they_are_written(text: str, written: str) -> None:
    goal = parse_goal(text, MAP)
    assert str(goal) == written
    assert str(parse_goal(written, MAP)) == written


def _counted(text: str, most_units: int) -> None:
    """What `--all` counts is what brute force counts, and so are those that are unlike."""
    universe, goal = _universe(LAND), parse_goal(text, MAP)
    enumeration = Enumeration(Search(universe, goal, None, most_units)).run()
    found = [judged.proposal for judged in _free(most_units) if goal.holds(judged)]
    unlike: list[Proposal] = []
    for proposal in found:
        if not any(is_isomorphic(proposal, other) for other in unlike):
            unlike.append(proposal)
    expected = Counter(len(proposal.board.units) for proposal in found)
    kinds = Counter(len(proposal.board.units) for proposal in unlike)
    assert enumeration.search.complete
    assert enumeration.totals == [Total(units, expected[units], kinds[units]) for units in sorted(expected)]
    assert expected


@cache
def _free(most_units: int) -> list[Judged]:
    universe = _universe(LAND)
    return [Judged(one, universe.rulebook) for one in brute_search.proposals(universe, most_units)]


def test_all_are_counted_as_brute_force_counts_them() -> None:
    _counted("count(order:UNIT=fails) = 2 and not some(unit:PIC)", 2)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["some(dislodged:UNIT)", "several-resolutions", "count(changes:UNIT >= 1) = 3"])
def test_all_are_counted_as_brute_force_counts_them_with_three_units(text: str) -> None:
    _counted(text, 3)


def test_boards_whose_convoy_is_as_long_as_routes_may_be_are_counted() -> None:
    provinces = frozenset({"BRE", "ENG", "LON"})
    spots = frozenset(spot for spot in spots_of(MAP, provinces) if spot.kind == ("F" if spot.province == "ENG" else "A"))
    universe = Universe(load_rulebook(), spots=spots, region=provinces, longest_route=1)
    enumeration = Enumeration(Search(universe, parse_goal("order:LON=succeeds and unit:ENG", MAP), None, 2)).run()
    assert enumeration.totals == [Total(2, boards=2, unlike=2)], "the fleet is of the army's power or of another"


def test_what_was_counted_when_the_time_was_up_is_told_as_at_least() -> None:
    universe = _universe(LAND)
    left = iter([1.0] * 6)
    search = Search(universe, parse_goal("some(unit:UNIT)", MAP), None, 3, time_left=lambda: next(left, 0.0))
    enumeration = Enumeration(search).run()
    assert not search.complete
    assert 0 < sum(total.boards for total in enumeration.totals) < 10
    assert search.status is Status.STOPPED


def test_all_and_formula_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "count(unit:UNIT) = 1", "--region", "BEL", "--all"]) == 0
    assert "1 unit: 2 boards with orders, 2 different." in capsys.readouterr().out
    assert run(["search", "paradox", "--region", "BEL", "--all", "--minimise", "orders"]) == 2
    assert "--all only counts: leave out --minimise" in capsys.readouterr().err
    assert run(["search", "paradox", "--region", "BEL", "--formula", "f.cnf", "--timeout", "0.000001"]) == 2
    assert "the time ran out before the formula was written" in capsys.readouterr().err
