"""Decides which orders count on a board under a rulebook: the order of each unit, and why other orders are rejected.

Legality is as strict as in DATC 3.2 (4.E.1): an order is legal if it is possible on this board, regardless of other orders. An
illegal order is ignored; the first legal order for a unit counts (4.D.3); a unit without one holds.

`waters` and `routes` find routes through fleets, `order_legality` judges one order by itself, `dockets` all orders of a board.
"""

from satjudge.judging.legality.dockets import Docket, iter_legal_forms, judge_orders_alone, make_docket
from satjudge.judging.legality.order_legality import Entry, IllegalOrder, check_coast, check_name, find_fleet_destination
from satjudge.judging.legality.routes import (
    Route,
    is_connected,
    is_on_route,
    iter_coasts_through,
    iter_routes,
    iter_simple_routes,
    list_convoy_coasts,
    list_routes,
)

__all__ = [
    "Docket",
    "Entry",
    "IllegalOrder",
    "Route",
    "check_coast",
    "check_name",
    "find_fleet_destination",
    "is_connected",
    "is_on_route",
    "iter_coasts_through",
    "iter_legal_forms",
    "iter_routes",
    "iter_simple_routes",
    "judge_orders_alone",
    "list_convoy_coasts",
    "list_routes",
    "make_docket",
]
