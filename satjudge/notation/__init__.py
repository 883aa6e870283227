"""Text to orders and back: `parse_order` reads both notations, `compact` and `prose` write them."""

from satjudge.notation.parse import known_orders, parse_location, parse_order, parse_power, parse_unit, told_order
from satjudge.notation.write import compact, prose, prose_location, prose_unit

__all__ = [
    "compact",
    "known_orders",
    "parse_location",
    "parse_order",
    "parse_power",
    "parse_unit",
    "prose",
    "prose_location",
    "prose_unit",
    "told_order",
]
