"""The drop-in for the package `diplomacy`: games, powers, maps and messages as programs use them."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from satjudge.base.errors import BoardError, NotFoundError
from satjudge.compat.diplomacy import Game, GamePhaseData, Map, Message
from satjudge.compat.diplomacy.engine.message import GLOBAL
from satjudge.compat.diplomacy.engine.renderer import Renderer
from satjudge.compat.diplomacy.utils.exceptions import DiplomacyException, GamePhaseException, MapPowerException
from satjudge.compat.diplomacy.utils.export import from_saved_game_format, load_saved_games_from_disk, to_saved_game_format
from satjudge.compat.diplomacy.utils.order_results import BOUNCE
from satjudge.compat.refusals import MissingError

RULING = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}


def played(*phases: dict[str, list[str]]) -> Game:
    """A game after these orders."""
    game = Game()
    for orders in phases:
        for power, given in orders.items():
            game.set_orders(power, given)
        game.process()
    return game


def dislodging() -> Game:
    """Fall 1901, retreats: the German army in Munich was dislodged."""
    return played(
        {"FRANCE": ["A PAR - BUR"], "AUSTRIA": ["A VIE - BOH"]},
        {"FRANCE": ["A BUR - MUN"], "AUSTRIA": ["A BOH S A BUR - MUN"]},
    )


def at_random(seed: int, phases: int) -> Game:
    """A game by random orders from the lists."""
    drawn, game = random.Random(seed), Game()
    for _ in range(phases):
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [drawn.choice(possible[place]) for place in places if possible[place]])
        game.process()
    return game


# ---- a phase ----


def test_a_phase_is_played_in_the_words_of_the_package() -> None:
    game = Game()
    for power, orders in RULING.items():
        game.set_orders(power, orders)
    game.set_orders("FRANCE", ["A PAR H"], replace=False)
    assert game.error == ["UNIT REORDERED: A PAR H"]
    assert game.powers["FRANCE"].orders == {"A PAR": "- BUR", "A MAR": "S A PAR - BUR"}
    before = game.process()
    assert (before.name, before.orders["FRANCE"], before.orders["ITALY"]) == ("S1901M", RULING["FRANCE"], [])
    assert before.results["A MUN"] == ["bounce"] == [BOUNCE]
    assert before.results["A PAR"] == before.results["F BRE"] == []
    assert game.get_current_phase() == game.current_short_phase == "F1901M"
    assert (game.phase, game.phase_type) == ("FALL 1901 MOVEMENT", "M")
    assert game.get_units("FRANCE") == ["F BRE", "A MAR", "A BUR"]
    assert game.get_order_status("GERMANY") == {"A BER": [], "F KIE": [], "A MUN": ["bounce"]}
    assert game.get_order_status(unit="A MUN") == ["bounce"]
    assert game.get_order_status(loc="MUN") == ("A MUN", ["bounce"])
    assert game.order_history.last_value()["GERMANY"] == ["A MUN - BUR"]
    assert [phase.name for phase in game.get_phase_history()] == ["S1901M"]
    assert game.get_orders() == {power: [] for power in game.powers}


LEFT_OUT = {
    "A PAR - LON": "an army cannot move from PAR to LON",
    "A MUN - BUR": "UNORDERABLE UNIT",
    "A PAR S A MUN - BER": "A PAR cannot support into BER",
    "A PAR B": "UNREADABLE ORDER",
    "gibberish": "UNREADABLE ORDER",
    "A PAR → BUR": "UNREADABLE ORDER (UNKNOWN WORDS: →)",
    "A MAR S A BUR - PIC;": "UNKNOWN PLACE PIC;",
    "F BRE S A PAR - Pikardy": "UNKNOWN PLACE PIKARDY",
    "F PAR - BUR": "UNORDERABLE UNIT",
    "A MAR - BUR VIA": "ORDER NOT ALLOWED",
    "A PAR - PIC -": "UNREADABLE ORDER",
    "A PAR - PIC YES": "UNKNOWN PLACE YES",
    "A PAR - PIC / BUR": "AN ORDER THAT IS LEFT OPEN",
    "A PAR - PIC, not BUR": "AN ORDER THAT IS LEFT OPEN",
    "A PAR - PIC ?": "AN ORDER THAT IS LEFT OPEN",
    "A PAR - PIC, BUR": "MORE PLACES THAN ONE ORDER NAMES",
    "A PAR - PIC S F BRE - GAS": "MORE THAN ONE ORDER",
    "A PAR - BUR - PIC": "A PATH GOES OVER SEAS, WITH ` - ` BETWEEN THEM",
    "A PAR -> BUR -> PIC": "A PATH GOES OVER SEAS, WITH ` - ` BETWEEN THEM",
    "F BRE - SPA north or south coast": "MORE THAN ONE COAST",
}


@pytest.mark.parametrize("order", LEFT_OUT)
def test_an_order_that_is_not_legal_is_left_out_with_its_true_reason(order: str) -> None:
    game = Game()
    game.set_orders("FRANCE", [order, "A PAR H"])
    assert game.get_orders("FRANCE") == ["A PAR H"]
    (error,) = game.error
    assert (LEFT_OUT[order] in error, error.endswith(f": {order}")) == (True, True), error


def test_what_retreats_and_builds_leave_behind() -> None:
    """What may be ordered, and what becomes of it, is compared with the package in test_against_the_package.py."""
    game = dislodging()
    assert (game.get_current_phase(), game.dislodged) == ("F1901R", {"A MUN": "BUR"})
    assert "*A MUN" in game.get_units("GERMANY")
    game.set_orders("GERMANY", ["A MUN R RUH", "A MUN R SIL"])
    assert game.get_orders("GERMANY") == ["A MUN R RUH"]  # the first counts
    game.clear_orders("GERMANY")
    game.set_orders("GERMANY", ["A MUN R BUR"])
    assert game.process().results["A MUN"] == ["void", "disband"]
    assert game.popped == ["A MUN"]
    game = played({}, {"RUSSIA": ["F SEV - RUM"]})
    game.set_orders("RUSSIA", ["B A SEV", "F SEV B"])
    assert game.powers["RUSSIA"].adjust == ["A SEV B", "VOID F SEV B"]
    assert game.process().results == {"F SEV": ["void"], "A SEV": [""]}
    game.set_current_phase("W1902A")
    game.set_orders("FRANCE", "WAIVE")
    assert (game.get_orders("FRANCE"), game.process().name) == ([], "W1902A")


# ---- the lists are the position ----


def test_what_is_changed_in_a_list_is_changed_in_the_game() -> None:
    game = Game()
    assert "A BUR - PAR" not in game.get_all_possible_orders()["BUR"]
    game.powers["FRANCE"].units.append("A BUR")
    game.powers["FRANCE"].centers.append("BEL")
    assert "A BUR - PAR" in game.get_all_possible_orders()["BUR"]
    assert game.board.centers["BEL"] == "FRANCE"
    assert game.get_centers("FRANCE")[-1] == "BEL"
    game.powers["ITALY"].homes = ["ROM", "TRI"]
    game.set_centers("ITALY", "TRI")
    game.clear_units("AUSTRIA")
    game.set_current_phase("W1901A")
    game.clear_units("ITALY")
    assert game._build_sites(game.powers["ITALY"]) == ["ROM", "TRI"]
    assert (game.powers["ITALY"].influence, game.powers["FRANCE"].influence) == ([], ["BRE", "MAR", "PAR"])
    game.set_units("TURKEY", ["A BUR", "F MAR"], reset=True)
    assert (game.powers["TURKEY"].influence, game.powers["FRANCE"].influence) == (["BUR", "MAR"], ["BRE", "PAR"])
    game.powers["FRANCE"].units.append("A PAR")
    with pytest.raises(BoardError, match="two units in PAR: A PAR of FRANCE and A PAR of FRANCE"):
        game.get_all_possible_orders()


def test_games_and_powers_take_any_attribute_and_ignore_unknown_arguments() -> None:
    game = Game(map="another", colour="red")
    game.summaries, game.powers["ITALY"].mood = {}, "calm"  # type: ignore[attr-defined]
    assert game.map_name == "standard"
    assert not hasattr(game, "colour")
    other = copy.deepcopy(game)
    other.powers["FRANCE"].units.append("A BUR")
    assert other.powers["ITALY"].__dict__["mood"] == "calm"
    assert other.powers["ITALY"].game is other
    assert other.map is game.map
    assert game.get_units("FRANCE") == ["F BRE", "A MAR", "A PAR"]
    assert pickle.loads(pickle.dumps(game)).get_units() == game.get_units()


def test_what_is_missing_is_refused_by_name() -> None:
    game = Game()
    with pytest.raises(MissingError, match=r"has no Game.convoy_paths_possible: docs/guides/drop-in.md lists what is there"):
        game.convoy_paths_possible  # noqa: B018
    assert not hasattr(game.map, "validate")
    with pytest.raises(MissingError, match=r"has no Game\._generate_phase_summary: "):
        Game._generate_phase_summary  # noqa: B018
    with pytest.raises(DiplomacyException, match="does not support the rule NO_CHECK"):
        Game(rules=["NO_CHECK"])
    with pytest.raises(MapPowerException, match="there is no power 'X'"):
        game.set_orders("X", [])
    with pytest.raises(NotFoundError, match="there is no map or file 'nowhere'"):
        Game(map_name="nowhere")


def test_rules_are_kept_and_unknown_ones_ignored() -> None:
    game = Game(rules={"CIVIL_DISORDER"})
    game.add_rule("WELFARE")
    assert game.rules == ["CIVIL_DISORDER"]
    game.remove_rule("CIVIL_DISORDER")
    assert game.rules == []
    implied = ["NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT"]
    assert Game().rules == [*implied, "SOLITAIRE", "NO_PRESS", "IGNORE_ERRORS", "POWER_CHOICE"]
    game.set_status("paused")
    assert (game.is_game_paused, game.is_game_active, game.no_press) == (True, False, False)
    assert not hasattr(game, "is_game_lost")


def test_another_rulebook_judges_where_a_program_wants_one() -> None:
    """By the package's rules an army that says `VIA` goes by land where nobody convoys; by DATC 3.2 it does not (4.A.3)."""
    for rulebook, stands in ((None, "A WAL"), ("datc-3", "A LVP")):
        game = Game()
        game.rulebook = rulebook
        game.set_units("ENGLAND", ["F IRI", "A LVP"], reset=True)
        game.set_orders("ENGLAND", ["A LVP - WAL VIA"])
        game.process()
        assert game.get_units("ENGLAND")[-1] == stands


# ---- the end ----


def test_a_game_ends_when_a_power_has_the_centres() -> None:
    game = Game()
    game.set_centers("FRANCE", [*game.map.scs[6:22]])
    game.clear_units()
    game.set_units("FRANCE", ["A BEL", "F ROM"])
    game.set_units("ITALY", ["A BOH"], reset=True)
    game.set_current_phase("F1905M")
    assert len(game.get_centers("FRANCE")) == 16
    game.set_orders("FRANCE", ["A BEL H", "F ROM H"])
    game.win = 17
    game.process()
    assert (game.is_game_done, game.get_current_phase(), game.status) == (True, "COMPLETED", "completed")
    assert (game.outcome, game.note) == (["W1905A", "FRANCE"], "Victory by: FRA")
    assert game.get_orderable_locations("FRANCE") == []
    assert game.process().name == "COMPLETED"
    ended = Game()
    ended.is_game_done = True
    assert ended.is_game_completed
    drawn = Game()
    before, after = drawn.draw()
    assert (before.name, after.name, len(drawn.outcome)) == ("S1901M", "COMPLETED", 8)


def test_a_game_ends_with_the_hundredth_year_of_its_map() -> None:
    game = Game()
    game.set_current_phase("S1999M")
    game.clear_units("ITALY")
    while not game.is_game_done:
        game.process()
    survivors = [power for power in game.powers if power != "ITALY"]
    assert game.outcome == ["W2000A", *survivors]
    assert game.note == "Victory by: AUS, ENG, FRA, GER, RUS, TUR"
    assert [phase["name"] for phase in to_saved_game_format(game)["phases"]][-4:] == ["S2000M", "F2000M", "W2000A", "COMPLETED"]
    later = Game(map_name="colonial")
    later.set_current_phase("F1969M")
    assert (later.process().name, later.is_game_done) == ("F1969M", True)


# ---- states, saved games, messages, pictures ----


def test_a_state_is_taken_and_put_back() -> None:
    game = dislodging()
    again = Game()
    again.set_state(game.get_state())
    assert {**again.get_state(), "timestamp": 0} == {**game.get_state(), "timestamp": 0}
    assert again.get_all_possible_orders() == game.get_all_possible_orders()
    assert again.get_phase_history() == []


def test_a_saved_game_is_read_back_with_its_history(tmp_path: Path) -> None:
    game = at_random(4, 14)
    game.add_message(Message(sender="FRANCE", recipient=GLOBAL, phase=game.current_short_phase, message="hello"))
    game.set_orders("FRANCE", [orders[0] for orders in game.get_all_possible_orders().values() if orders])
    saved = json.loads(json.dumps(to_saved_game_format(game, str(tmp_path / "games.jsonl"))))
    again = from_saved_game_format(saved)
    (loaded,) = load_saved_games_from_disk(str(tmp_path / "games.jsonl"))
    assert to_saved_game_format(again)["phases"][:-1] == to_saved_game_format(loaded)["phases"][:-1] == saved["phases"][:-1]
    assert (again.get_orders(), again.get_current_phase()) == (game.get_orders(), game.get_current_phase())
    assert [message.message for message in again.messages.values()] == ["hello"]
    assert len(again.get_phase_history("S1901M", "F1901M")) == 2
    assert [phase.name for phase in again.get_phase_history(-1)] == [game.get_phase_history()[-1].name]
    assert GamePhaseData.from_dict({"name": "S1901M", "state": {}}).orders == {}


def test_messages_belong_to_their_phase() -> None:
    game = Game()
    message = Message(sender="FRANCE", recipient="ENGLAND", phase="S1901M", message="psst", time_sent=None)
    first, second = game.add_message(message), game.add_message(copy.copy(Message(**{**message.to_dict(), "time_sent": None})))
    assert first < second
    assert [one.message for one in game.process().messages.values()] == ["psst", "psst"]
    assert game.messages == {}
    with pytest.raises(GamePhaseException, match="the message belongs to S1901M, but the game is in F1901M"):
        game.add_message(message)
    assert list(game.message_history["S1901M"]) == [first, second]


def test_games_are_drawn(tmp_path: Path) -> None:
    game = dislodging()
    for drawn in (game.render(output_path=str(tmp_path / "a.svg")), Renderer(Game()).render(incl_abbrev=True)):
        assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert (tmp_path / "a.svg").exists()
    game.is_game_done = True
    assert "<svg" in game.render()
    with pytest.raises(DiplomacyException, match="draws only svg"):
        game.render(output_format="png")


def test_the_orders_of_some_powers_alone_are_drawn() -> None:
    game = Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.set_orders("GERMANY", ["A MUN - BUR"])
    nothing, france, french, german, everything = (
        game.render(incl_orders=orders) for orders in (False, "FRANCE", ["france"], ["GERMANY"], True)
    )
    assert france == french
    assert len({nothing, france, german, everything}) == 4
    with pytest.raises(DiplomacyException, match="there is no power 'NARNIA'"):
        game.render(incl_orders="NARNIA")


# ---- maps ----


def test_a_map_is_one_object_that_keeps_its_answers() -> None:
    """What it answers is compared with the package in test_against_the_package.py."""
    game_map = Map()
    assert game_map is Map("standard")
    assert game_map.abuts("F", "ION", "-", "NAP") == game_map.abuts_cache.get(("F", "ION", "-", "NAP")) == 1  # in ≤ 1 µs
    assert game_map.abuts("A", "XXX", "-", "NAP") == len({("A", "XXX", "-", "NAP")} & game_map.abuts_cache.keys()) == 0


# ---- programs run unchanged ----


PROGRAM = """
import subprocess, sys
loaded = "satjudge" in sys.modules  # where warnings are errors pytest ends if it is
import multiprocessing
import diplomacy
if __name__ == "__main__":
    print(loaded, sys.own_site, diplomacy.utils.export.Game.__module__, diplomacy.engine.renderer.Renderer.__name__)
from diplomacy import Game
assert diplomacy.engine.game.__spec__.name == diplomacy.engine.game.__name__ == Game.__module__

def home(power):
    return diplomacy.Game.__module__

if __name__ == "__main__":
    game = Game(map_name="standard")
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.process()
    print(sys.argv[1:], game.get_units("FRANCE"), Game.__module__)
    for method in ("spawn", "forkserver", "fork"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.map(home, ["FRANCE"]) == [Game.__module__], method
    asked = [sys.executable, "-c", "import diplomacy, sitecustomize; print(diplomacy.Game.__module__)"]
    print(subprocess.run(asked, capture_output=True, text=True, check=True).stdout, end="")
    try:
        import diplomacy.client.connection
    except ImportError as error:
        print(error)
"""
OURS = "satjudge.compat.diplomacy"


@pytest.mark.parametrize("by_module", [False, True])
def test_a_program_and_its_processes_run_with_the_drop_in_in_place_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_module: bool
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.own_site = True")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    named = ["-m", "program"] if by_module else ["program.py"]
    command = [sys.executable, "-W", "error", "-m", "satjudge.as_diplomacy", *named, "--rounds", "3"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"False True {OURS}.engine.game Renderer",
        f"['--rounds', '3'] ['F BRE', 'A MAR', 'A BUR'] {OURS}.engine.game",
        f"{OURS}.engine.game",
        "satjudge's drop-in for `diplomacy` has no module diplomacy.client: docs/guides/drop-in.md lists what is there",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "a program is missing"),
        (["nothing.py"], "can't open file"),
        (["--help"], "Runs a program that imports the package `diplomacy`"),
    ],
)
def test_without_a_program_the_way_is_told(arguments: list[str], told: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "satjudge.as_diplomacy", *arguments], capture_output=True, text=True, check=False
    )
    assert told in done.stderr
    assert done.returncode
