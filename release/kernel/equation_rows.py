"""Rewrites the generated equations, which are about places and decisions, so that they read rows of one matrix.

`satjudge.judging.equations.compiler` makes plain Python functions from the statement of the equations. Here each of their
expressions about an object becomes one about a row of the matrix (`satjudge.bulk.kernel.memory`), and each loop over a
collection one that follows the numbers in it; nothing else changes. What is not known here is refused, so that no equation is
passed over in silence. `translate_equations(rulebook)` returns the text.
"""

from __future__ import annotations

import ast
from copy import deepcopy

from satjudge.bulk.vocabulary import find_uncompiled_rule
from satjudge.judging.equations import compiler
from satjudge.judging.equations.formulas import name
from satjudge.judging.equations.generator import TranslationError, refuse
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import DisorderSupport, IllegalOrders

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
_KINDS_OF_UNITS = {"unit.kind": "OF_FLEET", "supported.kind": "HELPS_FLEET"}
_OPERATORS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Is: ast.Eq(), ast.IsNot: ast.NotEq(), ast.In: ast.Eq(), ast.NotIn: ast.NotEq(),
}  # fmt: skip

_READING = """
@compiled
def read(view, d):
    at[READ, d] = 1
    return at[view, d] == 1
""".strip()


def translate_equations(rulebook: Rulebook) -> str:
    """Write the functions of the equations under a rulebook, as text.

    Raises `TranslationError`.
    """
    if rule := find_uncompiled_rule(rulebook):
        raise TranslationError(rule)
    module = ast.parse(compiler.generate_source(rulebook))
    functions = {node.name for node in [*_list_helpers(module), *module.body] if isinstance(node, ast.FunctionDef)}
    all_supportable = rulebook.disorder_support is DisorderSupport.GIVEN and rulebook.illegal_orders is IllegalOrders.IGNORED
    written = [_READING]
    for noting in (False, True):
        translation = _Translation({*functions}, noting=noting, all_supportable=all_supportable)
        for node in [*_list_helpers(module), *module.body]:
            written.append(ast.unparse(ast.fix_missing_locations(translation.visit(deepcopy(node)))))
    return "\n\n".join(written)


def _list_helpers(module: ast.Module) -> list[ast.FunctionDef]:
    """List the functions of the statement that the equations call and that are no equations."""
    called = {node.func.id for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    stated = {node.name: node for node in ast.parse(compiler.read_statement()).body if isinstance(node, ast.FunctionDef)}
    defined = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    return [stated[one] for one in sorted(called & stated.keys() - defined)]


class _Translation(ast.NodeTransformer):
    """Rewrites functions of the equations; nodes that no method handles stay as they are."""

    def __init__(self, functions: set[str], *, noting: bool, all_supportable: bool) -> None:
        self.functions = functions
        self.noting = noting
        """True if functions note which decisions they read; these have another name, and are not in a hurry."""
        self.all_supportable = all_supportable

    def _name(self, function: str) -> str:
        return f"{function}_noting" if self.noting else function

    # Functions and loops.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Declare a function."""
        node.args.args = [ast.arg(argument.arg) for argument in node.args.args]
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
                return _parse_lines(f"{target} = at[CONVOY_AT, {self._text(base)}]", f"if {target} >= 0:", body)
            case ast.Attribute(value=base, attr=kind) if kind in _LINKED:
                first, following = _LINKED[kind]
                start, step = f"at[{first}, {self._text(base)}]", f"{target} = at[{following}, {target}]"
                return _parse_lines(f"{target} = {start}", f"while {target} >= 0:", body, step)
            case ast.Attribute(value=base, attr=kind) if kind in _SINGLE:
                return _parse_lines(f"{target} = at[{_SINGLE[kind]}, {self._text(base)}]", f"if {target} >= 0:", body)
        refuse(node.iter)

    # Expressions.

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Rewrite a test of the kind of a decision, or a question about the fleets of a move."""
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=subject), ast.Name(id=kind)]) if kind in _KINDS:
                return self._expression(f"at[KIND, {subject}] == {_KINDS[kind]}")
            case ast.Call(func=ast.Name(id=function)) if function in self.functions:
                return ast.Call(name(self._name(function)), [*map(self.visit, node.args)], [])
            case ast.Call(func=ast.Attribute(ast.Name(id=move), "has_open_route"), args=[ast.Name(id=view), *places]):
                around = [*map(self._text, places), "NONE", "NONE"][:3]
                return self._expression(f"has_convoy_route({view}, {move}, {', '.join(around)}, {int(self.noting)})")
            case ast.Call(func=ast.Attribute(ast.Name(id=move), "has_ordered_route"), args=[ast.Constant(bool(own))]):
                return self._expression(f"at[{'SAILS_OWN' if own else 'SAILS'}, {move}] == 1")
            case ast.Call(
                func=ast.Attribute(ast.Name(id=move), "is_on_ordered_route"),
                args=[ast.Name(id=convoy), ast.Constant(bool(own))],
            ):
                row = "PASSES_OWN" if own else "PASSES"
                return self._expression(f"at[MATCH, {convoy}] == {move} and at[{row}, {convoy}] == 1")
        refuse(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Rewrite the value of a decision, noted as read where truth tables of cores ask for that."""
        if isinstance(node.value, ast.Name) and node.value.id in ("v", "o"):
            view, d = node.value.id, self._text(node.slice)
            return self._expression(f"read({view}, {d})" if self.noting else f"at[{view}, {d}] == 1")
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
            case ast.Compare(ast.Attribute(value=place, attr="unit"), [operator], [ast.Constant(value=None)]):
                sign = ">=" if isinstance(operator, ast.IsNot) else "<"
                return self._expression(f"at[OWNER, {self._text(place)}] {sign} 0")
            case ast.Compare(left, [operator], [ast.Attribute(value=base, attr=kind)]) if kind in _SINGLE:
                only = self._expression(f"at[{_SINGLE[kind]}, {self._text(base)}]")
                return ast.Compare(self.visit(left), [_OPERATORS[type(operator)]], [only])
        self.generic_visit(node)
        node.ops = [_OPERATORS.get(type(operator), operator) for operator in node.ops]
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        """Refuse a tuple: no array holds one."""
        refuse(node)

    # Writing.

    def _text(self, node: ast.expr) -> str:
        return ast.unparse(self.visit(node))

    def _expression(self, text: str) -> ast.expr:
        return ast.parse(text, mode="eval").body


def _parse_lines(*lines: str) -> list[ast.stmt]:
    """Parse statements from their text; lines after a colon are within."""
    text, indent = "", ""
    for line in lines:
        text += "".join(f"{indent}{part}\n" for part in line.splitlines())
        indent = f"{indent}    " if line.endswith(":") else indent
    return ast.parse(text).body
