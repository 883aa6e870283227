"""Prints the subset of Python that compiled functions are written in as C: what they say, and nothing else.

A scalar is a signed number of 64 bits that wraps around. An array is one of `satjudge.bulk.kernel.memory.ARRAYS`,
which all functions know by name: in C, a pointer and the length of each dimension, written by the caller at the address that
`arrays` returns. One of `HANDED` is handed to a function as these. Each index is checked where it stands. What is not known
here is refused, so that nothing is printed that means something else in C.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from satjudge.bulk.kernel import memory

PRELUDE = """
#include <stdint.h>
typedef struct { int64_t item_0, item_1, item_2; } three;
static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static inline int64_t rest(int64_t a, int64_t b) { return a - quotient(a, b) * b; }
static inline uint32_t within(int64_t index, uint32_t length) {
  if ((uint64_t)index >= length) __builtin_trap();
  return (uint32_t)index;
}
extern uint8_t __heap_base;
__attribute__((export_name("first_free"))) int64_t first_free(void) { return (uint32_t)&__heap_base; }
""".strip()
PAGE = 1 << 16
"""The bytes by which the memory grows."""
TYPES = {"int64": "int64_t", "int32": "int32_t", "int8": "int8_t", "uint8": "uint8_t", "bool": "_Bool"}
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], str] = {ast.Not: "!", ast.USub: "-", ast.Invert: "~"}
_NUMBER = re.compile(r"(_\d+)+$")
_TUPLE = 3
"""The number of values of the functions that return several."""


def _declare_arrays() -> str:
    """Declare the arrays that all functions know: lengths as pointers, which no number that is written can be."""
    stated = memory.ARRAYS.items()
    rows = (
        f"  {TYPES[of.elements]} *{name}; void *{', *'.join(f'{name}_{n}' for n in range(memory.LENGTHS))};"
        for name, of in stated
    )
    address = '__attribute__((export_name("arrays"))) int64_t arrays(void) { return (uint32_t)&array; }'
    length = "#define LENGTH(name) ((uint32_t)(uintptr_t)array.name)"
    return "\n".join(["static struct {", *rows, "} array;", length, address])


class PrintingError(ValueError):
    """A piece of a program that cannot be printed as C."""


def refuse(node: ast.AST, why: str) -> NoReturn:
    """Raise `PrintingError` about a node."""
    raise PrintingError(f"line {getattr(node, 'lineno', '?')}: {ast.unparse(node)}: {why}")


@dataclass
class Source:
    """The functions, numbers and tables of numbers that texts of the subset define."""

    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    tables: dict[str, list[list[int]]] = field(default_factory=dict)

    def read(self, text: str) -> None:
        """Add what a text defines; imports, documentation and `f = compiled(f)` say nothing to C."""
        for node in ast.parse(text).body:
            match node:
                case ast.FunctionDef(name=name):
                    self.functions[name] = node
                case ast.Assign([ast.Name(name)], ast.Constant(int() as number)):
                    self.numbers[name] = int(number)
                case ast.Assign([ast.Name(name)], ast.Call(ast.Attribute(ast.Name("numpy"), "array"), [rows])):
                    self.tables[name] = ast.literal_eval(rows)
                case ast.Assign([ast.Name(name)], ast.Call(ast.Name("compiled"), [ast.Name(same)])) if name == same:
                    pass
                case ast.Expr(ast.Constant(str())) | ast.ImportFrom():
                    pass
                case _:
                    refuse(node, "only functions and numbers are printed")


class Module:
    """Functions in C; what several sources have in common is there once."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """The name in C of each text, in which the function itself is called `@`."""

    def add(self, source: Source, function: str, exported: bool = False) -> str:
        """Print a function of a source with all that it calls, and return its name in C."""
        return _Printer(self, source).name_of(function, exported)

    def name_text(self, name: str, text: str) -> str:
        """Return the name in C of a function with this text: the name given, with a number if that is another's."""
        if text not in self.names:
            taken, number, found = set(self.names.values()), 1, name
            while found in taken:
                number += 1
                found = f"{name}_{number}"
            self.names[text] = found
        return self.names[text]

    def __str__(self) -> str:
        return "\n".join([PRELUDE, _declare_arrays(), *(text.replace("@", name) for text, name in self.names.items()), ""])


class _Printer:
    """Prints the functions of one source into a module."""

    def __init__(self, module: Module, source: Source) -> None:
        self.module, self.source = module, source
        self.found: dict[str, str] = {}

    def name_of(self, function: str, exported: bool = False) -> str:
        """Return the name in C of a function, which is printed when it is first asked for."""
        if function not in self.found:
            self.found[function] = ""  # while it is printed
            text = _Function(self, self.source.functions[function]).text(exported)
            self.found[function] = self.module.name_text(_NUMBER.sub("", function), text)
        return self.found[function] or refuse(self.source.functions[function], "a function that calls itself")

    def table(self, name: str) -> str:
        """Return the name in C of a table of numbers."""
        rows = self.source.tables[name]
        values = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in rows)
        return self.module.name_text(name, f"static const int64_t @[{len(rows)}][{len(rows[0])}] = {{{values}}};")


class _Function:
    """Prints one function."""

    def __init__(self, printer: _Printer, node: ast.FunctionDef) -> None:
        self.printer, self.source, self.node = printer, printer.source, node
        self.parameters = [argument.arg for argument in node.args.args]
        stored = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
        self.locals = [name for name in dict.fromkeys(stored) if name not in self.parameters]
        self.names = _strip_numbers(name for name in (*self.parameters, *self.locals) if name not in memory.HANDED)
        self.temporaries = 0
        for name in (node.name, *self.parameters, *self.locals):
            if name in memory.ARRAYS or name in memory.MEMORY or (name in memory.HANDED and name not in self.parameters):
                refuse(node, f"the name {name} is that of an array")
            if name.startswith("_"):
                refuse(node, f"the name {name} might be that of a temporary")  # clang refuses keywords

    def text(self, exported: bool) -> str:
        """Print the function under the name `@`."""
        if not _always_returns(self.node.body) and _count_returned(self.node):
            refuse(self.node, "a function that returns a value always returns one")
        kind = {0: "void", 1: "int64_t", _TUPLE: "three"}[_count_returned(self.node)]
        written_out = any(isinstance(one, ast.Name) and one.id == "compiled" for one in self.node.decorator_list)
        inline = "static" if written_out else "static __attribute__((noinline))"
        how = '__attribute__((export_name("@")))' if exported else inline
        parameters = ", ".join(part for name in self.parameters for part in _declare(name, self.names.get(name, name)))
        local = [f"  int64_t {', '.join(f'{self.names[name]} = 0' for name in self.locals)};"] if self.locals else []
        return "\n".join([f"{how} {kind} @({parameters}) {{", *local, *self._block(self.node.body, 1), "}"])

    # Statements.

    def _block(self, body: Sequence[ast.stmt], depth: int) -> Iterator[str]:
        for statement in body:
            yield from (f"{'  ' * depth}{line}" for line in self._statement(statement))

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Expr(ast.Constant(str())) | ast.Pass():
                return []
            case ast.Expr(ast.Call() as call):
                return [f"{self._call(call)};"]
            case ast.Return(None):
                return ["return;"]
            case ast.Return(ast.Tuple(values)):
                return [f"return (three){{{', '.join(map(self._value, values))}}};"]
            case ast.Return(ast.expr() as value):
                return [f"return {self._value(value)};"]
            case ast.Assign(targets, value):
                return self._assign(targets, value)
            case ast.AugAssign(ast.Name(name), ast.FloorDiv(), value) if name in self.names:
                return [f"{self.names[name]} = quotient({self.names[name]}, {self._value(value)});"]
            case ast.AugAssign(target, operator, value) if type(operator) in _BINARY:
                return [f"{self._value(target)} {_BINARY[type(operator)]}= {self._value(value)};"]
            case ast.If(test, body, orelse):
                other = ["} else {", *self._block(orelse, 1)] if orelse else []
                return [f"if ({self._value(test)}) {{", *self._block(body, 1), *other, "}"]
            case ast.While(test, body, []):
                return [f"while ({self._value(test)}) {{", *self._block(body, 1), "}"]
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body, []) if len(bounds) < 3:
                first, last = ["0", *map(self._value, bounds)][-2:]
                at, end = self._temporary(), self._temporary()
                head = f"for (int64_t {at} = {first}, {end} = {last}; {at} < {end}; {at}++) {{"
                return [head, f"  {self.names[name]} = {at};", *self._block(body, 1), "}"]
            case ast.Continue():
                return ["continue;"]
        refuse(node, "no statement of the subset")

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr) -> list[str]:
        """Print an assignment, of several values after all of them are known."""
        match targets, value:
            case [ast.Tuple(several)], ast.Tuple(values) if len(several) == len(values):
                kept = [self._temporary() for _ in values]
                known = [f"  int64_t {name} = {self._value(one)};" for name, one in zip(kept, values, strict=True)]
                given = [f"  {self._value(one)} = {name};" for one, name in zip(several, kept, strict=True)]
                return ["{", *known, *given, "}"]
            case [ast.Tuple(several)], ast.Call() if len(several) == _TUPLE:
                kept = [self._temporary()]
                given = [f"  {self._value(one)} = {kept[0]}.item_{number};" for number, one in enumerate(several)]
                return ["{", f"  three {kept[0]} = {self._call(value)};", *given, "}"]
            case [ast.Name() | ast.Subscript() as only], _:
                return [f"{self._value(only)} = {self._value(value)};"]
            case _:
                name = self._temporary()
                given = [f"  {self._value(one)} = {name};" for one in targets]
                return ["{", f"  int64_t {name} = {self._value(value)};", *given, "}"]

    def _temporary(self) -> str:
        self.temporaries += 1
        return f"_{self.temporaries}"

    # Expressions.

    def _value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(bool() | int() as value):
                return f"INT64_C({int(value)})"
            case ast.Name(name) if name in self.names:
                return self.names[name]
            case ast.Name(name) if name in self.source.numbers:
                return f"INT64_C({self.source.numbers[name]})"
            case ast.BinOp(left, ast.FloorDiv(), right):
                return f"quotient({self._value(left)}, {self._value(right)})"
            case ast.BinOp(left, ast.Mod(), right):
                return f"rest({self._value(left)}, {self._value(right)})"
            case ast.BinOp(left, operator, right) if type(operator) in _BINARY:
                return f"({self._value(left)} {_BINARY[type(operator)]} {self._value(right)})"
            case ast.UnaryOp(operator, operand) if type(operator) in _UNARY:
                return f"({_UNARY[type(operator)]}{self._value(operand)})"
            case ast.BoolOp(operator, values):
                return f"({(' && ' if isinstance(operator, ast.And) else ' || ').join(map(self._value, values))})"
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARED:
                return f"({self._value(left)} {_COMPARED[type(operator)]} {self._value(right)})"
            case ast.IfExp(test, body, orelse):
                return f"({self._value(test)} ? {self._value(body)} : {self._value(orelse)})"
            case ast.Subscript(ast.Attribute(ast.Name(array), "shape"), ast.Constant(int() as dimension)):
                self._array(node, array, dimension + 1)
                return f"(int64_t){self._length(array, dimension)}"
            case ast.Subscript(ast.Name(name), where, context):
                element = self._element(node, name, where.elts if isinstance(where, ast.Tuple) else [where])
                return f"(int64_t){element}" if isinstance(context, ast.Load) else element
            case ast.Call():
                return self._call(node)
        refuse(node, "no expression of the subset, or a name whose type is not stated")

    def _array(self, node: ast.expr, name: str, dimensions: int) -> str:
        """Return the array of a name in C, which has so many dimensions at least."""
        known = name in self.parameters or name in memory.ARRAYS or name in memory.MEMORY
        stated = _array_type(name) if known else None
        if stated is None:
            refuse(node, f"the type of the array {name} is not stated in memory.ARRAYS")
        if stated.dimensions < dimensions:
            refuse(node, f"the array {name} has {stated.dimensions} dimensions")
        if name in memory.MEMORY:
            return f"(({TYPES[stated.elements]} *)0)"
        return name if name in self.parameters else f"array.{name}"

    def _length(self, name: str, dimension: int) -> str:
        if name in memory.MEMORY:
            return f"(uint32_t)(__builtin_wasm_memory_size(0) * ({PAGE} / sizeof({TYPES[memory.MEMORY[name].elements]})))"
        return f"{name}_{dimension}" if name in self.parameters else f"LENGTH({name}_{dimension})"

    def _element(self, node: ast.expr, name: str, where: Sequence[ast.expr]) -> str:
        """Print an element of an array, with a check of each index."""
        indices = list(map(self._value, where))
        if name in self.source.tables:
            rows = self.source.tables[name]
            return f"{self.printer.table(name)}[within({indices[0]}, {len(rows)})][within({indices[1]}, {len(rows[0])})]"
        if name == "at":  # column by column, each as long as PITCH
            row, column = indices
            whole = self._length(name, 0)
            return f"{self._array(node, name, 1)}[within({column} * {memory.PITCH} + within({row}, {memory.PITCH}), {whole})]"
        array, stated = self._array(node, name, len(where)), _array_type(name)
        if stated is None or len(where) != stated.dimensions:
            refuse(node, f"the array {name} has {stated.dimensions if stated else 0} dimensions")
        address = f"within({indices[0]}, {self._length(name, 0)})"
        for dimension, index in enumerate(indices[1:], 1):
            length = self._length(name, dimension)
            address = f"({address}) * {length} + within({index}, {length})"
        return f"{array}[{address}]"

    def _call(self, node: ast.Call) -> str:
        match node:
            case ast.Call(ast.Attribute(ast.Name("numpy"), "int64"), [value], []):
                return self._value(value)
            case ast.Call(ast.Name("first_descriptor"), [], []):
                return "(int64_t)(uintptr_t)&array"
            case ast.Call(ast.Name("min"), [left, right], []):
                return f"smaller({self._value(left)}, {self._value(right)})"
            case ast.Call(ast.Name(name), given, []) if name in self.source.functions:
                parameters = [argument.arg for argument in self.source.functions[name].args.args]
                if len(parameters) == len(given):
                    pairs = zip(parameters, given, strict=True)
                    return f"{self.printer.name_of(name)}({', '.join(self._argument(*pair) for pair in pairs)})"
        refuse(node, "a call of what is not printed")

    def _argument(self, parameter: str, given: ast.expr) -> str:
        stated = memory.HANDED.get(parameter)
        if stated is None:
            return self._value(given)
        if isinstance(given, ast.Subscript) and isinstance(given.value, ast.Name):  # a row of a matrix
            row, name = self._array(given, given.value.id, 2), given.value.id
            of_matrix, lengths = _array_type(name), (self._length(name, 0), self._length(name, 1))
            if of_matrix is None or stated != (of_matrix.elements, 1) or of_matrix.dimensions != stated.dimensions + 1:
                refuse(given, f"no row of the type of {parameter}")
            return f"({row} + within({self._value(given.slice)}, {lengths[0]}) * {lengths[1]}), {lengths[1]}"
        if not isinstance(given, ast.Name) or _array_type(given.id) != stated:
            refuse(given, f"no array of the type of {parameter}")
        array = self._array(given, given.id, stated.dimensions)
        return ", ".join([array, *(self._length(given.id, dimension) for dimension in range(stated.dimensions))])


def _array_type(name: str) -> memory.Array | None:
    """Return the type of an array, if its name is one of an array."""
    return memory.HANDED.get(name) or memory.ARRAYS.get(name) or memory.MEMORY.get(name)


def _strip_numbers(names: Iterable[str]) -> dict[str, str]:
    """Name variables anew without the numbers of generated equations, which change with what stands before them."""
    found: dict[str, str] = {}
    for name in names:
        stem, number = _NUMBER.sub("", name), 1
        plain = stem
        while plain in found.values() or _array_type(plain):
            number += 1
            plain = f"{stem}_{number}"
        found[name] = plain
    return found


def _declare(name: str, plain: str) -> list[str]:
    """Declare a parameter."""
    stated = memory.HANDED.get(name)
    if stated is None:
        return [f"int64_t {plain}"]
    return [f"{TYPES[stated.elements]} *{name}", *(f"uint32_t {name}_{dimension}" for dimension in range(stated.dimensions))]


def _count_returned(node: ast.FunctionDef) -> int:
    """Count the values that a function returns."""
    values = [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
    counts = {0 if value is None else len(value.elts) if isinstance(value, ast.Tuple) else 1 for value in values} or {0}
    if len(counts) > 1 or not counts <= {0, 1, _TUPLE}:
        refuse(node, f"a function returns one value, {_TUPLE} or none")
    return counts.pop()


def _always_returns(body: Sequence[ast.stmt]) -> bool:
    """Return whether some statements always end with a return."""
    match body[-1]:
        case ast.Return():
            return True
        case ast.If(_, inside, orelse):
            return bool(orelse) and _always_returns(inside) and _always_returns(orelse)
    return False


def list_numbers(module: Mapping[str, object]) -> dict[str, int]:
    """List the numbers that a module names in capital letters."""
    return {name: value for name, value in module.items() if name.isupper() and isinstance(value, int)}
