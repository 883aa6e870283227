"""Text to orders: `parse_order` reads the compact and the prose notation. `notation.write` writes orders and sheets."""

from satjudge.notation.parse import known_orders, parse_location, parse_order, parse_power, parse_unit, told_order

__all__ = ["known_orders", "parse_location", "parse_order", "parse_power", "parse_unit", "told_order"]
