"""Where the kernel fails, all lines are answered all the same, and that is told once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import NoReturn

import pytest
from test_batch import COMMAND, EXAMPLE, EXAMPLE_ANSWER, stream

from satjudge.base import processes
from satjudge.base.errors import InputError
from satjudge.bulk import vocabulary
from satjudge.bulk.batch import Answering, answer_line
from satjudge.bulk.judge import Judge
from satjudge.bulk.wasm import loading
from satjudge.bulk.wasm.array_kernel import ArrayKernel
from satjudge.bulk.wasm.lines import LineAnswerer
from satjudge.bulk.wasm.sandbox import SandboxError

ROW = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
ANSWER = answer_line(stream(ROW)) + b"\n"
FAKES = {
    "a library that fails": ("linux-x86_64/_libwasmtime.so", "no library"),
    "no library": ("__init__.py", ""),
}


def batch(lines: int, *arguments: str, path: Path) -> tuple[int, bytes, str]:
    """So many lines through `satjudge batch` in a process of its own: exit status, answers, and what it told."""
    done = subprocess.run(
        [*COMMAND, *arguments], input=stream(ROW) * lines, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(path)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.fixture
def fake(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder for PYTHONPATH with something else of the name wasmtime."""
    name, text = FAKES[request.param]
    for file, content in (("__init__.py", ""), (name, text)):
        path = tmp_path / "wasmtime" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("fake", FAKES, indirect=True)
def test_a_wasmtime_that_is_broken(fake: Path) -> None:
    status, answers, told = batch(100, path=fake)
    assert (status, answers) == (0, ANSWER * 100)
    assert told.startswith("satjudge: answers take longer because the compiled kernel fails: ")
    assert told.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("fake", ["no library"], indirect=True)
def test_several_processes_tell_it_once(fake: Path) -> None:
    status, answers, told = batch(9_000, "--jobs", "2", path=fake)
    assert (status, answers) == (0, ANSWER * 9_000)
    assert told.count("satjudge: answers take longer") == told.count("\n") == 1


# In this process.


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing was told."""
    monkeypatch.setattr(processes, "_take_token", threading.Semaphore(1).acquire)
    return monkeypatch


def test_a_failure_at_work(anew: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    answering = Answering(plain_first=0)
    list(answering.rows([EXAMPLE]))

    def fail(*_: object) -> NoReturn:
        raise IndexError("out of bounds")

    anew.setattr(LineAnswerer, "answer", fail)
    for _ in range(2):
        assert list(answering.rows([EXAMPLE] * 9)) == [EXAMPLE_ANSWER] * 9
    assert caplog.text.count("the compiled kernel fails: IndexError: out of bounds\n") == 1


def test_a_failure_of_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ArrayKernel, "call", lambda *_: None)
    with pytest.raises(SandboxError, match="the compiled kernel gives a wrong result: A "):
        Judge()


def test_an_interrupt_is_no_failure(anew: pytest.MonkeyPatch) -> None:
    """Some libraries make another error of one that comes while they are loaded."""

    def interrupted(*_: object, **__: object) -> NoReturn:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("initialization failed") from error

    anew.setattr(loading, "load_line_answerer", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(Answering(plain_first=0).rows([EXAMPLE] * 9))


def test_without_a_standard_error_nothing_is_told(anew: pytest.MonkeyPatch) -> None:
    anew.setattr(sys, "stderr", None)
    processes.warn_once("this")


def test_a_map_with_too_many_orders_to_number_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_ORDERS", 1_000)
    with pytest.raises(InputError, match=r"the map standard is too large for arrays: 18,094 convoys"):
        vocabulary.Vocabulary("standard")
