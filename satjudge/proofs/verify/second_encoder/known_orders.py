"""Writes the equations of a board with known units and orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from satjudge.proofs.verify.second_encoder.candidates import Candidate
from satjudge.proofs.verify.second_encoder.cnf import FALSE, TRUE, Cnf, Literal
from satjudge.proofs.verify.second_encoder.datc_5b import EncodedOutcome, encode_equations
from satjudge.proofs.verify.second_encoder.railroads import TrainEquations
from satjudge.world.board import Board
from satjudge.world.geography import ProvinceCode
from satjudge.world.orders import MovementOrder, Permission
from satjudge.world.rules import Rulebook


def encode_orders(
    board: Board,
    orders: Mapping[ProvinceCode, MovementOrder],
    rulebook: Rulebook,
    *,
    no_hold_support: Collection[ProvinceCode] = (),
    permissions: Collection[Permission] = (),
) -> tuple[Cnf, EncodedOutcome]:
    """Return a formula whose solutions are the resolutions of legal orders, which are given by the ordered unit's province.

    Also returns the literals of the decisions. The orders must name the true kind, location and coast of their units. A unit
    without an order holds. `no_hold_support`: units that cannot be supported to hold, though they do not move (4.D.9, 4.E.1).
    `permissions`: the legal permissions to pass a canal. Raises `RulebookError` for a rulebook or a map that is not supported.
    """

    def same_power(one: ProvinceCode, other: ProvinceCode) -> Literal:
        units = board.unit_at.get(one), board.unit_at.get(other)
        return TRUE if units[0] and units[1] and units[0].power == units[1].power else FALSE

    trains = {railroad.power: railroad.line for railroad in board.map.railroads}
    closed = [province for power, line in trains.items() for province in line if board.centers.get(province, power) != power]
    cnf = Cnf()
    encoded = encode_equations(
        cnf,
        [Candidate(order, TRUE) for order in orders.values()],
        game_map=board.open_map,
        rulebook=rulebook,
        occupied=dict.fromkeys(board.unit_at, TRUE),
        same_power=same_power,
        no_hold_support=dict.fromkeys(no_hold_support, TRUE),
        permissions=dict.fromkeys(permissions, TRUE),
        equations_class=partial(TrainEquations, closed=closed) if trains else None,
    )
    return cnf, encoded
