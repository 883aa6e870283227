"""What differs between Linux, macOS and Windows: each system is feigned, and each way tried."""

from __future__ import annotations

import ast
import os
import signal
import stat
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
import yaml
from helpers.sources import ROOT, nodes_of, sources

from satjudge.base import platforms
from satjudge.base.resources import write_atomically
from satjudge.notation.write import make_file_name

PAGE = (ROOT / "docs" / "reference" / "systems.md").read_text(encoding="utf-8")
SMALL = (ROOT / "docs" / "guides" / "small.md").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "SYSTEM", "win32")


# signals and children


def test_signals_that_are_not_there_are_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "win32":
        assert platforms.ending_signals() == (signal.SIGTERM, signal.SIGHUP)
        monkeypatch.delattr(signal, "SIGHUP")
    assert platforms.ending_signals() == (signal.SIGTERM,)


@pytest.mark.usefixtures("windows")
def test_children_are_apart_and_interrupted_on_windows() -> None:
    assert platforms.detached_options() == {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200)}
    assert not platforms.pipes_can_be_waited_for()


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_children_are_apart_elsewhere(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(platforms, "SYSTEM", system)
    assert platforms.detached_options() == {"start_new_session": True}
    assert platforms.pipes_can_be_waited_for()


def test_sessions_and_processors_where_the_system_tells_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert platforms.processors() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.delattr(os, "getsid", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert platforms.processors() == 1
    assert platforms.session_of(os.getpid()) is None


# files


class Held:
    """`os.replace` of a system on which somebody reads the file for a while."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.replace = os.replace

    def __call__(self, new: Path, path: Path) -> None:
        self.times -= 1
        if self.times >= 0:
            raise PermissionError(13, "The process cannot access the file because it is being used by another process")
        self.replace(new, path)


@pytest.mark.usefixtures("windows")
def test_a_file_that_somebody_reads_is_replaced_when_he_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "g.json").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", Held(3))
    write_atomically(tmp_path / "g.json", b"new")
    assert (tmp_path / "g.json").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["g.json"]


@pytest.mark.parametrize(("system", "tries"), [("win32", 2), ("linux", 1)])
def test_one_who_reads_for_ever_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, tries: int) -> None:
    (tmp_path / "g.json").write_bytes(b"old")
    held = Held(1000)
    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(platforms, "SYSTEM", system)
    monkeypatch.setattr(platforms, "PATIENCE", 0.03)
    with pytest.raises(PermissionError):
        write_atomically(tmp_path / "g.json", b"new")
    assert 1000 - held.times >= tries
    assert (tmp_path / "g.json").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["g.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permissions of this kind")
def test_the_umask_of_other_threads_is_never_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file that another thread makes meanwhile would be open to all."""
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("the umask was changed"))
        write_atomically(tmp_path / "new.json", b"{}")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.json").stat().st_mode) == 0o640
    (tmp_path / "new.json").chmod(0o604)
    write_atomically(tmp_path / "new.json", b"[]")
    assert stat.S_IMODE((tmp_path / "new.json").stat().st_mode) == 0o604


@pytest.mark.usefixtures("windows")
def test_no_permissions_are_given_on_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "chmod", lambda path, mode: pytest.fail("a read-only file could not be replaced"))
    (tmp_path / "g.json").write_bytes(b"old")
    write_atomically(tmp_path / "g.json", b"new\r\n\n")
    assert (tmp_path / "g.json").read_bytes() == b"new\r\n\n"


def test_many_threads_write_one_file(tmp_path: Path) -> None:
    texts = [bytes([65 + number]) * 1000 for number in range(8)]
    threads = [threading.Thread(target=write_atomically, args=(tmp_path / "g.json", text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "g.json").read_bytes() in texts
    assert os.listdir(tmp_path) == ["g.json"]


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "lpt9.x", "aux .y"])
def test_no_case_is_written_to_a_device(name: str) -> None:
    assert platforms.is_device(name)
    assert not platforms.is_device(make_file_name(name))


def test_other_names_are_kept() -> None:
    assert [make_file_name(name) for name in ("6.F.14", "console", "com10", "a:b\\c")] == [
        "6.F.14",
        "console",
        "com10",
        "a-b-c",
    ]


def test_a_cache_is_where_users_have_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platforms, "SYSTEM", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert platforms.user_cache() == tmp_path / "satjudge"
    monkeypatch.setattr(platforms, "SYSTEM", "darwin")
    assert platforms.user_cache().parts[-3:] == ("Library", "Caches", "satjudge")
    monkeypatch.setattr(platforms, "SYSTEM", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    assert platforms.user_cache() == tmp_path / "Local" / "satjudge"
    monkeypatch.delenv("LOCALAPPDATA")
    assert platforms.user_cache().parts[-3:] == ("AppData", "Local", "satjudge")


def test_a_file_is_mine_alone_where_nobody_else_can_write_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    file.chmod(0o644)
    monkeypatch.setattr(platforms, "SYSTEM", "linux")
    assert platforms.is_mine_alone(file)
    file.chmod(0o664)
    assert not platforms.is_mine_alone(file)
    monkeypatch.setattr(platforms, "SYSTEM", "win32")
    monkeypatch.delattr(os, "getuid")
    assert platforms.is_mine_alone(file)  # in a folder of the user
    with pytest.raises(FileNotFoundError):
        platforms.is_mine_alone(tmp_path / "nothing")


# command lines and terminals


@pytest.mark.usefixtures("windows")
def test_backslashes_of_a_command_are_kept_on_windows() -> None:
    assert platforms.words_of(r'"C:\Program Files\engine.exe" --batch D:\maps\x.toml') == [
        r"C:\Program Files\engine.exe",
        "--batch",
        r"D:\maps\x.toml",
    ]
    assert platforms.words_of("engine --name it's") == ["engine", "--name", "it's"]
    words = [r"C:\Program Files\engine.exe", "a b", "c"]
    assert platforms.words_of(platforms.command_of(words)) == words


def test_commands_are_read_as_shells_do_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "SYSTEM", "darwin")
    assert platforms.words_of(r"my\ engine '--a b' # c") == ["my engine", "--a b", "#", "c"]
    assert platforms.words_of(platforms.command_of(["a b", "it's"])) == ["a b", "it's"]
    with pytest.raises(ValueError, match="quotation"):
        platforms.words_of("'a")


def test_a_console_of_windows_is_not_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(platforms, "SYSTEM", "linux")
    assert platforms.terminal_width() == 80
    monkeypatch.setattr(platforms, "SYSTEM", "win32")
    assert platforms.terminal_width() == 79


def test_a_console_with_few_letters_is_written_to() -> None:
    """The code page of a Western Windows lacks the corners of a core; they are written in ASCII."""
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    for arguments, shown in (
        (["resolutions", "datc:6.F.14"], "Core 1: simple paradox"),
        (["count", "datc:6.A.1"], "| England |     1 |"),
    ):
        command = [sys.executable, "-m", "satjudge", *arguments]
        ran = subprocess.run(command, env=environment, capture_output=True, check=True, cwd=ROOT)
        assert shown in ran.stdout.decode("cp1252")
        assert "\\u" not in ran.stdout.decode("cp1252")
        assert ran.stderr == b""


ISLAND = """
name = "island"
title = "An island"
powers = ["NORTH"]
power.NORTH = { name = "North", adjective = "Northern" }
province.TOP = { name = "Topham", kind = "coast", center = true, home = "NORTH", unit = "A", army = ["LOW"], fleet = ["LOW"] }
province.LOW = { name = "Lowestoft", kind = "coast", army = ["TOP"], fleet = ["TOP"] }
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the names are of files in the working directory")
def test_options_take_paths_with_drive_letters_and_backslashes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A colon before a path is neither a collection of cases nor a module with a function."""
    from satjudge.apps.cli import run

    monkeypatch.chdir(tmp_path)
    game_map, sheet, rules = r"C:\maps\island.toml", r"C:\games\S1901M.txt", r"D:\rules\club.toml"
    Path(game_map).write_text(ISLAND, encoding="utf-8")
    Path(rules).write_text('name = "club"\ntitle = "Club"\nbased_on = "2023"\n', encoding="utf-8")
    Path(sheet).write_text("North:\r\n  A TOP - LOW | succeeds\r\n", encoding="utf-8", newline="")
    assert run(["check", sheet, "--map", game_map, "--rules", rules]) == 0
    assert capsys.readouterr().out.endswith("1/1 passed, 1 verdicts compared\n")
    assert run(["crosscheck", "--against", r"C:\engine.exe:x", "--fuzz", "1"]) == 2
    assert "no oracle and no program" in capsys.readouterr().err


# one place


def test_no_other_module_asks_which_system_there_is() -> None:
    for path in sources():
        if path.name == "platforms.py" or "_data" in path.parts:
            continue
        for node in nodes_of(path):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found = f"{node.value.id}.{node.attr}"
                assert found not in ("sys.platform", "os.name", "os.replace", "os.chmod", "os.umask", "os.getsid"), path


def test_the_page_lists_each_difference() -> None:
    names = [
        node.name
        for node in ast.parse(Path(platforms.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name != "is_windows"
    ]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_the_workflow_runs_each_system_and_each_python_that_the_package_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    classifiers = [line.rpartition(" :: ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    matrix = WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]
    assert matrix["python"] == classifiers
    assert matrix["os"] == WORKFLOW["jobs"]["small"]["strategy"]["matrix"]["os"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    commands = [step["run"] for step in WORKFLOW["jobs"]["small"]["steps"] if "run" in step]
    assert f"{commands[1].removeprefix('python -m ').replace(' --quiet', '')}\n" in SMALL
