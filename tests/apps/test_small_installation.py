"""An installation without ortools, networkx and rich, in a few megabytes, does what asks no solver (docs/guides/small.md)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARADOX = "datc:6.F.14"
ENGINE = f"{sys.executable} {Path(__file__).with_name('test_small_installation.py')}"
ROW = b'{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}\n'
ANSWERED = (
    ("judge", PARADOX),
    ("judge", PARADOX, "--json"),
    ("resolutions", PARADOX),
    ("resolutions", PARADOX, "--json", "--graph", "core.svg"),
    ("explain", PARADOX),
    ("explain", PARADOX, "--why-not", "A BRE - LON"),
    ("explain", PARADOX, "--pivotal"),
    ("explain", PARADOX, "A BRE - LON", "--what-would-change"),
    ("compare", "datc:6.F.18", "--rules", "1982,datc-3"),
    ("datc", "6.F.14", "6.F.18", "6.D", "6.G"),
    ("datc", "--edition", "2.4", "7.B"),
    ("check", "catalogue:2M-2r-8f8dc5ac"),
    ("export", "6.F.14"),
    ("batch", "rows.jsonl"),
    ("conformance", "--against", ENGINE, "--part", "retreats", "--only", "6.H.1", "--no-diagnosis"),
    ("game", "new", "g.json"),
    ("game", "order", "g.json", "FRANCE", "A PAR - BUR"),
    ("game", "next", "g.json"),
    ("game", "show", "g.json"),
    ("game", "report", "g.json"),
    ("game", "next", "g.json"),
    ("replay", "g.json"),
    ("game", "undo", "g.json"),
    ("maps", "list"),
    ("maps", "show", "chaos"),
    ("maps", "check", "standard"),
    ("maps", "convert", "loeb9", "-o", "loeb9.toml"),
    ("render", PARADOX, "--resolutions", "-o", "x.svg"),
    ("report", PARADOX, "-o", "x.html"),
    ("rulebooks",),
    ("equations", PARADOX),
    ("count", PARADOX),
    ("verify", str(ROOT / "docs" / "certificates" / "6.F.14.zip")),
)
"""Commands that end well; those about one game in turn."""
REFUSED = (
    ("resolutions", PARADOX, "--engine", "full"),
    ("datc", "6.F.14", "--engine", "full"),
    ("equations", PARADOX, "--proto", "x.txt"),
    ("search", "paradox", "--region", "BRE ENG LON"),
    ("prove", "line:walker-1"),
    ("lines", "hold VEN"),
    ("guarantee", "take SER", "datc:6.A.1", "--power", "England"),
    ("census", "--boards", "2", "--jobs", "1"),
)
"""Commands that need the solver, graphs, or arrays."""
PROGRAM = """
import io, json, sys
from importlib.machinery import PathFinder

LEFT_OUT = sys.argv[1:]

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in LEFT_OUT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

import importlib.util
there = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in LEFT_OUT else there(name, *rest)
sys.meta_path.insert(0, Without())

from satjudge.apps.cli import run

told = []
for arguments in json.load(sys.stdin):
    sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    code = run(arguments)
    told.append((code, len(sys.stdout.buffer.getvalue()), sys.stderr.getvalue()))
json.dump(told, sys.__stdout__)
"""


LEFT_OUT = ("ortools", "networkx", "numpy", "pandas", "pysat", "numba", "wasmtime", "matplotlib", "rich")


class Ran(NamedTuple):
    """What became of a command."""

    code: int
    written: int
    err: str


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Ran]:
    """All commands, run one after the other in one process that lacks the solver and graphs."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "rows.jsonl").write_bytes(ROW)
    return run_without(LEFT_OUT, [*ANSWERED, *REFUSED], folder)


def run_without(packages: Sequence[str], commands: Sequence[tuple[str, ...]], folder: Path) -> dict[tuple[str, ...], Ran]:
    """What becomes of commands, one after the other, in a process that has no such packages."""
    program = [sys.executable, "-c", PROGRAM, *packages]
    told = subprocess.run(program, input=json.dumps(commands).encode(), capture_output=True, check=True, cwd=folder).stdout
    return {command: Ran(*one) for command, one in zip(commands, json.loads(told), strict=True)}


def test_positions_take_click_and_msgspec_alone(tmp_path: Path) -> None:
    commands = [("judge", PARADOX), ("resolutions", PARADOX), ("explain", PARADOX), ("datc", "6.F.14"), ("maps", "list")]
    ran = run_without((*LEFT_OUT, "filelock", "psutil"), commands, tmp_path)
    assert [(command[0], one.code, one.err) for command, one in ran.items()] == [(command[0], 0, "") for command in commands]


@pytest.mark.parametrize("command", ANSWERED, ids=" ".join)
def test_what_asks_no_solver_needs_none(ran: dict[tuple[str, ...], Ran], command: tuple[str, ...]) -> None:
    code, written, err = ran[command]
    assert code == 0, err
    assert written or "wrote" in err


@pytest.mark.parametrize("command", REFUSED, ids=" ".join)
def test_what_does_says_so_in_one_line(ran: dict[tuple[str, ...], Ran], command: tuple[str, ...]) -> None:
    code, written, err = ran[command]
    assert (code, written) == (2, 0)
    assert err.startswith("satjudge: this needs ")
    named = ("ortools networkx", "ortools", "networkx", "numpy")
    assert err.endswith(tuple(f" (pip install {packages})\n" for packages in named))
    assert err.count("\n") == 1


if __name__ == "__main__":  # an engine that answers batch lines
    from satjudge.apps.cli import run

    sys.exit(run(["batch"]))
