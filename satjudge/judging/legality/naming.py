"""Resolves how orders name units and coasts: mistakes that the rulebook forgives, and gaps that it fills (DATC 4.B, 4.C)."""

from __future__ import annotations

from collections.abc import Sequence

from satjudge.judging.legality.tracked_reads import TrackedPosition
from satjudge.world.board import Unit
from satjudge.world.geography import Location, Map, UnitKind, coast_of, province_of
from satjudge.world.orders import Named
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import CoastOmitted, ImpossibleCoast, Mistake, OnlyCoastOmitted, SupportCoast


class IllegalOrder(Exception):  # noqa: N818  # illegal orders are no errors
    """An error for an order that can be read but is impossible here.

    It carries the reason, and never leaves the package.
    """


def check_name(game_map: Map, rules: Rulebook, named: Named, unit: Unit) -> None:
    """Raise `IllegalOrder` if the rulebook does not forgive how an order names a unit (4.B.5, 4.B.6, 4.C.1, 4.C.2)."""
    if named.kind is None and rules.missing_kind is Mistake.ILLEGAL:
        raise IllegalOrder(f"is the unit in {named.location} an army or a fleet? (4.C.1)")
    if named.kind not in (None, unit.kind) and rules.wrong_kind is Mistake.ILLEGAL:
        raise IllegalOrder(f"{named} is really {unit} (4.C.2)")
    check_coast(game_map, rules, unit.kind, named.location)
    known = coast_of(named.location) in game_map.provinces[unit.province].coasts
    if known and unit.kind is UnitKind.FLEET and named.location != unit.location and rules.wrong_coast is Mistake.ILLEGAL:
        raise IllegalOrder(f"{named} is really {unit} (4.B.5)")


def check_coast(game_map: Map, rules: Rulebook, kind: UnitKind, location: Location) -> None:
    """Raise `IllegalOrder` if the rulebook does not forgive a coast that does not exist, or an army's (4.B.6)."""
    unknown = coast_of(location) and (
        kind is UnitKind.ARMY or coast_of(location) not in game_map.provinces[province_of(location)].coasts
    )
    if unknown and rules.unknown_coast is Mistake.ILLEGAL:
        raise IllegalOrder(f"{location} names a coast that there is not for this unit (4.B.6)")


def fleet_destination(game_map: Map, origin: Location, destination: Location, rules: Rulebook) -> Location:
    """Find the location that a fleet ordered to `destination` moves to, its coast filled in or changed as the rulebook has it.

    Raises (as illegal) where none is possible, two are (4.B.1), or the named coast is not (4.B.3).
    """
    province = game_map.provinces[province_of(destination)]
    reachable = game_map.fleet_reach[origin].get(province.code, ())
    if not reachable:
        raise IllegalOrder(f"a fleet cannot move from {origin} to {destination} (6.A.3, 6.A.9)")
    if coast_of(destination) in province.coasts:
        if destination in reachable:
            return destination
        if rules.impossible_coast is ImpossibleCoast.ILLEGAL:
            raise IllegalOrder(f"a fleet in {origin} can reach {' '.join(reachable)}, not {destination} (4.B.3)")
        return reachable[0]
    if len(reachable) > 1:
        if rules.coast_omitted is CoastOmitted.DEFAULT:
            return province.default_location
        raise _without_coast(destination, reachable, "4.B.1")
    if province.coasts and rules.only_coast_omitted is not OnlyCoastOmitted.POSSIBLE:
        default = rules.only_coast_omitted is OnlyCoastOmitted.DEFAULT
        if not default or province.default_location not in reachable:
            raise _without_coast(destination, reachable, "4.B.2")
    return reachable[0]


def supported_destination(position: TrackedPosition, helper: Unit, supported: Unit, destination: Location) -> Location:
    """Find the destination of the supported fleet: the coast that the support names, else any it can reach (4.B.4)."""
    province = position.map.provinces[province_of(destination)]
    reachable = position.map.fleet_reach[supported.location].get(province.code, ())
    choice = position.rules.support_coast
    named = destination if coast_of(destination) in province.coasts and choice is not SupportCoast.IGNORED else province.code
    if not reachable or (named != province.code and named not in reachable):
        raise IllegalOrder(f"{supported} cannot move to {named} (6.D.22, 6.D.23)")
    if named != province.code or not province.coasts:
        return named
    both = len(reachable) > 1
    position.depends_on_more |= choice is SupportCoast.OWN  # at its power
    if choice is SupportCoast.DEFAULT:
        if province.default_location not in reachable:
            raise IllegalOrder(f"{supported} cannot move to {province.default_location} (4.B.4)")
        return province.default_location
    if (
        choice is SupportCoast.MANDATORY
        or (choice is SupportCoast.MANDATORY_IF_TWO and both)
        or (choice is SupportCoast.OWN and both and helper.power != supported.power)
    ):
        raise _without_coast(destination, reachable, "4.B.4")
    return named


def _without_coast(named: Location, reachable: Sequence[Location], issue: str) -> IllegalOrder:
    """The reason for an order that names no coast where it must, or one that there is not (which counts as none, 4.B.6)."""
    wrong = f"there is no {named}, and " if coast_of(named) else ""
    return IllegalOrder(f"{wrong}the coast must be named: {' or '.join(reachable)} ({issue})")
