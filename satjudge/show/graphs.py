"""Writes graphs of decisions: as GraphML, Graphviz DOT or JSON, and the cycle of a core as an SVG picture."""

from __future__ import annotations

import json
from math import cos, pi, sin
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from satjudge.explain.cores import ClassifiedCore, describe_cycle, find_cycle, label_decision

if TYPE_CHECKING:
    import networkx

_WIDTH, _RADIUS, _NODE, _LEFT, _ROW = 400, 150, 11, 24, 26
_COLOURS = {
    "convoy": "#2a6f97",
    "move support": "#3b7a3a",
    "hold support": "#a7c957",
    "stage tried": "#b8a1cf",
    "stage passed": "#5e3c77",
    "canal": "#e9c46a",
}
_LIGHT = ("hold support", "stage tried", "canal")
"""The kinds of decisions that have light discs with black numbers."""


def to_graphml(graph: networkx.DiGraph) -> str:
    """Return a graph of decisions as GraphML."""
    import networkx

    lines = networkx.generate_graphml(graph)  # type: ignore[no-untyped-call]
    return "\n".join(lines) + "\n"


def to_json(graph: networkx.DiGraph) -> str:
    """Return a graph of decisions as node-link JSON."""
    import networkx

    data = networkx.node_link_data(graph, edges="edges")  # type: ignore[no-untyped-call]
    return json.dumps(data, indent=2) + "\n"


def to_dot(graph: networkx.DiGraph) -> str:
    """Return a graph of decisions as Graphviz DOT; a dashed edge means that the decision at its end stops that at its start."""
    lines = ["digraph cores {", "  node [shape=box];"]
    for index, attributes in graph.nodes(data=True):
        filled = ' style=filled fillcolor="lightgrey"' if attributes.get("core") else ""
        lines.append(f'  n{index} [label="{attributes["order"]}\\n({attributes["label"]})"{filled}];')
    for one, other, attributes in graph.edges(data=True):
        dashed = " [style=dashed]" if attributes.get("sign") == "-" else ""
        lines.append(f"  n{one} -> n{other}{dashed};")
    return "\n".join([*lines, "}"]) + "\n"


def draw_cycle(core: ClassifiedCore) -> str:
    """Draw a core's decisions on a circle, with arrows to those that each depends on, a list of orders and a legend, as SVG."""
    ring = [decision.index for decision in find_cycle(core)]
    nodes = [*ring, *(decision.index for decision in core.core.decisions if decision.index not in ring)]
    number = {node: place for place, node in enumerate(nodes, start=1)}
    decisions = {decision.index: decision for decision in core.core.decisions}
    kinds = sorted(set(map(label_decision, decisions.values())))
    radius = min(_RADIUS, 60 + 12 * len(nodes))
    rows = 2 * radius + 3 * _NODE
    legend = rows + _ROW * len(nodes) + _ROW + 12
    box = f"0 0 {_WIDTH} {legend + _ROW * (len(kinds) + 1)}"
    svg = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=box, role="img")
    ElementTree.SubElement(svg, "title").text = f"{core.name}: {'; '.join(describe_cycle(core))}"
    marker = {"id": "arrow", "viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "8", "markerHeight": "8"}
    arrow = ElementTree.SubElement(ElementTree.SubElement(svg, "defs"), "marker", {**marker, "orient": "auto"})
    ElementTree.SubElement(arrow, "path", d="M0 0 L8 4 L0 8 z", fill="#444")

    def place_node(node: int) -> tuple[float, float]:
        angle = 2 * pi * (number[node] - 1) / len(nodes)
        return _WIDTH / 2 + radius * sin(angle), radius + 2 * _NODE - radius * cos(angle)

    for one, looked_at in core.signs.items():
        for other, sign in looked_at.items():
            _draw_edge(svg, place_node(one), place_node(other), "edge", dashed=sign == "-")
    for node in nodes:
        kind, y = label_decision(decisions[node]), rows + _ROW * number[node]
        _draw_node(svg, place_node(node), kind, f"node {kind.replace(' ', '-')}", str(number[node]))
        _draw_node(svg, (_LEFT, y), kind, "key", str(number[node]))
        _write_words(svg, "label", y, str(decisions[node]))
    for place, kind in enumerate(kinds, start=1):
        _draw_node(svg, (_LEFT, legend + _ROW * place), kind, "key")
        _write_words(svg, "word", legend + _ROW * place, kind)
    for place, (dashed, word) in enumerate([(False, "needs"), (True, "is stopped by")]):
        x, y = _LEFT + 150 * place, legend
        _draw_edge(svg, (x - 24, y), (x + 24, y), "key", dashed=dashed)
        _write_words(svg, "word", y, word, x + 24)
    return ElementTree.tostring(svg, encoding="unicode")


def _draw_edge(
    svg: ElementTree.Element, start: tuple[float, float], end: tuple[float, float], classes: str, *, dashed: bool
) -> None:
    """Add a bent arrow to an SVG drawing, from the rim of the disc around `start` to the rim of the one around `end`."""
    (x1, y1), (x2, y2) = start, end
    across = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = (x2 - x1) / across, (y2 - y1) / across
    rim = _NODE + 3
    path = (
        f"M{x1 + dx * rim:.1f} {y1 + dy * rim:.1f} "
        f"Q{(x1 + x2) / 2 + dy * 8:.1f} {(y1 + y2) / 2 - dx * 8:.1f} {x2 - dx * rim:.1f} {y2 - dy * rim:.1f}"
    )
    attributes = {"class": classes, "d": path, "fill": "none", "stroke": "#444", "marker-end": "url(#arrow)"}
    ElementTree.SubElement(svg, "path", attributes | ({"stroke-dasharray": "4 3"} if dashed else {}))


def _draw_node(svg: ElementTree.Element, place: tuple[float, float], kind: str, classes: str, number: str = "") -> None:
    """Add a disc at a place, in the colour of its kind of decision, and perhaps a number on it, to an SVG drawing."""
    x, y = f"{place[0]:.1f}", f"{place[1]:.1f}"
    disc = {"class": classes, "cx": x, "cy": y, "r": f"{_NODE}", "fill": _COLOURS.get(kind, "#bc4749")}
    ElementTree.SubElement(svg, "circle", disc)
    if number:
        ink = "#000" if kind in _LIGHT else "#fff"
        written = {"class": "number", "x": x, "y": f"{place[1] + 4.5:.1f}", "text-anchor": "middle", "font-size": "12.5"}
        ElementTree.SubElement(svg, "text", {**written, "fill": ink}).text = number


def _write_words(svg: ElementTree.Element, classes: str, y: float, words: str, x: float = _LEFT + 18) -> None:
    """Add a line of text to an SVG drawing, at the height `y`, by default to the right of the discs of the list."""
    ElementTree.SubElement(svg, "text", {"class": classes, "x": f"{x:g}", "y": f"{y + 4.5:g}", "font-size": "14"}).text = words
