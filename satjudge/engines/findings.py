"""Shrinks the boards on which two engines differ, one by one, and merges findings of the same shape.

Positions have the same shape if they differ only in the province names and powers, or in whether units are armies or
fleets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, zip_longest
from time import monotonic
from typing import TYPE_CHECKING

from satjudge.base.errors import OracleLostError
from satjudge.base.graph_digests import graph_digest
from satjudge.base.processes import as_completed
from satjudge.base.values import brief
from satjudge.base.words import escape_controls
from satjudge.engines.campaign import Campaign, Tally, format_failure
from satjudge.engines.comparison import PLACES, ComparedPosition, Difference
from satjudge.engines.conformance.hypotheses import TOGETHER
from satjudge.engines.connections.line_process import LARGE, SLOW
from satjudge.engines.documents.campaigns import INTERNAL, NOT_AGAIN
from satjudge.engines.equation_check import EquationCheck, check_by_equations
from satjudge.engines.positions import AskedPosition, PhaseOrder, format_lone_move, parse_position
from satjudge.engines.shrinking import MOST_TRIES, shrink_position
from satjudge.oracles.oracle import Answer
from satjudge.world.board import group_pairs
from satjudge.world.geography import Map, province_of
from satjudge.world.orders import Build, Convoy, Decline, Disband, Hold, Move, Remove, Retreat, SupportHold, SupportMove

if TYPE_CHECKING:
    import networkx

SHRUNK = 1000
"""The default limit on boards to shrink."""
SECONDS = 600.0
"""The default limit for shrinking all boards, in seconds."""
FOR_ONE = 60.0
"""The limit for shrinking one board, in seconds."""
_SLOW_TRIES = 40
"""The limit on positions tried for a board on which the oracle is too slow: each may take the full time limit."""

_Task = tuple[int, str | None]
"""The number of a board to shrink, and the explanation of which it is an example, or None."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A shrunk position on which the two engines differ."""

    units: int
    board: int
    """The number of the board that was shrunk."""
    line: bytes
    """The position as a batch line."""
    differences: tuple[Difference, ...]
    shape: str
    explanation: str | None = None
    """The name of the known difference that explains the finding, if there is one."""
    boards: int = 1
    """The number of boards that shrank to this shape, or that have this explanation."""
    map: Map | None = None
    """The map of the position; None for the standard one."""
    others: tuple[int, ...] = ()
    """The numbers of the other boards that shrank to this shape."""
    theirs: Answer | None = None
    """The other engine's answer to the position; None if it gave none or contradicts itself."""
    causes: tuple[str, ...] = ()
    """The possible causes (`satjudge.engines.equation_check`)."""
    resolution: str = ""
    """A phrase on whether the other engine's answer is a consistent resolution."""

    __repr__ = brief

    @property
    def title(self) -> str:
        """The kinds of its differences in verdicts, or else its first cause, or the kinds of its other differences."""
        kinds = {found.kind for found in self.differences}
        in_verdicts = {found.kind for found in self.differences if found.number is not None}
        if not in_verdicts and (self.causes or kinds <= PLACES):
            return self.causes[0] if self.causes else "units end up elsewhere"
        return "; ".join(sorted(in_verdicts or kinds))

    @property
    def board_numbers(self) -> tuple[int, ...]:
        """The numbers of all boards that shrank to this shape, beginning with the board of this finding."""
        return self.board, *self.others

    @property
    def position(self) -> AskedPosition:
        """The shrunk position, parsed from its batch line."""
        return parse_position(self.line, self.map)


@dataclass(frozen=True, slots=True)
class Findings:
    """All findings of a campaign."""

    unexplained: tuple[Finding, ...]
    """The findings without an explanation, one for each shape, the smallest first."""
    explained: tuple[Finding, ...]
    """The smallest example of each explanation, the most frequent first."""
    left: int
    """The number of boards with unexplained differences that were not shrunk."""
    seconds: float = field(default=0.0, compare=False)
    """The time that shrinking took, in seconds."""
    out_of_time: bool = False
    """Whether time ran out before all boards were shrunk."""

    __repr__ = brief


def collect_findings(
    campaign: Campaign,
    tally: Tally,
    executor: Executor | None = None,
    *,
    limit: int = SHRUNK,
    seconds: float = SECONDS,
    tasks_ahead: int = 1,
    on_progress: Callable[[int], None] = lambda boards: None,
) -> Findings:
    """Shrink boards on which the engines differ: at most `limit` unexplained ones, and one for each explanation.

    After `seconds` no other unexplained board is begun; the rest are counted as left. `executor` runs `tasks_ahead` tasks in
    advance, and `on_progress` is called with 1 for each board.
    """
    began = monotonic()
    tasks, begun = list_tasks(tally, limit), 0

    def in_time() -> Iterator[_Task]:
        nonlocal begun
        for task in tasks:
            if task[1] is not None or monotonic() - began < seconds:
                begun += task[1] is None
                yield task

    found: list[Finding] = []
    for finding in as_completed(
        partial(shrink_board, campaign, seconds=min(seconds, FOR_ONE)), in_time(), executor, tasks_ahead
    ):
        found.append(finding)
        on_progress(1)
    examples = [
        replace(finding, boards=tally.explained[finding.explanation].boards) for finding in found if finding.explanation
    ]
    return Findings(
        merge_equal_shapes(finding for finding in found if finding.explanation is None),
        tuple(sorted(examples, key=lambda finding: (-finding.boards, finding.explanation))),
        len(tally.differing) - begun,
        monotonic() - began,
        begun < min(limit, len(tally.differing)),
    )


def list_tasks(tally: Tally, limit: int = SHRUNK) -> list[_Task]:
    """List the boards to shrink: at most `limit` unexplained, the smallest of each kind first, and one per known difference."""
    by_kinds = group_pairs((differing.kinds, differing) for differing in sorted(tally.differing))
    rounds = (one for turn in zip_longest(*by_kinds.values()) for one in turn if one is not None)
    unexplained: list[_Task] = [(differing.board, None) for differing in islice(rounds, limit)]
    return unexplained + [(known.smallest.board, name) for name, known in tally.explained.items() if TOGETHER not in name]


def shrink_board(campaign: Campaign, task: _Task, seconds: float = FOR_ONE) -> Finding:
    """Shrink a board as long as it keeps its explanation or, without one, an unexplained difference of the same kind.

    A board is not shrunk if it no longer differs when judged again, or if its shrunk form does not differ in a new process of
    the engine. When time runs out, the smallest form so far is used.
    """
    number, name = task
    position = campaign.source.get_position(number)
    campaign.contact.restart(only_after_failure=True)
    try:
        smallest = _shrink_position(campaign, position, name, seconds)
        campaign.contact.restart()
        compared = campaign.compare(smallest)
        varying = campaign.find_contradiction(smallest) if name is None else None
        if varying:
            return _make_contradiction(compared, varying, number)
        if not compared.differences:
            compared = campaign.make_single_difference(
                position, NOT_AGAIN, "the same each time", "once another answer, or none"
            )
    except OracleLostError as error:
        compared = campaign.make_single_difference(position, error.kind, "an answer", escape_controls(str(error)))
    except Exception as error:  # the finding is reported without shrinking
        compared = campaign.make_single_difference(position, INTERNAL, format_failure(error), "something else")
    told_of = _check_answer(campaign, compared) if name is None else EquationCheck()
    units, line, theirs = count_units(compared.position), compared.position.line, compared.theirs if name is None else None
    return Finding(
        units, number, line, compared.differences, format_shape(compared), name, map=position.board.map,
        theirs=theirs, causes=told_of.causes, resolution=told_of.resolution,
    )  # fmt: skip


def _check_answer(campaign: Campaign, compared: ComparedPosition) -> EquationCheck:
    """Test the other engine's answer by the equations; the result is empty if satjudge itself fails."""
    try:
        return check_by_equations(compared, campaign.rulebook, campaign.depth, campaign.contact.words)
    except Exception:  # a finding without this check is better than none
        return EquationCheck()


def _make_contradiction(compared: ComparedPosition, contradiction: Difference, board: int) -> Finding:
    """Make the finding that an engine contradicts itself on a board; its shape is the kind of the contradiction."""
    position, both, shape = compared.position, (*compared.differences, contradiction), contradiction.kind.replace(" ", "-")
    return Finding(count_units(position), board, position.line, both, shape, map=position.board.map)


def _shrink_position(campaign: Campaign, position: AskedPosition, name: str | None, seconds: float) -> AskedPosition:
    kinds = campaign.compare(position).kinds
    varies = name is None and campaign.find_contradiction(position) is not None
    if not kinds and not varies:
        return position

    def keeps(candidate: AskedPosition) -> bool:
        try:
            if kinds:
                compared = campaign.compare(candidate)
                same = bool(compared.kinds & kinds) if name is None else bool(compared.differences)
                if not same or campaign.format_explanation(compared) != name:
                    return False
            return not varies or campaign.find_contradiction(candidate) is not None
        except Exception:  # a position that cannot be compared is not accepted
            return False

    return shrink_position(position, keeps, _SLOW_TRIES if kinds & {SLOW, LARGE} else MOST_TRIES, seconds)


def merge_equal_shapes(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return one finding for each shape, the smallest one, with the boards of all; the smallest findings come first."""
    by_shape = group_pairs((finding.shape, finding) for finding in sorted(findings, key=_size_key))
    merged = (
        replace(smallest, boards=1 + len(others), others=tuple(sorted(finding.board for finding in others)))
        for smallest, *others in by_shape.values()
    )
    return tuple(sorted(merged, key=_size_key))


def _size_key(finding: Finding) -> tuple[int, int, bytes, int]:
    return finding.units, len(finding.line), finding.line, finding.board


# ---- the shape of a finding ----

_LETTERS: dict[type[PhaseOrder], str] = {
    Move: "M", SupportMove: "S", SupportHold: "S", Convoy: "C", Hold: "H",
    Retreat: "R", Disband: "D", Build: "B", Remove: "D", Decline: "W",
}  # fmt: skip


def format_shape(compared: ComparedPosition) -> str:
    """Return the shape of a compared position: its units, its orders by kind and a hash of its graph, `4u-2M1S1C-1f0b4c2a`.

    All boards that did not differ again have the same shape. The shape of a lone unit's move contains its border, so that each
    border is a separate finding.
    """
    if compared.kinds == {NOT_AGAIN}:
        return NOT_AGAIN.replace(" ", "-")
    if border := format_lone_move(compared.position):
        return f"1u-1M-{re.sub('[^A-Z]+', '-', border)}"
    counts = Counter(_LETTERS[type(order)] for order in compared.position.orders_by_number.values())
    parts = "".join(f"{counts[letter]}{letter}" for letter in "MSCHRBDW" if counts[letter])
    return f"{count_units(compared.position)}u-{parts or '0'}-{graph_digest(make_position_graph(compared))}"


def count_units(position: AskedPosition) -> int:
    """Return the number of units on a position's board, including dislodged ones."""
    return len(position.board.units) + len(position.board.dislodged)


def make_position_graph(compared: ComparedPosition) -> networkx.DiGraph:
    """Make a labelled graph of a position's units, powers, provinces and orders, which is isomorphic for equal shapes.

    Nodes are labelled with their kinds, not with their names.
    """
    import networkx

    graph = networkx.DiGraph()
    of_orders = {found.kind for found in compared.differences if found.number is not None}
    graph.add_node("finding", label="; ".join(sorted(of_orders or compared.kinds)))
    for unit in compared.position.board.units:
        graph.add_node(unit, label="unit")
        _add_edge(graph, unit, ("power", unit.power), "of")
        _add_edge(graph, unit, ("province", unit.province), "in")
    for lost in compared.position.board.dislodged:
        graph.add_node(lost, label="dislodged")
        _add_edge(graph, lost, ("power", lost.unit.power), "of")
        _add_edge(graph, lost, ("province", lost.unit.province), "in")
        for place in lost.retreats:
            _add_edge(graph, lost, ("province", province_of(place)), "may")
    for code, power in compared.position.board.centers.items():
        graph.add_node(("centre", code), label="centre")
        _add_edge(graph, ("centre", code), ("power", power), "of")
        _add_edge(graph, ("centre", code), ("province", code), "in")
    for number, order in compared.position.orders_by_number.items():
        difference = compared.find_difference(number)
        via = " via" if isinstance(order, Move) and order.via_convoy else ""
        graph.add_node(number, label=(difference.kind if difference else type(order).__name__) + via)
        _add_edge(graph, number, ("power", number[0]), "by")
        for sign, place in _list_places(order).items():
            _add_edge(graph, number, ("province", province_of(place)), sign)
    return graph


def _list_places(order: PhaseOrder) -> dict[str, str]:
    if isinstance(order, Decline):
        return {}
    places = {"unit": order.unit.location}
    if isinstance(order, SupportHold | SupportMove):
        places["supported"] = order.supported.location
    if isinstance(order, Convoy):
        places["convoyed"] = order.convoyed.location
    if isinstance(order, Move | SupportMove | Convoy | Retreat):
        places["to"] = order.destination
    return places


def _add_edge(graph: networkx.DiGraph, source: object, target: tuple[str, str], sign: str) -> None:
    graph.add_node(target, label=target[0])
    graph.add_edge(source, target, sign=sign)
