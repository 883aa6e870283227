"""Where the compiled path fails, all lines are answered all the same, that is told once, and its cache is mended."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from test_batch import COMMAND, EXAMPLE, EXAMPLE_ANSWER, stream

from satjudge.apps import cli
from satjudge.base import processes
from satjudge.base.errors import InputError
from satjudge.base.progress import PROGRESS
from satjudge.bulk import available, compiling, vocabulary
from satjudge.bulk.batch import Answering, answer_line
from satjudge.bulk.judge import Judge
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

ROW = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
ANSWER = answer_line(stream(ROW)) + b"\n"
FAKES = {
    "an import that fails": "raise ImportError('libsvml.so: cannot open shared object file')",
    "a library that fails": "raise OSError('no room for libllvmlite.so')",
    "another module of that name": "",
    "half a module": "def njit(function",
    "a compiler that fails": (
        "from types import SimpleNamespace\nconfig = SimpleNamespace(CACHE_DIR='')\n"
        "def njit(**options):\n    def broken(*arguments):\n        raise RuntimeError('no such target')\n"
        "    return lambda _: broken"
    ),
}


def batch(lines: int, *arguments: str, limit: Callable[[], None] | None = None, **variables: str) -> tuple[int, bytes, str]:
    """So many lines through `satjudge batch` in a process of its own: exit status, answers, and what it told."""
    done = subprocess.run(
        [*COMMAND, *arguments], input=stream(ROW) * lines, capture_output=True, check=False, preexec_fn=limit,
        env={**os.environ, **variables},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.parametrize(
    "fake", [name if number < 1 else pytest.param(name, marks=pytest.mark.slow) for number, name in enumerate(FAKES)]
)
def test_a_numba_that_is_broken(fake: str, tmp_path: Path, half_written: Path) -> None:
    (tmp_path / "numba.py").write_text(FAKES[fake], encoding="utf-8")
    status, answers, told = batch(2_600, PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(half_written))
    assert (status, answers) == (0, ANSWER * 2_600)
    assert told.startswith("satjudge: answers take longer, as the compiled path for many boards fails: ")
    assert told.count("\n") == 1


@pytest.mark.slow
def test_several_processes_tell_it_once(tmp_path: Path, half_written: Path) -> None:
    (tmp_path / "numba.py").write_text(FAKES["an import that fails"], encoding="utf-8")
    status, answers, told = batch(9_000, "--jobs", "2", PYTHONPATH=str(tmp_path), NUMBA_CACHE_DIR=str(half_written))
    assert (status, answers) == (0, ANSWER * 9_000)
    assert told.count("satjudge: answers take longer") == told.count("\n") == 1


@pytest.fixture
def half_written(tmp_path: Path) -> Path:
    """A folder for NUMBA_CACHE_DIR in which a process that ended early has left a part of what it compiled."""
    folder = compiling.folder(compiling.kernel_source(load_rulebook()))
    assert folder is not None
    (tmp_path / folder.name).mkdir()
    (tmp_path / folder.name / "a part.nbc").touch()
    return tmp_path


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A folder for NUMBA_CACHE_DIR that holds what was compiled before."""
    assert available.answerer() is not None
    kept = compiling.folder(compiling.kernel_source(load_rulebook()))
    assert kept is not None
    shutil.copytree(kept, tmp_path / kept.name)
    return tmp_path


def files(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.nb[ic]"))


def is_whole(cache: Path) -> bool:
    (sums,) = cache.glob("*/SHA256SUMS")
    checked = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", sums.name], cwd=sums.parent, check=False)
    return checked.returncode == 0


@pytest.mark.slow
def test_a_cache_is_used_as_it_is(cache: Path) -> None:
    before = [(path, path.stat().st_mtime_ns) for path in files(cache)]
    assert len(before) > 20
    assert is_whole(cache)
    assert batch(2_600, NUMBA_CACHE_DIR=str(cache)) == (0, ANSWER * 2_600, "")
    assert [(path, path.stat().st_mtime_ns) for path in files(cache)] == before


def test_what_is_kept_is_loaded_and_not_compiled(anew: pytest.MonkeyPatch) -> None:
    """numba counts: it would compile without a word if it did not find, or did not trust, what an earlier process has kept."""
    found = available.answerer()
    assert found is not None
    assert found.judge.kernel is not None
    compiling.kernel.cache_clear()
    available.answerer.cache_clear()
    again = available.answerer()
    assert again is not None
    assert isinstance(again.judge.kernel, compiling.Kernel)
    assert again.judge.kernel.judge_boards is not found.judge.kernel.judge_boards
    for function in again.judge.kernel:
        assert len(function.stats.cache_hits) == 1  # type: ignore[attr-defined]
        assert not function.stats.cache_misses  # type: ignore[attr-defined]


def test_what_was_compiled_from_other_sources_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor what calls them: of that numba itself would use what it has."""
    sources = [shutil.copy(path, tmp_path) for path in compiling.SOURCES]
    monkeypatch.setattr(compiling, "SOURCES", tuple(map(Path, sources)))
    monkeypatch.setattr(compiling, "_places", lambda: iter((tmp_path,)))
    compiling.folder.cache_clear()
    folders = [compiling.folder("equations"), compiling.folder("other equations")]
    for path in map(Path, sources):
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        compiling.folder.cache_clear()
        folders.append(compiling.folder("equations"))
    compiling.folder.cache_clear()
    assert None not in folders
    assert len(set(folders)) == len(sources) + 2
    assert {path.name for path in map(Path, sources)} >= {"kernel.py", "arrays.py", "compiling.py"}


@pytest.mark.slow
def test_a_damaged_cache_is_built_anew(cache: Path) -> None:
    """Empty, truncated and overwritten files at once."""
    for number, path in enumerate(files(cache)):
        content = path.read_bytes()
        middle = len(content) // 2
        path.write_bytes((b"", content[:middle], content[:middle] + b"\xff" + content[middle + 1 :])[number % 3])
    assert batch(2_600, NUMBA_CACHE_DIR=str(cache)) == (0, ANSWER * 2_600, "")
    assert is_whole(cache)
    assert len(files(cache)) > 20


@pytest.mark.slow
def test_a_full_disk(half_written: Path) -> None:
    resource = pytest.importorskip("resource")

    def no_file_may_grow() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    status, answers, told = batch(2_600, limit=no_file_may_grow, NUMBA_CACHE_DIR=str(half_written))
    assert (status, answers) == (0, ANSWER * 2_600)
    assert told.startswith("satjudge: answers take longer, as the compiled path for many boards fails: OSError")
    assert told.count("\n") == 1


# In this process.


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Nothing was told, and the compiled path has not been tried."""
    monkeypatch.setattr(processes, "_take_token", threading.Semaphore(1).acquire)
    available.answerer.cache_clear()
    yield monkeypatch
    available.answerer.cache_clear()


def test_a_cache_that_only_seems_whole_is_tried_once_more(anew: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    tried: list[str] = []
    usual = Judge._try

    def tried_twice(judge: Judge, kernel: compiling.Kernel) -> None:
        tried.append("again" if tried else "once")
        if len(tried) == 1:
            raise EOFError
        usual(judge, kernel)

    anew.setattr(Judge, "_try", tried_twice)
    anew.setattr(compiling, "forget", lambda _: True)
    assert available.answerer() is not None
    assert tried == ["once", "again"]
    assert caplog.text == ""


def test_nowhere_to_keep_compiled_code(anew: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    assert available.answerer() is not None  # so that nothing is left to compile
    available.answerer.cache_clear()
    anew.setattr(compiling, "folder", lambda _: None)
    for _ in range(2):
        assert available.answerer() is not None
        available.answerer.cache_clear()
    assert caplog.text.count("nowhere can compiled code be kept") == 1


def test_the_first_place_that_can_be_written_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "a file"
    file.touch()
    monkeypatch.setattr(compiling, "_places", lambda: iter((file, Path("/proc"), tmp_path / "new", tmp_path)))
    compiling.folder.cache_clear()
    try:
        found = compiling.folder(compiling.kernel_source(load_rulebook()))
        assert found is not None
        assert found.parent == tmp_path / "new"
        monkeypatch.setattr(compiling, "_places", lambda: iter((file, Path("/proc"))))
        compiling.folder.cache_clear()
        assert compiling.folder(compiling.kernel_source(load_rulebook())) is None
    finally:
        compiling.folder.cache_clear()


def test_a_failure_at_work(anew: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    found = available.answerer(load_map(), load_rulebook())
    answering = Answering(plain_first=0)

    def fail(_: object) -> NoReturn:
        raise IndexError("out of bounds")

    anew.setattr(found, "answers", fail)
    for _ in range(2):
        assert list(answering.rows([EXAMPLE] * 9)) == [EXAMPLE_ANSWER] * 9
    assert caplog.text.count("the compiled path for many boards fails: IndexError: out of bounds\n") == 1


def test_an_interrupt_is_no_failure(anew: pytest.MonkeyPatch) -> None:
    """numba makes an ImportError of one that comes while it is imported."""

    def interrupted(*_: object) -> NoReturn:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("initialization failed") from error

    anew.setattr(Judge, "_try", interrupted)
    anew.setattr(compiling, "forget", lambda _: False)
    with pytest.raises(KeyboardInterrupt):
        list(Answering(plain_first=0).rows([EXAMPLE] * 9))


def test_without_a_standard_error_nothing_is_told(anew: pytest.MonkeyPatch) -> None:
    anew.setattr(sys, "stderr", None)
    processes.tell_once("this")


def test_it_is_logged_that_it_compiles(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    source = compiling.kernel_source(load_rulebook())
    caplog.set_level("INFO", "satjudge")
    for kept in (True, False):
        monkeypatch.setattr(compiling, "is_kept", lambda _, kept=kept: kept)
        assert available.compiled_path(source, lambda _: None)
        assert ("compiling a rulebook for arrays, once" in caplog.text) != kept


TELLING = """
import logging
from satjudge.base.processes import processes
from satjudge.apps.cli.output import tell_compiling

def compiling(number):
    logging.getLogger("satjudge").info("compiling %s", number)

if __name__ == "__main__":
    tell_compiling()
    compiling("here")
    with processes(2) as executor:
        executor.submit(compiling, "there").result()
"""


@pytest.mark.parametrize("looks_on", [True, False])
def test_commands_tell_that_they_compile_where_somebody_looks_on(looks_on: bool, tmp_path: Path) -> None:
    """Worker processes do so too. Who looks on is a terminal, or a program that asks for it."""
    script = tmp_path / "script.py"
    script.write_text(TELLING, encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key != PROGRESS} | ({PROGRESS: "at"} if looks_on else {})
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, env=environment)
    assert done.stderr.splitlines() == (["compiling here", "compiling there"] if looks_on else [])


@pytest.mark.usefixtures("without_hypotheses")
@pytest.mark.parametrize("command", ["batch -", "census --boards 1", "crosscheck --against 1982 --fuzz 1"])
def test_which_commands_tell_that_they_compile(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("satjudge.base.processes.tell_what_takes_long", lambda: asked.append(True))
    monkeypatch.setenv(PROGRESS, "at")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    cli.run(command.split())
    assert asked == [True]


def test_a_map_with_too_many_orders_to_number_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "MOST_ORDERS", 1_000)
    with pytest.raises(InputError, match=r"the map standard is too large for arrays: 18,094 convoys"):
        vocabulary.Vocabulary("standard")
