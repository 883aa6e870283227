"""Whether two answers are the same but for names."""

from __future__ import annotations

import operator

import networkx

from satjudge.geography import province_of
from satjudge.research.search.proposals import Proposal


def alike(one: Proposal, other: Proposal) -> bool:
    """Whether two boards with orders are the same but for the names of provinces and powers."""
    if len(one.board.units) != len(other.board.units):
        return False
    same = {"node_match": operator.eq, "edge_match": operator.eq}
    return bool(networkx.is_isomorphic(_picture(one), _picture(other), **same))


def _picture(proposal: Proposal) -> networkx.DiGraph:
    """Units, the provinces that they are in or speak of, and the powers, with what each has to do with each."""
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
        for node, what in links.items():
            graph.add_node(node, what=node[0])
            graph.add_edge(unit, node, what=what)
    return graph
