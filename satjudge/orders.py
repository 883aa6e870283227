"""Offers the classes of orders, for programs that look into them: `isinstance(order, satjudge.orders.Move)`."""

from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    Named,
    Order,
    Permission,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unreadable,
)

__all__ = [
    "Build",
    "Convoy",
    "Decline",
    "Disband",
    "Hold",
    "Move",
    "Named",
    "Order",
    "Permission",
    "Remove",
    "Retreat",
    "SupportHold",
    "SupportMove",
    "Unreadable",
]
