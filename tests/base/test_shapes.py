"""The digest of a graph is networkx's, and needs no networkx."""

from __future__ import annotations

import sys
import warnings
from random import Random

import networkx
import pytest

from satjudge.base.graph_digests import digest, graph_digest


@pytest.mark.parametrize("seed", range(20))
def test_a_digest_is_what_networkx_says(seed: int) -> None:
    random = Random(seed)
    size = random.randint(1, 9)
    graph = networkx.gnp_random_graph(size, random.choice((0.1, 0.3, 0.6)), seed=seed, directed=True)
    for node in graph:
        graph.nodes[node]["label"] = random.choice(("move", "convoy", "support"))
    for edge in graph.edges:
        graph.edges[edge]["sign"] = random.choice(("+", "-", "+-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        theirs = networkx.weisfeiler_lehman_graph_hash(
            graph, node_attr="label", edge_attr="sign", iterations=2 + size, digest_size=4
        )
    assert graph_digest(graph) == theirs


def test_no_networkx_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    ring = {1: {2: "+"}, 2: {1: "-"}}
    turned = {"b": {"a": "+"}, "a": {"b": "-"}}
    assert digest({1: "move", 2: "convoy"}, ring) == digest({"a": "convoy", "b": "move"}, turned)
    assert digest({1: "move", 2: "convoy"}, ring) != digest({1: "convoy", 2: "move"}, ring)
