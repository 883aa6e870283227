"""Each clause of the backup rules for trains and canals (DATC 2.4, 7), broken once: some case of chapter 7 must notice.

The mutations are those of `satjudge/engines/conformance/rule_faults.py`.
"""

from __future__ import annotations

import pytest
from test_mutations import killed_by

from satjudge.engines.conformance.rule_faults import BACKUP_OF_VARIANTS, SURVIVORS
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet


@pytest.fixture(scope="module")
def sheets() -> list[Sheet]:
    found = [*read_collection("datc-2.4"), *read_collection("promoted")]
    return [sheet for sheet in found if sheet.identity.startswith(("2.4/7.", "variant.7."))]


@pytest.mark.parametrize("name", BACKUP_OF_VARIANTS, ids=str)
def test_some_case_notices(name: str, sheets: list[Sheet]) -> None:
    killer = killed_by(sheets, name)
    assert (killer is None) == (name in SURVIVORS), f"{name}: killed by {killer}"


def test_unbroken_rules_pass(sheets: list[Sheet]) -> None:
    assert killed_by(sheets) is None
