"""The options of a rulebook: for every pair of values of every issue a case that comes out otherwise, or the reason why none
can. The cases are listed in datc_cases/options.toml; those of our own are in datc_cases/promoted/options.txt.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import RulebookError, UnresolvedError
from satjudge.base.resources import data_directory
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.check import CheckedCase, check, check_under
from satjudge.judging.judge import judge, judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import RetreatOutcome, judge_retreats
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet
from satjudge.world.board import by_power
from satjudge.world.rules import Option, Rulebook, load_rulebook, options, preset_names, rulebook_sources

FOLDER = data_directory() / "datc_cases"
LISTED = tomllib.loads((FOLDER / "options.toml").read_text(encoding="utf-8"))
COLLECTIONS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
OPTIONS = {option.issue: option for option in options()}
SEARCHED = ("datc-3", "1971", "2000", "guide-1998")
"""Rulebooks under which a pair without a witness is tried on every case; they differ in all that they can."""


@dataclass(frozen=True)
class Pair:
    """Two values of an issue, with the case that tells them apart (`case` is empty where none can)."""

    issue: str
    values: tuple[str, str]
    case: str = ""
    collection: str = ""
    rules: str = ""
    settings: tuple[str, ...] = ()
    reason: str = ""

    def rulebooks(self, name: str | None = None) -> tuple[Rulebook, Rulebook]:
        """The rulebook with each of the two values, and nothing else changed."""
        base = load_rulebook(name or self.rules)
        first, second = (base.with_settings((*self.settings, f"{self.issue}={value}")) for value in self.values)
        return first, second

    def __str__(self) -> str:
        return f"{self.issue}-{self.values[0]}-{self.values[1]}"


def _pairs(entries: Iterable[dict[str, Any]]) -> list[Pair]:
    return [
        Pair(**{**entry, "values": tuple(entry["values"]), "settings": tuple(entry.get("settings", ()))}) for entry in entries
    ]


WITNESSES = _pairs(LISTED["witness"])
WITHOUT = _pairs(LISTED.get("without", ()))
OWN = [sheet for sheet in read_collection("promoted") if Path(sheet.source_file).name == "options.txt"]


@cache
def cases(collection: str) -> dict[str, Sheet]:
    return {sheet.identity: sheet for sheet in read_collection(collection)}


def what_happens(sheet: Sheet, rulebook: Rulebook) -> object:
    """All that players see of a case: verdicts, units, dislodgements with retreats, removals; or that it is unresolved."""
    try:
        outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=Engine.STAGED)
    except UnresolvedError:
        return "unresolved"
    seen: list[object] = [outcome.results, set(outcome.units)]
    if isinstance(outcome, Outcome):
        seen.append({province: (lost.fate, lost.retreats) for province, lost in outcome.dislodgements.items()})
        if sheet.retreats:
            retreats: RetreatOutcome = judge_retreats(outcome.retreat_board, sheet.retreats_by_power())
            seen += [retreats.results, set(retreats.units)]
    elif isinstance(outcome, AdjustmentOutcome):
        seen.append({power: by_power(removed) for power, removed in outcome.automatic.items()})
    return seen


# The list.


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.issue)
def test_every_pair_of_values_is_listed_once(option: Option) -> None:
    listed = [pair.values for pair in (*WITNESSES, *WITHOUT) if pair.issue == option.issue]
    assert listed
    assert Counter(frozenset(values) for values in listed) == {frozenset(pair): 1 for pair in combinations(option.values, 2)}


def test_nothing_else_is_listed() -> None:
    assert {"witness"} <= set(LISTED) <= {"witness", "without", "alternative"}
    assert {pair.issue for pair in (*WITNESSES, *WITHOUT)} == set(OPTIONS)
    assert all(pair.case and pair.rules in preset_names() and not pair.reason for pair in WITNESSES)
    assert all(len(pair.reason.split()) > 30 and not pair.case for pair in WITHOUT)


def test_pairs_without_a_witness() -> None:
    """A new one must be argued for in options.toml."""
    assert {(pair.issue, pair.values) for pair in WITHOUT} == set()


# The witnesses.


@pytest.mark.parametrize("pair", WITNESSES, ids=str)
def test_the_witness_differs_when_only_that_option_changes(pair: Pair) -> None:
    sheet = cases(pair.collection)[pair.case]
    first, second = pair.rulebooks()
    changed = {issue for issue, value in first.settings().items() if value != second.settings()[issue]}
    assert changed == {pair.issue}
    assert {first.settings()[pair.issue], second.settings()[pair.issue]} == set(pair.values)
    assert what_happens(sheet, first) != what_happens(sheet, second)


@pytest.mark.parametrize("pair", WITNESSES, ids=str)
def test_the_settings_of_a_witness_are_of_other_issues_and_needed(pair: Pair) -> None:
    """They are there only where the option does nothing, or cannot be chosen, without them."""
    assert all(setting.partition("=")[0] in OPTIONS for setting in pair.settings)
    assert not any(setting.startswith(f"{pair.issue}=") for setting in pair.settings)
    if not pair.settings:
        return
    bare = Pair(pair.issue, pair.values, pair.case, pair.collection, pair.rules)
    try:
        first, second = bare.rulebooks()
    except RulebookError:
        return
    sheet = cases(pair.collection)[pair.case]
    assert what_happens(sheet, first) == what_happens(sheet, second)


@pytest.mark.parametrize("flavour", Flavour)
def test_no_generated_board_has_a_core_with_supports_and_no_convoy(flavour: Flavour) -> None:
    """What options.toml says of 5.B.9 on the standard map: `all-fail` never has anything to settle there."""
    chosen = random.Random(5)
    rulebooks = [load_rulebook(name).with_settings(["5.B.9=all-fail", "4.A.2.fallback=szykman"]) for name in SEARCHED]
    for _ in range(40):
        board, orders = random_board(chosen, flavour)
        for rulebook in rulebooks:
            rulings = judge(board, orders, rulebook=rulebook, engine=Engine.STAGED).adjudication.rulings
            assert "all-fail" not in {ruling.rule for ruling in rulings}


# Our own cases.


def _issue(sheet: Sheet) -> str:
    return sheet.identity.removeprefix("option.").partition("-")[0]


def _failed(checked: Iterable[CheckedCase]) -> list[str]:
    return [f"{case.rulebook.name}: {difference}" for case in checked for difference in case.differences]


@pytest.mark.parametrize("sheet", OWN, ids=lambda sheet: sheet.identity)
def test_our_own_cases(sheet: Sheet) -> None:
    assert not _failed([check(sheet, load_rulebook(sheet.rules), Engine.STAGED), *check_under(sheet, Engine.STAGED)])


@pytest.mark.parametrize("sheet", OWN, ids=lambda sheet: sheet.identity)
def test_our_own_cases_are_about_one_option_and_expect_something_of_every_order(sheet: Sheet) -> None:
    issue = _issue(sheet)
    assert issue in OPTIONS
    assert all(entry.expected for entry in sheet.orders)
    assert any(pair.case == sheet.identity and pair.issue == issue for pair in WITNESSES)
    assert any("DATC" in source for source in sheet.notes["source"])
    named = [setting.partition("=") for block in sheet.under for setting in block.settings]
    assert issue in {name for name, _, _ in named}
    assert all(value in OPTIONS[name].values for name, _, value in named)


@pytest.mark.parametrize("sheet", OWN, ids=lambda sheet: sheet.identity)
def test_our_own_cases_have_expectations_for_every_value_of_their_option(sheet: Sheet) -> None:
    """So that not only a difference is tried, but what either value is to do according to the text."""
    issue = _issue(sheet)
    rulebooks = [load_rulebook(name).with_settings(block.settings) for block in sheet.under for name in block.rulebooks]
    assert {rulebook.settings()[issue] for rulebook in (load_rulebook(sheet.rules), *rulebooks)} == set(OPTIONS[issue].values)


# What people read about the options.


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.issue)
def test_every_value_is_documented(option: Option) -> None:
    assert option.question.endswith("?")
    assert len(option.values) > 1
    assert all(value == value.lower() and meaning.strip() for value, meaning in option.values.items())
    assert len(set(option.values.values())) == len(option.values)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_chooses_on_every_issue_and_says_why(name: str) -> None:
    assert load_rulebook(name).settings().keys() == OPTIONS.keys()
    assert rulebook_sources(name).keys() == OPTIONS.keys()
