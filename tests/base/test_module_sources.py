"""The source of a module is found whoever loaded the module."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

from satjudge.base import python_source
from satjudge.base.python_source import choose_source_loader

NAME, FILE = python_source.__name__, python_source.__file__


def test_a_loader_that_keeps_no_source() -> None:
    assert choose_source_loader(NAME, object(), FILE).get_source(NAME) == Path(FILE).read_text(encoding="utf-8")


def test_a_loader_that_has_it(tmp_path: Path) -> None:
    loader = SourceFileLoader(NAME, FILE)
    assert choose_source_loader(NAME, loader, None) is loader
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("packed_module.py", "FOUND = 1\n")
    code = "import packed_module as m; from satjudge.base.python_source import choose_source_loader as w; "
    code += "print(w('packed_module', m.__loader__, None).get_source('packed_module'))"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'packed.zip')!r}); {code}"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "FOUND = 1"


def test_neither_a_source_nor_a_file() -> None:
    with pytest.raises(ImportError, match="signal has no source"):
        choose_source_loader("signal", object(), None)
