"""How few units a core can have: counted from its graph alone, so that it holds of every core of the shape, anywhere.

Every decision of a core is the order of a unit of its own. The units that these orders cannot do without come on top.

*Circular movement*: a convoyed move needs a fleet that convoys it.

*A core with a convoy.* Its moves go to units that support or convoy, and are looked at by these orders alone, so each can
dislodge the unit at its destination (docs/search.md, cores with a convoy). As a unit that stays holds with at least 1,

- every move is supported: by a support in the core, which it then looks at in its favour, or by one outside;
- every convoyed move has a fleet: one in the core, which it looks at likewise, or one outside;
- every convoy has an army. Whoever looks at the convoy but that army's move is, or attacks, the unit where it lands, and
  armies that land in two places are two;
- every support of a move has that move. If all moves into the province of a convoy look at the support, and against
  themselves, it supports another move, a fleet's, which is outside.

All these have different orders, so they are different units.
"""

from __future__ import annotations

import networkx

from satjudge.equations.situation import ConvoyDecision
from satjudge.research.cores import ClassifiedCore


def least_units(core: ClassifiedCore) -> int:
    """No board with a core of this shape has fewer units."""
    graph = core.graph
    convoyed = [node for node in graph if _label(graph, node) == "convoyed move"]
    without_fleet = sum(not _favoured(graph, node, "convoy") for node in convoyed)
    if not any(isinstance(decision, ConvoyDecision) for decision in core.core.decisions):
        return len(graph) + without_fleet
    moves = [node for node in graph if _label(graph, node) in ("move", "convoyed move")]
    without_support = sum(not _favoured(graph, node, "move support") for node in moves)
    return len(graph) + without_fleet + without_support + _armies_outside(graph) + _movers_outside(graph)


def _label(graph: networkx.DiGraph, node: int) -> str:
    return str(graph.nodes[node]["label"])


def _favoured(graph: networkx.DiGraph, node: int, label: str) -> list[int]:
    """The decisions with this label that it needs."""
    return [other for other in graph[node] if _label(graph, other) == label and graph.edges[node, other]["sign"] == "+"]


def _armies_outside(graph: networkx.DiGraph) -> int:
    """In how many places armies land whose convoys are in the core, but not their moves."""
    places = set()
    for convoy in (node for node in graph if _label(graph, node) == "convoy"):
        lookers = set(graph.predecessors(convoy))
        if not any(convoy in _favoured(graph, node, "convoy") and _label(graph, node) == "convoyed move" for node in lookers):
            places |= {place for node in lookers for place in _landing(graph, node)}
    return len(places)


def _landing(graph: networkx.DiGraph, looker: int) -> list[int]:
    """The unit where an army lands, by who looks at its convoy: that unit's support, or a move that goes there."""
    return [looker] if "support" in _label(graph, looker) else list(graph.predecessors(looker))


def _movers_outside(graph: networkx.DiGraph) -> int:
    """How many convoying fleets are attacked by a move that a support in the core is for, but that is outside."""
    attacked = set()
    for support in (node for node in graph if _label(graph, node) == "move support"):
        for place in {place for move in graph.predecessors(support) for place in graph.predecessors(move)}:
            into = graph[place]
            if _label(graph, place) == "convoy" and all(graph.edges.get((m, support), {}).get("sign") == "-" for m in into):
                attacked.add(place)
    return len(attacked)
