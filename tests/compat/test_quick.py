"""The drop-in is judged by the compiled kernel from the first phase on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from satjudge import judge, starting_board
from satjudge.bulk.wasm.ready import OF_THE_PACKAGE, ready
from satjudge.compat.diplomacy.engine.game import Game
from satjudge.compat.positions import rules_of
from satjudge.judging import at_once
from satjudge.judging.at_once import Choice
from satjudge.world.geography import load_map


@pytest.fixture
def _judged_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """From the first phase on, and never at length."""
    monkeypatch.setattr(at_once, "FROM_THE_FIRST", True)
    monkeypatch.delitem(load_map().cache, Choice, raising=False)
    monkeypatch.setattr("satjudge.judging.judge._judge_movement", lambda *_: pytest.fail("it was judged at length"))
    yield
    load_map().cache.pop(Choice, None)


def test_tables_for_its_rulebook_come_with_satjudge() -> None:
    rules = rules_of(None)
    assert rules.name == OF_THE_PACKAGE
    found = ready(load_map(), rules)
    assert found
    assert found.tables.header.rulebook == OF_THE_PACKAGE


@pytest.mark.usefixtures("_judged_by_the_kernel")
def test_a_phase_that_the_kernel_judges_is_not_judged_at_length_too() -> None:
    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    assert game.process().results["A PAR"] == []


@pytest.mark.usefixtures("_judged_by_the_kernel")
def test_what_the_kernel_told_is_found_by_any_spelling_of_a_power() -> None:
    outcome = judge(starting_board(), {"FRANCE": ["A PAR - BUR"]}, rulebook=rules_of(None))
    assert outcome.results["France"] == ["succeeds"]
