"""The doors of rooms: what `__all__` names is there without an import of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import satjudge

HOUSE = Path(satjudge.__file__).parent
LAZY = sorted(
    path.parent.relative_to(HOUSE.parent).as_posix().replace("/", ".")
    for path in HOUSE.rglob("__init__.py")
    if "_lazily(" in path.read_text(encoding="utf-8")
)


def test_lazy_rooms_are_found() -> None:
    assert {"satjudge", "satjudge.bulk", "satjudge.engines", "satjudge.explain", "satjudge.files"} <= set(LAZY)


def test_a_lazy_module_without_a_list_of_names_has_no_others() -> None:
    assert not hasattr(satjudge.render, "nothing_of_this_name")


@pytest.mark.parametrize("room", LAZY)
def test_every_name_of_a_lazy_room_needs_no_import_of_its_own(room: str) -> None:
    program = f"""
import importlib
door = importlib.import_module({room!r})
missing = [name for name in door.__all__ if not hasattr(door, name)]
assert not missing, missing
try:
    door.nothing_of_this_name
except AttributeError as error:
    assert {room!r} in str(error)
else:
    raise AssertionError("anything is found")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
