"""Counts the least number of units of any board with a core, from the shape of the core alone (docs/papers/cores.md)."""

from __future__ import annotations

import networkx

from satjudge.explain.cores import ClassifiedCore
from satjudge.judging.equations.situation import ConvoyDecision


def count_core_units(core: ClassifiedCore) -> int:
    """Count the least number of units of any board with a core of this shape."""
    graph = core.graph
    convoyed = [node for node in graph if _get_label(graph, node) == "convoyed move"]
    without_fleet = sum(not _list_needed_decisions(graph, node, "convoy") for node in convoyed)
    if not any(isinstance(decision, ConvoyDecision) for decision in core.core.decisions):
        return len(graph) + without_fleet
    moves = [node for node in graph if _get_label(graph, node) in ("move", "convoyed move")]
    without_support = sum(not _list_needed_decisions(graph, node, "move support") for node in moves)
    return len(graph) + without_fleet + without_support + _count_outside_armies(graph) + _count_outside_movers(graph)


def _get_label(graph: networkx.DiGraph, node: int) -> str:
    return str(graph.nodes[node]["label"])


def _list_needed_decisions(graph: networkx.DiGraph, node: int, label: str) -> list[int]:
    """List the decisions with this label that a node depends on in its favour."""
    return [other for other in graph[node] if _get_label(graph, other) == label and graph.edges[node, other]["sign"] == "+"]


def _count_outside_armies(graph: networkx.DiGraph) -> int:
    """Count the places where armies land whose convoys are in the core but whose moves are not."""
    places = set()
    for convoy in (node for node in graph if _get_label(graph, node) == "convoy"):
        lookers = set(graph.predecessors(convoy))
        if not any(
            convoy in _list_needed_decisions(graph, node, "convoy") and _get_label(graph, node) == "convoyed move"
            for node in lookers
        ):
            for looker in lookers:  # the support of the unit where the army lands, or a move that goes there
                places |= {looker} if "support" in _get_label(graph, looker) else set(graph.predecessors(looker))
    return len(places)


def _count_outside_movers(graph: networkx.DiGraph) -> int:
    """Count the convoying fleets attacked by a move outside the core that a support in the core helps."""
    attacked = set()
    for support in (node for node in graph if _get_label(graph, node) == "move support"):
        for place in {place for move in graph.predecessors(support) for place in graph.predecessors(move)}:
            into = graph[place]
            if _get_label(graph, place) == "convoy" and all(graph.edges.get((m, support), {}).get("sign") == "-" for m in into):
                attacked.add(place)
    return len(attacked)
