"""`Task`: what `search`, `prove`, `lines` and `guarantee` are asked, as one value."""

from __future__ import annotations

from typing import Any

import click
import msgspec
import pytest

from satjudge import load_map, load_rulebook
from satjudge.apps.cli import cli
from satjudge.base.errors import InputError, RequestError
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.sheet_reader import read_sheets
from satjudge.search.task import GuaranteeTask, LinesTask, LineTask, SearchTask, Task, parse_region

EIGHT_UNITS = """case contested:
France: A PAR - BUR; A MAR S A PAR - BUR; F BRE - ENG
Germany: A MUN - BUR; A RUH S A MUN - BUR; A BEL S A MUN - BUR
England: F LON - ENG; F NTH S F LON - ENG
"""
TASKS: list[Task] = [
    SearchTask(goal="paradox"),
    SearchTask(
        goal="dislodged:PAR", free_units=True, region="PAR BUR", max_units=4, minimise="orders", count=2, longest_route=1
    ),
    SearchTask(goal="paradox", everything=True),
    LineTask(),
    LineTask(behind="POR SPA", without=("F VEN", "BLA"), enemies=3, fleets=0, cheapest=True, redundant=True),
    LineTask(outside="LON", centers="Turkey, TUN", out="Italy", repair=True, reorder=True),
    LinesTask(goal="centers=3"),
    LinesTask(goal="centers>=3", region="NAP ROM", without=("F",), out="Italy", feeds=True, no_pockets=True, count=3),
    LinesTask(goal="protect:NAP", everything=True),
    GuaranteeTask(goal="hold", power="England, France"),
    GuaranteeTask(goal="take ENG", power="England", keep_orders=True, assumed="holds:FRANCE"),
    GuaranteeTask(goal="hold", power="England", seasons=2, region="ENG", odds=True),
]


def filled(task: Task) -> Task:
    """The task that the command line fills from the options that a task writes."""
    name = str(task.__struct_config__.tag)
    group = click.Context(cli, **cli.context_settings)  # a command keeps the help options that it is first asked with
    command = cli.get_command(group, name)
    assert command is not None
    goal = [task.goal] if isinstance(task, SearchTask | LinesTask | GuaranteeTask) else []
    file = [] if isinstance(task, SearchTask | LinesTask) else ["-"]
    read = command.make_context(name, [*task.iter_options(), "--", *goal, *file], group).params
    return type(task)(**{each: read[each] for each in task.__struct_fields__})


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_the_command_line_fills_the_task_that_wrote_the_options(task: Task) -> None:
    assert filled(task) == task


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_a_task_is_read_as_it_was_sent(task: Task) -> None:
    assert msgspec.json.decode(msgspec.json.encode(task), type=SearchTask | LineTask | LinesTask | GuaranteeTask) == task


@pytest.mark.parametrize("kind", [SearchTask, LineTask, LinesTask, GuaranteeTask])
def test_each_field_is_tried(kind: type[Task]) -> None:
    """So that no field is without an option."""
    first, *others = [task for task in TASKS if isinstance(task, kind)]
    assert [name for name in kind.__struct_fields__ if {getattr(one, name) for one in others} <= {getattr(first, name)}] == []


@pytest.mark.parametrize(
    "sent",
    [
        {"task": "search"},
        {"task": "search", "goal": "--help"},
        {"task": "search", "goal": "paradox\n"},
        {"task": "search", "goal": "paradox", "max_units": 0},
        {"task": "prove", "without": ["-x"]},
        {"task": "prove", "enemies": 201},
        {"task": "lines", "goal": "centers=3", "seasons": 2},
        {"task": "guarantee", "goal": "hold"},
        {"task": "guarantee", "goal": "hold", "power": "England", "seasons": 10},
        {"task": "judge"},
    ],
    ids=str,
)
def test_what_is_no_task_is_refused(sent: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sent, SearchTask | LineTask | LinesTask | GuaranteeTask)


def test_a_search_ranges_over_its_region_and_what_stands() -> None:
    rules, sheet = load_rulebook(), find_bundled_case("6.F.14")
    standing = {unit.province for unit in sheet.board.units}
    alone = SearchTask(goal="paradox").make_universe(sheet, sheet.map, rules)
    assert (set(alone.orders), alone.spots) == (standing, frozenset())
    beside = SearchTask(goal="paradox", free_units=True, region="BEL IRI").make_universe(sheet, sheet.map, rules)
    assert beside.region == standing | {"BEL", "IRI"}
    assert {spot.location for spot in beside.spots} == {"BEL", "IRI"}
    free = SearchTask(goal="paradox", region="BEL", longest_route=1).make_universe(None, load_map(), rules)
    assert (len(free.units), free.region, free.longest_route) == (0, frozenset({"BEL"}), 1)


def test_units_that_are_known_to_be_too_few_are_told() -> None:
    rules, sheet = load_rulebook(), find_bundled_case("6.F.14")
    on_board = SearchTask(goal="paradox", free_units=True, max_units=3)
    with pytest.raises(RequestError, match="--max-units 3: 4 units stand on the board already"):
        on_board.get_most_units(on_board.make_universe(sheet, sheet.map, rules), 0, can_draw=False)
    free = SearchTask(goal="paradox", region="BEL", max_units=3)
    with pytest.raises(RequestError, match="its core takes at least 4 units"):
        free.get_most_units(free.make_universe(None, load_map(), rules), 4, can_draw=False)
    unlimited = SearchTask(goal="paradox", region="BEL")
    assert unlimited.get_most_units(unlimited.make_universe(None, load_map(), rules), 4, can_draw=True) == 12


def test_units_may_join_those_of_a_large_board() -> None:
    rules, sheet = load_rulebook(), read_sheets(EIGHT_UNITS)[0]
    assert len(sheet.board.units) == 8
    beside = SearchTask(goal="paradox", free_units=True)
    assert beside.get_most_units(beside.make_universe(sheet, sheet.map, rules), 0, can_draw=False) == 10
    fewer = SearchTask(goal="paradox", free_units=True, max_units=8)
    assert fewer.get_most_units(fewer.make_universe(sheet, sheet.map, rules), 0, can_draw=False) == 8
    alone = SearchTask(goal="paradox")
    assert alone.get_most_units(alone.make_universe(sheet, sheet.map, rules), 0, can_draw=False) is None


def test_a_guarantee_is_read_on_the_board_of_its_sheet() -> None:
    task = GuaranteeTask(goal="hold", power="france, England", keep_orders=True)
    read = task.read_guarantee(find_bundled_case("6.F.14"), load_rulebook())
    assert (read.table.power, read.table.allies, read.wish.powers) == ("FRANCE", ("ENGLAND",), ("FRANCE", "ENGLAND"))
    assert {str(order) for order in read.table.kept.values()} >= {"A BRE - LON", "F ENG C A BRE - LON"}
    with pytest.raises(InputError, match="--region: F LON is outside the region"):
        GuaranteeTask(goal="hold", power="France", region="BRE ENG").read_guarantee(
            find_bundled_case("6.F.14"), load_rulebook()
        )
    with pytest.raises(InputError, match="--power: there is no power 'Frnce'"):
        GuaranteeTask(goal="hold", power="Frnce").read_guarantee(find_bundled_case("6.F.14"), load_rulebook())


@pytest.mark.parametrize(("text", "told"), [("SPA/SC", "is a coast"), (" , ", "needs a province"), ("BRE XYZ", "column 5")])
def test_a_region_that_is_none_is_told(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_region(text, load_map())


def test_a_line_is_as_its_sheet_states_unless_something_is_said() -> None:
    assert LineTask(cheapest=True).as_stated
    assert not LineTask(enemies=0).as_stated
    assert not LineTask(without=("F",)).as_stated
