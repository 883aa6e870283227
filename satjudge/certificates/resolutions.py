"""Certifies that the resolutions of a position are all that there are."""

from __future__ import annotations

from collections.abc import Mapping

from satjudge.board import by_power
from satjudge.certificates.packing import proved, versions
from satjudge.documents import Rules
from satjudge.equations.situation import Situation
from satjudge.errors import InputError
from satjudge.geography import load_map, shipped_maps
from satjudge.orders import MovementOrder
from satjudge.solve.clauses import TRUE, Formula
from satjudge.solve.dimacs import clauses_of
from satjudge.solve.result import Assignment, Resolutions
from satjudge.unknown.encoding import Encoding, UnknownOrders
from satjudge.unknown.same_power import KnownPowers
from satjudge.unknown.universe import Spot
from satjudge.verify.assumptions import LEGALITY
from satjudge.verify.bridge import DEFINED, REQUIRED, bridge
from satjudge.verify.certificate import FORMAT, Certificate, Position, Resolution, ResolutionsClaim
from satjudge.verify.checks import MOVE, TRUTH
from satjudge.verify.named_clauses import Group, NamedClauses
from satjudge.verify.position import ReadPosition
from satjudge.verify.resolution_checks import EXCLUDED, excluded

MOST = 10_000
"""Resolutions that a certificate lists."""


def certify(found: Resolutions, title: str) -> tuple[Certificate, Mapping[str, bytes]]:
    """A certificate that there are no other resolutions, and the files that belong into it.

    Raises `InputError` if not all resolutions are known, or for what the second encoder does not encode.
    """
    if not found.complete or found.count > MOST:
        raise InputError(f"only a complete list of at most {MOST:,} resolutions can be certified; these are {found.count:,}")
    position = position_of(found.situation)
    resolutions = [_resolution(found.situation, values) for values in found.first(found.count)]
    first = first_formula(found, resolutions)
    second, _ = ReadPosition(position).second
    complete, complete_files = proved("no other resolution satisfies the equations", "complete", first)
    bridged, bridge_files = proved("the second encoder's equations imply the first's", "bridge", bridge(second, first))
    certificate = Certificate(
        format=FORMAT,
        claim=ResolutionsClaim(position=position, resolutions=resolutions),
        title=title,
        steps=[complete, bridged],
        assumptions=[LEGALITY],
        versions=versions(),
    )
    return certificate, {**complete_files, **bridge_files}


def position_of(situation: Situation) -> Position:
    """The position as data: units, and the orders that count. Raises `InputError` for maps that a certificate cannot name."""
    board, rulebook = situation.board, situation.rulebook
    if board.map.name not in shipped_maps() or load_map(board.map.name) is not board.map:
        raise InputError(f"certificates are of positions on maps that come with satjudge, and {board.map.name} is none of them")
    if board.map.railroads or board.map.canals:
        raise InputError("no certificate can be written of maps with railroads or canals")
    orders: dict[str, list[str]] = {}
    for decision in situation.order_decisions:
        orders.setdefault(decision.power, []).append(str(decision.order))
    return Position(
        map=board.map.name,
        units=by_power(board.units),
        orders=orders,
        unsupportable=sorted(place.province for place in situation.places.values() if not place.supportable),
        rulebook=Rules(rulebook.name, rulebook.title, rulebook.settings()),
    )


def _resolution(situation: Situation, values: Assignment) -> Resolution:
    return Resolution({str(decision.order): values[decision.index] for decision in situation.order_decisions})


def first_formula(found: Resolutions, resolutions: list[Resolution]) -> NamedClauses:
    """The equations as the first encoder writes them, and that none of the resolutions is the one that is looked for."""
    encoding = encoded(found.situation)
    clauses = clauses_of(encoding.formula)
    required = set(clauses.required)
    moves = {encoding.move(move): f"{MOVE}{move.order}" for move in found.situation.moves}
    names: dict[int, str] = {TRUE: TRUTH, **moves}
    groups = (
        Group(DEFINED, [clause for place, clause in enumerate(clauses.clauses) if place not in required]),
        Group(REQUIRED, [clauses.clauses[place] for place in clauses.required]),
        Group(EXCLUDED, excluded(names, resolutions)),
    )
    return NamedClauses(clauses.size, names, groups)


def encoded(situation: Situation) -> Encoding:
    """The equations of a position as clauses, every order given."""
    units = situation.board.units
    stands = {Spot(unit.kind, unit.location): TRUE for unit in units}
    formula = Formula()
    said: list[MovementOrder] = [decision.order for decision in situation.order_decisions]
    orders = UnknownOrders(
        formula,
        situation,
        guards=[TRUE] * len(situation.decisions),
        said=said,
        stands=stands,
        powers=KnownPowers(formula, stands, {unit.province: unit.power for unit in units}),
        unsupportable={place.province: TRUE for place in situation.places.values() if not place.supportable},
    )
    return orders.resolution()
