"""A game in hand: from the first phase to victory, orders that are legal, files, and the command `satjudge game`."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.playing_out import legal_orders as writable_legal_orders
from helpers.playing_out import small_map, writable_orders
from helpers.scripted_game import SCRIPT, scripted
from helpers.the_package import package
from test_games import FILES, FOLDER, OTHER_RULINGS

from satjudge import Game, Position, judge_phase, load_map, load_rulebook, parse_order, parse_unit, starting_board
from satjudge.apps.cli import run
from satjudge.base.errors import InputError, NotationError, NotFoundError, RequestError, SheetError, UnresolvedError
from satjudge.base.resources import write_atomically
from satjudge.bulk.random_boards.boards import random_phase
from satjudge.engines.replaying import replay
from satjudge.explain.words.verdict_text import iter_notes
from satjudge.files.diplomacy_package import COMPLETED, load_games, read_file
from satjudge.judging.legal_orders import PhaseOrders, UnitOrders, legal_orders
from satjudge.world.board import Board, Phase, Season, Turn, Unit
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Move, Order
from satjudge.world.seasons import adjustments_due

# ---------------------------------------------------------------- a game of 1901 to 1903


def test_a_game_of_three_years_with_a_typo_a_paradox_a_retreat_a_removal_and_a_missing_order() -> None:
    game = scripted()
    names = [played.phase_name for played in game.history]
    assert names[:6] == ["S1901M", "F1901M", "W1901A", "S1902M", "S1902R", "F1902M"]
    assert game.phase_name == "S1904M"
    assert game.at("S1901M").missing_orders == {"TURKEY": ["F ANK", "A SMY"]}
    assert game.at("S1901M").missing_remarks == ["Turkey gives no order to F ANK, A SMY: hold."]
    with pytest.warns(DeprecationWarning, match="use missing_remarks"):
        assert game.at("S1901M").told_missing == game.at("S1901M").missing_remarks
    assert game.judge("W1901A").results["AUSTRIA"] == ["succeeds"]
    moves = game.judge("S1902M")
    assert moves.results["FRANCE"] == ["fails", "disrupted, dislodged", "stands"]
    assert game.resolutions("S1902M").count != 1
    assert "4.A.2" in str(game.explain("F LON", phase="S1902M")) + str(game.explain("A PIC", phase="S1902M"))
    assert "IRI is open to it" in str(game.explain("F ENG R IRI", phase="S1902R"))
    assert "F ALB is one of its units" in str(game.explain("F ALB D", phase="W1901A"))
    assert [str(lost.unit) for lost in game.at("S1902R").board.dislodged] == ["F ENG"]  # A BUD was destroyed
    assert game.judge("W1902A").automatic == {"ENGLAND": (Unit("ENGLAND", UnitKind.FLEET, "ENG"),)}  # type: ignore[union-attr]
    assert "England leaves 1 removal unordered: civil disorder removes the units (4.D.8)." in game.at("W1902A").missing_remarks
    with pytest.raises(NotationError, match="did you mean Burgundy"):
        game.order("FRANCE", "A PAR - Bugundy")


def replayed_by_the_package(game: Game) -> None:
    """The package comes from each phase of the saved game to the same position."""
    document = json.loads(json.dumps(game.document()))
    following = document["phases"][1:]
    for phase, after in zip(package({"replay": document})["phases"], following, strict=True):
        state = after["state"]
        units = {power: sorted(unit for unit in units if unit[0] != "*") for power, units in state["units"].items()}
        assert phase["units"] == units, after["name"]
        assert phase["centers"] == {power: sorted(codes) for power, codes in state["centers"].items()}, after["name"]
        assert after["name"] in (phase["phase"], COMPLETED)


def test_the_package_loads_and_replays_it(tmp_path: Path) -> None:
    game = scripted()
    game.save(tmp_path / "g.json")
    found = package({"load": json.loads((tmp_path / "g.json").read_text())})
    assert found["phase"] == "S1904M"
    assert found["history"]["S1902M"]["FRANCE"] == SCRIPT["S1902M"]["FRANCE"]
    replayed_by_the_package(game)
    (saved,) = load_games(tmp_path / "g.json")
    assert all(phase.is_same for phase in replay(saved, load_rulebook()))


def at_random(game: Game, seed: int, phases: int) -> Game:
    """Played on with legal orders to everything that can be ordered, until it is over or so many phases were played."""
    random = Random(seed)
    while not game.is_over and len(game.history) < phases:
        listed = legal_orders(game.board, game.rulebook)
        due = adjustments_due(game.board) if game.board.phase is Phase.ADJUSTMENT else {}
        for power, of in listed.items():
            chosen = [random.choice(orders) for orders in of.values()]
            if due:  # just as many as are due, so that nobody is in civil disorder
                random.shuffle(chosen)
                chosen = chosen[: abs(due[power])]
            game.set_orders(power, chosen)
        game.next()
    return game


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_random_games_to_victory_replay_in_the_package(seed: int, tmp_path: Path) -> None:
    """By `datc-2`, as in the package (4.A.3)."""
    game = at_random(Game.new(rulebook="datc-2", name=f"seed {seed}", victory=8), seed, 300)
    assert game.ending is not None
    assert game.ending.how == "victory"
    assert game.centers[game.ending.winners[0]] >= 8
    game.save(tmp_path / "g.json")
    assert Game.load(tmp_path / "g.json").document() == game.document()
    replayed_by_the_package(game)
    assert package({"load": game.document()})["phase"] == COMPLETED


@pytest.mark.parametrize("name", ["colonial", "loeb9", "chaos", "1898"])
def test_other_maps_are_played_and_saved(name: str, tmp_path: Path) -> None:
    game = at_random(Game.new(name, "datc-2"), 1, 12)
    assert len(game.history) == 12
    game.save(tmp_path / "g.json")
    again = Game.load(tmp_path / "g.json")
    assert again.map is load_map(name)
    assert (again.document(), again.rulebook) == (game.document(), game.rulebook)
    (saved,) = load_games(tmp_path / "g.json")
    assert [phase.different for phase in replay(saved, game.rulebook) if not phase.is_same] == []


def test_chaos_begins_with_builds() -> None:
    """It places no units: its 34 powers build them (DATC 2.4, 11)."""
    game = Game.new("chaos")
    assert (game.phase_name, len(game.orderable)) == ("W1900A", 34)
    game.next()
    assert game.phase_name == "S1901M"


def test_a_unit_that_a_power_is_called_like_is_a_unit() -> None:
    """jDip calls the power of Ankara `A ank`, and satjudge took the army for it."""
    assert str(parse_unit("A ANK", "SMYRNA", load_map("chaos"))) == "A ANK"


# ---------------------------------------------------------------- legal orders


@pytest.mark.parametrize("name", ["standard", "colonial", "loeb9"])
def test_every_order_listed_is_legal(name: str) -> None:
    random = Random(name)
    listed = 0
    for rules in ("datc-3", "datc-2", "1982"):
        for _ in range(4):
            board, _ = random_phase(random, units=(4, 14), game_map=load_map(name))
            for power, of in legal_orders(board, rules).items():
                for order in (order for orders in of.values() for order in orders):
                    assert judge_phase(board, {power: [order]}, rulebook=rules).reasons[power] == [None], (board, order)
                    assert parse_order(str(order), board.map, board.phase) == order
                    listed += 1
    assert listed > 1000


def test_nothing_that_the_judge_finds_legal_is_missing_on_small_maps() -> None:
    """But `VIA` to a neighbour where no fleets could convoy: some rulebooks allow it, and it means nothing there."""
    random, compared = Random(4), 0
    for number in range(25):
        rules = load_rulebook(("datc-3", "datc-2", "1971")[number % 3])
        game_map = small_map(random)
        places = [(kind, place) for kind in UnitKind for place in game_map.provinces if not game_map.problem_with(kind, place)]
        chosen = {place: Unit(random.choice(("OURS", "FIRST")), kind, place) for kind, place in random.sample(places, 4)}
        board = Board(tuple(chosen.values()), map=game_map)
        listed = {what: set(orders) for of in legal_orders(board, rules).values() for what, orders in of.items()}
        for unit in board.units:
            found = set(writable_legal_orders(board, unit, rules))
            missing = found - listed[str(unit)]
            assert listed[str(unit)] <= found
            assert all(isinstance(order, Move) and order.via_convoy for order in missing), missing
            assert len(found) <= len(list(writable_orders(board, unit)))
            compared += len(found)
    assert compared > 500


def test_what_can_be_ordered_is_found_by_its_unit_or_its_place() -> None:
    game = Game.new()
    assert game.orderable["FRANCE"] == ["F BRE", "A MAR", "A PAR"]
    for what in ("A PAR", "PAR", "paris", "a par"):
        assert "A PAR - BUR" in game.legal_orders(what)
    assert game.legal_orders("STP") == game.legal_orders("F STP/SC")
    assert len(game.legal_orders()) == 22
    for what, hint in (("BUR", "there are orders for A BUD, .*F BRE"), ("A Prs", r"did you mean A PAR\?\)$")):
        with pytest.raises(NotFoundError, match=rf"'{what}' has no orders in S1901M \({hint}"):
            game.legal_orders(what)


@pytest.mark.parametrize(("asked", "there"), [("A LON", "F LON"), ("f par", "A PAR"), ("A St Petersburg", "F STP/SC")])
def test_orders_are_not_listed_of_a_unit_of_the_other_kind(asked: str, there: str) -> None:
    with pytest.raises(NotFoundError, match=rf"'{asked}' has no orders in S1901M \({there} is there\)"):
        Game.new().legal_orders(asked)


def test_a_phase_that_there_is_not_is_told_with_those_that_there_are() -> None:
    game = Game.new()
    with pytest.raises(NotFoundError, match=r"there is no phase 'S1999M' in this game \(there is S1901M\)"):
        game.phases["S1999M"]
    game.next()
    with pytest.raises(KeyError) as caught:
        game.phases["S1999M"]
    assert str(caught.value) == "there is no phase 'S1999M' in this game (there are S1901M, F1901M)"
    assert "S1999M" not in game.phases
    assert game.phases.get("S1999M") is None


def test_the_convoys_of_1901_are_listed() -> None:
    game = Game.new()
    game.order("ENGLAND", "F EDI - NTH", "A LVP - YOR")
    game.next()
    assert "A YOR - NWY VIA" in game.legal_orders("A YOR")
    assert "F NTH C A YOR - NWY" in game.legal_orders("F NTH")
    assert "A YOR - HOL VIA" in game.board.legal_orders()["A YOR"]


# ---------------------------------------------------------------- orders


def test_an_order_takes_the_place_of_the_one_before_it_to_the_same_unit() -> None:
    game = Game.new()
    assert game.order("France", "A PAR - BUR", "F BRE H") == ["A PAR - BUR", "F BRE H"]
    assert game.order("FRANCE", "Army Paris supports Marseilles - Burgundy") == ["F BRE H", "A PAR S A MAR - BUR"]
    assert game.set_orders("FRANCE", ["A MAR - BUR"]) == ["A MAR - BUR"]
    game.clear_orders("FRANCE")
    assert game.orders == {}


def test_many_orders_to_one_unit_are_read_one_by_one() -> None:
    """With the square of their number, 4,000 would take half a minute."""
    game, began = Game.new(), time.process_time()
    told = game.read_sheet("France:\n" + "A Par - Bur\nA Par - Pic\n" * 2_000).remarks
    assert time.process_time() - began < 5
    assert game.orders == {"FRANCE": ["A PAR - PIC"]}
    assert len(told) == 3_999
    assert set(told) == {f"FRANCE: A PAR - {a} replaces A PAR - {b}" for a, b in (("BUR", "PIC"), ("PIC", "BUR"))}


def test_of_two_orders_to_one_unit_at_once_the_later_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, sheet = str(tmp_path / "g.json"), tmp_path / "mail.txt"
    sheet.write_text("France:\nA PAR - PIC\nA MAR H\nPAR - BUR\nA MAR H", encoding="utf-8")
    held = Game.new()
    assert held.set_orders("FRANCE", ["A PAR - PIC", "A MAR H", "A PAR - BUR"]) == ["A MAR H", "A PAR - BUR"]
    Game.new().save(Path(file))
    for arguments in (["--sheet", str(sheet)], ["FRANCE", "A PAR - PIC", "A PAR - BUR"]):
        assert run(["game", "order", file, *arguments]) == 0
        assert capsys.readouterr().err == "FRANCE: A PAR - BUR replaces A PAR - PIC\n"
        assert sorted(Game.load(file).orders["FRANCE"]) == ["A MAR H", "A PAR - BUR"]
    assert run(["game", "order", file, "FRANCE", "--sheet", str(sheet)]) == 0  # a player's: which one is meant?
    assert "mail.txt:4: PAR - BUR is not certain: A PAR - PIC in line 2 is for the same unit" in capsys.readouterr().err
    assert Game.load(file).orders["FRANCE"] == ["A MAR H"]
    assert run(["game", "order", file, "TURKEY", "--sheet", str(sheet)]) == 2
    assert "mail.txt:1:1: this heading is for France" in capsys.readouterr().err
    sheet.write_text("A CON - BUL", encoding="utf-8")
    assert run(["game", "order", file, "TURKEY", "--sheet", str(sheet)]) == 0
    assert Game.load(file).orders["TURKEY"] == ["A CON - BUL"]


def test_orders_that_cannot_be_read_leave_the_others_as_they_were() -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR - BUR")
    for power, order in (("FRANCE", "A PAR - Bugundy"), ("FRENCH REPUBLIC", "A PAR - PIC")):
        with pytest.raises(NotationError):
            game.order(power, "A MAR H", order)
    assert game.orders == {"FRANCE": ["A PAR - BUR"]}


def test_all_errors_of_a_sheet_are_told_at_once() -> None:
    game = Game.new()
    with pytest.raises(SheetError) as told:
        game.read_sheet("France:\n  A PRA - BUR\n  A MAR H\nGermny:\n  A MUN - BUR\n  F KIE - DNE\n", source="o.txt")
    lines = str(told.value).split("\n")
    assert [line.strip().partition(": ")[0] for line in lines[1:]] == ["o.txt:2:5", "o.txt:4:1", "o.txt:6:11"]
    assert game.orders == {}
    game.read_sheet("France:\n  A PAR - BUR\nGermany: A MUN H\n")
    assert game.orders == {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN H"]}


def test_illegal_orders_are_taken_and_told() -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR - LON", "A MAR H")
    assert list(game.illegal_orders["FRANCE"]) == ["A PAR - LON"]
    assert game.next().results["FRANCE"] == ["illegal", "stands"]


def test_builds_that_may_not_be_declined_are_told_and_not_judged() -> None:
    """4.D.7 b: the rulebook has no answer to builds that are not ordered."""
    game = scripted().fork("W1901A")
    game.rulebook = load_rulebook().with_settings(["4.D.7=refused"])
    game.clear_orders()
    game.order("FRANCE", "F BRE B")
    assert game.illegal_orders == {}
    assert "the rulebook does not say what is built (4.D.7)." in " ".join(game.at().missing_remarks)
    with pytest.raises(UnresolvedError):
        game.next()
    assert game.phase_name == "W1901A"


def test_what_is_due_is_counted_in_winter_alone() -> None:
    """France may build two, as Brest is taken; England must remove one."""
    units = {"FRANCE": ["A BRE", "A GAS"], "ENGLAND": ["F LON", "F NTH", "A YOR"], "ITALY": ["A ROM"]}
    owners = {"BRE": "FRANCE", "PAR": "FRANCE", "MAR": "FRANCE", "SPA": "FRANCE", "POR": "FRANCE"}
    owners |= {"LON": "ENGLAND", "LVP": "ENGLAND", "ROM": "ITALY"}
    standing = tuple(parse_unit(text, power, load_map()) for power, texts in units.items() for text in texts)
    winter = Game.new(board=Board(standing, centers=owners, phase=Phase.ADJUSTMENT, turn=Turn(1901, Season.FALL)))
    assert winter.due == {"FRANCE": 2, "ENGLAND": -1}
    assert Game.new().due == {}


def test_what_becomes_of_missing_orders_is_told_as_the_rulebook_has_it() -> None:
    game = Game.new(rulebook="1971")
    (told,) = [line for line in game.at().missing_remarks if line.startswith("France")]
    assert told.startswith("France gives no orders (civil disorder, 4.D.9): F BRE, A MAR, A PAR hold")
    refused = load_rulebook().with_settings(["4.D.9=refused"])
    assert all(line.endswith(" hold, cannot be supported.") for line in Game.new(rulebook=refused).at().missing_remarks)
    assert [line for line in Game.new().at().missing_remarks if line.endswith("supported.")] == []


def test_many_powers_in_civil_disorder_are_told_in_one_sentence() -> None:
    game = Game.new("loeb9", rulebook=load_rulebook().with_settings(["4.D.9=refused"]))
    game.order("FRANCE", "F BRE H")
    assert game.at().missing_remarks == [
        "France gives no order to A MAR, A PAR: hold.",
        "Austria, England, Germany, Italy, Russia, Turkey, Norway and Spain give no orders (civil disorder, 4.D.9): "
        "all their units hold, cannot be supported.",
    ]


def test_while_orders_come_in_one_sentence_names_all_who_gave_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "g.json")
    told(capsys, "new", path, "--rules", "1982")
    assert [line for line in told(capsys, "order", path, "FRANCE", "F BRE - MAO").splitlines() if line.startswith("With")] == [
        "With these orders: France gives no order to A MAR, A PAR: hold.",
        "With these orders: Austria, England, Germany, Italy, Russia and Turkey give no orders (civil disorder): "
        "all their units hold, are disbanded if dislodged.",
    ]
    assert told(capsys, "next", path).count("gives no orders (civil disorder)") == 6


def test_builds_that_many_powers_leave_unused_are_told_in_one_sentence() -> None:
    game = Game.new("chaos")
    game.order("PARIS", "WAIVE")
    (told,) = game.at().missing_remarks
    assert told.startswith("Builds are left unordered by Ankara (1), Belgium (1), ")
    assert told.endswith("Warsaw (1): waived (4.D.7).")
    played = game.next()
    (own, all_others) = [line for line in iter_notes(played) if "unused" in line]
    assert own == "Paris leaves 1 build unused (1 declined)."
    assert all_others.startswith("These powers leave builds unused: Budapest (1), Trieste (1), ")
    assert all_others.count("(1)") == 33


# ---------------------------------------------------------------- going on and back


def test_undo_gives_the_phase_back_with_its_orders() -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR - BUR")
    before = game.document()
    game.next()
    assert game.undo() == "S1901M"
    assert game.document() == before
    with pytest.raises(InputError, match="there is no phase before S1901M"):
        game.undo()


def test_a_phase_goes_by_what_people_call_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = scripted()
    for said, found in (
        ("Fall 1901", "F1901M"),
        ("spring 1902 retreats", "S1902R"),
        ("winter 1902", "W1902A"),
        ("s1903", "S1903M"),
    ):
        assert game.at(said).phase_name == found
        assert game.fork(said).phase_name == found
    assert "IRI is open to it" in str(game.explain("F ENG R IRI", phase="spring 1902 retreats"))
    with pytest.raises(NotFoundError, match="there is no phase 'Winter' in this game"):
        game.at("Winter")  # there are several
    game.save(tmp_path / "g.json")
    shown = []
    for option, said in (("--phase", "F1901M"), ("--case", "fall 1901")):
        for command in ("show", "report", "export"):
            assert run(["game", command, str(tmp_path / "g.json"), option, said]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "F1901M" in shown[0]


def test_the_star_of_a_dislodged_unit_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    meaning = "* marks a dislodged unit, which must retreat or disband."
    for phase in ("S1902M", "S1902R"):
        scripted().fork(phase).save(tmp_path / f"{phase}.json")
        assert run(["game", "show", str(tmp_path / f"{phase}.json")]) == 0
        shown = capsys.readouterr().out
        assert ("*F ENG" in shown, meaning in shown.splitlines()) == ((True, True) if phase == "S1902R" else (False, False))


def test_a_fork_is_a_game_of_its_own() -> None:
    game = scripted()
    branch = game.fork("F1901M", name="other")
    assert (branch.phase_name, branch.orders["FRANCE"]) == ("F1901M", SCRIPT["F1901M"]["FRANCE"])
    branch.clear_orders()
    branch.next()
    assert (game.phase_name, len(game.history)) == ("S1904M", len(scripted().history))
    with pytest.raises(NotFoundError, match=r"there is no phase 'S1950M' in this game \(there are S1901M, "):
        game.fork("S1950M")


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        (["France", "TURKEY"], "a draw of FRANCE, TURKEY"),
        (["FRANCE"], "all concede to FRANCE"),
        ([], "nobody has won"),
    ],
)
def test_a_game_is_ended_and_reopened(winners: list[str], told: str, tmp_path: Path) -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR - BUR")
    assert str(game.end(*winners)) == told
    for going_on in (game.next, game.draw, lambda: game.order("FRANCE", "A PAR H")):
        with pytest.raises(InputError, match=f"the game is over: {told}"):
            going_on()
    with pytest.raises(InputError, match="the game is over"):
        game.judge()
    game.save(tmp_path / "g.json")
    again = Game.load(tmp_path / "g.json")
    assert (again.phase_name, again.ending, again.legal_orders()) == (COMPLETED, game.ending, {})
    assert package({"load": again.document()})["phase"] == COMPLETED
    assert again.undo() == "S1901M"
    assert again.orders == {"FRANCE": ["A PAR - BUR"]}


def test_a_draw_is_one_of_those_that_are_left() -> None:
    game = Game.new()
    assert game.draw().winners == load_map().powers


@pytest.mark.parametrize(("owned", "winner"), [(16, None), (17, "FRANCE")])
def test_victory_is_the_maps_number_of_centres(owned: int, winner: str | None) -> None:
    """18 of 34; 17 win nothing."""
    start = Game.new().board
    free, *others = sorted(code for code in start.map.centers if code in start.map.army)
    army = Unit("FRANCE", UnitKind.ARMY, free)
    game = Game.new(board=Board((army,), centers=dict.fromkeys(others[:owned], "FRANCE"), map=start.map))
    game.next()
    assert (game.phase_name, game.ending) == ("F1901M", None)
    game.next()
    assert game.centers["FRANCE"] == owned + 1
    assert (game.ending.winners if game.ending else ()) == ((winner,) if winner else ())
    assert game.phase_name == (COMPLETED if winner else "W1901A")
    assert game.undo() == "F1901M"
    assert game.ending is None


def test_nobody_wins_in_spring() -> None:
    start = Game.new().board
    owned = dict.fromkeys(sorted(start.map.centers)[:20], "FRANCE")
    game = Game.new(board=Board((), centers=owned, map=start.map))
    game.next()
    assert (game.phase_name, game.ending) == ("F1901M", None)
    game.next()
    assert str(game.ending) == "FRANCE has won"


def test_a_rulebook_without_an_answer_leaves_the_game_where_it_is() -> None:
    game = scripted().fork("S1902M")
    game.rulebook = load_rulebook().with_settings(["4.A.2=none"])
    before = game.document()
    with pytest.raises(UnresolvedError):
        game.next()
    assert game.document() == before


# ---------------------------------------------------------------- files


def test_a_game_on_a_map_of_ones_own_is_kept_whole(tmp_path: Path) -> None:
    source = tmp_path / "mine.toml"
    source.write_text('name = "mine"\ntitle = "Mine"\nbased_on = "standard"\nvictory = 5\n', encoding="utf-8")
    game = Game.new(source)
    game.next()
    game.save(tmp_path / "g.json")
    source.unlink()
    again = Game.load(tmp_path / "g.json")
    assert (again.map.name, again.map.victory, again.phase_name) == ("mine", 5, "F1901M")
    assert again.map is Game.load(tmp_path / "g.json").map
    assert run(["replay", str(tmp_path / "g.json")]) == 0  # every command that takes a saved game finds the map in it


def test_settings_of_the_rulebook_are_kept(tmp_path: Path) -> None:
    rules = load_rulebook("1982").with_settings(["4.A.2=szykman"])
    Game.new(rulebook=rules).save(tmp_path / "g.json")
    assert Game.load(tmp_path / "g.json").rulebook.settings() == rules.settings()


EMPTY = '{"name": "S1901M", "state": {"name": "S1901M", "units": {}}}'
EMPTY_GAME = f'{{"phases": [{EMPTY}]}}'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("France:\n  A PAR H\n", "this is an order sheet, not a saved game.*then enter the sheet with `satjudge game order"),
        ("", "this is an order sheet, not a saved game"),
        ('{"phases": [{"name": "S1901M"}]}', "not a saved game"),
        ('{"phases": []}', "the saved game has no phases"),
        (EMPTY_GAME.replace("S1901M", "X"), "there is no phase 'X'"),
        (EMPTY_GAME.replace("]}", '], "map": "modern"}'), "no map named 'modern'"),
        (EMPTY_GAME.replace("]}", '], "satjudge": 3}'), "not a saved game"),
        (EMPTY_GAME.replace("{}", '{"FRANCE": ["A PRA"]}'), "units of FRANCE"),
        (EMPTY_GAME.replace("]}", '], "satjudge": {"map": {"a": 1}}}'), "the map of the game"),
        (EMPTY_GAME.replace("]}", '], "satjudge": {"map": {"based_on": "standard", "province": {"PAR": 3}}}}'), "province"),
        (EMPTY_GAME.replace("]}", '], "satjudge": {"rules": "/etc/passwd"}}'), "no rulebook '/etc/passwd'"),
        (EMPTY_GAME.replace("]}", '], "satjudge": {"ended": {"how": "x"}}}'), "not a saved game: Invalid enum value 'x'"),
        (EMPTY_GAME.replace("}}]", '}, "orders": {"XX": ["A PAR H"]}}]'), "orders of 'XX': there is no such power"),
        ('{"phases": [', "not a saved game"),
    ],
)
def test_a_file_that_is_no_game_is_refused_in_words(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message) as told:
        Game.load(path)
    assert str(path) in str(told.value)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.json"
    write_atomically(path, b"old")
    path.chmod(0o640)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(InputError, match="No space left"):
            Game.new().save(path)
    assert (path.read_bytes(), os.listdir(tmp_path)) == (b"old", ["g.json"])
    Game.new().save(path)
    assert path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(InputError, match="cannot write"):
        Game.new().save(tmp_path / "no" / "g.json")


def test_values_are_short_where_they_are_shown() -> None:
    game = scripted()
    assert repr(Game.new()).startswith("<Game: standard, datc-3; S1901M; RUSSIA 4, AUSTRIA 3, ")
    assert all(len(repr(value)) < 300 for value in (game, game.at("S1901M"), game.history[-1]))
    assert "><svg" in game._repr_html_()


# ---------------------------------------------------------------- published games


def published(file: str) -> dict[str, bytes]:
    """The games of a file, each as the lines of its phases."""
    path = FOLDER / f"{file}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no real games at {path}: SATJUDGE_GAMES may name the folder that holds them")
    games: dict[str, bytes] = {}
    for line in read_file(path).splitlines(keepends=True):
        name = json.loads(line)["game"]
        games[name] = games.get(name, b"") + line
    return games


DIFFERING = {file: sum(ruling.file == file for ruling in OTHER_RULINGS) for file in FILES}
"""Phases after which the platform has other units, because it judged by another rule."""


@pytest.mark.parametrize("file", FILES)
@pytest.mark.slow
def test_published_games_are_imported_stepped_through_and_saved_unchanged(file: str) -> None:
    games = published(file)
    assert len(games) == {"cicero_webdip": 41, "backstabbr": 12, "dipcc_misc": 9}[file]
    differing = 0
    for name, data in games.items():
        game = Game.read(data, file)
        document = game.document()
        again = Game.read(json.dumps(document).encode(), "again")
        assert again.document() == document
        assert [played.board for played in again.history] == [played.board for played in game.history]
        boards = [*(played.board for played in game.history), game.board]
        for played, after in zip(game.history, boards[1:], strict=True):
            step = Game.new(board=played.board, rulebook=game.rulebook)
            step._orders = {power: list(orders) for power, orders in played.orders.items()}
            step.next()
            assert step.board.phase_name == after.phase_name, (name, played.phase_name)
            differing += set(step.board.units) != set(after.units)
    assert differing == DIFFERING[file]


# ---------------------------------------------------------------- the command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["game", *arguments]) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


def in_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:  # noqa: ANN401
    return json.loads(told(capsys, *arguments, "--json"))


def sheets() -> Iterator[tuple[str, str]]:
    for phase, orders in SCRIPT.items():
        yield phase, "\n".join(line for power, given in orders.items() for line in (f"{power.title()}:", *given))


@pytest.mark.usefixtures("folder")
def test_the_game_of_three_years_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert "S1901M" in told(capsys, "new", "g.json", "--name", "scripted")
    orders = dict(sheets())
    phase = "S1901M"
    assert "did you mean" in told(capsys, "order", "g.json", "FRANCE", "A PAR - Pic", "F BRE - ENH", code=2)
    while phase != "S1904M":
        if phase in orders:
            Path("o.txt").write_text(orders[phase], encoding="utf-8")
            told(capsys, "order", "g.json", "--sheet", "o.txt")
        phase = in_json(capsys, "next", "g.json")["next"]
    assert Game.load("g.json").document() == scripted().document()
    shown = told(capsys, "show", "g.json", "--phase", "S1902M")
    assert "A paradox: " in shown
    assert "Backup rule" not in shown
    assert "Backup rule szykman" in told(capsys, "show", "g.json", "--phase", "S1902M", "--details")
    assert in_json(capsys, "undo", "g.json")["phase"] == Game.load("g.json").phase_name == scripted().history[-1].phase_name


@pytest.mark.usefixtures("folder")
def test_orders_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "new", "g.json")
    shown = in_json(capsys, "order", "g.json", "France", "A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - PAR")
    assert shown["orders"] == {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - PAR"]}
    assert list(shown["illegal"]["FRANCE"]) == ["F BRE - PAR"]
    assert shown["missing"]["TURKEY"] == ["F ANK", "A CON", "A SMY"]
    errors = told(capsys, "order", "g.json", "FRANCE", "A PAR - BRUR", "F BRE H", "A MAR - X", code=2)
    assert [line.partition(": ")[0].strip() for line in errors.splitlines()[1:]] == ["order:1:9", "order:3:9"]
    assert in_json(capsys, "order", "g.json", "FRANCE", "--clear", "A PAR H")["orders"] == {"FRANCE": ["A PAR H"]}
    assert "A PAR S F BRE - PIC" in told(capsys, "show", "g.json", "--legal", "PAR").splitlines()
    assert "give POWER and its orders" in told(capsys, "order", "g.json", code=2)


@pytest.mark.usefixtures("folder")
def test_illegal_orders_of_other_powers_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "new", "g.json")
    assert "Turkey: A CON - LON is illegal" in told(capsys, "order", "g.json", "Turkey", "A CON - LON", "A SMY - LON")
    shown = told(capsys, "order", "g.json", "FRANCE", "A PAR - LON")
    assert "France: A PAR - LON is illegal" in shown
    assert "Turkey: A CON - LON is illegal" not in shown
    assert "2 orders of other powers are illegal" in shown
    assert "Turkey: A CON - LON is illegal" in told(capsys, "show", "g.json")
    assert set(in_json(capsys, "order", "g.json", "FRANCE", "A PAR - LON")["illegal"]) == {"FRANCE", "TURKEY"}
    assert "Turkey: A CON - LON is illegal" in told(capsys, "order", "g.json", "TURKEY", "--take-back", "A SMY")


HEAD = b"From: bob@example.org\nMIME-Version: 1.0\n"
MAILS = {
    "an old encoding": "France:\nArmée Paris - Picardie".encode("cp1252"),
    "UTF-16": "France:\nArmée Paris - Picardie".encode("utf-16"),
    "quoted-printable": HEAD + b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    b"France:\nArm=C3=A9e Paris =3D=\n> Picardie\n",
    "base64": HEAD
    + b"Content-Type: text/plain;\n charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    + base64.encodebytes("France:\nArmée Paris - Picardie".encode()),
    "parts": HEAD + b'Content-Type: multipart/alternative; boundary="XX"\n\n--XX\n'
    b"Content-Type: text/plain; charset=iso-8859-1\n\nFrance:\nArm\xe9e Paris - Picardie\n--XX\n"
    b"Content-Type: text/html\n\n<p>France: A PAR H</p>\n--XX--\n",
    "an unknown charset": HEAD + b"Content-Type: text/plain; charset=klingon\n\nFrance:\nArm\xe9e Paris - Picardie\n",
}


@pytest.mark.parametrize("mail", MAILS)
def test_mail_is_read_as_it_comes(mail: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "m.eml").write_bytes(MAILS[mail])
    Game.new().save(folder / "g.json")
    assert run(["game", "order", "g.json", "--sheet", "m.eml"]) == 0
    assert "m.eml: " in capsys.readouterr().err
    assert Game.load(folder / "g.json").orders == {"FRANCE": ["A PAR - PIC"]}


def test_a_mail_without_text_is_an_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "new", "g.json")
    (folder / "m.eml").write_bytes(HEAD + b"Content-Type: text/html\n\n<p>France: A PAR H</p>\n")
    assert "contains no plain text" in told(capsys, "order", "g.json", "--sheet", "m.eml", code=2)
    (folder / "m.eml").write_bytes(b"France: A PAR H\0")
    assert "not a text file" in told(capsys, "order", "g.json", "--sheet", "m.eml", code=2)


@pytest.mark.usefixtures("folder")
def test_files_of_games_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "new", "g.json", "--rules", "datc-2", "--map", "loeb9", "--victory", "9")
    assert "already exists" in told(capsys, "new", "g.json", code=2)
    told(capsys, "order", "g.json", "FRANCE", "A PAR - BUR")
    told(capsys, "next", "g.json")
    assert in_json(capsys, "fork", "g.json", "k.json", "--phase", "S1901M")["orders"] == {"FRANCE": ["A PAR - BUR"]}
    assert Game.load("k.json").victory == 9
    told(capsys, "export", "g.json", "--format", "saved", "-o", "s.json")
    told(capsys, "import", "s.json", "i.json")
    assert Game.load("i.json").document() == Game.load("g.json").document()
    lines = [json.loads(line) for line in told(capsys, "export", "g.json", "--format", "batch").splitlines()]
    assert [(line["id"], line["map"], line["rules"]) for line in lines] == [
        ("g/S1901M", "loeb9", "datc-2"),
        ("g/F1901M", "loeb9", "datc-2"),
    ]
    Path("sheet.txt").write_text(told(capsys, "export", "g.json", "--phase", "S1901M"), encoding="utf-8")
    assert run(["judge", "sheet.txt", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cases"][0]["results"] == {"FRANCE": ["succeeds"]}
    assert "a draw of" in told(capsys, "end", "g.json", "--draw")
    assert "the game is over" in told(capsys, "next", "g.json", code=2)
    assert "not a saved game" in told(capsys, "show", "sheet.txt", code=2)


def test_a_sheet_of_a_phase_has_the_retreats_below_the_moves(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = scripted()
    assert game.sheet("S1902R") == game.sheet("S1902M")
    (folder / "s.txt").write_text(game.sheet("S1902R"), encoding="utf-8")
    assert run(["judge", "s.txt", "--json"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["retreats"]["results"]["FRANCE"] == ["succeeds"]


@pytest.mark.parametrize("name", ["new", "show", "order", "next", "report", "undo", "fork", "end", "export", "import"])
def test_each_command_shows_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"satjudge game {name}" in " ".join(told(capsys, name, "--help").partition("Example")[2].split())


def test_what_the_package_saves_stays_as_it_was_and_is_played_on() -> None:
    """Messages, and what only the package knows of a position, are kept; phases that were played are the same to the letter."""
    saved = package({"seeds": [3], "years": 2})["games"][0]
    saved["phases"][-1]["messages"] = [{"sender": "FRANCE", "recipient": "ITALY", "phase": "S1903M", "message": "?"}]
    game = Game.from_saved(saved, rulebook="datc-2")
    document = game.document()
    assert document["phases"][:-1] == saved["phases"][:-1]
    last, before = document["phases"][-1], saved["phases"][-1]
    assert last["messages"] == before["messages"]
    assert last["state"].keys() == before["state"].keys()
    assert Game.from_saved(json.dumps(document)).document() == document
    game.next()
    assert game.document()["phases"][-2]["messages"] == before["messages"]
    game.undo()
    assert game.document() == document
    game.undo()
    game.undo()
    assert game.document()["phases"][-1]["orders"] == saved["phases"][-3]["orders"]


def test_a_packed_file_with_several_games_asks_which(folder: Path) -> None:
    one, other = Game.new(name="one"), Game.new(name="other")
    lines = "\n".join(json.dumps(game.document()) for game in (one, other))
    (folder / "g.jsonl").write_bytes(gzip.compress(lines.encode()))
    with pytest.raises(RequestError, match=r"it holds 2 games: choose one \(there are one, other\)"):
        Game.load(folder / "g.jsonl")
    assert Game.load(folder / "g.jsonl", game="other").name == "other"


def test_a_file_of_many_games_tells_all_names_and_how_to_choose(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "\n".join(json.dumps(Game.new(name=f"game{number}").document()) for number in range(12))
    (folder / "g.jsonl").write_text(lines, encoding="utf-8")
    shown = told(capsys, "import", "g.jsonl", "g.json", code=2)
    assert "choose one (use --game ID; there are game0, " in shown
    assert "`satjudge game import g.jsonl --list` lists all" in shown
    assert told(capsys, "import", "g.jsonl", "--list").split() == [f"game{number}" for number in range(12)]
    assert json.loads(told(capsys, "import", "g.jsonl", "--list", "--json"))[-1] == "game11"
    told(capsys, "import", "g.jsonl", code=2)
    told(capsys, "import", "g.jsonl", "g.json", "--game", "game11")
    assert Game.load("g.json").name == "game11"


OF_ANOTHER_PHASE = {"Build F Kie": "F KIE B", "A Mun R Bur": "A MUN R BUR", "Remove A Mun": "A MUN D", "Waive": "WAIVE"}


@pytest.mark.parametrize("text", OF_ANOTHER_PHASE)
def test_an_order_of_another_phase_takes_the_place_of_none(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "new", "g.json")
    given = ["F KIE - DEN", "A MUN - BUR"]
    (folder / "o.txt").write_text(f"Germany:\n{given[0]}\n{given[1]}\n{text}\n", encoding="utf-8")
    assert run(["game", "order", "g.json", "--sheet", "o.txt"]) == 0
    said = f"{OF_ANOTHER_PHASE[text]} is not a valid order in a movement phase"
    assert f"refused: o.txt:4: {said}" in capsys.readouterr().err
    assert Game.load("g.json").orders == {"GERMANY": given}
    assert said in told(capsys, "order", "g.json", "GERMANY", text, code=2)
    game = Game.load("g.json")
    refusing: list[Callable[[str], object]] = [
        lambda text: game.order("GERMANY", text),
        lambda text: game.set_orders("GERMANY", [text]),
        lambda text: game.read_message("GERMANY", text, unreadable="raise"),
    ]
    for giving in refusing:
        with pytest.raises(InputError, match=said):
            giving(text)
    assert game.orders == {"GERMANY": given}


@pytest.mark.parametrize(("phase", "text"), [("F1901R", "A SER H"), ("W1901A", "A SER - ALB"), ("W1901A", "A SER R ALB")])
def test_other_phases_refuse_orders_of_another_as_well(phase: str, text: str) -> None:
    game = scripted()
    played = next(
        (one.phase_name for one in game.history if one.phase_name[0] == phase[0] and one.phase_name[-1] == phase[-1]), ""
    )
    game = game.fork(played)
    before = game.orders
    with pytest.raises(InputError, match=r"is not a valid order in an? (retreat|adjustment) phase"):
        game.order("AUSTRIA", text)
    assert game.orders == before


# ---------------------------------------------------------------- what is kept during a phase


def test_legal_orders_are_worked_out_once_in_a_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    listed = UnitOrders._iter_legal

    def counted(orders: UnitOrders) -> Iterator[Order]:
        asked.append(str(orders.unit))
        return listed(orders)

    monkeypatch.setattr(UnitOrders, "_iter_legal", counted)
    game = Game.new()
    assert sum(map(len, game.orderable.values())) == 22
    assert asked == []  # what may be ordered is known without its orders
    once = game.legal_orders()
    assert [game.legal_orders(what) for names in game.orderable.values() for what in names] == list(once.values())
    game.order("FRANCE", *(orders[-1] for what, orders in once.items() if what in game.orderable["FRANCE"]))
    assert game.legal_orders() == once
    assert sorted(asked) == sorted(str(unit) for unit in game.board.units)
    game.next()
    assert game.legal_orders("A GAS" if "A GAS" in game.orderable["FRANCE"] else game.orderable["FRANCE"][0])
    assert len(asked) == 23


def test_what_is_kept_in_a_phase_is_nobody_elses_and_ends_with_it() -> None:
    game = Game.new()
    first = game.legal_orders()
    game.legal_orders()["A PAR"].clear()
    game.legal_orders("A PAR").clear()
    game.orderable["FRANCE"].clear()
    assert game.legal_orders() == first
    game.order("FRANCE", "A PAR - BUR", "F BRE - ENG")
    game.next()
    assert game.legal_orders()["A BUR"]
    assert game.orderable == {power: list(of) for power, of in legal_orders(game.board).items()}
    game.undo()
    assert game.legal_orders() == first
    game.board = replace(game.board, units=game.board.units[:3])
    assert len(game.legal_orders()) == 3
    game.rulebook = load_rulebook("1971")
    assert game.legal_orders() == {what: [*map(str, given)] for what, given in all_orders(game.board, "1971").items()}


def all_orders(board: Board, rules: str) -> dict[str, list[Any]]:
    return {what: list(given) for of in legal_orders(board, rules).values() for what, given in of.items()}


@pytest.mark.parametrize("seed", range(3))
def test_orders_of_every_phase_are_those_of_its_board(seed: int) -> None:
    """Whatever was kept of the phases before."""
    random, game = Random(seed), Game.new()
    for _ in range(25):
        listed = game.legal_orders()
        expected = legal_orders(game.board, game.rulebook)
        assert listed == {what: [*map(str, given)] for of in expected.values() for what, given in of.items()}
        assert game.orderable == {power: list(of) for power, of in expected.items()}
        for power, names in game.orderable.items():
            given = [random.choice(listed[what]) for what in names]
            assert game.set_orders(power, given) == game.set_orders(power, [text.lower() for text in given])
        game.next()


def test_an_order_that_was_listed_for_another_power_is_not_legal() -> None:
    """What is listed as legal is not asked again, but for the power whose unit it is."""
    game = Game.new()
    assert "A PAR - BUR" in game.legal_orders("A PAR")
    game.order("GERMANY", "A PAR - BUR")
    assert list(game.illegal_orders["GERMANY"]) == ["A PAR - BUR"]
    assert game.order("FRANCE", "A PAR - BUR", "F BRE - MAO") == ["A PAR - BUR", "F BRE - MAO"]
    assert "FRANCE" not in game.illegal_orders
    assert game.order("RUSSIA", "F STP - BOT") == ["F STP/SC - BOT"]  # in full, as it was not listed so


def test_who_begins_a_game_does_not_wait_in_its_first_phase() -> None:
    """What is worked out once for a map and a rulebook is worked out when the first game begins."""
    code = (
        "from satjudge import Game; from satjudge.judging.equations import compiler; "
        "from satjudge.judging import fast_path, judge; "
        "fast_path.USE_SHIPPED_TABLES = False; rules = {rules}; "
        "game = Game.new('standard', rules); assert rules in game.map.cache[judge.warm_up_caches]; "
        "assert compiler.compile_equations.cache_info().currsize == 1; Game.new('chaos')"
    )
    rules = "__import__('satjudge').load_rulebook('datc-2')"
    done = subprocess.run([sys.executable, "-c", code.format(rules=rules)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("power", "order", "hint"),
    [
        ("ITALY", "F Nap - Tyr", " (did you mean TYS, Tyrrhenian Sea?)"),
        ("ENGLAND", "F Lon - Nor", " (did you mean NTH, North Sea?)"),
        ("ENGLAND", "F Edi - Nor", " (did you mean NTH, North Sea or NWG, Norwegian Sea?)"),
        ("FRANCE", "F Bre - LYO", ""),
        ("FRANCE", "A Par - LON", ""),
        ("RUSSIA", "F STP/SC - Bar", ""),
    ],
)
def test_a_move_that_is_too_far_is_told_what_was_perhaps_meant(power: str, order: str, hint: str) -> None:
    """`Tyr` is Tyrolia, and `Nor` Norway."""
    game = Game.new()
    game.order(power, order)
    (reason,) = game.illegal_orders[power].values()
    assert reason.partition(")")[2] == hint


def test_a_game_tells_what_would_change_an_order() -> None:
    game = Game.new(rulebook="1971")
    game.order("FRANCE", "A PAR - BUR")
    game.order("GERMANY", "A MUN - BUR")
    now = game.what_would_change("A PAR - BUR")
    game.next()
    played = game.what_would_change("A PAR", "France", phase="S1901M")
    position = Position(starting_board(game.map), {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
    assert str(now) == str(played) == str(position.what_would_change("A PAR - BUR", "1971"))
    assert "A MUN" in str(now)
    with pytest.raises(NotFoundError, match="there is no order A PAR - GAS"):
        game.what_would_change("A PAR - GAS", phase="S1901M")
    with pytest.raises(RequestError, match="only in movement phases"):
        with_two_builds().what_would_change("A MUN B")


def test_an_order_of_another_phase_is_told_with_its_phase() -> None:
    game = Game.new()
    with pytest.raises(NotFoundError, match=r"no order A PAR - BUR in S1901M \(there are no orders\)"):
        game.explain("A PAR - BUR")
    game.order("FRANCE", "A PAR - BUR")
    game.next()
    for ask in (game.explain, game.what_would_change):
        for order in ("A PAR - BUR", "A PAR"):
            with pytest.raises(NotFoundError, match=rf"no order {order} in F1901M .*ordered in S1901M: phase='S1901M'\)"):
                ask(order)
        with pytest.raises(NotFoundError, match=r"no order A PAR - MAR in F1901M \(there are no orders\)"):
            ask("A PAR - MAR")
        with pytest.raises(NotFoundError, match=r"no order A LON H in S1901M \(there is A PAR - BUR\)"):
            ask("A LON H", phase="S1901M")


@pytest.mark.parametrize("phase", ["S1901M", "s1901m", "Spring 1901"])
def test_a_phase_in_the_place_of_the_power_is_told_where_it_belongs(phase: str) -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR - BUR")
    for ask in (game.explain, game.what_would_change):
        with pytest.raises(NotationError, match=f"'{phase}' is a phase, but a power is needed here .*phase='{phase}'"):
            ask("A PAR - BUR", phase)
        with pytest.raises(NotationError, match=r"there is no power 'Frence' \(did you mean France\?\)"):
            ask("A PAR - BUR", "Frence")


def test_centers_of_a_game_are_counts_and_say_so_to_whom_asks_for_a_province() -> None:
    centers = Game.new().centers
    assert centers["France"] == centers.get("FRANCE") == 3
    assert (centers.get("Frence"), centers.get("Frence", 0)) == (None, 0)
    for ask in (centers.get, centers.__getitem__):
        for name in ("PAR", "Paris"):
            with pytest.raises(NotFoundError, match=rf"'{name}' is a province: .*game.board.centers.get\('PAR'\)"):
                ask(name)
    with pytest.raises(KeyError):
        centers["PAR"]
    assert pickle.loads(pickle.dumps(centers)).get("FRANCE") == copy.deepcopy(centers)["France"] == 3


def test_orders_in_a_list_are_told_how_they_are_given() -> None:
    """`Position.of` takes a list, so that this is the likeliest slip."""
    with pytest.raises(NotationError, match=r"orders of FRANCE must not be in a list \(game\.order\('FRANCE', \*orders\)\)"):
        Game.new().order("FRANCE", ["A PAR H"])  # type: ignore[arg-type]
    with pytest.raises(NotationError, match=r"must be a list \(game\.set_orders\('FRANCE', \['A PAR H'\]\)\)"):
        Game.new().set_orders("FRANCE", "A PAR H")


def with_two_builds() -> Game:
    game = Game.new()
    game.order("GERMANY", "F KIE - DEN", "A MUN - RUH")
    game.next()
    game.order("GERMANY", "A RUH - HOL")
    game.next()
    game.order("GERMANY", "F KIE B", "A MUN B")
    return game


def test_one_order_is_taken_back() -> None:
    game = with_two_builds()
    game.read_message("GERMANY", "Spring 1902\nA HOL - BEL")
    with pytest.raises(NotFoundError, match="Germany gave no order A BER B"):
        game.take_back("GERMANY", "F KIE B", "A BER B")
    assert game.take_back("GERMANY", "Fleet Kiel") == ["A MUN B"]
    assert game.take_back("GERMANY", "Build A Munich") == []
    assert game.early_orders == {"S1902M": {"GERMANY": ["A HOL - BEL"]}}
    game.take_back("GERMANY", "A HOL")
    assert game.early_orders == {}


def test_orders_of_a_phase_that_is_left_by_undo_are_kept_for_it() -> None:
    game = with_two_builds()
    assert game.undo() == "F1901M"
    assert game.early_orders == {"W1901A": {"GERMANY": ["F KIE B", "A MUN B"]}}
    game.next()
    assert game.orders == {"GERMANY": ["F KIE B", "A MUN B"]}
    assert game.fork("F1901M").early_orders == {"W1901A": {"GERMANY": ["F KIE B", "A MUN B"]}}


def test_clear_says_which_kept_orders_it_takes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    game = with_two_builds()
    game.undo()
    game.save("g.json")
    assert run(["game", "order", "g.json", "ENGLAND", "--clear"]) == 0
    assert "withdrew" not in capsys.readouterr().err
    assert run(["game", "order", "g.json", "GERMANY", "--take-back", "F KIE"]) == 0
    assert run(["game", "order", "g.json", "GERMANY", "--clear"]) == 0
    assert "W1901A: withdrew the earlier orders of GERMANY: A MUN B" in capsys.readouterr().err
    assert run(["game", "order", "g.json", "--take-back", "F KIE"]) == 2


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("FRANCE A Par - Bur", 'g.json FRANCE "A Par - Bur"'),
        ("A Par - Bur", 'g.json POWER "A Par - Bur"'),
        ("FRANCE A Par - Bur F Bre - Mao", 'g.json FRANCE "A PAR - BUR" "F BRE - MAO"'),
        ("FRANCE A Par - Bru", 'g.json FRANCE "A Par - Bru"'),
    ],
)
def test_orders_without_quotes_are_shown_with_them(
    words: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Game.new().save("g.json")
    assert run(["game", "order", "g.json", *words.split()]) == 2
    assert f"Put each order in quotes: satjudge game order {meant}\n" in f"{capsys.readouterr().err}\n"
    assert Game.load("g.json").orders == {}


def test_orders_taken_from_a_list_are_kept_as_if_they_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks the board for its lists, and whoever asks the game: no order of any phase is read once more."""
    random, game, phases = Random(4), Game.new(), set[Phase]()
    while phases < {*Phase}:
        phases.add(game.board.phase)
        legal = game.board.legal_orders()
        for power, names in game.orderable.items():
            chosen = [random.choice(legal[what]) for what in names]
            with monkeypatch.context() as context:
                context.setattr(PhaseOrders, "match_listed", lambda *_: None)
                expected = game.set_orders(power, chosen)
            with monkeypatch.context() as context:
                if not {"WAIVE"} & {*chosen}:
                    context.setattr(Game, "_read_orders", lambda *_: pytest.fail("it was read"))
                assert game.set_orders(power, chosen) == expected
                game.clear_orders(power)
                assert [game.order(power, order) for order in chosen][-1] == expected
        game.next()
