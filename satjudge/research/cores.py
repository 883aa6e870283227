"""Cores under the microscope: the graph of what looks at what, its shape, and the name the literature has for it.

A core is recognised by its structure alone: provinces, powers and case numbers play no part. Names are those of DATC 3.2,
6.C, 6.F and 5.D.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import cos, pi, sin
from xml.etree import ElementTree

import networkx

from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Situation, SupportDecision
from satjudge.rules import LandFallback
from satjudge.solve.cores import mention_graph
from satjudge.solve.result import Adjudication, Core, CoreKind

_TABLE_INPUTS = 12


@dataclass(frozen=True)
class ClassifiedCore:
    """A core of a situation with its graph. Nodes are indices of decisions; `label` and `sign` are what its shape is made of.

    An edge leads from a decision to one that it looks at; its sign is `+` if it holds rather where the other holds, `-` if
    rather where the other does not.
    """

    situation: Situation
    core: Core
    graph: networkx.DiGraph

    @cached_property
    def counts(self) -> Counter[type[Decision]]:
        """How many decisions of each sort."""
        return Counter(type(decision) for decision in self.core.decisions)

    @property
    def order(self) -> int:
        """The order of a paradox: how many convoys it has."""
        return self.counts[ConvoyDecision]

    @property
    def kind(self) -> CoreKind:
        """Circular movement, or which sort of paradox."""
        return self.core.kind

    @cached_property
    def name(self) -> str:
        """What the literature calls it."""
        if self.kind is CoreKind.CIRCULAR_MOVEMENT:
            convoyed = sum(_by_convoy(decision) for decision in self.core.decisions)
            how = f", {convoyed} by convoy" if convoyed else ""
            return f"circular movement of {len(self.core.decisions)}{how}"
        if self.kind is CoreKind.ONE_RESOLUTION:
            return f"cyclic dependency of {len(self.core.decisions)} with one resolution"
        if not self.order:
            return "core of moves and supports"
        return _paradox_name(self)

    @cached_property
    def shape(self) -> str:
        """A canonical name of the labelled graph, the same for any two cores of the same shape wherever they are."""
        parts = [f"{count}{letter}" for kind, letter in LETTERS.items() if (count := self.counts[kind])]
        return f"{''.join(parts)}-{len(self.core.resolutions)}r-{graph_digest(self.graph)}"

    def same_shape(self, other: ClassifiedCore) -> bool:
        """Whether the two graphs are isomorphic, labels and signs included."""
        return len(self.core.resolutions) == len(other.core.resolutions) and networkx.is_isomorphic(
            self.graph,
            other.graph,
            node_match=lambda one, two: one["label"] == two["label"],
            edge_match=lambda one, two: one["sign"] == two["sign"],
        )


LETTERS: dict[type[Decision], str] = {ConvoyDecision: "C", MoveDecision: "M", SupportDecision: "S"}
"""How the name of a shape calls the decisions that it counts."""


def graph_digest(graph: networkx.DiGraph) -> str:
    """Eight digits that are the same for isomorphic graphs, by the `label` of each node and the `sign` of each edge."""
    with warnings.catch_warnings():  # networkx tells at every call that 3.5 mended its hashes of directed graphs
        warnings.simplefilter("ignore", UserWarning)
        digest: str = networkx.weisfeiler_lehman_graph_hash(
            graph, node_attr="label", edge_attr="sign", iterations=2 + len(graph), digest_size=4
        )
    return digest


def _paradox_name(core: ClassifiedCore) -> str:
    several = core.kind is CoreKind.SEVERAL_RESOLUTIONS
    if core.order == 1:
        return _first_order_name(core, several)
    rank = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}.get(core.order, f"{core.order}th")
    if not several:
        return f"{rank} order paradox with no resolution"
    mixed = all(len(set(_convoy_values(core, values))) == 2 for values in core.core.resolutions)
    if mixed:
        return f"{rank} order paradox with exclusive convoys"
    number = {2: "two", 3: "three", 4: "four"}.get(len(core.core.resolutions), str(len(core.core.resolutions)))
    return f"{rank} order paradox with {number} resolutions"


def _convoy_values(core: ClassifiedCore, values: Sequence[bool]) -> Iterator[bool]:
    for decision, value in zip(core.core.decisions, values, strict=True):
        if isinstance(decision, ConvoyDecision):
            yield value


def _first_order_name(core: ClassifiedCore, several: bool) -> str:
    """Which of the paradoxes with one convoy (DATC 6.F.14 to 6.F.18).

    The army lands on a unit that supports the attack on its fleet (simple), an attack that keeps another from its fleet
    (Pandin's), or its fleet itself (betrayal); it may threaten to dislodge that unit (extended).
    """
    fleet = next(decision for decision in core.core.decisions if isinstance(decision, ConvoyDecision))
    supports = [decision for decision in core.core.decisions if isinstance(decision, SupportDecision)]
    dislodging = any(move in core.core.decisions for move in fleet.matches)
    if several:
        for_attack = any(not s.supports_hold and s.directed_at is fleet.place for s in supports)
        return ("simple paradox" if for_attack else "first order paradox with two resolutions") + (
            ", army dislodging" if dislodging else ""
        )
    if any(s.supports_hold and s.supported is fleet.place for s in supports):
        return "betrayal paradox"
    if any(not s.supports_hold and s.directed_at is fleet.place for s in supports):
        return "Pandin's extended paradox" if dislodging else "Pandin's paradox"
    return "first order paradox with no resolution"


def _by_convoy(decision: Decision) -> bool:
    """Whether a move goes by convoy, or may do so where that depends on the outcome (4.A.3)."""
    if not isinstance(decision, MoveDecision):
        return False
    if decision.by_land and decision.rules.land_fallback is LandFallback.DISRUPTED:
        return bool(decision.convoys)
    return Reading(()).convoyed(decision)


def label(decision: Decision) -> str:
    """What a decision is, whoever and wherever it is."""
    if isinstance(decision, MoveDecision):
        return "convoyed move" if _by_convoy(decision) else "move"
    if isinstance(decision, SupportDecision):
        return "hold support" if decision.supports_hold else "move support"
    return "convoy"


def classify(adjudication: Adjudication) -> list[ClassifiedCore]:
    """The cores of an adjudication, in the order in which they were settled."""
    found = []
    settled: dict[int, bool] = {}
    for core in adjudication.cores:
        outside = [settled.get(index, value) for index, value in enumerate(adjudication.values)]
        found.append(classify_core(adjudication.situation, core, outside))
        settled |= core.settled
    return found


def classify_core(situation: Situation, core: Core, values: Sequence[bool | None]) -> ClassifiedCore:
    """A core where the decisions outside it have these values (those that are open do not matter to it)."""
    return ClassifiedCore(situation, core, _core_graph(situation, core, values))


def _core_graph(situation: Situation, core: Core, outside: Sequence[bool | None]) -> networkx.DiGraph:
    """The graph of a core, with what is outside it settled."""
    inside = {decision.index for decision in core.decisions}
    values = [None if i in inside else bool(value) for i, value in enumerate(outside)]
    mentions = mention_graph(situation, values, core.decisions)
    graph = networkx.DiGraph()
    for decision in core.decisions:
        graph.add_node(decision.index, label=label(decision), order=str(decision), power=decision.power)
    for index in mentions:
        for other, sign in _signs(situation, values, situation.decisions[index], sorted(mentions.successors(index))):
            graph.add_edge(index, other, sign=sign)
    return graph


def _signs(
    situation: Situation, values: Sequence[bool | None], subject: Decision, inputs: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """The decisions that the subject really looks at, each with whether it speaks for (`+`) or against it (`-`)."""
    trial = [bool(value) for value in values]
    reading = Reading(trial)
    signs: dict[int, set[str]] = {}
    for row in product((False, True), repeat=min(len(inputs), _TABLE_INPUTS)):
        for index, value in zip(inputs, row, strict=False):
            trial[index] = value
        before = statement.decision(reading, subject)
        for other in inputs:
            trial[other] = not trial[other]
            if statement.decision(reading, subject) != before:
                signs.setdefault(other, set()).add("+" if before != trial[other] else "-")
            trial[other] = not trial[other]
    for other in inputs:
        if other in signs:
            yield other, "".join(sorted(signs[other]))


def dependency_graph(adjudication: Adjudication) -> networkx.DiGraph:
    """All decisions of a situation and what their equations mention, nothing folded away, with labels and final values."""
    situation = adjudication.situation
    graph = mention_graph(situation, [None] * len(situation.decisions), situation.decisions)
    cores = {decision.index: number for number, core in enumerate(adjudication.cores, 1) for decision in core.decisions}
    for decision in situation.decisions:
        attributes = graph.nodes[decision.index]
        attributes.update(label=label(decision), order=str(decision), power=decision.power)
        attributes.update(value=adjudication.values[decision.index], core=cores.get(decision.index, 0))
    return graph


def to_graphml(graph: networkx.DiGraph) -> str:
    """The graph as GraphML."""
    lines = networkx.generate_graphml(graph)  # type: ignore[no-untyped-call]
    return "\n".join(lines) + "\n"


def to_json(graph: networkx.DiGraph) -> str:
    """The graph as node-link JSON."""
    data = networkx.node_link_data(graph, edges="edges")  # type: ignore[no-untyped-call]
    return json.dumps(data, indent=2) + "\n"


def to_dot(graph: networkx.DiGraph) -> str:
    """The graph as Graphviz DOT; edges that speak against a decision are dashed."""
    lines = ["digraph cores {", "  node [shape=box];"]
    for index, attributes in graph.nodes(data=True):
        filled = ' style=filled fillcolor="lightgrey"' if attributes.get("core") else ""
        lines.append(f'  n{index} [label="{attributes["order"]}\\n({attributes["label"]})"{filled}];')
    for one, other, attributes in graph.edges(data=True):
        dashed = " [style=dashed]" if attributes.get("sign") == "-" else ""
        lines.append(f"  n{one} -> n{other}{dashed};")
    return "\n".join([*lines, "}"]) + "\n"


def cycle(core: ClassifiedCore) -> list[Decision]:
    """A shortest cycle through the core's first convoy, or its first decision, each looking at the next."""
    convoys = [decision.index for decision in core.core.decisions if isinstance(decision, ConvoyDecision)]
    start = (convoys or [decision.index for decision in core.core.decisions])[0]
    paths = (
        networkx.shortest_path(core.graph, following, start)
        for following in core.graph.successors(start)
        if networkx.has_path(core.graph, following, start)
    )
    indices = [start, *min(paths, key=len)[:-1]]
    return [core.situation.decisions[index] for index in indices]


def cycle_in_words(core: ClassifiedCore) -> list[str]:
    """The cycle as lines: who waits for whom, and whether for its success or its failure."""
    ring = cycle(core)
    lines = []
    for decision, following in zip(ring, [*ring[1:], ring[0]], strict=True):
        sign = core.graph.edges[decision.index, following.index]["sign"]
        wants = {"+": "needs", "-": "is stopped by"}.get(sign, "depends on")
        lines.append(f"{decision}  {wants}  {following}")
    return lines


def cycle_svg(core: ClassifiedCore) -> str:
    """The core's graph on a circle as SVG, its orders numbered and listed below, and a legend: narrow enough for a phone."""
    ring = [decision.index for decision in cycle(core)]
    nodes = [*ring, *(node for node in core.graph if node not in ring)]
    number = {node: place for place, node in enumerate(nodes, start=1)}
    kinds = sorted({core.graph.nodes[node]["label"] for node in nodes})
    radius = min(_RADIUS, 60 + 12 * len(nodes))
    rows = 2 * radius + 3 * _NODE
    legend = rows + _ROW * len(nodes) + _ROW + 12
    box = f"0 0 {_WIDTH} {legend + _ROW * (len(kinds) + 1)}"
    svg = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=box, role="img")
    ElementTree.SubElement(svg, "title").text = f"{core.name}: {'; '.join(cycle_in_words(core))}"
    marker = {"id": "arrow", "viewBox": "0 0 8 8", "refX": "7", "refY": "4", "markerWidth": "8", "markerHeight": "8"}
    arrow = ElementTree.SubElement(ElementTree.SubElement(svg, "defs"), "marker", {**marker, "orient": "auto"})
    ElementTree.SubElement(arrow, "path", d="M0 0 L8 4 L0 8 z", fill="#444")

    def at(node: int) -> tuple[float, float]:
        angle = 2 * pi * (number[node] - 1) / len(nodes)
        return _WIDTH / 2 + radius * sin(angle), radius + 2 * _NODE - radius * cos(angle)

    for one, other, attributes in core.graph.edges(data=True):
        _draw_edge(svg, at(one), at(other), "edge", dashed=attributes["sign"] == "-")
    for node in nodes:
        kind, y = core.graph.nodes[node]["label"], rows + _ROW * number[node]
        _draw_node(svg, at(node), kind, f"node {kind.replace(' ', '-')}", str(number[node]))
        _draw_node(svg, (_LEFT, y), kind, "key", str(number[node]))
        _write(svg, "label", y, core.graph.nodes[node]["order"])
    for place, kind in enumerate(kinds, start=1):
        _draw_node(svg, (_LEFT, legend + _ROW * place), kind, "key")
        _write(svg, "word", legend + _ROW * place, kind)
    for place, (dashed, word) in enumerate([(False, "needs"), (True, "is stopped by")]):
        x, y = _LEFT + 150 * place, legend
        _draw_edge(svg, (x - 24, y), (x + 24, y), "key", dashed=dashed)
        _write(svg, "word", y, word, x + 24)
    return ElementTree.tostring(svg, encoding="unicode")


_WIDTH, _RADIUS, _NODE, _LEFT, _ROW = 400, 150, 11, 24, 26
_COLOURS = {"convoy": "#2a6f97", "move support": "#3b7a3a", "hold support": "#a7c957"}
"""Of the kinds of decisions; moves are red."""


def _draw_edge(
    svg: ElementTree.Element, start: tuple[float, float], end: tuple[float, float], classes: str, *, dashed: bool
) -> None:
    """A bent arrow from the rim of one node to the rim of another."""
    (x1, y1), (x2, y2) = start, end
    across = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = (x2 - x1) / across, (y2 - y1) / across
    rim = _NODE + 3
    path = (
        f"M{x1 + dx * rim:.1f} {y1 + dy * rim:.1f} "
        f"Q{(x1 + x2) / 2 + dy * 8:.1f} {(y1 + y2) / 2 - dx * 8:.1f} {x2 - dx * rim:.1f} {y2 - dy * rim:.1f}"
    )
    drawn = {"class": classes, "d": path, "fill": "none", "stroke": "#444", "marker-end": "url(#arrow)"}
    ElementTree.SubElement(svg, "path", drawn | ({"stroke-dasharray": "4 3"} if dashed else {}))


def _draw_node(svg: ElementTree.Element, place: tuple[float, float], kind: str, classes: str, number: str = "") -> None:
    """A disc in the colour of its kind, with its number."""
    x, y = f"{place[0]:.1f}", f"{place[1]:.1f}"
    disc = {"class": classes, "cx": x, "cy": y, "r": f"{_NODE}", "fill": _COLOURS.get(kind, "#bc4749")}
    ElementTree.SubElement(svg, "circle", disc)
    if number:
        ink = "#000" if kind == "hold support" else "#fff"
        written = {"class": "number", "x": x, "y": f"{place[1] + 4.5:.1f}", "text-anchor": "middle", "font-size": "12.5"}
        ElementTree.SubElement(svg, "text", {**written, "fill": ink}).text = number


def _write(svg: ElementTree.Element, classes: str, y: float, words: str, x: float = _LEFT + 18) -> None:
    """Words to the right of a disc or an arrow."""
    ElementTree.SubElement(svg, "text", {"class": classes, "x": f"{x:g}", "y": f"{y + 4.5:g}", "font-size": "14"}).text = words
