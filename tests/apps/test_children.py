"""No process outlives the one that started it, however that ends: children, what they start, workers, tasks of a server."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Any

import psutil
import pytest
from helpers.talking import ANSWERS, READS
from test_explore_server import POSITION, task

from satjudge.apps.cli import run
from satjudge.base.process_tree import Child
from satjudge.search.formulas.cpsat import Answer, Solver

pytestmark = [pytest.mark.skipif(os.name == "nt", reason="signals"), pytest.mark.usefixtures("interruptible")]
OURS = "SATJUDGE_TEST"
A_MOMENT = 20.0
"""Seconds; on a busy machine. It is left as soon as nothing lives."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
SLEEPING = "import time; time.sleep(600)"
LEAVING = f"""
import subprocess, sys
subprocess.Popen([sys.executable, "-S", "-c", {SLEEPING!r}], start_new_session=True)
"""
"""A program that leaves another one behind, in a session of its own."""


def living(name: str) -> list[psutil.Process]:
    """The processes that were started with this name in their environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(OURS) == name and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What marks all that a test starts."""
    monkeypatch.setenv(OURS, name := token_hex(8))
    yield name
    for process in living(name):  # where the test failed
        process.kill()


def until_there_are(number: int, name: str, which: Callable[[str], list[psutil.Process]] = living) -> None:
    """Wait until so many processes have been started, or none is left: a system ends what is killed a moment later."""
    end = monotonic() + A_MOMENT
    while len(found := which(name)) < number or (found and not number):
        assert monotonic() < end, found
        sleep(0.05)


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def asleep(name: str) -> list[psutil.Process]:
    """Those that sleep, and have no more to do."""
    return [process for process in living(name) if process.cmdline()[-1] == SLEEPING]


def test_a_child_is_ended_with_what_it_left_behind(name: str) -> None:
    """The program has ended, and the one that it started is in a session of its own."""
    child = Child([sys.executable, "-S", "-c", LEAVING])
    try:
        child.wait()
        assert len(asleep(name)) == 1
    finally:
        child.end()
    until_there_are(0, name, asleep)


def test_a_child_that_hides_what_it_starts_is_ended_with_it(name: str) -> None:
    """What it starts does not have its environment."""
    started = f"[sys.executable, '-S', '-c', {SLEEPING!r}], env={{{OURS!r}: {name!r}}}, start_new_session=True"
    child = Child([sys.executable, "-S", "-c", f"import subprocess, sys; subprocess.run({started})"])
    try:
        until_there_are(1, name, asleep)
    finally:
        child.end()
    until_there_are(0, name, asleep)


PARENT = f"""
import sys, time
from satjudge.apps.cli import run
from satjudge.base.process_tree import Child
from satjudge.search.formulas.cpsat import Answer, Solver
Child([sys.executable, "-c", {LEAVING + SLEEPING!r}])
time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_a_parent_that_was_killed(number: signal.Signals, name: str) -> None:
    with started(sys.executable, "-c", PARENT) as parent:
        until_there_are(4, name)  # with the watcher
        parent.send_signal(number)
        parent.wait()
        until_there_are(0, name)


ASKED = "import sys, time; sys.stdin.readline(); time.sleep(600)"
"""An engine that does not answer."""
ENGINE = shlex.join([sys.executable, "-c", LEAVING + ASKED])
SATJUDGE = (sys.executable, "-m", "satjudge")
CROSSCHECK = (*SATJUDGE, "crosscheck", "--against", ENGINE, "--fuzz", "400", "--timeout", "600", "--limit=startup=600")


@pytest.mark.parametrize("number", SIGNALS)
def test_a_campaign_leaves_no_engine(number: signal.Signals, name: str) -> None:
    """Here the engine does not even answer the first question."""
    with started(*CROSSCHECK) as campaign:
        until_there_are(1, name, asleep)
        campaign.send_signal(number)
        _, errors = campaign.communicate()
        until_there_are(0, name)
    assert campaign.returncode == (130 if number != signal.SIGKILL else -number)
    assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.parametrize("number", SIGNALS)
def test_a_campaign_tells_what_is_known_and_leaves_no_worker(number: signal.Signals, name: str) -> None:
    hangs = "time.sleep(600 if asked['id'] > 5 else 0); "
    engine = shlex.join([sys.executable, "-c", LEAVING + READS + hangs + ANSWERS])
    command = (*SATJUDGE, "crosscheck", "--against", engine, "--fuzz", "400", "--timeout", "600", "--jobs", "2")
    with started(*command) as campaign:
        until_there_are(3, name, asleep)  # of this process, and of both workers
        campaign.send_signal(number)
        _, errors = campaign.communicate()
        until_there_are(0, name)
    if number != signal.SIGKILL:
        assert campaign.returncode == 130
        assert "compared 0 of 400 boards: nothing" in errors
        assert "Traceback" not in errors


SOLVING = """
from itertools import combinations
from satjudge.search.formulas.cadical import SolverProcess, flatten_clauses
holes = range(12)
variable = {(pigeon, hole): 12 * pigeon + hole + 1 for pigeon in range(13) for hole in holes}
clauses = [[variable[pigeon, hole] for hole in holes] for pigeon in range(13)]
clauses += [[-variable[one, hole], -variable[other, hole]] for hole in holes for one, other in combinations(range(13), 2)]
SolverProcess().solve(flatten_clauses(clauses))
"""
"""A program that asks CaDiCaL a hard question: thirteen pigeons in twelve holes."""
SHARING = f"""
from satjudge.base.processes import processes
if __name__ == "__main__":
    with processes(2) as executor:
        executor.submit(exec, {SOLVING!r}, {{}})
        exec({SOLVING!r}, {{}})
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, *(pytest.param(one, marks=pytest.mark.slow) for one in SIGNALS[:2])])
def test_no_solver_is_left_behind(number: signal.Signals, name: str, tmp_path: Path) -> None:
    """Neither that of a process nor that of its worker; each has a watcher."""
    pytest.importorskip("pysat")
    (program := tmp_path / "program.py").write_text(SHARING, encoding="utf-8")

    def solving(name: str) -> list[psutil.Process]:
        found = []
        for process in living(name):
            with suppress(psutil.Error):  # it may have ended since
                if "cadical_process.py" in " ".join(process.cmdline()):
                    found.append(process)
        return found

    with started(sys.executable, str(program)) as parent:
        until_there_are(2, name, solving)
        parent.send_signal(number)
        parent.wait()
        until_there_are(0, name)


def test_a_search_that_is_terminated_writes_what_it_has_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As at Ctrl-C."""
    decide, asked = Solver.decide, count(1)

    def told(self: Solver, **wanted: Any) -> Answer:  # noqa: ANN401  # whatever is wanted
        if next(asked) == 8:
            signal.raise_signal(signal.SIGTERM)
        return decide(self, **wanted)

    monkeypatch.setattr(Solver, "decide", told)
    assert run(["search", "paradox", "--region", "BRE ENG LON WAL", "--count", "1000", "--json"]) == 130
    written = capsys.readouterr()
    assert json.loads(written.out)["answers"]
    assert written.err.split() == ["interrupted"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.parametrize("number", [signal.SIGHUP, *(pytest.param(one, marks=pytest.mark.slow) for one in SIGNALS[::2])])
def test_a_server_leaves_no_task(number: signal.Signals, name: str) -> None:
    with started(*SATJUDGE, "explore", "--no-browser", "--port", "0") as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2])
        with task(port, {"task": "prove", "line": "walker-1", "position": POSITION}) as response:
            assert "started" in json.loads(response.readline())
            until_there_are(3, name)  # with the watcher
            server.send_signal(number)
            output, errors = server.communicate()
            until_there_are(0, name)
    assert (server.returncode, output, errors) == (0 if number != signal.SIGKILL else -number, "", "")
