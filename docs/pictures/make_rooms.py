"""Draws the rooms of satjudge and what each imports, from the imports themselves: `python docs/pictures/make_rooms.py`.

An arrow says that a room imports another. An arrow that follows from two others is left out. A floor holds the rooms that
import only from the floors below it.
"""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import wrap
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import networkx

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "rooms.svg"
COLUMNS = {
    "apps": 2.0, "env": 0.9, "compat": 0.9, "show": 2.0, "engines": 1.75, "game": 0.0, "bulk": 1.0, "proofs": 3.1, "files": 0.5,
    "search": 1.9, "explain": 1.5, "judging": 1.5, "notation": 1.5, "oracles": 4.0, "world": 2.5, "base": 2.5,
}  # fmt: skip
"""Where a room stands on its floor, so that no arrow runs through another room."""
WIDTH, HEIGHT, ACROSS, DOWN, EDGE = 190, 62, 206, 92, 12
STYLE = """
text { font: 11px system-ui, sans-serif; fill: #444 } .name { font-weight: 600; font-size: 14px; fill: #111 }
rect { fill: #f4f1ea; stroke: #8a7f66 } path { stroke: #8a7f66; fill: none; stroke-width: 1.4 } marker path { fill: #8a7f66 }
@media (prefers-color-scheme: dark) { text { fill: #ccc } .name { fill: #fff } rect { fill: #2b2a27 } }
"""


def imports() -> networkx.DiGraph[str]:
    """Read which room imports which."""
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for path in sorted((ROOT / "satjudge").rglob("*.py")):
        room = path.relative_to(ROOT / "satjudge").parts[0]
        if room in COLUMNS:
            graph.add_node(room)
            graph.add_edges_from((room, other) for other in _rooms_in(path) if other != room)
    return graph


def _rooms_in(path: Path) -> set[str]:
    """Read which rooms a module names in its imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "satjudge":
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name.split(".")[1] for name in names if name.split(".")[1] in COLUMNS}
    return found


def floors(graph: networkx.DiGraph[str]) -> dict[str, int]:
    """Number the floor of each room, 1 for the ground. Raises `NetworkXUnfeasible` where rooms import each other."""
    found: dict[str, int] = {}
    for room in reversed([*networkx.topological_sort(graph)]):
        found[room] = 1 + max((found[other] for other in graph.successors(room)), default=0)
    return found


def drawing() -> str:
    """Draw the rooms as SVG."""
    graph = imports()
    floor = floors(graph)
    top = max(floor.values())
    size = f"0 0 {4 * ACROSS + WIDTH + 2 * EDGE} {(top - 1) * DOWN + HEIGHT + 2 * EDGE}"
    svg = Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=size, role="img")
    SubElement(svg, "title").text = "The rooms of satjudge: each imports only from rooms below it"
    SubElement(svg, "style").text = STYLE
    ends = {"refX": "8", "refY": "4", "markerWidth": "8", "markerHeight": "8", "orient": "auto"}
    SubElement(SubElement(svg, "marker", {"id": "end", **ends}), "path", d="M0,0 L8,4 L0,8 z")
    corner = {room: (EDGE + COLUMNS[room] * ACROSS, EDGE + (top - floor[room]) * DOWN) for room in floor}
    for one, other in sorted(networkx.transitive_reduction(graph).edges):
        (x1, y1), (x2, y2) = corner[one], corner[other]
        line = f"M{x1 + WIDTH / 2:g},{y1 + HEIGHT:g} L{x2 + WIDTH / 2:g},{y2 - 1:g}"
        SubElement(svg, "path", {"d": line, "marker-end": "url(#end)"})
    for room in sorted(corner):
        _draw_room(svg, room, *corner[room])
    indent(svg)
    return tostring(svg, encoding="unicode") + "\n"


def _draw_room(svg: Element, room: str, x: float, y: float) -> None:
    """Draw a box with the name of a room, and the first line of what its `__init__` says."""
    tree = ast.parse((ROOT / "satjudge" / room / "__init__.py").read_text(encoding="utf-8"))
    words = (ast.get_docstring(tree) or "").splitlines()[0].partition(":")[0].rstrip(".")
    SubElement(svg, "rect", x=f"{x:g}", y=f"{y:g}", width=str(WIDTH), height=str(HEIGHT), rx="6")
    SubElement(svg, "text", {"class": "name", "x": f"{x + 10:g}", "y": f"{y + 19:g}"}).text = room
    for row, line in enumerate(wrap(words, 32)[:2]):
        SubElement(svg, "text", x=f"{x + 10:g}", y=f"{y + 36 + 14 * row:g}").text = line


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
