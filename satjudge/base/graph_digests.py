"""Names graphs by a digest that is the same for isomorphic graphs.

The digest is that of Weisfeiler and Lehman, as in networkx 3.5 for directed graphs. It is computed here because networkx is
larger than satjudge, and optional.
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
    """Return `digest` of a networkx graph, by the `label` of each node and the `sign` of each edge."""
    signs = {one: {other: edge["sign"] for other, edge in edges.items()} for one, edges in graph.adjacency()}
    return digest(dict(graph.nodes(data="label")), signs)


def digest(labels: Mapping[Node, str], signs: Mapping[Node, Mapping[Node, str]]) -> str:
    """Return eight hexadecimal digits from node labels and from edge signs (source to target), equal for isomorphic graphs."""
    entering: dict[Node, dict[Node, str]] = {node: {} for node in labels}
    for one, edges in signs.items():
        for other, sign in edges.items():
            entering[other][one] = sign
    counts: list[tuple[str, int]] = []
    for _ in range(2 + len(labels)):
        labels = {
            node: _digits(label + _join_edges(signs.get(node, {}), labels) + _join_edges(entering[node], labels))
            for node, label in labels.items()
        }
        counts += sorted(Counter(labels.values()).items())
    return _digits(str(tuple(counts)))


def _join_edges(edges: Mapping[Node, str], labels: Mapping[Node, str]) -> str:
    """Return the sorted pairs of each edge's sign and the label of the node at its other end, as one text."""
    return "".join(sorted(sign + labels[node] for node, sign in edges.items()))


def _digits(text: str) -> str:
    return blake2b(text.encode("ascii"), digest_size=4).hexdigest()
