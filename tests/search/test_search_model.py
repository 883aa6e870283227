"""The formula of a universe: its assignments are the boards with legal orders, its copies their resolutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

import pytest
from helpers import brute_search as brute

from satjudge.base.errors import BoardError, InputError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.equations.situation import ConvoyDecision, Situation
from satjudge.judging.judge import read_situation, resolutions
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.search.formulas.clauses import FALSE, TRUE, Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.formulas.file_formats import make_clauses
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.proposal import Proposal
from satjudge.search.open_orders.universe import Spot, Universe, meaning_key, spots_of
from satjudge.search.open_orders.universe_orders import UniverseOrders
from satjudge.world.board import Board, Unit
from satjudge.world.geography import ProvinceCode, UnitKind, load_map
from satjudge.world.orders import Hold, MovementOrder, Named
from satjudge.world.rules import load_rulebook

MAP = load_map()
PRESETS = ("datc-3", "datc-2", "1971", "1982", "2000", "guide-1998")


def answers(formula: Formula, told_apart: Sequence[Literal]) -> Iterator[Answer]:
    """Every way in which the literals can hold."""
    solver = Solver(formula, workers=1)
    while not (answer := solver.decide()).is_unsatisfiable:
        yield answer
        formula.require(*(-literal if answer.holds(literal) else literal for literal in told_apart))


def given_orders(board: Board, orders: Mapping[str, Sequence[MovementOrder]]) -> dict[ProvinceCode, MovementOrder]:
    """The legal order of every unit; those without one hold."""
    situation = read_situation(board, orders)
    found: dict[ProvinceCode, MovementOrder] = {u.province: Hold(Named(u.kind, u.location)) for u in board.units}
    return found | {d.order.unit.province: d.order for d in situation.decisions}


# The formula's own words.


@pytest.mark.parametrize("values", list(product((False, True), repeat=4)))
def test_a_formula_says_what_its_words_mean(values: tuple[bool, ...]) -> None:
    formula = Formula()
    parts = [formula.add_variable() for _ in values]
    told = {
        formula.all_of(parts): all(values),
        formula.any_of(parts): any(values),
        formula.all_of((parts[0], -parts[0])): False,
        formula.any_of((parts[0], TRUE)): True,
        formula.all_of((TRUE,)): True,
        **{formula.at_least(least, parts): sum(values) >= least for least in range(6)},
        formula.at_least(2, (*parts, TRUE, FALSE)): sum(values) >= 1,
    }
    for part, value in zip(parts, values, strict=True):
        formula.require(part if value else -part)
    answer = Solver(formula, workers=1).decide()
    assert {literal: answer.holds(literal) for literal in told} == told


@pytest.mark.parametrize(("one", "other"), list(product(range(4), repeat=2)))
def test_strengths_are_compared_and_chosen(one: int, other: int) -> None:
    logic = Encoding(UniverseOrders(Universe(load_rulebook("datc-3")), 3))
    formula, condition = logic.formula, logic.formula.add_variable()
    strengths, parts = [], []
    for _ in range(2):
        parts.append([formula.add_variable() for _ in range(3)])
        strengths.append(logic.total(0, parts[-1]))
    exceeds = logic.exceeds(strengths[0], strengths[1])
    chosen = logic.choose(condition, strengths[0], logic.zero())
    for switches, amount in zip(parts, (one, other), strict=True):
        for position, switch in enumerate(switches):
            formula.require(switch if position < amount else -switch)
    for answer in answers(formula, [condition]):
        assert answer.holds(exceeds) is (one > other)
        assert sum(map(answer.holds, chosen)) == (one if answer.holds(condition) else 0)


def test_the_same_words_are_one_literal() -> None:
    formula = Formula()
    a, b, c = formula.add_variable(), formula.add_variable(), formula.add_variable()
    assert formula.all_of((a, b)) == formula.all_of((b, a, TRUE)) == -formula.any_of((-a, -b))
    assert formula.at_least(2, (a, b, c)) == formula.at_least(2, (c, b, a))


def test_counts_and_exclusions_are_the_same_as_clauses() -> None:
    """Each solver by itself: every assignment of the switches has just one of the clauses' variables, or none."""
    pysat = pytest.importorskip("pysat.solvers")
    formula = Formula()
    switches = [formula.add_variable() for _ in range(5)]
    formula.require(formula.at_least(2, switches))
    formula.require_at_most_one(switches[:3])
    written = make_clauses(formula)
    with pysat.Solver(bootstrap_with=written.clauses) as solver:
        found = [tuple(model[switch - 1] > 0 for switch in switches) for model in solver.enum_models()]
    wanted = [row for row in product((False, True), repeat=5) if sum(row) >= 2 and sum(row[:3]) <= 1]
    assert sorted(found) == sorted(wanted)
    assert next(written.iter_lines()) == f"p cnf {written.size} {len(written.clauses)}"


# Boards with legal orders.


def proposed(universe: Universe, most_units: int) -> set[tuple[frozenset[Spot], frozenset[tuple[ProvinceCode, str]]]]:
    """What the formula allows: units and meanings of orders, whoever's they are."""
    model = UniverseOrders(universe, most_units)
    literals = [*model.stands.values(), *model.guards]
    model.formula.require(-model.formula.at_least(most_units + 1, model.occupied.values()))
    found = set()
    for answer in answers(model.formula, [literal for literal in literals if literal != TRUE]):
        proposal = model.read_proposal(answer)
        if proposal is not None:
            found.add(told(proposal, universe))
    return found


def told(proposal: Proposal, universe: Universe) -> tuple[frozenset[Spot], frozenset[tuple[ProvinceCode, str]]]:
    """A proposal without the names of powers, and without differences between orders that mean the same."""
    units = frozenset(Spot(unit.kind, unit.location) for unit in proposal.board.units)
    orders = frozenset(
        (province, str(meaning_key(order)).replace(" VIA", "" if _needs_convoy(universe, order) else " VIA"))
        for province, order in proposal.by_province.items()
    )
    return units, orders


def _needs_convoy(universe: Universe, order: MovementOrder) -> bool:
    """Whether `via convoy` says nothing: the army cannot go otherwise."""
    return getattr(order, "destination", None) not in universe.map.exits(UnitKind.ARMY, order.unit.location)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("region", "rules"),
    [
        ("ENG LON BEL", "datc-3"),
        ("BRE ENG PIC", "guide-1998"),
        ("BOT FIN LVN", "1982"),
        ("AEG CON BUL", "datc-3"),
        ("SPA MAO POR", "guide-1998"),
        ("NTH ENG BEL", "1971"),
    ],
)
def test_every_board_with_legal_orders_is_an_assignment_and_no_other(region: str, rules: str) -> None:
    """All boards of up to two units in a region with all their legal orders, drawn up one by one."""
    provinces = frozenset(region.split())
    universe = Universe(load_rulebook(rules), spots=spots_of(MAP, provinces), region=provinces, foreign=True)
    wanted = {told(proposal, universe) for proposal in brute.proposals(universe, 2)}
    coastless = {entry for entry in wanted if "SPA/" not in str(entry[1]) and "BUL/" not in str(entry[1])}
    found = proposed(universe, 2)
    assert found <= wanted
    assert coastless <= found


@pytest.mark.slow
def test_three_units_with_a_convoy() -> None:
    """Legality that depends on other units: a convoyed move, its convoy, and the support that a convoyer cannot give."""
    standing = {"A BRE": "FRANCE", "F ENG": "FRANCE", "F NTH": "ENGLAND"}
    units = tuple(parse_unit(text, power, MAP) for text, power in standing.items())
    universe = Universe(load_rulebook("datc-3"), units, region=frozenset({"BRE", "ENG", "NTH", "LON", "BEL"}))
    found = proposed(universe, 3)
    assert found == {told(proposal, universe) for proposal in brute.proposals(universe, 3)}
    helped = {province for _, orders in found for province, text in orders if "'BRE', UnitKind.ARMY, 'LON'" in text}
    assert helped == {"NTH"}  # F ENG cannot support the move that only it makes possible (DATC 6.D.31)


def test_powers_are_given_to_units_as_the_equations_need_them() -> None:
    """Two of one power, a third foreign to both: France may not dislodge its own unit, so the attackers are others."""
    provinces = frozenset({"BEL", "PIC", "BUR"})
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(MAP, provinces), region=provinces)
    model = UniverseOrders(universe, 3)
    copy = model.encode_resolution()
    model.formula.require(copy.dislodged("BEL"))
    model.formula.require(model.powers.has_unit_of("BEL", "FRANCE"))
    model.formula.require(model.powers.have_same_power("PIC", "BUR"))
    answer = Solver(model.formula, workers=1).decide()
    proposal = model.read_proposal(answer)
    assert proposal is not None
    powers = {unit.province: unit.power for unit in proposal.board.units}
    assert powers["BEL"] == "FRANCE"
    assert powers["PIC"] == powers["BUR"] != "FRANCE"


def test_equals_of_equals_are_equal() -> None:
    """What is no equivalence is cut away, and the next answer is one."""
    provinces = frozenset({"BEL", "PIC", "BUR"})
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(MAP, provinces), region=provinces)
    model = UniverseOrders(universe)
    one, two, three = (model.powers.have_same_power(*pair) for pair in (("BEL", "PIC"), ("PIC", "BUR"), ("BEL", "BUR")))
    for literal in (one, two, *model.occupied.values()):
        model.formula.require(literal)
    solver = Solver(model.formula, workers=1)
    model.formula.require(-three, TRUE)
    answer = solver.decide()
    while model.read_proposal(answer) is None:
        answer = solver.decide()
    assert answer.holds(three)
    model.formula.require(-three)
    answer = solver.decide()
    while not answer.is_unsatisfiable:
        assert model.read_proposal(answer) is None
        answer = solver.decide()


# Resolutions.


@pytest.mark.parametrize("rules", PRESETS)
def test_a_copy_has_the_resolutions_of_the_orders(rules: str) -> None:
    """Random boards with their orders given: the assignments of a copy are the resolutions that the judge finds."""
    rulebook = load_rulebook(rules)
    counts = set()
    for seed in range(12):
        board, orders = random_board(Random(seed), Flavour.CONVOYS, (4, 10))
        situation = read_situation(board, orders, rulebook=rulebook)
        legal = {d.order.unit.province: d.order for d in situation.decisions}
        holding: dict[ProvinceCode, MovementOrder] = {u.province: Hold(Named(u.kind, u.location)) for u in board.units}
        model = UniverseOrders(Universe(rulebook, board.units, orders=holding | legal, longest_route=8))
        copy = model.encode_resolution()
        subjects = model.situation.decisions
        found = set()
        for answer in answers(model.formula, [copy.value_of(subject) for subject in subjects]):
            found.add(frozenset(_place(model.situation, i) for i, d in enumerate(subjects) if answer.holds(copy.value_of(d))))
        wanted = resolutions(board, orders, rulebook=rulebook, engine=Engine.STAGED)
        assert found == {frozenset(_place(situation, i) for i, value in enumerate(values) if value) for values in wanted}
        counts.add(min(len(found), 2))
    assert 1 in counts


def _place(situation: Situation, index: int) -> ProvinceCode:
    return situation.decisions[index].order.unit.province


def test_decisions_may_fail_at_will_only_where_they_would_hold() -> None:
    """A copy in which convoys may fail: the army of an undisturbed convoy may then stay, and nothing else changes."""
    board = Board(tuple(parse_unit(text, "FRANCE", MAP) for text in ("A BRE", "F ENG")))
    orders = {"BRE": parse_order("A BRE - LON", MAP), "ENG": parse_order("F ENG C A BRE - LON", MAP)}
    model = UniverseOrders(Universe(load_rulebook("datc-3"), board.units, orders=orders))  # type: ignore[arg-type]
    copy = model.encode_resolution(may_fail=(ConvoyDecision,))
    moved = [answer.holds(copy.is_left("BRE")) for answer in answers(model.formula, [copy.is_left("BRE")])]
    assert sorted(moved) == [False, True]


# What cannot be searched.


def test_a_universe_checks_what_it_is_given() -> None:
    rulebook = load_rulebook("datc-3")
    unit = Unit("FRANCE", UnitKind.ARMY, "PAR")
    with pytest.raises(BoardError, match="PAR already has a unit"):
        Universe(rulebook, (unit,), spots=spots_of(MAP, ["PAR"]))
    with pytest.raises(InputError, match=r"written convoy paths.*4\.A\.6=ignored"):
        Universe(rulebook.with_settings(["4.A.6=required"]))
    with pytest.raises(InputError, match=r"from its last fleet.*4\.A\.4\.1=start"):
        Universe(rulebook.with_settings(["4.A.4.1=last-fleet"]))
    order = parse_order("A PAR - LON", MAP)
    assert isinstance(order, MovementOrder)
    with pytest.raises(InputError, match="A PAR - LON is not legal here"):
        UniverseOrders(Universe(rulebook, (unit,), orders={"PAR": order}))
    fleet, via = Unit("ENGLAND", UnitKind.FLEET, "LON"), parse_order("F LON - NTH VIA", MAP)
    assert isinstance(via, MovementOrder)
    with pytest.raises(InputError, match="F LON - NTH VIA is not legal here"):
        UniverseOrders(Universe(rulebook, (fleet,), orders={"LON": via}))
    UniverseOrders(Universe(rulebook.with_settings(["4.E.1.via=ignored"]), (fleet,), orders={"LON": via}))


def test_candidates_of_one_meaning_are_one() -> None:
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(MAP, MAP.provinces))
    keys = [meaning_key(candidate.order) for candidate in universe.candidates]
    assert len(keys) == len(set(keys)) > 5000
