"""The sources of satjudge, each parsed once for all tests of a process: many tests ask, and to parse all takes seconds."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "satjudge"


@cache
def sources() -> tuple[Path, ...]:
    """List the modules of satjudge."""
    return tuple(sorted(PACKAGE.rglob("*.py")))


@cache
def text_of(path: Path) -> str:
    """Read a module."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a module. Whoever changes the tree copies it first."""
    return ast.parse(text_of(path), str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """List all nodes of a module's tree."""
    return tuple(ast.walk(tree_of(path)))
