"""Generates functions from the statement's syntax tree: rewrites what reads `L`, and simplifies what a rulebook settles.

Each name in an equation stands for a *meaning*: a formula, the view that `L` is, the parts that a quantifier joins, or
a function within the equation. Local names are replaced by their meanings, except where that would repeat work.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, EnumMeta
from functools import cache
from types import SimpleNamespace
from typing import Any, NoReturn, TypeAlias

from satjudge.base.errors import SatjudgeError
from satjudge.judging.equations.formulas import (
    Kind,
    Writer,
    choice,
    comparison,
    conjunction,
    constant,
    disjunction,
    function_definition,
    has_loop,
    is_plain,
    is_short,
    name,
    negation,
    quantification,
    same_power,
)


class TranslationError(SatjudgeError):
    """An error for a construct in the statement that the generator does not support."""


@dataclass(frozen=True, slots=True)
class View:
    """A view for which `L` stands: the names of the variables that hold its values and the opposing ones."""

    values: str = "v"
    opposing: str = "o"

    def __invert__(self) -> View:
        return View(self.opposing, self.values)


@dataclass(frozen=True, slots=True)
class GeneratedParts:
    """The parts that a generator expression yields."""

    generator: ast.GeneratorExp
    scope: Scope


@dataclass(frozen=True, slots=True)
class InnerFunction:
    """A function within an equation."""

    definition: ast.FunctionDef
    scope: Scope


Parts: TypeAlias = "list[ast.expr | GeneratedParts]"
Meaning: TypeAlias = "ast.expr | View | Parts | InnerFunction"
Scope: TypeAlias = "dict[str, Meaning]"


def find_view(node: ast.expr, scope: Scope) -> View | None:
    """Return the view for which the expression `L` or `~L` stands in this scope; None for another expression."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        view = find_view(node.operand, scope)
        return ~view if view else None
    meaning = scope.get(node.id) if isinstance(node, ast.Name) else None
    return meaning if isinstance(meaning, View) else None


@cache
def count_uses(code: ast.AST) -> Mapping[str, int]:
    """Map each name to how often a syntax tree reads it; reading it in a comprehension counts as two."""
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
    """Raise `TranslationError`, which shows the code of a construct that the generator does not support."""
    raise TranslationError(f"the statement contains {ast.unparse(node)!r}, which cannot be compiled")


Choices: TypeAlias = tuple[tuple[str, Any], ...]
"""The options that the statement mentions, each as its name and the rulebook's choice."""

INLINED = 24
"""The maximum number of nodes of an equation that is inlined where it is used."""
_TERMS = ("path", "hold", "attack", "prevent", "defend", "is_convoyed", "head_to_head", "train_strength", "train_prevent")
"""The methods of a logic that are themselves equations."""

_ROUTE_METHODS = {
    "has_open_route": "has_open_route", "has_open_route_elsewhere": "has_open_route", "has_open_route_around": "has_open_route",
    "has_ordered_route": "has_ordered_route", "is_on_ordered_route": "is_on_ordered_route",
}  # fmt: skip
"""The methods of a logic about routes, each with the method of `MoveDecision` that finds the answer."""


class _EnumNaming(ast.NodeTransformer):
    """Replaces enumeration members by names such as `UnitKind.ARMY`."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        value: object = node.value  # anything: see `satjudge.judging.equations.formulas.constant`
        return ast.Attribute(name(type(value).__name__), value.name, ast.Load()) if isinstance(value, Enum) else node


class Generator:
    """A generator of functions for equations, and for the equations on which they depend."""

    def __init__(self, definitions: Mapping[str, ast.FunctionDef], names: Mapping[str, object], choices: Choices) -> None:
        self.definitions = definitions
        self.names = names
        self.rules = constant(SimpleNamespace(**dict(choices)))
        self.written: dict[str, ast.FunctionDef] = {}
        self.long: set[str] = set()
        """Equations that are called rather than inlined."""
        self.renamed = 0
        self.writer = Writer(self.written, lambda one: one not in names and not hasattr(builtins, one))

    def build_module(self) -> ast.Module:
        """Return a module of all functions generated so far."""
        named = (_EnumNaming().visit(written) for written in self.written.values())
        return ast.fix_missing_locations(ast.Module(list(named), []))

    def require(self, identifier: str) -> None:
        """Generate the function of an equation, and of all equations that it calls, unless it exists already."""
        if identifier in self.written:
            return
        definition = self.definitions[identifier]
        logic, *subjects = (argument.arg for argument in definition.args.args)
        self.written[identifier] = function_definition(identifier, ["v", "o", *subjects], [])
        scope: Scope = {logic: View(), **{one: name(one) for one in subjects}}
        assignments: list[ast.stmt] = []
        formula = self.translate_body(definition.body, scope, assignments, count_uses(definition))
        self.written[identifier].body = [*assignments, *self.writer.write_return(formula)]

    # Statements.

    def translate_body(
        self, statements: Sequence[ast.stmt], scope: Scope, assignments: list[ast.stmt], uses: Mapping[str, int]
    ) -> ast.expr:
        """Return the formula for the value that a function's statements return; add costly terms to `assignments`.

        Assignments of costly terms that are used more than once, as counted in `uses`, are added to `assignments`.
        """
        node, *rest = statements
        match node:
            case ast.Return(value=ast.expr() as value):
                return self.translate_expression(value, scope)
            case ast.If(test=condition, body=one, orelse=other):
                test = self.translate_expression(condition, scope)
                if isinstance(test, ast.Constant):
                    return self.translate_body([*(one if test.value else other), *rest], scope, assignments, uses)
                branches = (self.translate_body([*branch, *rest], dict(scope), assignments, uses) for branch in (one, other))
                return choice(test, *branches)
            case ast.Match(subject=subject, cases=cases):
                chosen = self.translate_expression(subject, scope)
                for case in cases:
                    if isinstance(case.pattern, ast.MatchValue) and _is_same_constant(
                        chosen, self.translate_expression(case.pattern.value, scope)
                    ):
                        return self.translate_body([*case.body, *rest], scope, assignments, uses)
                refuse(node)
            case ast.Assign(targets=[ast.Name(id=local)], value=value):
                scope[local] = self.find_meaning(local, value, scope, assignments, uses)
            case ast.FunctionDef(name=local):
                scope[local] = InnerFunction(node, scope)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=local), attr="append"), args=[part])):
                scope[local] = [*self.translate_parts(ast.Name(local), scope), self.translate_expression(part, scope)]
            case ast.Expr(value=ast.Constant()) | ast.Assert():  # the docstring; what types need
                pass
            case _:
                refuse(node)
        return self.translate_body(rest, scope, assignments, uses)

    def find_meaning(
        self, local: str, value: ast.expr, scope: Scope, assignments: list[ast.stmt], uses: Mapping[str, int]
    ) -> Meaning:
        """Return the meaning of a local name with this value; if the value is costly and used twice, add its assignment."""
        joined = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "chain"
        if isinstance(value, ast.GeneratorExp | ast.List) or joined:
            return self.translate_parts(value, dict(scope))
        formula = self.translate_expression(value, scope)
        works = any(isinstance(node, ast.Call | ast.ListComp) for node in ast.walk(formula)) or has_loop(formula)
        if uses[local] < 2 or not works:
            return formula
        assignments.append(ast.Assign([ast.Name(local, ast.Store())], self.writer.write_expression(formula)))
        return name(local)

    # Expressions.

    def translate_expression(self, node: ast.expr, scope: Scope) -> ast.expr:
        """Return the formula for an expression in the statement."""
        match node:
            case ast.Name(id=identifier):
                return self.translate_name(identifier, scope)
            case ast.Attribute(attr="rules"):
                return self.rules
            case ast.Attribute(value=value, attr=attribute):
                owner = self.translate_expression(value, scope)
                if isinstance(owner, ast.Constant):
                    return constant(getattr(owner.value, attribute))
                return ast.Attribute(owner, attribute, ast.Load())
            case ast.BoolOp(op=operator, values=values):
                join = conjunction if isinstance(operator, ast.And) else disjunction
                return join([self.translate_expression(value, scope) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negation(self.translate_expression(operand, scope))
            case ast.IfExp(test=test, body=one, orelse=other):
                return choice(*(self.translate_expression(part, scope) for part in (test, one, other)))
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                return comparison(self.translate_expression(left, scope), operator, self.translate_expression(right, scope))
            case ast.Tuple(elts=elements):
                found = [self.translate_expression(element, scope) for element in elements]
                known = [part.value for part in found if isinstance(part, ast.Constant)]
                return constant(tuple(known)) if len(known) == len(found) else ast.Tuple(found, ast.Load())
            case ast.Call(func=ast.Attribute(value=logic, attr=method)) if view := find_view(logic, scope):
                return self.translate_method(view, method, node, scope)
            case ast.Call(func=ast.Name(id=identifier), args=[logic, *arguments]) if view := find_view(logic, scope):
                return self.translate_call(identifier, view, [self.translate_expression(one, scope) for one in arguments])
            case ast.Call(func=ast.Name(id=identifier), args=arguments):
                found = [self.translate_expression(one, scope) for one in arguments]
                inner = scope.get(identifier)
                if not isinstance(inner, InnerFunction):
                    return ast.Call(name(identifier), found, [])
                if formula := self.inline_function(inner.definition, inner.scope, found):
                    return formula
            case ast.GeneratorExp() | ast.ListComp():
                return self.translate_comprehension(node, scope)
            case ast.Subscript(value=value, slice=position) if not any(count_uses(position).values()):
                return ast.Subscript(self.translate_expression(value, scope), position, ast.Load())
            case ast.Constant():
                return node
        refuse(node)

    def translate_name(self, identifier: str, scope: Scope) -> ast.expr:
        """Return the formula for the meaning that a name has in this scope."""
        match scope.get(identifier):
            case ast.expr() as formula:
                return formula
            case [GeneratedParts(generator, inner)]:
                return self.translate_comprehension(generator, inner)
            case None:
                value = self.names.get(identifier)
                return constant(value) if isinstance(value, EnumMeta) else name(identifier)
        raise TranslationError(f"{identifier} is used in a way that cannot be compiled")

    def translate_comprehension(self, node: ast.GeneratorExp | ast.ListComp, scope: Scope) -> ast.expr:
        """Return the formula for a comprehension whose elements do not depend on `L`."""
        inner = dict(scope)
        generators = []
        for one in node.generators:
            source = self.translate_expression(one.iter, inner)
            target = ast.Name(self.rename_target(one.target, inner).id, ast.Store())
            conditions = [self.translate_expression(condition, inner) for condition in one.ifs]
            generators.append(ast.comprehension(target, source, conditions, 0))
        return type(node)(self.translate_expression(node.elt, inner), generators)

    def rename_target(self, target: ast.expr, scope: Scope) -> ast.Name:
        """Give a comprehension's target a new, unique name in the scope, and return that name."""
        if not isinstance(target, ast.Name):
            refuse(target)
        self.renamed += 1
        scope[target.id] = name(f"{target.id}_{self.renamed}")
        return name(f"{target.id}_{self.renamed}")

    # The logic.

    def translate_method(self, view: View, method: str, node: ast.Call, scope: Scope) -> ast.expr:
        """Return the formula for a call of a `Logic` method, as it is defined for an adjudication."""
        if method in ("all_of", "any_of", "none_of"):
            kind: Kind = "all" if method == "all_of" else "any"
            parts = [self.translate_part(kind, one, scope) for one in self.translate_parts(node.args[0], scope)]
            joined = conjunction(parts) if kind == "all" else disjunction(parts)
            return negation(joined) if method == "none_of" else joined
        if method == "total":
            return self.translate_total(node.args[0], self.translate_parts(node.args[1], scope), scope)
        arguments = [self.translate_expression(argument, scope) for argument in node.args]
        match method, arguments:
            case _ if method in _TERMS:
                return self.translate_call(method, view, arguments)
            case "move" | "support" | "convoy", [subject]:
                index = ast.Attribute(subject, "index", ast.Load())
                return ast.Subscript(name(view.values), index, ast.Load())
            case "reach" | "passing" | "canal", [subject]:
                decision = {"reach": ".reaching", "passing": ".passing", "canal": ""}[method]
                index = ast.Attribute(
                    ast.Attribute(subject, decision[1:], ast.Load()) if decision else subject, "index", ast.Load()
                )
                return ast.Subscript(name(view.values), index, ast.Load())
            case _ if method in _ROUTE_METHODS:
                return self.translate_route_question(view, method, arguments)
            case "exceeds", [one, other]:
                return comparison(one, ast.Gt(), other)
            case "choose", [test, one, other]:
                return choice(test, one, other)
            case "zero", []:
                return constant(0)
            case "constant", [value]:
                return value
            case "is_chosen", [_]:
                return constant(True)
            case "is_occupied", [place]:
                return comparison(ast.Attribute(place, "unit", ast.Load()), ast.IsNot(), constant(None))
            case "supportable", [place]:
                return ast.Attribute(place, "supportable", ast.Load())
            case "same_power", [one, other]:
                return same_power(one, other)
        refuse(node)

    def translate_route_question(self, view: View, method: str, arguments: list[ast.expr]) -> ast.expr:
        """Return the call of the `MoveDecision` method that answers a question about a move's routes."""
        move, *rest = arguments
        searched = _ROUTE_METHODS[method]
        if searched != "has_open_route":
            return ast.Call(ast.Attribute(move, searched, ast.Load()), rest, [])
        if method == "has_open_route_around":
            rest = [constant(None), constant(None), *rest]
        return ast.Call(ast.Attribute(move, searched, ast.Load()), [name(view.values), *rest], [])

    def translate_parts(self, node: ast.expr, scope: Scope) -> Parts:
        """Return the translated parts in the argument of a quantifier such as `L.all_of`."""
        match node:
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return [self.translate_expression(element, scope) for element in elements]
            case ast.GeneratorExp():
                return [GeneratedParts(node, scope)]
            case ast.Call(func=ast.Name(id="chain"), args=arguments):
                return [part for argument in arguments for part in self.translate_parts(argument, scope)]
            case ast.Name(id=identifier) if isinstance(meaning := scope.get(identifier), list):
                return meaning
            case ast.Call(func=ast.Name(id=identifier), args=[logic, *arguments]) if identifier in self.definitions:
                return self.translate_equation_parts(self.definitions[identifier], find_view(logic, scope), arguments, scope)
            case ast.Call(func=ast.Attribute(value=logic, attr=identifier), args=arguments) if identifier in self.definitions:
                return self.translate_equation_parts(self.definitions[identifier], find_view(logic, scope), arguments, scope)
        refuse(node)

    def translate_equation_parts(
        self, definition: ast.FunctionDef, view: View | None, arguments: list[ast.expr], scope: Scope
    ) -> Parts:
        """Return the translated parts of an equation that yields several truth values, such as `exceeds_rivals`."""
        match definition.body[-1]:
            case ast.Return(value=ast.expr() as value) if view:
                logic, *subjects = (argument.arg for argument in definition.args.args)
                meanings = (self.translate_expression(argument, scope) for argument in arguments)
                return self.translate_parts(value, {logic: view, **dict(zip(subjects, meanings, strict=True))})
        refuse(definition)

    def translate_part(self, kind: Kind, part: ast.expr | GeneratedParts, scope: Scope, base: int = 0) -> ast.expr:
        """Return the formula for one part of a quantifier of this kind; a generator expression becomes a loop."""
        if not isinstance(part, GeneratedParts):
            return part
        inner = dict(part.scope)
        targets, sources, conditions = [], [], []
        for one in part.generator.generators:
            sources.append(self.translate_expression(one.iter, inner))
            targets.append(self.rename_target(one.target, inner))
            conditions += [self.translate_expression(condition, inner) for condition in one.ifs]
        if any(isinstance(condition, ast.Constant) and not condition.value for condition in conditions):
            return quantification(kind, targets, sources, constant(kind == "all"), base)  # the rules of this map do not need it
        element = self.translate_expression(part.generator.elt, inner)
        restricted = (
            disjunction([*map(negation, conditions), element]) if kind == "all" else conjunction([*conditions, element])
        )
        return quantification(kind, targets, sources, restricted, base)

    def translate_total(self, base: ast.expr, parts: Parts, scope: Scope) -> ast.expr:
        """Return the formula for `base` plus the number of parts that hold."""
        known = [part for part in parts if isinstance(part, ast.Constant)]
        single = [part for part in parts if isinstance(part, ast.expr) and not isinstance(part, ast.Constant)]
        loops = [part for part in parts if isinstance(part, GeneratedParts)]
        if not isinstance(base, ast.Constant) or len(loops) > 1:
            refuse(base)
        base = constant(base.value + sum(bool(part.value) for part in known))  # type: ignore[operator]
        counted = self.translate_part("total", loops[0], scope, base.value) if loops else base  # type: ignore[arg-type]
        for part in single:
            counted = ast.BinOp(counted, ast.Add(), choice(part, constant(1), constant(0)))
        return counted

    def translate_call(self, identifier: str, view: View, arguments: list[ast.expr]) -> ast.expr:
        """Return the formula of an equation with these arguments: its body if short, else a call of its generated function."""
        if identifier not in self.definitions:
            raise TranslationError(f"{identifier} is not an equation of the statement")
        if identifier not in self.long and all(map(is_plain, arguments)):
            definition = self.definitions[identifier]
            found = self.inline_function(definition, {definition.args.args[0].arg: view}, arguments)
            if found is not None and is_short(found, INLINED) and (isinstance(found, ast.Call) or not _has_search(found)):
                return found
        self.long.add(identifier)
        self.require(identifier)
        return ast.Call(name(identifier), [name(view.values), name(view.opposing), *arguments], [])

    def inline_function(self, definition: ast.FunctionDef, scope: Scope, arguments: list[ast.expr]) -> ast.expr | None:
        """Return a function's body with these arguments for its last parameters; None if it needs assignments."""
        parameters = definition.args.args[len(definition.args.args) - len(arguments) :]
        inner = scope | {parameter.arg: argument for parameter, argument in zip(parameters, arguments, strict=True)}
        assignments: list[ast.stmt] = []
        formula = self.translate_body(definition.body, inner, assignments, count_uses(definition))
        return None if assignments else formula


def _has_search(formula: ast.expr) -> bool:
    """Return whether a formula searches convoy routes, in which case it should be called, not inlined."""
    searched = (node.attr for node in ast.walk(formula) if isinstance(node, ast.Attribute))
    return not {*_ROUTE_METHODS.values()}.isdisjoint(searched)


def _is_same_constant(one: ast.expr, other: ast.expr) -> bool:
    return isinstance(one, ast.Constant) and isinstance(other, ast.Constant) and one.value is other.value
