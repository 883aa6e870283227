"""Maps of files: satjudge's own TOML, what is checked of it, and the command `maps`.

What other programs wrote is read by tests/files/test_maps_of_others.py.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from helpers.small_maps import ISLAND, written

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, MapError, NotFoundError
from satjudge.files.maps import read_map, read_tables, read_unchecked, shipped_maps, toml
from satjudge.files.maps.checks import list_faults, list_oddities
from satjudge.game.game import Game
from satjudge.world.geography import Map, load_map, map_from


def same(one: Map, other: Map) -> bool:
    """Whether two maps say the same."""
    return all(getattr(one, entry.name) == getattr(other, entry.name) for entry in fields(Map) if entry.name != "cache")


@pytest.mark.parametrize("name", shipped_maps())
def test_no_map_that_comes_with_satjudge_has_a_problem(name: str) -> None:
    assert list_faults(read_map(name)) == []


def test_what_is_odd_about_them_is_known() -> None:
    """Two other sources of the Colonial map have this border, and no border Constantinople - Black Sea."""
    odd = {name: found for name in shipped_maps() if (found := list_oddities(read_map(name)))}
    straits = ["fleets can move CON - RUM, but these touch no sea in common"]
    assert odd == {"colonial": straits, "colonial-otaru": straits}


@pytest.mark.parametrize("name", shipped_maps())
def test_a_map_is_the_same_after_it_was_written(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, toml.map_text(read_tables(name)))
    assert same(read_map(path), load_map(name))


def test_names_stand_for_what_comes_with_satjudge_and_the_same_content_is_one_map(tmp_path: Path) -> None:
    path = written(tmp_path, ISLAND)
    assert read_map("standard") is load_map("standard")
    assert read_map(path) is read_map(path)
    assert read_map(written(tmp_path, ISLAND, "again.toml")) is read_map(path)
    before = read_map(path)
    assert "HAM" in read_map(written(tmp_path, ISLAND.replace("DAL", "HAM"))).provinces, "a file is read anew"
    assert "HAM" not in before.provinces
    with pytest.raises(NotFoundError, match=r"there is no map or file 'atlantis'.*standard"):
        read_map("atlantis")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "sea"', 'kind = "lake"', "province.BAY.kind: Invalid enum value 'lake'"),
        ('name = "Hills"\n', "", "province.HIL: Object missing required field `name`"),
        ('unit = "A"', 'units = "A"', "province.HIL: Object contains unknown field `units`"),
        ('army = ["DAL"]', 'army = "DAL"', "province.HIL.army: Expected `array | null`, got `str`"),
        ('"SOUTH"]', '"SOUTH", "WEST"]', "there is no table [power.WEST] for a name in `powers`"),
        ('title = "An island"\n', "", "Object missing required field `title`"),
        ('["DAL"]', '["DAL", "XYZ"]', "the borders of HIL for armies: there is no place XYZ on the map"),
        ('["DAL", "BAY"]', '["DAL/NC"]',
         "the borders of HIL for fleets: there is no place DAL/NC on the map: DAL has no such coast"),
        ("[province.HIL]", '[groups]\nnorth = ["XYZ"]\n[province.HIL]', "the group north: there is no place XYZ on the map"),
        ('home = "SOUTH"', 'home = "WEST"', "DAL: there is no power WEST on the map"),
        ('kind = "sea"', 'kind = "sea"\ncoasts.nc = ["HIL"]', "BAY is sea, but has coasts: only a coast can have them"),
        ('kind = "coast"', 'kind = "inland"\nconvoys = true', "HIL is inland, so no fleet can convoy there"),
        ('kind = "coast"', 'kind = "coast"\nconvoys = true\ncoasts.nc = ["BAY"]',
         "HIL has separate coasts, so no fleet can convoy there"),
        ("[province.BAY]", "[province.bay]", "'bay' is not the code of a province: write capitals and digits, such as PAR"),
        ("title = ", "title = = ", "Invalid value (at line 2, column 9)"),
        ("title = ", 'based_on = "x"\ntitle = ', "there is no map named 'x'"),
        ("title = ", 'based_on = 3\ntitle = ', "based_on: write the name of a map, not 3"),
        ("title = ", 'based_on = "loeb9"\nremove = "PAR"\ntitle = ', 'remove: write a list of names, ["…", "…"]'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in ISLAND
    path = written(tmp_path, ISLAND.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        read_map(path)
    assert error.value.message == message
    assert error.value.source == path


@pytest.mark.parametrize(
    ("old", "new", "way_out"),
    [
        ('kind = "sea"', 'kind = "lake"', "write inland or coast or sea"),
        ('unit = "A"', 'unit = "army"', "write A or F"),
        ("[province.HIL]", '[closed]\nwinter = ["BAY"]\n[province.HIL]', "write spring or fall"),
        ("center = true", "centre = true", "did you mean `center`?"),
        ("title = ", 'victroy = 3\ntitle = ', "did you mean `victory`?"),
        ('home = "SOUTH"', "home = SOUTH", 'put text in quotation marks: "SOUTH"'),
        ("center = true", "center = True", "write true, in lower case"),
        ("title = ", "first = [\n  BLUES]\ntitle = ", 'put text in quotation marks: "BLUES"'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_way_out(old: str, new: str, way_out: str, tmp_path: Path) -> None:
    assert old in ISLAND
    with pytest.raises(MapError) as error:
        read_map(written(tmp_path, ISLAND.replace(old, new, 1)))
    assert error.value.suggestion == way_out


@pytest.mark.parametrize("name", ["map.png", "map.toml", "map.map"])
def test_a_picture_is_no_map(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00")
    with pytest.raises(MapError, match="this is not a text file"):
        read_map(tmp_path / name)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('["HIL", "DAL"]', '["HIL"]', "fleets can move DAL - BAY, but not back"),
        ('army = ["DAL"]', "army = []", "armies can move DAL - HIL, but not back"),
        ('kind = "sea"', 'kind = "inland"', "fleets can move HIL - BAY, but a fleet cannot be inland in The Bay"),
        ('fleet = ["HIL", "DAL"]', "fleet = []", "no fleet can get to BAY: it has no borders for fleets"),
        ('center = true\nhome = "SOUTH"', 'home = "SOUTH"', "DAL is a home of SOUTH, but no supply centre"),
        ('army = ["DAL"]', 'army = ["DAL"]\ndifficult = ["DAL"]',
         "the border HIL - DAL is difficult only for HIL: declare it for DAL as well"),
        ('"The Bay"', '"Dale"', "'dale' stands for DAL and for BAY"),
        ('"Southern"', '"Northern"', "'northern' stands for NORTH and for SOUTH"),
        ('"Southern"', '"Southern"\naliases = ["North"]', "'north' stands for NORTH and for SOUTH"),
        ('"An island"', '"An island"\nvictory = 3', "3 centres win, but there are 2"),
        ('["HIL", "DAL"]', '["HIL", "DAL"]\n[railroad.X]\npower = "NORTH"\nline = ["HIL", "BAY"]',
         "the railroad X leads HIL - BAY, where no army can move"),
        ('["HIL", "DAL"]', '["HIL", "DAL"]\n[canal.X]\nkeeper = "HIL"\nbetween = ["BAY", "DAL"]',
         "the canal X leads to DAL, which is not a sea"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_on_is_a_problem(old: str, new: str, problem: str, tmp_path: Path) -> None:
    assert old in ISLAND
    text = ISLAND.replace(old, new, 1)
    assert problem in list_faults(read_unchecked(written(tmp_path, text)))


def test_the_command_lists_shows_checks_and_converts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, ISLAND)
    assert run(["maps", "list"]) == 0
    assert "colonial " in capsys.readouterr().out
    assert run(["maps", "show", path]) == 0
    shown = capsys.readouterr().out
    assert "island: An island\nstarts in 1901, 2 centres to win\n" in shown
    assert "HIL   Hills     coast, centre  DAL        BAY DAL" in shown
    assert run(["maps", "check", path]) == 0
    assert capsys.readouterr().out == "island: 0 problems, 0 remarks\n"
    output = tmp_path / "converted.toml"
    assert run(["maps", "convert", path, "-o", str(output)]) == 0
    assert same(read_map(str(output)), read_map(path))


def test_a_map_with_problems_ends_check_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, ISLAND.replace('["HIL", "DAL"]', '["HIL"]'))
    assert run(["maps", "check", path]) == 1
    assert capsys.readouterr().out == "wrong: fleets can move DAL - BAY, but not back\nisland: 1 problem, 0 remarks\n"
    assert run(["maps", "check", "nowhere.map"]) == 2
    assert run(["maps", "show", written(tmp_path, "name = 3")]) == 2
    assert "name: Expected `str`, got `int`" in capsys.readouterr().err


def test_a_map_of_tables_may_amend_one(tmp_path: Path) -> None:
    """`based_on` is read before anything is checked, so that an amendment may be as short as this."""
    path = written(tmp_path, 'based_on = "standard"\nname = "no-spain"\ntitle = "No Spain"\nremove = ["SPA"]\n')
    assert "SPA" not in read_map(path).provinces
    assert same(map_from(read_tables(path)), read_map(path))


def test_a_power_that_does_not_play_has_no_say(tmp_path: Path) -> None:
    """Its table, of whatever names, is that of nobody: a game on such a map is read again as it was saved."""
    game_map = read_map(written(tmp_path, ISLAND + '[power.WEST]\nname = "North"\nadjective = "Northern"\n'))
    assert set(game_map.power_aliases.values()) == {"NORTH", "SOUTH"}
    assert list_faults(game_map) == []
    game = Game.new(game_map)
    game.next()
    game.save(tmp_path / "g.json")
    assert Game.load(tmp_path / "g.json").board == game.board


def test_maps_that_are_based_on_each_other_are_refused() -> None:
    from satjudge.world.map_tables import complete

    tables = {"name": "x", "based_on": "x"}
    with pytest.raises(InputError, match="based on each other"):
        complete(tables, lambda _: tables)


def test_errors_are_map_errors(tmp_path: Path) -> None:
    with pytest.raises(MapError):
        read_map(written(tmp_path, "name = 3"))
