"""The kernel as plain Python, for rulebooks whose equations are not in the one that comes compiled."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy

from satjudge.bulk import arrays, kernel_source
from satjudge.bulk.known import Known


def functions(equations: str) -> dict[str, Any]:
    """What the kernel with these equations defines, as Python has it."""

    def as_it_is(function: Any) -> Any:  # noqa: ANN401  # whatever is declared
        return function

    kernel = Path(kernel_source.__file__).with_name("kernel.py")
    names: dict[str, Any] = vars(arrays) | {"numpy": numpy, "compiled": as_it_is, "called": as_it_is}
    for text in (equations, kernel.read_text(encoding="utf-8")):
        module = _Addresses().visit(ast.parse(text))
        exec(compile(ast.fix_missing_locations(module), kernel, "exec"), names)
    return names


class _Addresses(ast.NodeTransformer):
    """Rewrites indices of the scratch matrix, which is stored column by column as one row of numbers."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "at" and isinstance(node.slice, ast.Tuple):
            row, column = map(ast.unparse, node.slice.elts)
            node.slice = ast.parse(f"({column}) * {arrays.PITCH} + {row}", mode="eval").body
        return node


class Interpreted:
    """The kernel for one judge, in place of `satjudge.bulk.wasm.kernel.WasmKernel`."""

    def __init__(self, known: Known) -> None:
        self._functions = functions(kernel_source.kernel_source(known.rulebook))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # a function of the kernel
        functions = self._functions

        def called(given: Mapping[str, Any]) -> None:
            functions.update(given)  # arrays by the names that the functions know
            with numpy.errstate(over="ignore"):  # numbers that mix bits
                functions[name]()

        return called


def interpreted(known: Known, _threads: int) -> list[Interpreted]:
    """Take the place of `satjudge.bulk.available.kernels`."""
    return [Interpreted(known)]
