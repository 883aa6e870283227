"""What is generated from the statement says what the statement says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import sleep

import pytest
from helpers.kept_tables import format_default_equations
from helpers.strategies import Position, boards_with_orders, interpreted, rulebooks, views
from hypothesis import given
from hypothesis import strategies as st

from satjudge.base.python_source import parse_source
from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import MIX, SIZES, random_board
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.judging.equations import compiler, default_equations, statement
from satjudge.judging.equations.generator import TranslationError
from satjudge.judging.equations.situation import MoveDecision, Situation, SupportDecision
from satjudge.judging.judge import read_situation
from satjudge.world.rules import Rulebook, load_rulebook, preset_names


def assert_as_stated(situation: Situation, highest: list[bool], lowest: list[bool]) -> int:
    """Every equation, in both views, over values of which some are known: how many were compared."""
    equations = compiler.compile_equations(situation.rulebook)
    for values, opposing in ((highest, lowest), (lowest, highest)):
        for decision in situation.decisions:
            compared: list[tuple[object, object]]
            compared = [(bool(equations["decision"](values, opposing, decision)), interpreted(values, opposing, decision))]
            view = views(values, opposing)
            if isinstance(decision, MoveDecision):
                compared += [
                    (equations["prevent"](values, opposing, decision), statement.prevent(view, decision)),
                    (bool(equations["is_convoyed"](values, opposing, decision)), statement.is_convoyed(view, decision)),
                ]
            elif isinstance(decision, SupportDecision):
                compared.append(
                    (bool(equations["is_matched"](values, opposing, decision)), statement.is_matched(view, decision))
                )
            for generated, stated in compared:
                assert generated == stated, (
                    f"{decision} over {values} and {opposing}:\n{compiler.generate_source(situation.rulebook)}"
                )
    return 2 * len(situation.decisions)


@given(drawn=boards_with_orders(units=(1, 12), illegal=0.1), rulebook=rulebooks(), data=st.data())
def test_generated_functions_say_what_the_statement_says(drawn: Position, rulebook: Rulebook, data: st.DataObject) -> None:
    situation = read_situation(drawn.board, drawn.orders, rulebook=rulebook)
    known = data.draw(st.lists(st.sampled_from((True, False, None)), min_size=(n := len(situation.decisions)), max_size=n))
    assert_as_stated(situation, [value is not False for value in known], [value is True for value in known])


@pytest.mark.parametrize("preset", preset_names())
def test_generated_functions_on_random_boards(preset: str) -> None:
    compared = 0
    for seed in range(40):
        random = Random(f"{preset}:{seed}")
        board, orders = random_board(random, random.choice(MIX), random.choice(SIZES))
        situation = read_situation(board, orders, rulebook=preset)
        lowest = [random.random() < 0.4 for _ in situation.decisions]
        compared += assert_as_stated(situation, [value or random.random() < 0.5 for value in lowest], lowest)
    assert compared > 500


# The generator.


def test_options_are_folded_away() -> None:
    for preset in preset_names():
        assert "rules" not in compiler.generate_source(load_rulebook(preset))


def test_only_what_the_statement_mentions_makes_other_functions() -> None:
    usual = load_rulebook()
    assert compiler.compile_equations(usual) is compiler.compile_equations(replace(usual, name="the same by another name"))
    assert compiler.compile_equations(usual) is compiler.compile_equations(usual.with_settings(["4.D.3=last"]))
    assert compiler.compile_equations(usual) is not compiler.compile_equations(usual.with_settings(["4.A.1=any-route"]))


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Change what is compiled, for one test."""
    yield monkeypatch
    monkeypatch.undo()
    compiler.compile_equations.cache_clear()


STATED = compiler.read_statement()


def test_functions_follow_the_statement() -> None:
    broken = make_faulty_judge(["MOVE without rivals"])
    changed = broken.get_module("satjudge.judging.equations.compiler").generate_source(load_rulebook())
    assert len(changed) < len(compiler.generate_source(load_rulebook()))


def test_what_is_kept_is_what_is_written_now() -> None:
    assert Path(default_equations.__file__).read_text(encoding="utf-8") == format_default_equations(), "run make generated"
    assert compiler.compile_equations(load_rulebook()) is default_equations.EQUATIONS


@pytest.mark.parametrize("preset", preset_names())
def test_what_is_kept_is_for_its_rulebook_alone(preset: str) -> None:
    rulebook = load_rulebook(preset)
    same = compiler.generate_source(rulebook) == compiler.generate_source(load_rulebook())
    assert (compiler.compile_equations(rulebook) is default_equations.EQUATIONS) is same


def test_what_is_kept_is_passed_over_when_the_statement_or_a_writer_is_another(change: pytest.MonkeyPatch) -> None:
    changed = make_faulty_judge(["MOVE without rivals"])
    made = changed.get_module("satjudge.judging.equations.compiler").compile_equations(load_rulebook())
    assert made is not changed.get_module("satjudge.judging.equations.default_equations").EQUATIONS
    change.setattr(compiler, "_WRITERS", compiler._WRITERS[1:])
    compiler.compile_equations.cache_clear()
    assert compiler.compile_equations(load_rulebook()) is not default_equations.EQUATIONS


@pytest.mark.parametrize(
    "unknown",
    [
        "    while True:\n        pass\n    return L.constant(True)",
        "    return L.sometimes(m)",
        "    return L.all_of(unheard_of(m))",
        "    return unheard_of(L, m)",
        "    return L.total(L, ())",
        "    return L.all_of([lambda: m])",
    ],
)
def test_what_is_not_known_is_refused(change: pytest.MonkeyPatch, unknown: str) -> None:
    """The generator says what it cannot translate; it never guesses."""
    body = re.compile(r"(?<=def move\(L: Logic\[B, N\], m: MoveDecision\) -> B:\n).*?(?=\n\n\ndef )", re.DOTALL)
    changed, count = body.subn(unknown, STATED)
    assert count == 1
    change.setattr(compiler, "read_statement", lambda: changed)
    compiler.compile_equations.cache_clear()
    with pytest.raises(TranslationError, match=r"compiled|equation"):
        compiler.compile_equations(load_rulebook())


def test_two_threads_never_parse_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 raises a `SystemError` where they do (python/cpython#106905)."""
    running: list[int] = []
    most: list[int] = []
    parse = ast.parse

    def slowly(source: str) -> ast.Module:
        running.append(1)
        most.append(len(running))
        sleep(0.05)
        running.pop()
        return parse(source)

    monkeypatch.setattr(ast, "parse", slowly)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(parse_source.__wrapped__, ("one = 1", "two = 2")))
    assert most == [1, 1]
