"""Goals of one's own: the worked example of docs/guides/own-goals.md, run as it stands there."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers import brute_search
from helpers.crowded_waters import strait
from helpers.judged import judged_from_outcome

from satjudge.apps.cli import run
from satjudge.base.errors import EngineLimitError, InputError
from satjudge.judging.judge import judge
from satjudge.search.goals import Goal, judged_position, parse_goal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

MAP = load_map()
PAGE = (Path(__file__).parents[2] / "docs" / "guides" / "own-goals.md").read_text(encoding="utf-8")
EXAMPLE, FROM_PYTHON, STATED_ONCE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the example in it."""
    (tmp_path / "carnage.py").write_text(EXAMPLE, encoding="utf-8")
    (tmp_path / "places.py").write_text(STATED_ONCE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("carnage", "places"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    importlib.invalidate_caches()
    return tmp_path


def test_the_examples_are_short() -> None:
    assert len(EXAMPLE.splitlines()) <= 36
    assert len(STATED_ONCE.splitlines()) <= 30


@pytest.mark.usefixtures("here")
def test_a_goal_that_is_stated_once_finds_its_smallest_position() -> None:
    region = frozenset({"BEL", "HOL", "NTH"})
    universe = Universe(load_rulebook(), spots=spots_of(MAP, region), region=region)
    result = Search(universe, parse_goal("places:Exchange", MAP, own=True), Objective.UNITS, 3).run()
    assert (result.status, result.value) == (Status.MINIMAL, 3)
    assert sum(part.refused for part in result.rounds) == 0
    assert sorted(unit.kind for unit in result.answers[0].proposal.board.units) == ["A", "A", "F"]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_goal_that_is_stated_once_is_as_brute_force_has_it() -> None:
    region = frozenset({"BEL", "HOL", "NTH"})
    universe = Universe(load_rulebook(), spots=spots_of(MAP, region), region=region)
    parsed = parse_goal("places:Exchange", MAP, own=True)
    assert brute_search.least(universe, parsed, Objective.UNITS, 3) == 3


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("goal", "least"), [("carnage:Dislodgements", 3), ("carnage:Dislodgements=2", None)])
def test_an_own_goal_is_as_brute_force_has_it(goal: str, least: int | None) -> None:
    region = frozenset({"BEL", "PIC", "BUR"})
    universe = Universe(load_rulebook(), spots=spots_of(MAP, region), region=region)
    parsed = parse_goal(goal, MAP, own=True)
    result = Search(universe, parsed, Objective.UNITS, 3).run()
    assert result.value == least == brute_search.least(universe, parsed, Objective.UNITS, 3)
    assert sum(part.refused for part in result.rounds) == 0


@pytest.mark.usefixtures("here")
def test_an_own_goal_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    region = ["--region", "BEL PIC BUR RUH HOL KIE", "--json"]
    assert run(["search", "carnage:Dislodgements=2", *region]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["goal"], found["status"], found["value"]) == ("carnage:Dislodgements=2", str(Status.MINIMAL), 6)
    assert sorted(found["answers"][0]) == ["cores", "orders", "resolutions", "results", "units"]
    assert sum(map(len, found["answers"][0]["units"].values())) == 6


@pytest.mark.usefixtures("here")
def test_an_own_goal_in_python() -> None:
    names: dict[str, Any] = {"__name__": "carnage"}
    exec(compile(EXAMPLE + FROM_PYTHON, "docs/guides/own-goals.md", "exec", dont_inherit=True), names)
    assert names["result"].value == 6


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("carnage:Slaughter", "there is no goal Slaughter in carnage (goals are subclasses of satjudge.search.goals.Goal"),
        ("carnage:Dislodgements=x", "x is no number of units"),
        ("carnages:Dislodgements", "column 1: there is no goal 'carnages:Dislodgements'"),
        ("nix:Spoiler", "column 1: there is no module nix (write the class Spoiler in nix.py"),
        ("paradox and carnage:", "column 13: there is no goal 'carnage:'"),
    ],
)
def test_own_goals_that_are_none(text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", text, "--region", "BEL PIC"]) == 2
    assert message in capsys.readouterr().err


BAD = """
from satjudge.search.goals import OutcomeGoal

class Wrong(OutcomeGoal):
    def holds(self, judged):
        return True

    def literal(self, encoding):
        return encoding.nothing()

class Half(OutcomeGoal):
    def holds(self, judged):
        return True
"""


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("bad_goals:Wrong", "bad_goals.py, line 9, in literal: AttributeError: 'Encoding' object has no attribute 'nothing'"),
        ("bad_goals:Half", "the goal Half in bad_goals has no literal (docs/reference/goals.md"),
    ],
)
def test_what_is_wrong_in_an_own_goal_is_told_with_its_place(
    goal: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bad_goals", raising=False)
    Path("bad_goals.py").write_text(BAD, encoding="utf-8")
    assert run(["search", goal, "--region", "BEL PIC"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_modules_are_run_only_where_that_is_asked_for() -> None:
    with pytest.raises(InputError, match="there is no goal 'carnage:Dislodgements'"):
        parse_goal("carnage:Dislodgements", MAP)
    assert isinstance(parse_goal("carnage:Dislodgements", MAP, own=True), Goal)


def test_the_longest_route_is_that_of_most_fleets_and_too_many_routes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = judged_from_outcome(judge(*strait(2, 6)))
    routes = [route for move in found.situation.moves for route in move.iter_routes()]
    assert (found.longest_route, len(routes)) == (max(map(len, routes)), len({*routes}))
    assert found.longest_route == 5, "it goes through the narrow: two, the narrow, two"
    monkeypatch.setattr(judged_position, "MOST_ROUTES", len(routes))
    assert found.longest_route == max(map(len, routes)), "so many are looked at"
    monkeypatch.setattr(judged_position, "MOST_ROUTES", len(routes) - 1)
    with pytest.raises(EngineLimitError, match=f"cannot be found: there are more than {len(routes) - 1} routes$"):
        _ = found.longest_route
