"""Saved games: what the `diplomacy` package writes is read and replayed, and what satjudge writes is read by the package."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from helpers.the_package import package

from satjudge import Game, Position
from satjudge.apps.cli import run
from satjudge.base.errors import InputError, NotFoundError, RequestError
from satjudge.engines.documents.campaigns import ReplayedPhase
from satjudge.engines.replaying import Replayed, replay, replay_row
from satjudge.files.diplomacy_package import (
    PlayedPhase,
    SavedGame,
    board_of,
    game_readers,
    load_games,
    map_of,
    read_games,
    row_readers,
    saved_game,
)
from satjudge.judging.judge import judge_phase
from satjudge.world.board import Phase, starting_board
from satjudge.world.geography import map_from, shipped_tables
from satjudge.world.rules import load_rulebook

Document: TypeAlias = dict[str, Any]


SCRIPT: list[dict[str, list[str]]] = [
    {
        "ENGLAND": ["F EDI - NTH", "A LVP - YOR", "F LON - ENG"],
        "FRANCE": ["A PAR H", "A MAR H", "F BRE - MAO"],
        "GERMANY": ["A MUN - BUR", "F KIE - DEN"],
        "ITALY": ["A VEN - TRI"],
        "AUSTRIA": ["F TRI - ALB", "A VIE - GAL"],
        "RUSSIA": ["A WAR - GAL", "F SEV - RUM"],
    },  # S1901M: Galicia is contested, Trieste taken
    {
        "ENGLAND": ["A YOR - NWY", "F NTH C A YOR - NWY"],
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F MAO - SPA/SC"],
        "GERMANY": ["A BUR H", "F DEN - SWE"],
        "ITALY": ["A TRI H"],
    },  # F1901M: Burgundy is dislodged, Norway reached by convoy
    {"GERMANY": ["A BUR R RUH"]},  # F1901R
    {
        "ENGLAND": ["F EDI B"],
        "FRANCE": ["F MAR B", "WAIVE"],
        "GERMANY": ["A KIE B"],
    },  # W1901A: Austria loses a unit, Italy waives
    {"ENGLAND": ["A NWY - STP"], "RUSSIA": ["F STP/SC - FIN"]},  # S1902M
]
"""The orders of a game with convoys, a bounce, a retreat, builds, waived builds and a removal by civil disorder."""


@cache
def scripted_game() -> bytes:
    return json.dumps(package({"orders": SCRIPT})).encode()


def scripted() -> Document:
    document: Document = json.loads(scripted_game())
    return document


def game_of(document: Document) -> SavedGame:
    (game,) = read_games(json.dumps(document).encode())
    return game


def replayed(document: Document, rules: str = "datc-3") -> list[Replayed]:
    return replay(game_of(document), load_rulebook(rules))


def all_the_same(name: str, phases: int) -> list[Replayed]:
    return [Replayed(name)] * phases


def differing(document: Document, rules: str = "datc-3") -> list[ReplayedPhase]:
    return [phase.different for phase in replayed(document, rules) if phase.different]


# ---------------------------------------------------------------- games of the package


def test_a_game_with_everything_in_it_replays_to_its_end() -> None:
    document = scripted()
    names = [phase["name"] for phase in document["phases"]]
    assert names == ["S1901M", "F1901M", "F1901R", "W1901A", "S1902M", "F1902M"]
    builds, removed = document["phases"][4]["state"]["units"], document["phases"][3]["state"]["units"]
    assert "A NWY" in builds["ENGLAND"]
    assert "A RUH" in builds["GERMANY"]
    assert len(removed["AUSTRIA"]) - len(builds["AUSTRIA"]) == 1  # civil disorder
    assert replayed(document) == all_the_same("scripted", 5)


def test_random_games_replay_to_their_end() -> None:
    """Under `datc-2`: as in the package, a move by a convoy that nobody orders goes by land if it can (4.A.3)."""
    games = package({"seeds": list(range(10)), "years": 4})["games"]
    kinds = {phase["name"][-1] for game in games for phase in game["phases"]}
    assert kinds == {"M", "R", "A"}
    for document in games:
        assert replayed(document, "datc-2") == all_the_same(document["id"], len(document["phases"]) - 1)


def test_by_the_datc_3_a_move_by_a_convoy_that_nobody_orders_fails() -> None:
    """DATC 6.G.8; the package sends the army by land."""
    document = package({"orders": [{"FRANCE": ["A PAR - PIC", "F BRE - ENG"]}, {"FRANCE": ["A PIC - BEL VIA"]}]})
    assert differing(document, "datc-2") == []
    different = differing(document)[0]
    assert different.phase == "F1901M"
    assert ("units", "FRANCE", "A PIC", "A BEL") in [(d.what, d.power, d.satjudge, d.file) for d in different.differences]
    assert [(str(entry.order), entry.verdict, entry.file) for entry in different.orders] == [("A PIC - BEL VIA", "invalid", "")]


# ---------------------------------------------------------------- what differs


def changed(number: int, key: str, power: str, value: object) -> Document:
    document = deepcopy(scripted())
    document["phases"][number]["state"][key][power] = value
    return document


@pytest.mark.parametrize(
    ("document", "same", "what"),
    [
        (lambda: changed(1, "units", "ENGLAND", ["F NTH", "F ENG", "A WAL"]), 0, ("units", "ENGLAND", "A YOR", "A WAL")),
        (
            lambda: changed(2, "retreats", "GERMANY", {"A BUR": ["RUH"]}),
            1,
            ("retreats", "GERMANY", "A BUR to BEL GAS MUN PIC RUH", "A BUR to RUH"),
        ),
        (lambda: changed(3, "centers", "ITALY", ["NAP", "ROM", "VEN"]), 2, ("centers", "ITALY", "TRI", "")),
        (lambda: changed(4, "units", "AUSTRIA", ["A BUD", "F ALB"]), 3, None),
    ],
)
def test_a_phase_that_differs(document: Callable[[], Document], same: int, what: tuple[str, str, str, str] | None) -> None:
    found = replayed(document())
    assert [phase.is_same for phase in found[: same + 1]] == [True] * same + [False]
    different = found[same].different
    assert different
    assert different.phase == scripted()["phases"][same]["name"]
    differences = [(entry.what, entry.power, entry.satjudge, entry.file) for entry in different.differences]
    assert what is None or what in differences


def test_a_difference_hides_no_other() -> None:
    """Each phase is judged from its own beginning: what differs early and what differs late are both told."""
    document = changed(1, "units", "ENGLAND", ["F NTH", "F ENG", "A WAL"])
    document["phases"][5]["state"]["units"]["RUSSIA"] = []
    found = replayed(document)
    assert [phase.is_same for phase in found] == [False, False, True, True, False]
    assert [phase.phase for phase in differing(document)] == ["S1901M", "F1901M", "S1902M"]


def test_a_retreat_phase_in_which_no_unit_may_retreat_is_passed_over() -> None:
    """webDiplomacy has a phase for units that can only be disbanded; satjudge, like the package, leaves it out."""
    document = scripted()
    without = deepcopy(document["phases"][5])
    without["name"] = without["state"]["name"] = "S1902R"
    without["state"]["retreats"] = {"RUSSIA": {"A UKR": []}}
    document["phases"].insert(5, without)
    assert replayed(document) == all_the_same("scripted", 5)
    document["phases"].pop()
    assert replayed(document) == all_the_same("scripted", 5)  # and where the file ends with it


def test_a_retreat_phase_without_retreats_is_a_difference_where_a_unit_may_retreat() -> None:
    document = changed(2, "retreats", "GERMANY", {"A BUR": []})
    (different,) = differing(document)
    assert different.phase == "F1901M"
    assert [(entry.what, entry.satjudge, entry.file) for entry in different.differences] == [
        ("retreats", "A BUR to BEL GAS MUN PIC RUH", "")
    ]


def test_a_missing_phase_is_a_difference() -> None:
    document = scripted()
    del document["phases"][2]  # the retreats
    different = differing(document)[0]
    assert ("phase", "F1901R", "W1901A") in [(d.what, d.satjudge, d.file) for d in different.differences]


def test_the_orders_that_concern_a_difference_are_told() -> None:
    different = differing(changed(1, "units", "ENGLAND", ["F NTH", "F ENG", "A WAL"]))[0]
    assert [(entry.power, str(entry.order), entry.verdict) for entry in different.orders] == [
        ("ENGLAND", "A LVP - YOR", "succeeds")
    ]


def test_a_finished_game_is_compared_to_its_end() -> None:
    document = scripted()
    document["phases"][-1]["name"] = document["phases"][-1]["state"]["name"] = "COMPLETED"
    assert replayed(document) == all_the_same("scripted", 5)
    assert board_of(game_of(document).phases[-1], map_of(game_of(document))).phase is Phase.MOVEMENT


# ---------------------------------------------------------------- reading


def test_one_game_a_list_and_json_lines_are_read() -> None:
    line = scripted_game()
    assert len(read_games(line)) == 1
    assert len(read_games(json.dumps(scripted(), indent=1).encode())) == 1
    assert len(read_games(b"\xef\xbb\xbf" + line)) == 1
    assert len(read_games(b"[" + line + b"," + line + b"]")) == 2
    assert len(read_games(line + b"\n\n" + line + b"\n")) == 2


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{}", "missing required field `phases`"),
        (b'{"phases": [{"name": "S1901M"}]}', "missing required field `state`"),
        (b"\x00\xff\xfe", "games.json:1: not a saved game"),
        (b'{"phases": []}\n{"phases": [', "games.json:2: not a saved game"),
        (b"[" * 100_000, "not a saved game"),
    ],
)
def test_what_is_no_game_is_refused_with_the_place(data: bytes, message: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_games(data, "games.json")
    assert message in str(caught.value)
    assert "games.json" in str(caught.value)


def test_a_game_that_cannot_be_read_hides_no_other() -> None:
    """Neither among JSON Lines nor in a list; a document that is broken has one error all the same."""
    line, bad = scripted_game(), b'{"phases": 3}'
    for data in (bad + b"\n" + line + b"\n{\n" + line, b"[" + bad + b"," + line + b",3," + line + b"]"):
        came = []
        for read in game_readers(data, "g"):
            try:
                came.append(read().id)
            except RequestError as error:
                came.append(str(error).partition(": ")[0])
        assert came[1::2] == ["scripted", "scripted"]
        assert came[::2] in (["g:1", "g:3"], ["g, game 1 of the list", "g, game 3 of the list"])
    (only,) = game_readers(json.dumps(scripted(), indent=1).encode()[:-10], "g")
    with pytest.raises(RequestError, match="g:1: not a saved game: Input data was truncated"):
        only()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(NotFoundError, match="cannot read"):
            load_games(path)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda phase: phase["state"]["units"].update(FRANCE=["A PRA"]), "S1901M, units of FRANCE.*PRA"),
        (lambda phase: phase["state"]["units"].update(FRANCE=["F PAR"]), "inland"),
        (lambda phase: phase.update(name="X1901M"), "no phase 'X1901M'"),
    ],
)
def test_what_cannot_be_read_in_a_game_is_told_with_the_phase(edit: Callable[[Document], None], message: str) -> None:
    document = scripted()
    edit(document["phases"][0])
    with pytest.raises(InputError, match=message):
        replayed(document)


def test_an_order_that_cannot_be_read_is_told_with_the_phase_and_does_not_cost_it() -> None:
    document = scripted()
    document["phases"][0]["orders"].update(FRANCE=["A PRA - BUR"])
    first, *others = replayed(document)
    (told,) = first.unreadable
    assert told.startswith("game scripted, S1901M, FRANCE, column 3: expected a province, found 'PRA - BUR'")
    assert not any(other.unreadable for other in others)


def test_another_map_is_not_known() -> None:
    with pytest.raises(NotFoundError, match="no map named 'modern'"):
        replayed(scripted() | {"map": "modern"})


@pytest.mark.parametrize(
    "name", ["{folder}/x", "../rulebooks/1971", "../maps/standard", "standard.geo", "", "a" * 5000, "a\0b"]
)
def test_a_map_is_a_name_and_no_path(name: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("not = a map", encoding="utf-8")
    with pytest.raises(NotFoundError, match=r"there is no map named .* \(there are 1898, .*, standard, .*\)"):
        replayed(scripted() | {"map": name.format(folder=tmp_path)})


# ---------------------------------------------------------------- writing


def own_game() -> dict[str, Any]:
    """The scripted game as satjudge plays it."""
    board, phases = starting_board(), []
    for orders in SCRIPT:
        outcome = judge_phase(board, orders)
        phases.append(PlayedPhase(board.phase_name, board, orders, outcome.results))
        board = outcome.next_board
    return saved_game("own", [*phases, PlayedPhase(board.phase_name, board, {}, {})])


def test_the_package_reads_what_satjudge_writes() -> None:
    document, theirs = own_game(), scripted()
    found = package({"load": document})
    last = theirs["phases"][-1]["state"]
    assert found["phase"] == last["name"]
    for power, position in found["powers"].items():
        assert position == {"units": sorted(last["units"][power]), "centers": sorted(last["centers"][power])}
    assert found["history"]["F1901M"]["FRANCE"] == SCRIPT[1]["FRANCE"]
    assert list(found["history"]) == [phase["name"] for phase in document["phases"][:-1]]


def test_both_write_the_same_positions() -> None:
    for ours, theirs in zip(own_game()["phases"], scripted()["phases"], strict=True):
        assert ours["name"] == theirs["name"]
        for key in ("units", "retreats", "centers"):
            mine, other = ours["state"][key], theirs["state"][key]
            assert {power: sorted(entries) for power, entries in mine.items()} == {
                power: sorted(entries) for power, entries in other.items()
            }
        assert ours["state"]["homes"] == {power: sorted(homes) for power, homes in theirs["state"]["homes"].items()}
        counts = [{power: entry["count"] for power, entry in phase["state"]["builds"].items()} for phase in (ours, theirs)]
        assert counts[0] == counts[1]


def test_what_satjudge_writes_it_replays() -> None:
    assert replayed(own_game()) == all_the_same("own", len(SCRIPT))


def test_results_are_written_in_the_words_of_the_package() -> None:
    first, second = own_game()["phases"][:2]
    assert first["results"]["A VIE"] == first["results"]["A WAR"] == ["bounce"]
    assert second["results"]["A BUR"] == ["dislodged"]
    assert second["results"]["A MAR"] == []


# ---------------------------------------------------------------- powers and maps under other names


def respelt(document: Document, spelling: Callable[[str], str]) -> Document:
    """The same game with all powers written in another way."""
    other = deepcopy(document)
    for phase in other["phases"]:
        phase["orders"] = {spelling(power): orders for power, orders in phase["orders"].items()}
        for key in ("units", "retreats", "centers"):
            phase["state"][key] = {spelling(power): entries for power, entries in phase["state"][key].items()}
    return other


@pytest.mark.parametrize("spelling", [str.title, str.lower, lambda power: {"FRANCE": "French"}.get(power, power)])
def test_powers_may_be_spelt_otherwise(
    spelling: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Positions, orders and centres are those of one power; what was played stays in the file as it was written."""
    document = respelt(scripted(), spelling)
    assert replayed(document) == all_the_same("scripted", 5)
    game, usual = Game.from_saved(document), Game.from_saved(scripted())
    assert [played.board for played in (*game.history, game.at())] == [played.board for played in (*usual.history, usual.at())]
    assert game.document()["phases"][:-1] == document["phases"][:-1]
    assert game.at("S1901M").missing_remarks == usual.at("S1901M").missing_remarks
    assert game.order("France", "A BUR - MUN") == ["A BUR - MUN"]
    again = Game.from_saved(json.loads(json.dumps(game.document())))
    assert again.document() == game.document()
    assert again.next().results["FRANCE"] == game.judge().results["FRANCE"]
    told = []
    for written in (document, scripted()):
        (tmp_path / "g.json").write_text(json.dumps(written), encoding="utf-8")
        told.append((run(["check", str(tmp_path / "g.json")]), capsys.readouterr().out))
    assert told[0] == told[1]


def test_single_phases_may_spell_powers_otherwise() -> None:
    row = {
        "game": "g", "phase": "F1901M", "units": {"France": ["A PAR", "A BUR"], "GERMANY": ["A MUN"]},
        "orders": {"FRANCE": ["A BUR - MUN", "A PAR - BUR"], "Germany": ["A MUN H"]},
        "centers": {"france": ["PAR"]}, "next_units": {"France": ["A PAR", "A BUR"], "Germany": ["A MUN"]},
    }  # fmt: skip
    (read,) = row_readers(json.dumps(row).encode())
    assert replay_row(read(), load_rulebook()) == Replayed("g")
    assert Game.read(json.dumps(row).encode()).history[0].board.centers == {"PAR": "FRANCE"}


@pytest.mark.parametrize("key", ["units", "centers", "retreats"])
def test_a_power_under_two_names_is_told_with_the_phase(key: str) -> None:
    document = scripted()
    document["phases"][1]["state"][key]["France"] = document["phases"][1]["state"][key]["FRANCE"]
    with pytest.raises(RequestError, match=r"F1901M: FRANCE has two names, one of them 'France'"):
        Game.from_saved(document)


def test_a_game_on_a_map_of_ones_own_holds_it_under_any_name() -> None:
    """Also under the name of a map that comes with satjudge, which a reader would take."""
    own = map_from({**shipped_tables("standard"), "victory": 5})
    board = replace(starting_board(), map=own)
    saved = saved_game("g", [PlayedPhase("S1901M", board, {}, {})])
    assert map_of(game_of(saved)).victory == 5
    assert Game.from_saved(saved).map.victory == 5
    assert Game.from_saved(Game.new(board=board).document()).map.victory == 5
    assert "satjudge" not in saved_game("g", [PlayedPhase("S1901M", starting_board(), {}, {})])
    with pytest.raises(RequestError, match="the map standard is not included in satjudge, and cannot be saved"):
        saved_game("g", [PlayedPhase("S1901M", replace(board, map=replace(own, tables=None)), {}, {})])


@pytest.mark.parametrize(("rules", "verdict"), [("1982", "succeeds"), ("datc-3", "illegal")])
def test_a_saved_game_is_judged_by_its_own_rulebook(tmp_path: Path, rules: str, verdict: str) -> None:
    game = Game.new(rulebook=load_rulebook(rules))
    game.order("ENGLAND", "A LVP - YOR VIA")  # which no fleet could carry: 4.A.3
    game.save(tmp_path / "game.json")
    position = Position.read(str(tmp_path / "game.json"))
    assert position.judge().results["ENGLAND"][0] == verdict
    assert position.judge("1982").results["ENGLAND"][0] == "succeeds"
