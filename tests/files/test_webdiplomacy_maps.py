"""Variants of webDiplomacy: tables of PHP are read; code that changes rules is known by its digest or refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import MapError
from satjudge.files.maps import php, read_map, read_tables, webdiplomacy_code
from satjudge.files.maps.place_names import assign_codes
from satjudge.game.game import Game
from satjudge.world.geography import Map, Neutral

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
    monkeypatch.setattr(webdiplomacy_code, "load_known_code", lambda: {digest: webdiplomacy_code.KnownCode.from_entry(known)})
    folder = variant(tmp_path / "skerry", variant=VARIANT.replace("MORE", CLASS), **{"classes/userOrderBuilds": CHANGED})
    assert read_map(folder).builds_anywhere is anywhere


def test_what_is_known_of_classes_says_one_thing_each() -> None:
    known = webdiplomacy_code.load_known_code()
    assert len(known) > 20
    assert all(not (code.rules and code.lacks) for code in known.values())


@pytest.mark.parametrize(
    ("file", "change", "problem"),
    [
        ("install", ("'Land'", "'Strait'"), r"install\.php:12: a territory of the type 'Strait'"),
        ("install", ("array('Skerry {SK}','N", "array('Skerry','N"), r"install\.php:20: there is no territory 'Skerry'"),
        ("install", ("$territoryRawData=array(", "$territoryRawData=rows("), r"no table \$territoryRawData of literals"),
        ("install", ("<?php", ""), r"the file contains no `<\?php`"),
        ("install", ("$name, $type", "$title, $type"), r"the columns of \$territoryRawRow"),
        ("variant", ("+ 1722", "- 5 + 1722"), "turnAsDate: satjudge does not support these years"),
        ("variant", ("public $countries", "public $lands"), "the file names no countries"),
        ("variant", ("public function initialize", "public function countryID"), r"countryID: satjudge does not know"),
        ("install", ("$bordersRawData", '$DB->sql_put("UPDATE"); $bordersRawData'), "sql_put: it changes the tables after"),
        ("variant", ("extends WDVariant", "extends ClassicVariant"), "the variant uses rules of Classic"),
        ("classes/adjudicatorPreGame", ("'Army'", "'Wing'"), "Wing 'Skerry {SK}' is not a unit in a territory"),
        ("classes/adjudicatorPreGame", ("protected $countryUnits", "public $x"), "there are no units at the start"),
        ("classes/adjudicatorPreGame", ("protected $", "function f() {} protected $"), "PreGame: satjudge does not know what"),
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
    found = source.find_literals()
    assert set(found) == {"a", "d", "o->p[q]"}
    assert found["o->p[q]"] == "it's"
    assert isinstance(found["d"], php.Array)
    assert found["d"].entries == [(0, 1), ("k", -2.5), (1, True)]


@pytest.mark.parametrize(
    "text", ["<?php $a = " + "array(" * 5000, "<?php $a = array(1,", "<?php $a", "<?php 'open", "<?php $a = -"]
)
def test_broken_source_is_no_internal_error(text: str) -> None:
    assert php.read(f"<?php {text}").find_literals() == {}


def test_borders_that_the_installer_takes_away_in_one_direction_lead_back_only(tmp_path: Path) -> None:
    """As those of the trade in NorthSeaWars, to which fleets come from one sea, and which none leaves for it."""
    dropped = (
        "$DB->sql_put('DELETE FROM wD_Borders  WHERE mapID='.$this->mapID.' AND fromTerrID=5 AND toTerrID=1');"
        "$DB->sql_put('DELETE FROM wD_CoastalBorders WHERE mapID='.$this->mapID.' AND toTerrID=7');"
    )
    found = read_map(variant(tmp_path / "skerry", install=f"{INSTALL}{dropped}"))
    fleets, armies = ("SK", "NWG"), ("MOO", "GIA")
    assert [set(found.fleet[place]) for place in fleets] == [{"NWG"}, {"GIA/NC"}]
    assert [set(found.army[code]) for code in armies] == [{"GIA"}, set()]


def test_a_territory_on_land_with_coasts_is_one_on_the_coast(tmp_path: Path) -> None:
    """As Iowa of Empire1on1 is, which lies on two rivers."""
    head = next(row for row in INSTALL.splitlines() if "'Coast', 'Yes', 2" in row)
    found = read_map(variant(tmp_path / "skerry", install=INSTALL.replace(head, head.replace("'Coast'", "'Land'"))))
    assert found.provinces["GIA"].terrain == "coast"


def test_land_to_which_fleets_go_is_a_coast_and_told(tmp_path: Path) -> None:
    """As the high country of MateAgainstMate, which a river leads to."""
    rows = INSTALL.replace("'Moor','No','Yes'", "'Moor','Yes','Yes'").replace(
        "\"Giant\\\\'s Head\",'Moor'", "'Skerry {SK}','Moor'"
    )
    assert rows != INSTALL
    found = read_map(variant(tmp_path / "skerry", install=rows))
    assert str(found.provinces["MOO"].terrain) == "coast"
    assert found.fleet["MOO"] == frozenset({"SK"})
    (told,) = read_tables(tmp_path / "skerry")["lacks"]
    assert told == "land open to fleets, but not to builds of fleets or to convoys: Moor are coasts here"


def test_a_border_by_which_armies_go_to_sea_is_for_fleets_alone_and_told(tmp_path: Path) -> None:
    """As that of Toledo with the Straits of Gibraltar in Imperial2."""
    rows = INSTALL.replace("'Norwegian Sea','Yes','No'", "'Norwegian Sea','Yes','Yes'")
    assert rows != INSTALL
    found = read_map(variant(tmp_path / "skerry", install=rows))
    assert ("NWG" in found.fleet["SK"], "NWG" in found.army.get("SK", ())) == (True, False)
    (told,) = read_tables(tmp_path / "skerry")["lacks"]
    assert told == "a border by which armies go to sea, which is impossible here: Skerry - Norwegian Sea"


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
    assert "converted 1 of 2 maps" in said
    assert read_map(tmp_path / "read" / "skerry.toml").powers == ("OLD-MEN", "GIANTS")


def with_classes(
    folder: Path, known: Mapping[str, Mapping[str, object]], monkeypatch: pytest.MonkeyPatch, more: str = "", **files: str
) -> Map:
    """Read a variant with classes of which the table knows what they do; `more` are properties of the variant."""
    texts = {name: f"<?php class Skerry_{name} extends {name} {{ function does() {{ }} }}" for name in known}
    digests = {name: php.read(text).digest("Skerry") for name, text in texts.items()}
    table = {digests[name]: webdiplomacy_code.KnownCode.from_entry(entry) for name, entry in known.items()}
    monkeypatch.setattr(webdiplomacy_code, "load_known_code", lambda: table)
    taken = "".join(f"$this->variantClasses['{name}'] = 'Skerry';" for name in known)
    text = VARIANT.replace("MORE", taken).replace("public $convoyCoasts", f"{more} public $convoyCoasts")
    return read_map(variant(folder, variant=text, **{f"classes/{name}": text for name, text in texts.items()}, **files))


def test_rules_name_territories_and_countries_by_number_or_by_a_property(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[str, dict[str, object]] = {
        "userOrderBuilds": {"rules": {"builders": "eternal"}},
        "processMembers": {"rules": {"victories": [[2, 3]], "victory_needs": [7]}},
        "processGame": {"rules": {"owns": [[7, 1], [1, 0]], "no_retreats": True}},
    }
    found = with_classes(tmp_path / "skerry", known, monkeypatch, """public $eternal = '"7", "4"';""")
    assert found.builders == {"MOO": ("OLD-MEN", "GIANTS"), "GIA": ("OLD-MEN", "GIANTS")}
    assert (found.victories, found.victory_needs, found.no_retreats) == ({"GIANTS": 3}, ("MOO",), True)
    assert found.owners == {"MOO": "OLD-MEN", "GIA": "GIANTS"}


def test_a_territory_may_stand_for_the_centre_of_a_sea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the oil fields of MateAgainstMate: webDiplomacy has no centres at sea."""
    known = {"processGame": {"rules": {"sea_centers": [[7, 6]]}}}
    alone = re.sub(r"\n.*'Moor','No','Yes'\),?", "", INSTALL)
    assert alone != INSTALL
    found = with_classes(tmp_path / "skerry", known, monkeypatch, install=alone)
    assert "MOO" not in found.provinces
    assert found.centers == frozenset({"SK", "GIA", "SKE"})
    assert found.geometry is not None
    assert found.geometry.centers == {"SKE": (60, 30)}


def test_a_country_may_build_elsewhere_and_neutral_units_stand_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = {"builds_instead": [[1, 2]], "neutral_starts": [[7, "A"]]}
    monkeypatch.setattr("test_webdiplomacy_maps.VARIANT", VARIANT.replace("public function initialize", NEUTRAL))
    found = with_classes(tmp_path / "skerry", {"userOrderBuilds": {"rules": rules}}, monkeypatch)
    assert found.alternatives == {"SK": ("GIANTS",)}
    assert ("SEALS", "A", "MOO") in found.start


def test_what_changes_nothing_in_how_orders_are_judged_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fog of war is what players see; and who wins may hang on single centres."""
    known: dict[str, dict[str, object]] = {
        "userOrderDiplomacy": {"tells": "units are hidden"},
        "adjudicatorDiplomacy": {"tells": "units are hidden"},
        "processMembers": {"rules": {"power_needs": [[1, [1], [4, 7]]]}},
    }
    found = with_classes(tmp_path / "skerry", known, monkeypatch)
    assert found.power_needs == {"OLD-MEN": (("SK",), ("GIA", "MOO"))}
    assert read_tables(tmp_path / "skerry")["lacks"] == ["units are hidden"]


def test_classes_that_a_constructor_switches_on_are_known_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = VARIANT.replace("MORE", "$this->rules[RULE_BUILD] = true; $this->variantClasses['userOrderBuilds'] = self::$other;")
    folder = variant(tmp_path / "skerry", variant=text)
    with pytest.raises(MapError, match="its file is missing"):
        read_map(folder)
    digest = webdiplomacy_code.digest_words(php.read(text).find_method("__construct"))
    known = {"rules": {"builds_anywhere": True}, "covers": ["userOrderBuilds"]}
    monkeypatch.setattr(webdiplomacy_code, "load_known_code", lambda: {digest: webdiplomacy_code.KnownCode.from_entry(known)})
    assert read_map(folder).builds_anywhere


def test_territories_in_which_single_countries_build_are_listed_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"userOrderBuilds": {"rules": {"builders": "also"}}}
    found = with_classes(tmp_path / "skerry", known, monkeypatch, "public static $also = array('Giants' => array('Moor'));")
    assert found.builders == {"MOO": ("GIANTS",)}


def test_a_game_that_begins_with_builds_has_no_units_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(with_classes(tmp_path / "skerry", {"processGame": {"rules": {"begins_with_builds": True}}}, monkeypatch))
    assert game.phase_name == "W1721A"
    assert game.orderable == {"OLD-MEN": ["SK"], "GIANTS": ["GIA"]}


NEUTRAL = """public function countryID($countryName) {
    if ($countryName == 'Seals') return count($this->countries)+1;
    return parent::countryID($countryName);
}
public function initialize"""


def test_the_country_behind_the_others_is_nobodys(tmp_path: Path) -> None:
    text = VARIANT.replace("MORE", "").replace("public function initialize", NEUTRAL)
    start = START.replace("'Giants' =>", "'Seals' => array('Moor' => 'Army'), 'Giants' =>")
    rows = INSTALL.replace("'Moor', 'Land', 'Yes', 0", "'Moor', 'Land', 'Yes', 3")
    folder = variant(tmp_path / "skerry", variant=text, install=rows, **{"classes/adjudicatorPreGame": start})
    found = read_map(folder)
    assert found.neutral == Neutral("SEALS")
    assert found.players == ("OLD-MEN", "GIANTS")
    assert ("SEALS", "A", "MOO") in found.start
    assert (found.owners["MOO"], found.provinces["MOO"].home) == ("SEALS", None)


def test_another_function_of_that_name_is_refused(tmp_path: Path) -> None:
    text = VARIANT.replace("MORE", "").replace("public function initialize", NEUTRAL.replace("+1", "+2"))
    with pytest.raises(MapError, match=r"variant\.php: countryID: satjudge does not know what it changes"):
        read_map(variant(tmp_path / "skerry", variant=text))


@pytest.mark.parametrize(
    ("written", "called"),
    [
        ("(-1*(floor($turn/2) - 480)).' BC'", ("480 BC", "479 BC")),
        ("(100-floor($turn/2)).'BC'", ("100 BC", "99 BC")),
        ("round( ( $turn * 5 ) + 1425 )", ("1425", "1435")),
        ("(floor($turn/2) * 5 + 1450)", ("1450", "1455")),
        ("(floor($turn/2))", ("0", "1")),
    ],
)
def test_years_need_not_count_up_by_one(written: str, called: tuple[str, str], tmp_path: Path) -> None:
    text = VARIANT.replace("MORE", "").replace("(floor($turn/2) + 1722)", written)
    assert written in text
    found = read_map(variant(tmp_path / "skerry", variant=text))
    assert (found.year_called(1), found.year_called(2)) == called


def test_a_variant_is_read_with_the_one_that_it_extends(tmp_path: Path) -> None:
    variant(tmp_path / "Skerry")
    child = """<?php
    class ReefVariant extends SkerryVariant {
        public $name = 'Reef'; public $fullName = 'The Reef';
        public function __construct() { parent::__construct(); $this->variantClasses['adjudicatorPreGame'] = 'Reef'; }
    }"""
    start = START.replace("'Fleet'", "'Army'").replace(" (Thames Coast)", "").replace("SkerryVariant_", "ReefVariant_", 1)
    install = "<?php require_once('variants/Skerry/install.php'); ?>"
    reef = variant(tmp_path / "Reef", variant=child, install=install, **{"classes/adjudicatorPreGame": start})
    found = read_map(reef)
    assert (found.name, found.title, found.first_year, found.victory) == ("reef", "The Reef", 1722, 3)
    assert found.start == (("OLD-MEN", "A", "SK"), ("GIANTS", "A", "GIA"))
    alone = variant(tmp_path / "alone" / "Reef", variant=child, install=install)
    with pytest.raises(MapError, match="the variant uses rules of Skerry") as refused:
        read_map(alone)
    assert "put the folder Skerry next to this one" in str(refused.value)


def test_a_class_that_extends_another_variants_must_be_known_with_that(tmp_path: Path) -> None:
    beside = "<?php class Reef_userOrderBuilds extends userOrderBuilds { function check() { return true; } }"
    variant(tmp_path / "Reef", **{"classes/userOrderBuilds": beside})
    own = "<?php class SkerryVariant_userOrderBuilds extends ReefVariant_userOrderBuilds { }"
    folder = variant(tmp_path / "Skerry", variant=VARIANT.replace("MORE", CLASS), **{"classes/userOrderBuilds": own})
    with pytest.raises(MapError, match=r"userOrderBuilds: satjudge does not know what it changes"):
        read_map(folder)


def test_everything_that_is_not_known_is_named_at_once(tmp_path: Path) -> None:
    taken = CLASS + "$this->variantClasses['processGame'] = 'Skerry';"
    code = {"classes/userOrderBuilds": CHANGED, "classes/processGame": CHANGED.replace("userOrderBuilds", "processGame")}
    with pytest.raises(MapError, match=r"userOrderBuilds: satjudge does not know .*; processGame: satjudge does not know"):
        read_map(variant(tmp_path / "skerry", variant=VARIANT.replace("MORE", taken), **code))


def test_units_at_the_start_are_no_part_of_a_digest() -> None:
    text = "<?php class A { public $countryUnits = array('p' => array('x' => 'Army')); function f() { } }"
    one, other = text, text.replace("'p'", "'q'")
    assert php.read(one).digest("A") == php.read(other).digest("A") != php.read(other.replace("f()", "g()")).digest("A")


def test_no_code_is_another_territorys_name() -> None:
    codes = assign_codes(["Java {JVA}", "Java Sea {JAVA}", "Gascony", "Gas", "Ga", "Gat"])
    assert codes == {"Java {JVA}": "JVA", "Java Sea {JAVA}": "JSJ", "Gascony": "GAC", "Gas": "GAS", "Ga": "GA", "Gat": "GAT"}
