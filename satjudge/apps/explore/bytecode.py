"""Compiles, in the browser, the modules that were loaded there, so that Python starts faster the next time.

Python never compares a compiled module with its source again; the page stores and discards both together.
"""

from __future__ import annotations

import marshal
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from shutil import copyfile

_UNCHECKED = b"\1\0\0\0" + bytes(8)
"""The flags of a hash-based .pyc file whose hash is not checked (PEP 552)."""


def compile_module(source: bytes, file: str) -> bytes:
    """Compile a module, and return the bytes of a `.pyc` file that Python loads without checking the source."""
    return MAGIC_NUMBER + _UNCHECKED + marshal.dumps(compile(source, file, "exec", dont_inherit=True))


def compile_loaded_modules(library: Path, packages: Path, output: Path) -> Iterator[int]:
    """Compile the loaded modules of `library` (a zip file) and of the folder `packages` into `output`; yield how many are left.

    At the end, the folder `output` holds the standard library (`library.zip`) and the installed packages (`packages.tar`), with
    the compiled modules beside their sources.
    """
    output.mkdir(exist_ok=True)
    copyfile(library, output / "library.zip")
    loaded = {Path(file) for module in [*sys.modules.values()] if (file := getattr(module, "__file__", None))}
    sources = sorted(file for file in loaded if file.suffix == ".py" and {library, packages} & {*file.parents})
    with zipfile.ZipFile(output / "library.zip", "a", zipfile.ZIP_DEFLATED) as archive:
        for left, file in zip(range(len(sources), 0, -1), sources, strict=True):
            if library in file.parents:
                name = file.relative_to(library).as_posix()
                archive.writestr(f"{name}c", compile_module(archive.read(name), str(file)))
            else:
                target = Path(cache_from_source(str(file)))
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(compile_module(file.read_bytes(), str(file)))
            yield left
    with tarfile.open(output / "packages.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        archive.add(packages, "")
    yield 0
