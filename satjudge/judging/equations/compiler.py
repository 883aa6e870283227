"""Generates plain Python functions from the source of the equations, for speed.

A generated function `move(v, o, m)` evaluates the equation of that name with the values `v`; `o` holds the values of the
opposing view, and `~L` swaps the two. So one function serves the optimist and the pessimist of the bounds, with its arguments
in either order, and a plain evaluation, with the same values twice. What a rulebook or an adjudication settles in advance is
simplified away: options, `is_chosen`, branches not taken. Short equations are inlined where they are used, and quantifiers
(`all_of`, `total`, … over a generator) become loops that stop as soon as they can.

The statement is read as a syntax tree, once for each choice of the options that it mentions. The generator knows the methods of
`Logic` but no equation, and refuses all other constructs (`TranslationError`). `generate_source(rulebook)` returns its output.

Generating the equations takes a command longer than judging. So `default_equations.py` holds those of the default rulebook. It
is ignored as soon as the statement or the generator has changed (`make generated` writes it again).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from zlib import crc32

from satjudge.judging.equations import statement
from satjudge.world.rules import Rulebook

if TYPE_CHECKING:
    import ast

    from satjudge.judging.equations.generator import Choices

Equations: TypeAlias = "Mapping[str, Callable[..., Any]]"
"""The generated functions by the names of their equations. Truth values may be any value that `if` accepts."""

ROOTS = ("decision", "move", "support", "convoy", "is_matched", "is_convoyed", "prevent")
"""The equations that callers use by name; the equations on which these depend are generated with them."""


@lru_cache(maxsize=1024)
def compile_equations(rulebook: Rulebook) -> Equations:
    """Return the functions compiled from the equations under a rulebook, by name; they are cached after the first call."""
    text = read_statement()
    return _default_equations(rulebook, text) or _compile_module(find_choices(rulebook, text), text)


def _default_equations(rulebook: Rulebook, text: str) -> Equations | None:
    """Return the equations generated in advance if they are those of this rulebook and of the statement `text`; else None."""
    from satjudge.judging.equations.default_equations import CHOICES, EQUATIONS, WRITTEN_FROM

    if compute_checksum(text) != WRITTEN_FROM or any(getattr(rulebook, name) != choice for name, choice in CHOICES.items()):
        return None
    return cast("Equations", EQUATIONS)


_WRITERS = ("compiler.py", "formulas.py", "generator.py")


def compute_checksum(text: str) -> int:
    """Return a checksum of the statement's source `text` and of the modules that compile it."""
    checksum = crc32(text.encode())
    for name in _WRITERS:
        checksum = crc32(Path(__file__).with_name(name).read_text(encoding="utf-8").encode(), checksum)
    return checksum


def generate_source(rulebook: Rulebook) -> str:
    """Return the Python source of the functions generated from the equations under a rulebook."""
    import ast

    text = read_statement()
    return ast.unparse(_generate_module(find_choices(rulebook, text), text))


def read_statement() -> str:
    """Return the source of the module `statement`, or of a changed copy that is loaded in its place."""
    loader: Any = statement.__loader__
    if not hasattr(loader, "get_source"):
        from satjudge.base.python_source import choose_source_loader

        loader = choose_source_loader(statement.__name__, loader, statement.__file__)
    text: str = loader.get_source(statement.__name__)
    return text


@lru_cache(maxsize=4)
def _parse_definitions(text: str) -> dict[str, ast.FunctionDef]:
    import ast

    from satjudge.base.python_source import parse_source

    return {node.name: node for node in parse_source(text).body if isinstance(node, ast.FunctionDef)}


@lru_cache(maxsize=512)
def _find_options(text: str) -> tuple[str, ...]:
    """Return, sorted, the names of the rulebook options that the statement reads, as in `m.rules.paradox`."""
    import ast

    nodes = (node for definition in _parse_definitions(text).values() for node in ast.walk(definition))
    read = (node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute))
    return tuple(sorted({node.attr for node in read if isinstance(node.value, ast.Attribute) and node.value.attr == "rules"}))


def find_choices(rulebook: Rulebook, text: str) -> Choices:
    """Return the rulebook options that the statement reads, each as its name and the rulebook's choice."""
    return tuple((name, getattr(rulebook, name)) for name in _find_options(text))


@lru_cache(maxsize=64)
def _generate_module(choices: Choices, text: str) -> ast.Module:
    from satjudge.judging.equations.generator import Generator

    generator = Generator(_parse_definitions(text), vars(statement), choices)
    for name in ROOTS:
        generator.require(name)
    return generator.build_module()


@lru_cache(maxsize=1024)
def _compile_module(choices: Choices, text: str) -> Equations:
    from satjudge.base.python_source import PARSING

    namespace = dict(vars(statement))
    module = _generate_module(choices, text)
    with PARSING:
        code = compile(module, "<the compiled equations>", "exec")
    exec(code, namespace)
    return {name: namespace[name] for name in ROOTS}
