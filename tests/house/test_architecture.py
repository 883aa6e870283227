"""What imports what, what speaks, and what is public: the rules of the layout (pyproject.toml, [tool.importlinter])."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pytest
from helpers import sources
from helpers.slow_tests import read_slow_tests
from helpers.sources import PACKAGE, ROOT

import satjudge

MODULES = {path.relative_to(ROOT).as_posix(): path for path in sources.sources()}
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
AT_THE_DOOR = {
    "compat": {"diplomacy"},
    "env": {"deepmind", "parallel"},
    "show": {"notebooks", "rendering"},
    "apps": {"cli", "explore", "pytest_satjudge"},
}
"""What only the front door, or what starts satjudge, takes from a room."""
PACKAGES = sorted(".".join(Path(name).parent.parts) for name in MODULES if name.endswith("__init__.py"))

# What may talk to the outside world: what is started by people, what runs beside it, and what takes its time and says so.
OUTER = (
    "satjudge/apps/cli/", "satjudge/apps/explore/site.py", "satjudge/apps/explore/processes.py",
    "satjudge/apps/explore/server.py", "satjudge/apps/http.py", "satjudge/apps/serve/",
    "satjudge/base/process_tree.py", "satjudge/base/processes.py", "satjudge/base/platforms.py",
    "satjudge/bulk/random_boards/boards.py", "satjudge/compat/diplomacy/utils/common.py",
    "satjudge/bulk/census.py", "satjudge/bulk/random_boards/drafts.py", "satjudge/engines/", "satjudge/proofs/certificates/",
    "satjudge/search/", "satjudge/as_diplomacy.py",
    "satjudge/proofs/verify/lrat.py",  # a program as well, that needs nothing else of satjudge but the class of its error
)  # fmt: skip
# A lock is no thread: who parses waits for others who do, since two threads that parse bring Python 3.11 down; and a sandbox is
# for one thread at a time.
LOCKING = (
    "satjudge/base/python_source.py",
    "satjudge/bulk/wasm/array_kernel.py",
    "satjudge/bulk/wasm/lines.py",
    "satjudge/bulk/wasm/boards.py",
    "satjudge/env/deepmind.py",
)
CORE = sorted(name for name in MODULES if not name.startswith(OUTER))
OUTSIDE_WORLD = {
    "asyncio", "datetime", "http", "multiprocessing", "random", "requests", "secrets", "socket", "ssl", "subprocess",
    "threading", "time", "urllib", "webbrowser",
}  # fmt: skip


def tree_of(name: str) -> ast.Module:
    return sources.tree_of(MODULES[name])


def nodes_of(name: str) -> tuple[ast.AST, ...]:
    return sources.nodes_of(MODULES[name])


def run(code: str) -> str:
    """The output of a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def imported(name: str) -> set[str]:
    """The top-level names of what a module imports, anywhere in the file."""
    names: set[str] = set()
    for node in nodes_of(name):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_imports_go_down_and_only_two_modules_import_the_solver() -> None:
    """The contracts of pyproject.toml, checked by import-linter."""
    lint = "lint_imports(no_cache=True, is_debug_mode=True)"
    output = run(f"import sys; from importlinter.cli import lint_imports; sys.exit({lint})")
    assert "A room imports only from rooms below it KEPT" in output
    assert "Only two modules import ortools KEPT" in output
    assert " 0 broken." in output


def test_no_other_module_imports_the_solver() -> None:
    importing = {name for name in MODULES if "ortools" in imported(name)}
    assert importing == {"satjudge/judging/solve/cpsat_model.py", "satjudge/search/formulas/cpsat.py"}


def test_the_core_imports_no_command_and_no_renderer() -> None:
    """`satjudge.judge` and all that it needs: no click, no rich, no command."""
    loaded = run("import sys, satjudge.judging.judge, satjudge.judging.check; print(*sys.modules)").split()
    assert "satjudge.judging.outcome" in loaded
    unwanted = ("click", "rich", "ortools", "networkx", "satjudge.apps", "satjudge.show", "satjudge.search")
    assert [name for name in unwanted if name in loaded] == []


def test_the_core_does_not_look_outside() -> None:
    """Core code reads no clock and touches no terminal and no network; a seed would have to be handed to it."""
    attributes = {(name, ast.unparse(node)) for name in CORE for node in nodes_of(name) if isinstance(node, ast.Attribute)}
    assert [one for one in attributes if one[1] in ("sys.stdin", "sys.stdout", "sys.stderr")] == []
    outside = {name: found for name in CORE if (found := imported(name) & OUTSIDE_WORLD)}
    assert outside == {name: {"threading"} for name in LOCKING}


def test_only_the_command_line_prints() -> None:
    others = [name for name in MODULES if not name.startswith("satjudge/apps/cli/")]
    calls = [(name, node) for name in others for node in nodes_of(name) if isinstance(node, ast.Call)]
    names = [(name, call.lineno, call.func.id) for name, call in calls if isinstance(call.func, ast.Name)]
    assert [one for one in names if one[2] in ("print", "input")] == []


def test_every_module_says_what_it_is() -> None:
    assert [name for name in MODULES if not ast.get_docstring(tree_of(name))] == []


# ---- what is loaded when ----


def test_importing_the_package_imports_nothing_that_takes_time() -> None:
    """Every run of pytest imports the package, for its plugin, and so does a shell that completes."""
    loaded = run("import sys; before = set(sys.modules); import satjudge; print(*(set(sys.modules) - before))").split()
    ours = {"base", *(f"base.{name}" for name in ("imports", "startup", "version"))}
    assert {name for name in loaded if name.startswith("satjudge")} == {"satjudge", *(f"satjudge.{name}" for name in ours)}
    assert {"ast", "dataclasses", "inspect", "json", "pathlib", "threading", "tomllib", "click", "msgspec"}.isdisjoint(loaded)


def test_asking_for_the_judge_imports_what_judging_needs_and_no_more() -> None:
    """Time to start is made of imports, so that they are listed: who adds one, adds it here, or imports it where it is used."""
    judge = "import satjudge; satjudge.judge, satjudge.load_map, satjudge.parse_unit, satjudge.Board"
    usual = "copy dataclasses datetime decimal fnmatch gc inspect math pathlib signal textwrap typing unicodedata uuid zlib"
    known = f"import __future__, _socket, {', '.join(usual.split())}, sys; before = set(sys.modules)"  # with what these import
    loaded = run(f"{known}; {judge}; print(*(set(sys.modules) - before))").split()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("satjudge.")}
    assert rooms == {"base", "world", "notation", "judging"}
    assert sum(name.startswith("satjudge.") for name in loaded) <= 49
    assert {name for name in loaded if name.partition(".")[0] in sys.stdlib_module_names} == set()
    assert len(loaded) <= 63
    late = (
        "json",
        "difflib",
        "html",
        "hashlib",
        "random",
        "tempfile",
        "traceback",
        "zipfile",
        "rich",
        "click",
    )
    assert sorted(set(late).intersection(loaded)) == []
    assert "satjudge.judging.equations.generator" not in loaded


def test_judging_a_sheet_imports_no_format_of_others_and_nothing_for_other_commands(tmp_path: Path) -> None:
    (sheet := tmp_path / "sheet.txt").write_text("France:\n  A Paris - Burgundy\n  A Marseilles S A Paris - Burgundy\n")
    command = f"from satjudge.apps.cli import run; run(['judge', {str(sheet)!r}])"
    loaded = (
        run(f"import sys; before = set(sys.modules); {command}; print(*(set(sys.modules) - before))").splitlines()[-1].split()
    )
    ours = {name for name in loaded if name.startswith("satjudge.")}
    assert {name for name in ours if name.startswith("satjudge.files.")} == {
        f"satjudge.files.{name}" for name in ("cases", "detect")
    }
    assert {name for name in ours if name.startswith("satjudge.apps.cli.")} == {
        f"satjudge.apps.cli.{name}" for name in ("judge", "options", "output")
    }
    rooms = {name.split(".")[1] for name in ours}
    assert rooms == {"apps", "base", "explain", "files", "judging", "notation", "show", "world"}
    explaining = {name for name in ours if name.startswith("satjudge.explain.")}
    assert explaining == {f"satjudge.explain.words{module}" for module in ("", ".verdict_text", ".player_text")}
    assert "satjudge.judging.check" not in ours
    assert "satjudge.judging.equations.default_equations" in ours
    assert "satjudge.judging.equations.generator" not in ours
    assert len(ours) <= 74
    assert len(loaded) <= 180
    late = {"difflib", "json", "networkx", "ortools", "rich", "shutil", "traceback"}
    assert sorted(late.intersection(loaded)) == []


CALLS = """
import sys
calls = 0
def count(frame, event, argument):
    global calls
    calls += event in ("call", "c_call")
sys.setprofile(count)
from satjudge.apps.cli import run
run(["judge", "datc:6.A.1"])
sys.setprofile(None)
print(calls)
"""


def test_a_position_is_judged_with_few_calls() -> None:
    """What counts is the time until the answer; calls are the same on every machine, however busy it is. They were 245,000."""
    assert int(run(CALLS).splitlines()[-1]) <= 205_000


JUDGING = """
import sys
from satjudge.world.board import Board, starting_board
from satjudge.world.geography import load_map
from satjudge.judging.judge import judge
from satjudge.notation.parse import parse_unit
from satjudge.judging.solve import Engine

def units(**powers):
    return Board(tuple(parse_unit(text, power, load_map()) for power, texts in powers.items() for text in texts))

outcome = judge({board}, {orders}, engine=Engine.{engine})
print(outcome.results, [ruling.rule for ruling in outcome.adjudication.rulings], outcome.adjudication.resolutions.count)
print([name for name in ("ortools", "networkx") if name in sys.modules])
"""


def test_a_board_without_a_core_is_judged_without_solver_and_graphs() -> None:
    """Bounces, supports, cuts, a convoy, dislodgements with their retreats: the bounds settle them all."""
    quiet = JUDGING.format(
        engine="STAGED",
        board='units(FRANCE=["A PAR", "A MAR", "F ENG", "A PIC"], GERMANY=["A BUR", "A RUH"], ENGLAND=["F LON"])',
        orders='{"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F ENG C A PIC - WAL", "A PIC - WAL"],'
        ' "GERMANY": ["A BUR H", "A RUH - BEL"], "ENGLAND": ["F LON - ENG"]}',
    )
    assert run(quiet).splitlines() == [
        "{'FRANCE': ['succeeds', 'given', 'available', 'succeeds'], "
        "'GERMANY': ['dislodged', 'succeeds'], 'ENGLAND': ['fails']} [] 1",
        "[]",
    ]


def test_the_first_turn_of_a_game_needs_neither() -> None:
    opening = JUDGING.format(engine="STAGED", board="starting_board()", orders='{"FRANCE": ["A PAR - BUR"]}')
    assert run(opening).splitlines()[-1] == "[]"


@pytest.mark.parametrize(("engine", "loaded"), [("STAGED", []), ("FULL", ["ortools"]), ("BRUTE", ["networkx"])])
def test_a_small_core_is_settled_without_either(engine: str, loaded: list[str]) -> None:
    """6.F.14, the simple convoy paradox; the other engines show that it would be noticed."""
    paradox = JUDGING.format(
        engine=engine,
        board='units(ENGLAND=["F LON", "F WAL"], FRANCE=["A BRE", "F ENG"])',
        orders='{"ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"], "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"]}',
    )
    assert run(paradox).splitlines() == [
        "{'ENGLAND': ['given', 'succeeds'], 'FRANCE': ['fails', 'disrupted, dislodged']} ['szykman'] 2",
        str(loaded),
    ]


# ---- what is public ----


@pytest.mark.parametrize("package", PACKAGES)
def test_all_that_a_package_offers_is_there_and_listed(package: str) -> None:
    """`__all__` names what exists, and leaves out nothing that the package takes from its modules; ruff sorts it."""
    module = import_module(package)
    offered = getattr(module, "__all__", None)
    tree = tree_of(f"{package.replace('.', '/')}/__init__.py")
    for_types = [node.body for node in tree.body if isinstance(node, ast.If) and package == "satjudge"]  # imported late
    taken = {
        alias.asname or alias.name
        for node in chain(tree.body, *for_types)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("satjudge")
        for alias in node.names
        if not (alias.asname or "").startswith("_")
    }
    if offered is None:
        defined = any(isinstance(node, ast.ClassDef | ast.FunctionDef) for node in tree.body)
        assert defined or not taken, "a package that only passes names on must list them"
        return
    assert len(set(offered)) == len(offered)
    if package.removeprefix("satjudge.") in ROOMS:
        assert [name for name in offered if not find_spec(f"{package}.{name}")] == []
        return
    assert [name for name in offered if not hasattr(module, name)] == []
    assert set(offered) == {name for name in taken if not name.startswith("_")}


def test_the_front_door_has_what_is_imported_late() -> None:
    """A name that is not there is no attribute; `dir` lists what the front door offers, and no module behind it."""
    assert dir(satjudge) == sorted(satjudge.__all__)
    assert satjudge.render.svg.__module__ == "satjudge.show.rendering"
    with pytest.raises(AttributeError, match="module 'satjudge' has no attribute 'nonsense'"):
        satjudge.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_entered_by_its_door(room: str) -> None:
    """Other rooms import only what `__all__` of a room names, and no room imports its own modules when it is entered."""
    public = import_module(f"satjudge.{room}").__all__
    others = [name for name in MODULES if not name.startswith((f"satjudge/{room}/", "satjudge/__init__"))]
    entered = {(name, taken) for name in others for taken in modules_taken(name) if taken.startswith(f"satjudge.{room}.")}
    assert {one for one in entered if one[1].split(".")[2] not in public} == set()
    assert {taken.split(".")[2] for _, taken in entered} | AT_THE_DOOR.get(room, set()) == set(public)
    loaded = run(
        f"import sys, satjudge; before = set(sys.modules); import satjudge.{room}; print(*(set(sys.modules) - before))"
    )
    assert set(loaded.split()) <= {f"satjudge.{room}"}


KNOWN = {path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".") for path in MODULES}
"""Modules of satjudge, as they are imported."""


@cache
def modules_taken(name: str) -> frozenset[str]:
    """The modules of satjudge that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in nodes_of(name):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("satjudge"):
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in KNOWN else str(node.module) for one in whole}
    return frozenset(found)


def test_the_picture_of_the_rooms_is_that_of_the_imports() -> None:
    """`python docs/pictures/make_rooms.py` draws it anew."""
    maker = runpy.run_path(str(ROOT / "docs" / "pictures" / "make_rooms.py"))
    assert maker["PICTURE"].read_text(encoding="utf-8") == maker["drawing"]()
    assert set(maker["COLUMNS"]) == set(ROOMS)


def test_the_package_knows_its_version() -> None:
    assert satjudge.__version__.count(".") == 2
    assert "satjudge" in PACKAGES
    assert "satjudge.notation" in PACKAGES


def test_every_slow_test_exists() -> None:
    for name in read_slow_tests():
        file, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), name
