"""Certificates of the fewest units: the condition, the formula against every line of small maps, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.playing_out import POWERS, breaking_attack, random_line, small_map
from helpers.tampering import (
    FEWEST_CHANGES,
    accepted_mutants,
    packed,
    problems,
    read,
    written_proof,
)
from msgspec import structs
from pysat.solvers import Cadical153

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.base.values import replace
from satjudge.proofs.verify.fewest_lines import LineGoal, LineSpace, make_formula, parse_goal
from satjudge.proofs.verify.lines import Line, list_possible_enemies
from satjudge.search.lines.line import find_units_from_homes
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, ProvinceCode, load_map
from satjudge.world.orders import Hold, MovementOrder, SupportHold
from satjudge.world.rules import load_rulebook, preset_names

STANDARD = load_map()
RULES = load_rulebook()

# ---- the condition, against brute force that knows no theory ----


def check_the_condition(seed: object) -> bool:
    """Whether enemies enter a random line: by the condition, just if any placement and any orders of them do.

    They can be in at most three provinces, so that every placement is tried: on whole maps they would be too many.
    """
    random = Random(f"condition {seed}")
    board, orders, behind = random_line(random)
    protected = behind.union(board.unit_at)
    outside = sorted(board.map.provinces.keys() - protected)
    places = set(random.sample(outside, min(3, len(outside))))
    rulebook = load_rulebook(random.choice(preset_names()))
    everywhere = list_possible_enemies(board.map, ())
    enemies = [unit for unit in everywhere if unit.province in places and random.random() < 0.9]
    missing = frozenset(everywhere).difference(enemies)
    line = Line(board, {unit.province: order for unit, order in orders.items()}, protected, (), (), rulebook)
    asked = LineSpace(board.map, frozenset(board.map.provinces), LineGoal(), missing=missing)
    possible = {(unit.kind, unit.location) for unit in enemies if unit.kind}
    attack = breaking_attack(board, orders, protected, len(places), rulebook, possible=possible)
    assert bool(asked.find_problem(line)) == (attack is not None), asked.find_problem(line)
    return attack is not None


def test_the_condition_says_whether_enemies_enter() -> None:
    """Cuts decide the first three; that two enemies cannot cut one support the last one."""
    assert [*map(check_the_condition, (93, 129, 148, 211))] == [True, True, True, False]


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(20))
def test_the_condition_says_whether_enemies_enter_on_thousands_of_boards(part: int) -> None:
    assert 100 < sum(map(check_the_condition, range(500 * part, 500 * (part + 1)))) < 400


# ---- the formula, against every line of a small map ----


def some_of(things: Collection[ProvinceCode]) -> Iterator[frozenset[ProvinceCode]]:
    sizes = (combinations(sorted(things), size) for size in range(len(things) + 1))
    return map(frozenset, chain.from_iterable(sizes))


def lines_of(game_map: Map, stands: Collection[ProvinceCode], protected: frozenset[ProvinceCode]) -> Iterator[Line]:
    """Every line with units in just these provinces: with all kinds of units, and all that these can order."""
    everywhere = [unit for unit in list_possible_enemies(game_map, ()) if unit.province in stands]
    for units in product(*([unit for unit in everywhere if unit.province == province] for province in sorted(stands))):
        board = Board(tuple(Unit("LINE", unit.kind, unit.location) for unit in units if unit.kind), map=game_map)
        choices: list[list[MovementOrder]] = []
        for unit in units:
            assert unit.kind
            helped = [other for other in units if other.province in game_map.exits(unit.kind, unit.location)]
            choices.append([Hold(unit), *(SupportHold(unit, other) for other in helped)])
        for orders in product(*choices):
            yield Line(board, {order.unit.province: order for order in orders}, protected, (), (), RULES)


def random_question(random: Random) -> LineSpace:
    """What to look for on a small map, where one or two provinces are homes."""
    drawn = small_map(random)
    codes = sorted(drawn.provinces)
    homes = dict(zip(random.sample(codes, 2), POWERS[1:3], strict=True))
    provinces = {
        code: structs.replace(province, home=homes.get(code), center=random.random() < 0.6)
        for code, province in drawn.provinces.items()
    }
    game_map = replace(drawn, provinces=provinces, cache={})
    goal = LineGoal(
        random.choice((0, 0, 1, 2)),
        random.choice((None, None, 2, 3)),
        frozenset(random.sample(codes, random.choice((0, 0, 1)))),
        frozenset(random.sample(codes, random.choice((0, 0, 1)))),
        tuple(frozenset(random.sample(codes, 3)) for _ in range(random.choice((0, 1)))),
    )
    everyone = list_possible_enemies(game_map, ())
    return LineSpace(
        game_map,
        frozenset(codes if random.random() < 0.6 else random.sample(codes, 5)),
        goal,
        feeds=random.random() < 0.3,
        pockets=random.random() < 0.5,
        missing=frozenset(random.sample(everyone, random.choice((0, 2)))),
        out=random.choice((None, frozenset({POWERS[0]}), frozenset(POWERS[:2]))),
    )


def check_formula(seed: object, samples: int) -> Counter[bool]:
    """Of some sets of provinces that are protected, and of provinces with units: the formula has a line there just if one of
    all that there are is what is looked for.
    """
    random = Random(f"formula {seed}")
    asked = random_question(random)
    most = random.choice((2, 3))
    listed = [frozenset(random.sample(sorted(asked.map.provinces), random.choice((1, most)))) for _ in range(2)]
    clauses = make_formula(asked, most, listed)
    names = {name: literal for literal, name in clauses.names.items()}
    found: Counter[bool] = Counter()
    cases = [
        (protected, stands)
        for protected in some_of(asked.map.provinces)
        for stands in some_of(protected)
        if len(stands) <= 3 and protected <= asked.region
    ]
    with Cadical153(bootstrap_with=clauses.clauses) as solver:
        for protected, stands in random.sample(cases, min(samples, len(cases))):
            told = {*(f"PROTECTED {province}" for province in protected), *(f"UNIT {province}" for province in stands)}
            given = [
                literal if name in told else -literal for name, literal in names.items() if name.startswith(("PROT", "UNIT"))
            ]
            allowed = len(stands) <= most and stands not in listed
            expected = allowed and any(not asked.find_problem(line) for line in lines_of(asked.map, stands, protected))
            assert solver.solve(given) == expected, (protected, stands)
            found[expected] += 1
    return found


def test_the_formula_has_the_lines_that_are_looked_for() -> None:
    found = sum((check_formula(seed, 40) for seed in range(6)), Counter[bool]())
    assert min(found[True], found[False]) > 10, found


@pytest.mark.campaign
def test_the_formula_has_the_lines_that_are_looked_for_on_many_maps() -> None:
    found = sum((check_formula(seed, 400) for seed in range(200)), Counter[bool]())
    assert min(found[True], found[False]) > 1000, found


def test_enemies_come_where_the_first_statement_has_them() -> None:
    random = Random("who comes")
    sizes = set()
    for _ in range(8):
        protected = frozenset(random.sample(sorted(STANDARD.provinces), random.randint(5, 40)))
        out = frozenset(random.sample(STANDARD.powers, random.randint(1, 6)))
        everyone = list_possible_enemies(STANDARD, ())
        missing = frozenset(random.sample(everyone, random.choice((0, 20))))
        asked = LineSpace(STANDARD, frozenset(STANDARD.provinces), LineGoal(), missing=missing, out=out)
        allowed = [(unit.kind, unit.location) for unit in everyone if unit not in missing and unit.province not in protected]
        homes = frozenset[str]().union(*(STANDARD.homes(power) for power in STANDARD.powers if power not in out))
        expected = find_units_from_homes(STANDARD, [(kind, place) for kind, place in allowed if kind], homes - protected)
        assert {(unit.kind, unit.location) for unit in asked.find_coming_enemies(protected)} == {
            (kind, place) for kind, place in expected
        }
        sizes.add(len(expected))
    assert len(sizes) > 5


# ---- certificates ----

ARGUMENTS = ["lines", "protect:POR,SPA", "--without", "F", "--region", "POR SPA GAS MAR", "--all"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("fewest") / "iberia.zip"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("satjudge.proofs.certificates.lrat_proofs.request_proof", written_proof)
        assert run([*ARGUMENTS, "--certificate", str(path)]) == 0
        yield path


def test_what_is_written_is_accepted(certificate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificate)]) == 0
    told = " ".join(capsys.readouterr().out.split())  # long paths are wrapped
    assert "no line that stands still with at most 2 units has protect:POR,SPA, except those that stand in 1 listed set" in told
    assert "in GAS, MAR, POR, SPA" in told
    assert "none of them F ADR" in told
    assert "A POR S A SPA, A SPA H" in told
    assert told.endswith("accepted")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda claim: claim.update(most=3), "no such line: line 1: step"),
        (lambda claim: claim.update(most=-1), "question: the number of units cannot be negative"),
        (lambda claim: claim.update(most=10**15, feeds=True), "no such line: "),  # in no time
        (lambda claim: claim.update(map="nowhere"), "question: there is no map named 'nowhere'"),
        (lambda claim: claim.update(missing=["Fleet MAO"]), "question: the unit “Fleet MAO” must be written “F MAO”"),
        (
            lambda claim: claim["lines"][0].update(orders=["A POR S SPA", "A SPA H"]),
            "lines: “A POR S SPA”: there is no SPA",
        ),
        (lambda claim: claim.update(goal="protect:POR"), "no such line: "),
        (lambda claim: claim.update(goal="protect:POR,TUN"), "lines: A POR S A SPA, A SPA H: it does not protect what"),
        (lambda claim: claim.update(goal="core:2M"), "question: line certificates do not support the goal “core:2M”"),
        (lambda claim: claim["region"].clear(), "question: the region of the lines is empty"),
        (lambda claim: claim["region"].append("POR"), "question: a province is listed twice"),
        (lambda claim: claim["region"].remove("SPA"), "lines: A POR S A SPA, A SPA H: SPA is outside the region"),
        (lambda claim: claim["missing"].remove("F MAO"), "lines: A POR S A SPA, A SPA H: enemies can enter SPA"),
        (lambda claim: claim.update(out=["FRANCE", "NOBODY"]), "question: there is no power NOBODY on this map"),
        (lambda claim: claim["lines"].clear(), "no such line: "),
        (lambda claim: claim["lines"].append(claim["lines"][0]), "lines: two lines are in the same provinces"),
        (
            lambda claim: claim["lines"][0].update(orders=["A POR H", "A SPA H"]),
            "lines: A POR H, A SPA H: enemies can enter SPA",
        ),
        (lambda claim: claim["lines"][0]["protected"].remove("POR"), "lines: the line does not protect POR"),
    ],
)
def test_a_claim_that_was_changed_is_refused(certificate: Path, change: Callable[[Any], object], problem: str) -> None:
    data, files = read(certificate)
    change(data["claim"])
    (found,) = problems(packed(data, files))
    assert found.startswith(problem)


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(400), marks=pytest.mark.campaign)], ids=["few", "many"])
def test_no_mutant_is_accepted_that_is_wrong(certificate: Path, seeds: Sequence[int]) -> None:
    assert 0 < accepted_mutants(certificate, FEWEST_CHANGES, seeds) < len(seeds) / 2


def test_that_none_hold_has_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.zip"
    assert run(["lines", "protect:POR,SPA", "--region", "POR SPA", "--no-pockets", "--certificate", str(path)]) == 1
    capsys.readouterr()
    assert run(["verify", str(path), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    told = "no line that stands still with at most 75 units (lines with no enemies cut off from the others) has protect:POR,SPA"
    assert found["claim"] == told
    assert run(["lines", "centers=34", "--certificate", str(path)]) == 0
    assert "No certificate is written: nothing was proved about any number of units." in capsys.readouterr().err


def test_goals_are_read() -> None:
    goal = parse_goal("centers>=3 and centers<=17 and outside:LVP,LON and not-all:ANK,CON and protect:SMY", STANDARD)
    assert goal == LineGoal(3, 17, frozenset({"SMY"}), frozenset({"LVP", "LON"}), (frozenset({"ANK", "CON"}),))
    assert parse_goal("centers=3 and centers<=5", STANDARD) == LineGoal(3, 3)
    for wrong in ("centers=x", "centers=\u09ea", "centres=3", "protect:", "protect:XXX", "outside", "centers=3 or centers=4"):
        with pytest.raises(InputError, match="line certificates do not support the goal"):
            parse_goal(wrong, STANDARD)
