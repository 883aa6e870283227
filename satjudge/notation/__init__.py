"""Reads and writes orders: `parse_order` reads both notations, `satjudge.notation.write` writes them and order sheets."""

from satjudge.notation.parse import (
    known_orders,
    parse_location,
    parse_order,
    parse_orders,
    parse_power,
    parse_unit,
    told_order,
    told_orders,
)

__all__ = [
    "known_orders",
    "parse_location",
    "parse_order",
    "parse_orders",
    "parse_power",
    "parse_unit",
    "told_order",
    "told_orders",
]
