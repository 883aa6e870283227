"""Rewrites the generated equations, which speak of places and decisions, so that they read rows of one matrix.

`satjudge.judging.equations.compiled` makes plain Python functions from the statement of the equations. Here each of their
expressions about an object becomes one about a row of the matrix (`satjudge.bulk.arrays`), and each loop over a collection one
that follows the numbers in it; nothing else changes. What is not known here is refused, so that no equation is passed over in
silence.
`translated_equations(rulebook)` shows what is written.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy

from satjudge.judging.equations import compiled
from satjudge.judging.equations.formulas import function, name
from satjudge.judging.equations.meanings import TranslationError, refuse
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import (
    AttackOrigin,
    ConvoyPaths,
    DisorderSupport,
    IllegalOrders,
    ImplicitOrders,
    LandFallback,
)

_PLACES = {
    "origin": "PLACE", "place": "PLACE", "destination": "DESTINATION", "supported": "SUPPORTED", "directed_at": "DESTINATION",
    "owner": "OWNER",
}  # fmt: skip
_FLAGS = {
    "by_land": "BY_LAND", "might_be_convoyed": "MIGHT_BE_CONVOYED", "supports_hold": "SUPPORTS_HOLD",
    "via_convoy": "VIA_CONVOY",
}  # fmt: skip
_SINGLE = {"moves_out": "MOVE_OUT", "opposed": "OPPOSED", "matches": "MATCH"}
"""The rows of collections of at most one, such as the order of a place: the index of the one, or -1."""
_LINKED = {
    "moves_in": ("FIRST_MOVE_IN", "NEXT_MOVE_IN"), "hold_supports": ("FIRST_HOLD_SUPPORT", "NEXT_SUPPORT"),
    "supports": ("FIRST_SUPPORT", "NEXT_SUPPORT"), "convoys": ("FIRST_CONVOY", "NEXT_CONVOY"),
}  # fmt: skip
"""The rows of collections of any size: a row with the first one or -1, and a row with the next one after each."""
_KINDS = {"MoveDecision": "MOVE", "SupportDecision": "SUPPORT", "ConvoyDecision": "CONVOY"}
_NOT_IN_THE_MATRIX: dict[Callable[[Rulebook], object], str] = {
    lambda rulebook: rulebook.railroads: "the arrays have no trains (DATC 2.4, 7.B)",
    lambda rulebook: rulebook.canals: "the arrays have no canals (DATC 2.4, 7.C)",
    lambda rulebook: rulebook.difficult_borders: "the arrays have no difficult borders (DATC 2.4, 10)",
    lambda rulebook: rulebook.implicit_orders is not ImplicitOrders.IGNORED: "no orders are added to those given (4.E.3)",
    lambda rulebook: rulebook.convoy_paths is not ConvoyPaths.IGNORED: "the arrays have no convoy paths (4.A.6)",
    lambda rulebook: (
        rulebook.land_fallback is LandFallback.IMPOSSIBLE
    ): "the arrays have convoys of ordered fleets alone (4.A.3)",
    lambda rulebook: rulebook.head_to_head_origin is not AttackOrigin.START: "nobody meets at sea (4.A.4)",
}
_KINDS_OF_UNITS = {"unit.kind": "OF_FLEET", "supported.kind": "HELPS_FLEET"}
_ROUTE = "route_"
"""The prefix of names of single routes; other names of routes are sets of them."""
_OPERATORS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Is: ast.Eq(), ast.IsNot: ast.NotEq(), ast.In: ast.Eq(), ast.NotIn: ast.NotEq(),
}  # fmt: skip

_READING = """
@compiled
def read(at, view, d):
    at[READ, d] = 1
    return at[view, d] == 1
""".strip()


def translated_equations(rulebook: Rulebook) -> str:
    """Write the functions of the equations under a rulebook, as text.

    Raises `TranslationError`.
    """
    for reads, why in _NOT_IN_THE_MATRIX.items():
        if reads(rulebook):
            raise TranslationError(why)
    module = ast.parse(compiled.source(rulebook, listing=True))
    functions = {node.name for node in [*_helpers(module), *module.body] if isinstance(node, ast.FunctionDef)}
    all_supportable = rulebook.disorder_support is DisorderSupport.GIVEN and rulebook.illegal_orders is IllegalOrders.IGNORED
    written = [_READING]
    for noting in (False, True):
        translation = _Translation({*functions}, noting=noting, all_supportable=all_supportable)
        for node in [*_helpers(module), *module.body]:
            translated_node = translation.visit(deepcopy(node))
            written += [ast.unparse(ast.fix_missing_locations(one)) for one in (*translation.parts, translated_node)]
            translation.parts.clear()
    return "\n\n".join(written)


def _helpers(module: ast.Module) -> list[ast.FunctionDef]:
    """List the functions of the statement that the equations call and that are no equations."""
    called = {node.func.id for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    stated = {node.name: node for node in ast.parse(compiled.statement_source()).body if isinstance(node, ast.FunctionDef)}
    defined = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    return [stated[one] for one in sorted(called & stated.keys() - defined)]


def _others(node: ast.expr, bound: str) -> list[str]:
    """List the local names that an expression reads, except one."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and not part.id[0].isupper()]
    inner = {
        part.target.id for part in ast.walk(node) if isinstance(part, ast.comprehension) and isinstance(part.target, ast.Name)
    }
    return [one for one in dict.fromkeys(names) if one not in ("any", bound, *inner)]


class _Translation(ast.NodeTransformer):
    """Rewrites functions of the equations; nodes that no method handles stay as they are."""

    def __init__(self, functions: set[str], *, noting: bool, all_supportable: bool) -> None:
        self.functions = functions
        self.noting = noting
        self.all_supportable = all_supportable
        self.parts: list[ast.FunctionDef] = []
        """Functions that were written for parts of others."""
        self.written = 0
        """Whether functions note which decisions they read; these have another name, and are not in a hurry."""

    def _name(self, function: str) -> str:
        return f"{function}_noting" if self.noting else function

    # Functions and loops.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Give a function the matrix as its first argument."""
        node.args.args = [ast.arg("at"), *(ast.arg(argument.arg) for argument in node.args.args)]
        node.returns = None
        node.decorator_list = [name("called" if self.noting else "compiled")]
        node.name = self._name(node.name)
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        """Rewrite a loop over a collection as one that follows the numbers of its members."""
        target = ast.unparse(node.target)
        match node.iter:
            case ast.GeneratorExp(elt=ast.Name(), generators=[ast.comprehension(target=inner, iter=source, ifs=conditions)]):
                chosen = ast.If(ast.BoolOp(ast.And(), [*conditions, ast.Constant(True)]), node.body, [])
                named = ast.Assign([node.target], name(ast.unparse(inner)), lineno=0)
                return self.visit_For(ast.For(inner, source, [named, chosen], []))
            case ast.Tuple(elts=[]):
                return [ast.Pass()]
        body = ast.unparse([self.visit(statement) for statement in node.body])  # type: ignore[arg-type]
        match node.iter:
            case ast.Attribute(value=ast.Attribute(attr=place) as base, attr="convoys") if place in _PLACES:
                return _parsed(f"{target} = at[CONVOY_AT, {self._text(base)}]", f"if {target} >= 0:", body)
            case ast.Attribute(value=base, attr=kind) if kind in _LINKED:
                first, following = _LINKED[kind]
                start, step = f"at[{first}, {self._text(base)}]", f"{target} = at[{following}, {target}]"
                return _parsed(f"{target} = {start}", f"while {target} >= 0:", body, step)
            case ast.Attribute(value=base, attr=kind) if kind in _SINGLE:
                return _parsed(f"{target} = at[{_SINGLE[kind]}, {self._text(base)}]", f"if {target} >= 0:", body)
            case ast.Attribute(value=base, attr="routes"):
                return _parsed(f"for {target} in range({self._bounds('FIRST_ROUTE', self._text(base))}):", body)
            case ast.Name(id=routes) if routes == "routes":
                return _parsed(f"for {target} in range(MOST_ROUTES):", f"if {routes} >> {target} & 1:", body)
            case ast.Name(id=route):
                leg = f"{target} = at[LEG, leg]"
                return _parsed(f"for leg in range({self._bounds('FIRST_LEG', route)}):", leg, body)
        refuse(node.iter)

    # Expressions.

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Rewrite a call so that it passes the matrix on, or a test of the kind of a decision."""
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=subject), ast.Name(id=kind)]) if kind in _KINDS:
                return self._expression(f"at[KIND, {subject}] == {_KINDS[kind]}")
            case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=test, generators=[ast.comprehension() as one])]):
                return self._any(test, one)
            case ast.Call(func=ast.Name(id=function)) if function in self.functions:
                return ast.Call(name(self._name(function)), [name("at"), *map(self.visit, node.args)], [])
        refuse(node)

    def _any(self, test: ast.expr, one: ast.comprehension) -> ast.expr:
        """Rewrite a test of whether a condition holds for some convoy of a route, as a function of its own."""
        if not isinstance(one.iter, ast.Name) or not isinstance(one.target, ast.Name) or one.ifs:
            refuse(one.iter)
        inside = ast.For(one.target, one.iter, [ast.If(test, [ast.Return(ast.Constant(True))], [])], [])
        return self._apart([inside, ast.Return(ast.Constant(False))], [one.iter.id, *_others(test, one.target.id)])

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """Rewrite a selection of a move's routes as the bits of a number."""
        match node:
            case ast.ListComp(
                elt=ast.Name(), generators=[ast.comprehension(target=ast.Name(id=route), iter=source, ifs=[test])]
            ):
                chosen = ast.parse(f"if False:\n    found = found | 1 << {route}").body[0]
                assert isinstance(chosen, ast.If)
                chosen.test = test
                loop = ast.For(name(route), source, [chosen], [])
                found = ast.parse("found = 0\nreturn found").body
                return self._apart([found[0], loop, found[1]], [*_others(source, ""), *_others(test, route)])
        refuse(node)

    def _apart(self, body: list[ast.stmt], parameters: list[str]) -> ast.expr:
        """Write a call of a new function with this body."""
        self.written += 1
        identifier = f"part_{self.written}"
        parameters = list(dict.fromkeys(parameters))
        written = function(identifier, parameters, body)
        self.functions.add(identifier)
        self.parts.append(self.visit_FunctionDef(written))
        return self._expression(f"{self._name(identifier)}(at, {', '.join(parameters)})")

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Rewrite the value of a decision, noted as read where truth tables of cores ask for that."""
        if isinstance(node.value, ast.Name) and node.value.id in ("v", "o"):
            view, d = node.value.id, self._text(node.slice)
            return self._expression(f"read(at, {view}, {d})" if self.noting else f"at[{view}, {d}] == 1")
        refuse(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Rewrite an attribute of an object as a row; of a collection, as whether there is anything in it."""
        base, attribute = node.value, node.attr
        if attribute == "index":
            return self.visit(base)  # type: ignore[no-any-return]
        if attribute == "supportable":
            if self.all_supportable:
                return ast.Constant(True)
            return self._expression(f"at[UNSUPPORTABLE, {self._text(base)}] < 0")
        if attribute == "via_convoy" and isinstance(base, ast.Attribute) and base.attr == "order":
            base = base.value
        if attribute == "power" and isinstance(base, ast.Attribute) and base.attr == "unit":
            base, attribute = base.value, "owner"
        index = self._text(base)
        if attribute == "routes":
            return self._expression(f"at[FIRST_ROUTE, {index}] < at[FIRST_ROUTE, {index} + 1]")
        for names, form in ((_PLACES, "at[{}, {}]"), (_FLAGS, "at[{}, {}] == 1"), (_SINGLE, "at[{}, {}] >= 0")):
            if attribute in names:
                return self._expression(form.format(names[attribute], index))
        if attribute == "convoys" and isinstance(base, ast.Attribute) and base.attr in _PLACES:  # a fleet's own, not an army's
            return self._expression(f"at[CONVOY_AT, {index}] >= 0")
        if attribute in _LINKED:
            return self._expression(f"at[{_LINKED[attribute][0]}, {index}] >= 0")
        refuse(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Rewrite None, which stands for no place, as the number for nothing."""
        return name("NONE") if node.value is None else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Rewrite a test of whether two things are the same, or of whether a place has a unit."""
        match node:
            case ast.Compare(ast.Attribute(attr="kind") as kind, [operator], [ast.Attribute(ast.Name("UnitKind"), one)]):
                decision, _, whose = ast.unparse(kind).partition(".order.")
                fleet = (one == "FLEET") is isinstance(operator, ast.Is)
                return self._expression(f"at[{_KINDS_OF_UNITS[whose]}, {decision}] == {int(fleet)}")
            case ast.Compare(ast.Name(id=route), [ast.In() | ast.NotIn() as operator], [ast.Name(id=routes)]):
                if not route.startswith(_ROUTE) or routes.startswith(_ROUTE):
                    refuse(node)
                return self._expression(f"{routes} >> {route} & 1 == {int(isinstance(operator, ast.In))}")
            case ast.Compare(ast.Attribute(value=place, attr="unit"), [operator], [ast.Constant(value=None)]):
                sign = ">=" if isinstance(operator, ast.IsNot) else "<"
                return self._expression(f"at[OWNER, {self._text(place)}] {sign} 0")
            case ast.Compare(left, [operator], [ast.Attribute(value=base, attr=kind)]) if kind in _SINGLE:
                only = self._expression(f"at[{_SINGLE[kind]}, {self._text(base)}]")
                return ast.Compare(self.visit(left), [_OPERATORS[type(operator)]], [only])
        self.generic_visit(node)
        node.ops = [_OPERATORS.get(type(operator), operator) for operator in node.ops]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Rewrite `not route` as a route without fleets."""
        node.operand = self._truth(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        """Rewrite `()` as no routes."""
        if node.elts:
            refuse(node)
        return ast.Constant(0)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Rewrite `route and …` as a route with fleets."""
        node.values = [self._truth(value) for value in node.values]
        return node

    def _truth(self, node: ast.expr) -> ast.expr:
        """Rewrite a condition; a single route, which is a number from 0 here, as whether it has fleets."""
        if isinstance(node, ast.Name) and node.id.startswith(_ROUTE):
            return self._expression(f"at[FIRST_LEG, {node.id}] < at[FIRST_LEG, {node.id} + 1]")
        return self.visit(node)  # type: ignore[no-any-return]

    # Writing.

    def _text(self, node: ast.expr) -> str:
        return ast.unparse(self.visit(node))

    def _bounds(self, row: str, index: str) -> str:
        return f"at[{row}, {index}], at[{row}, {index} + 1]"

    def _expression(self, text: str) -> ast.expr:
        return ast.parse(text, mode="eval").body


def _parsed(*lines: str) -> list[ast.stmt]:
    """Parse statements from their text; lines after a colon are within."""
    text, indent = "", ""
    for line in lines:
        text += "".join(f"{indent}{part}\n" for part in line.splitlines())
        indent = f"{indent}    " if line.endswith(":") else indent
    return ast.parse(text).body
