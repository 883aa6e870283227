"""A census of random boards: how often each kind of core occurs, where rulebooks part, and whether the claims hold.

Board N of a census is a function of the plan and of N alone, and what is counted are sums and smallest examples, so that
the result is the same however the boards are divided among chunks, processes and interrupted runs.

The claims are Kruijswijk's ("The Math of Adjudication"; DATC 5.B.9, 5.D). A *core* is what `solve.cores` finds: open
decisions that wait for each other and for nothing else open. Each claim is tested on every core or dependency of every
board, under the rulebook that judges:

`a`  A core without a convoy decision that has several resolutions is a circular movement: all its decisions are moves, they
     form one ring (each goes where the next one comes from), and there are two resolutions: all succeed, or none does.
`b`  A core without a convoy decision has a resolution.
`c`  Take the graph in which every decision of the board points to all that its equation mentions, nothing folded away
     (`research.cores.dependency_graph`). A *cyclic dependency* is a strongly connected component of it with a cycle. Give
     every decision outside the component its final value, backup rules included. If then exactly one joint assignment of the
     decisions inside satisfies their equations, the bounds of DATC 5.E (`solve.bounds`), which know just the values
     outside, settle at least one decision inside.
`d`  The same, repeated until bounds settle nothing more: no core of the board has exactly one resolution. This is more than
     `c` says: a core may be a part of a cyclic dependency of which other parts were settled before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import combinations
from random import Random
from typing import TypeVar

import msgspec
import networkx

from satjudge.board import Board, Unit
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Situation, situate
from satjudge.errors import UnresolvedError
from satjudge.geography import Power
from satjudge.legality import Docket, sort_out
from satjudge.orders import MovementOrder
from satjudge.outcome import Outcome
from satjudge.research.boards import MIX, SIZES, Flavour, random_board
from satjudge.research.cores import ClassifiedCore, classify
from satjudge.rules import DEFAULT_RULES, OtherCoreRule, ParadoxFallback, ParadoxRule, Rulebook, load_rulebook, preset_names
from satjudge.solve import Engine, adjudicate
from satjudge.solve.bounds import Values, settle
from satjudge.solve.result import Adjudication, Core

COMPARE_EVERY = 10
KEPT = 50
"""Counterexamples to a claim that are kept: the smallest ones."""

CLAIMS = {
    "a": "a core without convoys that has several resolutions is a circular movement",
    "b": "a core without convoys has a resolution",
    "c": "a cyclic dependency with one resolution holds a decision that bounds settle",
    "d": "no core has exactly one resolution",
}
NOT_EXHAUSTED = "not exhausted"
UNRESOLVED = "unresolved"

Orders = Mapping[Power, Sequence[MovementOrder]]


@dataclass(frozen=True)
class Plan:
    """What a census is of: everything that its result depends on, save the number of boards."""

    seed: int = 1
    units: tuple[int, int] | None = None
    """How many units a board has, from and to; None for a mix of sizes."""
    powers: int = 7
    """A board has units of two to so many powers (of one, if one)."""
    dense_convoys: bool = False
    """Whether all boards are tangles of convoys; otherwise they are of all flavours."""
    rules: str = DEFAULT_RULES
    """The rulebook that judges: a preset or a TOML file."""
    settings: tuple[str, ...] = ()
    """Issues settled otherwise, `4.A.2=all-hold`."""
    compare_every: int = COMPARE_EVERY
    """All preset rulebooks judge every so many boards (0: none), the first among them."""

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook that judges. Raises `RulebookError`."""
        return load_rulebook(self.rules).with_settings(self.settings)

    def draw(self, index: int) -> tuple[Flavour, Board, Orders]:
        """Board `index` with its orders."""
        random = Random(f"{self.seed}:{index}")
        flavour = Flavour.CONVOYS if self.dense_convoys else random.choice(MIX)
        units = self.units or random.choice(SIZES)
        return flavour, *random_board(random, flavour, units, self.powers)

    def compares(self, index: int) -> bool:
        """Whether all rulebooks judge this board."""
        return bool(self.compare_every) and index % self.compare_every == 0

    def described(self) -> dict[str, object]:
        """The plan as plain data, rulebooks spelled out: two censuses of the same description count the same boards alike."""
        presets = [load_rulebook(name).settings() for name in _presets()]
        return {
            "seed": self.seed,
            "units": list(self.units) if self.units else None,
            "powers": self.powers,
            "dense_convoys": self.dense_convoys,
            "rules": self.rulebook.name,
            "settings": self.rulebook.settings(),
            "compare_every": self.compare_every,
            "presets": hashlib.sha256(msgspec.json.encode(presets, order="deterministic")).hexdigest()[:16],
        }


# ---- what is counted: plain data that can be added up in any order and grouping ----


@dataclass(frozen=True, order=True)
class Example:
    """A board of the census. The smallest has the fewest units, and among these comes first."""

    units: int
    board: int


@dataclass(frozen=True, order=True)
class Counterexample:
    """A board on which a claim does not hold, and what of it."""

    units: int
    board: int
    what: str


@dataclass(frozen=True)
class Graph:
    """The graph of a core without its names: a label for each node, and edges with their signs."""

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, str], ...]


@dataclass
class NameTally:
    """How often cores of one name were met, and on how many boards."""

    kind: str
    order: int
    cores: int
    boards: int
    smallest: Example

    def add(self, other: NameTally) -> None:
        """Count the other's cores too."""
        self.cores += other.cores
        self.boards += other.boards
        self.smallest = min(self.smallest, other.smallest)


@dataclass
class ShapeTally:
    """How often cores of one shape were met; with the graph of the smallest example."""

    kind: str
    names: dict[str, int]
    cores: int
    smallest: Example
    graph: Graph

    def add(self, other: ShapeTally) -> None:
        """Count the other's cores too."""
        self.cores += other.cores
        for name, count in other.names.items():
            self.names[name] = self.names.get(name, 0) + count
        if other.smallest < self.smallest:
            self.smallest, self.graph = other.smallest, other.graph


@dataclass
class PairTally:
    """On how many boards two rulebooks leave the units in other places."""

    boards: int
    smallest: Example

    def add(self, other: PairTally) -> None:
        """Count the other's boards too."""
        self.boards += other.boards
        self.smallest = min(self.smallest, other.smallest)


@dataclass
class ClaimTally:
    """How often a claim was put to the test, and where it did not hold."""

    tested: int = 0
    violations: int = 0
    counterexamples: list[Counterexample] = field(default_factory=list)
    """The smallest of them."""

    def add(self, other: ClaimTally) -> None:
        """Count the other's tests too."""
        self.tested += other.tested
        self.violations += other.violations
        self.counterexamples = sorted([*self.counterexamples, *other.counterexamples])[:KEPT]


@dataclass
class Tally:
    """What was counted on some boards of a census."""

    boards: int = 0
    boards_with_cores: int = 0
    unresolved: int = 0
    """Boards that the rulebook has no answer to."""
    resolutions: dict[str, dict[str, int]] = field(default_factory=dict)
    """Boards by flavour and by the number of resolutions of the whole board."""
    names: dict[str, NameTally] = field(default_factory=dict)
    shapes: dict[str, ShapeTally] = field(default_factory=dict)
    ambiguous_shapes: list[str] = field(default_factory=list)
    """Shapes whose name stands for several graphs: their counts are of all of them together."""
    dependencies: dict[str, int] = field(default_factory=dict)
    """Cyclic dependencies by what bounds settle in them, see `claim_c`."""
    claims: dict[str, ClaimTally] = field(default_factory=lambda: {claim: ClaimTally() for claim in CLAIMS})
    compared: int = 0
    """Boards that all preset rulebooks judged."""
    unresolved_by: dict[str, int] = field(default_factory=dict)
    """Of these, how many a rulebook had no answer to."""
    differing: dict[str, PairTally] = field(default_factory=dict)
    """Of these, on how many the units of two rulebooks (`A,B`) end up in other places; no answer is a place of its own."""

    def add(self, other: Tally) -> None:
        """Count the other's boards too."""
        for shape, theirs in other.shapes.items():
            mine = self.shapes.get(shape)
            if mine is not None and not _isomorphic(mine.graph, theirs.graph):
                self.ambiguous_shapes.append(shape)
        self.ambiguous_shapes = sorted({*self.ambiguous_shapes, *other.ambiguous_shapes})
        self.boards += other.boards
        self.boards_with_cores += other.boards_with_cores
        self.unresolved += other.unresolved
        self.compared += other.compared
        for flavour, counts in other.resolutions.items():
            _add_numbers(self.resolutions.setdefault(flavour, {}), counts)
        _add_numbers(self.dependencies, other.dependencies)
        _add_numbers(self.unresolved_by, other.unresolved_by)
        _add_tallies(self.names, other.names)
        _add_tallies(self.shapes, other.shapes)
        _add_tallies(self.differing, other.differing)
        _add_tallies(self.claims, other.claims)

    @property
    def holds(self) -> bool:
        """Whether no claim was found wanting."""
        return not any(claim.violations for claim in self.claims.values())


S = TypeVar("S", NameTally, ShapeTally, PairTally, ClaimTally)


def _add_numbers(mine: dict[str, int], theirs: Mapping[str, int]) -> None:
    for key, count in theirs.items():
        mine[key] = mine.get(key, 0) + count


def _add_tallies(mine: dict[str, S], theirs: Mapping[str, S]) -> None:
    for key, tally in theirs.items():
        if key in mine:
            mine[key].add(tally)
        else:
            mine[key] = deepcopy(tally)


@lru_cache(maxsize=4096)
def _isomorphic(one: Graph, other: Graph) -> bool:
    return one == other or networkx.is_isomorphic(
        _networkx(one),
        _networkx(other),
        node_match=lambda one, two: one["label"] == two["label"],
        edge_match=lambda one, two: one["sign"] == two["sign"],
    )


def _networkx(graph: Graph) -> networkx.DiGraph:
    drawn = networkx.DiGraph()
    drawn.add_nodes_from((number, {"label": label}) for number, label in enumerate(graph.labels))
    drawn.add_edges_from((one, other, {"sign": sign}) for one, other, sign in graph.edges)
    return drawn


def _graph(core: ClassifiedCore) -> Graph:
    number = {node: position for position, node in enumerate(core.graph)}
    edges = sorted((number[one], number[other], sign) for one, other, sign in core.graph.edges(data="sign"))
    return Graph(tuple(label for _, label in core.graph.nodes(data="label")), tuple(edges))


# ---- counting ----


def tally_boards(plan: Plan, indices: Iterable[int]) -> Tally:
    """Count these boards of the census."""
    tally = Tally()
    for index in indices:
        tally.add(tally_board(plan, index))
    return tally


def tally_board(plan: Plan, index: int) -> Tally:
    """Count one board."""
    flavour, board, orders = plan.draw(index)
    example = Example(len(board.units), index)
    docket, adjudication, resolved = judged(board, orders, plan.rulebook)
    number = NOT_EXHAUSTED
    if adjudication is not None and adjudication.resolutions.complete:
        number = str(adjudication.resolutions.count)
    tally = Tally(boards=1, unresolved=int(not resolved), resolutions={flavour: {number: 1}})
    if adjudication is not None:
        _count_cores(tally, classify(adjudication) if adjudication.cores else [], example)
        _test_claims(tally, adjudication, example)
    if plan.compares(index):
        units = Outcome(board, docket, adjudication).units if adjudication is not None and resolved else None
        _compare(tally, board, orders, {plan.rulebook: units}, example)
    return tally


def judged(board: Board, orders: Orders, rulebook: Rulebook) -> tuple[Docket, Adjudication | None, bool]:
    """A board judged, and whether the rulebook had an answer to it all.

    Where it had none, cores that it cannot rule on are settled by others' rules, so that the rest can be looked at as
    well; None is left where the resolutions of a core could not be exhausted.
    """
    docket = sort_out(board, orders, rulebook)
    for candidate in (rulebook, _answering(rulebook)):
        try:
            adjudication = adjudicate(situate(board, docket, candidate), Engine.STAGED)
        except UnresolvedError:
            continue
        return docket, adjudication, candidate is rulebook
    return docket, None, False


@cache
def _answering(rulebook: Rulebook) -> Rulebook:
    """A rulebook with the same equations that has an answer to every core."""
    rule = ParadoxRule.SZYKMAN if rulebook.paradox is ParadoxRule.NONE else rulebook.paradox
    return replace(
        rulebook, paradox=rule, paradox_fallback=ParadoxFallback.SZYKMAN, other_cores=OtherCoreRule.ALL_FAIL
    )


def _count_cores(tally: Tally, cores: Sequence[ClassifiedCore], example: Example) -> None:
    tally.boards_with_cores = int(bool(cores))
    for core in cores:
        kind, name, shape = str(core.kind), core.name, core.shape
        named = NameTally(kind, core.order, 1, int(name not in tally.names), example)
        _add_tallies(tally.names, {name: named})
        one = Tally(shapes={shape: ShapeTally(kind, {name: 1}, 1, example, _graph(core))}, claims={})
        tally.add(one)  # which also compares the graphs


def _compare(
    tally: Tally, board: Board, orders: Orders, known: dict[Rulebook, tuple[Unit, ...] | None], example: Example
) -> None:
    """Judge by all preset rulebooks; two of them differ where the units end up in other places."""
    found: dict[str, tuple[Unit, ...] | None] = {}
    for name in _presets():
        rulebook = load_rulebook(name)
        if rulebook not in known:
            known[rulebook] = final_units(board, orders, rulebook)
        found[name] = known[rulebook]
    tally.compared = 1
    tally.unresolved_by = {name: 1 for name, units in found.items() if units is None}
    for one, other in combinations(found, 2):
        if found[one] != found[other]:
            tally.differing[f"{one},{other}"] = PairTally(1, example)


@cache
def _presets() -> tuple[str, ...]:
    return tuple(preset_names())


def final_units(board: Board, orders: Orders, rulebook: Rulebook) -> tuple[Unit, ...] | None:
    """The units after the moves, dislodged ones left out; None where the rulebook has no answer."""
    docket = sort_out(board, orders, rulebook)
    try:
        return Outcome(board, docket, adjudicate(situate(board, docket, rulebook), Engine.STAGED)).units
    except UnresolvedError:
        return None


# ---- the claims ----


def _test_claims(tally: Tally, adjudication: Adjudication, example: Example) -> None:
    for core in adjudication.cores:
        for claim, holds in claims_on_core(core):
            _count_test(tally, claim, holds, example, [str(decision) for decision in core.decisions])
    for dependency, finding in dependencies(adjudication):
        tally.dependencies[finding] = tally.dependencies.get(finding, 0) + 1
        if finding in ONE_RESOLUTION:
            _count_test(tally, "c", finding != ONE_RESOLUTION[-1], example, [str(decision) for decision in dependency])


def _count_test(tally: Tally, claim: str, holds: bool, example: Example, orders: Sequence[str]) -> None:
    test = ClaimTally(tested=1)
    if not holds:
        test.violations = 1
        test.counterexamples = [Counterexample(example.units, example.board, "; ".join(orders))]
    _add_tallies(tally.claims, {claim: test})


def claims_on_core(core: Core) -> Iterator[tuple[str, bool]]:
    """The claims that are about a core like this one, each with whether it holds."""
    if not any(isinstance(decision, ConvoyDecision) for decision in core.decisions):
        if len(core.resolutions) > 1:
            yield "a", is_circular_movement(core)
        yield "b", bool(core.resolutions)
    yield "d", len(core.resolutions) != 1


def is_circular_movement(core: Core) -> bool:
    """Whether a core is one ring of moves that either all succeed or all fail."""
    count = len(core.decisions)
    moves = {decision.origin.province: decision for decision in core.decisions if isinstance(decision, MoveDecision)}
    start = next(iter(moves), None)
    if len(moves) < count or start is None or set(core.resolutions) != {(True,) * count, (False,) * count}:
        return False
    here, passed = start, set[str]()
    while here in moves and here not in passed:
        passed.add(here)
        here = moves[here].destination.province
    return here == start and len(passed) == count


ONE_RESOLUTION = (
    "one resolution, bounds settle all",
    "one resolution, bounds settle some",
    "one resolution, bounds settle none",
)
"""The findings that claim `c` is about; the last one contradicts it."""
OTHERWISE = "none or several resolutions"


def dependencies(adjudication: Adjudication) -> Iterator[tuple[list[Decision], str]]:
    """The cyclic dependencies of a board, each with a finding of `ONE_RESOLUTION` or `OTHERWISE` (see claim `c` above)."""
    from satjudge.solve.cores import mention_graph

    situation = adjudication.situation
    count = len(situation.decisions)
    graph = mention_graph(situation, [None] * count, situation.decisions)
    left_open = {decision.index for decision in settle(situation, [None] * count)}
    for component in networkx.strongly_connected_components(graph):
        first = next(iter(component))
        if len(component) > 1 or graph.has_edge(first, first):
            inside = [situation.decisions[index] for index in sorted(component)]
            # What bounds settle without knowing what is outside, they settle all the more if they know it.
            finding = _finding(adjudication, component) if component & left_open else ONE_RESOLUTION[0]
            yield inside, finding


def _finding(adjudication: Adjudication, component: set[int]) -> str:
    situation = adjudication.situation
    values: Values = [None if index in component else value for index, value in enumerate(adjudication.values)]
    still_open = {decision.index for decision in settle(situation, values)}
    if not still_open:
        return ONE_RESOLUTION[0]
    if not _has_one_resolution(adjudication, values, still_open):
        return OTHERWISE
    return ONE_RESOLUTION[1] if len(still_open) < len(component) else ONE_RESOLUTION[2]


def _has_one_resolution(adjudication: Adjudication, values: Values, still_open: set[int]) -> bool:
    for core in adjudication.cores:
        if {decision.index for decision in core.decisions} == still_open:
            return len(core.resolutions) == 1
    return _joint_resolutions(adjudication.situation, values, still_open) == 1


def _joint_resolutions(situation: Situation, values: Values, still_open: set[int]) -> int:
    """How many joint assignments of the open decisions satisfy their equations: 0, 1, or 2 for several."""
    from satjudge.solve.cpsat import Model, enumerate_all

    return len(enumerate_all(Model(situation, values, only=still_open).posted(), limit=2).assignments)
