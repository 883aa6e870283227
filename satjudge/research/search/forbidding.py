"""What is forbidden in a question because it was proposed before, each as one clause."""

from __future__ import annotations

from satjudge.orders import Hold
from satjudge.research.search.candidates import Spot
from satjudge.research.search.judging import Judged
from satjudge.research.search.model import OrderModel
from satjudge.research.search.proposals import Proposal
from satjudge.solve.clauses import Literal


def forbid(orders: OrderModel, proposal: Proposal) -> None:
    """Ask for another board, other orders, or other powers; a question that does not speak of these orders need not."""
    same = _told(orders, proposal)
    if same is not None:
        units = proposal.board.unit_at
        same += [-literal for province, literal in orders.occupied.items() if province not in units]
        same += [-orders.given.ordered[province] for province in units if isinstance(proposal.by_province[province], Hold)]
        orders.formula.require(*(-literal for literal in same))


def forbid_with_more(orders: OrderModel, proposal: Proposal) -> None:
    """Ask for something else than these units with these orders and perhaps others: that has in it what need not be."""
    same = _told(orders, proposal)
    if same is not None:
        orders.formula.require(*(-literal for literal in same))


def _told(orders: OrderModel, proposal: Proposal) -> list[Literal] | None:
    """That these units stand, of these powers, with these orders; None if there are none of them in the question."""
    units, spots = proposal.board.unit_at, [Spot(unit.kind, unit.location) for unit in proposal.board.units]
    if not (orders.given.literals.keys() >= set(proposal.chosen.values()) and orders.stands.keys() >= set(spots)):
        return None
    same = [orders.stands[spot] for spot in spots] + [orders.given.literals[order] for order in proposal.chosen.values()]
    return same + orders.parties.told({province: unit.power for province, unit in units.items()})


def forbid_long_routes(orders: OrderModel, judged: Judged, longest: int) -> None:
    """Ask that no convoy is ordered over the routes that are too long for the universe."""
    for move in judged.situation.moves:
        for route in move.routes:
            if len(route) > longest:
                orders.formula.require(*(-orders.given.literals[convoy.order] for convoy in route))
