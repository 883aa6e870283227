"""Builds formulas, which are Python expressions: folds constants, moves negations inwards, and turns quantifiers into loops.

The generator of the compiled equations (`satjudge.judging.equations.generator`) builds formulas with the functions in the first
half of this module; the second half writes a formula as the body of a function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["all", "any", "total"]


class Loop(ast.expr):
    """A quantifier: `element` holds for all or any values of the targets, or `base` plus the number of times it holds."""

    _fields = ("targets", "sources", "element")
    targets: list[ast.Name]
    sources: list[ast.expr]
    """The values of each target; a later source may use earlier targets."""
    element: ast.expr
    kind: Kind
    base: int

    def __init__(self, kind: Kind, targets: list[ast.Name], sources: list[ast.expr], element: ast.expr, base: int = 0) -> None:
        super().__init__()
        self.kind, self.targets, self.sources, self.element, self.base = kind, targets, sources, element, base


def constant(value: object) -> ast.Constant:
    """Return the formula for a known value of any type; finished formulas contain only truth values and numbers."""
    return ast.Constant(value)  # type: ignore[arg-type]


def name(identifier: str) -> ast.Name:
    """Return the formula that reads the local name `identifier`."""
    return ast.Name(identifier, ast.Load())


def conjunction(parts: Sequence[ast.expr]) -> ast.expr:
    """Return the formula that joins the parts by `and`, simplified."""
    return _join_parts(ast.And(), parts, neutral=True)


def disjunction(parts: Sequence[ast.expr]) -> ast.expr:
    """Return the formula that joins the parts by `or`, simplified."""
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


def choice(test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
    """Return the formula `then if test else otherwise`, simplified."""
    match test, then, otherwise:
        case ast.Constant(value=value), _, _:
            return then if value else otherwise
        case _, ast.Constant(value=bool(value)), _:
            return disjunction([test, otherwise]) if value else conjunction([negation(test), otherwise])
        case _, _, ast.Constant(value=bool(value)):
            return disjunction([negation(test), then]) if value else conjunction([test, then])
    return ast.IfExp(test, then, otherwise)


def comparison(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    """Return the formula `left operator right`, or its value for constants compared by `is`, `in` (or negated) or `>`."""
    if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
        match operator:
            case ast.Is() | ast.IsNot():
                return constant((left.value is right.value) is isinstance(operator, ast.Is))
            case ast.In() | ast.NotIn():
                return constant((left.value in right.value) is isinstance(operator, ast.In))  # type: ignore[operator]
            case ast.Gt():
                return constant(left.value > right.value)  # type: ignore[operator]
    return ast.Compare(left, [operator], [right])


def same_power(one: ast.expr, other: ast.expr) -> ast.expr:
    """Return the formula that is true if places have units of the same power; both places are formulas."""
    units = [ast.Attribute(place, "unit", ast.Load()) for place in (one, other)]
    there = [comparison(unit, ast.IsNot(), constant(None)) for unit in units]
    powers = [ast.Attribute(unit, "power", ast.Load()) for unit in units]
    return conjunction([*there, comparison(powers[0], ast.Eq(), powers[1])])


def quantification(kind: Kind, targets: list[ast.Name], sources: list[ast.expr], element: ast.expr, base: int = 0) -> ast.expr:
    """Return the formula that `element` holds for all or any values of the targets, or of `base` plus how often it holds."""
    if isinstance(element, ast.Constant):
        holds = bool(element.value)
        if kind == "total" and not holds:
            return constant(base)
        if kind != "total" and holds is (kind == "all"):
            return constant(holds)
        if kind != "total" and len(sources) == 1 and is_plain(sources[0]):  # it only matters whether there are any values
            return sources[0] if kind == "any" else negation(sources[0])
    return Loop(kind, targets, sources, element, base)


def is_plain(formula: ast.expr) -> bool:
    """Return whether a formula is a constant, a name, or an attribute of a name, which costs almost nothing to read."""
    while isinstance(formula, ast.Attribute):
        formula = formula.value
    return isinstance(formula, ast.Name | ast.Constant)


def has_loop(formula: ast.AST) -> bool:
    """Return whether a formula contains a quantifier (`Loop`)."""
    return any(isinstance(node, Loop) for node in ast.walk(formula))


def is_short(formula: ast.AST, nodes: int) -> bool:
    """Return whether the syntax tree of a formula has at most this number of nodes."""
    counted = (node for node in ast.walk(formula) if not isinstance(node, ast.expr_context))
    return next(islice(counted, nodes, None), None) is None


def free_names(formula: ast.AST) -> list[str]:
    """List the names that a formula reads but does not bind, each once, in the order of the syntax tree."""
    nodes = list(ast.walk(formula))
    bound = {target.id for node in nodes if isinstance(node, Loop) for target in node.targets}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return list(dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name) and node.id not in bound))


def function_definition(identifier: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """Return the definition of a function with this name, these positional parameters and this body."""
    arguments = ast.arguments([], [ast.arg(parameter) for parameter in parameters], None, [], [], None, [])
    return ast.FunctionDef(identifier, arguments, body, [])


class Writer:
    """A writer of formulas as function bodies; it turns each loop inside an expression into a function of its own."""

    def __init__(self, functions: dict[str, ast.FunctionDef], is_local: Callable[[str], bool]) -> None:
        self.functions = functions
        """The functions written so far, by name."""
        self.is_local = is_local
        """Returns whether a name is local, so that it must be passed to these functions."""

    def write_return(self, formula: ast.expr) -> list[ast.stmt]:
        """Return statements that return the value of a formula."""
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
        """Return statements that return the truth value `early` if the formula has it, and otherwise go on."""
        match formula:
            case Loop(kind=kind) if (kind == "any") is early:
                return [self._nest_loops(formula, self._write_early_return(formula.element, early))]
            case ast.BoolOp(op=operator, values=parts) if isinstance(operator, ast.Or) is early and has_loop(formula):
                return list(chain.from_iterable(self._write_early_return(part, early) for part in parts))
        test = formula if early else negation(formula)
        return [ast.If(self.write_expression(test), [ast.Return(constant(early))], [])]

    def write_expression(self, formula: ast.expr) -> ast.expr:
        """Return the formula with each loop replaced by a call of a new function, which is added to `functions`.

        If a loop has no values, its function is not called.
        """
        return _LoopLifter(self).visit(formula)  # type: ignore[no-any-return]

    def lift_loop(self, loop: Loop) -> ast.expr:
        """Add a function for a loop to `functions`, and return a formula that calls it."""
        parameters = [one for one in free_names(loop) if self.is_local(one)]
        identifier = f"{loop.kind}_{len(self.functions)}"
        self.functions[identifier] = function_definition(identifier, parameters, [])  # before inner loops can take the number
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
