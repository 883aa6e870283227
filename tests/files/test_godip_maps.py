"""Variants of godip: what a Go file writes out as literals is read; rules that satjudge does not have are refused by name."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import MapError
from satjudge.base.resources import data_file, read_toml
from satjudge.files.maps import godip, read_map, read_tables
from satjudge.files.maps.checks import list_faults
from satjudge.game.game import Game
from satjudge.world.geography import Lead, Neutral, Years, load_map, map_from, shipped_tables
from satjudge.world.map_tables import complete

VARIANT = """package skerry

import (
	"github.com/zond/godip"
)

const (
	OldMen godip.Nation = "Old Men"
	Giants godip.Nation = "Giants"
)

var Nations = []godip.Nation{OldMen, Giants}

var SkerryVariant = common.Variant{
	Name:   "Skerry Isles",
	Graph:  func() godip.Graph { return SkerryGraph() },
	Phase:  classical.NewPhase,
	Parser: classical.Parser,
	Nations:           Nations,
	PhaseTypes:        classical.PhaseTypes,
	Seasons:           classical.Seasons,
	UnitTypes:         classical.UnitTypes,
	SoloWinner:        common.SCCountWinner(3),
}

func SkerryBlank(phase godip.Phase) *state.State {
	return state.New(SkerryGraph(), phase, classical.BackupRule, nil, nil)
}

func SkerryStart() (result *state.State, err error) {
	startPhase := classical.NewPhase(1722, godip.Spring, godip.Movement)
	result = SkerryBlank(startPhase)
	if err = result.SetUnits(Units()); err != nil {
		return
	}
	result.SetSupplyCenters(map[godip.Province]godip.Nation{
		"ske": OldMen, // the isle itself
		"hea": Giants,
	})
	return
}

func Units() map[godip.Province]godip.Unit {
	return map[godip.Province]godip.Unit{
		"ske": godip.Unit{godip.Army, OldMen},
		"hea/river": godip.Unit{godip.Fleet, Giants},
	}
}

func SkerryGraph() *graph.Graph {
	return graph.New().
		Prov("ske").Conn("sou", godip.Sea).Conn("isl", godip.Coast...).Flag(godip.Coast...).SC(OldMen).
		Prov("isl").Conn("ske", godip.Coast...).Conn("sou", godip.Sea).Flag(godip.Archipelago...).
		Prov("hea").Conn("moo", godip.Land).Flag(godip.Land).SC(Giants).
		Prov("hea/nc").Conn("sou", godip.Sea).Flag(godip.Sea).
		Prov("hea/river").Conn("lak", godip.Sea).Flag(godip.Sea).
		Prov("sou").Conn("ske", godip.Sea).Conn("isl", godip.Sea).Conn("hea/nc", godip.Sea).Flag(godip.Sea).
		Prov("lak").Conn("hea/river", godip.Sea).Flag(godip.Sea).
		Prov("moo").Conn("hea", godip.Land).Flag(godip.Land).SC(godip.Neutral).
		Done()
}

var provinceLongNames = map[godip.Province]string{
	"ske": "The Skerry",
	"sou": "Skerry Sound",
}
"""


def variant(folder: Path, *changed: tuple[str, str]) -> Path:
    """Write the file of a variant, with texts put in place of others."""
    text = VARIANT
    for old, new in changed:
        assert old in text
        text = text.replace(old, new)
    (folder / "skerry.go").write_text(text, encoding="utf-8")
    return folder / "skerry.go"


def test_a_variant_is_read(tmp_path: Path) -> None:
    found = read_map(variant(tmp_path))
    assert (found.name, found.title, found.first_year, found.victory) == ("skerry-isles", "Skerry Isles", 1722, 3)
    assert found.powers == ("OLD-MEN", "GIANTS")
    assert {code: province.name for code, province in found.provinces.items()} == {
        "SKE": "The Skerry", "ISL": "ISL", "HEA": "HEA", "SOU": "Skerry Sound", "LAK": "LAK", "MOO": "MOO",
    }  # fmt: skip
    assert found.fleet == {
        "SKE": {"SOU", "ISL"}, "ISL": {"SKE", "SOU"}, "HEA/NC": {"SOU"}, "HEA/SC": {"LAK"}, "SOU": {"SKE", "ISL", "HEA/NC"},
        "LAK": {"HEA/SC"},
    }  # fmt: skip
    assert {code: exits for code, exits in found.army.items() if exits} == {
        "SKE": {"ISL"}, "ISL": {"SKE"}, "HEA": {"MOO"}, "MOO": {"HEA"},
    }  # fmt: skip
    assert found.provinces["ISL"].convoys
    assert found.start == (("OLD-MEN", "A", "SKE"), ("GIANTS", "F", "HEA/SC"))
    assert found.owners == {"SKE": "OLD-MEN", "HEA": "GIANTS"}
    assert set(found.centers) == {"SKE", "HEA", "MOO"}


def test_it_is_played(tmp_path: Path) -> None:
    game = Game.new(read_map(variant(tmp_path)))
    game.order("OLD-MEN", "A SKE - ISL")
    game.next()
    assert [str(unit) for unit in game.board.units] == ["A ISL", "F HEA/SC"]


def test_builds_anywhere_are_the_rule_of_the_map(tmp_path: Path) -> None:
    phase = (
        ("Phase:  classical.NewPhase", "Phase:  newPhase"),
        ("var Nations", "var newPhase = phase.Generator(P, classical.AdjustSCs)\nvar Nations"),
    )
    found = read_map(variant(tmp_path, *phase, ("classical.Parser", "hundred.BuildAnywhereParser")))
    assert found.builds_anywhere


def test_no_fleet_goes_to_where_no_sea_is(tmp_path: Path) -> None:
    """A border says so in Unconstitutional, and godip refuses the move: its province is land."""
    found = read_map(variant(tmp_path, ('Prov("isl").Conn("ske"', 'Prov("isl").Conn("moo", godip.Coast...).Conn("ske"')))
    assert found.fleet["ISL"] == {"SKE", "SOU"}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Parser: classical.Parser", "Parser: Wings", "Parser: satjudge does not support the orders of Wings"),
        ("classical.Seasons", "[]godip.Season{Year}", r"Seasons: \[\]godip\.Season\{Year\}: satjudge has no such rule"),
        ("common.SCCountWinner(3)", "Lead", "SoloWinner: Lead: satjudge does not support this way to win"),
        ("classical.NewPhase,", "Phase,", "Phase: Phase: satjudge does not support its rules"),
        ("nil, nil)", "nil, NeutralOrders)", "NeutralOrders: satjudge does not support neutral units"),
        ("func SkerryBlank", "func (p *own) PreProcess(s godip.State) {}\n\nfunc SkerryBlank", "begins under special rules"),
        ("nil, nil)", "nil)", "does not create its board with `state.New`"),
        ("godip.Army, OldMen", "godip.Wing, OldMen", "only armies and fleets, not Wing"),
        ("{OldMen, Giants}", "{OldMen}", "Giants is not one of the nations that are played"),
        ("var Nations = []godip.Nation{OldMen, Giants}", "", "the file does not list the nations"),
        ("classical.UnitTypes", "[]godip.UnitType{godip.Army}", "satjudge does not support seas without fleets"),
        (
            "1722, godip.Spring",
            "1722, godip.Fall",
            "satjudge supports only games that begin with the moves of a Spring or with builds",
        ),
        ("classical.Seasons", "[]godip.Season{YearSeason}", "only games that begin with the moves of a Spring"),
        ('Conn("lak"', 'Conn("sea"', "borders on SEA, which is not a province"),
        ("Flag(godip.Archipelago...)", "Flag(godip.Bridge)", "ISL: godip.Bridge: satjudge supports only land, sea and coasts"),
        ('"hea": Giants', '"big": Giants', "there is no province BIG"),
    ],
)
def test_what_satjudge_cannot_play_is_refused_by_name(old: str, new: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(MapError, match=problem):
        read_map(variant(tmp_path, (old, new)))


@pytest.mark.parametrize(
    "known", read_toml(data_file("models", "godip.toml"), MapError)["variant"], ids=lambda one: one["map"]["name"]
)
def test_variants_of_the_classical_board_are_amendments_of_the_standard_map(known: dict[str, Any]) -> None:
    found = map_from(complete(known["map"], shipped_tables))
    assert (list_faults(found), found.army, found.fleet) == ([], load_map().army, load_map().fleet)
    assert {power for power, _, _ in found.start} == set(found.powers) == set(found.owners.values())


def test_a_variant_that_is_known_by_its_text_is_what_its_amendment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = variant(tmp_path)
    digest = sha256("".join(VARIANT.replace("// the isle itself", "").split()).encode()).hexdigest()
    known = {"based_on": "standard", "name": "skerry", "province": {"ROM": {"unit": "F"}}}
    monkeypatch.setattr(godip, "_load_known_variants", lambda: {digest: known})
    assert ("ITALY", "F", "ROM") in read_map(path).start
    assert read_map(variant(tmp_path, ("SCCountWinner(3)", "SCCountWinner(4)"))).name == "skerry-isles"


PICTURE = """\
<svg viewBox="0 0 90 60" xmlns="http://www.w3.org/2000/svg">
  <g transform="translate(10, 20)">
    <path id="skeCenter" d="m 1,2 c 3,4 5,6 7,8"/><path id="hea/riverCenter" d="M 30.04 31 h 4"/>
    <path id="atlantisCenter" d="m 1,2"/><path id="islCenter" transform="rotate(9)" d="m 1,2"/>
  </g>
  <g id="provinces"><path id="ske" d="m 0,0 h 9 v 9 z"/><polygon id="hea" points="20,20 30,20 30,30"/></g>
</svg>
"""
NAMED = (
    "\tNations:           Nations,",
    '\tNations: Nations,\n\tNationColors: map[godip.Nation]string{\n\t\tOldMen: "#A0b1C2",\n\t\tGiants: "#f00",\n\t},\n'
    '\tSVGMap: func() ([]byte, error) {\n\t\treturn Asset("svg/skerrymap.svg")\n\t},',
)


def test_places_areas_and_colours_are_those_of_the_picture(tmp_path: Path) -> None:
    path = variant(tmp_path, NAMED)
    (tmp_path / "svg").mkdir()
    (tmp_path / "svg" / "skerrymap.svg").write_text(PICTURE, encoding="utf-8")
    found = read_map(path)
    assert found.colours == {"OLD-MEN": "#a0b1c2", "GIANTS": "#ff0000"}
    assert found.geometry is not None
    assert (found.geometry.size, found.geometry.units) == ((90, 60), {"SKE": (11, 22), "HEA/SC": (40, 51)})
    assert {code: rings[0] for code, rings in found.geometry.outlines.items()} == {
        "SKE": ((0, 0), (9, 0), (9, 9)), "HEA": ((20, 20), (30, 20), (30, 30)),
    }  # fmt: skip


def test_a_variant_may_name_the_picture_of_another_one(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "classical" / "svg").mkdir(parents=True)
    (tmp_path / "classical" / "svg" / "skerrymap.svg").write_text(PICTURE, encoding="utf-8")
    named = (NAMED[0], NAMED[1].replace("Asset(", "classical.Asset("))
    geometry = read_map(variant(tmp_path / "own", named)).geometry
    assert geometry is not None
    assert geometry.units["SKE"] == (11, 22)


@pytest.mark.parametrize("drawn", ["<svg", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>"])
def test_a_picture_that_cannot_be_read_is_told(drawn: str, tmp_path: Path) -> None:
    path = variant(tmp_path, NAMED)
    assert read_map(path).geometry is None  # no picture, and nothing to tell
    (tmp_path / "svg").mkdir()
    (tmp_path / "svg" / "skerrymap.svg").write_text(drawn, encoding="utf-8")
    (lack,) = read_tables(path)["lacks"]
    assert lack.startswith("a picture that can be read: ")


def test_a_picture_without_anything_of_the_map_is_none(tmp_path: Path) -> None:
    path = variant(tmp_path, NAMED)
    (tmp_path / "svg").mkdir()
    (tmp_path / "svg" / "skerrymap.svg").write_text(
        "<svg viewBox='0 0 9 9'><path id='xCenter' d='m 1,2'/></svg>", encoding="utf-8"
    )
    assert read_map(path).geometry is None


NEUTRAL = """\
	for _, sc := range SkerryGraph().SCs(godip.Neutral) {
		if err = result.SetUnit(godip.Province(sc), godip.Unit{
			Type:   godip.Army,
			Nation: godip.Neutral,
		}); err != nil {
			return
		}
	}
	return
}

func Units()"""
ORDERS = """
func NeutralOrders(state state.State) (ret map[godip.Province]godip.Adjudicator) {
	ret[prov] = orders.Hold(prov)
	ret[prov] = orders.BuildAnywhere(prov, godip.Army, time.Now())
}

func SkerryBlank"""
PRE_PROCESS = """
func (self *skerryPhase) PreProcess(s godip.State) (err error) {
	if self.Type() == godip.Adjustment && self.Year() == 1721 {
		ords[prov] = orders.BuildAnywhere(prov, godip.Army, time.Now())
	}
}

func SkerryBlank"""
TURNS = """
var newPhase = phase.Generator(Parser, func(phase *phase.Phase) bool {
	return phase.Ty == godip.Retreat && phase.Yr%10 == 0
})

func (self *own) Next() godip.Phase {
		if self.Year()%10 == 5 {
			return Phase(self.Year()+5, YearSeason, godip.Movement)
		}
	return Phase(self.Year()+5, YearSeason, godip.Movement)
}
"""
WINNER = """
func Lead(s *state.State) godip.Nation {
	if highestSCCount >= 49 {
		return leader
	}
	if highestSCCount-secondHighestSCCount > 1740-s.Phase().Year() {
		return leader
	}
}

func SkerryBlank"""


def test_neutral_armies_stand_in_centres_that_nobody_owns(tmp_path: Path) -> None:
    """As in WesternWorld901, where they come back, and Unconstitutional, where they do not."""
    standing = ("\treturn\n}\n\nfunc Units()", NEUTRAL)
    found = read_map(variant(tmp_path, standing))
    assert found.neutral == Neutral("NEUTRAL")
    assert ("NEUTRAL", "A", "MOO") in found.start
    assert found.players == ("OLD-MEN", "GIANTS")
    again = read_map(variant(tmp_path, standing, ("func SkerryBlank", ORDERS), ("nil, nil)", "nil, NeutralOrders)")))
    assert again.neutral == Neutral("NEUTRAL", rebuilds=True)
    assert again.owners["MOO"] == "NEUTRAL"
    listed = read_map(variant(tmp_path, ("godip.Army, OldMen", "godip.Army, godip.Neutral")))
    assert listed.start[0] == ("NEUTRAL", "A", "SKE")


def test_a_game_may_begin_with_builds_in_a_year_0_and_end_by_a_lead(tmp_path: Path) -> None:
    """As Chaos, NorthSeaWars and TwentyTwenty do."""
    builds = variant(tmp_path, ("1722, godip.Spring, godip.Movement", "1721, godip.Fall, godip.Adjustment"))
    assert read_map(builds).first_year == 1722
    told = read_map(variant(tmp_path, ("func SkerryBlank", PRE_PROCESS)))
    assert told.tables is not None
    assert told.tables["lacks"] == ["godip's armies where nobody orders the first builds: here, none are built"]
    zero = read_map(variant(tmp_path, ("1722, godip.Spring", "0, godip.Spring")))
    assert (zero.first_year, zero.years) == (1, Years(0))
    won = read_map(variant(tmp_path, ("common.SCCountWinner(3)", "Lead"), ("func SkerryBlank", WINNER)))
    assert (won.victory, won.victory_lead) == (49, Lead(19, 1))


def test_years_with_one_turn_each_are_read_from_the_file_of_phases(tmp_path: Path) -> None:
    """As those of Hundred."""
    (tmp_path / "skerryphase.go").write_text(TURNS, encoding="utf-8")
    changed = (
        ("classical.Seasons", "[]godip.Season{YearSeason}"),
        ("classical.NewPhase,", "Phase,"),
        ("classical.NewPhase(1722, godip.Spring", "Phase(1725, YearSeason"),
    )
    assert read_map(variant(tmp_path, *changed)).years == Years(1725, 10, 5)


def test_homes_are_owned_where_no_centres_are_listed(tmp_path: Path) -> None:
    path = variant(
        tmp_path, ("result.SetSupplyCenters(map[godip.Province]godip.Nation{", "result.SetSupplyCenters(scMap)\n\tfor {")
    )
    assert read_map(path).owners == {"SKE": "OLD-MEN", "HEA": "GIANTS"}


def test_a_map_without_seas_needs_no_fleets_and_no_convoys(tmp_path: Path) -> None:
    """As that of Pure, whose nations are those of the standard game."""
    text = """package pure
import "github.com/zond/godip"
var pureParser = orders.NewParser([]godip.Order{
	orders.BuildOrder, orders.DisbandOrder, orders.HoldOrder, orders.MoveOrder, orders.SupportOrder,
})
var V = common.Variant{
	Name: "Hills",
	Phase: phase.Generator(pureParser, classical.AdjustSCs),
	Parser: pureParser,
	Nations: classical.Nations,
	PhaseTypes: classical.PhaseTypes,
	Seasons: classical.Seasons,
	UnitTypes: []godip.UnitType{godip.Army},
	SoloWinner: common.SCCountWinner(4),
}
func Start() { classical.NewPhase(1901, godip.Spring, godip.Movement); state.New(G(), phase, classical.BackupRule, nil, nil) }
func G() { return graph.New().Prov("ber").Conn("lon", godip.Land).Flag(godip.Land).SC(godip.Germany).
	Prov("lon").Conn("ber", godip.Land).Flag(godip.Land).SC(godip.England).Done() }
"""
    (tmp_path / "hills.go").write_text(text, encoding="utf-8")
    found = read_map(tmp_path / "hills.go")
    assert (found.victory, len(found.powers)) == (4, 7)
    assert found.army == {"BER": {"LON"}, "LON": {"BER"}}
    assert {code: province.home for code, province in found.provinces.items()} == {"BER": "GERMANY", "LON": "ENGLAND"}
    fewer = tmp_path / "fewer.go"
    fewer.write_text(text.replace("orders.SupportOrder,", ""), encoding="utf-8")
    with pytest.raises(MapError, match="Parser: satjudge does not support the orders of pureParser"):
        read_map(fewer)
