"""The page as static files: what is in them, and what becomes of a runtime that is not what it should be; without a network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipimport import zipimporter

import pytest

from satjudge.apps.cli import run
from satjudge.apps.explore import site
from satjudge.apps.explore.bytecode import compile_loaded_modules
from satjudge.apps.explore.examples import EXAMPLES, FOLDER
from satjudge.apps.explore.site import Download, fetch_file
from satjudge.base.errors import InputError
from satjudge.base.resources import data_directory

SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""How archives are unpacked: Python 3.11 has filters since 3.11.4, and Debian 12 brings 3.11.2."""

ASKING = """
import sys, json
folder, later = sys.argv[1:]
sys.path[:0] = [folder]
sys.modules |= dict.fromkeys(("ortools", "click", "rich", "numpy", "starlette", "uvicorn", "networkx"))
from satjudge.apps.explore.questions import QUESTIONS, answer_question
assert answer_question.__code__.co_filename.startswith(folder)
about = json.loads(sys.stdin.read())
answers = {}
for question in QUESTIONS:
    name = question.__struct_config__.tag
    if name != later:
        given = {key: value for key, value in about.items() if key in question.__struct_fields__}
        answers[name] = json.loads(answer_question(json.dumps({**given, "ask": name})))
print(json.dumps(answers))
"""


def registered(path: Path, content: bytes) -> Download:
    """A file as if it were in a registry."""
    path.write_bytes(content)
    return Download(path.as_uri(), len(content), f"sha256={hashlib.sha256(content).hexdigest()}")


def wheel(*names: str) -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        for name in names:
            archive.writestr(name, name)
    return file.getvalue()


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Registries that have files of the runtime's names."""
    folder = tmp_path_factory.mktemp("registry")
    with tarfile.open(fileobj=(package := io.BytesIO()), mode="w:gz") as archive:
        for name in (*site.RUNTIME, "pyodide.d.ts"):
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(site, "PYODIDE", registered(folder / "pyodide.tgz", package.getvalue()))
        patched.setattr(site, "MSGSPEC", registered(folder / "msgspec.whl", wheel("msgspec/__init__.py", "msgspec/tests/a.py")))
        patched.setattr(site, "NETWORKX", registered(folder / "networkx.whl", wheel("networkx/__init__.py")))
        yield folder


@pytest.fixture(scope="module")
def made(registry: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site without a runtime that runs."""
    folder = tmp_path_factory.mktemp("site")
    assert run(["explore", "--site", str(folder / "pages"), "--cache", str(folder / "cache")]) == 0
    return folder / "pages"


def config(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return found


def test_a_site_is_the_page_with_what_it_judges_with(made: Path) -> None:
    page = {path.name for path in (Path(site.__file__).parent / "page").iterdir()}
    told = config(made)
    assert told["engine"] == "worker"
    stamped = {told["pack"], told["later"], told["opening"], told["early"]["ground"]}
    assert {path.name for path in made.iterdir()} == {*page, *stamped, "runtime", FOLDER, site.KERNEL, site.CARD}
    assert all((made / one["picture"]).read_bytes().startswith(b"<svg") for one in told["examples"])
    assert {path.name for path in (made / "runtime").iterdir()} == {*site.RUNTIME.values()}
    assert (made / "runtime" / "pyodide.js").read_bytes() == b"pyodide.mjs"
    named = (told["early"]["module"], told["early"]["kernel"], *told["early"]["tables"].values())
    assert all((made / name).is_file() for name in named)


def test_the_page_says_before_all_else_what_it_may_do(made: Path) -> None:
    page = (made / "index.html").read_text(encoding="utf-8")
    told, _, _ = page.partition("<title>")
    assert "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' " in told
    assert "frame-ancestors" not in told  # which an element may not say, and browsers complain
    assert "<script" not in told
    assert "<link" not in told


def test_what_a_new_page_asks_is_answered_in_the_site(made: Path) -> None:
    answers = json.loads((made / config(made)["opening"]).read_text(encoding="utf-8"))
    asked = [json.loads(question)["ask"] for question in answers]
    assert asked == ["start", *["case"] * len(EXAMPLES), "judge", "draw", "choices"]
    assert all("answer" in told for told in answers.values())
    assert all(
        json.dumps(json.loads(question), separators=(",", ":")) == question for question in answers
    )  # as JavaScript has it


def test_packs_hold_what_questions_need_and_no_solver(made: Path, tmp_path: Path) -> None:
    with tarfile.open(made / config(made)["pack"], "r:gz") as archive:
        names = archive.getnames()
        archive.extractall(tmp_path, [member for member in archive if member.name.startswith("satjudge/")], **SAFELY)
    assert {name.split("/")[0] for name in names} == {"satjudge", "msgspec"}
    assert not [name for name in names if "tests" in name or "__pycache__" in name or "/cli/" in name or "/page/" in name]
    about: dict[str, Any] = {
        "position": {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "phase": "S1905M"},
        "sheet": "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n",
        "power": "FRANCE",
        "order": "A BRE - LON",
        "what": "A BRE",
    }
    command = [sys.executable, "-I", "-c", ASKING, str(tmp_path), "names"]
    asked = subprocess.run(command, input=json.dumps(about), capture_output=True, text=True, encoding="utf-8", check=False)
    assert asked.returncode == 0, asked.stderr
    answers = json.loads(asked.stdout)
    assert {"judge", "draw", "choices", "why-not", "what-would-change", "what-if", "give", "next"} <= {
        name for name, told in answers.items() if "answer" in told
    }
    assert len(answers["judge"]["answer"]["orders"]) == 4


def test_a_site_begins_with_what_was_opened_and_is_else_the_same(made: Path, tmp_path: Path) -> None:
    command = ["explore", "datc:6.F.14", "--site", str(tmp_path / "pages"), "--cache", str(made.parent / "cache")]
    assert run(command) == 0
    told = json.loads((tmp_path / "pages" / "config.json").read_text(encoding="utf-8"))
    answers = json.loads((tmp_path / "pages" / told["opening"]).read_text(encoding="utf-8"))
    judged = next(told["answer"] for question, told in answers.items() if json.loads(question)["ask"] == "judge")
    assert told["opened"][0]["title"].startswith("6.F.14")
    page = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    assert '<meta property="og:title" content="6.F.14' in page
    assert '<meta property="og:image" content="card.png">' in page
    assert (tmp_path / "pages" / "card.png").read_bytes().startswith(b"\x89PNG")
    assert judged["resolutions"] == 2
    assert (told["pack"], told["later"]) == (config(made)["pack"], config(made)["later"])


def test_a_page_begins_with_the_map_and_the_rules_that_are_named(made: Path, tmp_path: Path) -> None:
    command = ["explore", "--map", "colonial", "--rules", "1982", "--site", str(tmp_path / "pages")]
    assert run([*command, "--cache", str(made.parent / "cache")]) == 0
    told = json.loads((tmp_path / "pages" / "config.json").read_text(encoding="utf-8"))
    (one,) = told["opened"]
    assert (one["position"]["map"], one["position"]["phase"], one["rules"]["name"]) == ("colonial", "S1870M", "1982")
    assert "F TOK" in one["position"]["units"]["JAPAN"]
    answers = json.loads((tmp_path / "pages" / told["opening"]).read_text(encoding="utf-8"))
    assert answers['{"ask":"start","map":"colonial"}']["answer"]["position"]["map"] == "colonial"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("game.json --map colonial", "game.json is played on the map standard, not on colonial (leave out --map)"),
        ("--map own.toml --site pages", "a site must begin on an included map, not on own"),
    ],
)
def test_a_map_that_the_page_cannot_begin_with_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, given: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["game", "new", "game.json"]) == 0
    shipped = (data_directory() / "models" / "maps" / "standard.toml").read_text(encoding="utf-8")
    Path("own.toml").write_text(shipped.replace('name = "standard"', 'name = "own"'), encoding="utf-8")
    capsys.readouterr()
    assert run(["explore", "--no-browser", "--port", "0", *given.split()]) == 2
    assert told in capsys.readouterr().err


# ---- where it is written ----


def test_a_site_is_written_over_a_site_and_over_nothing_else(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "iter_site_files", lambda *_: [("config.json", b'{"satjudge": "2"}'), ("runtime/a", b"a")])
    other = tmp_path / "home"
    other.mkdir()
    (other / "config.json").write_text('{"mine": 1}', encoding="utf-8")
    assert run(["explore", "--site", str(other)]) == 2
    told = capsys.readouterr().err
    assert told == f"satjudge: {other} is not empty and contains no satjudge site (name a new directory)\n"
    assert [path.name for path in other.iterdir()] == ["config.json"]
    empty = tmp_path / "empty"
    empty.mkdir()
    (older := empty / "satjudge-0123456789ab.pack").write_bytes(b"")
    (empty / "config.json").write_text('{"satjudge": "1"}', encoding="utf-8")
    for folder in (empty, empty, tmp_path / "new" / "er"):
        assert run(["explore", "--site", str(folder)]) == 0
        assert (folder / "runtime" / "a").read_bytes() == b"a"
    assert not older.exists()
    assert "python3 -m http.server" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["index.html", "config.json", "runtime"])
@pytest.mark.parametrize("there", [True, False])
def test_a_site_is_not_written_through_links(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, there: bool
) -> None:
    files = {"config.json": b'{"satjudge": "2"}', "index.html": b"new", "runtime/a": b"new"}
    monkeypatch.setattr(site, "iter_site_files", lambda *_: files.items())
    folder, own = tmp_path / "site", tmp_path / "own"
    for made in (folder, folder / "runtime", own):
        made.mkdir()
    for path in files:
        (folder / path).write_bytes(b'{"satjudge": "1"}')
    if there:
        (folder / name).rename(own / name)
    elif name == "runtime":
        (folder / "runtime" / "a").unlink()
        (folder / name).rmdir()
    else:
        (folder / name).unlink()
    try:
        (folder / name).symlink_to(own / name, target_is_directory=name == "runtime")
    except OSError:
        pytest.skip("links cannot be made here")
    assert run(["explore", "--site", str(folder)]) == 2
    told = capsys.readouterr().err
    if there or name != "config.json":  # else nothing says that a site was there
        why = "satjudge writes a site only to its own directory (remove the link)"
        assert told == f"satjudge: {folder / name} is a link to {own / name}: {why}\n"
    new = [
        path for path in (*folder.rglob("*"), *own.rglob("*")) if path.is_file() and path.read_bytes() != b'{"satjudge": "1"}'
    ]
    assert new == []
    assert list(own.iterdir()) == ([own / name] if there else [])


def test_older_packs_that_are_links_are_removed_and_what_they_lead_to_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "iter_site_files", lambda *_: [("config.json", b'{"satjudge": "2"}')])
    (kept := tmp_path / "kept.pack").write_bytes(b"kept")
    (linked := tmp_path / "linked").symlink_to(tmp_path / "site")  # as users have who publish a folder
    assert run(["explore", "--site", str(tmp_path / "site")]) == 0
    (older := linked / "satjudge-0123456789ab.pack").symlink_to(kept)
    assert run(["explore", "--site", str(linked)]) == 0
    assert not older.is_symlink()
    assert kept.read_bytes() == b"kept"


def test_what_cannot_be_written_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "iter_site_files", lambda *_: [("config.json", b"{}"), ("a/b", b"")])
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "config.json").write_text('{"satjudge": "1"}', encoding="utf-8")
    assert run(["explore", "--site", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert str(tmp_path / "a") in told


# ---- what is fetched ----


def test_what_was_fetched_once_is_not_fetched_again(tmp_path: Path) -> None:
    download = registered(tmp_path / "a.whl", b"content")
    cache = tmp_path / "cache" / "deeper"
    assert fetch_file(download, cache) == b"content"
    (tmp_path / "a.whl").unlink()
    assert fetch_file(download, cache) == b"content"
    assert [path.name for path in cache.iterdir()] == ["a.whl"]


def test_a_damaged_copy_is_fetched_anew(tmp_path: Path) -> None:
    download = registered(tmp_path / "a.whl", b"content")
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "a.whl").write_bytes(b"con")
    assert fetch_file(download, cache) == b"content"
    assert (cache / "a.whl").read_bytes() == b"content"


@pytest.mark.parametrize("content", [b"contenT", b"content and more", b""])
def test_a_file_with_another_hash_is_not_used(tmp_path: Path, content: bytes) -> None:
    download = registered(tmp_path / "a.whl", b"content")
    (tmp_path / "a.whl").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.whl is not the expected file: its hash is not sha256=ed7002b439e9"):
        fetch_file(download, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_hashes_are_read_as_registries_tell_them() -> None:
    sha512 = base64.b64encode(hashlib.sha512(b"content").digest()).decode()
    assert Download("file:///a", 7, f"sha512-{sha512}").matches(b"content")
    assert not Download("file:///a", 7, f"sha512-{sha512}").matches(b"contenT")


def test_without_a_network_the_way_out_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], registry: Path) -> None:
    download = site.PYODIDE
    moved = registry / "moved"
    (registry / "pyodide.tgz").rename(moved)
    try:
        assert run(["explore", "--site", str(tmp_path / "pages"), "--cache", str(tmp_path / "cache")]) == 2
    finally:
        moved.rename(registry / "pyodide.tgz")
    told = capsys.readouterr().err
    assert told.startswith(f"satjudge: cannot download {download.url}: ")
    assert told.endswith(f"(without a network, copy that file to {tmp_path / 'cache' / 'pyodide.tgz'})\n")
    assert told.count("\n") == 1
    assert not (tmp_path / "pages").exists()


# ---- what is compiled in the browser ----


def test_what_was_compiled_is_taken_for_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, packages, into = tmp_path / "library.zip", tmp_path / "packages", tmp_path / "into"
    with zipfile.ZipFile(library, "w") as archive:
        archive.writestr("in_library.py", "value = 1")
        archive.writestr("never_loaded.py", "value = 1")
    (packages / "in_packages").mkdir(parents=True)
    (packages / "in_packages" / "__init__.py").write_text("value = 2", encoding="utf-8")
    monkeypatch.syspath_prepend(str(library))
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("in_library", "in_packages"):
        monkeypatch.setitem(sys.modules, name, __import__(name))
    assert [*compile_loaded_modules(library, packages, into)] == [2, 1, 0]
    with zipfile.ZipFile(into / "library.zip", "a") as archive:
        assert sorted(archive.namelist()) == ["in_library.py", "in_library.pyc", "never_loaded.py"]
    assert zipimporter(str(into / "library.zip")).get_code("in_library").co_names == ("value",)
    with tarfile.open(into / "packages.tar") as archive:
        archive.extractall(tmp_path / "there", **SAFELY)
    source = tmp_path / "there" / "in_packages" / "__init__.py"
    source.write_text("value = 3", encoding="utf-8")  # which nobody does: it shows that it is not compiled again
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'there')!r}); "]
    command[-1] += "import in_packages; print(in_packages.value)"
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "2\n"


def test_the_page_names_its_modules_so_that_they_come_at_once() -> None:
    """Else a browser learns of each only from one that it has read; none comes before a style sheet."""
    folder = Path(site.__file__).parent / "page"
    page = (folder / "index.html").read_text(encoding="utf-8")
    named = set(re.findall(r'<link rel="modulepreload" fetchpriority="low" href="([^"]+)">', page))
    assert named == {path.name for path in folder.glob("*.js")} - {"app.js", "worker.js"}
