"""What two rulebooks can differ in: decided by comparing what is read of them, and searched for aspect by aspect."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from time import process_time
from typing import ClassVar

import pytest
import rulebooks_matrix
from helpers import brute_search as brute
from helpers.search_trials import LEGALITY, PRESETS, random_trial
from msgspec.structs import fields

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, RulebookError, SatjudgeError
from satjudge.base.values import replace
from satjudge.judging.equations import compiler
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.notation.sheets import Sheet
from satjudge.search.goals.differences import (
    MOVEMENT,
    Aspect,
    RulebookDifference,
    Step,
    find_options,
    has_difference,
    list_differing_steps,
)
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status, add_goal_rulebooks
from satjudge.world.geography import load_map
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook, options
from satjudge.world.rules.rulebook import option_fields

MAP = load_map()


def test_2000_and_2023_agree_on_movements_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    """They part in retreats (4.A.5) and removals (4.D.8) alone: that is proved without a question to a solver."""
    began = process_time()
    assert run(["search", "differs:2000,2023", "--json"]) == 0
    assert process_time() - began < 10, "most of it is to import the solver, which is not asked"
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "proved that there is none"
    assert found["rounds"] == []
    assert found["restrictions"] == ["every board on every map, since no question was needed"]
    assert found["remarks"] == [
        "Note: 2000 and 2023 differ only in 4.A.5, 4.D.8, which never changes what is legal, the equations or"
        " the rulings on cores."
    ]


@pytest.mark.parametrize("aspect", Aspect)
def test_what_2000_and_2023_can_differ_in(aspect: Aspect) -> None:
    goal = parse_goal(f"differs:2000,2023={aspect}", MAP)
    assert (goal.find_general_refutation() is None) is (aspect in (Aspect.VERDICTS, Aspect.RETREATS))
    assert str(goal) == ("differs:2000,2023" if aspect is Aspect.POSITION else f"differs:2000,2023={aspect}")


def test_a_goal_that_asks_for_the_impossible_among_others_asks_for_the_others() -> None:
    universe = Universe(load_rulebook("2000"), spots=spots_of(MAP, ("BEL", "PIC")), region=frozenset(("BEL", "PIC")))
    both = Search(universe, parse_goal("differs:2000,2023 and occupied:BEL", MAP), Objective.UNITS, 2).run()
    assert (both.status, both.rounds) == (Status.NONE, [])
    either = Search(universe, parse_goal("differs:2000,2023 or occupied:BEL", MAP), Objective.UNITS, 2).run()
    assert (either.status, either.value) == (Status.MINIMAL, 1)


def test_an_unknown_aspect_is_told_apart() -> None:
    with pytest.raises(InputError, match="'colours' is not an aspect") as error:
        parse_goal("differs:2000,2023=colours", MAP)
    assert error.value.suggestion == "write one of position, units, dislodgements, verdicts, retreats"


# Whether what is compared is all that matters.


class Watched(Rulebook, frozen=True):
    """A rulebook that notes which of its choices are read."""

    read: ClassVar[set[str]] = set()

    def __getattribute__(self, name: str) -> object:
        Watched.read.add(name)
        return super().__getattribute__(name)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@cache
def cases() -> list[Sheet]:
    """The movement phases of the DATC: most have to do with some option."""
    return [sheet for sheet in read_collection() if sheet.phase == "movement"]


def judged(sheet: Sheet, rulebook: Rulebook) -> Outcome | str:
    """The outcome, or why there is none."""
    try:
        return judge(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
    except SatjudgeError as error:
        return type(error).__name__


def test_a_judgement_reads_no_other_option() -> None:
    """Every option that is read on the way from the cases of the DATC to their outcomes is one of those that are compared."""
    usual = load_rulebook("2000").with_settings(["4.A.2.fallback=szykman", "4.D.9=refused", "4.D.9.retreats=refused"])
    choices = {entry.name: getattr(usual, entry.name) for entry in fields(Rulebook)}
    watched = [Watched(**choices) for _ in cases()]  # one each, so that nothing is remembered from another case
    Watched.read = set()
    for sheet, rulebook in zip(cases(), watched, strict=True):
        outcome = judged(sheet, rulebook)
        if isinstance(outcome, Outcome):
            assert outcome.results is not None
    by_issue = option_fields()
    by_name = {by_issue[issue] for step in (Step.LEGALITY, Step.RETREATS) for issue in find_options(step)}
    in_equations = set(compiler._find_options(compiler.read_statement()))
    for_rulings = {"paradox", "paradox_fallback", "other_cores", "support_cores"}
    read = Watched.read & set(by_issue.values())
    assert {"several_orders", "retreat_to_origin", "land_fallback", "paradox_fallback"} <= read, "the watch works"
    assert read <= by_name | in_equations | for_rulings


def variants(base: str) -> list[Rulebook]:
    """A rulebook with every other choice on every issue, one at a time."""
    book, found = load_rulebook(base), []
    for option in options():
        for value in option.values:
            if value != book.settings()[option.issue]:
                try:
                    found.append(book.with_settings([f"{option.issue}={value}"]))
                except RulebookError:
                    continue
    return found


@pytest.mark.parametrize("base", ["datc-3", "1982", "2000"])
@pytest.mark.slow
def test_rulebooks_that_are_proved_alike_are_alike(base: str) -> None:
    """On cases of the DATC, with their badly written orders; for each aspect, some choices are proved to be idle."""
    book = load_rulebook(base)
    idle = {Aspect.POSITION: 0, Aspect.VERDICTS: 0}
    outcomes = [judged(sheet, book) for sheet in cases()[::12]]
    for variant in variants(base):
        for aspect in idle:
            if not list_differing_steps(book, variant, aspect.steps):
                idle[aspect] += 1
                for sheet, outcome in zip(cases()[::12], outcomes, strict=True):
                    other = judged(sheet, variant)
                    if isinstance(outcome, Outcome) and isinstance(other, Outcome):
                        assert not has_difference(aspect, outcome, other), (str(variant.name), sheet.identity)
                    else:
                        assert type(outcome) is type(other)
    assert idle[Aspect.POSITION] > idle[Aspect.VERDICTS] >= 20


@pytest.mark.slow
def test_a_choice_that_another_makes_idle_does_not_show() -> None:
    """4.A.2.1982 matters where 4.A.2 is the rule of 1982, and 4.A.2.fallback where that rule may have no answer."""
    for setting, base, matters in (
        ("4.A.2.1982=route", "datc-3", False),
        ("4.A.2.1982=route", "1982", True),
        ("4.A.2.fallback=all-hold", "datc-3", False),
        ("4.A.2.fallback=all-hold", "1982", True),
    ):
        book = load_rulebook(base)
        assert bool(list_differing_steps(book, book.with_settings([setting]), MOVEMENT)) is matters, setting


# The aspects, against brute force.


@pytest.mark.parametrize(
    ("goal", "region", "least"),
    [
        ("differs:1982,datc-3=units", "BEL PIC ENG", 1),
        ("differs:1982,datc-3=verdicts", "BEL PIC ENG", 1),
        pytest.param("differs:1971,1982=units", "BEL PIC ENG", 3, marks=pytest.mark.slow),
        pytest.param("differs:guide-1998,datc-3=verdicts", "POR SPA GAS", 2, marks=pytest.mark.slow),
        pytest.param("differs-legal:1982,datc-3=dislodgements", "BEL PIC ENG", 3, marks=pytest.mark.slow),
    ],
)
def test_the_least_difference_in_an_aspect(goal: str, region: str, least: int | None) -> None:
    sought, provinces = parse_goal(goal, MAP), frozenset(region.split())
    universe = Universe(load_rulebook(), spots=spots_of(MAP, provinces), region=provinces)
    assert Search(universe, sought, Objective.UNITS, 3).run().value == least


@pytest.mark.slow
def test_every_aspect_agrees_with_brute_force() -> None:
    """Random small searches: what rulebooks differ in is found just where brute force finds it, and with as little."""
    met = dict.fromkeys(Aspect, 0)
    for seed in range(60):
        random = Random(f"aspects-{seed}")
        trial = random_trial(random)
        one, other = (load_rulebook(random.choice(PRESETS)) for _ in range(2))
        if random.random() < 0.5:
            other = one.with_settings([random.choice((*LEGALITY, "4.A.5=barred", "4.A.7=never", "4.A.2=all-hold"))])
        aspect = random.choice([*Aspect, Aspect.RETREATS, Aspect.DISLODGEMENTS])
        goal = RulebookDifference(one, other, random.random() < 0.3, aspect=aspect)
        universe = replace(trial.universe, rulebook=one)
        result = Search(universe, goal, trial.objective, trial.most_units).run()
        least = brute.least(universe, goal, trial.objective, trial.most_units)
        assert result.value == least, (seed, goal)
        met[aspect] += least is not None
    assert sum(met.values()) >= 4


@pytest.mark.parametrize(
    ("goal", "holds"),
    [
        ("differs:2000,2023=retreats", True),  # 4.A.5: its attacker came by convoy
        ("differs:2000,2023=verdicts", False),  # there are other ways out
        ("differs:2023,datc-3=retreats", False),
    ],
)
def test_a_retreat_to_where_a_convoyed_attacker_came_from(goal: str, holds: bool) -> None:
    """The fleet dislodged from London by the army of Wales may go to Wales under 2023 and not under 2000; Yorkshire is free."""
    units = [parse_unit(text, power, MAP) for text, power in (("A WAL", "FRANCE"), ("F ENG", "FRANCE"), ("F NTH", "GERMANY"))]
    units.append(parse_unit("F LON", "ENGLAND", MAP))
    told = ("A WAL - LON VIA", "F ENG C A WAL - LON", "F NTH S A WAL - LON", "F LON H")
    orders = {
        order.unit.province: order for order in (parse_order(text, MAP) for text in told) if isinstance(order, MovementOrder)
    }
    sought = parse_goal(goal, MAP)
    universe = Universe(load_rulebook("2000"), tuple(units), orders=orders)
    assert Search(universe, sought).run().status is (Status.FOUND if holds else Status.NONE)
    assert brute.least(add_goal_rulebooks(sought, universe), sought, Objective.UNITS, 4) == (4 if holds else None)


@pytest.mark.slow
def test_the_matrix_of_rulebooks_is_what_was_found() -> None:
    """Every board of the page is judged again under every rulebook, and the page and its cases are written anew."""
    rows = rulebooks_matrix.kept()
    found = rulebooks_matrix.chosen(rows)
    cases = rulebooks_matrix.cases(found)
    text = "\n".join(rulebooks_matrix.page(rows, found)).rstrip() + "\n"
    assert text == rulebooks_matrix.PAGE.read_text(encoding="utf-8")
    written = "\n".join(rulebooks_matrix.case_text(name, case) for case, name in cases.items())
    assert written == rulebooks_matrix.CASES.read_text(encoding="utf-8")
