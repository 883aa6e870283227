"""A census over arrays: compiled code counts what the plain code counts."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import msgspec
import pytest

from satjudge.apps.cli import run
from satjudge.base import processes
from satjudge.base.imports import MissingPackageError
from satjudge.bulk import bulk_census, census
from satjudge.bulk.census import Plan, chunk_size, tally_board, tally_boards
from satjudge.bulk.random_boards.boards import MIX, SIZES, random_board
from satjudge.bulk.tallies import Tally
from satjudge.bulk.wasm import sandbox
from satjudge.bulk.wasm.array_kernel import ArrayKernel
from satjudge.world.geography import load_map


def test_a_board_by_itself_is_that_of_a_plan() -> None:
    random = Random("1:7")
    flavour, size = random.choice(MIX), random.choice(SIZES)
    assert (flavour, *random_board(random, flavour, size)) == Plan(seed=1).draw(7)


def encoded(tally: Tally) -> bytes:
    return msgspec.json.encode(tally, order="deterministic")


def one_by_one(plan: Plan, boards: Iterable[int]) -> Tally:
    tally = Tally()
    for board in boards:
        tally.add(tally_board(plan, board))
    return tally


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [Plan(seed=5, compare_every=20), Plan(seed=6, dense_convoys=True, rules="datc-2", compare_every=0),
     Plan(seed=7, rules="2023", compare_every=0), Plan(seed=8, settings=("4.A.7=never",))],
    ids=["all rulebooks", "datc-2", "no answer to paradoxes", "equations that do not come compiled"],
)  # fmt: skip
def test_many_boards_are_counted_as_they_are_one_by_one(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = range(100, 900)
    expected = one_by_one(plan, boards)
    assert expected.boards_with_cores
    monkeypatch.setattr(bulk_census, "BLOCK", 300)
    assert encoded(tally_boards(plan, boards)) == encoded(expected)
    assert (len(bulk_census.make_counter(plan).classes) > 20) == (not plan.settings)


@pytest.mark.slow
def test_a_core_against_which_a_claim_speaks_is_left_to_the_plain_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """No such core is known: a claim is broken on purpose."""
    plan = Plan(seed=8, compare_every=0)
    for module in (census, bulk_census):
        monkeypatch.setattr(module, "test_core_claims", lambda core: [("d", len(core.resolutions) != 2)])
    plain = one_by_one(plan, range(200))
    assert plain.claims["d"].violations
    bulk_census.make_counter.cache_clear()
    assert encoded(tally_boards(plan, range(200))) == encoded(plain)
    bulk_census.make_counter.cache_clear()


def test_a_kernel_that_fails_is_told_and_the_boards_are_counted_all_the_same(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    plan = Plan(seed=9, compare_every=0)
    expected = one_by_one(plan, range(20))
    monkeypatch.setattr(processes, "_take_token", threading.Semaphore(1).acquire)
    bulk_census.make_counter.cache_clear()
    monkeypatch.setattr(ArrayKernel, "call", lambda *_: None)
    assert encoded(tally_boards(plan, range(20))) == encoded(expected)
    assert "the compiled kernel gives a wrong result" in caplog.text


def test_without_wasmtime_it_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    bulk_census.make_counter.cache_clear()
    monkeypatch.setattr(sandbox, "find_spec", lambda name: None)
    sandbox._load_library.cache_clear()
    with pytest.raises(MissingPackageError) as raised:
        tally_boards(Plan(), range(5))
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)  # a process tells another one of it
    assert run(["census", "--boards", "5", "--jobs", "1"]) == 2
    assert capsys.readouterr().err == (
        "satjudge: the compiled kernel needs the package wasmtime, which is not installed (pip install wasmtime)\n"
    )
    sandbox._load_library.cache_clear()


def test_chunks_are_large_where_compiled_code_counts_many_boards() -> None:
    assert chunk_size(Plan(), 1_000, 2) == 125
    assert chunk_size(Plan(), 3_000, 1) == 750
    assert chunk_size(Plan(), 40_000, 2) == 5_000
    assert chunk_size(Plan(), 10_000_000, 2) == 20_000
    closed = replace(load_map(), railroads=(object(),))  # type: ignore[arg-type]
    assert chunk_size(Plan(map=closed), 10_000_000, 2) == 250
