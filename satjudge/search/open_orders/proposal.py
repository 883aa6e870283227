"""Defines proposals (boards with orders) and the two loops that answer all questions about unknown orders.

`find_accepted` proposes, judges and learns. `find_minimal_subset` removes unnecessary parts.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from satjudge.base.values import brief, replace
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Convoy, Hold, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import Mistake

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Proposal:
    """A board, an order for each of its units, and in `chosen` the meaning key of each order except holds."""

    board: Board
    by_province: Mapping[ProvinceCode, MovementOrder]
    chosen: Mapping[ProvinceCode, object]

    __repr__ = brief

    @property
    def orders(self) -> dict[Power, list[MovementOrder]]:
        """The orders by power, each power's orders in the sequence of its units on the board."""
        return group_pairs((unit.power, self.by_province[unit.province]) for unit in self.board.units)

    def remove_units_and_orders(self, units: Collection[ProvinceCode], orders: Collection[ProvinceCode]) -> Proposal:
        """Return the proposal without units in the provinces `units`, and with holds for units in the provinces `orders`."""
        left = tuple(unit for unit in self.board.units if unit.province not in units)
        given = {
            unit.province: make_hold(unit) if unit.province in orders else self.by_province[unit.province] for unit in left
        }
        chosen = {place: order for place, order in self.chosen.items() if place in given and place not in orders}
        return Proposal(replace(self.board, units=left), given, chosen)


def complete_order(order: MovementOrder, board: Board, *rulebooks: Rulebook) -> MovementOrder:
    """Return the order with units named by kind and location, and with a foreign unit's power if a rulebook requires it."""
    unit = board.unit_at[order.unit.province].named
    match order:
        case SupportHold() | SupportMove():
            return replace(order, unit=unit, supported=_complete_unit(order.supported, unit, board, rulebooks))
        case Convoy():
            return replace(order, unit=unit, convoyed=_complete_unit(order.convoyed, unit, board, rulebooks))
    return replace(order, unit=unit)


def _complete_unit(unit_name: Named, helper: Named, board: Board, rulebooks: Iterable[Rulebook]) -> Named:
    """Return the full name of a unit that `helper` supports or convoys, with its power if a rulebook requires it (4.C.5)."""
    unit = board.unit_at[unit_name.province]
    foreign = unit.power != board.unit_at[helper.province].power
    must_say = foreign and any(rulebook.missing_nationality is Mistake.ILLEGAL for rulebook in rulebooks)
    return Named(unit.kind, unit.location, unit.power if must_say else None)


def make_hold(unit: Unit) -> Hold:
    """Return an order for the unit to hold."""
    return Hold(unit.named)


def is_isomorphic(one: Proposal, other: Proposal) -> bool:
    """Return whether two boards with orders are the same apart from the province names and powers."""
    if len(one.board.units) != len(other.board.units):
        return False
    import networkx

    same = {"node_match": operator.eq, "edge_match": operator.eq}
    return bool(networkx.is_isomorphic(_make_isomorphism_graph(one), _make_isomorphism_graph(other), **same))


def isomorphism_digest(proposal: Proposal) -> str:
    """Return a hash that is the same for boards with orders that differ only in the province names and powers."""
    import networkx

    with warnings.catch_warnings():  # networkx warns at every call that version 3.5 changed the hashes of directed graphs
        warnings.simplefilter("ignore", UserWarning)
        return str(networkx.weisfeiler_lehman_graph_hash(_make_isomorphism_graph(proposal), edge_attr="what", node_attr="what"))


def _make_isomorphism_graph(proposal: Proposal) -> networkx.DiGraph:
    """Return a graph of a proposal's units, orders, provinces and powers, without the province names and powers."""
    import networkx

    graph = networkx.DiGraph()
    for unit in proposal.board.units:
        order = proposal.by_province[unit.province]
        graph.add_node(unit, what=(str(unit.kind), type(order).__name__, getattr(order, "via_convoy", False)))
        links = {("in", unit.province): "stands", ("of", unit.power): "belongs"}
        supported = getattr(order, "supported", None) or getattr(order, "convoyed", None)
        if supported is not None:
            links["in", supported.province] = "helps"
        if (destination := getattr(order, "destination", None)) is not None:
            links["in", province_of(destination)] = "goes"
        for node, kind in links.items():
            graph.add_node(node, what=node[0])
            graph.add_edge(unit, node, what=kind)
    return graph


P = TypeVar("P")
O = TypeVar("O")  # noqa: E741


def find_accepted(propose: Callable[[], P | None], judge: Callable[[P], O | None], learn: Callable[[O], None]) -> P | None:
    """Return the first proposal to which `judge` has no objection, which `learn` else gets; None if `propose` has no more.

    `learn` receives each objection, and must ensure that later proposals avoid it.
    """
    while (proposal := propose()) is not None:
        objection = judge(proposal)
        if objection is None:
            return proposal
        learn(objection)
    return None


def find_minimal_subset(elements: Iterable[P], still_holds: Callable[[list[P]], bool], *, in_one_pass: bool = True) -> list[P]:
    """Remove elements one by one while `still_holds` of the others, again and again unless `in_one_pass`; return the rest.

    One pass is enough if the property is monotone; otherwise passes repeat until nothing more can be dropped.
    """
    subset, before = list(elements), -1
    while before != len(subset):
        before = len(subset)
        for thing in list(subset):
            rest = [other for other in subset if other is not thing]
            if still_holds(rest):
                subset = rest
        if in_one_pass:
            break
    return subset
