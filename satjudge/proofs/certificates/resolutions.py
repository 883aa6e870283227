"""Certifies that the resolutions of a position are all that there are."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from satjudge.base.errors import InputError
from satjudge.judging.judge import Judgement
from satjudge.judging.legality import sort_out
from satjudge.judging.legality.sorting import Docket
from satjudge.notation.documents import rules_told
from satjudge.proofs.certificates.packing import Certified, check_shipped, packed, prove_step
from satjudge.proofs.verify.certificate import LEGALITY, ClaimedPosition, Resolution, ResolutionsClaim
from satjudge.proofs.verify.positions import ReadPosition
from satjudge.proofs.verify.resolutions import judges, without_retreats
from satjudge.world.board import by_power

MOST = 10_000
"""The largest number of resolutions that a certificate lists."""


def certify(case: Judgement) -> Certified:
    """Write a certificate that there are no other resolutions, and the files that belong into it.

    Raises `InputError` if not all resolutions are known, or for what the second encoder does not encode.
    """
    found = case.resolutions
    if not found.complete or found.count > MOST:
        raise InputError(f"only a complete list of at most {MOST:,} resolutions can be certified; these are {found.count:,}")
    docket = sort_out(found.situation.board, case.sheet.orders_by_power(), case.rulebook)
    position = ReadPosition(position_of(case, docket))
    decisions = found.situation.order_decisions
    listed = ({str(decision.order): values[decision.index] for decision in decisions} for values in found.first(found.count))
    resolutions = [Resolution(_with_trains(position, succeeds)) for succeeds in listed]
    verdicts = _verdicts(case, docket, position, resolutions)
    claim = ResolutionsClaim(position=position.position, resolutions=resolutions, verdicts=verdicts)
    step = prove_step("no other resolution satisfies the equations", "complete", position.without(resolutions))
    return packed(claim, case.sheet.heading + _left_out(docket), [step], LEGALITY)


def _left_out(docket: Docket) -> str:
    """Write the part of a title about orders that do not count, as the position is without them."""
    illegal = [str(entry.order) for given in docket.entries.values() for entry in given if entry.reason]
    return f"; illegal and left out: {', '.join(illegal)}" if illegal else ""


def _with_trains(position: ReadPosition, succeeds: Mapping[str, bool]) -> dict[str, bool]:
    """Tell for every order whether it succeeds; of trains the equations decide stages, which tell whether they arrive."""
    trains = position.literals.keys() - succeeds.keys()
    solution = position.solution(succeeds) if trains else None
    return {**succeeds, **{train: solution is not None and position.literals[train] in solution for train in trains}}


def position_of(case: Judgement, docket: Docket) -> ClaimedPosition:
    """Write the position as data: units, and the orders that count.

    Raises `InputError` for maps that a certificate cannot name.
    """
    board = case.resolutions.situation.board
    check_shipped(board.map)
    orders: dict[str, list[str]] = {}
    for unit in board.units:
        if unit.province in docket.orders:
            orders.setdefault(unit.power, []).append(str(docket.orders[unit.province]))
    return ClaimedPosition(
        map=board.map.name,
        season=board.turn.season if board.turn and board.open_map is not board.map else None,
        units=by_power(board.units),
        orders=orders,
        permissions=[*map(str, docket.permissions.values())],
        centers=dict(board.centers) if board.map.railroads else {},
        unsupportable=sorted(docket.unsupportable),
        rulebook=rules_told(case.rulebook),
    )


def _verdicts(case: Judgement, docket: Docket, position: ReadPosition, resolutions: list[Resolution]) -> dict[str, str] | None:
    """Return the verdicts on orders that count; None if the rulebook has no answer, or nothing can judge it."""
    if case.outcome is None or not any(judges(position, resolutions)):
        return None
    entries = chain.from_iterable(case.outcome.judged.values())
    judged = {entry.province: without_retreats(str(entry.verdict)) for entry in entries if not entry.reason}
    return {str(order): judged[province] for province, order in docket.orders.items()}
