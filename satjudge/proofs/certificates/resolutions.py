"""Certifies that a position has no other resolutions than those listed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from satjudge.base.errors import InputError
from satjudge.judging.judge import Judgement
from satjudge.judging.legality import make_docket
from satjudge.judging.legality.dockets import Docket
from satjudge.notation.documents import describe_rules
from satjudge.proofs.certificates.packing import Certified, check_shipped_map, pack_certificate, prove_step
from satjudge.proofs.verify.certificate import LEGALITY, ClaimedPosition, Resolution, ResolutionsClaim
from satjudge.proofs.verify.positions import ParsedPosition
from satjudge.proofs.verify.resolutions import hide_retreats, iter_verdicts
from satjudge.world.board import by_power

MOST = 10_000
"""The largest number of resolutions that a certificate lists."""


def certify_resolutions(case: Judgement) -> Certified:
    """Write a certificate that no other resolutions exist, with the files that belong to it.

    Raises `InputError` if not all resolutions are known, or if the second encoder cannot encode the position.
    """
    found = case.resolutions
    if not found.complete or found.count > MOST:
        raise InputError(f"only a complete list of at most {MOST:,} resolutions can be certified; these are {found.count:,}")
    docket = make_docket(found.situation.board, case.sheet.orders_by_power(), case.rulebook)
    position = ParsedPosition(make_claimed_position(case, docket))
    decisions = found.situation.order_decisions
    listed = (
        {str(decision.order): values[decision.index] for decision in decisions} for values in found.list_first(found.count)
    )
    resolutions = [Resolution(_add_trains(position, succeeds)) for succeeds in listed]
    verdicts = _derive_verdicts(case, docket, position, resolutions)
    claim = ResolutionsClaim(position=position.position, resolutions=resolutions, verdicts=verdicts)
    step = prove_step(
        "no other resolution satisfies the equations", "complete", position.encode_further_resolution(resolutions)
    )
    return pack_certificate(claim, case.sheet.heading + _format_left_out_orders(docket), [step], LEGALITY)


def _format_left_out_orders(docket: Docket) -> str:
    """Write the part of a certificate's title that lists the illegal orders left out of the position."""
    illegal = [str(entry.order) for given in docket.entries.values() for entry in given if entry.reason]
    return f"; illegal and left out: {', '.join(illegal)}" if illegal else ""


def _add_trains(position: ParsedPosition, succeeds: Mapping[str, bool]) -> dict[str, bool]:
    """Return whether each order succeeds, adding whether trains (moves by railroad) arrive."""
    trains = position.literals.keys() - succeeds.keys()
    solution = position.find_solution(succeeds) if trains else None
    return {**succeeds, **{train: solution is not None and position.literals[train] in solution for train in trains}}


def make_claimed_position(case: Judgement, docket: Docket) -> ClaimedPosition:
    """Write the position as data: units, and the orders that count.

    Raises `InputError` for maps that a certificate cannot name.
    """
    board = case.resolutions.situation.board
    check_shipped_map(board.map)
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
        rulebook=describe_rules(case.rulebook),
    )


def _derive_verdicts(
    case: Judgement, docket: Docket, position: ParsedPosition, resolutions: list[Resolution]
) -> dict[str, str] | None:
    """Return the verdicts on orders that count; None if the rulebook has no answer, or no judge supports the orders."""
    if case.outcome is None or not any(iter_verdicts(position, resolutions)):
        return None
    entries = chain.from_iterable(case.outcome.judged.values())
    judged = {entry.province: hide_retreats(str(entry.verdict)) for entry in entries if not entry.reason}
    return {str(order): judged[province] for province, order in docket.orders.items()}
