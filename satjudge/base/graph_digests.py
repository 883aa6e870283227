"""Computes a digest of a graph that is the same for isomorphic graphs.

The digest is that of Weisfeiler and Lehman, as in networkx 3.5 for directed graphs. It is computed here because networkx is
optional, and larger than satjudge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import networkx

Node = TypeVar("Node", bound=Hashable)


def graph_digest(graph: networkx.DiGraph) -> str:
    """Return the `digest` of a networkx graph whose nodes have a `label` and whose edges have a `sign`."""
    signs = {source: {target: edge["sign"] for target, edge in edges.items()} for source, edges in graph.adjacency()}
    return digest(dict(graph.nodes(data="label")), signs)


def digest(labels: Mapping[Node, str], signs: Mapping[Node, Mapping[Node, str]]) -> str:
    """Return eight hexadecimal digits, the same for isomorphic graphs with these node labels and signs of edges (by source)."""
    entering: dict[Node, dict[Node, str]] = {node: {} for node in labels}
    for source, edges in signs.items():
        for target, sign in edges.items():
            entering[target][source] = sign
    counts: list[tuple[str, int]] = []
    for _ in range(2 + len(labels)):
        labels = {
            node: _digits(label + _join_edges(signs.get(node, {}), labels) + _join_edges(entering[node], labels))
            for node, label in labels.items()
        }
        counts += sorted(Counter(labels.values()).items())
    return _digits(str(tuple(counts)))


def _join_edges(edges: Mapping[Node, str], labels: Mapping[Node, str]) -> str:
    """Return one text that joins, sorted, the sign of each edge with the label of the node at its other end."""
    return "".join(sorted(sign + labels[node] for node, sign in edges.items()))


def _digits(text: str) -> str:
    return blake2b(text.encode("ascii"), digest_size=4).hexdigest()
