"""`prove` against brute force, against published lines, and what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from helpers.playing_out import POWERS, breaking_attack, legal_orders, random_line

from satjudge import Board, Unit, judge, load_map, load_rulebook
from satjudge.apps.cli import run
from satjudge.base.errors import InputError, SheetError
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_order
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.search.lines.alternatives import list_variants, parse_either_kind
from satjudge.search.lines.line import Line, find_cut_off, find_units_from_homes, list_all_units, read_line, read_stated_finding
from satjudge.search.lines.prove import (
    Attack,
    Siege,
    examine_line,
    examine_without_each,
    find_smallest_part,
    list_threats,
    repair_line,
)
from satjudge.search.task import LineTask
from satjudge.world.geography import Map, ProvinceCode, UnitKind, map_from
from satjudge.world.orders import Hold, MovementOrder, Named, SupportHold
from satjudge.world.rules import preset_names

RULES = load_rulebook("datc-3")
LINES = {
    sheet.identity: sheet
    for sheet in read_collection("lines")
    if sheet.notes.get("finding") and Path(sheet.source_file).stem != "moving"  # tests/search/test_moving.py
}
PUBLISHED = [
    sheet
    for sheet in LINES.values()
    if Path(sheet.source_file).stem in ("eastern", "southern") and "found by satjudge" not in " ".join(sheet.notes["source"])
]


def line_of(board: Board, orders: Mapping[Unit, MovementOrder], behind: frozenset[ProvinceCode], enemies: int) -> Line:
    return Line(board, {unit.province: order for unit, order in orders.items()}, RULES, behind, (), enemies)


def sheet_of(text: str) -> Sheet:
    return read_sheets(text)[0]


def line(
    text: str,
    behind: str | None = None,
    without: Sequence[str] = (),
    enemies: int | None = None,
    centers: str | None = None,
    out: str | None = None,
) -> Line:
    return LineTask(behind=behind, without=(*without,), enemies=enemies, centers=centers, out=out).read_line(
        sheet_of(text), RULES
    )


# Against brute force.


@pytest.mark.parametrize("seed", range(40))
def test_the_same_answer_and_the_same_minimum_as_every_placement_and_order(seed: int) -> None:
    board, orders, behind = random_line(Random(f"line {seed}"))
    described = line_of(board, orders, behind, enemies=2 if seed % 4 else 3)
    found = examine_line(described, cheapest=True)
    brute = breaking_attack(board, orders, described.protected_provinces, described.enemies)
    assert found.holds == (brute is None)
    if found.attack is not None and brute is not None:
        assert found.attack.entered_provinces
        assert len(found.attack.orders) == len(brute.board.units) - len(board.units)


def test_the_brute_force_sample_has_lines_that_hold_and_lines_that_break() -> None:
    lines = [line_of(*random_line(Random(f"line {seed}")), enemies=2 if seed % 4 else 3) for seed in range(40)]
    found = [examine_line(line, cheapest=True) for line in lines]
    assert sum(finding.holds for finding in found) >= 5
    assert sum(not finding.holds for finding in found) >= 15


def test_an_army_that_lands_can_do_no_more_than_the_fleet_that_carries_it() -> None:
    """In brute force, which tries convoys as well: an island in one sea, which one fleet attacks for all on the coasts."""
    sea = {"name": "Sea", "kind": "sea", "fleet": ["ISL", "ONE", "TWO"]}
    coasts = {code: {"name": code.title(), "kind": "coast", "army": [], "fleet": ["SEA"]} for code in ("ISL", "ONE", "TWO")}
    powers = {power: {"name": power.title(), "adjective": power.title()} for power in POWERS}
    table = {"name": "island", "title": "island", "powers": POWERS, "power": powers, "province": {"SEA": sea, **coasts}}
    island = map_from(table)
    army = Unit(POWERS[0], UnitKind.ARMY, "ISL")
    board = Board((army,), map=island)
    orders: dict[Unit, MovementOrder] = {army: Hold(Named(UnitKind.ARMY, "ISL"))}
    assert breaking_attack(board, orders, {"ISL"}, 3) is None
    assert examine_line(line_of(board, orders, frozenset(), 3)).holds
    landing = breaking_attack(Board((), map=island), {}, {"ISL"}, 2)
    assert landing is not None
    empty = replace(line_of(board, orders, frozenset(), 3).keep_units([]), enemies=1)
    assert not examine_line(empty).holds


@pytest.mark.parametrize("seed", range(12))
def test_smallest_part_and_redundant_units_against_every_part(seed: int) -> None:
    board, orders, behind = random_line(Random(f"thin {seed}"))
    described = line_of(board, orders, behind, enemies=2)
    parts = [described.keep_units(kept) for kept in _subsets([unit.province for unit in board.units])]
    holding = [part for part in parts if _holds(part)]
    least = find_smallest_part(described)
    assert (least is None) == (not _holds(described))
    if least is not None:
        assert len(least.board.units) == min(len(part.board.units) for part in holding)
        spare = {
            unit for unit in board.units if _holds(described.keep_units({u.province for u in board.units} - {unit.province}))
        }
        assert {unit for unit, rest in examine_without_each(described) if rest.holds} == spare


def _subsets(things: list[str]) -> list[list[str]]:
    return [[thing for bit, thing in enumerate(things) if mask >> bit & 1] for mask in range(1 << len(things))]


def _holds(line: Line) -> bool:
    orders = {unit: line.orders[unit.province] for unit in line.board.units}
    return breaking_attack(line.board, orders, line.protected_provinces, line.enemies) is None


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 10))])
def test_a_repaired_line_holds_and_one_unit_is_enough_just_where_it_says_so(seed: int) -> None:
    random = Random(f"repair {seed}")
    described = line_of(*random_line(random), enemies=2)
    while examine_line(described).holds:
        described = line_of(*random_line(random), enemies=2)
    repaired = repair_line(described)
    added = len(repaired.board.units) - len(described.board.units) if repaired else None
    assert repaired is None or _holds(repaired)
    assert (added == 1) == any(_holds(described.add_units(more)) for more in _single_units(described))


def _single_units(line: Line) -> Iterator[dict[Unit, MovementOrder]]:
    """Every unit more, with every order to hold or to support."""
    game_map = line.board.map
    for place in sorted(game_map.provinces.keys() - line.board.unit_at.keys()):
        for kind in UnitKind:
            if game_map.problem_with(kind, place) is None:
                unit = Unit(POWERS[0], kind, place)
                more = replace(line.board, units=(*line.board.units, unit))
                for order in legal_orders(more, unit):
                    if isinstance(order, Hold | SupportHold):
                        yield {unit: order}


# Published lines.


@pytest.mark.parametrize("identity", LINES)
def test_a_published_line_is_what_its_sheet_says(identity: str) -> None:
    sheet = LINES[identity]
    found = examine_line(read_line(sheet, RULES))
    assert found.holds == (read_stated_finding(sheet) == "holds")
    assert sheet.notes["source"]
    if found.attack is not None:
        assert found.attack.entered_provinces
        assert not any(unit.province in found.line.protected_provinces for unit in found.attack.orders)
        for unit in found.attack.orders:  # no enemy too many
            rest = {other: order for other, order in found.attack.orders.items() if other != unit}
            assert not Attack(found.line, rest).entered_provinces


def test_there_are_published_lines_of_many_sizes() -> None:
    sizes = [len(sheet.board.units) for sheet in PUBLISHED]
    assert len(sizes) >= 25
    assert min(sizes) == 6
    assert max(sizes) == 17


def test_a_published_line_falls_to_a_fleet_in_venice() -> None:
    sheet = LINES["beshera-1"]
    found = examine_line(read_line(sheet, RULES), cheapest=True)
    assert found.attack is not None
    assert found.attack.entered_provinces == ("ION",)
    assert sorted(map(str, found.attack.orders)) in (["F TUN", "F TYS", "F VEN"], ["F GRE", "F TYS", "F VEN"])
    assert examine_line(read_line(sheet, RULES, LineTask(without=("F VEN",)))).holds
    assert examine_line(read_line(sheet, RULES, LineTask(enemies=2))).holds
    repaired = repair_line(read_line(sheet, RULES))
    assert repaired is not None
    assert len(repaired.board.units) == len(sheet.board.units) + 1


@pytest.mark.parametrize("rules", preset_names())
def test_lines_hold_under_every_rulebook_that_has_no_written_convoy_paths(rules: str) -> None:
    line = read_line(LINES["verheiden-southern-4"], load_rulebook(rules))
    assert examine_line(line).holds
    without_wes = line.keep_units(unit.province for unit in line.board.units if unit.province != "WES")
    assert not examine_line(without_wes).holds


# What the line is, and what the enemies are.


def test_what_lies_behind_is_what_the_line_cuts_off() -> None:
    iberia = line("France:\n  F MAO H\n  F WES H\n  A MAR H\n  A GAS H\n  F LYO H\n  F NAF H")
    assert iberia.behind == {"SPA", "POR"}
    assert find_cut_off(load_map(), frozenset({"PAR"})) == frozenset()
    assert line("France: A PAR H", behind="Picardy, Gas").behind == {"PIC", "GAS"}
    assert line("behind: BRE PIC\nFrance: A PAR H").protected_provinces == {"BRE", "PIC", "PAR"}
    assert line("behind: none\nFrance:\n  F MAO H\n  F WES H\n  A MAR H\n  A GAS H\n  F LYO H\n  F NAF H").behind == set()


def test_enemies_that_cannot_be() -> None:
    text = "without: F BRE, PIC\nFrance: A PAR H"
    units = line(text, without=["A"]).enemy_units
    assert ("F", "BRE") not in units
    assert ("F", "PIC") not in units
    assert not any(kind == "A" for kind, _ in units)
    assert {("F", "SPA/NC"), ("F", "SPA/SC")} <= set(units)
    assert ("F", "SPA/NC") not in line(text, without=["F SPA"]).enemy_units
    assert line(text).enemies == 33


def test_a_single_army_needs_two_and_a_supported_one_three() -> None:
    alone = examine_line(line("France: A PAR H"), cheapest=True)
    assert alone.attack is not None
    assert len(alone.attack.orders) == 2
    helped = examine_line(line("France:\n  A PAR H\n  A BRE S A PAR", behind=""), cheapest=True)
    assert helped.attack is not None
    assert helped.attack.entered_provinces == ("BRE",)
    assert examine_line(line("France: A PAR H", enemies=1)).holds


def test_orders_without_a_part_in_the_attack_are_not_looked_at() -> None:
    described = line("France: A PAR H")
    assert {str(order) for _, order in list_threats(described, "PAR") if " S " not in str(order)} == {
        f"A {place} - PAR" for place in ("BRE", "BUR", "GAS", "PIC")
    }
    assert Siege(described, "PAR").find_attack(1) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("France:\n  A BRE - LON\n  F ENG C A BRE - LON", "F ENG C A BRE - LON is impossible in a line"),
        ("France: A PAR S A BUR", "there is no unit in BUR"),
        ("without: F PAR\nFrance: A MAR H", "no unit F PAR is possible"),
        ("without: Q PAR\nFrance: A MAR H", "expected"),
        ("behind: nowhere\nFrance: A MAR H", "sheet:1:9: expected a province"),
        ("\n  behind: BRE, Picardi\nFrance: A MAR H", r"sheet:2:16: expected a province, .*did you mean Picardy"),
        ("without: F BRE\nwithout: A, F BLX\nFrance: A MAR H", r"sheet:2:15: expected a province, .*did you mean Black Sea"),
        ("France: A PAR H\nretreats", "sheet:2: a line has no retreats"),
        ("France owns SC PAR", "the line has no units"),
    ],
)
def test_what_is_no_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        line(text)


def test_a_finding_is_one_of_two_words() -> None:
    assert read_stated_finding(sheet_of("finding: Holds\nFrance: A PAR H")) == "holds"
    with pytest.raises(SheetError, match="is not a valid finding"):
        read_stated_finding(sheet_of("finding: perhaps\nFrance: A PAR H"))


def test_a_made_up_power_is_never_needed_for_the_enemies() -> None:
    board, orders, behind = random_line(Random("line 3"))
    assert {unit.power for unit, _ in list_threats(line_of(board, orders, behind, 2), board.units[0].province)} <= set(POWERS)


# The command.


def test_the_command_tells_proofs_and_attacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["prove", "line:walker-1"]) == 0
    said = capsys.readouterr().out
    assert "Holds: " in said
    assert "at most 24 units" in said
    assert "No enemy stands behind the line or is built there" in " ".join(said.split())
    assert run(["prove", "line:beshera-1", "--repair"]) == 0  # as its sheet says
    said = capsys.readouterr().out
    assert "Breaks: an attack of 3 enemies enters ION" in said
    assert "Fewest additional units that make it hold: 1" in said
    assert "F ION H              dislodged" in said
    assert run(["prove", "line:beshera-1", "--without", "PRU"]) == 1  # another question, and it breaks


def test_the_command_writes_json_and_sheets_that_read_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["prove", "line:beshera-1", "--cheapest", "--json", "--save", str(tmp_path)]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["finding"] == "breaks"
    assert case["attack"]["entered"] == ["ION"]
    assert case["rulebook"]["name"] == "datc-3"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["beshera-1-attack.txt", "beshera-1.txt"]
    assert run(["check", *map(str, tmp_path.iterdir())]) == 0
    assert run(["prove", str(tmp_path / "beshera-1.txt")]) == 0


def test_the_command_says_what_is_redundant(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    file.write_text("behind: POR\nFrance:\n  A SPA H\n  F MAO H\n  A MAR S A SPA\n  A POR S A SPA\n")
    assert run(["prove", str(file), "--enemies", "1", "--redundant", "--json"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["redundant"] == ["A POR"]
    assert case["smallest"] == ["A SPA H", "F MAO H", "A MAR S A SPA"]
    assert run(["prove", str(file), "--enemies", "1", "--redundant"]) == 0
    assert "Smallest part that holds: 3 units; without A POR." in capsys.readouterr().out


def test_an_unknown_line_and_a_sheet_that_states_otherwise(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["prove", "line:maginot"]) == 2
    told = capsys.readouterr().err
    assert "there are line:" in told
    assert "line:beshera-1" in told
    file = tmp_path / "line.txt"
    file.write_text("finding: holds\nFrance: A PAR H\n")
    assert run(["prove", str(file)]) == 1
    assert "The sheet expects another finding" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--behind", "BRE PIX"], "--behind, column 5: expected a province, found 'PIX'"),
        (["--without", "F VEN", "--without", "A SPA, F BLX"], "--without, column 10: expected a province, found 'BLX'"),
        (["--without", "F PAR"], "--without, column 1: no unit F PAR is possible"),
        (["--enemies", "76"], "76 is not in the range"),
    ],
)
def test_a_mistake_in_an_option_is_told_of_the_option(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert run(["prove", "line:walker-1", *options]) == 2
    assert message in capsys.readouterr().err


def test_what_makes_no_sense_is_noted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    file.write_text("behind: PAR PIC\nFrance: A PAR H | dislodged\n")
    assert run(["prove", str(file), "--cheapest", "--redundant"]) == 1
    said = capsys.readouterr().out
    assert "1 unit protects 2 provinces; behind it: PIC." in said
    assert "Breaks: an attack of 1 enemy enters PIC." in said
    assert "Note: PAR need not be listed as behind the line: its own units stand there." in said
    assert "Note: the verdicts on this sheet are ignored; use satjudge check to compare them." in said
    assert "Note: no unit is redundant: the line breaks as it is." in said
    assert run(["prove", str(file), "--enemies", "0", "--cheapest", "--repair"]) == 0
    said = capsys.readouterr().out
    assert "Note: there is no cheapest attack: the line holds." in said
    assert "Note: there is nothing to repair: the line holds." in said
    assert run(["prove", str(file), "--enemies", "70"]) == 1
    assert "no more than 33, because there are 34 supply centres and the line has 1 unit" in capsys.readouterr().out


def saved(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


def test_what_is_saved_stays_in_its_directory(tmp_path: Path) -> None:
    names = ("../../evil", "a/b", "..", "/etc/evil", "a-b")
    (tmp_path / "in.txt").write_text("".join(f"case {name}: x\nFrance: A PAR H\n" for name in names))
    assert run(["prove", str(tmp_path / "in.txt"), "--enemies", "1", "--save", str(tmp_path / "deep" / "out")]) == 0
    files = [f"deep/out/{name}.txt" for name in ("a-b-2", "a-b", "case", "etc-evil", "evil")]
    assert saved(tmp_path) == [*files, "in.txt"]


def test_sheets_without_a_name_take_that_of_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, there = tmp_path / "my line.txt", tmp_path / "out"
    file.write_text("France:\n  A SPA H\n  F MAO H\n  A MAR S A SPA\n")
    assert run(["prove", str(file), "--enemies", "1", "--redundant", "--save", str(there)]) == 0
    assert saved(there) == ["my-line.txt"]  # nothing could be left out
    assert run(["prove", str(file), "--save", str(there)]) == 1
    assert saved(there) == ["my-line-2-attack.txt", "my-line-2.txt", "my-line.txt"]
    assert (there / "my-line-2-attack.txt").read_text().startswith("case my-line-2-attack: the attack\n")
    assert run(["check", *(str(there / name) for name in saved(there))]) == 0


def test_an_earlier_proof_is_never_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, there = tmp_path / "line.txt", tmp_path / "out"
    file.write_text("France:\n  A SPA H\n  F MAO H\n  A MAR S A SPA\n")
    assert run(["prove", str(file), "--enemies", "1", "--save", str(there)]) == 0
    first = (there / "line.txt").read_text()
    for _ in range(2):  # what is there already is not written again
        assert run(["prove", str(file), "--save", str(there)]) == 1
        assert saved(there) == ["line-2-attack.txt", "line-2.txt", "line.txt"]
    assert "already has another line, so this one is saved as line-2" in capsys.readouterr().err
    assert (there / "line.txt").read_text() == first
    assert run(["prove", str(file), "--enemies", "1", "--save", str(there)]) == 0
    assert len(saved(there)) == 3


def test_what_was_read_is_not_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    file.write_text("France: A PAR H\n")
    assert run(["prove", str(file), "--save", str(tmp_path)]) == 2
    assert "which was read" in capsys.readouterr().err
    assert file.read_text() == "France: A PAR H\n"


@pytest.mark.parametrize("command", ["judge", "check", "resolutions", "equations", "prove"])
def test_a_shipped_line_by_its_name(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "line:walker-1"]) == 0
    assert run([command, "line:walker-2"]) == 2
    assert "there is no case 'walker-2' (did you mean line:walker-1" in capsys.readouterr().err


def test_a_case_of_the_catalogue_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "catalogue:2M-2r-8f8dc5ac"]) == 0
    assert run(["check", "catalogue:catalogue-2M-2r-8f8dc5ac"]) == 0
    assert run(["check", "catalogue:2M-2r-8f8dc5ad"]) == 2
    assert "(did you mean catalogue:2M-2r-8f8dc5ac, " in capsys.readouterr().err


# What the literature says of lines.

LIPTON = """behind: TUN ANK SMY
Turkey:
  F NAF H
  F WES S A SPA
  A POR S A SPA
  A SPA H
  A CON H
  A ARM H
"""


def test_centres_bound_the_enemies() -> None:
    assert line(f"centers: Turkey, Iberia, Tun. (6)\n{LIPTON}").enemies == 28
    six = line(f"centers: POR SPA TUN CON ANK SMY\n{LIPTON}")
    assert six.centers == frozenset(("POR", "SPA", "TUN", "CON", "ANK", "SMY"))
    assert line(LIPTON, centers="Turkey, Balkans").enemies == 27
    assert not any("centre" in remark for remark in line(f"centers: Turkey, Iberia, Tun\n{LIPTON}").remarks)
    remarks = line(LIPTON, centers="ANK, BER").remarks
    assert "2 centres cannot feed 6 units: the line starves" in remarks
    assert "the line owns but does not protect BER" in remarks


def test_powers_that_are_out_leave_only_units_that_can_come() -> None:
    four_out = line(LIPTON, out="France, Italy, Austria, Russia")
    assert examine_line(four_out).holds
    units = set(four_out.enemy_units)
    assert {place for kind, place in units if kind == "F"}.isdisjoint(load_map().groups["southern seas"])
    assert ("F", "MAO") in units
    assert ("F", "MAR") not in units
    assert {("A", "MAR"), ("A", "BUL"), ("A", "SEV")} <= units
    assert not any("could walk there" in remark for remark in four_out.remarks)
    assert not examine_line(line(LIPTON, out="France, Austria, Russia")).holds  # Italy has fleets in the Mediterranean
    assert line(LIPTON, out="nobody").enemy_units == line(LIPTON).enemy_units  # some fleet can carry an army to SYR
    alone = line(LIPTON, out="England, France, Germany, Italy, Austria, Russia")
    assert not alone.enemy_units
    assert "no enemies are left that could attack" in alone.remarks


def test_armies_come_over_water_where_fleets_can_carry_them() -> None:
    text = "behind: none\nTurkey:\n  F CON H"
    english = set(line(text, out="France, Germany, Italy, Austria, Russia").enemy_units)
    assert ("A", "TUN") in english
    assert ("F", "BLA") not in english  # past CON
    landlocked = line(f"fleets: 0\n{text}", out="France, Germany, Italy, Austria, Russia")
    assert set(landlocked.enemy_units) == {("A", place) for place in ("LON", "LVP", "EDI", "YOR", "WAL", "CLY")}


def test_groups_of_seas() -> None:
    units = set(line(f"without: F the Mediterranean\n{LIPTON}").enemy_units)
    assert ("F", "ION") not in units
    assert ("F", "ROM") not in units  # touches no other sea
    assert ("F", "BUL/SC") not in units
    assert {("F", "BUL/EC"), ("F", "SEV"), ("A", "ROM")} <= units
    assert examine_line(line(LIPTON, without=["F Mediterranean, F Black Sea and its coasts, SYR"])).holds
    assert not examine_line(line(LIPTON, without=["F Mediterranean"])).holds


@pytest.mark.parametrize("seed", range(4))
def test_few_fleets_against_every_placement_and_order(seed: int) -> None:
    board, orders, behind = random_line(Random(f"fleets {seed}"))
    described = replace(line_of(board, orders, behind, enemies=2), fleets=seed % 2)
    brute = breaking_attack(board, orders, described.protected_provinces, 2, fleets=seed % 2)
    assert examine_line(described).holds == (brute is None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("centers: Turkey, SYR", "sheet:1:18: SYR is not a supply centre"),
        ("centers: Turkey, TUN. (5)", "sheet:1:24: these are 4 centres, not 5"),
        ("out: France, Norge", "sheet:1:14: there is no power 'Norge'"),
        ("fleets: few", "sheet:1:9: 'few' is not a number of fleets"),
        ("out: Russia, Turkey", "Turkey cannot be out: it has units in this line"),
        ("without: F Mediteranean", "sheet:1:12: .*groups of provinces: atlantic, balkans, "),
    ],
)
def test_what_is_no_condition(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        line(f"{text}\n{LIPTON}")


def test_what_is_odd_about_a_line_is_told() -> None:
    assert line("behind: none\nFrance: A PAR H\nGermany: A BUR S A PAR").remarks == (
        "units of France and Germany stand in this line: they count as one side",
    )
    assert line("France: A PAR H", behind="BRE", without=["ENG, MAO, GAS"]).remarks == (
        "enemies could enter BRE unopposed from PIC, which is not protected",
    )


WALKER = """case walker-1: as it was printed
Italy:
Centers: Turkey, Sevastapol, Balkans, Austria, Italy, Tunis. (15)
Units: A Sev, A Ukr, A Gal, A Bud (or Vie or Rum), A Boh, A Trl, F Pie, F Lyo, F Wes, F NAf. (10)
Orders:
A Sev S Ukr; A Bud S Gal; A Trl S Boh; F Pie S Lyo; F NAf S Wes.
"""


def test_a_line_as_it_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sheet = sheet_of(WALKER)
    three = list_variants(sheet)
    assert [variant.identity for variant in three] == ["walker-1-bud", "walker-1-vie", "walker-1-rum"]
    lines = [read_line(variant, RULES) for variant in three]
    assert [examine_line(line).holds for line in lines] == [True, True, True]
    assert {str(line.orders[code]) for line, code in zip(lines, ("BUD", "VIE", "RUM"), strict=True)} == {
        "A BUD S A GAL", "A VIE S A GAL", "A RUM S A GAL",
    }  # fmt: skip
    assert lines[0].protected_provinces == lines[1].protected_provinces == lines[2].protected_provinces
    assert {line.enemies for line in lines} == {19}
    (tmp_path / "walker.txt").write_text(WALKER)
    assert run(["prove", str(tmp_path / "walker.txt"), "--save", str(tmp_path / "out")]) == 0
    assert "walker-1: as it was printed: 3 of 3 variants hold." in capsys.readouterr().out
    assert run(["prove", str(tmp_path / "out" / "walker-1-vie.txt")]) == 0
    assert "walker-1-vie: as it was printed (A VIE)" in capsys.readouterr().out


def test_a_place_that_was_left_stays_behind_the_line() -> None:
    several = list_variants(sheet_of("behind: PIC\nFrance:\n  A PAR H\n  A BRE or GAS S A PAR"))
    assert [read_line(variant, RULES).protected_provinces for variant in several] == [
        {"PAR", "BRE", "PIC"},
        {"PAR", "BRE", "GAS", "PIC"},
    ]


def test_either_kind_of_unit() -> None:
    text = "Turkey: U CON H\n  A BUL, U ARM\n  A BUL S U CON"
    found = parse_either_kind(sheet_of(text), RULES, read_line)
    assert found.remarks == ("CON: army or fleet makes no difference", "ARM: army or fleet makes no difference")
    one, other = (examine_line(line(text.replace("U CON", kind)), cheapest=True) for kind in ("A CON", "F CON"))
    assert one.attack is not None
    assert other.attack is not None
    assert one.attack.orders == other.attack.orders


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Italy:\n  F LYO H\n  U PIE S F LYO", r"sheet:3:3: only a fleet can do this: A PIE S F LYO is illegal.*write F PIE"),
        ("Italy:\n  A TYR, U PIE\n U PIE S A TYR", r"sheet:2:10: only an army can do this: .*write A PIE"),
        ("Italy: U ION H", r"sheet:1:8: only a fleet can do this: A ION of ITALY: an army cannot be at sea"),
        ("either: U PIE or VEN\nItaly: A PIE H", "does not name alternative units"),
    ],
)
def test_units_that_may_not_be_of_either_kind(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_either_kind(sheet_of(text), RULES, read_line)


SILESIA = """Austria:
  A MOS H
  A SEV S A MOS
  A WAR H
  A UKR S A WAR
  A SIL H
  A GAL S A SIL
  A BOH S A GAL
  A TYR H
  A VIE & A TRI S A TYR
"""


def test_a_line_is_mended_by_other_orders_before_units_come(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text(f"case silesia: three against two\nfinding: breaks\n{SILESIA}")
    without = ["--without", "ROM, VEN, APU, ADR, ION, ALB, SER, BUD, RUM, BLA, ARM", "--behind", "none"]
    assert run(["prove", str(tmp_path / "line.txt"), *without, "--reorder", "--save", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().out
    assert "Fewest orders changed that make it hold: 1: A BOH S A SIL, not S A GAL." in said
    assert "Fewest units more" not in said
    (sheet,) = read_sheets((tmp_path / "out" / "silesia-repaired.txt").read_text())
    assert examine_line(read_line(sheet, RULES)).holds
    assert sheet.notes["finding"] == ["holds"]


@pytest.mark.parametrize("seed", range(5))
def test_the_fewest_orders_changed_against_all_orders(seed: int) -> None:
    random = Random(f"reorder {seed}")
    described = line_of(*random_line(random), enemies=2)
    while examine_line(described).holds or len(described.board.units) < 2:
        described = line_of(*random_line(random), enemies=2)
    choices = [
        [order for order in legal_orders(described.board, unit) if isinstance(order, Hold | SupportHold)]
        for unit in described.board.units
    ]
    lines = [replace(described, orders={o.unit.province: o for o in orders}) for orders in product(*choices)]
    changes = [_changes(line, described) for line in lines if examine_line(line).holds]
    repaired = repair_line(described, reorder=True)
    if changes:
        assert repaired is not None
        assert len(repaired.board.units) == len(described.board.units)
        assert _changes(repaired, described) == min(changes)
    else:
        assert repaired is None or len(repaired.board.units) > len(described.board.units)


def _changes(one: Line, other: Line) -> int:
    return sum(str(one.orders[code]) != str(order) for code, order in other.orders.items())


def test_the_table_of_published_lines_is_what_their_sheets_say() -> None:
    text = (Path(__file__).parents[2] / "docs" / "papers" / "published-lines.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| (\d+) \| (\d*) \| (\d+) \| \W*(\w+)", text, re.MULTILINE)
    assert sorted(rows) == sorted(map(_row, PUBLISHED))


def _row(sheet: Sheet) -> tuple[str, ...]:
    line = read_line(sheet, RULES)
    numbers = (
        len(line.board.units),
        "" if line.centers is None else len(line.centers),
        line.enemies,
        read_stated_finding(sheet),
    )
    return (sheet.identity, *map(str, numbers))


def test_the_sheet_in_the_docs_is_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "guides" / "prove.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n(case walker-1: .*?)```", text, re.DOTALL)
    assert [examine_line(read_line(variant, RULES)).holds for variant in list_variants(sheet_of(block))] == [True] * 3


@pytest.mark.slow
@pytest.mark.parametrize("sheet", PUBLISHED, ids=lambda sheet: sheet.identity)
def test_no_published_line_can_spare_a_unit(sheet: Sheet) -> None:
    line = read_line(sheet, RULES)
    assert not examine_line(line).holds or not any(rest.holds for _, rest in examine_without_each(line))


@pytest.mark.parametrize("seed", range(6))
def test_units_that_can_come_against_moves_that_are_judged(seed: int) -> None:
    """Units are moved one at a time, every fleet that was found before standing by to convoy."""
    random = Random(f"come {seed}")
    board, _, behind = random_line(random)
    shut = behind.union(board.unit_at)
    free = sorted(board.map.provinces.keys() - shut)
    homes = random.sample(free, 2)
    allowed = {unit for unit in list_all_units(board.map) if unit[1].partition("/")[0] not in shut and random.random() < 0.9}
    found = {unit for unit in allowed if unit[1].partition("/")[0] in homes}
    while more := {unit for one in found for unit in _moved(board.map, one, found)} & allowed - found:
        found |= more
    assert find_units_from_homes(board.map, allowed, homes) == found


def _moved(game_map: Map, one: tuple[UnitKind, str], found: set[tuple[UnitKind, str]]) -> Iterator[tuple[UnitKind, str]]:
    """Where a unit may come when all fleets convoy it that may be where fleets convoy."""
    kind, place = one
    unit = Unit(POWERS[0], kind, place)
    seas = sorted(sea for other, sea in found if other is UnitKind.FLEET and sea in game_map.seas and sea != place)
    board = Board((unit, *(Unit(POWERS[0], UnitKind.FLEET, sea) for sea in seas)), map=game_map)
    for way in sorted(game_map.locations):
        if game_map.problem_with(kind, way) is None and way not in seas:
            convoys = [f"F {sea} C A {place} - {way}" for sea in seas if kind is UnitKind.ARMY]
            orders = [parse_order(text, game_map) for text in (f"{kind} {place} - {way}", *convoys)]
            if place in judge(board, {POWERS[0]: orders}).successful_moves:
                yield kind, way


SHARP = """RUSSIA: A(Sev) S A(Mos), A(Ukr) S A(War), A(Gal) S A(Sil), A(Boh) stands
  A(Mos), A(War), A(Sil)
ITALY: F(IOS) S F(Tun), F(Nap) S F(TYS), F(Tus) S A(Pie), A(Tyr) stands
  F(Tun), F(TYS), A(Pie)
"""


def test_the_line_of_a_book_breaks_as_printed_and_holds_with_one_order_changed() -> None:
    printed = line(SHARP)
    assert printed.orders == read_line(LINES["sharp-eastern"], RULES).orders
    repaired = repair_line(printed, reorder=True)
    assert repaired is not None
    changed = {str(order) for code, order in repaired.orders.items() if order != printed.orders.get(code)}
    assert changed == {"A BOH S A SIL"}
    assert repaired.orders == read_line(LINES["sharp-eastern-repaired"], RULES).orders
