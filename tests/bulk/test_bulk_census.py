"""A census over arrays: compiled code counts what the plain code counts."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import msgspec
import pytest

from satjudge.bulk import bulk_census, census
from satjudge.bulk.boards import MIX, SIZES, random_board
from satjudge.bulk.census import Plan, chunk_size, tally_boards
from satjudge.bulk.tallies import Tally
from satjudge.world.geography import load_map


def test_a_board_by_itself_is_that_of_a_plan() -> None:
    random = Random("1:7")
    flavour, size = random.choice(MIX), random.choice(SIZES)
    assert (flavour, *random_board(random, flavour, size)) == Plan(seed=1).draw(7)


def encoded(tally: Tally) -> bytes:
    return msgspec.json.encode(tally, order="deterministic")


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [Plan(seed=5, compare_every=20), Plan(seed=6, dense_convoys=True, rules="datc-2", compare_every=0),
     Plan(seed=7, rules="2023", compare_every=0)],
    ids=["all rulebooks", "datc-2", "no answer to paradoxes"],
)  # fmt: skip
def test_many_boards_are_counted_as_they_are_one_by_one(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = range(100, 900)
    one_by_one = tally_boards(plan, boards)
    assert one_by_one.boards_with_cores
    monkeypatch.setattr(census, "MANY", 800)
    monkeypatch.setattr(bulk_census, "BLOCK", 300)
    assert encoded(tally_boards(plan, boards)) == encoded(one_by_one)
    counted = bulk_census.counter(plan)
    assert counted is not None
    assert len(counted.classes) > 20


@pytest.mark.slow
def test_a_core_against_which_a_claim_speaks_is_left_to_the_plain_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """No such core is known: a claim is broken on purpose."""
    plan = Plan(seed=8, compare_every=0)
    for module in (census, bulk_census):
        monkeypatch.setattr(module, "claims_on_core", lambda core: [("d", len(core.resolutions) != 2)])
    plain = tally_boards(plan, range(200))
    assert plain.claims["d"].violations
    bulk_census.counter.cache_clear()
    monkeypatch.setattr(census, "MANY", 200)
    assert encoded(tally_boards(plan, range(200))) == encoded(plain)
    bulk_census.counter.cache_clear()


def test_chunks_are_large_where_compiled_code_counts_many_boards() -> None:
    assert chunk_size(Plan(), 1_000, 2) == 125
    assert chunk_size(Plan(), 3_000, 1) == 250
    assert chunk_size(Plan(), 40_000, 2) == 5_000
    assert chunk_size(Plan(), 10_000_000, 2) == 20_000
    closed = replace(load_map(), railroads=(object(),))  # type: ignore[arg-type]
    assert chunk_size(Plan(map=closed), 10_000_000, 2) == 250
