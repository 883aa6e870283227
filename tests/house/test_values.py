"""What a command found is one value: no renderer is given a result beside its document, and no name stands for two things."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "satjudge"
TREES = {path.relative_to(PACKAGE): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
MAKERS = {path: tree for path, tree in TREES.items() if "documents" in (*path.parts, path.stem)}
CONTEXT = ("base", "world", "notation")
"""The rooms whose values, such as maps and sheets, are no results."""


def defined(paths: object) -> set[str]:
    """List the classes of these modules."""
    trees = [tree for path, tree in TREES.items() if path in paths]  # type: ignore[operator]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


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


DOCUMENTS = defined(MAKERS)
RESULTS = defined(TREES) - DOCUMENTS - defined([path for path in TREES if path.parts[0] in CONTEXT])
MADE = {
    (result, document)
    for tree in MAKERS.values()
    for function in functions(tree)
    for document in named(function.returns) & DOCUMENTS
    for result in taken(function) & RESULTS
}
"""The results, each with a document that is made of it."""


def taking_both(trees: dict[Path, ast.Module]) -> list[str]:
    """List the functions that take a result and the document that is made of it."""
    return [
        f"{path}: {function.name} takes {result} and its {document}"
        for path, tree in trees.items()
        for function in functions(tree)
        for given in [taken(function)]
        for result, document in sorted(MADE)
        if {result, document} <= given
    ]


def test_no_renderer_takes_a_result_and_its_document() -> None:
    assert taking_both({path: tree for path, tree in TREES.items() if path.parts[0] in ("show", "apps")}) == []


def test_a_renderer_that_takes_both_would_be_found() -> None:
    assert {("Game", "GameShown"), ("Judgement", "ResolvedCase")} <= MADE
    both = "def table(game: Game, *, told: Sequence[GameShown] | None = None) -> Part: ..."
    assert taking_both({Path("show/new.py"): ast.parse(both)}) == ["show/new.py: table takes Game and its GameShown"]


@pytest.mark.parametrize("name", ["Position", "Question", "Case", "Orders"])
def test_a_name_stands_for_one_thing(name: str) -> None:
    """For a class, or for an alias of a type."""
    found = []
    for path, tree in TREES.items():
        for node in tree.body:
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
            names = [node.name] if isinstance(node, ast.ClassDef) else [one.id for one in targets if isinstance(one, ast.Name)]
            found += [path] * (name in names)
    assert len(found) == 1, found
