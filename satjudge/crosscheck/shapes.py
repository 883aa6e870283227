"""The shape of a finding: the same for two positions that differ in names only.

Names are those of provinces and powers; whether a unit is an army or a fleet, and what else follows from where it stands,
does not count either.
"""

from __future__ import annotations

from collections import Counter

import networkx

from satjudge.cores import graph_digest
from satjudge.crosscheck.comparison import Compared
from satjudge.geography import province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove

_LETTERS: dict[type[MovementOrder], str] = {Move: "M", SupportMove: "S", SupportHold: "S", Convoy: "C", Hold: "H"}


def shape(compared: Compared) -> str:
    """How many units there are, which orders, and a hash of how all hang together: `4u-2M1S1C-1f0b4c2a`."""
    orders = [order for given in compared.position.orders.values() for order in given]
    counts = Counter(_LETTERS[type(order)] for order in orders)
    parts = "".join(f"{counts[letter]}{letter}" for letter in "MSCH" if counts[letter])
    return f"{len(compared.position.board.units)}u-{parts or '0'}-{graph_digest(drawn(compared))}"


def drawn(compared: Compared) -> networkx.DiGraph:
    """The position as a graph: units, powers, provinces and orders are nodes, and only what they are labels them."""
    graph = networkx.DiGraph()
    of_orders = {found.kind for found in compared.differences if found.number is not None}
    graph.add_node("finding", label="; ".join(sorted(of_orders or compared.kinds)))
    for unit in compared.position.board.units:
        graph.add_node(unit, label="unit")
        _join(graph, unit, ("power", unit.power), "of")
        _join(graph, unit, ("province", unit.province), "in")
    for power, given in compared.position.orders.items():
        for number, order in enumerate(given):
            difference = compared.differing(power, number)
            via = " via" if isinstance(order, Move) and order.via_convoy else ""
            graph.add_node((power, number), label=(difference.kind if difference else type(order).__name__) + via)
            _join(graph, (power, number), ("power", power), "by")
            for sign, place in _places(order).items():
                _join(graph, (power, number), ("province", province_of(place)), sign)
    return graph


def _places(order: MovementOrder) -> dict[str, str]:
    places = {"unit": order.unit.location}
    if isinstance(order, SupportHold | SupportMove):
        places["supported"] = order.supported.location
    if isinstance(order, Convoy):
        places["convoyed"] = order.convoyed.location
    if isinstance(order, Move | SupportMove | Convoy):
        places["to"] = order.destination
    return places


def _join(graph: networkx.DiGraph, one: object, other: tuple[str, str], sign: str) -> None:
    graph.add_node(other, label=other[0])
    graph.add_edge(one, other, sign=sign)
