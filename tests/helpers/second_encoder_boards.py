"""Resolutions by the second encoder (satjudge/proofs/verify/second_encoder) and by satjudge, in one form, to be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

from pysat.solvers import Cadical153

from satjudge.bulk.random_boards.boards import MIX, SIZES, Flavour, random_board, random_phase
from satjudge.judging.judge import resolutions
from satjudge.judging.legality import make_docket
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, EncodedOutcome, Literal, encode_orders
from satjudge.world.board import Board
from satjudge.world.geography import Map, Power, ProvinceCode
from satjudge.world.orders import Move, MovementOrder, Order
from satjudge.world.rules import Rulebook

Resolution: TypeAlias = frozenset[tuple[ProvinceCode, bool]]
"""How each order ended, by the province of its unit: whether the move succeeds, the support is given, the convoy stands."""
Position: TypeAlias = tuple[Board, Mapping[Power, Sequence[Order]]]

MOST = 5000
"""Resolutions of one board; more are a mistake."""


def random_position(seed: object, game_map: Map | None = None) -> Position:
    """A board with orders, some of them illegal; on a map with rules of its own mostly about these."""
    random = Random(str(seed))
    if game_map is not None:
        flavour = random.choice((Flavour.VARIANT, Flavour.VARIANT, Flavour.CONVOYS, Flavour.GENERAL))
        return random_phase(random, flavour, random.choice(SIZES), illegal=random.choice((0, 0, 0.2)), game_map=game_map)
    board, orders = random_board(random, random.choice(MIX), random.choice(SIZES), illegal=random.choice((0, 0, 0.2)))
    return board, orders


def legal_orders_of(
    position: Position, rulebook: Rulebook
) -> tuple[Mapping[ProvinceCode, MovementOrder], frozenset[ProvinceCode]]:
    """The orders that count, in full, and the units that can take no support to hold though they do not move."""
    docket = make_docket(*position, rulebook)
    return docket.orders, docket.unsupportable


def judged(position: Position, rulebook: Rulebook) -> set[Resolution]:
    """All resolutions as satjudge finds them; what it decides beside the orders is left out (whether a canal is passed)."""
    found = resolutions(*position, rulebook=rulebook)
    decisions = found.situation.order_decisions
    return {frozenset((decision.province, values[decision.index]) for decision in decisions) for values in found}


def encoded(position: Position, rulebook: Rulebook) -> set[Resolution]:
    """All resolutions as the second encoder's formula has them; trains, of which satjudge decides stages, are left out."""
    docket = make_docket(*position, rulebook)
    cnf, made = encode_orders(
        position[0],
        docket.orders,
        rulebook,
        no_hold_support=docket.unsupportable,
        permissions=docket.permissions.values(),
    )
    found = [*solutions(cnf, made)]
    trains = {province for province, order in docket.orders.items() if isinstance(order, Move) and order.railroad}
    without = {frozenset((province, value) for province, value in one if province not in trains) for one in found}
    assert len(without) == len(found), "how far a train comes follows from the rest"
    return without


def decisions_of(made: EncodedOutcome) -> Iterator[tuple[Candidate, Literal]]:
    """Every candidate with a decision, and its literal."""
    for decided in (made.moves, made.supports, made.convoys):
        yield from decided.items()


def solutions(
    cnf: Cnf, made: EncodedOutcome, given: Iterable[Literal] = (), only: frozenset[Candidate] | None = None
) -> Iterator[Resolution]:
    """The resolutions of a formula, where `given` literals hold; of the candidates in `only`, where that is said."""
    told = {candidate.province: literal for candidate, literal in decisions_of(made) if only is None or candidate in only}
    with Cadical153(bootstrap_with=[*cnf.definitions, *cnf.requirements, *([literal] for literal in given)]) as solver:
        for _ in range(MOST):
            if not solver.solve():
                return
            model = set(solver.get_model())
            yield frozenset((province, literal in model) for province, literal in told.items())
            decided = [literal for _, literal in decisions_of(made) if literal not in (TRUE, FALSE)]
            solver.add_clause([-literal if literal in model else literal for literal in decided])
    raise AssertionError(f"more than {MOST} resolutions")
