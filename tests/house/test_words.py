"""First lines of modules, public classes and public functions, as the section "Words" of CONTRIBUTING.md asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.sources import PACKAGE, tree_of

MOST_WORDS = 25
NO_VERB = ("What ", "The same", "Whether", "How ", "Where ", "Why ", "Which ")
_QUOTED = re.compile(r"`[^`]*`|“[^”]*”")
_SECOND_SENTENCE = re.compile(r"[.?!]\s+[A-Z`“(\"]")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class FirstLine(NamedTuple):
    """The first paragraph of a docstring, which is to be one line."""

    of: str
    is_function: bool
    text: str


def first_lines_in(module: ast.Module) -> Iterator[FirstLine]:
    """Yield the first lines of a module and of all that is public in it, also in branches of `if` and `try`."""
    yield from _of("module", module)


def _of(name: str, node: Documented) -> Iterator[FirstLine]:
    text = ast.get_docstring(node)
    if text:
        yield FirstLine(name, isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef), text.split("\n\n")[0])
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for inner in _defined_in(node):
            if not inner.name.startswith("_"):
                yield from _of(inner.name if isinstance(node, ast.Module) else f"{name}.{inner.name}", inner)


def _defined_in(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        elif isinstance(child, ast.If | ast.Try):
            yield from _defined_in(child)


def faults_of(line: FirstLine) -> Iterator[str]:
    """Say what is wrong with a first line."""
    if "\n" in line.text:
        yield "is longer than a line"
    if len(line.text.split()) > MOST_WORDS:
        yield f"has more than {MOST_WORDS} words"
    if not line.text.endswith((".", ":")):
        yield "does not end with a full stop"
    if _SECOND_SENTENCE.search(_QUOTED.sub("x", line.text)):
        yield "has a second sentence"
    if line.is_function and line.text.startswith(NO_VERB):
        yield "does not begin with a verb"


@pytest.mark.parametrize("room", sorted({path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"}))
def test_first_lines_are_one_short_sentence_that_begins_with_a_verb(room: str) -> None:
    assert list(_faults_in(PACKAGE / room)) == []


def _faults_in(place: Path) -> Iterator[str]:
    for path in sorted(place.rglob("*.py")):
        for line in first_lines_in(tree_of(path)):
            for fault in faults_of(line):
                yield f"{path.relative_to(PACKAGE)}: {line.of} {fault}: {line.text}"


def test_the_front_door_and_the_command_are_worded_alike() -> None:
    for path in PACKAGE.glob("*.py"):
        assert [(line.of, fault) for line in first_lines_in(tree_of(path)) for fault in faults_of(line)] == []


@pytest.mark.parametrize(
    ("docstring", "fault"),
    [
        ("Lists the routes", "does not end with a full stop"),
        ("What the routes are.", "does not begin with a verb"),
        ("Whether it is so.", "does not begin with a verb"),
        ("List the routes. Raises `ValueError`.", "has a second sentence"),
        ("List the routes (DATC 4.A.3). See there.", "has a second sentence"),
        ("List the routes\n    of an army.", "is longer than a line"),
        (f"List {'long ' * MOST_WORDS}routes.", f"has more than {MOST_WORDS} words"),
    ],
)
def test_each_fault_is_found_in_functions_and_methods(docstring: str, fault: str) -> None:
    source = f'"""Finds routes."""\nif True:\n class Finder:\n  """A finder."""\n  def find(self):\n    """{docstring}"""\n'
    assert [(line.of, found) for line in first_lines_in(ast.parse(source)) for found in faults_of(line)] == [
        ("Finder.find", fault)
    ]


@pytest.mark.parametrize(
    "docstring", ["List the routes, `A. B`, of an army (DATC 2.4, 7.B).", "List:", "Tell whether “No. So.” stands there."]
)
def test_a_good_first_line_has_no_fault(docstring: str) -> None:
    assert [*faults_of(FirstLine("find", True, docstring))] == []


def test_private_names_are_free() -> None:
    source = (
        'def _find():\n  """What there is"""\nclass _Finder:\n  """What finds"""\n  def find(self):\n    """What there is"""\n'
    )
    assert [*first_lines_in(ast.parse(source))] == []
