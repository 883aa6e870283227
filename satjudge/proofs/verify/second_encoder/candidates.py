"""Defines possible orders, and which of them match (DATC 3.2, 4.E.2: a legal order without a match is invalid)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from satjudge.proofs.verify.second_encoder.cnf import Literal
from satjudge.world.geography import Location, ProvinceCode, UnitKind, coast_of, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import SupportCoast


@dataclass(frozen=True, eq=False)
class Candidate:
    """A legal order that names its unit's true kind, location and coast, and the literal that is true if it is given.

    A candidate has no power: the equations only ask whether two units belong to the same power. Candidates are equal only if
    they are the same object.
    """

    order: MovementOrder
    given: Literal

    @property
    def location(self) -> Location:
        """The location where the unit stands."""
        return self.order.unit.location

    @cached_property
    def province(self) -> ProvinceCode:
        """The province where the unit stands."""
        return self.order.unit.province

    @property
    def is_fleet(self) -> bool:
        """Return whether the unit is a fleet."""
        return self.order.unit.kind is UnitKind.FLEET

    @cached_property
    def destination(self) -> ProvinceCode:
        """The province to which a move goes, or to which a support or convoy order says that the other unit goes."""
        assert isinstance(self.order, Move | SupportMove | Convoy)
        return province_of(self.order.destination)


def is_support_of_move(support: Candidate, move: Candidate, rulebook: Rulebook) -> bool:
    """Return whether a support is for this move: origin and destination match, and so do coasts as far as 4.B.4 demands."""
    order, supported = support.order, move.order
    if not isinstance(order, SupportMove) or not isinstance(supported, Move) or support.province == move.province:
        return False
    if (order.supported.province, support.destination) != (move.province, move.destination):
        return False
    named_coast, wanted_coast = coast_of(order.destination), coast_of(supported.destination)
    if rulebook.support_coast is SupportCoast.IGNORED or not wanted_coast:
        return True
    return named_coast == wanted_coast or (not named_coast and rulebook.support_coast is not SupportCoast.MANDATORY)


def is_convoy_of(convoy: Candidate, move: Candidate) -> bool:
    """Return whether a convoy order is for this move: it names an army's origin and destination as the move does (4.E.2)."""
    if not isinstance(convoy.order, Convoy) or not isinstance(move.order, Move) or move.is_fleet:
        return False
    return (convoy.order.convoyed.province, convoy.destination) == (move.province, move.destination)
