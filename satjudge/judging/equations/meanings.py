"""Defines what the names of an equation stand for while the generator rewrites it: formulas, views, parts, inner functions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NoReturn, TypeAlias

from satjudge.base.errors import SatjudgeError


class TranslationError(SatjudgeError):
    """An error for a construct of the statement that the generator does not know."""


@dataclass(frozen=True, slots=True)
class View:
    """A view that `L` stands for: the names of its values and of the opposing ones."""

    values: str = "v"
    opposing: str = "o"

    def __invert__(self) -> View:
        return View(self.opposing, self.values)


@dataclass(frozen=True, slots=True)
class Each:
    """The parts that a generator expression yields."""

    generator: ast.GeneratorExp
    scope: Scope


@dataclass(frozen=True, slots=True)
class Inner:
    """A function within an equation."""

    definition: ast.FunctionDef
    scope: Scope


Parts: TypeAlias = "list[ast.expr | Each]"
Meaning: TypeAlias = "ast.expr | View | Parts | Inner"
Scope: TypeAlias = "dict[str, Meaning]"


def view_of(node: ast.expr, scope: Scope) -> View | None:
    """Find the view that `L` or `~L` is, or None if the expression is something else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        view = view_of(node.operand, scope)
        return ~view if view else None
    meaning = scope.get(node.id) if isinstance(node, ast.Name) else None
    return meaning if isinstance(meaning, View) else None


@cache
def uses_of(code: ast.AST) -> Mapping[str, int]:
    """Count how often each name is read; in a comprehension it counts twice."""
    counts: Counter[str] = Counter()
    nodes = [(code, 1)]
    while nodes:
        node, weight = nodes.pop()
        if isinstance(node, ast.Name):
            counts[node.id] += weight * isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.GeneratorExp | ast.ListComp):
            weight = 2
        nodes += [(child, weight) for child in ast.iter_child_nodes(node)]
    return counts


def refuse(node: ast.AST) -> NoReturn:
    """Raise `TranslationError` for an unknown construct."""
    raise TranslationError(f"the statement has {ast.unparse(node)!r}, which cannot be compiled")
