"""The census: the same answer however it is run, nothing lost or counted twice, and violated claims told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from census_page import plot_census

from satjudge.apps.cli import run
from satjudge.base.errors import RequestError, UnresolvedError
from satjudge.base.values import replace
from satjudge.bulk import census, tallies
from satjudge.bulk.bulk_census import make_counter
from satjudge.bulk.census import (
    Census,
    Plan,
    census_document,
    judge_drawn_board,
    list_cases,
    make_census_count,
    run_census,
    tally_board,
    tally_boards,
    write_case,
)
from satjudge.bulk.chunked_runs import StateFile, iter_remaining_chunks
from satjudge.bulk.tallies import ONE_RESOLUTION, Example, Graph, ShapeTally, Tally, is_circular_movement
from satjudge.judging.check import check, load_sheet_rulebook
from satjudge.judging.equations.situation import Situation
from satjudge.judging.solve import Engine
from satjudge.judging.solve import adjudicate as really_adjudicate
from satjudge.judging.solve.bounds import BoundsResult, Values
from satjudge.judging.solve.result import Adjudication, Core
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.sheet_reader import read_sheets
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import load_rulebook

BOARDS = 300
PLAN = Plan(seed=1)
COMMAND = (sys.executable, "-c", "from satjudge.apps.cli import main; main()", "census")


def encoded(tally: Tally) -> bytes:
    return msgspec.json.encode(tally, order="deterministic")


@pytest.fixture(scope="module")
def uninterrupted() -> Tally:
    return run_census(PLAN, BOARDS)


# ---- what is counted ----

# What a census of seed 1 finds on 300 boards; it changes with what boards are drawn, never with how they are counted.
GOLDEN_NAMES = {
    "Pandin's extended paradox": (1, 1, 22, 175),
    "Pandin's paradox": (11, 11, 7, 121),
    "betrayal paradox": (48, 42, 5, 133),
    "circular movement of 2, 1 by convoy": (6, 6, 4, 98),
    "circular movement of 3": (21, 19, 5, 193),
    "circular movement of 3, 1 by convoy": (3, 3, 14, 119),
    "circular movement of 4": (11, 11, 4, 134),
    "circular movement of 5": (5, 5, 5, 76),
    "circular movement of 5, 1 by convoy": (1, 1, 18, 23),
    "circular movement of 6": (4, 4, 6, 154),
    "circular movement of 7, 1 by convoy": (1, 1, 10, 161),
    "simple paradox": (86, 71, 4, 184),
    "simple paradox, army dislodging": (7, 7, 6, 64),
}
GOLDEN_RESOLUTIONS = {
    "circles": {"0": 1, "1": 18, "2": 33, "4": 7},
    "convoys": {"0": 53, "1": 74, "2": 41, "4": 14},
    "dense": {"1": 30},
    "general": {"1": 28, "2": 1},
}
GOLDEN_CLAIMS = {"a": (52, 0), "b": (52, 0), "c": (4, 0), "d": (205, 0)}
GOLDEN_DIFFERING = {
    "1971,datc-3": 13,
    "1982,datc-3": 2,
    "2000,datc-3": 7,
    "2023,datc-3": 7,
    "2025ee,datc-3": 7,
    "datc-3,guide-1998": 4,
}


def test_the_golden_census(uninterrupted: Tally) -> None:
    """Names of cores with their number, the boards they are on and the smallest example (units, board)."""
    names = {
        name: (found.cores, found.boards, found.smallest.units, found.smallest.board)
        for name, found in uninterrupted.names.items()
    }
    assert names == GOLDEN_NAMES
    assert uninterrupted.resolutions == GOLDEN_RESOLUTIONS
    assert {claim: (found.tested, found.violations) for claim, found in uninterrupted.claims.items()} == GOLDEN_CLAIMS
    assert {pair: found.boards for pair, found in uninterrupted.differing.items() if "datc-3" in pair} == GOLDEN_DIFFERING
    assert (uninterrupted.boards, uninterrupted.compared, uninterrupted.unresolved) == (BOARDS, BOARDS // 10, 0)


def test_the_counts_fit_together(uninterrupted: Tally) -> None:
    cores = sum(found.cores for found in uninterrupted.names.values())
    assert sum(found.cores for found in uninterrupted.shapes.values()) == cores
    assert uninterrupted.claims["d"].tested == cores
    assert sum(sum(counts.values()) for counts in uninterrupted.resolutions.values()) == BOARDS
    assert uninterrupted.ambiguous_shapes == []
    assert uninterrupted.holds
    for shape in uninterrupted.shapes.values():
        assert sum(shape.names.values()) == shape.cores


def test_the_smallest_example_is_the_smallest(uninterrupted: Tally) -> None:
    shape, found = max(uninterrupted.shapes.items(), key=lambda item: item[1].cores)
    with_it = [
        Example(len(PLAN.draw(index)[1].units), index)
        for index in range(BOARDS)
        if shape in tally_boards(replace(PLAN, compare_every=0), [index]).shapes
    ]
    assert len(with_it) > 10
    assert found.smallest == min(with_it)


def test_a_board_depends_on_the_seed_and_its_number_only() -> None:
    assert PLAN.draw(7) == Plan(seed=1, compare_every=1).draw(7)
    assert PLAN.draw(7) != PLAN.draw(8)
    assert PLAN.draw(7) != Plan(seed=2).draw(7)


def test_the_plan_is_obeyed() -> None:
    plan = Plan(seed=3, units=(5, 6), powers=2, dense_convoys=True, compare_every=0)
    for index in range(20):
        flavour, board, _ = plan.draw(index)
        assert flavour == "convoys"
        assert 5 <= len(board.units) <= 6
        assert len({unit.power for unit in board.units}) <= 2
    assert tally_boards(plan, range(5)).compared == 0


def test_a_rulebook_without_an_answer_is_told_and_its_cores_are_counted_all_the_same() -> None:
    sheet = find_bundled_case("6.F.14")
    silent = load_rulebook().with_settings(["4.A.2=none"])
    _, adjudication, resolved = judge_drawn_board(sheet.board, sheet.orders_by_power(), silent)  # type: ignore[arg-type]
    assert not resolved
    assert adjudication is not None
    assert [len(core.resolutions) for core in adjudication.cores] == [2]
    plan = Plan(dense_convoys=True, settings=("4.A.2=none",), compare_every=2)
    tally, usual = tally_boards(plan, range(20)), tally_boards(Plan(dense_convoys=True, compare_every=2), range(20))
    assert 0 < tally.unresolved <= tally.boards_with_cores
    assert {name: found.cores for name, found in tally.names.items()} == {
        name: found.cores for name, found in usual.names.items()
    }
    assert tally.differing == usual.differing


def test_a_core_that_cannot_be_exhausted_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(situation: Situation, engine: Engine) -> Adjudication:
        raise UnresolvedError("not exhausted")

    monkeypatch.setattr(census, "adjudicate", endless)
    tally = tally_board(replace(PLAN, compare_every=1), 0)
    assert tally.unresolved == 1
    assert list(*tally.resolutions.values()) == ["not exhausted"]
    assert tally.compared == len({*tally.unresolved_by.values()}) == 1
    assert tally.differing == {}  # no rulebook has an answer


def test_a_name_of_two_shapes_is_told() -> None:
    def tally(*edges: tuple[int, int, str]) -> Tally:
        graph = Graph(("move", "move"), edges)
        return Tally(shapes={"2M": ShapeTally("circular movement", {"ring": 1}, 1, Example(4, len(edges)), graph)})

    same = tally((0, 1, "+"), (1, 0, "-"))
    same.add(tally((0, 1, "-"), (1, 0, "+")))
    assert same.ambiguous_shapes == []
    same.add(tally((0, 1, "+")))
    assert same.ambiguous_shapes == ["2M"]
    assert same.shapes["2M"].cores == 3
    assert same.shapes["2M"].smallest == Example(4, 1)


def test_adding_up_leaves_what_is_added_alone() -> None:
    one = tally_boards(PLAN, range(20))
    before = encoded(one)
    twice = Tally()
    twice.add(one)
    twice.add(one)
    assert twice.boards == 40
    assert encoded(one) == before


# ---- the same answer ----


@pytest.mark.parametrize(("jobs", "chunk"), [(2, 40), (1, 7)])
def test_workers_and_chunks_make_no_difference(jobs: int, chunk: int, uninterrupted: Tally) -> None:
    assert encoded(run_census(PLAN, BOARDS, jobs=jobs, chunk=chunk)) == encoded(uninterrupted)


def test_a_tally_survives_json(uninterrupted: Tally) -> None:
    assert msgspec.json.decode(encoded(uninterrupted), type=Tally) == uninterrupted


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        ([], [(0, 4), (4, 8), (8, 10)]),
        ([(4, 8)], [(0, 4), (8, 10)]),
        ([(8, 10), (1, 3)], [(0, 1), (3, 7), (7, 8)]),
        ([(0, 10)], []),
    ],
)
def test_what_is_left_over(done: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    assert list(iter_remaining_chunks(10, done, 4)) == expected


# ---- the state file ----


@pytest.mark.usefixtures("interruptible")
@pytest.mark.slow
def test_an_interrupted_census_goes_on_without_losing_or_counting_twice(tmp_path: Path, uninterrupted: Tally) -> None:
    """SIGINT to the command and its workers, as a terminal sends it; then a torn line, then the rest. They compile first."""
    state = tmp_path / "state.jsonl"
    arguments = ("--boards", str(BOARDS), "--jobs", "2", "--state", str(state))
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 150
    while time.monotonic() < deadline and process.poll() is None:
        if state.exists() and state.read_bytes().count(b"\n") > 1:
            os.killpg(process.pid, signal.SIGINT)
            break
        time.sleep(0.005)
    _, told = process.communicate(timeout=150)
    assert process.returncode == 130, told
    assert "Traceback" not in told
    kept = state.read_bytes().splitlines(keepends=True)
    assert 2 <= len(kept) < 10
    state.write_bytes(b"".join(kept) + kept[1][: len(kept[1]) // 2])
    started: list[tuple[int, int]] = []
    tally = run_census(PLAN, BOARDS, chunk=50, state_path=state, on_start=lambda *numbers: started.append(numbers))
    chunks = [json.loads(line)["chunk"] for line in kept[1:]]
    assert started == [(sum(end - begin for begin, end in chunks), 1)]
    assert encoded(tally) == encoded(uninterrupted)
    assert state.read_bytes().startswith(b"".join(kept))
    again: list[int] = []
    assert encoded(run_census(PLAN, BOARDS, state_path=state, on_progress=again.append)) == encoded(uninterrupted)
    assert again == []


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state of a census of 40 boards in chunks of 10."""
    path = tmp_path / "state.jsonl"
    run_census(PLAN, 40, chunk=10, state_path=path)
    return path


def test_damaged_and_repeated_lines_do_not_count(state: Path) -> None:
    expected = encoded(run_census(PLAN, 40))
    head, first, second, third, fourth = state.read_bytes().splitlines(keepends=True)
    lied = second.replace(b'"boards":10', b'"boards":11', 1)
    assert lied != second
    state.write_bytes(head + first + first + lied + b"nonsense\n" + fourth + third)
    started: list[tuple[int, int]] = []
    tally = run_census(PLAN, 40, state_path=state, on_start=lambda *numbers: started.append(numbers))
    assert started == [(30, 2)]
    assert encoded(tally) == expected


def test_a_census_can_be_extended(state: Path, uninterrupted: Tally) -> None:
    assert encoded(run_census(PLAN, BOARDS, chunk=33, state_path=state)) == encoded(uninterrupted)


@pytest.mark.parametrize("torn", [0, 1, 30])
def test_a_torn_first_line_is_written_anew(torn: int, state: Path) -> None:
    expected = state.read_bytes()
    state.write_bytes(expected[:torn])
    run_census(PLAN, 40, chunk=10, state_path=state)
    assert state.read_bytes() == expected


@pytest.mark.parametrize(
    ("plan", "boards", "message"),
    [
        (Plan(seed=2), 40, "state of another census: seed differ"),
        (Plan(seed=1, powers=3, settings=("4.A.2=all-hold",)), 40, "powers, rules, settings differ"),
        (PLAN, 39, "more than 39 boards"),
    ],
)
def test_a_state_of_something_else_is_refused_and_left_alone(plan: Plan, boards: int, message: str, state: Path) -> None:
    before = state.read_bytes()
    with pytest.raises(RequestError, match=message):
        run_census(plan, boards, state_path=state)
    assert state.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"precious notes\n", b"[1, 2]\n", b'{"census": 4}\n', b"France:\n  A PAR H\n", b'{"caf\xe9": 1}\n', b"[" * 9000 + b"\n"],
)
def test_any_other_file_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(RequestError, match="not a state file"):
        run_census(PLAN, 1, state_path=path)
    assert path.read_bytes() == content


def test_a_finished_chunk_that_is_no_text_any_more_is_counted_again(state: Path) -> None:
    head, first, *others = state.read_bytes().splitlines(keepends=True)
    state.write_bytes(b"".join([head, first.replace(b'"sha256":"', b'"sha256":"\xe9', 1), *others]))
    assert run_census(PLAN, 40, state_path=state).boards == 40


def test_one_census_at_a_time(state: Path) -> None:
    told = f"another census is using this file: process {os.getpid()} on "
    with StateFile(state, make_census_count(PLAN)), pytest.raises(RequestError, match=told):
        run_census(PLAN, 40, state_path=state)
    assert run_census(PLAN, 40, state_path=state).boards == 40
    assert os.listdir(state.parent) == [state.name]


# ---- the claims ----


def circle() -> Core:
    """6.C.1: three armies in a ring."""
    sheet = find_bundled_case("6.C.1")
    _, adjudication, _ = judge_drawn_board(sheet.board, sheet.orders_by_power(), load_rulebook())  # type: ignore[arg-type]
    assert adjudication is not None
    return adjudication.cores[0]


def test_what_a_circular_movement_is() -> None:
    core = circle()
    assert is_circular_movement(core)
    assert not is_circular_movement(replace(core, resolutions=((True,) * 3,)))
    assert not is_circular_movement(replace(core, resolutions=((True,) * 3, (False,) * 3, (True, False, False))))
    assert not is_circular_movement(replace(core, resolutions=((True, True, False), (False, False, True))))
    two = ((True, True), (False, False))
    assert not is_circular_movement(replace(core, decisions=core.decisions[:2], resolutions=two))


def lie_about_cores(monkeypatch: pytest.MonkeyPatch, resolutions: Sequence[tuple[bool, ...]]) -> None:
    """Let every core without convoys have these resolutions."""

    def adjudicate(situation: Situation, engine: Engine) -> Adjudication:
        found = really_adjudicate(situation, engine)
        cores = [replace(core, resolutions=tuple(resolutions)) if is_circular_movement(core) else core for core in found.cores]
        return replace(found, cores=tuple(cores))

    monkeypatch.setattr(census, "adjudicate", adjudicate)
    make_counter.cache_clear()


@pytest.mark.parametrize(
    ("claim", "resolutions"),
    [("a", [(True,) * 3, (True, False, False)]), ("b", []), ("d", [(True,) * 3])],
)
def test_a_violation_is_reported_and_its_board_kept(
    claim: str, resolutions: list[tuple[bool, ...]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    lie_about_cores(monkeypatch, resolutions)
    monkeypatch.setattr(census, "classify_cores", lambda adjudication: [])  # which expects a value for every decision
    boards = 60
    tally = tally_boards(PLAN, range(boards))
    violated = {name for name, found in tally.claims.items() if found.violations}
    assert violated == ({"c", "d"} if claim == "d" else {claim})  # one resolution is one of the dependency around it as well
    found = tally.claims[claim]
    assert len(found.counterexamples) == found.violations
    smallest = found.counterexamples[0]
    orders = [str(order) for given in PLAN.draw(smallest.board)[2].values() for order in given]
    assert set(smallest.what.split("; ")) <= set(orders)
    assert smallest.units == min(one.units for one in found.counterexamples)
    assert run(["census", "--boards", str(boards), "--jobs", "1", "--save", str(tmp_path)]) == 1
    assert f"board {smallest.board}" in capsys.readouterr().out
    monkeypatch.undo()
    make_counter.cache_clear()
    assert run(["check", str(tmp_path / f"claim-{claim}-1.txt")]) == 0


def test_a_dependency_that_bounds_cannot_open_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def know_nothing(situation: Situation, values: Values) -> BoundsResult:
        return BoundsResult([], [decision for decision in situation.decisions if values[decision.index] is None])

    plan = replace(PLAN, compare_every=1)  # where rulebooks are compared, dependencies are looked at
    honest = tally_boards(plan, range(30))
    monkeypatch.setattr(tallies, "settle", know_nothing)
    tally = tally_boards(plan, range(30))
    claim = tally.claims["c"]
    assert claim.tested == claim.violations == honest.claims["c"].tested > 0
    assert tally.dependencies[ONE_RESOLUTION[2]] == honest.dependencies[ONE_RESOLUTION[0]]
    assert not tally.holds
    (name, case), *_ = [one for one in list_cases(census_document(plan, tally)) if one[0].startswith("claim")]
    assert name == "claim-c-1"
    assert "against: a cyclic dependency with one resolution" in case


# ---- the command ----


@pytest.mark.slow
def test_the_command_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str], uninterrupted: Tally) -> None:
    """A table from one run, JSON from another that finds all done; plots; and cases that `check` runs."""
    common = ["census", "--boards", str(BOARDS), "--seed", "1", "--jobs", "2", "--state", str(tmp_path / "state.jsonl")]
    plot = tmp_path / "census.svg"
    assert run([*common, "--save", str(tmp_path / "cases")]) == 0
    table = capsys.readouterr().out
    assert "300 boards of seed 1, judged by datc-3" in table
    assert "every 10th board, 30 in all" in table
    for name in uninterrupted.names:
        assert name in table
    assert run([*common, "--json"]) == 0
    shown = capsys.readouterr()
    assert "300 of 300 boards are already counted" in shown.err
    document: dict[str, Any] = json.loads(shown.out)
    assert (document["seed"], document["boards"], document["rulebook"]["name"]) == (1, BOARDS, "datc-3")
    for shape, found in document["shapes"].items():
        text = (tmp_path / "cases" / f"{shape}.txt").read_text(encoding="utf-8")
        assert found["case"] == text
        (sheet,) = read_sheets(text)
        assert len(sheet.board.units) == found["smallest"]["units"]
    assert len(document["shapes"]) == len(list((tmp_path / "cases").iterdir()))
    assert run(["check", *map(str, (tmp_path / "cases").iterdir())]) == 0
    assert f"{len(document['shapes'])}/{len(document['shapes'])} passed" in capsys.readouterr().out
    plot_census(msgspec.json.decode(shown.out, type=Census), plot)
    assert plot.read_text(encoding="utf-8").startswith("<?xml")


def test_saved_cases_under_other_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdicts of the rulebook stand in an `under` block; where it has no answer, `unresolved` does."""
    options = ["--boards", "30", "--jobs", "1", "--dense-convoys", "--units", "4-8", "--power-count", "3"]
    chosen = (["--set", "4.A.2=all-hold"], ["--rules", "2000"], ["--rules", "1971", "--set", "4.A.5=barred"])
    for number, setting in enumerate(chosen):
        cases = tmp_path / str(number)
        status = run(["census", *options, *setting, "--save", str(cases), "--compare-every", "0"])
        told = capsys.readouterr()
        assert status == 0, told.err
        assert "Where rulebooks" not in told.out
        assert run(["check", *map(str, cases.iterdir())]) == 0
        capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--units", "9..4"], "'9..4' is not a range of units; write one such as 4..14"),
        (["--units", "many"], "'many' is not a range"),
        (["--boards", "0"], "--boards"),
        (["--power-count", "8"], "--power-count"),
        (["--rules", "1972"], "no rulebook '1972'"),
        (["--state", "/nowhere/state.jsonl"], "cannot keep the state"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["census", "--boards", "5", "--jobs", "1", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_census_without_any_core_has_a_plot_too(tmp_path: Path) -> None:
    plot = tmp_path / "census.svg"
    plan = Plan(units=(1, 1))
    plot_census(census_document(plan, tally_boards(plan, range(2))), plot)
    assert plot.stat().st_size


def test_json_does_not_show_in_which_order_chunks_were_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.jsonl"
    arguments = ["census", "--boards", "120", "--seed", "3", "--compare-every", "0", "--state", str(state), "--json"]
    assert run(arguments) == 0
    at_once = capsys.readouterr().out
    lines = state.read_text(encoding="utf-8").splitlines()
    head, chunks = lines[:1], lines[1:]
    assert len(chunks) > 3
    state.write_text("\n".join([*head, *reversed(chunks)]) + "\n", encoding="utf-8")
    assert run(arguments) == 0
    assert capsys.readouterr().out == at_once


def test_a_case_under_other_settings_states_its_orders_once() -> None:
    """`satjudge crosscheck --set` wrote every sheet twice."""
    sheet = find_bundled_case("6.F.14")
    given = sheet.orders_by_power().items()
    orders = {power: [order for order in of if isinstance(order, MovementOrder)] for power, of in given}

    def written(setting: str) -> str:
        return write_case(sheet.board, orders, "datc-3", (setting,), identity="x", title="a paradox", notes={})

    (again,) = read_sheets(written("4.A.2=all-hold"))
    assert again.rules == "datc-3 with 4.A.2=all-hold"
    assert not again.under
    assert check(again, load_sheet_rulebook(again)).passed
    assert "under datc-3 with 4.A.2=none:" in written("4.A.2=none")


def test_one_board_is_no_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["census", "--boards", "1", "--seed", "1"]) == 0
    assert "1 board of seed 1, judged by datc-3" in capsys.readouterr().out
