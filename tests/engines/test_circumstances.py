"""Faults and circumstances, each on a board where it changes the answer, and on one like it where it does not."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from satjudge.engines.conformance.hypotheses import Hypothesis
from satjudge.engines.positions import AskedPosition, parse_position

CASES = tomllib.loads(Path(__file__).with_name("circumstances.toml").read_text(encoding="utf-8"))["case"]


def read_position(told: Mapping[str, Any]) -> AskedPosition:
    """Read a batch line, or the orders of a movement phase whose units stand where their first orders say."""
    if "units" not in told:
        units = {power: list(dict.fromkeys(" ".join(one.split()[:2]) for one in orders)) for power, orders in told.items()}
        told = {"units": units, "orders": told}
    return parse_position(json.dumps(told).encode())


@pytest.mark.parametrize("case", CASES, ids=[case["fault"] for case in CASES])
def test_a_fault_shows_on_one_board_and_not_on_another(case: Mapping[str, Any]) -> None:
    positions = [read_position(case[name]) for name in ("differs", "same")]
    usual, said = (Hypothesis("datc-3", (), faults).list_answers(positions) for faults in ((), (case["fault"],)))
    assert None not in said
    assert [one != other for one, other in zip(usual, said, strict=True)] == [True, False]
