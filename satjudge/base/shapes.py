"""Names graphs by a digest that is the same for isomorphic graphs."""

from __future__ import annotations

import warnings

import networkx


def graph_digest(graph: networkx.DiGraph) -> str:
    """Compute eight digits that are the same for isomorphic graphs, by the `label` of each node and the `sign` of each edge."""
    with warnings.catch_warnings():  # networkx tells at every call that 3.5 mended its hashes of directed graphs
        warnings.simplefilter("ignore", UserWarning)
        digest: str = networkx.weisfeiler_lehman_graph_hash(
            graph, node_attr="label", edge_attr="sign", iterations=2 + len(graph), digest_size=4
        )
    return digest
