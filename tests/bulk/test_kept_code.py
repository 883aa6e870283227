"""Machine code is kept for the next process, and trusted only where nobody but the user can have written it."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from satjudge.base import platforms
from satjudge.bulk.wasm import sandbox
from satjudge.bulk.wasm.sandbox import Sandbox, SandboxError, keep_machine_code, read_machine_code

MODULE = b"\0asm\1\0\0\0" + bytes((5, 3, 1, 0, 1, 7, 10, 1, 6)) + b"memory" + bytes((2, 0))
"""A module that has a memory and nothing else."""
posix_only = pytest.mark.skipif(platforms.is_windows(), reason="on Windows the folder of a user is his")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for machine code, in a cache of the test's own."""
    monkeypatch.setattr(sandbox, "user_cache", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "kernel"


def test_a_module_is_compiled_once_and_loaded_from_then_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, how = list[str](), sandbox._make_module

    def counted(function: str, data: bytes) -> int:
        made.append(function)
        return how(function, data)

    monkeypatch.setattr(sandbox, "_make_module", counted)
    for _ in range(3):  # processes, as it were
        sandbox._load_module.cache_clear()
        assert len(Sandbox(MODULE).memory) == 1 << 16
    assert made == ["wasmtime_module_new", *["wasmtime_module_deserialize"] * 2]
    (kept,) = place.glob("*.cwasm")
    assert kept.name.startswith("wasmtime-")
    keep_machine_code(kept.name.rsplit("-", 1)[0], MODULE, b"of another processor")
    sandbox._load_module.cache_clear()
    assert len(Sandbox(MODULE).memory) == 1 << 16  # compiled once more
    assert made[-2:] == ["wasmtime_module_deserialize", "wasmtime_module_new"]
    sandbox._load_module.cache_clear()
    with pytest.raises(SandboxError):
        Sandbox(b"no module")


def test_what_is_kept_is_of_one_module_and_one_version() -> None:
    keep_machine_code("wasmtime-1", MODULE, b"code")
    assert read_machine_code("wasmtime-1", MODULE) == b"code"
    assert read_machine_code("wasmtime-2", MODULE) is None
    assert read_machine_code("wasmtime-1", MODULE + b"\0") is None


def of_the_file(change: Callable[[Path], object]) -> Callable[[Path], object]:
    return lambda place: change(next(place.glob("*.cwasm")))


@pytest.mark.parametrize(
    "changed",
    [
        of_the_file(lambda file: file.write_bytes(file.read_bytes()[:-1])),
        of_the_file(lambda file: file.write_bytes(file.read_bytes() + b"\x90")),
        of_the_file(lambda file: file.write_bytes(b"")),
        pytest.param(of_the_file(lambda file: file.chmod(0o666)), marks=posix_only),
        pytest.param(lambda place: place.chmod(0o777), marks=posix_only),
        pytest.param(
            of_the_file(lambda file: file.rename(file.with_name("x")).with_name(file.name).symlink_to("x")), marks=posix_only
        ),
    ],
    ids=["shorter", "longer", "empty", "file of all", "folder of all", "link"],
)
def test_what_others_could_have_written_is_passed_over(changed: Callable[[Path], object], place: Path) -> None:
    keep_machine_code("wasmtime-1", MODULE, b"code")
    assert read_machine_code("wasmtime-1", MODULE) == b"code"
    changed(place)
    assert read_machine_code("wasmtime-1", MODULE) is None


@posix_only
def test_a_file_of_another_user_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_machine_code("wasmtime-1", MODULE, b"code")
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert read_machine_code("wasmtime-1", MODULE) is None


def test_where_nothing_can_be_kept_nothing_is(tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("no folder")
    keep_machine_code("wasmtime-1", MODULE, b"code")
    assert read_machine_code("wasmtime-1", MODULE) is None

    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(sandbox, "user_cache", nowhere)
    keep_machine_code("wasmtime-1", MODULE, b"code")
    assert read_machine_code("wasmtime-1", MODULE) is None


def test_the_oldest_files_make_way(place: Path) -> None:
    for number in range(12):
        keep_machine_code(f"wasmtime-{number}", MODULE, b"code")
    assert len(list(place.iterdir())) == 8
    assert read_machine_code("wasmtime-11", MODULE) == b"code"


class _SlowEngines:
    """A library in which engines take so long that all threads that are the first ask for one."""

    def __init__(self, threads: int) -> None:
        self.together = Barrier(threads)
        self.numbers = iter(range(1, threads + 1))

    def wasm_engine_new(self) -> int:
        self.together.wait(5)
        return next(self.numbers)


def test_threads_that_are_the_first_have_one_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one engine compiled is refused by another: then all answers came by the plain path."""
    library = _SlowEngines(4)
    monkeypatch.setattr(sandbox, "_engines", [])
    monkeypatch.setattr(sandbox, "_load_library", lambda: library)
    with ThreadPoolExecutor(4) as pool:
        engines = [asked.result() for asked in [pool.submit(sandbox._load_engine) for _ in range(4)]]
    assert len(set(engines)) == 1
