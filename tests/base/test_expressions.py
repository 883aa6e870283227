"""Every regular expression of the package takes time that grows with the text, not with its square."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import pytest
from helpers.sources import PACKAGE, nodes_of, sources, text_of

import satjudge
from satjudge.files.detect import Kind, detect
from satjudge.notation.sheet_reader import read_sheets

METHODS = frozenset(("match", "fullmatch", "search", "sub", "finditer", "findall", "split"))
CALLS = frozenset(f"re.{method}" for method in METHODS)
BEGINNINGS = (
    "",
    "under ",
    "under a ",
    "case a",
    "note",
    "x owns",
    "automatic",
    "{",
    "{printed:",
    "verdict:",
    " (",
    "fall 1",
    '"',
    "a",
    "=",
)
REPEATED = (
    " ",
    "a",
    "A",
    "1",
    "-",
    ".",
    ":",
    "{",
    "{printed:",
    '"',
    "=",
    "= ",
    "a ",
    " with ",
    " owns ",
    "(",
    "4.A.1",
    "1C",
    "\n",
    "#",
    "_",
    ",",
)
LENGTH = 1_000
LEAST = 0.002
"""Seconds; what is quicker is not measured."""


class Use(NamedTuple):
    """An expression, and the method by which it is used."""

    where: str
    pattern: re.Pattern[Any]
    method: str

    def seconds(self, text: str) -> float:
        """How long it takes."""
        subject = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        function: Callable[..., Any] = getattr(self.pattern, self.method)
        arguments = ("" if isinstance(subject, str) else b"", subject) if self.method == "sub" else (subject,)
        began = process_time()
        found = function(*arguments)
        if self.method == "finditer":
            list(found)
        return process_time() - began


def uses(path: Path) -> Iterator[Use]:
    source, where = text_of(path), str(path.relative_to(PACKAGE))
    named: dict[str, set[str]] = {}
    for node in nodes_of(path):
        if not isinstance(node, ast.Attribute) or node.attr not in METHODS or not isinstance(node.value, ast.Name):
            continue
        named.setdefault(node.value.id, set()).add(node.attr)
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func) in CALLS:
            for text in ast.walk(node.args[0]):
                if isinstance(text, ast.Constant) and isinstance(text.value, str | bytes) and len(text.value) > 1:
                    flags = re.IGNORECASE | (re.MULTILINE if "re.M" in ast.unparse(node) else 0)
                    yield Use(f"{where}:{node.lineno}", re.compile(text.value, flags), ast.unparse(node.func)[3:])
    if "re.compile(" in source:
        dotted = ".".join(("satjudge", *path.relative_to(PACKAGE).with_suffix("").parts))
        module = import_module(dotted.removesuffix(".__init__"))
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                yield from (Use(f"{where}:{name}", value, method) for method in sorted(named.get(name, {"match"})))


@pytest.mark.parametrize(
    "path", [path for path in sources() if "import re\n" in text_of(path)], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_four_times_the_text_takes_about_four_times_as_long(path: Path) -> None:
    for use, beginning, repeated, end in product(uses(path), BEGINNINGS, REPEATED, ("", "!")):
        text = partial(_text, beginning, repeated, end)
        what = f"{use.where} {use.method} {text(len(repeated))!r}"
        assert_linear(lambda length, use=use, text=text: use.seconds(text(length)), what)  # type: ignore[misc]


def _text(beginning: str, repeated: str, end: str, length: int) -> str:
    return beginning + repeated * (length // len(repeated)) + end


def assert_linear(seconds: Callable[[int], float], what: str = "", most: float = 9.0) -> None:
    """Linear time gives a ratio of 4, quadratic one of 16; an unlucky measurement is made again."""
    if seconds(4 * LENGTH) < LEAST:
        return
    ratio = min(seconds(4 * LENGTH) / max(seconds(LENGTH), 1e-6) for _ in range(3))
    assert ratio < most, f"{what}: {ratio:.1f} times as long"


def reading(text: str) -> float:
    began = process_time()
    with pytest.raises(satjudge.InputError):
        read_sheets(text)
    return process_time() - began


@pytest.mark.parametrize("line", ["under{}x", "under a{}b", "under a with{}b", "{}x owns", "England: A PAR H | {{printed:{}x"])
def test_lines_of_a_sheet(line: str) -> None:
    """`under` and 2,000 blanks took twelve seconds."""
    assert reading(line.format(" " * 3_000)) < 1


def test_blank_lines_before_the_cases_of_another_format() -> None:
    def seconds(length: int) -> float:
        began = process_time()
        assert detect(b"x" + b"\n" * length * 4) is not Kind.JDIP
        return process_time() - began

    assert_linear(seconds)


def test_many_cases_in_one_sheet() -> None:
    def seconds(length: int) -> float:
        text = "".join(f"case c{number}: x\nFrance:\n  A PAR H\n" for number in range(length // 4))
        began = process_time()
        assert len(read_sheets(text)) == length // 4
        return process_time() - began

    assert_linear(seconds)
