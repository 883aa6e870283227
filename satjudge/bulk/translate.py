"""Rewrites the generated equations, which speak of places and decisions, so that they read rows of one matrix.

`satjudge.equations.compiled` makes plain Python functions from the statement of the equations. Here each of their expressions
about an object becomes one about a row of the matrix (`satjudge.bulk.arrays`), and each loop over a collection one that follows
the numbers in it; nothing else changes. What is not known here is refused, so that no equation is passed over in silence.
`source()` shows what is written.
"""

from __future__ import annotations

import ast
from functools import cache

from satjudge.equations import compiled
from satjudge.equations.formulas import name
from satjudge.equations.meanings import TranslationError, refuse
from satjudge.rules import DEFAULT_RULES, DisorderSupport, IllegalOrders, Rulebook, load_preset

_PLACES = {
    "origin": "PLACE", "place": "PLACE", "destination": "DESTINATION", "supported": "SUPPORTED", "directed_at": "DIRECTED_AT",
    "owner": "OWNER",
}  # fmt: skip
_FLAGS = {
    "by_land": "BY_LAND", "might_be_convoyed": "MIGHT_BE_CONVOYED", "supports_hold": "SUPPORTS_HOLD",
    "via_convoy": "VIA_CONVOY",
}  # fmt: skip
_SINGLE = {"moves_out": "MOVE_OUT", "opposed": "OPPOSED", "matches": "MATCH"}
"""Collections of at most one, where every order is given: a row with the one, or -1."""
_LINKED = {
    "moves_in": ("FIRST_MOVE_IN", "NEXT_MOVE_IN"), "hold_supports": ("FIRST_HOLD_SUPPORT", "NEXT_SUPPORT"),
    "supports": ("FIRST_SUPPORT", "NEXT_SUPPORT"), "convoys": ("FIRST_CONVOY", "NEXT_CONVOY"),
}  # fmt: skip
"""Collections of any size: a row with the first one or -1, and a row with the next one after each."""
_KINDS = {"MoveDecision": "MOVE", "SupportDecision": "SUPPORT", "ConvoyDecision": "CONVOY"}
_OPERATORS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Is: ast.Eq(), ast.IsNot: ast.NotEq(), ast.In: ast.Eq(), ast.NotIn: ast.NotEq(),
}  # fmt: skip


@cache
def source() -> str:
    """The functions under the rulebook of the compiled path, as text."""
    return translated(load_preset(DEFAULT_RULES))


def translated(rulebook: Rulebook) -> str:
    """The functions under a rulebook, as text. Raises `TranslationError`."""
    if rulebook.disorder_support is not DisorderSupport.GIVEN or rulebook.illegal_orders is not IllegalOrders.IGNORED:
        raise TranslationError("the matrix does not say which units cannot be supported (4.D.9, 4.E.1)")
    module = ast.parse(compiled.source(rulebook))
    translation = _Translation({node.name for node in module.body if isinstance(node, ast.FunctionDef)})
    return "\n\n".join(ast.unparse(ast.fix_missing_locations(translation.visit(node))) for node in module.body)


class _Translation(ast.NodeTransformer):
    """Rewrites functions; what no method speaks of stays as it is."""

    def __init__(self, functions: set[str]) -> None:
        self.functions = functions

    # Functions and loops.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """The function with the matrix as its first argument."""
        node.args.args.insert(0, ast.arg("at"))
        node.decorator_list = [name("compiled")]
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        """A loop over a collection, as one that follows the numbers of its members."""
        target = ast.unparse(node.target)
        body = ast.unparse([self.visit(statement) for statement in node.body])  # type: ignore[arg-type]
        match node.iter:
            case ast.Attribute(value=base, attr=kind) if kind in _LINKED:
                first, following = _LINKED[kind]
                start, step = f"at[{first}, {self._text(base)}]", f"{target} = at[{following}, {target}]"
                return _parsed(f"{target} = {start}", f"while {target} >= 0:", body, step)
            case ast.Attribute(value=base, attr=kind) if kind in _SINGLE:
                return _parsed(f"{target} = at[{_SINGLE[kind]}, {self._text(base)}]", f"if {target} >= 0:", body)
            case ast.Attribute(value=base, attr="routes"):
                return _parsed(f"for {target} in range({self._bounds('FIRST_ROUTE', self._text(base))}):", body)
            case ast.Name(id=route):
                leg = f"{target} = at[LEG, leg]"
                return _parsed(f"for leg in range({self._bounds('FIRST_LEG', route)}):", leg, body)
        refuse(node.iter)

    # Expressions.

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call that passes the matrix on, or a test of what kind a decision is."""
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=subject), ast.Name(id=kind)]) if kind in _KINDS:
                return self._expression(f"at[KIND, {subject}] == {_KINDS[kind]}")
            case ast.Call(func=ast.Name(id=function)) if function in self.functions:
                node.args = [name("at"), *(self.visit(argument) for argument in node.args)]
                return node
        refuse(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """What a row says about an object; of a collection, whether there is anything in it."""
        base, attribute = node.value, node.attr
        if attribute == "index":
            return self.visit(base)  # type: ignore[no-any-return]
        if attribute == "supportable":
            return ast.Constant(True)
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
        if attribute in _LINKED:
            return self._expression(f"at[{_LINKED[attribute][0]}, {index}] >= 0")
        refuse(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Whether two are the same, or whether a place has a unit."""
        match node:
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
        """`not route`: a route without fleets."""
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Name):
            route = node.operand.id
            return self._expression(f"at[FIRST_LEG, {route}] == at[FIRST_LEG, {route} + 1]")
        self.generic_visit(node)
        return node

    # Writing.

    def _text(self, node: ast.expr) -> str:
        return ast.unparse(self.visit(node))

    def _bounds(self, row: str, index: str) -> str:
        return f"at[{row}, {index}], at[{row}, {index} + 1]"

    def _expression(self, text: str) -> ast.expr:
        return ast.parse(text, mode="eval").body


def _parsed(*lines: str) -> list[ast.stmt]:
    """Statements from their text; what follows a colon is within."""
    text, indent = "", ""
    for line in lines:
        text += "".join(f"{indent}{part}\n" for part in line.splitlines())
        indent = f"{indent}    " if line.endswith(":") else indent
    return ast.parse(text).body
