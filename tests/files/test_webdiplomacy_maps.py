"""Variants of webDiplomacy: tables of PHP are read; code that changes rules is known by its digest or refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import MapError
from satjudge.files.maps import php, read_map, webdiplomacy
from satjudge.game.game import Game

INSTALL = r"""<?php
// the map of the variant
require_once("variants/install.php");
$countries=$this->countries;
$territoryRawData=array(
	array('Skerry {SK}', 'Coast', 'Yes', 1, 10, 20, 0, 0),
	array("Giant\\'s Head (North Coast)", 'Coast', 'No', 0, 30, 15, 0, 0),
	array("Giant\\'s Head (Thames Coast)", 'Coast', 'No', 0, 30, 45, 0, 0),
	array("Giant\\'s Head", 'Coast', 'Yes', 2, 30, 30, 0, 0),
	array('Norwegian Sea', 'Sea', 'No', 0, 40.5, 10, 0, 0), # as on the standard map
	array('Skerry Sound', 'Sea', 'No', 0, 40, 60, 0, 0),
	array('Moor', 'Land', 'Yes', 0, 60, 30, 0, 0),
);
foreach($territoryRawData as $territoryRawRow)
{
	list($name, $type, $supply, $countryID, $x, $y, $sx, $sy)=$territoryRawRow;
	new InstallTerritory($name, $type, $supply, $countries[$countryID], $x, $y, $sx, $sy);
}
$bordersRawData=array(
	array('Skerry {SK}','Norwegian Sea','Yes','No'),
	array('Norwegian Sea',"Giant\\'s Head (North Coast)",'Yes','No'),
	array("Giant\\'s Head (Thames Coast)",'Skerry Sound','Yes','No'),
	array("Giant\\'s Head",'Moor','No','Yes'),
);
foreach($bordersRawData as $borderRawRow)
{
	list($from, $to, $fleets, $armies)=$borderRawRow;
}
"""
VARIANT = """<?php
class SkerryVariant extends WDVariant {
	public $name = 'Skerry';
	public $fullName = 'The Skerries';
	public $countries = array('Old Men', 'Giants');
	public $convoyCoasts = array('1');
	public function __construct() {
		parent::__construct();
		$this->variantClasses['drawMap'] = 'Skerry';
		$this->variantClasses['adjudicatorPreGame'] = $this->name;
		MORE
	}
	public function initialize() { parent::initialize(); $this->supplyCenterTarget = 3; }
	public function turnAsDate($turn) {
		return ( $turn % 2 ? "Autumn, " : "Spring, " ).(floor($turn/2) + 1722);
	}
}
"""
START = r"""<?php
class SkerryVariant_adjudicatorPreGame extends adjudicatorPreGame {
	protected $countryUnits = array(
		'Old Men' => array('Skerry {SK}' => 'Army'),
		'Giants' => array('Giant\'s Head (Thames Coast)' => 'Fleet'),
	);
}
"""
CHANGED = "<?php class Skerry_userOrderBuilds extends userOrderBuilds { function check() { return true; } }"


def variant(folder: Path, **changed: str) -> Path:
    """Write the files of a variant; `changed` replaces the text of one, by its name."""
    files = {"install": INSTALL, "variant": VARIANT.replace("MORE", ""), "classes/adjudicatorPreGame": START} | changed
    (folder / "classes").mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.php").write_text(text, encoding="utf-8")
    return folder


def test_a_variant_is_read(tmp_path: Path) -> None:
    found = read_map(variant(tmp_path / "skerry"))
    assert (found.name, found.title, found.first_year, found.victory) == ("skerry", "The Skerries", 1722, 3)
    assert found.powers == ("OLD-MEN", "GIANTS")
    assert list(found.provinces) == ["SK", "GIA", "NWG", "SKE", "MOO"]
    assert found.provinces["GIA"].name == "Giant's Head"
    assert found.fleet == {
        "SK": {"NWG"}, "NWG": {"SK", "GIA/NC"}, "GIA/NC": {"NWG"}, "GIA/SC": {"SKE"}, "SKE": {"GIA/SC"},
    }  # fmt: skip
    assert {code: exits for code, exits in found.army.items() if exits} == {"GIA": {"MOO"}, "MOO": {"GIA"}}
    assert found.start == (("OLD-MEN", "A", "SK"), ("GIANTS", "F", "GIA/SC"))
    assert found.owners == {"SK": "OLD-MEN", "GIA": "GIANTS"}
    assert found.centers == {"SK", "GIA", "MOO"}
    assert found.geometry is not None
    assert found.geometry.units["NWG"] == (40.5, 10)


def test_it_is_played(tmp_path: Path) -> None:
    game = Game.new(read_map(variant(tmp_path / "skerry")))
    game.order("GIANTS", "F Giant's Head - Skerry Sound")
    game.next()
    assert [str(unit) for unit in game.board.units] == ["A SK", "F SKE"]


CLASS = "$this->variantClasses['userOrderBuilds'] = 'Skerry';"


def test_a_class_whose_code_is_not_known_is_refused_by_name(tmp_path: Path) -> None:
    folder = variant(tmp_path / "skerry", variant=VARIANT.replace("MORE", CLASS), **{"classes/userOrderBuilds": CHANGED})
    with pytest.raises(MapError, match=r"userOrderBuilds\.php: userOrderBuilds: satjudge does not know what it changes"):
        read_map(folder)


@pytest.mark.parametrize(
    ("known", "anywhere"),
    [({"rules": {"builds_anywhere": True}}, True), ({"does": "nothing"}, False)],
)
def test_a_class_whose_code_is_known_is_its_rule(
    known: Mapping[str, object], anywhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = php.read(CHANGED.replace("Skerry", "Other")).digest("Other")
    monkeypatch.setattr(webdiplomacy, "_known_code", lambda: {digest: webdiplomacy.KnownCode.of(known)})
    folder = variant(tmp_path / "skerry", variant=VARIANT.replace("MORE", CLASS), **{"classes/userOrderBuilds": CHANGED})
    assert read_map(folder).builds_anywhere is anywhere


def test_what_is_known_of_classes_says_one_thing_each() -> None:
    known = webdiplomacy._known_code()
    assert len(known) > 20
    assert all(not (code.rules and code.lacks) for code in known.values())


@pytest.mark.parametrize(
    ("file", "change", "problem"),
    [
        ("install", ("'Land'", "'Strait'"), r"install\.php:12: a territory of the type 'Strait'"),
        ("install", ("array('Skerry {SK}','N", "array('Skerry','N"), r"install\.php:20: there is no territory 'Skerry'"),
        ("install", ("$territoryRawData=array(", "$territoryRawData=rows("), r"no table \$territoryRawData of literals"),
        ("install", ("<?php", ""), r"there is no `<\?php` in it"),
        ("install", ("$name, $type", "$title, $type"), r"the columns of \$territoryRawRow"),
        ("variant", ("+ 1722", "* 5 + 1722"), "turnAsDate: satjudge has no years but those that count up by one"),
        ("variant", ("public $countries", "public $lands"), "it names no countries"),
        ("variant", ("public function initialize", "public function countryID"), r"countryID: satjudge does not know"),
        ("install", ("$bordersRawData", '$DB->sql_put("UPDATE"); $bordersRawData'), "sql_put: the tables are changed"),
        ("variant", ("extends WDVariant", "extends ClassicVariant"), "the variant takes rules of Classic"),
        ("classes/adjudicatorPreGame", ("'Army'", "'Wing'"), "Wing 'Skerry {SK}' is no unit in a territory"),
        ("classes/adjudicatorPreGame", ("protected $countryUnits", "function draw() {} public $x"), "begins no game by builds"),
        ("classes/adjudicatorPreGame", ("protected $", "function draw() {} protected $"), r"rules of its own \(draw\)"),
    ],
)  # fmt: skip
def test_what_satjudge_cannot_play_is_refused_with_its_place(
    file: str, change: tuple[str, str], problem: str, tmp_path: Path
) -> None:
    texts = {"install": INSTALL, "variant": VARIANT.replace("MORE", ""), "classes/adjudicatorPreGame": START}
    assert change[0] in texts[file]
    with pytest.raises(MapError, match=problem):
        read_map(variant(tmp_path / "skerry", **{file: texts[file].replace(*change)}))


def test_nothing_but_literals_is_read() -> None:
    source = php.read(
        "<?php $a = 1; $b = f(2); $c = $a . 'x'; $d = [1, 'k' => -2.5, TRUE]; $e = \"$a\"; $o->p['q'] = 'it\\'s';"
    )
    found = source.assigned()
    assert set(found) == {"a", "d", "o->p[q]"}
    assert found["o->p[q]"] == "it's"
    assert isinstance(found["d"], php.Array)
    assert found["d"].entries == [(0, 1), ("k", -2.5), (1, True)]


@pytest.mark.parametrize(
    "text", ["<?php $a = " + "array(" * 5000, "<?php $a = array(1,", "<?php $a", "<?php 'open", "<?php $a = -"]
)
def test_broken_source_is_no_internal_error(text: str) -> None:
    assert php.read(f"<?php {text}").assigned() == {}


def test_colours_are_those_of_the_map_that_is_drawn(tmp_path: Path) -> None:
    drawn = "<?php class Skerry_drawMap { protected $countryColors = array(0 => array(9, 9, 9), 1 => array(226, 198, 8)); }"
    found = read_map(variant(tmp_path / "skerry", **{"classes/drawMap": drawn}))
    assert found.colours == {"OLD-MEN": "#e2c608"}


def test_all_maps_of_a_folder_are_converted_or_said_to_lack_something(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    variant(tmp_path / "variants" / "Skerry")
    variant(tmp_path / "variants" / "Strait", install=INSTALL.replace("'Land'", "'Strait'"))
    (tmp_path / "variants" / "notes.txt").write_text("no map")
    assert run(["maps", "convert", str(tmp_path / "variants"), "-o", str(tmp_path / "read")]) == 1
    said = capsys.readouterr().out
    assert "Skerry: skerry.toml" in said
    assert "Strait: " in said
    assert "a territory of the type 'Strait'" in said
    assert "1 of 2 maps were converted" in said
    assert read_map(tmp_path / "read" / "skerry.toml").powers == ("OLD-MEN", "GIANTS")
