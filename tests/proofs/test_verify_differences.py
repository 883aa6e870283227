"""Certificates that rulebooks do not differ: the formulas have the boards on which they do, in every aspect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pytest
from helpers.brute_search import proposals
from helpers.tampering import has_none
from test_verify_searches import MAP, WIDE, Asked, bounds, universe, with_holds

from satjudge.base.errors import UnresolvedError
from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.judge import judge
from satjudge.judging.legality import make_docket
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.proofs.certificates.claims import make_search_claim
from satjudge.proofs.verify.goals import DIFFERENCES, Results, Retreats
from satjudge.proofs.verify.open_boards import Bounds
from satjudge.proofs.verify.searches import make_outcome_cases
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Equations, Literal
from satjudge.search.goals.differences import Aspect, has_difference
from satjudge.search.goals.registry import parse_goal
from satjudge.search.search import Objective, Search, add_goal_rulebooks
from satjudge.world.board import Board
from satjudge.world.geography import UnitKind, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Named, SupportMove
from satjudge.world.rules import load_rulebook, preset_names
from satjudge.world.rules.rulebook import RetreatToOrigin

PAIRS = [*combinations(preset_names(), 2)]
Orders = dict[str, list[MovementOrder]]


class Compared:
    """Two rulebooks, orders of which are legal under one of them, on the boards of a region with so many units."""

    def __init__(self, pair: tuple[str, str], region: str, most: int) -> None:
        self.rulebooks = (load_rulebook(pair[0]), load_rulebook(pair[1]))
        self.within: Bounds = replace(bounds(region, most, self.rulebooks[0]), rulebooks=self.rulebooks, under_one=True)
        self.asked: dict[tuple[str, int], Asked] = {}

    def formulas(self, aspect: str) -> Iterator[Asked]:
        """That for outcomes without a ruling, and those with one."""
        for number, case in enumerate(make_outcome_cases(*DIFFERENCES[aspect], self.rulebooks)):
            if (aspect, number) not in self.asked:
                self.asked[aspect, number] = Asked(self.within, case)
            yield self.asked[aspect, number]

    def said(self, aspect: str, board: Board, orders: Orders) -> bool:
        """Whether the rulebooks may differ by some formula."""
        return any(asked.holds_of(board, chain.from_iterable(orders.values())) for asked in self.formulas(aspect))

    def true(self, board: Board, orders: Orders) -> dict[str, bool] | None:
        """By aspect whether they do, if both have an answer."""
        try:
            one, other = (judge(board, orders, rulebook=rulebook) for rulebook in self.rulebooks)
        except UnresolvedError:
            return None
        return {aspect: has_difference(Aspect(aspect) if aspect else Aspect.POSITION, one, other) for aspect in DIFFERENCES}

    def legal_under_one(self, board: Board, orders: Orders) -> Orders:
        """Of random orders those that one of the rulebooks takes for legal, in full."""
        found: Orders = {}
        for rulebook in reversed(self.rulebooks):
            for order in make_docket(board, orders, rulebook).orders.values():
                given = found.setdefault(board.unit_at[order.unit.province].power, [])
                if not any(known.unit == order.unit for known in given):
                    given.append(order)
        return with_holds(board, found)


# ---- small regions: every board ----


def check_region(pair: tuple[str, str], region: str, most: int) -> Counter[str]:
    """How many boards of a region differ in verdicts and in retreats: just those of which the formulas say so."""
    compared, found = Compared(pair, region, most), Counter[str]()
    goal = parse_goal(f"differs:{','.join(pair)}=verdicts", MAP)
    for proposal in proposals(add_goal_rulebooks(goal, universe(compared.within)), most):
        true = compared.true(proposal.board, proposal.orders)
        assert true
        for aspect in ("verdicts", "retreats"):
            assert compared.said(aspect, proposal.board, proposal.orders) == true[aspect], proposal
            found[aspect] += true[aspect]
    return found


@pytest.mark.parametrize("pair", [("1982", "datc-3"), pytest.param(("2000", "datc-2"), marks=pytest.mark.slow)], ids=",".join)
def test_the_boards_where_verdicts_differ_are_those_that_are_drawn_up(pair: tuple[str, str]) -> None:
    assert check_region(pair, "BEL ENG PIC", 2)["verdicts"] == {"1982": 52, "2000": 0}[pair[0]]


@pytest.mark.campaign
@pytest.mark.parametrize("region", ["BEL ENG PIC", "GAS POR SPA", "BOT FIN STP"])
@pytest.mark.parametrize("pair", PAIRS, ids=",".join)
def test_the_boards_where_verdicts_differ_in_any_of_these_regions(pair: tuple[str, str], region: str) -> None:
    check_region(pair, region, 2)


@pytest.mark.campaign
@pytest.mark.parametrize("pair", [("1971", "datc-3"), ("1982", "guide-1998"), ("2000", "2023")], ids=",".join)
def test_the_boards_of_three_units_where_verdicts_differ_in_the_channel(pair: tuple[str, str]) -> None:
    check_region(pair, "BEL ENG PIC", 3)


# ---- boards at random ----


def check_difference(pair: tuple[str, str], region: str, most: int, seeds: range) -> Counter[str]:
    """How often two rulebooks differ on random boards, orders of which are legal under one of them: then some formula has the
    board.
    """
    compared, found = Compared(pair, region, most), Counter[str]()
    for seed in seeds:
        random = Random(f"differ {seed}")
        board, drawn = random_board(random, Flavour.CONVOYS, (2, most), 3, within=compared.within.region)
        for ordered in drawn.values():
            for place, order in enumerate(ordered):
                if isinstance(order, Move) and order.unit.kind is UnitKind.ARMY and random.random() < 0.5:
                    ordered[place] = replace(order, via_convoy=True)
        orders = compared.legal_under_one(board, drawn)
        for aspect, differs in (compared.true(board, orders) or {}).items():
            if differs:
                found[aspect] += 1
                assert compared.said(aspect, board, orders), (aspect, board, orders)
    return found


def test_where_rulebooks_differ_a_formula_says_so() -> None:
    found = check_difference(("1982", "datc-3"), "BEL ENG PIC", 3, range(15))
    assert found["units"]
    assert found["verdicts"] > found["units"]


ALIKE_ON_RANDOM_BOARDS = [("2000", "2023"), ("2000", "datc-2"), ("2023", "datc-2"), ("2025ee", "datc-3")]
"""2000 and 2023 cannot differ; the others take a paradox or a superfluous convoy, which these boards do not have."""


@pytest.mark.campaign
@pytest.mark.parametrize("pair", PAIRS, ids=",".join)
def test_where_any_two_rulebooks_differ_a_formula_says_so(pair: tuple[str, str]) -> None:
    assert bool(check_difference(pair, WIDE, 5, range(400))["units"]) == (pair not in ALIKE_ON_RANDOM_BOARDS)


@pytest.mark.parametrize(
    "name", ["differs-legal:{},{}", "differs:{},{}", *(f"differs:{{}},{{}}={aspect}" for aspect in DIFFERENCES if aspect)]
)
@pytest.mark.parametrize(
    "region",
    [
        pytest.param("BEL ENG PIC", marks=pytest.mark.slow),
        *(pytest.param(region, marks=pytest.mark.campaign) for region in ("ANK CON SMY", "BRE ENG LON", "GAS POR SPA")),
    ],
)
def test_the_least_units_with_which_rulebooks_differ_are_those_of_a_search(region: str, name: str) -> None:
    for one, other in PAIRS:
        goal = parse_goal(name.format(one, other), MAP)
        ranged = add_goal_rulebooks(goal, universe(bounds(region, 3, load_rulebook(one))))
        found = Search(ranged, goal, Objective.UNITS, 3).run()
        claims = (make_search_claim(goal, ranged, most) for most in range(1, 4))
        assert next((claim.most for claim in claims if not has_none(claim)), None) == (found.value if found.answers else None)


# ---- boards that tell rulebooks apart ----

KEPT = Path(__file__).parents[2] / "datc_cases" / "differences" / "boards.txt"


@cache
def kept() -> dict[str, Sheet]:
    """The boards of docs/papers/rulebooks-matrix.md."""
    return {sheet.identity: sheet for sheet in load_sheets(KEPT)}


DRAWN = """\
case arrives: an army arrives where the dislodged one could go, or stays away
Germany:
  A MUN H
Russia:
  A BER - MUN
  A SIL S A BER - MUN
England:
  A BEL - RUH VIA

case contested: two armies keep each other out, or stay away
Germany:
  A MUN H
Russia:
  A BER - MUN
  A SIL S A BER - MUN
England:
  A RUH - BUR VIA
France:
  A PAR - BUR VIA

case outside: a way back that is barred under one of them, and others that are not
Germany:
  F BEL H
France:
  A PIC - BEL VIA
  F ENG C A PIC - BEL
  A BUR S A PIC - BEL

case by-land: the attacker came by land
Germany:
  A MUN H
Russia:
  A BER - MUN
  A SIL S A BER - MUN
"""

TOLD_APART: Sequence[tuple[str, tuple[str, str], str, bool]] = [
    ("difference-1", ("1982", "datc-3"), "verdicts", True),
    ("difference-2", ("datc-3", "guide-1998"), "verdicts", True),
    ("difference-4", ("1982", "datc-3"), "verdicts", True),
    ("difference-5", ("2000", "datc-2"), "verdicts", True),
    ("difference-6", ("1982", "2000"), "verdicts", True),
    ("difference-7", ("1982", "datc-3"), "retreats", False),
    ("difference-10", ("2000", "2023"), "verdicts", True),
    ("difference-10", ("2000", "2023"), "retreats", True),
    ("difference-11", ("datc-2", "datc-3"), "retreats", True),
    ("arrives", ("datc-2", "datc-3"), "retreats", True),
    ("contested", ("datc-2", "datc-3"), "retreats", True),
    ("outside", ("2000", "2023"), "verdicts", False),
    ("outside", ("2000", "2023"), "retreats", True),
    ("by-land", ("2000", "2023"), "retreats", False),
]
"""Boards with two rulebooks, and whether these differ in an aspect."""


def orders_of(sheet: Sheet) -> Orders:
    """The orders of a board."""
    return {
        power: [order for order in orders if isinstance(order, MovementOrder)]
        for power, orders in sheet.orders_by_power().items()
    }


def on_its_provinces(pair: tuple[str, str], sheet: Sheet) -> Compared:
    """Boards like that of a sheet, on the provinces that its orders speak of."""
    given = [*chain.from_iterable(orders_of(sheet).values())]
    there = {province_of(order.destination) for order in given if isinstance(order, Move | SupportMove | Convoy)}
    region = {*there, *(unit.province for unit in sheet.board.units)}
    return Compared(pair, " ".join(sorted(region)), len(sheet.board.units))


def is_told(identity: str, pair: tuple[str, str], aspect: str) -> bool:
    """Whether the formulas say that two rulebooks differ on a board."""
    sheet = {**kept(), **{sheet.identity: sheet for sheet in read_sheets(DRAWN)}}[identity]
    return on_its_provinces(pair, sheet).said(aspect, sheet.board, orders_of(sheet))


@pytest.mark.parametrize(("identity", "pair", "aspect", "differs"), TOLD_APART)
def test_a_board_is_said_to_tell_rulebooks_apart_where_it_does(
    identity: str, pair: tuple[str, str], aspect: str, differs: bool
) -> None:
    assert is_told(identity, pair, aspect) == differs
    sheet = {**kept(), **{sheet.identity: sheet for sheet in read_sheets(DRAWN)}}[identity]
    true = Compared(pair, "", 0).true(sheet.board, orders_of(sheet))
    assert true
    assert true[aspect] == differs


def check_kept(identity: str, pairs: Iterable[tuple[str, str]]) -> int:
    """In how many aspects rulebooks differ on a kept board: each time some formula says so."""
    sheet, number = kept()[identity], 0
    for pair in pairs:
        compared = on_its_provinces(pair, sheet)
        for aspect, differs in (compared.true(sheet.board, orders_of(sheet)) or {}).items():
            if differs:
                number += 1
                assert compared.said(aspect, sheet.board, orders_of(sheet)), (pair, aspect)
    return number


@pytest.mark.parametrize(
    "identity",
    [
        *(f"difference-{number}" for number in range(1, 17)),
        pytest.param("difference-17", marks=pytest.mark.slow),
    ],  # the largest
)
def test_of_each_kept_board_a_formula_says_that_rulebooks_differ(identity: str) -> None:
    sheet = kept()[identity]
    differ_here = (pair for pair in PAIRS if any((Compared(pair, "", 0).true(sheet.board, orders_of(sheet)) or {}).values()))
    assert check_kept(identity, [next(differ_here)])


@pytest.mark.campaign
@pytest.mark.parametrize("identity", [f"difference-{number}" for number in range(1, 18)])
def test_of_each_kept_board_a_formula_says_where_any_two_rulebooks_differ(identity: str) -> None:
    assert check_kept(identity, PAIRS) > 6


# ---- what is left out shows ----


def without_sign(number: int) -> Callable[[pytest.MonkeyPatch], None]:
    """Leaves out one of the three signs by which verdicts are told apart."""
    of_orders = Results._iter_results

    def fewer(results: Results) -> Iterator[tuple[MovementOrder, tuple[Literal, ...]]]:
        for order, signs in of_orders(results):
            yield order, (*signs[:number], FALSE, *signs[number + 1 :])

    return lambda patched: patched.setattr(Results, "_iter_results", fewer)


def without_bar(number: int) -> Callable[[pytest.MonkeyPatch], None]:
    """Leaves out one of the three things that bar a province to all who retreat."""
    bars = Retreats.list_bars

    def fewer(retreats: Retreats, place: str) -> tuple[Literal, ...]:
        return *bars(retreats, place)[:number], *bars(retreats, place)[number + 1 :]

    return lambda patched: patched.setattr(Retreats, "list_bars", fewer)


def every_order_is_valid(patched: pytest.MonkeyPatch) -> None:
    def valid(equations: Equations, candidate: Candidate) -> Literal:
        return TRUE

    patched.setattr(Equations, "is_valid", valid)


def nobody_is_destroyed(patched: pytest.MonkeyPatch) -> None:
    patched.setattr(Retreats, "is_destroyed", lambda retreats, unit: FALSE)


def no_way_leads_out_of_the_region(patched: pytest.MonkeyPatch) -> None:
    places = Retreats.list_places

    def inside(retreats: Retreats, unit: Named) -> Sequence[str]:
        return [place for place in places(retreats, unit) if place in retreats.question.bounds.region]

    patched.setattr(Retreats, "list_places", inside)


def every_way_back_is_open(patched: pytest.MonkeyPatch) -> None:
    def is_open(retreats: Retreats, origin: str, place: str) -> Literal:
        return retreats.question.cnf.all_of(-bar for bar in retreats.list_bars(place))

    patched.setattr(Retreats, "is_open", is_open)


def every_way_back_is_open_where_one_by_convoy_is(patched: pytest.MonkeyPatch) -> None:
    is_open = Retreats.is_open

    def more(retreats: Retreats, origin: str, place: str) -> Literal:
        if retreats.outcome.equations.rules.retreat_to_origin is RetreatToOrigin.BARRED:
            return is_open(retreats, origin, place)
        return retreats.question.cnf.all_of(-bar for bar in retreats.list_bars(place))

    patched.setattr(Retreats, "is_open", more)


MUTANTS: Sequence[tuple[str, Callable[[pytest.MonkeyPatch], None]]] = [
    ("whether an order counts", without_sign(0)),
    ("whether an order is valid", without_sign(1)),
    ("whether an order succeeds", without_sign(2)),
    ("what a unit that stays bars", without_bar(0)),
    ("what a unit that arrives bars", without_bar(1)),
    ("what a standoff bars", without_bar(2)),
    ("4.E.2", every_order_is_valid),
    ("6.H: no retreat", nobody_is_destroyed),
    ("the rest of the map", no_way_leads_out_of_the_region),
    ("6.H.5", every_way_back_is_open),
    ("4.A.5", every_way_back_is_open_where_one_by_convoy_is),
]


@pytest.mark.parametrize(("what", "leave_out"), MUTANTS, ids=[what for what, _ in MUTANTS])
def test_leaving_out_any_part_of_the_formula_shows(
    what: str, leave_out: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out(monkeypatch)
    assert any(is_told(identity, pair, aspect) != differs for identity, pair, aspect, differs in TOLD_APART), what
