"""An import inside a function has one reason: the module could be loaded without it, so that starting stays quick."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from helpers.sources import PACKAGE, sources, tree_of

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path for path in sources()
}


def imported(name: str) -> Iterator[tuple[str, int, bool]]:
    """List what a module imports, each with its line, and whether a function does it; nothing that is for types alone."""

    def below(node: ast.AST, late: bool) -> Iterator[tuple[str, int, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from ((alias.name, child.lineno, late) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                for alias in child.names:
                    inner = f"{child.module}.{alias.name}"
                    yield inner if inner in MODULES else str(child.module), child.lineno, late
            elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
                yield from below(child, late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    yield from below(tree_of(MODULES[name]), False)


@cache
def all_imported() -> dict[str, list[tuple[str, int, bool]]]:
    """List what each module imports."""
    return {name: list(imported(name)) for name in MODULES}


@cache
def loaded_with(name: str) -> set[str]:
    """List the modules that are loaded when a module is, with its packages, as far as satjudge's own modules say."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            if module in MODULES:
                waiting += [other for other, _, late in all_imported()[module] if not late]
                waiting += [module.rpartition(".")[0]] if "." in module else []
    return found


def test_nothing_is_imported_late_that_is_loaded_anyway() -> None:
    needless = [
        f"{MODULES[name].relative_to(PACKAGE)}:{line}: {other} is loaded anyway: import it at the top"
        for name in MODULES
        for other, line, late in all_imported()[name]
        if late and other in loaded_with(name)
    ]
    assert needless == []


def test_what_is_loaded_anyway_would_be_found() -> None:
    assert "satjudge.world.geography" in loaded_with("satjudge.judging.judge")
    assert any(late for of in all_imported().values() for _, _, late in of)
