"""The drop-in is judged by the compiled kernel from the first phase on."""

from __future__ import annotations

import pytest

from satjudge.bulk.wasm import sandbox
from satjudge.bulk.wasm.ready import OF_THE_PACKAGE, ready
from satjudge.compat.diplomacy.engine.game import rules_of
from satjudge.world.geography import load_map


@pytest.mark.skipif(not sandbox.is_installed(), reason="wasmtime is not installed (extra `fast`)")
def test_tables_for_its_rulebook_come_with_satjudge() -> None:
    rules = rules_of(None)
    assert rules.name == OF_THE_PACKAGE
    found = ready(load_map(), rules)
    assert found
    assert found.tables.header.rulebook == OF_THE_PACKAGE
