"""Compiles the kernel with the equations of a rulebook, and keeps the machine code in a folder for the next process.

The folder is whole, as checksums show, or empty: numba trusts what it finds, and what a full disk or a crash has left there
ends a run, or worse.
"""

from __future__ import annotations

import ast
import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy
from numpy.typing import NDArray

from satjudge.base.locking import HeldError, locked
from satjudge.bulk import arrays, translate
from satjudge.judging.backup import rule_on_paradoxes
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision, SupportDecision
from satjudge.judging.outcome import RESULTS
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import (
    DisorderRetreats,
    DisorderSupport,
    OtherCoreRule,
    ParadoxRule,
    RetreatToOrigin,
    SuperfluousConvoy,
    SupportCoreRule,
)
from satjudge.world.verdicts import OrderResult

_SUMS = "SHA256SUMS"
_COMPILING = 600.0
"""The seconds that compiling may take, on a busy machine, for several processes after each other."""
_KERNEL = Path(__file__).with_name("kernel.py")
SOURCES = (_KERNEL, _KERNEL.with_name("arrays.py"), Path(__file__))
"""The files that compiled code is made from, besides the equations."""
_RESULTS = (
    *(RESULTS[kind] for kind in (MoveDecision, SupportDecision, ConvoyDecision)),
    (OrderResult.STANDS, OrderResult.ILLEGAL, OrderResult.ILLEGAL),
)
"""The results of orders by the kind of decision and how it came out; last of holds and of orders that do not count."""


Given: TypeAlias = Mapping[str, NDArray[Any]]
"""Arrays by the names that the kernel has for them (`arrays.ARRAYS`)."""


class Kernel(NamedTuple):
    """The functions of the kernel that are called from outside."""

    judge_boards: Callable[[Given], None]
    list_legal_orders: Callable[[Given], None]
    draw_orders: Callable[[Given], None]


@lru_cache(maxsize=100)
def kernel_source(rulebook: Rulebook) -> str:
    """Write the equations and other choices of a rulebook, as it is on its map, as text to compile.

    Raises `TranslationError`.
    """
    choices = {
        "FREE_AFTER_CONVOY": rulebook.retreat_to_origin is RetreatToOrigin.ALLOWED,
        "DISBANDED_IN_DISORDER": rulebook.disorder_retreats is DisorderRetreats.REFUSED,
        "UNSUPPORTED_IN_DISORDER": rulebook.disorder_support is DisorderSupport.REFUSED,
        **_rulings(rulebook),
        "SUPERFLUOUS_CONVOYS": rulebook.superfluous_convoy is SuperfluousConvoy.LEGAL,
        "PASSING_MATTERS": "PASSES" in (equations := translate.translated_equations(rulebook)),
    }
    results = [[*map([*OrderResult].index, row)] for row in _RESULTS]
    stated = "\n".join(f"{name} = {value}" for name, value in choices.items())
    return f"{equations}\n\n{stated}\nRESULT_TABLE = numpy.array({results})\n"


def _rulings(rulebook: Rulebook) -> dict[str, bool]:
    """Say what a rulebook does with cores (`satjudge.judging.backup.rule_on`)."""
    paradoxes = rule_on_paradoxes(rulebook)
    return {
        "CONVOYS_FAIL": paradoxes == ParadoxRule.SZYKMAN,
        "WITHOUT_CONVOYS": paradoxes == ParadoxRule.GUIDE,
        "ALL_HOLD": paradoxes in (ParadoxRule.GUIDE, ParadoxRule.ALL_HOLD),
        "SUPPORTS_ALIKE": rulebook.difficult_borders and rulebook.support_cores is not SupportCoreRule.UNRESOLVED,
        "SUPPORTS_GIVEN": rulebook.support_cores is SupportCoreRule.GIVEN,
        "OTHERS_FAIL": rulebook.other_cores is OtherCoreRule.ALL_FAIL,
    }


@cache
def kernel(equations: str) -> Kernel:
    """Make the kernel with these equations (`kernel_source`), which is compiled when it is first called."""
    compiled = arrays.Compiler(folder(equations))
    names: dict[str, Any] = {**vars(arrays), "numpy": numpy, "unsigned": numpy.uint64}
    names |= {"compiled": compiled, "called": compiled.called}
    texts = (equations, Path(translate.__file__)), (_KERNEL.read_text(encoding="utf-8"), _KERNEL)
    modules = [_Addresses().visit(ast.parse(text)) for text, _ in texts]
    taken = hand_arrays(modules)
    for module, (_, path) in zip(modules, texts, strict=True):
        exec(compile(ast.fix_missing_locations(module), path, "exec"), names)  # numba wants a file that is there
    return Kernel(*(_called_with(names[one], taken[one]) for one in Kernel._fields))


def _called_with(function: Callable[..., None], taken: Sequence[str]) -> Callable[[Given], None]:
    """Make a function that hands a compiled one the arrays that it takes."""
    return lambda given: function(*[given[name] for name in taken])


def hand_arrays(modules: Sequence[ast.Module]) -> dict[str, list[str]]:
    """Give each function the arrays that it and those that it calls know by name as parameters, and return these.

    To numba an array that no function is handed is a constant.
    """
    nodes = {node.name: node for module in modules for node in module.body if isinstance(node, ast.FunctionDef)}
    taken: dict[str, set[str]] = {}

    def takes(name: str) -> set[str]:
        if name not in taken:
            taken[name] = found = set[str]()
            for part in ast.walk(nodes[name]):
                if isinstance(part, ast.Name) and part.id in arrays.ARRAYS:
                    found.add(part.id)
                elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in nodes:
                    found |= takes(part.func.id)
        return taken[name]

    ordered = {name: sorted(takes(name)) for name in nodes}
    for name, node in nodes.items():
        node.args.args = [*map(ast.arg, ordered[name]), *node.args.args]
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in nodes:
                part.args = [*(ast.Name(array, ast.Load()) for array in ordered[part.func.id]), *part.args]
    return ordered


class _Addresses(ast.NodeTransformer):
    """Rewrites indices of the scratch matrix as addresses that cost little.

    The matrix `at` is stored column by column, each as long as a power of two, so that the rows need no registers of their own.
    And no index counts from the end, so that compiled code need not look whether one is negative.
    """

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(node.value, ast.Name) and node.value.id == "at":
            row, column = map(ast.unparse, parts)
            parts = [ast.parse(f"({column}) * {arrays.PITCH} + {row}", mode="eval").body]
        plain: list[ast.expr] = [
            part
            if isinstance(part, ast.Constant) or (isinstance(part, ast.Name) and part.id.isupper())
            else ast.Call(ast.Name("unsigned", ast.Load()), [part], [])
            for part in parts
        ]
        node.slice = ast.Tuple(plain, ast.Load()) if len(plain) > 1 else plain[0]
        return node


@cache
def folder(equations: str) -> Path | None:
    """Find a folder for the machine code of just these sources and equations; None if nothing can be kept anywhere.

    numba by itself looks only at the file that a function is in, and would keep code that calls what has changed elsewhere.
    """
    sources = b"".join(path.read_bytes() for path in SOURCES)
    name = f"compiled-{hashlib.sha256(sources + equations.encode()).hexdigest()[:16]}"
    for place in _places():
        with suppress(OSError):
            (place / name).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place / name):
                return place / name
    return None


def _places() -> Iterator[Path]:
    if wanted := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(wanted)
    yield Path(__file__).parent / "__pycache__"
    with suppress(RuntimeError):  # no home
        yield Path.home() / ".cache" / "satjudge"


@contextmanager
def kept_whole(equations: str) -> Iterator[None]:
    """Keep the folder of machine code for one process at a time, emptied before if a file in it is damaged."""
    place = folder(equations)
    if place is None:
        yield
        return
    with _alone(place):
        if _vouched_for(place) != _sums(place):
            forget(equations)
        yield
        _vouch(place)


def is_kept(equations: str) -> bool:
    """Tell whether machine code is kept for these equations, so that a process need not compile."""
    place = folder(equations)
    return bool(place and _files(place))


def forget(equations: str) -> bool:
    """Remove the machine code that is kept for these equations, and tell whether there was any."""
    place = folder(equations)
    files = _files(place) if place else []
    for path in files:
        with suppress(OSError):
            path.unlink()
    return bool(files)


def _files(place: Path) -> list[Path]:
    return sorted(path for path in place.rglob("*.nb*") if path.is_file())


def _sums(place: Path) -> bytes:
    """Return a line with the checksum of each file, as `sha256sum` writes them."""
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(place)}\n" for path in _files(place))
    return "".join(lines).encode()


def _vouched_for(place: Path) -> bytes:
    try:
        return (place / _SUMS).read_bytes()
    except OSError:
        return b""


def _vouch(place: Path) -> None:
    found = _sums(place)
    if found != _vouched_for(place):
        with suppress(OSError):  # then it is all made again next time
            (place / _SUMS).write_bytes(found)


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keep other processes out of a folder meanwhile, where the system can; the others wait as long as compiling may take."""
    with ExitStack() as stack:
        with suppress(OSError, HeldError):
            stack.enter_context(locked(place / _SUMS, _COMPILING, logging.INFO))
        yield
