"""The doors of rooms: what `__all__` names is there without an import of its own."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import satjudge

HOUSE = Path(satjudge.__file__).parent
LAZY = sorted(
    path.parent.relative_to(HOUSE.parent).as_posix().replace("/", ".")
    for path in HOUSE.rglob("__init__.py")
    if re.search(r"_(?:lazily|formerly)\(", path.read_text(encoding="utf-8"))
)


ROOMS_AT_THE_DOOR = {"bulk", "env", "explain"}
MODULES = sorted(name for name in satjudge.__all__ if isinstance(getattr(satjudge, name), ModuleType))


def test_lazy_rooms_are_found() -> None:
    assert {"satjudge", "satjudge.bulk", "satjudge.env", "satjudge.explain"} <= set(LAZY)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_at_the_front_door_is_one_of_that_name(name: str) -> None:
    module = importlib.import_module(f"satjudge.{name}")
    assert (module.__name__, getattr(satjudge, name)) == (f"satjudge.{name}", module)
    assert f"    satjudge.{name} " in (satjudge.__doc__ or "")
    assert not hasattr(module, "nothing_of_this_name")
    if name not in ROOMS_AT_THE_DOOR:
        assert all(hasattr(module, one) for one in module.__all__)
        assert all(module.__all__.count(one) == 1 for one in vars(module) if one[0] != "_" and one != "TYPE_CHECKING")


def test_an_order_and_a_unit_are_read_on_the_standard_map() -> None:
    assert isinstance(satjudge.parse_order("A PAR - BUR"), satjudge.orders.Move)
    assert satjudge.parse_unit("Fleet St. Petersburg (South Coast)", "RUSSIA").location == "STP/SC"


@pytest.mark.parametrize("name", ["render.png.to_png", "formats.saved_games.saved_game", "explain.otherwise.what_would_change"])
def test_what_version_1_0_had_behind_these_doors_is_found_with_a_warning(name: str) -> None:
    module, old, function = name.split(".")
    with pytest.warns(DeprecationWarning, match=rf"satjudge\.{module}\.{old} will be removed in 1\.2") as warned:
        found = getattr(getattr(satjudge, module), old)
    assert (warned[0].filename, getattr(found, function)) == (__file__, getattr(getattr(satjudge, module), function))


def test_pages_for_users_lead_to_no_module_behind_the_doors() -> None:
    """But for the interfaces of others, the goals of one's own, which are written against the search, and measurements."""
    pages = [path for path in (HOUSE.parent / "docs").rglob("*.md") if path.parent.name != "papers"]
    found = {
        (path.name, path_in)
        for path in [HOUSE.parent / "README.md", *pages]
        for path_in in re.findall(r"(?:import |from |`)(satjudge(?:\.[a-z_]+){2,})", path.read_text(encoding="utf-8"))
        if not re.match(rf"satjudge\.(?:{'|'.join(MODULES)})\.\w+$|satjudge\.compat\.diplomacy", path_in)
    }
    assert {one for one in found if not (one[0] == "own-goals.md" and one[1].startswith("satjudge.search."))} == set()


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
