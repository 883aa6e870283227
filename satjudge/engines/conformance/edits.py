"""Changes a function in a syntax tree at the one place that matches a pattern: the basis of mutations.

A pattern is an expression or a statement in Python; layout and comments are ignored, as is the text of f-strings. It may
contain four signs:

- `_` stands for any expression,
- `_1`, `_2`, … stand for expressions that the new code uses again,
- `...` stands for any number of arguments, elements or statements: `hold(...)` matches any call of `hold`,
- `if canals:` stands for the condition of that statement.

A pattern thus describes only what is needed to find the place, and only a change of this place can break it. A pattern that
matches nowhere in its function, or in several places, is an error, because the mutation would not do what its name says.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias, TypeVar, cast

from satjudge.base.python_source import parse_source

WHEN, APPLIES = "when", "_applies"
"""The name by which an edit tests a condition, as in `when(m, s)`, and its name in changed modules."""
_CAPTURED = re.compile(r"_\d+")

AnyTree = TypeVar("AnyTree")
Bound: TypeAlias = dict[str, ast.AST]
"""The nodes matched by `_1`, `_2` and so on."""


class EditError(ValueError):
    """An edit that cannot be made: its place is missing or ambiguous."""


class ExclusiveFaultsError(ValueError):
    """Faults that one judge cannot combine, or a fault that cannot be limited to some circumstances."""


class Edit(NamedTuple):
    """A change of one place in a function."""

    function: str
    """The function and its module: `statement.move`, `outcome.Outcome.contested`."""
    pattern: str
    new: str | None
    """The new code; None to remove the matched element from its list."""

    @property
    def module(self) -> str:
        """The short name of the module to change, such as `statement`."""
        return self.function.partition(".")[0]

    @property
    def asks_conditions(self) -> bool:
        """True if the new code itself calls `when(…)`, which tests a fault's condition on the given values."""
        return f"{WHEN}(" in (self.new or "")

    def with_fault_number(self, number: int | None) -> Edit:
        """Return the edit with a fault's number in each `when(…)` of its code; with None the condition is always true."""
        return (
            self._replace(new=self.new.replace(f"{WHEN}(", f"{APPLIES}({number}, "))
            if self.new and self.asks_conditions
            else self
        )


Change: TypeAlias = Edit | tuple[Edit, ...]
"""An edit, or several that belong together."""


def put(function: str, pattern: str, new: str) -> Edit:
    """Make an edit that replaces the code that matches a pattern in a function (`statement.move`) with new code."""
    return Edit(function, pattern, new)


def also(function: str, pattern: str, alternative: str) -> Edit:
    """Make an edit that appends `or (alternative)` to the expression that matches a pattern in a function."""
    return put(function, pattern, f"{pattern} or ({alternative})")


def drop(function: str, pattern: str) -> Edit:
    """Make an edit that removes the argument, element, condition or statement that matches a pattern in a function."""
    return Edit(function, pattern, None)


def copy_tree(value: AnyTree) -> AnyTree:
    """Return a copy of a syntax tree or a list of them, several times as fast as `copy.deepcopy`."""
    if isinstance(value, list):
        return cast("AnyTree", [copy_tree(one) for one in value])
    if not isinstance(value, ast.AST) or not value._fields:
        return value  # a name, a number, or a node such as `ast.Load()`, which nothing changes
    copied = value.__class__.__new__(value.__class__)
    copied.__dict__.update({name: copy_tree(one) for name, one in value.__dict__.items()})
    return copied


def edit_module(module: ast.Module, edit: Edit) -> ast.Module:
    """Return a copy of a module's syntax tree with one edit applied.

    Raises `EditError` unless exactly one place matches the pattern.
    """
    path = edit.function.split(".")[1:]
    changed = ast.Module(list(module.body), module.type_ignores)
    body: list[ast.stmt] = changed.body
    for depth, name in enumerate(path):
        at = next((index for index, node in enumerate(body) if getattr(node, "name", None) == name), None)
        if at is None:
            raise EditError(f"the source has changed: there is no {edit.function}; change the mutation too")
        if depth == 0:
            body[at] = copy_tree(body[at])  # the rest stays the same
        body = cast("ast.FunctionDef", body[at]).body
    _check_names(module, edit)
    _apply_edit(body, edit)
    for node in changed.body:
        if node not in module.body:
            ast.fix_missing_locations(node)
    return changed


def add_branches(
    module: ast.Module, function: str, branches: Sequence[tuple[ast.expr, ast.Module]], *, as_functions: bool = False
) -> ast.Module:
    """Return a copy of a module where `function` tests conditions; if one is true, it runs its code from that branch's module.

    With `as_functions`, each branch's code becomes a separate function at the end of the module. Raises `ExclusiveFaultsError`
    for a function that yields parts of an equation, since these are parts of one expression.
    """
    at, path = _find_function(module, function)
    changed = ast.Module(list(module.body), module.type_ignores)
    changed.body[at] = copy_tree(module.body[at])
    node = _find_inner_function(changed.body[at], path)
    if "Iterable" in ast.unparse(node.returns or ast.Constant("")):
        raise ExclusiveFaultsError(f"{function} yields parts, so no part of it can be conditional")
    first = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
    taken: list[ast.stmt] = []
    for number, (test, other) in enumerate(branches):
        way = copy_tree(_find_inner_function(other.body[_find_function(other, function)[0]], path))
        if as_functions:
            way.name = f"{node.name}__{number}"
            changed.body.append(ast.fix_missing_locations(way))
            taken.append(ast.If(test, [ast.Return(_make_forwarding_call(way))], []))
            continue
        body = way.body[int(first) :]
        renaming = _Renaming(body, f"_if{number}")
        ends = [] if isinstance(body[-1], ast.Return) else [ast.Return(None)]
        taken.append(ast.If(test, [*(renaming.visit(one) for one in body), *ends], []))
    node.body[int(first) : int(first)] = taken
    ast.fix_missing_locations(changed.body[at])
    return changed


def _make_forwarding_call(function: ast.FunctionDef) -> ast.expr:
    """Return a call expression that passes a function's parameters on to it as arguments."""
    return ast.Call(ast.Name(function.name, ast.Load()), [ast.Name(one.arg, ast.Load()) for one in function.args.args], [])


def list_parameters(module: ast.Module, function: str) -> list[str]:
    """List the names of the positional parameters of a function (`statement.move`) in a module's syntax tree."""
    at, path = _find_function(module, function)
    return [one.arg for one in _find_inner_function(module.body[at], path).args.args]


def _find_function(module: ast.Module, function: str) -> tuple[int, list[str]]:
    name, *path = function.split(".")[1:]
    return next(index for index, node in enumerate(module.body) if getattr(node, "name", None) == name), path


def _find_inner_function(node: ast.AST, path: Sequence[str]) -> ast.FunctionDef:
    for name in path:
        node = next(one for one in cast("ast.FunctionDef", node).body if getattr(one, "name", None) == name)
    return cast("ast.FunctionDef", node)


class _Renaming(ast.NodeTransformer):
    """Renames the variables of a body, so that it can stand next to another one in the same function."""

    def __init__(self, body: Sequence[ast.stmt], suffix: str) -> None:
        nodes = [node for statement in body for node in ast.walk(statement)]
        self.bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        self.behind = suffix

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(node.id + self.behind, node.ctx) if node.id in self.bound else node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = node.arg + self.behind if node.arg in self.bound else node.arg
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = node.name + self.behind if node.name in self.bound else node.name
        return node


def _check_names(module: ast.Module, edit: Edit) -> None:
    """Raise `EditError` if the edit's new code uses a name that does not occur in the module."""
    read = [node for node in ast.walk(parse_source(edit.new or "")) if isinstance(node, ast.Name | ast.arg)]
    bound = {node.id if isinstance(node, ast.Name) else node.arg for node in read if not _is_read(node)}
    for node in read:
        if isinstance(node, ast.Name) and not (
            _CAPTURED.fullmatch(node.id) or node.id in bound or node.id in _list_names(module)
        ):
            raise EditError(f"the source has changed: {edit.function} does not use {node.id!r}; change the mutation too")


def _is_read(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


@lru_cache(maxsize=32)
def _list_names(module: ast.Module) -> Set[str]:
    """Return Python's built-in names and all names that a module uses, binds or imports anywhere."""
    found = {*vars(builtins), APPLIES}
    for node in ast.walk(module):
        match node:
            case ast.Name():
                found.add(node.id)
            case ast.arg():
                found.add(node.arg)
            case ast.FunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.alias():
                found.add(node.asname or node.name)
    return found


def _apply_edit(body: list[ast.stmt], edit: Edit) -> None:
    pattern, condition = _parse_pattern(edit.pattern), edit.pattern.endswith(":")
    places = (
        place for place in _iter_places(body) if not condition or (isinstance(place.parent, ast.If) and place.field == "test")
    )
    found = [(place, bound) for place in places if (bound := _match(pattern, place.node)) is not None]
    if len(found) != 1:
        where = f"{len(found)} times" if found else "not"
        raise EditError(f"the source has changed: {edit.pattern!r} is {where} in {edit.function}; change the mutation too")
    ((place, bound),) = found
    place.replace_with([] if edit.new is None else _fill_piece(edit.new, bound))


class _Place(NamedTuple):
    """A node of a syntax tree with its place: a field of its parent, or a list of siblings."""

    node: ast.AST
    parent: ast.AST | None
    field: str
    siblings: list[ast.AST] | None

    def replace_with(self, new: Sequence[ast.AST]) -> None:
        """Replace the node in its parent by other nodes, or remove it if there are none.

        Raises `EditError` if the place must have exactly one node.
        """
        if self.siblings is not None:
            at = next(index for index, one in enumerate(self.siblings) if one is self.node)
            self.siblings[at : at + 1] = new
        elif len(new) == 1 and self.parent is not None:
            setattr(self.parent, self.field, new[0])
        else:
            raise EditError(f"{ast.unparse(self.node)!r} cannot be removed, because it is not an element of a list")


def _iter_places(body: list[ast.stmt]) -> Iterator[_Place]:
    """Yield every expression and statement in a function's body, at any depth, with its place."""
    waiting = [_Place(node, None, "", cast("list[ast.AST]", body)) for node in body]
    while waiting:
        place = waiting.pop()
        if isinstance(place.node, ast.expr | ast.stmt):
            yield place
        for name, value in ast.iter_fields(place.node):
            if isinstance(value, list):
                waiting += [_Place(node, place.node, name, value) for node in value if isinstance(node, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(_Place(value, place.node, name, None))


@cache
def _parse_pattern(text: str) -> ast.AST:
    (statement,) = parse_source(text.removeprefix("if ").removesuffix(":") if text.endswith(":") else text).body
    return statement.value if isinstance(statement, ast.Expr) else statement


def _fill_piece(text: str, bound: Bound) -> list[ast.AST]:
    """Parse new code and replace `_1`, `_2` … in it by the matched nodes; return its statements, or its one expression."""
    filled = [_Filling(bound).visit(copy_tree(node)) for node in parse_source(text).body]
    return [filled[0].value] if len(filled) == 1 and isinstance(filled[0], ast.Expr) else filled


class _Filling(ast.NodeTransformer):
    def __init__(self, bound: Bound) -> None:
        self.bound = bound

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return copy_tree(self.bound[node.id]) if _CAPTURED.fullmatch(node.id) else node


def _match(pattern: object, node: object) -> Bound | None:
    """Return the nodes that `_1`, `_2` … match if a syntax tree matches a pattern; None if it does not."""
    bound: Bound = {}
    return bound if _match_into(pattern, node, bound) else None


def _match_into(pattern: object, node: object, bound: Bound) -> bool:
    if isinstance(pattern, ast.Name) and isinstance(node, ast.expr):
        if pattern.id == "_":
            return True
        if _CAPTURED.fullmatch(pattern.id):
            return ast.dump(bound.setdefault(pattern.id, node)) == ast.dump(node)
    if isinstance(pattern, list):
        return isinstance(node, list) and _match_lists(pattern, node, bound)
    if not isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and pattern == node
    if isinstance(pattern, ast.expr_context):
        return True
    if isinstance(pattern, ast.JoinedStr) and isinstance(node, ast.JoinedStr):
        values, others = ([one.value for one in text.values if isinstance(one, ast.FormattedValue)] for text in (pattern, node))
        return _match_into(values, others, bound)
    return type(pattern) is type(node) and all(
        _match_into(value, getattr(node, name, None), bound)
        for name, value in ast.iter_fields(pattern)
        if name != "type_comment"
    )


def _match_lists(patterns: list[object], nodes: list[object], bound: Bound) -> bool:
    """Return whether nodes match patterns one by one, `...` matching any number; add what `_1`, `_2` … match to `bound`."""
    at = next((index for index, one in enumerate(patterns) if _is_rest(one)), None)
    if at is None:
        return len(patterns) == len(nodes) and all(
            _match_into(one, node, bound) for one, node in zip(patterns, nodes, strict=True)
        )
    before, behind = patterns[:at], patterns[at + 1 :]
    if len(nodes) < len(before) + len(behind):
        return False
    ends = (*zip(before, nodes, strict=False), *zip(behind, nodes[len(nodes) - len(behind) :], strict=True))
    return all(_match_into(one, node, bound) for one, node in ends)


def _is_rest(pattern: object) -> bool:
    value = pattern.value if isinstance(pattern, ast.Expr) else pattern
    return isinstance(value, ast.Constant) and value.value is ...
