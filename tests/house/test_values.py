"""What a command found is one value: no renderer is given a result beside its document, and no name stands for two things."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest
from helpers.sources import PACKAGE, sources, tree_of

MODULES = {path.relative_to(PACKAGE): path for path in sources()}
MAKERS = [path for path in MODULES if "documents" in (*path.parts, path.stem)]
CONTEXT = ("base", "world", "notation")
"""The rooms whose values, such as maps and sheets, are no results."""


def tree(path: Path) -> ast.Module:
    """The tree of a module, by its path in the package."""
    return tree_of(MODULES[path])


def defined(paths: Collection[Path]) -> set[str]:
    """List the classes of these modules."""
    return {node.name for path in paths for node in tree(path).body if isinstance(node, ast.ClassDef)}


def named(annotation: ast.expr | None) -> set[str]:
    """List the names in an annotation."""
    if annotation is None:
        return set()
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}


def taken(function: ast.FunctionDef) -> set[str]:
    """List the names in the annotations of all parameters of a function."""
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return {name for one in every for name in named(one.annotation)}


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """List all functions and methods of a module."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@cache
def made() -> list[tuple[str, str]]:
    """List the results, each with a document that is made of it."""
    documents = defined(MAKERS)
    results = defined(MODULES) - documents - defined([path for path in MODULES if path.parts[0] in CONTEXT])
    pairs = {
        (result, document)
        for path in MAKERS
        for function in functions(tree(path))
        for document in named(function.returns) & documents
        for result in taken(function) & results
    }
    return sorted(pairs)


def taking_both(trees: dict[Path, ast.Module]) -> list[str]:
    """List the functions that take a result and the document that is made of it."""
    return [
        f"{path}: {function.name} takes {result} and its {document}"
        for path, whole in trees.items()
        for function in functions(whole)
        for given in [taken(function)]
        for result, document in made()
        if {result, document} <= given
    ]


def test_no_renderer_takes_a_result_and_its_document() -> None:
    assert taking_both({path: tree(path) for path in MODULES if path.parts[0] in ("show", "apps")}) == []


def test_a_renderer_that_takes_both_would_be_found() -> None:
    assert {("Game", "GameShown"), ("Judgement", "ResolvedCase")} <= set(made())
    both = "def table(game: Game, *, told: Sequence[GameShown] | None = None) -> Part: ..."
    assert taking_both({Path("show/new.py"): ast.parse(both)}) == ["show/new.py: table takes Game and its GameShown"]


@pytest.mark.parametrize("name", ["Position", "Question", "Case", "Orders"])
def test_a_name_stands_for_one_thing(name: str) -> None:
    """For a class, or for an alias of a type."""
    found = []
    for path in MODULES:
        for node in tree(path).body:
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
            names = [node.name] if isinstance(node, ast.ClassDef) else [one.id for one in targets if isinstance(one, ast.Name)]
            found += [path] * (name in names)
    assert len(found) == 1, found


def reported_through(whole: ast.Module) -> list[str]:
    """List the public functions of a module that append texts or errors to a list which their caller passes in."""
    found, reports = [], {"str", "InputError", "SatjudgeError", "Exception"}
    for function in functions(whole):
        every = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        lists = {one.arg for one in every if "list" in (names := named(one.annotation)) and names & reports}
        for node in ast.walk(function):
            appends = isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert")
            into = node.value if appends else node.target if isinstance(node, ast.AugAssign) else None  # type: ignore[attr-defined]
            if isinstance(into, ast.Name) and into.id in lists and not function.name.startswith("_"):
                found.append(f"{function.name} reports through {into.id}")
    return found


def test_no_public_function_reports_through_an_argument() -> None:
    assert [(path, found) for path in MODULES if (found := reported_through(tree(path)))] == []
    old = "def read(text: str, told: list[str] | None = None) -> None:\n    told += [text]"
    assert reported_through(ast.parse(old)) == ["read reports through told"]
