"""Mutants are made of copies: nobody else sees them, and an edit says where it belongs."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from mutation_witnesses import statement_answers

from satjudge.engines.conformance.copies import ModuleCopies, parse_module
from satjudge.engines.conformance.edits import Edit, also, drop, edit_module, put
from satjudge.engines.conformance.faults import FAULTS, get_edits
from satjudge.engines.conformance.hypotheses import Hypothesis, answer_position
from satjudge.engines.conformance.switchable_judge import _change_modules, get_switchable_judge, make_faulty_judge
from satjudge.engines.kit.parts import load_all_stored_questions, load_stored_questions
from satjudge.engines.positions import parse_position
from satjudge.judging.equations import statement
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.world.board import Board, Unit
from satjudge.world.geography import UnitKind, load_map
from satjudge.world.rules import load_rulebook

ORDERS = {
    "GERMANY": ["A MUN - TYR", "A BOH S A MUN - TYR", "A BER - PRU"],
    "AUSTRIA": ["A TYR H", "A VIE S A TYR"],
    "RUSSIA": ["A WAR - PRU", "F BOT - LVN"],
}
BOARD = Board(tuple(Unit(power, UnitKind(text[0]), text[2:5]) for power, given in ORDERS.items() for text in given))
BROKEN = ("HOLD without supports", "MOVE without rivals", "a fleet moves inland, 6.A.3", "circular movement fails, 6.C.1")


@contextmanager
def at_work(*tasks: Callable[[], None]) -> Iterator[None]:
    """Do these over and over in other threads."""
    over = Event()

    def repeat(task: Callable[[], None]) -> int:
        times = 0
        while not over.is_set():
            task()
            times += 1
        return times

    with ThreadPoolExecutor(len(tasks)) as threads:
        running = [threads.submit(repeat, task) for task in tasks]
        try:
            yield
        finally:
            over.set()
        assert all(one.result() for one in running)


def test_no_verdict_of_the_judge_changes_while_mutants_judge() -> None:
    questions = [question for question in load_stored_questions("clauses") if question.is_usual][:40]
    whole = statement_answers(questions)
    position = parse_position(questions[0].question_line)

    def mutants() -> None:
        for name in BROKEN:
            assert len(statement_answers(questions[:4], name)) == 4

    def hypotheses() -> None:
        assert Hypothesis("datc-3", (), ("HOLD one too little",)).list_answers([position]) != [None]

    assert any(statement_answers(questions, name) != whole for name in BROKEN)
    with at_work(mutants, hypotheses):
        for _ in range(8):
            assert statement_answers(questions) == whole


def test_copies_are_in_no_list_of_modules() -> None:
    before = {name: id(module) for name, module in sys.modules.items()}
    with make_faulty_judge(["a fleet moves inland, 6.A.3", "HOLD without supports"]) as broken:
        assert broken.judge(BOARD, ORDERS).results
        copy = broken.get_module("satjudge.judging.equations.statement")
        assert copy is not statement
        assert copy not in sys.modules.values()
        assert broken.get_module("satjudge.world.board") is sys.modules["satjudge.world.board"]
    assert {name: id(module) for name, module in sys.modules.items() if name in before} == before


def test_a_mutant_judges_by_its_own_classes() -> None:
    with make_faulty_judge(["HOLD without supports"]) as broken:
        found = broken.judge(BOARD, ORDERS)
    assert type(found).__name__ == "Outcome"
    assert not isinstance(found, Outcome)
    assert str(found.results["GERMANY"][0]) == "succeeds"
    assert str(judge(BOARD, ORDERS).results["GERMANY"][0]) == "fails"


def test_maps_forget_what_a_mutant_found() -> None:
    judge(BOARD, ORDERS)
    cache = load_map().cache
    before = set(cache)
    with make_faulty_judge(["support goes to any province, 6.A.10"]) as broken:
        broken.judge(BOARD, ORDERS)
        assert len(cache) > len(before)
    assert set(cache) == before


def test_every_mutation_finds_its_place() -> None:
    for fault in FAULTS:
        _change_modules(get_edits(fault))  # an error names the place


@pytest.mark.parametrize("fault", FAULTS[::10])
def test_a_fault_that_is_switched_on_is_the_fault(fault: str) -> None:
    """Also after other faults were on, and under a condition that holds at each use."""
    positions = [parse_position(one.question_line) for one in load_all_stored_questions() if one.board.map.is_standard][::9]
    rulebook = load_rulebook()
    switched = get_switchable_judge()
    with make_faulty_judge([fault]) as alone, switched.lock:
        apart = [answer_position(position, rulebook, alone.judge) for position in positions]
        for name in (fault, NOBODY, f"{fault}, if pigs fly", fault):
            switched.switch_on((name,))
            found = [switched.answer_position(position, rulebook) for position in positions]
            assert (found == apart) is (name == fault or apart == Hypothesis("datc-3").list_answers(positions)), name
        switched.switch_on(())


NOBODY = "orders to foreign units count, 6.A.6"


def test_nearly_all_faults_can_be_switched_on_and_situations_are_kept() -> None:
    """Else each hypothesis takes a judge of its own, and a diagnosis minutes."""
    switched = get_switchable_judge()
    assert len(switched.numbers) > 0.95 * len(FAULTS)
    assert not switched.can_switch_on(("HOLD without supports", "HOLD one too little"))  # of one function
    position = parse_position(load_stored_questions("clauses")[0].question_line)
    with switched.lock:
        kept = switched._situate_position(position, load_rulebook())
        switched.switch_on(("HOLD one too little",))
        assert switched.answer_position(position, load_rulebook()) is not None
        assert switched._situate_position(position, load_rulebook()) is kept
        switched.switch_on(())


def test_answers_of_a_hypothesis_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = parse_position(load_stored_questions("clauses")[1].question_line)
    hypothesis = Hypothesis("datc-3", (), ("HOLD one too little",))
    (first,) = hypothesis.list_answers([position])
    monkeypatch.setattr(Hypothesis, "_compute_answers", None)
    assert hypothesis.list_answers([replace(position, name="again")]) == [first]


MODULE = ast.parse(
    """
import this

def outer(one, other):
    if one is other:  # as it may be
        return chain((one,), (two for two in other))
    def inner(three):
        return f"no {three} here", [one, other, three]
    return inner
"""
)


@pytest.mark.parametrize(
    ("edit", "becomes"),
    [
        (drop("m.outer", "(_,)"), "chain((two for two in other))"),
        (drop("m.outer.inner", "other"), "[one, three]"),
        (put("m.outer", "chain(_1, _)", "_1"), "return (one,)"),
        (put("m.outer", "chain(...)", "chain()"), "return chain()"),
        (put("m.outer", "if _ is _:", "one and this"), "if one and this:"),
        (put("m.outer", "(_ for _1 in _)", "[_1 for _1 in one]"), "[two for two in one]"),
        (also("m.outer", "one is other", "not one"), "if one is other or not one:"),
        (put("m.outer.inner", 'f"{_1}"', "_1"), "return (three, [one, other, three])"),
        (put("m.outer", "return inner", "one = 1\nreturn one"), "one = 1\n    return one"),
    ],
)
def test_an_edit_changes_one_place(edit: Edit, becomes: str) -> None:
    before = ast.dump(MODULE)
    assert becomes in ast.unparse(edit_module(MODULE, edit))
    assert ast.dump(MODULE) == before


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (drop("m.outer", "chain(_)"), "'chain(_)' is not in m.outer"),
        (drop("m.outer", "one"), "'one' is 3 times in m.outer"),
        (drop("m.other", "one"), "there is no m.other"),
        (drop("m.outer", "one is other"), "it is not an element of a list"),
        (put("m.outer", "chain(...)", "chained(one)"), "m.outer does not use 'chained'"),
    ],
)
def test_an_edit_that_finds_no_place_of_its_own_is_refused(edit: Edit, told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("(", r"\(").replace(")", r"\)")):
        edit_module(MODULE, edit)


def test_the_source_of_a_changed_module_is_the_changed_one() -> None:
    changed = edit_module(
        parse_module("satjudge.judging.outcome"), drop("outcome.Outcome._find_retreats", "province not in self.contested")
    )
    copy = ModuleCopies({"satjudge.judging.outcome": changed}).get_module("satjudge.judging.outcome")
    loader = copy.__loader__
    assert loader is not None
    source = loader.get_source("satjudge.judging.outcome")  # type: ignore[attr-defined]
    assert ast.dump(ast.parse(source)) == ast.dump(changed)
    whole = Path(inspect.getsourcefile(Outcome) or "").read_text(encoding="utf-8")
    assert source.splitlines()[:20] == whole.splitlines()[:20]
