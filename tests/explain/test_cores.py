"""Cores are classified by structure: the literature's names on the DATC's cases, and the same on generated boards elsewhere."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import islice
from random import Random
from xml.etree import ElementTree

import networkx
import pytest

from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.cores import (
    ClassifiedCore,
    classify_cores,
    describe_cycle,
    find_cycle,
    is_same_graph,
    make_dependency_graph,
)
from satjudge.judging.judge import judge
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import CoreKind
from satjudge.notation.bundled_cases import find_bundled_case, list_case_files
from satjudge.notation.sheet_reader import load_sheets
from satjudge.show.graphs import draw_cycle, to_dot, to_graphml, to_json
from satjudge.world.board import Board, Unit
from satjudge.world.geography import UnitKind
from satjudge.world.rules import load_rulebook

NAMES = {
    "6.C.1": ["circular movement of 3"],
    "6.C.2": [],
    "6.C.3": [],
    "6.C.4": ["circular movement of 3, 1 by convoy"],
    "6.C.6": ["circular movement of 2, 2 by convoy"],
    "6.E.11": ["circular movement of 2, 1 by convoy"],
    "6.F.14": ["simple paradox"],
    "6.F.15": ["simple paradox"],
    "6.F.16": ["Pandin's paradox"],
    "6.F.17": ["Pandin's extended paradox"],
    "6.F.18": ["betrayal paradox"],
    "6.F.19": [],
    "6.F.22": ["second order paradox with two resolutions"],
    "6.F.23": ["second order paradox with exclusive convoys"],
    "6.F.24": ["second order paradox with no resolution"],
    "6.F.26": ["simple paradox"],
    "6.F.27": ["betrayal paradox", "simple paradox"],
    "6.F.28": ["sixth order paradox with two resolutions"],
    "6.F.29": [],
    "6.G.1": ["circular movement of 2, 1 by convoy"],
    "6.G.5": ["circular movement of 2, 1 by convoy"],
    "6.G.6": ["circular movement of 2, 1 by convoy"],
    "6.G.11": ["simple paradox, army dislodging"],
    "6.G.12": ["circular movement of 2, 2 by convoy"],
}
VARIANT_NAMES = {
    "2.4/7.B.17": ["circular movement of 4, 1 by railroad"],
    "2.4/7.B.24": ["railroad paradox with no resolution"],
    "2.4/7.B.25": ["railroad paradox with 2 resolutions"],
    "2.4/7.C.7": ["circular movement of 4"],
    "2.4/7.C.8": ["canal paradox with no resolution"],
    "2.4/7.C.13": ["canal and convoy paradox with 2 resolutions"],
    "2.4/7.D.1": ["circular movement of 8, 1 by convoy, 1 by railroad"],
    "2.4/7.D.2": ["railroad, canal and convoy paradox with no resolution"],
    "2.4/10.F": ["supports that cut each other over difficult borders"],
}
"""What cores are called that trains, canals and difficult borders make (DATC 2.4, chapters 7 and 10)."""


def _cores(identity: str, engine: Engine = Engine.STAGED) -> list[ClassifiedCore]:
    sheet = find_bundled_case(identity)
    return classify_cores(judge(sheet.board, sheet.orders_by_power(), engine=engine).adjudication)


@pytest.mark.parametrize("identity", VARIANT_NAMES)
def test_cores_that_maps_bring_are_named_and_drawn(identity: str) -> None:
    """Their names, and their nodes: stages of a train, canals."""
    sheet = next(sheet for path in list_case_files() for sheet in load_sheets(path) if sheet.identity == identity)
    cores = classify_cores(judge(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules)).adjudication)
    assert [core.name for core in cores] == VARIANT_NAMES[identity]
    for core in cores:
        kinds = {attributes["label"] for _, attributes in core.graph.nodes(data=True)}
        assert ("stage passed" in kinds) == ("railroad" in core.name)
        assert ("canal" in kinds) == ("canal" in core.name)
        drawn = draw_cycle(core)
        assert all(f'class="node {kind.replace(" ", "-")}"' in drawn for kind in kinds)
        assert all(f"({kind})" in to_dot(core.graph) for kind in kinds)
        assert len(describe_cycle(core)) == len(find_cycle(core))


@pytest.mark.parametrize("engine", [Engine.STAGED, Engine.FULL])
@pytest.mark.parametrize("identity", NAMES)
def test_names_of_the_literature(identity: str, engine: Engine) -> None:
    assert sorted(core.name for core in _cores(identity, engine)) == sorted(NAMES[identity])


def test_kinds_and_orders() -> None:
    (pandin,), (ring,), (sixth,) = _cores("6.F.16"), _cores("6.C.1"), _cores("6.F.28")
    assert (pandin.kind, pandin.order) == (CoreKind.NO_RESOLUTION, 1)
    assert (ring.kind, ring.order) == (CoreKind.CIRCULAR_MOVEMENT, 0)
    assert (sixth.kind, sixth.order) == (CoreKind.SEVERAL_RESOLUTIONS, 6)


def is_same_core(one: ClassifiedCore, other: ClassifiedCore) -> bool:
    return len(one.core.resolutions) == len(other.core.resolutions) and is_same_graph(one.graph, other.graph)


def test_shapes_tell_paradoxes_apart_and_know_them_again() -> None:
    paradoxes = ["6.F.14", "6.F.16", "6.F.17", "6.F.18", "6.F.22", "6.F.23", "6.F.24", "6.F.28"]
    shapes = {identity: _cores(identity)[0].shape for identity in paradoxes}
    assert len(set(shapes.values())) == len(paradoxes)
    assert _cores("6.F.26")[0].shape == shapes["6.F.14"]
    assert is_same_core(_cores("6.F.26")[0], _cores("6.F.14")[0])
    assert not is_same_core(_cores("6.F.16")[0], _cores("6.F.14")[0])


def _random_cores(seed: str, boards: int) -> list[tuple[Board, ClassifiedCore]]:
    random, found = Random(seed), []
    for _ in range(boards):
        board, orders = random_board(random, random.choice([Flavour.CONVOYS, Flavour.CIRCLES]), units=(4, 14))
        found += [(board, core) for core in classify_cores(judge(board, orders).adjudication)]
    return found


def test_shapes_on_generated_boards_are_isomorphism_classes() -> None:
    by_shape: dict[str, list[ClassifiedCore]] = defaultdict(list)
    for _, core in _random_cores("shapes", 400):
        by_shape[core.shape].append(core)
    assert len(by_shape) > 8
    representatives = [cores[0] for cores in by_shape.values()]
    for cores in by_shape.values():
        assert all(is_same_core(core, cores[0]) and core.name == cores[0].name for core in islice(cores, 1, 4))
    for position, one in enumerate(representatives):
        assert not any(is_same_core(one, other) for other in representatives[position + 1 :])


def test_paradoxes_are_recognised_far_from_the_channel() -> None:
    names: dict[str, set[str]] = defaultdict(set)
    for _, core in _random_cores("names", 500):
        names[core.name].update(decision.place.province for decision in core.core.decisions if hasattr(decision, "place"))
    for name in ("simple paradox", "Pandin's paradox", "betrayal paradox"):
        assert len(names[name] - {"ENG", "LON", "NTH", "BEL"}) >= 6, name
    assert not any("first order paradox" in name or "moves and supports" in name for name in names)


def test_a_ring_has_the_shape_of_any_ring_of_its_length() -> None:
    places = {"MOS": "RUSSIA", "UKR": "RUSSIA", "SEV": "TURKEY"}
    far_away = Board(tuple(Unit(power, UnitKind.ARMY, place) for place, power in places.items()))
    orders = {"RUSSIA": ["A MOS - UKR", "A UKR - SEV"], "TURKEY": ["A SEV - MOS"]}
    (ring,) = classify_cores(judge(far_away, orders).adjudication)
    assert ring.shape == _cores("6.C.1")[0].shape


def test_cycle_leads_round() -> None:
    (core,) = _cores("6.F.22")
    ring = find_cycle(core)
    assert len(ring) == len(set(ring)) == 6
    lines = describe_cycle(core)
    assert [line.split("  ")[2] for line in lines] == [line.split("  ")[0] for line in (*lines[1:], lines[0])]
    assert sum("is stopped by" in line for line in lines) == 4


def test_graphs_can_be_taken_away() -> None:
    sheet = find_bundled_case("6.F.14")
    graph = make_dependency_graph(judge(sheet.board, sheet.orders_by_power()).adjudication)
    orders = {attributes["order"] for _, attributes in graph.nodes(data=True)}
    assert orders == {"F LON S F WAL - ENG", "F WAL - ENG", "A BRE - LON", "F ENG C A BRE - LON"}
    read = networkx.parse_graphml(to_graphml(graph))
    assert networkx.is_isomorphic(read, graph)
    assert {node["order"] for node in json.loads(to_json(graph))["nodes"]} == orders
    dot = to_dot(_cores("6.F.14")[0].graph)
    assert dot.count("->") == 3
    assert dot.count("dashed") == 2


def test_circle_as_svg() -> None:
    (core,) = _cores("6.F.22")
    svg = ElementTree.fromstring(draw_cycle(core))
    classes = [element.get("class") or "" for element in svg.iter()]
    assert sum(name.startswith("node") for name in classes) == 6
    assert classes.count("edge") == core.graph.number_of_edges()
    assert classes.count("label") == 6
    assert (svg.findtext("{http://www.w3.org/2000/svg}title") or "").startswith("second order paradox")
    words = {element.text for element in svg.iter() if element.get("class") == "word"}
    assert words == {"convoy", "move", "move support", "needs", "is stopped by"}  # the colours and lines are explained
    assert float(svg.get("viewBox", "").split()[2]) <= 400  # a phone shows it at nearly this width
