"""PATH by following fleets is PATH by listing routes, for every reader; and routes are found without listing them."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from helpers.crowded_waters import any_rulebook, crowded_board, strait

from satjudge.explain import why
from satjudge.judging.equations import statement
from satjudge.judging.equations.compiler import compile_equations
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import Situation, build_candidate_situation, choose_route_finder
from satjudge.judging.judge import judge, resolutions
from satjudge.judging.legality import make_docket
from satjudge.judging.legality.waters import (
    Sweep,
    Waters,
    _RouteHalves,
    bit_set,
    find_pockets,
    is_on_proper_route,
    is_on_simple_route,
    iter_members,
    iter_proper_routes,
    iter_simple_routes,
    split_parts,
)
from satjudge.judging.solve import Engine


def graph(random: Random, seas: int) -> tuple[tuple[int, ...], int, int, int]:
    """Seas of which some touch each other, the two shores, and where fleets are."""
    near, density = [0] * seas, random.choice((0.15, 0.25, 0.4))
    for one, other in combinations(range(seas), 2):
        if random.random() < density:
            near[one] |= 1 << other
            near[other] |= 1 << one
    start, goal = (random.getrandbits(seas) & random.getrandbits(seas) for _ in range(2))
    return tuple(near), start, goal, random.getrandbits(seas) | random.getrandbits(seas)


def is_proper(near: tuple[int, ...], start: int, goal: int, route: tuple[int, ...]) -> bool:
    """Whether no fleet of a route can be left out (4.E.1): only neighbours on it touch, only its ends touch a shore."""
    touching = [(at, beyond) for at, beyond in combinations(range(len(route)), 2) if near[route[at]] >> route[beyond] & 1]
    shores = [[at for at, sea in enumerate(route) if shore >> sea & 1] for shore in (start, goal)]
    return touching == [(at, at + 1) for at in range(len(route) - 1)] and shores == [[0], [len(route) - 1]]


@pytest.mark.parametrize("seed", range(300))
def test_fleets_on_routes_are_found_without_listing_them(seed: int) -> None:
    random = Random(seed)
    near, start, goal, free = graph(random, random.randint(1, 8))
    simple = list(iter_simple_routes(near, start, goal, free))
    proper = [route for route in simple if is_proper(near, start, goal, route)]
    assert list(iter_proper_routes(near, start, goal, free)) == sorted(proper)
    for sea in range(len(near)):
        assert is_on_proper_route(near, start, goal, free, sea, {}) is any(sea in route for route in proper)
        assert is_on_simple_route(near, start, goal, free, sea) is any(sea in route for route in simple)


@pytest.mark.parametrize("seed", range(300))
def test_what_is_found_for_one_coast_holds_for_others(seed: int) -> None:
    random = Random(seed)
    near, start, _, free = graph(random, random.randint(4, 11))
    goals = [random.getrandbits(len(near)) & random.getrandbits(len(near)) for _ in range(12)]
    waters = Waters({}, (), near, {})
    for sea in iter_members(free):
        sweep = Sweep(waters, start, free, sea)
        for goal in goals:
            assert sweep.has_route_to(goal) is is_on_proper_route(near, start, goal, free, sea, {})


@pytest.mark.parametrize("seed", range(30))
def test_pockets_are_what_few_fleets_that_touch_part_from_each_other(seed: int) -> None:
    near, _, _, free = graph(Random(seed), 9)
    free = split_parts(near, free)[0]
    some = [bit_set(few) for count in (1, 2, 3) for few in combinations(iter_members(free), count)]
    cliques = [few for few in some if all(near[one] & few == few & ~(1 << one) for one in iter_members(few))]
    parted = [split_parts(near, free & ~clique) for clique in cliques]
    assert {*find_pockets(near, free)} == {part for found in parted if len(found) > 1 for part in found}


@pytest.mark.parametrize("seed", range(10))
def test_two_arms_are_found_by_a_search(seed: int) -> None:
    random, there = Random(seed), 0
    for _ in range(30):
        near, start, goal, free = graph(random, random.randint(6, 10))
        start, goal = start & free, goal & free
        proper = list(iter_proper_routes(near, start, goal, free))
        for sea in iter_members(free & ~(start | goal)):
            is_there = any(sea in route for route in proper)
            assert bool(_RouteHalves(near, start, goal, free & ~(1 << sea), sea).search(10_000)) is is_there
            there += is_there
    assert there


def test_a_paradox_through_two_hundred_fleets_is_resolved_and_explained() -> None:
    board, orders = strait(10, 20)
    outcome = judge(board, orders)
    assert outcome.adjudication.resolutions.count == 2
    assert [str(ruling.rule) for ruling in outcome.adjudication.rulings] == ["szykman"]
    told = str(why(outcome, "A HOM - AWY"))
    assert "its convoy could go by more than 100 routes, and each of them is disrupted at F S100" in told
    assert resolutions(board, orders, engine=Engine.FULL).count == 2


def both(seed: int) -> tuple[Situation, Situation]:
    """One situation with crossings, and with listed routes."""
    random = Random(seed)
    board, orders = crowded_board(random, random.randint(3, 9))
    rulebook = any_rulebook(random)
    pairs = [(board.unit_at[province], order) for province, order in make_docket(board, orders, rulebook).orders.items()]
    return build_candidate_situation(board, pairs, rulebook), build_candidate_situation(
        board, pairs, rulebook, choose_route_finder(rulebook)
    )


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed >= 100)) for seed in range(300)])
def test_equations_say_the_same_by_fleets_and_by_routes(seed: int) -> None:
    crossed, listed = both(seed)
    random, holds = Random(seed), compile_equations(crossed.rulebook)["decision"]
    for move, same in zip(crossed.moves, listed.moves, strict=True):
        assert {place.province for place in move.last_places} == {place.province for place in same.last_places}
        assert [*map(str, move.routes)] == [*map(str, same.routes)]
    for _ in range(20):
        values = [random.random() < 0.6 for _ in crossed.decisions]
        doubts = [None if random.random() < 0.4 else value for value in values]
        for one, other in zip(crossed.decisions, listed.decisions, strict=True):
            told = statement.decision(Reading(values), other)
            assert statement.decision(Reading(values), one) is told
            assert bool(holds(values, values, one)) is bool(holds(values, values, other)) is told
            high, low = [value is not False for value in doubts], [value is True for value in doubts]
            assert bool(holds(high, low, one)) is bool(holds(high, low, other))
            assert bool(holds(low, high, one)) is bool(holds(low, high, other))
