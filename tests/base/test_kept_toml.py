"""What is kept of TOML files that nearly every command needs: the same tables, read without a parser of TOML."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from helpers.kept_tables import format_kept_tables

from satjudge.base import resources
from satjudge.base.errors import MapError
from satjudge.base.resources import KEPT_TOML, data_directory, read_toml


def test_what_is_kept_is_what_the_files_say_now() -> None:
    assert (data_directory() / "models" / "kept.json").read_bytes() == format_kept_tables(), "make generated writes it anew"
    for name in KEPT_TOML:
        path = data_directory() / name
        assert read_toml(path, MapError) == tomllib.loads(path.read_text(encoding="utf-8"))


def test_the_map_and_the_rulebook_by_default_are_read_without_a_parser() -> None:
    judging = "from satjudge import judge, starting_board; judge(starting_board(), {})"
    code = f"import sys; {judging}; print('tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_file_that_was_changed_is_read_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(data_directory() / "models", tmp_path / "models")
    monkeypatch.setattr(resources, "data_directory", lambda: tmp_path)
    path = tmp_path / KEPT_TOML[0]
    text = path.read_text(encoding="utf-8")
    assert 'title = "Standard Diplomacy"' in text
    path.write_text(text.replace("Standard Diplomacy", "Changed"), encoding="utf-8")
    assert read_toml(path, MapError)["title"] == "Changed"
    assert (
        read_toml(tmp_path / KEPT_TOML[1], MapError)["title"] == tomllib.loads((tmp_path / KEPT_TOML[1]).read_text())["title"]
    )
