"""Builds the page as static files that judge in the browser, with satjudge and Python for browsers (Pyodide).

This repository contains no part of Pyodide; making a site downloads it. A pack is a compressed tar archive of Python modules,
which `page/worker.js` unpacks into the file system of Python in the browser.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import http.client
import io
import os
import re
import ssl
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import msgspec

from satjudge.apps.explore.examples import EXAMPLES, draw_example
from satjudge.apps.explore.questions import Draw, answer_question, choose_sign
from satjudge.apps.explore.wire import IN_PAGE, OpenedPhase, Rules, make_wire_position
from satjudge.base.errors import InputError, RequestError, reason_of
from satjudge.base.resources import data_directory, write_atomically
from satjudge.base.version import __version__
from satjudge.explain.words.reason_text import RULE_NAMES
from satjudge.show.rendering import to_png
from satjudge.world.board import starting_board
from satjudge.world.geography import load_map
from satjudge.world.rules import preset_names
from satjudge.world.verdicts import Fate, OrderResult, Verdict

# ---- files of public registries, each pinned by its hash and stored in a cache ----

PATIENCE = 60
"""The time in seconds to wait for an answer of a registry."""


@dataclass(frozen=True)
class Download:
    """A file of a registry: its address, its length in bytes, and its hash as stated by the registry."""

    url: str
    length: int
    digest: str
    """The hash: `sha512-` and Base64 for npm, `sha256=` and hexadecimal digits for PyPI."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.url.rpartition("/")[2]

    def matches(self, data: bytes) -> bool:
        """Return whether the data has the hash of this file."""
        algorithm = self.digest[:6]
        hasher = hashlib.new(algorithm, data)
        return self.digest in (f"{algorithm}={hasher.hexdigest()}", f"{algorithm}-{base64.b64encode(hasher.digest()).decode()}")


def fetch_file(download: Download, cache: Path) -> bytes:
    """Return the content of a registry's file from the folder `cache`; if it is missing or wrong there, download and store it.

    Raises `InputError` if the file cannot be downloaded or has another hash, and `OSError` if it cannot be stored.
    """
    cached_file = cache / download.name
    if cached_file.is_file() and download.matches(data := cached_file.read_bytes()):
        return data
    data = _fetch_from_registry(download, cached_file)
    if not download.matches(data):
        raise InputError(
            f"{download.url} is not the expected file: its hash is not {download.digest}; nothing was written",
            suggestion="check for a proxy that changes downloads",
        )
    cache.mkdir(parents=True, exist_ok=True)
    write_atomically(cached_file, data)
    return data


def _fetch_from_registry(download: Download, cached_file: Path) -> bytes:
    try:
        with urlopen(download.url, timeout=PATIENCE) as response:  # our own address, with the content pinned
            data: bytes = response.read(download.length + 1)
            return data
    except HTTPError as error:
        reason = f"the server answers {error.code} {error.reason}"
    except URLError as error:
        reason = reason_of(error.reason) if isinstance(error.reason, Exception) else str(error.reason)
    except (OSError, http.client.HTTPException, ssl.SSLError) as error:
        reason = reason_of(error)
    raise InputError(
        f"cannot download {download.url}: {reason}", suggestion=f"without a network, copy that file to {cached_file}"
    )


# ---- the parts of a site ----

PYODIDE = Download(
    "https://registry.npmjs.org/pyodide/-/pyodide-314.0.7.tgz",
    6_488_647,
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
)
MSGSPEC = Download(
    "https://files.pythonhosted.org/packages/75/5d/c0e6bdb81a87f6bd56a663a330c271af7670490c80d8d635d9fa21ad1adf/"
    "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    136_814,
    "sha256=a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
)
NETWORKX = Download(
    "https://files.pythonhosted.org/packages/9e/c9/b2622292ea83fbb4ec318f5b9ab867d0a28ab43c5717bb85b0a5f6b3b0a4/"
    "networkx-3.6.1-py3-none-any.whl",
    2_068_504,
    "sha256=d47fbf302e7d9cbbb9e2555a0d267983d2aa476bac30e90dfbe5669bd57f3762",
)
RUNTIME = {
    "pyodide.mjs": "pyodide.js",  # many file servers send no type for .mjs, and browsers need one
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
    "README.md": "README.md",
}
"""The files from Pyodide, with their names on the site."""
LEFT_OUT = (
    "apps/cli/", "apps/explore/page/", "apps/pytest_", "bulk/", "engines/", "oracles/", "proofs/", "search/",
    *(f"apps/explore/{name}.py" for name in ("processes", "server", "site", "tasks")),
)  # fmt: skip
"""The parts of satjudge that the page does not need."""
DATA_LEFT_OUT = ("models/crosscheck/", "models/kernel/", "models/theory/")
"""The data that the page does not need; the kernel has separate files."""
KERNEL = "kernel"
"""The folder of the compiled kernel, its tables and its JavaScript module, which judge until Python has started."""
EARLY_MAP = "standard"
"""The map whose tables come with satjudge."""
CARD = "card.png"
MARK = "config.json"
LOOK: Any = {"marks": 1.7, "pieces": "wood", "labels": "codes"}
"""How a newly opened page draws its picture (`page/store.js`)."""
CHARSET = '<meta charset="utf-8">'
_STAMPED = re.compile(r"(satjudge|networkx|opening|ground)-[0-9a-f]{12}\.(pack|json|svg)")
Files = Mapping[str, bytes]
"""The contents of files, by relative path with `/`."""


def write_site(directory: Path, cache: Path, opening_phases: Sequence[OpenedPhase] = ()) -> Files:
    """Write the site into a new or empty directory, or replace an earlier site; keep downloads in `cache`; return its files.

    Raises `InputError` if the directory holds something else or links to other places, or if the runtime cannot be downloaded,
    and `OSError` if the directory cannot be written.
    """
    _check_directory(directory)
    site = dict(iter_site_files(cache, opening_phases))
    for name in site:
        _check_place(directory, name)
    directory.mkdir(parents=True, exist_ok=True)
    for name in sorted(site, key=lambda name: name != MARK):  # the mark first, so that a partly written site can be overwritten
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(site[name])
    for path in directory.iterdir():
        if _STAMPED.fullmatch(path.name) and path.name not in site:  # a file of the earlier site
            path.unlink()
    return site


def _check_directory(directory: Path) -> None:
    if not directory.exists() or (directory.is_dir() and not any(directory.iterdir())):
        return
    with suppress(OSError, msgspec.DecodeError):
        if "satjudge" in msgspec.json.decode((directory / MARK).read_bytes(), type=dict[str, Any]):
            return
    raise InputError(f"{directory} is not empty and contains no satjudge site", suggestion="name a new directory")


def _check_place(directory: Path, name: str) -> None:
    """Raise `InputError` if the file `name` would be written outside `directory`, because it or its folder is a link."""
    place = Path(os.path.realpath(directory), name)
    for path in (place.parent, place):
        if (target := os.path.realpath(path)) != str(path):
            raise InputError(
                f"{path} is a link to {target}: satjudge writes a site only to its own directory", suggestion="remove the link"
            )


def iter_site_files(cache: Path, opening_phases: Sequence[OpenedPhase] = ()) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of every file of the site; keep downloads in `cache`; raise `InputError` if one fails."""
    runtime = _read_members(fetch_file(PYODIDE, cache))
    packages = {**_read_wheel(fetch_file(MSGSPEC, cache)), **_read_package()}
    config: dict[str, Any] = {"satjudge": __version__, "engine": "worker", "opened": opening_phases, "examples": EXAMPLES}
    for part, name, content in (
        ("pack", "satjudge.pack", _pack_files(packages)),
        ("later", "networkx.pack", _pack_files(_read_wheel(fetch_file(NETWORKX, cache)))),
        ("opening", "opening.json", _answer_opening(opening_phases)),
    ):
        config[part] = _add_hash(name, content)
        yield config[part], content
    for name, content in read_kernel_files().items():
        yield f"{KERNEL}/{name}", content
    config["early"] = make_early_config() | {"ground": _add_hash("ground.svg", ground := _draw_ground())}
    yield config["early"]["ground"], ground
    for example in EXAMPLES:
        yield example.picture, draw_example(example.picture)
    yield MARK, msgspec.json.encode(config)
    for name, called in RUNTIME.items():
        yield f"runtime/{called}", runtime[f"package/{name}"]
    card = _draw_card(opening_phases)
    if card:
        yield CARD, card
    for name, content in _read_page().items():
        if name == "index.html":
            yield name, _add_card(_add_policy(content), opening_phases) if card else _add_policy(content)
        elif name != MARK:
            yield name, content


def _add_hash(name: str, content: bytes) -> str:
    """Return a file's name with a part of its content's hash inserted, so that no cache serves an older version."""
    stem, _, suffix = name.rpartition(".")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"


def _add_policy(page: bytes) -> bytes:
    """Return an HTML page with the content security policy inserted as early as possible."""
    before, mark, after = page.decode().partition(CHARSET)
    return f'{before}{mark}\n<meta http-equiv="Content-Security-Policy" content="{IN_PAGE}">{after}'.encode()


def _draw_card(opening_phases: Sequence[OpenedPhase]) -> bytes:
    """Return the picture of the first phase (or the opening) for link previews, as PNG; empty without the extra `pictures`."""
    first = (
        opening_phases[0]
        if opening_phases
        else OpenedPhase(make_wire_position(starting_board(load_map(EARLY_MAP))), "", Rules(), "", False)
    )
    drawing = Draw(position=first.position, sheet=first.sheet, rules=first.rules, theme="light", **LOOK)
    with suppress(RequestError):
        return to_png(drawing.answer())
    return b""


def _add_card(page: bytes, opening_phases: Sequence[OpenedPhase]) -> bytes:
    """Return an HTML page with a link preview (Open Graph) inserted: a title and the picture."""
    title = (
        opening_phases[0].title if opening_phases and opening_phases[0].title else "satjudge: try Diplomacy orders on a board"
    )
    about = {
        "og:title": title,
        "og:type": "website",
        "og:image": CARD,
        "og:image:alt": "A map with units and orders",
    }
    preview = "".join(f'<meta property="{name}" content="{escape(text)}">\n' for name, text in about.items())
    before, mark, after = page.decode().partition('<link rel="icon"')
    return f"{before}{preview}{mark}{after}".encode()


def _answer_opening(opening_phases: Sequence[OpenedPhase]) -> bytes:
    """Return JSON with the answers to the page's first questions, which the page shows before Python has started.

    The keys are the texts of the questions as JavaScript writes them.
    """
    start = msgspec.json.encode({"ask": "start"})
    first: dict[str, Any] = {
        "position": msgspec.json.decode(answer_question(start))["answer"]["position"],
        "sheet": "",
        "rules": Rules(),
    }
    if opening_phases:
        first = {name: getattr(opening_phases[0], name) for name in first}
    questions = [start, *map(msgspec.json.encode, (
        *({"ask": "start", "map": one.position.map} for one in opening_phases[:1]),
        *({"ask": "case", "file": one.file, "identity": one.identity} for one in EXAMPLES),
        {"ask": "judge", **first}, {"ask": "draw", **first, "shows": "ruled", **LOOK}, {"ask": "choices", **first, "sheet": ""},
    ))]  # fmt: skip
    return msgspec.json.encode({question.decode(): msgspec.Raw(answer_question(question)) for question in questions})


# ---- judging until Python has started ----


def read_kernel_files() -> Files:
    """Return the files of the kernel by name: its code, the tables of every rulebook, and the JavaScript that calls it."""
    kernel, module = data_directory() / "models" / "kernel", data_directory() / "adapters" / "js"
    paths = [path for path in (*kernel.iterdir(), *module.glob("*.js")) if path.suffix != ".json" and path.name != "lines.js"]
    return {path.name: path.read_bytes() for path in paths}


def make_early_config() -> dict[str, Any]:
    """Return the configuration of `page/early.js`: the kernel's files, the signs of verdicts, and the names of rules."""
    words = [*OrderResult, None]
    verdicts = [Verdict.from_result(order, unit) for order in words for unit in (None, *Fate) if order or unit]
    return {
        "map": EARLY_MAP,
        "module": f"{KERNEL}/index.js",
        "kernel": f"{KERNEL}/kernel.wasm",
        "tables": {name: f"{KERNEL}/{EARLY_MAP}.{name}.tables" for name in preset_names()},
        "signs": {str(verdict): choose_sign(verdict) for verdict in verdicts},
        "rules": RULE_NAMES,
    }


def _draw_ground() -> bytes:
    """Return the SVG picture of the opening position, which `page/ground.js` turns into pictures of other positions."""
    question = Draw(position=make_wire_position(starting_board(load_map(EARLY_MAP))), shows="before", **LOOK)
    return question.answer().encode()


# ---- the content of packages ----


def _read_page() -> Files:
    """Return the files of the page by name."""
    folder = files("satjudge.apps.explore") / "page"
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


def _read_package() -> Files:
    """Return the files of this package and its data that the page needs, by their paths in an installed wheel."""
    package, data = Path(__file__).resolve().parents[2], data_directory()
    found = {f"satjudge/{name}": content for name, content in _iter_tree(package) if not name.startswith((*LEFT_OUT, "_data/"))}
    for folder in ("models", "datc_cases"):
        tree = ((f"{folder}/{name}", content) for name, content in _iter_tree(data / folder))
        found |= {f"satjudge/_data/{name}": content for name, content in tree if not name.startswith(DATA_LEFT_OUT)}
    return found


def _iter_tree(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _read_wheel(data: bytes) -> Files:
    """Return the files that a wheel (`data`) installs, by path, without tests."""
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        names = [name for name in wheel.namelist() if not name.endswith("/") and "tests" not in PurePosixPath(name).parts]
        return {name: wheel.read(name) for name in names}


def _read_members(data: bytes) -> Files:
    """Return the files of an npm package (`data`), by path."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        return {member.name: file.read() for member in archive if (file := archive.extractfile(member))}


def _pack_files(content: Files) -> bytes:
    """Return files as a compressed tar archive; the same files give the same bytes on every machine."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(content):
            member = tarfile.TarInfo(name)
            member.size = len(content[name])
            archive.addfile(member, io.BytesIO(content[name]))
    with io.BytesIO() as small:
        with gzip.GzipFile("", "wb", fileobj=small, mtime=0) as file:  # before Python 3.13, `gzip.compress` names the system
            file.write(packed.getvalue())
        return small.getvalue()
