"""Defines orders as frozen values; an order need not be legal, and its unit need not exist.

Movement: `Hold`, `Move`, `SupportHold`, `SupportMove`, `Convoy`, and also `Permission`. Retreat: `Retreat`,
`Disband`. Adjustment: `Build`, `Remove`, `Decline`. `Unreadable` is a text that is none of these.

`str(order)` is the order in the compact notation; its `repr` is valid Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind, province_of


class Named(Struct, frozen=True, gc=False):
    """A unit as an order names it; kind and nationality may be left out, or wrong (DATC 4.C)."""

    kind: UnitKind | None
    location: Location
    power: Power | None = None

    @property
    def province(self) -> ProvinceCode:
        """The province of the location that the order names for the unit."""
        return province_of(self.location)

    def __str__(self) -> str:
        if self.kind and self.location and self.power is None:  # the usual case
            return f"{self.kind} {self.location}"
        return " ".join(part for part in (self.power, self.kind, self.location) if part)


class Hold(Struct, frozen=True, gc=False):
    """An order to a unit to stay where it is and, on maps that allow it, perhaps to become the other kind."""

    unit: Named
    becomes: Named | None = None

    def __str__(self) -> str:
        return f"{self.unit} T {self.becomes}" if self.becomes else f"{self.unit} H"


class Move(Struct, frozen=True, gc=False):
    """An order to a unit to move, an army perhaps by convoy.

    `route` has the seas of a convoy path that the order names (DATC 4.A.6). `railroad` is the name of the railroad by which an
    army goes, or "" (DATC 2.4, 7.B).
    """

    unit: Named
    destination: Location
    via_convoy: bool = False
    route: tuple[Location, ...] = ()
    railroad: str = ""

    def __str__(self) -> str:
        if not self.route and not self.railroad:
            return f"{self.unit} - {self.destination} VIA" if self.via_convoy else f"{self.unit} - {self.destination}"
        railroad = (self.railroad,) if self.railroad else ()
        path = " - ".join((str(self.unit), *railroad, *self.route, self.destination))
        return f"{path} VIA" if self.via_convoy else path


class SupportHold(Struct, frozen=True, gc=False):
    """An order to a unit to support another unit's hold."""

    unit: Named
    supported: Named

    def __str__(self) -> str:
        return f"{self.unit} S {self.supported}"


class SupportMove(Struct, frozen=True, gc=False):
    """An order to a unit to support the move of another unit."""

    unit: Named
    supported: Named
    destination: Location

    def __str__(self) -> str:
        return f"{self.unit} S {self.supported} - {self.destination}"


class Convoy(Struct, frozen=True, gc=False):
    """An order to a fleet to convoy an army."""

    unit: Named
    convoyed: Named
    destination: Location
    route: tuple[Location, ...] = ()

    def __str__(self) -> str:
        return f"{self.unit} C {' - '.join((str(self.convoyed), *self.route, self.destination))}"


class Permission(Struct, frozen=True, gc=False):
    """A permission by the holder of a canal to a fleet of any power to pass the canal (DATC 2.4, 7.C).

    `unit` is that fleet.
    """

    canal: str
    unit: Named
    destination: Location

    def __str__(self) -> str:
        return f"{self.canal} {self.unit} - {self.destination}"


class Retreat(Struct, frozen=True, gc=False):
    """An order to a dislodged unit to retreat.

    No unit can retreat `via_convoy` or by `railroad`, but an order may say so (option 4.E.1.via).
    """

    unit: Named
    destination: Location
    via_convoy: bool = False
    railroad: str = ""

    def __str__(self) -> str:
        path = f"{self.unit} R {self.railroad} {self.destination}" if self.railroad else f"{self.unit} R {self.destination}"
        return f"{path} VIA" if self.via_convoy else path


class Disband(Struct, frozen=True, gc=False):
    """An order to take a dislodged unit off the board."""

    unit: Named

    def __str__(self) -> str:
        return f"{self.unit} D"


class Build(Struct, frozen=True, gc=False):
    """An order to build a new unit in a home supply centre."""

    unit: Named

    def __str__(self) -> str:
        return f"{self.unit} B"


class Remove(Struct, frozen=True, gc=False):
    """An order to take a unit off the board because its power has too many."""

    unit: Named

    def __str__(self) -> str:
        return f"{self.unit} D"


class Decline(Struct, frozen=True, gc=False):
    """An order that declines a build (DATC 4.D.7), which is also called waiving."""

    def __str__(self) -> str:
        return "WAIVE"


class Unreadable(Struct, frozen=True, gc=False):
    """An unreadable text, kept as an illegal order with the reason.

    `unit` is the unit that it orders (with the location "" if not even that can be read). `moves` is true if it begins like a
    move, as `A MUN - Switzerland` does, whose destination is not on the map (DATC 2.4, 4.E.1 a; guide, VII).
    """

    text: str
    problem: str
    unit: Named = Named(None, "")
    moves: bool = False

    def __str__(self) -> str:
        return self.text


MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
RetreatOrder: TypeAlias = Retreat | Disband
AdjustmentOrder: TypeAlias = Build | Remove | Decline
Order: TypeAlias = MovementOrder | Permission | RetreatOrder | AdjustmentOrder | Unreadable
Orders: TypeAlias = Mapping[Power, Sequence[Order]]
"""The orders of each power, as values."""
MovementOrders: TypeAlias = Mapping[Power, Sequence[MovementOrder]]
"""The orders of each power in a movement phase, all of which can be read."""


def places_named(order: Order) -> tuple[Location, ...]:
    """Return all locations that an order names, in the order of its text."""
    match order:
        case Move():
            return (order.unit.location, *order.route, order.destination)
        case Hold(becomes=Named() as becomes):
            return (order.unit.location, becomes.location)
        case SupportHold():
            return (order.unit.location, order.supported.location)
        case SupportMove():
            return (order.unit.location, order.supported.location, order.destination)
        case Convoy():
            return (order.unit.location, order.convoyed.location, *order.route, order.destination)
        case Retreat() | Permission():
            return (order.unit.location, order.destination)
        case Decline():
            return ()
        case _:
            return (order.unit.location,) if order.unit.location else ()


def replace_orders(earlier: Iterable[Order], later: Iterable[Order]) -> list[Order]:
    """Return the `earlier` orders to units without a later one, followed by the last of the `later` orders to each unit."""
    last: dict[object, Order] = {}
    for order in later:
        subject = subject_of(order)
        last.pop(subject, None)
        last[subject] = order
    return [*(order for order in earlier if subject_of(order) not in last), *last.values()]


def same_unit(one: Order, other: Order) -> bool:
    """Return whether two orders are to the same unit, or about the same centre or canal; False for waived builds."""
    return subject_of(one) == subject_of(other)


def subject_of(order: Order) -> object:
    """Return a key equal for orders to one unit, or about one centre or canal; unique for a waived build or an unknown unit."""
    if isinstance(order, Permission):
        return Permission, order.canal
    if isinstance(order, Decline) or not order.unit.location:
        return object()
    return order.unit.province
