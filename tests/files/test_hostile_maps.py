"""Maps of strangers that are broken on purpose: told with their place, in little time, before anything is played on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.small_maps import ISLAND, lakes, packed, written

from satjudge.base.errors import InputError, MapError
from satjudge.files.maps import make_map, read_map, read_tables
from satjudge.files.maps.drawings import read_outlines
from satjudge.files.maps.packages import parse_xml
from satjudge.game.game import Game
from satjudge.world.board import Phase

DECLARED = "<!ATTLIST x a CDATA #IMPLIED>"
DEFAULTS = "".join(f"<!ATTLIST x a{number} CDATA '1'>" for number in range(900))


@pytest.mark.parametrize("encoding", ["utf-7", "utf-32", "undefined", "punycode", "nope", "rot13", "big5"])
def test_an_encoding_that_cannot_be_read_is_told(encoding: str) -> None:
    with pytest.raises(MapError, match="the encoding of the file cannot be read") as error:
        parse_xml(f"<?xml version='1.0' encoding='{encoding}'?><x/>".encode(), "x.xml")
    assert error.value.suggestion == "save it in UTF-8"


def test_encodings_of_windows_are_read() -> None:
    assert parse_xml("<?xml version='1.0' encoding='windows-1252'?><x>é</x>".encode("cp1252"), "x.xml").text == "é"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<x " + " ".join(f"a{number}='1'" for number in range(200_001)) + "/>", "more than 200,000 attributes"),
        ("<x>" + " " * 3_000_000 + "</x>", "more than 3,000,000 bytes of XML"),
        (f"<!DOCTYPE x [{DECLARED * 1_001}]><x/>",
         "the file declares more than 1,000 attributes"),
        (f"<!DOCTYPE x [{DEFAULTS}]><x>{'<x/>' * 900}</x>",
         "more than 200,000 attributes"),
    ],
)  # fmt: skip
def test_xml_that_takes_long_is_refused(text: str, message: str) -> None:
    with pytest.raises(MapError, match=message):
        parse_xml(text.encode(), "x.xml")


def test_text_between_elements_is_kept_in_order() -> None:
    root = parse_xml(b"<x>a<y>b<z/>c</y>d&amp;e<y/>f</x>", "x.xml")
    assert (root.text, [part.text for part in root.iter_elements("y")], len(list(root.iter_elements("z")))) == (
        "ad&ef",
        ["bc", ""],
        1,
    )


def test_a_drawing_of_too_many_letters_has_no_outlines() -> None:
    drawn = "<svg><g id='MouseLayer'><path id='par' d='M0 0 9 0 9 9{}'/></g></svg>"
    assert read_outlines(parse_xml(drawn.format("").encode(), "x"), str.upper) == {"PAR": "0,0 9,0 9,9"}
    assert read_outlines(parse_xml(drawn.format(" 1" * 300_000).encode(), "x"), str.upper) == {}


@pytest.mark.parametrize("count", ["9" * 5_000, "99999", "-1", "many", "²"])
def test_a_number_of_centres_to_win_is_a_number_of_centres(count: str, tmp_path: Path) -> None:
    folder = packed(tmp_path / "lakes", variants=('CENTERS value="3"', f'CENTERS value="{count}"'))
    with pytest.raises(MapError, match="CENTERS>: write the number of centres needed to win") as error:
        read_map(str(folder))
    assert error.value.line is not None


def test_places_far_away_in_a_drawing_are_no_places(tmp_path: Path) -> None:
    far = "9" * 400
    svg = f"""<svg viewBox="0 0 {far} 100"><PROVINCE name="hil"><UNIT x="{far}" y="1"/></PROVINCE>
    <g id="BriefLabelLayer"><text x="{far}" y="2">dal</text></g></svg>"""
    folder = packed(tmp_path / "lakes")
    (folder / "lakes.svg").write_text(svg, encoding="utf-8")
    assert "geometry" not in read_tables(str(folder))


@pytest.mark.parametrize("year", [10_000, 100_000, 10**30, 0, -5])
def test_a_year_has_four_digits(year: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"first_year: |a number is too long"):
        read_map(written(tmp_path, ISLAND.replace("title =", f"first_year = {year}\ntitle =")))


def test_a_year_of_other_formats_has_four_digits_too(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="first_year: "):
        read_map(lakes(tmp_path, "SPRING 1850", "SPRING 18500"))
    with pytest.raises(MapError, match="first_year: "):
        read_map(str(packed(tmp_path / "lakes", variants=("1850", "99999"))))


@pytest.mark.parametrize("year", [1, 850, 9_999])
def test_a_game_of_any_year_can_be_read_again(year: int, tmp_path: Path) -> None:
    game = Game.new(read_map(written(tmp_path, ISLAND.replace("title =", f"first_year = {year}\ntitle ="))))
    for _ in range(3):
        game.next()
    game.save(tmp_path / "g.json")
    again = Game.load(tmp_path / "g.json")
    assert again.phase_name == game.phase_name
    assert again.board.phase is Phase.MOVEMENT
    assert again.board.turn == game.board.turn


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"NORTH", "SOUTH"]', '"NORTH", "SOUTH", "NORTH"]', "`powers` lists the power NORTH 2 times"),
        ('["NORTH", "SOUTH"]', "[]", "there is no power"),
        ('name = "North"', 'name = ""', "the power NORTH: '' is not a name"),
        ('adjective = "Northern"', 'adjective = " "', "the adjective of NORTH: ' ' is not a name"),
        ('name = "Hills"', 'name = "..."', "HIL: '...' is not a name"),
        ('name = "Hills"', 'name = "Hi\\nlls"', "HIL: 'Hi\\nlls' is not a name"),
        ('name = "island"', 'name = ""', "the map: '' is not a name"),
        ('title = "An island"', 'title = "\\t"', "the title: "),
        ("[province.BAY]", "[geometry]\nsize = [inf, 1]\n[province.BAY]", "geometry.size[0]: Expected `float` < 10000000.0"),
        ("[province.BAY]", "[geometry]\nsize = [1, nan]\n[province.BAY]", "geometry.size[1]: Expected `float`"),
        ('title = "An island"', 'title = "x"\nvictory = 123456789012345678901234567890', "victory: "),
    ],
)  # fmt: skip
def test_names_and_numbers_that_nothing_can_be_played_with_are_refused(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    assert old in ISLAND
    with pytest.raises(MapError) as error:
        read_map(written(tmp_path, ISLAND.replace(old, new, 1)))
    assert message in error.value.message


def test_a_null_in_a_game_is_what_is_left_out(tmp_path: Path) -> None:
    tables = read_tables(written(tmp_path, ISLAND))
    nulls = dict.fromkeys(("army", "unit", "home", "unit_coast", "coasts", "difficult", "aliases"))
    province = {code: {**nulls, **entry} for code, entry in tables["province"].items()}
    stated = make_map({**tables, "province": province, "geometry": None, "victory": None}, "g.json")
    assert stated.fingerprint == read_map(written(tmp_path, ISLAND)).fingerprint


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("powers = 3", "powers: Expected `array`"),
        ('powers = "FRANCE"', "powers: Expected `array`"),
        ("power = 3", "power: Expected `object`"),
        ("province = []", "province: Expected `object`"),
        ("province.PAR = 3", "province.PAR: Expected `object`"),
        ("add_province = ['PAR']", "add_province: province must be a list"),
        ("remove = [3]", "remove: write a list of names"),
        ("forget = 3", "forget: write a list of names"),
        ("province.PAR.forget = 3", "province.PAR.forget: write a list of names"),
        ("province.PAR.add_center = ['PAR']", "center must be a list"),
        ("closed = []", "closed: Expected `object`"),
        ('remove = ["PAR"]\nforget = ["kind"]', "missing required field `kind`"),
    ],
)
def test_an_amendment_of_another_kind_is_told(more: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_map(written(tmp_path, f'based_on = "standard"\nname = "x"\ntitle = "X"\n{more}\n'))
    assert told in error.value.message


def test_a_name_too_long_for_a_file_is_no_file(tmp_path: Path) -> None:
    name = "x" * 3_000
    with pytest.raises(InputError, match="there is no map or file"):
        read_map(name)
    with pytest.raises(MapError, match="name a file in the same folder"):
        read_map(lakes(tmp_path, "", f"USE {name}\n"))


def test_a_game_in_which_a_phase_stands_twice_is_refused(tmp_path: Path) -> None:
    """Of two phases of one name nobody could say which is meant."""
    game = Game.new()
    game.next()
    game.next()
    document = json.loads(json.dumps(game.document()))
    document["phases"][1] = document["phases"][0]
    with pytest.raises(InputError, match="the phase S1901M appears twice in the game"):
        Game.from_saved(document)
