"""Every command that takes a position takes it on any map: one that comes with satjudge, or a file of one's own."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.ring_map import ON_RING, RING

from satjudge.apps.cli import cli, run
from satjudge.apps.cli.search import search
from satjudge.base.errors import NotFoundError
from satjudge.engines.connections.process_oracle import _make_simple_position
from satjudge.engines.positions import AskedPosition, Fuzz, list_positions
from satjudge.files.dialects import load_dialect
from satjudge.files.diplomacy_package import PlayedPhase, saved_game
from satjudge.files.maps import read_map
from satjudge.judging.judge import judge
from satjudge.world.board import Board, Unit, starting_board
from satjudge.world.geography import UnitKind, load_map, map_called, map_of_others

ON_LOEB9 = """\
case meeting: Two want Navarre
Spain:
  A Madrid - NAV          | succeeds
  A CAT S A Madrid - NAV  | given
France:
  A Gascony - NAV         | fails
"""
LINE = """\
case wall: Hills and Fens
North:
  A Fens S A Hills
  A Hills S A Fens
"""


class Ran(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def ring(tmp_path: Path) -> str:
    """A map of one's own, as a file."""
    file = tmp_path / "ring.toml"
    file.write_text(RING, encoding="utf-8")
    return str(file)


@pytest.fixture(params=["loeb9", "ring"])
def position(request: pytest.FixtureRequest, ring: str, tmp_path: Path) -> tuple[str, str]:
    """What `--map` is given, and a sheet of a position on that map."""
    sheet = tmp_path / "sheet.txt"
    sheet.write_text(ON_RING if request.param == "ring" else ON_LOEB9, encoding="utf-8")
    return (ring if request.param == "ring" else "loeb9"), str(sheet)


def satjudge(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ran:
    """Run a command."""
    code = run([*arguments])
    told = capsys.readouterr()
    return Ran(code, told.out, told.err)


TAKE_POSITIONS = (
    *(
        "batch",
        "census",
        "check",
        "compare",
        "count",
        "crosscheck",
        "datc",
        "equations",
        "explain",
        "export",
        "guarantee",
        "judge",
    ),
    *("explore", "lines", "prove", "reduce", "render", "replay", "report", "resolutions", "search"),
)


@pytest.mark.parametrize("name", TAKE_POSITIONS)
def test_every_command_that_takes_a_position_has_the_option(name: str) -> None:
    assert "--map" in {option for parameter in cli.commands[name].params for option in parameter.opts}
    assert set(cli.commands) == {
        *TAKE_POSITIONS,
        "conformance",
        "game",
        "kernel",
        "kit",
        "maps",
        "rulebooks",
        "serve",
        "mcp",
        "verify",
    }


@pytest.mark.parametrize("command", ["judge", "resolutions", "explain", "check", "equations", "compare"])
def test_a_position_is_judged_on_the_map_that_is_named(
    capsys: pytest.CaptureFixture[str], position: tuple[str, str], command: str
) -> None:
    given, sheet = position
    ran = satjudge(capsys, command, sheet, "--map", given)
    assert ran.code == 0, ran.err
    assert "3 verdicts compared" in ran.out if command == "check" else "meeting" in ran.out
    assert satjudge(capsys, command, sheet).code == 2  # on the standard map there are no such provinces


def test_a_case_that_names_a_map_keeps_it(capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path) -> None:
    sheet = tmp_path / "both.txt"
    named = "case there: Elsewhere\nmap: {}\nFrance:\n  A Paris - Burgundy | succeeds\n\n"
    sheet.write_text(named.format("standard") + ON_RING, encoding="utf-8")
    assert "4 verdicts compared" in satjudge(capsys, "check", str(sheet), "--map", ring).out
    sheet.write_text(ON_RING.replace("\nNorth:", "\nmap: ring\nNorth:", 1), encoding="utf-8")
    assert satjudge(capsys, "check", str(sheet), "--map", ring).code == 0  # the file's map goes by its own name
    refused = satjudge(capsys, "check", str(sheet))
    assert refused.code == 2
    assert f"{sheet}:2" in refused.err
    assert "there is no map named 'ring'" in refused.err
    assert "--map FILE" in refused.err


@pytest.mark.parametrize("given", ["nowhere", "missing.toml"])
def test_a_map_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str], given: str) -> None:
    ran = satjudge(capsys, "judge", "datc:6.A.1", "--map", given)
    assert ran.code == 2
    assert f"there is no map or file '{given}'" in ran.err


def test_shipped_cases_are_run_on_other_maps(capsys: pytest.CaptureFixture[str]) -> None:
    assert satjudge(capsys, "datc", "6.A.1", "6.C", "--map", "1898").code == 0
    exported = satjudge(capsys, "export", "6.C.1", "--map", "1898").out
    assert json.loads(exported)["map"] == "1898"
    assert "map" not in json.loads(satjudge(capsys, "export", "6.C.1").out)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_batch_lines_without_a_map_are_on_that_map(ring: str, tmp_path: Path, jobs: str) -> None:
    there = {"units": {"NORTH": ["A HILL"]}, "orders": {"NORTH": ["A HILL - FEN"]}}
    usual = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
    lines = [there, there | {"map": "ring"}, usual | {"map": "standard"}, usual]
    rows = tmp_path / "rows.jsonl"
    # So many that the compiled path is taken, which knows the standard map alone.
    rows.write_text("".join(f"{json.dumps(line)}\n" for line in lines * 700), encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "satjudge", "batch", str(rows), "--map", ring, "--jobs", jobs],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    units = [json.loads(line).get("units") for line in ran.stdout.splitlines()]
    assert units == [{"NORTH": ["A FEN"]}, {"NORTH": ["A FEN"]}, {"FRANCE": ["A BUR"]}, None] * 700
    assert ran.returncode == 1


@pytest.mark.parametrize("command", ["search", "prove", "guarantee"])
def test_what_ranges_over_orders_does_so_on_a_map_of_ones_own(
    capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path, command: str
) -> None:
    sheet = tmp_path / "line.txt"
    sheet.write_text(LINE, encoding="utf-8")
    asked = {
        "search": ["occupied:FEN=NORTH and dislodged:FEN", "--save", str(tmp_path / "found")],
        "prove": [str(sheet), "--cheapest", "--save", str(tmp_path / "found")],
        "guarantee": ["keep FEN", str(sheet), "--power", "North"],
    }[command]
    ran = satjudge(capsys, command, *asked, "--map", ring, "--json")
    document = json.loads(ran.out)
    if command == "search":
        assert ran.code == 0
        assert len(document["answers"]) == 1
    elif command == "prove":
        assert document["cases"][0]["finding"] in ("holds", "breaks")
    else:
        assert ran.code == 0
    for case in (tmp_path / "found").glob("*.txt"):
        assert "map: ring" in case.read_text(encoding="utf-8")
        assert satjudge(capsys, "check", str(case), "--map", ring).code in (0, 5)


@pytest.mark.parametrize(
    ("given", "what"), [("loeb9", "difficult borders (DATC 2.4, 10)"), ("colonial", "a railroad (DATC 2.4, 7.B)")]
)
def test_what_no_search_ranges_over_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, given: str, what: str
) -> None:
    sheet = tmp_path / "line.txt"
    place = "Naples" if given == "loeb9" else "Omsk"
    sheet.write_text(f"Russia:\n  A {place} H\n", encoding="utf-8")
    for asked in (["search", "paradox"], ["prove", str(sheet)], ["guarantee", "hold", str(sheet), "--power", "Russia"]):
        ran = satjudge(capsys, *asked, "--map", given)
        assert ran.code == 2
        assert f"the map {given} has {what}, which searches do not support" in ran.err


def test_a_season_in_which_provinces_are_shut_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path
) -> None:
    Path(ring).write_text(RING.replace("\n[power.N", '\n[closed]\nfall = ["TOW"]\n\n[power.N', 1), encoding="utf-8")
    sheet = tmp_path / "line.txt"
    power = ["--power", "North"]
    for season, code in (("spring", 0), ("fall", 2)):
        sheet.write_text(f"season: {season}\n{LINE.partition(chr(10))[2]}", encoding="utf-8")
        for asked in (["guarantee", "keep FEN", str(sheet), *power], ["prove", str(sheet), "--enemies", "0"]):
            ran = satjudge(capsys, *asked, "--map", ring)
            assert ran.code == code, ran.err
            assert code == 0 or "closed in fall, as on the map ring" in ran.err
    assert satjudge(capsys, "search", "paradox", "--board", str(sheet), "--map", ring).code == 2


def test_regions_and_goals_are_read_on_the_map(capsys: pytest.CaptureFixture[str], ring: str) -> None:
    found = satjudge(capsys, "search", "dislodged:FEN", "--map", ring, "--region", "FEN Hills Dale Town", "--json")
    assert found.code == 0
    units = json.loads(found.out)["answers"][0]["units"].values()
    assert "FEN" in {unit.split()[1] for standing in units for unit in standing}
    refused = satjudge(capsys, "search", "paradox", "--map", ring, "--region", "PAR")
    assert refused.code == 2
    assert "expected a province, found 'PAR'" in refused.err


@pytest.mark.parametrize("given", ["loeb9", "ring"])
def test_a_census_of_another_map(capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path, given: str) -> None:
    units = ["--units", "2..6"] if given == "ring" else []
    named = ring if given == "ring" else given
    ran = satjudge(
        capsys, "census", "--boards", "200", "--map", named, "--jobs", "1", "--json", "--save", str(tmp_path / "shapes"), *units
    )
    assert ran.code == 0, ran.err
    document = json.loads(ran.out)
    assert document["map"].split()[0] == given
    assert document["boards"] == 200
    assert document["boards_with_cores"] > 10
    case = sorted((tmp_path / "shapes").glob("*.txt"))[0]
    assert f"map: {given}" in case.read_text(encoding="utf-8")
    assert satjudge(capsys, "check", str(case), "--map", named).code == 0
    other = satjudge(capsys, "census", "--boards", "1", "--save", str(tmp_path / "shapes"))  # of the same seed
    assert other.code == 2
    assert "belongs to another census" in other.err


def test_what_a_map_has_no_room_for_is_refused(capsys: pytest.CaptureFixture[str], ring: str) -> None:
    too_many = satjudge(capsys, "census", "--map", ring, "--units", "2..7")
    assert (too_many.code, "between 1 and 6" in too_many.err) == (2, True)
    powers = satjudge(capsys, "census", "--map", ring, "--power-count", "3")
    assert (powers.code, "the map has 2 powers" in powers.err) == (2, True)


def test_boards_on_another_map_are_compared_with_an_oracle(
    capsys: pytest.CaptureFixture[str], ring: str, position: tuple[str, str]
) -> None:
    given, sheet = position
    fuzzed = satjudge(
        capsys, "crosscheck", "--against", "kruijswijk-guess", "--fuzz", "60", "--map", ring, "--units", "2..6", "--jobs", "1",
        "--json",
    )  # fmt: skip
    document = json.loads(fuzzed.out)
    assert (fuzzed.code, document["agreed"], document["map"].split()[0]) == (0, 60, "ring")
    read = satjudge(capsys, "crosscheck", "--against", "satjudge-staged", sheet, "--map", given, "--jobs", "1", "--json")
    assert (read.code, json.loads(read.out)["agreed"]) == (0, 1)


def test_an_oracle_says_by_name_which_maps_it_does_not_know(capsys: pytest.CaptureFixture[str], ring: str) -> None:
    guess = satjudge(capsys, "crosscheck", "--against", "kruijswijk-guess", "--fuzz", "1", "--map", "loeb9")
    assert guess.code == 2
    assert "kruijswijk-guess supports only maps without rules of their own, not loeb9, which has" in guess.err
    assert "difficult borders" in guess.err
    package = satjudge(capsys, "crosscheck", "--against", "diplomacy", "--fuzz", "1", "--map", ring)
    assert package.code == 2
    assert "diplomacy supports only the standard map, not ring (these oracles do: kruijswijk-partial" in package.err


@pytest.mark.parametrize("given", ["loeb9", "colonial"])
def test_one_oracle_knows_the_rules_of_every_map(capsys: pytest.CaptureFixture[str], given: str) -> None:
    asked = [
        "--against",
        "kruijswijk-variants",
        "--fuzz",
        "20",
        "--flavour",
        "variant",
        "--map",
        given,
        "--jobs",
        "1",
        "--json",
    ]
    ran = satjudge(capsys, "crosscheck", *asked)
    assert (ran.code, json.loads(ran.out)["agreed"]) == (0, 20)


@pytest.mark.usefixtures("without_hypotheses")
def test_what_differs_on_another_map_reruns_with_its_command(
    capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "holding.py").write_text(
        "from satjudge.oracles.oracle import Answer\n"
        "from satjudge.world.board import by_power\n"
        "def judge(board, orders):\n"
        "    return Answer({p: ['fails'] * len(o) for p, o in orders.items()}, {}, by_power(board.units))\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    asked = ["crosscheck", "--against", "holding:judge", "--jobs", "1", "--json"]
    ran = satjudge(
        capsys,
        *asked,
        "--fuzz",
        "5",
        "--units",
        "2..4",
        "--map",
        ring,
        "--save",
        str(tmp_path / "found"),
        "--depth",
        "positions",
    )
    assert ran.code == 1
    command = json.loads(ran.out)["findings"][0]["command"].split()
    assert command[-2:] == ["--map", ring]
    assert run(command[1:]) == 1


GAME = {
    "id": "g",
    "map": "ring",
    "phases": [
        {
            "name": "S1901M",
            "state": {"name": "S1901M", "units": {"NORTH": ["A HILL"], "SOUTH": ["F DAL"]}},
            "orders": {"NORTH": ["A HILL - FEN"], "SOUTH": ["F DAL - BAY"]},
        },
        {"name": "F1901M", "state": {"name": "F1901M", "units": {"NORTH": ["A FEN"], "SOUTH": ["F BAY"]}}},
    ],
}
ROW = {
    "game": "g", "phase": "S1901M", "units": {"NORTH": ["A HILL"]}, "orders": {"NORTH": ["A HILL - FEN"]},
    "next_units": {"NORTH": ["A FEN"]},
}  # fmt: skip
JDIP = """\
VARIANT_ALL Ring
CASE one
PRESTATE
North: A hill
ORDERS
North: A hill - fen
POSTSTATE
North: A fen
END
"""


@pytest.mark.parametrize("content", [json.dumps(GAME), json.dumps(ROW), JDIP], ids=["game", "row", "jdip"])
def test_games_on_a_map_that_is_not_known_are_replayed_on_the_one_named(
    capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "game"
    file.write_text(content, encoding="utf-8")
    ran = satjudge(capsys, "replay", str(file), "--map", ring, "--json")
    assert ran.code == 0, ran.err
    assert [game["same"] for game in json.loads(ran.out)["games"]] == [1]
    assert satjudge(capsys, "judge", str(file), "--map", ring, *(["--case", "S1901M"] if "phases" in content else [])).code == 0
    refused = satjudge(capsys, "replay", str(file))
    assert refused.code == 2
    assert content is not JDIP or "there is no map for the variant 'Ring'" in refused.err
    assert '"next_units"' in content or "--map FILE" in refused.err
    assert str(file) in refused.err


def test_a_game_is_saved_with_its_map() -> None:
    board = Board((Unit("FRANCE", UnitKind.ARMY, "PAR"),), map=load_map("1898"))
    saved = saved_game("g", [PlayedPhase("S1898M", board, {}, {})])
    assert (saved["map"], saved["phases"][0]["state"]["map"]) == ("1898", "1898")
    assert saved_game("g", [])["map"] == "standard"


def test_which_map_is_meant(ring: str) -> None:
    own, standard = read_map(ring), load_map()
    assert map_called(None) is map_called("standard") is standard
    assert map_called(None, own) is map_called("ring", own) is own
    assert map_called("loeb9", own) is load_map("loeb9")
    assert map_called("standard", own) is standard
    assert map_of_others("milan", own) is own
    for find in (map_called, map_of_others):
        with pytest.raises(NotFoundError, match="--map FILE"):
            find("milan", None)


def test_a_map_of_ones_own_does_not_replace_one_that_comes_with_satjudge(
    capsys: pytest.CaptureFixture[str], ring: str, tmp_path: Path
) -> None:
    Path(ring).write_text(RING.replace('name = "ring"', 'name = "colonial"', 1), encoding="utf-8")
    own = read_map(ring)
    assert map_called("colonial", own) is map_of_others("colonial", own) is load_map("colonial")
    assert map_called(None, own) is own
    sheet = tmp_path / "both.txt"
    sheet.write_text(f"case there: Elsewhere\nmap: colonial\nRussia:\n  A Omsk H | succeeds\n\n{ON_RING}", encoding="utf-8")
    assert "4 verdicts compared" in satjudge(capsys, "check", str(sheet), "--map", ring).out
    assert (load_map("colonial").case_name, own.case_name) == ("colonial", None), "what is written is read as it was meant"
    (told,) = (line for line in satjudge(capsys, "maps", "check", ring).out.splitlines() if "comes with" in line)
    assert "a map that comes with satjudge is also called colonial" in told


def test_a_name_of_no_map_is_told_with_those_that_there_are(ring: str) -> None:
    with pytest.raises(NotFoundError, match=r"standard-transform, and ring, your own map; did you mean ring\?"):
        map_called("rings", read_map(ring))
    for given in (load_map, starting_board):
        with pytest.raises(NotFoundError, match=r"there are 1898, .*; satjudge\.read_map reads a file"):
            given("x.toml")
    assert len(starting_board(read_map(ring)).units) == 2


def test_positions_of_campaigns_keep_their_maps(ring: str) -> None:
    own = read_map(ring)
    fuzz = Fuzz(1, 3, units=(2, 4), map=own, map_given=ring)
    here = AskedPosition(Board((Unit("FRANCE", UnitKind.ARMY, "PAR"),)), {}, "here")
    source = list_positions([fuzz.get_position(0), here], ["a.txt", "b.txt"], ring)
    assert [source.get_position(number).board.map for number in range(2)] == [own, load_map()]
    assert [source.get_position(number).line for number in range(2)] == [fuzz.get_position(0).line, here.line]
    assert source.list_arguments(1) == ["b.txt", "--map", ring]
    assert fuzz.list_arguments(2)[-2:] == ["--map", ring]
    assert source.list_parameters() != list_positions([here]).list_parameters()
    assert pickle.loads(pickle.dumps(fuzz)).get_position(1).line == fuzz.get_position(1).line


def test_a_map_is_told_by_what_it_holds(ring: str, tmp_path: Path) -> None:
    own = read_map(ring)
    changed = tmp_path / "changed.toml"
    changed.write_text(RING.replace('army = ["FEN"]', "army = []"), encoding="utf-8")
    assert own.exact_name != read_map(str(changed)).exact_name
    assert load_map("loeb9").exact_name == "loeb9"
    assert own.exact_name.split()[0] == "ring"


def test_the_first_question_to_an_engine_is_on_the_map(ring: str) -> None:
    for game_map in (load_map(), load_map("chaos"), read_map(ring)):
        board, orders = _make_simple_position(game_map)
        assert board.ensure_possible().map is game_map
        assert judge(board, orders).results
        assert set(orders) == {unit.power for unit in board.units}


def test_dialects_write_the_provinces_of_the_map(ring: str, tmp_path: Path) -> None:
    own = read_map(ring)
    file = tmp_path / "house.toml"
    file.write_text('[house]\nprovinces = { HILL = "MTN" }\n', encoding="utf-8")
    dialect = load_dialect(str(file), [own])
    assert dialect.format_notation("A HILL - FEN", own) == "A MTN - FEN"
    assert dialect.parse_notation("A MTN", own) == "A HILL"
    assert dialect.parse_notation("A MTN", load_map()) == "A MTN"
    with pytest.raises(Exception, match="no map has the province 'HILL'"):
        load_dialect(str(file), [load_map()])


def test_help_says_whose_map_it_is() -> None:
    told = next(parameter for parameter in search.params if "--map" in parameter.opts)
    assert "if the input does not name one" in (getattr(told, "help", "") or "")
