"""The compiled path answers as the plain one does, byte for byte, and leaves to it what it does not know."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_batch import COMMAND, EXAMPLE, EXAMPLE_ANSWER, REQUESTS, stream

from release.kernel.equation_rows import translate_equations
from satjudge.bulk.batch import CHUNK, Answering, Settings, answer_line, judge_many
from satjudge.bulk.kernel import memory
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.bulk.wasm import loading
from satjudge.files.batch_lines import LONGEST_NAME
from satjudge.judging.equations import compiler
from satjudge.judging.equations.generator import TranslationError
from satjudge.judging.fast_path import MOST_LOADED
from satjudge.judging.legality import list_routes
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import read_collection
from satjudge.world.board import Phase, by_power
from satjudge.world.geography import load_map
from satjudge.world.rules import Rulebook, load_preset, load_rulebook, preset_names
from satjudge.world.rules.rulebook import ImplicitOrders

Row = dict[str, Any]


@pytest.fixture(scope="module")
def answering() -> Answering:
    """The kernel from the first line on."""
    return Answering(plain_first=0)


def boards(flavour: Flavour, number: int, illegal: float, units: tuple[int, int] = (4, 34)) -> list[Row]:
    rows = []
    for index in range(number):
        board, orders = random_board(Random(f"bulk {index}"), flavour, units, illegal=illegal)
        texts = {power: [str(order) for order in given] for power, given in orders.items()}
        rows.append({"id": index, "units": by_power(board.units), "orders": texts})
    return rows


def same_answers(rows: list[Row], answering: Answering) -> None:
    lines = [json.dumps(row).encode() for row in rows]
    plain = [answer_line(line, answering.settings) for line in lines]
    for line, ours, expected in zip(lines, answering.lines(lines), plain, strict=True):
        assert ours == expected, line.decode()
    for line, answer, expected in zip(lines, answering.rows(rows), plain, strict=True):
        assert msgspec.json.encode(answer) == expected, line.decode()


# The same answers.


@pytest.mark.parametrize("flavour", list(Flavour))
@pytest.mark.parametrize("illegal", [0, 0.3])
def test_random_boards(flavour: Flavour, illegal: float, answering: Answering) -> None:
    same_answers(boards(flavour, 60, illegal), answering)


def test_every_movement_case_that_comes_with_satjudge(answering: Answering) -> None:
    sheets = [sheet for sheet in read_collection() if sheet.phase is Phase.MOVEMENT]
    rows = [
        {
            "id": sheet.identity,
            "units": by_power(sheet.board.units),
            "orders": {power: list(map(str, given)) for power, given in sheet.orders_by_power().items()},
        }
        for sheet in sheets
    ]
    assert len(rows) > 140
    same_answers(rows, answering)


@settings(max_examples=40)
@given(rows=st.lists(REQUESTS, min_size=6, max_size=9))
def test_requests_of_any_kind(answering: Answering, rows: list[Row]) -> None:
    same_answers(rows, answering)


ODD: dict[str, Row] = {
    "two spellings of one power": {"units": {"FRANCE": ["A PAR"], "french": ["A MAR"]}, "orders": {}},
    "another spelling in the orders": {"units": {"FRANCE": ["A PAR"]}, "orders": {"France": ["A PAR - BUR"]}},
    "a spelling of its own": {"units": {"French": ["A PAR"]}, "orders": {"French": ["A PAR - BUR"]}},
    "two units in a province": {"units": {"FRANCE": ["F SPA/NC"], "ITALY": ["A SPA"]}, "orders": {}},
    "an army at sea": {"units": {"FRANCE": ["A ENG"]}, "orders": {}},
    "an unreadable unit": {"units": {"FRANCE": ["A XYZ"]}, "orders": {}},
    "an unreadable order": {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - XYZ"]}},
    "an order of another phase": {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR D", "A PAR R BUR", "WAIVE"]}},
    "a foreign unit": {"units": {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, "orders": {"FRANCE": ["A ROM - NAP"]}},
    "several orders": {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - LON", "A PAR - BUR", "A PAR H"]}},
    "no orders": {"units": {"FRANCE": ["A PAR"], "ITALY": []}, "orders": {"FRANCE": [], "ITALY": []}},
    "no units": {"units": {}, "orders": {"FRANCE": ["A PAR H"]}},
    "a power with a blank name": {"units": {" ": ["A PAR"]}, "orders": {}},
    "a power with a long name": {"units": {"x" * (LONGEST_NAME + 1): ["A PAR"]}, "orders": {}},
    "a power of its own": {"units": {"LEPANTO": ["A PAR"]}, "orders": {"LEPANTO": ["A PAR - BUR"]}},
    "a support of itself": {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR S A PAR - BUR", "A PAR S A PAR"]}},
    "a support of nobody at sea": {"units": {"FRANCE": ["F BRE"]}, "orders": {"FRANCE": ["F BRE S ENG", "F BRE C ENG - WAL"]}},
    "a retreat phase": {"phase": "retreat", "units": {}, "dislodged": {"FRANCE": {"A PAR": ["BUR"]}}, "orders": {}},
    "an adjustment phase": {"phase": "adjustment", "units": {"FRANCE": ["A PAR"]}, "centers": {}, "orders": {}},
    "another rulebook": {"rules": "1971", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}},
    "the rulebook by its name": {"rules": "datc-3", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}},
    "a rulebook that there is not": {"rules": "none", "units": {"FRANCE": ["A PAR"]}, "orders": {}},
    "a paradox": EXAMPLE,
    "a destroyed unit": {
        "units": {"FRANCE": ["F BUL/EC"], "TURKEY": ["A CON", "F BLA", "A RUM", "A SER", "A GRE"]},
        "orders": {"TURKEY": ["A CON - BUL", "A SER S A CON - BUL", "A RUM H", "F BLA H"], "FRANCE": ["F BUL/EC - CON"]},
    },
}


def test_odd_requests_among_others(answering: Answering) -> None:
    rows = [{"id": name, **row} for name, row in ODD.items()]
    same_answers(rows + boards(Flavour.GENERAL, 3, 0) + rows[::-1], answering)
    same_answers([{"id": 0}], answering)


@pytest.mark.parametrize(
    "chosen",
    [
        Settings(settings=("4.A.2=all-hold",)),
        Settings(engine=Engine.FULL),  # it is asked for the engine's sake, so it answers
        pytest.param(Settings(settings=("4.A.7=never",)), marks=pytest.mark.slow),  # equations of their own are compiled
        pytest.param(Settings(rules="1971"), marks=pytest.mark.slow),
    ],
    ids=["all-hold", "full", "never", "1971"],
)
def test_other_settings_make_no_difference(chosen: Settings) -> None:
    same_answers([EXAMPLE] * 6, Answering(chosen, plain_first=0))


# The path is taken, where it should be.


@pytest.mark.parametrize("flavour", [Flavour.DENSE, Flavour.CONVOYS, Flavour.CIRCLES])
def test_hardly_a_board_is_left_to_the_plain_path(flavour: Flavour) -> None:
    found = loading.load_line_answerer(None, load_rulebook())
    assert found is not None
    possible, any_orders = ([json.dumps(row).encode() for row in boards(flavour, 60, illegal)] for illegal in (0, 0.05))
    assert sum(found.answer(line) is None for line in possible) <= 3
    found.learn_lines(any_orders)
    answers = [found.answer(line) for line in any_orders]
    assert sum(answer is None for answer in answers) <= 3
    with_rulings = [answer for answer in answers if answer and b'"rulings":[]' not in answer]
    assert flavour is Flavour.DENSE or len(with_rulings) > 20


def test_without_wasmtime_lines_are_answered_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.bulk.wasm.sandbox.is_installed", lambda: False)
    assert loading.load_line_answerer(None, load_rulebook()) is None
    same_answers(boards(Flavour.GENERAL, 6, 0.1), Answering(plain_first=0))


# When the kernel is loaded, and how often.


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rulebooks for which the kernel was loaded; here it leaves all to the plain path."""
    loaded: list[str] = []

    def load(_: object, rulebook: Rulebook, *, make_tables: bool) -> object:
        loaded.append(rulebook.name)
        return SimpleNamespace(answer=lambda line: None)

    monkeypatch.setattr(loading, "load_line_answerer", load)
    return loaded


def test_many_rulebooks_in_turn_are_loaded_once_each_at_most(loaded: list[str]) -> None:
    chosen = [*preset_names(), *(f"{name} with 4.A.2=all-hold" for name in preset_names())]
    answering = Answering(plain_first=0)
    for _ in range(3):
        for rules in chosen:
            list(answering.rows([EXAMPLE | {"rules": rules}] * 4))
    assert len(loaded) == MOST_LOADED


def test_few_requests_of_a_rulebook_are_not_worth_loading(loaded: list[str]) -> None:
    answering = Answering(plain_first=4)
    list(answering.rows([EXAMPLE] * 4))
    list(answering.rows([EXAMPLE | {"rules": "1971"}] * 4))
    assert not loaded
    list(answering.rows([EXAMPLE]))
    assert loaded == ["datc-3"]
    list(answering.lines([stream(EXAMPLE | {"rules": "1971"})] * 4))
    assert loaded == ["datc-3", "1971"]


def test_an_id_of_any_kind_comes_back_from_the_kernel(answering: Answering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.bulk.batch.answer", None)  # by which Python would judge
    ids = [None, 1, -2, 1.5, "", "é", [1, {"a": None}], {"x": (1,)}, 1 << 40, object, float("nan")]
    rows = [request | {"id": identity} for identity in ids for request in (EXAMPLE, ODD["an adjustment phase"])]
    assert [answer["id"] for answer in answering.rows(rows)][::2] == ids
    assert [*answering.lines([stream(EXAMPLE | {"id": None})])]


def test_the_plain_path_needs_none_of_it() -> None:
    code = (
        "import sys; from satjudge.bulk.batch import judge_many\n"
        "row = {'units': {'FRANCE': ['A PAR']}, 'orders': {'FRANCE': ['A PAR - BUR']}}\n"
        "print(*(answer['results'] for answer in judge_many([row] * 5)))\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('wasmtime', 'numpy')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# The equations are those of the statement.


@pytest.mark.parametrize(
    "source",
    [
        "def move(v, o, m):\n    return m.strange",
        "def move(v, o, m):\n    return len(m.supports) > 1",
        "def move(v, o, m):\n    for x in m.strange:\n        return True\n    return False",
        "def move(v, o, m):\n    return move(v, o, (m,))",
        "def move(v, o, m):\n    for x in y.z(m):\n        return True\n    return False",
    ],
)
def test_what_has_no_translation_is_refused(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "generate_source", lambda rulebook: source)
    with pytest.raises(TranslationError):
        translate_equations(load_preset("datc-3"))


def test_a_rulebook_that_the_matrix_cannot_say_is_refused() -> None:
    rulebook = load_rulebook().with_settings([f"4.E.3={ImplicitOrders.ALLOWED}"])
    with pytest.raises(TranslationError):
        translate_equations(rulebook)


def test_rows_of_the_matrix_are_numbered_once_each() -> None:
    source = Path(memory.__file__).read_text(encoding="utf-8")
    listed = re.findall(
        r"^([A-Z_, ]+) = range\(", source[source.index("# Rows of places") : source.index("# Columns")], re.MULTILINE
    )
    rows = [getattr(memory, name) for names in listed for name in names.split(", ")]
    assert sorted(rows) == list(range(memory.ROWS))


def test_a_proper_route_needs_only_its_own_fleets() -> None:
    """So the routes over some fleets are those over all seas that keep to these fleets: what the tables rely on."""
    game_map = load_map()
    seas = sorted(game_map.seas)
    random = Random(1)
    for _ in range(300):
        fleets = frozenset(random.sample(seas, random.randint(1, len(seas))))
        origin, destination = random.choice(sorted(game_map.shores)), random.choice(sorted(game_map.shores))
        everywhere = list_routes(game_map, origin, destination, game_map.seas)
        assert list_routes(game_map, origin, destination, fleets) == tuple(
            route for route in everywhere if fleets.issuperset(route)
        )


# Many, in order, with bounded memory.


def test_judge_many_with_processes_keeps_the_order() -> None:
    rows = [*boards(Flavour.GENERAL, 5, 0), {"id": "bad", "units": 1}, EXAMPLE] * 100
    found = list(judge_many(rows, jobs=2))
    assert found == list(judge_many(rows))
    assert len(found) == 700


def test_judge_many_reads_only_a_little_ahead() -> None:
    taken = 0

    def endless() -> Iterator[Row]:
        nonlocal taken
        while True:
            taken += 1
            yield EXAMPLE

    assert list(islice(judge_many(endless()), 3)) == [EXAMPLE_ANSWER] * 3
    assert taken == 3
    answers = judge_many(endless(), jobs=2)
    assert next(answers) == EXAMPLE_ANSWER
    answers.close()  # type: ignore[attr-defined]
    assert taken <= 6 * CHUNK


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """`satjudge batch` in a process of its own, killed if it takes a minute."""
    process = subprocess.Popen([*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        with process:
            yield process
    finally:
        watchdog.cancel()
        process.kill()


@pytest.mark.slow
def test_jobs_give_the_same_bytes_and_status(tmp_path: Path) -> None:
    rows = [*boards(Flavour.GENERAL, 40, 0.1), EXAMPLE, {"id": 3}]
    data = b"\xef\xbb\xbf" + b"".join(map(stream, rows)) * 20 + b"x" * 3_000_000 + b"\n\n" + stream(EXAMPLE).rstrip()
    file = tmp_path / "rows.jsonl"
    file.write_bytes(data)
    done = [subprocess.run([*COMMAND, "--jobs", jobs, str(file)], capture_output=True, check=False) for jobs in ("1", "2")]
    assert [one.returncode for one in done] == [1, 1]
    assert done[0].stdout == done[1].stdout
    assert done[0].stdout.count(b"\n") == 20 * len(rows) + 3
    assert b"too-long" in done[0].stdout
    assert done[1].stderr == b""


def test_a_line_is_answered_while_the_input_pauses() -> None:
    with running("--jobs", "2", "-") as process:
        assert process.stdin
        assert process.stdout
        for row in (EXAMPLE, EXAMPLE | {"id": 2}):
            process.stdin.write(stream(row))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == row["id"]
        process.stdin.close()
        assert process.wait() == 0


def test_empty_input_with_jobs() -> None:
    done = subprocess.run([*COMMAND, "--jobs", "2"], input=b"", capture_output=True, check=False)
    assert done.returncode == 5


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_reader_who_has_had_enough(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(stream(EXAMPLE) * 5_000)
    with running("--jobs", jobs, str(file)) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline()) == EXAMPLE_ANSWER
        process.stdout.close()
        assert process.wait() == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_with_jobs() -> None:
    with running("--jobs", "2", "-") as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(stream(EXAMPLE))
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert b"Traceback" not in process.stderr.read()
