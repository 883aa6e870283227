"""What became of a wish, as plain data."""

from __future__ import annotations

from typing import Any

from satjudge.orders import Hold, MovementOrder
from satjudge.research.guarantee.defeats import Defeat
from satjudge.research.guarantee.refine import Finding
from satjudge.research.guarantee.table import OrderSet, by_power


def verdict(finding: Finding) -> str:
    """In one word."""
    return "undecided" if finding.undecided else "refuted" if finding.orders is None else "guaranteed"


def document(finding: Finding) -> dict[str, Any]:
    """The orders that guarantee the wish, or the replies of which each set of orders loses to one."""
    return {
        "power": finding.table.power,
        "goal": str(finding.table.goal),
        "finding": verdict(finding),
        "orders": None if finding.orders is None else [str(order) for order in finding.orders.values()],
        "defeats": [_defeat(defeat) for defeat in finding.defeats],
    }


def _defeat(defeat: Defeat) -> dict[str, Any]:
    return {
        "orders": [str(order) for order in defeat.own.values()],
        "reply": {power: list(map(str, orders)) for power, orders in by_power(defeat.reply).items()},
        "results": defeat.outcome.results if defeat.outcome else "unresolved",
    }


def moving(orders: OrderSet) -> list[MovementOrder]:
    """The orders but those to hold."""
    return [order for order in orders.values() if not isinstance(order, Hold)]
