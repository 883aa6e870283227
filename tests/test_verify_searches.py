"""Certificates of searches: the boards that they speak of are all that there are, and what is not right any more is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest
from brute_search import legal_orders, proposals
from pysat.solvers import Cadical153

from satjudge.board import Board, Unit
from satjudge.geography import load_map
from satjudge.judge import resolutions
from satjudge.notation import parse_order, parse_unit
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.research.boards import Flavour, random_board
from satjudge.rules import Rulebook, load_rulebook, preset_names
from satjudge.unknown.universe import Universe, spots_of
from satjudge.verify.open_boards import ORDER, SAME_POWER, UNIT, Bounds, OpenBoards
from satjudge.verify.searches import DIFFERING_CONVOYS, NONE, SEVERAL, Case, formula
from satjudge.verify.second_encoder import Cnf

MAP = load_map()


def bounds(region: str, most: int, rulebook: Rulebook) -> Bounds:
    return Bounds(MAP, frozenset(region.split()), most, None, rulebook)


def universe(within: Bounds) -> Universe:
    """The same boards, for brute force."""
    region = within.region
    return Universe(within.rulebook, spots=spots_of(MAP, region), region=region, longest_route=9, map=MAP)


def told_of(within: Bounds, board: Board, orders: Iterable[MovementOrder]) -> Iterator[str]:
    """The names of the variables that are true of a board with legal orders."""
    yield from (f"{UNIT}{unit.kind} {unit.location}" for unit in board.units)
    for order in orders:
        match order:
            case Hold():
                continue
            case SupportHold(unit, supported):
                yield f"{ORDER}{SupportHold(unit, Named(None, supported.province))}"
            case SupportMove(unit, supported, destination):
                yield f"{ORDER}{SupportMove(unit, Named(None, supported.province), destination)}"
            case Move(unit, destination, via_convoy=True):
                by_land = destination in MAP.army[unit.location]
                by_sea = (unit.province, destination) in OpenBoards(Cnf(), within).routes
                yield f"{ORDER}{Move(unit, destination, by_land and by_sea)}"
            case _:
                yield f"{ORDER}{order}"


def legal_boards(within: Bounds) -> Iterator[frozenset[str]]:
    """Every board with legal orders, as the second encoder has it."""
    cnf = Cnf()
    boards = OpenBoards(cnf, within)
    boards.require_legal()
    told = {literal: name for literal, name in cnf.names.items() if name.startswith((UNIT, ORDER))}
    with Cadical153(bootstrap_with=[*cnf.definitions, *cnf.requirements]) as solver:
        while solver.solve():
            model = set(solver.get_model())
            yield frozenset(name for literal, name in told.items() if literal in model)
            solver.add_clause([-literal if literal in model else literal for literal in told])


REGIONS = {"BRE ENG WAL": 3, "GAS POR SPA MAO": 2, "BOT FIN STP": 3, "ADR ALB ION TUN": 3}
"""Where there are convoys, coasts, and (in the last one) a fleet that is superfluous; with how many units."""


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 8))])
def test_the_boards_with_legal_orders_are_those_that_are_drawn_up(region: str, part: int) -> None:
    """Each region under one of the eight rulebooks; `slow` takes all."""
    rulebook = load_rulebook(preset_names()[([*REGIONS].index(region) + part) % 8])
    within = bounds(region, REGIONS[region], rulebook)
    found = [*legal_boards(within)]
    assert len(found) == len(set(found)) > 200
    assert set(found) == {
        frozenset(told_of(within, proposal.board, proposal.by_province.values()))
        for proposal in proposals(universe(within), within.most)
    }


# ---- goals: boards are put to a formula, and taken from it ----

WIDE = "DEN HEL LON NTH NWY SKA SWE"


class Asked:
    """A formula for the case of a goal."""

    def __init__(self, within: Bounds, case: Case) -> None:
        self.within = within
        clauses = formula(within, case)
        self.literals = {name: literal for literal, name in clauses.names.items()}
        self.solver = Cadical153(bootstrap_with=clauses.clauses)

    def holds_of(self, board: Board, orders: Iterable[MovementOrder]) -> bool:
        """Whether a board with legal orders satisfies it."""
        told = set(told_of(self.within, board, orders))
        powers = {unit.province: unit.power for unit in board.units}
        given = [literal if name in told else -literal for name, literal in self.of(UNIT, ORDER)]
        return self.solver.solve([*given, *self.of_powers(powers)]) is True

    def of_powers(self, powers: dict[str, str]) -> Iterator[int]:
        """What is so if the units in these provinces are of these powers."""
        for name, literal in self.of(SAME_POWER):
            one, other = (powers.get(province) for province in name.split()[1:])
            if one and other:
                yield literal if one == other else -literal

    def of(self, *kinds: str) -> list[tuple[str, int]]:
        """The variables whose names begin so."""
        return [(name, literal) for name, literal in self.literals.items() if name.startswith(kinds)]

    def boards(self, random: Random, number: int) -> Iterator[tuple[Board, dict[str, list[MovementOrder]]]]:
        """Some boards that satisfy it. In each province whatever stands there is of a power drawn before."""
        for _ in range(number):
            powers = {province: random.choice("ABC") for province in sorted(self.within.region)}
            some = [literal for _, literal in self.of(ORDER) if random.random() < 0.01]
            while not self.solver.solve([*self.of_powers(powers), *some]):
                if not some:
                    break
                some.pop()
            else:
                model = set(self.solver.get_model())
                true = [name for name, literal in self.literals.items() if literal in model]
                units = [name.removeprefix(UNIT) for name in true if name.startswith(UNIT)]
                board = Board(tuple(parse_unit(unit, powers[unit[2:5]], MAP) for unit in units))
                orders: dict[str, list[MovementOrder]] = {}
                for name in true:
                    if name.startswith(ORDER):
                        order = parse_order(name.removeprefix(ORDER), MAP)
                        assert isinstance(order, MovementOrder)
                        orders.setdefault(powers[order.unit.province], []).append(order)
                yield board, orders


def truth(board: Board, orders: dict[str, list[MovementOrder]], rulebook: Rulebook) -> dict[str, bool]:
    """Which cases a board has, as all its resolutions have them."""
    found = resolutions(board, orders, rulebook=rulebook)
    convoys = [decision for decision in found.situation.order_decisions if isinstance(decision.order, Convoy)]
    given = [order for of_one in orders.values() for order in of_one if isinstance(order, Move)]
    taken = [
        decision.index
        for decision in convoys
        if any((move.unit.province, move.destination) == (decision.order.convoyed.province, decision.order.destination) for move in given)
    ]
    ends = {tuple(values[index] for index in taken) for values in found}
    return {NONE.text: found.count == 0, SEVERAL.text: found.count > 1, DIFFERING_CONVOYS.text: len(ends) > 1}
