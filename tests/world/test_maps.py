"""The maps that come with satjudge besides the standard one, and how one map amends another (satjudge/world/map_tables.py)."""

from __future__ import annotations

import pytest

from satjudge.base.errors import InputError
from satjudge.judging.judge import judge_phase
from satjudge.world.board import Board, Phase, Unit, starting_board
from satjudge.world.geography import Map, Railroad, Terrain, UnitKind, load_map, map_from
from satjudge.world.rules import load_preset

EDITED = [
    "standard-9-denmark",
    "standard-9-sweden",
    "standard-9-both",
    "loeb9-10d",
    "loeb9-10f",
    "loeb9-10g",
    "standard-cape",
    "standard-neutral",
    "standard-transform",
]


@pytest.mark.parametrize(
    ("name", "spaces", "centers", "powers", "units", "owned"),
    [
        ("standard", 75, 34, 7, 22, 22),
        ("loeb9", 86, 38, 9, 28, 28),
        ("colonial", 119, 58, 7, 29, 29),
        ("colonial-otaru", 119, 58, 7, 29, 29),
        ("chaos", 75, 34, 34, 0, 34),
        ("1898", 75, 34, 7, 7, 7),
        *((name, 75, 34, 7, 22, 22) for name in EDITED if name.startswith("standard")),
        *((name, 86, 38, 9, 28, 28) for name in EDITED if name.startswith("loeb9")),
    ],
)
def test_what_each_map_has(name: str, spaces: int, centers: int, powers: int, units: int, owned: int) -> None:
    game_map = load_map(name)
    assert (len(game_map.provinces), len(game_map.centers), len(game_map.powers)) == (spaces, centers, powers)
    assert (len(game_map.start), len(game_map.owners)) == (units, owned)
    assert game_map.power_names.keys() == game_map.adjectives.keys() == set(game_map.powers)
    assert len(starting_board(game_map.name).units) == units


def test_loeb9_has_difficult_borders_and_ice() -> None:
    loeb9 = load_map("loeb9")
    assert loeb9.difficult == {
        code: frozenset({other}) for code, other in (("COR", "NAF"), ("NAF", "COR"), ("NAP", "SIC"), ("SIC", "NAP"))
    }
    assert loeb9.closed == {"fall": frozenset({"ARC"})}
    assert "SPA" not in loeb9.provinces
    assert not any("SPA" in place for places in loeb9.fleet.values() for place in places)
    assert ("RUSSIA", UnitKind.FLEET, "STP/NC") in loeb9.start


def test_the_edited_maps_differ_only_in_what_their_cases_ask_for() -> None:
    standard, both, sweden = load_map("standard"), load_map("standard-9-both"), load_map("standard-9-sweden")
    assert both.convoying - both.seas == {"DEN", "SWE"}
    assert sweden.convoying - sweden.seas == {"SWE"}
    assert (sweden.fleet, sweden.army) == (standard.fleet, standard.army)
    assert {place: exits - standard.fleet[place] for place, exits in both.fleet.items() if exits != standard.fleet[place]} == {
        "BER": {"DEN"},
        "DEN": {"BER"},
    }
    assert both.army == standard.army
    loeb9, d, f = load_map("loeb9"), load_map("loeb9-10d"), load_map("loeb9-10f")
    assert (d.army, d.fleet) == (loeb9.army, loeb9.fleet)
    assert d.difficult["TUN"] == {"NAF"}
    assert d.difficult["NAF"] == {"COR", "TUN"}
    assert f.army["TUN"] - loeb9.army["TUN"] == {"SIC"} == f.difficult["TUN"]
    assert f.difficult["SIC"] == {"NAP", "TUN"}


def test_colonial_has_the_errata_the_railroad_and_the_canal() -> None:
    """DATC 2.4, 7: what Avalon Hill's errata say of the map, and the facts of the three optional rules."""
    colonial, otaru = load_map("colonial"), load_map("colonial-otaru")
    assert colonial.provinces["KYO"].home == "JAPAN"
    assert colonial.provinces["CON"].home == "TURKEY"
    assert colonial.neighbours["CEB"] == {"DAV", "LOW", "LUZ", "MID", "MNA", "SUL"}
    assert {"DAV", "MNA"} == colonial.army["CEB"]
    assert colonial.provinces["HON"].not_counted == ("CHINA",)
    (tsr,) = colonial.railroads
    assert tsr == Railroad("TSR", "RUSSIA", ("MOS", "PRM", "OMS", "KRA", "IRK", "VLA"))
    assert all(other in colonial.army[one] for one, other in zip(tsr.line, tsr.line[1:], strict=False))
    (canal,) = colonial.canals
    assert (canal.name, canal.keeper, canal.seas) == ("SC", "EGY", ("MED", "RED"))
    assert "RED" not in colonial.fleet["MED"]
    assert colonial.army["SAK"] == {"VLA"}
    assert otaru.army["SAK"] == {"OTA"}
    assert colonial.victory == 30


def test_1898_tells_homes_owners_and_units_apart() -> None:
    """DATC 2.4, 12: a home centre is not owned before it was captured, and units start elsewhere than they are built."""
    game_map = load_map("1898")
    assert game_map.homes("GERMANY") == {"BER", "KIE", "MUN"}
    assert [code for code, owner in game_map.owners.items() if owner == "GERMANY"] == ["KIE"]
    assert {location for _, _, location in game_map.start} == set(game_map.owners)


def test_chaos_builds_anywhere() -> None:
    game_map = load_map("chaos")
    assert game_map.builds_anywhere
    assert game_map.owners["BER"] == "BERLIN"
    assert not any(province.country for province in game_map.provinces.values())


def test_a_rulebook_that_sorts_by_names_in_another_language_needs_a_map_that_has_them() -> None:
    """4.D.8: which of two units goes depends on the alphabet; Catalonia and Navarre are on no board in German."""
    units = tuple(Unit("SPAIN", UnitKind.ARMY, code) for code in ("CAT", "NAV"))
    board = Board(units, centers={"MAD": "SPAIN"}, map=load_map("loeb9"), phase=Phase.ADJUSTMENT)
    german = load_preset("datc-3").with_settings(["4.D.8.language=german"])
    with pytest.raises(InputError, match=r"4\.D\.8\.language: the map loeb9 has no German name of Catalonia"):
        judge_phase(board, {}, rulebook=german)
    assert [unit.location for unit in judge_phase(board, {}).next_board.units] == ["NAV"]


def amended(**changes: object) -> Map:
    return map_from({"based_on": "standard", "name": "mine", "title": "Mine", **changes})


def test_a_list_that_an_amendment_empties_is_none() -> None:
    assert load_map("loeb9-10g").difficult == {"SIC": {"TUN"}, "TUN": {"SIC"}}
    assert map_from({"based_on": "loeb9", "name": "mine", "title": "Mine", "closed": {"fall": []}}).closed == {}


def test_an_amendment_changes_key_by_key() -> None:
    game_map = amended(
        remove=["SPA"],
        forget=["unit", "unit_coast"],
        province={"GAS": {"add_army": ["IRI"], "remove_fleet": ["BRE"]}, "PAR": {"kind": "coast", "forget": ["home"]}},
    )
    standard = load_map()
    assert set(standard.provinces) - set(game_map.provinces) == {"SPA"}
    assert not any("SPA" in place for exits in (*game_map.army.values(), *game_map.fleet.values()) for place in exits)
    assert game_map.army["GAS"] == {"BRE", "BUR", "MAR", "PAR", "IRI"}
    assert game_map.fleet["GAS"] == {"MAO"}
    assert (game_map.provinces["PAR"].terrain, game_map.provinces["PAR"].home) == (Terrain.COAST, None)
    assert game_map.start == ()
    assert game_map.provinces["PIC"] == standard.provinces["PIC"]
    assert "SPA" in load_map().provinces, "the base is not touched"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"remove": ["XYZ"]}, "remove: the map standard has no province XYZ"),
        ({"province": {"PAR": {"remove_army": ["LON"]}}}, "province.PAR.remove_army: the list does not contain LON"),
        ({"province": {"PAR": {"add_name": ["LON"]}}}, "province.PAR.add_name: name must be a list, not 'Paris'"),
        ({"based_on": "nowhere"}, "there is no map named 'nowhere'"),
    ],
)
def test_an_amendment_that_does_not_fit_is_told(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        amended(**changes)
    assert error.value.message == message
