"""Reads the files of a package, a folder or a zip archive, into memory without unpacking them."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from satjudge.base.errors import MapError, NotFoundError
from satjudge.base.resources import LONGEST_TEXT, read_file

_MOST_FILES = 2000
_PLAIN = re.compile(r"(?:[^/\\:\0]+/)?[^/\\:\0]+")
"""The name of a file in the package, or in a folder in it."""
_NAME = re.compile(r"\w{1,100}")
"""The name of a folder beside a package."""


@dataclass(frozen=True)
class Package:
    """A package; `read` gives the content of a file in it, by the file's plain name."""

    source: str
    read: Callable[[str], bytes]
    beside: Callable[[str], Package | None] = lambda name: None
    """Open the folder of that name beside this one; None where there is none, and for an archive."""

    def file(self, name: str, line: int | None = None) -> bytes:
        """Read a file that the package itself names, or raise `MapError` for a name that leads out of it."""
        if not _PLAIN.fullmatch(name) or {".", ".."} & set(name.split("/")):
            raise MapError(f"{name!r:.100} is no plain name of a file: only files of the package are read", line=line)
        return self.read(name)

    def format_file_name(self, name: str) -> str:
        """Write the name of a file in the package as messages do."""
        return f"{self.source}/{name}"


def package(path: Path, main: str) -> Package | None:
    """Open a folder or a zip archive as a package if the file `main` is in it, else raise `MapError`."""
    if path.is_dir():
        return _folder(path) if (path / main).is_file() else None
    if path.name == main:
        return _folder(path.parent)
    return _archive(path, main) if zipfile.is_zipfile(path) else None


def _folder(folder: Path) -> Package:
    home = folder.resolve()

    def open_sibling(name: str) -> Package | None:
        other = home.parent / name
        return _folder(other) if _NAME.fullmatch(name) and other.is_dir() and other.resolve() == other else None

    def read(name: str) -> bytes:
        path = (folder / name).resolve()
        if home not in path.parents:  # a link
            raise MapError(f"{name} leads out of the folder", source=str(folder))
        return read_file(path)

    return Package(str(folder), read, open_sibling)


def _archive(path: Path, main: str) -> Package | None:
    """A zip archive, whose names and sizes are looked at before anything is read."""
    source = str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            files = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise MapError(f"a zip archive that cannot be read: {error}", source=source) from None
    if len(files) > _MOST_FILES:
        raise MapError(f"{len(files):,} files; more than {_MOST_FILES:,} in an archive are not read", source=source)
    for name in files:
        if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name or "\0" in name:
            raise MapError(f"{name!r:.100} leads out of the archive", source=source)
    mains = [name for name in files if PurePosixPath(name).name == main]
    if len(mains) > 1:
        raise MapError(f"{main} stands in it {len(mains)} times", source=source, suggestion="unpack it and name one folder")
    if not mains:
        return None
    folder = mains[0].removesuffix(main)

    def read(name: str) -> bytes:
        entry = files.get(folder + name)
        if entry is None:
            raise NotFoundError(f"there is no file {name} in {source}")
        if entry.file_size > LONGEST_TEXT:
            raise MapError(f"{name} is too long: more than {LONGEST_TEXT:,} bytes", source=source)
        try:
            with zipfile.ZipFile(path) as archive, archive.open(entry) as file:
                data = file.read(LONGEST_TEXT + 1)  # whatever the archive says of its size
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
            raise MapError(f"{name} cannot be unpacked: {error}", source=source) from None
        if len(data) > LONGEST_TEXT:
            raise MapError(f"{name} is too long: more than {LONGEST_TEXT:,} bytes", source=source)
        return data

    return Package(source, read)
