"""Games as other programs keep them: webDiplomacy's API, logs of DAIDE servers; and forms that are refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satjudge import Game
from satjudge.apps.cli import run
from satjudge.files.cases import list_entries
from satjudge.files.daide import read_game
from satjudge.files.detect import Kind, detect
from satjudge.files.webdiplomacy import row_readers
from satjudge.world.geography import load_map

MUN, RUH, BUR, PAR, BEL, SPAIN, SPAIN_SC, MAO, MAR, BRE, LON = 41, 42, 48, 47, 44, 8, 77, 61, 49, 46, 6
ENGLAND, FRANCE, GERMANY = 1, 2, 4


def unit(country: int, kind: str, place: int, retreating: str = "No") -> dict[str, Any]:
    return {"unitType": kind, "terrID": place, "countryID": country, "retreating": retreating}


def order(country: int, kind: str, place: int, what: str, to: int = 0, origin: int = 0, success: str = "Yes") -> dict[str, Any]:
    return {
        "turn": 0,
        "phase": "",
        "countryID": country,
        "terrID": place,
        "unitType": kind,
        "type": what,
        "toTerrID": to,
        "fromTerrID": origin,
        "viaConvoy": "No",
        "success": success,
        "dislodged": "No",
    }


def centers(*owned: tuple[int, int]) -> list[dict[str, int]]:
    return [{"terrID": place, "countryID": country} for country, place in owned]


def phase(turn: int, name: str, units: list[Any], orders: list[Any], owned: list[Any]) -> dict[str, Any]:
    return {"turn": turn, "phase": name, "units": units, "orders": orders, "centers": owned}


AT_FIRST = centers((0, SPAIN), (FRANCE, PAR), (FRANCE, MAR), (FRANCE, BRE), (GERMANY, MUN), (ENGLAND, LON), (0, BUR))
"""Burgundy is no centre."""
LATER = centers((FRANCE, SPAIN), (FRANCE, MAR), (FRANCE, BRE), (GERMANY, MUN), (GERMANY, PAR), (ENGLAND, LON))


def online() -> dict[str, Any]:
    """A year of webDiplomacy's: Burgundy is taken, its army retreats; Paris and Spain are taken, France disbands."""
    fleet, here = unit(FRANCE, "Fleet", MAO), unit(GERMANY, "Army", BUR)
    phases = [
        phase(
            *(0, "Diplomacy", [unit(GERMANY, "Army", MUN), unit(GERMANY, "Army", RUH), unit(FRANCE, "Army", BUR), fleet]),
            [
                order(GERMANY, "Army", MUN, "Move", BUR),
                order(GERMANY, "Army", RUH, "Support move", BUR, MUN),
                order(FRANCE, "Army", BUR, "Hold", success="No"),
                order(FRANCE, "Fleet", MAO, "Move", SPAIN_SC),
            ],
            AT_FIRST,
        ),
        phase(
            *(0, "Retreats"),
            [here, unit(GERMANY, "Army", RUH), unit(FRANCE, "Army", BUR, "Yes"), unit(FRANCE, "Fleet", SPAIN_SC)],
            [order(FRANCE, "Army", BUR, "Retreat", BEL)],
            AT_FIRST,
        ),
        phase(
            *(1, "Diplomacy", [here, unit(GERMANY, "Army", RUH), unit(FRANCE, "Army", BEL), unit(FRANCE, "Fleet", SPAIN_SC)]),
            [
                order(GERMANY, "Army", BUR, "Move", PAR),
                order(GERMANY, "Army", RUH, "Move", BEL, success="No"),
                order(FRANCE, "Army", BEL, "Hold", success="No"),
                order(FRANCE, "Fleet", SPAIN_SC, "Support hold", BEL, success="No"),
            ],
            AT_FIRST,
        ),
        phase(
            *(1, "Builds"),
            [
                unit(GERMANY, "Army", PAR),
                unit(GERMANY, "Army", RUH),
                unit(FRANCE, "Army", BEL),
                unit(FRANCE, "Fleet", SPAIN_SC),
            ],
            [order(FRANCE, "", MAR, "Build Fleet"), order(FRANCE, "", 0, "Wait")],
            LATER,
        ),
        phase(
            *(2, "Diplomacy"),
            [
                *(unit(GERMANY, "Army", PAR), unit(GERMANY, "Army", RUH), unit(FRANCE, "Army", BEL)),
                *(unit(FRANCE, "Fleet", SPAIN_SC), unit(FRANCE, "Fleet", MAR)),
            ],
            [],
            LATER,
        ),
    ]
    phases[3]["centers"] = phases[4]["centers"] = [*LATER, *centers((FRANCE, BEL))]
    return {"gameID": 7, "countryID": 1, "variantID": 1, "turn": 2, "phase": "Diplomacy", "gameOver": "No", "phases": phases}


LOG = """\
12:00:01 server to ENG: MAP ('STANDARD')
12:00:01 server to ENG: SCO (GER MUN) (FRA BRE MAR PAR) (ENG LON EDI LVP) (RUS STP) (UNO SPA BEL)
12:00:01 server to ENG: NOW (SPR 1901) (GER AMY MUN) (GER AMY RUH) (FRA AMY BUR) (RUS FLT (STP SCS)) (ENG FLT ECH)
12:00:01 server to FRA: NOW (SPR 1901) (GER AMY MUN) (GER AMY RUH) (FRA AMY BUR) (RUS FLT (STP SCS)) (ENG FLT ECH)
12:00:02 server to ENG: ORD (SPR 1901) ((GER AMY MUN) MTO BUR) (SUC)
12:00:02 server to FRA: ORD (SPR 1901) ((GER AMY MUN) MTO BUR) (SUC)
ORD ( SPR 1901 ) ( ( GER AMY RUH ) SUP ( GER AMY MUN ) MTO BUR ) ( SUC )
ORD (SPR 1901) ((FRA AMY BUR) HLD) (RET)
ORD (SPR 1901) ((RUS FLT (STP SCS)) MTO GOB) (SUC)
ORD (SPR 1901) ((ENG FLT ECH) MTO BRE) (SUC)
NOW (SUM 1901) (GER AMY BUR) (GER AMY RUH) (FRA AMY BUR MRT (BEL GAS MAR PAR PIC)) (RUS FLT GOB) (ENG FLT BRE)
ORD (SUM 1901) ((FRA AMY BUR) RTO PAR) (SUC)
NOW (FAL 1901) (GER AMY BUR) (GER AMY RUH) (FRA AMY PAR) (RUS FLT GOB) (ENG FLT BRE)
ORD (FAL 1901) ((ENG FLT BRE) HLD) (SUC)
SCO (GER MUN) (FRA MAR PAR) (ENG LON EDI LVP BRE) (RUS STP) (UNO SPA BEL)
NOW (WIN 1901) (GER AMY BUR) (GER AMY RUH) (FRA AMY PAR) (RUS FLT GOB) (ENG FLT BRE)
ORD (WIN 1901) ((ENG FLT LON) BLD) (SUC)
ORD (WIN 1901) (ENG WVE) (SUC)
ORD (WIN 1901) ((GER AMY RUH) REM) (SUC)
NOW (SPR 1902) (GER AMY BUR) (FRA AMY PAR) (RUS FLT GOB) (ENG FLT BRE) (ENG FLT LON)
"""

GAMES = {"online": (Kind.WEBDIPLOMACY, json.dumps(online())), "log": (Kind.DAIDE, LOG)}


def written(directory: Path, content: str) -> str:
    path = directory / "file"
    path.write_text(content, encoding="utf-8")
    return str(path)


@pytest.fixture(params=GAMES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return written(tmp_path, GAMES[request.param][1])


@pytest.mark.parametrize(("kind", "content"), GAMES.values(), ids=GAMES)
def test_a_game_is_told_by_its_content(kind: Kind, content: str) -> None:
    assert detect(content.encode()) is kind


def test_replay_finds_every_phase_the_same(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", file]) == 0
    assert capsys.readouterr().out == "4 phases of 1 game: 4 the same, 0 differ.\n"


def test_replay_tells_what_differs_in_each_phase(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = online()
    game["phases"][1]["units"][0]["terrID"] = MUN  # as if the attack on Burgundy had come to nothing
    game["phases"][1]["units"][2]["retreating"] = "No"
    assert run(["replay", written(tmp_path, json.dumps(game))]) == 1
    told = capsys.readouterr().out
    assert "7: S1901M" in told
    assert "A MUN - BUR" in told
    assert "success" in told  # the words of the API
    log = LOG.replace("(RUS FLT GOB) (ENG FLT BRE)\nORD (SUM", "(RUS FLT (STP SCS)) (ENG FLT BRE)\nORD (SUM")
    assert run(["replay", written(tmp_path, log)]) == 1
    told = capsys.readouterr().out
    assert "units  RUSSIA  F BOT              F STP/SC" in told
    assert "SUC" in told


def test_centres_that_change_hands_are_compared_after_fall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = online()
    game["phases"][3]["centers"] = centers((FRANCE, PAR))
    assert run(["replay", written(tmp_path, json.dumps(game))]) == 1
    assert "7: F1901M" in capsys.readouterr().out
    assert run(["replay", written(tmp_path, LOG.replace("LVP BRE)", "LVP)").replace("FRA MAR PAR", "FRA MAR PAR BRE"))]) == 1
    assert "F1901M" in capsys.readouterr().out


def test_every_phase_is_a_case(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    entries = list_entries(Path(file).read_bytes(), file)
    assert [entry.identity for entry in entries][:4] == ["S1901M", "S1901R", "F1901M", "W1901A"]
    retreat = entries[1].read()
    (lost,) = retreat.board.dislodged
    assert {"BEL", "GAS", "PAR", "PIC"} <= {*lost.retreats}
    assert "MUN" not in lost.retreats  # where the attacker came from
    assert run(["check", file, "--engine", "staged"]) == 0
    capsys.readouterr()
    assert run(["judge", file, "--case", "W1901A", "--json"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["phase"] == "adjustment"


def test_a_game_can_be_played_on(file: str, tmp_path: Path) -> None:
    assert run(["game", "import", file, str(tmp_path / "g.json")]) == 0
    game = Game.load(tmp_path / "g.json")
    assert game.phase_name == "S1902M"
    assert {str(unit) for unit in game.board.units} >= {"F BOT", "F LON"} or "F MAR" in map(str, game.board.units)


def test_webdiplomacys_numbers_are_its_territories() -> None:
    """Each place once; and homes as webDiplomacy gives them to countries."""
    from satjudge.files.webdiplomacy import _VARIANTS

    standard = load_map()
    for variant in _VARIANTS.values():
        assert sorted(variant.territories[1:]) == sorted(standard.locations | standard.provinces.keys())
    asked = {1: (2, 11, 22, 27, 37, 46, 72, 79, 81), 15: (2, 8, 9, 13, 24, 38, 54, 77, 81)}
    assert {number: [_VARIANTS[number].territories[one] for one in numbers] for number, numbers in asked.items()} == {
        1: ["EDI", "NAP", "CON", "SEV", "KIE", "BRE", "VIE", "STP/SC", "BUL/SC"],
        15: ["EDI", "SPA", "SPA/NC", "NAP", "BUL/SC", "STP/SC", "BUR", "BOH", "GAL"],
    }


def test_a_game_of_two_on_the_classic_map_is_read() -> None:
    """France against Austria numbers coasts behind their provinces (variants/ClassicFvA/install.php)."""
    game = {
        "gameID": 9,
        "variantID": 15,
        "phases": [
            {
                "turn": 0,
                "phase": "Diplomacy",
                "units": [
                    {"terrID": 53, "countryID": 1, "unitType": "Army"},
                    {"terrID": 78, "countryID": 2, "unitType": "Army"},
                ],
                "orders": [{"terrID": 53, "countryID": 1, "unitType": "Army", "type": "Move", "toTerrID": 54}],
                "centers": [],
            }
        ],
    }
    (row,) = [read() for read in row_readers(json.dumps(game).encode())]
    assert row.units == {"FRANCE": ["A PAR"], "AUSTRIA": ["A VIE"]}
    assert row.orders == {"FRANCE": ["A PAR - BUR"]}


def test_a_finished_game_ends_where_it_came_to() -> None:
    game = online()
    game["gameOver"], game["phases"][-1]["phase"] = "Won", "Finished"
    rows = [read() for read in row_readers(json.dumps(game).encode())]
    assert (rows[-1].phase, rows[-1].next_units and sorted(rows[-1].next_units)) == ("W1901A", ["FRANCE", "GERMANY"])
    del game["phases"][-1]  # as older releases told it: the last phase is not to be trusted
    rows = [read() for read in row_readers(json.dumps(game).encode())]
    assert (rows[-1].phase, rows[-1].next_units) == ("F1901M", None)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda game: game.update(variantID=2), "webDiplomacy's variant 2 (World) cannot be read (satjudge reads the"),
        (lambda game: game.update(variantID=77), "webDiplomacy's variant 77 cannot be read (satjudge reads the"),
        (lambda game: game["phases"][0]["units"][0].update(terrID=82), "game 7, turn 0, Diplomacy: there is no territory 82"),
        (lambda game: game["phases"][0]["units"][0].update(countryID=8), "there is no country 8"),
        (lambda game: game["phases"][0]["units"][0].update(unitType="Wing"), "a unit is an Army or a Fleet, not 'Wing'"),
        (lambda game: game["phases"][2]["orders"][0].update(type="Jump"), "there is no order type 'Jump'"),
        (lambda game: game["phases"][3].update(phase="Picnic"), "there is no phase 'Picnic' in turn 1"),
        (lambda game: game.pop("gameID"), "not a game from webDiplomacy: Object missing required field `gameID`"),
    ],
)
def test_what_cannot_be_read_of_webdiplomacy_is_told(
    change: Callable[[dict[str, Any]], object], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = online()
    change(game)
    assert run(["replay", written(tmp_path, json.dumps(game))]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("(FRA AMY PAR) (RUS FLT GOB)", "(FRA WNG PAR) (RUS FLT GOB)", "cannot read the unit 'FRA WNG PAR'"),
        ("ORD (SPR 1901) ((FRA", "ORD (SPR 1900) ((FRA", "file:8: there is an order for S1900M, but no NOW message"),
        ("ORD (SPR 1901) ((FRA", "ORD (XXX 1901) ((FRA", "there is no turn 'XXX 1901'"),
        ("(ENG FLT LON)\n", "(ENG FLT LON)\nNOW (SPR 1901) (GER AMY MUN)\n", "S1901M appears twice with different units"),
        ("(ENG FLT LON)\n", "(ENG FLT LON\n", "a bracket is not closed"),
        ("('STANDARD')", "('ATLANTIS')", "there is no map named 'atlantis'"),
        ("(RUS FLT GOB) (ENG", "(RUS FLT XYZ) (ENG", "file:11: "),
    ],
)
def test_what_cannot_be_read_of_a_log_is_told(
    before: str, after: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert before in LOG
    assert run(["replay", written(tmp_path, LOG.replace(before, after))]) == 2
    assert told in capsys.readouterr().err


def test_an_older_turn_that_a_client_asks_for_changes_nothing() -> None:
    lines = LOG.splitlines(keepends=True)
    again = "".join([*lines[:-1], *lines[1:11], lines[-1]])  # HST (SPR 1901), answered before the last message
    assert read_game(again.encode()) == read_game(LOG.encode())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            '{"sc": "", "orders": {"Turkey": {"Ank": {"type": "HOLD", "result_reason": ""}}}}',
            "this is a phase of Backstabbr's",
        ),
        ("<html><title>Game - Backstabbr</title></html>", "this is a web page of Backstabbr"),
        ("<!DOCTYPE html><title>Board - webDiplomacy</title>", "this is a web page of webDiplomacy"),
        ("<!DOCTYPE html><title>Board - vDiplomacy</title>", "this is a web page of vDiplomacy"),
        ('<?jsx version="1"?>\n<dip.world.World obj-id="0"/>', "this is a game that jDip saved"),
    ],
)
def test_other_forms_are_refused_by_name(content: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("replay", "judge", "crosscheck --against satjudge-staged"):
        assert run([*command.split(), written(tmp_path, content)]) == 2
        assert told in capsys.readouterr().err
    assert run(["game", "import", written(tmp_path, content), str(tmp_path / "game.json")]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "game new" not in said  # but what is read in its place
    assert "(docs/" in said.partition("not a saved game")[2]
