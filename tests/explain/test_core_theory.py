"""What docs/papers/cores.md says of every core: its lemmas held to the equations, to random boards and to drawn ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import networkx
import pytest
from core_units import count_core_units
from helpers.search_trials import free
from helpers.stations import Attack, Station, at_a_coast, at_sea

from satjudge.apps.cli import run
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.cores import ClassifiedCore, classify_cores
from satjudge.judging.check import check_under
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, Situation, SupportDecision
from satjudge.judging.judge import judge, read_situation, resolutions
from satjudge.judging.solve import Engine
from satjudge.judging.solve.bounds import Values, settle
from satjudge.judging.solve.cores import build_mention_graph, find_cores, find_mentions, make_dependence_test
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.search.goals.core_drawing import draw_smallest_board
from satjudge.search.goals.cores import (
    CoreShape,
    Paradox,
    Ring,
    find_core_by_shape,
    has_shape,
    iter_necklaces,
    iter_paradoxes,
    iter_rings,
)
from satjudge.search.goals.quantities import RELATIONS
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status
from satjudge.world.board import Board
from satjudge.world.geography import Power, load_map, province_of
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook

MAP, RULES = load_map(), load_rulebook("datc-3")
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SETTINGS = (
    "",
    "4.A.1=any-route",
    "4.A.3.fallback=disrupted",
    "4.A.4.2=last-fleet",
    "4.A.4.5=last-fleet",
    "4.A.7=never",
    "5.B.8=against-rivals",
    "4.A.2=1971",
    "4.A.2=2000",
    "4.A.2=1982",
)


def rulebook(setting: str) -> Rulebook:
    return RULES.with_settings(setting.split())


# One target.


def target(decision: Decision) -> str:
    """The province that an order is about."""
    if isinstance(decision, MoveDecision):
        return decision.destination.province
    if isinstance(decision, SupportDecision):
        return decision.directed_at.province
    assert isinstance(decision, ConvoyDecision)
    return province_of(decision.order.destination)


def station(decision: Decision) -> str:
    """Where an order counts: where a unit stays, or where a move goes."""
    return decision.destination.province if isinstance(decision, MoveDecision) else decision.province


def astray(situation: Situation) -> Iterator[tuple[Decision, Decision]]:
    """What a decision about a unit that stays, or a move against such a unit, mentions though it is about another province."""
    movers = {move.origin.province for move in situation.moves}
    graph = build_mention_graph(situation, [None] * len(situation.decisions), situation.decisions)
    for one, other in graph.edges:
        reader, read = situation.decisions[one], situation.decisions[other]
        if station(reader) not in movers and target(read) != station(reader):
            yield reader, read


def boards(first: int, last: int, units: tuple[int, int] = (5, 16)) -> Iterator[tuple[Board, dict[Power, list[MovementOrder]]]]:
    for seed in range(first, last):
        yield random_board(Random(seed), (Flavour.CONVOYS, Flavour.CONVOYS, Flavour.CIRCLES)[seed % 3], units)


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_matters_to_a_unit_that_stays_is_about_its_province(setting: str) -> None:
    for board, orders in boards(0, 25):
        assert not list(astray(read_situation(board, orders, rulebook=rulebook(setting))))


@pytest.mark.parametrize(("setting", "seed"), [("4.A.2=1982 4.A.3.fallback=disrupted", 30), ("4.A.4.1=last-fleet", 142)])
def test_but_not_where_the_theorem_does_not_hold(setting: str, seed: int) -> None:
    ((board, orders),) = boards(seed, seed + 1)
    assert list(astray(read_situation(board, orders, rulebook=rulebook(setting))))


# What a station makes of what comes to it.


def signs(stations: Iterator[tuple[Station, str]]) -> Counter[tuple[str, str, int]]:
    """What comes in, what becomes of it, and how many moves are open meanwhile; what partial information settles left out."""
    found = Counter[tuple[str, str, int]]()
    for at, what in stations:
        if at.sign:
            found[what, at.sign, sum(isinstance(decision, MoveDecision) for decision in at.open_inside)] += 1
    return found


AT_SEA = {("attack", "-", 1), ("attack", "+", 1), ("hold", "+", 1)}
AT_A_COAST = {("convoy", "-", 0), ("convoy", "-", 1)}


def test_a_station_passes_on_one_sign() -> None:
    """At sea by one move, whose attack is supported, or its rival or its target; on land by the army that lands."""
    assert signs(at_sea(RULES, 2)).keys() == AT_SEA
    assert signs(at_a_coast(RULES, 1)).keys() == AT_A_COAST


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_station_passes_on_one_sign_whoever_else_attacks(setting: str) -> None:
    rules = rulebook(setting)
    assert signs(at_sea(rules, 3 if setting in ("", "5.B.8=against-rivals") else 2)).keys() == AT_SEA
    found = signs(at_a_coast(rules, 2)).keys()
    assert found >= AT_A_COAST if setting != "4.A.3.fallback=disrupted" else found
    assert not any(sign == "constant" for _, sign, _ in found)


@pytest.mark.slow
def test_no_two_options_but_one_pair_pass_on_a_constant() -> None:
    constant = set()
    for one, other in combinations(SETTINGS[1:], 2):
        if one.partition("=")[0] != other.partition("=")[0]:
            found = signs(at_a_coast(rulebook(f"{one} {other}"), 1))
            constant |= {(one, other) for _, sign, _ in found if sign == "constant"}
    assert constant == {("4.A.3.fallback=disrupted", "4.A.4.2=last-fleet")}


def test_under_the_1982_rule_no_core_has_a_convoy() -> None:
    kinds = Counter[bool]()
    for board, orders in boards(0, 90):
        for core in judge(board, orders, rulebook="1982").adjudication.cores:
            kinds[any(isinstance(decision, ConvoyDecision) for decision in core.decisions)] += 1
    assert kinds[False] > 5
    assert not kinds[True]


def test_an_army_that_lands_on_a_fleet_that_convoys_may_pass_on_nothing() -> None:
    """It dislodges the fleet; without it a rival does, who is weaker: a constant that partial information does not see."""
    station = Station(RULES)
    station.convoys()
    landing = station.attacked(Attack(own=False, foreign_supports=2, own_supports=0))
    station.attacked(Attack(own=False, foreign_supports=1, own_supports=0))
    station.carried(landing, from_there=False, other_route=False, more_fleets=False, by_land=False)
    assert station.sign == "constant"


@pytest.mark.slow
def test_only_fleets_that_convoy_from_coasts_may_pass_on_nothing() -> None:
    assert signs(at_a_coast(RULES, 2, convoying=True)).keys() == {
        ("convoy", "-", 1),
        ("convoy", "+", 1),
        ("convoy", "constant", 2),
    }


# Every core.


def test_every_core_is_in_the_list_and_by_itself() -> None:
    """All cores of a board are there at once, and each goes with each resolution of the others: their numbers multiply."""
    seen = Counter[str]()
    for board, orders in boards(0, 180, (6, 20)):
        adjudication = judge(board, orders).adjudication
        found = classify_cores(adjudication)
        situation = adjudication.situation
        values: Values = [None] * len(situation.decisions)
        still_open = settle(situation, values).still_open
        graph = find_mentions(situation, values, still_open)
        at_once = find_cores(situation, graph, make_dependence_test(situation, values, graph))
        assert [core.core.decisions for core in found] == [tuple(core) for core in at_once]
        assert adjudication.resolutions.count == prod(len(core.core.resolutions) for core in found)
        assert bool(still_open) is bool(found)  # partial information settles the rest
        for core in found:
            seen[core.shape] += 1
            assert find_core_by_shape(core.shape), core.shape
            assert has_shape(core, core.shape), core.shape
    assert len(seen) > 9


def test_words() -> None:
    assert [sum(1 for _ in iter_paradoxes(order)) for order in (1, 2, 3)] == [6, 21, 76]
    assert [sum(1 for _ in iter_rings(length)) for length in (1, 2, 3, 4, 5)] == [0, 2, 4, 6, 8]
    assert ["".join(word) for word in iter_necklaces("ab", 3)] == ["aaa", "aab", "abb", "bbb"]
    assert str(Paradox.read("aHr")) == "aHr"
    assert {Paradox.read(word).resolutions for word in ("a", "hh", "hRa")} == {2}
    assert {Paradox.read(word).resolutions for word in ("h", "R", "aH")} == {0}
    shapes = [core.shape for order in (1, 2, 3) for core in iter_paradoxes(order)]
    assert len(set(shapes)) == len(shapes)
    assert [find_core_by_shape(shape).shape for shape in shapes[:20]] == shapes[:20]  # type: ignore[union-attr]


def test_every_shape_of_the_catalogue_is_a_word() -> None:
    for sheet in read_collection("catalogue"):
        shape = sheet.identity.removeprefix("catalogue-")
        core = find_core_by_shape(shape)
        assert core is not None
        assert core.resolutions == int(shape.split("-")[1].removesuffix("r"))
        assert core.least_units <= len(sheet.board.units)


# Where it does not hold.


@pytest.mark.parametrize("sheet", read_collection("cores", section="exceptions"), ids=lambda sheet: sheet.identity)
def test_cores_that_are_not_one_ring(sheet: Sheet) -> None:
    """One resolution that partial information does not see, or three: by a brute force that knows no cores, as well."""
    (told,) = (note for note in sheet.notes["note"] if note.startswith("resolutions of the core: "))
    number, _, setting = told.removeprefix("resolutions of the core: ").partition(" with ")
    rules = rulebook(setting.replace(",", ""))
    situation = read_situation(sheet.board, sheet.orders_by_power(), rulebook=rules)
    values: Values = [None] * len(situation.decisions)
    still_open = settle(situation, values).still_open
    graph = find_mentions(situation, values, still_open)
    (core,) = find_cores(situation, graph, make_dependence_test(situation, values, graph))
    found = resolutions(sheet.board, sheet.orders_by_power(), rulebook=rules, engine=Engine.FULL)
    assert found.count == int(number)
    assert len({tuple(found[decision.index] for decision in core) for found in found}) == int(number)
    assert all(result.passed for result in check_under(sheet))


@pytest.mark.slow
def test_three_resolutions_by_brute_force() -> None:
    """All 65,536 ways to set the sixteen orders."""
    (sheet,) = (sheet for sheet in read_collection("cores") if sheet.identity == "cores.three-1982")
    rules = rulebook("4.A.2=1982 4.A.3.fallback=disrupted")
    assert resolutions(sheet.board, sheet.orders_by_power(), rulebook=rules, engine=Engine.BRUTE).count == 3


def test_the_hack_of_datc_5d_leaves_a_core_with_two_cycles() -> None:
    """MOVE written out in CONVOY, as the text has it: still two cycles where the army dislodges the unit that supports."""
    (sheet,) = read_collection("catalogue", section="1C2M1S-2r-5b6c089a")
    (core,) = classify_cores(judge(sheet.board, sheet.orders_by_power()).adjudication)
    assert len(list(networkx.simple_cycles(core.graph))) == 2
    written_out = core.graph.copy()
    for convoy in [node for node, label in core.graph.nodes(data="label") if label == "convoy"]:
        for move in list(written_out.successors(convoy)):
            written_out.remove_edge(convoy, move)
            written_out.add_edges_from((convoy, read) for read in core.graph.successors(move))
    assert len(list(networkx.simple_cycles(written_out))) == 2


# Goals that the theorems answer.


@pytest.mark.parametrize(
    ("quantity", "values"), [("core-resolutions", {0, 2}), ("resolutions", {0, *(2**k for k in range(9))})]
)
def test_goals_that_ask_for_another_number_are_excluded(quantity: str, values: set[int]) -> None:
    game_map, rulebook = load_map(), load_rulebook()
    for relation, related in RELATIONS.items():
        for number in range(40):
            goal = parse_goal(f"{quantity} {relation} {number}", game_map)
            there = any(related(value, number) for value in values)
            assert (goal.find_refutation(rulebook, game_map) is None) is there, str(goal)


def test_goals_are_excluded_where_the_theorems_hold_only() -> None:
    goal = parse_goal("core-resolutions = 1", load_map())
    assert (
        goal.find_refutation(load_rulebook(), load_map())
        == "a core has 0 or 2 resolutions, by theorems 3 and 4 (docs/papers/cores.md)"
    )
    assert goal.find_refutation(load_rulebook("1982"), load_map()) is None
    assert goal.find_refutation(load_rulebook(), load_map("colonial")) is None
    assert goal.find_refutation(load_rulebook(), None) is None


def test_a_search_says_which_theorem_answers_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "core-resolutions >= 3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["rounds"]) == ("proved that there is none", [])
    assert found["restrictions"] == ["every board on every map without rules of its own, since no question was needed"]
    assert "Note: a core has 0 or 2 resolutions, by theorems 3 and 4 (docs/papers/cores.md)." in found["remarks"]


# The list, and how boards are drawn.


@cache
def listed() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (BENCHMARKS / "studies" / "core_list.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_list_has_every_core_up_to_its_length_once() -> None:
    words = [line["core"] for line in listed()]
    wanted = [str(core) for order in (1, 2, 3) for core in iter_paradoxes(order)]
    wanted += [str(core) for length in range(2, 8) for core in iter_rings(length)]
    assert words[: len(wanted)] == wanted
    assert len(set(words)) == len(words)


def test_the_page_counts_what_is_listed() -> None:
    page = (BENCHMARKS.parent / "docs" / "papers" / "cores.md").read_text(encoding="utf-8")
    assert all(line["at_least"] == line["units"] for line in listed())  # each is drawn, and proved to be the smallest
    for length in range(1, 8):
        for what, of_kind in (("convoy", lambda word: word.strip("lc")), ("move", lambda word: not word.strip("lc"))):
            lines = [line for line in listed() if len(line["core"]) == length and of_kind(line["core"])]
            beside = Counter(line["units"] - line["counted"] for line in lines)
            name = f"{length} convoy{'s' * (length > 1)}" if what == "convoy" else f"rings of {length} moves"
            if len(lines) > 1:
                assert f"| {name} | {len(lines)} | {beside[0]} | {beside[1]} | {beside[2]} |" in page
    assert [sum(1 for _ in iter_paradoxes(order)) for order in (4, 5)] == [336, 1560]


def core_on(line: dict[str, Any]) -> tuple[int, ClassifiedCore]:
    """How many units a board of the list has, and its only core."""
    text = "".join(
        f"{power.title()}:\n" + "".join(f"  {order}\n" for order in given) for power, given in line["orders"].items()
    )
    (sheet,) = read_sheets(text, source=line["core"])
    (core,) = classify_cores(judge(sheet.board, sheet.orders_by_power()).adjudication)
    return len(sheet.board.units), core


def check_line(line: dict[str, Any]) -> None:
    units, core = core_on(line)
    assert (units, core.shape) == (line["units"], line["shape"])
    assert line["counted"] <= line["at_least"] <= units
    assert count_core_units(core) == line["counted"] == find_core_by_shape(core.shape).least_units  # type: ignore[union-attr]
    assert has_shape(core, core.shape)


@pytest.mark.parametrize("number", range(4))
def test_the_boards_of_the_list_have_their_cores(number: int) -> None:
    for line in [line for line in listed() if "orders" in line][number * 7 :: 40]:
        check_line(line)


@pytest.mark.slow
def test_all_boards_of_the_list_have_their_cores() -> None:
    for line in listed():
        if "orders" in line:
            check_line(line)


def test_a_second_order_core_is_found_at_once() -> None:
    goal = CoreShape("2C2M2S-2r-953f799b")
    search = Search(free("BAL PRU SWE LVN DEN STP BOT FIN"), goal, Objective.UNITS, 16, at_least=goal.least_units())
    result = search.run()
    assert (result.status, result.value, result.drawn, result.rounds) == (Status.MINIMAL, 8, True, [])


# The order of cores, drawn.


@pytest.mark.parametrize(("goal", "least"), [("core-order >= 2", 8), ("core-order = 3", 12), ("core-order > 1", 8)])
def test_the_least_units_of_an_order_are_drawn(goal: str, least: int) -> None:
    asked = parse_goal(goal, MAP)
    result = Search(Universe(RULES, spots=spots_of(MAP, MAP.provinces)), asked, Objective.UNITS, 20, at_least=least).run()
    assert (asked.least_units(), result.status, result.value, result.drawn) == (least, Status.MINIMAL, least, True)


@pytest.mark.parametrize(
    "goal", ["core-order <= 2", "core-order != 2", "core-order < 2", "not core-order >= 2", "core-order >= 0"]
)
def test_nothing_is_drawn_where_a_ring_of_moves_may_do(goal: str) -> None:
    asked = parse_goal(goal, MAP).to_normal_form()
    assert asked.least_units() == 0
    assert asked.draw_board(free("ENG BRE LON WAL IRI"), lambda: None) is None


def near(middle: str) -> list[str]:
    """A sea and what is next to it."""
    return sorted({code for code in MAP.provinces if middle in MAP.fleet.get(code, ()) or code == middle})


def check_order(universe: Universe) -> int | None:
    """What is drawn of the first order is what a search finds that knows nothing of links."""
    asked = parse_goal("core-order >= 1", MAP)
    drawn, found = asked.draw_board(universe, lambda: None), Search(universe, asked, Objective.UNITS, 5).run()
    assert drawn is not None
    assert found.value == (drawn.at_least if drawn.at_least and drawn.at_least <= 5 else None)
    return found.value


def check_second_order(universe: Universe) -> int | None:
    """No core of the second order has a board that is smaller than the one that is drawn of any."""
    drawn = parse_goal("core-order >= 2", MAP).draw_board(universe, lambda: None)
    cores = [draw_smallest_board(universe, core).at_least for core in iter_paradoxes(2)]
    assert drawn is not None
    assert drawn.at_least == min((least for least in cores if least is not None), default=None)
    return drawn.at_least


@pytest.mark.parametrize(("region", "least"), [("ARM BLA BUL RUM", 4), ("BLA BUL RUM UKR", None)])
def test_the_order_that_is_drawn_is_what_a_search_finds(region: str, least: int | None) -> None:
    assert check_order(free(region)) == least


@pytest.mark.parametrize(
    ("region", "least"),
    [
        pytest.param("BAL PRU SWE LVN DEN STP BOT FIN", 8, marks=pytest.mark.slow),
        ("BAL PRU SWE LVN DEN KIE BOT FIN", None),
    ],
)
def test_no_core_of_an_order_is_smaller_than_what_is_drawn(region: str, least: int | None) -> None:
    assert check_second_order(free(region)) == least


@pytest.mark.slow
def test_the_order_that_is_drawn_is_what_a_search_finds_anywhere() -> None:
    seen = set()
    for seed in range(12):
        random = Random(seed)
        there = near(random.choice(sorted(MAP.seas)))
        seen.add(check_order(free(" ".join(random.sample(there, min(len(there), 5))))))
    assert len(seen) > 1


@pytest.mark.slow
def test_no_core_of_an_order_is_smaller_than_what_is_drawn_anywhere() -> None:
    seen = set()
    for seed in range(8):
        random = Random(seed)
        middle = random.choice(sorted(MAP.seas))
        there = {*near(middle), *near(random.choice(sorted(MAP.seas & {*near(middle)})))}
        seen.add(check_second_order(free(" ".join(random.sample(sorted(there), min(len(there), 11))))))
    assert len(seen) > 1


@pytest.mark.slow
@pytest.mark.parametrize("word", ["a", "h", "lc", "lll"])
def test_what_is_drawn_is_what_a_search_finds(word: str) -> None:
    """In small regions, with and without an answer; the search knows nothing of links."""
    core = Ring(tuple(letter == "c" for letter in word)) if word[0] in "lc" else Paradox.read(word)
    seen = set()
    for seed in range(8):
        random = Random(f"{word} {seed}")
        there = near(random.choice(sorted(MAP.seas)))
        universe = free(" ".join(random.sample(there, min(len(there), 5))))
        drawn = draw_smallest_board(universe, core)
        found = Search(universe, CoreShape(core.shape), Objective.UNITS, 5).run()
        assert found.value == (drawn.at_least if drawn.proposal and drawn.at_least and drawn.at_least <= 5 else None)
        seen.add(found.value)
    assert None in seen
    assert len(seen) > 1 or word == "h"
