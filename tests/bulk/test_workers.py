"""Processes may die: the lines that they had are judged again, and all answers come in order."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from contextlib import closing
from functools import partial
from pathlib import Path
from time import sleep

import pytest
from helpers.dying import half_a_result, hang, lost, squares
from test_batch import COMMAND, EXAMPLE, EXAMPLE_ANSWER, stream

from satjudge.base.errors import WorkerLostError
from satjudge.base.processes import Workers, _Process, as_completed, processes, workers
from satjudge.bulk.batch import CHUNK, answer_line

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals")


def test_what_a_process_died_over_is_done_again(tmp_path: Path) -> None:
    (tmp_path / "accident").touch()
    with workers(2, partial(squares, tmp_path), lost) as crew:
        lists = [list(range(start, start + 5)) for start in range(0, 40, 5)]
        found = [crew.submit(numbers) for numbers in lists]
        assert [future.result() for future in found] == [[number**2 for number in numbers] for numbers in lists]
    assert not list(tmp_path.iterdir())


def test_only_what_processes_die_of_is_lost(tmp_path: Path) -> None:
    with workers(2, partial(squares, tmp_path), lost) as crew:
        one, other = crew.submit([1, 2, 3, -4, 5, 6]), crew.submit([-1])
        assert one.result() == [1, 4, 9, 996, 25, 36]
        assert other.result() == [999]


def test_processes_that_cannot_start_are_told() -> None:
    started = partial(_Process, multiprocessing.get_context("spawn"), partial(os._exit, 1))
    crew: Workers[int, int] = Workers(1, list, lost, started)
    try:
        with pytest.raises(WorkerLostError, match="fewer --jobs"):
            crew.submit([1]).result()
    finally:
        crew.end()


def test_a_process_may_die_while_it_sends_a_result(tmp_path: Path) -> None:
    (tmp_path / "accident").touch()
    with workers(1, partial(half_a_result, tmp_path), bytes) as crew:
        assert crew.submit([1, 2]).result(timeout=120) == [b"x" * 50_000_000] * 2


def children(process: int) -> list[int]:
    """The processes that one has started and that answer lines."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text(encoding="utf-8").split():
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_killed_process_changes_no_answer(tmp_path: Path) -> None:
    rows = [EXAMPLE | {"id": number} for number in range(14 * CHUNK)]
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b"".join(map(stream, rows)))
    command = [*COMMAND, "--jobs", "2", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as process:
        assert process.stdout
        first = process.stdout.readline()
        os.kill(children(process.pid)[0], signal.SIGKILL)
        answers, told = process.communicate(timeout=300)
    assert (process.returncode, told) == (0, b"")
    assert [json.loads(line) for line in (first + answers).splitlines()] == [EXAMPLE_ANSWER | {"id": row["id"]} for row in rows]


def test_a_line_that_kills_processes_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal\nfrom satjudge.bulk.batch import Answering\nanswered = Answering._answer_line\n"
        "def deadly(self, line):\n"
        "    if b'deadly' in line:\n        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return answered(self, line)\n"
        "Answering._answer_line = deadly\n",
        encoding="utf-8",
    )
    rows = [EXAMPLE | {"id": number} for number in range(20)]
    rows[13]["id"] = "deadly"
    done = subprocess.run(
        [*COMMAND, "--jobs", "2", "-"], input=b"".join(map(stream, rows)), capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    found = done.stdout.splitlines()
    assert found[:13] + found[14:] == [answer_line(stream(row)) for row in rows[:13] + rows[14:]]
    lost = json.loads(found[13])
    assert lost["id"] == "deadly"
    assert lost["error"]["kind"] == "internal"
    assert "the process that was judging this line ended" in lost["error"]["message"]


def test_a_script_without_a_guard_is_told_so(tmp_path: Path) -> None:
    """Every process reads the script again; one that starts processes as it is read cannot go on."""
    script = tmp_path / "script.py"
    script.write_text(
        "from satjudge.bulk.batch import judge_many\nprint(list(judge_many([{'units': {}}], jobs=2)))\n", encoding="utf-8"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (1, "")
    assert "WorkerLostError: worker processes end before they start to work" in done.stderr


@pytest.fixture
def deaths_of_threads(monkeypatch: pytest.MonkeyPatch) -> list[threading.ExceptHookArgs]:
    """What threads end with that nobody catches."""
    found: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    return found


def test_a_process_may_die_after_work_was_cancelled(tmp_path: Path, deaths_of_threads: list[threading.ExceptHookArgs]) -> None:
    """More waits than the process pool of CPython hands on by itself; what is not cancelled is told of the death."""

    def lose_one() -> None:
        with processes(2) as executor:
            assert executor
            *futures, last = [executor.submit(hang, tmp_path, item) for item in range(1, 10)]
            while len(list(tmp_path.iterdir())) < 2:
                sleep(0.01)
            for future in futures:
                future.cancel()
            os.kill(int(next(tmp_path.iterdir()).name), signal.SIGKILL)
            last.result(timeout=60)

    with pytest.raises(WorkerLostError):
        lose_one()
    assert deaths_of_threads == []


def test_an_interrupt_leaves_no_thread_with_cancelled_work(
    tmp_path: Path, deaths_of_threads: list[threading.ExceptHookArgs]
) -> None:
    """`as_completed` cancels what waits, then the processes are told to go."""

    def interrupt() -> None:
        with (
            processes(2) as executor,
            closing(as_completed(partial(hang, tmp_path), range(20), executor, max_pending=9)) as found,
        ):
            next(found)
            while len(list(tmp_path.iterdir())) < 2:
                sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert deaths_of_threads == []
