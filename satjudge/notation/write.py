"""Orders to text, in either notation."""

from __future__ import annotations

from satjudge.board import Unit
from satjudge.geography import Location, Map, coast_of, province_of
from satjudge.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    Named,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unreadable,
)


def compact(order: Order) -> str:
    """The order in the compact notation, `"F LON S F WAL - ENG"`."""
    return str(order)


def prose_location(location: Location, game_map: Map) -> str:
    """The full name of a location as the DATC writes it, `"Spain(sc)"`."""
    province = game_map.provinces.get(province_of(location))
    name = province.name if province else province_of(location)
    coast = coast_of(location)
    return f"{name}({coast.lower()})" if coast else name


def prose_unit(unit: Named | Unit, game_map: Map) -> str:
    """The full name of a unit, `"F London"`; an order's nationality is kept, `"French A Paris"`."""
    nationality = unit.power if isinstance(unit, Named) else None
    adjective = game_map.adjectives.get(nationality, nationality) if nationality else None
    parts = (adjective, unit.kind, prose_location(unit.location, game_map))
    return " ".join(str(part) for part in parts if part)


def prose(order: Order, game_map: Map) -> str:
    """The order as the DATC writes it, `"F London Supports F Wales - English Channel"`."""

    def unit(named: Named) -> str:
        return prose_unit(named, game_map)

    def path(*locations: Location) -> str:
        return " - ".join(prose_location(location, game_map) for location in locations)

    match order:
        case Hold():
            return f"{unit(order.unit)} Holds"
        case Move():
            via = " via convoy" if order.via_convoy else ""
            return f"{unit(order.unit)} - {path(*order.route, order.destination)}{via}"
        case SupportHold():
            return f"{unit(order.unit)} Supports {unit(order.supported)}"
        case SupportMove():
            return f"{unit(order.unit)} Supports {unit(order.supported)} - {path(order.destination)}"
        case Convoy():
            return f"{unit(order.unit)} Convoys {unit(order.convoyed)} - {path(*order.route, order.destination)}"
        case Retreat():
            via = " via convoy" if order.via_convoy else ""
            return f"{unit(order.unit)} - {path(order.destination)}{via}"
        case Disband() | Remove():
            return f"Disband {unit(order.unit)}"
        case Build():
            return f"Build {unit(order.unit)}"
        case Decline():
            return "Decline"
        case Unreadable():
            return order.text
