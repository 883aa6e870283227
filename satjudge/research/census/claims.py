"""The claims that a census tests.

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

from collections.abc import Iterator

import networkx

from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Situation
from satjudge.solve.bounds import Values, settle
from satjudge.solve.result import Adjudication, Core

CLAIMS = {
    "a": "a core without convoys that has several resolutions is a circular movement",
    "b": "a core without convoys has a resolution",
    "c": "a cyclic dependency with one resolution holds a decision that bounds settle",
    "d": "no core has exactly one resolution",
}


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
    left_open = {decision.index for decision in settle(situation, [None] * count).still_open}
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
    still_open = {decision.index for decision in settle(situation, values).still_open}
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
