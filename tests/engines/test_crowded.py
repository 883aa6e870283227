"""Every judge agrees on random boards where many fleets are to convoy: a sample; `benchmarks/studies/crowded.py` draws more."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "studies"))
import crowded

from satjudge.engines.connections.registry import ORACLES


@pytest.mark.slow
def test_oracles_come_to_the_same_outcomes_where_few_fleets_stand(capsys: pytest.CaptureFixture[str]) -> None:
    assert crowded.main(["--boards", "25", "--few-fleets"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["boards"] == 25
    asked = {name.removesuffix(", outcome") for name in told["judged"] if name.endswith(", outcome")}
    assert asked == ORACLES.keys() - {"diplomacy"}, "that one knows the standard map alone"
    assert told["judged"]["kruijswijk-variants, outcome"] >= 15, "it knows convoying coasts as well"


@pytest.mark.parametrize("index", range(3))
def test_an_oracle_agrees_and_a_difference_is_told(index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board, orders, _ = crowded.drawn(1, index, few=True)
    oracle = ORACLES["kruijswijk-variants"]
    true = oracle.load()(board, orders)
    assert crowded.differing(oracle, board, orders) == []
    monkeypatch.setattr("satjudge.oracles.kruijswijk_variants.judge", lambda *_: replace(true, units={}))
    told = crowded.differing(oracle, board, orders)
    assert len(told) == sum(map(len, true.units.values()))
    assert all(one.startswith("kruijswijk-variants, ") for one in told)
