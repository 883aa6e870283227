"""Builds Python expressions as formulas: constants are folded, negations moved inwards, quantifiers turned into loops.

The generator of the compiled equations (`satjudge.judging.equations.generator`) builds formulas with the functions of the first
half; the second half writes a formula as the body of a function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["all", "any", "total"]


class Loop(ast.expr):
    """A quantifier over targets: `element` holds for all or any of their values, or is counted from `base`."""

    _fields = ("targets", "sources", "element")
    targets: list[ast.Name]
    sources: list[ast.expr]
    """The values that each target runs through; a later one may speak of earlier targets."""
    element: ast.expr
    kind: Kind
    base: int

    def __init__(self, kind: Kind, targets: list[ast.Name], sources: list[ast.expr], element: ast.expr, base: int = 0) -> None:
        super().__init__()
        self.kind, self.targets, self.sources, self.element, self.base = kind, targets, sources, element, base


def constant(value: object) -> ast.Constant:
    """Return the formula of a known value, of any type; finished formulas hold only truth values and numbers."""
    return ast.Constant(value)  # type: ignore[arg-type]


def name(identifier: str) -> ast.Name:
    """Return the formula that reads a local name."""
    return ast.Name(identifier, ast.Load())


def conjunction(parts: Sequence[ast.expr]) -> ast.expr:
    """Return the formula `a and b …`, simplified."""
    return _join_parts(ast.And(), parts, neutral=True)


def disjunction(parts: Sequence[ast.expr]) -> ast.expr:
    """Return the formula `a or b …`, simplified."""
    return _join_parts(ast.Or(), parts, neutral=False)


def _join_parts(operator: ast.boolop, parts: Sequence[ast.expr], *, neutral: bool) -> ast.expr:
    kept: list[ast.expr] = []
    for part in parts:
        if isinstance(part, ast.Constant):
            if bool(part.value) is not neutral:
                return constant(not neutral)
        elif isinstance(part, ast.BoolOp) and type(part.op) is type(operator):
            kept += part.values
        else:
            kept.append(part)
    if not kept:
        return constant(neutral)
    return kept[0] if len(kept) == 1 else ast.BoolOp(operator, kept)


_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip


def negation(formula: ast.expr) -> ast.expr:
    """Return the negated formula, with `not` moved inwards as far as possible, so that loops can stop early."""
    match formula:
        case ast.Constant(value=value):
            return constant(not value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.BoolOp(op=operator, values=parts):
            join = disjunction if isinstance(operator, ast.And) else conjunction
            return join([negation(part) for part in parts])
        case ast.IfExp(test=test, body=one, orelse=other):
            return choice(test, negation(one), negation(other))
        case ast.Compare(left=left, ops=[operator], comparators=right) if type(operator) in _OPPOSITES:
            return ast.Compare(left, [_OPPOSITES[type(operator)]()], right)
        case Loop(kind="all" | "any"):
            opposite: Kind = "any" if formula.kind == "all" else "all"
            return quantification(opposite, formula.targets, formula.sources, negation(formula.element))
    return ast.UnaryOp(ast.Not(), formula)


def choice(test: ast.expr, one: ast.expr, other: ast.expr) -> ast.expr:
    """Return the formula `one if test else other`, simplified."""
    match test, one, other:
        case ast.Constant(value=value), _, _:
            return one if value else other
        case _, ast.Constant(value=bool(value)), _:
            return disjunction([test, other]) if value else conjunction([negation(test), other])
        case _, _, ast.Constant(value=bool(value)):
            return disjunction([negation(test), one]) if value else conjunction([test, one])
    return ast.IfExp(test, one, other)


def comparison(one: ast.expr, operator: ast.cmpop, other: ast.expr) -> ast.expr:
    """Return the formula `one operator other`, or its value if both sides are constants."""
    if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        match operator:
            case ast.Is() | ast.IsNot():
                return constant((one.value is other.value) is isinstance(operator, ast.Is))
            case ast.In() | ast.NotIn():
                return constant((one.value in other.value) is isinstance(operator, ast.In))  # type: ignore[operator]
            case ast.Gt():
                return constant(one.value > other.value)  # type: ignore[operator]
    return ast.Compare(one, [operator], [other])


def same_power(one: ast.expr, other: ast.expr) -> ast.expr:
    """Return the formula that units of one power stand at both places."""
    units = [ast.Attribute(place, "unit", ast.Load()) for place in (one, other)]
    there = [comparison(unit, ast.IsNot(), constant(None)) for unit in units]
    powers = [ast.Attribute(unit, "power", ast.Load()) for unit in units]
    return conjunction([*there, comparison(powers[0], ast.Eq(), powers[1])])


def quantification(kind: Kind, targets: list[ast.Name], sources: list[ast.expr], element: ast.expr, base: int = 0) -> ast.expr:
    """Return the formula that the element holds for all or any targets, or counts those for which it holds."""
    if isinstance(element, ast.Constant):
        holds = bool(element.value)
        if kind == "total" and not holds:
            return constant(base)
        if kind != "total" and holds is (kind == "all"):
            return constant(holds)
        if kind != "total" and len(sources) == 1 and is_plain(sources[0]):  # is there anything at all?
            return sources[0] if kind == "any" else negation(sources[0])
    return Loop(kind, targets, sources, element, base)


def is_plain(formula: ast.expr) -> bool:
    """Return whether a formula is a name or an attribute of one, which costs almost nothing to read."""
    while isinstance(formula, ast.Attribute):
        formula = formula.value
    return isinstance(formula, ast.Name | ast.Constant)


def has_loop(formula: ast.AST) -> bool:
    """Return whether a formula contains a quantifier."""
    return any(isinstance(node, Loop) for node in ast.walk(formula))


def is_short(formula: ast.AST, nodes: int) -> bool:
    """Return whether a formula has at most this number of nodes."""
    counted = (node for node in ast.walk(formula) if not isinstance(node, ast.expr_context))
    return next(islice(counted, nodes, None), None) is None


def free_names(formula: ast.AST) -> list[str]:
    """List the names that a formula reads but does not bind, in the order in which it reads them."""
    nodes = list(ast.walk(formula))
    bound = {target.id for node in nodes if isinstance(node, Loop) for target in node.targets}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return list(dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name) and node.id not in bound))


def function_definition(identifier: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """Return the definition of a function with these positional parameters and this body."""
    arguments = ast.arguments([], [ast.arg(one) for one in parameters], None, [], [], None, [])
    return ast.FunctionDef(identifier, arguments, body, [])


class Writer:
    """A writer of formulas as function bodies, which turns a loop inside an expression into a function."""

    def __init__(self, functions: dict[str, ast.FunctionDef], is_local: Callable[[str], bool]) -> None:
        self.functions = functions
        """The functions written so far, by name."""
        self.is_local = is_local
        """Whether a name must be passed to these functions."""

    def write_return(self, formula: ast.expr) -> list[ast.stmt]:
        """Return the statements that return a formula's value."""
        match formula:
            case Loop():
                return self._write_loop(formula)
            case ast.BoolOp(op=operator, values=[*firsts, last]) if has_loop(formula):
                early = isinstance(operator, ast.Or)
                return [
                    *chain.from_iterable(self._write_early_return(part, early) for part in firsts),
                    *self.write_return(last),
                ]
            case ast.IfExp(test=test, body=one, orelse=other) if has_loop(formula):
                return [ast.If(self.write_expression(test), self.write_return(one), []), *self.write_return(other)]
        return [ast.Return(self.write_expression(formula))]

    def _write_loop(self, loop: Loop) -> list[ast.stmt]:
        if loop.kind != "total":
            early = loop.kind == "any"
            return [self._nest_loops(loop, self._write_early_return(loop.element, early)), ast.Return(constant(not early))]
        more: ast.stmt = ast.AugAssign(ast.Name("n", ast.Store()), ast.Add(), constant(1))
        if not isinstance(loop.element, ast.Constant):
            more = ast.If(self.write_expression(loop.element), [more], [])
        start = ast.Assign([ast.Name("n", ast.Store())], constant(loop.base))
        return [start, self._nest_loops(loop, [more]), ast.Return(name("n"))]

    def _nest_loops(self, loop: Loop, body: list[ast.stmt]) -> ast.stmt:
        for target, source in reversed(list(zip(loop.targets, loop.sources, strict=True))):
            body = [ast.For(ast.Name(target.id, ast.Store()), source, body, [])]
        return body[0]

    def _write_early_return(self, formula: ast.expr, early: bool) -> list[ast.stmt]:
        """Return statements that return `early` if the formula has that value, and continue otherwise."""
        match formula:
            case Loop(kind=kind) if (kind == "any") is early:
                return [self._nest_loops(formula, self._write_early_return(formula.element, early))]
            case ast.BoolOp(op=operator, values=parts) if isinstance(operator, ast.Or) is early and has_loop(formula):
                return list(chain.from_iterable(self._write_early_return(part, early) for part in parts))
        test = formula if early else negation(formula)
        return [ast.If(self.write_expression(test), [ast.Return(constant(early))], [])]

    def write_expression(self, formula: ast.expr) -> ast.expr:
        """Return a formula in which calls of new functions replace the loops.

        The function of a loop over nothing is not called.
        """
        return _LoopLifter(self).visit(formula)  # type: ignore[no-any-return]

    def lift_loop(self, loop: Loop) -> ast.expr:
        """Add a function for a loop to `functions`, and return a call of it."""
        parameters = [one for one in free_names(loop) if self.is_local(one)]
        identifier = f"{loop.kind}_{len(self.functions)}"
        self.functions[identifier] = function_definition(identifier, parameters, [])  # before those within it take the number
        self.functions[identifier].body = self._write_loop(loop)
        call = ast.Call(name(identifier), [name(one) for one in parameters], [])
        source = loop.sources[0]
        if not is_plain(source):
            return call
        if loop.kind == "total":
            return choice(source, call, constant(loop.base))
        return conjunction([source, call]) if loop.kind == "any" else disjunction([negation(source), call])


class _LoopLifter(ast.NodeTransformer):
    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def visit_Loop(self, loop: Loop) -> ast.expr:
        return self.writer.lift_loop(loop)
