"""Makes private copies of modules, for a separate judge with some changed modules that no other code sees.

A module is copied if it is changed, or if it imports a copied module when it is loaded. A copy is a module object with its own
functions, classes and caches, which is made by executing the module's code again. Its imports return other copies.
`sys.modules` never contains copies, so all other modules and threads use the originals. Modules that import nothing changed
are not copied, so boards, orders, maps and rulebooks are shared.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.abc import InspectLoader
from importlib.util import find_spec
from threading import RLock
from types import CodeType, ModuleType
from typing import Any

from satjudge.base.python_source import PARSING, choose_source_loader, parse_source

PACKAGE = "satjudge"


class ModuleCopies:
    """Copies of the changed modules, and of all modules that import them.

    `changed` contains the syntax trees of changed modules by name, and `names` the extra global names that they need. Copies
    are made on first use. They keep the names of their modules, by which `dataclasses` looks up annotations.
    """

    def __init__(self, changed: Mapping[str, ast.Module], names: Mapping[str, object] | None = None) -> None:
        self._changed, self._names = changed, names or {}
        self._made: dict[str, ModuleType] = {}
        self._lock = RLock()
        self._builtins = {**vars(builtins), "__import__": self._import}

    def get_module(self, name: str) -> ModuleType:
        """Return the copy of a module, or the original module if no change affects it."""
        if not _is_affected(name, frozenset(self._changed)):
            return importlib.import_module(name)
        with self._lock:
            return self._made.get(name) or self._make(name)

    def owns(self, value: object) -> bool:
        """Return whether a function or class was defined in one of the copies."""
        copied_module = self._made.get(getattr(value, "__module__", ""))
        return copied_module is not None and getattr(copied_module, getattr(value, "__name__", ""), None) is value

    def _make(self, name: str) -> ModuleType:
        loader, tree = _loader(name), self._changed.get(name)
        copy = ModuleType(name)
        vars(copy).update({key: value for key, value in vars(_load_original(name)).items() if key in _ABOUT_ITSELF})
        vars(copy).update(self._names)
        vars(copy).update(__builtins__=self._builtins, __loader__=_ChangedLoader(name, tree) if tree else loader)
        self._made[name] = copy
        try:
            exec(_compile_tree(tree, copy.__file__ or name) if tree else _code(name), vars(copy))
        except BaseException:
            del self._made[name]
            raise
        return copy

    def _import(
        self,
        name: str,
        namespace: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:  # noqa: ANN401  # a module or a proxy
        """Import for a copied module, in place of `__import__`: return copies of affected modules, otherwise the originals."""
        if name == "importlib":
            return _ModuleProxy(importlib, {"import_module": self.get_module})
        if not fromlist or not name.startswith(PACKAGE):
            return builtins.__import__(name, namespace, local, fromlist or (), level)
        found = self.get_module(name)
        submodules = {one: self.get_module(f"{name}.{one}") for one in fromlist if _is_module(f"{name}.{one}")}
        return _ModuleProxy(found, submodules) if submodules else found


class _ModuleProxy(ModuleType):
    """A module that forwards to another module, except for some attributes of its own."""

    def __init__(self, module: ModuleType, others: Mapping[str, object]) -> None:
        super().__init__(module.__name__)
        self._module = module
        vars(self).update(others)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # any attribute of the module
        return getattr(self._module, name)


class _ChangedLoader(InspectLoader):
    """A loader that returns the source of a changed module, for code that reads sources."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self._whole, self._tree = parse_module(name), tree
        self._lines = (_loader(name).get_source(name) or "").splitlines(keepends=True)

    def get_source(self, fullname: str) -> str:
        """Return the source of the changed module, with added functions at its end; `fullname` is ignored."""
        return self._source

    @cached_property
    def _source(self) -> str:
        lines = [*self._lines]
        for before, after in zip(self._whole.body, self._tree.body, strict=False):
            if before is not after:
                first, last = _find_lines(before)
                lines[first:last] = [ast.unparse(after) + "\n", *[""] * (last - first - 1)]
        added = (ast.unparse(one) + "\n" for one in self._tree.body[len(self._whole.body) :])
        return "".join([*lines, *added])


def _find_lines(node: ast.stmt) -> tuple[int, int]:
    """Return the slice of source lines, counted from 0, that a statement and its decorators take up."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return first - 1, node.end_lineno or node.lineno


_ABOUT_ITSELF = ("__file__", "__package__", "__path__", "__spec__")


def _load_original(name: str) -> ModuleType:
    return sys.modules.get(name) or importlib.import_module(name)


@cache
def _loader(name: str) -> InspectLoader:
    spec = find_spec(name)
    if spec is None:
        raise ImportError(f"there is no module {name} to copy")
    return choose_source_loader(name, spec.loader, spec.origin)


@cache
def _code(name: str) -> CodeType:
    code = _loader(name).get_code(name)
    assert code is not None  # a module with source
    return code


def _compile_tree(tree: ast.Module, file: str) -> CodeType:
    with PARSING:
        return compile(tree, file, "exec")


@cache
def parse_module(name: str) -> ast.Module:
    """Return the syntax tree of the module with this name; it is cached, so do not change it."""
    return parse_source(_loader(name).get_source(name) or "")


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # a name in a module that is not a package
        return False


@cache
def _is_affected(name: str, changed: frozenset[str]) -> bool:
    """Return whether a module is changed, or imports a changed one (directly or indirectly) when it is loaded."""
    return name in changed or not changed.isdisjoint(_find_all_imports(name))


@cache
def _find_all_imports(name: str) -> frozenset[str]:
    """Return the names of all satjudge modules that a module imports, directly or indirectly, when it is loaded."""
    found: dict[str, None] = dict.fromkeys(_find_imports(name))
    waiting = list(found)
    while waiting:
        for one in _find_imports(waiting.pop()):
            if one not in found:
                found[one] = None
                waiting.append(one)
    return frozenset(found)


@cache
def _find_imports(name: str) -> tuple[str, ...]:
    """Return the names of the satjudge modules that a module itself imports when it is loaded, except for type checking."""
    found: dict[str, None] = {}
    for node in _iter_load_time_statements(parse_module(name).body):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
            imported = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= dict.fromkeys(one if _is_module(one) else str(node.module) for one in imported)
    return tuple(found)


def _iter_load_time_statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If | ast.Try | ast.With):
            if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
                yield from _iter_load_time_statements([*node.body, *getattr(node, "orelse", ())])
        else:
            yield node
