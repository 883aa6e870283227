"""Defines the claims that a census tests and the counts that it keeps, which add up in any order and grouping.

The claims are Kruijswijk's ("The Math of Adjudication"; DATC 5.B.9, 5.D). A *core*, found by `solve.cores`, is a set of open
decisions that depend on each other and on no other open decision. Claims about cores are tested on every core of every board.
The claim about dependencies is tested on the boards that all rulebooks judge, under the rulebook of the census:

`a`  A core without a convoy decision that has several resolutions is a circular movement: all its decisions are moves, they
     form one ring (each goes where the next one comes from), and there are two resolutions: all succeed, or none does.
`b`  A core without a convoy decision has a resolution.
`c`  Take the graph in which every decision of the board points to all that its equation mentions before any simplification
     (`satjudge.explain.cores.make_dependency_graph`). A *cyclic dependency* is a strongly connected component with a cycle.
     Give every decision outside the component its final value, backup rules included. If then exactly one joint assignment of
     the decisions inside satisfies their equations, the bounds of DATC 5.E (`solve.bounds`), which know just the values
     outside, settle at least one decision inside.
`d`  The same, repeated until bounds settle nothing more: no core of the board has exactly one resolution. This is stronger
     than `c`, since a core may be a part of a cyclic dependency whose other parts were settled before.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from satjudge.base.values import brief
from satjudge.explain.cores import ClassifiedCore, is_same_graph
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, Situation
from satjudge.judging.solve import Engine, adjudicate
from satjudge.judging.solve.bounds import Values, settle
from satjudge.judging.solve.cores import find_cyclic_components, find_mentions
from satjudge.judging.solve.result import Adjudication, Core

if TYPE_CHECKING:
    import networkx

CLAIMS = {
    "a": "a core without convoys that has several resolutions is a circular movement",
    "b": "a core without convoys has a resolution",
    "c": "a cyclic dependency with one resolution holds a decision that bounds settle",
    "d": "no core has exactly one resolution",
}


def test_core_claims(core: Core) -> Iterator[tuple[str, bool]]:
    """Yield the letter of each claim about cores of this kind, and whether the claim holds for this core."""
    if not any(isinstance(decision, ConvoyDecision) for decision in core.decisions):
        if len(core.resolutions) > 1:
            yield "a", is_circular_movement(core)
        yield "b", bool(core.resolutions)
    yield "d", len(core.resolutions) != 1


def is_circular_movement(core: Core) -> bool:
    """Return whether a core is one ring of moves that either all succeed or all fail."""
    count = len(core.decisions)
    moves = {decision.origin.province: decision for decision in core.decisions if isinstance(decision, MoveDecision)}
    start = next(iter(moves), None)
    if len(moves) < count or start is None or set(core.resolutions) != {(True,) * count, (False,) * count}:
        return False
    province, passed = start, set[str]()
    while province in moves and province not in passed:
        passed.add(province)
        province = moves[province].destination.province
    return province == start and len(passed) == count


ONE_RESOLUTION = (
    "one resolution, bounds settle all",
    "one resolution, bounds settle some",
    "one resolution, bounds settle none",
)
"""The findings to which claim `c` applies; the last one contradicts it."""
OTHERWISE = "none or several resolutions"


def list_dependencies(situation: Situation, adjudication: Adjudication | None = None) -> Iterator[tuple[list[Decision], str]]:
    """Yield each cyclic dependency of a board as its decisions, with one of the findings in `ONE_RESOLUTION`, or `OTHERWISE`.

    The adjudication is needed only if bounds leave a decision open; if it is not passed, it is computed.
    """
    nothing: Values = [None] * len(situation.decisions)
    graph = find_mentions(situation, nothing, situation.decisions)
    left_open = {decision.index for decision in settle(situation, nothing).still_open}
    if left_open:
        adjudication = adjudication or adjudicate(situation, Engine.STAGED)
    for component in find_cyclic_components(graph):
        inside = [situation.decisions[index] for index in sorted(component)]
        # Decisions that bounds settle without the values outside are also settled with them.
        left = adjudication if component & left_open else None
        yield inside, _classify_dependency(left, component) if left else ONE_RESOLUTION[0]


def _classify_dependency(adjudication: Adjudication, component: set[int]) -> str:
    situation = adjudication.situation
    values: Values = [None if index in component else value for index, value in enumerate(adjudication.values)]
    still_open = {decision.index for decision in settle(situation, values).still_open}
    if not still_open:
        return ONE_RESOLUTION[0]
    if not _has_one_resolution(adjudication, values, still_open):
        return OTHERWISE
    return ONE_RESOLUTION[1] if len(still_open) < len(component) else ONE_RESOLUTION[2]


def _has_one_resolution(adjudication: Adjudication, values: Values, still_open: set[int]) -> bool:
    """Return whether exactly one joint assignment of the open decisions satisfies their equations."""
    from satjudge.judging.solve.cpsat_model import Model, enumerate_all

    for core in adjudication.cores:
        if {decision.index for decision in core.decisions} == still_open:
            return len(core.resolutions) == 1
    return (
        len(enumerate_all(Model(adjudication.situation, values, open_indices=still_open).with_equations(), limit=2).assignments)
        == 1
    )


KEPT = 50
"""The largest number of counterexamples to a claim that are kept, the smallest first."""


@dataclass(frozen=True, order=True)
class Example:
    """A board of the census; the smallest example has the fewest units and, among these, the lowest number."""

    units: int
    board: int


@dataclass(frozen=True, order=True)
class Counterexample(Example):
    """A board on which a claim does not hold, with the decisions that contradict the claim."""

    what: str


@dataclass(frozen=True)
class Graph:
    """The graph of a core without the names of its nodes: a label for each node, and edges with their signs."""

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, str], ...]


@dataclass
class NameTally:
    """The number of cores of one name, and of boards with such cores."""

    kind: str
    order: int
    cores: int
    boards: int
    smallest: Example

    def add(self, other: NameTally) -> None:
        """Add the counts of another tally to this one, and keep the smaller example of both."""
        self.cores += other.cores
        self.boards += other.boards
        self.smallest = min(self.smallest, other.smallest)


@dataclass
class ShapeTally:
    """The number of cores of one shape, with the graph of the smallest example."""

    kind: str
    names: dict[str, int]
    cores: int
    smallest: Example
    graph: Graph

    def add(self, other: ShapeTally) -> None:
        """Add the counts of another tally to this one, and keep the smaller example of both with its graph."""
        self.cores += other.cores
        add_by_name(self.names, other.names)
        if other.smallest < self.smallest:
            self.smallest, self.graph = other.smallest, other.graph


@dataclass
class BoardTally:
    """The number of boards on which something occurred, with the smallest one."""

    boards: int
    smallest: Example

    def add(self, other: BoardTally) -> None:
        """Add the counts of another tally to this one, and keep the smaller example of both."""
        self.boards += other.boards
        self.smallest = min(self.smallest, other.smallest)


@dataclass
class ClaimTally:
    """The number of tests of a claim, with its counterexamples."""

    tested: int = 0
    violations: int = 0
    counterexamples: list[Counterexample] = field(default_factory=list)
    """The smallest counterexamples."""

    def add(self, other: ClaimTally) -> None:
        """Add the counts of another tally to this one, and keep the smallest counterexamples of both."""
        self.tested += other.tested
        self.violations += other.violations
        self.counterexamples = sorted([*self.counterexamples, *other.counterexamples])[:KEPT]


@dataclass
class Tally:
    """The counts of a census on some boards: how many have paradox cores, differ between rulebooks, and so on."""

    boards: int = 0
    boards_with_cores: int = 0
    unresolved: int = 0
    """The number of boards to which the rulebook has no answer."""
    resolutions: dict[str, dict[str, int]] = field(default_factory=dict)
    """The number of boards by flavour and by the number of resolutions of the whole board."""
    names: dict[str, NameTally] = field(default_factory=dict)
    shapes: dict[str, ShapeTally] = field(default_factory=dict)
    ambiguous_shapes: list[str] = field(default_factory=list)
    """The shapes whose name means several graphs, which are counted together."""
    dependencies: dict[str, int] = field(default_factory=dict)
    """The number of cyclic dependencies, by how many of their decisions bounds settle (claim `c` above)."""
    claims: dict[str, ClaimTally] = field(default_factory=lambda: {claim: ClaimTally() for claim in CLAIMS})
    compared: int = 0
    """The number of boards that all preset rulebooks judged."""
    unresolved_by: dict[str, int] = field(default_factory=dict)
    """The number of compared boards to which each rulebook has no answer."""
    differing: dict[str, BoardTally] = field(default_factory=dict)
    """The number of compared boards on which two rulebooks (`A,B`) leave units in different places, or one has no answer."""

    __repr__ = brief

    def add(self, other: Tally) -> None:
        """Add the counts of another tally to this one."""
        for shape, found in other.shapes.items():
            self.add_shape(shape, found)
        self.ambiguous_shapes = sorted({*self.ambiguous_shapes, *other.ambiguous_shapes})
        apart = ("ambiguous_shapes", "shapes")
        add_by_name(vars(self), {name: counts for name, counts in vars(other).items() if name not in apart})

    def add_shape(self, shape: str, shape_tally: ShapeTally) -> None:
        """Add the tally of a shape to this one, and record the shape as ambiguous if its name means different graphs."""
        mine = self.shapes.get(shape)
        if mine is not None and not _is_isomorphic(mine.graph, shape_tally.graph):
            self.ambiguous_shapes = sorted({*self.ambiguous_shapes, shape})
        add_by_name(self.shapes, {shape: shape_tally})

    @property
    def holds(self) -> bool:
        """True if no claim has a counterexample."""
        return not any(claim.violations for claim in self.claims.values())


def add_by_name(mine: dict[str, Any], theirs: Mapping[str, Any]) -> None:
    """Add the counts of `theirs` to `mine`, name by name: numbers, tallies, sorted lists, or mappings of these."""
    for key, tally in theirs.items():
        if key not in mine:
            mine[key] = deepcopy(tally)
        elif isinstance(tally, int):
            mine[key] += tally
        elif isinstance(tally, dict):
            add_by_name(mine[key], tally)
        elif isinstance(tally, list):
            for one in tally:  # few, compared with those in `mine`
                insort(mine[key], one)
        else:
            mine[key].add(tally)


@lru_cache(maxsize=4096)
def _is_isomorphic(one: Graph, other: Graph) -> bool:
    return one == other or is_same_graph(_make_networkx_graph(one), _make_networkx_graph(other))


def _make_networkx_graph(graph: Graph) -> networkx.DiGraph:
    import networkx

    digraph = networkx.DiGraph()
    digraph.add_nodes_from((number, {"label": label}) for number, label in enumerate(graph.labels))
    digraph.add_edges_from((one, other, {"sign": sign}) for one, other, sign in graph.edges)
    return digraph


def make_core_graph(core: ClassifiedCore) -> Graph:
    """Return the graph of a core with numbers in place of its decisions."""
    number = {node: position for position, node in enumerate(core.graph)}
    edges = sorted((number[one], number[other], sign) for one, other, sign in core.graph.edges(data="sign"))
    return Graph(tuple(label for _, label in core.graph.nodes(data="label")), tuple(edges))
