"""Maps of other programs: `.map` files of DPjudge and of the package `diplomacy`, packages of jDip.

The files here are made up for their grammars. `test_every_map_on_this_machine_is_read_or_refused_in_words` goes through those
of the installed package `diplomacy`, and through those in ../shared/maps where there are any.
"""

from __future__ import annotations

import re
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

import pytest
from helpers.small_maps import BORDERS, LAKES, VARIANTS, lakes, packed

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.base.resources import MOST_DOTS
from satjudge.files.maps import read_map, read_tables, shipped_maps, toml
from satjudge.files.maps.checks import list_faults, list_oddities
from satjudge.files.maps.packages import parse_xml
from satjudge.game.game import Game
from satjudge.show.pictures import Look, picture, position
from satjudge.world.board import starting_board
from satjudge.world.geography import Map, Terrain, UnitKind, Years, load_map, normal
from satjudge.world.seasons import adjustments_due

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "maps"
SATJUDGE_LACKS = r"satjudge (has no|supports only) |there is no file \w+\.\w+ next to it"


def of_package(name: str) -> Path:
    spec = find_spec("diplomacy")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "maps" / name


def maps_on_this_machine() -> Iterator[str]:
    yield from map(str, sorted([*of_package("").glob("*.map"), *SHARED.glob("dpjudge/*.map")]))
    for path in sorted(SHARED.glob("jdip/*/variants.xml")):
        for variant in re.findall(r'<VARIANT name="([^"]*)"', path.read_text(encoding="utf-8")):
            yield f"{path.parent}#{variant}"


REFUSED = {
    "1897.map": "NEWHOMES", "ambition.map": "&SC",
    "imperial.map": "USE imperial.geography", "youngstown.map": "USE youngstown.geography",
    "modern#Modern (with Wings)": "only armies and fleets, not 'wing'", "test#TEST_Borders": "the border seasonFromS",
}  # fmt: skip
"""What is not read of the maps that there are, and why."""


@pytest.mark.slow
def test_every_map_on_this_machine_is_read_or_refused_in_words(tmp_path: Path) -> None:
    """`pytest -s` shows the table. Every map that can be read is the same after it was written as TOML."""
    names = list(maps_on_this_machine())
    assert len(names) >= 14
    for name in names:
        short = Path(name).name
        if short in REFUSED:
            with pytest.raises(InputError, match=REFUSED[short]) as refusal:
                read_map(name)
            print(f"{short:32} refused: {refusal.value}")
            assert re.search(SATJUDGE_LACKS, refusal.value.message)
            assert refusal.value.line is not None
            continue
        game_map = read_map(name)
        counts = (len(game_map.provinces), len(game_map.centers), len(game_map.powers), len(game_map.start))
        print(f"{short:32} {counts[0]:4} provinces {counts[1]:4} centres {counts[2]:3} powers {counts[3]:4} units")
        assert list_faults(game_map) == [], short
        converted = tmp_path / "converted.toml"
        converted.write_text(toml.map_text(read_tables(name)), encoding="utf-8")
        assert same(read_map(converted), game_map), short


def same(one: Map, other: Map) -> bool:
    """Whether two maps say the same, their pictures included."""
    return all(getattr(one, entry.name) == getattr(other, entry.name) for entry in fields(Map) if entry.name != "cache")


@pytest.mark.parametrize("text", ["0.5,1.5 " * 300, "so  much " * 50, 'a "b" \\ ' * 40, "x" * 300, "long - hyphened " * 20])
def test_a_long_text_is_read_as_it_was_written(text: str) -> None:
    """Also in lines that are short enough to be read (`resources.MOST_DOTS`), where it has blanks to part it at."""
    lines = toml.map_text({"title": text.strip()})
    assert tomllib.loads(lines) == {"title": text.strip()}
    assert max(line.count(".") for line in lines.splitlines()) <= MOST_DOTS


def test_the_colonial_map_has_the_borders_of_the_package() -> None:
    assert same_play(read_map(str(of_package("colonial.map"))), load_map("colonial-otaru"))
    assert same_play(read_map(str(of_package("standard.map"))), load_map("standard"))


@pytest.mark.skipif(not SHARED.exists(), reason="the maps of other programs are not on this machine")
def test_our_maps_agree_with_those_of_other_programs() -> None:
    """The facts of each map that comes with satjudge, against two programs where both have it."""
    assert same_play(read_map(str(SHARED / "dpjudge" / "chaos.map")), load_map("chaos"))
    edited = {"_tc14d": "loeb9-10d", "_tc14fgl": "loeb9-10f", "_tc14specialg": "loeb9-10g"}
    loeb9 = {"DATC_Loeb9": "loeb9", **{f"DATC_Loeb9{ending}": name for ending, name in edited.items()}}
    for variant, name in {**loeb9, "DATC_ConvoyingCoastal": "standard-9-both", "DATC_Standard": "standard"}.items():
        theirs, ours = read_map(f"{SHARED / 'jdip' / 'test'}#{variant}"), load_map(name)
        assert borders(theirs, NOR="NWY") == borders(ours), variant
        assert (theirs.closed, theirs.convoying) == (ours.closed, ours.convoying)
    cities = {"COP": "DEN", "OSL": "NWY", "LIS": "POR", "STO": "SWE"}
    assert borders(read_map(str(SHARED / "dpjudge" / "loeb9.map")), **cities) == borders(load_map("loeb9"))
    chaos = read_map(f"{SHARED / 'jdip' / 'test'}#DATC_Chaos")
    assert all(normal(power) in load_map("chaos").power_aliases for power in chaos.powers), "jDip's names of the powers"
    theirs, ours = read_map(f"{SHARED / 'jdip' / 'stdVariants'}#1898"), load_map("1898")
    assert (theirs.owners, set(theirs.start)) == (ours.owners, set(ours.start))


def borders(game_map: Map, **called: str) -> dict[str, dict[str, set[str]]]:
    """The borders of a map, with other codes for some provinces."""

    def as_called(place: str) -> str:
        code, slash, coast = place.partition("/")
        return called.get(code, code) + slash + coast

    tables = {"army": game_map.army, "fleet": game_map.fleet, "difficult": game_map.difficult}
    return {key: {as_called(k): set(map(as_called, v)) for k, v in table.items()} for key, table in tables.items()}


def same_play(one: Map, other: Map) -> bool:
    """Whether two maps are the same to play on, whatever their places are called."""
    parts = ("centers", "owners", "convoying", "closed", "builds_anywhere")
    same = all(getattr(one, part) == getattr(other, part) for part in parts)
    return same and borders(one) == borders(other) and set(one.start) == set(other.start)


# ---------------------------------------------------------------- the grammar of .map files


def test_a_map_file_is_read(tmp_path: Path) -> None:
    game_map = read_map(lakes(tmp_path))
    assert (game_map.name, game_map.title, game_map.first_year, game_map.victory) == ("lakes", "Lakes", 1850, 3)
    assert game_map.powers == ("NORTH", "SOUTH")
    assert game_map.adjectives["NORTH"] == "Northern"
    assert game_map.homes("NORTH") == {"HIL", "FEN"}
    assert game_map.centers == {"HIL", "FEN", "DAL", "CAP"}
    assert set(game_map.start) == {
        ("NORTH", UnitKind.ARMY, "HIL"), ("NORTH", UnitKind.FLEET, "FEN"), ("SOUTH", UnitKind.FLEET, "DAL/SC"),
    }  # fmt: skip
    assert list_faults(game_map) == []


def test_letters_tell_who_passes_a_border(tmp_path: Path) -> None:
    game_map = read_map(lakes(tmp_path, "LAK dal", "LAK dal Cap"))
    assert game_map.army["HIL"] == {"FEN", "DAL", "CAP"}
    assert game_map.army["FEN"] == {"HIL", "DAL"}, "in small letters: armies; with one capital: fleets"
    assert game_map.fleet["FEN"] == {"LAK", "CAP"}
    assert game_map.fleet["CAP"] == {"DAL/SC", "ICE"}
    assert game_map.fleet["DAL/NC"] == {"LAK"}
    assert game_map.difficult == {"HIL": {"CAP"}, "CAP": {"HIL"}}
    assert game_map.convoying - game_map.seas == {"CAP"}, "fleets convoy in a PORT"


def test_names_that_fit_two_places_are_left_out(tmp_path: Path) -> None:
    names = read_map(lakes(tmp_path)).names
    assert (names["the fens"], names["port lake"], names["marsh"]) == ("FEN", "LAK", "FEN")
    assert read_map(lakes(tmp_path)).provinces["DAL"].aliases == ()


@pytest.mark.parametrize(
    ("more", "part", "value"),
    [
        ("RULE BUILD_ANY", "builds_anywhere", True),
        ("RULE BUILD_ANY\nRULE !BUILD_ANY", "builds_anywhere", False),
        ("PAYOLA DIRECTIVES\nRULE NO_SUCH\nTAX 3\nEND DIRECTIVES", "builds_anywhere", False),
        ("BEGIN WINTER 1850 ADJUSTMENTS", "first_year", 1851),
        ("SOUTH -DAL CAP", "owners", {"HIL": "NORTH", "FEN": "NORTH", "CAP": "SOUTH"}),
        ("SOUTH\nOWNS CAP", "owners", {"HIL": "NORTH", "FEN": "NORTH", "CAP": "SOUTH"}),
        ("NORTH\nUNITS\nF FEN", "start", (("NORTH", UnitKind.FLEET, "FEN"), ("SOUTH", UnitKind.FLEET, "DAL/SC"))),
        ("EAST (EASTERN) CAP\nA CAP\nEAST\nDUMMY", "powers", ("NORTH", "SOUTH", "EAST")),
        ("EAST+ANGLIA () CAP", "powers", ("NORTH", "SOUTH", "EAST ANGLIA")),
        ("_MILITIA CAP", "powers", ("NORTH", "SOUTH", "MILITIA")),
        ("NORTH -> WEST (WESTERN)", "powers", ("WEST", "SOUTH")),
        ("WEST CAP\nUNPLAYED WEST", "powers", ("NORTH", "SOUTH")),
        ("WEST CAP\nUNPLAYED ALL EXCEPT NORTH SOUTH", "powers", ("NORTH", "SOUTH")),
        ("IN FALL: SHUT ICE", "closed", {"fall": {"ICE"}}),
        ("SHUT ICE\nIN SPRING: WATER ICE", "closed", {"fall": {"ICE"}}),
        ("DROP CAP", "centers", {"HIL", "FEN", "DAL"}),
        ("RULE HOME_BUILDS", "builds_in_any_home", True),
        ("RULE HOME_BUILDS\nRULE !HOME_BUILDS", "builds_in_any_home", False),
        ("HIL -> Peak = pea top", "centers", {"PEA", "FEN", "DAL", "CAP"}),
    ],
)
def test_lines_that_change_what_was_before(more: str, part: str, value: object, tmp_path: Path) -> None:
    assert getattr(read_map(lakes(tmp_path, "", f"{more}\n")), part) == value


def test_borders_are_amended_and_places_replaced(tmp_path: Path) -> None:
    game_map = read_map(
        lakes(tmp_path, "", "AMEND HIL ABUTS -DAL\nAMEND dal ABUTS -HIL\nCOAST DAL ABUTS FEN LAK CAP\nUNOWNED -CAP\nSHUT CAP\n")
    )
    assert game_map.army["HIL"] == {"FEN"}
    assert "CAP" not in game_map.provinces, "what is SHUT is not on the map"
    assert game_map.fleet["DAL"] == {"FEN", "LAK"}, "DAL has no coasts of its own any more"
    renamed = read_map(lakes(tmp_path, "", "HIL -> Peak = pea top\n", name="renamed.map"))
    assert renamed.army["FEN"] == {"PEA", "DAL"}
    assert ("NORTH", UnitKind.ARMY, "PEA") in renamed.start
    assert renamed.names["peak"] == "PEA"


def test_files_that_are_used_stand_beside(tmp_path: Path) -> None:
    lakes(tmp_path, name="base.map")
    path = tmp_path / "more.map"
    path.write_text("USE base\nSOUTH\nA DAL\n", encoding="utf-8")
    assert ("SOUTH", UnitKind.ARMY, "DAL") in read_map(str(path)).start


def test_the_standard_map_stands_in_for_files_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "milan.map"
    path.write_text("USE standard.map\nDROP TUS VEN\nITALY\nF ROM\nLAND SWI ABUTS BUR MAR MUN PIE TYR\n", encoding="utf-8")
    game_map = read_map(str(path))
    assert len(game_map.provinces) == 75 - 2 + 1
    assert game_map.army["SWI"] == {"BUR", "MAR", "MUN", "PIE", "TYR"}
    assert ("ITALY", UnitKind.FLEET, "ROM") in game_map.start
    whole = tmp_path / "whole.map"
    whole.write_text("USE standard.geography standard.politics standard.military\n", encoding="utf-8")
    assert same_play(read_map(str(whole)), load_map("standard"))


def test_what_is_beside_a_missing_part_is_read_and_the_map_says_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = lakes(tmp_path, "", "USE lakes.politics\n")
    game_map = read_map(path)
    lack = "there is no file lakes.politics next to it, with homes and centres that nobody owns"
    assert (len(game_map.start), lack in list_oddities(game_map), list_faults(game_map)) == (3, True, [])
    assert run(["maps", "convert", path, "-o", str(tmp_path / "lakes.toml")]) == 0
    assert f"lacks: {lack}\n" in capsys.readouterr().err
    assert lack in list_oddities(read_map(tmp_path / "lakes.toml")), "whoever gets the written map is told as well"
    for part, told in (
        ("lakes.politics\nUSE lakes.geography", "there is no file lakes.geography next to it, nor lakes.politics"),
        ("lakes.politics", "the map is not complete without lakes.politics, which is not next to it"),
    ):
        (tmp_path / "empty.map").write_text(f"USE {part}\n", encoding="utf-8")
        with pytest.raises(InputError, match=told):
            read_map(tmp_path / "empty.map")


def test_all_maps_of_a_folder_are_converted_each_with_what_it_does_not_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every variant of a package, and no file of diplicity, which holds no borders; none is written over another."""
    again = VARIANTS[VARIANTS.index("  <VARIANT ") : VARIANTS.index("</VARIANTS>")].replace('"Lakes"', '"Crowded Lakes"')
    folder = tmp_path / "maps"
    folder.mkdir()
    packed(folder / "package", variants=("</VARIANTS>", f"{again}</VARIANTS>"))
    lakes(folder)
    (folder / "ponds.json").write_text('{"id": "ponds", "nations": [], "provinces": []}', encoding="utf-8")
    (folder / "settings.json").write_text("{}", encoding="utf-8")
    assert run(["maps", "convert", str(folder), "-o", str(tmp_path / "read")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "lakes.map: lakes.toml; no colours of powers; no places of units; no outlines",
        "package#Lakes: lakes-2.toml; no colours of powers; no outlines",
        "package#Crowded Lakes: crowded-lakes.toml; no colours of powers; no outlines",
        f"ponds.json: {folder / 'ponds.json'}: a variant of diplicity without a schemaVersion contains no borders "
        "(use the Go file of godip)",
        "converted 3 of 4 maps",
    ]
    assert read_map(tmp_path / "read" / "lakes-2.toml").builds_anywhere
    assert run(["maps", "convert", str(folder), "-o", str(tmp_path / "read")]) == 1, "again, into the folder that is there now"
    assert capsys.readouterr().out.splitlines()[-1] == "converted 3 of 4 maps"
    assert run(["maps", "convert", "loeb9", "-o", str(tmp_path / "read")]) == 2
    assert "read" in capsys.readouterr().err


def test_the_folders_in_a_folder_of_maps_are_walked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that hold no map are passed over: other Go files, symbols, links; and nothing is looked for in a package."""
    folder = tmp_path / "maps"
    for place in ("deep/deeper", "go", "more"):
        (folder / place).mkdir(parents=True)
    lakes(folder / "deep" / "deeper")
    lakes(packed(folder / "more" / "package"))
    (folder / "go" / "data.go").write_text('import "github.com/zond/godip"\n', encoding="utf-8")
    with zipfile.ZipFile(folder / "symbols.zip", "w") as archive:
        archive.writestr("army.svg", "<svg/>")
    (folder / "again").symlink_to(folder / "deep")
    assert run(["maps", "convert", str(folder), "-o", str(tmp_path / "read")]) == 0
    assert [line.partition(";")[0] for line in capsys.readouterr().out.splitlines()] == [
        "deep/deeper/lakes.map: lakes.toml",
        "more/package: lakes-2.toml",
        "converted 2 of 2 maps",
    ]


@pytest.mark.parametrize(
    ("begin", "turn", "every", "years"),
    [
        ("B.C. 273", -1, 2, (-273, 2, 1)),
        ("A.D. 1425", 5, 10, (1425, 10, 5)),
        ("A.D. 1425", 5, 5, None),
        ("A.D. 1420", 5, 10, None),
        ("A.D. 1425", 0, 10, None),
    ],
)
def test_years_with_one_turn_each_are_read_where_builds_follow_every_second_one(
    begin: str, turn: int, every: int, years: tuple[int, int, int] | None, tmp_path: Path
) -> None:
    era = begin.split()[0]
    flow = (f"NEWYEAR:{turn}", f"{era}:MOVEMENT,RETREATS", f"IFYEARDIV:{every}", f"{era}:ADJUSTMENTS")
    path = lakes(tmp_path, "", "\n".join((f"BEGIN {begin} MOVEMENT", *(f"FLOW {part}" for part in flow), "")))
    if years is None:
        with pytest.raises(InputError, match="satjudge has no years other than those with builds after every second turn"):
            read_map(path)
    else:
        assert read_map(path).years == Years(*years)


def test_a_game_that_is_mobilized_begins_with_one_build_of_each_power(tmp_path: Path) -> None:
    game_map = read_map(lakes(tmp_path, "", "RULE MOBILIZE\n"))
    assert (game_map.first_builds, game_map.start) == (1, ())
    assert adjustments_due(Game.new(game_map).board) == {"NORTH": 1, "SOUTH": 1}


def test_alternatives_of_homes_are_read_and_what_is_of_the_first_builds_alone_is_told(tmp_path: Path) -> None:
    path = Path(lakes(tmp_path, "SOUTH  (SOUTHERN) DAL", "SOUTH  (SOUTHERN) DAL @CAP"))
    text = path.read_text(encoding="utf-8").replace("UNOWNED CAP\n", "")
    path.write_text(f"{text}IN W1849A\nSOUTH\nHOMES DAL @CAP(DAL)\n", encoding="utf-8")
    game_map = read_map(path)
    assert game_map.alternatives == {"CAP": ("SOUTH",)}
    assert game_map.homes("SOUTH") == frozenset({"DAL"})
    assert game_map.owners["CAP"] == "SOUTH"
    assert read_tables(path)["lacks"] == ["the homes for only the first builds: SOUTH; HOMES DAL @CAP(DAL)"]
    path.write_text(f"{text}IN W1849A\nRULE BUILD_ANY\n", encoding="utf-8")
    assert read_map(path).builds_anywhere, "a line that is none of homes is read as ever"


def test_units_of_a_power_that_nobody_plays_hold_where_the_map_says_so(tmp_path: Path) -> None:
    rules = "DUMMY SOUTH\nRULE IMMOBILE_DUMMIES\n"
    assert read_map(lakes(tmp_path, "", rules)).nobody == "SOUTH"
    assert read_map(lakes(tmp_path, "", "DUMMY SOUTH\n")).nobody is None
    with pytest.raises(InputError, match="IMMOBILE_DUMMIES for SOUTH, NORTH: satjudge has no several powers"):
        read_map(lakes(tmp_path, "", f"{rules}DUMMY NORTH\n"))


def test_borders_at_half_strength_and_partisans_are_read(tmp_path: Path) -> None:
    more = "AMEND CAP ABUTS *DAL\nAMEND DAL ABUTS CAP*\nSOUTH *ICE\nRULE REMOTE_BUILDS\n"
    game_map = read_map(lakes(tmp_path, "", more))
    assert game_map.half_strength == {"CAP": {"DAL"}, "DAL": {"CAP"}}
    assert game_map.partisans == {"SOUTH": "ICE"}
    assert "ICE" not in game_map.homes("SOUTH")
    assert game_map.builds_anywhere
    assert game_map.builds_need_home


def test_the_colours_of_powers_are_those_of_the_picture(tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes")
    picture = (folder / "lakes.svg").read_text(encoding="utf-8")
    style = ".north {stroke:#000; fill: GoldenRod} .unitnorth{fill:#0A8;opacity:1}\n.south{fill:tomato}.a{fill:none}"
    (folder / "lakes.svg").write_text(picture.replace("</svg>", f"<style>{style}</style></svg>"), encoding="utf-8")
    game_map = read_map(str(folder))
    assert game_map.colours == {"NORTH": "#00aa88", "SOUTH": "#ff6347"}
    assert game_map.fingerprint == read_map(str(packed(tmp_path / "plain"))).fingerprint, "the same to play on"
    drawn = picture_of(game_map)
    assert "#00aa88" in drawn
    assert "#ff6347" in drawn


def picture_of(game_map: Map) -> str:
    board = starting_board(game_map)
    return picture([position(board)], title="", look=Look("light"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("RULE BLIND_FOG", "RULE BLIND_FOG: satjudge has no such rule"),
        ("AMEND HIL ABUTS N:CAP", "the border N:CAP: satjudge has no"),
        ("SOUTH @CAP(DAL)", "CAP(DAL): satjudge has no homes in place of single ones"),
        ("SOUTH &SC", "&SC: satjudge has no home that a power chooses by its first build elsewhere"),
        ("FLOW NEWYEAR:-1", "FLOW NEWYEAR:-1: satjudge has no phases other than"),
        ("BEGIN YEAR 273 MOVEMENT", "BEGIN YEAR 273 MOVEMENT: satjudge has no years other than"),
        ("IN W1901A\nSOUTH CAP", "IN W1901A: satjudge has no maps that change"),
        ("NEWHOMES 1905", "NEWHOMES: satjudge has no maps that change"),
        ("USE nothing", "USE nothing: there is no file nothing.map next to it"),
        ("USE ../secret.map", "USE ../secret.map: name a file in the same folder"),
        ("USE /etc/passwd", "USE /etc/passwd: name a file in the same folder"),
        ("USE lakes", "USE lakes: this file has already been included"),
        ("AMEND XYZ ABUTS HIL", "AMEND XYZ: there is no such place yet"),
        ("LAND HIL BESIDE FEN", "'BESIDE': write ABUTS"),
        ("AMEND HIL ABUTS XYZ", "the border HIL - XYZ: there is no such place"),
        ("UNPLAYED WEST", "UNPLAYED WEST: there is no such power"),
        ("A HIL", "A HIL: write the line below a power"),
        ("VICTORY soon", "VICTORY: write the number of centres needed to win"),
        ("Hill =", "'Hill =': write a name"),
        ("SOUTH DAL?", "'DAL?' is neither a keyword nor a place"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(more: str, message: str, tmp_path: Path) -> None:
    path = lakes(tmp_path, "", f"{more}\n")
    with pytest.raises(InputError) as error:
        read_map(path)
    assert str(error.value).startswith(f"{path}:{LAKES.count(chr(10)) + 1}: {message}")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("SOUTH HIL", "HIL is a home of NORTH and of SOUTH: satjudge has no homes of two powers"),
        ("SOUTH XYZ", "there is no place XYZ, although it is a centre"),
        ("NORTH\nF HIL", "the start of NORTH: a fleet cannot be inland in Hill"),
        ("UNPLAYED ALL", "the map is not complete"),
        ("IN FALL: LAND HIL", "IN FALL: LAND HIL: satjudge has no provinces that change with the season"),
    ],
)
def test_what_does_not_fit_together_is_told(more: str, message: str, tmp_path: Path) -> None:
    path = lakes(tmp_path, "", f"{more}\n")
    with pytest.raises(InputError) as error:
        read_map(path)
    assert str(error.value).startswith(f"{path}: {message}")


# ---------------------------------------------------------------- packages of jDip


def zipped(folder: Path, path: Path, within: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"{within}{file.name}")
    return path


@pytest.mark.parametrize("kind", ["folder", "file", "zip", "zip of a folder"])
def test_a_package_of_jdip_is_read(kind: str, tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes")
    archive = zipped(folder, tmp_path / "lakes.zip", "lakes/" if kind == "zip of a folder" else "")
    game_map = read_map(str({"folder": folder, "file": folder / "variants.xml"}.get(kind, archive)))
    assert (game_map.name, game_map.title, game_map.first_year, game_map.victory) == ("lakes", "Lakes", 1850, 3)
    assert game_map.builds_anywhere
    assert game_map.power_aliases["boreas"] == "NORTH"
    assert game_map.owners == {"HIL": "NORTH"}
    assert game_map.homes("SOUTH") == {"DAL"}
    assert set(game_map.start) == {
        ("NORTH", UnitKind.ARMY, "HIL"), ("SOUTH", UnitKind.FLEET, "DAL/SC"), ("SOUTH", UnitKind.ARMY, "CAP"),
    }  # fmt: skip
    assert {code: province.terrain for code, province in game_map.provinces.items()} == {
        "HIL": Terrain.INLAND, "DAL": Terrain.COAST, "CAP": Terrain.COAST, "LAK": Terrain.SEA, "ICE": Terrain.SEA,
    }  # fmt: skip
    assert game_map.army["CAP"] == {"HIL", "DAL"}
    assert game_map.fleet["DAL/SC"] == {"CAP", "ICE"}
    assert game_map.difficult == {"HIL": {"CAP"}, "CAP": {"HIL"}}
    assert game_map.closed == {"fall": {"ICE"}}
    assert game_map.convoying == {"CAP", "LAK", "ICE"}
    assert game_map.names["peak"] == "HIL"
    assert list_faults(game_map) == []


def test_builds_anywhere_while_a_home_is_owned_are_a_rule_of_jdip(tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes", variants=("VALUE_BUILDS_ANY_OWNED", "VALUE_BUILDS_ANY_IF_HOME_OWNED"))
    game_map = read_map(str(folder))
    assert (game_map.builds_anywhere, game_map.builds_need_home) == (True, True)


def test_a_centre_that_nobody_can_get_to_counts_for_its_owner(tmp_path: Path) -> None:
    """As in jDip's 1900, where Russia owns one more than there are to be conquered."""
    centre = '<SUPPLYCENTER province="wal" owner="north"/><SUPPLYCENTER province="hil"'
    game_map = read_map(str(packed(tmp_path / "lakes", variants=('<SUPPLYCENTER province="hil"', centre))))
    assert game_map.owners["WAL"] == "NORTH"
    assert list_faults(game_map) == ["nobody can get to WAL: it has no borders"]


def test_borders_of_armies_to_the_sea_are_those_of_fleets_or_none_and_told(tmp_path: Path) -> None:
    """Packages of jDip have them by mistake: the Punic Sea of AncMed, Ceylon and Berlin in Imperial."""
    land = 'type="mv" refs="hil cap"'
    folder = packed(tmp_path / "lakes", borders=(land, 'type="mv" refs="hil cap lak"'))
    assert read_map(str(folder)).army["DAL"] == {"HIL", "CAP"}
    (told,) = read_tables(str(folder))["lacks"]
    assert told == "army borders into seas, from DAL: they count as borders for fleets, or are left out"
    text = (folder / "borders.xml").read_text(encoding="utf-8").replace("hil cap lak", "hil cap")
    at_sea = text.replace('"ice"><ADJACENCY type="xc"', '"ice"><ADJACENCY type="mv"').replace("dal-sc cap", "dal-sc cap lak")
    assert at_sea != text
    (folder / "borders.xml").write_text(at_sea, encoding="utf-8")
    found = read_map(str(folder))
    assert str(found.provinces["ICE"].terrain) == "sea"
    assert found.fleet["ICE"] == frozenset({"DAL/SC", "CAP", "LAK"})


def test_borders_of_fleets_to_land_are_taken_away_and_told(tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes", borders=('refs="dal/nc"', 'refs="dal/nc hil"'))
    assert read_map(str(folder)).fleet["LAK"] == {"DAL/NC"}
    assert read_tables(str(folder))["lacks"] == ["borders for fleets from HIL, so those that lead there are left out"]


def test_where_things_are_drawn_is_kept(tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes")
    geometry = read_map(str(folder)).geometry
    assert geometry is not None
    assert (geometry.size, geometry.origin) == ((200, 100), (-5, 0))
    assert geometry.units == {"HIL": (10, 20.5), "DAL/SC": (40, 50)}
    assert geometry.dislodged == {"HIL": (12, 22), "DAL/SC": (42, 52)}
    assert geometry.centers == {"HIL": (8, 20)}
    assert geometry.labels == {"HIL": (9, 30), "DAL": (50, 60)}
    (folder / "lakes.svg").unlink()
    assert read_map(str(folder) + "#Lakes").geometry is None
    converted = tmp_path / "lakes.toml"
    converted.write_text(toml.map_text(read_tables(str(packed(folder)))), encoding="utf-8")
    assert read_map(str(converted)).geometry == geometry


def test_converting_tells_which_variant_was_taken_and_what_else_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = packed(tmp_path / "one")
    again = VARIANTS[VARIANTS.index("  <VARIANT ") : VARIANTS.index("</VARIANTS>")].replace('"Lakes"', '"Crowded Lakes"')
    default = again.replace("<VARIANT ", '<VARIANT default="true" ')
    folder = packed(tmp_path / "lakes", variants=("</VARIANTS>", f"{default}</VARIANTS>"))
    for name, told in (
        (str(alone), ""),
        ("loeb9", ""),
        (f"{folder}#Lakes", ""),
        (str(folder), "using Crowded Lakes, the default of the package; add # and a name to choose another: Lakes\n"),
    ):
        assert run(["maps", "convert", name]) == 0
        assert capsys.readouterr().err == told
    assert read_map(str(folder)).title == "Crowded Lakes"


def test_one_of_several_variants_is_named_behind_the_package(tmp_path: Path) -> None:
    again = VARIANTS[VARIANTS.index("  <VARIANT ") : VARIANTS.index("</VARIANTS>")].replace('"Lakes"', '"Crowded Lakes"')
    folder = packed(tmp_path / "lakes", variants=("</VARIANTS>", f"{again}</VARIANTS>"))
    assert read_map(f"{folder}#crowded lakes").title == "Crowded Lakes"
    assert read_map(f"{folder}#Ponds".replace("Ponds", "Lakes")).title == "Lakes"
    for name, message in (("", "the package contains 2 variants"), ("#Atlantis", "there is no variant 'Atlantis'")):
        with pytest.raises(InputError, match=rf"variants.xml: {message} \(name one after a #: Lakes, Crowded Lakes\)"):
            read_map(f"{folder}{name}")


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("borders", 'season="fall"', 'year="odd"', "borders.xml:4: the border ice (year odd): satjudge supports only"),
        ("borders", 'Modifier="-1"', 'Modifier="-2"', "borders.xml:5: the border steep (from cap, baseMoveModifier -2)"),
        ("borders", 'borders="ice"', 'borders="snow"', "borders.xml:14: there is no border named 'snow'"),
        ("borders", 'refs="dal/nc"', 'refs="dal/nc xyz"', "borders.xml:13: there is no province 'xyz'"),
        ("borders", 'type="nc"', 'type="up"', "borders.xml:10: borders of the type 'up'"),
        ("borders", ' shortname="lak"', "", "borders.xml:13: <PROVINCE> has no shortname"),
        ("borders", 'fullname="The Wall"', 'fullname="W" borders="steep"', "borders.xml:15: WAL cannot be reached from"),
        ("borders", 'from="cap"', 'from="wal"', "borders.xml:5: WAL cannot be reached from"),
        ("borders", "</PROVINCES>", "", "borders.xml:17: not XML: no element found"),
        ("variants", 'unit="army"', 'unit="wing"', "variants.xml:15: satjudge supports only armies and fleets, not 'wing'"),
        ("variants", '"boreas"', '"east"', "variants.xml:12: there is no power 'east'"),
        ("variants", 'STATE province="cap"', 'STATE province="wal"', "variants.xml:17: WAL cannot be reached from"),
        ("variants", "ANY_OWNED", "ANYWHERE", "variants.xml:7: VALUE_BUILDS_ANYWHERE: satjudge does not support this rule"),
        ("variants", "1850,", "500 BC,", "variants.xml:10: 'Spring, 500 BC, Movement': satjudge supports only years"),
        ("variants", '"borders.xml"', '"../borders.xml"', "variants.xml:6: '../borders.xml' is not a plain file name"),
        ("variants", '"borders.xml"', '"file:///etc/passwd"', "variants.xml:6: 'file:///etc/passwd' is not a plain file name"),
        ("variants", '"borders.xml"', '"nothing.xml"', "there is no file"),
        ("variants", "SUPPLYCENTER province=\"cap\"", "SUPPLYCENTER", "variants.xml:14: <SUPPLYCENTER> has no province"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_of_a_package_is_told_with_file_and_line(
    file: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    folder = packed(tmp_path / "lakes", **{file: (old, new)})
    with pytest.raises(InputError) as error:
        read_map(str(folder))
    assert message in str(error.value)


# ---------------------------------------------------------------- hostile files

BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9)
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{BOMB}]><x>&j;</x>", "the file declares the entity a"),
        ("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>", "the file declares the entity a"),
        (
            "<!DOCTYPE x SYSTEM 'http://127.0.0.1:9/x.dtd'><x>&a;</x>",
            "the file uses the entity a from another file",
        ),
        ("<x>" * 300 + "</x>" * 300, "elements, or more than 50 nested ones"),
        ("<x>" + "<y/>" * 50_001 + "</x>", "more than 50,000 elements"),
        ("", "not XML: no element found"),
        ("\0", "not XML"),
    ],
)
def test_hostile_xml_harms_nothing(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        print(parse_xml(text.encode(), "x.xml").text)


def test_a_document_type_that_stands_elsewhere_is_not_fetched() -> None:
    element = parse_xml(b"<!DOCTYPE x SYSTEM 'http://127.0.0.1:9/x.dtd' [<!ENTITY % p 'q'> %p;]><x a='1'>text</x>", "x.xml")
    assert (element.name, element.attributes, element.text) == ("x", {"a": "1"}, "text")


def test_archives_that_lead_out_of_themselves_or_blow_up_are_refused(tmp_path: Path) -> None:
    def archive(name: str, content: str | bytes) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(name, content)
        return str(path)

    for name, content, message in (
        ("../variants.xml", VARIANTS, "'../variants.xml' is outside the archive"),
        ("/etc/variants.xml", VARIANTS, "is outside the archive"),
        ("..\\variants.xml", VARIANTS, "is outside the archive"),
        ("variants.xml", b" " * 20_000_000, "variants.xml is too long"),
        ("readme.txt", "nothing", "there is no variants.xml (jDip) and no install.php (webDiplomacy)"),
        ("variants.xml", VARIANTS, "there is no file borders.xml in"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            read_map(archive(name, content))
    cut = tmp_path / "cut.zip"
    cut.write_bytes(zipped(packed(tmp_path / "lakes"), tmp_path / "whole.zip").read_bytes()[:-30])
    with pytest.raises(InputError):
        read_map(str(cut))


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes")
    (folder / "borders.xml").unlink()
    (tmp_path / "secret.xml").write_text(BORDERS, encoding="utf-8")
    (folder / "borders.xml").symlink_to(tmp_path / "secret.xml")
    with pytest.raises(InputError, match=r"borders\.xml is outside the folder"):
        read_map(str(folder))


def test_what_a_file_is_is_told_by_its_content(tmp_path: Path) -> None:
    assert read_map(lakes(tmp_path, name="lakes.txt")).powers == ("NORTH", "SOUTH")
    path = tmp_path / "standard.txt"
    path.write_text(toml.map_text(read_tables("standard")), encoding="utf-8")
    assert same_play(read_map(str(path)), load_map("standard"))
    (tmp_path / "borders.xml").write_text(BORDERS, encoding="utf-8")
    with pytest.raises(InputError, match=r"is XML, but not called variants\.xml"):
        read_map(str(tmp_path / "borders.xml"))


def test_what_is_no_map_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no map"):
        read_map(str(tmp_path))
    with pytest.raises(InputError, match="contains one map: leave out #x"):
        read_map(f"{lakes(tmp_path)}#x")
    path = tmp_path / "binary.map"
    path.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(InputError):
        read_map(str(path))
    assert "binary" not in shipped_maps()
