"""`lines` against every line there is on small maps, against brute force that knows no theory, and what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations, product
from pathlib import Path
from random import Random

import lines_atlas
import lines_brute
import networkx
import pytest
from helpers.playing_out import breaking_attack, small_map

from satjudge import load_map, load_rulebook
from satjudge.apps.cli import run
from satjudge.apps.cli.options import MOST
from satjudge.base.errors import InputError
from satjudge.notation.bundled_cases import read_collection
from satjudge.search.lines.line import find_units_from_homes, list_all_units, parse_missing_units, read_line
from satjudge.search.lines.line_search import (
    LineConditions,
    LineSearchResult,
    PlanFormula,
    ask_second_solver,
    find_smallest_lines,
)
from satjudge.search.lines.prove import examine_line
from satjudge.search.second_opinion import iter_second_opinions
from satjudge.search.task import LinesTask
from satjudge.world.geography import Map, ProvinceCode, province_of, shipped_maps

SLOW = pytest.mark.slow
RULES = load_rulebook("datc-3")
Reached = Mapping[ProvinceCode, set[ProvinceCode]]


# ---- every line on a small map ----


def reached_on(game_map: Map) -> Reached:
    found: dict[ProvinceCode, set[ProvinceCode]] = {code: set() for code in game_map.provinces}
    for kind, place in list_all_units(game_map):
        found[province_of(place)] |= {province_of(way) for way in game_map.exits(kind, place)}
    return found


def some_of(things: frozenset[ProvinceCode]) -> Iterator[frozenset[ProvinceCode]]:
    sizes = (combinations(sorted(things), size) for size in range(len(things) + 1))
    return (frozenset(chosen) for chosen in chain.from_iterable(sizes))


def holds(reached: Reached, standing: frozenset[str], supports: Mapping[str, str], protected: frozenset[str]) -> bool:
    """Whether no enemies enter: each attacks the province, cuts one support for it, or does nothing; all ways are tried."""
    outside = sorted(reached.keys() - protected)
    for target in protected:
        supporters = {place for place, supported in supports.items() if supported == target}
        choices = [[*((target,) if target in reached[place] else ()), *(reached[place] & supporters), ""] for place in outside]
        for done in product(*choices):
            attack, cut = done.count(target), len(supporters.intersection(done))
            if attack > (1 + len(supporters) - cut if target in standing else 0):
                return False
    return True


def in_one_part(game_map: Map, provinces: frozenset[ProvinceCode]) -> bool:
    graph = networkx.Graph((code, near) for code in provinces for near in game_map.neighbours[code] if near in provinces)
    graph.add_nodes_from(provinces)
    return not provinces or bool(networkx.is_connected(graph))


def fewest_by_trying(wanted: LineConditions) -> tuple[int | None, int]:
    """The size of the smallest lines that protect what is wanted, of all that there are, and in how many sets of provinces."""
    found: dict[frozenset[ProvinceCode], int] = {standing: len(standing) for standing in lines_by_trying(wanted)}
    least = min(found.values(), default=None)
    return least, sum(size == least for size in found.values())


def lines_by_trying(wanted: LineConditions) -> Iterator[frozenset[ProvinceCode]]:
    """Where their units stand; of those that are not the smallest perhaps some."""
    reached, centers = reached_on(wanted.map), set(wanted.map.centers)
    size: int | None = None
    everywhere = frozenset(code for code in wanted.map.provinces if wanted.can_protect(code))
    most = len(centers) - 1 if wanted.most is None else wanted.most
    for standing in some_of(everywhere):
        if size is not None and len(standing) > size:
            return
        orders = [["", *sorted(reached[place] & standing)] for place in sorted(standing)]
        for behind in some_of(everywhere - standing):
            protected = standing | behind
            held = len(protected & centers)
            if not wanted.protected <= protected or not wanted.least <= held <= most or (wanted.feeds and held < len(standing)):
                continue
            if any(whole <= protected for whole in wanted.incomplete):
                continue
            if not wanted.pockets and not in_one_part(wanted.map, frozenset(wanted.map.provinces) - protected):
                continue
            for supported in product(*orders):
                given = {place: target for place, target in zip(sorted(standing), supported, strict=True) if target}
                if holds(reached, standing, given, protected):
                    size = len(standing)
                    yield standing
                    break


def small_wish(seed: int) -> LineConditions:
    random = Random(f"lines {seed}")
    game_map = small_map(random)
    codes = sorted(game_map.provinces)
    protected = frozenset(random.sample(codes, random.choice((0, 1, 1, 2))))
    outside = frozenset(random.sample(sorted(game_map.provinces.keys() - protected), random.choice((0, 1, 2))))
    least = random.randint(1, 3)
    most = random.choice((None, random.randint(least, 5)))
    feeds, pockets = random.random() < 0.3, random.random() < 0.7
    some = frozenset(random.sample(codes, 2))
    incomplete = (some,) if random.random() < 0.4 and not some <= protected else ()
    return LineConditions(game_map, protected, outside, least, most, feeds=feeds, pockets=pockets, incomplete=incomplete)


def compare(seed: int) -> LineSearchResult:
    wanted = small_wish(seed)
    found = find_smallest_lines(wanted, RULES, count=MOST)
    assert (found.proved, found.complete) == (True, True)
    assert (found.units, len(found.lines)) == fewest_by_trying(wanted)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_these_are_all_lines_that_have_the_fewest_units(seed: int) -> None:
    compare(seed)


def test_a_line_that_cuts_nobody_off_may_need_more_units() -> None:
    found = [
        find_smallest_lines(replace(small_wish(44), pockets=pockets, incomplete=()), RULES).units for pockets in (True, False)
    ]
    assert found == [0, 1]


@pytest.mark.slow
def test_none_of_all_lines_has_fewer_units_on_many_maps() -> None:
    sizes = [compare(seed).units for seed in range(8, 120)]
    assert sum(size is None for size in sizes) >= 5
    assert len({size for size in sizes if size}) >= 3


@pytest.mark.parametrize("seed", range(12))
def test_no_enemies_with_any_orders_break_what_was_found(seed: int) -> None:
    for line in find_smallest_lines(small_wish(seed), RULES, count=2).lines:
        given = {unit: line.orders[unit.province] for unit in line.board.units}
        assert breaking_attack(line.board, given, line.protected_provinces, 2) is None


# ---- the standard map ----


@pytest.mark.slow
def test_turkey_can_be_held_by_six_units_in_two_ways() -> None:
    found = find_smallest_lines(LinesTask(goal="centers=3").parse_conditions(load_map()), RULES, count=5)
    assert (found.units, found.proved, found.complete) == (6, True, True)
    places = {frozenset(line.board.unit_at) for line in found.lines}
    common = {"AEG", "ARM", "BLA", "CON", "EAS"}
    assert places == {frozenset(common | {"ANK"}), frozenset(common | {"SMY"})}


@pytest.mark.parametrize("number", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_so_few_centres_cannot_be_held_at_all(number: int) -> None:
    found = find_smallest_lines(LinesTask(goal=f"centers={number}").parse_conditions(load_map()), RULES)
    assert (found.units, found.proved, found.complete) == (None, True, True)


@pytest.mark.slow
def test_three_centres_without_smyrna_take_two_units_more() -> None:
    found = find_smallest_lines(LinesTask(goal="centers=3 and outside:SMY").parse_conditions(load_map()), RULES)
    assert (found.units, found.proved) == (8, True)
    assert "SMY" not in found.lines[0].protected_provinces


def test_without_enemy_fleets_two_armies_hold_turkey() -> None:
    wanted = LinesTask(goal="centers=3 and protect:ANK", without=("F",)).parse_conditions(load_map())
    found = find_smallest_lines(wanted, RULES)
    assert found.units == 2
    assert {str(unit) for unit in found.lines[0].board.units} == {"A ARM", "A CON"}
    assert examine_line(found.lines[0]).holds


def test_liptons_six_units_are_the_only_ones_and_the_fewest() -> None:
    out = "Turkey, France, Italy, Austria, Russia"
    wanted = LinesTask(goal="protect:ANK,CON,SMY,POR,SPA,TUN and centers=6 and outside:KIE,LON", out=out).parse_conditions(
        load_map()
    )
    found = find_smallest_lines(wanted, RULES, count=5)
    assert (found.units, found.proved, found.complete, len(found.lines)) == (6, True, True, 1)
    line, printed = found.lines[0], next(sheet for sheet in read_collection("lines") if sheet.identity == "lipton-southern-1")
    assert set(line.board.unit_at) == set(printed.board.unit_at)
    assert line.out == ("FRANCE", "ITALY", "AUSTRIA", "RUSSIA")
    assert examine_line(line).holds


@pytest.mark.parametrize("seed", range(3))
def test_who_can_come_is_what_the_formula_says_at_least(seed: int) -> None:
    """Its clauses followed from what is protected, as far as they go, against `that_can_come`."""
    game_map, random = load_map(), Random(f"coming {seed}")
    wanted = LineConditions(
        game_map, least=1, out=tuple(random.sample(game_map.powers, 5)), missing=parse_missing_units(["F BLA"], game_map)
    )
    plans = PlanFormula(wanted, RULES)
    coming = plans.coming
    assert coming is not None
    protected = frozenset(random.sample(sorted(game_map.provinces), random.choice((5, 15, 30))))
    true = {1, *(literal if code in protected else -literal for code, literal in plans.protected.items())}
    before = 0
    while before != len(true):
        before = len(true)
        for clause in plans.formula.clauses:
            head = [literal for literal in clause if -literal not in true]
            true.update(head if len(head) == 1 else [])
    homes = {code for power in game_map.powers if power not in (wanted.out or ()) for code in game_map.homes(power)}
    allowed = [unit for unit in wanted.enemy_units if unit.province not in protected]
    expected = find_units_from_homes(game_map, [(unit.kind, unit.location) for unit in allowed], homes - protected)
    found = {
        (unit.kind, unit.location) for unit, literal in coming.items() if literal in true and unit.province not in protected
    }
    assert found == expected


def test_published_lines_are_not_beaten_by_what_cannot_be() -> None:
    """A line that holds protects its provinces with its own units: so few suffice, and perhaps fewer."""
    sheet = next(sheet for sheet in read_collection("lines") if sheet.identity == "walker-1")
    line = read_line(sheet, RULES)
    standing = frozenset(line.board.unit_at)
    outside = frozenset(line.board.map.provinces) - line.protected_provinces
    wanted = LineConditions(line.board.map, line.protected_provinces, outside, region=line.protected_provinces)
    found = find_smallest_lines(wanted, RULES)
    assert found.units is not None
    assert found.units <= len(standing)


# ---- what is written, and what is read ----


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("centers=17 an outside:LON", "goal, column 1: 'centers=17 an outside:LON' is not a condition for a line"),
        ("centers=17 and 18", "goal, column 16: '18' is not a condition for a line"),
        ("protect:NAP,XX", "goal, column 13: expected a province, found 'XX'"),
        ("centers=35", "the map has only 34 supply centres, so no line can protect 35"),
        ("centers>=9 and centers<=8", "no number of centres is at least 9 and at most 8"),
        ("protect:NAP and outside:NAP", "NAP cannot be both protected and outside"),
        ("protect:NAP,ROM and not-all:ROM,NAP", "NAP, ROM: `protect` names them all, but `not-all` says"),
        ("outside:NAP", "the line has nothing to protect"),
        ("", "goal, column 1: '' is not a condition for a line"),
    ],
)
def test_what_cannot_be_wanted(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        LinesTask(goal=text).parse_conditions(load_map())
    assert message in str(caught.value)


def test_a_line_when_powers_are_out_is_somebodys() -> None:
    with pytest.raises(InputError, match="the option out does not name the line's power"):
        LinesTask(goal="centers=3", out="nobody").parse_conditions(load_map())


def test_maps_with_rules_of_their_own_are_refused() -> None:
    with pytest.raises(InputError, match="without rules of their own"):
        LinesTask(goal="centers=3").parse_conditions(load_map("colonial"))


def test_lines_are_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lines", "centers=3", "--count", "3", "--save", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    proved = "6 units, proved: no line that stands still has fewer, and none with as few stands outside these 2 sets of"
    assert f"{proved} provinces." in " ".join(told.split())
    assert "protects 3 supply centres: ANK CON SMY" in told
    written = sorted(tmp_path.glob("*.txt"))
    assert len(written) == 2
    assert [run(["prove", str(path)]) for path in written] == [0, 0]


def test_all_lines_and_the_certificates_of_the_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    goal = ["protect:POR,SPA", "--without", "F", "--region", "POR SPA GAS MAR"]
    assert run(["lines", *goal, "--all", "--drat", str(tmp_path / "iberia"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [line["orders"] for line in document["lines"]] == [["A POR S A SPA", "A SPA H"]]
    opinions = document["second_opinions"]
    assert [(opinion["question"], opinion["agrees"]) for opinion in opinions] == [
        ("fewer units", True),
        ("2 units in other provinces", True),
    ]
    for number, (opinion, proof) in enumerate(zip(opinions, document["proofs"], strict=True), 1):
        formula = (tmp_path / f"iberia-{number}.cnf").read_text(encoding="ascii").splitlines()
        assert formula[0] == f"p cnf {opinion['variables']} {opinion['clauses']}"
        assert (tmp_path / f"iberia-{number}.drat").stat().st_size == proof["bytes"] > 0


@pytest.mark.parametrize(("lines", "agrees"), [(0, [False]), (1, [True, False]), (2, [True, True])])
def test_a_formula_without_a_line_that_was_found_has_an_assignment(lines: int, agrees: list[bool]) -> None:
    """So a proof of it is one of what is said: nothing else is forbidden."""
    wanted = LinesTask(goal="protect:ANK", region="CON ANK SMY ARM", without=("F",)).parse_conditions(load_map())
    found = find_smallest_lines(wanted, RULES, count=5)
    assert (found.complete, len(found.lines)) == (True, 2)
    del found.lines[lines:]
    assert [opinion.agrees for opinion, _ in iter_second_opinions(found)] == agrees


def test_no_line_has_fewer_units_than_none(capsys: pytest.CaptureFixture[str]) -> None:
    goal = ["protect:TUN", "--without", "F", "--region", "TUN WES TYS"]
    assert run(["lines", *goal, "--all", "--second-opinion", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["units"], len(document["lines"])) == (1, 1)
    assert run(["lines", "protect:WES", "--without", "F", "--region", "WES", "--all", "--second-opinion", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["units"], len(document["lines"]), document["proved"]) == (0, 1, True)
    assert [opinion["question"] for opinion in document["second_opinions"]] == ["0 units in other provinces"]


def test_what_lines_must_not_do_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lines", "centers=1", "--no-pockets"]) == 1
    assert "Only no enemies cut off from the others." in capsys.readouterr().out


def test_no_line_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lines", "centers=1", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["units"], document["proved"], document["lines"]) == (None, True, [])


def test_the_time_may_be_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lines", "centers=17", "--timeout", "0.02"]) == 1
    assert "Undecided: time was up before a line was found." in capsys.readouterr().out


@pytest.mark.parametrize(("goal", "without", "none"), [("CON", "F AEG, F BLA", True), ("ANK", "F", False)])
def test_what_could_not_be_proved_in_time_is_put_to_the_second_solver(goal: str, without: str, none: bool) -> None:
    wanted = LinesTask(goal=f"protect:{goal}", region="CON ANK SMY ARM", without=(without,)).parse_conditions(load_map())
    found = LineSearchResult(wanted, RULES)
    opinions = ask_second_solver(found)
    assert (found.proved, found.complete) == (none, none)
    assert [(opinion.question, opinion.agrees) for opinion, _ in opinions] == ([("any units", True)] if none else [])


# ---- the atlas ----


def test_the_page_says_what_was_found() -> None:
    """If this fails: python benchmarks/studies/lines_atlas.py --page."""
    rows, text = lines_atlas.kept(), lines_atlas.PAGE.read_text(encoding="utf-8")
    assert lines_atlas.filled(text, rows) == text
    assert lines_brute.filled(text) == text
    assert lines_atlas.cases(rows) == lines_atlas.CASES.read_text(encoding="utf-8")
    questions = list(lines_atlas.questions())
    assert all(any(lines_atlas.row_of([row], question) for question in questions) for row in rows)
    pictures = {path.stem: path.read_text(encoding="utf-8") for path in lines_atlas.PICTURES.glob("*.svg")}
    assert pictures.keys() == lines_atlas.atlas(rows).keys()
    assert all(f">{name}: " in picture for name, picture in pictures.items())


def test_every_line_of_the_atlas_protects_what_it_says_and_holds() -> None:
    rows = lines_atlas.atlas(lines_atlas.kept())
    sheets = {sheet.identity: sheet for sheet in read_collection("lines") if sheet.source_file.endswith("fewest.txt")}
    assert sheets.keys() == rows.keys()
    for name, row in rows.items():
        line = read_line(sheets[name], RULES)
        assert len(line.board.units) == row["units"]
        assert sorted(line.protected_provinces & set(line.board.map.centers)) == row["lines"][0]["centers"]
        assert row["proved"] or not name.startswith(("fewest", "around"))
        assert examine_line(line).holds
        if name.startswith(("fewest", "around")):
            assert row["goal"].split(" ")[0] == f"centers={len(row['lines'][0]['centers'])}"


@pytest.mark.parametrize("name", ["fewest-33", "fewest-32", *(pytest.param(n, marks=SLOW) for n in lines_brute.NAMES[2:])])
def test_no_enemies_of_an_oracle_enter_a_small_line(name: str) -> None:
    """If this fails: python benchmarks/studies/lines_brute.py."""
    kept = map(json.loads, lines_brute.KEPT.read_text(encoding="utf-8").splitlines())
    row = next(row for row in kept if row["name"] == name)
    line = lines_brute.line_of(name)
    found = lines_brute.played(line)
    assert (found.boards, found.plays, found.attack) == (row["boards"], row["plays"], None)
    assert lines_brute.played(lines_brute.without_one(line)).attack == row["attack_without_one"] != None  # noqa: E711


def test_lines_that_are_called_new_are_in_no_list_of_ours() -> None:
    rows = lines_atlas.atlas(lines_atlas.kept())
    published = [sheet for sheet in read_collection("lines") if sheet.identity not in rows]
    known = {frozenset(sheet.board.unit_at) for sheet in published}
    assert len(known) > 20
    for name in ("fewest-31", "fewest-32", "around-turkey", "fewest-3"):
        for places in (lines_atlas.places_of(rows[name]["lines"][0]), *rows[name]["also"]):
            standing = frozenset(places.split())
            assert not any(standing <= other or other <= standing for other in known)


@pytest.mark.parametrize("name", ["standard", *(pytest.param(n, marks=SLOW) for n in shipped_maps() if n != "standard")])
def test_no_map_that_comes_with_satjudge_has_a_symmetry(name: str) -> None:
    """Refining colours by what is near tells all places apart, so that unlike sets of provinces are unlike lines."""
    game_map = load_map(name)
    units = list_all_units(game_map)
    colours: dict[object, object] = {unit: (unit[0], province_of(unit[1]) in game_map.centers) for unit in units}
    for _ in range(9):
        near = {(kind, place): sorted(repr(colours[kind, way]) for way in game_map.exits(kind, place)) for kind, place in units}
        there = {
            unit: sorted(repr(colours[other]) for other in units if province_of(other[1]) == province_of(unit[1]))
            for unit in units
        }
        told = {unit: repr((colours[unit], near[unit], there[unit])) for unit in units}
        numbers = {text: number for number, text in enumerate(sorted(set(told.values())))}
        colours = {unit: numbers[text] for unit, text in told.items()}
    assert len(set(colours.values())) == len(units), name


def test_what_the_page_says_follows_from_the_table() -> None:
    units = {int(row["goal"].partition("=")[2]): row["units"] for row in lines_atlas.by_centers(lines_atlas.kept())}
    assert [number for number in range(1, 13) if units[number] is None] == [1, 2, 4]
    assert all(units[number] > number for number in (3, *range(5, 13)))  # none feeds itself
    assert (units[3], units[13], units[15]) == (6, 12, 10)
    assert all(11 <= units[number] <= 13 for number in (*range(5, 15), *range(16, 26)))
    rows = {lines_atlas.name_of(row): row for row in lines_atlas.kept()}
    ten = [lines_atlas.places_of(rows["fewest-15"]["lines"][0]), *rows["fewest-15"]["also"]]
    assert rows["fewest-15"]["complete"]
    assert sorted(set(places.split()) - set(ten[0].split()) or {"BUD"} for places in ten) == [{"BUD"}, {"RUM"}, {"VIE"}]
    assert all(row["proved"] for row in rows.values())
    assert not any(rows[name]["lines"] for name in ("neither-england-nor-turkey", "without-england-and-turkey"))
    assert (rows["out-6"]["units"], rows["out-6"]["complete"], rows["out-6"]["also"]) == (6, True, [])
    thirteen = next(row for row in lines_atlas.kept() if row["goal"] == "centers=13")["lines"][0]
    assert {"NAP", "ROM", "VEN"} <= set(thirteen["centers"])
    published = {sheet.identity: sheet for sheet in read_collection("lines")}
    for number in (2, 3, 4):
        line = read_line(published[f"verheiden-southern-{number}"], RULES)
        assert len(line.board.units) == len(line.protected_provinces & set(line.board.map.centers)) == 13
    walker = read_line(published["walker-1"], RULES)
    assert (len(walker.board.units), len(walker.protected_provinces & set(walker.board.map.centers))) == (10, 15)
