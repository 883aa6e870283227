"""The drop-in is judged by the compiled kernel from the first phase on."""

from __future__ import annotations

import pytest

from satjudge import judge, starting_board
from satjudge.bulk.wasm.loading import DIPLOMACY_RULEBOOK, load_tables
from satjudge.compat.diplomacy.engine.game import Game
from satjudge.compat.positions import choose_rulebook
from satjudge.judging import fast_path
from satjudge.judging.fast_path import KernelChoice
from satjudge.world.geography import load_map


def test_tables_for_its_rulebook_come_with_satjudge() -> None:
    rules = choose_rulebook(None)
    assert rules.name == DIPLOMACY_RULEBOOK
    found = load_tables(load_map(), rules)
    assert found
    assert found.header.rulebook == DIPLOMACY_RULEBOOK


def test_a_phase_that_the_kernel_judges_is_not_judged_at_length_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_path, "USE_SHIPPED_TABLES", True)
    monkeypatch.delitem(load_map().cache, KernelChoice, raising=False)
    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    monkeypatch.setattr("satjudge.judging.judge._judge_movement", lambda *_: pytest.fail("it was judged at length"))
    assert game.process().results["A PAR"] == []
    load_map().cache.pop(KernelChoice)


def test_what_the_kernel_told_is_found_by_any_spelling_of_a_power(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_path, "USE_SHIPPED_TABLES", True)
    monkeypatch.delitem(load_map().cache, KernelChoice, raising=False)
    outcome = judge(starting_board(), {"FRANCE": ["A PAR - BUR"]}, rulebook=choose_rulebook(None))
    monkeypatch.setattr("satjudge.judging.judge._judge_movement", lambda *_: pytest.fail("it was judged at length"))
    assert outcome.results["France"] == ["succeeds"]
    load_map().cache.pop(KernelChoice, None)
