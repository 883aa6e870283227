"""Rules that a map brings: where a power builds, who plays, who wins, and how years are called."""

from __future__ import annotations

import json
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, MapError
from satjudge.base.values import replace
from satjudge.bulk.batch import Answering
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm import loading
from satjudge.engines.connections.registry import Contact
from satjudge.explain.phases import explanations
from satjudge.files.documents import described_map
from satjudge.files.maps import make_map, read_map, toml
from satjudge.files.maps.checks import list_faults
from satjudge.game.documents import make_game_report, make_phase_document
from satjudge.game.game import Game
from satjudge.judging import fast_path
from satjudge.judging.check import check
from satjudge.judging.judge import judge_phase
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.order_review import find_missing_orders
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.notation.sheet_reader import load_sheets
from satjudge.notation.write import format_prose
from satjudge.search.lines.line_search import LineConditions
from satjudge.search.open_orders.universe import check_map
from satjudge.world.board import Board, Phase, Season, Turn, by_power
from satjudge.world.geography import Map, load_map, shipped_tables
from satjudge.world.map_tables import complete
from satjudge.world.rules import load_rulebook
from satjudge.world.seasons import adjustments_due, winner_of, winners_of

SPRING, WINTER = Turn(1901, Season.SPRING), Turn(1901, Season.FALL)


def winter(game_map: Map) -> Board:
    """France owns Munich, a home of Germany, and Belgium, which is nobody's home; it has no unit."""
    return Board(
        (), centers={"MUN": "FRANCE", "BEL": "FRANCE", "PAR": "FRANCE"}, map=game_map, phase=Phase.ADJUSTMENT, turn=WINTER
    )


@pytest.mark.parametrize(
    ("rule", "built"),
    [({}, {"PAR"}), ({"builds_in_any_home": True}, {"PAR", "MUN"}), ({"builds_anywhere": True}, {"PAR", "MUN", "BEL"})],
)
def test_a_map_says_where_a_power_builds(rule: dict[str, bool], built: set[str], tmp_path: Path) -> None:
    tables = complete(shipped_tables("standard"), shipped_tables) | {"name": "own"} | rule
    path = tmp_path / "own.toml"
    path.write_text(toml.map_text(tables), encoding="utf-8")
    board = winter(read_map(path))
    assert set(legal_orders(board)["FRANCE"]) == built
    orders = {"FRANCE": [f"Build A {code}" for code in ("MUN", "BEL", "PAR")]}
    outcome = judge_phase(board, orders)
    assert {unit.location for unit in outcome.units} == built


@pytest.mark.parametrize(
    ("owned", "units", "due", "sites"),
    [
        (("PAR", "BEL", "MUN"), "", 1, {"PAR", "BEL", "BUR"}),  # one empty home: one unit, there or elsewhere
        (("PAR", "MAR", "BEL"), "", 2, {"PAR", "MAR", "BEL", "BUR"}),
        (("PAR", "MUN", "VEN"), "", 1, {"PAR", "BUR"}),  # Belgium is a centre, and nobody's
        (("PAR", "MAR", "BEL"), "A PAR, A BUR", 1, {"MAR", "BEL"}),
        (("PAR", "BEL", "MUN"), "A PAR", 0, set()),  # no home is empty
        (("BEL", "MUN"), "", 0, set()),
    ],
)
def test_a_power_may_build_elsewhere_in_place_of_in_a_home(
    owned: tuple[str, ...], units: str, due: int, sites: set[str]
) -> None:
    """As the United States of *Zeus* in California: “instead of in a Home SC if it wishes” (vDiplomacy's rules.html)."""
    game_map = with_rules(provinces={code: {"builds_instead": ["FRANCE"]} for code in ("BEL", "BUR")})
    board = board_of(game_map, WINTER, **({"FRANCE": units} if units else {}))
    board = replace(board, centers=dict.fromkeys(owned, "FRANCE"), phase=Phase.ADJUSTMENT)
    assert adjustments_due(board).get("FRANCE", 0) == due
    assert set(legal_orders(board).get("FRANCE", {})) == sites
    given = [f"Build A {code}" for code in ("BUR", "BEL", "PAR", "MAR")]
    outcome = judge_phase(board, {"FRANCE": given})
    assert outcome.results["FRANCE"].count("succeeds") == due
    assert {unit.location for unit in outcome.units} - {unit.location for unit in board.units} <= sites
    assert "France may build in BUR instead of in a home" in described_map(game_map).rules


def test_a_game_in_which_only_nobodys_units_stand_begins_with_builds() -> None:
    tables = complete(shipped_tables("standard-neutral"), shipped_tables)
    kept = {code: one for code, one in tables["province"].items() if one.get("home") == "ITALY" or "unit" not in one}
    without = {
        code: {key: value for key, value in one.items() if "unit" not in key} for code, one in tables["province"].items()
    }
    game = Game.new(make_map({**tables, "name": "own", "province": {**without, **kept}}, "own.toml"))
    assert (game.phase_name, {unit.power for unit in game.board.units}) == ("W1900A", {"ITALY"})


def test_what_is_no_home_is_told(tmp_path: Path) -> None:
    board = winter(replace(load_map(), name="own", builds_in_any_home=True))
    (judged,) = judge_phase(board, {"FRANCE": ["Build A BEL"]}).judged["FRANCE"]
    assert judged.reason == "Belgium is not a home supply centre (6.I.6)"


def with_rules(**rules: Any) -> Map:  # noqa: ANN401  # tables of a file
    """The standard map with rules of its own, read from tables as a file holds them."""
    tables = complete(shipped_tables("standard"), shipped_tables)
    provinces = {code: entry | rules.get("provinces", {}).get(code, {}) for code, entry in tables["province"].items()}
    powers = {power: entry | rules.get("power", {}).get(power, {}) for power, entry in tables["power"].items()}
    own = {key: value for key, value in rules.items() if key not in ("provinces", "power")}
    return make_map({**tables, "name": "own", "province": provinces, "power": powers, **own}, "own.toml")


def neutral_italy(**more: object) -> Map:
    """The standard map on which nobody plays Italy."""
    return with_rules(neutral={"power": "ITALY", **more})


def board_of(game_map: Map, turn: Turn | None, **units: str) -> Board:
    """A board with the units of each power, and the centres that they stand in."""
    standing = [parse_unit(text, power, game_map) for power, texts in units.items() for text in texts.split(", ")]
    centers = {unit.province: unit.power for unit in standing if unit.province in game_map.centers}
    return Board(tuple(standing), centers=centers, map=game_map, turn=turn)


def test_neutral_units_hold_whatever_is_ordered() -> None:
    board = board_of(neutral_italy(), SPRING, ITALY="A ROM, F NAP", FRANCE="A TUS")
    outcome = judge_phase(board, {"ITALY": ["A ROM - TUS", "F NAP H"], "FRANCE": ["A TUS - ROM"]})
    assert outcome.results == {"ITALY": ["illegal", "stands"], "FRANCE": ["fails"]}
    assert outcome.judged["ITALY"][0].reason == "A ROM is neutral, so nobody may order it"
    assert legal_orders(board).keys() == {"FRANCE"}
    assert find_missing_orders(board, {}) == {"FRANCE": ["A TUS"]}


def test_neutral_units_can_be_supported_where_nobody_else_in_disorder_can() -> None:
    board = board_of(neutral_italy(), SPRING, ITALY="A ROM", FRANCE="A TUS, A VEN", AUSTRIA="A APU")
    orders = {"FRANCE": ["A TUS - ROM", "A VEN S A TUS - ROM"], "AUSTRIA": ["A APU S A ROM"]}
    assert judge_phase(board, orders, rulebook="1971").results["AUSTRIA"] == ["given"]


def test_neutral_units_that_are_dislodged_are_disbanded() -> None:
    board = board_of(neutral_italy(), SPRING, ITALY="A ROM", FRANCE="A TUS, A VEN")
    outcome = judge_phase(board, {"FRANCE": ["A TUS - ROM", "A VEN S A TUS - ROM"]})
    assert outcome.phase is Phase.MOVEMENT
    (lost,) = outcome.dislodgements.values()
    assert (lost.retreats, lost.disbanded_by) == ((), "nobody orders neutral units")
    assert (outcome.next_board.phase, outcome.next_board.turn) == (Phase.MOVEMENT, WINTER)


def test_neutral_units_support_each_other_to_hold_where_the_map_says_so() -> None:
    game_map = neutral_italy(supports={"ROM": "NAP", "NAP": "ROM", "VEN": "TRI"})
    board = board_of(game_map, SPRING, ITALY="A ROM, A NAP, A VEN", FRANCE="A TUS, A APU, A TYR")
    orders = {"FRANCE": ["A TUS - ROM", "A APU S A TUS - ROM", "A TYR - VEN"]}
    assert judge_phase(board, orders).results["FRANCE"] == ["fails", "given", "fails"]
    cut = judge_phase(board, {"FRANCE": ["A TUS - ROM", "A APU - NAP", "A TYR S A TUS - ROM"]})
    assert cut.results["FRANCE"] == ["fails", "fails", "illegal"]


def test_neutral_units_are_neither_built_nor_removed() -> None:
    board = board_of(neutral_italy(), WINTER, ITALY="A PIE, A TUS, A ROM", FRANCE="A PAR, A GAS")
    following = judge_phase(replace(board, centers={"ROM": "ITALY", "PAR": "FRANCE", "BEL": "ITALY"}), {}).next_board
    assert adjustments_due(following) == {"FRANCE": -1}
    outcome = judge_phase(following, {"ITALY": ["Remove A PIE", "Build F NAP"], "FRANCE": ["Remove A GAS"]})
    assert outcome.results == {"ITALY": ["illegal", "illegal"], "FRANCE": ["succeeds"]}


@pytest.mark.parametrize("rebuilds", [True, False])
def test_a_neutral_army_comes_back_in_an_empty_centre_before_spring(rebuilds: bool) -> None:
    board = replace(
        board_of(neutral_italy(rebuilds=rebuilds), WINTER, ITALY="A ROM", FRANCE="A PAR"),
        centers={"ROM": "ITALY", "NAP": "ITALY", "BRE": "FRANCE", "PAR": "FRANCE"},
    )
    winter = judge_phase(board, {}).next_board
    assert by_power(winter.units)["ITALY"] == ["A ROM"]
    spring = judge_phase(winter, {"FRANCE": ["Decline"]}).next_board
    assert by_power(spring.units)["ITALY"] == (["A ROM", "A NAP"] if rebuilds else ["A ROM"])
    assert spring.phase_name == "S1902M"
    assert by_power(judge_phase(replace(board, turn=SPRING), {}).next_board.units)["ITALY"] == ["A ROM"]


def test_a_power_that_nobody_plays_never_wins() -> None:
    game_map = neutral_italy()
    board = replace(board_of(game_map, WINTER, ITALY="A ROM"), centers=dict.fromkeys(game_map.centers, "ITALY"))
    assert winner_of(board) is None
    game = Game.new(game_map)
    assert "ITALY" not in game.survivors
    assert "ITALY" not in game.orderable


def test_a_power_builds_in_centres_that_name_it() -> None:
    game_map = with_rules(provinces={"BEL": {"builders": ["FRANCE"]}, "MUN": {"builders": ["ENGLAND"]}})
    board = winter(game_map)
    assert set(legal_orders(board)["FRANCE"]) == {"PAR", "BEL"}
    assert judge_phase(board, {"FRANCE": ["Build A MUN", "Build F BEL"]}).results["FRANCE"] == ["illegal", "succeeds"]


def test_units_are_disbanded_where_a_map_has_no_retreats() -> None:
    for game_map, phase in ((with_rules(no_retreats=True), Phase.MOVEMENT), (load_map(), Phase.RETREAT)):
        board = board_of(game_map, SPRING, ITALY="A ROM", FRANCE="A TUS, A VEN")
        orders = {"ITALY": ["A ROM H"], "FRANCE": ["A TUS - ROM", "A VEN S A TUS - ROM"]}
        assert judge_phase(board, orders).next_board.phase is phase


def test_a_power_with_a_number_of_its_own_wins_with_that() -> None:
    game_map = with_rules(power={"ITALY": {"victory": 3}})
    board = board_of(game_map, WINTER, ITALY="A ROM, A VEN, A NAP", FRANCE="A PAR, A BRE, A MAR, A SPA")
    assert winner_of(board) == "ITALY"
    assert winner_of(replace(board, centers={**board.centers, "NAP": "FRANCE"})) is None


@pytest.mark.parametrize(("owner", "winner"), [("FRANCE", "FRANCE"), ("ITALY", None)])
def test_who_wins_owns_the_centres_that_the_map_names(owner: str, winner: str | None) -> None:
    game_map = with_rules(victory_needs=["LON", "PAR"])
    centers = dict.fromkeys(game_map.centers, "FRANCE") | {"LON": owner}
    assert winner_of(Board((), centers=centers, map=game_map)) == winner


def russia_with(*owned: str, units: str = "A UKR, A FIN", turn: Turn = WINTER) -> Board:
    """Russia with some of its homes, and partisans in Livonia, in Winter."""
    game_map = with_rules(power={"RUSSIA": {"partisans": "LVN"}})
    board = replace(board_of(game_map, turn, RUSSIA=units), centers=dict.fromkeys(owned, "RUSSIA"))
    return replace(board, phase=Phase.ADJUSTMENT)


@pytest.mark.parametrize(
    ("owned", "due", "sites"),
    [
        (("MOS", "WAR"), 1, {"MOS", "WAR", "LVN"}),  # some homes: a unit more, and a place for it (1900: Siberia)
        (("MOS", "WAR", "SEV", "STP"), 2, {"MOS", "WAR", "SEV", "STP"}),
        (("BUD", "RUM", "SWE"), 0, set()),
    ],
)
def test_partisans_are_built_while_some_homes_are_lost(owned: tuple[str, ...], due: int, sites: set[str]) -> None:
    board = russia_with(*owned)
    assert adjustments_due(board).get("RUSSIA", 0) == due
    assert set(legal_orders(board).get("RUSSIA", {})) == sites
    built = judge_phase(board, {"RUSSIA": ["Build A LVN"]})
    assert built.results["RUSSIA"] == ["succeeds" if "LVN" in sites else "illegal"]


def test_partisans_are_armies_and_stand_where_no_unit_is() -> None:
    orders = {"RUSSIA": ["Build F LVN", "Build A LVN"]}
    (fleet, army) = judge_phase(russia_with("MOS", "WAR"), orders).judged["RUSSIA"]
    assert (fleet.reason, army.reason) == ("partisans are armies, so no fleet can be built in Livonia", None)
    (judged,) = judge_phase(russia_with("MOS", "WAR", units="A UKR, A LVN"), {"RUSSIA": ["Build A LVN"]}).judged["RUSSIA"]
    assert judged.reason == "Livonia is not empty (6.I.3, 6.I.4)"


def test_a_unit_more_is_not_removed_while_some_homes_are_lost() -> None:
    assert adjustments_due(russia_with("MOS", units="A UKR, A FIN")) == {}
    assert adjustments_due(russia_with("SWE", units="A UKR, A FIN")) == {"RUSSIA": -1}


@pytest.mark.parametrize(("owned", "built"), [({"PAR", "BEL", "MUN"}, {"PAR", "BEL", "MUN"}), ({"BEL", "MUN"}, set())])
def test_a_power_without_a_home_builds_nothing_where_builds_need_one(owned: set[str], built: set[str]) -> None:
    game_map = with_rules(builds_anywhere=True, builds_need_home=True)
    board = replace(winter(game_map), centers=dict.fromkeys(owned, "FRANCE"))
    assert set(legal_orders(board).get("FRANCE", {})) == built
    (judged,) = judge_phase(board, {"FRANCE": ["Build A BEL"]}).judged["FRANCE"]
    assert judged.reason == (None if built else "France owns none of its home centres, so it cannot build")


@pytest.mark.parametrize(
    ("also", "winner"), [((), None), (("PAR",), None), (("ROM",), None), (("PAR", "ROM"), "FRANCE"), (("PAR", "NAP"), "FRANCE")]
)
def test_a_power_wins_with_centres_of_its_own_and_one_of_others(also: tuple[str, ...], winner: str | None) -> None:
    """As in vDiplomacy's TenSixtySix: its own capital and one of the two others'."""
    game_map = with_rules(power={"FRANCE": {"victory_needs": ["PAR"], "victory_needs_one": ["ROM", "NAP"]}})
    others = [code for code in sorted(game_map.centers) if code not in ("PAR", "ROM", "NAP")][:18]
    board = Board((), centers=dict.fromkeys((*others, *also), "FRANCE"), map=game_map)
    assert winner_of(board) == winner
    assert winner_of(replace(board, centers=dict.fromkeys(others, "ITALY"))) == "ITALY"
    assert "France wins only while it owns PAR and ROM or NAP" in described_map(game_map).rules
    with pytest.raises(MapError, match="what FRANCE needs to win: there is no place XXX"):
        with_rules(power={"FRANCE": {"victory_needs_one": ["XXX"]}})


@pytest.mark.parametrize(
    ("year", "lead", "winner"), [(1901, 20, "FRANCE"), (1901, 19, None), (1911, 10, "FRANCE"), (1911, 9, None)]
)
def test_a_lead_wins_that_grows_less_each_year(year: int, lead: int, winner: str | None) -> None:
    game_map = with_rules(victory=34, victory_lead={"first": 20, "less_each_year": 1})
    owned = sorted(game_map.centers)
    centers = dict.fromkeys(owned[: lead + 5], "FRANCE") | dict.fromkeys(owned[lead + 5 : lead + 10], "ITALY")
    board = Board((), centers=centers, map=game_map, turn=Turn(year, Season.FALL))
    assert winner_of(board) == winner
    assert winner_of(replace(board, turn=None)) is None


def test_a_game_begins_with_as_many_builds_as_the_map_says_and_homes_left_empty_are_nobodys() -> None:
    tables = complete(shipped_tables("standard"), shipped_tables)
    provinces = {
        code: {key: value for key, value in one.items() if "unit" not in key} for code, one in tables["province"].items()
    }
    game = Game.new(make_map({**tables, "name": "own", "province": provinces, "first_builds": 1}, "own.toml"))
    assert (game.board.phase, adjustments_due(game.board)["RUSSIA"]) == (Phase.ADJUSTMENT, 1)
    game.order("RUSSIA", "Build F STP/SC")
    played = game.next()
    assert played.results["RUSSIA"] == ["succeeds"]
    assert (game.phase_name, dict(game.board.centers)) == ("S1901M", {"STP": "RUSSIA"})
    assert Game.from_saved(game.document()).board == game.board


def test_nobody_leads_where_two_lead() -> None:
    game_map = with_rules(victory_lead={"first": 5, "less_each_year": 5})
    board = Board((), centers={"PAR": "FRANCE", "ROM": "ITALY"}, map=game_map, turn=Turn(1920, Season.FALL))
    assert winner_of(board) is None
    assert winner_of(replace(board, centers={"PAR": "FRANCE"})) == "FRANCE"


@pytest.mark.parametrize(
    ("draw", "centers", "winners"),
    [
        (False, {"PAR": "FRANCE", "BRE": "FRANCE", "ROM": "ITALY"}, ("FRANCE",)),
        (False, {"PAR": "FRANCE", "ROM": "ITALY"}, ("FRANCE", "ITALY")),
        (True, {"PAR": "FRANCE", "BRE": "FRANCE", "ROM": "ITALY"}, ("FRANCE", "GERMANY", "ITALY")),
    ],
)
def test_a_game_ends_after_the_last_year(draw: bool, centers: dict[str, str], winners: tuple[str, ...]) -> None:
    game_map = with_rules(last_year={"year": -470, "draw": draw}, years={"first": -480, "step": 2})
    board = replace(board_of(game_map, WINTER, GERMANY="A SIL"), centers=centers)
    for year, expected in ((1905, ()), (1906, winners)):
        assert winners_of(replace(board, turn=Turn(year, Season.FALL))) == expected


@pytest.mark.parametrize("draw", [False, True])
def test_a_game_is_over_after_its_last_year(draw: bool) -> None:
    game = Game.new(with_rules(last_year={"year": 1901, "draw": draw}))
    for _ in range(2):
        assert not game.is_over
        game.next()
    assert game.is_over
    assert game.ending is not None
    ending = ("draw", load_map().powers) if draw else ("victory", ("RUSSIA",))  # which has four centres
    assert (game.ending.how, game.ending.winners) == ending


def test_what_is_at_half_strength_is_told_in_words() -> None:
    board = board_of(load_map("standard-cape"), SPRING, FRANCE="F MAO", TURKEY="A ARM")
    outcome = judge_phase(board, {"FRANCE": ["F MAO - SYR"], "TURKEY": ["A ARM - SYR"]})
    assert outcome.phase is Phase.MOVEMENT
    told = {one.order: one.reasons[0].text for one in explanations(outcome)}
    assert told["F MAO - SYR"].endswith("prevent 1 of A ARM - SYR (itself), and it arrives at half strength")
    assert told["A ARM - SYR"].endswith("suffices against prevent 1 of F MAO - SYR (itself), which arrives at half strength")
    assert "units pass the border MAO - SYR at half strength" in described_map(board.map).rules


def test_engines_agree_where_borders_are_at_half_strength() -> None:
    for sheet in load_sheets(Path("datc_cases/variants/half.txt")):
        for engine in Engine:
            checked = check(sheet, load_rulebook(), engine)
            assert checked.passed, (sheet.identity, engine, checked.differences)


def test_a_unit_becomes_the_other_kind_in_a_game_as_well() -> None:
    game = Game.new("standard-transform")
    assert game.order("FRANCE", "A Marseilles becomes F Marseilles", "F BRE T A BRE")[0] == "A MAR T F MAR"
    assert "A PAR T F PAR" not in game.legal_orders("A PAR")
    assert "A ROM T F ROM" in game.legal_orders("A ROM")
    assert {"F STP/SC T A STP"} == {order for order in game.legal_orders("F STP/SC") if " T " in order}
    played = game.next()
    assert played.results["FRANCE"] == ["succeeds", "succeeds"]
    assert {"F MAR", "A BRE"} <= set(by_power(game.board.units)["FRANCE"])
    again = Game.from_saved(game.document())
    assert again.board == game.board
    assert again.judge("S1901M").results["FRANCE"] == ["succeeds", "succeeds"]


def test_an_army_becomes_a_fleet_on_a_coast_that_is_named() -> None:
    board = board_of(load_map("standard-transform"), SPRING, FRANCE="A SPA")
    legal = {str(order) for order in legal_orders(board)["FRANCE"]["A SPA"]}
    assert {"A SPA T F SPA/NC", "A SPA T F SPA/SC"} <= legal
    assert legal == set(board.legal_orders()["A SPA"]) == {str(order) for order in board.unit_orders("A SPA")}


def test_no_unit_changes_its_kind_where_a_map_does_not_say_so() -> None:
    board = board_of(load_map(), SPRING, FRANCE="A BRE")
    (judged,) = judge_phase(board, {"FRANCE": ["A BRE T F BRE"]}).judged["FRANCE"]
    assert (judged.verdict.text, judged.reason) == ("illegal", "units cannot change their kind on this map")


def test_a_unit_that_changes_its_kind_is_told_in_words() -> None:
    board = board_of(load_map("standard-transform"), SPRING, FRANCE="A BRE", ENGLAND="F ENG", ITALY="A NAP")
    orders = {"FRANCE": ["A BRE T F BRE"], "ENGLAND": ["F ENG - BRE"], "ITALY": ["A NAP T F NAP"]}
    outcome = judge_phase(board, orders)
    assert outcome.phase is Phase.MOVEMENT
    assert {one.order: one.reasons[0].text for one in explanations(outcome)} | {"F ENG - BRE": ""} == {
        "A BRE T F BRE": "attacked by F ENG of England", "A NAP T F NAP": "nobody else attacks it", "F ENG - BRE": "",
    }  # fmt: skip
    assert format_prose(parse_order("A NAP T F NAP", board.map), board.map) == "A Naples Becomes F Naples"


@pytest.mark.parametrize(
    ("years", "dates"),
    [
        ({"first": -2}, ["Spring 2 BC", "Fall 2 BC", "Spring 1 BC"]),
        ({"first": 1425, "step": 10, "fall": 5}, ["Spring 1425", "Fall 1430", "Spring 1435"]),
    ],
)
def test_years_are_called_as_the_map_says(years: dict[str, int], dates: list[str]) -> None:
    game = Game.new(with_rules(years=years))
    told = [game.board.date]
    for _ in range(2):
        game.next()
        told.append(game.board.date)
    assert told == dates
    assert game.phase_name == "S1902M"
    assert "Spring 1" in game.sheet() or years["first"] < 0
    assert Game.new(load_map()).board.date == ""


def test_years_are_read_and_told_as_people_call_them() -> None:
    game = Game.new(with_rules(years={"first": 1425, "step": 10, "fall": 5}))
    text = "Spring 1425\nFrance:\n A PAR - BUR\n\nFall 1430\nFrance:\n A BUR - MUN"
    assert game.read_sheet(text).orders == {"FRANCE": ["A PAR - BUR"]}
    assert list(game.early_orders) == ["F1901M"]
    game.next()
    assert game.orders["FRANCE"] == ["A BUR - MUN"]
    report = make_game_report(game)
    assert (report.heading, report.next_heading) == ("results of Spring 1425, moves", "Fall 1430, moves")
    assert [year.year for year in report.chart] == [1415]
    assert make_phase_document(game, game.history[0]).next_in_words == "Fall 1430, moves"


def test_what_does_not_know_neutral_units_refuses_them_by_name() -> None:
    game_map = neutral_italy()
    with pytest.raises(InputError, match="the map own has neutral units, which arrays do not support"):
        Vocabulary(game_map)
    with pytest.raises(InputError, match="the map own has neutral units, which searches do not support"):
        check_map(game_map)
    with pytest.raises(InputError, match="only be found on maps without rules of their own, but own has neutral units"):
        LineConditions(game_map, frozenset({"ROM"}))
    assert loading.load_line_answerer(game_map, load_rulebook()) is None
    with pytest.raises(InputError, match=r"supports only .*, not standard-transform, which has units that change their kind"):
        Contact("kruijswijk-partial", load_rulebook()).check_maps([load_map("standard-transform")])


@pytest.mark.parametrize("case", ["neutral/1", "transform/1", "half/1"])
def test_there_are_no_certificates_of_them(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, path = f"datc_cases/variants/{case.partition('/')[0]}.txt", tmp_path / "certificate.zip"
    assert run(["resolutions", sheet, "--case", case, "--certificate", str(path)]) == 2
    assert "for which there are no certificates" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("phase", ["movement", "adjustment"])
def test_batch_lines_are_answered_plainly(phase: str) -> None:
    line: dict[str, Any] = {"id": "1", "map": "standard-neutral", "phase": phase, "units": {"ITALY": ["A ROM", "A TUS"]}}
    line |= {"orders": {"ITALY": ["A TUS - PIE" if phase == "movement" else "A TUS D"]}}
    line |= {"centers": {"ITALY": ["ROM"]}} if phase == "adjustment" else {}
    (answer,) = [json.loads(text) for text in Answering(plain_first=0).lines([json.dumps(line).encode()])]
    assert answer["results"] == {"ITALY": ["illegal"]}
    assert answer["units"] == {"ITALY": ["A ROM", "A TUS"]}


@pytest.mark.parametrize("case", ["neutral", "transform", "half"])
def test_what_is_asked_often_is_judged_by_the_same_rules(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_path, "PHASES_BEFORE_TABLES", 0)
    for sheet in load_sheets(Path(f"datc_cases/variants/{case}.txt")):
        game_map = replace(sheet.board.map, cache={})
        board = replace(sheet.board, map=game_map)
        first, later = (judge_phase(board, sheet.orders_by_power()) for _ in range(2))
        expected = [entry.expected for entry in sheet.orders]
        assert [*chain(*first.results.values())] == [*chain(*later.results.values())] == expected
        assert first.next_board == later.next_board


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ({"neutral": {"power": "ATLANTIS"}}, "neutral: there is no power ATLANTIS on the map"),
        ({"neutral": {"power": "ITALY", "supports": {"ROM": "XXX"}}}, "neutral.supports: there is no place XXX"),
        ({"provinces": {"PAR": {"builders": ["ATLANTIS"]}}}, "the builders of PAR: there is no power ATLANTIS"),
        ({"provinces": {"PAR": {"builds_instead": ["ATLANTIS"]}}}, "builds_instead of PAR: there is no power ATLANTIS"),
        ({"years": {"first": 1, "step": 0}}, "years.step: Expected `int` >= 1"),
        ({"victory_needs": ["XXX"]}, "victory_needs: there is no place XXX"),
        ({"power": {"RUSSIA": {"partisans": "XXX"}}}, "partisans: there is no place XXX"),
        ({"provinces": {"MAO": {"half_strength": ["XXX"]}}}, "the borders of MAO at half strength: there is no place XXX"),
    ],
)
def test_rules_that_speak_of_what_is_not_there_are_refused(rules: dict[str, Any], problem: str) -> None:
    with pytest.raises(MapError, match=problem):
        with_rules(**rules)


def test_rules_without_sense_are_problems_of_the_map() -> None:
    game_map = with_rules(provinces={"GAS": {"builders": ["FRANCE"]}}, victory_needs=["BUR"], power={"ITALY": {"victory": 40}})
    assert list_faults(game_map) == [
        "victory_needs: BUR is not a supply centre",
        "builders: GAS is not a supply centre",
        "40 centres win for ITALY, but there are 34",
    ]


def test_rules_are_told_of_a_map_and_written_with_it() -> None:
    game_map = with_rules(
        neutral={"power": "ITALY", "supports": {"ROM": "NAP"}, "rebuilds": True},
        no_retreats=True, victory_needs=["ROM"], years={"first": -480},
        provinces={"BEL": {"builders": ["FRANCE", "ENGLAND"]}}, power={"RUSSIA": {"victory": 15}},
    )  # fmt: skip
    document = described_map(game_map)
    assert document.first_year_called == "480 BC"
    assert document.rules == [
        "France, England may build in BEL",
        "nobody plays Italy: its units hold, and are disbanded if dislodged",
        "the unit in ROM supports the one in NAP to hold",
        "before each Spring, it gets an army in each empty centre that it owns",
        "units that are dislodged are disbanded",
        "15 centres win for Russia",
        "only an owner of ROM can win",
    ]
    again = make_map(tomllib.loads(toml.map_text(game_map.tables or {})), "again.toml")
    assert again.fingerprint == game_map.fingerprint


def test_a_rule_that_a_map_does_not_have_leaves_its_fingerprint() -> None:
    game_map = load_map()
    assert replace(game_map, builds_in_any_home=True).fingerprint != game_map.fingerprint == FINGERPRINT


FINGERPRINT = "5fa12433418da077"
"""That of the standard map in 0.1: saved games and certificates on maps of one's own name them so."""
