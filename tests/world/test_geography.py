"""The standard map: its invariants, and the places that people get wrong.

DPTG VI is chapter VI, "The Board and Set", of the Diplomacy Player's Technical Guide of 1998. "DATC 4" is the
introduction to chapter 4 of the DATC 3.2, which says what of the geography surprises people.
"""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations

import networkx
import pytest

from satjudge.base.errors import BoardError, NotFoundError
from satjudge.judging.judge import judge
from satjudge.world.board import Board, DislodgedUnit, Unit, by_power, starting_board
from satjudge.world.geography import (
    Location,
    Map,
    ProvinceCode,
    Terrain,
    UnitKind,
    coast_of,
    fold,
    load_map,
    normal,
    province_of,
)

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET

HOMES = {
    "AUSTRIA": "BUD TRI VIE",
    "ENGLAND": "EDI LON LVP",
    "FRANCE": "BRE MAR PAR",
    "GERMANY": "BER KIE MUN",
    "ITALY": "NAP ROM VEN",
    "RUSSIA": "MOS SEV STP WAR",
    "TURKEY": "ANK CON SMY",
}
NEUTRAL = "BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN"

# The rulebook's "starting position" (VI.3 in the rules of 1971 and 1982).
START = {
    "AUSTRIA": ["A BUD", "A VIE", "F TRI"],
    "ENGLAND": ["A LVP", "F EDI", "F LON"],
    "FRANCE": ["A MAR", "A PAR", "F BRE"],
    "GERMANY": ["A BER", "A MUN", "F KIE"],
    "ITALY": ["A ROM", "A VEN", "F NAP"],
    "RUSSIA": ["A MOS", "A WAR", "F SEV", "F STP/SC"],
    "TURKEY": ["A CON", "A SMY", "F ANK"],
}


@pytest.fixture(scope="module")
def game_map() -> Map:
    return load_map()


def provinces(text: str) -> frozenset[ProvinceCode]:
    return frozenset(text.split())


def coastal(game_map: Map) -> list[ProvinceCode]:
    return [code for code, province in game_map.provinces.items() if province.terrain is Terrain.COAST]


def test_there_are_75_spaces_of_which_19_are_seas_and_34_hold_centres(game_map: Map) -> None:
    """DPTG VI counts seventy-six with Switzerland, which is out of play; the rulebook (V) counts 34 supply centres."""
    assert Counter(province.terrain for province in game_map.provinces.values()) == {
        Terrain.SEA: 19,
        Terrain.COAST: 42,
        Terrain.INLAND: 14,
    }
    assert len(game_map.provinces) == 75
    assert len(game_map.seas) == 19
    assert len(game_map.centers) == 34


def test_the_number_of_directed_adjacencies(game_map: Map) -> None:
    assert sum(map(len, game_map.army.values())) == 222
    assert sum(map(len, game_map.fleet.values())) == 282


def test_adjacency_is_symmetric_and_never_leads_to_itself(game_map: Map) -> None:
    adjacencies: tuple[dict[Location, frozenset[Location]], ...] = (dict(game_map.army), dict(game_map.fleet))
    for adjacent in adjacencies:
        for origin, destinations in adjacent.items():
            assert province_of(origin) not in {province_of(destination) for destination in destinations}
            for destination in destinations:
                assert origin in adjacent[destination], f"{origin} - {destination} is a one-way street"


def test_armies_stand_on_land_and_fleets_on_water_or_coasts(game_map: Map) -> None:
    on_land = {code for code, province in game_map.provinces.items() if province.terrain is not Terrain.SEA}
    afloat = {
        location
        for province in game_map.provinces.values()
        if province.terrain is not Terrain.INLAND
        for location in province.locations
    }
    assert set(game_map.army) == on_land
    assert set(game_map.fleet) == afloat
    assert len(afloat) == 19 + 42 + 3


def test_fleets_follow_coasts_exactly_where_neighbours_share_a_sea(game_map: Map) -> None:
    """6.A.9: that two provinces are adjacent does not mean that a fleet can move between them."""
    for one, other in combinations(coastal(game_map), 2):
        by_fleet = any(
            destination in game_map.provinces[other].locations
            for origin in game_map.provinces[one].locations
            for destination in game_map.fleet[origin]
        )
        beside = other in game_map.army[one] and bool(game_map.shores[one] & game_map.shores[other])
        assert by_fleet == beside, f"{one} and {other}"


def test_only_three_provinces_have_two_coasts(game_map: Map) -> None:
    """DPTG VI: Bulgaria, Spain and St. Petersburg."""
    assert {province.code: province.coasts for province in game_map.provinces.values() if province.coasts} == {
        "BUL": ("EC", "SC"),
        "SPA": ("NC", "SC"),
        "STP": ("NC", "SC"),
    }


def test_home_centres(game_map: Map) -> None:
    assert {power: game_map.homes(power) for power in game_map.powers} == {
        power: provinces(codes) for power, codes in HOMES.items()
    }
    homes = frozenset().union(*(game_map.homes(power) for power in game_map.powers))
    assert game_map.centers - homes == provinces(NEUTRAL)


def test_a_home_centre_lies_in_its_country_and_is_a_centre(game_map: Map) -> None:
    for province in game_map.provinces.values():
        if province.home:
            assert province.country == province.home
            assert province.center


def test_starting_units() -> None:
    board = starting_board()
    assert {power: sorted(units) for power, units in by_power(board.units).items()} == START
    assert board.problems() == []
    assert {power: frozenset(codes.split()) for power, codes in HOMES.items()} == {
        power: frozenset(code for code, owner in board.centers.items() if owner == power) for power in HOMES
    }


def test_graphs_are_connected(game_map: Map) -> None:
    """An army cannot march to Great Britain or to Africa; a fleet can sail from the Black Sea to the Barents Sea."""
    islands = sorted(map(frozenset, networkx.connected_components(networkx.Graph(game_map.army))), key=len)
    assert islands[:-1] == [provinces("NAF TUN"), provinces("CLY EDI LON LVP WAL YOR")]
    assert sum(map(len, islands)) == 56
    fleets = networkx.Graph(game_map.fleet)
    assert networkx.is_connected(fleets)
    assert fleets.number_of_edges() == 282 // 2
    assert networkx.Graph(game_map.army).number_of_edges() == 222 // 2


def test_no_name_means_two_things(game_map: Map) -> None:
    """Every code, name and alias leads to one province, and none is the name of a power as well."""
    meant: dict[str, set[str]] = {}
    for province in game_map.provinces.values():
        for spelling in (province.code, province.name, *province.aliases):
            meant.setdefault(normal(spelling), set()).add(province.code)
    for spelling in game_map.power_aliases:
        meant.setdefault(spelling, set()).add("a power")
    assert {spelling: who for spelling, who in meant.items() if len(who) > 1} == {}
    assert len(game_map.names) == len(meant) - len(game_map.power_aliases)


def test_abbreviations_that_fit_two_spaces_are_left_out(game_map: Map) -> None:
    for unclear in ("liv", "north", "nor sea", "gulf", "sea", "atlantic", "tyr sea", "st", "eng land"):
        assert unclear not in game_map.names


def test_aliases_lead_where_they_should(game_map: Map) -> None:
    """Older codes and spellings of other engines: `NAT`, `GOL`, `BOT`, `LVO`, Servia, Romania, Heligoland Bight."""
    for spelling, code in {
        "nat": "NAO", "mid": "MAO", "gol": "LYO", "gob": "BOT", "lvo": "LVN", "lpl": "LVP", "nrg": "NWG", "ech": "ENG",
        "nor": "NWY", "tyn": "TYS", "servia": "SER", "romania": "RUM", "heligoland bight": "HEL", "st p": "STP",
        "gulf of lions": "LYO", "netherlands": "HOL", "skaggerak": "SKA", "n afr": "NAF", "mid atlantic ocean": "MAO",
    }.items():  # fmt: skip
        assert game_map.names[spelling] == code


# ---- places that people get wrong ----

# (source, province, the province's whole neighbourhood by land or None, by water or None)
NEIGHBOURHOODS = [
    # "The Mid-Atlantic does border, among other spaces, North Africa, the Western Mediterranean and both coasts of
    # Spain."
    ("DPTG VI", "MAO", None, "BRE ENG GAS IRI NAF NAO POR SPA/NC SPA/SC WES"),
    # "Denmark, perhaps the most confusing space of them all, does border both Kiel and Sweden; an army in Denmark could
    # march to either. Denmark also borders the Helgoland Bight, the North Sea, the Skagerrak and the Baltic Sea."
    ("DPTG VI", "DEN", "KIE SWE", "BAL HEL KIE NTH SKA SWE"),
    # "Constantinople borders three land provinces; an army there could march to any of the three."
    ("DPTG VI", "CON", "ANK BUL SMY", "AEG ANK BLA BUL/EC BUL/SC SMY"),
    # "The Black Sea borders no bodies of water at all, only land provinces."
    ("DPTG VI", "BLA", None, "ANK ARM BUL/EC CON RUM SEV"),
    # "The only body of water the Baltic Sea borders is the Gulf of Bothnia."
    ("DPTG VI", "BAL", None, "BER BOT DEN KIE LVN PRU SWE"),
    # "Kiel does border the Baltic Sea."
    ("DPTG VI", "KIE", "BER DEN HOL MUN RUH", "BAL BER DEN HEL HOL"),
    # "Finland (which, incidentally, is a Russian province in Diplomacy) does not border Livonia."
    ("DPTG VI", "FIN", "NWY STP SWE", "BOT STP/SC SWE"),
    # "Norway is connected to St Petersburg both for armies and for fleets" (DPTG VI says so too)
    ("DATC 4", "NWY", "FIN STP SWE", "BAR NTH NWG SKA STP/NC SWE"),
    # "on some maps it is not completely clear, that Liverpool is connected to North Atlantic Ocean …"
    ("DATC 4", "LVP", "CLY EDI WAL YOR", "CLY IRI NAO WAL"),
    # "… and Clyde is not connected to Irish Sea"
    ("DATC 4", "CLY", "EDI LVP", "EDI LVP NAO NWG"),
    # "Spain does not border North Africa."
    ("DPTG VI", "NAF", "TUN", "MAO TUN WES"),
    # A fleet may only sail out from the coast along which it came in.
    ("DPTG VI", "SPA/NC", None, "GAS MAO POR"),
    ("DPTG VI", "SPA/SC", None, "LYO MAO MAR POR WES"),
    ("DPTG VI", "BUL/EC", None, "BLA CON RUM"),
    ("DPTG VI", "BUL/SC", None, "AEG CON GRE"),
    ("DPTG VI", "STP/NC", None, "BAR NWY"),
    ("DPTG VI", "STP/SC", None, "BOT FIN LVN"),
    # "armies, naturally, don't care about coasts"
    ("DPTG VI", "SPA", "GAS MAR POR", None),
    ("DPTG VI", "BUL", "CON GRE RUM SER", None),
    ("DPTG VI", "STP", "FIN LVN MOS NWY", None),
]


@pytest.mark.parametrize(("source", "location", "by_land", "by_water"), NEIGHBOURHOODS, ids=lambda value: str(value))
def test_neighbourhoods(game_map: Map, source: str, location: Location, by_land: str | None, by_water: str | None) -> None:
    assert by_land or by_water, source
    assert game_map.exits(ARMY, location) == provinces(by_land or "")
    assert game_map.exits(FLEET, location) == provinces(by_water or "")


@pytest.mark.parametrize(
    ("source", "one", "other"),
    [
        ("DPTG VI: Denmark does not border Berlin", "DEN", "BER"),
        ("DPTG VI: Spain does not border North Africa", "SPA", "NAF"),
        ("DPTG VI: Finland does not border Livonia", "FIN", "LVN"),
        ("DATC 4: Clyde is not connected to Irish Sea", "CLY", "IRI"),
        ("DPTG VI: the Black Sea borders no bodies of water", "BLA", "AEG"),
        ("DPTG VI: the Baltic Sea borders the Gulf of Bothnia only", "BAL", "SKA"),
        ("DPTG VI: the Baltic Sea borders the Gulf of Bothnia only", "BAL", "HEL"),
        ("DPTG VII: Army Bohemia to Burgundy is illegal", "BOH", "BUR"),
    ],
)
def test_no_neighbours(game_map: Map, source: str, one: ProvinceCode, other: ProvinceCode) -> None:
    assert other not in game_map.neighbours[one], source
    assert one not in game_map.neighbours[other], source


@pytest.mark.parametrize(
    ("source", "origin", "destination"),
    [
        ("6.A.9: an army can go from Rome to Venice, but a fleet cannot", "ROM", "VEN"),
        ("DPTG VII: Fleet Tuscany to Venice is illegal", "TUS", "VEN"),
        ("the coast of Gascony is not that of Marseilles", "GAS", "MAR"),
        ("Liverpool and Edinburgh face different seas", "LVP", "EDI"),
        ("Ankara and Smyrna face different seas", "ANK", "SMY"),
    ],
)
def test_neighbours_for_armies_only(game_map: Map, source: str, origin: str, destination: str) -> None:
    assert destination in game_map.exits(ARMY, origin), source
    assert destination not in game_map.exits(FLEET, origin), source


def test_a_fleet_reaches_a_province_by_any_of_its_coasts(game_map: Map) -> None:
    """4.B.4: a fleet in Greece can support one from the Black Sea to the east coast of Bulgaria; 6.B.1, 6.B.2."""
    assert game_map.fleet_reach["GRE"]["BUL"] == ("BUL/SC",)
    assert game_map.fleet_reach["BLA"]["BUL"] == ("BUL/EC",)
    assert game_map.fleet_reach["POR"]["SPA"] == ("SPA/NC", "SPA/SC")
    assert game_map.fleet_reach["GAS"]["SPA"] == ("SPA/NC",)
    assert "LYO" not in game_map.fleet_reach["SPA/NC"]


def test_an_army_embarks_from_any_coast(game_map: Map) -> None:
    """6.B.18, 6.B.19: convoys from and to a province with two coasts use either."""
    assert game_map.shores["BUL"] == provinces("AEG BLA")
    assert game_map.shores["SPA"] == provinces("LYO MAO WES")
    assert game_map.shores["STP"] == provinces("BAR BOT")
    assert game_map.shores["CON"] == provinces("AEG BLA")
    assert "PAR" not in game_map.shores


def test_a_province_can_touch_another_by_land_or_by_water(game_map: Map) -> None:
    assert game_map.neighbours["STP"] == provinces("BAR BOT FIN LVN MOS NWY")
    assert game_map.neighbours["ENG"] == provinces("BEL BRE IRI LON MAO NTH PIC WAL")
    for code, neighbours in game_map.neighbours.items():
        assert all(code in game_map.neighbours[other] for other in neighbours)


@pytest.mark.parametrize(
    ("kind", "location", "problem"),
    [
        (ARMY, "PAR", None),
        (ARMY, "SPA", None),
        (ARMY, "SPA/NC", "an army has no coast: write A SPA, not A SPA/NC"),
        (ARMY, "NTH", "an army cannot be at sea in North Sea"),
        (FLEET, "PAR", "a fleet cannot be inland in Paris"),
        (FLEET, "NTH", None),
        (FLEET, "BRE", None),
        (FLEET, "SPA/NC", None),
        (FLEET, "SPA", "F SPA must name a coast that Spain has: F SPA/NC or F SPA/SC"),
        (FLEET, "SPA/EC", "F SPA/EC must name a coast that Spain has: F SPA/NC or F SPA/SC"),
        (FLEET, "BRE/EC", "Brest has no separate coasts: write F BRE"),
        (FLEET, "SWI", "there is no province SWI on this map"),
    ],
)
def test_where_units_can_be(game_map: Map, kind: UnitKind, location: Location, problem: str | None) -> None:
    assert game_map.problem_with(kind, location) == problem


def test_locations_in_words() -> None:
    assert (province_of("SPA/SC"), coast_of("SPA/SC")) == ("SPA", "SC")
    assert (province_of("PAR"), coast_of("PAR")) == ("PAR", "")
    assert normal("  St.  Petersburg ") == normal("ST-PETERSBURG") == "st petersburg"


def test_one_map_per_name_and_an_error_for_an_unknown_one() -> None:
    assert load_map("standard") is load_map("standard")
    with pytest.raises(NotFoundError) as caught:
        load_map("youngstown")
    assert str(caught.value) == (
        "there is no map named 'youngstown' (there are 1898, chaos, colonial, colonial-otaru, loeb9, loeb9-10d, loeb9-10f, "
        "loeb9-10g, standard, standard-9-both, standard-9-denmark, standard-9-sweden, standard-cape, "
        "standard-neutral, standard-transform)"
    )


# ---- boards ----


def test_a_board_reports_all_its_problems_at_once() -> None:
    board = Board(
        (
            Unit("FRANCE", FLEET, "PAR"),
            Unit("ENGLAND", ARMY, "NTH"),
            Unit("ENGLAND", FLEET, "LON"),
            Unit("GERMANY", ARMY, "LON"),
        ),
        centers={"SWI": "FRANCE", "BUR": "FRANCE", "PAR": "FRANCE"},
    )
    problems = [
        "F PAR of FRANCE: a fleet cannot be inland in Paris",
        "A NTH of ENGLAND: an army cannot be at sea in North Sea",
        "two units in LON: F LON of ENGLAND and A LON of GERMANY",
        "FRANCE owns SWI: there is no such province on this map",
        "FRANCE owns BUR: Burgundy has no supply centre",
    ]
    assert board.problems() == problems
    with pytest.raises(BoardError) as caught:
        board.ensure_possible()
    assert caught.value.problems == problems
    assert str(caught.value) == "; ".join(problems)


def test_a_fleet_on_each_coast_is_two_units_in_one_province() -> None:
    board = Board((Unit("FRANCE", FLEET, "SPA/NC"), Unit("ITALY", FLEET, "SPA/SC")))
    assert board.problems() == ["two units in SPA: F SPA/NC of FRANCE and F SPA/SC of ITALY"]


def test_one_unit_twice_is_two_units() -> None:
    unit = Unit("FRANCE", ARMY, "PAR")
    assert Board((unit, unit)).problems() == ["two units in PAR: A PAR of FRANCE and A PAR of FRANCE"]
    lost = DislodgedUnit(unit, ())
    assert Board((unit,), (lost, lost)).problems() == ["two dislodged units in PAR: A PAR of FRANCE and A PAR of FRANCE"]
    assert Board((unit,), (lost,)).problems() == []


def test_a_possible_board_is_checked_as_it_is() -> None:
    board = starting_board()
    assert board.ensure_possible() is board


# Letters.


def test_folding_keeps_every_letter_in_its_place() -> None:
    """And takes for one letter all that a regular expression does that ignores case."""
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert [letter for letter in everything if len(fold(letter)) != 1] == []
    assert fold(fold(everything)) == fold(everything)
    alike = re.findall("[a-z]", everything, re.IGNORECASE)
    assert len(alike) > 2 * 26
    assert [letter for letter in alike if not re.fullmatch(fold(letter), letter, re.IGNORECASE)] == []
    assert {fold(letter) for letter in alike} == set("abcdefghijklmnopqrstuvwxyz")


def test_names_with_other_letters() -> None:
    assert normal("PİCARDY") == normal("pıcardy") == normal("Picardy")


# Copies.


def test_a_pickled_board_is_small_and_its_copy_is_equal(game_map: Map) -> None:
    """Whatever was worked out about it and its map."""
    board = starting_board()
    judge(board, {"FRANCE": ["A PAR - BUR"]})
    assert game_map.cache
    data = pickle.dumps(board)
    assert len(data) < 2_000
    assert pickle.loads(data) == copy.deepcopy(board) == copy.copy(board) == board
    assert pickle.loads(pickle.dumps(game_map)) is copy.deepcopy(game_map) is game_map


def test_copies_of_a_map_of_ones_own_are_the_map(game_map: Map) -> None:
    for name in ("standard", "mine"):
        own = replace(game_map, name=name, title="Another", cache={})
        board = replace(starting_board(), map=own)
        judge(board, {"FRANCE": ["A PAR - BUR"]})
        data = pickle.dumps(board)
        assert len(data) < 30_000
        assert pickle.loads(data) == copy.deepcopy(board) == board
        assert pickle.loads(data).map is copy.copy(own) is own


def test_in_another_process_copies_of_a_map_are_one(game_map: Map) -> None:
    own = replace(game_map, name="mine", title="Another", cache={})
    boards = [replace(starting_board(), map=which) for which in (own, own, game_map)]
    code = (
        "import pickle, sys; from satjudge.world.geography import load_map\n"
        "one, two, usual = [pickle.loads(bytes.fromhex(line)) for line in sys.stdin.read().split()]\n"
        "print(one == two, one.map is two.map, one.map.title, one == usual, usual.map is load_map())\n"
        "print(len(pickle.dumps(one)) < 30_000, pickle.loads(pickle.dumps(one)) == one)\n"
    )
    sent = "\n".join(pickle.dumps(board).hex() for board in boards)
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "Another", "False", "True", "True", "True"]
