"""Ctrl-C ends a command as an interruption, whatever it is busy with; where it is ignored (`nohup`, cron), SIGTERM does."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from satjudge.apps import cli

pytestmark = pytest.mark.usefixtures("interruptible")
IGNORING = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
TELLING = """
from satjudge.apps.cli import main
from satjudge.search.formulas.cpsat import Solver
decide = Solver.decide
def told(self, *given, **wanted):
    while True:
        print("asked", flush=True)
        decide(self, *given, **wanted)
Solver.decide = told
main()
"""
"""A program that is the command line, but prints a line when it asks the solver, and asks it until it is interrupted."""
COMMANDS = {
    "search": ["search", "several-resolutions and not paradox", "--region", "BRE ENG LON WAL PIC NTH BEL", "--count", "1000"],
    "prove": ["prove", "line:beshera-4", "--redundant"],
}

CONFIRMING = """
import sys
from pathlib import Path
from satjudge.apps.cli import main
from satjudge.search.formulas import cadical as second
started = second.Child
def told(*arguments, **options):
    print("asked", flush=True)
    return started(*arguments, **options)
second.Child = told
second._PROGRAM = Path(sys.argv.pop(1))
main()
"""
"""A program that is the command line, but says when it asks the second solver, which is another program."""

HARD = """
from random import Random
from satjudge.search.formulas.clauses import Formula
from satjudge.search.formulas.cpsat import Solver
formula, random = Formula(), Random("hard")
variables = [formula.add_variable() for _ in range(500)]
for _ in range(2100):  # clauses of three: about as many as make it hardest
    formula.require(*(variable * random.choice((1, -1)) for variable in random.sample(variables, 3)))
solver = Solver(formula, workers=1)
solver.add_new_parts()
for _ in range(2):
    try:
        print("asked", flush=True)
        while True:
            solver.decide(timeout=30)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""
"""A program that asks a hard question twice, and is interrupted each time."""


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_solver_is_interrupted_and_python_keeps_the_signal() -> None:
    with started(HARD) as process:
        assert process.stdout
        for _ in range(2):
            assert process.stdout.readline() == "asked\n"
            sleep(0.3)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 0


@pytest.mark.parametrize(("command", "ignoring"), [("search", ""), ("prove", ""), ("search", IGNORING)])
def test_a_command_that_asks_the_solver(command: str, ignoring: str) -> None:
    with started(ignoring + TELLING, *COMMANDS[command]) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGINT)
        if ignoring:
            assert process.stdout.readline() == "asked\n"  # it goes on
            process.send_signal(signal.SIGTERM)
        said = process.stderr.read()
        assert process.wait() == 130
    assert said.split() == ["interrupted"]


@pytest.mark.slow
def test_a_finished_answer_is_kept_if_its_second_opinion_is_interrupted(tmp_path: Path) -> None:
    """Whatever the second solver is at: here it never ends."""
    pytest.importorskip("pysat.solvers")
    endless = tmp_path / "endless.py"
    endless.write_text("import time\ntime.sleep(600)\n")
    command = ["search", "paradox", "--region", "BRE ENG LON", "--second-opinion", "--drat", str(tmp_path / "proof")]
    with started(CONFIRMING, str(endless), *command) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == "asked\n"
        sleep(0.3)
        process.send_signal(signal.SIGINT)
        told, said = process.stdout.read(), process.stderr.read()
        assert process.wait() == 130
    assert "There is none: proved." in told
    assert "Second opinion: interrupted after 0 of 2 questions." in told
    assert said.split() == ["interrupted"]


def test_an_import_that_turns_it_into_an_error_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def importing(*_: object, **__: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interruption:
            raise ImportError("initialization failed") from interruption

    monkeypatch.setattr(cli.cli, "main", importing)
    assert cli.run(["judge", "datc:6.A.1"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_whoever_interrupts_says_so() -> None:
    """Else the tests wait for ever where they are started by something that ignores signals (`nohup make test &`)."""
    signals, sends = {"SIGINT", "SIGHUP"}, {"send_signal", "killpg"}
    for path in sorted(Path(__file__).parents[1].rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(one in text for one in sends) or ("pytestmark" in text and "interruptible" in text):
            continue
        for node in ast.parse(text).body:
            names = {name.attr for name in ast.walk(node) if isinstance(name, ast.Attribute)}
            if isinstance(node, ast.FunctionDef) and names & sends and names & signals:
                assert any("interruptible" in ast.unparse(one) for one in node.decorator_list), f"{path.name}: {node.name}"
