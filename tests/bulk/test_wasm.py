"""The kernel that comes compiled is printed from the sources as they are, and answers as the plain path does."""

from __future__ import annotations

import ast
import gc
import json
import shutil
import threading
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy
import pytest
from test_bulk import ODD, boards
from test_bulk_arrays import FLAVOURS, drawn, same
from test_bulk_options import masked

from release.kernel.c_printer import Module, PrintingError, Source
from release.kernel.kernel_text import print_kernel
from release.kernel.rulebook_source import write_rulebook_source
from satjudge.base import processes
from satjudge.base.errors import RulebookError
from satjudge.base.resources import data_file
from satjudge.bulk.batch import Answering, Settings, _Rules, answer_line
from satjudge.bulk.judge import Judge
from satjudge.bulk.kernel import memory
from satjudge.bulk.kernel.memory import SETTLED, WITH_CORES
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.tables.order_facts import OrderFacts
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm import array_kernel, loading, sandbox
from satjudge.bulk.wasm.lines import LineAnswerer
from satjudge.bulk.wasm.loading import (
    CODE,
    KERNEL_SOURCES,
    MANIFEST,
    TABLE_SOURCES,
    Kernel,
    list_rulebooks,
    load_kernel,
    make_supply,
)
from satjudge.bulk.wasm.sandbox import SandboxError
from satjudge.judging import backup, fast_path
from satjudge.judging.equations.generator import TranslationError
from satjudge.judging.judge import judge_case
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.proofs.verify.searches import lets_moves_fail
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset, preset_names
from satjudge.world.rules.rulebook import Choice, option_fields

KINDS: dict[str, type[Choice]] = {field: type(getattr(load_preset("datc-3"), field)) for field in option_fields().values()}

# What is committed.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what comes with satjudge, which is loaded anew."""
    found = Path(shutil.copytree(data_file("models", "kernel", CODE).parent, tmp_path / "kernel"))
    monkeypatch.setattr(loading, "data_file", lambda *parts: found / parts[-1])
    monkeypatch.setattr(processes, "_take_token", lambda _: True)
    monkeypatch.setattr(loading, "load_kernel", cache(loading.load_kernel.__wrapped__))
    monkeypatch.setattr(array_kernel, "load_kernel", loading.load_kernel)
    monkeypatch.setattr(loading, "load_table_file", cache(loading.load_table_file.__wrapped__))
    return found


def compiled_kernel() -> Kernel:
    found = load_kernel()
    assert found is not None
    return found


def test_the_kernel_was_compiled_from_these_sources() -> None:
    """Else: `make kernel`, on a machine with clang and lld."""
    found, printed = compiled_kernel(), print_kernel()
    assert found.manifest.printed == printed.digest
    assert {name: entry.functions for name, entry in found.manifest.entries.items()} == printed.functions
    assert len(found.code) < 300_000


@pytest.mark.parametrize("damaged", [CODE, MANIFEST, "standard.datc-3.tables"])
def test_a_damaged_file_is_reported_once_and_the_plain_path_judges(
    damaged: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = (folder / damaged).read_bytes()
    (folder / damaged).write_bytes(data[: len(data) // 2])
    for _ in range(2):
        assert loading.load_supply(load_map(), load_preset("datc-3")) is None
    assert caplog.text.count("answers take longer because ") == 1
    if damaged in (CODE, MANIFEST):
        assert loading.load_board_judge(load_map(), load_preset("datc-3")) is None
        with pytest.raises(SandboxError, match="arrays need the compiled kernel, which is damaged or older"):
            Judge()


@pytest.mark.parametrize("changed", [KERNEL_SOURCES, TABLE_SOURCES])
@pytest.mark.usefixtures("folder")
def test_what_was_made_from_other_sources_is_passed_over(
    changed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sum_sources = loading.sum_sources
    monkeypatch.setattr(loading, "sum_sources", lambda patterns: sum_sources(patterns) + (patterns == changed))
    assert loading.load_supply(load_map(), load_preset("datc-3")) is None
    assert (loading.load_kernel() is None) == (changed == KERNEL_SOURCES)
    assert not caplog.text


def test_a_new_paradox_rule_is_refused_until_it_is_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_BACKUP_RULES", (*backup._BACKUP_RULES, "cautious"))
    rulebook = msgspec.structs.replace(load_preset("datc-3"), paradox="cautious")
    with pytest.raises(TranslationError, match="lacks the rule cautious"):
        write_rulebook_source(rulebook)
    assert lets_moves_fail(rulebook)
    case = find_bundled_case("6.F.14")
    with pytest.raises(NotImplementedError, match="cautious"):
        judge_case(case, rulebook)


def test_the_manifest_lists_the_choices_under_which_the_kernel_judges() -> None:
    """An option that the equations do not mention is asked of the plain path, which fills the tables."""
    entries, random, fitting = compiled_kernel().manifest.entries, Random("choices"), 0
    sources = {name: write_rulebook_source(load_preset(name)) for name in entries}
    for _ in range(150):
        fields = {field: random.choice([*kind]) for field, kind in random.sample([*KINDS.items()], 3)}
        try:
            rulebook = msgspec.structs.replace(load_preset(random.choice([*entries])), **fields)
            source = write_rulebook_source(rulebook)
        except RulebookError:
            continue
        except TranslationError:
            source = ""
        alike = {name for name, entry in entries.items() if entry.fits(rulebook)}
        assert alike == {name for name in entries if sources[name] == source}, fields
        fitting += bool(alike)
    assert fitting > 30


def test_rulebooks_that_judge_alike_share_functions() -> None:
    find = compiled_kernel().find_functions
    assert find(load_preset("datc-3 with 4.D.3=first, 4.A.2.1982=ordered")) == find(load_preset("datc-3"))
    assert find(load_preset("datc-3 with 4.A.7=never")) is None
    assert find(load_preset("datc-3 with 4.E.3=allowed")) is None  # it is not for arrays at all


def test_each_name_stands_for_one_number() -> None:
    """All of them are in one space of names: a second one would change what functions elsewhere mean."""
    tree = ast.parse(Path(memory.__file__).read_text(encoding="utf-8"))
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    names = Counter(part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
    assert not [name for name, count in names.items() if count > 1]


def test_no_array_is_named_like_one_that_is_handed() -> None:
    assert not memory.ARRAYS.keys() & memory.HANDED.keys()


# The printer.


def printed(text: str) -> str:
    source = Source(numbers={"PITCH": 64})
    source.read(text)
    module = Module()
    module.add(source, "f")
    return str(module)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(a):\n    return b", "not stated"),
        ("def f(unknown):\n    return unknown[0]", "not stated"),
        ("def f():\n    return spots", "not stated"),
        ("def f():\n    return spots[0]", "dimensions"),
        ("def f():\n    return status.shape[1]", "dimensions"),
        ("def f():\n    return table[0, 0]", "not stated"),
        ("def f(spots):\n    return 1", "that of an array"),
        ("def f(a):\n    if a:\n        return 1", "always returns"),
        ("def f(a):\n    if a:\n        return 1\n    return 1, 2, 3", "one value"),
        ("def f(a):\n    return f(a)", "calls itself"),
        ("def f(a):\n    return g(a)", "not printed"),
        ("def f(a):\n    return 0 < a < 3", "no expression"),
        ("def f(a):\n    return a / 2", "no expression"),
        ("def f(a):\n    return 1.5", "no expression"),
        ("def f(a):\n    return a if a else None", "no expression"),
        ("def f(a):\n    for b in a:\n        a += b\n    return a", "no statement"),
        ("def f(a):\n    with a:\n        return a\n    return a", "no statement"),
        ("def f(_1):\n    return _1", "temporary"),
        ("def g(table):\n    return 1\n\ndef f():\n    return g(units)", "no array of the type"),
        ("def g(a, b):\n    return 1\n\ndef f(a):\n    return g(a)", "not printed"),
        ("def g(places):\n    return 1\n\ndef f():\n    return g(spots[1])", "no row of the type"),
        ("def f(a):\n    units = a\n    return units", "that of an array"),
        ("import os\n\ndef f(a):\n    return a", "only functions"),
    ],
)
def test_what_is_not_in_the_subset_is_refused(text: str, why: str) -> None:
    with pytest.raises(PrintingError, match=why):
        printed(text)


def test_numbers_are_wide_and_indices_are_checked() -> None:
    text = printed("def f(a):\n    return units[a, 1] << 40 | spots.shape[1] // a")
    address = "(within(a, LENGTH(units_0))) * LENGTH(units_1) + within(INT64_C(1), LENGTH(units_1))"
    assert f"(int64_t)array.units[{address}] << INT64_C(40)" in text
    assert "quotient((int64_t)LENGTH(spots_1), a)" in text


def test_an_array_is_known_by_name_or_handed() -> None:
    text = printed("def g(table):\n    return table[0, 0]\n\ndef f():\n    return g(links)")
    assert "g(int64_t *table, uint32_t table_0, uint32_t table_1) {" in text
    assert "return g(array.links, LENGTH(links_0), LENGTH(links_1));" in text


def test_values_are_known_before_they_are_assigned() -> None:
    text = printed("def f(a, b):\n    a, b = b, a\n    return a")
    assert "int64_t _1 = b;\n    int64_t _2 = a;\n    a = _1;\n    b = _2;" in text


def test_generated_names_have_no_numbers() -> None:
    """They change with what stands before them, and the kernel would have to be compiled anew."""
    texts = (f"def all_{n}(m_{n}):\n    at_{n} = m_{n}\n    m_1{n} = at_{n}\n    return m_1{n}\n" for n in (1, 2))
    first, second = (printed(f"{text}\ndef f(a):\n    return all_{n}(a)") for n, text in enumerate(texts, 1))
    assert first == second
    assert "all(int64_t m) {\n  int64_t at_2 = 0, m_2 = 0;" in first


def test_what_sources_share_is_printed_once() -> None:
    module = Module()
    names = []
    for number in (1, 2, 1):
        source = Source(numbers={"NUMBER": number})
        source.read("def g(a):\n    return a\n\ndef h(a):\n    return g(a) + NUMBER\n\ndef f(a):\n    return h(a)")
        names.append(module.add(source, "f", exported=True))
    assert names == ["f", "f_2", "f"]
    assert [str(module).count(f" {name}(int64_t a) {{") for name in ("g", "g_2", "h", "h_2", "h_3")] == [1, 0, 1, 1, 0]


# In the sandbox.


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary()


@pytest.mark.parametrize("rules", [*preset_names(), "datc-3 with 4.D.3=first"])
def test_random_boards_with_paradoxes_and_circles(rules: str, vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary, rules)
    assert isinstance(judging.kernels[0], array_kernel.ArrayKernel)
    with_cores = 0
    for flavour in FLAVOURS:
        boards = drawn(vocabulary, 12, flavour)
        found = judging.judge(*boards)
        same(judging, boards, found)
        assert numpy.isin(found.status, (SETTLED, WITH_CORES)).mean() > 0.5
        with_cores += int((found.status == WITH_CORES).sum())
    assert with_cores > 5


def test_legal_orders(vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary, "1982")
    masked(judging, drawn(vocabulary, 2, FLAVOURS[0]))


def test_a_rulebook_that_is_not_in_the_kernel_is_judged_plainly(vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary, "datc-3 with 4.A.7=never")
    assert "the equations of datc-3 with 4.A.7=never are not compiled" in str(judging.obstacle)
    boards = drawn(vocabulary, 2, FLAVOURS[0])
    found = judging.judge(*boards)
    assert found.plainly.all()
    same(judging, boards, found)
    masked(judging, boards)


def test_batch_lines(vocabulary: Vocabulary) -> None:
    answering = Answering(Settings(), plain_first=0)
    rows: list[dict[str, Any]] = [
        {"id": n, "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}} for n in range(9)
    ]
    assert list(answering.rows(rows)) == list(Answering(Settings()).rows(rows))
    assert all(choice.kernel for choice in answering._choices.values())


def test_an_index_out_of_bounds_stops_the_sandbox_and_the_next_call_is_answered(vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary)
    boards = [array.astype(numpy.int32) for array in drawn(vocabulary, 2, FLAVOURS[0])]
    units = boards[0].copy()
    units[0, 0] = 30_000
    with pytest.raises(SandboxError, match="unreachable"):
        judging.judge_compiled(units, *boards[1:])
    same(judging, tuple(boards), judging.judge(*boards))


def test_functions_without_equations_are_the_same_for_all_rulebooks_with_superfluous_convoys_or_without(
    vocabulary: Vocabulary,
) -> None:
    found = compiled_kernel()
    for name in list_rulebooks():
        shared = array_kernel.load_array_kernel(OrderFacts(vocabulary, load_preset(f"{name} with 4.A.4.1=last-fleet"))).names
        assert shared.items() < (found.find_functions(load_preset(name)) or {}).items()


def test_arrays_of_other_types_are_refused(vocabulary: Vocabulary) -> None:
    made = array_kernel.load_array_kernel(OrderFacts(vocabulary, load_preset("datc-3")))
    with pytest.raises(TypeError, match=r"spots is an array of float64 with 2 dimensions"):
        made.call("judge_boards", {"spots": numpy.zeros((1, 1), numpy.float64)})


def test_functions_and_memory_of_an_instance_that_nobody_holds_are_good() -> None:
    """An instance was given back under a function that was still called, which ended the process."""
    instance = sandbox.Sandbox(compiled_kernel().code)
    called, memory = instance.prepare_call("first_free", []), instance.memory
    del instance
    gc.collect()
    assert called() > 0
    assert len(bytes(memory[:8])) == 8


# Batch lines in the sandbox.


@pytest.fixture(scope="module")
def answerer() -> LineAnswerer:
    """Knowing what odd lines speak of."""
    return lines_under("datc-3", [line({"id": name, **row}) for name, row in ODD.items()])


def lines_under(rules: str, learnt: Sequence[bytes] = (), learn_after: int = 200) -> LineAnswerer:
    """What answers lines, and has learnt what some lines speak of."""
    supply = make_supply(load_map(), load_preset(rules))
    assert supply is not None
    found = LineAnswerer(supply, learn_after)
    found.learn_lines(learnt)
    return found


def line(row: dict[str, Any]) -> bytes:
    return json.dumps(row).encode()


@pytest.mark.parametrize("rules", preset_names())
def test_a_line_is_answered_as_on_the_plain_path(rules: str) -> None:
    lines = [line(row) for flavour in FLAVOURS for row in boards(flavour, 8, 0.1)]
    found, answered = lines_under(rules, lines), 0
    for text in lines:
        answer = found.answer(text)
        assert answer in (None, answer_line(text, Settings(rules=rules)))
        answered += answer is not None
    assert answered > 12


def test_odd_lines_are_left_to_the_plain_path_and_others_answered(answerer: LineAnswerer) -> None:
    answered = {name for name, row in ODD.items() if answerer.answer(line({"id": name, **row})) is not None}
    for name in answered:
        row = {"id": name, **ODD[name]}
        assert answerer.answer(line(row)) == answer_line(line(row)), name
    ordinary = {"a spelling of its own", "a foreign unit", "no orders", "no units", "a power of its own", "a destroyed unit"}
    ordinary |= {"several orders", "an order of another phase", "a retreat phase", "an adjustment phase"}
    ordinary |= {"a support of itself", "a support of nobody at sea", "the rulebook by its name", "a paradox"}
    assert answered == ordinary


@pytest.mark.parametrize(
    ("text", "answered"),
    [
        (b'{"units":{"FRANCE":["A PAR"]},"orders":{"FRANCE":["A PAR H"]}}', True),
        (b' {\t"orders" : { } ,\r\n "units":{ "FRANCE" : [ "A PAR" , "A MAR" ] , "ITALY":[]}, "id" :\t0 } \n', True),
        (b'{"id":"x\xc3\xa4","units":{},"orders":{}}', False),
        (b'{"id":"x\\n","units":{},"orders":{}}', False),
        (b'{"id":"a b","phase":"movement","units":{},"orders":{}}', True),
        (b'{"id":123456789012345,"units":{},"orders":{}}', True),
        (b'{"id":1234567890123456,"units":{},"orders":{}}', False),
        (b'{"id":01,"units":{},"orders":{}}', False),
        (b'{"id":-1,"units":{},"orders":{}}', False),
        (b'{"id":1.0,"units":{},"orders":{}}', False),
        (b'{"id":,"units":{},"orders":{}}', False),
        (b'{"id":[],"units":{},"orders":{}}', False),
        (b'{"id":1,"id":2,"units":{},"orders":{}}', False),
        (b'{"id":1,"units":{},"orders":{},"title":"x"}', False),
        (b'{"id":1,"units":{},"orders":{}}}', False),
        (b'{"id":1,"units":{},"orders":{}},', False),
        (b'{"id":1,"units":{},"orders":{},}', False),
        (b'{"id":1,"units":{"FRANCE":["A PAR",]},"orders":{}}', False),
        (b'{"id":1,"units":{"FRANCE":["A PAR"],"FRANCE":[]},"orders":{}}', False),
        (b'{"id":1,"units":{"FRANCE":"A PAR"},"orders":{}}', False),
        (b'{"units":{"FRANCE":["A PAR"]}}', True),
        (b'{"units":{"FRANCE":["A PAR"]},"phase":"adjustment","centers":{},"orders":{}}', True),
        (b'{"units":{"FRANCE":["A PAR"]},"orders":{},"phase":"adjustment"}', False),
        (b'{"orders":{}}', False),
        (b"", False),
        (b"[]", False),
        (b"{", False),
        (b'{"id', False),
        (b"{" * 30_000, False),
    ],
)
def test_json_that_is_not_as_usual_is_left_to_the_plain_path(text: bytes, answered: bool, answerer: LineAnswerer) -> None:
    answer = answerer.answer(text)
    assert (answer is not None) == answered
    assert answer in (None, answer_line(text))


def test_mutated_lines_get_the_answer_of_the_plain_path_or_none() -> None:
    random, lines = Random("mutated"), [line(row) for row in boards(Flavour.GENERAL, 4, 0, (4, 9))]
    texts = []
    for _ in range(400):
        text = bytearray(random.choice(lines))
        for _ in range(random.randint(1, 3)):
            place = random.randrange(len(text))
            anything = (b"", b'"', b",", b"[", b" ", b"S", b"\\", bytes([random.randrange(256)]))
            text[place : place + random.randint(0, 2)] = random.choice(anything)
        texts.append(bytes(text))
    answerer, answered = lines_under("datc-3", texts), 0
    for one in texts:
        answer = answerer.answer(one)
        assert answer in (None, answer_line(one)), one
        answered += answer is not None
    assert answered > 20


def test_more_units_than_columns_and_more_texts_than_room(answerer: LineAnswerer, vocabulary: Vocabulary) -> None:
    many = [str(unit) for unit in vocabulary.units if unit.kind == "A"]
    assert answerer.answer(line({"units": {"FRANCE": many}, "orders": {}})) is None or len(many) <= 62
    orders = {"FRANCE": ["A PAR H"] * 1_000}
    assert answerer.answer(line({"units": {"FRANCE": ["A PAR"]}, "orders": orders})) is None
    powers = {f"P{number}": list[str]() for number in range(1_000)}
    assert answerer.answer(line({"units": powers, "orders": {}})) is None


@pytest.mark.parametrize("most", [10_000, 0])
def test_what_lines_spoke_of_is_learnt_and_forgotten_where_it_is_too_much(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.bulk.wasm.loading.MOST_LEARNT", most)
    found = lines_under("datc-3", learn_after=1)
    texts = [
        line({"units": {name: ["A PAR"]}, "orders": {name: [f"A PAR to {place}"]}})
        for name, place in (("Lepanto", "BUR"), ("Lepanto", "PIC"), ("Malta", "BUR"), ("Malta", "PIC"), ("Malta", "GAS"))
    ]
    answers = [found.answer(text) is not None for text in (*texts, *texts[:1])]
    assert answers == [False, True, False, False, True, most > 0]
    assert found.answer(texts[4]) == answer_line(texts[4])


# In a batch.


def test_a_batch_gives_ordinary_lines_to_the_sandbox_and_keeps_their_order() -> None:
    rows = [{"id": name, **row} for name, row in ODD.items()]
    lines = [line(row) for row in (*boards(Flavour.GENERAL, 3, 0), *rows, *boards(Flavour.GENERAL, 3, 0.3))]
    settings = Settings(settings=("4.D.3=first",))
    answering = Answering(settings, plain_first=2)
    answers = [answer for start in (0, 2) for answer in answering.lines(lines[start : start + 2 if start == 0 else None])]
    assert answers == [answer_line(text, settings) for text in lines]
    assert answering.answered == len(lines)
    assert isinstance(answering._choices[_Rules(None, None)].kernel, LineAnswerer)


@pytest.mark.parametrize("raised", [True, False])
def test_where_the_sandbox_fails_lines_go_the_usual_way(
    raised: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> bytes:
        raise SandboxError("out of order")

    monkeypatch.setattr(processes, "_take_token", threading.Semaphore(1).acquire)
    monkeypatch.setattr(LineAnswerer, "answer", fail if raised else lambda *_: b"{}")
    lines = [line(row) for row in boards(Flavour.GENERAL, 3, 0)]
    answering = Answering(plain_first=1)
    assert [*answering.lines(lines[:1]), *answering.lines(lines[1:])] == list(map(answer_line, lines))
    assert ("out of order" if raised else "the compiled kernel gives a wrong result") in caplog.text
    assert [choice.kernel for choice in answering._choices.values()] == [None]


@pytest.mark.parametrize("rules", ["nobody", "datc-3 with 4.A.7=never"])
def test_a_rulebook_that_the_sandbox_does_not_know(rules: str) -> None:
    lines = [line(row) for row in boards(Flavour.GENERAL, 2, 0, (4, 9))]  # too few for arrays
    settings = Settings(rules=rules) if rules == "nobody" else Settings(settings=("4.A.7=never",))
    assert list(Answering(settings, plain_first=0).lines(lines)) == [answer_line(text, settings) for text in lines]


def test_lines_are_answered_by_the_kernel_at_once_where_tables_come_with_satjudge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_path, "USE_SHIPPED_TABLES", True)
    monkeypatch.setattr(fast_path, "PHASES_BEFORE_TABLES", 2)
    row = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
    for changed, first in ((), 0), (("4.D.3=first",), 2):
        answering = Answering(Settings(settings=changed))
        for number in range(4):
            assert [*answering.lines([line(row)])] == [answer_line(line(row))]
            assert any(choice.kernel for choice in answering._choices.values()) == (number >= first)
